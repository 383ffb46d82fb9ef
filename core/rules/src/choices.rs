//! What may be chosen now: listed at once, or, for the places of a tile, when somebody wants the list.

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::decision::Action;
use crate::geometry::Rotation;
use crate::ids::TileDefId;
use crate::ruleset::Ruleset;
use crate::seed;
use crate::state::State;

/// Draws at random from the places of a tile before they are counted instead.
const TRIES: usize = 64;

/// Free spaces that are sorted without asking for memory. A game of some hundred tiles has no more.
const FEW: usize = 128;

/// How much there is to choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Found {
    #[default]
    Nothing,
    One(Action),
    More,
}

/// The legal actions of a decision.
#[derive(Default)]
pub(crate) struct Choices {
    /// The design whose places are the choices.
    places: Option<TileDefId>,
    /// How many places it has, counted to two, with the first, and how many tiles lay on the table then.
    found: Found,
    tiles: usize,
    listed: OnceLock<Vec<Action>>,
    /// Room of an earlier list.
    spare: Mutex<Vec<Action>>,
}

impl fmt::Debug for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Choices").field("places", &self.places).field("listed", &self.listed).finish()
    }
}

impl Choices {
    /// Room for a list, for [`Choices::set`].
    pub fn room(&mut self) -> Vec<Action> {
        let spare = || std::mem::take(self.spare.get_mut().unwrap_or_else(PoisonError::into_inner));
        let mut room = self.listed.take().unwrap_or_else(spare);
        room.clear();
        room
    }

    /// Takes room back that was not needed.
    pub fn keep(&mut self, room: Vec<Action>) {
        *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = room;
    }

    /// Nothing is known of the places of any design.
    pub fn forget(&mut self) {
        self.places = None;
    }

    /// The choices are these, sorted.
    pub fn set(&mut self, actions: Vec<Action>) {
        self.places = None;
        self.listed = OnceLock::from(actions);
    }

    /// The choices are all places where this design fits. False if there are none.
    pub fn set_places(&mut self, rules: &Ruleset, state: &State, def: TileDefId) -> bool {
        // Drawing the tile has found them already.
        if self.places == Some(def) && self.tiles == state.tiles.len() && self.listed.get().is_none() {
            return true;
        }
        let room = self.room();
        self.keep(room);
        self.found = look(rules, state, def);
        (self.places, self.tiles) = (Some(def), state.tiles.len());
        self.found != Found::Nothing
    }

    pub fn copy_from(&mut self, source: &Self) {
        let mut room = self.room();
        match source.places {
            Some(_) => {
                self.keep(room);
                (self.places, self.found, self.tiles) = (source.places, source.found, source.tiles);
            }
            None => {
                room.extend_from_slice(source.listed.get().map_or(&[], Vec::as_slice));
                self.set(room);
            }
        }
    }

    /// All of them, sorted.
    pub fn list(&self, rules: &Ruleset, state: &State) -> &[Action] {
        self.listed.get_or_init(|| {
            let mut list = std::mem::take(&mut *self.spare.lock().unwrap_or_else(PoisonError::into_inner));
            if let Some(def) = self.places {
                list_places(rules, state, def, &mut list);
            }
            list
        })
    }

    /// Whether there is nothing, one action or more to choose from.
    pub fn found(&self) -> Found {
        if self.places.is_some() {
            return self.found;
        }
        match self.listed.get().map_or(&[][..], Vec::as_slice) {
            [] => Found::Nothing,
            [only] => Found::One(*only),
            _ => Found::More,
        }
    }

    /// True for one of them.
    pub fn contain(&self, rules: &Ruleset, state: &State, action: &Action) -> bool {
        match (self.places, action) {
            (Some(def), Action::Place { at, rotation }) => state.grid.get(*at).as_free().is_some_and(|space| {
                let printed = rules.tile(def);
                let fitting = printed.fitting(state.spaces.at(space).signature) & printed.distinct;
                fitting >> rotation.index() & 1 == 1
            }),
            (Some(_), _) => false,
            (None, _) => self.listed.get().is_some_and(|list| list.binary_search(action).is_ok()),
        }
    }

    /// One of them at random, each as likely as any other: `random` gives 64 random bits a time.
    pub fn draw(&self, rules: &Ruleset, state: &State, mut random: impl FnMut() -> u64) -> Option<Action> {
        if self.listed.get().is_none()
            && !state.spaces.is_empty()
            && let Some(def) = self.places
        {
            // Most draws hit a place in a few tries, and nothing has to be counted.
            let printed = rules.tile(def);
            let spaces = state.spaces.items();
            for _ in 0..TRIES {
                let drawn = seed::below(random(), 4 * spaces.len() as u32);
                let space = spaces[drawn as usize / 4];
                if (printed.fitting(space.signature) & printed.distinct) >> (drawn & 3) & 1 == 1 {
                    let rotation = Rotation::from_quarters(drawn as usize & 3);
                    return Some(Action::Place { at: space.at, rotation });
                }
            }
        }
        let list = self.list(rules, state);
        list.get(seed::below(random(), list.len() as u32) as usize).copied()
    }
}

/// Looks for two places of a design, no longer than it takes.
fn look(rules: &Ruleset, state: &State, def: TileDefId) -> Found {
    let printed = rules.tile(def);
    let mut found = Found::Nothing;
    for space in state.spaces.items() {
        let fitting = printed.fitting(space.signature) & printed.distinct;
        if fitting == 0 {
            continue;
        }
        if fitting & (fitting - 1) != 0 || found != Found::Nothing {
            return Found::More;
        }
        let rotation = Rotation::from_quarters(fitting.trailing_zeros() as usize);
        found = Found::One(Action::Place { at: space.at, rotation });
    }
    found
}

/// Lists the places of a design in canonical order.
pub(crate) fn list_places(rules: &Ruleset, state: &State, def: TileDefId, list: &mut Vec<Action>) {
    let spaces = state.spaces.items();
    let (mut few, mut many) = ([0; FEW], Vec::new());
    let numbers = match few.get_mut(..spaces.len()) {
        Some(few) => few,
        None => {
            many.resize(spaces.len(), 0);
            &mut many[..]
        }
    };
    // Spaces are sorted by number, which is quicker than sorting actions: the place first, then where it is on the list
    // and the rotations that fit. All are written, and those that do not fit are written over.
    let printed = rules.tile(def);
    let mut count = 0;
    for (index, space) in spaces.iter().enumerate() {
        let fitting = printed.fitting(space.signature) & printed.distinct;
        numbers[count] = space.at.order() << 32 | (index as u64) << 4 | u64::from(fitting);
        count += usize::from(fitting != 0);
    }
    let numbers = &mut numbers[..count];
    numbers.sort_unstable();
    for number in numbers {
        let at = spaces[*number as u32 as usize >> 4].at;
        list.extend(rotations(*number as u8 & 15).map(|rotation| Action::Place { at, rotation }));
    }
}

/// The rotations of a bit mask.
pub(crate) fn rotations(mut mask: u8) -> impl Iterator<Item = Rotation> {
    std::iter::from_fn(move || {
        let rotation = (mask != 0).then(|| Rotation::from_quarters(mask.trailing_zeros() as usize));
        mask &= mask.wrapping_sub(1);
        rotation
    })
}
