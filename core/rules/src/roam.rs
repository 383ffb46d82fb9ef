//! The dragon chapter: neutral figures that appear, step from tile to tile, eat what they find, and rest.

use crate::engine::Engine;
use crate::features;
use crate::geometry::Side;
use crate::hooks::{HookError, Intent};
use crate::ids::*;
use crate::ruleset::cause;
use crate::state::{Agendum, Anchor, Waiting};
use crate::words::{EventKind, Verb};
use crate::{figures, ruleset::Class};

impl Engine<'_> {
    /// A neutral figure comes, steps, is put elsewhere, or leaves.
    pub fn commit_neutral(&mut self, intent: &Intent) -> Result<(), HookError> {
        let kind = match intent.verb {
            Verb::Appear => EventKind::Appeared,
            Verb::Enter => EventKind::Entered,
            Verb::Retreat => EventKind::Retreated,
            _ => EventKind::Rested,
        };
        let to = if intent.verb == Verb::Rest { Anchor::Supply } else { intent.to };
        figures::put(self.rules, self.state, intent.figure, to);
        let mut event = self.figure_event(kind, intent.figure, intent.cause);
        event.by = intent.by;
        self.happened(event);
        match intent.verb {
            Verb::Enter => self.eat_on(intent),
            Verb::Retreat | Verb::Rest => {
                self.end_walk(intent.figure);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Only a step eats: every meeple on the tile whose kind may leave for it.
    fn eat_on(&mut self, intent: &Intent) -> Result<(), HookError> {
        let Anchor::Tile(tile) = intent.to else { return Ok(()) };
        let eaten: Vec<FigureId> = features::figures_on(self.rules, self.state, tile)
            .filter(|figure| {
                let kind = self.rules.figure_kind(self.state.figure(*figure).kind);
                kind.class != Class::Neutral && kind.leaves >> cause::EATEN.0 & 1 == 1
            })
            .collect();
        for figure in eaten {
            let mut eat = Intent::new(Verb::Eat, intent.player);
            eat.figure = figure;
            eat.cause = cause::EATEN;
            eat.by = intent.by;
            self.perform(&eat)?;
        }
        Ok(())
    }

    fn end_walk(&mut self, figure: FigureId) {
        let walks = |entry: &Agendum| matches!(entry, Agendum::Walk { figure: other, .. } if *other == figure);
        while let Some(place) = self.state.agenda.items().iter().rposition(walks) {
            self.state.agenda.remove(place);
        }
        if matches!(self.state.now.waiting, Waiting::Walk { figure: other, .. } if other == figure) {
            self.state.now.waiting = Waiting::Nothing;
        }
    }

    /// Starts a walk: the first step is the active player's.
    pub fn start_walk(&mut self, figure: FigureId) {
        let Some(walk) = &self.rules.figure_kind(self.state.figure(figure).kind).walk else { return };
        while self.state.visited.pop().is_some() {}
        if let Some(tile) = features::standing_on(self.rules, self.state, figure) {
            self.state.visited.push(tile);
            let player = self.state.now.player;
            self.state.agenda.push(Agendum::Walk { figure, left: walk.steps, player });
        }
    }

    /// Tiles a neutral figure may step onto, clockwise from the north, before refusals.
    pub fn steps_of(&self, figure: FigureId) -> Vec<TileId> {
        let Some(from) = features::standing_on(self.rules, self.state, figure) else { return Vec::new() };
        let revisit =
            self.rules.figure_kind(self.state.figure(figure).kind).walk.as_ref().is_some_and(|walk| walk.revisit);
        Side::ALL
            .into_iter()
            .filter_map(|side| self.state.tile_at(self.state.tile(from).at.neighbour(side)))
            .filter(|tile| revisit || !self.state.visited.items().contains(tile))
            .collect()
    }

    /// A step of a walk, and the agenda of the next one.
    pub fn walk_to(&mut self, figure: FigureId, left: u8, tile: TileId) -> Result<(), HookError> {
        let rules = self.rules;
        let rounds = rules.figure_kind(self.state.figure(figure).kind).walk.as_ref().is_some_and(|walk| walk.rounds);
        let mover = self.state.now.decider;
        let next = if rounds { PlayerId((mover.0 + 1) % self.state.players() as u8) } else { mover };
        self.state.visited.push(tile);
        if left > 1 {
            self.state.agenda.push(Agendum::Walk { figure, left: left - 1, player: next });
        }
        let mut intent = Intent::new(Verb::Enter, mover);
        intent.figure = figure;
        intent.to = Anchor::Tile(tile);
        intent.tile = tile;
        self.run(intent)
    }
}
