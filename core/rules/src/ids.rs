//! Small integer handles. Each is an index into one table of the ruleset or of the state.
//!
//! Handles of declarations are given out in canonical order (expansion, then name), so they do not depend on load order.

use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($int:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub(crate) $int);

        impl $name {
            /// The highest value, kept free to mean "none" in packed records.
            pub(crate) const NONE: Self = Self(<$int>::MAX);

            /// The place in its table.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The handle for a place in its table. Out-of-range values are refused where they are used.
            pub const fn from_index(index: usize) -> Self {
                Self(index as $int)
            }

            /// `None` for the value that means "none".
            #[allow(dead_code, reason = "not every handle is optional somewhere")]
            pub(crate) fn some(self) -> Option<Self> {
                (self.0 != <$int>::MAX).then_some(self)
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::NONE
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    )*};
}

ids! {
    /// A seat at the table, in turn order, from 0.
    PlayerId(u8);
    /// An expansion of the ruleset.
    ExpansionId(u8);
    /// A printed design.
    TileDefId(u16);
    /// A tile on the table, in the order of placement.
    TileId(u16);
    /// A segment of a tile on the table.
    SegmentId(u32);
    /// A feature: joined segments.
    FeatureId(u32);
    /// A piece, on the board or not.
    FigureId(u16);
    /// A kind of piece (meeple or neutral).
    FigureKindId(u8);
    /// A kind of feature.
    FeatureKindId(u8);
    /// A kind of edge.
    EdgeKindId(u8);
    /// A kind of place on a segment where figures may stand.
    SeatId(u8);
    /// A symbol that is printed or set.
    MarkId(u8);
    /// A word for why something happens: `scored`, `final`, `eaten`.
    CauseId(u8);
    /// The role a follower has by where it stands.
    RoleId(u8);
    /// A word that groups items of a number.
    TagId(u8);
    /// A kind of counted thing.
    TokenKindId(u8);
    /// A group of off-board spaces.
    ZoneId(u8);
    /// A group of tiles that is drawn from.
    PileId(u8);
    /// A number that is asked for with a purpose.
    NumberId(u8);
    /// A registered hook or declaration, for explanations.
    HookId(u16);
    /// A step of the turn.
    StepId(u16);
}
