//! What people at a table look at and no rule needs: which choices there would be without refusals, which tiles are
//! left, and which of them an open space would take.

use crate::decision::Action;
use crate::engine::Engine;
use crate::geometry::{Position, Rotation};
use crate::hooks::HookError;
use crate::ids::*;
use crate::ruleset::{Does, Options, Ruleset};
use crate::state::{Anchor, State, Target, Waiting};
use crate::words::Verb;

impl Engine<'_> {
    /// The candidates of the decision that waits, whatever refuses them.
    pub fn considered(&mut self) -> Result<Vec<Action>, HookError> {
        let rules = self.rules;
        match self.state.now.waiting {
            Waiting::Nothing | Waiting::Over => Ok(Vec::new()),
            Waiting::Place => {
                let mut found = self.every_place(self.state.now.hand);
                self.consider_offers(StepId::NONE, &mut found)?;
                Ok(found)
            }
            Waiting::Act(step) => {
                let mut found = self.candidates();
                self.consider_offers(step, &mut found)?;
                Ok(found)
            }
            Waiting::Answer(ask) => {
                let Some(resolve) = rules.resolves.iter().find(|resolve| resolve.hook == ask.to) else {
                    return Ok(Vec::new());
                };
                let targets = self.landing(&resolve.options, resolve.does, resolve.hook, ask.data)?;
                Ok(targets.into_iter().map(Action::Answer).collect())
            }
            Waiting::Walk { figure, .. } => {
                Ok(self.steps_of(figure).into_iter().map(|tile| Action::Answer(Target::Tile(tile))).collect())
            }
        }
    }

    fn every_place(&self, def: TileDefId) -> Vec<Action> {
        let printed = self.rules.tile(def);
        let turned = || Rotation::ALL.into_iter().filter(|rotation| printed.is_canonical(*rotation));
        self.state.open_spaces().flat_map(|at| turned().map(move |rotation| Action::Place { at, rotation })).collect()
    }

    fn consider_offers(&mut self, step: StepId, found: &mut Vec<Action>) -> Result<(), HookError> {
        let rules = self.rules;
        for (index, offer) in rules.offers.iter().enumerate() {
            if self.is_open(offer, step) {
                let targets = self.landing(&offer.options, offer.does, offer.hook, [0; 4])?;
                found.extend(targets.into_iter().map(|target| Action::Offer { offer: index as u16, target }));
            }
        }
        Ok(())
    }

    /// The targets of options, without those on which a figure that would be deployed has no seat.
    fn landing(
        &mut self,
        options: &Options,
        does: Option<Does>,
        hook: HookId,
        data: [i32; 4],
    ) -> Result<Vec<Target>, HookError> {
        let mut targets = self.targets(options, None, hook, data)?;
        if let Some(does) = does.filter(|does| does.verb == Verb::Deploy) {
            targets.retain(|target| matches!(self.intended(&does, *target).to, Anchor::Seat { .. }));
        }
        Ok(targets)
    }
}

impl State {
    /// Free spaces beside tiles, in the order of positions.
    pub fn open_spaces(&self) -> impl Iterator<Item = Position> {
        let mut spaces: Vec<Position> = self.spaces.items().iter().map(|space| space.at).collect();
        spaces.sort_unstable();
        spaces.into_iter()
    }

    /// Designs still to be drawn and how many of each, in the order of designs, which says nothing of the order of the
    /// pile. Tiles that were drawn too early and wait are among them.
    pub fn tiles_left(&self) -> Vec<(TileDefId, usize)> {
        let mut left: Vec<TileDefId> = self.pile.items().iter().chain(self.waiting.items()).copied().collect();
        left.sort_unstable();
        left.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect()
    }
}

impl Ruleset {
    /// True if the edges of a tile match the neighbours of an open space in some rotation, whatever else refuses it.
    pub fn fits(&self, state: &State, tile: TileDefId, at: Position) -> bool {
        let space = crate::board::find_space(state, at);
        space.is_some_and(|space| self.tile(tile).fitting(state.spaces.at(space).signature) != 0)
    }
}
