//! Stubs for editors: LuaCATS comments, from the definition.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::{ApiFile, Field, Function, Handle, Kind};

const OPENING: &str = "---@meta trencavel
-- What `rules` offers to an expansion, for editors that read LuaCATS comments. Never run, never required.
-- Made from core/host/api.toml: UPDATE_GOLDEN=1 cargo test -p trencavel-host --test api

";

/// What the sandbox adds to the library.
const SORTED_PAIRS: &str = "---The entries of a table in the order of their keys.
---@generic K, V
---@param list table<K, V>
---@return fun(): K, V
function sorted_pairs(list) end
";

/// The whole file.
pub(super) fn write(api: &ApiFile) -> String {
    let mut stubs = Stubs { text: OPENING.to_owned(), names: names(api) };
    stubs.words(api);
    for context in &api.context {
        stubs.class(&format!("trencavel.{}", context.class), &context.text, &api.keys(&context.name));
    }
    for table in &api.table {
        stubs.class(&format!("trencavel.{}", table.name), &table.text, &table.keys);
    }
    api.handle.iter().for_each(|handle| stubs.handle(handle));
    for verb in api.verb.iter().filter(|verb| verb.emit) {
        stubs.emitted(&verb.name, &verb.text, &verb.fields);
    }
    api.kind.iter().for_each(|kind| stubs.declared(api, kind));
    stubs.rules(api);
    stubs.line(SORTED_PAIRS);
    stubs.text.trim_end().to_owned() + "\n"
}

/// Words that name types here.
fn names(api: &ApiFile) -> BTreeSet<String> {
    let fixed = ["Verb", "EventKind", "Space", "Option", "Question"].map(str::to_owned);
    let lists = api.list.iter().map(|list| list.name.clone());
    let contexts = api.context.iter().map(|context| context.class.clone());
    let tables = api.table.iter().map(|table| table.name.clone());
    let handles = api.handle.iter().map(|handle| handle.name.clone());
    fixed.into_iter().chain(lists).chain(contexts).chain(tables).chain(handles).collect()
}

struct Stubs {
    text: String,
    names: BTreeSet<String>,
}

impl Stubs {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    /// A type with the names of this file in full.
    fn full(&self, kind: &str) -> String {
        let mut out = String::new();
        let mut word = String::new();
        for c in kind.chars().chain(['\0']) {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            if self.names.contains(&word) {
                out.push_str("trencavel.");
            }
            out.push_str(&word);
            word.clear();
            out.push(c);
        }
        out.trim_end_matches('\0').to_owned()
    }

    fn alias(&mut self, name: &str, words: impl Iterator<Item = String>) {
        let words: Vec<String> = words.collect();
        self.line(&format!("---@alias trencavel.{name} {}", words.join(" | ")));
        self.line("");
    }

    fn words(&mut self, api: &ApiFile) {
        let quoted = |word: &str| format!("\"{word}\"");
        self.alias("Verb", api.verb.iter().map(|verb| quoted(&verb.name)));
        self.alias("EventKind", api.event.iter().map(|event| quoted(&event.name)));
        for list in &api.list {
            let words = list.words.iter().map(|word| quoted(&word.name));
            match list.name.as_str() {
                "Step" => {
                    let full = list.words.iter().map(|word| quoted(&format!("core:{}", word.name)));
                    self.alias("Step", words.chain(full));
                }
                "Cause" => self.alias("Cause", words.chain(["string".to_owned()])),
                name => self.alias(name, words),
            }
        }
        // What it is follows from `options`, which no type can say.
        self.alias("Option", ["any".to_owned()].into_iter());
        self.line("---A space of the table.\n---@class trencavel.Space\n---@field x integer to the east\n---@field y integer to the south\n");
    }

    fn class(&mut self, name: &str, text: &str, fields: &[Field]) {
        self.line(&format!("---{}", one_line(text)));
        self.line(&format!("---@class (exact) {name}"));
        fields.iter().for_each(|field| self.field(field, !field.required));
        self.line("");
    }

    fn field(&mut self, field: &Field, optional: bool) {
        let (mark, kind) = (if optional { "?" } else { "" }, self.full(&lenient(&field.kind)));
        // A type with spaces and a text: brackets keep them apart.
        let kind = if kind.contains(' ') && !kind.starts_with("fun") { format!("({kind})") } else { kind };
        self.line(&format!("---@field {}{mark} {kind} {}", field.name, one_line(&field.text)));
    }

    fn emitted(&mut self, verb: &str, text: &str, fields: &[Field]) {
        let class = format!("trencavel.emit.{verb}");
        self.line(&format!("---{}", one_line(text)));
        self.line(&format!("---@class (exact) {class}"));
        for field in fields {
            // `neutral` names the figure as well.
            let named = field.text.contains("`neutral`");
            self.field(field, !field.required || named);
            if named {
                self.line("---@field neutral? string the name of its kind");
            }
        }
        for (name, text) in [("player", "who acts, else who decides now"), ("cause", "why")] {
            if !fields.iter().any(|field| field.name == name) {
                let kind = if name == "player" { "integer" } else { "trencavel.Cause" };
                self.line(&format!("---@field {name}? {kind} {text}"));
            }
        }
        self.line("");
    }

    fn handle(&mut self, handle: &Handle) {
        let name = format!("trencavel.{}", handle.name);
        self.line(&format!("---{}", one_line(&handle.text)));
        self.line(&format!("---@class (exact) {name}"));
        for field in &handle.fields {
            self.field(field, false);
        }
        for method in &handle.methods {
            let args = if method.args.is_empty() { String::new() } else { format!(", {}", self.full(&method.args)) };
            let returns = self.returns(&method.returns);
            let line = format!("---@field {} fun(self: {name}{args}){returns} {}", method.name, one_line(&method.text));
            self.line(&line);
        }
        self.line("");
    }

    fn returns(&self, returns: &str) -> String {
        if returns.is_empty() { String::new() } else { format!(": {}", self.full(returns)) }
    }

    /// The class of a declaration's fields.
    fn declared(&mut self, api: &ApiFile, kind: &Kind) {
        let mut fields = kind.fields.clone();
        if let Some(context) = &kind.conditions {
            let keys =
                api.keys(context).into_iter().filter(|key| !kind.fields.iter().any(|field| field.name == key.name));
            fields.extend(keys);
        }
        let condition = |name: &str, text: &str| Field {
            name: name.to_owned(),
            kind: "SubjectTest | string".to_owned(),
            text: text.to_owned(),
            default: None,
            required: false,
            since: None,
        };
        if kind.conditions.is_some() && kind.name != "query" {
            fields.push(condition("where", "What must hold."));
            fields.push(condition("unless", "What must not hold."));
        }
        self.class(&format!("trencavel.declare.{}", kind.name), &kind.text, &fields);
    }

    fn rules(&mut self, api: &ApiFile) {
        self.line("---What an expansion declares with, asks and reads.");
        self.line("---@class (exact) trencavel.rules");
        for value in &api.function {
            if let Some(kind) = &value.kind {
                let kind = self.full(&lenient(kind));
                self.line(&format!("---@field {} {kind} {}", value.name, one_line(&value.text)));
            }
        }
        self.line("rules = {}\n");
        api.kind.iter().for_each(|kind| self.declaring(kind));
        for function in api.function.iter().filter(|function| function.kind.is_none()) {
            self.function(api, function);
        }
    }

    /// `rules.kind "id" { … }` and `rules.kind("id", { … })`.
    fn declaring(&mut self, kind: &Kind) {
        let class = format!("trencavel.declare.{}", kind.name);
        let gives = if kind.name == "query" { ": string" } else { "" };
        self.line(&format!("---{}", one_line(&kind.text)));
        self.line(&format!("---@param id string\n---@return fun(fields: {class}){gives}"));
        self.line(&format!("---@overload fun(id: string, fields: {class}){gives}"));
        if let Some(handle) = &kind.by_id {
            self.line(&format!("---@overload fun(id: integer): trencavel.{handle}?"));
        }
        self.line(&format!("function rules.{}(id) end\n", kind.name));
    }

    fn function(&mut self, api: &ApiFile, function: &Function) {
        if !function.fields.is_empty() {
            self.class("trencavel.Question", "What is asked.", &function.fields);
        }
        self.line(&format!("---{}", one_line(&function.text)));
        let mut names = Vec::new();
        for (name, kind) in function.args.split(", ").filter_map(|arg| arg.split_once(": ")) {
            let kind = self.full(kind);
            self.line(&format!("---@param {name} {kind}"));
            names.push(name.trim_end_matches('?').to_owned());
        }
        if !function.returns.is_empty() {
            let returns = self.full(&function.returns);
            self.line(&format!("---@return {returns}"));
        }
        if function.name == "emit" {
            for verb in api.verb.iter().filter(|verb| verb.emit) {
                let verb = &verb.name;
                self.line(&format!("---@overload fun(verb: \"{verb}\", fields: trencavel.emit.{verb})"));
            }
        }
        self.line(&format!("function rules.{}({}) end\n", function.name, names.join(", ")));
    }
}

/// What may be missing, as if it were there: which an event or a figure has follows from what the hook is about, and a
/// warning at each use would bury those that matter. Values of options are known to their author.
fn lenient(kind: &str) -> String {
    let missing = ["Feature?", "Figure?", "Tile?", "Segment?", "integer?", "string?"];
    let there = |kind: String, name: &&str| kind.replace(*name, name.trim_end_matches('?'));
    let kind = missing.iter().fold(kind.to_owned(), there);
    if kind.contains("table<string, true?>") { "table<string, any>".to_owned() } else { kind }
}

fn one_line(text: &str) -> String {
    text.trim().replace('\n', " ")
}
