//! The pages of the manual and how their Markdown becomes HTML.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, html};
use trencavel_host::api_file::{ApiFile, slug};
use trencavel_host::library::Library;

use crate::html::escaped;

/// The chapters, as mdBook reads them, and what they stand for.
const SUMMARY: &str = include_str!("../../manual/SUMMARY.md");
const GUIDE: [(&str, &str); 8] = [
    ("introduction.md", include_str!("../../manual/introduction.md")),
    ("playing.md", include_str!("../../manual/playing.md")),
    ("tutorial.md", include_str!("../../manual/tutorial.md")),
    ("workbench.md", include_str!("../../manual/workbench.md")),
    ("scenarios.md", include_str!("../../manual/scenarios.md")),
    ("notation.md", include_str!("../../manual/notation.md")),
    ("files.md", include_str!("../../manual/files.md")),
    ("embedding.md", include_str!("../../manual/embedding.md")),
];

/// What the chapters include, by the words that say so.
const INCLUDED: [(&str, &str); 1] =
    [("{{#include ../../../examples/embed.rs}}", include_str!("../../../../examples/embed.rs"))];

/// A page of the manual.
pub(crate) struct Page {
    /// Where it is written, with `/`.
    pub(crate) path: String,
    pub(crate) title: String,
    markdown: String,
}

impl Page {
    /// Its body.
    pub(crate) fn html(&self) -> String {
        let events: Vec<Event<'_>> = Parser::new_ext(&self.markdown, Options::ENABLE_TABLES).collect();
        let mut shown = Vec::with_capacity(events.len());
        for (place, event) in events.iter().enumerate() {
            match event.clone() {
                Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                    shown.push(Event::Start(Tag::Link { link_type, dest_url: page_link(dest_url), title, id }));
                }
                Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                    let id = Some(slug(&words(&events[place + 1..])).into());
                    shown.push(Event::Start(Tag::Heading { level, id, classes, attrs }));
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    shown.extend(file_of(&kind).map(|file| Event::Html(file.into())));
                    shown.push(Event::Start(Tag::CodeBlock(kind)));
                }
                // READMEs of strangers bring no markup of their own.
                Event::Html(text) | Event::InlineHtml(text) => shown.push(Event::Text(text)),
                other => shown.push(other),
            }
        }
        let mut body = String::new();
        html::push_html(&mut body, shown.into_iter());
        body
    }
}

/// The words of a heading, up to its end.
fn words(events: &[Event<'_>]) -> String {
    let inner = events.iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    inner
        .filter_map(|event| if let Event::Text(text) | Event::Code(text) = event { Some(&**text) } else { None })
        .collect()
}

/// The file that a block of code is, as a line above it: `toml toll/expansion.toml`.
fn file_of(kind: &CodeBlockKind<'_>) -> Option<String> {
    let CodeBlockKind::Fenced(info) = kind else { return None };
    let (_, file) = info.split_once(' ')?;
    Some(format!("<p class=\"file\">{}</p>\n", escaped(file)))
}

/// A link to a chapter, as a link to its page.
fn page_link(link: CowStr<'_>) -> CowStr<'_> {
    match link.strip_suffix(".md") {
        Some("introduction") => "index.html".into(),
        Some(name) if !link.contains("://") => format!("{name}.html").into(),
        _ => link,
    }
}

/// The chapters of the summary, in its order.
pub(crate) fn guide() -> Vec<Page> {
    let entries = SUMMARY.lines().filter_map(|line| {
        let (title, rest) = line.split_once('[')?.1.split_once("](")?;
        Some((title, rest.trim_end_matches(')')))
    });
    let page = |(title, file): (&str, &str)| {
        let text = GUIDE.iter().find(|(name, _)| *name == file)?.1;
        let markdown = INCLUDED.iter().fold(text.to_owned(), |text, (words, file)| text.replace(words, file));
        let path = page_link(file.into()).into_string();
        Some(Page { path, title: title.to_owned(), markdown })
    };
    entries.filter_map(page).collect()
}

/// A page for each kind of hook, cut from the reference, and the reference as a whole.
pub(crate) fn hooks(api: &ApiFile) -> Vec<Page> {
    let manual = api.manual();
    // How the page is made is of no use to whoever reads it.
    let opening = manual.find(" This page is made from").zip(manual.find("\n\n- ["));
    let manual = opening.map_or(manual.clone(), |(from, to)| format!("{}{}", &manual[..from], &manual[to..]));
    let reference =
        Page { path: "hooks/reference.html".to_owned(), title: "Reference".to_owned(), markdown: manual.clone() };
    let kinds = api.kind.iter().filter_map(|kind| {
        let start = manual.find(&format!("\n### {}\n", kind.name))? + 1;
        let rest = &manual[start + 4..];
        let end = ["\n### ", "\n## "].iter().filter_map(|next| rest.find(next)).min().unwrap_or(rest.len());
        let markdown = format!("# {}", &rest[..end]);
        // What it links to stands in the reference.
        let markdown = markdown.replace("](#", "](reference.html#");
        Some(Page { path: format!("hooks/{}.html", kind.name), title: kind.name.clone(), markdown })
    });
    [reference].into_iter().chain(kinds).collect()
}

/// A page for each expansion that tells its rules.
pub(crate) fn expansions(library: &Library) -> Vec<Page> {
    let alike = |title: &str| library.iter().filter(|one| one.manifest.title.eq_ignore_ascii_case(title)).count() > 1;
    let page = |found: &std::sync::Arc<trencavel_host::library::Found>| {
        let readme = found.files.get("README.md")?;
        let (id, title) = (&found.manifest.id, &found.manifest.title);
        // A box and its mechanism may be called the same.
        let title = if alike(title) { format!("{title} ({id})") } else { title.clone() };
        Some(Page { path: format!("expansions/{id}.html"), title, markdown: readme.text.to_string() })
    };
    library.iter().filter_map(page).collect()
}
