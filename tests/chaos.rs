//! Rules that nobody would write: scripts thrown together from everything there is to declare and to emit. They load or
//! are refused, their hooks may fail, and whatever they do, the engine keeps its promises.
//!
//! `FUZZ_SECONDS=600 cargo test -p trencavel-tests --test chaos --release` goes on for so long.

use std::fs;
use std::path::PathBuf;

use trencavel_host::library::Library;
use trencavel_host::resolve::Request;
use trencavel_host::{Loaded, codes, load};
use trencavel_play::contract::{Care, Contract, Rule};
use trencavel_tests::dice::Dice;
use trencavel_tests::fuzzing::campaign;
use trencavel_tests::loading::{BASE, players};

/// Decisions of each game.
const DECISIONS: usize = 40;

const MANIFEST: &str =
    "id = \"chaos\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Chaos\"\nrequires = { base = \"1\" }\n";

/// What every script begins with: things to play with, and ways to find some.
const HEAD: &str = r#"
rules.token "coin" { per_player = 2 }
rules.neutral "beast" { walk = { steps = 3 } }
rules.neutral "cart" {}
rules.figure "guard" { per_player = 2, class = "special", seats = { "road", "city" } }
rules.mark "lamp" { on = "road" }
rules.query "any" { any = { { class = "follower" }, { figure = "guard" } } }
local function number(k) return k + rules.score(1) + rules.players + rules.count("coin", rules.decider) end
local function nth(k, each)
  local list = {}
  local one = each()
  while one do
    list[#list + 1] = one
    one = each()
  end
  return list[#list > 0 and k % #list + 1 or 1]
end
local function figure(k) return nth(k, rules.figures()) end
local function tile(k) return nth(k, rules.tiles()) end
local function segment(k) local on = tile(k) return on and nth(k, on:segments()) end
local function space(k) local on = tile(k) return on and { x = on.x + k % 3 - 1, y = on.y + k % 2 } end
local function emit(verb, fields)
  for _, value in pairs(fields) do if value == "none" then return end end
  rules.emit(verb, fields)
end
"#;

const EVENTS: [&str; 15] = [
    "placed",
    "extended",
    "joined",
    "changed",
    "deployed",
    "moved",
    "tokens",
    "returned",
    "captured",
    "discarded",
    "completed",
    "scored",
    "paid",
    "appeared",
    "entered",
];
const VERBS: [&str; 18] = [
    "place", "deploy", "move", "put", "return", "capture", "release", "discard", "complete", "score", "pay", "appear",
    "enter", "eat", "retreat", "rest", "queue", "finish",
];
const STEPS: [&str; 7] = ["place", "after_place", "action", "extra", "after_action", "score", "part_end"];
const WHERES: [&str; 10] = [
    "",
    "",
    "",
    "where = { feature = { kind = \"road\" } }, ",
    "where = { feature = { open = true, has = { class = \"follower\" } } }, ",
    "unless = { tile = { mark = \"lamp\" } }, ",
    "where = { feature = { open = false } }, ",
    "where = { any = { { role = \"knight\" }, { role = \"robber\" } } }, ",
    "unless = { feature = \"city\" }, ",
    "where = { figure = { has = { neutral = \"beast\" } } }, ",
];
const OPTIONS: [&str; 8] = [
    "options = \"players\"",
    "options = { figures = \"any\" }",
    "options = { figures = { owner = \"own\" } }",
    "options = { tiles = {} }",
    "options = { segments = {} }",
    "options = { words = { \"yes\", \"no\" } }",
    "options = { from = 1, to = 3 }",
    "options = function(o) for one in rules.figures() do o:add(one) end o:add(number(1)) end",
];
const REFUSALS: [&str; 3] = ["occupied", "base:occupied", "core:not_this_tile"];

fn of<'a>(list: &[&'a str], dice: &mut Dice) -> &'a str {
    dice.pick(list).expect("the list is not empty")
}

/// `rules.emit` of a verb with whatever may be there.
fn emitted(verb: &str, dice: &mut Dice) -> String {
    let k = dice.below(20);
    let fields = match verb {
        "place" => format!("def = \"base:city-cap\", at = space({k}) or \"none\", rotation = {}", dice.below(4)),
        "deploy" if dice.below(2) == 0 => format!("kind = \"guard\", to = segment({k}) or \"none\""),
        "deploy" => format!("kind = \"follower\", to = segment({k}) or \"none\", player = 1 + {k} % rules.players"),
        "move" => format!("figure = figure({k}) or \"none\", to = segment({}) or \"none\"", dice.below(20)),
        "put" => {
            let to = of(&["1", "tile(3)", "nil", "rules.players"], dice);
            format!("token = \"coin\", amount = {}, to = {to}", k as i32 - 5)
        }
        "complete" | "score" => format!("feature = (segment({k}) or {{ feature = \"none\" }}).feature"),
        "pay" => format!("player = 1, points = {}", k as i32 - 8),
        "appear" | "enter" | "retreat" => {
            format!("neutral = \"{}\", to = tile({k}) or \"none\"", of(&["beast", "cart"], dice))
        }
        "rest" => format!("neutral = \"{}\"", of(&["beast", "cart"], dice)),
        "queue" => of(&["step = \"extra\"", "now = true", "", "amount = 2"], dice).to_owned(),
        "finish" => String::new(),
        _ => format!("figure = figure({k}) or \"none\""),
    };
    format!("emit(\"{verb}\", {{ {fields} }})")
}

/// `emits` and `run` of a hook that acts.
fn acting(dice: &mut Dice) -> String {
    let (mut body, mut verbs) = (String::new(), Vec::new());
    for _ in 0..=dice.below(3) {
        let verb = of(&VERBS, dice);
        let (every, rest) = (1 + dice.below(6), dice.below(6));
        let act = emitted(verb, dice);
        body += &format!("  if number({}) % {every} == {} then {act} end\n", dice.below(9), rest % every);
        verbs.push(format!("\"{verb}\""));
    }
    if dice.below(5) == 0 {
        body += &format!("  if number({}) % 3 == 0 then rules.ask {{ to = \"asked\" }} end\n", dice.below(9));
    }
    format!("emits = {{ {} }}, run = function()\n{body}end", verbs.join(", "))
}

fn declaration(number: usize, dice: &mut Dice) -> String {
    let (id, wh) = (format!("d{number}"), of(&WHERES, dice));
    let run = acting(dice);
    match dice.below(14) {
        0..=3 => format!("rules.react \"{id}\" {{ on = \"{}\", {wh}{run} }}\n", of(&EVENTS, dice)),
        4 => format!("rules.react \"{id}\" {{ on = \"{}\", each = false, {run} }}\n", of(&EVENTS, dice)),
        5 => format!(
            "rules.step \"{id}\" {{ {} = \"core:{}\", {run} }}\n",
            of(&["after", "before"], dice),
            of(&STEPS, dice)
        ),
        6 | 7 => {
            let at = of(&["action", "extra", "own_turn", "after_place"], dice);
            let more = of(
                &["", "spends = false, once = \"turn\", ", "once = \"part\", ", "must = true, once = \"turn\", "],
                dice,
            );
            format!("rules.offer \"{id}\" {{ at = \"{at}\", {more}{}, {run} }}\n", of(&OPTIONS, dice))
        }
        8 => {
            let when = format!("if number({}) % {} == 0 then i:cancel() end", dice.below(5), 1 + dice.below(3));
            format!("rules.replace \"{id}\" {{ on = \"{}\", {wh}run = function(i) {when} end }}\n", of(&VERBS, dice))
        }
        9 => {
            let test = of(
                &[
                    "",
                    "test = function(c) return number(c.player or 0) % 3 == 0 end, say = function() return \"no\" end",
                    "stops = \"offers\"",
                ],
                dice,
            );
            format!("rules.forbid \"{id}\" {{ on = \"{}\", {wh}{test} }}\n", of(&VERBS, dice))
        }
        10 => format!(
            "rules.waive \"{}\" {{ on = \"{}\", {wh} }}\n",
            of(&REFUSALS, dice),
            of(&["deploy", "place", "move"], dice)
        ),
        11 => {
            let count = of(
                &[
                    "\"tiles\"",
                    "function(f, p) return number(p) % 4 end",
                    "{ mark = \"lamp\" }",
                    "{ figures = \"any\" }",
                ],
                dice,
            );
            let to = of(&["road", "city", "strength", "monastery"], dice);
            format!(
                "rules.items \"{id}\" {{ of = \"{to}\", unit = {}, {wh}count = {count} }}\n",
                dice.below(5) as i32 - 1
            )
        }
        12 => {
            let kind = of(&["rate \"ID\" { times = { 1, 2 }, ", "void \"ID\" { ", "cap \"ID\" { max = 5, "], dice);
            format!("rules.{}of = \"{}\", {wh} }}\n", kind.replace("ID", &id), of(&["road", "city"], dice))
        }
        _ => format!(
            "rules.award \"{id}\" {{ at = \"{}\", figure = \"{}\", to = \"owner\", points = 1, {wh}\
             items = function(f, out) out:add(\"x\", number(1) % 3, 1) end }}\n",
            of(&["score", "part_end", "final", "after_place"], dice),
            of(&["follower", "guard"], dice)
        ),
    }
}

fn script(dice: &mut Dice) -> String {
    let mut text = HEAD.to_owned();
    text += &format!("rules.resolve \"asked\" {{ {}, {} }}\n", of(&OPTIONS, dice), acting(dice));
    let count = 1 + dice.below(6);
    (0..count).for_each(|number| text += &declaration(number, dice));
    text
}

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn rules_that_nobody_would_write_break_nothing() {
    let folder = Folder(std::env::temp_dir().join(format!("trencavel-chaos-{}", std::process::id())));
    // A run that was killed may have left one of this name behind.
    let _ = fs::remove_dir_all(&folder.0);
    fs::create_dir_all(&folder.0).expect("a place to write");
    fs::write(folder.0.join("expansion.toml"), MANIFEST).expect("a place to write");
    let (mut refused, mut failed, mut whole) = (0, 0, 0);
    campaign("rules", 400, |dice| {
        let text = script(dice);
        fs::write(folder.0.join("rules.lua"), &text).expect("a place to write");
        let library = Library::new(std::slice::from_ref(&folder.0), &[], &[BASE.linked]);
        let mut request = Request::default();
        request.with("chaos");
        match load(&request, &library, &[BASE]) {
            Ok(loaded) => match play(&loaded, dice, &text) {
                true => whole += 1,
                false => failed += 1,
            },
            Err(problems) => {
                refused += 1;
                for problem in &problems {
                    assert!(codes().any(|(code, _)| code == problem.code), "{problem}");
                }
            }
        }
    });
    let all = refused + failed + whole;
    assert!(whole > all / 5 && failed > 0 && refused > 0, "{refused} refused, {failed} failed, {whole} played");
}

/// Plays on until a hook fails; then the game is as before. True if none did.
fn play(loaded: &Loaded, dice: &mut Dice, text: &str) -> bool {
    let setup = players(2 + dice.below(3), dice.below(1000) as u64);
    let mut contract = match Contract::begin(loaded, &setup, 7) {
        Ok(contract) => contract,
        Err(broken) => {
            assert_eq!(broken.rule, Rule::Hooks, "{broken}\n{text}");
            return false;
        }
    };
    for decision in 0..DECISIONS {
        if contract.game().state().is_over() {
            contract.check_end().unwrap_or_else(|broken| assert_eq!(broken.rule, Rule::Hooks, "{broken}\n{text}"));
            return true;
        }
        let care = if decision % 4 == 0 { Care::Thorough } else { Care::Quick };
        let before = (contract.game().state().digest(), contract.game().legal_actions().to_vec());
        let done = contract.check_decision(care).and_then(|()| {
            let action = contract.pick().expect("something is offered");
            contract.apply(action, care)
        });
        if let Err(broken) = done {
            assert_eq!(broken.rule, Rule::Hooks, "{broken}\n{text}");
            let after = (contract.game().state().digest(), contract.game().legal_actions().to_vec());
            assert_eq!(after, before, "{broken}\n{text}");
            return false;
        }
    }
    true
}
