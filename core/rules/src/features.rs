//! Questions about features: what they hold, what they touch, whether they are closed.

use crate::geometry::Position;
use crate::ids::*;
use crate::ruleset::{Closes, Ruleset};
use crate::state::{Anchor, Feature, NO_MARKS, State};

/// No open sides, ends or spaces around.
#[inline]
pub(crate) fn is_closed(rules: &Ruleset, feature: &Feature) -> bool {
    match &rules.feature_kind(feature.kind).closes {
        Closes::Sides => feature.open == 0,
        Closes::Around(offsets) => feature.around as usize == offsets.len(),
        Closes::Never => false,
    }
}

/// Closed in this part and not yet scored.
pub(crate) fn is_closing(rules: &Ruleset, feature: &Feature) -> bool {
    !feature.completed && rules.completing >> feature.kind.0 & 1 == 1 && is_closed(rules, feature)
}

/// How often a symbol is on a feature.
#[inline]
pub(crate) fn marks(rules: &Ruleset, state: &State, feature: &Feature, mark: MarkId) -> u16 {
    if feature.marks == NO_MARKS {
        return 0;
    }
    rules.mark_slot(feature.kind, mark).map_or(0, |slot| state.marks.at(feature.marks as usize)[slot as usize])
}

/// The features of which the placed tile's segments with this mark are part.
pub(crate) fn placed_with_mark(rules: &Ruleset, state: &State, mark: MarkId) -> impl Iterator<Item = FeatureId> {
    let tile = state.now.placed.some().map(|tile| *state.tile(tile));
    let segments = tile.map_or(&[][..], |tile| &rules.tile(tile.def).segments);
    segments.iter().enumerate().filter(move |(_, segment)| segment.marks.iter().any(|(other, _)| *other == mark)).map(
        move |(local, _)| {
            let first = tile.map_or(SegmentId::NONE, |tile| tile.first);
            state.feature_of(SegmentId(first.0 + local as u32))
        },
    )
}

/// The segments of a feature, in no particular order.
pub fn segments(state: &State, feature: FeatureId) -> impl Iterator<Item = SegmentId> {
    let head = state.feature(feature).head;
    let mut next = Some(head);
    std::iter::from_fn(move || {
        let current = next?;
        let after = state.segment(current).next;
        next = (after != head).then_some(after);
        Some(current)
    })
}

/// The figures on a feature, the last to come first.
pub fn figures_of(state: &State, feature: FeatureId) -> impl Iterator<Item = FigureId> {
    let mut next = state.feature(feature).figures.some();
    std::iter::from_fn(move || {
        let current = next?;
        next = state.figure(current).next.some();
        Some(current)
    })
}

/// The tile a figure stands on.
pub fn standing_on(rules: &Ruleset, state: &State, figure: FigureId) -> Option<TileId> {
    standing_within(rules, state, figure, state.neutrals)
}

/// Figures beside figures: a chain is never longer than there are neutral ones, and a circle stands nowhere.
fn standing_within(rules: &Ruleset, state: &State, figure: FigureId, left: u16) -> Option<TileId> {
    match state.figure(figure).at {
        Anchor::Seat { segment, seat } => (!rules.seat(seat).is_corner()).then(|| state.segment(segment).tile),
        Anchor::Tile(tile) => Some(tile),
        Anchor::Figure(other) => left.checked_sub(1).and_then(|left| standing_within(rules, state, other, left)),
        Anchor::Supply | Anchor::Held(_) | Anchor::Out => None,
    }
}

/// The figures that stand on a tile.
pub fn figures_on(rules: &Ruleset, state: &State, tile: TileId) -> impl Iterator<Item = FigureId> {
    state.figures().map(|(id, _)| id).filter(move |id| standing_on(rules, state, *id) == Some(tile))
}

/// The figures on a tile and in the four straight lines from it, as far as so many spaces away, whatever lies between.
pub fn figures_in_line(rules: &Ruleset, state: &State, tile: TileId, far: u16) -> impl Iterator<Item = FigureId> {
    let from = state.tile(tile).at;
    let in_line = move |tile: TileId| {
        let at = state.tile(tile).at;
        let (across, along) = (at.x.abs_diff(from.x), at.y.abs_diff(from.y));
        (across == 0 || along == 0) && across.max(along) <= far
    };
    let standing = state.figures().map(|(id, _)| (id, standing_on(rules, state, id)));
    standing.filter(move |(_, tile)| tile.is_some_and(in_line)).map(|(id, _)| id)
}

/// Distinct tiles of a feature (B-10).
pub fn tile_count(rules: &Ruleset, state: &State, feature: FeatureId) -> u16 {
    let data = state.feature(feature);
    if rules.feature_kind(data.kind).counts_tiles { data.tiles } else { tiles(state, feature).len() as u16 }
}

/// The tiles of a feature, each once, in the order of placement.
pub fn tiles(state: &State, feature: FeatureId) -> Vec<TileId> {
    let mut tiles: Vec<TileId> = segments(state, feature).map(|segment| state.segment(segment).tile).collect();
    tiles.sort_unstable();
    tiles.dedup();
    tiles
}

/// The features of one kind that meet a feature at a point of some tile, once for each meeting, in canonical order.
pub fn meetings(rules: &Ruleset, state: &State, feature: FeatureId, kind: FeatureKindId) -> Vec<FeatureId> {
    let mut found = related(rules, state, feature, kind, |rules, def, local| rules.tile(def).segments[local].links);
    found.extend(ended_by(rules, state, feature, kind));
    found.sort_unstable();
    found
}

/// Features on the tiles whose all-matching edges end this one.
fn ended_by(rules: &Ruleset, state: &State, feature: FeatureId, kind: FeatureKindId) -> Vec<FeatureId> {
    if !rules.edges.iter().any(|edge| edge.matches_all) {
        return Vec::new();
    }
    let ends = segments(state, feature).flat_map(|segment| ends_of(rules, state, segment));
    ends.filter(|found| state.feature(*found).kind == kind).collect()
}

/// True if an all-matching edge ends the segment at a tile that holds the feature.
pub(crate) fn ends_at(rules: &Ruleset, state: &State, segment: SegmentId, feature: FeatureId) -> bool {
    ends_of(rules, state, segment).contains(&feature)
}

/// Every feature on the tiles whose all-matching edges end a segment.
fn ends_of(rules: &Ruleset, state: &State, segment: SegmentId) -> Vec<FeatureId> {
    let data = state.segment(segment);
    let tile = state.tile(data.tile);
    let mut found = Vec::new();
    for side in &rules.tile(tile.def).segments[data.local as usize].sides {
        let side = side.turned(tile.rotation);
        let Some(other) = state.tile_at(tile.at.neighbour(side)).map(|other| *state.tile(other)) else { continue };
        let edge = rules.tile(other.def).edge(other.rotation, side.opposite());
        if rules.edges[edge.index()].matches_all {
            let segments = 0..rules.tile(other.def).segments.len() as u32;
            found.extend(segments.map(|local| state.feature_of(SegmentId(other.first.0 + local))));
        }
    }
    found
}

/// The features of one kind that lie on a tile of a feature, once for each segment, in canonical order.
pub fn neighbours(rules: &Ruleset, state: &State, feature: FeatureId, kind: FeatureKindId) -> Vec<FeatureId> {
    related(rules, state, feature, kind, |_, _, local| !(1 << local))
}

/// The features of one kind that a feature borders, each once, in canonical order.
pub fn bordered(rules: &Ruleset, state: &State, feature: FeatureId, kind: FeatureKindId) -> Vec<FeatureId> {
    let mut found = related(rules, state, feature, kind, |rules, def, local| rules.tile(def).segments[local].borders);
    found.dedup();
    found
}

fn related(
    rules: &Ruleset,
    state: &State,
    feature: FeatureId,
    kind: FeatureKindId,
    others: impl Fn(&Ruleset, TileDefId, usize) -> u32,
) -> Vec<FeatureId> {
    let mut found = Vec::new();
    for segment in segments(state, feature) {
        let data = state.segment(segment);
        let tile = state.tile(data.tile);
        let mut mask = others(rules, tile.def, data.local as usize);
        let printed = &rules.tile(tile.def).segments;
        while mask != 0 {
            let local = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            if local >= printed.len() {
                break;
            }
            if printed[local].kind == kind {
                found.push(state.feature_of(SegmentId(tile.first.0 + local as u32)));
            }
        }
    }
    found.sort_unstable();
    found
}

/// The place by which a feature is listed: its northernmost, then westernmost tile, and the segment there.
pub fn place(state: &State, feature: FeatureId) -> (Position, u8) {
    segments(state, feature)
        .map(|segment| {
            let data = state.segment(segment);
            (state.tile(data.tile).at, data.local)
        })
        .min()
        .unwrap_or_default()
}
