//! What is printed beside tiles: pages measured in millimetres, and backs.

use super::curve::number;
use super::{Drawing, TILE, letters};

/// Units in a millimetre of a page: a drawing keeps tenths of a unit.
const UNITS: f64 = 10.0;
const INK: &str = "#000000";
/// Backs, by number; the last holds for more.
const BACKS: [(&str, &str); 4] =
    [("#5b3a29", "#8a5f43"), ("#27364f", "#4a638c"), ("#2f4a2c", "#57804f"), ("#4a2a4a", "#7d527d")];

impl Drawing {
    /// An empty page of so many millimetres.
    pub(crate) fn page(width: f64, height: f64) -> Self {
        Self::new(width * UNITS, height * UNITS)
    }

    /// A thin line between two places, in millimetres.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64)) {
        let place = |(x, y): (f64, f64)| format!("{} {}", number(x * UNITS), number(y * UNITS));
        let d = format!("M{}L{}", place(from), place(to));
        self.body += &format!("<path d=\"{d}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.5\"/>\n");
    }

    /// Words whose north-west corner is here, so many millimetres high.
    pub(crate) fn words(&mut self, words: &str, left: f64, top: f64, height: f64) {
        self.body += &letters::text(words, left * UNITS, top * UNITS, height * UNITS, INK);
    }

    /// The back of tiles; different numbers have different colours. It looks the same however it is turned.
    pub fn back(number: usize) -> Self {
        let (ground, bright) = BACKS[number.min(BACKS.len() - 1)];
        let mut drawing = Self::new(TILE, TILE);
        drawing.body += &format!(
            "<path d=\"M0 0H100V100H0Z\" fill=\"{ground}\"/>\n\
             <path d=\"M50 10L90 50L50 90L10 50Z\" fill=\"none\" stroke=\"{bright}\" stroke-width=\"5\"/>\n\
             <path d=\"M50 26L74 50L50 74L26 50Z\" fill=\"{bright}\"/>\n\
             <circle cx=\"50\" cy=\"50\" r=\"9\" fill=\"{ground}\"/>\n"
        );
        drawing
    }
}
