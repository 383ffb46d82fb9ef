//! Bots, playouts and measurements: whole games without people.
//!
//! ```
//! use trencavel_play::bots::Bot;
//! use trencavel_rules::ids::PlayerId;
//!
//! let ann = Bot::random(7, PlayerId::from_index(0));
//! let again = Bot::random(7, PlayerId::from_index(0));
//! assert_eq!(format!("{ann:?}"), format!("{again:?}"), "the same seed and player give the same stream");
//! ```

pub mod bench;
pub mod bots;
pub mod compare;
pub mod contract;
pub mod dice;
pub mod fired;
pub mod hunt;
pub mod perft;
pub mod rows;
pub mod scenario;
pub mod session;
pub mod shrink;
pub mod simulate;
pub mod stats;
pub mod telling;
