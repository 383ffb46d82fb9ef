//! `trencavel docs DIR`: the manual as pages that need nothing from anywhere else.

mod pages;

use std::io::Write;
use std::path::PathBuf;

use crate::editor::api;
use crate::failure::Failure;
use crate::html::{escaped, page};
use crate::new::write;
use crate::search::Search;
use pages::{Page, expansions, guide, hooks};

/// Build the manual: tutorial, a page for each hook and each expansion, formats, embedding
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel docs manual")]
pub(crate) struct Args {
    /// Where to write it
    #[arg(default_value = "manual")]
    dir: PathBuf,
    #[command(flatten)]
    search: Search,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let api = api()?;
    let library = args.search.library()?;
    let chapters = [("", guide()), ("Hooks", hooks(&api)), ("Expansions", expansions(&library))];
    let mut count = 0;
    for page_of_chapter in chapters.iter().flat_map(|(_, pages)| pages) {
        let up = "../".repeat(page_of_chapter.path.matches('/').count());
        let aside = contents(&chapters, &up, &page_of_chapter.path);
        let body = page_of_chapter.html();
        write(&args.dir, &page_of_chapter.path, &page(&page_of_chapter.title, &aside, &body))?;
        count += 1;
    }
    Ok(writeln!(out, "wrote {count} pages, beginning with {}", args.dir.join("index.html").display())?)
}

/// What stands beside each page: links to all of them; `here` is the page itself.
fn contents(chapters: &[(&str, Vec<Page>)], up: &str, here: &str) -> String {
    let mut text = String::new();
    for (title, pages) in chapters {
        if !title.is_empty() {
            text += &format!("<p>{title}</p>\n");
        }
        text += "<ul>\n";
        for page in pages {
            let current = if page.path == here { " aria-current=\"page\"" } else { "" };
            text += &format!("<li><a href=\"{up}{}\"{current}>{}</a></li>\n", page.path, escaped(&page.title));
        }
        text += "</ul>\n";
    }
    text
}
