//! What can go wrong in a script, with the place it went wrong at.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::lua::limits::Place;

/// Who was asked to run when a fault happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallLabel<'a> {
    /// Id of the expansion the function belongs to.
    pub expansion: &'a str,
    /// Name of the hook, or `load` for the top level of its files.
    pub hook: &'a str,
}

/// Where a fault happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Site {
    /// Id of the expansion that ran.
    pub expansion: String,
    /// The hook that ran, or `load`.
    pub hook: String,
    /// The file, named as it was loaded.
    pub file: Option<String>,
    /// 1-based line of the file.
    pub line: Option<u32>,
    /// The stack of calls, innermost first, one a line; empty if unknown.
    pub traceback: String,
}

impl Site {
    pub(super) fn new(label: CallLabel<'_>, place: Option<Place>, traceback: String) -> Box<Self> {
        let (file, line) = place.unzip();
        Box::new(Self { expansion: label.expansion.into(), hook: label.hook.into(), file, line, traceback })
    }
}

impl fmt::Display for Site {
    /// `scripts/river/rules.lua:14`, or the expansion and hook if the file is unknown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}"),
            (Some(file), None) => f.write_str(file),
            _ => write!(f, "{}/{}", self.expansion, self.hook),
        }
    }
}

/// Why `require` refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModuleProblem {
    /// Not of the form `./name` or `./folder/name`.
    BadName,
    /// No such file in the folder of the expansion.
    Missing,
    /// The file is being loaded already.
    Cycle,
    /// Files are loaded at the top level only, not by a hook.
    TooLate,
}

impl fmt::Display for ModuleProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadName => "write \"./name\", a file of the same folder",
            Self::Missing => "there is no such file",
            Self::Cycle => "the files require each other in a circle",
            Self::TooLate => "files are required at the top level only",
        })
    }
}

/// A script that failed. The VM stays usable whatever the variant.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LuaFault {
    /// The text is not Lua.
    #[error("{site}: {message}")]
    Syntax {
        /// Where.
        site: Box<Site>,
        /// What the parser says.
        message: String,
    },
    /// An error raised by the script or by the library.
    #[error("{site}: {message}")]
    Runtime {
        /// Where.
        site: Box<Site>,
        /// The message without the place.
        message: String,
    },
    /// A function of the host refused; made with [`host_error`].
    #[error("{site}: {source}")]
    Host {
        /// Where.
        site: Box<Site>,
        /// What it said.
        source: Arc<dyn Error + Send + Sync>,
    },
    /// A global was assigned.
    #[error("{site}: globals are not allowed: declare state with rules.state (assigning `{name}`)")]
    Global {
        /// Where.
        site: Box<Site>,
        /// The global.
        name: String,
    },
    /// A global that does not exist was read.
    #[error("{site}: unknown name `{name}`")]
    Unknown {
        /// Where.
        site: Box<Site>,
        /// The global.
        name: String,
    },
    /// `require` refused.
    #[error("{site}: require \"{name}\": {problem}")]
    Module {
        /// Where.
        site: Box<Site>,
        /// As written.
        name: String,
        /// Why.
        problem: ModuleProblem,
    },
    /// The call used up [`Limits::instructions`](crate::lua::limits::Limits).
    #[error("{site}: hook `{}` of `{}` ran for more than {ticks} ticks", site.hook, site.expansion)]
    Budget {
        /// Where.
        site: Box<Site>,
        /// The limit.
        ticks: u64,
    },
    /// The call ran for longer than [`Limits::wall_ms`](crate::lua::limits::Limits). Not reproducible: end the game.
    #[error("{site}: hook `{}` of `{}` ran for more than {ms} ms", site.hook, site.expansion)]
    Time {
        /// Where.
        site: Box<Site>,
        /// The limit.
        ms: u64,
    },
    /// The VM needed more than [`Limits::memory_bytes`](crate::lua::limits::Limits). Not reproducible: end the game.
    #[error("{site}: hook `{}` of `{}` needed more than {bytes} bytes of memory", site.hook, site.expansion)]
    Memory {
        /// Where.
        site: Box<Site>,
        /// The limit.
        bytes: usize,
    },
    /// The host itself panicked below the script: a bug of the engine.
    #[error("{site}: the engine failed: {message}")]
    Panic {
        /// Where.
        site: Box<Site>,
        /// The panic's message.
        message: String,
    },
    /// Calls within calls within calls; see [`DEPTH`](super::DEPTH).
    #[error("{site}: more than {calls} calls of hooks within each other")]
    Depth {
        /// Where.
        site: Box<Site>,
        /// The limit.
        calls: u32,
    },
    /// A script ran although the host had opened no call: a bug of the engine.
    #[error("{site}: a script ran outside a call")]
    Idle {
        /// Where.
        site: Box<Site>,
    },
    /// A value that should be an integer between -2^53 and 2^53 is none; see [`integer`](super::integer).
    #[error("expected an integer, found {found}")]
    NotAnInteger {
        /// The number, or the type of the value.
        found: String,
    },
    /// The VM could not be set up.
    #[error("cannot set up the script engine: {message}")]
    Setup {
        /// Why.
        message: String,
    },
}

impl LuaFault {
    /// Where it happened; `None` for faults that are not tied to a script.
    pub fn site(&self) -> Option<&Site> {
        match self {
            Self::Syntax { site, .. }
            | Self::Runtime { site, .. }
            | Self::Host { site, .. }
            | Self::Global { site, .. }
            | Self::Unknown { site, .. }
            | Self::Module { site, .. }
            | Self::Budget { site, .. }
            | Self::Time { site, .. }
            | Self::Memory { site, .. }
            | Self::Panic { site, .. }
            | Self::Depth { site, .. }
            | Self::Idle { site } => Some(site),
            Self::NotAnInteger { .. } | Self::Setup { .. } => None,
        }
    }

    /// The file it happened in, named as it was loaded.
    pub fn file(&self) -> Option<&str> {
        self.site()?.file.as_deref()
    }

    /// 1-based line of [`file`](Self::file).
    pub fn line(&self) -> Option<u32> {
        self.site()?.line
    }

    /// The stack of calls, innermost first; empty if unknown.
    pub fn traceback(&self) -> &str {
        self.site().map_or("", |site| &site.traceback)
    }

    /// The same decisions may not give this fault again: the game is to be given up.
    pub fn is_unreproducible(&self) -> bool {
        matches!(self, Self::Time { .. } | Self::Memory { .. } | Self::Panic { .. })
    }
}

/// An error of a host function as Lua carries it; it comes out as [`LuaFault::Host`] with `error` as its source.
pub fn host_error(error: impl Error + Send + Sync + 'static) -> mlua::Error {
    mlua::Error::external(HostError(Arc::new(error)))
}

/// Carries an error of the host through Lua.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct HostError(pub(super) Arc<dyn Error + Send + Sync>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_can_leave_its_thread() {
        fn check<T: Send + Sync + Clone>() {}
        check::<LuaFault>();
        assert!(size_of::<LuaFault>() <= 64);
    }
}
