//! Tests as data: compiled at load, answered without a script.

mod holding;

use crate::features;
use crate::ids::*;
use crate::log;
use crate::ruleset::Ruleset;
use crate::state::{Anchor, State};
pub(crate) use holding::{Condition, bit};

/// What a condition is asked about. What a candidate would do is described here before it is done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scope {
    /// Whom `own` and `other` are relative to.
    pub me: PlayerId,
    /// The figure in question, if it is on the board or chosen.
    pub figure: FigureId,
    /// The kind of the figure in question, also where any figure of the kind would do.
    pub kind: FigureKindId,
    /// Who owns the figure in question.
    pub owner: PlayerId,
    /// The seat it is on, or would go to.
    pub seat: SeatId,
    /// The segment in question.
    pub segment: SegmentId,
    /// The feature in question; for `deploy` and `move` the destination's.
    pub feature: FeatureId,
    /// The tile in question.
    pub tile: TileId,
    /// The design in question, where no tile lies yet.
    pub def: TileDefId,
    /// Where that design would lie.
    pub at: crate::geometry::Position,
    /// How it would be turned.
    pub rotation: crate::geometry::Rotation,
    /// Why it happens.
    pub cause: CauseId,
    /// What a number is asked for.
    pub why: CauseId,
    /// How a subject was touched: a bit for each [`crate::words::Touch`].
    pub touched: u8,
}

/// Whose a figure is, relative to [`Scope::me`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    Own,
    Other,
    Nobody,
    /// The player whose turn it is.
    Active,
}

/// How many of something there must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub min: u16,
    pub max: u16,
}

impl Range {
    pub const SOME: Self = Self { min: 1, max: u16::MAX };

    pub fn contains(self, count: u16) -> bool {
        self.min <= count && count <= self.max
    }
}

/// A compiled condition. Sets of ids are bit masks.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    Always,
    Never,
    All(Box<[Test]>),
    Any(Box<[Test]>),
    Not(Box<Test>),
    FigureKind(u64),
    Role(u64),
    Seat(u64),
    Owner(Whose),
    /// A neutral figure of these kinds stands beside the figure in question.
    Beside(u64),
    FeatureKind(u64),
    Open(bool),
    Completed(bool),
    Closing(bool),
    Occupied(bool),
    Tiles(Range),
    FeatureMark(Box<[MarkId]>),
    FeatureHas(Box<Condition>, Range),
    /// There is a feature in question.
    OnFeature,
    /// There is a tile in question, or a design.
    OnTile,
    /// The placed tile, as the tile in question, fulfils this.
    OnPlaced(Box<Condition>),
    TileMark(u64),
    TileHas(Box<Condition>, Range),
    Cause(u64),
    Why(u64),
    Touched(u8),
    Part(Box<log::Query>),
    Turn(Box<log::Query>),
    /// A neutral figure of these kinds is on the board.
    Awake(u64),
    /// Points of the player in question.
    Score(i32, i32),
    /// The tile in question is not the one just placed.
    Elsewhere(bool),
    /// A segment of the placed tile with this mark is part of the feature.
    PlacedMark(MarkId),
    /// A design would continue a feature of these kinds.
    Joins(u64),
    /// A design or tile shows one of these edge kinds.
    Edge(u64),
    /// Tokens on the tile in question.
    TileTokens(TokenKindId, Range),
    /// Tokens before the player in question.
    Holds(TokenKindId, Range),
    /// Where the figure in question is held.
    Held(bool),
    /// The seat is one where four tiles meet.
    Corner(bool),
    /// The action of this part was spent.
    Acted(bool),
}

impl Test {
    /// The figure kinds for which this can hold at all, as far as the outermost words tell.
    pub fn figure_kinds(&self) -> u64 {
        match self {
            Self::Never => 0,
            Self::FigureKind(mask) => *mask,
            Self::All(tests) => tests.iter().fold(u64::MAX, |mask, test| mask & test.figure_kinds()),
            Self::Any(tests) => tests.iter().fold(0, |mask, test| mask | test.figure_kinds()),
            _ => u64::MAX,
        }
    }

    /// True if it holds of no feature without figures.
    pub fn needs_figures(&self) -> bool {
        self.needs(|test| matches!(test, Self::FeatureHas(_, range) if range.min > 0))
    }

    /// The kinds of neutral figures of which one must be beside the figure; all bits if none need be.
    fn attendants(&self) -> u64 {
        match self {
            Self::Beside(mask) => *mask,
            Self::All(tests) => tests.iter().map(Self::attendants).min().unwrap_or(u64::MAX),
            _ => u64::MAX,
        }
    }

    /// Whose the figure must be, if that matters.
    fn whose(&self) -> Option<Whose> {
        match self {
            Self::Owner(whose) => Some(*whose),
            Self::All(tests) => tests.iter().find_map(Self::whose),
            _ => None,
        }
    }

    /// The seats for which this can hold at all, as far as the outermost words tell.
    pub fn seats(&self) -> u64 {
        match self {
            Self::Never => 0,
            Self::Seat(mask) => *mask,
            Self::All(tests) => tests.iter().fold(u64::MAX, |mask, test| mask & test.seats()),
            Self::Any(tests) => tests.iter().fold(0, |mask, test| mask | test.seats()),
            _ => u64::MAX,
        }
    }

    /// The feature kinds for which this can hold at all, as far as the outermost words tell.
    pub fn feature_kinds(&self) -> u64 {
        match self {
            Self::Never => 0,
            Self::FeatureKind(mask) => *mask,
            Self::All(tests) => tests.iter().fold(u64::MAX, |mask, test| mask & test.feature_kinds()),
            Self::Any(tests) => tests.iter().fold(0, |mask, test| mask | test.feature_kinds()),
            _ => u64::MAX,
        }
    }

    /// What is left to be asked where [`Test::figure_kinds`], [`Test::feature_kinds`] and [`Test::seats`] were looked at.
    pub fn beyond_kinds(&self) -> Self {
        match self {
            Self::FigureKind(_) | Self::FeatureKind(_) | Self::Seat(_) => Self::Always,
            Self::All(tests) => Self::all(tests.iter().map(Self::beyond_kinds).collect()),
            other => other.clone(),
        }
    }

    /// False if this holds for no candidate whatever: the words that need none decide. `scope` knows what all candidates
    /// have in common.
    pub fn may_hold(&self, rules: &Ruleset, state: &State, scope: &Scope) -> bool {
        match self {
            Self::All(tests) => tests.iter().all(|test| test.may_hold(rules, state, scope)),
            Self::Any(tests) => tests.iter().any(|test| test.may_hold(rules, state, scope)),
            Self::PlacedMark(mark) => features::placed_with_mark(rules, state, *mark).next().is_some(),
            Self::Beside(mask) => state
                .neutrals()
                .any(|(_, neutral)| bit(*mask, neutral.kind.0) && matches!(neutral.at, Anchor::Figure(_))),
            _ => self.needs_candidate(scope) || self.holds(rules, state, scope),
        }
    }

    /// True if the answer may depend on a candidate, not only on the moment and on what `scope` knows of the kind of
    /// figure and the player.
    fn needs_candidate(&self, scope: &Scope) -> bool {
        let anybody = scope.me == PlayerId::NONE;
        match self {
            Self::All(tests) | Self::Any(tests) => tests.iter().any(|test| test.needs_candidate(scope)),
            Self::Not(test) => test.needs_candidate(scope),
            Self::FigureKind(_) => scope.kind == FigureKindId::NONE,
            Self::Part(query) | Self::Turn(query) => anybody || query.same_kind && scope.kind == FigureKindId::NONE,
            Self::OnPlaced(_) | Self::Score(..) | Self::Holds(..) => anybody,
            Self::Always | Self::Never | Self::Awake(_) | Self::Acted(_) => false,
            _ => true,
        }
    }

    /// Both must hold.
    pub fn and(self, other: Self) -> Self {
        Self::all(vec![self, other])
    }

    /// All must hold. Tests change nothing, so those that cost least are asked first.
    pub fn all(tests: Vec<Self>) -> Self {
        let mut flat = Vec::new();
        for test in tests {
            match test {
                Self::Always => {}
                Self::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        flat.sort_by_key(Self::cost);
        match flat.len() {
            0 => Self::Always,
            1 => flat.swap_remove(0),
            _ => Self::All(flat.into()),
        }
    }

    /// One must hold.
    pub fn any(tests: Vec<Self>) -> Self {
        let mut flat = Vec::new();
        for test in tests {
            match test {
                Self::Never => {}
                Self::Any(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        flat.sort_by_key(Self::cost);
        match flat.len() {
            0 => Self::Never,
            1 => flat.swap_remove(0),
            _ => Self::Any(flat.into()),
        }
    }

    /// It must not hold.
    pub fn not(test: Self) -> Self {
        match test {
            Self::Always => Self::Never,
            Self::Never => Self::Always,
            Self::Not(inner) => *inner,
            Self::Elsewhere(wanted) => Self::Elsewhere(!wanted),
            Self::Acted(wanted) => Self::Acted(!wanted),
            Self::Corner(wanted) => Self::Corner(!wanted),
            other => Self::Not(Box::new(other)),
        }
    }

    /// There must be a feature in question, and it must hold.
    pub fn on_feature(test: Self) -> Self {
        if test.needs(Self::is_of_feature) { test } else { Self::OnFeature.and(test) }
    }

    /// There must be a tile in question, and it must hold.
    pub fn on_tile(test: Self) -> Self {
        if test.needs(Self::is_of_tile) { test } else { Self::OnTile.and(test) }
    }

    /// True if it holds only where a test of this sort does.
    fn needs(&self, sort: fn(&Self) -> bool) -> bool {
        match self {
            Self::All(tests) => tests.iter().any(|test| test.needs(sort)),
            Self::Any(tests) => tests.iter().all(|test| test.needs(sort)),
            test => sort(test),
        }
    }

    /// A test of the feature in question, which holds for none that is not there.
    fn is_of_feature(&self) -> bool {
        matches!(
            self,
            Self::OnFeature
                | Self::FeatureKind(_)
                | Self::Open(_)
                | Self::Completed(_)
                | Self::Closing(_)
                | Self::Occupied(_)
                | Self::Tiles(_)
                | Self::FeatureMark(_)
                | Self::FeatureHas(..)
                | Self::PlacedMark(_)
        )
    }

    /// A test of the tile in question, or of a design, which holds for none that is not there.
    fn is_of_tile(&self) -> bool {
        matches!(self, Self::OnTile | Self::TileMark(_) | Self::Edge(_) | Self::TileTokens(..) | Self::TileHas(..))
    }

    /// How long an answer takes, roughly, in looks at memory.
    fn cost(&self) -> u32 {
        match self {
            Self::Always | Self::Never | Self::OnFeature | Self::OnTile => 0,
            Self::FigureKind(_) | Self::Seat(_) | Self::Cause(_) | Self::Why(_) | Self::Touched(_) => 1,
            Self::Owner(_) | Self::Elsewhere(_) | Self::Acted(_) => 1,
            Self::Role(_) | Self::Corner(_) | Self::FeatureKind(_) | Self::Score(..) | Self::Held(_) => 2,
            Self::Open(_) | Self::Completed(_) | Self::Closing(_) | Self::Occupied(_) => 3,
            Self::FeatureMark(_) | Self::TileMark(_) | Self::Awake(_) | Self::Edge(_) | Self::Beside(_) => 4,
            Self::Tiles(_) | Self::PlacedMark(_) | Self::Joins(_) => 10,
            Self::TileTokens(..) | Self::Holds(..) => 10,
            Self::Not(test) => test.cost(),
            Self::OnPlaced(test) => 1 + test.cost(),
            Self::All(tests) | Self::Any(tests) => tests.iter().map(|test| 1 + test.cost()).sum(),
            Self::FeatureHas(test, _) => 5 + 2 * test.cost(),
            Self::Part(_) | Self::Turn(_) => 20,
            Self::TileHas(test, _) => 100 + test.cost(),
        }
    }
}

impl Scope {
    /// The same question about a figure.
    pub fn of_figure(&self, state: &State, figure: FigureId) -> Self {
        let data = state.figure(figure);
        let mut scope = Self { figure, kind: data.kind, owner: data.owner, ..*self };
        if let Anchor::Seat { segment, seat } = data.at {
            scope.seat = seat;
            scope.segment = segment;
        }
        scope
    }
}
