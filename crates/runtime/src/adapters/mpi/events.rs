//! The events of MPI, as calls of the plugins.
//!
//! Invariant: an event with a definition whose handle is 0 is not recorded.

use core::sync::atomic::Ordering::Relaxed;

use crate::events::call;
use crate::measurement::Here;

/// The time of an event: its own, or that of the event before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Now,
    AtLast,
}

impl When {
    fn of(self, here: &Here) -> u64 {
        match self {
            Self::Now => here.now(),
            Self::AtLast => here.last_time(),
        }
    }
}

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
            pub(super) fn $name(&self, when: When, $($value: $type),*) {
                let (host, location) = self.parts();
                let time = when.of(self);
                location.last_time.store(time, Relaxed);
                call!(host.table(), $event: $callback, location.address(), time $(, $value)*);
            }
        )*}
    };
}

events! {
    /// A blocking send.
    mpi_send(dest: i32, comm: u32, tag: u32, bytes: u64) = SCOREP_EVENT_MPI_SEND: SCOREP_Substrates_MpiSendCb;
    /// A blocking receive, or a non-blocking one without its own events.
    mpi_receive(source: i32, comm: u32, tag: u32, bytes: u64) =
        SCOREP_EVENT_MPI_RECV: SCOREP_Substrates_MpiRecvCb;
    /// The start of a non-blocking send.
    mpi_start_send(dest: i32, comm: u32, tag: u32, bytes: u64, id: u64) =
        SCOREP_EVENT_MPI_ISEND: SCOREP_Substrates_MpiIsendCb;
    mpi_send_complete(id: u64) = SCOREP_EVENT_MPI_ISEND_COMPLETE: SCOREP_Substrates_MpiIsendCompleteCb;
    /// The start of a non-blocking receive.
    mpi_start_receive(id: u64) = SCOREP_EVENT_MPI_IRECV_REQUEST: SCOREP_Substrates_MpiIrecvRequestCb;
    /// The completion of a non-blocking receive.
    mpi_receive_complete(source: i32, comm: u32, tag: u32, bytes: u64, id: u64) =
        SCOREP_EVENT_MPI_IRECV: SCOREP_Substrates_MpiIrecvCb;
    /// A message was found and reserved.
    mpi_probe(source: i32, comm: u32, tag: u32, message: u64) = KYMO_EVENT_MPI_PROBE: MpiProbeCb;
    /// A blocking receive of a reserved message, or a non-blocking one without its own events.
    mpi_matched_receive(message: u64, bytes: u64) = KYMO_EVENT_MPI_MRECV: MatchedReceiveCb;
    /// The start of a non-blocking receive of a reserved message.
    mpi_start_matched_receive(message: u64, id: u64) =
        KYMO_EVENT_MPI_IMRECV_REQUEST: MatchedReceiveCb;
    /// The completion of a non-blocking receive of a reserved message.
    mpi_matched_receive_complete(id: u64, bytes: u64) = KYMO_EVENT_MPI_IMRECV: MatchedReceiveCb;
    mpi_request_tested(id: u64) = SCOREP_EVENT_MPI_REQUEST_TESTED: SCOREP_Substrates_MpiRequestTestedCb;
    mpi_request_cancelled(id: u64) =
        SCOREP_EVENT_MPI_REQUEST_CANCELLED: SCOREP_Substrates_MpiRequestCancelledCb;
    mpi_collective_begin() = SCOREP_EVENT_MPI_COLLECTIVE_BEGIN: SCOREP_Substrates_MpiCollectiveBeginCb;
    mpi_collective_end(comm: u32, root: i32, kind: u32, sent: u64, received: u64) =
        SCOREP_EVENT_MPI_COLLECTIVE_END: SCOREP_Substrates_MpiCollectiveEndCb;
    /// The start of a non-blocking collective operation.
    mpi_collective_request(id: u64) =
        SCOREP_EVENT_MPI_NON_BLOCKING_COLLECTIVE_REQUEST: SCOREP_Substrates_MpiNonBlockingCollectiveRequestCb;
    mpi_collective_complete(comm: u32, root: i32, kind: u32, sent: u64, received: u64, id: u64) =
        SCOREP_EVENT_MPI_NON_BLOCKING_COLLECTIVE_COMPLETE:
        SCOREP_Substrates_MpiNonBlockingCollectiveCompleteCb;
    comm_create(comm: u32) = SCOREP_EVENT_COMM_CREATE: SCOREP_Substrates_CommCreateCb;
    comm_destroy(comm: u32) = SCOREP_EVENT_COMM_DESTROY: SCOREP_Substrates_CommDestroyCb;
    rma_win_create(win: u32) = SCOREP_EVENT_RMA_WIN_CREATE: SCOREP_Substrates_RmaWinCreateCb;
    rma_win_destroy(win: u32) = SCOREP_EVENT_RMA_WIN_DESTROY: SCOREP_Substrates_RmaWinDestroyCb;
    rma_collective_begin(level: u32) =
        SCOREP_EVENT_RMA_COLLECTIVE_BEGIN: SCOREP_Substrates_RmaCollectiveBeginCb;
    rma_collective_end(kind: u32, level: u32, win: u32, root: u32, sent: u64, received: u64) =
        SCOREP_EVENT_RMA_COLLECTIVE_END: SCOREP_Substrates_RmaCollectiveEndCb;
    rma_group_sync(level: u32, win: u32, group: u32) =
        SCOREP_EVENT_RMA_GROUP_SYNC: SCOREP_Substrates_RmaGroupSyncCb;
    rma_request_lock(win: u32, rank: u32, lock: u64, kind: u32) =
        SCOREP_EVENT_RMA_REQUEST_LOCK: SCOREP_Substrates_RmaRequestLockCb;
    rma_release_lock(win: u32, rank: u32, lock: u64) =
        SCOREP_EVENT_RMA_RELEASE_LOCK: SCOREP_Substrates_RmaReleaseLockCb;
    rma_put(win: u32, rank: u32, bytes: u64, id: u64) = SCOREP_EVENT_RMA_PUT: SCOREP_Substrates_RmaPutCb;
    rma_get(win: u32, rank: u32, bytes: u64, id: u64) = SCOREP_EVENT_RMA_GET: SCOREP_Substrates_RmaGetCb;
    rma_atomic(win: u32, rank: u32, kind: u32, sent: u64, received: u64, id: u64) =
        SCOREP_EVENT_RMA_ATOMIC: SCOREP_Substrates_RmaAtomicCb;
    /// An operation is complete at the origin.
    rma_complete_local(win: u32, id: u64) =
        SCOREP_EVENT_RMA_OP_COMPLETE_NON_BLOCKING: SCOREP_Substrates_RmaOpCompleteNonBlockingCb;
    /// An operation is complete at the target.
    rma_complete_remote(win: u32, id: u64) =
        SCOREP_EVENT_RMA_OP_COMPLETE_REMOTE: SCOREP_Substrates_RmaOpCompleteRemoteCb;
}
