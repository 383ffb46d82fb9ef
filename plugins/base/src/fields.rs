//! The three ways of scoring fields that the base game has had (B-17, B-18).

use std::collections::BTreeMap;

use trencavel_rules::features;
use trencavel_rules::hooks::{Call, Callback, HookError, Intent, Reply};
use trencavel_rules::ids::{FeatureId, FeatureKindId, PlayerId};
use trencavel_rules::value::Value;
use trencavel_rules::words::{DeclKind, Verb};

use crate::Base;

/// Points a city pays under rule 1.
const RULE_1_POINTS: i32 = 4;

/// Declares the scoring of fields under `rule`.
pub(crate) fn declare(base: &mut Base<'_>, rule: &str) {
    match rule {
        "1" => {
            // Fields themselves are worth nothing; what others add to `per_city` finds its tag all the same.
            items(base, 0.into());
            base.declare(
                DeclKind::Step,
                "farmers_by_city",
                [
                    ("after", "final".into()),
                    ("emits", "pay".into()),
                    ("run", Callback::Native(pay_city_by_city).into()),
                ],
            );
        }
        "2" => items(base, Callback::Native(cities_not_counted_yet).into()),
        _ => {
            let city = Value::table([("kind", "city".into()), ("completed", true.into())]);
            items(base, Value::table([("borders", city)]));
        }
    }
}

fn items(base: &mut Base<'_>, count: Value) {
    let fields = [
        ("of", "field".into()),
        ("tag", "per_city".into()),
        ("count", count),
        ("unit", 3.into()),
        ("say", "cities".into()),
    ];
    base.declare(DeclKind::Items, "field_cities", fields);
}

/// Rule 2: a player scores any given city only once; fields count in canonical order.
fn cities_not_counted_yet(call: &mut Call<'_>) -> Result<Reply, HookError> {
    let (player, field) = (call.scope.me, call.scope.feature);
    let mut counted: Vec<FeatureId> = Vec::new();
    for earlier in fields_in_order(call) {
        let cities = completed_cities(call, earlier);
        if earlier == field {
            return Ok(Reply::Int(cities.iter().filter(|city| !counted.contains(city)).count() as i32));
        }
        if best(&strengths(call, &[earlier])).contains(&player) {
            counted.extend(cities);
        }
    }
    Ok(Reply::Int(0))
}

/// Rule 1: city by city, 4 points to whoever has most farmers on all fields that touch it.
fn pay_city_by_city(call: &mut Call<'_>) -> Result<Reply, HookError> {
    let mut touching: BTreeMap<FeatureId, Vec<FeatureId>> = BTreeMap::new();
    for field in fields_in_order(call) {
        for city in completed_cities(call, field) {
            touching.entry(city).or_default().push(field);
        }
    }
    for (city, fields) in touching {
        for player in best(&strengths(call, &fields)) {
            let mut pay = Intent::new(Verb::Pay, player);
            pay.feature = city;
            pay.amount = RULE_1_POINTS;
            call.emit(pay)?;
        }
    }
    Ok(Reply::Nothing)
}

fn kind(call: &Call<'_>, name: &str) -> Option<FeatureKindId> {
    call.rules().feature_by_name(name)
}

fn fields_in_order(call: &Call<'_>) -> Vec<FeatureId> {
    let Some(field) = kind(call, "base:field") else { return Vec::new() };
    let state = call.state();
    let mut fields: Vec<FeatureId> = state.features().filter(|feature| state.kind_of(*feature) == field).collect();
    fields.sort_by_cached_key(|feature| features::place(state, *feature));
    fields
}

fn completed_cities(call: &Call<'_>, field: FeatureId) -> Vec<FeatureId> {
    let Some(city) = kind(call, "base:city") else { return Vec::new() };
    let bordered = features::bordered(call.rules(), call.state(), field, city);
    bordered.into_iter().filter(|city| call.state().is_completed(*city)).collect()
}

/// Strength of each player's followers on these fields together.
fn strengths(call: &Call<'_>, fields: &[FeatureId]) -> BTreeMap<PlayerId, i32> {
    let mut strengths = BTreeMap::new();
    for field in fields {
        for figure in features::figures_of(call.state(), *field) {
            let data = call.state().figure(figure);
            if let Some(owner) = data.owner() {
                *strengths.entry(owner).or_default() += call.rules().figure_kind(data.kind).strength();
            }
        }
    }
    strengths
}

/// The players with the greatest strength above 0.
fn best(strengths: &BTreeMap<PlayerId, i32>) -> Vec<PlayerId> {
    let most = strengths.values().copied().max().unwrap_or(0);
    strengths.iter().filter(|(_, strength)| most > 0 && **strength == most).map(|(player, _)| *player).collect()
}
