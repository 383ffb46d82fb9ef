//! What hooks are given besides handles of things: the event, the case to be judged, and the lists they add to.

use mlua::Value;
use trencavel_rules::hooks::{Event, Intent};
use trencavel_rules::ids::{CauseId, FeatureId, FigureId, TileDefId, TileId};
use trencavel_rules::words::Touch;
use trencavel_rules::{Ruleset, State, features, short};

use super::context::player_number;
use super::handles::tile::side;
use super::handles::{Kind, Look, Members, id_of, iterate, number, target_of, word};
use super::misuse::Misuse;
use super::words::Said;

/// What happened: `e` of a `react`, or one event of its batch.
pub(super) const EVENT: Members = Members {
    kind: Kind::Event,
    fields: &[
        ("kind", |look| {
            let kind = event(look)?.kind;
            look.say(Said::Event, kind.index(), |_| kind.word())
        }),
        ("feature", |look| look.standing(event(look)?.feature)),
        ("tile", |look| Ok(look.give(event(look)?.tile))),
        ("figure", |look| Ok(look.give(event(look)?.figure))),
        ("figure_kind", |look| look.figure_kind(event(look)?.figure_kind)),
        ("player", |look| Ok(player_number(event(look)?.player))),
        ("cause", |look| cause(look, event(look)?.cause)),
        ("amount", |look| Ok(Value::Integer(event(look)?.amount.into()))),
        ("seat", |look| {
            let seat = event(look)?.seat;
            if seat == Default::default() {
                return Ok(Value::Nil);
            }
            look.say(Said::Seat, seat.index(), |rules| short(rules.seat_name(seat)))
        }),
        ("by", |look| touches(look, event(look)?.touched)),
    ],
    methods: &[("all", |look, _| {
        let count = look.context.batch.borrow().len() as u32;
        let iterator = iterate(look.lua, look.context, Kind::Event, |_, _, ids| ids.extend(1..=count))?;
        Ok(Value::Function(iterator))
    })],
    show: |_, _, _| "event".to_owned(),
};

/// The event of the hook has place 0, those of its batch follow.
fn event(look: &Look<'_>) -> Result<Event, Misuse> {
    let context = look.context;
    let found = match look.handle.id.checked_sub(1) {
        None => context.moment.get().event,
        Some(place) => context.batch.borrow().get(place).copied(),
    };
    found.ok_or_else(|| Misuse::new("this hook is not called about an event"))
}

fn cause(look: &Look<'_>, cause: CauseId) -> mlua::Result<Value> {
    if cause == CauseId::default() {
        return Ok(Value::Nil);
    }
    look.say(Said::Cause, cause.index(), |rules| rules.cause_word(cause))
}

/// `{ joined = true, … }`.
fn touches(look: &Look<'_>, bits: u8) -> mlua::Result<Value> {
    let table = look.lua.create_table()?;
    for touch in Touch::ALL.iter().filter(|touch| bits >> touch.index() & 1 == 1) {
        table.raw_set(touch.word(), true)?;
    }
    table.set_readonly(true);
    Ok(Value::Table(table))
}

/// What is about to happen: `c` of a test, `i` of a `replace`.
pub(super) const CASE: Members = Members {
    kind: Kind::Case,
    fields: &[
        ("verb", |look| {
            let verb = intent(look)?.verb;
            look.say(Said::Verb, verb.index(), |_| verb.word())
        }),
        ("figure", |look| Ok(look.give(intent(look)?.figure))),
        ("kind", |look| {
            intent(look)?;
            look.figure_kind(look.context.scope().kind)
        }),
        ("feature", |look| {
            intent(look)?;
            look.standing(look.context.scope().feature)
        }),
        ("tile", |look| Ok(tile_of_case(look)?)),
        ("player", |look| Ok(player_number(intent(look)?.player))),
        ("cause", |look| cause(look, intent(look)?.cause)),
        ("amount", |look| Ok(Value::Integer(intent(look)?.amount.into()))),
        ("x", |look| Ok(placing(look)?.map_or(Value::Nil, |intent| Value::Integer(intent.at.x.into())))),
        ("y", |look| Ok(placing(look)?.map_or(Value::Nil, |intent| Value::Integer(intent.at.y.into())))),
        ("rotation", |look| {
            Ok(placing(look)?.map_or(Value::Nil, |intent| Value::Integer(intent.rotation.index() as i64)))
        }),
        ("def", |look| match placing(look)? {
            Some(intent) => look.say(Said::Tile, intent.def.index(), |rules| short(&rules.tile(intent.def).id)),
            None => Ok(Value::Nil),
        }),
    ],
    methods: &[
        ("edge", |look, [name, ..]| {
            let side = side(name)?;
            let Some(intent) = placing(look)? else { return Ok(Value::Nil) };
            let edge = look.context.read(|rules, _| rules.tile(intent.def).edge(intent.rotation, side))?;
            look.say(Said::Edge, edge.index(), |rules| short(rules.edge_name(edge)))
        }),
        ("cancel", |look, _| {
            intent(look)?;
            if !look.context.moment.get().replaces {
                return Err(Misuse::new("only a `replace` can cancel").help("a `forbid` refuses by `test`").into());
            }
            look.context.asked.borrow_mut().cancelled = true;
            Ok(Value::Nil)
        }),
    ],
    show: |_, _, _| "case".to_owned(),
};

fn intent(look: &Look<'_>) -> Result<Intent, Misuse> {
    look.context.moment.get().intent.ok_or_else(|| Misuse::new("this hook is not called about an intent"))
}

fn placing(look: &Look<'_>) -> Result<Option<Intent>, Misuse> {
    Ok(Some(intent(look)?).filter(|intent| intent.def != TileDefId::default()))
}

fn tile_of_case(look: &Look<'_>) -> Result<Value, Misuse> {
    let (figure, tile) = (intent(look)?.figure, look.context.scope().tile);
    if tile != TileId::default() || figure == FigureId::default() {
        return Ok(look.give(tile));
    }
    // What happens to a figure happens where it stands.
    let tile = look.context.read(|rules: &Ruleset, state: &State| features::standing_on(rules, state, figure))?;
    Ok(tile.map_or(Value::Nil, |tile| look.give(tile)))
}

/// The moment of a step: `s`.
pub(super) const MOMENT: Members = Members {
    kind: Kind::Moment,
    fields: &[
        ("player", |look| Ok(player_number(look.context.scope().me))),
        ("tile", |look| Ok(look.give(look.context.scope().tile))),
    ],
    methods: &[],
    show: |_, _, _| "moment".to_owned(),
};

/// The entry of an award: `out`.
pub(super) const ENTRY: Members = Members {
    kind: Kind::Entry,
    fields: &[],
    methods: &[
        ("add", |look, [label, count, unit]| {
            counts(look)?;
            let label = word(label, "what is counted")?.plain()?;
            let (count, unit) = (number(count, "a count")?, number(unit, "a unit")?);
            look.context.asked.borrow_mut().count(&label, count, unit)?;
            Ok(Value::Nil)
        }),
        ("worth", |look, [feature, ..]| {
            counts(look)?;
            let feature: FeatureId = id_of(look.context, feature, "feature")?;
            let moment = look.context.moment.get();
            let Some(points) = moment.worth.filter(|_| feature == moment.scope.feature) else {
                let message = "an award counts the worth of the feature its figure stands on, and no other";
                return Err(Misuse::new(message).into());
            };
            look.context.asked.borrow_mut().worth = Some(feature);
            Ok(Value::Integer(points.into()))
        }),
    ],
    show: |_, _, _| "entry".to_owned(),
};

fn counts(look: &Look<'_>) -> Result<(), Misuse> {
    if look.context.moment.get().counts {
        return Ok(());
    }
    Err(Misuse::new("only `items` of an `award` can add to it"))
}

/// The options of a question or an offer: `o`.
pub(super) const OPTIONS: Members = Members {
    kind: Kind::Options,
    fields: &[],
    methods: &[("add", |look, [option, ..]| {
        if !look.context.moment.get().offers {
            return Err(Misuse::new("only `options` can offer options").into());
        }
        let option = target_of(look.context, option)?;
        look.context.asked.borrow_mut().offer(option)?;
        Ok(Value::Nil)
    })],
    show: |_, _, _| "options".to_owned(),
};
