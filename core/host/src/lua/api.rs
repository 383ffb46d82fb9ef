//! The global `rules` of an expansion.

use std::collections::BTreeMap;
use std::rc::Rc;

use mlua::{Function, Lua, Table, Value};
use trencavel_rules::words::DeclKind;

use super::context::{Context, player_number};
use super::convert::shown;
use super::declaring::{Begun, Declaring};
use super::handles::{install, word};
use super::looking::by_id;
use super::misuse::Misuse;
use super::names::Lexicon;
use super::{emit, sandbox};
use crate::options::{OptionDecl, OptionType, OptionValue};

/// What is read afresh each time, inside hooks.
pub const LIVE: &[&str] = &["players", "player", "decider"];

/// Makes the tables `rules` of all expansions of one VM.
pub(crate) struct Door<'a> {
    pub(super) lua: &'a Lua,
    pub(super) context: Rc<Context>,
    declaring: Rc<Declaring>,
    /// The same for every expansion.
    shared: Vec<(&'static str, Function)>,
}

impl<'a> Door<'a> {
    pub fn new(lua: &'a Lua, context: &Rc<Context>, declaring: &Rc<Declaring>) -> mlua::Result<Self> {
        let mut door = Self { lua, context: Rc::clone(context), declaring: Rc::clone(declaring), shared: Vec::new() };
        install(lua, context)?;
        door.asking()?;
        door.looking()?;
        Ok(door)
    }

    /// The table of the expansion at this place.
    pub fn table(
        &self,
        place: usize,
        declared: &[OptionDecl],
        options: &BTreeMap<String, OptionValue>,
    ) -> mlua::Result<Table> {
        let table = self.lua.create_table()?;
        for (name, function) in &self.shared {
            table.raw_set(*name, function)?;
        }
        let owner: Rc<str> = self.context.readers[place].id.as_str().into();
        for kind in DeclKind::ALL {
            table.raw_set(kind.word(), self.declare(place, &owner, *kind)?)?;
        }
        table.raw_set("options", self.options(&owner, declared, options)?)?;
        table.raw_set("active", self.active(place)?)?;
        table.raw_set("when", self.when(place)?)?;
        self.live(&table)?;
        Ok(table)
    }

    /// `rules.forbid "id" { … }` and `rules.forbid("id", { … })`.
    fn declare(&self, place: usize, owner: &Rc<str>, kind: DeclKind) -> mlua::Result<Function> {
        let (declaring, owner) = (Rc::clone(&self.declaring), Rc::clone(owner));
        let context = Rc::clone(&self.context);
        self.lua.create_function(move |lua, (id, fields): (Value, Option<Value>)| {
            if let Some(handle) = by_id(&context, kind, &id)? {
                return Ok(Some(handle));
            }
            let Some(id) = id.as_string().and_then(|id| id.to_str().ok().map(|id| id.to_owned())) else {
                let message = format!("`rules.{kind}` begins with its id, not with {}", shown(&id));
                let misuse = Misuse::new(message).help(format!("write `rules.{kind} \"id\" {{ … }}`"));
                declaring.refuse(misuse, sandbox::place(lua), None)?;
                return Ok(Some(Value::Function(swallow(lua)?)));
            };
            let begun = declaring.begin(place, &owner, kind, id, sandbox::place(lua))?;
            match fields {
                Some(fields) if !fields.is_nil() => finish(lua, &declaring, &begun, kind, &fields),
                _ => {
                    let declaring = Rc::clone(&declaring);
                    let rest = move |lua: &Lua, fields: Value| finish(lua, &declaring, &begun, kind, &fields);
                    Ok(Some(Value::Function(lua.create_function(rest)?)))
                }
            }
        })
    }

    /// What hooks ask for.
    fn asking(&mut self) -> mlua::Result<()> {
        self.context.set_vocabulary(emit::Vocabulary::new(self.lua)?);
        let context = Rc::clone(&self.context);
        self.share(
            "emit",
            self.lua.create_function(move |_, (verb, fields): (Value, Option<Table>)| {
                let fields = fields.ok_or_else(|| Misuse::new("`rules.emit` takes a verb and a table"))?;
                let intent = emit::intent(&context, &verb, &fields)?;
                Ok(context.asked.borrow_mut().emit(intent)?)
            })?,
        );
        let context = Rc::clone(&self.context);
        self.share(
            "ask",
            self.lua.create_function(move |_, fields: Option<Table>| {
                let fields = fields.ok_or_else(|| Misuse::new("`rules.ask` takes a table"))?;
                let question = emit::question(&context, &fields)?;
                Ok(context.asked.borrow_mut().ask(question)?)
            })?,
        );
        Ok(())
    }

    pub(super) fn share(&mut self, name: &'static str, function: Function) {
        self.shared.push((name, function));
    }

    /// Scalars of the moment, and an error for every name that is not there.
    fn live(&self, table: &Table) -> mlua::Result<()> {
        let mut known: Vec<String> = LIVE.iter().map(|name| (*name).to_owned()).collect();
        table.for_each(|name: String, _: Value| {
            known.push(name);
            Ok(())
        })?;
        let mut live = Lexicon::default();
        for (place, name) in LIVE.iter().enumerate() {
            live.add(&self.lua.create_string(name)?, place);
        }
        let (context, declaring) = (Rc::clone(&self.context), Rc::clone(&self.declaring));
        let index = self.lua.create_function(move |lua, (_, key): (Value, Value)| {
            match key.as_string().and_then(|key| live.get(key)).map(|place| LIVE[place]) {
                Some("players") => return Ok(context.read(|_, state| Value::Integer(state.players() as i64))?),
                Some("player") => return Ok(context.read(|_, state| player_number(state.player()))?),
                Some(_) => return Ok(context.read(|_, state| player_number(state.decider()))?),
                None => {}
            }
            let name = key.as_string().map_or_else(|| shown(&key), |name| name.to_string_lossy());
            let misuse = Misuse::unknown(format!("`rules` has no `{name}`"), &name, known.iter().map(String::as_str));
            if declaring.is_closed() {
                return Err(misuse.into());
            }
            declaring.refuse(misuse, sandbox::place(lua), None)?;
            Ok(Value::Function(swallow(lua)?))
        })?;
        protect(self.lua, table, index)
    }

    fn options(
        &self,
        owner: &str,
        declared: &[OptionDecl],
        options: &BTreeMap<String, OptionValue>,
    ) -> mlua::Result<Table> {
        let table = self.lua.create_table()?;
        for option in declared {
            let value = options.get(&option.name).unwrap_or(&option.default);
            table.raw_set(option.name.as_str(), self.option(option, value)?)?;
        }
        let names: Vec<String> = declared.iter().map(|option| option.name.clone()).collect();
        let owner = owner.to_owned();
        let index = self.lua.create_function(move |_, (_, key): (Value, Value)| -> mlua::Result<Value> {
            let name = key.as_string().map_or_else(|| shown(&key), |name| name.to_string_lossy());
            let message = format!("`{owner}` has no option `{name}`");
            Err(Misuse::unknown(message, &name, names.iter().map(String::as_str)).into())
        })?;
        protect(self.lua, &table, index)?;
        Ok(table)
    }

    fn option(&self, option: &OptionDecl, value: &OptionValue) -> mlua::Result<Value> {
        Ok(match value {
            OptionValue::Bool(flag) => Value::Boolean(*flag),
            OptionValue::Int(number) => Value::Integer(*number),
            // A number in a list of words is a number in scripts.
            OptionValue::Word(word) => match word.parse::<i64>() {
                Ok(number) => Value::Integer(number),
                Err(_) => Value::String(self.lua.create_string(word)?),
            },
            OptionValue::Set(words) => {
                let set = self.lua.create_table()?;
                for word in words {
                    set.raw_set(word.as_str(), true)?;
                }
                let allowed = if let OptionType::SetOf(words) = &option.kind { words.clone() } else { Vec::new() };
                let name = option.name.clone();
                let index = self.lua.create_function(move |_, (_, key): (Value, Value)| {
                    let word = key.as_string().map_or_else(|| shown(&key), |word| word.to_string_lossy());
                    if allowed.contains(&word) {
                        return Ok(Value::Nil);
                    }
                    let message = format!("the option `{name}` has no word `{word}`");
                    Err(Misuse::unknown(message, &word, allowed.iter().map(String::as_str)).into())
                })?;
                protect(self.lua, &set, index)?;
                Value::Table(set)
            }
        })
    }

    fn active(&self, place: usize) -> mlua::Result<Function> {
        let context = Rc::clone(&self.context);
        self.lua.create_function(move |_, id: Value| Ok(is_active(&context, place, &id)?))
    }

    fn when(&self, place: usize) -> mlua::Result<Function> {
        let context = Rc::clone(&self.context);
        self.lua.create_function(move |_, (id, run): (Value, Option<Function>)| {
            let run = run.ok_or_else(|| Misuse::new("`rules.when` takes an id and a function"))?;
            if is_active(&context, place, &id)? { run.call::<()>(()) } else { Ok(()) }
        })
    }
}

/// The second part of a declaration; a query gives its name, to be used as a value.
fn finish(
    lua: &Lua,
    declaring: &Declaring,
    begun: &Begun,
    kind: DeclKind,
    fields: &Value,
) -> mlua::Result<Option<Value>> {
    let taken = match fields {
        Value::Table(table) => declaring.finish(begun, table),
        _ => Err(Misuse::new(format!("`rules.{kind}` takes an id and a table, not {}", shown(fields)))),
    };
    if let Err(misuse) = taken {
        declaring.leave_out(begun, misuse)?;
    }
    Ok(if kind == DeclKind::Query { Some(Value::String(lua.create_string(begun.id())?)) } else { None })
}

/// Takes whatever would have followed a declaration that is left out.
fn swallow(lua: &Lua) -> mlua::Result<Function> {
    lua.create_function(|lua, _: mlua::MultiValue| swallow(lua))
}

fn is_active(context: &Context, place: usize, id: &Value) -> Result<bool, Misuse> {
    let id = word(id, "an expansion")?.plain()?;
    let reader = &context.readers[place];
    let known = || reader.others.iter().map(|(other, _)| other.as_str());
    let found = reader.others.iter().find(|(other, _)| *other == id).map(|(_, active)| *active);
    found.ok_or_else(|| {
        let misuse = Misuse::unknown(format!("`{}` does not name `{id}` in its manifest", reader.id), &id, known());
        let name = format!("name it under `optional` in the manifest: `{id} = \"*\"`");
        let near = misuse.help.clone().filter(|help| help.starts_with("did"));
        misuse.help(near.map_or(name.clone(), |near| format!("{near} otherwise {name}")))
    })
}

/// Reading what is not there asks `index`; nobody sees or changes the metatable.
fn protect(lua: &Lua, table: &Table, index: Function) -> mlua::Result<()> {
    let meta = lua.create_table()?;
    meta.raw_set("__index", index)?;
    meta.raw_set("__metatable", false)?;
    meta.set_readonly(true);
    table.set_metatable(Some(meta))
}
