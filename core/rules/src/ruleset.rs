//! What a game is played with: declarations, printed tiles and hook tables, resolved and frozen.

use std::sync::Arc;

use crate::condition::{Condition, Range};
use crate::forbids::{Concerns, Forbid, Waive};
use crate::geometry::{Position, Rotation, Side};
use crate::hooks::Callback;
use crate::ids::*;
use crate::printed::TileDef;
use crate::state::ListId;
use crate::words::{CoreNumber, CoreStep, DeclKind, EventKind, Verb};

/// A place in an author's file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// As the author would name it: `scripts/wells/rules.lua`.
    pub file: Arc<str>,
    /// 1-based.
    pub line: u32,
}

/// An expansion of the ruleset.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// As its manifest says.
    pub id: Arc<str>,
    /// For people.
    pub title: String,
    /// Its version.
    pub version: String,
    /// Every option with its value.
    pub options: Vec<(String, String)>,
}

/// What a side shows.
#[derive(Clone, Debug)]
pub struct EdgeKind {
    /// Full id.
    pub name: Arc<str>,
    /// Fits beside every kind of edge.
    pub(crate) matches_all: bool,
}

/// How features of a kind close.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Closes {
    /// When no side or half-edge is open.
    Sides,
    /// When these spaces, relative to its tile, are filled.
    Around(Vec<(i16, i16)>),
    Never,
}

/// A kind of feature.
#[derive(Clone, Debug)]
pub struct FeatureKind {
    /// Full id.
    pub name: Arc<str>,
    pub(crate) closes: Closes,
    /// A closed one is completed and scored.
    pub(crate) completes: bool,
    pub(crate) seats: Vec<SeatId>,
    /// Its tiles are counted while it grows; otherwise when somebody asks.
    pub(crate) counts_tiles: bool,
    /// Counter of each mark, or `u8::MAX`.
    pub(crate) slots: Vec<u8>,
}

/// A place on segments of a kind where figures may stand.
#[derive(Clone, Debug)]
pub struct Seat {
    /// Full id; the seat of the kind's own name is the usual one.
    pub name: Arc<str>,
    /// The role a follower has here.
    pub(crate) role: RoleId,
    /// A follower here occupies the feature.
    pub(crate) claims: bool,
    /// A follower here takes part when the feature is scored.
    pub(crate) scores: bool,
    /// The corner of the tile where four tiles must meet in this kind: 0 north-west, then clockwise.
    pub(crate) corner: Option<u8>,
}

impl Seat {
    /// True for a seat where four tiles meet; what stands there stands on no tile.
    pub fn is_corner(&self) -> bool {
        self.corner.is_some()
    }
}

/// A kind of counted thing.
#[derive(Clone, Debug)]
pub struct TokenKind {
    /// Full id.
    pub name: Arc<str>,
    /// How many each player has at the beginning, by the number of players; the last value holds for more.
    pub(crate) per_player: Vec<i32>,
}

/// What choosing an option does, where data says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Does {
    pub verb: Verb,
    /// The neutral figure that goes there, for the verbs that move one.
    pub neutral: FigureKindId,
    /// The figure that is deployed there.
    pub figure: FigureKindId,
    pub cause: CauseId,
}

/// What kind of piece it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A meeple that claims and counts for majority.
    Follower,
    /// A meeple that does neither.
    Special,
    /// Owned by nobody.
    Neutral,
}

/// A kind of piece.
#[derive(Clone, Debug)]
pub struct FigureKind {
    /// Full id.
    pub name: Arc<str>,
    /// Follower, special or neutral.
    pub class: Class,
    /// Pieces each player has; of a neutral kind, pieces there are.
    pub(crate) per_player: u8,
    pub(crate) seats: u64,
    /// What it counts for majority before hooks.
    pub(crate) strength: i32,
    /// Why it may leave its seat.
    pub(crate) leaves: u64,
    /// The step in which it may be deployed; none for those that only steps or offers of their own deploy.
    pub(crate) at: Option<CoreStep>,
    /// Its deployment is the action of the step.
    pub(crate) spends: bool,
    pub(crate) walk: Option<Walk>,
}

impl FigureKind {
    /// What it counts for majority before hooks.
    pub fn strength(&self) -> i32 {
        self.strength
    }
}

/// How a neutral figure roams.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    pub steps: u8,
    pub revisit: bool,
    /// Every player in turn from the active one; otherwise the active player makes every step.
    pub rounds: bool,
}

/// Where it was declared, and what to say.
#[derive(Clone, Debug)]
pub struct HookInfo {
    /// Full id: the expansion's, a colon, its own.
    pub name: Arc<str>,
    /// What it is.
    pub kind: DeclKind,
    /// Whose it is; none for the core's own.
    pub expansion: ExpansionId,
    /// Where it is declared; none for the core's own.
    pub source: Option<Source>,
    /// The sentence for people, if it says one.
    pub say: Option<Arc<str>>,
}

/// How a count is taken.
#[derive(Clone, Debug)]
pub(crate) enum Count {
    Fixed(i32),
    Tiles,
    Segments,
    /// Filled spaces around, its own tile included.
    Around,
    Mark(MarkId),
    /// Distinct bordered features of a kind that fulfil a condition.
    Borders(FeatureKindId, Condition),
    Figures(Condition),
    /// Features of the whole table.
    Features(Condition),
    Made(Callback),
}

#[derive(Clone, Debug)]
pub(crate) struct Items {
    pub hook: HookId,
    pub tag: TagId,
    pub count: Count,
    pub unit: i32,
    pub when: Condition,
}

/// Which way a fraction is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Towards the larger.
    Up,
    /// Towards the smaller.
    Down,
}

#[derive(Clone, Debug)]
pub(crate) struct Rate {
    pub hook: HookId,
    /// None: every tag.
    pub tag: TagId,
    pub plus: i32,
    pub times: (i32, i32),
    pub round: Rounding,
    pub when: Condition,
}

#[derive(Clone, Debug)]
pub(crate) struct Cap {
    pub min: i32,
    pub max: i32,
    pub when: Condition,
}

#[derive(Clone, Debug)]
pub(crate) struct Void {
    pub hook: HookId,
    pub tag: TagId,
    pub when: Condition,
    pub waivers: Vec<Waive>,
}

#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub hook: HookId,
    pub to: i32,
    pub when: Condition,
}

/// Everything that is said of one number.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberHooks {
    pub items: Vec<Items>,
    pub rates: Vec<Rate>,
    pub caps: Vec<Cap>,
    pub voids: Vec<Void>,
    pub sets: Vec<Set>,
}

#[derive(Clone, Debug)]
pub(crate) struct Award {
    pub hook: HookId,
    pub at: CoreStep,
    pub figure: Condition,
    /// Once for each player instead of for figures.
    pub players: bool,
    pub points: i32,
    pub count: Option<(Count, i32)>,
    pub items: Option<Callback>,
    pub once_per_feature: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Replace {
    pub hook: HookId,
    pub when: Condition,
    pub run: Callback,
    pub emits: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct React {
    pub hook: HookId,
    pub when: Condition,
    pub run: Callback,
    pub emits: u32,
    /// Once for each event; otherwise once for the batch.
    pub each: bool,
}

/// What a player may choose from.
#[derive(Clone, Debug)]
pub(crate) enum Options {
    Figures(Condition),
    Tiles(Condition),
    Segments(Condition),
    Players,
    /// Figures held by players.
    Held(Condition),
    /// Free spaces with at least so many neighbours.
    Spaces(u8),
    Range(i32, i32),
    Words(Vec<Arc<str>>),
    Made(Callback),
    One,
}

#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub hook: HookId,
    pub at: StepId,
    pub spends: bool,
    pub must: bool,
    pub when: Condition,
    pub options: Options,
    pub does: Option<Does>,
    pub run: Option<Callback>,
    pub emits: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Resolve {
    pub hook: HookId,
    pub options: Options,
    pub pass: bool,
    pub does: Option<Does>,
    pub run: Option<Callback>,
    pub emits: u32,
}

/// An entry of the turn: one of the engine's own, or a declared one.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub name: Arc<str>,
    pub hook: HookId,
    pub core: Option<CoreStep>,
    pub when: Condition,
    pub run: Option<Callback>,
    pub emits: u32,
    /// The figures that may be deployed here.
    pub figures: u64,
    /// Something may be deployed or is offered here.
    pub chooses: bool,
    /// Nothing that happens here adds to the agenda.
    pub quiet: bool,
    /// Awards hang on it that it pays by itself.
    pub awards: bool,
}

/// How many of a design are in a pile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copies {
    /// The design.
    pub tile: TileDefId,
    /// How many.
    pub count: u16,
    /// The pile they belong to.
    pub pile: PileId,
    /// A number of each copy, from which its place in the shuffled pile comes.
    pub(crate) numbers: Vec<u64>,
}

/// A tile that lies on the table before the first turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The design; one copy is taken out of the pack.
    pub tile: TileDefId,
    /// Where.
    pub at: Position,
    /// How it is turned.
    pub rotation: Rotation,
}

/// The resolved, frozen rules of a game. Immutable and shared by all games that are played with it.
#[derive(Debug, Default)]
pub struct Ruleset {
    pub(crate) expansions: Vec<Expansion>,
    pub(crate) edges: Vec<EdgeKind>,
    pub(crate) features: Vec<FeatureKind>,
    pub(crate) seats: Vec<Seat>,
    pub(crate) figures: Vec<FigureKind>,
    pub(crate) marks: Vec<Arc<str>>,
    pub(crate) causes: Vec<Arc<str>>,
    pub(crate) roles: Vec<Arc<str>>,
    pub(crate) tags: Vec<Arc<str>>,
    pub(crate) tokens: Vec<TokenKind>,
    pub(crate) piles: Vec<Arc<str>>,
    pub(crate) tiles: Vec<TileDef>,
    pub(crate) copies: Vec<Copies>,
    pub(crate) starts: Vec<Start>,
    pub(crate) hooks: Vec<HookInfo>,
    pub(crate) core: Vec<HookId>,
    pub(crate) queries: Vec<(Arc<str>, Condition)>,
    pub(crate) forbids: Vec<Vec<Forbid>>,
    pub(crate) concerns: Vec<Concerns>,
    pub(crate) core_waivers: Vec<Vec<Waive>>,
    pub(crate) replaces: Vec<Vec<Replace>>,
    pub(crate) reacts: Vec<Vec<React>>,
    /// Hooks of each feature kind's worth, then of each other number.
    pub(crate) worth: Vec<NumberHooks>,
    pub(crate) numbers: Vec<NumberHooks>,
    pub(crate) awards: Vec<Award>,
    pub(crate) offers: Vec<Offer>,
    pub(crate) resolves: Vec<Resolve>,
    pub(crate) steps: Vec<Step>,
    pub(crate) lists: [Vec<StepId>; 4],
    pub(crate) around_kinds: u64,
    pub(crate) has_scripts: bool,
    /// Events that some hook or condition asks for, a bit each.
    pub(crate) heard: u32,
    /// Feature kinds that are completed when they are closed, a bit each.
    pub(crate) completing: u64,
    /// Feature kinds whose changes some hook asks for, a bit each.
    pub(crate) changes: u64,
    /// Nobody asks for changes of features without figures.
    pub(crate) changes_need_figures: bool,
    /// Kinds of figures that belong to nobody, a bit each.
    pub(crate) neutral_kinds: u64,
    /// Verbs that some hook refuses or replaces, a bit each.
    pub(crate) gated: u32,
    /// No hook has a say in where tiles go.
    pub(crate) places_are_free: bool,
    /// Something may be offered in every decision of a turn.
    pub(crate) offers_any_time: bool,
    pub(crate) labels: crate::ledger::Labels,
}

/// Words of cause that the engine itself uses.
pub(crate) mod cause {
    use crate::ids::CauseId;

    pub const SCORED: CauseId = CauseId(0);
    pub const COMPLETED: CauseId = CauseId(1);
    pub const FINAL: CauseId = CauseId(2);
    pub const EATEN: CauseId = CauseId(3);
    pub const ACTION: CauseId = CauseId(4);
    pub const TURN: CauseId = CauseId(5);
    pub const WORDS: [&str; 6] = ["scored", "completed", "final", "eaten", "action", "turn"];
}

impl Ruleset {
    #[inline]
    pub(crate) fn seat(&self, seat: SeatId) -> &Seat {
        &self.seats[seat.index()]
    }

    #[inline]
    pub(crate) fn feature_kind(&self, kind: FeatureKindId) -> &FeatureKind {
        &self.features[kind.index()]
    }

    /// A kind of piece.
    #[inline]
    pub fn figure_kind(&self, kind: FigureKindId) -> &FigureKind {
        &self.figures[kind.index()]
    }

    /// A printed design.
    #[inline]
    pub fn tile(&self, tile: TileDefId) -> &TileDef {
        &self.tiles[tile.index()]
    }

    /// Every printed design.
    pub fn tiles(&self) -> impl Iterator<Item = (TileDefId, &TileDef)> {
        self.tiles.iter().enumerate().map(|(index, tile)| (TileDefId(index as u16), tile))
    }

    /// Piles are drawn in the order of their names, the main one last.
    pub(crate) fn pile_rank(&self, pile: PileId) -> u8 {
        let name = &self.piles[pile.index()];
        if &**name == "main" {
            return u8::MAX;
        }
        self.piles.iter().filter(|other| **other < *name).count() as u8
    }

    /// The rank of the pile a tile is drawn from.
    pub(crate) fn rank_of(&self, tile: TileDefId) -> u8 {
        self.copies.iter().find(|copies| copies.tile == tile).map_or(u8::MAX, |copies| self.pile_rank(copies.pile))
    }

    /// Every kind of piece.
    pub fn figure_kinds(&self) -> impl Iterator<Item = (FigureKindId, &FigureKind)> {
        self.figures.iter().enumerate().map(|(index, kind)| (FigureKindId(index as u8), kind))
    }

    /// How many of each design the pack holds, before the start tiles are taken out.
    pub fn copies(&self) -> &[Copies] {
        &self.copies
    }

    /// The tiles on the table before the first turn.
    pub fn starts(&self) -> &[Start] {
        &self.starts
    }

    /// The expansions in canonical order.
    pub fn expansions(&self) -> &[Expansion] {
        &self.expansions
    }

    /// Where a hook is declared and what it says.
    pub fn hook(&self, hook: HookId) -> &HookInfo {
        &self.hooks[hook.index()]
    }

    /// Every hook and declaration.
    pub fn hooks(&self) -> impl Iterator<Item = (HookId, &HookInfo)> {
        self.hooks.iter().enumerate().map(|(index, hook)| (HookId(index as u16), hook))
    }

    /// Name of a feature kind.
    pub fn feature_name(&self, kind: FeatureKindId) -> &str {
        &self.features[kind.index()].name
    }

    /// Name of a mark.
    pub fn mark_name(&self, mark: MarkId) -> &str {
        &self.marks[mark.index()]
    }

    /// Word of a cause.
    pub fn cause_word(&self, cause: CauseId) -> &str {
        self.causes.get(cause.index()).map_or("", |word| word)
    }

    /// Name of an edge kind.
    pub fn edge_name(&self, edge: EdgeKindId) -> &str {
        &self.edges[edge.index()].name
    }

    /// True if features of this kind count the symbol.
    pub fn counts_mark(&self, kind: FeatureKindId, mark: MarkId) -> bool {
        self.mark_slot(kind, mark).is_some()
    }

    #[inline]
    pub(crate) fn mark_slot(&self, kind: FeatureKindId, mark: MarkId) -> Option<u8> {
        self.features[kind.index()].slots.get(mark.index()).copied().filter(|slot| *slot != u8::MAX)
    }

    #[inline]
    pub(crate) fn listens(&self, event: EventKind) -> bool {
        !self.reacts[event.index()].is_empty()
    }

    pub(crate) fn list(&self, list: ListId) -> &[StepId] {
        &self.lists[list as usize]
    }

    pub(crate) fn number(&self, number: CoreNumber) -> &NumberHooks {
        &self.numbers[number.index()]
    }

    pub(crate) fn find<'a>(names: impl IntoIterator<Item = &'a Arc<str>>, word: &str) -> Option<usize> {
        let mut found = None;
        for (index, name) in names.into_iter().enumerate() {
            if **name == *word {
                return Some(index);
            }
            if short(name) == word {
                found = found.or(Some(index));
            }
        }
        found
    }

    /// The design with this id, full or without its expansion, or with this published code.
    pub fn tile_by_name(&self, word: &str) -> Option<TileDefId> {
        let by_id = Self::find(self.tiles.iter().map(|tile| &tile.id), word);
        let by_code = || self.tiles.iter().position(|tile| tile.aka.iter().any(|code| code == word));
        by_id.or_else(by_code).map(|index| TileDefId(index as u16))
    }

    /// The kind of piece with this id, full or without its expansion.
    pub fn figure_by_name(&self, word: &str) -> Option<FigureKindId> {
        Self::find(self.figures.iter().map(|kind| &kind.name), word).map(|index| FigureKindId(index as u8))
    }

    /// The kind of feature with this id, full or without its expansion.
    pub fn feature_by_name(&self, word: &str) -> Option<FeatureKindId> {
        Self::find(self.features.iter().map(|kind| &kind.name), word).map(|index| FeatureKindId(index as u8))
    }

    /// The cause with this word.
    pub fn cause_by_word(&self, word: &str) -> Option<CauseId> {
        self.causes.iter().position(|cause| **cause == *word).map(|index| CauseId(index as u8))
    }

    /// The mark with this id, full or without its expansion.
    pub fn mark_by_name(&self, word: &str) -> Option<MarkId> {
        Self::find(&self.marks, word).map(|index| MarkId(index as u8))
    }

    /// The place of the query with this full id.
    pub fn query_by_name(&self, word: &str) -> Option<usize> {
        self.queries.iter().position(|(name, _)| **name == *word)
    }

    /// The kind of token with this id, full or without its expansion.
    pub fn token_by_name(&self, word: &str) -> Option<TokenKindId> {
        Self::find(self.tokens.iter().map(|token| &token.name), word).map(|index| TokenKindId(index as u8))
    }

    /// Name of a kind of token.
    pub fn token_name(&self, token: TokenKindId) -> &str {
        &self.tokens[token.index()].name
    }

    /// The step with this id, full or without its expansion.
    pub fn step_by_name(&self, word: &str) -> Option<StepId> {
        Self::find(self.steps.iter().map(|step| &step.name), word).map(|index| StepId(index as u16))
    }

    /// The question with this full id.
    pub fn question_by_name(&self, word: &str) -> Option<HookId> {
        self.resolves.iter().map(|resolve| resolve.hook).find(|hook| *self.hook(*hook).name == *word)
    }

    /// The kinds of feature, in canonical order.
    pub fn feature_kinds(&self) -> impl Iterator<Item = FeatureKindId> {
        (0..self.features.len() as u8).map(FeatureKindId)
    }

    /// Name of a seat.
    pub fn seat_name(&self, seat: SeatId) -> &str {
        &self.seats[seat.index()].name
    }

    /// The corner of the tile that a seat lies on, for those where four tiles meet: 0 north-west, then clockwise, as
    /// seen on the table.
    pub fn seat_corner(&self, seat: SeatId) -> Option<usize> {
        self.seats[seat.index()].corner.map(usize::from)
    }

    pub(crate) fn step_named(&self, step: StepId) -> &Step {
        &self.steps[step.index()]
    }

    /// Name of a step of the turn.
    pub fn step_name(&self, step: StepId) -> &str {
        &self.steps[step.index()].name
    }

    /// The word for a role.
    pub fn role_of(&self, seat: SeatId) -> &str {
        self.roles.get(self.seats[seat.index()].role.index()).map_or("", |role| role)
    }

    /// The segment of a design that runs to a side, in printed orientation.
    pub fn segment_at(&self, tile: TileDefId, side: Side) -> Option<usize> {
        self.tiles[tile.index()].faces[0].ports[side.index() * 3 + 1].checked_add(1).map(|n| n as usize - 1)
    }

    /// The verbs of a bit mask.
    pub(crate) fn verbs(mask: u32) -> impl Iterator<Item = Verb> {
        Verb::ALL.iter().copied().filter(move |verb| mask >> verb.index() & 1 == 1)
    }
}

/// An id without its expansion.
pub fn short(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, id)| id)
}

impl Range {
    pub(crate) fn new(min: u16, max: u16) -> Self {
        Self { min, max }
    }
}
