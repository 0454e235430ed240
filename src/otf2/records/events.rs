//! Event records, OTF2 format, section "Event files".
//!
//! Singletons have one compressed attribute and no length byte on the wire. Times, attribute lists and chunks are
//! the writer's business.

use super::enums;
use super::flags;
use super::list::List;
use super::records;
use super::references::*;
use super::value::{MetricValue, Timestamp};

records! {
    /// Record of an event file.
    Event: EventRecord, width;

    /// The measurement wrote its buffers out from the time of the event to `stop_time`.
    10 BufferFlush since "1.0" {
        /// End of the flush, in ticks.
        "stopTime" stop_time: Timestamp [clock];
    }

    /// The measurement was switched on or off.
    11 MeasurementOnOff since "1.0" {
        /// On or off.
        "measurementMode" measurement_mode: enums::MeasurementMode;
    }

    /// A region was entered.
    12 Enter since "1.0" [singleton] {
        /// The region.
        "region" region: RegionRef;
    }

    /// A region was left.
    13 Leave since "1.0" [singleton] {
        /// The region.
        "region" region: RegionRef;
    }

    /// Blocking send.
    14 MpiSend since "1.0" {
        /// Rank of the receiver in the communicator.
        "receiver" receiver: u32;
        /// The communicator.
        "communicator" communicator: CommRef;
        /// Message tag.
        "msgTag" msg_tag: u32;
        /// Message length in bytes.
        "msgLength" msg_length: u64;
    }

    /// Non-blocking send was posted.
    15 MpiIsend since "1.0" {
        /// Rank of the receiver in the communicator.
        "receiver" receiver: u32;
        /// The communicator.
        "communicator" communicator: CommRef;
        /// Message tag.
        "msgTag" msg_tag: u32;
        /// Message length in bytes.
        "msgLength" msg_length: u64;
        /// Request, unique on the location while it lives.
        "requestID" request_id: u64;
    }

    /// Non-blocking send is complete.
    16 MpiIsendComplete since "1.0" [singleton] {
        /// Request, unique on the location while it lives.
        "requestID" request_id: u64;
    }

    /// Non-blocking receive was posted.
    17 MpiIrecvRequest since "1.0" [singleton] {
        /// Request, unique on the location while it lives.
        "requestID" request_id: u64;
    }

    /// Blocking receive is complete.
    18 MpiRecv since "1.0" {
        /// Rank of the sender in the communicator.
        "sender" sender: u32;
        /// The communicator.
        "communicator" communicator: CommRef;
        /// Message tag.
        "msgTag" msg_tag: u32;
        /// Message length in bytes.
        "msgLength" msg_length: u64;
    }

    /// Non-blocking receive is complete.
    19 MpiIrecv since "1.0" {
        /// Rank of the sender in the communicator.
        "sender" sender: u32;
        /// The communicator.
        "communicator" communicator: CommRef;
        /// Message tag.
        "msgTag" msg_tag: u32;
        /// Message length in bytes.
        "msgLength" msg_length: u64;
        /// Request, unique on the location while it lives.
        "requestID" request_id: u64;
    }

    /// A request was tested and not complete.
    20 MpiRequestTest since "1.0" [singleton] {
        /// Request, unique on the location while it lives.
        "requestID" request_id: u64;
    }

    /// A request was cancelled.
    21 MpiRequestCancelled since "1.0" [singleton] {
        /// Request, unique on the location while it lives.
        "requestID" request_id: u64;
    }

    /// Collective operation begins.
    22 MpiCollectiveBegin since "1.0" {}

    /// Collective operation ends.
    23 MpiCollectiveEnd since "1.0" {
        /// The operation.
        "collectiveOp" collective_op: enums::CollectiveOp;
        /// The communicator.
        "communicator" communicator: CommRef;
        /// Rank of the root, or a [`CollectiveRoot`](crate::enums::CollectiveRoot) value.
        "root" root: u32;
        /// Bytes sent.
        "sizeSent" size_sent: u64;
        /// Bytes received.
        "sizeReceived" size_received: u64;
    }

    /// Threads are forked. Deprecated since 1.2.
    24 OmpFork since "1.0" [singleton] {
        /// Number of requested threads.
        "numberOfRequestedThreads" number_of_requested_threads: u32;
    }

    /// Threads are joined. Deprecated since 1.2.
    25 OmpJoin since "1.0" {}

    /// Lock was acquired. Deprecated since 1.2.
    26 OmpAcquireLock since "1.0" {
        /// Lock.
        "lockID" lock_id: u32;
        /// Number of the acquisition: orders all acquisitions of the lock.
        "acquisitionOrder" acquisition_order: u32;
    }

    /// Lock was released. Deprecated since 1.2.
    27 OmpReleaseLock since "1.0" {
        /// Lock.
        "lockID" lock_id: u32;
        /// Number of the acquisition: orders all acquisitions of the lock.
        "acquisitionOrder" acquisition_order: u32;
    }

    /// Task was created. Deprecated since 1.2.
    28 OmpTaskCreate since "1.0" [singleton] {
        /// Task.
        "taskID" task_id: u64;
    }

    /// Execution switched to a task. Deprecated since 1.2.
    29 OmpTaskSwitch since "1.0" [singleton] {
        /// Task.
        "taskID" task_id: u64;
    }

    /// Task is complete. Deprecated since 1.2.
    30 OmpTaskComplete since "1.0" [singleton] {
        /// Task.
        "taskID" task_id: u64;
    }

    /// Values of all metrics of a metric class or instance.
    31 Metric<'a> since "1.0" {
        /// Metric class or instance.
        "metric" metric: MetricRef;
        /// One value per metric of the class.
        "numberOfMetrics typeIDs metricValues" metric_values: List<'a, u8, MetricValue>;
    }

    /// String value of a parameter.
    32 ParameterString since "1.0" {
        /// The parameter.
        "parameter" parameter: ParameterRef;
        /// The value.
        "string" string: StringRef;
    }

    /// Signed value of a parameter.
    33 ParameterInt since "1.0" {
        /// The parameter.
        "parameter" parameter: ParameterRef;
        /// The value.
        "value" value: i64;
    }

    /// Unsigned value of a parameter.
    34 ParameterUnsignedInt since "1.0" {
        /// The parameter.
        "parameter" parameter: ParameterRef;
        /// The value.
        "value" value: u64;
    }

    /// Window was created.
    35 RmaWinCreate since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
    }

    /// Window was destroyed.
    36 RmaWinDestroy since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
    }

    /// Collective one-sided operation begins.
    37 RmaCollectiveBegin since "1.2" {}

    /// Collective one-sided operation ends.
    38 RmaCollectiveEnd since "1.2" {
        /// The operation.
        "collectiveOp" collective_op: enums::CollectiveOp;
        /// What is synchronised.
        "syncLevel" sync_level: flags::RmaSyncLevel;
        /// The window.
        "win" win: RmaWinRef;
        /// Rank of the root, or a [`CollectiveRoot`](crate::enums::CollectiveRoot) value.
        "root" root: u32;
        /// Bytes sent.
        "bytesSent" bytes_sent: u64;
        /// Bytes received.
        "bytesReceived" bytes_received: u64;
    }

    /// Synchronisation with a group of the window.
    39 RmaGroupSync since "1.2" {
        /// What is synchronised.
        "syncLevel" sync_level: flags::RmaSyncLevel;
        /// The window.
        "win" win: RmaWinRef;
        /// The group.
        "group" group: GroupRef;
    }

    /// Lock on a window was requested.
    40 RmaRequestLock since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
        /// Rank of the other side in the window's communicator.
        "remote" remote: u32;
        /// Lock.
        "lockId" lock_id: u64;
        /// Exclusive or shared.
        "lockType" lock_type: enums::LockType;
    }

    /// Lock on a window was acquired.
    41 RmaAcquireLock since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
        /// Rank of the other side in the window's communicator.
        "remote" remote: u32;
        /// Lock.
        "lockId" lock_id: u64;
        /// Exclusive or shared.
        "lockType" lock_type: enums::LockType;
    }

    /// Attempt to lock a window failed.
    42 RmaTryLock since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
        /// Rank of the other side in the window's communicator.
        "remote" remote: u32;
        /// Lock.
        "lockId" lock_id: u64;
        /// Exclusive or shared.
        "lockType" lock_type: enums::LockType;
    }

    /// Lock on a window was released.
    43 RmaReleaseLock since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
        /// Rank of the other side in the window's communicator.
        "remote" remote: u32;
        /// Lock.
        "lockId" lock_id: u64;
    }

    /// Synchronisation with one remote rank.
    44 RmaSync since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
        /// Rank of the other side in the window's communicator.
        "remote" remote: u32;
        /// Kind of synchronisation.
        "syncType" sync_type: enums::RmaSyncType;
    }

    /// A change of local memory by others is waited for.
    45 RmaWaitChange since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
    }

    /// Data is put into remote memory.
    46 RmaPut since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
        /// Rank of the other side in the window's communicator.
        "remote" remote: u32;
        /// Bytes transferred.
        "bytes" bytes: u64;
        /// Pairs the operation with its completion.
        "matchingId" matching_id: u64;
    }

    /// Data is taken from remote memory.
    47 RmaGet since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
        /// Rank of the other side in the window's communicator.
        "remote" remote: u32;
        /// Bytes transferred.
        "bytes" bytes: u64;
        /// Pairs the operation with its completion.
        "matchingId" matching_id: u64;
    }

    /// Atomic operation on remote memory.
    48 RmaAtomic since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
        /// Rank of the other side in the window's communicator.
        "remote" remote: u32;
        /// Type of the value.
        "type" type_: enums::RmaAtomicType;
        /// Bytes sent.
        "bytesSent" bytes_sent: u64;
        /// Bytes received.
        "bytesReceived" bytes_received: u64;
        /// Pairs the operation with its completion.
        "matchingId" matching_id: u64;
    }

    /// Operation is complete when the call returns.
    49 RmaOpCompleteBlocking since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
        /// Pairs the operation with its completion.
        "matchingId" matching_id: u64;
    }

    /// Operation is complete locally.
    50 RmaOpCompleteNonBlocking since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
        /// Pairs the operation with its completion.
        "matchingId" matching_id: u64;
    }

    /// Operation was tested and not complete.
    51 RmaOpTest since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
        /// Pairs the operation with its completion.
        "matchingId" matching_id: u64;
    }

    /// Operation is complete at the target.
    52 RmaOpCompleteRemote since "1.2" {
        /// The window.
        "win" win: RmaWinRef;
        /// Pairs the operation with its completion.
        "matchingId" matching_id: u64;
    }

    /// Threads are forked.
    53 ThreadFork since "1.2" {
        /// Threading paradigm.
        "model" model: enums::Paradigm;
        /// Number of requested threads.
        "numberOfRequestedThreads" number_of_requested_threads: u32;
    }

    /// Threads are joined.
    54 ThreadJoin since "1.2" {
        /// Threading paradigm.
        "model" model: enums::Paradigm;
    }

    /// Location joins a thread team.
    55 ThreadTeamBegin since "1.2" {
        /// The team.
        "threadTeam" thread_team: CommRef;
    }

    /// Location leaves a thread team.
    56 ThreadTeamEnd since "1.2" {
        /// The team.
        "threadTeam" thread_team: CommRef;
    }

    /// Lock was acquired.
    57 ThreadAcquireLock since "1.2" {
        /// Threading paradigm.
        "model" model: enums::Paradigm;
        /// Lock.
        "lockID" lock_id: u32;
        /// Number of the acquisition: orders all acquisitions of the lock.
        "acquisitionOrder" acquisition_order: u32;
    }

    /// Lock was released.
    58 ThreadReleaseLock since "1.2" {
        /// Threading paradigm.
        "model" model: enums::Paradigm;
        /// Lock.
        "lockID" lock_id: u32;
        /// Number of the acquisition: orders all acquisitions of the lock.
        "acquisitionOrder" acquisition_order: u32;
    }

    /// Task was created.
    59 ThreadTaskCreate since "1.2" {
        /// The team.
        "threadTeam" thread_team: CommRef;
        /// Thread of the team that created the task.
        "creatingThread" creating_thread: u32;
        /// Number of the task on its creating thread.
        "generationNumber" generation_number: u32;
    }

    /// Execution switched to a task.
    60 ThreadTaskSwitch since "1.2" {
        /// The team.
        "threadTeam" thread_team: CommRef;
        /// Thread of the team that created the task.
        "creatingThread" creating_thread: u32;
        /// Number of the task on its creating thread.
        "generationNumber" generation_number: u32;
    }

    /// Task is complete.
    61 ThreadTaskComplete since "1.2" {
        /// The team.
        "threadTeam" thread_team: CommRef;
        /// Thread of the team that created the task.
        "creatingThread" creating_thread: u32;
        /// Number of the task on its creating thread.
        "generationNumber" generation_number: u32;
    }

    /// Thread was created.
    62 ThreadCreate since "1.3" {
        /// The contingent of threads.
        "threadContingent" thread_contingent: CommRef;
        /// Number of the thread in the contingent.
        "sequenceCount" sequence_count: u64;
    }

    /// Created thread begins.
    63 ThreadBegin since "1.3" {
        /// The contingent of threads.
        "threadContingent" thread_contingent: CommRef;
        /// Number of the thread in the contingent.
        "sequenceCount" sequence_count: u64;
    }

    /// A thread was waited for.
    64 ThreadWait since "1.3" {
        /// The contingent of threads.
        "threadContingent" thread_contingent: CommRef;
        /// Number of the thread in the contingent.
        "sequenceCount" sequence_count: u64;
    }

    /// Created thread ends.
    65 ThreadEnd since "1.3" {
        /// The contingent of threads.
        "threadContingent" thread_contingent: CommRef;
        /// Number of the thread in the contingent.
        "sequenceCount" sequence_count: u64;
    }

    /// Calling context was entered.
    66 CallingContextEnter since "2.0" {
        /// The calling context.
        "callingContext" calling_context: CallingContextRef;
        /// Number of contexts newly entered since the last event, counted from the innermost; all ones if
        /// undefined.
        "unwindDistance" unwind_distance: u32;
    }

    /// Calling context was left.
    67 CallingContextLeave since "2.0" {
        /// The calling context.
        "callingContext" calling_context: CallingContextRef;
    }

    /// Sample of the calling context.
    68 CallingContextSample since "1.5" {
        /// The calling context.
        "callingContext" calling_context: CallingContextRef;
        /// Number of contexts newly entered since the last event, counted from the innermost; all ones if
        /// undefined.
        "unwindDistance" unwind_distance: u32;
        /// Source of the interrupt.
        "interruptGenerator" interrupt_generator: InterruptGeneratorRef;
    }

    /// Handle was created.
    69 IoCreateHandle since "2.1" {
        /// The handle.
        "handle" handle: IoHandleRef;
        /// Access or operation mode.
        "mode" mode: enums::IoAccessMode;
        /// Creation flags.
        "creationFlags" creation_flags: flags::IoCreationFlag;
        /// Status flags.
        "statusFlags" status_flags: flags::IoStatusFlag;
    }

    /// Handle was closed.
    70 IoDestroyHandle since "2.1" {
        /// The handle.
        "handle" handle: IoHandleRef;
    }

    /// Handle was duplicated.
    71 IoDuplicateHandle since "2.1" {
        /// The handle that was duplicated.
        "oldHandle" old_handle: IoHandleRef;
        /// The new handle.
        "newHandle" new_handle: IoHandleRef;
        /// Status flags.
        "statusFlags" status_flags: flags::IoStatusFlag;
    }

    /// File position was changed.
    72 IoSeek since "2.1" {
        /// The handle.
        "handle" handle: IoHandleRef;
        /// Requested offset in bytes.
        "offsetRequest" offset_request: i64;
        /// What the offset is relative to.
        "whence" whence: enums::IoSeekOption;
        /// Position after the seek, in bytes.
        "offsetResult" offset_result: u64;
    }

    /// Status flags of a handle changed.
    73 IoChangeStatusFlags since "2.1" {
        /// The handle.
        "handle" handle: IoHandleRef;
        /// Status flags.
        "statusFlags" status_flags: flags::IoStatusFlag;
    }

    /// File was deleted.
    74 IoDeleteFile since "2.1" {
        /// I/O paradigm.
        "ioParadigm" io_paradigm: IoParadigmRef;
        /// The file.
        "file" file: IoFileRef;
    }

    /// I/O operation begins.
    75 IoOperationBegin since "2.1" {
        /// The handle.
        "handle" handle: IoHandleRef;
        /// Access or operation mode.
        "mode" mode: enums::IoOperationMode;
        /// Flags of the operation.
        "operationFlags" operation_flags: flags::IoOperationFlag;
        /// Requested bytes.
        "bytesRequest" bytes_request: u64;
        /// Pairs the operation with its completion.
        "matchingId" matching_id: u64;
    }

    /// Non-blocking I/O operation was tested and not complete.
    76 IoOperationTest since "2.1" {
        /// The handle.
        "handle" handle: IoHandleRef;
        /// Pairs the operation with its completion.
        "matchingId" matching_id: u64;
    }

    /// Non-blocking I/O operation was issued.
    77 IoOperationIssued since "2.1" {
        /// The handle.
        "handle" handle: IoHandleRef;
        /// Pairs the operation with its completion.
        "matchingId" matching_id: u64;
    }

    /// I/O operation is complete.
    78 IoOperationComplete since "2.1" {
        /// The handle.
        "handle" handle: IoHandleRef;
        /// Bytes transferred.
        "bytesResult" bytes_result: u64;
        /// Pairs the operation with its completion.
        "matchingId" matching_id: u64;
    }

    /// Non-blocking I/O operation was cancelled.
    79 IoOperationCancelled since "2.1" {
        /// The handle.
        "handle" handle: IoHandleRef;
        /// Pairs the operation with its completion.
        "matchingId" matching_id: u64;
    }

    /// Lock on a handle was acquired.
    80 IoAcquireLock since "2.1" {
        /// The handle.
        "handle" handle: IoHandleRef;
        /// Exclusive or shared.
        "lockType" lock_type: enums::LockType;
    }

    /// Lock on a handle was released.
    81 IoReleaseLock since "2.1" {
        /// The handle.
        "handle" handle: IoHandleRef;
        /// Exclusive or shared.
        "lockType" lock_type: enums::LockType;
    }

    /// Attempt to lock a handle failed.
    82 IoTryLock since "2.1" {
        /// The handle.
        "handle" handle: IoHandleRef;
        /// Exclusive or shared.
        "lockType" lock_type: enums::LockType;
    }

    /// The program begins.
    83 ProgramBegin<'a> since "2.1" {
        /// Name of the program.
        "programName" program_name: StringRef;
        /// Arguments of the program.
        "numberOfArguments programArguments" program_arguments: List<'a, u32, StringRef>;
    }

    /// The program ends.
    84 ProgramEnd since "2.1" {
        /// Exit status.
        "exitStatus" exit_status: i64;
    }

    /// Non-blocking collective operation was posted.
    85 NonBlockingCollectiveRequest since "3.0" {
        /// Request, unique on the location while it lives.
        "requestID" request_id: u64;
    }

    /// Non-blocking collective operation is complete.
    86 NonBlockingCollectiveComplete since "3.0" {
        /// The operation.
        "collectiveOp" collective_op: enums::CollectiveOp;
        /// The communicator.
        "communicator" communicator: CommRef;
        /// Rank of the root, or a [`CollectiveRoot`](crate::enums::CollectiveRoot) value.
        "root" root: u32;
        /// Bytes sent.
        "sizeSent" size_sent: u64;
        /// Bytes received.
        "sizeReceived" size_received: u64;
        /// Request, unique on the location while it lives.
        "requestID" request_id: u64;
    }

    /// Communicator was created.
    87 CommCreate since "3.0" {
        /// The communicator.
        "communicator" communicator: CommRef;
    }

    /// Communicator was destroyed.
    88 CommDestroy since "3.0" {
        /// The communicator.
        "communicator" communicator: CommRef;
    }
}
