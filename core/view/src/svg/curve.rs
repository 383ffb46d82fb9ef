//! Points and paths in the square of a tile, 100 units wide.

use std::fmt::Write as _;

use trencavel_rules::{Rotation, Side};

/// A place on a tile: units east and south of its north-west corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// The middle of a tile.
pub(crate) const CENTRE: Spot = Spot::new(50.0, 50.0);

impl Spot {
    pub(crate) const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The place after the tile was turned.
    pub(crate) fn turned(self, rotation: Rotation) -> Self {
        (0..rotation.index()).fold(self, |spot, _| Self::new(100.0 - spot.y, spot.x))
    }

    /// The place after the tile was turned so that its north lies at `side`.
    pub(crate) fn towards(self, side: Side) -> Self {
        self.turned(Rotation::from_quarters(side.index()))
    }

    pub(crate) fn distance(self, other: Self) -> f64 {
        let (dx, dy) = (self.x - other.x, self.y - other.y);
        (dx * dx + dy * dy).sqrt()
    }

    fn between(self, other: Self, part: f64) -> Self {
        Self::new(self.x + (other.x - self.x) * part, self.y + (other.y - self.y) * part)
    }
}

/// A chain of cubic curves.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Path {
    from: Spot,
    curves: Vec<[Spot; 3]>,
}

impl Path {
    pub(crate) fn from(from: Spot) -> Self {
        Self { from, curves: Vec::new() }
    }

    pub(crate) fn end(&self) -> Spot {
        self.curves.last().map_or(self.from, |curve| curve[2])
    }

    pub(crate) fn curve(mut self, curve: [Spot; 3]) -> Self {
        self.curves.push(curve);
        self
    }

    /// A straight line, as a curve.
    pub(crate) fn line(self, to: Spot) -> Self {
        let from = self.end();
        self.curve([from.between(to, 0.3), from.between(to, 0.7), to])
    }

    /// This path, then another one that begins where it ends.
    pub(crate) fn then(mut self, other: &Self) -> Self {
        self.curves.extend_from_slice(&other.curves);
        self
    }

    /// The same path after the tile was turned so that its north lies at `side`.
    pub(crate) fn towards(&self, side: Side) -> Self {
        let turn = |spot: &Spot| spot.towards(side);
        Self { from: turn(&self.from), curves: self.curves.iter().map(|curve| curve.each_ref().map(turn)).collect() }
    }

    /// Places along the path, close to each other.
    pub(crate) fn samples(&self) -> Vec<Spot> {
        const STEPS: usize = 16;
        let mut from = self.from;
        let mut spots = vec![from];
        for [a, b, to] in &self.curves {
            spots.extend((1..=STEPS).map(|step| at(from, *a, *b, *to, step as f64 / STEPS as f64)));
            from = *to;
        }
        spots
    }

    /// The value of the attribute `d`.
    pub(crate) fn d(&self) -> String {
        let mut text = format!("M{}", pair(self.from));
        for [a, b, to] in &self.curves {
            // A String takes everything.
            let _ = write!(text, "C{} {} {}", pair(*a), pair(*b), pair(*to));
        }
        text
    }
}

fn at(from: Spot, a: Spot, b: Spot, to: Spot, part: f64) -> Spot {
    let (ab, bc, cd) = (from.between(a, part), a.between(b, part), b.between(to, part));
    ab.between(bc, part).between(bc.between(cd, part), part)
}

fn pair(spot: Spot) -> String {
    format!("{} {}", number(spot.x), number(spot.y))
}

/// A number with at most one decimal, the same everywhere.
pub(crate) fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    match (tenths.abs() / 10, tenths.abs() % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (whole, part) => format!("{sign}{whole}.{part}"),
    }
}

/// True if a closed path goes around a place.
pub(crate) fn inside(outline: &[Spot], place: Spot) -> bool {
    let mut inside = false;
    let mut before = outline.last().copied().unwrap_or(place);
    for spot in outline.iter().copied() {
        if (spot.y > place.y) != (before.y > place.y)
            && place.x < (before.x - spot.x) * (place.y - spot.y) / (before.y - spot.y) + spot.x
        {
            inside = !inside;
        }
        before = spot;
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(["0", "-0.5", "12", "3.3"].join(" "), [0.0, -0.5, 12.04, 3.26].map(number).join(" "));
    }

    #[test]
    fn a_quarter_turn_moves_north_to_east() {
        assert_eq!(Spot::new(50.0, 0.0).turned(Rotation::R90), Spot::new(100.0, 50.0));
        assert_eq!(Spot::new(0.0, 0.0).towards(Side::South), Spot::new(100.0, 100.0));
    }

    #[test]
    fn a_square_holds_its_middle() {
        let corner = |x, y| Spot::new(x, y);
        let square = [corner(0.0, 0.0), corner(100.0, 0.0), corner(100.0, 100.0), corner(0.0, 100.0)];
        assert!(inside(&square, CENTRE));
        assert!(!inside(&square, corner(120.0, 50.0)));
    }
}
