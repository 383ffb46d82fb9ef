//! From declarations to a frozen [`Ruleset`]: the one door through which the base game and every expansion come.
//!
//! Declarations arrive in any order; names are resolved when everything is known, and every problem is reported at once.

mod conditions;
mod fields;
mod hooks;
mod names;
mod pieces;
mod room;
mod spelling;
mod tiles;

pub use room::MAX_TILES;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ids::*;
use crate::legal::CoreRefusal;
use crate::ruleset::{Expansion, HookInfo, Ruleset, Source, cause};
use crate::tile::TileSpec;
use crate::value::Value;
use crate::words::{DeclKind, Verb};

use names::Names;

/// An expansion as its manifest describes it.
#[derive(Clone, Debug, Default)]
pub struct ExpansionSpec {
    /// As its manifest says.
    pub id: String,
    /// For people.
    pub title: String,
    /// Its version.
    pub version: String,
    /// Every option with its value.
    pub options: Vec<(String, String)>,
    /// Expansions whose ids it may use without a prefix.
    pub requires: Vec<String>,
    /// Expansions whose ids it may use; those of an absent one match nothing.
    pub optional: Vec<String>,
    /// Expansions whose hooks come before its own.
    pub after: Vec<String>,
}

/// One declaration or hook.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Whose it is.
    pub expansion: String,
    /// What it is.
    pub kind: DeclKind,
    /// Unique among the expansion's declarations of the kind.
    pub id: String,
    /// Its fields: a table.
    pub fields: Value,
    /// Where it is written.
    pub source: Source,
}

/// Copies of a design for the pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiesSpec {
    /// Whose tile file says so.
    pub expansion: String,
    /// The design.
    pub tile: String,
    /// How many.
    pub count: u16,
    /// Name of the pile.
    pub pile: String,
    /// At most so many in the pack, whoever adds them.
    pub limit: Option<u16>,
}

/// A tile on the table before the first turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartSpec {
    /// Whose tile file says so.
    pub expansion: String,
    /// The design.
    pub tile: String,
    /// Where.
    pub at: crate::geometry::Position,
    /// How it is turned.
    pub rotation: crate::geometry::Rotation,
}

/// What is wrong with a declaration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A word that names nothing.
    #[error("unknown {what} `{word}`")]
    Unknown {
        /// What it should have named.
        what: &'static str,
        /// The word.
        word: String,
        /// What could have been written.
        known: Vec<String>,
    },
    /// A word that names two things.
    #[error("{what} `{word}` may mean {}", candidates.join(" or "))]
    Ambiguous {
        /// What it should name.
        what: &'static str,
        /// The word.
        word: String,
        /// The full ids.
        candidates: Vec<String>,
    },
    /// A value of the wrong shape.
    #[error("`{path}` must be {expected}, not {found}")]
    Shape {
        /// The field.
        path: String,
        /// What it should hold.
        expected: String,
        /// What it holds.
        found: String,
    },
    /// A word that is not written as one.
    #[error("{path}: {word:?} is not a word of at most 60 letters, digits, `-` and `_`")]
    Spelling {
        /// The field, or that it is the id.
        path: String,
        /// Its beginning.
        word: String,
    },
    /// A word to choose from that is there twice.
    #[error("`{word}` is among the words to choose from twice")]
    Repeated {
        /// The word.
        word: String,
    },
    /// A number that is too small or too large.
    #[error("`{path}` must be from {from} to {to}, not {found}")]
    Range {
        /// The field.
        path: String,
        /// The least it may be.
        from: i32,
        /// The most it may be.
        to: i32,
        /// What it is.
        found: i64,
    },
    /// A field that must be there and is not.
    #[error("`{path}` is missing")]
    Missing {
        /// The field.
        path: String,
    },
    /// The same id twice.
    #[error("`{id}` is declared twice; first at {}:{}", first.file, first.line)]
    Twice {
        /// The full id.
        id: String,
        /// Where it was declared first.
        first: Source,
    },
    /// Two hooks that may disagree, without an order.
    #[error("`{id}` and `{other}` ({}:{}) may both decide, and nothing says which comes last", at.file, at.line)]
    Conflict {
        /// The full id.
        id: String,
        /// The other one.
        other: String,
        /// Where the other one is.
        at: Source,
    },
    /// Expansions that each want to come after the other.
    #[error("the order goes in a circle: {}", circle.join(" after "))]
    Circle {
        /// The ids.
        circle: Vec<String>,
    },
    /// More of something than the engine has room for.
    #[error("there are more than {limit} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        limit: usize,
    },
}

/// A problem with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{problem}", what.as_ref().map_or(String::new(), |what| format!("{what}: ")))]
pub struct DeclareError {
    /// The declaration, as its author would name it: `forbid "needs_robber"`.
    pub what: Option<String>,
    /// Where it is.
    pub place: Option<Source>,
    /// What is wrong.
    pub problem: Problem,
}

/// Collects expansions, declarations and tiles, and freezes them.
#[derive(Clone, Debug, Default)]
pub struct RulesetBuilder {
    expansions: Vec<ExpansionSpec>,
    declared: Vec<Declaration>,
    tiles: Vec<(String, TileSpec)>,
    copies: Vec<CopiesSpec>,
    starts: Vec<StartSpec>,
}

impl RulesetBuilder {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an expansion.
    pub fn expansion(&mut self, spec: ExpansionSpec) {
        self.expansions.push(spec);
    }

    /// What was declared so far, in the order it came.
    pub fn declarations(&self) -> &[Declaration] {
        &self.declared
    }

    /// Adds a declaration.
    pub fn declare(&mut self, declaration: Declaration) {
        self.declared.push(declaration);
    }

    /// Adds a design of an expansion.
    pub fn tile(&mut self, expansion: &str, tile: TileSpec) {
        self.tiles.push((expansion.to_owned(), tile));
    }

    /// Adds copies to the pack.
    pub fn copies(&mut self, copies: CopiesSpec) {
        self.copies.push(copies);
    }

    /// Adds a tile of the start layout.
    pub fn start(&mut self, start: StartSpec) {
        self.starts.push(start);
    }

    /// Resolves every name and gives the ruleset.
    ///
    /// # Errors
    /// Every problem that was found, in canonical order.
    pub fn freeze(mut self) -> Result<Ruleset, Vec<DeclareError>> {
        let mut errors = Vec::new();
        self.sort(&mut errors);
        let names = Names::collect(&self.expansions, &self.declared, &mut errors);
        let known = errors.len();
        spelling::check(&self.declared, &mut errors);
        room::check(&self, &names, &mut errors);
        if errors.len() > known {
            return Err(errors);
        }
        let mut freezing = Freezing { rules: Ruleset::default(), names, errors };
        freezing.expansions(&self.expansions);
        freezing.hook_table(&self.declared);
        freezing.pieces(&self.declared);
        freezing.hooks(&self.declared);
        freezing.tiles(&self);
        freezing.errors.sort_by(|a, b| a.place.cmp(&b.place));
        freezing.errors.dedup();
        if freezing.errors.is_empty() { Ok(freezing.rules) } else { Err(freezing.errors) }
    }

    /// Expansions by declared order, then id; declarations by expansion, kind and id.
    fn sort(&mut self, errors: &mut Vec<DeclareError>) {
        self.expansions.sort_by(|a, b| a.id.cmp(&b.id));
        let mut sorted: Vec<ExpansionSpec> = Vec::new();
        while !self.expansions.is_empty() {
            let waits = |spec: &ExpansionSpec| {
                let before = spec.after.iter().chain(&spec.requires);
                before.into_iter().any(|id| self.expansions.iter().any(|other| other.id == *id && other.id != spec.id))
            };
            let Some(next) = self.expansions.iter().position(|spec| !waits(spec)) else {
                let circle = self.expansions.iter().map(|spec| spec.id.clone()).collect();
                errors.push(DeclareError { what: None, place: None, problem: Problem::Circle { circle } });
                sorted.append(&mut self.expansions);
                break;
            };
            sorted.push(self.expansions.remove(next));
        }
        self.expansions = sorted;
        let rank: BTreeMap<&str, usize> =
            self.expansions.iter().enumerate().map(|(rank, spec)| (spec.id.as_str(), rank)).collect();
        self.declared.sort_by(|a, b| {
            let rank = |declaration: &Declaration| rank.get(declaration.expansion.as_str()).copied();
            (rank(a), a.kind, &a.id).cmp(&(rank(b), b.kind, &b.id))
        });
        self.tiles.sort_by(|a, b| (rank.get(a.0.as_str()), &a.1.id).cmp(&(rank.get(b.0.as_str()), &b.1.id)));
    }
}

/// The ruleset while it is put together.
pub(crate) struct Freezing {
    rules: Ruleset,
    names: Names,
    errors: Vec<DeclareError>,
}

impl Freezing {
    fn expansions(&mut self, specs: &[ExpansionSpec]) {
        self.rules.expansions = specs
            .iter()
            .map(|spec| Expansion {
                id: spec.id.as_str().into(),
                title: spec.title.clone(),
                version: spec.version.clone(),
                options: spec.options.clone(),
            })
            .collect();
    }

    /// A handle for every declaration, so that whatever decides can be named.
    fn hook_table(&mut self, declared: &[Declaration]) {
        for (index, (name, say)) in CoreRefusal::WORDS.into_iter().enumerate() {
            self.rules.core.push(HookId(index as u16));
            self.rules.hooks.push(HookInfo {
                name: name.into(),
                kind: DeclKind::Forbid,
                expansion: ExpansionId::NONE,
                source: None,
                say: Some(say.into()),
            });
        }
        for declaration in declared {
            let say = match declaration.fields.get("say") {
                Some(Value::Text(text)) => Some(text.clone()),
                _ => None,
            };
            self.rules.hooks.push(HookInfo {
                name: names::full(&declaration.expansion, &declaration.id),
                kind: declaration.kind,
                expansion: self.names.expansion(&declaration.expansion),
                source: Some(declaration.source.clone()),
                say,
            });
        }
        self.rules.core_waivers = vec![Vec::new(); CoreRefusal::WORDS.len()];
        self.rules.forbids = vec![Vec::new(); Verb::ALL.len()];
        self.rules.replaces = vec![Vec::new(); Verb::ALL.len()];
        self.rules.reacts = vec![Vec::new(); crate::words::EventKind::ALL.len()];
        self.rules.numbers = vec![Default::default(); crate::words::CoreNumber::ALL.len()];
        self.rules.causes = self.names.causes.clone();
        debug_assert_eq!(&*self.rules.causes[cause::SCORED.index()], cause::WORDS[0]);
    }

    /// The handle of the declaration at this place of the sorted list.
    fn hook_id(place: usize) -> HookId {
        HookId((CoreRefusal::WORDS.len() + place) as u16)
    }

    fn problem(&mut self, declaration: &Declaration, problem: Problem) {
        self.errors.push(DeclareError {
            what: Some(format!("{} \"{}\"", declaration.kind, declaration.id)),
            place: Some(declaration.source.clone()),
            problem,
        });
    }
}

/// Names in the order of their handles.
pub(crate) type NameList = Vec<Arc<str>>;
