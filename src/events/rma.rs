//! One-sided communication: windows, transfers, locks, synchronisation (events 21 to 38).
//!
//! A remote of -1 ("all") and a root of 0xffffffff ("none") have the bit pattern of OTF2's
//! undefined rank and are passed on unchanged.

use kymo_otf2::events::{
    RmaAcquireLock, RmaAtomic, RmaCollectiveBegin, RmaCollectiveEnd, RmaGet, RmaGroupSync,
    RmaOpCompleteBlocking, RmaOpCompleteNonBlocking, RmaOpCompleteRemote, RmaOpTest, RmaPut, RmaReleaseLock,
    RmaRequestLock, RmaSync, RmaTryLock, RmaWaitChange, RmaWinCreate, RmaWinDestroy,
};
use kymo_substrate::{
    CollectiveType, GroupHandle, Location, LockType, RmaAtomicType, RmaSyncLevel, RmaSyncType,
    RmaWindowHandle, Timestamp,
};

use super::callbacks;
use crate::{events::Sink, mapping};

callbacks! {
    [record]
    |sink, window: RmaWindowHandle| { win: sink.window(window) }
    rma_win_create: RmaWinCreate,
    rma_win_destroy: RmaWinDestroy,
    rma_wait_change: RmaWaitChange,
}

callbacks! {
    [record]
    |sink, window: RmaWindowHandle, remote: u32, lock: u64, lock_type: LockType| {
        win: sink.window(window),
        remote: remote,
        lock_id: lock,
        lock_type: mapping::lock_type(lock_type),
    }
    rma_try_lock: RmaTryLock,
    rma_acquire_lock: RmaAcquireLock,
    rma_request_lock: RmaRequestLock,
}

callbacks! {
    [record]
    |sink, window: RmaWindowHandle, remote: u32, bytes: u64, matching: u64| {
        win: sink.window(window),
        remote: remote,
        bytes: bytes,
        matching_id: matching,
    }
    rma_put: RmaPut,
    rma_get: RmaGet,
}

callbacks! {
    [record]
    |sink, window: RmaWindowHandle, matching: u64| { win: sink.window(window), matching_id: matching }
    rma_op_complete_blocking: RmaOpCompleteBlocking,
    rma_op_complete_non_blocking: RmaOpCompleteNonBlocking,
    rma_op_test: RmaOpTest,
    rma_op_complete_remote: RmaOpCompleteRemote,
}

impl Sink {
    pub(super) fn rma_collective_begin(&self, at: Location, time: Timestamp, _sync_level: RmaSyncLevel) {
        self.record(at, time, &RmaCollectiveBegin {});
    }

    pub(super) fn rma_collective_end(
        &self,
        at: Location,
        time: Timestamp,
        collective: CollectiveType,
        sync_level: RmaSyncLevel,
        window: RmaWindowHandle,
        root: u32,
        sent: u64,
        received: u64,
    ) {
        let record = RmaCollectiveEnd {
            collective_op: mapping::collective_op(collective),
            sync_level: mapping::rma_sync_level(sync_level),
            win: self.window(window),
            root,
            bytes_sent: sent,
            bytes_received: received,
        };
        self.record(at, time, &record);
    }

    pub(super) fn rma_release_lock(
        &self,
        at: Location,
        time: Timestamp,
        window: RmaWindowHandle,
        remote: u32,
        lock: u64,
    ) {
        self.record(at, time, &RmaReleaseLock { win: self.window(window), remote, lock_id: lock });
    }

    pub(super) fn rma_sync(
        &self,
        at: Location,
        time: Timestamp,
        window: RmaWindowHandle,
        remote: u32,
        sync: RmaSyncType,
    ) {
        self.record(
            at,
            time,
            &RmaSync { win: self.window(window), remote, sync_type: mapping::rma_sync_type(sync) },
        );
    }

    pub(super) fn rma_group_sync(
        &self,
        at: Location,
        time: Timestamp,
        sync_level: RmaSyncLevel,
        window: RmaWindowHandle,
        group: GroupHandle,
    ) {
        self.record(
            at,
            time,
            &RmaGroupSync {
                sync_level: mapping::rma_sync_level(sync_level),
                win: self.window(window),
                group: self.group(group),
            },
        );
    }

    pub(super) fn rma_atomic(
        &self,
        at: Location,
        time: Timestamp,
        window: RmaWindowHandle,
        remote: u32,
        atomic: RmaAtomicType,
        sent: u64,
        received: u64,
        matching: u64,
    ) {
        let record = RmaAtomic {
            win: self.window(window),
            remote,
            type_: mapping::rma_atomic_type(atomic),
            bytes_sent: sent,
            bytes_received: received,
            matching_id: matching,
        };
        self.record(at, time, &record);
    }
}
