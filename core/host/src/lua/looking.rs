//! What `rules` tells hooks of the game.

use std::rc::Rc;

use mlua::{Lua, Value};
use trencavel_rules::ids::{FeatureId, FigureId, SegmentId};
use trencavel_rules::words::DeclKind;
use trencavel_rules::{Anchor, Position, Ruleset, State};

use super::api::Door;
use super::context::Context;
use super::convert::shown;
use super::emit;
use super::handles::{Kind, iterate, number, optional_word, word};
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
                let kind = context.figure_kind(word(&kind, "a kind of figure")?)?;
                Ok(context.read(|_, state| kind.map_or(0, |kind| state.supply(player, kind)))?)
            })?,
        );
        let context = Rc::clone(&self.context);
        self.share(
            "count",
            self.lua.create_function(move |_, (kind, place): (Value, Value)| {
                let kind = context.token(word(&kind, "a kind of token")?)?;
                let place = emit::token_place(&context, &place)?;
                Ok(context.read(|_, state| kind.map_or(0, |kind| state.tokens_at(kind, place)))?)
            })?,
        );
        let context = Rc::clone(&self.context);
        self.share(
            "held",
            self.lua.create_function(move |lua, player: Value| {
                let player = context.player(number(&player, "a player")?.into())?;
                iterate(lua, &context, Kind::Figure, |_, state, ids| {
                    let held = state.figures().filter(|(_, figure)| figure.at == Anchor::Held(player));
                    ids.extend(held.map(|(id, _)| id.index() as u32));
                })
            })?,
        );
        let context = Rc::clone(&self.context);
        self.share(
            "figures",
            self.lua.create_function(move |lua, query: Value| {
                figures(lua, &context, &query, |_, state, visit| emit::on_board(state).for_each(visit))
            })?,
        );
        let context = Rc::clone(&self.context);
        self.share(
            "tiles",
            self.lua.create_function(move |lua, mark: Value| {
                let mark = optional_word(&mark, "a mark")?.map(|mark| context.mark(mark)).transpose()?;
                iterate(lua, &context, Kind::Tile, |rules, state, ids| {
                    let printed = |def| &rules.tile(def).marks;
                    let wanted =
                        |def| mark.is_none_or(|mark| printed(def).iter().any(|(other, _)| Some(*other) == mark));
                    ids.extend(state.tiles().filter(|(_, tile)| wanted(tile.def)).map(|(id, _)| id.index() as u32));
                })
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
                Ok(tile.map_or(Value::Nil, |tile| context.handle(tile)))
            })?,
        );
        let context = Rc::clone(&self.context);
        self.share(
            "segment",
            self.lua.create_function(move |_, id: Value| {
                let id = SegmentId::from_index(index(&id, u32::MAX as usize)?);
                let there = context.read(|_, state| state.segment_view(id).is_some())?;
                Ok(if there { context.handle(id) } else { Value::Nil })
            })?,
        );
        Ok(())
    }
}

/// Whether a query that may be left out holds for figures; nothing for one of an absent expansion.
fn asked<'a>(
    context: &'a Context,
    query: &Value,
) -> Result<Option<impl Fn(&Ruleset, &State, FigureId) -> bool + 'a>, Misuse> {
    let query = match optional_word(query, "a query")? {
        None => None,
        Some(word) => match context.query(word)? {
            Some(query) => Some(query),
            None => return Ok(None),
        },
    };
    Ok(Some(move |rules: &Ruleset, state: &State, figure| {
        query.is_none_or(|query| rules.query_holds(query, state, &context.scope_of(rules, state, figure)))
    }))
}

/// An iterator over the figures that are visited and for which a query holds, in canonical order.
pub(super) fn figures(
    lua: &Lua,
    context: &Rc<Context>,
    query: &Value,
    find: impl FnOnce(&Ruleset, &State, &mut dyn FnMut(FigureId)),
) -> mlua::Result<Value> {
    let holds = asked(context, query)?;
    let iterator = iterate(lua, context, Kind::Figure, |rules, state, ids| {
        let Some(holds) = holds else { return };
        find(rules, state, &mut |figure| {
            if holds(rules, state, figure) {
                ids.push(figure.index() as u32);
            }
        });
        ids.sort_unstable();
    })?;
    Ok(Value::Function(iterator))
}

/// True if a query holds for one of the figures that are visited.
pub(super) fn any_figure(
    context: &Context,
    query: &Value,
    find: impl FnOnce(&Ruleset, &State, &mut dyn FnMut(FigureId)),
) -> mlua::Result<Value> {
    let Some(holds) = asked(context, query)? else { return Ok(Value::Boolean(false)) };
    let mut found = false;
    context.read(|rules, state| find(rules, state, &mut |figure| found = found || holds(rules, state, figure)))?;
    Ok(Value::Boolean(found))
}

/// In hooks, `rules.figure(id)` and `rules.feature(id)` give the handle of an id that came back in `data`.
pub(super) fn by_id(context: &Context, kind: DeclKind, id: &Value) -> Result<Option<Value>, Misuse> {
    if !id.is_number() && !id.is_integer() {
        return Ok(None);
    }
    match kind {
        DeclKind::Figure => {
            let place = index(id, context.read(|_, state| state.figures().count())?)?;
            Ok(Some(context.handle(FigureId::from_index(place))))
        }
        DeclKind::Feature => {
            let feature = FeatureId::from_index(index(id, u32::MAX as usize)?);
            let standing = context.read(|_, state| state.standing(feature))?;
            Ok(Some(standing.map_or(Value::Nil, |id| context.handle(id))))
        }
        _ => Ok(None),
    }
}

fn index(value: &Value, count: usize) -> Result<usize, Misuse> {
    let place = usize::try_from(number(value, "a number")?).ok().filter(|place| *place < count);
    place.ok_or_else(|| Misuse::new(format!("nothing has the number {}", shown(value))))
}
