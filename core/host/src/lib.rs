//! Turns folders of expansions into a resolved, locked ruleset and runs their scripts.

pub mod diagnostic;
