//! The closed vocabulary of the engine: verbs, events, anchors of the turn. Names are strings only outside the engine.

use std::fmt;
use std::str::FromStr;

/// A word that is not in the vocabulary it was looked up in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is not one of {}", known.join(", "))]
pub struct UnknownWord {
    /// The word as it was written.
    pub word: String,
    /// What could have been written.
    pub known: Vec<&'static str>,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// Every word, in canonical order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The place in [`Self::ALL`].
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The word as scripts and files write it.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|word| word.word() == text).ok_or_else(|| UnknownWord {
                    word: text.to_owned(),
                    known: Self::ALL.iter().map(|word| word.word()).collect(),
                })
            }
        }
    };
}

words! {
    /// What a hook may ask for; each can be forbidden and replaced, is logged and can be undone.
    Verb {
        /// A tile into a player's hand. One that is forbidden waits until it no longer is.
        Draw = "draw",
        /// A tile onto the table.
        Place = "place",
        /// A tile, figure or token out of play.
        Discard = "discard",
        /// A figure from supply to the board.
        Deploy = "deploy",
        /// A figure from one place of the board to another.
        Move = "move",
        /// Tokens onto an anchor.
        Put = "put",
        /// Symbols onto a feature, or off it.
        Mark = "mark",
        /// A figure back to its owner's supply.
        Return = "return",
        /// A figure into a zone, held by a player.
        Capture = "capture",
        /// A held figure back to its owner's supply.
        Release = "release",
        /// A closed feature becomes a completed one.
        Complete = "complete",
        /// A feature is scored.
        Score = "score",
        /// Points for a player.
        Pay = "pay",
        /// A neutral figure comes onto the board or is put where its rules say.
        Appear = "appear",
        /// A neutral figure steps onto a tile: the only way of moving that eats.
        Enter = "enter",
        /// A figure is eaten by a neutral figure: it goes back to supply.
        Eat = "eat",
        /// A neutral figure is put elsewhere; its walk ends.
        Retreat = "retreat",
        /// A neutral figure leaves the board.
        Rest = "rest",
        /// A step, part or turn is added to the agenda.
        Queue = "queue",
        /// The current step, part, turn or game ends.
        Finish = "finish",
    }
}

words! {
    /// What happened, as hooks hear of it.
    EventKind {
        /// A tile was placed.
        Placed = "placed",
        /// Features that were on the table grew by a tile.
        Extended = "extended",
        /// Features that were apart became one.
        Joined = "joined",
        /// Once for each subject that a batch touched: joined, arrived, left.
        Changed = "changed",
        /// A figure came onto the board.
        Deployed = "deployed",
        /// A figure went from one place to another.
        Moved = "moved",
        /// A figure left the board for its owner's supply.
        Returned = "returned",
        /// A figure was taken by a player.
        Captured = "captured",
        /// A held figure went back to its owner.
        Released = "released",
        /// A tile, figure or token went out of play.
        Discarded = "discarded",
        /// Tokens were put down or taken up.
        Put = "tokens",
        /// Symbols were set on a feature or taken off it.
        Marked = "marked",
        /// A feature was completed.
        Completed = "completed",
        /// A feature was scored, with or without a winner.
        Scored = "scored",
        /// Points were paid.
        Paid = "paid",
        /// A neutral figure came onto the board.
        Appeared = "appeared",
        /// A neutral figure stepped onto a tile.
        Entered = "entered",
        /// A figure was eaten.
        Eaten = "eaten",
        /// A neutral figure was put elsewhere and its walk ended.
        Retreated = "retreated",
        /// A neutral figure left the board.
        Rested = "rested",
    }
}

words! {
    /// How a subject came to be touched, for `by` of `changed`.
    Touch {
        /// Two features became one, or one grew.
        Joined = "joined",
        /// A figure came.
        Arrived = "arrived",
        /// A figure went.
        Left = "left",
    }
}

words! {
    /// The engine's own steps; a declared step hangs on one.
    CoreStep {
        /// Start of a player's turn.
        Begin = "begin",
        /// A tile is drawn.
        Draw = "draw",
        /// The tile is placed.
        Place = "place",
        /// The tile is down; nobody has acted yet.
        AfterPlace = "after_place",
        /// The figure step: one action, or none.
        Action = "action",
        /// Further figures, where a rule gives them.
        Extra = "extra",
        /// All figures of this part stand.
        AfterAction = "after_action",
        /// Before completed features are scored.
        BeforeScore = "before_score",
        /// Completed features are scored.
        Score = "score",
        /// Figures are back.
        AfterScore = "after_score",
        /// The part is over.
        PartEnd = "part_end",
        /// The turn is over.
        TurnEnd = "turn_end",
        /// Before final scoring, when the pack is empty.
        LastRounds = "last_rounds",
        /// Final scoring.
        Final = "final",
    }
}

words! {
    /// The kinds of declarations and hooks.
    DeclKind {
        /// A kind of edge.
        Edge = "edge",
        /// A kind of feature.
        Feature = "feature",
        /// A symbol.
        Mark = "mark",
        /// A kind of meeple.
        Figure = "figure",
        /// A kind of neutral figure.
        Neutral = "neutral",
        /// A condition with a name.
        Query = "query",
        /// An addition to a set-valued field of a foreign declaration.
        Extend = "extend",
        /// Candidate actions of a step.
        Offer = "offer",
        /// A named refusal.
        Forbid = "forbid",
        /// The lifting of a named refusal or void.
        Waive = "waive",
        /// Things that count in a number.
        Items = "items",
        /// A change of an item's unit.
        Rate = "rate",
        /// A bound of a number.
        Cap = "cap",
        /// A named reason why a number is nothing.
        Void = "void",
        /// A value that takes the place of a number.
        Set = "set",
        /// An own entry at a named moment.
        Award = "award",
        /// A change of what is about to happen.
        Replace = "replace",
        /// A consequence of what happened.
        React = "react",
        /// Counted things: on tiles, before players, or of the game.
        Token = "token",
        /// A named step of the turn.
        Step = "step",
        /// What an answer leads to.
        Resolve = "resolve",
        /// Text for people.
        Describe = "describe",
        /// Hints for bots.
        Advise = "advise",
    }
}

words! {
    /// The numbers that the engine itself asks for; the worth of a feature is asked for by its kind.
    CoreNumber {
        /// Points of a feature.
        Worth = "worth",
        /// What a figure counts for majority.
        Strength = "strength",
    }
}
