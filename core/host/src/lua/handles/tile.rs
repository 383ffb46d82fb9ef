//! Placed tiles and their segments in scripts.

use mlua::{MetaMethod, UserData, UserDataFields, UserDataMethods, Value};
use trencavel_rules::ids::{FeatureId, MarkId, SegmentId, TileId};
use trencavel_rules::{PrintedSegment, Ruleset, Side, State, features, short};

use crate::lua::misuse::Misuse;

use super::{Handle, common, filtered, id_of, iterate, number, word};

const TILE_NAMES: &[&str] = &["x", "y", "id", "rotation", "edge", "marks", "figures", "has", "segments"];

/// A side of the table by its word.
pub(in crate::lua) fn side(value: &Value) -> mlua::Result<Side> {
    let word = word(value, "a side")?;
    let known = ["north", "east", "south", "west"];
    match known.iter().position(|side| **side == *word) {
        Some(place) => Ok(Side::from_index(place)),
        None => Err(Misuse::new(format!("`{word}` is not a side")).help("sides: north, east, south, west").into()),
    }
}

fn show_tile(rules: &Ruleset, state: &State, id: TileId) -> String {
    let tile = state.tile(id);
    format!("{} at {}", short(&rules.tile(tile.def).id), tile.at)
}

fn count_of(marks: &[(MarkId, u16)], mark: Option<MarkId>) -> u16 {
    marks.iter().filter(|(other, _)| Some(*other) == mark).map(|(_, count)| *count).sum()
}

impl UserData for Handle<TileId> {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "tile");
        fields.add_field_method_get("x", |_, this| Ok(this.read(|_, state, id| state.tile(id).at.x)?));
        fields.add_field_method_get("y", |_, this| Ok(this.read(|_, state, id| state.tile(id).at.y)?));
        fields
            .add_field_method_get("rotation", |_, this| Ok(this.read(|_, state, id| state.tile(id).rotation.index())?));
        fields.add_field_method_get("id", |lua, this| {
            lua.create_string(this.read(|rules, state, id| short(&rules.tile(state.tile(id).def).id).to_owned())?)
        });
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("edge", |_, this, name: Value| {
            let side = side(&name)?;
            Ok(this.read(|rules, state, id| {
                let tile = state.tile(id);
                short(rules.edge_name(rules.tile(tile.def).edge(tile.rotation, side))).to_owned()
            })?)
        });
        methods.add_method("marks", |_, this, name: Value| {
            this.read(|_, _, _| ())?;
            let mark = this.context.mark(&word(&name, "a mark")?)?;
            Ok(this.read(|rules, state, id| count_of(&rules.tile(state.tile(id).def).marks, mark))?)
        });
        methods.add_method("has", |_, this, query: Option<Value>| {
            this.read(|_, _, _| ())?;
            let on = |rules: &Ruleset, state: &State| features::figures_on(rules, state, this.id).collect();
            Ok(!filtered(&this.context, on, query)?.is_empty())
        });
        methods.add_method("figures", |lua, this, query: Option<Value>| {
            this.read(|_, _, _| ())?;
            let found =
                filtered(&this.context, |rules, state| features::figures_on(rules, state, this.id).collect(), query)?;
            iterate(lua, &this.context, found)
        });
        methods.add_method("segments", |lua, this, kind: Option<Value>| {
            this.read(|_, _, _| ())?;
            let kind = match kind {
                None | Some(Value::Nil) => None,
                Some(value) => Some(this.context.feature_kind(&word(&value, "a kind of feature")?)?),
            };
            let found = this.read(|rules, state, id| {
                let placed = state.tile(id);
                let printed = rules.tile(placed.def).segments.iter().enumerate();
                let wanted = printed.filter(|(_, segment)| kind.is_none_or(|kind| kind == Some(segment.kind)));
                wanted.map(|(local, _)| SegmentId::from_index(placed.first.index() + local)).collect()
            })?;
            iterate(lua, &this.context, found)
        });
        common(methods, "a tile", TILE_NAMES, show_tile);
    }
}

const SEGMENT_NAMES: &[&str] = &["kind", "name", "tile", "feature", "id", "marks", "meets"];

fn printed<'a>(rules: &'a Ruleset, state: &State, id: SegmentId) -> Option<&'a PrintedSegment> {
    let view = state.segment_view(id)?;
    rules.tile(state.tile(view.tile).def).segments.get(view.local)
}

fn show_segment(rules: &Ruleset, state: &State, id: SegmentId) -> String {
    let place = state.segment_view(id).map_or(String::new(), |view| state.tile(view.tile).at.to_string());
    format!("segment {} at {place}", printed(rules, state, id).map_or("", |segment| &segment.name))
}

impl UserData for Handle<SegmentId> {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "segment");
        fields.add_field_method_get("kind", |_, this| {
            let kind = |rules: &Ruleset, state: &State, id| {
                printed(rules, state, id).map(|segment| short(rules.feature_name(segment.kind)).to_owned())
            };
            Ok(this.read(kind)?)
        });
        fields.add_field_method_get("name", |_, this| {
            Ok(this.read(|rules, state, id| printed(rules, state, id).map(|segment| segment.name.to_string()))?)
        });
        fields.add_field_method_get("tile", |_, this| {
            let view = this.read(|_, state, id| state.segment_view(id))?;
            Ok(view.and_then(|view| this.context.handle(view.tile)))
        });
        fields.add_field_method_get("feature", |_, this| {
            let view = this.read(|_, state, id| state.segment_view(id))?;
            Ok(view.and_then(|view| this.context.handle(view.feature)))
        });
        fields.add_field_method_get("id", |_, this| Ok(this.read(|_, _, id| id.index())?));
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("marks", |_, this, name: Value| {
            this.read(|_, _, _| ())?;
            let mark = this.context.mark(&word(&name, "a mark")?)?;
            let count = |rules: &Ruleset, state: &State, id| {
                printed(rules, state, id).map_or(0, |segment| count_of(&segment.marks, mark))
            };
            Ok(this.read(count)?)
        });
        methods.add_method("meets", |_, this, feature: Value| {
            let feature = match &feature {
                Value::UserData(_) => id_of(&this.context, &feature, "feature")?,
                other => FeatureId::from_index(usize::try_from(number(other, "a feature")?).unwrap_or(usize::MAX)),
            };
            let meets = |rules: &Ruleset, state: &State, id| {
                state.standing(feature).is_some_and(|feature| rules.segment_meets(state, id, feature))
            };
            Ok(this.read(meets)?)
        });
        common(methods, "a segment", SEGMENT_NAMES, show_segment);
    }
}
