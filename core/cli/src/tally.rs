//! What of an expansion ran: counted over scenarios and games.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use trencavel_host::{Loaded, ScriptHost};
use trencavel_play::fired;
use trencavel_rules::hooks::{Call, HookError, Reply, ScriptFn, Scripts};
use trencavel_rules::ids::HookId;
use trencavel_rules::words::DeclKind;
use trencavel_rules::{Action, Game, Ruleset, notation};

/// Counts by names, so that they add up over rulesets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Hooks that decided, counted or did something: kind and full id.
    pub(crate) hooks: BTreeMap<(DeclKind, String), u64>,
    /// Calls of functions of a hook.
    pub(crate) calls: BTreeMap<(DeclKind, String), u64>,
    /// How often each line ran, by file.
    pub(crate) lines: BTreeMap<(String, u32), u64>,
    /// Turns of games.
    pub(crate) turns: u64,
}

/// A tally that several games write to.
pub(crate) type Shared = Rc<RefCell<Tally>>;

impl Tally {
    /// Notes a refusal that was given.
    pub(crate) fn refused(&mut self, name: &str) {
        *self.hooks.entry((DeclKind::Forbid, name.to_owned())).or_default() += 1;
    }

    /// Notes the refusals that stopped what rules asked for.
    pub(crate) fn stopped(&mut self, rules: &Ruleset, refusals: &[HookId]) {
        refusals.iter().for_each(|refusal| self.refused(&rules.hook(*refusal).name));
    }

    /// Notes an answer that is about to be given.
    pub(crate) fn answered(&mut self, game: &Game, action: Action) {
        let words = notation::action(game.rules(), game.state(), action);
        let (kind, name) = match action {
            Action::Offer { .. } => (DeclKind::Offer, words.split(' ').next().unwrap_or_default()),
            Action::Answer(_) => (DeclKind::Resolve, game.waits_for()),
            _ => return,
        };
        *self.hooks.entry((kind, name.to_owned())).or_default() += 1;
    }

    /// Notes what a game tells of itself: events and who asked for them, and all that counted in the ledger.
    pub(crate) fn game(&mut self, game: &Game) {
        let named = fired::named(game);
        for ((_, hook), times) in game.rules().hooks().zip(named).filter(|(_, times)| *times > 0) {
            *self.hooks.entry((hook.kind, hook.name.to_string())).or_default() += u64::from(times);
        }
        self.turns += u64::from(game.state().turn());
    }

    /// How often a hook did something.
    pub(crate) fn ran(&self, kind: DeclKind, name: &str) -> u64 {
        let key = (kind, name.to_owned());
        self.hooks.get(&key).copied().unwrap_or(0).max(self.calls.get(&key).copied().unwrap_or(0))
    }
}

/// Scripts whose calls and lines are counted.
pub(crate) struct Counting {
    host: ScriptHost,
    tally: Shared,
}

impl Counting {
    /// The scripts of some rules, writing to a tally. The error is a sentence.
    pub(crate) fn new(loaded: &Loaded, tally: &Shared) -> Result<Self, String> {
        let host = loaded.scripts_with_lines().map_err(|problem| problem.to_string())?;
        Ok(Self { host, tally: Rc::clone(tally) })
    }
}

impl Scripts for Counting {
    fn call(&mut self, function: ScriptFn, call: &mut Call<'_>) -> Result<Reply, HookError> {
        let info = call.rules().hook(call.hook());
        *self.tally.borrow_mut().calls.entry((info.kind, info.name.to_string())).or_default() += 1;
        self.host.call(function, call)
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        let mut tally = self.tally.borrow_mut();
        for (place, hits) in self.host.lines() {
            *tally.lines.entry(place).or_default() += u64::from(hits);
        }
    }
}
