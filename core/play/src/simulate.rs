//! Campaigns: many games of one table, in any number of threads and on any number of machines, with the same rows.
//!
//! A game depends on the campaign's seed and its own number only. Games are played in blocks, and blocks are handed
//! over in order, so whoever writes them down always has whole games from the first one on.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};

use trencavel_host::{Loaded, ScriptHost};
use trencavel_rules::ids::PlayerId;
use trencavel_rules::{ActionError, Game, Setup, SetupError, seed};

use crate::bots::{Bot, playout};
use crate::rows::Rows;

/// Games that are handed over together.
pub const BLOCK: u64 = 50;

/// Games of one table.
#[derive(Clone, Debug)]
pub struct Campaign<'a> {
    /// The rules.
    pub loaded: &'a Loaded,
    /// The table. Its seed is the campaign's.
    pub setup: Setup,
    /// Who plays, by seat.
    pub bots: Vec<Bot>,
}

/// Why a game came to no end.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The setup is no game.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A hook failed.
    #[error(transparent)]
    Action(#[from] ActionError),
    /// The scripts could not be run.
    #[error("{0}")]
    Scripts(String),
}

/// A game that came to no end.
#[derive(Clone, Debug, thiserror::Error)]
#[error("game {game} with seed {seed}: {error}")]
pub struct Failed {
    /// Its number.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// Why.
    pub error: GameError,
}

/// Games whose numbers follow each other.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The games that were played.
    pub rows: Vec<Rows>,
    /// The one after them, if it failed. Nothing comes after this block then.
    pub failed: Option<Failed>,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play on.
    More,
    /// It is enough.
    Enough,
}

/// A slice of a campaign: `shard` of `shards`, from 1. All slices together are all games, and no two share one.
pub fn slice(games: u64, shard: u64, shards: u64) -> Range<u64> {
    let bound = |shard: u64| (u128::from(games) * u128::from(shard) / u128::from(shards)) as u64;
    bound(shard - 1)..bound(shard)
}

impl Campaign<'_> {
    /// The seed of a game.
    pub fn seed(&self, game: u64) -> u64 {
        seed::derive(self.setup.seed, &["game", &game.to_string()])
    }

    /// Plays one game in the room of another one.
    ///
    /// # Errors
    /// If it comes to no end.
    pub fn play(&self, number: u64, room: &mut Option<Game>, scripts: &mut ScriptHost) -> Result<Rows, GameError> {
        let seed = self.seed(number);
        let setup = Setup { seed, ..self.setup.clone() };
        let game = match room {
            Some(game) => {
                game.renew(&setup, scripts)?;
                game
            }
            None => {
                let game = room.insert(Game::from_setup(self.loaded.rules.clone(), &setup, scripts)?);
                game.keep_no_history();
                game
            }
        };
        let seats = self.bots.iter().enumerate();
        let mut bots: Vec<Bot> = seats.map(|(seat, bot)| bot.reseeded(seed, PlayerId::from_index(seat))).collect();
        playout(game, &mut bots, scripts)?;
        Ok(Rows::of(game, number, seed))
    }

    /// Plays these games on so many threads and hands them to `take` in order. Ends early when `take` has enough or
    /// fails, when a game fails, or soon after `stop` is set.
    ///
    /// # Errors
    /// Those of `take`.
    pub fn run<E>(
        &self,
        games: Range<u64>,
        threads: usize,
        stop: &AtomicBool,
        mut take: impl FnMut(Block) -> Result<Next, E>,
    ) -> Result<(), E> {
        let (next, over) = (AtomicU64::new(0), AtomicBool::new(false));
        let stops = [stop, &over];
        let (send, receive) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                let (send, next, games) = (send.clone(), &next, games.clone());
                scope.spawn(move || self.work(&games, next, stops, &send));
            }
            drop(send);
            let done = in_order(&receive, &mut take);
            over.store(true, Ordering::Relaxed);
            done
        })
    }

    /// Plays blocks until there are no more.
    fn work(&self, games: &Range<u64>, next: &AtomicU64, stops: [&AtomicBool; 2], send: &Sender<(u64, Block)>) {
        let mut scripts = self.loaded.scripts().map_err(|problem| GameError::Scripts(problem.to_string()));
        let mut room = None;
        while !stops.iter().any(|stop| stop.load(Ordering::Relaxed)) {
            let block = next.fetch_add(1, Ordering::Relaxed);
            let first = games.start.saturating_add(block.saturating_mul(BLOCK));
            if first >= games.end {
                return;
            }
            let mut played = Block::default();
            for game in first..games.end.min(first + BLOCK) {
                let rows = match &mut scripts {
                    Ok(scripts) => self.play(game, &mut room, scripts),
                    Err(error) => Err(error.clone()),
                };
                match rows {
                    Ok(rows) => played.rows.push(rows),
                    Err(error) => {
                        played.failed = Some(Failed { game, seed: self.seed(game), error });
                        break;
                    }
                }
            }
            let failed = played.failed.is_some();
            if send.send((block, played)).is_err() || failed {
                return;
            }
        }
    }
}

/// Hands blocks over in order.
fn in_order<E>(receive: &Receiver<(u64, Block)>, take: &mut impl FnMut(Block) -> Result<Next, E>) -> Result<(), E> {
    let (mut waiting, mut due) = (BTreeMap::new(), 0);
    for (number, block) in receive {
        waiting.insert(number, block);
        while let Some(block) = waiting.remove(&due) {
            due += 1;
            let failed = block.failed.is_some();
            if take(block)? == Next::Enough || failed {
                return Ok(());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::slice;

    #[test]
    fn slices_are_the_whole() {
        for (games, shards) in [(10, 3), (7, 7), (2, 5), (1000, 1)] {
            let all: Vec<u64> = (1..=shards).flat_map(|shard| slice(games, shard, shards)).collect();
            assert_eq!(all, (0..games).collect::<Vec<_>>(), "{games} games in {shards}");
        }
    }
}
