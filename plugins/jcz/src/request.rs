//! What a recording wants to be played with, and what it needs that we have not.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use trencavel_rules::Ruleset;
use trencavel_rules::hooks::Scripts;

use crate::file::excerpt;

/// The expansions and options of a recording, in our words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Expansions that are on, and those that are off although another one includes them.
    pub expansions: BTreeMap<String, bool>,
    /// Options that differ from our defaults: `expansion.option`, value.
    pub options: BTreeMap<String, String>,
}

impl Request {
    /// Switches expansions on.
    pub(crate) fn switch_on(&mut self, ids: &[String]) {
        for id in ids {
            self.expansions.insert(id.clone(), true);
        }
    }

    pub(crate) fn set_all(&mut self, options: &BTreeMap<String, String>) {
        self.options.extend(options.iter().map(|(option, value)| (option.clone(), value.clone())));
    }

    /// True if an expansion is on.
    pub fn is_on(&self, id: &str) -> bool {
        self.expansions.get(id) == Some(&true)
    }

    /// The expansions that are on, in order.
    pub fn on(&self) -> impl Iterator<Item = &str> {
        self.expansions.iter().filter(|(_, on)| **on).map(|(id, _)| id.as_str())
    }
}

/// What a recording needs that we have not: `element dragon`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    what: String,
    name: String,
}

impl Unsupported {
    /// Something of a kind by its name.
    pub fn new(what: &str, name: &str) -> Self {
        Self { what: what.to_owned(), name: excerpt(name) }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.name)
    }
}

impl std::error::Error for Unsupported {}

/// A ruleset with whoever runs its scripts.
pub type Loaded = (Arc<Ruleset>, Box<dyn Scripts>);

/// Gives the ruleset for a request.
pub type Loader<'a> = &'a mut dyn FnMut(&Request) -> Result<Loaded, Unsupported>;
