//! `trencavel pack NAME` and `trencavel verify FILE`: one archive that holds an expansion, for sharing it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use trencavel_host::load;
use trencavel_host::pack::Pack;
use trencavel_host::resolve::Request;

use crate::failure::Failure;
use crate::json::Json;
use crate::named::Named;
use crate::save_file::write_whole;
use crate::search::Search;
use crate::setup::{is_bundled, linked};

/// Make one archive of an expansion, to share it
///
/// The same texts give the same bytes. The archive says version, licence, content hash and needed expansions; whoever
/// gets it checks it with `trencavel verify` and installs it with `trencavel add`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel pack ./my-expansion --license CC-BY-4.0")]
pub(crate) struct Args {
    /// An expansion, by id or by the path of its folder
    name: String,
    /// Where to write it; without, `ID-VERSION.zip` here
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Under which licence others may use it, if its manifest does not say
    #[arg(long, value_name = "NAME")]
    license: Option<String>,
    #[command(flatten)]
    search: Search,
}

/// Check that an archive is whole and unchanged, and tell what is in it
///
/// Nothing is installed, and no script of it runs.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel verify my-expansion-1.0.0.zip")]
pub(crate) struct VerifyArgs {
    /// An archive
    file: PathBuf,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let named = Named::find(std::slice::from_ref(&args.name), &args.search)?;
    for id in &named.ids {
        // What cannot be played is of no use to anybody.
        let mut request = Request::default();
        request.with(id);
        load(&request, &named.library, &linked()).map_err(Failure::Problems)?;
        let Some(found) = named.library.get(id) else { continue };
        let own = is_bundled(found).then_some(env!("CARGO_PKG_LICENSE"));
        let pack = Pack::of(found, args.license.as_deref().or(own)).map_err(Failure::Problems)?;
        let file = args.out.clone().unwrap_or_else(|| pack.file_name().into());
        write_whole(&file, &pack.bytes().map_err(Failure::Problems)?)?;
        writeln!(out, "{}", file.display())?;
        tell(out, &pack)?;
    }
    Ok(())
}

/// Runs `trencavel verify`.
pub(crate) fn verify(args: &VerifyArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let pack = read(&args.file)?;
    if args.json {
        return Ok(writeln!(out, "{}", json(&pack).line())?);
    }
    writeln!(out, "{} is whole and unchanged", args.file.display())?;
    tell(out, &pack)
}

/// Reads and checks an archive that was named on the command line.
pub(crate) fn read(file: &Path) -> Result<Pack, Failure> {
    let bytes = fs::read(file).map_err(|error| {
        let help = "name an archive that `trencavel pack` made";
        Failure::usage(format!("{} cannot be read: {error}", file.display()), help)
    })?;
    Pack::read(file, &bytes).map_err(Failure::Problems)
}

fn tell(out: &mut dyn Write, pack: &Pack) -> Result<(), Failure> {
    let manifest = &pack.manifest;
    writeln!(out, "  {} {}  {}", manifest.id, manifest.version, manifest.title)?;
    writeln!(out, "  licence: {}", pack.license)?;
    writeln!(out, "  hash: {}", pack.hash)?;
    let needs: Vec<String> = pack.needs().map(|(id, versions)| format!("{id} {versions}")).collect();
    let needs = if needs.is_empty() { "nothing but the base game".to_owned() } else { needs.join(", ") };
    writeln!(out, "  needs: {needs}")?;
    Ok(writeln!(out, "  files: {}", pack.files.len())?)
}

fn json(pack: &Pack) -> Json {
    let manifest = &pack.manifest;
    let need = |(id, versions): (&str, &_)| {
        Json::Object(vec![("id", Json::text(id)), ("versions", Json::text(format!("{versions}")))])
    };
    Json::Object(vec![
        ("id", Json::text(&manifest.id)),
        ("version", Json::text(manifest.version.to_string())),
        ("title", Json::text(&manifest.title)),
        ("license", Json::text(&pack.license)),
        ("hash", Json::text(pack.hash.to_string())),
        ("needs", Json::List(pack.needs().map(need).collect())),
        ("files", Json::List(pack.files.keys().map(Json::text).collect())),
    ])
}
