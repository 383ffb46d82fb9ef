//! Saves and golden replays: one text format, an answer a line. Offers are recomputed, so a save cannot offer stale moves.

use std::fmt;

use crate::game::{Game, Setup};
use crate::geometry::{Position, Rotation};
use crate::hooks::Scripts;
use crate::ids::TileDefId;
use crate::notation;
use crate::ruleset::{Ruleset, Start};

/// First line of every save.
pub const HEADER: &str = "trencavel-replay 1";

/// A game as text: what it was played with, how it began, and what was answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// Lines of the lock, which the host writes and reads.
    pub lock: Vec<String>,
    /// Names, in turn order.
    pub players: Vec<String>,
    /// Decides the order of the piles and every other chance.
    pub seed: u64,
    /// Who began, by seat.
    pub first: usize,
    /// The tiles to draw, if they were given.
    pub stack: Option<Vec<String>>,
    /// The start layout, if it was given: design, space, rotation.
    pub starts: Option<Vec<(String, Position, Rotation)>>,
    /// Answers in our notation, each after the letter of who gave it: `A: pass`.
    pub answers: Vec<String>,
}

/// Why a text is no save.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ReplayError {
    /// 1-based.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        for line in &self.lock {
            writeln!(f, "lock {line}")?;
        }
        for player in &self.players {
            writeln!(f, "player {player}")?;
        }
        writeln!(f, "seed {}", self.seed)?;
        if self.first != 0 {
            writeln!(f, "first {}", self.first)?;
        }
        for (tile, at, rotation) in self.starts.iter().flatten() {
            writeln!(f, "start {tile} {at} {rotation}")?;
        }
        if let Some(stack) = &self.stack {
            writeln!(f, "stack {}", stack.join(" "))?;
        }
        for answer in &self.answers {
            writeln!(f, "{answer}")?;
        }
        Ok(())
    }
}

impl Replay {
    /// Reads a save. A last line without its end was cut off: it is left out and returned beside what was read.
    ///
    /// # Errors
    /// If a complete line is not what a save holds.
    pub fn parse(text: &str) -> Result<(Self, Option<String>), ReplayError> {
        let (whole, torn) = match text.rfind('\n') {
            Some(end) => (&text[..end], &text[end + 1..]),
            None => ("", text),
        };
        let mut replay = Self::default();
        let mut lines = whole.lines().enumerate();
        match lines.next() {
            Some((_, HEADER)) => {}
            other => {
                let found = other.map_or(torn, |(_, line)| line);
                let message = format!("a save begins with `{HEADER}`, not `{}`", excerpt(found));
                return Err(ReplayError { line: 1, message });
            }
        }
        for (index, line) in lines {
            replay.line(line).map_err(|message| ReplayError { line: index + 1, message })?;
        }
        Ok((replay, (!torn.is_empty()).then(|| torn.to_owned())))
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let number = |text: &str| text.parse().map_err(|_| format!("`{}` is not a number", excerpt(text)));
        match word {
            "" => {}
            _ if word.starts_with('#') => {}
            "lock" => self.lock.push(rest.to_owned()),
            "player" => self.players.push(rest.to_owned()),
            "seed" => self.seed = number(rest)?,
            "first" => self.first = number(rest)? as usize,
            "stack" => self.stack = Some(rest.split_whitespace().map(str::to_owned).collect()),
            "start" => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let [tile, at, rotation] = words[..] else {
                    return Err("a start tile is `start TILE X,Y rN`".to_owned());
                };
                let at = at.parse().map_err(|error| format!("{error}"))?;
                let rotation = rotation.parse().map_err(|error| format!("{error}"))?;
                self.starts.get_or_insert_default().push((tile.to_owned(), at, rotation));
            }
            _ if word.len() == 2 && word.ends_with(':') && word.as_bytes()[0].is_ascii_uppercase() => {
                self.answers.push(line.to_owned());
            }
            _ => return Err(format!("`{}` is not part of a save", excerpt(line))),
        }
        Ok(())
    }

    /// The setup of the game.
    ///
    /// # Errors
    /// If a tile is not part of the ruleset.
    pub fn setup(&self, rules: &Ruleset) -> Result<Setup, String> {
        let tile =
            |name: &str| rules.tile_by_name(name).ok_or_else(|| format!("no tile `{}` in this ruleset", excerpt(name)));
        let stack =
            self.stack.as_ref().map(|stack| stack.iter().map(|name| tile(name)).collect::<Result<Vec<TileDefId>, _>>());
        let starts = self.starts.as_ref().map(|starts| {
            let start = |(name, at, rotation): &(String, Position, Rotation)| {
                Ok(Start { tile: tile(name)?, at: *at, rotation: *rotation })
            };
            starts.iter().map(start).collect::<Result<Vec<_>, String>>()
        });
        Ok(Setup {
            players: self.players.clone(),
            seed: self.seed,
            first: self.first,
            stack: stack.transpose()?,
            starts: starts.transpose()?,
            ..Setup::default()
        })
    }

    /// Plays the answers, at most `limit` of them.
    ///
    /// # Errors
    /// The number of the answer that could not be given, from 1, and why.
    pub fn play(&self, game: &mut Game, limit: usize, scripts: &mut dyn Scripts) -> Result<(), (usize, String)> {
        for (index, answer) in self.answers.iter().take(limit).enumerate() {
            self.answer(game, answer, scripts).map_err(|message| (index + 1, message))?;
        }
        Ok(())
    }

    fn answer(&self, game: &mut Game, line: &str, scripts: &mut dyn Scripts) -> Result<(), String> {
        let (who, text) = line.split_once(": ").ok_or_else(|| format!("`{}` names no player", excerpt(line)))?;
        let decider = notation::letter(game.state().decider());
        if game.state().is_over() {
            return Err(format!("`{}` comes after the end of the game", excerpt(line)));
        }
        if who != decider.to_string() {
            return Err(format!("`{}`: {decider} decides here, not {who}", excerpt(line)));
        }
        let action = notation::parse(game, text).map_err(|error| error.to_string())?;
        game.apply(action, scripts).map_err(|error| format!("`{}`: {error}", excerpt(text)))
    }
}

/// The start of a text that may be anything.
fn excerpt(text: &str) -> String {
    text.chars().take(60).collect()
}

/// The answer just before it is given, as a save writes it.
pub fn answer_line(game: &Game, action: crate::decision::Action) -> String {
    let words = notation::action(game.rules(), game.state(), action);
    format!("{}: {words}", notation::letter(game.state().decider()))
}
