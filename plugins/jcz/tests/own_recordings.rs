//! Recordings written here, played with the base game; and what comes of damaged ones.

mod support;

use trencavel_jcz::check::ScoreTable;
use trencavel_jcz::conformance::{FileReport, Verdict, run_text};
use trencavel_jcz::random::Random;
use trencavel_jcz::table::Table;

/// A recording of one player: messages and sentences as JSON lists, and the rest of what is drawn.
fn recording(draws: &str, messages: &str, sentences: &str) -> String {
    format!(
        r#"{{"setup":{{"sets":{{"basic:1":1}},"elements":{{"small-follower":7,"farmers":true}},"rules":{{}},
        "start":[{{"tile":"BA/RCr","x":0,"y":0,"rotation":0}}]}},"players":[{{"name":"Ann"}}],
        "replay":{messages},"gameAnnotations":{{"drawOrder":{draws}}},"test":{{"assertions":{sentences}}}}}"#
    )
}

const CLOSE_A_CITY: &str = r#"[
    {"type":"PLACE_TILE","payload":{"tileId":"BA/C","rotation":"R180","position":[0,-1]}},
    {"type":"DEPLOY_MEEPLE","payload":{"pointer":{"position":[0,-1],"feature":"City","location":"S"},
        "meepleId":"0.small.1"}},
    {"type":"COMMIT","payload":{"random":0.5}}]"#;

fn run(text: &str) -> FileReport {
    run_text(&Table::load().expect("the table"), "own.jcz", text, None, &mut |request| support::ruleset(request))
}

fn check_ok(text: &str) {
    let report = run(text);
    assert_eq!(report.verdict, Verdict::Ok, "{}", report.line());
}

#[test]
fn sentences_are_checked_after_the_last_message() {
    let sentences = r#"["Ann has 4 points.", "Ann scored city for 4 points", "Phase is TilePhase", "Player can't pass",
        "Undo is not allowed", "Available action TilePlacement for BA/L",
        "TilePlacement BA/L options: ALL"]"#;
    let all = ["[0,-2]", "[-1,-1]", "[1,-1]", "[0,1]"].map(|space| format!("{space} - [0,90,180,270]")).join("; ");
    check_ok(&recording(r#"["BA/C","BA/L"]"#, CLOSE_A_CITY, &sentences.replace("ALL", &all)));
}

#[test]
fn before_commit_nothing_is_scored() {
    let open = CLOSE_A_CITY.replace(",\n    {\"type\":\"COMMIT\",\"payload\":{\"random\":0.5}}", "");
    let sentences = r#"["Ann has 0 points", "Phase is CommitActionPhase", "Undo is allowed"]"#;
    check_ok(&recording(r#"["BA/C","BA/L"]"#, &open, sentences));
}

#[test]
fn a_failure_shows_the_table() {
    let report = run(&recording(r#"["BA/C","BA/L"]"#, CLOSE_A_CITY, r#"["Ann has 5 points."]"#));
    let text = report.text();
    assert_eq!(report.verdict, Verdict::Fail);
    assert!(text.starts_with("FAIL own.jcz: "), "{text}");
    assert!(text.contains("expected 5, got 4\n    0,0 base:city-cap-road r0\n    0,-1 base:city-cap r180"), "{text}");
}

#[test]
fn a_message_is_taken_back() {
    let messages = r#"[
        {"type":"PLACE_TILE","payload":{"tileId":"BA/L","rotation":"R90","position":[0,1]}},
        {"type":"PASS","payload":{}}, {"type":"UNDO","payload":{}}]"#;
    let options = "{Monastery,I,[0,1]}; {Field,NL.NR.EL.ER.SL.SR.WL.WR,[0,1]}";
    let sentences = r#"["Phase is ActionPhase", "Player can pass", "Meeple SmallFollower options: OPTIONS"]"#;
    let sentences = &sentences.replace("OPTIONS", options);
    check_ok(&recording(r#"["BA/L","BA/C"]"#, messages, sentences));
}

fn place(code: &str, turn: u32, x: i32, y: i32) -> String {
    let payload = format!(r#"{{"tileId":"{code}","rotation":"R{turn}","position":[{x},{y}]}}"#);
    format!(r#"{{"type":"PLACE_TILE","payload":{payload}}}"#)
}

fn pointer(feature: &str, location: &str, x: i32, y: i32) -> String {
    format!(r#"{{"position":[{x},{y}],"feature":"{feature}","location":"{location}"}}"#)
}

fn deploy(figure: &str, pointer: &str) -> String {
    format!(r#"{{"type":"DEPLOY_MEEPLE","payload":{{"pointer":{pointer},"meepleId":"{figure}"}}}}"#)
}

fn take(source: &str, figure: &str, pointer: &str) -> String {
    let pointer = format!(r#"{{"featurePointer":{pointer},"meepleId":"{figure}"}}"#);
    format!(r#"{{"type":"RETURN_MEEPLE","payload":{{"pointer":{pointer},"source":"{source}"}}}}"#)
}

fn circle(value: &str) -> String {
    format!(r#"{{"type":"CIRCLE_REMOVE_OR_DEPLOY","payload":{{"value":"{value}"}}}}"#)
}

fn pass() -> String {
    r#"{"type":"PASS","payload":{}}"#.to_owned()
}

fn commit() -> String {
    r#"{"type":"COMMIT","payload":{"random":0.5}}"#.to_owned()
}

/// A recording of Ann and Bob: sets and elements beyond the base game and rules as JSON pairs.
fn check_two(sets: &str, elements: &str, rules: &str, draws: &[&str], messages: &[String], sentences: &[&str]) {
    let draws: Vec<String> = draws.iter().map(|code| format!("{code:?}")).collect();
    let text =
        recording(&format!("[{}]", draws.join(",")), &format!("[{}]", messages.join(",")), &format!("{sentences:?}"));
    let text = text.replace(r#""basic:1":1"#, sets).replace(r#""farmers":true"#, elements);
    let text = text.replace(r#""rules":{}"#, &format!(r#""rules":{{{rules}}}"#));
    check_ok(&text.replace(r#"{"name":"Ann"}"#, r#"{"name":"Ann"},{"name":"Bob"}"#));
}

/// Ann on an open city of a tile with a circle for cities, then what follows.
fn check_circle(after: &[String], sentences: &[&str]) {
    let mut messages =
        vec![place("CC.1/CC.2", 180, 0, -1), deploy("0.small.1", &pointer("City", "W", 0, -1)), commit()];
    messages.extend_from_slice(after);
    let sets = r#""basic:1":1,"corn-circles/1":1"#;
    check_two(sets, r#""big-follower":1"#, "", &["CC.1/CC.2", "BA/L"], &messages, sentences);
}

#[test]
fn a_circle_adds_figures() {
    let west = pointer("City", "W", 0, -1);
    check_circle(&[], &["Phase is CornCirclePhase", "Player can't pass"]);
    let options = ["Phase is CornCirclePhase", "Player can pass", "Meeple SmallFollower options: {City,W,[0,-1]}"];
    check_circle(&[circle("DEPLOY")], &options);
    check_circle(&[circle("DEPLOY"), deploy("0.big.1", &west)], &["Phase is CornCirclePhase", "Player can't pass"]);
    check_circle(&[circle("DEPLOY"), deploy("0.big.1", &west), commit()], &["Available action TilePlacement for BA/L"]);
    check_circle(&[circle("DEPLOY"), pass()], &["Phase is TilePhase"]);
}

#[test]
fn a_circle_takes_figures() {
    let options = ["Player can't pass", "ReturnMeeple CORN_CIRCLE options: {0.small.1,City,W,[0,-1]}"];
    check_circle(&[circle("REMOVE")], &options);
    let taken = take("CORN_CIRCLE", "0.small.1", &pointer("City", "W", 0, -1));
    check_circle(&[circle("REMOVE"), taken.clone()], &["Phase is CornCirclePhase"]);
    let end = [circle("REMOVE"), taken, commit(), place("BA/L", 0, 0, 1)];
    check_circle(&end, &["Phase is ActionPhase", "Available action Meeple for SmallFollower"]);
}

#[test]
fn a_circle_without_figures_is_not_asked() {
    let messages = [place("CC.1/CC.2", 180, 0, -1), pass(), commit()];
    let sets = r#""basic:1":1,"corn-circles/1":1"#;
    check_two(sets, r#""farmers":true"#, "", &["CC.1/CC.2", "BA/L"], &messages, &["Phase is TilePhase"]);
}

const KING: (&str, &str) = (r#""basic:1":1,"king-and-robber:1":1"#, r#""king":true,"robber":true"#);

#[test]
fn the_king_is_paid_while_he_reigns() {
    let close = |x| [place("BA/C", 180, x, -1), pass(), commit()];
    let next = [place("BA/RCr", 0, 1, 0), pass(), commit()];
    let messages = [close(0), next.clone(), close(1), next.map(|message| message.replace("[1,0]", "[2,0]"))].concat();
    let rule = r#""king-and-robber-scoring":"continuously""#;
    let paid = ["Ann has 1 point", "Bob has 0 points", "Ann scored king for 1 point"];
    let held =
        ["Ann has KING token with count 1", "Bob has KING token with count 0", "Ann has ROBBER token with size 0"];
    let sentences = [paid, held].concat();
    check_two(KING.0, KING.1, rule, &["BA/C", "BA/RCr", "BA/C", "BA/RCr", "BA/L"], &messages, &sentences);
}

#[test]
fn an_abbot_comes_home() {
    let abbey = pointer("Monastery", "I", 0, 1);
    let messages = [
        place("BA/L", 0, 0, 1),
        deploy("0.abbot.1", &abbey),
        commit(),
        place("BA/L", 0, 1, 1),
        pass(),
        commit(),
        place("BA/L", 0, -1, 1),
        take("ABBOT_RETURN", "0.abbot.1", &abbey),
        commit(),
    ];
    let elements = r#""abbot":1,"garden":true"#;
    let sentences = ["Ann has 4 points", "Ann scored monastery for 4 points", "Phase is TilePhase"];
    let open = ["Ann has 4 points", "Ann scored monastery for 4 points", "Phase is CommitActionPhase"];
    let draws = ["BA/L", "BA/L", "BA/L", "BA/C"];
    check_two(r#""basic:2":1"#, elements, "", &draws, &messages[..8], &open);
    check_two(r#""basic:2":1"#, elements, "", &draws, &messages, &sentences);
}

#[test]
fn several_figures_of_a_kind_are_counted() {
    let messages = [place("BA/C", 180, 0, -1), deploy("0.wagon.1", &pointer("City", "S", 0, -1)), commit()];
    let sentences = ["Ann has 4 points"];
    let elements = r#""wagon":2,"mayor":2,"abbey":1"#;
    check_two(r#""basic:1":1"#, elements, "", &["BA/C", "BA/L"], &messages, &sentences);
    let elements = r#""wagon":1,"phantom":0,"big-follower":0"#;
    check_two(r#""basic:1":1"#, elements, "", &["BA/C", "BA/L"], &messages, &sentences);
}

#[test]
fn what_differs_is_told_in_one_line() {
    let report = run(&recording(r#"["BA/C"]"#, CLOSE_A_CITY, r#"["Ann has 5 points"]"#));
    assert_eq!(report.line(), "FAIL own.jcz: Ann has 5 points, expected 5, got 4");
    assert!(report.board.iter().any(|line| line.starts_with("0,-1 ")), "{:?}", report.board);
}

#[test]
fn score_entries_are_compared_one_by_one() {
    let text = recording(r#"["BA/C"]"#, CLOSE_A_CITY, "[]");
    let table = Table::load().expect("the table");
    let scores = ScoreTable::parse("head\nown.jcz\t2\tAnn\tcity\t6\t0\n").expect("a table");
    let report = run_text(&table, "own.jcz", &text, Some(&scores), &mut |request| support::ruleset(request));
    let line = report.line();
    assert!(line.contains("expected after message 2: Ann city 6, got after message 1: Ann city 4"), "{line}");
}

#[test]
fn what_we_have_not_is_named() {
    let text = recording("[]", "[]", "[]");
    let check =
        |text: String, expected: &str| assert_eq!(run(&text).line(), format!("unsupported own.jcz: {expected}"));
    check(text.replace("basic:1", "no-such-set"), "set no-such-set");
    check(text.replace("\"farmers\"", "\"no-such-element\""), "element no-such-element");
    check(text.replace("BA/RCr", "XX/Y"), "tile XX/Y");
    check(text.replace("\"rules\":{}", "\"rules\":{\"no-such-rule\":\"x\"}"), "rule no-such-rule");
    check(recording("[]", r#"[{"type":"BAZAAR_BID"}]"#, "[]"), "message BAZAAR_BID");
}

/// Every option that the table can set is one of an expansion that is here, and takes the value.
#[test]
fn the_table_sets_only_options_that_exist() {
    let table = Table::load().expect("the table");
    let mut wrong = Vec::new();
    for (option, value) in table.options() {
        let Some((id, _)) = option.split_once('.') else { panic!("`{option}` names no expansion") };
        let mut request = trencavel_jcz::request::Request::default();
        request.expansions.insert(id.to_owned(), true);
        request.options.insert(option.to_owned(), value.to_owned());
        match support::ruleset(&request) {
            Err(error) if error.to_string().contains("option") => wrong.push(format!("{option}={value}: {error}")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A damaged copy: a few bytes changed, dropped, doubled or exchanged for something that JSON knows.
fn damaged(text: &str, random: &mut Random) -> String {
    const BITS: [&str; 14] =
        ["null", "-1", "1e99", "\"\"", "[]", "{}", "99999", "R45", "I", "N.W", "0.x.1", "é", "\u{0}", "\"BA/L\""];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len() as u32) as usize;
        let end = (at + random.below(12) as usize).min(bytes.len());
        match random.below(4) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes[at] = b"0\"{}[],:SNEW"[random.below(12) as usize],
            2 => drop(bytes.splice(at..end, BITS[random.below(14) as usize].bytes())),
            _ => {
                let piece = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, piece));
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Damaged copies of the normal run; `FUZZ_SECONDS=600` goes on for so long.
const CASES: u32 = 2000;
/// Its multiples are spread evenly between 0 and 1, however many there are.
const GOLDEN: f64 = 0.618_033_988_749_895;

#[test]
fn damage_never_panics_and_is_told_in_one_line() {
    let text = recording(r#"["BA/C","BA/L"]"#, CLOSE_A_CITY, r#"["Ann has 4 points", "Phase is TilePhase"]"#);
    let table = Table::load().expect("the table");
    let (rules, _) =
        support::ruleset(&table.request(&trencavel_jcz::file::Recording::parse(&text).expect("ours")).expect("known"))
            .expect("rules");
    let mut verdicts = [0; 3];
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let end = seconds.map(|seconds| std::time::Instant::now() + std::time::Duration::from_secs(seconds));
    let goes_on = |case: &u32| *case < CASES || end.is_some_and(|end| std::time::Instant::now() < end);
    for case in (0..).take_while(goes_on) {
        let mut random = Random::new((f64::from(case) * GOLDEN).fract());
        let damaged = damaged(&text, &mut random);
        let mut load = |_: &trencavel_jcz::request::Request| {
            let scripts: Box<dyn trencavel_rules::hooks::Scripts> = Box::new(trencavel_rules::hooks::NoScripts);
            Ok((rules.clone(), scripts))
        };
        let report = run_text(&table, "damaged.jcz", &damaged, None, &mut load);
        assert!(!report.line().contains('\n'), "{}", report.line());
        verdicts[report.verdict as usize] += 1;
    }
    assert!(verdicts.iter().all(|count| *count > 0), "{verdicts:?}");
}
