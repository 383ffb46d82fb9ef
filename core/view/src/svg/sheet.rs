//! Contact sheets: every tile with its name, then what else there is to see.

use trencavel_rules::ids::TileDefId;
use trencavel_rules::{Rotation, short};

use super::cells::Room;
use super::curve::Spot;
use super::{Artist, Drawing, TILE, letters};

const COLUMNS: usize = 6;
const GAP: f64 = 14.0;
/// A tile with its two lines of text.
const CELL: (f64, f64) = (TILE + GAP, TILE + 34.0);
const HEAD: f64 = 34.0;
const INK: &str = "#222222";

pub(crate) fn draw(artist: &Artist<'_>, title: &str, tiles: &[TileDefId], names: &[String]) -> Drawing {
    let rows = tiles.len().div_ceil(COLUMNS) as f64;
    let more = names.len().div_ceil(COLUMNS) as f64;
    let width = COLUMNS as f64 * CELL.0 + GAP;
    let mut drawing = Drawing::new(width, HEAD + (rows + more) * CELL.1 + GAP);
    drawing.body += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    drawing.body += &letters::text(title, GAP, 11.0, 11.0, INK);
    for (place, tile) in tiles.iter().enumerate() {
        let at = corner(place, 0.0);
        artist.put_tile(&mut drawing, *tile, Rotation::R0, at);
        let count: u16 =
            artist.rules.copies().iter().filter(|copies| copies.tile == *tile).map(|copies| copies.count).sum();
        let name = short(&artist.rules.tile(*tile).id).to_owned();
        let words = if count > 1 { format!("{name} ×{count}") } else { name };
        drawing.body += &caption(&words, at);
    }
    for (place, name) in names.iter().enumerate() {
        let at = corner(place, rows);
        artist.show(&mut drawing, name, Room { at: Spot::new(at.x + 50.0, at.y + 50.0), radius: 30.0 });
        drawing.body += &caption(short(name), at);
    }
    drawing
}

fn corner(place: usize, rows: f64) -> Spot {
    let row = (place / COLUMNS) as f64 + rows;
    Spot::new(GAP + (place % COLUMNS) as f64 * CELL.0, HEAD + row * CELL.1)
}

/// The name in at most two lines, parted at a hyphen.
fn caption(words: &str, at: Spot) -> String {
    const HEIGHT: f64 = 6.0;
    let fits = |text: &str| letters::width(text, HEIGHT) <= TILE;
    let mut lines = vec![String::new()];
    for part in words.split_inclusive(['-', ' ']) {
        let line = lines.last().cloned().unwrap_or_default() + part;
        match lines.last_mut() {
            Some(last) if last.is_empty() || fits(&line) => *last = line,
            _ => lines.push(part.to_owned()),
        }
    }
    let place = |(number, line): (usize, &String)| {
        letters::text(line.trim(), at.x, at.y + TILE + 5.0 + number as f64 * 10.0, HEIGHT, INK)
    };
    lines.iter().enumerate().map(place).collect()
}
