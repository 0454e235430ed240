//! The sums of wait states.

use super::kind::WaitKind;
use super::receive_order::WrongOrder;
use super::state::WaitState;
use crate::trace::Trace;
use kymo_otf2::references::{LocationRef, RegionRef};
use std::collections::BTreeMap;

/// How long locations waited for one reason in one region.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Waited {
    /// The number of wait states.
    pub count: u64,
    /// Their time, in nanoseconds.
    pub time: u128,
    /// The longest time, in nanoseconds, and the location that waited.
    pub longest: (u64, LocationRef),
}

impl Waited {
    /// Adds a wait state.
    pub(crate) fn add(&mut self, wait: &WaitState) {
        self.count += 1;
        self.time += u128::from(wait.time());
        let (longest, location) = self.longest;
        if wait.time() > longest || (wait.time() == longest && wait.location < location) {
            self.longest = (wait.time(), wait.location);
        }
    }
}

/// The sums of all wait states. Times are in nanoseconds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WaitSums {
    /// By kind and region.
    pub by_region: BTreeMap<(WaitKind, RegionRef), Waited>,
    /// By kind and the location that waited.
    pub suffered: BTreeMap<(WaitKind, LocationRef), u128>,
    /// By kind and the location for which others waited.
    pub caused: BTreeMap<(WaitKind, LocationRef), u128>,
    /// The part of late receivers that is doubtful: their messages may have been buffered.
    pub doubtful: u128,
    /// The parts of late senders in the wrong order: of the same sender, of different ones.
    pub wrong_order: [u128; 2],
    /// The part of early waits after the last access: the last origin completed them late.
    pub late_complete: u128,
    /// The part of fences until the last access was complete.
    pub early_fence: u128,
    /// The number of wait states that were clipped at the end of their calls.
    pub clipped: u64,
    /// The number of collective operations and epochs in which members are missing.
    pub incomplete: u64,
}

impl WaitSums {
    /// Adds a wait state.
    pub fn add(&mut self, trace: &Trace, wait: &WaitState) {
        let time = u128::from(wait.time());
        self.by_region.entry((wait.kind, trace.same_region(wait.region))).or_default().add(wait);
        *self.suffered.entry((wait.kind, wait.location)).or_default() += time;
        *self.caused.entry((wait.kind, wait.cause)).or_default() += time;
        self.doubtful += if wait.is_doubtful { time } else { 0 };
        match wait.wrong_order {
            Some(WrongOrder::SameSender) => self.wrong_order[0] += time,
            Some(WrongOrder::DifferentSender) => self.wrong_order[1] += time,
            None => {}
        }
        match wait.kind {
            WaitKind::RmaEarlyWait => self.late_complete += u128::from(wait.part),
            WaitKind::RmaFence => self.early_fence += u128::from(wait.part),
            _ => {}
        }
        self.clipped += u64::from(wait.is_clipped());
    }

    /// Returns the time of all wait states.
    pub fn total(&self) -> u128 {
        self.suffered.values().sum()
    }
}
