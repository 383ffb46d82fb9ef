//! Features in scripts.

use mlua::{Function, Lua, MetaMethod, UserData, UserDataFields, UserDataMethods, Value};
use trencavel_rules::ids::{FeatureId, FeatureKindId};
use trencavel_rules::{FeatureView, Ruleset, Scope, State, features, short};

use super::{Handle, common, filtered, iterate, word};

const NAMES: &[&str] = &[
    "kind",
    "completed",
    "open",
    "closed",
    "tiles",
    "size",
    "id",
    "marks",
    "figures",
    "has",
    "is",
    "linked",
    "count_linked",
    "meetings",
    "beside",
    "borders",
];

fn show(rules: &Ruleset, state: &State, id: FeatureId) -> String {
    let kind = short(rules.feature_name(rules.feature_view(state, id).kind));
    format!("{kind} at {}", state.feature_place(id))
}

/// Features of a kind that have to do with one, as [`features`] finds them.
type Related = fn(&Ruleset, &State, FeatureId, FeatureKindId) -> Vec<FeatureId>;

impl Handle<FeatureId> {
    fn view(&self) -> mlua::Result<FeatureView> {
        Ok(self.read(|rules, state, id| rules.feature_view(state, id))?)
    }

    fn related(&self, kind: &Value, find: Related) -> mlua::Result<Vec<FeatureId>> {
        self.read(|_, _, _| ())?;
        let Some(kind) = self.context.feature_kind(&word(kind, "a kind of feature")?)? else { return Ok(Vec::new()) };
        Ok(self.read(|rules, state, id| find(rules, state, id, kind))?)
    }

    /// Each once, itself left out.
    fn distinct(&self, kind: &Value, find: Related) -> mlua::Result<Vec<FeatureId>> {
        let mut found = self.related(kind, find)?;
        found.sort_unstable();
        found.dedup();
        found.retain(|other| *other != self.id);
        Ok(found)
    }

    fn figures(&self, query: Option<Value>) -> mlua::Result<Vec<trencavel_rules::ids::FigureId>> {
        self.read(|_, _, _| ())?;
        Ok(filtered(&self.context, |_, state| features::figures_of(state, self.id).collect(), query)?)
    }

    fn iterate(&self, lua: &Lua, found: Vec<FeatureId>) -> mlua::Result<Function> {
        iterate(lua, &self.context, found)
    }
}

impl UserData for Handle<FeatureId> {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "feature");
        fields.add_field_method_get("kind", |lua, this| {
            lua.create_string(
                this.read(|rules, state, id| short(rules.feature_name(rules.feature_view(state, id).kind)).to_owned())?,
            )
        });
        fields.add_field_method_get("completed", |_, this| Ok(this.view()?.completed));
        fields.add_field_method_get("closed", |_, this| Ok(this.view()?.closed));
        fields.add_field_method_get("open", |_, this| Ok(!this.view()?.closed));
        fields.add_field_method_get("tiles", |_, this| Ok(this.view()?.tiles));
        fields.add_field_method_get("size", |_, this| Ok(this.view()?.size));
        fields.add_field_method_get("id", |_, this| Ok(this.read(|_, _, id| id.index())?));
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("marks", |_, this, name: Value| {
            this.read(|_, _, _| ())?;
            let mark = this.context.mark(&word(&name, "a mark")?)?;
            Ok(this.read(|rules, state, id| mark.map_or(0, |mark| rules.marks_of(state, id, mark)))?)
        });
        methods
            .add_method("figures", |lua, this, query: Option<Value>| iterate(lua, &this.context, this.figures(query)?));
        methods.add_method("is", |_, this, query: Value| {
            this.read(|_, _, _| ())?;
            let Some(query) = this.context.query(&word(&query, "a query")?)? else { return Ok(false) };
            let me = this.context.moment.get().scope.me;
            let scope = Scope { me, feature: this.id, ..Scope::default() };
            Ok(this.read(|rules, state, _| rules.query_holds(query, state, &scope))?)
        });
        methods.add_method("has", |_, this, query: Option<Value>| Ok(!this.figures(query)?.is_empty()));
        methods.add_method("linked", |lua, this, kind: Value| {
            this.iterate(lua, this.distinct(&kind, features::meetings)?)
        });
        methods.add_method("count_linked", |_, this, kind: Value| Ok(this.distinct(&kind, features::meetings)?.len()));
        methods.add_method("meetings", |lua, this, kind: Value| {
            this.iterate(lua, this.related(&kind, features::meetings)?)
        });
        methods.add_method("beside", |lua, this, kind: Value| {
            this.iterate(lua, this.distinct(&kind, features::neighbours)?)
        });
        methods.add_method("borders", |lua, this, kind: Value| {
            this.iterate(lua, this.distinct(&kind, features::bordered)?)
        });
        common(methods, "a feature", NAMES, show);
    }
}
