//! The Wells in Rust: the two declarations of `scripts/wells`, with wells counted by a function.

use trencavel_abi::sdk::{Declaring, Failed, Hook};
use trencavel_abi::{hook, plugin};

plugin!(declare);

fn declare(rules: &Declaring<'_>) -> Result<(), Failed> {
    // WE-1, WE-5: a well is printed on a road; it is no feature and no place for a figure.
    rules.declare("mark", "well", "on = 'road'", &[])?;
    // WE-2, WE-4: 1 more for each well. WE-3: whatever changes the road's unit changes the well's.
    rules.declare("items", "wells", "of = 'road'\nunit = 1\ntag = 'per_unit'", &[("count", hook!(wells))])
}

/// The wells of the road in question.
fn wells(hook: &Hook<'_>) -> Result<(), Failed> {
    let road = hook.feature()?;
    hook.answer(hook.marks(road, "well")?)
}
