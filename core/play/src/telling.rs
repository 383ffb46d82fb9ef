//! Players by name, and what happened in sentences.

use trencavel_rules::hooks::Event;
use trencavel_rules::ids::{FeatureId, FigureId, PlayerId, TileId};
use trencavel_rules::words::EventKind;
use trencavel_rules::{Anchor, Game, features, notation, short};

/// Names of the players, in turn order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names(pub Vec<String>);

impl Names {
    /// `Ann`.
    pub fn name(&self, player: PlayerId) -> String {
        self.0.get(player.index()).cloned().unwrap_or_else(|| notation::letter(player).to_string())
    }

    /// `Ann (A)`.
    pub fn full(&self, player: PlayerId) -> String {
        format!("{} ({})", self.name(player), notation::letter(player))
    }

    /// An event that is worth a line, in words; none for what is told elsewhere or of use to hooks only.
    pub fn sentence(&self, game: &Game, event: &Event) -> Option<String> {
        let place = place_words(game, event);
        let figure = || self.figure(game, event);
        let cause = game.rules().cause_word(event.cause);
        let why = if cause.is_empty() { String::new() } else { format!(" ({cause})") };
        Some(match event.kind {
            EventKind::Completed => format!("completed: {place}"),
            EventKind::Deployed
            | EventKind::Moved
            | EventKind::Appeared
            | EventKind::Entered
            | EventKind::Retreated => {
                format!("{}: {} to {place}{why}", event.kind, figure())
            }
            EventKind::Captured => {
                format!("captured: {} from {place}{}{why}", figure(), self.captor(game, event.figure))
            }
            EventKind::Returned | EventKind::Eaten | EventKind::Rested | EventKind::Released => {
                let from = if place.is_empty() { String::new() } else { format!(" from {place}") };
                format!("{}: {}{from}{why}", event.kind, figure())
            }
            EventKind::Put => self.tokens(game, event, &place) + &why,
            EventKind::Discarded => format!("{}: {}{why}", event.kind, figure()),
            // The rest is told elsewhere, or only of use to hooks.
            _ => return None,
        })
    }

    /// `tokens: +2 cloth, Ann`, `tokens: -1 floor on 1,0`.
    fn tokens(&self, game: &Game, event: &Event, place: &str) -> String {
        let kind = short(game.rules().token_name(event.token));
        let at = if place.is_empty() { format!(", {}", self.name(event.player)) } else { format!(" on {place}") };
        format!("{}: {:+} {kind}{at}", event.kind, event.amount)
    }

    /// A figure and where it is: `Bob's follower on city of 1,0`, `the dragon on 0,1`.
    pub fn standing(&self, game: &Game, figure: FigureId) -> String {
        let (rules, state) = (game.rules(), game.state());
        let data = state.figure(figure);
        let kind = short(&rules.figure_kind(data.kind).name).replace(['-', '_'], " ");
        let whose =
            data.owner().map_or_else(|| format!("the {kind}"), |owner| format!("{}'s {kind}", self.name(owner)));
        match data.at {
            Anchor::Seat { segment, .. } => {
                let (tile, local) = state.segment_place(segment);
                let placed = state.tile(tile);
                format!("{whose} on {} of {}", rules.tile(placed.def).segments[local].name, placed.at)
            }
            Anchor::Tile(tile) => format!("{whose} on {}", state.tile(tile).at),
            Anchor::Figure(other) => format!("{whose} beside {}", self.standing(game, other)),
            Anchor::Held(holder) => format!("{whose} held by {}", self.name(holder)),
            Anchor::Supply | Anchor::Out => whose,
        }
    }

    fn captor(&self, game: &Game, figure: FigureId) -> String {
        match game.state().figure(figure).at {
            Anchor::Held(player) => format!(" by {}", self.name(player)),
            _ => String::new(),
        }
    }

    fn figure(&self, game: &Game, event: &Event) -> String {
        if event.figure == FigureId::default() {
            return "a tile or token".to_owned();
        }
        let kind = short(&game.rules().figure_kind(event.figure_kind).name);
        match game.state().figure(event.figure).owner() {
            Some(owner) => format!("{}'s {kind}", self.name(owner)),
            None => format!("the {kind}"),
        }
    }
}

/// `road 1,0`, with the tile of the event where it has one.
fn place_words(game: &Game, event: &Event) -> String {
    let (rules, state) = (game.rules(), game.state());
    let tile = (event.tile != TileId::default()).then(|| state.tile(event.tile).at.to_string());
    if event.feature == FeatureId::default() {
        return tile.unwrap_or_default();
    }
    let kind = short(rules.feature_name(state.kind_of(event.feature)));
    let at = tile.unwrap_or_else(|| features::place(state, event.feature).0.to_string());
    let size = match event.kind {
        EventKind::Completed => {
            let count = features::tiles(state, event.feature).len();
            format!(" ({count} {})", if count == 1 { "tile" } else { "tiles" })
        }
        _ => String::new(),
    };
    format!("{kind} {at}{size}")
}
