//! A game in progress: setup in, legal actions out, answers applied, undone, replayed.

mod search;

use std::sync::Arc;

use crate::board::{self, Placement};
use crate::decision::{Action, Lifted, Refusal};
use crate::engine::{Engine, INTENT_BUDGET, Scratch};
use crate::figures;
use crate::hooks::{HookError, Scripts};
use crate::ids::*;
use crate::ruleset::{Class, Ruleset, Start};
use crate::seed;
use crate::state::{Agendum, Anchor, Mark, State, Waiting};

/// Players a game may have.
pub const MAX_PLAYERS: usize = 6;

/// Decisions a turn may have. Turns of real games have a few dozen.
const TURN_DECISIONS: u32 = 1000;

/// A figure that stands on the board before the first turn, for puzzles and tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetFigure {
    /// Whose it is; `None` for a neutral figure.
    pub player: Option<PlayerId>,
    /// What it is.
    pub kind: FigureKindId,
    /// The space of its tile.
    pub at: crate::geometry::Position,
    /// The segment it stands on, by its place on the tile; `None`: on the tile itself.
    pub segment: Option<usize>,
    /// The seat; `None`: the first that takes the figure.
    pub seat: Option<SeatId>,
}

/// How a game begins. Anything may be described; [`Game::from_setup`] accepts what is valid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setup {
    /// Names, in turn order: one to six.
    pub players: Vec<String>,
    /// Decides the order of the piles and every other chance.
    pub seed: u64,
    /// The tiles to draw, first to last, instead of shuffled piles.
    pub stack: Option<Vec<TileDefId>>,
    /// The start layout, instead of the ruleset's.
    pub starts: Option<Vec<Start>>,
    /// Tiles laid after the start layout, by nobody.
    pub board: Vec<Start>,
    /// Figures set on the board.
    pub figures: Vec<SetFigure>,
    /// Points at the beginning, by player.
    pub scores: Vec<i32>,
    /// Who begins, by seat.
    pub first: usize,
    /// Intents one decision may cause before it counts as a loop; 2,000 if it is not set.
    pub intents: Option<u32>,
    /// Also asks what has only one answer, for programs that count or record decisions.
    pub ask_forced: bool,
}

/// Why a setup is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// Too few or too many.
    #[error("{found} players: a game has 1 to {MAX_PLAYERS}")]
    Players {
        /// How many there were.
        found: usize,
    },
    /// The first player does not exist.
    #[error("player {first} cannot begin: there are {players}")]
    First {
        /// The seat, from 0.
        first: usize,
        /// How many there are.
        players: usize,
    },
    /// Two tiles on one space.
    #[error("two tiles lie on {at}")]
    Taken {
        /// The space.
        at: crate::geometry::Position,
    },
    /// A tile that does not fit where it is set.
    #[error("tile {tile} does not fit on {at} {rotation}")]
    Fit {
        /// Its id.
        tile: String,
        /// The space.
        at: crate::geometry::Position,
        /// How it is turned.
        rotation: crate::geometry::Rotation,
    },
    /// A figure that cannot stand where it is set.
    #[error("{kind} cannot stand on {at}: {why}")]
    Figure {
        /// What it is.
        kind: String,
        /// The space.
        at: crate::geometry::Position,
        /// What is in the way.
        why: &'static str,
    },
    /// A hook failed before the first decision.
    #[error(transparent)]
    Hook(#[from] HookError),
}

/// Why an action did not happen. The game is exactly as before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ActionError {
    /// It is not offered.
    #[error("not offered: {}", texts(refusals))]
    Refused {
        /// Every reason.
        refusals: Vec<Refusal>,
    },
    /// A hook failed.
    #[error("the action was taken back: {0}")]
    Hook(#[from] HookError),
    /// Nothing to undo.
    #[error("no decision to take back")]
    NothingToUndo,
}

fn texts(refusals: &[Refusal]) -> String {
    refusals.iter().map(|refusal| refusal.text.as_str()).collect::<Vec<_>>().join("; ")
}

/// An answer that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Who gave it.
    pub player: PlayerId,
    /// What.
    pub action: Action,
}

/// A game: shared rules, a state, and what was answered.
#[derive(Debug)]
pub struct Game {
    rules: Arc<Ruleset>,
    state: State,
    scratch: Scratch,
    answers: Vec<Answer>,
    marks: Vec<Mark>,
    /// Work space of the shuffle: pile, key and tile in one number, from the highest bits down.
    keyed: Vec<u128>,
}

impl Clone for Game {
    fn clone(&self) -> Self {
        let mut scratch = self.fresh_scratch();
        scratch.choices.copy_from(&self.scratch.choices);
        Self {
            rules: self.rules.clone(),
            state: self.state.clone(),
            scratch,
            answers: self.answers.clone(),
            marks: Vec::new(),
            keyed: Vec::new(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.rules.clone_from(&source.rules);
        self.state.clone_from(&source.state);
        self.scratch.choices.copy_from(&source.scratch.choices);
        self.scratch.terse = source.scratch.terse;
        self.state.remember(!source.scratch.terse);
        self.answers.clone_from(&source.answers);
        self.marks.clear();
    }
}

impl Game {
    /// Sets a game up and goes on to its first decision.
    ///
    /// # Errors
    /// If the setup is no game, or a hook fails before the first decision.
    pub fn from_setup(rules: Arc<Ruleset>, setup: &Setup, scripts: &mut dyn Scripts) -> Result<Self, SetupError> {
        let mut game = Self {
            rules,
            state: State::default(),
            scratch: Scratch::default(),
            answers: Vec::new(),
            marks: Vec::new(),
            keyed: Vec::new(),
        };
        game.renew(setup, scripts)?;
        Ok(game)
    }

    /// Begins a new game with the same rules, in the room of this one.
    ///
    /// # Errors
    /// As [`Game::from_setup`]; the game is then of no use until it is renewed.
    pub fn renew(&mut self, setup: &Setup, scripts: &mut dyn Scripts) -> Result<(), SetupError> {
        self.state.clear();
        self.scratch.choices.forget();
        self.scratch.budget = setup.intents.unwrap_or(INTENT_BUDGET);
        self.answers.clear();
        self.marks.clear();
        self.scratch.refused.fill(0);
        self.seat_players(setup)?;
        self.lay_out(setup)?;
        self.set_figures(setup)?;
        self.fill_pile(setup);
        self.state.now.seed = setup.seed;
        self.state.now.ask_forced = setup.ask_forced;
        let mut engine = self.engine(scripts);
        engine.begin_turn(PlayerId(setup.first as u8));
        engine.advance()?;
        self.state.forget();
        Ok(())
    }

    fn engine<'a>(&'a mut self, scripts: &'a mut dyn Scripts) -> Engine<'a> {
        Engine { rules: &self.rules, state: &mut self.state, scratch: &mut self.scratch, scripts }
    }

    fn seat_players(&mut self, setup: &Setup) -> Result<(), SetupError> {
        let players = setup.players.len();
        if !(1..=MAX_PLAYERS).contains(&players) {
            return Err(SetupError::Players { found: players });
        }
        if setup.first >= players {
            return Err(SetupError::First { first: setup.first, players });
        }
        self.state.kinds = self.rules.figures.len() as u8;
        for seat in 0..players {
            self.state.scores.push(setup.scores.get(seat).copied().unwrap_or(0));
        }
        let owners = std::iter::once(PlayerId::NONE).chain((0..players as u8).map(PlayerId));
        for owner in owners {
            let neutral = owner == PlayerId::NONE;
            if !neutral {
                self.hand_out_tokens(owner, players);
            }
            for (kind, data) in self.rules.clone().figure_kinds() {
                let here = (data.class == Class::Neutral) == neutral;
                if !neutral {
                    self.state.supply.push(if here { data.per_player } else { 0 });
                }
                for _ in 0..if here { data.per_player } else { 0 } {
                    self.state.figures.push(crate::state::Figure {
                        kind,
                        owner,
                        at: Anchor::Supply,
                        next: FigureId::NONE,
                    });
                    self.state.neutrals += u16::from(neutral);
                }
            }
        }
        Ok(())
    }

    fn hand_out_tokens(&mut self, player: PlayerId, players: usize) {
        for (index, token) in self.rules.tokens.iter().enumerate() {
            let count = token.per_player.get(players - 1).or(token.per_player.last()).copied().unwrap_or(0);
            if count > 0 {
                let kind = TokenKindId(index as u8);
                self.state.tokens.push(crate::state::Tokens { kind, at: Anchor::Held(player), count });
            }
        }
    }

    fn lay_out(&mut self, setup: &Setup) -> Result<(), SetupError> {
        let rules = self.rules.clone();
        let starts = setup.starts.as_deref().unwrap_or(&rules.starts);
        let mut done = Placement::default();
        for (index, start) in starts.iter().chain(&setup.board).enumerate() {
            if self.state.tile_at(start.at).is_some() {
                return Err(SetupError::Taken { at: start.at });
            }
            let fits = match board::find_space(&self.state, start.at) {
                Some(place) => {
                    let signature = self.state.spaces.get(place).signature;
                    self.rules.tile(start.tile).fitting(signature) >> start.rotation.index() & 1 == 1
                }
                // The first tile, and the tiles of a start layout with gaps, lie beside nothing.
                None => index < starts.len() || index == 0,
            };
            if !fits {
                let tile = self.rules.tile(start.tile).id.to_string();
                return Err(SetupError::Fit { tile, at: start.at, rotation: start.rotation });
            }
            board::place(&self.rules, &mut self.state, &mut done, start.tile, start.at, start.rotation);
        }
        // What a set board closed was completed before the game began.
        let closed: Vec<FeatureId> = self.state.features().collect();
        for feature in closed {
            if crate::features::is_closing(&self.rules, self.state.feature(feature)) {
                self.state.features.edit(feature.index()).completed = true;
            }
        }
        Ok(())
    }

    fn set_figures(&mut self, setup: &Setup) -> Result<(), SetupError> {
        for set in &setup.figures {
            let kind = self.rules.figure_kind(set.kind);
            let refuse = |why| SetupError::Figure { kind: kind.name.to_string(), at: set.at, why };
            let tile = self.state.tile_at(set.at).ok_or_else(|| refuse("no tile lies there"))?;
            let owner = set.player.unwrap_or(PlayerId::NONE);
            let figure = figures::free(&self.state, owner, set.kind).ok_or_else(|| refuse("none is left in supply"))?;
            let to = match set.segment {
                None => Anchor::Tile(tile),
                Some(local) => {
                    let placed = self.state.tile(tile);
                    let printed =
                        self.rules.tile(placed.def).segments.get(local).ok_or_else(|| refuse("no such segment"))?;
                    let mut seats = self.rules.feature_kind(printed.kind).seats.iter().copied();
                    let seat = seats
                        .find(|seat| kind.seats >> seat.0 & 1 == 1 && set.seat.is_none_or(|wanted| wanted == *seat));
                    let seat = seat.ok_or_else(|| refuse("it has no seat there"))?;
                    Anchor::Seat { segment: SegmentId(placed.first.0 + local as u32), seat }
                }
            };
            figures::put(&self.rules, &mut self.state, figure, to);
        }
        Ok(())
    }

    fn fill_pile(&mut self, setup: &Setup) {
        if let Some(stack) = &setup.stack {
            for tile in stack.iter().rev() {
                self.state.pile.push(*tile);
            }
            return;
        }
        self.shuffle(setup);
        for index in (0..self.keyed.len()).rev() {
            self.state.pile.push(TileDefId(self.keyed[index] as u16));
        }
    }

    /// Each copy of a tile has a key of its own, so packs that share tiles keep their relative order.
    fn shuffle(&mut self, setup: &Setup) {
        self.keyed.clear();
        for copies in &self.rules.copies {
            let taken = self.state.tiles().filter(|(_, tile)| tile.def == copies.tile).count();
            let rank = self.rules.pile_rank(copies.pile);
            let numbers = copies.numbers.iter().skip(taken);
            let (rank, tile) = (u128::from(rank) << 80, u128::from(copies.tile.0));
            let keys = numbers.map(|number| rank | u128::from(seed::key(setup.seed, *number)) << 16 | tile);
            self.keyed.extend(keys);
        }
        self.keyed.sort_unstable();
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Ruleset> {
        &self.rules
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What may be chosen now: sorted, without duplicates, and the only authority on legality. Empty when the game is over.
    ///
    /// The places of a tile are listed when this is first asked for; [`Game::draw`] and [`Game::is_legal`] do without.
    pub fn legal_actions(&self) -> &[Action] {
        if self.state.is_over() { &[] } else { self.scratch.choices.list(&self.rules, &self.state) }
    }

    /// True for one of the legal actions.
    pub fn is_legal(&self, action: &Action) -> bool {
        !self.state.is_over() && self.scratch.choices.contain(&self.rules, &self.state, action)
    }

    /// One of the legal actions at random, each as likely as any other; `None` when the game is over. `random` gives 64
    /// random bits a time and is asked as often as it takes.
    pub fn draw(&self, random: impl FnMut() -> u64) -> Option<Action> {
        if self.state.is_over() { None } else { self.scratch.choices.draw(&self.rules, &self.state, random) }
    }

    /// What was answered so far. Forced steps are not recorded.
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// Checks an action, makes it happen, and goes on to the next decision.
    ///
    /// # Errors
    /// If it is not offered or a hook fails; the game is then exactly as before.
    pub fn apply(&mut self, action: Action, scripts: &mut dyn Scripts) -> Result<(), ActionError> {
        if !self.is_legal(&action) {
            let refusals = self.refusals(action, scripts)?;
            return Err(ActionError::Refused { refusals });
        }
        self.apply_unchecked(action, scripts)
    }

    /// Makes an offered action happen. For any other action the state that results is meaningless, though never unsafe.
    ///
    /// # Errors
    /// If a hook fails; the game is then exactly as before.
    pub fn apply_unchecked(&mut self, action: Action, scripts: &mut dyn Scripts) -> Result<(), ActionError> {
        if self.scratch.terse {
            return self.go_on(action, scripts).inspect_err(|_| self.state.now.waiting = Waiting::Over);
        }
        let mark = self.state.mark();
        let answer = Answer { player: self.state.now.decider, action };
        match self.go_on(action, scripts) {
            Ok(()) => {
                debug_assert!(self.scratch.is_settled(), "{:?}", self.scratch);
                self.answers.push(answer);
                self.marks.push(mark);
                Ok(())
            }
            Err(error) => {
                // What was begun is not to be found by the next decision.
                let refused = std::mem::take(&mut self.scratch.refused);
                self.scratch = Scratch { refused, ..self.fresh_scratch() };
                self.restore(&mark, scripts)?;
                Err(error)
            }
        }
    }

    fn go_on(&mut self, action: Action, scripts: &mut dyn Scripts) -> Result<(), ActionError> {
        self.state.now.decisions += 1;
        self.scratch.intents = 0;
        self.scratch.chain.clear();
        self.scratch.stopped.clear();
        self.endless_turn()?;
        let mut engine = self.engine(scripts);
        engine.answer(action)?;
        Ok(engine.advance()?)
    }

    fn fresh_scratch(&self) -> Scratch {
        Scratch { budget: self.scratch.budget, terse: self.scratch.terse, ..Scratch::default() }
    }

    /// An offer or a question that comes back whatever is answered would let a turn go on for ever.
    fn endless_turn(&self) -> Result<(), HookError> {
        let now = &self.state.now;
        if now.decisions - now.decisions_before <= TURN_DECISIONS {
            return Ok(());
        }
        let waits = self.waits_for();
        Err(HookError::new(format!("this turn has had {TURN_DECISIONS} decisions and still waits for {waits}")))
    }

    /// Takes back what happened since a mark. The options were listed before, so they can be listed again, unless a
    /// script answers otherwise than it did then.
    fn restore(&mut self, mark: &Mark, scripts: &mut dyn Scripts) -> Result<(), HookError> {
        self.state.undo(mark);
        self.scratch.choices.forget();
        self.engine(scripts).list_options()
    }

    /// Takes the last answer back.
    ///
    /// # Errors
    /// If there is none, or the history was forgotten.
    pub fn undo(&mut self, scripts: &mut dyn Scripts) -> Result<Answer, ActionError> {
        let (Some(mark), Some(answer)) = (self.marks.pop(), self.answers.last().copied()) else {
            return Err(ActionError::NothingToUndo);
        };
        self.answers.pop();
        self.restore(&mark, scripts)?;
        Ok(answer)
    }

    /// Forgets what was, and keeps no history from now on: no undo, no answers, no events but those that hooks ask for.
    /// Scores and their lines stay. For playouts: they are faster, and their memory stays flat. When a hook fails, such a
    /// game is over; [`Game::renew`] begins another.
    pub fn keep_no_history(&mut self) {
        self.state.remember(false);
        self.scratch.terse = true;
        self.marks.clear();
        self.answers.clear();
    }

    /// Every reason why an action may not be chosen now; empty for one that is offered.
    ///
    /// # Errors
    /// If a hook fails.
    pub fn refusals(&mut self, action: Action, scripts: &mut dyn Scripts) -> Result<Vec<Refusal>, HookError> {
        self.engine(scripts).refusals(action)
    }

    /// Every refusal that would stand in the way of an action and that waivers lift, with these waivers.
    ///
    /// # Errors
    /// If a hook fails.
    pub fn lifted(&mut self, action: Action, scripts: &mut dyn Scripts) -> Result<Vec<Lifted>, HookError> {
        self.engine(scripts).lifted(action)
    }

    /// The refusals that stopped something a rule asked for since the last answer, in the order in which they did.
    pub fn stopped(&self) -> &[HookId] {
        &self.scratch.stopped
    }

    /// Deployments on the placed tile that are offered or refused, for a player who asks why.
    pub fn candidates(&mut self, scripts: &mut dyn Scripts) -> Vec<Action> {
        self.engine(scripts).candidates()
    }

    /// Everything that is offered, and everything of the same kind that a named refusal keeps from being offered: what a
    /// player may ask about now. Sorted, without duplicates; empty when the game is over.
    ///
    /// # Errors
    /// If a hook fails.
    pub fn considered(&mut self, scripts: &mut dyn Scripts) -> Result<Vec<Action>, HookError> {
        let mut found = self.engine(scripts).considered()?;
        found.extend_from_slice(self.legal_actions());
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// True while the tile in hand is to be placed.
    pub fn is_placing(&self) -> bool {
        self.state.now.waiting == Waiting::Place
    }

    /// Name of the step that waits for a decision, as the agenda calls it.
    pub fn waits_for(&self) -> &str {
        match self.state.now.waiting {
            Waiting::Nothing => "nothing",
            Waiting::Place => "core:place",
            Waiting::Act(step) => self.rules.step_name(step),
            Waiting::Answer(ask) => &self.rules.hook(ask.to).name,
            Waiting::Walk { figure, .. } => &self.rules.figure_kind(self.state.figure(figure).kind).name,
            Waiting::Over => "the end",
        }
    }

    /// Further parts and steps that wait on the agenda.
    pub fn agenda_len(&self) -> usize {
        self.state.agenda.items().iter().filter(|item| !matches!(item, Agendum::List { .. })).count()
    }
}
