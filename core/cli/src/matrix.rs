//! What two expansions have to do with each other, read from what they declare.

use std::collections::BTreeSet;
use std::fmt;

use trencavel_host::Loaded;
use trencavel_host::check::{subject, words};
use trencavel_host::diagnostic::Diagnostic;
use trencavel_host::library::{Found, Library};
use trencavel_host::resolve::Request;
use trencavel_rules::declare::Declaration;
use trencavel_rules::words::DeclKind;

use crate::setup::linked;

/// How two expansions meet, from harmless to impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Meeting {
    /// They declare nothing about the same thing.
    Untouched,
    /// They do, and the kinds of their hooks say how these combine.
    Combined,
    /// One names the other and says what is to happen.
    Known,
    /// One is ordered against the other.
    Ordered,
    /// One says that they cannot be played together.
    Excluded,
    /// The other one cannot be loaded by itself.
    Broken,
    /// Both may change the same thing, and nothing says which of them does.
    Open,
    /// Together they cannot be loaded.
    Contradict,
}

impl fmt::Display for Meeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Untouched => "untouched",
            Self::Combined => "combined",
            Self::Known => "known",
            Self::Ordered => "ordered",
            Self::Excluded => "excluded",
            Self::Broken => "broken",
            Self::Open => "OPEN",
            Self::Contradict => "CONTRADICT",
        })
    }
}

/// Two expansions side by side.
pub(crate) struct Pair {
    pub(crate) other: String,
    pub(crate) meeting: Meeting,
    /// In a sentence, why.
    pub(crate) why: String,
    /// What both declare, if they can be loaded together.
    pub(crate) declared: Vec<Declaration>,
}

/// How an expansion meets another one.
pub(crate) fn meet(id: &str, other: &str, library: &Library) -> Pair {
    let (Some(own), Some(found)) = (library.get(id), library.get(other)) else {
        let why = "it cannot be read; see `trencavel check`".to_owned();
        return Pair { other: other.to_owned(), meeting: Meeting::Broken, why, declared: Vec::new() };
    };
    let excluded = own.manifest.conflicts.contains_key(other) || found.manifest.conflicts.contains_key(id);
    let pair = |meeting, why: String, declared| Pair { other: other.to_owned(), meeting, why, declared };
    if excluded {
        return pair(Meeting::Excluded, "a manifest says so under `conflicts`".to_owned(), Vec::new());
    }
    let declared = match load(&[id, other], library) {
        Ok(declared) => declared,
        Err(problem) => {
            let broken = load(&[other], library).is_err();
            let meeting = if broken { Meeting::Broken } else { Meeting::Contradict };
            return pair(meeting, problem.message, Vec::new());
        }
    };
    let (meeting, why) = told(own, found, &declared);
    pair(meeting, why, declared)
}

fn load(ids: &[&str], library: &Library) -> Result<Vec<Declaration>, Box<Diagnostic>> {
    let mut request = Request::default();
    ids.iter().for_each(|id| request.with(id));
    let loaded: Loaded = trencavel_host::load(&request, library, &linked()).map_err(|problems| {
        let first = problems.into_iter().next();
        Box::new(first.unwrap_or_else(|| Diagnostic::new("C005", "they cannot be loaded together")))
    })?;
    loaded.declarations(&linked()).map_err(Box::new)
}

fn told(own: &Found, found: &Found, declared: &[Declaration]) -> (Meeting, String) {
    let (one, two) = (&own.manifest, &found.manifest);
    let ordered =
        |a: &trencavel_host::manifest::Manifest, b: &str| a.order.after.iter().chain(&a.order.before).any(|id| id == b);
    if ordered(one, &two.id) || ordered(two, &one.id) {
        return (Meeting::Ordered, "a manifest says which comes first".to_owned());
    }
    if let Some(text) = one.interactions.get(&two.id).or_else(|| two.interactions.get(&one.id)) {
        return (Meeting::Known, text.clone());
    }
    let names = |a: &trencavel_host::manifest::Manifest, b: &str| {
        a.requires.contains_key(b) || a.optional.contains_key(b) || a.includes.iter().any(|id| id == b)
    };
    if names(one, &two.id) || names(two, &one.id) {
        return (Meeting::Known, "one has rules for the other".to_owned());
    }
    if let Some((verb, a, b)) = rivals(&one.id, &two.id, declared) {
        return (Meeting::Open, format!("`{a}` and `{b}` both replace `{verb}`, and nothing says which comes first"));
    }
    let shared: Vec<String> = touched(&one.id, declared).intersection(&touched(&two.id, declared)).cloned().collect();
    if shared.is_empty() {
        return (Meeting::Untouched, String::new());
    }
    (Meeting::Combined, shared.join(", "))
}

/// Two `replace` hooks of different expansions about one verb and figures that may be the same.
fn rivals<'a>(one: &str, two: &str, declared: &'a [Declaration]) -> Option<(&'a str, &'a str, &'a str)> {
    let of = |id: &str| {
        let id = id.to_owned();
        declared.iter().filter(move |hook| hook.kind == DeclKind::Replace && hook.expansion == id)
    };
    let apart = |a: &Declaration, b: &Declaration, key: &str| {
        let (a, b) = (subject(&a.fields, key), subject(&b.fields, key));
        !a.is_empty() && !b.is_empty() && !a.iter().any(|word| b.contains(word))
    };
    of(one).find_map(|a| {
        of(two).find_map(|b| {
            let verbs = words(&b.fields, "on");
            let verb = words(&a.fields, "on").into_iter().find(|verb| verbs.contains(verb))?;
            let same = !["figure", "class", "role", "seat", "cause"].iter().any(|key| apart(a, b, key));
            same.then_some((verb, a.id.as_str(), b.id.as_str()))
        })
    })
}

/// What the hooks of an expansion decide about: numbers, refusals of verbs, decisions of a step.
fn touched(id: &str, declared: &[Declaration]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for hook in declared.iter().filter(|one| one.expansion == id) {
        match hook.kind {
            DeclKind::Items | DeclKind::Rate | DeclKind::Cap | DeclKind::Void | DeclKind::Set => {
                found.extend(words(&hook.fields, "of").iter().map(|of| format!("what a {of} is worth")));
            }
            DeclKind::Forbid | DeclKind::Replace => {
                found.extend(words(&hook.fields, "on").iter().map(|verb| format!("whether to {verb}")));
            }
            DeclKind::Waive => {
                found.insert(format!("when `{}` is lifted", hook.id));
            }
            DeclKind::Step => {
                let anchors = ["after", "before"].into_iter().flat_map(|key| words(&hook.fields, key));
                found.extend(anchors.map(|anchor| format!("steps beside {}", anchor.trim_start_matches("core:"))));
            }
            DeclKind::Offer => {
                let at = words(&hook.fields, "at").first().copied().unwrap_or("action").to_owned();
                found.insert(format!("what is offered at {at}"));
            }
            _ => {}
        }
    }
    found
}
