//! Whether the trace is complete regarding messages, teams, threads and locks.
//!
//! Archive properties promise completeness per class of events. A promise is broken when an event
//! of its class occurs while recording is off, or when one is rewound (docs/spec/scorep-to-otf2.md,
//! §7).

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A class of events that an archive property makes a promise about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventClass {
    /// Point-to-point and collective communication of MPI.
    MpiCommunication,
    /// Teams and tasks of threading models that fork and join.
    ThreadForkJoin,
    /// Threads that are created and waited for.
    ThreadCreateWait,
    /// Locks of threading models.
    ThreadLock,
}

impl EventClass {
    /// All classes, in the order of their archive properties.
    pub const ALL: [Self; 4] =
        [Self::MpiCommunication, Self::ThreadForkJoin, Self::ThreadCreateWait, Self::ThreadLock];

    /// Returns the name of the archive property that is `true` while the class is complete.
    pub const fn property(self) -> &'static str {
        match self {
            Self::MpiCommunication => "OTF2::MPI_COMMUNICATION_COMPLETE",
            Self::ThreadForkJoin => "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE",
            Self::ThreadCreateWait => "OTF2::THREAD_CREATE_WAIT_EVENT_COMPLETE",
            Self::ThreadLock => "OTF2::THREAD_LOCK_EVENT_COMPLETE",
        }
    }
}

/// The number of events of each class that a location has recorded. The counts wrap around; only
/// differences are meaningful.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EventCounts([u32; EventClass::ALL.len()]);

impl EventCounts {
    /// Counts one event.
    #[inline]
    pub fn add(&mut self, class: EventClass) {
        let count = &mut self.0[class as usize];
        *count = count.wrapping_add(1);
    }
}

/// The promises of a process. Initially all of them are kept.
#[derive(Debug, Default)]
pub struct Completeness {
    incomplete: [AtomicBool; EventClass::ALL.len()],
    location_reused: AtomicBool,
}

impl Completeness {
    /// Records that an event of `class` is missing from the trace.
    #[inline]
    pub fn lose(&self, class: EventClass) {
        self.incomplete[class as usize].store(true, Relaxed);
    }

    /// Records the loss of every class counted between `before` and `after`.
    pub fn lose_between(&self, before: &EventCounts, after: &EventCounts) {
        for class in EventClass::ALL {
            if before.0[class as usize] != after.0[class as usize] {
                self.lose(class);
            }
        }
    }

    /// Returns whether no event of `class` is missing.
    pub fn is_complete(&self, class: EventClass) -> bool {
        !self.incomplete[class as usize].load(Relaxed)
    }

    /// Records that a POSIX thread took over the location of a thread that had ended.
    pub fn reuse_location(&self) {
        self.location_reused.store(true, Relaxed);
    }

    /// Returns whether a location represents more than one POSIX thread.
    pub fn is_location_reused(&self) -> bool {
        self.location_reused.load(Relaxed)
    }
}
