//! Locks of files that others have.
//!
//! OTF2 does not number acquisitions of these locks, so the last release before an acquisition is
//! the one that is waited for. The event of a release may be later than the release: a call that
//! releases a lock and had begun before the acquisition may be that one.

use crate::communicators::Process;
use crate::waits::{EnclosingCall, WaitKind, WaitState};
use foldhash::HashMap;
use kymo_otf2::references::{IoFileRef, IoHandleRef, LocationRef};

/// The largest number of releases of a lock that are kept.
const MOST: usize = 64;

/// The object that is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum FileLock {
    File(IoFileRef),
    Handle(IoHandleRef),
    /// A stream of the C library, which a process locks for its own threads.
    Stream(Process, IoHandleRef),
}

/// The locks of files, in the order of time.
#[derive(Debug, Default)]
pub(super) struct FileLocks {
    locks: HashMap<FileLock, LockHistory>,
}

#[derive(Debug, Default)]
struct LockHistory {
    releases: Vec<FileRelease>,
    /// The acquisitions of which the release before may come yet, one of each location.
    acquired: Vec<FileAcquisition>,
}

#[derive(Debug, Clone, Copy)]
struct FileRelease {
    location: LocationRef,
    time: u64,
    is_exclusive: bool,
}

#[derive(Debug, Clone, Copy)]
struct FileAcquisition {
    location: LocationRef,
    time: u64,
    is_exclusive: bool,
    call: EnclosingCall,
    /// The last release before it that it may have waited for.
    before: Option<FileRelease>,
}

impl FileAcquisition {
    fn may_wait_for(&self, release: &FileRelease) -> bool {
        self.location != release.location && (self.is_exclusive || release.is_exclusive)
    }

    fn wait(&self) -> Option<WaitState> {
        let release = self.before.filter(|_| self.call.is_selected())?;
        let limits = [self.call.start, self.time];
        // Its event may be later than that.
        let cause = (release.location, release.time.min(self.time));
        WaitState::new(WaitKind::IoLock, self.location, &self.call, limits, cause)
    }
}

impl LockHistory {
    /// Returns the waits of acquisitions for which `is_known` is true: no release before them comes
    /// any more.
    fn resolve(&mut self, is_known: impl Fn(&FileAcquisition) -> bool) -> Vec<WaitState> {
        self.acquired.extract_if(.., |it| is_known(it)).filter_map(|it| it.wait()).collect()
    }
}

impl FileLocks {
    /// A location has acquired a lock at a time, in a call. Returns the wait states that are known.
    pub(super) fn acquire(
        &mut self,
        lock: FileLock,
        is_exclusive: bool,
        (location, time, call): (LocationRef, u64, EnclosingCall),
    ) -> Vec<WaitState> {
        let history = self.locks.entry(lock).or_default();
        let found = history.resolve(|it| it.location == location);
        let mut new = FileAcquisition { location, time, is_exclusive, call, before: None };
        new.before = history.releases.iter().rfind(|it| new.may_wait_for(it)).copied();
        history.acquired.push(new);
        found
    }

    /// A location releases a lock at a time, in a call. Returns the wait states that are known.
    pub(super) fn release(
        &mut self,
        lock: FileLock,
        is_exclusive: bool,
        (location, time, call): (LocationRef, u64, EnclosingCall),
    ) -> Vec<WaitState> {
        let history = self.locks.entry(lock).or_default();
        let release = FileRelease { location, time, is_exclusive };
        for acquired in history.acquired.iter_mut().filter(|it| it.may_wait_for(&release)) {
            if call.start < acquired.time {
                acquired.before = Some(release);
            }
        }
        if history.releases.len() == MOST {
            history.releases.drain(..MOST / 2);
        }
        history.releases.push(release);
        history.resolve(|it| it.location == location)
    }

    /// Returns the wait states of the other acquisitions.
    pub(super) fn finish(&mut self) -> Vec<WaitState> {
        let mut found: Vec<_> = self.locks.values_mut().flat_map(|it| it.resolve(|_| true)).collect();
        found.sort_by_key(|it| (it.start, it.location));
        found
    }
}
