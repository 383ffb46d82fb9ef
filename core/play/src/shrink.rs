//! Shrinking: from a game that broke the contract to the smallest one that breaks it in the same way.
//!
//! Options, expansions, turns, answers, tiles, figures and players are taken away, the largest pieces first, as long as
//! the same rule breaks at the same place. What was answered is followed as far as it still makes sense. In between,
//! everything before the last turn becomes the start layout.

pub mod case;

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use trencavel_host::Loaded;
use trencavel_rules::{Action, Game, notation, save};

use crate::contract::{Broken, Care, Contract, Effort, Rule, check_game};
use crate::hunt::{Catch, Load, guarded, setup};
use crate::scenario::Wanted;
use case::{Case, Step, layout, tile_word};

/// Games that are played to make one break smaller, at most.
const BUDGET: usize = 3_000;
/// Random games with fewer expansions, where the answers alone do not show the break any more.
const SEEDS: u64 = 12;

/// A break made small.
#[derive(Debug)]
pub struct Shrunk {
    /// The smallest game found.
    pub case: Case,
    /// How it breaks.
    pub broken: Broken,
    /// The game before the answer that breaks it; none if the expansions do not load.
    pub game: Option<Game>,
    /// Games played to find it.
    pub tried: usize,
}

/// What came of playing a case.
#[derive(Debug)]
pub struct Outcome {
    /// What was really answered.
    pub case: Case,
    /// What broke.
    pub broken: Option<Broken>,
    /// The game before the answer that broke it, or after the last one.
    pub game: Option<Game>,
}

/// Makes a break small. `None` if it does not happen again when the same answers are given.
pub fn shrink(catch: &Catch, load: &Load<'_>) -> Option<Shrunk> {
    let mut shrinker = Shrinker { load, like: catch.broken.clone(), loaded: BTreeMap::new(), tried: 0 };
    if catch.broken.rule == Rule::Loads {
        return Some(shrinker.smaller_request(catch));
    }
    let first = case_of(&catch.game.wanted, catch.game.seed, &catch.answers);
    let mut best = shrinker.attempt(&first)?;
    shrinker.draw(&mut best);
    loop {
        let before = best.case.size();
        for pass in PASSES {
            pass(&mut shrinker, &mut best);
        }
        if best.case.size() == before || shrinker.tried >= BUDGET {
            break;
        }
    }
    Some(Shrunk { case: best.case, broken: best.broken, game: best.game, tried: shrinker.tried })
}

/// A hunted game as a case.
fn case_of(wanted: &Wanted, seed: u64, answers: &[String]) -> Case {
    let step = |line: &String| {
        let (player, text) = line.split_once(": ")?;
        Some(Step { player: player.chars().next()?, text: text.to_owned(), tile: None })
    };
    Case {
        wanted: wanted.clone(),
        players: setup(seed).players.len(),
        seed,
        first: 'A',
        start: None,
        figures: Vec::new(),
        shuffled: true,
        ends: false,
        play: answers.iter().filter_map(step).collect(),
    }
}

/// Plays a case with the whole contract checked. Answers that are not offered are left out; where the game asks for
/// more, the first action is taken, or none if there may be none.
pub fn play(case: &Case, loaded: &Loaded) -> Outcome {
    play_with(case, loaded, Care::Thorough)
}

fn play_with(case: &Case, loaded: &Loaded, care: Care) -> Outcome {
    let case = case.clone().known_to(&loaded.rules);
    let mut follower = Follower { queue: case.play.iter().cloned().collect(), played: Vec::new(), game: None, care };
    let done = guarded(|| {
        let setup = case.scenario("", &loaded.rules).setup(&loaded.rules);
        let setup = setup.map_err(|problem| Broken::new(Rule::Begins, problem))?;
        let mut contract = Contract::begin(loaded, &setup, case.seed)?;
        follower.follow(&mut contract, case.ends)
    });
    let played = Case { play: follower.played, ..case };
    Outcome { case: played, broken: done.err(), game: follower.game }
}

/// Gives the answers of a case.
struct Follower {
    queue: VecDeque<Step>,
    played: Vec<Step>,
    game: Option<Game>,
    care: Care,
}

impl Follower {
    fn follow(&mut self, contract: &mut Contract<'_>, ends: bool) -> Result<(), Broken> {
        while !contract.game().state().is_over() {
            self.game = Some(contract.game().clone());
            contract.check_decision(self.care)?;
            // A game that goes on by itself to its end needs only those answers written down that were given.
            let by_itself = ends && self.queue.is_empty() && !contract.game().is_placing();
            let Some(action) = self.next(contract.game(), ends) else { return Ok(()) };
            if !by_itself {
                self.note(contract.game(), action);
            }
            contract.apply(action, self.care)?;
        }
        self.game = Some(contract.game().clone());
        contract.check_end()
    }

    /// The next answer that is offered, or what is done in its place. `None` when all is answered.
    fn next(&mut self, game: &Game, ends: bool) -> Option<Action> {
        let offered = game.legal_actions();
        while let Some(step) = self.queue.front() {
            let placing = step.text.starts_with("place ");
            if let Ok(action) = notation::parse(game, &step.text)
                && offered.contains(&action)
            {
                self.queue.pop_front();
                return Some(action);
            }
            if offered.len() == 1 || (placing && !game.is_placing()) {
                return usual(offered);
            }
            self.queue.pop_front();
            if placing {
                return usual(offered);
            }
        }
        let forced = offered.len() == 1 && !game.is_placing();
        if ends || forced { usual(offered) } else { None }
    }

    /// Remembers an answer, unless it is the only one there is and the game goes on by itself.
    fn note(&mut self, game: &Game, action: Action) {
        let placed = matches!(action, Action::Place { .. });
        if game.legal_actions().len() == 1 && !placed {
            return;
        }
        let line = save::answer_line(game, action);
        let Some((player, text)) = line.split_once(": ") else { return };
        let tile = game.state().hand().filter(|_| placed).map(|tile| tile_word(game.rules(), tile));
        self.played.push(Step { player: player.chars().next().unwrap_or('A'), text: text.to_owned(), tile });
    }
}

/// No action, if there may be none; else the first.
fn usual(offered: &[Action]) -> Option<Action> {
    offered.iter().find(|action| **action == Action::Pass).or(offered.first()).copied()
}

/// A case that breaks as it should.
struct Best {
    case: Case,
    broken: Broken,
    game: Option<Game>,
}

type Pass = fn(&mut Shrinker<'_>, &mut Best);

const PASSES: [Pass; 9] = [
    |shrinker, best| shrinker.chunks(best, |case| case.wanted.options.len(), without_options),
    |shrinker, best| shrinker.chunks(best, |case| case.wanted.expansions.len(), without_expansions),
    |shrinker, best| shrinker.chunks(best, |case| turns(case).len(), without_turns),
    |shrinker, best| shrinker.chunks(best, |case| case.play.len(), without_answers),
    |shrinker, best| shrinker.begin_later(best),
    |shrinker, best| shrinker.chunks(best, |case| case.start.as_ref().map_or(0, Vec::len), without_tiles),
    |shrinker, best| shrinker.chunks(best, |case| case.figures.len(), without_figures),
    |shrinker, best| shrinker.fewer_players(best),
    |shrinker, best| shrinker.plain_seed(best),
];

struct Shrinker<'a> {
    load: &'a Load<'a>,
    like: Broken,
    loaded: BTreeMap<Wanted, Option<Loaded>>,
    tried: usize,
}

impl Shrinker<'_> {
    fn rules(&mut self, wanted: &Wanted) -> Option<Loaded> {
        let load = self.load;
        self.loaded.entry(wanted.clone()).or_insert_with(|| load(wanted).ok().flatten()).clone()
    }

    /// Plays a case; gives it back as it was played if it breaks as it should.
    fn attempt(&mut self, case: &Case) -> Option<Best> {
        if self.tried >= BUDGET {
            return None;
        }
        let loaded = self.rules(&case.wanted)?;
        self.tried += 1;
        // What never ends is told by the number of decisions, and there are many of them.
        let care = if self.like.rule == Rule::Ends { Care::Quick } else { Care::Thorough };
        let Outcome { case, broken, game } = play_with(case, &loaded, care);
        let broken = broken.filter(|broken| broken.is_like(&self.like))?;
        Some(Best { case, broken, game })
    }

    /// Takes a smaller case if it breaks as it should.
    fn improve(&mut self, best: &mut Best, case: &Case) -> bool {
        let found = self.attempt(case).filter(|found| found.case.size() < best.case.size());
        let better = found.is_some();
        found.into_iter().for_each(|found| *best = found);
        better
    }

    /// Takes chunks of something away: halves first, single ones last.
    fn chunks(&mut self, best: &mut Best, count: fn(&Case) -> usize, without: fn(&Case, Range<usize>) -> Case) {
        let mut size = count(&best.case).div_ceil(2).max(1);
        loop {
            let mut end = count(&best.case);
            while end > 0 {
                let begin = end.saturating_sub(size);
                let smaller = without(&best.case, begin..end);
                let fewer = smaller.wanted.expansions.len() < best.case.wanted.expansions.len();
                if !self.improve(best, &smaller) && fewer {
                    self.hunt_again(best, &smaller.wanted);
                }
                end = begin.min(count(&best.case));
            }
            if size == 1 {
                return;
            }
            size = size.div_ceil(2);
        }
    }

    /// Names the tiles that are drawn, in place of a seed. The game ends with them, or goes on by itself behind the last
    /// answer if only that breaks; what never ends goes on by itself first of all, or each of its answers would be needed.
    fn draw(&mut self, best: &mut Best) {
        let endless = self.like.rule == Rule::Ends;
        for ends in [endless, !endless] {
            let drawn = Case { shuffled: false, ends, ..best.case.clone() };
            if best.case.shuffled
                && let Some(found) = self.attempt(&drawn)
            {
                *best = found;
            }
        }
    }

    /// Looks for the break in random games of fewer expansions.
    fn hunt_again(&mut self, best: &mut Best, wanted: &Wanted) {
        let Some(loaded) = self.rules(wanted) else { return };
        for seed in (best.case.seed..).take(SEEDS as usize) {
            let mut answers = Vec::new();
            let played = guarded(|| check_game(&loaded, &setup(seed), Effort::All, &mut answers, &mut |_| {}));
            self.tried += 1;
            if played.err().is_some_and(|broken| broken.is_like(&self.like))
                && self.improve(best, &case_of(wanted, seed, &answers))
            {
                self.draw(best);
                return;
            }
        }
    }

    /// Makes everything before one of the last turns the start layout.
    fn begin_later(&mut self, best: &mut Best) {
        let begins: Vec<usize> = turns(&best.case).into_iter().map(|turn| turn.start).collect();
        for from in begins.into_iter().rev().filter(|from| *from > 0) {
            let Some(case) = self.begun_at(&best.case, from) else { continue };
            if self.improve(best, &case) {
                return;
            }
        }
    }

    /// The case with its answers before `from` as start layout.
    fn begun_at(&mut self, case: &Case, from: usize) -> Option<Case> {
        let loaded = self.rules(&case.wanted)?;
        let before = Case { play: case.play[..from].to_vec(), ends: false, ..case.clone() };
        self.tried += 1;
        let outcome = play(&before, &loaded);
        let (start, figures) = layout(outcome.game.as_ref().filter(|_| outcome.broken.is_none())?);
        let play = case.play[from..].to_vec();
        Some(Case { start: Some(start), figures, first: play.first()?.player, play, ..case.clone() })
    }

    fn fewer_players(&mut self, best: &mut Best) {
        for players in 1..best.case.players {
            let case = Case { players, first: 'A', ..best.case.clone() };
            if self.improve(best, &case) {
                return;
            }
        }
    }

    fn plain_seed(&mut self, best: &mut Best) {
        if best.case.seed != 0 && !best.case.shuffled {
            let case = Case { seed: 0, ..best.case.clone() };
            self.improve(best, &case);
        }
    }

    /// The fewest expansions and options that do not load.
    fn smaller_request(&mut self, catch: &Catch) -> Shrunk {
        let mut case = Case { shuffled: false, ..case_of(&catch.game.wanted, 0, &[]) };
        let mut message = catch.broken.message.clone();
        for without in [without_options, without_expansions] {
            let mut end = case.wanted.options.len().max(case.wanted.expansions.len());
            while end > 0 {
                end -= 1;
                let smaller = without(&case, end..end + 1);
                if smaller.wanted == case.wanted {
                    continue;
                }
                self.tried += 1;
                // The same problem, not one of its many consequences: the code is the same.
                if let Err(problems) = (self.load)(&smaller.wanted)
                    && code(&problems) == code(&catch.broken.message)
                {
                    (case, message) = (smaller, problems);
                }
            }
        }
        Shrunk { case, broken: Broken::new(Rule::Loads, message), game: None, tried: self.tried }
    }
}

/// The code of a problem: `L012` of `error[L012]: …`.
fn code(problems: &str) -> Option<&str> {
    let begin = problems.find('[')?;
    problems[begin + 1..].split(']').next()
}

fn without_options(case: &Case, gone: Range<usize>) -> Case {
    let mut case = case.clone();
    let gone = gone.start..gone.end.min(case.wanted.options.len());
    if gone.start < gone.end {
        case.wanted.options.drain(gone);
    }
    case
}

fn without_expansions(case: &Case, gone: Range<usize>) -> Case {
    let mut case = case.clone();
    let gone = gone.start..gone.end.min(case.wanted.expansions.len());
    if gone.start >= gone.end {
        return case;
    }
    let ids: Vec<String> = case.wanted.expansions.drain(gone).collect();
    let is_gone = |option: &String| option.split('.').next().is_some_and(|id| ids.iter().any(|gone| gone == id));
    case.wanted.options.retain(|option| !is_gone(option));
    case
}

/// Answers from a placement up to the next one.
fn turns(case: &Case) -> Vec<Range<usize>> {
    let mut begins: Vec<usize> = (0..case.play.len()).filter(|at| case.play[*at].tile.is_some()).collect();
    if begins.first().is_some_and(|first| *first > 0) {
        begins.insert(0, 0);
    }
    let ends = begins.iter().skip(1).copied().chain([case.play.len()]);
    begins.iter().copied().zip(ends).map(|(begin, end)| begin..end).collect()
}

fn without_turns(case: &Case, gone: Range<usize>) -> Case {
    let turns = turns(case);
    let gone = turns[gone.start].start..turns[gone.end - 1].end;
    without_answers(case, gone)
}

fn without_answers(case: &Case, gone: Range<usize>) -> Case {
    let mut case = case.clone();
    case.play.drain(gone);
    case
}

fn without_tiles(case: &Case, gone: Range<usize>) -> Case {
    let mut case = case.clone();
    if let Some(start) = case.start.as_mut().filter(|start| start.len() > gone.len()) {
        start.drain(gone);
    }
    case
}

fn without_figures(case: &Case, gone: Range<usize>) -> Case {
    let mut case = case.clone();
    case.figures.drain(gone);
    case
}
