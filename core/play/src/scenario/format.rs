//! The keys of a scenario file, read into plain data.
//!
//! | key | holds |
//! |---|---|
//! | `title` | the number of the rule, then the rule |
//! | `expansions`, `options` | what it is played with; the base game alone without them |
//! | `players` | their names or their number, 2 without it |
//! | `seed`, `first` | the seed of the pack and of all chance; the letter of who begins |
//! | `start` | the start layout, instead of the ruleset's |
//! | `board`, `figures`, `scores` | tiles `city-cap 0,-1 r180` on top of it, figures `A follower 0,-1 city`, points |
//! | `stack` | the tiles to draw |
//! | `play` | `A: place road 1,0 r0; deploy follower road` |
//! | `final` | true: the game ends after it |
//! | `expect`, `events` | sentences that must be true then |
//! | `offered`, `refused` | actions that may be chosen then, or not; refused also by whom: `… by base:occupied` |

use toml::{Table, Value};
use trencavel_host::diagnostic::nearest;
use trencavel_rules::game::SetFigure;
use trencavel_rules::ids::{FigureKindId, PlayerId, TileDefId};
use trencavel_rules::{Position, Ruleset, Setup, Start, short};

use super::Wanted;

/// Every key.
pub const KEYS: [&str; 17] = [
    "title",
    "expansions",
    "options",
    "players",
    "seed",
    "first",
    "start",
    "board",
    "figures",
    "scores",
    "stack",
    "play",
    "final",
    "expect",
    "offered",
    "refused",
    "events",
];

/// A scenario as its author wrote it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// The number of the rule, then the rule.
    pub title: String,
    /// What it is played with.
    pub wanted: Wanted,
    /// Names of the players.
    pub players: Vec<String>,
    /// The seed of the pack and of all chance.
    pub seed: u64,
    /// Who begins.
    pub first: char,
    /// Instead of the ruleset's start layout.
    pub start: Option<Vec<String>>,
    /// Tiles on top of it.
    pub board: Vec<String>,
    /// Figures on them.
    pub figures: Vec<String>,
    /// Points at the beginning.
    pub scores: Vec<i32>,
    /// The tiles to draw.
    pub stack: Stack,
    /// What is played.
    pub play: Vec<Turn>,
    /// The game ends after it.
    pub ends: bool,
    /// What must be true then.
    pub expect: Vec<String>,
    /// What must have happened by then.
    pub events: Vec<String>,
    /// What may be chosen then.
    pub offered: Vec<String>,
    /// What may not.
    pub refused: Vec<Refused>,
}

/// The tiles to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stack {
    /// The ruleset's pack, shuffled by the seed.
    Shuffled,
    /// These.
    Tiles(Vec<String>),
}

impl Default for Stack {
    fn default() -> Self {
        Self::Tiles(Vec::new())
    }
}

/// Answers of one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// His letter.
    pub player: char,
    /// In our notation.
    pub answers: Vec<String>,
}

/// An action that may not be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// In our notation.
    pub action: String,
    /// The id of a refusal that must be among the reasons.
    pub by: Option<String>,
}

impl Scenario {
    /// Reads a scenario.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        let table: Table = text.parse().map_err(|error: toml::de::Error| vec![error.to_string()])?;
        let mut reader = Reader { table: &table, problems: Vec::new() };
        reader.unknown_keys();
        let scenario = reader.scenario();
        if reader.problems.is_empty() { Ok(scenario) } else { Err(reader.problems) }
    }

    /// The game's setup.
    ///
    /// # Errors
    /// The first word that names nothing.
    pub fn setup(&self, rules: &Ruleset) -> Result<Setup, String> {
        let first = self.seat(self.first).ok_or_else(|| format!("first: no player {}", self.first))?;
        let lay = |lines: &[String]| lines.iter().map(|line| start(rules, line)).collect::<Result<Vec<_>, _>>();
        let mut setup = Setup {
            players: self.players.clone(),
            seed: self.seed,
            stack: self.stack(rules)?,
            starts: self.start.as_deref().map(lay).transpose()?,
            board: lay(&self.board)?,
            scores: self.scores.clone(),
            first: first.index(),
            // The runner gives forced answers itself, so that they can also be written.
            ask_forced: true,
            ..Setup::default()
        };
        let layout = setup.starts.as_deref().unwrap_or(rules.starts()).iter().chain(&setup.board);
        let layout: Vec<Start> = layout.copied().collect();
        for line in &self.figures {
            setup.figures.push(self.figure(rules, &layout, line)?);
        }
        Ok(setup)
    }

    fn seat(&self, letter: char) -> Option<PlayerId> {
        let seat = usize::from(u8::try_from(letter).ok()?.checked_sub(b'A')?);
        (seat < self.players.len()).then(|| PlayerId::from_index(seat))
    }

    /// `A follower 1,0 city`, `A follower 1,0 city as SEAT`, `dragon 1,0`.
    fn figure(&self, rules: &Ruleset, layout: &[Start], line: &str) -> Result<SetFigure, String> {
        let wrong = |what: &str| format!("figures `{line}`: {what}");
        let words: Vec<&str> = line.split_whitespace().collect();
        let (player, words) = match words[..] {
            [letter, ref rest @ ..] if letter.len() == 1 => {
                let seat = letter.chars().next().and_then(|letter| self.seat(letter));
                (Some(seat.ok_or_else(|| wrong("no such player"))?), rest)
            }
            _ => (None, &words[..]),
        };
        let (kind, at, segment, seat) = match *words {
            [kind, at] => (kind, at, None, None),
            [kind, at, segment] => (kind, at, Some(segment), None),
            [kind, at, segment, "as", seat] => (kind, at, Some(segment), Some(seat)),
            _ => return Err(wrong("write `A follower 1,0 city` or `dragon 1,0`")),
        };
        let kind: FigureKindId = rules.figure_by_name(kind).ok_or_else(|| wrong("no such figure"))?;
        let at: Position = at.parse().map_err(|error| wrong(&format!("{error}")))?;
        let tile = layout.iter().find(|start| start.at == at).ok_or_else(|| wrong("no tile lies there"))?.tile;
        let local = segment.map(|name| rules.tile(tile).segment(name).ok_or_else(|| wrong("no such segment")));
        let local = local.transpose()?;
        let named = |name: &str| {
            let printed = &rules.tile(tile).segments[local.unwrap_or_default()];
            let mut seats = rules.seats_of(printed.kind).iter().copied();
            seats.find(|seat| short(rules.seat_name(*seat)) == name).ok_or_else(|| wrong("no such seat"))
        };
        Ok(SetFigure { player, kind, at, segment: local, seat: seat.map(named).transpose()? })
    }
}

/// The design with this name.
pub(crate) fn tile(rules: &Ruleset, name: &str) -> Result<TileDefId, String> {
    rules.tile_by_name(name).ok_or_else(|| {
        let near = nearest(name, rules.tiles().map(|(_, tile)| short(&tile.id)));
        format!("no tile is called `{name}`{}", help(near))
    })
}

fn help(near: Option<&str>) -> String {
    near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

/// `city-cap 0,-1 r180`.
pub(crate) fn start(rules: &Ruleset, line: &str) -> Result<Start, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, at, rotation] = words[..] else {
        return Err(format!("`{line}`: write a tile as `city-cap 0,-1 r180`"));
    };
    let at = at.parse().map_err(|error| format!("`{line}`: {error}"))?;
    let rotation = rotation.parse().map_err(|error| format!("`{line}`: {error}"))?;
    Ok(Start { tile: tile(rules, name)?, at, rotation })
}

/// Takes what is wanted out of the table and notes what has the wrong shape.
struct Reader<'a> {
    table: &'a Table,
    problems: Vec<String>,
}

impl Reader<'_> {
    fn unknown_keys(&mut self) {
        for key in self.table.keys().filter(|key| !KEYS.contains(&key.as_str())) {
            self.problems.push(format!("unknown key `{key}`{}", help(nearest(key, KEYS))));
        }
    }

    fn scenario(&mut self) -> Scenario {
        let mut scenario = Scenario {
            title: self.text("title").unwrap_or_default(),
            wanted: self.wanted(),
            players: self.players(),
            seed: self.int("seed").unwrap_or_default(),
            first: self.text("first").and_then(|text| text.chars().next()).unwrap_or('A'),
            start: self.table.contains_key("start").then(|| self.texts("start")),
            board: self.texts("board"),
            figures: self.texts("figures"),
            scores: self.list("scores", |value| value.as_integer().and_then(|points| points.try_into().ok())),
            stack: Stack::default(),
            play: self.play(),
            ends: self.flag("final"),
            expect: self.texts("expect"),
            events: self.texts("events"),
            offered: self.texts("offered"),
            refused: self.refused(),
        };
        if scenario.title.is_empty() {
            self.problems.push("`title` is missing".to_owned());
        }
        if scenario.expect.len() + scenario.events.len() + scenario.offered.len() + scenario.refused.len() == 0 {
            self.problems.push("nothing is expected".to_owned());
        }
        scenario.stack = self.stack(&scenario.play);
        scenario
    }

    fn wanted(&mut self) -> Wanted {
        let expansions = self.texts("expansions");
        let mut options = Vec::new();
        match self.table.get("options") {
            None => {}
            Some(Value::Table(table)) => flatten("", table, &mut options),
            Some(_) => self.shape("options", "a table"),
        }
        Wanted { expansions, options }
    }

    fn players(&mut self) -> Vec<String> {
        match self.table.get("players") {
            None => letters(2),
            Some(Value::Integer(count @ 1..=26)) => letters(*count as u8),
            Some(Value::Array(_)) => self.texts("players"),
            Some(_) => {
                self.shape("players", "a number or a list of names");
                Vec::new()
            }
        }
    }

    /// What is written; without it, what `play` places, unless a seed asks for the pack.
    fn stack(&mut self, play: &[Turn]) -> Stack {
        if self.table.contains_key("stack") {
            return Stack::Tiles(self.texts("stack"));
        }
        if self.table.contains_key("seed") {
            return Stack::Shuffled;
        }
        let mut tiles = Vec::new();
        for answer in play.iter().flat_map(|turn| &turn.answers) {
            match answer.split_whitespace().collect::<Vec<_>>()[..] {
                ["place", tile, _, _] => tiles.push(tile.to_owned()),
                ["place", ..] => self.problems.push(format!("`{answer}` names no tile, and there is no `stack`")),
                _ => {}
            }
        }
        Stack::Tiles(tiles)
    }

    fn play(&mut self) -> Vec<Turn> {
        let mut turns = Vec::new();
        for line in self.texts("play") {
            let turn = line.split_once(':').and_then(|(who, answers)| {
                let player = who.chars().next().filter(|letter| who.len() == 1 && letter.is_ascii_uppercase())?;
                let answers = answers.split(';').map(|answer| answer.trim().to_owned()).collect();
                Some(Turn { player, answers })
            });
            match turn {
                Some(turn) => turns.push(turn),
                None => {
                    self.problems.push(format!("play `{line}`: write `A: place road 1,0 r0; deploy follower road`"))
                }
            }
        }
        turns
    }

    fn refused(&mut self) -> Vec<Refused> {
        self.list("refused", |value| match value {
            Value::String(text) => Some(match text.split_once(" by ") {
                Some((action, by)) => Refused { action: action.to_owned(), by: Some(by.to_owned()) },
                None => Refused { action: text.clone(), by: None },
            }),
            Value::Table(table) if table.keys().all(|key| key == "action" || key == "by") => {
                let action = table.get("action")?.as_str()?.to_owned();
                let by = table.get("by").map(|by| by.as_str().map(str::to_owned));
                Some(Refused { action, by: by.unwrap_or_default() })
            }
            _ => None,
        })
    }

    fn shape(&mut self, key: &str, wanted: &str) {
        self.problems.push(format!("`{key}` must be {wanted}"));
    }

    fn text(&mut self, key: &str) -> Option<String> {
        match self.table.get(key)? {
            Value::String(text) => Some(text.clone()),
            _ => {
                self.shape(key, "a text");
                None
            }
        }
    }

    fn int(&mut self, key: &str) -> Option<u64> {
        let number = self.table.get(key)?.as_integer().and_then(|number| number.try_into().ok());
        if number.is_none() {
            self.shape(key, "a number from 0");
        }
        number
    }

    fn flag(&mut self, key: &str) -> bool {
        match self.table.get(key) {
            None => false,
            Some(Value::Boolean(flag)) => *flag,
            Some(_) => {
                self.shape(key, "true or false");
                false
            }
        }
    }

    fn texts(&mut self, key: &str) -> Vec<String> {
        self.list(key, |value| value.as_str().map(str::to_owned))
    }

    fn list<T>(&mut self, key: &str, read: impl Fn(&Value) -> Option<T>) -> Vec<T> {
        let Some(value) = self.table.get(key) else { return Vec::new() };
        let list = value.as_array().map(|list| list.iter().map(read).collect::<Option<Vec<T>>>());
        if let Some(Some(list)) = list {
            return list;
        }
        self.shape(key, "a list, each entry of the shape that the manual shows");
        Vec::new()
    }
}

fn letters(count: u8) -> Vec<String> {
    (0..count).map(|seat| char::from(b'A' + seat).to_string()).collect()
}

/// `{ a = { b = 2 } }` and `{ "a.b" = 2 }` as `a.b=2`.
fn flatten(prefix: &str, table: &Table, options: &mut Vec<String>) {
    for (key, value) in table {
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            Value::Table(inner) => flatten(&path, inner, options),
            Value::String(text) => options.push(format!("{path}={text}")),
            other => options.push(format!("{path}={other}")),
        }
    }
}
