//! What is written down of a game: one row of the game, one of each line of its ledger.

mod record;

use trencavel_rules::ids::PlayerId;
use trencavel_rules::ledger::Line;
use trencavel_rules::words::DeclKind;
use trencavel_rules::{Game, Ruleset};

use crate::fired::HookCount;

pub use record::{Cell, Kind, Record};

/// A game that was played to its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameRow {
    /// Its number in the campaign, from 0.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// Turns begun.
    pub turns: u32,
    /// Answers given.
    pub decisions: u32,
    /// Tiles on the table.
    pub tiles: u32,
    /// Tiles that fitted nowhere.
    pub unplaceable: u32,
    /// How often another player alone came to lead at the end of a turn.
    pub lead_changes: u32,
    /// Lines of its ledger.
    pub score_lines: u32,
    /// Points of each player.
    pub points: Vec<i32>,
    /// The win, divided among those with most points.
    pub won: Vec<f64>,
    /// The state the game ended in.
    pub digest: u64,
}

/// A line of a ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreRow {
    /// The game.
    pub game: u64,
    /// Its place in the ledger, from 0.
    pub line: u32,
    /// The turn, from 1.
    pub turn: u32,
    /// The player, by seat, from 0.
    pub player: u8,
    /// What was paid.
    pub points: i32,
    /// What was paid for: the kind of feature, the award, or the cause.
    pub source: String,
    /// Why.
    pub cause: String,
}

/// Everything that is written down of one game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The game.
    pub game: GameRow,
    /// Its ledger.
    pub scores: Vec<ScoreRow>,
    /// What its hooks did, where that is counted.
    pub hooks: Vec<HookCount>,
}

impl Rows {
    /// The rows of a game that is over.
    pub fn of(game: &Game, number: u64, seed: u64) -> Self {
        let (rules, state) = (game.rules(), game.state());
        let score = |(place, line): (usize, &Line)| ScoreRow {
            game: number,
            line: place as u32,
            turn: line.turn,
            player: line.player.index() as u8,
            points: line.points,
            source: source(rules, line),
            cause: rules.cause_word(line.cause).to_owned(),
        };
        let points = state.scores().to_vec();
        let row = GameRow {
            game: number,
            seed,
            turns: state.turn(),
            decisions: state.decisions(),
            tiles: state.tiles().count() as u32,
            unplaceable: state.set_aside().len() as u32,
            lead_changes: lead_changes(state.lines(), points.len()),
            score_lines: state.lines().len() as u32,
            won: shares(&points),
            points,
            digest: state.digest(),
        };
        Self { game: row, scores: state.lines().iter().enumerate().map(score).collect(), hooks: Vec::new() }
    }
}

/// What a line is about, with its expansion: `base:road`, `constable:pension`.
fn source(rules: &Ruleset, line: &Line) -> String {
    let decides = |kind: DeclKind| matches!(kind, DeclKind::Void | DeclKind::Set);
    let hooks = rules.hooks().nth(line.hook.index()).map(|(_, hook)| hook);
    match hooks {
        Some(hook) if !decides(hook.kind) => hook.name.to_string(),
        _ if rules.feature_kinds().any(|kind| kind == line.kind) => rules.feature_name(line.kind).to_owned(),
        _ => rules.cause_word(line.cause).to_owned(),
    }
}

/// A win, divided among those with most points.
fn shares(points: &[i32]) -> Vec<f64> {
    let most = points.iter().max().copied().unwrap_or_default();
    let winners = points.iter().filter(|points| **points == most).count().max(1);
    points.iter().map(|points| if *points == most { 1.0 / winners as f64 } else { 0.0 }).collect()
}

/// How often somebody else came to lead alone, looked at when a turn is over.
fn lead_changes(lines: &[Line], players: usize) -> u32 {
    let mut points = vec![0_i32; players];
    let (mut leader, mut changes) = (None, 0);
    for (place, line) in lines.iter().enumerate() {
        points[line.player.index()] += line.points;
        if lines.get(place + 1).is_some_and(|next| next.turn == line.turn) {
            continue;
        }
        if let Some(now) = alone(&points) {
            changes += u32::from(leader.is_some_and(|before| before != now));
            leader = Some(now);
        }
    }
    changes
}

/// Who has more points than everyone else.
fn alone(points: &[i32]) -> Option<PlayerId> {
    let most = points.iter().max()?;
    let mut leaders = points.iter().enumerate().filter(|(_, points)| *points == most);
    let (seat, _) = leaders.next()?;
    leaders.next().is_none().then(|| PlayerId::from_index(seat))
}

impl Record for GameRow {
    fn columns(players: usize) -> Vec<(String, Kind)> {
        let counts = ["turns", "decisions", "tiles", "unplaceable", "lead_changes", "score_lines"];
        let mut columns = vec![("game".to_owned(), Kind::Long), ("seed".to_owned(), Kind::Bits)];
        columns.extend(counts.map(|name| (name.to_owned(), Kind::Int)));
        columns.extend((1..=players).map(|player| (format!("points_{player}"), Kind::Int)));
        columns.extend((1..=players).map(|player| (format!("won_{player}"), Kind::Real)));
        columns.push(("digest".to_owned(), Kind::Bits));
        columns
    }

    fn cells(&self) -> Vec<Cell<'_>> {
        let Self { turns, decisions, tiles, unplaceable, lead_changes, score_lines, .. } = self;
        let counts = [turns, decisions, tiles, unplaceable, lead_changes, score_lines];
        let mut cells = vec![Cell::Long(self.game as i64), Cell::Bits(self.seed)];
        cells.extend(counts.map(|count| Cell::Int(*count as i32)));
        cells.extend(self.points.iter().map(|points| Cell::Int(*points)));
        cells.extend(self.won.iter().map(|won| Cell::Real(*won)));
        cells.push(Cell::Bits(self.digest));
        cells
    }

    fn of_cells(cells: &[Cell<'_>]) -> Option<Self> {
        let [Cell::Long(game), Cell::Bits(seed), rest @ .., Cell::Bits(digest)] = cells else { return None };
        let (counts, rest) = rest.split_at_checked(6)?;
        let counts: Vec<u32> = counts.iter().map(Cell::count).collect::<Option<_>>()?;
        let [turns, decisions, tiles, unplaceable, lead_changes, score_lines] = counts[..] else { return None };
        let points = rest.iter().take(rest.len() / 2).map(|cell| match cell {
            Cell::Int(points) => Some(*points),
            _ => None,
        });
        let points: Vec<i32> = points.collect::<Option<_>>()?;
        Some(Self {
            game: u64::try_from(*game).ok()?,
            seed: *seed,
            turns,
            decisions,
            tiles,
            unplaceable,
            lead_changes,
            score_lines,
            // Shares of wins are rounded where rows are text; points are not.
            won: shares(&points),
            points,
            digest: *digest,
        })
    }
}

impl Record for ScoreRow {
    fn columns(_: usize) -> Vec<(String, Kind)> {
        let numbers = ["line", "turn", "player", "points"].map(|name| (name.to_owned(), Kind::Int));
        let words = ["source", "cause"].map(|name| (name.to_owned(), Kind::Text));
        [("game".to_owned(), Kind::Long)].into_iter().chain(numbers).chain(words).collect()
    }

    /// Players are counted from 1.
    fn cells(&self) -> Vec<Cell<'_>> {
        vec![
            Cell::Long(self.game as i64),
            Cell::Int(self.line as i32),
            Cell::Int(self.turn as i32),
            Cell::Int(i32::from(self.player) + 1),
            Cell::Int(self.points),
            Cell::Text((&*self.source).into()),
            Cell::Text((&*self.cause).into()),
        ]
    }

    fn of_cells(cells: &[Cell<'_>]) -> Option<Self> {
        let [Cell::Long(game), line, turn, Cell::Int(player), Cell::Int(points), Cell::Text(source), Cell::Text(cause)] =
            cells
        else {
            return None;
        };
        Some(Self {
            game: u64::try_from(*game).ok()?,
            line: line.count()?,
            turn: turn.count()?,
            player: u8::try_from(player.checked_sub(1)?).ok()?,
            points: *points,
            source: source.clone().into_owned(),
            cause: cause.clone().into_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_is_divided() {
        assert_eq!(shares(&[7, 9, 9]), [0.0, 0.5, 0.5]);
        assert_eq!(shares(&[3]), [1.0]);
    }

    #[test]
    fn nobody_leads_a_draw() {
        assert_eq!(alone(&[4, 4]), None);
        assert_eq!(alone(&[4, 6]), Some(PlayerId::from_index(1)));
    }

    #[test]
    fn rows_come_back_from_their_text() {
        let points = vec![4, 4, 4];
        let game = GameRow { game: 7, turns: 3, won: shares(&points), points, digest: u64::MAX, ..GameRow::default() };
        assert_eq!(game.csv().matches(',').count(), GameRow::csv_header(3).matches(',').count());
        assert_eq!(GameRow::parse(&game.csv(), 3), Some(game.clone()), "a third of a win is not rounded");
        assert_eq!(GameRow::parse(&game.csv(), 4), None);
        assert_eq!(GameRow::parse(game.csv().trim_end(), 3), None, "a line without its end was cut");
        let words = |word: &str| (word.to_owned(), format!("{word}-why"));
        let (source, cause) = words("base:city");
        let score = ScoreRow { game: 7, line: 1, turn: 2, player: 0, points: -3, source, cause };
        assert_eq!(ScoreRow::parse(&score.csv(), 3), Some(score.clone()));
        assert_eq!(ScoreRow::parse(&score.csv().replace("-3", "x"), 3), None);
    }
}
