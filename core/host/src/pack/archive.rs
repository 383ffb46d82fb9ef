//! Texts into a ZIP archive and out of it again, trusting nothing in it.

#![expect(clippy::result_large_err, reason = "a problem ends the work; its size does not matter")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read, Write};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::ABOUT;
use crate::diagnostic::Diagnostic;
use crate::library::TEXTS;

const MAX_FILES: usize = 1000;
const MAX_FILE_BYTES: usize = 1 << 20;
const MAX_BYTES: usize = 16 << 20;
const MAX_PARTS: usize = 9;
const MAX_NAME_BYTES: usize = 200;

/// The archive of these texts, in this order.
pub(super) fn write<'t>(texts: impl Iterator<Item = (&'t str, &'t str)>) -> Result<Vec<u8>, Diagnostic> {
    let plain = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o644);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let all = || -> Result<(), ZipError> {
        for (name, text) in texts {
            writer.start_file(name, plain)?;
            writer.write_all(text.as_bytes())?;
        }
        Ok(())
    };
    let failed = |error: ZipError| Diagnostic::new("P001", format!("the archive cannot be made: {error}"));
    all().map_err(failed)?;
    Ok(writer.finish().map_err(failed)?.into_inner())
}

/// The texts of an archive by name, `pack.toml` among them. What is refused is refused before it is unpacked.
pub(super) fn read(bytes: &[u8]) -> Result<BTreeMap<String, String>, Diagnostic> {
    // Names and headers need less than a kilobyte a file.
    if bytes.len() > MAX_BYTES + MAX_FILES * 1024 {
        return Err(refused("it is larger than a pack can be"));
    }
    let broken = |error: &dyn std::fmt::Display| {
        let problem = Diagnostic::new("P001", format!("it is not a pack: {error}"));
        problem.help("packs come from `trencavel pack NAME`; if this one did, it was damaged on its way")
    };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    if archive.len() > MAX_FILES + 1 {
        return Err(refused(&format!("it has {} entries", archive.len())));
    }
    let mut texts = BTreeMap::new();
    for index in 0..archive.len() {
        // The headers first: an entry that is compressed or encrypted cannot be opened at all.
        let name = {
            let entry = archive.by_index_raw(index).map_err(|error| broken(&error))?;
            let name = entry.name().map_err(|error| broken(&error))?.into_owned();
            if index == 0 && name != ABOUT {
                return Err(broken(&format_args!("its first entry is `{}`, not {ABOUT}", printable(&name))));
            }
            check_entry(&name, &entry)?;
            name
        };
        let entry = archive.by_index(index).map_err(|error| broken(&error))?;
        let mut content = Vec::new();
        entry
            .take(MAX_FILE_BYTES as u64 + 1)
            .read_to_end(&mut content)
            .map_err(|error| broken(&format_args!("`{}`: {error}", printable(&name))))?;
        let text = String::from_utf8(content).map_err(|_| refused(&format!("`{name}` is no text in UTF-8")))?;
        texts.insert(name, text);
    }
    if !texts.contains_key(ABOUT) {
        return Err(broken(&format_args!("it has no {ABOUT}")));
    }
    check_texts(texts.iter().filter(|(name, _)| *name != ABOUT).map(|(name, text)| (name.as_str(), text.as_str())))
        .map_err(|mut problems| problems.swap_remove(0))?;
    Ok(texts)
}

fn check_entry<R: Read + ?Sized>(name: &str, entry: &zip::read::ZipFile<'_, R>) -> Result<(), Diagnostic> {
    let shown = printable(name);
    let no = |what: &str| Err(refused(&format!("`{shown}` {what}")));
    if entry.is_symlink() {
        return no("is a link");
    }
    if entry.is_dir() || !entry.is_file() {
        return no("is no plain file");
    }
    if entry.encrypted() {
        return no("is encrypted");
    }
    if entry.compression() != CompressionMethod::Stored || entry.size() != entry.compressed_size() {
        return no("is compressed");
    }
    if entry.size() > MAX_FILE_BYTES as u64 {
        return no("is larger than 1 MiB");
    }
    Ok(())
}

/// Checks what a pack may hold beside `pack.toml`: names that stay in their folder on every system, and not too much.
pub(super) fn check_texts<'t>(texts: impl Iterator<Item = (&'t str, &'t str)>) -> Result<(), Vec<Diagnostic>> {
    let (mut seen, mut bytes) = (BTreeSet::new(), 0_usize);
    for (name, text) in texts {
        let no = |what: &str| Err(vec![refused(&format!("`{}` {what}", printable(name)))]);
        if let Some(what) = bad_name(name) {
            return no(what);
        }
        // Some systems do not tell `A` from `a`.
        if !seen.insert(name.to_lowercase()) {
            return no("is there twice, but for capital letters");
        }
        if text.len() > MAX_FILE_BYTES {
            return no("is larger than 1 MiB");
        }
        bytes += text.len();
    }
    if seen.len() > MAX_FILES {
        return Err(vec![refused(&format!("it has {} files", seen.len()))]);
    }
    if bytes > MAX_BYTES {
        return Err(vec![refused("its files have more than 16 MiB together")]);
    }
    Ok(())
}

/// What is wrong with a path within the folder of an expansion.
fn bad_name(name: &str) -> Option<&'static str> {
    let parts: Vec<&str> = name.split('/').collect();
    let device = |part: &str| {
        let stem = part.split('.').next().unwrap_or_default().to_ascii_lowercase();
        let numbered = ["com", "lpt"].iter().any(|port| stem.strip_prefix(port).is_some_and(|rest| rest.len() == 1));
        numbered || ["con", "prn", "aux", "nul"].contains(&stem.as_str())
    };
    let odd = |letter: char| letter.is_control() || "\\:*?\"<>|".contains(letter);
    if name.len() > MAX_NAME_BYTES || parts.len() > MAX_PARTS {
        Some("is too long a path")
    } else if parts.iter().any(|part| part.is_empty() || *part == "." || *part == "..") {
        Some("is a path out of its folder")
    } else if name.contains(odd) || parts.iter().any(|part| part.ends_with([' ', '.']) || device(part)) {
        Some("is no file name on every system")
    } else if parts.iter().any(|part| part.starts_with('.') || *part == "target") {
        Some("is hidden, so no expansion would read it")
    } else if name == ABOUT {
        Some("is the name of what a pack says about itself")
    } else if !TEXTS.iter().any(|end| name.ends_with(end)) {
        Some("is no text of an expansion (`.lua`, `.toml`, `.md`, `.svg`)")
    } else {
        None
    }
}

fn refused(what: &str) -> Diagnostic {
    let problem = Diagnostic::new("P002", what);
    problem.help("nothing was unpacked; `trencavel explain P002` says what a pack may hold")
}

/// A name that may be anything, for a message.
fn printable(name: &str) -> String {
    name.chars().take(80).flat_map(char::escape_debug).collect()
}
