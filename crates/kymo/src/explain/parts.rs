//! Parts of an explanation: the findings of the first reading of each location.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use kymo_analysis::causes::{CauseJoin, Causes, Extras, FirstFindings, Kept, first_findings};
use kymo_analysis::spill::Spill;
use kymo_analysis::{Selection, Trace};
use kymo_otf2::references::LocationRef;

use crate::new_file::NewFile;
use crate::part::{Header, PartFile, Set};
use crate::problem::Problem;
use crate::status::Status;
use crate::trace;

/// A location and its findings, but for its rows.
type OfLocation = Option<(LocationRef, FirstFindings)>;

/// Writes a part.
pub(super) fn write(trace: &Trace, selection: &Selection, output: &Path) -> Result<Status, Problem> {
    let mut new = NewFile::create(output)?;
    let mut file = PartFile::start(&mut new, output, &Header::of(trace, "explain", selection, Vec::new()))?;
    let (spill, mut status, mut failure) = (Spill::default(), Status::Done, None);
    let written = first_findings(trace, selection, &spill, true, |location, mut findings, rows| {
        if let Some(error) = findings.take_failure() {
            status = Status::Partial;
            trace::complain_of(trace, location.id, &error);
            findings.set_failure(trace::described(trace, &error));
        }
        let put = || {
            file.put(&OfLocation::Some((location.id, findings)))?;
            file.rows(&spill, rows)
        };
        if failure.is_none() {
            failure = put().err();
        }
        Ok(())
    });
    written.map_err(|error| trace::problem(trace, &error))?;
    failure.map_or(Ok(()), Err)?;
    file.put(&OfLocation::None)?;
    file.end()?;
    new.finish()?;
    Ok(status)
}

/// Joins all parts, and reads the trace again. Returns the selection as well.
pub(super) fn join(
    paths: &[PathBuf],
    jobs: Option<NonZero<usize>>,
    extras: Extras,
    kept: Kept,
) -> Result<(Trace, Selection, Causes), Problem> {
    let Set { header, trace, parts } = Set::open(paths, "explain")?;
    let mut selection = header.selection();
    selection.threads = jobs.unwrap_or(selection.threads);
    let spill = Spill::default();
    let mut join = CauseJoin::new(&trace, &spill, extras);
    for (_, mut part) in parts {
        while let Some((id, findings)) = part.get::<OfLocation>()? {
            let location =
                trace.location(id).ok_or_else(|| part.unknown("a location that is not defined"))?;
            let rows = part.rows(&spill)?;
            join.add(location, findings, rows);
        }
    }
    let causes = join.finish(&selection, kept).map_err(|error| trace::problem(&trace, &error))?;
    Ok((trace, selection, causes))
}
