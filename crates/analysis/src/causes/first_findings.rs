//! The first reading of locations.

use crate::contexts::Contexts;
use crate::delays::StartCall;
use crate::error::Error;
use crate::functions::{self, CommunicationFunctions};
use crate::iterations::RepeatedCalls;
use crate::pass::Selection;
use crate::spill::{Spill, SpilledRows};
use crate::statistics::{Contribution, FirstReading};
use crate::trace::{Location, Trace};
use crate::waits::EventCall;
use serde::{Deserialize, Serialize};

/// The findings of the first reading of a location, beside its rows.
#[derive(Debug, Serialize, Deserialize)]
pub struct FirstFindings {
    pub(super) contribution: Contribution,
    /// The calls that repeat.
    pub(super) repeated: Option<RepeatedCalls>,
    /// The end of the call that began MPI, if delay costs are wanted.
    pub(super) start: Option<EventCall>,
}

impl FirstFindings {
    /// Takes why the events after the last one could not be read.
    pub fn take_failure(&mut self) -> Option<Error> {
        self.contribution.failure.take()
    }

    /// Sets why the events after the last one could not be read.
    pub fn set_failure(&mut self, failure: Error) {
        self.contribution.failure = Some(failure);
    }
}

/// Passes the findings of the first reading of each selected location, in any order: to
/// [`CauseJoin`](super::CauseJoin), now or later. `has_delays` says whether delay costs are wanted
/// then.
///
/// # Errors
///
/// Like [`of`](super::of), and the errors of `each`.
pub fn first_findings(
    trace: &Trace,
    selection: &Selection,
    spill: &Spill,
    has_delays: bool,
    mut each: impl FnMut(&Location, FirstFindings, SpilledRows) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let mut begin = functions::that_begin_mpi(trace);
    begin.retain(|_| has_delays);
    let functions = CommunicationFunctions::of(trace);
    let read = FirstReading { trace, selection, spill, functions: &functions, keeps_postings: has_delays };
    read.each(
        |_| StartCall::new(&begin),
        |location, mut contribution, rows, (start, _): (StartCall<'_>, Contexts)| {
            let (repeated, start) = (contribution.repeated(), start.event(location.id));
            each(location, FirstFindings { contribution, repeated, start }, rows)
        },
    )
}
