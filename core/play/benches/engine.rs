//! What single operations of the engine take: `cargo bench -p trencavel-play`. The figures are kept in `BENCHMARKS.md`.

use std::sync::Arc;

use divan::{AllocProfiler, Bencher, black_box};
use trencavel_host::library::{Library, LinkedIn, Presence};
use trencavel_host::resolve::Request;
use trencavel_host::{LinkedExpansion, Loaded, load};
use trencavel_play::bots::{playout, random_table};
use trencavel_rules::hooks::NoScripts;
use trencavel_rules::{Game, Ruleset, Setup};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

const BASE: LinkedExpansion = LinkedExpansion {
    linked: LinkedIn { folder: "plugins/base", files: trencavel_base::FILES, presence: Presence::Implied },
    declare: |builder, options| {
        trencavel_base::declare(builder, &|name| options.get(name).map_or(String::new(), ToString::to_string));
    },
};

/// The five boxes of the design's table.
const BOXES: [&str; 5] =
    ["princess-and-dragon", "the-tower", "traders-and-builders", "abbey-and-mayor", "king-and-robber"];

fn main() {
    divan::main();
}

fn loaded(expansions: &[&str]) -> Loaded {
    let scripts = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts");
    let library = Library::new(&[scripts], &[], &[BASE.linked]);
    let mut request = Request::default();
    expansions.iter().for_each(|id| request.with(id));
    load(&request, &library, &[BASE]).expect("rules")
}

fn base() -> Arc<Ruleset> {
    loaded(&[]).rules
}

fn setup(seed: u64) -> Setup {
    Setup { players: vec!["Ann".to_owned(), "Bob".to_owned()], seed, ..Setup::default() }
}

/// A base game half way through, about 30 open spaces, with a tile to be placed.
fn midgame() -> Game {
    let mut game = Game::from_setup(base(), &setup(1), &mut NoScripts).expect("a game");
    let mut bots = random_table(1, 2);
    while game.state().pile_len() > 36 || !game.is_placing() {
        let action = bots[game.state().decider().index()].choose(&game, &mut NoScripts);
        game.apply_unchecked(action, &mut NoScripts).expect("an action");
    }
    game
}

#[divan::bench]
fn list_of_places(bencher: Bencher<'_, '_>) {
    let game = midgame();
    bencher.with_inputs(|| game.clone()).bench_local_refs(|game| game.legal_actions().len());
}

#[divan::bench]
fn draw_of_a_place(bencher: Bencher<'_, '_>) {
    let game = midgame();
    let mut bits = 0_u64;
    bencher.bench_local(|| {
        game.draw(|| {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            bits
        })
    });
}

/// Into a state that is there already.
#[divan::bench]
fn clone_of_a_game(bencher: Bencher<'_, '_>) {
    let game = midgame();
    let mut copy = game.clone();
    bencher.bench_local(|| copy.clone_from(black_box(&game)));
}

#[divan::bench]
fn place_and_undo(bencher: Bencher<'_, '_>) {
    let mut game = midgame();
    let action = game.legal_actions()[0];
    bencher.bench_local(|| {
        game.apply_unchecked(action, &mut NoScripts).expect("an action");
        game.undo(&mut NoScripts).expect("an undo")
    });
}

#[divan::bench]
fn undo_of_a_placement(bencher: Bencher<'_, '_>) {
    let game = midgame();
    let action = game.legal_actions()[0];
    let placed = || {
        let mut game = game.clone();
        game.apply_unchecked(action, &mut NoScripts).expect("an action");
        game
    };
    bencher.with_inputs(placed).bench_local_refs(|game| game.undo(&mut NoScripts).expect("an undo"));
}

#[divan::bench]
fn place(bencher: Bencher<'_, '_>) {
    let game = midgame();
    let action = game.legal_actions()[0];
    bencher
        .with_inputs(|| game.clone())
        .bench_local_refs(|game| game.apply_unchecked(action, &mut NoScripts).expect("an action"));
}

#[divan::bench]
fn random_base_game(bencher: Bencher<'_, '_>) {
    let mut game = Game::from_setup(base(), &setup(0), &mut NoScripts).expect("a game");
    game.keep_no_history();
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        game.renew(&setup(seed), &mut NoScripts).expect("a game");
        playout(&mut game, &mut random_table(seed, 2), &mut NoScripts).expect("an end")
    });
}

#[divan::bench]
fn random_game_with_five_boxes(bencher: Bencher<'_, '_>) {
    let loaded = loaded(&BOXES);
    let mut scripts = loaded.scripts().expect("scripts");
    let mut game = Game::from_setup(loaded.rules.clone(), &setup(0), &mut scripts).expect("a game");
    game.keep_no_history();
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        game.renew(&setup(seed), &mut scripts).expect("a game");
        playout(&mut game, &mut random_table(seed, 2), &mut scripts).expect("an end")
    });
}

/// Turns of a game in which so many tiles lie on the table already.
#[divan::bench(args = [100, 1_000, 10_000])]
fn turn_among(bencher: Bencher<'_, '_>, tiles: usize) {
    let rules = base();
    let pack: Vec<_> = rules.copies().iter().flat_map(|copies| vec![copies.tile; copies.count.into()]).collect();
    let stack = pack.iter().copied().cycle().take(tiles + 2_000).collect();
    let mut game = Game::from_setup(rules, &Setup { stack: Some(stack), ..setup(1) }, &mut NoScripts).expect("a game");
    game.keep_no_history();
    let mut bots = random_table(1, 2);
    let mut turn = |game: &mut Game| {
        let before = game.state().turn();
        while game.state().turn() == before && !game.state().is_over() {
            let action = bots[game.state().decider().index()].choose(game, &mut NoScripts);
            game.apply_unchecked(action, &mut NoScripts).expect("an action");
        }
    };
    while game.state().tiles().count() < tiles {
        turn(&mut game);
    }
    bencher.bench_local(|| turn(&mut game));
}

#[divan::bench]
fn load_everything(bencher: Bencher<'_, '_>) {
    let scripts = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts");
    let library = Library::new(&[scripts], &[], &[BASE.linked]);
    let ids: Vec<String> = library.iter().map(|found| found.manifest.id.clone()).collect();
    bencher.bench_local(|| {
        let mut request = Request::default();
        ids.iter().filter(|id| *id != trencavel_base::ID).for_each(|id| request.with(id));
        load(&request, &library, &[BASE]).expect("rules").scripts().expect("scripts")
    });
}
