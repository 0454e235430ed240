//! Scratch files before they are believed.
//!
//! Anybody may put a file of such a name where scratch files lie, or a note into a folder that others can write to. Invariant: a file
//! that was found, and not given by the user, is taken only if it is a regular file of this user with one name, which the path names
//! itself; it is removed only as long as it is the file that was read.

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

/// A scratch file that was opened.
pub(super) struct ScratchFile {
    pub(super) path: PathBuf,
    pub(super) content: Arc<dyn Content>,
    pub(super) origin: Origin,
    /// Device and number.
    identity: (u64, u64),
}

/// Why a file is not taken.
#[derive(Debug)]
pub(super) enum Refused {
    /// It cannot be opened.
    Io(io::Error),
    /// It belongs to this user.
    Owner(u32),
    /// It has so many names.
    Names(u64),
    /// It is no scratch file.
    Content(NoScratch),
    /// It is not the one that the note means.
    Another,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) if error.kind() == ErrorKind::NotFound => f.write_str("is gone"),
            Self::Io(error) if error.kind() == ErrorKind::InvalidInput => write!(f, "is {error}"),
            Self::Io(error) => write!(f, "cannot be opened: {error}"),
            Self::Owner(user) => write!(f, "belongs to user {user}: to take it, give it as an argument"),
            Self::Names(count) => write!(f, "has {count} names: to take it, give it as an argument"),
            Self::Content(error) => error.fmt(f),
            Self::Another => f.write_str("is that of another process"),
        }
    }
}

impl ScratchFile {
    /// One that the user has given.
    pub(super) fn given(path: &Path) -> Result<Self, Refused> {
        Self::of(path, regular::open(path).map_err(Refused::Io)?)
    }

    /// One that was found.
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

    /// The file if it is the one of the note's process. What the note does not say cannot fit.
    pub(super) fn of_note(self, note: &Note) -> Result<Self, Refused> {
        let Origin { process, started, node, boot, .. } = &self.origin;
        let fits = note.process == Some(*process)
            && note.started == Some(*started)
            && (&note.node, &note.boot) == (node, boot);
        if fits { Ok(self) } else { Err(Refused::Another) }
    }

    /// What is needed to remove it.
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
    /// Removes the file unless another has taken its place.
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
