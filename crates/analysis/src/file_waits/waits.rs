//! Finds the wait states of locations that use the same files.

use super::collectives::{FileCollectives, FileMember};
use super::locks::{FileLock, FileLocks};
use super::operation::FileOperation;
use crate::communicators::Scope;
use crate::trace::Trace;
use crate::waits::{EnclosingCall, WaitState};
use kymo_otf2::references::{IoHandleRef, LocationRef};

/// How the C library is named as a paradigm of input and output.
const C_LIBRARY: &str = "ISOC";

/// Finds the wait states of locations that use the same files in their operations, which come in
/// the order of time.
#[derive(Debug)]
pub(crate) struct FileWaits<'t> {
    trace: &'t Trace,
    locks: FileLocks,
    collectives: FileCollectives,
}

impl<'t> FileWaits<'t> {
    pub(crate) fn new(trace: &'t Trace) -> Self {
        Self { trace, locks: FileLocks::default(), collectives: FileCollectives::default() }
    }

    /// Adds an operation of a location in a call. Returns the wait states that are known then.
    pub(crate) fn add(
        &mut self,
        location: LocationRef,
        time: u64,
        operation: FileOperation,
        call: EnclosingCall,
    ) -> Vec<WaitState> {
        let by = (location, time, call);
        match operation {
            FileOperation::Acquire { handle, is_exclusive } => {
                self.locks.acquire(self.lock(handle, location), is_exclusive, by)
            }
            FileOperation::Release { handle, is_exclusive } => {
                self.locks.release(self.lock(handle, location), is_exclusive, by)
            }
            FileOperation::Collective { handle } => self.collective(handle, location, call),
        }
    }

    fn collective(
        &mut self,
        handle: IoHandleRef,
        location: LocationRef,
        call: EnclosingCall,
    ) -> Vec<WaitState> {
        let scope = self.trace.io_handle(handle).map(|it| Scope::Communicator(it.communicator));
        let Some(communicator) = scope.and_then(|it| self.trace.communicator_of(it)) else {
            return Vec::new();
        };
        let Some(rank) = communicator.rank(location, self.trace.process(location)) else {
            return Vec::new();
        };
        let member = FileMember { location, rank: rank.rank, call };
        self.collectives.add(handle, communicator.members(), member)
    }

    /// Returns the object that a location locks by a handle.
    fn lock(&self, handle: IoHandleRef, location: LocationRef) -> FileLock {
        match self.trace.io_handle(handle) {
            Some(it) if self.trace.io_paradigm(it.paradigm) == Some(C_LIBRARY) => {
                FileLock::Stream(self.trace.process(location), handle)
            }
            Some(it) if it.file.is_defined() => FileLock::File(it.file),
            _ => FileLock::Handle(handle),
        }
    }

    /// Returns the wait states that were not known, and the number of operations in which members
    /// are missing.
    pub(crate) fn finish(&mut self) -> (Vec<WaitState>, u64) {
        (self.locks.finish(), self.collectives.incomplete())
    }
}
