//! What `rules` tells hooks of the game.

use std::rc::Rc;

use mlua::{IntoLua, Lua, Value};
use trencavel_rules::ids::{FeatureId, FigureId, SegmentId, TileId};
use trencavel_rules::words::DeclKind;
use trencavel_rules::{Anchor, Position};

use super::api::Door;
use super::context::Context;
use super::convert::shown;
use super::emit;
use super::handles::{filtered, iterate, number, word};
use super::misuse::Misuse;

impl Door<'_> {
    /// What hooks read.
    pub(super) fn looking(&mut self) -> mlua::Result<()> {
        let context = Rc::clone(&self.context);
        self.share(
            "score",
            self.lua.create_function(move |_, player: Value| {
                let player = context.player(number(&player, "a player")?.into())?;
                Ok(context.read(|_, state| state.score(player))?)
            })?,
        );
        let context = Rc::clone(&self.context);
        self.share(
            "supply",
            self.lua.create_function(move |_, (player, kind): (Value, Value)| {
                let player = context.player(number(&player, "a player")?.into())?;
                let kind = context.figure_kind(&word(&kind, "a kind of figure")?)?;
                Ok(context.read(|_, state| kind.map_or(0, |kind| state.supply(player, kind)))?)
            })?,
        );
        let context = Rc::clone(&self.context);
        self.share(
            "count",
            self.lua.create_function(move |_, (kind, place): (Value, Option<Value>)| {
                let kind = context.token(&word(&kind, "a kind of token")?)?;
                let place = emit::token_place(&context, place.as_ref().unwrap_or(&Value::Nil))?;
                Ok(context.read(|_, state| kind.map_or(0, |kind| state.tokens_at(kind, place)))?)
            })?,
        );
        let context = Rc::clone(&self.context);
        self.share(
            "held",
            self.lua.create_function(move |lua, player: Value| {
                let player = context.player(number(&player, "a player")?.into())?;
                let found = context.read(|_, state| {
                    let held = state.figures().filter(|(_, figure)| figure.at == Anchor::Held(player));
                    held.map(|(id, _)| id).collect()
                })?;
                iterate(lua, &context, found)
            })?,
        );
        let context = Rc::clone(&self.context);
        self.share(
            "figures",
            self.lua.create_function(move |lua, query: Option<Value>| {
                let found = filtered(&context, emit::on_board, query)?;
                iterate(lua, &context, found)
            })?,
        );
        let context = Rc::clone(&self.context);
        self.share(
            "tiles",
            self.lua.create_function(move |lua, mark: Option<Value>| {
                context.running()?;
                let mark = match mark {
                    None | Some(Value::Nil) => None,
                    Some(value) => Some(context.mark(&word(&value, "a mark")?)?),
                };
                let found: Vec<TileId> = context.read(|rules, state| {
                    let printed = |def| &rules.tile(def).marks;
                    let wanted =
                        |def| mark.is_none_or(|mark| printed(def).iter().any(|(other, _)| Some(*other) == mark));
                    state.tiles().filter(|(_, tile)| wanted(tile.def)).map(|(id, _)| id).collect()
                })?;
                iterate(lua, &context, found)
            })?,
        );
        self.by_number()
    }

    /// Tiles by their space, segments by the number that came back in `data`.
    fn by_number(&mut self) -> mlua::Result<()> {
        let context = Rc::clone(&self.context);
        self.share(
            "tile_at",
            self.lua.create_function(move |_, (x, y): (Value, Value)| {
                let (x, y) = (number(&x, "a column")?, number(&y, "a row")?);
                let at = i16::try_from(x).ok().zip(i16::try_from(y).ok()).map(|(x, y)| Position::new(x, y));
                let tile = context.read(|_, state| at.and_then(|at| state.tile_at(at)))?;
                Ok(tile.and_then(|tile| context.handle(tile)))
            })?,
        );
        let context = Rc::clone(&self.context);
        self.share(
            "segment",
            self.lua.create_function(move |_, id: Value| {
                let id = SegmentId::from_index(index(&id, u32::MAX as usize)?);
                let there = context.read(|_, state| state.segment_view(id).is_some())?;
                Ok(if there { context.handle(id) } else { None })
            })?,
        );
        Ok(())
    }
}

/// In hooks, `rules.figure(id)` and `rules.feature(id)` give the handle of an id that came back in `data`.
pub(super) fn by_id(lua: &Lua, context: &Rc<Context>, kind: DeclKind, id: &Value) -> mlua::Result<Option<Value>> {
    if !id.is_number() && !id.is_integer() {
        return Ok(None);
    }
    match kind {
        DeclKind::Figure => {
            let place = index(id, context.read(|_, state| state.figures().count())?)?;
            Ok(Some(context.handle(FigureId::from_index(place)).into_lua(lua)?))
        }
        DeclKind::Feature => {
            let feature = FeatureId::from_index(index(id, u32::MAX as usize)?);
            let standing = context.read(|_, state| state.standing(feature))?;
            Ok(Some(standing.and_then(|id| context.handle(id)).into_lua(lua)?))
        }
        _ => Ok(None),
    }
}

fn index(value: &Value, count: usize) -> Result<usize, Misuse> {
    let place = usize::try_from(number(value, "a number")?).ok().filter(|place| *place < count);
    place.ok_or_else(|| Misuse::new(format!("nothing has the number {}", shown(value))))
}
