//! Which of the offered actions a message means.

use trencavel_rules::ids::{FigureId, FigureKindId, TileId};
use trencavel_rules::{Action, Game, State, Target, features, notation, short};

use crate::file::{Aim, Meeple, Message, Pointer};
use crate::places::Places;
use crate::table::{Choice, Table};

/// A look at a game with the table of names.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub table: &'a Table,
    pub game: &'a Game,
}

impl<'a> View<'a> {
    pub fn places(self) -> Places<'a> {
        Places { table: self.table, rules: self.game.rules(), state: self.game.state() }
    }

    fn state(self) -> &'a State {
        self.game.state()
    }

    /// The hook behind an offered action: its offer, or the question it answers.
    pub fn hook(self, action: Action) -> String {
        match action {
            Action::Offer { .. } => {
                let words = notation::action(self.game.rules(), self.state(), action);
                words.split_whitespace().next().unwrap_or_default().to_owned()
            }
            _ => self.game.waits_for().to_owned(),
        }
    }

    /// True for an action that stands beside every decision of the turn.
    pub fn is_free(self, action: Action) -> bool {
        matches!(action, Action::Offer { .. }) && self.table.choices(&self.hook(action)).any(|choice| choice.free)
    }

    /// True if nothing is offered but what is free, and passing.
    pub fn only_free(self) -> bool {
        let actions = self.game.legal_actions();
        actions.contains(&Action::Pass) && actions.iter().all(|action| *action == Action::Pass || self.is_free(*action))
    }

    fn figures_on(self, tile: TileId) -> impl Iterator<Item = FigureId> {
        features::figures_on(self.game.rules(), self.state(), tile)
    }

    /// The answer to a question that the other engine does not ask: the only one, or any where none matters.
    pub fn skipped(self) -> Option<Action> {
        let bare = |action: &Action| self.table.choices(&self.hook(*action)).any(|choice| choice.skips_bare);
        if let [first, ..] = self.game.legal_actions()
            && self.game.legal_actions().iter().all(bare)
            && !self.state().tiles().any(|(tile, _)| self.figures_on(tile).next().is_some())
        {
            return Some(*first);
        }
        let [only @ Action::Answer(_)] = self.game.legal_actions() else { return None };
        self.table.choices(self.game.waits_for()).any(|choice| choice.skips_single).then_some(*only)
    }

    /// The offered action that a message means.
    pub fn find(self, message: &Message) -> Option<Action> {
        self.game.legal_actions().iter().copied().find(|action| self.means(message, *action))
    }

    fn means(self, message: &Message, action: Action) -> bool {
        match (action, message.kind.as_str()) {
            (Action::Place { at, rotation }, "PLACE_TILE") => {
                let rules = self.game.rules();
                message.aim == Aim::Space(at)
                    && self.state().hand().is_some_and(|hand| {
                        self.is_hand(message, hand) && rules.tile(hand).canonical(message.rotation) == rotation
                    })
            }
            (Action::Deploy { kind, segment, seat }, "DEPLOY_MEEPLE") => {
                let Aim::Place(pointer) = &message.aim else { return false };
                let named = self.table.seat(&pointer.location);
                self.is_kind(&message.what, kind)
                    && self.places().is_at(self.places().named_by(segment, seat), pointer)
                    && named.is_none_or(|named| short(self.game.rules().seat_name(seat)).ends_with(named))
            }
            (Action::Offer { target, .. } | Action::Answer(target), _) => {
                let hook = self.hook(action);
                self.table
                    .choices(&hook)
                    .filter(|choice| choice.takes(&message.kind, &message.what))
                    .any(|choice| self.is_target(choice, message, action, target))
            }
            _ => false,
        }
    }

    /// A player's own tile is told by its code; a drawn tile is the drawn one, whatever the message says.
    fn is_hand(self, message: &Message, hand: trencavel_rules::ids::TileDefId) -> bool {
        !self.table.is_own_tile(&message.what) || self.game.rules().tile_by_name(&message.what) == Some(hand)
    }

    fn is_kind(self, word: &str, kind: FigureKindId) -> bool {
        let name = &self.game.rules().figure_kind(kind).name;
        self.table.figure(word).iter().any(|ours| **ours == **name)
    }

    fn is_target(self, choice: &Choice, message: &Message, action: Action, target: Target) -> bool {
        let places = self.places();
        let tile_at = |at| self.state().tile_at(at);
        match (target, &message.aim) {
            (Target::None, _) => true,
            (Target::Tile(tile), aim) => position(aim).is_some_and(|at| tile_at(at) == Some(tile)),
            (Target::Space(space), aim) => position(aim) == Some(space),
            (Target::Segment(segment), Aim::Place(pointer) | Aim::Figure(_, Some(pointer))) => {
                places.is_at(segment, pointer)
            }
            (Target::Segment(segment), Aim::Space(at)) => {
                self.state().tile(self.state().segment_place(segment).0).at == *at
            }
            (Target::Figure(figure), Aim::Figure(meeple, pointer)) => self.is_figure(figure, meeple, pointer.as_ref()),
            (Target::Figure(figure), aim) => {
                position(aim).is_some_and(|at| places.tile_of(figure).is_some_and(|tile| tile_at(at) == Some(tile)))
            }
            (Target::Player(player), Aim::Figure(meeple, _)) => player.index() == meeple.player,
            (Target::Word(_) | Target::Number(_), _) => {
                let words = notation::action(self.game.rules(), self.state(), action);
                words.rsplit(' ').next() == Some(choice.word(&message.what))
            }
            _ => false,
        }
    }

    fn is_figure(self, figure: FigureId, meeple: &Meeple, pointer: Option<&Pointer>) -> bool {
        let data = self.state().figure(figure);
        data.owner().is_some_and(|owner| owner.index() == meeple.player)
            && self.is_kind(&meeple.kind, data.kind)
            && pointer.is_none_or(|pointer| self.places().stands_at(figure, pointer))
    }
}

/// The space an aim lies on.
fn position(aim: &Aim) -> Option<trencavel_rules::Position> {
    match aim {
        Aim::Space(at) => Some(*at),
        Aim::Place(pointer) | Aim::Figure(_, Some(pointer)) => Some(pointer.at),
        Aim::Nothing | Aim::Figure(_, None) => None,
    }
}
