//! Random choices that are the same in every run.

use trencavel_rules::seed;

/// A stream of random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    seed: u64,
    thrown: u64,
}

impl Dice {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self::named(seed, "tests")
    }

    /// The stream of a seed for one purpose; streams of different purposes have nothing to do with each other.
    pub fn named(seed: u64, purpose: &str) -> Self {
        Self { seed: seed::derive(seed, &[purpose]), thrown: 0 }
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        seed::below(self.bits(), bound as u32) as usize
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.thrown += 1;
        seed::nth(self.seed, self.thrown)
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(from[self.below(from.len())]) }
    }

    /// Puts these into an order, every one as likely as any other.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn a_stream_depends_on_its_seed_and_purpose_only() {
        let thrown = |mut dice: Dice| (0..8).map(|_| dice.below(1000)).collect::<Vec<_>>();
        assert_eq!(thrown(Dice::named(7, "a")), thrown(Dice::named(7, "a")));
        assert_ne!(thrown(Dice::named(7, "a")), thrown(Dice::named(7, "b")));
        assert_ne!(thrown(Dice::named(7, "a")), thrown(Dice::named(8, "a")));
    }

    #[test]
    fn a_shuffle_keeps_everything() {
        let mut items: Vec<usize> = (0..20).collect();
        Dice::new(3).shuffle(&mut items);
        assert_ne!(items, (0..20).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..20).collect::<Vec<_>>());
    }
}
