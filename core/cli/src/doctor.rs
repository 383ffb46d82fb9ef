//! `trencavel doctor`: what is wrong with the expansions that are installed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use trencavel_host::diagnostic::Diagnostic;
use trencavel_host::library::{Library, search_path, user_folder};
use trencavel_host::load;
use trencavel_host::manifest::FILE_NAME;
use trencavel_host::resolve::Request;

use crate::failure::{Failure, Look, write_problem};
use crate::install::UNFINISHED;
use crate::json::Json;
use crate::search::Search;
use crate::setup::linked;

/// Look for everything that is wrong with the expansions there are
///
/// Every expansion is loaded alone, with what it needs. The last line is `N expansions, M problems`; the exit code is 1
/// if there are problems.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel doctor")]
pub(crate) struct Args {
    #[command(flatten)]
    search: Search,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let library = args.search.library()?;
    let folders = search_path(args.search.path.clone());
    let (problems, count) = (problems(&library), library.ids().count());
    if args.json {
        writeln!(out, "{}", json(&library, &folders, &problems).line())?;
    } else {
        for folder in &folders {
            writeln!(out, "searched: {}", folder.display())?;
        }
        for notice in library.notices() {
            writeln!(out, "{notice}")?;
        }
        problems.iter().try_for_each(|problem| write_problem(out, problem, Look::Plain))?;
        writeln!(out, "{count} expansions, {} problems", problems.len())?;
    }
    if problems.is_empty() { Ok(()) } else { Err(Failure::Found) }
}

fn problems(library: &Library) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = library.problems().cloned().collect();
    for found in library.iter() {
        let mut request = Request::default();
        request.with(&found.manifest.id);
        if let Err(problems) = load(&request, library, &linked()) {
            for problem in problems {
                if !all.contains(&problem) {
                    all.push(problem);
                }
            }
        }
    }
    all.extend(user_folder().iter().flat_map(|folder| leftovers(folder)));
    all
}

/// What an installation that was cut off has left behind, and folders that hold no expansion.
fn leftovers(folder: &Path) -> Vec<Diagnostic> {
    let problem = |message: String| Diagnostic::new("C008", message).help("remove it; no expansion needs it");
    let unfinished = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        UNFINISHED.iter().any(|start| name.starts_with(start))
    };
    let left = folder.parent().map(entries).unwrap_or_default().into_iter().filter(unfinished);
    let empty = entries(folder).into_iter().filter(|path| path.is_dir() && !path.join(FILE_NAME).is_file());
    left.map(|path| problem(format!("{} was left behind when the program was stopped", path.display())))
        .chain(empty.map(|path| problem(format!("{} has no {FILE_NAME}", path.display()))))
        .collect()
}

/// What is in a folder, sorted; nothing if it cannot be read, which the library says.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn json(library: &Library, folders: &[PathBuf], problems: &[Diagnostic]) -> Json {
    let problem = |problem: &Diagnostic| {
        let file = problem.at.as_ref().map_or_else(String::new, |(file, _)| file.path.display().to_string());
        Json::Object(vec![
            ("code", Json::text(problem.code)),
            ("message", Json::text(&problem.message)),
            ("file", Json::text(file)),
            ("line", Json::Int(problem.line().map_or(0, |line| line as i64))),
        ])
    };
    Json::Object(vec![
        ("searched", Json::List(folders.iter().map(|folder| Json::text(folder.display().to_string())).collect())),
        ("expansions", Json::Int(library.ids().count() as i64)),
        ("notices", Json::List(library.notices().iter().map(|notice| Json::text(&notice.text)).collect())),
        ("problems", Json::List(problems.iter().map(problem).collect())),
    ])
}
