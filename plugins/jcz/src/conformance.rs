//! Runs every recording below a folder and says of each whether it passes.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use trencavel_rules::{features, ledger, notation};

use crate::check::{Difference, ScoreTable, check_sentences, compare_entries, entries};
use crate::file::{MAX_BYTES, Recording};
use crate::play::{PlayError, Session, message_words};
use crate::request::Loader;
use crate::table::Table;

/// Name of the table of score entries beside recordings.
pub const SCORES: &str = "score-events.tsv";
/// Folders within folders that are looked into.
const MAX_DEPTH: usize = 16;

/// How a recording came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every sentence holds.
    Ok,
    /// Something does not hold.
    Fail,
    /// It needs something we have not.
    Unsupported,
}

/// What is said of one recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// Folder and name below the one that was asked for.
    pub name: String,
    /// How it came out.
    pub verdict: Verdict,
    /// What failed, or what is not supported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// What should hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
    /// The table as it lay, after a failure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub board: Vec<String>,
}

/// What is said of all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// One entry a recording, in order.
    pub files: Vec<FileReport>,
    /// How many pass.
    pub passed: usize,
    /// How many fail.
    pub failed: usize,
    /// How many need something we have not.
    pub unsupported: usize,
}

impl Report {
    /// A line a recording, then the sum.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for file in &self.files {
            let _ = writeln!(text, "{}", file.line());
        }
        let _ = writeln!(text, "{}", self.sum());
        text
    }

    /// `N passed, M failed, K unsupported`
    pub fn sum(&self) -> String {
        format!("{} passed, {} failed, {} unsupported", self.passed, self.failed, self.unsupported)
    }

    /// The report for programs.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    fn add(&mut self, file: FileReport) {
        match file.verdict {
            Verdict::Ok => self.passed += 1,
            Verdict::Fail => self.failed += 1,
            Verdict::Unsupported => self.unsupported += 1,
        }
        self.files.push(file);
    }
}

impl FileReport {
    /// One line: `ok NAME`, `FAIL NAME: …` or `unsupported NAME: …`.
    pub fn line(&self) -> String {
        let what = self.what.as_deref().unwrap_or_default();
        match self.verdict {
            Verdict::Ok => format!("ok {}", self.name),
            Verdict::Unsupported => format!("unsupported {}: {what}", self.name),
            Verdict::Fail => match (&self.expected, &self.got) {
                (Some(expected), Some(got)) => {
                    format!("FAIL {}: {what}, expected {expected}, got {got}", self.name)
                }
                _ => format!("FAIL {}: {what}", self.name),
            },
        }
    }

    /// The line, and below it the table as it lay at the first difference.
    pub fn text(&self) -> String {
        self.board.iter().fold(self.line(), |text, tile| format!("{text}\n    {tile}"))
    }

    fn new(name: &str, verdict: Verdict, what: Option<String>) -> Self {
        Self { name: name.to_owned(), verdict, what, expected: None, got: None, board: Vec::new() }
    }

    fn differs(name: &str, difference: Difference, session: &Session<'_>) -> Self {
        Self {
            expected: Some(difference.expected),
            got: Some(difference.got),
            board: board(session),
            ..Self::new(name, Verdict::Fail, Some(difference.what))
        }
    }
}

/// Why a folder cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It cannot be read.
    #[error("{path}: {source}")]
    Read {
        /// Folder or file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// It holds no recording.
    #[error("{0}: no .jcz file below this folder")]
    Empty(String),
    /// A table beside the recordings is damaged, or the table of names is.
    #[error("{0}")]
    Table(String),
}

/// Every recording below a folder, in order of their names; a single file is one.
///
/// # Errors
/// If a folder cannot be read.
pub fn recordings(dir: &Path) -> Result<Vec<PathBuf>, RunError> {
    let mut found = Vec::new();
    if dir.is_file() {
        found.push(dir.to_owned());
    } else {
        collect(dir, 0, &mut found)?;
    }
    found.sort();
    Ok(found)
}

fn collect(dir: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), RunError> {
    let wrong = |source| RunError::Read { path: dir.display().to_string(), source };
    for entry in fs::read_dir(dir).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.is_dir() && depth < MAX_DEPTH {
            collect(&path, depth + 1, found)?;
        } else if path.extension().is_some_and(|extension| extension == "jcz") {
            found.push(path);
        }
    }
    Ok(())
}

/// Runs every recording below `dir` whose name contains `filter`, and tells each report as soon as it is there.
///
/// # Errors
/// If the folder cannot be read or holds no recording.
pub fn conformance(
    dir: &Path,
    filter: Option<&str>,
    load: Loader<'_>,
    tell: &mut dyn FnMut(&FileReport),
) -> Result<Report, RunError> {
    let table = Table::load().map_err(RunError::Table)?;
    let mut report = Report::default();
    for path in recordings(dir)? {
        let below = path.strip_prefix(dir).ok().filter(|below| !below.as_os_str().is_empty());
        let name = below.or(path.file_name().map(Path::new)).unwrap_or(&path).display().to_string();
        if filter.is_some_and(|filter| !name.contains(filter)) {
            continue;
        }
        let file = match read(&path) {
            Ok(text) => run_text(&table, &name, &text, scores_beside(&path)?.as_ref(), load),
            Err(error) => FileReport::new(&name, Verdict::Fail, Some(error)),
        };
        tell(&file);
        report.add(file);
    }
    if report.files.is_empty() {
        return Err(RunError::Empty(dir.display().to_string()));
    }
    Ok(report)
}

/// The text of a recording, if it is one by its size.
///
/// # Errors
/// Why it cannot be read, in a sentence.
pub fn read(path: &Path) -> Result<String, String> {
    let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MAX_BYTES as u64 {
        return Err(format!("{size} bytes, a recording has at most {MAX_BYTES}"));
    }
    fs::read_to_string(path).map_err(|error| error.to_string())
}

fn scores_beside(path: &Path) -> Result<Option<ScoreTable>, RunError> {
    let beside = path.with_file_name(SCORES);
    let Ok(text) = fs::read_to_string(&beside) else { return Ok(None) };
    ScoreTable::parse(&text)
        .map(Some)
        .map_err(|line| RunError::Table(format!("{}:{line}: not a score entry", beside.display())))
}

/// Plays and checks one recording.
pub fn run_text(table: &Table, name: &str, text: &str, scores: Option<&ScoreTable>, load: Loader<'_>) -> FileReport {
    let recording = match Recording::parse(text) {
        Ok(recording) => recording,
        Err(error) => return FileReport::new(name, Verdict::Fail, Some(error.to_string())),
    };
    let mut session = match Session::start(table, &recording, load) {
        Ok(session) => session,
        Err(error) => return failure(name, &error),
    };
    let played = session.play();
    let file = Path::new(name).file_name().map_or_else(String::new, |file| file.to_string_lossy().into_owned());
    // The first score that differs says more than the message that fails later because of it.
    if let Some(expected) = scores.and_then(|scores| scores.of(&file)) {
        let commits: Vec<bool> = recording.messages.iter().map(|message| message.kind == "COMMIT").collect();
        let end = session.played();
        let expected: Vec<_> = expected.iter().filter(|entry| entry.message < end).cloned().collect();
        let got = entries(&session, &recording.players);
        if let Some(difference) = compare_entries(&expected, &got, &commits) {
            return FileReport::differs(name, difference, &session);
        }
    }
    if let Err(error) = played {
        return FileReport { board: board(&session), ..failure(name, &error) };
    }
    match check_sentences(&session, &recording.players, &recording.assertions) {
        Err(unsupported) => FileReport::new(name, Verdict::Unsupported, Some(unsupported.to_string())),
        Ok(differences) => match differences.into_iter().next() {
            None => FileReport::new(name, Verdict::Ok, None),
            Some(difference) => FileReport::differs(name, difference, &session),
        },
    }
}

fn failure(name: &str, error: &PlayError) -> FileReport {
    let verdict = match error {
        PlayError::Unsupported(_) => Verdict::Unsupported,
        _ => Verdict::Fail,
    };
    FileReport::new(name, verdict, Some(error.to_string()))
}

/// The table as it lies: tiles in the order of placement, with the figures on them.
fn board(session: &Session<'_>) -> Vec<String> {
    let (rules, state) = (session.game().rules(), session.game().state());
    state
        .tiles()
        .map(|(id, tile)| {
            let mut line = format!("{} {} {}", tile.at, rules.tile(tile.def).id, tile.rotation);
            for figure in features::figures_on(rules, state, id) {
                let _ = write!(line, "; {}", notation::figure_words(rules, state, figure));
            }
            line
        })
        .collect()
}

/// Every message of a recording with what our game made of it: answers, points, and what waits at the end.
pub fn explain(table: &Table, name: &str, text: &str, scores: Option<&ScoreTable>, load: Loader<'_>) -> String {
    let mut out = String::new();
    let report = run_text(table, name, text, scores, load);
    if let Ok(recording) = Recording::parse(text)
        && let Ok(mut session) = Session::start(table, &recording, load)
    {
        explain_steps(&mut out, &recording, &mut session);
    }
    for line in &report.board {
        let _ = writeln!(out, "  {line}");
    }
    let _ = writeln!(out, "{}", report.line());
    out
}

fn explain_steps(out: &mut String, recording: &Recording, session: &mut Session<'_>) {
    session.tell();
    loop {
        let before = session.game().state().lines().len();
        let Ok(Some(index)) = session.step() else { break };
        let _ = writeln!(out, "{index} {}", message_words(&recording.messages[index]));
        for answer in session.take_told() {
            let _ = writeln!(out, "    {answer}");
        }
        let (rules, state) = (session.game().rules(), session.game().state());
        for line in state.lines().iter().skip(before) {
            let _ =
                writeln!(out, "    {} scores: {}", notation::letter(line.player), ledger::words(rules, state, line));
        }
    }
    let _ = writeln!(out, "then {}", session.offered_words());
}

/// The table of score entries beside a recording, if there is one.
///
/// # Errors
/// If it is damaged.
pub fn scores_for(path: &Path) -> Result<Option<ScoreTable>, RunError> {
    scores_beside(path)
}
