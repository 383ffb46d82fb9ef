//! What scripts hold of a game: a kind, an id and the number of the hook it was made in, packed into one light value of
//! the VM. It costs no memory, is equal wherever it means the same, and is good for one hook.

mod feature;
mod figure;
mod lists;
mod members;
mod segment;
pub(in crate::lua) mod tile;

use std::fmt::Display;

use mlua::{LightUserData, Lua, Value};
use trencavel_rules::ids::{FeatureId, FigureId, SegmentId, TileId};
use trencavel_rules::{MAX_TILES, Position, Target};

use super::context::{Context, player_number};
use super::convert::shown;
use super::misuse::Misuse;
use super::names::Word;

pub(crate) use lists::Lists;
pub(super) use lists::iterate;
pub(super) use members::{Look, Members, install};

/// What a handle stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Feature,
    Figure,
    Tile,
    Segment,
    Event,
    Case,
    Moment,
    Entry,
    Options,
}

impl Kind {
    /// Every kind, by its place.
    pub const ALL: [Self; 9] = [
        Self::Feature,
        Self::Figure,
        Self::Tile,
        Self::Segment,
        Self::Event,
        Self::Case,
        Self::Moment,
        Self::Entry,
        Self::Options,
    ];

    /// As messages name one.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Feature => "a feature",
            Self::Figure => "a figure",
            Self::Tile => "a tile",
            Self::Segment => "a segment",
            Self::Event => "an event",
            Self::Case => "a case",
            Self::Moment => "a moment",
            Self::Entry => "an entry",
            Self::Options => "the options",
        }
    }
}

const ID_BITS: u32 = 24;
const KIND_BITS: u32 = 4;
/// The highest number of a hook that a handle holds.
pub(super) const LAST_NUMBER: u64 = u64::MAX >> (ID_BITS + KIND_BITS);

// What is packed is as wide as a pointer, and the segments of a table, the most numerous of all, have room.
const _: () = assert!(usize::BITS == 64 && Kind::ALL.len() <= 1 << KIND_BITS && MAX_TILES * 255 < 1 << ID_BITS);

/// A handle unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle {
    pub kind: Kind,
    /// The hook it was made in.
    pub number: u64,
    /// The place in the table of its kind.
    pub id: usize,
}

impl Handle {
    /// As scripts hold it.
    pub fn pack(self) -> LightUserData {
        // The id is lowest: tables that have handles as keys look at the lower half only.
        let bits = self.number << (ID_BITS + KIND_BITS) | (self.kind as u64) << ID_BITS | self.id as u64;
        LightUserData(std::ptr::without_provenance_mut(bits as usize))
    }

    /// What a script holds, if that is a handle.
    pub fn of(value: &Value) -> Option<Self> {
        let bits = value.as_light_userdata()?.0.addr() as u64;
        let kind = bits >> ID_BITS & ((1 << KIND_BITS) - 1);
        let id = bits & ((1 << ID_BITS) - 1);
        Some(Self { kind: *Kind::ALL.get(kind as usize)?, number: bits >> (ID_BITS + KIND_BITS), id: id as usize })
    }

    /// What kind of handle a script holds, if it holds one.
    pub fn kind_of(value: &Value) -> Option<Kind> {
        Self::of(value).map(|handle| handle.kind)
    }
}

/// An id that a handle may hold.
pub(crate) trait Thing: Copy + Default + PartialEq {
    /// What it is.
    const KIND: Kind;
    /// The place in its table.
    fn place(self) -> usize;
    /// The id of a place.
    fn at(place: usize) -> Self;
}

macro_rules! things {
    ($($id:ident $kind:ident,)*) => {$(
        impl Thing for $id {
            const KIND: Kind = Kind::$kind;

            fn place(self) -> usize {
                self.index()
            }

            fn at(place: usize) -> Self {
                Self::from_index(place)
            }
        }
    )*};
}

things! {
    FeatureId Feature,
    FigureId Figure,
    TileId Tile,
    SegmentId Segment,
}

/// A word as an argument.
pub(super) fn word<'a>(value: &'a Value, what: &str) -> Result<Word<'a>, Misuse> {
    match value {
        Value::String(text) => Ok(Word::Text(text)),
        _ => Err(Misuse::new(format!("{what} is named by a word, not by {}", shown(value)))),
    }
}

/// A word as an argument that may be left out.
pub(super) fn optional_word<'a>(value: &'a Value, what: &str) -> Result<Option<Word<'a>>, Misuse> {
    if value.is_nil() { Ok(None) } else { word(value, what).map(Some) }
}

/// The id of a handle of the running hook.
pub(super) fn id_of<I: Thing>(context: &Context, value: &Value, what: &str) -> Result<I, Misuse> {
    match Handle::of(value) {
        Some(handle) if handle.kind == I::KIND => {
            context.check(handle.number)?;
            Ok(I::at(handle.id))
        }
        Some(handle) => Err(Misuse::new(format!("`{what}` cannot be {}", handle.kind.what()))),
        None => Err(Misuse::new(format!("`{what}` cannot be {}", shown(value)))),
    }
}

/// What an option stands for, as scripts see it.
pub(super) fn target_value(
    lua: &Lua,
    context: &Context,
    target: Target,
    words: &[std::sync::Arc<str>],
) -> mlua::Result<Value> {
    Ok(match target {
        Target::None => Value::Nil,
        Target::Tile(tile) => context.handle(tile),
        Target::Figure(figure) => context.handle(figure),
        Target::Segment(segment) => context.handle(segment),
        Target::Space(at) => {
            let table = lua.create_table_with_capacity(0, 2)?;
            table.raw_set("x", at.x)?;
            table.raw_set("y", at.y)?;
            Value::Table(table)
        }
        Target::Player(player) => player_number(player),
        Target::Number(number) => Value::Integer(number.into()),
        Target::Word(place) => match words.get(usize::from(place)) {
            Some(word) => Value::String(lua.create_string(&**word)?),
            None => Value::Nil,
        },
    })
}

/// What a script offers as an option.
pub(crate) fn target_of(context: &Context, value: &Value) -> Result<Target, Misuse> {
    match (value, Handle::kind_of(value)) {
        (_, Some(Kind::Figure)) => Ok(Target::Figure(id_of(context, value, "option")?)),
        (_, Some(Kind::Tile)) => Ok(Target::Tile(id_of(context, value, "option")?)),
        (_, Some(_)) => Ok(Target::Segment(id_of(context, value, "option")?)),
        (Value::Integer(_) | Value::Number(_), _) => Ok(Target::Number(number(value, "an option")?)),
        (Value::Table(_), _) => Ok(Target::Space(space(value, "an option")?)),
        _ => Err(Misuse::new(format!("an option is a figure, tile, segment, space or number, not {}", shown(value)))),
    }
}

/// A whole number that the engine's numbers hold.
pub(super) fn number(value: &Value, what: impl Display) -> Result<i32, Misuse> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_what_they_were_packed_from() {
        for kind in Kind::ALL {
            for (number, id) in [(1, 0), (7, 5), (LAST_NUMBER, (1 << ID_BITS) - 1)] {
                let handle = Handle { kind, number, id };
                assert_eq!(Handle::of(&Value::LightUserData(handle.pack())), Some(handle));
            }
        }
        assert_eq!(Handle::of(&Value::Integer(3)), None);
        let beyond = Kind::ALL.len() << ID_BITS;
        assert_eq!(Handle::of(&Value::LightUserData(LightUserData(std::ptr::without_provenance_mut(beyond)))), None);
    }
}
