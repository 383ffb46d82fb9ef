//! `trencavel hunt`: looks for what breaks when expansions and options meet.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use trencavel_host::library::Library;
use trencavel_host::resolve::Request;
use trencavel_host::{LinkedExpansion, Loaded, load};
use trencavel_play::contract::Rule;
use trencavel_play::hunt::{self, Catch, Caught, Sets};
use trencavel_play::scenario::Wanted;
use trencavel_play::scenario::format::Scenario;
use trencavel_play::shrink::case::{Case, to_toml};
use trencavel_play::shrink::{self, Shrunk};

use crate::failure::Failure;
use crate::json::Json;
use crate::report;
use crate::search::Search;
use crate::setup::{IMPLIED, linked, quoted, read};
use crate::simulate::{Progress, threads};

/// Expansions that say themselves that they do not go together.
const INCOMPATIBLE: &str = "[M033]";

/// Look for what breaks: random games over combinations of expansions and options, with every check on
///
/// Names given are played together; without names each expansion is played alone. Options are combined so that any two
/// values of two options meet. A break is made as small as possible and written as a scenario, with the command that
/// plays it again. The same seed finds the same breaks, whatever the number of threads.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel hunt constable builder dragon --pairs --games 50\n\
                        Example: trencavel hunt --sets 40 --games 10 --seed 7")]
pub(crate) struct Args {
    /// Expansions; all of them if none is named
    names: Vec<String>,
    /// Play each pair of them
    #[arg(long, conflicts_with = "sets")]
    pairs: bool,
    /// Play so many random sets of them
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    sets: Option<u32>,
    /// Games of each set
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Decides the sets, the games and what is chosen in them
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games played at the same time; as many as there are cores without it
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Leave options as they are
    #[arg(long)]
    no_options: bool,
    /// Write scenarios of what breaks into this folder
    #[arg(long, value_name = "DIR", default_value = "hunt-found")]
    out: PathBuf,
    /// Play this scenario once more with every check on, and nothing else
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "pairs", "sets"])]
    scenario: Option<PathBuf>,
    #[command(flatten)]
    search: Search,
    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

/// Expansions, and how they become rules.
struct Shelf {
    library: Library,
    linked: [LinkedExpansion; 1],
}

impl Shelf {
    fn new(search: &Search) -> Result<Self, Failure> {
        Ok(Self { library: search.library()?, linked: linked() })
    }

    fn load(&self, wanted: &Wanted) -> Result<Option<Loaded>, String> {
        let mut request = Request::default();
        wanted.expansions.iter().for_each(|id| request.with(id));
        for option in &wanted.options {
            request.option(option).map_err(|error| error.to_string())?;
        }
        match load(&request, &self.library, &self.linked) {
            Ok(loaded) => Ok(Some(loaded)),
            Err(problems) => {
                let text = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
                if text.contains(INCOMPATIBLE) { Ok(None) } else { Err(text) }
            }
        }
    }

    /// The expansions that are named, or all that can be switched on.
    fn ids(&self, names: &[String]) -> Result<Vec<String>, Failure> {
        for name in names {
            if self.library.get(name).is_none() && self.library.broken(name).is_none() {
                let near = self.library.nearest(name).map_or_else(
                    || "`--path DIR` says where else to look".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                return Err(Failure::usage(format!("there is no expansion `{name}`"), near));
            }
        }
        if !names.is_empty() {
            return Ok(names.to_vec());
        }
        let all = self.library.iter().map(|found| found.manifest.id.clone());
        Ok(all.filter(|id| !IMPLIED.contains(&id.as_str())).collect())
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let shelf = Shelf::new(&args.search)?;
    let _quiet = QuietPanics::begin();
    match &args.scenario {
        Some(file) => again(file, &shelf, out),
        None => hunted(args, &shelf, out),
    }
}

/// While games are played, a panic is a finding; it is told with the others.
struct QuietPanics;

impl QuietPanics {
    fn begin() -> Self {
        std::panic::set_hook(Box::new(|_| {}));
        Self
    }
}

impl Drop for QuietPanics {
    fn drop(&mut self) {
        // The hook cannot be changed by a panicking thread; then it is no longer needed either.
        if !std::thread::panicking() {
            drop(std::panic::take_hook());
        }
    }
}

fn hunted(args: &Args, shelf: &Shelf, out: &mut dyn Write) -> Result<(), Failure> {
    let ids = shelf.ids(&args.names)?;
    let which = match (args.pairs, args.sets) {
        (true, _) => Sets::Pairs,
        (_, Some(count)) => Sets::Random(count as usize),
        _ if args.names.is_empty() => Sets::Alone,
        _ => Sets::Together,
    };
    let implied: Vec<String> = IMPLIED.iter().map(ToString::to_string).collect();
    let combine = |set: &Vec<String>| match args.no_options {
        true => vec![Wanted { expansions: set.clone(), options: Vec::new() }],
        false => hunt::combinations(set, &implied, &shelf.library, args.seed),
    };
    let sets: Vec<Vec<Wanted>> = hunt::sets(&ids, which, args.seed).iter().map(combine).collect();
    let games = hunt::games(&sets, args.games as usize, args.seed);
    let threads = threads(args.threads);
    let progress = Mutex::new(Progress::new("games", games.len() as u64, 0));
    let load = |wanted: &Wanted| shelf.load(wanted);
    let caught = hunt::hunt(&games, &load, threads, &|done| {
        // What is told matters less than the hunt.
        let _ = progress.lock().map(|mut progress| progress.tell(done as u64));
    });
    let found = shrunk(args, &caught, &load)?;
    if args.json {
        writeln!(out, "{}", json(&sets, &caught, &found).line())?;
    } else {
        tell(args, &sets, &caught, &found, out)?;
    }
    if found.is_empty() { Ok(()) } else { Err(Failure::Found) }
}

/// A break, how often it was met, and what it was made into.
struct Finding<'a> {
    catch: &'a Catch,
    times: usize,
    small: Option<Shrunk>,
    text: Option<String>,
    file: Option<PathBuf>,
}

/// Each break once, made small and written down.
fn shrunk<'a>(args: &Args, caught: &'a Caught, load: &hunt::Load<'_>) -> Result<Vec<Finding<'a>>, Failure> {
    let mut findings: Vec<Finding<'a>> = Vec::new();
    for catch in &caught.catches {
        match findings.iter_mut().find(|known| known.catch.broken.is_like(&catch.broken)) {
            Some(known) => known.times += 1,
            None => findings.push(Finding { catch, times: 1, small: None, text: None, file: None }),
        }
    }
    for (index, finding) in findings.iter_mut().enumerate() {
        finding.small = shrink::shrink(finding.catch, load);
        let Some(small) = &finding.small else { continue };
        let Ok(Some(loaded)) = load(&small.case.wanted) else { continue };
        let file = args.out.join(format!("broken-{}.toml", index + 1));
        let title = format!("hunt: {}, with {}", small.broken.rule, wanted_words(&small.case.wanted));
        let remark = format!("{}\n{}", small.broken, replay_command(&file, &args.search));
        let text = to_toml(&small.case.scenario(&title, &loaded.rules), &remark);
        write(&file, &text)?;
        (finding.text, finding.file) = (Some(text), Some(file));
    }
    Ok(findings)
}

fn replay_command(file: &Path, search: &Search) -> String {
    format!("trencavel hunt{} --scenario {}", search.words(), quoted(&file.display().to_string()))
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).and_then(|()| std::fs::write(file, text)).map_err(|error| {
        let help = "name a folder that you may write to with `--out DIR`";
        Failure::usage(format!("{} cannot be written: {error}", file.display()), help)
    })
}

fn tell(
    args: &Args,
    sets: &[Vec<Wanted>],
    caught: &Caught,
    found: &[Finding<'_>],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    for finding in found {
        tell_one(args, finding, out)?;
    }
    let rows = sets.iter().map(Vec::len).max().unwrap_or(0);
    if rows > args.games as usize {
        writeln!(
            out,
            "note: for any two values of two options to meet, a set needs up to {rows} games (`--games {rows}`)"
        )?;
    }
    if caught.incompatible > 0 {
        let count = caught.incompatible;
        writeln!(out, "note: {count} games were not played: their expansions say that they do not go together")?;
    }
    Ok(writeln!(out, "{} games of {} sets, {} breaks", caught.played, sets.len(), found.len())?)
}

fn tell_one(args: &Args, finding: &Finding<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let catch = finding.catch;
    let broken = finding.small.as_ref().map_or(&catch.broken, |small| &small.broken);
    writeln!(out, "BROKEN {}\n  {}", broken.rule, broken.message)?;
    let more = if finding.times > 1 { format!(", and in {} more games", finding.times - 1) } else { String::new() };
    writeln!(out, "  met with {}{more}", wanted_words(&catch.game.wanted))?;
    let Some(small) = &finding.small else {
        writeln!(out, "  it does not happen again when the same answers are given, so it could not be made smaller;")?;
        return Ok(writeln!(out, "  seed of the game: {}", catch.game.seed)?);
    };
    if small.broken.rule == Rule::Loads {
        return Ok(writeln!(out, "  smallest request: {}", wanted_words(&small.case.wanted))?);
    }
    writeln!(out, "  smallest of {} games tried:\n", small.tried)?;
    if let Some(text) = &finding.text {
        text.lines().try_for_each(|line| writeln!(out, "  {line}"))?;
    }
    if let Some(game) = &small.game {
        writeln!(out)?;
        report::board(out, game)?;
    }
    if let Some(file) = &finding.file {
        writeln!(out, "\n  again: {}\n", replay_command(file, &args.search))?;
    }
    Ok(())
}

fn wanted_words(wanted: &Wanted) -> String {
    let ids = if wanted.expansions.is_empty() { "the base game".to_owned() } else { wanted.expansions.join(", ") };
    if wanted.options.is_empty() { ids } else { format!("{ids}; {}", wanted.options.join(" ")) }
}

fn json(sets: &[Vec<Wanted>], caught: &Caught, found: &[Finding<'_>]) -> Json {
    let breaks = found.iter().map(|finding| {
        let broken = finding.small.as_ref().map_or(&finding.catch.broken, |small| &small.broken);
        let wanted = finding.small.as_ref().map_or(&finding.catch.game.wanted, |small| &small.case.wanted);
        let list = |items: &[String]| Json::List(items.iter().map(Json::text).collect());
        let file = finding.file.as_ref().map(|file| file.display().to_string()).unwrap_or_default();
        Json::Object(vec![
            ("rule", Json::text(broken.rule.to_string())),
            ("message", Json::text(&broken.message)),
            ("times", Json::Int(finding.times as i64)),
            ("expansions", list(&wanted.expansions)),
            ("options", list(&wanted.options)),
            ("scenario", Json::text(file)),
        ])
    });
    Json::Object(vec![
        ("sets", Json::Int(sets.len() as i64)),
        ("games", Json::Int(caught.played as i64)),
        ("incompatible", Json::Int(caught.incompatible as i64)),
        ("breaks", Json::List(breaks.collect())),
    ])
}

/// Plays a scenario with every check on.
fn again(file: &Path, shelf: &Shelf, out: &mut dyn Write) -> Result<(), Failure> {
    let help = "name a scenario that `trencavel hunt` wrote";
    let wrong = |problem: String| Failure::usage(format!("{}: {problem}", file.display()), help);
    let scenario = Scenario::parse(&read(file)?).map_err(|problems| wrong(problems.join("; ")))?;
    let loaded = shelf.load(&scenario.wanted).map_err(&wrong)?;
    let loaded = loaded.ok_or_else(|| wrong("its expansions do not go together".to_owned()))?;
    let outcome = shrink::play(&Case::of_scenario(&scenario), &loaded);
    if let Some(game) = &outcome.game {
        report::board(out, game)?;
    }
    match outcome.broken {
        None => Ok(writeln!(out, "nothing is broken: {}", scenario.title)?),
        Some(broken) => {
            writeln!(out, "BROKEN {}\n  {}", broken.rule, broken.message)?;
            Err(Failure::Found)
        }
    }
}
