//! What stands out in a run: rules over the causes of waiting and the critical path.
//!
//! Each rule has a file. A [`Finding`] states what could be gained, and how that is known; nothing
//! below a hundredth of the run is one, and a run without findings is an answer. Findings are
//! in the order of their gains; those that may not be true come last.

mod hot_path;
mod imbalance;
mod messages;
mod outliers;
mod serial;
mod straggler;

use crate::causes::Causes;
use crate::class::Class;
use crate::contexts::ContextId;
use crate::trace::Trace;
use crate::waits::WaitKind;
use kymo_otf2::references::LocationRef;
use std::cmp::Reverse;

/// The largest number of findings.
pub const MOST: usize = 10;
/// The smallest part of the length of the run that a finding would gain: a hundredth.
const LEAST: u128 = 100;

/// What stands out. Times are in nanoseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What it is.
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
    /// It is what would be if something else were as usual.
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
        /// The waiting because of what it did, by all others together.
        blame: u128,
        /// The part of all waiting.
        share: f64,
        /// Where it was during most of that, and the part of `blame`.
        context: (ContextId, f64),
        /// The kind of most waiting for it.
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
        context: ContextId,
        /// The kind of work.
        class: Class,
        /// The number of other locations.
        others: u64,
    },
    /// Locations spend different times in a context, and the longest ones decide.
    Imbalance {
        /// The context.
        context: ContextId,
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
        context: (ContextId, f64),
        /// The location on which most of it is, and the part of `time`.
        location: (LocationRef, f64),
    },
    /// The run spends time in starting or ending MPI.
    Startup {
        /// The time on the critical path.
        time: u128,
        /// Where most of it is.
        context: ContextId,
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
        context: ContextId,
    },
    /// Senders wait for their receivers.
    LateReceivers {
        /// For how long, all together.
        time: u128,
        /// Where most of it is.
        context: ContextId,
    },
}

impl Fact {
    /// Returns the name of the rule for programs.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Straggler { .. } => "straggler",
            Self::Serial { .. } => "serial_phase",
            Self::Imbalance { .. } => "imbalance",
            Self::HotPath { .. } => "hot_path",
            Self::Startup { .. } => "startup",
            Self::WrongOrder { .. } => "wrong_order",
            Self::LateReceivers { .. } => "late_receivers",
        }
    }

    /// Returns the context in question.
    pub fn context(&self) -> ContextId {
        match self {
            Self::Straggler { context: (context, _), .. } | Self::HotPath { context: (context, _), .. } => {
                *context
            }
            Self::Serial { context, .. }
            | Self::Imbalance { context, .. }
            | Self::Startup { context, .. }
            | Self::WrongOrder { context, .. }
            | Self::LateReceivers { context, .. } => *context,
        }
    }
}

/// Returns what stands out, the largest gain first.
pub fn of(trace: &Trace, causes: &Causes) -> Vec<Finding> {
    let run = Run::of(trace, causes);
    let mut all = straggler::of(&run);
    all.extend(serial::of(&run));
    let imbalance = imbalance::of(&run, &all);
    all.extend(imbalance);
    all.extend(hot_path::of(&run));
    all.extend(messages::of(&run));
    all.retain(|finding| u128::from(finding.gain) * LEAST >= run.length() && finding.gain > 0);
    all.sort_by_key(|it| (it.certainty == Certainty::Doubtful, Reverse(it.gain), it.certainty));
    all.truncate(MOST);
    all
}

/// What the rules look at.
struct Run<'r> {
    causes: &'r Causes,
    /// The classes of contexts, by their ids.
    classes: Vec<Class>,
    /// Whether contexts are in calls that start or end MPI, by their ids.
    startup: Vec<bool>,
}

/// The functions that start and end MPI.
const STARTUP: [&str; 6] = [
    "MPI_Init",
    "MPI_Init_thread",
    "MPI_Finalize",
    "MPI_Session_init",
    "MPI_Session_finalize",
    "MPI_Comm_create_from_group",
];

impl<'r> Run<'r> {
    fn of(trace: &Trace, causes: &'r Causes) -> Self {
        let contexts = &causes.contexts;
        let mut startup = vec![false; contexts.len()];
        for context in contexts.iter() {
            let is_inside = startup.get(contexts.parent(context).index()).is_some_and(|it| *it);
            startup[context.index()] =
                is_inside || STARTUP.contains(&&*trace.region_name(contexts.region(context)));
        }
        Self { causes, classes: Class::of_contexts(trace, contexts), startup }
    }

    /// Returns whether a context is in a call that starts or ends MPI.
    fn is_startup(&self, context: ContextId) -> bool {
        self.startup.get(context.index()).is_some_and(|it| *it)
    }

    /// Returns the length of the run.
    fn length(&self) -> u128 {
        self.causes.statistics.length().into()
    }

    /// Returns the number of locations that can be compared.
    fn masters(&self) -> u128 {
        self.causes.masters.into()
    }

    /// Returns whether processes have one thread each, and communicate.
    fn communicates_alone(&self) -> bool {
        let has_threads = self.causes.spans.len() as u64 > self.causes.masters;
        let statistics = &self.causes.statistics;
        !has_threads && (statistics.messages.total().count > 0 || !statistics.collectives.is_empty())
    }

    fn class(&self, context: ContextId) -> Class {
        self.classes.get(context.index()).copied().unwrap_or(Class::Computation)
    }

    /// Returns the mean time of the other locations in a context of which a location has this time.
    fn mean_of_others(&self, context: ContextId, own: u128) -> u128 {
        let all = self.causes.by_context.get(&context).map_or(0, |times| times.working);
        all.saturating_sub(own) / self.masters().saturating_sub(1).max(1)
    }

    /// Returns whether a context is the work of a location alone: others spend less than a tenth
    /// of its time there.
    fn is_own_work(&self, context: ContextId, own: u128) -> bool {
        self.mean_of_others(context, own) * 10 < own
    }

    /// Returns where the longest wait for a location can be seen.
    fn longest_wait_for(&self, location: LocationRef) -> Evidence {
        self.causes.longest_caused.get(&location).map_or_else(Evidence::default, |wait| Evidence {
            time: Some((wait.start, wait.end)),
            locations: vec![wait.location, location],
        })
    }
}

/// Returns a number of nanoseconds, at most the largest one.
fn nanoseconds(time: u128) -> u64 {
    u64::try_from(time).unwrap_or(u64::MAX)
}

/// Returns a part of 1.
fn share(part: u128, whole: u128) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
