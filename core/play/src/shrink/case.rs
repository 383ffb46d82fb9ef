//! A game as the shrinker sees it: small enough to take pieces away, complete enough to be played and written down.

use trencavel_rules::ids::TileDefId;
use trencavel_rules::{Anchor, Game, Ruleset, State, notation, short};

use crate::scenario::Wanted;
use crate::scenario::format::{Scenario, Stack, Turn};

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The letter of who gave it.
    pub player: char,
    /// In our notation.
    pub text: String,
    /// The tile it places.
    pub tile: Option<String>,
}

/// A game from its setup to its last answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The rules.
    pub wanted: Wanted,
    /// How many players.
    pub players: usize,
    /// The seed of all chance.
    pub seed: u64,
    /// The letter of who begins.
    pub first: char,
    /// The start layout, if it is not the ruleset's.
    pub start: Option<Vec<String>>,
    /// Figures on it.
    pub figures: Vec<String>,
    /// The tiles come from the shuffled pack, and not in the order in which they are placed.
    pub shuffled: bool,
    /// The game ends with the last tile; else others follow.
    pub ends: bool,
    /// What is answered.
    pub play: Vec<Step>,
}

/// How large a case is: expansions, options, answers, those that do something, tiles set, figures set, players, seed.
pub type Size = [u64; 8];

impl Case {
    /// How large it is. The earlier numbers count more.
    pub fn size(&self) -> Size {
        let doing = self.play.iter().filter(|step| step.text != "pass").count();
        let set = self.start.as_ref().map_or(0, Vec::len);
        let counts =
            [self.wanted.expansions.len(), self.wanted.options.len(), self.play.len(), doing, set, self.figures.len()];
        let mut size = [0; 8];
        counts.iter().zip(&mut size).for_each(|(count, place)| *place = *count as u64);
        size[6] = self.players as u64;
        size[7] = self.seed;
        size
    }

    /// The same without what these rules do not know: tiles, and figures that stand on them or are unknown themselves.
    pub fn known_to(mut self, rules: &Ruleset) -> Self {
        self.play.retain(|step| step.tile.as_ref().is_none_or(|tile| rules.tile_by_name(tile).is_some()));
        if let Some(start) = &mut self.start {
            start.retain(|line| rules.tile_by_name(first_word(line)).is_some());
        }
        let spaces: Vec<&str> = self.start.iter().flatten().filter_map(|line| line.split(' ').nth(1)).collect();
        let stands = |line: &String| {
            let words: Vec<&str> = line.split(' ').collect();
            let (kind, at) =
                if words[0].len() == 1 { (words.get(1), words.get(2)) } else { (words.first(), words.get(1)) };
            kind.is_some_and(|kind| rules.figure_by_name(kind).is_some()) && at.is_some_and(|at| spaces.contains(at))
        };
        self.figures.retain(stands);
        self
    }

    /// The case as a scenario that expects what is always so.
    pub fn scenario(&self, title: &str, rules: &Ruleset) -> Scenario {
        let tiles = self.play.iter().filter_map(|step| step.tile.clone()).collect();
        let always = match self.start.as_ref().and_then(|start| start.first()) {
            Some(line) => told(line),
            None => rules.starts().first().map_or_else(String::new, |start| {
                told(&format!("{} {} {}", tile_word(rules, start.tile), start.at, start.rotation))
            }),
        };
        Scenario {
            title: title.to_owned(),
            wanted: self.wanted.clone(),
            players: (0..self.players as u8).map(|seat| char::from(b'A' + seat).to_string()).collect(),
            seed: self.seed,
            first: self.first,
            start: self.start.clone(),
            figures: self.figures.clone(),
            stack: if self.shuffled { Stack::Shuffled } else { Stack::Tiles(tiles) },
            play: turns(&self.play),
            ends: self.ends && !self.shuffled,
            expect: vec![always],
            ..Scenario::default()
        }
    }

    /// The case that plays a scenario's answers. Its board is its start layout.
    pub fn of_scenario(scenario: &Scenario) -> Self {
        let step = |turn: &Turn, text: &String| {
            let words: Vec<&str> = text.split(' ').collect();
            let tile = (words[0] == "place" && words.len() == 4).then(|| words[1].to_owned());
            Step { player: turn.player, text: text.clone(), tile }
        };
        let mut play: Vec<Step> =
            scenario.play.iter().flat_map(|turn| turn.answers.iter().map(move |text| step(turn, text))).collect();
        if let Stack::Tiles(stack) = &scenario.stack {
            let placed = play.iter_mut().filter(|step| step.tile.is_some());
            placed.zip(stack).for_each(|(step, tile)| step.tile = Some(tile.clone()));
        }
        Self {
            wanted: scenario.wanted.clone(),
            players: scenario.players.len(),
            seed: scenario.seed,
            first: scenario.first,
            start: scenario.start.clone(),
            figures: scenario.figures.clone(),
            shuffled: scenario.stack == Stack::Shuffled,
            ends: scenario.ends,
            play,
        }
    }
}

/// `city-cap 0,-1 r180` as a sentence of `expect`.
fn told(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        [tile, at, rotation] => format!("{at} is tile {tile} {rotation}"),
        _ => String::new(),
    }
}

fn first_word(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

/// The shortest word that names a design.
pub fn tile_word(rules: &Ruleset, tile: TileDefId) -> String {
    let full = &*rules.tile(tile).id;
    let word = if rules.tile_by_name(short(full)) == Some(tile) { short(full) } else { full };
    word.to_owned()
}

/// Answers a line each player's go: a placement begins a line.
fn turns(play: &[Step]) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for step in play {
        match turns.last_mut() {
            Some(turn) if turn.player == step.player && step.tile.is_none() => turn.answers.push(step.text.clone()),
            _ => turns.push(Turn { player: step.player, answers: vec![step.text.clone()] }),
        }
    }
    turns
}

/// The table of a game as start layout and figures. Tokens, the log and figures beside others are left out.
pub fn layout(game: &Game) -> (Vec<String>, Vec<String>) {
    let (rules, state) = (game.rules(), game.state());
    let tiles = state.tiles().map(|(_, tile)| format!("{} {} {}", tile_word(rules, tile.def), tile.at, tile.rotation));
    let figures = state.figures().filter_map(|(_, figure)| {
        let kind = short(&rules.figure_kind(figure.kind).name);
        let owner = figure.owner().map_or(String::new(), |owner| format!("{} ", notation::letter(owner)));
        Some(format!("{owner}{kind} {}", place_words(rules, state, figure.at)?))
    });
    (tiles.collect(), figures.collect())
}

fn place_words(rules: &Ruleset, state: &State, at: Anchor) -> Option<String> {
    match at {
        Anchor::Seat { segment, seat } => {
            let place = notation::segment_words(rules, state, segment, None);
            Some(format!("{place} as {}", short(rules.seat_name(seat))))
        }
        Anchor::Tile(tile) => Some(state.tile(tile).at.to_string()),
        _ => None,
    }
}

/// A scenario as the text of a file.
pub fn to_toml(scenario: &Scenario, remark: &str) -> String {
    let quote = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let mut text: String = remark.lines().map(|line| format!("# {line}\n")).collect();
    let mut line = |key: &str, value: String| text += &format!("{key:<10} = {value}\n");
    let list = |items: &[String]| match items {
        [] => "[]".to_owned(),
        [only] => format!("[{}]", quote(only)),
        items => format!("[\n{}]", items.iter().map(|item| format!("  {},\n", quote(item))).collect::<String>()),
    };
    line("title", quote(&scenario.title));
    line(
        "expansions",
        format!("[{}]", scenario.wanted.expansions.iter().map(|id| quote(id)).collect::<Vec<_>>().join(", ")),
    );
    if !scenario.wanted.options.is_empty() {
        let pairs = scenario.wanted.options.iter().filter_map(|option| option.split_once('='));
        let pairs: Vec<String> = pairs.map(|(name, value)| format!("{} = {}", quote(name), quote(value))).collect();
        line("options", format!("{{ {} }}", pairs.join(", ")));
    }
    line("players", scenario.players.len().to_string());
    if scenario.seed != 0 || scenario.stack == Stack::Shuffled {
        line("seed", scenario.seed.to_string());
    }
    if scenario.first != 'A' {
        line("first", quote(&scenario.first.to_string()));
    }
    if let Some(start) = &scenario.start {
        line("start", list(start));
    }
    if !scenario.figures.is_empty() {
        line("figures", list(&scenario.figures));
    }
    if let Stack::Tiles(stack) = &scenario.stack {
        line("stack", list(stack));
    }
    let play: Vec<String> =
        scenario.play.iter().map(|turn| format!("{}: {}", turn.player, turn.answers.join("; "))).collect();
    line("play", list(&play));
    if scenario.ends {
        line("final", "true".to_owned());
    }
    line("expect", list(&scenario.expect));
    text
}
