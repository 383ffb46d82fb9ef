//! Where things are, in both tongues: locations on the board as the other engine writes them, and our segments.

use trencavel_rules::geometry::HalfEdge;
use trencavel_rules::ids::{FeatureKindId, FigureId, SeatId, SegmentId, TileId};
use trencavel_rules::{Anchor, Position, PrintedSegment, Rotation, Ruleset, Side, State, short};

use crate::file::Pointer;
use crate::table::Table;

/// What looks up places needs: names, rules, and the table as it lies.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    pub table: &'a Table,
    pub rules: &'a Ruleset,
    pub state: &'a State,
}

/// The name of the sides a part of a feature runs to: `NS`, `_E`, `NWSE`.
fn sides_name(sides: &[Side]) -> String {
    let has = |side| sides.contains(&side);
    let mut name: String = match (has(Side::North), has(Side::South)) {
        (true, true) => "NS",
        (true, false) => "N",
        (false, true) => "S",
        (false, false) => "",
    }
    .to_owned();
    match sides.len() {
        4 => return "NWSE".to_owned(),
        3 => {
            let missing = Side::ALL.into_iter().find(|side| !has(*side)).map_or(String::new(), |side| side.to_string());
            return format!("_{missing}");
        }
        _ => {}
    }
    name.push_str(match (has(Side::West), has(Side::East)) {
        (true, true) => "WE",
        (true, false) => "W",
        (false, true) => "E",
        (false, false) => "",
    });
    name
}

/// The name of half-edges, in the other engine's order, which is ours.
fn halves_name(halves: &[HalfEdge]) -> String {
    let mut halves = halves.to_vec();
    halves.sort_unstable();
    halves.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")
}

/// The location of a printed segment after turning; `inner` counts the earlier ones of its kind without edges.
fn location(segment: &PrintedSegment, rotation: Rotation, inner: usize) -> String {
    if !segment.halves.is_empty() {
        let halves: Vec<HalfEdge> = segment.halves.iter().map(|half| half.turned(rotation)).collect();
        return halves_name(&halves);
    }
    if segment.sides.is_empty() {
        return "I".repeat(inner + 1);
    }
    let sides: Vec<Side> = segment.sides.iter().map(|side| side.turned(rotation)).collect();
    sides_name(&sides)
}

impl Places<'_> {
    /// Where a segment lies on the board.
    pub fn location(&self, tile: TileId, local: usize) -> String {
        let placed = self.state.tile(tile);
        let segments = &self.rules.tile(placed.def).segments;
        let Some(segment) = segments.get(local) else { return String::new() };
        let closed_in =
            |other: &&PrintedSegment| other.kind == segment.kind && other.sides.is_empty() && other.halves.is_empty();
        location(segment, placed.rotation, segments[..local].iter().filter(closed_in).count())
    }

    fn kinds(&self, word: &str) -> impl Iterator<Item = FeatureKindId> {
        self.table.feature(word).iter().filter_map(|name| self.rules.feature_by_name(name))
    }

    /// The segment by which the other engine names a seat: for one on a corner, that of the tile south-east of it.
    pub fn named_by(&self, segment: SegmentId, seat: SeatId) -> SegmentId {
        let Some([dx, dy]) = self.table.corner(short(self.rules.seat_name(seat))) else { return segment };
        let (tile, _) = self.state.segment_place(segment);
        let corner = self.state.tile_at(self.state.tile(tile).at.offset(dx, dy));
        let found = corner.and_then(|tile| Some(self.state.segment_on(tile, self.north_west(tile)?)));
        found.unwrap_or(segment)
    }

    /// The segment in the north-west corner of a tile as it lies.
    fn north_west(&self, tile: TileId) -> Option<usize> {
        let placed = self.state.tile(tile);
        let corner = HalfEdge::left(Side::North);
        let fills = |segment: &PrintedSegment| segment.halves.iter().any(|half| half.turned(placed.rotation) == corner);
        self.rules.tile(placed.def).segments.iter().position(fills)
    }

    /// True if a segment is the one a pointer means.
    pub fn is_at(&self, segment: SegmentId, pointer: &Pointer) -> bool {
        let (tile, local) = self.state.segment_place(segment);
        let kind = self.state.kind_of(self.state.feature_of(segment));
        self.state.tile(tile).at == pointer.at
            && self.kinds(&pointer.feature).any(|other| other == kind)
            && (self.table.seat(&pointer.location).is_some() || self.location(tile, local) == pointer.location)
    }

    /// A seat as sentences write it, without brackets: `Monastery,AS_ABBOT,[0,-1]`.
    pub fn seat_words(&self, segment: SegmentId, seat: SeatId) -> String {
        self.segment_words(self.named_by(segment, seat), Some(short(self.rules.seat_name(seat))))
    }

    /// A segment as sentences write it, without brackets: `City,S,[0,-1]`.
    pub fn segment_words(&self, segment: SegmentId, seat: Option<&str>) -> String {
        let (tile, local) = self.state.segment_place(segment);
        let kind = self.rules.feature_name(self.state.kind_of(self.state.feature_of(segment)));
        let word = self.table.feature_word(kind).unwrap_or(kind);
        let by_seat = seat.and_then(|seat| self.table.seat_location(seat)).map(str::to_owned);
        let location = by_seat.unwrap_or_else(|| self.location(tile, local));
        format!("{word},{location},{}", space_words(self.state.tile(tile).at))
    }

    /// The tile a figure stands on.
    pub fn tile_of(&self, figure: FigureId) -> Option<TileId> {
        trencavel_rules::features::standing_on(self.rules, self.state, figure)
    }

    /// True if a figure stands where a pointer says.
    pub fn stands_at(&self, figure: FigureId, pointer: &Pointer) -> bool {
        match self.state.figure(figure).at {
            Anchor::Seat { segment, seat } => self.is_at(self.named_by(segment, seat), pointer),
            _ => self.tile_of(figure).is_some_and(|tile| self.state.tile(tile).at == pointer.at),
        }
    }

    /// A figure as sentences write it, without brackets and number: `0.small,Road,WE,[-1,0]`.
    pub fn figure_words(&self, figure: FigureId) -> String {
        let data = self.state.figure(figure);
        let name = &*self.rules.figure_kind(data.kind).name;
        let kind = self.table.figure_class(name).map_or(short(name), |(word, _)| word);
        let owner = data.owner().map_or(String::new(), |owner| format!("{owner}."));
        let place = match data.at {
            Anchor::Seat { segment, seat } => {
                format!(",{}", self.seat_words(segment, seat))
            }
            _ => {
                self.tile_of(figure).map_or(String::new(), |tile| format!(",{}", space_words(self.state.tile(tile).at)))
            }
        };
        format!("{owner}{kind}{place}")
    }
}

/// A space as sentences write it.
pub(crate) fn space_words(at: Position) -> String {
    format!("[{},{}]", at.x, at.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_sides(sides: &str, name: &str) {
        let sides: Vec<Side> = sides.chars().filter_map(|side| side.to_string().parse().ok()).collect();
        assert_eq!(sides_name(&sides), name);
    }

    #[test]
    fn sides_have_one_name_each() {
        for (sides, name) in
            [("N", "N"), ("EN", "NE"), ("SE", "SE"), ("WS", "SW"), ("WN", "NW"), ("SN", "NS"), ("EW", "WE")]
        {
            check_sides(sides, name);
        }
        for (sides, name) in [("ESW", "_N"), ("NSW", "_E"), ("NEW", "_S"), ("NES", "_W"), ("NESW", "NWSE")] {
            check_sides(sides, name);
        }
    }

    #[test]
    fn halves_are_listed_in_their_order() {
        let halves: Vec<HalfEdge> = ["WR", "NL", "EL"].iter().filter_map(|half| half.parse().ok()).collect();
        assert_eq!(halves_name(&halves), "NL.EL.WR");
    }
}
