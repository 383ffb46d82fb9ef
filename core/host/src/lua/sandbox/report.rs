//! From an error of Lua to a fault: finding the place and the stack in its text.

use std::error::Error;
use std::sync::Arc;

use super::fault::{CallLabel, HostError, LuaFault, Site};
use super::library::{BINDING, PRELUDE};
use super::modules::Files;
use super::signal::Signal;
use crate::lua::limits::Place;

/// What a fault is made from besides the error.
pub(super) struct Context<'a> {
    pub label: CallLabel<'a>,
    /// The chunks that were loaded; a place named in a message counts only if it is one of them.
    pub files: Files,
    pub memory_bytes: usize,
    /// Where the called function is defined, if nothing better is known.
    pub fallback: Option<Place>,
}

const MESSAGE_BYTES: usize = 2_000;
const TRACEBACK_BYTES: usize = 8_000;
const TRACEBACK_MARK: &str = "stack traceback:";

impl Context<'_> {
    pub(super) fn fault(&self, error: mlua::Error) -> LuaFault {
        let (error, outer) = innermost(error);
        match &error {
            mlua::Error::ExternalError(inner) => {
                self.external(inner.as_ref(), &outer).unwrap_or_else(|| self.runtime(&error.to_string(), &outer))
            }
            mlua::Error::SyntaxError { message, .. } => {
                let (site, message) = self.locate(message, &outer);
                LuaFault::Syntax { site, message }
            }
            mlua::Error::MemoryError(_) => {
                LuaFault::Memory { site: self.locate("", &outer).0, bytes: self.memory_bytes }
            }
            mlua::Error::RuntimeError(message) => self.runtime(message, &outer),
            other => self.runtime(&other.to_string(), &outer),
        }
    }

    /// Where a limit was hit, and on which way there.
    pub(super) fn stopped_at(&self, place: Option<Place>, error: Option<mlua::Error>) -> Box<Site> {
        let traceback = error.map(|error| innermost(error).1).unwrap_or_default();
        let (mut site, _) = self.locate("", &traceback);
        if let Some((file, line)) = place {
            (site.file, site.line) = (Some(file), Some(line));
        }
        site
    }

    fn runtime(&self, text: &str, outer: &str) -> LuaFault {
        let (message, traceback) = text.rsplit_once(TRACEBACK_MARK).unwrap_or((text, outer));
        let (site, message) = self.locate(message.trim_end(), traceback);
        LuaFault::Runtime { site, message }
    }

    fn external(&self, inner: &(dyn Error + 'static), traceback: &str) -> Option<LuaFault> {
        if let Some(fault) = inner.downcast_ref::<LuaFault>().filter(|fault| fault.site().is_some()) {
            return Some(fault.clone());
        }
        let (site, _) = self.locate("", traceback);
        if let Some(host) = inner.downcast_ref::<HostError>() {
            return Some(LuaFault::Host { site, source: Arc::clone(&host.0) });
        }
        match inner.downcast_ref::<Signal>()?.clone() {
            Signal::Global(name) => Some(LuaFault::Global { site, name }),
            Signal::Unknown(name) => Some(LuaFault::Unknown { site, name }),
            Signal::Module { name, problem } => Some(LuaFault::Module { site, name, problem }),
            Signal::Stop(_) => Some(LuaFault::Idle { site }),
        }
    }

    /// The place a message or a traceback names, and the message without it.
    fn locate(&self, message: &str, traceback: &str) -> (Box<Site>, String) {
        let (named, rest) = split_place(message).map_or((None, message), |(place, rest)| (Some(place), rest));
        let trusted = named.filter(|(file, _)| self.files.borrow().contains(file));
        let place = trusted.or_else(|| frames(traceback).find_map(frame_place)).or_else(|| self.fallback.clone());
        let stack: String = frames(traceback).filter(|frame| !is_library(frame)).collect::<Vec<_>>().join("\n");
        (Site::new(self.label, place, cut(&stack, TRACEBACK_BYTES)), cut(rest, MESSAGE_BYTES))
    }
}

/// The error below all callbacks it passed, and the traceback taken nearest to it.
fn innermost(mut error: mlua::Error) -> (mlua::Error, String) {
    let mut nearest = String::new();
    while let mlua::Error::CallbackError { traceback, cause } = error {
        if traceback.contains('\t') {
            nearest = traceback;
        }
        error = (*cause).clone();
    }
    (error, nearest)
}

fn frames(traceback: &str) -> impl Iterator<Item = &str> {
    traceback.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(TRACEBACK_MARK))
}

/// `scripts/a.lua:3: in function 'f'`; frames of the library and of the host have no place.
fn frame_place(frame: &str) -> Option<Place> {
    let (place, _) = frame.split_once(": in ")?;
    let (file, line) = place.rsplit_once(':')?;
    (!is_library(file)).then_some((file.to_string(), line.parse().ok()?))
}

/// Frames of the library, and of what the binding makes for fields of handles.
fn is_library(frame: &str) -> bool {
    frame.starts_with(PRELUDE) || frame.starts_with(BINDING)
}

/// `scripts/a.lua:3: message`.
fn split_place(message: &str) -> Option<(Place, &str)> {
    let first = message.lines().next()?;
    first.match_indices(':').find_map(|(at, _)| {
        let digits = first[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let line = first[at + 1..at + 1 + digits].parse().ok()?;
        let rest = message[at + 1 + digits..].strip_prefix(':')?;
        Some(((first[..at].to_string(), line), rest.trim_start()))
    })
}

fn cut(text: &str, bytes: usize) -> String {
    match text.char_indices().map(|(at, _)| at).find(|at| *at >= bytes) {
        Some(end) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_from_messages_and_frames() {
        let place = Some((("a/b.lua".to_string(), 3), "x: y"));
        assert_eq!(split_place("a/b.lua:3: x: y"), place);
        assert_eq!(split_place("no place: here"), None);
        assert_eq!(frame_place("a/b.lua:3: in function 'f'"), Some(("a/b.lua".to_string(), 3)));
        assert_eq!(frame_place("[C]: in ?"), None);
        assert_eq!(frame_place("[library]:3: in function 'error'"), None);
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(cut("aéé", 2), "aé...");
        assert_eq!(cut("aé", 3), "aé");
    }
}
