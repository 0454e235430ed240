//! Snapshot records, OTF2 format, section "Snapshots": what was still active at the time of the snapshot.
//!
//! Ids are global ones: readers do not map them.

use super::enums;
use super::list::List;
use super::records;
use super::references::*;
use super::value::{MetricValue, Timestamp};

records! {
    /// Record of a snapshot file.
    Snapshot: SnapshotRecord, width;

    /// A snapshot begins.
    10 SnapshotStart since "1.2" {
        /// Records in the snapshot without its end.
        "numberOfRecords" number_of_records: u64;
    }

    /// A snapshot ends.
    11 SnapshotEnd since "1.2" {
        /// Number of the event, from 1, with which reading continues.
        "contReadPos" cont_read_pos: u64;
    }

    /// Last switch of the measurement.
    12 MeasurementOnOff since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// On or off.
        "measurementMode" measurement_mode: enums::MeasurementMode;
    }

    /// A region was entered and not left.
    13 Enter since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// The region.
        "region" region: RegionRef;
    }

    /// Blocking send without its completion.
    14 MpiSend since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// Rank of the receiver in the communicator.
        "receiver" receiver: u32;
        /// The communicator.
        "communicator" communicator: CommRef;
        /// Message tag.
        "msgTag" msg_tag: u32;
        /// Message length in bytes.
        "msgLength" msg_length: u64;
    }

    /// Non-blocking send was posted and is not complete.
    15 MpiIsend since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
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

    /// Non-blocking send is complete, its match is not.
    16 MpiIsendComplete since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// Request, unique on the location while it lives.
        "requestID" request_id: u64;
    }

    /// Blocking receive is complete.
    17 MpiRecv since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// Rank of the sender in the communicator.
        "sender" sender: u32;
        /// The communicator.
        "communicator" communicator: CommRef;
        /// Message tag.
        "msgTag" msg_tag: u32;
        /// Message length in bytes.
        "msgLength" msg_length: u64;
    }

    /// Non-blocking receive was posted and is not complete.
    18 MpiIrecvRequest since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// Request, unique on the location while it lives.
        "requestID" request_id: u64;
    }

    /// Non-blocking receive is complete.
    19 MpiIrecv since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
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

    /// Collective operation has begun and not ended.
    20 MpiCollectiveBegin since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
    }

    /// Collective operation has ended here, not on all ranks.
    21 MpiCollectiveEnd since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
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

    /// Threads are forked and not joined.
    22 OmpFork since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// Number of requested threads.
        "numberOfRequestedThreads" number_of_requested_threads: u32;
    }

    /// Lock is held.
    23 OmpAcquireLock since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// Lock.
        "lockID" lock_id: u32;
        /// Number of the acquisition: orders all acquisitions of the lock.
        "acquisitionOrder" acquisition_order: u32;
    }

    /// Task was created and is not complete.
    24 OmpTaskCreate since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// Task.
        "taskID" task_id: u64;
    }

    /// Execution switched to a task and did not return.
    25 OmpTaskSwitch since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// Task.
        "taskID" task_id: u64;
    }

    /// Last values of the metrics.
    26 Metric<'a> since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// Metric class or instance.
        "metric" metric: MetricRef;
        /// One value per metric of the class.
        "numberOfMetrics typeIDs metricValues" metric_values: List<'a, u8, MetricValue>;
    }

    /// Parameter value in force.
    27 ParameterString since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// The parameter.
        "parameter" parameter: ParameterRef;
        /// The value.
        "string" string: StringRef;
    }

    /// Parameter value in force.
    28 ParameterInt since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// The parameter.
        "parameter" parameter: ParameterRef;
        /// The value.
        "value" value: i64;
    }

    /// Parameter value in force.
    29 ParameterUnsignedInt since "1.2" {
        /// Time of the original event, in ticks.
        "origEventTime" orig_event_time: Timestamp;
        /// The parameter.
        "parameter" parameter: ParameterRef;
        /// The value.
        "value" value: u64;
    }
}
