//! The board as text: seven columns and three rows a tile, coordinates on the margins, a legend below.
//!
//! How a kind of feature is drawn follows from how it is printed, not from its name: what has halves beside it on a
//! side is a line, what fills a side is an area, what has only halves is ground, and what reaches no side is a point.

mod canvas;
mod pens;
mod pieces;
mod tile;

use trencavel_rules::{Position, Ruleset, State};

use canvas::Canvas;
use pens::Pens;

/// Columns of a tile.
pub(crate) const WIDTH: usize = 7;
/// Rows of a tile.
pub(crate) const HEIGHT: usize = 3;

/// The board as lines of text, each with its end. The same state always gives the same text.
pub fn board(rules: &Ruleset, state: &State) -> String {
    let Some(frame) = Frame::around(state) else { return "the board is empty\n".to_owned() };
    let pens = Pens::of(rules);
    let mut canvas = Canvas::new(frame.columns() * WIDTH, frame.rows() * HEIGHT);
    for (_, placed) in state.tiles() {
        let (left, top) = frame.corner(placed.at);
        tile::draw(rules, &pens, placed, &mut canvas.at(left, top));
    }
    let crowded = pieces::draw(rules, state, &frame, &mut canvas);
    let mut text = frame.with_margins(&canvas);
    text += &pens.legend(rules, state);
    text += &pieces::legend(rules, state, &crowded);
    text
}

/// The rectangle of spaces that holds every tile.
pub(crate) struct Frame {
    from: Position,
    to: Position,
}

impl Frame {
    fn around(state: &State) -> Option<Self> {
        let mut places = state.tiles().map(|(_, tile)| tile.at);
        let first = places.next()?;
        let mut frame = Self { from: first, to: first };
        for at in places {
            frame.from = Position::new(frame.from.x.min(at.x), frame.from.y.min(at.y));
            frame.to = Position::new(frame.to.x.max(at.x), frame.to.y.max(at.y));
        }
        Some(frame)
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
