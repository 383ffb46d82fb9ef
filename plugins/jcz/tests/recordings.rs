//! The recordings, read where they are; without them there is nothing to run.

mod support;

use std::path::PathBuf;

use trencavel_jcz::conformance::{Verdict, conformance, recordings};
use trencavel_jcz::file::Recording;
use trencavel_jcz::replay::import;
use trencavel_jcz::table::Table;

/// Whatever is not supported is named; all the rest plays as recorded. A folder without recordings is an error.
#[test]
fn recordings_play_as_recorded() {
    let Some(folder) = support::recordings() else { return };
    let mut shelf = support::Shelf::default();
    let report = conformance(&folder, None, &mut |request| shelf.ruleset(request), &mut |_| {});
    let report = report.expect("recordings");
    let failed = report.files.iter().filter(|file| file.verdict == Verdict::Fail);
    let bad: Vec<String> = failed.map(|file| file.line()).collect();
    assert!(bad.is_empty(), "{bad:#?}");
    assert!(report.passed > 0, "{}", report.sum());
}

#[test]
fn a_recording_becomes_a_save_of_ours() {
    let Some(folder) = support::recordings() else { return };
    let files = recordings(&folder).expect("a folder");
    let name = |path: &&PathBuf| path.to_string_lossy().contains("random-base");
    let Some(file) = files.iter().find(name) else { return };
    let text = std::fs::read_to_string(file).expect("a recording");
    let recording = Recording::parse(&text).expect("a recording");
    let table = Table::load().expect("the table");
    let (_, mut scripts) = support::ruleset(&table.request(&recording).expect("known")).expect("rules");
    let imported = import(&table, &recording, &mut |request| support::ruleset(request), scripts.as_mut());
    let imported = imported.expect("an import");
    let (read, torn) = trencavel_rules::save::Replay::parse(&imported.replay.to_string()).expect("a save");
    assert_eq!((torn, &read), (None, &imported.replay));
    let setup = read.setup(&imported.rules).expect("a setup");
    let mut game = trencavel_rules::Game::from_setup(imported.rules.clone(), &setup, scripts.as_mut()).expect("a game");
    read.play(&mut game, usize::MAX, scripts.as_mut()).expect("its answers");
    assert!(game.state().is_over());
}
