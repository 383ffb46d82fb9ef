//! `trencavel perft PATH`: counts legal play for tables of stacks. The counting is `trencavel_play`'s; this module finds
//! the rules that the tables name.

use std::io::Write;
use std::path::{Path, PathBuf};

use trencavel_play::perft::{self, Names, PerftError, PerftOptions};
use trencavel_play::scenario::Wanted;

use crate::failure::Failure;
use crate::scenarios::rules;
use crate::search::Search;
use crate::setup::read;

/// What the tables of the other engine call our expansions.
const USUAL: &str = include_str!("../../../tests/perft/setups.toml");

/// Count legal play for tables of stacks and compare with the counts written there
///
/// The last line is `N rows equal, M differ, K unsupported`; the exit code is 1 if a row differs.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel perft tests/perft --limit 100000")]
pub(crate) struct Args {
    /// A table (`.tsv`) or a list (`.perft`), or a folder with such files
    #[arg(value_name = "PATH")]
    tables: PathBuf,
    /// Print the count below each first action too
    #[arg(long)]
    divide: bool,
    /// Leave out rows that count more than this
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// What tables call our expansions, options and figures [default: `names.toml` beside the tables, else the usual names]
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
    #[command(flatten)]
    search: Search,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let options = PerftOptions { limit: args.limit, divide: args.divide };
    let library = args.search.library()?;
    let load = |wanted: &Wanted| rules(wanted, &library);
    let summary = perft::run(&args.tables, options, &names(args)?, &load, out).map_err(broken)?;
    if summary.differ == 0 { Ok(()) } else { Err(Failure::Found) }
}

fn names(args: &Args) -> Result<Names, Failure> {
    let folder = if args.tables.is_dir() { &args.tables } else { args.tables.parent().unwrap_or(Path::new("")) };
    let beside = folder.join("names.toml");
    let file = args.names.clone().or_else(|| beside.is_file().then_some(beside));
    let text = file.as_ref().map_or(Ok(USUAL.to_owned()), |file| read(file))?;
    Names::parse(&text).map_err(|message| {
        let help = "names are tables `[sets]`, `[notes]` and `[figures]`";
        let file = file.as_deref().unwrap_or(Path::new("the usual names"));
        Failure::usage(format!("{}: {message}", file.display()), help)
    })
}

fn broken(error: PerftError) -> Failure {
    match error {
        PerftError::Io { source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe => Failure::Closed,
        other => Failure::usage(other.to_string(), "name a file or a folder of tables, and mend what is wrong in it"),
    }
}
