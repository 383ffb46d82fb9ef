//! The same game in the terminal: the board as text, every decision as one list, and the keyboard. Nothing here knows an
//! expansion.

mod app;
mod board;
mod paint;
mod rows;
mod screen;
#[cfg(test)]
mod tests;

use std::ffi::c_int;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyEventKind};
use ratatui::DefaultTerminal;
use ratatui::layout::Rect;
use signal_hook::consts::{SIGINT, SIGTERM};

use super::host::Host;
use crate::failure::{Failure, Look};
use app::App;

/// How long a key is waited for at most, so that a signal to end is noticed.
const NAP: Duration = Duration::from_millis(200);
/// How long a key is waited for at least: without any time at all nobody looks whether there is one.
const GLANCE: Duration = Duration::from_millis(5);

/// Signals that ask for the end of the program, a terminal that goes away among them.
#[cfg(unix)]
const SIGNALS: &[c_int] = &[SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: &[c_int] = &[SIGINT, SIGTERM];

/// Plays until somebody leaves. The terminal is then as it was before, also after a panic.
pub(super) fn run(host: Host) -> Result<(), Failure> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let help = "run it in one, or leave `--tty` out to play in the browser";
        return Err(Failure::usage("`--tty` needs a terminal for its input and output", help));
    }
    let mut app = App::new(host, Look::of(&io::stdout()));
    // Before the terminal is changed, so that nothing can end the program without giving it back.
    let stop = ending()?;
    let mut terminal = ratatui::try_init()?;
    let played = play(&mut terminal, &mut app, &stop);
    ratatui::try_restore()?;
    Ok(played?)
}

/// Set by whatever asks from outside for the end of the program; in the terminal Ctrl-C is a key.
fn ending() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::default();
    for signal in SIGNALS {
        signal_hook::flag::register(*signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}

fn play(terminal: &mut DefaultTerminal, app: &mut App, stop: &AtomicBool) -> io::Result<()> {
    let mut since = Instant::now();
    let mut stale = true;
    while app.is_open() && !stop.load(Ordering::Relaxed) {
        if std::mem::take(&mut stale) {
            terminal.draw(|frame| app.draw(frame))?;
        }
        let patience = app.patience().map_or(NAP, |patience| patience.saturating_sub(since.elapsed()));
        if event::poll(patience.clamp(GLANCE, NAP))? {
            stale = true;
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => app.key(key),
                // What the terminal made of the last picture is unknown, even if its size is the old one again.
                Event::Resize(width, height) => terminal.resize(Rect::new(0, 0, width, height))?,
                _ => {}
            }
        } else if !io::stdin().is_terminal() {
            // It went away without a signal, and will never send a key.
            break;
        }
        if app.patience().is_some_and(|patience| since.elapsed() >= patience) {
            stale |= app.go_on();
            since = Instant::now();
        }
    }
    Ok(())
}
