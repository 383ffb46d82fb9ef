//! What is wrong with declarations, for people: code, place, what to do.

use std::collections::BTreeMap;

use trencavel_rules::declare::{DeclareError, Problem};

use crate::diagnostic::{Diagnostic, SourceFile};
use crate::load::TILES;
use crate::lua::{Failed, suggestion};
use crate::resolve::Resolution;

/// Every code of this file with its explanation for `trencavel explain CODE`.
pub const CODES: &[(&str, &str)] = &[
    (
        "D001",
        "A declaration uses a word that names nothing: a key, an event, a verb, a figure, a mark or the id of another \
         declaration. Unprefixed ids are looked for among the expansion's own, then among those it requires, then \
         among those it names under `optional`; ids of an optional expansion that is absent match nothing.",
    ),
    ("D002", "An id without a prefix may mean that of several expansions. Write it with one: `expansion:id`."),
    ("D003", "A field holds a value of the wrong kind, such as a word where a list belongs, or a number out of range."),
    ("D004", "A field that this kind of declaration needs is missing."),
    (
        "D005",
        "An id is declared twice. Ids are unique in their expansion for each kind of declaration; figures and neutral \
         figures share their ids. What a player chooses from is there once.",
    ),
    (
        "D006",
        "Two declarations may decide the same number and nothing says which of them comes last. Order the expansions: \
         `order = { after = [\"other\"] }` in a manifest, or `orders = [\"other before this\"]` in the game file.",
    ),
    ("D007", "Expansions each want to come after the other."),
    ("D008", "There is more of something than the engine has room for."),
    ("D009", "A declaration has a problem of a kind this program has no further words for."),
];

/// The texts of all files of a game, by name.
pub(crate) struct Texts<'a> {
    files: BTreeMap<String, &'a SourceFile>,
    tiles: Vec<&'a SourceFile>,
}

impl<'a> Texts<'a> {
    pub fn of(resolution: &'a Resolution) -> Self {
        let all = || resolution.expansions.iter().flat_map(|one| &one.found.files);
        Self {
            files: all().map(|(_, file)| (file.path.display().to_string(), file)).collect(),
            tiles: all().filter(|(name, _)| *name == TILES).map(|(_, file)| file).collect(),
        }
    }

    /// The line on which a tile file describes or names a tile.
    fn tile(&self, id: &str) -> Option<(&'a SourceFile, u32)> {
        let short = id.split_once(':').map_or(id, |(_, short)| short);
        let described = format!("id = \"{short}\"");
        let line = |file: &SourceFile, wanted: &str| file.text.lines().position(|line| line.contains(wanted));
        let find =
            |wanted: &str| self.tiles.iter().find_map(|file| line(file, wanted).map(|line| (*file, line as u32 + 1)));
        find(&described).or_else(|| find(id)).or_else(|| find(short))
    }
}

/// A problem of a declaration with its place, its line and advice.
pub(crate) fn problem(error: &DeclareError, texts: &Texts<'_>) -> Diagnostic {
    let (code, help) = advice(&error.problem);
    let mut found = Diagnostic::new(code, error.to_string());
    found.help = help;
    match &error.place {
        Some(place) => match texts.files.get(&*place.file) {
            Some(file) => found.at_line(file, place.line),
            // Declared in Rust: the text is not at hand.
            None => Diagnostic { message: format!("{} ({}:{})", found.message, place.file, place.line), ..found },
        },
        None => match tile_of(error).and_then(|id| texts.tile(&id)) {
            Some((file, line)) => found.at_line(file, line),
            None => found,
        },
    }
}

/// The tile that a problem is about, if it is about one.
pub(crate) fn tile_of(error: &DeclareError) -> Option<String> {
    if let Some(what) = &error.what {
        return Some(what.strip_prefix("tile \"")?.strip_suffix('"')?.to_owned());
    }
    match &error.problem {
        Problem::Unknown { what: "tile", word, .. } => Some(word.clone()),
        _ => None,
    }
}

/// What declarations of scripts may name: missing where a script was cut short.
const NAMED: [&str; 14] = [
    "cause",
    "edge kind",
    "feature kind",
    "figure",
    "figure, feature or mark",
    "mark",
    "query",
    "question",
    "refusal",
    "seat",
    "step",
    "tag",
    "token",
    "void",
];

/// True if a problem may be there only because a script was cut short or a declaration was left out.
pub(crate) fn follows_from(failed: &Failed, error: &DeclareError) -> bool {
    let Problem::Unknown { what, word, .. } = &error.problem else { return false };
    let last = word.rsplit(':').next().unwrap_or(word);
    (failed.cut && NAMED.contains(what)) || failed.left_out.contains(last)
}

fn advice(problem: &Problem) -> (&'static str, Option<String>) {
    match problem {
        Problem::Unknown { word, known, .. } => ("D001", unknown(word, known)),
        Problem::Ambiguous { .. } => ("D002", Some("write it with its expansion".to_owned())),
        Problem::Shape { .. } | Problem::Range { .. } | Problem::Spelling { .. } => ("D003", None),
        Problem::Repeated { .. } => ("D005", None),
        Problem::Missing { .. } => ("D004", None),
        Problem::Twice { .. } => ("D005", Some("give one of them another id".to_owned())),
        Problem::Conflict { .. } => {
            let help = "put one expansion after the other: `order.after` in a manifest, or `orders` in the game file";
            ("D006", Some(help.to_owned()))
        }
        Problem::Circle { .. } => ("D007", Some("drop one of these orders".to_owned())),
        Problem::TooMany { .. } => ("D008", None),
        _ => ("D009", None),
    }
}

/// The nearest known word; the last part of a path or an id is what was misspelt.
fn unknown(word: &str, known: &[String]) -> Option<String> {
    let last = word.rsplit(['.', ':']).next().unwrap_or(word);
    suggestion(last, known.iter().map(String::as_str))
}
