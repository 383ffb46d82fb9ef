//! Rulesets for tests: the base game and the scripts of this repository.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use trencavel_host::library::{Library, LinkedIn, Presence};
use trencavel_host::options::OptionValue;
use trencavel_host::{LinkedExpansion, load};
use trencavel_jcz::request::{Loaded, Request, Unsupported};
use trencavel_rules::declare::RulesetBuilder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The recordings, which are no part of this repository: where `TRENCAVEL_JCZ` says, then they must be there, or beside
/// it.
#[allow(dead_code, clippy::print_stdout, reason = "tests of own recordings need none; who has none is told")]
pub fn recordings() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("TRENCAVEL_JCZ") {
        let folder = root().join(&named);
        assert!(folder.is_dir(), "TRENCAVEL_JCZ: {} is no folder", folder.display());
        return Some(folder);
    }
    let folder = root().join("../shared/jcz-tests");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no recordings beside the workspace, and TRENCAVEL_JCZ is not set");
    None
}

fn declare_base(builder: &mut RulesetBuilder, options: &BTreeMap<String, OptionValue>) {
    trencavel_base::declare(builder, &|name| options.get(name).map_or_else(String::new, ToString::to_string));
}

/// The ruleset for a request.
#[allow(dead_code, reason = "all recordings share theirs")]
pub fn ruleset(request: &Request) -> Result<Loaded, Unsupported> {
    Shelf::default().ruleset(request)
}

/// Rules that were loaded already: many recordings are played with the same.
#[derive(Default)]
pub struct Shelf(BTreeMap<String, trencavel_host::Loaded>);

impl Shelf {
    /// The ruleset for a request.
    pub fn ruleset(&mut self, request: &Request) -> Result<Loaded, Unsupported> {
        let key = format!("{request:?}");
        if !self.0.contains_key(&key) {
            self.0.insert(key.clone(), load_rules(request)?);
        }
        let loaded = &self.0[&key];
        let scripts = loaded.scripts().map_err(|problem| Unsupported::new("script", &problem.message))?;
        Ok((loaded.rules.clone(), Box::new(scripts)))
    }
}

fn load_rules(request: &Request) -> Result<trencavel_host::Loaded, Unsupported> {
    let base = LinkedIn { folder: "plugins/base", files: trencavel_base::FILES, presence: Presence::Implied };
    let library = Library::new(&[root().join("scripts")], &[], &[base]);
    let mut wanted = trencavel_host::resolve::Request::default();
    for (id, on) in &request.expansions {
        let known = library.get(id).is_some();
        match on {
            true if !known => return Err(Unsupported::new("expansion", id)),
            true => wanted.with(id),
            false if known => wanted.without(id),
            false => {}
        }
    }
    for (option, value) in &request.options {
        let text = format!("{option}={value}");
        wanted.option(&text).map_err(|error| Unsupported::new("option", &error.to_string()))?;
    }
    load(&wanted, &library, &[LinkedExpansion { linked: base, declare: declare_base }]).map_err(|found| {
        let message = found.first().map_or(String::new(), |problem| problem.message.clone());
        Unsupported::new("ruleset", &message)
    })
}
