//! The table: tiles go down, spaces open, features grow and join.

use crate::geometry::{Position, Rotation, Side};
use crate::grid::{Around, Cell};
use crate::ids::*;
use crate::printed::{Face, NO_SEGMENT, Part, TileDef};
use crate::ruleset::{Closes, Ruleset};
use crate::state::{Feature, MARKS, NO_MARKS, PlacedTile, Segment, Space, State};

/// What a placement did to the features of the table. Names may be of features that were joined since.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    /// Features that the tile is part of, or that it closed a side of, or that count it.
    pub touched: Vec<FeatureId>,
    /// Features that were there before and grew.
    pub extended: Vec<FeatureId>,
    /// Features that came of two or more.
    pub joined: Vec<FeatureId>,
}

impl Placement {
    fn clear(&mut self) {
        self.touched.clear();
        self.extended.clear();
        self.joined.clear();
    }
}

/// Which neighbours' features a tile's ports meet.
struct Meeting {
    /// The features across, by port.
    met: [FeatureId; 12],
    /// Ports that meet their own kind, a bit each.
    joins: u16,
    /// Ports with nothing across, a bit each.
    opens: u16,
}

/// Lays a tile onto an empty space; `None` if a tile lies there. Whether it fits is the caller's business.
pub(crate) fn place(
    rules: &Ruleset,
    state: &mut State,
    done: &mut Placement,
    def: TileDefId,
    at: Position,
    rotation: Rotation,
) -> Option<TileId> {
    let around = state.grid.around(at);
    if around.cells[4].as_tile().is_some() {
        return None;
    }
    let printed = rules.tile(def);
    let first = SegmentId(state.segments.len() as u32);
    let tile = TileId(state.tiles.push(PlacedTile { def, at, rotation, first }) as u16);
    let beside = [1, 5, 7, 3].map(|place| around.cells[place]);
    let counts_around = u64::from(printed.kind_bits) & rules.around_kinds != 0;
    let spot = state.grid.spot_of(&around, at);
    state.grid.put(spot, Cell::tile(tile, counts_around));
    update_spaces(state, &around, &beside, at, &printed.faces[rotation.index()]);
    done.clear();
    let meeting = meet_neighbours(rules, state, done, &beside, printed, rotation);
    for (local, part) in printed.parts.iter().enumerate() {
        lay_segment(
            rules,
            state,
            done,
            &meeting,
            part,
            Segment {
                feature: FeatureId::NONE,
                next: SegmentId::NONE,
                next_shared: SegmentId::NONE,
                tile,
                local: local as u8,
            },
        );
    }
    // Nothing counts farther than the eight spaces around its tile.
    if counts_around || around.cells.iter().any(|cell| cell.counts_around()) {
        count_around(rules, state, done, &around.cells, tile);
    }
    Some(tile)
}

/// Takes the filled space off the list and puts the new ones beside it on.
fn update_spaces(state: &mut State, around: &Around, beside: &[Cell; 4], at: Position, face: &Face) {
    let mut filled = around.cells[4].as_free();
    for side in Side::ALL {
        let digit = u16::from(face.edges[side.index()].0) + 1;
        let shift = side.opposite().index() * 4;
        let cell = beside[side.index()];
        if let Some(space) = cell.as_free() {
            state.spaces.edit(space).signature |= digit << shift;
        } else if cell == Cell::EMPTY {
            let next = at.neighbour(side);
            if !next.in_bounds() {
                continue;
            }
            let space = Space { at: next, signature: digit << shift };
            // The first new space takes the number of the one that was filled.
            let number = match filled.take() {
                Some(number) => {
                    *state.spaces.edit(number) = space;
                    number
                }
                None => state.spaces.push(space),
            };
            let spot = state.grid.spot_beside(around, side.index(), next);
            state.grid.put(spot, Cell::free(number));
        }
    }
    if let Some(number) = filled {
        state.spaces.swap_remove(number);
        if number < state.spaces.len() {
            let moved = state.grid.spot(state.spaces.get(number).at);
            state.grid.put(moved, Cell::free(number));
        }
    }
}

/// The number of a free space beside a tile.
pub(crate) fn find_space(state: &State, at: Position) -> Option<usize> {
    state.grid.get(at).as_free()
}

/// Finds what the ports of a tile meet, and closes what runs into something else.
fn meet_neighbours(
    rules: &Ruleset,
    state: &mut State,
    done: &mut Placement,
    beside: &[Cell; 4],
    printed: &TileDef,
    rotation: Rotation,
) -> Meeting {
    let mut meeting = Meeting { met: [FeatureId::NONE; 12], joins: 0, opens: 0 };
    let own = &printed.faces[rotation.index()].ports;
    for (side, cell) in beside.iter().enumerate() {
        let Some(neighbour) = cell.as_tile() else {
            meeting.opens |= 0b111 << (3 * side);
            continue;
        };
        let other = *state.tile(neighbour);
        let facing = &rules.tile(other.def).faces[other.rotation.index()].ports;
        let opposite = (side + 2) % 4 * 3 + 2;
        for place in 0..3 {
            let theirs = facing[opposite - place];
            if theirs == NO_SEGMENT {
                continue;
            }
            let port = 3 * side + place;
            let root = state.feature_of(SegmentId(other.first.0 + u32::from(theirs)));
            let kind = state.feature(root).kind;
            if printed.parts.get(own[port] as usize).is_some_and(|part| part.kind == kind) {
                meeting.met[port] = root;
                meeting.joins |= 1 << port;
            } else {
                state.features.edit(root.index()).open -= 1;
                done.touched.push(root);
            }
        }
    }
    meeting
}

/// Lays a segment into the feature it continues, or into one of its own.
fn lay_segment(
    rules: &Ruleset,
    state: &mut State,
    done: &mut Placement,
    meeting: &Meeting,
    part: &Part,
    laid: Segment,
) {
    let ports = part.ports[state.tile(laid.tile).rotation.index()];
    let opens = ones(ports & meeting.opens);
    let mut meets = ports & meeting.joins;
    let closes = ones(meets);
    let target = if meets == 0 {
        new_feature(state, part, opens, laid)
    } else {
        let mut target = FeatureId::NONE;
        let mut joined = false;
        while meets != 0 {
            let root = state.root(meeting.met[meets.trailing_zeros() as usize]);
            meets &= meets - 1;
            if target == FeatureId::NONE {
                target = root;
            } else if root != target {
                target = unite(rules, state, target, root);
                joined = true;
            }
        }
        continue_feature(state, part, target, opens, closes, laid);
        done.extended.push(target);
        if joined {
            done.joined.push(target);
        }
        target
    };
    if part.marked {
        let printed = rules.tile(state.tile(laid.tile).def);
        for (mark, count) in &printed.segments[laid.local as usize].marks {
            add_mark(rules, state, target, *mark, i32::from(*count));
        }
    }
    done.touched.push(target);
}

/// Bits of a mask of ports. A table, since not every machine we build for has an instruction for it.
fn ones(mask: u16) -> u32 {
    const ONES: [u8; 64] = {
        let mut ones = [0; 64];
        let mut bits = 1;
        while bits < 64 {
            ones[bits] = ones[bits / 2] + (bits & 1) as u8;
            bits += 1;
        }
        ones
    };
    u32::from(ONES[mask as usize & 63]) + u32::from(ONES[mask as usize >> 6 & 63])
}

fn new_feature(state: &mut State, part: &Part, open: u32, laid: Segment) -> FeatureId {
    let id = FeatureId(state.features.len() as u32);
    let segment = SegmentId(state.segments.len() as u32);
    state.segments.push(Segment { feature: id, next: segment, next_shared: segment, ..laid });
    state.features.push(Feature {
        parent: id,
        kind: part.kind,
        completed: false,
        head: segment,
        shared: if part.shared { segment } else { SegmentId::NONE },
        size: 1,
        tiles: 1,
        open,
        around: 0,
        claims: 0,
        figures: FigureId::NONE,
        marks: NO_MARKS,
    });
    id
}

/// Adds a segment to a feature: into its ring, into the ring of those that share their tile, and to its counts.
fn continue_feature(state: &mut State, part: &Part, target: FeatureId, opens: u32, closes: u32, laid: Segment) {
    let segment = SegmentId(state.segments.len() as u32);
    // An earlier segment of the tile may be in the feature already: the tile counts once (B-10).
    let first = state.tile(laid.tile).first.0;
    let counted = part.shared && (first..segment.0).any(|other| state.feature_of(SegmentId(other)) == target);
    let data = state.features.edit(target.index());
    let (head, shared) = (data.head, data.shared);
    data.size += 1;
    data.open = data.open + opens - closes;
    data.tiles += u16::from(!counted);
    let next = std::mem::replace(&mut state.segments.edit(head.index()).next, segment);
    let mut next_shared = segment;
    if part.shared {
        data.shared = segment;
        if let Some(ring) = shared.some() {
            next_shared = std::mem::replace(&mut state.segments.edit(ring.index()).next_shared, segment);
        }
    }
    state.segments.push(Segment { feature: target, next, next_shared, ..laid });
}

/// Counts a symbol for a feature, which gets a record for them with the first; a count never falls below 0.
pub(crate) fn add_mark(rules: &Ruleset, state: &mut State, feature: FeatureId, mark: MarkId, count: i32) {
    let data = *state.feature(feature);
    let Some(slot) = rules.mark_slot(data.kind, mark) else { return };
    let mut record = data.marks;
    if record == NO_MARKS {
        record = state.marks.push([0; MARKS]) as u32;
        state.features.edit(feature.index()).marks = record;
    }
    let counter = &mut state.marks.edit(record as usize)[slot as usize];
    *counter = (i32::from(*counter) + count).clamp(0, u16::MAX.into()) as u16;
}

/// Makes one feature of two; the larger takes the other in.
pub(crate) fn unite(rules: &Ruleset, state: &mut State, a: FeatureId, b: FeatureId) -> FeatureId {
    let (large, small) = if state.feature(a).size >= state.feature(b).size { (a, b) } else { (b, a) };
    let taken = *state.feature(small);
    let kept = *state.feature(large);
    let common = if rules.feature_kind(kept.kind).counts_tiles { common_tiles(state, small, large) } else { 0 };
    swap_rings(state, kept.head, taken.head);
    if kept.shared.some().is_some() && taken.shared.some().is_some() {
        swap_shared(state, kept.shared, taken.shared);
    }
    if let Some(tail) = last_figure(state, taken.figures) {
        state.figures.edit(tail.index()).next = kept.figures;
    }
    state.features.edit(small.index()).parent = large;
    let data = state.features.edit(large.index());
    data.size += taken.size;
    data.tiles += taken.tiles - common;
    data.open += taken.open;
    data.around += taken.around;
    data.claims += taken.claims;
    if data.shared == SegmentId::NONE {
        data.shared = taken.shared;
    }
    if taken.figures != FigureId::NONE {
        data.figures = taken.figures;
    }
    if data.marks == NO_MARKS {
        data.marks = taken.marks;
    } else if taken.marks != NO_MARKS {
        let (sum, more) = (data.marks as usize, state.marks.get(taken.marks as usize));
        for (sum, more) in state.marks.edit(sum).iter_mut().zip(more) {
            *sum = sum.saturating_add(more);
        }
    }
    large
}

fn swap_rings(state: &mut State, a: SegmentId, b: SegmentId) {
    let (after_a, after_b) = (state.segment(a).next, state.segment(b).next);
    state.segments.edit(a.index()).next = after_b;
    state.segments.edit(b.index()).next = after_a;
}

fn swap_shared(state: &mut State, a: SegmentId, b: SegmentId) {
    let (after_a, after_b) = (state.segment(a).next_shared, state.segment(b).next_shared);
    state.segments.edit(a.index()).next_shared = after_b;
    state.segments.edit(b.index()).next_shared = after_a;
}

fn last_figure(state: &State, first: FigureId) -> Option<FigureId> {
    let mut last = first.some()?;
    while let Some(next) = state.figure(last).next.some() {
        last = next;
    }
    Some(last)
}

/// Tiles with a segment in both features. Only tiles with several segments of the kind can be such.
fn common_tiles(state: &State, small: FeatureId, large: FeatureId) -> u16 {
    let (mut start, mut other) = (state.feature(small).shared, large);
    if start == SegmentId::NONE || state.feature(large).shared == SegmentId::NONE {
        return 0;
    }
    // Either ring finds them all; the one of the smaller feature is likely the shorter.
    if state.feature(small).size > state.feature(large).size {
        (start, other) = (state.feature(large).shared, small);
    }
    let mut tiles: Vec<TileId> = Vec::new();
    let mut at = start;
    loop {
        let data = *state.segment(at);
        let first = state.tile(data.tile).first;
        let end =
            state.tiles.items().get(data.tile.index() + 1).map_or(state.segments.len() as u32, |next| next.first.0);
        let shared = (first.0..end)
            .filter(|sibling| *sibling != at.0)
            .any(|sibling| state.feature_of(SegmentId(sibling)) == other);
        if shared && !tiles.contains(&data.tile) {
            tiles.push(data.tile);
        }
        at = data.next_shared;
        if at == start {
            return tiles.len() as u16;
        }
    }
}

/// Counts the tile for the features around it, and the tiles around for its own.
fn count_around(rules: &Ruleset, state: &mut State, done: &mut Placement, around: &[Cell; 9], tile: TileId) {
    let placed = *state.tile(tile);
    let at = |dx: i16, dy: i16| around[(4 + dx + 3 * dy) as usize].as_tile();
    for (index, kind) in rules.features.iter().enumerate() {
        let Closes::Around(offsets) = &kind.closes else { continue };
        let kind = FeatureKindId(index as u8);
        let own = rules.tile(placed.def).segments.iter().position(|segment| segment.kind == kind);
        for (dx, dy) in offsets {
            if let Some(other) = at(-dx, -dy)
                && rules.tile(state.tile(other).def).kind_bits >> kind.0 & 1 == 1
            {
                count_for(rules, state, done, other, kind);
            }
            if let Some(local) = own
                && at(*dx, *dy).is_some()
            {
                let feature = state.feature_of(SegmentId(placed.first.0 + local as u32));
                state.features.edit(feature.index()).around += 1;
            }
        }
    }
}

fn count_for(rules: &Ruleset, state: &mut State, done: &mut Placement, tile: TileId, kind: FeatureKindId) {
    let placed = *state.tile(tile);
    for (local, segment) in rules.tile(placed.def).segments.iter().enumerate() {
        if segment.kind == kind {
            let feature = state.feature_of(SegmentId(placed.first.0 + local as u32));
            state.features.edit(feature.index()).around += 1;
            done.touched.push(feature);
        }
    }
}
