//! What stands beside the board, as rows: each with its words, what more there is to say, what it points at on the
//! board, and what happens when it is chosen. One list shows them all, and none knows an expansion.

use trencavel_play::bots;
use trencavel_play::session::choices::{Choice, Decision, Reason};
use trencavel_play::session::{Happening, NodeId, Session, Sitter, Told};
use trencavel_rules::ids::PlayerId;
use trencavel_rules::{Anchor, Position, notation, short};

use crate::play::host::Order;
use crate::play::{PERSON, is_implied};

/// What can be shown beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panel {
    Options,
    Ledger,
    History,
    Tiles,
    Seats,
    Console,
}

impl Panel {
    pub(super) const ALL: [Self; 6] =
        [Self::Options, Self::Ledger, Self::History, Self::Tiles, Self::Seats, Self::Console];

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Options => "Options",
            Self::Ledger => "Ledger",
            Self::History => "History",
            Self::Tiles => "Tiles",
            Self::Seats => "Seats",
            Self::Console => "Console",
        }
    }

    /// The panel so many places further, around the end.
    pub(super) fn further(self, places: usize) -> Self {
        Self::ALL[(self as usize + places) % Self::ALL.len()]
    }
}

/// What a row points at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Target {
    /// Nothing on the board.
    #[default]
    Nothing,
    /// These spaces.
    Spaces(Vec<Position>),
    /// The place of a choice of the decision, by its number.
    Choice(usize),
}

/// A row of a panel.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) words: String,
    /// It is shown because it cannot be chosen, or belongs to the row above.
    pub(super) dim: bool,
    /// What more there is to say.
    pub(super) details: Vec<String>,
    pub(super) target: Target,
    pub(super) does: Option<Order>,
}

impl Row {
    fn plain(words: impl Into<String>) -> Self {
        Self { words: words.into(), ..Self::default() }
    }
}

pub(super) fn players(session: &Session) -> impl Iterator<Item = PlayerId> + use<> {
    (0..session.game().state().players()).map(PlayerId::from_index)
}

/// What is offered, then what is refused.
pub(super) fn options(session: &Session, decision: &Decision) -> Vec<Row> {
    if session.is_bots_turn() {
        return Vec::new();
    }
    let at = session.cursor().number();
    // Whose options these are need not be said where nobody doubts it.
    let usual = |title: &str| decision.expansion.as_deref() == Some(title) || is_implied(session, title);
    let row = |(number, choice): (usize, &Choice)| option(number, choice, at, &usual);
    decision.choices.iter().enumerate().map(row).collect()
}

fn option(number: usize, choice: &Choice, at: usize, usual: &dyn Fn(&str) -> bool) -> Row {
    let home = choice.expansion.as_deref().filter(|title| !usual(title));
    let words = choice.words.clone() + &home.map_or_else(String::new, |title| format!(" · {title}"));
    let mut details = vec![words.clone()];
    details.extend(choice.reasons.iter().map(reason));
    Row {
        words,
        dim: !choice.is_offered(),
        details,
        target: Target::Choice(number),
        does: choice.is_offered().then(|| Order::Answer { text: choice.notation.clone(), at }),
    }
}

/// `no robber stands on this road (The Constable) constable:needs_robber, scripts/constable/rules.lua:12`.
fn reason(reason: &Reason) -> String {
    let home = reason.expansion.as_ref().map_or_else(String::new, |title| format!(" ({title})"));
    let source = reason.source.as_ref().map_or_else(String::new, |(file, line)| format!(", {file}:{line}"));
    format!("refused: {}{home} {}{source}", reason.text, reason.id)
}

/// Every payment, the last one first.
pub(super) fn ledger(session: &Session) -> Vec<Row> {
    let row = |entry: &trencavel_play::session::Entry| {
        let words = format!(
            "{:>3} {} {:+} {}",
            entry.turn,
            notation::letter(entry.player),
            entry.points,
            entry.words.split(':').next().unwrap_or_default()
        );
        let name = session.names().name(entry.player);
        let details = vec![format!("{name} {:+} in turn {}: {}", entry.points, entry.turn, entry.words)];
        Row { words, details, target: Target::Spaces(entry.spaces.clone()), ..Row::default() }
    };
    session.ledger().iter().rev().map(row).collect()
}

/// What was taken back, then the decisions so far, the last one first, each with what came of it.
pub(super) fn history(session: &Session) -> Vec<Row> {
    let ahead = session.tree().children(session.cursor()).iter();
    let mut rows: Vec<Row> = ahead.filter_map(|node| branch(session, *node, "taken back")).collect();
    for told in session.history().iter().rev() {
        decided(session, told, &mut rows);
    }
    rows
}

fn decided(session: &Session, told: &Told, rows: &mut Vec<Row>) {
    let here = if told.node == session.cursor() { '▸' } else { ' ' };
    let words = match told.player {
        Some(player) => format!("{here}{:>3} {}: {}", told.turn, notation::letter(player), told.answer),
        None => format!("{here}    the beginning, seed {}", session.seed()),
    };
    let spaces = told.events.iter().flat_map(|event| event.spaces.clone()).collect();
    let details = vec![words.trim().to_owned(), "Enter goes to where the game stood after this.".to_owned()];
    let does = Some(Order::Go { to: told.node.number() });
    rows.push(Row { words, dim: false, details, target: Target::Spaces(spaces), does });
    rows.extend(told.events.iter().map(happened));
    rows.extend(told.branches.iter().filter_map(|node| branch(session, *node, "instead")));
}

fn happened(event: &Happening) -> Row {
    let mut details = vec![event.words.clone()];
    details.extend(event.because.as_ref().map(|why| format!("because of {why}")));
    let target = Target::Spaces(event.spaces.clone());
    Row { words: format!("       {}", event.words), dim: true, details, target, does: None }
}

/// A decision that is not on the way to the present one.
fn branch(session: &Session, id: NodeId, how: &str) -> Option<Row> {
    let node = session.tree().get(id)?;
    let words = format!("     ↳ {how}: {}", node.answer);
    let details = vec![node.answer.clone(), "Enter goes to this branch.".to_owned()];
    Some(Row { words, dim: true, details, does: Some(Order::Go { to: id.number() }), ..Row::default() })
}

/// The tiles that are still to be drawn.
pub(super) fn tiles(session: &Session) -> Vec<Row> {
    let (rules, state) = (session.game().rules(), session.game().state());
    let left = state.tiles_left();
    let all: usize = left.iter().map(|(_, count)| count).sum();
    let head = Row::plain(format!("{all} to draw, {} set aside", state.set_aside().len()));
    let row = |(tile, count)| Row::plain(format!("{count:>3} {}", short(&rules.tile(tile).id)));
    std::iter::once(head).chain(left.into_iter().map(row)).collect()
}

/// Who answers for whom. Choosing a row seats the next one who can.
pub(super) fn seats(session: &Session) -> Vec<Row> {
    let row = |player: PlayerId| {
        let sits = match session.sitter(player) {
            Sitter::Person => PERSON.to_owned(),
            Sitter::Bot(bot) => bot.name(),
        };
        let kinds: Vec<&str> = std::iter::once(PERSON).chain(bots::NAMES.iter().copied()).collect();
        let sat = kinds.iter().position(|kind| sits.split(':').next() == Some(kind));
        let next = sat.map_or(PERSON, |sat| kinds[(sat + 1) % kinds.len()]);
        let details = vec![format!("has {}", supply(session, player)), format!("Enter seats: {next}")];
        let does = Some(Order::Sit { player: player.index(), who: next.to_owned() });
        Row { words: format!("{}: {sits}", session.names().full(player)), details, does, ..Row::default() }
    };
    players(session).map(row).collect()
}

/// What a player has in front of them: `7 follower, 1 builder`.
pub(super) fn supply(session: &Session, player: PlayerId) -> String {
    let (rules, state) = (session.game().rules(), session.game().state());
    let figures = rules.figure_kinds().filter_map(|(kind, data)| {
        let count = state.supply(player, kind);
        (count > 0).then(|| format!("{count} {}", short(&data.name)))
    });
    let held = state.figures().filter(|(_, data)| data.at == Anchor::Held(player));
    let held = held.map(|(figure, _)| session.names().standing(session.game(), figure));
    let tokens = state.tokens().iter().filter(|tokens| tokens.at == Anchor::Held(player) && tokens.count != 0);
    let tokens = tokens.map(|tokens| format!("{} {}", tokens.count, short(rules.token_name(tokens.kind))));
    let all: Vec<String> = figures.chain(held).chain(tokens).collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
}

/// What went wrong in the rules.
pub(super) fn console(note: &str, problems: &str) -> Vec<Row> {
    let note = (!note.is_empty()).then(|| Row::plain(note));
    let none = problems.is_empty().then(|| Row::plain("No script has failed."));
    let lines = problems.lines().map(|line| Row {
        words: line.to_owned(),
        details: vec![line.trim().to_owned()],
        ..Row::default()
    });
    note.into_iter().chain(none).chain(lines).collect()
}
