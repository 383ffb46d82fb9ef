//! The decision as a list of buttons: what is offered, and in grey what is refused, with its reasons.

use trencavel_play::session::Session;
use trencavel_play::session::choices::{Choice, ChoiceKind, Decision, Reason};

use crate::html::escaped;
use crate::play::is_implied;

/// What stands in the place of choices while a bot is kept from choosing.
const WAITING: &str = "<p class=\"waiting\">A bot decides here and waits: <q>Bots on</q> above lets it go on.</p>\n";

/// The element of a choice.
pub(super) fn id(number: usize) -> String {
    format!("choice-{number}")
}

/// The decision with its choices; who won once there are none.
pub(super) fn panel(session: &Session, decision: Option<&Decision>, bots_wait: bool) -> String {
    let Some(decision) = decision else {
        return "<h2 tabindex=\"-1\">The rules failed</h2>\n<p>The console says where. Take the last answer back, or \
                repair the rules.</p>\n"
            .to_owned();
    };
    let at = session.cursor().number();
    if session.game().state().is_over() {
        return format!("<h2 tabindex=\"-1\" data-at=\"{at}\">The game is over</h2>\n{}", winners(session));
    }
    let who = escaped(&session.names().name(decision.player));
    let home = decision.expansion.as_ref().map_or_else(String::new, |title| home(title));
    let head = format!("<h2 tabindex=\"-1\" data-at=\"{at}\">{who}: {}{home}</h2>\n", escaped(&decision.title));
    if session.is_bots_turn() {
        return head + if bots_wait { WAITING } else { "<p>A bot decides here &#8230;</p>\n" };
    }
    // Whose choices these are need not be said where nobody doubts it.
    let usual = |title: &str| decision.expansion.as_deref() == Some(title) || is_implied(session, title);
    head + &lists(&decision.choices, &usual)
}

/// Who has most points.
fn winners(session: &Session) -> String {
    let scores = session.game().state().scores();
    let best = scores.iter().max().copied().unwrap_or_default();
    let winners =
        (0..scores.len()).filter(|seat| scores[*seat] == best).map(trencavel_rules::ids::PlayerId::from_index);
    let names: Vec<String> = winners.map(|player| escaped(&session.names().name(player))).collect();
    format!("<p class=\"big\">{} with {best} points</p>\n", names.join(" and "))
}

fn lists(choices: &[Choice], usual: &dyn Fn(&str) -> bool) -> String {
    let (mut offered, mut refused) = (String::new(), String::new());
    for (number, choice) in choices.iter().enumerate() {
        let list = if choice.is_offered() { &mut offered } else { &mut refused };
        *list += &entry(number, choice, usual);
    }
    let mut text = format!("<ul class=\"offered\">\n{offered}</ul>\n");
    if !refused.is_empty() {
        // Of a tile there are too many to read them all.
        let placing = choices.iter().any(|choice| choice.kind == ChoiceKind::Place);
        let open = if placing { "" } else { " open" };
        text += &format!(
            "<details class=\"refusals\"{open}><summary>Refused <span class=\"count\"></span></summary>\n\
             <ul class=\"refused\">\n{refused}</ul></details>\n"
        );
    }
    text
}

fn entry(number: usize, choice: &Choice, usual: &dyn Fn(&str) -> bool) -> String {
    let id = id(number);
    let turn = choice.place.rotation.map_or_else(String::new, |turn| format!(" data-way=\"{}\"", turn.index()));
    let home = choice.expansion.as_deref().filter(|title| !usual(title)).map_or_else(String::new, home);
    let (words, notation) = (escaped(&choice.words), escaped(&choice.notation));
    if choice.is_offered() {
        return format!(
            "<li{turn}><button id=\"{id}\" data-key=\"{notation}\" data-answer=\"{notation}\"><span>{words}</span>{home}</button></li>\n"
        );
    }
    let reasons: String = choice.reasons.iter().map(reason).collect();
    format!(
        "<li{turn}><button id=\"{id}\" data-key=\"{notation}\" aria-disabled=\"true\" aria-describedby=\"{id}-why\">\
         <span>{words}</span>{home}</button><ul class=\"why\" id=\"{id}-why\">{reasons}</ul></li>\n"
    )
}

fn reason(reason: &Reason) -> String {
    let title = reason.expansion.as_deref().map_or_else(String::new, home);
    let source = reason.source.as_ref().map_or_else(String::new, |(file, line)| format!(", {file}:{line}"));
    format!("<li>{}{title} <code>{}{}</code></li>", escaped(&reason.text), escaped(&reason.id), escaped(&source))
}

fn home(title: &str) -> String {
    format!(" <span class=\"home\">{}</span>", escaped(title))
}
