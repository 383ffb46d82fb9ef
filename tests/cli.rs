//! The program from outside: a temporary folder, a command, and everything it printed.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("trencavel-cli-{}-{test}", std::process::id()));
        // A run that was killed may have left one of this name behind.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    /// The folder with a two-player game file `game.toml` that ends with `more`.
    fn with_game(test: &str, more: &str) -> Self {
        let folder = Self::new(test);
        let players = "players = [ { name = \"Ann\", bot = \"random\" }, { name = \"Bob\", bot = \"random\" } ]";
        folder.write("game.toml", &format!("seed = 7\n{players}\n{more}\n"));
        folder
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file in the temporary folder");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("a file in the temporary folder")
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trencavel"));
        // Nothing of the user's reaches the tests.
        command
            .current_dir(&self.0)
            .args(line.split_whitespace())
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env("HOME", &self.0);
        command
    }

    fn output(&self, line: &str) -> Output {
        self.command(line).stdin(Stdio::null()).output().expect("the program runs")
    }

    /// What a command that ends well prints.
    fn print(&self, line: &str) -> String {
        let output = self.output(line);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success() && err.is_empty(), "{}", framed(line, &output));
        out
    }

    /// Compares everything that a command prints, and its exit code, with what is expected.
    fn check(&self, line: &str, expected: &str) {
        let found = framed(line, &self.output(line));
        let expected = expected.trim_start_matches('\n');
        assert!(found == expected, "{}", difference(expected, &found));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// The command, what it printed, and its exit code, in frames.
fn framed(line: &str, output: &Output) -> String {
    let code = output.status.code().map_or("killed".to_owned(), |code| code.to_string());
    let mut frame = format!("$ trencavel {line}\n");
    for (name, bytes) in [("out", &output.stdout), ("err", &output.stderr)] {
        for line in text(bytes).lines() {
            frame += format!("{name}| {line}").trim_end();
            frame.push('\n');
        }
    }
    frame + &format!("exit {code}\n")
}

fn difference(expected: &str, found: &str) -> String {
    let mut lines = vec!["what was printed differs (- expected, + found):".to_owned()];
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    for index in 0..old.len().max(new.len()) {
        match (old.get(index), new.get(index)) {
            (Some(one), Some(other)) if one == other => lines.push(format!("  {one}")),
            (one, other) => {
                lines.extend(one.map(|one| format!("- {one}")));
                lines.extend(other.map(|other| format!("+ {other}")));
            }
        }
    }
    lines.join("\n")
}

/// The rest of the only line that begins so.
fn line_after<'a>(text: &'a str, start: &str) -> &'a str {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(start));
    match (lines.next(), lines.next()) {
        (Some(line), None) => line,
        other => panic!("one line should begin with `{start}`, found {other:?} in\n{text}"),
    }
}

#[test]
fn the_same_seed_prints_the_same() {
    let folder = Folder::with_game("same", "");
    let first = folder.print("run game.toml");
    assert_eq!(first, folder.print("run game.toml"));
    assert_ne!(first, folder.print("run game.toml --seed 8"));
    assert_eq!(line_after(&first, "again: "), "trencavel run game.toml --seed 7");
    let scores = line_after(&first, "scores: ");
    assert!(scores.starts_with("Ann (A) ") && scores.contains(", Bob (B) "), "{scores}");
}

#[test]
fn every_point_is_in_the_ledger() {
    let folder = Folder::with_game("ledger", "");
    let printed = folder.print("run game.toml --quiet");
    let mut sums: Vec<(i32, i32)> = Vec::new();
    for line in printed.lines() {
        if let Some(points) = line.strip_suffix(" points") {
            let points = points.rsplit(' ').next().and_then(|word| word.parse().ok()).expect("a number");
            sums.push((points, 0));
        } else if let Some(rest) = line.strip_prefix("  turn ") {
            let points: i32 = rest.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("points");
            sums.last_mut().expect("a player before the line").1 += points;
        }
    }
    assert_eq!(sums.len(), 2);
    for (points, sum) in sums {
        assert_eq!(points, sum, "{printed}");
    }
}

#[test]
fn forced_placements_are_told_too() {
    let folder = Folder::with_game("forced", "");
    let mut forced = 0;
    for seed in 1..=12 {
        let line = format!("run game.toml --seed {seed}");
        let told = folder.print(&line);
        let turns: Vec<&str> = told.lines().filter(|line| line.contains("): place ")).collect();
        for (index, turn) in turns.iter().enumerate() {
            let number = turn.split_whitespace().next().and_then(|word| word.parse().ok());
            assert_eq!(number, Some(index + 1), "every turn is told once and in order:\n{told}");
        }
        forced += told.matches(" (its only place)").count();
        let end = folder.print(&format!("{line} --json"));
        assert!(end.contains(&format!("\"turn\": {}, ", turns.len())), "{end}");
    }
    assert!(forced > 0, "no game of this test has a tile with only one place: choose other seeds");
}

#[test]
fn a_save_is_played_back() {
    let folder = Folder::with_game("save", "[expansions]\nbase = { farmers = false, followers = 5 }");
    let printed = folder.print("run game.toml --save game.replay");
    assert_eq!(line_after(&printed, "replay: "), "trencavel replay game.replay");
    // The save needs no other file.
    fs::remove_file(folder.0.join("game.toml")).expect("the game file");
    let replayed = folder.print("replay game.replay");
    assert_eq!(line_after(&replayed, "digest: "), line_after(&printed, "digest: "));
    assert_eq!(line_after(&replayed, "scores: "), line_after(&printed, "scores: "));
    assert!(replayed.contains("the game is over\n"));
    let left: Vec<_> =
        fs::read_dir(&folder.0).expect("the folder").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(left, ["game.replay"], "nothing half-written stays");
}

#[test]
fn a_save_is_shown_at_any_answer() {
    let folder = Folder::with_game("at", "");
    folder.print("run game.toml --save game.replay");
    let answers =
        folder.read("game.replay").lines().filter(|line| line.starts_with("A: ") || line.starts_with("B: ")).count();
    let start = folder.print("replay game.replay --at 0");
    assert!(start.starts_with(&format!("after 0 of {answers} answers:\n")), "{start}");
    assert!(
        start.contains("turn 1, 71 tiles to draw; Ann (A) decides: core:") || start.contains("turn 1, 70 tiles"),
        "{start}"
    );
    let too_many = answers + 1;
    let line = format!("replay game.replay --at {too_many}");
    let expected = format!(
        "$ trencavel {line}\nerr| error: the save has {answers} answers, so there is no state after {too_many}\n\
         err|   help: write `--at` with a number from 0 to {answers}\nexit 2\n"
    );
    folder.check(&line, &expected);
    assert!(folder.print("replay game.replay --at 1 --json").starts_with("{\"seed\": \"7\", "));
}

#[test]
fn refusals_are_explained() {
    let folder = Folder::with_game("explain", "");
    folder.print("run game.toml --save game.replay");
    let answers = folder.read("game.replay").lines().filter(|line| line.as_bytes().get(1) == Some(&b':')).count();
    let told = (0..answers).map(|at| folder.print(&format!("replay game.replay --at {at} --explain")));
    let reason = told
        .filter_map(|text| text.lines().find(|line| line.starts_with("    base:occupied: ")).map(str::to_owned))
        .next();
    let reason = reason.expect("somewhere a feature is occupied");
    assert!(reason.contains(" is occupied: follower ") && reason.contains("plugins/base/src/lib.rs:"), "{reason}");
}

#[test]
fn a_changed_save_is_refused_with_its_line() {
    let folder = Folder::with_game("changed", "");
    folder.print("run game.toml --save game.replay");
    let text = folder.read("game.replay");
    let first = text.lines().position(|line| line.starts_with("A: ")).expect("an answer");
    let changed: Vec<&str> =
        text.lines().enumerate().map(|(index, line)| if index == first { "A: place 40,40 r0" } else { line }).collect();
    folder.write("changed.replay", &(changed.join("\n") + "\n"));
    let output = folder.output("replay changed.replay");
    let err = self::text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(err.contains("C003") && err.contains("no tile lies beside this space"), "{err}");
    assert!(err.contains(&format!("changed.replay:{}:", first + 1)), "{err}");
    folder.write("torn.replay", text.trim_end());
    assert!(folder.print("replay torn.replay").contains("was cut off and is left out\n"));
    folder.write("other.replay", "something else\n");
    assert!(
        self::text(&folder.output("replay other.replay").stderr).contains("a save begins with `trencavel-replay 1`")
    );
}

#[test]
fn another_lock_is_told() {
    let folder = Folder::with_game("lock", "");
    folder.print("run game.toml --save game.replay");
    let text = folder.read("game.replay").replacen("base 1.", "base 7.", 1);
    folder.write("old.replay", &text);
    let printed = folder.print("replay old.replay --at 2");
    assert!(printed.starts_with("note: `base` is version 7."), "{printed}");
}

#[test]
fn options_and_expansions_can_be_changed() {
    let folder = Folder::with_game("options", "");
    let printed = folder.print("run game.toml --quiet --option base.farmers=false --option base.followers=3");
    assert!(line_after(&printed, "  base ").contains("farmers=false followers=3"), "{printed}");
    assert!(
        line_after(&printed, "again: ").ends_with("--option base.farmers=false --option base.followers=3"),
        "{printed}"
    );
    assert_eq!(
        printed,
        folder.print(line_after(&printed, "again: trencavel ").replace("--seed", "--quiet --seed").as_str())
    );
    let with = folder.print("run game.toml --quiet --with wells,inn");
    assert!(with.contains("\n  wells ") && with.contains("\n  inn "), "{with}");
    let without = folder.print("run game.toml --quiet --with wells,inn --without inn");
    assert!(without.contains("\n  wells ") && !without.contains("\n  inn "), "{without}");
    let only = folder.print("run game.toml --quiet --only inn");
    assert!(only.contains("\n  base ") && only.contains("\n  inn "), "{only}");
}

#[test]
fn problems_have_a_code_a_place_and_advice() {
    let folder = Folder::with_game("problems", "[expansions]\nbase = { tiny_cty = \"4\" }");
    folder.check(
        "run game.toml",
        "
$ trencavel run game.toml
err| error[G021]
err|
err|   × `base` has no option `tiny_cty`
err|    ╭─[game.toml:4:10]
err|  3 │ [expansions]
err|  4 │ base = { tiny_cty = \"4\" }
err|    ·          ────────
err|    ╰────
err|   help: did you mean `tiny_city`? its options: `edition`, `tiny_city`, `farm_rule`, `farmers`,
err|         `followers`
exit 1
",
    );
    folder.write("broken.toml", "players = [\n");
    folder.check(
        "run broken.toml",
        "
$ trencavel run broken.toml
err| error[G001]
err|
err|   × not valid TOML: unclosed array, expected `]`
err|    ╭─[broken.toml:1:12]
err|  1 │ players = [
err|    ·            ▲
err|    ╰────
err|   help: text stands in quotes, lists in [ ], tables in { }; see https://toml.io
exit 1
",
    );
}

#[test]
fn wrong_use_ends_with_two() {
    let folder = Folder::with_game("usage", "");
    folder.check(
        "run nowhere.toml",
        "
$ trencavel run nowhere.toml
err| error: nowhere.toml cannot be read: No such file or directory (os error 2)
err|   help: name a file that is there, or a game that came with the program: base, constable, kitchen-sink
exit 2
",
    );
    folder.check(
        "run game.toml --option tiny_city=2",
        "
$ trencavel run game.toml --option tiny_city=2
err| error: `tiny_city=2` is not of the form `expansion.option=value`
err|   help: write for example `--option base.farmers=false`
exit 2
",
    );
    folder.check(
        "explain G02",
        "
$ trencavel explain G02
err| error: there is no code `G02`
err|   help: did you mean G002? a code stands in brackets at the beginning of a message
exit 2
",
    );
    folder.check(
        "dance",
        "
$ trencavel dance
err| error: unrecognized subcommand 'dance'
err|
err| Usage: trencavel <COMMAND>
err|
err| For more information, try '--help'.
exit 2
",
    );
}

#[test]
fn codes_are_explained() {
    let folder = Folder::new("codes");
    folder.check(
        "explain g005",
        "\n$ trencavel explain g005\nout| G005\nout|\nout| A game has one to six players.\nexit 0\n",
    );
    for code in ["M030", "T001", "C001", "C004"] {
        assert!(folder.print(&format!("explain {code}")).len() > 40);
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    let folder = Folder::new("help");
    for command in ["", "run", "replay", "explain", "bench", "perft", "seek"] {
        let help = folder.print(&format!("{command} --help"));
        assert!(help.contains("Example: trencavel "), "{help}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly_and_the_save_is_written() {
    let folder = Folder::with_game("pipe", "");
    let mut child = folder
        .command("run game.toml --save game.replay")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    assert!(Path::new(&folder.0.join("game.replay")).is_file());
}

#[test]
fn games_are_measured() {
    let folder = Folder::with_game("bench", "");
    let check = |line: &str| line_after(&folder.print(line), "check: ").to_owned();
    assert_eq!(check("bench --games 3 game.toml"), check("bench --games 3 --seed 7"), "the same work");
    assert!(folder.print("bench --games 2 --json").starts_with("{\"games\": 2, \"decisions\": "));
}

#[test]
fn a_seed_is_sought() {
    let folder = Folder::with_game("seek", "");
    let seed = folder.print("seek game.toml --event returned:scored --event deployed:follower --ledger tiles");
    assert!(seed.trim().parse::<u64>().is_ok_and(|seed| seed >= 7), "{seed}");
    let nothing = folder.output("seek game.toml --event eaten --limit 2");
    assert_eq!((nothing.status.code(), text(&nothing.stdout)), (Some(1), "none of 2 seeds from 7 on\n".to_owned()));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the folder of the workspace")
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_tree(&from, &to);
        } else {
            fs::copy(from, to).expect("a copy");
        }
    }
}

/// A folder with what the commands of the README name: the examples and the scripts.
fn like_the_workspace(test: &str) -> Folder {
    let folder = Folder::new(test);
    for name in ["examples", "scripts"] {
        copy_tree(&root().join(name), &folder.0.join(name));
    }
    folder
}

/// When rules change and this fails: `trencavel seek examples/constable.toml --event deployed:constable --event
/// returned:arrested --ledger wells --ledger "linked city tiles"` prints the next seed for the example.
#[test]
fn the_example_shows_what_the_constable_does() {
    let folder = like_the_workspace("constable");
    let told = folder.print("run examples/constable.toml");
    assert_eq!(told, folder.print("run examples/constable.toml"), "the same game again");
    assert!(told.contains("; deploy constable road"), "no constable is deployed:\n{told}");
    assert!(told.contains("(arrested)"), "no road is swept:\n{told}");
    let scored = told.lines().find(|line| line.starts_with("  turn ") && line.contains("linked city tiles "));
    let scored = scored.unwrap_or_else(|| panic!("no linked city is scored:\n{told}"));
    assert!(scored.contains("scripts/constable/rules.lua:"), "{scored}");
    assert!(told.contains("wells: scripts/wells/rules.lua:"), "no wells are scored:\n{told}");
}

/// The README's commands, one after the other in one folder.
#[test]
fn the_readme_commands_run() {
    let folder = like_the_workspace("readme");
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    // Every second part lies between the marks of a block.
    let blocks = readme.split("```").skip(1).step_by(2);
    let mut commands = 0;
    for line in blocks.flat_map(str::lines) {
        let from_source = line.strip_prefix("cargo run --release -- ");
        let Some(line) = from_source.or_else(|| line.strip_prefix("trencavel ")) else { continue };
        commands += 1;
        if line.starts_with("play") {
            check_serves(&folder, line);
            continue;
        }
        let output = folder.output(line);
        assert!(output.status.success(), "{}", framed(line, &output));
    }
    assert!(commands >= 5, "{commands} commands");
}

/// A page is served until somebody ends it; without a terminal, a game in the terminal gets as far as asking for one.
fn check_serves(folder: &Folder, line: &str) {
    if line.contains("--tty") {
        let told = text(&folder.output(line).stderr).to_string();
        assert!(told.starts_with("error: `--tty` needs a terminal"), "trencavel {line}: {told}");
        return;
    }
    let mut command = folder.command(line);
    let mut child = command.arg("--no-open").stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut told = String::new();
    let out = child.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut told).expect("a line");
    // It may have ended by itself.
    let _ = child.kill();
    child.wait().expect("it ends");
    assert!(told.starts_with("playing on http://127.0.0.1:"), "trencavel {line}: {told}");
}

/// How many tiles are drawn: those of the stack and the ones that are placed.
#[test]
fn a_box_can_be_used_more_than_once() {
    let turns = |copies: u32| {
        let folder = Folder::with_game("copies", &format!("[expansions]\nthe-tower = {{ copies = {copies} }}"));
        folder.print("run game.toml --quiet --save game.replay");
        let start = folder.print("replay game.replay --at 0");
        let (before, _) = start.split_once(" tiles to draw").expect("the state tells how many tiles are left");
        before.rsplit(' ').next().and_then(|word| word.parse::<u32>().ok()).expect("a number")
    };
    assert_eq!(turns(2), turns(1) + 18, "the box has 18 tiles");
}

/// What the save does not name stays off, whatever a box in it includes.
#[test]
fn a_save_without_a_part_of_a_box_is_played_back() {
    for part in ["inn", "cathedral", "big-follower"] {
        let folder = Folder::with_game("part", &format!("[expansions]\ninns-and-cathedrals = true\n{part} = false"));
        let output = folder.output("run game.toml --quiet --save game.replay");
        let printed = text(&output.stdout);
        let replayed = folder.print("replay game.replay");
        assert_eq!(line_after(&replayed, "digest: "), line_after(&printed, "digest: "), "without {part}");
    }
}
