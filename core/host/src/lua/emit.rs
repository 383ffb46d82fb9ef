//! `rules.emit` and `rules.ask`: tables become intents and questions.

use std::borrow::Cow;

use mlua::{Lua, Table, Value};
use trencavel_rules::geometry::Side;
use trencavel_rules::hooks::{Intent, Question};
use trencavel_rules::ids::{FeatureId, FigureId, FigureKindId, HookId, PlayerId, SegmentId};
use trencavel_rules::words::Verb;
use trencavel_rules::{Anchor, MAX_TILES, Rotation, Ruleset, State, short};

use super::context::Context;
use super::convert::shown;
use super::handles::{Handle, Kind, id_of, number, space, word};
use super::misuse::Misuse;
use super::names::{Lexicon, Word};
use crate::diagnostic::nearest;

/// Fields a verb needs, and fields it may have besides `player` and `cause`. `figure` may be given as `neutral`.
fn fields_of(verb: Verb) -> (&'static [&'static str], &'static [&'static str]) {
    match verb {
        Verb::Place => (&["def", "at"], &["rotation"]),
        Verb::Deploy => (&["to"], &["figure", "kind", "seat"]),
        Verb::Move => (&["figure", "to"], &["seat"]),
        Verb::Return | Verb::Release | Verb::Discard | Verb::Eat | Verb::Capture | Verb::Rest => (&["figure"], &[]),
        Verb::Complete | Verb::Score => (&["feature"], &[]),
        Verb::Pay => (&["player", "points"], &["feature"]),
        Verb::Appear | Verb::Enter | Verb::Retreat => (&["figure", "to"], &[]),
        Verb::Queue => (&[], &["step", "figure", "amount", "now"]),
        Verb::Put => (&["token", "amount"], &["to"]),
        Verb::Mark => (&["feature", "mark"], &["amount"]),
        Verb::Finish | Verb::Draw => (&[], &[]),
    }
}

/// Other words for a field.
const OTHER_WORDS: [(&str, &str); 3] = [("neutral", "figure"), ("amount", "points"), ("tile", "def")];

fn canonical(field: &str) -> &str {
    OTHER_WORDS.iter().find(|(word, _)| *word == field).map_or(field, |(_, field)| field)
}

/// Every field that a verb or a question knows.
const FIELDS: [&str; 20] = [
    "amount", "at", "cause", "data", "def", "feature", "figure", "kind", "mark", "neutral", "now", "player", "points",
    "rotation", "seat", "step", "tile", "to", "token", "who",
];

/// The bit of a field.
fn bit(field: &str) -> u32 {
    FIELDS.iter().position(|known| *known == field).map_or(0, |place| 1 << place)
}

/// The words of `emit` and `ask` as texts of a VM.
#[derive(Default)]
pub(crate) struct Vocabulary {
    verbs: Lexicon<Verb>,
    fields: Lexicon<&'static str>,
}

impl Vocabulary {
    pub fn new(lua: &Lua) -> mlua::Result<Self> {
        let mut words = Self::default();
        for verb in Verb::ALL {
            words.verbs.add(&lua.create_string(verb.word())?, *verb);
        }
        for field in FIELDS {
            words.fields.add(&lua.create_string(field)?, field);
        }
        Ok(words)
    }
}

/// The intent that a script asks for.
///
/// # Errors
/// If the verb is unknown or not declared, or a field is unknown, missing or of the wrong kind.
pub(crate) fn intent(context: &Context, verb: &Value, table: &Table) -> Result<Intent, Misuse> {
    let verb = verb_of(context, verb)?;
    context.running()?;
    if verb == Verb::Draw {
        return Err(Misuse::new(format!("`{verb}` can be forbidden and replaced, not emitted")));
    }
    if !context.moment.get().acts {
        return Err(Misuse::new("this function only answers; it cannot emit").help("emit in `run`"));
    }
    if !context.may_emit(verb) {
        return Err(Misuse::new(format!("`{verb}` is not among the `emits` of this hook"))
            .help(format!("declare it: `emits = {{ \"{verb}\" }}`")));
    }
    let decider = context.read(|_, state| state.decider())?;
    let mut writing = Writing { context, intent: Intent::new(verb, decider), seat: None, given: 0 };
    if verb == Verb::Mark {
        writing.intent.amount = 1;
    }
    for (field, value) in entries(context, table)? {
        writing.field(field, &value)?;
    }
    writing.done()
}

fn verb_of(context: &Context, verb: &Value) -> Result<Verb, Misuse> {
    let word = word(verb, "a verb")?;
    if let (Word::Text(text), Some(words)) = (word, context.vocabulary())
        && let Some(verb) = words.verbs.get(text)
    {
        return Ok(verb);
    }
    let name = word.plain()?;
    Err(Misuse::unknown(format!("unknown verb `{name}`"), &name, Verb::ALL.iter().map(|verb| verb.word())))
}

/// Fields by name, so that the first problem is always the same.
fn entries(context: &Context, table: &Table) -> Result<Vec<(Cow<'static, str>, Value)>, Misuse> {
    let mut entries = Vec::with_capacity(MOST_FIELDS);
    let mut other = None;
    let read = table.for_each(|key: Value, value: Value| {
        match key.as_string() {
            Some(name) => {
                let known = context.vocabulary().and_then(|words| words.fields.get(name));
                entries.push((known.map_or_else(|| Cow::Owned(name.to_string_lossy()), Cow::Borrowed), value));
            }
            None => other = Some(shown(&key)),
        }
        Ok(())
    });
    read.map_err(|error| Misuse::new(error.to_string()))?;
    if let Some(key) = other {
        return Err(Misuse::new(format!("fields have names, not {key}")));
    }
    entries.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(entries)
}

/// Few tables of fields have more.
const MOST_FIELDS: usize = 6;

/// An intent while its fields are read.
struct Writing<'a> {
    context: &'a Context,
    intent: Intent,
    seat: Option<String>,
    /// Canonical names of the fields that were given, a bit each by their place in [`FIELDS`].
    given: u32,
}

impl Writing<'_> {
    fn field(&mut self, name: Cow<'static, str>, value: &Value) -> Result<(), Misuse> {
        let name = &*name;
        let verb = self.intent.verb;
        let (needed, more) = fields_of(verb);
        let known = || needed.iter().chain(more).chain(&["player", "cause"]).copied();
        let field = canonical(name);
        if !known().any(|other| canonical(other) == field) {
            let others = OTHER_WORDS.iter().filter(|(_, field)| known().any(|one| canonical(one) == *field));
            let near = nearest(name, known().chain(others.map(|(word, _)| *word)));
            let misuse = Misuse::unknown(format!("`{verb}` has no field `{name}`"), name, known());
            return Err(match near {
                Some(near) => misuse.help(format!("did you mean `{near}`?")),
                None => misuse,
            });
        }
        self.given |= bit(field);
        let context = self.context;
        match name {
            "figure" => self.intent.figure = id_of(context, value, "figure")?,
            "neutral" => self.intent.figure = neutral(context, word(value, "a neutral figure")?)?,
            "token" => {
                let token = word(value, "a kind of token")?;
                self.intent.token = context.token(token)?.ok_or_else(|| absent("token", token))?;
            }
            "mark" => {
                let mark = word(value, "a mark")?;
                self.intent.mark = context.mark(mark)?.ok_or_else(|| absent("mark", mark))?;
            }
            "kind" => self.intent.kind = figure_kind(context, word(value, "a kind of figure")?)?,
            "player" => self.intent.player = context.player(number(value, "`player`")?.into())?,
            "feature" => self.intent.feature = id_of(context, value, "feature")?,
            "to" => self.to(value)?,
            "seat" => self.seat = Some(word(value, "a seat")?.plain()?),
            "at" => self.intent.at = space(value, "`at`")?,
            "rotation" => {
                let quarters = number(value, "`rotation`")?;
                self.intent.rotation = Rotation::from_quarters(quarters.rem_euclid(4) as usize);
            }
            "def" | "tile" => self.intent.def = context.tile_def(word(value, "a tile")?)?,
            "now" => {
                self.intent.now = value
                    .as_boolean()
                    .ok_or_else(|| Misuse::new(format!("`now` must be true or false, not {}", shown(value))))?;
            }
            "cause" => self.intent.cause = context.cause(word(value, "a cause")?)?,
            "step" => {
                let step = word(value, "a step")?;
                self.intent.step = context.step(step)?.ok_or_else(|| absent("step", step))?;
            }
            _ => self.intent.amount = number(value, format_args!("`{name}`"))?,
        }
        Ok(())
    }

    fn to(&mut self, value: &Value) -> Result<(), Misuse> {
        match Handle::kind_of(value) {
            Some(Kind::Tile) => {
                let tile = id_of(self.context, value, "to")?;
                self.intent.to = Anchor::Tile(tile);
                self.intent.tile = tile;
            }
            Some(Kind::Figure) => self.intent.to = Anchor::Figure(id_of(self.context, value, "to")?),
            // The seat is chosen when the figure is known.
            Some(Kind::Segment) => {
                let segment = id_of(self.context, value, "to")?;
                self.intent.to = Anchor::Seat { segment, seat: Default::default() };
            }
            _ if self.intent.verb == Verb::Put => self.intent.to = token_place(self.context, value)?,
            _ => return Err(Misuse::new(format!("`to` must be a tile, a figure or a segment, not {}", shown(value)))),
        }
        Ok(())
    }

    fn has(&self, field: &str) -> bool {
        self.given & bit(field) != 0
    }

    fn done(mut self) -> Result<Intent, Misuse> {
        let verb = self.intent.verb;
        if let Some(field) = fields_of(verb).0.iter().find(|field| !self.has(canonical(field))) {
            return Err(Misuse::new(format!("`{verb}` needs the field `{field}`")));
        }
        if verb == Verb::Deploy && !self.has("figure") && !self.has("kind") {
            return Err(Misuse::new("`deploy` needs the field `figure` or `kind`"));
        }
        self.check_place()?;
        if verb == Verb::Capture {
            self.intent.to = Anchor::Held(self.intent.player);
        }
        if let Anchor::Seat { segment, .. } = self.intent.to {
            self.intent.to = self.seat(segment)?;
        }
        if matches!(verb, Verb::Complete | Verb::Score | Verb::Mark) && self.intent.feature == FeatureId::default() {
            return Err(Misuse::new(format!("`{verb}` needs a feature")));
        }
        if verb == Verb::Mark {
            self.check_mark()?;
        }
        Ok(self.intent)
    }

    /// A mark is counted on the kinds of features it was declared for, and on no other.
    fn check_mark(&self) -> Result<(), Misuse> {
        let (feature, mark) = (self.intent.feature, self.intent.mark);
        self.context.read(|rules, state| {
            let kind = rules.feature_view(state, feature).kind;
            if rules.counts_mark(kind, mark) {
                return Ok(());
            }
            let (mark, kind) = (rules.mark_name(mark), short(rules.feature_name(kind)));
            let wrong = Misuse::new(format!("`{mark}` is not a mark of a {kind}"));
            Err(wrong.help(format!("declare it so: `on = \"{kind}\"`")))
        })?
    }

    /// What would tear the board: a tile on a tile or away from all others, figures beside one another in a circle.
    fn check_place(&self) -> Result<(), Misuse> {
        let (intent, context) = (&self.intent, self.context);
        if intent.verb == Verb::Place {
            let at = intent.at;
            let lies = |state: &State, at| state.tile_at(at).is_some();
            if context.read(|_, state| lies(state, at))? {
                return Err(Misuse::new(format!("a tile lies on {at} already")));
            }
            if context.read(|_, state| state.tiles().count() >= MAX_TILES)? {
                return Err(Misuse::new(format!("the table has room for {MAX_TILES} tiles")));
            }
            if !context.read(|_, state| Side::ALL.into_iter().any(|side| lies(state, at.neighbour(side))))? {
                return Err(Misuse::new(format!("no tile lies beside {at}")));
            }
        }
        if let Anchor::Figure(beside) = intent.to {
            let stands = context.read(|_, state| !matches!(state.figure(beside).at, Anchor::Figure(_)))?;
            if beside == intent.figure || !stands {
                return Err(Misuse::new("a figure stands beside one that itself stands on the board"));
            }
        }
        Ok(())
    }

    /// The seat that was named, else the first that the figure may take.
    fn seat(&self, segment: SegmentId) -> Result<Anchor, Misuse> {
        let find = |rules: &Ruleset, state: &State| {
            let given = self.intent.kind;
            let kind = if given == FigureKindId::default() { state.figure(self.intent.figure).kind } else { given };
            let view = state.segment_view(segment).ok_or_else(|| Misuse::new("there is no such segment"))?;
            let feature = rules.feature_view(state, view.feature).kind;
            let seat = match &self.seat {
                None => rules.seat_for(kind, feature),
                Some(word) => {
                    let seats = rules.seats_of(feature).iter().copied();
                    seats.clone().find(|seat| {
                        let name = rules.seat_name(*seat);
                        name == word || short(name) == word
                    })
                }
            };
            let (figure, feature) = (&rules.figure_kind(kind).name, rules.feature_name(feature));
            seat.ok_or_else(|| Misuse::new(format!("`{figure}` has no such seat on a `{feature}`")))
        };
        Ok(Anchor::Seat { segment, seat: self.context.read(find)?? })
    }
}

/// Where tokens are: before a player, on a tile, or with nobody.
pub(crate) fn token_place(context: &Context, value: &Value) -> Result<Anchor, Misuse> {
    match value {
        Value::Nil => Ok(Anchor::Supply),
        Value::LightUserData(_) => Ok(Anchor::Tile(id_of(context, value, "tile")?)),
        _ => Ok(Anchor::Held(context.player(number(value, "a place of tokens")?.into())?)),
    }
}

fn absent(what: &str, word: Word<'_>) -> Misuse {
    let word = word.plain().unwrap_or_default();
    Misuse::new(format!("the {what} `{word}` is not in this game")).help("wrap this in `rules.when`")
}

fn figure_kind(context: &Context, word: Word<'_>) -> Result<FigureKindId, Misuse> {
    context.figure_kind(word)?.ok_or_else(|| absent("figure", word))
}

/// The one figure of a neutral kind.
fn neutral(context: &Context, word: Word<'_>) -> Result<FigureId, Misuse> {
    let kind = figure_kind(context, word)?;
    let found = context.read(|_, state| state.neutrals().find(|(_, figure)| figure.kind == kind).map(|(id, _)| id))?;
    let none = || Misuse::new(format!("`{}` is not a neutral figure", word.plain().unwrap_or_default()));
    found.ok_or_else(none)
}

/// The question that a script asks.
///
/// # Errors
/// If a field is unknown, missing or of the wrong kind.
pub(crate) fn question(context: &Context, table: &Table) -> Result<Question, Misuse> {
    if context.running().is_ok() && !context.moment.get().acts {
        return Err(Misuse::new("this function only answers; it cannot ask").help("ask in `run`"));
    }
    let decider = context.read(|_, state| state.decider())?;
    let (mut to, mut who, mut data) = (None, decider, [0; 4]);
    for (field, value) in entries(context, table)? {
        match &*field {
            "to" => to = Some(resolve(context, &value)?),
            "who" => who = context.player(number(&value, "`who`")?.into())?,
            "data" => data = numbers(&value)?,
            _ => return Err(Misuse::unknown(format!("`ask` has no field `{field}`"), &field, ["to", "who", "data"])),
        }
    }
    let to =
        to.ok_or_else(|| Misuse::new("`ask` needs the field `to`").help("name the `resolve` that takes the answer"))?;
    Ok(Question { to, who: PlayerId::from_index(who.index()), data })
}

fn resolve(context: &Context, value: &Value) -> Result<HookId, Misuse> {
    let word = word(value, "a `resolve`")?;
    context.question(word)?.ok_or_else(|| absent("question", word))
}

/// Up to four numbers.
fn numbers(value: &Value) -> Result<[i32; 4], Misuse> {
    let wrong = || Misuse::new("`data` is a list of at most four whole numbers").help("handles have a `number`");
    let table = value.as_table().ok_or_else(wrong)?;
    let (mut data, mut read, mut outcome) = ([0; 4], 0, Ok(()));
    if table.raw_len() > data.len() {
        return Err(wrong());
    }
    let every = table.for_each_value(|value: Value| {
        if let Some(place) = data.get_mut(read).filter(|_| outcome.is_ok()) {
            read += 1;
            outcome = number(&value, format_args!("`data[{read}]`")).map(|number| *place = number);
        }
        Ok(())
    });
    every.map_err(|_| wrong())?;
    outcome?;
    // A list with gaps ends at the first.
    if read < table.raw_len() {
        number(&Value::Nil, format_args!("`data[{}]`", read + 1))?;
    }
    Ok(data)
}

/// Every figure on the board, those on corners too.
pub(crate) fn on_board(state: &State) -> impl Iterator<Item = FigureId> {
    state.figures().filter(|(_, figure)| figure.at.is_on_board()).map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_a_verb_has_a_bit() {
        let fields = Verb::ALL.iter().flat_map(|verb| [fields_of(*verb).0, fields_of(*verb).1].concat());
        for field in fields.flat_map(|field| [field, canonical(field)]).chain(["player", "cause"]) {
            assert_eq!(bit(field).count_ones(), 1, "{field}");
        }
        assert!(FIELDS.is_sorted() && FIELDS.len() <= 32);
    }
}
