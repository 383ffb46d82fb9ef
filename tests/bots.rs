//! Bots beat those that think less: seeded matches, seats changed after each.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use trencavel_play::bots::{Bot, playout};
use trencavel_rules::Game;
use trencavel_rules::ids::PlayerId;
use trencavel_tests::loading::{rules_of, scripts_of, two_players};

/// Wins of the first bot in halves, a draw one, of so many games; the same in every run.
fn halves(one: &str, other: &str, games: u64, expansions: &[&str]) -> usize {
    let loaded = rules_of(expansions);
    let (next, halves) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut scripts = scripts_of(&loaded);
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed) as u64;
                    if seed >= games {
                        return;
                    }
                    let mut game = Game::from_setup(loaded.rules.clone(), &two_players(seed), &mut scripts)
                        .expect("two players can begin");
                    let names = if seed.is_multiple_of(2) { [one, other] } else { [other, one] };
                    let seat = |seat: usize| Bot::by_name(names[seat], seed, PlayerId::from_index(seat));
                    let mut bots = [0, 1].map(|at| seat(at).expect("there is such a bot"));
                    playout(&mut game, &mut bots, &mut scripts).expect("no hook fails");
                    let points = game.state().scores();
                    let (own, others) = (points[seed as usize % 2], points[1 - seed as usize % 2]);
                    let won = usize::from(own >= others) + usize::from(own > others);
                    halves.fetch_add(won, Ordering::Relaxed);
                }
            });
        }
    });
    halves.into_inner()
}

#[test]
fn greedy_beats_random() {
    let won = halves("greedy", "random", 40, &[]);
    assert!(won >= 76, "{won} of 80 halves, at least 95 % are wanted");
}

#[test]
fn greedy_beats_random_with_expansions_it_does_not_know() {
    let won = halves("greedy", "random", 10, &["constable", "inn", "wells"]);
    assert!(won >= 18, "{won} of 20 halves");
}

#[test]
fn mcts_beats_greedy() {
    let won = halves("mcts", "greedy", 40, &[]);
    assert!(won >= 52, "{won} of 80 halves, at least 65 % are wanted");
}

#[test]
fn time_is_a_budget_too() {
    let bot = |name: &str| Bot::by_name(name, 1, PlayerId::from_index(0)).unwrap_or_else(|| panic!("{name} is no bot"));
    let loaded = rules_of(&[]);
    let mut scripts = scripts_of(&loaded);
    let game = Game::from_setup(loaded.rules.clone(), &two_players(1), &mut scripts).expect("two players can begin");
    let begun = Instant::now();
    let action = bot("mcts:ms=30").choose(&game, &mut scripts);
    assert!(begun.elapsed() >= Duration::from_millis(30), "it thinks as long as it may");
    assert!(game.legal_actions().contains(&action));
    assert!(!bot("mcts:ms=2").is_reproducible() && bot("mcts:iterations=2").is_reproducible());
    assert_eq!(bot("mcts:60").name(), "mcts:iterations=60");
    assert!(Bot::by_name("mcts:seconds=2", 1, PlayerId::from_index(0)).is_none());
}

#[test]
fn the_same_seed_gives_the_same_game() {
    assert_eq!(halves("mcts:20", "random", 2, &[]), halves("mcts:20", "random", 2, &[]));
}
