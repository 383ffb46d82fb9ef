//! How much of everything there is room for: handles are small numbers, and sets of handles are words of 64 bits.

use std::collections::BTreeSet;

use super::names::{Names, Room};
use super::{Declaration, DeclareError, Problem, RulesetBuilder};
use crate::tile::SEGMENTS;
use crate::words::DeclKind;

/// Bits of a set of handles.
const SET: usize = 64;
/// Handles of eight bits, without the one that means "none".
const SHORT: usize = 255;
/// Handles of sixteen bits, with some to spare.
const LONG: usize = 60_000;
/// Tiles of a game: their numbers have sixteen bits, with some to spare.
pub const MAX_TILES: usize = 20_000;

/// Reports everything of which there is more than the engine has room for.
pub(super) fn check(builder: &RulesetBuilder, names: &Names, errors: &mut Vec<DeclareError>) {
    let rooms = [
        (Room::Seat, "seats", SET),
        (Room::Figure, "kinds of figure", SET),
        (Room::Feature, "kinds of feature", SET / 2),
        (Room::Mark, "marks", SET),
        (Room::Edge, "kinds of edge", SET),
        (Room::Token, "kinds of token", SHORT),
    ];
    for (room, what, limit) in rooms {
        if let Some(name) = names.room(room).get(limit) {
            let first = builder.declared.iter().find(|declaration| brings(declaration, room, name));
            errors.push(too_many(first, what, limit));
        }
    }
    let copies = || builder.copies.iter();
    let piles: BTreeSet<&str> = copies().map(|copies| copies.pile.as_str()).collect();
    let tiles: usize = copies().map(|copies| usize::from(copies.count.min(copies.limit.unwrap_or(u16::MAX)))).sum();
    let counted = [
        (builder.expansions.len(), "expansions", SHORT),
        (names.causes.len(), "causes", SET),
        (names.roles.len(), "roles", SET),
        (names.tags.len(), "tags", SHORT),
        (piles.len(), "piles", SHORT),
        (builder.tiles.len(), "designs of tiles", LONG),
        (tiles, "tiles", MAX_TILES),
    ];
    let over = counted.into_iter().filter(|(count, _, limit)| count > limit);
    errors.extend(over.map(|(_, what, limit)| too_many(None, what, limit)));
    for (_, tile) in builder.tiles.iter().filter(|(_, tile)| tile.segments.len() > SEGMENTS) {
        let problem = Problem::TooMany { what: "segments", limit: SEGMENTS };
        errors.push(DeclareError { what: Some(format!("tile \"{}\"", tile.id)), place: None, problem });
    }
    if builder.declared.len() > LONG {
        errors.push(too_many(builder.declared.get(LONG), "declarations", LONG));
    }
}

/// True if this declaration declares that name.
fn brings(declaration: &Declaration, room: Room, name: &str) -> bool {
    let Some((expansion, id)) = name.split_once(':') else { return false };
    let listed = || declaration.fields.get("seats").is_some_and(|seats| seats.get(id).is_some());
    let declares = match room {
        Room::Seat => match declaration.kind {
            DeclKind::Feature => declaration.id == id || listed(),
            DeclKind::Extend => listed(),
            _ => false,
        },
        _ => Room::of(declaration.kind) == Some(room) && declaration.id == id,
    };
    declares && declaration.expansion == expansion
}

fn too_many(first: Option<&Declaration>, what: &'static str, limit: usize) -> DeclareError {
    DeclareError {
        what: first.map(|declaration| format!("{} \"{}\"", declaration.kind, declaration.id)),
        place: first.map(|declaration| declaration.source.clone()),
        problem: Problem::TooMany { what, limit },
    }
}
