//! The file of a library: read once, hashed, and loaded from a private copy, so that what runs is what was hashed.

#![expect(unsafe_code, reason = "a library is foreign code, and its symbol is foreign memory")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use libloading::Library;
use trencavel_abi::{SYMBOL, TRV_ABI_MAJOR, TRV_ABI_MINOR, TRV_MAGIC, TrvHook, TrvPlugin};

use super::{Problem, problem};
use crate::library::Origin;
use crate::lock::ContentHash;
use crate::resolve::Resolved;

const MAX_BYTES: u64 = 64 << 20;

/// A library as it was read.
pub(super) struct Image {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    pub hash: ContentHash,
}

impl Image {
    /// Reads the library of an expansion.
    pub fn read(one: &Resolved) -> Result<Self, Problem> {
        let named = one.found.manifest.native.clone().unwrap_or_default();
        let unreadable = |what: String| Box::new(problem(one, "N002", what));
        let Origin::Folder(folder) = &one.found.origin else {
            return Err(unreadable(format!("`{}` has a native library, but no folder to load it from", one.id())));
        };
        let mut path = folder.join(named);
        if path.extension().is_none() {
            path.set_extension(std::env::consts::DLL_EXTENSION);
        }
        let bytes = read_within(folder, &path).map_err(|what| {
            let text = format!("the native library {} {what}", path.display());
            Box::new(problem(one, "N002", text).help("build it, and put it where the manifest says"))
        })?;
        Ok(Self { path, hash: ContentHash::of_bytes(&bytes), bytes })
    }
}

/// The bytes of a plain file inside a folder.
fn read_within(folder: &Path, path: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: io::Error| format!("cannot be read: {error}");
    let (root, target) =
        fs::canonicalize(folder).and_then(|root| Ok((root, fs::canonicalize(path)?))).map_err(unreadable)?;
    if !target.starts_with(&root) {
        return Err(format!("is a link out of the folder, to {}", target.display()));
    }
    let data = fs::metadata(&target).map_err(unreadable)?;
    if !data.is_file() {
        return Err("is not a plain file".to_owned());
    }
    if data.len() > MAX_BYTES {
        return Err(format!("is larger than {} MiB", MAX_BYTES >> 20));
    }
    fs::read(&target).map_err(unreadable)
}

/// Loads a library for good and gives the function with which it declares its rules.
pub(super) fn entry(one: &Resolved, image: &Image) -> Result<TrvHook, Problem> {
    let shown = image.path.display();
    let failed = |code, what: String| Box::new(problem(one, code, format!("the native library {shown} {what}")));
    let library = load(image).map_err(|reason| failed("N004", format!("cannot be loaded: {reason}")))?;
    // It may run threads of its own by now, and its functions are kept: it is never unloaded.
    let library: &'static Library = Box::leak(Box::new(library));
    // SAFETY: nothing is done with the symbol but to take its address.
    let symbol = unsafe { library.get::<*const TrvPlugin>(SYMBOL.as_bytes()) };
    let plugin: *const TrvPlugin = symbol.map(|symbol| *symbol).unwrap_or_default();
    if plugin.is_null() || !plugin.is_aligned() {
        return Err(failed("N005", format!("exports no `{SYMBOL}`")));
    }
    // SAFETY: an address within a loaded library that is never unloaded; each field is read by itself, so that a
    // library of another version, with a smaller struct, is read no further than its version.
    let (magic, size) = unsafe { ((*plugin).magic, (*plugin).size) };
    if magic != TRV_MAGIC {
        return Err(failed("N005", format!("exports something else as `{SYMBOL}`")));
    }
    // SAFETY: as above; the first four fields are the same in every version.
    let (major, minor) = unsafe { ((*plugin).abi_major, (*plugin).abi_minor) };
    if major != TRV_ABI_MAJOR || minor > TRV_ABI_MINOR {
        let what = format!("has the ABI {major}.{minor}; this program has {TRV_ABI_MAJOR}.{TRV_ABI_MINOR}");
        return Err(failed("N006", what));
    }
    if (size as usize) < size_of::<TrvPlugin>() {
        return Err(failed("N005", format!("exports a `{SYMBOL}` of {size} bytes, which is too small")));
    }
    // SAFETY: it is of this version and as large as it must be; a null function is `None`.
    let declare = unsafe { (*plugin).declare };
    declare.ok_or_else(|| failed("N007", "has null where its function `declare` belongs".to_owned()))
}

/// Loads a private copy of the image, which is removed when it is mapped.
fn load(image: &Image) -> Result<Library, String> {
    let folder = private_folder(&image.hash).map_err(|error| format!("no temporary folder for its copy: {error}"))?;
    let copy = folder.join(image.path.file_name().unwrap_or_default());
    let loaded = fs::write(&copy, &image.bytes).map_err(|error| error.to_string()).and_then(|()| map(&copy));
    // A mapped file needs no name, and a copy that cannot be removed harms nobody.
    let _ = fs::remove_dir_all(&folder);
    loaded
}

/// A new folder that only this user can write to. Its name has never been used for other contents in this process: a
/// system takes a library of a name it knows for the one it has.
fn private_folder(hash: &ContentHash) -> io::Result<PathBuf> {
    let hash = hash.to_string().replace(':', "-");
    let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
    for attempt in 0..100 {
        let folder = std::env::temp_dir().join(format!("trencavel-{}-{attempt}-{hash}", std::process::id()));
        match create(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(error),
        }
    }
    Err(taken)
}

#[cfg(unix)]
fn create(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)
}

#[cfg(unix)]
fn map(file: &Path) -> Result<Library, String> {
    use libloading::os::unix::{Library as Unix, RTLD_LOCAL, RTLD_NOW};
    // SAFETY: the user trusts this content by its hash; its header was checked. Every symbol it needs is looked up
    // now: one that is missing is an error here, and not the end of the process later.
    let library = unsafe { Unix::open(Some(file), RTLD_NOW | RTLD_LOCAL) };
    library.map(Library::from).map_err(|error| whole(&error, file))
}

#[cfg(not(unix))]
fn map(file: &Path) -> Result<Library, String> {
    // SAFETY: the user trusts this content by its hash; its header was checked.
    unsafe { Library::new(file) }.map_err(|error| whole(&error, file))
}

/// An error with its reasons, without the name of the copy that means nothing to people.
fn whole(error: &dyn std::error::Error, file: &Path) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(reason) = source {
        let reason_text = reason.to_string();
        if !text.contains(&reason_text) {
            text = format!("{text}: {reason_text}");
        }
        source = reason.source();
    }
    text.replace(&format!("{}: ", file.display()), "")
}
