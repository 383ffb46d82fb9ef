//! The turn: steps come one after the other when nothing is pending, and decisions open where a step asks for one.

use crate::choices::Found;
use crate::condition::Scope;
use crate::decision::Action;
use crate::engine::Engine;
use crate::features;
use crate::hooks::{Callback, HookError, Intent};
use crate::ids::*;
use crate::ruleset::{Does, cause};
use crate::seed;
use crate::state::{Agendum, Anchor, Ask, ListId, Target, Waiting};
use crate::words::{CoreStep, Verb};

/// Answers to what the last steps of a game ask; a game that asks more is left as it stands.
const LAST_ANSWERS: usize = 1000;

impl Engine<'_> {
    /// Goes on until somebody has to decide, or the game is over.
    pub fn advance(&mut self) -> Result<(), HookError> {
        loop {
            match self.state.now.waiting {
                Waiting::Over => return Ok(()),
                Waiting::Nothing => self.next_step()?,
                _ => {
                    self.list_options()?;
                    match self.scratch.choices.found() {
                        // Nobody chooses from one option; nothing is recorded.
                        Found::Nothing | Found::One(Action::Pass) => self.state.now.waiting = Waiting::Nothing,
                        Found::One(only) if !self.state.now.ask_forced => {
                            self.count_act(self.whose(only))?;
                            self.answer(only)?;
                        }
                        _ => return Ok(()),
                    }
                }
            }
        }
    }

    /// The hook that brought an option; none for those of the engine.
    fn whose(&self, action: Action) -> HookId {
        match (action, self.state.now.waiting) {
            (Action::Offer { offer, .. }, _) => self.rules.offers[offer as usize].hook,
            (_, Waiting::Answer(ask)) => ask.to,
            _ => HookId::NONE,
        }
    }

    fn next_step(&mut self) -> Result<(), HookError> {
        if !self.state.asks.is_empty() {
            let ask = self.state.asks.remove(0);
            self.state.now.decider = ask.who;
            self.state.now.waiting = Waiting::Answer(ask);
            return Ok(());
        }
        let Some(next) = self.state.agenda.last() else {
            self.state.now.waiting = Waiting::Over;
            return Ok(());
        };
        match next {
            Agendum::List { list, next, player } => self.go_through(list, next, player),
            Agendum::Step { step, player, .. } => {
                self.state.agenda.pop();
                self.enter(step, player)
            }
            Agendum::Walk { figure, left, player } => {
                self.state.agenda.pop();
                self.state.now.decider = player;
                self.state.now.waiting = Waiting::Walk { figure, left };
                Ok(())
            }
        }
    }

    /// Goes through a list of steps until one has a say in what comes next.
    fn go_through(&mut self, list: ListId, first: u8, player: PlayerId) -> Result<(), HookError> {
        let rules = self.rules;
        if list == ListId::Part && first == 0 {
            self.begin_part(player);
        }
        let steps = &rules.list(list)[first as usize..];
        for (step, next) in steps.iter().zip(first + 1..) {
            let quiet = rules.step_named(*step).quiet;
            if quiet {
                self.enter(*step, player)?;
                if self.state.now.waiting == Waiting::Nothing {
                    continue;
                }
            }
            // Whatever happens now finds the agenda as it will be.
            let place = self.state.agenda.len() - 1;
            *self.state.agenda.edit(place) = Agendum::List { list, next, player };
            return if quiet { Ok(()) } else { self.enter(*step, player) };
        }
        self.state.agenda.pop();
        self.end_list(list, player);
        Ok(())
    }

    fn begin_part(&mut self, player: PlayerId) {
        let now = &mut self.state.now;
        now.player = player;
        now.decider = player;
        now.spent = 0;
        now.placed = TileId::NONE;
        now.log_part = self.state.log.len() as u32;
    }

    /// What follows a list of steps: the part follows the start of a turn, and so on.
    fn end_list(&mut self, list: ListId, player: PlayerId) {
        match list {
            ListId::TurnStart => self.begin_list(ListId::Part, player),
            ListId::Part if self.at_end() => {}
            ListId::Part => {
                self.state.now.part += 1;
                // A further part of the same turn waits below this one.
                if !matches!(self.state.agenda.last(), Some(Agendum::List { list: ListId::Part, .. })) {
                    self.begin_list(ListId::TurnEnd, player);
                }
            }
            ListId::TurnEnd if self.state.now.ending => self.begin_list(ListId::GameEnd, player),
            ListId::TurnEnd => self.begin_turn(PlayerId((player.0 + 1) % self.state.players() as u8)),
            ListId::GameEnd => self.state.now.waiting = Waiting::Over,
        }
    }

    /// Puts a list of steps on the agenda; one that is empty is over at once.
    fn begin_list(&mut self, list: ListId, player: PlayerId) {
        if self.rules.list(list).is_empty() {
            self.end_list(list, player);
        } else {
            self.state.agenda.push(Agendum::List { list, next: 0, player });
        }
    }

    /// Puts a player's turn on the agenda.
    pub fn begin_turn(&mut self, player: PlayerId) {
        let log = self.state.log.len() as u32;
        let now = &mut self.state.now;
        now.turn += 1;
        now.part = 0;
        now.player = player;
        now.decider = player;
        now.log_turn = log;
        now.decisions_before = now.decisions;
        now.log_part = log;
        now.placed = TileId::NONE;
        self.begin_list(ListId::TurnStart, player);
    }

    #[inline(always)]
    fn enter(&mut self, step: StepId, player: PlayerId) -> Result<(), HookError> {
        let rules = self.rules;
        let data = rules.step_named(step);
        self.state.now.decider = player;
        let Some(core) = data.core else { return self.enter_declared(step, player) };
        if data.awards {
            self.award_step(core)?;
        }
        match core {
            CoreStep::Draw => self.draw(),
            CoreStep::Place => {
                if self.state.now.hand != TileDefId::NONE {
                    self.state.now.waiting = Waiting::Place;
                }
                Ok(())
            }
            CoreStep::Score => self.score_closed(),
            CoreStep::PartEnd => self.end_part(),
            CoreStep::Final => self.score_finally(),
            _ => {
                let chooses =
                    if core == CoreStep::Action { self.state.now.placed != TileId::NONE } else { data.chooses };
                if chooses {
                    self.state.now.waiting = Waiting::Act(step);
                }
                Ok(())
            }
        }
    }

    fn enter_declared(&mut self, step: StepId, player: PlayerId) -> Result<(), HookError> {
        let rules = self.rules;
        let data = rules.step_named(step);
        let scope = Scope { me: player, tile: self.state.now.placed, ..Scope::default() };
        if !data.when.holds(rules, self.state, &scope) {
            return Ok(());
        }
        if let Some(run) = data.run {
            self.call(run, scope, data.hook, data.emits, None, None, Target::None, [0; 4])?;
            self.take_out();
            let intents = std::mem::take(&mut self.scratch.next);
            self.run_batch(intents)?;
        }
        if data.chooses {
            self.state.now.waiting = Waiting::Act(step);
        }
        Ok(())
    }

    /// Draws a tile that fits somewhere; what fits nowhere leaves the game (B-5).
    fn draw(&mut self) -> Result<(), HookError> {
        if self.state.now.placed != TileId::NONE {
            return Ok(());
        }
        self.shuffle_in()?;
        while let Some(tile) = self.state.pile.pop() {
            if self.comes_too_early(tile)? {
                self.state.waiting.push(tile);
                continue;
            }
            if self.fits_somewhere(tile)? {
                self.state.now.hand = tile;
                return Ok(());
            }
            self.state.set_aside.push(tile);
        }
        self.state.now.ending = true;
        Ok(())
    }

    fn comes_too_early(&mut self, tile: TileDefId) -> Result<bool, HookError> {
        if self.rules.forbids[Verb::Draw.index()].is_empty() {
            return Ok(false);
        }
        let mut intent = Intent::new(Verb::Draw, self.state.now.player);
        intent.def = tile;
        self.refuses_intent(&intent)
    }

    /// Tiles that came too early go back to random places of the pile once nothing forbids them.
    fn shuffle_in(&mut self) -> Result<(), HookError> {
        if self.state.waiting.is_empty() {
            return Ok(());
        }
        let mut index = 0;
        while index < self.state.waiting.len() {
            if self.comes_too_early(self.state.waiting.get(index))? {
                index += 1;
                continue;
            }
            let tile = self.state.waiting.remove(index);
            let stream = seed::derive(self.state.now.seed, &["shuffle_in"]);
            let bits = seed::nth(stream, self.state.now.chances.into());
            self.state.now.chances += 1;
            let place = seed::below(bits, self.state.pile.len() as u32 + 1);
            self.state.pile.insert(place as usize, tile);
        }
        Ok(())
    }

    /// Completes and scores what this part closed (B-8: after the figures stand).
    fn score_closed(&mut self) -> Result<(), HookError> {
        if self.state.closing.is_empty() {
            return Ok(());
        }
        let closing = self.closing_features();
        while self.state.closing.pop().is_some() {}
        let mut batch = std::mem::take(&mut self.scratch.batch);
        batch.clear();
        batch.extend(closing.iter().map(|feature| self.about(Verb::Complete, *feature)));
        self.run_distinct(&mut batch)?;
        for feature in closing {
            let data = self.state.feature(feature);
            if data.completed && data.figures != FigureId::NONE {
                batch.push(self.about(Verb::Score, feature));
            }
        }
        self.run_distinct(&mut batch)?;
        self.scratch.batch = batch;
        Ok(())
    }

    fn about(&self, verb: Verb, feature: FeatureId) -> Intent {
        let mut intent = Intent::new(verb, self.state.now.player);
        intent.feature = feature;
        intent.cause = cause::COMPLETED;
        intent
    }

    /// Features that this part closed and nothing has completed yet, in canonical order.
    fn closing_features(&self) -> Vec<FeatureId> {
        let mut closing = Vec::new();
        for feature in self.state.closing.items() {
            let feature = self.state.root(*feature);
            if features::is_closing(self.rules, self.state.feature(feature)) && !closing.contains(&feature) {
                closing.push(feature);
            }
        }
        if closing.len() > 1 {
            closing.sort_by_cached_key(|feature| {
                (self.state.feature(*feature).kind, features::place(self.state, *feature))
            });
        }
        closing
    }

    /// The part is over; the game ends with the turn in which the last tile was placed (B-23).
    fn end_part(&mut self) -> Result<(), HookError> {
        self.state.now.hand = TileDefId::NONE;
        self.shuffle_in()?;
        if self.state.pile.is_empty() {
            self.state.now.ending = true;
        }
        Ok(())
    }

    /// Carries out a choice that was offered.
    pub fn answer(&mut self, action: Action) -> Result<(), HookError> {
        let waiting = std::mem::replace(&mut self.state.now.waiting, Waiting::Nothing);
        match (waiting, action) {
            (Waiting::Place, Action::Place { at, rotation }) => {
                let mut intent = Intent::new(Verb::Place, self.state.now.decider);
                intent.def = std::mem::take(&mut self.state.now.hand);
                intent.at = at;
                intent.rotation = rotation;
                self.run(intent)
            }
            (Waiting::Act(_), Action::Deploy { kind, segment, seat }) => {
                if self.rules.figure_kind(kind).spends {
                    self.state.now.spent = 1;
                } else {
                    self.state.now.waiting = waiting;
                }
                let mut intent = Intent::new(Verb::Deploy, self.state.now.decider);
                intent.kind = kind;
                intent.to = Anchor::Seat { segment, seat };
                intent.cause = cause::ACTION;
                self.run(intent)
            }
            (waiting, Action::Offer { offer, target }) => self.take_offer(waiting, offer, target),
            (Waiting::Answer(ask), Action::Answer(target)) => self.resolve(ask, target),
            (Waiting::Answer(ask), Action::Pass) => self.resolve(ask, Target::None),
            (Waiting::Walk { figure, left }, Action::Answer(Target::Tile(tile))) => self.walk_to(figure, left, tile),
            _ => Ok(()),
        }
    }

    fn take_offer(&mut self, waiting: Waiting, offer: u16, target: Target) -> Result<(), HookError> {
        let rules = self.rules;
        let offer = &rules.offers[offer as usize];
        if offer.spends {
            self.state.now.spent = 1;
        } else {
            self.state.now.waiting = waiting;
        }
        self.take(offer.does, offer.run, offer.emits, offer.hook, target, [0; 4])
    }

    fn resolve(&mut self, ask: Ask, target: Target) -> Result<(), HookError> {
        let rules = self.rules;
        let Some(resolve) = rules.resolves.iter().find(|resolve| resolve.hook == ask.to) else { return Ok(()) };
        // A pass of a question that data answers does nothing.
        let does = resolve.does.filter(|_| target != Target::None);
        self.take(does, resolve.run, resolve.emits, resolve.hook, target, ask.data)
    }

    /// What a choice leads to: the verb that data names, then what the function asks for.
    fn take(
        &mut self,
        does: Option<Does>,
        run: Option<Callback>,
        emits: u32,
        hook: HookId,
        target: Target,
        data: [i32; 4],
    ) -> Result<(), HookError> {
        let scope = self.scope_of_target(target);
        if let Some(does) = does {
            let mut intent = self.intended(&does, target);
            intent.by = hook;
            self.run(intent)?;
        }
        if let Some(run) = run {
            self.call(run, scope, hook, emits, None, None, target, data)?;
        }
        self.run_taken()
    }

    fn run_taken(&mut self) -> Result<(), HookError> {
        self.take_out();
        let intents = std::mem::take(&mut self.scratch.next);
        self.run_batch(intents)
    }

    /// The scope of a chosen target: the acting player, and what the target is or stands on.
    pub fn scope_of_target(&self, target: Target) -> Scope {
        let mut scope = Scope { me: self.state.now.decider, ..Scope::default() };
        match target {
            Target::Tile(tile) => scope.tile = tile,
            Target::Figure(figure) => {
                scope = scope.of_figure(self.state, figure);
                scope.tile = features::standing_on(self.rules, self.state, figure).unwrap_or_default();
            }
            Target::Segment(segment) => scope.segment = segment,
            Target::None | Target::Space(_) | Target::Player(_) | Target::Number(_) | Target::Word(_) => {}
        }
        if let Some(segment) = scope.segment.some() {
            scope.feature = self.state.feature_of(segment);
            scope.tile = self.state.segment(segment).tile;
        }
        scope
    }

    fn at_end(&self) -> bool {
        self.state.agenda.items().iter().any(|item| matches!(item, Agendum::List { list: ListId::GameEnd, .. }))
    }

    /// True in the second part of a turn and where one is waiting.
    fn further_part(&self) -> bool {
        let parts =
            self.state.agenda.items().iter().filter(|item| matches!(item, Agendum::List { list: ListId::Part, .. }));
        self.state.now.part > 0 || parts.count() > 1
    }

    /// What a hook asked of the agenda.
    pub fn commit_agenda(&mut self, intent: &Intent) {
        match intent.verb {
            Verb::Queue if intent.figure.some().is_some() => self.start_walk(intent.figure),
            Verb::Queue if intent.step.some().is_some() => {
                let (step, player) = (intent.step, intent.player);
                self.state.agenda.push(Agendum::Step { step, player, data: [intent.amount, 0] });
            }
            // Twice in a turn is one part too many, whatever asks for it.
            Verb::Queue if intent.amount == 1 && self.further_part() => {}
            Verb::Queue if intent.now => {
                self.state.now.part += 1;
                self.state.agenda.push(Agendum::List { list: ListId::Part, next: 0, player: intent.player });
            }
            Verb::Queue if self.at_end() => {
                // At the end of the game further parts come before its remaining steps, in the order they were asked for.
                let ending = |item: &Agendum| matches!(item, Agendum::List { list: ListId::GameEnd, .. });
                let place = self.state.agenda.items().iter().position(ending).map_or(0, |place| place + 1);
                self.state.agenda.insert(place, Agendum::List { list: ListId::Part, next: 0, player: intent.player });
            }
            Verb::Queue => {
                // Below the list that runs: a further part of this turn comes when this one is over.
                let place = self.state.agenda.len().saturating_sub(1);
                self.state.agenda.insert(place, Agendum::List { list: ListId::Part, next: 0, player: intent.player });
            }
            // The game is over as soon as its last steps are through, and a second word about it changes nothing.
            _ if self.at_end() => {}
            _ => self.go_to_end(intent.player),
        }
    }

    fn go_to_end(&mut self, player: PlayerId) {
        self.state.now.ending = true;
        while self.state.agenda.pop().is_some() {}
        self.state.agenda.push(Agendum::List { list: ListId::GameEnd, next: 0, player });
    }

    /// Ends the game here: nobody answers what is asked, what this part closed is scored, then come the last steps,
    /// in which players pass where they can and else take their first option.
    pub fn end_here(&mut self) -> Result<(), HookError> {
        if self.state.now.waiting != Waiting::Over && !self.at_end() {
            self.leave()?;
            self.go_to_end(self.state.now.player);
        }
        self.advance()?;
        for _ in 0..LAST_ANSWERS {
            if self.state.now.waiting == Waiting::Over {
                break;
            }
            let options = self.scratch.choices.list(self.rules, self.state);
            let pass = options.last().copied().filter(|last| *last == Action::Pass);
            let Some(action) = pass.or(options.first().copied()) else { break };
            self.answer(action)?;
            self.advance()?;
        }
        Ok(())
    }

    /// Leaves the part as it stands.
    fn leave(&mut self) -> Result<(), HookError> {
        self.state.now.waiting = Waiting::Nothing;
        self.state.now.hand = TileDefId::NONE;
        while self.state.asks.pop().is_some() {}
        self.score_closed()?;
        while self.state.asks.pop().is_some() {}
        Ok(())
    }
}
