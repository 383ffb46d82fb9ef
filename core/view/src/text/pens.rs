//! Which character stands for which kind of feature.

use trencavel_rules::ids::FeatureKindId;
use trencavel_rules::{PrintedSegment, Ruleset, Side, State, TileDef, short};

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

/// What a kind is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pen {
    /// Box-drawing lines.
    Rule,
    /// This character everywhere.
    Letter(char),
}

/// The pens of every kind.
pub(crate) struct Pens {
    kinds: Vec<(Shape, Pen)>,
}

/// The usual pens, for the most frequent kind of each shape; further kinds have their initial.
const USUAL: [(Shape, Pen); 3] =
    [(Shape::Line, Pen::Rule), (Shape::Area, Pen::Letter('█')), (Shape::Ground, Pen::Letter('.'))];

impl Pens {
    pub(crate) fn of(rules: &Ruleset) -> Self {
        let counts: Vec<[usize; 4]> = rules.feature_kinds().map(|kind| count_shapes(rules, kind)).collect();
        let shapes: Vec<Shape> = counts.iter().map(most).collect();
        let mut kinds: Vec<(Shape, Pen)> = rules
            .feature_kinds()
            .zip(&shapes)
            .map(|(kind, shape)| (*shape, Pen::Letter(initial(rules.feature_name(kind), *shape))))
            .collect();
        for (shape, pen) in USUAL {
            let of_shape = (0..kinds.len()).filter(|index| shapes[*index] == shape);
            if let Some(index) =
                of_shape.max_by_key(|index| (counts[*index][shape as usize], std::cmp::Reverse(*index)))
            {
                kinds[index].1 = pen;
            }
        }
        Self { kinds }
    }

    pub(crate) fn shape(&self, kind: FeatureKindId) -> Shape {
        self.kinds[kind.index()].0
    }

    pub(crate) fn pen(&self, kind: FeatureKindId) -> Pen {
        self.kinds[kind.index()].1
    }

    /// A line that names every kind and symbol on the table.
    pub(crate) fn legend(&self, rules: &Ruleset, state: &State) -> String {
        let seen = |kind: FeatureKindId| {
            state.tiles().any(|(_, tile)| rules.tile(tile.def).segments.iter().any(|segment| segment.kind == kind))
        };
        let mut words: Vec<String> = Vec::new();
        for kind in rules.feature_kinds().filter(|kind| seen(*kind)) {
            let sign = match self.pen(kind) {
                Pen::Rule => '─',
                Pen::Letter(letter) => letter,
            };
            words.push(format!("{sign} {}", short(rules.feature_name(kind))));
        }
        let mut marks: Vec<_> = state
            .tiles()
            .flat_map(|(_, placed)| {
                let tile = rules.tile(placed.def);
                tile.segments.iter().flat_map(|segment| &segment.marks).chain(&tile.marks).map(|(mark, _)| *mark)
            })
            .collect();
        marks.sort_unstable();
        marks.dedup();
        words.extend(marks.into_iter().map(|mark| {
            let name = rules.mark_name(mark);
            format!("{} {}", mark_letter(name), short(name))
        }));
        format!("     {}\n", words.join("   "))
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

/// Lines and ground in small letters, areas and points in capitals.
fn initial(name: &str, shape: Shape) -> char {
    let letter = short(name).chars().next().unwrap_or('?');
    match shape {
        Shape::Line | Shape::Ground => letter.to_ascii_lowercase(),
        Shape::Area | Shape::Point => letter.to_ascii_uppercase(),
    }
}

/// The letter that stands for a symbol.
pub(crate) fn mark_letter(name: &str) -> char {
    short(name).chars().next().unwrap_or('?').to_ascii_lowercase()
}
