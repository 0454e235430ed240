//! The clocks of a machine and their values.

use rustix::time::{ClockId, clock_gettime};

const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// A clock that timestamps can come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// `CLOCK_MONOTONIC_RAW`, nanoseconds.
    MonotonicRaw,
    /// `CLOCK_MONOTONIC`, nanoseconds.
    Monotonic,
    /// `CLOCK_REALTIME`, nanoseconds.
    Realtime,
    /// `gettimeofday`, microseconds.
    TimeOfDay,
    /// The time stamp counter (x86-64) or the virtual counter (aarch64).
    Counter,
}

impl Clock {
    /// All clocks.
    pub const ALL: [Clock; 5] =
        [Self::MonotonicRaw, Self::Monotonic, Self::Realtime, Self::TimeOfDay, Self::Counter];

    /// Returns its rate. `None` for the counter, whose rate must be measured.
    pub fn ticks_per_second(self) -> Option<u64> {
        match self {
            Self::MonotonicRaw | Self::Monotonic | Self::Realtime => Some(NANOS_PER_SECOND),
            Self::TimeOfDay => Some(1_000_000),
            Self::Counter => None,
        }
    }
}

/// The values of all clocks that a host may use, read in sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The hardware counter in ticks; 0 if the machine has none that programs may read.
    pub counter: u64,
    /// `CLOCK_MONOTONIC_RAW` in nanoseconds.
    pub monotonic_raw: u64,
    /// `CLOCK_MONOTONIC` in nanoseconds.
    pub monotonic: u64,
    /// `CLOCK_REALTIME` in nanoseconds.
    pub realtime: u64,
}

impl Reading {
    /// Reads all clocks. Makes system calls at most, and does not allocate.
    pub fn now() -> Self {
        Self {
            counter: counter::read(),
            monotonic_raw: nanos(ClockId::MonotonicRaw),
            monotonic: nanos(ClockId::Monotonic),
            realtime: nanos(ClockId::Realtime),
        }
    }

    /// Returns the value of one clock.
    pub fn of(&self, clock: Clock) -> u64 {
        match clock {
            Clock::MonotonicRaw => self.monotonic_raw,
            Clock::Monotonic => self.monotonic,
            Clock::Realtime => self.realtime,
            Clock::TimeOfDay => self.realtime / 1000,
            Clock::Counter => self.counter,
        }
    }

    /// Returns the ticks per second of `clock`. The counter's rate is measured between `earlier`
    /// and this reading.
    ///
    /// Returns `None` for the counter if the readings are less than a millisecond apart.
    pub fn ticks_per_second(&self, earlier: &Self, clock: Clock) -> Option<u64> {
        clock.ticks_per_second().or_else(|| {
            let nanos =
                self.monotonic_raw.checked_sub(earlier.monotonic_raw).filter(|&nanos| nanos > 1_000_000)?;
            let ticks = self.of(clock).checked_sub(earlier.of(clock))?;
            u64::try_from(u128::from(ticks) * u128::from(NANOS_PER_SECOND) / u128::from(nanos)).ok()
        })
    }

    pub(crate) fn numbers(&self) -> [u64; 4] {
        [self.counter, self.monotonic_raw, self.monotonic, self.realtime]
    }

    pub(crate) fn from_numbers([counter, monotonic_raw, monotonic, realtime]: [u64; 4]) -> Self {
        Self { counter, monotonic_raw, monotonic, realtime }
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

    #[test]
    fn the_counter_rate_is_measured_and_the_other_rates_are_known() {
        let earlier = Reading { counter: 77_000, monotonic_raw: 9_000, monotonic: 1, realtime: 2 };
        let later = Reading {
            counter: earlier.counter + 5_000_000_000,
            monotonic_raw: earlier.monotonic_raw + 2_000_000_000,
            ..earlier
        };
        assert_eq!(later.ticks_per_second(&earlier, Clock::Counter), Some(2_500_000_000));
        assert_eq!(earlier.ticks_per_second(&earlier, Clock::Counter), None);
        assert_eq!(later.ticks_per_second(&earlier, Clock::TimeOfDay), Some(1_000_000));
    }
}
