//! Random choices that are the same in every run.

use trencavel_rules::hooks::Scripts;
use trencavel_rules::{Action, Game, seed};

/// A stream of random numbers.
#[derive(Clone, Copy, Debug)]
pub struct Dice {
    seed: u64,
    thrown: u64,
}

impl Dice {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { seed: seed::derive(seed, &["tests"]), thrown: 0 }
    }

    /// A number below `bound`, at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        self.thrown += 1;
        seed::below(seed::nth(self.seed, self.thrown), bound as u32) as usize
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(from[self.below(from.len())]) }
    }
}

/// Plays random actions until the game is over or `decisions` were made.
pub fn play_on(game: &mut Game, dice: &mut Dice, decisions: usize, scripts: &mut dyn Scripts) {
    for _ in 0..decisions {
        let Some(action): Option<Action> = dice.pick(game.legal_actions()) else { return };
        game.apply_unchecked(action, scripts).expect("an offered action happens");
    }
}
