//! What stands beside the board: players, ledger, history, remaining tiles, console.

use trencavel_play::bots;
use trencavel_play::session::choices::Decision;
use trencavel_play::session::{Happening, NodeId, Session, Sitter, Told, Tree};
use trencavel_rules::ids::PlayerId;
use trencavel_rules::{Anchor, Rotation, notation, short};
use trencavel_view::svg::{Artist, player_colours};

use super::{answer_words, icon, spaces};
use crate::html::escaped;
use crate::play::PERSON;

fn players_of(session: &Session) -> impl Iterator<Item = PlayerId> + use<> {
    (0..session.game().state().players()).map(PlayerId::from_index)
}

/// A player's colour and letter.
fn chip(player: PlayerId) -> String {
    let (colour, ink) = player_colours(player);
    let letter = notation::letter(player);
    format!(
        "<svg class=\"chip\" viewBox=\"0 0 20 20\" aria-hidden=\"true\" focusable=\"false\">\
         <circle cx=\"10\" cy=\"10\" r=\"9\" fill=\"{colour}\" stroke=\"#111\"/>\
         <text x=\"10\" y=\"14.5\" fill=\"{ink}\">{letter}</text></svg>"
    )
}

/// The players with their points and what they have in front of them.
pub(super) fn players(session: &Session, artist: &Artist<'_>) -> String {
    let state = session.game().state();
    let mut text = "<ul>\n".to_owned();
    for player in players_of(session) {
        let name = escaped(&session.names().name(player));
        let now = !state.is_over() && state.decider() == player;
        let (class, current) = if now { (" class=\"now\"", " aria-current=\"true\"") } else { ("", "") };
        text += &format!(
            "<li{class}{current}>{}<span class=\"name\">{name}</span> <b class=\"points\">{}<span> points</span></b>{}\
             <ul class=\"supply\">{}</ul></li>\n",
            chip(player),
            state.score(player),
            bot(session, player),
            supply(session, artist, player),
        );
    }
    text + "</ul>\n"
}

/// Who answers for whom. It stands apart from what changes with every decision, so that a list can be opened while bots play.
pub(super) fn seats(session: &Session) -> String {
    let entry = |player: PlayerId| {
        let name = escaped(&session.names().name(player));
        format!("<li>{}<span>{name}</span>{}</li>\n", chip(player), seat(session, player, &name))
    };
    let entries: String = players_of(session).map(entry).collect();
    format!("<ul class=\"seats\">\n{entries}</ul>\n")
}

/// A list of who may answer for a player.
fn seat(session: &Session, player: PlayerId, name: &str) -> String {
    let sits = match session.sitter(player) {
        Sitter::Person => PERSON.to_owned(),
        Sitter::Bot(bot) => bot.name(),
    };
    let mut options: Vec<&str> = std::iter::once(PERSON).chain(bots::NAMES.iter().copied()).collect();
    // A bot with a number of its own is listed by it.
    options.retain(|option| !(sits.starts_with(&format!("{option}:"))));
    if !options.contains(&sits.as_str()) {
        options.push(&sits);
    }
    let option = |option: &&str| {
        let chosen = if **option == sits { " selected" } else { "" };
        format!("<option value=\"{0}\"{chosen}>{0}</option>", escaped(option))
    };
    let options: String = options.iter().map(option).collect();
    format!(
        "<select data-sit=\"{0}\" data-key=\"sit {0}\" aria-label=\"Who plays {name}\">{options}</select>",
        player.index()
    )
}

/// The bot that answers for a player.
fn bot(session: &Session, player: PlayerId) -> String {
    match session.sitter(player) {
        Sitter::Person => String::new(),
        Sitter::Bot(bot) => format!(" <span class=\"home\">{}</span>", escaped(&bot.name())),
    }
}

/// Figures in supply, figures of others that are held, and tokens.
fn supply(session: &Session, artist: &Artist<'_>, player: PlayerId) -> String {
    let (rules, state) = (session.game().rules(), session.game().state());
    let mut text = String::new();
    let mut add = |body: &str, count: i64, words: &str| {
        let count = if count == 1 { String::new() } else { count.to_string() };
        let words = escaped(words);
        text += &format!(
            "<li title=\"{words}\">{}<span class=\"hidden\">{words}</span><span aria-hidden=\"true\">{count}</span></li>",
            icon("piece", body)
        );
    };
    for (kind, data) in rules.figure_kinds() {
        let count = state.supply(player, kind);
        if count > 0 {
            add(artist.piece(kind, Some(player)).body(), count.into(), &format!("{count} {}", short(&data.name)));
        }
    }
    for (figure, data) in state.figures().filter(|(_, data)| data.at == Anchor::Held(player)) {
        add(artist.piece(data.kind, data.owner()).body(), 1, &session.names().standing(session.game(), figure));
    }
    for tokens in state.tokens().iter().filter(|tokens| tokens.at == Anchor::Held(player) && tokens.count != 0) {
        let name = rules.token_name(tokens.kind);
        add(artist.symbol(name).body(), tokens.count.into(), &format!("{} {}", tokens.count, short(name)));
    }
    text
}

/// Every payment, the last one first.
pub(super) fn ledger(session: &Session) -> String {
    let entries = session.ledger();
    if entries.is_empty() {
        return "<p>Nobody has scored yet.</p>\n".to_owned();
    }
    let mut text = "<ol reversed>\n".to_owned();
    for entry in entries.iter().rev() {
        let name = escaped(&session.names().name(entry.player));
        text += &format!(
            "<li tabindex=\"0\"{}>{}<b>{:+}</b> <span class=\"hidden\">for {name}</span> <span class=\"turn\">turn {}</span> {}</li>\n",
            spaces(&entry.spaces),
            chip(entry.player),
            entry.points,
            entry.turn,
            escaped(&entry.words),
        );
    }
    text + "</ol>\n"
}

/// The decisions so far, the last one first, with everything that came of them; above them what was taken back.
pub(super) fn history(session: &Session) -> String {
    let tree = session.tree();
    let mut text = String::new();
    let ahead: String = tree.children(session.cursor()).iter().map(|node| go(session, *node)).collect();
    if !ahead.is_empty() {
        text += &format!("<p>Taken back:</p>\n<ul class=\"branches\">{ahead}</ul>\n");
    }
    text += "<ol reversed>\n";
    for told in session.history().iter().rev() {
        text += &decision(session, told);
    }
    text + "</ol>\n"
}

fn decision(session: &Session, told: &Told) -> String {
    let here = told.node == session.cursor();
    let current = if here { " aria-current=\"step\"" } else { "" };
    let words = match told.player {
        Some(player) => {
            format!("<span class=\"turn\">{}</span> {}", told.turn, answer_words(session, player, &told.answer))
        }
        None => format!("The beginning, seed {}", session.seed()),
    };
    let number = told.node.number();
    let events: String = told.events.iter().map(happening).collect();
    let events = if events.is_empty() { events } else { format!("<ul class=\"events\">{events}</ul>") };
    let branches: String = told.branches.iter().map(|node| go(session, *node)).collect();
    let branches = if branches.is_empty() {
        branches
    } else {
        format!("<ul class=\"branches\" aria-label=\"Other branches\">{branches}</ul>")
    };
    format!(
        "<li><button data-go=\"{number}\" data-key=\"go {number}\"{current}>{words}</button>{events}{branches}</li>\n"
    )
}

fn happening(event: &Happening) -> String {
    let because = event.because.as_ref().map_or_else(String::new, |why| format!(" <code>{}</code>", escaped(why)));
    format!("<li{}>{}{because}</li>", spaces(&event.spaces), escaped(&event.words))
}

/// A button that leads to a decision which is not on the way to the present one.
fn go(session: &Session, id: NodeId) -> String {
    let Some(node) = session.tree().get(id) else { return String::new() };
    let answer = node.answer.split_once(": ").map_or("", |(_, answer)| answer);
    let (number, words) = (id.number(), answer_words(session, node.player, answer));
    format!("<li><button data-go=\"{number}\" data-key=\"go {number}\">{words}</button></li>")
}

/// The tiles that are still to be drawn.
pub(super) fn tiles(session: &Session, artist: &Artist<'_>) -> String {
    let (rules, state) = (session.game().rules(), session.game().state());
    let left = state.tiles_left();
    let all: usize = left.iter().map(|(_, count)| count).sum();
    let mut text = format!("<p>{all} to draw, {} set aside</p>\n<ul class=\"tiles\">\n", state.set_aside().len());
    for (tile, count) in left {
        let name = escaped(short(&rules.tile(tile).id));
        let picture = icon("small", artist.tile(tile, Rotation::R0).body());
        text += &format!("<li title=\"{name}\">{picture}<span class=\"hidden\">{name}</span> {count}</li>\n");
    }
    text + "</ul>\n"
}

/// What went wrong in the rules, and what happened beside the game.
pub(super) fn console(problems: &str, note: &str) -> String {
    let note = if note.is_empty() { String::new() } else { format!("<p>{}</p>\n", escaped(note)) };
    if problems.is_empty() {
        return format!("{note}<p>No script has failed.</p>\n");
    }
    format!(
        "{note}<pre tabindex=\"0\" aria-label=\"The last error\" class=\"error\">{}</pre>\n",
        escaped(problems.trim_end())
    )
}

/// What a screen reader hears after every change.
pub(super) fn said(session: &Session, decision: Option<&Decision>, console: &str) -> String {
    let last = session.history().pop().filter(|told| told.node != Tree::ROOT);
    let mut text = last.map_or_else(String::new, |told| {
        let player = told.player.map_or_else(String::new, |player| answer_words(session, player, &told.answer));
        let events: String = told.events.iter().map(|event| format!(" {}.", escaped(&event.words))).collect();
        format!("{player}.{events} ")
    });
    if let Some(decision) = decision {
        let who = escaped(&session.names().name(decision.player));
        let over = session.game().state().is_over();
        text += &if over { "The game is over.".to_owned() } else { format!("{who}: {}.", escaped(&decision.title)) };
    }
    if !console.is_empty() {
        text += " A rule failed: see the console.";
    }
    text
}
