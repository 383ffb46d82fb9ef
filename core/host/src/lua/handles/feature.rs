//! Features in scripts.

use mlua::Value;
use trencavel_rules::ids::{FeatureId, FeatureKindId};
use trencavel_rules::{FeatureView, Ruleset, Scope, State, features, short};

use super::{Kind, Look, Members, iterate, word};
use crate::lua::looking::{any_figure, figures};

pub(super) const MEMBERS: Members = Members {
    kind: Kind::Feature,
    fields: &[
        ("kind", |look| look.feature_kind(view(look)?.kind)),
        ("completed", |look| Ok(Value::Boolean(view(look)?.completed))),
        ("open", |look| Ok(Value::Boolean(!view(look)?.closed))),
        ("closed", |look| Ok(Value::Boolean(view(look)?.closed))),
        ("tiles", |look| Ok(Value::Integer(view(look)?.tiles.into()))),
        ("size", |look| Ok(Value::Integer(view(look)?.size.into()))),
        ("id", |look| Ok(Value::Integer(look.handle.id as i64))),
    ],
    methods: &[
        ("marks", |look, [mark, ..]| {
            let mark = look.context.mark(word(mark, "a mark")?)?;
            let count = look.read(|rules, state, id| mark.map_or(0, |mark| rules.marks_of(state, id, mark)))?;
            Ok(Value::Integer(count.into()))
        }),
        ("figures", |look, [query, ..]| {
            let id = look.id();
            figures(look.lua, look.context, query, |_, state, visit| features::figures_of(state, id).for_each(visit))
        }),
        ("has", |look, [query, ..]| {
            let id = look.id();
            any_figure(look.context, query, |_, state, visit| features::figures_of(state, id).for_each(visit))
        }),
        ("is", |look, [query, ..]| {
            let Some(query) = look.context.query(word(query, "a query")?)? else { return Ok(Value::Boolean(false)) };
            let scope = Scope { me: look.context.scope().me, feature: look.id(), ..Scope::default() };
            Ok(Value::Boolean(look.context.read(|rules, state| rules.query_holds(query, state, &scope))?))
        }),
        ("linked", |look, [kind, ..]| each(look, kind, distinct(features::meetings))),
        ("count_linked", |look, [kind, ..]| {
            let Some(kind) = look.context.feature_kind(word(kind, KIND)?)? else { return Ok(Value::Integer(0)) };
            let find = distinct(features::meetings);
            let found = look.read(|rules, state, id| find(rules, state, id, kind))?;
            Ok(Value::Integer(found.len() as i64))
        }),
        ("meetings", |look, [kind, ..]| each(look, kind, features::meetings)),
        ("beside", |look, [kind, ..]| each(look, kind, distinct(features::neighbours))),
        ("borders", |look, [kind, ..]| each(look, kind, distinct(features::bordered))),
    ],
    show,
};

const KIND: &str = "a kind of feature";

fn show(rules: &Ruleset, state: &State, place: usize) -> String {
    let id = FeatureId::from_index(place);
    let kind = short(rules.feature_name(rules.feature_view(state, id).kind));
    format!("{kind} at {}", state.feature_place(id))
}

fn view(look: &Look<'_>) -> mlua::Result<FeatureView> {
    Ok(look.read(|rules, state, id| rules.feature_view(state, id))?)
}

/// Features of a kind that have to do with one, as [`features`] finds them.
type Related = fn(&Ruleset, &State, FeatureId, FeatureKindId) -> Vec<FeatureId>;

/// Each once, itself left out.
fn distinct(find: Related) -> impl Fn(&Ruleset, &State, FeatureId, FeatureKindId) -> Vec<FeatureId> {
    move |rules, state, id, kind| {
        let mut found = find(rules, state, id, kind);
        found.sort_unstable();
        found.dedup();
        found.retain(|other| *other != id);
        found
    }
}

/// An iterator over what is found; over nothing where the kind is one of an absent expansion.
fn each(
    look: &Look<'_>,
    kind: &Value,
    find: impl Fn(&Ruleset, &State, FeatureId, FeatureKindId) -> Vec<FeatureId>,
) -> mlua::Result<Value> {
    let kind = look.context.feature_kind(word(kind, KIND)?)?;
    let id = look.id();
    let iterator = iterate(look.lua, look.context, Kind::Feature, |rules, state, ids| {
        let found = kind.map(|kind| find(rules, state, id, kind)).unwrap_or_default();
        ids.extend(found.iter().map(|id| id.index() as u32));
    })?;
    Ok(Value::Function(iterator))
}
