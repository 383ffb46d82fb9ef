//! Boards for people. Everything is drawn from the ruleset and the state; nothing here knows an expansion.
//!
//! ```
//! use trencavel_rules::{Ruleset, State};
//!
//! let board = trencavel_view::text::board(&Ruleset::default(), &State::default());
//! assert_eq!(board, "the board is empty\n");
//! ```

pub mod art;
pub mod pdf;
pub mod png;
pub mod print;
mod shape;
pub mod svg;
pub mod text;
