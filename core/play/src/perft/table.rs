//! Tables of counts from elsewhere, and the names that are used there.

use std::collections::BTreeMap;

use toml::{Table, Value};
use trencavel_rules::geometry::HalfEdge;
use trencavel_rules::hooks::Scripts;
use trencavel_rules::{Action, Game, Position, Rotation, Ruleset, Setup, Side, Start, short};

use super::Counts;
use crate::scenario::{Wanted, format};

/// What tables call sets of tiles, house rules and figures, in our words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    sets: BTreeMap<String, Wanted>,
    notes: BTreeMap<String, Wanted>,
    figures: BTreeMap<String, String>,
}

impl Names {
    /// Reads names from TOML: `[sets]` and `[notes]` with `{ with = [ids], option = ["expansion.option=value"] }`,
    /// `[figures]` with ids.
    ///
    /// # Errors
    /// What has another shape.
    pub fn parse(text: &str) -> Result<Self, String> {
        let table: Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
        let mut names = Self::default();
        for (key, value) in &table {
            let inner = value.as_table().ok_or_else(|| format!("`{key}` must be a table"))?;
            match key.as_str() {
                "sets" => names.sets = wishes(inner)?,
                "notes" => names.notes = wishes(inner)?,
                "figures" => {
                    let id = |(name, id): (&String, &Value)| Some((name.clone(), id.as_str()?.to_owned()));
                    let figures: Option<BTreeMap<_, _>> = inner.iter().map(id).collect();
                    names.figures = figures.ok_or("`figures` must hold ids")?;
                }
                _ => return Err(format!("unknown key `{key}`: the keys are sets, notes, figures")),
            }
        }
        Ok(names)
    }

    /// The rules for the setup column of a table: `SET+SET, NOTE`.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn wanted(&self, setup: &str) -> Result<Wanted, String> {
        let (sets, notes) = setup.split_once(", ").unwrap_or((setup, ""));
        let mut wanted = Wanted::default();
        let known = |names: &BTreeMap<String, Wanted>, name: &str| {
            names.get(name).cloned().ok_or_else(|| format!("nothing is known by the name `{name}`"))
        };
        for set in sets.split('+') {
            wanted.add(known(&self.sets, set.trim())?);
        }
        for note in notes.split(", ").filter(|note| !note.is_empty()) {
            wanted.add(known(&self.notes, note.trim())?);
        }
        Ok(wanted)
    }
}

impl Wanted {
    fn add(&mut self, other: Self) {
        self.expansions.extend(other.expansions);
        self.options.extend(other.options);
    }
}

fn wishes(table: &Table) -> Result<BTreeMap<String, Wanted>, String> {
    let mut wishes = BTreeMap::new();
    for (name, value) in table {
        let wrong = || format!("`{name}` must be {{ with = [...], option = [...] }}");
        let inner = value.as_table().ok_or_else(wrong)?;
        let list = |key: &str| -> Option<Vec<String>> {
            let Some(value) = inner.get(key) else { return Some(Vec::new()) };
            value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned)).collect()
        };
        if inner.keys().any(|key| key != "with" && key != "option") {
            return Err(wrong());
        }
        let wanted = Wanted { expansions: list("with").ok_or_else(wrong)?, options: list("option").ok_or_else(wrong)? };
        wishes.insert(name.clone(), wanted);
    }
    Ok(wishes)
}

/// A stack of a table with the counts of its plies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableCase {
    /// Its name.
    pub id: String,
    /// Sets of tiles and house rules, in the table's words.
    pub setup: String,
    /// The tiles to draw.
    pub stack: Vec<String>,
    /// Tiles on the table: `ID,x,y,TURN`.
    pub start: Vec<String>,
    /// Turns played before the first ply: `ID,x,y,TURN` or `ID,x,y,TURN,FIGURE,FEATURE,LOCATION`.
    pub before: Vec<String>,
    /// Counts of each ply.
    pub rows: Vec<Counts>,
}

/// Reads a table.
///
/// # Errors
/// The number of the first line that is no row, and why.
pub fn parse_table(text: &str) -> Result<Vec<TableCase>, (usize, String)> {
    let mut cases: Vec<TableCase> = Vec::new();
    for (index, line) in text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty()) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [id, setup, stack, ply, a, b, c, d, e, start, before] = columns[..] else {
            return Err((index + 1, format!("11 columns are wanted, there are {}", columns.len())));
        };
        let number = |text: &str| text.parse().map_err(|_| (index + 1, format!("`{text}` is not a number")));
        let row = Counts {
            placements_raw: number(a)?,
            placements_merged: number(b)?,
            turns_raw: number(c)?,
            turns_merged: number(d)?,
            set_aside: number(e)?,
        };
        if cases.last().is_none_or(|case| case.id != id) {
            let list = |text: &str| text.split(';').filter(|part| *part != "-").map(str::to_owned).collect();
            let stack = stack.split_whitespace().map(str::to_owned).collect();
            let (start, before) = (list(start), list(before));
            cases.push(TableCase { id: id.into(), setup: setup.into(), stack, start, before, rows: Vec::new() });
        }
        if let Some(case) = cases.last_mut() {
            case.rows.push(row);
            if number(ply)? != case.rows.len() as u64 {
                return Err((index + 1, format!("ply {ply} is not the next one of {id}")));
            }
        }
    }
    Ok(cases)
}

impl TableCase {
    /// How many plies to count: up to the first with more turns than `limit`.
    pub fn plies(&self, limit: Option<u64>) -> usize {
        let within = |row: &&Counts| limit.is_none_or(|limit| row.turns_raw <= limit);
        self.rows.iter().take_while(within).count()
    }

    /// The game's setup: two players, the turns played before in the stack.
    ///
    /// # Errors
    /// If a tile is not part of the ruleset.
    pub fn setup(&self, rules: &Ruleset) -> Result<Setup, String> {
        let before = self.before.iter().map(|turn| turn.split(',').next().unwrap_or_default());
        let stack = before.chain(self.stack.iter().map(String::as_str));
        let starts = self.start.iter().map(|tile| Laid::parse(tile)?.start(rules));
        Ok(Setup {
            players: ["A", "B"].map(str::to_owned).to_vec(),
            stack: Some(stack.map(|name| format::tile(rules, name)).collect::<Result<_, _>>()?),
            starts: Some(starts.collect::<Result<_, String>>()?),
            ask_forced: true,
            ..Setup::default()
        })
    }

    /// Plays the turns before the first ply.
    ///
    /// # Errors
    /// The first that cannot be played, and why.
    pub fn play_before(&self, game: &mut Game, names: &Names, scripts: &mut dyn Scripts) -> Result<(), String> {
        for turn in &self.before {
            self.play(game, turn, names, scripts).map_err(|why| format!("before `{turn}`: {why}"))?;
        }
        Ok(())
    }

    fn play(&self, game: &mut Game, turn: &str, names: &Names, scripts: &mut dyn Scripts) -> Result<(), String> {
        let laid = Laid::parse(turn)?;
        let hand = game.state().hand().ok_or("no tile is to be placed")?;
        let rotation = game.rules().tile(hand).canonical(laid.rotation);
        game.apply(Action::Place { at: laid.at, rotation }, scripts).map_err(|error| error.to_string())?;
        if let Some(deployed) = &laid.deployed {
            let action = deployed.find(game, names)?;
            game.apply(action, scripts).map_err(|error| error.to_string())?;
        }
        while !game.is_placing() && !game.state().is_over() {
            game.apply(Action::Pass, scripts).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

/// A tile that was laid, in a table's words.
struct Laid<'a> {
    tile: &'a str,
    at: Position,
    rotation: Rotation,
    deployed: Option<Deployed<'a>>,
}

struct Deployed<'a> {
    figure: &'a str,
    feature: &'a str,
    location: &'a str,
}

impl<'a> Laid<'a> {
    fn parse(text: &'a str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(',').collect();
        let (words, deployed) = match parts[..] {
            [a, b, c, d] => ([a, b, c, d], None),
            [a, b, c, d, figure, feature, location] => ([a, b, c, d], Some(Deployed { figure, feature, location })),
            _ => return Err(format!("`{text}` is not a tile on the table")),
        };
        let [tile, x, y, turned] = words;
        let at = format!("{x},{y}").parse().map_err(|error| format!("{error}"))?;
        let rotation = turned.to_ascii_lowercase().parse().map_err(|error| format!("{error}"))?;
        Ok(Self { tile, at, rotation, deployed })
    }

    fn start(&self, rules: &Ruleset) -> Result<Start, String> {
        Ok(Start { tile: format::tile(rules, self.tile)?, at: self.at, rotation: self.rotation })
    }
}

impl Deployed<'_> {
    /// The offered deployment on the placed tile that is meant.
    fn find(&self, game: &Game, names: &Names) -> Result<Action, String> {
        let (rules, state) = (game.rules(), game.state());
        let figure = names.figures.get(self.figure).map_or(self.figure, String::as_str);
        let wanted = rules.figure_by_name(figure).ok_or_else(|| format!("no figure is called `{figure}`"))?;
        let offered = game.legal_actions().iter().copied().find(|action| {
            let Action::Deploy { kind, segment, .. } = *action else { return false };
            let (tile, local) = state.segment_place(segment);
            let placed = state.tile(tile);
            let printed = &rules.tile(placed.def).segments[local];
            kind == wanted
                && state.placed() == Some(tile)
                && short(rules.feature_name(printed.kind)).eq_ignore_ascii_case(self.feature)
                && location(&printed.sides, &printed.halves, placed.rotation) == self.location
        });
        offered.ok_or_else(|| format!("no {figure} may be deployed there"))
    }
}

/// What tables call the sides or half-edges of a segment on the board.
fn location(sides: &[Side], halves: &[HalfEdge], rotation: Rotation) -> String {
    let turned = |side: Side| sides.iter().any(|own| own.turned(rotation) == side);
    let bits = Side::ALL.iter().fold(0, |bits, side| bits | usize::from(turned(*side)) << side.index());
    // By the bits N 1, E 2, S 4, W 8.
    const NAMES: [&str; 16] =
        ["I", "N", "E", "NE", "S", "NS", "SE", "_W", "W", "NW", "WE", "_S", "SW", "_E", "_N", "NWSE"];
    if bits != 0 || halves.is_empty() {
        return NAMES[bits].to_owned();
    }
    let own = HalfEdge::ALL.into_iter().filter(|half| halves.iter().any(|own| own.turned(rotation) == *half));
    own.map(|half| half.to_string()).collect::<Vec<_>>().join(".")
}
