//! What hosts of scripts read: they hold ids, and ask for what is behind one.

use crate::condition::Scope;
use crate::features;
use crate::geometry::Position;
use crate::hooks::Call;
use crate::ids::*;
use crate::ruleset::Ruleset;
use crate::state::State;

/// A feature as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureView {
    /// What it is.
    pub kind: FeatureKindId,
    /// Closed, and nothing refused it.
    pub completed: bool,
    /// No open sides, ends or spaces around.
    pub closed: bool,
    /// Number of distinct tiles.
    pub tiles: u16,
    /// Number of segments.
    pub size: u32,
}

/// A segment of a tile on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentView {
    /// Its tile.
    pub tile: TileId,
    /// Its place in the printed order.
    pub local: usize,
    /// The feature it belongs to.
    pub feature: FeatureId,
}

impl State {
    /// The feature that stands where `feature` stood: joined features go on as one. `None` if there never was one.
    pub fn standing(&self, feature: FeatureId) -> Option<FeatureId> {
        (feature.index() < self.features.len()).then(|| self.root(feature))
    }

    /// A segment of the table, if there is one of this number.
    pub fn segment_view(&self, segment: SegmentId) -> Option<SegmentView> {
        let data = self.segments.items().get(segment.index())?;
        Some(SegmentView { tile: data.tile, local: data.local.into(), feature: self.root(data.feature) })
    }

    /// The space of the westernmost of the northernmost tiles of a feature.
    pub fn feature_place(&self, feature: FeatureId) -> Position {
        features::place(self, feature).0
    }
}

impl Ruleset {
    /// What there is to know of a feature of the table.
    pub fn feature_view(&self, state: &State, feature: FeatureId) -> FeatureView {
        let data = state.feature(feature);
        FeatureView {
            kind: data.kind,
            completed: data.completed,
            closed: features::is_closed(self, data),
            tiles: features::tile_count(self, state, feature),
            size: data.size,
        }
    }

    /// How often a symbol is on a feature.
    pub fn marks_of(&self, state: &State, feature: FeatureId, mark: MarkId) -> u16 {
        features::marks(self, state, state.feature(feature), mark)
    }

    /// True if the query at this place holds for `scope`.
    pub fn query_holds(&self, query: usize, state: &State, scope: &Scope) -> bool {
        self.queries.get(query).is_some_and(|(_, test)| test.holds(self, state, scope))
    }

    /// True if a segment meets a feature at a point of its own tile.
    pub fn segment_meets(&self, state: &State, segment: SegmentId, feature: FeatureId) -> bool {
        let Some(view) = state.segment_view(segment) else { return false };
        let placed = state.tile(view.tile);
        let printed = &self.tile(placed.def).segments;
        let links = printed.get(view.local).map_or(0, |segment| segment.links);
        let mut met = (0..printed.len()).filter(|local| links >> local & 1 == 1);
        met.any(|local| state.feature_of(SegmentId(placed.first.0 + local as u32)) == feature)
            || features::ends_at(self, state, segment, feature)
            || features::segments(state, feature).any(|other| features::ends_at(self, state, other, view.feature))
    }

    /// The first seat of a kind of feature that a kind of figure may take.
    pub fn seat_for(&self, figure: FigureKindId, feature: FeatureKindId) -> Option<SeatId> {
        let seats = self.figures.get(figure.index())?.seats;
        self.features.get(feature.index())?.seats.iter().copied().find(|seat| seats >> seat.0 & 1 == 1)
    }

    /// The seats of a kind of feature.
    pub fn seats_of(&self, feature: FeatureKindId) -> &[SeatId] {
        self.features.get(feature.index()).map_or(&[], |kind| &kind.seats)
    }

    /// Every word of cause.
    pub fn causes(&self) -> impl Iterator<Item = &str> {
        self.causes.iter().map(|word| &**word)
    }

    /// Every step of the turn by full name.
    pub fn step_names(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| &*step.name)
    }
}

impl Ruleset {
    /// The steps of the game as they follow each other, with the name of the list they are in.
    pub fn order(&self) -> [(&'static str, &[StepId]); 4] {
        let [start, part, end, game_end] = &self.lists;
        [
            ("before a turn", start),
            ("each part of a turn", part),
            ("after a turn", end),
            ("at the end of the game", game_end),
        ]
    }

    /// What players may choose in a step, by the hook that offers it.
    pub fn offers_in(&self, step: StepId) -> impl Iterator<Item = HookId> {
        self.offers.iter().filter(move |offer| offer.at == step).map(|offer| offer.hook)
    }

    /// The kinds of figure that may be deployed in a step.
    pub fn deployed_in(&self, step: StepId) -> impl Iterator<Item = FigureKindId> {
        let step = &self.steps[step.index()];
        let kinds = self.figure_kinds().filter(move |(id, kind)| {
            let own = step.figures >> id.index() & 1 == 1;
            own || (kind.class != crate::ruleset::Class::Neutral && kind.at.is_some() && kind.at == step.core)
        });
        kinds.map(|(id, _)| id)
    }
}

impl Call<'_> {
    /// The hook that is called.
    pub fn hook(&self) -> HookId {
        self.out.by
    }

    /// Points of the feature that an award's figure stands on, for [`Call::add_worth`].
    pub fn own_worth(&self) -> Option<i32> {
        self.out.worth
    }

    /// The verbs that the hook declared among its `emits`, a bit each, by [`crate::words::Verb::index`].
    pub fn allowed_verbs(&self) -> u32 {
        self.out.allowed
    }
}
