//! What a position is worth, by the rules' own final scoring: the table is laid out again with no tile left to draw.

use trencavel_rules::game::SetFigure;
use trencavel_rules::hooks::Scripts;
use trencavel_rules::ids::{PlayerId, TileDefId};
use trencavel_rules::{Anchor, Game, Setup, Start, State};

/// Worth of a position to a player, in hundredths of a point: comparable between positions of one game only.
pub(crate) type Worth = i32;

/// Points are counted in these.
const POINT: i32 = 100;
/// The most that a figure in supply is worth, and what each tile that is to come adds to it.
const FIGURE_MOST: i32 = 150;
const FIGURE_TILE: i32 = 4;

/// Looks ahead to the end of a game. Keeps the room of the games it looks at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outlook {
    end: Option<Game>,
}

impl Outlook {
    /// The points of all players if no tile came any more. What cannot be laid out again, such as tokens, is left out;
    /// if the table as a whole cannot, the points as they are.
    pub fn points(&mut self, game: &Game, scripts: &mut dyn Scripts) -> Vec<i32> {
        match self.begin(game, Vec::new(), scripts) {
            Some(end) if end.state().is_over() => end.state().scores().to_vec(),
            _ => game.state().scores().to_vec(),
        }
    }

    /// A game on the same table with these tiles still to come.
    pub fn begin(&mut self, game: &Game, stack: Vec<TileDefId>, scripts: &mut dyn Scripts) -> Option<&mut Game> {
        let setup = setup(game.state(), stack);
        let again = match self.end.take() {
            Some(mut end) if std::sync::Arc::ptr_eq(end.rules(), game.rules()) => {
                end.renew(&setup, scripts).ok().map(|()| end)
            }
            _ => Game::from_setup(game.rules().clone(), &setup, scripts).ok(),
        };
        self.end = again;
        self.end.as_mut()
    }

    /// What a position is worth to a player: points ahead of the best other, and figures that are free.
    pub fn worth(&mut self, game: &Game, player: PlayerId, scripts: &mut dyn Scripts) -> Worth {
        let points = self.points(game, scripts);
        ahead(&points, player) * POINT + free_figures(game, player)
    }
}

/// Points of a player ahead of the best other.
pub(crate) fn ahead(points: &[i32], player: PlayerId) -> i32 {
    let own = points.get(player.index()).copied().unwrap_or(0);
    let others = points.iter().enumerate().filter(|(seat, _)| *seat != player.index());
    own - others.map(|(_, points)| *points).max().unwrap_or(0)
}

/// A figure in supply can still earn something, as long as tiles come; each further one less.
fn free_figures(game: &Game, player: PlayerId) -> Worth {
    let each = (FIGURE_TILE * game.state().pile_len() as i32).min(FIGURE_MOST);
    let free: i32 = game.rules().figure_kinds().map(|(kind, _)| i32::from(game.state().supply(player, kind))).sum();
    (1..=free).map(|nth| each / nth).sum()
}

/// The table as a setup.
fn setup(state: &State, stack: Vec<TileDefId>) -> Setup {
    let starts = state.tiles().map(|(_, tile)| Start { tile: tile.def, at: tile.at, rotation: tile.rotation });
    let figures = state.figures().filter_map(|(_, figure)| {
        let (tile, segment, seat) = match figure.at {
            Anchor::Seat { segment, seat } => {
                let (tile, local) = state.segment_place(segment);
                (tile, Some(local), Some(seat))
            }
            Anchor::Tile(tile) => (tile, None, None),
            _ => return None,
        };
        Some(SetFigure { player: figure.owner(), kind: figure.kind, at: state.tile(tile).at, segment, seat })
    });
    Setup {
        players: vec![String::new(); state.players()],
        starts: Some(starts.collect()),
        figures: figures.collect(),
        scores: state.scores().to_vec(),
        first: state.player().index(),
        stack: Some(stack),
        ..Setup::default()
    }
}
