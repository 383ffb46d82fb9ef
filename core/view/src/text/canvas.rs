//! A grid of characters, and windows into it.

use trencavel_rules::ids::PlayerId;

/// What a character of a board shows, for those who colour it. The characters say the same without colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ink {
    /// Nothing is printed here.
    #[default]
    Paper,
    /// What lies between the rest, such as fields.
    Ground,
    /// What runs from side to side, such as roads.
    Line,
    /// What fills sides, such as cities.
    Area,
    /// What reaches no side, such as a monastery.
    Point,
    /// A symbol.
    Mark,
    /// A figure and its owner; none for a neutral one.
    Figure(Option<PlayerId>),
}

/// A character of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The character, one column wide.
    pub letter: char,
    /// What it shows.
    pub ink: Ink,
}

impl Cell {
    /// A cell of a tile or space on which nothing is drawn.
    pub const BLANK: Self = Self { letter: ' ', ink: Ink::Paper };
}

/// A rectangle of characters, blank at first.
#[derive(Clone, Debug)]
pub(crate) struct Canvas {
    width: usize,
    cells: Vec<Cell>,
}

/// A part of a canvas with its own origin.
pub(crate) struct Window<'a> {
    canvas: &'a mut Canvas,
    left: usize,
    top: usize,
}

impl Canvas {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self { width, cells: vec![Cell::BLANK; width * height] }
    }

    /// The window whose north-west corner is here.
    pub(crate) fn at(&mut self, left: usize, top: usize) -> Window<'_> {
        Window { canvas: self, left, top }
    }

    /// The character at a column and row; blank off the canvas.
    pub(crate) fn cell(&self, column: usize, row: usize) -> Cell {
        let cell = (column < self.width).then(|| self.cells.get(row * self.width + column)).flatten();
        cell.copied().unwrap_or(Cell::BLANK)
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.cells.chunks(self.width.max(1)).map(|line| line.iter().map(|cell| cell.letter).collect())
    }
}

impl Window<'_> {
    /// Writes a character; what lies off the canvas is lost.
    pub(crate) fn set(&mut self, column: usize, row: usize, letter: char, ink: Ink) {
        let (x, y) = (self.left + column, self.top + row);
        if x >= self.canvas.width {
            return;
        }
        if let Some(cell) = self.canvas.cells.get_mut(y * self.canvas.width + x) {
            *cell = Cell { letter, ink };
        }
    }
}
