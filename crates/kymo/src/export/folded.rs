//! Folded stacks: `--format folded`, the same lines that `kymo profile --format folded` prints.

use std::fs::File;
use std::path::{Path, PathBuf};

use kymo_analysis::profile::{self, Profile};

use super::Work;
use crate::new_file::print_or_write;
use crate::part::{PartFile, PartReader};
use crate::problem::Problem;
use crate::profile::folded_stacks;
use crate::status::Status;
use crate::trace;

pub(super) fn export(work: &Work<'_>, output: &Path) -> Result<Status, Problem> {
    write(work, &profile_of(work)?, output)
}

pub(super) fn part(work: &Work<'_>, mut file: PartFile<File>) -> Result<Status, Problem> {
    let mut profile = profile_of(work)?;
    let status = trace::report(work.trace, &profile.failures, &profile.remarks);
    for (_, error) in &mut profile.failures {
        *error = trace::described(work.trace, error);
    }
    file.put(&profile)?;
    file.end()?;
    Ok(status)
}

pub(super) fn join(
    work: &Work<'_>,
    parts: Vec<(PathBuf, PartReader)>,
    output: &Path,
) -> Result<Status, Problem> {
    let mut profile = Profile::default();
    for (path, mut part) in parts {
        let joined = profile.join(part.get()?);
        joined.map_err(|error| Problem::of(&path, error, Status::Environment))?;
    }
    write(work, &profile, output)
}

fn profile_of(work: &Work<'_>) -> Result<Profile, Problem> {
    profile::of(work.trace, work.selection).map_err(|error| trace::problem(work.trace, &error))
}

fn write(work: &Work<'_>, profile: &Profile, output: &Path) -> Result<Status, Problem> {
    let status = trace::report(work.trace, &profile.failures, &profile.remarks);
    Ok(status.max(print_or_write(output, folded_stacks(work.trace, profile))?))
}
