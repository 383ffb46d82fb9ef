//! A game in sentences: each turn as it was played, below it what came of it.

use trencavel_rules::hooks::Event;
use trencavel_rules::ids::{FeatureId, FigureId, PlayerId, TileId};
use trencavel_rules::words::EventKind;
use trencavel_rules::{Action, Anchor, Game, State, features, ledger, notation, short};

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

/// Names of the players, in turn order.
#[derive(Clone, Debug)]
pub(crate) struct Names(pub(crate) Vec<String>);

impl Names {
    /// `Ann`.
    pub(crate) fn name(&self, player: PlayerId) -> String {
        self.0.get(player.index()).cloned().unwrap_or_else(|| notation::letter(player).to_string())
    }

    /// `Ann (A)`.
    pub(crate) fn full(&self, player: PlayerId) -> String {
        format!("{} ({})", self.name(player), notation::letter(player))
    }

    /// An event that is worth a line.
    fn sentence(&self, game: &Game, event: &Event) -> Option<String> {
        let place = place_words(game, event);
        let figure = || self.figure(game, event);
        let cause = game.rules().cause_word(event.cause);
        let why = if cause.is_empty() { String::new() } else { format!(" ({cause})") };
        Some(match event.kind {
            EventKind::Completed => format!("completed: {place}"),
            EventKind::Deployed
            | EventKind::Moved
            | EventKind::Appeared
            | EventKind::Entered
            | EventKind::Retreated => {
                format!("{}: {} to {place}{why}", event.kind, figure())
            }
            EventKind::Captured => {
                format!("captured: {} from {place}{}{why}", figure(), self.captor(game, event.figure))
            }
            EventKind::Returned | EventKind::Eaten | EventKind::Rested | EventKind::Released => {
                let from = if place.is_empty() { String::new() } else { format!(" from {place}") };
                format!("{}: {}{from}{why}", event.kind, figure())
            }
            EventKind::Put => self.tokens(game, event, &place) + &why,
            EventKind::Discarded => format!("{}: {}{why}", event.kind, figure()),
            // The rest is told elsewhere, or only of use to hooks.
            _ => return None,
        })
    }

    fn captor(&self, game: &Game, figure: FigureId) -> String {
        match game.state().figure(figure).at {
            Anchor::Held(player) => format!(" by {}", self.name(player)),
            _ => String::new(),
        }
    }

    /// `tokens: +2 cloth, Ann`, `tokens: -1 floor on 1,0`.
    fn tokens(&self, game: &Game, event: &Event, place: &str) -> String {
        let kind = short(game.rules().token_name(event.token));
        let at = if place.is_empty() { format!(", {}", self.name(event.player)) } else { format!(" on {place}") };
        format!("{}: {:+} {kind}{at}", event.kind, event.amount)
    }

    fn figure(&self, game: &Game, event: &Event) -> String {
        if event.figure == FigureId::default() {
            return "a tile".to_owned();
        }
        let kind = short(&game.rules().figure_kind(event.figure_kind).name);
        match game.state().figure(event.figure).owner() {
            Some(owner) => format!("{}'s {kind}", self.name(owner)),
            None => format!("the {kind}"),
        }
    }
}

/// `road 1,0`, with the tile of the event where it has one.
fn place_words(game: &Game, event: &Event) -> String {
    let (rules, state) = (game.rules(), game.state());
    let tile = (event.tile != TileId::default()).then(|| state.tile(event.tile).at.to_string());
    if event.feature == FeatureId::default() {
        return tile.unwrap_or_default();
    }
    let kind = short(rules.feature_name(state.kind_of(event.feature)));
    let at = tile.unwrap_or_else(|| features::place(state, event.feature).0.to_string());
    let size = match event.kind {
        EventKind::Completed => {
            let count = features::tiles(state, event.feature).len();
            format!(" ({count} {})", if count == 1 { "tile" } else { "tiles" })
        }
        _ => String::new(),
    };
    format!("{kind} {at}{size}")
}
