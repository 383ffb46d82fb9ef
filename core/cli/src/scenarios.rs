//! `trencavel test`: runs scenario files.

use std::io::Write;
use std::path::{Path, PathBuf};

use trencavel_host::lua::limits::Limits;
use trencavel_host::resolve::Request;
use trencavel_play::scenario::{self, Loaded, Wanted};

use crate::failure::Failure;
use crate::named::folder;
use crate::setup::load_from;

/// Run scenarios: of expansions, of folders, or single files
///
/// A name is looked for as a file or folder first, then as an expansion below the search path. The last line is
/// `N passed, M failed`; the exit code is 1 if one failed.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: trencavel test constable wells\nExample: trencavel test scripts/constable/tests/c-5.toml"
)]
pub(crate) struct Args {
    /// Expansions, folders or scenario files
    #[arg(required_unless_present = "all")]
    names: Vec<String>,
    /// Every expansion below the search path
    #[arg(long)]
    all: bool,
    /// Look for expansions here first; may be repeated
    #[arg(long = "path", value_name = "DIR")]
    search: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let files = files(&args.names, args.all, &args.search)?;
    if files.is_empty() {
        return Err(Failure::usage(
            "there are no scenarios there",
            "scenarios are `tests/*.toml` in an expansion's folder",
        ));
    }
    // The folder of an expansion is where its scenarios look first.
    let search: Vec<PathBuf> = args.names.iter().filter_map(|name| folder(name)).chain(args.search.clone()).collect();
    let load = |wanted: &Wanted| rules(wanted, &search);
    let mut failed = 0;
    for file in &files {
        if let Err(failure) = scenario::run_file(file, &load) {
            failed += 1;
            writeln!(out, "FAIL {failure}")?;
        }
    }
    writeln!(out, "{} passed, {failed} failed", files.len() - failed)?;
    if failed == 0 { Ok(()) } else { Err(Failure::Found) }
}

/// The scenario files that names stand for; with `all` those of every expansion below the search path.
pub(crate) fn files(names: &[String], all: bool, search: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let roots: Vec<PathBuf> = search.iter().cloned().chain(["scripts", "plugins"].map(PathBuf::from)).collect();
    let mut found = Vec::new();
    if all {
        roots.iter().for_each(|root| below(root, &mut found));
    }
    for name in names {
        let direct = Path::new(name);
        if direct.is_file() {
            found.push(direct.to_owned());
            continue;
        }
        let folder = std::iter::once(direct.to_owned())
            .chain(roots.iter().map(|root| root.join(name)))
            .find(|path| path.is_dir());
        let folder = folder.ok_or_else(|| {
            Failure::usage(
                format!("`{name}` is no file, no folder and no expansion here"),
                "name one, or give `--path DIR`",
            )
        })?;
        below(&folder, &mut found);
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// Scenario files of every `tests` folder below `folder`, or of the folder itself.
fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            below(&path, found);
        } else if folder.ends_with("tests") && path.extension().is_some_and(|end| end == "toml") {
            found.push(path);
        }
    }
}

/// The rules that a scenario or a table wants, or why there are none.
pub(crate) fn rules(wanted: &Wanted, search: &[PathBuf]) -> Result<Loaded, String> {
    let loaded = loaded_for(wanted, search)?;
    let scripts = loaded.scripts().map_err(|problem| problem.to_string())?;
    Ok((loaded.rules, Box::new(scripts)))
}

/// The same, before there are scripts.
pub(crate) fn loaded_for(wanted: &Wanted, search: &[PathBuf]) -> Result<trencavel_host::Loaded, String> {
    let mut request = Request::default();
    wanted.expansions.iter().for_each(|id| request.with(id));
    for option in &wanted.options {
        request.option(option).map_err(|error| error.to_string())?;
    }
    load_from(&request, search, Limits::default()).map_err(|failure| match failure {
        Failure::Problems(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        other => format!("{other:?}"),
    })
}
