//! Scenarios: one rule each, as a small position, what is played in it, and what must come of it.
//!
//! A scenario is a TOML file that somebody who knows the rulebook can read:
//!
//! ```toml
//! title  = "B-12 a city of two tiles pays four"
//! play   = ["A: place city-cap 0,-1 r180; deploy follower city"]
//! expect = ["A scores 4 (city)", "A supply follower 7"]
//! ```
//!
//! [`mod@format`] has the keys, [`mod@expect`] the sentences. The tiles to draw are those that `play` places, unless
//! `stack` or `seed` says otherwise; behind them lie others, so that the game goes on, unless `final = true` wants its
//! end.

pub mod expect;
pub mod format;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use trencavel_rules::hooks::Scripts;
use trencavel_rules::ids::{HookId, TileDefId};
use trencavel_rules::save;
use trencavel_rules::{Action, Anchor, Game, Ruleset, State, features, notation, short};

use format::{Scenario, Stack, Turn};

/// The rules that a scenario or a table wants to be played with.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    /// Ids of expansions.
    pub expansions: Vec<String>,
    /// Options, each as `expansion.option=value`.
    pub options: Vec<String>,
}

/// Rules, and what runs their scripts.
pub type Loaded = (Arc<Ruleset>, Box<dyn Scripts>);

/// Gives the rules that are wanted, or says why there are none.
pub type Loader<'a> = dyn Fn(&Wanted) -> Result<Loaded, String> + 'a;

/// A scenario that did not come out as it says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Failure {
    /// The file.
    pub file: String,
    /// Its title, if it could be read.
    pub title: String,
    /// What is wrong, a line each.
    pub differences: Vec<String>,
    /// The board at that moment.
    pub board: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n  {}", self.title, self.file)?;
        for difference in &self.differences {
            writeln!(f, "  - {difference}")?;
        }
        f.write_str(&self.board)
    }
}

/// Reads and plays the scenario of a file.
///
/// # Errors
/// If it cannot be read, cannot be played, or does not come out as it says.
pub fn run_file(path: &Path, load: &Loader<'_>) -> Result<(), Failure> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| failure(&file, "", vec![error.to_string()]))?;
    run(&file, &text, load)
}

/// Plays a scenario. `file` is its name in messages.
///
/// # Errors
/// If it cannot be read, cannot be played, or does not come out as it says.
pub fn run(file: &str, text: &str, load: &Loader<'_>) -> Result<(), Failure> {
    let scenario = Scenario::parse(text).map_err(|problems| failure(file, "", problems))?;
    let mut run = Run::begin(file, &scenario, load)?;
    let differences = match run.play() {
        Ok(()) => run.differences(),
        Err(difference) => vec![difference],
    };
    if differences.is_empty() {
        return Ok(());
    }
    let board = board(&run.game);
    Err(Failure { file: file.to_owned(), title: scenario.title.clone(), differences, board })
}

/// A scenario after all that is played in it, whatever it expects.
#[derive(Debug)]
pub struct Played {
    /// What the file says.
    pub scenario: Scenario,
    /// Its game.
    pub game: Game,
    /// The refusals that stopped something a rule asked for, as often as they did.
    pub stopped: Vec<HookId>,
}

/// Plays a scenario without asking what it expects.
///
/// # Errors
/// If it cannot be read or cannot be played.
pub fn played(file: &str, text: &str, load: &Loader<'_>) -> Result<Played, Failure> {
    let scenario = Scenario::parse(text).map_err(|problems| failure(file, "", problems))?;
    let mut run = Run::begin(file, &scenario, load)?;
    run.play().map_err(|difference| failure(file, &scenario.title, vec![difference]))?;
    let Run { game, stopped, .. } = run;
    Ok(Played { scenario, game, stopped })
}

fn failure(file: &str, title: &str, differences: Vec<String>) -> Failure {
    Failure { file: file.to_owned(), title: title.to_owned(), differences, board: String::new() }
}

/// A scenario that is played.
struct Run<'a> {
    scenario: &'a Scenario,
    game: Game,
    scripts: Box<dyn Scripts>,
    stopped: Vec<HookId>,
}

impl<'a> Run<'a> {
    /// The game before anything is played.
    fn begin(file: &str, scenario: &'a Scenario, load: &Loader<'_>) -> Result<Self, Failure> {
        let fail = |problem: String| failure(file, &scenario.title, vec![problem]);
        let (rules, mut scripts) = load(&scenario.wanted).map_err(fail)?;
        let setup = scenario.setup(&rules).map_err(fail)?;
        let game = Game::from_setup(rules, &setup, scripts.as_mut()).map_err(|error| fail(error.to_string()))?;
        let stopped = game.stopped().to_vec();
        Ok(Self { scenario, game, scripts, stopped })
    }

    fn play(&mut self) -> Result<(), String> {
        for (index, turn) in self.scenario.play.iter().enumerate() {
            let mut answered = false;
            for answer in &turn.answers {
                let told = self.answer(turn, answer, answered);
                answered |= told.map_err(|why| format!("play {}, `{}: {answer}`: {why}", index + 1, turn.player))?;
            }
        }
        self.settle()?;
        if self.scenario.ends && !self.game.state().is_over() {
            return Err(format!("`final` is set, but the game waits for {}", self.game.waits_for()));
        }
        Ok(())
    }

    /// Gives one answer. True if the game asked for it, false if it had already passed by itself.
    fn answer(&mut self, turn: &Turn, text: &str, answered: bool) -> Result<bool, String> {
        loop {
            if let Some(action) = self.offered(turn.player, text)? {
                return self.apply(action).map(|()| true);
            }
            let offered = self.game.legal_actions();
            match offered {
                // Nobody is asked who can only pass.
                _ if text == "pass" && answered && (offered.is_empty() || self.game.is_placing()) => return Ok(false),
                [] => return Err("the game is over".to_owned()),
                [only] => self.apply(*only)?,
                _ => return Err(self.why_not(turn.player, text)),
            }
        }
    }

    fn offered(&self, player: char, text: &str) -> Result<Option<Action>, String> {
        let found = find(&self.game, text)?;
        let decides = notation::letter(self.game.state().decider()) == player;
        Ok(found.filter(|action| decides && self.game.legal_actions().contains(action)))
    }

    fn why_not(&mut self, player: char, text: &str) -> String {
        let decider = notation::letter(self.game.state().decider());
        if decider != player {
            return format!("{decider} decides here");
        }
        let reasons = reasons(&mut self.game, self.scripts.as_mut(), text).unwrap_or_else(|error| vec![error]);
        format!("{}; offered: {}", reasons.join("; "), listing(&self.game))
    }

    fn apply(&mut self, action: Action) -> Result<(), String> {
        self.game.apply(action, self.scripts.as_mut()).map_err(|error| error.to_string())?;
        self.stopped.extend(self.game.stopped());
        Ok(())
    }

    /// Takes what has only one answer, as a game does by itself, up to the next tile.
    fn settle(&mut self) -> Result<(), String> {
        while let ([only], false) = (self.game.legal_actions(), self.game.is_placing()) {
            self.apply(*only)?;
        }
        Ok(())
    }

    fn differences(&mut self) -> Vec<String> {
        let scenario = self.scenario;
        let mut found = Vec::new();
        for line in &scenario.expect {
            found.extend(expect::check(&self.game, line).err().map(|why| format!("expect `{line}`: {why}")));
        }
        for line in &scenario.events {
            found.extend(expect::check_event(&self.game, line).err().map(|why| format!("events `{line}`: {why}")));
        }
        for line in &scenario.offered {
            let offered = find(&self.game, line)
                .map(|action| action.is_some_and(|action| self.game.legal_actions().contains(&action)));
            match offered {
                Ok(true) => {}
                Ok(false) => {
                    let decider = notation::letter(self.game.state().decider());
                    found.push(format!("offered `{line}`: {}", self.why_not(decider, line)));
                }
                Err(why) => found.push(format!("offered `{line}`: {why}")),
            }
        }
        for refused in &scenario.refused {
            let outcome = self.check_refused(&refused.action, refused.by.as_deref());
            found.extend(outcome.err().map(|why| format!("refused `{}`: {why}", refused.action)));
        }
        found
    }

    fn check_refused(&mut self, text: &str, by: Option<&str>) -> Result<(), String> {
        if find(&self.game, text)?.is_some_and(|action| self.game.legal_actions().contains(&action)) {
            return Err("it is offered".to_owned());
        }
        let Some(by) = by else { return Ok(()) };
        let reasons = reasons(&mut self.game, self.scripts.as_mut(), text)?;
        if reasons.iter().any(|reason| reason.split_once(": ").is_some_and(|(id, _)| id == by)) {
            return Ok(());
        }
        Err(format!("not by {by}, but by: {}", reasons.join("; ")))
    }
}

/// The action a text stands for; none for one that only offers have words for and that is not offered.
fn find(game: &Game, text: &str) -> Result<Option<Action>, String> {
    match notation::parse(game, text) {
        Ok(action) => Ok(Some(action)),
        Err(error) => {
            let first = text.split_whitespace().next().unwrap_or_default();
            let own = ["choose", "place", "deploy"].contains(&first);
            let known = own || game.rules().hooks().any(|(_, hook)| *hook.name == *first);
            if known { Ok(None) } else { Err(error.to_string()) }
        }
    }
}

/// Every reason why an action is not offered: the refusal's id and its sentence.
fn reasons(game: &mut Game, scripts: &mut dyn Scripts, text: &str) -> Result<Vec<String>, String> {
    let action = match notation::parse(game, text) {
        Ok(action) => action,
        Err(error) => return Ok(vec![format!("core:not_now: {error}")]),
    };
    let refusals = game.refusals(action, scripts).map_err(|error| error.to_string())?;
    Ok(refusals.iter().map(|refusal| format!("{}: {}", game.rules().hook(refusal.hook).name, refusal.text)).collect())
}

/// What is offered, in words; long lists are cut.
fn listing(game: &Game) -> String {
    const MOST: usize = 12;
    let offered = game.legal_actions();
    let words = offered.iter().take(MOST).map(|action| save::answer_line(game, *action));
    let more = if offered.len() > MOST { format!(" and {} more", offered.len() - MOST) } else { String::new() };
    format!("{}{more}", words.collect::<Vec<_>>().join(", "))
}

/// The tiles of the table with their figures, and the points, a line each.
pub fn board(game: &Game) -> String {
    let (rules, state) = (game.rules(), game.state());
    let mut text = String::new();
    for (id, tile) in state.tiles() {
        text.push_str(&format!("    {} {} {}", tile.at, short(&rules.tile(tile.def).id), tile.rotation));
        for figure in features::figures_on(rules, state, id) {
            text.push_str(&format!("  {}", standing(rules, state, figure)));
        }
        text.push('\n');
    }
    let points: Vec<String> = state.scores().iter().map(ToString::to_string).collect();
    text.push_str(&format!("    points {}; waits for {}\n", points.join(" "), game.waits_for()));
    for line in state.lines() {
        let words = trencavel_rules::ledger::words(rules, state, line);
        text.push_str(&format!("    {}: {words}\n", notation::letter(line.player)));
    }
    text
}

fn standing(rules: &Ruleset, state: &State, figure: trencavel_rules::ids::FigureId) -> String {
    let data = state.figure(figure);
    let kind = short(&rules.figure_kind(data.kind).name);
    let owner = data.owner().map_or(String::new(), |owner| format!("{} ", notation::letter(owner)));
    let place = match data.at {
        Anchor::Seat { segment, .. } => {
            let tile = state.segment_place(segment).0;
            format!(" on {}", notation::segment_words(rules, state, segment, Some(tile)))
        }
        _ => String::new(),
    };
    format!("{owner}{kind}{place}")
}

impl Scenario {
    /// The tiles to draw: what is written, or what is placed, and behind it one of every design.
    fn stack(&self, rules: &Ruleset) -> Result<Option<Vec<TileDefId>>, String> {
        let mut stack = match &self.stack {
            Stack::Shuffled => return Ok(None),
            Stack::Tiles(names) => names.iter().map(|name| format::tile(rules, name)).collect::<Result<Vec<_>, _>>()?,
        };
        if !self.ends {
            let copies = rules.copies().iter().map(|copies| copies.tile);
            let mut more: Vec<TileDefId> = copies.collect();
            more.sort_unstable();
            more.dedup();
            stack.extend(more);
        }
        Ok(Some(stack))
    }
}
