//! The one place where scripts meet a game: filled for the time of a hook, empty otherwise.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use mlua::Value;
use trencavel_rules::hooks::{Call, Counted, Event, Intent, Question};
use trencavel_rules::ids::{CauseId, FeatureId, FigureId, PlayerId, TileDefId};
use trencavel_rules::words::Verb;
use trencavel_rules::{Ruleset, Scope, State, Target, features};

use super::emit::Vocabulary;
use super::handles::{Handle, Kind, LAST_NUMBER, Lists, Thing};
use super::misuse::Misuse;
use super::names::{Known, Lexicon, Reader};
use super::words::Texts;

/// What a hook is called about. Plain data, copied in and out.
#[derive(Clone, Copy, Default)]
pub(crate) struct Moment {
    pub scope: Scope,
    pub event: Option<Event>,
    pub intent: Option<Intent>,
    /// Place of its expansion among [`Context::readers`].
    pub expansion: usize,
    /// Verbs it may emit, a bit each.
    pub allowed: u32,
    /// It may ask and emit; otherwise it only answers.
    pub acts: bool,
    /// It may cancel what is about to happen.
    pub replaces: bool,
    /// It may offer options.
    pub offers: bool,
    /// It may count items of an award.
    pub counts: bool,
    /// Points of the feature that an award's figure stands on.
    pub worth: Option<i32>,
}

/// What a hook asked for, handed over when it has ended without an error.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Asked {
    pub intents: Vec<Intent>,
    pub questions: Vec<Question>,
    pub counted: Vec<Counted>,
    pub worth: Option<FeatureId>,
    pub options: Vec<Target>,
    pub cancelled: bool,
}

/// The most intents, questions or options of one hook. Far more than any rule needs; the engine refuses fewer.
const MOST: usize = 10_000;
/// The most items of one award: each is a part of a line of the ledger.
const MOST_ITEMS: usize = 100;

impl Asked {
    /// Takes an intent.
    pub fn emit(&mut self, intent: Intent) -> Result<(), Misuse> {
        add(&mut self.intents, intent, MOST, "intents")
    }

    /// Takes a question.
    pub fn ask(&mut self, question: Question) -> Result<(), Misuse> {
        add(&mut self.questions, question, MOST, "questions")
    }

    /// Takes an option.
    pub fn offer(&mut self, option: Target) -> Result<(), Misuse> {
        add(&mut self.options, option, MOST, "options")
    }

    /// Takes something counted. Its label is shown in the ledger, so it is short and on one line.
    pub fn count(&mut self, label: &str, count: i32, unit: i32) -> Result<(), Misuse> {
        if label.chars().count() > 60 || label.contains(char::is_control) {
            return Err(Misuse::new("what is counted is named in at most 60 letters on one line"));
        }
        add(&mut self.counted, Counted { label: label.into(), count, unit }, MOST_ITEMS, "items")
    }

    /// Empty again, with its memory kept for the next hook.
    fn clear(&mut self) {
        self.intents.clear();
        self.questions.clear();
        self.counted.clear();
        self.options.clear();
        (self.worth, self.cancelled) = (None, false);
    }
}

fn add<T>(list: &mut Vec<T>, one: T, most: usize, what: &str) -> Result<(), Misuse> {
    if list.len() == most {
        return Err(Misuse::new(format!("one hook cannot bring more than {most} {what}")));
    }
    list.push(one);
    Ok(())
}

/// The game behind every handle of a VM.
#[derive(Default)]
pub(crate) struct Context {
    pub readers: Vec<Reader>,
    pub asked: RefCell<Asked>,
    /// The events of a reaction that takes a batch as a whole.
    pub batch: RefCell<Vec<Event>>,
    pub moment: Cell<Moment>,
    /// What words mean, by expansion and room.
    pub names: RefCell<Vec<Known>>,
    pub causes: RefCell<Lexicon<CauseId>>,
    pub tiles: RefCell<Lexicon<TileDefId>>,
    pub lists: Lists,
    pub texts: Texts,
    vocabulary: OnceCell<Vocabulary>,
    rules: OnceCell<Arc<Ruleset>>,
    state: RefCell<State>,
    /// Number of the hook that runs; 0 between hooks.
    running: Cell<u64>,
    calls: Cell<u64>,
}

impl Context {
    pub fn new(readers: Vec<Reader>) -> Self {
        Self { readers, ..Self::default() }
    }

    /// The rules of the games that will come.
    pub fn set_rules(&self, rules: Arc<Ruleset>) {
        // A second ruleset for one VM would be a bug of the host; the first stays.
        let _ = self.rules.set(rules);
    }

    /// The words of `emit` and `ask`.
    pub fn set_vocabulary(&self, words: Vocabulary) {
        // There is one for each VM.
        let _ = self.vocabulary.set(words);
    }

    /// The words of `emit` and `ask`, once the VM has them.
    pub fn vocabulary(&self) -> Option<&Vocabulary> {
        self.vocabulary.get()
    }

    pub fn is_for(&self, rules: &Ruleset) -> bool {
        self.rules.get().is_some_and(|own| std::ptr::eq(&**own, rules))
    }

    /// Takes the state out of a call until the guard is dropped.
    pub fn enter<'a, 'b>(&'a self, call: &'a mut Call<'b>, moment: Moment) -> Guard<'a, 'b> {
        self.batch.borrow_mut().clear();
        self.batch.borrow_mut().extend_from_slice(call.batch());
        call.exchange(&mut self.state.borrow_mut());
        self.calls.set(self.calls.get() % LAST_NUMBER + 1);
        self.running.set(self.calls.get());
        self.lists.begin();
        self.moment.set(moment);
        self.asked.borrow_mut().clear();
        Guard { context: self, call }
    }

    /// The number of the running hook.
    ///
    /// # Errors
    /// Between hooks.
    pub fn running(&self) -> Result<u64, Misuse> {
        match self.running.get() {
            0 => {
                Err(Misuse::new("the game can be asked inside hooks only")
                    .help("declare at the top level, ask in `run`"))
            }
            number => Ok(number),
        }
    }

    /// Reads the game.
    ///
    /// # Errors
    /// Between hooks.
    pub fn read<R>(&self, read: impl FnOnce(&Ruleset, &State) -> R) -> Result<R, Misuse> {
        self.running()?;
        let rules = self.rules.get().ok_or_else(|| Misuse::new("there is no game yet"))?;
        Ok(read(rules, &self.state.borrow()))
    }

    /// Checks the number of a handle.
    ///
    /// # Errors
    /// Between hooks, and if the handle was kept from an earlier hook.
    pub fn check(&self, number: u64) -> Result<(), Misuse> {
        if self.running()? == number {
            return Ok(());
        }
        let message = "this handle is of an earlier hook: the game has moved on";
        Err(Misuse::new(message).help("keep nothing in upvalues; ask for it again"))
    }

    /// What the running hook is called about.
    pub fn scope(&self) -> Scope {
        self.moment.get().scope
    }

    /// Place of the running hook's expansion among the readers.
    pub fn expansion(&self) -> usize {
        self.moment.get().expansion
    }

    /// True if the running hook may emit this verb.
    pub fn may_emit(&self, verb: Verb) -> bool {
        self.moment.get().allowed >> verb.index() & 1 == 1
    }

    /// A number from 1 as a player.
    pub fn player(&self, number: i64) -> Result<PlayerId, Misuse> {
        let players = self.read(|_, state| state.players())?;
        match usize::try_from(number) {
            Ok(place @ 1..) if place <= players => Ok(PlayerId::from_index(place - 1)),
            _ => Err(Misuse::new(format!("there is no player {number}: players are 1 to {players}"))),
        }
    }

    /// A handle to something, unless it is nothing.
    pub fn handle<I: Thing>(&self, id: I) -> Value {
        if id == I::default() { Value::Nil } else { self.view(I::KIND, id.place()) }
    }

    /// A handle of this kind in the running hook.
    pub fn view(&self, kind: Kind, id: usize) -> Value {
        Value::LightUserData(Handle { kind, number: self.running.get(), id }.pack())
    }

    /// The scope in which a query is asked about a figure of the board.
    pub fn scope_of(&self, rules: &Ruleset, state: &State, figure: FigureId) -> Scope {
        let mut scope = Scope { me: self.moment.get().scope.me, ..Scope::default() }.of_figure(state, figure);
        if let Some(segment) = state.segment_view(scope.segment) {
            scope.feature = segment.feature;
        }
        scope.tile = features::standing_on(rules, state, figure).unwrap_or_default();
        scope
    }
}

/// A player as scripts number them; nothing for nobody.
pub(crate) fn player_number(player: PlayerId) -> Value {
    if player == PlayerId::default() { Value::Nil } else { Value::Integer(player.index() as i64 + 1) }
}

/// A running hook. Gives the state back whatever happens.
pub(crate) struct Guard<'a, 'b> {
    context: &'a Context,
    call: &'a mut Call<'b>,
}

impl Drop for Guard<'_, '_> {
    fn drop(&mut self) {
        self.context.running.set(0);
        self.call.exchange(&mut self.context.state.borrow_mut());
    }
}
