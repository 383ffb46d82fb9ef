//! The decision that waits, as a flat list: what is offered and what is refused, each with its words, its place on the
//! board, and the declaration it comes from. A front end shows the list and needs to know no expansion.

use trencavel_rules::hooks::{HookError, Scripts};
use trencavel_rules::ids::{FigureId, FigureKindId, PlayerId, SeatId, SegmentId};
use trencavel_rules::words::DeclKind;
use trencavel_rules::{
    Action, Anchor, Game, HookInfo, Position, Refusal, Rotation, Ruleset, State, Target, features, notation, short,
};

use crate::telling::Names;

/// What the game waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Who decides.
    pub player: PlayerId,
    /// The full name of the step, question or neutral figure: `core:place`.
    pub name: String,
    /// The same for people: `Place the tile`.
    pub title: String,
    /// The title of the expansion it comes from; none for the steps of the engine.
    pub expansion: Option<String>,
    /// What is offered, then what is refused, each in canonical order. Empty when the game is over.
    pub choices: Vec<Choice>,
}

/// Something that may be chosen, or that is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What it is for the engine, as long as nothing is answered and no rules are loaded.
    pub action: Action,
    /// The answer in our notation: `deploy follower city`.
    pub notation: String,
    /// The same for people: `follower on city`.
    pub words: String,
    /// Which kind of answer it is.
    pub kind: ChoiceKind,
    /// The title of the expansion that offers it; none for what the engine itself offers.
    pub expansion: Option<String>,
    /// Where it is on the table.
    pub place: Place,
    /// The kind of figure it is about.
    pub figure: Option<FigureKindId>,
    /// Why it is refused; empty for what is offered.
    pub reasons: Vec<Reason>,
}

impl Choice {
    /// True if it may be chosen.
    pub fn is_offered(&self) -> bool {
        self.reasons.is_empty()
    }
}

/// Kinds of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChoiceKind {
    /// The tile in hand onto a space.
    Place,
    /// A figure from supply onto a seat.
    Deploy,
    /// What an expansion offers in this step.
    Offer,
    /// An answer to a question.
    Answer,
    /// None of the others.
    Pass,
}

/// Where something is on the table. Nothing is set for what is nowhere, such as a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The space, of a tile or free.
    pub space: Option<Position>,
    /// How the tile in hand is turned there.
    pub rotation: Option<Rotation>,
    /// The segment of the tile.
    pub segment: Option<SegmentId>,
    /// The seat on the segment.
    pub seat: Option<SeatId>,
    /// The figure that stands there, or is held by somebody.
    pub figure: Option<FigureId>,
    /// The player it is about.
    pub player: Option<PlayerId>,
}

/// A named refusal with its sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Its full id: `base:occupied`.
    pub id: String,
    /// What it says.
    pub text: String,
    /// The title of the expansion that refuses; none for the engine's own.
    pub expansion: Option<String>,
    /// File and line of its declaration.
    pub source: Option<(String, u32)>,
}

impl Reason {
    /// A refusal as people read it.
    pub fn of(rules: &Ruleset, refusal: &Refusal) -> Self {
        let hook = rules.hook(refusal.hook);
        Self {
            id: hook.name.to_string(),
            text: refusal.text.clone(),
            expansion: title_of(rules, &hook.name),
            source: hook.source.as_ref().map(|source| (source.file.to_string(), source.line)),
        }
    }
}

/// The decision that waits, with everything that is offered or refused.
///
/// # Errors
/// If a hook fails.
pub fn decision(game: &mut Game, names: &Names, scripts: &mut dyn Scripts) -> Result<Decision, HookError> {
    let considered = game.considered(scripts)?;
    let mut choices = Vec::with_capacity(considered.len());
    for action in considered {
        let refusals = game.refusals(action, scripts)?;
        choices.push(choice(game, names, action, &refusals));
    }
    choices.sort_by_key(|choice| !choice.is_offered());
    let name = game.waits_for().to_owned();
    let (title, expansion) = (title(game, &name), title_of(game.rules(), &name));
    Ok(Decision { player: game.state().decider(), name, title, expansion, choices })
}

fn choice(game: &Game, names: &Names, action: Action, refusals: &[Refusal]) -> Choice {
    let (rules, state) = (game.rules(), game.state());
    let (place, figure) = place_of(rules, state, action);
    let expansion = maker(game, action).and_then(|hook| title_of(rules, &hook.name));
    Choice {
        action,
        notation: notation::action(rules, state, action),
        words: words(game, names, action),
        kind: match action {
            Action::Place { .. } => ChoiceKind::Place,
            Action::Deploy { .. } => ChoiceKind::Deploy,
            Action::Offer { .. } => ChoiceKind::Offer,
            Action::Answer(_) => ChoiceKind::Answer,
            Action::Pass => ChoiceKind::Pass,
        },
        expansion,
        place,
        figure,
        reasons: refusals.iter().map(|refusal| Reason::of(rules, refusal)).collect(),
    }
}

/// The declaration that makes an action one that could be offered.
pub fn maker(game: &Game, action: Action) -> Option<&HookInfo> {
    let rules = game.rules();
    let words = notation::action(rules, game.state(), action);
    let (kind, name) = match action {
        Action::Deploy { kind, .. } => (DeclKind::Figure, rules.figure_kind(kind).name.to_string()),
        Action::Offer { .. } => (DeclKind::Offer, words.split(' ').next().unwrap_or_default().to_owned()),
        Action::Answer(_) => (DeclKind::Resolve, game.waits_for().to_owned()),
        Action::Place { .. } | Action::Pass => return None,
    };
    rules.hooks().map(|(_, hook)| hook).find(|hook| hook.kind == kind && *hook.name == *name)
}

/// The title of the expansion that a full name belongs to.
fn title_of(rules: &Ruleset, name: &str) -> Option<String> {
    let (home, _) = name.split_once(':')?;
    rules.expansions().iter().find(|expansion| *expansion.id == *home).map(|expansion| expansion.title.to_string())
}

/// What is decided, for people.
fn title(game: &Game, name: &str) -> String {
    if game.state().is_over() {
        return "The game is over".to_owned();
    }
    let decides = [DeclKind::Neutral, DeclKind::Resolve, DeclKind::Step];
    let mut hooks = game.rules().hooks().map(|(_, hook)| hook);
    let hook = hooks.find(|hook| *hook.name == *name && decides.contains(&hook.kind));
    let plain = hook.and_then(|hook| hook.say.as_deref()).map_or_else(|| spaced(name), str::to_owned);
    let words = match name {
        "core:place" => "place the tile".to_owned(),
        "core:action" => "deploy a figure, or pass".to_owned(),
        _ if hook.is_some_and(|hook| hook.kind == DeclKind::Neutral) => format!("where the {plain} goes"),
        _ => plain,
    };
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// An id as words.
fn spaced(name: &str) -> String {
    short(name).replace(['-', '_'], " ")
}

/// An action for people, without names of expansions.
fn words(game: &Game, names: &Names, action: Action) -> String {
    let (rules, state) = (game.rules(), game.state());
    match action {
        Action::Place { at, rotation } => format!("{at}, turned {}°", 90 * rotation.index()),
        Action::Deploy { kind, segment, seat } => {
            let (tile, local) = state.segment_place(segment);
            let placed = state.tile(tile);
            let printed = &rules.tile(placed.def).segments[local];
            let away = if state.placed() == Some(tile) { String::new() } else { format!(" of {}", placed.at) };
            let usual = rules.seats_of(printed.kind).first() == Some(&seat);
            let seat = if usual { String::new() } else { format!(", {}", spaced(rules.seat_name(seat))) };
            format!("{} on {}{away}{seat}", spaced(&rules.figure_kind(kind).name), printed.name)
        }
        Action::Offer { target, .. } => {
            let said = maker(game, action)
                .map_or_else(String::new, |hook| hook.say.as_deref().map_or_else(|| spaced(&hook.name), str::to_owned));
            match target_words(game, names, target) {
                target if target.is_empty() => said,
                target => format!("{said}: {target}"),
            }
        }
        // The words of a question are its own; the notation has them.
        Action::Answer(Target::Word(_) | Target::None) => {
            let words = notation::action(rules, state, action);
            words.split_once(' ').map_or(words.clone(), |(_, chosen)| spaced(chosen))
        }
        Action::Answer(target) => target_words(game, names, target),
        Action::Pass => "pass".to_owned(),
    }
}

fn target_words(game: &Game, names: &Names, target: Target) -> String {
    let (rules, state) = (game.rules(), game.state());
    match target {
        Target::None | Target::Word(_) => String::new(),
        Target::Tile(tile) => format!("tile {}", state.tile(tile).at),
        Target::Figure(figure) => names.standing(game, figure),
        Target::Segment(segment) => {
            let (tile, local) = state.segment_place(segment);
            let placed = state.tile(tile);
            format!("{} of {}", rules.tile(placed.def).segments[local].name, placed.at)
        }
        Target::Space(at) => format!("space {at}"),
        Target::Player(player) => names.name(player),
        Target::Number(number) => number.to_string(),
    }
}

/// Where an action is on the table, and the kind of figure it is about.
fn place_of(rules: &Ruleset, state: &State, action: Action) -> (Place, Option<FigureKindId>) {
    match action {
        Action::Place { at, rotation } => {
            (Place { space: Some(at), rotation: Some(rotation), ..Place::default() }, None)
        }
        Action::Deploy { kind, segment, seat } => {
            (Place { seat: Some(seat), ..segment_place(state, segment) }, Some(kind))
        }
        Action::Offer { target, .. } | Action::Answer(target) => target_place(rules, state, target),
        Action::Pass => (Place::default(), None),
    }
}

fn segment_place(state: &State, segment: SegmentId) -> Place {
    let (tile, _) = state.segment_place(segment);
    Place { space: Some(state.tile(tile).at), segment: Some(segment), ..Place::default() }
}

fn target_place(rules: &Ruleset, state: &State, target: Target) -> (Place, Option<FigureKindId>) {
    match target {
        Target::Tile(tile) => (Place { space: Some(state.tile(tile).at), ..Place::default() }, None),
        Target::Space(at) => (Place { space: Some(at), ..Place::default() }, None),
        Target::Segment(segment) => (segment_place(state, segment), None),
        Target::Player(player) => (Place { player: Some(player), ..Place::default() }, None),
        Target::Figure(figure) => {
            let data = state.figure(figure);
            let standing = features::standing_on(rules, state, figure).map(|tile| state.tile(tile).at);
            let mut place = match data.at {
                Anchor::Seat { segment, seat } => Place { seat: Some(seat), ..segment_place(state, segment) },
                Anchor::Held(player) => Place { player: Some(player), ..Place::default() },
                _ => Place { space: standing, ..Place::default() },
            };
            place.figure = Some(figure);
            (place, Some(data.kind))
        }
        Target::None | Target::Number(_) | Target::Word(_) => (Place::default(), None),
    }
}
