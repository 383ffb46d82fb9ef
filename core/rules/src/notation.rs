//! Actions in words and back: `place city-cap 0,-1 r180`, `deploy follower city`, `pass`.
//!
//! A choice is read by comparing it with the words of what is offered, so nothing that is offered can be misread.

use crate::decision::Action;
use crate::game::Game;
use crate::geometry::{Position, Rotation};
use crate::ids::*;
use crate::ruleset::{Ruleset, short};
use crate::state::{State, Target};

/// A sentence that is no action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// Not even the shape of an action.
    #[error("`{0}` is not an action: write `place X,Y rN`, `deploy FIGURE SEGMENT`, `pass`, or what is offered")]
    Shape(String),
    /// A word of it names nothing.
    #[error("`{text}`: no {what} is called `{word}` here")]
    Word {
        /// The sentence.
        text: String,
        /// What it should name.
        what: &'static str,
        /// The word.
        word: String,
    },
}

/// The letter of a player: A for the first.
pub fn letter(player: PlayerId) -> char {
    char::from(b'A' + player.0.min(25))
}

/// The player with this letter.
pub fn player(word: &str, state: &State) -> Option<PlayerId> {
    let [letter] = word.as_bytes() else { return None };
    let seat = letter.checked_sub(b'A')?;
    (usize::from(seat) < state.players()).then_some(PlayerId(seat))
}

/// An action in words, as it would be written now.
pub fn action(rules: &Ruleset, state: &State, action: Action) -> String {
    match action {
        Action::Place { at, rotation } => {
            let tile = state.hand().map_or("tile", |tile| short(&rules.tile(tile).id));
            format!("place {tile} {at} {rotation}")
        }
        Action::Deploy { kind, segment, seat } => {
            let figure = short(&rules.figure_kind(kind).name);
            let place = segment_words(rules, state, segment, state.placed());
            let usual = rules.feature_kind(state.feature(state.feature_of(segment)).kind).seats.first() == Some(&seat);
            let seat = if usual { String::new() } else { format!(" as {}", short(rules.seat_name(seat))) };
            format!("deploy {figure} {place}{seat}")
        }
        Action::Offer { offer, target } => {
            let hook = rules.offers[offer as usize].hook;
            let words = target_words(rules, state, target, &[]);
            let name = &rules.hook(hook).name;
            if words.is_empty() { name.to_string() } else { format!("{name} {words}") }
        }
        Action::Answer(target) => {
            let asked = match state.now.waiting {
                crate::state::Waiting::Answer(ask) => {
                    rules.resolves.iter().find(|resolve| resolve.hook == ask.to).map(|resolve| &resolve.options)
                }
                _ => None,
            };
            let words = match asked {
                Some(crate::ruleset::Options::Words(words)) => words.as_slice(),
                _ => &[],
            };
            format!("choose {}", target_words(rules, state, target, words))
        }
        Action::Pass => "pass".to_owned(),
    }
}

/// `road-west`, or `1,0 road-west` for a segment of another tile than `here`.
pub fn segment_words(rules: &Ruleset, state: &State, segment: SegmentId, here: Option<TileId>) -> String {
    let data = state.segment(segment);
    let tile = state.tile(data.tile);
    let name = &rules.tile(tile.def).segments[data.local as usize].name;
    if here == Some(data.tile) { name.to_string() } else { format!("{} {name}", tile.at) }
}

/// A figure in words: `follower B 1,0 city`.
pub fn figure_words(rules: &Ruleset, state: &State, figure: FigureId) -> String {
    let data = state.figure(figure);
    let kind = short(&rules.figure_kind(data.kind).name);
    let owner = data.owner().map_or(String::new(), |owner| format!(" {}", letter(owner)));
    let place = match data.at {
        crate::state::Anchor::Seat { segment, .. } => format!(" {}", segment_words(rules, state, segment, None)),
        crate::state::Anchor::Tile(tile) => format!(" {}", state.tile(tile).at),
        crate::state::Anchor::Figure(other) => format!(" beside {}", figure_words(rules, state, other)),
        crate::state::Anchor::Held(holder) => format!(" held by {}", letter(holder)),
        crate::state::Anchor::Supply | crate::state::Anchor::Out => String::new(),
    };
    // Only of two that stand together does it matter who has company.
    let alike = |other: &crate::state::Figure| (other.kind, other.owner, other.at) == (data.kind, data.owner, data.at);
    let twins = state.figures().filter(|(_, other)| alike(other)).count() > 1;
    let beside = state.neutrals().filter(|(_, other)| twins && other.at == crate::state::Anchor::Figure(figure));
    let attended: String =
        beside.map(|(_, other)| format!(" with {}", short(&rules.figure_kind(other.kind).name))).collect();
    format!("{kind}{owner}{place}{attended}")
}

fn target_words(rules: &Ruleset, state: &State, target: Target, words: &[std::sync::Arc<str>]) -> String {
    match target {
        Target::None => String::new(),
        Target::Tile(tile) => state.tile(tile).at.to_string(),
        Target::Figure(figure) => figure_words(rules, state, figure),
        Target::Segment(segment) => segment_words(rules, state, segment, None),
        Target::Space(at) => at.to_string(),
        Target::Player(player) => letter(player).to_string(),
        Target::Number(number) => number.to_string(),
        Target::Word(word) => words.get(word as usize).map_or_else(|| word.to_string(), ToString::to_string),
    }
}

/// Reads an action: what is offered by its words, and placements and deployments that are not offered by their shape.
///
/// # Errors
/// If it is neither.
pub fn parse(game: &Game, text: &str) -> Result<Action, NotationError> {
    let text = text.trim();
    let (rules, state) = (game.rules(), game.state());
    if text == "pass" {
        return Ok(Action::Pass);
    }
    if let Some(found) = game.legal_actions().iter().find(|offered| action(rules, state, **offered) == text) {
        return Ok(*found);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["place", at, rotation] | ["place", _, at, rotation] => place(rules, state, text, at, rotation),
        ["deploy", figure, segment] => deploy(rules, state, text, figure, None, segment, None),
        ["deploy", figure, at, segment] => deploy(rules, state, text, figure, Some(at), segment, None),
        ["deploy", figure, segment, "as", seat] => deploy(rules, state, text, figure, None, segment, Some(seat)),
        ["deploy", figure, at, segment, "as", seat] => {
            deploy(rules, state, text, figure, Some(at), segment, Some(seat))
        }
        ["choose", ..] => Ok(Action::Answer(target(rules, state, text, text.trim_start_matches("choose").trim())?)),
        _ => offer(rules, state, text),
    }
}

/// An offer that is not open: its name, then its target.
fn offer(rules: &Ruleset, state: &State, text: &str) -> Result<Action, NotationError> {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let place = rules.offers.iter().position(|offer| *rules.hook(offer.hook).name == *name);
    let place = place.ok_or_else(|| NotationError::Shape(text.to_owned()))?;
    Ok(Action::Offer { offer: place as u16, target: target(rules, state, text, rest)? })
}

/// A target by its words: a figure, a segment, a tile, a player, a number, or nothing.
fn target(rules: &Ruleset, state: &State, text: &str, words: &str) -> Result<Target, NotationError> {
    if words.is_empty() {
        return Ok(Target::None);
    }
    if let Some((figure, _)) = state.figures().find(|(figure, _)| figure_words(rules, state, *figure) == words) {
        return Ok(Target::Figure(figure));
    }
    let (at, name) = words.split_once(' ').unwrap_or((words, ""));
    if let Ok(at) = at.parse::<Position>() {
        let Some(tile) = state.tile_at(at) else { return Ok(Target::Space(at)) };
        if name.is_empty() {
            return Ok(Target::Tile(tile));
        }
        let local = rules.tile(state.tile(tile).def).segment(name).ok_or_else(|| bad(text, "segment", name))?;
        return Ok(Target::Segment(state.segment_on(tile, local)));
    }
    let number = words.parse().ok().map(Target::Number);
    player(words, state).map(Target::Player).or(number).ok_or_else(|| bad(text, "target", words))
}

fn bad(text: &str, what: &'static str, word: &str) -> NotationError {
    NotationError::Word { text: text.to_owned(), what, word: word.to_owned() }
}

fn place(rules: &Ruleset, state: &State, text: &str, at: &str, rotation: &str) -> Result<Action, NotationError> {
    let at: Position = at.parse().map_err(|_| bad(text, "space", at))?;
    let rotation: Rotation = rotation.parse().map_err(|_| bad(text, "rotation", rotation))?;
    let hand = state.hand().ok_or_else(|| bad(text, "tile in hand", "place"))?;
    if let [_, named, _, _] = text.split_whitespace().collect::<Vec<_>>()[..]
        && rules.tile_by_name(named) != Some(hand)
    {
        return Err(bad(text, "tile in hand", named));
    }
    Ok(Action::Place { at, rotation: rules.tile(hand).canonical(rotation) })
}

fn deploy(
    rules: &Ruleset,
    state: &State,
    text: &str,
    figure: &str,
    at: Option<&str>,
    segment: &str,
    seat: Option<&str>,
) -> Result<Action, NotationError> {
    let kind = rules.figure_by_name(figure).ok_or_else(|| bad(text, "figure", figure))?;
    let tile = match at {
        None => state.placed().ok_or_else(|| bad(text, "placed tile", segment))?,
        Some(at) => at.parse().ok().and_then(|at| state.tile_at(at)).ok_or_else(|| bad(text, "tile", at))?,
    };
    let placed = state.tile(tile);
    let local = rules.tile(placed.def).segment(segment).ok_or_else(|| bad(text, "segment", segment))?;
    let seats = &rules.feature_kind(rules.tile(placed.def).segments[local].kind).seats;
    let named = |id: &SeatId| seat.is_none_or(|seat| short(rules.seat_name(*id)) == seat);
    let fits = |id: &SeatId| rules.figure_kind(kind).seats >> id.0 & 1 == 1;
    let seat = seats.iter().copied().find(|id| named(id) && fits(id)).or_else(|| seats.iter().copied().find(named));
    let seat = seat.ok_or_else(|| bad(text, "seat", seat.map_or(segment, |_| segment)))?;
    Ok(Action::Deploy { kind, segment: SegmentId(placed.first.0 + local as u32), seat })
}
