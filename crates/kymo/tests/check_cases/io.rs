//! I/O handles, their operations and their locks.

use kymo_otf2::enums::{IoAccessMode, IoOperationMode, LockType};
use kymo_otf2::events::*;
use kymo_otf2::flags::{IoCreationFlag, IoOperationFlag, IoStatusFlag};
use kymo_otf2::references::IoHandleRef;

use super::{Case, case};
use crate::check_common::Trace;
use crate::check_common::world::*;

fn create(handle: IoHandleRef, mode: IoAccessMode) -> IoCreateHandle {
    let (creation_flags, status_flags) = (IoCreationFlag::empty(), IoStatusFlag::empty());
    IoCreateHandle { handle, mode, creation_flags, status_flags }
}

fn begin(handle: IoHandleRef, mode: IoOperationMode, matching_id: u64) -> IoOperationBegin {
    IoOperationBegin {
        handle,
        mode,
        operation_flags: IoOperationFlag::empty(),
        bytes_request: 8,
        matching_id,
    }
}

fn complete(handle: IoHandleRef, matching_id: u64) -> IoOperationComplete {
    IoOperationComplete { handle, bytes_result: 8, matching_id }
}

/// Adds a read operation on a handle.
fn read(trace: &mut Trace, location: u64, time: u64, handle: IoHandleRef) {
    trace.event(location, time, begin(handle, IoOperationMode::READ, 1));
    trace.event(location, time + 1, complete(handle, 1));
}

pub fn cases() -> Vec<Case> {
    [handles(), operations()].into_iter().flatten().collect()
}

fn handles() -> Vec<Case> {
    vec![
        case("handle-not-active", |trace, faulty| {
            if !faulty {
                trace.event(0, 10, create(HANDLE, IoAccessMode::READ_WRITE));
            }
            read(trace, 2, 20, HANDLE);
        }),
        // Each process has its own handles.
        case("handle-not-active", |trace, faulty| {
            trace.event(if faulty { 1 } else { 2 }, 10, create(HANDLE, IoAccessMode::READ_WRITE));
            read(trace, 0, 20, HANDLE);
        }),
        case("handle-not-active", |trace, faulty| {
            if faulty {
                trace.event(0, 10, IoDestroyHandle { handle: OPEN_HANDLE });
            }
            read(trace, 0, 20, OPEN_HANDLE);
        }),
        case("handle-active", |trace, faulty| {
            if !faulty {
                trace.event(0, 10, IoDestroyHandle { handle: OPEN_HANDLE });
            }
            trace.event(0, 20, create(OPEN_HANDLE, IoAccessMode::READ_WRITE));
        }),
        case("handle-active", |trace, faulty| {
            let new_handle = if faulty { OPEN_HANDLE } else { HANDLE };
            let status_flags = IoStatusFlag::empty();
            trace.event(0, 10, IoDuplicateHandle { old_handle: OPEN_HANDLE, new_handle, status_flags });
        }),
        case("proxy-handle", |trace, faulty| match faulty {
            true => trace.event(0, 10, create(PROXY, IoAccessMode::READ_WRITE)),
            false => {
                trace.event(0, 10, begin(PROXY, IoOperationMode::FLUSH, 1));
                trace.event(0, 20, complete(PROXY, 1));
            }
        }),
        case("access-mode", |trace, faulty| {
            let mode = if faulty { IoOperationMode::WRITE } else { IoOperationMode::READ };
            trace.event(0, 10, begin(OPEN_HANDLE, mode, 1));
            trace.event(0, 20, complete(OPEN_HANDLE, 1));
        }),
        case("access-mode", |trace, faulty| {
            let mode = if faulty { IoAccessMode::WRITE_ONLY } else { IoAccessMode::READ_ONLY };
            trace.event(0, 10, create(HANDLE, mode));
            read(trace, 0, 20, HANDLE);
        }),
        // A file that is closed is no longer locked.
        case("lock-not-released", |trace, faulty| {
            trace.event(0, 10, IoAcquireLock { handle: OPEN_HANDLE, lock_type: LockType::EXCLUSIVE });
            if !faulty {
                trace.event(0, 20, IoDestroyHandle { handle: OPEN_HANDLE });
            }
        }),
        case("lock-not-held", |trace, faulty| {
            if !faulty {
                trace.event(0, 10, IoAcquireLock { handle: OPEN_HANDLE, lock_type: LockType::SHARED });
            }
            trace.event(0, 20, IoReleaseLock { handle: OPEN_HANDLE, lock_type: LockType::SHARED });
        }),
    ]
}

fn operations() -> Vec<Case> {
    vec![
        case("collective-io", |trace, faulty| {
            let handle = if faulty { HANDLE } else { PARALLEL_HANDLE };
            trace.event(0, 10, create(handle, IoAccessMode::READ_WRITE));
            let operation_flags = IoOperationFlag::COLLECTIVE;
            trace.event(
                0,
                20,
                IoOperationBegin { operation_flags, ..begin(handle, IoOperationMode::READ, 1) },
            );
            trace.event(0, 30, complete(handle, 1));
        }),
        case("io-number-in-use", |trace, faulty| {
            let second = if faulty { 1 } else { 2 };
            trace.event(0, 10, begin(OPEN_HANDLE, IoOperationMode::READ, 1));
            trace.event(0, 20, begin(OPEN_HANDLE, IoOperationMode::READ, second));
            trace.event(0, 30, complete(OPEN_HANDLE, 1));
            if !faulty {
                trace.event(0, 40, complete(OPEN_HANDLE, second));
            }
        }),
        case("io-not-begun", |trace, faulty| {
            trace.event(0, 10, begin(OPEN_HANDLE, IoOperationMode::READ, 1));
            trace.event(
                0,
                20,
                IoOperationTest { handle: OPEN_HANDLE, matching_id: if faulty { 2 } else { 1 } },
            );
            trace.event(0, 30, IoOperationCancelled { handle: OPEN_HANDLE, matching_id: 1 });
        }),
        case("io-not-complete", |trace, faulty| {
            trace.event(0, 10, begin(OPEN_HANDLE, IoOperationMode::READ, 1));
            trace.event(0, 20, IoOperationIssued { handle: OPEN_HANDLE, matching_id: 1 });
            if !faulty {
                trace.event(0, 30, complete(OPEN_HANDLE, 1));
            }
        }),
        case("io-bytes", |trace, faulty| {
            trace.event(0, 10, begin(OPEN_HANDLE, IoOperationMode::READ, 1));
            let bytes_result = if faulty { 9 } else { 8 };
            trace.event(0, 20, IoOperationComplete { bytes_result, ..complete(OPEN_HANDLE, 1) });
        }),
    ]
}
