//! Events of a location as calls.
//!
//! Enters and leaves, calling contexts, tasks and samples all become calls that nest. A task has
//! calls of its own: their time is that during which the task runs, and the time of a task counts
//! as inner time of the call in which it runs, so that the exclusive times of a location never
//! overlap.

mod activity;
mod both;
mod caller;
mod checkpoint;
mod stack;

use crate::contexts::ContextId;
use kymo_otf2::events::Event;
use kymo_otf2::references::RegionRef;
use std::fmt;

pub use activity::{ActiveCall, ActiveContext, Activity, ActivitySink};
pub use caller::Caller;
pub use checkpoint::{Checkpoint, OpenCall, OpenCalls};

/// A call that has ended. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// The calling context.
    pub context: ContextId,
    /// The number of calls around this one.
    pub depth: usize,
    /// The time at which the call began.
    pub start: u64,
    /// The time at which the call ended.
    pub end: u64,
    /// The time from start to end, without the time during which its task was suspended.
    pub duration: u64,
    /// The part of `duration` outside inner calls.
    pub exclusive: u64,
    /// The part of `duration` that is not in `exclusive` because of the periods of samples in inner
    /// calls.
    pub claimed: u64,
    /// Whether only samples have seen the call. It lasts from the begin of the time for which the
    /// first sample in it stands to that of the first one outside it, or to the last sample in it
    /// if a sample is missing after that; so it may be several calls.
    pub is_sampled: bool,
}

/// The samples and times that samples add to a calling context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampled {
    /// The calling context.
    pub context: ContextId,
    /// The innermost call around the context that was entered, or the root; of use only where there
    /// is exclusive time.
    pub entered: ContextId,
    /// The number of samples in the context itself.
    pub samples: u64,
    /// The time in the context: that for which samples stand, and calls that began and ended
    /// between samples. In nanoseconds.
    pub inclusive: u64,
    /// The part of `inclusive` outside inner calls.
    pub exclusive: u64,
}

/// The innermost call that was entered and is open, or the root outside all such calls.
#[derive(Debug)]
pub struct Inside<'m, M> {
    /// The calling context.
    pub context: ContextId,
    /// The region; undefined for the root.
    pub region: RegionRef,
    /// The number of calls around this one.
    pub depth: usize,
    /// The time at which the call began; 0 for the root.
    pub start: u64,
    /// The visitor's data about the call.
    pub mark: &'m mut M,
}

/// Receives the calls of a location. All methods do nothing by default.
pub trait Visitor {
    /// The visitor's data about each open call. Outside all calls, they are the default.
    type Mark: Copy + Default + fmt::Debug;

    /// A call begins. `is_sampled` states whether only samples have seen it.
    #[inline]
    fn enter(
        &mut self,
        _context: ContextId,
        _region: RegionRef,
        _time: u64,
        _is_sampled: bool,
    ) -> Self::Mark {
        Self::Mark::default()
    }

    /// A call ends. The calls inside it have ended before. `outer` belongs to the call around it.
    #[inline]
    fn leave(&mut self, _call: &Call, _mark: Self::Mark, _outer: &mut Self::Mark) {}

    /// A call has ended before the selected time, which begins later. `outer` belongs to the call
    /// around it.
    fn forget(&mut self, _mark: Self::Mark, _outer: &mut Self::Mark) {}

    /// The selected time begins: open calls begin now.
    fn start(&mut self) {}

    /// Another task of the location runs from now on; `None` is the implicit task. `implicit`
    /// belongs to the innermost call of the implicit task.
    fn switch(&mut self, _time: u64, _from: Option<Task>, _to: Option<Task>, _implicit: &mut Self::Mark) {}

    /// A sample shows that the innermost call, which only samples have seen, has been running from
    /// `since` to `time`; without `since`, that it runs from `time` until another event. `mark`
    /// belongs to that call.
    fn seen(
        &mut self,
        _context: ContextId,
        _region: RegionRef,
        _since: Option<u64>,
        _time: u64,
        _mark: &mut Self::Mark,
    ) {
    }

    /// A sample was taken, or a call ended inside contexts that only samples have seen.
    fn sampled(&mut self, _sampled: &Sampled) {}

    /// An event that is none of the above, in the innermost call that was entered and is open. It
    /// comes before `start` if it is before the selected time.
    #[inline]
    fn event(&mut self, _time: u64, _event: &Event<'_>, _inside: Inside<'_, Self::Mark>) {}

    /// An event in the selected time, of any kind, before its consequences.
    #[inline]
    fn record(&mut self, _time: u64, _event: &Event<'_>) {}

    /// All calls so far turn out to be inside a call whose start is missing: their contexts, now
    /// below that call, have new ids. `ids` contains them by the old ones. The call ends next.
    fn enclose(&mut self, _ids: &[ContextId]) {}
}

/// An explicit task: team, creating thread, number.
pub type Task = (u32, u32, u64);
