//! Where things are: spaces, quarter turns, sides, half-edges.

use std::fmt;
use std::str::FromStr;

/// A space of the table: `x` grows to the east, `y` to the south; the start tile usually lies on (0, 0).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Position {
    /// Rows are compared before columns, so listings read like a page.
    pub y: i16,
    /// Spaces east of the origin.
    pub x: i16,
}

impl Position {
    /// Spaces farther than this from the origin are never offered.
    pub const LIMIT: i16 = 4000;

    /// The space `x` to the east and `y` to the south of the origin.
    pub const fn new(x: i16, y: i16) -> Self {
        Self { y, x }
    }

    /// The space `dx` to the east and `dy` to the south of this one.
    pub const fn offset(self, dx: i16, dy: i16) -> Self {
        Self::new(self.x + dx, self.y + dy)
    }

    /// One number that orders spaces, for searches.
    const fn key(self) -> i32 {
        (self.y as i32) << 16 | (self.x as i32 + 0x8000)
    }

    /// A number below 2^32 that orders spaces as [`Ord`] does.
    pub(crate) const fn order(self) -> u64 {
        (self.key() as u32 ^ 0x8000_0000) as u64
    }

    /// The space across `side`.
    pub const fn neighbour(self, side: Side) -> Self {
        let (dx, dy) = side.step();
        self.offset(dx, dy)
    }

    /// True up to [`Position::LIMIT`] spaces from the origin in each direction.
    pub const fn in_bounds(self) -> bool {
        self.x.unsigned_abs() <= Self::LIMIT as u16 && self.y.unsigned_abs() <= Self::LIMIT as u16
    }
}

impl Ord for Position {
    /// From north to south, then from west to east.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl FromStr for Position {
    type Err = GeometryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || GeometryError::Position(text.to_owned());
        let (x, y) = text.split_once(',').ok_or_else(bad)?;
        let position = Self::new(x.trim().parse().map_err(|_| bad())?, y.trim().parse().map_err(|_| bad())?);
        if position.in_bounds() { Ok(position) } else { Err(bad()) }
    }
}

/// A side of a tile or a space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// Towards smaller `y`.
    North,
    /// Towards larger `x`.
    East,
    /// Towards larger `y`.
    South,
    /// Towards smaller `x`.
    West,
}

impl Side {
    /// The four sides, clockwise from the north.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The side with this index, counted clockwise from the north and modulo four.
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index & 3]
    }

    /// 0 to 3, clockwise from the north.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side that faces this one from the neighbouring space.
    pub const fn opposite(self) -> Self {
        Self::from_index(self as usize + 2)
    }

    /// This side after a tile was turned by `rotation`.
    pub const fn turned(self, rotation: Rotation) -> Self {
        Self::from_index(self as usize + rotation as usize)
    }

    /// Spaces to the east and to the south of the neighbour across this side.
    pub const fn step(self) -> (i16, i16) {
        match self {
            Self::North => (0, -1),
            Self::East => (1, 0),
            Self::South => (0, 1),
            Self::West => (-1, 0),
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["N", "E", "S", "W"][self.index()])
    }
}

impl FromStr for Side {
    type Err = GeometryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|side| side.to_string() == text).ok_or_else(|| GeometryError::Side(text.to_owned()))
    }
}

/// Half of a side, seen from the tile's centre looking out: `NL` is the western half of the north side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HalfEdge(u8);

impl HalfEdge {
    /// The eight half-edges, clockwise from the north-west corner.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The left half of a side, seen from the centre.
    pub const fn left(side: Side) -> Self {
        Self(2 * side as u8)
    }

    /// The right half of a side, seen from the centre.
    pub const fn right(side: Side) -> Self {
        Self(2 * side as u8 + 1)
    }

    /// 0 to 7, clockwise from the north-west corner.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The side this is half of.
    pub const fn side(self) -> Side {
        Side::from_index(self.0 as usize / 2)
    }

    /// The half-edge of the neighbouring tile that meets this one across the border.
    pub const fn facing(self) -> Self {
        let side = self.side().opposite();
        if self.0 & 1 == 0 { Self::right(side) } else { Self::left(side) }
    }

    /// The half-edge that meets this one at the corner of the tile.
    pub const fn across_corner(self) -> Self {
        if self.0 & 1 == 0 { Self((self.0 + 7) & 7) } else { Self((self.0 + 1) & 7) }
    }

    /// This half-edge after a tile was turned by `rotation`.
    pub const fn turned(self, rotation: Rotation) -> Self {
        Self((self.0 + 2 * rotation as u8) & 7)
    }
}

impl fmt::Display for HalfEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.side(), if self.0 & 1 == 0 { 'L' } else { 'R' })
    }
}

impl FromStr for HalfEdge {
    type Err = GeometryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|half| half.to_string() == text)
            .ok_or_else(|| GeometryError::HalfEdge(text.to_owned()))
    }
}

/// Quarter turns clockwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[repr(u8)]
pub enum Rotation {
    /// As printed.
    #[default]
    R0,
    /// A quarter clockwise: the printed north side lies in the east.
    R90,
    /// Upside down.
    R180,
    /// A quarter anticlockwise.
    R270,
}

impl Rotation {
    /// The four rotations, from as printed on.
    pub const ALL: [Self; 4] = [Self::R0, Self::R90, Self::R180, Self::R270];

    /// The rotation by `quarters` quarter turns, modulo four.
    pub const fn from_quarters(quarters: usize) -> Self {
        Self::ALL[quarters & 3]
    }

    /// 0 to 3.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rotation that undoes this one.
    pub const fn inverse(self) -> Self {
        Self::from_quarters(4 - self as usize)
    }

    /// First this rotation, then `other`.
    pub const fn then(self, other: Self) -> Self {
        Self::from_quarters(self as usize + other as usize)
    }
}

impl fmt::Display for Rotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", 90 * self.index())
    }
}

impl FromStr for Rotation {
    type Err = GeometryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|r| r.to_string() == text).ok_or_else(|| GeometryError::Rotation(text.to_owned()))
    }
}

/// A word that should have named a place and does not.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// Not `x,y` or out of bounds.
    #[error("`{0}` is not a space: write x,y with at most {limit} either way", limit = Position::LIMIT)]
    Position(String),
    /// Not one of N E S W.
    #[error("`{0}` is not a side: write N, E, S or W")]
    Side(String),
    /// Not one of NL NR EL ER SL SR WL WR.
    #[error("`{0}` is not a half-edge: write NL NR EL ER SL SR WL WR")]
    HalfEdge(String),
    /// Not one of r0 r90 r180 r270.
    #[error("`{0}` is not a rotation: write r0, r90, r180 or r270")]
    Rotation(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_meet_their_facing_halves() {
        for half in HalfEdge::ALL {
            assert_eq!(half.facing().facing(), half);
            assert_eq!(half.across_corner().across_corner(), half);
        }
        assert_eq!(HalfEdge::left(Side::North).facing().to_string(), "SR");
        assert_eq!(HalfEdge::left(Side::North).across_corner().to_string(), "WR");
    }

    #[test]
    fn a_quarter_turn_moves_north_to_east() {
        assert_eq!(Side::North.turned(Rotation::R90), Side::East);
        assert_eq!(HalfEdge::left(Side::North).turned(Rotation::R90).to_string(), "EL");
        for rotation in Rotation::ALL {
            assert_eq!(rotation.then(rotation.inverse()), Rotation::R0);
        }
    }

    #[test]
    fn words_round_trip() {
        for side in Side::ALL {
            assert_eq!(side.to_string().parse(), Ok(side));
        }
        for rotation in Rotation::ALL {
            assert_eq!(rotation.to_string().parse(), Ok(rotation));
        }
        assert_eq!("-3,4".parse(), Ok(Position::new(-3, 4)));
        assert!("3;4".parse::<Position>().is_err());
        assert!("30000,4".parse::<Position>().is_err());
    }
}
