//! Declarations of what answers: refusals, numbers, awards, reactions, steps, offers, questions.

use std::sync::Arc;

use super::conditions::About;
use super::fields::{Fields, words_of};
use super::names::Room;
use super::{Declaration, Freezing, Problem};
use crate::condition::Test;
use crate::forbids::{Concerns, Forbid, Say, Waive, Waiver};
use crate::hooks::Callback;
use crate::ids::*;
use crate::legal::CoreRefusal;
use crate::ruleset::*;
use crate::state::ListId;
use crate::value::Value;
use crate::words::{CoreNumber, CoreStep, DeclKind, EventKind, Verb};

/// The most numbers or words that a player can be asked to choose from.
const OPTIONS: usize = 1000;

/// What a number is asked of.
#[derive(Clone, Copy)]
enum Of {
    Worth(usize),
    Number(CoreNumber),
}

impl Freezing {
    /// Compiles every hook. Pieces must be known.
    pub(super) fn hooks(&mut self, declared: &[Declaration]) {
        if !self.errors.is_empty() && self.rules.features.is_empty() {
            return;
        }
        self.rules.worth = vec![NumberHooks::default(); self.rules.features.len()];
        self.steps(declared);
        for (place, declaration) in declared.iter().enumerate() {
            let hook = Self::hook_id(place);
            match declaration.kind {
                DeclKind::Forbid => self.forbid(declaration, hook),
                DeclKind::Items => self.items(declaration, hook),
                DeclKind::Rate => self.rate(declaration, hook),
                DeclKind::Cap => self.cap(declaration),
                DeclKind::Void => self.void(declaration, hook),
                DeclKind::Set => self.set(declaration, hook),
                DeclKind::Award => self.award(declaration, hook),
                DeclKind::Replace => self.replace(declaration, hook),
                DeclKind::React => self.react(declaration, hook),
                DeclKind::Offer => self.offer(declaration, hook),
                DeclKind::Resolve => self.resolve(declaration, hook),
                DeclKind::Describe | DeclKind::Advise => self.text(declaration),
                _ => {}
            }
        }
        self.drop_idle_steps();
        for verb in Verb::ALL {
            let gates = !self.rules.forbids[verb.index()].is_empty() || !self.rules.replaces[verb.index()].is_empty();
            self.rules.gated |= u32::from(gates) << verb.index();
        }
        self.rules.places_are_free = self.rules.forbids[Verb::Place.index()].is_empty();
        self.rules.offers_any_time = self.rules.offers.iter().any(|offer| offer.at == StepId::NONE);
        let counts = (self.rules.figures.len(), self.rules.features.len(), self.rules.seats.len());
        let concerns = |forbids: &Vec<Forbid>| Concerns::new(forbids, counts.0, counts.1, counts.2);
        self.rules.concerns = self.rules.forbids.iter().map(concerns).collect();
        self.gather_choices();
        for (index, kind) in self.rules.features.iter().enumerate() {
            self.rules.completing |= u64::from(kind.completes) << index;
        }
        // A reaction to a batch as a whole is told of every change.
        let kinds = |react: &React| if react.each { react.when.feature_kinds() } else { u64::MAX };
        let changed = &self.rules.reacts[EventKind::Changed.index()];
        self.rules.changes = changed.iter().fold(0, |all, react| all | kinds(react));
        self.rules.changes_need_figures = changed.iter().all(|react| react.each && react.when.needs_figures());
        for (index, kind) in self.rules.figures.iter().enumerate() {
            self.rules.neutral_kinds |= u64::from(kind.class == Class::Neutral) << index;
        }
        for (kind, worth) in self.rules.features.iter_mut().zip(&self.rules.worth) {
            kind.counts_tiles = worth.items.iter().any(|items| matches!(items.count, Count::Tiles));
        }
        for declaration in declared.iter().filter(|declaration| declaration.kind == DeclKind::Waive) {
            self.waive(declaration);
        }
        self.rules.has_scripts = declared.iter().any(|declaration| has_script(&declaration.fields));
        self.undecided(declared);
    }

    fn forbid(&mut self, declaration: &Declaration, hook: HookId) {
        let mut fields = Fields::of(self, declaration);
        fields.need(self, "on");
        let verbs = fields.verbs(self, "on");
        let when = self.condition(&mut fields);
        let test = fields.function(self, "test");
        let offers_only = match fields.word(self, "stops").as_deref() {
            None | Some("all") => false,
            Some("offers") => true,
            Some(word) => {
                let known = vec!["all".to_owned(), "offers".to_owned()];
                self.problem(declaration, Problem::Unknown { what: "value of `stops`", word: word.to_owned(), known });
                false
            }
        };
        let say = match fields.get("say") {
            Some(Value::Function(callback)) => Say::Made(*callback),
            _ => Say::Fixed,
        };
        fields.done(self);
        let forbid = Forbid {
            hook,
            kinds: when.figure_kinds(),
            features: when.feature_kinds(),
            seats: when.seats(),
            rest: when.beyond_kinds().into(),
            test,
            offers_only,
            waivers: Vec::new(),
            say,
        };
        for verb in Ruleset::verbs(verbs) {
            self.rules.forbids[verb.index()].push(forbid.clone());
        }
    }

    /// The declaration's id names the refusal or void that is lifted.
    fn waive(&mut self, declaration: &Declaration) {
        let mut fields = Fields::of(self, declaration);
        let verbs = fields.verbs(self, "on");
        let verbs = if verbs == 0 { u32::MAX } else { verbs };
        let when = self.condition(&mut fields);
        fields.word(self, "say");
        fields.done(self);
        let by = Waiver { expansion: declaration.expansion.as_str().into(), source: declaration.source.clone() };
        let waive = Waive { verbs, when, by };
        let word = declaration.id.as_str();
        if let Some(core) = CoreRefusal::WORDS.iter().position(|(name, _)| *name == word) {
            // Geometry and supply cannot be lifted; which tile a figure goes to can.
            if core != CoreRefusal::NotThisTile as usize {
                let known = vec![CoreRefusal::WORDS[CoreRefusal::NotThisTile as usize].0.to_owned()];
                let problem = Problem::Unknown { what: "waivable refusal of the core", word: word.to_owned(), known };
                return self.problem(declaration, problem);
            }
            self.rules.core_waivers[core].push(waive);
            return;
        }
        let void = self.names.meaning(Room::Void, &declaration.expansion, word);
        let target = match (self.names.meaning(Room::Forbid, &declaration.expansion, word), void) {
            (Ok(super::names::Meaning::Known(place)), _) => self.names.room(Room::Forbid)[place].clone(),
            (_, Ok(super::names::Meaning::Known(place))) => self.names.room(Room::Void)[place].clone(),
            (Ok(super::names::Meaning::Absent), _) | (_, Ok(super::names::Meaning::Absent)) => return,
            (Err(problem), Err(_)) => return self.problem(declaration, problem),
        };
        self.lift(&target, &waive);
    }

    fn lift(&mut self, target: &str, waive: &Waive) {
        let hooks = &self.rules.hooks;
        let named = |hook: HookId| *hooks[hook.index()].name == *target;
        for forbid in self.rules.forbids.iter_mut().flatten().filter(|forbid| named(forbid.hook)) {
            forbid.waivers.push(waive.clone());
        }
        for number in self.rules.worth.iter_mut().chain(&mut self.rules.numbers) {
            for void in number.voids.iter_mut().filter(|void| named(void.hook)) {
                void.waivers.push(waive.clone());
            }
        }
    }

    /// `of`: the feature kinds whose worth it is about, or another number.
    fn of(&mut self, fields: &mut Fields<'_>) -> Vec<Of> {
        let declaration = fields.declaration;
        let Some(words) = fields.words(self, "of") else {
            self.problem(declaration, Problem::Missing { path: fields.path("of") });
            return Vec::new();
        };
        let mut found = Vec::new();
        for word in words {
            match word.parse::<CoreNumber>() {
                Ok(CoreNumber::Worth) => found.extend((0..self.rules.features.len()).map(Of::Worth)),
                Ok(number) => found.push(Of::Number(number)),
                Err(_) => found.extend(self.lookup(declaration, Room::Feature, &word).map(Of::Worth)),
            }
        }
        found
    }

    fn numbers(&mut self, of: &[Of], mut add: impl FnMut(&mut NumberHooks)) {
        for of in of {
            match of {
                Of::Worth(kind) => add(&mut self.rules.worth[*kind]),
                Of::Number(number) => add(&mut self.rules.numbers[number.index()]),
            }
        }
    }

    fn tag(&mut self, fields: &mut Fields<'_>) -> TagId {
        let declaration = fields.declaration;
        let Some(word) = fields.word(self, "tag") else { return TagId::NONE };
        match self.names.tags.iter().position(|tag| *tag == word) {
            Some(place) => TagId(place as u8),
            None => {
                let known = self.names.tags.iter().map(ToString::to_string).collect();
                self.problem(declaration, Problem::Unknown { what: "tag", word: word.to_string(), known });
                TagId::NONE
            }
        }
    }

    fn items(&mut self, declaration: &Declaration, hook: HookId) {
        let mut fields = Fields::of(self, declaration);
        let of = self.of(&mut fields);
        let tag = self.tag(&mut fields);
        let count = self.count(&mut fields);
        let unit = fields.int(self, "unit", 1);
        let when = self.condition(&mut fields);
        fields.word(self, "say");
        fields.done(self);
        self.numbers(&of, |number| {
            number.items.push(Items { hook, tag, count: count.clone(), unit, when: when.clone() });
        });
    }

    fn count(&mut self, fields: &mut Fields<'_>) -> Count {
        let declaration = fields.declaration;
        match fields.get("count") {
            None => Count::Fixed(1),
            Some(Value::Int(_)) => Count::Fixed(fields.int(self, "count", 0)),
            Some(Value::Function(callback)) => Count::Made(*callback),
            Some(Value::Text(word)) => match &**word {
                "tiles" => Count::Tiles,
                "segments" => Count::Segments,
                "around" => Count::Around,
                _ => {
                    let known = ["tiles", "segments", "around"].map(str::to_owned).to_vec();
                    self.problem(declaration, Problem::Unknown { what: "counter", word: word.to_string(), known });
                    Count::Fixed(0)
                }
            },
            Some(value) => self.count_table(declaration, value, fields.path("count")),
        }
    }

    /// `{ mark = … }`, `{ borders = { kind = … } }` or `{ figures = { … } }`.
    fn count_table(&mut self, declaration: &Declaration, value: &Value, path: String) -> Count {
        let mut fields = Fields::inner(self, declaration, value, path);
        let mut count = Count::Fixed(0);
        if let Some(word) = fields.word(self, "mark") {
            count = self.lookup(declaration, Room::Mark, &word).map_or(count, |place| Count::Mark(MarkId(place as u8)));
        } else if let Some(value) = fields.get("borders") {
            let path = fields.path("borders");
            let kind = value.get("kind").map(|kind| words_of(self, declaration, &path, kind)).unwrap_or_default();
            let place = kind.first().and_then(|word| self.lookup(declaration, Room::Feature, word));
            let test = self.table_test(declaration, value, path, About::Feature);
            count = place.map_or(count, |place| Count::Borders(FeatureKindId(place as u8), test.into()));
        } else if let Some(value) = fields.get("figures") {
            let path = fields.path("figures");
            count = Count::Figures(self.table_test(declaration, value, path, About::Figure).into());
        } else if let Some(value) = fields.get("features") {
            let path = fields.path("features");
            count = Count::Features(self.table_test(declaration, value, path, About::Feature).into());
        }
        fields.done(self);
        count
    }

    fn rate(&mut self, declaration: &Declaration, hook: HookId) {
        let mut fields = Fields::of(self, declaration);
        let of = self.of(&mut fields);
        let tag = self.tag(&mut fields);
        let plus = fields.int(self, "plus", 0);
        let times = self.fraction(&mut fields);
        if plus == 0 && times == (1, 1) {
            self.problem(declaration, Problem::Missing { path: "plus or times".to_owned() });
        }
        let round = match fields.word(self, "round").as_deref() {
            Some("up") => Rounding::Up,
            None | Some("down") => Rounding::Down,
            Some(word) => {
                let known = vec!["up".to_owned(), "down".to_owned()];
                self.problem(declaration, Problem::Unknown { what: "value of `round`", word: word.to_owned(), known });
                Rounding::Down
            }
        };
        let when = self.condition(&mut fields);
        fields.word(self, "say");
        fields.done(self);
        self.numbers(&of, |number| number.rates.push(Rate { hook, tag, plus, times, round, when: when.clone() }));
    }

    /// `times = { 1, 2 }` is a half, `times = 3` three times.
    fn fraction(&mut self, fields: &mut Fields<'_>) -> (i32, i32) {
        let small = |value: &Value| match value {
            Value::Int(number) if (0..=100).contains(number) => Some(*number as i32),
            _ => None,
        };
        let found = match fields.get("times") {
            None => return (1, 1),
            Some(value @ Value::Int(_)) => small(value).map(|up| (up, 1)),
            Some(Value::List(pair)) if pair.len() == 2 => {
                small(&pair[0]).zip(small(&pair[1])).filter(|(_, down)| *down > 0)
            }
            Some(_) => None,
        };
        found.unwrap_or_else(|| {
            let problem = Problem::Shape {
                path: fields.path("times"),
                expected: "a number up to 100, or two as a fraction".to_owned(),
                found: "something else".to_owned(),
            };
            self.problem(fields.declaration, problem);
            (1, 1)
        })
    }

    fn cap(&mut self, declaration: &Declaration) {
        let mut fields = Fields::of(self, declaration);
        let of = self.of(&mut fields);
        let (min, max) = (fields.int(self, "min", i32::MIN), fields.int(self, "max", i32::MAX));
        let when = self.condition(&mut fields);
        fields.word(self, "say");
        fields.done(self);
        self.numbers(&of, |number| number.caps.push(Cap { min, max, when: when.clone() }));
    }

    fn void(&mut self, declaration: &Declaration, hook: HookId) {
        let mut fields = Fields::of(self, declaration);
        let of = self.of(&mut fields);
        let tag = self.tag(&mut fields);
        let when = self.condition(&mut fields);
        fields.word(self, "say");
        fields.done(self);
        self.numbers(&of, |number| number.voids.push(Void { hook, tag, when: when.clone(), waivers: Vec::new() }));
    }

    fn set(&mut self, declaration: &Declaration, hook: HookId) {
        let mut fields = Fields::of(self, declaration);
        let of = self.of(&mut fields);
        let to = fields.int(self, "to", 0);
        let when = self.condition(&mut fields);
        fields.word(self, "say");
        fields.done(self);
        self.numbers(&of, |number| number.sets.push(Set { hook, to, when: when.clone() }));
    }

    fn award(&mut self, declaration: &Declaration, hook: HookId) {
        let mut fields = Fields::of(self, declaration);
        let at = self.core_step(&mut fields, "at", CoreStep::Score);
        let points = fields.int(self, "points", 0);
        let items = fields.function(self, "items");
        let once = fields.words(self, "once").unwrap_or_default();
        let once_per_feature = once.iter().any(|word| &**word == "feature");
        if let Some(word) = once.iter().find(|word| !["owner", "feature"].contains(&&***word)) {
            let known = vec!["owner".to_owned(), "feature".to_owned()];
            self.problem(declaration, Problem::Unknown { what: "value of `once`", word: word.to_string(), known });
        }
        if let Some(to) = fields.word(self, "to")
            && &*to != "owner"
        {
            let known = vec!["owner".to_owned()];
            self.problem(declaration, Problem::Unknown { what: "value of `to`", word: to.to_string(), known });
        }
        let players = match fields.word(self, "each").as_deref() {
            None | Some("figure") => false,
            Some("player") => true,
            Some(word) => {
                let known = vec!["figure".to_owned(), "player".to_owned()];
                self.problem(declaration, Problem::Unknown { what: "value of `each`", word: word.to_owned(), known });
                false
            }
        };
        if players && at == CoreStep::Score {
            let problem = Problem::Shape {
                path: fields.path("at"),
                expected: "a step of the turn where `each` is `player`".to_owned(),
                found: "`score`, which is about figures of scored features".to_owned(),
            };
            self.problem(declaration, problem);
        }
        let counted = self.count(&mut fields);
        let unit = fields.int(self, "unit", 1);
        let count = declaration.fields.get("count").map(|_| (counted, unit));
        let figure = self.condition(&mut fields);
        fields.word(self, "say");
        fields.done(self);
        self.rules.awards.push(Award { hook, at, figure, players, points, count, items, once_per_feature });
    }

    fn core_step(&mut self, fields: &mut Fields<'_>, key: &'static str, default: CoreStep) -> CoreStep {
        let Some(word) = fields.word(self, key) else { return default };
        let plain = word.strip_prefix("core:").unwrap_or(&word);
        plain.parse().unwrap_or_else(|unknown| {
            self.unknown_word(fields.declaration, "step", &unknown);
            default
        })
    }

    fn replace(&mut self, declaration: &Declaration, hook: HookId) {
        let mut fields = Fields::of(self, declaration);
        fields.need(self, "on");
        let verbs = fields.verbs(self, "on");
        let emits = fields.verbs(self, "emits");
        fields.words(self, "causes");
        let when = self.condition(&mut fields);
        let run = fields.need_function(self, "run");
        fields.word(self, "say");
        fields.done(self);
        let Some(run) = run else { return };
        for verb in Ruleset::verbs(verbs) {
            self.rules.replaces[verb.index()].push(Replace { hook, when: when.clone(), run, emits });
        }
    }

    fn react(&mut self, declaration: &Declaration, hook: HookId) {
        let mut fields = Fields::of(self, declaration);
        fields.need(self, "on");
        let events = fields.words(self, "on").unwrap_or_default();
        let emits = fields.verbs(self, "emits");
        fields.words(self, "causes");
        let each = fields.flag(self, "each", true);
        let when = self.condition(&mut fields);
        let run = fields.need_function(self, "run");
        fields.word(self, "say");
        fields.done(self);
        let Some(run) = run else { return };
        for word in events {
            match word.parse::<EventKind>() {
                Ok(event) => {
                    self.rules.heard |= 1 << event.index();
                    self.rules.reacts[event.index()].push(React { hook, when: when.clone(), run, emits, each })
                }
                Err(unknown) => self.unknown_word(declaration, "event", &unknown),
            }
        }
    }

    fn offer(&mut self, declaration: &Declaration, hook: HookId) {
        let mut fields = Fields::of(self, declaration);
        let at = match fields.word(self, "at").as_deref() {
            Some("own_turn") => StepId::NONE,
            None => self.step_id(declaration, USUAL),
            Some(word) => self.step_id(declaration, word),
        };
        let spends = fields.flag(self, "spends", true);
        let must = fields.flag(self, "must", false);
        let options = self.options(&mut fields);
        let emits = fields.verbs(self, "emits");
        fields.words(self, "causes");
        let (does, run) = self.outcome(&mut fields);
        // In an offer `cause` says why its verb happens.
        fields.take("cause");
        let when = self.condition(&mut fields);
        fields.word(self, "say");
        fields.done(self);
        self.rules.offers.push(Offer { hook, at, spends, must, when, options, does, run, emits });
    }

    fn resolve(&mut self, declaration: &Declaration, hook: HookId) {
        let mut fields = Fields::of(self, declaration);
        let options = self.options(&mut fields);
        let pass = fields.flag(self, "pass", false);
        let emits = fields.verbs(self, "emits");
        fields.words(self, "causes");
        let (does, run) = self.outcome(&mut fields);
        fields.word(self, "say");
        fields.done(self);
        self.rules.resolves.push(Resolve { hook, options, pass, does, run, emits });
    }

    /// What a choice leads to: a verb (`does`, with `neutral`, `deploys` and `cause`), a function (`run`), or first the one and then the other.
    fn outcome(&mut self, fields: &mut Fields<'_>) -> (Option<Does>, Option<Callback>) {
        let declaration = fields.declaration;
        let neutral = self.figure_named(fields, "neutral");
        let figure = self.figure_named(fields, "deploys");
        let cause = match fields.word(self, "cause") {
            None => CauseId::NONE,
            Some(word) => match self.names.causes.iter().position(|cause| *cause == word) {
                Some(place) => CauseId(place as u8),
                None => {
                    let known = self.names.causes.iter().map(ToString::to_string).collect();
                    self.problem(declaration, Problem::Unknown { what: "cause", word: word.to_string(), known });
                    CauseId::NONE
                }
            },
        };
        let does = match fields.word(self, "does").map(|word| word.parse::<Verb>()) {
            None => None,
            Some(Ok(Verb::Draw)) => {
                let known = Verb::ALL.iter().filter(|verb| **verb != Verb::Draw).map(ToString::to_string).collect();
                self.problem(
                    declaration,
                    Problem::Unknown { what: "verb of a choice", word: "draw".to_owned(), known },
                );
                None
            }
            Some(Ok(verb)) => Some(Does { verb, neutral, figure, cause }),
            Some(Err(unknown)) => {
                self.unknown_word(declaration, "verb", &unknown);
                None
            }
        };
        let run = if does.is_some() { fields.function(self, "run") } else { fields.need_function(self, "run") };
        (does, run)
    }

    fn figure_named(&mut self, fields: &mut Fields<'_>, key: &'static str) -> FigureKindId {
        let Some(word) = fields.word(self, key) else { return FigureKindId::NONE };
        self.lookup(fields.declaration, Room::Figure, &word)
            .map_or(FigureKindId::NONE, |place| FigureKindId(place as u8))
    }

    /// `options = { figures = { … } }` and so on, or a function that offers them.
    fn options(&mut self, fields: &mut Fields<'_>) -> Options {
        let declaration = fields.declaration;
        let value = match fields.get("options") {
            None => return Options::One,
            Some(Value::Function(callback)) => return Options::Made(*callback),
            Some(Value::Text(word)) if &**word == "players" => return Options::Players,
            Some(value) => value,
        };
        let mut inner = Fields::inner(self, declaration, value, fields.path("options"));
        let mut options = Options::One;
        if let Some(value) = inner.get("figures") {
            options =
                Options::Figures(self.table_test(declaration, value, inner.path("figures"), About::Subject).into());
        } else if let Some(value) = inner.get("tiles") {
            options = Options::Tiles(self.table_test(declaration, value, inner.path("tiles"), About::Tile).into());
        } else if let Some(value) = inner.get("segments") {
            options =
                Options::Segments(self.table_test(declaration, value, inner.path("segments"), About::Subject).into());
        } else if let Some(words) = inner.words(self, "words") {
            if words.len() > OPTIONS {
                self.problem(declaration, Problem::TooMany { what: "words to choose from", limit: OPTIONS });
            }
            options = Options::Words(words);
        } else if let Some(value) = inner.get("held") {
            options = Options::Held(self.table_test(declaration, value, inner.path("held"), About::Subject).into());
        } else if inner.get("spaces").is_some() {
            options = Options::Spaces(inner.int_within(self, "spaces", 1..=4, 1) as u8);
        } else if inner.get("from").is_some() {
            let (from, to) = (inner.int(self, "from", 0), inner.int(self, "to", 0));
            if (to - from) as usize >= OPTIONS && to > from {
                self.problem(declaration, Problem::TooMany { what: "numbers to choose from", limit: OPTIONS });
            }
            options = Options::Range(from, to);
        }
        inner.done(self);
        options
    }

    /// The engine's own steps, with the declared ones after or before their anchors.
    fn steps(&mut self, declared: &[Declaration]) {
        for core in CoreStep::ALL {
            self.rules.steps.push(Step {
                name: format!("core:{core}").into(),
                hook: HookId::NONE,
                core: Some(*core),
                when: Test::Always.into(),
                run: None,
                emits: 0,
                figures: 0,
                chooses: false,
                quiet: false,
                awards: false,
            });
        }
        let of = |list: ListId| -> &[CoreStep] {
            use CoreStep::*;
            match list {
                ListId::TurnStart => &[Begin],
                ListId::Part => {
                    &[Draw, Place, AfterPlace, Action, Extra, AfterAction, BeforeScore, Score, AfterScore, PartEnd]
                }
                ListId::TurnEnd => &[TurnEnd],
                ListId::GameEnd => &[LastRounds, Final],
            }
        };
        for list in [ListId::TurnStart, ListId::Part, ListId::TurnEnd, ListId::GameEnd] {
            self.rules.lists[list as usize] = of(list).iter().map(|core| StepId(core.index() as u16)).collect();
        }
        let mut hung: Vec<(StepId, CoreStep, bool)> = Vec::new();
        for (place, declaration) in declared.iter().enumerate() {
            if declaration.kind == DeclKind::Step {
                self.step(declaration, Self::hook_id(place), &mut hung);
            }
        }
        // Those after an anchor are inserted from the last on, so that they end up in canonical order.
        for (step, anchor, after) in
            hung.iter().rev().filter(|(_, _, after)| *after).chain(hung.iter().filter(|(_, _, after)| !after))
        {
            for list in &mut self.rules.lists {
                if let Some(at) = list.iter().position(|other| other.index() == anchor.index()) {
                    list.insert(at + usize::from(*after), *step);
                }
            }
        }
    }

    /// Steps of the engine at which nothing can happen are not entered at all: what nobody uses costs nothing.
    fn drop_idle_steps(&mut self) {
        use CoreStep::{Action, Draw, Final, PartEnd, Place, Score};
        let rules = &mut self.rules;
        let busy = |step: &StepId| {
            rules.steps[step.index()].core.is_none_or(|core| {
                matches!(core, Draw | Place | Action | Score | PartEnd | Final)
                    || rules.awards.iter().any(|award| award.at == core)
                    || rules.offers.iter().any(|offer| offer.at == *step)
                    || rules.figures.iter().any(|kind| kind.at == Some(core))
            })
        };
        for list in &mut rules.lists {
            list.retain(busy);
        }
    }

    /// What may be chosen and is paid at each step.
    fn gather_choices(&mut self) {
        let rules = &mut self.rules;
        for (index, step) in rules.steps.iter_mut().enumerate() {
            if let Some(core) = step.core {
                let here = rules.figures.iter().enumerate().filter(|(_, kind)| kind.at == Some(core));
                step.figures = here.fold(0, |kinds, (kind, _)| kinds | 1 << kind);
                // Scoring pays its awards when it comes to them.
                let own = !matches!(core, CoreStep::Score | CoreStep::Final);
                step.awards = own && rules.awards.iter().any(|award| award.at == core);
            }
            step.quiet = !step.awards && !matches!(step.core, None | Some(CoreStep::Score | CoreStep::Final));
            step.chooses = step.figures != 0 || rules.offers.iter().any(|offer| offer.at.index() == index);
        }
    }

    fn step(&mut self, declaration: &Declaration, hook: HookId, hung: &mut Vec<(StepId, CoreStep, bool)>) {
        let step = StepId(self.rules.steps.len() as u16);
        let mut fields = Fields::of(self, declaration);
        for (key, after) in [("after", true), ("before", false)] {
            if fields.get(key).is_some() {
                let anchor = self.core_step(&mut fields, key, CoreStep::AfterPlace);
                hung.push((step, anchor, after));
            }
        }
        let run = fields.function(self, "run");
        let emits = fields.verbs(self, "emits");
        fields.words(self, "causes");
        let figures = fields.mask_of_figures(self);
        let when = self.step_condition(&mut fields);
        fields.word(self, "say");
        fields.done(self);
        let name = super::names::full(&declaration.expansion, &declaration.id);
        self.rules.steps.push(Step {
            name,
            hook,
            core: None,
            when: when.into(),
            run,
            emits,
            figures,
            chooses: false,
            quiet: false,
            awards: false,
        });
    }

    /// A step has no figure of its own, so `figure` names those that may be deployed in it.
    fn step_condition(&mut self, fields: &mut Fields<'_>) -> Test {
        let declaration = fields.declaration;
        let mut test = Test::Always;
        for (key, wanted) in [("where", true), ("unless", false)] {
            if let Some(value) = fields.get(key) {
                let inner = self.table_test(declaration, value, fields.path(key), About::Subject);
                test = test.and(if wanted { inner } else { Test::not(inner) });
            }
        }
        test
    }

    fn step_id(&mut self, declaration: &Declaration, word: &str) -> StepId {
        let plain = word.strip_prefix("core:").unwrap_or(word);
        if let Ok(core) = plain.parse::<CoreStep>() {
            return StepId(core.index() as u16);
        }
        let place = self.lookup(declaration, Room::Step, word);
        place.map_or(StepId::NONE, |place| StepId((CoreStep::ALL.len() + place) as u16))
    }

    fn text(&mut self, declaration: &Declaration) {
        let mut fields = Fields::of(self, declaration);
        if declaration.kind == DeclKind::Describe {
            fields.need(self, "text");
        }
        fields.word(self, "text");
        fields.mask(self, "figure", Room::Figure);
        fields.mask(self, "feature", Room::Feature);
        fields.int(self, "weight", 0);
        fields.done(self);
    }

    /// Hooks that decide alone and may meet, without an order between their expansions or themselves.
    fn undecided(&mut self, declared: &[Declaration]) {
        let mut conflicts = Vec::new();
        for number in self.rules.worth.iter().chain(&self.rules.numbers) {
            for (index, set) in number.sets.iter().enumerate() {
                for other in &number.sets[index + 1..] {
                    if set.when.feature_kinds() & other.when.feature_kinds() != 0 {
                        conflicts.push((other.hook, set.hook));
                    }
                }
            }
        }
        conflicts.sort_unstable();
        conflicts.dedup();
        for (hook, other) in conflicts {
            let of = |hook: HookId| &declared[hook.index() - CoreRefusal::WORDS.len()];
            if self.names.ordered(&of(hook).expansion, &of(other).expansion) {
                continue;
            }
            let (id, name) = (self.rules.hook(hook).name.to_string(), self.rules.hook(other).name.to_string());
            let at = of(other).source.clone();
            self.problem(&of(hook).clone(), Problem::Conflict { id, other: name, at });
        }
    }
}

impl Fields<'_> {
    fn mask_of_figures(&mut self, freezing: &mut Freezing) -> u64 {
        self.mask(freezing, "figure", Room::Figure).unwrap_or(0)
    }
}

const USUAL: &str = "action";

fn has_script(value: &Value) -> bool {
    match value {
        Value::Function(Callback::Script(_)) => true,
        Value::List(list) => list.iter().any(has_script),
        Value::Table(table) => table.iter().any(|(_, value): &(Arc<str>, Value)| has_script(value)),
        _ => false,
    }
}
