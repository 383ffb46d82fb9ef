//! Where plugins answer: callbacks, what they are told, and what they may ask for.

use std::sync::Arc;

use crate::condition::Scope;
use crate::geometry::{Position, Rotation};
use crate::ids::*;
use crate::ruleset::Ruleset;
use crate::state::{Anchor, State, Target};
use crate::words::{EventKind, Verb};

/// A hook written in Rust and linked in.
pub type NativeFn = fn(&mut Call<'_>) -> Result<Reply, HookError>;

/// A function of a script or of a loaded library, by its number at its host.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScriptFn(pub u32);

/// Something the engine may call.
#[derive(Clone, Copy, Debug)]
pub enum Callback {
    /// Linked in.
    Native(NativeFn),
    /// At the host's.
    Script(ScriptFn),
}

/// What a callback gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It had nothing to say; a test says no, a count is 0.
    Nothing,
    /// The answer of a test.
    Bool(bool),
    /// A count.
    Int(i32),
    /// A sentence.
    Text(String),
}

/// Why a hook could not do its work. The decision that asked for it is taken back.
///
/// One word, so that the way without errors costs nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.message)]
pub struct HookError(Box<HookFault>);

/// What a [`HookError`] tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookFault {
    /// What went wrong, in a sentence.
    pub message: String,
    /// File and line, if the host knows them.
    pub place: Option<(Arc<str>, u32)>,
    /// The calls that led there, innermost first.
    pub traceback: Vec<String>,
}

impl HookError {
    /// An error that is only a sentence.
    pub fn new(message: impl Into<String>) -> Self {
        HookFault { message: message.into(), place: None, traceback: Vec::new() }.into()
    }

    /// What it tells.
    pub fn into_fault(self) -> HookFault {
        *self.0
    }
}

impl From<HookFault> for HookError {
    fn from(fault: HookFault) -> Self {
        Self(Box::new(fault))
    }
}

impl std::ops::Deref for HookError {
    type Target = HookFault;

    fn deref(&self) -> &HookFault {
        &self.0
    }
}

/// Runs the functions of scripts and libraries. The base game needs none: [`NoScripts`].
pub trait Scripts {
    /// Calls a function. The state may be moved out of the call for its duration and must be back at the end.
    ///
    /// # Errors
    /// Whatever went wrong in the function, with its place.
    fn call(&mut self, function: ScriptFn, call: &mut Call<'_>) -> Result<Reply, HookError>;
}

/// For rulesets without scripts.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoScripts;

impl Scripts for NoScripts {
    fn call(&mut self, _: ScriptFn, _: &mut Call<'_>) -> Result<Reply, HookError> {
        Err(HookError::new("this ruleset has scripts, but the game is played without a host for them"))
    }
}

/// Something that is about to happen. Which fields count depends on the verb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intent {
    /// What.
    pub verb: Verb,
    /// Who acts; of `pay`, who is paid.
    pub player: PlayerId,
    /// The figure it is about.
    pub figure: FigureId,
    /// The kind of it, where any figure of the kind will do.
    pub kind: FigureKindId,
    /// Where to.
    pub to: Anchor,
    /// The feature it is about.
    pub feature: FeatureId,
    /// The tile it is about.
    pub tile: TileId,
    /// The design to be placed.
    pub def: TileDefId,
    /// Where it is to be placed.
    pub at: Position,
    /// How it is turned.
    pub rotation: Rotation,
    /// Why.
    pub cause: CauseId,
    /// Points, or how many.
    pub amount: i32,
    /// A further part begins before the rest of the current one.
    pub now: bool,
    /// The step to be queued.
    pub step: StepId,
    /// The kind of token that is put.
    pub token: TokenKindId,
    /// The symbol that is set on the feature.
    pub mark: MarkId,
    /// The hook that asked for it; none for a player's choice and the engine's own doing.
    pub by: HookId,
}

impl Intent {
    /// An intent about nothing yet.
    pub fn new(verb: Verb, player: PlayerId) -> Self {
        Self {
            verb,
            player,
            figure: FigureId::NONE,
            kind: FigureKindId::NONE,
            to: Anchor::Supply,
            feature: FeatureId::NONE,
            tile: TileId::NONE,
            def: TileDefId::NONE,
            at: Position::default(),
            rotation: Rotation::R0,
            cause: CauseId::NONE,
            amount: 0,
            now: false,
            step: StepId::NONE,
            token: TokenKindId::NONE,
            mark: MarkId::NONE,
            by: HookId::NONE,
        }
    }
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// Who did it, whose figure it was, who was paid, or who holds the tokens.
    pub player: PlayerId,
    /// The figure.
    pub figure: FigureId,
    /// The kind of the figure.
    pub figure_kind: FigureKindId,
    /// The kind of the tokens.
    pub token: TokenKindId,
    /// The seat it had, or has now.
    pub seat: SeatId,
    /// The feature.
    pub feature: FeatureId,
    /// The tile.
    pub tile: TileId,
    /// Why.
    pub cause: CauseId,
    /// How the subject of `changed` was touched.
    pub touched: u8,
    /// Points, or how many.
    pub amount: i32,
    /// The hook that asked for it; none for a player's choice and the engine's own doing.
    pub by: HookId,
    /// In which turn, from 1.
    pub turn: u32,
}

impl Event {
    pub(crate) fn new(kind: EventKind, player: PlayerId) -> Self {
        Self {
            kind,
            player,
            figure: FigureId::NONE,
            figure_kind: FigureKindId::NONE,
            token: TokenKindId::NONE,
            seat: SeatId::NONE,
            feature: FeatureId::NONE,
            tile: TileId::NONE,
            cause: CauseId::NONE,
            touched: 0,
            amount: 0,
            by: HookId::NONE,
            turn: 0,
        }
    }
}

/// A question a hook wants asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// The `resolve` that gives the options and takes the answer.
    pub to: HookId,
    /// Who answers.
    pub who: PlayerId,
    /// What the asker wants back.
    pub data: [i32; 4],
}

/// Something a function counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// In words, for the ledger.
    pub label: Arc<str>,
    /// How many.
    pub count: i32,
    /// Points each.
    pub unit: i32,
}

/// What a hook asks for.
#[derive(Clone, Debug, Default)]
pub struct Out {
    /// Verbs it declared, a bit each.
    pub(crate) allowed: u32,
    pub(crate) intents: Vec<Intent>,
    pub(crate) questions: Vec<Question>,
    pub(crate) counted: Vec<Counted>,
    /// Worth of the feature in question, for awards.
    pub(crate) worth: Option<i32>,
    pub(crate) worth_wanted: bool,
    pub(crate) options: Vec<Target>,
    /// The batch, for a reaction that takes it as a whole.
    pub(crate) batch: Vec<Event>,
    /// For `replace`: the intent does not happen.
    pub(crate) cancelled: bool,
    pub(crate) by: HookId,
}

/// A callback's view of the game, and its way to ask for something.
#[derive(Debug)]
pub struct Call<'a> {
    pub(crate) rules: &'a Ruleset,
    pub(crate) state: &'a mut State,
    /// What the hook was registered for and is called about.
    pub scope: Scope,
    /// What happened, for a reaction.
    pub event: Option<Event>,
    /// What is about to happen, for a replacement.
    pub intent: Option<Intent>,
    /// The answer, for a `resolve` and an `offer`.
    pub answer: Target,
    /// What the asker wanted back.
    pub data: [i32; 4],
    pub(crate) out: &'a mut Out,
}

impl Call<'_> {
    /// The rules of the game.
    pub fn rules(&self) -> &Ruleset {
        self.rules
    }

    /// The state, to be read.
    pub fn state(&self) -> &State {
        self.state
    }

    /// True if the query at this place of the ruleset holds for `scope`.
    pub fn holds(&self, query: usize, scope: &Scope) -> bool {
        self.rules.queries.get(query).is_some_and(|(_, test)| test.holds(self.rules, self.state, scope))
    }

    /// Every event of the batch a reaction with `each = false` is called about.
    pub fn batch(&self) -> &[Event] {
        &self.out.batch
    }

    /// Exchanges the state with a place of the host's, for hosts that cannot hold a reference.
    pub fn exchange(&mut self, slot: &mut State) {
        std::mem::swap(self.state, slot);
    }

    /// Asks for something to happen, with the next batch.
    ///
    /// # Errors
    /// If the hook did not declare the verb among its `emits`.
    pub fn emit(&mut self, mut intent: Intent) -> Result<(), HookError> {
        if self.out.allowed >> intent.verb.index() & 1 == 0 {
            let name = self.out.by.some().map_or("this hook", |hook| &self.rules.hook(hook).name);
            return Err(HookError::new(format!("`{name}` emits `{}` but does not declare it in `emits`", intent.verb)));
        }
        intent.by = self.out.by;
        self.out.intents.push(intent);
        Ok(())
    }

    /// Asks a player something.
    pub fn ask(&mut self, question: Question) {
        self.out.questions.push(question);
    }

    /// Counts something in the number that is asked for.
    pub fn add(&mut self, label: &str, count: i32, unit: i32) {
        self.out.counted.push(Counted { label: label.into(), count, unit });
    }

    /// Counts the feature's own worth with all its items, in an award of a figure on it, and gives its points.
    ///
    /// # Errors
    /// If it is not the feature the figure stands on.
    pub fn add_worth(&mut self, feature: FeatureId) -> Result<i32, HookError> {
        match self.out.worth {
            Some(points) if feature == self.scope.feature => {
                self.out.worth_wanted = true;
                Ok(points)
            }
            _ => Err(HookError::new("an award can count the worth of the feature its figure stands on, and no other")),
        }
    }

    /// Offers an option.
    pub fn option(&mut self, option: Target) {
        self.out.options.push(option);
    }

    /// For `replace`: the intent does not happen; what the hook emits happens in its place.
    pub fn cancel(&mut self) {
        self.out.cancelled = true;
    }
}
