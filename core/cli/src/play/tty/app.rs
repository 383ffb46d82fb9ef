//! What the terminal knows beside the game, and what each key does.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use trencavel_play::session::NodeId;
use trencavel_play::session::choices::{Decision, Place};
use trencavel_rules::Position;

use super::board::{Camera, last_tile};
use super::paint::Paint;
use super::rows::{self, Panel, Row, Target};
use crate::failure::Look;
use crate::play::host::{Host, Order, words};
use crate::save_file;

/// The keys, for the help.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("↑ ↓  j k", "choose a row"),
    ("PgUp PgDn Home End", "choose a row further away"),
    ("← →", "choose an option at the next place"),
    ("t", "turn: the next option at the same place"),
    ("Enter  Space", "give the answer, or do what the row says"),
    ("u / r", "undo / redo"),
    ("Tab  Shift-Tab  1…6", "Options, Ledger, History, Tiles, Seats, Console"),
    ("Shift-arrows  H J K L", "move the board"),
    ("c / z", "back to what is chosen / rows on the whole width"),
    ("x / %", "hide or show what is refused / the odds of open spaces"),
    ("b / + -", "bots wait or go on / faster, slower"),
    ("s / o", "save to a file / open a save"),
    ("? / q  Ctrl-C", "this help / leave"),
];

/// How far the keys for pages go.
const PAGE: usize = 10;
/// The longest wait of a bot that keys can set.
const SLOWEST: Duration = Duration::from_millis(6400);
/// The shortest wait but none.
const FASTEST: Duration = Duration::from_millis(25);
/// Longest save that is read.
const SAVE_BYTES: u64 = 1 << 20;

/// What is asked in the last line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asking {
    /// Where to save.
    Save(String),
    /// What to open.
    Open(String),
    /// Whether to write over a file.
    Over(PathBuf),
    /// Whether to leave without a save.
    Leave,
}

/// A game in a terminal.
pub(super) struct App {
    pub(super) host: Host,
    pub(super) paint: Paint,
    /// The decision that waits; none if a rule fails while it is asked for.
    pub(super) decision: Option<Decision>,
    pub(super) panel: Panel,
    /// The rows of the panel.
    pub(super) rows: Vec<Row>,
    /// Which of them is chosen.
    pub(super) chosen: usize,
    pub(super) camera: Camera,
    pub(super) odds: bool,
    pub(super) refused: bool,
    /// The rows have the whole width.
    wide: bool,
    /// The help is shown, from this line on.
    pub(super) help: Option<u16>,
    pub(super) asking: Option<Asking>,
    /// What the last key led to.
    pub(super) told: String,
    pub(super) console: String,
    /// The decision that the rows were made for.
    shown: Option<NodeId>,
    /// The decision up to which the game is in a file.
    saved: NodeId,
    open: bool,
}

impl App {
    pub(super) fn new(host: Host, look: Look) -> Self {
        let saved = host.session().cursor();
        let mut app = Self {
            host,
            paint: Paint(look),
            decision: None,
            panel: Panel::Options,
            rows: Vec::new(),
            chosen: 0,
            camera: Camera::default(),
            odds: false,
            refused: true,
            wide: false,
            help: None,
            asking: None,
            told: String::new(),
            console: String::new(),
            shown: None,
            saved,
            open: true,
        };
        app.console = app.host.console();
        app.look_again();
        app.host.note().clone_into(&mut app.told);
        app
    }

    /// False once somebody wanted to leave.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// True if there is no room for the board: lines of files are long.
    pub(super) fn is_wide(&self) -> bool {
        self.wide || self.panel == Panel::Console
    }

    /// How long until there is something to do without a person; for ever if there is nothing.
    pub(super) fn patience(&self) -> Option<Duration> {
        self.host.patience()
    }

    /// Does what needs no person. Gives true if something changed.
    pub(super) fn go_on(&mut self) -> bool {
        let (note, console) = (self.host.note().to_owned(), self.console.clone());
        let changed = self.host.go_on();
        if changed {
            self.look_again();
            // Whoever looks around while bots play is left in peace.
            self.camera.held &= self.host.session().is_bots_turn();
            if self.host.note() != note || self.console != console {
                self.host.note().clone_into(&mut self.told);
                self.tell_trouble(&console);
            }
        }
        changed
    }

    /// What the chosen row points at.
    pub(super) fn target(&self) -> Target {
        self.rows.get(self.chosen).map(|row| row.target.clone()).unwrap_or_default()
    }

    /// Asks the game anew.
    fn look_again(&mut self) {
        let found = self.host.session_mut().decision();
        self.console = match (&found, self.host.console()) {
            (Err(error), console) if console.is_empty() => error.to_string(),
            (_, console) => console,
        };
        self.decision = found.ok();
        self.list();
        let here = Some(self.host.session().cursor());
        if std::mem::replace(&mut self.shown, here) != here && self.panel == Panel::Options {
            self.chosen = self.nearest();
        }
    }

    /// The first option, of those with a place the one next to the last tile.
    fn nearest(&self) -> usize {
        let Some(last) = last_tile(self.host.session()) else { return 0 };
        let away = |at: Position| at.x.abs_diff(last.x) + at.y.abs_diff(last.y);
        let placed = (0..self.rows.len()).filter(|row| !self.rows[*row].dim);
        let placed = placed.filter_map(|row| Some((away(self.place(row)?.space?), row)));
        placed.min().map_or(0, |(_, row)| row)
    }

    fn list(&mut self) {
        let session = self.host.session();
        self.rows = match self.panel {
            Panel::Options => self.decision.as_ref().map_or_else(Vec::new, |decision| rows::options(session, decision)),
            Panel::Ledger => rows::ledger(session),
            Panel::History => rows::history(session),
            Panel::Tiles => rows::tiles(session),
            Panel::Seats => rows::seats(session),
            Panel::Console => rows::console(self.host.note(), &self.console),
        };
        if self.panel == Panel::Options && !self.refused {
            self.rows.retain(|row| !row.dim);
        }
        self.chosen = self.chosen.min(self.rows.len().saturating_sub(1));
    }

    fn show(&mut self, panel: Panel) {
        self.panel = panel;
        self.camera.held = false;
        self.list();
        self.chosen = if panel == Panel::Options { self.nearest() } else { 0 };
    }

    fn choose(&mut self, row: usize) {
        self.chosen = row.min(self.rows.len().saturating_sub(1));
        self.camera.held = false;
    }

    /// Takes a key. No key does harm.
    pub(super) fn key(&mut self, key: KeyEvent) {
        self.told.clear();
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, self.asking.take()) {
            (KeyCode::Char('c' | 'C'), _) if control => self.open = false,
            (_, Some(asking)) if control => self.asking = Some(asking),
            (code, Some(asking)) => self.answer_line(code, asking),
            (code, None) if self.help.is_some() => self.help = self.help.and_then(|line| scrolled(line, code)),
            (KeyCode::Char('r' | 'R'), None) if control => self.order(Order::Redo {}),
            _ if control => {}
            (code, None) if key.modifiers.contains(KeyModifiers::SHIFT) && self.pan(code) => {}
            (code, None) => self.plain(code),
        }
    }

    fn pan(&mut self, code: KeyCode) -> bool {
        let (east, south) = match code {
            KeyCode::Left | KeyCode::Char('H') => (-1, 0),
            KeyCode::Right | KeyCode::Char('L') => (1, 0),
            KeyCode::Up | KeyCode::Char('K') => (0, -1),
            KeyCode::Down | KeyCode::Char('J') => (0, 1),
            _ => return false,
        };
        self.camera.pan(east, south);
        true
    }

    fn plain(&mut self, code: KeyCode) {
        match code {
            KeyCode::Up | KeyCode::Char('k') => self.choose(self.chosen.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.choose(self.chosen + 1),
            KeyCode::PageUp => self.choose(self.chosen.saturating_sub(PAGE)),
            KeyCode::PageDown => self.choose(self.chosen + PAGE),
            KeyCode::Home => self.choose(0),
            KeyCode::End => self.choose(usize::MAX),
            KeyCode::Left => self.next_place(self.rows.len().saturating_sub(1)),
            KeyCode::Right => self.next_place(1),
            KeyCode::Char('t') => self.next_turn(),
            KeyCode::Enter | KeyCode::Char(' ') => self.do_row(),
            KeyCode::Char('u') => self.order(Order::Undo {}),
            KeyCode::Char('r' | 'U') => self.order(Order::Redo {}),
            KeyCode::Tab => self.show(self.panel.further(1)),
            KeyCode::BackTab => self.show(self.panel.further(Panel::ALL.len() - 1)),
            KeyCode::Char('H' | 'J' | 'K' | 'L') => drop(self.pan(code)),
            KeyCode::Char('c') => self.camera.held = false,
            KeyCode::Char('x') => {
                self.refused = !self.refused;
                self.list();
            }
            KeyCode::Char('z') => self.wide = !self.wide,
            KeyCode::Char('%') => self.odds = !self.odds,
            KeyCode::Char('b') => self.order(Order::Bots {}),
            KeyCode::Char('+') => self.set_pace(self.host.pace() / 2),
            KeyCode::Char('-') => self.set_pace((self.host.pace() * 2).max(FASTEST)),
            KeyCode::Char('s') => self.asking = Some(Asking::Save("game.replay".to_owned())),
            KeyCode::Char('o') => self.asking = Some(Asking::Open(String::new())),
            KeyCode::Char('?' | 'h') | KeyCode::F(1) => self.help = Some(0),
            KeyCode::Char('q') => self.leave(),
            KeyCode::Char(digit @ '1'..='6') => self.show(Panel::ALL[digit as usize - '1' as usize]),
            _ => {}
        }
    }

    fn leave(&mut self) {
        if self.saved == self.host.session().cursor() {
            self.open = false;
        } else {
            self.asking = Some(Asking::Leave);
        }
    }

    fn set_pace(&mut self, pace: Duration) {
        let pace = if pace < FASTEST { Duration::ZERO } else { pace.min(SLOWEST) };
        self.host.set_pace(pace);
        self.told = format!("Bots wait {} ms before each decision.", pace.as_millis());
    }

    /// Where the choice of a row is.
    fn place(&self, row: usize) -> Option<Place> {
        match self.rows.get(row)?.target {
            Target::Choice(number) => self.decision.as_ref()?.choices.get(number).map(|choice| choice.place),
            Target::Nothing | Target::Spaces(_) => None,
        }
    }

    /// The next row, in steps of `step` around the end, that is about another space than this one.
    fn next_place(&mut self, step: usize) {
        let here = self.place(self.chosen).and_then(|place| place.space);
        self.seek(step, |app, row| {
            let dim = app.rows[row].dim;
            let there = app.place(row).and_then(|place| place.space);
            there.is_some() && there != here && !dim
        });
    }

    /// The next row at the same space.
    fn next_turn(&mut self) {
        let (here, dim) = (self.place(self.chosen).and_then(|place| place.space), self.row_is_dim());
        self.seek(1, |app, row| {
            here.is_some() && app.place(row).and_then(|place| place.space) == here && app.rows[row].dim == dim
        });
    }

    fn row_is_dim(&self) -> bool {
        self.rows.get(self.chosen).is_some_and(|row| row.dim)
    }

    fn seek(&mut self, step: usize, fits: impl Fn(&Self, usize) -> bool) {
        let count = self.rows.len();
        let found = (1..count).map(|turn| (self.chosen + turn * step) % count).find(|row| fits(self, *row));
        found.into_iter().for_each(|row| self.choose(row));
    }

    fn do_row(&mut self) {
        let Some(row) = self.rows.get_mut(self.chosen) else { return };
        match row.does.take() {
            Some(order) => self.order(order),
            None => self.told = row.details.last().cloned().unwrap_or_default(),
        }
    }

    fn order(&mut self, order: Order) {
        let console = self.console.clone();
        if let Err(why) = self.host.take(order) {
            self.told = why;
        }
        self.camera.held = false;
        self.look_again();
        self.tell_trouble(&console);
    }

    /// Points at the console when something new went wrong.
    fn tell_trouble(&mut self, before: &str) {
        if !self.console.is_empty() && self.console != before {
            let told = std::mem::take(&mut self.told);
            self.told = format!("See the console (6). {told}");
        }
    }

    /// Takes a key while the last line asks something.
    fn answer_line(&mut self, code: KeyCode, asking: Asking) {
        match (code, asking) {
            (KeyCode::Esc, _) => {}
            (KeyCode::Char('y' | 'Y'), Asking::Leave) => self.open = false,
            (KeyCode::Char('s'), Asking::Leave) => self.asking = Some(Asking::Save("game.replay".to_owned())),
            (KeyCode::Char('y' | 'Y'), Asking::Over(path)) => self.write(&path),
            (_, Asking::Leave | Asking::Over(_)) => {}
            (KeyCode::Enter, Asking::Save(name)) => self.save(name.trim()),
            (KeyCode::Enter, Asking::Open(name)) => self.load(name.trim()),
            (code, Asking::Save(name)) => self.asking = Some(Asking::Save(edited(name, code))),
            (code, Asking::Open(name)) => self.asking = Some(Asking::Open(edited(name, code))),
        }
    }

    fn save(&mut self, name: &str) {
        let path = PathBuf::from(name);
        if name.is_empty() {
            "Nothing was saved: a file needs a name.".clone_into(&mut self.told);
        } else if path.exists() {
            self.asking = Some(Asking::Over(path));
        } else {
            self.write(&path);
        }
    }

    fn write(&mut self, path: &Path) {
        let session = self.host.session();
        let cursor = session.cursor();
        match save_file::write(path, &session.save()) {
            Ok(()) => {
                self.saved = cursor;
                self.told = format!("Saved: trencavel play {}", path.display());
            }
            Err(failure) => self.told = one_line(&words(&failure)),
        }
    }

    fn load(&mut self, name: &str) {
        match read(Path::new(name)) {
            Ok(text) => {
                self.order(Order::Load { text });
                if self.told.is_empty() {
                    self.host.note().clone_into(&mut self.told);
                    self.saved = self.host.session().cursor();
                }
                self.told = one_line(&self.told);
            }
            Err(why) => self.told = why,
        }
    }
}

fn read(path: &Path) -> Result<String, String> {
    let told = |error: std::io::Error| format!("{} cannot be read: {error}", path.display());
    let length = fs::metadata(path).map_err(told)?.len();
    if length > SAVE_BYTES {
        return Err(format!("{} is no save: it has {length} bytes", path.display()));
    }
    fs::read_to_string(path).map_err(told)
}

/// Where the help goes with a key; any but the arrows ends it.
fn scrolled(line: u16, code: KeyCode) -> Option<u16> {
    match code {
        KeyCode::Down | KeyCode::Char('j') => Some(line.saturating_add(1)),
        KeyCode::Up | KeyCode::Char('k') => Some(line.saturating_sub(1)),
        _ => None,
    }
}

/// A text of several lines in one.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name after one more key.
fn edited(mut name: String, code: KeyCode) -> String {
    match code {
        KeyCode::Char(letter) => name.push(letter),
        KeyCode::Backspace => drop(name.pop()),
        _ => {}
    }
    name
}
