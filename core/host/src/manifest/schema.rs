//! The JSON schema of manifests, with which editors complete and check them, made from the types they are read into.

#![expect(dead_code, reason = "these types say how a manifest is written; only their schemas are used")]

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{API, KEYS, Manifest, PublishedKind};

/// The schema of `expansion.toml` as JSON, in the draft that editors of TOML read.
pub fn schema() -> String {
    let schema = SchemaSettings::draft07().into_generator().into_root_schema_for::<Manifest>();
    format!("{:#}\n", schema.as_value())
}

/// Every key of a manifest, in the order in which they are read, with what it says and whether it must be there.
pub fn keys() -> Vec<(&'static str, String, bool)> {
    let schema = SchemaSettings::draft07().into_generator().into_root_schema_for::<Manifest>();
    let at = |path: &str| schema.pointer(path).cloned().unwrap_or_default();
    let needed = at("/required");
    let needs = |key: &str| needed.as_array().is_some_and(|all| all.iter().any(|one| one == key));
    let text = |key: &str| at(&format!("/properties/{key}/description")).as_str().unwrap_or_default().to_owned();
    KEYS.iter().map(|key| (*key, text(key), needs(key))).collect()
}

/// Lower-case words joined by hyphens.
#[derive(PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
pub(super) struct Id(#[schemars(regex(pattern = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"))] String);

/// Lower-case words joined by underscores.
#[derive(PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
pub(super) struct Name(#[schemars(regex(pattern = r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$"))] String);

/// `"1"` any 1.x.x, `"1.2"` 1.2.0 or a later 1.x.x, `"*"` any version.
#[derive(JsonSchema)]
pub(super) struct Versions(String);

/// A text for people.
#[derive(JsonSchema)]
pub(super) struct Text(#[schemars(length(min = 1))] String);

/// The interface that this program speaks.
pub(super) struct Api;

impl JsonSchema for Api {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Api".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "const": API.to_string() })
    }
}

/// What people may choose.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Choice {
    /// One of these words; with `set` any of them.
    #[schemars(length(min = 1))]
    values: Option<Vec<Word>>,
    /// Any of the words.
    set: Option<bool>,
    /// The smallest number.
    min: Option<i64>,
    /// The greatest number.
    max: Option<i64>,
    /// What holds when nobody chooses: true or false for a switch, a number, a word, a list of words with `set`.
    default: Chosen,
    /// What it changes, with the number of the rule.
    text: Text,
}

/// A word, or a number that is one.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Word {
    Number(i64),
    Text(String),
}

/// A value of an option.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Chosen {
    Switch(bool),
    Word(Word),
    Words(Vec<Word>),
}

/// What others may answer.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Offered {
    kind: PublishedKind,
    text: Text,
}
