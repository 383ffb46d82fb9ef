//! `trencavel explain CODE`: what a code means.

use std::io::Write;

use trencavel_host::diagnostic::nearest;

use crate::failure::{CODES, Failure};

/// Explain an error code
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel explain G020")]
pub(crate) struct Args {
    /// A code such as G020, as it stands in the message
    code: String,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let code = args.code.to_ascii_uppercase();
    let all: Vec<(&str, &str)> = trencavel_host::codes().chain(CODES.iter().copied()).collect();
    match all.iter().find(|(known, _)| *known == code) {
        Some((code, text)) => Ok(writeln!(out, "{code}\n\n{}", wrapped(text, 100))?),
        None => {
            let near = nearest(&code, all.iter().map(|(known, _)| *known));
            let near = near.map_or_else(String::new, |near| format!("did you mean {near}? "));
            let help = format!("{near}a code stands in brackets at the beginning of a message");
            Err(Failure::usage(format!("there is no code `{}`", args.code), help))
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
