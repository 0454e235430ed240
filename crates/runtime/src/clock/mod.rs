//! The clock that provides the timestamps of events: one of Score-P's three, with Score-P's
//! numbers.
//!
//! The resolution of the timestamp counter is measured against the system's raw clock, from the
//! start to the first query of the resolution, at the end of the measurement. Processes whose
//! archives are merged must agree on it, otherwise times since the start of the machine would
//! differ by milliseconds; they use the resolution that `kymo record` measured before.

mod reading;
mod shared;

use self::reading::{Reading, SECOND, raw, tsc};

use crate::settings::{Settings, Timer};
use core::num::NonZeroUsize;
use once_cell::race::OnceNonZeroUsize;

/// A clock, with its reading at the start.
#[derive(Debug)]
pub(crate) struct Clock {
    timer: Timer,
    start: Reading,
    /// The number of ticks per second, once it is known.
    resolution: OnceNonZeroUsize,
}

impl Clock {
    /// Returns the clock that the settings ask for.
    pub(crate) fn of(settings: &Settings) -> Self {
        Self::new(settings.timer, settings.record_directory.is_some())
    }

    /// Creates a clock. With `is_shared`, which is for processes whose archives are merged, it has
    /// the resolution that all of them share.
    pub(crate) fn new(timer: Timer, is_shared: bool) -> Self {
        let timer = if timer == Timer::Tsc && !tsc::is_steady() { Timer::ClockGettime } else { timer };
        let start = Reading::take();
        let known = if is_shared && timer == Timer::Tsc { shared::resolution(&start) } else { 0 };
        let clock = Self { timer, start, resolution: OnceNonZeroUsize::new() };
        if let Some(known) = NonZeroUsize::new(known as usize) {
            // A new clock has none.
            let _ = clock.resolution.set(known);
        }
        clock
    }

    /// Returns the current time in ticks.
    #[inline]
    pub(crate) fn now(&self) -> u64 {
        match self.timer {
            Timer::Tsc => tsc::read(),
            Timer::ClockGettime => raw(),
            Timer::Gettimeofday => microseconds(),
        }
    }

    /// Returns the number of ticks per second, if it needs no measurement that is under way.
    pub(crate) fn known_resolution(&self) -> Option<u64> {
        let is_known = self.timer != Timer::Tsc || self.resolution.get().is_some();
        is_known.then(|| self.resolution())
    }

    /// Returns whether the ticks are those of the counter of the processor.
    pub(crate) fn is_counter(&self) -> bool {
        self.timer == Timer::Tsc
    }

    /// Returns the number of ticks per second, the same at every call.
    pub(crate) fn resolution(&self) -> u64 {
        let find = || {
            let found = match self.timer {
                Timer::Tsc => self.start.ticks_per_second(&Reading::take()),
                Timer::ClockGettime => SECOND,
                Timer::Gettimeofday => 1_000_000,
            };
            NonZeroUsize::new(found as usize).unwrap_or(NonZeroUsize::MIN)
        };
        self.resolution.get_or_init(find).get() as u64
    }
}

fn microseconds() -> u64 {
    let mut time = libc::timeval { tv_sec: 0, tv_usec: 0 };
    // SAFETY: the structure is a local variable.
    unsafe { libc::gettimeofday(&raw mut time, core::ptr::null_mut()) };
    (time.tv_sec.cast_unsigned()).wrapping_mul(1_000_000).wrapping_add(time.tv_usec.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::{Clock, Timer};
    use std::time::{Duration, Instant};

    /// Reads a clock and the time. Tries again if another program ran in between.
    fn read(clock: &Clock) -> (u64, Instant) {
        loop {
            let (before, ticks, after) = (Instant::now(), clock.now(), Instant::now());
            if after - before < Duration::from_micros(100) {
                return (ticks, before);
            }
        }
    }

    #[test]
    fn a_second_has_the_number_of_ticks_that_the_resolution_states() {
        for timer in [Timer::Tsc, Timer::ClockGettime, Timer::Gettimeofday] {
            let clock = Clock::new(timer, false);
            let (begin, began) = read(&clock);
            std::thread::sleep(Duration::from_millis(50));
            let (end, ended) = read(&clock);
            let (ticks, elapsed) = (end - begin, (ended - began).as_secs_f64());
            let seconds = ticks as f64 / clock.resolution() as f64;
            assert!((seconds / elapsed - 1.0).abs() < 0.02, "{timer:?}: {seconds} for {elapsed}");
        }
    }
}
