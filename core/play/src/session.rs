//! A table with a game on it, as a front end needs it: people and bots take turns, every decision can be taken back,
//! tried otherwise and come back to, and the rules can be exchanged in the middle of a game.
//!
//! Page and terminal stand on this and add nothing to the game. They show [`Session::decision`], give
//! [`Session::answer`] the notation of what was chosen, let bots go on with [`Session::step_bot`], or with
//! [`Session::think`] on another thread, and walk in [`Session::tree`]. An answer that fails leaves everything as it was; the last failure of the rules is in
//! [`Session::troubles`].

pub mod choices;
mod history;
pub mod odds;
mod thinking;
mod tree;

use std::sync::Arc;

use trencavel_host::diagnostic::Diagnostic;
use trencavel_host::{Loaded, ScriptHost};
use trencavel_rules::ids::PlayerId;
use trencavel_rules::notation::{self, NotationError};
use trencavel_rules::save::Replay;
use trencavel_rules::{Action, ActionError, Game, SetupError, save};

use crate::bots::Bot;
use crate::telling::Names;
use choices::{Decision, Reason};
pub use history::{Entry, Happening, Told};
use thinking::Moment;
pub use thinking::{Thinking, Thought};
use tree::Given;
pub use tree::{Node, NodeId, Tree};

/// Who answers for a player.
#[derive(Clone, Debug)]
pub enum Sitter {
    /// Somebody at the front end.
    Person,
    /// A bot.
    Bot(Bot),
}

/// Why something did not happen at the table. The game is as before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The setup is no game of these rules.
    #[error("the game cannot begin: {0}")]
    Begin(String),
    /// The answer is no action.
    #[error(transparent)]
    Words(#[from] NotationError),
    /// The answer is not offered.
    #[error("`{answer}` is not offered: {}", texts(reasons))]
    Refused {
        /// In our notation.
        answer: String,
        /// Every reason.
        reasons: Vec<Reason>,
    },
    /// A rule failed.
    #[error("{}", .0.message)]
    Failed(Box<Diagnostic>),
    /// An answer of a save, or of a game that goes on under other rules, cannot be given.
    #[error("answer {number}, `{answer}`, cannot be given: {why}")]
    Answer {
        /// From 1.
        number: usize,
        /// As a save writes it.
        answer: String,
        /// What is in the way.
        #[source]
        why: Box<SessionError>,
    },
    /// Somebody else decides.
    #[error("{decider} decides here, not {named}")]
    Decider {
        /// Who does.
        decider: char,
        /// Who was named.
        named: String,
    },
    /// The game is over, so there is nothing to answer.
    #[error("the game is over")]
    Over,
    /// There is no such decision in the tree.
    #[error("there is no decision {0}")]
    NoDecision(usize),
    /// Nothing was answered yet, or nothing was taken back.
    #[error("there is no decision to go to")]
    NothingThere,
}

fn texts(reasons: &[Reason]) -> String {
    reasons.iter().map(|reason| reason.text.as_str()).collect::<Vec<_>>().join("; ")
}

/// A game with its table.
#[derive(Debug)]
pub struct Session {
    loaded: Arc<Loaded>,
    scripts: ScriptHost,
    /// How the game began: a save without answers.
    opening: Replay,
    names: Names,
    sitters: Vec<Sitter>,
    game: Game,
    tree: Tree,
    cursor: NodeId,
    troubles: Vec<Diagnostic>,
    /// Over as soon as anything changes that a bot would decide by.
    moment: Moment,
}

impl Session {
    /// Seats players and begins. `opening` says how, and brings the answers that were given already.
    ///
    /// # Errors
    /// If the opening is no game of these rules, or one of its answers cannot be given.
    pub fn begin(loaded: Loaded, opening: Replay, sitters: Vec<Sitter>) -> Result<Self, SessionError> {
        let (opening, answers) = split(opening);
        let (game, scripts) = start(&loaded, &opening)?;
        let tree = Tree::new(game.state().events().len());
        let names = Names(opening.players.clone());
        let mut sitters = sitters;
        sitters.resize(opening.players.len(), Sitter::Person);
        let cursor = Tree::ROOT;
        let (troubles, moment) = (Vec::new(), Moment::default());
        let loaded = Arc::new(loaded);
        let mut session = Self { loaded, scripts, opening, names, sitters, game, tree, cursor, troubles, moment };
        session.give_all(&answers)?;
        Ok(session)
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The rules and what they were made from.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// The players.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Who answers for a player.
    pub fn sitter(&self, player: PlayerId) -> &Sitter {
        self.sitters.get(player.index()).unwrap_or(&Sitter::Person)
    }

    /// Puts somebody else into a player's place.
    pub fn sit(&mut self, player: PlayerId, sitter: Sitter) {
        if let Some(place) = self.sitters.get_mut(player.index()) {
            *place = sitter;
        }
        self.move_on();
    }

    /// Decides every chance of this game.
    pub fn seed(&self) -> u64 {
        self.opening.seed
    }

    /// What failed last in the rules or in loading them; empty when all is well since.
    pub fn troubles(&self) -> &[Diagnostic] {
        &self.troubles
    }

    /// Notes what failed outside of the game, such as the loading of new rules.
    pub fn trouble(&mut self, problems: Vec<Diagnostic>) {
        self.troubles = problems;
    }

    /// What waits for an answer, with everything that is offered or refused.
    ///
    /// # Errors
    /// If a rule fails while it is asked.
    pub fn decision(&mut self) -> Result<Decision, SessionError> {
        let found = choices::decision(&mut self.game, &self.names, &mut self.scripts);
        found.map_err(|error| {
            let problem = self.loaded.hook_problem(&error);
            self.troubles = vec![problem.clone()];
            SessionError::Failed(Box::new(problem))
        })
    }

    /// Gives an answer in our notation for the player who decides.
    ///
    /// # Errors
    /// If it is not offered or a rule fails; the game is then exactly as before.
    pub fn answer(&mut self, text: &str) -> Result<(), SessionError> {
        if self.game.state().is_over() {
            return Err(SessionError::Over);
        }
        let action = notation::parse(&self.game, text)?;
        self.apply(action)
    }

    /// True if a bot decides now.
    pub fn is_bots_turn(&self) -> bool {
        !self.game.state().is_over() && matches!(self.sitter(self.game.state().decider()), Sitter::Bot(_))
    }

    /// Lets the bot that decides now answer once. Gives true if there was one.
    ///
    /// # Errors
    /// If a rule fails; the game is then exactly as before.
    pub fn step_bot(&mut self) -> Result<bool, SessionError> {
        let Some(thinking) = self.think() else { return Ok(false) };
        let thought = thinking.choose(&mut self.scripts);
        self.settle(thought)
    }

    fn apply(&mut self, action: Action) -> Result<(), SessionError> {
        let state = self.game.state();
        let line = save::answer_line(&self.game, action);
        let (turn, player, before) = (state.turn(), state.decider(), state.events().len());
        if let Err(error) = self.game.apply(action, &mut self.scripts) {
            let error = refused(&self.loaded, error, &line);
            if let SessionError::Failed(problem) = &error {
                self.troubles = vec![(**problem).clone()];
            }
            return Err(error);
        }
        self.move_on();
        let events = (before, self.game.state().events().len());
        self.cursor = self.tree.follow(self.cursor, Given { line, turn, player, events });
        Ok(())
    }

    /// Every decision that was made, with its branches.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Where the game stands in the tree.
    pub fn cursor(&self) -> NodeId {
        self.cursor
    }

    /// Takes the last answer back; it stays in the tree.
    ///
    /// # Errors
    /// If nothing was answered yet.
    pub fn undo(&mut self) -> Result<(), SessionError> {
        let parent = self.tree.get(self.cursor).and_then(|node| node.parent).ok_or(SessionError::NothingThere)?;
        self.go_to(parent)
    }

    /// Takes back everything since, and with, the last answer of a person; one answer if no person gave any.
    ///
    /// # Errors
    /// If nothing was answered yet.
    pub fn undo_to_person(&mut self) -> Result<(), SessionError> {
        let person =
            |node: &NodeId| self.tree.get(*node).is_some_and(|node| matches!(self.sitter(node.player), Sitter::Person));
        match self.tree.path(self.cursor).into_iter().rev().find(person) {
            Some(last) => self.go_to(self.tree.get(last).and_then(|node| node.parent).unwrap_or(Tree::ROOT)),
            None => self.undo(),
        }
    }

    /// Gives the answer again that was taken back last here.
    ///
    /// # Errors
    /// If nothing was answered here before, or the rules changed and it cannot be given any more.
    pub fn redo(&mut self) -> Result<(), SessionError> {
        let next = self.tree.next(self.cursor).ok_or(SessionError::NothingThere)?;
        self.go_to(next)
    }

    /// Goes to any decision of the tree, forwards, backwards or into another branch.
    ///
    /// # Errors
    /// If there is none of this number, or the rules changed since and an answer on the way cannot be given any more:
    /// the game then stands before that answer.
    pub fn go_to(&mut self, node: NodeId) -> Result<(), SessionError> {
        if self.tree.get(node).is_none() {
            return Err(SessionError::NoDecision(node.number()));
        }
        let (here, there) = (self.tree.path(self.cursor), self.tree.path(node));
        let shared = here.iter().zip(&there).take_while(|(a, b)| a == b).count();
        self.move_on();
        for _ in shared..here.len() {
            self.game.undo(&mut self.scripts).map_err(|error| refused(&self.loaded, error, ""))?;
        }
        self.cursor = shared.checked_sub(1).map_or(Tree::ROOT, |last| there[last]);
        let answers = |node: &NodeId| self.tree.get(*node).map(|node| node.answer.clone());
        let answers: Vec<String> = there[shared..].iter().filter_map(answers).collect();
        self.give_all(&answers)
    }

    fn give_all(&mut self, answers: &[String]) -> Result<(), SessionError> {
        for line in answers {
            let given = read(&self.game, line).and_then(|action| self.apply(action));
            let number = self.tree.path(self.cursor).len() + 1;
            given.map_err(|why| SessionError::Answer { number, answer: line.clone(), why: Box::new(why) })?;
        }
        Ok(())
    }

    /// The game as a save: what it is played with, how it began, and the answers up to here.
    pub fn save(&self) -> Replay {
        let answers = self.tree.path(self.cursor);
        let answers = answers.iter().filter_map(|node| self.tree.get(*node)).map(|node| node.answer.clone()).collect();
        let lock = self.loaded.lock.to_string().lines().map(str::to_owned).collect();
        Replay { lock, answers, ..self.opening.clone() }
    }

    /// Goes on under other rules at the same position: the answers up to here are given again. Other branches stay in
    /// the tree.
    ///
    /// # Errors
    /// If an answer cannot be given under the new rules, or one of their scripts fails. The old rules then stay, and
    /// [`Session::troubles`] says why, with file and line.
    pub fn reload(&mut self, loaded: Loaded) -> Result<(), SessionError> {
        let replayed = Self::begin(loaded.clone(), self.save(), self.sitters.clone());
        let other = replayed.inspect_err(|error| self.troubles = vec![error.problem(&loaded)])?;
        self.tree.recount(Tree::ROOT, &other.tree, Tree::ROOT);
        for (node, again) in self.tree.path(self.cursor).into_iter().zip(other.tree.path(other.cursor)) {
            self.tree.recount(node, &other.tree, again);
        }
        (self.game, self.scripts, self.loaded) = (other.game, other.scripts, other.loaded);
        self.troubles.clear();
        self.move_on();
        Ok(())
    }
}

impl SessionError {
    /// The failure as a problem, at the rule that is to blame if there is one. `loaded` are the rules it happened under.
    pub fn problem(&self, loaded: &Loaded) -> Diagnostic {
        match self {
            Self::Failed(problem) => (**problem).clone(),
            Self::Begin(_) => Diagnostic::new("C005", self.to_string()),
            Self::Answer { why, .. } => Diagnostic { message: self.to_string(), ..why.problem(loaded) },
            Self::Refused { reasons, .. } => {
                let mut sources = reasons.iter().filter_map(|reason| reason.source.as_ref());
                let place = sources.find_map(|(file, line)| Some((loaded.source(file)?, *line)));
                let problem = Diagnostic::new("C003", self.to_string());
                place.map_or(problem.clone(), |(source, line)| problem.at_line(source, line))
            }
            _ => Diagnostic::new("C003", self.to_string()),
        }
    }
}

/// A save apart: how the game began, and the answers.
fn split(mut replay: Replay) -> (Replay, Vec<String>) {
    let answers = std::mem::take(&mut replay.answers);
    (replay, answers)
}

fn start(loaded: &Loaded, opening: &Replay) -> Result<(Game, ScriptHost), SessionError> {
    let mut scripts = loaded.scripts().map_err(|problem| SessionError::Failed(Box::new(problem)))?;
    let setup = loaded.setup(opening).map_err(SessionError::Begin)?;
    let game = Game::from_setup(Arc::clone(&loaded.rules), &setup, &mut scripts).map_err(|error| match error {
        SetupError::Hook(error) => SessionError::Failed(Box::new(loaded.hook_problem(&error))),
        other => SessionError::Begin(other.to_string()),
    })?;
    Ok((game, scripts))
}

/// An answer as a save writes it.
fn read(game: &Game, line: &str) -> Result<Action, SessionError> {
    if game.state().is_over() {
        return Err(SessionError::Over);
    }
    let (named, text) = line.split_once(": ").unwrap_or(("nobody", line));
    let decider = notation::letter(game.state().decider());
    if named != decider.to_string() {
        return Err(SessionError::Decider { decider, named: named.to_owned() });
    }
    Ok(notation::parse(game, text)?)
}

/// Why an answer was not taken.
fn refused(loaded: &Loaded, error: ActionError, answer: &str) -> SessionError {
    match error {
        ActionError::Hook(error) => SessionError::Failed(Box::new(loaded.hook_problem(&error))),
        ActionError::Refused { refusals } => SessionError::Refused {
            answer: answer.to_owned(),
            reasons: refusals.iter().map(|refusal| Reason::of(&loaded.rules, refusal)).collect(),
        },
        _ => SessionError::NothingThere,
    }
}
