//! Game files: who plays, with which expansions and options.

use std::collections::BTreeSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use crate::diagnostic::{Diagnostic, SourceFile};
use crate::lua::limits::Limits as ScriptLimits;
use crate::manifest::is_id;
use crate::options::{COPIES, RawValue};
use crate::reading::{Codes, Entry, NUMBER, Reader, Section, check_id};

/// The most players a game has.
pub const MAX_PLAYERS: usize = 6;

/// Every code of this file with its explanation for `trencavel explain CODE`.
pub const CODES: &[(&str, &str)] = &[
    (
        "G001",
        "The game file is not valid TOML, so nothing in it could be read. The usual slips are text without quotes, a \
         missing `=` or `]`, and a key that stands twice in one table.",
    ),
    (
        "G002",
        "The game file has a key that means nothing here. Unknown keys are refused instead of ignored. Mind that \
         whatever follows a line such as `[expansions]` belongs to that table, so `seed`, `players`, `orders` and \
         `title` come first.",
    ),
    ("G003", "A key has a value of the wrong kind, such as a number where text in quotes belongs."),
    ("G004", "A key that every game file needs is missing: `players`, and in each player `name`."),
    ("G005", "A game has one to six players."),
    (
        "G006",
        "Players are told apart by their names in listings, the ledger and saves, so each has a name of its own on \
         one line.",
    ),
    ("G007", "The seed is a whole number from 0 upwards. The same seed, expansions and answers give the same game."),
    (
        "G008",
        "`copies` is how many boxes of an expansion are in the game, at least 1. To leave an expansion out, write \
         `false` for it.",
    ),
    (
        "G009",
        "An order is a sentence of the form \"one before other\": two expansions, or two hooks written \
         `expansion:hook`. It decides which rule comes first where two would contradict each other.",
    ),
    (
        "G010",
        "Limits are whole numbers of at least 1: `instructions` and `memory_mib` for each call of a script, `intents` \
         for each decision. All calls of a decision together may use fifty times the instructions.",
    ),
    ("G011", "Ids of expansions are lower-case words joined by hyphens."),
    (
        "G012",
        "An expansion is switched on with `true`, off with `false`, and on with options by a table such as `{ target \
         = \"any\" }`.",
    ),
];

/// A game file, checked by itself but not yet against the expansions it names.
#[derive(Clone, Debug, PartialEq)]
pub struct GameFile {
    /// What people call this game.
    pub title: Option<String>,
    /// Decides chance; left out, the program chooses one.
    pub seed: Option<u64>,
    /// One to six, in the order of play.
    pub players: Vec<PlayerEntry>,
    /// What is said about each expansion, in the order written.
    pub expansions: Vec<Choice>,
    /// Which comes first where two rules would contradict each other, in the order written.
    pub orders: Vec<OrderChoice>,
    /// Limits of scripts that differ from the usual ones.
    pub limits: Limits,
    /// The file it was read from.
    pub file: SourceFile,
}

/// One player of a game file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerEntry {
    /// Unique in the game.
    pub name: String,
    /// Who answers for the player; left out, a person.
    pub bot: Option<String>,
    /// Where `bot` or, without one, the name stands in the file.
    pub span: Range<usize>,
}

/// What a game file says about one expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The expansion.
    pub id: String,
    /// Whether it is in the game.
    pub switch: Switch,
    /// How many boxes of it (reserved), at least 1.
    pub copies: u32,
    /// Options in the order written, not yet checked.
    pub options: Vec<OptionChoice>,
    /// Where the id stands in the file.
    pub span: Range<usize>,
}

/// Whether an expansion is in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// It is.
    On,
    /// It is not, whatever else would switch it on.
    Off,
}

/// An option as a game file sets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionChoice {
    /// The option's name within the expansion.
    pub name: String,
    /// What was written.
    pub value: RawValue,
    /// Where the name stands in the file.
    pub name_span: Range<usize>,
    /// Where the value stands in the file.
    pub span: Range<usize>,
}

/// An order as a game file sets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderChoice {
    /// What it says.
    pub rule: OrderRule,
    /// Where it stands in the file.
    pub span: Range<usize>,
}

/// "`first` before `then`": two expansions or two hooks written `expansion:hook`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OrderRule {
    /// Comes first.
    pub first: String,
    /// Comes later.
    pub then: String,
}

/// The names of limits.
pub(crate) const LIMITS: [&str; 3] = ["instructions", "memory_mib", "intents"];

/// Limits of scripts; `None` is the usual one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Steps of the interpreter for each call.
    pub instructions: Option<u64>,
    /// Memory of a script, in MiB.
    pub memory_mib: Option<u64>,
    /// Intents of a decision.
    pub intents: Option<u64>,
}

impl Limits {
    /// The limits that are set, with the names by which game files and locks know them.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let all = [self.instructions, self.memory_mib, self.intents];
        LIMITS.into_iter().zip(all).filter_map(|(name, limit)| Some((name, limit?)))
    }

    /// Sets the limit of this name; false if there is none.
    pub fn set(&mut self, name: &str, limit: u64) -> bool {
        let place = match name {
            "instructions" => &mut self.instructions,
            "memory_mib" => &mut self.memory_mib,
            "intents" => &mut self.intents,
            _ => return false,
        };
        *place = Some(limit);
        true
    }

    /// What calls of scripts may use; `usual` where nothing is set.
    pub fn of_scripts(&self, usual: ScriptLimits) -> ScriptLimits {
        let bytes =
            |mib| usize::try_from(mib).ok().and_then(|mib: usize| mib.checked_mul(1 << 20)).unwrap_or(usize::MAX);
        ScriptLimits {
            instructions: self.instructions.unwrap_or(usual.instructions),
            memory_bytes: self.memory_mib.map_or(usual.memory_bytes, bytes),
            ..usual
        }
    }

    /// Intents that a decision may cause, as a setup takes them.
    pub fn of_decisions(&self) -> Option<u32> {
        self.intents.map(|intents| u32::try_from(intents).unwrap_or(u32::MAX))
    }
}

impl std::str::FromStr for OrderRule {
    type Err = OrderRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<_> = text.split_whitespace().collect();
        let &[first, "before", then] = words.as_slice() else { return Err(OrderRuleError::Form) };
        if first == then {
            return Err(OrderRuleError::Itself);
        }
        let hook = |name: &str| name.split_once(':').map(|(id, hook)| is_id(id) && !hook.is_empty());
        match (hook(first), hook(then)) {
            (None, None) if is_id(first) && is_id(then) => {}
            (Some(true), Some(true)) => {}
            _ => return Err(OrderRuleError::Form),
        }
        Ok(Self { first: first.to_owned(), then: then.to_owned() })
    }
}

impl std::fmt::Display for OrderRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} before {}", self.first, self.then)
    }
}

impl OrderRule {
    /// The two expansions it speaks of.
    pub fn expansions(&self) -> [&str; 2] {
        [&self.first, &self.then].map(|name| name.split_once(':').map_or(name.as_str(), |(id, _)| id))
    }

    /// Whether it orders whole expansions and not two of their hooks.
    pub fn is_between_expansions(&self) -> bool {
        !self.first.contains(':')
    }
}

/// Why a sentence is not an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderRuleError {
    /// It has another form.
    #[error("is not of the form \"one before other\"")]
    Form,
    /// Both sides are the same.
    #[error("puts something before itself")]
    Itself,
}

impl GameFile {
    /// Reads a game file and checks everything that can be checked without the expansions.
    ///
    /// # Errors
    /// Every problem found, in the order of their places.
    pub fn parse(file: &SourceFile) -> Result<Self, Vec<Diagnostic>> {
        let codes = Codes { syntax: "G001", unknown: "G002", kind: "G003", missing: "G004" };
        let mut parser = Parser { reader: Reader::new(file, codes) };
        let document = parser.reader.document();
        let game = document.as_ref().map(|table| parser.game(&Section::new("", 0..0, table)));
        let mut problems = parser.reader.problems;
        problems.sort_by_key(|problem| problem.at.as_ref().map_or(0, |(_, span)| span.start));
        match game {
            Some(game) if problems.is_empty() => Ok(game),
            _ => Err(problems),
        }
    }
}

struct Parser<'f> {
    reader: Reader<'f>,
}

/// Whether a player can be called so.
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name.trim() == name && name.chars().count() <= 60 && !name.contains(char::is_control)
}

const KEYS: &[&str] = &["title", "seed", "players", "expansions", "orders", "limits"];

impl Parser<'_> {
    fn game(&mut self, top: &Section<'_>) -> GameFile {
        self.reader.only(top, KEYS);
        GameFile {
            title: self.reader.text(top, "title").map(|(text, _)| text),
            seed: self.seed(top),
            players: self.players(top),
            expansions: self.expansions(top),
            orders: self.orders(top),
            limits: self.limits(top),
            file: self.reader.file.clone(),
        }
    }

    fn seed(&mut self, top: &Section<'_>) -> Option<u64> {
        let entry = top.get("seed")?;
        let Some(number) = entry.value.as_integer() else {
            self.reader.wrong_kind("seed", NUMBER, entry.value, entry.span.clone());
            return None;
        };
        // Saves write any 64-bit seed, so it may be greater than TOML's signed numbers.
        let seed = u64::from_str_radix(number.as_str(), number.radix()).ok();
        if seed.is_none() {
            let help = format!("write a whole number from 0 to {}", u64::MAX);
            self.reader.report("G007", entry.span.clone(), format!("{number} cannot be a seed"), help);
        }
        seed
    }

    fn players(&mut self, top: &Section<'_>) -> Vec<PlayerEntry> {
        self.reader.need(top, "players", "players = [ { name = \"Ann\" }, { name = \"Bob\", bot = \"random\" } ]");
        let items = self.reader.list(top, "players");
        if let Some(entry) = top.get("players").filter(|entry| entry.value.is_array())
            && !(1..=MAX_PLAYERS).contains(&items.len())
        {
            let message = format!("a game has 1 to {MAX_PLAYERS} players, this one {}", items.len());
            self.reader.report("G005", entry.key_span.clone(), message, "add or remove players");
        }
        let mut seen = BTreeSet::new();
        items.iter().filter_map(|item| self.player(item, &mut seen)).collect()
    }

    fn player(&mut self, item: &Spanned<DeValue<'_>>, seen: &mut BTreeSet<String>) -> Option<PlayerEntry> {
        let DeValue::Table(table) = item.get_ref() else {
            self.reader.wrong_item("players", "tables such as { name = \"Ann\" }", item);
            return None;
        };
        let section = Section::new("players", item.span(), table);
        self.reader.only(&section, &["name", "bot"]);
        self.reader.need(&section, "name", "name = \"Ann\"");
        let bot = self.reader.text(&section, "bot");
        let (name, span) = self.reader.text(&section, "name")?;
        if !is_name(&name) {
            self.reader.report(
                "G006",
                span.clone(),
                format!("\"{}\" cannot be a player's name", name.escape_debug()),
                "write a name of at most 60 letters on one line, without spaces around it",
            );
        } else if !seen.insert(name.clone()) {
            self.reader.report(
                "G006",
                span.clone(),
                format!("two players are called `{name}`"),
                "give each player a name of their own",
            );
        }
        let span = bot.as_ref().map_or(span, |(_, span)| span.clone());
        Some(PlayerEntry { name, bot: bot.map(|(bot, _)| bot), span })
    }

    fn expansions(&mut self, top: &Section<'_>) -> Vec<Choice> {
        let Some(section) = self.reader.table(top, "expansions") else { return Vec::new() };
        section.entries.iter().filter_map(|entry| self.choice(&section.name(entry.key), entry)).collect()
    }

    fn choice(&mut self, path: &str, entry: &Entry<'_>) -> Option<Choice> {
        check_id(&mut self.reader, "G011", entry.key, entry.key_span.clone());
        let plain = |switch| Choice {
            id: entry.key.to_owned(),
            switch,
            copies: 1,
            options: Vec::new(),
            span: entry.key_span.clone(),
        };
        match entry.value {
            DeValue::Boolean(true) => Some(plain(Switch::On)),
            DeValue::Boolean(false) => Some(plain(Switch::Off)),
            DeValue::Table(table) => {
                let section = Section::new(path, entry.key_span.clone(), table);
                let copies = self.copies(&section);
                let options = section.entries.iter().filter(|entry| entry.key != COPIES).map(option_choice).collect();
                Some(Choice { copies, options, ..plain(Switch::On) })
            }
            other => {
                let message =
                    format!("`{path}` must be true, false or a table of options, not {}", RawValue::from_toml(other));
                let help = if KEYS.contains(&entry.key) {
                    format!("`{}` belongs above the line `[expansions]`", entry.key)
                } else {
                    "write for example `true`, or `{ target = \"any\" }`".to_owned()
                };
                self.reader.report("G012", entry.span.clone(), message, help);
                None
            }
        }
    }

    fn copies(&mut self, section: &Section<'_>) -> u32 {
        let Some((number, span)) = self.reader.int(section, COPIES) else { return 1 };
        match u32::try_from(number) {
            Ok(copies @ 1..) => copies,
            _ => {
                let help = "write a whole number of at least 1; to leave the expansion out, write `false` for it";
                self.reader.report("G008", span, format!("there cannot be {number} copies of an expansion"), help);
                1
            }
        }
    }

    fn orders(&mut self, top: &Section<'_>) -> Vec<OrderChoice> {
        let mut orders = Vec::new();
        for (text, span) in self.reader.texts(top, "orders") {
            match text.parse() {
                Ok(rule) => orders.push(OrderChoice { rule, span }),
                Err(error) => {
                    let error: OrderRuleError = error;
                    let help = "write two expansions, such as \"orchard before quarry\", or two hooks, such as \
                                \"orchard:harvest before quarry:dig\"";
                    self.reader.report("G009", span, format!("the order \"{text}\" {error}"), help);
                }
            }
        }
        orders
    }

    fn limits(&mut self, top: &Section<'_>) -> Limits {
        let Some(section) = self.reader.table(top, "limits") else { return Limits::default() };
        self.reader.only(&section, &LIMITS);
        let [instructions, memory_mib, intents] = LIMITS.map(|key| self.limit(&section, key));
        Limits { instructions, memory_mib, intents }
    }

    fn limit(&mut self, section: &Section<'_>, key: &str) -> Option<u64> {
        let (number, span) = self.reader.int(section, key)?;
        let limit = u64::try_from(number).ok().filter(|limit| *limit > 0);
        if limit.is_none() {
            let message = format!("`{}` cannot be {number}", section.name(key));
            self.reader.report(
                "G010",
                span,
                message,
                "write a whole number of at least 1, or leave it out for the usual limit",
            );
        }
        limit
    }
}

fn option_choice(entry: &Entry<'_>) -> OptionChoice {
    OptionChoice {
        name: entry.key.to_owned(),
        value: RawValue::from_toml(entry.value),
        name_span: entry.key_span.clone(),
        span: entry.span.clone(),
    }
}
