//! `trencavel simulate`: many games of one table, written down for other programs.

pub(crate) mod head;
mod journal;
mod parts;
pub(crate) mod store;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use trencavel_host::Loaded;
use trencavel_host::diagnostic::Diagnostic;
use trencavel_play::bots::Bot;
use trencavel_play::rows::GameRow;
use trencavel_play::simulate::{Block, Campaign, Failed, GameError, Next, Watch};
use trencavel_play::stats::Mean;
use trencavel_rules::SetupError;

use crate::failure::Failure;
use crate::json::Json;
use crate::play_game::failed;
use crate::setup::{Table, TableArgs, quoted};
use head::{Format, Head, parse_shard};
use store::Store;

/// Play many games and write one row a game and one a score line
///
/// The folder holds `campaign.txt` (command, seed and lock) and the folders `games` and `scores` with Parquet files of
/// 10,000 games each, ready for DuckDB, Polars and pandas (`read_parquet('campaign/games/*.parquet')`), or `games.csv`
/// and `scores.csv`. The same command gives the same rows, whatever the number of threads. It stops at Ctrl-C with what
/// it has; the same command goes on from there, also after a kill.
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
    /// How to write rows
    #[arg(long, value_name = "FORMAT", default_value = "parquet")]
    format: Format,
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
    let mut sums = Sums::new(args.until_precision);
    let mut store = Store::open(&args.out, &head, &mut |row| sums.add(row))?;
    if let Some(dropped) = store.dropped.as_ref().filter(|_| !args.json) {
        writeln!(out, "note: {dropped}")?;
    }
    if !args.json {
        note_clocks(&table.bots, out)?;
    }
    let slice = head.slice();
    let all = slice.end - slice.start;
    let (setup, bots) = (table.setup.clone(), table.bots.clone());
    let campaign = Campaign { loaded: &table.loaded, setup, bots, watch: Watch::Nothing };
    let mut progress = Progress::new("games", all, store.len());
    let mut broken = None;
    if !sums.are_precise() {
        campaign.run(store.next()..slice.end, threads(args.threads), stop_at_key(), |block| {
            let next = take(block, &mut store, &mut sums, &mut broken)?;
            progress.tell(store.len());
            Ok::<_, Failure>(next)
        })?;
    }
    let played = store.len();
    store.finish()?;
    summary(out, args, &head, &sums)?;
    if let Some(error) = broken {
        return Err(not_played(&error, &table.loaded));
    }
    if played == all || sums.are_precise() { Ok(()) } else { Err(Failure::Found) }
}

/// Says so if games cannot be played again.
pub(crate) fn note_clocks(bots: &[Bot], out: &mut dyn Write) -> io::Result<()> {
    if bots.iter().all(Bot::is_reproducible) {
        return Ok(());
    }
    writeln!(out, "note: a bot thinks by the clock, so the same command will not give the same games")
}

fn take(block: Block, store: &mut Store, sums: &mut Sums, broken: &mut Option<Failed>) -> Result<Next, Failure> {
    let mut rows = block.rows;
    let enough = rows.iter().position(|rows| {
        sums.add(&rows.game);
        sums.are_precise()
    });
    rows.truncate(enough.map_or(rows.len(), |last| last + 1));
    store.append(&rows)?;
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
        format: args.format,
        players: players.map(|(name, bot)| format!("{} {name}", bot.name())).collect(),
        lock: table.loaded.lock.to_string().lines().map(str::to_owned).collect(),
        command: format!(
            "trencavel simulate {game} {} --games {}{shard} --format {} --out {}",
            args.table.words(table.setup.seed),
            args.games,
            args.format.word(),
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

/// What is known of all games, and how well it is to be known.
struct Sums {
    wanted: Option<f64>,
    games: u64,
    points: Vec<Mean>,
    won: Vec<Mean>,
}

impl Sums {
    fn new(wanted: Option<f64>) -> Self {
        Self { wanted, games: 0, points: Vec::new(), won: Vec::new() }
    }

    /// One more game.
    fn add(&mut self, row: &GameRow) {
        self.games += 1;
        self.points.resize(row.points.len(), Mean::default());
        self.points.iter_mut().zip(&row.points).for_each(|(mean, points)| mean.add(f64::from(*points)));
        self.won.resize(row.won.len(), Mean::default());
        self.won.iter_mut().zip(&row.won).for_each(|(mean, won)| mean.add(*won));
    }

    fn are_precise(&self) -> bool {
        let Some(wanted) = self.wanted else { return false };
        self.games >= LEAST && self.won.iter().all(|mean| mean.half_width() <= wanted)
    }
}

/// Says how far it is, where somebody looks.
pub(crate) struct Progress {
    /// What is counted.
    things: &'static str,
    all: u64,
    before: u64,
    start: Instant,
    told: Option<Instant>,
    shown: bool,
}

/// No more often than this is anything told.
const TELL: Duration = Duration::from_millis(100);

impl Progress {
    pub(crate) fn new(things: &'static str, all: u64, before: u64) -> Self {
        Self { things, all, before, start: Instant::now(), told: None, shown: io::stderr().is_terminal() }
    }

    pub(crate) fn tell(&mut self, done: u64) {
        let soon = self.told.is_some_and(|told| told.elapsed() < TELL);
        if !self.shown || soon && done < self.all {
            return;
        }
        self.told = Some(Instant::now());
        let end = if done == self.all { "\n" } else { "" };
        // Nobody needs to see it.
        let _ = write!(io::stderr(), "\r{}   {end}", self.words(done, self.start.elapsed()));
    }

    /// How far it is after so much time.
    fn words(&self, done: u64, elapsed: Duration) -> String {
        let rate = (done - self.before) as f64 / elapsed.as_secs_f64().max(1e-3);
        let left = (self.all - done) as f64 / rate.max(1e-3);
        format!("{done} of {} {}, {rate:.1} a second, {} left", self.all, self.things, duration(left))
    }
}

/// Seconds in words.
fn duration(seconds: f64) -> String {
    match seconds as u64 {
        short @ 0..120 => format!("{short} s"),
        minutes @ 120..7200 => format!("{} min", minutes / 60),
        long => format!("{} h", long / 3600),
    }
}

fn summary(out: &mut dyn Write, args: &Args, head: &Head, sums: &Sums) -> Result<(), Failure> {
    let slice = head.slice();
    let all = slice.end - slice.start;
    let seats = sums.points.iter().zip(&sums.won);
    if args.json {
        let seat = |(points, won): (&Mean, &Mean)| {
            Json::Object(vec![("points", Json::Float(points.mean())), ("won", Json::Float(won.mean()))])
        };
        let fields = vec![
            ("games", Json::Int(sums.games as i64)),
            ("of", Json::Int(all as i64)),
            ("seats", Json::List(seats.map(seat).collect())),
        ];
        return Ok(writeln!(out, "{}", Json::Object(fields).line())?);
    }
    for (seat, (points, won)) in seats.enumerate() {
        let (share, width) = (100.0 * won.mean(), 100.0 * won.half_width());
        let (mean, around) = (points.mean(), points.half_width());
        writeln!(out, "seat {}: {mean:.2} ± {around:.2} points, wins {share:.1} ± {width:.1} %", seat + 1)?;
    }
    writeln!(out, "{} of {all} games in {}", sums.games, store::place(&args.out, head).display())?;
    if sums.games < all && args.until_precision.is_none() {
        writeln!(out, "the same command goes on from there")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Progress;

    #[test]
    fn progress_tells_rate_and_remaining_time() {
        let progress = Progress::new("games", 1000, 100);
        let words = |done, seconds| progress.words(done, Duration::from_secs(seconds));
        assert_eq!(words(300, 10), "300 of 1000 games, 20.0 a second, 35 s left");
        assert_eq!(words(101, 10), "101 of 1000 games, 0.1 a second, 2 h left");
    }
}
