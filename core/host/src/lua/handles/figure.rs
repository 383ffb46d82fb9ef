//! Figures in scripts.

use mlua::Value;
use trencavel_rules::ids::{FigureId, SeatId, SegmentId};
use trencavel_rules::{Anchor, Class, Ruleset, State, features, short};

use super::{Kind, Look, Members};
use crate::lua::context::player_number;
use crate::lua::words::Said;

pub(super) const MEMBERS: Members = Members {
    kind: Kind::Figure,
    fields: &[
        ("kind", |look| look.figure_kind(look.read(|_, state, id: FigureId| state.figure(id).kind)?)),
        ("class", |look| {
            let class = look.read(|rules, state, id: FigureId| rules.figure_kind(state.figure(id).kind).class)?;
            look.say(Said::Class, class as usize, |_| word(class))
        }),
        ("owner", |look| {
            Ok(look.read(|_, state, id: FigureId| state.figure(id).owner().map_or(Value::Nil, player_number))?)
        }),
        ("feature", |look| {
            let segment =
                look.read(|_, state, id| seat(state, id).and_then(|(segment, _)| state.segment_view(segment)))?;
            Ok(segment.map_or(Value::Nil, |segment| look.give(segment.feature)))
        }),
        ("segment", |look| {
            Ok(look.read(|_, state, id| seat(state, id))?.map_or(Value::Nil, |(segment, _)| look.give(segment)))
        }),
        ("tile", |look| Ok(look.read(features::standing_on)?.map_or(Value::Nil, |tile| look.give(tile)))),
        ("role", |look| seated(look, Said::Role, |rules, seat| rules.role_of(seat))),
        ("seat", |look| seated(look, Said::Seat, |rules, seat| short(rules.seat_name(seat)))),
        ("id", |look| Ok(Value::Integer(look.handle.id as i64))),
        ("holder", |look| {
            Ok(look.read(|_, state, id: FigureId| match state.figure(id).at {
                Anchor::Held(player) => player_number(player),
                _ => Value::Nil,
            })?)
        }),
    ],
    methods: &[],
    show,
};

fn show(rules: &Ruleset, state: &State, place: usize) -> String {
    let id = FigureId::from_index(place);
    let figure = state.figure(id);
    let kind = short(&rules.figure_kind(figure.kind).name);
    let owner = figure.owner().filter(|owner| *owner != Default::default());
    let owner = owner.map_or(String::new(), |player| format!(" of player {}", player.index() + 1));
    let place =
        features::standing_on(rules, state, id).map_or(String::new(), |tile| format!(" at {}", state.tile(tile).at));
    format!("{kind}{owner}{place}")
}

/// Where it sits, if on a segment.
fn seat(state: &State, id: FigureId) -> Option<(SegmentId, SeatId)> {
    match state.figure(id).at {
        Anchor::Seat { segment, seat } => Some((segment, seat)),
        _ => None,
    }
}

/// A word of the seat it has.
fn seated(look: &Look<'_>, what: Said, word: fn(&Ruleset, SeatId) -> &str) -> mlua::Result<Value> {
    match look.read(|_, state, id| seat(state, id))? {
        Some((_, seat)) => look.say(what, seat.index(), |rules| word(rules, seat)),
        None => Ok(Value::Nil),
    }
}

fn word(class: Class) -> &'static str {
    match class {
        Class::Follower => "follower",
        Class::Special => "special",
        Class::Neutral => "neutral",
    }
}
