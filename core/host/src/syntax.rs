//! Reads scripts before they run, and refuses what would keep state of its own or depend on the order of a table.
//!
//! The state of a game is the host's: scripts are declarations and functions without a memory. A function that assigns
//! to what was made outside of it has one. What this check cannot see (a table filled with `table.insert`, say) the
//! amnesia check finds in played games.

mod calls;
mod emits;
mod scopes;
mod slips;

use std::thread;

use full_moon::LuaVersion;
use full_moon::ast::Ast;
use full_moon::visitors::Visitor;

use crate::diagnostic::{Diagnostic, SourceFile};
pub(crate) use calls::{Call, Callee, Word};
pub(crate) use emits::Unlisted;
use scopes::{Finding, Scopes, Slip};

/// Every code of this file with its explanation for `trencavel explain CODE`.
pub const CODES: &[(&str, &str)] = &[
    (
        "L009",
        "A function assigns to a variable that was declared outside of it. (The function of `rules.when` may: it runs \
         once, while the file is loaded.) The variable would be a memory that saves, \
         undo and other threads know nothing of. Inside a hook use locals; what must last belongs to the game: tokens, \
         marks and figures, which `rules.emit` changes.",
    ),
    (
        "L010",
        "A function writes into a table that was made at the top level of the file. The table would be a memory that \
         saves, undo and other threads know nothing of. Make the table inside the function; what must last belongs to \
         the game: tokens, marks and figures, which `rules.emit` changes.",
    ),
    (
        "L011",
        "A `for` loop goes over a table itself. Its order would be that of memory, which differs from run to run. \
         Loop over `ipairs(t)`, `sorted_pairs(t)` or `pairs(t)`, or over what a function gives.",
    ),
    (
        "L012",
        "The script runs, but its syntax cannot be checked for hidden state, so it is refused. Scripts keep to the \
         syntax of Lua 5.1, which can always be checked.",
    ),
    (
        "L014",
        "The `run` of a declaration emits a verb that its `emits` does not name, so it would fail as soon as it comes to \
         that line. `emits` tells the engine, and whoever reads the rules, what a hook may do.",
    ),
];

/// Enough for a tree as deep as the compiler lets scripts be; only what is used of it is ever taken.
const STACK_BYTES: usize = 256 << 20;

/// Every script among these files that is no Lua, keeps state or loops over bare tables.
pub fn check<'f>(files: impl IntoIterator<Item = &'f SourceFile>) -> Vec<Diagnostic> {
    let is_script = |file: &&SourceFile| file.path.extension().is_some_and(|end| end == "lua");
    let (mut scripts, mut found) = (Vec::new(), Vec::new());
    for file in files.into_iter().filter(is_script) {
        // The compiler bounds how deep a script is nested, and takes nothing that is not Lua.
        let errors = slips::of(file);
        if errors.is_empty() { scripts.push(file) } else { found.extend(errors) }
    }
    if !scripts.is_empty() {
        let checked = deep(|| scripts.iter().flat_map(|file| check_file(file)).collect());
        found.extend(
            checked
                .unwrap_or_else(|why| vec![Diagnostic::new("L012", format!("the scripts cannot be checked: {why}"))]),
        );
    }
    found
}

/// The calls of a script that can be told from its text; none if it cannot be read.
pub(crate) fn calls(file: &SourceFile) -> Vec<Call> {
    told(file, calls::of)
}

/// The verbs that declarations of a script emit without naming them, as far as its text tells.
pub(crate) fn unlisted_verbs(file: &SourceFile) -> Vec<Unlisted> {
    told(file, emits::of)
}

/// What the syntax tree of a script tells; nothing if it cannot be read.
fn told<T: Send>(file: &SourceFile, tell: fn(&Ast) -> Vec<T>) -> Vec<T> {
    let read = || {
        let read = full_moon::parse_fallible(&file.text, LuaVersion::luau());
        if read.errors().is_empty() { tell(read.ast()) } else { Vec::new() }
    };
    if slips::of(file).is_empty() { deep(read).unwrap_or_default() } else { Vec::new() }
}

/// Reads syntax trees on a stack of their own: the reader recurses, and the deepest script that compiles must not end the
/// process.
fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    thread::scope(|scope| {
        let reader = thread::Builder::new().name("syntax".to_owned()).stack_size(STACK_BYTES);
        let reader = reader.spawn_scoped(scope, work).map_err(|error| error.to_string())?;
        reader.join().map_err(|_| "the reader of syntax failed".to_owned())
    })
}

fn check_file(file: &SourceFile) -> Vec<Diagnostic> {
    let read = full_moon::parse_fallible(&file.text, LuaVersion::luau());
    if let Some(error) = read.errors().first() {
        let line = u32::try_from(error.range().0.line()).unwrap_or(1);
        let problem = Diagnostic::new("L012", format!("this syntax cannot be checked: {}", error.error_message()));
        return vec![problem.at_line(file, line).help("write it in the syntax of Lua 5.1")];
    }
    let mut scopes = Scopes::default();
    scopes.visit_ast(read.ast());
    scopes.findings().iter().map(|finding| problem(finding, file)).collect()
}

fn problem(finding: &Finding, file: &SourceFile) -> Diagnostic {
    let name = &finding.name;
    let (code, message, help) = match finding.slip {
        Slip::Assigned => (
            "L009",
            format!("a function assigns to `{name}`, which is declared outside of it"),
            format!("declare it inside the function, `local {name} = …`; what must last belongs to the game"),
        ),
        Slip::Written => (
            "L010",
            format!("a function writes into `{name}`, a table made at the top level of the file"),
            "make the table inside the function; what must last belongs to the game".to_owned(),
        ),
        Slip::BareLoop => (
            "L011",
            "a `for` loop goes over a table itself, in no certain order".to_owned(),
            "write `in ipairs(t)` for a list, `in sorted_pairs(t)` or `in pairs(t)` for names".to_owned(),
        ),
    };
    let problem = Diagnostic::new(code, message);
    let problem = match file.text.get(finding.at.clone()) {
        Some(_) => problem.at(file, finding.at.clone()),
        None => problem.at_line(file, finding.line),
    };
    problem.help(help)
}
