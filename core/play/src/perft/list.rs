//! Lists of counts in our own format.

use trencavel_rules::{Ruleset, Setup, Start};

use crate::scenario::{Wanted, format};

/// A stack, and how many sequences of actions of each length it allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListCase {
    /// What it is played with.
    pub wanted: Wanted,
    /// The start layout, if it is not the ruleset's.
    pub start: Vec<String>,
    /// The tiles to draw.
    pub stack: Vec<String>,
    /// Length of the sequences and their number.
    pub rows: Vec<(usize, u64)>,
}

impl ListCase {
    /// The game's setup: two players.
    ///
    /// # Errors
    /// If a tile is not part of the ruleset.
    pub fn setup(&self, rules: &Ruleset) -> Result<Setup, String> {
        let stack = self.stack.iter().map(|name| format::tile(rules, name)).collect::<Result<Vec<_>, _>>()?;
        let starts = self.start.iter().map(|line| format::start(rules, line)).collect::<Result<Vec<Start>, _>>()?;
        Ok(Setup {
            players: ["A", "B"].map(str::to_owned).to_vec(),
            stack: Some(stack),
            starts: (!starts.is_empty()).then_some(starts),
            ask_forced: true,
            ..Setup::default()
        })
    }
}

/// Reads a list.
///
/// # Errors
/// The number of the first line that is none of a list's, and why.
pub fn parse_list(text: &str) -> Result<Vec<ListCase>, (usize, String)> {
    let mut cases: Vec<ListCase> = Vec::new();
    let mut next = ListCase::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "with" => next.wanted.expansions.push(rest.to_owned()),
            "option" => next.wanted.options.push(rest.to_owned()),
            "start" => next.start.push(rest.to_owned()),
            "stack" => {
                let stack = rest.split_whitespace().map(str::to_owned).collect();
                cases.push(ListCase { stack, ..next.clone() });
            }
            "perft" => {
                let row = rest
                    .split_once(' ')
                    .and_then(|(length, count)| Some((length.parse().ok()?, count.trim().parse().ok()?)));
                let case = cases.last_mut().ok_or_else(|| (index + 1, "no `stack` before it".to_owned()))?;
                case.rows.push(row.ok_or_else(|| (index + 1, "write `perft LENGTH COUNT`".to_owned()))?);
            }
            _ => return Err((index + 1, format!("`{word}` is none of with, option, start, stack, perft"))),
        }
    }
    Ok(cases)
}
