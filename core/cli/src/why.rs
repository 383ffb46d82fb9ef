//! Why an action is (not) offered, and where points come from: with file and line of every rule that says so.

use std::io::Write;

use trencavel_play::session::choices::maker;
use trencavel_rules::declare::Declaration;
use trencavel_rules::ids::{HookId, PlayerId};
use trencavel_rules::ledger::{self, Line};
use trencavel_rules::words::DeclKind;
use trencavel_rules::{Game, HookInfo, Ruleset, notation, save, short};

use crate::failure::Failure;
use crate::moment::Moment;
use crate::setup::linked;

/// Longer lists of what is offered instead are cut.
const MOST: usize = 12;

/// Tells every offer, refusal and waiver of an action.
pub(crate) fn action(moment: &mut Moment, text: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let Moment { loaded, game, scripts, names } = moment;
    if game.state().is_over() {
        return Ok(writeln!(out, "the game is over: nothing is offered")?);
    }
    let decider = names.full(game.state().decider());
    writeln!(out, "after {} answers {decider} decides: {}", game.answers().len(), game.waits_for())?;
    let action = match notation::parse(game, text) {
        Ok(action) => action,
        Err(error) => {
            writeln!(out, "{error}")?;
            return offered_instead(out, game);
        }
    };
    let refusals = game.refusals(action, scripts).map_err(|error| Failure::hook(&error, loaded))?;
    let offered = game.legal_actions().contains(&action);
    writeln!(out, "`{text}` is {}", if offered { "offered" } else { "not offered" })?;
    if let Some(maker) = maker(game, action) {
        writeln!(out, "  offer    {} {}{}", maker.kind, maker.name, place(maker))?;
    }
    let declared = loaded.declarations(&linked()).map_err(Failure::problem)?;
    for refusal in &refusals {
        let hook = game.rules().hook(refusal.hook);
        writeln!(out, "  refusal  {}: {}{}", hook.name, refusal.text, place(hook))?;
        idle_waivers(out, game.rules(), &declared, refusal.hook)?;
    }
    for lifted in game.lifted(action, scripts).map_err(|error| Failure::hook(&error, loaded))? {
        let hook = game.rules().hook(lifted.hook);
        writeln!(out, "  lifted   {}: {}{}", hook.name, lifted.text, place(hook))?;
        for waiver in &lifted.by {
            writeln!(
                out,
                "    waiver by {} lifts it, {}:{}",
                waiver.expansion, waiver.source.file, waiver.source.line
            )?;
        }
    }
    if offered { Ok(()) } else { offered_instead(out, game) }
}

fn offered_instead(out: &mut dyn Write, game: &Game) -> Result<(), Failure> {
    let offered = game.legal_actions();
    writeln!(out, "offered instead:")?;
    for action in offered.iter().take(MOST) {
        writeln!(out, "  {}", save::answer_line(game, *action))?;
    }
    match offered.len().checked_sub(MOST) {
        None | Some(0) => Ok(()),
        Some(more) => Ok(writeln!(out, "  and {more} more")?),
    }
}

/// The waivers of a refusal that stands, none of which holds here.
fn idle_waivers(
    out: &mut dyn Write,
    rules: &Ruleset,
    declared: &[Declaration],
    refusal: HookId,
) -> Result<(), Failure> {
    let name = &rules.hook(refusal).name;
    let waivers = declared.iter().filter(|one| one.kind == DeclKind::Waive);
    for waiver in waivers.filter(|one| refusal_of(rules, one).is_some_and(|hook| hook.name == *name)) {
        let place = format!("{}:{}", waiver.source.file, waiver.source.line);
        writeln!(out, "    waiver by {} does not lift it here, {place}", waiver.expansion)?;
    }
    Ok(())
}

/// The refusal that a waiver names.
fn refusal_of<'a>(rules: &'a Ruleset, waiver: &Declaration) -> Option<&'a HookInfo> {
    let forbids = || rules.hooks().map(|(_, hook)| hook).filter(|hook| hook.kind == DeclKind::Forbid);
    let own = format!("{}:{}", waiver.expansion, waiver.id);
    let exact = forbids().find(|hook| *hook.name == *waiver.id || *hook.name == own);
    exact.or_else(|| forbids().find(|hook| short(&hook.name) == waiver.id))
}

/// `, scripts/inn/rules.lua:3`, or nothing for what the core itself says.
fn place(hook: &HookInfo) -> String {
    hook.source.as_ref().map_or_else(String::new, |source| format!(", {}:{}", source.file, source.line))
}

/// Tells every point of a player: each line of the ledger, and below it whatever counted in it.
pub(crate) fn score(moment: &Moment, player: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let Moment { game, names, .. } = moment;
    let all = (0..game.state().players()).map(PlayerId::from_index);
    let is = |id: &PlayerId| {
        names.name(*id).eq_ignore_ascii_case(player) || notation::letter(*id).to_string().eq_ignore_ascii_case(player)
    };
    let Some(player) = all.clone().find(is) else {
        let known: Vec<String> = all.map(|id| names.full(id)).collect();
        return Err(Failure::usage(format!("nobody is called `{player}`"), format!("players: {}", known.join(", "))));
    };
    writeln!(out, "{}: {} points", names.full(player), game.state().score(player))?;
    game.state().lines().iter().filter(|line| line.player == player).try_for_each(|line| explain_line(out, game, line))
}

fn explain_line(out: &mut dyn Write, game: &Game, line: &Line) -> Result<(), Failure> {
    let (rules, state) = (game.rules(), game.state());
    let told = ledger::words(rules, state, line);
    let sum = told.split(", ").next().unwrap_or_default();
    writeln!(out, "  turn {:>3} {:>+4}  {sum}", line.turn, line.points)?;
    let mut hooks: Vec<HookId> = Vec::new();
    for item in state.items(line) {
        hooks.extend([item.hook, item.rated_by]);
    }
    hooks.push(line.hook);
    let mut told: Vec<HookId> = Vec::new();
    for hook in hooks.into_iter().filter(|hook| *hook != HookId::default()) {
        if !told.contains(&hook) {
            let info = rules.hook(hook);
            writeln!(out, "                 {} {}{}", info.kind, info.name, place(info))?;
            told.push(hook);
        }
    }
    Ok(())
}
