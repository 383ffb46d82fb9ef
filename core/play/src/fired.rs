//! How often the hooks of a ruleset did something in a game.

use trencavel_rules::Game;
use trencavel_rules::hooks::{Call, HookError, Reply, ScriptFn, Scripts};
use trencavel_rules::ids::HookId;
use trencavel_rules::words::DeclKind;

/// A hook, and how often it did something: a refusal decided, a function was called, an event or a score line named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookCount {
    /// What it is.
    pub kind: DeclKind,
    /// Its full id.
    pub hook: String,
    /// How often.
    pub times: u32,
}

/// Scripts whose calls are counted, by the index of the hook that is called.
pub struct Counting<'a> {
    scripts: &'a mut dyn Scripts,
    calls: &'a mut Vec<u32>,
}

impl<'a> Counting<'a> {
    /// Adds to these counts, which grow as they must.
    pub fn new(scripts: &'a mut dyn Scripts, calls: &'a mut Vec<u32>) -> Self {
        Self { scripts, calls }
    }
}

impl Scripts for Counting<'_> {
    fn call(&mut self, function: ScriptFn, call: &mut Call<'_>) -> Result<Reply, HookError> {
        count(self.calls, call.hook());
        self.scripts.call(function, call)
    }
}

fn count(counts: &mut Vec<u32>, hook: HookId) {
    if hook != HookId::default() {
        let known = counts.len().max(hook.index() + 1);
        counts.resize(known, 0);
        counts[hook.index()] += 1;
    }
}

/// How often events and score lines of a game name each hook, by its index.
pub fn named(game: &Game) -> Vec<u32> {
    let mut counts = Vec::new();
    let state = game.state();
    state.events().iter().for_each(|event| count(&mut counts, event.by));
    for line in state.lines() {
        count(&mut counts, line.hook);
        for item in state.items(line) {
            count(&mut counts, item.hook);
            count(&mut counts, item.rated_by);
        }
    }
    counts
}

/// The hooks that did something in a game, in their order. Refusals count where they decided, if the game counts them;
/// a function that is called and asks for what then happens counts once.
pub fn counts(game: &Game, calls: &[u32]) -> Vec<HookCount> {
    let named = named(game);
    let of = |counts: &[u32], hook: HookId| counts.get(hook.index()).copied().unwrap_or(0);
    let counted = game.rules().hooks().map(|(id, hook)| {
        let times = match hook.kind {
            DeclKind::Forbid => of(game.refused(), id),
            _ => of(&named, id).max(of(calls, id)),
        };
        HookCount { kind: hook.kind, hook: hook.name.to_string(), times }
    });
    counted.filter(|count| count.times > 0).collect()
}
