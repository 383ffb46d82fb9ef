//! The host at the table: holds the session, takes orders, lets bots play, and watches files. Page and terminal stand on it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use trencavel_host::diagnostic::SourceFile;
use trencavel_host::library::Library;
use trencavel_play::session::{NodeId, Session, SessionError};
use trencavel_rules::ids::PlayerId;

use super::thinker::{Outcome, Thinker};
use super::watch::Watch;
use super::{Opened, sitter};
use crate::failure::{Failure, Look};
use crate::setup::{Sources, TableArgs};

/// How often files are looked at.
const LOOK: Duration = Duration::from_millis(200);
/// How long a bot that thinks may keep people waiting.
const MOMENT: Duration = Duration::from_millis(50);

/// What people may ask for.
#[derive(Debug, serde::Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Order {
    /// An answer in our notation, at the decision that was shown.
    Answer {
        /// The answer.
        text: String,
        /// The decision before it.
        at: usize,
    },
    /// Back to before the last answer of a person.
    Undo {},
    /// The answer that was taken back.
    Redo {},
    /// To any decision.
    Go {
        /// Its number.
        to: usize,
    },
    /// Somebody else for a player.
    Sit {
        /// The player's place, from 0.
        player: usize,
        /// A person or the name of a bot.
        who: String,
    },
    /// Bots wait, or go on playing if they do.
    Bots {},
    /// The game of a save.
    Load {
        /// The save.
        text: String,
    },
}

/// A session with everything around it.
pub(crate) struct Host {
    session: Session,
    sources: Sources,
    watch: Option<Watch>,
    /// When files were looked at last.
    looked: Instant,
    thinker: Thinker,
    /// How long a bot waits before it decides.
    pace: Duration,
    /// Bots wait after something was taken back.
    bots_wait: bool,
    /// What kept the rules from being looked for at all, or their pictures from being drawn.
    unloadable: Option<String>,
    /// What happened beside the game.
    note: String,
}

impl Host {
    pub(crate) fn new(opened: Opened, watching: bool, pace: Duration) -> Result<Self, Failure> {
        let loaded = opened.sources.load()?;
        let watch = watching.then(|| Watch::new(&loaded));
        let note = match watch.as_ref().map(Watch::len) {
            Some(0) => "No expansion of this game comes from a folder, so there is nothing to watch.".to_owned(),
            Some(folders) => format!("Watching {folders} folder(s) of expansions."),
            None => String::new(),
        };
        let session = Session::begin(loaded.clone(), opened.opening, opened.sitters);
        let session = session.map_err(|error| Failure::problem(error.problem(&loaded)))?;
        Ok(Self {
            session,
            sources: opened.sources,
            watch,
            looked: Instant::now(),
            thinker: Thinker::new(),
            pace,
            bots_wait: false,
            unloadable: None,
            note,
        })
    }

    /// The game with its table.
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// The same, to ask what may be decided.
    pub(crate) fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Where expansions and their pictures are looked for.
    pub(crate) fn library(&self) -> Result<Library, Failure> {
        self.sources.search.library()
    }

    /// What happened beside the game, in a sentence; may be empty.
    pub(crate) fn note(&self) -> &str {
        &self.note
    }

    /// True if bots wait to be told to go on.
    pub(crate) fn bots_wait(&self) -> bool {
        self.bots_wait
    }

    /// How long a bot waits before it decides.
    pub(crate) fn pace(&self) -> Duration {
        self.pace
    }

    /// Lets bots decide faster or slower.
    pub(crate) fn set_pace(&mut self, pace: Duration) {
        self.pace = pace;
    }

    /// How long to wait for people before [`Host::go_on`]; for ever if nothing would come of it.
    pub(crate) fn patience(&self) -> Option<Duration> {
        match (self.bots_play(), &self.watch) {
            // It waits itself.
            (true, _) if self.thinker.is_busy() => Some(Duration::ZERO),
            (true, _) => Some(self.pace),
            (false, Some(_)) => Some(LOOK),
            (false, None) => None,
        }
    }

    fn bots_play(&self) -> bool {
        self.session.is_bots_turn() && !self.bots_wait
    }

    /// Does what needs no person: looks at files, has a bot think, and gives its answer when it comes, all within a
    /// moment. Gives true if something changed.
    pub(crate) fn go_on(&mut self) -> bool {
        if self.files_changed() {
            self.reload();
            return true;
        }
        self.bots_play() && self.go_on_with_bot()
    }

    /// Looks at files if the last time is long enough ago: an editor may still be writing.
    fn files_changed(&mut self) -> bool {
        let Some(watch) = self.watch.as_mut().filter(|_| self.looked.elapsed() >= LOOK) else { return false };
        let changed = watch.changed();
        self.looked = Instant::now();
        changed
    }

    fn go_on_with_bot(&mut self) -> bool {
        let outcome = match self.thinker.outcome(MOMENT, || self.session.think()) {
            Outcome::NotYet => return false,
            Outcome::Decided(thought) => self.session.settle(thought).map_err(drop),
            Outcome::Failed(problem) => {
                self.session.trouble(vec![*problem]);
                Err(())
            }
        };
        // A bot whose answer fails would fail again.
        self.bots_wait = outcome.is_err();
        outcome != Ok(false)
    }

    /// Does what somebody asked for, or says why not.
    pub(crate) fn take(&mut self, order: Order) -> Result<(), String> {
        let told = |error: SessionError| error.to_string();
        match order {
            Order::Answer { text, at } => {
                if at != self.session.cursor().number() {
                    return Err("the game went on meanwhile".to_owned());
                }
                if self.session.is_bots_turn() {
                    return Err("a bot decides here".to_owned());
                }
                self.session.answer(&text).map_err(told)?;
                self.bots_wait = false;
                Ok(())
            }
            Order::Undo {} => self.walk(Session::undo_to_person),
            Order::Redo {} => self.walk(Session::redo),
            Order::Go { to } => self.walk(|session| session.go_to(NodeId::from_number(to))),
            Order::Sit { player, who } => {
                if player >= self.session.names().0.len() {
                    return Err(format!("there is no player {player}"));
                }
                let player = PlayerId::from_index(player);
                self.session.sit(player, sitter(&who, self.session.seed(), player)?);
                self.bots_wait = false;
                Ok(())
            }
            Order::Bots {} => {
                self.bots_wait = !self.bots_wait;
                Ok(())
            }
            Order::Load { text } => self.load(text).map_err(|failure| words(&failure)),
        }
    }

    /// Goes to another decision; bots wait there.
    fn walk(&mut self, go: impl FnOnce(&mut Session) -> Result<(), SessionError>) -> Result<(), String> {
        self.bots_wait = true;
        go(&mut self.session).map_err(|error| error.to_string())
    }

    /// Goes on with the game of a save.
    fn load(&mut self, text: String) -> Result<(), Failure> {
        let file = SourceFile { path: PathBuf::from("the save"), text: text.into() };
        let table = TableArgs { search: self.sources.search.clone(), ..TableArgs::default() };
        let opened = Opened::of_save(file, &table)?;
        let other = Self::new(opened, self.watch.is_some(), self.pace)?;
        *self = Self { bots_wait: true, ..other };
        "A save was loaded.".clone_into(&mut self.note);
        Ok(())
    }

    fn reload(&mut self) {
        self.unloadable = None;
        match self.sources.load() {
            Err(Failure::Problems(problems)) => self.session.trouble(problems),
            Err(failure) => self.complain(&failure),
            Ok(loaded) => {
                let watch = self.watch.as_ref().map(|watch| watch.again(&loaded));
                if self.session.reload(loaded).is_ok() {
                    self.watch = watch;
                    "New rules were loaded.".clone_into(&mut self.note);
                    return;
                }
            }
        }
        "The files changed, but the game stays with the old rules:".clone_into(&mut self.note);
    }

    /// Shows a failure that has nothing to do with what was asked for.
    pub(crate) fn complain(&mut self, failure: &Failure) {
        self.unloadable = Some(words(failure));
    }

    /// What went wrong in the rules, with the lines it is about.
    pub(crate) fn console(&self) -> String {
        match &self.unloadable {
            Some(why) => why.clone(),
            None if self.session.troubles().is_empty() => String::new(),
            None => words(&Failure::Problems(self.session.troubles().to_vec())),
        }
    }
}

/// A failure as it would stand in a terminal.
pub(crate) fn words(failure: &Failure) -> String {
    let mut text = Vec::new();
    // Writing into memory does not fail.
    let _ = failure.write(&mut text, Look::Plain);
    String::from_utf8_lossy(&text).into_owned()
}
