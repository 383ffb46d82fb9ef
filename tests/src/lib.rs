//! What the tests share: rules from words, dice, and a slow reference to compare with.

pub mod contract;
pub mod dice;
pub mod fuzzing;
pub mod incremental;
pub mod loading;
pub mod reference;
pub mod turning;

use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace has a folder")
}

/// A path as people write it: from the workspace's folder on.
pub fn short_path(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Every file with this ending below a folder, sorted; folders of build results are left out.
pub fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(files_below(&path, ending));
        } else if path.extension().is_some_and(|end| end == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}
