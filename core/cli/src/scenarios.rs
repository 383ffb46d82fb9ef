//! `trencavel test`: runs scenario files.

use std::io::Write;
use std::path::{Path, PathBuf};

use trencavel_host::diagnostic::SourceFile;
use trencavel_host::library::{Library, Origin};
use trencavel_host::resolve::Request;
use trencavel_play::scenario::{self, Loaded, Wanted};

use crate::failure::Failure;
use crate::named::folder;
use crate::report;
use crate::search::Search;
use crate::setup::{load_within, read};

/// Run scenarios: of expansions, of folders, or single files
///
/// A name is looked for as a file or folder first, then as an expansion, those that came with the program among them. The last line is
/// `N passed, M failed`; the exit code is 1 if one failed.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: trencavel test constable wells\nExample: trencavel test scripts/constable/tests/c-5.toml"
)]
pub(crate) struct Args {
    /// Expansions, folders or scenario files
    #[arg(required_unless_present = "all")]
    names: Vec<String>,
    /// Every expansion there is
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    search: Search,
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
    let library = args.search.first(args.names.iter().filter_map(|name| folder(name))).library()?;
    let load = |wanted: &Wanted| rules(wanted, &library);
    let mut failed = 0;
    for file in &files {
        if let Err(failure) = scenario::run(&file.path.display().to_string(), &file.text, &load) {
            failed += 1;
            writeln!(out, "FAIL {failure}")?;
            // What can be played to its end is drawn as it lies then.
            if let Ok(played) = scenario::played(&failure.file, &file.text, &load) {
                report::board(out, &played.game)?;
                writeln!(out)?;
            }
        }
    }
    writeln!(out, "{} passed, {failed} failed", files.len() - failed)?;
    if failed == 0 { Ok(()) } else { Err(Failure::Found) }
}

/// The scenarios that names stand for; with `all` those of every expansion there is.
pub(crate) fn files(names: &[String], all: bool, search: &Search) -> Result<Vec<SourceFile>, Failure> {
    let library = search.library()?;
    let mut found = Vec::new();
    if all {
        library.ids().for_each(|id| found.extend(of_expansion(id, &library)));
    }
    for name in names {
        let direct = Path::new(name);
        if direct.is_file() {
            found.push(direct.to_owned().into());
        } else if direct.is_dir() {
            below(direct, &mut found);
        } else if library.ids().any(|id| id == name) {
            found.extend(of_expansion(name, &library));
        } else {
            let near = library.nearest(name).map_or_else(String::new, |near| format!("did you mean `{near}`? "));
            let help = format!("{near}name a file, a folder or an expansion, or give `--path DIR`");
            return Err(Failure::usage(format!("`{name}` is no file, no folder and no expansion here"), help));
        }
    }
    let mut files = found.into_iter().map(Scenario::text).collect::<Result<Vec<_>, _>>()?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
    Ok(files)
}

/// A scenario that was found: a file, or one that is read already.
enum Scenario {
    File(PathBuf),
    Read(SourceFile),
}

impl From<PathBuf> for Scenario {
    fn from(path: PathBuf) -> Self {
        Self::File(path)
    }
}

impl Scenario {
    fn text(self) -> Result<SourceFile, Failure> {
        match self {
            Self::File(path) => Ok(SourceFile { text: read(&path)?.into(), path }),
            Self::Read(file) => Ok(file),
        }
    }
}

/// The scenarios of an expansion, wherever it comes from.
fn of_expansion(id: &str, library: &Library) -> Vec<Scenario> {
    let mut found = Vec::new();
    // What is compiled in brings a few of its scenarios; all of them lie beside its source.
    if let Some(Origin::LinkedIn(source)) = library.get(id).map(|found| &found.origin) {
        below(Path::new(source), &mut found);
    }
    if found.is_empty() {
        let files = library.get(id).map(|found| &found.files).or_else(|| library.broken_files(id));
        let is_scenario = |name: &str| name.starts_with("tests/") && name.ends_with(".toml");
        let own = files.into_iter().flatten().filter(|(name, _)| is_scenario(name));
        found.extend(own.map(|(_, file)| Scenario::Read(file.clone())));
    }
    found
}

/// Scenario files of every `tests` folder below `folder`, or of the folder itself.
fn below(folder: &Path, found: &mut Vec<Scenario>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            below(&path, found);
        } else if folder.ends_with("tests") && path.extension().is_some_and(|end| end == "toml") {
            found.push(path.into());
        }
    }
}

/// The rules that a scenario or a table wants, or why there are none.
pub(crate) fn rules(wanted: &Wanted, library: &Library) -> Result<Loaded, String> {
    let loaded = loaded_for(wanted, library)?;
    let scripts = loaded.scripts().map_err(|problem| problem.to_string())?;
    Ok((loaded.rules, Box::new(scripts)))
}

/// The same, before there are scripts.
pub(crate) fn loaded_for(wanted: &Wanted, library: &Library) -> Result<trencavel_host::Loaded, String> {
    let mut request = Request::default();
    wanted.expansions.iter().for_each(|id| request.with(id));
    for option in &wanted.options {
        request.option(option).map_err(|error| error.to_string())?;
    }
    load_within(&request, library).map_err(|failure| match failure {
        Failure::Problems(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        other => format!("{other:?}"),
    })
}
