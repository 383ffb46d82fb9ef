//! Every kind of declaration and every argument of a hook, in played games.

mod common;

use std::path::Path;

use common::{begin, choose, load_game, manifest, offered, setup};
use trencavel_host::{Forgot, Loaded, amnesia, codes};
use trencavel_rules::words::DeclKind;
use trencavel_rules::{ledger, notation};

const MORE: &str = "optional = { ghost = \"*\" }
[options.height]
values = [4, 5]
default = 4
text = \"How high\"
[options.style]
values = [\"plain\", \"round\"]
default = \"plain\"
text = \"How it looks\"
[options.wings]
set = true
values = [\"left\", \"right\"]
default = [\"left\"]
text = \"Which wings\"
[options.tall]
default = false
text = \"Whether it is tall\"
";

fn mill() -> Loaded {
    let manifest = manifest("mill", MORE);
    let files = [
        ("mill/expansion.toml", manifest.as_str()),
        ("mill/rules.lua", include_str!("played/mill.lua")),
        ("mill/numbers.lua", "return { far = 4 }"),
    ];
    load_game("mill = true\n", &files).unwrap_or_else(|problems| {
        panic!("{}", problems.iter().map(|problem| format!("{problem}\n")).collect::<String>())
    })
}

/// The ledger, a line each.
fn lines(game: &trencavel_rules::Game) -> Vec<String> {
    let line = |line: &ledger::Line| {
        format!("{} {}", notation::letter(line.player), ledger::words(game.rules(), game.state(), line))
    };
    game.state().lines().iter().map(line).collect()
}

const STACK: &[&str] = &["straight", "gate", "end", "cap", "straight", "gate", "cap"];

#[test]
fn every_kind_of_declaration_works_in_a_game() {
    let script = include_str!("played/mill.lua");
    for kind in DeclKind::ALL {
        let by_base = matches!(kind, DeclKind::Edge | DeclKind::Feature);
        assert!(by_base || script.contains(&format!("rules.{kind} \"")), "no {kind} in the script");
    }
    let loaded = mill();
    let (mut game, mut host) = begin(&loaded, STACK);
    for text in include_str!("played/mill.txt").lines() {
        choose(&mut game, &mut host, text);
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/played/mill.ledger");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&golden, lines(&game).join("\n") + "\n").expect("a place to write");
    }
    let expected = std::fs::read_to_string(golden).expect("the ledger");
    assert_eq!(lines(&game), expected.lines().collect::<Vec<_>>(), "{:?}", offered(&game));
    assert!(game.state().is_over(), "{} {:?}", game.waits_for(), offered(&game));
    let owl = game.state().neutrals().next().expect("the owl").1;
    assert!(matches!(owl.at, trencavel_rules::Anchor::Tile(_)));
}

#[test]
fn hooks_see_the_game_and_emit_every_verb() {
    let manifest = manifest("looks", "optional = { ghost = \"*\" }");
    let files = [("looks/expansion.toml", manifest.as_str()), ("looks/rules.lua", include_str!("played/looks.lua"))];
    let loaded = load_game("looks = true\n", &files).unwrap_or_else(|problems| panic!("{}", problems[0]));
    let (mut game, mut host) = begin(&loaded, &["straight", "gate", "cap", "cap"]);
    choose(&mut game, &mut host, "place straight 1,0 r0");
    choose(&mut game, &mut host, "pass");
    choose(&mut game, &mut host, "place gate 2,0 r180");
    choose(&mut game, &mut host, "deploy peon path");
    let verbs = ["move", "capture", "release", "deploy", "appear", "enter", "rest", "put", "mark", "discard", "finish"];
    for verb in verbs {
        choose(&mut game, &mut host, &format!("choose {verb}"));
    }
    let events: Vec<&str> = game.state().events().iter().map(|event| event.kind.word()).collect();
    for event in ["moved", "captured", "released", "appeared", "entered", "rested", "tokens", "marked", "discarded"] {
        assert!(events.contains(&event), "no {event} among {events:?}");
    }
    assert_eq!(events.iter().filter(|event| **event == "deployed").count(), 2);
    let (rules, lamp) = (game.rules(), game.rules().mark_by_name("looks:lamp").expect("the mark"));
    let lamps: Vec<u16> = game.state().features().map(|path| rules.marks_of(game.state(), path, lamp)).collect();
    assert!(lamps.contains(&7), "two printed and five set in play: {lamps:?}");
    assert!(game.state().is_over(), "{:?}", offered(&game));
}

#[test]
fn refusals_of_scripts_have_their_sentence() {
    let loaded = mill();
    let (mut game, mut host) = begin(&loaded, &["straight"; 6]);
    for x in 1..5 {
        choose(&mut game, &mut host, &format!("place straight {x},0 r0"));
        choose(&mut game, &mut host, "pass");
    }
    let far = notation::parse(&game, "place straight 5,0 r0").expect("an action");
    let error = game.apply(far, &mut host).expect_err("a refusal");
    assert_eq!(error.to_string(), "not offered: straight at column 5 is too far for player 1");
}

#[test]
fn tiles_come_in_sets() {
    let count = |expansions: &str| {
        let loaded = load_game(expansions, &[]).expect("rules");
        loaded.rules.copies().iter().map(|copies| copies.count).sum::<u16>()
    };
    assert_eq!(count(""), 9);
    assert_eq!(count("land = { long = true }\n"), 10, "at most four are straight");
    assert_eq!(count("land = { copies = 2 }\n"), 16);
    let problems = common::load_game("land = { copies = 9000 }\n", &[]).expect_err("too many tiles");
    let told = problems[0].to_string();
    assert!(told.contains("T014") && told.contains("9000 boxes of `land`"), "{told}");
}

#[test]
fn rules_are_shared_by_threads_with_a_vm_each() {
    let loaded = mill();
    let play = || {
        let (mut game, mut host) = begin(&loaded, STACK);
        include_str!("played/mill.txt").lines().for_each(|text| choose(&mut game, &mut host, text));
        game.state().digest()
    };
    let digests = std::thread::scope(|scope| {
        let other = scope.spawn(play);
        (play(), other.join().expect("a game"))
    });
    assert_eq!(digests.0, digests.1);
    let lock = loaded.lock.to_string();
    assert!(lock.contains("expansion mill 1.0.0 blake3:") && lock.contains("height=4"), "{lock}");
}

#[test]
fn amnesia_finds_scripts_that_remember() {
    let loaded = mill();
    let first = |game: &trencavel_rules::Game| Some(game.state().decisions() as usize % game.legal_actions().len());
    let played = amnesia(&loaded, &setup(&loaded, STACK), 30, first).expect("no state in scripts");
    assert!(played > 10, "{played}");

    let manifest = manifest("jar", "");
    let script = "local seen = {}
rules.items \"seen\" { of = \"path\", count = function() return 0 end }
rules.forbid \"often\" { on = \"place\", test = function() table.insert(seen, 1) return #seen > 20 end }";
    let files = [("jar/expansion.toml", manifest.as_str()), ("jar/rules.lua", script)];
    let loaded = load_game("jar = true\n", &files).expect("rules");
    let forgot = amnesia(&loaded, &setup(&loaded, STACK), 30, first).expect_err("a difference");
    assert!(matches!(&forgot, Forgot::Differs { hook, .. } if hook == "jar:often"), "{forgot}");
}

#[test]
fn every_code_is_explained_once() {
    let mut known: Vec<_> = codes().map(|(code, _)| code).collect();
    let count = known.len();
    known.sort_unstable();
    known.dedup();
    assert_eq!(known.len(), count);
    assert!(codes().all(|(code, text)| code.len() == 4 && text.len() > 20));
}
