//! A naive engine for the base game: no caches, no counters, flood fill whenever something is asked.
//!
//! It knows printed tiles as their authors wrote them, and nothing of the engine but positions, rotations, half-edges.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use trencavel_host::diagnostic::SourceFile;
use trencavel_host::tiles;
use trencavel_rules::geometry::HalfEdge;
use trencavel_rules::tile::TileSpec;
use trencavel_rules::{Position, Rotation, Side};

use crate::loading::library;

/// Printed tiles by full id.
pub type Specs = BTreeMap<String, Arc<TileSpec>>;

/// A tile on the table.
#[derive(Clone, Debug)]
pub struct Laid {
    /// What is printed on it.
    pub spec: Arc<TileSpec>,
    /// Where it lies.
    pub at: Position,
    /// How it is turned.
    pub rotation: Rotation,
}

/// A segment: a tile, and a segment of it.
pub type Part = (usize, usize);

/// Joined segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// What it is, without its expansion.
    pub kind: String,
    /// Its segments.
    pub parts: BTreeSet<Part>,
    /// Sides and half-edges without a neighbour.
    pub open: usize,
    /// Its symbols.
    pub marks: BTreeMap<String, u16>,
}

/// Every tile of every expansion.
pub fn specs() -> Specs {
    let mut specs = Specs::new();
    for found in library().iter() {
        let Some(file) = found.files.get("tiles.toml") else { continue };
        specs.extend(read(&found.manifest.id, file));
    }
    specs
}

fn read(expansion: &str, file: &SourceFile) -> Specs {
    let tiles = tiles::parse(file).expect("the tiles of the workspace can be read").tiles;
    tiles.into_iter().map(|tile| (format!("{expansion}:{}", tile.id), Arc::new(tile))).collect()
}

impl Laid {
    fn edge(&self, side: Side) -> &str {
        let printed = side.turned(self.rotation.inverse());
        &self.spec.sides[printed.index()]
    }

    fn at_side(&self, side: Side) -> Option<usize> {
        let printed = side.turned(self.rotation.inverse());
        self.spec.segments.iter().position(|segment| segment.sides.contains(&printed))
    }

    fn at_half(&self, half: HalfEdge) -> Option<usize> {
        let printed = half.turned(self.rotation.inverse());
        self.spec.segments.iter().position(|segment| segment.halves.contains(&printed))
    }

    /// How the tile looks: its edges, and for each segment what it is and where it runs.
    pub fn looks(&self) -> (Vec<String>, BTreeSet<Vec<String>>) {
        let edges = Side::ALL.iter().map(|side| self.edge(*side).to_owned()).collect();
        let reach = |index: usize| {
            let segment = &self.spec.segments[index];
            let mut words: Vec<String> =
                segment.sides.iter().map(|side| side.turned(self.rotation).to_string()).collect();
            words.extend(segment.halves.iter().map(|half| half.turned(self.rotation).to_string()));
            words.sort();
            words.join(" ")
        };
        let named = |name: &String| self.spec.segments.iter().position(|other| other.name == *name);
        let looks = self.spec.segments.iter().enumerate().map(|(index, segment)| {
            let mut borders: Vec<String> = segment.borders.iter().filter_map(named).map(&reach).collect();
            borders.sort();
            vec![segment.kind.clone(), reach(index), format!("{:?}", segment.marks), borders.join("; ")]
        });
        (edges, looks.collect())
    }
}

/// The table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The tiles in the order of placement.
    pub tiles: Vec<Laid>,
}

impl Table {
    /// The tile on a space.
    pub fn tile_at(&self, at: Position) -> Option<usize> {
        self.tiles.iter().position(|tile| tile.at == at)
    }

    /// True if the tile lies beside another and shows what its neighbours show.
    pub fn fits(&self, tile: &Laid) -> bool {
        let mut beside = false;
        self.tile_at(tile.at).is_none()
            && Side::ALL.iter().all(|side| {
                let Some(other) = self.tile_at(tile.at.neighbour(*side)) else { return true };
                beside = true;
                self.tiles[other].edge(side.opposite()) == tile.edge(*side)
            })
            && beside
    }

    /// Every space and rotation in which a tile fits, and in how many rotations it looks as it does; of those that look
    /// alike, the smallest.
    pub fn placements(&self, spec: &Arc<TileSpec>) -> BTreeMap<(Position, Rotation), u64> {
        let spaces: BTreeSet<Position> =
            self.tiles.iter().flat_map(|tile| Side::ALL.map(|side| tile.at.neighbour(side))).collect();
        let mut found = BTreeMap::new();
        for at in spaces {
            let turned = Rotation::ALL.map(|rotation| Laid { spec: spec.clone(), at, rotation });
            for tile in turned.iter().filter(|tile| self.fits(tile)) {
                let looks = tile.looks();
                let smallest = turned.iter().find(|other| other.looks() == looks).unwrap_or(tile);
                *found.entry((at, smallest.rotation)).or_default() += 1;
            }
        }
        found
    }

    /// The feature of a segment, by flood fill.
    pub fn area(&self, part: Part) -> Area {
        let kind = self.tiles[part.0].spec.segments[part.1].kind.clone();
        let mut area = Area { kind, parts: BTreeSet::new(), open: 0, marks: BTreeMap::new() };
        let mut todo = vec![part];
        while let Some(part) = todo.pop() {
            if area.parts.insert(part) {
                self.grow(part, &mut area, &mut todo);
            }
        }
        area
    }

    fn grow(&self, (tile, local): Part, area: &mut Area, todo: &mut Vec<Part>) {
        let laid = &self.tiles[tile];
        let segment = &laid.spec.segments[local];
        for (mark, count) in &segment.marks {
            *area.marks.entry(mark.clone()).or_default() += count;
        }
        let mut meet = |side: Side, facing: &dyn Fn(&Laid) -> Option<usize>| {
            let Some(other) = self.tile_at(laid.at.neighbour(side)) else {
                area.open += 1;
                return;
            };
            let found = facing(&self.tiles[other]);
            todo.extend(
                found.filter(|at| self.tiles[other].spec.segments[*at].kind == segment.kind).map(|at| (other, at)),
            );
        };
        for side in &segment.sides {
            let side = side.turned(laid.rotation);
            meet(side, &|other| other.at_side(side.opposite()));
        }
        for half in &segment.halves {
            let half = half.turned(laid.rotation);
            meet(half.side(), &|other| other.at_half(half.facing()));
        }
    }

    /// Every feature of the table.
    pub fn areas(&self) -> Vec<Area> {
        let mut seen: BTreeSet<Part> = BTreeSet::new();
        let mut areas = Vec::new();
        for (tile, laid) in self.tiles.iter().enumerate() {
            for local in 0..laid.spec.segments.len() {
                if !seen.contains(&(tile, local)) {
                    let area = self.area((tile, local));
                    seen.extend(&area.parts);
                    areas.push(area);
                }
            }
        }
        areas
    }

    /// The tiles of a feature.
    pub fn tiles_of(&self, area: &Area) -> BTreeSet<usize> {
        area.parts.iter().map(|part| part.0).collect()
    }

    /// How many of the eight spaces around a tile are filled.
    pub fn around(&self, tile: usize) -> usize {
        let at = self.tiles[tile].at;
        let ring = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
        ring.filter(|step| *step != (0, 0) && self.tile_at(at.offset(step.0, step.1)).is_some()).count()
    }

    /// True if nothing of it is open: sides, or the spaces around.
    pub fn is_closed(&self, area: &Area) -> bool {
        match (area.kind.as_str(), area.parts.first()) {
            ("monastery", Some(part)) => self.around(part.0) == 8,
            _ => area.open == 0,
        }
    }

    /// The cities that a field borders.
    pub fn cities_of(&self, field: &Area) -> Vec<Area> {
        let mut found: Vec<Area> = Vec::new();
        for (tile, local) in &field.parts {
            let spec = &self.tiles[*tile].spec;
            for name in &spec.segments[*local].borders {
                let other = spec.segments.iter().position(|segment| segment.name == *name).expect("it is printed");
                let city = self.area((*tile, other));
                if city.kind == "city" && !found.contains(&city) {
                    found.push(city);
                }
            }
        }
        found
    }
}

/// Before the name of the segment a constable goes to.
const CONSTABLE: &str = "constable ";

/// A game of the base rules, with constables if they are dealt.
#[derive(Clone, Debug)]
pub struct Naive {
    /// The table.
    pub table: Table,
    /// Followers on the board: whose, and where.
    pub followers: Vec<(usize, Part)>,
    /// Followers in supply, by player.
    pub supply: Vec<u8>,
    /// Constables on the board: whose, and where.
    pub constables: Vec<(usize, Part)>,
    /// Constables in stock, by player; none unless they are dealt.
    pub stock: Vec<u8>,
    /// Points, by player.
    pub scores: Vec<i32>,
    /// Whose turn it is.
    pub player: usize,
}

impl Naive {
    /// A game with this start tile.
    pub fn new(start: Laid, players: usize, followers: u8) -> Self {
        Self {
            table: Table { tiles: vec![start] },
            followers: Vec::new(),
            supply: vec![followers; players],
            constables: Vec::new(),
            stock: vec![0; players],
            scores: vec![0; players],
            player: 0,
        }
    }

    /// Lays a tile.
    pub fn place(&mut self, tile: Laid) {
        self.table.tiles.push(tile);
        self.sweep();
    }

    fn is_guarded(&self, area: &Area) -> bool {
        self.constables.iter().any(|(_, part)| area.parts.contains(part))
    }

    /// Robbers on a road with a constable go home, whatever brought them together (C-8, C-13).
    fn sweep(&mut self) {
        for (_, part) in self.constables.clone() {
            let road = self.table.area(part);
            for (player, _) in self.standing(&road) {
                self.supply[player] += 1;
            }
            self.followers.retain(|(_, part)| !road.parts.contains(part));
        }
    }

    /// Roads of the last tile that a constable may take: another player's robber stands there (C-5).
    fn beats(&self) -> Vec<String> {
        let tile = self.table.tiles.len() - 1;
        let segments = &self.table.tiles[tile].spec.segments;
        let fits = |local: &usize| {
            let area = self.table.area((tile, *local));
            area.kind == "road" && self.standing(&area).iter().any(|(player, _)| *player != self.player)
        };
        let free = (0..segments.len()).filter(|_| self.stock[self.player] > 0).filter(fits);
        free.map(|local| format!("{CONSTABLE}{}", segments[local].name)).collect()
    }

    /// Segments of the last tile that a follower may take, by name (B-6).
    pub fn deployments(&self) -> BTreeSet<String> {
        let tile = self.table.tiles.len() - 1;
        let segments = &self.table.tiles[tile].spec.segments;
        let beats = self.beats();
        if self.supply[self.player] == 0 {
            return beats.into_iter().collect();
        }
        let free = |local: &usize| {
            let area = self.table.area((tile, *local));
            ["road", "city", "monastery", "field"].contains(&area.kind.as_str())
                && self.standing(&area).is_empty()
                && !self.is_guarded(&area)
        };
        (0..segments.len()).filter(free).map(|local| segments[local].name.clone()).chain(beats).collect()
    }

    /// Puts a follower on a segment of the last tile.
    pub fn deploy(&mut self, name: &str) {
        let tile = self.table.tiles.len() - 1;
        let segments = &self.table.tiles[tile].spec.segments;
        if let Some(name) = name.strip_prefix(CONSTABLE) {
            let local = segments.iter().position(|segment| segment.name == name).expect("the segment is printed");
            self.constables.push((self.player, (tile, local)));
            self.stock[self.player] -= 1;
            return self.sweep();
        }
        let local = segments.iter().position(|segment| segment.name == name).expect("the segment is printed");
        self.followers.push((self.player, (tile, local)));
        self.supply[self.player] -= 1;
    }

    /// Scores what is complete, and the next player's turn begins (B-8).
    pub fn end_turn(&mut self) {
        for area in self.table.areas() {
            if area.kind != "field" && self.table.is_closed(&area) {
                self.score(&area);
                for (player, _) in self.standing(&area) {
                    self.supply[player] += 1;
                }
                self.followers.retain(|(_, part)| !area.parts.contains(part));
            }
        }
        self.player = (self.player + 1) % self.scores.len();
    }

    /// Scores everything that still holds followers (B-16, B-17).
    pub fn end_game(&mut self) {
        for area in self.table.areas() {
            self.score(&area);
        }
    }

    fn standing(&self, area: &Area) -> Vec<(usize, Part)> {
        self.followers.iter().copied().filter(|(_, part)| area.parts.contains(part)).collect()
    }

    fn score(&mut self, area: &Area) {
        let mut counts = vec![0; self.scores.len()];
        self.standing(area).iter().for_each(|(player, _)| counts[*player] += 1);
        let most = counts.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return;
        }
        let worth = self.worth(area);
        for (player, count) in counts.into_iter().enumerate() {
            if count == most {
                self.scores[player] += worth;
            }
        }
    }

    fn worth(&self, area: &Area) -> i32 {
        let tiles = self.table.tiles_of(area).len() as i32;
        match area.kind.as_str() {
            "road" => tiles,
            "city" => {
                let pennants = i32::from(area.marks.get("pennant").copied().unwrap_or(0));
                (tiles + pennants) * if self.table.is_closed(area) { 2 } else { 1 }
            }
            "monastery" => area.parts.first().map_or(0, |part| 1 + self.table.around(part.0) as i32),
            "field" => {
                let closed = |city: &&Area| self.table.is_closed(city);
                3 * self.table.cities_of(area).iter().filter(closed).count() as i32
            }
            _ => 0,
        }
    }
}

/// Ways to play a stack, by ply: placements raw and merged, turns raw and merged.
pub fn count_turns(game: &Naive, stack: &[Arc<TileSpec>], weight: (u64, u64), counts: &mut [[u64; 4]]) {
    let (Some((tile, rest)), Some((here, further))) = (stack.split_first(), counts.split_first_mut()) else { return };
    let placements = game.table.placements(tile);
    if placements.is_empty() {
        count_turns(game, rest, weight, counts);
        return;
    }
    for ((at, rotation), alike) in placements {
        let mut next = game.clone();
        next.place(Laid { spec: tile.clone(), at, rotation });
        let weight = (weight.0 * alike, weight.1);
        here[0] += weight.0;
        here[1] += weight.1;
        let names = next.deployments();
        for name in names.iter().map(Some).chain([None]) {
            let mut next = next.clone();
            name.into_iter().for_each(|name| next.deploy(name));
            next.end_turn();
            here[2] += weight.0;
            here[3] += weight.1;
            count_turns(&next, rest, weight, further);
        }
    }
}
