//! Which native libraries may run: those whose contents the user names, now or in a file of his own.

use std::path::PathBuf;

use trencavel_host::lock::ContentHash;

use crate::failure::Failure;

/// A hash as `--trust` takes it.
pub(crate) fn hash(text: &str) -> Result<ContentHash, String> {
    text.parse().map_err(|()| "a hash looks like `blake3:` with 64 hexadecimal digits; the refusal names it".to_owned())
}

/// `$XDG_CONFIG_HOME/trencavel/trusted` or `~/.config/trencavel/trusted`.
fn file() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")));
    folder.map(|folder| folder.join("trencavel/trusted"))
}

/// The hashes of the user's own file: one a line, and whatever follows it; `#` begins a remark.
pub(crate) fn of_user() -> Result<Vec<ContentHash>, Failure> {
    let Some(file) = file().filter(|file| file.is_file()) else { return Ok(Vec::new()) };
    let text = crate::setup::read(&file)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.trim().starts_with('#'));
    let read = |(number, line): (u32, &str)| {
        let first = line.split_whitespace().next().unwrap_or_default();
        hash(first).map_err(|help| {
            Failure::usage(format!("{}:{number}: `{first}` is not the hash of a library", file.display()), &help)
        })
    };
    lines.map(read).collect()
}
