//! Games by keys on a screen that tests can read.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;
use trencavel_host::diagnostic::SourceFile;
use trencavel_play::dice::Dice;
use trencavel_play::session::Session;

use super::app::App;
use super::paint::Paint;
use super::rows::Panel;
use crate::failure::Look;
use crate::play::Opened;
use crate::play::host::Host;
use crate::search::Search;
use crate::setup::{TableArgs, Wish};

const PEOPLE: &str = "players = [ { name = \"Ann\" }, { name = \"Bob\" } ]\n";

/// A game in a terminal of a certain size.
struct Screen {
    app: App,
    terminal: Terminal<TestBackend>,
}

impl Screen {
    fn of(text: &str, table: &TableArgs, watching: bool) -> Self {
        let file = SourceFile { path: PathBuf::from("game.toml"), text: text.into() };
        let opened = Opened::of_wish(Wish::of_text(&file, table).expect("a game"));
        let host = Host::new(opened, watching, Duration::ZERO).expect("a game that begins");
        let mut screen = Self { app: App::new(host, Look::Plain), terminal: sized(80, 24) };
        screen.app.told.clear();
        screen
    }

    fn game(text: &str) -> Self {
        Self::of(text, &TableArgs::default(), false)
    }

    fn with(expansions: &[&str], seed: u64) -> Self {
        let on: String = expansions.iter().map(|id| format!("{id} = true\n")).collect();
        Self::game(&format!("seed = {seed}\n{PEOPLE}[expansions]\n{on}"))
    }

    fn resize(&mut self, width: u16, height: u16) {
        self.terminal = sized(width, height);
    }

    /// What is to be seen, without blanks at the ends of lines.
    fn text(&mut self) -> String {
        self.terminal.draw(|frame| self.app.draw(frame)).expect("a drawing");
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width).max(1);
        let line = |cells: &[ratatui::buffer::Cell]| {
            let text: String = cells.iter().map(ratatui::buffer::Cell::symbol).collect();
            text.trim_end().to_owned() + "\n"
        };
        buffer.content().chunks(width).map(line).collect()
    }

    fn press(&mut self, code: KeyCode) {
        self.app.key(KeyEvent::new(code, KeyModifiers::NONE));
    }

    fn keys(&mut self, keys: &str) {
        keys.chars().for_each(|key| self.press(KeyCode::Char(key)));
    }

    fn choose(&mut self, row: usize) {
        self.press(KeyCode::Home);
        (0..row).for_each(|_| self.press(KeyCode::Down));
    }

    /// Chooses an offered row by chance and answers.
    fn answer(&mut self, dice: &mut Dice) {
        let offered: Vec<usize> = (0..self.app.rows.len()).filter(|row| self.app.rows[*row].does.is_some()).collect();
        // What is rarely offered is always taken.
        let rare = offered.iter().copied().find(|row| self.app.rows[*row].words.starts_with("constable on"));
        let row = rare.or_else(|| dice.pick(&offered)).expect("an option");
        let words = self.app.rows[row].words.clone();
        self.choose(row);
        self.press(KeyCode::Enter);
        assert_eq!(self.app.told, "", "{words}");
    }

    fn answers(&mut self, seed: u64, count: usize) {
        let mut dice = Dice::named(seed, "tty");
        (0..count).for_each(|_| self.answer(&mut dice));
    }

    fn session(&self) -> &Session {
        self.app.host.session()
    }

    fn is_over(&self) -> bool {
        self.session().game().state().is_over()
    }

    /// Waits for something that needs no person, and for the words it leads to.
    fn wait_for(&mut self, wanted: &str) -> String {
        let begun = Instant::now();
        loop {
            let text = self.text();
            if text.contains(wanted) {
                return text;
            }
            assert!(begun.elapsed() < Duration::from_secs(300), "no `{wanted}` in\n{text}");
            sleep(Duration::from_millis(20));
            self.app.go_on();
        }
    }
}

fn sized(width: u16, height: u16) -> Terminal<TestBackend> {
    Terminal::new(TestBackend::new(width, height)).expect("a screen")
}

/// A folder that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("trencavel-tty-{}-{test}", std::process::id()));
        // A run that was killed may have left one of this name behind.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Compares a screen with the one that was looked at.
fn check_screen(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/play/tty/screens").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).expect("written");
    }
    let known = fs::read_to_string(&path).expect("a screen");
    assert_eq!(text, known, "{name} looks different; UPDATE_GOLDEN=1 accepts it");
}

#[test]
fn a_whole_game_is_played_by_keys() {
    let mut screen = Screen::with(&["constable", "princess-and-dragon", "the-tower"], 4);
    let mut dice = Dice::named(4, "tty");
    check_screen("begin", &screen.text());
    for answer in 0..1000 {
        if screen.is_over() {
            break;
        }
        screen.answer(&mut dice);
        let text = screen.text();
        if answer == 40 {
            check_screen("middle", &text);
        }
    }
    assert!(screen.is_over());
    check_screen("end", &screen.text());
    for panel in ["2", "3", "4", "5", "6"] {
        screen.keys(panel);
        check_screen(&format!("end-{panel}"), &screen.text());
    }
    let save = screen.session().save().to_string();
    for answer in ["deploy constable ", "dragon", "tower:", "faerie:move "] {
        assert!(save.contains(answer), "nobody answered `{answer}` in\n{save}");
    }
    let again = Session::begin(screen.session().loaded().clone(), screen.session().save(), Vec::new());
    assert_eq!(again.expect("the same").game().state().digest(), screen.session().game().state().digest());
}

#[test]
fn answers_are_taken_back_and_given_again() {
    let mut screen = Screen::with(&["constable"], 4);
    let mut texts = vec![screen.text()];
    let mut dice = Dice::named(9, "tty");
    for _ in 0..12 {
        screen.answer(&mut dice);
        texts.push(screen.text());
    }
    for before in texts.iter().rev().skip(1) {
        screen.keys("u");
        assert_eq!(head(&screen.text()), head(before));
    }
    screen.keys("u");
    assert!(screen.text().contains("there is no decision to go to"));
    for after in &texts[1..] {
        screen.keys("r");
        assert_eq!(head(&screen.text()), head(after));
    }
    screen.keys("3");
    let row = screen.app.rows.iter().rposition(|row| row.words.contains("A: place")).expect("the first answer");
    screen.choose(row);
    screen.press(KeyCode::Enter);
    screen.keys("1");
    assert_eq!(head(&screen.text()), head(&texts[1]), "the history leads to where the game stood");
}

/// Everything but the last line. The window onto the board may stand elsewhere.
fn head(text: &str) -> String {
    let side = |line: &str| line.chars().skip(48).collect::<String>();
    let lines: Vec<&str> = text.lines().collect();
    lines[0].to_owned() + &lines[1..lines.len() - 1].iter().map(|line| side(line) + "\n").collect::<String>()
}

#[test]
fn a_refused_option_says_why_and_does_nothing() {
    let mut screen = Screen::with(&["constable"], 7);
    for seed in 0.. {
        let needs = |row: &super::rows::Row| row.details.iter().any(|line| line.contains("constable:needs_robber"));
        let Some(row) = screen.app.rows.iter().position(needs) else {
            screen.answers(seed, 1);
            continue;
        };
        let before = screen.session().cursor();
        screen.choose(row);
        let text = screen.text();
        assert!(text.contains("›✗ constable on "), "{text}");
        assert!(text.contains("(The Constable)") && text.contains("constable/rules.lua:"), "{text}");
        screen.press(KeyCode::Enter);
        assert_eq!(screen.session().cursor(), before);
        assert!(screen.text().lines().last().expect("a line").starts_with("refused: "));
        return;
    }
}

#[test]
fn the_cursor_goes_from_place_to_place_and_turns() {
    let mut screen = Screen::with(&[], 3);
    screen.answers(3, 2);
    let place = |screen: &Screen| screen.app.rows[screen.app.chosen].words.clone();
    let (first, _) = place(&screen).split_once(',').map(|(x, y)| (x.to_owned(), y.to_owned())).expect("a place");
    let begun = place(&screen);
    screen.press(KeyCode::Right);
    assert_ne!(place(&screen).split(", ").next(), begun.split(", ").next(), "{first}");
    screen.press(KeyCode::Left);
    let back = place(&screen);
    screen.keys("t");
    assert_eq!(place(&screen).split(", ").next(), back.split(", ").next());
    screen.keys("x");
    assert!(screen.app.rows.iter().all(|row| !row.dim));
    assert!(screen.text().contains(" 0 refused"));
}

#[test]
fn new_rules_that_cannot_be_loaded_are_told_and_the_game_goes_on() {
    let folder = Folder::new("reload");
    let rules = folder.0.join("ferry/rules.lua");
    fs::create_dir_all(folder.0.join("ferry")).expect("a folder");
    fs::write(
        folder.0.join("ferry/expansion.toml"),
        "id = \"ferry\"\nversion = \"0.1.0\"\napi = \"1\"\ntitle = \"Ferry\"\n",
    )
    .expect("a manifest");
    fs::write(&rules, "rules.mark \"ferry\" { on = \"road\" }\n").expect("a script");
    let search = Search { path: vec![folder.0.clone()], ..Search::default() };
    let table = TableArgs { search, with: vec!["ferry".to_owned()], ..TableArgs::default() };
    let mut screen = Screen::of(&format!("seed = 5\n{PEOPLE}"), &table, true);
    screen.answers(5, 3);
    let before = screen.session().game().state().digest();
    fs::write(&rules, "rules.mark \"ferry\" { on = \"raod\" }\n").expect("a script");
    let text = screen.wait_for("See the console (6)");
    assert!(text.contains("stays with the old rules"), "{text}");
    screen.keys("6");
    let console = screen.text();
    assert!(console.contains("rules.lua:1") && console.contains("did you mean"), "{console}");
    assert_eq!(screen.session().game().state().digest(), before);
    screen.keys("1");
    screen.answers(5, 1);
    fs::write(&rules, "rules.mark \"ferry\" { on = \"road\" }\n-- repaired\n").expect("a script");
    screen.wait_for("New rules were loaded.");
    screen.keys("6");
    assert!(screen.text().contains("No script has failed."));
}

#[test]
fn a_game_is_saved_and_opened() {
    let folder = Folder::new("save");
    let path = folder.0.join("a game.replay");
    let mut screen = Screen::with(&["constable"], 6);
    screen.answers(6, 8);
    let save = |screen: &mut Screen, key: &str| {
        screen.keys(key);
        (0..20).for_each(|_| screen.press(KeyCode::Backspace));
        screen.keys(path.to_str().expect("a path"));
        screen.press(KeyCode::Enter);
    };
    save(&mut screen, "s");
    assert!(screen.text().contains("Saved: "), "{}", screen.text());
    let (digest, file) = (screen.session().game().state().digest(), fs::read_to_string(&path).expect("a save"));
    screen.answers(7, 2);
    save(&mut screen, "s");
    assert!(screen.text().contains("Write over it?"));
    screen.press(KeyCode::Char('n'));
    assert_eq!(fs::read_to_string(&path).expect("a save"), file, "it was not written over");
    screen.keys("q");
    assert!(screen.text().contains("is not saved"));
    screen.press(KeyCode::Char('n'));
    assert!(screen.app.is_open());
    save(&mut screen, "o");
    assert!(screen.text().contains("A save was loaded."));
    assert_eq!(screen.session().game().state().digest(), digest);
    screen.keys("o");
    screen.keys("nowhere/at all");
    screen.press(KeyCode::Enter);
    assert!(screen.text().contains("nowhere/at all cannot be read"));
    screen.keys("q");
    assert!(!screen.app.is_open(), "nothing was answered since the save was opened");
}

#[test]
fn bots_play_by_themselves_and_wait_when_told() {
    let mut screen = Screen::game("seed = 2\nplayers = [ { name = \"Ann\" }, { name = \"Bob\", bot = \"greedy\" } ]\n");
    let turn = |screen: &Screen| screen.session().game().state().turn();
    while !screen.session().is_bots_turn() {
        screen.answers(2, 1);
    }
    screen.wait_for("▸A Ann");
    screen.keys("5");
    assert!(screen.text().contains("Bob (B): greedy"));
    screen.press(KeyCode::Enter);
    screen.keys("1");
    while !screen.session().is_bots_turn() {
        screen.answers(3, 1);
    }
    assert!(turn(&screen) > 2);
    screen.keys("b");
    assert!(screen.text().contains("A bot decides here"), "{}", screen.text());
    assert_eq!((screen.app.patience(), screen.app.go_on()), (None, false));
}

#[test]
fn every_size_and_every_key_is_taken() {
    let mut screen = Screen::with(&["constable", "princess-and-dragon", "the-tower"], 8);
    let sizes = [(1, 1), (3, 2), (24, 8), (24, 40), (40, 10), (63, 24), (64, 8), (80, 24), (250, 9), (200, 80)];
    let control = [KeyModifiers::NONE, KeyModifiers::SHIFT, KeyModifiers::ALT, KeyModifiers::CONTROL];
    let named = [
        KeyCode::Enter,
        KeyCode::Enter,
        KeyCode::Enter,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::End,
        KeyCode::PageDown,
        KeyCode::Esc,
        KeyCode::F(1),
        KeyCode::Delete,
        KeyCode::Null,
    ];
    let letters: Vec<KeyCode> = ('!'..='~').chain("é漢\u{202e}\u{1b}\u{7f}".chars()).map(KeyCode::Char).collect();
    let mut dice = Dice::named(8, "keys");
    for (width, height) in sizes {
        screen.resize(width, height);
        for _ in 0..150 {
            let kind = if dice.pick(&[true, false]).expect("one") { &named[..] } else { &letters };
            let code = dice.pick(kind).expect("a key");
            // Files are another test's.
            if screen.app.asking.is_some() && code == KeyCode::Enter {
                screen.press(KeyCode::Esc);
            }
            screen.app.key(KeyEvent::new(code, dice.pick(&control).expect("one")));
            screen.text();
        }
    }
    screen.resize(80, 24);
    for panel in Panel::ALL {
        screen.app.help = None;
        screen.press(KeyCode::Esc);
        screen.keys(&(panel as usize + 1).to_string());
        assert!(screen.text().contains(&format!("─ {}", panel.title())));
    }
}

#[test]
fn colours_only_repeat_what_letters_say() {
    let mut screen = Screen::with(&["constable", "princess-and-dragon", "the-tower"], 4);
    screen.answers(4, 30);
    let plain = screen.text();
    let colours = |screen: &Screen| {
        let cells = screen.terminal.backend().buffer().content();
        cells.iter().filter(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset).count()
    };
    assert_eq!(colours(&screen), 0);
    screen.app.paint = Paint(Look::Coloured);
    assert_eq!(screen.text(), plain);
    assert!(colours(&screen) > 100);
}

#[test]
fn the_help_names_keys_and_letters_and_scrolls() {
    let mut screen = Screen::with(&["constable", "princess-and-dragon", "the-tower"], 4);
    screen.answers(4, 30);
    screen.keys("?");
    check_screen("help", &screen.text());
    screen.resize(30, 8);
    assert!(!screen.text().contains("The board"));
    let mut read = screen.text();
    for _ in 0..60 {
        screen.press(KeyCode::Down);
        read += &screen.text();
    }
    assert!(read.contains("leave") && read.contains("The board") && read.contains("pennant"), "{read}");
    assert_ne!(screen.text().trim(), "", "the end is not left behind");
    screen.press(KeyCode::Esc);
    screen.resize(80, 24);
    assert!(!screen.text().contains("The board"));
}

#[test]
fn what_is_shown_cannot_command_the_terminal() {
    let mut screen = Screen::with(&[], 2);
    screen.keys("s\u{202e}\u{1b}[2J");
    let text = screen.text();
    assert!(text.contains("game.replay\\u{202e}\\u{1b}[2J"), "{text}");
}
