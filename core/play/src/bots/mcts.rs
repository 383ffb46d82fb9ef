//! Tree search over decisions, one's own and the others'. Each time it thinks, the tiles that nobody has seen come in
//! another order (determinised), so the tree branches by what is drawn and no bot sees the pile. Where the tree ends,
//! everybody plays a turn, taking the best of a few actions at random, and the final scoring says what came of it.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use trencavel_rules::hooks::Scripts;
use trencavel_rules::ids::{PlayerId, TileDefId};
use trencavel_rules::{Action, Game};

use super::outlook::{Outlook, Worth, ahead, copied, worths};
use crate::dice::Dice;

/// How much it tries what it has tried little.
const CURIOSITY: f64 = 0.05;
/// A worth that counts as certain victory: a hundred points ahead of a balanced position.
const CERTAIN: f64 = 10_000.0;
/// What is known before an action is tried counts like so many trials.
const PRIOR_TRIALS: f64 = 3.0;

/// Actions that are looked at for each decision behind the tree.
const GLANCES: usize = 10;

/// How long to think about a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many times: the same choices on every machine.
    Iterations(u32),
    /// So long: the choices depend on the machine and on what else it does.
    Time(Duration),
}

impl Default for Budget {
    fn default() -> Self {
        Self::Iterations(200)
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Iterations(times) => write!(f, "iterations={times}"),
            Self::Time(time) => write!(f, "ms={}", time.as_millis()),
        }
    }
}

impl FromStr for Budget {
    type Err = ();

    /// Reads `iterations=500`, `500` for short, or `ms=100`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (unit, number) = text.split_once('=').unwrap_or(("iterations", text));
        let number: u32 = number.parse().ok().filter(|number| *number > 0).ok_or(())?;
        match unit {
            "iterations" => Ok(Self::Iterations(number)),
            "ms" => Ok(Self::Time(Duration::from_millis(number.into()))),
            _ => Err(()),
        }
    }
}

/// Searches a tree of decisions.
#[derive(Clone, Debug)]
pub struct Mcts {
    seed: u64,
    budget: Budget,
    outlook: Outlook,
    room: Option<Game>,
}

/// A decision, whatever tiles lie unseen.
#[derive(Default)]
struct Node {
    visited: bool,
    /// Sorted by action.
    edges: Vec<Edge>,
}

/// An action and what is known of it.
struct Edge {
    action: Action,
    trials: f64,
    sum: f64,
    visits: u32,
    /// The decisions behind it, by the tile that was drawn.
    next: BTreeMap<Option<TileDefId>, Node>,
    broken: bool,
}

impl Edge {
    fn mean(&self) -> f64 {
        self.sum / self.trials
    }

    fn add(&mut self, value: f64) {
        self.visits += 1;
        self.trials += 1.0;
        self.sum += value;
    }
}

impl Mcts {
    pub(crate) fn new(seed: u64, budget: Budget) -> Self {
        Self { seed, budget, outlook: Outlook::default(), room: None }
    }

    /// How long it thinks about each decision.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The action that was tried most, when there was time enough or it is `over`.
    pub(crate) fn choose(&mut self, game: &Game, scripts: &mut dyn Scripts, over: &AtomicBool) -> Action {
        if let [only] = game.legal_actions() {
            return *only;
        }
        let mut search = Search {
            me: game.state().decider(),
            turn: game.state().turn(),
            dice: Dice::named(self.seed ^ u64::from(game.state().decisions()), "mcts"),
            outlook: &mut self.outlook,
        };
        let (mut root, start) = (Node::default(), Instant::now());
        let mut times = 0;
        let goes_on = |times| match self.budget {
            Budget::Iterations(most) => times < most,
            Budget::Time(most) => times == 0 || start.elapsed() < most,
        };
        while goes_on(times) && !over.load(Ordering::Relaxed) {
            let copy = copied(&mut self.room, game);
            copy.reshuffle(search.dice.bits());
            search.descend(&mut root, copy, scripts);
            times += 1;
        }
        let best = root.edges.iter().filter(|edge| !edge.broken).max_by(|one, two| {
            one.visits.cmp(&two.visits).then(one.mean().total_cmp(&two.mean())).then(two.action.cmp(&one.action))
        });
        best.map(|edge| edge.action).or(game.legal_actions().first().copied()).unwrap_or(Action::Pass)
    }
}

/// One search.
struct Search<'a> {
    me: PlayerId,
    turn: u32,
    dice: Dice,
    outlook: &'a mut Outlook,
}

impl Search<'_> {
    /// Goes down the tree once, and gives what came of it for each player.
    fn descend(&mut self, node: &mut Node, game: &mut Game, scripts: &mut dyn Scripts) -> Vec<Worth> {
        let decider = game.state().decider();
        // What a turn leads to is worth a look at every action at once; what others may answer, only if it comes up again.
        let own = decider == self.me && game.state().turn() == self.turn;
        if !own && !std::mem::replace(&mut node.visited, true) {
            return self.play_on(game, scripts);
        }
        for action in game.legal_actions() {
            if let Err(place) = node.edges.binary_search_by(|edge| edge.action.cmp(action)) {
                node.edges.insert(place, self.looked_at(game, *action, scripts));
            }
        }
        let Some(edge) = selected(node, game.legal_actions()) else { return worths(game, scripts) };
        if game.apply_unchecked(edge.action, scripts).is_err() {
            edge.broken = true;
            return worths(game, scripts);
        }
        let worths = match game.state().is_over() {
            true => worths(game, scripts),
            false => self.descend(edge.next.entry(game.state().hand()).or_default(), game, scripts),
        };
        edge.add(chance(ahead(&worths, decider)));
        worths
    }

    /// Plays a turn of each player, quickly, and says what came of it.
    fn play_on(&mut self, game: &mut Game, scripts: &mut dyn Scripts) -> Vec<Worth> {
        let last = game.state().turn() + game.state().players() as u32;
        while game.state().turn() < last
            && let Some(action) = self.glance(game, scripts)
        {
            if game.apply_unchecked(action, scripts).is_err() {
                break;
            }
        }
        worths(game, scripts)
    }

    /// The best of a few actions; `None` when the game is over.
    fn glance(&mut self, game: &Game, scripts: &mut dyn Scripts) -> Option<Action> {
        let legal = game.legal_actions();
        if let [only] = legal {
            return Some(*only);
        }
        let decider = game.state().decider();
        let mut best: Option<(Worth, Action)> = None;
        for _ in 0..GLANCES {
            let action = self.dice.pick(legal)?;
            let worth = self.outlook.after(game, action, decider, scripts);
            if best.is_none_or(|(known, _)| worth > known) {
                best = Some((worth, action));
            }
        }
        best.map(|(_, action)| action)
    }

    /// An action of which only that is known what the final scoring says right after it.
    fn looked_at(&mut self, game: &Game, action: Action, scripts: &mut dyn Scripts) -> Edge {
        let worth = self.outlook.after(game, action, game.state().decider(), scripts);
        Edge {
            action,
            trials: PRIOR_TRIALS,
            sum: PRIOR_TRIALS * chance(worth),
            visits: 0,
            next: BTreeMap::new(),
            broken: worth == Worth::MIN,
        }
    }
}

/// What to try of what is legal now: what is good, or was tried little.
fn selected<'a>(node: &'a mut Node, legal: &[Action]) -> Option<&'a mut Edge> {
    let all: f64 = node.edges.iter().map(|edge| edge.trials).sum::<f64>().max(1.0);
    let score = |edge: &Edge| edge.mean() + CURIOSITY * (all.ln() / edge.trials).sqrt();
    let edges = node.edges.iter_mut().filter(|edge| !edge.broken && legal.binary_search(&edge.action).is_ok());
    edges.max_by(|one, two| score(one).total_cmp(&score(two)).then(two.action.cmp(&one.action)))
}

/// How likely a worth is to win, from 0 to 1.
fn chance(worth: Worth) -> f64 {
    (0.5 + f64::from(worth) / (2.0 * CERTAIN)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_as_they_are_written() {
        for text in ["iterations=500", "ms=100"] {
            assert_eq!(text.parse::<Budget>().map(|budget| budget.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("60".parse(), Ok(Budget::Iterations(60)));
        for wrong in ["", "0", "ms=", "ms=0", "s=1", "iterations=-1"] {
            assert_eq!(wrong.parse::<Budget>(), Err(()), "{wrong}");
        }
    }
}
