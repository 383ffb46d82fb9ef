//! Numbers and scoring: what a feature is worth to whom, who wins it, who is paid.

use crate::condition::Scope;
use crate::engine::Engine;
use crate::features;
use crate::game::MAX_PLAYERS;
use crate::hooks::{Callback, Event, HookError, Intent, Reply};
use crate::ids::*;
use crate::ledger::{Item, Line};
use crate::ruleset::{Class, Count, NumberHooks, Rounding, cause};
use crate::state::Anchor;
use crate::words::{CoreNumber, CoreStep, EventKind, Verb};

/// A payment that is worked out but not yet made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    line: Line,
}

/// Rates that apply to an item, put together.
struct Factor {
    times: (i16, i16),
    round: Rounding,
    rated_by: HookId,
    plus: i32,
}

impl Engine<'_> {
    /// Scores features that are due together: worth, winners, awards, pay, return, each moment for all of them.
    pub(crate) fn score_together(&mut self, intents: &[Intent]) -> Result<(), HookError> {
        let first = self.scratch.dues.len();
        for intent in intents {
            self.due_for_majority(intent)?;
        }
        for intent in intents {
            self.due_for_awards(CoreStep::Score, Some(intent.feature), intent.cause)?;
        }
        self.pay_dues(first)?;
        for intent in intents {
            if intent.cause != cause::FINAL {
                self.return_figures(intent.feature)?;
            }
        }
        for intent in intents {
            let mut event = Event::new(EventKind::Scored, self.state.now.player);
            event.feature = intent.feature;
            event.cause = intent.cause;
            self.happened(event);
        }
        Ok(())
    }

    fn due_for_majority(&mut self, intent: &Intent) -> Result<(), HookError> {
        let mut strengths = [0_i32; MAX_PLAYERS];
        let mut best = 0;
        let figures = self.figures_of(intent.feature);
        for figure in &figures {
            let data = *self.state.figure(*figure);
            let Anchor::Seat { seat, .. } = data.at else { continue };
            if self.rules.figure_kind(data.kind).class != Class::Follower || !self.rules.seat(seat).scores {
                continue;
            }
            let more = self.strength(*figure, intent.feature)?;
            let Some(strength) = strengths.get_mut(data.owner.index()) else { continue };
            *strength = strength.saturating_add(more);
            best = best.max(*strength);
        }
        self.scratch.figures = figures;
        if best <= 0 {
            return Ok(());
        }
        for player in 0..self.state.players() as u8 {
            if strengths[player as usize] == best {
                let first = self.scratch.items.len();
                let (points, void) = self.worth(intent.feature, PlayerId(player), intent.cause)?;
                self.due(PlayerId(player), points, Some(intent.feature), intent.cause, void, first);
            }
        }
        Ok(())
    }

    fn due(
        &mut self,
        player: PlayerId,
        points: i32,
        feature: Option<FeatureId>,
        cause: CauseId,
        hook: HookId,
        first: usize,
    ) {
        let data = feature.map(|feature| *self.state.feature(feature));
        let line = Line {
            player,
            points,
            feature: feature.unwrap_or(FeatureId::NONE),
            kind: data.map_or(FeatureKindId::NONE, |data| data.kind),
            completed: data.is_some_and(|data| data.completed),
            cause,
            hook,
            turn: self.state.now.turn,
            first: first as u32,
            count: (self.scratch.items.len() - first) as u32,
        };
        self.scratch.dues.push(Due { line });
    }

    /// Pays what is due, line by line, and writes the ledger.
    fn pay_dues(&mut self, first: usize) -> Result<(), HookError> {
        for index in first..self.scratch.dues.len() {
            let line = self.scratch.dues[index].line;
            let mut intent = Intent::new(Verb::Pay, line.player);
            intent.amount = line.points;
            intent.feature = line.feature;
            intent.cause = line.cause;
            intent.by = line.hook;
            if self.admits(&intent)? {
                self.pay(line);
            }
        }
        self.scratch.dues.truncate(first);
        if first == 0 {
            self.scratch.items.clear();
        }
        Ok(())
    }

    fn pay(&mut self, mut line: Line) {
        let start = self.state.items.len() as u32;
        for index in line.first..line.first + line.count {
            let item = self.scratch.items[index as usize];
            self.state.items.push(item);
        }
        line.first = start;
        self.state.lines.push(line);
        if line.points != 0 {
            let score = self.state.scores.edit(line.player.index());
            *score = score.saturating_add(line.points);
        }
        let mut event = Event::new(EventKind::Paid, line.player);
        event.amount = line.points;
        event.feature = line.feature;
        event.cause = line.cause;
        self.happened(event);
    }

    /// Points that a rule gives or takes: a `pay` of its own.
    pub(crate) fn commit_pay(&mut self, intent: &Intent) {
        self.due(
            intent.player,
            intent.amount,
            intent.feature.some(),
            intent.cause,
            intent.by,
            self.scratch.items.len(),
        );
        if let Some(due) = self.scratch.dues.pop() {
            self.pay(due.line);
        }
    }

    /// Gives figures of a scored feature back, as far as their kinds leave for that (B-15).
    fn return_figures(&mut self, feature: FeatureId) -> Result<(), HookError> {
        let figures = self.figures_of(feature);
        for figure in figures.iter().copied() {
            let data = *self.state.figure(figure);
            if self.rules.figure_kind(data.kind).leaves >> cause::SCORED.0 & 1 == 0 {
                continue;
            }
            let mut intent = Intent::new(Verb::Return, data.owner);
            intent.figure = figure;
            intent.cause = cause::SCORED;
            intent.feature = feature;
            self.perform(&intent)?;
        }
        self.scratch.figures = figures;
        Ok(())
    }

    /// What a figure counts for majority.
    fn strength(&mut self, figure: FigureId, feature: FeatureId) -> Result<i32, HookError> {
        let data = *self.state.figure(figure);
        let own = self.rules.figure_kind(data.kind).strength;
        let hooks = self.rules.number(CoreNumber::Strength);
        if hooks.items.is_empty() && hooks.rates.is_empty() && hooks.voids.is_empty() {
            return Ok(own);
        }
        let scope = Scope { me: data.owner, feature, ..Scope::default() }.of_figure(self.state, figure);
        let first = self.scratch.items.len();
        let (more, _) = self.number(hooks, &scope)?;
        self.scratch.items.truncate(first);
        Ok(own.saturating_add(more))
    }

    /// What a feature is worth to a player, with its items in the scratch list.
    pub(crate) fn worth(
        &mut self,
        feature: FeatureId,
        player: PlayerId,
        why: CauseId,
    ) -> Result<(i32, HookId), HookError> {
        let kind = self.state.feature(feature).kind;
        let rules = self.rules;
        let scope = Scope { me: player, feature, why, ..Scope::default() };
        self.number(&rules.worth[kind.index()], &scope)
    }

    /// Bands in order: items, rates, caps, voids, sets. The hook is the void or set that decided, if one did.
    fn number(&mut self, hooks: &NumberHooks, scope: &Scope) -> Result<(i32, HookId), HookError> {
        let first = self.scratch.items.len();
        let mut decided = HookId::NONE;
        for items in &hooks.items {
            if !items.when.holds(self.rules, self.state, scope) {
                continue;
            }
            if let Some(void) = self.void_of(hooks, items.tag, scope) {
                decided = void;
                continue;
            }
            let count = self.count(&items.count, scope, items.hook)?;
            if count != 0 {
                let factor = self.factor(hooks, items.tag, scope);
                self.scratch.items.push(Item {
                    hook: items.hook,
                    count,
                    unit: items.unit.saturating_add(factor.plus),
                    times: factor.times,
                    rated_by: factor.rated_by,
                    label: 0,
                });
                self.scratch.rounding.push(factor.round);
            }
        }
        let mut total = sum(&self.scratch.items[first..], &self.scratch.rounding);
        self.scratch.rounding.clear();
        for cap in hooks.caps.iter().filter(|cap| cap.when.holds(self.rules, self.state, scope)) {
            total = total.clamp(cap.min, cap.max.max(cap.min));
        }
        for set in hooks.sets.iter().filter(|set| set.when.holds(self.rules, self.state, scope)) {
            total = set.to;
            decided = set.hook;
        }
        Ok((total, decided))
    }

    fn void_of(&self, hooks: &NumberHooks, tag: TagId, scope: &Scope) -> Option<HookId> {
        hooks
            .voids
            .iter()
            .filter(|void| void.tag == TagId::NONE || void.tag == tag)
            .find(|void| {
                void.when.holds(self.rules, self.state, scope)
                    && !void.waivers.iter().any(|waive| waive.when.holds(self.rules, self.state, scope))
            })
            .map(|void| void.hook)
    }

    fn factor(&self, hooks: &NumberHooks, tag: TagId, scope: &Scope) -> Factor {
        let mut factor = Factor { times: (1, 1), round: Rounding::Down, rated_by: HookId::NONE, plus: 0 };
        for rate in &hooks.rates {
            let concerns = rate.tag == TagId::NONE || rate.tag == tag;
            if concerns && rate.when.holds(self.rules, self.state, scope) {
                factor.plus = factor.plus.saturating_add(rate.plus);
                factor.times = multiplied(factor.times, rate.times);
                if rate.times != (1, 1) {
                    factor.round = rate.round;
                }
                factor.rated_by = rate.hook;
            }
        }
        factor
    }

    fn count(&mut self, count: &Count, scope: &Scope, hook: HookId) -> Result<i32, HookError> {
        let feature = scope.feature;
        let data = feature.some().map(|feature| *self.state.feature(feature));
        Ok(match (count, data) {
            (Count::Fixed(count), _) => *count,
            (Count::Tiles, Some(_)) => features::tile_count(self.rules, self.state, feature).into(),
            (Count::Segments, Some(data)) => data.size as i32,
            (Count::Around, Some(data)) => i32::from(data.around) + 1,
            (Count::Mark(mark), Some(data)) => features::marks(self.rules, self.state, &data, *mark).into(),
            (Count::Borders(kind, when), Some(_)) => self.count_bordered(feature, *kind, |engine, other| {
                when.holds(engine.rules, engine.state, &Scope { feature: other, ..*scope })
            }),
            (Count::Figures(when), Some(_)) => features::figures_of(self.state, feature)
                .filter(|figure| when.holds(self.rules, self.state, &scope.of_figure(self.state, *figure)))
                .count() as i32,
            (Count::Features(when), _) => self
                .state
                .features()
                .filter(|feature| when.holds(self.rules, self.state, &Scope { feature: *feature, ..*scope }))
                .count() as i32,
            (Count::Made(callback), _) => self.count_made(*callback, scope, hook)?,
            (_, None) => 0,
        })
    }

    fn count_bordered(
        &self,
        feature: FeatureId,
        kind: FeatureKindId,
        wanted: impl Fn(&Self, FeatureId) -> bool,
    ) -> i32 {
        features::bordered(self.rules, self.state, feature, kind)
            .into_iter()
            .filter(|other| wanted(self, *other))
            .count() as i32
    }

    fn count_made(&mut self, callback: Callback, scope: &Scope, hook: HookId) -> Result<i32, HookError> {
        match self.ask_hook(callback, *scope, hook)? {
            Reply::Int(count) => Ok(count),
            Reply::Bool(yes) => Ok(yes.into()),
            Reply::Nothing | Reply::Text(_) => Ok(0),
        }
    }

    /// Awards that hang on a step of the turn.
    pub(crate) fn award_step(&mut self, at: CoreStep) -> Result<(), HookError> {
        let first = self.scratch.dues.len();
        self.due_for_awards(at, None, cause::TURN)?;
        self.pay_dues(first)?;
        self.settle()
    }

    /// Awards of a moment: entries of their own for figures, of one feature or of the whole board.
    pub(crate) fn due_for_awards(
        &mut self,
        at: CoreStep,
        of: Option<FeatureId>,
        why: CauseId,
    ) -> Result<(), HookError> {
        let rules = self.rules;
        for award in rules.awards.iter().filter(|award| award.at == at) {
            if award.players {
                if of.is_none() {
                    self.due_for_players(award, why)?;
                }
                continue;
            }
            if !award.figure.may_hold(rules, self.state, &Scope { why, ..Scope::default() }) {
                continue;
            }
            let figures = match of {
                Some(feature) => self.figures_of(feature),
                None => self.figures_on_board(),
            };
            let mut paid: Vec<(PlayerId, FeatureId)> = Vec::new();
            for figure in figures.iter().copied() {
                let me = self.state.figure(figure).owner;
                if !award.figure.may_be(self.state, me, figure) {
                    continue;
                }
                let mut scope = Scope { me, why, ..Scope::default() }.of_figure(self.state, figure);
                scope.feature = scope.segment.some().map_or(FeatureId::NONE, |segment| self.state.feature_of(segment));
                scope.tile = features::standing_on(self.rules, self.state, figure).unwrap_or_default();
                if !award.figure.holds(rules, self.state, &scope) {
                    continue;
                }
                if award.once_per_feature && paid.contains(&(scope.owner, scope.feature)) {
                    continue;
                }
                if award.once_per_feature {
                    paid.push((scope.owner, scope.feature));
                }
                self.due_for_award(award, &scope)?;
            }
            self.scratch.figures = figures;
        }
        Ok(())
    }

    /// An award of the players themselves: no line for one who gets nothing.
    fn due_for_players(&mut self, award: &crate::ruleset::Award, why: CauseId) -> Result<(), HookError> {
        for player in 0..self.state.players() as u8 {
            let me = PlayerId(player);
            let scope = Scope { me, owner: me, why, ..Scope::default() };
            if award.figure.holds(self.rules, self.state, &scope) {
                self.due_for_award(award, &scope)?;
            }
        }
        Ok(())
    }

    fn due_for_award(&mut self, award: &crate::ruleset::Award, scope: &Scope) -> Result<(), HookError> {
        let first = self.scratch.items.len();
        let mut points = award.points;
        if let Some((count, unit)) = &award.count {
            let count = self.count(count, scope, award.hook)?;
            points = points.saturating_add(count.saturating_mul(*unit));
            if count != 0 {
                let none = HookId::NONE;
                self.scratch.items.push(Item {
                    hook: award.hook,
                    count,
                    unit: *unit,
                    times: (1, 1),
                    rated_by: none,
                    label: 0,
                });
            }
        }
        if let Some(callback) = award.items {
            points = points.saturating_add(self.items_made(callback, scope, award.hook)?);
        }
        if points != 0 || !award.players {
            self.due(scope.owner, points, scope.feature.some(), scope.why, award.hook, first);
        }
        Ok(())
    }

    /// Items that a function counts, and the worth of the figure's own feature if it asks for it.
    fn items_made(&mut self, callback: Callback, scope: &Scope, hook: HookId) -> Result<i32, HookError> {
        let first = self.scratch.items.len();
        let worth = match scope.feature.some() {
            Some(feature) => Some(self.worth(feature, scope.me, scope.why)?.0),
            None => None,
        };
        self.scratch.out.worth = worth;
        let asked = self.ask_hook(callback, *scope, hook);
        self.scratch.out.worth = None;
        asked?;
        let mut points = worth.filter(|_| self.scratch.out.worth_wanted).unwrap_or(0);
        if !self.scratch.out.worth_wanted {
            self.scratch.items.truncate(first);
        }
        let counted = std::mem::take(&mut self.scratch.out.counted);
        for item in counted.into_iter().filter(|item| item.count != 0) {
            points = points.saturating_add(item.count.saturating_mul(item.unit));
            self.rules.labels.remember(&item.label);
            self.scratch.items.push(Item {
                hook,
                count: item.count,
                unit: item.unit,
                times: (1, 1),
                rated_by: HookId::NONE,
                label: crate::ledger::label(&item.label),
            });
        }
        Ok(points)
    }

    /// Final scoring: whatever holds figures and was not completed, then the awards of the end.
    pub(crate) fn score_finally(&mut self) -> Result<(), HookError> {
        let mut due: Vec<FeatureId> = self
            .state
            .features()
            .filter(|feature| {
                let data = self.state.feature(*feature);
                data.figures != FigureId::NONE && !data.completed
            })
            .collect();
        due.sort_by_cached_key(|feature| (self.state.feature(*feature).kind, features::place(self.state, *feature)));
        let player = self.state.now.player;
        let score = |feature| Intent { feature, cause: cause::FINAL, ..Intent::new(Verb::Score, player) };
        self.run_distinct(&mut due.into_iter().map(score).collect())?;
        let first = self.scratch.dues.len();
        self.due_for_awards(CoreStep::Final, None, cause::FINAL)?;
        self.pay_dues(first)?;
        self.settle()
    }
}

/// The product of two fractions. An item has room for sixteen bits: what does not fit is reduced, then cut off.
fn multiplied(one: (i16, i16), other: (i32, i32)) -> (i16, i16) {
    let (up, down) = (i32::from(one.0).saturating_mul(other.0), i32::from(one.1).saturating_mul(other.1));
    if let (Ok(up), Ok(down)) = (up.try_into(), down.try_into()) {
        return (up, down);
    }
    let common = common_divisor(up, down).max(1);
    let cut = |number: i32| i16::try_from(number / common).unwrap_or(i16::MAX);
    (cut(up), cut(down))
}

fn common_divisor(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// The exact sum of *count × unit × fraction*, rounded once for each set of items with equal fractions. What no number
/// can hold is cut off.
fn sum(items: &[Item], rounding: &[Rounding]) -> i32 {
    let mut total = 0_i64;
    for (index, item) in items.iter().enumerate() {
        if items[..index].iter().any(|earlier| earlier.times == item.times) {
            continue;
        }
        let product: i64 = items[index..]
            .iter()
            .filter(|other| other.times == item.times)
            .map(|other| i64::from(other.count) * i64::from(other.unit))
            .fold(0, i64::saturating_add);
        let (up, down) = (product.saturating_mul(item.times.0.into()), i64::from(item.times.1));
        total = total.saturating_add(match rounding.get(index) {
            Some(Rounding::Up) => up.div_euclid(down) + i64::from(up.rem_euclid(down) != 0),
            _ => up.div_euclid(down),
        });
    }
    total.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}
