//! The accesses of a location that are not complete, by which completions are known.

use super::operation::{Access, OneSidedOperation, WindowLock};
use foldhash::HashMap;
use kymo_otf2::enums::LockType;
use kymo_otf2::events::Event;
use kymo_otf2::flags::RmaSyncLevel;
use kymo_otf2::references::RmaWinRef;

/// The largest number of ids of accesses that are not complete.
const MOST: usize = 1 << 12;

/// The accesses of a location that are not complete at their targets, by id. Those to the same
/// target can share an id.
#[derive(Debug, Default)]
pub(crate) struct PendingAccesses {
    by_id: HashMap<u64, (Access, u64)>,
}

impl PendingAccesses {
    /// Continues with the next event. `collectives` returns the number of collective operations of
    /// the location on a window so far.
    pub(crate) fn event(
        &mut self,
        event: &Event<'_>,
        collectives: impl Fn(RmaWinRef) -> u64,
    ) -> Option<OneSidedOperation> {
        let access = |window, target| Access { window, target, collective: collectives(window) };
        match event {
            Event::RmaPut(it) => Some(self.add(it.matching_id, access(it.win, it.remote))),
            Event::RmaGet(it) => Some(self.add(it.matching_id, access(it.win, it.remote))),
            Event::RmaAtomic(it) => Some(self.add(it.matching_id, access(it.win, it.remote))),
            Event::RmaOpCompleteNonBlocking(it) => {
                let (of, _) = *self.by_id.get(&it.matching_id)?;
                Some(OneSidedOperation::Completion { of, at_target: 0 })
            }
            Event::RmaOpCompleteBlocking(it) => self.complete(it.matching_id),
            Event::RmaOpCompleteRemote(it) => self.complete(it.matching_id),
            Event::RmaGroupSync(it) => {
                // The end of an epoch, at which all accesses are complete.
                if it.sync_level.contains(RmaSyncLevel::MEMORY) {
                    self.forget(it.win);
                }
                let is_done = it.sync_level != RmaSyncLevel::empty();
                Some(OneSidedOperation::GroupSync { window: it.win, group: it.group, is_done })
            }
            Event::RmaRequestLock(it) => {
                let lock = WindowLock { window: it.win, id: it.lock_id, target: it.remote };
                let is_exclusive = it.lock_type == LockType::EXCLUSIVE;
                Some(OneSidedOperation::Request { lock, is_exclusive })
            }
            Event::RmaAcquireLock(it) => {
                let lock = WindowLock { window: it.win, id: it.lock_id, target: it.remote };
                let is_exclusive = it.lock_type == LockType::EXCLUSIVE;
                Some(OneSidedOperation::Acquire { lock, is_exclusive })
            }
            Event::RmaReleaseLock(it) => {
                let lock = WindowLock { window: it.win, id: it.lock_id, target: it.remote };
                Some(OneSidedOperation::Release { lock })
            }
            _ => None,
        }
    }

    fn add(&mut self, id: u64, access: Access) -> OneSidedOperation {
        // Of more than that, the completions are not known.
        if self.by_id.len() < MOST || self.by_id.contains_key(&id) {
            let pending = self.by_id.entry(id).or_insert((access, 0));
            pending.1 = if pending.0 == access { pending.1 + 1 } else { 1 };
            pending.0 = access;
        }
        OneSidedOperation::Access(access)
    }

    fn complete(&mut self, id: u64) -> Option<OneSidedOperation> {
        let (of, at_target) = self.by_id.remove(&id)?;
        Some(OneSidedOperation::Completion { of, at_target })
    }

    /// Forgets the accesses on a window, all of which are complete.
    pub(crate) fn forget(&mut self, window: RmaWinRef) {
        if !self.by_id.is_empty() {
            self.by_id.retain(|_, (access, _)| access.window != window);
        }
    }
}
