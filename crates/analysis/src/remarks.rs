//! Counts of calls and messages that had to be closed, left out or guessed.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Counts of irregularities. All are 0 for a complete and consistent trace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remarks {
    /// Calls that were open at the end of their location and are closed at the end of the trace.
    pub closed_at_end: u64,
    /// Calls that were left without having been entered and are opened at the start of their
    /// location.
    pub opened_at_start: u64,
    /// Calls that are closed because an outer call, or their task, ended.
    pub closed_early: u64,
    /// Leaves that belong to no open call and are ignored.
    pub ignored_leaves: u64,
    /// Events that are earlier than the event before them on the same location.
    pub backward: u64,
    /// Events that are earlier than the start of the trace, and count as of then.
    pub early: u64,
    /// Samples whose generator counts events, or is undefined, so that they have no time.
    pub timeless_samples: u64,
    /// Events that refer to undefined calling contexts and are ignored.
    pub undefined_contexts: u64,
}

impl Remarks {
    /// Returns each count that is not 0, with a description in plural form.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &'static str)> {
        [
            (self.closed_at_end, "calls without an end were closed at the end of the trace"),
            (self.opened_at_start, "calls without a start were opened at the start of their location"),
            (self.closed_early, "calls without an end were closed with the call or task around them"),
            (self.ignored_leaves, "leaves of calls that are not open were ignored"),
            (self.backward, "events are earlier than the event before them"),
            (self.early, "events before the start of the trace were moved there"),
            (self.timeless_samples, "samples have no time, because their generator counts events"),
            (self.undefined_contexts, "events with undefined calling contexts were ignored"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
    }
}

impl AddAssign for Remarks {
    fn add_assign(&mut self, other: Self) {
        self.closed_at_end += other.closed_at_end;
        self.opened_at_start += other.opened_at_start;
        self.closed_early += other.closed_early;
        self.ignored_leaves += other.ignored_leaves;
        self.backward += other.backward;
        self.early += other.early;
        self.timeless_samples += other.timeless_samples;
        self.undefined_contexts += other.undefined_contexts;
    }
}
