//! The rules by which a run is replayed.

/// For which receives sends wait in a replay.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SendRule {
    /// For those for which they waited in the trace; synchronous ones for all.
    #[default]
    Recorded,
    /// For none: all messages are buffered.
    Eager,
    /// For all, but for those of `MPI_Bsend`, in calls that receive as well, or that test.
    Rendezvous,
}

/// The quantity that the clocks of a replay count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClockRule {
    /// The time of work, in nanoseconds.
    Work(SendRule),
    /// Operations: sends, completions of receives, collective operations. A message takes one step,
    /// and all members leave a collective operation in the same step.
    Steps,
}

impl ClockRule {
    pub(super) fn sends(self) -> SendRule {
        match self {
            Self::Work(sends) => sends,
            Self::Steps => SendRule::Eager,
        }
    }

    /// Returns how long after it was reached a send, or a post, is known to others.
    pub(super) fn transfer(self) -> u64 {
        u64::from(self == Self::Steps)
    }
}
