//! Declarations of what there is: edges, features and their seats, marks, figures, queries.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::conditions::About;
use super::fields::Fields;
use super::names::Room;
use super::{Declaration, Freezing, Problem};
use crate::condition::Test;
use crate::ids::*;
use crate::legal::USUAL_STEP;
use crate::ruleset::{Class, Closes, EdgeKind, FeatureKind, FigureKind, Seat, TokenKind, Walk};
use crate::state::MARKS;
use crate::value::Value;
use crate::words::{CoreStep, DeclKind};

impl Freezing {
    /// Declares everything that conditions may name, before any condition is compiled.
    pub(super) fn pieces(&mut self, declared: &[Declaration]) {
        self.rules.roles = self.names.roles.clone();
        self.rules.tags = self.names.tags.clone();
        self.rules.seats = self
            .names
            .room(Room::Seat)
            .iter()
            .map(|name| Seat { name: name.clone(), role: RoleId::NONE, claims: false, scores: false, corner: None })
            .collect();
        self.of_kind(declared, DeclKind::Edge, Self::edge);
        self.of_kind(declared, DeclKind::Feature, Self::feature);
        self.of_kind(declared, DeclKind::Mark, |freezing, declaration| {
            freezing.rules.marks.push(super::names::full(&declaration.expansion, &declaration.id));
        });
        self.of_kind(declared, DeclKind::Mark, Self::mark);
        self.of_kind(declared, DeclKind::Token, Self::token);
        for declaration in declared {
            if matches!(declaration.kind, DeclKind::Figure | DeclKind::Neutral) {
                self.figure(declaration);
            }
        }
        self.of_kind(declared, DeclKind::Extend, Self::extend);
        // Queries may use one another; each pass knows those of the pass before.
        for _ in 0..2 {
            let errors = self.errors.len();
            let mut queries = Vec::new();
            for declaration in declared.iter().filter(|declaration| declaration.kind == DeclKind::Query) {
                let test = self.table_test(declaration, &declaration.fields, String::new(), About::Subject);
                queries.push((super::names::full(&declaration.expansion, &declaration.id), test.into()));
            }
            self.rules.queries = queries;
            self.widen_queries(declared);
            if self.rules.queries.is_empty() || self.errors.len() > errors {
                break;
            }
        }
        let around = |kind: &FeatureKind| matches!(kind.closes, Closes::Around(_));
        self.rules.around_kinds = mask(self.rules.features.iter().map(around));
    }

    /// `extend` on a query adds an alternative to it.
    fn widen_queries(&mut self, declared: &[Declaration]) {
        for declaration in declared.iter().filter(|declaration| declaration.kind == DeclKind::Extend) {
            let meaning = self.names.meaning(Room::Query, &declaration.expansion, &declaration.id);
            if let Ok(super::names::Meaning::Known(place)) = meaning {
                let more = self.table_test(declaration, &declaration.fields, String::new(), About::Subject);
                let query = &mut self.rules.queries[place].1;
                *query = Test::any(vec![query.test().clone(), more]).into();
            }
        }
    }

    fn of_kind(&mut self, declared: &[Declaration], kind: DeclKind, read: fn(&mut Self, &Declaration)) {
        for declaration in declared.iter().filter(|declaration| declaration.kind == kind) {
            read(self, declaration);
        }
    }

    fn edge(&mut self, declaration: &Declaration) {
        let mut fields = Fields::of(self, declaration);
        let matches_all = match fields.word(self, "matches") {
            None => false,
            Some(word) if &*word == "all" => true,
            Some(word) => {
                let known = vec!["all".to_owned()];
                self.problem(
                    declaration,
                    Problem::Unknown { what: "value of `matches`", word: word.to_string(), known },
                );
                false
            }
        };
        fields.done(self);
        let name = super::names::full(&declaration.expansion, &declaration.id);
        self.rules.edges.push(EdgeKind { name, matches_all });
    }

    fn feature(&mut self, declaration: &Declaration) {
        let kind = FeatureKindId(self.rules.features.len() as u8);
        let mut fields = Fields::of(self, declaration);
        let word = fields.word(self, "closes").unwrap_or_else(|| "sides".into());
        let closes = match &*word {
            "sides" => Closes::Sides,
            "never" => Closes::Never,
            "around" => Closes::Around(self.offsets(&mut fields)),
            _ => {
                let known = ["sides", "around", "never"].map(str::to_owned).to_vec();
                self.problem(
                    declaration,
                    Problem::Unknown { what: "value of `closes`", word: word.to_string(), known },
                );
                Closes::Never
            }
        };
        let completes = fields.flag(self, "completes", closes != Closes::Never);
        let name = super::names::full(&declaration.expansion, &declaration.id);
        self.rules.features.push(FeatureKind {
            name: name.clone(),
            closes,
            completes,
            seats: Vec::new(),
            counts_tiles: false,
            slots: Vec::new(),
        });
        match fields.get("seats") {
            Some(seats) => self.seats(declaration, kind, seats),
            None => self.seat(declaration, kind, &declaration.id, None),
        }
        fields.done(self);
    }

    /// `around = "ring"`: the eight spaces around.
    fn offsets(&mut self, fields: &mut Fields<'_>) -> Vec<(i16, i16)> {
        let word = fields.word(self, "around").unwrap_or_else(|| "ring".into());
        if &*word != "ring" {
            let known = vec!["ring".to_owned()];
            self.problem(
                fields.declaration,
                Problem::Unknown { what: "value of `around`", word: word.to_string(), known },
            );
        }
        let ring = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y)));
        ring.filter(|offset| *offset != (0, 0)).collect()
    }

    fn seats(&mut self, declaration: &Declaration, kind: FeatureKindId, seats: &Value) {
        if matches!(seats, Value::List(list) if list.is_empty()) {
            return;
        }
        let Value::Table(seats) = seats else {
            self.shape(declaration, "seats".to_owned(), "a table of seats", seats);
            return;
        };
        for (name, fields) in seats {
            self.seat(declaration, kind, name, Some(fields));
        }
    }

    fn seat(&mut self, declaration: &Declaration, kind: FeatureKindId, name: &str, value: Option<&Value>) {
        let full = super::names::full(&declaration.expansion, name);
        let Some(place) = self.names.exact(Room::Seat, &full) else { return };
        let empty = Value::table([]);
        let mut fields = Fields::inner(self, declaration, value.unwrap_or(&empty), format!("seats.{name}"));
        let role = fields.word(self, "role").and_then(|role| self.names.roles.iter().position(|known| *known == role));
        let claims = fields.flag(self, "claims", true);
        let scores = fields.flag(self, "scores", true);
        let corner = fields.word(self, "corner").and_then(|word| {
            let known = ["north-west", "north-east", "south-east", "south-west"];
            let place = known.iter().position(|corner| **corner == *word);
            if place.is_none() {
                let known = known.map(str::to_owned).to_vec();
                self.problem(declaration, Problem::Unknown { what: "corner", word: word.to_string(), known });
            }
            place.map(|place| place as u8)
        });
        fields.done(self);
        let role = role.map_or(RoleId::NONE, |place| RoleId(place as u8));
        self.rules.seats[place] = Seat { name: full, role, claims, scores, corner };
        self.rules.features[kind.index()].seats.push(SeatId(place as u8));
        self.rules.features[kind.index()].seats.sort_unstable();
    }

    fn mark(&mut self, declaration: &Declaration) {
        let mut fields = Fields::of(self, declaration);
        let on = fields.words(self, "on").unwrap_or_default();
        fields.done(self);
        let name = super::names::full(&declaration.expansion, &declaration.id);
        let Some(mark) = self.names.exact(Room::Mark, &name) else { return };
        self.mark_on(declaration, MarkId(mark as u8), &on);
    }

    /// Gives a mark a counter on each kind it may be on. A mark on tiles needs none.
    fn mark_on(&mut self, declaration: &Declaration, mark: MarkId, on: &[Arc<str>]) {
        for word in on.iter().filter(|word| &***word != "tile") {
            let Some(place) = self.lookup(declaration, Room::Feature, word) else { continue };
            let slots = &mut self.rules.features[place].slots;
            let used = slots.iter().filter(|slot| **slot != u8::MAX).count();
            if used >= MARKS {
                self.problem(declaration, Problem::TooMany { what: "marks on one kind of feature", limit: MARKS });
                continue;
            }
            if slots.len() <= mark.index() {
                slots.resize(mark.index() + 1, u8::MAX);
            }
            if slots[mark.index()] == u8::MAX {
                slots[mark.index()] = used as u8;
            }
        }
    }

    fn figure(&mut self, declaration: &Declaration) {
        let mut fields = Fields::of(self, declaration);
        let neutral = declaration.kind == DeclKind::Neutral;
        let class = if neutral { Class::Neutral } else { self.class(&mut fields) };
        let number = if neutral { "count" } else { "per_player" };
        let per_player = fields.int_within(self, number, 0..=50, 1) as u8;
        let seats = fields.mask(self, "seats", Room::Seat).unwrap_or(0);
        let strength = fields.int(self, "strength", i32::from(class == Class::Follower));
        let leaves = match fields.words(self, "leaves") {
            None => u64::MAX,
            Some(words) => {
                let causes = self.names.causes.clone();
                self.plain_mask(declaration, "cause", &causes, &words)
            }
        };
        let at = if neutral { None } else { self.deployed_at(&mut fields) };
        let spends = neutral || fields.flag(self, "spends", true);
        let walk = if neutral { self.walk(&mut fields) } else { None };
        fields.done(self);
        let name = super::names::full(&declaration.expansion, &declaration.id);
        self.rules.figures.push(FigureKind { name, class, per_player, seats, strength, leaves, at, spends, walk });
    }

    fn token(&mut self, declaration: &Declaration) {
        let mut fields = Fields::of(self, declaration);
        let per_player = fields.ints(self, "per_player", 0..=10_000).unwrap_or_default();
        fields.done(self);
        let name = super::names::full(&declaration.expansion, &declaration.id);
        self.rules.tokens.push(TokenKind { name, per_player });
    }

    fn class(&mut self, fields: &mut Fields<'_>) -> Class {
        match fields.word(self, "class").as_deref() {
            None | Some("follower") => Class::Follower,
            Some("special") => Class::Special,
            Some(word) => {
                let known = vec!["follower".to_owned(), "special".to_owned()];
                self.problem(fields.declaration, Problem::Unknown { what: "class", word: word.to_owned(), known });
                Class::Special
            }
        }
    }

    fn deployed_at(&mut self, fields: &mut Fields<'_>) -> Option<CoreStep> {
        let declaration = fields.declaration;
        match fields.get("at") {
            None => Some(USUAL_STEP),
            Some(Value::Bool(false)) => None,
            Some(Value::Text(word)) => match word.parse() {
                Ok(step) => Some(step),
                Err(unknown) => {
                    self.unknown_word(declaration, "step", &unknown);
                    None
                }
            },
            Some(other) => {
                self.shape(declaration, fields.path("at"), "a step or false", other);
                None
            }
        }
    }

    fn walk(&mut self, fields: &mut Fields<'_>) -> Option<Walk> {
        let value = fields.get("walk")?;
        let mut inner = Fields::inner(self, fields.declaration, value, fields.path("walk"));
        let walk = Walk {
            steps: inner.int_within(self, "steps", 1..=100, 6) as u8,
            revisit: inner.flag(self, "revisit", false),
            rounds: inner.flag(self, "rounds", true),
        };
        inner.done(self);
        Some(walk)
    }

    /// Adds to a set-valued field of a declaration: seats of a feature, seats and causes of a figure, places of a mark.
    fn extend(&mut self, declaration: &Declaration) {
        if self.names.meaning(Room::Query, &declaration.expansion, &declaration.id).is_ok() {
            return;
        }
        let mut fields = Fields::of(self, declaration);
        let mut targets: BTreeMap<&str, usize> = BTreeMap::new();
        for room in [Room::Feature, Room::Figure, Room::Mark] {
            if let Ok(super::names::Meaning::Known(place)) =
                self.names.meaning(room, &declaration.expansion, &declaration.id)
            {
                targets.insert(room.word(), place);
            }
        }
        if let (Some(place), Some(seats)) = (targets.get(Room::Feature.word()), fields.get("seats")) {
            self.seats(declaration, FeatureKindId(*place as u8), seats);
        }
        if let Some(place) = targets.get(Room::Figure.word()).copied() {
            if !targets.contains_key(Room::Feature.word()) {
                let more = fields.mask(self, "seats", Room::Seat).unwrap_or(0);
                self.rules.figures[place].seats |= more;
            }
            if let Some(words) = fields.words(self, "leaves") {
                let causes = self.names.causes.clone();
                self.rules.figures[place].leaves |= self.plain_mask(declaration, "cause", &causes, &words);
            }
        }
        if let Some(mark) = targets.get(Room::Mark.word()).copied()
            && let Some(on) = fields.words(self, "on")
        {
            self.mark_on(declaration, MarkId(mark as u8), &on);
        }
        fields.done(self);
        if targets.is_empty() {
            let known =
                self.names.room(Room::Figure).iter().chain(self.names.room(Room::Feature)).map(ToString::to_string);
            let problem = Problem::Unknown {
                what: "figure, feature or mark",
                word: declaration.id.clone(),
                known: known.collect(),
            };
            self.problem(declaration, problem);
        }
    }
}

fn mask(bits: impl Iterator<Item = bool>) -> u64 {
    bits.enumerate().fold(0, |mask, (index, bit)| mask | u64::from(bit) << index)
}
