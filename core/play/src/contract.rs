//! What every ruleset owes, whatever expansions it is made of: checked at each decision of a game.
//!
//! | rule | what holds |
//! |---|---|
//! | [`Rule::Offers`] | something is offered until the end, sorted and without duplicates |
//! | [`Rule::Words`] | every action is read as it was written, and no two have the same words |
//! | [`Rule::Refusals`] | offered is exactly what is not refused, and each refusal says why |
//! | [`Rule::Clones`] | a clone is equal and offers the same |
//! | [`Rule::Undo`] | what is taken back is as before, and comes out the same when it is done again |
//! | [`Rule::Steady`] | figures are conserved, supplies are what stands in supply, the ledger sums up to the points |
//! | [`Rule::Saves`] | a save leads to the same state, with scripts that have never seen the game |
//! | [`Rule::Ends`] | the game ends |

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use trencavel_host::Loaded;
use trencavel_rules::game::ActionError;
use trencavel_rules::hooks::{HookError, Scripts};
use trencavel_rules::ids::{FigureKindId, PlayerId, SegmentId};
use trencavel_rules::save::{self, Replay};
use trencavel_rules::{Action, Anchor, Game, Position, Rotation, Setup, SetupError, notation};

use crate::dice::Dice;

/// A game that takes more decisions than this does not end.
pub const ENDLESS: u32 = 5_000;
/// A turn that takes more decisions than this does not end.
const ENDLESS_TURN: u32 = 250;
/// Actions that may or may not be offered, tried at each decision.
const TRIED: usize = 24;

/// What was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The expansions can be loaded together, or say that they do not go together.
    Loads,
    /// A game can begin.
    Begins,
    /// No hook fails.
    Hooks,
    /// Something is offered until the end, sorted and without duplicates.
    Offers,
    /// Actions are read as they are written.
    Words,
    /// Offered is what is not refused.
    Refusals,
    /// A clone is equal.
    Clones,
    /// What is taken back is as before.
    Undo,
    /// Figures, supplies and points add up.
    Steady,
    /// A save leads to the same state.
    Saves,
    /// The game ends.
    Ends,
    /// Nothing panics.
    Panics,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loads => "the expansions load together",
            Self::Begins => "a game can begin",
            Self::Hooks => "no hook fails",
            Self::Offers => "something is offered until the end, sorted and once",
            Self::Words => "actions are read as they are written",
            Self::Refusals => "offered is what is not refused",
            Self::Clones => "a clone is equal",
            Self::Undo => "what is taken back is as before",
            Self::Steady => "figures, supplies and points add up",
            Self::Saves => "a save leads to the same state",
            Self::Ends => "the game ends",
            Self::Panics => "the engine does not panic",
        })
    }
}

/// A rule that was broken, and how.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (broken: {rule})")]
pub struct Broken {
    /// Which.
    pub rule: Rule,
    /// The fact in a sentence.
    pub message: String,
    /// File and line of the hook, if one failed.
    pub place: Option<String>,
}

impl Broken {
    /// A rule that was broken outside of any hook.
    pub fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self { rule, message: message.into(), place: None }
    }

    /// True if another one is most likely the same mistake: the same rule, and the same place in a script.
    pub fn is_like(&self, other: &Self) -> bool {
        self.rule == other.rule && self.place == other.place
    }
}

impl From<HookError> for Broken {
    fn from(error: HookError) -> Self {
        let place = error.place.as_ref().map(|(file, line)| format!("{file}:{line}"));
        let message = match &place {
            Some(place) => format!("{place}: {}", error.message),
            None => error.into_fault().message,
        };
        Self { rule: Rule::Hooks, message, place }
    }
}

impl From<ActionError> for Broken {
    fn from(error: ActionError) -> Self {
        match error {
            ActionError::Hook(error) => error.into(),
            other => Self::new(Rule::Refusals, format!("what is offered is not accepted: {other}")),
        }
    }
}

/// How much is checked at a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// Everything.
    Thorough,
    /// What is quick to check.
    Quick,
}

fn ensure(holds: bool, rule: Rule, message: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken::new(rule, message())) }
}

/// A game that is watched.
pub struct Contract<'a> {
    loaded: &'a Loaded,
    scripts: Box<dyn Scripts + 'a>,
    game: Game,
    setup: Setup,
    dice: Dice,
    replay: Replay,
    /// Figures of the game, on the board or not.
    figures: usize,
    /// The turn, and the decisions before it.
    turn: (u32, u32),
}

impl<'a> Contract<'a> {
    /// Begins a game with scripts of its own. The seed decides what is tried, nothing of the game.
    ///
    /// # Errors
    /// If the game cannot begin, or begins wrongly.
    pub fn begin(loaded: &'a Loaded, setup: &Setup, seed: u64) -> Result<Self, Broken> {
        let mut scripts = loaded.scripts().map_err(|problem| Broken::new(Rule::Loads, problem.to_string()))?;
        let game = Game::from_setup(loaded.rules.clone(), setup, &mut scripts).map_err(|error| match error {
            SetupError::Hook(error) => error.into(),
            other => Broken::new(Rule::Begins, other.to_string()),
        })?;
        let replay = new_replay(setup);
        let figures = game.state().figures().count();
        let scripts = Box::new(scripts);
        let (setup, dice, turn) = (setup.clone(), Dice::new(seed), (0, 0));
        let contract = Self { loaded, scripts, game, setup, dice, replay, figures, turn };
        contract.check_steady().map(|()| contract)
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Every answer so far, as a save writes it. The last one may be the one that failed.
    pub fn answers(&self) -> &[String] {
        &self.replay.answers
    }

    /// One of the legal actions, every one as likely as any other.
    pub fn pick(&mut self) -> Option<Action> {
        self.dice.pick(self.game.legal_actions())
    }

    /// True now and then, for checks that take long.
    pub fn now_and_then(&mut self, every: usize) -> bool {
        self.dice.below(every) == 0
    }

    /// Checks what is offered now.
    ///
    /// # Errors
    /// If something is broken.
    pub fn check_decision(&mut self, care: Care) -> Result<(), Broken> {
        let offered = self.game.legal_actions();
        let waits = || format!("nothing is offered while the game waits for {}", self.game.waits_for());
        ensure(!offered.is_empty(), Rule::Offers, waits)?;
        let sorted = offered.windows(2).all(|pair| pair[0] < pair[1]);
        ensure(sorted, Rule::Offers, || format!("not sorted and unique: {offered:?}"))?;
        if care == Care::Thorough {
            self.check_all_words()?;
            self.check_candidates()?;
            self.check_clone()?;
        }
        Ok(())
    }

    /// Makes an offered action happen and checks what comes of it.
    ///
    /// # Errors
    /// If something is broken.
    pub fn apply(&mut self, action: Action, care: Care) -> Result<(), Broken> {
        self.check_words(action)?;
        self.replay.answers.push(save::answer_line(&self.game, action));
        self.check_step(action, care)?;
        self.check_steady()?;
        self.check_goes_on()?;
        if care == Care::Thorough && self.now_and_then(40) {
            self.check_saved()?;
        }
        Ok(())
    }

    fn check_goes_on(&mut self) -> Result<(), Broken> {
        let (turn, decisions) = (self.game.state().turn(), self.game.state().decisions());
        if turn != self.turn.0 {
            self.turn = (turn, decisions);
        }
        let of_turn = decisions - self.turn.1;
        let waits = || format!("a turn has no end after {of_turn} decisions, it waits for {}", self.game.waits_for());
        ensure(of_turn < ENDLESS_TURN, Rule::Ends, waits)?;
        ensure(decisions < ENDLESS, Rule::Ends, || format!("the game has no end after {decisions} decisions"))
    }

    /// Checks a game that is over.
    ///
    /// # Errors
    /// If something is broken.
    pub fn check_end(&mut self) -> Result<(), Broken> {
        ensure(self.game.legal_actions().is_empty(), Rule::Ends, || "something is offered after the end".to_owned())?;
        self.check_saved()
    }

    fn words(&self, action: Action) -> String {
        notation::action(self.game.rules(), self.game.state(), action)
    }

    fn check_words(&self, action: Action) -> Result<(), Broken> {
        let words = self.words(action);
        let read = notation::parse(&self.game, &words);
        let same = read.as_ref() == Ok(&action);
        ensure(same, Rule::Words, || format!("`{words}` is not read as it was written: {read:?}"))
    }

    fn check_all_words(&mut self) -> Result<(), Broken> {
        let offered = self.game.legal_actions();
        let words: BTreeSet<String> = offered.iter().map(|action| self.words(*action)).collect();
        let once = words.len() == offered.len();
        ensure(once, Rule::Words, || format!("two actions have the same words: {words:?}"))?;
        let some: Vec<Action> = (0..4).filter_map(|_| self.dice.pick(self.game.legal_actions())).collect();
        some.into_iter().try_for_each(|action| self.check_words(action))
    }

    /// Offered is what is not refused, for whatever might be tried.
    fn check_candidates(&mut self) -> Result<(), Broken> {
        let offered = self.game.legal_actions().to_vec();
        let mut tried: Vec<Action> = (0..TRIED).map(|_| self.anything()).collect();
        tried.extend(self.game.candidates(self.scripts.as_mut()));
        tried.extend((0..4).filter_map(|_| self.dice.pick(&offered)));
        for action in tried {
            self.check_candidate(action, &offered)?;
        }
        ensure(self.game.legal_actions() == offered, Rule::Refusals, || "asking why changed what is offered".to_owned())
    }

    fn check_candidate(&mut self, action: Action, offered: &[Action]) -> Result<(), Broken> {
        let refusals = self.game.refusals(action, self.scripts.as_mut())?;
        let words = self.words(action);
        ensure(offered.contains(&action) == refusals.is_empty(), Rule::Refusals, || {
            let names: Vec<&str> = refusals.iter().map(|refusal| &*self.game.rules().hook(refusal.hook).name).collect();
            match &names[..] {
                [] => format!("`{words}` ({action:?}) is not offered, but nothing refuses it"),
                names => format!("`{words}` ({action:?}) is offered, but refused by {}", names.join(", ")),
            }
        })?;
        let told = refusals.iter().all(|refusal| !refusal.text.is_empty());
        ensure(told, Rule::Refusals, || format!("a refusal of `{words}` does not say why"))?;
        if refusals.is_empty() || !self.now_and_then(8) {
            return Ok(());
        }
        let before = self.game.state().digest();
        let outcome = self.game.apply(action, self.scripts.as_mut());
        let refused = outcome == Err(ActionError::Refused { refusals });
        ensure(refused, Rule::Refusals, || format!("`{words}` is not offered, but came to {outcome:?}"))?;
        let same = self.game.state().digest() == before;
        ensure(same, Rule::Refusals, || format!("`{words}` was refused and changed the game"))
    }

    /// A placement or deployment that may be anything.
    fn anything(&mut self) -> Action {
        let state = self.game.state();
        let tiles = state.tiles().count();
        let nth = self.dice.below(tiles);
        let Some((tile, placed)) = state.tiles().nth(nth) else { return Action::Pass };
        if let Some(hand) = state.hand().filter(|_| self.game.is_placing()) {
            let at: Position = placed.at.offset(self.dice.below(5) as i16 - 2, self.dice.below(5) as i16 - 2);
            let rotation = Rotation::from_quarters(self.dice.below(4));
            return Action::Place { at, rotation: self.game.rules().tile(hand).canonical(rotation) };
        }
        let def = self.game.rules().tile(placed.def);
        let kinds: Vec<FigureKindId> = self.game.rules().figure_kinds().map(|(kind, _)| kind).collect();
        let Some(kind) = self.dice.pick(&kinds).filter(|_| !def.segments.is_empty()) else { return Action::Pass };
        let local = self.dice.below(def.segments.len());
        let segment: SegmentId = state.segment_on(tile, local);
        let seats = self.game.rules().seats_of(def.segments[local].kind);
        self.dice.pick(seats).map_or(Action::Pass, |seat| Action::Deploy { kind, segment, seat })
    }

    fn check_clone(&self) -> Result<(), Broken> {
        let clone = self.game.clone();
        let same = clone.state() == self.game.state() && clone.legal_actions() == self.game.legal_actions();
        ensure(same, Rule::Clones, || "a clone is another game".to_owned())
    }

    fn check_step(&mut self, action: Action, care: Care) -> Result<(), Broken> {
        let before = (care == Care::Thorough).then(|| self.standing());
        self.game.apply(action, self.scripts.as_mut())?;
        let Some(before) = before else { return Ok(()) };
        let after = self.standing();
        self.game.undo(self.scripts.as_mut())?;
        let words = self.words(action);
        let taken_back = self.standing();
        ensure(taken_back.0 == before.0, Rule::Undo, || format!("taking `{words}` back does not restore the state"))?;
        ensure(taken_back.1 == before.1, Rule::Undo, || format!("taking `{words}` back changes what is offered"))?;
        self.game.apply(action, self.scripts.as_mut())?;
        ensure(self.standing() == after, Rule::Undo, || format!("`{words}` comes out differently the second time"))
    }

    /// The state and what is offered.
    fn standing(&self) -> (u64, Vec<Action>) {
        (self.game.state().digest(), self.game.legal_actions().to_vec())
    }

    /// Figures are conserved, supply is what stands in supply, and the ledger sums up to the points.
    fn check_steady(&self) -> Result<(), Broken> {
        let (rules, state) = (self.game.rules(), self.game.state());
        let mut supply: BTreeMap<(PlayerId, FigureKindId), u8> = BTreeMap::new();
        let mut neutrals = 0;
        let count = state.figures().count();
        ensure(count == self.figures, Rule::Steady, || format!("{count} figures, {} at first", self.figures))?;
        for (_, figure) in state.figures() {
            match figure.owner() {
                Some(owner) => {
                    let count = supply.entry((owner, figure.kind)).or_default();
                    *count += u8::from(figure.at == Anchor::Supply);
                }
                None => neutrals += 1,
            }
        }
        ensure(neutrals == state.neutrals().count(), Rule::Steady, || format!("{neutrals} neutral figures"))?;
        for ((owner, kind), count) in supply {
            let told = state.supply(owner, kind);
            let name = &rules.figure_kind(kind).name;
            ensure(told == count, Rule::Steady, || format!("a supply of {told} {name}, but {count} of them"))?;
        }
        for seat in 0..state.players() {
            let player = PlayerId::from_index(seat);
            let begun = self.setup.scores.get(seat).copied().unwrap_or(0);
            let lines = state.lines().iter().filter(|line| line.player == player);
            let paid: i64 = lines.map(|line| i64::from(line.points)).sum();
            let (paid, score) = (paid + i64::from(begun), i64::from(state.score(player)));
            let letter = notation::letter(player);
            ensure(paid == score, Rule::Steady, || format!("{letter} has {score} points, the ledger says {paid}"))?;
        }
        Ok(())
    }

    /// A save of this moment leads back to this moment, for scripts that remember nothing.
    fn check_saved(&mut self) -> Result<(), Broken> {
        let broken = |message: String| Broken::new(Rule::Saves, message);
        let text = self.replay.to_string();
        let (replay, torn) = Replay::parse(&text).map_err(|error| broken(format!("a save cannot be read: {error}")))?;
        let same = replay == self.replay && torn.is_none();
        ensure(same, Rule::Saves, || "a save is not read as it was written".to_owned())?;
        let mut scripts = self.loaded.scripts().map_err(|problem| broken(problem.to_string()))?;
        let rules = self.loaded.rules.clone();
        let mut game = Game::from_setup(rules, &self.setup, &mut scripts)
            .map_err(|error| broken(format!("a save cannot begin: {error}")))?;
        let played = replay.play(&mut game, usize::MAX, &mut scripts);
        played.map_err(|(answer, why)| broken(format!("answer {answer} of a save cannot be given: {why}")))?;
        let same = game.state().digest() == self.game.state().digest();
        ensure(same, Rule::Saves, || "a save leads to another state: does a script remember something?".to_owned())?;
        let same = game.legal_actions() == self.game.legal_actions();
        ensure(same, Rule::Saves, || "a save leads to other choices: does a script remember something?".to_owned())
    }
}

/// The save of a game before its first answer.
fn new_replay(setup: &Setup) -> Replay {
    Replay { players: setup.players.clone(), seed: setup.seed, first: setup.first, ..Replay::default() }
}

/// Whether a game is checked thoroughly at each decision, or mostly quickly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// At each decision.
    All,
    /// At one in seven.
    Some,
}

/// Plays a random game to its end and checks the contract at each decision. `watch` is shown the game after each
/// thorough check, for further ones.
///
/// # Errors
/// What is broken; the answers up to there are in `answers`.
pub fn check_game(
    loaded: &Loaded,
    setup: &Setup,
    effort: Effort,
    answers: &mut Vec<String>,
    watch: &mut dyn FnMut(&Game),
) -> Result<(), Broken> {
    let mut contract = Contract::begin(loaded, setup, setup.seed)?;
    let done = play_on(&mut contract, setup.seed, effort, watch);
    answers.extend_from_slice(contract.answers());
    done
}

fn play_on(contract: &mut Contract<'_>, seed: u64, effort: Effort, watch: &mut dyn FnMut(&Game)) -> Result<(), Broken> {
    while !contract.game().state().is_over() {
        let now = effort == Effort::All || u64::from(contract.game().state().decisions()) % 7 == seed % 7;
        let care = if now { Care::Thorough } else { Care::Quick };
        contract.check_decision(care)?;
        let Some(action) = contract.pick() else { break };
        contract.apply(action, care)?;
        if now {
            watch(contract.game());
        }
    }
    contract.check_end()
}
