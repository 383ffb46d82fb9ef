//! `trencavel merge`: shards of a campaign become one.

use std::io::Write;
use std::path::{Path, PathBuf};

use trencavel_play::rows::Rows;

use crate::failure::Failure;
use crate::simulate::head::{Format, Head};
use crate::simulate::store::{self, Store, broken};

/// Games that are written together.
const TOGETHER: usize = 1000;

/// Put shards of a campaign together
///
/// The result is what a single run would have written. Shards may be given in any order; each must be complete.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel merge shard-* --out campaign")]
pub(crate) struct Args {
    /// Folders of `trencavel simulate --shard`
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How to write rows; as the shards are written without it
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let mut shards = args.shards.iter().map(|folder| read(folder)).collect::<Result<Vec<_>, _>>()?;
    shards.sort_by_key(|(head, _)| head.slice().start);
    let Some((first, _)) = shards.first().cloned() else { return Ok(()) };
    let mut due = 0;
    for (head, folder) in &shards {
        if !head.is_same_campaign(&first) {
            return Err(broken(folder, "it is of another campaign"));
        }
        let slice = head.slice();
        if slice.start != due {
            let what = if slice.start < due { "was given twice" } else { "is missing before it" };
            return Err(broken(
                folder,
                &format!("a shard {what}: game {} is due, it begins with {}", due, slice.start),
            ));
        }
        due = slice.end;
    }
    if due != first.games {
        return Err(broken(&args.out, &format!("the last shard is missing: {due} of {} games are there", first.games)));
    }
    let whole = Head { shard: (1, 1), format: args.format.unwrap_or(first.format), ..first };
    join(&shards, &whole, &args.out)?;
    let place = store::place(&args.out, &whole);
    Ok(writeln!(out, "{due} games of {} shards in {}", shards.len(), place.display())?)
}

/// The head of a shard.
fn read(folder: &Path) -> Result<(Head, PathBuf), Failure> {
    let head = Head::read(folder)?.ok_or_else(|| broken(folder, "there is no campaign in it"))?;
    Ok((head, folder.to_owned()))
}

/// Writes the games of all shards, each of which must be complete. What an earlier attempt wrote is kept.
fn join(shards: &[(Head, PathBuf)], whole: &Head, out: &Path) -> Result<(), Failure> {
    let mut to = Store::open(out, whole, &mut |_| {})?;
    let mut together: Vec<Rows> = Vec::new();
    for (head, folder) in shards {
        let mut due = head.slice().start;
        store::each(folder, head, &mut |rows| {
            if rows.game.game != due {
                return Err(broken(folder, &format!("game {due} is due, game {} is there", rows.game.game)));
            }
            due += 1;
            if rows.game.game >= to.next() + together.len() as u64 {
                together.push(rows);
            }
            if together.len() < TOGETHER {
                return Ok(());
            }
            to.append(&together)?;
            together.clear();
            Ok(())
        })?;
        let slice = head.slice();
        if due < slice.end {
            let (there, all) = (due - slice.start, slice.end - slice.start);
            let help = format!("finish it: {}", head.command);
            return Err(Failure::usage(format!("{}: {there} of {all} games are there", folder.display()), help));
        }
    }
    to.append(&together)?;
    to.finish()
}
