//! The table as something to point at: drawn without margins, with the places of everything on it.

use trencavel_rules::ids::{FigureId, FigureKindId, PlayerId, SeatId, SegmentId};
use trencavel_rules::{Position, State};

use super::cells::Room;
use super::curve::{CENTRE, Spot};
use super::pieces::{self, Standing};
use super::{Artist, Drawing, TILE, look};

/// A table whose north-west corner of the space 0,0 is the origin, so that nothing moves when it grows.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Its tiles, figures and tokens.
    pub drawing: Drawing,
    figures: Standing,
}

impl Table {
    /// The north-west corner of a space, in units from west and north.
    pub fn space(at: Position) -> (f64, f64) {
        (f64::from(at.x) * TILE, f64::from(at.y) * TILE)
    }

    /// The middle of a figure that stands on the board.
    pub fn figure(&self, figure: FigureId) -> Option<(f64, f64)> {
        self.figures.get(&figure).map(|spot| (spot.x, spot.y))
    }
}

impl Artist<'_> {
    /// The table as something to point at.
    pub fn table(&self, state: &State) -> Table {
        let mut drawing = Drawing::default();
        let corner = |at: Position| {
            let (x, y) = Table::space(at);
            Spot::new(x, y)
        };
        let figures = pieces::lay(self, state, &mut drawing, &corner);
        Table { drawing, figures }
    }

    /// Where one more figure would stand on a segment of the table.
    pub fn seat(&self, state: &State, segment: SegmentId, seat: Option<SeatId>) -> (f64, f64) {
        let (x, y) = Table::space(state.tile(state.segment_place(segment).0).at);
        let spot = pieces::free_spot(self, state, segment, seat);
        (x + spot.x, y + spot.y)
    }

    /// A figure alone, as its owner has it.
    pub fn piece(&self, kind: FigureKindId, owner: Option<PlayerId>) -> Drawing {
        let mut drawing = Drawing::new(TILE, TILE);
        self.figure(&mut drawing, kind, owner, Room { at: CENTRE, radius: TILE * 0.44 });
        drawing
    }

    /// A symbol or token alone, by its full id.
    pub fn symbol(&self, id: &str) -> Drawing {
        let mut drawing = Drawing::new(TILE, TILE);
        self.show(&mut drawing, id, Room { at: CENTRE, radius: TILE * 0.44 });
        drawing
    }
}

/// The colour of a player's pieces, and that of letters on them.
pub fn player_colours(player: PlayerId) -> (&'static str, &'static str) {
    look::player(Some(player))
}
