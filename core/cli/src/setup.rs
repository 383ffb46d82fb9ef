//! From a game file and the command line to a table that a game can begin at.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use trencavel_host::diagnostic::{Diagnostic, SourceFile, nearest};
use trencavel_host::game_file::GameFile;
use trencavel_host::library::{Bundle, Found, Library, LinkedIn, Notice, Presence};
use trencavel_host::options::OptionValue;
use trencavel_host::resolve::{Request, Resolved, content_hash};
use trencavel_host::{LinkedExpansion, Loaded, load};
use trencavel_play::bots::{self, Bot};
use trencavel_rules::declare::RulesetBuilder;
use trencavel_rules::hooks::Scripts;
use trencavel_rules::ids::PlayerId;
use trencavel_rules::save::HEADER;
use trencavel_rules::{Game, Setup, SetupError};

use crate::failure::Failure;
use crate::search::Search;

/// The expansions of `scripts/` as they were when the program was built.
pub(crate) const BUNDLE: Bundle = include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

/// The games of `examples/` as they were when the program was built: (name, text).
const GAMES: Bundle = include!(concat!(env!("OUT_DIR"), "/games.rs"));

/// Ids of the expansions that games have without asking.
pub(crate) const IMPLIED: &[&str] = &[trencavel_base::ID];

/// What the command line changes of a game file.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct TableArgs {
    /// Decides the order of the tiles and every other chance; a whole number
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Switch these expansions on (`a,b`)
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub(crate) with: Vec<String>,
    /// Switch these expansions off (`a,b`)
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub(crate) without: Vec<String>,
    /// Switch every expansion off but these and what they need (`a,b`)
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Set an option: `expansion.option=value`; may be repeated
    #[arg(long, value_name = "OPTION")]
    pub(crate) option: Vec<String>,
    #[command(flatten)]
    pub(crate) search: Search,
}

impl TableArgs {
    /// The same on a command line, with this seed.
    pub(crate) fn words(&self, seed: u64) -> String {
        let mut words = vec!["--seed".to_owned(), seed.to_string()];
        for (flag, ids) in [("--only", &self.only), ("--with", &self.with), ("--without", &self.without)] {
            if !ids.is_empty() {
                words.extend([flag.to_owned(), quoted(&ids.join(","))]);
            }
        }
        for option in &self.option {
            words.extend(["--option".to_owned(), quoted(option)]);
        }
        words.join(" ") + &self.search.words()
    }
}

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./,=:+@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Where the rules of a game come from. They can be loaded again when their files have changed.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    pub(crate) request: Request,
    pub(crate) search: Search,
}

impl Sources {
    /// The rules as the files say now.
    pub(crate) fn load(&self) -> Result<Loaded, Failure> {
        load_from(&self.request, &self.search)
    }
}

/// What a game file and the command line ask for, before anything is loaded.
pub(crate) struct Wish {
    pub(crate) sources: Sources,
    pub(crate) seed: u64,
    pub(crate) players: Vec<String>,
    /// The bots that the file names, by player.
    pub(crate) bots: Vec<Option<Bot>>,
}

impl Wish {
    /// What the text of a game file asks for, changed by the command line.
    pub(crate) fn of_text(file: &SourceFile, args: &TableArgs) -> Result<Self, Failure> {
        if file.text.starts_with(HEADER) {
            let help = format!("to play it again: `trencavel replay {}`", file.path.display());
            return Err(Failure::usage(format!("{} is a save, not a game file", file.path.display()), help));
        }
        let game = GameFile::parse(file).map_err(Failure::Problems)?;
        let mut request = Request::from_game(&game);
        change(&mut request, args)?;
        let seed = args.seed.or(game.seed).unwrap_or_else(any_seed);
        let bots = seat_bots(&game, seed)?;
        let sources = Sources { request, search: args.search.clone() };
        let players = game.players.into_iter().map(|player| player.name).collect();
        Ok(Self { sources, seed, players, bots })
    }
}

/// Rules, players and bots, ready to play.
pub(crate) struct Table {
    pub(crate) loaded: Loaded,
    pub(crate) setup: Setup,
    pub(crate) bots: Vec<Bot>,
    /// What is worth knowing before the game, a sentence each.
    pub(crate) notes: Vec<String>,
}

impl Table {
    /// The table of a game file, or of a game that came with the program, changed by the command line.
    pub(crate) fn of_file(file: &Path, args: &TableArgs) -> Result<Self, Failure> {
        Self::of_text(&game_file(file)?, args)
    }

    /// The same of a text that may not be a file.
    pub(crate) fn of_text(file: &SourceFile, args: &TableArgs) -> Result<Self, Failure> {
        let wish = Wish::of_text(file, args)?;
        let loaded = wish.sources.load()?;
        let mut notes = Vec::new();
        let mut bots = Vec::new();
        for (seat, (bot, name)) in wish.bots.into_iter().zip(&wish.players).enumerate() {
            bots.push(bot.unwrap_or_else(|| {
                notes.push(format!("{name} has no `bot`; a random one plays"));
                Bot::random(wish.seed, PlayerId::from_index(seat))
            }));
        }
        notes.extend(loaded.notices.iter().map(|notice| notice.text.clone()));
        let intents = loaded.lock.limits.of_decisions();
        Ok(Self {
            setup: Setup { players: wish.players, seed: wish.seed, intents, ..Setup::default() },
            loaded,
            bots,
            notes,
        })
    }

    /// The game before its first decision.
    pub(crate) fn begin(&self, scripts: &mut dyn Scripts) -> Result<Game, Failure> {
        begin(&self.loaded, &self.setup, scripts)
    }
}

/// The game before its first decision.
pub(crate) fn begin(loaded: &Loaded, setup: &Setup, scripts: &mut dyn Scripts) -> Result<Game, Failure> {
    Game::from_setup(Arc::clone(&loaded.rules), setup, scripts).map_err(|error| match error {
        SetupError::Hook(error) => Failure::hook(&error, loaded),
        other => Failure::problem(Diagnostic::new("C005", other.to_string())),
    })
}

/// Resolves a request against everything on the search path, and freezes the rules.
pub(crate) fn load_from(request: &Request, search: &Search) -> Result<Loaded, Failure> {
    load_within(request, &search.library()?)
}

/// The same against a library that was read already.
pub(crate) fn load_within(request: &Request, library: &Library) -> Result<Loaded, Failure> {
    let mut loaded = load(request, library, &linked()).map_err(Failure::Problems)?;
    if !loaded.notices.is_empty() {
        loaded.notices = worth_telling(library, &loaded);
    }
    Ok(loaded)
}

/// Whether an expansion is one of those that came with the program, with the same rules.
pub(crate) fn is_bundled(found: &Found) -> bool {
    let bundled = Library::new(&[], BUNDLE, &[]);
    bundled.get(&found.manifest.id).is_some_and(|own| content_hash(own) == content_hash(found))
}

/// The notices without those on the search path that do not matter here: which expansion hides another one that is not
/// in this game, or that is bundled and has the same rules.
fn worth_telling(library: &Library, loaded: &Loaded) -> Vec<Notice> {
    let bundled = Library::new(&[], BUNDLE, &[]);
    let same = |one: &Resolved| bundled.get(one.id()).is_some_and(|found| content_hash(found) == one.hash);
    let differing: Vec<&Resolved> = loaded.resolution.expansions.iter().filter(|one| !same(one)).collect();
    let matters = |notice: &Notice| differing.iter().any(|one| notice.text.starts_with(&format!("`{}` is ", one.id())));
    loaded.notices.iter().filter(|notice| !library.notices().contains(notice) || matters(notice)).cloned().collect()
}

/// The expansions that are compiled into the program.
pub(crate) fn linked() -> [LinkedExpansion; 1] {
    let base = LinkedIn { folder: "plugins/base", files: trencavel_base::FILES, presence: Presence::Implied };
    [LinkedExpansion { linked: base, declare: declare_base }]
}

fn declare_base(builder: &mut RulesetBuilder, options: &BTreeMap<String, OptionValue>) {
    trencavel_base::declare(builder, &|name| options.get(name).map_or_else(String::new, ToString::to_string));
}

/// No game file, scenario or save is larger.
const MAX_BYTES: u64 = 16 << 20;

/// The text of a file that was named on the command line.
pub(crate) fn read(file: &Path) -> Result<String, Failure> {
    let refused = |what: String, help: &str| Failure::usage(format!("{} {what}", file.display()), help);
    let help = "name a file that is there and holds text";
    let mut bytes = Vec::new();
    let all = fs::File::open(file).and_then(|opened| opened.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    all.map_err(|error| refused(format!("cannot be read: {error}"), help))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused(
            format!("is larger than {} MiB", MAX_BYTES >> 20),
            "name a game file, a scenario or a save",
        ));
    }
    // Some editors begin a text with an invisible mark.
    let begin = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    String::from_utf8(bytes.split_off(begin))
        .map_err(|_| refused("cannot be read: it is no text in UTF-8".to_owned(), help))
}

/// The text of a game: of a file, or of one that came with the program, by its name or as it is called in `examples/`.
pub(crate) fn game_file(file: &Path) -> Result<SourceFile, Failure> {
    if let Some((name, text)) = bundled_game(file).filter(|_| !file.is_file()) {
        return Ok(SourceFile { path: Path::new("bundled").join(format!("{name}.toml")), text: (*text).into() });
    }
    fs::metadata(file).map_err(|error| {
        let names: Vec<&str> = GAMES.iter().map(|(name, _)| *name).collect();
        let help = format!("name a file that is there, or a game that came with the program: {}", names.join(", "));
        Failure::usage(format!("{} cannot be read: {error}", file.display()), help)
    })?;
    let text = read(file)?;
    Ok(SourceFile { path: file.to_owned(), text: text.into() })
}

/// True for a file, and for what is called like the file of a game that came with the program.
pub(crate) fn is_file(path: &Path) -> bool {
    path.is_file() || path.extension().is_some_and(|end| end == "toml") && bundled_game(path).is_some()
}

fn bundled_game(file: &Path) -> Option<&'static (&'static str, &'static str)> {
    let name = file.strip_prefix("examples").unwrap_or(file).to_str()?;
    GAMES.iter().find(|(known, _)| *known == name.strip_suffix(".toml").unwrap_or(name))
}

fn change(request: &mut Request, args: &TableArgs) -> Result<(), Failure> {
    if !args.only.is_empty() {
        request.only(&args.only.iter().map(String::as_str).collect::<Vec<_>>());
    }
    args.with.iter().for_each(|id| request.with(id));
    args.without.iter().for_each(|id| request.without(id));
    for option in &args.option {
        request
            .option(option)
            .map_err(|error| Failure::usage(error.to_string(), "write for example `--option base.farmers=false`"))?;
    }
    Ok(())
}

/// The bots that a game file names, by player.
fn seat_bots(game: &GameFile, seed: u64) -> Result<Vec<Option<Bot>>, Failure> {
    let (mut bots, mut problems) = (Vec::new(), Vec::new());
    for (seat, player) in game.players.iter().enumerate() {
        let bot = player.bot.as_deref().map(|name| bot(name, seed, PlayerId::from_index(seat)));
        match bot.transpose() {
            Ok(bot) => bots.push(bot),
            Err((message, help)) => {
                problems.push(Diagnostic::new("C001", message).at(&game.file, player.span.clone()).help(help));
            }
        }
    }
    if problems.is_empty() { Ok(bots) } else { Err(Failure::Problems(problems)) }
}

/// The bot of this name, or the fact that there is none and what to do.
pub(crate) fn bot(name: &str, seed: u64, player: PlayerId) -> Result<Bot, (String, String)> {
    Bot::by_name(name, seed, player).ok_or_else(|| {
        let near = nearest(name, bots::NAMES.iter().copied());
        let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        (format!("there is no bot `{name}`"), format!("{near}bots: {}", bots::NAMES.join(", ")))
    })
}

/// A seed for people who do not care; it is printed, so the game can be played again.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |time| u64::from(time.subsec_nanos()) ^ (time.as_secs() & 0xffff))
}
