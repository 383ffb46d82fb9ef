//! From tables of Lua to the plain data of declarations.

use std::sync::Arc;

use mlua::{Function, Value as LuaValue};
use trencavel_rules::hooks::{Callback, ScriptFn};
use trencavel_rules::value::Value;

use super::misuse::Misuse;
use super::sandbox::integer;

/// Tables within tables.
pub(crate) const DEPTH: usize = 16;

/// The plain data of `value`; `number` gives each function its number, by the path of its key.
///
/// # Errors
/// If there is something that no declaration holds, with the path of its key.
pub(crate) fn convert(
    value: &LuaValue,
    path: &str,
    number: &mut dyn FnMut(&str, &Function) -> ScriptFn,
) -> Result<Value, Misuse> {
    convert_within(value, path, DEPTH, number)
}

fn convert_within(
    value: &LuaValue,
    path: &str,
    depth: usize,
    number: &mut dyn FnMut(&str, &Function) -> ScriptFn,
) -> Result<Value, Misuse> {
    if depth == 0 {
        return Err(Misuse::new(format!("`{path}` holds tables within tables without end")));
    }
    match value {
        LuaValue::Boolean(flag) => Ok(Value::Bool(*flag)),
        LuaValue::Integer(_) | LuaValue::Number(_) => match integer(value) {
            Ok(whole) => Ok(Value::Int(whole)),
            Err(_) => Err(Misuse::new(format!("`{path}` must be a whole number, not {}", shown(value)))
                .help("there are no fractions in rules; a rate takes `times = { 1, 2 }`")),
        },
        LuaValue::String(text) => match text.to_str() {
            Ok(text) => Ok(Value::Text(text.as_ref().into())),
            Err(_) => Err(Misuse::new(format!("`{path}` is not valid UTF-8"))),
        },
        LuaValue::Function(function) => Ok(Value::Function(Callback::Script(number(path, function)))),
        LuaValue::Table(table) => {
            let mut entries: Vec<(LuaValue, LuaValue)> = Vec::new();
            table
                .for_each(|key, value| {
                    entries.push((key, value));
                    Ok(())
                })
                .map_err(|error| Misuse::new(error.to_string()))?;
            convert_table(entries, path, depth, number)
        }
        other => Err(Misuse::new(format!("`{path}` cannot be {}", shown(other)))),
    }
}

fn convert_table(
    entries: Vec<(LuaValue, LuaValue)>,
    path: &str,
    depth: usize,
    number: &mut dyn FnMut(&str, &Function) -> ScriptFn,
) -> Result<Value, Misuse> {
    let mut listed: Vec<(i64, LuaValue)> = Vec::new();
    let mut named: Vec<(Arc<str>, LuaValue)> = Vec::new();
    for (key, value) in entries {
        match &key {
            LuaValue::String(name) => named.push((name.to_string_lossy().as_str().into(), value)),
            other => match integer(other) {
                Ok(place) => listed.push((place, value)),
                Err(_) => return Err(Misuse::new(format!("`{path}` has {} as a key", shown(&key)))),
            },
        }
    }
    if !listed.is_empty() && !named.is_empty() {
        return Err(Misuse::new(format!("`{path}` is both a list and a table of names"))
            .help(format!("give every value a name, or none; named: {}", named[0].0)));
    }
    listed.sort_by_key(|(place, _)| *place);
    if listed.iter().zip(1..).any(|((place, _), wanted)| *place != wanted) {
        return Err(Misuse::new(format!("`{path}` is a list with gaps")));
    }
    if !listed.is_empty() {
        let items =
            listed.iter().map(|(place, value)| convert_within(value, &format!("{path}[{place}]"), depth - 1, number));
        return Ok(Value::List(items.collect::<Result<_, _>>()?));
    }
    named.sort_by(|a, b| a.0.cmp(&b.0));
    let mut table = Vec::new();
    for (name, value) in named {
        let inner = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        table.push((name, convert_within(&value, &inner, depth - 1, number)?));
    }
    Ok(Value::Table(table))
}

/// A value as messages show it.
pub(crate) fn shown(value: &LuaValue) -> String {
    match value {
        LuaValue::Nil => "nothing".to_owned(),
        LuaValue::Boolean(flag) => flag.to_string(),
        LuaValue::Integer(number) => number.to_string(),
        LuaValue::Number(number) => number.to_string(),
        LuaValue::String(text) => format!("\"{}\"", text.to_string_lossy().chars().take(60).collect::<String>()),
        LuaValue::LightUserData(_) => "a handle".to_owned(),
        other => format!("a {}", other.type_name()),
    }
}
