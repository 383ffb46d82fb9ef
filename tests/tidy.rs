//! The order of the house: no expansion in the core, documented modules, complete expansions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use trencavel_play::scenario::{Wanted, format::Scenario};
use trencavel_rules::words::{self, DeclKind};
use trencavel_rules::{Ruleset, short};
use trencavel_tests::loading::{expansion_ids, library, loaded};
use trencavel_tests::{files_below, root, short_path};

/// The crates that know no expansion.
const CORE: [&str; 5] = ["rules", "abi", "host", "play", "view"];

/// Ids that are ordinary words, which the core uses as names of its own, and what for. As literals they stay out.
const ORDINARY: [(&str, &str); 4] = [
    ("base", "the folder or value that something starts from"),
    ("builder", "what puts a ruleset together"),
    ("field", "an entry of a declaration or a record"),
    ("follower", "the class of meeples that claim: one of the core's own shapes"),
];

/// Literals that are words of the engine or of its file formats, although an expansion has an id of that name.
const SHARED: [(&str, &str); 5] = [
    ("field", "an entry of a declaration, as the manual heads its tables"),
    ("floor", "a function of the scripting language's library"),
    ("follower", "word of the class (DESIGN §6)"),
    ("occupied", "key of conditions: a follower stands on a claiming seat (STYLE §2)"),
    ("own", "of the subject's owner, in conditions (DESIGN §5.1)"),
];

/// Ids without their prefix.
#[derive(Default)]
struct Ids {
    /// Of expansions and of what lies on the table: edges, features, marks, figures, tiles.
    things: BTreeSet<String>,
    /// Of hooks. They are often verbs or plain words, so only literals give the core away.
    hooks: BTreeSet<String>,
}

impl Ids {
    fn add(&mut self, rules: &Ruleset) {
        let things = [DeclKind::Edge, DeclKind::Feature, DeclKind::Mark, DeclKind::Figure, DeclKind::Neutral];
        self.things.extend(rules.expansions().iter().map(|expansion| expansion.id.to_string()));
        self.things.extend(rules.tiles().map(|(_, tile)| short(&tile.id).to_owned()));
        for (_, hook) in rules.hooks().filter(|(_, hook)| !hook.name.starts_with("core:")) {
            let list = if things.contains(&hook.kind) { &mut self.things } else { &mut self.hooks };
            list.insert(short(&hook.name).to_owned());
        }
    }
}

fn all_declared() -> Ids {
    let mut ids = Ids::default();
    let alone = expansion_ids().into_iter().map(|id| vec![id]).chain([Vec::new()]);
    for expansions in alone {
        // What cannot be loaded is the contract's business.
        if let Ok(loaded) = loaded(&Wanted { expansions, options: Vec::new() }) {
            ids.add(&loaded.rules);
        }
    }
    let vocabulary = [
        words::Verb::ALL.iter().map(|word| word.word()).collect::<Vec<_>>(),
        words::EventKind::ALL.iter().map(|word| word.word()).collect(),
        words::DeclKind::ALL.iter().map(|word| word.word()).collect(),
        words::CoreStep::ALL.iter().map(|word| word.word()).collect(),
        words::CoreNumber::ALL.iter().map(|word| word.word()).collect(),
    ];
    let foreign = |id: &String| !vocabulary.iter().flatten().any(|word| word == id);
    ids.things.retain(foreign);
    ids.hooks.retain(foreign);
    ids
}

fn core_files() -> Vec<PathBuf> {
    CORE.iter().flat_map(|name| files_below(&root().join("core").join(name).join("src"), "rs")).collect()
}

/// A source file in words: (line, word, whether it is a whole string literal). Comments and unit tests are left out.
fn source_words(text: &str) -> Vec<(usize, String, bool)> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut found = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(letter) = rest.chars().next() {
        let (length, word, literal) = match letter {
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), None, false),
            // A letter in quotes is neither the beginning of a text nor a lifetime.
            '\'' if rest.starts_with("'\"'") => (3, None, false),
            '"' => {
                let inner = string_end(&rest[1..]);
                (inner + 2, Some(&rest[1..=inner]), true)
            }
            letter if letter.is_alphanumeric() || letter == '_' => {
                let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
                (end, Some(&rest[..end]), false)
            }
            letter => (letter.len_utf8(), None, false),
        };
        found.extend(word.map(|word| (line, word.to_owned(), literal)));
        let length = length.min(rest.len());
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// Where a text ends that began before `rest`.
fn string_end(rest: &str) -> usize {
    let mut escaped = false;
    for (place, letter) in rest.char_indices() {
        match letter {
            '"' if !escaped => return place,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    rest.len().saturating_sub(1)
}

/// `wind-rose` as an identifier would write it: `wind_rose` and `WindRose`.
fn identifiers(id: &str) -> [String; 2] {
    let snake = id.replace('-', "_");
    let pascal = snake.split('_').map(|part| {
        let mut letters = part.chars();
        letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
    });
    let pascal = pascal.collect();
    [snake, pascal]
}

#[test]
fn the_core_names_no_expansion() {
    let ids = all_declared();
    let names: BTreeMap<String, &String> =
        ids.things.iter().flat_map(|id| identifiers(id).map(|name| (name, id))).collect();
    let mut found = Vec::new();
    let (mut ordinary, mut shared) = (BTreeSet::new(), BTreeSet::new());
    for path in core_files() {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        for (line, word, literal) in source_words(&text) {
            let id = match literal {
                true => word.split_once(':').map_or(word.as_str(), |(_, id)| id),
                false => names.get(&word).map_or("", |id| id.as_str()),
            };
            let (list, met) = if literal { (&SHARED[..], &mut shared) } else { (&ORDINARY[..], &mut ordinary) };
            if let Some((id, _)) = list.iter().find(|(listed, _)| *listed == id) {
                met.insert(*id);
            } else if ids.things.contains(id) || literal && ids.hooks.contains(id) {
                found.push(format!("{}:{line}: {word}", short_path(&path)));
            }
        }
    }
    let idle = ORDINARY.iter().filter(|(id, _)| !ordinary.contains(id));
    let idle: Vec<&str> = idle.chain(SHARED.iter().filter(|(id, _)| !shared.contains(id))).map(|(id, _)| *id).collect();
    assert!(idle.is_empty(), "listed as ordinary words, but not met: {}", idle.join(", "));
    assert!(found.is_empty(), "{} names of expansions in the core:\n{}", found.len(), found.join("\n"));
}

#[test]
#[expect(clippy::print_stdout, reason = "a report of a test, shown on request")]
fn every_module_says_what_it_is() {
    let mut silent = Vec::new();
    let mut long = Vec::new();
    for path in ["core", "plugins", "tests"].iter().flat_map(|folder| files_below(&root().join(folder), "rs")) {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        if !text.starts_with("//!") && !text.starts_with("#!") {
            silent.push(short_path(&path));
        }
        let lines = text.lines().count();
        if lines > 600 {
            long.push(format!("{}: {lines} lines", short_path(&path)));
        }
    }
    println!("files to look at again (more than 600 lines): {}", long.join(", "));
    assert!(silent.is_empty(), "no `//!` at the beginning of: {}", silent.join(", "));
}

/// Where code may do what the compiler cannot check: the ABI and the loader of libraries.
const UNSAFE: [&str; 2] = ["core/abi/src/", "core/host/src/native/"];

#[test]
fn unsafe_code_is_in_its_rooms_only() {
    let mut found = Vec::new();
    for path in
        ["core", "plugins", "tests", "examples"].iter().flat_map(|folder| files_below(&root().join(folder), "rs"))
    {
        let place = short_path(&path);
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let unchecked = |word: &str| word == "unsafe" || word == "unsafe_code";
        let words = source_words(&text).into_iter().filter(|(_, word, literal)| !literal && unchecked(word));
        if !UNSAFE.iter().any(|room| place.starts_with(room)) {
            found.extend(words.map(|(line, ..)| format!("{place}:{line}")));
        }
    }
    assert!(found.is_empty(), "unsafe code outside of {UNSAFE:?}:\n{}", found.join("\n"));
    // The lint that asks for a SAFETY line, and the one that forbids the rest, hold in every crate.
    let lints = std::fs::read_to_string(root().join("Cargo.toml")).expect("the file can be read");
    for lint in ["unsafe_code = \"deny\"", "undocumented_unsafe_blocks = \"warn\""] {
        assert!(lints.contains(lint), "the workspace has no `{lint}`");
    }
    for path in ["core", "plugins", "tests"].iter().flat_map(|folder| files_below(&root().join(folder), "toml")) {
        if path.ends_with("Cargo.toml") {
            let text = std::fs::read_to_string(&path).expect("the file can be read");
            assert!(text.contains("[lints]\nworkspace = true"), "{} has lints of its own", short_path(&path));
        }
    }
}

/// The folders of expansions: those with a manifest.
fn expansion_folders() -> Vec<PathBuf> {
    let manifests = ["plugins", "scripts"].iter().flat_map(|folder| files_below(&root().join(folder), "toml"));
    let manifests = manifests.filter(|path| path.ends_with("expansion.toml"));
    manifests.filter_map(|path| path.parent().map(Path::to_owned)).collect()
}

#[test]
fn every_expansion_has_a_readme_and_scenarios() {
    let mut missing = Vec::new();
    for folder in expansion_folders() {
        if !folder.join("README.md").exists() {
            missing.push(format!("{}: README.md", short_path(&folder)));
        }
        if files_below(&folder.join("tests"), "toml").is_empty() {
            missing.push(format!("{}: tests/*.toml", short_path(&folder)));
        }
    }
    assert!(missing.is_empty(), "missing:\n{}", missing.join("\n"));
    assert!(library().problems().next().is_none(), "the library has no problems");
}

/// The lines of a script that count: without comments and blanks.
fn counted(text: &str) -> usize {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("--")).count()
}

/// The scripts of expansions; the editor's stubs are none.
fn scripts() -> Vec<PathBuf> {
    expansion_folders().iter().flat_map(|folder| files_below(folder, "lua")).collect()
}

#[test]
fn scripts_stay_small() {
    let (mut all, mut long) = (0, Vec::new());
    for path in scripts() {
        let lines = counted(&std::fs::read_to_string(&path).expect("the file can be read"));
        all += lines;
        if lines > 250 {
            long.push(format!("{}: {lines} lines", short_path(&path)));
        }
    }
    assert!(long.is_empty(), "scripts of more than 250 lines: {}", long.join(", "));
    assert!(all <= 2000, "{all} lines of Lua, more than 2000");
}

/// The ids that a line names in a text of its own, as `id` or `id:name`.
fn named<'a>(line: &'a str, ids: &'a [String]) -> impl Iterator<Item = &'a str> {
    let texts = line.split('"').skip(1).step_by(2);
    texts.map(|text| text.split(':').next().unwrap_or(text)).filter(|text| ids.iter().any(|id| id == text))
}

/// Where a script names others outside a block `rules.when` about them. `about`: what the whole file is about.
fn mentions(text: &str, own: &str, about: &[&str], ids: &[String]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    // The open blocks: how far they are indented, and the expansions that they are about.
    let mut open: Vec<(usize, Vec<String>)> = vec![(0, about.iter().map(ToString::to_string).collect())];
    for (index, line) in text.lines().enumerate() {
        let code = line.split("--").next().unwrap_or_default();
        let indent = code.len() - code.trim_start().len();
        if code.trim_start().starts_with("end") && open.len() > 1 && open.last().is_some_and(|last| last.0 == indent) {
            open.pop();
        }
        let inner: Vec<String> = named(code, ids).map(str::to_owned).collect();
        // `rules.when(id, …)` in a loop is about what the loop goes through.
        if code.contains("rules.when(") {
            let before = text.lines().take(index).last().unwrap_or_default();
            let looped = if code.contains("rules.when(\"") { Vec::new() } else { named_keys(before, ids) };
            open.push((indent, inner.into_iter().chain(looped).collect()));
            continue;
        }
        let loops = code.trim_start().starts_with("for ")
            && text.lines().nth(index + 1).is_some_and(|next| next.contains("rules.when("));
        let known = |id: &String| {
            id == own
                || loops
                || open.iter().any(|(_, about)| about.contains(id))
                || code.contains(&format!("rules.active \"{id}\""))
        };
        found.extend(inner.into_iter().filter(|id| !known(id)).map(|id| (index + 1, id)));
    }
    found
}

/// What the head of a loop goes through: texts, and keys of a table.
fn named_keys(line: &str, ids: &[String]) -> Vec<String> {
    let words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
    words.filter(|word| ids.iter().any(|id| id == word)).map(str::to_owned).collect()
}

#[test]
fn expansions_name_each_other_inside_when_only() {
    let ids = expansion_ids();
    let mut found = Vec::new();
    for path in scripts() {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let folder = path.parent().expect("a script lies in a folder");
        let own = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let place = short_path(&path);
        // A file that is required inside a `when` belongs to that block.
        let about: &[&str] = if place.ends_with("constable/dragon.lua") { &["dragon", "faerie"] } else { &[] };
        let others = mentions(&text, own, about, &ids).into_iter();
        found.extend(others.map(|(line, id)| format!("{place}:{line}: {id}")));
    }
    assert!(found.is_empty(), "other expansions, outside `rules.when`:\n{}", found.join("\n"));
}

#[test]
fn a_name_outside_its_block_is_found() {
    let ids = ["mill", "lake"].map(str::to_owned);
    let text =
        "rules.when(\"mill\", function()\n  use \"mill:wheel\"\n  use \"lake\" -- \"lake\"\nend)\nuse \"mill\"\n";
    assert_eq!(mentions(text, "own", &[], &ids), [(3, "lake".to_owned()), (5, "mill".to_owned())]);
    assert_eq!(mentions(text, "lake", &[], &ids), [(5, "mill".to_owned())]);
    assert_eq!(mentions("for id in all { \"mill\" } do\n  rules.when(id, go)\nend\n", "own", &[], &ids), []);
}

/// `B-8 to B-16`, `B-4, B-5` and `C-3` in the first column of the tables of a README.
fn claimed(readme: &str) -> BTreeSet<String> {
    let mut rules = BTreeSet::new();
    let columns = readme.lines().filter_map(|line| line.strip_prefix('|')).filter_map(|line| line.split('|').next());
    for part in columns.flat_map(|column| column.split(',')) {
        let ids: Vec<(&str, u32)> = part
            .split_whitespace()
            .filter_map(|word| word.rsplit_once('-'))
            .filter_map(|(letters, number)| Some((letters, number.parse().ok()?)))
            .collect();
        match ids[..] {
            [(letters, from), (_, to)] if part.contains(" to ") => {
                rules.extend((from..=to).map(|number| format!("{letters}-{number}")));
            }
            _ => rules.extend(ids.iter().map(|(letters, number)| format!("{letters}-{number}"))),
        }
    }
    rules
}

#[test]
fn every_rule_that_a_readme_claims_has_a_scenario() {
    let mut shared = titles(&root().join("tests/scenarios"));
    shared.extend(titles(&root().join("tests/houses")));
    let mut missing = Vec::new();
    for folder in expansion_folders() {
        let Ok(readme) = std::fs::read_to_string(folder.join("README.md")) else { continue };
        let mut shown = titles(&folder.join("tests"));
        shown.extend(shared.iter().cloned());
        let unshown: Vec<String> = claimed(&readme).into_iter().filter(|rule| !shown.contains(rule)).collect();
        if !unshown.is_empty() {
            missing.push(format!("{}: {}", short_path(&folder), unshown.join(", ")));
        }
    }
    assert!(missing.is_empty(), "rules without a scenario:\n{}", missing.join("\n"));
}

/// The rules that scenarios of a folder are about.
fn titles(folder: &Path) -> BTreeSet<String> {
    let mut rules = BTreeSet::new();
    for path in files_below(folder, "toml") {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        if let Ok(scenario) = Scenario::parse(&text) {
            rules.extend(scenario.title.split_whitespace().next().map(str::to_owned));
        }
    }
    rules
}
