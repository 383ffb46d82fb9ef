//! The board as text: seven columns and three rows a tile, coordinates on the margins, a legend below.
//!
//! How a kind of feature is drawn follows from how it is printed, not from its name: what has halves beside it on a
//! side is a line, what fills a side is an area, what has only halves is ground, and what reaches no side is a point.

mod canvas;
mod pens;
mod pieces;
mod tile;

use trencavel_rules::ids::{FigureId, SegmentId, TileDefId};
use trencavel_rules::{Position, Rotation, Ruleset, State};

use canvas::Canvas;
pub use canvas::{Cell, Ink};
use pens::Pens;
use pieces::Drawn;

/// Columns of a tile.
pub const WIDTH: usize = 7;
/// Rows of a tile.
pub const HEIGHT: usize = 3;

/// The board as lines of text, each with its end. The same state always gives the same text.
pub fn board(rules: &Ruleset, state: &State) -> String {
    match Map::of(rules, state, []) {
        Some(map) => map.frame.with_margins(&map.canvas) + &map.legend(rules, state),
        None => "the board is empty\n".to_owned(),
    }
}

/// The board as a rectangle of characters, for those who show a part of it, colour it, or draw more on it.
#[derive(Clone, Debug)]
pub struct Map {
    frame: Frame,
    canvas: Canvas,
    drawn: Vec<Drawn>,
}

impl Map {
    /// A map of every tile, large enough for these spaces too; none if it would show nothing.
    pub fn of(rules: &Ruleset, state: &State, spaces: impl IntoIterator<Item = Position>) -> Option<Self> {
        let frame = Frame::around(state.tiles().map(|(_, tile)| tile.at).chain(spaces))?;
        let pens = Pens::of(rules);
        let mut canvas = Canvas::new(frame.columns() * WIDTH, frame.rows() * HEIGHT);
        for (_, placed) in state.tiles() {
            let (left, top) = frame.corner(placed.at);
            tile::draw(rules, &pens, placed.def, placed.rotation, &mut canvas.at(left, top));
        }
        let drawn = pieces::draw(rules, state, &frame, &mut canvas);
        Some(Self { frame, canvas, drawn })
    }

    /// Draws a tile that is not on the board.
    pub fn lay(&mut self, rules: &Ruleset, tile: TileDefId, rotation: Rotation, at: Position) {
        if let Some((left, top)) = self.corner(at) {
            tile::draw(rules, &Pens::of(rules), tile, rotation, &mut self.canvas.at(left, top));
        }
    }

    /// Columns and rows of the map, in characters.
    pub fn size(&self) -> (usize, usize) {
        (self.frame.columns() * WIDTH, self.frame.rows() * HEIGHT)
    }

    /// The character at a column and row; blank off the map.
    pub fn cell(&self, column: usize, row: usize) -> Cell {
        self.canvas.cell(column, row)
    }

    /// The space in the north-west corner of the map.
    pub fn first(&self) -> Position {
        self.frame.from
    }

    /// Column and row of the north-west corner of a space; none if the map does not show it.
    pub fn corner(&self, at: Position) -> Option<(usize, usize)> {
        self.frame.has(at).then(|| self.frame.corner(at))
    }

    /// The cells of a segment of a placed tile.
    pub fn segment(&self, rules: &Ruleset, state: &State, segment: SegmentId) -> Vec<(usize, usize)> {
        let (tile, local) = state.segment_place(segment);
        let placed = state.tile(tile);
        let (left, top) = self.frame.corner(placed.at);
        let cells = tile::Cells::of(&Pens::of(rules), rules.tile(placed.def), placed.rotation).of_segment(local);
        cells.into_iter().map(|(column, row)| (left + column, top + row)).collect()
    }

    /// The cells of a figure's letters; none if it is not drawn.
    pub fn figure(&self, figure: FigureId) -> &[(usize, usize)] {
        self.drawn.iter().find(|drawn| drawn.figure == figure).map_or(&[], |drawn| &drawn.cells)
    }

    /// What the characters mean: a line for kinds and symbols, and one for figures, if there are any.
    pub fn legend(&self, rules: &Ruleset, state: &State) -> String {
        Pens::of(rules).legend(rules, state) + &pieces::legend(rules, state, &self.drawn)
    }
}

/// A rectangle of spaces.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    from: Position,
    to: Position,
}

impl Frame {
    fn around(mut places: impl Iterator<Item = Position>) -> Option<Self> {
        let first = places.next()?;
        let mut frame = Self { from: first, to: first };
        for at in places {
            frame.from = Position::new(frame.from.x.min(at.x), frame.from.y.min(at.y));
            frame.to = Position::new(frame.to.x.max(at.x), frame.to.y.max(at.y));
        }
        Some(frame)
    }

    fn has(&self, at: Position) -> bool {
        (self.from.x..=self.to.x).contains(&at.x) && (self.from.y..=self.to.y).contains(&at.y)
    }

    fn columns(&self) -> usize {
        usize::from((self.to.x - self.from.x).unsigned_abs()) + 1
    }

    fn rows(&self) -> usize {
        usize::from((self.to.y - self.from.y).unsigned_abs()) + 1
    }

    /// Column and row of the north-west corner of a space.
    pub(crate) fn corner(&self, at: Position) -> (usize, usize) {
        let column = usize::from((at.x - self.from.x).unsigned_abs()) * WIDTH;
        let row = usize::from((at.y - self.from.y).unsigned_abs()) * HEIGHT;
        (column, row)
    }

    fn with_margins(&self, canvas: &Canvas) -> String {
        let header = self.header();
        let mut text = header.clone();
        for (row, line) in canvas.lines().enumerate() {
            let label = if row % HEIGHT == HEIGHT / 2 {
                (self.from.y + (row / HEIGHT) as i16).to_string()
            } else {
                String::new()
            };
            let body = format!("{label:>4} {line} {label}");
            text += body.trim_end();
            text.push('\n');
        }
        text + &header
    }

    fn header(&self) -> String {
        let labels: String = (self.from.x..=self.to.x).map(|x| format!("{x:^WIDTH$}")).collect();
        format!("     {}\n", labels.trim_end())
    }
}
