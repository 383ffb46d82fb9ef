//! The generator of the other engine, step for step: a recording carries its state, and a draw is `floor(state × n)`.

const LOW_48: u64 = (1 << 48) - 1;
const FACTOR: u64 = 25_214_903_917;
const STEP: u64 = 11;

/// A source of numbers whose state the messages of a recording replace.
///
/// ```
/// let mut random = trencavel_jcz::random::Random::new(0.5);
/// assert_eq!(random.below(6), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Random {
    state: f64,
}

impl Random {
    /// Starts with a state in [0, 1); anything else counts as 0.
    pub fn new(state: f64) -> Self {
        Self { state: if (0.0..1.0).contains(&state) { state } else { 0.0 } }
    }

    /// A number from 0 to `bound` − 1; 0 for a bound of 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        let drawn = (self.state * f64::from(bound)).floor() as u32;
        let bits = self.state.to_bits() & LOW_48;
        let next = FACTOR.wrapping_mul(bits).wrapping_add(STEP) & LOW_48;
        self.state = next as f64 / (1_u64 << 48) as f64;
        drawn.min(bound.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_draw_is_the_state_times_the_bound() {
        assert_eq!(Random::new(0.999).below(10), 9);
        assert_eq!(Random::new(0.25).below(4), 1);
        assert_eq!(Random::new(0.7).below(0), 0);
    }

    #[test]
    fn a_state_out_of_range_counts_as_zero() {
        for state in [f64::NAN, -1.0, 1.0, f64::INFINITY] {
            assert_eq!(Random::new(state), Random::new(0.0));
        }
    }

    #[test]
    fn the_state_steps_on_its_low_bits() {
        // 0.5 has no low bits, so the next state is 11 / 2^48.
        let mut random = Random::new(0.5);
        random.below(2);
        assert_eq!(random, Random::new(11.0 / (1_u64 << 48) as f64));
    }

    #[test]
    fn draws_stay_below_their_bound() {
        let mut random = Random::new(0.123_456);
        for bound in 1..200 {
            assert!(random.below(bound) < bound);
        }
    }
}
