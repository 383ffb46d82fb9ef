//! Turns folders of expansions into a resolved, locked ruleset and runs their scripts.

pub mod diagnostic;
pub mod game_file;
pub mod library;
pub mod lock;
pub mod lua;
pub mod manifest;
pub mod options;
mod reading;
pub mod resolve;
pub mod tiles;
