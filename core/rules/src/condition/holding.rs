//! Answers to conditions.

use std::ops::Deref;

use super::{Scope, Test, Whose};
use crate::features;
use crate::ids::*;
use crate::log;
use crate::ruleset::{Class, Ruleset};
use crate::state::{Anchor, State};

/// A test made ready to be asked often: its words in the order of asking, and where each answer leads.
///
/// A tree of tests would be walked with a call for every branch, which costs more than most of its leaves.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    test: Test,
    first: u32,
    steps: Box<[Step]>,
    sieve: Sieve,
}

/// What a figure must be for a test to hold, as far as the outermost words tell: asked of many figures before anybody
/// finds out where each stands.
#[derive(Clone, Copy, Debug)]
struct Sieve {
    kinds: u64,
    /// A neutral figure of these kinds is beside it.
    beside: u64,
    whose: Option<Whose>,
}

/// A test without branches.
#[derive(Clone, Debug)]
struct Step {
    test: Test,
    /// Where to go on if it holds, and if not.
    yes: u32,
    no: u32,
}

/// The ends.
const HOLDS: u32 = u32::MAX;
const FAILS: u32 = u32::MAX - 1;

impl From<Test> for Condition {
    fn from(test: Test) -> Self {
        let mut steps = Vec::new();
        let first = test.lay_out(HOLDS, FAILS, &mut steps);
        let sieve = Sieve { kinds: test.figure_kinds(), beside: test.attendants(), whose: test.whose() };
        Self { test, first, steps: steps.into(), sieve }
    }
}

impl Deref for Condition {
    type Target = Test;

    fn deref(&self) -> &Test {
        &self.test
    }
}

impl Condition {
    /// The test as it was written.
    pub fn test(&self) -> &Test {
        &self.test
    }

    /// False if it cannot hold for a figure, whatever the rest of the scope; `me` is whom `own` is relative to.
    #[inline]
    pub fn may_be(&self, state: &State, me: PlayerId, figure: FigureId) -> bool {
        let data = state.figure(figure);
        bit(self.sieve.kinds, data.kind.0)
            && self.sieve.whose.is_none_or(|whose| owned(state, data.owner, me, whose))
            && (self.sieve.beside == u64::MAX || beside(state, figure, self.sieve.beside))
    }

    /// True if the condition holds for `scope`.
    #[inline]
    pub fn holds(&self, rules: &Ruleset, state: &State, scope: &Scope) -> bool {
        // Most are about nothing more, or nothing at all.
        if self.steps.is_empty() {
            return self.first == HOLDS;
        }
        self.walk(rules, state, scope)
    }

    fn walk(&self, rules: &Ruleset, state: &State, scope: &Scope) -> bool {
        let mut at = self.first;
        while let Some(step) = self.steps.get(at as usize) {
            at = if step.test.answer(rules, state, scope) { step.yes } else { step.no };
        }
        debug_assert_eq!(at == HOLDS, self.test.holds(rules, state, scope), "{self:?}");
        at == HOLDS
    }
}

impl Test {
    /// Adds the steps of this test, those that come after it first, and gives the one to begin with.
    fn lay_out(&self, yes: u32, no: u32, steps: &mut Vec<Step>) -> u32 {
        match self {
            Self::Always => yes,
            Self::Never => no,
            Self::All(tests) => tests.iter().rev().fold(yes, |next, test| test.lay_out(next, no, steps)),
            Self::Any(tests) => tests.iter().rev().fold(no, |next, test| test.lay_out(yes, next, steps)),
            Self::Not(test) => test.lay_out(no, yes, steps),
            test => {
                steps.push(Step { test: test.clone(), yes, no });
                (steps.len() - 1) as u32
            }
        }
    }

    /// The same answer from the tree, for tests that are asked once.
    pub(super) fn holds(&self, rules: &Ruleset, state: &State, scope: &Scope) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::All(tests) => tests.iter().all(|test| test.holds(rules, state, scope)),
            Self::Any(tests) => tests.iter().any(|test| test.holds(rules, state, scope)),
            Self::Not(test) => !test.holds(rules, state, scope),
            test => test.answer(rules, state, scope),
        }
    }

    /// The answer of a test without branches. Not a part of the loop that asks, which would be made once for each thing
    /// that does not change in it.
    #[inline(never)]
    fn answer(&self, rules: &Ruleset, state: &State, scope: &Scope) -> bool {
        let feature = || scope.feature.some().map(|feature| state.feature(feature));
        match self {
            Self::FigureKind(mask) => bit(*mask, scope.kind.0),
            Self::Seat(mask) => bit(*mask, scope.seat.0),
            Self::Owner(whose) => owned(state, scope.owner, scope.me, *whose),
            Self::Touched(bits) => scope.touched & bits != 0,
            Self::Cause(mask) => bit(*mask, scope.cause.0),
            Self::Why(mask) => bit(*mask, scope.why.0),
            Self::Acted(wanted) => (state.now.spent > 0) == *wanted,
            Self::Elsewhere(wanted) => (scope.tile != state.now.placed) == *wanted,
            Self::OnFeature => scope.feature.some().is_some(),
            Self::OnTile => printed(state, scope).is_some(),
            Self::TileMark(mask) => printed(state, scope).is_some_and(|def| rules.tile(def).mark_bits & mask != 0),
            Self::FeatureKind(mask) => feature().is_some_and(|data| bit(*mask, data.kind.0)),
            Self::Completed(wanted) => feature().is_some_and(|data| data.completed == *wanted),
            Self::Occupied(wanted) => feature().is_some_and(|data| (data.claims > 0) == *wanted),
            test => test.answer_looking_about(rules, state, scope),
        }
    }

    /// The answer of a test that looks at more than a record or two.
    #[inline(never)]
    fn answer_looking_about(&self, rules: &Ruleset, state: &State, scope: &Scope) -> bool {
        match self {
            Self::Role(mask) => has_role(rules, scope, *mask),
            Self::Beside(mask) => scope.figure.some().is_some_and(|figure| beside(state, figure, *mask)),
            Self::Part(query) => query.holds(rules, state, scope, log::Span::Part),
            Self::Turn(query) => query.holds(rules, state, scope, log::Span::Turn),
            Self::OnPlaced(test) => {
                state.now.placed.some().is_some_and(|tile| test.holds(rules, state, &Scope { tile, ..*scope }))
            }
            Self::Edge(mask) => printed(state, scope)
                .is_some_and(|def| rules.tile(def).faces[0].edges.iter().any(|edge| bit(*mask, edge.0))),
            Self::TileTokens(token, range) => {
                scope.tile.some().is_some_and(|tile| range.contains(few(state.tokens_at(*token, Anchor::Tile(tile)))))
            }
            Self::TileHas(test, range) => {
                scope.tile.some().is_some_and(|tile| range.contains(count_on(rules, state, scope, test, tile)))
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
            Self::Joins(mask) => joins(rules, state, scope, *mask),
            _ => scope.feature.some().is_some_and(|feature| self.answer_of_feature(rules, state, scope, feature)),
        }
    }

    fn answer_of_feature(&self, rules: &Ruleset, state: &State, scope: &Scope, feature: FeatureId) -> bool {
        let data = state.feature(feature);
        match self {
            Self::Open(wanted) => features::is_closed(rules, data) != *wanted,
            Self::Closing(wanted) => features::is_closing(rules, data) == *wanted,
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

#[inline]
fn owned(state: &State, owner: PlayerId, me: PlayerId, whose: Whose) -> bool {
    match whose {
        Whose::Active => owner.some().is_some() && owner == state.now.player,
        Whose::Own => owner.some().is_some() && owner == me,
        Whose::Other => owner.some().is_some() && owner != me,
        Whose::Nobody => owner.some().is_none(),
    }
}

/// Figures on a tile that fulfil a condition.
fn count_on(rules: &Ruleset, state: &State, scope: &Scope, test: &Condition, tile: TileId) -> u16 {
    // Neutral figures come first, and few tests are about others.
    let all = if test.sieve.kinds & !rules.neutral_kinds == 0 { state.neutrals as usize } else { state.figures.len() };
    let standing = state.figures().take(all).filter(|(_, figure)| figure.at != Anchor::Supply).map(|(id, _)| id);
    let wanted = standing.filter(|id| test.may_be(state, scope.me, *id));
    let here = wanted.filter(|id| features::standing_on(rules, state, *id) == Some(tile));
    here.filter(|figure| test.holds(rules, state, &scope.of_figure(state, *figure))).count() as u16
}

fn beside(state: &State, figure: FigureId, mask: u64) -> bool {
    state.neutrals().any(|(_, neutral)| bit(mask, neutral.kind.0) && neutral.at == Anchor::Figure(figure))
}

fn count(
    rules: &Ruleset,
    state: &State,
    scope: &Scope,
    test: &Condition,
    figures: impl Iterator<Item = FigureId>,
) -> u16 {
    let wanted = figures.filter(|figure| test.may_be(state, scope.me, *figure));
    wanted.filter(|figure| test.holds(rules, state, &scope.of_figure(state, *figure))).count() as u16
}

/// A count as ranges hold it; there is no more of anything.
fn few(count: i32) -> u16 {
    count.clamp(0, u16::MAX.into()) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed;

    /// Any tree of so many branches, made of tests that look at the scope alone.
    fn tree(seed: u64, depth: u32) -> Test {
        let part = |place: u64| tree(seed::key(seed, place), depth - 1);
        let mask = seed::key(seed, 7);
        let parts = || (0..seed >> 8 & 3).map(part).collect::<Vec<_>>();
        match seed::below(seed, if depth == 0 { 5 } else { 9 }) {
            0 => Test::FigureKind(mask),
            1 => Test::Seat(mask),
            2 => Test::Cause(mask),
            3 => Test::Owner(if mask & 1 == 0 { Whose::Own } else { Whose::Nobody }),
            4 => [Test::Always, Test::Never, Test::OnFeature][mask as usize % 3].clone(),
            5 => Test::not(part(9)),
            6 => Test::any(parts()),
            _ => Test::all(parts()),
        }
    }

    #[test]
    fn a_condition_has_room_for_whatever_a_script_makes() {
        let (rules, state) = (Ruleset::default(), State::default());
        let many = (0..70_000).map(|_| Test::FigureKind(1)).collect();
        let condition = Condition::from(Test::any(many));
        let scope = |kind| Scope { kind: FigureKindId(kind), ..Scope::default() };
        assert!(condition.holds(&rules, &state, &scope(0)) && !condition.holds(&rules, &state, &scope(1)));
    }

    #[test]
    fn laid_out_or_not_the_answer_is_the_same() {
        let (rules, state) = (Ruleset::default(), State::default());
        let mut held = 0;
        for number in 0..2_000 {
            let condition = Condition::from(tree(seed::key(1, number), 4));
            for case in 0..8 {
                let bits = seed::key(number, case);
                let scope = Scope {
                    me: PlayerId((bits & 1) as u8),
                    owner: if bits & 2 == 0 { PlayerId(0) } else { PlayerId::NONE },
                    kind: FigureKindId((bits >> 2 & 63) as u8),
                    seat: SeatId((bits >> 8 & 63) as u8),
                    cause: CauseId((bits >> 14 & 63) as u8),
                    feature: if bits >> 20 & 1 == 0 { FeatureId(0) } else { FeatureId::NONE },
                    ..Scope::default()
                };
                let answer = condition.holds(&rules, &state, &scope);
                assert_eq!(answer, condition.test().holds(&rules, &state, &scope), "{condition:?}, {scope:?}");
                held += u32::from(answer);
            }
        }
        assert!((2_000..14_000).contains(&held), "some hold and some do not: {held}");
    }
}
