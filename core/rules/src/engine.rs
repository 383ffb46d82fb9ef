//! What happens: intents become events, events reactions, and the agenda goes on when nothing is pending.

use crate::board::{self, Placement};
use crate::choices::Choices;
use crate::condition::{Scope, bit};
use crate::features;
use crate::figures;
use crate::hooks::{Call, Callback, Event, HookError, HookFault, Intent, Out, Reply, Scripts};
use crate::ids::*;
use crate::ledger::Item;
use crate::legal::CoreRefusal;
use crate::ruleset::{Rounding, Ruleset};
use crate::score::Due;
use crate::state::{Anchor, State, Target};
use crate::words::{EventKind, Touch, Verb};

/// Intents one decision may cause before it counts as a loop.
pub const INTENT_BUDGET: u32 = 2_000;

/// Buffers that outlive a decision, so that none is allocated in one.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub out: Out,
    pub placement: Placement,
    pub dues: Vec<Due>,
    pub items: Vec<Item>,
    pub rounding: Vec<Rounding>,
    pub choices: Choices,
    pub events: Vec<Event>,
    pub touched: Vec<(FeatureId, u8)>,
    pub next: Vec<Intent>,
    /// Features to be scored together.
    pub scores: Vec<Intent>,
    /// A batch of the engine's own.
    pub batch: Vec<Intent>,
    /// Figures of a feature.
    pub figures: Vec<FigureId>,
    pub intents: u32,
    pub chain: Vec<HookId>,
    /// Refusals that stopped intents of this decision.
    pub stopped: Vec<HookId>,
    /// Intents one decision may cause.
    pub budget: u32,
    /// Only events that somebody asks for are logged.
    pub terse: bool,
    /// How often each refusal decided, by hook; empty if nobody counts.
    pub refused: Vec<u32>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            out: Out::default(),
            placement: Placement::default(),
            dues: Vec::new(),
            items: Vec::new(),
            rounding: Vec::new(),
            choices: Choices::default(),
            events: Vec::new(),
            touched: Vec::new(),
            next: Vec::new(),
            scores: Vec::new(),
            batch: Vec::new(),
            figures: Vec::new(),
            intents: 0,
            chain: Vec::new(),
            stopped: Vec::new(),
            budget: INTENT_BUDGET,
            terse: false,
            refused: Vec::new(),
        }
    }
}

impl Scratch {
    /// True if nothing is left to be done.
    pub fn is_settled(&self) -> bool {
        self.events.is_empty() && self.touched.is_empty() && self.next.is_empty() && self.dues.is_empty()
    }
}

/// A decision in progress: the rules, the state, and who runs the scripts.
pub(crate) struct Engine<'a> {
    pub rules: &'a Ruleset,
    pub state: &'a mut State,
    pub scratch: &'a mut Scratch,
    pub scripts: &'a mut dyn Scripts,
}

impl Engine<'_> {
    /// Calls a hook that only answers.
    pub fn ask_hook(&mut self, callback: Callback, scope: Scope, hook: HookId) -> Result<Reply, HookError> {
        self.call(callback, scope, hook, 0, None, None, Target::None, [0; 4])
    }

    #[expect(clippy::too_many_arguments, reason = "the one place where a call is put together")]
    pub fn call(
        &mut self,
        callback: Callback,
        scope: Scope,
        hook: HookId,
        allowed: u32,
        event: Option<Event>,
        intent: Option<Intent>,
        answer: Target,
        data: [i32; 4],
    ) -> Result<Reply, HookError> {
        let out = &mut self.scratch.out;
        out.allowed = allowed;
        out.by = hook;
        out.cancelled = false;
        out.counted.clear();
        out.worth_wanted = false;
        out.options.clear();
        let mut call = Call { rules: self.rules, state: self.state, scope, event, intent, answer, data, out };
        match callback {
            Callback::Native(function) => function(&mut call),
            Callback::Script(function) => self.scripts.call(function, &mut call),
        }
    }

    /// The figures of a feature, in canonical order. The list is to be given back to the scratch.
    pub fn figures_of(&mut self, feature: FeatureId) -> Vec<FigureId> {
        let mut found = std::mem::take(&mut self.scratch.figures);
        found.clear();
        found.extend(features::figures_of(self.state, feature));
        found.sort_unstable();
        found
    }

    /// Every figure on the board, in canonical order.
    pub fn figures_on_board(&self) -> Vec<FigureId> {
        self.state.figures().filter(|(_, figure)| figure.at.is_on_board()).map(|(id, _)| id).collect()
    }

    /// True if an event is to be noted.
    #[inline]
    fn notes(&self, event: EventKind) -> bool {
        !self.scratch.terse || self.rules.heard >> event.index() & 1 == 1
    }

    /// Notes that something happened.
    pub fn happened(&mut self, mut event: Event) {
        if !self.notes(event.kind) {
            return;
        }
        event.turn = self.state.now.turn;
        self.state.log.push(event);
        if self.rules.listens(event.kind) {
            self.scratch.events.push(event);
        }
    }

    /// Notes that a feature was touched.
    pub fn touch(&mut self, feature: FeatureId, by: Touch) {
        if self.rules.changes != 0 && bit(self.rules.changes, self.state.feature(feature).kind.0) {
            self.scratch.touched.push((feature, 1 << by.index()));
        }
    }

    /// Makes intents happen together, then what they cause, until nothing is pending. Equal intents happen once.
    pub fn run_batch(&mut self, mut batch: Vec<Intent>) -> Result<(), HookError> {
        fuse(&mut batch);
        self.run_distinct(&mut batch)
    }

    /// The same for intents no two of which are equal. The list is empty afterwards.
    pub fn run_distinct(&mut self, batch: &mut Vec<Intent>) -> Result<(), HookError> {
        while !batch.is_empty() {
            self.count_intents(batch)?;
            self.commit_batch(batch)?;
            batch.clear();
            self.react()?;
            batch.append(&mut self.scratch.next);
            fuse(batch);
        }
        Ok(())
    }

    /// One intent and what it causes, without a list unless it causes something.
    pub fn run(&mut self, intent: Intent) -> Result<(), HookError> {
        self.count_intents(std::slice::from_ref(&intent))?;
        self.perform(&intent)?;
        self.settle()
    }

    /// Reactions to what has happened, and what they cause, until nothing is pending. Nothing may wait for the next
    /// decision: it would be lost in an undo or a save.
    pub fn settle(&mut self) -> Result<(), HookError> {
        self.react()?;
        if self.scratch.next.is_empty() {
            return Ok(());
        }
        let caused = std::mem::take(&mut self.scratch.next);
        self.run_batch(caused)
    }

    fn count_intents(&mut self, batch: &[Intent]) -> Result<(), HookError> {
        batch.iter().try_for_each(|intent| self.count_act(intent.by))
    }

    /// Counts something that a hook made happen without anybody's choice.
    pub fn count_act(&mut self, by: HookId) -> Result<(), HookError> {
        self.scratch.intents += 1;
        if by.some().is_some() && self.scratch.chain.last() != Some(&by) {
            self.scratch.chain.push(by);
        }
        if self.scratch.intents <= self.scratch.budget {
            return Ok(());
        }
        let tail = self.scratch.chain.len().saturating_sub(6);
        let names: Vec<&str> = self.scratch.chain[tail..].iter().map(|hook| &*self.rules.hook(*hook).name).collect();
        let budget = self.scratch.budget;
        let message = format!(
            "this decision caused more than {budget} intents; the last hooks in the loop: {}",
            names.join(" → ")
        );
        let last = self.scratch.chain.last().and_then(|hook| self.rules.hook(*hook).source.as_ref());
        let place = last.map(|source| (source.file.clone(), source.line));
        Err(HookFault { message, place, traceback: Vec::new() }.into())
    }

    fn commit_batch(&mut self, batch: &[Intent]) -> Result<(), HookError> {
        let mut scores = std::mem::take(&mut self.scratch.scores);
        scores.clear();
        for intent in batch {
            if !self.admits(intent)? {
                continue;
            }
            if intent.verb == Verb::Score {
                scores.push(*intent);
            } else {
                self.commit(intent)?;
            }
        }
        if !scores.is_empty() {
            self.score_together(&scores)?;
        }
        self.scratch.scores = scores;
        Ok(())
    }

    /// An intent inside a batch: it passes the same gates and happens at once.
    pub fn perform(&mut self, intent: &Intent) -> Result<(), HookError> {
        if self.admits(intent)? { self.commit(intent) } else { Ok(()) }
    }

    /// True if nothing refuses the intent and nothing happens in its place.
    pub fn admits(&mut self, intent: &Intent) -> Result<bool, HookError> {
        let rules = self.rules;
        if self.stays(intent) {
            self.scratch.stopped.push(rules.core[CoreRefusal::Stays as usize]);
            return Ok(false);
        }
        if rules.gated >> intent.verb.index() & 1 == 0 {
            return Ok(true);
        }
        if self.refuses_intent(intent)? {
            return Ok(false);
        }
        let replaces = &rules.replaces[intent.verb.index()];
        if replaces.is_empty() {
            return Ok(true);
        }
        let scope = self.scope_of(intent);
        for replace in replaces {
            if replace.hook == intent.by || !replace.when.holds(rules, self.state, &scope) {
                continue;
            }
            self.call(replace.run, scope, replace.hook, replace.emits, None, Some(*intent), Target::None, [0; 4])?;
            let cancelled = self.scratch.out.cancelled;
            self.take_out();
            if cancelled {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes over what a hook asked for: intents for the next batch, questions for the agenda.
    pub fn take_out(&mut self) {
        let mut intents = std::mem::take(&mut self.scratch.out.intents);
        self.scratch.next.append(&mut intents);
        self.scratch.out.intents = intents;
        let (first, players) = (self.state.now.player.0, self.state.players() as u8);
        for index in 0..self.scratch.out.questions.len() {
            let question = self.scratch.out.questions[index];
            // In turn order from the active player; what was asked first comes first among equals.
            let turn = |who: PlayerId| (who.0 + players - first) % players;
            let asks = self.state.asks.items();
            let place = asks.iter().position(|ask| ask.to == question.to && turn(ask.who) > turn(question.who));
            let ask = crate::state::Ask { to: question.to, who: question.who, data: question.data };
            self.state.asks.insert(place.unwrap_or(asks.len()), ask);
        }
        self.scratch.out.questions.clear();
    }

    /// The scope in which an intent is judged.
    pub fn scope_of(&self, intent: &Intent) -> Scope {
        let mut scope = Scope {
            me: intent.player,
            kind: intent.kind,
            owner: if intent.kind == FigureKindId::NONE { PlayerId::NONE } else { intent.player },
            feature: intent.feature,
            tile: intent.tile,
            cause: intent.cause,
            why: intent.cause,
            def: intent.def,
            at: intent.at,
            rotation: intent.rotation,
            ..Scope::default()
        };
        if intent.figure.some().is_some() {
            scope = scope.of_figure(self.state, intent.figure);
        }
        if let Anchor::Seat { segment, seat } = intent.to {
            scope.segment = segment;
            scope.seat = seat;
            scope.feature = self.state.feature_of(segment);
            scope.tile = self.state.segment(segment).tile;
        } else if let Anchor::Tile(tile) = intent.to {
            scope.tile = tile;
        } else if let Anchor::Figure(figure) = intent.to {
            scope.tile = features::standing_on(self.rules, self.state, figure).unwrap_or_default();
        } else if let Some(segment) = scope.segment.some() {
            if scope.feature == FeatureId::NONE {
                scope.feature = self.state.feature_of(segment);
            }
            if scope.tile == TileId::NONE {
                scope.tile = features::standing_on(self.rules, self.state, intent.figure).unwrap_or_default();
            }
        }
        scope
    }

    fn commit(&mut self, intent: &Intent) -> Result<(), HookError> {
        match intent.verb {
            Verb::Place => self.commit_place(intent),
            Verb::Deploy | Verb::Move => self.commit_deploy(intent),
            Verb::Return | Verb::Eat | Verb::Capture | Verb::Release | Verb::Discard => self.commit_removal(intent),
            Verb::Complete => self.commit_complete(intent),
            Verb::Pay => self.commit_pay(intent),
            Verb::Score => return self.score_together(std::slice::from_ref(intent)),
            Verb::Appear | Verb::Enter | Verb::Retreat | Verb::Rest => return self.commit_neutral(intent),
            Verb::Queue | Verb::Finish => self.commit_agenda(intent),
            Verb::Put => self.commit_put(intent),
            Verb::Mark => self.commit_mark(intent),
            Verb::Draw => {}
        }
        Ok(())
    }

    fn commit_place(&mut self, intent: &Intent) {
        let mut done = std::mem::take(&mut self.scratch.placement);
        let laid = board::place(self.rules, self.state, &mut done, intent.def, intent.at, intent.rotation);
        // Of two tiles for one space in a batch the first in canonical order lies there.
        let Some(tile) = laid else { return };
        self.state.now.placed = tile;
        let mut event = Event::new(EventKind::Placed, intent.player);
        event.tile = tile;
        event.by = intent.by;
        self.happened(event);
        for (kind, list) in [(EventKind::Extended, &mut done.extended), (EventKind::Joined, &mut done.joined)] {
            if list.is_empty() || !self.notes(kind) {
                continue;
            }
            for feature in list.iter_mut() {
                *feature = self.state.root(*feature);
            }
            list.sort_unstable();
            list.dedup();
            for feature in list {
                self.happened(Event { kind, feature: *feature, ..event });
            }
        }
        for feature in &done.touched {
            let feature = self.state.root(*feature);
            if features::is_closing(self.rules, self.state.feature(feature)) {
                self.state.closing.push(feature);
            }
            self.touch(feature, Touch::Joined);
        }
        self.scratch.placement = done;
    }

    fn commit_deploy(&mut self, intent: &Intent) {
        let figure = intent.figure.some().or_else(|| figures::free(self.state, intent.player, intent.kind));
        let Some(figure) = figure else { return };
        let from = self.seat_of(figure);
        figures::put(self.rules, self.state, figure, intent.to);
        let kind = if intent.verb == Verb::Move { EventKind::Moved } else { EventKind::Deployed };
        let mut event = self.figure_event(kind, figure, intent.cause);
        event.by = intent.by;
        self.happened(event);
        if let Some((feature, _)) = from {
            self.touch(feature, Touch::Left);
        }
        if let Some(feature) = event.feature.some() {
            self.touch(feature, Touch::Arrived);
        }
    }

    fn commit_removal(&mut self, intent: &Intent) {
        if intent.figure == FigureId::NONE {
            return;
        }
        let (kind, to) = match intent.verb {
            Verb::Eat => (EventKind::Eaten, Anchor::Supply),
            Verb::Capture => (EventKind::Captured, intent.to),
            Verb::Release => (EventKind::Released, Anchor::Supply),
            Verb::Discard => (EventKind::Discarded, Anchor::Out),
            _ => (EventKind::Returned, Anchor::Supply),
        };
        let mut event = self.figure_event(kind, intent.figure, intent.cause);
        event.by = intent.by;
        figures::put(self.rules, self.state, intent.figure, to);
        self.happened(event);
        if let Some(feature) = event.feature.some() {
            self.touch(feature, Touch::Left);
        }
    }

    /// Tokens come or go; a count never falls below 0.
    fn commit_put(&mut self, intent: &Intent) {
        let there =
            self.state.tokens.items().iter().position(|tokens| tokens.kind == intent.token && tokens.at == intent.to);
        match there {
            Some(place) => {
                let tokens = self.state.tokens.edit(place);
                tokens.count = tokens.count.saturating_add(intent.amount).max(0);
            }
            None => {
                let count = intent.amount.max(0);
                self.state.tokens.push(crate::state::Tokens { kind: intent.token, at: intent.to, count });
            }
        }
        let mut event = Event::new(EventKind::Put, intent.player);
        event.amount = intent.amount;
        event.cause = intent.cause;
        event.by = intent.by;
        event.token = intent.token;
        match intent.to {
            Anchor::Tile(tile) => event.tile = tile,
            Anchor::Held(player) => event.player = player,
            _ => {}
        }
        self.happened(event);
    }

    /// Symbols of a feature come or go; joined features add theirs, as they do with printed ones.
    fn commit_mark(&mut self, intent: &Intent) {
        let feature = intent.feature;
        board::add_mark(self.rules, self.state, feature, intent.mark, intent.amount);
        let mut event = Event::new(EventKind::Marked, intent.player);
        event.feature = feature;
        event.amount = intent.amount;
        event.cause = intent.cause;
        event.by = intent.by;
        self.happened(event);
    }

    fn commit_complete(&mut self, intent: &Intent) {
        let feature = intent.feature;
        if self.state.feature(feature).completed {
            return;
        }
        self.state.features.edit(feature.index()).completed = true;
        let mut event = Event::new(EventKind::Completed, intent.player);
        event.feature = feature;
        self.happened(event);
    }

    /// What happens to a figure, as the log tells it.
    pub fn figure_event(&self, kind: EventKind, figure: FigureId, cause: CauseId) -> Event {
        let data = *self.state.figure(figure);
        let mut event = Event::new(kind, data.owner);
        event.figure = figure;
        event.figure_kind = data.kind;
        event.cause = cause;
        event.tile = features::standing_on(self.rules, self.state, figure).unwrap_or_default();
        if let Some((feature, seat)) = self.seat_of(figure) {
            event.feature = feature;
            event.seat = seat;
        }
        event
    }

    fn seat_of(&self, figure: FigureId) -> Option<(FeatureId, SeatId)> {
        match self.state.figure(figure).at {
            Anchor::Seat { segment, seat } => Some((self.state.feature_of(segment), seat)),
            _ => None,
        }
    }

    /// Lets hooks react to what happened; all see the same state, and what they emit is the next batch.
    fn react(&mut self) -> Result<(), HookError> {
        self.gather_changes();
        if self.scratch.events.is_empty() {
            return Ok(());
        }
        let events = std::mem::take(&mut self.scratch.events);
        let rules = self.rules;
        let mut kinds = events.iter().fold(0_u32, |kinds, event| kinds | 1 << event.kind.index());
        while kinds != 0 {
            let kind = EventKind::ALL[kinds.trailing_zeros() as usize];
            kinds &= kinds - 1;
            for react in &rules.reacts[kind.index()] {
                for event in events.iter().filter(|event| event.kind == kind) {
                    let scope = self.scope_of_event(event);
                    if !react.when.holds(rules, self.state, &scope) {
                        continue;
                    }
                    if !react.each {
                        let batch = events.iter().filter(|event| event.kind == kind).copied();
                        self.scratch.out.batch.clear();
                        self.scratch.out.batch.extend(batch);
                    }
                    self.call(react.run, scope, react.hook, react.emits, Some(*event), None, Target::None, [0; 4])?;
                    self.take_out();
                    if !react.each {
                        break;
                    }
                }
            }
        }
        let mut events = events;
        events.clear();
        self.scratch.events = events;
        Ok(())
    }

    /// One `changed` for each feature that was touched, whatever touched it.
    fn gather_changes(&mut self) {
        if self.scratch.touched.is_empty() {
            return;
        }
        let mut touched = std::mem::take(&mut self.scratch.touched);
        for (feature, _) in &mut touched {
            *feature = self.state.root(*feature);
        }
        touched.sort_unstable();
        touched.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.1 |= if same { later.1 } else { 0 };
            same
        });
        for (feature, by) in &touched {
            if self.rules.changes_need_figures && self.state.feature(*feature).figures == FigureId::NONE {
                continue;
            }
            let mut event = Event::new(EventKind::Changed, self.state.now.player);
            event.feature = *feature;
            event.touched = *by;
            self.scratch.events.push(event);
        }
        touched.clear();
        self.scratch.touched = touched;
    }

    fn scope_of_event(&self, event: &Event) -> Scope {
        let owner = if event.figure == FigureId::NONE { PlayerId::NONE } else { event.player };
        Scope {
            me: event.player,
            figure: event.figure,
            kind: event.figure_kind,
            owner,
            seat: event.seat,
            feature: event.feature.some().map_or(FeatureId::NONE, |feature| self.state.root(feature)),
            tile: event.tile,
            cause: event.cause,
            why: event.cause,
            touched: event.touched,
            ..Scope::default()
        }
    }
}

/// Equal intents of a batch happen once.
fn fuse(batch: &mut Vec<Intent>) {
    let mut index = 0;
    while index < batch.len() {
        let intent = batch[index];
        let same = |other: &Intent| Intent { by: intent.by, ..*other } == intent;
        if batch[..index].iter().any(same) {
            batch.remove(index);
        } else {
            index += 1;
        }
    }
}
