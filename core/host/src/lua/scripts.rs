//! Runs the scripts of a game, one expansion after the other, and keeps what they declared.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use mlua::Value;
use trencavel_rules::declare::Declaration;

use super::api::Door;
use super::context::Context;
use super::declaring::{Declaring, Written};
use super::limits::{Limits, Place};
use super::misuse::Misuse;
use super::names::Reader;
use super::sandbox::{Chunk, LuaFault, Sandbox};
use crate::diagnostic::{Diagnostic, SourceFile};
use crate::library::Found;
use crate::native::Plugins;
use crate::resolve::{Resolution, Resolved};

/// The script every expansion may have.
pub(crate) const RULES: &str = "rules.lua";

/// A VM in which every script of a game has run.
pub(crate) struct Ran {
    pub sandbox: Sandbox,
    pub context: Rc<Context>,
    pub functions: Vec<Written>,
    pub declared: Vec<Declaration>,
}

/// Scripts that did not all run to their ends, or whose declarations were not all taken.
pub(crate) struct Failed {
    /// Every problem of every script, in canonical order.
    pub problems: Vec<Diagnostic>,
    /// What they declared all the same.
    pub declared: Vec<Declaration>,
    /// A script was cut short, so whatever would have come after is missing.
    pub cut: bool,
    /// Ids of declarations that were left out.
    pub left_out: BTreeSet<String>,
}

/// What is noted while scripts run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    Nothing,
    /// Which lines run, and how often.
    Lines,
}

/// Runs every script and lets every library declare, the expansions in this order of their places. What they declare
/// depends on nothing but their files, their options and which expansions are active, so every VM of a game gets the
/// same declarations and the same numbers of functions.
///
/// # Errors
/// Every problem of every script, in this order, and what there is all the same.
pub(crate) fn run(
    resolution: &Resolution,
    order: &[usize],
    implied: &[String],
    limits: Limits,
    plugins: &Plugins,
    watch: Watch,
) -> Result<Ran, Failed> {
    let sandbox = Sandbox::new(limits).map_err(|fault| unable(&fault.to_string()))?;
    if watch == Watch::Lines {
        sandbox.watch_lines();
    }
    let context = Rc::new(Context::new(readers(resolution, implied)));
    let declaring = Rc::new(Declaring::default());
    let door = Door::new(sandbox.lua(), &context, &declaring).map_err(|error| unable(&error.to_string()))?;
    let mut failed = Failed { problems: Vec::new(), declared: Vec::new(), cut: false, left_out: BTreeSet::new() };
    for (place, one) in in_order(resolution, order) {
        if let Some(plugin) = plugins.get(one.id()) {
            let problem = plugin.declare(one, place, &context, &declaring).err();
            failed.cut |= problem.is_some();
            failed.problems.extend(problem);
        }
        let Some(file) = one.found.files.get(RULES) else { continue };
        let table = door.table(place, &one.found.manifest.options, &one.options);
        let loaded = table.map_err(|error| LuaFault::Setup { message: error.to_string() }).and_then(|rules| {
            let found = one.found.clone();
            let module = move |name: &str| found.files.get(&format!("{name}.lua")).map(chunk);
            sandbox.load(one.id(), &chunk(file), &[("rules", Value::Table(rules))], module)
        });
        for refused in declaring.refused() {
            let problem = left_out(refused.misuse, refused.place, &one.found);
            if !failed.problems.contains(&problem) {
                failed.problems.push(problem);
            }
            failed.left_out.extend(refused.id);
        }
        if let Err(fault) = loaded {
            add(&mut failed.problems, fault_diagnostic(&fault, &one.found));
            failed.cut = true;
            // What is open now was cut short by the fault.
            declaring.dangling();
        }
        failed.problems.extend(declaring.dangling().into_iter().map(|(what, at)| dangling(&what, at, &one.found)));
    }
    declaring.close();
    if !failed.problems.is_empty() {
        return Err(Failed { declared: take(&declaring.declared), ..failed });
    }
    let functions = take(&declaring.functions);
    let declared = take(&declaring.declared);
    Ok(Ran { sandbox, context, functions, declared })
}

/// The expansions with their places in canonical order, as they are to be read.
pub(crate) fn in_order<'a>(
    resolution: &'a Resolution,
    order: &'a [usize],
) -> impl Iterator<Item = (usize, &'a Resolved)> {
    order.iter().filter_map(|place| Some((*place, resolution.expansions.get(*place)?)))
}

fn take<T>(list: &RefCell<Vec<T>>) -> Vec<T> {
    std::mem::take(&mut *list.borrow_mut())
}

/// Whose ids each expansion may use, as its manifest says.
pub(crate) fn readers(resolution: &Resolution, implied: &[String]) -> Vec<Reader> {
    let active = |id: &str| resolution.get(id).is_some();
    let reader = |found: &Found| {
        let manifest = &found.manifest;
        let named = manifest.requires.keys().chain(manifest.optional.keys()).chain(&manifest.includes);
        let others: BTreeMap<&String, bool> = named.chain([&manifest.id]).map(|id| (id, active(id))).collect();
        Reader {
            id: manifest.id.clone(),
            requires: required(found, resolution, implied),
            optional: manifest.optional.keys().cloned().collect(),
            others: others.into_iter().map(|(id, active)| (id.clone(), active)).collect(),
        }
    };
    resolution.expansions.iter().map(|one| reader(&one.found)).collect()
}

/// What an expansion requires; the expansions every game has are required without saying so, except by one another
/// and by what they themselves need.
pub(crate) fn required(found: &Found, resolution: &Resolution, implied: &[String]) -> Vec<String> {
    let manifest = &found.manifest;
    let mut ids: Vec<String> = manifest.requires.keys().cloned().collect();
    let place = |id: &str| resolution.expansions.iter().position(|one| one.id() == id);
    for id in implied {
        // One that comes later in canonical order was put there on purpose.
        if !ids.contains(id) && place(id).is_some_and(|first| place(&manifest.id).is_some_and(|own| first < own)) {
            ids.push(id.clone());
        }
    }
    ids
}

/// A file as the sandbox takes it.
fn chunk(file: &SourceFile) -> Chunk {
    Chunk { name: file.path.display().to_string(), source: file.text.to_string() }
}

/// Adds a problem, unless there is one on its line: then it only follows from that.
pub(crate) fn add(problems: &mut Vec<Diagnostic>, problem: Diagnostic) {
    let place = |one: &Diagnostic| one.at.as_ref().map(|(file, _)| file.path.clone()).zip(one.line());
    let follows = place(&problem).is_some_and(|at| problems.iter().any(|known| place(known) == Some(at.clone())));
    if !follows {
        problems.push(problem);
    }
}

fn unable(message: &str) -> Failed {
    let problem = Diagnostic::new("L007", format!("the script engine failed: {message}"));
    Failed { problems: vec![problem], declared: Vec::new(), cut: true, left_out: BTreeSet::new() }
}

fn left_out(misuse: Misuse, at: Option<Place>, found: &Found) -> Diagnostic {
    let problem = placed(Diagnostic::new("L003", misuse.message), at, found);
    Diagnostic { help: misuse.help, ..problem }
}

fn dangling(what: &str, at: Option<Place>, found: &Found) -> Diagnostic {
    let problem = Diagnostic::new("L008", format!("`{what}` has an id and no table"));
    placed(problem, at, found).help("write its fields after the id: `rules.kind \"id\" { … }`")
}

/// A fault of a script as a problem of its file.
pub(crate) fn fault_diagnostic(fault: &LuaFault, found: &Found) -> Diagnostic {
    let (code, help) = match fault {
        LuaFault::Syntax { .. } => ("L001", None),
        LuaFault::Runtime { .. } => ("L002", None),
        LuaFault::Host { source, .. } => {
            ("L003", source.downcast_ref::<Misuse>().and_then(|misuse| misuse.help.clone()))
        }
        LuaFault::Global { .. } => ("L004", Some("write `local` before it".to_owned())),
        LuaFault::Unknown { .. } => ("L004", Some("declare it with `local`, or check the spelling".to_owned())),
        LuaFault::Module { .. } => ("L005", None),
        LuaFault::Budget { .. } | LuaFault::Time { .. } | LuaFault::Memory { .. } | LuaFault::Depth { .. } => {
            ("L006", None)
        }
        _ => ("L007", None),
    };
    let place = fault.file().map(str::to_owned).zip(fault.line());
    let mut problem = placed(Diagnostic::new(code, fault_message(fault)), place, found);
    problem.help = help;
    problem.traceback = script_frames(fault);
    // One frame is the place itself.
    if problem.traceback.len() < 2 {
        problem.traceback.clear();
    }
    problem
}

/// The calls of scripts that led to a fault, innermost first, without those of the host.
pub(crate) fn script_frames(fault: &LuaFault) -> Vec<String> {
    fault.traceback().lines().filter(|frame| !frame.starts_with("[C]")).map(str::to_owned).collect()
}

/// The sentence of a fault without its place.
pub(crate) fn fault_message(fault: &LuaFault) -> String {
    if let LuaFault::Global { name, .. } = fault {
        return format!("globals are not allowed: `{name}` is assigned");
    }
    let text = fault.to_string();
    let place = fault.site().map(|site| format!("{site}: ")).unwrap_or_default();
    text.strip_prefix(&place).unwrap_or(&text).to_owned()
}

fn placed(problem: Diagnostic, at: Option<Place>, found: &Found) -> Diagnostic {
    let Some((name, line)) = at else { return problem };
    match found.files.values().find(|file| file.path.display().to_string() == name) {
        Some(file) => problem.at_line(file, line),
        None => problem,
    }
}
