//! Bad scripts and exactly what their author reads: `bad_scripts/NAME.lua` gives `bad_scripts/NAME.txt`. Those whose
//! name begins with `play-` load and fail in a hook; then the game must be as before and go on without it. Those with
//! `check-` load, and a closer look finds what would fail. `UPDATE_GOLDEN=1` rewrites the texts.

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use common::{begin, choose, load_game, manifest, offered};
use trencavel_host::check::unlisted_verbs;
use trencavel_host::diagnostic::Diagnostic;
use trencavel_host::{Loaded, codes};
use trencavel_rules::{ActionError, notation};

const MORE: &str = "optional = { ghost = \"*\" }
[options.height]
default = 4
text = \"How high\"
[options.wings]
set = true
values = [\"left\", \"right\"]
default = [\"left\"]
text = \"Which wings\"
";

fn load_script(script: &str) -> Result<Loaded, Vec<Diagnostic>> {
    let manifest = manifest("mill", MORE);
    load_game("mill = true\n", &[("mill/expansion.toml", manifest.as_str()), ("mill/rules.lua", script)])
}

fn report(name: &str, script: &str) -> String {
    let texts = |problems: Vec<Diagnostic>| problems.iter().map(|problem| format!("{problem}\n")).collect::<Vec<_>>();
    let loaded = match load_script(script) {
        Err(problems) if !name.starts_with("play-") => return texts(problems).join("\n"),
        loaded => loaded.unwrap_or_else(|problems| panic!("{name} is refused: {}", problems[0])),
    };
    match name.split_once('-') {
        Some(("play", _)) => report_of_play(&loaded),
        Some(("check", _)) => texts(unlisted_verbs(&loaded, &BTreeSet::from(["mill"]))).join("\n"),
        _ => panic!("{name} is not refused"),
    }
}

/// The first deployment fails; the game is as before, and another choice is taken.
fn report_of_play(loaded: &Loaded) -> String {
    let (mut game, mut host) = begin(loaded, &["straight", "straight", "end"]);
    choose(&mut game, &mut host, "place straight 1,0 r0");
    let before = (game.state().digest(), offered(&game), game.answers().len());
    let action = notation::parse(&game, "deploy peon path").expect("an action");
    let error = game.apply(action, &mut host).expect_err("a fault");
    assert_eq!((game.state().digest(), offered(&game), game.answers().len()), before, "the game has changed");
    choose(&mut game, &mut host, "pass");
    choose(&mut game, &mut host, "place straight 2,0 r0");
    let ActionError::Hook(error) = error else { panic!("{error}") };
    let place = error.place.clone().map_or("nowhere".to_owned(), |(file, line)| format!("{file}:{line}"));
    let calls: String = error.traceback.iter().map(|call| format!("    {call}\n")).collect();
    format!("{}\n  {place}\n{calls}", error.message)
}

fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_scripts");
    let entries = std::fs::read_dir(folder).expect("the folder of bad scripts");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "lua"));
    paths.sort();
    paths
}

#[test]
fn bad_scripts_read_as_recorded() {
    let mut differ = Vec::new();
    for path in scripts() {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name in UTF-8");
        let script = std::fs::read_to_string(&path).expect("a text");
        let (found, golden) = (report(name, &script), path.with_extension("txt"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(golden, found).expect("a place to write");
        } else if std::fs::read_to_string(golden).unwrap_or_default() != found {
            differ.push(format!("{name}:\n{found}"));
        }
    }
    assert!(differ.is_empty(), "these read otherwise than recorded:\n\n{}", differ.join("\n"));
}

#[test]
fn a_loop_of_slips_ends() {
    let problems = load_script("while true do rules.mark(7) end").expect_err("a slip");
    assert_eq!(problems.len(), 1, "the same one a hundred times, and then the script ends");
    assert!(problems[0].message.contains("begins with its id"));
}

#[test]
fn every_code_of_scripts_has_an_input() {
    let texts: String =
        scripts().iter().filter_map(|path| std::fs::read_to_string(path.with_extension("txt")).ok()).collect();
    // These need a broken machine, several expansions, or a longer game.
    let elsewhere = ["L007", "L013", "D002", "D007", "D009"];
    for (code, _) in codes().filter(|(code, _)| code.starts_with(['D', 'L'])) {
        assert!(elsewhere.contains(&code) || texts.contains(&format!("error[{code}]")), "no bad script shows {code}");
    }
}
