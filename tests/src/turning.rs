//! Turning a whole table by a quarter.

use std::collections::BTreeSet;

use trencavel_rules::ids::SegmentId;
use trencavel_rules::{Action, Game, Position, Rotation, Start, short};

/// A space after the table was turned clockwise about the origin.
pub fn turned_space(at: Position, by: Rotation) -> Position {
    (0..by.index()).fold(at, |at, _| Position::new(-at.y, at.x))
}

/// A tile of a layout after the table was turned.
pub fn turned_start(start: Start, by: Rotation) -> Start {
    Start { at: turned_space(start.at, by), rotation: start.rotation.then(by), ..start }
}

/// The segment of the other game's table that lies where this one lies after turning.
pub fn turned_segment(from: &Game, to: &Game, segment: SegmentId, by: Rotation) -> Option<SegmentId> {
    let (tile, local) = from.state().segment_place(segment);
    let tile = from.state().tile(tile);
    let here = reach(from, segment, by);
    let other = to.state().tile_at(turned_space(tile.at, by))?;
    let count = to.rules().tile(to.state().tile(other).def).segments.len();
    let mut same = (0..count).map(|local| to.state().segment_on(other, local));
    // Where several parts run nowhere, as printed.
    same.find(|segment| {
        let found = reach(to, *segment, Rotation::R0);
        found == here && (!found.1.is_empty() || to.state().segment_place(*segment).1 == local)
    })
}

/// What a segment is and where it runs on the table, after turning.
fn reach(game: &Game, segment: SegmentId, by: Rotation) -> (String, BTreeSet<String>) {
    let (tile, local) = game.state().segment_place(segment);
    let tile = game.state().tile(tile);
    let printed = &game.rules().tile(tile.def).segments[local];
    let rotation = tile.rotation.then(by);
    let sides = printed.sides.iter().map(|side| side.turned(rotation).to_string());
    let halves = printed.halves.iter().map(|half| half.turned(rotation).to_string());
    (short(game.rules().feature_name(printed.kind)).to_owned(), sides.chain(halves).collect())
}

/// The same choice on the turned table.
pub fn turned_action(from: &Game, to: &Game, action: Action, by: Rotation) -> Option<Action> {
    Some(match action {
        Action::Place { at, rotation } => {
            let hand = to.rules().tile(to.state().hand()?);
            Action::Place { at: turned_space(at, by), rotation: hand.canonical(rotation.then(by)) }
        }
        Action::Deploy { kind, segment, seat } => {
            Action::Deploy { kind, segment: turned_segment(from, to, segment, by)?, seat }
        }
        other => other,
    })
}
