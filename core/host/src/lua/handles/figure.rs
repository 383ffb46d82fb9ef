//! Figures in scripts.

use mlua::{MetaMethod, UserData, UserDataFields, UserDataMethods};
use trencavel_rules::ids::{FigureId, SeatId, SegmentId};
use trencavel_rules::{Anchor, Class, Ruleset, State, features, short};

use super::{Handle, common};
use crate::lua::context::player_number;

const NAMES: &[&str] = &["kind", "class", "owner", "feature", "segment", "tile", "role", "seat", "id", "holder"];

fn show(rules: &Ruleset, state: &State, id: FigureId) -> String {
    let figure = state.figure(id);
    let kind = short(&rules.figure_kind(figure.kind).name);
    let owner = figure.owner().and_then(player_number).map_or(String::new(), |player| format!(" of player {player}"));
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

fn class(class: Class) -> &'static str {
    match class {
        Class::Follower => "follower",
        Class::Special => "special",
        Class::Neutral => "neutral",
    }
}

impl UserData for Handle<FigureId> {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "figure");
        fields.add_field_method_get("kind", |lua, this| {
            let name =
                this.read(|rules, state, id| short(&rules.figure_kind(state.figure(id).kind).name).to_owned())?;
            lua.create_string(name)
        });
        fields.add_field_method_get("class", |_, this| {
            Ok(this.read(|rules, state, id| class(rules.figure_kind(state.figure(id).kind).class))?)
        });
        fields.add_field_method_get("owner", |_, this| {
            Ok(this.read(|_, state, id| state.figure(id).owner().and_then(player_number))?)
        });
        fields.add_field_method_get("feature", |_, this| {
            let segment =
                this.read(|_, state, id| seat(state, id).and_then(|(segment, _)| state.segment_view(segment)))?;
            Ok(segment.and_then(|segment| this.context.handle(segment.feature)))
        });
        fields.add_field_method_get("segment", |_, this| {
            Ok(this.read(|_, state, id| seat(state, id))?.and_then(|(segment, _)| this.context.handle(segment)))
        });
        fields.add_field_method_get("tile", |_, this| {
            Ok(this.read(features::standing_on)?.and_then(|tile| this.context.handle(tile)))
        });
        fields.add_field_method_get("role", |_, this| {
            let role = this.read(|rules, state, id| seat(state, id).map(|(_, seat)| rules.role_of(seat).to_owned()))?;
            Ok(role.filter(|role| !role.is_empty()))
        });
        fields.add_field_method_get("seat", |_, this| {
            Ok(this.read(|rules, state, id| seat(state, id).map(|(_, seat)| short(rules.seat_name(seat)).to_owned()))?)
        });
        fields.add_field_method_get("holder", |_, this| {
            Ok(this.read(|_, state, id| match state.figure(id).at {
                Anchor::Held(player) => player_number(player),
                _ => None,
            })?)
        });
        fields.add_field_method_get("id", |_, this| Ok(this.read(|_, _, id| id.index())?));
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        common(methods, "a figure", NAMES, show);
    }
}
