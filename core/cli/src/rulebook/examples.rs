//! Examples of a rulebook: scenarios that are played with the options of the mix, as pictures with their score lines.

use trencavel_host::resolve::Resolved;
use trencavel_play::scenario::format::Scenario;
use trencavel_play::scenario::{Played, Wanted, played};
use trencavel_rules::{Game, ledger, notation};
use trencavel_view::svg::Artist;

use super::{Book, image};
use crate::html::escaped;
use crate::pictures::gallery;
use crate::scenarios;

/// Boards of more tiles are no examples.
const MOST: usize = 14;

/// The first scenarios of an expansion in which somebody scores, one of each rule.
pub(super) fn of(book: &Book<'_>, one: &Resolved) -> String {
    let texts = one.found.files.iter().filter(|(name, _)| name.starts_with("tests/") && name.ends_with(".toml"));
    let mut rules: Vec<String> = Vec::new();
    let mut html = String::new();
    for (name, file) in texts {
        if rules.len() == book.examples {
            break;
        }
        let Ok(scenario) = Scenario::parse(&file.text) else { continue };
        let rule = scenario.title.split_whitespace().next().unwrap_or_default().to_owned();
        if rules.contains(&rule) || !fits(book, &scenario.wanted) {
            continue;
        }
        let load = |wanted: &Wanted| scenarios::rules(wanted, book.library);
        // A scenario that cannot be played is reported by `trencavel test`; here it is no example.
        let Ok(Played { scenario, game, .. }) = played(name, &file.text, &load) else { continue };
        if !game.state().lines().is_empty() && game.state().tiles().count() <= MOST {
            html += &figure(book, &scenario, &game);
            rules.push(rule);
        }
    }
    if html.is_empty() { html } else { format!("<h3>Examples</h3>\n<div class=\"examples\">\n{html}</div>\n") }
}

/// True if a scenario asks for nothing that this mix does not have.
fn fits(book: &Book<'_>, wanted: &Wanted) -> bool {
    let set = |option: &String| {
        let (path, value) = option.split_once('=').unwrap_or((option, ""));
        let (expansion, name) = path.split_once('.').unwrap_or((path, ""));
        let one = book.loaded.resolution.expansions.iter().find(|one| one.id() == expansion.trim());
        let now = one.and_then(|one| one.options.get(name.trim()));
        now.is_some_and(|now| now.to_string() == value.trim().trim_matches('"'))
    };
    wanted.expansions.iter().all(|id| book.plays(id)) && wanted.options.iter().all(set)
}

fn figure(book: &Book<'_>, scenario: &Scenario, game: &Game) -> String {
    let (rules, state) = (game.rules(), game.state());
    let Ok(gallery) = gallery(book.library, rules) else { return String::new() };
    let board = Artist::new(rules, &gallery).board(state);
    let line = |line: &ledger::Line| {
        let letter = notation::letter(line.player);
        format!("<li>{letter} {:+}: {}</li>\n", line.points, escaped(&ledger::words(rules, state, line)))
    };
    let lines: String = state.lines().iter().map(line).collect();
    let title = escaped(&scenario.title);
    format!(
        "<figure>\n{}\n<figcaption><b>{title}</b>\n<ul>\n{lines}</ul>\n</figcaption>\n</figure>\n",
        image(&board, &scenario.title)
    )
}
