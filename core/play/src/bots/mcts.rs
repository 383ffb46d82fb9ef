//! Tree search over a player's own turn. Behind each of its ends, tiles are drawn that nobody has seen (determinised:
//! from those that are not on the table), a few turns are played at random, and the final scoring says what came of it.

use trencavel_rules::hooks::Scripts;
use trencavel_rules::ids::{PlayerId, TileDefId};
use trencavel_rules::{Action, Game};

use super::outlook::{Outlook, Worth, ahead};
use crate::dice::Dice;

/// How often it thinks about each decision, if nothing else is said.
pub(super) const USUAL: u32 = 200;
/// How much it tries what it has tried little.
const CURIOSITY: f64 = 0.05;
/// Points ahead that count as certain victory, from a balanced position.
const CERTAIN: f64 = 100.0;
/// What is known before an action is tried counts like so many trials.
const PRIOR_TRIALS: f64 = 3.0;
/// Turns of each player that are played at random before the game is scored.
const ROUNDS: usize = 1;

/// Searches its turn.
#[derive(Clone, Debug)]
pub struct Mcts {
    seed: u64,
    iterations: u32,
    outlook: Outlook,
    behind: Outlook,
}

/// A decision within the turn.
struct Node {
    game: Game,
    edges: Vec<Edge>,
    /// True if the player does not decide here: the turn is over, or it is somebody else's decision.
    leaf: bool,
}

/// An action and what is known of it.
struct Edge {
    action: Action,
    trials: f64,
    sum: f64,
    visits: u32,
    node: Option<Box<Node>>,
    broken: bool,
}

impl Edge {
    fn mean(&self) -> f64 {
        self.sum / self.trials
    }
}

impl Mcts {
    pub(crate) fn new(seed: u64, iterations: u32) -> Self {
        Self { seed, iterations, outlook: Outlook::default(), behind: Outlook::default() }
    }

    /// How often it thinks about each decision.
    pub(crate) fn iterations(&self) -> u32 {
        self.iterations
    }

    /// The action that was tried most.
    pub(crate) fn choose(&mut self, game: &Game, scripts: &mut dyn Scripts) -> Action {
        if let [only] = game.legal_actions() {
            return *only;
        }
        let mut search = Search {
            me: game.state().decider(),
            dice: Dice::named(self.seed ^ u64::from(game.state().decisions()), "mcts"),
            unseen: unseen(game),
            outlook: &mut self.outlook,
            behind: &mut self.behind,
        };
        let mut copy = game.clone();
        copy.keep_no_history();
        let mut root = search.node(copy);
        root.leaf = false;
        for _ in 0..self.iterations {
            search.iterate(&mut root, scripts);
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
    dice: Dice,
    unseen: Vec<TileDefId>,
    outlook: &'a mut Outlook,
    behind: &'a mut Outlook,
}

impl Search<'_> {
    /// A decision of which nothing is known yet.
    fn node(&self, game: Game) -> Node {
        let leaf = game.state().is_over() || game.is_placing() || game.state().decider() != self.me;
        let edge =
            |action: &Action| Edge { action: *action, trials: 0.0, sum: 0.0, visits: 0, node: None, broken: false };
        let edges = game.legal_actions().iter().map(edge).collect();
        Node { game, edges, leaf }
    }

    /// Tries an action for the first time: the final scoring alone says what it is worth.
    fn open(&mut self, game: &Game, edge: &mut Edge, scripts: &mut dyn Scripts) {
        let mut after = game.clone();
        match after.apply_unchecked(edge.action, scripts) {
            Ok(()) => {
                after.keep_no_history();
                let worth: Worth = self.outlook.worth(&after, self.me, scripts);
                (edge.trials, edge.sum) = (PRIOR_TRIALS, PRIOR_TRIALS * chance(f64::from(worth) / 100.0));
                edge.node = Some(Box::new(self.node(after)));
            }
            Err(_) => edge.broken = true,
        }
    }

    /// Goes down the tree once and gives what came of it, from 0 to 1.
    fn iterate(&mut self, node: &mut Node, scripts: &mut dyn Scripts) -> f64 {
        if node.leaf {
            return self.play_behind(&node.game, scripts);
        }
        for edge in &mut node.edges {
            if edge.node.is_none() && !edge.broken {
                self.open(&node.game, edge, scripts);
            }
        }
        let all: f64 = node.edges.iter().map(|edge| edge.trials).sum::<f64>().max(1.0);
        let score = |edge: &Edge| edge.mean() + CURIOSITY * (all.ln() / edge.trials).sqrt();
        let best = node
            .edges
            .iter_mut()
            .filter(|edge| !edge.broken)
            .max_by(|one, two| score(one).total_cmp(&score(two)).then(two.action.cmp(&one.action)));
        let Some(edge) = best else { return 0.0 };
        let value = match &mut edge.node {
            Some(below) => self.iterate(below, scripts),
            None => 0.0,
        };
        edge.trials += 1.0;
        edge.visits += 1;
        edge.sum += value;
        value
    }

    /// Draws unseen tiles, plays them at random, and scores the game.
    fn play_behind(&mut self, game: &Game, scripts: &mut dyn Scripts) -> f64 {
        let mut stack = self.unseen.clone();
        self.dice.shuffle(&mut stack);
        stack.truncate((ROUNDS * game.state().players()).min(stack.len()));
        let now = game.state().scores();
        let dice = &mut self.dice;
        let points = match self.behind.begin(game, stack, scripts) {
            Some(behind) => {
                while let Some(action) = dice.pick(behind.legal_actions()) {
                    if behind.apply_unchecked(action, scripts).is_err() {
                        break;
                    }
                }
                behind.state().scores()
            }
            None => now,
        };
        chance(f64::from(ahead(points, self.me)))
    }
}

/// How likely points ahead are to win, from 0 to 1.
fn chance(points: f64) -> f64 {
    (0.5 + points / (2.0 * CERTAIN)).clamp(0.0, 1.0)
}

/// Tiles that nobody has seen: those of the pack that are neither on the table, nor in hand, nor set aside.
fn unseen(game: &Game) -> Vec<TileDefId> {
    let (rules, state) = (game.rules(), game.state());
    let mut pack: Vec<TileDefId> = Vec::new();
    for copies in rules.copies() {
        pack.extend(std::iter::repeat_n(copies.tile, copies.count.into()));
    }
    let seen = state.tiles().map(|(_, tile)| tile.def).chain(state.hand()).chain(state.set_aside().iter().copied());
    for tile in seen {
        if let Some(place) = pack.iter().position(|other| *other == tile) {
            pack.swap_remove(place);
        }
    }
    pack
}
