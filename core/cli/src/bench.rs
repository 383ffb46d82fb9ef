//! `trencavel bench`: how many games a second.

use std::io::Write;
use std::path::{Path, PathBuf};

use allocation_counter::AllocationInfo;
use trencavel_host::Loaded;
use trencavel_host::diagnostic::{Diagnostic, SourceFile};
use trencavel_play::bench::{self, BenchError, Kinds, Measured};
use trencavel_rules::SetupError;
use trencavel_rules::hooks::Scripts;

use crate::failure::Failure;
use crate::json::Json;
use crate::play_game::failed;
use crate::setup::{Table, TableArgs};

/// What is measured without a game file.
const USUAL: &str =
    "seed = 1\nplayers = [ { name = \"Ann\", bot = \"random\" }, { name = \"Bob\", bot = \"random\" } ]\n";

/// Measure random games: games and decisions a second, mean points, what each kind of decision takes
///
/// The games are the same every time; `check` is a number made of all their scores, so two measurements with the same
/// check did the same work. A tenth of the games is played twice more, to time every decision and to count allocations.
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
    /// Play the games once and no more, for programs that count instructions
    #[arg(long)]
    plain: bool,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// What a closer look at some of the games finds.
struct Close {
    games: u32,
    decisions: u64,
    allocations: AllocationInfo,
    kinds: Kinds,
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
    let close = if args.plain { None } else { Some(look_closer(&table, args.games.div_ceil(10), &mut scripts)?) };
    if args.json {
        return Ok(writeln!(out, "{}", json(&table, &measured, close.as_ref()).line())?);
    }
    print(out, &table, &measured)?;
    close.map_or(Ok(()), |close| print_close(out, &close))
}

fn look_closer(table: &Table, games: u32, scripts: &mut dyn Scripts) -> Result<Close, Failure> {
    let (rules, setup) = (&table.loaded.rules, &table.setup);
    let mut measured = None;
    let allocations = allocation_counter::measure(|| measured = Some(bench::run(rules, setup, games, scripts)));
    let measured = measured.transpose().map_err(|error| broken(&error, &table.loaded))?;
    let decisions = measured.map_or(0, |measured| measured.decisions);
    let kinds = bench::by_kind(rules, setup, games, scripts).map_err(|error| broken(&error, &table.loaded))?;
    Ok(Close { games, decisions, allocations, kinds })
}

fn print_close(out: &mut dyn Write, close: &Close) -> Result<(), Failure> {
    writeln!(out, "\nof {} of these games:", close.games)?;
    writeln!(out, "{:>12.2} allocations a decision", close.allocations_per_decision())?;
    let Kinds { midgame_bytes, end_bytes, kinds } = &close.kinds;
    writeln!(out, "{midgame_bytes:>12} bytes in a state half way, {end_bytes} at the end")?;
    for kind in kinds {
        writeln!(out, "{:>12.2} µs for each of {} decisions: {}", kind.micros(), kind.decisions, kind.name)?;
    }
    Ok(())
}

impl Close {
    fn allocations_per_decision(&self) -> f64 {
        self.allocations.count_total as f64 / self.decisions.max(1) as f64
    }

    fn json(&self) -> Json {
        let kind = |kind: &bench::Kind| {
            Json::Object(vec![
                ("name", Json::text(&*kind.name)),
                ("decisions", Json::Int(kind.decisions as i64)),
                ("microseconds", Json::Float(kind.micros())),
            ])
        };
        Json::Object(vec![
            ("games", Json::Int(self.games.into())),
            ("allocations_per_decision", Json::Float(self.allocations_per_decision())),
            ("midgame_bytes", Json::Int(self.kinds.midgame_bytes as i64)),
            ("end_bytes", Json::Int(self.kinds.end_bytes as i64)),
            ("kinds", Json::List(self.kinds.kinds.iter().map(kind).collect())),
        ])
    }
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

fn json(table: &Table, measured: &Measured, close: Option<&Close>) -> Json {
    let ids = table.loaded.rules.expansions().iter().map(|expansion| Json::text(&*expansion.id));
    let mut fields = vec![
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
    ];
    fields.extend(close.map(|close| ("close", close.json())));
    Json::Object(fields)
}
