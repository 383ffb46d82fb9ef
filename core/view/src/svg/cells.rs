//! Whose each small square of a tile is, and where there is room.

use std::collections::VecDeque;

use super::curve::{CENTRE, Spot};

/// Squares along a side of the tile.
pub(crate) const GRID: usize = 50;
/// Units along a side of a square.
const UNIT: f64 = 100.0 / GRID as f64;

/// For each square of a tile, the segment that shows there.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    owners: Vec<Owner>,
}

/// Who has a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Nobody yet.
    Free,
    /// Something that is no segment.
    Blocked,
    /// The segment at this place of the tile.
    Segment(usize),
}

/// A place with the room around it, in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Room {
    pub(crate) at: Spot,
    pub(crate) radius: f64,
}

impl Cells {
    pub(crate) fn new() -> Self {
        Self { owners: vec![Owner::Free; GRID * GRID] }
    }

    pub(crate) fn owner(&self, cell: usize) -> Owner {
        self.owners[cell]
    }

    /// Whose a place is; nobody's beyond the tile.
    pub(crate) fn owner_at(&self, at: Spot) -> Owner {
        let inside = (0.0..100.0).contains(&at.x) && (0.0..100.0).contains(&at.y);
        if !inside {
            return Owner::Blocked;
        }
        self.owners[(at.y / UNIT) as usize * GRID + (at.x / UNIT) as usize]
    }

    /// Gives a segment the squares for which `test` holds.
    pub(crate) fn fill(&mut self, owner: Owner, test: impl Fn(Spot) -> bool) {
        for (cell, now) in self.owners.iter_mut().enumerate() {
            if test(middle(cell)) {
                *now = owner;
            }
        }
    }

    /// Lets segments grow from the squares nearest to their places on the edge, over all that is free.
    pub(crate) fn flood(&mut self, seeds: &[(usize, Spot)]) {
        let mut queue = VecDeque::new();
        for (local, at) in seeds {
            let free = (0..self.owners.len()).filter(|cell| self.owners[*cell] == Owner::Free);
            let near = free.map(|cell| (cell, middle(cell).distance(*at))).min_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((cell, _)) = near.filter(|(_, distance)| *distance < 20.0) {
                self.owners[cell] = Owner::Segment(*local);
                queue.push_back(cell);
            }
        }
        while let Some(cell) = queue.pop_front() {
            for next in neighbours(cell) {
                if self.owners[next] == Owner::Free {
                    self.owners[next] = self.owners[cell];
                    queue.push_back(next);
                }
            }
        }
    }

    /// The place with the most room among the squares that `allowed` lets through and that nothing of `taken` covers;
    /// of equals the one nearest to the middle of the tile.
    pub(crate) fn room(&self, allowed: impl Fn(usize) -> bool, taken: &[Room]) -> Option<Room> {
        let open = |cell: usize| {
            let at = middle(cell);
            allowed(cell) && taken.iter().all(|room| room.at.distance(at) > room.radius)
        };
        let far = distances(&(0..self.owners.len()).map(open).collect::<Vec<_>>());
        let best = (0..far.len()).filter(|cell| far[*cell] > 0).max_by(|a, b| {
            let near = |cell: &usize| middle(*cell).distance(CENTRE);
            far[*a].cmp(&far[*b]).then(near(b).total_cmp(&near(a))).then(b.cmp(a))
        })?;
        Some(Room { at: middle(best), radius: f64::from(far[best]) / 3.0 * UNIT })
    }
}

/// The middle of a square.
pub(crate) fn middle(cell: usize) -> Spot {
    Spot::new(((cell % GRID) as f64 + 0.5) * UNIT, ((cell / GRID) as f64 + 0.5) * UNIT)
}

fn neighbours(cell: usize) -> impl Iterator<Item = usize> {
    let (column, row) = (cell % GRID, cell / GRID);
    let west = (column > 0).then(|| cell - 1);
    let east = (column + 1 < GRID).then_some(cell + 1);
    let north = (row > 0).then(|| cell - GRID);
    let south = (row + 1 < GRID).then_some(cell + GRID);
    [north, east, south, west].into_iter().flatten()
}

/// For each open square three times its distance from what is not open, the edge of the tile included.
fn distances(open: &[bool]) -> Vec<u32> {
    let mut far: Vec<u32> = open.iter().map(|open| if *open { u32::MAX / 2 } else { 0 }).collect();
    let at = |far: &[u32], column: i32, row: i32| {
        let inside = (0..GRID as i32).contains(&column) && (0..GRID as i32).contains(&row);
        if inside { far[row as usize * GRID + column as usize] } else { 0 }
    };
    // Two sweeps, each with the neighbours that were seen before.
    for (order, back) in [((0..open.len()).collect::<Vec<_>>(), -1), ((0..open.len()).rev().collect(), 1)] {
        for cell in order {
            let (column, row) = ((cell % GRID) as i32, (cell / GRID) as i32);
            let straight = at(&far, column + back, row).min(at(&far, column, row + back)) + 3;
            let across = at(&far, column + back, row + back).min(at(&far, column - back, row + back)) + 4;
            far[cell] = far[cell].min(straight).min(across);
        }
    }
    far
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_an_empty_tile_has_the_most_room() {
        let room = Cells::new().room(|_| true, &[]).expect("room");
        assert!(room.at.distance(CENTRE) < 2.0, "{room:?}");
        let beside = Cells::new().room(|_| true, &[Room { at: CENTRE, radius: 30.0 }]).expect("room");
        assert!(beside.at.distance(CENTRE) > 30.0, "{beside:?}");
        assert_eq!(Cells::new().room(|_| false, &[]), None);
    }

    #[test]
    fn ground_grows_up_to_what_is_there() {
        let mut cells = Cells::new();
        cells.fill(Owner::Segment(0), |spot| (spot.x - 50.0).abs() < 4.0);
        cells.flood(&[(1, Spot::new(0.0, 25.0)), (2, Spot::new(100.0, 75.0))]);
        assert_eq!(cells.owner(0), Owner::Segment(1));
        assert_eq!(cells.owner(GRID - 1), Owner::Segment(2));
        assert_eq!(cells.owner(GRID / 2), Owner::Segment(0));
    }
}
