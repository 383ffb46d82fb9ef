//! Locks: exactly which expansions, contents and options a game is played with, as lines of text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use semver::Version;

use crate::game_file::Limits;

/// A BLAKE3 hash of everything in an expansion that can change a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContentHash(blake3::Hash);

/// What a game is played with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// The expansions in canonical order.
    pub entries: Vec<LockEntry>,
    /// The orders the game file sets, `a before b`, sorted.
    pub orders: Vec<String>,
    /// The limits the game file sets.
    pub limits: Limits,
}

/// One expansion of a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockEntry {
    /// The expansion.
    pub id: String,
    /// Its version.
    pub version: Version,
    /// What its files contain.
    pub hash: ContentHash,
    /// Every option with its value in canonical text, sorted by name.
    pub options: Vec<(String, String)>,
}

/// Why text is not a lock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// A line that begins with another word.
    #[error("line {line} of the lock begins with none of `expansion`, `order`, `limits`: `{text}`")]
    UnknownLine {
        /// 1-based, within the text that was parsed.
        line: usize,
        /// The line.
        text: String,
    },
    /// A part of a line that is not what belongs there.
    #[error("line {line} of the lock has {found} where {wanted} belongs")]
    BadPart {
        /// 1-based, within the text that was parsed.
        line: usize,
        /// What stands there.
        found: String,
        /// What belongs there.
        wanted: &'static str,
    },
    /// An expansion that has two lines.
    #[error("line {line} of the lock lists `{id}` a second time")]
    Twice {
        /// 1-based, within the text that was parsed.
        line: usize,
        /// The expansion.
        id: String,
    },
}

impl ContentHash {
    /// The hash of named texts; the order of the iterator matters, the ends of lines do not.
    pub fn of<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for (name, text) in files {
            // Version control may have changed the ends of lines; the rules are the same.
            let text = text.replace("\r\n", "\n");
            for part in [name, &text] {
                // Lengths first, so that no text can pass for the beginning of the next.
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part.as_bytes());
            }
        }
        Self(hasher.finalize())
    }

    /// The hash of a file of bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes))
    }

    /// The hash of what has this hash together with what has the other.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let both = [self.0, other.0].map(|hash| *hash.as_bytes());
        Self(blake3::hash(both.as_flattened()))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "blake3:{}", self.0.to_hex())
    }
}

impl FromStr for ContentHash {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let hex = text.strip_prefix("blake3:").ok_or(())?;
        blake3::Hash::from_hex(hex).map(Self).map_err(|_| ())
    }
}

impl fmt::Display for LockEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expansion {} {} {}", self.id, self.version, self.hash)?;
        self.options.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))
    }
}

impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.iter().try_for_each(|entry| writeln!(f, "{entry}"))?;
        self.orders.iter().try_for_each(|order| writeln!(f, "order {order}"))?;
        if self.limits == Limits::default() {
            return Ok(());
        }
        write!(f, "limits")?;
        self.limits.named().try_for_each(|(name, limit)| write!(f, " {name}={limit}"))?;
        writeln!(f)
    }
}

impl FromStr for Lock {
    type Err = LockError;

    fn from_str(text: &str) -> Result<Self, LockError> {
        let mut lock = Self::default();
        for (line, text) in (1..).zip(text.lines()) {
            match text.split_once(' ') {
                Some(("expansion", rest)) => lock.push(entry(line, rest)?, line)?,
                Some(("order", rest)) => lock.orders.push(rest.to_owned()),
                Some(("limits", rest)) => limits(line, rest, &mut lock.limits)?,
                _ if text.trim().is_empty() => {}
                _ => return Err(LockError::UnknownLine { line, text: text.to_owned() }),
            }
        }
        Ok(lock)
    }
}

fn limits(line: usize, text: &str, limits: &mut Limits) -> Result<(), LockError> {
    for part in text.split_whitespace() {
        let limit = part.split_once('=').and_then(|(name, limit)| Some((name, limit.parse().ok()?)));
        if !limit.is_some_and(|(name, limit)| limit > 0 && limits.set(name, limit)) {
            return Err(LockError::BadPart { line, found: format!("`{part}`"), wanted: "a limit `name=number`" });
        }
    }
    Ok(())
}

fn entry(line: usize, text: &str) -> Result<LockEntry, LockError> {
    let mut parts = text.split_whitespace();
    let mut part = |wanted| parts.next().ok_or(LockError::BadPart { line, found: "nothing".to_owned(), wanted });
    let bad = |found: &str, wanted| LockError::BadPart { line, found: format!("`{found}`"), wanted };
    let id = part("an id")?.to_owned();
    let version = part("a version")?;
    let version = version.parse().map_err(|_| bad(version, "a version"))?;
    let hash = part("a content hash")?;
    let hash = hash.parse().map_err(|()| bad(hash, "a content hash"))?;
    let option = |part: &str| match part.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(bad(part, "an option `name=value`")),
    };
    Ok(LockEntry { id, version, hash, options: parts.map(option).collect::<Result<_, _>>()? })
}

impl Lock {
    fn push(&mut self, entry: LockEntry, line: usize) -> Result<(), LockError> {
        if self.entries.iter().any(|known| known.id == entry.id) {
            return Err(LockError::Twice { line, id: entry.id });
        }
        self.entries.push(entry);
        Ok(())
    }

    /// What differs between this lock, from a save, and `now`, what the program would play with: a sentence each,
    /// by id. Empty when games under both are the same.
    pub fn differences(&self, now: &Self) -> Vec<String> {
        let [saved, present] = [self, now].map(Self::by_id);
        let ids: BTreeSet<_> = saved.keys().chain(present.keys()).copied().collect();
        let mut found = Vec::new();
        for id in ids {
            match (saved.get(id), present.get(id)) {
                (Some(saved), Some(now)) => entry_differences(saved, now, &mut found),
                (Some(_), None) => found.push(format!("`{id}` is in the save and not in this game")),
                (None, _) => found.push(format!("`{id}` is in this game and not in the save")),
            }
        }
        self.order_differences(now, &mut found);
        self.limit_differences(now, &mut found);
        found
    }

    fn limit_differences(&self, now: &Self, found: &mut Vec<String>) {
        if self.limits != now.limits {
            let [saved, now] = [self, now].map(|lock| limit_words(&lock.limits));
            found.push(format!("the limits are {saved} in the save, {now} now"));
        }
    }

    fn by_id(&self) -> BTreeMap<&str, &LockEntry> {
        self.entries.iter().map(|entry| (entry.id.as_str(), entry)).collect()
    }

    fn order_differences(&self, now: &Self, found: &mut Vec<String>) {
        for order in self.orders.iter().filter(|order| !now.orders.contains(order)) {
            found.push(format!("the save sets the order \"{order}\", this game does not"));
        }
        for order in now.orders.iter().filter(|order| !self.orders.contains(order)) {
            found.push(format!("this game sets the order \"{order}\", the save does not"));
        }
        let shared = |one: &Self, other: &Self| {
            let ids = other.by_id();
            one.entries
                .iter()
                .map(|entry| entry.id.clone())
                .filter(|id| ids.contains_key(id.as_str()))
                .collect::<Vec<_>>()
        };
        if shared(self, now) != shared(now, self) {
            let order = shared(self, now).join(", ");
            found.push(format!("the save takes its expansions in another order: {order}"));
        }
    }
}

fn limit_words(limits: &Limits) -> String {
    let words: Vec<String> = limits.named().map(|(name, limit)| format!("{name} {limit}")).collect();
    if words.is_empty() { "the usual ones".to_owned() } else { words.join(", ") }
}

fn entry_differences(saved: &LockEntry, now: &LockEntry, found: &mut Vec<String>) {
    let id = &saved.id;
    if saved.version != now.version {
        found.push(format!("`{id}` is version {} in the save, {} now", saved.version, now.version));
    } else if saved.hash != now.hash {
        found.push(format!("the files of `{id}` {} have changed since the save", saved.version));
    }
    let [before, after] = [saved, now].map(|entry| entry.options.iter().cloned().collect::<BTreeMap<_, _>>());
    let names: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    for name in names {
        match (before.get(name), after.get(name)) {
            (Some(then), Some(value)) if then == value => {}
            (Some(then), Some(value)) => found.push(format!("`{id}.{name}` is {then} in the save, {value} now")),
            (Some(then), None) => {
                found.push(format!("`{id}.{name}` is {then} in the save, there is no such option now"))
            }
            (None, value) => {
                let value = value.map_or("", String::as_str);
                found.push(format!("`{id}.{name}` is {value} now, there is no such option in the save"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, version: &str, text: &str, options: &[(&str, &str)]) -> LockEntry {
        let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let hash = ContentHash::of([("rules.lua", text)].into_iter());
        LockEntry { id: id.to_owned(), version: version.parse().expect("a version"), hash, options }
    }

    #[test]
    fn text_round_trips() {
        let entries = vec![
            entry("orchard", "1.0.0", "a", &[("fruit", "apple,pear"), ("rows", "4")]),
            entry("quarry", "0.2.0", "b", &[]),
        ];
        let limits = Limits { instructions: Some(500), intents: Some(40), ..Limits::default() };
        let lock = Lock { entries, orders: vec!["orchard before quarry".to_owned()], limits };
        assert_eq!(lock.to_string().lines().last(), Some("limits instructions=500 intents=40"));
        assert_eq!(lock.to_string().lines().count(), 4);
        assert_eq!(lock.to_string().parse(), Ok(lock));
    }

    #[test]
    fn bad_lines_are_named() {
        let hash = ContentHash::of(std::iter::empty());
        let good = format!("expansion orchard 1.0.0 {hash}");
        let check = |text: &str, message: &str| assert_eq!(text.parse::<Lock>().expect_err(text).to_string(), message);
        check("expansion", "line 1 of the lock begins with none of `expansion`, `order`, `limits`: `expansion`");
        check("\nexpansion orchard", "line 2 of the lock has nothing where a version belongs");
        check("expansion orchard 1 x", "line 1 of the lock has `1` where a version belongs");
        check("expansion orchard 1.0.0 x", "line 1 of the lock has `x` where a content hash belongs");
        check(&format!("{good} rows"), "line 1 of the lock has `rows` where an option `name=value` belongs");
        check("limits intents=0", "line 1 of the lock has `intents=0` where a limit `name=number` belongs");
        check("limits luck=7", "line 1 of the lock has `luck=7` where a limit `name=number` belongs");
        check(&format!("{good}\n{good}"), "line 2 of the lock lists `orchard` a second time");
    }

    #[test]
    fn differences_are_sentences() {
        let saved = Lock {
            entries: vec![
                entry("orchard", "1.0.0", "a", &[("rows", "4")]),
                entry("kiln", "1.0.0", "a", &[]),
                entry("glade", "1.0.0", "a", &[]),
            ],
            orders: vec!["orchard before kiln".to_owned()],
            limits: Limits { instructions: Some(500), intents: Some(40), ..Limits::default() },
        };
        let now = Lock {
            entries: vec![
                entry("kiln", "1.0.0", "b", &[]),
                entry("orchard", "1.1.0", "a", &[("rows", "2"), ("fruit", "-")]),
                entry("quarry", "1.0.0", "a", &[]),
            ],
            ..Lock::default()
        };
        let expected = [
            "`glade` is in the save and not in this game",
            "the files of `kiln` 1.0.0 have changed since the save",
            "`orchard` is version 1.0.0 in the save, 1.1.0 now",
            "`orchard.fruit` is - now, there is no such option in the save",
            "`orchard.rows` is 4 in the save, 2 now",
            "`quarry` is in this game and not in the save",
            "the save sets the order \"orchard before kiln\", this game does not",
            "the save takes its expansions in another order: orchard, kiln",
            "the limits are instructions 500, intents 40 in the save, the usual ones now",
        ];
        assert_eq!(saved.differences(&now), expected);
        assert!(saved.differences(&saved).is_empty());
    }

    #[test]
    fn line_ends_do_not_change_a_hash_but_boundaries_do() {
        let hash = |files: &[(&'static str, &'static str)]| ContentHash::of(files.iter().copied());
        assert_eq!(hash(&[("a", "x\r\ny")]), hash(&[("a", "x\ny")]));
        assert_ne!(hash(&[("a", "xy")]), hash(&[("ax", "y")]));
    }
}
