//! The place of the result. It must be free, and nothing is there before the result is whole.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use kymo_otf2::archive::DEFAULT_NAME;
use kymo_otf2::{Error, FileName, Storage};

use super::problem::Problem;
use super::staging::Staged;
use crate::status::Status;
use crate::{regular, tree};

/// An archive that is written.
#[derive(Debug)]
pub(crate) struct Output {
    anchor: PathBuf,
    folder: PathBuf,
    name: String,
    pub(crate) storage: Staged,
}

/// Files that the result may have beside its folder, besides thumbnails.
const FILES: [FileName; 4] =
    [FileName::Anchor, FileName::GlobalDefinitions, FileName::Markers, FileName::Seal];
/// Bytes that are copied at once.
const PIECE: usize = 1 << 20;

impl Output {
    /// The archive that an option `-o` means: the anchor file if it ends with `.otf2`, else `traces.otf2` in a folder.
    pub(crate) fn named(output: &Path) -> Result<Self, Problem> {
        Self::at(&anchor(output))
    }

    /// The archive of this anchor file, none of whose files is there.
    pub(crate) fn at(anchor: &Path) -> Result<Self, Problem> {
        let (folder, name) = parts(anchor).ok_or_else(|| {
            Problem::of(anchor, "expected an anchor file, whose name ends in .otf2", Status::Usage)
        })?;
        let storage =
            Staged::new(&folder, &name).map_err(|error| Problem::of(anchor, error, Status::Environment))?;
        let output = Self { anchor: anchor.to_owned(), folder, name, storage };
        let files = output.files().map(|file| output.path(file));
        match files.chain([output.locations()]).find(|path| path.symlink_metadata().is_ok()) {
            Some(path) => Err(Problem::of(&path, "is there already", Status::Usage)),
            None => Ok(output),
        }
    }

    /// Makes the place where the archive is written.
    pub(crate) fn create(&self) -> Result<(), Problem> {
        self.storage.create().map_err(|error| self.problem(&Error::Io { file: None, source: error }))
    }

    /// Copies a regular file to this file of the archive.
    pub(crate) fn copy(&self, from: &Path, file: FileName) -> Result<(), Problem> {
        let cannot_read = |error| Problem::of(from, error, Status::Environment);
        let mut source = regular::open(from).map_err(cannot_read)?;
        let (mut piece, mut offset) = (vec![0; PIECE], 0);
        // An empty file is one, too.
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

    /// What was written is whole if `written` says so, and gets its name; else nothing is left of it.
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

    /// The files that it may have beside its folder, those of thumbnails only if they are there.
    fn files(&self) -> impl Iterator<Item = FileName> + use<> {
        FILES.into_iter().chain(thumbnails(&self.folder, &self.name))
    }

    /// Path of a file.
    pub(crate) fn path(&self, file: FileName) -> PathBuf {
        self.folder.join(file.path(&self.name).to_string())
    }

    /// Folder of the files of locations.
    fn locations(&self) -> PathBuf {
        self.folder.join(&self.name)
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
            Error::Io { source, .. } if source.kind() == ErrorKind::AlreadyExists => {
                Problem::of(&path, "is there already", Status::Usage)
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

/// The anchor file that a name for an archive means.
pub(crate) fn anchor(output: &Path) -> PathBuf {
    match output.extension().is_some_and(|extension| extension == "otf2") {
        true => output.to_owned(),
        false => output.join(format!("{DEFAULT_NAME}.otf2")),
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
    let names = tree::names(folder).unwrap_or_default();
    names.iter().filter_map(|file| number(file)).map(FileName::Thumbnail).collect()
}

/// Folder and name of an archive.
fn parts(anchor: &Path) -> Option<(PathBuf, String)> {
    anchor.extension().filter(|extension| *extension == "otf2")?;
    let name = anchor.file_stem()?.to_str()?.to_owned();
    let folder = anchor.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some((folder.to_owned(), name))
}
