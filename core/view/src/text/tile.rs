//! One tile: whose each of its cells is, and what is drawn there.

use trencavel_rules::geometry::HalfEdge;
use trencavel_rules::ids::TileDefId;
use trencavel_rules::{Rotation, Ruleset, Side, TileDef};

use super::canvas::{Ink, Window};
use super::pens::{Pen, Pens, Shape, mark_letter};
use super::{HEIGHT, WIDTH};

/// The middle column and row.
pub(crate) const CENTRE: (usize, usize) = (WIDTH / 2, HEIGHT / 2);

/// For each cell of a turned tile, the segment it shows.
pub(crate) struct Cells {
    owners: [[Option<usize>; WIDTH]; HEIGHT],
}

/// Draws a turned tile with its symbols.
pub(crate) fn draw(rules: &Ruleset, pens: &Pens, tile: TileDefId, rotation: Rotation, window: &mut Window<'_>) {
    let tile = rules.tile(tile);
    let cells = Cells::of(pens, tile, rotation);
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            let Some(local) = cells.owners[row][column] else { continue };
            let kind = tile.segments[local].kind;
            let what = match pens.pen(kind) {
                Pen::Letter(letter) => letter,
                Pen::Rule if (column, row) == CENTRE => junction(tile, local, rotation),
                Pen::Rule if row == CENTRE.1 => '─',
                Pen::Rule => '│',
            };
            window.set(column, row, what, pens.shape(kind).ink());
        }
    }
    if let Some(end) = loose_end(pens, tile) {
        window.set(CENTRE.0, CENTRE.1, end, Ink::Line);
    }
    draw_marks(rules, tile, &cells, window);
}

/// Symbols stand on the last cells of their segment, those of the whole tile in its south-east corner.
fn draw_marks(rules: &Ruleset, tile: &TileDef, cells: &Cells, window: &mut Window<'_>) {
    for (local, segment) in tile.segments.iter().enumerate() {
        let mut places = cells.of_segment(local).into_iter().rev();
        for (mark, count) in &segment.marks {
            for _ in 0..*count {
                let Some((column, row)) = places.next() else { break };
                window.set(column, row, mark_letter(rules.mark_name(*mark)), Ink::Mark);
            }
        }
    }
    let all = tile.marks.iter().flat_map(|(mark, count)| (0..*count).map(|_| *mark));
    for (place, mark) in all.take(WIDTH).enumerate() {
        window.set(WIDTH - 1 - place, HEIGHT - 1, mark_letter(rules.mark_name(mark)), Ink::Mark);
    }
}

/// Where several lines end without meeting anything drawn in the middle.
fn loose_end(pens: &Pens, tile: &TileDef) -> Option<char> {
    let of = |shape: Shape| tile.segments.iter().filter(move |segment| pens.shape(segment.kind) == shape);
    let ending = of(Shape::Line).filter(|segment| segment.sides.len() == 1).count();
    let middle = of(Shape::Point).next().is_some() || of(Shape::Area).any(|segment| segment.sides.len() > 1);
    (ending > 0 && !middle).then_some('o')
}

fn junction(tile: &TileDef, local: usize, rotation: Rotation) -> char {
    let bits = tile.segments[local].sides.iter().fold(0, |bits, side| bits | 1 << side.turned(rotation).index());
    // North 1, east 2, south 4, west 8.
    ['o', '│', '─', '└', '│', '│', '┌', '├', '─', '┘', '─', '┴', '┐', '┤', '┬', '┼'][bits]
}

/// What the sides and half-edges of a turned tile lead to.
struct Ports {
    through: [Option<usize>; 4],
    halves: [Option<usize>; 8],
}

impl Ports {
    fn of(tile: &TileDef, rotation: Rotation) -> Self {
        let mut ports = Self { through: [None; 4], halves: [None; 8] };
        for (local, segment) in tile.segments.iter().enumerate() {
            for side in &segment.sides {
                ports.through[side.turned(rotation).index()] = Some(local);
            }
            for half in &segment.halves {
                ports.halves[half.turned(rotation).index()] = Some(local);
            }
        }
        ports
    }

    fn through(&self, side: Side) -> Option<usize> {
        self.through[side.index()]
    }

    fn half(&self, half: HalfEdge) -> Option<usize> {
        self.halves[half.index()]
    }

    /// What is left or right of the middle of a side: a half, else what fills the side.
    fn beside(&self, half: HalfEdge) -> Option<usize> {
        self.half(half).or(self.through(half.side()))
    }

    /// What shows in a corner, of which `half` is one of the two half-edges.
    fn corner(&self, half: HalfEdge) -> Option<usize> {
        let other = half.across_corner();
        match (self.half(half), self.half(other)) {
            (Some(one), _) | (None, Some(one)) => Some(one),
            // Two areas touch in a corner only if they are one.
            (None, None) => self.through(half.side()).filter(|area| self.through(other.side()) == Some(*area)),
        }
    }
}

impl Cells {
    pub(crate) fn of(pens: &Pens, tile: &TileDef, rotation: Rotation) -> Self {
        let ports = Ports::of(tile, rotation);
        let mut cells = Self { owners: [[None; WIDTH]; HEIGHT] };
        for (side, row) in [(Side::North, 0), (Side::South, HEIGHT - 1)] {
            cells.edge_row(&ports, side, row);
        }
        let middle = middle(pens, tile);
        let is_area = |local: usize| pens.shape(tile.segments[local].kind) == Shape::Area;
        let inner = middle.filter(|local| is_area(*local));
        for (side, outer, near) in [(Side::West, [0, 1], 2), (Side::East, [WIDTH - 1, WIDTH - 2], WIDTH - 3)] {
            let there = ports.through(side).or(ports.half(HalfEdge::left(side)));
            for column in outer {
                cells.owners[CENTRE.1][column] = there;
            }
            let is_line = there.is_some_and(|local| pens.shape(tile.segments[local].kind) == Shape::Line);
            let ground = ground(pens, tile);
            cells.owners[CENTRE.1][near] = if is_line { there } else { inner.or(ground).or(there) };
        }
        cells.owners[CENTRE.1][CENTRE.0] = middle;
        cells
    }

    fn edge_row(&mut self, ports: &Ports, side: Side, row: usize) {
        // Seen from the centre, left of the north side is west, left of the south side east.
        let (west, east) = match side {
            Side::North => (HalfEdge::left(side), HalfEdge::right(side)),
            _ => (HalfEdge::right(side), HalfEdge::left(side)),
        };
        let cells = &mut self.owners[row];
        cells[0] = ports.corner(west);
        cells[WIDTH - 1] = ports.corner(east);
        for column in 1..CENTRE.0 {
            cells[column] = ports.beside(west);
            cells[WIDTH - 1 - column] = ports.beside(east);
        }
        cells[CENTRE.0] = ports.through(side).or(ports.half(west));
    }

    /// The cells that show a segment, in reading order.
    pub(crate) fn of_segment(&self, local: usize) -> Vec<(usize, usize)> {
        let all = (0..HEIGHT).flat_map(|row| (0..WIDTH).map(move |column| (column, row)));
        all.filter(|(column, row)| self.owners[*row][*column] == Some(local)).collect()
    }
}

/// What the middle of a tile shows: a point, else a line or an area that runs through, else the ground.
fn middle(pens: &Pens, tile: &TileDef) -> Option<usize> {
    let find = |shape: Shape, sides: usize| {
        tile.segments.iter().position(|segment| pens.shape(segment.kind) == shape && segment.sides.len() >= sides)
    };
    find(Shape::Point, 0)
        .or_else(|| find(Shape::Line, 2))
        .or_else(|| find(Shape::Area, 2))
        .or_else(|| find(Shape::Line, 1))
        .or_else(|| ground(pens, tile))
        .or_else(|| find(Shape::Area, 1))
}

/// The largest ground of a tile; of equals the first.
fn ground(pens: &Pens, tile: &TileDef) -> Option<usize> {
    let grounds = (0..tile.segments.len()).filter(|local| pens.shape(tile.segments[*local].kind) == Shape::Ground);
    grounds.max_by_key(|local| (tile.segments[*local].halves.len(), std::cmp::Reverse(*local)))
}
