//! The place of the result. It must be free, and what was written there is removed if the merge fails.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use kymo_otf2::storage::Directory;
use kymo_otf2::{Error, FileName, Storage};

use super::problem::Problem;
use crate::status::Status;

/// An archive that is written.
#[derive(Debug)]
pub(crate) struct Output {
    anchor: PathBuf,
    folder: PathBuf,
    name: String,
    pub(crate) storage: Directory,
}

/// Files that the result may have beside its folder, besides thumbnails.
const FILES: [FileName; 4] =
    [FileName::Anchor, FileName::GlobalDefinitions, FileName::Markers, FileName::Seal];

impl Output {
    /// The archive of this anchor file, none of whose files is there.
    pub(crate) fn at(anchor: &Path) -> Result<Self, Problem> {
        let (folder, name) = parts(anchor).ok_or_else(|| {
            Problem::of(anchor, "expected the name of an anchor file, which ends with .otf2", Status::Usage)
        })?;
        let storage = Directory::make(&folder, &name)
            .map_err(|error| Problem::of(&folder, error, Status::Environment))?;
        let output = Self { anchor: anchor.to_owned(), folder, name, storage };
        let files = output.files().map(|file| output.path(file));
        match files.chain([output.locations()]).find(|path| path.symlink_metadata().is_ok()) {
            Some(path) => Err(Problem::of(&path, "is there already", Status::Usage)),
            None => Ok(output),
        }
    }

    /// Makes the folder of the locations; who makes it owns the archive.
    pub(crate) fn create(&self) -> Result<(), Problem> {
        self.storage.create().map_err(|error| Problem::of(&self.locations(), error, Status::Environment))
    }

    /// Removes what was written.
    pub(crate) fn discard(&self) {
        // It failed before; why has been said or will be.
        let _ = fs::remove_dir_all(self.locations());
        for file in self.files() {
            let _ = fs::remove_file(self.path(file));
        }
    }

    /// The files that it may have beside its folder, those of thumbnails only if they are there.
    fn files(&self) -> impl Iterator<Item = FileName> + use<> {
        FILES.into_iter().chain(thumbnails(&self.folder, &self.name))
    }

    /// Path of a file.
    pub(crate) fn path(&self, file: FileName) -> PathBuf {
        self.folder.join(file.path(&self.name).to_string())
    }

    /// Folder of the files of locations.
    pub(crate) fn locations(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    /// Path of the anchor file.
    pub(crate) fn anchor(&self) -> &Path {
        &self.anchor
    }

    /// Writing failed.
    pub(crate) fn problem(&self, error: &Error) -> Problem {
        let path = error.file().map_or_else(|| self.anchor.clone(), |file| self.path(file));
        match error {
            Error::Io { source, .. } if is_full(source) => Problem::of(
                &path,
                format_args!("{source}; name a place that has room (-o)"),
                Status::Environment,
            ),
            Error::Io { source, .. } => Problem::of(&path, source, Status::Environment),
            other => Problem::of(&path, other, Status::Faulty),
        }
    }
}

/// Whether there is no room for more.
fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

/// The thumbnail files of an archive, in no order.
pub(crate) fn thumbnails(folder: &Path, name: &str) -> Vec<FileName> {
    let number = |file: &OsStr| {
        let rest = file.to_str()?.strip_prefix(name)?.strip_prefix('.')?;
        rest.strip_suffix(".thumb")?.parse().ok()
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| number(&entry.file_name())).map(FileName::Thumbnail).collect()
}

/// Folder and name of an archive.
fn parts(anchor: &Path) -> Option<(PathBuf, String)> {
    anchor.extension().filter(|extension| *extension == "otf2")?;
    let name = anchor.file_stem()?.to_str()?.to_owned();
    let folder = anchor.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some((folder.to_owned(), name))
}
