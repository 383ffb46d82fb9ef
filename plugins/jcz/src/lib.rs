//! Imports and checks recorded games of another engine, the `.jcz` files of FanCloisterZone.
//!
//! No rule is decided here: a message is matched with what our engine offers, by the names in [`table::Table`].
//!
//! ```
//! let table = trencavel_jcz::table::Table::load().expect("the table of names");
//! let setup = r#"{"sets":{"basic:1":1},"elements":{"small-follower":7},"start":[]}"#;
//! let text = format!(r#"{{"setup":{setup},"players":[{{"name":"Ann"}}],"replay":[]}}"#);
//! let recording = trencavel_jcz::file::Recording::parse(&text).expect("a recording");
//! let request = table.request(&recording).expect("all known");
//! assert!(request.is_on("base"));
//! ```

pub mod check;
mod choices;
pub mod conformance;
mod draws;
pub mod file;
mod offered;
mod places;
pub mod play;
pub mod random;
pub mod replay;
pub mod request;
mod sentence;
pub mod table;
