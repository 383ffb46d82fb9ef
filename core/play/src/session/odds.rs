//! Which tiles are still to be drawn, and how likely it is that one of them fills an open space.

use trencavel_rules::ids::TileDefId;
use trencavel_rules::{Game, Position};

/// An open space and the tiles that would fit there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenSpace {
    /// Where.
    pub at: Position,
    /// Remaining tiles whose edges match all neighbours in some rotation.
    pub fitting: usize,
    /// Remaining tiles.
    pub left: usize,
}

impl OpenSpace {
    /// The chance, in percent, that at least one of the next `draws` tiles fits here.
    pub fn percent(&self, draws: usize) -> u32 {
        let mut misses = 1.0;
        for drawn in 0..draws.min(self.left) {
            let left = self.left - drawn;
            let missing = (self.left - self.fitting).saturating_sub(drawn);
            misses *= missing as f64 / left as f64;
        }
        ((1.0 - misses) * 100.0).round() as u32
    }
}

/// Every open space of the table, in the order of positions.
pub fn open_spaces(game: &Game) -> Vec<OpenSpace> {
    let (rules, state) = (game.rules(), game.state());
    let left = state.tiles_left();
    let all = count(&left, |_| true);
    let space = |at| OpenSpace { at, fitting: count(&left, |tile| rules.fits(state, tile, at)), left: all };
    state.open_spaces().map(space).collect()
}

fn count(left: &[(TileDefId, usize)], counts: impl Fn(TileDefId) -> bool) -> usize {
    left.iter().filter(|(tile, _)| counts(*tile)).map(|(_, count)| count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_are_those_of_drawing_without_putting_back() {
        let space = |fitting, left| OpenSpace { at: Position::new(0, 0), fitting, left };
        assert_eq!(space(1, 4).percent(1), 25);
        assert_eq!(space(1, 4).percent(2), 50);
        assert_eq!(space(2, 4).percent(2), 83, "1 - 2/4 × 1/3");
        assert_eq!(space(1, 4).percent(9), 100);
        assert_eq!(space(0, 4).percent(4), 0);
        assert_eq!(space(0, 0).percent(1), 0, "nothing is left");
    }
}
