//! Who decides when no person does.

use rand_core::Rng;
use rand_pcg::Pcg64Mcg;
use trencavel_rules::hooks::Scripts;
use trencavel_rules::ids::PlayerId;
use trencavel_rules::{Action, ActionError, Game, notation, seed};

/// Names by which game files ask for bots.
pub const NAMES: &[&str] = &["random"];

/// A player that is not a person. Its choices depend on its seed and the game only.
#[derive(Clone, Debug)]
pub enum Bot {
    /// Every legal action is as likely as any other.
    Random(Pcg64Mcg),
}

impl Bot {
    /// A bot that chooses at random, with a stream of its own for each seed and player.
    pub fn random(seed: u64, player: PlayerId) -> Self {
        let letter = notation::letter(player).to_string();
        Self::Random(Pcg64Mcg::new(u128::from(seed::derive(seed, &["bot", &letter]))))
    }

    /// The bot of this name; `None` for a name that is not among [`NAMES`].
    pub fn by_name(name: &str, seed: u64, player: PlayerId) -> Option<Self> {
        (name == NAMES[0]).then(|| Self::random(seed, player))
    }

    /// One of the legal actions; [`Action::Pass`] when the game is over.
    pub fn choose(&mut self, game: &Game) -> Action {
        let legal = game.legal_actions();
        match self {
            Self::Random(stream) => {
                let place = seed::below(stream.next_u64(), legal.len() as u32);
                legal.get(place as usize).copied().unwrap_or(Action::Pass)
            }
        }
    }
}

/// Random bots for every player of a game.
pub fn random_table(seed: u64, players: usize) -> Vec<Bot> {
    (0..players).map(|seat| Bot::random(seed, PlayerId::from_index(seat))).collect()
}

/// Plays to the end, each decision by the bot of the player who has it, and gives the number of decisions.
///
/// # Errors
/// If a hook fails; the game is then as it was before that decision.
///
/// # Panics
/// If there are fewer bots than players.
pub fn playout(game: &mut Game, bots: &mut [Bot], scripts: &mut dyn Scripts) -> Result<u32, ActionError> {
    let before = game.state().decisions();
    while !game.state().is_over() {
        let action = bots[game.state().decider().index()].choose(game);
        game.apply_unchecked(action, scripts)?;
    }
    Ok(game.state().decisions() - before)
}
