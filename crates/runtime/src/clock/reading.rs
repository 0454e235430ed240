//! The counter of the processor, read together with the raw clock of the system.

const TRIES: usize = 8;
pub(super) const SECOND: u64 = 1_000_000_000;

/// Ticks of the counter, and the raw clock in nanoseconds at the same time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub(super) ticks: u64,
    pub(super) nanoseconds: u64,
}

impl Reading {
    /// Takes several readings and returns the one whose two values are closest in time.
    pub(super) fn take() -> Self {
        let pair = |_| {
            let before = tsc::read();
            let nanoseconds = raw();
            let width = tsc::read().wrapping_sub(before);
            (width, Self { ticks: before.wrapping_add(width / 2), nanoseconds })
        };
        let closest = (0..TRIES).map(pair).min_by_key(|&(width, _)| width);
        closest.map_or(Self { ticks: 0, nanoseconds: 0 }, |(_, reading)| reading)
    }

    pub(super) fn ticks_per_second(&self, later: &Self) -> u64 {
        let ticks = u128::from(later.ticks.saturating_sub(self.ticks));
        let nanoseconds = u128::from(later.nanoseconds.saturating_sub(self.nanoseconds)).max(1);
        u64::try_from(ticks * u128::from(SECOND) / nanoseconds).unwrap_or(u64::MAX).max(1)
    }
}

pub(super) fn raw() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is a local variable.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC_RAW, &raw mut time) };
    (time.tv_sec.cast_unsigned()).wrapping_mul(SECOND).wrapping_add(time.tv_nsec.cast_unsigned())
}

#[cfg(target_arch = "x86_64")]
pub(super) mod tsc {
    use core::arch::x86_64::{__cpuid, _rdtsc};

    #[inline]
    pub(in super::super) fn read() -> u64 {
        // SAFETY: every processor of this architecture has the instruction.
        unsafe { _rdtsc() }
    }

    /// Returns whether the counter has a constant rate in all power states of the processor.
    pub(in super::super) fn is_steady() -> bool {
        const POWER: u32 = 0x8000_0007;
        #[allow(unused_unsafe, reason = "safe from Rust 1.94 on")]
        // SAFETY: every processor of this architecture has the instruction.
        let leaf = |number| unsafe { __cpuid(number) };
        leaf(0x8000_0000).eax >= POWER && leaf(POWER).edx & (1 << 8) != 0
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) mod tsc {
    pub(in super::super) fn read() -> u64 {
        super::raw()
    }

    pub(in super::super) fn is_steady() -> bool {
        false
    }
}
