//! Scratch files before they are trusted.
//!
//! Any user may put a file with such a name where scratch files are stored, or a note into a folder
//! that others can write to. Invariant: a file that was found, not given by the user, is used only
//! if it is a regular file of this user with a single hard link, and the path leads to it without a
//! symbolic link at its end. It is removed only as long as it is the file that was read.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kymo_otf2::storage::Content;
use kymo_recorder::recovery::{NoScratch, Note, Origin, origin};

use super::machine::Machine;
use crate::regular;

/// An open scratch file.
pub(super) struct ScratchFile {
    pub(super) path: PathBuf,
    pub(super) content: Arc<dyn Content>,
    pub(super) origin: Origin,
    /// The device and the inode number.
    identity: (u64, u64),
}

/// Why a file is not used.
#[derive(Debug)]
pub(super) enum Refused {
    /// It cannot be opened.
    Io(io::Error),
    /// It belongs to this other user.
    Owner(u32),
    /// It has this number of hard links.
    Names(u64),
    /// It is not a scratch file.
    Content(NoScratch),
    /// It is not the file that the note refers to.
    Another,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) if error.kind() == ErrorKind::NotFound => f.write_str("is gone"),
            Self::Io(error) if error.kind() == ErrorKind::InvalidInput => write!(f, "is {error}"),
            Self::Io(error) => write!(f, "cannot be opened: {error}"),
            Self::Owner(user) => write!(f, "belongs to user {user}: to use it, give it as an argument"),
            Self::Names(count) => write!(f, "has {count} hard links: to use it, give it as an argument"),
            Self::Content(error) => error.fmt(f),
            Self::Another => f.write_str("belongs to another process"),
        }
    }
}

impl ScratchFile {
    /// Opens a file given by the user.
    pub(super) fn given(path: &Path) -> Result<Self, Refused> {
        Self::of(path, regular::open(path).map_err(Refused::Io)?)
    }

    /// Opens a file that was found.
    pub(super) fn found(path: &Path, machine: &Machine) -> Result<Self, Refused> {
        let file = regular::open_itself(path).map_err(Refused::Io)?;
        let metadata = file.metadata().map_err(Refused::Io)?;
        match (machine.owns(&metadata), metadata.nlink()) {
            (false, _) => Err(Refused::Owner(metadata.uid())),
            (true, 1) => Self::of(path, file),
            (true, names) => Err(Refused::Names(names)),
        }
    }

    fn of(path: &Path, file: File) -> Result<Self, Refused> {
        let metadata = file.metadata().map_err(Refused::Io)?;
        let content: Arc<dyn Content> = Arc::new(OwnedFd::from(file));
        let origin = origin(&*content).map_err(Refused::Content)?;
        Ok(Self { path: path.to_owned(), content, origin, identity: (metadata.dev(), metadata.ino()) })
    }

    /// Returns the file if it belongs to the note's process. Facts that the note does not state do
    /// not match.
    pub(super) fn of_note(self, note: &Note) -> Result<Self, Refused> {
        let Origin { process, started, node, boot, .. } = &self.origin;
        let fits = note.process == Some(*process)
            && note.started == Some(*started)
            && (&note.node, &note.boot) == (node, boot);
        if fits { Ok(self) } else { Err(Refused::Another) }
    }

    /// Returns the handle for its removal.
    pub(super) fn handle(&self) -> Handle {
        Handle { path: self.path.clone(), identity: self.identity }
    }
}

/// A file that was read and may be removed.
#[derive(Debug)]
pub(super) struct Handle {
    path: PathBuf,
    identity: (u64, u64),
}

impl Handle {
    /// Removes the file, unless it has been replaced by another one.
    pub(super) fn remove(&self) -> io::Result<()> {
        match fs::symlink_metadata(&self.path) {
            Ok(metadata) if (metadata.dev(), metadata.ino()) == self.identity => fs::remove_file(&self.path),
            Ok(_) => Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
