//! A bot that decides away from the table: it takes a copy of the game along, on any thread, and what it comes back
//! with counts only if nothing happened meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use trencavel_host::diagnostic::Diagnostic;
use trencavel_host::{Loaded, ScriptHost};
use trencavel_rules::ids::PlayerId;
use trencavel_rules::{Action, Game};

use super::{Session, SessionError, Sitter};
use crate::bots::Bot;

/// Whether a moment of a session is over. It is when it is dropped, too.
#[derive(Debug, Default)]
pub(super) struct Moment(Arc<AtomicBool>);

impl Drop for Moment {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A bot with everything it needs to decide once.
#[derive(Debug)]
pub struct Thinking {
    loaded: Arc<Loaded>,
    game: Game,
    bot: Bot,
    over: Arc<AtomicBool>,
}

/// What a bot has decided.
#[derive(Debug)]
pub struct Thought {
    player: PlayerId,
    bot: Bot,
    action: Action,
    over: Arc<AtomicBool>,
}

impl Thinking {
    /// The rules of the game.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Scripts for the thread on which it thinks. They serve for every game under the same rules.
    ///
    /// # Errors
    /// If a script fails while it is loaded.
    pub fn scripts(&self) -> Result<ScriptHost, Box<Diagnostic>> {
        self.loaded.scripts().map_err(Box::new)
    }

    /// Decides. It takes as long as the bot takes, but ends soon once the answer is of no use any more.
    pub fn choose(mut self, scripts: &mut ScriptHost) -> Thought {
        let action = self.bot.choose_unless(&self.game, scripts, &self.over);
        Thought { player: self.game.state().decider(), bot: self.bot, action, over: self.over }
    }
}

impl Session {
    /// What the bot that decides now needs to do so elsewhere; `None` if no bot decides.
    pub fn think(&self) -> Option<Thinking> {
        let Sitter::Bot(bot) = self.sitter(self.game.state().decider()) else { return None };
        self.is_bots_turn().then(|| Thinking {
            loaded: Arc::clone(&self.loaded),
            game: self.game.clone(),
            bot: bot.clone(),
            over: Arc::clone(&self.moment.0),
        })
    }

    /// Gives the answer that a bot has decided on. Gives false, and changes nothing, if something happened since it was
    /// asked.
    ///
    /// # Errors
    /// If a rule fails; the game is then exactly as before.
    pub fn settle(&mut self, thought: Thought) -> Result<bool, SessionError> {
        if !Arc::ptr_eq(&thought.over, &self.moment.0) {
            return Ok(false);
        }
        self.sit(thought.player, Sitter::Bot(thought.bot));
        self.apply(thought.action)?;
        Ok(true)
    }

    /// Whatever a bot thinks about is over.
    pub(super) fn move_on(&mut self) {
        self.moment = Moment::default();
    }
}
