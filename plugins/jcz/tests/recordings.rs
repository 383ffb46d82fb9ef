//! The recordings, read where they are; without them there is nothing to run.

mod support;

use trencavel_jcz::conformance::{Verdict, conformance};
use trencavel_jcz::file::Recording;
use trencavel_jcz::replay::import;
use trencavel_jcz::table::Table;

/// Recordings of the base game alone: they hold whatever expansions do.
const BASE: [&str; 4] = ["random-base", "basic/city-and-road", "basic/farmers", "basic/field"];

#[test]
fn the_base_game_plays_as_recorded() {
    let Some(folder) = support::recordings() else { return };
    for filter in BASE {
        let report = conformance(&folder, Some(filter), &mut |request| support::ruleset(request), &mut |_| {});
        let report = report.expect("recordings");
        let bad: Vec<String> =
            report.files.iter().filter(|file| file.verdict != Verdict::Ok).map(|file| file.line()).collect();
        assert!(bad.is_empty(), "{bad:#?}");
    }
}

#[test]
fn a_recording_becomes_a_save_of_ours() {
    let Some(folder) = support::recordings() else { return };
    let text = std::fs::read_to_string(folder.join("random-play/random-base-01.jcz")).expect("a recording");
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
