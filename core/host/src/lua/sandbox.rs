//! The one seam to the Lua flavour: a VM whose scripts can compute, and nothing else.
//!
//! A script sees a reduced, frozen library and what the host gives it. It cannot reach another script, keep a global,
//! run for ever, fill the memory, or catch an error. State in upvalues is not seen here: that is found by the syntax
//! check at load and by the amnesia check.
//!
//! ```
//! use trencavel_host::lua::{limits::Limits, sandbox::{CallLabel, Chunk, Sandbox}};
//!
//! let sandbox = Sandbox::new(Limits::default())?;
//! let chunk = Chunk { name: "scripts/inn/rules.lua".into(), source: "return function(n) return n + 1 end".into() };
//! let hook = sandbox.load("inn", &chunk, &[], |_| None)?;
//! let hook = hook.as_function().expect("the script returns a function");
//! let points: i64 = sandbox.call(hook, 41, CallLabel { expansion: "inn", hook: "rate" })?;
//! assert_eq!(points, 42);
//! # Ok::<(), trencavel_host::lua::sandbox::LuaFault>(())
//! ```

mod fault;
mod library;
mod modules;
mod report;
mod signal;

use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use mlua::chunk::Compiler;
use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, LuaOptions, StdLib, Table, Value, VmState};

pub use fault::{CallLabel, LuaFault, ModuleProblem, Site, host_error};
pub use modules::Chunk;

use super::limits::{Limits, Meter, Place, Trip, Turn};
use modules::{Files, Folder, Watched};
use report::Context;

/// Hook name of faults at the top level of a file.
pub const LOAD: &str = "load";

/// Calls within calls: a hook whose host function runs a hook, and so on.
pub const DEPTH: u32 = 24;

/// What the compiler counts while lines are watched: statements, not the parts of expressions.
const STATEMENTS: u8 = 1;

/// A VM for the scripts of one ruleset, on one thread, for any number of games.
pub struct Sandbox {
    lua: Lua,
    base: Table,
    limits: Limits,
    meter: Rc<Meter>,
    files: Files,
    watched: Watched,
}

impl Sandbox {
    /// An empty sandbox.
    ///
    /// # Errors
    ///
    /// [`LuaFault::Setup`] if `limits` leave no room for the library itself (about 0.7 MB).
    pub fn new(limits: Limits) -> Result<Self, LuaFault> {
        Self::build(limits).map_err(|error| LuaFault::Setup { message: error.to_string() })
    }

    fn build(limits: Limits) -> mlua::Result<Self> {
        // All of them, to learn their names: the compiler knows the functions of libraries that are absent, too.
        let lua = Lua::new_with(StdLib::ALL_SAFE, LuaOptions::new().catch_rust_panics(false))?;
        let meter = Rc::new(Meter::new(limits));
        let base = library::install(&lua, &meter)?;
        if lua.used_memory() > limits.memory_bytes {
            return Err(mlua::Error::runtime(format!("{} bytes do not hold the library", limits.memory_bytes)));
        }
        lua.set_memory_limit(limits.memory_bytes)?;
        let ticking = Rc::clone(&meter);
        lua.set_interrupt(move |lua| match ticking.tick() {
            Ok(()) => Ok(VmState::Continue),
            Err(trip) => Err(signal::stop(lua, &ticking, trip)),
        });
        let (files, watched) = (Rc::new(RefCell::new(BTreeSet::new())), Watched::default());
        Ok(Self { lua, base, limits, meter, files, watched })
    }

    /// From now on notes which lines of the files that are loaded run; [`lines`](Self::lines) tells.
    pub(crate) fn watch_lines(&self) {
        self.lua.set_compiler(Compiler::new().set_coverage_level(STATEMENTS));
        *self.watched.borrow_mut() = Some(Vec::new());
    }

    /// How often each line has run that holds something to run, by file and 1-based line. Empty if nobody watches.
    pub(crate) fn lines(&self) -> BTreeMap<Place, u32> {
        let mut lines = BTreeMap::new();
        for (name, function) in self.watched.borrow().iter().flatten() {
            function.coverage(|part| {
                for (line, hits) in part.hits.iter().enumerate() {
                    if let (Ok(line), Ok(hits)) = (u32::try_from(line), u32::try_from(*hits)) {
                        let known = lines.entry((name.clone(), line)).or_insert(0);
                        *known = hits.max(*known);
                    }
                }
            });
        }
        lines
    }

    /// The VM, to make the functions and tables given to [`load`](Self::load). Run scripts through
    /// [`call`](Self::call) only: outside of it the first loop or call of a script is a fault.
    pub fn lua(&self) -> &Lua {
        &self.lua
    }

    /// The limits of every call.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Ticks the last call has used; see [`Limits::instructions`].
    pub fn ticks_used(&self) -> u64 {
        self.meter.used()
    }

    /// Runs the file of an expansion in an environment of its own and returns what it returns, frozen.
    ///
    /// `api` are the further names it sees; tables among them are frozen. `module` finds the files it requires: it is
    /// given `parts/scoring` for `require "./parts/scoring"`. Names are relative to the folder of the expansion.
    ///
    /// # Errors
    ///
    /// A fault of the file or of one it requires, with hook [`LOAD`]. [`LuaFault::Setup`] if a name of `api` is one of
    /// the library.
    pub fn load(
        &self,
        expansion: &str,
        file: &Chunk,
        api: &[(&str, Value)],
        module: impl Fn(&str) -> Option<Chunk> + 'static,
    ) -> Result<Value, LuaFault> {
        self.check_names(api)?;
        let label = CallLabel { expansion, hook: LOAD };
        let run = || {
            let folder = Folder::new(
                &self.lua,
                &self.base,
                api,
                Box::new(module),
                Rc::clone(&self.files),
                Rc::clone(&self.watched),
            )?;
            let value = folder.run(&self.lua, file);
            folder.seal();
            value
        };
        self.guarded(label, || Some((file.name.clone(), 1)), run)
    }

    fn check_names(&self, api: &[(&str, Value)]) -> Result<(), LuaFault> {
        let taken =
            |name: &str| name == "require" || self.base.raw_get::<Value>(name).is_ok_and(|value| !value.is_nil());
        match api.iter().find(|(name, _)| taken(name)) {
            Some((name, _)) => Err(LuaFault::Setup { message: format!("`{name}` is a name of the library") }),
            None => Ok(()),
        }
    }

    /// Calls a function of a script with a full budget; within another call, with what that one has left.
    ///
    /// # Errors
    ///
    /// A fault of the script. Whatever it did about a limit, reaching one is a fault.
    pub fn call<R: FromLuaMulti>(
        &self,
        function: &Function,
        args: impl IntoLuaMulti,
        label: CallLabel<'_>,
    ) -> Result<R, LuaFault> {
        self.guarded(label, || definition(function), || function.call(args))
    }

    /// A piece of the host's own Lua, which reports leave out. It is run within a call.
    ///
    /// # Errors
    ///
    /// [`LuaFault::Setup`] if it is no Lua or there is no memory for it.
    pub(crate) fn trusted(&self, source: &str) -> Result<Function, LuaFault> {
        let function = self.lua.load(source).set_name(format!("={}", library::PRELUDE)).into_function();
        function.map_err(|error| LuaFault::Setup { message: error.to_string() })
    }

    /// Opens a call for a hook that is no script but makes values of the VM; it ends when the guard is dropped.
    pub(crate) fn open_call(&self) -> Turn<'_> {
        self.meter.enter()
    }

    /// Lets `body` make the arguments of a function and call it.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub(crate) fn guarded_call<R>(
        &self,
        function: &Function,
        label: CallLabel<'_>,
        body: impl FnOnce() -> mlua::Result<R>,
    ) -> Result<R, LuaFault> {
        self.guarded(label, || definition(function), body)
    }

    fn guarded<R>(
        &self,
        label: CallLabel<'_>,
        fallback: impl FnOnce() -> Option<Place>,
        body: impl FnOnce() -> mlua::Result<R>,
    ) -> Result<R, LuaFault> {
        let turn = self.meter.enter();
        if turn.depth() > DEPTH {
            return Err(LuaFault::Depth { site: Site::new(label, fallback(), String::new()), calls: DEPTH });
        }
        if turn.depth() > 1 {
            // A panic goes on to the outermost call.
            return self.judge(label, fallback, body());
        }
        match catch_unwind(AssertUnwindSafe(body)) {
            Ok(outcome) => self.judge(label, fallback, outcome),
            Err(payload) => {
                let site = Site::new(label, fallback(), String::new());
                Err(LuaFault::Panic { site, message: panic_message(payload.as_ref()) })
            }
        }
    }

    fn judge<R>(
        &self,
        label: CallLabel<'_>,
        fallback: impl FnOnce() -> Option<Place>,
        outcome: mlua::Result<R>,
    ) -> Result<R, LuaFault> {
        if let Some(trip) = self.meter.tripped() {
            return Err(self.overrun(label, trip, outcome.err()));
        }
        outcome.map_err(|error| {
            let fault = self.context(label, fallback()).fault(error);
            if matches!(fault, LuaFault::Memory { .. }) {
                self.collect();
            }
            fault
        })
    }

    fn context<'a>(&self, label: CallLabel<'a>, fallback: Option<Place>) -> Context<'a> {
        Context { label, files: Rc::clone(&self.files), memory_bytes: self.limits.memory_bytes, fallback }
    }

    fn overrun(&self, label: CallLabel<'_>, trip: Trip, error: Option<mlua::Error>) -> LuaFault {
        self.collect();
        let site = self.context(label, None).stopped_at(self.meter.place(), error);
        match trip {
            Trip::Budget => LuaFault::Budget { site, ticks: self.limits.instructions },
            Trip::Clock => LuaFault::Time { site, ms: self.limits.wall_ms },
            Trip::Idle => LuaFault::Idle { site },
        }
    }

    /// Frees what a failed call has left, so that the next one has the whole memory.
    fn collect(&self) {
        // The collector runs no script, so it cannot fail.
        let _ = self.lua.gc_collect();
    }
}

/// Makes a table and every table reachable from it read-only. Tables held by closures only are not reached.
///
/// # Errors
///
/// If a table cannot be read.
pub fn freeze(value: &Value) -> mlua::Result<()> {
    let mut open: Vec<Table> = value.as_table().cloned().into_iter().collect();
    let mut seen = HashSet::new();
    while let Some(table) = open.pop() {
        if !seen.insert(table.to_pointer()) {
            continue;
        }
        table.set_readonly(true);
        open.extend(table.metatable());
        table.for_each(|key: Value, value: Value| {
            open.extend([key, value].iter().filter_map(|part| part.as_table().cloned()));
            Ok(())
        })?;
    }
    Ok(())
}

/// The integer a script gave.
///
/// # Errors
///
/// [`LuaFault::NotAnInteger`] for fractions, numbers beyond ±2^53, texts of digits and everything else.
pub fn integer(value: &Value) -> Result<i64, LuaFault> {
    const BOUND: i64 = 1 << 53;
    let whole = match value {
        Value::Integer(n) => Some(*n),
        // Exact: the guard leaves whole numbers an `i64` holds.
        Value::Number(n) if n.fract() == 0.0 && n.abs() <= BOUND as f64 => Some(*n as i64),
        _ => None,
    };
    whole.filter(|n| n.abs() <= BOUND).ok_or_else(|| LuaFault::NotAnInteger { found: describe(value) })
}

/// The innermost place of a script that runs.
pub(crate) fn place(lua: &Lua) -> Option<Place> {
    signal::script_place(lua)
}

fn describe(value: &Value) -> String {
    match value {
        Value::Integer(n) => n.to_string(),
        Value::Number(n) => n.to_string(),
        other => format!("a {}", other.type_name()),
    }
}

fn definition(function: &Function) -> Option<Place> {
    let info = function.info();
    Some((info.short_src?, u32::try_from(info.line_defined?).ok()?))
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".to_string())
}
