//! Native libraries of expansions: trusted by their content, checked before they are loaded, never unloaded.

mod asked;
mod calls;
mod declaring;
mod header;
mod image;
mod table;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use trencavel_abi::TrvHook;

pub(crate) use calls::Asking;
use image::{Image, entry};

use crate::diagnostic::Diagnostic;
use crate::lock::ContentHash;
use crate::resolve::{Resolution, Resolved};

/// Every code of native libraries with its explanation for `trencavel explain CODE`.
pub const CODES: &[(&str, &str)] = &[
    (
        "N001",
        "A native library can do whatever a program can do, so none runs unless you trust exactly its content: with \
         `--trust HASH`, or a line in your file of trusted hashes. A library that was changed has another hash and is \
         not trusted any more. Trust what you built yourself, or what you have from someone you trust.",
    ),
    (
        "N002",
        "The library that a manifest names under `native` cannot be read. It is a plain file of at most 64 MiB inside \
         the expansion's own folder; without an ending it has the platform's own, such as `.so`.",
    ),
    (
        "N003",
        "The file that a manifest names under `native` is no whole library for this machine: it is something else, \
         was cut off, or was built for another processor or system. Build it again for this machine.",
    ),
    (
        "N004",
        "The system cannot load the library. Often it needs another library or a function that is not there, or the \
         folder for temporary files does not allow programs to run.",
    ),
    (
        "N005",
        "The library exports no `trencavel_plugin`, or something else under this name. Include `trencavel.h` and \
         define `const TrvPlugin trencavel_plugin`, or use `plugin!` in Rust.",
    ),
    (
        "N006",
        "The library was made for another version of the C interface: another major version, or a minor one that is \
         newer than this program's. Build it with the header of this program, or use a program that is new enough.",
    ),
    (
        "N007",
        "The library fails while it declares its rules, or declares something that cannot be: a field that is no TOML, \
         a function that is null, a kind of declaration that does not exist.",
    ),
];

/// A loaded library. It stays loaded until the program ends, so its functions are always there.
#[derive(Debug)]
pub(crate) struct Plugin {
    declare: TrvHook,
}

/// A function in a library.
#[derive(Clone)]
pub(crate) struct NativeHook {
    run: TrvHook,
    /// File and line of its declaration.
    pub place: (Arc<str>, u32),
}

/// The libraries of a game by the ids of their expansions.
pub(crate) type Plugins = BTreeMap<String, &'static Plugin>;

/// Every library of this process. One that is asked for again is not loaded again.
static LOADED: Mutex<Vec<(ContentHash, &'static Plugin)>> = Mutex::new(Vec::new());

/// Loads the libraries of a game, and makes their contents part of the hashes of their expansions.
///
/// # Errors
/// For each library that is not trusted, does not fit or cannot be loaded.
pub(crate) fn open(resolution: &mut Resolution, trusted: &[ContentHash]) -> Result<Plugins, Vec<Diagnostic>> {
    let (mut plugins, mut problems) = (Plugins::new(), Vec::new());
    for one in resolution.expansions.iter_mut().filter(|one| one.found.manifest.native.is_some()) {
        match open_one(one, trusted) {
            Ok((plugin, hash)) => {
                one.hash = one.hash.with(hash);
                plugins.insert(one.id().to_owned(), plugin);
            }
            Err(problem) => problems.push(*problem),
        }
    }
    if problems.is_empty() { Ok(plugins) } else { Err(problems) }
}

type Problem = Box<Diagnostic>;

fn problem(one: &Resolved, code: &'static str, message: impl Into<String>) -> Diagnostic {
    one.found.manifest.problem(code, "native", message)
}

fn open_one(one: &Resolved, trusted: &[ContentHash]) -> Result<(&'static Plugin, ContentHash), Problem> {
    let image = Image::read(one)?;
    if !trusted.contains(&image.hash) {
        let message = format!("the native library {} is not trusted: {}", image.path.display(), image.hash);
        let help = format!("it can do whatever a program can do; if you trust it: `--trust {}`", image.hash);
        return Err(Box::new(problem(one, "N001", message).help(help)));
    }
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((hash, plugin)) = loaded.iter().find(|(hash, _)| *hash == image.hash) {
        return Ok((*plugin, *hash));
    }
    let wrong = |what: String| Box::new(problem(one, "N003", format!("{} {what}", image.path.display())));
    header::check(&image.bytes).map_err(wrong)?;
    let plugin: &'static Plugin = Box::leak(Box::new(Plugin { declare: entry(one, &image)? }));
    loaded.push((image.hash, plugin));
    Ok((plugin, image.hash))
}
