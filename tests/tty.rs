//! A game in a real terminal: keys in, a screen out, and the terminal as it was when the program ends.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

/// Far longer than anything takes, even where a machine is busy with other things.
const PATIENCE: Duration = Duration::from_secs(300);

/// What only the help says, and what is only there without it.
const HELP: &str = "give the answer, or do what the row says";
const NO_HELP: &str = "? help  q leave";

/// A program in a terminal.
struct Tty {
    child: Child,
    keys: File,
    /// The program's side, to see how it leaves it.
    side: OwnedFd,
    shown: Arc<Mutex<Shown>>,
    folder: PathBuf,
}

struct Shown {
    parser: vt100::Parser,
    bytes: Vec<u8>,
}

impl Tty {
    fn start(test: &str, line: &str, colour: bool) -> Self {
        Self::start_with(test, "", line, colour)
    }

    /// The same in a folder with a `game.toml`.
    fn start_with(test: &str, game: &str, line: &str, colour: bool) -> Self {
        let folder = std::env::temp_dir().join(format!("trencavel-terminal-{}-{test}", std::process::id()));
        // A run that was killed may have left one of this name behind.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a temporary folder");
        fs::write(folder.join("game.toml"), game).expect("a game file");
        let (master, side) = terminal();
        let end = || Stdio::from(side.try_clone().expect("a side"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_trencavel"));
        command.args(line.split_whitespace()).current_dir(&folder).env("HOME", &folder).env("TERM", "xterm-256color");
        command.env_remove("XDG_DATA_HOME").env_remove("NO_COLOR");
        if !colour {
            command.env("NO_COLOR", "1");
        }
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("the program runs");
        let shown =
            Arc::new(Mutex::new(Shown { parser: vt100::Parser::new(length(24), length(80), 0), bytes: Vec::new() }));
        let keys = File::from(master);
        listen(keys.try_clone().expect("a side"), Arc::clone(&shown));
        Self { child, keys, side, shown, folder }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("it listens");
    }

    fn screen(&self) -> String {
        self.shown.lock().expect("a screen").parser.screen().contents()
    }

    /// The screen, as soon as it shows this.
    fn wait_for(&self, wanted: &str) -> String {
        let begun = Instant::now();
        loop {
            let text = self.screen();
            if text.contains(wanted) {
                return text;
            }
            assert!(begun.elapsed() < PATIENCE, "no `{wanted}` in\n{text}");
            sleep(Duration::from_millis(10));
        }
    }

    fn resize(&self, width: u16, height: u16) {
        self.shown.lock().expect("a screen").parser.screen_mut().set_size(length(height), length(width));
        tcsetwinsize(&self.side, size(width, height)).expect("a size");
        self.signal(Signal::WINCH);
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it runs");
    }

    fn is_raw(&self) -> bool {
        !tcgetattr(&self.side).expect("its modes").local_modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    }

    /// Waits for the end of the program. The terminal must then be as it was.
    fn check_end(&mut self) {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it can be asked") {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end:\n{}", self.screen());
            sleep(Duration::from_millis(10));
        };
        assert!(status.success(), "{status}: {}", self.screen());
        assert!(!self.is_raw(), "lines are edited and keys are shown again");
        let begun = Instant::now();
        let left = || {
            let shown = self.shown.lock().expect("a screen");
            !shown.parser.screen().alternate_screen() && !shown.parser.screen().hide_cursor()
        };
        while !left() {
            assert!(begun.elapsed() < PATIENCE, "the screen is not given back");
            sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        // Both may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Both sides of a terminal: ours and the program's.
fn terminal() -> (OwnedFd, OwnedFd) {
    // It is closed when we close it: no program inherits it, at once where the system can.
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    #[cfg(target_os = "linux")]
    let flags = flags | OpenptFlags::CLOEXEC;
    let master = openpt(flags).expect("a terminal");
    fcntl_setfd(&master, FdFlags::CLOEXEC).expect("a flag");
    grantpt(&master).and_then(|()| unlockpt(&master)).expect("its other side");
    let name = ptsname(&master, Vec::new()).expect("its name");
    let side = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("its other side");
    tcsetwinsize(&side, size(80, 24)).expect("a size");
    (master, side)
}

fn length(length: u16) -> NonZero<u16> {
    NonZero::new(length).expect("a length")
}

fn size(width: u16, height: u16) -> Winsize {
    Winsize { ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0 }
}

/// Reads until nobody writes any more.
fn listen(mut from: File, shown: Arc<Mutex<Shown>>) {
    thread::spawn(move || {
        let mut part = [0; 1 << 14];
        while let Ok(length @ 1..) = from.read(&mut part) {
            let mut shown = shown.lock().expect("a screen");
            shown.parser.process(&part[..length]);
            shown.bytes.extend_from_slice(&part[..length]);
        }
    });
}

#[test]
fn a_game_is_played_in_a_terminal() {
    let mut tty = Tty::start("played", "play constable --tty --bots 1 --pace 1", true);
    tty.wait_for("Ann (A) Place the tile");
    assert!(tty.is_raw());
    tty.press("\r");
    tty.wait_for("Deploy a figure, or pass");
    tty.press("\r");
    tty.wait_for("Bob (B) Place the tile");
    tty.press("\x1b[B\x1b[B\r");
    tty.wait_for("Bob (B) Deploy");
    tty.press("u");
    tty.wait_for("Bob (B) Place the tile");
    tty.press("r");
    tty.wait_for("Bob (B) Deploy");
    // The bot of the last place plays by itself.
    tty.press("\x1b[F\x1b[H\r");
    tty.wait_for("T4");
    tty.resize(40, 12);
    tty.wait_for("▸A 0  B 0  C 0");
    tty.resize(120, 40);
    tty.press("?");
    tty.wait_for(HELP);
    tty.press("?");
    tty.wait_for(NO_HELP);
    tty.press("s\x7f\x7f\r");
    tty.wait_for("Saved: trencavel play game.repl");
    assert!(tty.folder.join("game.repl").exists());
    assert!(tty.shown.lock().expect("a screen").bytes.windows(5).any(|bytes| bytes == b"\x1b[38;"), "in colour");
    tty.press("q");
    tty.check_end();
}

#[test]
fn the_terminal_is_given_back_however_it_ends() {
    for (test, key, signal) in [
        ("key", "\x03", None),
        ("int", "", Some(Signal::INT)),
        ("term", "", Some(Signal::TERM)),
        ("hup", "", Some(Signal::HUP)),
    ] {
        let mut tty = Tty::start(test, "play constable --tty --bots 0", false);
        tty.wait_for("Place the tile");
        tty.press("\r");
        tty.wait_for("Deploy a figure, or pass");
        tty.press(key);
        signal.into_iter().for_each(|signal| tty.signal(signal));
        tty.check_end();
        let shown = tty.shown.lock().expect("a screen");
        assert!(!shown.bytes.windows(5).any(|bytes| bytes == b"\x1b[38;"), "no colours were asked for");
    }
}

/// A bot that thinks for days, in the first place.
const THINKER: &str = "seed = 2
players = [ { name = \"Ann\", bot = \"mcts:4000000000\" }, { name = \"Bob\" } ]
";

#[test]
fn a_bot_that_thinks_leaves_the_keys_alone() {
    for (test, pace) in [("thinks", 0), ("waits", 200)] {
        let mut tty = Tty::start_with(test, THINKER, &format!("play game.toml --tty --pace {pace}"), false);
        tty.wait_for("T1");
        tty.press("?");
        tty.wait_for(HELP);
        tty.press("?b");
        tty.wait_for("b bots on");
        tty.press("b5");
        tty.wait_for("Ann (A): ");
        tty.press("q");
        tty.check_end();
    }
}

#[test]
fn a_signal_ends_it_while_a_bot_thinks() {
    let mut tty = Tty::start_with("think", THINKER, "play game.toml --tty --pace 0", false);
    tty.wait_for("A bot decides here");
    tty.signal(Signal::TERM);
    tty.check_end();
}

#[test]
fn a_key_pressed_while_the_window_changes_is_heard() {
    let mut tty = Tty::start("both", "play constable --tty --bots 0", true);
    tty.wait_for("Place the tile");
    for round in 0..500 {
        tty.resize(100 + round % 2 * 20, 40);
        tty.press("?");
        tty.wait_for(HELP);
        tty.press("?");
        tty.wait_for(NO_HELP);
    }
    tty.press("q");
    tty.check_end();
}

#[test]
fn a_terminal_that_is_gone_ends_the_game() {
    let (master, side) = terminal();
    let end = || Stdio::from(side.try_clone().expect("a side"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_trencavel"));
    command.args(["play", "constable", "--tty", "--bots", "0"]).stdin(end()).stdout(end()).stderr(end());
    let mut child = command.spawn().expect("the program runs");
    drop((command, side));
    let (mut master, mut shown, mut part) = (File::from(master), Vec::new(), [0; 1 << 14]);
    while !String::from_utf8_lossy(&shown).contains("Options") {
        let length = master.read(&mut part).expect("a screen");
        shown.extend_from_slice(&part[..length]);
    }
    // It waits for a key by now, or will find out when it draws.
    sleep(Duration::from_millis(300));
    drop(master);
    let begun = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().expect("it runs");
            panic!("it does not end");
        }
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    let output = Command::new(env!("CARGO_BIN_EXE_trencavel")).args(["play", "--tty"]).output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("`--tty` needs a terminal") && told.contains("help: "), "{told}");
}
