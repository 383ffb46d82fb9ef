//! The outlines of areas and the courses of lines, from the sides they reach.

use trencavel_rules::Side;

use super::curve::{CENTRE, Path, Spot};

/// How deep an area of one side reaches into the tile.
const CAP: f64 = 31.0;
/// How deep the ground of a side reaches that lies between two sides of an area, and if it holds another area.
const BAY: f64 = 28.0;
const WIDE_BAY: f64 = 40.0;

/// The edge of an area: where it fills sides, and the walls between.
pub(crate) struct Outline {
    pub(crate) edge: Path,
    pub(crate) walls: Vec<Path>,
}

impl Outline {
    /// The outline of an area that fills `sides`; other areas fill `others`.
    pub(crate) fn of(sides: &[Side], others: &[Side]) -> Self {
        let mut sides = sides.to_vec();
        sides.sort_unstable();
        let first = sides.first().copied().unwrap_or(Side::North);
        let mut outline = Self { edge: Path::from(Spot::new(0.0, 0.0).towards(first)), walls: Vec::new() };
        for (number, side) in sides.iter().enumerate() {
            let next = sides[(number + 1) % sides.len()];
            outline.edge = outline.edge.line(Spot::new(100.0, 0.0).towards(*side));
            let missing = if sides.len() == 1 { 3 } else { (next.index() + 3 - side.index()) % 4 };
            if missing > 0 {
                let wall = wall(*side, missing, others);
                outline.edge = outline.edge.then(&wall);
                outline.walls.push(wall);
            }
        }
        outline
    }

    pub(crate) fn spots(&self) -> Vec<Spot> {
        self.edge.samples()
    }

    pub(crate) fn wall_spots(&self) -> impl Iterator<Item = Spot> {
        self.walls.iter().flat_map(Path::samples)
    }
}

/// The wall that begins at the end of `side` and leaves out so many sides.
fn wall(side: Side, missing: usize, others: &[Side]) -> Path {
    match missing {
        1 => {
            let open = Side::from_index(side.index() + 1);
            let depth = if others.contains(&open) { WIDE_BAY } else { BAY };
            bay(depth).towards(open)
        }
        2 => Path::from(Spot::new(100.0, 0.0))
            .curve([Spot::new(66.0, 20.0), Spot::new(20.0, 66.0), Spot::new(0.0, 100.0)])
            .towards(side),
        _ => Path::from(Spot::new(100.0, 0.0))
            .curve([Spot::new(70.0, 26.0), Spot::new(64.0, CAP), Spot::new(50.0, CAP)])
            .curve([Spot::new(36.0, CAP), Spot::new(30.0, 26.0), Spot::new(0.0, 0.0)])
            .towards(side),
    }
}

/// The edge of the ground of the north side, from the west.
fn bay(depth: f64) -> Path {
    Path::from(Spot::new(0.0, 0.0))
        .curve([Spot::new(30.0, depth * 0.85), Spot::new(36.0, depth), Spot::new(50.0, depth)])
        .curve([Spot::new(64.0, depth), Spot::new(70.0, depth * 0.85), Spot::new(100.0, 0.0)])
}

/// The course of a line from the middle of a side to a place.
pub(crate) fn entry(side: Side, to: Spot) -> Path {
    let from = Spot::new(50.0, 0.0).towards(side);
    let ahead = Spot::new(50.0, (from.distance(to) * 0.4).min(20.0)).towards(side);
    // A slight bend: nobody builds straight.
    let bend =
        Spot::new((ahead.x + to.x) / 2.0 + (to.y - ahead.y) * 0.14, (ahead.y + to.y) / 2.0 - (to.x - ahead.x) * 0.14);
    Path::from(from).curve([ahead, bend, to])
}

/// The courses of a line that joins several sides.
pub(crate) fn joined(sides: &[Side]) -> Vec<Path> {
    let mut sides = sides.to_vec();
    sides.sort_unstable();
    match sides[..] {
        [a, b] if b == a.opposite() => vec![winding().towards(a)],
        [a, b] if b.index() == a.index() + 1 => vec![bend().towards(a)],
        [a, b] => vec![bend().towards(if a.index() + 1 == b.index() { a } else { b })],
        _ => sides.iter().map(|side| entry(*side, CENTRE)).collect(),
    }
}

/// From north to south.
fn winding() -> Path {
    Path::from(Spot::new(50.0, 0.0)).curve([Spot::new(50.0, 20.0), Spot::new(42.0, 32.0), CENTRE]).curve([
        Spot::new(58.0, 68.0),
        Spot::new(50.0, 80.0),
        Spot::new(50.0, 100.0),
    ])
}

/// From north to east.
fn bend() -> Path {
    Path::from(Spot::new(50.0, 0.0)).curve([Spot::new(48.0, 30.0), Spot::new(70.0, 48.0), Spot::new(100.0, 50.0)])
}
