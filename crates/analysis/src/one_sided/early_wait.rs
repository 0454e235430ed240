//! Targets that wait for origins to complete their accesses.

use crate::waits::{EnclosingCall, WaitKind, WaitState};
use kymo_otf2::references::LocationRef;
use std::cmp::Reverse;

/// An exposure epoch: from `MPI_Win_post` to `MPI_Win_wait` or a successful `MPI_Win_test`.
#[derive(Debug)]
pub(super) struct ExposureEpoch {
    /// The location that exposes its memory, and when the call began.
    pub(super) post: (LocationRef, u64),
    /// The call of `MPI_Win_wait`.
    waiting: Option<(LocationRef, EnclosingCall)>,
    /// The latest call of `MPI_Win_complete` of an origin, of the first location.
    last_complete: Option<(u64, Reverse<LocationRef>)>,
    /// When the last access ended.
    last_access: u64,
}

impl ExposureEpoch {
    /// Begins with a call of `MPI_Win_post` that began at this time.
    pub(super) fn new(location: LocationRef, start: u64) -> Self {
        Self { post: (location, start), waiting: None, last_complete: None, last_access: 0 }
    }

    /// The location waits for the end in a call.
    pub(super) fn waits(&mut self, location: LocationRef, call: EnclosingCall) {
        self.waiting = Some((location, call));
    }

    /// An origin completes its accesses in a call that began at `start`; the last access ended at
    /// `last_access`.
    pub(super) fn completed(&mut self, origin: LocationRef, start: u64, last_access: u64) {
        self.last_complete = self.last_complete.max(Some((start, Reverse(origin))));
        self.last_access = self.last_access.max(last_access);
    }

    /// Returns the wait for the last origin. The part of it after the last access is late
    /// completion.
    pub(super) fn wait(&self) -> Option<WaitState> {
        let (location, call) = self.waiting?;
        let (start, Reverse(cause)) = self.last_complete?;
        let times = [call.start, call.end];
        let wait = WaitState::new(WaitKind::RmaEarlyWait, location, &call, times, (cause, start))?;
        let part = wait.end.saturating_sub(wait.start.max(self.last_access));
        Some(wait.with_part(part))
    }
}
