//! Native libraries: the same games as scripts, and a clear error for whatever is wrong with one.

mod libraries;

use std::fs;
use std::sync::Arc;

use libraries::{Folder, wells_in_c, wells_in_rust};
use trencavel_host::lock::ContentHash;
use trencavel_host::{Loaded, amnesia};
use trencavel_play::bots;
use trencavel_play::scenario;
use trencavel_rules::hooks::Scripts;
use trencavel_rules::{Game, ledger, notation};
use trencavel_tests::loading::{players, rules_of, scripts_of};
use trencavel_tests::{files_below, root};

/// A game with its bots, and everything there is to compare of it.
fn play(loaded: &Loaded, scripts: &mut dyn Scripts, seed: u64) -> Vec<String> {
    let count = 2 + seed as usize % 4;
    let mut game = Game::from_setup(loaded.rules.clone(), &players(count, seed), scripts).expect("a game");
    let mut bots = bots::random_table(seed, count);
    let mut story = Vec::new();
    while !game.state().is_over() {
        let action = bots[game.state().decider().index()].choose(&game, scripts);
        story.push(notation::action(game.rules(), game.state(), action));
        game.apply(action, scripts).expect("an offered action");
        story.push(format!("{:?}", game.state().digest()));
    }
    // The same rule stands in another file and line of each.
    let hooks =
        game.rules().hooks().filter(|(_, hook)| hook.name.starts_with("odd:") || hook.name.starts_with("wells:"));
    let sources = hooks.filter_map(|(_, hook)| hook.source.as_ref());
    let mut places: Vec<String> = sources.map(|source| format!("{}:{}", source.file, source.line)).collect();
    // `rules.lua:1` begins `rules.lua:12`.
    places.sort_by_key(|place| std::cmp::Reverse(place.len()));
    let line = |line: &ledger::Line| {
        let words = ledger::words(game.rules(), game.state(), line);
        let words = places.iter().fold(words, |words, place| words.replace(place, "here"));
        format!("{} {words}", notation::letter(line.player))
    };
    story.extend(game.state().lines().iter().map(line));
    story
}

/// Two games must be the same; else the first difference is shown.
#[track_caller]
fn check_same(one: &[String], other: &[String], seed: u64) {
    let place = one.iter().zip(other).position(|(a, b)| a != b);
    let place = place.unwrap_or(one.len().min(other.len()));
    assert_eq!(one.get(place), other.get(place), "seed {seed}, line {place} of {} and {}", one.len(), other.len());
}

#[test]
fn scripts_and_libraries_play_the_same_games() {
    for others in [&["wells"][..], &["wells", "inns-and-cathedrals"]] {
        let script = rules_of(others);
        let (rust, c) = (wells_in_rust(), wells_in_c());
        let natives =
            [&rust, &c].map(|folder| folder.load(others).unwrap_or_else(|problems| panic!("{}", problems[0])));
        let mut hosts = [&script, &natives[0], &natives[1]].map(scripts_of);
        let mut wells = 0;
        for seed in 0..250 {
            let story = play(&script, &mut hosts[0], seed);
            check_same(&play(&natives[0], &mut hosts[1], seed), &story, seed);
            check_same(&play(&natives[1], &mut hosts[2], seed), &story, seed);
            wells += story.iter().filter(|line| line.contains("wells")).count();
        }
        assert!(wells > 500, "wells were counted {wells} times");
    }
}

#[test]
fn every_function_of_the_table_does_what_scripts_do() {
    let script = Folder::in_lua(include_str!("libraries/busy.lua"));
    let library = Folder::in_c(include_str!("libraries/busy.c"));
    for ids in [&["odd"][..], &["odd", "wells"], &["odd", "odd.height=5"]] {
        let loaded =
            [&script, &library].map(|folder| folder.load(ids).unwrap_or_else(|problems| panic!("{}", problems[0])));
        let mut hosts = [0, 1].map(|place| scripts_of(&loaded[place]));
        let pail = loaded.each_ref().map(|loaded| loaded.rules.hooks().any(|(_, hook)| &*hook.name == "odd:pail"));
        assert_eq!(pail, [ids.len() > 1; 2], "{ids:?}");
        let mut words = String::new();
        for seed in 0..40 {
            let story = play(&loaded[0], &mut hosts[0], seed);
            check_same(&play(&loaded[1], &mut hosts[1], seed), &story, seed);
            words += &story.join("\n");
        }
        for met in ["size", "crowd", "gift", "choose sad", "choose glad", "choose 2", "call"] {
            assert!(words.contains(met), "no {met}");
        }
        let refused = loaded.each_ref().map(far_away);
        assert!(refused[0].contains("too far for player 1"), "{}", refused[0]);
        assert_eq!(refused[0], refused[1]);
    }
}

/// What is said of a tile that is too far east.
fn far_away(loaded: &Loaded) -> String {
    let mut scripts = scripts_of(loaded);
    let mut game = Game::from_setup(loaded.rules.clone(), &players(2, 1), &mut scripts).expect("a game");
    let text = notation::action(game.rules(), game.state(), game.legal_actions()[0]);
    let tile = text.split(' ').nth(1).expect("a tile");
    let action = notation::parse(&game, &format!("place {tile} 9,0 r0")).expect("an action");
    let refusals = game.refusals(action, &mut scripts).expect("no failure");
    refusals.iter().map(|refusal| refusal.text.as_str()).collect::<Vec<_>>().join("; ")
}

#[test]
fn libraries_fulfil_the_scenarios_of_the_script() {
    let tiles = fs::read_to_string(root().join("scripts/wells/tiles.toml")).expect("the tiles");
    for folder in [wells_in_rust(), wells_in_c()] {
        assert_eq!(fs::read_to_string(folder.0.join("tiles.toml")).expect("the tiles"), tiles);
        for file in files_below(&root().join("scripts/wells/tests"), "toml") {
            let load = |wanted: &scenario::Wanted| {
                assert!(wanted.options.is_empty(), "these scenarios have no options");
                let ids: Vec<&str> = wanted.expansions.iter().map(String::as_str).collect();
                let loaded = folder.load(&ids).map_err(|problems| problems[0].to_string())?;
                let scripts = loaded.scripts().map_err(|problem| problem.to_string())?;
                Ok((Arc::clone(&loaded.rules), Box::new(scripts) as Box<dyn Scripts>))
            };
            scenario::run_file(&file, &load).unwrap_or_else(|failure| panic!("{failure}"));
        }
    }
}

#[test]
fn libraries_keep_nothing_and_are_part_of_the_lock() {
    let (rust, c) = (wells_in_rust(), wells_in_c());
    let [one, other] = [&rust, &c].map(|folder| folder.load(&["wells"]).expect("rules"));
    let first = |game: &Game| Some(game.state().decisions() as usize % game.legal_actions().len());
    amnesia(&one, &players(2, 5), 60, first).expect("a library without a memory");
    assert_ne!(one.lock, other.lock, "another library is another content");
    let names: Vec<&str> =
        one.rules.hooks().map(|(_, hook)| &*hook.name).filter(|name| name.contains("wells")).collect();
    assert!(names.contains(&"wells:wells"), "{names:?}");
}

#[test]
fn only_trusted_content_runs() {
    let folder = wells_in_c();
    let bytes = fs::read(folder.library()).expect("the library");
    let hash = ContentHash::of_bytes(&bytes);
    let text = folder.load_trusting(&["wells"], &[]).expect_err("a problem")[0].to_string();
    assert!(text.contains("N001") && text.contains(&hash.to_string()) && text.contains("--trust"), "{text}");
    folder.load_trusting(&["wells"], &[hash]).expect("rules");
    fs::write(folder.library(), [&bytes[..], b"\0"].concat()).expect("a changed library");
    let text = folder.load_trusting(&["wells"], &[hash]).expect_err("a problem")[0].to_string();
    assert!(text.contains("N001"), "{text}");
}

/// A library that has its own way to declare, and one function.
fn odd(before: &str, declare: &str) -> Folder {
    Folder::in_c(&format!(
        "#include \"trencavel.h\"\n\
         #define TEXT(literal) ((TrvText){{(const uint8_t *)(literal), sizeof(literal) - 1}})\n{before}\n\
         static TrvStatus declare(const TrvHost *host, TrvCall call) {{ (void)host; (void)call; {declare} }}\n\
         __attribute__((visibility(\"default\"))) const TrvPlugin trencavel_plugin = {{\n\
           TRV_MAGIC, sizeof(TrvPlugin), TRV_ABI_MAJOR, TRV_ABI_MINOR, declare}};\n"
    ))
}

/// The same, exporting what is given under the name of the symbol.
fn exporting(symbol: &str) -> Folder {
    Folder::in_c(&format!(
        "#include \"trencavel.h\"\n#define SHOWN __attribute__((visibility(\"default\")))\n\
         TrvStatus nothing(const TrvHost *host, TrvCall call);\n\
         TrvStatus nothing(const TrvHost *host, TrvCall call) {{ (void)host; (void)call; return TRV_OK; }}\n{symbol}\n"
    ))
}

#[test]
fn libraries_of_another_abi_are_refused() {
    let plugin = |fields: &str| exporting(&format!("SHOWN const TrvPlugin trencavel_plugin = {{{fields}}};"));
    plugin("TRV_MAGIC, sizeof(TrvPlugin), 99, 3, nothing").check_refused("N006", &["ABI 99.3", "has 1.0", "odd"]);
    plugin("TRV_MAGIC, sizeof(TrvPlugin), 1, 1, nothing").check_refused("N006", &["ABI 1.1", "has 1.0"]);
    plugin("TRV_MAGIC, 8, 1, 0, nothing").check_refused("N005", &["8 bytes"]);
    plugin("TRV_MAGIC + 1, sizeof(TrvPlugin), 1, 0, nothing").check_refused("N005", &["something else"]);
    plugin("TRV_MAGIC, sizeof(TrvPlugin), 1, 0, NULL").check_refused("N007", &["null", "declare"]);
    exporting("").check_refused("N005", &["exports no `trencavel_plugin`"]);
    exporting("int nowhere_at_all(void); SHOWN int other(void); int other(void) { return nowhere_at_all(); }")
        .check_refused("N004", &["nowhere_at_all"]);
    let whole = plugin("TRV_MAGIC, sizeof(TrvPlugin), TRV_ABI_MAJOR, TRV_ABI_MINOR, nothing");
    whole.load(&["odd"]).expect("rules of a library that declares nothing");
}

#[test]
fn files_that_are_no_whole_library_are_refused() {
    let folder = exporting("");
    let library = folder.library();
    let whole = fs::read(&library).expect("the library");
    let check = |bytes: &[u8], words: &[&str]| {
        fs::write(&library, bytes).expect("a place to write");
        folder.check_refused("N003", words);
    };
    check(b"", &["no library"]);
    check(b"not a library at all", &["no library"]);
    check(b"!<arch>\n", &["no library"]);
    check(b"MZ\x90\0\x03", &["is built for Windows; this program runs on", std::env::consts::OS]);
    for magic in [0xfeed_face_u32, 0xfeed_facf] {
        check(&magic.to_le_bytes(), &["is built for macOS"]);
        check(&magic.to_be_bytes(), &["is built for macOS"]);
    }
    check(b"\xca\xfe\xba\xbe\0\0\0\x02", &["is built for macOS"]);
    check(b"\0asm\x01\0\0\0", &["is built for WebAssembly"]);
    for length in (4..whole.len()).step_by(whole.len() / 60).chain([whole.len() - 1]) {
        check(&whole[..length], &["is cut off"]);
    }
    let changed = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let (machine, name) = if cfg!(target_arch = "aarch64") { (62, "x86_64") } else { (183, "aarch64") };
    check(&changed(18, machine), &["is built for", name, std::env::consts::ARCH]);
    check(&changed(18, 77), &["processor number 77"]);
    check(&changed(4, 3 - whole[4]), &["is built for"]);
    check(&changed(5, 3 - whole[5]), &["is built for"]);
    check(&changed(16, 2), &["no library"]);
    // A table of sections beyond the end of the file, or so far that its end has no number.
    check(&changed(47, 0x7f), &["is cut off"]);
    check(&changed(39, 0xff), &["is cut off"]);
    fs::remove_file(&library).expect("the library");
    folder.check_refused("N002", &["cannot be read"]);
    fs::create_dir(&library).expect("a folder");
    folder.check_refused("N002", &["not a plain file"]);
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_refused() {
    // Build output is no part of an expansion's texts, so nothing has looked at its links before.
    let (inside, outside) = (exporting(""), exporting(""));
    let manifest = inside.0.join("expansion.toml");
    let text = fs::read_to_string(&manifest).expect("the manifest").replace("lib/odd", "target/odd");
    fs::write(&manifest, text).expect("a place to write");
    let target = inside.0.join("target");
    fs::create_dir(&target).expect("a place to write");
    let link = target.join(outside.library().file_name().expect("a name"));
    std::os::unix::fs::symlink(outside.library(), link).expect("a link");
    inside.check_refused("N002", &["link out of the folder"]);
}

#[test]
fn what_cannot_be_declared_is_refused() {
    let check = |declare: &str, words: &[&str]| odd("", declare).check_refused("N007", words);
    let declaring =
        |fields: &str, ending: &str| format!("const TrvDeclaration one = {{.size = sizeof one, {fields}}}; {ending}");
    let known = ".kind = TEXT(\"items\"), .id = TEXT(\"lamps\")";
    let returned = "return host->declare(call, &one);";
    check("return host->declare(call, NULL);", &["the declaration is null"]);
    check("return 77;", &["status 77"]);
    check("return TRV_PANICKED;", &["panicked"]);
    check("return host->fail(call, TEXT(\"too hot\"));", &["`odd`", "too hot"]);
    check("return host->fail(call, (TrvText){NULL, 3});", &["is null"]);
    check("return host->answer(call, 1);", &["is for hooks"]);
    check("return host->option(call, TEXT(\"height\"), NULL);", &["the result of `option`", "null"]);
    check("TrvText out; return host->option(call, TEXT(\"hight\"), &out);", &["`hight`", "height"]);
    check("int64_t out; return host->active(call, TEXT(\"inns\"), &out);", &["does not name `inns`"]);
    check(&declaring(".kind = TEXT(\"itmes\"), .id = TEXT(\"x\")", returned), &["`itmes`", "items"]);
    check(&declaring(".kind = {NULL, 5}, .id = TEXT(\"x\")", returned), &["the kind of a declaration", "null"]);
    check(&declaring(".kind = {(const uint8_t *)\"\\xff\", 1}", returned), &["no text in UTF-8"]);
    check(&declaring(&format!("{known}, .fields = TEXT(\"unit = = 1\")"), returned), &["items \"lamps\"", "no TOML"]);
    check(&declaring(&format!("{known}, .fields = TEXT(\"unit = 0.5\")"), returned), &["`unit`", "0.5"]);
    check(&declaring(&format!("{known}, .fields = TEXT(\"unit = 1979-05-27\")"), returned), &["the date"]);
    check(&declaring(&format!("{known}, .functions = NULL, .function_count = 2"), returned), &["functions", "null"]);
    // Whatever a library makes of a refusal, it stays refused.
    check(
        &declaring(&format!("{known}, .function_count = SIZE_MAX"), "host->declare(call, &one); return TRV_OK;"),
        &["null"],
    );
    let null = "const TrvFunction none[] = {{TEXT(\"count\"), NULL}};";
    let with_null = format!("{known}, .functions = none, .function_count = 1");
    check(&format!("{null}{}", declaring(&with_null, returned)), &["the function `count` is null"]);
    check("const TrvDeclaration one = {.size = 4}; return host->declare(call, &one);", &["4 bytes"]);
    // What is wrong by its meaning is said with the place that the library gave.
    let meaning = format!(
        "{known}, .file = TEXT(\"odd.c\"), .line = 7, .fields = TEXT(\"of = 'raod'\\nunit = 1\\ncount = 'tiles'\")"
    );
    let problems = odd("", &declaring(&meaning, returned)).load(&["odd"]).expect_err("a problem");
    let text = problems[0].to_string();
    assert!(text.contains("raod") && text.contains("odd.c:7"), "{text}");
}

/// The first placement must fail with these words and change nothing, and so must the next.
#[track_caller]
fn check_fails(folder: &Folder, words: &[&str]) {
    let loaded = folder.load(&["odd"]).unwrap_or_else(|problems| panic!("{}", problems[0]));
    let mut scripts = scripts_of(&loaded);
    let mut game = Game::from_setup(loaded.rules.clone(), &players(2, 1), &mut scripts).expect("a game");
    let before = game.state().digest();
    for action in game.legal_actions().iter().copied().take(2).collect::<Vec<_>>() {
        let text = game.apply(action, &mut scripts).expect_err("a failure").to_string();
        assert!(text.contains("odd: react \"trip\""), "{text}");
        words.iter().for_each(|word| assert!(text.contains(word), "no `{word}`: {text}"));
        assert_eq!(game.state().digest(), before, "nothing happened");
    }
}

#[test]
fn functions_that_misuse_the_host_cost_one_action() {
    let check = |run: &str, words: &[&str]| {
        let before = format!(
            "static TrvCall kept; static TrvStatus run(const TrvHost *host, TrvCall call) {{ (void)kept; (void)host; {run} }}"
        );
        let declare = "kept = call; const TrvFunction functions[] = {{TEXT(\"run\"), run}};\n\
                       const TrvDeclaration one = {.size = sizeof one, .kind = TEXT(\"react\"), .id = TEXT(\"trip\"),\n\
                       .fields = TEXT(\"on = 'placed'\\nemits = ['put']\"), .functions = functions, .function_count = 1};\n\
                       return host->declare(call, &one);";
        check_fails(&odd(&before, declare), words);
    };
    check("(void)call; return 5;", &["status 5"]);
    check("(void)call; return TRV_PANICKED;", &["panicked"]);
    check("return host->thing(call, TrvThing_NOTHING, TRV_TILE, NULL);", &["the result of `thing`", "null"]);
    check("host->number(call, TrvThing_NOTHING, 999, (int64_t *)3); return TRV_OK;", &["not a valid place"]);
    check("int64_t out; return host->number(call, TrvThing_NOTHING, 999, &out);", &["no number 999"]);
    check(
        "int64_t out; return host->marks(call, (TrvThing){TRV_FEATURE, 4000, 0}, TEXT(\"x\"), &out);",
        &["a feature 4000"],
    );
    check("int64_t out; return host->number(call, (TrvThing){TRV_TILE, -1, 0}, TRV_X, &out);", &["a tile -1"]);
    check("int64_t out; return host->number(call, (TrvThing){TRV_PLAYER, 3, 0}, TRV_SCORE, &out);", &["no player 3"]);
    check(
        "TrvText out; return host->word(call, (TrvThing){TRV_FIGURE, 9999, 0}, TRV_KIND_WORD, &out);",
        &["a figure 9999"],
    );
    check("size_t count; return host->figures(call, (TrvThing){77, 0, 0}, NULL, 4, &count);", &["unknown kind"]);
    check("return host->figures(call, TrvThing_NOTHING, NULL, 0, NULL);", &["the result of `figures`"]);
    check("return host->answer(call, 1);", &["only `count` and `test`"]);
    check("return host->answer_text(call, TEXT(\"yes\"));", &["only `say`"]);
    check("return host->add(call, TEXT(\"x\"), 1, 1);", &["only `items`"]);
    check("return host->offer(call, TrvThing_NOTHING);", &["only `options`"]);
    check("return host->cancel(call);", &["only a `replace`"]);
    check("return host->emit(call, TEXT(\"pay\"), NULL, 0);", &["`pay` is not among the `emits`"]);
    check("return host->emit(call, TEXT(\"put\"), NULL, 2);", &["the list of fields", "null"]);
    check("return host->emit(call, TEXT(\"put\"), NULL, 0);", &["`put` needs the field"]);
    check("return host->emit(call, (TrvText){NULL, 3}, NULL, 0);", &["a verb is null"]);
    check("return host->ask(call, TEXT(\"who\"), TrvThing_NOTHING, NULL);", &["who"]);
    check("return host->declare(call, NULL);", &["`declare` is for `declare`"]);
    check("(void)call; return host->answer(kept, 1);", &["a call that is over"]);
}

#[test]
fn panics_in_rust_cost_one_action() {
    let folder = Folder::in_rust("odd.rs");
    folder.check_refused_with(&["odd", "odd.height=5"], "N007", &["the library panicked", "height 5"]);
    check_fails(&folder, &["the library panicked: tripped over tile"]);
}
