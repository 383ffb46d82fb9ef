//! The author's workbench from outside: what the manual and the walk tell is run as it stands there.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("trencavel-workbench-{}-{test}", std::process::id()));
        // A run that was killed may have left one of this name behind.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder in the temporary one");
        fs::write(path, text).expect("a file in the temporary folder");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn command(&self, words: &[String]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trencavel"));
        // Nothing of the user's reaches the tests.
        command
            .current_dir(&self.0)
            .args(words)
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env("HOME", &self.0);
        command.stdin(Stdio::null());
        command
    }

    fn output(&self, words: &[String]) -> Output {
        self.command(words).output().expect("the program runs")
    }

    /// What a command prints on both streams, and its exit code.
    fn run(&self, line: &str) -> (String, Option<i32>) {
        let output = self.output(&shell_words(line));
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (text, output.status.code())
    }

    /// What a command prints that ends with this exit code.
    fn check(&self, line: &str, code: i32) -> String {
        let (text, found) = self.run(line);
        assert_eq!(found, Some(code), "$ trencavel {line}\n{text}");
        text
    }
}

impl Folder {
    /// What a command prints first that goes on until somebody ends it.
    fn first_line(&self, line: &str) -> String {
        let mut child =
            self.command(&shell_words(line)).arg("--no-open").stdout(Stdio::piped()).spawn().expect("it runs");
        let mut told = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut told).expect("a line");
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().expect("it ends");
        told
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Words as a shell parts them; double quotes keep words together.
fn shell_words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let part = |(index, part): (usize, &str)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    };
    parts.flat_map(part).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the folder of the workspace")
}

/// Does what a page tells: writes its files, runs its commands, and compares. Gives the number of commands.
fn check_page(page: &Path, folder: &Folder) -> usize {
    let text = fs::read_to_string(page).expect("a page");
    let mut lines = text.lines();
    let mut commands = 0;
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match info.split_whitespace().collect::<Vec<_>>()[..] {
            ["console"] => commands += check_console(&block, folder),
            [_, path] => folder.write(path, &format!("{}\n", block.join("\n"))),
            _ => {}
        }
    }
    commands
}

/// Runs the commands of a block. What stands below one must be printed, in this order; `exit N` is its exit code.
fn check_console(block: &[&str], folder: &Folder) -> usize {
    let starts: Vec<usize> = (0..block.len()).filter(|index| block[*index].starts_with("$ trencavel ")).collect();
    assert_eq!(starts.first(), Some(&0), "a block begins with a command: {block:?}");
    for (number, start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(block.len());
        let mut expected: Vec<&str> = block[start + 1..end].to_vec();
        let code = expected.last().and_then(|line| line.strip_prefix("exit ")?.parse().ok());
        if code.is_some() {
            expected.pop();
        }
        let line = &block[*start]["$ trencavel ".len()..];
        let serves = line.starts_with("play ");
        let printed = if serves { folder.first_line(line) } else { folder.check(line, code.unwrap_or(0)) };
        check_order(&printed, &expected, block[*start]);
    }
    starts.len()
}

fn check_order(printed: &str, expected: &[&str], command: &str) {
    let mut rest = printed;
    for line in expected.iter().map(|line| line.trim()).filter(|line| *line != "…") {
        let at = rest
            .find(line)
            .unwrap_or_else(|| panic!("{command}: `{line}` is not in, or not after the lines before it:\n{printed}"));
        rest = &rest[at + line.len()..];
    }
}

#[test]
fn the_walk_is_true() {
    let folder = Folder::new("walk");
    let commands = check_page(&root().join("examples/WALK.md"), &folder);
    assert!(commands >= 30, "{commands} commands");
}

#[test]
fn the_tutorial_makes_the_example() {
    let folder = Folder::new("tutorial");
    let commands = check_page(&root().join("core/cli/manual/tutorial.md"), &folder);
    assert!(commands >= 16, "{commands} commands");
    let example = root().join("examples/toll-keeper");
    for name in ["rules.lua", "expansion.toml"] {
        let written = fs::read_to_string(example.join(name)).expect("the example");
        assert_eq!(
            folder.read(&format!("toll-keeper/{name}")),
            written,
            "{name} of the tutorial is that of the example"
        );
    }
}

#[test]
fn the_example_is_complete() {
    let folder = Folder::new("example");
    let example = root().join("examples/toll-keeper");
    let named = example.display();
    assert!(folder.check(&format!("check {named}"), 0).contains("0 errors, 0 warnings"));
    assert!(folder.check(&format!("test {named}"), 0).contains(" passed, 0 failed"));
    assert!(folder.check(&format!("interactions {named}"), 0).contains("toll-keeper: 0 open"));
    let coverage = folder.check(&format!("coverage {named} --games 1"), 0);
    assert!(!coverage.contains("never"), "{coverage}");
}

#[test]
fn every_scaffold_passes_at_once() {
    let folder = Folder::new("scaffold");
    for (name, flag) in
        [("plain", ""), ("of-figure", "--figure"), ("of-tiles", "--tiles"), ("of-rules", "--rules-only")]
    {
        folder.check(&format!("new {name} {flag}"), 0);
        assert!(folder.check(&format!("check {name}"), 0).contains("0 errors, 0 warnings"), "{name}");
        assert!(folder.check(&format!("test {name}"), 0).contains(" passed, 0 failed"), "{name}");
        let coverage = folder.check(&format!("coverage {name} --games 1"), 0);
        assert!(!coverage.contains("; never"), "{coverage}");
        for file in [".luarc.json", ".editor/trencavel.lua", ".editor/expansion.schema.json"] {
            assert!(folder.read(&format!("{name}/{file}")).len() > 100, "{name}/{file}");
        }
    }
    assert!(folder.check("new plain", 2).contains("is there already"));
    assert!(folder.check("new Plain", 2).contains("lower-case words"));
    assert!(folder.check("new wells", 2).contains("there is an expansion `wells` already"));
}

#[test]
fn the_schema_knows_the_keys_of_manifests() {
    let folder = Folder::new("schema");
    folder.check("new keyed", 0);
    let schema = folder.read("keyed/.editor/expansion.schema.json");
    // Editors are led to it by the first line, and a key that the program refuses has no place in it.
    assert!(folder.read("keyed/expansion.toml").starts_with("#:schema ./.editor/expansion.schema.json\n"));
    let lines = schema.lines().skip_while(|line| *line != "  \"properties\": {").skip(1);
    let keys: Vec<&str> = lines
        .take_while(|line| *line != "  },")
        .filter_map(|line| line.strip_prefix("    \"")?.strip_suffix("\": {"))
        .filter(|key| !["id", "version", "api", "title"].contains(key))
        .collect();
    assert!(keys.len() > 10 && keys.contains(&"interactions"), "{keys:?}");
    for key in keys {
        let text = folder.read("keyed/expansion.toml").replace("api      =", &format!("{key} = 1.5\napi      ="));
        folder.write("other/expansion.toml", &text.replacen("id       = \"keyed\"", "id       = \"other\"", 1));
        let printed = folder.check("check other", 1);
        assert!(!printed.contains("M002"), "{key} is a key of manifests:\n{printed}");
    }
}

#[test]
fn an_installed_program_needs_nothing_beside_it() {
    let folder = Folder::new("installed");
    assert!(folder.check("test wells constable", 0).contains(" passed, 0 failed"));
    assert!(folder.check("test base", 0).contains(" passed, 0 failed"));
    check_order(&folder.check("coverage wells --games 1", 0), &["wells: 11 scenarios", "hooks: "], "what is bundled");
    assert!(folder.check("interactions wells", 0).contains("wells: 0 open"));
    folder.check("new bell-ringer", 0);
    let played = folder.check("run base --path . --with bell-ringer,wells --quiet --seed 5", 0);
    check_order(&played, &["bell-ringer 0.1.0", "again: trencavel run base --seed 5"], "a bundled game");
    // What the manual calls `examples/base.toml` is there too, and a file of that name wins.
    folder.check("run examples/constable.toml --quiet --seed 5", 0);
    folder.check("draw examples/base.toml -o base.svg", 0);
    folder.check("rulebook examples/constable.toml -o rules.html", 0);
    folder.write("examples/base.toml", "players = []\n");
    assert!(folder.check("run examples/base.toml", 1).contains("1 to 6 players"));
    check_order(&folder.check("run nothing", 2), &["cannot be read", "came with the program: base"], "no such game");
    check_order(&folder.check("test constabl", 2), &["did you mean `constable`?"], "a misspelt name");
    // An own folder of the same name wins.
    folder.write("scripts/wells/tests/own.toml", "title = \"own\"\nexpect = [\"A has 0 points\"]\n");
    for file in ["expansion.toml", "rules.lua", "tiles.toml"] {
        let text = fs::read_to_string(root().join("scripts/wells").join(file)).expect("a file of the wells");
        folder.write(&format!("scripts/wells/{file}"), &text);
    }
    assert!(folder.check("test wells", 0).contains("1 passed, 0 failed"));
}

/// An expansion with a slip of every kind that `check` warns of.
fn sloppy(folder: &Folder) {
    folder.write(
        "sloppy/expansion.toml",
        "id = \"sloppy\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Sloppy\"\n\n[options.idle]\ndefault = true\ntext = \"Nothing\"\n\n\
         [interactions]\nnowhere = \"is not installed\"\n",
    );
    folder.write(
        "sloppy/rules.lua",
        "rules.mark \"ghost\" { on = \"road\" }\n\
         rules.figure \"clerk\" { class = \"special\", seats = { \"road\" } }\n\
         rules.forbid \"never\" { on = \"capture\", say = \"never\" }\n\
         rules.waive \"base:occupied\" { on = \"deploy\", figure = \"clerk\" }\n\
         rules.forbid \"wide\" { on = \"place\", test = function(case)\n  return case.x > 90\nend }\n\
         rules.waive \"never\" { on = \"capture\" }\n\
         rules.forbid \"bare\" { on = \"deploy\", where = { tile = { mark = \"pennant\" } }, say = \"bare\" }\n\
         rules.step \"rest\" { after = \"core:score\" }\n\
         rules.resolve \"which\" { options = { words = { \"this\", \"that\" } }, run = function() end }\n\
         rules.token \"coin\" {}\n",
    );
    folder.write(
        "sloppy/tiles.toml",
        "format = \"trencavel-tiles/1\"\n\n[[tile]]\nid = \"lost\"\nsides = \"field field field field\"\n\
         segments = [ { name = \"field\", kind = \"field\", halves = \"NL NR EL ER SL SR WL WR\" } ]\n",
    );
}

#[test]
fn slips_are_warned_of() {
    let folder = Folder::new("slips");
    sloppy(&folder);
    let printed = folder.check("check sloppy", 0);
    for code in ["W001", "W002", "W003", "W004", "W005", "W006", "W007", "W008", "W009", "W010", "W011"] {
        assert!(printed.contains(&format!("warning[{code}]")), "{code}:\n{printed}");
        assert!(folder.check(&format!("explain {code}"), 0).starts_with(code));
    }
    assert!(printed.contains("0 errors, 14 warnings"), "{printed}");
    let json = folder.check("check sloppy --json", 0);
    assert!(json.contains("\"code\": \"W003\"") && json.contains("\"line\": 6"), "{json}");
}

#[test]
fn words_in_functions_are_checked_before_they_run() {
    let folder = Folder::new("words");
    let script = "local own = rules.query \"own\" { figure = \"follower\" }\n\
                  if rules.active \"dragon\" then rules.query \"seldom\" { figure = \"follower\" } end\n\
                  rules.react \"look\" { on = \"completed\", emits = { \"pay\" }, causes = { \"fine\" }, run = function(event)\n\
                  for figure in event.feature:figures(own) do assert(figure:is(\"own\")) end\n\
                  for figure in event.feature:figures(\"onw\") do assert(figure:is(\"seldom\")) end\n\
                  for city in event.feature:linked(\"citty\") do rules.emit(\"paay\", { player = 1, points = city.tiles }) end\n\
                  if event.tile:marks(\"penant\") == rules.supply(1, \"folower\") + rules.count(\"coin\") + rules.suply(1) then return end\nend }\n";
    scripted(&folder, "words", script);
    let manifest = folder.read("words/expansion.toml") + "optional = { dragon = \"*\" }\n";
    folder.write("words/expansion.toml", &manifest);
    let told = [
        "unknown query `onw`",
        "did you mean `own`?",
        "unknown kind of feature `citty`",
        "unknown verb `paay`",
        "did you mean `pay`?",
        "unknown mark `penant`",
        "unknown figure `folower`",
        "unknown token `coin`",
        "`rules` has no `suply`",
        "7 errors, ",
    ];
    check_order(&folder.check("check words", 1), &told, "each word that names nothing");
}

#[test]
fn every_problem_is_told_at_once() {
    let folder = Folder::new("at-once");
    sloppy(&folder);
    let tiles = folder.read("sloppy/tiles.toml").replace("NL NR EL ER SL SR WL WR", "NL NR EL ER SL SR WL");
    folder.write("sloppy/tiles.toml", &tiles);
    folder.write(
        "sloppy/rules.lua",
        "rules.forbid \"one\" { on = \"deplyo\" }\nrules.figure \"two\" { seats = { \"raod\" } }\nrules.mark \"three\" { no = \"road\" }\n",
    );
    let printed = folder.check("check sloppy", 1);
    for word in ["deplyo", "raod", "`no`", "tiles.toml"] {
        assert!(printed.contains(word), "{word}:\n{printed}");
    }
    // Neither a declaration that cannot be read nor a script that ends there hides what stands before it.
    let script = "rules.figure \"two\" { seats = { \"road\" }, class = \"folower\" }\nrules.frobid \"three\" {}\n\
                  rules.mark(7)\nlocal none = nil\nnone.x = 1\n";
    folder.write("sloppy/rules.lua", script);
    let printed = folder.check("check sloppy", 1);
    check_order(
        &printed,
        &[
            "unknown class `folower`",
            "`rules` has no `frobid`",
            "begins with its id",
            "attempt to index nil",
            "5 errors,",
        ],
        "one script",
    );
    folder.write("sloppy/rules.lua", "rules.mark \"a\" { on = = }\n\nlocal function f()\n  if x the\nend\n");
    check_order(
        &folder.check("check sloppy", 1),
        &["rules.lua:1:1", "rules.lua:4:1", "3 errors,"],
        "two slips of syntax",
    );
    // A manifest that cannot be read does not hide what is wrong with the tiles.
    folder.write("sloppy/expansion.toml", "id = \"sloppy\"\nversion = \"1.0.0\"\napi = \"1\"\ntitel = \"Sloppy\"\n");
    let printed = folder.check("check sloppy", 1);
    assert!(printed.contains("titel") && printed.contains("tiles.toml"), "{printed}");
}

#[test]
fn an_action_is_explained_with_its_rules() {
    let folder = Folder::new("explain");
    let players = "players = [ { name = \"Ann\", bot = \"random\" }, { name = \"Bob\", bot = \"random\" } ]";
    folder.write("game.toml", &format!("seed = 7\n{players}\n[expansions]\nwagon = true\nbuilder = true\n"));
    let printed = folder.check("explain game.toml --at 1 --action \"deploy builder field\"", 0);
    assert!(printed.contains("decides: core:action"), "{printed}");
    let (refused, _) = folder.run("explain game.toml --at 0 --action \"place 9,9 r0\"");
    check_order(&refused, &["is not offered", "refusal  core:no_neighbour", "offered instead:"], "a far space");
    let segment = printed.lines().find_map(|line| line.trim().strip_prefix("A: deploy follower ")).expect("a segment");
    let asked = format!("explain game.toml --at 1 --action \"deploy follower {segment}\"");
    check_order(
        &folder.check(&asked, 0),
        &["is offered", "offer    figure base:follower, plugins/base/src/lib.rs:"],
        &asked,
    );
    assert!(folder.check("explain game.toml", 2).contains("--action"));
    assert!(folder.check("explain game.toml --score Zoe", 2).contains("nobody is called `Zoe`"));
}

/// An expansion of one script.
fn scripted(folder: &Folder, id: &str, script: &str) {
    let manifest = format!("id = \"{id}\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"{id}\"\n");
    folder.write(&format!("{id}/expansion.toml"), &manifest);
    folder.write(&format!("{id}/rules.lua"), script);
}

#[test]
fn the_waiver_that_lifts_a_refusal_is_named() {
    let folder = Folder::new("lifted");
    let script = "rules.forbid \"shut\" { on = \"deploy\", figure = \"follower\", say = \"the gate is shut\" }\n\
                  rules.waive \"shut\" { on = \"deploy\", where = { feature = { kind = \"road\" } } }\n";
    scripted(&folder, "gate", script);
    let asked = |action: &str| format!("explain base --seed 7 --with gate --path gate --at 3 --action \"{action}\"");
    let told = [
        "is offered",
        "offer    figure base:follower, plugins/base/src/lib.rs:",
        "lifted   gate:shut: the gate is shut, gate/rules.lua:1",
        "waiver by gate lifts it, gate/rules.lua:2",
    ];
    check_order(&folder.check(&asked("deploy follower road"), 0), &told, "on the road");
    let told = [
        "is not offered",
        "refusal  gate:shut: the gate is shut, gate/rules.lua:1",
        "waiver by gate does not lift it here, gate/rules.lua:2",
    ];
    check_order(&folder.check(&asked("deploy follower field-north-east"), 0), &told, "on the field");
}

#[test]
fn refusals_that_stop_what_rules_ask_for_are_covered() {
    let folder = Folder::new("stopped");
    scripted(&folder, "glue", "rules.forbid \"stuck\" { on = \"return\", figure = \"follower\", say = \"stuck\" }\n");
    let printed = folder.check("coverage glue --path glue --games 1", 0);
    check_order(&printed, &["refusals: 1 of 1 ran", "forbid stuck  glue/rules.lua:1"], "a game");
    folder.write("glue/tests/stuck.toml", "title = \"stuck\"\nexpansions = [\"glue\"]\nplay = [\"A: place city-cap 0,-1 r180; deploy follower city\"]\nexpect = [\"A supply follower 6\"]\n");
    check_order(&folder.check("coverage glue --path glue --games 0", 0), &["refusals: 1 of 1 ran"], "a scenario");
}

#[test]
fn a_game_tells_its_tokens_and_the_sentences_of_what_is_paid() {
    let folder = Folder::new("told");
    let printed = folder.check("run base --with traders-and-builders --seed 7", 0);
    check_order(&printed, &["completed: city", "tokens: +1 wine, Bob"], "trade goods");
    let script = "rules.token \"stone\" {}\n\
                  rules.react \"levy\" { on = \"placed\", emits = { \"pay\", \"put\" }, causes = { \"levy\" }, say = \"the levy\", run = function(event)\n  \
                  rules.emit(\"pay\", { player = event.player, points = 1, cause = \"levy\" })\n  \
                  rules.emit(\"put\", { token = \"stone\", amount = 2, to = event.tile })\nend }\n";
    scripted(&folder, "levy", script);
    let printed = folder.check("run base --with levy --path levy --seed 3", 0);
    check_order(&printed, &["levy = 1 (the levy), levy: levy/rules.lua:2", "tokens: +2 stone on "], "a turn");
}

#[test]
fn a_score_is_explained_to_the_last_point() {
    let folder = Folder::new("score");
    folder.write(
        "game.toml",
        "seed = 7\nplayers = [ { name = \"Ann\", bot = \"random\" }, { name = \"Bob\", bot = \"random\" } ]\n",
    );
    let printed = folder.check("explain game.toml --with wells --score ann", 0);
    let total: i32 =
        printed.lines().next().and_then(|line| line.split_whitespace().nth(2)?.parse().ok()).expect("a total");
    let points = printed
        .lines()
        .filter_map(|line| line.trim().strip_prefix("turn ")?.split_whitespace().nth(1)?.parse::<i32>().ok());
    assert_eq!(points.sum::<i32>(), total, "{printed}");
    assert!(printed.contains("plugins/base/src/lib.rs:"), "{printed}");
}

#[test]
fn moments_become_scenarios_that_pass() {
    let folder = Folder::new("moments");
    folder.write(
        "game.toml",
        "seed = 5\nplayers = [ { name = \"Ann\", bot = \"random\" }, { name = \"Bob\", bot = \"random\" } ]\n",
    );
    let mut ways = BTreeSet::new();
    for (with, at) in [("wells", 0), ("wells", 21), ("wells", 40), ("the-tower,goods", 60)] {
        folder.check(&format!("run game.toml --with {with} --quiet --save game.replay"), 0);
        let printed = folder.check(&format!("replay game.replay --at {at} --scenario tests/moment.toml"), 0);
        ways.insert(printed.contains("begins with the position"));
        assert!(folder.check("test tests/moment.toml", 0).contains("1 passed, 0 failed"));
        // It says something: a point more is a failure.
        let scenario = folder.read("tests/moment.toml");
        let wrong = scenario.replacen("A has ", "A has 9", 1);
        assert_ne!(wrong, scenario);
        folder.write("tests/moment.toml", &wrong);
        let failure = folder.check("test tests/moment.toml", 1);
        check_order(&failure, &["FAIL ", "  - expect `A has 9", "points", "█ city", "0 passed, 1 failed"], "a failure");
    }
    assert_eq!(ways.len(), 2, "positions where these are enough, games where not");
}

#[test]
fn what_nobody_decided_is_open() {
    let folder = Folder::new("open");
    folder.check("new idler --figure", 0);
    let rules = folder.read("idler/rules.lua");
    let line =
        rules.lines().find(|line| line.contains("leaves =")).expect("the template says why it leaves").to_owned();
    folder.write("idler/rules.lua", &rules.replace(&line, ""));
    let printed = folder.check("interactions idler --html open.html", 1);
    assert!(printed.contains("OPEN") && !printed.contains("idler: 0 open"), "{printed}");
    assert!(folder.read("open.html").contains("class=\"open\""));
    folder.write("idler/rules.lua", &rules);
    assert!(folder.check("interactions idler", 0).contains("idler: 0 open"));
}

#[test]
fn nothing_is_open_between_the_bundled_expansions() {
    let folder = Folder::new("decided");
    let scripts = fs::read_dir(root().join("scripts")).expect("the bundled expansions");
    let paths = scripts.map(|entry| entry.expect("an entry").path());
    let mut ids: Vec<String> = paths
        .filter(|path| path.join("expansion.toml").is_file())
        .map(|path| path.file_name().expect("a name").to_string_lossy().into_owned())
        .collect();
    ids.sort();
    assert!(ids.len() > 30, "{ids:?}");
    let printed = folder.check(&format!("interactions {}", ids.join(" ")), 0);
    check_order(&printed, &["builder: 0 open", "constable: 0 open", "pig: 0 open"], "all of them");
}

#[test]
fn expansions_that_exclude_each_other_and_that_contradict_are_told() {
    let folder = Folder::new("contradict");
    for name in ["one", "two"] {
        folder.check(&format!("new {name} --rules-only"), 0);
        folder.write(&format!("{name}/rules.lua"), "rules.set \"flat\" { of = \"road\", to = 1 }\n");
    }
    let printed = folder.check("interactions one --path two", 1);
    check_order(&printed, &["two", "CONTRADICT"], "two values for a road");
    let manifest = folder
        .read("one/expansion.toml")
        .replace("requires = { base = \"1\" }", "requires = { base = \"1\" }\nconflicts = { two = \"*\" }");
    folder.write("one/expansion.toml", &manifest);
    check_order(&folder.check("interactions one --path two", 0), &["two", "excluded"], "a manifest says so");
}

/// Every file below a folder.
fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { below(&path, found) } else { found.push(path) }
    }
}

#[test]
fn the_manual_has_a_page_for_each_hook_and_no_broken_link() {
    let folder = Folder::new("docs");
    folder.check("docs manual", 0);
    let types = folder.check("types", 0);
    assert!(types.starts_with("---@meta"), "{types}");
    for kind in ["figure", "forbid", "waive", "react", "award"] {
        let page = folder.read(&format!("manual/hooks/{kind}.html"));
        assert!(page.contains("<pre>") && page.contains(&format!("rules.{kind}")), "{kind}");
    }
    assert!(folder.read("manual/embedding.html").contains("fn main"), "the program is on the page");
    assert!(folder.read("manual/expansions/wells.html").contains("<table>"));
    let mut pages = Vec::new();
    below(&folder.0.join("manual"), &mut pages);
    assert!(pages.len() > 50, "{} pages", pages.len());
    for page in &pages {
        let text = fs::read_to_string(page).expect("a page");
        let links = text.split("<a href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        for link in links.filter(|link| !link.contains("://")) {
            let (file, name) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().expect("a folder").join(file) };
            let target = fs::read_to_string(&target).unwrap_or_else(|_| panic!("{} links to {link}", page.display()));
            let found = name.is_empty() || target.contains(&format!(" id=\"{name}\""));
            assert!(found, "{} links to {link}, and nothing is called so", page.display());
        }
    }
    check_order(
        &folder.read("manual/tutorial.html"),
        &["<p class=\"file\">toll-keeper/rules.lua</p>", "<pre>"],
        "files",
    );
}

#[test]
fn check_finds_scripts_that_remember_and_hooks_that_fail() {
    let folder = Folder::new("remembers");
    let broken = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/broken");
    let check = |name: &str| folder.check(&format!("check {}", broken.join(name).display()), 1);
    let said = check("remembers");
    for words in
        ["error[L013]", "`remembers:third` answers otherwise", "rules.lua:9:1]", "keep nothing outside the game"]
    {
        assert!(said.contains(words), "no `{words}`: {said}");
    }
    let said = check("fails");
    assert!(said.contains("error[L013]"), "{said}");
}

#[test]
fn verbs_that_are_emitted_and_not_declared_are_told_before_anything_runs() {
    let folder = Folder::new("emits");
    let script = "rules.token \"coin\" {}\n\
                  local verbs = { \"pay\" }\n\
                  local function later(event) rules.emit(\"put\", { token = \"coin\", amount = 1 }) end\n\
                  rules.react \"told\" { on = \"eaten\", emits = { \"pay\" }, run = function(event)\n  \
                  rules.emit(\"pay\", { player = 1, points = 1 })\n  \
                  for _, tile in ipairs({ 1 }) do if tile == 2 then rules.emit(\"put\", { token = \"coin\", amount = 1 }) end end\n\
                  end }\n\
                  rules.react \"one\" { on = \"eaten\", emits = \"pay\", run = function() rules.emit(\"pay\", { player = 1, points = 1 }) end }\n\
                  rules.react \"none\" { on = \"eaten\", run = function() rules.emit(\"finish\", {}) end }\n\
                  rules.react \"made\" { on = \"eaten\", emits = verbs, run = function() rules.emit(\"put\", { token = \"coin\", amount = 1 }) end }\n\
                  rules.react \"elsewhere\" { on = \"eaten\", run = later }\n\
                  rules.react \"named\" { on = \"eaten\", run = function() local verb = \"put\" rules.emit(verb, { token = \"coin\", amount = 1 }) end }\n";
    scripted(&folder, "fair", script);
    let printed = folder.check("check fair", 1);
    for (line, hook, verb) in [(6, "told", "put"), (9, "none", "finish")] {
        let message = format!("react \"{hook}\": `{verb}` is not among the `emits` of this hook");
        check_order(&printed, &["error[L014]", &message, &format!("rules.lua:{line}:")], "check fair");
    }
    assert!(printed.contains("2 errors"), "{printed}");
    assert!(folder.check("explain L014", 0).starts_with("L014"));
}

#[test]
fn the_limits_of_a_game_file_hold() {
    let folder = Folder::new("limits");
    let players = "seed = 1\nplayers = [{ name = \"Ann\", bot = \"random\" }, { name = \"Bob\", bot = \"random\" }]\n";
    folder.write("game.toml", &format!("{players}[limits]\nintents = 1\n"));
    let printed = folder.check("run game.toml --save game.replay", 1);
    assert!(printed.contains("this decision caused more than 1 intents"), "{printed}");
    let printed = folder.check("replay game.replay", 1);
    check_order(&printed, &["error[C003]", "this decision caused more than 1"], "the limits of the save");
    let wells = "[expansions]\nwells = true\n";
    folder.write("game.toml", &format!("{players}{wells}[limits]\ninstructions = 1\nmemory_mib = 16\n"));
    let printed = folder.check("run game.toml", 1);
    assert!(printed.contains("ran for more than 1 ticks"), "{printed}");
    folder.write("game.toml", &format!("{players}{wells}"));
    folder.check("run game.toml --save game.replay", 0);
    let save = folder.read("game.replay").replacen("player ", "lock limits instructions=1\nplayer ", 1);
    folder.write("game.replay", &save);
    let printed = folder.check("replay game.replay", 1);
    assert!(printed.contains("ran for more than 1 ticks"), "{printed}");
}
