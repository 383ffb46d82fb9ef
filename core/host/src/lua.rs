//! Scripts: the sandbox they run in and the door through which they declare and answer.

mod api;
mod context;
mod convert;
mod declaring;
mod emit;
mod handles;
mod host;
pub mod limits;
mod looking;
mod misuse;
mod names;
pub mod sandbox;
mod scripts;
mod views;
mod words;

pub use api::LIVE;
pub(crate) use context::Context;
pub(crate) use convert::DEPTH;
pub(crate) use declaring::{Body, Declaring, Role};
pub(crate) use emit::{intent, on_board, question};
pub(crate) use handles::target_of;
pub use host::ScriptHost;
pub(crate) use host::one_line;
pub(crate) use misuse::{Misuse, suggestion};
pub(crate) use names::{Reader, Room, look_up};
pub(crate) use scripts::{Failed, Ran, Watch, add, in_order, readers, required, run};

/// The codes of scripts that fail, each with its explanation for `trencavel explain CODE`.
pub const CODES: &[(&str, &str)] = &[
    ("L001", "The script is not Lua. Often an `end`, a bracket or a comma is missing before the place that is shown."),
    (
        "L002",
        "The script failed while it was loaded: it read a field of nothing, called what is no function, or raised an \
         error itself. The lines below the place are the calls that led there, innermost first.",
    ),
    (
        "L003",
        "The script uses `rules` in a way that it does not have: an unknown kind of declaration, a value that no \
         declaration holds, an option or expansion that the manifest does not name, or a question about the game at \
         the top level of a file. `scripts/HOOKS.md` lists what there is.",
    ),
    (
        "L004",
        "Scripts have no globals: a name is declared with `local`, given by the library, or it is `rules`. State lives \
         in the game, not in the script.",
    ),
    ("L005", "`require` takes the name of a file in the expansion's own folder: `require \"./name\"`."),
    (
        "L006",
        "The script ran into a limit of steps, time or memory. Declarations are data: a script that needs long to be \
         loaded most likely has a loop that does not end.",
    ),
    ("L007", "The script engine itself failed. That is a bug of the program, or the machine has no memory left."),
    (
        "L008",
        "A declaration has an id and no table: `rules.forbid \"x\"` alone declares nothing. Write its fields after \
         the id, in braces.",
    ),
];
