//! Every expansion alone and with each other one: seeded random games that keep what rulesets promise.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use trencavel_host::options::{OptionDecl, OptionType};
use trencavel_host::resolve::Request;
use trencavel_host::{Loaded, amnesia, load};
use trencavel_play::contract::Effort;
use trencavel_play::scenario::Wanted;
use trencavel_rules::Game;
use trencavel_tests::contract::check_game;
use trencavel_tests::dice::{Dice, play_on};
use trencavel_tests::loading::{
    BASE, expansion_ids, fingerprint, library, loaded, loaded_in_order, scripts_of, two_players,
};
use trencavel_tests::reference::{Specs, specs};

/// Games of the normal run, at least; `GAMES=10000` plays more.
const GAMES: usize = 600;
/// Random sets of three expansions and more.
const LARGE_SETS: usize = 200;
/// Decisions of a set that are made with scripts that have never seen the game.
const FORGETFUL: usize = 12;
/// One of so many is a game of the base game alone.
const BASE_SHARE: usize = 10;

fn games_wanted() -> usize {
    std::env::var("GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(GAMES)
}

/// The rules for these expansions; none if they say that they cannot be played together.
fn compatible(expansions: &[&str]) -> Result<Option<Loaded>, String> {
    let wanted = Wanted { expansions: expansions.iter().map(ToString::to_string).collect(), options: Vec::new() };
    match loaded(&wanted) {
        Ok(loaded) => Ok(Some(loaded)),
        Err(problems) if problems.contains("[M033]") => Ok(None),
        Err(problems) => Err(format!("{} does not load: {problems}", expansions.join(" + "))),
    }
}

/// What these found, spread over the cores, sorted.
fn each(count: usize, find: impl Fn(usize) -> Option<String> + Sync) -> Vec<String> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                break;
            }
            let one = find(index);
            found.lock().unwrap_or_else(PoisonError::into_inner).extend(one);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort();
    found
}

/// Plays these games, spread over the cores, and tells which failed and why.
fn failures(games: &[(&Loaded, u64, Effort)], specs: &Specs) -> Vec<String> {
    each(games.len(), |index| {
        let (loaded, seed, effort) = games[index];
        let panic = std::panic::catch_unwind(|| check_game(loaded, specs, seed, effort)).err()?;
        let ids: Vec<&str> = loaded.resolution.expansions.iter().map(|one| one.id()).collect();
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
        Some(format!("seed {seed} of {}: {words}", ids.join(" + ")))
    })
}

/// The base game, every expansion alone and with each other one. `EXPANSIONS=a,b` leaves the others out.
fn sets(ids: &[String]) -> Vec<Vec<&str>> {
    let only = std::env::var("EXPANSIONS").ok();
    let wanted = |id: &&String| only.as_ref().is_none_or(|only| only.split(',').any(|word| word == id.as_str()));
    let ids: Vec<&str> = ids.iter().filter(wanted).map(String::as_str).collect();
    let mut sets = vec![Vec::new()];
    sets.extend(ids.iter().map(|id| vec![*id]));
    for (index, first) in ids.iter().enumerate() {
        sets.extend(ids[index + 1..].iter().map(|second| vec![*first, *second]));
    }
    sets
}

#[test]
fn the_library_has_no_problems() {
    let problems: Vec<String> = library().problems().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn base_games_keep_the_contract() {
    let base = compatible(&[]).expect("the base game loads").expect("the base game stands alone");
    let games: Vec<_> = (0..(games_wanted() / BASE_SHARE) as u64).map(|seed| (&base, seed, Effort::All)).collect();
    let failed = failures(&games, &specs());
    assert!(failed.is_empty(), "{} games failed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn expansions_alone_and_in_pairs_keep_the_contract() {
    let ids = expansion_ids();
    let (mut all, mut problems) = (Vec::new(), Vec::new());
    for set in sets(&ids) {
        match compatible(&set) {
            Ok(loaded) => all.extend(loaded),
            Err(problem) => problems.push(problem),
        }
    }
    let each = games_wanted().div_ceil(all.len());
    let games: Vec<_> = all
        .iter()
        .enumerate()
        .flat_map(|(set, loaded)| {
            (0..each).map(move |game| {
                (loaded, (1000 * set + game) as u64, if game % 4 == 0 { Effort::All } else { Effort::Some })
            })
        })
        .collect();
    let failed = failures(&games, &specs());
    assert!(failed.is_empty(), "{} of {} games failed:\n{}", failed.len(), games.len(), failed.join("\n"));
    assert!(problems.is_empty(), "{} sets do not load:\n{}", problems.len(), problems.join("\n"));
}

/// The values of an option that are not its default; of numbers, the ends of their range.
fn other_values(option: &OptionDecl) -> Vec<String> {
    let values = match &option.kind {
        OptionType::Bool => ["true", "false"].map(str::to_owned).to_vec(),
        OptionType::OneOf(words) => words.clone(),
        OptionType::SetOf(words) => words.clone(),
        OptionType::Int { min, max } => min.iter().chain(max).map(ToString::to_string).collect(),
    };
    let default = option.default.to_string();
    values.into_iter().filter(|value| *value != default).collect()
}

#[test]
fn every_value_of_every_option_keeps_the_contract() {
    let (mut all, mut names, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for found in library().iter() {
        let id = &found.manifest.id;
        for option in &found.manifest.options {
            for value in other_values(option) {
                let options = vec![format!("{id}.{}={value}", option.name)];
                match loaded(&Wanted { expansions: vec![id.clone()], options }) {
                    Ok(loaded) => {
                        names.push(format!("seed {}: {id}.{}={value}", all.len(), option.name));
                        all.push(loaded);
                    }
                    Err(problem) => problems.push(format!("{id}.{}={value}: {problem}", option.name)),
                }
            }
        }
    }
    let games: Vec<_> = all.iter().enumerate().map(|(seed, loaded)| (loaded, seed as u64, Effort::All)).collect();
    let failed = failures(&games, &specs());
    let (many, told, names) = (failed.len(), failed.join("\n"), names.join("\n"));
    assert!(failed.is_empty(), "{many} of {} games failed:\n{told}\nof\n{names}", games.len());
    assert!(problems.is_empty(), "{} values do not load:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn scripts_keep_nothing_between_decisions() {
    let mut found = Vec::new();
    for id in expansion_ids() {
        // What does not load is told by the other tests.
        let Ok(Some(loaded)) = compatible(&[&id]) else { continue };
        let mut dice = Dice::new(7);
        let choose = |game: &Game| Some(dice.below(game.legal_actions().len()));
        if let Err(forgot) = amnesia(&loaded, &two_players(7), 60, choose) {
            found.push(format!("{id}: {forgot}"));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What is wrong with this set, if anything: it is the same in whatever order its scripts run, they keep nothing, and a
/// game keeps the contract. Games are cheaper than fresh scripts, so those see the first decisions only.
fn problem_of(set: &[String], seed: u64, specs: &Specs) -> Option<String> {
    let wanted = Wanted { expansions: set.to_vec(), options: Vec::new() };
    let loaded = match loaded(&wanted) {
        Ok(loaded) => loaded,
        Err(problems) if problems.contains("[M033]") => return None,
        Err(problems) => return Some(format!("does not load: {problems}")),
    };
    unsteady(&loaded, &wanted, seed).or_else(|| failures(&[(&loaded, seed, Effort::Some)], specs).pop())
}

/// What is wrong with rules that depend on the order in which scripts run, or whose scripts remember.
fn unsteady(loaded: &Loaded, wanted: &Wanted, seed: u64) -> Option<String> {
    let mut dice = Dice::named(seed, "order");
    let mut backwards = wanted.clone();
    backwards.expansions.reverse();
    let shuffled = match loaded_in_order(&backwards, |order| dice.shuffle(order)) {
        Ok(shuffled) => shuffled,
        Err(problems) => return Some(format!("does not load in another order: {problems}")),
    };
    if loaded.lock.to_string() != shuffled.lock.to_string()
        || fingerprint(&loaded.rules) != fingerprint(&shuffled.rules)
    {
        return Some("depends on the order in which scripts run".to_owned());
    }
    if first_digests(loaded, seed) != first_digests(&shuffled, seed) {
        return Some("is another game when scripts run in another order".to_owned());
    }
    let choose = |game: &Game| Some(dice.below(game.legal_actions().len()));
    amnesia(loaded, &two_players(seed), FORGETFUL, choose).err().map(|forgot| forgot.to_string())
}

/// The states of the first decisions of a game.
fn first_digests(loaded: &Loaded, seed: u64) -> Vec<u64> {
    let mut scripts = scripts_of(loaded);
    let mut game = Game::from_setup(loaded.rules.clone(), &two_players(seed), &mut scripts).expect("a game begins");
    let mut dice = Dice::named(seed, "first");
    let digests = (0..FORGETFUL).map(|_| {
        play_on(&mut game, &mut dice, 1, &mut scripts);
        game.state().digest()
    });
    digests.collect()
}

#[test]
fn pairs_are_the_same_in_any_order_and_keep_nothing() {
    let ids = expansion_ids();
    let sets: Vec<_> = sets(&ids).into_iter().filter(|set| set.len() == 2).collect();
    let failed = each(sets.len(), |index| {
        let wanted = Wanted { expansions: sets[index].iter().map(ToString::to_string).collect(), options: Vec::new() };
        // What does not load is told by the other tests.
        let loaded = loaded(&wanted).ok()?;
        unsteady(&loaded, &wanted, index as u64).map(|problem| format!("{}: {problem}", sets[index].join(" + ")))
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The set without all that can be left out while something is still wrong with it.
fn smallest(mut set: Vec<String>, seed: u64, specs: &Specs) -> Vec<String> {
    let mut place = 0;
    while place < set.len() {
        let mut fewer = set.clone();
        fewer.remove(place);
        match problem_of(&fewer, seed, specs) {
            Some(_) => set = fewer,
            None => place += 1,
        }
    }
    set
}

#[test]
fn random_larger_sets_keep_the_contract() {
    let (ids, specs) = (expansion_ids(), specs());
    let failed = each(LARGE_SETS, |index| {
        let seed = index as u64;
        let mut dice = Dice::named(seed, "sets");
        let mut set = ids.clone();
        dice.shuffle(&mut set);
        set.truncate(3 + dice.below(ids.len() - 2));
        let problem = problem_of(&set, seed, &specs)?;
        let least = smallest(set, seed, &specs).join(" + ");
        Some(format!("seed {seed}, least set {least}: {problem}"))
    });
    assert!(failed.is_empty(), "{} of {LARGE_SETS} sets failed:\n{}", failed.len(), failed.join("\n"));
}

/// How many tiles a game begins with.
fn tiles(loaded: &Loaded) -> usize {
    let mut scripts = loaded.scripts().expect("a VM");
    let game = Game::from_setup(loaded.rules.clone(), &two_players(0), &mut scripts).expect("a game begins");
    game.state().pile_len()
}

/// Boxes with one of their mechanisms switched off: its tiles are in the stack, its hooks are not.
#[test]
fn a_box_without_one_of_its_mechanisms_keeps_the_contract() {
    let (mut all, mut problems) = (Vec::new(), Vec::new());
    for found in library().iter() {
        for part in &found.manifest.includes {
            let part = part.to_string();
            let mut request = Request::default();
            request.with(&found.manifest.id);
            request.without(&part);
            match load(&request, library(), &[BASE]) {
                Ok(loaded) => {
                    let prefix = format!("{part}:");
                    let hook = loaded.rules.hooks().find(|(_, hook)| hook.name.starts_with(&prefix));
                    problems.extend(hook.map(|(_, hook)| format!("{} is there without {part}", hook.name)));
                    let whole = compatible(&[&found.manifest.id]).ok().flatten().map(|whole| tiles(&whole));
                    if whole != Some(tiles(&loaded)) {
                        problems.push(format!(
                            "{} without {part} has {} tiles, not {whole:?}",
                            found.manifest.id,
                            tiles(&loaded)
                        ));
                    }
                    all.push(loaded);
                }
                Err(found) => problems.extend(found.iter().map(ToString::to_string)),
            }
        }
    }
    assert!(all.len() >= 10, "{} boxes with a part switched off", all.len());
    let games: Vec<_> = all.iter().enumerate().map(|(seed, loaded)| (loaded, seed as u64, Effort::Some)).collect();
    problems.extend(failures(&games, &specs()));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_order_of_a_request_does_not_matter() {
    let ids = expansion_ids();
    let wanted = |ids: Vec<String>| Wanted { expansions: ids, options: Vec::new() };
    let loading: Vec<String> = ids.into_iter().filter(|id| loaded(&wanted(vec![id.clone()])).is_ok()).collect();
    let forth = loaded(&wanted(loading.clone()));
    let back = loaded(&wanted(loading.into_iter().rev().collect()));
    match (forth, back) {
        (Ok(forth), Ok(back)) => assert_eq!(forth.lock.to_string(), back.lock.to_string()),
        (forth, back) => assert_eq!(forth.err(), back.err(), "the same problems either way"),
    }
}
