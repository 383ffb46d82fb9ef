//! `trencavel add FILE` and `trencavel remove NAME`: expansions of this user.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use trencavel_host::library::user_folder;
use trencavel_host::manifest::{FILE_NAME, is_id};
use trencavel_host::pack::Pack;

use crate::failure::Failure;
use crate::pack::read;
use crate::search::Search;

/// How the names of folders begin that are on their way in or out.
pub(crate) const UNFINISHED: [&str; 2] = [".adding-", ".removing-"];

/// Install an expansion from an archive
///
/// The archive is checked like `trencavel verify` does; then its texts go into
/// `~/.local/share/trencavel/expansions`, all or none of them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel add my-expansion-1.0.0.zip")]
pub(crate) struct AddArgs {
    /// An archive
    file: PathBuf,
}

/// Remove an expansion that was installed with `trencavel add`
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel remove my-expansion")]
pub(crate) struct RemoveArgs {
    /// The id of the expansion
    name: String,
}

/// Runs `trencavel add`.
pub(crate) fn add(args: &AddArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let pack = read(&args.file)?;
    let (id, version) = (&pack.manifest.id, &pack.manifest.version);
    let folder = home()?;
    let place = folder.join(id);
    if fs::symlink_metadata(&place).is_ok() {
        let help = format!("if the new one shall take its place, `trencavel remove {id}` first");
        return Err(Failure::usage(format!("`{id}` is installed already, in {}", place.display()), help));
    }
    install(&pack, &folder, &place).map_err(|error| unwritable(&place, &error))?;
    writeln!(out, "installed {id} {version} in {}", place.display())?;
    let library = Search::default().library()?;
    for notice in library.notices().iter().filter(|notice| notice.text.starts_with(&format!("`{id}` "))) {
        writeln!(out, "{notice}")?;
    }
    for (need, versions) in pack.needs() {
        let fits = library.get(need).is_some_and(|found| versions.matches(&found.manifest.version));
        if !fits {
            writeln!(out, "note: it needs `{need}` {versions}, which is not installed")?;
        }
    }
    Ok(())
}

/// Runs `trencavel remove`.
pub(crate) fn remove(args: &RemoveArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let (id, folder) = (&args.name, home()?);
    let place = folder.join(id);
    let data = if is_id(id) { fs::symlink_metadata(&place).ok() } else { None };
    let Some(data) = data else { return Err(not_installed(id, &folder)) };
    let removed = if data.is_dir() { take_out(id, &place, &folder) } else { fs::remove_file(&place) };
    removed.map_err(|error| unwritable(&place, &error))?;
    Ok(writeln!(out, "removed {id} from {}", folder.display())?)
}

fn home() -> Result<PathBuf, Failure> {
    let help = "set HOME or XDG_DATA_HOME to the whole path of a folder";
    user_folder().ok_or_else(|| Failure::usage("there is no folder for expansions of this user", help))
}

/// A folder beside the one for expansions, so that nobody finds half of an expansion.
fn beside(folder: &Path, what: &str, id: &str) -> PathBuf {
    folder.with_file_name(format!("{what}{id}-{}", std::process::id()))
}

fn install(pack: &Pack, folder: &Path, place: &Path) -> io::Result<()> {
    let [adding, _] = UNFINISHED;
    let staging = beside(folder, adding, &pack.manifest.id);
    fs::create_dir_all(folder)?;
    let done = write_texts(pack, &staging).and_then(|()| fs::rename(&staging, place));
    if done.is_err() {
        // The failure itself is what matters; `doctor` finds what stays behind.
        let _ = fs::remove_dir_all(&staging);
    }
    done
}

fn write_texts(pack: &Pack, staging: &Path) -> io::Result<()> {
    // A folder that is there already is not ours.
    fs::create_dir(staging)?;
    for (name, file) in &pack.files {
        let path = staging.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, file.text.as_bytes())?;
    }
    fs::File::open(staging.join(FILE_NAME))?.sync_all()
}

fn take_out(id: &str, place: &Path, folder: &Path) -> io::Result<()> {
    let [_, removing] = UNFINISHED;
    let aside = beside(folder, removing, id);
    fs::rename(place, &aside)?;
    fs::remove_dir_all(&aside)
}

fn not_installed(id: &str, folder: &Path) -> Failure {
    let library = match Search::default().library() {
        Ok(library) => library,
        Err(failure) => return failure,
    };
    let message = format!("`{id}` is not installed in {}", folder.display());
    let help = match library.get(id) {
        Some(found) => format!("`{id}` is {}; games leave it out with `--without {id}`", found.origin),
        None => "`trencavel list` shows what there is".to_owned(),
    };
    Failure::usage(message, help)
}

fn unwritable(place: &Path, error: &io::Error) -> Failure {
    Failure::usage(
        format!("{} cannot be changed: {error}", place.display()),
        "make the folder one that you may write to",
    )
}
