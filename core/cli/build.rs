//! Embeds the expansions of `scripts/` and the games of `examples/` in the program, so that an installed one works
//! anywhere.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../..");
    println!("cargo:rerun-if-changed=build.rs");
    let mut files = Vec::new();
    walk(&root.join("scripts"), "", &mut files)?;
    embed("bundle.rs", files)?;
    embed("games.rs", games(&root.join("examples"))?)
}

/// The game files of a folder, by their names.
fn games(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "toml") {
            files.push((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), path));
        }
    }
    Ok(files)
}

/// Writes a list of names and texts as code that includes them.
fn embed(name: &str, mut files: Vec<(String, PathBuf)>) -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    files.sort();
    let mut code = String::from("&[\n");
    for (name, path) in files {
        let path = fs::canonicalize(path)?;
        writeln!(code, "    ({name:?}, include_str!({:?})),", path.display().to_string()).map_err(io::Error::other)?;
    }
    code.push(']');
    fs::write(out.join(name), code)
}

/// Every text of a folder by its path within `scripts/`, parts joined by `/`.
fn walk(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            walk(&path, &format!("{prefix}{name}/"), files)?;
        } else if path.extension().is_some_and(|end| end == "lua" || end == "toml" || end == "md" || end == "svg") {
            files.push((format!("{prefix}{name}"), path));
        }
    }
    Ok(())
}
