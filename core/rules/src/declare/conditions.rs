//! Compiles the tables of `where`, `unless` and the subject keys.

use super::fields::{Fields, words_of};
use super::names::Room;
use super::{Declaration, Freezing};
use crate::condition::{Condition, Range, Test, Whose};
use crate::ids::{MarkId, TokenKindId};
use crate::log::Query;
use crate::value::Value;
use crate::words::{EventKind, Touch};

/// The most of something that a condition can ask for.
const MANY: i32 = 10_000;

/// What the keys of a table are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// The subject of the hook: figure keys and feature keys.
    Subject,
    /// A feature.
    Feature,
    /// A figure.
    Figure,
    /// A tile.
    Tile,
    /// An entry of the log.
    Entry,
}

impl Freezing {
    /// The condition of a hook: its subject keys, `where` and not `unless`.
    pub(super) fn condition(&mut self, fields: &mut Fields<'_>) -> Condition {
        let mut tests = Vec::new();
        self.subject_tests(fields, About::Subject, &mut tests);
        let declaration = fields.declaration;
        if let Some(value) = fields.get("where") {
            let path = fields.path("where");
            tests.push(self.table_test(declaration, value, path, About::Subject));
        }
        if let Some(value) = fields.get("unless") {
            let path = fields.path("unless");
            tests.push(Test::not(self.table_test(declaration, value, path, About::Subject)));
        }
        Test::all(tests).into()
    }

    /// A table as a condition.
    pub(super) fn table_test(&mut self, declaration: &Declaration, value: &Value, path: String, about: About) -> Test {
        if let Value::Text(name) = value {
            return self.named_query(declaration, name);
        }
        let mut fields = Fields::inner(self, declaration, value, path);
        let mut tests = Vec::new();
        self.subject_tests(&mut fields, about, &mut tests);
        fields.done(self);
        Test::all(tests)
    }

    fn named_query(&mut self, declaration: &Declaration, name: &str) -> Test {
        match self.lookup(declaration, Room::Query, name) {
            Some(place) => self.rules.queries.get(place).map_or(Test::Never, |(_, query)| query.test().clone()),
            None => Test::Never,
        }
    }

    fn subject_tests(&mut self, fields: &mut Fields<'_>, about: About, tests: &mut Vec<Test>) {
        let declaration = fields.declaration;
        match fields.get("any") {
            Some(Value::List(alternatives)) => {
                let path = fields.path("any");
                let any = alternatives.iter().map(|value| self.table_test(declaration, value, path.clone(), about));
                tests.push(Test::any(any.collect()));
            }
            // No alternative at all: nothing fulfils it until others add some.
            Some(Value::Table(table)) if table.is_empty() => tests.push(Test::Never),
            Some(other) => self.shape(declaration, fields.path("any"), "a list of conditions", other),
            None => {}
        }
        if let Some(value) = fields.get("none") {
            let path = fields.path("none");
            tests.push(Test::not(self.table_test(declaration, value, path, about)));
        }
        if matches!(about, About::Subject | About::Figure | About::Entry) {
            self.figure_tests(fields, tests);
        }
        if matches!(about, About::Subject | About::Feature) {
            self.feature_tests(fields, tests);
        }
        if about == About::Entry {
            // Read where the entry's event is known.
            fields.get("same_kind");
            match fields.get("elsewhere") {
                None => {}
                Some(Value::Bool(wanted)) => tests.push(Test::Elsewhere(*wanted)),
                Some(other) => self.shape(fields.declaration, fields.path("elsewhere"), "true or false", other),
            }
        }
        if about == About::Tile {
            self.tile_tests(fields, tests);
        }
        if matches!(about, About::Subject | About::Figure | About::Entry) {
            self.place_tests(fields, tests);
        }
        if about == About::Subject {
            self.moment_tests(fields, tests);
        }
    }

    fn figure_tests(&mut self, fields: &mut Fields<'_>, tests: &mut Vec<Test>) {
        let declaration = fields.declaration;
        match fields.get("figure") {
            Some(value @ Value::Table(_)) => {
                let path = fields.path("figure");
                tests.push(self.figure_table(declaration, value, path));
            }
            Some(value) => {
                let words = words_of(self, declaration, &fields.path("figure"), value);
                tests.push(Test::FigureKind(self.mask_of(declaration, Room::Figure, &words)));
            }
            None => {}
        }
        if let Some(words) = fields.words(self, "class") {
            let classes = words.iter().map(|word| self.class_test(declaration, word).figure_kinds());
            tests.push(Test::FigureKind(classes.fold(0, |all, kinds| all | kinds)));
        }
        if let Some(words) = fields.words(self, "role") {
            let roles = self.names.roles.clone();
            tests.push(Test::Role(self.plain_mask(declaration, "role", &roles, &words)));
        }
        if let Some(mask) = fields.mask(self, "seat", Room::Seat) {
            tests.push(Test::Seat(mask));
        }
        if let Some(word) = fields.word(self, "owner") {
            tests.push(match &*word {
                "own" => Test::Owner(Whose::Own),
                "other" => Test::Owner(Whose::Other),
                "nobody" => Test::Owner(Whose::Nobody),
                "active" => Test::Owner(Whose::Active),
                _ => self.not_one_of(declaration, "owner", &word, &["own", "other", "nobody", "active"]),
            });
        }
        if let Some(words) = fields.words(self, "cause") {
            let causes = self.names.causes.clone();
            tests.push(Test::Cause(self.plain_mask(declaration, "cause", &causes, &words)));
        }
    }

    /// `figure = { … }`: what the figure is and what stands beside it.
    fn figure_table(&mut self, declaration: &Declaration, value: &Value, path: String) -> Test {
        let mut fields = Fields::inner(self, declaration, value, path);
        let mut tests = Vec::new();
        if let Some(value) = fields.get("has") {
            let path = fields.path("has");
            let mut inner = Fields::inner(self, declaration, value, path);
            let mask = inner.mask(self, "neutral", Room::Figure).unwrap_or(0);
            inner.done(self);
            tests.push(Test::Beside(mask));
        }
        self.subject_tests(&mut fields, About::Figure, &mut tests);
        fields.done(self);
        Test::all(tests)
    }

    fn class_test(&mut self, declaration: &Declaration, word: &str) -> Test {
        use crate::ruleset::Class;
        let class = match word {
            "follower" => Class::Follower,
            "special" => Class::Special,
            "neutral" => Class::Neutral,
            _ => return self.not_one_of(declaration, "class", word, &["follower", "special", "neutral"]),
        };
        let kinds = self.rules.figures.iter().enumerate().filter(|(_, kind)| kind.class == class);
        Test::FigureKind(kinds.fold(0, |mask, (index, _)| mask | 1 << index))
    }

    fn not_one_of(&mut self, declaration: &Declaration, what: &'static str, word: &str, known: &[&str]) -> Test {
        let known = known.iter().map(|word| (*word).to_owned()).collect();
        self.problem(declaration, super::Problem::Unknown { what, word: word.to_owned(), known });
        Test::Never
    }

    fn feature_tests(&mut self, fields: &mut Fields<'_>, tests: &mut Vec<Test>) {
        let declaration = fields.declaration;
        if let Some(mask) = fields.mask(self, "kind", Room::Feature) {
            tests.push(Test::FeatureKind(mask));
        }
        if let Some(words) = fields.words(self, "mark") {
            let marks = words.iter().filter_map(|word| self.lookup(declaration, Room::Mark, word));
            tests.push(Test::FeatureMark(marks.map(|place| MarkId(place as u8)).collect()));
        }
        type Make = fn(bool) -> Test;
        let flags: [(&'static str, Make); 5] = [
            ("open", Test::Open),
            ("closed", |closed| Test::Open(!closed)),
            ("completed", Test::Completed),
            ("closing", Test::Closing),
            ("occupied", Test::Occupied),
        ];
        for (key, test) in flags {
            if let Some(value) = fields.get(key) {
                match value {
                    Value::Bool(wanted) => tests.push(test(*wanted)),
                    other => self.shape(declaration, fields.path(key), "true or false", other),
                }
            }
        }
        if let Some(value) = fields.get("tiles") {
            let path = fields.path("tiles");
            tests.push(Test::Tiles(self.range(declaration, value, path)));
        }
        if let Some(value) = fields.get("placed_mark") {
            let words = words_of(self, declaration, &fields.path("placed_mark"), value);
            let marks = words.iter().filter_map(|word| self.lookup(declaration, Room::Mark, word));
            tests.push(Test::any(marks.map(|place| Test::PlacedMark(MarkId(place as u8))).collect()));
        }
        for (key, wanted) in [("has", true), ("lacks", false)] {
            if let Some(value) = fields.get(key) {
                let path = fields.path(key);
                let (test, range) = self.figures_test(declaration, value, path);
                let test = Test::FeatureHas(Box::new(test.into()), range);
                tests.push(if wanted { test } else { Test::not(test) });
            }
        }
    }

    /// `{ class = …, min = 1, max = 2 }`: figures of a place and how many of them.
    fn figures_test(&mut self, declaration: &Declaration, value: &Value, path: String) -> (Test, Range) {
        if let Value::Text(name) = value {
            return (self.named_query(declaration, name), Range::SOME);
        }
        let mut fields = Fields::inner(self, declaration, value, path);
        let min = fields.int_within(self, "min", 0..=1000, 1) as u16;
        let max = fields.int_within(self, "max", 0..=1000, 1000) as u16;
        let mut tests = Vec::new();
        self.subject_tests(&mut fields, About::Figure, &mut tests);
        fields.done(self);
        (Test::all(tests), Range::new(min, max))
    }

    /// `{ floor = { min = 1 } }`: a kind of token and how many of it.
    fn token_tests(
        &mut self,
        declaration: &Declaration,
        value: &Value,
        path: String,
        wrap: fn(TokenKindId, Range) -> Test,
        tests: &mut Vec<Test>,
    ) {
        let Value::Table(table) = value else {
            self.shape(declaration, path, "a table of tokens", value);
            return;
        };
        for (word, value) in table {
            let range = self.range(declaration, value, format!("{path}.{word}"));
            match self.lookup(declaration, Room::Token, word) {
                Some(place) => tests.push(wrap(TokenKindId(place as u8), range)),
                None => tests.push(Test::Never),
            }
        }
    }

    fn range(&mut self, declaration: &Declaration, value: &Value, path: String) -> Range {
        if let Value::Int(_) = value {
            let exact = self.number(declaration, path, value, &(0..=MANY)).unwrap_or(0) as u16;
            return Range::new(exact, exact);
        }
        let mut fields = Fields::inner(self, declaration, value, path);
        let range = Range::new(
            fields.int_within(self, "min", 0..=MANY, 0) as u16,
            fields.int_within(self, "max", 0..=MANY, MANY) as u16,
        );
        fields.done(self);
        range
    }

    fn tile_tests(&mut self, fields: &mut Fields<'_>, tests: &mut Vec<Test>) {
        let declaration = fields.declaration;
        if let Some(mask) = fields.mask(self, "edge", Room::Edge) {
            tests.push(Test::Edge(mask));
        }
        if let Some(value) = fields.get("tokens") {
            let path = fields.path("tokens");
            self.token_tests(declaration, value, path, Test::TileTokens, tests);
        }
        if let Some(mask) = fields.mask(self, "mark", Room::Mark) {
            tests.push(Test::TileMark(mask));
        }
        for (key, wanted) in [("has", true), ("lacks", false)] {
            if let Some(value) = fields.get(key) {
                let path = fields.path(key);
                let (test, range) = self.figures_test(declaration, value, path);
                let test = Test::TileHas(Box::new(test.into()), range);
                tests.push(if wanted { test } else { Test::not(test) });
            }
        }
    }

    /// `feature`, `tile`, `placed`: tables about where the subject is.
    fn place_tests(&mut self, fields: &mut Fields<'_>, tests: &mut Vec<Test>) {
        let declaration = fields.declaration;
        match fields.get("feature") {
            Some(value @ Value::Table(_)) => {
                let path = fields.path("feature");
                let test = self.table_test(declaration, value, path, About::Feature);
                tests.push(Test::on_feature(test));
            }
            Some(value) => {
                let words = words_of(self, declaration, &fields.path("feature"), value);
                let mask = self.mask_of(declaration, Room::Feature, &words);
                tests.push(Test::FeatureKind(mask));
            }
            None => {}
        }
        type Wrap = fn(Test) -> Test;
        let placed = |test: Test| Test::OnPlaced(Box::new(test.into()));
        let places: [(&'static str, Wrap); 2] = [("tile", Test::on_tile), ("placed", placed)];
        for (key, wrap) in places {
            if let Some(value) = fields.get(key) {
                let path = fields.path(key);
                tests.push(wrap(self.table_test(declaration, value, path, About::Tile)));
            }
        }
    }

    fn moment_tests(&mut self, fields: &mut Fields<'_>, tests: &mut Vec<Test>) {
        let declaration = fields.declaration;
        if let Some(words) = fields.words(self, "why") {
            let causes = self.names.causes.clone();
            tests.push(Test::Why(self.plain_mask(declaration, "cause", &causes, &words)));
        }
        if let Some(words) = fields.words(self, "by") {
            let mut bits = 0;
            for word in words {
                match word.parse::<Touch>() {
                    Ok(touch) => bits |= 1 << touch.index(),
                    Err(unknown) => self.unknown_word(declaration, "touch", &unknown),
                }
            }
            tests.push(Test::Touched(bits));
        }
        if let Some(mask) = fields.mask(self, "awake", Room::Figure) {
            tests.push(Test::Awake(mask));
        }
        if let Some(value) = fields.get("asleep") {
            let words = words_of(self, declaration, &fields.path("asleep"), value);
            tests.push(Test::not(Test::Awake(self.mask_of(declaration, Room::Figure, &words))));
        }
        if let Some(mask) = fields.mask(self, "joins", Room::Feature) {
            tests.push(Test::Joins(mask));
        }
        if let Some(value) = fields.get("score") {
            let path = fields.path("score");
            let mut inner = Fields::inner(self, declaration, value, path);
            let (min, max) = (inner.int(self, "min", i32::MIN), inner.int(self, "max", i32::MAX));
            inner.done(self);
            tests.push(Test::Score(min, max));
        }
        if let Some(value) = fields.get("holds") {
            let path = fields.path("holds");
            self.token_tests(declaration, value, path, Test::Holds, tests);
        }
        type Make = fn(bool) -> Test;
        let flags: [(&'static str, Make); 3] =
            [("elsewhere", Test::Elsewhere), ("held", Test::Held), ("corner", Test::Corner)];
        for (key, test) in flags {
            match fields.get(key) {
                None => {}
                Some(Value::Bool(wanted)) => tests.push(test(*wanted)),
                Some(other) => self.shape(declaration, fields.path(key), "true or false", other),
            }
        }
        type Wrap = fn(Box<Query>) -> Test;
        let spans: [(&'static str, Wrap); 2] = [("part", Test::Part), ("turn", Test::Turn)];
        for (key, wrap) in spans {
            if let Some(value) = fields.get(key) {
                let path = fields.path(key);
                self.log_tests(declaration, value, path, wrap, tests);
            }
        }
    }

    /// `part = { returned = { figure = "…", cause = "…" } }`: an event word and what its entry must be.
    fn log_tests(
        &mut self,
        declaration: &Declaration,
        value: &Value,
        path: String,
        wrap: fn(Box<Query>) -> Test,
        tests: &mut Vec<Test>,
    ) {
        let mut fields = Fields::inner(self, declaration, value, path);
        match fields.get("acted") {
            None => {}
            Some(Value::Bool(wanted)) => tests.push(Test::Acted(*wanted)),
            Some(other) => self.shape(declaration, fields.path("acted"), "true or false", other),
        }
        // `changed` is told to reactions only; the log keeps what changed it.
        for event in EventKind::ALL.iter().filter(|event| **event != EventKind::Changed) {
            let Some(value) = fields.get(event.word()) else { continue };
            let path = fields.path(event.word());
            let wanted = !matches!(value, Value::Bool(false));
            let same_kind = matches!(value.get("same_kind"), Some(Value::Bool(true)));
            let test = match value {
                Value::Bool(_) => Test::Always,
                table => self.table_test(declaration, table, path, About::Entry),
            };
            self.rules.heard |= 1 << event.index();
            let test = wrap(Box::new(Query { event: *event, test: test.into(), same_kind }));
            tests.push(if wanted { test } else { Test::not(test) });
        }
        fields.done(self);
    }
}
