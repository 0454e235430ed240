//! The longest wait states.

use crate::contexts::ContextId;
use crate::waits::WaitState;
use kymo_otf2::references::LocationRef;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A wait state with the calling context of its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedWait {
    /// The wait state.
    pub wait: WaitState,
    /// The context; [`ContextId::ROOT`] if the call was not found.
    pub context: ContextId,
}

impl PlacedWait {
    /// Returns the sort key: the longest first, then the earliest.
    fn rank(&self) -> (Reverse<u64>, u64, LocationRef, u64) {
        (Reverse(self.wait.time()), self.wait.start, self.wait.location, self.wait.call)
    }
}

impl PartialOrd for PlacedWait {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PlacedWait {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// Keeps the longest of all wait states.
#[derive(Debug)]
pub(super) struct LongestWaits {
    kept: BinaryHeap<PlacedWait>,
    most: usize,
}

impl LongestWaits {
    pub(super) fn new(most: usize) -> Self {
        Self { kept: BinaryHeap::new(), most }
    }

    pub(super) fn add(&mut self, wait: PlacedWait) {
        self.kept.push(wait);
        if self.kept.len() > self.most {
            self.kept.pop();
        }
    }

    /// Returns them, the longest one first.
    pub(super) fn finish(self) -> Vec<PlacedWait> {
        self.kept.into_sorted_vec()
    }
}
