//! Input and output: handles, positions, operations, locks (events 65 to 78).

use kymo_otf2::{
    attributes::Attribute,
    events::{
        IoAcquireLock, IoChangeStatusFlags, IoCreateHandle, IoDeleteFile, IoDestroyHandle, IoDuplicateHandle,
        IoOperationBegin, IoOperationCancelled, IoOperationComplete, IoOperationIssued, IoOperationTest,
        IoReleaseLock, IoSeek, IoTryLock,
    },
};
use kymo_substrate::{
    IoAccessMode, IoCreationFlags, IoFileHandle, IoHandleHandle, IoOperationFlags, IoOperationMode,
    IoParadigmType, IoSeekOption, IoStatusFlags, Location, LockType, Timestamp,
};

use super::callbacks;
use crate::{definitions::attribute, events::Sink, mapping, release::Release};

callbacks! {
    [record]
    |sink, handle: IoHandleHandle, matching: u64| { handle: sink.io_handle(handle), matching_id: matching }
    io_operation_issued: IoOperationIssued,
    io_operation_test: IoOperationTest,
    io_operation_cancelled: IoOperationCancelled,
}

/// The offset that the host passes if it is unknown.
const UNKNOWN_OFFSET: u64 = u64::MAX;

impl Sink {
    pub(super) fn io_create_handle(
        &self,
        at: Location,
        time: Timestamp,
        handle: IoHandleHandle,
        mode: IoAccessMode,
        creation: IoCreationFlags,
        status: IoStatusFlags,
    ) {
        let record = IoCreateHandle {
            handle: self.io_handle(handle),
            mode: mapping::io_access_mode(mode),
            creation_flags: mapping::io_creation_flags(creation),
            status_flags: mapping::io_status_flags(status),
        };
        self.record(at, time, &record);
    }

    pub(super) fn io_destroy_handle(&self, at: Location, time: Timestamp, handle: IoHandleHandle) {
        self.record(at, time, &IoDestroyHandle { handle: self.io_handle(handle) });
    }

    pub(super) fn io_duplicate_handle(
        &self,
        at: Location,
        time: Timestamp,
        old: IoHandleHandle,
        new: IoHandleHandle,
        status: IoStatusFlags,
    ) {
        let record = IoDuplicateHandle {
            old_handle: self.io_handle(old),
            new_handle: self.io_handle(new),
            status_flags: mapping::io_status_flags(status),
        };
        self.record(at, time, &record);
    }

    pub(super) fn io_seek(
        &self,
        at: Location,
        time: Timestamp,
        handle: IoHandleHandle,
        request: i64,
        whence: IoSeekOption,
        result: u64,
    ) {
        let record = IoSeek {
            handle: self.io_handle(handle),
            offset_request: request,
            whence: mapping::io_seek_option(whence),
            offset_result: result,
        };
        self.record(at, time, &record);
    }

    pub(super) fn io_change_status_flags(
        &self,
        at: Location,
        time: Timestamp,
        handle: IoHandleHandle,
        status: IoStatusFlags,
    ) {
        self.record(
            at,
            time,
            &IoChangeStatusFlags {
                handle: self.io_handle(handle),
                status_flags: mapping::io_status_flags(status),
            },
        );
    }

    pub(super) fn io_delete_file(
        &self,
        at: Location,
        time: Timestamp,
        paradigm: IoParadigmType,
        file: IoFileHandle,
    ) {
        self.record(
            at,
            time,
            &IoDeleteFile { io_paradigm: self.definitions.io_paradigm(paradigm), file: self.io_file(file) },
        );
    }

    /// If the host has no size, it passes all ones, which is OTF2's undefined size.
    pub(super) fn io_operation_begin(
        &self,
        at: Location,
        time: Timestamp,
        handle: IoHandleHandle,
        mode: IoOperationMode,
        flags: IoOperationFlags,
        bytes: u64,
        matching: u64,
        offset: u64,
    ) {
        let record = IoOperationBegin {
            handle: self.io_handle(handle),
            mode: mapping::io_operation_mode(mode),
            operation_flags: mapping::io_operation_flags(flags),
            bytes_request: bytes,
            matching_id: matching,
        };
        let attributes = [Attribute::new(attribute::OFFSET, offset)];
        let known = usize::from(offset != UNKNOWN_OFFSET && self.release.is_since(Release::V7));
        self.at(at, time, |location| location.record_with(time, &attributes[..known], &record));
    }

    pub(super) fn io_operation_complete(
        &self,
        at: Location,
        time: Timestamp,
        handle: IoHandleHandle,
        _mode: IoOperationMode,
        bytes: u64,
        matching: u64,
    ) {
        self.record(
            at,
            time,
            &IoOperationComplete {
                handle: self.io_handle(handle),
                bytes_result: bytes,
                matching_id: matching,
            },
        );
    }

    pub(super) fn io_acquire_lock(
        &self,
        at: Location,
        time: Timestamp,
        handle: IoHandleHandle,
        lock_type: LockType,
    ) {
        self.record(
            at,
            time,
            &IoAcquireLock { handle: self.io_handle(handle), lock_type: mapping::lock_type(lock_type) },
        );
    }

    /// Event 77. In hosts up to 7.x it is the release of a lock.
    pub(super) fn io_try_lock(
        &self,
        at: Location,
        time: Timestamp,
        handle: IoHandleHandle,
        lock_type: LockType,
    ) {
        self.record_try_or_release(at, time, handle, lock_type, self.release.is_since(Release::V8));
    }

    /// Event 78. In hosts up to 7.x it is the attempt to lock.
    pub(super) fn io_release_lock(
        &self,
        at: Location,
        time: Timestamp,
        handle: IoHandleHandle,
        lock_type: LockType,
    ) {
        self.record_try_or_release(at, time, handle, lock_type, !self.release.is_since(Release::V8));
    }

    fn record_try_or_release(
        &self,
        at: Location,
        time: Timestamp,
        handle: IoHandleHandle,
        lock: LockType,
        is_try: bool,
    ) {
        let (handle, lock_type) = (self.io_handle(handle), mapping::lock_type(lock));
        match is_try {
            true => self.record(at, time, &IoTryLock { handle, lock_type }),
            false => self.record(at, time, &IoReleaseLock { handle, lock_type }),
        }
    }
}
