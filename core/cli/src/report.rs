//! What a game looks like at one moment: board, decision, scores with every point explained.

use std::io::Write;

use trencavel_play::telling::Names;
use trencavel_rules::{Game, Ruleset, ids::PlayerId, ledger, notation, short};
use trencavel_view::text;

use crate::failure::Failure;
use crate::json::Json;

/// One line for each expansion with its options.
pub(crate) fn ruleset(out: &mut dyn Write, rules: &Ruleset) -> Result<(), Failure> {
    for expansion in rules.expansions() {
        let options: Vec<String> = expansion.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let line = format!("{} {} {}  {}", expansion.id, expansion.version, expansion.title, options.join(" "));
        writeln!(out, "  {}", line.trim_end())?;
    }
    Ok(())
}

/// The board as text.
pub(crate) fn board(out: &mut dyn Write, game: &Game) -> Result<(), Failure> {
    Ok(write!(out, "{}", text::board(game.rules(), game.state()))?)
}

/// Every player's points, each explained by its ledger line.
pub(crate) fn scores(out: &mut dyn Write, game: &Game, names: &Names) -> Result<(), Failure> {
    let (rules, state) = (game.rules(), game.state());
    for player in players(game) {
        writeln!(out, "{}: {} points", names.full(player), state.score(player))?;
        for line in state.lines().iter().filter(|line| line.player == player) {
            let words = ledger::words(rules, state, line);
            writeln!(out, "  turn {:>3} {:>+4}  {words}", line.turn, line.points)?;
        }
    }
    Ok(())
}

/// Every player's points, on one line.
pub(crate) fn totals(out: &mut dyn Write, game: &Game, names: &Names) -> Result<(), Failure> {
    let totals: Vec<String> =
        players(game).map(|player| format!("{} {}", names.full(player), game.state().score(player))).collect();
    Ok(writeln!(out, "scores: {}", totals.join(", "))?)
}

/// Figures that each player has in front of him.
pub(crate) fn supplies(out: &mut dyn Write, game: &Game, names: &Names) -> Result<(), Failure> {
    let (rules, state) = (game.rules(), game.state());
    for player in players(game) {
        let held: Vec<String> = rules
            .figure_kinds()
            .map(|(kind, data)| (state.supply(player, kind), short(&data.name)))
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{count} {name}"))
            .collect();
        let held = if held.is_empty() { "nothing".to_owned() } else { held.join(", ") };
        writeln!(out, "{} has {held}", names.full(player))?;
    }
    Ok(())
}

/// The state in one number, as text.
pub(crate) fn digest(game: &Game) -> String {
    format!("{:016x}", game.state().digest())
}

/// Whose turn it is, what the game waits for, and what may be chosen.
pub(crate) fn decision(out: &mut dyn Write, game: &Game, names: &Names) -> Result<(), Failure> {
    let (rules, state) = (game.rules(), game.state());
    if state.is_over() {
        return Ok(writeln!(out, "the game is over")?);
    }
    let left = state.pile_len();
    writeln!(
        out,
        "turn {}, {left} tiles to draw; {} decides: {}",
        state.turn(),
        names.full(state.decider()),
        game.waits_for()
    )?;
    if let Some(tile) = state.hand() {
        writeln!(out, "in hand: {}", short(&rules.tile(tile).id))?;
    }
    if let Some(tile) = state.placed().map(|tile| state.tile(tile)) {
        writeln!(out, "just placed: {} {} {}", short(&rules.tile(tile.def).id), tile.at, tile.rotation)?;
    }
    for action in game.legal_actions() {
        writeln!(out, "  {}", notation::action(rules, state, *action))?;
    }
    Ok(())
}

/// The state for other programs.
pub(crate) fn json(game: &Game, names: &Names, seed: u64) -> Json {
    let (rules, state) = (game.rules(), game.state());
    let player = |player: PlayerId| {
        Json::Object(vec![
            ("letter", Json::text(notation::letter(player))),
            ("name", Json::text(names.name(player))),
            ("points", Json::Int(state.score(player).into())),
        ])
    };
    let line = |line: &ledger::Line| {
        Json::Object(vec![
            ("player", Json::text(notation::letter(line.player))),
            ("turn", Json::Int(line.turn.into())),
            ("points", Json::Int(line.points.into())),
            ("cause", Json::text(rules.cause_word(line.cause))),
            ("words", Json::text(ledger::words(rules, state, line))),
        ])
    };
    let expansion = |expansion: &trencavel_rules::Expansion| {
        Json::Object(vec![("id", Json::text(&*expansion.id)), ("version", Json::text(&expansion.version))])
    };
    let options = game.legal_actions().iter().map(|action| Json::text(notation::action(rules, state, *action)));
    Json::Object(vec![
        // Not every reader keeps 64 bits of a number.
        ("seed", Json::text(seed.to_string())),
        ("expansions", Json::List(rules.expansions().iter().map(expansion).collect())),
        ("over", Json::Bool(state.is_over())),
        ("turn", Json::Int(state.turn().into())),
        ("decisions", Json::Int(state.decisions().into())),
        ("players", Json::List(players(game).map(player).collect())),
        ("ledger", Json::List(state.lines().iter().map(line).collect())),
        ("options", Json::List(options.collect())),
        ("digest", Json::text(digest(game))),
    ])
}

fn players(game: &Game) -> impl Iterator<Item = PlayerId> {
    (0..game.state().players()).map(PlayerId::from_index)
}
