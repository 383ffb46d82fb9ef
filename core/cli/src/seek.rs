//! `trencavel seek`: the next seed whose game shows what is looked for. For examples and scenarios.

use std::io::Write;
use std::path::PathBuf;

use trencavel_play::bots::{playout, random_table};
use trencavel_rules::ids::{CauseId, FigureKindId};
use trencavel_rules::words::EventKind;
use trencavel_rules::{Game, Ruleset, State, ledger};

use crate::failure::Failure;
use crate::json::Json;
use crate::play_game::failed;
use crate::setup::{Table, TableArgs};

/// Find the next seed whose game shows everything that is looked for
///
/// Plays games with random bots from the game file's seed on; prints the first seed that fulfils every condition.
#[derive(Debug, clap::Args)]
#[command(
    hide = true,
    after_help = "Example: trencavel seek examples/base.toml --event deployed:follower --ledger pennants"
)]
pub(crate) struct Args {
    /// The game file
    game: PathBuf,
    #[command(flatten)]
    table: TableArgs,
    /// An event, perhaps with a cause or a kind of figure: `returned:scored`; may be repeated
    #[arg(long, value_name = "EVENT[:WORD]")]
    event: Vec<String>,
    /// Words of a score line that is worth something; may be repeated
    #[arg(long, value_name = "TEXT")]
    ledger: Vec<String>,
    /// Give up after this many seeds
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    limit: u64,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// An event that is looked for.
struct Wanted {
    kind: EventKind,
    word: Option<Word>,
}

/// What is said of it.
enum Word {
    Cause(CauseId),
    Figure(FigureKindId),
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let mut table = Table::of_file(&args.game, &args.table)?;
    let wanted =
        args.event.iter().map(|text| Wanted::parse(text, &table.loaded.rules)).collect::<Result<Vec<_>, _>>()?;
    let mut scripts = table.loaded.scripts().map_err(Failure::problem)?;
    let first = table.setup.seed;
    for seed in (first..=u64::MAX).take(usize::try_from(args.limit).unwrap_or(usize::MAX)) {
        table.setup.seed = seed;
        let mut game = table.begin(&mut scripts)?;
        let mut bots = random_table(seed, table.setup.players.len());
        playout(&mut game, &mut bots, &mut scripts).map_err(|error| failed(&error, &table.loaded))?;
        if wanted.iter().all(|wanted| wanted.is_in(game.state()))
            && args.ledger.iter().all(|text| is_scored(&game, text))
        {
            let tried = seed - first + 1;
            let found = Json::Object(vec![("seed", Json::text(seed.to_string())), ("tried", Json::Int(tried as i64))]);
            return Ok(if args.json { writeln!(out, "{}", found.line()) } else { writeln!(out, "{seed}") }?);
        }
    }
    writeln!(out, "none of {} seeds from {first} on", args.limit)?;
    Err(Failure::Found)
}

impl Wanted {
    fn parse(text: &str, rules: &Ruleset) -> Result<Self, Failure> {
        let (kind, word) = text.split_once(':').map_or((text, None), |(kind, word)| (kind, Some(word)));
        let kind = kind.parse().map_err(|error: trencavel_rules::words::UnknownWord| {
            Failure::usage(error.to_string(), "write for example `--event returned:scored`")
        })?;
        let meaning = |word: &str| {
            let cause = rules.cause_by_word(word).map(Word::Cause);
            cause.or_else(|| rules.figure_by_name(word).map(Word::Figure)).ok_or_else(|| {
                let message = format!("`{word}` is neither a cause nor a kind of figure of this game");
                Failure::usage(message, "switch the expansion on that declares it, or leave the word out")
            })
        };
        Ok(Self { kind, word: word.map(meaning).transpose()? })
    }

    fn is_in(&self, state: &State) -> bool {
        state.events().iter().filter(|event| event.kind == self.kind).any(|event| match self.word {
            None => true,
            Some(Word::Cause(cause)) => event.cause == cause,
            Some(Word::Figure(kind)) => event.figure_kind == kind,
        })
    }
}

fn is_scored(game: &Game, text: &str) -> bool {
    let (rules, state) = (game.rules(), game.state());
    state.lines().iter().any(|line| line.points != 0 && ledger::words(rules, state, line).contains(text))
}
