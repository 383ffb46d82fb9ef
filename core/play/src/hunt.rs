//! Hunting: random games over combinations of expansions and options, with the whole contract checked.
//!
//! A set of expansions is played with the rows of a covering array of its options, so any two values of two options
//! meet. What breaks is shrunk by [`crate::shrink`].

pub mod covering;

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use trencavel_host::Loaded;
use trencavel_host::library::Library;
use trencavel_host::options::{OptionDecl, OptionType};
use trencavel_rules::{Game, Setup, seed};

use crate::contract::{Broken, Effort, Rule, check_game};
use crate::dice::Dice;
use crate::scenario::Wanted;

/// Gives the rules that are wanted: `Ok(None)` if the expansions say themselves that they do not go together.
pub type Load<'a> = dyn Fn(&Wanted) -> Result<Option<Loaded>, String> + Sync + 'a;

/// Names of players, as many as a game may have.
const NAMES: [&str; 6] = ["Ann", "Bob", "Cem", "Dora", "Eve", "Finn"];

/// Which sets of expansions are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sets {
    /// All together.
    Together,
    /// Each alone.
    Alone,
    /// Each with each other one.
    Pairs,
    /// So many random ones.
    Random(usize),
}

/// The sets to be played, made of these expansions.
pub fn sets(ids: &[String], which: Sets, seed: u64) -> Vec<Vec<String>> {
    match which {
        Sets::Together => vec![ids.to_vec()],
        Sets::Alone => ids.iter().map(|id| vec![id.clone()]).collect(),
        Sets::Pairs => {
            let pairs = ids.iter().enumerate().flat_map(|(at, one)| ids[at + 1..].iter().map(move |two| (one, two)));
            pairs.map(|(one, two)| vec![one.clone(), two.clone()]).collect()
        }
        Sets::Random(count) => {
            let mut dice = Dice::named(seed, "sets");
            (0..count).map(|_| random_set(ids, &mut dice)).collect()
        }
    }
}

/// At least two of these, if there are as many, in their order.
fn random_set(ids: &[String], dice: &mut Dice) -> Vec<String> {
    let mut places: Vec<usize> = (0..ids.len()).collect();
    dice.shuffle(&mut places);
    let least = ids.len().min(2);
    places.truncate(least + dice.below(ids.len() - least + 1));
    places.sort_unstable();
    places.into_iter().map(|place| ids[place].clone()).collect()
}

/// The values of an option that are worth trying, the default first; of numbers, the ends of their range.
pub fn values(option: &OptionDecl) -> Vec<String> {
    let all = match &option.kind {
        OptionType::Bool => ["true", "false"].map(str::to_owned).to_vec(),
        OptionType::OneOf(words) => words.clone(),
        OptionType::SetOf(words) => ["-".to_owned()].into_iter().chain(words.iter().cloned()).collect(),
        OptionType::Int { min, max } => min.iter().chain(max).map(ToString::to_string).collect(),
    };
    let default = option.default.to_string();
    let others = all.into_iter().filter(|value| *value != default).collect::<Vec<_>>();
    [default].into_iter().chain(others).collect()
}

/// What to play a set with, so that any two values of two options meet: a combination of options each. The base game's
/// options count too if it is named in `ids`; those of expansions that a set includes always do.
pub fn combinations(set: &[String], ids: &[String], library: &Library, seed: u64) -> Vec<Wanted> {
    let mut named: Vec<&str> = set.iter().chain(ids).map(String::as_str).collect();
    let mut next = 0;
    while let Some(id) = named.get(next).copied() {
        next += 1;
        let brought = library.get(id).map_or(&[][..], |found| &found.manifest.includes);
        named.extend(brought.iter().map(String::as_str));
    }
    let named = named.into_iter().filter_map(|id| library.get(id));
    let mut factors: Vec<(String, Vec<String>)> = Vec::new();
    for found in named {
        for option in &found.manifest.options {
            let name = format!("{}.{}", found.manifest.id, option.name);
            if factors.iter().all(|(known, _)| *known != name) {
                factors.push((name, values(option)));
            }
        }
    }
    let levels: Vec<usize> = factors.iter().map(|(_, values)| values.len()).collect();
    let rows = covering::pairwise(&levels, &mut Dice::named(seed, "options"));
    let options = |row: &Vec<usize>| {
        let chosen = factors.iter().zip(row).filter(|(_, value)| **value > 0);
        chosen.map(|((name, values), value)| format!("{name}={}", values[*value])).collect()
    };
    rows.iter().map(|row| Wanted { expansions: set.to_vec(), options: options(row) }).collect()
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunted {
    /// The rules.
    pub wanted: Wanted,
    /// The seed of the game and of its choices.
    pub seed: u64,
}

/// Games of all sets: `games` of each, spread over its combinations of options. The same seeds whatever the sets.
pub fn games(sets: &[Vec<Wanted>], games: usize, first: u64) -> Vec<Hunted> {
    let one = |set: &Vec<Wanted>, game: usize| Hunted {
        wanted: set[game % set.len()].clone(),
        seed: seed::derive(first, &["hunt"]).wrapping_add(game as u64) >> 1,
    };
    sets.iter().flat_map(|set| (0..games).map(move |game| one(set, game))).collect()
}

/// The setup of a hunted game.
pub fn setup(seed: u64) -> Setup {
    let players = [2, 3, 2, 5, 2, 4, 6, 1][seed as usize % 8];
    let names = NAMES.iter().take(players).map(ToString::to_string).collect();
    // Everything is asked, so that a scenario, which answers everything, plays the same game.
    Setup { players: names, seed, ask_forced: true, ..Setup::default() }
}

/// A game that broke the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catch {
    /// The game.
    pub game: Hunted,
    /// What was broken.
    pub broken: Broken,
    /// Every answer up to there, as a save writes it.
    pub answers: Vec<String>,
}

/// What came of a hunt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caught {
    /// Games that were played.
    pub played: usize,
    /// Games whose expansions say that they do not go together.
    pub incompatible: usize,
    /// What was broken, in the order of the games.
    pub catches: Vec<Catch>,
}

/// Plays all games on so many threads. `told` hears how many are done, from any thread.
pub fn hunt(games: &[Hunted], load: &Load<'_>, threads: usize, told: &(dyn Fn(usize) + Sync)) -> Caught {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let outcomes = Mutex::new(BTreeMap::new());
    let work = || {
        let mut rules: Option<(&Wanted, Result<Option<Loaded>, String>)> = None;
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = games.get(at) else { return };
            let same = rules.take().filter(|(wanted, _)| **wanted == game.wanted);
            let (wanted, loaded) = same.unwrap_or_else(|| (&game.wanted, load(&game.wanted)));
            let outcome = play(game, &loaded);
            rules = Some((wanted, loaded));
            if let Ok(mut outcomes) = outcomes.lock() {
                outcomes.insert(at, outcome);
            }
            told(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    std::thread::scope(|scope| (0..threads.max(1)).for_each(|_| drop(scope.spawn(work))));
    let mut caught = Caught::default();
    for outcome in outcomes.into_inner().unwrap_or_default().into_values() {
        match outcome {
            Outcome::Kept => caught.played += 1,
            Outcome::Incompatible => caught.incompatible += 1,
            Outcome::Broken(catch) => {
                caught.played += 1;
                caught.catches.push(*catch);
            }
        }
    }
    caught
}

enum Outcome {
    Kept,
    Incompatible,
    Broken(Box<Catch>),
}

fn play(game: &Hunted, loaded: &Result<Option<Loaded>, String>) -> Outcome {
    let mut answers = Vec::new();
    let done = match loaded {
        Ok(None) => return Outcome::Incompatible,
        Err(problems) => Err(Broken::new(Rule::Loads, problems.clone())),
        Ok(Some(loaded)) => guarded(|| {
            let effort = if game.seed.is_multiple_of(4) { Effort::All } else { Effort::Some };
            check_game(loaded, &setup(game.seed), effort, &mut answers, &mut |_: &Game| {})
        }),
    };
    match done {
        Ok(()) => Outcome::Kept,
        Err(broken) => Outcome::Broken(Box::new(Catch { game: game.clone(), broken, answers })),
    }
}

/// Runs something that may panic; a panic is a break like any other.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Broken>) -> Result<T, Broken> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Broken::new(Rule::Panics, panic_words(&*panic))))
}

fn panic_words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without words").to_owned()
}

#[cfg(test)]
mod tests {
    use trencavel_host::library::{LinkedIn, Presence};

    use super::*;

    fn ids(count: usize) -> Vec<String> {
        (0..count).map(|at| format!("x{at}")).collect()
    }

    #[test]
    fn sets_are_made_of_the_names() {
        assert_eq!(sets(&ids(4), Sets::Pairs, 1).len(), 6);
        assert_eq!(sets(&ids(3), Sets::Alone, 1).len(), 3);
        assert_eq!(sets(&ids(3), Sets::Together, 1), [ids(3)]);
        let random = sets(&ids(9), Sets::Random(20), 1);
        assert_eq!(random, sets(&ids(9), Sets::Random(20), 1), "the same every time");
        assert!(random.iter().all(|set| set.len() >= 2 && set.windows(2).all(|pair| pair[0] < pair[1])), "{random:?}");
    }

    #[test]
    fn any_two_values_of_two_options_meet() {
        let manifest = "id = \"many\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Many\"\nauthors = [\"A\"]\n\
            [options.switch]\ndefault = false\ntext = \"A\"\n\
            [options.style]\nvalues = [\"plain\", \"odd\", \"even\"]\ndefault = \"odd\"\ntext = \"B\"\n\
            [options.count]\nmin = 1\nmax = 9\ndefault = 3\ntext = \"C\"\n";
        let files: &'static [(&str, &str)] = Box::leak(Box::new([("expansion.toml", manifest)]));
        let linked = LinkedIn { folder: "many", files, presence: Presence::OnRequest };
        let library = Library::new(&[], &[], &[linked]);
        let rows = combinations(&["many".to_owned()], &[], &library, 1);
        let all = [
            ("many.switch", ["false", "true"].as_slice(), "false"),
            ("many.style", &["odd", "plain", "even"], "odd"),
            ("many.count", &["3", "1", "9"], "3"),
        ];
        let has = |row: &Wanted, option: &str, value: &str, default: &str| {
            let set = row.options.iter().find_map(|set| set.strip_prefix(option)?.strip_prefix('='));
            set.unwrap_or(default) == value
        };
        for (at, (one, values, default)) in all.iter().enumerate() {
            for (two, others, usual) in &all[..at] {
                for (value, other) in values.iter().flat_map(|value| others.iter().map(move |other| (value, other))) {
                    let met = rows.iter().any(|row| has(row, one, value, default) && has(row, two, other, usual));
                    assert!(met, "{one}={value} and {two}={other} never meet: {rows:?}");
                }
            }
        }
        assert!(rows.len() < 18, "all combinations would be 18: {rows:?}");
    }

    #[test]
    fn games_go_through_all_combinations() {
        let row = |option: &str| Wanted { expansions: ids(1), options: vec![option.to_owned()] };
        let games = games(&[vec![row("a"), row("b")]], 4, 7);
        let options: Vec<&str> = games.iter().map(|game| game.wanted.options[0].as_str()).collect();
        assert_eq!(options, ["a", "b", "a", "b"]);
    }
}
