//! How much a script may use, and the meter that counts it.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// What one call into a script may use.
///
/// Only `instructions` decides anything: it is counted, so it is the same on every machine. The other two are nets
/// for what counting misses; a game that falls into them is not reproducible and is to be given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Ticks per call: one for each loop edge, each call and each step of a pattern, more for library functions that
    /// work on long texts or tables. A usual hook takes under a thousand; a million loops take about 10 ms. All calls of
    /// one decision may use fifty times as many together.
    pub instructions: u64,
    /// Bytes the whole VM may hold, garbage included.
    pub memory_bytes: usize,
    /// Milliseconds of real time per call, checked every few ticks, hence without effect inside one library function. A
    /// program that was stopped in between, and goes on later, has not used that time.
    pub wall_ms: u64,
}

impl Default for Limits {
    /// A million ticks, 32 MiB, two seconds.
    fn default() -> Self {
        Self { instructions: 1_000_000, memory_bytes: 32 << 20, wall_ms: 2_000 }
    }
}

/// Which limit a call ran into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trip {
    /// `Limits::instructions`.
    Budget,
    /// `Limits::wall_ms`.
    Clock,
    /// A script ran although nobody had opened a call.
    Idle,
}

/// A file and a 1-based line in it.
pub(crate) type Place = (String, u32);

/// Counts down one call. Once tripped it refuses every further tick until the outermost call has ended.
#[derive(Debug)]
pub(crate) struct Meter {
    limits: Limits,
    left: Cell<u64>,
    looked: Cell<Option<Instant>>,
    spent: Cell<Duration>,
    depth: Cell<u32>,
    calls: Cell<u32>,
    trip: Cell<Option<Trip>>,
    place: RefCell<Option<Place>>,
}

/// Ticks between two looks at the clock, a power of two.
const CLOCK_EVERY: u64 = 64;
/// What lies between two looks counts no more than this: the rest was not spent on ticks.
const STOPPED: Duration = Duration::from_millis(100);

impl Meter {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            left: Cell::new(0),
            looked: Cell::new(None),
            spent: Cell::new(Duration::ZERO),
            depth: Cell::new(0),
            calls: Cell::new(0),
            trip: Cell::new(None),
            place: RefCell::new(None),
        }
    }

    /// Opens a call; the outermost one refills the budget. The call ends when the guard is dropped.
    pub(crate) fn enter(&self) -> Turn<'_> {
        if self.depth.get() == 0 {
            self.left.set(self.limits.instructions);
            self.looked.set(None);
            self.spent.set(Duration::ZERO);
            self.trip.set(None);
            self.calls.set(self.calls.get().wrapping_add(1));
        }
        self.depth.set(self.depth.get() + 1);
        Turn(self)
    }

    /// The number of the outermost call.
    pub(crate) fn call(&self) -> u32 {
        self.calls.get()
    }

    /// One loop edge, call or pattern step.
    pub(crate) fn tick(&self) -> Result<(), Trip> {
        self.charge(1)
    }

    /// Work worth `ticks`.
    pub(crate) fn charge(&self, ticks: u64) -> Result<(), Trip> {
        if self.depth.get() == 0 {
            return Err(Trip::Idle);
        }
        if let Some(trip) = self.trip.get() {
            return Err(trip);
        }
        let before = self.left.get();
        let Some(left) = before.checked_sub(ticks) else { return self.spring(Trip::Budget) };
        self.left.set(left);
        if before / CLOCK_EVERY == left / CLOCK_EVERY { Ok(()) } else { self.look_at_clock() }
    }

    /// What the running or just ended call ran into.
    pub(crate) fn tripped(&self) -> Option<Trip> {
        self.trip.get()
    }

    /// Ticks used since the outermost call began.
    pub(crate) fn used(&self) -> u64 {
        self.limits.instructions - self.left.get()
    }

    /// Remembers where the limit was hit, for the first time only.
    pub(crate) fn note_place(&self, find: impl FnOnce() -> Option<Place>) {
        let known = self.place.borrow().is_some();
        if !known {
            let place = find();
            *self.place.borrow_mut() = place;
        }
    }

    /// Where the limit was hit.
    pub(crate) fn place(&self) -> Option<Place> {
        self.place.borrow().clone()
    }

    fn look_at_clock(&self) -> Result<(), Trip> {
        let now = Instant::now();
        let since = self.looked.replace(Some(now)).map_or(Duration::ZERO, |last| now - last);
        self.spent.set(self.spent.get() + since.min(STOPPED));
        if self.spent.get() > Duration::from_millis(self.limits.wall_ms) { self.spring(Trip::Clock) } else { Ok(()) }
    }

    fn spring(&self, trip: Trip) -> Result<(), Trip> {
        self.trip.set(Some(trip));
        *self.place.borrow_mut() = None;
        Err(trip)
    }
}

/// An open call.
pub(crate) struct Turn<'a>(&'a Meter);

impl Turn<'_> {
    /// Open calls, this one included.
    pub(crate) fn depth(&self) -> u32 {
        self.0.depth.get()
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.depth.set(self.0.depth.get() - 1);
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;

    #[test]
    fn a_tripped_meter_stays_tripped_until_the_outermost_call_ends() {
        let meter = Meter::new(Limits { instructions: 2, ..Limits::default() });
        assert_eq!(meter.tick(), Err(Trip::Idle));
        {
            let _outer = meter.enter();
            assert_eq!((meter.tick(), meter.charge(1), meter.tick()), (Ok(()), Ok(()), Err(Trip::Budget)));
            let _inner = meter.enter();
            assert_eq!(meter.charge(0), Err(Trip::Budget));
        }
        let _next = meter.enter();
        assert_eq!((meter.tick(), meter.used()), (Ok(()), 1));
    }

    #[test]
    fn time_in_which_the_program_was_stopped_does_not_count() {
        let meter = Meter::new(Limits { wall_ms: 500, ..Limits::default() });
        let _call = meter.enter();
        assert_eq!(meter.charge(CLOCK_EVERY), Ok(()));
        sleep(Duration::from_millis(1000));
        assert_eq!(meter.charge(CLOCK_EVERY), Ok(()));
        let looks = (0..20).map(|_| {
            sleep(Duration::from_millis(60));
            meter.charge(CLOCK_EVERY)
        });
        assert_eq!(looks.last(), Some(Err(Trip::Clock)), "what is slow all the time is stopped");
    }
}
