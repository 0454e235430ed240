//! The events that every implementation records: time steps of 17 to 80 ticks, 256 regions, 8 KiB
//! messages, metric values of six bytes. `c/libotf2.c` generates the same events.

use std::fmt;

/// The time before the first event of the files that are compared, in ticks.
pub(crate) const START: u64 = 1 << 40;

/// The number of regions.
pub(crate) const REGIONS: u32 = 256;

/// The message of every send and receive: peer, tag, length in bytes.
pub(crate) const MESSAGE: (u32, u32, u64) = (1, 7, 8192);

fn mix(number: u64) -> u32 {
    (number as u32).wrapping_mul(0x9E37_79B1)
}

/// Returns the ticks between an event and the previous one.
#[inline(always)]
pub(crate) fn step(event: u64) -> u64 {
    17 + u64::from(mix(event) >> 26)
}

/// Returns the region that a pair of events enters and leaves.
#[inline(always)]
pub(crate) fn region(pair: u64) -> u32 {
    mix(pair) >> 24
}

/// Returns the values of the metrics at an event.
#[inline(always)]
pub(crate) fn values<const N: usize>(event: u64) -> [u64; N] {
    std::array::from_fn(|index| (1 << 40) + event + index as u64)
}

/// The kind of a pair of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// Enter and leave of a region.
    EnterLeave,
    /// Enter and leave, each preceded by a metric with one value.
    Metric,
    /// Enter and leave, each preceded by a metric with three values.
    Metrics,
    /// An MPI send and receive.
    Messages,
    /// An unsigned parameter, and a counter: a metric with one value.
    Parameters,
}

impl Case {
    const NAMES: [(Self, &str); 5] = [
        (Self::EnterLeave, "enter-leave"),
        (Self::Metric, "metric"),
        (Self::Metrics, "metrics"),
        (Self::Messages, "messages"),
        (Self::Parameters, "parameters"),
    ];

    /// Returns the case with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find_map(|(case, its)| (its == name).then_some(case))
    }

    /// Returns the number of records in a pair.
    pub(crate) fn records(self) -> u64 {
        match self {
            Self::Metric | Self::Metrics => 4,
            _ => 2,
        }
    }

    /// Returns the number of pairs in a measurement, which takes about the same time for each case.
    pub(crate) fn pairs(self) -> u64 {
        match self {
            Self::EnterLeave | Self::Messages => 1_000_000,
            _ => 500_000,
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.into_iter().find_map(|(case, name)| (case == *self).then_some(name));
        f.write_str(name.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::{Case, REGIONS, region, step};

    #[test]
    fn steps_and_regions_cover_their_ranges() {
        let steps = || (0..10_000).map(step);
        assert_eq!((steps().min(), steps().max()), (Some(17), Some(80)));
        assert_eq!((0..10_000).map(region).max(), Some(REGIONS - 1));
    }

    #[test]
    fn every_name_is_found() {
        for (case, name) in Case::NAMES {
            assert_eq!(Case::named(name), Some(case));
            assert_eq!(case.to_string(), name);
        }
    }
}
