//! Plays a recording: each message becomes the action of ours that it means.

use std::sync::Arc;

use trencavel_rules::hooks::Scripts;
use trencavel_rules::ids::{PlayerId, TileId};
use trencavel_rules::save::answer_line;
use trencavel_rules::words::EventKind;
use trencavel_rules::{Action, Game, Ruleset, Setup, Start, notation};

use crate::choices::View;
use crate::draws;
use crate::file::{Aim, Message, Recording, excerpt};
use crate::request::{Loader, Unsupported};
use crate::table::Table;

/// Decisions of ours that one message may answer on its way.
const MAX_STEPS: usize = 40;

/// Why a recording cannot be played to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// It needs something we have not.
    #[error("{0}")]
    Unsupported(#[from] Unsupported),
    /// The game cannot be set up.
    #[error("the game cannot be set up: {0}")]
    Setup(String),
    /// A message means nothing that is offered.
    #[error("message {index} ({message}) is not offered; {offered}")]
    Message {
        /// Its place among the messages, from 0.
        index: usize,
        /// What it says.
        message: String,
        /// What the game waits for and offers.
        offered: String,
    },
    /// A hook failed.
    #[error("message {index}: {text}")]
    Hook {
        /// Its place among the messages, from 0.
        index: usize,
        /// What went wrong.
        text: String,
    },
}

/// Where a game stands, as far as the other engine's messages divide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stage {
    turn: u32,
    placed: Option<TileId>,
    events: usize,
    decider: PlayerId,
    /// What is asked comes after the COMMIT of the turn.
    is_after: bool,
}

/// What a message did.
#[derive(Clone, Debug)]
struct Trail {
    answers: usize,
    lines: usize,
    stage: Stage,
    is_ahead: bool,
    /// What the game waited for.
    waits: String,
}

/// A recording in play.
pub struct Session<'a> {
    table: &'a Table,
    recording: &'a Recording,
    game: Game,
    scripts: Box<dyn Scripts>,
    trails: Vec<Trail>,
    /// For each ledger line, the message during which it was written.
    lines: Vec<usize>,
    next: usize,
    /// Our game went past the point at which the other engine waits for COMMIT.
    is_ahead: bool,
    rewound: bool,
    /// Every answer in words, if somebody wants to know.
    told: Option<Vec<String>>,
}

impl<'a> Session<'a> {
    /// Sets the game of a recording up.
    ///
    /// # Errors
    /// If it needs something we have not.
    pub fn start(table: &'a Table, recording: &'a Recording, load: Loader<'_>) -> Result<Self, PlayError> {
        let request = table.request(recording)?;
        for message in &recording.messages {
            if !table.knows_message(&message.kind, &message.what) {
                let name = format!("{} {}", message.kind, message.what);
                return Err(Unsupported::new("message", name.trim_end()).into());
            }
        }
        let (rules, mut scripts) = load(&request)?;
        let setup = setup(table, &rules, recording)?;
        let game = Game::from_setup(rules, &setup, scripts.as_mut())
            .map_err(|error| PlayError::Setup(excerpt(&error.to_string())))?;
        let mut session = Self {
            table,
            recording,
            game,
            scripts,
            trails: Vec::new(),
            lines: Vec::new(),
            next: 0,
            is_ahead: false,
            rewound: false,
            told: None,
        };
        session.note_lines(0);
        Ok(session)
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// For each ledger line, the message during which it was written.
    pub fn line_messages(&self) -> &[usize] {
        &self.lines
    }

    /// From now on each answer is kept in words.
    pub fn tell(&mut self) {
        self.told.get_or_insert_default();
    }

    /// The answers in words since the last time they were taken.
    pub fn take_told(&mut self) -> Vec<String> {
        self.told.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// How many messages were played.
    pub fn played(&self) -> usize {
        self.next
    }

    pub(crate) fn view(&self) -> View<'_> {
        View { table: self.table, game: &self.game }
    }

    /// True while the other engine still waits for COMMIT and our game has gone on.
    pub(crate) fn is_ahead(&self) -> bool {
        self.is_ahead
    }

    /// The phase in which the other engine still is then: that of a question after COMMIT waits for one of its own.
    pub(crate) fn behind(&self) -> Option<&str> {
        let trail = self.trails.last().filter(|trail| self.is_ahead && trail.stage.is_after)?;
        Some(self.table.phase(&trail.waits))
    }

    /// True if a ransom took the turn back to its action.
    pub(crate) fn was_rewound(&self) -> bool {
        self.rewound
    }

    /// Ledger lines that the other engine has written too.
    pub(crate) fn visible_lines(&self) -> usize {
        match self.trails.last() {
            Some(trail) if self.is_ahead => {
                let (rules, lines) = (self.game.rules(), self.game.state().lines());
                let at_once = lines.iter().skip(trail.lines).take_while(|line| self.table.is_at_once(rules, line));
                trail.lines + at_once.count()
            }
            _ => self.game.state().lines().len(),
        }
    }

    /// True if the other engine would take the last message back.
    pub(crate) fn may_undo(&self) -> bool {
        let (Some(trail), Some(message)) = (self.trails.last(), self.recording.messages.last()) else { return false };
        let by_dragon = message.kind == "MOVE_NEUTRAL_FIGURE" && message.what == "dragon";
        let same = self.is_ahead || self.stage().decider == trail.stage.decider;
        message.random.is_none() && same && !by_dragon && message.kind != "COMMIT"
    }

    /// Plays every message.
    ///
    /// # Errors
    /// At the first that means nothing that is offered.
    pub fn play(&mut self) -> Result<(), PlayError> {
        while self.step()?.is_some() {}
        Ok(())
    }

    /// Plays the next message; `None` after the last.
    ///
    /// # Errors
    /// If it means nothing that is offered.
    pub fn step(&mut self) -> Result<Option<usize>, PlayError> {
        let recording = self.recording;
        let index = self.next;
        let Some(message) = recording.messages.get(index) else { return Ok(None) };
        self.next += 1;
        if message.kind == "UNDO" {
            self.take_back(index)?;
            return Ok(Some(index));
        }
        let trail = Trail {
            answers: self.game.answers().len(),
            lines: self.game.state().lines().len(),
            stage: self.stage(),
            is_ahead: self.is_ahead,
            waits: self.game.waits_for().to_owned(),
        };
        self.trails.push(trail.clone());
        let ransom = recording.messages.get(index + 1).filter(|next| next.kind == "PAY_RANSOM");
        self.rewound = false;
        match ransom {
            // A ransom may come after the action; the turn then goes back to it, as if it had come before.
            Some(ransom) if message.kind != "PLACE_TILE" && self.view().find(ransom).is_some() => {
                self.next += 1;
                self.apply(index + 1, ransom)?;
                self.trails.push(Trail { answers: self.game.answers().len(), ..trail.clone() });
                self.rewound = true;
                if message.kind != "PASS" {
                    self.apply(index, message)?;
                }
            }
            _ => self.apply(index, message)?,
        }
        // Passing a question after COMMIT goes on at once.
        let goes_on = message.kind == "COMMIT" || (message.kind == "PASS" && trail.stage.is_after);
        self.is_ahead = !goes_on && self.went_past(&trail.stage, message);
        Ok(Some(index))
    }

    fn stage(&self) -> Stage {
        let state = self.game.state();
        Stage {
            turn: state.turn(),
            placed: state.placed(),
            events: state.events().len(),
            decider: state.decider(),
            is_after: self.table.is_after_commit(self.game.waits_for()),
        }
    }

    fn went_past(&self, before: &Stage, message: &Message) -> bool {
        let now = self.stage();
        let state = self.game.state();
        let was_down = before.placed.is_some() || message.kind == "PLACE_TILE";
        let completed = state.events().get(before.events..).unwrap_or_default();
        now.turn != before.turn
            || state.is_over()
            || (was_down && now.placed.is_none())
            || (now.is_after && !before.is_after)
            || completed.iter().any(|event| event.kind == EventKind::Completed)
    }

    fn note_lines(&mut self, index: usize) {
        self.lines.resize(self.game.state().lines().len(), index);
    }

    fn take_back(&mut self, index: usize) -> Result<(), PlayError> {
        let Some(trail) = self.trails.pop() else { return Ok(()) };
        while self.game.answers().len() > trail.answers {
            self.game.undo(self.scripts.as_mut()).map_err(|error| hook_error(index, &error.to_string()))?;
        }
        self.lines.truncate(trail.lines);
        self.is_ahead = trail.is_ahead;
        Ok(())
    }

    fn apply(&mut self, index: usize, message: &Message) -> Result<(), PlayError> {
        match message.kind.as_str() {
            // What is left before it is no option in the other engine.
            "COMMIT" => {
                while !self.is_ahead && self.view().only_free() && self.game.state().placed().is_some() {
                    self.answer(index, Action::Pass)?;
                }
                Ok(())
            }
            "PASS" if self.game.legal_actions().contains(&Action::Pass) => self.answer(index, Action::Pass),
            "PASS" => Err(self.not_offered(index, message)),
            _ => self.choose(index, message),
        }
    }

    /// Finds what the message means; forced answers and decisions without a real option come in between.
    fn choose(&mut self, index: usize, message: &Message) -> Result<(), PlayError> {
        for _ in 0..MAX_STEPS {
            if let Some(action) = self.view().find(message) {
                self.answer(index, action)?;
                if self.is_still_to_place(message) {
                    continue;
                }
                return Ok(());
            }
            match self.game.legal_actions() {
                [only @ Action::Answer(_)] => self.answer(index, *only)?,
                _ if self.view().only_free() => self.answer(index, Action::Pass)?,
                _ => break,
            }
        }
        Err(self.not_offered(index, message))
    }

    /// True if the message's tile is in hand and not on its space yet: taking it was a choice of its own.
    fn is_still_to_place(&self, message: &Message) -> bool {
        let state = self.game.state();
        let Aim::Space(at) = message.aim else { return false };
        message.kind == "PLACE_TILE"
            && state.tile_at(at).is_none()
            && state.hand().is_some_and(|hand| self.game.rules().tile_by_name(&message.what) == Some(hand))
    }

    fn answer(&mut self, index: usize, action: Action) -> Result<(), PlayError> {
        if let Some(told) = &mut self.told {
            told.push(answer_line(&self.game, action));
        }
        let applied = self.game.apply(action, self.scripts.as_mut());
        applied.map_err(|error| hook_error(index, &error.to_string()))?;
        self.note_lines(index);
        match self.view().skipped() {
            Some(only) => self.answer(index, only),
            None => Ok(()),
        }
    }

    fn not_offered(&self, index: usize, message: &Message) -> PlayError {
        PlayError::Message { index, message: message_words(message), offered: self.offered_words() }
    }

    /// What the game waits for and offers, shortened.
    pub fn offered_words(&self) -> String {
        const SHOWN: usize = 6;
        let actions = self.game.legal_actions();
        let (rules, state) = (self.game.rules(), self.game.state());
        let mut words: Vec<String> =
            actions.iter().take(SHOWN).map(|action| notation::action(rules, state, *action)).collect();
        if actions.len() > SHOWN {
            words.push(format!("{} more", actions.len() - SHOWN));
        }
        let who = notation::letter(state.decider());
        format!("{who} decides {}: {}", self.game.waits_for(), words.join("; "))
    }
}

fn hook_error(index: usize, text: &str) -> PlayError {
    PlayError::Hook { index, text: text.chars().take(300).collect() }
}

/// A message in a few words, for errors and explanations.
pub fn message_words(message: &Message) -> String {
    let mut words = excerpt(&message.kind);
    if !message.what.is_empty() {
        words.push_str(&format!(" {}", excerpt(&message.what)));
    }
    let pointer_words = |pointer: &crate::file::Pointer| {
        format!("{} {} {}", excerpt(&pointer.feature), excerpt(&pointer.location), pointer.at)
    };
    match &message.aim {
        Aim::Nothing => {}
        Aim::Space(at) => words.push_str(&format!(" {at}")),
        Aim::Place(pointer) => words.push_str(&format!(" {}", pointer_words(pointer))),
        Aim::Figure(meeple, pointer) => {
            words.push_str(&format!(" {}.{}", meeple.player, excerpt(&meeple.kind)));
            if let Some(pointer) = pointer {
                words.push_str(&format!(" {}", pointer_words(pointer)));
            }
        }
    }
    if message.kind == "PLACE_TILE" {
        words.push_str(&format!(" {}", message.rotation));
    }
    words
}

/// The setup of a recording's game under a ruleset.
///
/// # Errors
/// If a tile is not part of the ruleset, or too many play.
pub fn setup(table: &Table, rules: &Arc<Ruleset>, recording: &Recording) -> Result<Setup, Unsupported> {
    let players = recording.players.len();
    if players > trencavel_rules::game::MAX_PLAYERS {
        return Err(Unsupported::new("number of players", &players.to_string()));
    }
    let start = |(code, at, rotation): &(String, trencavel_rules::Position, trencavel_rules::Rotation)| {
        let tile = draws::find(rules, code)?;
        Ok(Start { tile, at: *at, rotation: *rotation })
    };
    Ok(Setup {
        players: recording.players.clone(),
        stack: Some(draws::stack(table, rules, recording)?),
        starts: Some(recording.start.iter().map(start).collect::<Result<_, Unsupported>>()?),
        ask_forced: true,
        ..Setup::default()
    })
}
