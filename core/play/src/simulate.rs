//! Campaigns: many games of one table, in any number of threads and on any number of machines, with the same rows.
//!
//! A game depends on the campaign's seed and its own number only. Finished games are handed over in order and soon, so
//! whoever writes them down always has whole games from the first one on, and loses next to nothing when it is ended.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::{Duration, Instant};

use trencavel_host::{Loaded, ScriptHost};
use trencavel_rules::ids::PlayerId;
use trencavel_rules::{ActionError, Game, Setup, SetupError, seed};

use crate::bots::{Bot, playout};
use crate::fired::{self, Counting};
use crate::rows::Rows;

/// How long a thread keeps games that are over before it hands them on: longer saves nothing, shorter wakes too often.
const KEPT: Duration = Duration::from_millis(50);
/// Bundles of games that wait for each thread when writing is slower than playing.
const WAITING: usize = 4;

/// Games of one table.
#[derive(Clone, Debug)]
pub struct Campaign<'a> {
    /// The rules.
    pub loaded: &'a Loaded,
    /// The table. Its seed is the campaign's.
    pub setup: Setup,
    /// Who plays, by seat.
    pub bots: Vec<Bot>,
    /// What is looked at beside the rows.
    pub watch: Watch,
}

/// What is looked at while games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Nothing.
    Nothing,
    /// How often each hook does something and each refusal decides.
    Hooks,
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
            None => room.insert(self.begun(&setup, scripts)?),
        };
        let seats = self.bots.iter().enumerate();
        let mut bots: Vec<Bot> = seats.map(|(seat, bot)| bot.reseeded(seed, PlayerId::from_index(seat))).collect();
        if self.watch == Watch::Nothing {
            playout(game, &mut bots, scripts)?;
            return Ok(Rows::of(game, number, seed));
        }
        let mut calls = Vec::new();
        while !game.state().is_over() {
            // What a bot tries does not count.
            let action = bots[game.state().decider().index()].choose(game, scripts);
            game.apply_unchecked(action, &mut Counting::new(scripts, &mut calls))?;
        }
        Ok(Rows { hooks: fired::counts(game, &calls), ..Rows::of(game, number, seed) })
    }

    /// The first game in a room.
    fn begun(&self, setup: &Setup, scripts: &mut ScriptHost) -> Result<Game, SetupError> {
        let mut game = Game::from_setup(self.loaded.rules.clone(), setup, scripts)?;
        if self.watch == Watch::Hooks {
            game.count_refusals();
            // Begun anew, so that it counts from its beginning as all others do.
            game.renew(setup, scripts)?;
        } else {
            // Only what counts hooks looks at what happened.
            game.keep_no_history();
        }
        Ok(game)
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
        let (next, over) = (AtomicU64::new(games.start), AtomicBool::new(false));
        let stops = [stop, &over];
        let threads = threads.max(1);
        let (send, receive) = mpsc::sync_channel(WAITING * threads);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || self.work(games.end, next, stops, &send));
            }
            drop(send);
            let done = in_order(games.start, receive, &mut take);
            over.store(true, Ordering::Relaxed);
            done
        })
    }

    /// Plays the next game, again and again, until there are no more. What was begun is finished.
    fn work(&self, end: u64, next: &AtomicU64, stops: [&AtomicBool; 2], send: &SyncSender<Vec<Played>>) {
        let mut scripts = self.loaded.scripts().map_err(|problem| GameError::Scripts(problem.to_string()));
        let (mut room, mut played, mut handed) = (None, Vec::new(), Instant::now());
        loop {
            let stopped = stops.iter().any(|stop| stop.load(Ordering::Relaxed));
            let game = (!stopped).then(|| next.fetch_add(1, Ordering::Relaxed)).filter(|game| *game < end);
            if let Some(game) = game {
                let rows = match &mut scripts {
                    Ok(scripts) => self.play(game, &mut room, scripts),
                    Err(error) => Err(error.clone()),
                };
                played.push((game, rows.map_err(|error| Failed { game, seed: self.seed(game), error })));
            }
            let last = game.is_none() || matches!(played.last(), Some((_, Err(_))));
            if last || handed.elapsed() >= KEPT {
                let gone = send.send(std::mem::take(&mut played)).is_err();
                if last || gone {
                    return;
                }
                handed = Instant::now();
            }
        }
    }
}

/// A game's number and what came of it.
type Played = (u64, Result<Rows, Failed>);

/// Hands games over in order, as many at a time as there are.
fn in_order<E>(
    first: u64,
    receive: Receiver<Vec<Played>>,
    take: &mut impl FnMut(Block) -> Result<Next, E>,
) -> Result<(), E> {
    let (mut waiting, mut due) = (BTreeMap::new(), first);
    for played in receive {
        waiting.extend(played);
        let mut block = Block::default();
        while let Some(rows) = waiting.remove(&due) {
            due += 1;
            match rows {
                Ok(rows) => block.rows.push(rows),
                Err(failed) => {
                    block.failed = Some(failed);
                    break;
                }
            }
        }
        let failed = block.failed.is_some();
        if block.rows.is_empty() && !failed {
            continue;
        }
        let next = take(block)?;
        if failed || next == Next::Enough {
            return Ok(());
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
