//! Campaigns on disk. Rows are appended as text in whole groups, so that nothing that was played is lost; where Parquet
//! is wanted, the text is the tail only, and becomes a file when the games of a span are all there.

#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use trencavel_play::rows::{GameRow, Rows};

use super::head::{HEAD, Head};
use super::journal::{Journal, Reading};
use super::parts::{self, Part, SPAN, TABLES};
use crate::failure::Failure;

/// Tables as text: a row a game, a row a score line.
const CSV: [&str; 2] = ["games.csv", "scores.csv"];
/// Rows that are not in Parquet yet, while a campaign runs and after a kill.
const TAIL: [&str; 2] = ["tail-games.csv", "tail-scores.csv"];

pub(crate) fn broken(file: &Path, why: &str) -> Failure {
    let help = "name a folder that `trencavel simulate` may write to, or a new one";
    Failure::usage(format!("{}: {why}", file.display()), help)
}

/// A folder with the rows of a campaign.
pub(crate) struct Store {
    folder: PathBuf,
    head: Head,
    journal: Journal,
    spans: Spans,
    /// What was dropped when it was opened.
    pub(crate) dropped: Option<String>,
}

impl Store {
    /// Opens a folder to go on with a campaign, or begins it. `known` hears of every game that is there.
    pub(crate) fn open(folder: &Path, head: &Head, known: &mut dyn FnMut(&GameRow)) -> Result<Self, Failure> {
        let failed = |error: io::Error| broken(folder, &error.to_string());
        fs::create_dir_all(folder).map_err(failed)?;
        match Head::read(folder)? {
            None => fs::write(folder.join(HEAD), head.text()).map_err(failed)?,
            Some(other) if !other.is_same_campaign(head) || other.shard != head.shard => {
                return Err(broken(folder, "it holds another campaign, or another shard of this one"));
            }
            Some(other) if other.format != head.format => {
                let word = other.format.word();
                return Err(broken(folder, &format!("its rows are written otherwise: say `--format {word}`")));
            }
            Some(_) => {}
        }
        Self::recovered(folder, head, known).map_err(failed)
    }

    /// Keeps whole games and cuts off what a kill left behind them.
    fn recovered(folder: &Path, head: &Head, known: &mut dyn FnMut(&GameRow)) -> io::Result<Self> {
        let csv = head.format.has_csv();
        let mut journal = Journal::open(folder, if csv { CSV } else { TAIL }, head.players.len())?;
        let mut spans = Spans::new(folder, head);
        let mut dropped = Vec::new();
        if head.format.has_parquet() {
            if parts::sweep(folder)? {
                dropped.push("a file that was not complete was dropped".to_owned());
            }
            // Where there is text, it holds every row, also those that are in files.
            dropped.extend(if csv { spans.find()? } else { spans.read(known)? });
        }
        let mut due = if csv { head.slice().start } else { spans.next };
        let cut = journal.recover(|rows| {
            let game = rows.game.game;
            if game == due {
                known(&rows.game);
                spans.add(&rows)?;
                due += 1;
            }
            // Rows of games that are in files were not taken away in time.
            Ok(game < due)
        })?;
        if cut > 0 {
            dropped.push(format!("{cut} bytes of games that were not complete were dropped"));
        }
        if !csv && spans.is_clear() {
            journal.clear()?;
        }
        spans.next = due;
        let dropped = (!dropped.is_empty()).then(|| dropped.join("; "));
        Ok(Self { folder: folder.to_owned(), head: head.clone(), journal, spans, dropped })
    }

    /// The number of the first game that is not there.
    pub(crate) fn next(&self) -> u64 {
        self.spans.next
    }

    /// How many games are there.
    pub(crate) fn len(&self) -> u64 {
        self.spans.next - self.head.slice().start
    }

    /// Appends the games that come next. What fails of them does not stay.
    pub(crate) fn append(&mut self, rows: &[Rows]) -> Result<(), Failure> {
        let mut rest = rows;
        while !rest.is_empty() {
            let room = self.spans.room().min(rest.len() as u64) as usize;
            let (now, later) = rest.split_at(room);
            self.append_within(now).map_err(|error| {
                broken(&self.folder, &format!("games could not be written: {error}; those before them are safe"))
            })?;
            rest = later;
        }
        Ok(())
    }

    /// Appends games of one span.
    fn append_within(&mut self, rows: &[Rows]) -> io::Result<()> {
        self.journal.append(rows)?;
        for rows in rows {
            self.spans.add(rows)?;
        }
        if self.spans.is_clear() && !self.head.format.has_csv() { self.journal.clear() } else { Ok(()) }
    }

    /// Everything that is there is given its last form.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let done = self.journal.sync().and_then(|()| self.spans.seal());
        let gone = done.and_then(|()| match self.head.format.has_csv() {
            true => Ok(()),
            false => TAIL.iter().try_for_each(|name| fs::remove_file(self.folder.join(name))),
        });
        gone.map_err(|error| broken(&self.folder, &format!("games could not be written: {error}; they are not lost")))
    }
}

/// Which games are in files, and those that will be in the next one.
struct Spans {
    folder: PathBuf,
    players: usize,
    slice: Range<u64>,
    /// Games of the span that is not full; `None` if no files are wanted.
    part: Option<Part>,
    /// Games below this one are in files.
    sealed: u64,
    next: u64,
}

impl Spans {
    fn new(folder: &Path, head: &Head) -> Self {
        let (slice, players) = (head.slice(), head.players.len());
        let part = head.format.has_parquet().then(|| Part::new(players));
        Self { folder: folder.to_owned(), players, part, sealed: slice.start, next: slice.start, slice }
    }

    /// The end of the span a game is in.
    fn end(&self, game: u64) -> u64 {
        ((game / SPAN + 1) * SPAN).min(self.slice.end)
    }

    /// Games that still go into the file of the next one.
    fn room(&self) -> u64 {
        self.end(self.next) - self.next
    }

    /// True if nothing waits to be written to a file.
    fn is_clear(&self) -> bool {
        self.part.as_ref().is_none_or(|part| part.len() == 0)
    }

    /// The rows of a span's games that are in its file; a file that cannot be read is dropped if it is the last one.
    fn games(&self, span: u64, dropped: &mut Option<String>) -> io::Result<Vec<GameRow>> {
        let file = |span| parts::file(&self.folder, TABLES[0], span);
        if !file(span).exists() {
            return Ok(Vec::new());
        }
        match parts::games(&self.folder, span, self.players) {
            Err(problem) if file(span + 1).exists() => Err(problem),
            Err(problem) => {
                *dropped = Some(format!("{problem}, so it was dropped"));
                fs::remove_file(file(span))?;
                Ok(Vec::new())
            }
            Ok(games) => Ok(games),
        }
    }

    /// Finds out which spans are in files.
    fn find(&mut self) -> io::Result<Option<String>> {
        let mut dropped = None;
        while self.sealed < self.slice.end {
            let end = self.end(self.sealed);
            if self.games(self.sealed / SPAN, &mut dropped)?.len() as u64 != end - self.sealed {
                break;
            }
            self.sealed = end;
        }
        Ok(dropped)
    }

    /// Reads the games that are in files; those of a span that is not full will be written once more with the others.
    fn read(&mut self, known: &mut dyn FnMut(&GameRow)) -> io::Result<Option<String>> {
        let mut dropped = None;
        while self.next < self.slice.end {
            let (span, end) = (self.next / SPAN, self.end(self.next));
            let games = self.games(span, &mut dropped)?;
            games.iter().for_each(&mut *known);
            self.next += games.len() as u64;
            if self.next < end {
                let part = if games.is_empty() { None } else { Part::read(&self.folder, span, self.players)? };
                self.part = Some(part.unwrap_or_else(|| Part::new(self.players)));
                break;
            }
            self.sealed = end;
        }
        Ok(dropped)
    }

    /// One more game.
    fn add(&mut self, rows: &Rows) -> io::Result<()> {
        let game = rows.game.game;
        self.next = game + 1;
        let Some(part) = self.part.as_mut().filter(|_| game >= self.sealed) else { return Ok(()) };
        part.push(rows);
        if self.next == self.end(game) { self.seal() } else { Ok(()) }
    }

    /// Writes what waits to its file.
    fn seal(&mut self) -> io::Result<()> {
        let Some(part) = self.part.as_ref().filter(|part| part.len() > 0) else { return Ok(()) };
        let last = self.next - 1;
        part.write(&self.folder, last / SPAN)?;
        if self.next == self.end(last) {
            self.part = Some(Part::new(self.players));
            self.sealed = self.next;
        }
        Ok(())
    }
}

/// Hands over every game of a campaign that is on disk, in order, and changes nothing.
pub(crate) fn each(
    folder: &Path,
    head: &Head,
    take: &mut dyn FnMut(Rows) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error: io::Error| broken(folder, &error.to_string());
    let players = head.players.len();
    if head.format.has_csv() {
        return Reading::open(folder, CSV, players).map_err(failed)?.try_for_each(take);
    }
    let slice = head.slice();
    for span in slice.start / SPAN..slice.end.div_ceil(SPAN) {
        let Some(part) = Part::read(folder, span, players).map_err(failed)? else { break };
        part.rows().try_for_each(|rows| take(rows.map_err(failed)?))?;
    }
    Ok(())
}

/// Where the rows of games are, for people.
pub(crate) fn place(folder: &Path, head: &Head) -> PathBuf {
    if head.format.has_parquet() { folder.join(TABLES[0]) } else { folder.join(CSV[0]) }
}
