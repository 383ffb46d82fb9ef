//! Where everything printed on a tile lies, worked out from the sides, halves and links of its segments.

use trencavel_rules::geometry::HalfEdge;
use trencavel_rules::ids::MarkId;
use trencavel_rules::{Side, TileDef};

use super::cells::{Cells, Owner, Room, middle};
use super::curve::{CENTRE, Path, Spot, inside};
use super::outline::{Outline, entry, joined};
use crate::shape::{Shape, Shapes};

/// Half the width of a line with its banks.
const LINE: f64 = 6.5;
/// The size of a picture of a point, and of a symbol.
const POINT: f64 = 38.0;
const SMALL: f64 = 25.0;
const MARK: (f64, f64) = (24.0, 31.0);
/// Half the length of the way below an area, and some room around it.
const TUNNEL: f64 = 13.0;
/// Houses where lines meet.
const VILLAGE: f64 = 12.0;

/// A tile, laid out as printed.
pub(crate) struct Plan {
    pub(crate) areas: Vec<(usize, Outline)>,
    pub(crate) lines: Vec<Line>,
    /// Where lines meet and nothing else stands, with one of them.
    pub(crate) villages: Vec<(usize, Spot)>,
    pub(crate) points: Vec<(usize, Room)>,
    pub(crate) marks: Vec<(MarkId, Room)>,
    /// Walls that run to a corner and part the ground there.
    pub(crate) partings: Vec<Path>,
    /// The side from which an area passes under another one.
    pub(crate) tunnel: Option<Side>,
    /// Sides that show something no segment runs to.
    pub(crate) borders: Vec<Side>,
    pub(crate) cells: Cells,
    /// What pictures cover.
    pub(crate) taken: Vec<Room>,
}

/// A segment that is a line.
pub(crate) struct Line {
    pub(crate) local: usize,
    pub(crate) path: Vec<Path>,
    /// Where it ends by itself.
    pub(crate) end: Option<Spot>,
    /// Where it meets others.
    pub(crate) joint: Option<Spot>,
    /// Where it goes through a wall.
    pub(crate) gate: Option<Spot>,
    /// It passes over (or under) an area.
    pub(crate) crosses: bool,
}

/// Where a line that reaches one side ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    /// At a point, or where others end.
    Middle,
    /// At a wall, through a gate.
    Gate(Spot),
    /// At a wall.
    Wall(Spot),
    /// By itself.
    Loose,
}

impl Plan {
    pub(crate) fn of(shapes: &Shapes, tile: &TileDef) -> Self {
        let places = |shape: Shape| {
            (0..tile.segments.len()).filter(move |local| shapes.shape(tile.segments[*local].kind) == shape)
        };
        let areas: Vec<(usize, Outline)> = places(Shape::Area)
            .filter(|local| !tile.segments[*local].sides.is_empty())
            .map(|local| (local, Outline::of(&tile.segments[local].sides, &taken_sides(tile, local, shapes))))
            .collect();
        let points: Vec<usize> = places(Shape::Point).collect();
        let mut plan = Self {
            lines: Vec::new(),
            villages: Vec::new(),
            points: Vec::new(),
            marks: Vec::new(),
            partings: Vec::new(),
            tunnel: tunnel(tile, &areas),
            borders: Side::ALL.into_iter().filter(|side| is_border(tile, *side)).collect(),
            cells: Cells::new(),
            taken: Vec::new(),
            areas,
        };
        plan.partings = plan.partings(tile);
        plan.taken.extend(plan.tunnel.map(|_| Room { at: CENTRE, radius: TUNNEL }));
        plan.lay_lines(tile, places(Shape::Line).collect(), &points);
        plan.share_out(tile);
        plan.put_points(tile, &points);
        plan.put_marks(tile, shapes);
        plan
    }

    fn lay_lines(&mut self, tile: &TileDef, lines: Vec<usize>, points: &[usize]) {
        let reaching = |local: &&usize| !tile.segments[**local].sides.is_empty();
        let ends: Vec<(usize, End)> = lines
            .iter()
            .filter(reaching)
            .filter(|local| tile.segments[**local].sides.len() == 1)
            .map(|local| (*local, self.end(tile, *local, points)))
            .collect();
        let through = lines.iter().any(|local| tile.segments[*local].sides.len() > 1);
        let meeting: Vec<usize> = ends.iter().filter(|(_, end)| *end == End::Middle).map(|(local, _)| *local).collect();
        if !meeting.iter().any(|local| at_point(tile, *local, points)) && meeting.len() > 1 && !through {
            self.villages.extend((!self.covered(CENTRE)).then_some((meeting[0], CENTRE)));
        }
        let loose = ends.iter().filter(|(_, end)| *end == End::Loose).count();
        let crowded = through || loose > 1 || !meeting.is_empty() || self.covered(CENTRE);
        for local in lines.iter().filter(reaching) {
            let segment = &tile.segments[*local];
            let end = ends.iter().find(|(of, _)| of == local).map(|(_, end)| *end);
            let line = match (segment.sides.as_slice(), end) {
                ([side], Some(end)) => ending(*local, *side, end, crowded),
                (sides, _) => {
                    let path = joined(sides);
                    let crosses = path.iter().flat_map(Path::samples).any(|spot| self.deep(spot));
                    Line { local: *local, path, end: None, joint: None, gate: None, crosses }
                }
            };
            self.lines.push(line);
        }
    }

    fn end(&self, tile: &TileDef, local: usize, points: &[usize]) -> End {
        let segment = &tile.segments[local];
        let is_area = |local: &usize| self.areas.iter().any(|(area, _)| area == local);
        if at_point(tile, local, points) || segment.linked().any(|other| !points.contains(&other) && !is_area(&other)) {
            return End::Middle;
        }
        if let Some(spot) = self.wall(&|area| segment.linked().any(|other| other == area)) {
            return End::Gate(spot);
        }
        let parts = segment.sides.iter().any(|side| !same_beside(tile, *side));
        match self.wall(&|_| true) {
            _ if !parts => End::Loose,
            Some(spot) => End::Wall(spot),
            None => End::Middle,
        }
    }

    /// The place nearest to the middle on the walls of some areas.
    fn wall(&self, which: &dyn Fn(usize) -> bool) -> Option<Spot> {
        self.wall_near(CENTRE, which)
    }

    fn wall_near(&self, place: Spot, which: &dyn Fn(usize) -> bool) -> Option<Spot> {
        let areas = self.areas.iter().filter(|(area, _)| which(*area));
        areas.flat_map(|(_, outline)| outline.wall_spots()).min_by(|a, b| {
            let near = |spot: &Spot| spot.distance(place);
            near(a).total_cmp(&near(b))
        })
    }

    /// The corners at which two grounds meet and nothing that is printed parts them: a wall runs there.
    fn partings(&self, tile: &TileDef) -> Vec<Path> {
        let ground = |half: HalfEdge| tile.segments.iter().position(|segment| segment.halves.contains(&half));
        let parted = |side: &Side| {
            let next = Side::from_index((side.index() + 1) % 4);
            let (one, other) = (ground(HalfEdge::right(*side)), ground(HalfEdge::left(next)));
            one.is_some() && other.is_some() && one != other
        };
        let corner = |side: Side| Spot::new(100.0, 0.0).towards(side);
        let path = |side: Side| {
            let from = self.wall_near(corner(side), &|_| true).unwrap_or(CENTRE);
            Path::from(from).line(corner(side))
        };
        Side::ALL.into_iter().filter(parted).map(path).collect()
    }

    /// True if an area covers this place.
    pub(crate) fn covered(&self, spot: Spot) -> bool {
        self.areas.iter().any(|(_, outline)| inside(&outline.spots(), spot))
    }

    /// True if a place lies in an area, and not at its edge.
    fn deep(&self, spot: Spot) -> bool {
        self.areas.iter().any(|(_, outline)| {
            inside(&outline.spots(), spot) && outline.wall_spots().all(|wall| wall.distance(spot) > 12.0)
        })
    }

    /// Gives every square to the segment that shows there: lines, over them areas, the rest to the grounds.
    fn share_out(&mut self, tile: &TileDef) {
        for line in &self.lines {
            let spots: Vec<Spot> = line.path.iter().flat_map(Path::samples).collect();
            let near = |spot: Spot| spots.iter().any(|other| other.distance(spot) < LINE);
            self.cells.fill(Owner::Segment(line.local), near);
        }
        for (_, spot) in &self.villages {
            self.cells.fill(Owner::Blocked, |cell| cell.distance(*spot) < VILLAGE);
        }
        for (local, outline) in &self.areas {
            let spots = outline.spots();
            let over: Vec<Spot> = self
                .lines
                .iter()
                .filter(|line| line.crosses)
                .flat_map(|line| &line.path)
                .flat_map(Path::samples)
                .collect();
            let free = |spot: Spot| over.iter().all(|other| other.distance(spot) >= LINE);
            self.cells.fill(Owner::Segment(*local), |spot| inside(&spots, spot) && free(spot));
        }
        let halves = tile
            .segments
            .iter()
            .enumerate()
            .flat_map(|(local, segment)| segment.halves.iter().map(move |half| (local, half_spot(*half))));
        let seeds: Vec<(usize, Spot)> = halves.collect();
        self.cells.flood(&seeds);
    }

    fn put_points(&mut self, tile: &TileDef, points: &[usize]) {
        let lonely = self
            .lines
            .iter()
            .any(|line| tile.segments[line.local].linked().next().is_none() && at_point(tile, line.local, points));
        let linked =
            |local: usize| self.lines.iter().any(|line| tile.segments[line.local].linked().any(|other| other == local));
        let is_met: Vec<usize> =
            points.iter().copied().filter(|local| linked(*local) || (lonely && points.last() == Some(local))).collect();
        let mut order: Vec<usize> = points.to_vec();
        order.sort_by_key(|local| !is_met.contains(local));
        for (number, local) in order.into_iter().enumerate() {
            let room = if number == 0 && is_met.contains(&local) {
                Room { at: CENTRE, radius: POINT / 2.0 }
            } else {
                let free = self.space(POINT).unwrap_or(Room { at: CENTRE, radius: 0.0 });
                Room { at: free.at, radius: (free.radius * 1.2).clamp(SMALL / 2.0, POINT / 2.0) }
            };
            self.taken.push(room);
            self.points.push((local, room));
        }
    }

    /// The roomiest place on ground; on an area only if no ground has any.
    fn space(&self, size: f64) -> Option<Room> {
        let is_area = |local: usize| self.areas.iter().any(|(area, _)| *area == local);
        let is_line = |local: usize| self.lines.iter().any(|line| line.local == local);
        let on = |cell: usize, areas: bool| match self.cells.owner(cell) {
            Owner::Segment(local) => !is_line(local) && is_area(local) == areas,
            Owner::Free => !areas,
            Owner::Blocked => false,
        };
        let ground = self.cells.room(|cell| on(cell, false), &self.taken);
        let area = self.cells.room(|cell| on(cell, true), &self.taken);
        match (ground, area) {
            (Some(ground), Some(area)) if ground.radius < size / 4.0 && area.radius > ground.radius => Some(area),
            (ground, area) => ground.or(area),
        }
    }

    fn put_marks(&mut self, tile: &TileDef, shapes: &Shapes) {
        for (local, segment) in tile.segments.iter().enumerate() {
            for mark in copies(&segment.marks) {
                let room = self.beside(local, shapes.shape(segment.kind));
                self.put_mark(mark, room);
            }
        }
        for mark in copies(&tile.marks) {
            let room = self.space(MARK.0);
            self.put_mark(mark, room);
        }
    }

    fn put_mark(&mut self, mark: MarkId, room: Option<Room>) {
        let room = room.unwrap_or(Room { at: CENTRE, radius: 0.0 });
        let size = (room.radius * 2.0).clamp(MARK.0, MARK.1);
        let inner = |value: f64| value.clamp(size / 2.0 + 1.0, 99.0 - size / 2.0);
        let room = Room { at: Spot::new(inner(room.at.x), inner(room.at.y)), radius: size / 2.0 };
        self.taken.push(room);
        self.marks.push((mark, room));
    }

    /// Where a symbol of a segment stands: beside a line, beside a point, on anything else.
    fn beside(&self, local: usize, shape: Shape) -> Option<Room> {
        let own = |cell: usize| self.cells.owner(cell) == Owner::Segment(local);
        match shape {
            Shape::Area | Shape::Ground => self.room_on(local),
            Shape::Point => {
                let at = self.points.iter().find(|(of, _)| *of == local).map(|(_, room)| room.at)?;
                Some(Room { at: Spot::new(at.x + 15.0, at.y + 13.0), radius: 0.0 })
            }
            Shape::Line => {
                let spots: Vec<Spot> = self
                    .lines
                    .iter()
                    .filter(|line| line.local == local)
                    .flat_map(|line| &line.path)
                    .flat_map(Path::samples)
                    .collect();
                let band = |cell: usize| {
                    let far = spots.iter().map(|spot| spot.distance(middle(cell))).fold(f64::MAX, f64::min);
                    far < LINE + MARK.0 && self.is_ground(cell)
                };
                self.cells
                    .room(band, &self.taken)
                    .filter(|room| room.radius > 3.0)
                    .or_else(|| self.cells.room(own, &self.taken))
            }
        }
    }

    fn is_ground(&self, cell: usize) -> bool {
        let Owner::Segment(local) = self.cells.owner(cell) else { return false };
        self.areas.iter().all(|(area, _)| *area != local) && self.lines.iter().all(|line| line.local != local)
    }

    /// The roomiest place on a segment that no picture covers.
    pub(crate) fn room_on(&self, local: usize) -> Option<Room> {
        self.room_among(local, &self.taken)
    }

    /// The roomiest place on a segment that nothing of `taken` covers.
    pub(crate) fn room_among(&self, local: usize, taken: &[Room]) -> Option<Room> {
        if let Some((_, room)) = self.points.iter().find(|(of, _)| *of == local) {
            return Some(*room);
        }
        self.cells.room(|cell| self.cells.owner(cell) == Owner::Segment(local), taken)
    }
}

fn copies(marks: &[(MarkId, u16)]) -> impl Iterator<Item = MarkId> {
    marks.iter().flat_map(|(mark, count)| (0..*count).map(|_| *mark))
}

/// The first side of an area that runs straight through below another one that does.
fn tunnel(tile: &TileDef, areas: &[(usize, Outline)]) -> Option<Side> {
    let through = |local: usize| match tile.segments[local].sides[..] {
        [a, b] if a == b.opposite() => Some(a.min(b)),
        _ => None,
    };
    let mut straight = areas.iter().filter_map(|(local, _)| through(*local));
    // Later areas are drawn over earlier ones.
    straight.next().filter(|_| straight.next().is_some())
}

/// A line from its side to where it ends.
fn ending(local: usize, side: Side, end: End, crowded: bool) -> Line {
    let (to, loose, gate) = match end {
        End::Middle => (CENTRE, None, None),
        End::Gate(spot) => (spot, None, Some(spot)),
        End::Wall(spot) => (spot, None, None),
        End::Loose => {
            let to = Spot::new(50.0, if crowded { 28.0 } else { 48.0 }).towards(side);
            (to, Some(to), None)
        }
    };
    let joint = (end == End::Middle).then_some(CENTRE);
    Line { local, path: vec![entry(side, to)], end: loose, joint, gate, crosses: false }
}

/// Sides of other areas: walls keep away from them.
fn taken_sides(tile: &TileDef, local: usize, shapes: &Shapes) -> Vec<Side> {
    let others = tile
        .segments
        .iter()
        .enumerate()
        .filter(|(other, segment)| *other != local && shapes.shape(segment.kind) == Shape::Area);
    others.flat_map(|(_, segment)| segment.sides.iter().copied()).collect()
}

/// True if a line ends at a point: it is linked to one, or it parts ground and is linked to nothing on a tile that has
/// a point and no wall for it.
fn at_point(tile: &TileDef, local: usize, points: &[usize]) -> bool {
    let segment = &tile.segments[local];
    let parts = segment.sides.iter().any(|side| !same_beside(tile, *side));
    segment.linked().any(|other| points.contains(&other))
        || (parts && segment.linked().next().is_none() && !points.is_empty() && segment.sides.len() == 1)
}

/// True if the same ground lies left and right of where a line reaches a side: the line parts nothing.
fn same_beside(tile: &TileDef, side: Side) -> bool {
    let at = |half: HalfEdge| tile.segments.iter().position(|segment| segment.halves.contains(&half));
    at(HalfEdge::left(side)) == at(HalfEdge::right(side))
}

/// True if nothing runs to a side.
fn is_border(tile: &TileDef, side: Side) -> bool {
    tile.segments
        .iter()
        .all(|segment| !segment.sides.contains(&side) && segment.halves.iter().all(|half| half.side() != side))
}

/// The middle of a half of a side.
fn half_spot(half: HalfEdge) -> Spot {
    let left = half == HalfEdge::left(half.side());
    Spot::new(if left { 22.0 } else { 78.0 }, 1.0).towards(half.side())
}
