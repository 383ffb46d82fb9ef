//! What handles answer to: the one metatable that all of them share.

use std::rc::Rc;

use mlua::{Function, LightUserData, Lua, Value};
use trencavel_rules::ids::{FeatureId, FeatureKindId, FigureKindId};
use trencavel_rules::{Ruleset, State, short};

use super::{Handle, Kind, Thing, feature, figure, segment, tile};
use crate::lua::context::Context;
use crate::lua::convert::shown;
use crate::lua::misuse::Misuse;
use crate::lua::names::Lexicon;
use crate::lua::views;
use crate::lua::words::Said;

/// A handle that is asked something: of the running hook, and of the kind whose member it is.
pub(in crate::lua) struct Look<'a> {
    pub lua: &'a Lua,
    pub context: &'a Rc<Context>,
    pub handle: Handle,
}

impl Look<'_> {
    /// The id it holds.
    pub fn id<I: Thing>(&self) -> I {
        I::at(self.handle.id)
    }

    /// Reads the game.
    pub fn read<I: Thing, R>(&self, read: impl FnOnce(&Ruleset, &State, I) -> R) -> Result<R, Misuse> {
        self.context.read(|rules, state| read(rules, state, self.id()))
    }

    /// A handle to something, unless it is nothing.
    pub fn give<I: Thing>(&self, id: I) -> Value {
        self.context.handle(id)
    }

    /// A handle to a feature as it stands now.
    pub fn standing(&self, feature: FeatureId) -> mlua::Result<Value> {
        let feature = self.context.read(|_, state| state.standing(feature))?;
        Ok(feature.map_or(Value::Nil, |feature| self.give(feature)))
    }

    /// A word of the rules, by the place of what it names; nothing for an empty one.
    pub fn say(
        &self,
        what: Said,
        place: usize,
        word: impl for<'r> FnOnce(&'r Ruleset) -> &'r str,
    ) -> mlua::Result<Value> {
        self.context.say(self.lua, what, place, word)
    }

    /// The word of a kind of figure.
    pub fn figure_kind(&self, kind: FigureKindId) -> mlua::Result<Value> {
        if kind == FigureKindId::default() {
            return Ok(Value::Nil);
        }
        self.context.say(self.lua, Said::FigureKind, kind.index(), |rules| short(&rules.figure_kind(kind).name))
    }

    /// The word of a kind of feature.
    pub fn feature_kind(&self, kind: FeatureKindId) -> mlua::Result<Value> {
        self.context.say(self.lua, Said::FeatureKind, kind.index(), |rules| short(rules.feature_name(kind)))
    }
}

/// What a field gives.
pub(in crate::lua) type Get = fn(&Look<'_>) -> mlua::Result<Value>;
/// What a method gives.
pub(in crate::lua) type Call = fn(&Look<'_>, &[Value; 3]) -> mlua::Result<Value>;

/// The names of a kind of handle.
pub(in crate::lua) struct Members {
    pub kind: Kind,
    pub fields: &'static [(&'static str, Get)],
    pub methods: &'static [(&'static str, Call)],
    /// The text of one.
    pub show: fn(&Ruleset, &State, usize) -> String,
}

/// All kinds, by their places.
const KINDS: [&Members; Kind::ALL.len()] = [
    &feature::MEMBERS,
    &figure::MEMBERS,
    &tile::MEMBERS,
    &segment::MEMBERS,
    &views::EVENT,
    &views::CASE,
    &views::MOMENT,
    &views::ENTRY,
    &views::OPTIONS,
];

/// What a name stands for.
#[derive(Clone, Copy)]
enum Member {
    Field(Get),
    /// By its place.
    Method(usize),
}

/// The names of one kind as texts of a VM.
pub(in crate::lua) struct Names {
    known: Lexicon<Member>,
    methods: Vec<Function>,
}

impl Names {
    fn new(lua: &Lua, context: &Rc<Context>, members: &'static Members) -> mlua::Result<Self> {
        let (mut known, mut methods) = (Lexicon::default(), Vec::new());
        for (name, get) in members.fields {
            known.add(&lua.create_string(name)?, Member::Field(*get));
        }
        for (place, (name, call)) in members.methods.iter().enumerate() {
            known.add(&lua.create_string(name)?, Member::Method(place));
            methods.push(method(lua, context, members.kind, name, *call)?);
        }
        Ok(Self { known, methods })
    }
}

/// `handle:name(…)`.
fn method(lua: &Lua, context: &Rc<Context>, kind: Kind, name: &'static str, call: Call) -> mlua::Result<Function> {
    let context = Rc::clone(context);
    lua.create_function(move |lua, (this, a, b, c): (Value, Value, Value, Value)| {
        let Some(handle) = Handle::of(&this).filter(|handle| handle.kind == kind) else {
            let found = Handle::kind_of(&this).map_or_else(|| shown(&this), |kind| kind.what().to_owned());
            let misuse = Misuse::new(format!("`{name}` is asked of {}, not of {found}", kind.what()));
            return Err(misuse.help(format!("write a colon before it: `handle:{name}(…)`")).into());
        };
        context.check(handle.number)?;
        call(&Look { lua, context: &context, handle }, &[a, b, c])
    })
}

/// Gives the handles of a VM their names. Nobody sees or changes their metatable.
pub(in crate::lua) fn install(lua: &Lua, context: &Rc<Context>) -> mlua::Result<()> {
    let meta = lua.create_table()?;
    meta.raw_set("__index", index(lua, context)?)?;
    meta.raw_set("__newindex", lua.create_function(|_, (this, key): (Value, Value)| write(&this, &key))?)?;
    let context = Rc::clone(context);
    meta.raw_set("__tostring", lua.create_function(move |_, this: Value| Ok(text(&context, &this)))?)?;
    meta.raw_set("__type", "handle")?;
    meta.raw_set("__metatable", false)?;
    meta.set_readonly(true);
    lua.set_type_metatable::<LightUserData>(Some(meta));
    Ok(())
}

/// Reading a name that is not there is an error, not `nil`.
fn index(lua: &Lua, context: &Rc<Context>) -> mlua::Result<Function> {
    let names: Vec<Names> = KINDS.iter().map(|kind| Names::new(lua, context, kind)).collect::<mlua::Result<_>>()?;
    let context = Rc::clone(context);
    lua.create_function(move |lua, (this, key): (Value, Value)| {
        let handle = Handle::of(&this).ok_or_else(|| Misuse::new("this is no handle"))?;
        let names = &names[handle.kind as usize];
        match key.as_string().and_then(|key| names.known.get(key)) {
            Some(Member::Method(place)) => Ok(Value::Function(names.methods[place].clone())),
            Some(Member::Field(get)) => {
                context.check(handle.number)?;
                get(&Look { lua, context: &context, handle })
            }
            None => Err(unknown(handle.kind, &key).into()),
        }
    })
}

fn unknown(kind: Kind, key: &Value) -> Misuse {
    let name = key.as_string().map_or_else(|| shown(key), |name| name.to_string_lossy());
    let members = KINDS[kind as usize];
    let fields = members.fields.iter().map(|(name, _)| *name);
    let known = fields.chain(members.methods.iter().map(|(name, _)| *name));
    Misuse::unknown(format!("{} has no `{name}`", kind.what()), &name, known)
}

/// Writing is an error.
fn write(this: &Value, key: &Value) -> mlua::Result<()> {
    let name = key.as_string().map_or_else(|| shown(key), |name| name.to_string_lossy());
    let what = Handle::kind_of(this).map_or("a handle", Kind::what);
    let message = format!("{what} can only be read: `{name}` cannot be set");
    Err(Misuse::new(message).help("ask for the change with a verb: `rules.emit(\"…\", { … })`").into())
}

fn text(context: &Context, this: &Value) -> String {
    let Some(handle) = Handle::of(this) else { return "a handle".to_owned() };
    let show = |rules: &Ruleset, state: &State| (KINDS[handle.kind as usize].show)(rules, state, handle.id);
    let shown = context.check(handle.number).and_then(|()| context.read(show));
    shown.unwrap_or_else(|_| format!("{} of an earlier hook", handle.kind.what()))
}
