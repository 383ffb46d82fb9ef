//! Where expansions are looked for, and which native libraries may run: the same for every command.

use std::path::PathBuf;

use trencavel_host::library::{Library, LinkedIn, search_path};
use trencavel_host::lock::ContentHash;

use crate::failure::Failure;
use crate::setup::{BUNDLE, linked, quoted};
use crate::trust;

/// What the command line says of expansions and libraries.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Search {
    /// Look for expansions here first; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) path: Vec<PathBuf>,
    /// Let the native library with this hash run, which can do whatever a program can do; may be repeated
    #[arg(long, value_name = "HASH", value_parser = trust::hash)]
    pub(crate) trust: Vec<ContentHash>,
}

impl Search {
    /// Every expansion below these folders, on the usual search path, and in the program. Libraries that are trusted
    /// here or by the user's own file may run.
    pub(crate) fn library(&self) -> Result<Library, Failure> {
        let texts: Vec<LinkedIn> = linked().iter().map(|one| one.linked).collect();
        let mut library = Library::new(&search_path(self.path.clone()), BUNDLE, &texts);
        trust::of_user()?.iter().chain(&self.trust).for_each(|hash| library.trust(*hash));
        Ok(library)
    }

    /// The same with these folders before all others.
    pub(crate) fn first(&self, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        let path = folders.into_iter().chain(self.path.iter().cloned()).collect();
        Self { path, trust: self.trust.clone() }
    }

    /// The same on a command line, each word after a space.
    pub(crate) fn words(&self) -> String {
        let paths = self.path.iter().map(|path| format!(" --path {}", quoted(&path.display().to_string())));
        paths.chain(self.trust.iter().map(|hash| format!(" --trust {hash}"))).collect()
    }
}
