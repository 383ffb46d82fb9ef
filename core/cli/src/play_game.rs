//! `trencavel run GAME.toml`: one complete game with bots, told turn by turn.

use std::io::Write;
use std::path::PathBuf;

use trencavel_host::Loaded;
use trencavel_play::telling::Names;
use trencavel_rules::hooks::{HookError, Scripts};
use trencavel_rules::{ActionError, Game, save};

use crate::failure::Failure;
use crate::narrate::Narrator;
use crate::report;
use crate::save_file;
use crate::setup::{Table, TableArgs, quoted};

/// Play a game with bots to the end; print the turns, the board, the scores and the ledger
///
/// The same game file, seed and options give the same output, byte for byte.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel run examples/constable.toml --seed 7 --without inn --save game.replay")]
pub(crate) struct Args {
    /// The game file: players, expansions, options
    game: PathBuf,
    #[command(flatten)]
    table: TableArgs,
    /// Write the game to this file, for `trencavel replay`
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Print neither the turns nor the board
    #[arg(long, conflicts_with = "json")]
    quiet: bool,
    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let mut table = Table::of_file(&args.game, &args.table)?;
    let mut scripts = table.loaded.scripts().map_err(Failure::problem)?;
    let names = Names(table.setup.players.clone());
    let mut game = table.begin(&mut scripts)?;
    let telling = !args.quiet && !args.json;
    let mut played = Played { narrator: telling.then(|| Narrator::new(names.clone())), ..Played::default() };
    let done = played.play_on(&mut game, &mut table, &mut scripts);
    // Before anything is printed: whoever stops reading gets the save, and that of a failed game shows the failure.
    if let Some(file) = &args.save {
        save_file::write(file, &save_file::replay_of(&table.loaded.lock, &table.setup, played.answers))?;
    }
    if args.json {
        done?;
        return Ok(writeln!(out, "{}", report::json(&game, &names, table.setup.seed).line())?);
    }
    begin(out, &table)?;
    if let Some(narrator) = &mut played.narrator {
        writeln!(out, "{}", narrator.finish())?;
    }
    done?;
    if telling {
        report::board(out, &game)?;
        writeln!(out)?;
    }
    report::scores(out, &game, &names)?;
    report::totals(out, &game, &names)?;
    writeln!(out, "digest: {}", report::digest(&game))?;
    again(out, args, table.setup.seed)
}

fn begin(out: &mut dyn Write, table: &Table) -> Result<(), Failure> {
    for note in &table.notes {
        writeln!(out, "note: {note}")?;
    }
    writeln!(out, "seed {}, expansions:", table.setup.seed)?;
    report::ruleset(out, &table.loaded.rules)?;
    Ok(writeln!(out)?)
}

/// What came of a game so far.
#[derive(Default)]
struct Played {
    narrator: Option<Narrator>,
    /// Every answer as a save writes it.
    answers: Vec<String>,
}

impl Played {
    fn play_on(&mut self, game: &mut Game, table: &mut Table, scripts: &mut dyn Scripts) -> Result<(), Failure> {
        if let Some(narrator) = &mut self.narrator {
            narrator.happened(game);
        }
        while !game.state().is_over() {
            let action = table.bots[game.state().decider().index()].choose(game, scripts);
            self.answers.push(save::answer_line(game, action));
            if let Some(narrator) = &mut self.narrator {
                narrator.choose(game, action);
            }
            game.apply(action, scripts).map_err(|error| failed(&error, &table.loaded))?;
            if let Some(narrator) = &mut self.narrator {
                narrator.happened(game);
            }
        }
        Ok(())
    }
}

/// Why an offered action did not happen.
pub(crate) fn failed(error: &ActionError, loaded: &Loaded) -> Failure {
    match error {
        ActionError::Hook(error) => Failure::hook(error, loaded),
        other => Failure::hook(&HookError::new(other.to_string()), loaded),
    }
}

/// How to see the same game once more.
fn again(out: &mut dyn Write, args: &Args, seed: u64) -> Result<(), Failure> {
    let game = quoted(&args.game.display().to_string());
    writeln!(out, "again: trencavel run {game} {}", args.table.words(seed))?;
    if let Some(file) = &args.save {
        let found = args.table.search.words();
        writeln!(out, "replay: trencavel replay {}{found}", quoted(&file.display().to_string()))?;
    }
    Ok(())
}
