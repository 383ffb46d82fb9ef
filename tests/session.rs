//! The table that page and terminal stand on: decisions with reasons, the tree of answers, saves, new rules in mid-game.

use std::thread::{self, JoinHandle};

use trencavel_host::library::{Bundle, Library};
use trencavel_host::resolve::Request;
use trencavel_host::{Loaded, load};
use trencavel_play::bots::Bot;
use trencavel_play::dice::Dice;
use trencavel_play::session::choices::{Choice, ChoiceKind};
use trencavel_play::session::{Session, SessionError, Sitter, Thinking, Thought, Tree, odds};
use trencavel_rules::ids::PlayerId;
use trencavel_rules::save::Replay;
use trencavel_tests::loading::{BASE, rules_of};

const MIX: &[&str] = &["constable", "princess-and-dragon", "the-tower", "abbey-and-mayor"];

fn opening(seed: u64) -> Replay {
    Replay { players: vec!["Ann".to_owned(), "Bob".to_owned()], seed, ..Replay::default() }
}

fn session(expansions: &[&str], seed: u64) -> Session {
    Session::begin(rules_of(expansions), opening(seed), Vec::new()).expect("a game")
}

/// Gives so many answers by chance, the same for the same seed.
fn play(session: &mut Session, seed: u64, answers: usize) {
    let mut dice = Dice::named(seed, "session");
    for _ in 0..answers {
        let decision = session.decision().expect("a decision");
        let offered: Vec<&Choice> = decision.choices.iter().filter(|choice| choice.is_offered()).collect();
        let Some(choice) = dice.pick(&offered) else { return };
        session.answer(&choice.notation).expect("what is offered is accepted");
    }
}

#[test]
fn choices_are_what_is_legal_and_every_other_one_has_a_named_reason() {
    let mut session = session(MIX, 5);
    let (mut kinds, mut refused) = (Vec::new(), Vec::new());
    for answer in 0..400 {
        let decision = session.decision().expect("a decision");
        let legal = session.game().legal_actions().to_vec();
        let offered: Vec<_> =
            decision.choices.iter().filter(|choice| choice.is_offered()).map(|choice| choice.action).collect();
        assert_eq!(offered, legal, "at decision {answer}");
        for choice in &decision.choices {
            kinds.push(choice.kind);
            refused.extend(choice.reasons.iter().map(|reason| reason.id.clone()));
            assert!(!choice.words.is_empty(), "{choice:?}");
        }
        if session.game().state().is_over() {
            break;
        }
        play(&mut session, answer, 1);
    }
    assert!(session.game().state().is_over(), "400 answers are enough for a game");
    for kind in [ChoiceKind::Place, ChoiceKind::Deploy, ChoiceKind::Offer, ChoiceKind::Answer, ChoiceKind::Pass] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
    for id in ["core:mismatch", "core:no_supply", "base:occupied", "constable:needs_robber"] {
        assert!(refused.iter().any(|found| found == id), "{id}");
    }
}

#[test]
fn a_refusal_says_whose_it_is_and_where_it_is_written() {
    let mut session = session(&["constable"], 7);
    loop {
        let decision = session.decision().expect("a decision");
        let reasons = decision.choices.iter().filter(|one| one.notation.starts_with("deploy constable "));
        let found = reasons.flat_map(|choice| &choice.reasons).find(|reason| reason.id == "constable:needs_robber");
        if let Some(reason) = found {
            assert_eq!(reason.expansion.as_deref(), Some("The Constable"));
            let (file, line) = reason.source.as_ref().expect("a place");
            assert!(file.ends_with("constable/rules.lua") && *line > 0, "{file}:{line}");
            return;
        }
        play(&mut session, 1, 1);
    }
}

#[test]
fn undo_redo_and_branches_lead_to_the_same_states() {
    let mut session = session(MIX, 3);
    let mut digests = vec![session.game().state().digest()];
    for answer in 0..60 {
        play(&mut session, answer, 1);
        digests.push(session.game().state().digest());
    }
    let (main, end) = (session.tree().path(session.cursor()), session.cursor());
    session.go_to(main[29]).expect("back");
    assert_eq!(session.game().state().digest(), digests[30]);
    let other = session.decision().expect("a decision").choices;
    let taken = session.tree().get(main[30]).expect("a node").answer.clone();
    let other = other.iter().find(|one| one.is_offered() && !taken.ends_with(&format!(": {}", one.notation)));
    session.answer(&other.expect("two options").notation).expect("offered");
    let branch = session.cursor();
    assert_eq!(session.tree().branches(main[30]).collect::<Vec<_>>(), [branch]);
    session.go_to(end).expect("into the other branch");
    assert_eq!(session.game().state().digest(), digests[60]);
    session.undo().expect("back");
    assert_eq!(session.game().state().digest(), digests[59]);
    session.redo().expect("forth");
    assert_eq!(session.game().state().digest(), digests[60]);
    session.go_to(Tree::ROOT).expect("the beginning");
    assert_eq!(session.game().state().digest(), digests[0]);
    assert_eq!(session.undo(), Err(SessionError::NothingThere));
}

#[test]
fn a_save_is_read_back_with_its_answers() {
    let mut session = session(MIX, 11);
    play(&mut session, 11, 80);
    let text = session.save().to_string();
    let (read, torn) = Replay::parse(&text).expect("a save");
    assert_eq!(torn, None);
    let again = Session::begin(session.loaded().clone(), read, Vec::new()).expect("the same game");
    assert_eq!(again.game().state().digest(), session.game().state().digest());
    assert_eq!(again.history(), session.history());
    let mut broken = session.save();
    broken.answers[3] = "A: deploy nobody nowhere".to_owned();
    let error = Session::begin(session.loaded().clone(), broken, Vec::new()).expect_err("an error").to_string();
    assert!(error.starts_with("answer 4, `A: deploy nobody nowhere`, cannot be given"), "{error}");
}

#[test]
fn bots_play_on_and_undo_goes_back_to_the_person() {
    let bob = PlayerId::from_index(1);
    let mut session = session(&["constable"], 2);
    session.sit(bob, Sitter::Bot(Bot::random(2, bob)));
    let digest = session.game().state().digest();
    assert!(!session.step_bot().expect("no failure"), "Ann is a person");
    while !session.is_bots_turn() {
        play(&mut session, 4, 1);
    }
    let persons = session.tree().path(session.cursor()).len();
    while session.step_bot().expect("no failure") {}
    assert!(session.tree().path(session.cursor()).len() > persons, "the bot answered");
    for _ in 0..persons {
        session.undo_to_person().expect("back");
    }
    assert_eq!(session.game().state().digest(), digest);
}

/// Has a bot think on a thread of its own.
fn elsewhere(thinking: Thinking) -> JoinHandle<Thought> {
    thread::spawn(move || {
        let mut scripts = thinking.scripts().expect("scripts");
        thinking.choose(&mut scripts)
    })
}

#[test]
fn a_bot_that_thinks_elsewhere_decides_what_it_would_decide_here() {
    for bot in ["random", "greedy", "mcts:5"] {
        let bot = Bot::by_name(bot, 3, PlayerId::from_index(0)).expect("a bot");
        let seat = |session: &mut Session| session.sit(PlayerId::from_index(0), Sitter::Bot(bot.clone()));
        let (mut here, mut there) = (session(MIX, 3), session(MIX, 3));
        seat(&mut here);
        seat(&mut there);
        for _ in 0..4 {
            let thinking = there.think().expect("a bot decides");
            let thought = elsewhere(thinking).join().expect("a thought");
            assert_eq!(there.settle(thought), here.step_bot());
            assert_eq!(there.game().state().digest(), here.game().state().digest());
            while !here.is_bots_turn() {
                play(&mut here, 3, 1);
                play(&mut there, 3, 1);
            }
        }
    }
}

#[test]
fn whatever_happens_meanwhile_ends_a_thought_that_then_counts_for_nothing() {
    let endless = Bot::by_name("mcts:4000000000", 3, PlayerId::from_index(0)).expect("a bot");
    let happens: [fn(&mut Session); 4] = [
        |session| session.sit(PlayerId::from_index(0), Sitter::Bot(Bot::greedy())),
        |session| session.undo_to_person().expect("an answer to take back"),
        |session| play(session, 3, 1),
        |session| session.reload(rules_of(&["constable"])).expect("the same rules"),
    ];
    for happen in happens {
        let mut session = session(&["constable"], 3);
        play(&mut session, 3, 2);
        while session.game().state().decider() != PlayerId::from_index(0) {
            play(&mut session, 3, 1);
        }
        session.sit(PlayerId::from_index(0), Sitter::Bot(endless.clone()));
        let thinking = session.think().expect("a bot decides");
        let thread = elsewhere(thinking);
        happen(&mut session);
        let before = session.save();
        // It would not come to an end by itself.
        let thought = thread.join().expect("a thought");
        assert_eq!(session.settle(thought), Ok(false));
        assert_eq!(session.save(), before);
    }
}

#[test]
fn a_thought_about_a_game_that_is_gone_ends() {
    let endless = Bot::by_name("mcts:4000000000", 3, PlayerId::from_index(0)).expect("a bot");
    let mut session = session(&[], 3);
    session.sit(PlayerId::from_index(0), Sitter::Bot(endless));
    let thinking = session.think().expect("a bot decides");
    let thread = elsewhere(thinking);
    drop(session);
    thread.join().expect("a thought");
}

#[test]
fn every_point_and_every_event_is_told_with_its_spaces() {
    let mut session = session(&["constable", "wells", "faerie"], 6);
    play(&mut session, 6, 1000);
    let state = session.game().state();
    let ledger = session.ledger();
    for player in (0..2).map(PlayerId::from_index) {
        let sum: i32 = ledger.iter().filter(|entry| entry.player == player).map(|entry| entry.points).sum();
        assert_eq!(sum, state.score(player));
    }
    assert!(ledger.iter().any(|entry| entry.spaces.len() > 2), "features have their spaces");
    let history = session.history();
    assert_eq!(history.len(), session.tree().path(session.cursor()).len() + 1);
    let told: Vec<_> = history.iter().flat_map(|told| &told.events).collect();
    assert_eq!(told.iter().filter(|event| event.words.contains(" scores ")).count(), ledger.len());
    assert!(told.iter().any(|event| event.because.as_deref().is_some_and(|why| why.contains("rules.lua:"))));
}

#[test]
fn odds_count_remaining_tiles_that_match_all_neighbours() {
    let mut session = session(&[], 8);
    play(&mut session, 8, 20);
    let game = session.game();
    let left = game.state().tiles_left();
    let total: usize = left.iter().map(|(_, count)| count).sum();
    assert_eq!(total, game.state().pile_len());
    let spaces = odds::open_spaces(game);
    assert_eq!(spaces.len(), game.state().open_spaces().count());
    assert!(spaces.iter().any(|space| space.fitting > 0 && space.fitting < total), "{spaces:?}");
    // The tile in hand fits exactly where it is offered.
    let hand = game.state().hand().expect("a tile in hand");
    let offered = session.decision().expect("a decision").choices;
    for space in session.game().state().open_spaces() {
        let here = offered.iter().any(|one| one.is_offered() && one.place.space == Some(space));
        assert_eq!(here, session.game().rules().fits(session.game().state(), hand, space), "{space}");
    }
}

const MANIFEST: &str = "id = \"fan\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Fan\"\nrequires = { base = \"1\" }\n";
const PLAIN: Bundle = &[("fan/expansion.toml", MANIFEST), ("fan/rules.lua", "rules.mark \"gate\" { on = \"road\" }\n")];
const PAYING: Bundle = &[
    ("fan/expansion.toml", MANIFEST),
    ("fan/rules.lua", "rules.items \"toll\" { of = \"road\", count = function() return 1 end, unit = 1 }\n"),
];
const REFUSING: Bundle = &[
    ("fan/expansion.toml", MANIFEST),
    (
        "fan/rules.lua",
        "-- Nobody may.\nrules.forbid \"never\" { on = \"deploy\", feature = \"road\", say = \"never\" }\n",
    ),
];
const FAILING: Bundle = &[
    ("fan/expansion.toml", MANIFEST),
    ("fan/rules.lua", "rules.react \"boom\" { on = \"placed\", run = function(e)\n  error(\"boom\")\nend }\n"),
];

fn fan(bundle: Bundle) -> Loaded {
    let mut request = Request::default();
    request.with("fan");
    let loaded = load(&request, &Library::new(&[], bundle, &[BASE.linked]), &[BASE]);
    loaded.unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// A game with a follower on the board.
fn begun(loaded: Loaded) -> Session {
    let mut session = Session::begin(loaded, opening(4), Vec::new()).expect("a game");
    for _ in 0..6 {
        let choices = session.decision().expect("a decision").choices;
        let best = choices.iter().find(|one| one.is_offered() && one.kind == ChoiceKind::Deploy);
        session.answer(&best.unwrap_or(&choices[0]).notation).expect("offered");
    }
    session
}

#[test]
fn new_rules_go_on_at_the_same_position() {
    let mut session = begun(fan(PLAIN));
    let (at, board) = (session.cursor(), session.game().state().tiles().count());
    session.trouble(vec![]);
    session.reload(fan(PAYING)).expect("the same answers under other rules");
    assert_eq!((session.cursor(), session.game().state().tiles().count()), (at, board));
    assert!(session.game().rules().hooks().any(|(_, hook)| &*hook.name == "fan:toll"), "the rules are the new ones");
    play(&mut session, 9, 1000);
    assert!(session.ledger().iter().any(|entry| entry.words.contains("toll")), "and they pay");
    session.go_to(Tree::ROOT).expect("undo works across the change");
}

#[test]
fn rules_under_which_the_game_cannot_stand_leave_the_old_ones() {
    for (bundle, file_line, words) in [(REFUSING, 2, "never"), (FAILING, 2, "boom")] {
        let mut session = begun(fan(PLAIN));
        let digest = session.game().state().digest();
        let error = session.reload(fan(bundle)).expect_err("the answers do not stand");
        assert!(matches!(error, SessionError::Answer { .. }), "{error:?}");
        assert_eq!(session.game().state().digest(), digest);
        assert!(session.game().rules().mark_by_name("fan:gate").is_some(), "the old rules");
        let [problem] = session.troubles() else { panic!("{:?}", session.troubles()) };
        assert!(problem.to_string().contains(words), "{problem}");
        assert!(problem.at.as_ref().is_some_and(|(file, _)| file.path.ends_with("fan/rules.lua")), "{problem}");
        assert_eq!(problem.line(), Some(file_line), "{problem}");
        play(&mut session, 5, 4);
    }
}

#[test]
fn a_script_that_fails_costs_one_answer_and_is_remembered() {
    let mut session = Session::begin(fan(FAILING), opening(4), Vec::new()).expect("a game");
    let digest = session.game().state().digest();
    let first = session.decision().expect("a decision").choices.remove(0);
    assert!(matches!(session.answer(&first.notation), Err(SessionError::Failed(_))));
    assert_eq!(session.game().state().digest(), digest);
    assert_eq!(session.troubles()[0].line(), Some(2));
    assert!(matches!(session.answer("sing a song"), Err(SessionError::Words(_))), "what is no answer is no trouble");
    assert_eq!(session.troubles().len(), 1);
}
