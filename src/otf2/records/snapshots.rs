//! Snapshot records, docs/spec/otf2-format.md, "Snapshots": everything that was still active at the
//! time of the snapshot.
//!
//! Ids are global ones; readers do not map them.

use super::enums;
use super::list::List;
use super::records;
use super::references::*;
use super::value::{MetricValue, Timestamp};

/// Passes the table of snapshot records to a macro.
#[macro_export]
macro_rules! for_each_snapshot {
    ($macro:ident) => {
        $macro! {
            /// A record of a snapshot file.
            Snapshot: SnapshotRecord, width;

            /// A snapshot begins.
            10 SnapshotStart since "1.2" {
                /// The number of records in the snapshot, excluding its end.
                "numberOfRecords" number_of_records: u64;
            }

            /// A snapshot ends.
            11 SnapshotEnd since "1.2" {
                /// The number of the event, from 1, with which reading continues.
                "contReadPos" cont_read_pos: u64;
            }

            /// The last time the measurement was switched on or off.
            12 MeasurementOnOff since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// Whether the measurement is on or off.
                "measurementMode" measurement_mode: enums::MeasurementMode;
            }

            /// A region was entered and not left.
            13 Enter since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// The region.
                "region" region: RegionRef;
            }

            /// A blocking send that is not complete.
            14 MpiSend since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// The rank of the receiver in the communicator.
                "receiver" receiver: u32;
                /// The communicator.
                "communicator" communicator: CommRef;
                /// The message tag.
                "msgTag" msg_tag: u32;
                /// The message length in bytes.
                "msgLength" msg_length: u64;
            }

            /// A non-blocking send was posted and is not complete.
            15 MpiIsend since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
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

            /// A non-blocking send is complete, but the matching receive is not.
            16 MpiIsendComplete since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// The request, unique on the location while it is active.
                "requestID" request_id: u64;
            }

            /// A blocking receive is complete.
            17 MpiRecv since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// The rank of the sender in the communicator.
                "sender" sender: u32;
                /// The communicator.
                "communicator" communicator: CommRef;
                /// The message tag.
                "msgTag" msg_tag: u32;
                /// The message length in bytes.
                "msgLength" msg_length: u64;
            }

            /// A non-blocking receive was posted and is not complete.
            18 MpiIrecvRequest since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// The request, unique on the location while it is active.
                "requestID" request_id: u64;
            }

            /// A non-blocking receive is complete.
            19 MpiIrecv since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
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

            /// A collective operation has begun and not ended.
            20 MpiCollectiveBegin since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
            }

            /// A collective operation has ended here, but not on all ranks.
            21 MpiCollectiveEnd since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
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

            /// Threads were forked and not joined.
            22 OmpFork since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// The number of requested threads.
                "numberOfRequestedThreads" number_of_requested_threads: u32;
            }

            /// A lock is held.
            23 OmpAcquireLock since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// The lock.
                "lockID" lock_id: u32;
                /// The number of the acquisition, which orders all acquisitions of the lock.
                "acquisitionOrder" acquisition_order: u32;
            }

            /// A task was created and is not complete.
            24 OmpTaskCreate since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// The task.
                "taskID" task_id: u64;
            }

            /// Execution switched to a task and did not return.
            25 OmpTaskSwitch since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// The task.
                "taskID" task_id: u64;
            }

            /// The last values of the metrics.
            26 Metric<'a> since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// The metric class or instance.
                "metric" metric: MetricRef;
                /// One value per metric of the class.
                "numberOfMetrics typeIDs metricValues" metric_values: List<'a, u8, MetricValue>;
            }

            /// The current value of a parameter.
            27 ParameterString since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// The parameter.
                "parameter" parameter: ParameterRef;
                /// The value.
                "string" string: StringRef;
            }

            /// The current value of a parameter.
            28 ParameterInt since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// The parameter.
                "parameter" parameter: ParameterRef;
                /// The value.
                "value" value: i64;
            }

            /// The current value of a parameter.
            29 ParameterUnsignedInt since "1.2" {
                /// The time of the original event, in ticks.
                "origEventTime" orig_event_time: Timestamp;
                /// The parameter.
                "parameter" parameter: ParameterRef;
                /// The value.
                "value" value: u64;
            }
        }
    };
}

for_each_snapshot!(records);
