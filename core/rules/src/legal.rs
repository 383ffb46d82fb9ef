//! What may be done: candidates from the step's domain, less refusals, plus waivers.
//!
//! Two modes with the same yes or no: play stops at the first refusal, explaining collects them all.

use crate::choices::{self, rotations};
use crate::condition::{Scope, bit};
use crate::decision::Action;
use crate::engine::Engine;
use crate::forbids::{Concerns, Forbid, Waive};
use crate::geometry::{Position, Rotation};
use crate::hooks::{HookError, Intent, Reply};
use crate::ids::*;
use crate::ruleset::{Does, Options};
use crate::state::{Anchor, Target, Waiting};
use crate::words::{CoreStep, Verb};

/// The core's own refusals: geometry and supply. The rules of the game are the expansions'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum CoreRefusal {
    NoNeighbour,
    Mismatch,
    Taken,
    NotThisTile,
    NoSeat,
    NoSupply,
    NotNow,
    NoCorner,
    Stays,
}

impl CoreRefusal {
    /// Names and sentences, by number.
    pub const WORDS: [(&str, &str); 9] = [
        ("core:no_neighbour", "no tile lies beside this space"),
        ("core:mismatch", "a side does not match its neighbour"),
        ("core:taken", "a tile lies here already"),
        ("core:not_this_tile", "not on the tile just placed"),
        ("core:no_seat", "this figure has no seat on this kind of feature"),
        ("core:no_supply", "no such figure is left in supply"),
        ("core:not_now", "this is not what the game waits for"),
        ("core:no_corner", "no four tiles meet here in one feature of this kind"),
        ("core:stays", "this figure does not leave for that"),
    ];
}

impl Engine<'_> {
    /// Lists what may be chosen now, sorted and without duplicates.
    pub fn list_options(&mut self) -> Result<(), HookError> {
        if self.state.now.waiting == Waiting::Place && self.rules.places_are_free {
            return self.list_free_places();
        }
        let mut options = self.scratch.choices.room();
        let listed = self.list_into(&mut options);
        options.sort_unstable();
        self.scratch.choices.set(options);
        listed
    }

    /// Where hooks have no say, places are listed when somebody wants the list, unless something else stands beside them.
    fn list_free_places(&mut self) -> Result<(), HookError> {
        let hand = self.state.now.hand;
        if self.rules.offers_any_time {
            let mut options = self.scratch.choices.room();
            let listed = self.list_offers(StepId::NONE, &mut options);
            if !options.is_empty() {
                choices::list_places(self.rules, self.state, hand, &mut options);
                options.sort_unstable();
                self.scratch.choices.set(options);
                return listed;
            }
            self.scratch.choices.keep(options);
            listed?;
        }
        self.scratch.choices.set_places(self.rules, self.state, hand);
        Ok(())
    }

    fn list_into(&mut self, options: &mut Vec<Action>) -> Result<(), HookError> {
        match self.state.now.waiting {
            Waiting::Nothing | Waiting::Over => Ok(()),
            Waiting::Place => {
                self.list_places(self.state.now.hand, options, usize::MAX)?;
                self.list_offers(StepId::NONE, options)
            }
            Waiting::Act(step) => self.list_actions(step, options),
            Waiting::Answer(ask) => {
                let rules = self.rules;
                let Some(resolve) = rules.resolves.iter().find(|resolve| resolve.hook == ask.to) else { return Ok(()) };
                let targets = self.targets(&resolve.options, resolve.does, resolve.hook, ask.data)?;
                options.extend(targets.into_iter().map(Action::Answer));
                if resolve.pass && !options.is_empty() {
                    options.push(Action::Pass);
                }
                Ok(())
            }
            Waiting::Walk { figure, .. } => {
                for tile in self.steps_of(figure) {
                    let intent = self.entering(figure, tile);
                    if !self.refuses_choice(&intent)? {
                        options.push(Action::Answer(Target::Tile(tile)));
                    }
                }
                Ok(())
            }
        }
    }

    /// Places for a tile, up to `limit`.
    fn list_places(&mut self, def: TileDefId, options: &mut Vec<Action>, limit: usize) -> Result<(), HookError> {
        let rules = self.rules;
        let printed = rules.tile(def);
        for index in 0..self.state.spaces.len() {
            let space = self.state.spaces.get(index);
            for rotation in rotations(printed.fitting(space.signature) & printed.distinct) {
                if !self.refuses_choice(&self.placing(def, space.at, rotation))? {
                    options.push(Action::Place { at: space.at, rotation });
                    if options.len() >= limit {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    pub(crate) fn placing(&self, def: TileDefId, at: Position, rotation: Rotation) -> Intent {
        let mut intent = Intent::new(Verb::Place, self.state.now.decider);
        intent.def = def;
        intent.at = at;
        intent.rotation = rotation;
        intent
    }

    /// True if a tile fits some space.
    pub fn fits_somewhere(&mut self, def: TileDefId) -> Result<bool, HookError> {
        if self.rules.places_are_free {
            return Ok(self.scratch.choices.set_places(self.rules, self.state, def));
        }
        let mut found = Vec::new();
        self.list_places(def, &mut found, 1)?;
        Ok(!found.is_empty())
    }

    fn list_actions(&mut self, step: StepId, options: &mut Vec<Action>) -> Result<(), HookError> {
        let rules = self.rules;
        let player = self.state.now.decider;
        if let Some(tile) = self.state.now.placed.some() {
            let mut kinds = rules.step_named(step).figures;
            while kinds != 0 {
                let kind = FigureKindId(kinds.trailing_zeros() as u8);
                kinds &= kinds - 1;
                if self.state.supply(player, kind) > 0 {
                    self.list_seats(player, kind, tile, options)?;
                }
            }
        }
        self.list_offers(step, options)?;
        let must =
            |action: &Action| matches!(action, Action::Offer { offer, .. } if rules.offers[*offer as usize].must);
        if options.iter().any(must) {
            // What must be done leaves only what stands beside every decision.
            let free = |action: &Action| matches!(action, Action::Offer { offer, .. } if !rules.offers[*offer as usize].spends);
            options.retain(|action| must(action) || free(action));
        } else {
            options.push(Action::Pass);
        }
        Ok(())
    }

    fn list_seats(
        &mut self,
        player: PlayerId,
        kind: FigureKindId,
        placed: TileId,
        options: &mut Vec<Action>,
    ) -> Result<(), HookError> {
        let wide = self.wide_seats(player, kind);
        if wide == 0 {
            return self.list_seats_of(player, kind, u64::MAX, placed, options);
        }
        let rules = self.rules;
        for tile in 0..self.state.tiles.len() as u16 {
            let seats = if TileId(tile) == placed { u64::MAX } else { wide };
            if rules.tile(self.state.tile(TileId(tile)).def).seat_bits & seats != 0 {
                self.list_seats_of(player, kind, seats, TileId(tile), options)?;
            }
        }
        Ok(())
    }

    /// The seats on which a waiver may let this kind of figure leave the placed tile in this part: those of waivers
    /// whose words that need no candidate hold.
    fn wide_seats(&self, player: PlayerId, kind: FigureKindId) -> u64 {
        let waivers = &self.rules.core_waivers[CoreRefusal::NotThisTile as usize];
        if waivers.is_empty() {
            return 0;
        }
        let scope = Scope { me: player, owner: player, kind, tile: self.state.now.placed, ..Scope::default() };
        let holding = waivers.iter().filter(|waive| waive.when.may_hold(self.rules, self.state, &scope));
        holding.fold(0, |seats, waive| seats | waive.when.seats()) & self.rules.figure_kind(kind).seats
    }

    /// True if a deployment away from the placed tile has no waiver.
    pub(crate) fn strays(&self, scope: &Scope) -> bool {
        let waivers = &self.rules.core_waivers[CoreRefusal::NotThisTile as usize];
        scope.tile != self.state.now.placed && !self.waived(waivers, scope, Verb::Deploy)
    }

    /// True of a deployment away from the placed tile.
    pub(crate) fn is_elsewhere(&self, intent: &Intent) -> bool {
        let Anchor::Seat { segment, .. } = intent.to else { return false };
        intent.verb == Verb::Deploy && Some(self.state.segment(segment).tile) != self.state.placed()
    }

    /// The quarters of a corner seat: four tiles that meet in one feature of the kind.
    pub(crate) fn has_corner(&self, segment: SegmentId, seat: SeatId) -> bool {
        let Some(corner) = self.rules.seat(seat).corner else { return true };
        let data = self.state.segment(segment);
        if self.quarter(data.tile, corner) != Some(segment) {
            return false;
        }
        let at = self.state.tile(data.tile).at;
        let (dx, dy) = [(0, 0), (1, 0), (1, 1), (0, 1)][corner as usize];
        let kind = self.state.kind_of(data.feature);
        (0..4_u8).filter(|quarter| *quarter != corner).all(|quarter| {
            // The tile whose quarter this is lies opposite: its south-east corner is the north-west tile's.
            let (qx, qy) = [(0, 0), (-1, 0), (-1, -1), (0, -1)][quarter as usize];
            let there = self.state.tile_at(at.offset(dx + qx, dy + qy));
            let found = there.and_then(|tile| self.quarter(tile, quarter));
            found.is_some_and(|found| self.state.kind_of(self.state.segment(found).feature) == kind)
        })
    }

    /// The segment that fills a corner of a tile, if one does: 0 north-west, then clockwise.
    fn quarter(&self, tile: TileId, corner: u8) -> Option<SegmentId> {
        let placed = self.state.tile(tile);
        let ports = &self.rules.tile(placed.def).faces[placed.rotation.index()].ports;
        let side = corner as usize;
        let (after, before) = (ports[side * 3], ports[(side + 3) % 4 * 3 + 2]);
        (after == before && after != crate::printed::NO_SEGMENT).then(|| SegmentId(placed.first.0 + u32::from(after)))
    }

    fn list_seats_of(
        &mut self,
        player: PlayerId,
        kind: FigureKindId,
        among: u64,
        tile: TileId,
        options: &mut Vec<Action>,
    ) -> Result<(), HookError> {
        let rules = self.rules;
        let placed = *self.state.tile(tile);
        let seats = rules.figure_kind(kind).seats & among;
        if rules.tile(placed.def).seat_bits & seats == 0 {
            return Ok(());
        }
        for (local, seat) in rules.tile(placed.def).seats.iter().filter(|(_, seat)| seats >> seat.0 & 1 == 1) {
            let segment = SegmentId(placed.first.0 + u32::from(*local));
            if !self.has_corner(segment, *seat) {
                continue;
            }
            let intent = deploying(player, kind, segment, *seat);
            let scope = Scope {
                me: player,
                owner: player,
                kind,
                seat: *seat,
                segment,
                feature: self.state.feature_of(segment),
                tile,
                cause: intent.cause,
                why: intent.cause,
                ..Scope::default()
            };
            let strays = tile != self.state.now.placed && self.strays(&scope);
            if !strays && self.first_forbid(&intent, &scope, true)?.is_none() {
                options.push(Action::Deploy { kind, segment, seat: *seat });
            }
        }
        Ok(())
    }

    /// True if an offer stands in this step, whatever its targets.
    pub(crate) fn is_open(&self, offer: &crate::ruleset::Offer, step: StepId) -> bool {
        // An offer of no step stands in every decision of the turn's own player.
        let here = offer.at == step || (offer.at == StepId::NONE && self.state.now.decider == self.state.now.player);
        let scope = Scope { me: self.state.now.decider, tile: self.state.now.placed, ..Scope::default() };
        here && offer.when.holds(self.rules, self.state, &scope)
    }

    fn list_offers(&mut self, step: StepId, options: &mut Vec<Action>) -> Result<(), HookError> {
        let rules = self.rules;
        for (index, offer) in rules.offers.iter().enumerate() {
            if !self.is_open(offer, step) {
                continue;
            }
            for target in self.targets(&offer.options, offer.does, offer.hook, [0; 4])? {
                options.push(Action::Offer { offer: index as u16, target });
            }
        }
        Ok(())
    }

    /// The targets that options stand for, in canonical order.
    pub(crate) fn targets(
        &mut self,
        options: &Options,
        does: Option<Does>,
        hook: HookId,
        data: [i32; 4],
    ) -> Result<Vec<Target>, HookError> {
        let mut found = self.all_targets(options, hook, data)?;
        found.sort_unstable();
        found.dedup();
        self.fuse_alike(&mut found);
        let Some(does) = does else { return Ok(found) };
        let mut legal = Vec::new();
        for target in found {
            let intent = self.intended(&does, target);
            let lands = does.verb != Verb::Deploy || matches!(intent.to, Anchor::Seat { .. });
            if lands && !self.refuses_choice(&intent)? {
                legal.push(target);
            }
        }
        Ok(legal)
    }

    /// Figures that nothing tells apart are one option: of the same kind and owner, in the same place, alike attended.
    fn fuse_alike(&self, targets: &mut Vec<Target>) {
        if !targets.iter().any(|target| matches!(target, Target::Figure(_))) {
            return;
        }
        let mut kept = 0;
        for index in 0..targets.len() {
            let target = targets[index];
            if !targets[..kept].iter().any(|other| self.are_alike(*other, target)) {
                targets[kept] = target;
                kept += 1;
            }
        }
        targets.truncate(kept);
    }

    fn are_alike(&self, a: Target, b: Target) -> bool {
        let (Target::Figure(a), Target::Figure(b)) = (a, b) else { return false };
        let (first, second) = (self.state.figure(a), self.state.figure(b));
        let attendants = |figure: FigureId| {
            let beside = self.state.neutrals().filter(move |(_, neutral)| neutral.at == Anchor::Figure(figure));
            beside.map(|(_, neutral)| neutral.kind)
        };
        (first.kind, first.owner, first.at) == (second.kind, second.owner, second.at) && attendants(a).eq(attendants(b))
    }

    /// The intent that choosing a target stands for.
    pub fn intended(&self, does: &Does, target: Target) -> Intent {
        let mut intent = Intent::new(does.verb, self.state.now.decider);
        intent.cause = does.cause;
        intent.kind = does.figure;
        if let Some(neutral) = does.neutral.some() {
            let found = self.state.neutrals().find(|(_, figure)| figure.kind == neutral);
            intent.figure = found.map_or(FigureId::NONE, |(id, _)| id);
        }
        match target {
            Target::Figure(figure) if does.neutral == FigureKindId::NONE => {
                intent.figure = figure;
                if does.verb == Verb::Capture {
                    intent.to = Anchor::Held(self.state.now.decider);
                }
            }
            Target::Figure(figure) => intent.to = Anchor::Figure(figure),
            Target::Tile(tile) => {
                intent.to = Anchor::Tile(tile);
                intent.tile = tile;
            }
            Target::Segment(segment) => {
                let kind = self.state.feature(self.state.feature_of(segment)).kind;
                let fits = |seat: &&SeatId| {
                    self.rules.figures.get(does.figure.index()).is_some_and(|figure| figure.seats >> seat.0 & 1 == 1)
                };
                if let Some(seat) = self.rules.feature_kind(kind).seats.iter().find(fits) {
                    intent.to = Anchor::Seat { segment, seat: *seat };
                }
            }
            Target::Player(player) => intent.player = player,
            Target::None | Target::Space(_) | Target::Number(_) | Target::Word(_) => {}
        }
        intent
    }

    fn all_targets(&mut self, options: &Options, hook: HookId, data: [i32; 4]) -> Result<Vec<Target>, HookError> {
        let (rules, me) = (self.rules, self.state.now.decider);
        Ok(match options {
            Options::One => vec![Target::None],
            Options::Players => {
                (0..self.state.players() as u8).map(|player| Target::Player(PlayerId(player))).collect()
            }
            Options::Held(when) => {
                let held = self.state.figures().filter(|(_, figure)| matches!(figure.at, Anchor::Held(_)));
                let all = held.map(|(id, _)| id).filter(|figure| when.may_be(self.state, me, *figure));
                all.map(Target::Figure)
                    .filter(|target| when.holds(rules, self.state, &Scope { me, ..self.scope_of_target(*target) }))
                    .collect()
            }
            Options::Spaces(neighbours) => {
                let all = self.state.spaces.items().iter();
                let wide = |signature: u16| (0..4).filter(|side| signature >> (4 * side) & 15 != 0).count();
                all.filter(|space| wide(space.signature) >= *neighbours as usize)
                    .map(|space| Target::Space(space.at))
                    .collect()
            }
            Options::Range(min, max) => (*min..=*max).map(Target::Number).collect(),
            Options::Words(words) => (0..words.len() as u16).map(Target::Word).collect(),
            Options::Figures(when) | Options::Tiles(when) | Options::Segments(when)
                if !when.may_hold(rules, self.state, &Scope { me, ..Scope::default() }) =>
            {
                Vec::new()
            }
            Options::Figures(when) => {
                let there = self.state.figures().filter(|(_, figure)| figure.at.is_on_board()).map(|(id, _)| id);
                let all = there.filter(|figure| when.may_be(self.state, me, *figure)).map(Target::Figure);
                all.filter(|target| when.holds(rules, self.state, &Scope { me, ..self.scope_of_target(*target) }))
                    .collect()
            }
            Options::Tiles(when) => {
                let all = (0..self.state.tiles.len() as u16).map(TileId);
                all.filter(|tile| when.holds(rules, self.state, &Scope { me, tile: *tile, ..Scope::default() }))
                    .map(Target::Tile)
                    .collect()
            }
            Options::Segments(when) => {
                // Most tiles have no segment of a kind that can do.
                let kinds = when.feature_kinds();
                let mut found = Vec::new();
                for tile in self.state.tiles.items() {
                    let parts = &rules.tile(tile.def).parts;
                    if u64::from(rules.tile(tile.def).kind_bits) & kinds == 0 {
                        continue;
                    }
                    let segments = parts.iter().zip(tile.first.0..).filter(|(part, _)| bit(kinds, part.kind.0));
                    let targets = segments.map(|(_, segment)| Target::Segment(SegmentId(segment)));
                    let wanted =
                        |target: &Target| when.holds(rules, self.state, &Scope { me, ..self.scope_of_target(*target) });
                    found.extend(targets.filter(wanted));
                }
                found
            }
            Options::Made(callback) => {
                let scope = Scope { me, tile: self.state.now.placed, ..Scope::default() };
                self.call(*callback, scope, hook, 0, None, None, Target::None, data)?;
                std::mem::take(&mut self.scratch.out.options)
            }
        })
    }

    fn refuses_choice(&mut self, intent: &Intent) -> Result<bool, HookError> {
        Ok(self.first_refusal(intent, true)?.is_some())
    }

    /// True if a rule stops an intent that a hook or the engine asked for.
    pub fn refuses_intent(&mut self, intent: &Intent) -> Result<bool, HookError> {
        let refusal = self.first_refusal(intent, false)?;
        self.scratch.stopped.extend(refusal);
        Ok(refusal.is_some())
    }

    fn first_refusal(&mut self, intent: &Intent, choice: bool) -> Result<Option<HookId>, HookError> {
        let rules = self.rules;
        if self.stays(intent) {
            return Ok(Some(rules.core[CoreRefusal::Stays as usize]));
        }
        if rules.forbids[intent.verb.index()].is_empty() {
            return Ok(None);
        }
        self.first_forbid(intent, &self.scope_of(intent), choice)
    }

    /// The first declared refusal of an intent.
    fn first_forbid(&mut self, intent: &Intent, scope: &Scope, choice: bool) -> Result<Option<HookId>, HookError> {
        let rules = self.rules;
        let forbids = &rules.forbids[intent.verb.index()];
        let mut concerned = rules.concerns[intent.verb.index()].of(self.state, scope);
        while concerned != 0 {
            let forbid = &forbids[concerned.trailing_zeros() as usize];
            concerned &= concerned - 1;
            if self.decides(forbid, intent, scope, choice)? {
                return Ok(Some(forbid.hook));
            }
        }
        for forbid in forbids.iter().skip(Concerns::ROOM) {
            if forbid.concerns(self.state, scope) && self.decides(forbid, intent, scope, choice)? {
                return Ok(Some(forbid.hook));
            }
        }
        Ok(None)
    }

    /// True if a refusal that concerns the intent stops it. Counted, if somebody counts.
    #[inline]
    fn decides(&mut self, forbid: &Forbid, intent: &Intent, scope: &Scope, choice: bool) -> Result<bool, HookError> {
        let refuses = (choice || !forbid.offers_only) && self.stops(forbid, scope, intent)?;
        if refuses && let Some(times) = self.scratch.refused.get_mut(forbid.hook.index()) {
            *times += 1;
        }
        Ok(refuses)
    }

    /// True if the figure's kind does not leave its seat for this cause.
    pub(crate) fn stays(&self, intent: &Intent) -> bool {
        let leaves = matches!(intent.verb, Verb::Return | Verb::Eat | Verb::Capture | Verb::Discard | Verb::Move);
        let Some(figure) = intent.figure.some().filter(|_| leaves) else { return false };
        let data = self.state.figure(figure);
        let Some(cause) = intent.cause.some() else { return false };
        matches!(data.at, Anchor::Seat { .. }) && self.rules.figure_kind(data.kind).leaves >> cause.0.min(63) & 1 == 0
    }

    /// True if a refusal stops the intent.
    pub(crate) fn refuses(&mut self, forbid: &Forbid, scope: &Scope, intent: &Intent) -> Result<bool, HookError> {
        Ok(forbid.concerns(self.state, scope) && self.stops(forbid, scope, intent)?)
    }

    /// The same for a refusal that concerns the intent.
    #[inline]
    fn stops(&mut self, forbid: &Forbid, scope: &Scope, intent: &Intent) -> Result<bool, HookError> {
        Ok(forbid.rest.holds(self.rules, self.state, scope)
            && !self.waived(&forbid.waivers, scope, intent.verb)
            && self.tests(forbid, scope, intent)?)
    }

    /// The answer of a refusal's test; yes for one that has none.
    pub(crate) fn tests(&mut self, forbid: &Forbid, scope: &Scope, intent: &Intent) -> Result<bool, HookError> {
        let Some(test) = forbid.test else { return Ok(true) };
        let reply = self.call(test, *scope, forbid.hook, 0, None, Some(*intent), Target::None, [0; 4])?;
        Ok(reply == Reply::Bool(true))
    }

    fn waived(&self, waivers: &[Waive], scope: &Scope, verb: Verb) -> bool {
        waivers.iter().any(|waive| self.lifts(waive, scope, verb))
    }

    pub(crate) fn lifts(&self, waive: &Waive, scope: &Scope, verb: Verb) -> bool {
        waive.verbs >> verb.index() & 1 == 1 && waive.when.holds(self.rules, self.state, scope)
    }
}

pub(crate) fn deploying(player: PlayerId, kind: FigureKindId, segment: SegmentId, seat: SeatId) -> Intent {
    let mut intent = Intent::new(Verb::Deploy, player);
    intent.kind = kind;
    intent.to = Anchor::Seat { segment, seat };
    intent.cause = crate::ruleset::cause::ACTION;
    intent
}

/// The step in which figures are usually deployed.
pub(crate) const USUAL_STEP: CoreStep = CoreStep::Action;
