//! The lines of snapshot records. All but the first and the last record of a snapshot describe an
//! earlier event, at its time.

use kymo_otf2::snapshots::Snapshot;

use super::head;
use super::line::Line;
use super::lines::lines;

/// Appends the line of a record. Returns false if its kind is unknown. `time` is that of the
/// record, or of the earlier event.
pub(super) fn write(line: &mut Line<'_, '_>, snapshot: &Snapshot<'_>, time: u64) -> bool {
    let head =
        |line: &mut Line<'_, '_>, name: &[u8; head::WIDTH], _: Option<u64>| head::write(line, name, time);
    lines! { line, snapshot: Snapshot, head;
        SnapshotStart "SNAPSHOT_START" _ "# Events: " number_of_records;
        SnapshotEnd "SNAPSHOT_END" _ "Cont. Read Position: " cont_read_pos;
        MeasurementOnOff "MEASUREMENT_ON_OFF" _ "Mode: " measurement_mode;
        Enter "ENTER" _ "Region: " region;
        MpiSend "MPI_SEND" _ "Receiver: " [rank receiver communicator] ", Communicator: " communicator ", Tag: " msg_tag
            ", Length: " msg_length;
        MpiIsend "MPI_ISEND" _ "Receiver: " [rank receiver communicator] ", Communicator: " communicator
            ", Tag: " msg_tag ", Length: " msg_length ", Request: " request_id;
        MpiIsendComplete "MPI_ISEND_COMPLETE" _ "Request: " request_id;
        MpiRecv "MPI_RECV" _ "Sender: " [rank sender communicator] ", Communicator: " communicator ", Tag: " msg_tag
            ", Length: " msg_length;
        MpiIrecvRequest "MPI_IRECV_REQUEST" _ "Request: " request_id;
        MpiIrecv "MPI_IRECV" _ "Sender: " [rank sender communicator] ", Communicator: " communicator ", Tag: " msg_tag
            ", Length: " msg_length ", Request: " request_id;
        MpiCollectiveBegin "MPI_COLLECTIVE_BEGIN" _;
        MpiCollectiveEnd "MPI_COLLECTIVE_END" _ "Operation: " collective_op ", Communicator: " communicator
            ", Root: " [root root communicator] ", Sent: " size_sent ", Received: " size_received;
        OmpFork "OMP_FORK" _ "# Requested Threads: " number_of_requested_threads;
        OmpAcquireLock "OMP_ACQUIRE_LOCK" _ "Lock: " lock_id ", Acquisition Order: " acquisition_order;
        OmpTaskCreate "OMP_TASK_CREATE" _ "Task: " task_id;
        OmpTaskSwitch "OMP_TASK_SWITCH" _ "Task: " task_id;
        Metric "METRIC" _ "Metric: " metric ", " [metric_values metric_values metric];
        ParameterString "PARAMETER_STRING" _ "Parameter: " parameter ", Value: " string;
        ParameterInt "PARAMETER_INT64" _ "Parameter: " parameter ", Value: " value;
        ParameterUnsignedInt "PARAMETER_UINT64" _ "Parameter: " parameter ", Value: " value;
    }
    true
}
