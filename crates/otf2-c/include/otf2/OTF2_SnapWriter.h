/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_SnapWriter.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_SNAP_WRITER_H
#define OTF2_SNAP_WRITER_H

/**
 * @file
 * Writers of the snapshots of a location.
 *
 * A snapshot describes everything that is still active at a time, so that a program can start to
 * read there: regions that were entered and not left, messages that were sent and not received, and
 * so on. It consists of SnapshotStart, one record for each active thing, and SnapshotEnd. All its
 * records have the same snapshot time; `origEventTime` is the time of the original event. Ids are
 * global ones: readers do not map them.
 *
 * #OTF2_Archive_GetSnapWriter returns a writer, which may be used by one thread at a time. The
 * functions that write a record return
 *
 * - #OTF2_ERROR_INVALID_ARGUMENT if the writer is NULL, an array is NULL although its length is not
 *   0, or the time is before that of the previous record; nothing is written.
 * - #OTF2_ERROR_INVALID_SIZE_GIVEN if the record with its attributes does not fit a chunk; nothing
 *   is written.
 * - #OTF2_ERROR_MEM_FAULT if there is no memory, and the flush callback does not allow to write the
 *   buffer.
 * - the code of an error of the system if the buffer had to be written and that failed.
 */

#include <stdint.h>
#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_AttributeList.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A writer of the snapshots of a location. */
typedef struct OTF2_SnapWriter_struct OTF2_SnapWriter;

/**
 * Returns the location of a writer.
 *
 * @param writer The writer.
 * @param locationID Receives the location.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INTEGRITY_FAULT if the writer is NULL;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the other pointer is NULL.
 */
OTF2_ErrorCode
OTF2_SnapWriter_GetLocationID( const OTF2_SnapWriter* writer,
                               OTF2_LocationRef* locationID );

/**
 * Writes the record SnapshotStart: a snapshot begins.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param numberOfRecords The number of records in the snapshot, excluding its end.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_SnapshotStart( OTF2_SnapWriter* writer,
                               OTF2_AttributeList* attributeList,
                               OTF2_TimeStamp snapTime,
                               uint64_t numberOfRecords );

/**
 * Writes the record SnapshotEnd: a snapshot ends.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param contReadPos The number of the event, from 1, with which reading continues.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_SnapshotEnd( OTF2_SnapWriter* writer,
                             OTF2_AttributeList* attributeList,
                             OTF2_TimeStamp snapTime,
                             uint64_t contReadPos );

/**
 * Writes the record MeasurementOnOff: the last time the measurement was switched on or off.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param measurementMode Whether the measurement is on or off.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_MeasurementOnOff( OTF2_SnapWriter* writer,
                                  OTF2_AttributeList* attributeList,
                                  OTF2_TimeStamp snapTime,
                                  OTF2_TimeStamp origEventTime,
                                  OTF2_MeasurementMode measurementMode );

/**
 * Writes the record Enter: a region was entered and not left.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param region The region.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_Enter( OTF2_SnapWriter* writer,
                       OTF2_AttributeList* attributeList,
                       OTF2_TimeStamp snapTime,
                       OTF2_TimeStamp origEventTime,
                       OTF2_RegionRef region );

/**
 * Writes the record MpiSend: a blocking send that is not complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param receiver The rank of the receiver in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_MpiSend( OTF2_SnapWriter* writer,
                         OTF2_AttributeList* attributeList,
                         OTF2_TimeStamp snapTime,
                         OTF2_TimeStamp origEventTime,
                         uint32_t receiver,
                         OTF2_CommRef communicator,
                         uint32_t msgTag,
                         uint64_t msgLength );

/**
 * Writes the record MpiIsend: a non-blocking send was posted and is not complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param receiver The rank of the receiver in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @param requestID The request, unique on the location while it is active.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_MpiIsend( OTF2_SnapWriter* writer,
                          OTF2_AttributeList* attributeList,
                          OTF2_TimeStamp snapTime,
                          OTF2_TimeStamp origEventTime,
                          uint32_t receiver,
                          OTF2_CommRef communicator,
                          uint32_t msgTag,
                          uint64_t msgLength,
                          uint64_t requestID );

/**
 * Writes the record MpiIsendComplete: a non-blocking send is complete, but the matching receive is
 * not.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param requestID The request, unique on the location while it is active.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_MpiIsendComplete( OTF2_SnapWriter* writer,
                                  OTF2_AttributeList* attributeList,
                                  OTF2_TimeStamp snapTime,
                                  OTF2_TimeStamp origEventTime,
                                  uint64_t requestID );

/**
 * Writes the record MpiRecv: a blocking receive is complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param sender The rank of the sender in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_MpiRecv( OTF2_SnapWriter* writer,
                         OTF2_AttributeList* attributeList,
                         OTF2_TimeStamp snapTime,
                         OTF2_TimeStamp origEventTime,
                         uint32_t sender,
                         OTF2_CommRef communicator,
                         uint32_t msgTag,
                         uint64_t msgLength );

/**
 * Writes the record MpiIrecvRequest: a non-blocking receive was posted and is not complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param requestID The request, unique on the location while it is active.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_MpiIrecvRequest( OTF2_SnapWriter* writer,
                                 OTF2_AttributeList* attributeList,
                                 OTF2_TimeStamp snapTime,
                                 OTF2_TimeStamp origEventTime,
                                 uint64_t requestID );

/**
 * Writes the record MpiIrecv: a non-blocking receive is complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param sender The rank of the sender in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @param requestID The request, unique on the location while it is active.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_MpiIrecv( OTF2_SnapWriter* writer,
                          OTF2_AttributeList* attributeList,
                          OTF2_TimeStamp snapTime,
                          OTF2_TimeStamp origEventTime,
                          uint32_t sender,
                          OTF2_CommRef communicator,
                          uint32_t msgTag,
                          uint64_t msgLength,
                          uint64_t requestID );

/**
 * Writes the record MpiCollectiveBegin: a collective operation has begun and not ended.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_MpiCollectiveBegin( OTF2_SnapWriter* writer,
                                    OTF2_AttributeList* attributeList,
                                    OTF2_TimeStamp snapTime,
                                    OTF2_TimeStamp origEventTime );

/**
 * Writes the record MpiCollectiveEnd: a collective operation has ended here, but not on all ranks.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param collectiveOp The operation.
 * @param communicator The communicator.
 * @param root The rank of the root, or a value of #OTF2_CollectiveRoot_enum.
 * @param sizeSent The number of bytes sent.
 * @param sizeReceived The number of bytes received.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_MpiCollectiveEnd( OTF2_SnapWriter* writer,
                                  OTF2_AttributeList* attributeList,
                                  OTF2_TimeStamp snapTime,
                                  OTF2_TimeStamp origEventTime,
                                  OTF2_CollectiveOp collectiveOp,
                                  OTF2_CommRef communicator,
                                  uint32_t root,
                                  uint64_t sizeSent,
                                  uint64_t sizeReceived );

/**
 * Writes the record OmpFork: threads were forked and not joined.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param numberOfRequestedThreads The number of requested threads.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_OmpFork( OTF2_SnapWriter* writer,
                         OTF2_AttributeList* attributeList,
                         OTF2_TimeStamp snapTime,
                         OTF2_TimeStamp origEventTime,
                         uint32_t numberOfRequestedThreads );

/**
 * Writes the record OmpAcquireLock: a lock is held.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param lockID The lock.
 * @param acquisitionOrder The number of the acquisition, which orders all acquisitions of the lock.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_OmpAcquireLock( OTF2_SnapWriter* writer,
                                OTF2_AttributeList* attributeList,
                                OTF2_TimeStamp snapTime,
                                OTF2_TimeStamp origEventTime,
                                uint32_t lockID,
                                uint32_t acquisitionOrder );

/**
 * Writes the record OmpTaskCreate: a task was created and is not complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param taskID The task.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_OmpTaskCreate( OTF2_SnapWriter* writer,
                               OTF2_AttributeList* attributeList,
                               OTF2_TimeStamp snapTime,
                               OTF2_TimeStamp origEventTime,
                               uint64_t taskID );

/**
 * Writes the record OmpTaskSwitch: execution switched to a task and did not return.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param taskID The task.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_OmpTaskSwitch( OTF2_SnapWriter* writer,
                               OTF2_AttributeList* attributeList,
                               OTF2_TimeStamp snapTime,
                               OTF2_TimeStamp origEventTime,
                               uint64_t taskID );

/**
 * Writes the record Metric: the last values of the metrics.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param metric The metric class or instance.
 * @param numberOfMetrics The number of elements of `typeIDs`, `metricValues`.
 * @param typeIDs The type of each value.
 * @param metricValues One value per metric of the class.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_Metric( OTF2_SnapWriter* writer,
                        OTF2_AttributeList* attributeList,
                        OTF2_TimeStamp snapTime,
                        OTF2_TimeStamp origEventTime,
                        OTF2_MetricRef metric,
                        uint8_t numberOfMetrics,
                        const OTF2_Type* typeIDs,
                        const OTF2_MetricValue* metricValues );

/**
 * Writes the record ParameterString: the current value of a parameter.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param parameter The parameter.
 * @param string The value.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_ParameterString( OTF2_SnapWriter* writer,
                                 OTF2_AttributeList* attributeList,
                                 OTF2_TimeStamp snapTime,
                                 OTF2_TimeStamp origEventTime,
                                 OTF2_ParameterRef parameter,
                                 OTF2_StringRef string );

/**
 * Writes the record ParameterInt: the current value of a parameter.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param parameter The parameter.
 * @param value The value.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_ParameterInt( OTF2_SnapWriter* writer,
                              OTF2_AttributeList* attributeList,
                              OTF2_TimeStamp snapTime,
                              OTF2_TimeStamp origEventTime,
                              OTF2_ParameterRef parameter,
                              int64_t value );

/**
 * Writes the record ParameterUnsignedInt: the current value of a parameter.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param snapTime The time in ticks, at least that of the previous record.
 * @param origEventTime The time of the original event, in ticks.
 * @param parameter The parameter.
 * @param value The value.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapWriter_ParameterUnsignedInt( OTF2_SnapWriter* writer,
                                      OTF2_AttributeList* attributeList,
                                      OTF2_TimeStamp snapTime,
                                      OTF2_TimeStamp origEventTime,
                                      OTF2_ParameterRef parameter,
                                      uint64_t value );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_SNAP_WRITER_H */
