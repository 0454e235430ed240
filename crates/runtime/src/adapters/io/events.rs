//! The events of input and output, as calls of the plugins. MPI's files have them, too.

use core::sync::atomic::Ordering::Relaxed;

use crate::events::call;
use crate::measurement::Here;

/// Declares events.
///
/// ```text
/// name(value: type, …) = EVENT: Callback;
/// ```
macro_rules! events {
    ($($(#[$doc:meta])* $name:ident($($value:ident: $type:ty),*) = $event:ident: $callback:ident;)*) => {
        impl Here {$(
            $(#[$doc])*
            #[allow(clippy::too_many_arguments, reason = "the arguments of the event")]
            pub(crate) fn $name(&self, $($value: $type),*) {
                let (host, location) = self.parts();
                let time = self.now();
                location.last_time.store(time, Relaxed);
                call!(host.table(), $event: $callback, location.address(), time $(, $value)*);
            }
        )*}
    };
}

events! {
    io_create(handle: u32, access: u32, creation: u32, status: u32) =
        SCOREP_EVENT_IO_CREATE_HANDLE: SCOREP_Substrates_IoCreateHandleCb;
    io_destroy(handle: u32) = SCOREP_EVENT_IO_DESTROY_HANDLE: SCOREP_Substrates_IoDestroyHandleCb;
    io_duplicate(old: u32, new: u32, status: u32) =
        SCOREP_EVENT_IO_DUPLICATE_HANDLE: SCOREP_Substrates_IoDuplicateHandleCb;
    io_change(handle: u32, status: u32) =
        SCOREP_EVENT_IO_CHANGE_STATUS_FLAGS: SCOREP_Substrates_IoChangeStatusFlagsCb;
    io_delete(paradigm: u32, file: u32) = SCOREP_EVENT_IO_DELETE_FILE: SCOREP_Substrates_IoDeleteFileCb;
    io_seek(handle: u32, request: i64, whence: u32, result: u64) =
        SCOREP_EVENT_IO_SEEK: SCOREP_Substrates_IoSeekCb;
    io_begin(handle: u32, mode: u32, flags: u32, bytes: u64, id: u64, offset: u64) =
        SCOREP_EVENT_IO_OPERATION_BEGIN: SCOREP_Substrates_IoOperationBeginCb;
    io_issued(handle: u32, id: u64) = SCOREP_EVENT_IO_OPERATION_ISSUED: SCOREP_Substrates_IoOperationIssuedCb;
    io_tested(handle: u32, id: u64) = SCOREP_EVENT_IO_OPERATION_TEST: SCOREP_Substrates_IoOperationTestCb;
    io_complete(handle: u32, mode: u32, bytes: u64, id: u64) =
        SCOREP_EVENT_IO_OPERATION_COMPLETE: SCOREP_Substrates_IoOperationCompleteCb;
    io_cancelled(handle: u32, id: u64) =
        SCOREP_EVENT_IO_OPERATION_CANCELLED: SCOREP_Substrates_IoOperationCancelledCb;
    io_lock_acquired(handle: u32, lock: u32) =
        SCOREP_EVENT_IO_ACQUIRE_LOCK: SCOREP_Substrates_IoAcquireLockCb;
    /// A lock that was not acquired.
    io_lock_tried(handle: u32, lock: u32) = SCOREP_EVENT_IO_TRY_LOCK: SCOREP_Substrates_IoTryLockCb;
    io_lock_released(handle: u32, lock: u32) =
        SCOREP_EVENT_IO_RELEASE_LOCK: SCOREP_Substrates_IoReleaseLockCb;
}
