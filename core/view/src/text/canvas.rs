//! A grid of characters, and windows into it.

/// A rectangle of characters, blank at first.
pub(crate) struct Canvas {
    width: usize,
    cells: Vec<char>,
}

/// A part of a canvas with its own origin.
pub(crate) struct Window<'a> {
    canvas: &'a mut Canvas,
    left: usize,
    top: usize,
}

impl Canvas {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self { width, cells: vec![' '; width * height] }
    }

    /// The window whose north-west corner is here.
    pub(crate) fn at(&mut self, left: usize, top: usize) -> Window<'_> {
        Window { canvas: self, left, top }
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.cells.chunks(self.width.max(1)).map(|line| line.iter().collect())
    }
}

impl Window<'_> {
    /// Writes a character; what lies off the canvas is lost.
    pub(crate) fn set(&mut self, column: usize, row: usize, what: char) {
        let (x, y) = (self.left + column, self.top + row);
        if let Some(cell) = self.canvas.cells.get_mut(y * self.canvas.width + x) {
            *cell = what;
        }
    }
}
