//! Reads the fields of a declaration: every value has its shape, every key is known.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::names::{Meaning, Room};
use super::{Declaration, Freezing, Problem};
use crate::hooks::Callback;
use crate::value::Value;
use crate::words::{UnknownWord, Verb};

/// The fields of one table, read key by key. [`Fields::done`] refuses what nobody asked for.
pub(super) struct Fields<'a> {
    pub declaration: &'a Declaration,
    path: String,
    table: &'a [(Arc<str>, Value)],
    asked: Vec<&'static str>,
    /// Keys that mean something else here than in a condition.
    taken: Vec<&'static str>,
}

const NONE: &[(Arc<str>, Value)] = &[];

/// The largest whole number of a field that has no range of its own.
const MOST: i32 = 1_000_000;

impl<'a> Fields<'a> {
    /// The fields of a declaration.
    pub fn of(freezing: &mut Freezing, declaration: &'a Declaration) -> Self {
        Self::inner(freezing, declaration, &declaration.fields, String::new())
    }

    /// The fields of a table inside a declaration.
    pub fn inner(freezing: &mut Freezing, declaration: &'a Declaration, value: &'a Value, path: String) -> Self {
        let table = match value {
            Value::Table(table) => table.as_slice(),
            // An empty table and an empty list are written the same way.
            Value::List(list) if list.is_empty() => NONE,
            other => {
                let shown = if path.is_empty() { "the declaration".to_owned() } else { path.clone() };
                freezing.shape(declaration, shown, "a table", other);
                NONE
            }
        };
        Self { declaration, path, table, asked: Vec::new(), taken: Vec::new() }
    }

    /// The full path of a key, for messages.
    pub fn path(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// A field, if it is there.
    pub fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.asked.push(key);
        if self.taken.contains(&key) {
            return None;
        }
        self.table.iter().find(|(name, _)| **name == *key).map(|(_, value)| value)
    }

    /// From here on nobody else finds this key: it has been read with another meaning.
    pub fn take(&mut self, key: &'static str) {
        self.taken.push(key);
    }

    /// A whole number, or `default`.
    pub fn int(&mut self, freezing: &mut Freezing, key: &'static str, default: i32) -> i32 {
        self.int_within(freezing, key, -MOST..=MOST, default)
    }

    /// A whole number of this range, or `default`.
    pub fn int_within(
        &mut self,
        freezing: &mut Freezing,
        key: &'static str,
        range: RangeInclusive<i32>,
        default: i32,
    ) -> i32 {
        let found = self.get(key).map(|value| freezing.number(self.declaration, self.path(key), value, &range));
        found.flatten().unwrap_or(default)
    }

    /// A whole number of this range, or a list of them.
    pub fn ints(&mut self, freezing: &mut Freezing, key: &'static str, range: RangeInclusive<i32>) -> Option<Vec<i32>> {
        let values = match self.get(key)? {
            Value::List(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        values.iter().map(|value| freezing.number(self.declaration, self.path(key), value, &range)).collect()
    }

    /// True or false, or `default`.
    pub fn flag(&mut self, freezing: &mut Freezing, key: &'static str, default: bool) -> bool {
        match self.get(key) {
            None => default,
            Some(Value::Bool(value)) => *value,
            Some(other) => {
                freezing.shape(self.declaration, self.path(key), "true or false", other);
                default
            }
        }
    }

    /// A word.
    pub fn word(&mut self, freezing: &mut Freezing, key: &'static str) -> Option<Arc<str>> {
        match self.get(key)? {
            Value::Text(word) => Some(word.clone()),
            other => {
                freezing.shape(self.declaration, self.path(key), "a word", other);
                None
            }
        }
    }

    /// A word or a list of words.
    pub fn words(&mut self, freezing: &mut Freezing, key: &'static str) -> Option<Vec<Arc<str>>> {
        let value = self.get(key)?;
        Some(words_of(freezing, self.declaration, &self.path(key), value))
    }

    /// A function.
    pub fn function(&mut self, freezing: &mut Freezing, key: &'static str) -> Option<Callback> {
        match self.get(key)? {
            Value::Function(callback) => Some(*callback),
            other => {
                freezing.shape(self.declaration, self.path(key), "a function", other);
                None
            }
        }
    }

    /// Reports a field that is not there.
    pub fn need(&mut self, freezing: &mut Freezing, key: &'static str) {
        if self.get(key).is_none() {
            freezing.problem(self.declaration, Problem::Missing { path: self.path(key) });
        }
    }

    /// A function that must be there.
    pub fn need_function(&mut self, freezing: &mut Freezing, key: &'static str) -> Option<Callback> {
        let found = self.function(freezing, key);
        if found.is_none() && !self.table.iter().any(|(name, _)| **name == *key) {
            freezing.problem(self.declaration, Problem::Missing { path: self.path(key) });
        }
        found
    }

    /// Handles of one or several names, as a bit mask.
    pub fn mask(&mut self, freezing: &mut Freezing, key: &'static str, room: Room) -> Option<u64> {
        let words = self.words(freezing, key)?;
        Some(freezing.mask_of(self.declaration, room, &words))
    }

    /// Bits of one or several words of a closed vocabulary.
    pub fn verbs(&mut self, freezing: &mut Freezing, key: &'static str) -> u32 {
        let words = self.words(freezing, key).unwrap_or_default();
        let mut bits = 0;
        for word in words {
            match word.parse::<Verb>() {
                Ok(verb) => bits |= 1 << verb.index(),
                Err(unknown) => freezing.unknown_word(self.declaration, "verb", &unknown),
            }
        }
        bits
    }

    /// Refuses every key that nobody asked for.
    pub fn done(self, freezing: &mut Freezing) {
        for (key, _) in self.table {
            if !self.asked.iter().any(|known| **known == **key) {
                let mut known: Vec<String> = self.asked.iter().map(|key| (*key).to_owned()).collect();
                known.sort_unstable();
                known.dedup();
                let word = self.path(key);
                freezing.problem(self.declaration, Problem::Unknown { what: "key", word, known });
            }
        }
    }
}

/// A word or a list of words.
pub(super) fn words_of(freezing: &mut Freezing, declaration: &Declaration, path: &str, value: &Value) -> Vec<Arc<str>> {
    match value {
        Value::Text(word) => vec![word.clone()],
        Value::List(list) => list
            .iter()
            .filter_map(|item| match item {
                Value::Text(word) => Some(word.clone()),
                other => {
                    freezing.shape(declaration, path.to_owned(), "a list of words", other);
                    None
                }
            })
            .collect(),
        Value::Table(table) if table.is_empty() => Vec::new(),
        other => {
            freezing.shape(declaration, path.to_owned(), "a word or a list of words", other);
            Vec::new()
        }
    }
}

impl Freezing {
    pub(super) fn shape(&mut self, declaration: &Declaration, path: String, expected: &str, found: &Value) {
        let problem = Problem::Shape { path, expected: expected.to_owned(), found: found.kind().to_owned() };
        self.problem(declaration, problem);
    }

    /// A whole number of this range; anything else is reported.
    pub(super) fn number(
        &mut self,
        declaration: &Declaration,
        path: String,
        value: &Value,
        range: &RangeInclusive<i32>,
    ) -> Option<i32> {
        let Value::Int(number) = value else {
            self.shape(declaration, path, "a whole number", value);
            return None;
        };
        let found = i32::try_from(*number).ok().filter(|number| range.contains(number));
        if found.is_none() {
            let (from, to) = (*range.start(), *range.end());
            self.problem(declaration, Problem::Range { path, from, to, found: *number });
        }
        found
    }

    pub(super) fn unknown_word(&mut self, declaration: &Declaration, what: &'static str, unknown: &UnknownWord) {
        let known = unknown.known.iter().map(|word| (*word).to_owned()).collect();
        self.problem(declaration, Problem::Unknown { what, word: unknown.word.clone(), known });
    }

    /// The handle of a name; nothing for one of an absent optional expansion, or for an unknown one, which is reported.
    pub(super) fn lookup(&mut self, declaration: &Declaration, room: Room, word: &str) -> Option<usize> {
        match self.names.meaning(room, &declaration.expansion, word) {
            Ok(Meaning::Known(place)) => Some(place),
            Ok(Meaning::Absent) => None,
            Err(problem) => {
                self.problem(declaration, problem);
                None
            }
        }
    }

    pub(super) fn mask_of(&mut self, declaration: &Declaration, room: Room, words: &[Arc<str>]) -> u64 {
        let mut mask = 0;
        for word in words {
            if let Some(place) = self.lookup(declaration, room, word) {
                mask |= 1_u64.checked_shl(place as u32).unwrap_or(0);
            }
        }
        mask
    }

    /// Bits of words that are known without a prefix: causes, roles, tags.
    pub(super) fn plain_mask(
        &mut self,
        declaration: &Declaration,
        what: &'static str,
        known: &[Arc<str>],
        words: &[Arc<str>],
    ) -> u64 {
        let mut mask = 0;
        for word in words {
            match known.iter().position(|name| name == word) {
                Some(place) => mask |= 1_u64.checked_shl(place as u32).unwrap_or(0),
                None => {
                    let known = known.iter().map(ToString::to_string).collect();
                    self.problem(declaration, Problem::Unknown { what, word: word.to_string(), known });
                }
            }
        }
        mask
    }
}
