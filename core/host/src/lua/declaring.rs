//! What scripts declare while they are loaded.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Table};
use trencavel_rules::Source;
use trencavel_rules::declare::Declaration;
use trencavel_rules::hooks::ScriptFn;
use trencavel_rules::value::Value;
use trencavel_rules::words::DeclKind;

use super::convert::convert;
use super::limits::Place;
use super::misuse::Misuse;
use crate::native::NativeHook;

/// What a function of a declaration is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    React,
    AwardItems,
    Count,
    Test,
    Say,
    Replace,
    Offer,
    Resolve,
    Step,
    Options,
    /// Nothing: the engine refuses or ignores it.
    Idle,
}

impl Role {
    fn of(kind: DeclKind, key: &str) -> Self {
        match (kind, key) {
            (DeclKind::React, "run") => Self::React,
            (DeclKind::Award, "items") => Self::AwardItems,
            (DeclKind::Items, "count") => Self::Count,
            (DeclKind::Forbid, "test") => Self::Test,
            (DeclKind::Forbid, "say") => Self::Say,
            (DeclKind::Replace, "run") => Self::Replace,
            (DeclKind::Offer, "run") => Self::Offer,
            (DeclKind::Resolve, "run") => Self::Resolve,
            (DeclKind::Step, "run") => Self::Step,
            (DeclKind::Offer | DeclKind::Resolve, "options") => Self::Options,
            _ => Self::Idle,
        }
    }
}

/// Where a function is.
#[derive(Clone)]
pub(crate) enum Body {
    /// In the VM.
    Script(Function),
    /// In a loaded library.
    Library(NativeHook),
}

impl Body {
    fn takes_data(&self) -> bool {
        match self {
            Self::Script(function) => {
                let info = function.info();
                info.is_vararg || info.num_params > 1
            }
            Self::Library(_) => true,
        }
    }
}

/// A function that the engine may call, and whose it is.
pub(crate) struct Written {
    pub body: Body,
    /// Place of the expansion in canonical order.
    pub expansion: usize,
    /// As messages name it: `react "arrest"`.
    pub hook: String,
    pub role: Role,
    /// It looks at a second argument.
    pub takes_data: bool,
    /// The words that are offered, if words are.
    pub words: Vec<Arc<str>>,
}

impl Written {
    /// File and line where the function begins.
    pub fn place(&self) -> Option<(Arc<str>, u32)> {
        match &self.body {
            Body::Script(function) => {
                let info = function.info();
                Some((info.short_src?.as_str().into(), u32::try_from(info.line_defined?).ok()?))
            }
            Body::Library(hook) => Some(hook.place.clone()),
        }
    }
}

/// A declaration whose table has not come yet.
struct Open {
    number: usize,
    what: String,
    place: Option<Place>,
}

/// Collects the declarations of all expansions.
#[derive(Default)]
pub(crate) struct Declaring {
    pub declared: RefCell<Vec<Declaration>>,
    pub functions: RefCell<Vec<Written>>,
    open: RefCell<Vec<Open>>,
    begun: Cell<usize>,
    closed: Cell<bool>,
    refused: RefCell<Vec<Refused>>,
}

/// More than these are a loop, which ends there.
const MOST_REFUSED: usize = 100;

/// A declaration that is left out because of what is wrong with it.
pub(crate) struct Refused {
    pub misuse: Misuse,
    pub place: Option<Place>,
    /// Its id, if it has one.
    pub id: Option<String>,
}

/// The first part of a declaration: what, whose, where.
#[derive(Clone)]
pub(crate) struct Begun {
    number: usize,
    expansion: usize,
    owner: Rc<str>,
    kind: DeclKind,
    id: String,
    place: Option<Place>,
}

impl Begun {
    /// The id as it was written.
    pub fn id(&self) -> &str {
        &self.id
    }

    fn what(&self) -> String {
        format!("{} \"{}\"", self.kind, self.id)
    }
}

impl Declaring {
    /// Notes the first part of a declaration.
    ///
    /// # Errors
    /// If the files are loaded already.
    pub fn begin(
        &self,
        expansion: usize,
        owner: &Rc<str>,
        kind: DeclKind,
        id: String,
        place: Option<Place>,
    ) -> Result<Begun, Misuse> {
        self.check_open()?;
        self.begun.set(self.begun.get() + 1);
        let begun = Begun { number: self.begun.get(), expansion, owner: Rc::clone(owner), kind, id, place };
        let open = Open { number: begun.number, what: begun.what(), place: begun.place.clone() };
        self.open.borrow_mut().push(open);
        Ok(begun)
    }

    /// Takes the table of a declaration.
    ///
    /// # Errors
    /// If it holds something that no declaration holds.
    pub fn finish(&self, begun: &Begun, table: &Table) -> Result<(), Misuse> {
        self.fill(begun, |number| {
            let mut script = |path: &str, function: &Function| number(path, Body::Script(function.clone()));
            convert(&mlua::Value::Table(table.clone()), "", &mut script)
        })
    }

    /// Takes the fields of a declaration, from whatever makes them; it is handed what numbers their functions.
    ///
    /// # Errors
    /// If the files are loaded already, or the fields cannot be made.
    pub fn fill(
        &self,
        begun: &Begun,
        fields: impl FnOnce(&mut dyn FnMut(&str, Body) -> ScriptFn) -> Result<Value, Misuse>,
    ) -> Result<(), Misuse> {
        self.check_open()?;
        self.open.borrow_mut().retain(|open| open.number != begun.number);
        let first = self.functions.borrow().len();
        let mut number = |path: &str, body: Body| {
            let mut functions = self.functions.borrow_mut();
            functions.push(Written {
                takes_data: body.takes_data(),
                body,
                expansion: begun.expansion,
                hook: begun.what(),
                role: Role::of(begun.kind, path),
                words: Vec::new(),
            });
            ScriptFn(functions.len() as u32 - 1)
        };
        let fields = fields(&mut number)
            .map_err(|misuse| Misuse { message: format!("{}: {}", begun.what(), misuse.message), ..misuse })?;
        let words = words_of(&fields);
        for written in &mut self.functions.borrow_mut()[first..] {
            written.words.clone_from(&words);
        }
        let (file, line) = begun.place.clone().unwrap_or_default();
        self.declared.borrow_mut().push(Declaration {
            expansion: begun.owner.to_string(),
            kind: begun.kind,
            id: begun.id.clone(),
            fields,
            source: Source { file: file.into(), line },
        });
        Ok(())
    }

    /// Leaves a declaration out and goes on, so that every problem of a file is told at once.
    ///
    /// # Errors
    /// If the files are loaded already, so that nothing can be declared at all; and the misuse itself where there were
    /// many.
    pub fn refuse(&self, misuse: Misuse, place: Option<Place>, id: Option<String>) -> Result<(), Misuse> {
        self.check_open()?;
        let mut refused = self.refused.borrow_mut();
        if refused.len() >= MOST_REFUSED {
            return Err(misuse);
        }
        refused.push(Refused { misuse, place, id });
        Ok(())
    }

    /// Leaves out a declaration that has begun.
    ///
    /// # Errors
    /// As [`refuse`](Self::refuse).
    pub fn leave_out(&self, begun: &Begun, misuse: Misuse) -> Result<(), Misuse> {
        self.open.borrow_mut().retain(|open| open.number != begun.number);
        self.refuse(misuse, begun.place.clone(), Some(begun.id.clone()))
    }

    /// True once nothing can be declared any more.
    pub fn is_closed(&self) -> bool {
        self.closed.get()
    }

    /// What was left out, and forgets it.
    pub fn refused(&self) -> Vec<Refused> {
        std::mem::take(&mut *self.refused.borrow_mut())
    }

    /// From now on nothing is declared.
    pub fn close(&self) {
        self.closed.set(true);
    }

    /// Declarations that are only a name, with their places, and forgets them.
    pub fn dangling(&self) -> Vec<(String, Option<Place>)> {
        self.open.borrow_mut().drain(..).map(|open| (open.what, open.place)).collect()
    }

    fn check_open(&self) -> Result<(), Misuse> {
        if self.closed.get() {
            let message = "declarations stand at the top level of a file, not in hooks";
            return Err(Misuse::new(message).help("the rules are frozen before the game begins"));
        }
        Ok(())
    }
}

/// The words of `options = { words = { … } }`.
fn words_of(fields: &Value) -> Vec<Arc<str>> {
    let text = |value: &Value| if let Value::Text(word) = value { Some(word.clone()) } else { None };
    match fields.get("options").and_then(|options| options.get("words")) {
        Some(Value::List(words)) => words.iter().filter_map(text).collect(),
        Some(one) => text(one).into_iter().collect(),
        None => Vec::new(),
    }
}
