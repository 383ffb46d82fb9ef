//! What is allowed and most likely a slip: refusals that refuse nothing, options nobody reads, marks no tile carries.
//!
//! The warnings of a game are about the expansions in it that were asked for; what they name is taken as it is.

mod idle;
mod literals;

use std::collections::BTreeSet;

use trencavel_rules::Source;
use trencavel_rules::declare::Declaration;
use trencavel_rules::short;
use trencavel_rules::value::Value;
use trencavel_rules::words::{DeclKind, Verb};

use crate::diagnostic::{Diagnostic, SourceFile};
use crate::library::Origin;
use crate::load::{Loaded, TILES};
use crate::resolve::Resolved;
use crate::tiles::{self, TileFile};

pub use literals::{unknown_words, unlisted_verbs};

/// Every code of this file with its explanation for `trencavel explain CODE`.
pub const CODES: &[(&str, &str)] = &[
    (
        "W001",
        "A refusal stops something that never happens: no offer, no hook and no step of the engine asks for that verb, \
         even with every expansion that the manifest names. Most often the verb in `on` is not the one that was meant.",
    ),
    (
        "W002",
        "A waiver lifts a refusal that would not refuse anyway: it stops nothing that ever happens, or it is about other \
         verbs, other figures or another class than the waiver. A special figure, for example, needs no waiver of what \
         is said of followers.",
    ),
    (
        "W003",
        "An option is neither read by a script nor named by `when` of a tile set, so choosing it changes nothing.",
    ),
    (
        "W004",
        "A mark is declared and printed on no tile of the game, and its expansion sets no marks in play, so whatever asks for \
it never finds it.",
    ),
    (
        "W005",
        "A tile is described and lies in no set and no start layout, so it never comes into a game. Tile sets say how \
         many of which tiles there are: `counts = { road-gate = 6 }`.",
    ),
    (
        "W006",
        "`interactions` speaks of an expansion that is not installed, so what it says cannot be compared with what that \
         expansion does. Often the id is misspelt.",
    ),
    (
        "W007",
        "The folder has no scenario or no README. Scenarios (`tests/*.toml`) show that each rule does what its sentence \
         says; the README tells players the rules in plain words.",
    ),
    (
        "W008",
        "A refusal asks a function about every tile or figure that might be placed, and no condition keeps most of them \
         away from it. The function is called hundreds of times a turn; give the refusal a `where`, a `feature` or a \
         `figure` that is as narrow as the rule.",
    ),
    (
        "W009",
        "A condition asks a tile for a mark that only features show, or a feature for a mark that only tiles show, so it \
         never holds. `rules.mark \"gate\" { on = \"road\" }` is printed on segments and asked for by `feature = { mark \
         = \"gate\" }`; with `on = \"tile\"` it is printed on the tile itself and asked for by `tile = { mark = … }`.",
    ),
    (
        "W010",
        "A step has no `run`, no `figure` may be deployed in it and no offer hangs on it, so nothing happens when the \
         turn comes to it.",
    ),
    ("W011", "A question or a token is declared, and no script of the game speaks of it again."),
];

/// What the engine itself does without being asked by a hook.
const ENGINE: [Verb; 9] = [
    Verb::Draw,
    Verb::Place,
    Verb::Discard,
    Verb::Deploy,
    Verb::Return,
    Verb::Complete,
    Verb::Score,
    Verb::Pay,
    Verb::Finish,
];

/// Warnings about the expansions in `asked`. `declared` are the declarations of the game, `installed` tells whether
/// there is an expansion of an id. In the order of files and lines.
pub fn warnings(
    loaded: &Loaded,
    declared: &[Declaration],
    asked: &BTreeSet<&str>,
    installed: &dyn Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let view = View { loaded, declared };
    let mut found = Vec::new();
    for declaration in declared.iter().filter(|one| asked.contains(one.expansion.as_str())) {
        let warning = match declaration.kind {
            DeclKind::Forbid => view.unused_refusal(declaration).or_else(|| view.wide_test(declaration)),
            DeclKind::Waive => view.idle_waiver(declaration),
            DeclKind::Mark => view.bare_mark(declaration),
            DeclKind::Step => view.idle_step(declaration),
            DeclKind::Resolve | DeclKind::Token => view.unspoken(declaration),
            _ => None,
        };
        found.extend(warning);
        found.extend(view.misplaced_marks(declaration));
    }
    for one in loaded.resolution.expansions.iter().filter(|one| asked.contains(one.id())) {
        found.extend(unread_options(one));
        found.extend(view.loose_tiles(one));
        found.extend(unknown_neighbours(one, installed));
        found.extend(missing_texts(one));
    }
    found.sort_by_cached_key(|warning| {
        let place = warning.at.as_ref().map(|(file, span)| (file.path.clone(), span.start));
        (place, warning.code, warning.message.clone())
    });
    found
}

/// What tiles fail on purpose, with the reason, a sentence each: `road-gate waives "gap": the print is like that`.
pub fn waived_tiles(one: &Resolved) -> Vec<String> {
    let tile = |tile: &trencavel_rules::tile::TileSpec| {
        let waived = tile.waived.iter();
        waived.map(|(check, why)| format!("{}:{} waives `{check}`: {why}", one.id(), tile.id)).collect::<Vec<_>>()
    };
    tile_file(one).map_or_else(Vec::new, |file| file.tiles.iter().flat_map(tile).collect())
}

struct View<'a> {
    loaded: &'a Loaded,
    declared: &'a [Declaration],
}

impl View<'_> {
    fn unused_refusal(&self, declaration: &Declaration) -> Option<Diagnostic> {
        let verbs = words(&declaration.fields, "on");
        let happens = |verb: &&str| {
            ENGINE.iter().any(|own| own.word() == *verb) || self.declared.iter().any(|one| makes(one, verb))
        };
        if verbs.is_empty() || verbs.iter().any(happens) {
            return None;
        }
        let message = format!("refusal `{}` stops `{}`, and nothing does that", declaration.id, verbs.join("`, `"));
        let help = "check the verb; if another expansion does it, name that one under `optional` in the manifest";
        Some(self.at(Diagnostic::new("W001", message).help(help), &declaration.source))
    }

    fn wide_test(&self, declaration: &Declaration) -> Option<Diagnostic> {
        let often = ["place", "deploy"];
        let Value::Table(fields) = &declaration.fields else { return None };
        let narrow = |key: &str| !["on", "test", "stops", "say"].contains(&key);
        let asks = declaration.fields.get("test").is_some()
            && words(&declaration.fields, "on").iter().any(|verb| often.contains(verb));
        if !asks || fields.iter().any(|(key, _)| narrow(key)) {
            return None;
        }
        let message = format!("`test` of refusal `{}` is asked about every choice", declaration.id);
        let help = "put what the rule is about into conditions: `feature`, `figure`, `where = { … }`";
        Some(self.at(Diagnostic::new("W008", message).help(help), &declaration.source))
    }

    fn idle_waiver(&self, declaration: &Declaration) -> Option<Diagnostic> {
        let refusal = self.refusal(declaration)?;
        let stops_nothing = || self.unused_refusal(refusal).map(|_| "the refusal stops nothing".to_owned());
        let why = self.apart(&refusal.fields, &declaration.fields).or_else(stops_nothing)?;
        let message = format!("waiver of `{}:{}` lifts nothing: {why}", refusal.expansion, refusal.id);
        Some(self.at(Diagnostic::new("W002", message).help("leave the waiver out"), &declaration.source))
    }

    /// The refusal that a waiver names, if it is one of the game.
    fn refusal(&self, waiver: &Declaration) -> Option<&Declaration> {
        let named = |one: &&Declaration| match waiver.id.split_once(':') {
            Some((expansion, id)) => one.expansion == expansion && one.id == id,
            None => one.id == waiver.id,
        };
        let refusals = || self.declared.iter().filter(|one| one.kind == DeclKind::Forbid).filter(named);
        refusals().find(|one| one.expansion == waiver.expansion).or_else(|| refusals().next())
    }

    /// Why nothing is the subject of both.
    fn apart(&self, refusal: &Value, waiver: &Value) -> Option<String> {
        let (on, only) = (words(refusal, "on"), words(waiver, "on"));
        if !only.is_empty() && !only.iter().any(|verb| on.contains(verb)) {
            return Some(format!("it is about `{}`, the refusal about `{}`", only.join("`, `"), on.join("`, `")));
        }
        let (figures, own) = (subject(refusal, "figure"), subject(waiver, "figure"));
        let same = |figure: &&str| figures.iter().any(|other| short(other) == short(figure));
        if !figures.is_empty() && !own.is_empty() && !own.iter().any(same) {
            return Some(format!("the refusal is about `{}`", figures.join("`, `")));
        }
        let (classes, mut own_classes) = (subject(refusal, "class"), subject(waiver, "class"));
        own_classes.extend(own.iter().filter_map(|figure| self.class_of(figure)));
        if !classes.is_empty() && !own_classes.is_empty() && !own_classes.iter().any(|class| classes.contains(class)) {
            return Some(format!("the refusal is about class `{}`", classes.join("`, `")));
        }
        None
    }

    fn class_of(&self, figure: &str) -> Option<&str> {
        let mut figures = self.declared.iter().filter(|one| one.kind == DeclKind::Figure);
        let one = figures.find(|one| one.id == short(figure))?;
        Some(words(&one.fields, "class").first().copied().unwrap_or("follower"))
    }

    fn bare_mark(&self, declaration: &Declaration) -> Option<Diagnostic> {
        let rules = &self.loaded.rules;
        let mark = rules.mark_by_name(&format!("{}:{}", declaration.expansion, declaration.id))?;
        let carries = |marks: &[(trencavel_rules::ids::MarkId, u16)]| marks.iter().any(|(one, _)| *one == mark);
        let on_tile = |tile: &trencavel_rules::TileDef| {
            carries(&tile.marks) || tile.segments.iter().any(|segment| carries(&segment.marks))
        };
        let set_in_play = self.declared.iter().any(|one| one.expansion == declaration.expansion && makes(one, "mark"));
        if set_in_play || rules.tiles().any(|(_, tile)| on_tile(tile)) {
            return None;
        }
        let message = format!("no tile carries the mark `{}`", declaration.id);
        let help = format!("print it: `marks = {{ {} = 1 }}` on a segment or a tile in {TILES}", declaration.id);
        Some(self.at(Diagnostic::new("W004", message).help(help), &declaration.source))
    }

    fn loose_tiles(&self, one: &Resolved) -> Vec<Diagnostic> {
        let (Some(file), Some(source)) = (tile_file(one), one.found.files.get(TILES)) else { return Vec::new() };
        let full = |home: &str, tile: &str| if tile.contains(':') { tile.into() } else { format!("{home}:{tile}") };
        let mut laid: BTreeSet<String> = BTreeSet::new();
        for other in &self.loaded.resolution.expansions {
            let Some(file) = tile_file(other) else { continue };
            laid.extend(file.sets.iter().flat_map(|set| set.counts.keys()).map(|tile| full(other.id(), tile)));
            laid.extend(file.starts.iter().map(|start| full(other.id(), &start.tile)));
        }
        // Scripts may deal a tile out themselves.
        let scripts = one.found.files.iter().filter(|(name, _)| name.ends_with(".lua"));
        let code: String = scripts.map(|(_, file)| without_comments(&file.text)).collect();
        let dealt = |tile: &str| code.contains(&format!("\"{tile}\"")) || code.contains(&format!("'{tile}'"));
        let loose = file.tiles.iter().filter(|tile| !laid.contains(&full(one.id(), &tile.id)) && !dealt(&tile.id));
        let warning = |tile: &trencavel_rules::tile::TileSpec| {
            let message = format!("tile `{}` is in no set", tile.id);
            let help = format!("add it to the `counts` of a `[[set]]`: `counts = {{ {} = 1 }}`", tile.id);
            let line = file.lines.get(&tile.id).copied().unwrap_or(1);
            Diagnostic::new("W005", message).at_line(source, line).help(help)
        };
        loose.map(warning).collect()
    }

    /// The warning at the place of a declaration.
    fn at(&self, warning: Diagnostic, source: &Source) -> Diagnostic {
        match self.file(source) {
            Some(file) => warning.at_line(file, source.line),
            None => warning,
        }
    }

    fn file(&self, source: &Source) -> Option<&SourceFile> {
        let mut files = self.loaded.resolution.expansions.iter().flat_map(|one| one.found.files.values());
        files.find(|file| file.path.as_os_str() == &*source.file)
    }

    /// The line on which something is declared.
    fn line(&self, source: &Source) -> Option<&str> {
        self.file(source)?.text.lines().nth((source.line as usize).checked_sub(1)?)
    }
}

fn tile_file(one: &Resolved) -> Option<TileFile> {
    one.found.files.get(TILES).and_then(|source| tiles::parse(source).ok())
}

/// Whether a declaration asks for a verb.
fn makes(declaration: &Declaration, verb: &str) -> bool {
    let walks = declaration.fields.get("walk").is_some() && ["enter", "eat"].contains(&verb);
    walks || words(&declaration.fields, "emits").contains(&verb) || words(&declaration.fields, "does").contains(&verb)
}

/// The words of a field: one or a list.
pub fn words<'a>(fields: &'a Value, key: &str) -> Vec<&'a str> {
    let text = |value: &'a Value| if let Value::Text(word) = value { Some(&**word) } else { None };
    match fields.get(key) {
        Some(Value::List(list)) => list.iter().filter_map(text).collect(),
        Some(one) => text(one).into_iter().collect(),
        None => Vec::new(),
    }
}

/// The words of a condition's key, beside the fields or under `where`.
pub fn subject<'a>(fields: &'a Value, key: &str) -> Vec<&'a str> {
    let mut found = words(fields, key);
    found.extend(fields.get("where").map_or_else(Vec::new, |when| words(when, key)));
    found
}

fn unread_options(one: &Resolved) -> Vec<Diagnostic> {
    if matches!(one.found.origin, Origin::LinkedIn(_)) {
        return Vec::new();
    }
    let scripts = one.found.files.iter().filter(|(name, _)| name.ends_with(".lua"));
    let code: String = scripts.map(|(_, file)| without_comments(&file.text)).collect();
    // Names that are only known at run time may be any.
    if code.contains("options[") {
        return Vec::new();
    }
    let sets = tile_file(one).unwrap_or_default();
    let named = |name: &str| {
        sets.sets
            .iter()
            .map(|set| &set.when)
            .chain(sets.starts.iter().map(|start| &start.when))
            .any(|when| when.contains_key(name))
    };
    let manifest = &one.found.manifest;
    let idle = manifest.options.iter().filter(|option| !named(&option.name) && !has_word(&code, &option.name));
    let warning = |option: &crate::options::OptionDecl| {
        let message = format!("option `{}` is never read", option.name);
        let help = format!("read `rules.options.{}` in a script, or leave the option out", option.name);
        let problem = Diagnostic::new("W003", message).help(help);
        let head = format!("[options.{}]", option.name);
        let line = manifest.file.text.lines().position(|line| line.trim_end() == head);
        problem.at_line(&manifest.file, line.map_or(1, |line| line as u32 + 1))
    };
    idle.map(warning).collect()
}

fn without_comments(code: &str) -> String {
    code.lines().map(|line| format!("{}\n", line.split_once("--").map_or(line, |(code, _)| code))).collect()
}

/// Whether a word stands in a text, not as a part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

fn unknown_neighbours(one: &Resolved, installed: &dyn Fn(&str) -> bool) -> Vec<Diagnostic> {
    let manifest = &one.found.manifest;
    let unknown = manifest.interactions.keys().filter(|id| !installed(id));
    let warning = |id: &String| {
        let message = format!("`interactions` speaks of `{id}`, which is not installed");
        let help = "check the id; `--path DIR` adds a folder of expansions";
        manifest.problem("W006", &format!("interactions.{id}"), message).help(help)
    };
    unknown.map(warning).collect()
}

fn missing_texts(one: &Resolved) -> Vec<Diagnostic> {
    let files = &one.found.files;
    // What is compiled in keeps its tests beside its source.
    if matches!(one.found.origin, Origin::LinkedIn(_)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let manifest = &one.found.manifest;
    let mut miss = |what: &str, help: &str| {
        let message = format!("`{}` has no {what}", one.id());
        found.push(manifest.problem("W007", "id", message).help(help));
    };
    if !files.keys().any(|name| name.starts_with("tests/") && name.ends_with(".toml")) {
        miss("scenario", "write one for each rule: tests/my-rule.toml");
    }
    if !files.contains_key("README.md") {
        miss("README.md", "tell the rules in plain words");
    }
    found
}
