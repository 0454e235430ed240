//! Origins that wait for targets to expose their memory.

use crate::waits::{EnclosingCall, WaitKind, WaitState};
use kymo_otf2::references::LocationRef;
use std::cmp::Reverse;
use std::collections::VecDeque;

/// The largest number of calls of an epoch that are kept until all targets have exposed their
/// memory. Earlier ones have ended long before that.
const MOST_CALLS: usize = 64;

/// An access epoch: from `MPI_Win_start` to `MPI_Win_complete`.
#[derive(Debug, Default)]
pub(super) struct AccessEpoch {
    /// The calls that may contain the last post.
    calls: VecDeque<(LocationRef, EnclosingCall)>,
    /// The latest call of `MPI_Win_post`, of the first location.
    last_post: Option<(u64, Reverse<LocationRef>)>,
}

impl AccessEpoch {
    /// Adds a call of the epoch. `are_posted` states whether all targets have exposed their memory.
    pub(super) fn call(&mut self, location: LocationRef, call: EnclosingCall, are_posted: bool) {
        let is_new = self.calls.back().is_none_or(|last| *last != (location, call));
        if !is_new || (are_posted && !self.is_post_in(&call)) {
            return;
        }
        self.calls.push_back((location, call));
        if self.calls.len() > MOST_CALLS {
            self.calls.pop_front();
        }
    }

    /// A target has exposed its memory, in a call that began at this time.
    pub(super) fn posted(&mut self, location: LocationRef, start: u64) {
        self.last_post = self.last_post.max(Some((start, Reverse(location))));
    }

    fn is_post_in(&self, call: &EnclosingCall) -> bool {
        self.last_post.is_some_and(|(post, _)| call.start < post && post < call.end)
    }

    /// Returns the wait for the last target, in the first call that contains its post.
    pub(super) fn wait(&self) -> Option<WaitState> {
        let (post, Reverse(cause)) = self.last_post?;
        let (location, call) = self.calls.iter().find(|(_, call)| self.is_post_in(call))?;
        let times = [call.start, call.end];
        WaitState::new(WaitKind::RmaLatePost, *location, call, times, (cause, post))
    }
}
