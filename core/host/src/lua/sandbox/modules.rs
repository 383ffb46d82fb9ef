//! Files of one expansion: its environment and its `require`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, Table, Value};

use super::fault::ModuleProblem;
use super::freeze;
use super::signal::{self, Signal};

/// A file of an expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// As messages name it: `scripts/NAME/rules.lua`.
    pub name: String,
    /// Its text.
    pub source: String,
}

/// Gives the file for a name of `require` without the `./` and the ending: `options`, `parts/scoring`.
pub(super) type Loader = dyn Fn(&str) -> Option<Chunk>;

/// Parsing cannot be interrupted, so the text is bounded.
const SOURCE_BYTES: usize = 256 << 10;

/// Names of all chunks loaded into a VM.
pub(super) type Files = Rc<RefCell<BTreeSet<String>>>;

/// The chunks whose lines are watched, with their names; none while nobody watches.
pub(super) type Watched = Rc<RefCell<Option<Vec<(String, Function)>>>>;

/// The files of one expansion while it is loaded.
pub(super) struct Folder {
    /// `None` once sealed: the environment holds `require`, which holds this.
    environment: RefCell<Option<Table>>,
    loader: Box<Loader>,
    files: Files,
    watched: Watched,
    loaded: RefCell<BTreeMap<String, Value>>,
    loading: RefCell<Vec<String>>,
}

impl Folder {
    /// A folder whose scripts see the library in `base`, the names in `api`, and `require`.
    pub(super) fn new(
        lua: &Lua,
        base: &Table,
        api: &[(&str, Value)],
        loader: Box<Loader>,
        files: Files,
        watched: Watched,
    ) -> mlua::Result<Rc<Self>> {
        let scope = scope(lua, base)?;
        let folder = Rc::new(Self {
            environment: RefCell::new(Some(environment(lua, &scope, api)?)),
            loader,
            files,
            watched,
            loaded: RefCell::default(),
            loading: RefCell::default(),
        });
        let own = Rc::clone(&folder);
        scope.raw_set(
            "require",
            lua.create_function(move |lua, name: Value| own.require(lua, &signal::name_of(&name)))?,
        )?;
        scope.set_readonly(true);
        Ok(folder)
    }

    /// Runs a file and returns what it returns, frozen.
    pub(super) fn run(&self, lua: &Lua, chunk: &Chunk) -> mlua::Result<Value> {
        let value = self.compile(lua, chunk)?.call::<Value>(())?;
        freeze(&value)?;
        Ok(value)
    }

    /// From now on `require` refuses.
    pub(super) fn seal(&self) {
        self.environment.borrow_mut().take();
        self.loaded.borrow_mut().clear();
    }

    fn compile(&self, lua: &Lua, chunk: &Chunk) -> mlua::Result<Function> {
        self.files.borrow_mut().insert(chunk.name.clone());
        if let Some(problem) = unfit(&chunk.source) {
            let message = format!("{}:1: {problem}", chunk.name);
            return Err(mlua::Error::SyntaxError { message, incomplete_input: false });
        }
        let sealed = || mlua::Error::runtime("the files of this expansion are loaded already");
        let environment = self.environment.borrow().clone().ok_or_else(sealed)?;
        let text = lua.load(&chunk.source).set_name(format!("={}", chunk.name)).set_mode(ChunkMode::Text);
        let function = text.set_environment(environment).into_function()?;
        if let Some(watched) = &mut *self.watched.borrow_mut() {
            watched.push((chunk.name.clone(), function.clone()));
        }
        Ok(function)
    }

    fn require(&self, lua: &Lua, name: &str) -> mlua::Result<Value> {
        let refuse = |problem| Signal::Module { name: name.to_string(), problem }.into_error();
        let path = module_path(name).ok_or_else(|| refuse(ModuleProblem::BadName))?;
        if self.environment.borrow().is_none() {
            return Err(refuse(ModuleProblem::TooLate));
        }
        if let Some(value) = self.loaded.borrow().get(path) {
            return Ok(value.clone());
        }
        if self.loading.borrow().iter().any(|open| open == path) {
            return Err(refuse(ModuleProblem::Cycle));
        }
        let chunk = (self.loader)(path).ok_or_else(|| refuse(ModuleProblem::Missing))?;
        self.loading.borrow_mut().push(path.to_string());
        let value = self.run(lua, &chunk);
        self.loading.borrow_mut().pop();
        let value = value?;
        self.loaded.borrow_mut().insert(path.to_string(), value.clone());
        Ok(value)
    }
}

/// Why a text is not even parsed.
fn unfit(source: &str) -> Option<String> {
    if source.len() > SOURCE_BYTES {
        return Some(format!("the file is longer than {SOURCE_BYTES} bytes"));
    }
    // They switch on optimisations that answer library calls while compiling.
    source.contains("--!").then(|| "compiler directives (`--!`) are not allowed".to_string())
}

/// The library, and `require`. Looked up once a name, so it is one flat table.
fn scope(lua: &Lua, base: &Table) -> mlua::Result<Table> {
    let scope = lua.create_table()?;
    for entry in base.pairs::<Value, Value>() {
        let (name, value) = entry?;
        scope.raw_set(name, value)?;
    }
    scope.set_metatable(base.metatable())?;
    Ok(scope)
}

/// Frozen: what is not given by the host is read in `scope`, writing is an error.
fn environment(lua: &Lua, scope: &Table, api: &[(&str, Value)]) -> mlua::Result<Table> {
    let refuse = lua.create_function(|_, (_, name, _): (Value, Value, Value)| -> mlua::Result<()> {
        Err(Signal::Global(signal::name_of(&name)).into_error())
    })?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", scope)?;
    meta.raw_set("__newindex", refuse)?;
    meta.raw_set("__metatable", false)?;
    meta.set_readonly(true);
    let environment = lua.create_table()?;
    for (name, value) in api {
        freeze(value)?;
        environment.raw_set(*name, value)?;
    }
    environment.set_metatable(Some(meta))?;
    environment.set_readonly(true);
    environment.set_safeenv(true);
    Ok(environment)
}

/// `./name` and `./folder/name` of lower-case words, without the `./`.
fn module_path(name: &str) -> Option<&str> {
    let word = |part: &str| {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-';
        !part.is_empty() && part.bytes().all(plain)
    };
    name.strip_prefix("./").filter(|path| path.split('/').all(word))
}

#[cfg(test)]
mod tests {
    use super::module_path;

    #[test]
    fn modules_stay_in_their_folder() {
        assert_eq!(module_path("./parts/scoring_2"), Some("parts/scoring_2"));
        for bad in
            ["", "./", "name", "../a", "./../a", "./a/../b", "./a//b", "/etc/passwd", "./a.lua", "./a\\b", "./a\0"]
        {
            assert_eq!(module_path(bad), None, "{bad}");
        }
    }
}
