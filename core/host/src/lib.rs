//! Turns folders of expansions into a resolved, locked ruleset and runs their scripts.
//!
//! ```
//! use trencavel_host::{library::{Bundle, Library}, load, resolve::Request};
//!
//! const SHELF: Bundle = &[
//!     ("wells/expansion.toml", "id = \"wells\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Wells\""),
//!     ("wells/rules.lua", "rules.feature \"road\" {}\nrules.mark \"well\" { on = \"road\" }"),
//! ];
//! let library = Library::new(&[], SHELF, &[]);
//! let mut request = Request::default();
//! request.with("wells");
//! let loaded = load(&request, &library, &[]).expect("rules without a problem");
//! assert!(loaded.rules.mark_by_name("wells:well").is_some());
//! let scripts = loaded.scripts().expect("a VM for this thread");
//! # let _ = scripts;
//! ```

mod amnesia;
pub mod api_file;
pub mod check;
mod declared;
pub mod diagnostic;
pub mod game_file;
pub mod library;
mod load;
pub mod lock;
pub mod lua;
pub mod manifest;
mod native;
pub mod options;
pub mod pack;
mod reading;
pub mod resolve;
pub mod syntax;
pub mod tiles;

pub use amnesia::{Forgot, amnesia};
#[doc(hidden)]
pub use load::load_in_order;
pub use load::{LinkedExpansion, Loaded, Options, TILES, load, load_with};
pub use lua::ScriptHost;

/// Every code of a problem with its explanation.
pub fn codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lists = [
        manifest::CODES,
        library::CODES,
        resolve::CODES,
        game_file::CODES,
        tiles::CODES,
        load::CODES,
        declared::CODES,
        lua::CODES,
        amnesia::CODES,
        native::CODES,
        check::CODES,
        syntax::CODES,
        pack::CODES,
    ];
    lists.into_iter().flatten().copied()
}
