//! One game is one game: in every process, with one thread or two, whatever the order in which expansions are found.
//!
//! Eight processes, every other one with two threads, play random sets of expansions and print a digest of the rules and
//! of every game; all must be the same. Each of them finds, asks for, reads and runs the expansions in orders of its own.
//! Other builds are compared through a file of digests, which is written if it is not there; `CONTRIBUTING.md` has the
//! command. `SETS=1000` plays more sets, `DECISIONS=100000` whole games.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use trencavel_host::library::Library;
use trencavel_host::lua::limits::Limits;
use trencavel_host::resolve::{Request, resolve};
use trencavel_host::{Loaded, load_in_order};
use trencavel_rules::Game;
use trencavel_tests::dice::{Dice, play_on};
use trencavel_tests::loading::{BASE, expansion_ids, fingerprint, library, players, scripts_of};
use trencavel_tests::root;

const PROCESSES: usize = 8;
const SETS: usize = 100;
/// Decisions of each game in the normal run.
const DECISIONS: usize = 40;
/// Expansions of the largest set.
const LARGEST: usize = 7;
/// Says to a child which of the processes it is.
const CHILD: &str = "TRENCAVEL_DETERMINISM_CHILD";

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Different expansions, at most so many.
fn pick<'a>(from: &[&'a str], most: usize, dice: &mut Dice) -> Vec<&'a str> {
    let mut left = from.to_vec();
    (0..most.min(left.len())).map(|_| left.swap_remove(dice.below(left.len()))).collect()
}

fn request(ids: &[&str]) -> Request {
    let mut request = Request::default();
    ids.iter().for_each(|id| request.with(id));
    request
}

/// Random sets of expansions that can be played together.
fn sets(ids: &[String]) -> Vec<Vec<&str>> {
    let (ids, mut dice, mut found) = (ids.iter().map(String::as_str).collect::<Vec<_>>(), Dice::new(100), Vec::new());
    while found.len() < number("SETS", SETS) {
        let most = 1 + dice.below(LARGEST);
        let set = pick(&ids, most, &mut dice);
        match resolve(&request(&set), library()) {
            Ok(_) => found.push(set),
            Err(problems) => assert!(problems.iter().all(|one| one.code == "M033"), "{set:?}: {}", problems[0]),
        }
    }
    found
}

/// The same expansions, found, asked for and run in orders of these dice.
fn load_shuffled(set: &[&str], dice: &mut Dice) -> Loaded {
    let ids = expansion_ids();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let folders: Vec<PathBuf> =
        pick(&ids, ids.len(), dice).iter().map(|id| library().get(id).expect("it is there")).map(folder).collect();
    let shuffled = Library::new(&folders, &[], &[BASE.linked]);
    let order = pick(set, set.len(), dice);
    load_in_order(&request(&order), &shuffled, &[BASE], Limits::default(), |places| dice.shuffle(places))
        .unwrap_or_else(|problems| panic!("{set:?}: {}", problems[0]))
}

fn folder(found: &std::sync::Arc<trencavel_host::library::Found>) -> PathBuf {
    let manifest: &Path = &found.manifest.file.path;
    manifest.parent().expect("a manifest is in a folder").to_owned()
}

/// The rules, every state of a game and its ledger in one number.
fn digest(loaded: &Loaded, seed: u64) -> u64 {
    let mut scripts = scripts_of(loaded);
    let setup = players(2 + (seed % 4) as usize, seed);
    let mut game = Game::from_setup(loaded.rules.clone(), &setup, &mut scripts).expect("the game begins");
    let (mut dice, mut sum) = (Dice::new(seed), 0_u64);
    let mut add = |number: u64| sum = (sum.rotate_left(7) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    add(fingerprint(&loaded.rules));
    for _ in 0..number("DECISIONS", DECISIONS) {
        if game.state().is_over() {
            break;
        }
        add(game.legal_actions().len() as u64);
        play_on(&mut game, &mut dice, 1, &mut scripts);
        add(game.state().digest());
    }
    game.state().lines().iter().for_each(|line| add(line.points as u64));
    sum
}

/// Plays all sets as process `which`: odd ones with two threads, each with an order of its own.
fn play_all(which: usize) -> Vec<String> {
    let ids = expansion_ids();
    let sets = sets(&ids);
    let (next, lines) = (AtomicUsize::new(0), Mutex::new(vec![String::new(); sets.len()]));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(set) = sets.get(index) else { return };
            let mut dice = Dice::new((which * sets.len() + index) as u64);
            let digest = digest(&load_shuffled(set, &mut dice), index as u64);
            lines.lock().expect("no game failed")[index] = format!("digest {digest:016x} {}", set.join("+"));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..which % 2 {
            scope.spawn(work);
        }
        work();
    });
    lines.into_inner().expect("no game failed")
}

/// Does nothing unless the test below has started it.
#[test]
fn child() {
    if let Ok(which) = std::env::var(CHILD) {
        let which = which.parse().expect("a number");
        // A line of its own, whatever the test runner has written.
        writeln!(std::io::stdout(), "\n{}", play_all(which).join("\n")).expect("somebody reads");
    }
}

fn start(which: usize) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "child", "--nocapture"]).env(CHILD, which.to_string()).current_dir(root());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a child")
}

fn digests(child: Child) -> Vec<String> {
    let output = child.wait_with_output().expect("the child ends");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    out.lines().filter(|line| line.starts_with("digest ")).map(str::to_owned).collect()
}

#[test]
fn every_process_plays_the_same_games() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).max(2);
    let mut all: Vec<Vec<String>> = Vec::new();
    while all.len() < PROCESSES {
        let several: Vec<Child> = (all.len()..PROCESSES.min(all.len() + cores / 2)).map(start).collect();
        all.extend(several.into_iter().map(digests));
    }
    assert_eq!(all[0].len(), number("SETS", SETS));
    for (which, found) in all.iter().enumerate() {
        let differing = all[0].iter().zip(found).find(|(one, other)| one != other);
        assert!(found == &all[0], "process 0 and {which} differ: {differing:?}");
    }
    compare(&all[0].join("\n"));
}

/// Compares the digests with those of another build, or keeps them for it.
fn compare(found: &str) {
    let Some(file) = std::env::var_os("DIGESTS") else { return };
    match std::fs::read_to_string(&file) {
        Ok(other) => {
            let differing = other.lines().zip(found.lines()).find(|(one, other)| one != other);
            assert!(other == found, "another build played otherwise: {differing:?}");
        }
        Err(_) => std::fs::write(&file, found).expect("a place to write"),
    }
}
