//! From a request to frozen rules: manifests, tiles and scripts of every expansion, in canonical order.

use std::collections::BTreeMap;
use std::sync::Arc;

use trencavel_rules::declare::{CopiesSpec, Declaration, DeclareError, ExpansionSpec, RulesetBuilder, StartSpec};
use trencavel_rules::hooks::HookError;
use trencavel_rules::save::Replay;
use trencavel_rules::{MAX_TILES, Ruleset, Setup};

use crate::declared::{Texts, follows_from, problem, tile_of};
use crate::diagnostic::{Diagnostic, SourceFile, nearest};
use crate::library::{Found, Library, LinkedIn, Notice, Origin};
use crate::lock::Lock;
use crate::lua::limits::Limits;
use crate::lua::{Ran, Reader, ScriptHost, Watch, add, in_order, readers, required, run};
use crate::native::{self, Plugins};
use crate::options::OptionValue;
use crate::resolve::{Request, Resolution, Resolved, resolve};
use crate::{syntax, tiles};

/// The file in which an expansion describes its tiles.
pub const TILES: &str = "tiles.toml";

/// Every code of this file with its explanation for `trencavel explain CODE`.
pub const CODES: &[(&str, &str)] = &[
    (
        "T013",
        "`when` names an option that the expansion does not have, or a value that the option never has. The set or \
         start tile would never come into play.",
    ),
    (
        "T014",
        "The tile sets of a game, each as often as there are boxes of its expansion, have more tiles than a table has \
         room for.",
    ),
    (
        "C004",
        "A hook of an expansion failed while something happened in the game. The decision was taken back, so the game \
         is as before; the message says which hook it was and where it is written.",
    ),
];

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
    plugins: Plugins,
    /// Places of the expansions in the order in which their scripts run.
    order: Vec<usize>,
}

/// Finds what a request needs, reads it and freezes the rules. `linked` are the expansions compiled into the program.
///
/// # Errors
/// Every problem that was found. Where a script was cut short, what only follows from that is left out.
pub fn load(request: &Request, library: &Library, linked: &[LinkedExpansion]) -> Result<Loaded, Vec<Diagnostic>> {
    load_with(request, library, linked, Limits::default())
}

/// The same with other limits for scripts where the game file sets none.
///
/// # Errors
/// As [`load`].
pub fn load_with(
    request: &Request,
    library: &Library,
    linked: &[LinkedExpansion],
    limits: Limits,
) -> Result<Loaded, Vec<Diagnostic>> {
    load_in_order(request, library, linked, limits, |_| {})
}

/// The same, with the expansions read, run and frozen in an order that `shuffle` makes of the canonical one. Rules and
/// games are the same in any order; tests show it with this.
///
/// # Errors
/// As [`load`].
#[doc(hidden)]
pub fn load_in_order(
    request: &Request,
    library: &Library,
    linked: &[LinkedExpansion],
    limits: Limits,
    shuffle: impl FnOnce(&mut [usize]),
) -> Result<Loaded, Vec<Diagnostic>> {
    let mut resolution = resolve(request, library)?;
    let limits = resolution.limits.of_scripts(limits);
    let mut order: Vec<usize> = (0..resolution.expansions.len()).collect();
    shuffle(&mut order);
    let plugins = native::open(&mut resolution, library.trusted())?;
    let mut builder = RulesetBuilder::new();
    let mut problems = Vec::new();
    let mut limited = Limited::new();
    for (_, one) in in_order(&resolution, &order) {
        builder.expansion(spec(one, &resolution, library.implied()));
        if let Err(found) = lay_out(one, &mut builder, &mut limited) {
            problems.extend(found);
        }
    }
    problems.extend(too_many(&limited, &resolution));
    limited.into_values().flat_map(TileCopies::limited).for_each(|copies| builder.copies(copies));
    let tiles_read = problems.is_empty();
    problems.extend(syntax::check(resolution.expansions.iter().flat_map(|one| one.found.files.values())));
    let mut failed = None;
    let declared = match run(&resolution, &order, library.implied(), limits, &plugins, Watch::Nothing) {
        Ok(ran) => ran.declared,
        Err(mut found) => {
            found.problems.drain(..).for_each(|problem| add(&mut problems, problem));
            std::mem::take(&mut failed.insert(found).declared)
        }
    };
    declare_linked(&resolution, &order, linked, &mut builder);
    declared.into_iter().for_each(|declaration| builder.declare(declaration));
    let frozen = builder.freeze().map_err(|errors| {
        let texts = Texts::of(&resolution);
        // A tile that cannot be read is no news under the name of whoever uses it, nor is what a script did not declare.
        let follows = |error: &&DeclareError| failed.as_ref().is_some_and(|failed| follows_from(failed, error));
        let news = errors.iter().filter(|error| tiles_read || tile_of(error).is_none());
        news.filter(|error| !follows(error)).map(|error| problem(error, &texts)).collect::<Vec<_>>()
    });
    let rules = match frozen {
        Ok(rules) if problems.is_empty() => rules,
        Ok(_) => return Err(problems),
        Err(found) => return Err(problems.into_iter().chain(found).collect()),
    };
    let notices =
        library.notices().iter().chain(&resolution.notices).cloned().chain(idle_orders(&resolution)).collect();
    let (rules, lock, implied) = (Arc::new(rules), resolution.lock(), library.implied().to_vec());
    Ok(Loaded { rules, lock, resolution, notices, limits, implied, plugins, order })
}

/// Lets the linked-in expansions of a game declare their rules.
fn declare_linked(resolution: &Resolution, order: &[usize], linked: &[LinkedExpansion], builder: &mut RulesetBuilder) {
    for (_, one) in in_order(resolution, order) {
        let Origin::LinkedIn(folder) = &one.found.origin else { continue };
        if let Some(expansion) = linked.iter().find(|expansion| expansion.linked.folder == folder) {
            (expansion.declare)(builder, &one.options);
        }
    }
}

impl Loaded {
    /// The setup of a game that is played under the limits of its game file.
    ///
    /// # Errors
    /// If a tile is not part of the rules.
    pub fn setup(&self, opening: &Replay) -> Result<Setup, String> {
        Ok(Setup { intents: self.lock.limits.of_decisions(), ..opening.setup(&self.rules)? })
    }

    /// Every declaration with its fields as it was written, linked-in expansions first. `linked` are those the rules
    /// were loaded with.
    ///
    /// # Errors
    /// If a script that ran before fails now.
    #[expect(clippy::result_large_err, reason = "a problem ends the work; its size does not matter")]
    pub fn declarations(&self, linked: &[LinkedExpansion]) -> Result<Vec<Declaration>, Diagnostic> {
        let mut builder = RulesetBuilder::new();
        declare_linked(&self.resolution, &self.order, linked, &mut builder);
        let mut found = builder.declarations().to_vec();
        found.extend(self.ran(Watch::Nothing)?.declared);
        Ok(found)
    }

    /// Whose ids each expansion may use, in canonical order.
    pub(crate) fn readers(&self) -> Vec<Reader> {
        readers(&self.resolution, &self.implied)
    }

    /// A hook that failed in a game with these rules, with its place and the calls that led there.
    pub fn hook_problem(&self, error: &HookError) -> Diagnostic {
        let calls: String = error.traceback.iter().map(|call| format!("\n  {call}")).collect();
        let problem = |place: &str| Diagnostic::new("C004", format!("{}{place}{calls}", error.message));
        let Some((file, line)) = &error.place else { return problem("") };
        match self.source(file) {
            Some(source) => problem("").at_line(source, *line),
            None => problem(&format!("\n{file}:{line}")),
        }
    }

    /// The text of a file of these expansions, by the path that declarations and errors name.
    pub fn source(&self, path: &str) -> Option<&SourceFile> {
        let mut files = self.resolution.expansions.iter().flat_map(|one| one.found.files.values());
        files.find(|source| source.path.as_os_str() == path)
    }

    /// The scripts in a VM of their own, for one thread and any number of games with these rules.
    ///
    /// # Errors
    /// If a script that ran before fails now: it ran into a limit of time or memory.
    #[expect(clippy::result_large_err, reason = "a problem ends the work; its size does not matter")]
    pub fn scripts(&self) -> Result<ScriptHost, Diagnostic> {
        self.scripts_watching(Watch::Nothing)
    }

    /// The same, noting which lines of the scripts run. That costs time.
    ///
    /// # Errors
    /// As [`scripts`](Self::scripts).
    #[expect(clippy::result_large_err, reason = "a problem ends the work; its size does not matter")]
    pub fn scripts_with_lines(&self) -> Result<ScriptHost, Diagnostic> {
        self.scripts_watching(Watch::Lines)
    }

    #[expect(clippy::result_large_err, reason = "a problem ends the work; its size does not matter")]
    fn scripts_watching(&self, watch: Watch) -> Result<ScriptHost, Diagnostic> {
        let ran = self.ran(watch)?;
        ScriptHost::new(ran, Arc::clone(&self.rules)).map_err(|error| engine_failed(&error.to_string()))
    }

    #[expect(clippy::result_large_err, reason = "a problem ends the work; its size does not matter")]
    fn ran(&self, watch: Watch) -> Result<Ran, Diagnostic> {
        let ran = run(&self.resolution, &self.order, &self.implied, self.limits, &self.plugins, watch);
        ran.map_err(|failed| failed.problems.into_iter().next().unwrap_or_else(|| engine_failed("no reason")))
    }
}

fn engine_failed(why: &str) -> Diagnostic {
    Diagnostic::new("L007", format!("the script engine failed: {why}"))
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

/// A game of more tiles than there is room for on a table.
fn too_many(limited: &Limited, resolution: &Resolution) -> Option<Diagnostic> {
    let all = limited.values().flat_map(|tile| &tile.copies);
    let count: usize = all.map(|copies| usize::from(copies.count)).sum();
    if count <= MAX_TILES {
        return None;
    }
    let most = resolution.expansions.iter().filter(|one| one.copies > 1).max_by_key(|one| one.copies);
    let help = most.map_or_else(
        || "give smaller `counts` in the tile sets".to_owned(),
        |one| format!("the game has {} boxes of `{}`: give fewer `copies`", one.copies, one.id()),
    );
    let message = format!("the game has {count} tiles; there is room for {MAX_TILES}");
    Some(Diagnostic::new("T014", message).help(help))
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
