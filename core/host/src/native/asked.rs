//! What hooks of libraries ask of the game, and what they answer.

use mlua::{IntoLua, Value};
use trencavel_abi::*;
use trencavel_rules::hooks::Reply;
use trencavel_rules::ids::{FeatureId, FigureId, SegmentId, TileDefId, TileId};
use trencavel_rules::{Anchor, Target, features, short};

use super::calls::Asked;
use crate::lua::{Misuse, Role, intent, on_board, one_line, question, target_of};

/// An id as libraries see it; nothing for the id that means nothing.
fn thing<I: Default + PartialEq>(kind: TrvKind, id: I, number: impl Fn(&I) -> usize) -> TrvThing {
    if id == I::default() { TrvThing::NOTHING } else { TrvThing::new(kind, number(&id) as i32) }
}

fn of_player(player: trencavel_rules::ids::PlayerId) -> TrvThing {
    if player == Default::default() { TrvThing::NOTHING } else { TrvThing::new(TRV_PLAYER, player.index() as i32 + 1) }
}

fn of_feature(feature: FeatureId) -> TrvThing {
    thing(TRV_FEATURE, feature, |id| id.index())
}

fn of_figure(figure: FigureId) -> TrvThing {
    thing(TRV_FIGURE, figure, |id| id.index())
}

fn of_tile(tile: TileId) -> TrvThing {
    thing(TRV_TILE, tile, |id| id.index())
}

fn of_segment(segment: SegmentId) -> TrvThing {
    thing(TRV_SEGMENT, segment, |id| id.index())
}

fn of_target(target: Target) -> TrvThing {
    match target {
        Target::None => TrvThing::NOTHING,
        Target::Tile(tile) => of_tile(tile),
        Target::Figure(figure) => of_figure(figure),
        Target::Segment(segment) => of_segment(segment),
        Target::Space(at) => TrvThing { kind: TRV_SPACE, id: at.x.into(), y: at.y.into() },
        Target::Player(player) => of_player(player),
        Target::Number(number) => TrvThing::new(TRV_NUMBER, number),
        Target::Word(place) => TrvThing::new(TRV_WORD, place.into()),
    }
}

fn named(kind: TrvKind) -> &'static str {
    const NAMES: [&str; 10] = [
        "nothing",
        "a player",
        "a feature",
        "a figure",
        "a tile",
        "a segment",
        "a space",
        "a number",
        "a word",
        "the answer",
    ];
    NAMES.get(kind as usize).copied().unwrap_or("something of an unknown kind")
}

/// A number as the engine holds it.
fn small(number: i64, what: &str) -> Result<i32, Misuse> {
    i32::try_from(number).map_err(|_| Misuse::new(format!("{what} cannot be {number}")))
}

impl Asked {
    /// The place of a thing in its table, if the thing is of this kind and there.
    fn index(&self, given: TrvThing, kind: TrvKind) -> Result<usize, Misuse> {
        let index = usize::try_from(given.id).unwrap_or(usize::MAX);
        let there = given.kind == kind
            && self.context.read(|_, state| match kind {
                TRV_FEATURE => state.standing(FeatureId::from_index(index)).is_some(),
                TRV_FIGURE => index < state.figures().count(),
                TRV_TILE => index < state.tiles().count(),
                TRV_SEGMENT => state.segment_view(SegmentId::from_index(index)).is_some(),
                _ => false,
            })?;
        let wrong = || Misuse::new(format!("{} belongs here, not {} {}", named(kind), named(given.kind), given.id));
        there.then_some(index).ok_or_else(wrong)
    }

    fn feature(&self, given: TrvThing) -> Result<FeatureId, Misuse> {
        let feature = FeatureId::from_index(self.index(given, TRV_FEATURE)?);
        Ok(self.context.read(|_, state| state.standing(feature))?.unwrap_or(feature))
    }

    fn figure(&self, given: TrvThing) -> Result<FigureId, Misuse> {
        self.index(given, TRV_FIGURE).map(FigureId::from_index)
    }

    fn tile(&self, given: TrvThing) -> Result<TileId, Misuse> {
        self.index(given, TRV_TILE).map(TileId::from_index)
    }

    /// What a thing belongs to, or what the call is about.
    pub fn thing(&self, of: TrvThing, kind: TrvKind) -> Result<TrvThing, Misuse> {
        let none = || Misuse::new(format!("{} has no part that is {}", named(of.kind), named(kind)));
        match (of.kind, kind) {
            (TRV_NOTHING, TRV_ANSWER) => Ok(of_target(self.asking.answer)),
            (TRV_NOTHING, TRV_PLAYER | TRV_FEATURE | TRV_FIGURE | TRV_TILE | TRV_SEGMENT) => self.subject(kind),
            (TRV_FIGURE, TRV_PLAYER | TRV_FEATURE | TRV_TILE | TRV_SEGMENT) => {
                let figure = self.figure(of)?;
                self.context.read(|rules, state| {
                    let scope = self.context.scope_of(rules, state, figure);
                    match kind {
                        TRV_PLAYER => state.figure(figure).owner().map_or(TrvThing::NOTHING, of_player),
                        TRV_FEATURE => of_feature(scope.feature),
                        TRV_TILE => of_tile(scope.tile),
                        _ => of_segment(scope.segment),
                    }
                })
            }
            (TRV_SEGMENT, TRV_FEATURE | TRV_TILE) => {
                let segment = SegmentId::from_index(self.index(of, TRV_SEGMENT)?);
                let view = self.context.read(|_, state| state.segment_view(segment))?.ok_or_else(none)?;
                Ok(if kind == TRV_TILE { of_tile(view.tile) } else { of_feature(view.feature) })
            }
            _ => Err(none()),
        }
    }

    /// What the call is about, as scripts see it: of an event what it names, of an intent its case, else the scope.
    fn subject(&self, kind: TrvKind) -> Result<TrvThing, Misuse> {
        let moment = self.context.moment.get();
        let scope = moment.scope;
        let (player, feature, figure, tile) = match (moment.event, moment.intent) {
            (Some(event), _) => (event.player, event.feature, event.figure, event.tile),
            (None, Some(intent)) => (intent.player, scope.feature, intent.figure, scope.tile),
            (None, None) => (scope.me, scope.feature, scope.figure, scope.tile),
        };
        self.context.read(|rules, state| match kind {
            TRV_PLAYER => of_player(player),
            TRV_FEATURE => of_feature(state.standing(feature).unwrap_or_default()),
            TRV_FIGURE => of_figure(figure),
            TRV_SEGMENT => of_segment(scope.segment),
            // What happens to a figure happens where it stands.
            _ if moment.intent.is_some() && tile == TileId::default() && figure != FigureId::default() => {
                of_tile(features::standing_on(rules, state, figure).unwrap_or_default())
            }
            _ => of_tile(tile),
        })
    }

    /// A number of a thing or of the call.
    pub fn number(&self, of: TrvThing, aspect: TrvAspect) -> Result<i64, Misuse> {
        let unknown = || Misuse::new(format!("{} has no number {aspect}", named(of.kind)));
        match (of.kind, aspect) {
            (TRV_FEATURE, TRV_TILES | TRV_SIZE | TRV_CLOSED | TRV_COMPLETED) => {
                let feature = self.feature(of)?;
                let view = self.context.read(|rules, state| rules.feature_view(state, feature))?;
                Ok(match aspect {
                    TRV_TILES => view.tiles.into(),
                    TRV_SIZE => view.size.into(),
                    TRV_CLOSED => view.closed.into(),
                    _ => view.completed.into(),
                })
            }
            (TRV_TILE, TRV_X | TRV_Y | TRV_ROTATION) => {
                let tile = self.tile(of)?;
                self.context.read(|_, state| {
                    let placed = state.tile(tile);
                    match aspect {
                        TRV_X => placed.at.x.into(),
                        TRV_Y => placed.at.y.into(),
                        _ => placed.rotation.index() as i64,
                    }
                })
            }
            (TRV_PLAYER, TRV_SCORE) => {
                let player = self.context.player(of.id.into())?;
                self.context.read(|_, state| state.score(player).into())
            }
            (TRV_NOTHING, TRV_AMOUNT) => {
                let moment = self.context.moment.get();
                let amount = moment.event.map(|event| event.amount).or(moment.intent.map(|intent| intent.amount));
                Ok(amount.ok_or_else(unknown)?.into())
            }
            (TRV_NOTHING, TRV_X | TRV_Y | TRV_ROTATION) => {
                let placing = self.context.moment.get().intent.filter(|intent| intent.def != TileDefId::default());
                let placing = placing.ok_or_else(unknown)?;
                Ok(match aspect {
                    TRV_X => placing.at.x.into(),
                    TRV_Y => placing.at.y.into(),
                    _ => placing.rotation.index() as i64,
                })
            }
            (TRV_NOTHING, TRV_PLAYERS) => self.context.read(|_, state| state.players() as i64),
            (TRV_NOTHING, TRV_DATA..) => {
                let data = self.asking.data.get((aspect - TRV_DATA) as usize);
                Ok((*data.ok_or_else(unknown)?).into())
            }
            _ => Err(unknown()),
        }
    }

    /// A word of a thing or of the call.
    pub fn word(&self, of: TrvThing, aspect: TrvAspect) -> Result<String, Misuse> {
        let unknown = || Misuse::new(format!("{} has no word {aspect}", named(of.kind)));
        let moment = self.context.moment.get();
        match (of.kind, aspect) {
            (TRV_FEATURE, TRV_KIND_WORD) => {
                let feature = self.feature(of)?;
                let kind = |rules: &trencavel_rules::Ruleset, state: &trencavel_rules::State| {
                    short(rules.feature_name(rules.feature_view(state, feature).kind)).to_owned()
                };
                self.context.read(kind)
            }
            (TRV_FIGURE, TRV_KIND_WORD) => {
                let figure = self.figure(of)?;
                self.context.read(|rules, state| short(&rules.figure_kind(state.figure(figure).kind).name).to_owned())
            }
            (TRV_TILE, TRV_KIND_WORD) => {
                let tile = self.tile(of)?;
                self.context.read(|rules, state| short(&rules.tile(state.tile(tile).def).id).to_owned())
            }
            (TRV_NOTHING, TRV_KIND_WORD) => {
                let event = moment.event.map(|event| event.kind.word());
                let word = event.or(moment.intent.map(|intent| intent.verb.word()));
                word.map(str::to_owned).ok_or_else(unknown)
            }
            (TRV_NOTHING, TRV_CAUSE_WORD) => {
                let cause = moment.event.map(|event| event.cause).or(moment.intent.map(|intent| intent.cause));
                let cause = cause.ok_or_else(unknown)?;
                self.context.read(|rules, _| rules.cause_word(cause).to_owned())
            }
            _ => Err(unknown()),
        }
    }

    /// How often a mark is on a feature.
    pub fn marks(&self, feature: TrvThing, mark: &str) -> Result<i64, Misuse> {
        let feature = self.feature(feature)?;
        let mark = self.context.mark(mark)?;
        self.context.read(|rules, state| mark.map_or(0, |mark| rules.marks_of(state, feature, mark).into()))
    }

    /// How many tokens are somewhere.
    pub fn tokens(&self, place: TrvThing, token: &str) -> Result<i64, Misuse> {
        let at = match place.kind {
            TRV_NOTHING => Anchor::Supply,
            TRV_PLAYER => Anchor::Held(self.context.player(place.id.into())?),
            _ => Anchor::Tile(self.tile(place)?),
        };
        let token = self.context.token(token)?;
        self.context.read(|_, state| token.map_or(0, |token| state.tokens_at(token, at).into()))
    }

    /// The figures of a feature or of the board, in canonical order.
    pub fn figures(&self, feature: TrvThing) -> Result<Vec<TrvThing>, Misuse> {
        let feature = if feature.kind == TRV_NOTHING { None } else { Some(self.feature(feature)?) };
        self.context.read(|_, state| {
            let mut found: Vec<FigureId> = match feature {
                None => on_board(state).collect(),
                Some(feature) => features::figures_of(state, feature).collect(),
            };
            found.sort_unstable();
            found.into_iter().map(of_figure).collect()
        })
    }

    /// The answer of a count or a test.
    pub fn answer(&mut self, number: i64) -> Result<(), Misuse> {
        self.reply = match (self.asking.role, number) {
            (Role::Count, number) => Reply::Int(small(number, "a count")?),
            (Role::Test, 0 | 1) => Reply::Bool(number == 1),
            (Role::Test, _) => return Err(Misuse::new(format!("`test` answers 0 or 1, not {number}"))),
            _ => return Err(Misuse::new("only `count` and `test` answer with a number")),
        };
        Ok(())
    }

    /// The answer of a `say`.
    pub fn answer_text(&mut self, sentence: &str) -> Result<(), Misuse> {
        if self.asking.role != Role::Say {
            return Err(Misuse::new("only `say` answers with a sentence"));
        }
        self.reply = Reply::Text(one_line(sentence));
        Ok(())
    }

    /// Counts something in an award.
    pub fn add(&self, label: &str, count: i64, unit: i64) -> Result<(), Misuse> {
        if !self.context.moment.get().counts {
            return Err(Misuse::new("only `items` of an `award` can add to it"));
        }
        let (count, unit) = (small(count, "a count")?, small(unit, "a unit")?);
        self.context.asked.borrow_mut().count(label, count, unit)
    }

    /// Offers an option.
    pub fn offer(&self, option: TrvThing) -> Result<(), Misuse> {
        if !self.context.moment.get().offers {
            return Err(Misuse::new("only `options` can offer options"));
        }
        let target = target_of(&self.context, &self.value(option, "")?)?;
        self.context.asked.borrow_mut().offer(target)
    }

    /// What is about to happen does not happen.
    pub fn cancel(&self) -> Result<(), Misuse> {
        if !self.context.moment.get().replaces {
            return Err(Misuse::new("only a `replace` can cancel").help("a `forbid` refuses by `test`"));
        }
        self.context.asked.borrow_mut().cancelled = true;
        Ok(())
    }

    /// Asks for something to happen: the same fields under the same checks as scripts.
    pub fn emit(&self, verb: &str, fields: &[(&str, TrvThing, &str)]) -> Result<(), Misuse> {
        let table = self.lua.create_table().map_err(failed)?;
        for (name, value, word) in fields {
            table.raw_set(*name, self.value(*value, word)?).map_err(failed)?;
        }
        let verb = verb.into_lua(&self.lua).map_err(failed)?;
        let intent = intent(&self.context, &verb, &table)?;
        self.context.asked.borrow_mut().emit(intent)
    }

    /// Asks a player, under the same checks as scripts.
    pub fn ask(&self, resolve: &str, player: TrvThing, data: &[i32]) -> Result<(), Misuse> {
        let table = self.lua.create_table().map_err(failed)?;
        table.raw_set("to", resolve).map_err(failed)?;
        table.raw_set("who", self.value(player, "")?).map_err(failed)?;
        table.raw_set("data", data.to_vec()).map_err(failed)?;
        let question = question(&self.context, &table)?;
        self.context.asked.borrow_mut().ask(question)
    }

    /// A thing as scripts hold it.
    fn value(&self, given: TrvThing, word: &str) -> Result<Value, Misuse> {
        let (lua, context) = (&self.lua, &self.context);
        let value = match given.kind {
            TRV_NOTHING => Ok(Value::Nil),
            TRV_PLAYER | TRV_NUMBER => given.id.into_lua(lua),
            TRV_FEATURE => Ok(context.handle(self.feature(given)?)),
            TRV_FIGURE => Ok(context.handle(self.figure(given)?)),
            TRV_TILE => Ok(context.handle(self.tile(given)?)),
            TRV_SEGMENT => Ok(context.handle(SegmentId::from_index(self.index(given, TRV_SEGMENT)?))),
            TRV_SPACE => lua.create_table_from([("x", given.id), ("y", given.y)]).map(Value::Table),
            TRV_WORD => word.into_lua(lua),
            kind => return Err(Misuse::new(format!("{} is no value of a field", named(kind)))),
        };
        value.map_err(failed)
    }
}

/// The VM has no memory left.
fn failed(error: mlua::Error) -> Misuse {
    Misuse::new(error.to_string())
}
