//! Rulesets from words, as the program makes them: the base game linked in, scripts from the workspace.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use trencavel_host::library::{Library, LinkedIn, Presence};
use trencavel_host::lua::limits::Limits;
use trencavel_host::resolve::Request;
use trencavel_host::{LinkedExpansion, Loaded, ScriptHost, load_in_order};
use trencavel_play::scenario::Wanted;
use trencavel_rules::hooks::Scripts;
use trencavel_rules::{Ruleset, Setup};

use crate::root;

/// The base game.
pub const BASE: LinkedExpansion = LinkedExpansion {
    linked: LinkedIn { folder: "plugins/base", files: trencavel_base::FILES, presence: Presence::Implied },
    declare: |builder, options| {
        trencavel_base::declare(builder, &|name| options.get(name).map_or(String::new(), ToString::to_string));
    },
};

/// The expansions of the workspace.
pub fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| Library::new(&[root().join("scripts"), root().join("examples")], &[], &[BASE.linked]))
}

/// Those and the house rules for tests.
fn houses() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    let paths = ["scripts", "examples", "tests/houses"].map(|folder| root().join(folder));
    LIBRARY.get_or_init(|| Library::new(&paths, &[], &[BASE.linked]))
}

/// Ids of every expansion but the base game.
pub fn expansion_ids() -> Vec<String> {
    let ids = library().iter().map(|found| found.manifest.id.clone());
    ids.filter(|id| id != trencavel_base::ID).collect()
}

/// The rules that are wanted.
pub fn loaded(wanted: &Wanted) -> Result<Loaded, String> {
    loaded_in_order(wanted, |_| {})
}

/// The same, with the scripts run in another order than the canonical one.
pub fn loaded_in_order(wanted: &Wanted, shuffle: impl FnOnce(&mut [usize])) -> Result<Loaded, String> {
    loaded_from(library(), wanted, shuffle)
}

fn loaded_from(library: &Library, wanted: &Wanted, shuffle: impl FnOnce(&mut [usize])) -> Result<Loaded, String> {
    let mut request = Request::default();
    wanted.expansions.iter().for_each(|id| request.with(id));
    for option in &wanted.options {
        request.option(option).map_err(|error| error.to_string())?;
    }
    load_in_order(&request, library, &[BASE], Limits::default(), shuffle)
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// Everything in these rules in one number, but for the numbers of functions in a VM, which are given in the order in
/// which scripts run, and the addresses of linked-in ones.
pub fn fingerprint(rules: &Ruleset) -> u64 {
    let text = format!("{rules:?}");
    let mut sum = DefaultHasher::new();
    for piece in text.split("ScriptFn(").map(|piece| piece.trim_start_matches(char::is_numeric)) {
        let plain = |part: &str| part.trim_start_matches(|letter: char| letter.is_ascii_hexdigit()).hash(&mut sum);
        piece.split("0x").for_each(plain);
    }
    sum.finish()
}

/// The rules of these expansions, for tests that cannot go on without them.
pub fn rules_of(expansions: &[&str]) -> Loaded {
    let expansions = expansions.iter().map(ToString::to_string).collect();
    loaded(&Wanted { expansions, options: Vec::new() }).unwrap_or_else(|problems| panic!("{problems}"))
}

/// A VM of its own for these rules.
pub fn scripts_of(loaded: &Loaded) -> ScriptHost {
    loaded.scripts().unwrap_or_else(|problem| panic!("{problem}"))
}

/// The loader that runners of scenarios and tables are given.
pub fn loader(wanted: &Wanted) -> Result<(Arc<Ruleset>, Box<dyn Scripts>), String> {
    with_scripts(&loaded(wanted)?)
}

/// The same with the house rules for tests.
pub fn house_loader(wanted: &Wanted) -> Result<(Arc<Ruleset>, Box<dyn Scripts>), String> {
    with_scripts(&loaded_from(houses(), wanted, |_| {})?)
}

fn with_scripts(loaded: &Loaded) -> Result<(Arc<Ruleset>, Box<dyn Scripts>), String> {
    let scripts = loaded.scripts().map_err(|problem| problem.to_string())?;
    Ok((loaded.rules.clone(), Box::new(scripts)))
}

/// A game of so many with this seed.
pub fn players(count: usize, seed: u64) -> Setup {
    let names = ["Ann", "Bob", "Cem", "Dora", "Eve", "Finn"];
    Setup { players: names.iter().take(count).map(ToString::to_string).collect(), seed, ..Setup::default() }
}

/// A game of two with this seed.
pub fn two_players(seed: u64) -> Setup {
    players(2, seed)
}
