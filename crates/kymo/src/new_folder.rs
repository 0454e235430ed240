//! A folder that appears under its name only when its contents are complete.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::interruption::{self, Unfinished, step};
use crate::problem::Problem;
use crate::status::Status;
use crate::tree;

/// A folder that is being filled. It is removed if it is not finished.
#[derive(Debug)]
pub(crate) struct NewFolder {
    path: PathBuf,
    stage: PathBuf,
    has_name: bool,
}

impl NewFolder {
    /// Starts a folder, which must not exist, or be empty.
    pub(crate) fn create(path: &Path) -> Result<Self, Problem> {
        if tree::names(path).is_ok_and(|names| !names.is_empty()) || path.is_file() {
            return Err(Problem::of(path, "already exists", Status::Usage));
        }
        let stage = unfinished_path(path);
        interruption::watch(Unfinished { stage: stage.clone(), folders: Vec::new() });
        let new = Self { path: path.to_owned(), stage, has_name: false };
        let _step = step();
        // A process that was killed may have left it.
        tree::remove(&new.stage)
            .and_then(|()| fs::create_dir(&new.stage))
            .map_err(|error| Problem::of(path, error, Status::Environment))?;
        Ok(new)
    }

    /// Returns where the folder is while it is being filled.
    pub(crate) fn stage(&self) -> &Path {
        &self.stage
    }

    /// Gives the folder its name.
    pub(crate) fn finish(mut self) -> Result<(), Problem> {
        let _step = step();
        fs::rename(&self.stage, &self.path)
            .map_err(|error| Problem::of(&self.path, error, Status::Environment))?;
        self.has_name = true;
        Ok(())
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if !self.has_name {
            let _ = tree::remove(&self.stage);
        }
        interruption::forget(&self.stage);
    }
}

/// Returns the path of the folder while it is being filled.
fn unfinished_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".kymo-new");
    path.with_file_name(name)
}
