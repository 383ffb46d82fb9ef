//! Texts that may be anything: nothing panics, and what is not read is an error.

use trencavel_play::perft::{parse_list, parse_table};
use trencavel_play::scenario::{self, format::Scenario};
use trencavel_rules::hooks::NoScripts;
use trencavel_rules::ids::{FigureKindId, SeatId, SegmentId, TileId};
use trencavel_rules::save::Replay;
use trencavel_rules::{Action, Game, Target, notation};
use trencavel_tests::dice::{Dice, play_on};
use trencavel_tests::loading::{loader, rules_of, two_players};
use trencavel_tests::{files_below, root};

/// A text with some places changed: cut, doubled, swapped, replaced.
fn spoiled(text: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(4) {
        if letters.is_empty() {
            break;
        }
        let at = dice.below(letters.len());
        match dice.below(5) {
            0 => letters.truncate(at),
            1 => drop(letters.remove(at)),
            2 => letters.insert(at, ['0', '-', 'é', '"', '\n', ' ', ';', '9'][dice.below(8)]),
            3 => letters.extend_from_within(at..(at + 20).min(letters.len())),
            _ => letters[at] = ['A', 'z', '=', '[', '\t', ','][dice.below(6)],
        }
    }
    letters.into_iter().collect()
}

#[test]
fn spoiled_actions_are_read_or_refused() {
    let mut game = Game::from_setup(rules_of(&[]).rules, &two_players(1), &mut NoScripts).expect("two can begin");
    let mut dice = Dice::new(1);
    while !game.state().is_over() {
        let offered = game.legal_actions().to_vec();
        for action in offered.iter().take(6) {
            let text = spoiled(&notation::action(game.rules(), game.state(), *action), &mut dice);
            if let Ok(action) = notation::parse(&game, &text) {
                let refusals = game.refusals(action, &mut NoScripts).expect("no hook fails");
                assert_eq!(offered.contains(&action), refusals.is_empty(), "{text}");
            }
        }
        play_on(&mut game, &mut dice, 1, &mut NoScripts);
    }
}

#[test]
fn spoiled_saves_are_read_or_refused() {
    let rules = rules_of(&[]).rules;
    let mut dice = Dice::new(2);
    for path in files_below(&root().join("tests/replays"), "replay") {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        for _ in 0..200 {
            let Ok((replay, _)) = Replay::parse(&spoiled(&text, &mut dice)) else { continue };
            let Ok(setup) = replay.setup(&rules) else { continue };
            let Ok(mut game) = Game::from_setup(rules.clone(), &setup, &mut NoScripts) else { continue };
            // An answer that cannot be given says which it is.
            if let Err((answer, why)) = replay.play(&mut game, usize::MAX, &mut NoScripts) {
                assert!((1..=replay.answers.len()).contains(&answer) && !why.is_empty());
            }
        }
    }
}

#[test]
fn spoiled_scenarios_and_tables_are_read_or_refused() {
    let mut dice = Dice::new(3);
    for path in files_below(&root().join("plugins/base/tests"), "toml") {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        for _ in 0..20 {
            let text = spoiled(&text, &mut dice);
            if Scenario::parse(&text).is_ok() {
                let _ = scenario::run("spoiled", &text, &loader);
            }
        }
    }
    let list = std::fs::read_to_string(root().join("tests/perft/base.perft")).expect("the file can be read");
    for _ in 0..300 {
        let text = spoiled(&list, &mut dice);
        let _ = (parse_list(&text), parse_table(&text));
    }
}

#[test]
fn handles_that_mean_nothing_are_refused() {
    let mut game = Game::from_setup(rules_of(&[]).rules, &two_players(1), &mut NoScripts).expect("two can begin");
    let far = |number: usize| {
        let (kind, segment) = (FigureKindId::from_index(number), SegmentId::from_index(number));
        [
            Action::Deploy { kind, segment, seat: SeatId::from_index(number) },
            Action::Offer { offer: number as u16, target: Target::Tile(TileId::from_index(number)) },
            Action::Answer(Target::Segment(segment)),
            Action::Pass,
        ]
    };
    for _ in 0..40 {
        for action in [60, 200, 60_000].into_iter().flat_map(far) {
            let offered = game.legal_actions().contains(&action);
            let before = game.state().digest();
            let outcome = game.clone().apply(action, &mut NoScripts);
            assert_eq!(outcome.is_ok(), offered, "{action:?} at {}", game.waits_for());
            assert_eq!(game.state().digest(), before);
        }
        play_on(&mut game, &mut Dice::new(4), 1, &mut NoScripts);
    }
}
