//! `trencavel compare`: what a rule changes, with the uncertainty of it.

mod page;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use trencavel_play::bots::Bot;
use trencavel_play::compare::{self, Comparison, LEAST, Measure, Sort, Verdict};
use trencavel_play::simulate::{Campaign, Watch};
use trencavel_rules::Ruleset;

use crate::coverage::acts;
use crate::failure::Failure;
use crate::json::Json;
use crate::setup::{Table, TableArgs, quoted};
use crate::simulate::{Progress, not_played, note_clocks, stop_at_key, threads};

/// Play two tables game by game and tell what differs
///
/// With two game files, each is a table. With one, the second table is the same file changed by `--with`, `--without`,
/// `--only` and `--option`. Both tables play the same seeds, so the same tiles come in the same order where the packs
/// agree. Intervals are those of the paired t-test, at 95 %. Of hooks and refusals, those that differ are printed;
/// `--html` and `--json` tell of all.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel compare examples/constable.toml --without constable --games 2000\n\
                        Example: trencavel compare a.toml b.toml --html report.html")]
pub(crate) struct Args {
    /// The game file of the first table
    first: PathBuf,
    /// The game file of the second one
    second: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
    /// Pairs of games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Games played at the same time; as many as there are cores without it
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Write the report with its charts to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

/// A comparison that was made, and of what.
struct Report {
    first: String,
    second: String,
    seed: u64,
    command: String,
    comparison: Comparison,
    bots: Vec<Bot>,
    /// Hooks and refusals of either table that never did anything.
    silent: Vec<String>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let report = played(args)?;
    if let Some(file) = &args.html {
        std::fs::write(file, page::page(&report)?).map_err(|error| {
            let help = "name a file in a folder that you may write to";
            Failure::usage(format!("{} cannot be written: {error}", file.display()), help)
        })?;
    }
    if args.json {
        return Ok(writeln!(out, "{}", json(&report).line())?);
    }
    print(&report, out)?;
    if let Some(file) = &args.html {
        writeln!(out, "report: {}", file.display())?;
    }
    Ok(())
}

fn played(args: &Args) -> Result<Report, Failure> {
    let plain = TableArgs { seed: args.table.seed, search: args.table.search.clone(), ..TableArgs::default() };
    let changed = !(args.table.with.is_empty()
        && args.table.without.is_empty()
        && args.table.only.is_empty()
        && args.table.option.is_empty());
    if args.second.is_none() && !changed {
        let help = "name a second game file, or change the first with `--without`, `--with`, `--only` or `--option`";
        return Err(Failure::usage("there is nothing to compare it with", help));
    }
    let of_first = if args.second.is_some() { &args.table } else { &plain };
    let first = Table::of_file(&args.first, of_first)?;
    let same = TableArgs { seed: Some(first.setup.seed), ..args.table.clone() };
    let second = Table::of_file(args.second.as_ref().unwrap_or(&args.first), &same)?;
    if first.setup.players.len() != second.setup.players.len() {
        let help = "give both tables as many players";
        return Err(Failure::usage("the tables have not as many players, so games cannot be paired", help));
    }
    let [one, two] = [&first, &second].map(campaign);
    let mut progress = Progress::new("pairs", args.games, 0);
    let stop = stop_at_key();
    let comparison = compare::run([&one, &two], args.games, threads(args.threads), stop, |pairs| progress.tell(pairs));
    let comparison = comparison.map_err(|error| not_played(&error, &second.loaded))?;
    let changes = if changed { same.words(first.setup.seed) } else { plain.words(first.setup.seed) };
    let silent = silent([&first, &second].map(|table| &*table.loaded.rules), &comparison);
    Ok(Report {
        silent,
        bots: first.bots.iter().chain(&second.bots).cloned().collect(),
        first: words(&args.first, &first),
        second: words(args.second.as_ref().unwrap_or(&args.first), &second),
        seed: first.setup.seed,
        command: command(args, &changes),
        comparison,
    })
}

/// Hooks that a measure would name if they had done something.
fn silent(tables: [&Ruleset; 2], comparison: &Comparison) -> Vec<String> {
    let heard: BTreeSet<&str> = comparison.measures().map(|measure| measure.name.as_str()).collect();
    let hooks = tables.into_iter().flat_map(Ruleset::hooks).filter(|(_, hook)| acts(hook.kind));
    let names = hooks.map(|(_, hook)| compare::hook_words(&hook.name, hook.kind));
    let silent: BTreeSet<String> =
        names.filter(|name| !name.starts_with("core:") && !heard.contains(name.as_str())).collect();
    silent.into_iter().collect()
}

fn campaign(table: &Table) -> Campaign<'_> {
    Campaign { loaded: &table.loaded, setup: table.setup.clone(), bots: table.bots.clone(), watch: Watch::Hooks }
}

/// A table in words: its file, expansions and bots.
fn words(file: &Path, table: &Table) -> String {
    let ids: Vec<&str> = table.loaded.rules.expansions().iter().map(|expansion| &*expansion.id).collect();
    let bots: Vec<String> = table.bots.iter().map(|bot| bot.name()).collect();
    format!("{} ({}; bots: {})", file.display(), ids.join(", "), bots.join(", "))
}

fn command(args: &Args, changes: &str) -> String {
    let file = |file: &PathBuf| format!(" {}", quoted(&file.display().to_string()));
    let second = args.second.as_ref().map(file).unwrap_or_default();
    format!("trencavel compare{}{second} {changes} --games {}", file(&args.first), args.games)
}

/// A change with its interval.
fn change(measure: &Measure) -> String {
    let width = measure.change.half_width();
    let unit = if measure.unit.is_empty() { String::new() } else { format!(" {}", measure.unit) };
    match width.is_finite() {
        true => format!("{:+.2} ± {width:.2}{unit}", measure.change.mean()),
        false => format!("{:+.2}{unit}", measure.change.mean()),
    }
}

fn verdict(measure: &Measure) -> String {
    match measure.verdict() {
        Verdict::Differs => "differs".to_owned(),
        Verdict::Same => "the same in every pair".to_owned(),
        Verdict::TooFew => "too few games to say anything".to_owned(),
        Verdict::Unclear => match measure.pairs_needed() {
            Some(pairs) => format!("too few games to say; about {pairs} pairs would show a change of this size"),
            None => "too few games to say".to_owned(),
        },
    }
}

/// The result in a paragraph.
fn summary(report: &Report) -> String {
    let pairs = report.comparison.pairs();
    let begin = format!("{pairs} pairs of games with the seed {} were played at both tables.", report.seed);
    if pairs < LEAST {
        return format!("{begin} That is too small a sample to say anything: at least {LEAST} pairs are needed.");
    }
    let (hooks, all): (Vec<&Measure>, Vec<&Measure>) =
        report.comparison.measures().partition(|measure| is_of_hook(measure));
    let differing: Vec<String> = all
        .iter()
        .filter(|measure| measure.verdict() == Verdict::Differs)
        .map(|measure| format!("{} ({})", measure.name, change(measure)))
        .collect();
    let found = match &differing[..] {
        [] => "No measure of the game shows a change that could not be chance.".to_owned(),
        some => format!("These differ: {}.", some.join(", ")),
    };
    let count = |of: &[&Measure], verdict| of.iter().filter(|measure| measure.verdict() == verdict).count();
    let rest = match count(&all, Verdict::Unclear) {
        0 => String::new(),
        count => format!(" Of {count} more the sample is too small to say whether they change."),
    };
    let fired = match (count(&hooks, Verdict::Differs), count(&hooks, Verdict::Unclear)) {
        (0, 0) => String::new(),
        (differ, unclear) => format!(
            " Of {} hooks and refusals, {differ} act more or less often; of {unclear} the sample is too small to say.",
            hooks.len()
        ),
    };
    let measures = all.len() + hooks.len();
    let chance = format!(
        "Intervals are 95 %, by the paired t-test; of {measures} measures one in twenty shows a change by chance."
    );
    format!("{begin} {found}{rest}{fired} {chance}")
}

fn is_of_hook(measure: &Measure) -> bool {
    matches!(measure.sort, Sort::Fired | Sort::Refused)
}

/// What is told together, under which title.
const GROUPS: [(&[Sort], &str); 5] = [
    (&[Sort::Won], "shares of wins"),
    (&[Sort::Points, Sort::Source], "points"),
    (&[Sort::Course], "the course of the game"),
    (&[Sort::Fired], "hooks that did something, times a game"),
    (&[Sort::Refused], "refusals that decided, times a game"),
];

fn print(report: &Report, out: &mut dyn Write) -> Result<(), Failure> {
    note_clocks(&report.bots, out)?;
    writeln!(out, "first:  {}\nsecond: {}\n\n{}\n", report.first, report.second, summary(report))?;
    let measures: Vec<&Measure> = report.comparison.measures().collect();
    for (sorts, title) in GROUPS {
        let group = measures.iter().filter(|measure| sorts.contains(&measure.sort));
        let told: Vec<&&Measure> =
            group.clone().filter(|measure| !is_of_hook(measure) || measure.verdict() == Verdict::Differs).collect();
        if told.is_empty() {
            continue;
        }
        writeln!(out, "{title:<44} {:>9} {:>9}  change", "first", "second")?;
        for measure in &told {
            let (first, second) = (measure.first.mean(), measure.second.mean());
            writeln!(
                out,
                "  {:<42} {first:>9.2} {second:>9.2}  {}: {}",
                measure.name,
                change(measure),
                verdict(measure)
            )?;
        }
        match group.count() - told.len() {
            0 => writeln!(out)?,
            more => writeln!(out, "  and {more} that do not differ for certain (`--html`, `--json`)\n")?,
        }
    }
    Ok(writeln!(out, "again: {}", report.command)?)
}

fn json(report: &Report) -> Json {
    let measures = report.comparison.measures().map(|measure| {
        let verdict = match measure.verdict() {
            Verdict::Differs => "differs",
            Verdict::Same => "same",
            Verdict::TooFew => "too_few",
            Verdict::Unclear => "unclear",
        };
        // There is no interval of a single pair.
        let width = Some(measure.change.half_width()).filter(|width| width.is_finite()).map_or(-1.0, |width| width);
        Json::Object(vec![
            ("sort", Json::text(measure.sort.word())),
            ("measure", Json::text(&measure.name)),
            ("unit", Json::text(measure.unit)),
            ("first", Json::Float(measure.first.mean())),
            ("second", Json::Float(measure.second.mean())),
            ("change", Json::Float(measure.change.mean())),
            ("half_width", Json::Float(width)),
            ("verdict", Json::text(verdict)),
        ])
    });
    Json::Object(vec![
        ("pairs", Json::Int(report.comparison.pairs() as i64)),
        ("seed", Json::Int(report.seed as i64)),
        ("method", Json::text("paired t, 95 %")),
        ("first", Json::text(&report.first)),
        ("second", Json::text(&report.second)),
        ("summary", Json::text(summary(report))),
        ("measures", Json::List(measures.collect())),
        ("silent", Json::List(report.silent.iter().map(Json::text).collect())),
    ])
}
