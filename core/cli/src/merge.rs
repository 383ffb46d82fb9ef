//! `trencavel merge`: shards of a campaign become one.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::simulate::store::{GAMES, HEAD, Head, SCORES, Store, broken};

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
    join(&shards, &first, &args.out).map_err(|error| broken(&args.out, &error.to_string()))?;
    Ok(writeln!(out, "{due} games of {} shards in {}", shards.len(), args.out.join(GAMES).display())?)
}

/// The head of a complete shard.
fn read(folder: &Path) -> Result<(Head, PathBuf), Failure> {
    let head = Head::read(folder)?.ok_or_else(|| broken(folder, "there is no campaign in it"))?;
    let slice = head.slice();
    let store = Store::open(folder, &head)?;
    let (there, all) = (store.rows.len() as u64, slice.end - slice.start);
    if there < all {
        let help = format!("finish it: {}", head.command);
        return Err(Failure::usage(format!("{}: {there} of {all} games are there", folder.display()), help));
    }
    Ok((head, folder.to_owned()))
}

/// Copies the tables behind each other; the head says that it is whole.
fn join(shards: &[(Head, PathBuf)], first: &Head, out: &Path) -> io::Result<()> {
    fs::create_dir_all(out)?;
    for name in [SCORES, GAMES] {
        let mut to = BufWriter::new(File::create(out.join(name))?);
        for (place, (_, folder)) in shards.iter().enumerate() {
            let mut from = BufReader::new(File::open(folder.join(name))?);
            let mut header = String::new();
            from.read_line(&mut header)?;
            if place == 0 {
                to.write_all(header.as_bytes())?;
            }
            io::copy(&mut from, &mut to)?;
        }
        to.into_inner()?.sync_all()?;
    }
    fs::write(out.join(HEAD), Head { shard: (1, 1), ..first.clone() }.text())
}
