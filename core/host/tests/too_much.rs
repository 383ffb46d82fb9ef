//! More of everything than there is room for: a clear problem when it is loaded, and numbers that are cut off in a game.

mod common;

use common::{begin, choose, load_game, manifest};
use trencavel_host::diagnostic::Diagnostic;
use trencavel_host::{Loaded, amnesia};

fn load(tiles: &str, script: &str) -> Result<Loaded, Vec<Diagnostic>> {
    let (manifest, tiles) = (manifest("heap", ""), format!("format = \"trencavel-tiles/1\"\n{tiles}"));
    let files = [("heap/expansion.toml", manifest.as_str()), ("heap/tiles.toml", &tiles), ("heap/rules.lua", script)];
    load_game("heap = true\n", &files)
}

#[track_caller]
fn check_refused(tiles: &str, script: &str, code: &str, words: &[&str]) {
    let problems = load(tiles, script).expect_err("a problem");
    let text = problems.iter().map(|problem| format!("{problem}\n")).collect::<String>();
    assert!(text.contains(&format!("[{code}]")) && text.len() < 2000, "{text}");
    words.iter().for_each(|word| assert!(text.contains(word), "no `{word}`: {text}"));
}

#[test]
fn declarations_without_room_are_refused_with_their_place() {
    let many =
        |count: u32, line: &str| (0..count).map(|number| line.replace('#', &number.to_string()) + "\n").collect();
    let check = |script: String, words: &[&str]| check_refused("", &script, "D008", words);
    let line = "rules.lua:";
    check(many(70, "rules.mark \"m#\" { on = \"path\" }"), &["mark \"m", "more than 64 marks", line]);
    check(many(70, "rules.feature \"f#\" {}"), &["feature \"f", "more than 64 seats", "more than 32 kinds", line]);
    check(many(70, "rules.extend \"path\" { seats = { s# = {} } }"), &["extend \"path\"", "more than 64 seats", line]);
    check(many(70, "rules.figure \"f#\" {}"), &["figure \"f", "more than 64 kinds of figure", line]);
    check(many(70, "rules.edge \"e#\" {}"), &["edge \"e", "more than 64 kinds of edge", line]);
    check(many(300, "rules.token \"t#\" {}"), &["token \"t", "more than 255 kinds of token", line]);
    check(many(300, "rules.items \"i#\" { of = \"path\", tag = \"t#\" }"), &["more than 255 tags"]);
    check(many(70, "rules.step \"s#\" { after = \"core:place\", causes = { \"c#\" } }"), &["more than 64 causes"]);
    let loop_of = |count: &str| format!("for n = 1, {count} do rules.query(\"q\" .. n) {{ role = \"peon\" }} end");
    check(loop_of("60001"), &["query \"q", "more than 60000 declarations", line]);
    let choice = |options: &str| format!("rules.resolve \"r\" {{ options = {options}, run = function() end }}");
    check(choice("{ from = -1000, to = 1000 }"), &["resolve \"r\"", "more than 1000 numbers to choose from", line]);
    let words: String = (0..1001).map(|number| format!("\"w{number}\",")).collect();
    check(choice(&format!("{{ words = {{ {words} }} }}")), &["more than 1000 words to choose from", line]);
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    let check = |script: &str, words: &[&str]| check_refused("", script, "D003", words);
    check("rules.figure \"f\" { per_player = 51 }", &["`per_player` must be from 0 to 50, not 51", "rules.lua:1"]);
    check("rules.neutral \"f\" { count = -1 }", &["`count` must be from 0 to 50, not -1"]);
    check("rules.items \"i\" { of = \"path\", unit = 9007199254740992 }", &["`unit` must be from", "9007199254740992"]);
    check("rules.items \"i\" { of = \"path\", count = 4294967301 }", &["`count` must be from", "not 4294967301"]);
    check("rules.token \"t\" { per_player = { 3, 10001 } }", &["`per_player` must be from 0 to 10000"]);
    check("rules.token \"t\" { per_player = { 3, \"x\" } }", &["`per_player` must be a whole number, not a word"]);
    let walk = "rules.neutral \"n\" { walk = { steps = 0 } }";
    check(walk, &["`walk.steps` must be from 1 to 100, not 0"]);
}

const TILE: &str = "[[tile]]\nid = \"t\"\nsides = \"grass grass grass grass\"\nsegments = [SEGMENTS]\n\
                    [[set]]\nid = \"s\"\ncounts = { t = 1 }\n";

#[test]
fn tiles_without_room_are_refused_with_their_place() {
    let segments = |count: u32| -> String {
        let all: String = (0..count).map(|number| format!("{{ name = \"s{number}\", kind = \"town\" }},")).collect();
        TILE.replace("SEGMENTS", &all)
    };
    let waived = |text: String| text.replace("[[set]]", "waive = [{ check = \"gap\", why = \"no fields\" }]\n[[set]]");
    check_refused(
        &segments(1000),
        "",
        "T012",
        &["tile `t`: has 1000 segments; a tile has room for 32", "tiles.toml:3"],
    );
    let loaded = load(&waived(segments(32)), "").or_else(|_| load(&segments(32), "")).expect("as many as there may be");
    let (mut game, mut host) = begin(&loaded, &["heap:t", "straight"]);
    choose(&mut game, &mut host, "place t 0,1 r0");
    assert!(game.state().features().count() > 32);
    let tile = TILE.replace("SEGMENTS", "");
    let copies = |count: u32| tile.replace("t = 1", &format!("t = {count}"));
    check_refused(&copies(65535), "", "D008", &["more than 20000 tiles"]);
    check_refused(&(copies(65535) + "[[set]]\nid = \"s2\"\ncounts = { t = 65535 }\n"), "", "D008", &["20000 tiles"]);
    let piles: String = (0..300)
        .map(|number| format!("[[set]]\nid = \"s{number}\"\npile = \"p{number}\"\ncounts = {{ t = 1 }}\n"))
        .collect();
    check_refused(&(tile.replace("\"s\"", "\"own\"") + &piles), "", "D008", &["more than 255 piles"]);
}

#[test]
fn a_turn_does_not_go_on_for_ever() {
    let asking = "rules.react \"first\" { on = \"placed\", run = function() rules.ask { to = \"again\" } end }\n\
                  rules.resolve \"again\" { options = { words = { \"yes\", \"no\" } }, run = function() rules.ask { to = \"again\" } end }";
    let offering = "rules.offer \"again\" { at = \"action\", must = true, spends = false, options = \"players\", run = function() end }";
    for script in [asking, offering] {
        let loaded = load(&TILE.replace("SEGMENTS", ""), script).unwrap_or_else(|problems| panic!("{}", problems[0]));
        let (mut game, mut host) = begin(&loaded, &["straight", "end", "end"]);
        let error = (0..1100).find_map(|_| {
            let action = game.legal_actions()[0];
            game.apply(action, &mut host).err()
        });
        let text = error.expect("an end").to_string();
        assert!(text.contains("1000 decisions and still waits for"), "{text}");
        assert_eq!(game.answers().len(), 1000);
        assert!(game.undo(&mut host).is_ok());
    }
}

/// As much as scripts can ask for, again and again.
const GREEDY: &str = r#"
local most = 2147483647
rules.token "coin" {}
rules.items "rich" { of = "path", unit = 1000000, count = function() return most end }
rules.items "poor" { of = "path", unit = -1000000, tag = "debt", count = function() return most end }
rules.rate "r1" { of = "path", times = { 100, 99 } }
rules.rate "r2" { of = "path", times = { 97, 98 }, plus = 1000000 }
rules.rate "r3" { of = "path", times = { 89, 83 }, round = "up" }
rules.rate "r4" { of = "path", times = 100 }
rules.items "strong" { of = "strength", unit = 1000000, count = function() return most end }
rules.award "more" { at = "score", figure = "peon", to = "owner", points = 1000000, items = function(figure, out)
  out:worth()
  out:add("much", most, most)
  out:add("less", -most, most)
end }
rules.react "gain" { on = "placed", emits = { "pay", "put" }, run = function(e)
  for sign = -1, 1, 2 do
    rules.emit("pay", { player = e.player, points = sign * most })
    rules.emit("put", { token = "coin", amount = sign * most, to = e.player })
  end
  for _ = 1, 3 do rules.emit("pay", { player = e.player, points = most, cause = "scored" }) end
  rules.emit("put", { token = "coin", amount = most, to = e.player })
end }
"#;

#[test]
fn numbers_that_no_number_can_hold_are_cut_off() {
    let loaded = load(&TILE.replace("SEGMENTS", ""), GREEDY).unwrap_or_else(|problems| panic!("{}", problems[0]));
    let stack = ["end", "straight", "end", "end", "straight", "cap"];
    let last = |game: &trencavel_rules::Game| game.legal_actions().len().checked_sub(1);
    amnesia(&loaded, &common::setup(&loaded, &stack), 40, last).expect("no failure");
    let (mut game, mut host) = begin(&loaded, &stack);
    while let Some(action) = game.legal_actions().last().copied() {
        game.apply(action, &mut host).expect("an offered action");
    }
    let lines = game.state().lines().iter();
    let words: Vec<String> =
        lines.map(|line| trencavel_rules::ledger::words(game.rules(), game.state(), line)).collect();
    assert!(words.iter().any(|line| line.contains("2147483647")), "{words:?}");
}
