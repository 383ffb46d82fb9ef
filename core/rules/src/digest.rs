//! One number for everything that matters in a state.

use crate::state::{Anchor, Feature, NO_MARKS, State};

impl PartialEq for State {
    /// Equal states: everything but the journals.
    fn eq(&self, other: &Self) -> bool {
        self.digest() == other.digest()
    }
}

impl State {
    /// A hash of everything that matters, the same on every machine.
    pub fn digest(&self) -> u64 {
        let mut text = Digest::new();
        self.now_words(&mut text);
        for tile in self.tiles.items() {
            text.put(&[i64::from(tile.def.0), tile.at.x.into(), tile.at.y.into(), tile.rotation as i64]);
        }
        for figure in self.figures.items() {
            text.put(&[figure.kind.0.into(), figure.owner.0.into()]);
            text.anchor(figure.at);
        }
        for feature in self.features() {
            let data = self.feature(feature);
            text.put(&[data.head_tile(self), data.completed.into(), data.open.into()]);
            if data.marks != NO_MARKS {
                text.put(&self.marks.at(data.marks as usize).map(i64::from));
            }
        }
        for score in self.scores.items() {
            text.put(&[i64::from(*score)]);
        }
        for tile in self.pile.items().iter().chain(self.set_aside.items()).chain(self.waiting.items()) {
            text.put(&[tile.0.into()]);
        }
        for tokens in self.tokens.items() {
            text.put(&[tokens.kind.0.into(), tokens.count.into()]);
            text.anchor(tokens.at);
        }
        for line in self.lines.items() {
            text.put(&[line.player.0.into(), line.points.into(), line.hook.0.into(), line.cause.0.into()]);
        }
        for item in self.items.items() {
            text.put(&[item.hook.0.into(), item.count.into(), item.unit.into()]);
        }
        text.finish()
    }

    fn now_words(&self, text: &mut Digest) {
        let now = &self.now;
        text.put(&[
            now.turn.into(),
            now.part.into(),
            now.player.0.into(),
            now.decider.0.into(),
            now.hand.0.into(),
            now.placed.0.into(),
            now.spent.into(),
            now.decisions.into(),
            now.ending.into(),
        ]);
        text.debug(&now.waiting);
        for item in self.agenda.items() {
            text.debug(item);
        }
        for ask in self.asks.items() {
            text.debug(ask);
        }
    }
}

impl Feature {
    /// The smallest tile of the ring: the same whatever order the segments were joined in.
    fn head_tile(&self, state: &State) -> i64 {
        let mut lowest = self.head;
        let mut at = state.segment(self.head).next;
        while at != self.head {
            lowest = lowest.min(at);
            at = state.segment(at).next;
        }
        lowest.0.into()
    }
}

/// A hasher that is fed a handful of words at a time, and so is better fed from a buffer.
struct Digest {
    hasher: blake3::Hasher,
    bytes: [u8; 1024],
    filled: usize,
}

impl Digest {
    fn new() -> Self {
        Self { hasher: blake3::Hasher::new(), bytes: [0; 1024], filled: 0 }
    }

    fn put(&mut self, words: &[i64]) {
        for word in words {
            self.take(&word.to_le_bytes());
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        if let Some(room) = self.bytes[self.filled..].get_mut(..bytes.len()) {
            room.copy_from_slice(bytes);
            self.filled += bytes.len();
        } else {
            self.flush();
            self.hasher.update(bytes);
        }
    }

    fn flush(&mut self) {
        self.hasher.update(&self.bytes[..self.filled]);
        self.filled = 0;
    }

    fn debug(&mut self, value: &impl std::fmt::Debug) {
        self.take(format!("{value:?};").as_bytes());
    }

    fn anchor(&mut self, at: Anchor) {
        match at {
            Anchor::Supply => self.put(&[0]),
            Anchor::Seat { segment, seat } => self.put(&[1, segment.0.into(), seat.0.into()]),
            Anchor::Tile(tile) => self.put(&[2, tile.0.into()]),
            Anchor::Figure(figure) => self.put(&[3, figure.0.into()]),
            Anchor::Held(player) => self.put(&[4, player.0.into()]),
            Anchor::Out => self.put(&[5]),
        }
    }

    fn finish(mut self) -> u64 {
        self.flush();
        let hash = self.hasher.finalize();
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&hash.as_bytes()[..8]);
        u64::from_le_bytes(bytes)
    }
}
