//! Why locations waited, and the critical path, on which the length of the run depends.
//!
//! Wait states, which a first reading finds (`first_findings.rs`), say for whom a location waited.
//! The activity of that location in that time is to blame; if it waited as well, that of the
//! location for which it waited is, and so on (`chains.rs`). The critical path is followed in the
//! same way from the end of the run (`critical_path.rs`). Both give intervals of locations, in
//! which a second reading finds the calling contexts (`summation.rs`). `join.rs` leads from the one
//! to the other.
//!
//! Invariants: the blame of all places, with that of nobody, is exactly the time of all wait
//! states; the critical path has no gaps, and its times by context add up to its length. Memory
//! grows with the wait states of the locations that are being read, not with all of them.

mod chains;
mod critical_path;
mod first_findings;
mod join;
mod longest_waits;
mod path_search;
mod place_times;
mod results;
mod run_tables;
mod sampled_times;
mod second_reading;
mod summation;
mod thread_selection;
mod weights;

use crate::error::Error;
use crate::pass::Selection;
use crate::spill::Spill;
use crate::trace::Trace;

pub use crate::alike::AlikeLocations;
pub use crate::overlap::Overlap;
pub use critical_path::{PathFacts, Segment};
pub use first_findings::{FirstFindings, first_findings};
pub use join::CauseJoin;
pub use longest_waits::PlacedWait;
pub use path_search::PathSearch;
pub use place_times::PlaceTimes;
pub use results::{Causes, Extras, Kept};
pub use run_tables::{RunRow, RunTables};

/// Finds the causes of wait states in a trace, which is read twice.
///
/// # Errors
///
/// If there are too many calling contexts, or a temporary file cannot be used. Locations that
/// cannot be read are in [`Statistics::failures`](crate::statistics::Statistics::failures).
pub fn of(trace: &Trace, selection: &Selection, kept: Kept) -> Result<Causes, Error> {
    with(trace, selection, kept, Extras::default())
}

/// Finds more as well.
///
/// # Errors
///
/// Like [`of`].
pub fn with(trace: &Trace, selection: &Selection, kept: Kept, extras: Extras) -> Result<Causes, Error> {
    let spill = Spill::default();
    let mut join = CauseJoin::new(trace, &spill, extras);
    first_findings(trace, selection, &spill, extras.delays, |location, findings, rows| {
        join.add(location, findings, rows);
        Ok(())
    })?;
    join.finish(selection, kept)
}
