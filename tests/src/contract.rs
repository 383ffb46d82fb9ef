//! What every ruleset owes: checked at each decision of random games.

use std::collections::{BTreeMap, BTreeSet};

use trencavel_host::{Loaded, ScriptHost};
use trencavel_rules::ids::{FigureKindId, PlayerId, SegmentId};
use trencavel_rules::save::{self, Replay};
use trencavel_rules::{Action, ActionError, Anchor, Game, Position, Rotation, Setup, notation};

use crate::dice::Dice;
use crate::incremental::{check_features, table_of};
use crate::loading::{players, scripts_of};
use crate::reference::Specs;

/// A game that takes more decisions than this does not end.
const ENDLESS: usize = 5_000;
/// Actions that may or may not be offered, tried at each decision.
const TRIED: usize = 24;

/// Plays a seeded game and checks the contract at each decision. `thorough`: everything everywhere, else most of it now
/// and then.
pub fn check_game(loaded: &Loaded, specs: &Specs, seed: u64, thorough: bool) {
    let mut scripts = scripts_of(loaded);
    let setup = players([2, 3, 2, 5, 2, 4, 6][seed as usize % 7], seed);
    let game = Game::from_setup(loaded.rules.clone(), &setup, &mut scripts).expect("the players can begin");
    let figures = game.state().figures().count();
    let mut contract =
        Contract { loaded, specs, scripts, game, dice: Dice::new(seed), replay: new_replay(&setup), figures };
    contract.check_steady();
    for decision in 0.. {
        if contract.game.state().is_over() {
            break;
        }
        assert!(decision < ENDLESS, "the game does not end");
        let now = thorough || decision % 7 == seed as usize % 7;
        contract.decision(now);
    }
    assert!(contract.game.legal_actions().is_empty(), "nothing is offered after the end");
    contract.check_saved();
}

fn new_replay(setup: &Setup) -> Replay {
    Replay { players: setup.players.clone(), seed: setup.seed, ..Replay::default() }
}

struct Contract<'a> {
    loaded: &'a Loaded,
    specs: &'a Specs,
    scripts: ScriptHost,
    game: Game,
    dice: Dice,
    replay: Replay,
    /// Figures of the game, on the board or not.
    figures: usize,
}

impl Contract<'_> {
    fn decision(&mut self, thorough: bool) {
        let offered = self.game.legal_actions();
        assert!(!offered.is_empty(), "something is offered until the end, at {}", self.game.waits_for());
        assert!(offered.windows(2).all(|pair| pair[0] < pair[1]), "sorted and unique: {offered:?}");
        let chosen = self.dice.pick(offered).expect("something is offered");
        self.check_words(chosen);
        if thorough {
            self.check_all_words();
            self.check_candidates();
            self.check_clone();
        }
        self.check_step(chosen, thorough);
        self.check_steady();
        if thorough {
            check_features(&self.game, &table_of(&self.game, self.specs));
        }
        if thorough && self.dice.below(40) == 0 {
            self.check_saved();
        }
    }

    fn words(&self, action: Action) -> String {
        notation::action(self.game.rules(), self.game.state(), action)
    }

    fn check_words(&self, action: Action) {
        let words = self.words(action);
        assert_eq!(notation::parse(&self.game, &words), Ok(action), "`{words}` is read as it was written");
    }

    fn check_all_words(&mut self) {
        let offered = self.game.legal_actions();
        let words: BTreeSet<String> = offered.iter().map(|action| self.words(*action)).collect();
        assert_eq!(words.len(), offered.len(), "no two actions have the same words: {words:?}");
        let some: Vec<Action> = (0..4).filter_map(|_| self.dice.pick(self.game.legal_actions())).collect();
        some.into_iter().for_each(|action| self.check_words(action));
    }

    /// Offered is what is not refused, for whatever might be tried.
    fn check_candidates(&mut self) {
        let offered = self.game.legal_actions().to_vec();
        let mut tried: Vec<Action> = (0..TRIED).map(|_| self.anything()).collect();
        tried.extend(self.game.candidates(&mut self.scripts));
        tried.extend((0..4).filter_map(|_| self.dice.pick(&offered)));
        for action in tried {
            let refusals = self.game.refusals(action, &mut self.scripts).expect("no hook fails");
            let names: Vec<&str> = refusals.iter().map(|refusal| &*self.game.rules().hook(refusal.hook).name).collect();
            let words = self.words(action);
            assert_eq!(
                offered.contains(&action),
                refusals.is_empty(),
                "`{words}` ({action:?}) is refused by {names:?}"
            );
            assert!(refusals.iter().all(|refusal| !refusal.text.is_empty()), "each refusal of `{words}` says why");
            if !refusals.is_empty() && self.dice.below(8) == 0 {
                let before = self.game.state().digest();
                let outcome = self.game.apply(action, &mut self.scripts);
                assert_eq!(outcome, Err(ActionError::Refused { refusals }), "`{words}`");
                assert_eq!(self.game.state().digest(), before, "a refused action changes nothing");
            }
        }
        assert_eq!(self.game.legal_actions(), offered, "asking changes nothing");
    }

    /// A placement or deployment that may be anything.
    fn anything(&mut self) -> Action {
        let state = self.game.state();
        if let Some(hand) = state.hand().filter(|_| self.game.is_placing()) {
            let tiles = state.tiles().count();
            let place = self.dice.below(tiles);
            let at = state.tiles().nth(place).map_or(Position::default(), |(_, tile)| tile.at);
            let at = at.offset(self.dice.below(5) as i16 - 2, self.dice.below(5) as i16 - 2);
            let rotation = Rotation::from_quarters(self.dice.below(4));
            return Action::Place { at, rotation: self.game.rules().tile(hand).canonical(rotation) };
        }
        let kinds: Vec<FigureKindId> = self.game.rules().figure_kinds().map(|(kind, _)| kind).collect();
        let kind = kinds[self.dice.below(kinds.len())];
        let place = self.dice.below(state.tiles().count());
        let (tile, placed) = state.tiles().nth(place).expect("there is one");
        let def = self.game.rules().tile(placed.def);
        if def.segments.is_empty() {
            return Action::Pass;
        }
        let local = self.dice.below(def.segments.len());
        let segment: SegmentId = state.segment_on(tile, local);
        let seats = self.game.rules().seats_of(def.segments[local].kind);
        match self.dice.pick(seats) {
            Some(seat) => Action::Deploy { kind, segment, seat },
            None => Action::Pass,
        }
    }

    fn check_clone(&self) {
        let clone = self.game.clone();
        assert!(clone.state() == self.game.state(), "a clone is equal");
        assert_eq!(clone.legal_actions(), self.game.legal_actions(), "a clone offers the same");
    }

    fn check_step(&mut self, action: Action, thorough: bool) {
        self.replay.answers.push(save::answer_line(&self.game, action));
        let before = thorough.then(|| (self.game.state().digest(), self.game.legal_actions().to_vec()));
        self.game.apply(action, &mut self.scripts).expect("what is offered is accepted");
        let Some((digest, offered)) = before else { return };
        let after = (self.game.state().digest(), self.game.legal_actions().to_vec());
        self.game.undo(&mut self.scripts).expect("there is something to undo");
        assert_eq!(self.game.state().digest(), digest, "undo restores the state");
        assert_eq!(self.game.legal_actions(), offered, "undo restores what is offered");
        self.game.apply(action, &mut self.scripts).expect("what is offered is accepted");
        assert_eq!((self.game.state().digest(), self.game.legal_actions().to_vec()), after, "the same comes again");
    }

    /// Figures are conserved, supply is what stands in supply, and the ledger sums up to the points.
    fn check_steady(&self) {
        let (rules, state) = (self.game.rules(), self.game.state());
        let mut supply: BTreeMap<(PlayerId, FigureKindId), u8> = BTreeMap::new();
        let mut neutrals = 0;
        assert_eq!(state.figures().count(), self.figures, "figures are conserved");
        for (_, figure) in state.figures() {
            match figure.owner() {
                Some(owner) => {
                    let count = supply.entry((owner, figure.kind)).or_default();
                    *count += u8::from(figure.at == Anchor::Supply);
                }
                None => neutrals += 1,
            }
        }
        assert_eq!(neutrals, state.neutrals().count(), "neutral figures");
        for ((owner, kind), count) in supply {
            let name = &rules.figure_kind(kind).name;
            assert_eq!(state.supply(owner, kind), count, "supply of {name}");
        }
        for seat in 0..state.players() {
            let player = PlayerId::from_index(seat);
            let paid: i32 = state.lines().iter().filter(|line| line.player == player).map(|line| line.points).sum();
            assert_eq!(paid, state.score(player), "the ledger of {}", notation::letter(player));
        }
    }

    /// A save of this moment leads back to this moment.
    fn check_saved(&mut self) {
        let text = self.replay.to_string();
        let (replay, torn) = Replay::parse(&text).expect("a save can be read");
        assert_eq!((&replay, torn), (&self.replay, None), "a save is read as it was written");
        let rules = self.loaded.rules.clone();
        let setup = replay.setup(&rules).expect("a save has a setup");
        let mut game = Game::from_setup(rules, &setup, &mut self.scripts).expect("a save can begin");
        let played = replay.play(&mut game, usize::MAX, &mut self.scripts);
        assert_eq!(played, Ok(()), "a save can be played");
        assert_eq!(game.state().digest(), self.game.state().digest(), "a save leads to the same state");
        assert_eq!(game.legal_actions(), self.game.legal_actions(), "a save leads to the same choices");
    }
}
