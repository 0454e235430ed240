//! Finds the wait states of one-sided communication.

use super::early_fence::{AccessesBefore, FenceAccesses};
use super::epochs::{EpochCall, Epochs};
use super::function::OneSidedFunction;
use super::locks::{LockCaller, WindowLocks};
use super::operation::{Access, OneSidedOperation, WindowLock};
use crate::communication::{Communicator, Instance, Rank, Scope};
use crate::functions::{CommunicationFunction, CommunicationFunctions};
use crate::trace::Trace;
use crate::waits::{EnclosingCall, WaitState};
use foldhash::HashSet;
use kymo_otf2::references::{LocationRef, RmaWinRef};
use std::mem;

/// Finds the wait states of one-sided communication in its operations, which come in the order of
/// time.
#[derive(Debug)]
pub(crate) struct OneSidedWaits<'t> {
    trace: &'t Trace,
    functions: &'t CommunicationFunctions,
    /// The locations that are read.
    locations: HashSet<LocationRef>,
    epochs: Epochs,
    locks: WindowLocks,
    accesses: FenceAccesses,
    found: Vec<WaitState>,
    /// The number of epochs in which members are missing.
    pub(crate) incomplete: u64,
}

impl<'t> OneSidedWaits<'t> {
    pub(crate) fn new(trace: &'t Trace, functions: &'t CommunicationFunctions) -> Self {
        Self {
            trace,
            functions,
            locations: HashSet::default(),
            epochs: Epochs::default(),
            locks: WindowLocks::default(),
            accesses: FenceAccesses::default(),
            found: Vec::new(),
            incomplete: 0,
        }
    }

    /// Notes a location that is read.
    pub(crate) fn location(&mut self, location: LocationRef) {
        self.locations.insert(location);
    }

    /// Adds an operation of a location in a call. Returns the wait states that are known then.
    pub(crate) fn add(
        &mut self,
        location: LocationRef,
        time: u64,
        operation: OneSidedOperation,
        call: EnclosingCall,
    ) -> Vec<WaitState> {
        self.locks.resolve(time, &mut self.found);
        let window = operation.window();
        if let Some((communicator, member)) = self.member(window, location) {
            let it = EpochCall { window, location, member, call };
            match operation {
                OneSidedOperation::GroupSync { group, is_done, .. } => {
                    let group = self.trace.communicators().group(group);
                    self.group_sync(&it, group, is_done);
                }
                OneSidedOperation::Access(of) => {
                    if let Some(target) = target(communicator, of) {
                        self.access(&it, of, target);
                    }
                }
                OneSidedOperation::Completion { of, at_target } => {
                    if let Some(target) = target(communicator, of) {
                        self.completion(&it, of, target, (at_target, time));
                    }
                }
                OneSidedOperation::Request { lock, is_exclusive } => {
                    self.locks.request(&self.lock_caller(&it), lock, is_exclusive);
                }
                OneSidedOperation::Acquire { lock, is_exclusive } => {
                    self.locks.acquire(&self.lock_caller(&it), lock, is_exclusive);
                }
                OneSidedOperation::Release { lock } => {
                    self.locks.release(&self.lock_caller(&it), lock, time);
                }
            }
        }
        self.found.extend(self.epochs.found());
        mem::take(&mut self.found)
    }

    /// Returns the communicator of a window, and the location of the rank of a location in it;
    /// `None` for windows that each location has for itself.
    fn member(&self, window: RmaWinRef, location: LocationRef) -> Option<(&'t Communicator, LocationRef)> {
        let communicator = self.trace.communicator_of(Scope::Window(window))?;
        let rank = communicator.rank(location, self.trace.process(location))?;
        Some((communicator, communicator.location(rank)?))
    }

    fn group_sync(
        &mut self,
        it: &EpochCall,
        group: Option<impl Iterator<Item = LocationRef>>,
        is_done: bool,
    ) {
        let is_read = |location| self.locations.contains(&location);
        match self.functions.one_sided(it.call.region) {
            Some(OneSidedFunction::Start) => self.epochs.start(it, group, is_read),
            Some(OneSidedFunction::Post) => self.epochs.post(it, group, is_read),
            Some(OneSidedFunction::Complete) => self.epochs.complete(it),
            Some(OneSidedFunction::Wait) => self.epochs.end_exposure(it, true),
            Some(OneSidedFunction::Test) if is_done => self.epochs.end_exposure(it, false),
            _ => {}
        }
    }

    fn access(&mut self, it: &EpochCall, of: Access, target: LocationRef) {
        if it.call.is_selected() {
            self.epochs.access(it, target);
            if target != it.member {
                self.accesses.access(of, target);
            }
        }
    }

    fn completion(&mut self, it: &EpochCall, of: Access, target: LocationRef, (at_target, time): (u64, u64)) {
        match self.functions.one_sided(it.call.region) {
            Some(OneSidedFunction::Complete) => {}
            Some(OneSidedFunction::Flush) => {
                let lock = WindowLock { window: it.window, id: 0, target: of.target };
                self.locks.flush(&self.lock_caller(it), lock, at_target > 0);
            }
            _ => self.epochs.completion(it, target),
        }
        if target != it.member {
            self.accesses.completion(of, target, at_target, time);
        }
    }

    fn lock_caller(&self, it: &EpochCall) -> LockCaller {
        let function = self.functions.get(it.call.region);
        let blocks = function.is_some_and(|it| it != CommunicationFunction::Test);
        let process = self.trace.process(it.location);
        LockCaller { location: it.location, process, call: it.call, blocks }
    }

    /// Returns the accesses before an operation of all members of a window, and forgets them.
    pub(crate) fn accesses_before(&mut self, instance: &Instance) -> Option<AccessesBefore> {
        match instance.scope {
            Scope::Window(window) => self.accesses.take(window, instance.number),
            Scope::Communicator(_) => None,
        }
    }

    /// Returns a wait state with the part that the accesses before its operation determine.
    pub(crate) fn early_fence(&self, wait: WaitState, accesses: &AccessesBefore) -> WaitState {
        match self.member(accesses.window, wait.location) {
            Some((_, member)) => accesses.early_fence(wait, member),
            None => wait,
        }
    }

    /// Returns the wait states that are known in the end.
    pub(crate) fn finish(&mut self) -> Vec<WaitState> {
        self.locks.finish(&mut self.found);
        self.epochs.finish();
        self.incomplete = self.epochs.incomplete;
        mem::take(&mut self.found)
    }
}

/// Returns the location of the rank of a target.
fn target(communicator: &Communicator, of: Access) -> Option<LocationRef> {
    communicator.location(Rank { side: 0, rank: of.target })
}
