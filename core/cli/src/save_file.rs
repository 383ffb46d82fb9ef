//! Saves on disk: written whole or not at all, complete in themselves.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use trencavel_host::Loaded;
use trencavel_host::diagnostic::{Diagnostic, SourceFile};
use trencavel_host::game_file::{GameFile, is_name};
use trencavel_host::lock::{Lock, LockEntry, LockError};
use trencavel_host::manifest::is_id;
use trencavel_host::options::COPIES;
use trencavel_host::resolve::Request;
use trencavel_rules::Setup;
use trencavel_rules::save::Replay;

use crate::failure::Failure;
use crate::search::Search;
use crate::setup::{IMPLIED, load_from, read};

/// Far more than the words of any action; what is longer would only flood the screen.
const MAX_ANSWER_BYTES: usize = 1000;

/// The save of a game that began so.
pub(crate) fn replay_of(lock: &Lock, setup: &Setup, answers: Vec<String>) -> Replay {
    Replay {
        lock: lock.to_string().lines().map(str::to_owned).collect(),
        players: setup.players.clone(),
        seed: setup.seed,
        first: setup.first,
        answers,
        ..Replay::default()
    }
}

/// Writes a save.
pub(crate) fn write(file: &Path, replay: &Replay) -> Result<(), Failure> {
    write_whole(file, replay.to_string().as_bytes())
}

/// Writes a file beside its final place and moves it there, so that nobody ever finds half of one.
pub(crate) fn write_whole(file: &Path, content: &[u8]) -> Result<(), Failure> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let beside: PathBuf = file.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = write_all(&beside, content).and_then(|()| fs::rename(&beside, file));
    written.map_err(|error| {
        // What is left of a failed attempt is of no use; if it cannot be removed, the problem below is the one to tell.
        let _ = fs::remove_file(&beside);
        Failure::usage(
            format!("{} cannot be written: {error}", file.display()),
            "name a file in a folder that you may write to",
        )
    })
}

fn write_all(file: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create(file)?;
    file.write_all(content)?;
    file.sync_all()
}

/// A save that was read.
pub(crate) struct Saved {
    pub(crate) replay: Replay,
    pub(crate) lock: Lock,
    /// The beginning of a last line that was cut off.
    pub(crate) torn: Option<String>,
    pub(crate) file: SourceFile,
}

impl Saved {
    /// Reads a save.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        Self::of_text(SourceFile { path: path.to_owned(), text: read(path)?.into() })
    }

    /// The same of a text that may not be a file.
    pub(crate) fn of_text(file: SourceFile) -> Result<Self, Failure> {
        let path = file.path.clone();
        let (replay, torn) = Replay::parse(&file.text).map_err(|error| {
            let help = match file.text.lines().next() {
                Some(first) if first.starts_with("trencavel-replay ") && error.line == 1 => {
                    "it is of another version of the program: replay it with that one"
                }
                _ => "saves come from `trencavel run GAME.toml --save FILE`",
            };
            let problem = Diagnostic::new("C002", error.message).at_line(&file, error.line as u32);
            Failure::problem(problem.help(help))
        })?;
        check_begun(&file)?;
        if let Some(place) = replay.answers.iter().position(|answer| answer.len() > MAX_ANSWER_BYTES) {
            let message = format!("{}: answer {} is longer than any answer can be", path.display(), place + 1);
            return Err(Failure::problem(Diagnostic::new("C003", message).help("take its line out of the save")));
        }
        if let Some(name) = replay.players.iter().find(|name| !is_name(name)) {
            let message = format!("{}: `{}` cannot be a player's name", path.display(), excerpt(name));
            return Err(Failure::problem(Diagnostic::new("C002", message).help("write another name into the save")));
        }
        let unreadable = |why: String| {
            let problem = Diagnostic::new("C006", format!("{}: {why}", path.display()));
            Failure::problem(problem.help("the save was changed, or written by another program"))
        };
        let lock: Lock = replay.lock.join("\n").parse().map_err(|error: LockError| unreadable(error.to_string()))?;
        if let Some(why) = lock.entries.iter().find_map(strange_entry) {
            return Err(unreadable(why));
        }
        Ok(Self { replay, lock, torn, file })
    }

    /// The rules that the save was played with, or what is here of them.
    pub(crate) fn load(&self, search: &Search) -> Result<Loaded, Failure> {
        load_from(&self.request(search)?, search).map_err(|failure| self.placed(failure))
    }

    /// Problems of the game file that the save was made into, as problems of the lines of its lock.
    fn placed(&self, failure: Failure) -> Failure {
        let Failure::Problems(problems) = failure else { return failure };
        let placed = |problem: Diagnostic| {
            let Some((file, span)) = problem.at.as_ref().filter(|(file, _)| file.path == self.file.path) else {
                return problem;
            };
            let begin = file.text[..span.start].rfind('\n').map_or(0, |end| end + 1);
            let id = file.text[begin..].split(' ').next().unwrap_or_default();
            let locked = format!("lock expansion {id} ");
            match self.file.text.lines().position(|line| line.starts_with(&locked)) {
                Some(line) => problem.at_line(&self.file, line as u32 + 1),
                None => Diagnostic { at: None, ..problem },
            }
        };
        Failure::Problems(problems.into_iter().map(placed).collect())
    }

    /// What the save asks for: its expansions and nothing else, with its options and orders. A part that its box would
    /// switch on again is switched off, as it was in the game.
    pub(crate) fn request(&self, search: &Search) -> Result<Request, Failure> {
        // Orders and copies can only be said in a game file, so the save becomes one.
        let orders: Vec<String> = self.lock.orders.iter().map(|order| format!("{order:?}")).collect();
        let mut text = format!("players = [{{ name = \"nobody\" }}]\norders = [{}]\n[expansions]\n", orders.join(", "));
        for entry in &self.lock.entries {
            let copies = entry.options.iter().find(|(name, _)| name == COPIES);
            let switch = copies.map_or("true".to_owned(), |(_, count)| format!("{{ {COPIES} = {count} }}"));
            text += &format!("{} = {switch}\n", entry.id);
        }
        let library = search.library()?;
        let found = self.lock.entries.iter().filter_map(|entry| library.get(&entry.id));
        let parts = found.flat_map(|found| found.manifest.includes.iter().map(String::as_str));
        let absent = |id: &&str| self.lock.entries.iter().all(|entry| entry.id != **id);
        for id in IMPLIED.iter().copied().chain(parts).filter(absent).collect::<BTreeSet<&str>>() {
            text += &format!("{id} = false\n");
        }
        let file = SourceFile { path: self.file.path.clone(), text: text.into() };
        let game = GameFile::parse(&file).map_err(|problems| self.placed(Failure::Problems(problems)))?;
        let mut request = Request::from_game(&game);
        request.limit(self.lock.limits);
        for entry in &self.lock.entries {
            for (name, value) in entry.options.iter().filter(|(name, _)| name != COPIES) {
                let set = request.option(&format!("{}.{name}={value}", entry.id));
                set.map_err(|error| Failure::problem(Diagnostic::new("C006", error.to_string())))?;
            }
        }
        Ok(request)
    }
}

/// A save that was cut off before its seed does not say which game it is of.
fn check_begun(file: &SourceFile) -> Result<(), Failure> {
    let whole = file.text.rfind('\n').map_or("", |end| &file.text[..end]);
    if whole.lines().any(|line| line.starts_with("seed ")) {
        return Ok(());
    }
    let line = u32::try_from(file.text.lines().count()).unwrap_or(u32::MAX);
    let problem = Diagnostic::new("C002", "the save ends before its seed: it was cut off before the first answer");
    Err(Failure::problem(problem.at_line(file, line).help("nothing was played yet: begin the game again")))
}

/// The beginning of a text that may be anything.
fn excerpt(text: &str) -> String {
    text.chars().take(60).flat_map(char::escape_debug).collect()
}

/// What no lock that the program writes has.
fn strange_entry(entry: &LockEntry) -> Option<String> {
    if !is_id(&entry.id) || entry.id.len() > 60 {
        return Some(format!("`{}` cannot be the id of an expansion", excerpt(&entry.id)));
    }
    let copies = entry.options.iter().find(|(name, _)| name == COPIES);
    let (_, count) = copies.filter(|(_, count)| count.parse::<u16>().is_err())?;
    Some(format!("`{}` cannot be in the game `{}` times", entry.id, excerpt(count)))
}
