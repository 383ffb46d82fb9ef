//! `expansion.toml`: what an expansion is called, what it needs, and what it lets people choose.

mod parser;
mod schema;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use schemars::JsonSchema;
use semver::{Version, VersionReq};
use toml::de::DeTable;

use crate::diagnostic::{Diagnostic, SourceFile};
use crate::options::{OptionDecl, is_words};
use crate::reading::{Codes, Reader, Section};
pub use parser::KEYS;
use parser::Parser;
pub use schema::{keys, schema};

/// The major version of the scripting interface this program speaks.
pub const API: u32 = 1;

/// The file name of a manifest.
pub const FILE_NAME: &str = "expansion.toml";

/// Every code of this file with its explanation for `trencavel explain CODE`.
pub const CODES: &[(&str, &str)] = &[
    (
        "M001",
        "The manifest is not valid TOML, so nothing in it could be read. The usual slips are text without quotes, a \
         missing `=` or `]`, and a key that stands twice in one table.",
    ),
    (
        "M002",
        "The manifest has a key that means nothing here. Unknown keys are refused instead of ignored, because an \
         ignored key is a rule that silently does not apply.",
    ),
    ("M003", "A key has a value of the wrong kind, such as a number where text in quotes belongs."),
    (
        "M004",
        "A key that every manifest needs is missing. A manifest has at least `id`, `version`, `api` and `title`; an \
         option has `default` and `text`; what is published has `kind` and `text`.",
    ),
    (
        "M005",
        "Ids of expansions are lower-case words joined by single hyphens, such as `river-mills`. They begin with a \
         letter. They stand in game files, saves and scripts, so capitals, spaces and accents are left out.",
    ),
    (
        "M006",
        "`version` is three numbers joined by dots: `1.0.0`. Raise the last for a repair, the middle one for \
         something new, the first for a change that breaks games or other expansions.",
    ),
    (
        "M007",
        "`requires`, `optional` and `conflicts` say for each expansion which versions are meant: `\"1\"` any 1.x.x, \
         `\"1.2\"` 1.2.0 or a later 1.x.x, `\"*\"` any version at all.",
    ),
    (
        "M008",
        "`api` is the version of the scripting interface that the script was written for, a whole number in quotes: \
         `api = \"1\"`.",
    ),
    (
        "M009",
        "Names of options, of their words and of what is published are lower-case words joined by underscores, such \
         as `tiny_city`. Words of an option may also be whole numbers. `copies` is reserved for the number of boxes \
         in a game.",
    ),
    (
        "M010",
        "The kind of an option follows from its keys: `values` makes it one of these words, `values` with `set = \
         true` any of these words, a `default` that is a number makes it a number (with `min` and `max` if you like), \
         and a `default` of true or false makes it a switch. Other mixtures mean nothing.",
    ),
    ("M011", "The `default` of an option must be a value that a game file could give it."),
    ("M012", "A list names the same thing twice. That is a slip more often than a wish, so it is refused."),
    ("M013", "An expansion cannot require, include, contradict or be ordered against itself."),
    (
        "M014",
        "`order` may name only expansions that the manifest also names under `requires`, `optional` or `includes`. \
         Otherwise a misspelt name would be an order that never applies.",
    ),
    (
        "M015",
        "The manifest says two things about one expansion that exclude each other: to require it and to conflict with \
         it, or to come before it and after it.",
    ),
    (
        "M016",
        "What an expansion publishes is a `question` others may answer, a `verb` others may forbid or replace, or a \
         `number` others may add to.",
    ),
    ("M017", "The ends of a number option exclude every number: `min` is greater than `max`."),
    (
        "M018",
        "`native` is the path of a library inside the expansion's own folder. Paths that begin at the root or climb \
         out with `..` are refused.",
    ),
    ("M019", "A text for people is empty. Players see titles and options by these texts and nothing else."),
];

/// The manifest of a Trencavel expansion.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(title = "expansion.toml", deny_unknown_fields)]
pub struct Manifest {
    /// The name everything else uses: lower-case words joined by hyphens.
    #[schemars(with = "schema::Id")]
    pub id: String,
    /// The version of the expansion: three numbers joined by dots.
    #[schemars(with = "String", regex(pattern = r"^[0-9]+\.[0-9]+\.[0-9]+"))]
    pub version: Version,
    /// The version of the scripting interface it was written for.
    #[schemars(with = "schema::Api")]
    pub api: u32,
    /// The name people see.
    #[schemars(with = "schema::Text")]
    pub title: String,
    /// Who wrote it.
    #[schemars(default)]
    pub authors: Vec<String>,
    /// Where the rules come from.
    pub source: Option<String>,
    /// The licence of the files, as an SPDX expression.
    pub license: Option<String>,
    /// Expansions it cannot be played without.
    #[schemars(with = "BTreeMap<schema::Id, schema::Versions>", default)]
    pub requires: BTreeMap<String, VersionReq>,
    /// Expansions it knows and reacts to.
    #[schemars(with = "BTreeMap<schema::Id, schema::Versions>", default)]
    pub optional: BTreeMap<String, VersionReq>,
    /// Expansions it cannot be played with.
    #[schemars(with = "BTreeMap<schema::Id, schema::Versions>", default)]
    pub conflicts: BTreeMap<String, VersionReq>,
    /// Expansions this box switches on.
    #[schemars(with = "Vec<schema::Id>", default)]
    pub includes: Vec<String>,
    /// Its place among expansions that it requires, includes or names as optional.
    #[schemars(default)]
    pub order: Order,
    /// What people may choose: `[options.name]`.
    #[schemars(with = "BTreeMap<schema::Name, schema::Choice>", default)]
    pub options: Vec<OptionDecl>,
    /// What other expansions may answer: `[publishes.name]`.
    #[schemars(with = "BTreeMap<schema::Name, schema::Offered>", default)]
    pub publishes: Vec<Published>,
    /// What its author says of its neighbours, a sentence each: `[interactions]`.
    #[schemars(with = "BTreeMap<schema::Id, schema::Text>", default)]
    pub interactions: BTreeMap<String, String>,
    /// A compiled library inside the folder; without an ending it has the platform's own.
    pub native: Option<PathBuf>,
    /// The file it was read from.
    #[schemars(skip)]
    pub file: SourceFile,
    #[schemars(skip)]
    spans: BTreeMap<String, Range<usize>>,
}

/// Where an expansion stands in canonical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Order {
    /// It comes after each of these that is in the game.
    #[schemars(with = "Vec<schema::Id>", default)]
    pub after: Vec<String>,
    /// It comes before each of these that is in the game.
    #[schemars(with = "Vec<schema::Id>", default)]
    pub before: Vec<String>,
}

/// A question, verb or number of its own that an expansion lets others answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Unique in its expansion; `expansion:name` everywhere else.
    pub name: String,
    /// What can be done with it.
    pub kind: PublishedKind,
    /// What it means, for authors of other expansions.
    pub text: String,
}

/// What can be done with something published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub enum PublishedKind {
    /// Others may answer it.
    Question,
    /// Others may forbid or replace it.
    Verb,
    /// Others may add to it.
    Number,
}

impl PublishedKind {
    /// Every kind with its word in TOML.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Question, "question"), (Self::Verb, "verb"), (Self::Number, "number")];
}

impl std::fmt::Display for PublishedKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(Self::ALL.iter().find(|(kind, _)| kind == self).map_or("", |(_, word)| *word))
    }
}

impl Manifest {
    /// Reads a manifest and checks everything that can be checked without other files.
    ///
    /// # Errors
    /// Every problem found, in the order of their places.
    pub fn parse(file: &SourceFile) -> Result<Self, Vec<Diagnostic>> {
        let codes = Codes { syntax: "M001", unknown: "M002", kind: "M003", missing: "M004" };
        let mut parser = Parser { reader: Reader::new(file, codes), spans: BTreeMap::new() };
        let document = parser.reader.document();
        let manifest = document.as_ref().and_then(|table| parser.manifest(&Section::new("", 0..0, table)));
        let mut problems = parser.reader.problems;
        problems.sort_by_key(|problem| problem.at.as_ref().map_or(0, |(_, span)| span.start));
        match manifest {
            Some(mut manifest) if problems.is_empty() => {
                manifest.spans = parser.spans;
                Ok(manifest)
            }
            _ => Err(problems),
        }
    }

    /// The id a manifest claims, even if the rest of it is wrong: a broken folder must not let another take its place.
    pub fn claimed_id(text: &str) -> Option<String> {
        let (table, _) = DeTable::parse_recoverable(text);
        let id = table.get_ref().iter().find(|(key, _)| key.get_ref() == "id")?.1.get_ref().as_str()?.to_owned();
        is_id(&id).then_some(id)
    }

    /// A problem with what the manifest says at a key such as `requires.orchard` or `order.after.orchard`.
    pub fn problem(&self, code: &'static str, key: &str, message: impl Into<String>) -> Diagnostic {
        let span = self.spans.get(key).cloned().unwrap_or(0..0);
        Diagnostic::new(code, message).at(&self.file, span)
    }

    /// The option of this name.
    pub fn option(&self, name: &str) -> Option<&OptionDecl> {
        self.options.iter().find(|option| option.name == name)
    }
}

/// Whether `text` is lower-case words joined by single hyphens, beginning with a letter.
pub fn is_id(text: &str) -> bool {
    is_words(text, '-') && text.starts_with(|c: char| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_the_keys_that_are_read() {
        let schema = schemars::SchemaGenerator::default().into_root_schema_for::<Manifest>();
        let properties = schema.get("properties").and_then(|all| all.as_object()).expect("properties");
        let mut known = KEYS.to_vec();
        known.sort_unstable();
        let mut named: Vec<&str> = properties.keys().map(String::as_str).collect();
        named.sort_unstable();
        assert_eq!(named, known);
        let needed: Vec<&str> = keys().iter().filter(|(_, _, needed)| *needed).map(|(key, ..)| *key).collect();
        assert_eq!(needed, ["id", "version", "api", "title"]);
        assert!(keys().iter().all(|(_, text, _)| !text.is_empty()));
    }
}
