//! What a player may choose.

use crate::forbids::Waiver;
use crate::geometry::{Position, Rotation};
use crate::ids::*;
use crate::state::Target;

/// A choice. The handles are the engine's; [`crate::notation`] has the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// The tile in hand onto a space.
    Place {
        /// Where.
        at: Position,
        /// How it is turned; of rotations that look alike, the smallest.
        rotation: Rotation,
    },
    /// A figure from supply onto a seat.
    Deploy {
        /// The kind of figure.
        kind: FigureKindId,
        /// The segment.
        segment: SegmentId,
        /// The seat on it.
        seat: SeatId,
    },
    /// An action that an expansion offers.
    Offer {
        /// Which, by its place among the ruleset's offers.
        offer: u16,
        /// On what.
        target: Target,
    },
    /// An option of the question that is asked.
    Answer(Target),
    /// None of these.
    Pass,
}

/// Why an action is not offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The named refusal.
    pub hook: HookId,
    /// Its sentence.
    pub text: String,
}

/// A refusal that waivers lift, so that it does not stand in the way of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifted {
    /// The named refusal.
    pub hook: HookId,
    /// Its sentence.
    pub text: String,
    /// Every waiver that lifts it here, in canonical order.
    pub by: Vec<Waiver>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_stays_small() {
        assert_eq!(size_of::<Action>(), 12);
    }
}
