//! Machines with simulated clocks. True time is in picoseconds since the start of the simulation;
//! no part of the simulation knows it.

use kymo_recorder::clock::{Clock, Node, Reading};

/// A second of true time.
pub(crate) const SECOND: u64 = 1_000_000_000_000;
/// A microsecond of true time.
pub(crate) const MICROSECOND: u64 = 1_000_000;
/// A nanosecond of true time.
pub(crate) const NANOSECOND: u64 = 1_000;

/// A generator of numbers that are the same in every run (splitmix64).
#[derive(Debug, Clone)]
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit.max(1)
    }
}

/// A clock with its own start and rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ticking {
    pub(crate) start: u64,
    /// The number of ticks in a million true seconds.
    pub(crate) rate: u64,
}

impl Ticking {
    fn at(self, time: u64) -> u64 {
        let ticks = u128::from(time) * u128::from(self.rate) / (1_000_000 * u128::from(SECOND));
        self.start + ticks as u64
    }
}

/// The clocks of a machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clocks {
    pub(crate) node: Option<Node>,
    pub(crate) counter: Ticking,
    pub(crate) monotonic_raw: Ticking,
    pub(crate) monotonic: Ticking,
    pub(crate) realtime: Ticking,
    /// The true time at which the real-time clock is set back by a second.
    pub(crate) set_back: u64,
}

/// The properties of machines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Make {
    /// The maximum distance between clocks at the start, in seconds.
    pub(crate) apart: u64,
    /// The maximum drift, in parts per million.
    pub(crate) drift: u64,
    /// The rates of the machines' counters, used in turn.
    pub(crate) counters: &'static [u64],
}

impl Make {
    /// Creates a machine; `number` distinguishes it from others.
    pub(crate) fn machine(&self, number: u32, numbers: &mut Numbers) -> Clocks {
        let node = std::num::NonZeroU64::new(u64::from(number) + 1).map(Node);
        let hertz = self.counters[number as usize % self.counters.len()];
        let mut clock = |start: u64, hertz: u64| Ticking {
            start: start + numbers.below(self.apart * hertz + 1),
            rate: hertz * (1_000_000 - self.drift + numbers.below(2 * self.drift + 1)),
        };
        Clocks {
            node,
            counter: clock(hertz * 7_000, hertz),
            monotonic_raw: clock(9_000 * 1_000_000_000, 1_000_000_000),
            monotonic: clock(20_000 * 1_000_000_000, 1_000_000_000),
            realtime: clock(1_700_000_000 * 1_000_000_000, 1_000_000_000),
            set_back: u64::MAX,
        }
    }
}

impl Clocks {
    /// Reads all clocks in sequence. Returns the true time afterwards as well.
    pub(crate) fn read(&self, time: u64) -> (Reading, u64) {
        const ONE: u64 = 20 * NANOSECOND;
        let back = if time >= self.set_back { 1_000_000_000 } else { 0 };
        let reading = Reading {
            counter: self.counter.at(time),
            monotonic_raw: self.monotonic_raw.at(time + ONE),
            monotonic: self.monotonic.at(time + 2 * ONE),
            realtime: self.realtime.at(time + 3 * ONE) - back,
        };
        (reading, time + 4 * ONE)
    }

    /// Returns one clock's value at an exact time.
    pub(crate) fn of(&self, clock: Clock, time: u64) -> u64 {
        match clock {
            Clock::Counter => self.counter.at(time),
            Clock::MonotonicRaw => self.monotonic_raw.at(time),
            Clock::Monotonic => self.monotonic.at(time),
            Clock::Realtime => self.realtime.at(time),
            Clock::TimeOfDay => self.realtime.at(time) / 1000,
        }
    }
}
