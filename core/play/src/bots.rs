//! Who decides when no person does. No bot knows an expansion: all look at what is offered and at what the rules pay.

mod greedy;
mod mcts;
mod outlook;

use std::sync::atomic::AtomicBool;

use rand_core::Rng;
use rand_pcg::Pcg64Mcg;
use trencavel_rules::hooks::Scripts;
use trencavel_rules::ids::PlayerId;
use trencavel_rules::{Action, ActionError, Game, notation, seed};

pub use greedy::Greedy;
pub use mcts::{Budget, Mcts};

/// Names by which game files ask for bots. `mcts:iterations=500` thinks that many times about each decision, `mcts:ms=100`
/// so long; what it chooses then depends on the machine, so its games cannot be played again from their seeds.
pub const NAMES: &[&str] = &["random", "greedy", "mcts"];

/// A player that is not a person. Its choices depend on its seed and the game only.
#[derive(Clone, Debug)]
pub enum Bot {
    /// Every legal action is as likely as any other.
    Random(Pcg64Mcg),
    /// Takes what would be best if the game ended right after it.
    Greedy(Box<Greedy>),
    /// Searches a tree of decisions, with draws of its own making.
    Mcts(Box<Mcts>),
}

impl Bot {
    /// A bot that chooses at random, with a stream of its own for each seed and player.
    pub fn random(seed: u64, player: PlayerId) -> Self {
        let letter = notation::letter(player).to_string();
        Self::Random(Pcg64Mcg::new(u128::from(seed::derive(seed, &["bot", &letter]))))
    }

    /// A bot that takes what would be best if the game ended right after it.
    pub fn greedy() -> Self {
        Self::Greedy(Box::default())
    }

    /// A bot that thinks so long about each decision.
    pub fn mcts(seed: u64, player: PlayerId, budget: Budget) -> Self {
        let letter = notation::letter(player).to_string();
        Self::Mcts(Box::new(Mcts::new(seed::derive(seed, &["bot", &letter]), budget)))
    }

    /// The bot of this name; `None` for a name that is not among [`NAMES`].
    pub fn by_name(name: &str, seed: u64, player: PlayerId) -> Option<Self> {
        match name {
            "random" => Some(Self::random(seed, player)),
            "greedy" => Some(Self::greedy()),
            "mcts" => Some(Self::mcts(seed, player, Budget::default())),
            _ => Some(Self::mcts(seed, player, name.strip_prefix("mcts:")?.parse().ok()?)),
        }
    }

    /// False if the clock has a say in what it chooses.
    pub fn is_reproducible(&self) -> bool {
        !matches!(self, Self::Mcts(mcts) if matches!(mcts.budget(), Budget::Time(_)))
    }

    /// The same kind of bot for another game.
    pub fn reseeded(&self, seed: u64, player: PlayerId) -> Self {
        match self {
            Self::Random(_) => Self::random(seed, player),
            Self::Greedy(_) => Self::greedy(),
            Self::Mcts(mcts) => Self::mcts(seed, player, mcts.budget()),
        }
    }

    /// The name by which [`Bot::by_name`] gives this kind of bot.
    pub fn name(&self) -> String {
        match self {
            Self::Random(_) => "random".to_owned(),
            Self::Greedy(_) => "greedy".to_owned(),
            Self::Mcts(mcts) => format!("mcts:{}", mcts.budget()),
        }
    }

    /// One of the legal actions; [`Action::Pass`] when the game is over. An action whose hooks fail is chosen only if
    /// there is no other.
    pub fn choose(&mut self, game: &Game, scripts: &mut dyn Scripts) -> Action {
        self.choose_unless(game, scripts, &AtomicBool::new(false))
    }

    /// The same; once `over` is set, nobody wants to know any more, and what was found so far is good enough.
    pub fn choose_unless(&mut self, game: &Game, scripts: &mut dyn Scripts, over: &AtomicBool) -> Action {
        match self {
            Self::Random(stream) => game.draw(|| stream.next_u64()).unwrap_or(Action::Pass),
            Self::Greedy(greedy) => greedy.choose(game, scripts),
            Self::Mcts(mcts) => mcts.choose(game, scripts, over),
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
/// If a hook fails; the game is then as it was before that decision, or over if it keeps no history.
///
/// # Panics
/// If there are fewer bots than players.
pub fn playout(game: &mut Game, bots: &mut [Bot], scripts: &mut dyn Scripts) -> Result<u32, ActionError> {
    let before = game.state().decisions();
    while !game.state().is_over() {
        let action = bots[game.state().decider().index()].choose(game, scripts);
        game.apply_unchecked(action, scripts)?;
    }
    Ok(game.state().decisions() - before)
}
