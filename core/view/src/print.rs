//! Print sheets: tiles of real size with bleed, cut marks and a line to measure, their backs on the pages between.

use trencavel_rules::ids::TileDefId;
use trencavel_rules::short;

use crate::pdf::{Document, FormId, Placement};
use crate::png::PictureError;
use crate::svg::{Artist, Drawing};

/// The side of a tile, in millimetres.
pub const SIDE: f64 = 45.0;
/// How far a picture goes on beyond the cut, in millimetres.
pub const BLEED: f64 = 2.0;
/// From tile to tile.
const PITCH: f64 = SIDE + 2.0 * BLEED;
const COLUMNS: usize = 4;
const ROWS: usize = 5;
/// From the north edge of the page to the first bleed.
const TOP: f64 = 10.0;
/// Lines of the list on a page.
const LINES: usize = 52;

/// What is printed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// 210 by 297 millimetres.
    A4,
    /// 215.9 by 279.4 millimetres.
    Letter,
}

impl Paper {
    /// Width and height in millimetres.
    pub fn size(self) -> (f64, f64) {
        match self {
            Self::A4 => (210.0, 297.0),
            Self::Letter => (215.9, 279.4),
        }
    }

    /// The west edge of the first bleed; the grid is in the middle, so that backs meet their fronts.
    fn left(self) -> f64 {
        (self.size().0 - COLUMNS as f64 * PITCH) / 2.0
    }
}

/// A tile to print, with how many of it, and a number that tells backs apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Print {
    /// Which.
    pub tile: TileDefId,
    /// How many.
    pub count: u16,
    /// Tiles of one number have one back.
    pub back: usize,
}

/// A PDF with every copy of the tiles: fronts and backs in turn, to be printed on both sides and turned over the long
/// edge; the list of tiles comes last.
///
/// # Errors
/// If a picture is broken.
pub fn sheets(artist: &Artist<'_>, title: &str, paper: Paper, prints: &[Print]) -> Result<Vec<u8>, PictureError> {
    let mut document = Document::default();
    let mut forms = Vec::new();
    for print in prints {
        let front = Face {
            tile: document.form(&artist.printed(print.tile))?,
            bleed: document.form(&artist.bleed(print.tile))?,
        };
        forms.extend((0..print.count).map(|_| (front, print.back)));
    }
    let mut backs: Vec<(usize, Face)> = Vec::new();
    for print in prints {
        if backs.iter().all(|(number, _)| *number != print.back) {
            let back = document.form(&Drawing::back(print.back))?;
            backs.push((print.back, Face { tile: back, bleed: back }));
        }
    }
    let pages: Vec<&[(Face, usize)]> = forms.chunks(COLUMNS * ROWS).collect();
    for (number, page) in pages.iter().enumerate() {
        let words = format!("{title} - page {} of {}", number + 1, pages.len());
        let fronts: Vec<(usize, Face)> = page.iter().map(|(face, _)| *face).enumerate().collect();
        front(&mut document, paper, &words, &fronts)?;
        let mirrored = page.iter().enumerate().filter_map(|(place, (_, back))| {
            let (row, column) = (place / COLUMNS, place % COLUMNS);
            let face = backs.iter().find(|(number, _)| number == back)?.1;
            Some((row * COLUMNS + COLUMNS - 1 - column, face))
        });
        let mirrored: Vec<(usize, Face)> = mirrored.collect();
        document.page(paper.size().0, paper.size().1, &places(paper, &mirrored));
    }
    list(&mut document, artist, title, paper, prints)?;
    Ok(document.finish())
}

/// Where the north-west corner of a place's bleed lies.
fn corner(paper: Paper, place: usize) -> (f64, f64) {
    let (column, row) = ((place % COLUMNS) as f64, (place / COLUMNS) as f64);
    (paper.left() + column * PITCH, TOP + row * PITCH)
}

/// A side of a tile: what is seen, and what lies under it and looks out beyond the cut.
#[derive(Clone, Copy)]
struct Face {
    tile: FormId,
    bleed: FormId,
}

/// Each picture twice: a larger one for the bleed, and over it the one of the right size.
fn places(paper: Paper, faces: &[(usize, Face)]) -> Vec<Placement> {
    let bleeds = faces.iter().map(|(place, face)| {
        let (left, top) = corner(paper, *place);
        Placement { form: face.bleed, left, top, width: PITCH }
    });
    let tiles = faces.iter().map(|(place, face)| {
        let (left, top) = corner(paper, *place);
        Placement { form: face.tile, left: left + BLEED, top: top + BLEED, width: SIDE }
    });
    bleeds.chain(tiles).collect()
}

/// A page of fronts with its marks.
fn front(document: &mut Document, paper: Paper, words: &str, faces: &[(usize, Face)]) -> Result<(), PictureError> {
    let (width, height) = paper.size();
    let rows = faces.iter().map(|(place, _)| place / COLUMNS + 1).max().unwrap_or(0);
    let marks = document.form(&marks(paper, words, rows))?;
    let mut all = places(paper, faces);
    all.push(Placement { form: marks, left: 0.0, top: 0.0, width });
    document.page(width, height, &all);
    Ok(())
}

/// Cut marks, a line of 50 millimetres and the page's name, in tenths of a millimetre.
fn marks(paper: Paper, words: &str, rows: usize) -> Drawing {
    let (width, height) = paper.size();
    let mut drawing = Drawing::page(width, height);
    let (left, right) = (paper.left(), paper.left() + COLUMNS as f64 * PITCH);
    let bottom = TOP + rows as f64 * PITCH;
    for column in 0..COLUMNS {
        for x in [BLEED, BLEED + SIDE].map(|edge| left + column as f64 * PITCH + edge) {
            drawing.line((x, TOP - 5.0), (x, TOP - 0.5));
            drawing.line((x, bottom + 0.5), (x, bottom + 5.0));
        }
    }
    for row in 0..rows {
        for y in [BLEED, BLEED + SIDE].map(|edge| TOP + row as f64 * PITCH + edge) {
            drawing.line((left - 4.5, y), (left - 0.5, y));
            drawing.line((right + 0.5, y), (right + 4.5, y));
        }
    }
    let base = height - 11.0;
    drawing.line((left + BLEED, base), (left + BLEED + 50.0, base));
    for x in [left + BLEED, left + BLEED + 50.0] {
        drawing.line((x, base - 2.0), (x, base + 2.0));
    }
    drawing.words("50 mm: measure it. Print at 100%, turned over the long edge", left + BLEED, base + 3.5, 2.2);
    drawing.words(words, left + BLEED + 60.0, base - 2.0, 2.6);
    drawing
}

/// Every tile with its number of copies.
fn list(
    document: &mut Document,
    artist: &Artist<'_>,
    title: &str,
    paper: Paper,
    prints: &[Print],
) -> Result<(), PictureError> {
    let (width, height) = paper.size();
    let total: usize = prints.iter().map(|print| usize::from(print.count)).sum();
    for page in prints.chunks(LINES) {
        let mut drawing = Drawing::page(width, height);
        drawing.words(&format!("{title}: {total} tiles"), 15.0, 15.0, 4.0);
        for (line, print) in page.iter().enumerate() {
            let words = format!("{:>3} × {}", print.count, short(&artist.rules().tile(print.tile).id));
            drawing.words(&words, 15.0, 25.0 + line as f64 * 4.6, 2.4);
        }
        let form = document.form(&drawing)?;
        document.page(width, height, &[Placement { form, left: 0.0, top: 0.0, width }]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backs_meet_their_fronts_when_the_page_is_turned_over_its_long_edge() {
        for paper in [Paper::A4, Paper::Letter] {
            let (width, height) = paper.size();
            for place in 0..COLUMNS * ROWS {
                let (row, column) = (place / COLUMNS, place % COLUMNS);
                let ((front, top), (back, back_top)) =
                    (corner(paper, place), corner(paper, row * COLUMNS + COLUMNS - 1 - column));
                assert!((width - front - PITCH - back).abs() < 1e-9, "{paper:?} {place}");
                assert_eq!(top.to_bits(), back_top.to_bits());
                assert!(front > 3.0 && top > 3.0 && top + PITCH < height - 13.0, "{paper:?} {place}: no room");
            }
        }
    }
}
