//! Which tile lies where: pages of 16 × 16 spaces in a directory that grows with the table.

use crate::geometry::Position;
use crate::ids::TileId;

const PAGE: usize = 256;

/// A map from spaces to tiles. Empty pages are shared, so a table of any shape stays small.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// Page numbers, `1 << bits` a row; page 0 is the shared empty one.
    directory: Vec<u16>,
    bits: u32,
    /// 0 is empty, otherwise one more than the tile's index.
    cells: Vec<u16>,
    journal: Vec<Position>,
}

impl Default for Grid {
    fn default() -> Self {
        Self { directory: vec![0; 64], bits: 3, cells: vec![0; PAGE], journal: Vec::new() }
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

    #[inline]
    fn page(&self, at: Position) -> Option<usize> {
        let half = 1 << (self.bits - 1);
        let (px, py) = ((i32::from(at.x) >> 4) + half, (i32::from(at.y) >> 4) + half);
        let size = 1 << self.bits;
        ((px | py) >= 0 && px < size && py < size).then(|| ((py << self.bits) | px) as usize)
    }

    #[inline]
    fn cell(at: Position) -> usize {
        ((at.y as usize & 15) << 4) | (at.x as usize & 15)
    }

    /// The tile at a space.
    #[inline]
    pub fn get(&self, at: Position) -> Option<TileId> {
        let page = self.directory[self.page(at)?];
        let value = self.cells[page as usize * PAGE + Self::cell(at)];
        (value != 0).then(|| TileId(value - 1))
    }

    /// The tiles on the nine spaces around and at `at`, row by row from the north-west.
    pub fn around(&self, at: Position) -> [Option<TileId>; 9] {
        let (column, row) = (at.x as usize & 15, at.y as usize & 15);
        let inside = (1..15).contains(&column) && (1..15).contains(&row);
        let Some(slot) = self.page(at).filter(|_| inside) else {
            return std::array::from_fn(|index| self.get(at.offset(index as i16 % 3 - 1, index as i16 / 3 - 1)));
        };
        let corner = self.directory[slot] as usize * PAGE + Self::cell(at) - 17;
        std::array::from_fn(|index| {
            let value = self.cells[corner + index / 3 * 16 + index % 3];
            (value != 0).then(|| TileId(value - 1))
        })
    }

    /// Puts a tile on an empty space.
    pub fn put(&mut self, at: Position, tile: TileId) {
        let slot = loop {
            match self.page(at) {
                Some(slot) => break slot,
                None => self.grow(),
            }
        };
        if self.directory[slot] == 0 {
            self.directory[slot] = (self.cells.len() / PAGE) as u16;
            self.cells.resize(self.cells.len() + PAGE, 0);
        }
        self.cells[self.directory[slot] as usize * PAGE + Self::cell(at)] = tile.0 + 1;
        self.journal.push(at);
    }

    fn clear(&mut self, at: Position) {
        if let Some(slot) = self.page(at) {
            self.cells[self.directory[slot] as usize * PAGE + Self::cell(at)] = 0;
        }
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

    /// Takes every tile off and forgets how to undo.
    pub fn clear_all(&mut self) {
        self.directory.fill(0);
        self.cells.truncate(PAGE);
        self.journal.clear();
    }

    /// A point in time to come back to.
    pub fn mark(&self) -> u32 {
        self.journal.len() as u32
    }

    /// Takes off everything put down since `mark`.
    pub fn undo(&mut self, mark: u32) {
        while self.journal.len() > mark as usize {
            if let Some(at) = self.journal.pop() {
                self.clear(at);
            }
        }
    }

    /// Forgets how to undo.
    pub fn forget(&mut self) {
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
            grid.put(Position::new(x, y), TileId(index as u16));
        }
        for (index, (x, y)) in places.into_iter().enumerate() {
            assert_eq!(grid.get(Position::new(x, y)), Some(TileId(index as u16)));
        }
        assert_eq!(grid.get(Position::new(1, 1)), None);
        grid.undo(3);
        assert_eq!(grid.get(Position::new(-500, 3)), None);
        assert_eq!(grid.get(Position::new(15, 16)), Some(TileId(2)));
    }
}
