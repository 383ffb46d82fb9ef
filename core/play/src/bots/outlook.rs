//! What a position is worth: what the rules pay if the game ends there, and figures that can still earn something.

use trencavel_rules::hooks::Scripts;
use trencavel_rules::ids::PlayerId;
use trencavel_rules::{Action, Game};

/// Worth of a position to a player, in hundredths of a point: comparable between positions of one game only.
pub(crate) type Worth = i32;

/// Points are counted in these.
const POINT: i32 = 100;
/// The most that a figure in supply is worth, and what each tile that is to come adds to it.
const FIGURE_MOST: i32 = 150;
const FIGURE_TILE: i32 = 4;

/// Tries actions on a copy, whose room it keeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outlook {
    tried: Option<Game>,
}

impl Outlook {
    /// What a position is worth to a player after an action. The least of all if a hook fails.
    pub fn after(&mut self, game: &Game, action: Action, player: PlayerId, scripts: &mut dyn Scripts) -> Worth {
        let tried = copied(&mut self.tried, game);
        match tried.apply_unchecked(action, scripts) {
            Ok(()) => ahead(&worths(tried, scripts), player),
            Err(_) => Worth::MIN,
        }
    }
}

/// What a position is worth to each player: points if the game ended there, which it does, and figures that are free. If
/// a hook fails, the points that were paid until then are all that is known.
pub(crate) fn worths(game: &mut Game, scripts: &mut dyn Scripts) -> Vec<Worth> {
    let players = (0..game.state().players()).map(PlayerId::from_index);
    let free: Vec<Worth> = players.map(|player| free_figures(game, player)).collect();
    let _ = game.end_here(scripts);
    game.state().scores().iter().zip(free).map(|(points, free)| points * POINT + free).collect()
}

/// A copy of a game that cannot be undone, in the room of an earlier one.
pub(crate) fn copied<'a>(room: &'a mut Option<Game>, game: &Game) -> &'a mut Game {
    let copy = match room {
        Some(copy) => {
            copy.clone_from(game);
            copy
        }
        none => none.insert(game.clone()),
    };
    copy.keep_no_history();
    copy
}

/// How far a player is ahead of the best other.
pub(crate) fn ahead(worths: &[Worth], player: PlayerId) -> Worth {
    let own = worths.get(player.index()).copied().unwrap_or(0);
    let others = worths.iter().enumerate().filter(|(seat, _)| *seat != player.index());
    own - others.map(|(_, worth)| *worth).max().unwrap_or(own)
}

/// A figure in supply can still earn something, as long as tiles come; each further one less.
fn free_figures(game: &Game, player: PlayerId) -> Worth {
    let each = (FIGURE_TILE * game.state().pile_len() as i32).min(FIGURE_MOST);
    let free: i32 = game.rules().figure_kinds().map(|(kind, _)| i32::from(game.state().supply(player, kind))).sum();
    (1..=free).map(|nth| each / nth).sum()
}
