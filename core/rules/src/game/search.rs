//! What programs that search and measure need of a game.

use super::Game;
use crate::hooks::{HookError, Scripts};
use crate::seed;

impl Game {
    /// Puts the tiles that nobody has seen into another order, those of each pile among themselves, and lets every other
    /// chance to come depend on this seed. For searching on a copy: what was answered so far no longer leads here.
    pub fn reshuffle(&mut self, seed: u64) {
        let stream = seed::derive(seed, &["reshuffle"]);
        let ranks: Vec<u8> = self.state.pile.items().iter().map(|tile| self.rules.rank_of(*tile)).collect();
        let mut start = 0;
        for pile in ranks.chunk_by(|one, other| one == other) {
            for last in (1..pile.len()).rev() {
                let place = start + last;
                let bits = seed::nth(stream, place as u64);
                let other = start + seed::below(bits, last as u32 + 1) as usize;
                let (one, two) = (self.state.pile.get(place), self.state.pile.get(other));
                *self.state.pile.edit(place) = two;
                *self.state.pile.edit(other) = one;
            }
            start += pile.len();
        }
        self.state.now.seed = seed;
    }

    /// Ends the game here: what this part closed is scored, then come the last steps of the game, in which players pass
    /// where they can and else take their first option. For asking a copy what a position is worth.
    ///
    /// # Errors
    /// If a hook fails; the game is then of no use.
    pub fn end_here(&mut self, scripts: &mut dyn Scripts) -> Result<(), HookError> {
        self.scratch.intents = 0;
        self.scratch.chain.clear();
        self.engine(scripts).end_here()
    }

    /// Counts from now on how often each refusal decides: what it keeps from being offered, and what it stops. A game
    /// that is renewed begins at 0; copies do not count.
    pub fn count_refusals(&mut self) {
        self.scratch.refused = vec![0; self.rules.hooks.len()];
    }

    /// How often each refusal decided, by the index of its hook; empty if nobody counts.
    pub fn refused(&self) -> &[u32] {
        &self.scratch.refused
    }
}
