//! Which character stands for which kind of feature.

use trencavel_rules::ids::FeatureKindId;
use trencavel_rules::{Ruleset, State, short};

use super::canvas::Ink;
pub(crate) use crate::shape::Shape;
use crate::shape::Shapes;

/// What a kind is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pen {
    /// Box-drawing lines.
    Rule,
    /// This character everywhere.
    Letter(char),
}

impl Shape {
    pub(crate) fn ink(self) -> Ink {
        match self {
            Self::Line => Ink::Line,
            Self::Area => Ink::Area,
            Self::Ground => Ink::Ground,
            Self::Point => Ink::Point,
        }
    }
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
        let shapes = Shapes::of(rules);
        let pen = |kind: FeatureKindId| {
            let shape = shapes.shape(kind);
            let usual = USUAL.iter().find(|(of, _)| *of == shape && shapes.rank(kind) == 0);
            (shape, usual.map_or_else(|| Pen::Letter(initial(rules.feature_name(kind), shape)), |(_, pen)| *pen))
        };
        Self { kinds: rules.feature_kinds().map(pen).collect() }
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
