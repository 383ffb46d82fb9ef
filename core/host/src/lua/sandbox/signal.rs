//! Errors of the sandbox itself on their way through Lua.

use mlua::{Lua, Value};

use super::fault::ModuleProblem;
use super::library::{BINDING, PRELUDE};
use crate::lua::limits::{Meter, Place, Trip};

/// What the sandbox has to say; carried by an `mlua::Error`, turned into a `LuaFault` when the call has ended.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum Signal {
    /// A global was assigned.
    #[error("assignment to global `{0}`")]
    Global(String),
    /// A global that does not exist was read.
    #[error("unknown global `{0}`")]
    Unknown(String),
    /// `require` did not find or did not allow a file.
    #[error("require `{name}`: {problem}")]
    Module { name: String, problem: ModuleProblem },
    /// A limit; the meter knows which.
    #[error("limit reached: {0:?}")]
    Stop(Trip),
}

impl Signal {
    pub(super) fn into_error(self) -> mlua::Error {
        mlua::Error::external(self)
    }
}

/// Notes where a limit was hit and gives the error that ends the script.
pub(super) fn stop(lua: &Lua, meter: &Meter, trip: Trip) -> mlua::Error {
    meter.note_place(|| script_place(lua));
    Signal::Stop(trip).into_error()
}

/// Innermost frame that belongs to a script.
pub(super) fn script_place(lua: &Lua) -> Option<Place> {
    const FRAMES: usize = 32;
    let place = |level| {
        lua.inspect_stack(level, |frame| {
            let line = u32::try_from(frame.current_line()?).ok()?;
            let file = frame.source().short_src?.into_owned();
            (file != PRELUDE && !file.starts_with(BINDING)).then_some((file, line))
        })
    };
    (0..FRAMES).map_while(place).flatten().next()
}

/// A key as it appears in a message.
pub(super) fn name_of(key: &Value) -> String {
    match key {
        Value::String(name) => name.to_string_lossy().chars().take(60).collect(),
        other => other.type_name().to_string(),
    }
}
