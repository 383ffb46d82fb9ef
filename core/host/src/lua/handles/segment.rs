//! Segments of placed tiles in scripts.

use mlua::Value;
use trencavel_rules::ids::{FeatureId, SegmentId};
use trencavel_rules::{PrintedSegment, Ruleset, SegmentView, State};

use super::tile::count_of;
use super::{Handle, Kind, Look, Members, id_of, number, word};

pub(super) const MEMBERS: Members = Members {
    kind: Kind::Segment,
    fields: &[
        ("kind", |look| match look.read(|rules, state, id| printed(rules, state, id).map(|segment| segment.kind))? {
            Some(kind) => look.feature_kind(kind),
            None => Ok(Value::Nil),
        }),
        ("name", |look| {
            let name =
                look.read(|rules, state, id| printed(rules, state, id).map(|segment| segment.name.to_string()))?;
            name.map_or(Ok(Value::Nil), |name| Ok(Value::String(look.lua.create_string(name)?)))
        }),
        ("tile", |look| Ok(view(look)?.map_or(Value::Nil, |view| look.give(view.tile)))),
        ("feature", |look| Ok(view(look)?.map_or(Value::Nil, |view| look.give(view.feature)))),
        ("id", |look| Ok(Value::Integer(look.handle.id as i64))),
    ],
    methods: &[
        ("marks", |look, [name, ..]| {
            let mark = look.context.mark(word(name, "a mark")?)?;
            let count = |rules: &Ruleset, state: &State, id| {
                printed(rules, state, id).map_or(0, |segment| count_of(&segment.marks, mark))
            };
            Ok(Value::Integer(look.read(count)?.into()))
        }),
        ("meets", |look, [feature, ..]| {
            let feature = match Handle::of(feature) {
                Some(_) => id_of(look.context, feature, "feature")?,
                None => FeatureId::from_index(usize::try_from(number(feature, "a feature")?).unwrap_or(usize::MAX)),
            };
            let meets = |rules: &Ruleset, state: &State, id| {
                state.standing(feature).is_some_and(|feature| rules.segment_meets(state, id, feature))
            };
            Ok(Value::Boolean(look.read(meets)?))
        }),
    ],
    show,
};

fn printed<'a>(rules: &'a Ruleset, state: &State, id: SegmentId) -> Option<&'a PrintedSegment> {
    let view = state.segment_view(id)?;
    rules.tile(state.tile(view.tile).def).segments.get(view.local)
}

fn show(rules: &Ruleset, state: &State, place: usize) -> String {
    let id = SegmentId::from_index(place);
    let place = state.segment_view(id).map_or(String::new(), |view| state.tile(view.tile).at.to_string());
    format!("segment {} at {place}", printed(rules, state, id).map_or("", |segment| &segment.name))
}

fn view(look: &Look<'_>) -> mlua::Result<Option<SegmentView>> {
    Ok(look.read(|_, state, id| state.segment_view(id))?)
}
