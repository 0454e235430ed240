//! Collective operations in the replay.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// For whom the members of a collective operation wait. Members are numbered in the order of their
/// ranks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Synchronisation {
    /// All wait for all.
    #[default]
    All,
    /// All wait for one.
    ForRoot(usize),
    /// One waits for all.
    OfRoot(usize),
    /// Each waits for those before it.
    Prefix,
}

impl Synchronisation {
    /// Returns whether a member waits for others.
    pub(super) fn waits(self, member: usize) -> bool {
        match self {
            Self::All | Self::Prefix => true,
            Self::ForRoot(root) => root != member,
            Self::OfRoot(root) => root == member,
        }
    }
}

/// The part of a location in a collective operation: the number of the operation, and of the
/// member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GroupMember {
    pub(super) group: usize,
    pub(super) member: usize,
}

/// A collective operation of which not all members are complete.
#[derive(Debug)]
pub(super) struct Group {
    synchronisation: Synchronisation,
    /// When members have reached it.
    reached: Vec<Option<u64>>,
    missing: usize,
    /// The number of members in sequence from the first one that have reached it, and the latest
    /// time of those up to each of them.
    prefix: Vec<u64>,
    latest: u64,
    /// The members that wait, and their timelines.
    waiting: BinaryHeap<Reverse<(usize, usize)>>,
    /// The number of members that wait and are not complete.
    incomplete: usize,
    /// The timelines of the members.
    timelines: Vec<usize>,
}

impl Group {
    pub(super) fn new(synchronisation: Synchronisation, timelines: Vec<usize>) -> Self {
        let members = timelines.len();
        Self {
            synchronisation,
            reached: vec![None; members],
            missing: members,
            prefix: Vec::new(),
            latest: 0,
            waiting: BinaryHeap::new(),
            incomplete: (0..members).filter(|member| synchronisation.waits(*member)).count(),
            timelines,
        }
    }

    /// A member reaches the operation.
    pub(super) fn reach(&mut self, member: usize, clock: u64) {
        let Some(reached) = self.reached.get_mut(member).filter(|it| it.is_none()) else { return };
        *reached = Some(clock);
        self.missing -= 1;
        self.latest = self.latest.max(clock);
        if self.synchronisation == Synchronisation::Prefix {
            while let Some(Some(clock)) = self.reached.get(self.prefix.len()) {
                let latest = self.prefix.last().copied().unwrap_or(0).max(*clock);
                self.prefix.push(latest);
            }
        }
    }

    /// Returns when those have reached it for which a member waits, once that is known.
    pub(super) fn completion(&self, member: usize) -> Option<u64> {
        match self.synchronisation {
            Synchronisation::All | Synchronisation::OfRoot(_) => (self.missing == 0).then_some(self.latest),
            Synchronisation::ForRoot(root) => self.reached.get(root).copied().flatten(),
            Synchronisation::Prefix => self.prefix.get(member).copied(),
        }
    }

    /// A member on a timeline waits.
    pub(super) fn wait(&mut self, member: usize, timeline: usize) {
        self.waiting.push(Reverse((member, timeline)));
    }

    /// Returns the timeline of a member that has waited and can be complete.
    pub(super) fn next_awake(&mut self) -> Option<usize> {
        let Reverse((member, timeline)) = *self.waiting.peek()?;
        self.completion(member)?;
        self.waiting.pop();
        Some(timeline)
    }

    /// A member that waits is complete. Returns whether all are.
    pub(super) fn leave(&mut self) -> bool {
        self.incomplete = self.incomplete.saturating_sub(1);
        self.incomplete == 0
    }

    /// Returns a timeline for which members wait.
    pub(super) fn missing(&self) -> Option<usize> {
        let place = match self.synchronisation {
            Synchronisation::All | Synchronisation::OfRoot(_) => {
                self.reached.iter().position(Option::is_none)?
            }
            Synchronisation::ForRoot(root) => root,
            Synchronisation::Prefix => self.prefix.len(),
        };
        self.timelines.get(place).copied()
    }
}
