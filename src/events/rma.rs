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

use crate::{Kymo, mapping};

impl Kymo {
    pub(crate) fn rma_win_create(&self, at: Location, time: Timestamp, window: RmaWindowHandle) {
        self.record(at, time, &RmaWinCreate { win: self.window(window) });
    }

    pub(crate) fn rma_win_destroy(&self, at: Location, time: Timestamp, window: RmaWindowHandle) {
        self.record(at, time, &RmaWinDestroy { win: self.window(window) });
    }

    pub(crate) fn rma_collective_begin(&self, at: Location, time: Timestamp, _sync_level: RmaSyncLevel) {
        self.record(at, time, &RmaCollectiveBegin {});
    }

    pub(crate) fn rma_collective_end(
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

    pub(crate) fn rma_try_lock(
        &self,
        at: Location,
        time: Timestamp,
        window: RmaWindowHandle,
        remote: u32,
        lock: u64,
        lock_type: LockType,
    ) {
        self.record(
            at,
            time,
            &RmaTryLock {
                win: self.window(window),
                remote,
                lock_id: lock,
                lock_type: mapping::lock_type(lock_type),
            },
        );
    }

    pub(crate) fn rma_acquire_lock(
        &self,
        at: Location,
        time: Timestamp,
        window: RmaWindowHandle,
        remote: u32,
        lock: u64,
        lock_type: LockType,
    ) {
        self.record(
            at,
            time,
            &RmaAcquireLock {
                win: self.window(window),
                remote,
                lock_id: lock,
                lock_type: mapping::lock_type(lock_type),
            },
        );
    }

    pub(crate) fn rma_request_lock(
        &self,
        at: Location,
        time: Timestamp,
        window: RmaWindowHandle,
        remote: u32,
        lock: u64,
        lock_type: LockType,
    ) {
        self.record(
            at,
            time,
            &RmaRequestLock {
                win: self.window(window),
                remote,
                lock_id: lock,
                lock_type: mapping::lock_type(lock_type),
            },
        );
    }

    pub(crate) fn rma_release_lock(
        &self,
        at: Location,
        time: Timestamp,
        window: RmaWindowHandle,
        remote: u32,
        lock: u64,
    ) {
        self.record(at, time, &RmaReleaseLock { win: self.window(window), remote, lock_id: lock });
    }

    pub(crate) fn rma_sync(
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

    pub(crate) fn rma_group_sync(
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

    pub(crate) fn rma_put(
        &self,
        at: Location,
        time: Timestamp,
        window: RmaWindowHandle,
        remote: u32,
        bytes: u64,
        matching: u64,
    ) {
        self.record(at, time, &RmaPut { win: self.window(window), remote, bytes, matching_id: matching });
    }

    pub(crate) fn rma_get(
        &self,
        at: Location,
        time: Timestamp,
        window: RmaWindowHandle,
        remote: u32,
        bytes: u64,
        matching: u64,
    ) {
        self.record(at, time, &RmaGet { win: self.window(window), remote, bytes, matching_id: matching });
    }

    pub(crate) fn rma_atomic(
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

    pub(crate) fn rma_wait_change(&self, at: Location, time: Timestamp, window: RmaWindowHandle) {
        self.record(at, time, &RmaWaitChange { win: self.window(window) });
    }

    pub(crate) fn rma_op_complete_blocking(
        &self,
        at: Location,
        time: Timestamp,
        window: RmaWindowHandle,
        matching: u64,
    ) {
        self.record(at, time, &RmaOpCompleteBlocking { win: self.window(window), matching_id: matching });
    }

    pub(crate) fn rma_op_complete_non_blocking(
        &self,
        at: Location,
        time: Timestamp,
        window: RmaWindowHandle,
        matching: u64,
    ) {
        self.record(at, time, &RmaOpCompleteNonBlocking { win: self.window(window), matching_id: matching });
    }

    pub(crate) fn rma_op_test(&self, at: Location, time: Timestamp, window: RmaWindowHandle, matching: u64) {
        self.record(at, time, &RmaOpTest { win: self.window(window), matching_id: matching });
    }

    pub(crate) fn rma_op_complete_remote(
        &self,
        at: Location,
        time: Timestamp,
        window: RmaWindowHandle,
        matching: u64,
    ) {
        self.record(at, time, &RmaOpCompleteRemote { win: self.window(window), matching_id: matching });
    }
}
