//! Words that the game says to scripts: texts of the VM, each made once.

use std::cell::RefCell;

use mlua::{Lua, LuaString, Value};
use trencavel_rules::Ruleset;

use super::context::Context;

/// What a word names.
#[derive(Clone, Copy)]
pub(super) enum Said {
    FeatureKind,
    FigureKind,
    Class,
    Seat,
    /// By the seat that gives it.
    Role,
    Edge,
    Tile,
    Cause,
    Verb,
    Event,
}

/// How many kinds of words there are.
const ROOMS: usize = Said::Event as usize + 1;

/// The texts that were said, by what they name and its place. They never change while a VM lives: it has one ruleset.
#[derive(Default)]
pub(crate) struct Texts(RefCell<[Vec<Option<LuaString>>; ROOMS]>);

impl Texts {
    fn get(&self, what: Said, place: usize) -> Option<Value> {
        self.0.borrow()[what as usize].get(place)?.clone().map(Value::String)
    }

    fn keep(&self, what: Said, place: usize, text: LuaString) {
        let room = &mut self.0.borrow_mut()[what as usize];
        if room.len() <= place {
            room.resize(place + 1, None);
        }
        room[place] = Some(text);
    }
}

impl Context {
    /// The word of the thing of this place; nothing for an empty one.
    ///
    /// # Errors
    /// Between hooks, or if the VM has no memory left.
    pub(super) fn say(
        &self,
        lua: &Lua,
        what: Said,
        place: usize,
        word: impl for<'r> FnOnce(&'r Ruleset) -> &'r str,
    ) -> mlua::Result<Value> {
        if let Some(text) = self.texts.get(what, place) {
            return Ok(text);
        }
        let text = self.read(|rules, _| match word(rules) {
            "" => Ok(None),
            word => lua.create_string(word).map(Some),
        })??;
        let Some(text) = text else { return Ok(Value::Nil) };
        self.texts.keep(what, place, text.clone());
        Ok(Value::String(text))
    }
}
