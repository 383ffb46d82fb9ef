//! The program `trencavel`: a library and a thin main.
//!
//! ```
//! use std::ffi::OsString;
//!
//! let args = ["trencavel", "explain", "G005"].map(OsString::from);
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! assert_eq!(trencavel::run(args, &mut out, &mut err), 0);
//! assert!(String::from_utf8_lossy(&out).contains("one to six players"));
//! ```

mod bench;
mod check;
mod clean;
mod compare;
mod conformance;
mod coverage;
mod docs;
mod doctor;
mod draw;
mod editor;
mod explain;
mod failure;
mod html;
mod hunt;
mod install;
mod interactions;
mod json;
mod list;
mod matrix;
mod merge;
mod moment;
mod named;
mod narrate;
mod new;
mod pack;
mod perft;
mod pictures;
mod play;
mod play_game;
mod print;
mod questions;
mod replay;
mod report;
mod rulebook;
mod save_file;
mod scenario_of;
mod scenarios;
mod search;
mod seek;
mod setup;
mod simulate;
mod tally;
mod trust;
mod why;

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use clean::Clean;
use failure::{Failure, Look};

/// Carcassonne's rules with every expansion as a plugin: play, explain, replay, measure.
#[derive(Debug, Parser)]
#[command(name = "trencavel", version, after_help = "Example: trencavel run examples/constable.toml --seed 7")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Play(play::Args),
    Run(play_game::Args),
    Replay(replay::Args),
    Explain(explain::Args),
    Bench(bench::Args),
    Perft(perft::Args),
    Seek(seek::Args),
    Test(scenarios::Args),
    Check(check::Args),
    New(new::Args),
    Coverage(coverage::Args),
    Interactions(interactions::Args),
    Docs(docs::Args),
    Types(editor::Args),
    Conformance(conformance::Args),
    Draw(draw::Args),
    Print(print::Args),
    Rulebook(rulebook::Args),
    Pack(pack::Args),
    Verify(pack::VerifyArgs),
    Add(install::AddArgs),
    Remove(install::RemoveArgs),
    List(list::Args),
    Doctor(doctor::Args),
    Hunt(hunt::Args),
    Simulate(simulate::Args),
    Merge(merge::Args),
    Compare(compare::Args),
}

/// Runs the program with the process's arguments and streams.
pub fn main() -> ExitCode {
    let look = Look::of(&io::stderr());
    let mut out = BufWriter::new(io::stdout().lock());
    ExitCode::from(run_looking(std::env::args_os(), &mut out, &mut io::stderr(), look))
}

/// Runs the program: what it prints goes to `out`, problems go to `err` without colour. Gives the exit code: 0 when all
/// is well, 1 when something was found, 2 when it was used wrongly.
pub fn run(args: impl IntoIterator<Item = OsString>, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    run_looking(args, out, err, Look::Plain)
}

fn run_looking(args: impl IntoIterator<Item = OsString>, out: &mut dyn Write, err: &mut dyn Write, look: Look) -> u8 {
    let (out, err): (&mut dyn Write, &mut dyn Write) = (&mut Clean(out), &mut Clean(err));
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, out, err),
    };
    let done = command(cli.command, out).and_then(|()| Ok(out.flush()?));
    match done {
        Ok(()) => 0,
        Err(failure) => {
            // What was printed before the problem belongs before it. If nobody listens, nothing is lost.
            let _ = out.flush();
            let _ = failure.write(err, look);
            failure.exit_code()
        }
    }
}

fn command(command: Command, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        Command::Play(args) => play::run(&args, out),
        Command::Run(args) => play_game::run(&args, out),
        Command::Replay(args) => replay::run(&args, out),
        Command::Explain(args) => explain::run(&args, out),
        Command::Bench(args) => bench::run(&args, out),
        Command::Perft(args) => perft::run(&args, out),
        Command::Seek(args) => seek::run(&args, out),
        Command::Test(args) => scenarios::run(&args, out),
        Command::Check(args) => check::run(&args, out),
        Command::New(args) => new::run(&args, out),
        Command::Coverage(args) => coverage::run(&args, out),
        Command::Interactions(args) => interactions::run(&args, out),
        Command::Docs(args) => docs::run(&args, out),
        Command::Types(args) => editor::run(&args, out),
        Command::Conformance(args) => conformance::run(&args, out),
        Command::Draw(args) => draw::run(&args, out),
        Command::Print(args) => print::run(&args, out),
        Command::Rulebook(args) => rulebook::run(&args, out),
        Command::Pack(args) => pack::run(&args, out),
        Command::Verify(args) => pack::verify(&args, out),
        Command::Add(args) => install::add(&args, out),
        Command::Remove(args) => install::remove(&args, out),
        Command::List(args) => list::run(&args, out),
        Command::Doctor(args) => doctor::run(&args, out),
        Command::Hunt(args) => hunt::run(&args, out),
        Command::Simulate(args) => simulate::run(&args, out),
        Command::Merge(args) => merge::run(&args, out),
        Command::Compare(args) => compare::run(&args, out),
    }
}

/// Help is what was asked for; everything else that stops the reading of arguments is wrong use.
fn usage(error: &clap::Error, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let wrong = error.use_stderr();
    let stream: &mut dyn Write = if wrong { err } else { out };
    // If nobody listens, nothing is lost.
    let _ = write!(stream, "{}", error.render()).and_then(|()| stream.flush());
    if wrong { 2 } else { 0 }
}

impl Look {
    fn of(stream: &impl IsTerminal) -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if stream.is_terminal() && !plain { Self::Coloured } else { Self::Plain }
    }
}
