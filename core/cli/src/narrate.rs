//! A game in sentences: each turn as it was played, below it what came of it.

use trencavel_play::telling::Names;
use trencavel_rules::hooks::Event;
use trencavel_rules::ids::PlayerId;
use trencavel_rules::words::EventKind;
use trencavel_rules::{Action, Game, State, ledger, notation, short};

/// Tells a game decision by decision.
#[derive(Debug)]
pub(crate) struct Narrator {
    names: Names,
    /// Events and score lines told so far.
    events: usize,
    lines: usize,
    turn: Option<Turn>,
    /// What was chosen and is not yet told as an event.
    chosen: Option<EventKind>,
    told: String,
}

/// A turn, or a further part of one.
#[derive(Debug)]
struct Turn {
    number: u32,
    player: PlayerId,
    placed: bool,
    actions: Vec<String>,
    below: Vec<String>,
}

impl Narrator {
    pub(crate) fn new(names: Names) -> Self {
        Self { names, events: 0, lines: 0, turn: None, chosen: None, told: String::new() }
    }

    /// Notes a choice that is about to be made.
    pub(crate) fn choose(&mut self, game: &Game, action: Action) {
        let state = game.state();
        if self.turn.as_ref().is_none_or(|turn| turn.number != state.turn()) {
            self.open(state.turn(), state.player());
        }
        let words = notation::action(game.rules(), state, action);
        let mine = state.decider() == state.player();
        self.chosen = match action {
            Action::Place { .. } => Some(EventKind::Placed),
            Action::Deploy { .. } => Some(EventKind::Deployed),
            _ => None,
        };
        match action {
            Action::Place { .. } => self.place(words),
            // Deploying nobody is the usual thing; declining what another player's turn brings is not.
            Action::Pass if mine => {}
            _ if mine => self.act(words),
            _ => self.act(format!("{}: {words}", notation::letter(state.decider()))),
        }
    }

    /// Tells what happened since the last time.
    pub(crate) fn happened(&mut self, game: &Game) {
        while let Some(event) = game.state().events().get(self.events).copied() {
            self.events += 1;
            self.event(game, &event);
        }
        self.chosen = None;
    }

    /// The whole story.
    pub(crate) fn finish(&mut self) -> String {
        self.close();
        std::mem::take(&mut self.told)
    }

    fn event(&mut self, game: &Game, event: &Event) {
        if self.chosen == Some(event.kind) {
            self.chosen = None;
            return;
        }
        match event.kind {
            EventKind::Placed => self.forced_placement(game, event),
            EventKind::Paid => self.payment(game),
            _ => {
                if let Some(sentence) = self.names.sentence(game, event) {
                    self.below(game.state(), sentence);
                }
            }
        }
    }

    /// A tile with only one place goes there without a decision.
    fn forced_placement(&mut self, game: &Game, event: &Event) {
        let (rules, state) = (game.rules(), game.state());
        let tile = state.tile(event.tile);
        let words = format!("place {} {} {} (its only place)", short(&rules.tile(tile.def).id), tile.at, tile.rotation);
        let same = |turn: &Turn| turn.player == event.player && (state.players() > 1 || !turn.placed);
        if !self.turn.as_ref().is_some_and(same) {
            let number = self.turn.as_ref().map_or(1, |turn| turn.number + 1);
            self.open(number, event.player);
        }
        self.place(words);
    }

    fn payment(&mut self, game: &Game) {
        let (rules, state) = (game.rules(), game.state());
        let Some(line) = state.lines().get(self.lines) else { return };
        self.lines += 1;
        match self.turn.as_ref().map(|turn| (turn.number, turn.player)) {
            Some((END, _)) => {}
            Some(_) if rules.cause_word(line.cause) == "final" => self.open(END, line.player),
            // What is paid at the beginning of a turn comes before its first decision.
            Some((number, player)) if number < line.turn => {
                let later = (line.turn - number) as usize;
                self.open(line.turn, PlayerId::from_index((player.index() + later) % state.players()));
            }
            _ => {}
        }
        let words = ledger::words(rules, state, line);
        self.below(state, format!("{} scores {}: {words}", self.names.name(line.player), line.points));
    }

    fn open(&mut self, number: u32, player: PlayerId) {
        self.close();
        self.turn = Some(Turn { number, player, placed: false, actions: Vec::new(), below: Vec::new() });
    }

    /// A further placement of the same turn has a line of its own.
    fn place(&mut self, words: String) {
        if let Some(turn) = self.turn.as_ref().filter(|turn| turn.placed) {
            let (number, player) = (turn.number, turn.player);
            self.open(number, player);
        }
        if let Some(turn) = &mut self.turn {
            turn.placed = true;
        }
        self.act(words);
    }

    fn act(&mut self, words: String) {
        if let Some(turn) = &mut self.turn {
            turn.actions.push(words);
        }
    }

    fn below(&mut self, state: &State, sentence: String) {
        if self.turn.is_none() {
            self.open(state.turn(), state.player());
        }
        if let Some(turn) = &mut self.turn {
            turn.below.push(sentence);
        }
    }

    fn close(&mut self) {
        let Some(turn) = self.turn.take() else { return };
        if turn.actions.is_empty() && turn.below.is_empty() {
            return;
        }
        let head = match turn.number {
            END => "the game ends".to_owned(),
            number => format!("{number:>3} {}", self.names.full(turn.player)),
        };
        let actions = if turn.actions.is_empty() { String::new() } else { format!(" {}", turn.actions.join("; ")) };
        self.told += &format!("{head}:{actions}\n");
        for line in turn.below {
            self.told += &format!("      {line}\n");
        }
    }
}

/// The number of no turn: what comes after the last one.
const END: u32 = u32::MAX;
