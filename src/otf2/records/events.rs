//! Event records, docs/spec/otf2-format.md, "Event files".
//!
//! Singletons have one compressed attribute and no length byte on the wire. Times, attribute lists
//! and chunks are handled by the writer.

use super::enums;
use super::flags;
use super::list::List;
use super::records;
use super::references::*;
use super::value::{MetricValue, Timestamp};

/// Passes the table of event records to a macro.
#[macro_export]
macro_rules! for_each_event {
    ($macro:ident) => {
        $macro! {
            /// A record of an event file.
            Event: EventRecord, width;
            frequent: Metric MpiSend MpiIsend MpiRecv MpiIrecv;

            /// The measurement flushed its buffers from the time of the event to `stop_time`.
            10 BufferFlush since "1.0" {
                /// The end of the flush, in ticks.
                "stopTime" stop_time: Timestamp [clock];
            }

            /// The measurement was switched on or off.
            11 MeasurementOnOff since "1.0" {
                /// Whether the measurement is on or off.
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

            /// A blocking send.
            14 MpiSend since "1.0" {
                /// The rank of the receiver in the communicator.
                "receiver" receiver: u32;
                /// The communicator.
                "communicator" communicator: CommRef;
                /// The message tag.
                "msgTag" msg_tag: u32;
                /// The message length in bytes.
                "msgLength" msg_length: u64;
            }

            /// A non-blocking send was posted.
            15 MpiIsend since "1.0" {
                /// The rank of the receiver in the communicator.
                "receiver" receiver: u32;
                /// The communicator.
                "communicator" communicator: CommRef;
                /// The message tag.
                "msgTag" msg_tag: u32;
                /// The message length in bytes.
                "msgLength" msg_length: u64;
                /// The request, unique on the location while it is active.
                "requestID" request_id: u64;
            }

            /// A non-blocking send is complete.
            16 MpiIsendComplete since "1.0" [singleton] {
                /// The request, unique on the location while it is active.
                "requestID" request_id: u64;
            }

            /// A non-blocking receive was posted.
            17 MpiIrecvRequest since "1.0" [singleton] {
                /// The request, unique on the location while it is active.
                "requestID" request_id: u64;
            }

            /// A blocking receive is complete.
            18 MpiRecv since "1.0" {
                /// The rank of the sender in the communicator.
                "sender" sender: u32;
                /// The communicator.
                "communicator" communicator: CommRef;
                /// The message tag.
                "msgTag" msg_tag: u32;
                /// The message length in bytes.
                "msgLength" msg_length: u64;
            }

            /// A non-blocking receive is complete.
            19 MpiIrecv since "1.0" {
                /// The rank of the sender in the communicator.
                "sender" sender: u32;
                /// The communicator.
                "communicator" communicator: CommRef;
                /// The message tag.
                "msgTag" msg_tag: u32;
                /// The message length in bytes.
                "msgLength" msg_length: u64;
                /// The request, unique on the location while it is active.
                "requestID" request_id: u64;
            }

            /// A request was tested and was not complete.
            20 MpiRequestTest since "1.0" [singleton] {
                /// The request, unique on the location while it is active.
                "requestID" request_id: u64;
            }

            /// A request was cancelled.
            21 MpiRequestCancelled since "1.0" [singleton] {
                /// The request, unique on the location while it is active.
                "requestID" request_id: u64;
            }

            /// A collective operation begins.
            22 MpiCollectiveBegin since "1.0" {}

            /// A collective operation ends.
            23 MpiCollectiveEnd since "1.0" {
                /// The operation.
                "collectiveOp" collective_op: enums::CollectiveOp;
                /// The communicator.
                "communicator" communicator: CommRef;
                /// The rank of the root, or a [`CollectiveRoot`](crate::enums::CollectiveRoot)
                /// value.
                "root" root: u32;
                /// The number of bytes sent.
                "sizeSent" size_sent: u64;
                /// The number of bytes received.
                "sizeReceived" size_received: u64;
            }

            /// Threads are forked. Deprecated since 1.2.
            24 OmpFork since "1.0" [singleton] {
                /// The number of requested threads.
                "numberOfRequestedThreads" number_of_requested_threads: u32;
            }

            /// Threads are joined. Deprecated since 1.2.
            25 OmpJoin since "1.0" {}

            /// A lock was acquired. Deprecated since 1.2.
            26 OmpAcquireLock since "1.0" {
                /// The lock.
                "lockID" lock_id: u32;
                /// The number of the acquisition, which orders all acquisitions of the lock.
                "acquisitionOrder" acquisition_order: u32;
            }

            /// A lock was released. Deprecated since 1.2.
            27 OmpReleaseLock since "1.0" {
                /// The lock.
                "lockID" lock_id: u32;
                /// The number of the acquisition, which orders all acquisitions of the lock.
                "acquisitionOrder" acquisition_order: u32;
            }

            /// A task was created. Deprecated since 1.2.
            28 OmpTaskCreate since "1.0" [singleton] {
                /// The task.
                "taskID" task_id: u64;
            }

            /// Execution switched to a task. Deprecated since 1.2.
            29 OmpTaskSwitch since "1.0" [singleton] {
                /// The task.
                "taskID" task_id: u64;
            }

            /// A task is complete. Deprecated since 1.2.
            30 OmpTaskComplete since "1.0" [singleton] {
                /// The task.
                "taskID" task_id: u64;
            }

            /// The values of all metrics of a metric class or instance.
            31 Metric<'a> since "1.0" {
                /// The metric class or instance.
                "metric" metric: MetricRef;
                /// One value per metric of the class.
                "numberOfMetrics typeIDs metricValues" metric_values: List<'a, u8, MetricValue>;
            }

            /// A string value of a parameter.
            32 ParameterString since "1.0" {
                /// The parameter.
                "parameter" parameter: ParameterRef;
                /// The value.
                "string" string: StringRef;
            }

            /// A signed value of a parameter.
            33 ParameterInt since "1.0" {
                /// The parameter.
                "parameter" parameter: ParameterRef;
                /// The value.
                "value" value: i64;
            }

            /// An unsigned value of a parameter.
            34 ParameterUnsignedInt since "1.0" {
                /// The parameter.
                "parameter" parameter: ParameterRef;
                /// The value.
                "value" value: u64;
            }

            /// A window was created.
            35 RmaWinCreate since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
            }

            /// A window was destroyed.
            36 RmaWinDestroy since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
            }

            /// A collective one-sided operation begins.
            37 RmaCollectiveBegin since "1.2" {}

            /// A collective one-sided operation ends.
            38 RmaCollectiveEnd since "1.2" {
                /// The operation.
                "collectiveOp" collective_op: enums::CollectiveOp;
                /// The scope of the synchronisation.
                "syncLevel" sync_level: flags::RmaSyncLevel;
                /// The window.
                "win" win: RmaWinRef;
                /// The rank of the root, or a [`CollectiveRoot`](crate::enums::CollectiveRoot)
                /// value.
                "root" root: u32;
                /// The number of bytes sent.
                "bytesSent" bytes_sent: u64;
                /// The number of bytes received.
                "bytesReceived" bytes_received: u64;
            }

            /// Synchronisation with a group of the window.
            39 RmaGroupSync since "1.2" {
                /// The scope of the synchronisation.
                "syncLevel" sync_level: flags::RmaSyncLevel;
                /// The window.
                "win" win: RmaWinRef;
                /// The group.
                "group" group: GroupRef;
            }

            /// A lock on a window was requested.
            40 RmaRequestLock since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
                /// The rank of the remote side in the window's communicator.
                "remote" remote: u32;
                /// The lock.
                "lockId" lock_id: u64;
                /// Whether the lock is exclusive or shared.
                "lockType" lock_type: enums::LockType;
            }

            /// A lock on a window was acquired.
            41 RmaAcquireLock since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
                /// The rank of the remote side in the window's communicator.
                "remote" remote: u32;
                /// The lock.
                "lockId" lock_id: u64;
                /// Whether the lock is exclusive or shared.
                "lockType" lock_type: enums::LockType;
            }

            /// An attempt to lock a window failed.
            42 RmaTryLock since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
                /// The rank of the remote side in the window's communicator.
                "remote" remote: u32;
                /// The lock.
                "lockId" lock_id: u64;
                /// Whether the lock is exclusive or shared.
                "lockType" lock_type: enums::LockType;
            }

            /// A lock on a window was released.
            43 RmaReleaseLock since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
                /// The rank of the remote side in the window's communicator.
                "remote" remote: u32;
                /// The lock.
                "lockId" lock_id: u64;
            }

            /// Synchronisation with one remote rank.
            44 RmaSync since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
                /// The rank of the remote side in the window's communicator.
                "remote" remote: u32;
                /// The kind of synchronisation.
                "syncType" sync_type: enums::RmaSyncType;
            }

            /// The location waits for other ranks to change its memory.
            45 RmaWaitChange since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
            }

            /// Data is put into remote memory.
            46 RmaPut since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
                /// The rank of the remote side in the window's communicator.
                "remote" remote: u32;
                /// The number of bytes transferred.
                "bytes" bytes: u64;
                /// The id that pairs the operation with its completion.
                "matchingId" matching_id: u64;
            }

            /// Data is read from remote memory.
            47 RmaGet since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
                /// The rank of the remote side in the window's communicator.
                "remote" remote: u32;
                /// The number of bytes transferred.
                "bytes" bytes: u64;
                /// The id that pairs the operation with its completion.
                "matchingId" matching_id: u64;
            }

            /// An atomic operation on remote memory.
            48 RmaAtomic since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
                /// The rank of the remote side in the window's communicator.
                "remote" remote: u32;
                /// The atomic operation.
                "type" type_: enums::RmaAtomicType;
                /// The number of bytes sent.
                "bytesSent" bytes_sent: u64;
                /// The number of bytes received.
                "bytesReceived" bytes_received: u64;
                /// The id that pairs the operation with its completion.
                "matchingId" matching_id: u64;
            }

            /// An operation is complete when the call returns.
            49 RmaOpCompleteBlocking since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
                /// The id that pairs the operation with its completion.
                "matchingId" matching_id: u64;
            }

            /// An operation is complete locally.
            50 RmaOpCompleteNonBlocking since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
                /// The id that pairs the operation with its completion.
                "matchingId" matching_id: u64;
            }

            /// An operation was tested and was not complete.
            51 RmaOpTest since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
                /// The id that pairs the operation with its completion.
                "matchingId" matching_id: u64;
            }

            /// An operation is complete at the target.
            52 RmaOpCompleteRemote since "1.2" {
                /// The window.
                "win" win: RmaWinRef;
                /// The id that pairs the operation with its completion.
                "matchingId" matching_id: u64;
            }

            /// Threads are forked.
            53 ThreadFork since "1.2" {
                /// The threading paradigm.
                "model" model: enums::Paradigm;
                /// The number of requested threads.
                "numberOfRequestedThreads" number_of_requested_threads: u32;
            }

            /// Threads are joined.
            54 ThreadJoin since "1.2" {
                /// The threading paradigm.
                "model" model: enums::Paradigm;
            }

            /// The location joins a thread team.
            55 ThreadTeamBegin since "1.2" {
                /// The team.
                "threadTeam" thread_team: CommRef;
            }

            /// The location leaves a thread team.
            56 ThreadTeamEnd since "1.2" {
                /// The team.
                "threadTeam" thread_team: CommRef;
            }

            /// A lock was acquired.
            57 ThreadAcquireLock since "1.2" {
                /// The threading paradigm.
                "model" model: enums::Paradigm;
                /// The lock.
                "lockID" lock_id: u32;
                /// The number of the acquisition, which orders all acquisitions of the lock.
                "acquisitionOrder" acquisition_order: u32;
            }

            /// A lock was released.
            58 ThreadReleaseLock since "1.2" {
                /// The threading paradigm.
                "model" model: enums::Paradigm;
                /// The lock.
                "lockID" lock_id: u32;
                /// The number of the acquisition, which orders all acquisitions of the lock.
                "acquisitionOrder" acquisition_order: u32;
            }

            /// A task was created.
            59 ThreadTaskCreate since "1.2" {
                /// The team.
                "threadTeam" thread_team: CommRef;
                /// The thread of the team that created the task.
                "creatingThread" creating_thread: u32;
                /// The number of the task on its creating thread.
                "generationNumber" generation_number: u32;
            }

            /// Execution switched to a task.
            60 ThreadTaskSwitch since "1.2" {
                /// The team.
                "threadTeam" thread_team: CommRef;
                /// The thread of the team that created the task.
                "creatingThread" creating_thread: u32;
                /// The number of the task on its creating thread.
                "generationNumber" generation_number: u32;
            }

            /// A task is complete.
            61 ThreadTaskComplete since "1.2" {
                /// The team.
                "threadTeam" thread_team: CommRef;
                /// The thread of the team that created the task.
                "creatingThread" creating_thread: u32;
                /// The number of the task on its creating thread.
                "generationNumber" generation_number: u32;
            }

            /// A thread was created.
            62 ThreadCreate since "1.3" {
                /// The contingent of threads.
                "threadContingent" thread_contingent: CommRef;
                /// The number of the thread in the contingent.
                "sequenceCount" sequence_count: u64;
            }

            /// A created thread begins.
            63 ThreadBegin since "1.3" {
                /// The contingent of threads.
                "threadContingent" thread_contingent: CommRef;
                /// The number of the thread in the contingent.
                "sequenceCount" sequence_count: u64;
            }

            /// The location waited for a thread.
            64 ThreadWait since "1.3" {
                /// The contingent of threads.
                "threadContingent" thread_contingent: CommRef;
                /// The number of the thread in the contingent.
                "sequenceCount" sequence_count: u64;
            }

            /// A created thread ends.
            65 ThreadEnd since "1.3" {
                /// The contingent of threads.
                "threadContingent" thread_contingent: CommRef;
                /// The number of the thread in the contingent.
                "sequenceCount" sequence_count: u64;
            }

            /// A calling context was entered.
            66 CallingContextEnter since "2.0" {
                /// The calling context.
                "callingContext" calling_context: CallingContextRef;
                /// The number of contexts entered since the last event, counted from the innermost;
                /// all ones if undefined.
                "unwindDistance" unwind_distance: u32;
            }

            /// A calling context was left.
            67 CallingContextLeave since "2.0" {
                /// The calling context.
                "callingContext" calling_context: CallingContextRef;
            }

            /// A sample of the calling context.
            68 CallingContextSample since "1.5" {
                /// The calling context.
                "callingContext" calling_context: CallingContextRef;
                /// The number of contexts entered since the last event, counted from the innermost;
                /// all ones if undefined.
                "unwindDistance" unwind_distance: u32;
                /// The source of the interrupt.
                "interruptGenerator" interrupt_generator: InterruptGeneratorRef;
            }

            /// A handle was created.
            69 IoCreateHandle since "2.1" {
                /// The handle.
                "handle" handle: IoHandleRef;
                /// The access mode.
                "mode" mode: enums::IoAccessMode;
                /// The creation flags.
                "creationFlags" creation_flags: flags::IoCreationFlag;
                /// The status flags.
                "statusFlags" status_flags: flags::IoStatusFlag;
            }

            /// A handle was closed.
            70 IoDestroyHandle since "2.1" {
                /// The handle.
                "handle" handle: IoHandleRef;
            }

            /// A handle was duplicated.
            71 IoDuplicateHandle since "2.1" {
                /// The handle that was duplicated.
                "oldHandle" old_handle: IoHandleRef;
                /// The new handle.
                "newHandle" new_handle: IoHandleRef;
                /// The status flags.
                "statusFlags" status_flags: flags::IoStatusFlag;
            }

            /// The file position was changed.
            72 IoSeek since "2.1" {
                /// The handle.
                "handle" handle: IoHandleRef;
                /// The requested offset in bytes.
                "offsetRequest" offset_request: i64;
                /// The position to which the offset is relative.
                "whence" whence: enums::IoSeekOption;
                /// The position after the seek, in bytes.
                "offsetResult" offset_result: u64;
            }

            /// The status flags of a handle changed.
            73 IoChangeStatusFlags since "2.1" {
                /// The handle.
                "handle" handle: IoHandleRef;
                /// The status flags.
                "statusFlags" status_flags: flags::IoStatusFlag;
            }

            /// A file was deleted.
            74 IoDeleteFile since "2.1" {
                /// The I/O paradigm.
                "ioParadigm" io_paradigm: IoParadigmRef;
                /// The file.
                "file" file: IoFileRef;
            }

            /// An I/O operation begins.
            75 IoOperationBegin since "2.1" {
                /// The handle.
                "handle" handle: IoHandleRef;
                /// The kind of operation.
                "mode" mode: enums::IoOperationMode;
                /// The flags of the operation.
                "operationFlags" operation_flags: flags::IoOperationFlag;
                /// The number of bytes requested.
                "bytesRequest" bytes_request: u64;
                /// The id that pairs the operation with its completion.
                "matchingId" matching_id: u64;
            }

            /// A non-blocking I/O operation was tested and was not complete.
            76 IoOperationTest since "2.1" {
                /// The handle.
                "handle" handle: IoHandleRef;
                /// The id that pairs the operation with its completion.
                "matchingId" matching_id: u64;
            }

            /// A non-blocking I/O operation was issued.
            77 IoOperationIssued since "2.1" {
                /// The handle.
                "handle" handle: IoHandleRef;
                /// The id that pairs the operation with its completion.
                "matchingId" matching_id: u64;
            }

            /// An I/O operation is complete.
            78 IoOperationComplete since "2.1" {
                /// The handle.
                "handle" handle: IoHandleRef;
                /// The number of bytes transferred.
                "bytesResult" bytes_result: u64;
                /// The id that pairs the operation with its completion.
                "matchingId" matching_id: u64;
            }

            /// A non-blocking I/O operation was cancelled.
            79 IoOperationCancelled since "2.1" {
                /// The handle.
                "handle" handle: IoHandleRef;
                /// The id that pairs the operation with its completion.
                "matchingId" matching_id: u64;
            }

            /// A lock on a handle was acquired.
            80 IoAcquireLock since "2.1" {
                /// The handle.
                "handle" handle: IoHandleRef;
                /// Whether the lock is exclusive or shared.
                "lockType" lock_type: enums::LockType;
            }

            /// A lock on a handle was released.
            81 IoReleaseLock since "2.1" {
                /// The handle.
                "handle" handle: IoHandleRef;
                /// Whether the lock is exclusive or shared.
                "lockType" lock_type: enums::LockType;
            }

            /// An attempt to lock a handle failed.
            82 IoTryLock since "2.1" {
                /// The handle.
                "handle" handle: IoHandleRef;
                /// Whether the lock is exclusive or shared.
                "lockType" lock_type: enums::LockType;
            }

            /// The program begins.
            83 ProgramBegin<'a> since "2.1" {
                /// The name of the program.
                "programName" program_name: StringRef;
                /// The arguments of the program.
                "numberOfArguments programArguments" program_arguments: List<'a, u32, StringRef>;
            }

            /// The program ends.
            84 ProgramEnd since "2.1" {
                /// The exit status.
                "exitStatus" exit_status: i64;
            }

            /// A non-blocking collective operation was posted.
            85 NonBlockingCollectiveRequest since "3.0" {
                /// The request, unique on the location while it is active.
                "requestID" request_id: u64;
            }

            /// A non-blocking collective operation is complete.
            86 NonBlockingCollectiveComplete since "3.0" {
                /// The operation.
                "collectiveOp" collective_op: enums::CollectiveOp;
                /// The communicator.
                "communicator" communicator: CommRef;
                /// The rank of the root, or a [`CollectiveRoot`](crate::enums::CollectiveRoot)
                /// value.
                "root" root: u32;
                /// The number of bytes sent.
                "sizeSent" size_sent: u64;
                /// The number of bytes received.
                "sizeReceived" size_received: u64;
                /// The request, unique on the location while it is active.
                "requestID" request_id: u64;
            }

            /// A communicator was created.
            87 CommCreate since "3.0" {
                /// The communicator.
                "communicator" communicator: CommRef;
            }

            /// A communicator was destroyed.
            88 CommDestroy since "3.0" {
                /// The communicator.
                "communicator" communicator: CommRef;
            }

            /// A message was found by a probe. A matched receive takes its sender, communicator and
            /// tag from here.
            89 MpiProbe since "3.2" {
                /// The rank of the sender in the communicator.
                "sender" sender: u32;
                /// The communicator.
                "communicator" communicator: CommRef;
                /// The message tag.
                "tag" tag: u32;
                /// The message, unique in the process; all ones if the probe reserved none.
                "messageId" message_id: u64;
            }

            /// The message of a probe was received.
            90 MpiMrecv since "3.2" {
                /// The message, unique in the process.
                "messageId" message_id: u64;
                /// The message length in bytes.
                "msgLength" msg_length: u64;
            }

            /// A non-blocking receive of the message of a probe was posted.
            91 MpiImrecvRequest since "3.2" {
                /// The message, unique in the process.
                "messageId" message_id: u64;
                /// The request, unique on the location while it is active.
                "requestId" request_id: u64;
            }

            /// A non-blocking receive of the message of a probe is complete.
            92 MpiImrecv since "3.2" {
                /// The request, unique on the location while it is active.
                "requestId" request_id: u64;
                /// The message length in bytes.
                "msgLength" msg_length: u64;
            }
        }
    };
}

for_each_event!(records);
