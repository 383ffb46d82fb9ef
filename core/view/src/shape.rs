//! How kinds of features are printed. It follows from the tiles, not from names: what has halves beside it on a side is
//! a line, what fills a side is an area, what has only halves is ground, and what reaches no side is a point.

use trencavel_rules::ids::FeatureKindId;
use trencavel_rules::{PrintedSegment, Ruleset, Side, TileDef};

/// How segments of a kind are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// Runs to sides that have halves beside it.
    Line,
    /// Fills its sides.
    Area,
    /// Has only halves.
    Ground,
    /// Reaches no side.
    Point,
}

/// The shape of every kind.
pub(crate) struct Shapes {
    counts: Vec<[usize; 4]>,
    shapes: Vec<Shape>,
}

impl Shapes {
    pub(crate) fn of(rules: &Ruleset) -> Self {
        let counts: Vec<[usize; 4]> = rules.feature_kinds().map(|kind| count_shapes(rules, kind)).collect();
        let shapes = counts.iter().map(most).collect();
        Self { counts, shapes }
    }

    /// The shape in which most segments of the kind are printed.
    pub(crate) fn shape(&self, kind: FeatureKindId) -> Shape {
        self.shapes[kind.index()]
    }

    /// The place of a kind among those of its shape: 0 for the most frequent, of equals the first.
    pub(crate) fn rank(&self, kind: FeatureKindId) -> usize {
        let shape = self.shape(kind);
        let often = |index: usize| (std::cmp::Reverse(self.counts[index][shape as usize]), index);
        let same = (0..self.shapes.len()).filter(|index| self.shapes[*index] == shape);
        same.filter(|index| often(*index) < often(kind.index())).count()
    }
}

fn count_shapes(rules: &Ruleset, kind: FeatureKindId) -> [usize; 4] {
    let mut counts = [0; 4];
    for (_, tile) in rules.tiles() {
        for segment in tile.segments.iter().filter(|segment| segment.kind == kind) {
            counts[shape_on(tile, segment) as usize] += 1;
        }
    }
    counts
}

/// The shape seen most often; of equals the first.
fn most(counts: &[usize; 4]) -> Shape {
    let shapes = [Shape::Line, Shape::Area, Shape::Ground, Shape::Point];
    if counts.iter().all(|count| *count == 0) {
        return Shape::Point;
    }
    shapes.into_iter().max_by_key(|shape| (counts[*shape as usize], std::cmp::Reverse(*shape))).unwrap_or(Shape::Point)
}

/// How one segment is printed.
fn shape_on(tile: &TileDef, segment: &PrintedSegment) -> Shape {
    let has_halves =
        |side: &Side| tile.segments.iter().any(|other| other.halves.iter().any(|half| half.side() == *side));
    match (segment.sides.as_slice(), segment.halves.is_empty()) {
        ([], true) => Shape::Point,
        ([], false) => Shape::Ground,
        (sides, _) if sides.iter().any(has_halves) => Shape::Line,
        _ => Shape::Area,
    }
}
