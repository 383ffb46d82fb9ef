//! Every point has its line: who, how much, why, which expansion, which file and line.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use crate::ids::*;
use crate::ruleset::{Ruleset, short};
use crate::state::State;
use crate::words::DeclKind;

/// Something that counted in a number: *count × unit*, then a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// The hook that counted it.
    pub hook: HookId,
    /// How many.
    pub count: i32,
    /// Points each, after rates.
    pub unit: i32,
    /// The fraction the product is multiplied by.
    pub times: (i16, i16),
    /// The hook that made the unit or the fraction differ, if one did.
    pub rated_by: HookId,
    /// A short number for the words a function used for it; 0 for the hook's own name.
    pub label: u32,
}

/// A short number for words in the ledger, the same everywhere. [`Labels`] knows the way back.
pub(crate) fn label(words: &str) -> u32 {
    crate::seed::derive(0, &[words]) as u32 | 1
}

/// The words that functions used in the ledger. A cache of text: it decides nothing.
#[derive(Debug, Default)]
pub(crate) struct Labels(RwLock<BTreeMap<u32, Arc<str>>>);

impl Labels {
    pub fn remember(&self, words: &Arc<str>) {
        let id = label(words);
        let known = self.0.read().is_ok_and(|labels| labels.contains_key(&id));
        if !known && let Ok(mut labels) = self.0.write() {
            labels.insert(id, words.clone());
        }
    }

    pub fn words(&self, label: u32) -> Option<Arc<str>> {
        self.0.read().ok()?.get(&label).cloned()
    }
}

/// A payment and its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Who is paid.
    pub player: PlayerId,
    /// How much; negative for what is taken.
    pub points: i32,
    /// What was scored, if a feature was.
    pub feature: FeatureId,
    /// Its kind.
    pub kind: FeatureKindId,
    /// True if the feature was completed.
    pub completed: bool,
    /// Why: `completed`, `final`, or the word of an expansion.
    pub cause: CauseId,
    /// The award, void or reaction that made the line; none for the worth of a feature.
    pub hook: HookId,
    /// In which turn, from 1.
    pub turn: u32,
    /// Its first item.
    pub first: u32,
    /// How many items it has.
    pub count: u32,
}

/// A line in words: `road 4 tiles × 1 + wells 3 × 1 = 7, wells: scripts/wells/rules.lua:4`.
pub fn words(rules: &Ruleset, state: &State, line: &Line) -> String {
    let own = line.kind.some().map(|kind| rules.feature_name(kind));
    // A void or set decides about the feature's own worth; any other hook makes an entry of its own.
    let decides = |hook: HookId| matches!(rules.hook(hook).kind, DeclKind::Void | DeclKind::Set);
    let subject = match line.hook.some() {
        Some(hook) if !decides(hook) => short(&rules.hook(hook).name).to_owned(),
        _ => own.map_or_else(|| rules.cause_word(line.cause).to_owned(), |name| short(name).to_owned()),
    };
    let home = own.and_then(|name| name.split_once(':')).map_or("", |(home, _)| home);
    let items = state.items(line);
    let mut parts = Vec::new();
    let mut hooks = Vec::new();
    for item in items {
        parts.push(item_words(rules, item, home));
        hooks.extend([item.hook, item.rated_by]);
    }
    hooks.push(line.hook);
    let sum = if parts.is_empty() { String::new() } else { format!(" {}", parts.join(" + ")) };
    let why = match line.hook.some() {
        Some(hook) if line.points == 0 || parts.is_empty() => {
            rules.hook(hook).say.as_ref().map_or(String::new(), |say| format!(" ({say})"))
        }
        _ => String::new(),
    };
    format!("{subject}{sum} = {}{why}{}", line.points, sources(rules, &hooks, home))
}

fn item_words(rules: &Ruleset, item: &Item, home: &str) -> String {
    let info = rules.hook(item.hook);
    let label = rules.labels.words(item.label).or_else(|| info.say.clone());
    let label = label.as_deref().unwrap_or(short(&info.name));
    let count = if info.name.split_once(':').is_some_and(|(prefix, _)| prefix == home) {
        format!("{} {label}", item.count)
    } else {
        format!("{label} {}", item.count)
    };
    let times = if item.times == (1, 1) { String::new() } else { format!(" × {}/{}", item.times.0, item.times.1) };
    format!("{count} × {}{times}", item.unit)
}

/// Where the hooks of other expansions than the feature's own are written.
fn sources(rules: &Ruleset, hooks: &[HookId], home: &str) -> String {
    let mut text = String::new();
    let mut told = Vec::new();
    for hook in hooks.iter().filter_map(|hook| hook.some()) {
        let info = rules.hook(hook);
        let foreign = info.name.split_once(':').is_some_and(|(prefix, _)| prefix != home);
        if let Some(source) = info.source.as_ref().filter(|_| foreign && !told.contains(&hook)) {
            text.push_str(&format!(", {}: {}:{}", short(&info.name), source.file, source.line));
        }
        told.push(hook);
    }
    text
}
