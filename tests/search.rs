//! What bots and comparisons ask of a game: other orders of the unseen tiles, its end as it stands, refusals that decide.

use trencavel_host::ScriptHost;
use trencavel_play::bots::{playout, random_table};
use trencavel_rules::game::SetFigure;
use trencavel_rules::geometry::Position;
use trencavel_rules::ids::{HookId, PlayerId};
use trencavel_rules::{Game, Setup, notation};
use trencavel_tests::loading::{players, rules_of, scripts_of, two_players};

/// Plays so many decisions at random.
fn begun(game: &mut Game, scripts: &mut ScriptHost, decisions: u32, seed: u64) {
    let mut bots = random_table(seed, game.state().players());
    while !game.state().is_over() && game.state().decisions() < decisions {
        let action = bots[game.state().decider().index()].choose(game, scripts);
        game.apply(action, scripts).expect("no hook fails");
    }
}

/// Tiles that are drawn from here on, in order.
fn drawn(mut game: Game, scripts: &mut ScriptHost) -> Vec<String> {
    let before = game.state().tiles().count();
    playout(&mut game, &mut random_table(1, 2), scripts).expect("no hook fails");
    let names = game.state().tiles().skip(before).map(|(_, tile)| game.rules().tile(tile.def).id.to_string());
    names.collect()
}

#[test]
fn another_order_has_the_same_tiles() {
    let loaded = rules_of(&["river", "dragon"]);
    let mut scripts = scripts_of(&loaded);
    let mut game = Game::from_setup(loaded.rules.clone(), &two_players(5), &mut scripts).expect("it begins");
    begun(&mut game, &mut scripts, 4, 5);
    let order = |seed: u64, scripts: &mut _| {
        let mut other = game.clone();
        other.reshuffle(seed);
        assert_eq!((other.state().pile_len(), other.state().hand()), (game.state().pile_len(), game.state().hand()));
        drawn(other, scripts)
    };
    let (one, two) = (order(1, &mut scripts), order(2, &mut scripts));
    assert_ne!(one, two);
    assert_eq!(one, order(1, &mut scripts), "a seed gives one order");
    let river = |tiles: &[String]| tiles.iter().take_while(|tile| tile.starts_with("river:")).count();
    let rest = |tiles: &[String]| tiles.iter().filter(|tile| tile.starts_with("river:")).count();
    assert_eq!((river(&one), river(&two)), (rest(&one), rest(&two)), "the river still comes first");
    let sorted = |mut tiles: Vec<String>| {
        tiles.sort();
        tiles
    };
    assert_eq!(sorted(one), sorted(two));
}

/// Plays answers in our notation.
fn play(game: &mut Game, scripts: &mut ScriptHost, answers: &[&str]) {
    for words in answers {
        let action = notation::parse(game, words).unwrap_or_else(|error| panic!("{words}: {error}"));
        game.apply(action, scripts).unwrap_or_else(|error| panic!("{words}: {error}"));
    }
}

/// What the game would come out with if it ended there.
fn ended(game: &Game, scripts: &mut ScriptHost) -> Vec<i32> {
    let mut end = game.clone();
    end.end_here(scripts).expect("no hook fails");
    assert!(end.state().is_over() && !game.state().is_over());
    let scores = end.state().scores().to_vec();
    end.end_here(scripts).expect("no hook fails");
    assert_eq!(end.state().scores(), scores, "a game ends once");
    scores
}

#[test]
fn a_game_that_ends_here_pays_what_was_closed_and_what_stands() {
    let loaded = rules_of(&[]);
    let mut scripts = scripts_of(&loaded);
    let tile = |name: &str| loaded.rules.tile_by_name(name).expect("there is such a tile");
    let kind =
        loaded.rules.figure_kinds().find(|(_, kind)| &*kind.name == "base:follower").expect("there are followers").0;
    let city = |local: &usize| &*loaded.rules.tile(loaded.rules.starts()[0].tile).segments[*local].name == "city";
    let at = Position { x: 0, y: 0 };
    let figure = SetFigure { player: Some(PlayerId::from_index(1)), kind, at, segment: (0..9).find(city), seat: None };
    let stack = Some(["city-cap", "road", "road"].map(tile).to_vec());
    let setup = Setup { stack, figures: vec![figure], ..two_players(1) };
    let mut game = Game::from_setup(loaded.rules.clone(), &setup, &mut scripts).expect("it begins");
    assert_eq!(ended(&game, &mut scripts), [0, 1], "a tile of an open city");
    play(&mut game, &mut scripts, &["place 0,-1 r180"]);
    assert_eq!(game.state().scores(), [0, 0], "followers come first");
    assert_eq!(ended(&game, &mut scripts), [0, 4], "a city that this part closed");
    play(&mut game, &mut scripts, &["pass", "place 1,0 r0", "deploy follower road"]);
    assert_eq!(game.state().scores(), [0, 4]);
    assert_eq!(ended(&game, &mut scripts), [0, 6], "and two tiles of a road");
}

#[test]
fn what_stands_off_the_board_counts_at_the_end() {
    // Goods are tokens, and majorities of them pay at the end.
    let loaded = rules_of(&["traders-and-builders"]);
    let mut scripts = scripts_of(&loaded);
    let mut paid = 0;
    for seed in 0..6 {
        let mut game = Game::from_setup(loaded.rules.clone(), &players(3, seed), &mut scripts).expect("it begins");
        begun(&mut game, &mut scripts, 90, seed);
        let mut end = game.clone();
        end.end_here(&mut scripts).expect("no hook fails");
        let rules = end.rules();
        let new =
            end.state().lines()[game.state().lines().len()..].iter().filter(|line| line.hook != HookId::default());
        paid += new.filter(|line| &*rules.hook(line.hook).name == "goods:trade_goods").count();
    }
    assert!(paid > 0, "no game had goods");
}

#[test]
fn refusals_that_decide_are_counted() {
    let loaded = rules_of(&[]);
    let mut scripts = scripts_of(&loaded);
    let mut game = Game::from_setup(loaded.rules.clone(), &two_players(3), &mut scripts).expect("it begins");
    assert!(game.refused().is_empty(), "nobody counts");
    game.count_refusals();
    let times = |game: &Game| {
        let (occupied, _) = game.rules().hooks().find(|(_, hook)| &*hook.name == "base:occupied").expect("B-6");
        game.refused()[occupied.index()]
    };
    begun(&mut game, &mut scripts, u32::MAX, 3);
    let once = times(&game);
    assert!(once > 0, "nobody ever met another's follower");
    game.renew(&two_players(3), &mut scripts).expect("it begins");
    assert_eq!(times(&game), 0, "a new game begins at 0");
    begun(&mut game, &mut scripts, u32::MAX, 3);
    assert_eq!(times(&game), once);
}
