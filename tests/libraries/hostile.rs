//! A library that does what it must not, as far as a process can live with it: null and other places that are none,
//! texts and lists without end, structs that are too short, calls that are over, things that are not there.
//!
//! `FUZZ_SECONDS=600 cargo test -p trencavel-tests --test native --release hostile` goes on for so long.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use trencavel_host::diagnostic::Diagnostic;
use trencavel_host::library::Library;
use trencavel_host::lock::ContentHash;
use trencavel_host::resolve::Request;
use trencavel_host::{Forgot, Loaded, amnesia, codes, load};
use trencavel_rules::Game;
use trencavel_tests::dice::Dice;
use trencavel_tests::fuzzing::campaign;
use trencavel_tests::loading::{BASE, two_players};
use trencavel_tests::root;

use super::Folder;

/// Says to a process that it is the one that may die.
const CHILD: &str = "TRENCAVEL_HOSTILE_CHILD";
/// Bytes of a plan.
const PLAN: usize = 1024;
const ROUNDS: u64 = 300;
/// Decisions of each game.
const DECISIONS: usize = 8;

#[test]
fn hostile_libraries_cost_an_action_or_their_game() {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "libraries::hostile::child", "--nocapture"]).env(CHILD, "1").stdin(Stdio::null());
    let output = command.output().expect("a child");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let last = out.lines().rfind(|line| line.starts_with("round ")).unwrap_or("no round");
    assert!(output.status.success(), "{}, after {last}: {err}", output.status);
    assert!(out.contains("both ends were met"), "{last}");
}

/// Does nothing unless the test above has started it.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let plan = std::env::temp_dir().join(format!("trencavel-plan-{}", std::process::id()));
    let source = include_str!("hostile.c");
    let folder = Folder::in_c(&format!("#define PLAN {plan:?}\n#define PLAN_SIZE {PLAN}\n{source}"));
    let library = library(&folder);
    let (mut round, mut refused, mut played) = (0, 0, 0);
    campaign("hostile", ROUNDS, |dice| {
        round += 1;
        say(&format!("round {round}"));
        let bytes: Vec<u8> = (0..PLAN).map(|_| dice.below(256) as u8).collect();
        fs::write(&plan, bytes).expect("a place to write");
        let story = play(&library);
        assert_eq!(play(&library), story, "the same plan is another story");
        match story {
            Ok(story) => played += usize::from(story.len() > DECISIONS),
            Err(_) => refused += 1,
        }
    });
    // What is left behind harms nobody.
    let _ = fs::remove_file(&plan);
    let met = if refused > ROUNDS / 10 && played > 10 { "both ends were met" } else { "one end was hardly met" };
    say(&format!("{met}: {refused} refused, {played} played, in {round} rounds"));
}

/// A line of its own, whatever the test runner has written; it is there even if the process dies.
fn say(line: &str) {
    writeln!(std::io::stdout(), "\n{line}").expect("somebody reads");
}

fn library(folder: &Folder) -> Library {
    let folders = [folder.0.clone(), root().join("scripts/wells")];
    let mut library = Library::new(&folders, &[], &[BASE.linked]);
    library.trust(ContentHash::of_bytes(&fs::read(folder.library()).expect("the library")));
    library
}

/// What comes of the plan: why it is refused, or what happens in a game.
fn play(library: &Library) -> Result<Vec<String>, Vec<String>> {
    let mut request = Request::default();
    ["odd", "wells"].iter().for_each(|id| request.with(id));
    let loaded = load(&request, library, &[BASE]).map_err(|problems| problems.iter().map(told).collect::<Vec<_>>())?;
    let story = game(&loaded).unwrap_or_else(|problem| vec![problem]);
    let first = |game: &Game| game.legal_actions().len().checked_sub(1);
    if let Err(forgot @ Forgot::Differs { .. }) = amnesia(&loaded, &two_players(3), DECISIONS, first) {
        panic!("{forgot}");
    }
    Ok(story)
}

fn told(problem: &Diagnostic) -> String {
    let text = problem.to_string();
    assert!(codes().any(|(code, _)| code == problem.code) && !problem.message.is_empty(), "{text}");
    assert!(!text.contains("that is a bug"), "{text}");
    text
}

/// A short game. A hook that fails costs one action and changes nothing.
fn game(loaded: &Loaded) -> Result<Vec<String>, String> {
    let mut scripts = loaded.scripts().map_err(|problem| told(&problem))?;
    let mut game = Game::from_setup(loaded.rules.clone(), &two_players(3), &mut scripts).map_err(|e| e.to_string())?;
    let (mut dice, mut story) = (Dice::new(5), Vec::new());
    while story.len() < 2 * DECISIONS {
        let Some(action) = dice.pick(game.legal_actions()) else { break };
        let before = (game.state().digest(), game.legal_actions().to_vec());
        if let Err(error) = game.apply(action, &mut scripts) {
            let text = error.to_string();
            assert!(!text.contains("that is a bug") && text.len() < 4000, "{text}");
            assert_eq!((game.state().digest(), game.legal_actions().to_vec()), before, "{text}");
            story.push(text);
        }
        story.push(format!("{:?}", game.state().digest()));
    }
    Ok(story)
}

/// A library whose header was damaged after it was built, but is trusted: it is refused, or the system's own loader ends
/// the process. Nothing of this program panics.
#[test]
fn damaged_libraries_are_refused_or_left_to_the_system() {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "libraries::hostile::damaged", "--nocapture"]).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse::<u64>().ok());
    let end = seconds.map(|seconds| std::time::Instant::now() + std::time::Duration::from_secs(seconds));
    let mut seed = 0;
    while seed < 40 || end.is_some_and(|end| std::time::Instant::now() < end) {
        let child = command.env(CHILD, seed.to_string()).spawn().expect("a child");
        let id = child.id();
        let output = child.wait_with_output().expect("the child ends");
        clear_after(id);
        let err = String::from_utf8_lossy(&output.stderr);
        // The system's loader ends with 127 or a signal, a panic with 101.
        assert!(matches!(output.status.code(), None | Some(0 | 127)), "seed {seed}: {}: {err}", output.status);
        seed += 1;
    }
}

/// Removes what a process that was ended could not remove itself.
fn clear_after(process: u32) {
    let own = [format!("trencavel-{process}-"), format!("trencavel-test-{process}-")];
    for entry in fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        if own.iter().any(|begin| entry.file_name().to_string_lossy().starts_with(begin)) {
            // What is left behind harms nobody.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Does nothing unless the test above has started it.
#[test]
fn damaged() {
    let Some(seed) = std::env::var(CHILD).ok().and_then(|seed| seed.parse().ok()) else { return };
    let folder = super::wells_in_rust();
    let whole = fs::read(folder.library()).expect("the library");
    let mut dice = Dice::named(seed, "damaged");
    for _ in 0..8 {
        let mut bytes = whole.clone();
        for _ in 0..=dice.below(3) {
            let at = dice.below(64.min(bytes.len()));
            bytes[at] = [0, 1, 255, dice.below(256) as u8][dice.below(4)];
        }
        if dice.below(3) == 0 {
            bytes.truncate(dice.below(bytes.len()));
        }
        fs::write(folder.library(), &bytes).expect("a place to write");
        if let Err(problems) = folder.load(&["wells"]) {
            problems.iter().for_each(|problem| drop(told(problem)));
        }
    }
}
