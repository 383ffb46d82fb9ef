//! A recording as one of our saves.

use std::sync::Arc;

use trencavel_rules::hooks::Scripts;
use trencavel_rules::save::{Replay, answer_line};
use trencavel_rules::{Game, Ruleset, Setup};

use crate::file::Recording;
use crate::play::{PlayError, Session, setup};
use crate::request::{Loader, Request};
use crate::table::Table;

/// A recording in our words: what it is played with, how it begins, what is answered.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Expansions and options.
    pub request: Request,
    /// The ruleset it was played with.
    pub rules: Arc<Ruleset>,
    /// How the game begins.
    pub setup: Setup,
    /// The save; the host adds its lock.
    pub replay: Replay,
}

/// A name as a save can write it.
fn one_line(name: &str) -> String {
    name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// Plays a recording and writes down what was answered.
///
/// # Errors
/// If it cannot be played to its end.
pub fn import(
    table: &Table,
    recording: &Recording,
    load: Loader<'_>,
    scripts: &mut dyn Scripts,
) -> Result<Imported, PlayError> {
    let request = table.request(recording)?;
    let mut session = Session::start(table, recording, load)?;
    session.play()?;
    let rules = session.game().rules().clone();
    let setup = Setup { ask_forced: false, ..setup(table, &rules, recording)? };
    let mut game =
        Game::from_setup(rules.clone(), &setup, scripts).map_err(|error| PlayError::Setup(error.to_string()))?;
    let mut answers = Vec::new();
    for (index, answer) in session.game().answers().iter().enumerate() {
        // What has one answer is not asked in our saves.
        if !game.legal_actions().contains(&answer.action) || game.state().decider() != answer.player {
            continue;
        }
        answers.push(answer_line(&game, answer.action));
        let applied = game.apply(answer.action, scripts);
        applied.map_err(|error| PlayError::Hook { index, text: error.to_string() })?;
    }
    let name = |tile| rules.tile(tile).id.to_string();
    let replay = Replay {
        players: setup.players.iter().map(|name| one_line(name)).collect(),
        stack: setup.stack.as_ref().map(|stack| stack.iter().map(|tile| name(*tile)).collect()),
        starts: setup
            .starts
            .as_ref()
            .map(|starts| starts.iter().map(|start| (name(start.tile), start.at, start.rotation)).collect()),
        answers,
        ..Replay::default()
    };
    Ok(Imported { request, rules, setup, replay })
}
