//! `trencavel print`: an expansion's tiles to print and cut out.

use std::io::Write;
use std::path::PathBuf;

use trencavel_host::resolve::Request;
use trencavel_rules::Ruleset;
use trencavel_view::print::{Paper, Print, sheets};
use trencavel_view::svg::Artist;

use crate::failure::Failure;
use crate::named::Named;
use crate::pictures::{gallery, write};
use crate::search::Search;
use crate::setup::load_from;

/// Make a PDF of an expansion's tiles, to print and cut out
///
/// Tiles are 45 mm wide, with bleed, cut marks and a line of 50 mm to measure. Pages with backs lie between; print on
/// both sides, turned over the long edge, at 100%. The list of tiles is the last page.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel print wells --paper a4 -o wells.pdf")]
pub(crate) struct Args {
    /// The expansion, or its folder
    name: String,
    /// What is printed on
    #[arg(long, value_enum, default_value = "a4")]
    paper: PaperName,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Set an option: `expansion.option=value`; may be repeated
    #[arg(long, value_name = "OPTION")]
    option: Vec<String>,
    #[command(flatten)]
    search: Search,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum PaperName {
    A4,
    Letter,
}

impl From<PaperName> for Paper {
    fn from(name: PaperName) -> Self {
        match name {
            PaperName::A4 => Self::A4,
            PaperName::Letter => Self::Letter,
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let named = Named::find(std::slice::from_ref(&args.name), &args.search)?;
    let id = named.ids.first().map_or("", String::as_str);
    let mut request = Request::default();
    request.with(id);
    for option in &args.option {
        request.option(option).map_err(|error| Failure::usage(error.to_string(), "write `expansion.option=value`"))?;
    }
    let rules = load_from(&request, &named.search)?.rules;
    let prints = prints(&rules, id);
    if prints.is_empty() {
        let help = "name one that brings tiles; `trencavel draw NAME -o NAME.png` shows what an expansion has";
        return Err(Failure::usage(format!("`{id}` has no tiles of its own"), help));
    }
    let title = rules.expansions().iter().find(|expansion| *expansion.id == *id);
    let title = title.map_or(id, |expansion| &expansion.title);
    let gallery = gallery(&named.library, &rules)?;
    let pdf = sheets(&Artist::new(&rules, &gallery), title, args.paper.into(), &prints);
    let pdf = pdf.map_err(|error| Failure::usage(error.to_string(), "repair the pictures of the expansion"))?;
    write(&args.output, &pdf)?;
    let tiles: usize = prints.iter().map(|print| usize::from(print.count)).sum();
    Ok(writeln!(out, "{}: {tiles} tiles of {} designs", args.output.display(), prints.len())?)
}

/// The tiles that an expansion brings, each pile with a back of its own.
fn prints(rules: &Ruleset, id: &str) -> Vec<Print> {
    let own = |name: &str| name.split_once(':').is_some_and(|(expansion, _)| expansion == id);
    let copies = rules.copies().iter().filter(|copies| own(&rules.tile(copies.tile).id) && copies.count > 0);
    let mut prints: Vec<Print> =
        copies.map(|copies| Print { tile: copies.tile, count: copies.count, back: copies.pile.index() }).collect();
    prints.sort_by_key(|print| (print.back, print.tile));
    prints
}
