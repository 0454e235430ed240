//! Folded stacks: `--format folded`, the same lines that `kymo profile --format folded` prints.

use std::path::Path;

use kymo_analysis::{Selection, Trace, profile};

use crate::new_file::NewFile;
use crate::output::print;
use crate::problem::Problem;
use crate::profile::folded_stacks;
use crate::status::Status;
use crate::trace;

pub(super) fn export(trace: &Trace, selection: &Selection, output: &Path) -> Result<Status, Problem> {
    let profile = profile::of(trace, selection).map_err(|error| trace::problem(trace, &error))?;
    let status = trace::report(trace, &profile.failures, &profile.remarks);
    let text = folded_stacks(trace, &profile);
    let written = match output.as_os_str() == "-" {
        true => print(&text),
        false => NewFile::replace(output, text.as_bytes()).map(|()| Status::Done)?,
    };
    Ok(status.max(written))
}
