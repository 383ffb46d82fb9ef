//! Expansions as they are named on the command line: by id, or by the path of their folder.

use std::path::{Path, PathBuf};

use trencavel_host::library::Library;
use trencavel_host::manifest::{FILE_NAME, Manifest};

use crate::failure::Failure;
use crate::search::Search;

/// Expansions that were named, and what is installed beside them.
pub(crate) struct Named {
    /// Their ids, in the order they were named.
    pub(crate) ids: Vec<String>,
    /// Where to look for expansions: the folders that were named themselves come first.
    pub(crate) search: Search,
    pub(crate) library: Library,
}

impl Named {
    /// Finds what each name means.
    pub(crate) fn find(names: &[String], search: &Search) -> Result<Self, Failure> {
        let folders: Vec<Option<PathBuf>> = names.iter().map(|name| folder(name)).collect();
        let search = search.first(folders.iter().flatten().cloned());
        let library = search.library()?;
        let ids = names.iter().zip(&folders).map(|(name, folder)| match folder {
            Some(folder) => Ok(id_of(folder)),
            None => installed(name, &library),
        });
        Ok(Self { ids: ids.collect::<Result<_, _>>()?, search, library })
    }
}

/// The folder of an expansion, if the name is the path of one.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    path.join(FILE_NAME).is_file().then(|| path.to_owned())
}

/// The id that the manifest of a folder claims, else the folder's name.
fn id_of(folder: &Path) -> String {
    let text = std::fs::read_to_string(folder.join(FILE_NAME)).unwrap_or_default();
    let whole = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let name = || whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Manifest::claimed_id(&text).unwrap_or_else(name)
}

fn installed(name: &str, library: &Library) -> Result<String, Failure> {
    if library.get(name).is_some() || library.broken(name).is_some() {
        return Ok(name.to_owned());
    }
    let near = library.nearest(name).map_or_else(String::new, |near| format!("did you mean `{near}`? "));
    let help = format!("{near}name an expansion or the path of its folder, or give `--path DIR`");
    Err(Failure::usage(format!("`{name}` is no expansion and no folder of one"), help))
}
