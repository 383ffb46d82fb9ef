//! The rules of tile-laying games in the family of Carcassonne, as a pure engine: no files, no scripts, no clock, no threads.
//!
//! It knows shapes (edges, half-edges, seats, links) and no game. What roads and cities are, the base game declares
//! through the same door as every expansion: [`declare::RulesetBuilder`].

mod agenda;
mod board;
mod choices;
mod condition;
pub mod decision;
pub mod declare;
mod digest;
mod engine;
pub mod features;
mod figures;
mod forbids;
pub mod game;
pub mod geometry;
mod grid;
pub mod hooks;
mod hosting;
pub mod ids;
pub mod ledger;
mod legal;
mod log;
pub mod notation;
mod outlook;
mod printed;
mod refusals;
mod roam;
mod ruleset;
pub mod save;
mod score;
pub mod seed;
mod state;
mod table;
pub mod tile;
pub mod value;
pub mod words;

pub use condition::Scope;
pub use decision::{Action, Lifted, Refusal};
pub use declare::MAX_TILES;
pub use forbids::Waiver;
pub use game::{ActionError, Game, Setup, SetupError};
pub use geometry::{Position, Rotation, Side};
pub use hosting::{FeatureView, SegmentView};
pub use printed::{PrintedSegment, TileDef};
pub use ruleset::{Class, Copies, Expansion, FigureKind, HookInfo, Rounding, Ruleset, Source, Start, short};
pub use state::{Anchor, Figure, PlacedTile, State, Target};
