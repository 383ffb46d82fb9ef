//! What happened so far: the ledger and the log, each line with the spaces it speaks of and the rule that caused it.

use trencavel_rules::hooks::Event;
use trencavel_rules::ids::{FeatureId, HookId, PlayerId, TileId};
use trencavel_rules::words::EventKind;
use trencavel_rules::{Game, Position, features, ledger, short};

use super::{NodeId, Session};

/// A line of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who was paid.
    pub player: PlayerId,
    /// How much; negative for what was taken.
    pub points: i32,
    /// In which turn, from 1.
    pub turn: u32,
    /// The whole calculation, with file and line of rules of other expansions than the feature's own.
    pub words: String,
    /// The spaces of the feature that was scored, in the order of their tiles; empty if it was none.
    pub spaces: Vec<Position>,
}

/// A decision on the way to the present one, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The decision; the root for what happened before the first.
    pub node: NodeId,
    /// Who decided; none for the root.
    pub player: Option<PlayerId>,
    /// In which turn, from 1.
    pub turn: u32,
    /// The answer in our notation; empty for the root.
    pub answer: String,
    /// What came of it, in order.
    pub events: Vec<Happening>,
    /// Other answers that were tried in its place.
    pub branches: Vec<NodeId>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// In a sentence without a full stop.
    pub words: String,
    /// The rule that asked for it, with file and line: `wells:wells, scripts/wells/rules.lua:4`. None for a player's
    /// choice and the engine's own doing.
    pub because: Option<String>,
    /// The spaces it speaks of.
    pub spaces: Vec<Position>,
}

impl Session {
    /// Every line of the ledger so far, in the order of payment.
    pub fn ledger(&self) -> Vec<Entry> {
        let (rules, state) = (self.game().rules(), self.game().state());
        let entry = |line: &ledger::Line| Entry {
            player: line.player,
            points: line.points,
            turn: line.turn,
            words: ledger::words(rules, state, line),
            spaces: feature_spaces(self.game(), line.feature),
        };
        state.lines().iter().map(entry).collect()
    }

    /// The decisions up to the present one, the root first, each with what came of it.
    pub fn history(&self) -> Vec<Told> {
        let mut paid = 0;
        let path = std::iter::once(super::Tree::ROOT).chain(self.tree().path(self.cursor()));
        path.filter_map(|node| self.told(node, &mut paid)).collect()
    }

    fn told(&self, id: NodeId, paid: &mut usize) -> Option<Told> {
        let node = self.tree().get(id)?;
        let answer = node.answer.split_once(": ").map_or("", |(_, answer)| answer);
        let mut chosen = ["place", "deploy"].into_iter().find(|verb| answer.split(' ').next() == Some(verb));
        let events = self.game().state().events().get(node.events.0..node.events.1).unwrap_or_default();
        let mut told = Vec::new();
        for event in events {
            // What was chosen is told as the answer.
            if matches!(
                (chosen, event.kind),
                (Some("place"), EventKind::Placed) | (Some("deploy"), EventKind::Deployed)
            ) {
                chosen = None;
                continue;
            }
            told.extend(self.happening(event, paid));
        }
        Some(Told {
            node: id,
            player: node.parent.map(|_| node.player),
            turn: node.turn,
            answer: answer.to_owned(),
            events: told,
            branches: self.tree().branches(id).collect(),
        })
    }

    fn happening(&self, event: &Event, paid: &mut usize) -> Option<Happening> {
        let (game, names) = (self.game(), self.names());
        let (rules, state) = (game.rules(), game.state());
        let words = match event.kind {
            EventKind::Paid => {
                let line = state.lines().get(*paid)?;
                *paid += 1;
                format!("{} scores {}: {}", names.name(line.player), line.points, ledger::words(rules, state, line))
            }
            EventKind::Placed => {
                let tile = state.tile(event.tile);
                format!("{} to {} {}", short(&rules.tile(tile.def).id), tile.at, tile.rotation)
            }
            _ => names.sentence(game, event)?,
        };
        let spaces = match event.tile == TileId::default() {
            true => feature_spaces(game, event.feature),
            false => vec![state.tile(event.tile).at],
        };
        Some(Happening { words, because: because(game, event.by), spaces })
    }
}

/// The rule behind an event, with its place.
fn because(game: &Game, hook: HookId) -> Option<String> {
    if hook == HookId::default() {
        return None;
    }
    let hook = game.rules().hook(hook);
    let source = hook.source.as_ref().map_or_else(String::new, |source| format!(", {}:{}", source.file, source.line));
    Some(format!("{}{source}", hook.name))
}

/// The spaces of the feature that stands where `feature` stood.
fn feature_spaces(game: &Game, feature: FeatureId) -> Vec<Position> {
    let state = game.state();
    let standing = (feature != FeatureId::default()).then(|| state.standing(feature)).flatten();
    standing.map_or_else(Vec::new, |feature| {
        features::tiles(state, feature).into_iter().map(|tile| state.tile(tile).at).collect()
    })
}
