//! The time of processes in and outside of parallel regions.

use crate::class::Class;
use crate::contexts::{ContextId, Contexts};
use crate::parallel_regions::parallel_or_task_contexts;
use crate::trace::Trace;
use kymo_otf2::references::LocationRef;
use serde::{Deserialize, Serialize};

/// The time of a thread in and outside of parallel regions, in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParallelTimes {
    /// All time in parallel regions of OpenMP.
    pub parallel: u64,
    /// The time of computation outside of them.
    pub serial: u64,
}

/// A process: its threads with events, and the times of the first one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProcessTimes {
    /// The number of threads.
    pub threads: u64,
    /// The first thread.
    first_thread: Option<LocationRef>,
    /// Its times.
    pub times: ParallelTimes,
    /// The computation of all threads outside of parallel regions.
    pub serial: u128,
}

impl ParallelTimes {
    /// Sums the exclusive times of contexts, whose classes are in `classes`.
    pub(super) fn of(
        trace: &Trace,
        contexts: &Contexts,
        classes: &[Class],
        exclusive: impl Iterator<Item = (ContextId, u128)>,
    ) -> Self {
        let is_parallel = parallel_or_task_contexts(trace, contexts);
        let (mut parallel, mut serial) = (0, 0);
        for (context, time) in exclusive {
            match (is_parallel[context.index()], classes[context.index()]) {
                (true, _) => parallel += time,
                (false, Class::Computation) => serial += time,
                (false, _) => {}
            }
        }
        let nanoseconds = |time| u64::try_from(time).unwrap_or(u64::MAX);
        Self { parallel: nanoseconds(parallel), serial: nanoseconds(serial) }
    }
}

impl ProcessTimes {
    /// Adds a thread.
    pub(super) fn add(&mut self, thread: LocationRef, times: ParallelTimes) {
        self.threads += 1;
        self.serial += u128::from(times.serial);
        if self.first_thread.is_none_or(|first| thread < first) {
            (self.first_thread, self.times) = (Some(thread), times);
        }
    }
}
