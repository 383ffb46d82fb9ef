//! Plain data in which declarations arrive, whether a Lua table, a Rust expression or a native plugin wrote them.

use std::fmt;
use std::sync::Arc;

use crate::hooks::Callback;

/// What a declaration's field may hold.
#[derive(Clone, Debug)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number. Fractions are refused before they get here.
    Int(i64),
    /// A word or a sentence.
    Text(Arc<str>),
    /// Values in order.
    List(Vec<Value>),
    /// Named values, in the order they were written or sorted by name.
    Table(Vec<(Arc<str>, Value)>),
    /// A function the engine may call.
    Function(Callback),
}

impl Value {
    /// A table from pairs: `Value::table([("on", "deploy".into())])`.
    pub fn table<'a>(pairs: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        Self::Table(pairs.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    /// A list of anything that turns into a value.
    pub fn list<T: Into<Self>>(items: impl IntoIterator<Item = T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }

    /// The field `key` of a table.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Table(pairs) => pairs.iter().find(|(name, _)| &**name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// What kind of value this is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Bool(_) => "true or false",
            Self::Int(_) => "a whole number",
            Self::Text(_) => "a word",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Function(_) => "a function",
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value.into())
    }
}

impl From<Callback> for Value {
    fn from(value: Callback) -> Self {
        Self::Function(value)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
            Self::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Self::Table(pairs) => {
                for (index, (key, value)) in pairs.iter().enumerate() {
                    write!(f, "{}{key} = {value}", if index == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Self::Function(_) => f.write_str("a function"),
        }
    }
}
