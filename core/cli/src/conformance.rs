//! `trencavel conformance DIR`: plays recorded games of another engine and checks what was recorded of them. The
//! checking is `trencavel_jcz`'s; this module finds the rules that a recording is played with.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use trencavel_host::Loaded;
use trencavel_host::diagnostic::Diagnostic;
use trencavel_host::library::Library;
use trencavel_host::lock::Lock;
use trencavel_jcz::conformance::{RunError, conformance, explain, read, scores_for};
use trencavel_jcz::file::Recording;
use trencavel_jcz::replay::import;
use trencavel_jcz::request::{Request, Unsupported};
use trencavel_jcz::table::Table;
use trencavel_rules::save::Replay;

use crate::failure::Failure;
use crate::search::Search;
use crate::setup::load_within;

/// Code of the problem that an expansion is nowhere on the search path.
const NOT_FOUND: &str = "G020";

/// Play every recorded game (`.jcz`) below a folder and check what was recorded of it
///
/// A line a recording, below one that fails the table at the first difference, then `N passed, M failed, K unsupported`; the exit code is 1 if one failed. A table of score
/// entries beside a recording (`score-events.tsv`) is compared entry by entry.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel conformance recordings --filter basic/")]
pub(crate) struct Args {
    /// A folder with recordings, or one of them
    #[arg(required_unless_present = "explain")]
    dir: Option<PathBuf>,
    /// Only recordings whose folder or name contains this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Tell of one recording, which may be named below DIR, what each message does, and the table at the end
    #[arg(long, value_name = "FILE", conflicts_with_all = ["filter", "json"])]
    explain: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    search: Search,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let mut shelf = Shelf { library: args.search.library()?, loaded: BTreeMap::new() };
    match (&args.explain, &args.dir) {
        (Some(file), Some(dir)) if !file.is_file() => explain_one(&dir.join(file), &mut shelf, out),
        (Some(file), _) => explain_one(file, &mut shelf, out),
        (None, Some(dir)) => run_all(args, dir, &mut shelf, out),
        (None, None) => Ok(()),
    }
}

fn run_all(args: &Args, dir: &Path, shelf: &mut Shelf, out: &mut dyn Write) -> Result<(), Failure> {
    let mut written = Ok(());
    let mut tell = |file: &trencavel_jcz::conformance::FileReport| {
        if !args.json && written.is_ok() {
            written = writeln!(out, "{}", file.text());
        }
    };
    let report =
        conformance(dir, args.filter.as_deref(), &mut |request| shelf.rules(request), &mut tell).map_err(broken)?;
    written?;
    if args.json {
        writeln!(out, "{}", report.json())?;
    } else {
        writeln!(out, "{}", report.sum())?;
    }
    if report.failed == 0 { Ok(()) } else { Err(Failure::Found) }
}

fn explain_one(file: &Path, shelf: &mut Shelf, out: &mut dyn Write) -> Result<(), Failure> {
    let help = "name a recording, a file that ends in `.jcz`";
    let text = read(file).map_err(|error| Failure::usage(format!("{}: {error}", file.display()), help))?;
    let table = Table::load().map_err(|error| Failure::usage(error, help))?;
    let scores = scores_for(file).map_err(broken)?;
    let name = file.display().to_string();
    Ok(write!(out, "{}", explain(&table, &name, &text, scores.as_ref(), &mut |request| shelf.rules(request)))?)
}

/// A recording as a save of ours: the game as text, and what it was played with.
pub(crate) fn import_save(file: &Path, search: &Search) -> Result<(Replay, Lock), Failure> {
    let wrong = |why: String| {
        let problem = Diagnostic::new("C002", format!("{}: {why}", file.display()));
        Failure::problem(problem.help("`trencavel conformance --explain FILE` shows how far a recording goes"))
    };
    let text = read(file).map_err(wrong)?;
    let recording = Recording::parse(&text).map_err(|error| wrong(error.to_string()))?;
    let table = Table::load().map_err(wrong)?;
    let mut shelf = Shelf { library: search.library()?, loaded: BTreeMap::new() };
    let request = table.request(&recording).map_err(|what| wrong(format!("unsupported {what}")))?;
    let (_, mut scripts) = shelf.rules(&request).map_err(|what| wrong(format!("unsupported {what}")))?;
    let imported = import(&table, &recording, &mut |request| shelf.rules(request), scripts.as_mut());
    let replay = imported.map_err(|error| wrong(error.to_string()))?.replay;
    let lock = shelf.loaded.into_values().next().map(|loaded| loaded.lock).unwrap_or_default();
    Ok((Replay { lock: lock.to_string().lines().map(str::to_owned).collect(), ..replay }, lock))
}

fn broken(error: RunError) -> Failure {
    Failure::usage(error.to_string(), "name a folder that holds `.jcz` files")
}

/// Rules that were loaded already: many recordings are played with the same.
struct Shelf {
    library: Library,
    loaded: BTreeMap<String, Loaded>,
}

impl Shelf {
    fn rules(&mut self, request: &Request) -> Result<trencavel_jcz::request::Loaded, Unsupported> {
        let key = format!("{request:?}");
        if !self.loaded.contains_key(&key) {
            let loaded = load(request, &self.library)?;
            self.loaded.insert(key.clone(), loaded);
        }
        let Some(loaded) = self.loaded.get(&key) else { return Err(Unsupported::new("ruleset", &key)) };
        let scripts = loaded.scripts().map_err(|problem| Unsupported::new("script", &problem.message))?;
        Ok((loaded.rules.clone(), Box::new(scripts)))
    }
}

/// The rules a recording asks for, or the first reason why they are not there.
fn load(request: &Request, library: &Library) -> Result<Loaded, Unsupported> {
    let mut wanted = trencavel_host::resolve::Request::default();
    for (id, on) in &request.expansions {
        if *on { wanted.with(id) } else { wanted.without(id) }
    }
    for (option, value) in &request.options {
        let text = format!("{option}={value}");
        wanted.option(&text).map_err(|error| Unsupported::new("option", &error.to_string()))?;
    }
    load_within(&wanted, library).map_err(|failure| match failure {
        Failure::Problems(problems) => match problems.first() {
            Some(problem) if problem.code == NOT_FOUND => Unsupported::new("expansion", &problem.message),
            Some(problem) => Unsupported::new("ruleset:", &problem.message),
            None => Unsupported::new("ruleset", "without a reason"),
        },
        other => Unsupported::new("ruleset:", &format!("{other:?}")),
    })
}
