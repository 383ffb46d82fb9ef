//! The state of a game: flat tables of small records, without behaviour. What may happen to it is elsewhere.

use crate::geometry::{Position, Rotation};
use crate::grid::Grid;
use crate::hooks::Event;
use crate::ids::*;
use crate::ledger::{Item, Line};
use crate::table::{Rows, Table};

/// Symbols of one feature kind that can be counted at once.
pub(crate) const MARKS: usize = 16;

/// A design at a position with a rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedTile {
    /// The design.
    pub def: TileDefId,
    /// Where.
    pub at: Position,
    /// How it is turned.
    pub rotation: Rotation,
    /// Its first segment; the others follow in printed order.
    pub first: SegmentId,
}

/// A part of a feature on a tile of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    /// The feature it was laid into; [`State::root`] leads on to the one it belongs to now.
    pub feature: FeatureId,
    /// The next segment of the same feature, in a ring.
    pub next: SegmentId,
    /// The next segment of the same feature that shares its tile with another of its kind, in a ring.
    pub next_shared: SegmentId,
    pub tile: TileId,
    /// Its place in the printed order.
    pub local: u8,
}

/// Joined segments. Only roots are features; the others point to the one that took them in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Feature {
    /// Itself for a root.
    pub parent: FeatureId,
    pub kind: FeatureKindId,
    /// Completed: closed, and nothing refused it.
    pub completed: bool,
    /// Any segment; the ring leads to the others.
    pub head: SegmentId,
    /// Any segment that shares its tile with another of its kind.
    pub shared: SegmentId,
    /// Number of segments.
    pub size: u32,
    /// Number of distinct tiles (B-10), of kinds whose tiles are counted while they grow.
    pub tiles: u16,
    /// Sides and half-edges with no neighbour yet.
    pub open: u32,
    /// Filled spaces around, for kinds that close so.
    pub around: u16,
    /// Followers on claiming seats.
    pub claims: u16,
    /// First figure; [`Figure::next`] leads on.
    pub figures: FigureId,
    /// Its record among the counted symbols; none while there is no symbol.
    pub marks: u32,
}

/// Counted symbols of a feature, by the slot its kind gives each.
pub(crate) type Marks = [u16; MARKS];

/// A feature without symbols.
pub(crate) const NO_MARKS: u32 = u32::MAX;

/// Things of one kind in one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tokens {
    /// What.
    pub kind: TokenKindId,
    /// Where: on a tile, held by a player, or out of play for those of the game.
    pub at: Anchor,
    /// How many.
    pub count: i32,
}

/// Where a figure or a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Anchor {
    /// In front of its owner, free to be deployed. Neutral figures wait here too.
    Supply,
    /// On a seat of a segment.
    Seat {
        /// The segment.
        segment: SegmentId,
        /// The seat.
        seat: SeatId,
    },
    /// On a tile, on no segment of it.
    Tile(TileId),
    /// Beside a figure, wherever it goes.
    Figure(FigureId),
    /// Held by a player, off the board.
    Held(PlayerId),
    /// Out of play.
    Out,
}

/// A piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// What it is.
    pub kind: FigureKindId,
    /// Whose it is; none for a neutral figure.
    pub(crate) owner: PlayerId,
    /// Where it is.
    pub at: Anchor,
    /// The next figure on the same feature.
    pub(crate) next: FigureId,
}

impl Anchor {
    /// True for a place on the table.
    pub fn is_on_board(self) -> bool {
        matches!(self, Self::Seat { .. } | Self::Tile(_) | Self::Figure(_))
    }
}

impl Figure {
    /// The player it belongs to; `None` for a neutral figure.
    pub fn owner(&self) -> Option<PlayerId> {
        self.owner.some()
    }
}

/// A free space beside a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Space {
    pub at: Position,
    /// Four digits of four bits, from the north clockwise: 0 for no neighbour, else one more than the neighbour's edge kind.
    pub signature: u16,
}

/// What may come of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Target {
    /// Nothing in particular.
    #[default]
    None,
    /// A tile on the table.
    Tile(TileId),
    /// A figure.
    Figure(FigureId),
    /// A segment.
    Segment(SegmentId),
    /// A free space.
    Space(Position),
    /// A player.
    Player(PlayerId),
    /// A number.
    Number(i32),
    /// One of the words of the question.
    Word(u16),
}

/// A question that waits for its answer, as plain data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    /// The `resolve` that gives the options and takes the answer.
    pub to: HookId,
    pub who: PlayerId,
    /// What the asker wants back.
    pub data: [i32; 4],
}

/// An entry of the agenda: what comes when nothing is pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agendum {
    /// A list of steps, to go on with at `next`.
    List { list: ListId, next: u8, player: PlayerId },
    /// One step out of turn.
    Step { step: StepId, player: PlayerId, data: [i32; 2] },
    /// One more step of a neutral figure's walk.
    Walk { figure: FigureId, left: u8, player: PlayerId },
}

/// The lists of steps a game is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListId {
    TurnStart,
    Part,
    TurnEnd,
    GameEnd,
}

/// What the game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// Nothing: the agenda goes on.
    Nothing,
    /// The tile in hand is to be placed.
    Place,
    /// An action of this step, or a pass.
    Act(StepId),
    /// The answer to a question.
    Answer(Ask),
    /// The next step of a neutral figure's walk.
    Walk { figure: FigureId, left: u8 },
    /// The game is over.
    Over,
}

/// Scalars of the moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Now {
    pub turn: u32,
    /// 0 for the first part of a turn.
    pub part: u16,
    /// Whose turn it is.
    pub player: PlayerId,
    /// Who answers.
    pub decider: PlayerId,
    pub waiting: Waiting,
    /// The tile to be placed.
    pub hand: TileDefId,
    /// The tile placed in this part.
    pub placed: TileId,
    /// Slots spent in this part, a bit each.
    pub spent: u8,
    pub log_part: u32,
    pub log_turn: u32,
    /// Answers given so far.
    pub decisions: u32,
    /// Answers given before this turn.
    pub decisions_before: u32,
    /// True from the last tile on.
    pub ending: bool,
    /// Decides every chance.
    pub seed: u64,
    /// Chances taken so far.
    pub chances: u32,
    /// A decision with one option is asked all the same.
    pub ask_forced: bool,
}

/// Everything that changes in a game. Comparable, cloneable, and equal for equal setups and answers.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) now: Now,
    pub(crate) grid: Grid,
    pub(crate) tiles: Rows<PlacedTile>,
    pub(crate) spaces: Table<Space>,
    pub(crate) segments: Table<Segment>,
    pub(crate) features: Table<Feature>,
    pub(crate) figures: Table<Figure>,
    /// Figures in supply, by player and kind.
    pub(crate) supply: Table<u8>,
    pub(crate) scores: Table<i32>,
    pub(crate) agenda: Table<Agendum>,
    pub(crate) asks: Table<Ask>,
    /// The tiles still to draw, the next one last.
    pub(crate) pile: Table<TileDefId>,
    pub(crate) set_aside: Rows<TileDefId>,
    /// Everything that happened, in order.
    pub(crate) log: Rows<Event>,
    pub(crate) lines: Rows<Line>,
    pub(crate) items: Rows<Item>,
    pub(crate) neutrals: u16,
    pub(crate) kinds: u8,
    pub(crate) visited: Table<TileId>,
    /// Features that this part closed.
    pub(crate) closing: Table<FeatureId>,
    pub(crate) marks: Table<Marks>,
    pub(crate) tokens: Table<Tokens>,
    /// Drawn too early: they go back into the pile when nothing forbids them any more.
    pub(crate) waiting: Table<TileDefId>,
}

/// A point in time to come back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    now: Now,
    marks: [u32; 20],
}

macro_rules! each_table {
    ($state:expr, $do:ident) => {
        $do!(
            $state, grid, tiles, spaces, segments, features, figures, supply, scores, agenda, asks, pile, set_aside,
            log, lines, items, visited, closing, marks, tokens, waiting
        )
    };
}

impl Default for Now {
    fn default() -> Self {
        Self {
            turn: 0,
            part: 0,
            player: PlayerId(0),
            decider: PlayerId(0),
            waiting: Waiting::Nothing,
            hand: TileDefId::NONE,
            placed: TileId::NONE,
            spent: 0,
            log_part: 0,
            log_turn: 0,
            decisions: 0,
            decisions_before: 0,
            ending: false,
            seed: 0,
            chances: 0,
            ask_forced: false,
        }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        self.now = source.now;
        self.grid.copy_from(&source.grid);
        self.neutrals = source.neutrals;
        self.kinds = source.kinds;
        macro_rules! copy { ($s:expr, $grid:ident, $($t:ident),*) => { $(self.$t.clone_from(&source.$t);)* } }
        each_table!(self, copy);
    }
}

impl State {
    pub(crate) fn mark(&self) -> Mark {
        macro_rules! mark { ($s:expr, $($t:ident),*) => { [$($s.$t.mark()),*] } }
        Mark { now: self.now, marks: each_table!(self, mark) }
    }

    pub(crate) fn undo(&mut self, mark: &Mark) {
        self.now = mark.now;
        let mut marks = mark.marks.iter();
        macro_rules! undo { ($s:expr, $($t:ident),*) => { $($s.$t.undo(marks.next().copied().unwrap_or(0));)* } }
        each_table!(self, undo);
    }

    /// Makes room for a new game, keeping the buffers.
    pub(crate) fn clear(&mut self) {
        self.now = Now::default();
        self.grid.clear_all();
        self.neutrals = 0;
        macro_rules! clear { ($s:expr, $grid:ident, $($t:ident),*) => { $($s.$t.clear();)* } }
        each_table!(self, clear);
    }

    /// Forgets how to undo; the memory of a long campaign stays flat.
    pub(crate) fn forget(&mut self) {
        macro_rules! forget { ($s:expr, $($t:ident),*) => { $($s.$t.forget();)* } }
        each_table!(self, forget);
    }

    /// Whether changes can be taken back from now on.
    pub(crate) fn remember(&mut self, remembers: bool) {
        macro_rules! remember { ($s:expr, $($t:ident),*) => { $($s.$t.remember(remembers);)* } }
        each_table!(self, remember);
    }

    /// The design, place and rotation of a tile on the table.
    #[inline]
    pub fn tile(&self, tile: TileId) -> &PlacedTile {
        self.tiles.at(tile.index())
    }

    /// The tile at a space.
    pub fn tile_at(&self, at: Position) -> Option<TileId> {
        self.grid.get(at).as_tile()
    }

    /// Every tile on the table, in the order of placement.
    pub fn tiles(&self) -> impl Iterator<Item = (TileId, &PlacedTile)> {
        self.tiles.items().iter().enumerate().map(|(index, tile)| (TileId(index as u16), tile))
    }

    #[inline]
    pub(crate) fn segment(&self, segment: SegmentId) -> &Segment {
        self.segments.at(segment.index())
    }

    #[inline]
    pub(crate) fn feature(&self, root: FeatureId) -> &Feature {
        self.features.at(root.index())
    }

    /// The feature that took in `feature`, itself for one that stands.
    #[inline]
    pub(crate) fn root(&self, mut feature: FeatureId) -> FeatureId {
        loop {
            let parent = self.features.at(feature.index()).parent;
            if parent == feature {
                return feature;
            }
            feature = parent;
        }
    }

    /// The feature a segment belongs to.
    #[inline]
    pub fn feature_of(&self, segment: SegmentId) -> FeatureId {
        self.root(self.segment(segment).feature)
    }

    /// Every feature of the table, in the order of their first segments.
    pub fn features(&self) -> impl Iterator<Item = FeatureId> {
        (0..self.features.len() as u32).map(FeatureId).filter(|id| self.feature(*id).parent == *id)
    }

    /// The kind of a feature.
    pub fn kind_of(&self, feature: FeatureId) -> FeatureKindId {
        self.feature(self.root(feature)).kind
    }

    /// True if a feature was completed.
    pub fn is_completed(&self, feature: FeatureId) -> bool {
        self.feature(self.root(feature)).completed
    }

    /// The tile a segment is printed on, and its place among the tile's segments.
    pub fn segment_place(&self, segment: SegmentId) -> (TileId, usize) {
        let data = self.segment(segment);
        (data.tile, data.local as usize)
    }

    /// The segment at this place of a tile.
    pub fn segment_on(&self, tile: TileId, local: usize) -> SegmentId {
        SegmentId(self.tile(tile).first.0 + local as u32)
    }

    /// A figure.
    #[inline]
    pub fn figure(&self, figure: FigureId) -> &Figure {
        self.figures.at(figure.index())
    }

    /// Every figure, on the board or not.
    pub fn figures(&self) -> impl Iterator<Item = (FigureId, &Figure)> {
        self.figures.items().iter().enumerate().map(|(index, figure)| (FigureId(index as u16), figure))
    }

    /// The neutral figures.
    pub fn neutrals(&self) -> impl Iterator<Item = (FigureId, &Figure)> {
        self.figures().take(self.neutrals as usize)
    }

    /// How many figures of a kind a player can deploy.
    #[inline]
    pub fn supply(&self, player: PlayerId, kind: FigureKindId) -> u8 {
        self.supply.get(player.index() * self.kinds as usize + kind.index())
    }

    /// Points of a player.
    pub fn score(&self, player: PlayerId) -> i32 {
        self.scores.get(player.index())
    }

    /// Points of every player, in turn order.
    pub fn scores(&self) -> &[i32] {
        self.scores.items()
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.scores.len()
    }

    /// Whose turn it is.
    pub fn player(&self) -> PlayerId {
        self.now.player
    }

    /// Who answers next.
    pub fn decider(&self) -> PlayerId {
        self.now.decider
    }

    /// Turns begun, from 1.
    pub fn turn(&self) -> u32 {
        self.now.turn
    }

    /// Answers given so far.
    pub fn decisions(&self) -> u32 {
        self.now.decisions
    }

    /// The tile to be placed.
    pub fn hand(&self) -> Option<TileDefId> {
        self.now.hand.some()
    }

    /// The tile placed in this part of the turn.
    pub fn placed(&self) -> Option<TileId> {
        self.now.placed.some()
    }

    /// Bytes that the records of this state take, without what is kept for undo.
    pub fn bytes(&self) -> usize {
        macro_rules! bytes { ($s:expr, $($t:ident),*) => { size_of::<Now>() $(+ $s.$t.bytes())* } }
        each_table!(self, bytes)
    }

    /// Tiles still to draw.
    pub fn pile_len(&self) -> usize {
        self.pile.len()
    }

    /// Tiles that fitted nowhere.
    pub fn set_aside(&self) -> &[TileDefId] {
        self.set_aside.items()
    }

    /// True when the game is over.
    pub fn is_over(&self) -> bool {
        self.now.waiting == Waiting::Over
    }

    /// Everything that happened so far, in order.
    pub fn events(&self) -> &[Event] {
        self.log.items()
    }

    /// How many tokens of a kind are in a place.
    pub fn tokens_at(&self, kind: TokenKindId, at: Anchor) -> i32 {
        self.tokens
            .items()
            .iter()
            .find(|tokens| tokens.kind == kind && tokens.at == at)
            .map_or(0, |tokens| tokens.count)
    }

    /// Every token on the board and before players.
    pub fn tokens(&self) -> &[Tokens] {
        self.tokens.items()
    }

    /// Every score line so far, in the order of payment.
    pub fn lines(&self) -> &[Line] {
        self.lines.items()
    }

    /// The items of a score line.
    pub fn items(&self, line: &Line) -> &[Item] {
        &self.items.items()[line.first as usize..(line.first + line.count) as usize]
    }
}
