//! Traces for analysis: opening, and messages about faults in them.

use std::path::Path;

use kymo_analysis::{Error, Remarks, Trace};
use kymo_otf2::FileName;
use kymo_otf2::read::Archive;
use kymo_otf2::references::LocationRef;

use crate::anchor_path;
use crate::output::{complain, inform};
use crate::problem::Problem;
use crate::status::Status;

/// Opens a trace, named by its anchor file or its folder.
pub(crate) fn open(path: &Path) -> Result<Trace, Problem> {
    let anchor = anchor_path::of(path)?;
    let archive = Archive::open(&anchor).map_err(|error| Problem::of_anchor(&anchor, &error))?;
    // Kept for messages, which name files of the archive.
    let paths = archive.as_written();
    Trace::of(archive).map_err(|error| match &error {
        Error::Otf2(error) => Problem::of_archive(&paths, error),
        other => Problem::new(other, Status::Limit),
    })
}

/// Returns the number that identifies a trace.
pub(crate) fn identifier(trace: &Trace) -> u64 {
    trace.archive().anchor().trace_id
}

/// Returns an error as another process will report it.
pub(crate) fn described(trace: &Trace, error: &Error) -> Error {
    Error::OfPart(problem(trace, error).what().to_owned())
}

/// Returns the problem after an analysis failed.
pub(crate) fn problem(trace: &Trace, error: &Error) -> Problem {
    match error {
        Error::Otf2(error) => Problem::of_archive(trace.archive(), error),
        other => Problem::new(other, Status::Limit),
    }
}

/// Reports that a location was not readable to its end.
pub(crate) fn complain_of(trace: &Trace, location: LocationRef, failure: &Error) {
    complain(&format!("location {}: {}", location.0, problem(trace, failure).what()));
}

/// Reports the locations that were not readable to their end, and the irregularities.
pub(crate) fn report(trace: &Trace, failures: &[(LocationRef, Error)], remarks: &Remarks) -> Status {
    failures.iter().for_each(|(location, failure)| complain_of(trace, *location, failure));
    let anchor = trace.archive().path(FileName::Anchor);
    for (count, what) in remarks.iter() {
        inform(&format!("{}: {what}: {count}", anchor.display()));
    }
    if failures.is_empty() { Status::Done } else { Status::Partial }
}
