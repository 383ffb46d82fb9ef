//! In which order tiles were drawn: what is recorded, then what was placed, then what a sentence names, then any.

use trencavel_rules::Ruleset;
use trencavel_rules::ids::TileDefId;

use crate::file::Recording;
use crate::request::Unsupported;
use crate::table::Table;

/// Ends the pack where it stands in a draw order.
const END: &str = "#END";

/// The tiles to draw, first to last.
///
/// # Errors
/// If a tile is not part of the ruleset.
pub(crate) fn stack(table: &Table, rules: &Ruleset, recording: &Recording) -> Result<Vec<TileDefId>, Unsupported> {
    let find = |code: &str| find(rules, code);
    let ended = recording.draw_order.iter().position(|code| code == END);
    let recorded = &recording.draw_order[..ended.unwrap_or(recording.draw_order.len())];
    let mut stack = recorded.iter().map(|code| find(code)).collect::<Result<Vec<_>, _>>()?;
    if ended.is_none() {
        for code in placed_beyond(recording, recorded, |code| table.is_own_tile(code)) {
            stack.push(find(code)?);
        }
        if let Some(named) = named_tile(recording) {
            let last = stack.len() > recorded.len() || recorded.len() <= placed(recording).count();
            if last {
                stack.push(find(named)?);
            }
        }
        stack.extend(rest(rules, recording, &stack)?);
    }
    if let Some(end) = recording.end_turn {
        stack.truncate(end);
    }
    Ok(stack)
}

/// The tile with a published code. Where several designs carry it, the one that the pack holds.
///
/// # Errors
/// If there is none.
pub(crate) fn find(rules: &Ruleset, code: &str) -> Result<TileDefId, Unsupported> {
    let carries = |tile: &TileDefId| rules.tile(*tile).aka.iter().any(|other| other == code);
    let in_pack = rules.copies().iter().map(|copies| copies.tile).find(carries);
    in_pack.or_else(|| rules.tile_by_name(code)).ok_or_else(|| Unsupported::new("tile", code))
}

fn placed(recording: &Recording) -> impl Iterator<Item = &str> {
    recording.messages.iter().filter(|message| message.kind == "PLACE_TILE").map(|message| message.what.as_str())
}

/// The codes of placed tiles that the recorded order does not cover.
fn placed_beyond<'a>(recording: &'a Recording, recorded: &[String], is_own: impl Fn(&str) -> bool) -> Vec<&'a str> {
    let mut next = 0;
    let mut beyond = Vec::new();
    for code in placed(recording).filter(|code| !is_own(code)) {
        match recorded[next..].iter().position(|other| other == code) {
            // What was skipped fitted nowhere.
            Some(ahead) => next += ahead + 1,
            None if next < recorded.len() => next += 1,
            None => beyond.push(code),
        }
    }
    beyond
}

/// The tile that a sentence about placements names.
fn named_tile(recording: &Recording) -> Option<&str> {
    let options = |sentence: &&String| sentence.starts_with("TilePlacement ") && sentence.contains(" options");
    recording.assertions.iter().find(options)?.split_whitespace().nth(1)
}

/// What is left of the pack, pile by pile.
fn rest(rules: &Ruleset, recording: &Recording, drawn: &[TileDefId]) -> Result<Vec<TileDefId>, Unsupported> {
    let mut gone = drawn.to_vec();
    for (code, _, _) in &recording.start {
        gone.push(find(rules, code)?);
    }
    let mut left = Vec::new();
    for copies in rules.copies() {
        for _ in 0..copies.count {
            match gone.iter().position(|tile| *tile == copies.tile) {
                Some(place) => drop(gone.swap_remove(place)),
                None => left.push((copies.pile, copies.tile)),
            }
        }
    }
    left.sort();
    Ok(left.into_iter().map(|(_, tile)| tile).collect())
}
