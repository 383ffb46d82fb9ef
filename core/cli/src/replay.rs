//! `trencavel replay FILE`: plays a save back and shows the state it leads to.

use std::io::Write;
use std::path::{Path, PathBuf};

use trencavel_host::Loaded;
use trencavel_host::diagnostic::{Diagnostic, SourceFile};
use trencavel_play::telling::Names;
use trencavel_rules::hooks::Scripts;
use trencavel_rules::{Game, Refusal, notation};

use crate::conformance::import_save;
use crate::failure::Failure;
use crate::new::write;
use crate::report;
use crate::save_file::{self, Saved};
use crate::scenario_of;
use crate::search::Search;
use crate::setup;

/// How recordings of the other program end.
const RECORDING: &str = "jcz";

/// Play a save back and show the state it leads to
///
/// A save holds all that is needed but the expansions themselves; where these have changed, the differences are listed.
/// A recording of another program (`.jcz`) is shown like one of ours.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: trencavel replay game.replay --at 12 --explain\nExample: trencavel replay game.replay --at 12 --scenario tests/rule-3.toml"
)]
pub(crate) struct Args {
    /// A save, or a recording that ends in `.jcz`
    file: PathBuf,
    /// Stop after this many answers
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Tell why each figure that cannot be deployed here is refused, and where every point so far comes from
    #[arg(long)]
    explain: bool,
    /// Write the game to this file as a save, which makes one of ours out of a recording
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    save: Option<PathBuf>,
    #[command(flatten)]
    search: Search,
    /// Write the moment to this file as a scenario, which `trencavel test` runs
    #[arg(long, value_name = "FILE", conflicts_with_all = ["explain", "json"])]
    scenario: Option<PathBuf>,
    /// Print the state as one line of JSON
    #[arg(long, conflicts_with = "explain")]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let saved = read(args)?;
    let loaded = saved.load(&args.search)?;
    let differences = saved.lock.differences(&loaded.lock);
    if !args.json {
        notes(out, &saved, &differences)?;
    }
    let mut scripts = loaded.scripts().map_err(Failure::problem)?;
    let mut game = play(args.at, &saved, &loaded, &differences, &mut scripts)?;
    if let Some(file) = &args.save {
        let mut replay = saved.replay.clone();
        replay.answers.truncate(args.at.unwrap_or(replay.answers.len()));
        save_file::write(file, &replay)?;
        writeln!(out, "wrote {}: {} answers", file.display(), replay.answers.len())?;
    }
    if let Some(file) = &args.scenario {
        return turn_into_scenario(out, file, args, &saved, &loaded);
    }
    let names = Names(saved.replay.players.clone());
    if args.json {
        return Ok(writeln!(out, "{}", report::json(&game, &names, saved.replay.seed).line())?);
    }
    writeln!(out, "after {} of {} answers:", game.answers().len(), saved.replay.answers.len())?;
    report::board(out, &game)?;
    writeln!(out)?;
    report::decision(out, &game, &names)?;
    if args.explain {
        explain(out, &mut game, &loaded, &mut scripts)?;
    }
    report::supplies(out, &game, &names)?;
    if args.explain || game.state().is_over() {
        report::scores(out, &game, &names)?;
    }
    report::totals(out, &game, &names)?;
    Ok(writeln!(out, "digest: {}", report::digest(&game))?)
}

/// The save, or a recording of another program made into one.
fn read(args: &Args) -> Result<Saved, Failure> {
    if args.file.extension().is_none_or(|extension| extension != RECORDING) {
        return Saved::read(&args.file);
    }
    let (replay, lock) = import_save(&args.file, &args.search)?;
    let file = SourceFile { path: args.file.clone(), text: replay.to_string().into() };
    Ok(Saved { replay, lock, torn: None, file })
}

fn turn_into_scenario(
    out: &mut dyn Write,
    file: &Path,
    args: &Args,
    saved: &Saved,
    loaded: &Loaded,
) -> Result<(), Failure> {
    let at = args.at.unwrap_or(saved.replay.answers.len());
    let made = scenario_of::scenario(saved, loaded, at, &args.search)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    write(file.parent().unwrap_or(Path::new("")), &name, &made.text)?;
    Ok(writeln!(out, "wrote {}: {}", file.display(), made.how)?)
}

/// Letters of a line that was cut off; lines of saves are shorter.
const SHOWN: usize = 500;

fn notes(out: &mut dyn Write, saved: &Saved, differences: &[String]) -> Result<(), Failure> {
    for difference in differences {
        writeln!(out, "note: {difference}")?;
    }
    if let Some(torn) = &saved.torn {
        let torn = torn.chars().take(SHOWN).collect::<String>();
        writeln!(out, "note: the last line, `{torn}`, was cut off and is left out")?;
    }
    Ok(())
}

/// The game of a save after so many answers, all of them without a number.
pub(crate) fn play(
    at: Option<usize>,
    saved: &Saved,
    loaded: &Loaded,
    differences: &[String],
    scripts: &mut dyn Scripts,
) -> Result<Game, Failure> {
    let answers = saved.replay.answers.len();
    let limit = at.unwrap_or(answers);
    if limit > answers {
        let message = format!("the save has {answers} answers, so there is no state after {limit}");
        return Err(Failure::usage(message, format!("write `--at` with a number from 0 to {answers}")));
    }
    let setup = loaded.setup(&saved.replay).map_err(|message| {
        Failure::problem(Diagnostic::new("C002", format!("{}: {message}", saved.file.path.display())))
    })?;
    let mut game = setup::begin(loaded, &setup, scripts)?;
    let played = saved.replay.play(&mut game, limit, scripts);
    played.map_err(|(number, message)| wrong_answer(saved, number, message, differences))?;
    Ok(game)
}

fn wrong_answer(saved: &Saved, number: usize, message: String, differences: &[String]) -> Failure {
    let help = if differences.is_empty() {
        format!(
            "the expansions are those of the save, so the save was changed; `--at {}` shows the state before",
            number - 1
        )
    } else {
        format!("this game has other rules than the save: {}", differences.join("; "))
    };
    let line = line_of_answer(saved, number);
    let problem = Diagnostic::new("C003", format!("answer {number} cannot be given: {message}"));
    Failure::problem(problem.at_line(&saved.file, line).help(help))
}

/// The 1-based line of the save on which an answer stands.
fn line_of_answer(saved: &Saved, number: usize) -> u32 {
    let is_answer = |line: &str| {
        let bytes = line.as_bytes();
        bytes.len() > 1 && bytes[0].is_ascii_uppercase() && bytes[1] == b':'
    };
    let lines = saved.file.text.lines().enumerate().filter(|(_, line)| is_answer(line));
    lines.map(|(index, _)| index as u32 + 1).nth(number - 1).unwrap_or(1)
}

/// Why each figure that cannot be deployed is refused.
fn explain(out: &mut dyn Write, game: &mut Game, loaded: &Loaded, scripts: &mut dyn Scripts) -> Result<(), Failure> {
    for action in game.candidates(scripts) {
        let refusals = game.refusals(action, scripts).map_err(|error| Failure::hook(&error, loaded))?;
        if refusals.is_empty() {
            continue;
        }
        writeln!(out, "  refused: {}", notation::action(game.rules(), game.state(), action))?;
        for refusal in &refusals {
            writeln!(out, "    {}", reason(game, refusal))?;
        }
    }
    Ok(())
}

/// `base:occupied: this road is occupied, plugins/base/src/lib.rs:70`.
fn reason(game: &Game, refusal: &Refusal) -> String {
    let hook = game.rules().hook(refusal.hook);
    let place = hook.source.as_ref().map_or_else(String::new, |source| format!(", {}:{}", source.file, source.line));
    format!("{}: {}{place}", hook.name, refusal.text)
}
