//! Tests as data: compiled at load, answered without a script.

use crate::features;
use crate::ids::*;
use crate::log;
use crate::ruleset::{Class, Ruleset};
use crate::state::{Anchor, State};

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

/// A count as ranges hold it; there is no more of anything.
fn few(count: i32) -> u16 {
    count.clamp(0, u16::MAX.into()) as u16
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
    FeatureHas(Box<Test>, Range),
    OnFeature(Box<Test>),
    OnTile(Box<Test>),
    OnPlaced(Box<Test>),
    TileMark(u64),
    TileHas(Box<Test>, Range),
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
            Self::OnFeature(test) => test.feature_kinds(),
            Self::All(tests) => tests.iter().fold(u64::MAX, |mask, test| mask & test.feature_kinds()),
            Self::Any(tests) => tests.iter().fold(0, |mask, test| mask | test.feature_kinds()),
            _ => u64::MAX,
        }
    }

    /// What is left to be asked where [`Test::figure_kinds`], [`Test::feature_kinds`] and [`Test::seats`] were looked at.
    pub fn beyond_kinds(&self) -> Self {
        match self {
            Self::FigureKind(_) | Self::FeatureKind(_) | Self::Seat(_) => Self::Always,
            Self::OnFeature(test) if matches!(**test, Self::FeatureKind(_)) => Self::Always,
            // These are about the feature by themselves.
            Self::OnFeature(test)
                if matches!(**test, Self::Occupied(_) | Self::Completed(_) | Self::FeatureHas(..)) =>
            {
                (**test).clone()
            }
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
            Self::OnFeature(test) => test.may_hold(rules, state, scope),
            Self::PlacedMark(mark) => features::placed_with_mark(rules, state, *mark).next().is_some(),
            _ => self.needs_candidate(scope.kind) || self.holds(rules, state, scope),
        }
    }

    /// True if the answer may depend on a candidate, not only on the moment and the kind of figure, if that is known.
    fn needs_candidate(&self, kind: FigureKindId) -> bool {
        match self {
            Self::All(tests) | Self::Any(tests) => tests.iter().any(|test| test.needs_candidate(kind)),
            Self::Not(test) => test.needs_candidate(kind),
            Self::FigureKind(_) => kind == FigureKindId::NONE,
            Self::Part(query) | Self::Turn(query) => query.same_kind && kind == FigureKindId::NONE,
            Self::Always
            | Self::Never
            | Self::OnPlaced(_)
            | Self::Awake(_)
            | Self::Acted(_)
            | Self::Score(..)
            | Self::Holds(..) => false,
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

    /// How long an answer takes, roughly, in looks at memory.
    fn cost(&self) -> u32 {
        match self {
            Self::Always | Self::Never => 0,
            Self::FigureKind(_) | Self::Seat(_) | Self::Cause(_) | Self::Why(_) | Self::Touched(_) => 1,
            Self::Owner(_) | Self::Elsewhere(_) | Self::Acted(_) => 1,
            Self::Role(_) | Self::Corner(_) | Self::FeatureKind(_) | Self::Score(..) | Self::Held(_) => 2,
            Self::Open(_) | Self::Completed(_) | Self::Closing(_) | Self::Occupied(_) => 3,
            Self::FeatureMark(_) | Self::TileMark(_) | Self::Awake(_) | Self::Edge(_) | Self::Beside(_) => 4,
            Self::Tiles(_) | Self::PlacedMark(_) | Self::Joins(_) => 10,
            Self::TileTokens(..) | Self::Holds(..) => 10,
            Self::Not(test) | Self::OnFeature(test) | Self::OnTile(test) | Self::OnPlaced(test) => 1 + test.cost(),
            Self::All(tests) | Self::Any(tests) => tests.iter().map(|test| 1 + test.cost()).sum(),
            Self::FeatureHas(test, _) => 5 + 2 * test.cost(),
            Self::Part(_) | Self::Turn(_) => 20,
            Self::TileHas(test, _) => 100 + test.cost(),
        }
    }

    /// True if the condition holds for `scope`.
    pub fn holds(&self, rules: &Ruleset, state: &State, scope: &Scope) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::All(tests) => tests.iter().all(|test| test.holds(rules, state, scope)),
            Self::Any(tests) => tests.iter().any(|test| test.holds(rules, state, scope)),
            Self::Not(test) => !test.holds(rules, state, scope),
            Self::FigureKind(mask) => bit(*mask, scope.kind.0),
            Self::Seat(mask) => bit(*mask, scope.seat.0),
            Self::Role(mask) => has_role(rules, scope, *mask),
            Self::Owner(whose) => owned(state, scope, *whose),
            Self::Beside(mask) => scope.figure.some().is_some_and(|figure| beside(state, figure, *mask)),
            Self::Cause(mask) => bit(*mask, scope.cause.0),
            Self::Why(mask) => bit(*mask, scope.why.0),
            Self::Touched(bits) => scope.touched & bits != 0,
            Self::Part(query) => query.holds(rules, state, scope, log::Span::Part),
            Self::Turn(query) => query.holds(rules, state, scope, log::Span::Turn),
            Self::OnTile(test) => printed(state, scope).is_some() && test.holds(rules, state, scope),
            Self::OnPlaced(test) => {
                state.now.placed.some().is_some_and(|tile| test.holds(rules, state, &Scope { tile, ..*scope }))
            }
            Self::TileMark(mask) => printed(state, scope).is_some_and(|def| rules.tile(def).mark_bits & mask != 0),
            Self::Edge(mask) => printed(state, scope)
                .is_some_and(|def| rules.tile(def).faces[0].edges.iter().any(|edge| bit(*mask, edge.0))),
            Self::TileTokens(token, range) => {
                scope.tile.some().is_some_and(|tile| range.contains(few(state.tokens_at(*token, Anchor::Tile(tile)))))
            }
            Self::Holds(token, range) => {
                scope.me.some().is_some_and(|me| range.contains(few(state.tokens_at(*token, Anchor::Held(me)))))
            }
            Self::Held(wanted) => {
                scope.figure.some().is_some_and(|figure| matches!(state.figure(figure).at, Anchor::Held(_)) == *wanted)
            }
            Self::Awake(mask) => {
                state.neutrals().any(|(_, figure)| bit(*mask, figure.kind.0) && figure.at != Anchor::Supply)
            }
            Self::Score(min, max) => scope.me.some().is_some_and(|me| (*min..=*max).contains(&state.score(me))),
            Self::Corner(wanted) => scope.seat.some().is_some_and(|seat| rules.seat(seat).is_corner()) == *wanted,
            Self::Acted(wanted) => (state.now.spent > 0) == *wanted,
            Self::Elsewhere(wanted) => (scope.tile != state.now.placed) == *wanted,
            Self::Joins(mask) => joins(rules, state, scope, *mask),
            Self::TileHas(test, range) => {
                scope.tile.some().is_some_and(|tile| range.contains(count_on(rules, state, scope, test, tile)))
            }
            _ => scope.feature.some().is_some_and(|feature| self.holds_of_feature(rules, state, scope, feature)),
        }
    }

    fn holds_of_feature(&self, rules: &Ruleset, state: &State, scope: &Scope, feature: FeatureId) -> bool {
        let data = state.feature(feature);
        match self {
            Self::OnFeature(test) => test.holds(rules, state, scope),
            Self::FeatureKind(mask) => bit(*mask, data.kind.0),
            Self::Open(wanted) => features::is_closed(rules, data) != *wanted,
            Self::Completed(wanted) => data.completed == *wanted,
            Self::Closing(wanted) => features::is_closing(rules, data) == *wanted,
            Self::Occupied(wanted) => (data.claims > 0) == *wanted,
            Self::Tiles(range) => range.contains(features::tile_count(rules, state, feature)),
            Self::PlacedMark(mark) => features::placed_with_mark(rules, state, *mark).any(|found| found == feature),
            Self::FeatureMark(marks) => marks.iter().any(|mark| features::marks(rules, state, data, *mark) > 0),
            Self::FeatureHas(test, range) => {
                range.contains(count(rules, state, scope, test, features::figures_of(state, feature)))
            }
            _ => false,
        }
    }
}

/// True if the mask has this bit; a handle that means "none" is in no mask.
#[inline]
pub(crate) fn bit(mask: u64, index: u8) -> bool {
    index < 64 && mask >> index & 1 == 1
}

/// Only followers have roles; a special figure has none, wherever it stands.
fn has_role(rules: &Ruleset, scope: &Scope, mask: u64) -> bool {
    let follower = scope.kind.some().is_some_and(|kind| rules.figure_kind(kind).class == Class::Follower);
    follower && scope.seat.some().is_some_and(|seat| bit(mask, rules.seat(seat).role.0))
}

/// The design of the tile in question, or the one that would be laid.
fn printed(state: &State, scope: &Scope) -> Option<TileDefId> {
    scope.tile.some().map(|tile| state.tile(tile).def).or(scope.def.some())
}

/// True if a segment of these kinds would meet another of its kind.
fn joins(rules: &Ruleset, state: &State, scope: &Scope, kinds: u64) -> bool {
    let Some(def) = scope.def.some() else { return false };
    let ports = &rules.tile(def).faces[scope.rotation.index()].ports;
    ports.iter().enumerate().any(|(port, local)| {
        let Some(segment) = rules.tile(def).segments.get(*local as usize) else { return false };
        let side = crate::geometry::Side::from_index(port / 3);
        let Some(tile) = state.tile_at(scope.at.neighbour(side)) else { return false };
        let other = state.tile(tile);
        let facing = &rules.tile(other.def).faces[other.rotation.index()].ports;
        let theirs = facing[side.opposite().index() * 3 + 2 - port % 3];
        bit(kinds, segment.kind.0)
            && rules.tile(other.def).segments.get(theirs as usize).is_some_and(|other| other.kind == segment.kind)
    })
}

fn owned(state: &State, scope: &Scope, whose: Whose) -> bool {
    match whose {
        Whose::Active => scope.owner.some().is_some() && scope.owner == state.now.player,
        Whose::Own => scope.owner.some().is_some() && scope.owner == scope.me,
        Whose::Other => scope.owner.some().is_some() && scope.owner != scope.me,
        Whose::Nobody => scope.owner.some().is_none(),
    }
}

/// Figures on a tile that fulfil a condition. Kinds that cannot are passed over before anybody asks where they stand.
fn count_on(rules: &Ruleset, state: &State, scope: &Scope, test: &Test, tile: TileId) -> u16 {
    let kinds = test.figure_kinds();
    let standing = state.figures().filter(|(_, figure)| bit(kinds, figure.kind.0) && figure.at != Anchor::Supply);
    let here = standing.filter(|(id, _)| features::standing_on(rules, state, *id) == Some(tile));
    count(rules, state, scope, test, here.map(|(id, _)| id))
}

fn beside(state: &State, figure: FigureId, mask: u64) -> bool {
    state.neutrals().any(|(_, neutral)| bit(mask, neutral.kind.0) && neutral.at == Anchor::Figure(figure))
}

fn count(rules: &Ruleset, state: &State, scope: &Scope, test: &Test, figures: impl Iterator<Item = FigureId>) -> u16 {
    figures.filter(|figure| test.holds(rules, state, &scope.of_figure(state, *figure))).count() as u16
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
