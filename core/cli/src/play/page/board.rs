//! The board with everything that can be pointed at, and the tile in hand.

use std::collections::BTreeMap;

use trencavel_play::session::choices::{Choice, ChoiceKind};
use trencavel_play::session::{Session, odds};
use trencavel_rules::{Class, Position, Rotation, State, short};
use trencavel_view::svg::{Artist, TILE, Table};

use super::choices::id;
use super::icon;
use crate::html::escaped;

/// How far apart choices of one place are drawn.
const APART: f64 = 27.0;
/// The refusal of what the player does not have: no picture shows what is not there.
const NOT_THERE: &str = "core:no_supply";

/// The board: tiles and pieces, open spaces with their odds, and a spot for each choice that has a place.
pub(super) fn board(session: &Session, artist: &Artist<'_>, choices: &[Choice]) -> String {
    let state = session.game().state();
    let table = artist.table(state);
    let mut text = format!("{}<g id=\"table\">\n{}</g>\n", room(state), table.drawing.body());
    text += "<g id=\"glow\"></g>\n<g id=\"ghost\"></g>\n";
    if let Some(last) = state.placed().map(|tile| state.tile(tile).at) {
        text += &square("last", last, "");
    }
    text += &odds_of_spaces(session);
    text += "<g id=\"spots\">\n";
    text += &placements(choices);
    text += &spots(session, artist, &table, choices);
    text + "</g>\n"
}

/// What a view of the whole board shows: every tile and every open space, also while there is nothing to place.
fn room(state: &State) -> String {
    let places: Vec<Position> = state.tiles().map(|(_, tile)| tile.at).chain(state.open_spaces()).collect();
    let bounds = |of: fn(&Position) -> i16| {
        let (from, to) = (places.iter().map(of).min().unwrap_or(0), places.iter().map(of).max().unwrap_or(0));
        (f64::from(from) * TILE, (f64::from(to) - f64::from(from) + 1.0) * TILE)
    };
    let ((x, width), (y, height)) = (bounds(|at| at.x), bounds(|at| at.y));
    format!("<rect id=\"room\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"none\"/>\n")
}

fn square(class: &str, at: Position, inside: &str) -> String {
    let (x, y) = Table::space(at);
    format!(
        "<g class=\"{class}\" transform=\"translate({x} {y})\">\
         <rect x=\"3\" y=\"3\" width=\"94\" height=\"94\" rx=\"6\"/>{inside}</g>\n"
    )
}

/// The chance that the next tile fits, on every open space.
fn odds_of_spaces(session: &Session) -> String {
    let mut text = "<g id=\"odds\" aria-hidden=\"true\">\n".to_owned();
    for space in odds::open_spaces(session.game()) {
        let (x, y) = Table::space(space.at);
        let (x, y, percent) = (x + TILE / 2.0, y + TILE * 0.86, space.percent(1));
        let words = format!("{} of {} remaining tiles fit", space.fitting, space.left);
        text += &format!("<text x=\"{x}\" y=\"{y}\"><title>{words}</title>{percent}%</text>\n");
    }
    text + "</g>\n"
}

/// A spot for each space that the tile in hand may be put on or is kept from, with a choice for each way to turn it.
fn placements(choices: &[Choice]) -> String {
    let mut spaces: BTreeMap<Position, Vec<(usize, &Choice)>> = BTreeMap::new();
    for (number, choice) in choices.iter().enumerate().filter(|(_, choice)| choice.kind == ChoiceKind::Place) {
        spaces.entry(choice.place.space.unwrap_or_default()).or_default().push((number, choice));
    }
    let mut text = String::new();
    for (at, ways) in spaces {
        let offered = ways.iter().any(|(_, choice)| choice.is_offered());
        let class = if offered { "spot space" } else { "spot space never" };
        let turn = |(number, choice): &(usize, &Choice)| {
            let quarters = choice.place.rotation.unwrap_or(Rotation::R0).index();
            format!(" data-turn{quarters}=\"{}\"", id(*number))
        };
        let turns: String = ways.iter().map(turn).collect();
        let (x, y) = Table::space(at);
        text += &format!(
            "<g class=\"{class}\" role=\"button\" tabindex=\"-1\" data-key=\"space {at}\" data-at=\"{at}\" \
             aria-label=\"space {at}\"{turns} transform=\"translate({x} {y})\">\
             <rect x=\"4\" y=\"4\" width=\"92\" height=\"92\" rx=\"8\"/></g>\n"
        );
    }
    text
}

/// A spot for each other choice that has a place: those of one place stand side by side.
fn spots(session: &Session, artist: &Artist<'_>, table: &Table, choices: &[Choice]) -> String {
    let mut places: BTreeMap<(i64, i64), Vec<(usize, &Choice)>> = BTreeMap::new();
    for (number, choice) in choices.iter().enumerate() {
        let absent = choice.reasons.iter().any(|reason| reason.id == NOT_THERE);
        if choice.kind == ChoiceKind::Place || absent {
            continue;
        }
        if let Some((x, y)) = middle(session, artist, table, choice) {
            places.entry(((y * 10.0) as i64, (x * 10.0) as i64)).or_default().push((number, choice));
        }
    }
    let mut text = String::new();
    for ((y, x), mut here) in places {
        // What is refused is only worth a picture where nothing else is offered.
        if here.iter().any(|(_, choice)| choice.is_offered()) {
            here.retain(|(_, choice)| choice.is_offered());
        }
        let wide = (here.len() - 1) as f64 * APART;
        for (place, (number, choice)) in here.iter().enumerate() {
            let (x, y) = (x as f64 / 10.0 + place as f64 * APART - wide / 2.0, y as f64 / 10.0);
            text += &spot(session, artist, *number, choice, (x, y));
        }
    }
    text
}

/// Where a choice is, in units.
fn middle(session: &Session, artist: &Artist<'_>, table: &Table, choice: &Choice) -> Option<(f64, f64)> {
    let place = choice.place;
    if let Some(spot) = place.figure.and_then(|figure| table.figure(figure)) {
        return Some(spot);
    }
    if let Some(segment) = place.segment {
        return Some(artist.seat(session.game().state(), segment, place.seat));
    }
    let (x, y) = Table::space(place.space?);
    Some((x + TILE / 2.0, y + TILE / 2.0))
}

fn spot(session: &Session, artist: &Artist<'_>, number: usize, choice: &Choice, (x, y): (f64, f64)) -> String {
    let class = if choice.is_offered() { "spot piece" } else { "spot piece never" };
    let stands = choice.place.figure.is_some();
    let inside = match choice.figure.filter(|_| !stands) {
        Some(kind) => {
            let neutral = session.game().rules().figure_kind(kind).class == Class::Neutral;
            let owner = (!neutral).then(|| session.game().state().decider());
            let body = artist.piece(kind, owner).body().to_owned();
            format!("<circle r=\"13.5\"/><g transform=\"translate(-12.5 -12.5) scale(.25)\">{body}</g>")
        }
        None => "<circle r=\"19\"/>".to_owned(),
    };
    format!(
        "<g class=\"{class}\" role=\"button\" tabindex=\"-1\" data-key=\"{0}\" data-choice=\"{1}\" aria-label=\"{2}\" \
         transform=\"translate({x:.1} {y:.1})\">{inside}</g>\n",
        escaped(&choice.notation),
        id(number),
        escaped(&choice.words),
    )
}

/// The tile in hand; nothing while there is none.
pub(super) fn hand(session: &Session, artist: &Artist<'_>) -> String {
    let (rules, state) = (session.game().rules(), session.game().state());
    let Some(tile) = state.hand().filter(|_| session.game().is_placing()) else {
        return String::new();
    };
    let name = escaped(short(&rules.tile(tile).id));
    let body = artist.tile(tile, Rotation::R0).body().to_owned();
    format!(
        "<div class=\"tile\" data-tile=\"tile\">{}</div>\n<p class=\"name\">{name}</p>\n\
         <div class=\"row\"><button data-turn=\"-1\" aria-label=\"Turn the tile left\">&#8634;</button>\
         <output id=\"turned\">0°</output>\
         <button data-turn=\"1\" aria-label=\"Turn the tile right\">&#8635;</button></div>\n",
        icon("turning", &format!("<g id=\"in-hand\">{body}</g>"))
    )
}
