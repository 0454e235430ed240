//! A new archive that appears under its name only when it is complete.
//!
//! It is written into a temporary folder, the stage. If the folder of the archive does not exist,
//! the stage is next to it and is finally renamed to it. Otherwise the stage is inside that folder,
//! and its files are renamed in sequence, the anchor last. The stage is locked while it is written.
//! A stage that is not locked was left by a process that was killed: it is removed, and so is
//! everything that the process had renamed.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use kymo_otf2::storage::{Content, Directory};
use kymo_otf2::{FileName, Storage};
use rustix::fs::{CWD, FlockOperation, RenameFlags, flock, renameat_with};
use rustix::io::Errno;

use crate::interruption::{self, Unfinished, step};
use crate::tree;

/// The suffix of the names of stages.
const ENDING: &str = ".kymo-new";
/// The list of files that are renamed out of a stage, inside it: a line for each with its identity
/// and name.
const MOVED: &str = "moved";

/// The place where an archive is written.
#[derive(Debug)]
pub(crate) struct Staged {
    folder: PathBuf,
    name: String,
    stage: OnceLock<Stage>,
}

#[derive(Debug)]
struct Stage {
    path: PathBuf,
    /// Whether it becomes the folder of the archive.
    is_folder: bool,
    directory: Directory,
    unfinished: Unfinished,
    /// Holds the lock until it is closed.
    _lock: File,
}

impl Staged {
    /// Prepares an archive with this name in this folder. Whatever a killed process has left of it
    /// is removed.
    pub(super) fn new(folder: &Path, name: &str) -> io::Result<Self> {
        let staged = Self { folder: folder.to_owned(), name: name.to_owned(), stage: OnceLock::new() };
        for path in [staged.sibling(), staged.inside()] {
            let _step = step();
            staged.remove_abandoned(&path)?;
        }
        Ok(staged)
    }

    /// Returns the stage for a folder that does not exist.
    fn sibling(&self) -> PathBuf {
        let name = self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.folder.with_file_name(format!(".{name}{ENDING}"))
    }

    /// Returns the stage in a folder that exists.
    fn inside(&self) -> PathBuf {
        self.folder.join(format!(".{}{ENDING}", self.name))
    }

    /// Returns the names of the files and folders to rename, the anchor last.
    fn pieces(&self, stage: &Path) -> io::Result<Vec<String>> {
        let anchor = FileName::Anchor.path(&self.name).to_string();
        let names = tree::names(stage)?.into_iter().filter_map(|name| name.into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name != MOVED && *name != anchor).collect();
        names.sort();
        names.push(anchor);
        Ok(names)
    }

    /// Removes a stage that no process is writing, and the files that were renamed out of it if the
    /// anchor was not.
    fn remove_abandoned(&self, stage: &Path) -> io::Result<()> {
        match fs::symlink_metadata(stage) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(());
            }
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Err(ErrorKind::AlreadyExists.into()),
            Err(error) => return Err(error),
        }
        let _lock = lock(stage)?;
        if stage.join(FileName::Anchor.path(&self.name).to_string()).exists() {
            let moved = fs::read_to_string(stage.join(MOVED)).unwrap_or_default();
            for line in moved.lines() {
                let (identity, name) = line.split_once(' ').unwrap_or_default();
                let path = self.folder.join(name);
                if identify(&path).is_ok_and(|it| it == identity) {
                    tree::remove(&path)?;
                }
            }
        }
        tree::remove(stage)
    }

    fn make(&self) -> io::Result<Stage> {
        let _step = step();
        let is_folder = self.folder.symlink_metadata().is_err();
        let path = if is_folder { self.sibling() } else { self.inside() };
        let mut unfinished = Unfinished { stage: path.clone(), folders: Vec::new() };
        let parent = path.parent().unwrap_or(Path::new(""));
        // Signals wait for the end of this step.
        interruption::start();
        let made = make_folders(parent, &mut unfinished.folders).and_then(|()| {
            fs::create_dir(&path)?;
            let lock = lock(&path)?;
            let directory = Directory::open_named(&path, &self.name)?;
            directory.create()?;
            Ok((directory, lock))
        });
        match made {
            Ok((directory, lock)) => {
                interruption::watch(unfinished.clone());
                Ok(Stage { path, is_folder, directory, unfinished, _lock: lock })
            }
            Err(error) => {
                // Another process has created the stage in the meantime.
                if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::ResourceBusy) {
                    unfinished.stage = PathBuf::new();
                }
                unfinished.remove();
                Err(error)
            }
        }
    }

    /// Makes the complete archive appear under its name.
    pub(super) fn commit(&self) -> io::Result<()> {
        let _step = step();
        let Some(stage) = self.stage.get() else { return Ok(()) };
        if stage.is_folder {
            rename(&stage.path, &self.folder)?;
        } else {
            let mut moved = Vec::new();
            self.rename_pieces(stage, &mut moved).inspect_err(|_| {
                moved.iter().for_each(|path: &PathBuf| drop(tree::remove(path)));
            })?;
            // Only an empty folder and a list remain, which the next run removes.
            let _ = tree::remove(&stage.path);
        }
        interruption::forget(&stage.path);
        Ok(())
    }

    fn rename_pieces(&self, stage: &Stage, moved: &mut Vec<PathBuf>) -> io::Result<()> {
        let mut list = File::create_new(stage.path.join(MOVED))?;
        let pieces = self.pieces(&stage.path)?;
        for name in &pieces {
            writeln!(list, "{} {name}", identify(&stage.path.join(name))?)?;
        }
        for name in &pieces {
            let to = self.folder.join(name);
            rename(&stage.path.join(name), &to)?;
            moved.push(to);
        }
        Ok(())
    }

    /// Removes everything that was written.
    pub(super) fn discard(&self) {
        let _step = step();
        if let Some(stage) = self.stage.get() {
            stage.unfinished.remove();
            interruption::forget(&stage.path);
        }
    }

    /// Returns the path of the anchor before the archive has its name.
    pub(super) fn anchor(&self) -> Option<PathBuf> {
        let anchor = FileName::Anchor.path(&self.name).to_string();
        self.stage.get().map(|stage| stage.path.join(anchor))
    }

    fn directory(&self) -> io::Result<&Directory> {
        self.stage.get().map(|stage| &stage.directory).ok_or(ErrorKind::NotFound.into())
    }
}

impl Storage for Staged {
    fn create(&self) -> io::Result<()> {
        let stage = self.make()?;
        self.stage.set(stage).map_err(|_| ErrorKind::AlreadyExists.into())
    }

    fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let _step = step();
        self.directory()?.write_at(file, offset, bytes)
    }

    fn set_len(&self, file: FileName, length: u64) -> io::Result<()> {
        let _step = step();
        self.directory()?.set_len(file, length)
    }

    fn open(&self, file: FileName) -> io::Result<Box<dyn Content>> {
        self.directory()?.open(file)
    }
}

/// Creates a folder and all missing folders above it, and adds those created to `made`.
fn make_folders(folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    make_folders(folder.parent().unwrap_or(Path::new("")), made)?;
    match fs::create_dir(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        Err(error) => Err(error),
        Ok(()) => {
            made.push(folder.to_owned());
            Ok(())
        }
    }
}

/// Locks a folder. If locks are not supported, this counts as success.
pub(crate) fn lock(folder: &Path) -> io::Result<File> {
    let file = File::open(folder)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => {
            Err(io::Error::new(ErrorKind::ResourceBusy, "another process is writing this archive"))
        }
        _ => Ok(file),
    }
}

/// Renames a file or folder, unless the new name exists.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // The file system does not support this flag.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) if to.symlink_metadata().is_err() => {
            fs::rename(from, to)
        }
        renamed => Ok(renamed?),
    }
}

/// Returns an identity that a file or folder keeps when it is renamed, and that differs from that
/// of a later one with the same name.
fn identify(path: &Path) -> io::Result<String> {
    let metadata = fs::symlink_metadata(path)?;
    Ok(format!("{}-{}-{}", metadata.ino(), metadata.mtime(), metadata.mtime_nsec()))
}
