//! What the page shows: fragments of HTML and SVG, made anew after every decision. Nothing here knows an expansion.

mod board;
mod choices;
mod panels;

use std::sync::Arc;

use trencavel_play::session::Session;
use trencavel_rules::Class;
use trencavel_rules::ids::PlayerId;
use trencavel_rules::words::DeclKind;
use trencavel_view::svg::{Artist, Drawing};

use crate::html::escaped;

/// The frame in which the fragments stand.
const SHELL: &str = include_str!("page/page.html");

/// Everything that a page shows.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Counts the pages of a host.
    pub(crate) serial: u64,
    /// Texts by the place they go to.
    fragments: Vec<(&'static str, Arc<str>)>,
    /// The game as a save.
    pub(crate) save: String,
}

/// What a page shows beside the game.
pub(crate) struct Shown<'a> {
    /// Counts the pages of a host.
    pub(crate) serial: u64,
    /// What went wrong in the rules.
    pub(crate) console: String,
    /// What happened beside the game.
    pub(crate) note: &'a str,
    /// True if bots wait to be told to go on.
    pub(crate) bots_wait: bool,
}

impl Page {
    /// The page of a game as it stands.
    pub(crate) fn of(session: &mut Session, artist: &Artist<'_>, defs: &Arc<str>, shown: &Shown<'_>) -> Self {
        let decision = session.decision();
        let console = match (&decision, shown.console.is_empty()) {
            (Err(error), true) => error.to_string(),
            _ => shown.console.clone(),
        };
        let decision = decision.ok();
        let choices = decision.as_ref().map_or(&[][..], |decision| &decision.choices);
        let text = |name: &'static str, text: String| (name, Arc::from(text));
        Self {
            serial: shown.serial,
            fragments: vec![
                ("defs", Arc::clone(defs)),
                text("board", board::board(session, artist, choices)),
                text("hand", board::hand(session, artist)),
                text("choices", choices::panel(session, decision.as_ref(), shown.bots_wait)),
                text("players", panels::players(session, artist)),
                text("seats", panels::seats(session)),
                text("ledger", panels::ledger(session)),
                text("history", panels::history(session)),
                text("tiles", panels::tiles(session, artist)),
                text("console", panels::console(&console, shown.note)),
                text("said", panels::said(session, decision.as_ref(), &console)),
            ],
            save: session.save().to_string(),
        }
    }

    /// What differs from another page, as JSON: texts by place.
    pub(crate) fn news(&self, before: Option<&Self>) -> String {
        let old = |name: &str| before?.fragments.iter().find(|(other, _)| *other == name).map(|(_, text)| text);
        let new = self.fragments.iter().filter(|(name, text)| old(name) != Some(text));
        let new: serde_json::Map<String, serde_json::Value> =
            new.map(|(name, text)| ((*name).to_owned(), serde_json::Value::from(&**text))).collect();
        serde_json::Value::Object(new).to_string()
    }
}

/// The whole page.
pub(crate) fn shell(page: &Page) -> String {
    let mut text = SHELL.replacen("<!--serial-->", &page.serial.to_string(), 1);
    for (name, fragment) in &page.fragments {
        text = text.replacen(&format!("<!--{name}-->"), fragment, 1);
    }
    text
}

/// Every shape that drawings of these rules use by name. They are sent once.
pub(crate) fn defs(artist: &Artist<'_>, players: usize) -> Arc<str> {
    let rules = artist.rules();
    let mut all = std::collections::BTreeMap::new();
    let mut add = |drawing: &Drawing| {
        for (name, shape) in drawing.defs().filter(|(name, _)| !all.contains_key(*name)).collect::<Vec<_>>() {
            all.insert(name.to_owned(), shape.to_owned());
        }
    };
    rules.tiles().for_each(|(tile, _)| add(&artist.tile(tile, trencavel_rules::Rotation::R0)));
    for (kind, data) in rules.figure_kinds() {
        match data.class {
            Class::Neutral => add(&artist.piece(kind, None)),
            Class::Follower | Class::Special => {
                (0..players).for_each(|player| add(&artist.piece(kind, Some(PlayerId::from_index(player)))));
            }
        }
    }
    for (_, hook) in rules.hooks().filter(|(_, hook)| hook.kind == DeclKind::Token) {
        add(&artist.symbol(&hook.name));
    }
    all.into_values().collect::<String>().into()
}

/// A drawing of one tile or piece, in a square of 100 units.
fn icon(class: &str, body: &str) -> String {
    format!("<svg class=\"{class}\" viewBox=\"0 0 100 100\" aria-hidden=\"true\" focusable=\"false\">{body}</svg>")
}

/// Spaces as the page finds them: `1,0 2,0`.
fn spaces(spaces: &[trencavel_rules::Position]) -> String {
    if spaces.is_empty() {
        return String::new();
    }
    let list: Vec<String> = spaces.iter().map(ToString::to_string).collect();
    format!(" data-spaces=\"{}\"", list.join(" "))
}

/// `Ann: place city-cap 1,0 r90`.
fn answer_words(session: &Session, player: PlayerId, answer: &str) -> String {
    format!("{}: {}", escaped(&session.names().name(player)), escaped(answer))
}
