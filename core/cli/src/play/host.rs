//! The host at the table: the one thread that holds the session, takes orders, lets bots play, and watches files.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use trencavel_host::diagnostic::SourceFile;
use trencavel_play::session::{NodeId, Session, SessionError};
use trencavel_rules::ids::PlayerId;
use trencavel_view::art::Gallery;
use trencavel_view::svg::Artist;

use super::page::{self, Page, Shown};
use super::watch::Watch;
use super::{Opened, sitter};
use crate::failure::{Failure, Look};
use crate::pictures::gallery;
use crate::setup::{Sources, TableArgs};

/// How often files are looked at.
const LOOK: Duration = Duration::from_millis(200);

/// What a page may ask for.
#[derive(Debug, serde::Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Order {
    /// An answer in our notation, at the decision that the page showed.
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

/// An order, and where its answer goes.
pub(crate) struct Message {
    pub(crate) order: Order,
    pub(crate) reply: oneshot::Sender<Result<(), String>>,
}

/// An order that was taken; its answer is sent when the page shows what came of it.
struct Done {
    result: Result<(), String>,
    reply: oneshot::Sender<Result<(), String>>,
}

/// What the host waited for.
enum Next {
    Done(Done),
    Changed,
    /// Nobody sends orders any more.
    End,
}

/// A session with everything around it.
pub(crate) struct Host {
    session: Session,
    sources: Sources,
    watch: Option<Watch>,
    /// How long a bot waits before it decides.
    pace: Duration,
    /// Bots wait after something was taken back.
    bots_wait: bool,
    /// What kept the rules from being looked for at all, or their pictures from being drawn.
    unloadable: Option<String>,
    /// What happened beside the game.
    note: String,
    /// Pages shown so far.
    serial: u64,
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
        Ok(Self { session, sources: opened.sources, watch, pace, bots_wait: false, unloadable: None, note, serial: 0 })
    }

    /// Plays until nobody sends orders any more.
    pub(crate) fn play(mut self, orders: &Receiver<Message>, pages: &watch::Sender<Arc<Page>>) -> Result<(), Failure> {
        let mut done = None;
        loop {
            let rules = Arc::clone(self.session.game().rules());
            let gallery = self.sources.search.library().and_then(|library| gallery(&library, &rules));
            let gallery = gallery.unwrap_or_else(|failure| {
                self.unloadable = Some(words(&failure));
                Gallery::default()
            });
            let artist = Artist::new(&rules, &gallery);
            let defs = page::defs(&artist, self.session.names().0.len());
            // With other rules everything is drawn anew.
            while Arc::ptr_eq(&rules, self.session.game().rules()) {
                self.show(&artist, &defs, pages);
                if let Some(Done { reply, result }) = done.take() {
                    // Whoever asked may be gone.
                    let _ = reply.send(result);
                }
                match self.wait(orders) {
                    Next::Done(answered) => done = Some(answered),
                    Next::Changed => {}
                    Next::End => return Ok(()),
                }
            }
        }
    }

    fn show(&mut self, artist: &Artist<'_>, defs: &Arc<str>, pages: &watch::Sender<Arc<Page>>) {
        self.serial += 1;
        let shown = Shown { serial: self.serial, console: self.console(), note: &self.note, bots_wait: self.bots_wait };
        let page = Page::of(&mut self.session, artist, defs, &shown);
        // If nobody looks, nothing is lost.
        let _ = pages.send(Arc::new(page));
    }

    /// Waits for something to happen.
    fn wait(&mut self, orders: &Receiver<Message>) -> Next {
        loop {
            let bots = self.session.is_bots_turn() && !self.bots_wait;
            let next = match (bots, &self.watch) {
                (true, _) => orders.recv_timeout(self.pace),
                (false, Some(_)) => orders.recv_timeout(LOOK),
                (false, None) => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match next {
                Ok(Message { order, reply }) => return Next::Done(Done { result: self.take(order), reply }),
                Err(RecvTimeoutError::Disconnected) => return Next::End,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.watch.as_mut().is_some_and(Watch::changed) {
                self.reload();
                return Next::Changed;
            }
            if bots {
                // A bot whose answer fails would fail again.
                self.bots_wait = self.session.step_bot().is_err();
                return Next::Changed;
            }
        }
    }

    fn take(&mut self, order: Order) -> Result<(), String> {
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
        *self = Self { bots_wait: true, serial: self.serial, ..other };
        "A save was loaded.".clone_into(&mut self.note);
        Ok(())
    }

    fn reload(&mut self) {
        self.unloadable = None;
        match self.sources.load() {
            Err(Failure::Problems(problems)) => self.session.trouble(problems),
            Err(failure) => self.unloadable = Some(words(&failure)),
            Ok(loaded) => {
                let watch = Watch::new(&loaded);
                if self.session.reload(loaded).is_ok() {
                    self.watch = Some(watch);
                    "New rules were loaded.".clone_into(&mut self.note);
                    return;
                }
            }
        }
        "The files changed, but the game stays with the old rules:".clone_into(&mut self.note);
    }

    /// What went wrong in the rules, with the lines it is about.
    fn console(&self) -> String {
        match &self.unloadable {
            Some(why) => why.clone(),
            None if self.session.troubles().is_empty() => String::new(),
            None => words(&Failure::Problems(self.session.troubles().to_vec())),
        }
    }
}

/// A failure as it would stand in a terminal.
fn words(failure: &Failure) -> String {
    let mut text = Vec::new();
    // Writing into memory does not fail.
    let _ = failure.write(&mut text, Look::Plain);
    String::from_utf8_lossy(&text).into_owned()
}
