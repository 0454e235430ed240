//! The events of the interface, declared in one list.
//!
//! [`Events`] contains a plugin's event functions with safe signatures. For each event, the list
//! also generates the C function that the host calls and its entry in the event table
//! (`declaration.rs`). The numbers are those of Score-P 8.x and 9.0, the signatures those of 9.0;
//! the compiler checks both against the bindings.

#[macro_use]
mod declaration;
mod arguments;
pub(crate) mod own;

use core::ffi::c_void;
use core::fmt;
use core::mem::transmute;

use crate::bindings;
use crate::glue::Export;
use crate::handles::*;
use crate::kinds::*;
use crate::plugin::SubstratePlugin;
use arguments::Argument;
pub(crate) use arguments::host_slice;

/// The numbers and types of all events.
pub mod event_types {
    pub use super::own::*;
    pub use crate::bindings::*;
}

/// The number of events of Score-P. Those of our own host follow.
pub const EVENTS: usize = bindings::SCOREP_SUBSTRATES_NUM_EVENTS as usize;

/// One of a plugin's two event tables.
pub(crate) trait Table<P: SubstratePlugin> {
    /// The functions that the plugin put into the table.
    const EVENTS: Events<P>;
}

/// The table in use while recording is on, which is the initial state.
pub(crate) enum Enabled {}

/// The table in use while recording is off.
pub(crate) enum Disabled {}

impl<P: SubstratePlugin> Table<P> for Enabled {
    const EVENTS: Events<P> = P::ENABLED;
}

impl<P: SubstratePlugin> Table<P> for Disabled {
    const EVENTS: Events<P> = P::DISABLED;
}

/// The C function pointers of plugin `P`'s table `T`, by event number; null if the plugin has no
/// function.
pub(crate) const fn functions<P: Export, T: Table<P>>()
-> &'static [bindings::SCOREP_Substrates_Callback; own::ALL_EVENTS] {
    const { &table::<P, T>() }
}

events! {
    // Recording
    /// Recording was switched on; the host is using the enabled table again.
    enable_recording(region: RegionHandle, metrics: Metrics)
        = SCOREP_EVENT_ENABLE_RECORDING, SCOREP_Substrates_EnableRecordingCb;
    /// Recording is being switched off; the host changes tables right after this call.
    disable_recording(region: RegionHandle, metrics: Metrics)
        = SCOREP_EVENT_DISABLE_RECORDING, SCOREP_Substrates_DisableRecordingCb;
    /// The built-in tracing starts to flush its event buffer.
    on_tracing_buffer_flush_begin(region: RegionHandle, metrics: Metrics)
        = SCOREP_EVENT_ON_TRACING_BUFFER_FLUSH_BEGIN, SCOREP_Substrates_OnTracingBufferFlushBeginCb;
    /// The built-in tracing has flushed its event buffer.
    on_tracing_buffer_flush_end(region: RegionHandle, metrics: Metrics)
        = SCOREP_EVENT_ON_TRACING_BUFFER_FLUSH_END, SCOREP_Substrates_OnTracingBufferFlushEndCb;

    // Regions
    /// A region is entered.
    enter_region(region: RegionHandle, metrics: Metrics)
        = SCOREP_EVENT_ENTER_REGION, SCOREP_Substrates_EnterRegionCb;
    /// A region is left.
    exit_region(region: RegionHandle, metrics: Metrics)
        = SCOREP_EVENT_EXIT_REGION, SCOREP_Substrates_ExitRegionCb;

    // Samples and calling contexts
    /// A sample was taken. Delivered in a signal handler.
    sample(
        calling_context: CallingContextHandle, previous: CallingContextHandle, unwind_distance: u32,
        interrupt_generator: InterruptGeneratorHandle, metrics: Metrics,
    )
        = SCOREP_EVENT_SAMPLE, SCOREP_Substrates_SampleCb;
    /// A region is entered, described as a calling context.
    calling_context_enter(
        calling_context: CallingContextHandle, previous: CallingContextHandle, unwind_distance: u32,
        metrics: Metrics,
    )
        = SCOREP_EVENT_CALLING_CONTEXT_ENTER, SCOREP_Substrates_CallingContextEnterCb;
    /// A region is left, described as a calling context.
    calling_context_exit(
        calling_context: CallingContextHandle, previous: CallingContextHandle, unwind_distance: u32,
        metrics: Metrics,
    )
        = SCOREP_EVENT_CALLING_CONTEXT_EXIT, SCOREP_Substrates_CallingContextExitCb;

    // Rewinding
    /// A rewind region starts: a point to which the location's events may be rewound.
    enter_rewind_region(region: RegionHandle)
        = SCOREP_EVENT_ENTER_REWIND_REGION, SCOREP_Substrates_EnterRewindRegionCb;
    /// A rewind region ends, with the decision whether to rewind.
    exit_rewind_region(region: RegionHandle, do_rewind: bool)
        = SCOREP_EVENT_EXIT_REWIND_REGION, SCOREP_Substrates_ExitRewindRegionCb;

    // MPI
    /// A blocking MPI send.
    mpi_send(destination: MpiRank, communicator: InterimCommunicatorHandle, tag: u32, bytes_sent: u64)
        = SCOREP_EVENT_MPI_SEND, SCOREP_Substrates_MpiSendCb;
    /// A blocking MPI receive is complete.
    mpi_recv(source: MpiRank, communicator: InterimCommunicatorHandle, tag: u32, bytes_received: u64)
        = SCOREP_EVENT_MPI_RECV, SCOREP_Substrates_MpiRecvCb;
    /// An MPI collective operation starts.
    mpi_collective_begin()
        = SCOREP_EVENT_MPI_COLLECTIVE_BEGIN, SCOREP_Substrates_MpiCollectiveBeginCb;
    /// An MPI collective operation is complete.
    mpi_collective_end(
        communicator: InterimCommunicatorHandle, root: MpiRank, collective: CollectiveType, bytes_sent: u64,
        bytes_received: u64,
    )
        = SCOREP_EVENT_MPI_COLLECTIVE_END, SCOREP_Substrates_MpiCollectiveEndCb;
    /// A non-blocking MPI send is complete.
    mpi_isend_complete(request_id: u64)
        = SCOREP_EVENT_MPI_ISEND_COMPLETE, SCOREP_Substrates_MpiIsendCompleteCb;
    /// A non-blocking MPI receive is posted.
    mpi_irecv_request(request_id: u64)
        = SCOREP_EVENT_MPI_IRECV_REQUEST, SCOREP_Substrates_MpiIrecvRequestCb;
    /// An MPI request was tested and is not complete.
    mpi_request_tested(request_id: u64)
        = SCOREP_EVENT_MPI_REQUEST_TESTED, SCOREP_Substrates_MpiRequestTestedCb;
    /// An MPI request is cancelled.
    mpi_request_cancelled(request_id: u64)
        = SCOREP_EVENT_MPI_REQUEST_CANCELLED, SCOREP_Substrates_MpiRequestCancelledCb;
    /// A non-blocking MPI send starts.
    mpi_isend(
        destination: MpiRank, communicator: InterimCommunicatorHandle, tag: u32, bytes_sent: u64,
        request_id: u64,
    )
        = SCOREP_EVENT_MPI_ISEND, SCOREP_Substrates_MpiIsendCb;
    /// A non-blocking MPI receive is complete.
    mpi_irecv(
        source: MpiRank, communicator: InterimCommunicatorHandle, tag: u32, bytes_received: u64,
        request_id: u64,
    )
        = SCOREP_EVENT_MPI_IRECV, SCOREP_Substrates_MpiIrecvCb;

    // One-sided communication (RMA)
    /// An RMA window is created.
    rma_win_create(window: RmaWindowHandle)
        = SCOREP_EVENT_RMA_WIN_CREATE, SCOREP_Substrates_RmaWinCreateCb;
    /// An RMA window is destroyed.
    rma_win_destroy(window: RmaWindowHandle)
        = SCOREP_EVENT_RMA_WIN_DESTROY, SCOREP_Substrates_RmaWinDestroyCb;
    /// A collective RMA operation starts. The sync level is passed since 7.0.
    rma_collective_begin(sync_level: RmaSyncLevel)
        = SCOREP_EVENT_RMA_COLLECTIVE_BEGIN, SCOREP_Substrates_RmaCollectiveBeginCb;
    /// A collective RMA operation is complete.
    rma_collective_end(
        collective: CollectiveType, sync_level: RmaSyncLevel, window: RmaWindowHandle, root: u32,
        bytes_sent: u64, bytes_received: u64,
    )
        = SCOREP_EVENT_RMA_COLLECTIVE_END, SCOREP_Substrates_RmaCollectiveEndCb;
    /// An attempt to lock an RMA window.
    rma_try_lock(window: RmaWindowHandle, remote: u32, lock_id: u64, lock_type: LockType)
        = SCOREP_EVENT_RMA_TRY_LOCK, SCOREP_Substrates_RmaTryLockCb;
    /// A lock of an RMA window is acquired.
    rma_acquire_lock(window: RmaWindowHandle, remote: u32, lock_id: u64, lock_type: LockType)
        = SCOREP_EVENT_RMA_ACQUIRE_LOCK, SCOREP_Substrates_RmaAcquireLockCb;
    /// A lock of an RMA window is requested.
    rma_request_lock(window: RmaWindowHandle, remote: u32, lock_id: u64, lock_type: LockType)
        = SCOREP_EVENT_RMA_REQUEST_LOCK, SCOREP_Substrates_RmaRequestLockCb;
    /// A lock of an RMA window is released.
    rma_release_lock(window: RmaWindowHandle, remote: u32, lock_id: u64)
        = SCOREP_EVENT_RMA_RELEASE_LOCK, SCOREP_Substrates_RmaReleaseLockCb;
    /// A synchronisation with one remote process on an RMA window.
    rma_sync(window: RmaWindowHandle, remote: u32, sync_type: RmaSyncType)
        = SCOREP_EVENT_RMA_SYNC, SCOREP_Substrates_RmaSyncCb;
    /// A synchronisation of a group on an RMA window.
    rma_group_sync(sync_level: RmaSyncLevel, window: RmaWindowHandle, group: GroupHandle)
        = SCOREP_EVENT_RMA_GROUP_SYNC, SCOREP_Substrates_RmaGroupSyncCb;
    /// An RMA put is issued.
    rma_put(window: RmaWindowHandle, remote: u32, bytes: u64, matching_id: u64)
        = SCOREP_EVENT_RMA_PUT, SCOREP_Substrates_RmaPutCb;
    /// An RMA get is issued.
    rma_get(window: RmaWindowHandle, remote: u32, bytes: u64, matching_id: u64)
        = SCOREP_EVENT_RMA_GET, SCOREP_Substrates_RmaGetCb;
    /// An RMA atomic operation is issued.
    rma_atomic(
        window: RmaWindowHandle, remote: u32, atomic_type: RmaAtomicType, bytes_sent: u64, bytes_received: u64,
        matching_id: u64,
    )
        = SCOREP_EVENT_RMA_ATOMIC, SCOREP_Substrates_RmaAtomicCb;
    /// The location waits for a change of its window memory.
    rma_wait_change(window: RmaWindowHandle)
        = SCOREP_EVENT_RMA_WAIT_CHANGE, SCOREP_Substrates_RmaWaitChangeCb;
    /// A blocking RMA operation is locally complete.
    rma_op_complete_blocking(window: RmaWindowHandle, matching_id: u64)
        = SCOREP_EVENT_RMA_OP_COMPLETE_BLOCKING, SCOREP_Substrates_RmaOpCompleteBlockingCb;
    /// A non-blocking RMA operation is locally complete.
    rma_op_complete_non_blocking(window: RmaWindowHandle, matching_id: u64)
        = SCOREP_EVENT_RMA_OP_COMPLETE_NON_BLOCKING, SCOREP_Substrates_RmaOpCompleteNonBlockingCb;
    /// An RMA operation was tested and is not complete.
    rma_op_test(window: RmaWindowHandle, matching_id: u64)
        = SCOREP_EVENT_RMA_OP_TEST, SCOREP_Substrates_RmaOpTestCb;
    /// An RMA operation is complete at the remote side.
    rma_op_complete_remote(window: RmaWindowHandle, matching_id: u64)
        = SCOREP_EVENT_RMA_OP_COMPLETE_REMOTE, SCOREP_Substrates_RmaOpCompleteRemoteCb;

    // Locks of threading paradigms
    /// A lock of a threading paradigm is acquired.
    thread_acquire_lock(paradigm: ParadigmType, lock_id: u32, acquisition_order: u32)
        = SCOREP_EVENT_THREAD_ACQUIRE_LOCK, SCOREP_Substrates_ThreadAcquireLockCb;
    /// A lock of a threading paradigm is released.
    thread_release_lock(paradigm: ParadigmType, lock_id: u32, acquisition_order: u32)
        = SCOREP_EVENT_THREAD_RELEASE_LOCK, SCOREP_Substrates_ThreadReleaseLockCb;

    // Counters
    /// A counter has a new signed value.
    trigger_counter_int64(sampling_set: SamplingSetHandle, value: i64)
        = SCOREP_EVENT_TRIGGER_COUNTER_INT64, SCOREP_Substrates_TriggerCounterInt64Cb;
    /// A counter has a new unsigned value.
    trigger_counter_uint64(sampling_set: SamplingSetHandle, value: u64)
        = SCOREP_EVENT_TRIGGER_COUNTER_UINT64, SCOREP_Substrates_TriggerCounterUint64Cb;
    /// A counter has a new floating point value.
    trigger_counter_double(sampling_set: SamplingSetHandle, value: f64)
        = SCOREP_EVENT_TRIGGER_COUNTER_DOUBLE, SCOREP_Substrates_TriggerCounterDoubleCb;

    // Parameters
    /// A parameter has a new signed value.
    trigger_parameter_int64(parameter: ParameterHandle, value: i64)
        = SCOREP_EVENT_TRIGGER_PARAMETER_INT64, SCOREP_Substrates_TriggerParameterInt64Cb;
    /// A parameter has a new unsigned value.
    trigger_parameter_uint64(parameter: ParameterHandle, value: u64)
        = SCOREP_EVENT_TRIGGER_PARAMETER_UINT64, SCOREP_Substrates_TriggerParameterUint64Cb;
    /// A parameter has a new string value.
    trigger_parameter_string(parameter: ParameterHandle, value: StringHandle)
        = SCOREP_EVENT_TRIGGER_PARAMETER_STRING, SCOREP_Substrates_TriggerParameterStringCb;

    // Fork-join threads and tasks
    /// The location forks a team of threads.
    thread_fork_join_fork(paradigm: ParadigmType, requested_threads: u32, fork_sequence_count: u32)
        = SCOREP_EVENT_THREAD_FORK_JOIN_FORK, SCOREP_Substrates_ThreadForkJoinForkCb;
    /// The team of threads is joined.
    thread_fork_join_join(paradigm: ParadigmType)
        = SCOREP_EVENT_THREAD_FORK_JOIN_JOIN, SCOREP_Substrates_ThreadForkJoinJoinCb;
    /// The location starts to work in a team. The thread id is passed since 7.0.
    thread_fork_join_team_begin(paradigm: ParadigmType, thread_team: InterimCommunicatorHandle, thread_id: u64)
        = SCOREP_EVENT_THREAD_FORK_JOIN_TEAM_BEGIN, SCOREP_Substrates_ThreadForkJoinTeamBeginCb;
    /// The location ends its work in a team.
    thread_fork_join_team_end(paradigm: ParadigmType, thread_team: InterimCommunicatorHandle)
        = SCOREP_EVENT_THREAD_FORK_JOIN_TEAM_END, SCOREP_Substrates_ThreadForkJoinTeamEndCb;
    /// A task is created.
    thread_fork_join_task_create(
        paradigm: ParadigmType, thread_team: InterimCommunicatorHandle, thread_id: u32, generation_number: u32,
    )
        = SCOREP_EVENT_THREAD_FORK_JOIN_TASK_CREATE, SCOREP_Substrates_ThreadForkJoinTaskCreateCb;
    /// Execution changes to another task.
    thread_fork_join_task_switch(
        metrics: Metrics, paradigm: ParadigmType, thread_team: InterimCommunicatorHandle, thread_id: u32,
        generation_number: u32, task: Task,
    )
        = SCOREP_EVENT_THREAD_FORK_JOIN_TASK_SWITCH, SCOREP_Substrates_ThreadForkJoinTaskSwitchCb;
    /// A task starts to run on the location.
    thread_fork_join_task_begin(
        region: RegionHandle, metrics: Metrics, paradigm: ParadigmType, thread_team: InterimCommunicatorHandle,
        thread_id: u32, generation_number: u32, task: Task,
    )
        = SCOREP_EVENT_THREAD_FORK_JOIN_TASK_BEGIN, SCOREP_Substrates_ThreadForkJoinTaskBeginCb;
    /// A task is complete.
    thread_fork_join_task_end(
        region: RegionHandle, metrics: Metrics, paradigm: ParadigmType, thread_team: InterimCommunicatorHandle,
        thread_id: u32, generation_number: u32, task: Task,
    )
        = SCOREP_EVENT_THREAD_FORK_JOIN_TASK_END, SCOREP_Substrates_ThreadForkJoinTaskEndCb;

    // Create-wait threads
    /// The location creates a thread.
    thread_create_wait_create(
        paradigm: ParadigmType, thread_team: InterimCommunicatorHandle, create_sequence_count: u32,
    )
        = SCOREP_EVENT_THREAD_CREATE_WAIT_CREATE, SCOREP_Substrates_ThreadCreateWaitCreateCb;
    /// The location has finished waiting for a thread that it created.
    thread_create_wait_wait(
        paradigm: ParadigmType, thread_team: InterimCommunicatorHandle, create_sequence_count: u32,
    )
        = SCOREP_EVENT_THREAD_CREATE_WAIT_WAIT, SCOREP_Substrates_ThreadCreateWaitWaitCb;
    /// A created thread starts. The thread id is passed since 7.0.
    thread_create_wait_begin(
        paradigm: ParadigmType, thread_team: InterimCommunicatorHandle, create_sequence_count: u32,
        thread_id: u64,
    )
        = SCOREP_EVENT_THREAD_CREATE_WAIT_BEGIN, SCOREP_Substrates_ThreadCreateWaitBeginCb;
    /// A created thread ends.
    thread_create_wait_end(
        paradigm: ParadigmType, thread_team: InterimCommunicatorHandle, create_sequence_count: u32,
    )
        = SCOREP_EVENT_THREAD_CREATE_WAIT_END, SCOREP_Substrates_ThreadCreateWaitEndCb;

    // Memory
    /// Memory was allocated. `metric_bytes` and `process_bytes` are the bytes now allocated in this
    /// metric and in the process.
    track_alloc(
        address: u64,
        bytes: usize,
        _data: *mut *mut c_void,
        metric_bytes: usize,
        process_bytes: usize,
    ) => (
        address: u64 = address,
        bytes: usize = bytes,
        metric_bytes: usize = metric_bytes,
        process_bytes: usize = process_bytes,
    )
        = SCOREP_EVENT_TRACK_ALLOC, SCOREP_Substrates_TrackAllocCb;
    /// Memory was reallocated.
    track_realloc(
        old_address: u64,
        old_bytes: usize,
        _old_data: *mut *mut c_void,
        new_address: u64,
        new_bytes: usize,
        _new_data: *mut *mut c_void,
        metric_bytes: usize,
        process_bytes: usize,
    ) => (
        old_address: u64 = old_address,
        old_bytes: usize = old_bytes,
        new_address: u64 = new_address,
        new_bytes: usize = new_bytes,
        metric_bytes: usize = metric_bytes,
        process_bytes: usize = process_bytes,
    )
        = SCOREP_EVENT_TRACK_REALLOC, SCOREP_Substrates_TrackReallocCb;
    /// Memory was freed.
    track_free(
        address: u64,
        bytes: usize,
        _data: *mut *mut c_void,
        metric_bytes: usize,
        process_bytes: usize,
    ) => (
        address: u64 = address,
        bytes: usize = bytes,
        metric_bytes: usize = metric_bytes,
        process_bytes: usize = process_bytes,
    )
        = SCOREP_EVENT_TRACK_FREE, SCOREP_Substrates_TrackFreeCb;

    // Post-mortem metrics
    /// Metric values collected post mortem, at the end of the measurement, one value per metric of
    /// the set.
    write_post_mortem_metrics(sampling_set: SamplingSetHandle, values: *const u64) => (
        sampling_set: SamplingSetHandle = sampling_set,
        // SAFETY: the host passes one value per metric of the sampling set, valid during the call.
        values: &[u64] = unsafe { P::slot().host().metric_values(sampling_set, values) },
    )
        = SCOREP_EVENT_WRITE_POST_MORTEM_METRICS, SCOREP_Substrates_WriteMetricsCb;

    // Program
    /// The program starts. The process id and the thread id are passed since 7.0.
    program_begin(
        name: StringHandle,
        count: u32,
        arguments: *mut u32,
        region: RegionHandle,
        process_id: u64,
        thread_id: u64,
    ) => (
        name: StringHandle = name,
        // SAFETY: the host passes an array of `count` string handles, valid during the call.
        arguments: &[StringHandle] = unsafe { host_slice(arguments.cast(), count as usize) },
        region: RegionHandle = region,
        process_id: u64 = process_id,
        thread_id: u64 = thread_id,
    )
        = SCOREP_EVENT_PROGRAM_BEGIN, SCOREP_Substrates_ProgramBeginCb;
    /// The program ends.
    program_end(exit_status: i64, region: RegionHandle)
        = SCOREP_EVENT_PROGRAM_END, SCOREP_Substrates_ProgramEndCb;

    // I/O
    /// An I/O handle is created (file opened).
    io_create_handle(
        handle: IoHandleHandle, mode: IoAccessMode, creation_flags: IoCreationFlags,
        status_flags: IoStatusFlags,
    )
        = SCOREP_EVENT_IO_CREATE_HANDLE, SCOREP_Substrates_IoCreateHandleCb;
    /// An I/O handle is destroyed (file closed).
    io_destroy_handle(handle: IoHandleHandle)
        = SCOREP_EVENT_IO_DESTROY_HANDLE, SCOREP_Substrates_IoDestroyHandleCb;
    /// An I/O handle is duplicated.
    io_duplicate_handle(old: IoHandleHandle, new: IoHandleHandle, status_flags: IoStatusFlags)
        = SCOREP_EVENT_IO_DUPLICATE_HANDLE, SCOREP_Substrates_IoDuplicateHandleCb;
    /// The position of an I/O handle is changed.
    io_seek(handle: IoHandleHandle, offset_request: i64, whence: IoSeekOption, offset_result: u64)
        = SCOREP_EVENT_IO_SEEK, SCOREP_Substrates_IoSeekCb;
    /// The status flags of an I/O handle are changed.
    io_change_status_flags(handle: IoHandleHandle, status_flags: IoStatusFlags)
        = SCOREP_EVENT_IO_CHANGE_STATUS_FLAGS, SCOREP_Substrates_IoChangeStatusFlagsCb;
    /// A file is deleted.
    io_delete_file(paradigm: IoParadigmType, file: IoFileHandle)
        = SCOREP_EVENT_IO_DELETE_FILE, SCOREP_Substrates_IoDeleteFileCb;
    /// An I/O operation starts. The offset is passed since 7.0.
    io_operation_begin(
        handle: IoHandleHandle, mode: IoOperationMode, operation_flags: IoOperationFlags, bytes_request: u64,
        matching_id: u64, offset: u64,
    )
        = SCOREP_EVENT_IO_OPERATION_BEGIN, SCOREP_Substrates_IoOperationBeginCb;
    /// A non-blocking I/O operation is issued.
    io_operation_issued(handle: IoHandleHandle, matching_id: u64)
        = SCOREP_EVENT_IO_OPERATION_ISSUED, SCOREP_Substrates_IoOperationIssuedCb;
    /// A non-blocking I/O operation was tested and is not complete.
    io_operation_test(handle: IoHandleHandle, matching_id: u64)
        = SCOREP_EVENT_IO_OPERATION_TEST, SCOREP_Substrates_IoOperationTestCb;
    /// An I/O operation is complete.
    io_operation_complete(handle: IoHandleHandle, mode: IoOperationMode, bytes_result: u64, matching_id: u64)
        = SCOREP_EVENT_IO_OPERATION_COMPLETE, SCOREP_Substrates_IoOperationCompleteCb;
    /// A non-blocking I/O operation is cancelled.
    io_operation_cancelled(handle: IoHandleHandle, matching_id: u64)
        = SCOREP_EVENT_IO_OPERATION_CANCELLED, SCOREP_Substrates_IoOperationCancelledCb;
    /// A lock of a file is acquired.
    io_acquire_lock(handle: IoHandleHandle, lock_type: LockType)
        = SCOREP_EVENT_IO_ACQUIRE_LOCK, SCOREP_Substrates_IoAcquireLockCb;
    /// An attempt to lock a file. Number 78 in hosts up to 7.x.
    io_try_lock(handle: IoHandleHandle, lock_type: LockType)
        = SCOREP_EVENT_IO_TRY_LOCK, SCOREP_Substrates_IoTryLockCb;
    /// A lock of a file is released. Number 77 in hosts up to 7.x.
    io_release_lock(handle: IoHandleHandle, lock_type: LockType)
        = SCOREP_EVENT_IO_RELEASE_LOCK, SCOREP_Substrates_IoReleaseLockCb;

    // Non-blocking collectives and communicators, since 8.0
    /// A non-blocking MPI collective operation starts. Since 8.0.
    mpi_non_blocking_collective_request(request_id: u64)
        = SCOREP_EVENT_MPI_NON_BLOCKING_COLLECTIVE_REQUEST, SCOREP_Substrates_MpiNonBlockingCollectiveRequestCb;
    /// A non-blocking MPI collective operation is complete. Since 8.0.
    mpi_non_blocking_collective_complete(
        communicator: InterimCommunicatorHandle, root: MpiRank, collective: CollectiveType, bytes_sent: u64,
        bytes_received: u64, request_id: u64,
    )
        = SCOREP_EVENT_MPI_NON_BLOCKING_COLLECTIVE_COMPLETE, SCOREP_Substrates_MpiNonBlockingCollectiveCompleteCb;
    /// A communicator is created. Since 8.0.
    comm_create(communicator: InterimCommunicatorHandle)
        = SCOREP_EVENT_COMM_CREATE, SCOREP_Substrates_CommCreateCb;
    /// A communicator is destroyed. Since 8.0.
    comm_destroy(communicator: InterimCommunicatorHandle)
        = SCOREP_EVENT_COMM_DESTROY, SCOREP_Substrates_CommDestroyCb;

    // Matched receives, of our own host only
    /// A message was found by `MPI_Mprobe` or `MPI_Improbe`, which reserve it for one receive.
    mpi_probe(source: MpiRank, communicator: InterimCommunicatorHandle, tag: u32, message_id: u64)
        = KYMO_EVENT_MPI_PROBE, MpiProbeCb;
    /// The message of a probe was received.
    mpi_mrecv(message_id: u64, bytes_received: u64)
        = KYMO_EVENT_MPI_MRECV, MatchedReceiveCb;
    /// A non-blocking receive of the message of a probe is posted.
    mpi_imrecv_request(message_id: u64, request_id: u64)
        = KYMO_EVENT_MPI_IMRECV_REQUEST, MatchedReceiveCb;
    /// A non-blocking receive of the message of a probe is complete.
    mpi_imrecv(request_id: u64, bytes_received: u64)
        = KYMO_EVENT_MPI_IMRECV, MatchedReceiveCb;
}
