//! Parts of the statistics: the findings of `kymo check`, then the contribution of each location.

use std::path::{Path, PathBuf};

use kymo_analysis::spill::Spill;
use kymo_analysis::statistics::{Contribution, Joining, Statistics, contributions};
use kymo_analysis::{Selection, Trace};
use kymo_otf2::references::LocationRef;
use serde_json::Value;

use crate::new_file::NewFile;
use crate::part::{Header, PartFile, Set};
use crate::problem::Problem;
use crate::status::Status;
use crate::trace;

/// A location and its contribution, but for its rows.
type OfLocation = Option<(LocationRef, Contribution)>;

/// Writes a part.
pub(super) fn write(
    trace: &Trace,
    selection: &Selection,
    check: Option<Value>,
    output: &Path,
) -> Result<Status, Problem> {
    let mut new = NewFile::create(output)?;
    let mut file = PartFile::start(&mut new, output, &Header::of(trace, "stats", selection, Vec::new()))?;
    file.put(&check.map(|check| check.to_string()))?;
    let (spill, mut status, mut failure) = (Spill::default(), Status::Done, None);
    let written = contributions(trace, selection, &spill, |location, mut contribution, rows| {
        if let Some(error) = contribution.failure.take() {
            status = Status::Partial;
            trace::complain_of(trace, location.id, &error);
            contribution.failure = Some(trace::described(trace, &error));
        }
        let put = || {
            file.put(&OfLocation::Some((location.id, contribution)))?;
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

/// Joins all parts. Returns the findings of `kymo check` as well.
pub(super) fn join(paths: &[PathBuf]) -> Result<(Trace, Statistics, Option<Value>), Problem> {
    let Set { trace, parts, .. } = Set::open(paths, "stats")?;
    let (spill, mut found) = (Spill::default(), None);
    let mut joining = Joining::new(&trace);
    for (_, mut part) in parts {
        let check: Option<String> = part.get()?;
        found = found.or(check.and_then(|text| serde_json::from_str(&text).ok()));
        while let Some((id, contribution)) = part.get::<OfLocation>()? {
            let location =
                trace.location(id).ok_or_else(|| part.unknown("a location that is not defined"))?;
            let rows = part.rows(&spill)?;
            joining.add(location, contribution, rows);
        }
    }
    let statistics = joining.finish(&spill).map_err(|error| trace::problem(&trace, &error))?;
    Ok((trace, statistics, found))
}
