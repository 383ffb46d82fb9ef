//! Placed tiles in scripts.

use mlua::Value;
use trencavel_rules::ids::{MarkId, TileId};
use trencavel_rules::{PlacedTile, Ruleset, Side, State, features, short};

use super::{Kind, Look, Members, iterate, number, optional_word, word};
use crate::lua::looking::{any_figure, figures};
use crate::lua::misuse::Misuse;
use crate::lua::words::Said;

pub(super) const MEMBERS: Members = Members {
    kind: Kind::Tile,
    fields: &[
        ("x", |look| Ok(Value::Integer(placed(look)?.at.x.into()))),
        ("y", |look| Ok(Value::Integer(placed(look)?.at.y.into()))),
        ("id", |look| {
            let def = placed(look)?.def;
            look.say(Said::Tile, def.index(), |rules| short(&rules.tile(def).id))
        }),
        ("rotation", |look| Ok(Value::Integer(placed(look)?.rotation.index() as i64))),
    ],
    methods: &[
        ("edge", |look, [name, ..]| {
            let side = side(name)?;
            let edge = look.read(|rules, state, id: TileId| {
                let tile = state.tile(id);
                rules.tile(tile.def).edge(tile.rotation, side)
            })?;
            look.say(Said::Edge, edge.index(), |rules| short(rules.edge_name(edge)))
        }),
        ("marks", |look, [name, ..]| {
            let mark = look.context.mark(word(name, "a mark")?)?;
            let def = placed(look)?.def;
            Ok(Value::Integer(look.context.read(|rules, _| count_of(&rules.tile(def).marks, mark))?.into()))
        }),
        ("figures", |look, [query, ..]| {
            let id = look.id();
            let on = |rules: &Ruleset, state: &State, visit: &mut dyn FnMut(_)| {
                features::figures_on(rules, state, id).for_each(visit)
            };
            figures(look.lua, look.context, query, on)
        }),
        ("has", |look, [query, ..]| {
            let id = look.id();
            let on = |rules: &Ruleset, state: &State, visit: &mut dyn FnMut(_)| {
                features::figures_on(rules, state, id).for_each(visit)
            };
            any_figure(look.context, query, on)
        }),
        ("in_line", |look, [far, query, ..]| {
            let far = number(far, "how far")?;
            let far = u16::try_from(far).map_err(|_| {
                Misuse::new(format!("how far must be a number of tiles, not {far}")).help("0 is the tile itself")
            })?;
            let id = look.id();
            figures(look.lua, look.context, query, |rules, state, visit| {
                features::figures_in_line(rules, state, id, far).for_each(visit);
            })
        }),
        ("segments", |look, [kind, ..]| {
            let kind = optional_word(kind, "a kind of feature")?;
            let kind = kind.map(|kind| look.context.feature_kind(kind)).transpose()?;
            let id: TileId = look.id();
            let iterator = iterate(look.lua, look.context, Kind::Segment, |rules, state, ids| {
                let placed = state.tile(id);
                let printed = rules.tile(placed.def).segments.iter().enumerate();
                let wanted = printed.filter(|(_, segment)| kind.is_none_or(|kind| kind == Some(segment.kind)));
                ids.extend(wanted.map(|(local, _)| (placed.first.index() + local) as u32));
            })?;
            Ok(Value::Function(iterator))
        }),
    ],
    show,
};

/// A side of the table by its word.
pub(in crate::lua) fn side(value: &Value) -> mlua::Result<Side> {
    let word = word(value, "a side")?.plain()?;
    let known = ["north", "east", "south", "west"];
    match known.iter().position(|side| **side == *word) {
        Some(place) => Ok(Side::from_index(place)),
        None => Err(Misuse::new(format!("`{word}` is not a side")).help("sides: north, east, south, west").into()),
    }
}

fn show(rules: &Ruleset, state: &State, place: usize) -> String {
    let tile = state.tile(TileId::from_index(place));
    format!("{} at {}", short(&rules.tile(tile.def).id), tile.at)
}

fn placed(look: &Look<'_>) -> mlua::Result<PlacedTile> {
    Ok(look.read(|_, state, id| *state.tile(id))?)
}

/// How often a mark is printed.
pub(super) fn count_of(marks: &[(MarkId, u16)], mark: Option<MarkId>) -> u16 {
    marks.iter().filter(|(other, _)| Some(*other) == mark).map(|(_, count)| *count).sum()
}
