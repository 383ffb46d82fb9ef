//! The base game: roads, cities, monasteries and fields, through the same door as every expansion.

mod fields;

use std::panic::Location;

use trencavel_rules::Source;
use trencavel_rules::declare::{Declaration, RulesetBuilder};
use trencavel_rules::hooks::{Call, Callback, HookError, Reply};
use trencavel_rules::notation;
use trencavel_rules::value::Value;
use trencavel_rules::words::DeclKind;

/// The expansion's id.
pub const ID: &str = "base";

/// The files of the expansion's folder that are not code; of its scenarios those that a rulebook shows.
pub const FILES: &[(&str, &str)] = &[
    ("expansion.toml", include_str!("../expansion.toml")),
    ("tiles.toml", include_str!("../tiles.toml")),
    ("README.md", include_str!("../README.md")),
    ("tests/b-12-two-tiles.toml", include_str!("../tests/b-12-two-tiles.toml")),
    ("tests/b-13-monastery.toml", include_str!("../tests/b-13-monastery.toml")),
    ("tests/b-17-three-cities.toml", include_str!("../tests/b-17-three-cities.toml")),
    ("art/follower.svg", include_str!("../art/follower.svg")),
    ("art/monastery.svg", include_str!("../art/monastery.svg")),
    ("art/pennant.svg", include_str!("../art/pennant.svg")),
];

/// Declares the base game. `option` gives the value of an option of the manifest, in words.
pub fn declare(builder: &mut RulesetBuilder, option: &dyn Fn(&str) -> String) {
    let mut base = Base { builder };
    base.pieces(option);
    base.legality();
    base.worth(option);
    fields::declare(&mut base, &option("farm_rule"));
}

/// The builder, with the expansion's name on everything.
struct Base<'a> {
    builder: &'a mut RulesetBuilder,
}

impl Base<'_> {
    #[track_caller]
    fn declare<'a>(&mut self, kind: DeclKind, id: &str, fields: impl IntoIterator<Item = (&'a str, Value)>) {
        let caller = Location::caller();
        self.builder.declare(Declaration {
            expansion: ID.to_owned(),
            kind,
            id: id.to_owned(),
            fields: Value::table(fields),
            source: Source { file: caller.file().into(), line: caller.line() },
        });
    }

    fn pieces(&mut self, option: &dyn Fn(&str) -> String) {
        for edge in ["city", "road", "field"] {
            self.declare(DeclKind::Edge, edge, []);
        }
        let seat = |name, role| Value::table([(name, Value::table([("role", Value::from(role))]))]);
        self.declare(DeclKind::Feature, "road", [("seats", seat("road", "robber"))]);
        self.declare(DeclKind::Feature, "city", [("seats", seat("city", "knight"))]);
        let around = [("closes", "around".into()), ("around", "ring".into()), ("seats", seat("monastery", "monk"))];
        self.declare(DeclKind::Feature, "monastery", around);
        // A field closes but never completes (B-19).
        self.declare(DeclKind::Feature, "field", [("completes", false.into()), ("seats", seat("field", "farmer"))]);
        self.declare(DeclKind::Mark, "pennant", [("on", "city".into())]);

        let mut seats = vec!["road", "city", "monastery"];
        if option("farmers") == "true" {
            seats.push("field");
        }
        let count: i64 = option("followers").parse().unwrap_or(7);
        let follower = [("per_player", count.into()), ("class", "follower".into()), ("seats", Value::list(seats))];
        self.declare(DeclKind::Figure, "follower", follower);
    }

    fn legality(&mut self) {
        // B-6: the whole connected feature holds no follower of anybody.
        self.declare(
            DeclKind::Forbid,
            "occupied",
            [
                ("on", "deploy".into()),
                ("class", "follower".into()),
                ("feature", Value::table([("occupied", true.into())])),
                ("say", Callback::Native(who_occupies).into()),
            ],
        );
    }

    fn worth(&mut self, option: &dyn Fn(&str) -> String) {
        let items = |of: &'static str, count: Value, unit: i32, say: &'static str| {
            [
                ("of", of.into()),
                ("tag", "per_unit".into()),
                ("count", count),
                ("unit", unit.into()),
                ("say", say.into()),
            ]
        };
        // B-9 and B-16: a road pays 1 a tile, complete or not; B-10: each tile once.
        self.declare(DeclKind::Items, "road_tiles", items("road", "tiles".into(), 1, "tiles"));
        // B-11: 2 a tile and 2 a pennant.
        let pennants = Value::table([("mark", "pennant".into())]);
        self.declare(DeclKind::Items, "city_tiles", items("city", "tiles".into(), 2, "tiles"));
        self.declare(DeclKind::Items, "pennants", items("city", pennants, 2, "pennants"));
        let half = |say: &'static str| {
            [("of", "city".into()), ("tag", "per_unit".into()), ("times", Value::list([1, 2])), ("say", say.into())]
        };
        // B-16: half of it for an incomplete city.
        let open = Value::table([("completed", false.into())]);
        self.declare(DeclKind::Rate, "incomplete_city", half("incomplete city").into_iter().chain([("where", open)]));
        if option("tiny_city") == "2" {
            let tiny = Value::table([("completed", true.into()), ("tiles", 2.into())]);
            self.declare(DeclKind::Rate, "tiny_city", half("city of two tiles").into_iter().chain([("where", tiny)]));
        }
        // B-13 and B-16: 1 for the tile and 1 for each around it.
        let around =
            [("of", "monastery".into()), ("tag", "around".into()), ("count", "around".into()), ("say", "tiles".into())];
        self.declare(DeclKind::Items, "monastery_tiles", around);
    }
}

/// Who stands on the feature, for the refusal's sentence.
fn who_occupies(call: &mut Call<'_>) -> Result<Reply, HookError> {
    let (rules, state, feature) = (call.rules(), call.state(), call.scope.feature);
    let names: Vec<String> = trencavel_rules::features::figures_of(state, feature)
        .map(|figure| notation::figure_words(rules, state, figure))
        .collect();
    let kind = trencavel_rules::short(rules.feature_name(state.kind_of(feature)));
    Ok(Reply::Text(format!("this {kind} is occupied: {}", names.join(", "))))
}
