//! Texts that may be anything, made from good ones: the same in every run, and as many as there is time for.

use std::time::{Duration, Instant};

use crate::dice::Dice;

/// Calls `attempt` for `rounds` rounds; with `FUZZ_SECONDS=600` in the environment it goes on for so long. A round that
/// panics is named, and `FUZZ_FROM=ROUND` begins there.
pub fn campaign(name: &str, rounds: u64, mut attempt: impl FnMut(&mut Dice)) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (from, seconds) = (number("FUZZ_FROM").unwrap_or(0), number("FUZZ_SECONDS"));
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    for round in from.. {
        if round >= from + rounds && end.is_none_or(|end| Instant::now() >= end) {
            return;
        }
        let _named = Named { name, round };
        attempt(&mut Dice::new(round));
    }
}

/// Says which round it was when one panics.
struct Named<'n> {
    name: &'n str,
    round: u64,
}

impl Drop for Named<'_> {
    #[expect(clippy::print_stderr, reason = "the panic of the round is printed there too")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("that was round {} of `{}`: FUZZ_FROM={} repeats it", self.round, self.name, self.round);
        }
    }
}

const LETTERS: &[char] = &[
    '0', '-', 'é', '"', '\n', ' ', ';', '9', 'A', 'z', '=', '[', '\t', ',', '{', '}', '.', ':', '#', '\'', '\\', '\0',
];

/// A text with some places changed: cut, removed, doubled, moved, replaced.
pub fn spoiled(text: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(4) {
        if letters.is_empty() {
            break;
        }
        let at = dice.below(letters.len());
        let end = (at + 1 + dice.below(20)).min(letters.len());
        match dice.below(7) {
            0 => letters.truncate(at),
            1 => drop(letters.drain(at..end)),
            2 => letters.insert(at, LETTERS[dice.below(LETTERS.len())]),
            3 => letters.extend_from_within(at..end),
            4 => {
                let piece: Vec<char> = letters[at..end].to_vec();
                let to = dice.below(letters.len());
                drop(letters.splice(to..to, piece));
            }
            5 => swap_words(&mut letters, dice),
            _ => letters[at] = LETTERS[dice.below(LETTERS.len())],
        }
    }
    letters.into_iter().collect()
}

/// One word takes the place of another, so that what is read stays readable and means something else.
fn swap_words(letters: &mut Vec<char>, dice: &mut Dice) {
    let text: String = letters.iter().collect();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if let (Some(old), Some(new)) = (dice.pick(&words), dice.pick(&words)) {
        *letters = text.replacen(old, new, 1).chars().collect();
    }
}
