//! Reads TOML documents key by key and collects every problem with its place.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, SourceFile, nearest};
use crate::manifest::is_id;
use crate::options::{RawValue, quoted, whole};

/// The codes of the problems every kind of document can have.
pub(crate) struct Codes {
    pub(crate) syntax: &'static str,
    pub(crate) unknown: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) missing: &'static str,
}

/// A kind of value, as messages name it, and how it is written.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    wanted: &'static str,
    help: &'static str,
}

const TEXT: Kind = Kind { wanted: "text in quotes", help: "put it in quotes: \"…\"" };
const FLAG: Kind = Kind { wanted: "true or false", help: "write true or false, without quotes" };
const TABLE: Kind =
    Kind { wanted: "a table", help: "write `name = value` in { }, or below a line with the name in [ ]" };
const LIST: Kind = Kind { wanted: "a list", help: "write it in [ ], with commas between" };
pub(crate) const NUMBER: Kind = Kind { wanted: "a whole number", help: "write it in digits, without quotes" };

/// A value and the bytes it stands at.
pub(crate) type Placed<T> = (T, Range<usize>);

/// One document being read.
pub(crate) struct Reader<'f> {
    pub(crate) file: &'f SourceFile,
    pub(crate) problems: Vec<Diagnostic>,
    codes: Codes,
}

/// One key and its value.
pub(crate) struct Entry<'t> {
    pub(crate) key: &'t str,
    pub(crate) key_span: Range<usize>,
    pub(crate) value: &'t DeValue<'t>,
    pub(crate) span: Range<usize>,
}

/// A table of the document, entries in the order written.
pub(crate) struct Section<'t> {
    pub(crate) path: String,
    span: Range<usize>,
    pub(crate) entries: Vec<Entry<'t>>,
}

impl<'t> Section<'t> {
    pub(crate) fn new(path: impl Into<String>, span: Range<usize>, table: &'t DeTable<'t>) -> Self {
        let entry = |(key, value): (&'t Spanned<_>, &'t Spanned<DeValue<'t>>)| {
            let text: &std::borrow::Cow<'t, str> = key.get_ref();
            Entry { key: text.as_ref(), key_span: key.span(), value: value.get_ref(), span: value.span() }
        };
        let mut entries: Vec<_> = table.iter().map(entry).collect();
        entries.sort_by_key(|entry| entry.key_span.start);
        Self { path: path.into(), span, entries }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Entry<'t>> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The key's full name, as messages show it.
    pub(crate) fn name(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }
}

impl<'f> Reader<'f> {
    pub(crate) fn new(file: &'f SourceFile, codes: Codes) -> Self {
        Self { file, codes, problems: Vec::new() }
    }

    /// The document, or nothing if it is not TOML: what follows a slip of syntax would only be noise.
    pub(crate) fn document(&mut self) -> Option<DeTable<'f>> {
        let (table, errors) = DeTable::parse_recoverable(&self.file.text);
        let mut last_line = None;
        for error in &errors {
            let slip = self.slip(error.message(), error.span().unwrap_or(0..0));
            if slip.line() != last_line {
                last_line = slip.line();
                self.problems.push(slip);
            }
        }
        errors.is_empty().then(|| table.into_inner())
    }

    fn slip(&self, what: &str, at: Range<usize>) -> Diagnostic {
        let (message, help) = if what == "duplicate key" {
            let key = self.file.text.get(at.clone()).unwrap_or_default();
            (format!("the key `{key}` stands here for the second time"), "remove one of the two")
        } else {
            let help = "text stands in quotes, lists in [ ], tables in { }; see https://toml.io";
            (format!("not valid TOML: {what}"), help)
        };
        Diagnostic::new(self.codes.syntax, message).at(self.file, at).help(help)
    }

    /// Notes a problem at `span`.
    pub(crate) fn report(
        &mut self,
        code: &'static str,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problems.push(Diagnostic::new(code, message).at(self.file, span).help(help));
    }

    /// Refuses every key that is not among `known`.
    pub(crate) fn only(&mut self, section: &Section<'_>, known: &[&str]) {
        for entry in section.entries.iter().filter(|entry| !known.contains(&entry.key)) {
            let near = nearest(entry.key, known.iter().copied());
            let help =
                near.map_or_else(|| format!("keys here: {}", quoted(known)), |near| format!("did you mean `{near}`?"));
            let message = format!("unknown key `{}`", section.name(entry.key));
            self.report(self.codes.unknown, entry.key_span.clone(), message, help);
        }
    }

    /// The value of `key` as `read` sees it; a value of another kind is a problem, an absent one is not.
    fn read<T>(
        &mut self,
        section: &Section<'_>,
        key: &str,
        kind: Kind,
        read: impl Fn(&DeValue<'_>) -> Option<T>,
    ) -> Option<Placed<T>> {
        let entry = section.get(key)?;
        let found = read(entry.value);
        if found.is_none() {
            self.wrong_kind(&section.name(key), kind, entry.value, entry.span.clone());
        }
        found.map(|value| (value, entry.span.clone()))
    }

    pub(crate) fn wrong_kind(&mut self, name: &str, kind: Kind, found: &DeValue<'_>, span: Range<usize>) {
        let message = format!("`{name}` must be {}, not {}", kind.wanted, RawValue::from_toml(found));
        self.report(self.codes.kind, span, message, kind.help);
    }

    /// Notes an item of a list that is not `wanted`, in words such as "text in quotes".
    pub(crate) fn wrong_item(&mut self, list: &str, wanted: &str, found: &Spanned<DeValue<'_>>) {
        let raw = RawValue::from_toml(found.get_ref());
        let message = format!("`{list}` must hold nothing but {wanted}, not {raw}");
        self.report(self.codes.kind, found.span(), message, format!("write {wanted} instead, or remove it"));
    }

    /// Notes that `key` is missing, unless it is there.
    pub(crate) fn need(&mut self, section: &Section<'_>, key: &str, example: &str) {
        if section.get(key).is_none() {
            let message = format!("`{}` is missing", section.name(key));
            let start = section.span.start;
            self.report(self.codes.missing, start..start, message, format!("add `{example}`"));
        }
    }

    pub(crate) fn text(&mut self, section: &Section<'_>, key: &str) -> Option<Placed<String>> {
        self.read(section, key, TEXT, |value| value.as_str().map(str::to_owned))
    }

    pub(crate) fn flag(&mut self, section: &Section<'_>, key: &str) -> Option<Placed<bool>> {
        self.read(section, key, FLAG, |value| value.as_bool())
    }

    pub(crate) fn int(&mut self, section: &Section<'_>, key: &str) -> Option<Placed<i64>> {
        self.read(section, key, NUMBER, whole)
    }

    pub(crate) fn table<'t>(&mut self, section: &Section<'t>, key: &str) -> Option<Section<'t>> {
        let entry = section.get(key)?;
        self.as_table(&section.name(key), entry)
    }

    /// `entry` as a table of its own.
    pub(crate) fn as_table<'t>(&mut self, name: &str, entry: &Entry<'t>) -> Option<Section<'t>> {
        match entry.value {
            DeValue::Table(table) => Some(Section::new(name, entry.key_span.clone(), table)),
            other => {
                self.wrong_kind(name, TABLE, other, entry.span.clone());
                None
            }
        }
    }

    /// The items of a list; an absent list is empty.
    pub(crate) fn list<'t>(&mut self, section: &Section<'t>, key: &str) -> Vec<&'t Spanned<DeValue<'t>>> {
        let Some(entry) = section.get(key) else { return Vec::new() };
        match entry.value {
            DeValue::Array(items) => items.iter().collect(),
            other => {
                self.wrong_kind(&section.name(key), LIST, other, entry.span.clone());
                Vec::new()
            }
        }
    }

    /// A list of text; items of another kind are problems and left out.
    pub(crate) fn texts(&mut self, section: &Section<'_>, key: &str) -> Vec<Placed<String>> {
        let mut texts = Vec::new();
        for item in self.list(section, key) {
            match item.get_ref().as_str() {
                Some(text) => texts.push((text.to_owned(), item.span())),
                None => self.wrong_item(&section.name(key), TEXT.wanted, item),
            }
        }
        texts
    }
}

/// The nearest text that would be an id.
fn id_from(text: &str) -> Option<String> {
    let spaced: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' }).collect();
    let id = spaced.split_whitespace().collect::<Vec<_>>().join("-");
    is_id(&id).then_some(id)
}

/// Notes an ill-formed expansion id under `code`.
pub(crate) fn check_id(reader: &mut Reader<'_>, code: &'static str, id: &str, span: Range<usize>) {
    if !is_id(id) {
        let help = "ids are lower-case words joined by hyphens, such as `river-mills`";
        let near = id_from(id).map_or_else(String::new, |near| format!("write `{near}`; "));
        reader.report(code, span, format!("`{id}` cannot be the id of an expansion"), format!("{near}{help}"));
    }
}
