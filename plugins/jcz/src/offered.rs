//! What is offered, as the sentences of a recording would put it: phase, actions, their exact options.

use std::collections::{BTreeMap, BTreeSet};

use trencavel_rules::{Action, Position, Rotation, Target, notation};

use crate::choices::View;
use crate::places::space_words;
use crate::play::Session;

/// The phase in which the other engine waits for COMMIT.
const COMMIT_PHASE: &str = "CommitActionPhase";

/// An action and, if there is one, what stands after `for`.
pub(crate) type Name = (String, Option<String>);

/// What a player may do now.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Offered {
    pub phase: String,
    pub can_pass: bool,
    /// The options of each action.
    pub actions: BTreeMap<Name, BTreeSet<String>>,
}

/// What a session offers.
pub(crate) fn offered(session: &Session<'_>) -> Offered {
    if session.is_ahead() {
        let phase = session.behind().unwrap_or(COMMIT_PHASE).to_owned();
        return Offered { phase, ..Offered::default() };
    }
    let view = session.view();
    let mut offered = Offered {
        phase: phase(session, view),
        can_pass: view.game.legal_actions().contains(&Action::Pass),
        actions: BTreeMap::new(),
    };
    let mut places: BTreeMap<Position, BTreeSet<usize>> = BTreeMap::new();
    for action in view.game.legal_actions() {
        if let Action::Place { at, rotation } = action {
            places.entry(*at).or_default().extend(looks_like(view, *rotation));
        }
        for (name, option) in seen(view, *action) {
            offered.actions.entry(name).or_default().insert(option);
        }
    }
    if let (false, Some(hand)) = (places.is_empty(), view.game.state().hand()) {
        let options = places.iter().map(|(at, turns)| format!("{} - {}", space_words(*at), degrees(turns))).collect();
        for code in &view.game.rules().tile(hand).aka {
            offered.actions.insert(("TilePlacement".to_owned(), Some(code.clone())), Clone::clone(&options));
        }
    }
    offered
}

fn phase(session: &Session<'_>, view: View<'_>) -> String {
    let phase = view.table.phase(view.game.waits_for());
    let back = session.was_rewound() && phase == "PhantomPhase";
    if back { "ActionPhase".to_owned() } else { phase.to_owned() }
}

/// The rotations of the tile in hand that look like this one, in quarter turns.
fn looks_like(view: View<'_>, rotation: Rotation) -> Vec<usize> {
    let Some(hand) = view.game.state().hand() else { return Vec::new() };
    let tile = view.game.rules().tile(hand);
    let same = |other: &Rotation| tile.canonical(*other) == tile.canonical(rotation);
    Rotation::ALL.into_iter().filter(same).map(Rotation::index).collect()
}

fn degrees(turns: &BTreeSet<usize>) -> String {
    let words: Vec<String> = turns.iter().map(|turn| (turn * 90).to_string()).collect();
    format!("[{}]", words.join(","))
}

/// The actions of the other engine that one of ours stands for, each with its option.
fn seen(view: View<'_>, action: Action) -> Vec<(Name, String)> {
    match action {
        Action::Place { .. } | Action::Pass => Vec::new(),
        Action::Deploy { kind, segment, seat } => {
            let rules = view.game.rules();
            let name = &*rules.figure_kind(kind).name;
            let class = view.table.figure_class(name).map_or(name, |(_, class)| class);
            let words = view.places().seat_words(segment, seat);
            vec![(("Meeple".to_owned(), Some(class.to_owned())), format!("{{{words}}}"))]
        }
        Action::Offer { target, .. } | Action::Answer(target) => {
            let hook = view.hook(action);
            let mut choices: Vec<Name> = view
                .table
                .choices(&hook)
                .map(|choice| (choice.action.clone(), choice.named().map(str::to_owned)))
                .collect();
            if choices.is_empty() {
                choices.push((hook, None));
            }
            let option = target_words(view, action, target);
            choices.into_iter().map(|name| (name, option.clone())).collect()
        }
    }
}

fn target_words(view: View<'_>, action: Action, target: Target) -> String {
    let state = view.game.state();
    match target {
        Target::Tile(tile) => space_words(state.tile(tile).at),
        Target::Space(at) => space_words(at),
        Target::Figure(figure) => format!("{{{}}}", view.places().figure_words(figure)),
        Target::Segment(segment) => {
            let (tile, local) = state.segment_place(segment);
            let tower = view.places().location(tile, local) == "I" && matches!(action, Action::Offer { .. });
            // A choice among towers is written by their tiles.
            if tower && is_token(view, action) {
                space_words(state.tile(tile).at)
            } else {
                format!("{{{}}}", view.places().segment_words(segment, None))
            }
        }
        _ => notation::action(view.game.rules(), state, action),
    }
}

fn is_token(view: View<'_>, action: Action) -> bool {
    view.table.choices(&view.hook(action)).any(|choice| choice.takes("PLACE_TOKEN", choice.named().unwrap_or_default()))
}
