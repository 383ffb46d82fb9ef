//! `trencavel check NAME…`: everything that is wrong with an expansion, and what is most likely a slip.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use trencavel_host::check::{unknown_words, unlisted_verbs, waived_tiles, warnings};
use trencavel_host::diagnostic::Diagnostic;
use trencavel_host::resolve::Request;
use trencavel_host::{Loaded, amnesia, load, tiles};
use trencavel_play::dice::Dice;
use trencavel_rules::{Game, Setup};

use crate::failure::{Failure, Look, write_problem};
use crate::json::Json;
use crate::named::Named;
use crate::search::Search;
use crate::setup::linked;

/// Load expansions: every problem at once, and what is most likely a slip
///
/// Each expansion is loaded alone, and with every box and expansion that it has to do with. Tiles are linted; checks that they
/// fail on purpose are listed. A short random game shows that scripts fail nowhere and remember nothing. The last line is
/// `N errors, M warnings`; the exit code is 1 if there are errors.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel check constable\nExample: trencavel check ./my-expansion")]
pub(crate) struct Args {
    /// Expansions, by id or by the path of their folder
    #[arg(required = true)]
    names: Vec<String>,
    #[command(flatten)]
    search: Search,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// What was found about the expansions that were named.
#[derive(Default)]
struct Report {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    notes: Vec<String>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let named = Named::find(&args.names, &args.search)?;
    let mut report = Report::default();
    for id in &named.ids {
        report.check(id, &named);
    }
    report.errors.sort_by_cached_key(place);
    if args.json {
        writeln!(out, "{}", report.json().line())?;
    } else {
        report.print(out)?;
    }
    if report.errors.is_empty() { Ok(()) } else { Err(Failure::Found) }
}

/// Decisions of the game in which scripts must show that they keep nothing.
const DECISIONS: usize = 60;

impl Report {
    fn check(&mut self, id: &str, named: &Named) {
        let mut request = Request::default();
        request.with(id);
        let alone = self.load(&request, named);
        if alone.is_none() {
            self.hidden_tile_problems(id, named);
        }
        let Some(found) = named.library.get(id) else { return };
        let manifest = &found.manifest;
        let here = |id: &&String| named.library.get(id).is_some() && !manifest.conflicts.contains_key(*id);
        // Tiles of others may carry its marks.
        let carries = |other: &&std::sync::Arc<trencavel_host::library::Found>| {
            let manifest = &other.manifest;
            let names = manifest.includes.iter().any(|one| one == id) || manifest.optional.contains_key(id);
            names && other.files.contains_key(trencavel_host::TILES)
        };
        let boxes = named.library.iter().filter(carries);
        let neighbours = manifest.optional.keys().chain(boxes.map(|other| &other.manifest.id)).filter(here);
        let neighbours: Vec<&String> = neighbours.collect();
        neighbours.iter().for_each(|neighbour| request.with(neighbour));
        let together = if neighbours.is_empty() { alone } else { alone.and_then(|_| self.load(&request, named)) };
        if let Some(loaded) = together {
            self.look_closer(id, &loaded, named);
        }
    }

    /// The rules of a request, or none and its problems noted.
    fn load(&mut self, request: &Request, named: &Named) -> Option<Loaded> {
        match load(request, &named.library, &linked()) {
            Ok(loaded) => Some(loaded),
            Err(problems) => {
                problems.into_iter().for_each(|problem| self.error(problem));
                None
            }
        }
    }

    /// A manifest that cannot be read hides the tiles from whoever plays, but not from their author.
    fn hidden_tile_problems(&mut self, id: &str, named: &Named) {
        let hidden = named.library.broken_files(id).and_then(|files| files.get(trencavel_host::TILES));
        if let Some(Err(problems)) = hidden.map(tiles::parse) {
            problems.into_iter().for_each(|problem| self.error(problem));
        }
    }

    fn look_closer(&mut self, id: &str, loaded: &Loaded, named: &Named) {
        match loaded.declarations(&linked()) {
            Ok(declared) => {
                let installed = |id: &str| named.library.get(id).is_some() || named.library.broken(id).is_some();
                let found = warnings(loaded, &declared, &BTreeSet::from([id]), &installed);
                self.warnings.extend(found);
                let asked = BTreeSet::from([id]);
                let errors = unknown_words(loaded, &asked).into_iter().chain(unlisted_verbs(loaded, &asked));
                errors.for_each(|problem| self.error(problem));
            }
            Err(problem) => self.error(problem),
        }
        // A script with a known slip fails in a game for that and nothing new.
        if self.errors.is_empty() {
            self.play_shortly(loaded);
        }
        if let Some(one) = loaded.resolution.get(id) {
            self.notes.extend(waived_tiles(one));
        }
    }

    fn play_shortly(&mut self, loaded: &Loaded) {
        let players = ["Ann", "Bob"].map(str::to_owned).to_vec();
        let setup = Setup { players, seed: 1, ..Setup::default() };
        let mut dice = Dice::new(setup.seed);
        let choose = |game: &Game| Some(dice.below(game.legal_actions().len()));
        if let Err(forgot) = amnesia(loaded, &setup, DECISIONS, choose) {
            self.error(forgot.diagnostic(loaded));
        }
    }

    fn error(&mut self, problem: Diagnostic) {
        if !self.errors.contains(&problem) {
            self.errors.push(problem);
        }
    }

    fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        for problem in self.errors.iter().chain(&self.warnings) {
            write_problem(out, problem, Look::Plain)?;
        }
        for note in &self.notes {
            writeln!(out, "note: {note}")?;
        }
        Ok(writeln!(out, "{}, {}", counted(self.errors.len(), "error"), counted(self.warnings.len(), "warning"))?)
    }

    fn json(&self) -> Json {
        let place = |problem: &Diagnostic| {
            let file = problem.at.as_ref().map(|(file, _)| file.path.display().to_string());
            vec![
                ("file", Json::text(file.unwrap_or_default())),
                ("line", Json::Int(problem.line().unwrap_or(0) as i64)),
            ]
        };
        let one = |problem: &Diagnostic| {
            let mut pairs = vec![("code", Json::text(problem.code)), ("message", Json::text(&problem.message))];
            pairs.extend(place(problem));
            pairs.push(("help", Json::text(problem.help.clone().unwrap_or_default())));
            Json::Object(pairs)
        };
        Json::Object(vec![
            ("errors", Json::List(self.errors.iter().map(one).collect())),
            ("warnings", Json::List(self.warnings.iter().map(one).collect())),
            ("notes", Json::List(self.notes.iter().map(Json::text).collect())),
        ])
    }
}

/// Where a problem stands: file by file, from top to bottom; at the end those of no file.
fn place(problem: &Diagnostic) -> (bool, Option<(PathBuf, usize)>) {
    let at = problem.at.as_ref().map(|(file, span)| (file.path.clone(), span.start));
    (at.is_none(), at)
}

/// `1 error`, `2 errors`.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
