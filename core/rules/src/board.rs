//! The table: tiles go down, spaces open, features grow and join.

use crate::geometry::{Position, Rotation, Side};
use crate::ids::*;
use crate::printed::NO_SEGMENT;
use crate::ruleset::{Closes, Ruleset};
use crate::state::{Feature, MARKS, NO_MARKS, PlacedTile, Segment, Space, State};

/// What a placement did to the features of the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    /// Features that the tile is part of, or that it closed a side of, or that count it.
    pub touched: Vec<FeatureId>,
    /// Features that were there before and grew.
    pub extended: Vec<FeatureId>,
    /// Features that came of two or more.
    pub joined: Vec<FeatureId>,
    /// Work space: for each segment of the tile, the neighbours' segments it meets.
    met: Vec<(u8, SegmentId)>,
    opens: [u16; 32],
}

/// Lays a tile onto an empty space. Whether it fits is the caller's business.
pub(crate) fn place(
    rules: &Ruleset,
    state: &mut State,
    done: &mut Placement,
    def: TileDefId,
    at: Position,
    rotation: Rotation,
) -> TileId {
    let printed = rules.tile(def);
    let first = SegmentId(state.segments.len() as u32);
    let tile = TileId(state.tiles.push(PlacedTile { def, at, rotation, first }) as u16);
    let around = state.grid.around(at);
    let beside = [around[1], around[5], around[7], around[3]];
    state.grid.put(at, tile);
    update_spaces(rules, state, &beside, tile);
    done.clear();
    meet_neighbours(rules, state, done, &beside, tile);
    for local in 0..printed.segments.len() as u8 {
        lay_segment(rules, state, done, tile, local);
    }
    if rules.around_kinds != 0 {
        count_around(rules, state, done, &around, tile);
    }
    done.finish(state);
    tile
}

impl Placement {
    fn clear(&mut self) {
        self.touched.clear();
        self.extended.clear();
        self.joined.clear();
        self.met.clear();
        self.opens = [0; 32];
    }

    /// Names every feature by its root and only once.
    fn finish(&mut self, state: &State) {
        for list in [&mut self.touched, &mut self.extended, &mut self.joined] {
            for feature in list.iter_mut() {
                *feature = state.root(*feature);
            }
            list.sort_unstable();
            list.dedup();
        }
    }
}

/// Tiles across the four sides, clockwise from the north.
type Beside = [Option<TileId>; 4];

fn update_spaces(rules: &Ruleset, state: &mut State, beside: &Beside, tile: TileId) {
    let placed = *state.tile(tile);
    if let Ok(index) = find_space(state, placed.at) {
        state.spaces.remove(index);
    }
    let face = &rules.tile(placed.def).faces[placed.rotation.index()];
    for side in Side::ALL {
        let next = placed.at.neighbour(side);
        if beside[side.index()].is_some() || !next.in_bounds() {
            continue;
        }
        let digit = u16::from(face.edges[side.index()].0) + 1;
        let shift = side.opposite().index() * 4;
        match find_space(state, next) {
            Ok(index) => state.spaces.edit(index).signature |= digit << shift,
            Err(index) => state.spaces.insert(index, Space { at: next, signature: digit << shift }),
        }
    }
}

/// The index of a space, or where it would be.
pub(crate) fn find_space(state: &State, at: Position) -> Result<usize, usize> {
    state.spaces.items().binary_search_by_key(&at, |space| space.at)
}

/// Closes the neighbours' ports and notes which of their segments continue on the new tile.
fn meet_neighbours(rules: &Ruleset, state: &mut State, done: &mut Placement, beside: &Beside, tile: TileId) {
    let placed = *state.tile(tile);
    let face = &rules.tile(placed.def).faces[placed.rotation.index()];
    for side in Side::ALL {
        let ports = &face.ports[side.index() * 3..side.index() * 3 + 3];
        let Some(neighbour) = beside[side.index()] else {
            for port in ports.iter().filter(|port| **port != NO_SEGMENT) {
                done.opens[*port as usize] += 1;
            }
            continue;
        };
        let other = *state.tile(neighbour);
        let facing = &rules.tile(other.def).faces[other.rotation.index()].ports;
        for (place, own) in ports.iter().enumerate() {
            let theirs = facing[side.opposite().index() * 3 + 2 - place];
            if theirs == NO_SEGMENT {
                continue;
            }
            let segment = SegmentId(other.first.0 + u32::from(theirs));
            let root = state.feature_of(segment);
            state.features.edit(root.index()).open -= 1;
            done.touched.push(root);
            let same_kind =
                *own != NO_SEGMENT && rules.tile(placed.def).segments[*own as usize].kind == state.feature(root).kind;
            if same_kind {
                done.met.push((*own, segment));
            }
        }
    }
}

fn lay_segment(rules: &Ruleset, state: &mut State, done: &mut Placement, tile: TileId, local: u8) {
    let printed = &rules.tile(state.tile(tile).def).segments[local as usize];
    let segment = SegmentId(state.segments.len() as u32);
    let mut target = FeatureId::NONE;
    let mut joined = false;
    for index in 0..done.met.len() {
        let (own, met) = done.met[index];
        if own != local {
            continue;
        }
        let root = state.feature_of(met);
        if target == FeatureId::NONE {
            target = root;
        } else if root != target {
            target = unite(state, target, root);
            joined = true;
        }
    }
    let extends = target != FeatureId::NONE;
    if !extends {
        target = new_feature(state, printed.kind, segment);
    }
    let before = state.feature(target);
    let (head, shared) = (before.head, before.shared);
    let counted = printed.shared && sibling_in(rules, state, tile, local, target);
    let next = if extends { state.segment(head).next } else { segment };
    let next_shared = match shared.some() {
        Some(ring) if printed.shared => state.segment(ring).next_shared,
        _ => segment,
    };
    state.segments.push(Segment { feature: target, next, next_shared, tile, local });
    if extends {
        state.segments.edit(head.index()).next = segment;
    }
    let data = state.features.edit(target.index());
    data.size += 1;
    data.open += done.opens[local as usize];
    data.tiles += u16::from(!counted);
    if printed.shared {
        data.shared = segment;
    }
    if printed.shared
        && let Some(ring) = shared.some()
    {
        state.segments.edit(ring.index()).next_shared = segment;
    }
    if !printed.marks.is_empty() {
        add_marks(rules, state, target, &printed.marks);
    }
    done.touched.push(target);
    if extends {
        done.extended.push(target);
    }
    if joined {
        done.joined.push(target);
    }
}

/// Counts printed symbols for a feature, which gets a record for them with the first.
fn add_marks(rules: &Ruleset, state: &mut State, feature: FeatureId, printed: &[(MarkId, u16)]) {
    let data = *state.feature(feature);
    let mut record = data.marks;
    for (mark, count) in printed {
        let Some(slot) = rules.mark_slot(data.kind, *mark) else { continue };
        if record == NO_MARKS {
            record = state.marks.push([0; MARKS]) as u32;
            state.features.edit(feature.index()).marks = record;
        }
        let sum = &mut state.marks.edit(record as usize)[slot as usize];
        *sum = sum.saturating_add(*count);
    }
}

fn new_feature(state: &mut State, kind: FeatureKindId, head: SegmentId) -> FeatureId {
    let id = FeatureId(state.features.len() as u32);
    state.features.push(Feature {
        parent: id,
        kind,
        completed: false,
        head,
        shared: SegmentId::NONE,
        size: 0,
        tiles: 0,
        open: 0,
        around: 0,
        claims: 0,
        figures: FigureId::NONE,
        marks: NO_MARKS,
    });
    id
}

/// True if an earlier segment of the tile is already in the feature: the tile counts once (B-10).
fn sibling_in(rules: &Ruleset, state: &State, tile: TileId, local: u8, feature: FeatureId) -> bool {
    let placed = state.tile(tile);
    let segments = &rules.tile(placed.def).segments;
    (0..local).any(|other| {
        segments[other as usize].kind == segments[local as usize].kind
            && state.feature_of(SegmentId(placed.first.0 + u32::from(other))) == feature
    })
}

/// Makes one feature of two; the larger takes the other in.
pub(crate) fn unite(state: &mut State, a: FeatureId, b: FeatureId) -> FeatureId {
    let (large, small) = if state.feature(a).size >= state.feature(b).size { (a, b) } else { (b, a) };
    let common = common_tiles(state, small, large);
    let taken = *state.feature(small);
    let kept = *state.feature(large);
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
fn count_around(rules: &Ruleset, state: &mut State, done: &mut Placement, around: &[Option<TileId>; 9], tile: TileId) {
    let placed = *state.tile(tile);
    // The ring is next door; what reaches farther has to be looked up.
    let at = |state: &State, dx: i16, dy: i16| match (dx, dy) {
        (-1..=1, -1..=1) => around[(4 + dx + 3 * dy) as usize],
        _ => state.grid.get(placed.at.offset(dx, dy)),
    };
    for (index, kind) in rules.features.iter().enumerate() {
        let Closes::Around(offsets) = &kind.closes else { continue };
        let kind = FeatureKindId(index as u8);
        let own = rules.tile(placed.def).segments.iter().position(|segment| segment.kind == kind);
        for (dx, dy) in offsets {
            if let Some(other) = at(state, -dx, -dy)
                && rules.tile(state.tile(other).def).kind_bits >> kind.0 & 1 == 1
            {
                count_for(rules, state, done, other, kind);
            }
            if let Some(local) = own
                && at(state, *dx, *dy).is_some()
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
