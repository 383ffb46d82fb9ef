//! What a script is told when it uses the door wrongly.

use crate::diagnostic::nearest;
use crate::lua::sandbox::host_error;

/// A wrong use of `rules`, of a handle or of an argument.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Misuse {
    /// The fact, in one sentence without a full stop.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// Names listed in full when none is near.
const LISTED: usize = 16;

impl Misuse {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A word that names nothing, with the nearest that does.
    pub fn unknown<'a>(message: impl Into<String>, word: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        Self { message: message.into(), help: suggestion(word, known) }
    }

    /// The fact and the advice, for messages of one line.
    pub fn in_full(&self) -> String {
        match &self.help {
            Some(help) => format!("{}; {help}", self.message),
            None => self.message.clone(),
        }
    }
}

/// The nearest known name, or all of them if none is near and they are few.
pub(crate) fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut known: Vec<&str> = known.into_iter().collect();
    known.sort_unstable();
    known.dedup();
    match nearest(word, known.iter().copied()) {
        Some(name) => Some(format!("did you mean `{name}`?")),
        None if known.is_empty() || known.len() > LISTED => None,
        None => Some(format!("known here: {}", known.join(", "))),
    }
}

impl From<Misuse> for mlua::Error {
    fn from(misuse: Misuse) -> Self {
        host_error(misuse)
    }
}
