//! Figures on the board: the owner's letter and the initial of the kind, on the segment where the figure stands.

use trencavel_rules::ids::{FigureId, TileId};
use trencavel_rules::{Anchor, Figure, Ruleset, State, features, notation, short};

use super::canvas::{Canvas, Ink};
use super::pens::{Pens, Shape};
use super::tile::{CENTRE, Cells};
use super::{Frame, HEIGHT, WIDTH};

/// A figure and where it was drawn.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(crate) figure: FigureId,
    /// The cells of its letters; too few where there was no room.
    pub(crate) cells: Vec<(usize, usize)>,
    crowded: bool,
}

/// Draws every figure on the board.
pub(crate) fn draw(rules: &Ruleset, state: &State, frame: &Frame, canvas: &mut Canvas) -> Vec<Drawn> {
    let pens = Pens::of(rules);
    let mut all = Vec::new();
    for (tile, placed) in state.tiles() {
        let (left, top) = frame.corner(placed.at);
        let mut window = canvas.at(left, top);
        let mut taken = [[false; WIDTH]; HEIGHT];
        for figure in features::figures_on(rules, state, tile) {
            let places = places(rules, state, &pens, tile, figure);
            let letters = letters(rules, state.figure(figure));
            let both = room(&places, letters.len(), &taken);
            let found = both.or_else(|| room(&places, 1, &taken));
            let wide = if both.is_some() { letters.len() } else { 1 };
            let columns = found.map_or(0..0, |(column, _)| column..column + wide);
            let row = found.map_or(0, |(_, row)| row);
            let owner = state.figure(figure).owner();
            for (column, letter) in columns.clone().zip(letters) {
                window.set(column, row, letter, Ink::Figure(owner));
                taken[row][column] = true;
            }
            let cells = columns.map(|column| (left + column, top + row)).collect();
            all.push(Drawn { figure, cells, crowded: both.is_none() });
        }
    }
    all
}

/// What the letters mean, and who stands where nothing could be drawn.
pub(crate) fn legend(rules: &Ruleset, state: &State, drawn: &[Drawn]) -> String {
    let on_board = |figure: FigureId| features::standing_on(rules, state, figure).is_some();
    let mut kinds: Vec<_> = state.figures().filter(|(id, _)| on_board(*id)).map(|(_, figure)| figure.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.is_empty() {
        return String::new();
    }
    let words: Vec<String> = kinds
        .into_iter()
        .map(|kind| {
            let name = short(&rules.figure_kind(kind).name);
            format!("{} {name}", initial(name))
        })
        .collect();
    let mut text =
        format!("     figures: the owner's letter, then {}; they stand where the first letter is\n", words.join(", "));
    for Drawn { figure, .. } in drawn.iter().filter(|drawn| drawn.crowded) {
        text += &format!("     hard to see: {}\n", notation::figure_words(rules, state, *figure));
    }
    text
}

fn initial(name: &str) -> char {
    name.chars().next().unwrap_or('?').to_ascii_lowercase()
}

fn letters(rules: &Ruleset, figure: &Figure) -> [char; 2] {
    let owner = figure.owner().map_or('*', notation::letter);
    [owner, initial(short(&rules.figure_kind(figure.kind).name))]
}

/// The cells where a figure may be drawn.
fn places(rules: &Ruleset, state: &State, pens: &Pens, tile: TileId, figure: FigureId) -> Vec<(usize, usize)> {
    let placed = state.tile(tile);
    let printed = rules.tile(placed.def);
    let Anchor::Seat { segment, .. } = state.figure(figure).at else {
        return (0..HEIGHT).flat_map(|row| (0..WIDTH).map(move |column| (column, row))).collect();
    };
    let local = segment.index() - placed.first.index();
    let point = pens.shape(printed.segments[local].kind) == Shape::Point;
    let cells = Cells::of(pens, printed, placed.rotation).of_segment(local);
    // The sign of a point stays to be seen.
    cells.into_iter().map(|(column, row)| (column + usize::from(point), row)).collect()
}

/// The place with this many free columns that hides the least of others, near the middle of the tile.
fn room(places: &[(usize, usize)], wide: usize, taken: &[[bool; WIDTH]; HEIGHT]) -> Option<(usize, usize)> {
    let free = |(column, row): &(usize, usize)| {
        column + wide <= WIDTH && (*column..column + wide).all(|column| !taken[*row][column])
    };
    let near = |(column, row): &(usize, usize)| {
        let foreign = (*column..column + wide).filter(|column| !places.contains(&(*column, *row))).count();
        (foreign, column.abs_diff(CENTRE.0 - 1) + 2 * row.abs_diff(CENTRE.1), *row, *column)
    };
    places.iter().copied().filter(free).min_by_key(near)
}
