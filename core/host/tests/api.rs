//! `api.toml` says exactly what the engine and the scripts' door offer, its examples run, and what is made from it is
//! up to date: `UPDATE_GOLDEN=1 cargo test -p trencavel-host --test api` makes it again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trencavel_base as base;
use trencavel_host::api_file::{ApiFile, Field};
use trencavel_host::diagnostic::{Diagnostic, SourceFile};
use trencavel_host::game_file::GameFile;
use trencavel_host::library::{Bundle, Library, LinkedIn, Presence};
use trencavel_host::options::OptionValue;
use trencavel_host::resolve::Request;
use trencavel_host::{LinkedExpansion, Loaded, ScriptHost, load};
use trencavel_rules::declare::{Declaration, ExpansionSpec, Problem, RulesetBuilder};
use trencavel_rules::hooks::{Call, Callback, HookError, Reply, ScriptFn, Scripts};
use trencavel_rules::value::Value;
use trencavel_rules::words::{CoreNumber, CoreStep, DeclKind, EventKind, Touch, Verb};
use trencavel_rules::{Game, Setup, Source, notation};

type Words = BTreeSet<String>;

fn api() -> ApiFile {
    ApiFile::read().unwrap_or_else(|error| panic!("core/host/api.toml: {error}"))
}

fn words<T: AsRef<str>>(found: impl IntoIterator<Item = T>) -> Words {
    found.into_iter().map(|word| word.as_ref().to_owned()).collect()
}

fn names(fields: &[Field]) -> Words {
    words(fields.iter().map(|field| &field.name))
}

/// Collects what differs, so that one run tells everything.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn compare(&mut self, what: &str, written: &Words, known: &Words) {
        for missing in known.difference(written) {
            self.0.push(format!("{what}: the code has `{missing}`, api.toml does not"));
        }
        for surplus in written.difference(known) {
            self.0.push(format!("{what}: api.toml has `{surplus}`, the code does not"));
        }
    }

    fn check(&mut self, holds: bool, what: impl Into<String>) {
        if !holds {
            self.0.push(what.into());
        }
    }

    fn none(self) {
        assert!(self.0.is_empty(), "{} differences:\n{}", self.0.len(), self.0.join("\n"));
    }
}

// The base game ------------------------------------------------------------------------------------------------------

const LINKED: LinkedIn = LinkedIn { folder: "plugins/base", files: base::FILES, presence: Presence::Implied };

fn declare_base(builder: &mut RulesetBuilder, options: &BTreeMap<String, OptionValue>) {
    base::declare(builder, &|name| options.get(name).map_or_else(String::new, ToString::to_string));
}

fn usual(option: &str) -> String {
    match option {
        "farmers" => "true",
        "followers" => "7",
        "farm_rule" => "3",
        _ => "",
    }
    .to_owned()
}

/// What is wrong with one declaration on top of the base game.
fn problems(kind: DeclKind, id: &str, fields: Value) -> Vec<Problem> {
    let mut builder = RulesetBuilder::new();
    builder.expansion(ExpansionSpec { id: "base".to_owned(), ..ExpansionSpec::default() });
    let requires = vec!["base".to_owned()];
    builder.expansion(ExpansionSpec { id: "probe".to_owned(), requires, ..ExpansionSpec::default() });
    base::declare(&mut builder, &usual);
    let source = Source { file: "probe".into(), line: 1 };
    builder.declare(Declaration { expansion: "probe".to_owned(), kind, id: id.to_owned(), fields, source });
    let errors = builder.freeze().err().unwrap_or_default();
    errors.into_iter().map(|error| error.problem).collect()
}

fn nonsense() -> Value {
    Value::table([("zzz", 1.into())])
}

/// The keys known where `zzz` stands in `fields`.
fn known_keys(kind: DeclKind, id: &str, fields: Value) -> Words {
    let found = problems(kind, id, fields);
    let known = found.iter().filter_map(|problem| match problem {
        Problem::Unknown { what: "key", word, known } if word == "zzz" || word.ends_with(".zzz") => Some(known),
        _ => None,
    });
    let known: Words = known.flatten().cloned().collect();
    assert!(!known.is_empty() || matches!(kind, DeclKind::Extend), "{kind}: no keys in {found:?}");
    known
}

/// `where = { a = { b = { zzz = 1 } } }` of a `forbid`.
fn known_in(path: &[&str]) -> Words {
    let value = path.iter().rev().fold(nonsense(), |inner, key| Value::table([(*key, inner)]));
    known_keys(DeclKind::Forbid, "probe", Value::table([("where", value)]))
}

// What the engine accepts --------------------------------------------------------------------------------------------

#[test]
fn words_are_those_of_the_engine() {
    let (api, mut found) = (api(), Differences::default());
    let all = |name: &str| words(api.words(name));
    found.compare(
        "kinds",
        &words(api.kind.iter().map(|one| &one.name)),
        &words(DeclKind::ALL.iter().map(|one| one.word())),
    );
    found.compare(
        "verbs",
        &words(api.verb.iter().map(|one| &one.name)),
        &words(Verb::ALL.iter().map(|one| one.word())),
    );
    found.compare(
        "events",
        &words(api.event.iter().map(|one| &one.name)),
        &words(EventKind::ALL.iter().map(|one| one.word())),
    );
    found.compare("touches", &all("Touch"), &words(Touch::ALL.iter().map(|one| one.word())));
    found.compare("steps", &all("Step"), &words(CoreStep::ALL.iter().map(|one| one.word())));
    found.compare("numbers", &all("Number"), &words(CoreNumber::ALL.iter().map(|one| one.word())));
    let mut builder = RulesetBuilder::new();
    builder.expansion(ExpansionSpec { id: "base".to_owned(), ..ExpansionSpec::default() });
    base::declare(&mut builder, &usual);
    let rules = builder.freeze().expect("the base game");
    let core = rules.hooks().map(|(_, hook)| hook.name.to_string()).filter(|name| name.starts_with("core:"));
    found.compare("refusals", &all("Refusal"), &words(core));
    found.compare("causes", &all("Cause"), &words(rules.causes()));
    let counters = Value::table([("of", "worth".into()), ("count", "zzz".into())]);
    found.compare("counters", &all("Counter"), &known_values(DeclKind::Items, counters));
    let classes = Value::table([("class", "zzz".into())]);
    found.compare("classes", &all("Class"), &known_values(DeclKind::Query, classes));
    for verb in &api.verb {
        let event = verb.event.as_ref().is_none_or(|event| api.event.iter().any(|one| one.name == *event));
        found.check(event, format!("verb `{}`: its event is not there", verb.name));
        let chapter = api.chapter.iter().any(|chapter| chapter.name == verb.chapter);
        found.check(chapter, format!("verb `{}`: its chapter is not there", verb.name));
    }
    for event in &api.event {
        let chapter = api.chapter.iter().any(|chapter| chapter.name == event.chapter);
        found.check(chapter, format!("event `{}`: its chapter is not there", event.name));
    }
    found.none();
}

/// The words known where a field says `zzz`.
fn known_values(kind: DeclKind, fields: Value) -> Words {
    let found = problems(kind, "probe", fields);
    let known = found.into_iter().filter_map(|problem| match problem {
        Problem::Unknown { what, word, known } if what != "key" && word == "zzz" => Some(known),
        _ => None,
    });
    known.flatten().collect()
}

#[test]
fn kinds_have_the_fields_of_the_engine() {
    let (api, mut found) = (api(), Differences::default());
    for kind in &api.kind {
        let Ok(decl) = kind.name.parse::<DeclKind>() else { continue };
        let mut written = names(&kind.fields);
        if let Some(context) = &kind.conditions {
            written.extend(names(&api.keys(context)));
            if decl != DeclKind::Query {
                written.extend(words(["where", "unless"]));
            }
        }
        found.compare(&format!("fields of `{}`", kind.name), &written, &fields_of(decl));
        for field in &kind.fields {
            let missing = problems(decl, "probe", Value::table([]));
            let needed = missing.contains(&Problem::Missing { path: field.name.clone() });
            // `run` is needed only where `does` is missing.
            let needed = needed && !kind.fields.iter().any(|field| field.name == "does");
            found.check(needed == field.required, format!("`{}` of `{}`: needed is {needed}", field.name, kind.name));
        }
    }
    found.none();
}

fn fields_of(kind: DeclKind) -> Words {
    match kind {
        DeclKind::Extend => {
            ["field", "follower", "pennant"].iter().flat_map(|id| known_keys(kind, id, nonsense())).collect()
        }
        DeclKind::Feature => {
            let around = Value::table([("closes", "around".into()), ("zzz", 1.into())]);
            known_keys(kind, "probe", around).into_iter().chain(known_keys(kind, "probe", nonsense())).collect()
        }
        _ => known_keys(kind, "probe", nonsense()),
    }
}

#[test]
fn literal_types_are_the_words_of_the_engine() {
    let (api, mut found) = (api(), Differences::default());
    for kind in &api.kind {
        let Ok(decl) = kind.name.parse::<DeclKind>() else { continue };
        for field in &kind.fields {
            let closes = if field.name == "around" { "around" } else { "sides" };
            let pairs = [("of", "worth".into()), ("closes", closes.into()), (&*field.name, "zzz".into())];
            // The first of two equal keys counts, so only what is probed may say `zzz`.
            let pairs = pairs
                .into_iter()
                .filter(|(key, value)| *key != field.name || matches!(value, Value::Text(word) if &**word == "zzz"));
            if let Some(written) = literals(&field.kind) {
                let known = known_values(
                    decl,
                    Value::table(pairs.filter(|(key, _)| decl == DeclKind::Feature || *key != "closes")),
                );
                found.compare(&format!("words of `{}` of `{}`", field.name, kind.name), &written, &known);
            }
        }
    }
    for key in api.keys("subject") {
        if let Some(written) = literals(&key.kind) {
            let known = known_values(DeclKind::Query, Value::table([(&*key.name, "zzz".into())]));
            found.compare(&format!("words of the key `{}`", key.name), &written, &known);
        }
    }
    found.none();
}

/// The words of a type that is nothing but words.
fn literals(kind: &str) -> Option<Words> {
    let parts = kind.split(" | ").map(|part| part.strip_prefix('"')?.strip_suffix('"'));
    parts.collect::<Option<Vec<_>>>().map(words)
}

#[test]
fn contexts_have_the_keys_of_the_engine() {
    let (api, mut found) = (api(), Differences::default());
    let places: &[(&str, &[&str])] = &[
        ("subject", &[]),
        ("feature", &["feature"]),
        ("figure", &["figure"]),
        ("figures", &["feature", "has"]),
        ("figures", &["lacks"]),
        ("figures", &["tile", "has"]),
        ("figures", &["placed", "lacks"]),
        ("tile", &["tile"]),
        ("tile", &["placed"]),
        ("entry", &["part", "returned"]),
        ("entry", &["turn", "deployed"]),
        ("log", &["part"]),
        ("log", &["turn"]),
        ("range", &["feature", "tiles"]),
        ("range", &["score"]),
        ("beside", &["figure", "has"]),
    ];
    for (context, path) in places {
        found.compare(&format!("keys of `where.{}`", path.join(".")), &names(&api.keys(context)), &known_in(path));
    }
    for context in &api.context {
        let probed = places.iter().any(|(name, _)| *name == context.name);
        found.check(probed, format!("the context `{}` is nowhere", context.name));
        for group in &context.groups {
            let there = api.group.iter().any(|one| one.name == *group);
            found.check(there, format!("the context `{}` has no group `{group}`", context.name));
        }
    }
    found.none();
}

#[test]
fn tables_have_the_keys_of_the_engine() {
    let (api, mut found) = (api(), Differences::default());
    let seats = Value::table([("seats", Value::table([("a", nonsense())]))]);
    let options = |more: &str| Value::table([("options", Value::table([(more, 1.into()), ("zzz", 1.into())]))]);
    let options: Words =
        ["zzz", "from"].iter().flat_map(|more| known_keys(DeclKind::Resolve, "p", options(more))).collect();
    let count = Value::table([("of", "worth".into()), ("count", nonsense())]);
    let known = [
        ("Seat", known_keys(DeclKind::Feature, "p", seats)),
        ("Walk", known_keys(DeclKind::Neutral, "p", Value::table([("walk", nonsense())]))),
        ("Count", known_keys(DeclKind::Items, "p", count)),
        ("Options", options),
    ];
    for table in &api.table {
        let engine =
            known.iter().find(|(name, _)| *name == table.name).map(|(_, keys)| keys.clone()).unwrap_or_default();
        found.compare(&format!("keys of the table `{}`", table.name), &names(&table.keys), &engine);
    }
    found.check(api.table.len() == known.len(), "a table of the engine is missing");
    found.none();
}

#[test]
fn a_function_is_taken_where_its_type_says_so() {
    fn nothing(_: &mut Call<'_>) -> Result<Reply, HookError> {
        Ok(Reply::Nothing)
    }
    let mut found = Differences::default();
    for kind in &api().kind {
        let Ok(decl) = kind.name.parse::<DeclKind>() else { continue };
        for field in &kind.fields {
            let value = Value::from(Callback::Native(nothing));
            let shape = |problem: &Problem| matches!(problem, Problem::Shape { path, .. } if *path == field.name);
            let refused = problems(decl, "probe", Value::table([(&*field.name, value)])).iter().any(shape);
            // Texts and hints are not read by the engine.
            let read = !matches!(decl, DeclKind::Describe | DeclKind::Advise);
            if field.kind.contains("fun(") && read {
                found.check(!refused, format!("`{}` of `{}` takes no function", field.name, kind.name));
            }
        }
    }
    found.none();
}

// What scripts are offered -------------------------------------------------------------------------------------------

/// The base game with one more expansion.
fn load_with(files: &[(String, String)], id: &str) -> Result<Loaded, Vec<Diagnostic>> {
    let leak = |text: &String| -> &'static str { Box::leak(text.clone().into_boxed_str()) };
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (leak(name), leak(text))).collect();
    let bundle: Bundle = Box::leak(files.into_boxed_slice());
    let library = Library::new(&[], bundle, &[LINKED]);
    let text = format!("players = [{{ name = \"A\" }}, {{ name = \"B\" }}]\n[expansions]\n{id} = true\n");
    let file = SourceFile { path: PathBuf::from("game.toml"), text: text.into() };
    let request = Request::from_game(&GameFile::parse(&file).expect("a game file"));
    load(&request, &library, &[LinkedExpansion { linked: LINKED, declare: declare_base }])
}

fn load_script(lua: &str, manifest: &str) -> Result<Loaded, Vec<Diagnostic>> {
    let head =
        "id = \"example\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"An example\"\nrequires = { base = \"1\" }\n";
    let files = [("expansion.toml", format!("{head}{manifest}")), ("rules.lua", lua.to_owned())];
    load_with(&files.map(|(name, text)| (format!("example/{name}"), text)), "example")
}

fn setup(seed: u64) -> Setup {
    Setup { players: vec!["A".to_owned(), "B".to_owned()], seed, ..Setup::default() }
}

/// Remembers which functions were called.
struct Counting {
    host: ScriptHost,
    called: BTreeSet<u32>,
}

impl Scripts for Counting {
    fn call(&mut self, function: ScriptFn, call: &mut Call<'_>) -> Result<Reply, HookError> {
        self.called.insert(function.0);
        self.host.call(function, call)
    }
}

/// Plays to the end with choices made from the seed and gives the functions that were called; the first thing that goes
/// wrong.
fn play(loaded: &Loaded, seed: u64) -> Result<BTreeSet<u32>, String> {
    let host = loaded.scripts().map_err(|problem| problem.to_string())?;
    let mut scripts = Counting { host, called: BTreeSet::new() };
    let mut game =
        Game::from_setup(Arc::clone(&loaded.rules), &setup(seed), &mut scripts).map_err(|error| error.to_string())?;
    let mut bits = seed;
    for _ in 0..2_000 {
        let legal = game.legal_actions();
        if legal.is_empty() {
            return Ok(scripts.called);
        }
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let action = legal[(bits >> 33) as usize % legal.len()];
        game.apply(action, &mut scripts).map_err(|error| error.to_string())?;
    }
    Err("the game does not end".to_owned())
}

/// The first error of a script in play.
fn failure(lua: &str) -> String {
    let loaded = load_script(lua, "").unwrap_or_else(|problems| panic!("{lua}\n{}", shown(&problems)));
    (1..4).find_map(|seed| play(&loaded, seed).err()).unwrap_or_else(|| panic!("nothing went wrong in\n{lua}"))
}

fn shown(problems: &[Diagnostic]) -> String {
    problems.iter().map(|problem| format!("{problem}\n")).collect()
}

/// What a message lists behind `known here:`.
fn listed(message: &str) -> Words {
    let (_, list) = message.split_once("known here: ").unwrap_or_else(|| panic!("no list in: {message}"));
    words(list.lines().next().unwrap_or_default().split(", ").map(|word| word.trim_end_matches([')', '.'])))
}

/// Far from every word.
const FAR: &str = "zzzzzzzzzzzzzzzzzzzzzzzz";

#[test]
fn rules_has_what_the_door_gives() {
    let (api, mut found) = (api(), Differences::default());
    let lua =
        "local names = {}\nfor name in pairs(rules) do names[#names + 1] = name end\nerror(table.concat(names, \",\"))";
    let problems = load_script(lua, "").expect_err("the list of names");
    let (_, list) = problems[0].message.rsplit_once(' ').unwrap_or(("", &problems[0].message));
    let known = words(list.split(',')).into_iter().chain(words(trencavel_host::lua::LIVE)).collect();
    let written = api.kind.iter().map(|kind| &kind.name).chain(api.function.iter().map(|function| &function.name));
    found.compare("rules", &words(written), &known);
    let live = api.function.iter().filter(|function| function.live).map(|function| &function.name);
    found.compare("live values", &words(live), &words(trencavel_host::lua::LIVE));
    found.none();
}

#[test]
fn handles_have_what_the_door_gives() {
    let (api, mut found) = (api(), Differences::default());
    let react = |on: &str, it: &str| {
        format!("rules.react \"p\" {{ on = \"{on}\", run = function(event) return {it}.{FAR} end }}")
    };
    let scripts = [
        ("Feature", react("extended", "event.feature")),
        ("Figure", react("deployed", "event.figure")),
        ("Tile", react("placed", "event.tile")),
        ("Segment", react("placed", "event.tile:segments()()")),
        ("Event", react("placed", "event")),
        ("Case", format!("rules.forbid \"p\" {{ on = \"place\", test = function(case) return case.{FAR} end }}")),
        ("Moment", format!("rules.step \"p\" {{ after = \"begin\", run = function(moment) return moment.{FAR} end }}")),
        (
            "Entry",
            format!("rules.award \"p\" {{ at = \"score\", items = function(figure, out) return out.{FAR} end }}"),
        ),
        (
            "OptionList",
            format!("rules.offer \"p\" {{ run = print2, options = function(o) return o.{FAR} end }}")
                .replace("print2", "function() end"),
        ),
    ];
    for (name, script) in &scripts {
        let Some(handle) = api.handle.iter().find(|handle| handle.name == *name) else {
            found.check(false, format!("api.toml has no handle `{name}`"));
            continue;
        };
        let message = failure(script);
        let written = names(&handle.fields).into_iter().chain(handle.methods.iter().map(|method| method.name.clone()));
        found.compare(&format!("handle `{name}`"), &written.collect(), &listed(&message));
        found.check(
            message.contains(&format!("{} has no", handle.shown)),
            format!("`{name}` is not shown so: {message}"),
        );
    }
    found.check(api.handle.len() == scripts.len(), "a handle is missing");
    let message = failure(&react("placed", "event.tile:edge(\"zzz\")"));
    let sides = message.split_once("sides: ").map_or("", |(_, list)| list.lines().next().unwrap_or_default());
    found.compare("sides", &words(api.words("Side")), &words(sides.split(", ")));
    found.none();
}

#[test]
fn verbs_take_what_the_door_takes() {
    let (api, mut found) = (api(), Differences::default());
    let emit = |verb: &str, fields: &str| {
        let call = format!("rules.emit(\"{verb}\", {fields})");
        failure(&format!("rules.react \"p\" {{ on = \"placed\", emits = \"{verb}\", run = function() {call} end }}"))
    };
    for verb in &api.verb {
        let message = emit(&verb.name, &format!("{{ {FAR} = 1 }}"));
        if !verb.emit {
            found.check(message.contains("not emitted"), format!("`{}` can be emitted: {message}", verb.name));
            continue;
        }
        let written = names(&verb.fields).into_iter().chain(words(["player", "cause"])).collect();
        found.compare(&format!("fields of the verb `{}`", verb.name), &written, &listed(&message));
        if let Some(first) = verb.fields.iter().find(|field| field.required) {
            let message = emit(&verb.name, "{}");
            found.check(message.contains(&format!("needs the field `{}`", first.name)), message);
        }
    }
    let ask = format!("rules.react \"p\" {{ on = \"placed\", run = function() rules.ask {{ {FAR} = 1 }} end }}");
    let function = api.function.iter().find(|function| function.name == "ask").expect("ask");
    found.compare("fields of `ask`", &names(&function.fields), &listed(&failure(&ask)));
    found.none();
}

// Examples -----------------------------------------------------------------------------------------------------------

/// Nothing is given to another holder yet.
const IDLE: &[&str] = &["given"];

/// How many functions the engine may call, as far as the text tells; sentences of refusals are made for explanations only.
fn functions(lua: &str) -> usize {
    ["run", "items", "count", "test", "options"]
        .iter()
        .map(|key| lua.matches(&format!("{key} = function(")).count())
        .sum()
}

#[test]
fn examples_load_and_run() {
    let api = api();
    let mut wrong = Vec::new();
    for example in api.examples() {
        match load_script(example.lua, example.manifest) {
            Err(problems) => wrong.push(format!("{}: {}", example.of, shown(&problems))),
            Ok(loaded) => match (1..6).map(|seed| play(&loaded, seed)).collect::<Result<Vec<_>, _>>() {
                Err(error) => wrong.push(format!("{}: {error}\n{}", example.of, example.lua)),
                Ok(called) => {
                    let called: BTreeSet<u32> = called.into_iter().flatten().collect();
                    let written = functions(example.lua);
                    let idle = called.len() < written && !IDLE.contains(&example.of);
                    if idle {
                        wrong.push(format!(
                            "{}: only {} of {written} functions were called\n{}",
                            example.of,
                            called.len(),
                            example.lua
                        ))
                    }
                }
            },
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_entry_is_in_its_example() {
    let (api, mut found) = (api(), Differences::default());
    let mut check = |of: &str, lua: &str, names: &mut dyn Iterator<Item = String>| {
        for name in names.filter(|name| !has_word(lua, name)) {
            found.check(false, format!("the example of `{of}` does not use `{name}`"));
        }
    };
    for kind in &api.kind {
        check(&kind.name, &kind.example, &mut names(&kind.fields).into_iter().chain([format!("rules.{}", kind.name)]));
    }
    for group in api.group.iter().chain(&api.table) {
        check(&group.name, &group.example, &mut names(&group.keys).into_iter());
    }
    for verb in &api.verb {
        check(&verb.name, &verb.example, &mut [verb.name.clone()].into_iter());
    }
    for event in &api.event {
        check(&event.name, &event.example, &mut [format!("\"{}\"", event.name)].into_iter());
    }
    // Of the core's refusals, one can be lifted.
    for list in api.list.iter().filter(|list| list.name != "Refusal") {
        check(&list.name, &list.example, &mut list.words.iter().map(|word| word.name.clone()));
    }
    for handle in &api.handle {
        let methods = handle.methods.iter().map(|method| format!(":{}(", method.name));
        let fields = handle.fields.iter().map(|field| format!(".{}", field.name));
        check(&handle.name, &handle.example, &mut fields.chain(methods));
    }
    for function in &api.function {
        check(&function.name, &function.example, &mut [format!("rules.{}", function.name)].into_iter());
    }
    found.none();
}

/// True if the word stands in the text and not in a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let inner = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        let starts = !word.starts_with(char::is_alphanumeric) || !inner(before.chars().next_back());
        starts && (!word.ends_with(char::is_alphanumeric) || !inner(after.chars().next()))
    })
}

#[test]
fn option_types_are_read_as_they_say() {
    use trencavel_host::options::OptionType;
    let mut kinds = BTreeSet::new();
    for option in &api().option {
        let loaded =
            load_script(&option.example, &option.manifest).unwrap_or_else(|problems| panic!("{}", shown(&problems)));
        let manifest = &loaded.resolution.get("example").expect("the example").found.manifest;
        kinds.insert(match &manifest.options[0].kind {
            OptionType::Bool => "boolean",
            OptionType::Int { .. } => "integer",
            OptionType::OneOf(_) => "one of",
            OptionType::SetOf(_) => "set of",
        });
    }
    assert_eq!(kinds.len(), 4, "{kinds:?}");
}

#[test]
fn codes_are_those_of_the_program() {
    let (api, mut found) = (api(), Differences::default());
    let written = api.error.iter().flat_map(|errors| &errors.codes);
    found.compare("codes", &words(written), &words(trencavel_host::codes().map(|(code, _)| code)));
    for errors in &api.error {
        found.check(
            errors.codes.iter().all(|code| code.starts_with(&errors.letter)),
            format!("{} has others", errors.letter),
        );
        for wrong in &errors.examples {
            let given = load_script(&wrong.lua, "").err().unwrap_or_default();
            let codes: Vec<&str> = given.iter().map(|problem| problem.code).collect();
            found.check(
                codes.contains(&&*wrong.code),
                format!("{} is answered by {codes:?}: {}", wrong.code, wrong.lua),
            );
        }
    }
    found.none();
}

#[test]
fn the_worked_expansion_plays_its_scenario() {
    let api = api();
    let files: Vec<(String, String)> =
        api.guide.iter().flat_map(|guide| &guide.files).map(|file| (file.name.clone(), file.text.clone())).collect();
    let loaded = load_with(&files, "toll").unwrap_or_else(|problems| panic!("{}", shown(&problems)));
    for seed in 1..4 {
        play(&loaded, seed).unwrap_or_else(|error| panic!("{error}"));
    }
    let (_, scenario) = files.iter().find(|(name, _)| name.contains("/tests/")).expect("a scenario");
    let scenario: toml::Table = scenario.parse().expect("TOML");
    let texts = |key: &str| -> Vec<String> {
        let list = scenario[key].as_array().expect("a list").iter();
        list.map(|text| text.as_str().expect("text").to_owned()).collect()
    };
    let tile = |name: &String| {
        let full = if name.contains(':') { name.clone() } else { format!("toll:{name}") };
        loaded.rules.tile_by_name(&full).expect("a tile")
    };
    let stack = texts("stack").iter().map(tile).collect();
    let mut scripts = loaded.scripts().expect("a VM");
    let setup = Setup { stack: Some(stack), ..setup(1) };
    let mut game = Game::from_setup(Arc::clone(&loaded.rules), &setup, &mut scripts).expect("a game");
    for line in texts("play") {
        let (_, actions) = line.split_once(": ").expect("a player");
        for text in actions.split("; ") {
            let action = notation::parse(&game, text).unwrap_or_else(|error| panic!("{text}: {error}"));
            game.apply(action, &mut scripts).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
    }
    let lines: Vec<String> = game
        .state()
        .lines()
        .iter()
        .map(|line| {
            let cause = loaded.rules.cause_word(line.cause);
            format!("{} scores {} ({cause})", notation::letter(line.player), line.points)
        })
        .collect();
    for expected in texts("expect") {
        assert!(lines.contains(&expected), "{expected} is not among {lines:?}");
    }
}

// What is made from it -----------------------------------------------------------------------------------------------

#[test]
fn what_is_made_from_it_is_fresh() {
    let api = api();
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts");
    for (name, text) in [("HOOKS.md", api.manual()), ("types/trencavel.lua", api.stubs())] {
        let path = scripts.join(name);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(&path, &text).expect("a place to write");
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "scripts/{name} is stale: UPDATE_GOLDEN=1 cargo test -p trencavel-host --test api");
    }
}
