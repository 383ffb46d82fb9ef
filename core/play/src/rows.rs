//! What is written down of a game: one row of the game, one of each line of its ledger, as CSV.

use trencavel_rules::ids::PlayerId;
use trencavel_rules::ledger::Line;
use trencavel_rules::words::DeclKind;
use trencavel_rules::{Game, Ruleset};

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
            won: shares(&points),
            points,
            digest: state.digest(),
        };
        Self { game: row, scores: state.lines().iter().enumerate().map(score).collect() }
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

/// The first line of the table of games.
pub fn games_header(players: usize) -> String {
    let mut text = "game,seed,turns,decisions,tiles,unplaceable,lead_changes".to_owned();
    (1..=players).for_each(|player| text += &format!(",points_{player}"));
    (1..=players).for_each(|player| text += &format!(",won_{player}"));
    text + ",digest\n"
}

/// The first line of the table of score lines.
pub const SCORES_HEADER: &str = "game,line,turn,player,points,source,cause\n";

impl GameRow {
    /// Reads a row of a game of so many players.
    pub fn parse(line: &str, players: usize) -> Option<Self> {
        let cells: Vec<&str> = line.trim_end().split(',').collect();
        let [game, seed, turns, decisions, tiles, unplaceable, lead_changes, rest @ .., digest] = &cells[..] else {
            return None;
        };
        let (points, won) = rest.split_at_checked(players).filter(|(_, won)| won.len() == players)?;
        Some(Self {
            game: game.parse().ok()?,
            seed: seed.parse().ok()?,
            turns: turns.parse().ok()?,
            decisions: decisions.parse().ok()?,
            tiles: tiles.parse().ok()?,
            unplaceable: unplaceable.parse().ok()?,
            lead_changes: lead_changes.parse().ok()?,
            points: points.iter().map(|cell| cell.parse().ok()).collect::<Option<_>>()?,
            won: won.iter().map(|cell| cell.parse().ok()).collect::<Option<_>>()?,
            digest: u64::from_str_radix(digest, 16).ok()?,
        })
    }

    /// The row with its end of line.
    pub fn csv(&self) -> String {
        let Self { game, seed, turns, decisions, tiles, unplaceable, lead_changes, .. } = self;
        let mut text = format!("{game},{seed},{turns},{decisions},{tiles},{unplaceable},{lead_changes}");
        self.points.iter().for_each(|points| text += &format!(",{points}"));
        self.won.iter().for_each(|won| text += &format!(",{won:.4}"));
        text + &format!(",{:016x}\n", self.digest)
    }
}

impl ScoreRow {
    /// The row with its end of line; players are counted from 1.
    pub fn csv(&self) -> String {
        let Self { game, line, turn, player, points, source, cause } = self;
        format!("{game},{line},{turn},{},{points},{source},{cause}\n", player + 1)
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
    fn rows_have_as_many_cells_as_the_header() {
        let row = GameRow { points: vec![1, 2], won: vec![0.0, 1.0], ..GameRow::default() };
        assert_eq!(row.csv().matches(',').count(), games_header(2).matches(',').count());
        assert_eq!(GameRow::parse(&row.csv(), 2), Some(row.clone()));
        assert_eq!(GameRow::parse(&row.csv(), 3), None);
    }
}
