//! What hooks are given besides handles: the event, the case to be judged, and the lists they add to.

use std::rc::Rc;

use mlua::{IntoLua, Lua, MetaMethod, UserData, UserDataFields, UserDataMethods, Value};
use trencavel_rules::hooks::{Event, Intent};
use trencavel_rules::ids::{FeatureId, FigureId, FigureKindId, TileDefId, TileId};
use trencavel_rules::words::Touch;
use trencavel_rules::{Ruleset, features, short};

use super::context::{Context, player_number};
use super::handles::tile::side;
use super::handles::{Handle, id_of, no_other_names, number, target_of, word};
use super::misuse::Misuse;

type Game = Rc<Context>;

fn kind_word(context: &Context, kind: FigureKindId) -> mlua::Result<Option<String>> {
    if kind == FigureKindId::default() {
        return Ok(None);
    }
    Ok(Some(context.read(|rules, _| short(&rules.figure_kind(kind).name).to_owned())?))
}

fn standing(context: &Rc<Context>, feature: FeatureId) -> mlua::Result<Option<Handle<FeatureId>>> {
    let feature = context.read(|_, state| state.standing(feature))?;
    Ok(feature.and_then(|feature| context.handle(feature)))
}

/// What happened: `e` of a `react`, or one event of its batch, by its place.
pub(crate) struct EventView(pub Game, pub Option<(u64, usize)>);

impl EventView {
    fn event(&self) -> Result<Event, Misuse> {
        if let Some((number, place)) = self.1 {
            self.0.read_for(number, |_, _| ())?;
            let event = self.0.batch.borrow().get(place).copied();
            return event.ok_or_else(|| Misuse::new("there is no such event"));
        }
        self.0.running()?;
        self.0.moment.get().event.ok_or_else(|| Misuse::new("this hook is not called about an event"))
    }
}

const EVENT: &[&str] =
    &["kind", "feature", "tile", "figure", "figure_kind", "player", "cause", "amount", "seat", "by", "all"];

impl UserData for EventView {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "event");
        fields.add_field_method_get("kind", |_, this| Ok(this.event()?.kind.word()));
        fields.add_field_method_get("feature", |_, this| standing(&this.0, this.event()?.feature));
        fields.add_field_method_get("tile", |_, this| Ok(this.0.handle(this.event()?.tile)));
        fields.add_field_method_get("figure", |_, this| Ok(this.0.handle(this.event()?.figure)));
        fields.add_field_method_get("figure_kind", |_, this| kind_word(&this.0, this.event()?.figure_kind));
        fields.add_field_method_get("player", |_, this| Ok(player_number(this.event()?.player)));
        fields.add_field_method_get("amount", |_, this| Ok(this.event()?.amount));
        fields.add_field_method_get("cause", |_, this| {
            let cause = this.event()?.cause;
            Ok(Some(this.0.read(|rules, _| rules.cause_word(cause).to_owned())?).filter(|word| !word.is_empty()))
        });
        fields.add_field_method_get("seat", |_, this| {
            let seat = this.event()?.seat;
            let none = seat == Default::default();
            Ok(this.0.read(|rules, _| (!none).then(|| short(rules.seat_name(seat)).to_owned()))?)
        });
        fields.add_field_method_get("by", |lua, this| touches(lua, this.event()?.touched));
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("all", |lua, this, ()| {
            let (number, context) = (this.0.running()?, Rc::clone(&this.0));
            let mut places = 0..this.0.batch.borrow().len();
            lua.create_function_mut(move |_, ()| {
                Ok(places.next().map(|place| EventView(Rc::clone(&context), Some((number, place)))))
            })
        });
        no_other_names(methods, "an event", EVENT);
    }
}

/// `{ joined = true, … }`.
fn touches(lua: &Lua, bits: u8) -> mlua::Result<mlua::Table> {
    let table = lua.create_table()?;
    for touch in Touch::ALL.iter().filter(|touch| bits >> touch.index() & 1 == 1) {
        table.raw_set(touch.word(), true)?;
    }
    table.set_readonly(true);
    Ok(table)
}

/// What is about to happen: `c` of a test, `i` of a `replace`.
pub(crate) struct CaseView(pub Game);

impl CaseView {
    fn intent(&self) -> Result<Intent, Misuse> {
        self.0.running()?;
        self.0.moment.get().intent.ok_or_else(|| Misuse::new("this hook is not called about an intent"))
    }

    fn placing(&self) -> Result<Option<Intent>, Misuse> {
        Ok(Some(self.intent()?).filter(|intent| intent.def != TileDefId::default()))
    }
}

const CASE: &[&str] = &[
    "verb", "figure", "kind", "feature", "tile", "player", "cause", "amount", "x", "y", "rotation", "def", "edge",
    "cancel",
];

impl UserData for CaseView {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "case");
        fields.add_field_method_get("verb", |_, this| Ok(this.intent()?.verb.word()));
        fields.add_field_method_get("figure", |_, this| Ok(this.0.handle::<FigureId>(this.intent()?.figure)));
        fields.add_field_method_get("kind", |_, this| {
            this.intent()?;
            kind_word(&this.0, this.0.moment.get().scope.kind)
        });
        fields.add_field_method_get("feature", |_, this| {
            this.intent()?;
            standing(&this.0, this.0.moment.get().scope.feature)
        });
        fields.add_field_method_get("tile", |_, this| {
            let (figure, tile) = (this.intent()?.figure, this.0.moment.get().scope.tile);
            if tile != TileId::default() || figure == FigureId::default() {
                return Ok(this.0.handle(tile));
            }
            // What happens to a figure happens where it stands.
            let tile = this.0.read(|rules, state| features::standing_on(rules, state, figure))?;
            Ok(tile.and_then(|tile| this.0.handle(tile)))
        });
        fields.add_field_method_get("player", |_, this| Ok(player_number(this.intent()?.player)));
        fields.add_field_method_get("amount", |_, this| Ok(this.intent()?.amount));
        fields.add_field_method_get("cause", |_, this| {
            let cause = this.intent()?.cause;
            Ok(Some(this.0.read(|rules, _| rules.cause_word(cause).to_owned())?).filter(|word| !word.is_empty()))
        });
        fields.add_field_method_get("x", |_, this| Ok(this.placing()?.map(|intent| intent.at.x)));
        fields.add_field_method_get("y", |_, this| Ok(this.placing()?.map(|intent| intent.at.y)));
        fields.add_field_method_get("rotation", |_, this| Ok(this.placing()?.map(|intent| intent.rotation.index())));
        fields.add_field_method_get("def", |_, this| {
            let Some(intent) = this.placing()? else { return Ok(None) };
            Ok(Some(this.0.read(|rules, _| short(&rules.tile(intent.def).id).to_owned())?))
        });
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("edge", |_, this, name: Value| {
            let side = side(&name)?;
            let Some(intent) = this.placing()? else { return Ok(None) };
            let shown =
                |rules: &Ruleset| rules.edge_name(rules.tile(intent.def).edge(intent.rotation, side)).to_owned();
            Ok(Some(this.0.read(|rules, _| short(&shown(rules)).to_owned())?))
        });
        methods.add_method("cancel", |_, this, ()| {
            this.intent()?;
            if !this.0.moment.get().replaces {
                return Err(Misuse::new("only a `replace` can cancel").help("a `forbid` refuses by `test`").into());
            }
            this.0.asked.borrow_mut().cancelled = true;
            Ok(())
        });
        no_other_names(methods, "a case", CASE);
    }
}

/// The moment of a step: `s`.
pub(crate) struct MomentView(pub Game);

impl UserData for MomentView {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "moment");
        fields.add_field_method_get("player", |_, this| {
            this.0.running()?;
            Ok(player_number(this.0.moment.get().scope.me))
        });
        fields.add_field_method_get("tile", |_, this| {
            this.0.running()?;
            Ok(this.0.handle(this.0.moment.get().scope.tile))
        });
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        no_other_names(methods, "a moment", &["player", "tile"]);
    }
}

/// The entry of an award: `out`.
pub(crate) struct OutView(pub Game);

impl OutView {
    fn check(&self) -> Result<(), Misuse> {
        self.0.running()?;
        if self.0.moment.get().counts { Ok(()) } else { Err(Misuse::new("only `items` of an `award` can add to it")) }
    }
}

impl UserData for OutView {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("add", |_, this, (label, count, unit): (Value, Value, Value)| {
            this.check()?;
            let label = word(&label, "what is counted")?;
            let (count, unit) = (number(&count, "a count")?, number(&unit, "a unit")?);
            Ok(this.0.asked.borrow_mut().count(&label, count, unit)?)
        });
        methods.add_method("worth", |_, this, feature: Value| {
            this.check()?;
            let feature: FeatureId = id_of(&this.0, &feature, "feature")?;
            let moment = this.0.moment.get();
            let Some(points) = moment.worth.filter(|_| feature == moment.scope.feature) else {
                let message = "an award counts the worth of the feature its figure stands on, and no other";
                return Err(Misuse::new(message).into());
            };
            this.0.asked.borrow_mut().worth = Some(feature);
            Ok(points)
        });
        no_other_names(methods, "an entry", &["add", "worth"]);
    }
}

/// The options of a question or an offer: `o`.
pub(crate) struct OptionsView(pub Game);

impl UserData for OptionsView {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("add", |_, this, option: Value| {
            this.0.running()?;
            if !this.0.moment.get().offers {
                return Err(Misuse::new("only `options` can offer options").into());
            }
            let option = target_of(&this.0, &option)?;
            Ok(this.0.asked.borrow_mut().offer(option)?)
        });
        no_other_names(methods, "the options", &["add"]);
    }
}

/// The views of a VM, made once.
pub(crate) struct Views {
    pub event: Value,
    pub case: Value,
    pub moment: Value,
    pub out: Value,
    pub options: Value,
}

impl Views {
    pub fn new(lua: &Lua, context: &Rc<Context>) -> mlua::Result<Self> {
        let game = || Rc::clone(context);
        Ok(Self {
            event: EventView(game(), None).into_lua(lua)?,
            case: CaseView(game()).into_lua(lua)?,
            moment: MomentView(game()).into_lua(lua)?,
            out: OutView(game()).into_lua(lua)?,
            options: OptionsView(game()).into_lua(lua)?,
        })
    }
}
