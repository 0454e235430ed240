//! `kymo seal`: writes checksums of all files of an archive into one file next to it. `kymo check`
//! verifies them.
//!
//! The format of a seal is documented in `kymo_recorder::seal`. Invariants: the files of the
//! archive are only read, and the seal appears only when it is complete.

mod files;

use std::path::{Path, PathBuf};

use clap::Args;
use kymo_otf2::FileName;
use kymo_otf2::storage::Directory;
use kymo_recorder::seal::{put_line, whole};

pub(crate) use self::files::{name_of, of_location, on_disk};
use crate::anchor_path;
use crate::new_file::NewFile;
use crate::output::print;
use crate::problem::Problem;
use crate::status::Status;

/// Add checksums to an archive, for `kymo check` to verify
#[derive(Debug, Args)]
#[command(after_help = "The seal is the file NAME.seal next to the anchor file NAME.otf2. Exit status: 0 \
                  success, 1 not an archive, 2 usage error, 4 I/O error; a new seal is written only on \
                  success")]
pub(crate) struct Arguments {
    /// Anchor file of the archive (*.otf2), or its folder
    #[arg(value_name = "ANCHOR|DIR")]
    archive: PathBuf,
    /// Replace an existing seal
    #[arg(long)]
    renew: bool,
}

impl Arguments {
    /// Seals the archive.
    pub(crate) fn run(&self) -> Status {
        match self.seal() {
            Ok(path) => print(format!("{}\n", path.display())),
            Err(problem) => problem.report(),
        }
    }

    fn seal(&self) -> Result<PathBuf, Problem> {
        let anchor = anchor_path::of(&self.archive)?;
        let (folder, name) = name_of(&anchor).ok_or_else(|| {
            Problem::of(&anchor, "expected an anchor file, whose name ends in .otf2", Status::Usage)
        })?;
        // A file with such a name may be something else.
        kymo_otf2::read::Archive::open(&anchor).map_err(|error| Problem::of_anchor(&anchor, &error))?;
        let path = folder.join(FileName::Seal.path(&name).to_string());
        if !self.renew && path.symlink_metadata().is_ok() {
            return Err(Problem::of(&path, "already exists (--renew replaces it)", Status::Usage));
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
