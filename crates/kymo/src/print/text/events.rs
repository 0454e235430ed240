//! The lines of events.

use kymo_otf2::events::Event;
use kymo_otf2::list::List;
use kymo_otf2::references::StringRef;

use super::head;
use super::line::Line;
use super::lines::{justified, lines};
use crate::print::names::Reference;

/// Appends the line of an Enter or Leave, as below. Most lines are of this kind, so the columns and
/// the label are copied as one block, and so is the rest. Returns false for all other events, and
/// if the region is not defined.
#[inline]
pub(super) fn write_usual(line: &mut Line<'_, '_>, event: &Event<'_>, time: u64) -> bool {
    const LABEL: &str = "Region: ";
    const ENTER: [u8; head::WIDTH + LABEL.len()] = justified("ENTER", LABEL);
    const LEAVE: [u8; head::WIDTH + LABEL.len()] = justified("LEAVE", LABEL);
    let (template, region) = match event {
        Event::Enter(enter) => (&ENTER, enter.region),
        Event::Leave(leave) => (&LEAVE, leave.region),
        _ => return false,
    };
    let Some(named) = region.find(line.names).filter(|_| region.is_defined()) else { return false };
    head::write(line, template, time);
    named.write_last(line.out);
    true
}

/// Appends the line of an event. Returns false if its kind is unknown.
#[inline]
pub(super) fn write(line: &mut Line<'_, '_>, event: &Event<'_>, time: u64) -> bool {
    let head =
        |line: &mut Line<'_, '_>, name: &[u8; head::WIDTH], _: Option<u64>| head::write(line, name, time);
    lines! { line, event: Event, head;
        BufferFlush "BUFFER_FLUSH" _ "Stop Time: " stop_time;
        MeasurementOnOff "MEASUREMENT_ON_OFF" _ "Mode: " measurement_mode;
        Enter "ENTER" _ "Region: " region;
        Leave "LEAVE" _ "Region: " region;
        MpiSend "MPI_SEND" _ "Receiver: " [rank receiver communicator] ", Communicator: " communicator ", Tag: " msg_tag
            ", Length: " msg_length;
        MpiIsend "MPI_ISEND" _ "Receiver: " [rank receiver communicator] ", Communicator: " communicator
            ", Tag: " msg_tag ", Length: " msg_length ", Request: " request_id;
        MpiIsendComplete "MPI_ISEND_COMPLETE" _ "Request: " request_id;
        MpiIrecvRequest "MPI_IRECV_REQUEST" _ "Request: " request_id;
        MpiRecv "MPI_RECV" _ "Sender: " [rank sender communicator] ", Communicator: " communicator ", Tag: " msg_tag
            ", Length: " msg_length;
        MpiIrecv "MPI_IRECV" _ "Sender: " [rank sender communicator] ", Communicator: " communicator ", Tag: " msg_tag
            ", Length: " msg_length ", Request: " request_id;
        MpiRequestTest "MPI_REQUEST_TEST" _ "Request: " request_id;
        MpiRequestCancelled "MPI_REQUEST_CANCELLED" _ "Request: " request_id;
        MpiCollectiveBegin "MPI_COLLECTIVE_BEGIN" _;
        MpiCollectiveEnd "MPI_COLLECTIVE_END" _ "Operation: " collective_op ", Communicator: " communicator
            ", Root: " [root root communicator] ", Sent: " size_sent ", Received: " size_received;
        OmpFork "OMP_FORK" _ "# Requested Threads: " number_of_requested_threads;
        OmpJoin "OMP_JOIN" _;
        OmpAcquireLock "OMP_ACQUIRE_LOCK" _ "Lock: " lock_id ", Acquisition Order: " acquisition_order;
        OmpReleaseLock "OMP_RELEASE_LOCK" _ "Lock: " lock_id ", Acquisition Order: " acquisition_order;
        OmpTaskCreate "OMP_TASK_CREATE" _ "Task: " task_id;
        OmpTaskSwitch "OMP_TASK_SWITCH" _ "Task: " task_id;
        OmpTaskComplete "OMP_TASK_COMPLETE" _ "Task: " task_id;
        Metric "METRIC" _ "Metric: " metric ", " [metric_values metric_values metric];
        ParameterString "PARAMETER_STRING" _ "Parameter: " parameter ", Value: " string;
        ParameterInt "PARAMETER_INT64" _ "Parameter: " parameter ", Value: " value;
        ParameterUnsignedInt "PARAMETER_UINT64" _ "Parameter: " parameter ", Value: " value;
        RmaWinCreate "RMA_WIN_CREATE" _ "Window: " win;
        RmaWinDestroy "RMA_WIN_DESTROY" _ "Window: " win;
        RmaCollectiveBegin "RMA_COLLECTIVE_BEGIN" _;
        RmaCollectiveEnd "RMA_COLLECTIVE_END" _ "Operation: " collective_op ", Window: " win
            ", Level of Synchronicity: " sync_level ", Root: " [window_root root win] ", Sent: " bytes_sent
            ", Received: " bytes_received;
        RmaGroupSync "RMA_GROUP_SYNC" _ "Level of Synchronicity: " sync_level ", Window: " win ", Group: " group;
        RmaRequestLock "RMA_REQUEST_LOCK" _ "Window: " win ", Remote: " [window_rank remote win] ", Lock: " lock_id
            ", Type: " lock_type;
        RmaAcquireLock "RMA_ACQUIRE_LOCK" _ "Window: " win ", Remote: " [window_rank remote win] ", Lock: " lock_id
            ", Type: " lock_type;
        RmaTryLock "RMA_TRY_LOCK" _ "Window: " win ", Remote: " [window_rank remote win] ", Lock: " lock_id
            ", Type: " lock_type;
        RmaReleaseLock "RMA_RELEASE_LOCK" _ "Window: " win ", Remote: " [window_rank remote win] ", Lock: " lock_id;
        RmaSync "RMA_SYNC" _ "Window: " win ", Remote: " [window_rank remote win] ", Sync Type: " sync_type;
        RmaWaitChange "RMA_WAIT_CHANGE" _ "Window: " win;
        RmaPut "RMA_PUT" _ "Window: " win ", Remote: " [window_rank remote win] ", Bytes: " bytes
            ", Matching: " matching_id;
        RmaGet "RMA_GET" _ "Window: " win ", Remote: " [window_rank remote win] ", Bytes: " bytes
            ", Matching: " matching_id;
        RmaAtomic "RMA_ATOMIC" _ "Window: " win ", Remote: " [window_rank remote win] ", Type: " type_
            ", Sent: " bytes_sent ", Received: " bytes_received ", Matching: " matching_id;
        RmaOpCompleteBlocking "RMA_OP_COMPLETE_BLOCKING" _ "Window: " win ", Matching: " matching_id;
        RmaOpCompleteNonBlocking "RMA_OP_COMPLETE_NON_BLOCKING" _ "Window: " win ", Matching: " matching_id;
        RmaOpTest "RMA_OP_TEST" _ "Window: " win ", Matching: " matching_id;
        RmaOpCompleteRemote "RMA_OP_COMPLETE_REMOTE" _ "Window: " win ", Matching: " matching_id;
        ThreadFork "THREAD_FORK" _ "Model: " [paradigm model] ", # Requested Threads: " number_of_requested_threads;
        ThreadJoin "THREAD_JOIN" _ "Model: " [paradigm model];
        ThreadTeamBegin "THREAD_TEAM_BEGIN" _ "Thread Team: " thread_team;
        ThreadTeamEnd "THREAD_TEAM_END" _ "Thread Team: " thread_team;
        ThreadAcquireLock "THREAD_ACQUIRE_LOCK" _ "Model: " [paradigm model] ", Lock: " lock_id
            ", Acquisition Order: " acquisition_order;
        ThreadReleaseLock "THREAD_RELEASE_LOCK" _ "Model: " [paradigm model] ", Lock: " lock_id
            ", Acquisition Order: " acquisition_order;
        ThreadTaskCreate "THREAD_TASK_CREATE" _ "Thread Team: " thread_team
            ", Creating Thread: " [rank creating_thread thread_team] ", Generation Number: " generation_number;
        ThreadTaskSwitch "THREAD_TASK_SWITCH" _ "Thread Team: " thread_team
            ", Creating Thread: " [rank creating_thread thread_team] ", Generation Number: " generation_number;
        ThreadTaskComplete "THREAD_TASK_COMPLETE" _ "Thread Team: " thread_team
            ", Creating Thread: " [rank creating_thread thread_team] ", Generation Number: " generation_number;
        ThreadCreate "THREAD_CREATE" _ "Thread Contingent: " thread_contingent ", Sequence Count: " sequence_count;
        ThreadBegin "THREAD_BEGIN" _ "Thread Contingent: " thread_contingent ", Sequence Count: " sequence_count;
        ThreadWait "THREAD_WAIT" _ "Thread Contingent: " thread_contingent ", Sequence Count: " sequence_count;
        ThreadEnd "THREAD_END" _ "Thread Contingent: " thread_contingent ", Sequence Count: " sequence_count;
        CallingContextEnter "CALLING_CONTEXT_ENTER" _ "Calling Context: " calling_context
            ", Unwind Distance: " [count unwind_distance];
        CallingContextLeave "CALLING_CONTEXT_LEAVE" _ "Calling Context: " calling_context;
        CallingContextSample "CALLING_CONTEXT_SAMPLE" _ "Calling Context: " calling_context
            ", Unwind Distance: " [count unwind_distance] ", Interrupt Generator: " interrupt_generator;
        IoCreateHandle "IO_CREATE_HANDLE" _ "Handle: " handle ", Access Mode: " mode ", Creation Flags: " creation_flags
            ", Status Flags: " status_flags;
        IoDestroyHandle "IO_DESTROY_HANDLE" _ "Handle: " handle;
        IoDuplicateHandle "IO_DUPLICATE_HANDLE" _ "Old Handle: " old_handle ", New Handle: " new_handle
            ", Status Flags: " status_flags;
        IoSeek "IO_SEEK" _ "Handle: " handle ", Offset Request: " offset_request ", Whence: " whence
            ", Offset Result: " offset_result;
        IoChangeStatusFlags "IO_CHANGE_FLAGS" _ "Handle: " handle ", Status Flags: " status_flags;
        IoDeleteFile "IO_DELETE_FILE" _ "I/O Paradigm: " io_paradigm ", File: " file;
        IoOperationBegin "IO_OPERATION_BEGIN" _ "Handle: " handle ", Mode: " mode ", Operation Flags: " operation_flags
            ", Bytes Request: " bytes_request ", Matching Id: " matching_id;
        IoOperationTest "IO_OPERATION_TEST" _ "Handle: " handle ", Matching Id: " matching_id;
        IoOperationIssued "IO_OPERATION_ISSUED" _ "Handle: " handle ", Matching Id: " matching_id;
        IoOperationComplete "IO_OPERATION_COMPLETE" _ "Handle: " handle ", Bytes Result: " bytes_result
            ", Matching Id: " matching_id;
        IoOperationCancelled "IO_OPERATION_CANCELLED" _ "Handle: " handle ", Matching Id: " matching_id;
        IoAcquireLock "IO_ACQUIRE_LOCK" _ "Handle: " handle ", Type: " lock_type;
        IoReleaseLock "IO_RELEASE_LOCK" _ "Handle: " handle ", Type: " lock_type;
        IoTryLock "IO_TRY_LOCK" _ "Handle: " handle ", Type: " lock_type;
        ProgramBegin "PROGRAM_BEGIN" _ "Name: " program_name ", " [arguments program_arguments];
        ProgramEnd "PROGRAM_END" _ "Exit status: " [exit_status exit_status];
        NonBlockingCollectiveRequest "NON_BLOCKING_COLLECTIVE_REQUEST" _ "Request: " request_id;
        NonBlockingCollectiveComplete "NON_BLOCKING_COLLECTIVE_COMPLETE" _ "Operation: " collective_op
            ", Communicator: " communicator ", Root: " [root root communicator] ", Sent: " size_sent
            ", Received: " size_received ", Request: " request_id;
        CommCreate "COMM_CREATE" _ "Communicator: " communicator;
        CommDestroy "COMM_DESTROY" _ "Communicator: " communicator;
        MpiProbe "MPI_PROBE" _ "Sender: " [rank sender communicator] ", Communicator: " communicator ", Tag: " tag
            ", Message ID: " [number message_id];
        MpiMrecv "MPI_MRECV" _ "Message ID: " [number message_id] ", Length: " msg_length;
        MpiImrecvRequest "MPI_IMRECV_REQUEST" _ "Message ID: " [number message_id] ", Request: " request_id;
        MpiImrecv "MPI_IMRECV" _ "Request: " request_id ", Length: " msg_length;
    }
    true
}

impl Line<'_, '_> {
    fn arguments(&mut self, arguments: &List<'_, u32, StringRef>) {
        self.counted(arguments.len(), " Argument", " Arguments");
        self.listed(": ", *arguments, |line, argument| line.show(&argument));
    }
}
