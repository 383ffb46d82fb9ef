//! A library in Rust that panics, and says why.

use trencavel_abi::sdk::{Declaring, Failed, Hook};
use trencavel_abi::{hook, plugin};

plugin!(declare);

fn declare(rules: &Declaring<'_>) -> Result<(), Failed> {
    let height = rules.option("height")?;
    assert!(height == "4", "height {height}");
    rules.declare("react", "trip", "on = 'placed'", &[("run", hook!(trip))])
}

fn trip(hook: &Hook<'_>) -> Result<(), Failed> {
    let tile = hook.thing(trencavel_abi::TRV_TILE)?;
    panic!("tripped over tile {}", tile.id);
}
