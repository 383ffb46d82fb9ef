//! Explain mode: every reason why an action may not be chosen, where play stops at the first.

use crate::condition::Scope;
use crate::decision::{Action, Lifted, Refusal};
use crate::engine::Engine;
use crate::forbids::{Forbid, Say, Waive, Waiver};
use crate::geometry::{Position, Rotation, Side};
use crate::hooks::{HookError, Intent, Reply};
use crate::ids::*;
use crate::legal::{CoreRefusal, deploying};
use crate::ruleset::Does;
use crate::state::{Anchor, Target, Waiting};
use crate::words::Verb;

impl Engine<'_> {
    /// Every reason why an action may not be chosen now. Empty for one that is offered.
    pub fn refusals(&mut self, action: Action) -> Result<Vec<Refusal>, HookError> {
        let mut found = Vec::new();
        match (self.state.now.waiting, action) {
            (Waiting::Place, Action::Place { at, rotation }) => {
                self.geometry_refusals(self.state.now.hand, at, rotation, &mut found);
            }
            (Waiting::Act(step), Action::Deploy { kind, segment, seat }) if self.exist(kind, segment, seat) => {
                self.seat_refusals(step, self.state.now.decider, kind, segment, seat, &mut found);
            }
            _ => {}
        }
        if let Some(intent) = self.intent_of(action) {
            if self.stays(&intent) {
                found.push(self.core_refusal(CoreRefusal::Stays));
            }
            self.all_refusals(&intent, &mut found)?;
        }
        if found.is_empty() && !self.scratch.choices.contain(self.rules, self.state, &action) {
            found.push(self.core_refusal(CoreRefusal::NotNow));
        }
        Ok(found)
    }

    /// Every refusal that would hold for an action and that waivers lift.
    pub fn lifted(&mut self, action: Action) -> Result<Vec<Lifted>, HookError> {
        let Some(intent) = self.intent_of(action) else { return Ok(Vec::new()) };
        let (rules, scope) = (self.rules, self.scope_of(&intent));
        let mut found = Vec::new();
        if self.is_elsewhere(&intent) {
            let Refusal { hook, text } = self.core_refusal(CoreRefusal::NotThisTile);
            let waivers = &rules.core_waivers[CoreRefusal::NotThisTile as usize];
            found.push(Lifted { hook, text, by: self.lifting(waivers, &scope, intent.verb) });
        }
        for forbid in &rules.forbids[intent.verb.index()] {
            let by = self.lifting(&forbid.waivers, &scope, intent.verb);
            let holds =
                !by.is_empty() && forbid.concerns(self.state, &scope) && forbid.rest.holds(rules, self.state, &scope);
            if holds && self.tests(forbid, &scope, &intent)? {
                found.push(Lifted { hook: forbid.hook, text: self.sentence(forbid, &scope, &intent)?, by });
            }
        }
        found.retain(|lifted| !lifted.by.is_empty());
        Ok(found)
    }

    /// The waivers among these that hold.
    fn lifting(&self, waivers: &[Waive], scope: &Scope, verb: Verb) -> Vec<Waiver> {
        let holding = waivers.iter().filter(|waive| self.lifts(waive, scope, verb));
        holding.map(|waive| waive.by.clone()).collect()
    }

    /// What an action asks for, if it may be an answer to what the game waits for and means something in this game.
    fn intent_of(&self, action: Action) -> Option<Intent> {
        let outcome = |does: Option<Does>, target| {
            does.filter(|_| self.is_there(target)).map(|does| self.intended(&does, target))
        };
        match (self.state.now.waiting, action) {
            (Waiting::Place, Action::Place { at, rotation }) => Some(self.placing(self.state.now.hand, at, rotation)),
            (Waiting::Act(_), Action::Deploy { kind, segment, seat }) if self.exist(kind, segment, seat) => {
                Some(deploying(self.state.now.decider, kind, segment, seat))
            }
            (Waiting::Act(_) | Waiting::Place, Action::Offer { offer, target }) => {
                outcome(self.rules.offers.get(offer as usize).and_then(|offer| offer.does), target)
            }
            (Waiting::Answer(ask), Action::Answer(target)) => {
                let resolve = self.rules.resolves.iter().find(|resolve| resolve.hook == ask.to);
                outcome(resolve.and_then(|resolve| resolve.does), target)
            }
            (Waiting::Walk { figure, .. }, Action::Answer(Target::Tile(tile))) => Some(self.entering(figure, tile)),
            _ => None,
        }
    }

    pub(crate) fn entering(&self, figure: FigureId, tile: TileId) -> Intent {
        let mut intent = Intent::new(Verb::Enter, self.state.now.decider);
        intent.figure = figure;
        intent.to = Anchor::Tile(tile);
        intent.tile = tile;
        intent
    }

    /// True for a target that means something in this game.
    fn is_there(&self, target: Target) -> bool {
        match target {
            Target::Tile(tile) => tile.index() < self.state.tiles.len(),
            Target::Figure(figure) => figure.index() < self.state.figures.len(),
            Target::Segment(segment) => segment.index() < self.state.segments.len(),
            Target::Player(player) => player.index() < self.state.players(),
            Target::None | Target::Space(_) | Target::Number(_) | Target::Word(_) => true,
        }
    }

    /// True for handles that mean something in this game.
    fn exist(&self, kind: FigureKindId, segment: SegmentId, seat: SeatId) -> bool {
        kind.index() < self.rules.figures.len()
            && segment.index() < self.state.segments.len()
            && seat.index() < self.rules.seats.len()
    }

    pub(crate) fn core_refusal(&self, refusal: CoreRefusal) -> Refusal {
        Refusal { hook: self.rules.core[refusal as usize], text: CoreRefusal::WORDS[refusal as usize].1.to_owned() }
    }

    fn geometry_refusals(&self, def: TileDefId, at: Position, rotation: Rotation, found: &mut Vec<Refusal>) {
        if self.state.tile_at(at).is_some() {
            found.push(self.core_refusal(CoreRefusal::Taken));
            return;
        }
        let Some(index) = crate::board::find_space(self.state, at) else {
            found.push(self.core_refusal(CoreRefusal::NoNeighbour));
            return;
        };
        let signature = self.state.spaces.get(index).signature;
        if self.rules.tile(def).fitting(signature) >> rotation.index() & 1 == 1 {
            return;
        }
        for side in Side::ALL {
            let Some(neighbour) = self.state.tile_at(at.neighbour(side)) else { continue };
            let neighbour = self.state.tile(neighbour);
            let shows = self.rules.tile(def).edge(rotation, side);
            let meets = self.rules.tile(neighbour.def).edge(neighbour.rotation, side.opposite());
            if shows != meets {
                let mut refusal = self.core_refusal(CoreRefusal::Mismatch);
                let (shows, meets) = (self.rules.edge_name(shows), self.rules.edge_name(meets));
                let (shows, meets) = (crate::ruleset::short(shows), crate::ruleset::short(meets));
                refusal.text = format!("side {side} at {at} shows {shows}, the neighbour shows {meets}");
                found.push(refusal);
            }
        }
    }

    fn seat_refusals(
        &self,
        step: StepId,
        player: PlayerId,
        kind: FigureKindId,
        segment: SegmentId,
        seat: SeatId,
        found: &mut Vec<Refusal>,
    ) {
        let data = self.rules.figure_kind(kind);
        if self.rules.step_named(step).figures >> kind.0 & 1 == 0 {
            found.push(self.core_refusal(CoreRefusal::NotNow));
        }
        if self.state.supply(player, kind) == 0 {
            found.push(self.core_refusal(CoreRefusal::NoSupply));
        }
        if data.seats >> seat.0 & 1 == 0 {
            found.push(self.core_refusal(CoreRefusal::NoSeat));
        }
        if !self.has_corner(segment, seat) {
            found.push(self.core_refusal(CoreRefusal::NoCorner));
        }
        if self.strays(&self.scope_of(&deploying(player, kind, segment, seat))) {
            found.push(self.core_refusal(CoreRefusal::NotThisTile));
        }
    }

    fn all_refusals(&mut self, intent: &Intent, found: &mut Vec<Refusal>) -> Result<(), HookError> {
        let rules = self.rules;
        let scope = self.scope_of(intent);
        for forbid in &rules.forbids[intent.verb.index()] {
            if self.refuses(forbid, &scope, intent)? {
                let text = self.sentence(forbid, &scope, intent)?;
                found.push(Refusal { hook: forbid.hook, text });
            }
        }
        Ok(())
    }

    fn sentence(&mut self, forbid: &Forbid, scope: &Scope, intent: &Intent) -> Result<String, HookError> {
        if let Say::Made(callback) = forbid.say
            && let Reply::Text(text) =
                self.call(callback, *scope, forbid.hook, 0, None, Some(*intent), Target::None, [0; 4])?
        {
            return Ok(text);
        }
        let hook = self.rules.hook(forbid.hook);
        Ok(hook.say.as_deref().unwrap_or(&hook.name).to_owned())
    }

    /// Segments of the placed tile on which a figure may be deployed or is refused, for explanations.
    pub fn candidates(&self) -> Vec<Action> {
        let Waiting::Act(step) = self.state.now.waiting else { return Vec::new() };
        let Some(tile) = self.state.placed() else { return Vec::new() };
        let (rules, placed) = (self.rules, self.state.tile(tile));
        let mut found = Vec::new();
        for (kind, data) in rules.figure_kinds().filter(|(_, data)| data.at == rules.step_named(step).core) {
            for (local, printed) in rules.tile(placed.def).segments.iter().enumerate() {
                let segment = SegmentId(placed.first.0 + local as u32);
                let seats = rules.feature_kind(printed.kind).seats.iter().filter(|seat| data.seats >> seat.0 & 1 == 1);
                found.extend(seats.map(|seat| Action::Deploy { kind, segment, seat: *seat }));
            }
        }
        found
    }
}
