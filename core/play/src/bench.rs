//! How fast games are: the same games every time, so that two measurements compare.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use trencavel_rules::hooks::{Call, HookError, Reply, ScriptFn, Scripts};
use trencavel_rules::{ActionError, Game, Ruleset, Setup, SetupError};

use crate::bots::{playout, random_table};

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Games played.
    pub games: u32,
    /// Answers given in them.
    pub decisions: u64,
    /// Turns begun in them.
    pub turns: u64,
    /// Calls of functions of scripts.
    pub calls: u64,
    /// Points of each player over all games.
    pub points: Vec<i64>,
    /// The states all games ended in, in one number: equal workloads have equal checks.
    pub check: u64,
    /// How long it took.
    pub time: Duration,
}

/// Why a measurement came to nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The setup is no game.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A hook failed.
    #[error(transparent)]
    Action(#[from] ActionError),
}

impl Measured {
    /// Games a second.
    pub fn games_per_second(&self) -> f64 {
        f64::from(self.games) / self.seconds()
    }

    /// Decisions a second.
    pub fn decisions_per_second(&self) -> f64 {
        self.decisions as f64 / self.seconds()
    }

    /// Calls of scripts in a turn, on average.
    pub fn calls_per_turn(&self) -> f64 {
        self.calls as f64 / self.turns.max(1) as f64
    }

    /// Mean points of each player.
    pub fn means(&self) -> impl Iterator<Item = f64> {
        self.points.iter().map(|points| *points as f64 / f64::from(self.games.max(1)))
    }

    fn seconds(&self) -> f64 {
        self.time.as_secs_f64().max(1e-9)
    }
}

/// Counts the calls of scripts that it passes on.
struct Counting<'a> {
    scripts: &'a mut dyn Scripts,
    calls: u64,
}

impl Scripts for Counting<'_> {
    fn call(&mut self, function: ScriptFn, call: &mut Call<'_>) -> Result<Reply, HookError> {
        self.calls += 1;
        self.scripts.call(function, call)
    }
}

/// Plays `games` random games whose seeds follow each other from the setup's on.
///
/// # Errors
/// If the setup is no game, or a hook fails.
pub fn run(rules: &Arc<Ruleset>, setup: &Setup, games: u32, scripts: &mut dyn Scripts) -> Result<Measured, BenchError> {
    let mut measured = Measured { games, points: vec![0; setup.players.len()], ..Measured::default() };
    let mut setup = setup.clone();
    let mut game = Game::from_setup(rules.clone(), &setup, scripts)?;
    game.keep_no_history();
    let scripts = &mut Counting { scripts, calls: 0 };
    let start = Instant::now();
    for _ in 0..games {
        game.renew(&setup, scripts)?;
        let mut bots = random_table(setup.seed, setup.players.len());
        measured.decisions += u64::from(playout(&mut game, &mut bots, scripts)?);
        measured.turns += u64::from(game.state().turn());
        for (sum, points) in measured.points.iter_mut().zip(game.state().scores()) {
            *sum += i64::from(*points);
            measured.check = measured.check.rotate_left(7) ^ u64::from(points.unsigned_abs());
        }
        setup.seed = setup.seed.wrapping_add(1);
    }
    measured.calls = scripts.calls;
    measured.time = start.elapsed();
    Ok(measured)
}

/// What decisions of one kind took.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// What the game waited for: the name of a step, of a question, or of a neutral figure that walks.
    pub name: String,
    /// How many there were.
    pub decisions: u64,
    /// Choosing, carrying out, and finding out what may be chosen next.
    pub time: Duration,
}

impl Kind {
    /// Microseconds for one decision.
    pub fn micros(&self) -> f64 {
        self.time.as_secs_f64() * 1e6 / self.decisions.max(1) as f64
    }
}

/// What [`by_kind`] found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kinds {
    /// By name.
    pub kinds: Vec<Kind>,
    /// Bytes of the records of a state half way through the last game.
    pub midgame_bytes: usize,
    /// Bytes of the records of a state at the end of the last game.
    pub end_bytes: usize,
}

/// Plays the same games as [`run`] and times every decision on its own, which takes a little longer.
///
/// # Errors
/// If the setup is no game, or a hook fails.
pub fn by_kind(
    rules: &Arc<Ruleset>,
    setup: &Setup,
    games: u32,
    scripts: &mut dyn Scripts,
) -> Result<Kinds, BenchError> {
    let mut found: BTreeMap<String, (u64, Duration)> = BTreeMap::new();
    let mut kinds = Kinds::default();
    let mut setup = setup.clone();
    let mut game = Game::from_setup(rules.clone(), &setup, scripts)?;
    game.keep_no_history();
    for _ in 0..games {
        game.renew(&setup, scripts)?;
        let mut bots = random_table(setup.seed, setup.players.len());
        let half = game.state().pile_len() / 2;
        while !game.state().is_over() {
            let waits = game.waits_for();
            if !found.contains_key(waits) {
                found.insert(waits.to_owned(), (0, Duration::ZERO));
            }
            let Some(kind) = found.get_mut(waits) else { continue };
            let start = Instant::now();
            let action = bots[game.state().decider().index()].choose(&game, scripts);
            game.apply_unchecked(action, scripts)?;
            *kind = (kind.0 + 1, kind.1 + start.elapsed());
            if game.state().pile_len() >= half {
                kinds.midgame_bytes = game.state().bytes();
            }
        }
        kinds.end_bytes = game.state().bytes();
        setup.seed = setup.seed.wrapping_add(1);
    }
    let kind = |(name, (decisions, time))| Kind { name, decisions, time };
    kinds.kinds = found.into_iter().map(kind).collect();
    Ok(kinds)
}
