//! Printed tiles: names become handles, and what no active expansion knows is left out.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::names::{Room, full};
use super::{DeclareError, Freezing, Problem, RulesetBuilder};
use crate::geometry::{Rotation, Side};
use crate::ids::*;
use crate::printed::{self, PrintedSegment, TileDef};
use crate::ruleset::{Copies, Start};
use crate::seed;
use crate::tile::{SegmentSpec, TileSpec};

impl Freezing {
    pub(super) fn tiles(&mut self, builder: &RulesetBuilder) {
        for (expansion, spec) in &builder.tiles {
            if let Some(tile) = self.tile(expansion, spec) {
                self.rules.tiles.push(tile);
            }
        }
        let places = (0_u16..).zip(&self.rules.tiles).map(|(place, tile)| (tile.id.clone(), TileDefId(place)));
        let designs: BTreeMap<Arc<str>, TileDefId> = places.collect();
        for copies in &builder.copies {
            let Some(tile) = self.tile_named(&designs, &copies.expansion, &copies.tile) else { continue };
            let pile = self.pile(&copies.pile);
            let there = self.rules.copies.iter_mut().find(|other| other.tile == tile && other.pile == pile);
            let limit = copies.limit.unwrap_or(u16::MAX);
            match there {
                Some(other) => other.count = other.count.saturating_add(copies.count).min(limit),
                None => {
                    let count = copies.count.min(limit);
                    self.rules.copies.push(Copies { tile, count, pile, numbers: Vec::new() });
                }
            }
        }
        for copies in &mut self.rules.copies {
            let id = &self.rules.tiles[copies.tile.index()].id;
            copies.numbers = (0..copies.count).map(|copy| seed::derive(0, &["copy", id, &copy.to_string()])).collect();
        }
        self.rules.copies.sort_by_key(|copies| (copies.pile, copies.tile));
        // A start layout takes the place of those of the expansions before it: the river begins at its spring.
        let order = |start: &&super::StartSpec| self.names.expansion(&start.expansion);
        let last = builder.starts.iter().map(|start| order(&start)).max();
        let starts: Vec<_> = builder.starts.iter().filter(|start| Some(order(start)) == last).collect();
        for start in starts {
            if let Some(tile) = self.tile_named(&designs, &start.expansion, &start.tile) {
                self.rules.starts.push(Start { tile, at: start.at, rotation: start.rotation });
            }
        }
        self.rules.starts.sort_by_key(|start| start.at);
    }

    fn tile_named(
        &mut self,
        designs: &BTreeMap<Arc<str>, TileDefId>,
        expansion: &str,
        word: &str,
    ) -> Option<TileDefId> {
        let name = if word.contains(':') { word.into() } else { full(expansion, word) };
        let found = designs.get(&name).copied();
        if found.is_none() {
            let known = self.rules.tiles.iter().map(|tile| tile.id.to_string()).collect();
            let problem = Problem::Unknown { what: "tile", word: name.to_string(), known };
            self.errors.push(DeclareError { what: None, place: None, problem });
        }
        found
    }

    fn pile(&mut self, name: &str) -> PileId {
        let place = self.rules.piles.iter().position(|known| **known == *name).unwrap_or_else(|| {
            self.rules.piles.push(name.into());
            self.rules.piles.len() - 1
        });
        PileId(place as u8)
    }

    fn tile(&mut self, expansion: &str, spec: &TileSpec) -> Option<TileDef> {
        let mut sides = [EdgeKindId::NONE; 4];
        for side in Side::ALL {
            let word = &spec.sides[side.index()];
            match self.names.printed(Room::Edge, expansion, word) {
                Some(place) => sides[side.index()] = EdgeKindId(place as u8),
                None => {
                    let known = self.names.room(Room::Edge).iter().map(ToString::to_string).collect();
                    let problem = Problem::Unknown { what: "edge kind", word: word.clone(), known };
                    self.errors.push(DeclareError {
                        what: Some(format!("tile \"{}\"", spec.id)),
                        place: None,
                        problem,
                    });
                    return None;
                }
            }
        }
        let known: Vec<(&SegmentSpec, FeatureKindId)> = spec
            .segments
            .iter()
            .filter_map(|segment| {
                let place = self.names.printed(Room::Feature, expansion, &segment.kind)?;
                Some((segment, FeatureKindId(place as u8)))
            })
            .collect();
        let segments: Vec<PrintedSegment> =
            known.iter().map(|(segment, kind)| self.segment(expansion, spec, segment, *kind, &known)).collect();
        let marks = self.marks(expansion, &spec.marks);
        let faces = printed::faces(sides, &segments);
        let seated = segments.iter().enumerate().flat_map(|(local, segment)| {
            self.rules.features[segment.kind.index()].seats.iter().map(move |seat| (local as u8, *seat))
        });
        let seats: Vec<(u8, SeatId)> = seated.collect();
        let mut tile = TileDef {
            id: full(expansion, &spec.id),
            aka: spec.aka.clone(),
            kind_bits: segments.iter().fold(0, |bits, segment| bits | 1 << segment.kind.0),
            seat_bits: seats.iter().fold(0, |bits, (_, seat)| bits | 1 << seat.0),
            seats,
            parts: printed::parts(&faces, &segments, |kind| self.rules.feature_kind(kind).counts_tiles),
            faces,
            segments,
            mark_bits: marks.iter().fold(0, |bits, (mark, _)| bits | 1_u64.checked_shl(mark.0.into()).unwrap_or(0)),
            marks,
            distinct: 0,
            fits: [[0; 16]; 4],
        };
        tile.distinct = distinct(&tile);
        tile.fits = self.fits(&tile);
        Some(tile)
    }

    fn marks(&self, expansion: &str, marks: &[(String, u16)]) -> Vec<(MarkId, u16)> {
        let known = |(word, count): &(String, u16)| {
            let place = self.names.printed(Room::Mark, expansion, word)?;
            Some((MarkId(place as u8), *count))
        };
        let mut marks: Vec<(MarkId, u16)> = marks.iter().filter_map(known).collect();
        marks.sort_unstable();
        marks
    }

    fn segment(
        &self,
        expansion: &str,
        spec: &TileSpec,
        segment: &SegmentSpec,
        kind: FeatureKindId,
        known: &[(&SegmentSpec, FeatureKindId)],
    ) -> PrintedSegment {
        let bit_of = |name: &String| {
            let place = known.iter().position(|(other, _)| other.name == *name);
            place.map_or(0, |place| 1_u32 << place)
        };
        let groups = spec.links.iter().filter(|group| group.contains(&segment.name));
        let links = groups.flatten().filter(|name| **name != segment.name).map(bit_of).fold(0, |all, bit| all | bit);
        PrintedSegment {
            name: Arc::from(segment.name.as_str()),
            kind,
            sides: segment.sides.clone(),
            halves: segment.halves.clone(),
            borders: segment.borders.iter().map(bit_of).fold(0, |all, bit| all | bit),
            links,
            marks: self.marks(expansion, &segment.marks),
        }
    }

    /// For each side and neighbour: the rotations in which the tile fits there.
    fn fits(&self, tile: &TileDef) -> [[u8; 16]; 4] {
        let mut fits = [[0; 16]; 4];
        for side in Side::ALL {
            for (digit, mask) in fits[side.index()].iter_mut().enumerate() {
                for rotation in Rotation::ALL {
                    let shown = tile.edge(rotation, side);
                    let fitting = match digit.checked_sub(1) {
                        None => true,
                        Some(other) => {
                            other == shown.index()
                                || self.rules.edges[shown.index()].matches_all
                                || self.rules.edges.get(other).is_some_and(|edge| edge.matches_all)
                        }
                    };
                    *mask |= u8::from(fitting) << rotation.index();
                }
            }
        }
        fits
    }
}

/// The first of each set of rotations that look alike, a bit each.
fn distinct(tile: &TileDef) -> u8 {
    let looks = Rotation::ALL.map(|rotation| tile.looks(rotation));
    (0..4).filter(|index| !looks[..*index].contains(&looks[*index])).fold(0, |bits, index| bits | 1 << index)
}
