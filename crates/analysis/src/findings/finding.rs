//! A finding, and the fact that it states.

use crate::class::Class;
use crate::contexts::ContextId;
use crate::waits::WaitKind;
use kymo_otf2::references::LocationRef;

/// The result of a rule. Times are in nanoseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The fact.
    pub fact: Fact,
    /// By how much the run would be shorter without it; an estimate.
    pub gain: u64,
    /// How sure it is.
    pub certainty: Certainty,
    /// Where it can be seen.
    pub evidence: Evidence,
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It follows from recorded times alone.
    Measured,
    /// It assumes that something else is as usual.
    Estimated,
    /// It may not be true.
    Doubtful,
}

/// Where a finding can be seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// A time, in nanoseconds since the start of the trace.
    pub time: Option<(u64, u64)>,
    /// The locations to look at then.
    pub locations: Vec<LocationRef>,
}

/// A finding by rule. Shares are parts of 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fact {
    /// Others wait because of one location.
    Straggler {
        /// The location.
        location: LocationRef,
        /// The waiting because of it, by all others together.
        blame: u128,
        /// The part of all waiting.
        share: f64,
        /// Where it was during most of that, and the part of `blame`.
        place: (ContextId, f64),
        /// The kind of most waiting for it, apart from that for others that wait for it.
        kind: WaitKind,
        /// The time of the location in the context, and the mean time of the others.
        times: (u128, u128),
    },
    /// One location works while all others wait.
    Serial {
        /// The location.
        location: LocationRef,
        /// For how long.
        time: u128,
        /// Where it works.
        place: ContextId,
        /// The kind of work.
        class: Class,
        /// The number of other locations.
        others: u64,
    },
    /// One thread of a process computes while the others are in no team.
    IdleThreads {
        /// The thread on which most of it is.
        location: LocationRef,
        /// The time on the critical path.
        time: u128,
        /// Where the thread computes.
        place: ContextId,
        /// The number of the other threads of the teams of its process.
        others: u64,
    },
    /// Locations spend different times in a context, and the longest ones decide.
    Imbalance {
        /// The context.
        place: ContextId,
        /// The time on the critical path.
        critical: u128,
        /// The mean time of the locations.
        mean: u128,
    },
    /// The run spends time in a kind of work that is not computation, and nobody is waited for.
    HotPath {
        /// The kind of work.
        class: Class,
        /// The time on the critical path.
        time: u128,
        /// Where most of it is, and the part of `time`.
        place: (ContextId, f64),
        /// The location on which most of it is, and the part of `time`.
        location: (LocationRef, f64),
    },
    /// Threads on the critical path do not run.
    NotRunning {
        /// The time.
        time: u128,
        /// The location on which most of it is, and the part of `time`.
        location: (LocationRef, f64),
    },
    /// The run spends time in starting or ending MPI.
    Startup {
        /// The time on the critical path.
        time: u128,
        /// Where most of it is.
        place: ContextId,
        /// The location on which most of it is.
        location: LocationRef,
    },
    /// Receivers wait although another message could be received.
    WrongOrder {
        /// For how long, all together.
        time: u128,
        /// The part in which the earlier message has the same sender.
        same_sender: u128,
        /// Where most of the waiting for late senders is.
        place: ContextId,
    },
    /// Threads wait for locks that others have.
    Locks {
        /// For how long, all together.
        time: u128,
        /// Where most of it is.
        place: ContextId,
        /// The kind of most of it.
        kind: WaitKind,
        /// The thread for which most of it is, and the part.
        location: (LocationRef, f64),
    },
    /// Iterations take far longer than the others. Times are means of locations.
    SlowIterations {
        /// The calls with which iterations begin.
        place: ContextId,
        /// The number of slow iterations.
        slow: u64,
        /// The number of iterations.
        all: u64,
        /// The median of the times.
        median: u64,
        /// The number of the longest one, from 0 on, and its time.
        longest: (u64, u64),
        /// The location that spends most time in it without waiting.
        location: LocationRef,
    },
    /// Iterations take longer and longer.
    SlowerIterations {
        /// The calls with which iterations begin.
        place: ContextId,
        /// The number of iterations.
        all: u64,
        /// The median of the times.
        median: u64,
        /// By how much an iteration is longer than the one before.
        slope: f64,
    },
    /// Non-blocking operations wait for their completion although locations compute while they are
    /// open. Times are those of all locations together.
    NotHidden {
        /// Where most of them wait.
        place: ContextId,
        /// The time with open operations.
        open: u128,
        /// The part of it in computation.
        computing: u128,
        /// The time until their completion in the last calls, without waiting for others.
        waited: u128,
        /// The location that could wait least.
        location: LocationRef,
    },
    /// Most of communication is short messages.
    SmallMessages {
        /// Where most of their time is.
        place: ContextId,
        /// The number of messages shorter than 1,024 bytes.
        count: u64,
        /// Their bytes.
        bytes: u64,
        /// The time of the calls that send and receive them, of all locations, without waiting.
        time: u128,
        /// The part of the time in communication.
        share: f64,
    },
    /// Senders wait for their receivers.
    LateReceivers {
        /// For how long, all together.
        time: u128,
        /// Where most of it is.
        place: ContextId,
    },
}

impl Fact {
    /// Returns the name of the rule for programs.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Straggler { .. } => "straggler",
            Self::Serial { .. } => "serial_phase",
            Self::IdleThreads { .. } => "idle_threads",
            Self::Imbalance { .. } => "imbalance",
            Self::HotPath { .. } => "hot_path",
            Self::NotRunning { .. } => "not_running",
            Self::Startup { .. } => "startup",
            Self::WrongOrder { .. } => "wrong_order",
            Self::Locks { .. } => "locks",
            Self::LateReceivers { .. } => "late_receivers",
            Self::NotHidden { .. } => "not_hidden",
            Self::SmallMessages { .. } => "small_messages",
            Self::SlowIterations { .. } => "slow_iterations",
            Self::SlowerIterations { .. } => "slower_iterations",
        }
    }

    /// Returns the place in question.
    pub fn place(&self) -> ContextId {
        match self {
            Self::NotRunning { .. } => ContextId::ROOT,
            Self::Straggler { place: (place, _), .. } | Self::HotPath { place: (place, _), .. } => *place,
            Self::Serial { place, .. }
            | Self::IdleThreads { place, .. }
            | Self::Imbalance { place, .. }
            | Self::Startup { place, .. }
            | Self::Locks { place, .. }
            | Self::WrongOrder { place, .. }
            | Self::SlowIterations { place, .. }
            | Self::SlowerIterations { place, .. }
            | Self::NotHidden { place, .. }
            | Self::SmallMessages { place, .. }
            | Self::LateReceivers { place, .. } => *place,
        }
    }
}

/// Returns a number of nanoseconds, at most the largest one.
pub(super) fn nanoseconds(time: u128) -> u64 {
    u64::try_from(time).unwrap_or(u64::MAX)
}

/// Returns a part of 1.
pub(super) fn share(part: u128, whole: u128) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
