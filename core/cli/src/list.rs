//! `trencavel list`: the expansions there are.

use std::io::Write;

use trencavel_host::library::{Found, Library, Origin};

use crate::failure::Failure;
use crate::json::Json;
use crate::search::Search;

/// List the expansions that can be switched on, and where each comes from
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel list --json")]
pub(crate) struct Args {
    #[command(flatten)]
    search: Search,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let library = args.search.library()?;
    if args.json {
        return Ok(writeln!(out, "{}", json(&library).line())?);
    }
    let width = library.iter().map(|found| found.manifest.id.len()).max().unwrap_or(0);
    for found in library.iter() {
        let manifest = &found.manifest;
        writeln!(out, "{:width$}  {:7} {}  ({})", manifest.id, manifest.version, manifest.title, place(found))?;
    }
    for id in broken(&library) {
        writeln!(out, "{id:width$}  cannot be used: `trencavel doctor` says why")?;
    }
    Ok(())
}

/// Ids of the expansions that are there and cannot be used.
pub(crate) fn broken(library: &Library) -> impl Iterator<Item = &str> {
    library.ids().filter(|id| library.broken(id).is_some())
}

/// Where an expansion comes from, in a few words.
fn place(found: &Found) -> String {
    match &found.origin {
        Origin::Folder(folder) => folder.display().to_string(),
        Origin::Bundled(_) => "bundled".to_owned(),
        Origin::LinkedIn(_) => "built in".to_owned(),
    }
}

fn json(library: &Library) -> Json {
    let one = |found: &Found| {
        let manifest = &found.manifest;
        Json::Object(vec![
            ("id", Json::text(&manifest.id)),
            ("version", Json::text(manifest.version.to_string())),
            ("title", Json::text(&manifest.title)),
            ("from", Json::text(place(found))),
        ])
    };
    Json::Object(vec![
        ("expansions", Json::List(library.iter().map(|found| one(found)).collect())),
        ("broken", Json::List(broken(library).map(Json::text).collect())),
    ])
}
