//! Words in functions that name nothing, or nothing that was declared, found before anything runs.
//!
//! What an argument names is told by its name in `api.toml`: `query`, `mark`, `kind`, `figure`, `token`, `verb`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use trencavel_rules::words::Verb;

use crate::api_file::ApiFile;
use crate::diagnostic::{Diagnostic, SourceFile};
use crate::library::Origin;
use crate::load::Loaded;
use crate::lua::{Misuse, Room, look_up};
use crate::resolve::Resolved;
use crate::syntax::{Call, Callee, Unlisted, Word, calls, unlisted_verbs as unlisted_verbs_of};

/// Every word that is written out in a call of the expansions in `asked` and names nothing there.
pub fn unknown_words(loaded: &Loaded, asked: &BTreeSet<&str>) -> Vec<Diagnostic> {
    let known = arguments();
    scripted(loaded, asked).flat_map(|(place, one)| of_expansion(loaded, place, one, &known)).collect()
}

/// Every verb that is written out where the expansions in `asked` emit it, in a declaration that does not name it.
pub fn unlisted_verbs(loaded: &Loaded, asked: &BTreeSet<&str>) -> Vec<Diagnostic> {
    // The program's own tests read the file; without it nothing can be told.
    let Ok(api) = ApiFile::read() else { return Vec::new() };
    let may_emit = |kind: &str| {
        api.kind.iter().any(|one| one.name == kind && one.fields.iter().any(|field| field.name == "emits"))
    };
    let mut found = Vec::new();
    for (_, file) in scripted(loaded, asked).flat_map(|(_, one)| scripts(one)) {
        let unlisted = unlisted_verbs_of(file).into_iter();
        // What is no verb at all is told as such.
        let unlisted = unlisted.filter(|one| may_emit(&one.kind) && unknown_verb(&one.verb).is_none());
        found.extend(unlisted.map(|one| {
            let (Unlisted { kind, id, verb }, word) = (&one, &one.verb.text);
            let message = format!("{kind} \"{id}\": `{word}` is not among the `emits` of this hook");
            let help = format!("declare it: `emits = {{ \"{word}\" }}`");
            Diagnostic::new("L014", message).at(file, verb.at.clone()).help(help)
        }));
    }
    found
}

/// The expansions in `asked` that are files, with their places in the game.
fn scripted<'l>(loaded: &'l Loaded, asked: &BTreeSet<&str>) -> impl Iterator<Item = (usize, &'l Resolved)> {
    let expansions = loaded.resolution.expansions.iter().enumerate();
    expansions.filter(|(_, one)| !matches!(one.found.origin, Origin::LinkedIn(_)) && asked.contains(one.id()))
}

fn scripts(one: &Resolved) -> impl Iterator<Item = (&String, &SourceFile)> {
    one.found.files.iter().filter(|(name, _)| name.ends_with(".lua"))
}

/// The names of the arguments of everything that can be called. Methods of several handles that differ tell nothing.
fn arguments() -> BTreeMap<Callee, Vec<String>> {
    let mut known: BTreeMap<Callee, Vec<String>> = BTreeMap::new();
    // The program's own tests read the file; without it nothing can be told.
    let Ok(api) = ApiFile::read() else { return known };
    let names = |args: &str| -> Vec<String> {
        let name = |arg: &str| arg.split(':').next().unwrap_or_default().trim().trim_end_matches('?').to_owned();
        args.split(", ").map(name).collect()
    };
    for kind in &api.kind {
        known.insert(Callee::Rules(kind.name.clone()), vec!["id".to_owned()]);
    }
    for function in &api.function {
        known.insert(Callee::Rules(function.name.clone()), names(&function.args));
    }
    let mut differing = BTreeSet::new();
    for method in api.handle.iter().flat_map(|handle| &handle.methods) {
        let callee = Callee::Method(method.name.clone());
        let names = names(&method.args);
        if known.insert(callee.clone(), names.clone()).is_some_and(|before| before != names) {
            differing.insert(callee);
        }
    }
    known.retain(|callee, _| !differing.contains(callee));
    known
}

fn of_expansion(
    loaded: &Loaded,
    place: usize,
    one: &Resolved,
    known: &BTreeMap<Callee, Vec<String>>,
) -> Vec<Diagnostic> {
    let calls: Vec<_> = scripts(one).map(|(_, file)| (file, calls(file))).collect();
    // What is declared for some options only is not wrong for the others.
    let declared: BTreeSet<(&str, &str)> = calls.iter().flat_map(|(_, calls)| calls).filter_map(declaration).collect();
    let readers = loaded.readers();
    let Some(reader) = readers.get(place) else { return Vec::new() };
    let mut found = Vec::new();
    for (file, calls) in &calls {
        for call in calls {
            let Some(names) = known.get(&call.callee) else {
                found.extend(unknown_member(call, known).map(|misuse| told("L003", misuse, file, &call.at)));
                continue;
            };
            for (word, argument) in call.args.iter().zip(names).filter_map(|(word, name)| Some((word.as_ref()?, name)))
            {
                let own = |kind: &str| declared.contains(&(kind, word.text.as_str()));
                let misuse = match room(argument) {
                    Some((_, kinds)) if kinds.iter().any(|kind| own(kind)) => None,
                    Some((room, _)) => look_up(&loaded.rules, reader, room, &word.text).err(),
                    None if argument == "verb" => unknown_verb(word),
                    None => None,
                };
                found.extend(misuse.map(|misuse| told("D001", misuse, file, &word.at)));
            }
        }
    }
    found
}

fn told(code: &'static str, misuse: Misuse, file: &SourceFile, at: &Range<usize>) -> Diagnostic {
    Diagnostic { help: misuse.help, ..Diagnostic::new(code, misuse.message).at(file, at.clone()) }
}

/// What is wrong with a call of something that `rules` does not have.
fn unknown_member(call: &Call, known: &BTreeMap<Callee, Vec<String>>) -> Option<Misuse> {
    let Callee::Rules(name) = &call.callee else { return None };
    let members = known.keys().filter_map(|one| if let Callee::Rules(name) = one { Some(name.as_str()) } else { None });
    Some(Misuse::unknown(format!("`rules` has no `{name}`"), name, members))
}

/// The kind and id of a declaration.
fn declaration(call: &Call) -> Option<(&str, &str)> {
    let Callee::Rules(kind) = &call.callee else { return None };
    Some((kind, &call.args.first()?.as_ref()?.text))
}

/// What an argument of this name names, and the kinds of declarations that make it.
fn room(argument: &str) -> Option<(Room, &'static [&'static str])> {
    Some(match argument {
        "query" => (Room::Query, &["query"]),
        "mark" => (Room::Mark, &["mark"]),
        "kind" => (Room::Feature, &["feature"]),
        "figure" => (Room::Figure, &["figure", "neutral"]),
        "token" => (Room::Token, &["token"]),
        _ => return None,
    })
}

fn unknown_verb(word: &Word) -> Option<Misuse> {
    let known = || Verb::ALL.iter().map(|verb| verb.word());
    let unknown = known().all(|verb| verb != word.text);
    unknown.then(|| Misuse::unknown(format!("unknown verb `{}`", word.text), &word.text, known()))
}
