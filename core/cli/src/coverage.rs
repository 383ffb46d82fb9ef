//! `trencavel coverage NAME`: which hooks, refusals, options and lines of an expansion its scenarios and games reach.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::Arc;

use trencavel_host::diagnostic::SourceFile;
use trencavel_host::library::{Found, Library};
use trencavel_host::resolve::Request;
use trencavel_play::bots::random_table;
use trencavel_play::scenario::{self, Played, Wanted, format::Scenario};
use trencavel_rules::words::DeclKind;
use trencavel_rules::{Setup, short};

use crate::failure::Failure;
use crate::json::Json;
use crate::named::Named;
use crate::play_game::failed;
use crate::scenarios::{files, loaded_for};
use crate::search::Search;
use crate::setup::{begin, load_from};
use crate::tally::{Counting, Shared, Tally};

/// Play the scenarios of an expansion and seeded games; show what of it ran, and how often
///
/// Games are played with the expansion alone, and with everything that its manifest names. A refusal counts when a
/// scenario expects it, when a choice of a game runs into it, and when it stops what a rule asks for; data counts when the ledger or an event names it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel coverage constable --listing")]
pub(crate) struct Args {
    /// The expansion, by id or by the path of its folder
    name: String,
    /// How many games of each sort
    #[arg(long, value_name = "N", default_value_t = 3)]
    games: u64,
    /// The seed of the first game
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print the scripts with how often each line ran
    #[arg(long, conflicts_with = "json")]
    listing: bool,
    #[command(flatten)]
    search: Search,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// What was played, and what came of it.
struct Coverage {
    found: Arc<Found>,
    tally: Tally,
    scenarios: usize,
    failed: usize,
    games: u64,
    neighbours: Vec<String>,
    /// Hooks that were declared in any game: kind, full id, file and line.
    declared: BTreeMap<(DeclKind, String), String>,
    /// Values that scenarios set, by option.
    values: BTreeMap<String, BTreeSet<String>>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let named = Named::find(std::slice::from_ref(&args.name), &args.search)?;
    let id = named.ids.first().cloned().unwrap_or_default();
    let Some(found) = named.library.get(&id) else {
        let problems = named.library.broken(&id).unwrap_or_default().to_vec();
        return Err(Failure::Problems(problems));
    };
    let mut coverage = Coverage::new(Arc::clone(found));
    let shared = Shared::default();
    let library = named.search.library()?;
    for file in files(std::slice::from_ref(&args.name), false, &named.search)? {
        coverage.scenario(&file, &library, &shared);
    }
    let mut request = Request::default();
    request.with(&id);
    coverage.play(&request, args, &named, &shared)?;
    let installed = |id: &&String| named.library.get(id).is_some() && !found.manifest.conflicts.contains_key(*id);
    coverage.neighbours = found.manifest.optional.keys().filter(installed).cloned().collect();
    if !coverage.neighbours.is_empty() {
        coverage.neighbours.iter().for_each(|id| request.with(id));
        coverage.play(&request, args, &named, &shared)?;
    }
    coverage.tally = shared.borrow().clone();
    if args.json {
        return Ok(writeln!(out, "{}", coverage.json().line())?);
    }
    coverage.print(out)?;
    if args.listing { coverage.listing(out) } else { Ok(()) }
}

impl Coverage {
    fn new(found: Arc<Found>) -> Self {
        Self {
            found,
            tally: Tally::default(),
            scenarios: 0,
            failed: 0,
            games: 0,
            neighbours: Vec::new(),
            declared: BTreeMap::new(),
            values: BTreeMap::new(),
        }
    }

    fn id(&self) -> &str {
        &self.found.manifest.id
    }

    fn scenario(&mut self, file: &SourceFile, library: &Library, tally: &Shared) {
        self.scenarios += 1;
        let load = |wanted: &Wanted| {
            let loaded = loaded_for(wanted, library)?;
            let scripts = Counting::new(&loaded, tally)?;
            Ok((loaded.rules, Box::new(scripts) as Box<dyn trencavel_rules::hooks::Scripts>))
        };
        match scenario::played(&file.path.display().to_string(), &file.text, &load) {
            Ok(Played { scenario, game, stopped }) => {
                self.declare(game.rules());
                tally.borrow_mut().game(&game);
                tally.borrow_mut().stopped(game.rules(), &stopped);
                self.expected(&scenario, tally);
            }
            Err(_) => self.failed += 1,
        }
    }

    /// Notes what a scenario says: refusals that are given, options that are set.
    fn expected(&mut self, scenario: &Scenario, tally: &Shared) {
        scenario
            .refused
            .iter()
            .filter_map(|refused| refused.by.as_deref())
            .for_each(|by| tally.borrow_mut().refused(by));
        let prefix = format!("{}.", self.id());
        for option in scenario.wanted.options.iter().filter_map(|option| option.strip_prefix(&prefix)) {
            if let Some((name, value)) = option.split_once('=') {
                self.values.entry(name.to_owned()).or_default().insert(value.to_owned());
            }
        }
    }

    fn declare(&mut self, rules: &trencavel_rules::Ruleset) {
        let own = format!("{}:", self.found.manifest.id);
        for (_, hook) in rules.hooks().filter(|(_, hook)| hook.name.starts_with(&own) && acts(hook.kind)) {
            let place = hook.source.as_ref().map_or_else(String::new, |at| format!("{}:{}", at.file, at.line));
            self.declared.insert((hook.kind, hook.name.to_string()), place);
        }
    }

    fn play(&mut self, request: &Request, args: &Args, named: &Named, tally: &Shared) -> Result<(), Failure> {
        let loaded = load_from(request, &named.search)?;
        self.declare(&loaded.rules);
        let mut scripts = Counting::new(&loaded, tally)
            .map_err(|problem| Failure::usage(problem, "run `trencavel check` on the expansion"))?;
        for seed in args.seed..args.seed.saturating_add(args.games) {
            let players = ["Ann", "Bob", "Cid"].map(str::to_owned).to_vec();
            let mut bots = random_table(seed, players.len());
            let mut game = begin(&loaded, &Setup { players, seed, ..Setup::default() }, &mut scripts)?;
            while !game.state().is_over() {
                note_refusals(&mut game, &mut scripts, tally);
                let action = bots[game.state().decider().index()].choose(&game, &mut scripts);
                tally.borrow_mut().answered(&game, action);
                game.apply(action, &mut scripts).map_err(|error| failed(&error, &loaded))?;
                tally.borrow_mut().stopped(game.rules(), game.stopped());
            }
            tally.borrow_mut().game(&game);
            self.games += 1;
        }
        Ok(())
    }

    /// Hooks of a sort with how often they did something.
    fn hooks(&self, refusals: bool) -> Vec<(&(DeclKind, String), &String, u64)> {
        let of_sort = self.declared.iter().filter(|((kind, _), _)| (*kind == DeclKind::Forbid) == refusals);
        of_sort.map(|(key, place)| (key, place, self.tally.ran(key.0, &key.1))).collect()
    }

    /// Lines of each script with how often they ran, in order.
    fn lines(&self) -> BTreeMap<&str, BTreeMap<u32, u64>> {
        let mut found: BTreeMap<&str, BTreeMap<u32, u64>> = BTreeMap::new();
        for (name, file) in self.found.files.iter().filter(|(name, _)| name.ends_with(".lua")) {
            let path = file.path.display().to_string();
            let of_file = self.tally.lines.iter().filter(|((one, _), _)| *one == path);
            found.insert(name, of_file.map(|((_, line), hits)| (*line, *hits)).collect());
        }
        found
    }

    /// Each option with the values that were played and those that were not.
    fn options(&self) -> Vec<(&str, Vec<String>, Vec<String>)> {
        let of = |option: &trencavel_host::options::OptionDecl| {
            use trencavel_host::options::OptionType::{Bool, OneOf, SetOf};
            let mut used = self.values.get(&option.name).cloned().unwrap_or_default();
            used.insert(option.default.to_string());
            let all: Vec<String> = match &option.kind {
                Bool => vec!["false".to_owned(), "true".to_owned()],
                OneOf(words) | SetOf(words) => words.clone(),
                trencavel_host::options::OptionType::Int { .. } => Vec::new(),
            };
            let reached = |word: &String| used.iter().any(|value| value.split(',').any(|part| part.trim() == word));
            all.into_iter().filter(|word| !reached(word)).collect::<Vec<_>>()
        };
        let used = |option: &trencavel_host::options::OptionDecl| {
            let mut used = self.values.get(&option.name).cloned().unwrap_or_default();
            used.insert(option.default.to_string());
            used.into_iter().collect()
        };
        self.found.manifest.options.iter().map(|option| (option.name.as_str(), used(option), of(option))).collect()
    }

    fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let with = if self.neighbours.is_empty() {
            String::new()
        } else {
            format!(", half of them with {}", self.neighbours.join(", "))
        };
        let failed = if self.failed == 0 { String::new() } else { format!(" ({} cannot be played)", self.failed) };
        writeln!(out, "{}: {} scenarios{failed}, {} games{with}", self.id(), self.scenarios, self.games)?;
        for (title, refusals) in [("hooks", false), ("refusals", true)] {
            let hooks = self.hooks(refusals);
            let ran = hooks.iter().filter(|(_, _, count)| *count > 0).count();
            writeln!(out, "\n{title}: {ran} of {} ran", hooks.len())?;
            for ((kind, name), place, count) in hooks {
                let times = if count == 0 { "never".to_owned() } else { count.to_string() };
                let calls = self.tally.calls.get(&(*kind, name.clone())).copied().unwrap_or(0);
                writeln!(out, "  {times:>7}  {kind} {}  {place}{}", short(name), self.a_turn(calls))?;
            }
        }
        let options = self.options();
        let whole = options.iter().filter(|(_, _, missing)| missing.is_empty()).count();
        writeln!(out, "\noptions: {whole} of {} with every value played", options.len())?;
        for (name, used, missing) in options {
            let never = if missing.is_empty() { String::new() } else { format!("; never {}", missing.join(", ")) };
            writeln!(out, "  {name}: {}{never}", used.join(", "))?;
        }
        writeln!(out, "\nlines:")?;
        for (file, lines) in self.lines() {
            let ran = lines.values().filter(|hits| **hits > 0).count();
            let missed: Vec<String> =
                lines.iter().filter(|(_, hits)| **hits == 0).map(|(line, _)| line.to_string()).collect();
            let never = if missed.is_empty() { String::new() } else { format!("; never {}", missed.join(", ")) };
            writeln!(out, "  {file}: {ran} of {}{never}", lines.len())?;
        }
        Ok(())
    }

    /// Calls of functions, if there are any, as often as they come in a turn.
    fn a_turn(&self, calls: u64) -> String {
        if calls == 0 || self.tally.turns == 0 {
            return String::new();
        }
        format!("  {calls} calls, {:.2} a turn", calls as f64 / self.tally.turns as f64)
    }

    fn listing(&self, out: &mut dyn Write) -> Result<(), Failure> {
        for (name, lines) in self.lines() {
            let Some(file) = self.found.files.get(name) else { continue };
            writeln!(out, "\n{}", file.path.display())?;
            for (number, text) in (1..).zip(file.text.lines()) {
                let count = match lines.get(&number) {
                    None => String::new(),
                    Some(0) => "never".to_owned(),
                    Some(hits) => hits.to_string(),
                };
                writeln!(out, "{}", format!("{count:>9} {number:>4}  {text}").trim_end())?;
            }
        }
        Ok(())
    }

    fn json(&self) -> Json {
        let hook = |((kind, name), place, count): ((&DeclKind, &String), &String, u64)| {
            Json::Object(vec![
                ("kind", Json::text(kind.to_string())),
                ("id", Json::text(name)),
                ("place", Json::text(place)),
                ("count", Json::Int(count as i64)),
            ])
        };
        let hooks = |refusals| {
            self.hooks(refusals).into_iter().map(|(key, place, count)| hook(((&key.0, &key.1), place, count))).collect()
        };
        let lines = self.lines().into_iter().flat_map(|(file, lines)| {
            lines.into_iter().map(move |(line, hits)| {
                Json::Object(vec![
                    ("file", Json::text(file)),
                    ("line", Json::Int(line.into())),
                    ("count", Json::Int(hits as i64)),
                ])
            })
        });
        Json::Object(vec![
            ("id", Json::text(self.id())),
            ("scenarios", Json::Int(self.scenarios as i64)),
            ("failed", Json::Int(self.failed as i64)),
            ("games", Json::Int(self.games as i64)),
            ("hooks", Json::List(hooks(false))),
            ("refusals", Json::List(hooks(true))),
            ("lines", Json::List(lines.collect())),
        ])
    }
}

/// Notes every refusal that a choice of this moment runs into. A refusal that fails shows when it is asked for.
fn note_refusals(game: &mut trencavel_rules::Game, scripts: &mut Counting, tally: &Shared) {
    for action in game.candidates(scripts) {
        for refusal in game.refusals(action, scripts).unwrap_or_default() {
            tally.borrow_mut().refused(&game.rules().hook(refusal.hook).name);
        }
    }
}

/// Declarations that do something; the others are there or not. A waiver shows in what it lets happen.
pub(crate) fn acts(kind: DeclKind) -> bool {
    use DeclKind::{Award, Forbid, Items, Offer, Rate, React, Replace, Resolve, Set, Step, Void};
    matches!(kind, Award | Forbid | Items | Offer | Rate | React | Replace | Resolve | Set | Step | Void)
}
