//! Which word means what: own ids first, then those of required and optional expansions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Declaration, DeclareError, ExpansionSpec, NameList, Problem};
use crate::ids::ExpansionId;
use crate::ruleset::cause;
use crate::value::Value;
use crate::words::DeclKind;

/// What a word may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Room {
    Edge,
    Feature,
    Seat,
    Mark,
    Figure,
    Query,
    Forbid,
    Void,
    Step,
    Resolve,
    Token,
}

impl Room {
    /// For messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Edge => "edge kind",
            Self::Feature => "feature kind",
            Self::Seat => "seat",
            Self::Mark => "mark",
            Self::Figure => "figure",
            Self::Query => "query",
            Self::Forbid => "refusal",
            Self::Void => "void",
            Self::Step => "step",
            Self::Resolve => "question",
            Self::Token => "token",
        }
    }

    /// The room of what a declaration of this kind declares.
    pub fn of(kind: DeclKind) -> Option<Self> {
        Some(match kind {
            DeclKind::Edge => Self::Edge,
            DeclKind::Feature => Self::Feature,
            DeclKind::Mark => Self::Mark,
            DeclKind::Figure | DeclKind::Neutral => Self::Figure,
            DeclKind::Query => Self::Query,
            DeclKind::Forbid => Self::Forbid,
            DeclKind::Void => Self::Void,
            DeclKind::Step => Self::Step,
            DeclKind::Resolve => Self::Resolve,
            DeclKind::Token => Self::Token,
            _ => return None,
        })
    }
}

/// What a word turned out to mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The handle.
    Known(usize),
    /// Something of an optional expansion that is not in play: it matches nothing.
    Absent,
}

struct Reader {
    id: String,
    after: Vec<String>,
    requires: Vec<String>,
    optional: Vec<String>,
}

/// Every declared name.
pub(crate) struct Names {
    rooms: BTreeMap<Room, NameList>,
    readers: Vec<Reader>,
    pub roles: NameList,
    pub causes: NameList,
    pub tags: NameList,
}

/// An id with its expansion.
pub(crate) fn full(expansion: &str, id: &str) -> Arc<str> {
    format!("{expansion}:{id}").into()
}

impl Names {
    /// Collects what is declared. The declarations must be sorted.
    pub fn collect(specs: &[ExpansionSpec], declared: &[Declaration], errors: &mut Vec<DeclareError>) -> Self {
        let readers = specs.iter().map(|spec| Reader {
            id: spec.id.clone(),
            after: spec.after.clone(),
            requires: spec.requires.clone(),
            optional: spec.optional.clone(),
        });
        let mut names = Self {
            rooms: BTreeMap::new(),
            readers: readers.collect(),
            roles: Vec::new(),
            causes: cause::WORDS.iter().map(|word| (*word).into()).collect(),
            tags: Vec::new(),
        };
        let (mut roles, mut causes, mut tags) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut seen: BTreeMap<(Option<Room>, DeclKind, Arc<str>), &Declaration> = BTreeMap::new();
        for declaration in declared {
            let id = full(&declaration.expansion, &declaration.id);
            let room = Room::of(declaration.kind);
            let key = (room, if room.is_some() { DeclKind::Edge } else { declaration.kind }, id.clone());
            if declaration.kind != DeclKind::Extend
                && let Some(first) = seen.insert(key, declaration)
            {
                errors.push(DeclareError {
                    what: Some(format!("{} \"{}\"", declaration.kind, declaration.id)),
                    place: Some(declaration.source.clone()),
                    problem: Problem::Twice { id: id.to_string(), first: first.source.clone() },
                });
                continue;
            }
            if let Some(room) = room {
                names.rooms.entry(room).or_default().push(id);
            }
            names.seats_of(declaration, &mut roles);
            words(&declaration.fields, "causes", &mut causes);
            if declaration.kind == DeclKind::Items {
                words(&declaration.fields, "tag", &mut tags);
            }
        }
        names.roles = roles.into_iter().collect();
        names.tags = tags.into_iter().collect();
        causes.retain(|word| !names.causes.contains(word));
        names.causes.extend(causes);
        names
    }

    /// Features bring seats: the one of their own name and those they list.
    fn seats_of(&mut self, declaration: &Declaration, roles: &mut BTreeSet<Arc<str>>) {
        if !matches!(declaration.kind, DeclKind::Feature | DeclKind::Extend) {
            return;
        }
        let seats = self.rooms.entry(Room::Seat).or_default();
        if let Some(Value::Table(listed)) = declaration.fields.get("seats") {
            for (name, fields) in listed {
                seats.push(full(&declaration.expansion, name));
                words(fields, "role", roles);
            }
        } else if declaration.kind == DeclKind::Feature {
            seats.push(full(&declaration.expansion, &declaration.id));
        }
    }

    /// The handle of an expansion.
    pub fn expansion(&self, id: &str) -> ExpansionId {
        let place = self.readers.iter().position(|reader| reader.id == id);
        place.map_or(ExpansionId::NONE, |place| ExpansionId(place as u8))
    }

    /// True if one expansion is declared to come after the other, directly or through others.
    pub fn ordered(&self, a: &str, b: &str) -> bool {
        self.comes_after(a, b) || self.comes_after(b, a)
    }

    fn comes_after(&self, late: &str, early: &str) -> bool {
        let (mut open, mut seen) = (vec![late], BTreeSet::new());
        while let Some(id) = open.pop() {
            let Some(reader) = self.readers.iter().find(|reader| reader.id == id && seen.insert(id)) else { continue };
            let before = reader.after.iter().chain(&reader.requires);
            open.extend(before.map(String::as_str));
            if open.contains(&early) {
                return true;
            }
        }
        false
    }

    /// The names of a room, in the order of their handles.
    pub fn room(&self, room: Room) -> &[Arc<str>] {
        self.rooms.get(&room).map_or(&[], Vec::as_slice)
    }

    /// The handle of a full name.
    pub fn exact(&self, room: Room, name: &str) -> Option<usize> {
        self.room(room).iter().position(|known| **known == *name)
    }

    /// What `word` means when `expansion` writes it.
    pub fn meaning(&self, room: Room, expansion: &str, word: &str) -> Result<Meaning, Problem> {
        let reader = self.readers.iter().find(|reader| reader.id == expansion);
        if let Some((prefix, _)) = word.split_once(':') {
            if let Some(place) = self.exact(room, word) {
                return Ok(Meaning::Known(place));
            }
            let active = self.readers.iter().any(|other| other.id == prefix);
            let optional = reader.is_some_and(|reader| reader.optional.iter().any(|id| id == prefix));
            return if optional && !active { Ok(Meaning::Absent) } else { Err(self.unknown(room, expansion, word)) };
        }
        if let Some(place) = self.exact(room, &full(expansion, word)) {
            return Ok(Meaning::Known(place));
        }
        let Some(reader) = reader else { return Err(self.unknown(room, expansion, word)) };
        for others in [&reader.requires, &reader.optional] {
            let found: Vec<usize> = others.iter().filter_map(|id| self.exact(room, &full(id, word))).collect();
            match found[..] {
                [] => {}
                [place] => return Ok(Meaning::Known(place)),
                _ => {
                    let candidates = found.iter().map(|place| self.room(room)[*place].to_string()).collect();
                    return Err(Problem::Ambiguous { what: room.word(), word: word.to_owned(), candidates });
                }
            }
        }
        let absent = |id: &String| id == word && !self.readers.iter().any(|other| other.id == *id);
        if reader.optional.iter().any(absent) {
            return Ok(Meaning::Absent);
        }
        Err(self.unknown(room, expansion, word))
    }

    fn unknown(&self, room: Room, expansion: &str, word: &str) -> Problem {
        let prefix = format!("{expansion}:");
        let mut known: Vec<String> = self
            .room(room)
            .iter()
            .map(|name| name.strip_prefix(&prefix).unwrap_or(crate::ruleset::short(name)).to_owned())
            .collect();
        known.sort_unstable();
        known.dedup();
        Problem::Unknown { what: room.word(), word: word.to_owned(), known }
    }

    /// A mark that a printed tile names: its own expansion's, or the only one of that name.
    pub fn printed(&self, room: Room, expansion: &str, word: &str) -> Option<usize> {
        if let Ok(Meaning::Known(place)) = self.meaning(room, expansion, word) {
            return Some(place);
        }
        let mut found = self.room(room).iter().enumerate().filter(|(_, name)| crate::ruleset::short(name) == word);
        let (place, _) = found.next()?;
        found.next().is_none().then_some(place)
    }
}

/// Adds the word or words of a field to a set.
fn words(fields: &Value, key: &str, set: &mut BTreeSet<Arc<str>>) {
    match fields.get(key) {
        Some(Value::Text(word)) => {
            set.insert(word.clone());
        }
        Some(Value::List(list)) => {
            set.extend(
                list.iter().filter_map(|item| if let Value::Text(word) = item { Some(word.clone()) } else { None }),
            );
        }
        _ => {}
    }
}
