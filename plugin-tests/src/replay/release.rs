//! The release of Score-P that is played: the numbers and count of its events, the arguments that
//! it passes, and its version of the plugin interface.
//!
//! Inside the host, events have the numbers of 8.x and 9.0; `HostRelease` maps them to those of a
//! release. The layouts of definitions, which differ between 7.x and 8.x, are in `conversion`.

use crate::replay::events::number;
use clap::ValueEnum;
use std::sync::atomic::{AtomicU64, Ordering};

/// A release of Score-P that the host can act as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum HostRelease {
    #[value(name = "6.0")]
    V6_0,
    #[value(name = "7.1")]
    V7_1,
    #[value(name = "8.4")]
    V8_4,
    #[value(name = "9.0")]
    V9_0,
}

/// A generation of releases with the same layout of definitions in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generation {
    /// 6.0 and 7.x.
    Old,
    /// 8.x and 9.0.
    New,
}

impl HostRelease {
    /// Returns the number of events of the release.
    pub(crate) fn num_events(self) -> usize {
        match self.generation() {
            Generation::Old => 79,
            Generation::New => 83,
        }
    }

    /// Returns the index of an event in the tables: up to 7.x the last two are swapped, and the
    /// later ones do not exist.
    pub(crate) fn place_of(self, event: usize) -> Option<usize> {
        let place = match (self.generation(), event as u8) {
            (Generation::Old, number::IO_TRY_LOCK) => number::IO_RELEASE_LOCK.into(),
            (Generation::Old, number::IO_RELEASE_LOCK) => number::IO_TRY_LOCK.into(),
            _ => event,
        };
        (place < self.num_events()).then_some(place)
    }

    /// Returns the version of the plugin interface in the release's headers.
    pub(crate) fn plugin_version(self) -> u32 {
        if self == Self::V6_0 { 2 } else { 3 }
    }

    pub(crate) fn generation(self) -> Generation {
        if self <= Self::V7_1 { Generation::Old } else { Generation::New }
    }

    /// Returns the value that means "no paradigm": one more than the last paradigm.
    pub(crate) fn invalid_paradigm(self) -> u32 {
        match self {
            Self::V6_0 => 15,
            Self::V7_1 => 16,
            Self::V8_4 => 17,
            Self::V9_0 => 18,
        }
    }

    /// Returns how many of an event's last arguments the release does not pass. A plugin that
    /// declares them anyway reads the registers and stack slots in which later releases pass them.
    pub(crate) fn unpassed(self, event: u8) -> usize {
        match event {
            _ if self > Self::V6_0 => 0,
            number::PROGRAM_BEGIN => 2,
            number::RMA_COLLECTIVE_BEGIN
            | number::THREAD_FORK_JOIN_TEAM_BEGIN
            | number::THREAD_CREATE_WAIT_BEGIN
            | number::IO_OPERATION_BEGIN => 1,
            _ => 0,
        }
    }
}

/// Values for arguments that are not passed, different at every call: zeros and small numbers,
/// addresses, and arbitrary 64-bit values.
#[derive(Debug)]
pub(crate) struct Garbage(AtomicU64);

impl Garbage {
    pub(crate) fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    /// Returns the next value (splitmix64).
    pub(crate) fn next(&self) -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut bits = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        match bits >> 62 {
            0 => bits & 0xf,
            1 => 0x7f00_0000_0000 | bits & 0xff_ffff_fff8,
            _ => bits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::events::{NUM_EVENTS, number_of};

    #[test]
    fn up_to_7_the_events_of_io_locks_are_swapped_and_the_last_four_missing() {
        let [attempt, release] = ["IO_TRY_LOCK", "IO_RELEASE_LOCK"].map(|name| number_of(name).unwrap());
        for (host, expected) in [
            (HostRelease::V6_0, [78, 77]),
            (HostRelease::V7_1, [78, 77]),
            (HostRelease::V8_4, [77, 78]),
            (HostRelease::V9_0, [77, 78]),
        ] {
            assert_eq!([attempt, release].map(|event| host.place_of(event.into()).unwrap()), expected);
            let places: Vec<usize> = (0..NUM_EVENTS).filter_map(|event| host.place_of(event)).collect();
            assert_eq!(places.len(), host.num_events());
        }
    }

    #[test]
    fn only_6_0_omits_arguments() {
        let omitted =
            |host: HostRelease| (0..NUM_EVENTS).map(|event| host.unpassed(event as u8)).sum::<usize>();
        assert_eq!(omitted(HostRelease::V6_0), 6);
        assert_eq!(omitted(HostRelease::V7_1), 0);
        assert_eq!(HostRelease::V6_0.unpassed(number_of("IO_OPERATION_BEGIN").unwrap()), 1);
    }

    #[test]
    fn garbage_varies_and_is_reproducible() {
        let [first, second] = [1, 1].map(Garbage::new);
        let values: Vec<u64> = (0..100).map(|_| first.next()).collect();
        assert!(values.iter().all(|&value| value == second.next()));
        assert!(values.iter().any(|&value| value < 16) && values.iter().any(|&value| value > 1 << 62));
    }
}
