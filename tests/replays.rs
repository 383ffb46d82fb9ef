//! Golden replays: recorded games come out to the letter. `UPDATE_GOLDEN=1` rewrites them.

use std::path::{Path, PathBuf};

use trencavel_play::scenario::Wanted;
use trencavel_rules::save::Replay;
use trencavel_rules::{Game, Ruleset, ledger, notation};
use trencavel_tests::dice::Dice;
use trencavel_tests::loading::{loaded, scripts_of};
use trencavel_tests::{files_below, root, short_path};

/// A line of the header for each expansion: id, version, options that are not the default stay readable.
fn lock_lines(rules: &Ruleset) -> Vec<String> {
    let line = |expansion: &trencavel_rules::Expansion| {
        let options = expansion.options.iter().map(|(name, value)| format!(" {name}={value}"));
        format!("{} {}{}", expansion.id, expansion.version, options.collect::<String>())
    };
    rules.expansions().iter().map(line).collect()
}

/// What the first lines of a replay want to be played with.
fn wanted(replay: &Replay) -> Wanted {
    let mut wanted = Wanted::default();
    for line in &replay.lock {
        let mut words = line.split_whitespace();
        let id = words.next().unwrap_or_default();
        wanted.expansions.push(id.to_owned());
        wanted.options.extend(words.skip(1).map(|option| format!("{id}.{option}")));
    }
    wanted
}

/// Plays a replay and writes it down again: answers, and below each what was paid for it.
fn played(replay: &Replay, path: &Path) -> String {
    let loaded = loaded(&wanted(replay)).unwrap_or_else(|problems| panic!("{}: {problems}", short_path(path)));
    let mut scripts = scripts_of(&loaded);
    let setup = replay.setup(&loaded.rules).expect("the setup is one");
    let mut game = Game::from_setup(loaded.rules.clone(), &setup, &mut scripts).expect("the game can begin");
    let header = Replay { lock: lock_lines(&loaded.rules), answers: Vec::new(), ..replay.clone() };
    let mut text = header.to_string();
    for answer in &replay.answers {
        let one = Replay { answers: vec![answer.clone()], ..Replay::default() };
        let paid = game.state().lines().len();
        one.play(&mut game, 1, &mut scripts).unwrap_or_else(|(_, why)| panic!("{}: {why}", short_path(path)));
        text.push_str(&format!("{answer}\n"));
        for line in &game.state().lines()[paid..] {
            let words = ledger::words(game.rules(), game.state(), line);
            text.push_str(&format!("# {} {words}\n", notation::letter(line.player)));
        }
    }
    let points: Vec<String> = game.state().scores().iter().map(ToString::to_string).collect();
    let end = if game.state().is_over() { "game over" } else { game.waits_for() };
    text.push_str(&format!("# points {}; {end}\n", points.join(" ")));
    text
}

fn check_replay(path: &Path) {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let (replay, torn) = Replay::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", short_path(path)));
    assert_eq!(torn, None, "{}: the last line has no end", short_path(path));
    let now = played(&replay, path);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &now).expect("the file can be written");
    } else if let Some((line, (old, new))) =
        text.lines().zip(now.lines()).enumerate().find(|(_, (old, new))| old != new)
    {
        panic!("{}:{}\n  golden: {old}\n  now:    {new}\nUPDATE_GOLDEN=1 rewrites it", short_path(path), line + 1);
    } else {
        assert_eq!(text.lines().count(), now.lines().count(), "{}: number of lines", short_path(path));
    }
}

fn replays() -> Vec<PathBuf> {
    files_below(&root().join("tests/replays"), "replay")
}

#[test]
fn replays_come_out_to_the_letter() {
    let files = replays();
    assert!(!files.is_empty(), "there are golden replays");
    files.iter().for_each(|path| check_replay(path));
}

/// `NEW_GOLDEN=name:expansions:seed:decisions` records a random game as a new replay.
#[test]
fn new_replays_are_recorded() {
    let Ok(order) = std::env::var("NEW_GOLDEN") else { return };
    let parts: Vec<&str> = order.split(':').collect();
    let [name, expansions, seed, decisions] = parts[..] else { panic!("NEW_GOLDEN=name:expansions:seed:decisions") };
    let expansions = expansions.split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect();
    let loaded = loaded(&Wanted { expansions, options: Vec::new() }).unwrap_or_else(|problems| panic!("{problems}"));
    let mut scripts = scripts_of(&loaded);
    let players = ["Ann", "Bob"].map(str::to_owned).to_vec();
    let seed = seed.parse().expect("a seed");
    let mut replay = Replay { lock: lock_lines(&loaded.rules), players, seed, ..Replay::default() };
    let setup = replay.setup(&loaded.rules).expect("the setup is one");
    let mut game = Game::from_setup(loaded.rules.clone(), &setup, &mut scripts).expect("the game can begin");
    let mut dice = Dice::new(seed);
    for _ in 0..decisions.parse().expect("a number of decisions") {
        let Some(action) = dice.pick(game.legal_actions()) else { break };
        replay.answers.push(trencavel_rules::save::answer_line(&game, action));
        game.apply(action, &mut scripts).expect("it is offered");
    }
    let path = root().join(format!("tests/replays/{name}.replay"));
    std::fs::write(&path, played(&replay, &path)).expect("the file can be written");
}
