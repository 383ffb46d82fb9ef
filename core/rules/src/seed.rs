//! Numbers from names: every source of chance has its own stream, so one expansion's dice do not move another's.

/// A 64-bit number from a seed and names, the same on every machine and for ever.
pub fn derive(seed: u64, names: &[&str]) -> u64 {
    let mut state = mix(seed ^ 0x9e37_79b9_7f4a_7c15);
    for name in names {
        for byte in name.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        // The end of a name counts, so that ("ab", "c") and ("a", "bc") differ.
        state = mix(state ^ 0xff);
    }
    mix(state)
}

/// The `index`-th number of the stream `seed`.
pub fn nth(seed: u64, index: u64) -> u64 {
    mix(seed.wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// The key of something with a number of its own, under a seed: for orders that do not depend on what else is there.
pub fn key(seed: u64, number: u64) -> u64 {
    mix(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ mix(number))
}

/// A number below `bound` (at least 1) from 64 random bits.
pub fn below(bits: u64, bound: u32) -> u32 {
    ((u128::from(bits) * u128::from(bound)) >> 64) as u32
}

/// The finaliser of the SplitMix generator: every input bit moves every output bit.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_vectors() {
        // Saved games depend on these: they must never change.
        assert_eq!(derive(0, &[]), 5_197_578_548_964_807_871);
        assert_eq!(derive(7, &["die"]), 6_445_585_568_448_569_982);
        assert_eq!(nth(1, 2), 13_757_245_211_066_428_519);
        assert_eq!(key(3, 4), 11_150_360_776_037_897_040);
        assert_ne!(derive(7, &["ab", "c"]), derive(7, &["a", "bc"]));
        assert_ne!(derive(7, &["die"]), derive(8, &["die"]));
        assert_eq!(below(u64::MAX, 6), 5);
        assert_eq!(below(0, 6), 0);
    }
}
