//! Every expansion alone and with each other one: seeded random games that keep what rulesets promise.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use trencavel_host::Loaded;
use trencavel_play::scenario::Wanted;
use trencavel_tests::contract::check_game;
use trencavel_tests::loading::{expansion_ids, library, loaded};
use trencavel_tests::reference::{Specs, specs};

/// Games of the normal run, at least.
const GAMES: usize = 510;
/// Games of the base game alone.
const BASE_GAMES: usize = 40;

/// The rules for these expansions; none if they say that they cannot be played together.
fn compatible(expansions: &[&str]) -> Result<Option<Loaded>, String> {
    let wanted = Wanted { expansions: expansions.iter().map(ToString::to_string).collect(), options: Vec::new() };
    match loaded(&wanted) {
        Ok(loaded) => Ok(Some(loaded)),
        Err(problems) if problems.contains("[M033]") => Ok(None),
        Err(problems) => Err(format!("{} does not load: {problems}", expansions.join(" + "))),
    }
}

/// Plays these games, spread over the cores, and tells which failed. The reasons are printed as they come.
fn failures(games: &[(&Loaded, u64, bool)], specs: &Specs) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let work = || {
        while let Some((loaded, seed, thorough)) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
            let ids: Vec<&str> = loaded.resolution.expansions.iter().map(|one| one.id()).collect();
            if std::panic::catch_unwind(|| check_game(loaded, specs, *seed, *thorough)).is_err() {
                let which = format!("seed {seed} of {}", ids.join(" + "));
                eprintln!("^ {which}");
                failed.lock().unwrap_or_else(PoisonError::into_inner).push(which);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.sort();
    failed
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
    let games: Vec<_> = (0..BASE_GAMES as u64).map(|seed| (&base, seed, true)).collect();
    let failed = failures(&games, &specs());
    assert!(failed.is_empty(), "{} games failed, see above: {}", failed.len(), failed.join("; "));
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
    let each = (GAMES - BASE_GAMES).div_ceil(all.len());
    let games: Vec<_> = all
        .iter()
        .enumerate()
        .flat_map(|(set, loaded)| (0..each).map(move |game| (loaded, (1000 * set + game) as u64, game % 4 == 0)))
        .collect();
    let failed = failures(&games, &specs());
    assert!(failed.is_empty(), "{} of {} games failed, see above: {}", failed.len(), games.len(), failed.join("; "));
    assert!(problems.is_empty(), "{} sets do not load:\n{}", problems.len(), problems.join("\n"));
}
