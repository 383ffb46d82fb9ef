//! The contract of [`trencavel_play::contract`] with the slow reference beside it.

use trencavel_host::Loaded;
use trencavel_play::contract::{self, Effort};

use crate::incremental::{check_features, table_of};
use crate::loading::players;
use crate::reference::Specs;

/// Plays a seeded game and checks the contract at each decision. `effort`: everything everywhere, or most of it now and
/// then.
///
/// # Panics
/// If something is broken.
pub fn check_game(loaded: &Loaded, specs: &Specs, seed: u64, effort: Effort) {
    let setup = players([2, 3, 2, 5, 2, 4, 6][seed as usize % 7], seed);
    let mut watch = |game: &trencavel_rules::Game| check_features(game, &table_of(game, specs));
    if let Err(broken) = contract::check_game(loaded, &setup, effort, &mut Vec::new(), &mut watch) {
        panic!("{broken}");
    }
}
