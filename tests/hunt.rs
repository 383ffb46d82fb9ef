//! The hunt finds expansions that are broken on purpose, and makes each break small.

use std::path::{Path, PathBuf};
use std::process::Command;

use trencavel_play::scenario::format::Scenario;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the program: exit code and what it printed.
fn run(args: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trencavel"));
    // Nothing of the user's reaches the tests.
    command.env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME").env("HOME", "/nowhere");
    command.args(["hunt", "--path"]).arg(root().join("tests/broken")).args(args);
    let output = command.output().expect("the program runs");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().expect("it ends by itself"), text)
}

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("trencavel-hunt-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// How large a scenario may be.
struct Most {
    /// Answers in `play`.
    answers: usize,
    /// Tiles of the start layout.
    tiles: usize,
}

/// Hunts these expansions; the break must be of this rule, say this, need these expansions and options, and be small.
fn check(name: &str, args: &[&str], rule: &str, message: &str, needs: (&[&str], &[&str]), most: Most) {
    let out = folder(name);
    let file = out.join("broken-1.toml");
    let mut words = args.to_vec();
    let place = out.display().to_string();
    words.extend(["--out", &place]);
    let (code, told) = run(&words);
    assert_eq!(code, 1, "{told}");
    assert!(told.contains(&format!("BROKEN {rule}\n")) && told.contains(message), "{told}");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{error}: {told}"));
    let scenario = Scenario::parse(&text).unwrap_or_else(|problems| panic!("{problems:?}: {text}"));
    assert_eq!(scenario.wanted.expansions, needs.0, "{text}");
    assert_eq!(scenario.wanted.options, needs.1, "{text}");
    let answers: usize = scenario.play.iter().map(|turn| turn.answers.len()).sum();
    let tiles = scenario.start.as_ref().map_or(0, Vec::len);
    assert!(answers <= most.answers && tiles <= most.tiles, "{answers} answers, {tiles} tiles: {text}");
    let (code, again) = run(&["--scenario", &file.display().to_string()]);
    assert_eq!(code, 1, "the command that is told plays it again: {again}");
    assert!(again.contains(&format!("BROKEN {rule}\n")) && again.contains(message), "{again}");
    let _ = std::fs::remove_dir_all(&out);
}

#[test]
fn a_hook_that_fails() {
    let most = Most { answers: 2, tiles: 3 };
    check("fails", &["fails"], "no hook fails", "a feature has no `nothing`", (&["fails"], &[]), most);
}

#[test]
fn a_payment_that_causes_a_payment() {
    let most = Most { answers: 3, tiles: 3 };
    check("circles", &["circles"], "no hook fails", "circles:again", (&["circles"], &[]), most);
}

#[test]
fn a_hook_that_never_returns() {
    let most = Most { answers: 2, tiles: 2 };
    check("stuck", &["stuck"], "no hook fails", "stuck", (&["stuck"], &[]), most);
}

#[test]
fn a_script_that_remembers() {
    let most = Most { answers: 4, tiles: 3 };
    let rule = "what is taken back is as before";
    check("remembers", &["remembers"], rule, "comes out differently the second time", (&["remembers"], &[]), most);
}

#[test]
fn an_award_that_fails_at_the_end() {
    let most = Most { answers: 3, tiles: 2 };
    check("late", &["late"], "no hook fails", "late", (&["late"], &[]), most);
}

#[test]
fn a_question_without_an_end() {
    let most = Most { answers: 2, tiles: 2 };
    let args = ["wells", "endless", "--no-options", "--games", "2"];
    check("endless", &args, "the game ends", "it waits for endless:again", (&["endless"], &[]), most);
}

#[test]
fn one_value_of_one_option() {
    let most = Most { answers: 2, tiles: 2 };
    let args = ["optional-break", "wells", "--games", "12"];
    let needs: (&[&str], &[&str]) = (&["optional-break"], &["optional-break.style=odd"]);
    check("option", &args, "no hook fails", "must be a whole number", needs, most);
}

#[test]
fn two_expansions_that_are_fine_alone() {
    let most = Most { answers: 3, tiles: 5 };
    let args = ["wells", "left", "inn", "right", "--no-options", "--games", "8"];
    check("pair", &args, "no hook fails", "right", (&["left", "right"], &[]), most);
    let (code, told) = run(&["left", "--games", "3"]);
    assert_eq!(code, 0, "{told}");
    assert!(told.ends_with("3 games of 1 sets, 0 breaks\n"), "{told}");
}

#[test]
fn what_does_not_load() {
    let (code, told) = run(&["wells", "unreadable", "inn", "--games", "1"]);
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("levitate") && told.contains("smallest request: unreadable\n"), "{told}");
}

#[test]
fn the_same_whatever_the_number_of_threads() {
    let hunt = |threads: &str| {
        let out = folder("threads");
        let place = out.display().to_string();
        let told = run(&["fails", "optional-break", "--pairs", "--games", "6", "--threads", threads, "--out", &place]);
        let _ = std::fs::remove_dir_all(&out);
        told
    };
    assert_eq!(hunt("1"), hunt("3"));
}

#[test]
fn wrong_use_is_told() {
    let (code, told) = run(&["welsl"]);
    assert_eq!(code, 2);
    assert!(told.contains("did you mean `wells`?"), "{told}");
}
