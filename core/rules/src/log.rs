//! What happened in this part and this turn, as far as conditions may ask.

use crate::condition::{Condition, Scope};
use crate::ids::*;
use crate::ruleset::Ruleset;
use crate::state::State;
use crate::words::EventKind;

/// How far back a question reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    Part,
    Turn,
}

/// Some entry of this event fulfils the condition.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub event: EventKind,
    pub test: Condition,
    /// The figure of the entry must be of the kind in question.
    pub same_kind: bool,
}

impl Query {
    pub fn holds(&self, rules: &Ruleset, state: &State, scope: &Scope, span: Span) -> bool {
        let start = match span {
            Span::Part => state.now.log_part,
            Span::Turn => state.now.log_turn,
        };
        state.log.items()[start as usize..].iter().filter(|entry| entry.kind == self.event).any(|entry| {
            if self.same_kind && entry.figure_kind != scope.kind {
                return false;
            }
            let scope = Scope {
                me: scope.me,
                figure: entry.figure,
                kind: entry.figure_kind,
                owner: entry.player,
                seat: entry.seat,
                tile: entry.tile,
                feature: entry.feature.some().map_or(FeatureId::NONE, |feature| state.root(feature)),
                cause: entry.cause,
                ..Scope::default()
            };
            self.test.holds(rules, state, &scope)
        })
    }
}
