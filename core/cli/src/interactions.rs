//! `trencavel interactions NAME…`: how expansions meet every other one, and what nobody has decided yet.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trencavel_host::library::Found;
use trencavel_rules::declare::Declaration;
use trencavel_rules::words::DeclKind;

use crate::failure::Failure;
use crate::html::{escaped, page};
use crate::json::Json;
use crate::matrix::{Meeting, Pair, meet};
use crate::named::Named;
use crate::new::write;
use crate::questions::{self, Answer, Sure};
use crate::search::Search;
use crate::setup::IMPLIED;

/// Compare expansions with all that are installed, by what they declare
///
/// A line for each other expansion: untouched, combined (the kinds of their hooks say how), known (one has rules or words
/// for the other), ordered, excluded, OPEN or CONTRADICT. Then the standard questions for each figure, answered as
/// declared, by default, or OPEN. The exit code is 1 if something is OPEN or contradicts.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel interactions constable --html constable.html")]
pub(crate) struct Args {
    /// Expansions, by id or by the path of their folder
    #[arg(required = true)]
    names: Vec<String>,
    /// Write the same as a page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    search: Search,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// An expansion among all others.
struct Report {
    found: Arc<Found>,
    pairs: Vec<Pair>,
    /// Questions by figure.
    figures: Vec<(String, Vec<Answer>)>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let named = Named::find(&args.names, &args.search)?;
    let reports = named.ids.iter().map(|id| report(id, &named)).collect::<Result<Vec<_>, _>>()?;
    if args.json {
        writeln!(out, "{}", Json::List(reports.iter().map(Report::json).collect()).line())?;
    } else {
        reports.iter().try_for_each(|report| report.print(out))?;
    }
    if let Some(file) = &args.html {
        let body: String = reports.iter().map(Report::html).collect();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let folder = file.parent().unwrap_or(Path::new(""));
        write(folder, &name, &page("Interactions", "", &body))?;
    }
    if reports.iter().all(|report| report.open() == 0) { Ok(()) } else { Err(Failure::Found) }
}

fn report(id: &str, named: &Named) -> Result<Report, Failure> {
    let Some(found) = named.library.get(id) else {
        return Err(Failure::Problems(named.library.broken(id).unwrap_or_default().to_vec()));
    };
    let others = named.library.iter().map(|other| other.manifest.id.as_str());
    let others = others.filter(|other| *other != id && !IMPLIED.contains(other));
    let pairs: Vec<Pair> = others.map(|other| meet(id, other, &named.library)).collect();
    let own = own_figures(id, &pairs);
    let said = |other: &str| {
        let other = named.library.get(other)?;
        found.manifest.interactions.get(&other.manifest.id).or_else(|| other.manifest.interactions.get(id)).cloned()
    };
    let figures = own.iter().map(|figure| (figure.id.clone(), questions::about(figure, &pairs, &said))).collect();
    Ok(Report { found: Arc::clone(found), pairs, figures })
}

/// The figures of an expansion, as it declares them beside any other.
fn own_figures(id: &str, pairs: &[Pair]) -> Vec<Declaration> {
    let first = pairs.iter().find(|pair| !pair.declared.is_empty());
    let own = first.into_iter().flat_map(|pair| &pair.declared);
    own.filter(|one| one.expansion == id && one.kind == DeclKind::Figure).cloned().collect()
}

impl Report {
    /// How much is open or contradicts.
    fn open(&self) -> usize {
        let meetings =
            self.pairs.iter().filter(|pair| matches!(pair.meeting, Meeting::Open | Meeting::Contradict)).count();
        let answers = self.figures.iter().flat_map(|(_, answers)| answers);
        meetings + answers.filter(|answer| answer.sure == Sure::Open).count()
    }

    fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let manifest = &self.found.manifest;
        writeln!(out, "{} {} beside {} others", manifest.id, manifest.version, self.pairs.len())?;
        for pair in &self.pairs {
            writeln!(out, "{}", format!("  {:<22} {:<10} {}", pair.other, pair.meeting, pair.why).trim_end())?;
        }
        for (figure, answers) in &self.figures {
            writeln!(out, "\nfigure {figure}")?;
            for answer in answers {
                writeln!(out, "  {}", answer.question)?;
                writeln!(out, "    {:<8} {}, {}", answer.sure, answer.answer, answer.place)?;
            }
        }
        Ok(writeln!(out, "\n{}: {} open", manifest.id, self.open())?)
    }

    fn html(&self) -> String {
        let manifest = &self.found.manifest;
        let mut text = format!("<h1>{}</h1>\n<table>\n<tr><th>beside<th>they<th>why</tr>\n", escaped(&manifest.title));
        for pair in &self.pairs {
            let meeting = pair.meeting.to_string();
            text += &format!(
                "<tr class=\"{}\"><td>{}<td>{meeting}<td>{}</tr>\n",
                meeting.to_lowercase(),
                escaped(&pair.other),
                escaped(&pair.why)
            );
        }
        text += "</table>\n";
        for (figure, answers) in &self.figures {
            text += &format!(
                "<h2>Figure {}</h2>\n<table>\n<tr><th>question<th>answer<th>as<th>where</tr>\n",
                escaped(figure)
            );
            for answer in answers {
                text += &format!(
                    "<tr class=\"{}\"><td>{}<td>{}<td>{}<td>{}</tr>\n",
                    answer.sure.to_string().to_lowercase(),
                    escaped(&answer.question),
                    escaped(&answer.answer),
                    answer.sure,
                    escaped(&answer.place)
                );
            }
            text += "</table>\n";
        }
        text
    }

    fn json(&self) -> Json {
        let pair = |pair: &Pair| {
            Json::Object(vec![
                ("other", Json::text(&pair.other)),
                ("meeting", Json::text(pair.meeting.to_string())),
                ("why", Json::text(&pair.why)),
            ])
        };
        let answers =
            self.figures.iter().flat_map(|(figure, answers)| answers.iter().map(move |answer| (figure, answer)));
        let answer = |(figure, answer): (&String, &Answer)| {
            Json::Object(vec![
                ("figure", Json::text(figure)),
                ("question", Json::text(&answer.question)),
                ("answer", Json::text(&answer.answer)),
                ("as", Json::text(answer.sure.to_string())),
                ("place", Json::text(&answer.place)),
            ])
        };
        Json::Object(vec![
            ("id", Json::text(&self.found.manifest.id)),
            ("pairs", Json::List(self.pairs.iter().map(pair).collect())),
            ("questions", Json::List(answers.map(answer).collect())),
            ("open", Json::Int(self.open() as i64)),
        ])
    }
}
