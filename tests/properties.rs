//! What holds for every position: turning it turns what may be done, and the naive reference sees the same game.

use std::collections::BTreeSet;
use std::sync::Arc;

use trencavel_rules::hooks::NoScripts;
use trencavel_rules::ids::{FigureKindId, PlayerId, TileDefId};
use trencavel_rules::{Action, Game, Position, Rotation, Ruleset, Setup, Side, Start, seed};
use trencavel_tests::dice::Dice;
use trencavel_tests::incremental::{check_features, table_of};
use trencavel_tests::loading::{rules_of, two_players};
use trencavel_tests::reference::{Laid, Naive, Specs, specs};
use trencavel_tests::turning::{turned_action, turned_start};

/// The pack of the base game in an order of our own, the start tile taken out.
fn shuffled(rules: &Ruleset, seed: u64) -> Vec<TileDefId> {
    let mut tiles: Vec<TileDefId> =
        rules.copies().iter().flat_map(|copies| vec![copies.tile; usize::from(copies.count)]).collect();
    let start = tiles.iter().position(|tile| *tile == rules.starts()[0].tile).expect("the start tile is in the pack");
    tiles.swap_remove(start);
    let mut keyed: Vec<(u64, TileDefId)> =
        tiles.into_iter().enumerate().map(|(index, tile)| (seed::nth(seed, index as u64), tile)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, tile)| tile).collect()
}

fn begin(rules: &Arc<Ruleset>, setup: &Setup) -> Game {
    Game::from_setup(rules.clone(), setup, &mut NoScripts).expect("two players can begin")
}

/// Plays a random game and its turned twin side by side.
fn check_turned(rules: &Arc<Ruleset>, seed: u64, by: Rotation) {
    let setup = Setup { stack: Some(shuffled(rules, seed)), ..two_players(seed) };
    let starts: Vec<Start> = rules.starts().iter().map(|start| turned_start(*start, by)).collect();
    let mut game = begin(rules, &setup);
    let mut twin = begin(rules, &Setup { starts: Some(starts), ..setup });
    let mut dice = Dice::new(seed);
    while let Some(action) = dice.pick(game.legal_actions()) {
        let turned =
            |action: &Action| turned_action(&game, &twin, *action, by).expect("the turned table has its place");
        let expected: BTreeSet<Action> = game.legal_actions().iter().map(turned).collect();
        let offered: BTreeSet<Action> = twin.legal_actions().iter().copied().collect();
        assert_eq!(offered, expected, "seed {seed}, {by}, decision {}", game.state().decisions());
        let turned = turned(&action);
        game.apply(action, &mut NoScripts).expect("it is offered");
        twin.apply(turned, &mut NoScripts).expect("it is offered on the turned table too");
        assert_eq!(game.state().scores(), twin.state().scores(), "seed {seed}, {by}");
    }
    assert!(twin.state().is_over(), "both games end together");
}

#[test]
fn turning_a_position_turns_what_may_be_done() {
    let rules = rules_of(&[]).rules;
    for seed in 0..12 {
        Rotation::ALL[1..].iter().for_each(|by| check_turned(&rules, seed, *by));
    }
}

#[test]
fn alike_rotations_are_offered_once() {
    let rules = rules_of(&[]).rules;
    for (_, tile) in rules.tiles() {
        let different: BTreeSet<String> =
            Rotation::ALL.into_iter().map(|rotation| looks(&rules, tile, rotation)).collect();
        let offered = Rotation::ALL.into_iter().filter(|rotation| tile.is_canonical(*rotation)).count();
        assert_eq!(offered, different.len(), "{}", tile.id);
        for rotation in Rotation::ALL {
            let same = looks(&rules, tile, tile.canonical(rotation)) == looks(&rules, tile, rotation);
            assert!(same, "{} {rotation} looks like the one that stands for it", tile.id);
        }
    }
}

/// A turned tile in words: its sides, and what runs where.
fn looks(rules: &Ruleset, tile: &trencavel_rules::TileDef, rotation: Rotation) -> String {
    let edges = Side::ALL.map(|side| rules.edge_name(tile.edge(rotation, side)).to_owned());
    let mut parts: Vec<String> = tile
        .segments
        .iter()
        .map(|segment| {
            let sides: BTreeSet<Side> = segment.sides.iter().map(|side| side.turned(rotation)).collect();
            let halves: BTreeSet<usize> = segment.halves.iter().map(|half| half.turned(rotation).index()).collect();
            format!("{:?} {sides:?} {halves:?} {:?}", segment.kind, segment.marks)
        })
        .collect();
    parts.sort();
    format!("{edges:?} {parts:?}")
}

/// Plays a random game and the reference's game side by side: the same choices, features, points and supplies.
fn check_against_reference(rules: &Arc<Ruleset>, specs: &Specs, seed: u64) {
    let mut game = begin(rules, &Setup { ask_forced: true, ..two_players(seed) });
    let spec = |tile: TileDefId| specs[&*rules.tile(tile).id].clone();
    let start = rules.starts()[0];
    let mut naive = Naive::new(Laid { spec: spec(start.tile), at: start.at, rotation: start.rotation }, 2, 7);
    let mut dice = Dice::new(seed);
    let mut acting = false;
    while let Some(action) = dice.pick(game.legal_actions()) {
        if game.is_placing() {
            // Nobody is asked who can only pass.
            if std::mem::take(&mut acting) {
                naive.end_turn();
            }
            compare(&game, &naive);
            let hand = game.state().hand().expect("a tile is to be placed");
            let offered: BTreeSet<(Position, Rotation)> = game.legal_actions().iter().filter_map(placement).collect();
            assert_eq!(offered, naive.table.placements(&spec(hand)).into_keys().collect(), "seed {seed}");
            let (at, rotation) = placement(&action).expect("a tile is to be placed");
            naive.place(Laid { spec: spec(hand), at, rotation });
            acting = true;
        } else {
            let offered: BTreeSet<String> =
                game.legal_actions().iter().filter_map(|action| deployment(&game, *action)).collect();
            assert_eq!(offered, naive.deployments(), "seed {seed}");
            deployment(&game, action).into_iter().for_each(|name| naive.deploy(&name));
            naive.end_turn();
            acting = false;
        }
        game.apply(action, &mut NoScripts).expect("it is offered");
        check_features(&game, &table_of(&game, specs));
    }
    if acting {
        naive.end_turn();
    }
    naive.end_game();
    assert_eq!(game.state().scores(), naive.scores, "points of seed {seed}");
}

fn compare(game: &Game, naive: &Naive) {
    let state = game.state();
    assert_eq!(state.scores(), naive.scores, "points");
    assert_eq!(state.decider().index(), naive.player, "whose turn it is");
    for (seat, supply) in naive.supply.iter().enumerate() {
        assert_eq!(state.supply(PlayerId::from_index(seat), FigureKindId::from_index(0)), *supply, "supply");
    }
}

fn placement(action: &Action) -> Option<(Position, Rotation)> {
    match *action {
        Action::Place { at, rotation } => Some((at, rotation)),
        _ => None,
    }
}

fn deployment(game: &Game, action: Action) -> Option<String> {
    let Action::Deploy { segment, .. } = action else { return None };
    let (tile, local) = game.state().segment_place(segment);
    let def = game.rules().tile(game.state().tile(tile).def);
    Some(def.segments[local].name.to_string())
}

#[test]
fn the_reference_plays_the_same_games() {
    let (rules, specs) = (rules_of(&[]).rules, specs());
    (0..100).for_each(|seed| check_against_reference(&rules, &specs, seed));
}
