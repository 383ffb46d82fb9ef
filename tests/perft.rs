//! Counts of legal play: the engine against the naive reference, and against lists.

use std::sync::Arc;

use trencavel_play::perft::{self, Counts, Names, PerftOptions, Summary, count_turns};
use trencavel_play::scenario::Wanted;
use trencavel_rules::tile::TileSpec;
use trencavel_rules::{Game, Setup};
use trencavel_tests::loading::{loaded, loader, scripts_of, two_players};
use trencavel_tests::reference::{self, Laid, Naive, Specs, specs};
use trencavel_tests::root;

/// Every design of the base game is in one of these.
const STACKS: [&str; 12] = [
    "monastery city-three road-curve",
    "monastery-road city-caps-adjacent road",
    "city-cap-road city-full-pennant city-cap",
    "city-three-road-pennant city-corner road-curve",
    "city-three-road city-through city-cap-junction",
    "city-through-pennant city-corner-pennant road-crossing",
    "city-corner-road city-cap-curve-east road",
    "city-corner-road-pennant city-cap-curve-west road-junction",
    "city-three-pennant city-caps-opposite city-cap-curve-west",
    "city-corner-garden city-three-garden city-caps-opposite-garden",
    "city-cap-garden road-curve-garden road-garden",
    "city-caps-adjacent-garden city-corner-pennant-garden monastery",
];

fn check_stack(stack: &str, options: &[&str], followers: u8, specs: &Specs) {
    let wanted = Wanted { options: options.iter().map(ToString::to_string).collect(), ..Wanted::default() };
    check_counts(stack, &wanted, followers, 0, specs);
}

fn check_counts(stack: &str, wanted: &Wanted, followers: u8, constables: u8, specs: &Specs) {
    let loaded = loaded(wanted).unwrap_or_else(|problems| panic!("{problems}"));
    let (rules, mut scripts) = (&loaded.rules, scripts_of(&loaded));
    let tiles = stack.split(' ').map(|name| rules.tile_by_name(name).expect("the design exists")).collect();
    let setup = Setup { stack: Some(tiles), ask_forced: true, ..two_players(0) };
    let game = Game::from_setup(rules.clone(), &setup, &mut scripts).expect("two players can begin");
    let tiles: Vec<Arc<TileSpec>> = stack.split(' ').map(|name| specs[&format!("base:{name}")].clone()).collect();
    let start = rules.starts()[0];
    let spec = specs[&*rules.tile(start.tile).id].clone();
    let mut naive = Naive::new(Laid { spec, at: start.at, rotation: start.rotation }, 2, followers);
    naive.stock = vec![constables; 2];
    let mut expected = vec![[0; 4]; tiles.len()];
    reference::count_turns(&naive, &tiles, (1, 1), &mut expected);
    let found = count_turns(&game, tiles.len(), &mut scripts).expect("no hook fails");
    let columns =
        |counts: &Counts| [counts.placements_raw, counts.placements_merged, counts.turns_raw, counts.turns_merged];
    assert_eq!(found.iter().map(columns).collect::<Vec<_>>(), expected, "{stack}");
}

#[test]
fn the_engine_counts_what_the_reference_counts() {
    let specs = specs();
    STACKS.iter().for_each(|stack| check_stack(stack, &[], 7, &specs));
    check_stack("road road-curve city-cap road", &["base.followers=1"], 1, &specs);
}

/// Roads that cross and join again, so that constables come, sweep by joining and close roads to others.
#[test]
fn constables_are_counted() {
    let wanted = Wanted { expansions: vec!["constable".to_owned()], ..Wanted::default() };
    let specs = specs();
    for stack in ["road road-curve road", "road-junction road city-cap-road", "road road road road"] {
        check_counts(stack, &wanted, 7, 1, &specs);
    }
}

#[test]
fn every_design_of_the_base_game_is_counted() {
    let words: Vec<&str> = STACKS.iter().flat_map(|stack| stack.split(' ')).collect();
    for id in specs().keys().filter_map(|id| id.strip_prefix("base:")) {
        assert!(words.contains(&id), "{id} is in no stack");
    }
}

#[test]
fn lists_come_out_as_they_say() {
    let names = std::fs::read_to_string(root().join("tests/perft/setups.toml")).expect("the names are there");
    let names = Names::parse(&names).expect("the names can be read");
    let mut text = Vec::new();
    let summary = perft::run(&root().join("tests/perft"), PerftOptions::default(), &names, &loader, &mut text);
    let summary = summary.expect("the lists can be read");
    let text = String::from_utf8_lossy(&text);
    assert_eq!(summary, Summary { equal: summary.equal, ..Summary::default() }, "{text}");
    assert!(summary.equal > 0 && text.ends_with(&format!("{summary}\n")), "{text}");
}
