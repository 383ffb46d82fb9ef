//! What lies where: pages of 32 × 32 spaces in a directory that grows with the table.

use crate::geometry::Position;
use crate::ids::TileId;

/// Spaces on a side of a page, as a power of two. The origin lies in the middle of one, so that most games need one page.
const PAGE_BITS: u32 = 5;
const SIDE: usize = 1 << PAGE_BITS;
const PAGE: usize = SIDE * SIDE;

/// What is on a space: nothing, a tile, or the number of a free space beside a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell(u32);

/// The features of a tile count what lies around it.
const COUNTS_AROUND: u32 = 1 << 30;
/// The cell is a free space beside a tile.
const FREE: u32 = 1 << 31;
const NUMBER: u32 = COUNTS_AROUND - 1;

impl Cell {
    pub const EMPTY: Self = Self(0);

    pub fn tile(tile: TileId, counts_around: bool) -> Self {
        Self((u32::from(tile.0) + 1) | if counts_around { COUNTS_AROUND } else { 0 })
    }

    pub fn free(space: usize) -> Self {
        Self(FREE | space as u32)
    }

    /// The tile that lies here.
    #[inline]
    pub fn as_tile(self) -> Option<TileId> {
        (self.0 != 0 && self.0 & FREE == 0).then(|| TileId(((self.0 & NUMBER) - 1) as u16))
    }

    /// The number of the free space.
    #[inline]
    pub fn as_free(self) -> Option<usize> {
        (self.0 & FREE != 0).then_some((self.0 & NUMBER) as usize)
    }

    /// True for a tile whose features count what lies around it.
    #[inline]
    pub fn counts_around(self) -> bool {
        self.0 & (FREE | COUNTS_AROUND) == COUNTS_AROUND
    }
}

/// A space of the map, for changes: its number, which never changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot(u32);

/// What is on a space and the eight around it, row by row from the north-west.
pub(crate) struct Around {
    pub cells: [Cell; 9],
    /// Where the space is, if it and its neighbours are on one page that is there already.
    inside: Option<Spot>,
}

/// A map from spaces to what is there. Empty pages are shared, so a table of any shape stays small.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// Page numbers, `1 << bits` a row; page 0 is the shared empty one.
    directory: Vec<u16>,
    bits: u32,
    cells: Vec<Cell>,
    journal: Vec<(Spot, Cell)>,
    forgets: bool,
}

impl Default for Grid {
    fn default() -> Self {
        Self { directory: vec![0; 64], bits: 3, cells: vec![Cell::EMPTY; PAGE], journal: Vec::new(), forgets: false }
    }
}

impl Grid {
    /// Copies `source` into the room that is already there.
    pub fn copy_from(&mut self, source: &Self) {
        self.directory.clone_from(&source.directory);
        self.bits = source.bits;
        self.cells.clone_from(&source.cells);
        self.journal.clear();
    }

    /// The place in the directory, and on the page.
    #[inline]
    fn locate(&self, at: Position) -> Option<(usize, usize)> {
        let (x, y) = (i32::from(at.x) + SIDE as i32 / 2, i32::from(at.y) + SIDE as i32 / 2);
        let half = 1 << (self.bits - 1);
        let (px, py) = ((x >> PAGE_BITS) + half, (y >> PAGE_BITS) + half);
        let size = 1 << self.bits;
        let cell = (y as usize & (SIDE - 1)) << PAGE_BITS | x as usize & (SIDE - 1);
        ((px | py) >= 0 && px < size && py < size).then_some((((py << self.bits) | px) as usize, cell))
    }

    /// What is on a space.
    #[inline]
    pub fn get(&self, at: Position) -> Cell {
        let Some((slot, cell)) = self.locate(at) else { return Cell::EMPTY };
        self.cells[self.directory[slot] as usize * PAGE + cell]
    }

    /// What is on the nine spaces around and at `at`.
    #[inline]
    pub fn around(&self, at: Position) -> Around {
        if let Some((slot, cell)) = self.locate(at) {
            let (column, row) = (cell & (SIDE - 1), cell >> PAGE_BITS);
            let page = self.directory[slot] as usize;
            if page != 0 && (1..SIDE - 1).contains(&column) && (1..SIDE - 1).contains(&row) {
                let spot = page * PAGE + cell;
                let near = &self.cells[spot - SIDE - 1..spot + SIDE + 2];
                let cells = std::array::from_fn(|index| near[index / 3 * SIDE + index % 3]);
                return Around { cells, inside: Some(Spot(spot as u32)) };
            }
        }
        let cells = std::array::from_fn(|index| self.get(at.offset(index as i16 % 3 - 1, index as i16 / 3 - 1)));
        Around { cells, inside: None }
    }

    /// Where a space is; its page is made if there is none.
    #[inline]
    pub fn spot(&mut self, at: Position) -> Spot {
        let place = self.locate(at).filter(|(slot, _)| self.directory[*slot] != 0);
        let (slot, cell) = place.unwrap_or_else(|| self.make_room(at));
        Spot((self.directory[slot] as usize * PAGE + cell) as u32)
    }

    /// Where the space in the middle is.
    #[inline]
    pub fn spot_of(&mut self, around: &Around, at: Position) -> Spot {
        around.inside.unwrap_or_else(|| self.spot(at))
    }

    /// Where the neighbour across a side is, counted clockwise from the north.
    #[inline]
    pub fn spot_beside(&mut self, around: &Around, side: usize, at: Position) -> Spot {
        const STEPS: [i32; 4] = [-(SIDE as i32), 1, SIDE as i32, -1];
        match around.inside {
            Some(spot) => Spot(spot.0.wrapping_add_signed(STEPS[side])),
            None => self.spot(at),
        }
    }

    /// Changes what is on a space.
    #[inline]
    pub fn put(&mut self, spot: Spot, cell: Cell) {
        let place = &mut self.cells[spot.0 as usize];
        if !self.forgets {
            self.journal.push((spot, *place));
        }
        *place = cell;
    }

    /// Gives a space a page, and tells where it is.
    #[cold]
    fn make_room(&mut self, at: Position) -> (usize, usize) {
        let (slot, cell) = loop {
            match self.locate(at) {
                Some(place) => break place,
                None => self.grow(),
            }
        };
        self.directory[slot] = (self.cells.len() / PAGE) as u16;
        self.cells.resize(self.cells.len() + PAGE, Cell::EMPTY);
        (slot, cell)
    }

    fn grow(&mut self) {
        let (old_size, old) = (1_usize << self.bits, std::mem::take(&mut self.directory));
        self.bits += 1;
        let size = 1_usize << self.bits;
        self.directory = vec![0; size * size];
        let shift = old_size / 2;
        for (row, pages) in old.chunks(old_size).enumerate() {
            let start = (row + shift) * size + shift;
            self.directory[start..start + old_size].copy_from_slice(pages);
        }
    }

    /// Takes everything off and forgets how to undo.
    pub fn clear_all(&mut self) {
        self.directory.fill(0);
        self.cells.truncate(PAGE);
        self.journal.clear();
    }

    /// Bytes that the map takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.cells.as_slice()) + size_of_val(self.directory.as_slice())
    }

    /// A point in time to come back to.
    pub fn mark(&self) -> u32 {
        self.journal.len() as u32
    }

    /// Takes back every change since `mark`.
    pub fn undo(&mut self, mark: u32) {
        while self.journal.len() > mark as usize {
            if let Some((spot, old)) = self.journal.pop() {
                self.cells[spot.0 as usize] = old;
            }
        }
    }

    /// Forgets how to undo.
    pub fn forget(&mut self) {
        self.journal.clear();
    }

    /// Whether changes are remembered from now on.
    pub fn remember(&mut self, remembers: bool) {
        self.forgets = !remembers;
        self.journal.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_and_near_spaces_are_kept_apart() {
        let mut grid = Grid::default();
        let places = [(0, 0), (-1, 0), (15, 16), (-500, 3), (4000, -4000), (4000, 4000)];
        for (index, (x, y)) in places.into_iter().enumerate() {
            let spot = grid.spot(Position::new(x, y));
            grid.put(spot, Cell::tile(TileId(index as u16), index % 2 == 0));
        }
        for (index, (x, y)) in places.into_iter().enumerate() {
            let cell = grid.get(Position::new(x, y));
            assert_eq!((cell.as_tile(), cell.as_free()), (Some(TileId(index as u16)), None));
            assert_eq!(cell.counts_around(), index % 2 == 0);
        }
        assert_eq!(grid.get(Position::new(1, 1)), Cell::EMPTY);
        let around = grid.around(Position::new(0, 1));
        let spot = grid.spot_beside(&around, 1, Position::new(1, 1));
        grid.put(spot, Cell::free(7));
        assert_eq!((grid.get(Position::new(1, 1)).as_free(), grid.get(Position::new(1, 1)).as_tile()), (Some(7), None));
        grid.undo(3);
        assert_eq!(grid.get(Position::new(-500, 3)), Cell::EMPTY);
        assert_eq!(grid.get(Position::new(15, 16)).as_tile(), Some(TileId(2)));
    }
}
