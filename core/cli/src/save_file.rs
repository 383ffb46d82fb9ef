//! Saves on disk: written whole or not at all, complete in themselves.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use trencavel_host::diagnostic::{Diagnostic, SourceFile};
use trencavel_host::game_file::GameFile;
use trencavel_host::lock::Lock;
use trencavel_host::options::COPIES;
use trencavel_host::resolve::Request;
use trencavel_rules::Setup;
use trencavel_rules::save::Replay;

use crate::failure::Failure;
use crate::setup::read;

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

/// Writes a save beside its final place and moves it there, so that nobody ever finds half of one.
pub(crate) fn write(file: &Path, replay: &Replay) -> Result<(), Failure> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let beside: PathBuf = file.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = write_all(&beside, &replay.to_string()).and_then(|()| fs::rename(&beside, file));
    written.map_err(|error| {
        // What is left of a failed attempt is of no use; if it cannot be removed, the problem below is the one to tell.
        let _ = fs::remove_file(&beside);
        Failure::usage(
            format!("{} cannot be written: {error}", file.display()),
            "name a file in a folder that you may write to",
        )
    })
}

fn write_all(file: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::File::create(file)?;
    file.write_all(text.as_bytes())?;
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
        let file = SourceFile { path: path.to_owned(), text: read(path)?.into() };
        let (replay, torn) = Replay::parse(&file.text).map_err(|error| {
            let help = "saves come from `trencavel run GAME.toml --save FILE`";
            let problem = Diagnostic::new("C002", error.message).at_line(&file, error.line as u32);
            Failure::problem(problem.help(help))
        })?;
        let lock = replay.lock.join("\n").parse().map_err(|error: trencavel_host::lock::LockError| {
            Failure::problem(Diagnostic::new("C006", format!("{}: {error}", path.display())))
        })?;
        Ok(Self { replay, lock, torn, file })
    }

    /// What the save asks for: its expansions and nothing else, with its options and orders.
    pub(crate) fn request(&self, implied: &[&str]) -> Result<Request, Failure> {
        // Orders and copies can only be said in a game file, so the save becomes one.
        let orders: Vec<String> = self.lock.orders.iter().map(|order| format!("{order:?}")).collect();
        let mut text = format!("players = [{{ name = \"nobody\" }}]\norders = [{}]\n[expansions]\n", orders.join(", "));
        for entry in &self.lock.entries {
            let copies = entry.options.iter().find(|(name, _)| name == COPIES);
            let switch = copies.map_or("true".to_owned(), |(_, count)| format!("{{ {COPIES} = {count} }}"));
            text += &format!("{} = {switch}\n", entry.id);
        }
        for id in implied.iter().filter(|id| self.lock.entries.iter().all(|entry| entry.id != **id)) {
            text += &format!("{id} = false\n");
        }
        let file = SourceFile { path: self.file.path.clone(), text: text.into() };
        let mut request = Request::from_game(&GameFile::parse(&file).map_err(Failure::Problems)?);
        for entry in &self.lock.entries {
            for (name, value) in entry.options.iter().filter(|(name, _)| name != COPIES) {
                let set = request.option(&format!("{}.{name}={value}", entry.id));
                set.map_err(|error| Failure::problem(Diagnostic::new("C006", error.to_string())))?;
            }
        }
        Ok(request)
    }
}
