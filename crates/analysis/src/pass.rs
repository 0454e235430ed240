//! One pass over the events of each location, in parallel.

use crate::calls::{Caller, Checkpoint, Visitor};
use crate::contexts::Contexts;
use crate::error::Error;
use crate::remarks::Remarks;
use crate::trace::{Location, Trace};
use kymo_otf2::references::{LocationRef, RegionRef};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashSet};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::{fmt, thread};

/// The part of a trace to analyse.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The locations, if not all.
    pub locations: Option<HashSet<LocationRef>>,
    /// The first time, in nanoseconds since the start of the trace.
    pub from: u64,
    /// The last time, in nanoseconds since the start of the trace.
    pub to: u64,
    /// The part of the locations.
    pub part: SelectionPart,
    /// The regions whose calls are left out; their time is that of their callers.
    pub left_out: BTreeSet<RegionRef>,
    /// The number of threads.
    pub threads: NonZero<usize>,
    /// Receives how many more events were read, in any of the threads.
    pub watcher: Option<Watcher>,
}

/// Receives numbers of events.
#[derive(Clone)]
pub struct Watcher(pub Arc<dyn Fn(u64) + Send + Sync>);

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

/// The number of events of a location between two calls of the [`Watcher`], a power of two.
const STEP: u64 = 1 << 16;

/// One of several parts into which locations, or groups of them, are dealt in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectionPart {
    /// Which part: from 0 to `count` - 1.
    pub index: u64,
    /// The number of parts.
    pub count: NonZero<u64>,
}

impl SelectionPart {
    /// The only part.
    pub const WHOLE: Self = Self { index: 0, count: NonZero::<u64>::MIN };

    /// Returns whether the part contains the location, or the group, with this number.
    pub fn contains(&self, number: usize) -> bool {
        number as u64 % self.count == self.index
    }
}

impl Default for Selection {
    /// Selects everything, with a thread per core.
    fn default() -> Self {
        let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        Self {
            locations: None,
            from: 0,
            to: u64::MAX,
            part: SelectionPart::WHOLE,
            left_out: BTreeSet::new(),
            threads,
            watcher: None,
        }
    }
}

impl Selection {
    /// Returns whether a location is selected.
    pub fn contains(&self, location: LocationRef) -> bool {
        self.locations.as_ref().is_none_or(|them| them.contains(&location))
    }

    /// Returns the length of the selected part of a span of time.
    pub(crate) fn length_of(&self, (first, last): (u64, u64)) -> u64 {
        last.min(self.to).saturating_sub(first.max(self.from))
    }

    #[cold]
    fn watch(&self, events: u64) {
        if let Some(Watcher(watch)) = &self.watcher {
            watch(events);
        }
    }

    /// Returns the locations of all parts together, with their numbers in the trace.
    pub fn of_all_parts<'t>(&self, trace: &'t Trace) -> Vec<(usize, &'t Location)> {
        let all = trace.locations().iter().enumerate();
        all.filter(|(_, location)| self.contains(location.id)).collect()
    }

    /// Returns the locations of the part, with their numbers in the trace.
    pub fn of<'t>(&self, trace: &'t Trace) -> Vec<(usize, &'t Location)> {
        let all = self.of_all_parts(trace).into_iter().enumerate();
        all.filter(|(place, _)| self.part.contains(*place)).map(|(_, location)| location).collect()
    }
}

/// The result for a location.
#[derive(Debug)]
pub struct Read<V> {
    /// The visitor of the calls.
    pub visitor: V,
    /// The contexts of the calls.
    pub contexts: Contexts,
    /// The number of events.
    pub events: u64,
    /// The times of the first and the last event, in nanoseconds, if there are events.
    pub span: Option<(u64, u64)>,
    /// Whether there are events after the selected time.
    pub is_cut: bool,
    /// The counts of irregular events.
    pub remarks: Remarks,
    /// Why the events after the last one could not be read.
    pub failure: Option<Error>,
}

impl<V> Read<V> {
    /// Returns the result with another visitor.
    pub fn map<W>(self, change: impl FnOnce(V) -> W) -> Read<W> {
        let Read { visitor, contexts, events, span, is_cut, remarks, failure } = self;
        Read { visitor: change(visitor), contexts, events, span, is_cut, remarks, failure }
    }
}

/// Why reading stops.
enum Stop {
    /// The end of the selected time.
    End,
    Error(Error),
}

impl From<kymo_otf2::Error> for Stop {
    fn from(error: kymo_otf2::Error) -> Self {
        Self::Error(error.into())
    }
}

/// Passes the calls of a location to a visitor.
pub fn location<V: Visitor>(trace: &Trace, selection: &Selection, id: LocationRef, visitor: V) -> Read<V> {
    location_from(trace, selection, id, &Checkpoint::default(), visitor)
}

/// Passes the calls of a location to a visitor. Reading begins at a checkpoint that is before
/// the selected time, or the first one.
pub fn location_from<V: Visitor>(
    trace: &Trace,
    selection: &Selection,
    id: LocationRef,
    checkpoint: &Checkpoint,
    mut visitor: V,
) -> Read<V> {
    let mut caller = Caller::new(trace, selection.from);
    caller.leave_out(selection.left_out.iter().copied());
    let (mut read, mut events, mut early) = (0, 0, 0);
    let stop = trace.archive().events(id.0).map_err(Stop::from).and_then(|mut reader| {
        let clock = *trace.clock();
        if checkpoint.number > 1 {
            reader.seek(checkpoint.number)?;
        }
        caller.reopen(checkpoint, &mut visitor).map_err(Stop::Error)?;
        reader.each(|event| {
            early += u64::from(event.time < clock.start());
            let time = clock.nanoseconds(event.time);
            if time > selection.to {
                return Err(Stop::End);
            }
            read += 1;
            events += u64::from(time >= selection.from);
            if read & (STEP - 1) == 0 {
                selection.watch(STEP);
            }
            caller.event(time, &event.record, &mut visitor).map_err(Stop::Error)
        })
    });
    selection.watch(read & (STEP - 1));
    let is_cut = matches!(stop, Err(Stop::End));
    let end = if is_cut { selection.to } else { trace.clock().length().min(selection.to) };
    let span = caller.span();
    caller.finish(end, is_cut, &mut visitor);
    let (contexts, mut remarks) = caller.into_parts();
    remarks.early = early;
    let failure = match stop {
        Err(Stop::Error(error)) => Some(error),
        _ => None,
    };
    Read { visitor, contexts, events, span, is_cut, remarks, failure }
}

/// Returns the times of the first and the last event of the selection, in nanoseconds, if there are
/// any.
pub fn span(trace: &Trace, selection: &Selection) -> Option<(u64, u64)> {
    let selection = Selection { watcher: None, ..selection.clone() };
    let mut all = None;
    let read = |it: &Location| location(trace, &selection, it.id, ()).span;
    let joined = each(trace, &selection, read, |_, span| {
        if let Some((first, last)) = span {
            let (from, to) = all.get_or_insert((first, last));
            (*from, *to) = (first.min(*from), last.max(*to));
        }
        Ok(())
    });
    joined.ok().and(all)
}

/// Returns the start and the length of the selected time, in nanoseconds. Where the clock
/// properties do not have a length, it is the time of the events, which are read for that.
pub fn selected_time(trace: &Trace, selection: &Selection) -> (u64, u64) {
    let Selection { from, to, .. } = *selection;
    match trace.clock().length() {
        0 => {
            let (first, last) = span(trace, selection).unwrap_or((from, from));
            let from = first.max(from);
            (from, last.saturating_sub(from))
        }
        length => (from, length.min(to).saturating_sub(from)),
    }
}

/// Runs `work` for each selected location, in several threads, and passes the results to `join`,
/// in any order. Stops at the first error of `join`.
///
/// # Errors
///
/// The error of `join`.
pub fn each<T: Send>(
    trace: &Trace,
    selection: &Selection,
    work: impl Fn(&Location) -> T + Sync,
    join: impl FnMut(&Location, T) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let locations = selection.of(trace);
    let next = AtomicUsize::new(0);
    let joined = Mutex::new((join, Ok(())));
    let run = || {
        while let Some((_, location)) = locations.get(next.fetch_add(1, Relaxed)) {
            let result = work(location);
            let Ok(mut joined) = joined.lock() else { return };
            let (join, state) = &mut *joined;
            if state.is_ok() {
                *state = join(location, result);
            }
            if state.is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..selection.threads.get().min(locations.len()) {
            // With fewer threads than wanted, the others do the work.
            let _ = thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    joined.into_inner().map_or(Ok(()), |(_, state)| state)
}
