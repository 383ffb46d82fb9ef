//! Every slip of syntax in a script: after one, reading goes on with the next statement of the top level.

use mlua::Error;
use mlua::chunk::Compiler;

use crate::diagnostic::{Diagnostic, SourceFile};

/// More than these are one slip that was misread.
const MOST: usize = 20;

/// How statements of the top level begin.
const BEGINNINGS: [&str; 3] = ["rules.", "local ", "function "];

/// What the compiler says of a file, a problem for each statement that it cannot read; none if all of it is Lua.
pub(super) fn of(file: &SourceFile) -> Vec<Diagnostic> {
    let mut lines: Vec<&str> = file.text.split('\n').collect();
    let mut found: Vec<Diagnostic> = Vec::new();
    while found.len() < MOST {
        let Err(error) = Compiler::new().compile(lines.join("\n")) else { break };
        let (line, message) = told(&error);
        // What was left out may be missing at the end.
        if !found.is_empty() && message.contains("<eof>") {
            break;
        }
        let number = u32::try_from(line).unwrap_or(u32::MAX);
        found.push(Diagnostic::new("L001", message).at_line(file, number));
        leave_out(&mut lines, line);
    }
    found
}

/// The line and the sentence of an error: `14: Expected …`.
fn told(error: &Error) -> (usize, String) {
    let text = match error {
        Error::SyntaxError { message, .. } => message.clone(),
        other => other.to_string(),
    };
    let parts = text
        .split_once(": ")
        .and_then(|(line, message)| Some((line.rsplit(':').next()?.parse().ok()?, message.to_owned())));
    parts.unwrap_or((1, text))
}

/// Empties the statement around a line, so that what follows is read for itself.
fn leave_out(lines: &mut [&str], line: usize) {
    let begins = |text: &&str| BEGINNINGS.iter().any(|word| text.starts_with(word));
    let at = line.saturating_sub(1).min(lines.len().saturating_sub(1));
    let first = lines[..=at].iter().rposition(begins).unwrap_or(0);
    let next = lines[at + 1..].iter().position(begins).map_or(lines.len(), |place| at + 1 + place);
    lines[first..next].fill("");
}
