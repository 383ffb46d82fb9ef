//! Rows as text, appended in whole groups: score lines first, then the games that say how many there are.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use trencavel_play::rows::{GameRow, Record, Rows, ScoreRow};

/// Rows that are lost at most when the machine itself goes down; a program that ends loses none.
const UNSYNCED: Duration = Duration::from_secs(1);

/// Two tables that only grow.
pub(super) struct Journal {
    games: File,
    scores: File,
    players: usize,
    synced: Instant,
}

impl Journal {
    /// Opens the tables, or begins them. Call [`Journal::recover`] before anything is appended.
    pub(super) fn open(folder: &Path, names: [&str; 2], players: usize) -> io::Result<Self> {
        let open =
            |name: &str| OpenOptions::new().read(true).write(true).create(true).truncate(false).open(folder.join(name));
        let journal = Self { games: open(names[0])?, scores: open(names[1])?, players, synced: Instant::now() };
        // Where files cannot be locked, nobody can say who else writes.
        match journal.games.try_lock() {
            Err(TryLockError::WouldBlock) => Err(io::Error::other("another program is writing to it")),
            _ => Ok(journal),
        }
    }

    /// Hands over the whole games that are there, as long as they are taken, and cuts off the rest, which a kill left.
    /// Gives the number of bytes that were cut off.
    pub(super) fn recover(&mut self, mut take: impl FnMut(Rows) -> io::Result<bool>) -> io::Result<u64> {
        let mut games = Lines::of(&mut self.games, &GameRow::csv_header(self.players));
        let mut scores = Lines::of(&mut self.scores, &ScoreRow::csv_header(self.players));
        let mut good = [games.at, scores.at];
        while let Some(rows) = next(&mut games, &mut scores, self.players) {
            if !take(rows)? {
                break;
            }
            good = [games.at, scores.at];
        }
        let mut cut = 0;
        for (file, good) in [&mut self.games, &mut self.scores].into_iter().zip(good) {
            cut += file.metadata()?.len() - good;
            file.set_len(good)?;
            file.seek(SeekFrom::End(0))?;
        }
        self.write_headers()?;
        Ok(cut)
    }

    fn write_headers(&mut self) -> io::Result<()> {
        let headers = [GameRow::csv_header(self.players), ScoreRow::csv_header(self.players)];
        for (file, header) in [&mut self.games, &mut self.scores].into_iter().zip(headers) {
            if file.metadata()?.len() == 0 {
                file.write_all(header.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Appends games: their score lines, then their rows. Nothing of them stays if that fails.
    pub(super) fn append(&mut self, rows: &[Rows]) -> io::Result<()> {
        let (mut scores, mut games) = (String::new(), String::new());
        for rows in rows {
            rows.scores.iter().for_each(|row| row.write_csv(&mut scores));
            rows.game.write_csv(&mut games);
        }
        append(&mut self.scores, &scores)?;
        append(&mut self.games, &games)?;
        if self.synced.elapsed() >= UNSYNCED { self.sync() } else { Ok(()) }
    }

    /// Waits until everything is on the disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.scores.sync_data()?;
        self.games.sync_data()?;
        self.synced = Instant::now();
        Ok(())
    }

    /// Begins anew: the rows are written elsewhere.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        for file in [&mut self.games, &mut self.scores] {
            file.set_len(0)?;
            file.rewind()?;
        }
        self.write_headers()
    }
}

/// Appends a whole group, or nothing.
fn append(file: &mut File, text: &str) -> io::Result<()> {
    let before = file.stream_position()?;
    file.write_all(text.as_bytes()).inspect_err(|_| {
        // What cannot be taken back is dropped when the campaign goes on.
        let _ = file.set_len(before).and_then(|()| file.seek(SeekFrom::Start(before)).map(drop));
    })
}

/// Whole games of two tables, which are not changed.
pub(super) struct Reading {
    games: Lines<File>,
    scores: Lines<File>,
    players: usize,
}

impl Reading {
    /// Begins to read tables.
    pub(super) fn open(folder: &Path, names: [&str; 2], players: usize) -> io::Result<Self> {
        let games = Lines::of(File::open(folder.join(names[0]))?, &GameRow::csv_header(players));
        let scores = Lines::of(File::open(folder.join(names[1]))?, &ScoreRow::csv_header(players));
        Ok(Self { games, scores, players })
    }
}

impl Iterator for Reading {
    type Item = Rows;

    fn next(&mut self) -> Option<Rows> {
        next(&mut self.games, &mut self.scores, self.players)
    }
}

/// The next game, if all of it is there.
fn next<R: Read>(games: &mut Lines<R>, scores: &mut Lines<R>, players: usize) -> Option<Rows> {
    let game: GameRow = games.next(players)?;
    let line = |number| scores.next(players).filter(|row: &ScoreRow| (row.game, row.line) == (game.game, number));
    let lines = (0..game.score_lines).map(line).collect::<Option<_>>()?;
    Some(Rows { game, scores: lines, hooks: Vec::new() })
}

/// The lines of a table behind its header.
struct Lines<R> {
    reader: BufReader<R>,
    line: String,
    /// How many bytes were read as they should be; 0 if the header is another one.
    at: u64,
}

impl<R: Read> Lines<R> {
    fn of(file: R, header: &str) -> Self {
        let mut lines = Self { reader: BufReader::new(file), line: String::new(), at: 0 };
        if lines.reader.read_line(&mut lines.line).is_ok() && lines.line == header {
            lines.at = header.len() as u64;
        }
        lines
    }

    fn next<T: Record>(&mut self, players: usize) -> Option<T> {
        if self.at == 0 {
            return None;
        }
        self.line.clear();
        self.at += self.reader.read_line(&mut self.line).ok()? as u64;
        T::parse(&self.line, players)
    }
}
