//! A whole game from another Rust program: find expansions, freeze the rules, play, read what happened.
//!
//! `cargo run --example embed` from the folder of the workspace.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use trencavel_host::library::{Library, LinkedIn, Presence};
use trencavel_host::options::OptionValue;
use trencavel_host::resolve::Request;
use trencavel_host::{LinkedExpansion, load};
use trencavel_rules::declare::RulesetBuilder;
use trencavel_rules::ids::PlayerId;
use trencavel_rules::{Game, Setup, ledger, notation};

/// The base game comes as a crate; everything else is found in folders.
fn base() -> LinkedExpansion {
    fn declare(builder: &mut RulesetBuilder, options: &BTreeMap<String, OptionValue>) {
        trencavel_base::declare(builder, &|name| options.get(name).map_or_else(String::new, ToString::to_string));
    }
    let linked = LinkedIn { folder: "plugins/base", files: trencavel_base::FILES, presence: Presence::Implied };
    LinkedExpansion { linked, declare }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    // 1. What there is, and what this game wants of it.
    let library = Library::new(&[PathBuf::from("scripts")], &[], &[base().linked]);
    let mut request = Request::default();
    request.with("wells");
    request.option("base.followers=5")?;
    // 2. Frozen rules, shared by any number of games and threads; scripts are one VM a thread.
    let loaded = load(&request, &library, &[base()])
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
    let mut scripts = loaded.scripts().map_err(|problem| problem.to_string())?;
    // 3. A game: whatever is legal is listed; here the first option is always taken.
    let setup = Setup { players: vec!["Ann".to_owned(), "Bob".to_owned()], seed: 7, ..Setup::default() };
    let mut game = Game::from_setup(Arc::clone(&loaded.rules), &setup, &mut scripts)?;
    while let Some(action) = game.legal_actions().first().copied() {
        if game.state().decisions() < 3 {
            let words = notation::action(game.rules(), game.state(), action);
            writeln!(out, "{}: {words}", notation::letter(game.state().decider()))?;
        }
        game.apply(action, &mut scripts)?;
    }
    // 4. Every point has its line.
    for line in game.state().lines().iter().take(3) {
        writeln!(out, "{} {}", notation::letter(line.player), ledger::words(game.rules(), game.state(), line))?;
    }
    for (seat, name) in setup.players.iter().enumerate() {
        writeln!(out, "{name}: {}", game.state().score(PlayerId::from_index(seat)))?;
    }
    Ok(())
}
