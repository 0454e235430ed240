//! Traces for analysis: opening, and messages about what was wrong in them.

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

/// Returns the problem after an analysis failed.
pub(crate) fn problem(trace: &Trace, error: &Error) -> Problem {
    match error {
        Error::Otf2(error) => Problem::of_archive(trace.archive(), error),
        other => Problem::new(other, Status::Limit),
    }
}

/// Reports the locations that were not readable to their end, and what was irregular.
pub(crate) fn report(trace: &Trace, failures: &[(LocationRef, Error)], remarks: &Remarks) -> Status {
    for (location, failure) in failures {
        complain(&format!("location {}: {}", location.0, problem(trace, failure).what()));
    }
    let anchor = trace.archive().path(FileName::Anchor);
    for (count, what) in remarks.iter() {
        inform(&format!("{}: {what}: {count}", anchor.display()));
    }
    if failures.is_empty() { Status::Done } else { Status::Partial }
}
