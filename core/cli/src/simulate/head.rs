//! What a campaign is, beside its rows: enough to play it again.

use std::fs;
use std::ops::Range;
use std::path::Path;

use trencavel_play::simulate::slice;

use super::store::broken;
use crate::failure::Failure;

/// First line of a campaign's head.
const HEADER: &str = "trencavel-campaign 1";
/// What a campaign is.
pub(crate) const HEAD: &str = "campaign.txt";

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Folders of Parquet files
    Parquet,
    /// Tables as text
    Csv,
    /// Both
    Both,
}

impl Format {
    pub(crate) fn has_csv(self) -> bool {
        self != Self::Parquet
    }

    pub(crate) fn has_parquet(self) -> bool {
        self != Self::Csv
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Csv => "csv",
            Self::Both => "both",
        }
    }
}

/// What a campaign is: enough to play it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) games: u64,
    pub(crate) seed: u64,
    /// This shard and how many there are, from 1.
    pub(crate) shard: (u64, u64),
    /// How its rows are written.
    pub(crate) format: Format,
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

    /// The same campaign, whichever slice of it and however it is written.
    pub(crate) fn is_same_campaign(&self, other: &Self) -> bool {
        let plain = |head: &Self| Self { shard: (1, 1), format: Format::Csv, command: String::new(), ..head.clone() };
        plain(self) == plain(other)
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!("{HEADER}\ncommand {}\ngames {}\nseed {}\n", self.command, self.games, self.seed);
        text += &format!("shard {}/{}\nformat {}\n", self.shard.0, self.shard.1, self.format.word());
        self.players.iter().for_each(|player| text += &format!("player {player}\n"));
        self.lock.iter().for_each(|line| text += &format!("lock {line}\n"));
        text
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        lines.next().filter(|line| *line == HEADER)?;
        let (players, lock, format) = (Vec::new(), Vec::new(), Format::Csv);
        let mut head = Self { games: 0, seed: 0, shard: (1, 1), format, players, lock, command: String::new() };
        for line in lines {
            let (word, rest) = line.split_once(' ')?;
            match word {
                "command" => head.command = rest.to_owned(),
                "games" => head.games = rest.parse().ok()?,
                "seed" => head.seed = rest.parse().ok()?,
                "shard" => head.shard = parse_shard(rest).ok()?,
                "format" => head.format = clap::ValueEnum::from_str(rest, false).ok()?,
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
