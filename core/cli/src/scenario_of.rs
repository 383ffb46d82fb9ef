//! A moment of a save as a scenario: the position with what is played in it, if that leads to the same decision; else
//! the whole game up to there.

use trencavel_host::Loaded;
use trencavel_play::scenario::{self, Wanted};
use trencavel_rules::ids::{FigureId, PlayerId};
use trencavel_rules::{Anchor, Game, Ruleset, State, notation, short};

use crate::failure::Failure;
use crate::replay;
use crate::save_file::Saved;
use crate::scenarios::rules;
use crate::search::Search;
use crate::setup::IMPLIED;

/// As many options are listed; more say nothing to a reader.
const MOST: usize = 40;

/// A scenario that was tried and passes.
pub(crate) struct Made {
    pub(crate) text: String,
    /// What it begins with, in words.
    pub(crate) how: &'static str,
}

/// The scenario of the moment after `at` answers of a save.
pub(crate) fn scenario(saved: &Saved, loaded: &Loaded, at: usize, search: &Search) -> Result<Made, Failure> {
    let game = state_after(saved, loaded, at)?;
    let head = head(saved, loaded, at);
    let expected = expected(&game);
    let forced = forced_tile(saved, loaded, at, &game)?;
    let library = search.library()?;
    let load = |wanted: &Wanted| rules(wanted, &library);
    let short_form = format!("{head}{}{expected}", position(saved, loaded, at, &game, forced.as_ref())?);
    if scenario::run("the position", &short_form, &load).is_ok() {
        return Ok(Made { text: short_form, how: "it begins with the position" });
    }
    let long_form = format!("{head}{}{expected}", whole_game(saved, at, forced.as_ref()));
    match scenario::run("the game", &long_form, &load) {
        Ok(()) => Ok(Made { text: long_form, how: "it plays the game up to there, which no position alone says" }),
        Err(failure) => {
            let why = failure.differences.join("; ");
            let help = "scenarios have one box of each expansion; try another moment";
            Err(Failure::usage(format!("this moment cannot be written as a scenario: {why}"), help))
        }
    }
}

/// A tile that fitted in one way only, so that nobody was asked and the save has no answer for it.
struct Forced {
    tile: String,
    answer: String,
}

/// The tile that was placed without an answer after the last one, if one was.
fn forced_tile(saved: &Saved, loaded: &Loaded, at: usize, game: &Game) -> Result<Option<Forced>, Failure> {
    let (rules, state) = (game.rules(), game.state());
    let Some(placed) = state.placed().filter(|_| !game.is_placing()).map(|tile| *state.tile(tile)) else {
        return Ok(None);
    };
    let last = at.checked_sub(1).and_then(|last| saved.replay.answers.get(last));
    let space = format!(" {} ", placed.at);
    let answered = last.is_some_and(|answer| answer.contains(": place ") && answer.contains(&space));
    let lay_there = at > 0 && state_after(saved, loaded, at - 1)?.state().tile_at(placed.at).is_some();
    if answered || lay_there {
        return Ok(None);
    }
    let tile = rules.tile(placed.def).id.to_string();
    let who = notation::letter(state.player());
    Ok(Some(Forced { answer: format!("{who}: place {tile} {} {}", placed.at, placed.rotation), tile }))
}

fn state_after(saved: &Saved, loaded: &Loaded, at: usize) -> Result<Game, Failure> {
    let mut scripts = loaded.scripts().map_err(Failure::problem)?;
    replay::play(Some(at), saved, loaded, &saved.lock.differences(&loaded.lock), &mut scripts)
}

/// Title, expansions, options that are not the usual ones, players.
fn head(saved: &Saved, loaded: &Loaded, at: usize) -> String {
    let name = saved.file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut text = format!("title      = {:?}\n", format!("{name} after {at} answers"));
    let here = || loaded.resolution.expansions.iter();
    let ids: Vec<String> = here().map(|one| one.id().to_owned()).filter(|id| !IMPLIED.contains(&id.as_str())).collect();
    text += &list("expansions", &ids);
    let mut options = Vec::new();
    for one in here() {
        let unusual = one
            .options
            .iter()
            .filter(|(name, value)| one.found.manifest.option(name).is_none_or(|option| option.default != **value));
        options.extend(
            unusual.map(|(name, value)| format!("{:?} = {:?}", format!("{}.{name}", one.id()), value.to_string())),
        );
    }
    if !options.is_empty() {
        text += &format!("options    = {{ {} }}\n", options.join(", "));
    }
    text + &list("players", &saved.replay.players)
}

/// The table before the part in which the moment lies, and what was answered since.
fn position(
    saved: &Saved,
    loaded: &Loaded,
    at: usize,
    game: &Game,
    forced: Option<&Forced>,
) -> Result<String, Failure> {
    let answers = &saved.replay.answers[..at];
    let places = |answer: &String| answer.get(3..).is_some_and(|words| words.starts_with("place "));
    let first = if game.is_placing() { at } else { answers.iter().rposition(places).unwrap_or(at) };
    let before = state_after(saved, loaded, first)?;
    let (rules, state) = (before.rules(), before.state());
    let tile =
        |tile: &trencavel_rules::PlacedTile| format!("{} {} {}", rules.tile(tile.def).id, tile.at, tile.rotation);
    let mut text = format!("first      = {:?}\n", notation::letter(state.player()).to_string());
    text += &list("start", &state.tiles().map(|(_, placed)| tile(placed)).collect::<Vec<_>>());
    text += &list("figures", &state.figures().filter_map(|(id, _)| standing(rules, state, id)).collect::<Vec<_>>());
    text += &format!("scores     = {:?}\n", state.scores());
    let hand = state.hand().map(|hand| rules.tile(hand).id.to_string());
    text += &list("stack", &hand.into_iter().chain(forced.map(|forced| forced.tile.clone())).collect::<Vec<_>>());
    Ok(text + &play(&answers[first..], forced))
}

/// A figure of the table as a scenario names it; none for one that is elsewhere.
fn standing(rules: &Ruleset, state: &State, figure: FigureId) -> Option<String> {
    let data = state.figure(figure);
    let kind = short(&rules.figure_kind(data.kind).name);
    let owner = data.owner().map_or(String::new(), |owner| format!("{} ", notation::letter(owner)));
    match data.at {
        Anchor::Seat { segment, seat } => {
            let place = notation::segment_words(rules, state, segment, None);
            Some(format!("{owner}{kind} {place} as {}", short(rules.seat_name(seat))))
        }
        Anchor::Tile(tile) => Some(format!("{owner}{kind} {}", state.tile(tile).at)),
        _ => None,
    }
}

fn whole_game(saved: &Saved, at: usize, forced: Option<&Forced>) -> String {
    let replay = &saved.replay;
    let mut text = format!("first      = {:?}\n", notation::letter(PlayerId::from_index(replay.first)).to_string());
    text += &format!("seed       = {}\n", replay.seed);
    if let Some(starts) = &replay.starts {
        let starts = starts.iter().map(|(tile, at, rotation)| format!("{tile} {at} {rotation}"));
        text += &list("start", &starts.collect::<Vec<_>>());
    }
    if let Some(stack) = &replay.stack {
        text += &list("stack", stack);
    }
    text + &play(&replay.answers[..at], forced)
}

/// Answers, those of a part on one line.
fn play(answers: &[String], forced: Option<&Forced>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for answer in answers.iter().chain(forced.map(|forced| &forced.answer)) {
        let (who, words) = answer.split_once(": ").unwrap_or(("A", answer));
        match lines.last_mut() {
            Some(line) if line.starts_with(who) && !words.starts_with("place ") => *line += &format!("; {words}"),
            _ => lines.push(answer.clone()),
        }
    }
    list("play", &lines)
}

/// What is so at the moment.
fn expected(game: &Game) -> String {
    let (rules, state) = (game.rules(), game.state());
    let mut lines = Vec::new();
    for player in (0..state.players()).map(PlayerId::from_index) {
        let letter = notation::letter(player);
        lines.push(format!("{letter} has {} points", state.score(player)));
        let figures = rules.figure_kinds().filter(|(_, data)| data.class != trencavel_rules::Class::Neutral);
        lines.extend(
            figures.map(|(kind, data)| format!("{letter} supply {} {}", short(&data.name), state.supply(player, kind))),
        );
    }
    if state.is_over() {
        lines.push("game over".to_owned());
        return format!("final      = true\n{}", list("expect", &lines));
    }
    lines.push(format!("decider {}", notation::letter(state.decider())));
    lines.push(format!("waits for {}", game.waits_for()));
    let offered: Vec<String> =
        game.legal_actions().iter().take(MOST).map(|action| notation::action(rules, state, *action)).collect();
    list("expect", &lines) + &list("offered", &offered)
}

/// A key with a list of texts; short ones on one line.
fn list(key: &str, items: &[String]) -> String {
    let quoted: Vec<String> = items.iter().map(|item| format!("{item:?}")).collect();
    let line = format!("{key:<10} = [{}]\n", quoted.join(", "));
    if line.len() <= 110 { line } else { format!("{key:<10} = [\n  {},\n]\n", quoted.join(",\n  ")) }
}
