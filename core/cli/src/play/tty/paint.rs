//! Colours and weights of what is shown. Without colours the characters say the same.

use ratatui::style::{Color, Modifier, Style};
use trencavel_rules::ids::PlayerId;
use trencavel_view::text::Ink;

use crate::failure::Look;

/// Colours of the players, in turn order, from the terminal's own sixteen.
const PLAYERS: [Color; 6] =
    [Color::LightRed, Color::LightBlue, Color::LightYellow, Color::LightMagenta, Color::LightCyan, Color::LightGreen];

/// How things are painted on this terminal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint(pub(super) Look);

impl Paint {
    fn colour(self, colour: Color) -> Style {
        match self.0 {
            Look::Coloured => Style::new().fg(colour),
            Look::Plain => Style::new(),
        }
    }

    /// A character of the board.
    pub(super) fn ink(self, ink: Ink) -> Style {
        match ink {
            Ink::Paper => Style::new(),
            Ink::Ground => self.colour(Color::Green),
            Ink::Line => self.colour(Color::White),
            Ink::Area => self.colour(Color::Yellow),
            Ink::Point => self.colour(Color::LightCyan).add_modifier(Modifier::BOLD),
            Ink::Mark => self.colour(Color::Cyan),
            Ink::Figure(Some(owner)) => self.player(owner).add_modifier(Modifier::REVERSED),
            Ink::Figure(None) => Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED),
        }
    }

    /// What belongs to a player.
    pub(super) fn player(self, player: PlayerId) -> Style {
        self.colour(PLAYERS[player.index() % PLAYERS.len()]).add_modifier(Modifier::BOLD)
    }

    /// What points at the row that is chosen, on the board.
    pub(super) fn cursor(self) -> Style {
        self.colour(Color::LightMagenta).add_modifier(Modifier::BOLD)
    }

    /// What may be chosen, on the board.
    pub(super) fn offer(self) -> Style {
        self.colour(Color::LightGreen)
    }

    /// What went wrong.
    pub(super) fn trouble(self) -> Style {
        self.colour(Color::LightRed)
    }
}

/// What is there, and cannot be chosen.
pub(super) fn dim() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}

/// A heading.
pub(super) fn bold() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

/// The row that is chosen.
pub(super) fn chosen() -> Style {
    Style::new().add_modifier(Modifier::REVERSED)
}
