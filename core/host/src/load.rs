//! From a request to frozen rules: manifests, tiles and scripts of every expansion, in canonical order.

use std::collections::BTreeMap;
use std::sync::Arc;

use trencavel_rules::Ruleset;
use trencavel_rules::declare::{CopiesSpec, ExpansionSpec, RulesetBuilder, StartSpec};

use crate::declared::{Texts, problem};
use crate::diagnostic::{Diagnostic, nearest};
use crate::library::{Found, Library, LinkedIn, Notice, Origin};
use crate::lock::Lock;
use crate::lua::limits::Limits;
use crate::lua::{Ran, ScriptHost, required, run};
use crate::options::OptionValue;
use crate::resolve::{Request, Resolution, Resolved, resolve};
use crate::tiles;

/// The file in which an expansion describes its tiles.
pub const TILES: &str = "tiles.toml";

/// Every code of this file with its explanation for `trencavel explain CODE`.
pub const CODES: &[(&str, &str)] = &[(
    "T013",
    "`when` names an option that the expansion does not have, or a value that the option never has. The set or start \
     tile would never come into play.",
)];

/// Options of an expansion with their values.
pub type Options = BTreeMap<String, OptionValue>;

/// An expansion whose rules are compiled into the program: the base game, for example.
#[derive(Clone, Copy, Debug)]
pub struct LinkedExpansion {
    /// Its folder and files; the library is given the same.
    pub linked: LinkedIn,
    /// Declares its rules for these options.
    pub declare: fn(&mut RulesetBuilder, &Options),
}

/// Rules to play with, and what they were made from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The frozen rules, shared by all games and threads.
    pub rules: Arc<Ruleset>,
    /// What a save keeps.
    pub lock: Lock,
    /// The expansions with their options, in canonical order.
    pub resolution: Resolution,
    /// What is worth knowing and no problem.
    pub notices: Vec<Notice>,
    /// Limits of every call of a script.
    pub limits: Limits,
    implied: Vec<String>,
}

/// Finds what a request needs, reads it and freezes the rules. `linked` are the expansions compiled into the program.
///
/// # Errors
/// Every problem that was found; problems of a later kind (scripts, then declarations) only if there is none before.
pub fn load(request: &Request, library: &Library, linked: &[LinkedExpansion]) -> Result<Loaded, Vec<Diagnostic>> {
    load_with(request, library, linked, Limits::default())
}

/// The same with other limits for scripts.
///
/// # Errors
/// As [`load`].
pub fn load_with(
    request: &Request,
    library: &Library,
    linked: &[LinkedExpansion],
    limits: Limits,
) -> Result<Loaded, Vec<Diagnostic>> {
    let resolution = resolve(request, library)?;
    let mut builder = RulesetBuilder::new();
    let mut problems = Vec::new();
    let mut limited = Limited::new();
    for one in &resolution.expansions {
        builder.expansion(spec(one, &resolution, library.implied()));
        if let Err(found) = lay_out(one, &mut builder, &mut limited) {
            problems.extend(found);
        }
    }
    limited.into_values().flat_map(TileCopies::limited).for_each(|copies| builder.copies(copies));
    let ran = run(&resolution, library.implied(), limits);
    let Ran { declared, .. } = match ran {
        Ok(ran) if problems.is_empty() => ran,
        Ok(_) => return Err(problems),
        Err(found) => return Err(problems.into_iter().chain(found).collect()),
    };
    for one in &resolution.expansions {
        let Origin::LinkedIn(folder) = &one.found.origin else { continue };
        if let Some(expansion) = linked.iter().find(|expansion| expansion.linked.folder == folder) {
            (expansion.declare)(&mut builder, &one.options);
        }
    }
    declared.into_iter().for_each(|declaration| builder.declare(declaration));
    let rules = builder.freeze().map_err(|errors| {
        let texts = Texts::of(&resolution);
        errors.iter().map(|error| problem(error, &texts)).collect::<Vec<_>>()
    })?;
    let notices =
        library.notices().iter().chain(&resolution.notices).cloned().chain(idle_orders(&resolution)).collect();
    let (rules, lock, implied) = (Arc::new(rules), resolution.lock(), library.implied().to_vec());
    Ok(Loaded { rules, lock, resolution, notices, limits, implied })
}

impl Loaded {
    /// The scripts in a VM of their own, for one thread and any number of games with these rules.
    ///
    /// # Errors
    /// If a script that ran before fails now: it ran into a limit of time or memory.
    #[expect(clippy::result_large_err, reason = "a problem ends the work; its size does not matter")]
    pub fn scripts(&self) -> Result<ScriptHost, Diagnostic> {
        let failed = |error: String| Diagnostic::new("L007", format!("the script engine failed: {error}"));
        let ran = run(&self.resolution, &self.implied, self.limits)
            .map_err(|problems| problems.into_iter().next().unwrap_or_else(|| failed("no reason".to_owned())))?;
        ScriptHost::new(ran, Arc::clone(&self.rules)).map_err(|error| failed(error.to_string()))
    }
}

/// An expansion as the rules know it.
fn spec(one: &Resolved, resolution: &Resolution, implied: &[String]) -> ExpansionSpec {
    let manifest = &one.found.manifest;
    let mut after = manifest.order.after.clone();
    for other in &resolution.expansions {
        let order = &other.found.manifest.order;
        if order.before.contains(&manifest.id) {
            after.push(other.id().to_owned());
        }
    }
    let between = resolution.orders.iter().filter(|order| order.is_between_expansions() && order.then == manifest.id);
    after.extend(between.map(|order| order.first.clone()));
    ExpansionSpec {
        id: manifest.id.clone(),
        title: manifest.title.clone(),
        version: manifest.version.to_string(),
        options: one.options.iter().map(|(name, value)| (name.clone(), value.to_string())).collect(),
        requires: required(&one.found, resolution, implied),
        optional: manifest.optional.keys().cloned().collect(),
        after,
    }
}

/// Orders between hooks are read, but nothing needs them yet.
fn idle_orders(resolution: &Resolution) -> Vec<Notice> {
    let hooks = resolution.orders.iter().filter(|order| !order.is_between_expansions());
    hooks.map(|order| Notice::new(format!("the order \"{order}\" is between hooks and has no effect yet"))).collect()
}

/// Copies of every tile, by full id.
type Limited = BTreeMap<String, TileCopies>;

/// Copies of one tile, whichever sets bring them, and the most there may be.
#[derive(Default)]
struct TileCopies {
    copies: Vec<CopiesSpec>,
    limit: Option<u16>,
}

impl TileCopies {
    /// The copies, each with the limit of all.
    fn limited(self) -> impl Iterator<Item = CopiesSpec> {
        self.copies.into_iter().map(move |copies| CopiesSpec { limit: self.limit, ..copies })
    }
}

/// Reads the tiles of an expansion into the builder: designs, copies and the start layout.
fn lay_out(one: &Resolved, builder: &mut RulesetBuilder, limited: &mut Limited) -> Result<(), Vec<Diagnostic>> {
    let Some(source) = one.found.files.get(TILES) else { return Ok(()) };
    let file = tiles::parse(source)?;
    let mut problems = Vec::new();
    let id = one.id();
    for tile in &file.tiles {
        builder.tile(id, tile.clone());
    }
    let full = |tile: &str| if tile.contains(':') { tile.to_owned() } else { format!("{id}:{tile}") };
    for set in &file.sets {
        if !holds(&set.when, set.line, one, &mut problems) {
            continue;
        }
        for (tile, limit) in &set.limit {
            let copies = limited.entry(full(tile)).or_default();
            copies.limit = Some(copies.limit.map_or(*limit, |known| known.min(*limit)));
        }
        for (tile, count) in &set.counts {
            let count = u32::from(*count).saturating_mul(one.copies);
            limited.entry(full(tile)).or_default().copies.push(CopiesSpec {
                expansion: id.to_owned(),
                tile: tile.clone(),
                count: u16::try_from(count).unwrap_or(u16::MAX),
                pile: set.pile.clone(),
                limit: None,
            });
        }
    }
    for start in &file.starts {
        if holds(&start.when, start.line, one, &mut problems) {
            builder.start(StartSpec {
                expansion: id.to_owned(),
                tile: start.tile.clone(),
                at: start.at,
                rotation: start.rotation,
            });
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// True if the options have these values; an option that is a set has each of its words.
fn holds(when: &BTreeMap<String, String>, line: u32, one: &Resolved, problems: &mut Vec<Diagnostic>) -> bool {
    let mut all = true;
    for (name, wanted) in when {
        match unmet(name, wanted, &one.found, &one.options) {
            Ok(met) => all &= met,
            Err((message, help)) => {
                let Some(file) = one.found.files.get(TILES) else { continue };
                let problem = Diagnostic::new("T013", message).at_line(file, line);
                problems.push(Diagnostic { help, ..problem });
            }
        }
    }
    all
}

type Wrong = (String, Option<String>);

fn unmet(name: &str, wanted: &str, found: &Found, options: &Options) -> Result<bool, Wrong> {
    let manifest = &found.manifest;
    let (Some(option), Some(value)) = (manifest.option(name), options.get(name)) else {
        let near = nearest(name, manifest.options.iter().map(|option| option.name.as_str()));
        let message = format!("`when` names the option `{name}`, which `{}` does not have", manifest.id);
        return Err((message, near.map(|near| format!("did you mean `{near}`?"))));
    };
    if let OptionValue::Set(words) = value
        && words.contains(wanted)
    {
        return Ok(true);
    }
    if let Err(error) = option.kind.value_from_text(wanted) {
        return Err((format!("`when.{name}` {error}"), error.help()));
    }
    Ok(value.to_string() == wanted)
}
