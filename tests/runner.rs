//! The runner of scenarios: what it accepts, and what it says when something is not as it should be.

use trencavel_play::scenario;
use trencavel_tests::loading::loader;

/// A scenario that must come out as it says.
fn check_passes(text: &str) {
    if let Err(failure) = scenario::run("test.toml", &format!("title = \"T-1\"\n{text}"), &loader) {
        panic!("{failure}");
    }
}

/// A scenario that must fail with all of these words.
fn check_fails(text: &str, words: &[&str]) {
    let outcome = scenario::run("test.toml", &format!("title = \"T-1\"\n{text}"), &loader);
    let failure = outcome.expect_err("it must fail").to_string();
    words.iter().for_each(|word| assert!(failure.contains(word), "`{word}` is not in:\n{failure}"));
}

#[test]
fn unknown_keys_are_refused_with_the_nearest() {
    check_fails("expects = []", &["unknown key `expects`; did you mean `expect`?"]);
    check_fails("play = [1]\nexpect = [\"game over\"]", &["`play` must be a list"]);
    check_fails("", &["nothing is expected"]);
    check_fails("expect = [\"decider A\"]\nstack = [\"citi-cap\"]", &["did you mean `city-cap`?"]);
    check_fails("expect = [\"decider A\"]\noptions = { \"base.tiny\" = 2 }", &["tiny"]);
}

#[test]
fn differences_are_told_line_by_line_above_the_board() {
    let play = "play = [\"A: place city-cap 0,-1 r180; deploy follower city\"]";
    check_fails(
        &format!("{play}\nexpect = [\"A scores 5 (city)\", \"A supply follower 6\", \"0,0 city is open\"]"),
        &["the ledger says city 2 tiles × 2 = 4", "it is 7", "it is completed", "0,-1 city-cap r180", "test.toml"],
    );
    check_fails("expect = [\"nice game\"]", &["no such sentence"]);
    check_fails("stack = [\"road\"]\noffered = [\"place 0,0 r0\"]", &["core:taken", "offered: A: place road"]);
    check_fails("stack = [\"road\"]\nrefused = [\"place 1,0 r0\"]", &["it is offered"]);
    check_fails("stack = [\"road\"]\nrefused = [\"place 0,0 r0 by core:mismatch\"]", &["not by core:mismatch"]);
    check_fails("stack = [\"road\"]\nrefused = [\"plaze 0,0 r0\"]", &["is not an action"]);
    check_fails("play = [\"B: place road 1,0 r0\"]\nexpect = [\"decider A\"]", &["play 1", "A decides here"]);
    check_fails("expect = [\"decider A\"]\nevents = [\"returned follower ×2\"]", &["it happened 0 times"]);
    check_fails("expect = [\"decider A\"]\nevents = [\"retourned\"]", &["retourned"]);
    check_fails("start = [\"road 0,0 r0\"]\nboard = [\"road 1,0 r90\"]\nexpect = [\"decider A\"]", &["does not fit"]);
    check_fails("figures = [\"A follower 0,0 roof\"]\nexpect = [\"decider A\"]", &["no such segment"]);
}

#[test]
fn forced_steps_may_be_written_or_left_out() {
    // The only space for it, in the only way that looks different.
    let board = "start = [\"road 0,0 r90\"]\nboard = [\"monastery 1,0 r0\", \"monastery -1,0 r0\"]\n";
    let stack = "stack = [\"road\", \"road-crossing\", \"road\"]\n";
    let text = format!("{board}{stack}play = [\"A: place road 0,1 r90; pass\"]\nexpect = [\"decider B\"]");
    check_passes(&text);
    check_passes(
        "options = { base.followers = 0 }\nplay = [\"A: place road 1,0 r0; pass\", \"B: place road 2,0 r0\"]\n\
         expect = [\"decider A\", \"A supply follower 0\"]",
    );
}

#[test]
fn every_key_does_something() {
    check_passes(
        "players = [\"Ann\", \"Bob\", \"Cem\"]\nfirst = \"C\"\nscores = [5, 0, 2]\nseed = 4\n\
         figures = [\"B follower 0,0 road\", \"B follower 0,0 field-south\"]\n\
         expect = [\"decider C\", \"A has 5 points\", \"C has 2 points\", \"B supply follower 5\", \"pile 70\",\n\
         \"figures on 0,0 road: B follower\", \"figures on 0,0: B follower, B follower\", \"waits for core:place\"]",
    );
    check_passes("board = [\"road 1,0 r0\"]\nstack = [\"road\"]\nexpect = [\"hand road\", \"1,0 is tile road r0\"]");
    check_passes("stack = [\"road\"]\nrefused = [{ action = \"place 0,0 r0\", by = \"core:taken\" }]");
    check_passes("final = true\nplay = [\"A: place road 1,0 r0; deploy follower road\"]\nexpect = [\"A scores 2\"]");
    check_fails("final = true\nstack = [\"road\", \"road\"]\nexpect = [\"game over\"]", &["waits for core:place"]);
}
