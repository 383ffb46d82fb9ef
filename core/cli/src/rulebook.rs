//! `trencavel rulebook`: the rules of exactly this mix, as one page to read or print.

mod examples;

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html as markdown};
use trencavel_host::Loaded;
use trencavel_host::library::Library;
use trencavel_host::resolve::{Request, Resolved};
use trencavel_rules::ids::{StepId, TileDefId};
use trencavel_rules::{Ruleset, short};
use trencavel_view::art::Gallery;
use trencavel_view::svg::{Artist, Drawing};

use crate::failure::Failure;
use crate::html::{escaped, page};
use crate::named::Named;
use crate::pictures::{gallery, write};
use crate::search::Search;
use crate::setup::{Table, TableArgs, is_file, load_from};

/// Write the rules of a mix as one page: texts, options, the order of the turn, examples with pictures
///
/// The texts are the READMEs of the expansions; examples are their scenarios, as they come out with these options.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel rulebook examples/constable.toml -o rules.html")]
pub(crate) struct Args {
    /// A game file, or an expansion
    what: String,
    /// The page to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Pictures of examples for each expansion
    #[arg(long, value_name = "N", default_value_t = 3)]
    examples: usize,
    #[command(flatten)]
    table: TableArgs,
}

/// What the page is about.
struct Book<'a> {
    loaded: &'a Loaded,
    gallery: &'a Gallery,
    library: &'a Library,
    examples: usize,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let (loaded, search, title) = mix(args)?;
    let library = search.library()?;
    let gallery = gallery(&library, &loaded.rules)?;
    let book = Book { loaded: &loaded, gallery: &gallery, library: &library, examples: args.examples };
    let html = page(&title, &book.contents(), &book.body(&title));
    write(&args.output, html.as_bytes())?;
    let expansions = loaded.resolution.expansions.len();
    Ok(writeln!(out, "{}: the rules of {expansions} expansions", args.output.display())?)
}

/// The rules that are meant, where their expansions are looked for, and what they are called.
fn mix(args: &Args) -> Result<(Loaded, Search, String), Failure> {
    let path = Path::new(&args.what);
    if is_file(path) {
        let table = Table::of_file(path, &args.table)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        return Ok((table.loaded, args.table.search.clone(), format!("The rules of {name}")));
    }
    let named = Named::find(std::slice::from_ref(&args.what), &args.table.search)?;
    let id = named.ids.first().map_or("", String::as_str);
    let mut request = Request::default();
    request.with(id);
    args.table.with.iter().for_each(|id| request.with(id));
    args.table.without.iter().for_each(|id| request.without(id));
    for option in &args.table.option {
        request.option(option).map_err(|error| Failure::usage(error.to_string(), "write `expansion.option=value`"))?;
    }
    let loaded = load_from(&request, &named.search)?;
    let found = loaded.resolution.expansions.iter().find(|one| one.id() == id);
    let title = found.map_or_else(|| id.to_owned(), |one| one.found.manifest.title.clone());
    Ok((loaded, named.search, title))
}

impl Book<'_> {
    fn rules(&self) -> &Ruleset {
        &self.loaded.rules
    }

    /// Links to every chapter.
    fn contents(&self) -> String {
        let link = |id: &str, title: &str| format!("<a href=\"#{}\">{}</a><br>\n", escaped(id), escaped(title));
        let chapters = self.loaded.resolution.expansions.iter();
        link("turn", "The order of the turn")
            + &chapters.map(|one| link(one.id(), &one.found.manifest.title)).collect::<String>()
    }

    fn body(&self, title: &str) -> String {
        let mut html = format!("<h1>{}</h1>\n{}{}", escaped(title), self.summary(), self.turn());
        for one in &self.loaded.resolution.expansions {
            html += &self.chapter(one);
        }
        html + "<style>.examples figure{break-inside:avoid}.examples img,.tiles img{max-width:100%}section{break-before:page}@media print{nav{display:none}}</style>\n"
    }

    /// The expansions with their versions.
    fn summary(&self) -> String {
        let line = |one: &Resolved| {
            let manifest = &one.found.manifest;
            let source = manifest.source.as_deref().map_or_else(String::new, |source| format!(", {}", escaped(source)));
            format!("<li>{} {}{source}</li>\n", escaped(&manifest.title), manifest.version)
        };
        let lines: String = self.loaded.resolution.expansions.iter().map(line).collect();
        format!("<p>These are the rules of this mix, with the options as they are set:</p>\n<ul>\n{lines}</ul>\n")
    }

    /// The order of the turn as it was resolved.
    fn turn(&self) -> String {
        let mut html = String::from("<h2 id=\"turn\">The order of the turn</h2>\n");
        for (list, steps) in self.rules().order() {
            if steps.is_empty() {
                continue;
            }
            let lines: String = steps.iter().map(|step| self.step(*step)).collect();
            // A String takes everything.
            let _ = write!(html, "<p>{}:</p>\n<ol>\n{lines}</ol>\n", capital(list));
        }
        html
    }

    fn step(&self, step: StepId) -> String {
        let rules = self.rules();
        let whose = |name: &str| match name.split_once(':') {
            Some(("core", _)) | None => String::new(),
            Some((expansion, _)) => format!(" <small>({})</small>", escaped(expansion)),
        };
        let name = rules.step_name(step);
        let mut can: Vec<String> = rules
            .deployed_in(step)
            .map(|kind| format!("deploy {}", words(short(&rules.figure_kind(kind).name))))
            .collect();
        for hook in rules.offers_in(step) {
            let hook = rules.hook(hook);
            can.push(format!("{}{}", words(short(&hook.name)), whose(&hook.name)));
        }
        can.dedup();
        let can = if can.is_empty() { String::new() } else { format!(": {}", can.join(", ")) };
        format!("<li><b>{}</b>{}{can}</li>\n", words(short(name)), whose(name))
    }

    /// An expansion: its text, its options, its tiles, examples.
    fn chapter(&self, one: &Resolved) -> String {
        let manifest = &one.found.manifest;
        let mut html = format!("<section id=\"{}\">\n", escaped(one.id()));
        match one.found.files.get("README.md") {
            Some(file) => html += &rendered(&file.text),
            None => html += &format!("<h2>{}</h2>\n", escaped(&manifest.title)),
        }
        html += &options(one);
        for (other, words) in manifest.interactions.iter().filter(|(other, _)| self.plays(other)) {
            html += &format!("<p>With {}: {}</p>\n", escaped(other), escaped(words));
        }
        html += &self.tiles(one);
        html += &examples::of(self, one);
        html + "</section>\n"
    }

    fn plays(&self, id: &str) -> bool {
        self.loaded.resolution.expansions.iter().any(|one| one.id() == id)
    }

    /// A sheet of the tiles of an expansion that are in the pack.
    fn tiles(&self, one: &Resolved) -> String {
        let rules = self.rules();
        let own = |id: &str| id.split_once(':').is_some_and(|(expansion, _)| expansion == one.id());
        let mut tiles: Vec<TileDefId> =
            rules.copies().iter().map(|copies| copies.tile).filter(|tile| own(&rules.tile(*tile).id)).collect();
        tiles.sort_unstable();
        tiles.dedup();
        if tiles.is_empty() {
            return String::new();
        }
        let sheet = Artist::new(rules, self.gallery).sheet(&one.found.manifest.title, &tiles, &[]);
        format!("<h3>Its tiles</h3>\n<p class=\"tiles\">{}</p>\n", image(&sheet, &format!("Tiles of {}", one.id())))
    }
}

/// The options of an expansion with their values.
fn options(one: &Resolved) -> String {
    let declared = &one.found.manifest.options;
    if declared.is_empty() {
        return String::new();
    }
    let mut rows = String::new();
    for option in declared {
        let value = one.options.get(&option.name).unwrap_or(&option.default).to_string();
        let usual = if option.default.to_string() == value { " (as usual)" } else { "" };
        let cells = [&option.text, &option.name, &value, &option.kind.to_string()].map(|cell| escaped(cell));
        let [text, name, value, kind] = cells;
        // A String takes everything.
        let _ = writeln!(
            rows,
            "<tr><td>{text}</td><td><code>{name}</code></td><td><b>{value}</b>{usual}</td><td>{kind}</td></tr>"
        );
    }
    format!(
        "<h3>Options of this game</h3>\n<table>\n<tr><th>what</th><th>option</th><th>value</th><th>may be</th></tr>\n{rows}</table>\n"
    )
}

/// Markdown as HTML, with headings one level down. HTML in it is shown as it is written; pictures and links to files are
/// left out, because they are not beside this page.
fn rendered(text: &str) -> String {
    let mut kept = Vec::new();
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Start(Tag::Link { ref dest_url, .. }) => {
            kept.push(dest_url.starts_with("https://"));
            kept.last().is_some_and(|keep| *keep).then_some(event)
        }
        Event::End(TagEnd::Link) => kept.pop().unwrap_or(false).then_some(event),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::Heading { level, id, classes, attrs }) => {
            Some(Event::Start(Tag::Heading { level: lower(level), id, classes, attrs }))
        }
        Event::End(TagEnd::Heading(level)) => Some(Event::End(TagEnd::Heading(lower(level)))),
        other => Some(other),
    });
    let mut html = String::new();
    markdown::push_html(&mut html, events);
    html
}

fn lower(level: pulldown_cmark::HeadingLevel) -> pulldown_cmark::HeadingLevel {
    use pulldown_cmark::HeadingLevel::{H2, H3, H4, H5, H6};
    [H2, H3, H4, H5, H6, H6][(level as usize - 1).min(5)]
}

/// A drawing inside the page; nothing in it meets names of other drawings.
fn image(drawing: &Drawing, alt: &str) -> String {
    let mut data = String::new();
    for letter in drawing.svg().chars() {
        match letter {
            '%' => data += "%25",
            '#' => data += "%23",
            '"' => data += "%22",
            '<' => data += "%3C",
            '>' => data += "%3E",
            '&' => data += "%26",
            '\n' => data += "%0A",
            other => data.push(other),
        }
    }
    format!("<img alt=\"{}\" src=\"data:image/svg+xml;charset=utf-8,{data}\">", escaped(alt))
}

/// An id as people read it.
fn words(id: &str) -> String {
    escaped(&id.replace(['_', '-'], " "))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readmes_bring_no_html_and_no_links_to_files() {
        let html = rendered("# Wells\n\na <script>x</script> [b](rules.lua) [c](https://example.org) ![d](d.png)\n");
        assert_eq!(
            html,
            "<h2>Wells</h2>\n<p>a &lt;script&gt;x&lt;/script&gt; b <a href=\"https://example.org\">c</a> d</p>\n"
        );
    }
}
