//! The counting itself: every legal play, one after the other, a reused game for each depth.

use trencavel_rules::game::ActionError;
use trencavel_rules::hooks::Scripts;
use trencavel_rules::{Action, Game, Rotation, State, notation};

/// Counts of one ply. *Raw* counts every rotation in which a tile fits, *merged* those that look alike once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Ways to play the earlier plies and lay the tile of this one.
    pub placements_raw: u64,
    /// The same, merged.
    pub placements_merged: u64,
    /// Ways to play this ply completely.
    pub turns_raw: u64,
    /// The same, merged.
    pub turns_merged: u64,
    /// Raw count of draws for this ply whose tile fitted nowhere.
    pub set_aside: u64,
}

impl Counts {
    /// The columns with their names.
    pub fn columns(&self) -> [(&'static str, u64); 5] {
        [
            ("placements_raw", self.placements_raw),
            ("placements_merged", self.placements_merged),
            ("turns_raw", self.turns_raw),
            ("turns_merged", self.turns_merged),
            ("set_aside", self.set_aside),
        ]
    }

    /// Where these counts are not those of a table, in words.
    pub fn differences(&self, table: &Self) -> Vec<String> {
        let pairs = self.columns().into_iter().zip(table.columns());
        pairs
            .filter(|(found, listed)| found != listed)
            .map(|((name, found), (_, listed))| format!("{name} {found}, table {listed}"))
            .collect()
    }
}

/// Counts the ways to play the next `plies` plies, by ply.
///
/// # Errors
/// If a hook fails.
pub fn count_turns(game: &Game, plies: usize, scripts: &mut dyn Scripts) -> Result<Vec<Counts>, ActionError> {
    let mut counter = Counter::new(plies, scripts);
    counter.enter(game, 0, Weight { raw: 1, merged: 1 }, 0)?;
    Ok(counter.counts)
}

/// The same below each first action, in words.
///
/// # Errors
/// If a hook fails.
pub fn divide(game: &Game, plies: usize, scripts: &mut dyn Scripts) -> Result<Vec<(String, Vec<Counts>)>, ActionError> {
    let mut divided = Vec::new();
    for action in game.legal_actions().iter().take(if plies == 0 { 0 } else { usize::MAX }) {
        let mut counter = Counter::new(plies, scripts);
        let here = Here { ply: 0, weight: Weight { raw: 1, merged: 1 }, laid: false };
        counter.take(game, *action, here)?;
        divided.push((notation::action(game.rules(), game.state(), *action), counter.counts));
    }
    Ok(divided)
}

/// How many sequences of actions there are, by length from 0 to `longest`.
///
/// # Errors
/// If a hook fails.
pub fn count_actions(game: &Game, longest: usize, scripts: &mut dyn Scripts) -> Result<Vec<u64>, ActionError> {
    let mut found = vec![0; longest + 1];
    let mut spare = Vec::new();
    sequences(game, 0, &mut found, &mut spare, scripts)?;
    Ok(found)
}

fn sequences(
    game: &Game,
    length: usize,
    found: &mut [u64],
    spare: &mut Vec<Game>,
    scripts: &mut dyn Scripts,
) -> Result<(), ActionError> {
    found[length] += 1;
    if length + 1 == found.len() {
        return Ok(());
    }
    let mut next = spare.pop().unwrap_or_else(|| game.clone());
    for action in game.legal_actions() {
        next.clone_from(game);
        next.apply_unchecked(*action, scripts)?;
        sequences(&next, length + 1, found, spare, scripts)?;
    }
    spare.push(next);
    Ok(())
}

/// How many plays of each way of counting lead to a position.
#[derive(Clone, Copy)]
struct Weight {
    raw: u64,
    merged: u64,
}

/// A position within a ply.
#[derive(Clone, Copy)]
struct Here {
    ply: usize,
    weight: Weight,
    /// The tile of this ply lies.
    laid: bool,
}

struct Counter<'a> {
    counts: Vec<Counts>,
    /// Games to be used again.
    spare: Vec<Game>,
    scripts: &'a mut dyn Scripts,
}

impl<'a> Counter<'a> {
    fn new(plies: usize, scripts: &'a mut dyn Scripts) -> Self {
        Self { counts: vec![Counts::default(); plies], spare: Vec::new(), scripts }
    }

    /// Counts a ply from its beginning. `aside` tiles had been set aside before its tile was drawn.
    fn enter(&mut self, game: &Game, ply: usize, weight: Weight, aside: usize) -> Result<(), ActionError> {
        let Some(counts) = self.counts.get_mut(ply) else { return Ok(()) };
        counts.set_aside += weight.raw * (game.state().set_aside().len() - aside) as u64;
        self.walk(game, Here { ply, weight, laid: false })
    }

    fn walk(&mut self, game: &Game, here: Here) -> Result<(), ActionError> {
        for action in game.legal_actions() {
            self.take(game, *action, here)?;
        }
        Ok(())
    }

    fn take(&mut self, game: &Game, action: Action, here: Here) -> Result<(), ActionError> {
        let mut next = match self.spare.pop() {
            Some(mut spare) => {
                spare.clone_from(game);
                spare
            }
            None => game.clone(),
        };
        let counted = next.apply_unchecked(action, self.scripts).and_then(|()| self.follow(game, &next, here));
        self.spare.push(next);
        counted
    }

    fn follow(&mut self, before: &Game, game: &Game, mut here: Here) -> Result<(), ActionError> {
        let (earlier, state) = (before.state(), game.state());
        if !here.laid && tiles(state) > tiles(earlier) {
            here.laid = true;
            here.weight.raw *= alike(game);
            let counts = &mut self.counts[here.ply];
            counts.placements_raw += here.weight.raw;
            counts.placements_merged += here.weight.merged;
        }
        if !(here.laid && is_part_over(state)) {
            return self.walk(game, here);
        }
        let counts = &mut self.counts[here.ply];
        counts.turns_raw += here.weight.raw;
        counts.turns_merged += here.weight.merged;
        self.enter(game, here.ply + 1, here.weight, earlier.set_aside().len())
    }
}

/// A part begins with no tile placed; one that lasts has its tile.
fn is_part_over(state: &State) -> bool {
    state.is_over() || state.placed().is_none()
}

/// How many tiles lie on the table.
fn tiles(state: &State) -> usize {
    state.tiles().size_hint().0
}

/// In how many rotations the tile that was laid last looks as it does.
fn alike(game: &Game) -> u64 {
    let Some((_, tile)) = game.state().tiles().last() else { return 1 };
    let printed = game.rules().tile(tile.def);
    let looks = printed.canonical(tile.rotation);
    Rotation::ALL.into_iter().filter(|rotation| printed.canonical(*rotation) == looks).count() as u64
}
