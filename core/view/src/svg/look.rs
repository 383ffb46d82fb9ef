//! Colours and strokes.

use trencavel_rules::ids::PlayerId;

/// What a line is drawn with, from the bottom up: colour and width.
pub(crate) type Strokes = Vec<(String, f64)>;

/// Colours of grounds, of areas (floor, wall, roofs) and of lines, by the rank of their kind; the last holds for more.
const GROUNDS: [&str; 2] = ["#93c46a", "#c9c27a"];
const AREAS: [Area; 2] = [
    Area { floor: "#dcb98a", wall: "#6b4a2f", stone: "#d8cbb2", roofs: ["#b5482f", "#c8643c", "#9c3b2c"] },
    Area { floor: "#b9c4d6", wall: "#3f4a63", stone: "#dfe3ec", roofs: ["#4f6a9a", "#5f7fb0", "#3f5680"] },
];
const LINES: [[(&str, f64); 2]; 3] = [
    [("#6f675c", 11.0), ("#f6f1e6", 8.0)],
    [("#2f6c9c", 15.0), ("#79b4dd", 11.5)],
    [("#5b3d1f", 11.0), ("#c08a4a", 7.0)],
];
/// Colours that people tell apart however they see colours, each with one that is read on it.
const PLAYERS: [(&str, &str); 6] = [
    ("#0072b2", "#ffffff"),
    ("#e69f00", "#000000"),
    ("#cc79a7", "#000000"),
    ("#222222", "#ffffff"),
    ("#f7f7f7", "#000000"),
    ("#d55e00", "#ffffff"),
];

/// The look of an area.
#[derive(Clone, Copy)]
pub(crate) struct Area {
    pub(crate) floor: &'static str,
    pub(crate) wall: &'static str,
    pub(crate) stone: &'static str,
    pub(crate) roofs: [&'static str; 3],
}

pub(crate) fn ground(rank: usize) -> &'static str {
    GROUNDS[rank.min(GROUNDS.len() - 1)]
}

pub(crate) fn area(rank: usize) -> Area {
    AREAS[rank.min(AREAS.len() - 1)]
}

pub(crate) fn line(rank: usize) -> Strokes {
    LINES[rank.min(LINES.len() - 1)].iter().map(|(colour, width)| ((*colour).to_owned(), *width)).collect()
}

/// The colour of a player's pieces, and that of letters on them; of a piece that nobody owns without a player.
pub(crate) fn player(player: Option<PlayerId>) -> (&'static str, &'static str) {
    player.map_or(("#8a8a8a", "#000000"), |player| PLAYERS[player.index() % PLAYERS.len()])
}
