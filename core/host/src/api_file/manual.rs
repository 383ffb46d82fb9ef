//! The manual for authors, from the definition.

use std::fmt::Write;

use super::{ApiFile, Errors, Event, Field, Function, Guide, Handle, Kind, Method, Verb};
use crate::manifest::keys;

const OPENING: &str = "# Hooks

Everything an expansion may declare, ask, read and be told. This page is made from `core/host/api.toml`: change that file, \
then run `UPDATE_GOLDEN=1 cargo test -p trencavel-host --test api`. Every example is loaded and run by that test.

";

/// The whole page.
pub(super) fn write(api: &ApiFile) -> String {
    let mut page = Page { api, text: OPENING.to_owned() };
    page.contents();
    api.guide.iter().for_each(|guide| page.guide(guide));
    page.kinds();
    page.conditions();
    page.verbs();
    page.events();
    page.lists();
    page.handles();
    page.functions();
    page.manifest();
    page.options();
    page.errors();
    // One line break at the end, and none doubled.
    page.text.trim_end().to_owned() + "\n"
}

struct Page<'a> {
    api: &'a ApiFile,
    text: String,
}

impl Page<'_> {
    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn paragraph(&mut self, text: impl AsRef<str>) {
        self.line(text.as_ref().trim());
        self.line("");
    }

    fn heading(&mut self, level: usize, title: &str) {
        self.paragraph(format!("{} {title}", "#".repeat(level)));
    }

    fn code(&mut self, language: &str, code: &str) {
        self.paragraph(format!("```{language}\n{}\n```", code.trim()));
    }

    fn since(&self, since: Option<&String>) -> String {
        format!("*Since {}.*", since.unwrap_or(&self.api.since))
    }

    /// The chapters, then every hook.
    fn contents(&mut self) {
        let chapters = [
            "Conditions",
            "Verbs",
            "Events",
            "Words",
            "Handles",
            "Functions of `rules`",
            "The manifest",
            "Options",
            "Errors",
        ];
        for guide in &self.api.guide {
            self.line(format!("- [{}](#{})", guide.title, slug(&guide.title)));
        }
        let mut last = "";
        for kind in &self.api.kind {
            if kind.chapter != last {
                let _ = write!(self.text, "\n- [{}](#{}):", kind.chapter, slug(&kind.chapter));
                last = &kind.chapter;
            }
            let _ = write!(self.text, " [`{0}`](#{0})", kind.name);
        }
        self.text = self.text.replace("\n\n- [What there is]", "\n- [What there is]");
        self.line("");
        for chapter in chapters {
            self.line(format!("- [{chapter}](#{})", slug(chapter)));
        }
        self.line("");
    }

    fn guide(&mut self, guide: &Guide) {
        self.heading(2, &guide.title);
        self.paragraph(&guide.text);
        for file in &guide.files {
            self.paragraph(format!("`{}`:", file.name));
            self.code(if file.name.ends_with(".lua") { "lua" } else { "toml" }, &file.text);
        }
    }

    fn kinds(&mut self) {
        let mut last = "";
        for kind in &self.api.kind {
            if kind.chapter != last {
                self.heading(2, &kind.chapter);
                last = &kind.chapter;
            }
            self.kind(kind);
        }
    }

    fn kind(&mut self, kind: &Kind) {
        self.heading(3, &kind.name);
        self.paragraph(format!("{} {}", kind.text, self.since(kind.since.as_ref())));
        let facts = [
            ("when it runs", Some(&kind.when)),
            ("may read", kind.reads.as_ref()),
            ("returns", kind.returns.as_ref()),
            ("no answer", kind.nothing.as_ref()),
            ("several", Some(&kind.combine)),
        ];
        self.line("| | |\n|---|---|");
        for (name, fact) in facts.into_iter().filter_map(|(name, fact)| Some((name, fact?))) {
            self.line(format!("| {name} | {} |", cell(fact)));
        }
        self.line("");
        self.fields("field", &kind.fields);
        if kind.conditions.is_some() {
            let only = if kind.fields.is_empty() { "Its keys are" } else { "Beside them:" };
            let more = if kind.name == "query" { "." } else { ", `where` (must hold) and `unless` (must not)." };
            self.paragraph(format!("{only} [the keys of conditions](#conditions){more}"));
        }
        if let Some(handle) = &kind.by_id {
            self.paragraph(format!(
                "Inside hooks, `rules.{}(id)` gives the `{handle}` of an id that came back in `data`.",
                kind.name
            ));
        }
        kind.note.iter().for_each(|note| self.paragraph(note));
        self.code("lua", &kind.example);
    }

    fn fields(&mut self, what: &str, fields: &[Field]) {
        if fields.is_empty() {
            return;
        }
        let defaults = fields.iter().any(|field| field.default.is_some() || field.required);
        let (head, rule) = if defaults { (" default |", "---|") } else { ("", "") };
        self.line(format!("| {what} | type |{head} |\n|---|---|{rule}---|"));
        for field in fields {
            let default = match (&field.default, field.required) {
                (_, true) => " **needed** |".to_owned(),
                (Some(default), _) => format!(" {} |", cell(default)),
                _ if defaults => " |".to_owned(),
                _ => String::new(),
            };
            let since = field.since.as_ref().map(|since| format!(" *Since {since}.*")).unwrap_or_default();
            self.line(format!(
                "| `{}` | {} |{default} {}{since} |",
                field.name,
                kind_cell(&field.kind),
                cell(&field.text)
            ));
        }
        self.line("");
    }

    fn conditions(&mut self) {
        self.heading(2, "Conditions");
        self.paragraph(
            "A condition is a table; all its keys must hold, and a list is \"one of\". The name of a query stands for its \
             condition. `own` and `other` are relative to the player in question: who acts, who is asked a number for, or \
             whose figure it is. Conditions are compiled when the rules are loaded and cost nanoseconds.",
        );
        let api = self.api;
        self.line("| context | type | keys | |\n|---|---|---|---|");
        for context in &api.context {
            let groups: Vec<String> = context.groups.iter().map(|group| format!("[{group}](#keys-{group})")).collect();
            let row = format!(
                "| {} | `{}` | {} | {} |",
                context.title,
                context.class,
                groups.join(", "),
                cell(&context.text)
            );
            self.line(row);
        }
        self.line("");
        for group in &api.group {
            self.heading(3, &format!("Keys: {}", group.name));
            let since = self.since(group.since.as_ref());
            self.paragraph(if group.events { format!("The words of [events](#events). {since}") } else { since });
            self.fields("key", &group.keys);
            self.code("lua", &group.example);
        }
        for table in &api.table {
            self.heading(3, &format!("The table `{}`", table.name));
            self.paragraph(format!("{} {}", table.text, self.since(table.since.as_ref())));
            self.fields("key", &table.keys);
            self.code("lua", &table.example);
        }
    }

    fn verbs(&mut self) {
        self.heading(2, "Verbs");
        self.paragraph(
            "What `rules.emit` takes, and what `forbid` and `replace` are about. Every verb also takes `player` (who acts; \
             else who decides now) and `cause`.",
        );
        let api = self.api;
        for chapter in &api.chapter {
            self.heading(3, &format!("Verbs of the chapter {}", chapter.name));
            self.paragraph(&chapter.text);
            for verb in api.verb.iter().filter(|verb| verb.chapter == chapter.name) {
                self.verb(verb);
            }
        }
    }

    fn verb(&mut self, verb: &Verb) {
        self.heading(4, &format!("Verb `{}`", verb.name));
        let emit = if verb.emit { "" } else { " It can be forbidden and replaced, not emitted." };
        let event = verb.event.as_ref().map(|event| format!(" Event: `{event}`.")).unwrap_or_default();
        self.paragraph(format!("{}{emit}{event} {}", verb.text, self.since(verb.since.as_ref())));
        self.fields("field", &verb.fields);
        self.code("lua", &verb.example);
    }

    fn events(&mut self) {
        self.heading(2, "Events");
        self.paragraph(
            "What a `react` hears of, and the entries of `part` and `turn`. Every event has `kind` and `player`.",
        );
        let api = self.api;
        for chapter in &api.chapter {
            let found: Vec<&Event> = api.event.iter().filter(|event| event.chapter == chapter.name).collect();
            if !found.is_empty() {
                self.heading(3, &format!("Events of the chapter {}", chapter.name));
            }
            for event in found {
                self.heading(4, &format!("Event `{}`", event.name));
                let has: Vec<String> = event.has.iter().map(|field| format!("`{field}`")).collect();
                let has = if has.is_empty() { String::new() } else { format!(" Has {}.", has.join(", ")) };
                self.paragraph(format!("{}{has} {}", event.text, self.since(event.since.as_ref())));
                self.code("lua", &event.example);
            }
        }
    }

    fn lists(&mut self) {
        self.heading(2, "Words");
        for list in &self.api.list {
            self.heading(3, &format!("{} (`{}`)", list.title, list.name));
            self.paragraph(format!("{} {}", list.text, self.since(list.since.as_ref())));
            self.line("| word | |\n|---|---|");
            for word in &list.words {
                self.line(format!("| `{}` | {} |", word.name, cell(&word.text)));
            }
            self.line("");
            self.code("lua", &list.example);
        }
    }

    fn handles(&mut self) {
        self.heading(2, "Handles");
        self.paragraph(
            "What functions are given. A handle is good for the hook it was given in; one that was kept is an error, and so is a \
             loop. Handles of the same thing are equal, also as keys of a table. Reading \
             a name that is not there is an error, what is not the case is nil.",
        );
        let api = self.api;
        api.handle.iter().for_each(|handle| self.handle(handle));
    }

    fn handle(&mut self, handle: &Handle) {
        self.heading(3, &format!("Handle `{}`", handle.name));
        self.paragraph(format!("{} {}", handle.text, self.since(handle.since.as_ref())));
        self.fields("field", &handle.fields);
        if !handle.methods.is_empty() {
            self.line("| method | returns | |\n|---|---|---|");
        }
        for Method { name, args, returns, text, .. } in &handle.methods {
            self.line(format!("| `:{name}({})` | {} | {} |", cell(args), kind_cell(returns), cell(text)));
        }
        self.line("");
        self.code("lua", &handle.example);
    }

    fn functions(&mut self) {
        self.heading(2, "Functions of `rules`");
        let api = self.api;
        for function in &api.function {
            self.function(function);
        }
    }

    fn function(&mut self, function: &Function) {
        let Function { name, args, returns, .. } = function;
        self.heading(3, &format!("rules.{name}"));
        let form = match &function.kind {
            Some(kind) => format!("rules.{name}: {kind}"),
            None if returns.is_empty() => format!("rules.{name}({args})"),
            None => format!("rules.{name}({args}): {returns}"),
        };
        self.paragraph(format!(
            "`{form}`, in {}. {} {}",
            function.place,
            function.text,
            self.since(function.since.as_ref())
        ));
        self.fields("field", &function.fields);
        self.code("lua", &function.example);
    }

    fn manifest(&mut self) {
        self.heading(2, "The manifest");
        self.paragraph("The keys of `expansion.toml`. The schema that `trencavel new` and `trencavel types` write completes them in editors.");
        self.line("| key | |");
        self.line("|---|---|");
        for (key, text, needed) in keys() {
            let needed = if needed { " Must be there." } else { "" };
            self.line(format!("| `{key}` | {}{needed} |", cell(&text)));
        }
        self.line("");
    }

    fn options(&mut self) {
        self.heading(2, "Options");
        self.paragraph("What an expansion lets people choose, in its manifest, and what `rules.options` gives for it.");
        for option in &self.api.option {
            self.heading(3, &format!("An option that is {}", option.name));
            self.paragraph(format!(
                "{} `{}` in scripts. {}",
                option.text,
                option.kind,
                self.since(option.since.as_ref())
            ));
            self.code("toml", &option.manifest);
            self.code("lua", &option.example);
        }
    }

    fn errors(&mut self) {
        self.heading(2, "Errors");
        self.paragraph("`trencavel explain CODE` says the same.");
        let api = self.api;
        api.error.iter().for_each(|errors| self.codes(errors));
    }

    fn codes(&mut self, errors: &Errors) {
        self.heading(3, &format!("{}…", errors.letter));
        self.paragraph(format!("{} {}", errors.text, self.since(errors.since.as_ref())));
        self.line("| code | |\n|---|---|");
        for code in &errors.codes {
            let text = crate::codes().find(|(known, _)| known == code).map_or("", |(_, text)| text);
            self.line(format!("| {code} | {} |", cell(text)));
        }
        self.line("");
        if !errors.examples.is_empty() {
            let lines = errors.examples.iter().map(|wrong| format!("-- {}\n{}", wrong.code, wrong.lua));
            let lines: Vec<String> = lines.collect();
            self.code("lua", &lines.join("\n"));
        }
    }
}

/// Text in a table.
fn cell(text: &str) -> String {
    text.trim().replace('\n', " ").replace('|', "\\|")
}

fn kind_cell(kind: &str) -> String {
    if kind.is_empty() { String::new() } else { format!("`{}`", cell(kind)) }
}

/// The anchor of a heading, as forges make it.
/// The name under which a heading is linked to.
pub fn slug(title: &str) -> String {
    let kept = title.to_lowercase();
    kept.chars()
        .filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-' || *c == '_')
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}
