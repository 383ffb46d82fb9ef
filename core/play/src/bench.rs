//! How fast games are: the same games every time, so that two measurements compare.

use std::sync::Arc;
use std::time::{Duration, Instant};

use trencavel_rules::hooks::Scripts;
use trencavel_rules::{ActionError, Game, Ruleset, Setup, SetupError};

use crate::bots::{playout, random_table};

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Games played.
    pub games: u32,
    /// Answers given in them.
    pub decisions: u64,
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

    /// Mean points of each player.
    pub fn means(&self) -> impl Iterator<Item = f64> {
        self.points.iter().map(|points| *points as f64 / f64::from(self.games.max(1)))
    }

    fn seconds(&self) -> f64 {
        self.time.as_secs_f64().max(1e-9)
    }
}

/// Plays `games` random games whose seeds follow each other from the setup's on.
///
/// # Errors
/// If the setup is no game, or a hook fails.
pub fn run(rules: &Arc<Ruleset>, setup: &Setup, games: u32, scripts: &mut dyn Scripts) -> Result<Measured, BenchError> {
    let mut measured = Measured { games, points: vec![0; setup.players.len()], ..Measured::default() };
    let mut setup = setup.clone();
    let start = Instant::now();
    for _ in 0..games {
        let mut game = Game::from_setup(rules.clone(), &setup, scripts)?;
        let mut bots = random_table(setup.seed, setup.players.len());
        measured.decisions += u64::from(playout(&mut game, &mut bots, scripts)?);
        for (sum, points) in measured.points.iter_mut().zip(game.state().scores()) {
            *sum += i64::from(*points);
            measured.check = measured.check.rotate_left(7) ^ u64::from(points.unsigned_abs());
        }
        setup.seed = setup.seed.wrapping_add(1);
    }
    measured.time = start.elapsed();
    Ok(measured)
}
