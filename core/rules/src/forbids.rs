//! Refusals and what lifts them, as the ruleset keeps them.

use std::sync::Arc;

use crate::condition::{Condition, Scope, bit};
use crate::hooks::Callback;
use crate::ids::*;
use crate::ruleset::Source;
use crate::state::State;

/// A sentence, fixed or made from the case.
#[derive(Clone, Debug)]
pub(crate) enum Say {
    Fixed,
    Made(Callback),
}

#[derive(Clone, Debug)]
pub(crate) struct Forbid {
    pub hook: HookId,
    /// Kinds of figures it can concern; all bits: whatever the figure is, and if there is none.
    pub kinds: u64,
    /// Kinds of features it can concern; all bits: whatever the feature is, and if there is none.
    pub features: u64,
    /// Seats it can concern; all bits: whatever the seat is, and if there is none.
    pub seats: u64,
    /// What must hold besides.
    pub rest: Condition,
    pub test: Option<Callback>,
    /// Stops only what players may choose, not what rules do.
    pub offers_only: bool,
    pub waivers: Vec<Waive>,
    pub say: Say,
}

impl Forbid {
    /// False if it cannot refuse anything about this figure, feature and seat.
    pub fn concerns(&self, state: &State, scope: &Scope) -> bool {
        let feature = || scope.feature.some().is_some_and(|feature| bit(self.features, state.feature(feature).kind.0));
        (self.kinds == u64::MAX || bit(self.kinds, scope.kind.0))
            && (self.seats == u64::MAX || bit(self.seats, scope.seat.0))
            && (self.features == u64::MAX || feature())
    }
}

/// Which of a verb's first refusals can concern a figure, a feature and a seat, a bit each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Concerns {
    /// By kind of figure, feature and seat; for what has none, the last entry.
    kinds: Vec<u128>,
    features: Vec<u128>,
    seats: Vec<u128>,
}

impl Concerns {
    /// How many refusals of a verb have a bit; those beyond are always looked at.
    pub const ROOM: usize = 128;

    pub fn new(forbids: &[Forbid], kinds: usize, features: usize, seats: usize) -> Self {
        let table = |count: usize, mask: fn(&Forbid) -> u64| {
            let one = |index: usize| {
                let concerned =
                    |forbid: &Forbid| mask(forbid) == u64::MAX || index < count && bit(mask(forbid), index as u8);
                let bits = forbids.iter().take(Self::ROOM).enumerate().filter(|(_, forbid)| concerned(forbid));
                bits.fold(0, |bits, (place, _)| bits | 1 << place)
            };
            (0..=count).map(one).collect()
        };
        Self {
            kinds: table(kinds, |forbid| forbid.kinds),
            features: table(features, |forbid| forbid.features),
            seats: table(seats, |forbid| forbid.seats),
        }
    }

    #[inline]
    pub fn of(&self, state: &State, scope: &Scope) -> u128 {
        let kind = self.kinds.len() - 1;
        let seat = self.seats.len() - 1;
        let feature =
            scope.feature.some().map_or(self.features.len() - 1, |feature| state.feature(feature).kind.index());
        self.kinds[kind.min(scope.kind.index())] & self.seats[seat.min(scope.seat.index())] & self.features[feature]
    }
}

/// Who lifts a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiver {
    /// Whose it is.
    pub expansion: Arc<str>,
    /// Where it is declared.
    pub source: Source,
}

#[derive(Clone, Debug)]
pub(crate) struct Waive {
    pub verbs: u32,
    pub when: Condition,
    pub by: Waiver,
}
