//! Printed tiles, compiled: what a turned tile shows on each side, and where each part of it leads.

use std::sync::Arc;

use crate::geometry::{HalfEdge, Rotation, Side};
use crate::ids::{EdgeKindId, FeatureKindId, MarkId, SeatId};

/// No segment leads there.
pub(crate) const NO_SEGMENT: u8 = u8::MAX;

/// A design, with every name resolved.
#[derive(Clone, Debug)]
pub struct TileDef {
    /// Full id.
    pub id: Arc<str>,
    /// Codes by which other programs know it.
    pub aka: Vec<String>,
    /// Its segments, in printed order.
    pub segments: Vec<PrintedSegment>,
    /// What laying each of them needs, in the same order.
    pub(crate) parts: Vec<Part>,
    /// Symbols of the whole tile, with how often each is printed.
    pub marks: Vec<(MarkId, u16)>,
    pub(crate) mark_bits: u64,
    /// Kinds of its segments, a bit each.
    pub(crate) kind_bits: u32,
    /// Seats on its segments, a bit each.
    pub(crate) seat_bits: u64,
    /// The same one by one, with the places of the segments.
    pub(crate) seats: Vec<(u8, SeatId)>,
    pub(crate) faces: [Face; 4],
    /// Rotations of which none looks like another, a bit each.
    pub(crate) distinct: u8,
    /// For each side and each digit of a space's signature: the rotations that fit, a bit each.
    pub(crate) fits: [[u8; 16]; 4],
}

/// A part of a feature, as printed.
#[derive(Clone, Debug)]
pub struct PrintedSegment {
    /// Unique on the tile.
    pub name: Arc<str>,
    /// What it is part of.
    pub kind: FeatureKindId,
    /// Sides it runs to, in printed orientation.
    pub sides: Vec<Side>,
    /// Half-edges it runs to, in printed orientation.
    pub halves: Vec<HalfEdge>,
    /// Segments it borders, a bit each.
    pub(crate) borders: u32,
    /// Segments it meets at a point of the tile, a bit each.
    pub(crate) links: u32,
    /// Its symbols.
    pub marks: Vec<(MarkId, u16)>,
}

/// What laying a segment needs to know of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub kind: FeatureKindId,
    /// Another segment of the tile is of the same kind, and tiles of that kind are counted while features grow.
    pub shared: bool,
    /// It has symbols.
    pub marked: bool,
    /// Its ports after turning, for each rotation a bit each.
    pub ports: [u16; 4],
}

/// A turned tile, seen from its neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub edges: [EdgeKindId; 4],
    /// Left, middle and right of each side, clockwise from the north: the segment that leads there.
    pub ports: [u8; 12],
}

impl PrintedSegment {
    /// The segments of the tile that it meets at a point, by their places.
    pub fn linked(&self) -> impl Iterator<Item = usize> {
        let links = self.links;
        (0..32).filter(move |local| links >> local & 1 == 1)
    }
}

impl TileDef {
    /// What a side shows after turning.
    pub fn edge(&self, rotation: Rotation, side: Side) -> EdgeKindId {
        self.faces[rotation.index()].edges[side.index()]
    }

    /// The segment with this name.
    pub fn segment(&self, name: &str) -> Option<usize> {
        self.segments.iter().position(|segment| &*segment.name == name)
    }

    /// The rotation that stands for all that look like this one.
    pub fn canonical(&self, rotation: Rotation) -> Rotation {
        let looks = self.looks(rotation);
        Rotation::ALL.into_iter().find(|other| self.looks(*other) == looks).unwrap_or(rotation)
    }

    /// True if no smaller rotation looks the same.
    pub fn is_canonical(&self, rotation: Rotation) -> bool {
        self.distinct >> rotation.index() & 1 == 1
    }

    /// How a turned tile looks: the same for rotations nobody can tell apart.
    pub(crate) fn looks(&self, rotation: Rotation) -> Vec<Vec<i64>> {
        let mut looks: Vec<Vec<i64>> = self.segments.iter().map(|segment| self.look(segment, rotation)).collect();
        looks.sort();
        looks.push(self.faces[rotation.index()].edges.iter().map(|edge| edge.0.into()).collect());
        looks
    }

    fn look(&self, segment: &PrintedSegment, rotation: Rotation) -> Vec<i64> {
        let mut look = vec![segment.kind.0.into(), self.reach(segment, rotation)];
        look.extend(segment.marks.iter().flat_map(|(mark, count)| [i64::from(mark.0), i64::from(*count)]));
        for mask in [segment.borders, segment.links] {
            let mut others: Vec<i64> = (0..self.segments.len())
                .filter(|index| mask >> index & 1 == 1)
                .map(|index| self.reach(&self.segments[index], rotation) << 6 | i64::from(self.segments[index].kind.0))
                .collect();
            others.sort_unstable();
            look.push(-1);
            look.extend(others);
        }
        look
    }

    /// The sides and half-edges of a segment after turning, a bit each.
    fn reach(&self, segment: &PrintedSegment, rotation: Rotation) -> i64 {
        let sides = segment.sides.iter().fold(0, |bits, side| bits | 1 << side.turned(rotation).index());
        segment.halves.iter().fold(sides, |bits, half| bits | 16 << half.turned(rotation).index())
    }

    /// The rotations in which the tile fits a space, a bit each.
    #[inline]
    pub(crate) fn fitting(&self, signature: u16) -> u8 {
        let s = signature as usize;
        self.fits[0][s & 15] & self.fits[1][s >> 4 & 15] & self.fits[2][s >> 8 & 15] & self.fits[3][s >> 12]
    }
}

/// What laying the segments needs. `counts` tells for which kinds tiles are counted while features grow.
pub(crate) fn parts(
    faces: &[Face; 4],
    segments: &[PrintedSegment],
    counts: impl Fn(FeatureKindId) -> bool,
) -> Vec<Part> {
    let ports = |face: &Face, local: usize| {
        let ports = face.ports.iter().enumerate().filter(|(_, port)| **port as usize == local);
        ports.fold(0, |bits, (port, _)| bits | 1 << port)
    };
    let alone = |kind| segments.iter().filter(|other| other.kind == kind).count() == 1;
    let part = |(local, segment): (usize, &PrintedSegment)| Part {
        kind: segment.kind,
        shared: counts(segment.kind) && !alone(segment.kind),
        marked: !segment.marks.is_empty(),
        ports: [0, 1, 2, 3].map(|rotation| ports(&faces[rotation], local)),
    };
    segments.iter().enumerate().map(part).collect()
}

/// The ports of a design in each rotation.
pub(crate) fn faces(sides: [EdgeKindId; 4], segments: &[PrintedSegment]) -> [Face; 4] {
    Rotation::ALL.map(|rotation| {
        let mut face = Face { edges: sides, ports: [NO_SEGMENT; 12] };
        for side in Side::ALL {
            face.edges[side.turned(rotation).index()] = sides[side.index()];
        }
        for (index, segment) in segments.iter().enumerate() {
            for side in &segment.sides {
                face.ports[side.turned(rotation).index() * 3 + 1] = index as u8;
            }
            for half in &segment.halves {
                let half = half.turned(rotation);
                face.ports[half.side().index() * 3 + 2 * (half.index() & 1)] = index as u8;
            }
        }
        face
    })
}
