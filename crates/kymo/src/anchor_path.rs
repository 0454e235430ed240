//! Finds the archive that a path names.

use std::path::{Path, PathBuf};

use crate::problem::Problem;
use crate::status::Status;

/// Returns the anchor file of the archive, by the rules of [`kymo_analysis::anchor_path`].
pub(crate) fn of(path: &Path) -> Result<PathBuf, Problem> {
    kymo_analysis::anchor_path(path).map_err(|error| {
        let status = if error.is_mistake() { Status::Usage } else { Status::Environment };
        Problem::new(error, status)
    })
}
