//! `trencavel play GAME.toml`: a game for people and bots, on a page that this program serves or in the terminal.

mod guard;
mod host;
mod page;
mod pages;
mod server;
mod thinker;
mod tty;
mod watch;

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use trencavel_host::diagnostic::SourceFile;
use trencavel_play::bots::Bot;
use trencavel_play::session::{Session, Sitter};
use trencavel_rules::ids::PlayerId;
use trencavel_rules::save::{HEADER, Replay};

use crate::failure::Failure;
use crate::save_file::Saved;
use crate::setup::{IMPLIED, Sources, TableArgs, Wish, game_file};
use guard::Guard;
use host::Host;

/// Whoever sits at this machine, as people name it.
pub(crate) const PERSON: &str = "person";

/// Without a game file: two people, the base game and what the command line switches on.
const USUAL: &str = "players = [ { name = \"Ann\" }, { name = \"Bob\" } ]\n";

/// Play a game on a page in the browser or in the terminal, with people and bots
///
/// The page is served on this machine only and asks nothing of any other. Players whom the game file gives a bot are
/// bots, but the first is a person if all of them are.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: trencavel play examples/constable.toml --bots 1\nExample: trencavel play --with constable --path . --watch\nExample: trencavel play examples/constable.toml --tty"
)]
pub(crate) struct Args {
    /// A game file, or a save to go on with; without one two people play the base game
    game: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
    /// Seat bots in the last N places and people in the others
    #[arg(long, value_name = "N")]
    bots: Option<usize>,
    /// How long a bot waits before each decision, in milliseconds, so that people can follow
    #[arg(long, value_name = "MS", default_value_t = 200)]
    pace: u64,
    /// Load the rules again, in the middle of the game, when a file of their folders changes
    #[arg(long)]
    watch: bool,
    /// Play in the terminal; `?` shows the keys
    #[arg(long, conflicts_with_all = ["port", "no_open", "host"])]
    tty: bool,
    /// The port of the page; without it, any free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Print the address and leave the browser alone
    #[arg(long)]
    no_open: bool,
    /// Serve on this address instead, so that others can reach the page: whoever has the printed link may play
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let opened = Opened::of(args)?;
    let host = Host::new(opened, args.watch, Duration::from_millis(args.pace))?;
    if args.tty {
        return tty::run(host);
    }
    let listener = TcpListener::bind((args.host, args.port)).map_err(|error| {
        let message = format!("nothing can be served on {}, port {}: {error}", args.host, args.port);
        Failure::usage(message, "choose another `--port`, or leave it out")
    })?;
    let guard = Guard::new(listener.local_addr()?)?;
    let link = guard.link();
    writeln!(out, "playing on {link}")?;
    if guard.serves_all() {
        writeln!(out, "others write this machine's address into the link")?;
    }
    writeln!(out, "Ctrl-C ends it; the page saves the game")?;
    out.flush()?;
    if !args.no_open && open::that_detached(&link).is_err() {
        writeln!(out, "note: no browser could be started; open the address yourself")?;
        out.flush()?;
    }
    let (orders, inbox) = mpsc::channel();
    let (shown_by, shown) = tokio::sync::watch::channel(Arc::default());
    let serving = thread::spawn(move || server::serve(listener, guard, orders, shown));
    pages::play(host, &inbox, &shown_by)?;
    match serving.join() {
        Ok(served) => Ok(served?),
        Err(_) => Err(Failure::usage("the server of the page broke down", "start it again; this should not happen")),
    }
}

/// A game that is about to be shown.
pub(crate) struct Opened {
    pub(crate) sources: Sources,
    pub(crate) opening: Replay,
    pub(crate) sitters: Vec<Sitter>,
}

impl Opened {
    fn of(args: &Args) -> Result<Self, Failure> {
        let file = match &args.game {
            Some(path) => game_file(path)?,
            None => SourceFile { path: PathBuf::from("a new game"), text: USUAL.into() },
        };
        let mut opened = if file.text.starts_with(HEADER) {
            Self::of_save(file, &args.table)?
        } else {
            Self::of_wish(Wish::of_text(&file, &args.table)?)
        };
        if let Some(bots) = args.bots {
            opened.seat_bots(bots)?;
        }
        Ok(opened)
    }

    fn of_wish(wish: Wish) -> Self {
        let all = wish.bots.iter().all(Option::is_some);
        let sitter = |(seat, bot): (usize, Option<Bot>)| match bot {
            Some(bot) if !(all && seat == 0) => Sitter::Bot(bot),
            _ => Sitter::Person,
        };
        let sitters = wish.bots.into_iter().enumerate().map(sitter).collect();
        let opening = Replay { players: wish.players, seed: wish.seed, ..Replay::default() };
        Self { sources: wish.sources, opening, sitters }
    }

    /// The game of a save, for people.
    pub(crate) fn of_save(file: SourceFile, table: &TableArgs) -> Result<Self, Failure> {
        let saved = Saved::of_text(file)?;
        let request = saved.request(&table.search)?;
        let sources = Sources { request, search: table.search.clone() };
        Ok(Self { sources, opening: saved.replay, sitters: Vec::new() })
    }

    fn seat_bots(&mut self, bots: usize) -> Result<(), Failure> {
        let players = self.opening.players.len();
        let people = players.checked_sub(bots).ok_or_else(|| {
            let help = format!("write `--bots` with a number from 0 to {players}");
            Failure::usage(format!("there are {players} players, so there cannot be {bots} bots"), help)
        })?;
        self.sitters.resize(players, Sitter::Person);
        for (seat, sitter) in self.sitters.iter_mut().enumerate() {
            match sitter {
                _ if seat < people => *sitter = Sitter::Person,
                Sitter::Person => *sitter = Sitter::Bot(Bot::greedy()),
                Sitter::Bot(_) => {}
            }
        }
        Ok(())
    }
}

/// Who may sit at the table: the word of the page and what it stands for.
pub(crate) fn sitter(who: &str, seed: u64, player: PlayerId) -> Result<Sitter, String> {
    if who == PERSON {
        return Ok(Sitter::Person);
    }
    crate::setup::bot(who, seed, player).map(Sitter::Bot).map_err(|(message, help)| format!("{message}; {help}"))
}

/// True for the title of an expansion that games have without asking.
pub(crate) fn is_implied(session: &Session, title: &str) -> bool {
    let mut all = session.game().rules().expansions().iter();
    all.any(|expansion| expansion.title == title && IMPLIED.contains(&&*expansion.id))
}
