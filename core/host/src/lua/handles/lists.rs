//! `for x in …`: what was found, one handle after the other.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mlua::{Function, Lua};
use trencavel_rules::{Ruleset, State};

use super::{Handle, Kind};
use crate::lua::context::Context;
use crate::lua::misuse::Misuse;

/// Iterators that are kept to be given out again. Rules have a few loops within each other; a hook that begins more than
/// these gets new ones, which nobody keeps.
const KEPT: usize = 64;

/// What one iterator goes through.
#[derive(Default)]
struct List {
    ids: RefCell<Vec<u32>>,
    next: Cell<usize>,
    kind: Cell<Option<Kind>>,
    /// The hook it was filled in.
    number: Cell<u64>,
}

impl List {
    fn begin(&self, kind: Kind, number: u64) {
        self.next.set(0);
        self.kind.set(Some(kind));
        self.number.set(number);
    }

    fn step(&self, context: &Context) -> Result<Option<Handle>, Misuse> {
        let number = self.number.get();
        context.check(number)?;
        let (ids, place) = (self.ids.borrow(), self.next.get());
        let (Some(id), Some(kind)) = (ids.get(place), self.kind.get()) else { return Ok(None) };
        self.next.set(place + 1);
        Ok(Some(Handle { kind, number, id: *id as usize }))
    }
}

/// The iterators of a VM. They go round, so one that a script has kept is not given out again at once and tells that it
/// is of an earlier hook.
#[derive(Default)]
pub(crate) struct Lists {
    kept: RefCell<Vec<(Rc<List>, Function)>>,
    next: Cell<usize>,
    /// Given out in the running hook.
    given: Cell<usize>,
}

impl Lists {
    /// Another hook begins.
    pub fn begin(&self) {
        self.given.set(0);
    }

    fn take(&self, lua: &Lua, context: &Rc<Context>) -> mlua::Result<(Rc<List>, Function)> {
        let (given, place) = (self.given.get(), self.next.get());
        if given >= KEPT {
            return fresh(lua, context);
        }
        let known = self.kept.borrow().get(place).cloned();
        let made = match known {
            Some(list) => list,
            None => {
                let made = fresh(lua, context)?;
                self.kept.borrow_mut().push(made.clone());
                made
            }
        };
        self.given.set(given + 1);
        self.next.set((place + 1) % KEPT);
        Ok(made)
    }
}

fn fresh(lua: &Lua, context: &Rc<Context>) -> mlua::Result<(Rc<List>, Function)> {
    let list = Rc::new(List::default());
    let (own, context) = (Rc::clone(&list), Rc::clone(context));
    let function = lua.create_function(move |_, ()| Ok(own.step(&context)?.map(Handle::pack)))?;
    Ok((list, function))
}

/// An iterator over the handles of what `find` puts into an empty list.
pub(in crate::lua) fn iterate(
    lua: &Lua,
    context: &Rc<Context>,
    kind: Kind,
    find: impl FnOnce(&Ruleset, &State, &mut Vec<u32>),
) -> mlua::Result<Function> {
    let number = context.running()?;
    let (list, function) = context.lists.take(lua, context)?;
    {
        let mut ids = list.ids.borrow_mut();
        ids.clear();
        context.read(|rules, state| find(rules, state, &mut ids))?;
    }
    list.begin(kind, number);
    Ok(function)
}
