//! Counts of legal play: how many ways there are to play a given stack of tiles.
//!
//! Two kinds of file are read. Tables (`.tsv`) have a row for each turn with counts from elsewhere, which are compared;
//! lists (`.perft`) have how many sequences of so many actions there are:
//!
//! ```text
//! stack monastery          # all four sides field; start tile on the table
//! perft 1 1                # one placement, south of the start tile
//! perft 2 3                # nobody, on the monastery, on the field
//! ```
//!
//! Other lines of a list are `with EXPANSION`, `option EXPANSION.OPTION=VALUE` and `start TILE X,Y rN`; a `stack`
//! begins the next case, which is played with the same rules. A forced placement counts as an action.

mod count;
mod list;
mod table;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trencavel_rules::hooks::Scripts;
use trencavel_rules::{Game, Ruleset, Setup};

use crate::scenario::{Loader, Wanted};

pub use count::{Counts, count_actions, count_turns, divide};
pub use list::{ListCase, parse_list};
pub use table::{Names, TableCase, parse_table};

/// What the user asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct PerftOptions {
    /// Rows with more turns than this (raw) are left out.
    pub limit: Option<u64>,
    /// Also the counts below each first action.
    pub divide: bool,
}

/// How many rows came out as they say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Rows with the same counts.
    pub equal: usize,
    /// Rows with other counts.
    pub differ: usize,
    /// Rows whose rules are not there.
    pub unsupported: usize,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows equal, {} differ, {} unsupported", self.equal, self.differ, self.unsupported)
    }
}

/// Why nothing was counted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PerftError {
    /// A file or folder cannot be read, or the result cannot be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// A line that is not what the file should hold.
    #[error("{}:{line}: {message}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// 1-based.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A folder without tables and lists.
    #[error("{}: no .tsv and no .perft there", path.display())]
    Nothing {
        /// The folder.
        path: PathBuf,
    },
}

/// Counts everything in a file, or in the files of a folder, and writes a line for each row.
///
/// # Errors
/// If a file cannot be read. Rules that are not there are no error: their rows are unsupported.
pub fn run(
    path: &Path,
    options: PerftOptions,
    names: &Names,
    load: &Loader<'_>,
    out: &mut dyn Write,
) -> Result<Summary, PerftError> {
    let mut run = Run { options, names, load, rules: BTreeMap::new(), summary: Summary::default(), left_out: 0, out };
    for file in files(path)? {
        let text = std::fs::read_to_string(&file).map_err(|source| PerftError::Io { path: file.clone(), source })?;
        let told = if file.extension().is_some_and(|end| end == "perft") {
            run.list(&file, &text)?
        } else {
            run.table(&file, &text)?
        };
        told.map_err(|source| PerftError::Io { path: path.to_owned(), source })?;
    }
    let told = match run.left_out {
        0 => Ok(()),
        rows => writeln!(run.out, "{rows} rows above the limit left out"),
    };
    told.and_then(|()| writeln!(run.out, "{}", run.summary))
        .map_err(|source| PerftError::Io { path: path.to_owned(), source })?;
    Ok(run.summary)
}

/// The file itself, or the tables and lists of a folder, by name.
fn files(path: &Path) -> Result<Vec<PathBuf>, PerftError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let io = |source| PerftError::Io { path: path.to_owned(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).map_err(io)? {
        let file = entry.map_err(io)?.path();
        if file.extension().is_some_and(|end| end == "tsv" || end == "perft") {
            found.push(file);
        }
    }
    found.sort();
    if found.is_empty() { Err(PerftError::Nothing { path: path.to_owned() }) } else { Ok(found) }
}

/// Rules that were loaded, and their scripts.
struct Ready {
    rules: Arc<Ruleset>,
    scripts: Box<dyn Scripts>,
}

struct Run<'a> {
    options: PerftOptions,
    names: &'a Names,
    load: &'a Loader<'a>,
    rules: BTreeMap<Wanted, Result<Ready, String>>,
    summary: Summary,
    left_out: usize,
    out: &'a mut dyn Write,
}

/// What became of writing; of counting, nothing can go wrong that is not a row's own result.
type Told = io::Result<()>;

impl Run<'_> {
    fn table(&mut self, file: &Path, text: &str) -> Result<Told, PerftError> {
        let wrong = |(line, message)| PerftError::Line { path: file.to_owned(), line, message };
        let cases = parse_table(text).map_err(wrong)?;
        Ok(cases.iter().try_for_each(|case| self.case(case)))
    }

    fn case(&mut self, case: &TableCase) -> Told {
        match self.counted(case) {
            Ok((counts, divided)) => self.compare(case, &counts, &divided),
            Err(why) => {
                self.summary.unsupported += case.rows.len();
                writeln!(self.out, "{}: unsupported: {why}", case.id)
            }
        }
    }

    /// The counts of each ply, and below each first action if the user wants that.
    #[expect(clippy::type_complexity, reason = "read at once, in one place")]
    fn counted(&mut self, case: &TableCase) -> Result<(Vec<Counts>, Vec<(String, Vec<Counts>)>), String> {
        let wanted = self.names.wanted(&case.setup)?;
        let plies = case.plies(self.options.limit);
        let ready = ready(&mut self.rules, self.load, &wanted)?;
        let setup = case.setup(&ready.rules)?;
        let mut game = start(ready, &setup)?;
        case.play_before(&mut game, self.names, ready.scripts.as_mut())?;
        let scripts = ready.scripts.as_mut();
        let counts = count_turns(&game, plies, scripts).map_err(|error| error.to_string())?;
        let divided = if self.options.divide { divide(&game, plies, scripts) } else { Ok(Vec::new()) };
        Ok((counts, divided.map_err(|error| error.to_string())?))
    }

    fn compare(&mut self, case: &TableCase, counts: &[Counts], divided: &[(String, Vec<Counts>)]) -> Told {
        self.left_out += case.rows.len() - counts.len();
        for (ply, (found, row)) in counts.iter().zip(&case.rows).enumerate() {
            let differences = found.differences(row);
            let equal = differences.is_empty();
            self.summary.equal += usize::from(equal);
            self.summary.differ += usize::from(!equal);
            let result = if equal { "equal".to_owned() } else { format!("differ: {}", differences.join(", ")) };
            writeln!(self.out, "{} ply {}: {result}", case.id, ply + 1)?;
        }
        for (action, counts) in divided {
            let plies: Vec<String> = counts.iter().map(|counts| counts.turns_raw.to_string()).collect();
            writeln!(self.out, "  {action}: {}", plies.join(" "))?;
        }
        Ok(())
    }

    fn list(&mut self, file: &Path, text: &str) -> Result<Told, PerftError> {
        let wrong = |(line, message)| PerftError::Line { path: file.to_owned(), line, message };
        let cases = parse_list(text).map_err(wrong)?;
        Ok(cases.iter().try_for_each(|case| self.list_case(file, case)))
    }

    fn list_case(&mut self, file: &Path, case: &ListCase) -> Told {
        let name = format!("{} {}", file.file_stem().unwrap_or_default().display(), case.stack.join(" "));
        match self.sequences(case) {
            Err(why) => {
                self.summary.unsupported += case.rows.len();
                writeln!(self.out, "{name}: unsupported: {why}")
            }
            Ok(found) => case.rows.iter().try_for_each(|(length, count)| {
                if self.options.limit.is_some_and(|limit| *count > limit) {
                    self.left_out += 1;
                    return Ok(());
                }
                let found = found.get(*length).copied().unwrap_or(0);
                let equal = found == *count;
                self.summary.equal += usize::from(equal);
                self.summary.differ += usize::from(!equal);
                let result = if equal { "equal".to_owned() } else { format!("differ: {found}, listed {count}") };
                writeln!(self.out, "{name} length {length}: {result}")
            }),
        }
    }

    /// Sequences of each length, from 0.
    fn sequences(&mut self, case: &ListCase) -> Result<Vec<u64>, String> {
        let ready = ready(&mut self.rules, self.load, &case.wanted)?;
        let setup = case.setup(&ready.rules)?;
        let game = start(ready, &setup)?;
        let within = |count: u64| self.options.limit.is_none_or(|limit| count <= limit);
        let longest = case.rows.iter().filter(|row| within(row.1)).map(|row| row.0).max().unwrap_or(0);
        count_actions(&game, longest, ready.scripts.as_mut()).map_err(|error| error.to_string())
    }
}

fn ready<'a>(
    rules: &'a mut BTreeMap<Wanted, Result<Ready, String>>,
    load: &Loader<'_>,
    wanted: &Wanted,
) -> Result<&'a mut Ready, String> {
    let loaded =
        rules.entry(wanted.clone()).or_insert_with(|| load(wanted).map(|(rules, scripts)| Ready { rules, scripts }));
    loaded.as_mut().map_err(|why| why.clone())
}

fn start(ready: &mut Ready, setup: &Setup) -> Result<Game, String> {
    Game::from_setup(ready.rules.clone(), setup, ready.scripts.as_mut()).map_err(|error| error.to_string())
}
