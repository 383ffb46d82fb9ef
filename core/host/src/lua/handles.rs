//! What scripts hold of a game: ids with the game behind them, good for one hook.

mod feature;
mod figure;
pub(in crate::lua) mod tile;

use std::rc::Rc;

use mlua::{AnyUserData, Function, IntoLua, Lua, MetaMethod, UserData, UserDataMethods, UserDataRef, Value};
use trencavel_rules::ids::{FeatureId, FigureId, SegmentId, TileId};
use trencavel_rules::{Position, Ruleset, State, Target};

use super::context::{Context, player_number};
use super::convert::shown;
use super::misuse::Misuse;

/// An id of the running hook's game.
#[derive(Clone)]
pub(crate) struct Handle<I> {
    pub context: Rc<Context>,
    /// The hook it was made in.
    pub number: u64,
    pub id: I,
}

impl<I: Copy> Handle<I> {
    /// Reads the game.
    fn read<R>(&self, read: impl FnOnce(&Ruleset, &State, I) -> R) -> Result<R, Misuse> {
        self.context.read_for(self.number, |rules, state| read(rules, state, self.id))
    }
}

/// What every handle answers: equality, a text, and an error for what it does not have.
fn common<I, M>(
    methods: &mut M,
    what: &'static str,
    names: &'static [&'static str],
    show: fn(&Ruleset, &State, I) -> String,
) where
    I: Copy + PartialEq + 'static,
    Handle<I>: UserData,
    M: UserDataMethods<Handle<I>>,
{
    methods.add_meta_method(MetaMethod::Eq, |_, this, other: UserDataRef<Handle<I>>| Ok(this.id == other.id));
    methods.add_meta_method(MetaMethod::ToString, move |_, this, ()| {
        Ok(this.read(show).unwrap_or_else(|_| format!("{what} of an earlier hook")))
    });
    no_other_names(methods, what, names);
}

/// Reading a name that is not there is an error, not `nil`; and so is writing.
pub(super) fn no_other_names<T, M: UserDataMethods<T>>(
    methods: &mut M,
    what: &'static str,
    names: &'static [&'static str],
) {
    methods.add_meta_method(MetaMethod::Index, move |_, _, key: Value| -> mlua::Result<Value> {
        let name = key.as_string().map_or_else(|| shown(&key), |name| name.to_string_lossy());
        Err(Misuse::unknown(format!("{what} has no `{name}`"), &name, names.iter().copied()).into())
    });
    methods.add_meta_method(MetaMethod::NewIndex, move |_, _, (key, _): (Value, Value)| -> mlua::Result<()> {
        let name = key.as_string().map_or_else(|| shown(&key), |name| name.to_string_lossy());
        let message = format!("{what} can only be read: `{name}` cannot be set");
        Err(Misuse::new(message).help("ask for the change with a verb: `rules.emit(\"…\", { … })`").into())
    });
}

/// `for x in …`: the handles of these ids, one after the other.
pub(super) fn iterate<I>(lua: &Lua, context: &Rc<Context>, ids: Vec<I>) -> mlua::Result<Function>
where
    I: Copy + Default + PartialEq + 'static,
    Handle<I>: UserData,
{
    let context = Rc::clone(context);
    let mut ids = ids.into_iter();
    lua.create_function_mut(move |_, ()| Ok(ids.next().and_then(|id| context.handle(id))))
}

/// The figures for which a query holds, in canonical order.
pub(super) fn filtered(
    context: &Context,
    found: impl FnOnce(&Ruleset, &State) -> Vec<FigureId>,
    query: Option<Value>,
) -> Result<Vec<FigureId>, Misuse> {
    let query = match query {
        None | Some(Value::Nil) => None,
        Some(value) => match context.query(&word(&value, "a query")?)? {
            Some(place) => Some(place),
            None => return Ok(Vec::new()),
        },
    };
    context.read(|rules, state| {
        let mut figures = found(rules, state);
        if let Some(query) = query {
            figures.retain(|figure| rules.query_holds(query, state, &context.scope_of(rules, state, *figure)));
        }
        figures.sort_unstable();
        figures
    })
}

/// A word as an argument.
pub(super) fn word(value: &Value, what: &str) -> Result<String, Misuse> {
    match value.as_string().and_then(|text| text.to_str().ok().map(|text| text.to_owned())) {
        Some(word) => Ok(word),
        None => Err(Misuse::new(format!("{what} is named by a word, not by {}", shown(value)))),
    }
}

/// The id of a handle of the running hook.
pub(super) fn id_of<I: Copy + 'static>(context: &Context, value: &Value, what: &str) -> Result<I, Misuse> {
    let wrong = || Misuse::new(format!("`{what}` cannot be {}", described(value)));
    let object = value.as_userdata().ok_or_else(wrong)?;
    let handle = object.borrow::<Handle<I>>().map_err(|_| wrong())?;
    context.read_for(handle.number, |_, _| handle.id)
}

/// What kind of handle it is.
fn described(value: &Value) -> String {
    let Some(object) = value.as_userdata() else { return shown(value) };
    type Is = fn(&AnyUserData) -> bool;
    let kinds: [(Is, &str); 4] = [
        (|object| object.is::<Handle<FeatureId>>(), "a feature"),
        (|object| object.is::<Handle<FigureId>>(), "a figure"),
        (|object| object.is::<Handle<TileId>>(), "a tile"),
        (|object| object.is::<Handle<SegmentId>>(), "a segment"),
    ];
    kinds.iter().find(|(is, _)| is(object)).map_or_else(|| shown(value), |(_, name)| (*name).to_owned())
}

/// What an option stands for, as scripts see it.
pub(super) fn target_value(
    lua: &Lua,
    context: &Rc<Context>,
    target: Target,
    words: &[std::sync::Arc<str>],
) -> mlua::Result<Value> {
    match target {
        Target::None => Ok(Value::Nil),
        Target::Tile(tile) => context.handle(tile).into_lua(lua),
        Target::Figure(figure) => context.handle(figure).into_lua(lua),
        Target::Segment(segment) => context.handle(segment).into_lua(lua),
        Target::Space(at) => {
            let table = lua.create_table()?;
            table.raw_set("x", at.x)?;
            table.raw_set("y", at.y)?;
            Ok(Value::Table(table))
        }
        Target::Player(player) => player_number(player).into_lua(lua),
        Target::Number(number) => number.into_lua(lua),
        Target::Word(place) => words.get(usize::from(place)).map(|word| &**word).into_lua(lua),
    }
}

/// What a script offers as an option.
pub(crate) fn target_of(context: &Context, value: &Value) -> Result<Target, Misuse> {
    match value {
        Value::Integer(_) | Value::Number(_) => Ok(Target::Number(number(value, "an option")?)),
        Value::Table(_) => Ok(Target::Space(space(value, "an option")?)),
        Value::UserData(object) if object.is::<Handle<FigureId>>() => {
            Ok(Target::Figure(id_of(context, value, "option")?))
        }
        Value::UserData(object) if object.is::<Handle<TileId>>() => Ok(Target::Tile(id_of(context, value, "option")?)),
        Value::UserData(_) => Ok(Target::Segment(id_of(context, value, "option")?)),
        _ => Err(Misuse::new(format!("an option is a figure, tile, segment, space or number, not {}", shown(value)))),
    }
}

/// A whole number that the engine's numbers hold.
pub(super) fn number(value: &Value, what: &str) -> Result<i32, Misuse> {
    let whole = super::sandbox::integer(value).ok().and_then(|n| i32::try_from(n).ok());
    whole.ok_or_else(|| Misuse::new(format!("{what} must be a whole number, not {}", shown(value))))
}

/// `{ x = …, y = … }`.
pub(super) fn space(value: &Value, what: &str) -> Result<Position, Misuse> {
    let wrong = || Misuse::new(format!("{what} must be a space {{ x = …, y = … }}, not {}", shown(value)));
    let table = value.as_table().ok_or_else(wrong)?;
    let coordinate = |key: &str| {
        let value = table.raw_get::<Value>(key).ok()?;
        super::sandbox::integer(&value).ok().and_then(|n| i16::try_from(n).ok())
    };
    let at = Position::new(coordinate("x").ok_or_else(wrong)?, coordinate("y").ok_or_else(wrong)?);
    let far = || Misuse::new(format!("{what} cannot be {at}: a table ends {} spaces from its middle", Position::LIMIT));
    at.in_bounds().then_some(at).ok_or_else(far)
}
