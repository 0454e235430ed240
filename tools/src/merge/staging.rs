//! A new archive that appears under its name when it is whole.
//!
//! It is written into a folder with a name of its own, the stage: beside the folder of the archive if that is not there, and renamed to
//! it in the end; else in that folder, and its files are renamed one by one, the anchor last. The stage is locked while it is written.
//! One that is not locked was left by a process that was killed: it goes, and so does what that process had renamed.

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

/// Behind the names of stages.
const ENDING: &str = ".kymo-new";
/// What was renamed out of a stage, in it: a line for each with its name, number and time.
const MOVED: &str = "moved";

/// Where an archive is written.
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
    /// Is locked as long as it is open.
    _lock: File,
}

impl Staged {
    /// An archive of this name in this folder. What a process that was killed has left of it goes.
    pub(super) fn new(folder: &Path, name: &str) -> io::Result<Self> {
        let staged = Self { folder: folder.to_owned(), name: name.to_owned(), stage: OnceLock::new() };
        for path in [staged.beside(), staged.inside()] {
            let _step = step();
            staged.remove_abandoned(&path)?;
        }
        Ok(staged)
    }

    /// The stage of a folder that is not there.
    fn beside(&self) -> PathBuf {
        let name = self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.folder.with_file_name(format!(".{name}{ENDING}"))
    }

    /// The stage in a folder that is there.
    fn inside(&self) -> PathBuf {
        self.folder.join(format!(".{}{ENDING}", self.name))
    }

    /// Files and folders that are renamed, the anchor last.
    fn pieces(&self, stage: &Path) -> io::Result<Vec<String>> {
        let anchor = FileName::Anchor.path(&self.name).to_string();
        let names = tree::names(stage)?.into_iter().filter_map(|name| name.into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name != MOVED && *name != anchor).collect();
        names.sort();
        names.push(anchor);
        Ok(names)
    }

    /// Removes a stage that nobody writes, and what was renamed out of it without the anchor.
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
        let path = if is_folder { self.beside() } else { self.inside() };
        let mut unfinished = Unfinished { stage: path.clone(), folders: Vec::new() };
        let parent = path.parent().unwrap_or(Path::new(""));
        // A signal waits for the end of this step.
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
                // Another process has made the stage meanwhile.
                if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::ResourceBusy) {
                    unfinished.stage = PathBuf::new();
                }
                unfinished.remove();
                Err(error)
            }
        }
    }

    /// The archive is whole: it gets its name.
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
            // Nothing but an empty folder and a list, which the next call removes.
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

    /// Removes what was written.
    pub(super) fn discard(&self) {
        let _step = step();
        if let Some(stage) = self.stage.get() {
            stage.unfinished.remove();
            interruption::forget(&stage.path);
        }
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

/// Makes a folder with all above it that are not there; those that were made.
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

/// Locks a folder. Where that is not possible it counts as locked by this process.
pub(crate) fn lock(folder: &Path) -> io::Result<File> {
    let file = File::open(folder)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => {
            Err(io::Error::new(ErrorKind::ResourceBusy, "another process writes this archive"))
        }
        _ => Ok(file),
    }
}

/// Renames unless there is something of the new name.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // The file system does not know how.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) if to.symlink_metadata().is_err() => {
            fs::rename(from, to)
        }
        renamed => Ok(renamed?),
    }
}

/// What stays the same of a file or folder that is renamed, and is another for one of its name that comes later.
fn identify(path: &Path) -> io::Result<String> {
    let metadata = fs::symlink_metadata(path)?;
    Ok(format!("{}-{}-{}", metadata.ino(), metadata.mtime(), metadata.mtime_nsec()))
}
