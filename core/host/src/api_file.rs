//! `api.toml`: everything a script may declare, ask, read and be told, as data, and what is made from it.
//!
//! ```
//! let api = trencavel_host::api_file::ApiFile::read().expect("api.toml is part of the program");
//! assert!(api.kind.iter().any(|kind| kind.name == "forbid"));
//! assert!(api.manual().starts_with("# Hooks"));
//! ```

mod manual;
mod stubs;

pub use manual::slug;

use serde::Deserialize;

/// The text of `api.toml`.
pub const TEXT: &str = include_str!("../api.toml");

/// The whole file, in its order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApiFile {
    /// The major version of the interface.
    pub api: String,
    /// The version in which entries came that say nothing else.
    pub since: String,
    /// What the manual begins with.
    pub guide: Vec<Guide>,
    /// Kinds of declarations and hooks.
    pub kind: Vec<Kind>,
    /// Tables of condition keys.
    pub context: Vec<Context>,
    /// Condition keys that come together.
    pub group: Vec<Group>,
    /// Tables inside declarations.
    pub table: Vec<Group>,
    /// Chapters of verbs and events.
    pub chapter: Vec<Chapter>,
    /// What hooks ask for.
    pub verb: Vec<Verb>,
    /// What hooks hear of.
    pub event: Vec<Event>,
    /// Lists of words.
    pub list: Vec<List>,
    /// What functions are given.
    pub handle: Vec<Handle>,
    /// What `rules` has besides the kinds.
    pub function: Vec<Function>,
    /// Types of options.
    pub option: Vec<OptionKind>,
    /// Codes of problems, by their letter.
    pub error: Vec<Errors>,
}

/// A chapter of prose with files.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guide {
    /// Its heading.
    pub title: String,
    /// Markdown.
    pub text: String,
    /// Files that are shown below it.
    #[serde(default)]
    pub files: Vec<File>,
}

/// A file of the worked expansion.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Its path.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// A field, a key, a member.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The name scripts write.
    pub name: String,
    /// As in LuaCATS comments.
    #[serde(rename = "type")]
    pub kind: String,
    /// One sentence.
    pub text: String,
    /// The value of one that is left out, in words.
    pub default: Option<String>,
    /// It must be there.
    #[serde(default)]
    pub required: bool,
    /// The version in which it came, if later than its entry.
    pub since: Option<String>,
}

/// A kind of declaration or hook.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// The word.
    pub name: String,
    /// The chapter of the manual.
    pub chapter: String,
    /// One sentence.
    pub text: String,
    /// When it runs.
    pub when: String,
    /// What it may read.
    pub reads: Option<String>,
    /// What its functions return.
    pub returns: Option<String>,
    /// What no answer means.
    pub nothing: Option<String>,
    /// How several combine.
    pub combine: String,
    /// The handle that `rules.<kind>(id)` gives inside hooks.
    pub by_id: Option<String>,
    /// The context whose keys stand beside its fields.
    pub conditions: Option<String>,
    /// Something more.
    pub note: Option<String>,
    /// The version in which it came.
    pub since: Option<String>,
    /// Its fields.
    pub fields: Vec<Field>,
    /// Runs on top of the base game.
    pub example: String,
}

/// A table of condition keys.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// The word for it here.
    pub name: String,
    /// The name of its type.
    pub class: String,
    /// Where it stands, in Markdown.
    pub title: String,
    /// What its keys are about.
    pub text: String,
    /// Groups of keys.
    pub groups: Vec<String>,
    /// The version in which it came.
    pub since: Option<String>,
}

/// Keys that come together.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The word for it here; of a table, the name of its type.
    pub name: String,
    /// One sentence.
    #[serde(default)]
    pub text: String,
    /// Its keys are the words of events.
    #[serde(default)]
    pub events: bool,
    /// The version in which they came.
    pub since: Option<String>,
    /// The keys.
    pub keys: Vec<Field>,
    /// Runs on top of the base game.
    pub example: String,
}

/// A chapter of verbs and events.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chapter {
    /// The word.
    pub name: String,
    /// One or two sentences.
    pub text: String,
}

/// What hooks ask for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verb {
    /// The word.
    pub name: String,
    /// Its chapter.
    pub chapter: String,
    /// One sentence.
    pub text: String,
    /// Whether hooks may emit it.
    #[serde(default = "yes")]
    pub emit: bool,
    /// The event that tells of it.
    pub event: Option<String>,
    /// The version in which it came.
    pub since: Option<String>,
    /// What `emit` takes.
    #[serde(default)]
    pub fields: Vec<Field>,
    /// Runs on top of the base game.
    pub example: String,
}

/// What hooks hear of.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The word.
    pub name: String,
    /// Its chapter.
    pub chapter: String,
    /// One sentence.
    pub text: String,
    /// Fields that are set besides `kind` and `player`.
    pub has: Vec<String>,
    /// Told to reactions only: the log, and so `part` and `turn`, know nothing of it.
    #[serde(default)]
    pub unlogged: bool,
    /// The version in which it came.
    pub since: Option<String>,
    /// Runs on top of the base game.
    pub example: String,
}

/// A list of words.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// The name of its type.
    pub name: String,
    /// Its heading.
    pub title: String,
    /// Where the words stand.
    pub text: String,
    /// The version in which it came.
    pub since: Option<String>,
    /// The words.
    pub words: Vec<Word>,
    /// Runs on top of the base game.
    pub example: String,
}

/// A word of a list.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Word {
    /// As it is written.
    pub name: String,
    /// One sentence.
    pub text: String,
    /// The version in which it came, if later than its list.
    pub since: Option<String>,
}

/// What functions are given.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handle {
    /// The name of its type.
    pub name: String,
    /// As messages call it.
    pub shown: String,
    /// One sentence.
    pub text: String,
    /// The version in which it came.
    pub since: Option<String>,
    /// What it has.
    pub fields: Vec<Field>,
    /// What it does.
    pub methods: Vec<Method>,
    /// Runs on top of the base game.
    pub example: String,
}

/// A method of a handle.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Method {
    /// The word.
    pub name: String,
    /// `name: type, name?: type`.
    pub args: String,
    /// The type it returns; empty: nothing.
    pub returns: String,
    /// One sentence.
    pub text: String,
    /// The version in which it came, if later than its handle.
    pub since: Option<String>,
}

/// A function or value of `rules`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// The word.
    pub name: String,
    /// Where it may be used.
    #[serde(rename = "where")]
    pub place: String,
    /// Of a value: its type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Read afresh each time.
    #[serde(default)]
    pub live: bool,
    /// Of a function: `name: type, name?: type`.
    #[serde(default)]
    pub args: String,
    /// The type it returns; empty: nothing.
    #[serde(default)]
    pub returns: String,
    /// One sentence.
    pub text: String,
    /// Fields of the table it takes.
    #[serde(default)]
    pub fields: Vec<Field>,
    /// The version in which it came.
    pub since: Option<String>,
    /// Runs on top of the base game.
    pub example: String,
}

/// A type of option.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionKind {
    /// In words.
    pub name: String,
    /// What scripts read.
    #[serde(rename = "type")]
    pub kind: String,
    /// One sentence.
    pub text: String,
    /// In the manifest.
    pub manifest: String,
    /// The version in which it came.
    pub since: Option<String>,
    /// Runs with the manifest above.
    pub example: String,
}

/// Codes with a letter.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errors {
    /// `M`, `G`, `T`, `D` or `L`.
    pub letter: String,
    /// What they are about.
    pub text: String,
    /// The version in which they came.
    pub since: Option<String>,
    /// The codes.
    pub codes: Vec<String>,
    /// Scripts that are answered by one.
    pub examples: Vec<Wrong>,
}

/// A script that fails.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// The code it is answered by.
    pub code: String,
    /// The script.
    pub lua: String,
}

fn yes() -> bool {
    true
}

/// A snippet with the name of its entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example<'a> {
    /// `forbid`, `feature:figures`.
    pub of: &'a str,
    /// The script.
    pub lua: &'a str,
    /// Further lines of its manifest.
    pub manifest: &'a str,
}

impl ApiFile {
    /// Reads the file of the program.
    ///
    /// # Errors
    /// If the file has a slip; then the program was built from a broken tree.
    pub fn read() -> Result<Self, toml::de::Error> {
        toml::from_str(TEXT)
    }

    /// `scripts/HOOKS.md`.
    pub fn manual(&self) -> String {
        manual::write(self)
    }

    /// `scripts/types/trencavel.lua`.
    pub fn stubs(&self) -> String {
        stubs::write(self)
    }

    /// The words of a list.
    pub fn words(&self, list: &str) -> Vec<&str> {
        let found = self.list.iter().filter(|one| one.name == list);
        found.flat_map(|list| &list.words).map(|word| word.name.as_str()).collect()
    }

    /// The keys of a context, events included.
    pub fn keys(&self, context: &str) -> Vec<Field> {
        let groups = self.context.iter().filter(|one| one.name == context).flat_map(|context| &context.groups);
        let found = groups.filter_map(|name| self.group.iter().find(|group| group.name == *name));
        found.flat_map(|group| group.keys.iter().cloned().chain(self.event_keys(group))).collect()
    }

    fn event_keys(&self, group: &Group) -> Vec<Field> {
        let key = |event: &Event| Field {
            name: event.name.clone(),
            kind: "boolean | EntryTest".to_owned(),
            text: event.text.clone(),
            default: None,
            required: false,
            since: event.since.clone(),
        };
        self.event.iter().filter(|event| group.events && !event.unlogged).map(key).collect()
    }

    /// Every snippet that can be loaded and run.
    pub fn examples(&self) -> Vec<Example<'_>> {
        fn of<'a>(of: &'a str, lua: &'a str) -> Example<'a> {
            Example { of, lua, manifest: "" }
        }
        let mut found: Vec<Example<'_>> = Vec::new();
        found.extend(self.kind.iter().map(|one| of(&one.name, &one.example)));
        found.extend(self.group.iter().chain(&self.table).map(|one| of(&one.name, &one.example)));
        found.extend(self.verb.iter().map(|one| of(&one.name, &one.example)));
        found.extend(self.event.iter().map(|one| of(&one.name, &one.example)));
        found.extend(self.list.iter().map(|one| of(&one.name, &one.example)));
        found.extend(self.handle.iter().map(|one| of(&one.name, &one.example)));
        found.extend(self.function.iter().map(|one| of(&one.name, &one.example)));
        found.extend(self.option.iter().map(|one| Example { manifest: &one.manifest, ..of(&one.name, &one.example) }));
        found
    }
}
