//! Tile files: `tiles.toml` of an expansion, read into [`TileSpec`]s, sets and start layouts.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use trencavel_rules::geometry::{GeometryError, Position, Rotation};
use trencavel_rules::tile::{SegmentSpec, TileCheck, TileSpec, check};

use crate::diagnostic::{Diagnostic, SourceFile, nearest};

/// What a tile file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileFile {
    /// The designs, in the order of the file.
    pub tiles: Vec<TileSpec>,
    /// How many copies of them are played with.
    pub sets: Vec<TileSet>,
    /// What lies on the table before the first turn.
    pub starts: Vec<StartTile>,
    /// Tile id to the 1-based line on which it is described, for messages about it.
    pub lines: BTreeMap<String, u32>,
}

/// Copies of tiles that come into play together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileSet {
    /// Unique in the file.
    pub id: String,
    /// Options of the expansion and the values they must have; empty: always in play.
    pub when: BTreeMap<String, String>,
    /// The pile that the copies are shuffled into.
    pub pile: String,
    /// Tile id to the number of copies, at least 1. An id of another expansion is written in full: `base:city-cap`.
    pub counts: BTreeMap<String, u16>,
    /// Tile id to the most copies that all sets together may bring.
    pub limit: BTreeMap<String, u16>,
    /// 1-based line on which the set is described.
    pub line: u32,
}

/// A tile that lies on the table when the game begins; one copy is taken out of its pile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartTile {
    /// A tile id of the file, or in full that of another expansion.
    pub tile: String,
    /// Its space.
    pub at: Position,
    /// Its rotation.
    pub rotation: Rotation,
    /// Options of the expansion and the values they must have; empty: always.
    pub when: BTreeMap<String, String>,
    /// 1-based line on which it is described.
    pub line: u32,
}

/// The `format` of every tile file.
const FORMAT: &str = "trencavel-tiles/1";

/// The pile of a set that names none.
const MAIN_PILE: &str = "main";

/// The codes of tile files, each with its explanation.
pub const CODES: &[(&str, &str)] = &[
    ("T001", "The file is not TOML. The message is the TOML reader's; often a quote, a comma or a bracket is missing."),
    ("T002", "A tile file begins with `format = \"trencavel-tiles/1\"`, so that a later program can still read it."),
    (
        "T003",
        "A key that tile files do not have, most often a slip. Unknown keys are refused because one that is silently \
         ignored looks as if it worked. What is printed on a tile goes into `marks`.",
    ),
    ("T004", "A key without which the table means nothing is missing."),
    ("T005", "The value has another type than the key wants, or is a number out of range."),
    (
        "T006",
        "Ids and names are words that the notation can write and a player can read: lower-case letters, digits and \
         single hyphens, beginning with a letter, such as `city-cap` or `road-west`.",
    ),
    ("T007", "Ids of tiles and of sets are unique in their file; one id would otherwise mean two things."),
    ("T008", "A place that does not exist. The message says how places of its sort are written."),
    (
        "T009",
        "A set or a start layout names a tile that the file does not describe. A tile of another expansion is written \
         in full: `base:city-cap`.",
    ),
    (
        "T010",
        "`waive` names a check that does not exist, or gives no reason. The reason is for whoever reads the file.",
    ),
    (
        "T011",
        "The tile fails a check: its segments overlap, leave a gap, or part and join where a print cannot. If the \
         print really is like that, add `waive = [{ check = \"corner\", why = \"...\" }]` to the tile.",
    ),
    (
        "T012",
        "The tile contradicts itself: it lists something twice, names a segment that it does not have, or waives a \
         check that does not fail. No waiver helps here.",
    ),
];

/// Reads a tile file.
///
/// # Errors
///
/// Every problem of the file, in the order of their places; the codes are those of [`CODES`]. Of a file that is not
/// TOML, only that is told.
pub fn parse(file: &SourceFile) -> Result<TileFile, Vec<Diagnostic>> {
    let mut reader = Reader { file, problems: Vec::new() };
    let (root, errors) = DeTable::parse_recoverable(&file.text);
    for error in &errors {
        reader.add("T001", error.span().unwrap_or(0..0), error.message().trim().to_owned());
    }
    if !errors.is_empty() {
        return Err(reader.problems);
    }
    let root = Keyed { table: root.get_ref(), span: 0..0, what: "a tile file" };
    let tiles = reader.file(&root);
    reader.problems.sort_by_key(|problem| problem.at.as_ref().map_or(0, |(_, span)| span.start));
    if reader.problems.is_empty() { Ok(tiles) } else { Err(reader.problems) }
}

/// A value with its place.
type Value<'t> = &'t Spanned<DeValue<'t>>;

/// A table whose keys are known, with the words to speak of it.
struct Keyed<'t> {
    table: &'t DeTable<'t>,
    span: Range<usize>,
    what: &'static str,
}

impl<'t> Keyed<'t> {
    fn get(&self, key: &str) -> Option<Value<'t>> {
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }
}

/// Collects problems while the rest of the file is read on.
struct Reader<'f> {
    file: &'f SourceFile,
    problems: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn add(&mut self, code: &'static str, span: Range<usize>, message: String) {
        self.problems.push(Diagnostic::new(code, message).at(self.file, span));
    }

    fn add_with_help(&mut self, code: &'static str, span: Range<usize>, message: String, help: String) {
        self.problems.push(Diagnostic::new(code, message).at(self.file, span).help(help));
    }

    fn line(&self, offset: usize) -> u32 {
        let before = &self.file.text.as_bytes()[..offset.min(self.file.text.len())];
        u32::try_from(before.iter().filter(|byte| **byte == b'\n').count() + 1).unwrap_or(u32::MAX)
    }
}

/// What is in the file.
impl Reader<'_> {
    fn file(&mut self, root: &Keyed<'_>) -> TileFile {
        self.known_keys(root, &["format", "tile", "set", "start"]);
        self.format(root);
        let mut file = TileFile::default();
        for value in self.list(root, "tile") {
            self.tile(value, &mut file);
        }
        for value in self.list(root, "set") {
            if let Some(set) = self.set(value, &file) {
                file.sets.push(set);
            }
        }
        for value in self.list(root, "start") {
            if let Some(start) = self.start(value, &file) {
                file.starts.push(start);
            }
        }
        file
    }

    fn format(&mut self, root: &Keyed<'_>) {
        let found = root.get("format");
        if found.is_some_and(|value| value.get_ref().as_str() == Some(FORMAT)) {
            return;
        }
        let message = match found {
            Some(_) => "this format of tile files is not known",
            None => "the format of the file is missing",
        };
        let help = format!("begin the file with `format = \"{FORMAT}\"`");
        self.add_with_help("T002", found.map_or(0..0, Spanned::span), message.to_owned(), help);
    }

    fn tile(&mut self, value: Value<'_>, file: &mut TileFile) {
        const KEYS: &[&str] = &["id", "aka", "sides", "segments", "marks", "links", "waive"];
        let Some(table) = self.keyed(value, "a tile", KEYS) else { return };
        let before = self.problems.len();
        let id = self.new_id(&table, |id| file.lines.contains_key(id)).unwrap_or_default();
        let tile = TileSpec {
            aka: self.texts(&table, "aka"),
            sides: self.edge_kinds(&table),
            segments: self.list(&table, "segments").into_iter().filter_map(|value| self.segment(value)).collect(),
            marks: self.counts(&table, "marks").into_iter().map(|(mark, count, _)| (mark, count)).collect(),
            links: self.links(&table),
            waived: self.list(&table, "waive").into_iter().filter_map(|value| self.waiver(value)).collect(),
            id,
        };
        if self.problems.len() == before {
            self.printable(&tile, table.get("id").map_or(table.span.clone(), Spanned::span));
        }
        file.lines.insert(tile.id.clone(), self.line(table.span.start));
        file.tiles.push(tile);
    }

    /// Reports what [`check`] finds; only asked for tiles that were read without a problem.
    fn printable(&mut self, tile: &TileSpec, span: Range<usize>) {
        for problem in check(tile) {
            let message = format!("tile `{}`: {}", tile.id, problem.message);
            match problem.check {
                Some(check) => {
                    let help = format!("correct it, or add `waive = [{{ check = \"{check}\", why = \"...\" }}]`");
                    self.add_with_help("T011", span.clone(), message, help);
                }
                None => self.add("T012", span.clone(), message),
            }
        }
    }

    fn segment(&mut self, value: Value<'_>) -> Option<SegmentSpec> {
        let keys = ["name", "kind", "sides", "halves", "borders", "marks"];
        let table = self.keyed(value, "a segment", &keys)?;
        Some(SegmentSpec {
            name: self.name(&table, "name").unwrap_or_default(),
            kind: self.name(&table, "kind").unwrap_or_default(),
            sides: self.places(&table, "sides"),
            halves: self.places(&table, "halves"),
            borders: self.texts(&table, "borders"),
            marks: self.counts(&table, "marks").into_iter().map(|(mark, count, _)| (mark, count)).collect(),
        })
    }

    fn edge_kinds(&mut self, table: &Keyed<'_>) -> [String; 4] {
        let Some((text, span)) = self.required(table, "sides") else { return Default::default() };
        let kinds: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        kinds.try_into().unwrap_or_else(|kinds: Vec<String>| {
            let message = format!("a tile has four sides, this one {}", kinds.len());
            let help = "name the edge kinds clockwise from the north: `sides = \"city road field road\"`";
            self.add_with_help("T005", span, message, help.to_owned());
            Default::default()
        })
    }

    fn links(&mut self, table: &Keyed<'_>) -> Vec<Vec<String>> {
        self.list(table, "links").into_iter().map(|group| self.words_of(group)).collect()
    }

    fn waiver(&mut self, value: Value<'_>) -> Option<(TileCheck, String)> {
        let table = self.keyed(value, "a waiver", &["check", "why"])?;
        let why = self.required(&table, "why");
        if let Some((_, span)) = why.clone().filter(|(why, _)| why.trim().is_empty()) {
            self.add("T010", span, "the waiver gives no reason".to_owned());
        }
        let (name, span) = self.required(&table, "check")?;
        let check = TileCheck::ALL.into_iter().find(|check| check.to_string() == name);
        if check.is_none() {
            let names = TileCheck::ALL.map(|check| check.to_string());
            let help = suggestion(&name, names.iter().map(String::as_str));
            self.add_with_help("T010", span, format!("there is no check `{name}`"), help);
        }
        Some((check?, why?.0))
    }

    fn set(&mut self, value: Value<'_>, file: &TileFile) -> Option<TileSet> {
        let table = self.keyed(value, "a set", &["id", "when", "pile", "counts", "limit"])?;
        let id = self.new_id(&table, |id| file.sets.iter().any(|set| set.id == id)).unwrap_or_default();
        if table.get("counts").is_none() {
            self.missing(&table, "counts");
        }
        Some(TileSet {
            id,
            when: self.conditions(&table),
            pile: if table.get("pile").is_some() { self.name(&table, "pile")? } else { MAIN_PILE.to_owned() },
            counts: self.tile_counts(&table, "counts", file),
            limit: self.tile_counts(&table, "limit", file),
            line: self.line(table.span.start),
        })
    }

    fn tile_counts(&mut self, table: &Keyed<'_>, key: &str, file: &TileFile) -> BTreeMap<String, u16> {
        let counts = self.counts(table, key);
        for (id, _, span) in &counts {
            self.known_tile(id, span.clone(), file);
        }
        counts.into_iter().map(|(id, count, _)| (id, count)).collect()
    }

    fn start(&mut self, value: Value<'_>, file: &TileFile) -> Option<StartTile> {
        let table = self.keyed(value, "a start tile", &["tile", "at", "rotation", "when"])?;
        let tile = self.required(&table, "tile");
        if let Some((id, span)) = &tile {
            self.known_tile(id, span.clone(), file);
        }
        let at = self.required(&table, "at").and_then(|(text, span)| self.place(&text, span));
        let rotation = match table.get("rotation") {
            Some(_) => self.required(&table, "rotation").and_then(|(text, span)| self.place(&text, span)),
            None => Some(Rotation::R0),
        };
        let when = self.conditions(&table);
        Some(StartTile { tile: tile?.0, at: at?, rotation: rotation?, when, line: self.line(table.span.start) })
    }

    fn known_tile(&mut self, id: &str, span: Range<usize>, file: &TileFile) {
        if !file.lines.contains_key(id) && !id.contains(':') {
            let help = suggestion(id, file.lines.keys().map(String::as_str));
            self.add_with_help("T009", span, format!("the file describes no tile `{id}`"), help);
        }
    }
}

/// How values are written.
impl Reader<'_> {
    fn keyed<'t>(&mut self, value: Value<'t>, what: &'static str, keys: &[&str]) -> Option<Keyed<'t>> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type(value, what, "a table");
            return None;
        };
        let table = Keyed { table, span: value.span(), what };
        self.known_keys(&table, keys);
        Some(table)
    }

    fn known_keys(&mut self, table: &Keyed<'_>, keys: &[&str]) {
        for (key, _) in table.table.iter().filter(|(key, _)| !keys.contains(&key.get_ref().as_ref())) {
            let help = suggestion(key.get_ref(), keys.iter().copied());
            self.add_with_help("T003", key.span(), format!("{} has no key `{}`", table.what, key.get_ref()), help);
        }
    }

    fn missing(&mut self, table: &Keyed<'_>, key: &str) {
        self.add("T004", table.span.clone(), format!("{} needs the key `{key}`", table.what));
    }

    fn wrong_type(&mut self, value: Value<'_>, subject: &str, wanted: &str) {
        let message = format!("{subject} is {wanted}, not {}", Kind(value.get_ref()));
        self.add("T005", value.span(), message);
    }

    fn text(&mut self, value: Value<'_>, subject: &str) -> Option<(String, Range<usize>)> {
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_type(value, subject, "a text");
            return None;
        };
        Some((text.to_owned(), value.span()))
    }

    fn required(&mut self, table: &Keyed<'_>, key: &str) -> Option<(String, Range<usize>)> {
        let Some(value) = table.get(key) else {
            self.missing(table, key);
            return None;
        };
        self.text(value, &format!("`{key}`"))
    }

    /// A required text that must be a word of the notation.
    fn name(&mut self, table: &Keyed<'_>, key: &str) -> Option<String> {
        let (text, span) = self.required(table, key)?;
        if !is_word(&text) {
            let help = "write lower-case letters, digits and single hyphens: `road-west`".to_owned();
            self.add_with_help("T006", span, format!("`{text}` is not a word"), help);
        }
        Some(text)
    }

    fn new_id(&mut self, table: &Keyed<'_>, taken: impl Fn(&str) -> bool) -> Option<String> {
        let id = self.name(table, "id")?;
        if taken(&id) {
            let span = table.get("id").map_or(table.span.clone(), Spanned::span);
            self.add("T007", span, format!("{} before has the id `{id}`", table.what));
        }
        Some(id)
    }

    /// The members of an optional array.
    fn list<'t>(&mut self, table: &Keyed<'t>, key: &str) -> Vec<Value<'t>> {
        let Some(value) = table.get(key) else { return Vec::new() };
        match value.get_ref().as_array() {
            Some(array) => array.iter().collect(),
            None => {
                self.wrong_type(value, &format!("`{key}`"), "a list");
                Vec::new()
            }
        }
    }

    fn texts(&mut self, table: &Keyed<'_>, key: &str) -> Vec<String> {
        table.get(key).map(|value| self.words_of(value)).unwrap_or_default()
    }

    fn words_of(&mut self, list: Value<'_>) -> Vec<String> {
        let Some(array) = list.get_ref().as_array() else {
            self.wrong_type(list, "this", "a list of texts");
            return Vec::new();
        };
        array.iter().filter_map(|value| self.text(value, "each of these").map(|(text, _)| text)).collect()
    }

    /// An optional text of places with blanks between them.
    fn places<T: FromStr<Err = GeometryError>>(&mut self, table: &Keyed<'_>, key: &str) -> Vec<T> {
        let Some(value) = table.get(key) else { return Vec::new() };
        let Some((text, span)) = self.text(value, &format!("`{key}`")) else { return Vec::new() };
        text.split_whitespace().filter_map(|word| self.place(word, span.clone())).collect()
    }

    fn place<T: FromStr<Err = GeometryError>>(&mut self, text: &str, span: Range<usize>) -> Option<T> {
        text.parse().map_err(|error: GeometryError| self.add("T008", span, error.to_string())).ok()
    }

    /// An optional table of names and numbers from 1 to 65535.
    fn counts(&mut self, table: &Keyed<'_>, key: &str) -> Vec<(String, u16, Range<usize>)> {
        let mut counts = Vec::new();
        for (name, value) in self.entries(table, key) {
            let number = value.get_ref().as_integer().map(|n| u16::from_str_radix(n.as_str(), n.radix()));
            match number {
                Some(Ok(count @ 1..)) => counts.push((name.get_ref().to_string(), count, name.span())),
                Some(_) => self.add("T005", value.span(), format!("`{}` is a number from 1 to 65535", name.get_ref())),
                None => self.wrong_type(value, &format!("`{}`", name.get_ref()), "a whole number"),
            }
        }
        counts
    }

    fn conditions(&mut self, table: &Keyed<'_>) -> BTreeMap<String, String> {
        let mut conditions = BTreeMap::new();
        for (name, value) in self.entries(table, "when") {
            if let Some((text, _)) = self.text(value, &format!("`{}`", name.get_ref())) {
                conditions.insert(name.get_ref().to_string(), text);
            }
        }
        conditions
    }

    /// The keys and values of an optional table with any keys, in the order of the file.
    fn entries<'t>(&mut self, table: &Keyed<'t>, key: &str) -> Vec<(&'t Spanned<toml::de::DeString<'t>>, Value<'t>)> {
        let Some(value) = table.get(key) else { return Vec::new() };
        let Some(entries) = value.get_ref().as_table() else {
            self.wrong_type(value, &format!("`{key}`"), "a table");
            return Vec::new();
        };
        let mut entries: Vec<_> = entries.iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        entries
    }
}

/// Lower-case letters, digits and single hyphens, beginning with a letter.
fn is_word(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.split('-').all(|part| !part.is_empty() && part.bytes().all(plain))
}

/// The nearest known name, or all of them if none is near and they are few.
fn suggestion<'a>(word: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(word, known.clone()) {
        Some(name) => format!("did you mean `{name}`?"),
        None if known.clone().count() > 12 => "check the spelling".to_owned(),
        None => format!("known here: {}", known.collect::<Vec<_>>().join(", ")),
    }
}

/// A value's type, in words.
struct Kind<'a>(&'a DeValue<'a>);

impl fmt::Display for Kind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) => "a whole number",
            DeValue::Float(_) => "a fraction",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"format = "trencavel-tiles/1"

[[tile]]
id = "city-cap"
aka = ["BA/C"]
sides = "city field field field"
segments = [
  { name = "city", kind = "city", sides = "N", marks = { pennant = 2 } },
  { name = "field", kind = "field", halves = "EL ER SL SR WL WR", borders = ["city"] },
]
marks = { volcano = 1 }

[[set]]
id = "first"
when = { edition = "1" }
counts = { city-cap = 5, "base:monastery" = 1 }
limit = { city-cap = 6 }

[[start]]
tile = "city-cap"
at = "0,-1"
"#;

    fn read(text: &str) -> Result<TileFile, Vec<Diagnostic>> {
        parse(&SourceFile { path: "tiles.toml".into(), text: text.into() })
    }

    /// The good file with one thing changed has exactly these problems.
    fn check_problems(from: &str, to: &str, expected: &[&str]) {
        assert!(GOOD.contains(from), "{from}");
        let found = read(&GOOD.replacen(from, to, 1)).expect_err("a bad file");
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), expected, "{to}");
        assert!(found.iter().all(|problem| CODES.iter().any(|(code, _)| *code == problem.code)));
    }

    #[test]
    fn a_good_file_is_read() {
        let file = read(GOOD).expect("a good file");
        assert_eq!(file.tiles[0].segments[1].borders, ["city"]);
        assert_eq!(file.tiles[0].segments[0].marks, [("pennant".to_owned(), 2)]);
        assert_eq!(file.tiles[0].marks, [("volcano".to_owned(), 1)]);
        assert_eq!((file.sets[0].pile.as_str(), file.sets[0].line), ("main", 13));
        assert_eq!((file.sets[0].counts["city-cap"], file.sets[0].limit["city-cap"]), (5, 6));
        assert_eq!(file.sets[0].when["edition"], "1");
        assert_eq!((file.starts[0].at, file.starts[0].rotation), (Position::new(0, -1), Rotation::R0));
        assert_eq!(file.lines["city-cap"], 3);
    }

    #[test]
    fn syntax_and_format_are_checked() {
        let found = read("format = \nid = [1\n\n[set").expect_err("not TOML");
        assert!(found.len() > 1 && found.iter().all(|problem| problem.to_string().starts_with("error[T001]: ")));
        let help = "  help: begin the file with `format = \"trencavel-tiles/1\"`";
        let unknown = format!("error[T002]: this format of tile files is not known\n  tiles.toml:1\n{help}");
        check_problems("tiles/1", "tiles/9", &[&unknown]);
        let none = format!("error[T002]: the format of the file is missing\n  tiles.toml:1\n{help}");
        check_problems("format = \"trencavel-tiles/1\"", "", &[&none]);
    }

    #[test]
    fn keys_are_known_and_all_problems_are_told() {
        let twice = "[[tile]]\nsegment = 1\naka = 3";
        let expected = [
            "error[T004]: a tile needs the key `id`\n  tiles.toml:3",
            "error[T003]: a tile has no key `segment`\n  tiles.toml:4\n  help: did you mean `segments`?",
            "error[T005]: this is a list of texts, not a whole number\n  tiles.toml:5",
        ];
        let text = GOOD.replacen("[[tile]]\nid = \"city-cap\"\naka = [\"BA/C\"]", twice, 1);
        let found = read(&text).expect_err("a bad file");
        assert_eq!(found.iter().take(3).map(ToString::to_string).collect::<Vec<_>>(), expected);
        assert!(found.len() > 3, "the set and the start layout name a tile that is not there");
        check_problems(
            "kind = \"city\"",
            "kin = \"city\"",
            &[
                "error[T004]: a segment needs the key `kind`\n  tiles.toml:8",
                "error[T003]: a segment has no key `kin`\n  tiles.toml:8\n  help: did you mean `kind`?",
            ],
        );
        check_problems(
            "counts =",
            "pile =",
            &[
                "error[T004]: a set needs the key `counts`\n  tiles.toml:13",
                "error[T005]: `pile` is a text, not a table\n  tiles.toml:16",
            ],
        );
    }

    #[test]
    fn values_are_of_their_type() {
        let message = "error[T005]: `pennant` is a number from 1 to 65535\n  tiles.toml:8";
        check_problems("pennant = 2", "pennant = 0", &[message]);
        check_problems("pennant = 2", "pennant = -2", &[message]);
        let message = "error[T005]: `pennant` is a whole number, not true or false\n  tiles.toml:8";
        check_problems("pennant = 2", "pennant = true", &[message]);
        let help = "help: name the edge kinds clockwise from the north: `sides = \"city road field road\"`";
        let message = format!("error[T005]: a tile has four sides, this one 3\n  tiles.toml:6\n  {help}");
        check_problems("\"city field field field\"", "\"city field field\"", &[&message]);
    }

    #[test]
    fn names_and_places_are_well_formed() {
        let help = "help: write lower-case letters, digits and single hyphens: `road-west`";
        let message = format!("error[T006]: `City` is not a word\n  tiles.toml:8\n  {help}");
        check_problems("name = \"city\"", "name = \"City\"", &[&message]);
        let message = "error[T008]: `U` is not a side: write N, E, S or W\n  tiles.toml:8";
        check_problems("sides = \"N\"", "sides = \"U\"", &[message]);
        let message = "error[T008]: `r45` is not a rotation: write r0, r90, r180 or r270\n  tiles.toml:22";
        check_problems("at = \"0,-1\"", "at = \"0,-1\"\nrotation = \"r45\"", &[message]);
    }

    #[test]
    fn tiles_are_described_once() {
        let message =
            "error[T009]: the file describes no tile `city-cop`\n  tiles.toml:16\n  help: did you mean `city-cap`?";
        check_problems("counts = { city-cap", "counts = { city-cop", &[message]);
        let tile = &GOOD[GOOD.find("[[tile]]").expect("a tile")..GOOD.find("[[set]]").expect("a set")];
        let message = "error[T007]: a tile before has the id `city-cap`\n  tiles.toml:14";
        check_problems("[[set]]", &format!("{tile}[[set]]"), &[message]);
        let set = "[[set]]\nid = \"first\"\ncounts = {}\n\n[[start]]";
        check_problems("[[start]]", set, &["error[T007]: a set before has the id `first`\n  tiles.toml:20"]);
    }

    #[test]
    fn tiles_can_be_printed() {
        let message = "error[T011]: tile `city-cap`: half-edge WR is in no segment\n  tiles.toml:4\n  \
                       help: correct it, or add `waive = [{ check = \"gap\", why = \"...\" }]`";
        check_problems(" WR\"", "\"", &[message]);
        let message = "error[T012]: tile `city-cap`: `field` borders `town`, which is no segment\n  tiles.toml:4";
        check_problems("borders = [\"city\"]", "borders = [\"city\", \"town\"]", &[message]);
        let gap = GOOD.replacen(" WR\"", "\"", 1);
        let waived =
            gap.replacen("marks = { volcano", "waive = [{ check = \"gap\", why = \"torn\" }]\nmarks = { volcano", 1);
        assert_eq!(read(&waived).expect("a waived problem").tiles[0].waived, [(TileCheck::Gap, "torn".to_owned())]);
        let message = "error[T010]: there is no check `gaap`\n  tiles.toml:11\n  help: did you mean `gap`?";
        check_problems("marks = { vol", "waive = [{ check = \"gaap\", why = \"torn\" }]\nmarks = { vol", &[message]);
        let message = "error[T010]: the waiver gives no reason\n  tiles.toml:11";
        check_problems("marks = { vol", "waive = [{ check = \"gap\", why = \"\" }]\nmarks = { vol", &[message]);
    }
}
