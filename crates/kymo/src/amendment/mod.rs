//! Changes to an archive that exists: files that are added or replaced.
//!
//! New files are written into a folder next to the anchor file, the stage, which is locked. When
//! all are complete, each is renamed to its place. Invariants: every file of the archive is the old
//! or the new one at any time, and the anchor announces only files that exist. A stage that is not
//! locked was left by a process that was killed: the next change finishes it if it is complete, and
//! removes it.
//!
//! If the archive has a seal, the files that are replaced must be as they were sealed. Their
//! checksums are renewed, and all others are kept.

mod sealed;

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use kymo_otf2::anchor::ANCHOR_FORMAT;
use kymo_otf2::read::Archive;
use kymo_otf2::storage::{Content, Directory};
use kymo_otf2::write::anchor::anchor_bytes;
use kymo_otf2::{Anchor, Error, FileName, Storage};

use crate::anchor_path;
use crate::interruption::{self, Unfinished, step};
use crate::new_archive::staging::lock;
use crate::new_file::NewFile;
use crate::problem::Problem;
use crate::seal::name_of;
use crate::status::Status;
use crate::tree;

/// The suffix of the names of stages.
const ENDING: &str = ".kymo-change";
/// The file in a stage that lists its files once all are complete, in the order in which they are
/// moved to their places.
const COMPLETE: &str = "complete";
/// The size of the memory for a file that is being written.
pub(crate) const PIECE: usize = 64 << 10;

/// An archive that is being changed.
#[derive(Debug)]
pub(crate) struct Amendment {
    /// The archive as it was.
    pub(crate) archive: Archive,
    /// The place of the new files.
    pub(crate) storage: Stage,
    anchor: PathBuf,
    folder: PathBuf,
    name: String,
    stage: PathBuf,
    /// Holds the lock until it is closed.
    _lock: File,
}

/// The place of new files. Signals wait while something is written there.
#[derive(Debug)]
pub(crate) struct Stage(Directory);

impl Storage for Stage {
    fn create(&self) -> io::Result<()> {
        let _step = step();
        self.0.create()
    }

    fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let _step = step();
        self.0.write_at(file, offset, bytes)
    }

    fn set_len(&self, file: FileName, length: u64) -> io::Result<()> {
        let _step = step();
        self.0.set_len(file, length)
    }

    fn sync(&self, file: FileName) -> io::Result<()> {
        self.0.sync(file)
    }

    fn open(&self, file: FileName) -> io::Result<Box<dyn Content>> {
        self.0.open(file)
    }
}

impl Amendment {
    /// Opens the archive that an anchor file or a folder names, and keeps other changes out.
    pub(crate) fn begin(path: &Path) -> Result<Self, Problem> {
        let anchor = anchor_path::of(path)?;
        let open = || Archive::open(&anchor).map_err(|error| Problem::of_anchor(&anchor, &error));
        let (folder, name) = name_of(&anchor).ok_or_else(|| {
            Problem::of(&anchor, "expected an anchor file, whose name ends in .otf2", Status::Usage)
        })?;
        // Nothing is created next to a file that is no archive.
        drop(open()?);
        let stage = folder.join(format!(".{name}{ENDING}"));
        let (storage, lock) = make(&stage, &name).map_err(|error| {
            Problem::of(&anchor, format_args!("cannot be changed: {error}"), Status::Environment)
        })?;
        // Another process may have changed the archive before this one had the lock.
        match open() {
            Ok(archive) => Ok(Self { archive, storage, anchor, folder, name, stage, _lock: lock }),
            Err(problem) => {
                remove(&stage);
                Err(problem)
            }
        }
    }

    /// Returns the path of a file of the archive.
    pub(crate) fn path(&self, file: FileName) -> PathBuf {
        self.folder.join(file.path(&self.name).to_string())
    }

    /// Returns the problem after a new file could not be written.
    pub(crate) fn problem(&self, error: &Error) -> Problem {
        let path = error.file().map_or_else(|| self.anchor.clone(), |file| self.path(file));
        match error {
            Error::Io { source, .. } => Problem::of(&path, source, Status::Environment),
            other => Problem::of(&path, other, Status::Faulty),
        }
    }

    /// Returns the bytes of an anchor of this archive.
    ///
    /// # Errors
    ///
    /// If the anchor is newer than this program, which would lose a part of it.
    pub(crate) fn anchor_bytes(&self, anchor: &Anchor<'_>) -> Result<Vec<u8>, Problem> {
        if anchor.anchor_format > ANCHOR_FORMAT {
            let what = format!(
                "anchor format {}, but this program can only change formats up to {ANCHOR_FORMAT}",
                anchor.anchor_format
            );
            return Err(Problem::of(&self.anchor, what, Status::Environment));
        }
        anchor_bytes(anchor).map_err(|error| self.problem(&error))
    }

    /// Writes a new file as a whole.
    pub(crate) fn write(&self, file: FileName, bytes: &[u8]) -> Result<(), Problem> {
        let written = self.storage.write_at(file, 0, bytes);
        written.map_err(|source| self.problem(&Error::Io { file: Some(file), source }))
    }

    /// Puts the new files in their places, in this order.
    pub(crate) fn commit(self, files: &[FileName]) -> Result<(), Problem> {
        self.commit_after(files, None)
    }

    /// Like [`commit`](Self::commit), but gives the archive another anchor first, which must not
    /// announce the files that are replaced.
    pub(crate) fn commit_after(self, files: &[FileName], anchor: Option<&[u8]>) -> Result<(), Problem> {
        let mut files = files.to_vec();
        let seal = FileName::Seal;
        if let Some(text) = sealed::renewed(&self, &files)? {
            self.write(seal, text.as_bytes())?;
            files.push(seal);
        }
        for &file in &files {
            let synced = self.storage.sync(file);
            synced.map_err(|source| self.problem(&Error::Io { file: Some(file), source }))?;
        }
        if let Some(anchor) = anchor {
            NewFile::replace(&self.anchor, anchor)?;
        }
        let names: Vec<String> = files.iter().map(|file| file.path(&self.name).to_string()).collect();
        let list: String = names.iter().flat_map(|name| [name, "\n"]).collect();
        NewFile::replace(&self.stage.join(COMPLETE), list.as_bytes())?;
        // A step must not begin another one.
        let _step = step();
        let moved = move_all(&self.stage, &self.folder, names.iter().map(String::as_str));
        moved.map_err(|(path, error)| Problem::of(&path, error, Status::Environment))
    }
}

impl Drop for Amendment {
    fn drop(&mut self) {
        let _step = step();
        remove(&self.stage);
    }
}

/// Creates the stage and locks it.
fn make(stage: &Path, name: &str) -> io::Result<(Stage, File)> {
    let _step = step();
    if stage.symlink_metadata().is_ok() {
        // A process that was killed has left it, unless it is locked.
        let _lock = lock(stage)?;
        finish(stage)?;
        tree::remove(stage)?;
    }
    // Signals wait for the end of this step.
    interruption::start();
    fs::create_dir(stage)?;
    let made = lock(stage).and_then(|lock| {
        let storage = Stage(Directory::open_named(stage, name)?);
        storage.0.create()?;
        Ok((storage, lock))
    });
    match &made {
        Ok(_) => interruption::watch(Unfinished { stage: stage.to_owned(), folders: Vec::new() }),
        // Another process found it before it was locked, and removes it.
        Err(error) if error.kind() == ErrorKind::ResourceBusy => {}
        Err(_) => remove(stage),
    }
    made
}

/// Moves these files out of a stage, in this order. Returns the path of the file that failed.
fn move_all<'n>(
    stage: &Path,
    folder: &Path,
    names: impl Iterator<Item = &'n str>,
) -> Result<(), (PathBuf, io::Error)> {
    for name in names {
        let path = folder.join(name);
        fs::rename(stage.join(name), &path).map_err(|error| (path, error))?;
    }
    Ok(())
}

/// Moves the files that a killed process did not move out of its complete stage, unless another
/// process has replaced one of them since.
fn finish(stage: &Path) -> io::Result<()> {
    let list = stage.join(COMPLETE);
    let Ok(text) = fs::read_to_string(&list) else { return Ok(()) };
    let folder = stage.parent().unwrap_or(Path::new(""));
    let modified = |path: &Path| fs::symlink_metadata(path).and_then(|it| it.modified());
    let since = modified(&list)?;
    let left: Vec<&str> = text.lines().filter(|name| stage.join(name).exists()).collect();
    if left.iter().any(|name| modified(&folder.join(name)).is_ok_and(|time| time > since)) {
        return Ok(());
    }
    move_all(stage, folder, left.into_iter()).map_err(|(_, error)| error)
}

/// Removes a stage. The next change removes files that cannot be removed now.
fn remove(stage: &Path) {
    let _ = tree::remove(stage);
    interruption::forget(stage);
}
