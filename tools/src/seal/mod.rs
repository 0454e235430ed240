//! `kymo seal`: puts checksums of all files of an archive into one file beside it, which `kymo check` compares with.
//!
//! What a seal looks like is `kymo_recorder::seal`. Invariants: the files of the archive are only read, and the seal appears when it is
//! whole.

mod files;

use std::path::{Path, PathBuf};

use clap::Args;
use kymo_otf2::FileName;
use kymo_otf2::storage::Directory;
use kymo_recorder::seal::{put_line, whole};

pub(crate) use self::files::{name_of, of_location, on_disk};
use crate::anchor_path;
use crate::merge::problem::Problem;
use crate::new_file::NewFile;
use crate::output::print;
use crate::status::Status;

/// Add checksums to an archive, which `kymo check` compares with
#[derive(Debug, Args)]
#[command(
    after_help = "The seal is the file NAME.seal beside the anchor file NAME.otf2. Exit status: 0 done, 1 no archive, 2 usage, \
                  4 input/output; without success there is no new seal"
)]
pub(crate) struct Arguments {
    /// Anchor file of the archive (*.otf2), or its folder
    #[arg(value_name = "ANCHOR|DIR")]
    archive: PathBuf,
    /// Replace the seal that is there
    #[arg(long)]
    renew: bool,
}

impl Arguments {
    /// Seals the archive.
    pub(crate) fn run(&self) -> Status {
        match self.seal() {
            Ok(path) => print(&format!("{}\n", path.display())),
            Err(problem) => problem.report(),
        }
    }

    fn seal(&self) -> Result<PathBuf, Problem> {
        let anchor = anchor_path::of(&self.archive)?;
        let (folder, name) = name_of(&anchor).ok_or_else(|| {
            Problem::of(&anchor, "expected the name of an anchor file, which ends with .otf2", Status::Usage)
        })?;
        // Whatever has such a name.
        kymo_otf2::read::Archive::open(&anchor).map_err(|error| Problem::of_anchor(&anchor, &error))?;
        let path = folder.join(FileName::Seal.path(&name).to_string());
        if !self.renew && path.symlink_metadata().is_ok() {
            return Err(Problem::of(&path, "is there already (--renew makes another)", Status::Usage));
        }
        let text = whole(&lines(&folder, &name)?);
        NewFile::replace(&path, text.as_bytes())?;
        Ok(path)
    }
}

fn lines(folder: &Path, name: &str) -> Result<String, Problem> {
    let failed = |path: &Path, error| Problem::of(path, error, Status::Environment);
    let storage = Directory::open_named(folder, name).map_err(|error| failed(folder, error))?;
    let mut lines = String::new();
    for file in on_disk(folder, name).map_err(|error| failed(folder, error))? {
        let path = folder.join(file.path(name).to_string());
        put_line(&storage, file, &mut lines).map_err(|error| failed(&path, error))?;
    }
    Ok(lines)
}
