//! Opens the archive of all ranks: rank 0 makes it, the others find it.

use std::{
    ffi::{CStr, OsStr},
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use kymo_otf2::{Storage, archive::DEFAULT_NAME, storage::Directory};
use kymo_recorder::ranks::{Ipc, IpcFailed, broadcast};
use kymo_substrate::Host;
use rustix::fs::{Mode, OFlags};

use crate::{
    NAME,
    life::ranks::{HostIpc, attempt},
};

/// How long a rank waits for the directory that rank 0 has made. On shared file systems it can take
/// a while to appear on other nodes.
const OPEN_TIMEOUT: Duration = Duration::from_secs(30);

/// Why there is no storage.
pub(super) enum Absent {
    /// No rank has a storage. The reason is present where it must be reported.
    ForAll(Option<String>),
    /// This rank has no storage, for this reason.
    Here(String),
}

/// A storage and its folder.
type Opened = (Box<dyn Storage>, PathBuf);

/// Opens the storage of this rank. Collective: every rank must call it.
pub(super) fn open_storage(host: &Host) -> Result<Opened, Absent> {
    let ipc = HostIpc::new(*host);
    // Rank 0 goes first because the host made its directory there.
    let make = || path(host).and_then(|path| make(&path));
    let made = (ipc.rank() == 0).then(|| attempt(make).unwrap_or_else(|panicked| Err(panicked.to_string())));
    let is_missing = broadcast_missing(&ipc, matches!(made, Some(Err(_))));
    match made {
        // Rank 0 ignores a failed broadcast: a rank that it did not reach fails later, when it
        // cannot send its contribution.
        Some(made) => {
            made.map_err(|what| Absent::ForAll(Some(what).filter(|_| !host.reports_missing_directory())))
        }
        None => match is_missing {
            Err(error) => Err(Absent::Here(error.to_string())),
            Ok(true) => Err(Absent::ForAll(None)),
            Ok(false) => path(host).and_then(|path| find(&path)).map_err(Absent::Here),
        },
    }
}

/// Broadcasts from rank 0 whether there is no archive. Returns the value on every rank.
pub(super) fn broadcast_missing(ipc: &HostIpc, is_missing: bool) -> Result<bool, IpcFailed> {
    let mut message = vec![u8::from(is_missing)];
    broadcast(ipc, &mut message)?;
    Ok(message != [0])
}

fn path(host: &Host) -> Result<PathBuf, String> {
    let directory = host.experiment_dir().ok_or("the host has no experiment directory")?;
    Ok(Path::new(OsStr::from_bytes(CStr::to_bytes(directory))).join(NAME))
}

fn make(path: &Path) -> Result<Opened, String> {
    let make = || -> io::Result<Directory> {
        let storage = Directory::make(path, DEFAULT_NAME)?.out_of_the_way();
        storage.create()?;
        Ok(storage)
    };
    let storage = make().map_err(|error| format!("cannot make an archive in {}: {error}", path.display()))?;
    Ok((Box::new(storage), absolute(path)))
}

fn find(path: &Path) -> Result<Opened, String> {
    let until = Instant::now() + OPEN_TIMEOUT;
    let locations = path.join(DEFAULT_NAME);
    // Only a missing folder can appear later; any other result is final.
    let is_late = || match fs::metadata(&locations) {
        Ok(_) => false,
        Err(error) => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::StaleNetworkFileHandle),
    };
    while is_late() && Instant::now() < until {
        thread::sleep(Duration::from_millis(5));
    }
    // A directory of the standard library panics when it is dropped and cannot be closed.
    let is_readable =
        rustix::fs::open(&locations, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
    let found =
        is_readable.map_err(Into::into).and_then(|_| Directory::open(path).map(Directory::out_of_the_way));
    let storage = found.map_err(|error| format!("cannot open the archive in {}: {error}", path.display()))?;
    Ok((Box::new(storage), absolute(path)))
}

/// Makes the path absolute, because the program may change its working directory.
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
