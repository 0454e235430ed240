//! Which thread created which, and the ends of threads that others join.

use super::operation::CreatedThread;
use crate::waits::EnclosingCall;
use foldhash::HashMap;
use kymo_otf2::references::LocationRef;

/// A thread was created, or became a member of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Creation {
    /// The location of the thread.
    pub location: LocationRef,
    /// When, in nanoseconds.
    pub time: u64,
    /// The location that created it.
    pub creator: LocationRef,
}

/// The threads of a process that others created.
#[derive(Debug, Default)]
pub(super) struct CreatedThreads {
    created: HashMap<CreatedThread, (LocationRef, u64)>,
    begun: HashMap<CreatedThread, (LocationRef, u64)>,
    ended: HashMap<CreatedThread, (LocationRef, u64)>,
    /// The locations that have joined a thread whose end is not known yet.
    joined: HashMap<CreatedThread, (LocationRef, EnclosingCall)>,
}

impl CreatedThreads {
    pub(super) fn create(
        &mut self,
        thread: CreatedThread,
        location: LocationRef,
        time: u64,
    ) -> Option<Creation> {
        self.created.insert(thread, (location, time));
        self.creation(thread)
    }

    pub(super) fn begin(
        &mut self,
        thread: CreatedThread,
        location: LocationRef,
        time: u64,
    ) -> Option<Creation> {
        self.begun.insert(thread, (location, time));
        self.creation(thread)
    }

    /// Returns a creation of which both sides are known. The event of the creator may come after
    /// the begin of the thread.
    fn creation(&mut self, thread: CreatedThread) -> Option<Creation> {
        let (creator, created) = *self.created.get(&thread)?;
        let (location, begun) = *self.begun.get(&thread)?;
        self.created.remove(&thread);
        self.begun.remove(&thread);
        Some(Creation { location, time: created.min(begun), creator })
    }

    /// Notes the end of a thread. Returns who has joined it, in which call.
    pub(super) fn end(
        &mut self,
        thread: CreatedThread,
        location: LocationRef,
        time: u64,
    ) -> Option<(LocationRef, EnclosingCall)> {
        self.ended.insert(thread, (location, time));
        self.joined.remove(&thread)
    }

    /// Notes who has joined a thread. Returns the end of the thread.
    pub(super) fn join(
        &mut self,
        thread: CreatedThread,
        location: LocationRef,
        call: EnclosingCall,
    ) -> Option<(LocationRef, u64)> {
        let end = self.ended.remove(&thread);
        if end.is_none() {
            self.joined.insert(thread, (location, call));
        }
        end
    }
}
