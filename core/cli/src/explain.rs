//! `trencavel explain`: what a code means, why an action is (not) offered, where points come from.

use std::io::Write;
use std::path::{Path, PathBuf};

use trencavel_host::diagnostic::nearest;

use crate::failure::{CODES, Failure};
use crate::moment::Moment;
use crate::setup::{TableArgs, is_file};
use crate::why;

/// Explain an error code, or a moment of a game: why an action is (not) offered, where every point comes from
///
/// The game is a save, or a game file, whose bots then play to the moment.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: trencavel explain G020\nExample: trencavel explain game.replay --at 12 --action \"deploy follower road\"\nExample: trencavel explain examples/base.toml --score Ann"
)]
pub(crate) struct Args {
    /// A code such as G020, as it stands in the message; or a save or game file
    #[arg(value_name = "CODE|GAME")]
    what: String,
    /// Every offer, refusal and waiver of this action, with file and line
    #[arg(long, value_name = "ACTION")]
    action: Option<String>,
    /// Every point of this player, by name or letter
    #[arg(long, value_name = "PLAYER")]
    score: Option<String>,
    /// The moment: after this many answers; without it, the last one
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    #[command(flatten)]
    table: TableArgs,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    if args.action.is_none() && args.score.is_none() {
        return if is_file(Path::new(&args.what)) { Err(nothing_asked()) } else { code(&args.what, out) };
    }
    let mut moment = Moment::of(&PathBuf::from(&args.what), args.at, &args.table)?;
    if let Some(action) = &args.action {
        why::action(&mut moment, action, out)?;
    }
    match &args.score {
        Some(player) => why::score(&moment, player, out),
        None => Ok(()),
    }
}

fn nothing_asked() -> Failure {
    Failure::usage(
        "a game is explained by an action or a player",
        "add `--action \"deploy follower road\"` or `--score Ann`",
    )
}

fn code(what: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let code = what.to_ascii_uppercase();
    let all: Vec<(&str, &str)> = trencavel_host::codes().chain(CODES.iter().copied()).collect();
    match all.iter().find(|(known, _)| *known == code) {
        Some((code, text)) => Ok(writeln!(out, "{code}\n\n{}", wrapped(text, 100))?),
        None => {
            let near = nearest(&code, all.iter().map(|(known, _)| *known));
            let near = near.map_or_else(String::new, |near| format!("did you mean {near}? "));
            let help = format!("{near}a code stands in brackets at the beginning of a message");
            Err(Failure::usage(format!("there is no code `{what}`"), help))
        }
    }
}

/// The text in lines of at most `width` characters.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().filter(|line| line.chars().count() + 1 + word.chars().count() <= width);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => *line += &format!(" {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}
