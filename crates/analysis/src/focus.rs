//! The part of a run between the begin and the end of MPI.

use crate::calls::{Call, Visitor};
use crate::contexts::ContextId;
use crate::error::Error;
use crate::functions::{CommunicationFunctions, that_begin_mpi};
use crate::pass::{self, Selection};
use crate::trace::{Location, Trace};
use kymo_otf2::references::RegionRef;

/// The times of a location, in nanoseconds.
#[derive(Debug)]
struct MpiTimes<'t> {
    functions: &'t CommunicationFunctions,
    begin: &'t [RegionRef],
    /// The last end of `MPI_Init` or `MPI_Init_thread`.
    initialised: Option<u64>,
    /// The first start of `MPI_Finalize`.
    finalising: Option<u64>,
}

impl Visitor for MpiTimes<'_> {
    /// Whether the call is one that begins MPI.
    type Mark = bool;

    #[inline]
    fn enter(&mut self, _context: ContextId, region: RegionRef, time: u64, _is_sampled: bool) -> bool {
        if self.functions.finalizes(region) {
            self.finalising.get_or_insert(time);
        }
        self.begin.contains(&region)
    }

    #[inline]
    fn leave(&mut self, call: &Call, begins: bool, _outer: &mut bool) {
        if begins {
            self.initialised = Some(call.end);
        }
    }
}

/// Returns the time from the last end of `MPI_Init`, of all locations, to the first start of
/// `MPI_Finalize`, in nanoseconds, if the trace has both. All locations that are selected are read,
/// of all parts, whatever the selected time; one that cannot be read to its end counts up to there.
///
/// # Errors
///
/// If there are too many calling contexts.
pub fn focus(trace: &Trace, selection: &Selection) -> Result<Option<(u64, u64)>, Error> {
    let functions = CommunicationFunctions::of(trace);
    let begin = that_begin_mpi(trace);
    let whole = Selection {
        locations: selection.locations.clone(),
        threads: selection.threads,
        watcher: selection.watcher.clone(),
        ..Selection::default()
    };
    let work = |location: &Location| {
        let times = MpiTimes { functions: &functions, begin: &begin, initialised: None, finalising: None };
        pass::location(trace, &whole, location.id, times)
    };
    let (mut from, mut to) = (None, None);
    pass::each(trace, &whole, work, |_, read| {
        // A call that did not end was closed at the end of the trace.
        let last = read.span.map_or(0, |span| span.1);
        let has_ended = |end: &u64| *end < last || *end == last && read.remarks.closed_at_end == 0;
        from = from.max(read.visitor.initialised.filter(has_ended));
        to = [to, read.visitor.finalising].into_iter().flatten().min();
        Ok(())
    })?;
    Ok(from.zip(to).filter(|(from, to)| from <= to))
}
