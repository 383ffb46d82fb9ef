//! Two tables game by game: what one rule changes, with the uncertainty of it.
//!
//! The games are paired: game *n* of both tables has the same seed, so the same tiles come in the same order where the
//! packs agree, and the bots throw the same dice. Differences are taken within pairs; their intervals are those of the
//! paired t-test (95 %).

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};

use trencavel_rules::words::DeclKind;

use crate::fired::HookCount;
use crate::rows::Rows;
use crate::simulate::{Campaign, Failed, Next};
use crate::stats::Mean;

/// Pairs that are needed before anything is said.
pub const LEAST: u64 = 30;

/// Pairs that nobody plays.
const MOST: f64 = 1e9;

/// Pairs that are played before they are taken together, so that memory stays small.
const GROUP: u64 = 500;

/// Plays so many pairs, or those before `stop` is set. `told` hears how many are done.
///
/// # Errors
/// The first game that came to no end.
pub fn run(
    tables: [&Campaign<'_>; 2],
    pairs: u64,
    threads: usize,
    stop: &AtomicBool,
    mut told: impl FnMut(u64),
) -> Result<Comparison, Failed> {
    let mut comparison = Comparison::default();
    while comparison.pairs() < pairs && !stop.load(Ordering::Relaxed) {
        let games = comparison.pairs()..pairs.min(comparison.pairs() + GROUP);
        let [first, second] = tables.map(|table| played(table, games.clone(), threads, stop));
        for (first, second) in first?.iter().zip(&second?) {
            comparison.add(first, second);
        }
        told(comparison.pairs());
    }
    Ok(comparison)
}

fn played(
    table: &Campaign<'_>,
    games: std::ops::Range<u64>,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Vec<Rows>, Failed> {
    let (mut rows, mut failed) = (Vec::new(), None);
    let Ok(()) = table.run(games, threads, stop, |block| {
        rows.extend(block.rows);
        failed = block.failed;
        Ok::<_, Infallible>(Next::More)
    });
    failed.map_or(Ok(rows), Err)
}

/// A number of a game, on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// What sort of thing is measured.
    pub sort: Sort,
    /// What is measured.
    pub name: String,
    /// In what.
    pub unit: &'static str,
    /// On the first table.
    pub first: Mean,
    /// On the second one.
    pub second: Mean,
    /// Second minus first, within pairs.
    pub change: Mean,
}

/// How much can be said of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is there: the interval does not hold 0.
    Differs,
    /// The interval holds 0.
    Unclear,
    /// There are too few games.
    TooFew,
    /// Every pair is the same.
    Same,
}

impl Measure {
    /// What can be said of it.
    pub fn verdict(&self) -> Verdict {
        let change = &self.change;
        match () {
            () if change.count() < LEAST => Verdict::TooFew,
            () if change.mean() == 0.0 && change.half_width() == 0.0 => Verdict::Same,
            () if change.differs() => Verdict::Differs,
            () => Verdict::Unclear,
        }
    }

    /// Pairs after which the interval would most likely not hold 0, if the change is as it looks now; `None` if it can hardly
    /// be seen at all.
    pub fn pairs_needed(&self) -> Option<u64> {
        let ratio = self.change.half_width() / self.change.mean().abs();
        let pairs = self.change.count() as f64 * ratio * ratio;
        (self.verdict() == Verdict::Unclear && pairs < MOST).then_some(pairs.ceil() as u64)
    }
}

/// Collects pairs of games.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    pairs: u64,
    measures: BTreeMap<(Sort, String), Measure>,
}

impl Comparison {
    /// How many pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Every measure, in the order of [`Sort`], then by name.
    pub fn measures(&self) -> impl Iterator<Item = &Measure> {
        self.measures.values()
    }

    /// One more pair.
    pub fn add(&mut self, first: &Rows, second: &Rows) {
        let (mut one, mut two) = (numbers(first), numbers(second));
        let keys: Vec<_> = one.keys().chain(two.keys()).cloned().collect();
        for key in keys {
            let known = self.pairs;
            let measure = self.measures.entry(key.clone()).or_insert_with(|| absent_before(&key, known));
            // A source that a game does not have paid nothing in it.
            let (Some(one), Some(two)) = both(one.remove(&key), two.remove(&key)) else { continue };
            measure.first.add(one);
            measure.second.add(two);
            measure.change.add(two - one);
        }
        self.pairs += 1;
        let pairs = self.pairs;
        for measure in self.measures.values_mut().filter(|measure| measure.change.count() < pairs) {
            [&mut measure.first, &mut measure.second, &mut measure.change].into_iter().for_each(|mean| mean.add(0.0));
        }
    }
}

/// Both, 0 for one that is not there; neither if the pair was counted already.
fn both(one: Option<f64>, two: Option<f64>) -> (Option<f64>, Option<f64>) {
    if one.is_none() && two.is_none() { (None, None) } else { (one.or(Some(0.0)), two.or(Some(0.0))) }
}

/// What sort of thing is measured, in the order in which it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// A seat's share of wins, in percent.
    Won,
    /// A seat's points.
    Points,
    /// The course of the game: its length, decisions, what was unusual.
    Course,
    /// Points of all players by what paid them.
    Source,
    /// How often a hook did something.
    Fired,
    /// How often a refusal decided.
    Refused,
}

impl Sort {
    /// A word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Points => "points",
            Self::Course => "course",
            Self::Source => "source",
            Self::Fired => "fired",
            Self::Refused => "refused",
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Self::Won => "%",
            Self::Points | Self::Source => "points",
            Self::Course => "",
            Self::Fired | Self::Refused => "times",
        }
    }
}

/// A measure that was 0 in all pairs so far.
fn absent_before((sort, name): &(Sort, String), pairs: u64) -> Measure {
    let none = Mean::of_zeros(pairs);
    Measure { sort: *sort, name: name.clone(), unit: sort.unit(), first: none, second: none, change: none }
}

/// How a measure calls a hook.
pub fn hook_words(name: &str, kind: DeclKind) -> String {
    if kind == DeclKind::Forbid { name.to_owned() } else { format!("{name} ({kind})") }
}

/// The numbers of one game.
fn numbers(rows: &Rows) -> BTreeMap<(Sort, String), f64> {
    let game = &rows.game;
    let mut numbers = BTreeMap::new();
    for (seat, (points, won)) in game.points.iter().zip(&game.won).enumerate() {
        numbers.insert((Sort::Won, format!("wins of seat {}", seat + 1)), 100.0 * won);
        numbers.insert((Sort::Points, format!("points of seat {}", seat + 1)), f64::from(*points));
    }
    let turns = f64::from(game.turns.max(1));
    let course = [
        ("turns", f64::from(game.turns)),
        ("decisions a turn", f64::from(game.decisions) / turns),
        ("tiles that fit nowhere", f64::from(game.unplaceable)),
        ("changes of the lead", f64::from(game.lead_changes)),
    ];
    numbers.extend(course.map(|(name, number)| ((Sort::Course, name.to_owned()), number)));
    for HookCount { kind, hook, times } in &rows.hooks {
        let sort = if *kind == DeclKind::Forbid { Sort::Refused } else { Sort::Fired };
        numbers.insert((sort, hook_words(hook, *kind)), f64::from(*times));
    }
    for row in &rows.scores {
        *numbers.entry((Sort::Source, format!("points from {}", row.source))).or_insert(0.0) += f64::from(row.points);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{GameRow, ScoreRow};

    fn game(points: [i32; 2], source: &str) -> Rows {
        let won = if points[0] > points[1] { vec![1.0, 0.0] } else { vec![0.0, 1.0] };
        let row = ScoreRow {
            game: 0,
            line: 0,
            turn: 1,
            player: 0,
            points: points[0],
            source: source.to_owned(),
            cause: String::new(),
        };
        Rows {
            game: GameRow { points: points.to_vec(), won, turns: 10, decisions: 20, ..GameRow::default() },
            scores: vec![row],
            hooks: Vec::new(),
        }
    }

    fn measure<'a>(comparison: &'a Comparison, name: &str) -> &'a Measure {
        comparison.measures().find(|measure| measure.name == name).expect("it is measured")
    }

    #[test]
    fn a_constant_change_is_found_and_noise_is_not() {
        let mut comparison = Comparison::default();
        for pair in 0..60 {
            let noise = [3, -3][pair % 2];
            comparison.add(&game([20, 10], "a"), &game([25, 10 + noise], "a"));
        }
        let own = measure(&comparison, "points of seat 1");
        assert_eq!((own.change.mean(), own.verdict()), (5.0, Verdict::Differs));
        assert_eq!(measure(&comparison, "points of seat 2").verdict(), Verdict::Unclear);
        assert_eq!(measure(&comparison, "turns").verdict(), Verdict::Same);
    }

    #[test]
    fn few_games_say_nothing() {
        let mut comparison = Comparison::default();
        comparison.add(&game([20, 10], "a"), &game([25, 10], "a"));
        assert_eq!(measure(&comparison, "points of seat 1").verdict(), Verdict::TooFew);
    }

    #[test]
    fn a_source_that_is_absent_paid_nothing() {
        let mut comparison = Comparison::default();
        comparison.add(&game([20, 10], "a"), &game([20, 10], "a"));
        comparison.add(&game([20, 10], "a"), &game([20, 10], "b"));
        comparison.add(&game([20, 10], "a"), &game([20, 10], "a"));
        let (old, new) = (measure(&comparison, "points from a"), measure(&comparison, "points from b"));
        assert_eq!((old.change.count(), new.change.count()), (3, 3));
        assert!((new.second.mean() - 20.0 / 3.0).abs() < 1e-9 && (old.change.mean() + 20.0 / 3.0).abs() < 1e-9);
    }
}
