//! `trencavel bench`: how many games a second.

use std::io::Write;
use std::path::{Path, PathBuf};

use trencavel_host::Loaded;
use trencavel_host::diagnostic::{Diagnostic, SourceFile};
use trencavel_play::bench::{self, BenchError, Measured};
use trencavel_rules::SetupError;

use crate::failure::Failure;
use crate::json::Json;
use crate::play_game::failed;
use crate::setup::{Table, TableArgs};

/// What is measured without a game file.
const USUAL: &str =
    "seed = 1\nplayers = [ { name = \"Ann\", bot = \"random\" }, { name = \"Bob\", bot = \"random\" } ]\n";

/// Measure random games: games and decisions a second, mean points
///
/// The games are the same every time; `check` is a number made of all their scores, so two measurements with the same
/// check did the same work.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel bench --games 10000 examples/base.toml")]
pub(crate) struct Args {
    /// The game file; without one, the base game with two players
    game: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let table = match &args.game {
        Some(file) => Table::of_file(file, &args.table)?,
        None => {
            let file = SourceFile { path: Path::new("the usual game").to_owned(), text: USUAL.into() };
            Table::of_text(&file, &args.table)?
        }
    };
    let mut scripts = table.loaded.scripts().map_err(Failure::problem)?;
    let measured = bench::run(&table.loaded.rules, &table.setup, args.games, &mut scripts)
        .map_err(|error| broken(&error, &table.loaded))?;
    if args.json {
        return Ok(writeln!(out, "{}", json(&table, &measured).line())?);
    }
    print(out, &table, &measured)
}

fn broken(error: &BenchError, loaded: &Loaded) -> Failure {
    match error {
        BenchError::Setup(SetupError::Hook(error)) => Failure::hook(error, loaded),
        BenchError::Action(error) => failed(error, loaded),
        other => Failure::problem(Diagnostic::new("C005", other.to_string())),
    }
}

fn print(out: &mut dyn Write, table: &Table, measured: &Measured) -> Result<(), Failure> {
    let ids: Vec<&str> = table.loaded.rules.expansions().iter().map(|expansion| &*expansion.id).collect();
    writeln!(out, "{} games, seeds from {}, expansions: {}", measured.games, table.setup.seed, ids.join(", "))?;
    writeln!(out, "{:>12.1} games a second", measured.games_per_second())?;
    writeln!(out, "{:>12.0} decisions a second", measured.decisions_per_second())?;
    writeln!(out, "{:>12.2} script calls a turn", measured.calls_per_turn())?;
    for (name, mean) in table.setup.players.iter().zip(measured.means()) {
        writeln!(out, "{mean:>12.2} points on average: {name}")?;
    }
    Ok(writeln!(out, "check: {:016x}", measured.check)?)
}

fn json(table: &Table, measured: &Measured) -> Json {
    let ids = table.loaded.rules.expansions().iter().map(|expansion| Json::text(&*expansion.id));
    Json::Object(vec![
        ("games", Json::Int(measured.games.into())),
        ("decisions", Json::Int(measured.decisions as i64)),
        ("turns", Json::Int(measured.turns as i64)),
        ("script_calls", Json::Int(measured.calls as i64)),
        ("seconds", Json::Float(measured.time.as_secs_f64())),
        ("games_per_second", Json::Float(measured.games_per_second())),
        ("decisions_per_second", Json::Float(measured.decisions_per_second())),
        ("mean_points", Json::List(measured.means().map(Json::Float).collect())),
        ("expansions", Json::List(ids.collect())),
        ("check", Json::text(format!("{:016x}", measured.check))),
    ])
}
