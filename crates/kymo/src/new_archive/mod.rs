//! A new archive: the place of a result. It must be free, and nothing appears there before the
//! result is complete ([`staging`]).

pub(crate) mod staging;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use kymo_otf2::archive::DEFAULT_NAME;
use kymo_otf2::{Error, FileName, Storage};

use self::staging::Staged;
use crate::problem::Problem;
use crate::status::Status;
use crate::{regular, tree};

/// An archive that is being written.
#[derive(Debug)]
pub(crate) struct NewArchive {
    anchor: PathBuf,
    folder: PathBuf,
    name: String,
    pub(crate) storage: Staged,
}

/// The files that the result may have next to its folder, except thumbnails.
const FILES: [FileName; 4] =
    [FileName::Anchor, FileName::GlobalDefinitions, FileName::Markers, FileName::Seal];
/// The number of bytes copied in one step.
const PIECE: usize = 1 << 20;

impl NewArchive {
    /// Returns the archive that an option `-o` names: the anchor file if it ends with `.otf2`, else
    /// `traces.otf2` in a folder.
    pub(crate) fn named(output: &Path) -> Result<Self, Problem> {
        Self::at(&anchor(output))
    }

    /// Returns the archive of this anchor file. None of its files may exist.
    pub(crate) fn at(anchor: &Path) -> Result<Self, Problem> {
        let (folder, name) = parts(anchor).ok_or_else(|| {
            Problem::of(anchor, "expected an anchor file, whose name ends in .otf2", Status::Usage)
        })?;
        let storage =
            Staged::new(&folder, &name).map_err(|error| Problem::of(anchor, error, Status::Environment))?;
        let output = Self { anchor: anchor.to_owned(), folder, name, storage };
        let files = output.files().map(|file| output.path(file));
        match files.chain([output.locations()]).find(|path| path.symlink_metadata().is_ok()) {
            Some(path) => Err(Problem::of(&path, "already exists", Status::Usage)),
            None => Ok(output),
        }
    }

    /// Creates the place where the archive is written.
    pub(crate) fn create(&self) -> Result<(), Problem> {
        self.storage.create().map_err(|error| self.problem(&Error::Io { file: None, source: error }))
    }

    /// Copies a regular file to this file of the archive.
    pub(crate) fn copy(&self, from: &Path, file: FileName) -> Result<(), Problem> {
        let cannot_read = |error| Problem::of(from, error, Status::Environment);
        let mut source = regular::open(from).map_err(cannot_read)?;
        let (mut piece, mut offset) = (vec![0; PIECE], 0);
        // An empty file must be created, too.
        self.write(file, 0, &[])?;
        loop {
            let count = read(&mut source, &mut piece).map_err(cannot_read)?;
            let bytes = piece.get(..count).unwrap_or_default();
            if bytes.is_empty() {
                return Ok(());
            }
            self.write(file, offset, bytes)?;
            offset += count as u64;
        }
    }

    fn write(&self, file: FileName, offset: u64, bytes: &[u8]) -> Result<(), Problem> {
        let written = self.storage.write_at(file, offset, bytes);
        written.map_err(|source| self.problem(&Error::Io { file: Some(file), source }))
    }

    /// Completes the archive if `written` is a success: it appears under its name. Otherwise
    /// everything written is removed.
    pub(crate) fn finish<T>(&self, written: Result<T, Problem>) -> Result<T, Problem> {
        let named = written.and_then(|result| {
            let named = self.storage.commit();
            named.map(|()| result).map_err(|source| self.problem(&Error::Io { file: None, source }))
        });
        if named.is_err() {
            self.storage.discard();
        }
        named
    }

    /// Returns the path of the anchor as long as the archive does not appear under its name.
    pub(crate) fn staged_anchor(&self) -> Option<PathBuf> {
        self.storage.anchor()
    }

    /// Returns the files that the archive may have next to its folder, and the thumbnails that
    /// exist.
    fn files(&self) -> impl Iterator<Item = FileName> + use<> {
        FILES.into_iter().chain(thumbnails(&self.folder, &self.name))
    }

    /// Returns the path of a file.
    pub(crate) fn path(&self, file: FileName) -> PathBuf {
        self.folder.join(file.path(&self.name).to_string())
    }

    /// Returns the folder of the location files.
    fn locations(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    /// Returns the problem after a failed write.
    pub(crate) fn problem(&self, error: &Error) -> Problem {
        let path = error.file().map_or_else(|| self.anchor.clone(), |file| self.path(file));
        match error {
            Error::Io { source, .. } if is_full(source) => Problem::of_full_disk(&path, source),
            Error::Io { source, .. } if source.kind() == ErrorKind::AlreadyExists => {
                Problem::of(&path, "already exists", Status::Usage)
            }
            Error::Io { source, .. } => Problem::of(&path, source, Status::Environment),
            other => Problem::of(&path, other, Status::Faulty),
        }
    }
}

/// Reads until the buffer is full or the file ends.
fn read(from: &mut File, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut done = 0;
    while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match from.read(rest) {
            Ok(0) => break,
            Ok(count) => done += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// Returns the anchor file that an output path names.
pub(crate) fn anchor(output: &Path) -> PathBuf {
    match output.extension().is_some_and(|extension| extension == "otf2") {
        true => output.to_owned(),
        false => output.join(format!("{DEFAULT_NAME}.otf2")),
    }
}

/// Whether the disk or the quota is full.
fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

/// Returns the thumbnail files of an archive, in no particular order.
pub(crate) fn thumbnails(folder: &Path, name: &str) -> Vec<FileName> {
    let number = |file: &OsStr| {
        let rest = file.to_str()?.strip_prefix(name)?.strip_prefix('.')?;
        rest.strip_suffix(".thumb")?.parse().ok()
    };
    let names = tree::names(folder).unwrap_or_default();
    names.iter().filter_map(|file| number(file)).map(FileName::Thumbnail).collect()
}

/// Returns the folder and the name of an archive.
fn parts(anchor: &Path) -> Option<(PathBuf, String)> {
    anchor.extension().filter(|extension| *extension == "otf2")?;
    let name = anchor.file_stem()?.to_str()?.to_owned();
    let folder = anchor.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some((folder.to_owned(), name))
}
