//! Reads a manifest key by key, so that every problem of it is told.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use semver::{Version, VersionReq};
use toml::de::DeValue;

use super::{API, Manifest, Order, Published, PublishedKind};
use crate::diagnostic::nearest;
use crate::options::{COPIES, OptionDecl, OptionType, OptionValue, RawValue, is_name, is_option_word, quoted};
use crate::reading::{Entry, Placed, Reader, Section, check_id};

pub(super) struct Parser<'f> {
    pub(super) reader: Reader<'f>,
    pub(super) spans: BTreeMap<String, Range<usize>>,
}

/// Every key of a manifest.
pub const KEYS: &[&str] = &[
    "id",
    "version",
    "api",
    "title",
    "authors",
    "source",
    "license",
    "requires",
    "optional",
    "conflicts",
    "includes",
    "order",
    "options",
    "publishes",
    "interactions",
    "native",
];

type Relations = BTreeMap<String, VersionReq>;

impl Parser<'_> {
    pub(super) fn manifest(&mut self, top: &Section<'_>) -> Option<Manifest> {
        self.reader.only(top, KEYS);
        let id = self.id(top);
        let own = id.as_deref().unwrap_or_default();
        let [requires, optional, conflicts] =
            ["requires", "optional", "conflicts"].map(|key| self.relations(top, key, own));
        let includes = self.ids(top, "includes", own);
        let order = self.order(top, own);
        self.check_order(&order, [&requires, &optional], &includes);
        self.check_conflicts(&conflicts, [&requires, &optional], &includes);
        // All of it is read before the first `?`, so that every problem is found.
        let version = self.version(top);
        let api = self.api(top);
        let title = self.words(top, "title", "title = \"My Expansion\"");
        let authors = names(self.reader.texts(top, "authors"));
        let [source, license] = ["source", "license"].map(|key| self.reader.text(top, key).map(|(text, _)| text));
        let (options, publishes, native) = (self.options(top), self.publishes(top), self.native(top));
        let interactions = self.interactions(top, own);
        Some(Manifest {
            id: id?,
            version: version?,
            api: api?,
            title: title?,
            authors,
            source,
            license,
            requires,
            optional,
            conflicts,
            includes: names(includes),
            order: Order { after: names(order.after), before: names(order.before) },
            options,
            publishes,
            interactions,
            native,
            file: self.reader.file.clone(),
            spans: BTreeMap::new(),
        })
    }

    fn id(&mut self, top: &Section<'_>) -> Option<String> {
        self.reader.need(top, "id", "id = \"my-expansion\"");
        let (id, span) = self.reader.text(top, "id")?;
        check_id(&mut self.reader, "M005", &id, span.clone());
        self.spans.insert("id".to_owned(), span);
        Some(id)
    }

    fn version(&mut self, top: &Section<'_>) -> Option<Version> {
        self.reader.need(top, "version", "version = \"1.0.0\"");
        let (text, span) = self.reader.text(top, "version")?;
        self.spans.insert("version".to_owned(), span.clone());
        let version = Version::parse(&text).ok();
        if version.is_none() {
            let help = "write three numbers joined by dots: `version = \"1.0.0\"`";
            self.reader.report("M006", span, format!("`{text}` is not a version"), help);
        }
        version
    }

    fn api(&mut self, top: &Section<'_>) -> Option<u32> {
        let example = format!("api = \"{API}\"");
        self.reader.need(top, "api", &example);
        let (text, span) = self.reader.text(top, "api")?;
        self.spans.insert("api".to_owned(), span.clone());
        let api = text.parse().ok().filter(|n: &u32| n.to_string() == text);
        if api.is_none() {
            self.reader.report(
                "M008",
                span,
                format!("`{text}` is not a version of the interface"),
                format!("write `{example}`"),
            );
        }
        api
    }

    /// A text for people that must be there and say something.
    fn words(&mut self, section: &Section<'_>, key: &str, example: &str) -> Option<String> {
        self.reader.need(section, key, example);
        let (text, span) = self.reader.text(section, key)?;
        if text.trim().is_empty() {
            self.reader.report(
                "M019",
                span,
                format!("`{}` is empty", section.name(key)),
                format!("write for example `{example}`"),
            );
        }
        Some(text)
    }

    fn relations(&mut self, top: &Section<'_>, key: &str, own: &str) -> Relations {
        let mut relations = Relations::new();
        let Some(section) = self.reader.table(top, key) else { return relations };
        for entry in &section.entries {
            self.check_other(entry.key, own, entry.key_span.clone());
            self.spans.insert(section.name(entry.key), entry.key_span.clone());
            if let Some((text, span)) = self.reader.text(&section, entry.key) {
                match VersionReq::parse(&text) {
                    Ok(versions) => drop(relations.insert(entry.key.to_owned(), versions)),
                    Err(_) => self.reader.report(
                        "M007",
                        span,
                        format!("`{text}` does not say which versions of `{}` are meant", entry.key),
                        "write \"1\" for any 1.x.x, \"1.2\" for 1.2.0 or a later 1.x.x, \"*\" for any version",
                    ),
                }
            }
        }
        relations
    }

    /// An id of an expansion other than this one.
    fn check_other(&mut self, id: &str, own: &str, span: Range<usize>) {
        check_id(&mut self.reader, "M005", id, span.clone());
        if id == own {
            self.reader.report("M013", span, format!("`{id}` names itself"), "name another expansion or leave it out");
        }
    }

    /// A list of other expansions, each once.
    fn ids(&mut self, section: &Section<'_>, key: &str, own: &str) -> Vec<Placed<String>> {
        let ids = self.reader.texts(section, key);
        let mut seen = BTreeSet::new();
        for (id, span) in &ids {
            self.check_other(id, own, span.clone());
            self.spans.insert(section.name(&format!("{key}.{id}")), span.clone());
            self.check_once(&mut seen, id, &section.name(key), span);
        }
        ids
    }

    fn check_once(&mut self, seen: &mut BTreeSet<String>, word: &str, list: &str, span: &Range<usize>) {
        if !seen.insert(word.to_owned()) {
            self.reader.report("M012", span.clone(), format!("`{list}` names `{word}` twice"), "remove one of them");
        }
    }

    fn order(&mut self, top: &Section<'_>, own: &str) -> PlacedOrder {
        let Some(section) = self.reader.table(top, "order") else { return PlacedOrder::default() };
        self.reader.only(&section, &["after", "before"]);
        PlacedOrder { after: self.ids(&section, "after", own), before: self.ids(&section, "before", own) }
    }

    fn check_order(&mut self, order: &PlacedOrder, relations: [&Relations; 2], includes: &[Placed<String>]) {
        let known: BTreeSet<_> = related(relations, includes).collect();
        for (id, span) in order.after.iter().chain(&order.before).filter(|(id, _)| !known.contains(id.as_str())) {
            let near = nearest(id, known.iter().copied());
            let help = near.map_or_else(
                || format!("add `{id} = \"*\"` under `optional` (or `requires`), or leave it out here"),
                |near| format!("did you mean `{near}`? otherwise add `{id} = \"*\"` under `optional`"),
            );
            let message = format!("`order` names `{id}`, which this manifest does not mention otherwise");
            self.reader.report("M014", span.clone(), message, help);
        }
        for (id, span) in order.before.iter().filter(|(id, _)| order.after.iter().any(|(after, _)| after == id)) {
            let message = format!("`order` puts this expansion both before and after `{id}`");
            self.reader.report("M015", span.clone(), message, "keep one of the two");
        }
    }

    fn check_conflicts(&mut self, conflicts: &Relations, relations: [&Relations; 2], includes: &[Placed<String>]) {
        for id in related(relations, includes).collect::<BTreeSet<_>>() {
            // Two version ranges of one optional expansion may well exclude each other.
            if !conflicts.contains_key(id) || relations[1].contains_key(id) {
                continue;
            }
            let span = self.spans.get(&format!("conflicts.{id}")).cloned().unwrap_or(0..0);
            let message = format!("`{id}` is required or included here and also named under `conflicts`");
            self.reader.report("M015", span, message, "remove one of the two");
        }
    }

    fn options(&mut self, top: &Section<'_>) -> Vec<OptionDecl> {
        let Some(section) = self.reader.table(top, "options") else { return Vec::new() };
        section.entries.iter().filter_map(|entry| self.option(&section.name(entry.key), entry)).collect()
    }

    fn option(&mut self, path: &str, entry: &Entry<'_>) -> Option<OptionDecl> {
        self.check_name(entry.key, entry.key_span.clone());
        let section = self.reader.as_table(path, entry)?;
        self.reader.only(&section, &["values", "set", "min", "max", "default", "text"]);
        let text = self.words(&section, "text", "text = \"What it changes\"");
        self.reader.need(&section, "default", "default = …");
        let kind = self.option_type(&section, entry)?;
        let given = section.get("default")?;
        let default = self.default(&section, &kind, given);
        Some(OptionDecl { name: entry.key.to_owned(), default: default?, kind, text: text? })
    }

    fn check_name(&mut self, name: &str, span: Range<usize>) {
        if !is_name(name) || name == COPIES {
            let help = if name == COPIES {
                "`copies` means the number of boxes; choose another name"
            } else {
                "names are lower-case words joined by underscores, such as `tiny_city`"
            };
            self.reader.report("M009", span, format!("`{name}` cannot be a name here"), help);
        }
    }

    fn option_type(&mut self, section: &Section<'_>, entry: &Entry<'_>) -> Option<OptionType> {
        let set = self.reader.flag(section, "set");
        if section.get("values").is_some() {
            self.refuse(section, &["min", "max"], "an option with `values` has no");
            let words = self.option_words(section)?;
            return Some(if set.is_some_and(|(set, _)| set) {
                OptionType::SetOf(words)
            } else {
                OptionType::OneOf(words)
            });
        }
        self.refuse(section, &["set"], "an option without `values` has no");
        match &section.get("default")?.value {
            DeValue::Boolean(_) => {
                self.refuse(section, &["min", "max"], "a switch (true or false) has no");
                Some(OptionType::Bool)
            }
            DeValue::Integer(_) => self.range(section),
            _ => {
                let message = format!("nothing says what `{}` may be", section.path);
                let help = "list the words under `values`, or make `default` true, false or a whole number";
                self.reader.report("M010", entry.key_span.clone(), message, help);
                None
            }
        }
    }

    fn refuse(&mut self, section: &Section<'_>, keys: &[&str], why: &str) {
        for entry in keys.iter().filter_map(|key| section.get(key)) {
            let (message, help) = (format!("{why} `{}`", entry.key), format!("remove `{}`", entry.key));
            self.reader.report("M010", entry.key_span.clone(), message, help);
        }
    }

    fn range(&mut self, section: &Section<'_>) -> Option<OptionType> {
        let (min, max) = (self.reader.int(section, "min"), self.reader.int(section, "max"));
        let span = min.as_ref().map_or(0..0, |(_, span)| span.clone());
        let (min, max) = (min.map(|(n, _)| n), max.map(|(n, _)| n));
        if let (Some(low), Some(high)) = (min, max)
            && low > high
        {
            let message = format!("no number is at least {low} and at most {high}");
            self.reader.report("M017", span, message, "swap `min` and `max`");
            return None;
        }
        Some(OptionType::Int { min, max })
    }

    fn option_words(&mut self, section: &Section<'_>) -> Option<Vec<String>> {
        let items = self.reader.list(section, "values");
        let (mut words, mut seen) = (Vec::new(), BTreeSet::new());
        for item in &items {
            let raw = RawValue::from_toml(item.get_ref());
            if !raw.is_word() || !is_option_word(&raw.word()) {
                let help = "words are lower-case, joined by underscores (\"any_road\"), or whole numbers";
                self.reader.report("M009", item.span(), format!("{raw} cannot be a word of an option"), help);
                continue;
            }
            self.check_once(&mut seen, &raw.word(), &section.name("values"), &item.span());
            words.push(raw.word());
        }
        if let Some(entry) = section.get("values").filter(|entry| entry.value.is_array() && items.is_empty()) {
            let message = format!("`{}` is empty", section.name("values"));
            self.reader.report("M010", entry.span.clone(), message, "list the words people may choose from");
        }
        (!words.is_empty() && words.len() == items.len()).then_some(words)
    }

    fn default(&mut self, section: &Section<'_>, kind: &OptionType, given: &Entry<'_>) -> Option<OptionValue> {
        kind.value(&RawValue::from_toml(given.value))
            .map_err(|error| {
                let help =
                    error.help().unwrap_or_else(|| "the default must be a value a game file could choose".to_owned());
                self.reader.report("M011", given.span.clone(), format!("`{}` {error}", section.name("default")), help);
            })
            .ok()
    }

    fn publishes(&mut self, top: &Section<'_>) -> Vec<Published> {
        let Some(section) = self.reader.table(top, "publishes") else { return Vec::new() };
        section.entries.iter().filter_map(|entry| self.published(&section.name(entry.key), entry)).collect()
    }

    fn published(&mut self, path: &str, entry: &Entry<'_>) -> Option<Published> {
        self.check_name(entry.key, entry.key_span.clone());
        let section = self.reader.as_table(path, entry)?;
        self.reader.only(&section, &["kind", "text"]);
        let text = self.words(&section, "text", "text = \"What it asks\"");
        self.reader.need(&section, "kind", "kind = \"question\"");
        let (word, span) = self.reader.text(&section, "kind")?;
        let kind = PublishedKind::ALL.into_iter().find(|(_, known)| *known == word).map(|(kind, _)| kind);
        if kind.is_none() {
            let known = PublishedKind::ALL.map(|(_, known)| known);
            let near = nearest(&word, known).map_or_else(String::new, |near| format!("did you mean `{near}`? "));
            let message = format!("`{word}` is not a kind of thing to publish");
            self.reader.report("M016", span, message, format!("{near}kinds: {}", quoted(&known)));
        }
        Some(Published { name: entry.key.to_owned(), kind: kind?, text: text? })
    }

    fn interactions(&mut self, top: &Section<'_>, own: &str) -> BTreeMap<String, String> {
        let Some(section) = self.reader.table(top, "interactions") else { return BTreeMap::new() };
        let mut said = BTreeMap::new();
        for entry in &section.entries {
            self.check_other(entry.key, own, entry.key_span.clone());
            self.spans.insert(section.name(entry.key), entry.key_span.clone());
            said.extend(
                self.words(&section, entry.key, "other = \"What it means here\"")
                    .map(|text| (entry.key.to_owned(), text)),
            );
        }
        said
    }

    fn native(&mut self, top: &Section<'_>) -> Option<PathBuf> {
        let (text, span) = self.reader.text(top, "native")?;
        self.spans.insert("native".to_owned(), span.clone());
        // A drive or a backslash would climb out on other systems only.
        let inside = !text.is_empty()
            && !text.contains(['\\', ':'])
            && Path::new(&text).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            let help = "give a path within the expansion's folder, such as \"lib/rules.so\"";
            let message = format!("`native` names `{text}`, which is not inside this folder");
            self.reader.report("M018", span, message, help);
        }
        inside.then(|| PathBuf::from(text))
    }
}

#[derive(Default)]
struct PlacedOrder {
    after: Vec<Placed<String>>,
    before: Vec<Placed<String>>,
}

fn names(placed: Vec<Placed<String>>) -> Vec<String> {
    placed.into_iter().map(|(name, _)| name).collect()
}

fn related<'a>(relations: [&'a Relations; 2], includes: &'a [Placed<String>]) -> impl Iterator<Item = &'a str> {
    let [requires, optional] = relations;
    requires.keys().chain(optional.keys()).chain(includes.iter().map(|(id, _)| id)).map(String::as_str)
}
