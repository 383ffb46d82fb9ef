//! Texts that may be anything: nothing panics, and what is not read is an error.
//!
//! `FUZZ_SECONDS=600 cargo test -p trencavel-tests --test fuzz --release spoiled_saves` looks longer at one of them.

use std::path::Path;

use trencavel_host::diagnostic::{Diagnostic, SourceFile};
use trencavel_host::game_file::GameFile;
use trencavel_host::lock::Lock;
use trencavel_host::manifest::Manifest;
use trencavel_host::pack::Pack;
use trencavel_host::resolve::{Request, resolve};
use trencavel_host::{codes, syntax, tiles};
use trencavel_play::perft::{parse_list, parse_table};
use trencavel_play::scenario::{self, format::Scenario};
use trencavel_rules::hooks::NoScripts;
use trencavel_rules::ids::{FigureKindId, SeatId, SegmentId, TileId};
use trencavel_rules::save::Replay;
use trencavel_rules::{Action, Game, Target, notation};
use trencavel_tests::dice::{Dice, play_on};
use trencavel_tests::fuzzing::{campaign, spoiled};
use trencavel_tests::loading::{library, loader, rules_of, two_players};
use trencavel_tests::{files_below, root};

#[test]
fn spoiled_actions_are_read_or_refused() {
    let rules = rules_of(&[]).rules;
    campaign("notation", 8, |dice| {
        let mut game = Game::from_setup(rules.clone(), &two_players(1), &mut NoScripts).expect("two can begin");
        while !game.state().is_over() {
            let offered = game.legal_actions().to_vec();
            for action in offered.iter().take(6) {
                let text = spoiled(&notation::action(game.rules(), game.state(), *action), dice);
                if let Ok(action) = notation::parse(&game, &text) {
                    let refusals = game.refusals(action, &mut NoScripts).expect("no hook fails");
                    assert_eq!(offered.contains(&action), refusals.is_empty(), "{text}");
                }
            }
            play_on(&mut game, dice, 1, &mut NoScripts);
        }
    });
}

#[test]
fn spoiled_saves_are_read_or_refused() {
    let rules = rules_of(&[]).rules;
    let texts = texts_below("tests/replays", "replay");
    campaign("save", 200, |dice| {
        let text = &texts[dice.below(texts.len())];
        let Ok((replay, _)) = Replay::parse(&spoiled(text, dice)) else { return };
        // What was read is written and read again without a loss.
        let (again, torn) = Replay::parse(&replay.to_string()).expect("what was written can be read");
        assert!(again == replay && torn.is_none());
        if let Ok(lock) = replay.lock.join("\n").parse::<Lock>() {
            assert_eq!(lock.to_string().parse(), Ok(lock));
        }
        let Ok(setup) = replay.setup(&rules) else { return };
        let Ok(mut game) = Game::from_setup(rules.clone(), &setup, &mut NoScripts) else { return };
        // An answer that cannot be given says which it is.
        if let Err((answer, why)) = replay.play(&mut game, usize::MAX, &mut NoScripts) {
            assert!((1..=replay.answers.len()).contains(&answer) && !why.is_empty());
        }
    });
}

#[test]
fn spoiled_manifests_are_read_or_refused() {
    let texts = texts_below("scripts", "expansion.toml");
    campaign("manifest", 2000, |dice| {
        let file = spoiled_file("expansion.toml", &texts, dice);
        check_problems(Manifest::parse(&file).err());
    });
}

#[test]
fn spoiled_tiles_are_read_or_refused() {
    let texts = texts_below("scripts", "tiles.toml");
    campaign("tiles", 300, |dice| {
        let file = spoiled_file("tiles.toml", &texts, dice);
        check_problems(tiles::parse(&file).err());
    });
}

#[test]
fn spoiled_game_files_are_read_or_refused() {
    let texts = texts_below("examples", "toml");
    campaign("game file", 1000, |dice| {
        let file = spoiled_file("game.toml", &texts, dice);
        match GameFile::parse(&file) {
            Ok(game) => check_problems(resolve(&Request::from_game(&game), library()).err()),
            Err(problems) => check_problems(Some(problems)),
        }
    });
}

#[test]
fn spoiled_scripts_are_checked_or_refused() {
    let texts = texts_below("scripts", "rules.lua");
    campaign("script", 300, |dice| {
        check_problems(Some(syntax::check([&spoiled_file("rules.lua", &texts, dice)])));
    });
}

#[test]
fn spoiled_packs_are_read_or_refused() {
    let found = library().get("wells").expect("the wells");
    let good = Pack::of(found, Some("MIT")).and_then(|pack| pack.bytes()).unwrap_or_else(|all| panic!("{}", all[0]));
    let whole = Pack::read(Path::new("wells.zip"), &good).unwrap_or_else(|all| panic!("{}", all[0]));
    campaign("pack", 300, |dice| {
        let mut bytes = good.clone();
        for _ in 0..=dice.below(3) {
            let at = dice.below(bytes.len());
            match dice.below(4) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes[at] = dice.below(256) as u8,
                2 => bytes.extend_from_within(at..(at + 40).min(bytes.len())),
                _ => drop(bytes.drain(at..(at + 1 + dice.below(30)).min(bytes.len() - 1).max(at))),
            }
        }
        match Pack::read(Path::new("wells.zip"), &bytes) {
            Ok(pack) => assert!(pack == whole, "another pack was read"),
            Err(problems) => check_problems(Some(problems)),
        }
    });
}

/// Every text below a folder whose name ends so, sorted by path.
fn texts_below(folder: &str, end: &str) -> Vec<String> {
    let ending = end.rsplit('.').next().unwrap_or(end);
    let mut paths = files_below(&root().join(folder), ending);
    paths.retain(|path| path.to_string_lossy().ends_with(end));
    assert!(!paths.is_empty(), "{folder} has no {end}");
    paths.iter().map(|path| std::fs::read_to_string(path).expect("the file can be read")).collect()
}

fn spoiled_file(name: &str, texts: &[String], dice: &mut Dice) -> SourceFile {
    SourceFile { path: name.into(), text: spoiled(&texts[dice.below(texts.len())], dice).into() }
}

/// Every problem has a code that is explained, a sentence, and a place within its file.
fn check_problems(problems: Option<Vec<Diagnostic>>) {
    for problem in problems.into_iter().flatten() {
        assert!(codes().any(|(code, _)| code == problem.code) && !problem.message.is_empty(), "{problem}");
        if let Some((file, span)) = &problem.at {
            assert!(file.text.get(span.clone()).is_some(), "{problem}\nhas the bytes {span:?}");
        }
    }
}

#[test]
fn spoiled_scenarios_and_tables_are_read_or_refused() {
    let mut dice = Dice::new(3);
    for path in files_below(&root().join("plugins/base/tests"), "toml") {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        for _ in 0..20 {
            let text = spoiled(&text, &mut dice);
            if Scenario::parse(&text).is_ok() {
                let _ = scenario::run("spoiled", &text, &loader);
            }
        }
    }
    let list = std::fs::read_to_string(root().join("tests/perft/base.perft")).expect("the file can be read");
    for _ in 0..300 {
        let text = spoiled(&list, &mut dice);
        let _ = (parse_list(&text), parse_table(&text));
    }
}

#[test]
fn handles_that_mean_nothing_are_refused() {
    let mut game = Game::from_setup(rules_of(&[]).rules, &two_players(1), &mut NoScripts).expect("two can begin");
    let far = |number: usize| {
        let (kind, segment) = (FigureKindId::from_index(number), SegmentId::from_index(number));
        [
            Action::Deploy { kind, segment, seat: SeatId::from_index(number) },
            Action::Offer { offer: number as u16, target: Target::Tile(TileId::from_index(number)) },
            Action::Answer(Target::Segment(segment)),
            Action::Pass,
        ]
    };
    for _ in 0..40 {
        for action in [60, 200, 60_000].into_iter().flat_map(far) {
            let offered = game.legal_actions().contains(&action);
            let before = game.state().digest();
            let outcome = game.clone().apply(action, &mut NoScripts);
            assert_eq!(outcome.is_ok(), offered, "{action:?} at {}", game.waits_for());
            assert_eq!(game.state().digest(), before);
        }
        play_on(&mut game, &mut Dice::new(4), 1, &mut NoScripts);
    }
}
