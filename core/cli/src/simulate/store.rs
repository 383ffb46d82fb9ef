//! Campaigns on disk: rows are appended in whole groups, score lines first, so that every game of the table is whole.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use trencavel_play::rows::{GameRow, Rows, SCORES_HEADER, games_header};
use trencavel_play::simulate::slice;

use crate::failure::Failure;

/// First line of a campaign's head.
const HEADER: &str = "trencavel-campaign 1";
/// What a campaign is.
pub(crate) const HEAD: &str = "campaign.txt";
/// One row a game.
pub(crate) const GAMES: &str = "games.csv";
/// One row a line of a ledger.
pub(crate) const SCORES: &str = "scores.csv";

/// What a campaign is: enough to play it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) games: u64,
    pub(crate) seed: u64,
    /// This shard and how many there are, from 1.
    pub(crate) shard: (u64, u64),
    /// Names and bots.
    pub(crate) players: Vec<String>,
    /// Lines of the lock.
    pub(crate) lock: Vec<String>,
    /// How it was started; says nothing about the rows.
    pub(crate) command: String,
}

impl Head {
    pub(crate) fn slice(&self) -> Range<u64> {
        slice(self.games, self.shard.0, self.shard.1)
    }

    /// The same campaign, whichever slice of it.
    pub(crate) fn is_same_campaign(&self, other: &Self) -> bool {
        let plain = |head: &Self| Self { shard: (1, 1), command: String::new(), ..head.clone() };
        plain(self) == plain(other)
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!("{HEADER}\ncommand {}\ngames {}\nseed {}\n", self.command, self.games, self.seed);
        text += &format!("shard {}/{}\n", self.shard.0, self.shard.1);
        self.players.iter().for_each(|player| text += &format!("player {player}\n"));
        self.lock.iter().for_each(|line| text += &format!("lock {line}\n"));
        text
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        lines.next().filter(|line| *line == HEADER)?;
        let (players, lock) = (Vec::new(), Vec::new());
        let mut head = Self { games: 0, seed: 0, shard: (1, 1), players, lock, command: String::new() };
        for line in lines {
            let (word, rest) = line.split_once(' ')?;
            match word {
                "command" => head.command = rest.to_owned(),
                "games" => head.games = rest.parse().ok()?,
                "seed" => head.seed = rest.parse().ok()?,
                "shard" => head.shard = parse_shard(rest).ok()?,
                "player" => head.players.push(rest.to_owned()),
                "lock" => head.lock.push(rest.to_owned()),
                _ => return None,
            }
        }
        Some(head)
    }

    /// The head of a folder; `None` if there is none yet.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>, Failure> {
        let file = folder.join(HEAD);
        if !file.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&file).map_err(|error| broken(&file, &error.to_string()))?;
        Self::parse(&text).map(Some).ok_or_else(|| broken(&file, "it is not the head of a campaign"))
    }
}

/// `2/10`.
pub(crate) fn parse_shard(text: &str) -> Result<(u64, u64), String> {
    let numbers = text.split_once('/').and_then(|(one, all)| Some((one.parse().ok()?, all.parse().ok()?)));
    let wrong = || "write a shard as `2/10`: this one, and how many there are".to_owned();
    numbers.filter(|(one, all)| (1..=*all).contains(one)).ok_or_else(wrong)
}

pub(crate) fn broken(file: &Path, why: &str) -> Failure {
    let help = "name a folder that `trencavel simulate` may write to, or a new one";
    Failure::usage(format!("{}: {why}", file.display()), help)
}

/// A folder with the rows of a campaign.
pub(crate) struct Store {
    games: File,
    scores: File,
    folder: PathBuf,
    /// Rows of games that are there.
    pub(crate) rows: Vec<GameRow>,
    /// What was dropped when it was opened.
    pub(crate) dropped: Option<String>,
}

impl Store {
    /// Opens a folder to go on with a campaign, or begins it.
    pub(crate) fn open(folder: &Path, head: &Head) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| broken(folder, &error.to_string());
        fs::create_dir_all(folder).map_err(failed)?;
        match Head::read(folder)? {
            None => fs::write(folder.join(HEAD), head.text()).map_err(failed)?,
            Some(known) if known.is_same_campaign(head) && known.shard == head.shard => {}
            Some(_) => return Err(broken(folder, "it holds another campaign, or another shard of this one")),
        }
        let open =
            |name: &str| OpenOptions::new().read(true).write(true).create(true).truncate(false).open(folder.join(name));
        let (games, scores) = (open(GAMES).map_err(failed)?, open(SCORES).map_err(failed)?);
        let mut store = Self { games, scores, folder: folder.to_owned(), rows: Vec::new(), dropped: None };
        store.recover(head).map_err(failed)?;
        Ok(store)
    }

    /// Keeps whole games and cuts off what a kill left behind them.
    fn recover(&mut self, head: &Head) -> std::io::Result<()> {
        let players = head.players.len();
        let header = games_header(players);
        let rows = &mut self.rows;
        let first = head.slice().start;
        let games = keep(&mut self.games, &header, |line| {
            let row = GameRow::parse(line, players).filter(|row| row.game == first + rows.len() as u64);
            row.map(|row| rows.push(row)).is_some()
        })?;
        let end = first + self.rows.len() as u64;
        let whole =
            |line: &str| line.split(',').next().and_then(|game| game.parse().ok()).is_some_and(|game: u64| game < end);
        let scores = keep(&mut self.scores, SCORES_HEADER, whole)?;
        if games + scores > 0 {
            self.dropped = Some(format!("{} bytes of a game that was not complete were dropped", games + scores));
        }
        Ok(())
    }

    /// Appends games: their score lines, then their rows. Nothing of them stays if that fails.
    pub(crate) fn append(&mut self, rows: Vec<Rows>) -> Result<(), Failure> {
        let scores: String = rows.iter().flat_map(|rows| rows.scores.iter().map(|row| row.csv())).collect();
        let games: String = rows.iter().map(|rows| rows.game.csv()).collect();
        let written = append(&mut self.scores, &scores).and_then(|()| append(&mut self.games, &games));
        written.map_err(|error| broken(&self.folder, &format!("games could not be written: {error}")))?;
        self.rows.extend(rows.into_iter().map(|rows| rows.game));
        Ok(())
    }
}

/// Keeps the header and the lines behind it that are whole and wanted; gives the number of bytes cut off. Leaves the
/// file at its end.
fn keep(file: &mut File, header: &str, mut wanted: impl FnMut(&str) -> bool) -> std::io::Result<u64> {
    let length = file.metadata()?.len();
    let (mut reader, mut line, mut good) = (BufReader::new(&mut *file), String::new(), 0);
    while reader.read_line(&mut line).unwrap_or(0) > 0 {
        let fits = line.ends_with('\n') && if good == 0 { line == header } else { wanted(&line) };
        if !fits {
            break;
        }
        good += line.len() as u64;
        line.clear();
    }
    file.set_len(good)?;
    file.seek(SeekFrom::End(0))?;
    if good == 0 {
        file.write_all(header.as_bytes())?;
    }
    Ok(length - good)
}

/// Appends a whole group, or nothing.
fn append(file: &mut File, text: &str) -> std::io::Result<()> {
    let before = file.metadata()?.len();
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
    written.inspect_err(|_| {
        // What cannot be taken back is dropped when the campaign goes on.
        let _ = file.set_len(before);
    })
}
