//! Figures come and go: supply, seats, the list of figures on a feature.

use crate::features;
use crate::ids::*;
use crate::ruleset::{Class, Ruleset};
use crate::state::{Anchor, State};

/// A figure of this kind that its owner can deploy: the one with the lowest number.
pub(crate) fn free(state: &State, player: PlayerId, kind: FigureKindId) -> Option<FigureId> {
    state
        .figures()
        .find(|(_, figure)| figure.kind == kind && figure.owner == player && figure.at == Anchor::Supply)
        .map(|(id, _)| id)
}

/// Moves a figure from where it is to `to`, keeping supply and feature lists right.
pub(crate) fn put(rules: &Ruleset, state: &mut State, figure: FigureId, to: Anchor) {
    lift(rules, state, figure);
    leave_companions(rules, state, figure);
    let data = state.figures.edit(figure.index());
    data.at = to;
    data.next = FigureId::NONE;
    let (kind, owner) = (data.kind, data.owner);
    match to {
        Anchor::Supply => change_supply(state, owner, kind, 1),
        Anchor::Seat { segment, seat } => {
            let feature = state.feature_of(segment);
            let first = state.feature(feature).figures;
            state.figures.edit(figure.index()).next = first;
            let claims = claims(rules, kind, seat);
            let data = state.features.edit(feature.index());
            data.figures = figure;
            data.claims += claims;
        }
        Anchor::Tile(_) | Anchor::Figure(_) | Anchor::Held(_) | Anchor::Out => {}
    }
}

/// What stood beside a figure stays on the tile, bound to nobody.
fn leave_companions(rules: &Ruleset, state: &mut State, figure: FigureId) {
    for neutral in (0..state.neutrals).map(FigureId) {
        if state.figure(neutral).at == Anchor::Figure(figure)
            && let Some(tile) = features::standing_on(rules, state, figure)
        {
            state.figures.edit(neutral.index()).at = Anchor::Tile(tile);
        }
    }
}

fn lift(rules: &Ruleset, state: &mut State, figure: FigureId) {
    let data = *state.figure(figure);
    match data.at {
        Anchor::Supply => change_supply(state, data.owner, data.kind, -1),
        Anchor::Seat { segment, seat } => {
            let feature = state.feature_of(segment);
            unlink(state, feature, figure, data.next);
            let claims = claims(rules, data.kind, seat);
            state.features.edit(feature.index()).claims -= claims;
        }
        Anchor::Tile(_) | Anchor::Figure(_) | Anchor::Held(_) | Anchor::Out => {}
    }
}

fn unlink(state: &mut State, feature: FeatureId, figure: FigureId, next: FigureId) {
    let first = state.feature(feature).figures;
    if first == figure {
        state.features.edit(feature.index()).figures = next;
        return;
    }
    let mut at = first;
    while let Some(current) = at.some() {
        let after = state.figure(current).next;
        if after == figure {
            state.figures.edit(current.index()).next = next;
            return;
        }
        at = after;
    }
}

fn claims(rules: &Ruleset, kind: FigureKindId, seat: SeatId) -> u16 {
    u16::from(rules.figure_kind(kind).class == Class::Follower && rules.seat(seat).claims)
}

fn change_supply(state: &mut State, owner: PlayerId, kind: FigureKindId, by: i8) {
    if owner.some().is_some() {
        let index = owner.index() * state.kinds as usize + kind.index();
        let count = state.supply.edit(index);
        *count = count.wrapping_add_signed(by);
    }
}
