//! Which clock of the machine a host's timestamps come from, and how fast it ticks.
//!
//! A substrate plugin gets timestamps but no timer (plugin interface, §13). Comparing one fresh timestamp with every clock
//! the host could have used tells which it is; the rate of a hardware counter follows from two [`Reading`]s taken far apart.

use rustix::time::{ClockId, clock_gettime};

const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// All clocks a host may use, read one after another.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// The hardware counter in ticks, 0 where the machine has none that programs may read.
    counter: u64,
    /// `CLOCK_MONOTONIC_RAW` in nanoseconds.
    monotonic_raw: u64,
    /// `CLOCK_MONOTONIC` in nanoseconds.
    monotonic: u64,
    /// `CLOCK_REALTIME` in nanoseconds.
    realtime: u64,
}

/// A clock that timestamps can come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// The time stamp counter (x86-64) or the virtual counter (aarch64).
    Counter,
    /// `CLOCK_MONOTONIC_RAW`, nanoseconds.
    MonotonicRaw,
    /// `CLOCK_MONOTONIC`, nanoseconds.
    Monotonic,
    /// `CLOCK_REALTIME`, nanoseconds.
    Realtime,
    /// `gettimeofday`, microseconds.
    TimeOfDay,
}

impl Reading {
    /// Reads all clocks. System calls at most, no allocation.
    pub fn now() -> Self {
        Self {
            counter: counter::read(),
            monotonic_raw: nanos(ClockId::MonotonicRaw),
            monotonic: nanos(ClockId::Monotonic),
            realtime: nanos(ClockId::Realtime),
        }
    }

    /// The clock that `timestamp`, taken within two seconds before this reading, comes from; `None` if it fits none.
    ///
    /// Of several the nearest wins.
    pub fn identify(&self, timestamp: u64) -> Option<Clock> {
        const COUNTER_WINDOW: u64 = 20_000_000_000; // two seconds of the fastest counter there is
        const WINDOW: u64 = 2 * NANOS_PER_SECOND;
        [
            (Clock::MonotonicRaw, self.monotonic_raw, WINDOW),
            (Clock::Monotonic, self.monotonic, WINDOW),
            (Clock::Realtime, self.realtime, WINDOW),
            (Clock::TimeOfDay, self.realtime / 1000, WINDOW / 1000),
            (Clock::Counter, self.counter, COUNTER_WINDOW),
        ]
        .into_iter()
        .filter(|&(_, now, window)| now != 0 && timestamp <= now && now - timestamp < window)
        .min_by_key(|&(_, now, _)| now - timestamp)
        .map(|(clock, ..)| clock)
    }

    /// Ticks per second of `clock`; the counter's rate is measured between `earlier` and this reading.
    ///
    /// `None` for a counter if the readings are less than a millisecond apart.
    pub fn ticks_per_second(&self, earlier: &Self, clock: Clock) -> Option<u64> {
        match clock {
            Clock::MonotonicRaw | Clock::Monotonic | Clock::Realtime => Some(NANOS_PER_SECOND),
            Clock::TimeOfDay => Some(1_000_000),
            Clock::Counter => {
                let nanos = self
                    .monotonic_raw
                    .checked_sub(earlier.monotonic_raw)
                    .filter(|&nanos| nanos > 1_000_000)?;
                let ticks = self.counter.checked_sub(earlier.counter)?;
                u64::try_from(u128::from(ticks) * u128::from(NANOS_PER_SECOND) / u128::from(nanos)).ok()
            }
        }
    }
}

fn nanos(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    time.tv_sec as u64 * NANOS_PER_SECOND + time.tv_nsec as u64
}

/// The hardware counter that user programs may read.
mod counter {
    #[cfg(target_arch = "x86_64")]
    pub(super) fn read() -> u64 {
        // SAFETY: every x86-64 processor has the instruction, and no supported system forbids it.
        unsafe { core::arch::x86_64::_rdtsc() }
    }

    #[cfg(target_arch = "aarch64")]
    pub(super) fn read() -> u64 {
        let ticks: u64;
        // SAFETY: Linux lets programs read the virtual counter; reading has no side effect.
        unsafe { core::arch::asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack)) };
        ticks
    }

    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub(super) fn read() -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EARLIER: Reading = Reading {
        counter: 77_000_000_000_000,
        monotonic_raw: 9_000_000_000_000,
        monotonic: 9_100_000_000_000,
        realtime: 1_700_000_000_000_000_000,
    };

    #[test]
    fn each_clock_is_recognised_by_its_value() {
        let just_before = |now: u64| EARLIER.identify(now - 1_000);
        assert_eq!(just_before(EARLIER.counter), Some(Clock::Counter));
        assert_eq!(just_before(EARLIER.monotonic_raw), Some(Clock::MonotonicRaw));
        assert_eq!(just_before(EARLIER.monotonic), Some(Clock::Monotonic));
        assert_eq!(just_before(EARLIER.realtime), Some(Clock::Realtime));
        assert_eq!(just_before(EARLIER.realtime / 1_000), Some(Clock::TimeOfDay));
    }

    #[test]
    fn recorded_timestamps_fit_no_clock() {
        assert_eq!(EARLIER.identify(18_582_548_718_386), None);
        assert_eq!(EARLIER.identify(0), None);
        assert_eq!(EARLIER.identify(u64::MAX), None);
    }

    #[test]
    fn the_counter_is_measured_and_the_others_are_known() {
        let later = Reading {
            counter: EARLIER.counter + 5_000_000_000,
            monotonic_raw: EARLIER.monotonic_raw + 2_000_000_000,
            ..EARLIER
        };
        assert_eq!(later.ticks_per_second(&EARLIER, Clock::Counter), Some(2_500_000_000));
        assert_eq!(EARLIER.ticks_per_second(&EARLIER, Clock::Counter), None);
        assert_eq!(later.ticks_per_second(&EARLIER, Clock::TimeOfDay), Some(1_000_000));
    }
}
