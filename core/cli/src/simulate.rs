//! `trencavel simulate`: many games of one table, written down for other programs.

pub(crate) mod store;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use trencavel_host::Loaded;
use trencavel_host::diagnostic::Diagnostic;
use trencavel_play::rows::GameRow;
use trencavel_play::simulate::{Block, Campaign, Failed, GameError, Next};
use trencavel_play::stats::Mean;
use trencavel_rules::SetupError;

use crate::failure::Failure;
use crate::json::Json;
use crate::play_game::failed;
use crate::setup::{Table, TableArgs, quoted};
use store::{GAMES, Head, Store, parse_shard};

/// Play many games and write one row a game and one a score line
///
/// The folder holds `games.csv`, `scores.csv` and `campaign.txt` (command, seed and lock), ready for DuckDB, Polars and
/// pandas. The same command gives the same rows, whatever the number of threads. It stops at Ctrl-C with what it has;
/// the same command goes on from there.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel simulate examples/base.toml --games 10000 --out campaign\n\
                        Example: trencavel simulate examples/base.toml --games 10000 --shard 2/10 --out shard-2")]
pub(crate) struct Args {
    /// The game file: players with their bots, expansions, options, seed
    game: PathBuf,
    #[command(flatten)]
    table: TableArgs,
    /// Games of the whole campaign
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Games played at the same time; as many as there are cores without it
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Play this slice of the campaign only (`2/10`); `trencavel merge` puts slices together
    #[arg(long, value_name = "I/N", value_parser = parse_shard, default_value = "1/1")]
    shard: (u64, u64),
    /// Stop when the 95 % interval of each seat's share of wins is at most so wide to either side
    #[arg(long, value_name = "PERCENT", value_parser = percent, conflicts_with = "shard")]
    until_precision: Option<f64>,
    /// Print the summary as one line of JSON
    #[arg(long)]
    json: bool,
}

/// `0.5%` as 0.005.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).parse().ok();
    let wrong = || "write a percentage between 0 and 50, such as `0.5%`".to_owned();
    number.filter(|percent| *percent > 0.0 && *percent < 50.0).map(|percent: f64| percent / 100.0).ok_or_else(wrong)
}

/// Games before a precision is believed.
const LEAST: u64 = 100;

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// From now on, Ctrl-C asks campaigns to stop.
pub(crate) fn stop_at_key() -> &'static AtomicBool {
    static ONCE: Once = Once::new();
    // Without a handler the process ends at once, which loses nothing that is written.
    ONCE.call_once(|| drop(ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed))));
    &STOP
}

pub(crate) fn threads(wanted: Option<usize>) -> usize {
    wanted.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let table = Table::of_file(&args.game, &args.table)?;
    let head = head(args, &table);
    let mut store = Store::open(&args.out, &head)?;
    if let Some(dropped) = store.dropped.as_ref().filter(|_| !args.json) {
        writeln!(out, "note: {dropped}")?;
    }
    let slice = head.slice();
    let campaign = Campaign { loaded: &table.loaded, setup: table.setup.clone(), bots: table.bots.clone() };
    let mut progress = Progress::new(slice.end - slice.start, store.rows.len() as u64);
    let mut precise = Precision::new(args.until_precision, &store.rows);
    let mut broken = None;
    if !precise.is_reached() {
        let left = slice.start + store.rows.len() as u64..slice.end;
        campaign.run(left, threads(args.threads), stop_at_key(), |block| {
            let next = take(block, &mut store, &mut precise, &mut broken)?;
            progress.tell(store.rows.len() as u64);
            Ok::<_, Failure>(next)
        })?;
    }
    summary(out, args, &store.rows, slice.end - slice.start)?;
    if let Some(error) = broken {
        return Err(not_played(&error, &table.loaded));
    }
    let whole = slice.start + store.rows.len() as u64 == slice.end;
    if whole || precise.is_reached() { Ok(()) } else { Err(Failure::Found) }
}

fn take(
    block: Block,
    store: &mut Store,
    precise: &mut Precision,
    broken: &mut Option<Failed>,
) -> Result<Next, Failure> {
    let mut rows = block.rows;
    let enough = rows.iter().position(|rows| precise.add(&rows.game));
    rows.truncate(enough.map_or(rows.len(), |last| last + 1));
    store.append(rows)?;
    *broken = block.failed.filter(|_| enough.is_none());
    Ok(if enough.is_some() { Next::Enough } else { Next::More })
}

fn head(args: &Args, table: &Table) -> Head {
    let players = table.setup.players.iter().zip(&table.bots);
    let shard = if args.shard.1 == 1 { String::new() } else { format!(" --shard {}/{}", args.shard.0, args.shard.1) };
    let game = quoted(&args.game.display().to_string());
    Head {
        games: args.games,
        seed: table.setup.seed,
        shard: args.shard,
        players: players.map(|(name, bot)| format!("{} {name}", bot.name())).collect(),
        lock: table.loaded.lock.to_string().lines().map(str::to_owned).collect(),
        command: format!(
            "trencavel simulate {game} {} --games {}{shard} --out {}",
            args.table.words(table.setup.seed),
            args.games,
            quoted(&args.out.display().to_string())
        ),
    }
}

/// A game that came to no end, with the command that plays it.
pub(crate) fn not_played(error: &Failed, loaded: &Loaded) -> Failure {
    match &error.error {
        GameError::Action(action) => failed(action, loaded),
        GameError::Setup(SetupError::Hook(hook)) => Failure::hook(hook, loaded),
        _ => Failure::problem(Diagnostic::new("C005", error.to_string())),
    }
}

/// Shares of wins by seat, as far as they are known.
struct Precision {
    wanted: Option<f64>,
    won: Vec<Mean>,
}

impl Precision {
    fn new(wanted: Option<f64>, rows: &[GameRow]) -> Self {
        let mut precision = Self { wanted, won: Vec::new() };
        for row in rows {
            precision.add(row);
        }
        precision
    }

    /// One more game; true if that is enough.
    fn add(&mut self, row: &GameRow) -> bool {
        self.won.resize(row.won.len(), Mean::default());
        self.won.iter_mut().zip(&row.won).for_each(|(mean, won)| mean.add(*won));
        self.is_reached()
    }

    fn is_reached(&self) -> bool {
        let Some(wanted) = self.wanted else { return false };
        !self.won.is_empty() && self.won.iter().all(|mean| mean.count() >= LEAST && mean.half_width() <= wanted)
    }
}

/// Says how far it is, where somebody looks.
pub(crate) struct Progress {
    all: u64,
    before: u64,
    start: Instant,
    shown: bool,
}

impl Progress {
    pub(crate) fn new(all: u64, before: u64) -> Self {
        Self { all, before, start: Instant::now(), shown: io::stderr().is_terminal() }
    }

    pub(crate) fn tell(&mut self, done: u64) {
        if !self.shown {
            return;
        }
        let rate = (done - self.before) as f64 / self.start.elapsed().as_secs_f64().max(1e-3);
        let left = (self.all - done) as f64 / rate.max(1e-3);
        let end = if done == self.all { "\n" } else { "" };
        // Nobody needs to see it.
        let _ = write!(io::stderr(), "\r{done} of {} games, {rate:.0} a second, {left:.0} s left   {end}", self.all);
    }
}

/// Mean points and shares of wins by seat.
pub(crate) fn means(rows: &[GameRow]) -> Vec<(Mean, Mean)> {
    let mut means: Vec<(Mean, Mean)> = Vec::new();
    for row in rows {
        means.resize(row.points.len(), (Mean::default(), Mean::default()));
        for (mean, (points, won)) in means.iter_mut().zip(row.points.iter().zip(&row.won)) {
            mean.0.add(f64::from(*points));
            mean.1.add(*won);
        }
    }
    means
}

fn summary(out: &mut dyn Write, args: &Args, rows: &[GameRow], all: u64) -> Result<(), Failure> {
    let means = means(rows);
    if args.json {
        let seat = |(points, won): &(Mean, Mean)| {
            Json::Object(vec![("points", Json::Float(points.mean())), ("won", Json::Float(won.mean()))])
        };
        let fields = vec![
            ("games", Json::Int(rows.len() as i64)),
            ("of", Json::Int(all as i64)),
            ("seats", Json::List(means.iter().map(seat).collect())),
        ];
        return Ok(writeln!(out, "{}", Json::Object(fields).line())?);
    }
    for (seat, (points, won)) in means.iter().enumerate() {
        let (share, width) = (100.0 * won.mean(), 100.0 * won.half_width());
        let (mean, around) = (points.mean(), points.half_width());
        writeln!(out, "seat {}: {mean:.2} ± {around:.2} points, wins {share:.1} ± {width:.1} %", seat + 1)?;
    }
    let file = args.out.join(GAMES);
    writeln!(out, "{} of {all} games in {}", rows.len(), file.display())?;
    if (rows.len() as u64) < all && args.until_precision.is_none() {
        writeln!(out, "the same command goes on from there")?;
    }
    Ok(())
}
