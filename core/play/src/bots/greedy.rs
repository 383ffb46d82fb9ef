//! One ply: every action is tried, and the final scoring says what it is worth.

use trencavel_rules::hooks::Scripts;
use trencavel_rules::{Action, Game};

use super::outlook::{Outlook, Worth};

/// Takes what would be best if the game ended right after it.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    outlook: Outlook,
}

impl Greedy {
    /// The best of the legal actions, the first of equal ones.
    pub(crate) fn choose(&mut self, game: &Game, scripts: &mut dyn Scripts) -> Action {
        let legal = game.legal_actions();
        if let [only] = legal {
            return *only;
        }
        let mut best = (Worth::MIN, legal.first().copied().unwrap_or(Action::Pass));
        for action in legal {
            let worth = self.outlook.after(game, *action, game.state().decider(), scripts);
            if worth > best.0 {
                best = (worth, *action);
            }
        }
        best.1
    }
}
