//! Random choices that are the same in every run.

use trencavel_rules::hooks::Scripts;
use trencavel_rules::{Action, Game};

pub use trencavel_play::dice::Dice;

/// Plays random actions until the game is over or `decisions` were made.
pub fn play_on(game: &mut Game, dice: &mut Dice, decisions: usize, scripts: &mut dyn Scripts) {
    for _ in 0..decisions {
        let Some(action): Option<Action> = dice.pick(game.legal_actions()) else { return };
        game.apply_unchecked(action, scripts).expect("an offered action happens");
    }
}
