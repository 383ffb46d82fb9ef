//! What a script finds: the allowed part of the library, its bounded replacements and nothing else.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::rc::Rc;
use std::sync::OnceLock;

use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Function, LightUserData, Lua, Table, Value};

use super::signal::{self, Signal};
use crate::lua::limits::Meter;

/// Chunk name of the replacements; its frames are left out of reports.
pub(super) const PRELUDE: &str = "[library]";

/// Names that scripts see besides the library.
const GIVEN: [&str; 2] = ["rules", "require"];

/// Beginning of the chunk names of the binding's own pieces of Lua.
pub(super) const BINDING: &str = "__mlua_";

const PRELUDE_SOURCE: &str = include_str!("prelude.lua");

/// The global functions that stay. Texts, tables and numbers follow.
const FUNCTIONS: &[&str] = &[
    "assert",
    "error",
    "getmetatable",
    "ipairs",
    "next",
    "pairs",
    "rawequal",
    "rawget",
    "rawlen",
    "select",
    "setmetatable",
    "sorted_pairs",
    "tonumber",
    "tostring",
    "type",
    "unpack",
];

/// The libraries that stay, and what of them. Trigonometry and powers are absent: they differ between machines.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("math", &["abs", "ceil", "clamp", "floor", "fmod", "huge", "max", "min", "modf", "round", "sign", "sqrt"]),
    (
        "string",
        &[
            "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "rep", "reverse", "sub",
            "upper",
        ],
    ),
    ("table", &["concat", "create", "freeze", "insert", "isfrozen", "move", "pack", "remove", "sort", "unpack"]),
    ("utf8", &["char", "charpattern", "codepoint", "codes", "len", "offset"]),
];

/// Reduces the globals of a fresh VM to the allowed ones, freezes them and returns them.
pub(super) fn install(lua: &Lua, meter: &Rc<Meter>) -> mlua::Result<Table> {
    let globals = lua.globals();
    let before = functions_of(&globals)?;
    run_prelude(lua, meter, &globals)?;
    keep_only_allowed(&globals)?;
    lock_strings(lua)?;
    let compiler = compiler_for(&before, &functions_of(&globals)?);
    lua.set_compiler(compiler);
    globals.set_metatable(Some(unknown_names(lua)?))?;
    lua.sandbox(true)?;
    Ok(globals)
}

fn run_prelude(lua: &Lua, meter: &Rc<Meter>, globals: &Table) -> mlua::Result<()> {
    let unpack: Value = globals.get::<Table>("table")?.get("unpack")?;
    let prelude = lua.load(prelude_code()?).set_name(format!("={PRELUDE}")).set_mode(ChunkMode::Binary);
    let calls = Rc::clone(meter);
    let call_number = lua.create_function(move |_, ()| Ok(calls.call()))?;
    prelude.call((charge_function(lua, meter)?, lua.create_function(text)?, unpack, call_number))
}

/// Compiled once a process: half of the time a new sandbox takes.
fn prelude_code() -> mlua::Result<&'static [u8]> {
    static CODE: OnceLock<Vec<u8>> = OnceLock::new();
    if CODE.get().is_none() {
        // Level 1: nothing is inlined, so the levels given to `error` are right.
        let code = Compiler::new().set_optimization_level(1).set_debug_level(1).compile(PRELUDE_SOURCE)?;
        return Ok(CODE.get_or_init(|| code));
    }
    Ok(CODE.get().map_or(&[], Vec::as_slice))
}

/// `charge(ticks)`: what a library function costs on top of the call itself.
fn charge_function(lua: &Lua, meter: &Rc<Meter>) -> mlua::Result<Function> {
    let meter = Rc::clone(meter);
    lua.create_function(move |lua, ticks: f64| {
        meter.charge(ticks as u64).map_err(|trip| signal::stop(lua, &meter, trip))
    })
}

/// The text of a value that is neither text, number, boolean nor nil: what its `__tostring` says, or its type.
fn text(lua: &Lua, value: Value) -> mlua::Result<Value> {
    let shown = match &value {
        Value::Table(table) => table.metatable().map(|meta| meta.raw_get::<Value>("__tostring")).transpose()?,
        Value::UserData(object) => Some(object.metatable()?.get::<Value>("__tostring")?),
        Value::LightUserData(_) => {
            let meta = lua.type_metatable::<LightUserData>();
            meta.map(|meta| meta.raw_get::<Value>("__tostring")).transpose()?
        }
        _ => None,
    };
    match shown {
        Some(Value::Function(show)) => match show.call::<Value>(&value)? {
            text @ Value::String(_) => Ok(text),
            other => Err(mlua::Error::runtime(format!("__tostring returned a {}", other.type_name()))),
        },
        _ => match &value {
            Value::Table(_) | Value::Function(_) | Value::UserData(_) => {
                Ok(Value::String(lua.create_string(value.type_name())?))
            }
            other => Err(mlua::Error::runtime(format!("a {} has no text", other.type_name()))),
        },
    }
}

fn keep_only_allowed(globals: &Table) -> mlua::Result<()> {
    retain(globals, |name| FUNCTIONS.contains(&name) || LIBRARIES.iter().any(|(library, _)| *library == name))?;
    for (library, names) in LIBRARIES {
        retain(&globals.get(*library)?, |name| names.contains(&name))?;
    }
    Ok(())
}

fn retain(table: &Table, keep: impl Fn(&str) -> bool) -> mlua::Result<()> {
    for name in names_of(table)? {
        if !keep(&name) {
            table.raw_set(name, Value::Nil)?;
        }
    }
    Ok(())
}

fn names_of(table: &Table) -> mlua::Result<Vec<String>> {
    table.pairs::<String, Value>().map(|entry| entry.map(|(name, _)| name)).collect()
}

/// `getmetatable("")` tells nothing.
fn lock_strings(lua: &Lua) -> mlua::Result<()> {
    lua.type_metatable::<mlua::LuaString>().map_or(Ok(()), |meta| meta.raw_set("__metatable", false))
}

fn functions_of(globals: &Table) -> mlua::Result<BTreeMap<String, *const c_void>> {
    let mut found = BTreeMap::new();
    for entry in globals.pairs::<String, Value>() {
        match entry? {
            (name, Value::Function(function)) => drop(found.insert(name, function.to_pointer())),
            (name, Value::Table(library)) if name != "_G" => collect_functions(&name, &library, &mut found)?,
            _ => {}
        }
    }
    Ok(found)
}

fn collect_functions(library: &str, table: &Table, found: &mut BTreeMap<String, *const c_void>) -> mlua::Result<()> {
    for entry in table.pairs::<String, Value>() {
        if let (name, Value::Function(function)) = entry? {
            found.insert(format!("{library}.{name}"), function.to_pointer());
        }
    }
    Ok(())
}

/// The compiler turns calls of known library functions into instructions that never look at the global, so each
/// function that was removed or replaced has to be named to it.
fn compiler_for(before: &BTreeMap<String, *const c_void>, after: &BTreeMap<String, *const c_void>) -> Compiler {
    let gone =
        before.iter().filter(|(name, function)| after.get(*name) != Some(function)).map(|(name, _)| name.clone());
    let compiler = Compiler::new().set_optimization_level(1).set_debug_level(1).set_disabled_builtins(gone);
    // Other names are looked up in the library once, when a file is loaded, and if they are not there each time anew.
    compiler.set_mutable_globals(GIVEN.iter().copied())
}

fn unknown_names(lua: &Lua) -> mlua::Result<Table> {
    let unknown = lua.create_function(|_, (_, name): (Value, Value)| -> mlua::Result<()> {
        Err(Signal::Unknown(signal::name_of(&name)).into_error())
    })?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", unknown)?;
    meta.raw_set("__metatable", false)?;
    meta.set_readonly(true);
    Ok(meta)
}
