//! Notices that files of the expansions of a game have changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use trencavel_host::Loaded;
use trencavel_host::library::Origin;

/// Folders deeper than this are not looked into; expansions may not be deeper either.
const DEPTH: usize = 8;

/// A file, when it was written and how long it is.
type Seen = (PathBuf, Option<SystemTime>, u64);

/// The folders of the expansions of a game as they were when the rules were loaded.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    folders: Vec<PathBuf>,
    seen: Vec<Seen>,
    /// What was found the last time, if it differs: an editor may still be writing.
    settling: Option<Vec<Seen>>,
}

impl Watch {
    /// Watches the folders that these rules come from.
    pub(crate) fn new(loaded: &Loaded) -> Self {
        Self::default().moved_to(folders(loaded))
    }

    /// Watches the folders that new rules come from. What changed while they were loaded is still to be told.
    pub(crate) fn again(&self, loaded: &Loaded) -> Self {
        self.moved_to(folders(loaded))
    }

    /// Folders that were watched before are known as they were then.
    fn moved_to(&self, folders: Vec<PathBuf>) -> Self {
        let inside = |folders: &[PathBuf], path: &Path| folders.iter().any(|folder| path.starts_with(folder));
        let news = look(&folders).into_iter().filter(|(path, ..)| !inside(&self.folders, path));
        let known = self.seen.iter().filter(|(path, ..)| inside(&folders, path)).cloned();
        let mut seen: Vec<Seen> = known.chain(news).collect();
        seen.sort();
        Self { folders, seen, settling: None }
    }

    /// How many folders are watched.
    pub(crate) fn len(&self) -> usize {
        self.folders.len()
    }

    /// True once after a change, when the files have been the same for two looks.
    pub(crate) fn changed(&mut self) -> bool {
        let now = look(&self.folders);
        if now == self.seen {
            self.settling = None;
            return false;
        }
        if self.settling.as_ref() != Some(&now) {
            self.settling = Some(now);
            return false;
        }
        self.settling = None;
        self.seen = now;
        true
    }
}

fn folders(loaded: &Loaded) -> Vec<PathBuf> {
    let folder = |origin: &Origin| match origin {
        Origin::Folder(path) => Some(path.clone()),
        Origin::Bundled(_) | Origin::LinkedIn(_) => None,
    };
    loaded.resolution.expansions.iter().filter_map(|one| folder(&one.found.origin)).collect()
}

fn look(folders: &[PathBuf]) -> Vec<Seen> {
    let mut seen = Vec::new();
    folders.iter().for_each(|folder| walk(folder, DEPTH, &mut seen));
    seen.sort();
    seen
}

/// Whatever cannot be read is as if it were not there: loading says more about it.
fn walk(folder: &Path, depth: usize, seen: &mut Vec<Seen>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, Ok(data)) = (entry.path(), entry.metadata()) else { continue };
        if data.is_dir() && depth > 0 {
            walk(&path, depth - 1, seen);
        } else if data.is_file() {
            seen.push((path, data.modified().ok(), data.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_once_it_has_settled() {
        let folder = std::env::temp_dir().join(format!("trencavel-watch-{}", std::process::id()));
        // A run that was killed may have left one of this name behind.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("art")).expect("a folder");
        fs::write(folder.join("rules.lua"), "one").expect("a file");
        let folders = vec![folder.clone()];
        let mut watch = Watch::default().moved_to(folders.clone());
        assert!(!watch.changed(), "nothing happened");
        fs::write(folder.join("art/new.svg"), "picture").expect("a file");
        assert!(!watch.changed(), "the editor may still be writing");
        assert!(watch.changed());
        assert!(!watch.changed(), "it is told once");
        fs::remove_file(folder.join("rules.lua")).expect("removed");
        assert_eq!([watch.changed(), watch.changed()], [false, true]);
        // While the rules were loaded again, somebody went on.
        fs::write(folder.join("rules.lua"), "another").expect("a file");
        let mut watch = watch.moved_to(folders);
        assert_eq!([watch.changed(), watch.changed(), watch.changed()], [false, true, false]);
        fs::remove_dir_all(&folder).expect("removed");
    }
}
