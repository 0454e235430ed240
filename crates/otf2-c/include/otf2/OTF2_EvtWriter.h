/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_EvtWriter.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_EVT_WRITER_H
#define OTF2_EVT_WRITER_H

/**
 * @file
 * Writers of the events of a location.
 *
 * #OTF2_Archive_GetEvtWriter returns a writer. A writer may be used by one thread at a time;
 * different writers need no lock. Records are collected in a buffer. If the buffer is full, the
 * flush callback decides whether it is written to its file or dropped.
 *
 * The time of an event is in ticks, and not before that of the previous event of the writer. An
 * event may have further attributes: the list is written with the event, and is empty afterwards so
 * that it can be used again. If the function fails, the list keeps its content.
 *
 * Values of records are not checked. The functions that write an event return
 *
 * - #OTF2_ERROR_INVALID_ARGUMENT if the writer is NULL, an array is NULL although its length is not
 *   0, or the time is before that of the previous event; nothing is written.
 * - #OTF2_ERROR_INVALID_SIZE_GIVEN if the event with its attributes does not fit a chunk; nothing
 *   is written.
 * - #OTF2_ERROR_MEM_FAULT if there is no memory for the event, and the flush callback does not
 *   allow to write the buffer.
 * - the code of an error of the system, for example #OTF2_ERROR_ENOSPC, if the buffer had to be
 *   written and that failed.
 */

#include <stdint.h>
#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_AttributeList.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A writer of the events of a location. */
typedef struct OTF2_EvtWriter_struct OTF2_EvtWriter;

/**
 * Returns the location of a writer.
 *
 * @param writer The writer.
 * @param locationID Receives the location, #OTF2_UNDEFINED_LOCATION if none is set.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INTEGRITY_FAULT if the writer is NULL;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the other pointer is NULL.
 */
OTF2_ErrorCode
OTF2_EvtWriter_GetLocationID( const OTF2_EvtWriter* writer,
                              OTF2_LocationRef* locationID );

/**
 * Attaches a pointer to a writer. The library only keeps it. A flush callback can get it, because
 * its argument `callerData` is the writer.
 *
 * @param writer The writer.
 * @param userData The pointer.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the writer is NULL.
 */
OTF2_ErrorCode
OTF2_EvtWriter_SetUserData( OTF2_EvtWriter* writer,
                            void* userData );

/**
 * Returns the pointer that is attached to a writer.
 *
 * @param writer The writer.
 * @param userData Receives the pointer, NULL if none is attached.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_EvtWriter_GetUserData( const OTF2_EvtWriter* writer,
                            void** userData );

/**
 * Sets the location of a writer that was made with #OTF2_UNDEFINED_LOCATION. This must happen
 * before the first flush.
 *
 * @param writer The writer.
 * @param location The location.
 * @return #OTF2_SUCCESS, also if the location is the same as before;
 *     #OTF2_ERROR_INTEGRITY_FAULT if the writer is NULL or has another location.
 */
OTF2_ErrorCode
OTF2_EvtWriter_SetLocationID( OTF2_EvtWriter* writer,
                              OTF2_LocationRef location );

/**
 * Returns the number of events of a writer: those written so far, including BufferFlush, without
 * those that were rewound. Programs write the number into the Location definition.
 *
 * @param writer The writer.
 * @param numberOfEvents Receives the number.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_EvtWriter_GetNumberOfEvents( OTF2_EvtWriter* writer,
                                  uint64_t* numberOfEvents );

/**
 * Writes the record BufferFlush: the measurement flushed its buffers from the time of the event to
 * `stopTime`.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param stopTime The end of the flush, in ticks.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_BufferFlush( OTF2_EvtWriter* writer,
                            OTF2_AttributeList* attributeList,
                            OTF2_TimeStamp time,
                            OTF2_TimeStamp stopTime );

/**
 * Writes the record MeasurementOnOff: the measurement was switched on or off.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param measurementMode Whether the measurement is on or off.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_MeasurementOnOff( OTF2_EvtWriter* writer,
                                 OTF2_AttributeList* attributeList,
                                 OTF2_TimeStamp time,
                                 OTF2_MeasurementMode measurementMode );

/**
 * Writes the record Enter: a region was entered.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param region The region.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_Enter( OTF2_EvtWriter* writer,
                      OTF2_AttributeList* attributeList,
                      OTF2_TimeStamp time,
                      OTF2_RegionRef region );

/**
 * Writes the record Leave: a region was left.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param region The region.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_Leave( OTF2_EvtWriter* writer,
                      OTF2_AttributeList* attributeList,
                      OTF2_TimeStamp time,
                      OTF2_RegionRef region );

/**
 * Writes the record MpiSend: a blocking send.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param receiver The rank of the receiver in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiSend( OTF2_EvtWriter* writer,
                        OTF2_AttributeList* attributeList,
                        OTF2_TimeStamp time,
                        uint32_t receiver,
                        OTF2_CommRef communicator,
                        uint32_t msgTag,
                        uint64_t msgLength );

/**
 * Writes the record MpiIsend: a non-blocking send was posted.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param receiver The rank of the receiver in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @param requestID The request, unique on the location while it is active.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiIsend( OTF2_EvtWriter* writer,
                         OTF2_AttributeList* attributeList,
                         OTF2_TimeStamp time,
                         uint32_t receiver,
                         OTF2_CommRef communicator,
                         uint32_t msgTag,
                         uint64_t msgLength,
                         uint64_t requestID );

/**
 * Writes the record MpiIsendComplete: a non-blocking send is complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param requestID The request, unique on the location while it is active.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiIsendComplete( OTF2_EvtWriter* writer,
                                 OTF2_AttributeList* attributeList,
                                 OTF2_TimeStamp time,
                                 uint64_t requestID );

/**
 * Writes the record MpiIrecvRequest: a non-blocking receive was posted.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param requestID The request, unique on the location while it is active.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiIrecvRequest( OTF2_EvtWriter* writer,
                                OTF2_AttributeList* attributeList,
                                OTF2_TimeStamp time,
                                uint64_t requestID );

/**
 * Writes the record MpiRecv: a blocking receive is complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param sender The rank of the sender in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiRecv( OTF2_EvtWriter* writer,
                        OTF2_AttributeList* attributeList,
                        OTF2_TimeStamp time,
                        uint32_t sender,
                        OTF2_CommRef communicator,
                        uint32_t msgTag,
                        uint64_t msgLength );

/**
 * Writes the record MpiIrecv: a non-blocking receive is complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param sender The rank of the sender in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @param requestID The request, unique on the location while it is active.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiIrecv( OTF2_EvtWriter* writer,
                         OTF2_AttributeList* attributeList,
                         OTF2_TimeStamp time,
                         uint32_t sender,
                         OTF2_CommRef communicator,
                         uint32_t msgTag,
                         uint64_t msgLength,
                         uint64_t requestID );

/**
 * Writes the record MpiRequestTest: a request was tested and was not complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param requestID The request, unique on the location while it is active.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiRequestTest( OTF2_EvtWriter* writer,
                               OTF2_AttributeList* attributeList,
                               OTF2_TimeStamp time,
                               uint64_t requestID );

/**
 * Writes the record MpiRequestCancelled: a request was cancelled.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param requestID The request, unique on the location while it is active.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiRequestCancelled( OTF2_EvtWriter* writer,
                                    OTF2_AttributeList* attributeList,
                                    OTF2_TimeStamp time,
                                    uint64_t requestID );

/**
 * Writes the record MpiCollectiveBegin: a collective operation begins.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiCollectiveBegin( OTF2_EvtWriter* writer,
                                   OTF2_AttributeList* attributeList,
                                   OTF2_TimeStamp time );

/**
 * Writes the record MpiCollectiveEnd: a collective operation ends.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param collectiveOp The operation.
 * @param communicator The communicator.
 * @param root The rank of the root, or a value of #OTF2_CollectiveRoot_enum.
 * @param sizeSent The number of bytes sent.
 * @param sizeReceived The number of bytes received.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiCollectiveEnd( OTF2_EvtWriter* writer,
                                 OTF2_AttributeList* attributeList,
                                 OTF2_TimeStamp time,
                                 OTF2_CollectiveOp collectiveOp,
                                 OTF2_CommRef communicator,
                                 uint32_t root,
                                 uint64_t sizeSent,
                                 uint64_t sizeReceived );

/**
 * Writes the record OmpFork: threads are forked.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param numberOfRequestedThreads The number of requested threads.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 * @deprecated since 1.2: use ThreadFork.
 */
OTF2_ErrorCode
OTF2_EvtWriter_OmpFork( OTF2_EvtWriter* writer,
                        OTF2_AttributeList* attributeList,
                        OTF2_TimeStamp time,
                        uint32_t numberOfRequestedThreads ) __otf2_deprecated__;

/**
 * Writes the record OmpJoin: threads are joined.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 * @deprecated since 1.2: use ThreadJoin.
 */
OTF2_ErrorCode
OTF2_EvtWriter_OmpJoin( OTF2_EvtWriter* writer,
                        OTF2_AttributeList* attributeList,
                        OTF2_TimeStamp time ) __otf2_deprecated__;

/**
 * Writes the record OmpAcquireLock: a lock was acquired.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param lockID The lock.
 * @param acquisitionOrder The number of the acquisition, which orders all acquisitions of the lock.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 * @deprecated since 1.2: use ThreadAcquireLock.
 */
OTF2_ErrorCode
OTF2_EvtWriter_OmpAcquireLock( OTF2_EvtWriter* writer,
                               OTF2_AttributeList* attributeList,
                               OTF2_TimeStamp time,
                               uint32_t lockID,
                               uint32_t acquisitionOrder ) __otf2_deprecated__;

/**
 * Writes the record OmpReleaseLock: a lock was released.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param lockID The lock.
 * @param acquisitionOrder The number of the acquisition, which orders all acquisitions of the lock.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 * @deprecated since 1.2: use ThreadReleaseLock.
 */
OTF2_ErrorCode
OTF2_EvtWriter_OmpReleaseLock( OTF2_EvtWriter* writer,
                               OTF2_AttributeList* attributeList,
                               OTF2_TimeStamp time,
                               uint32_t lockID,
                               uint32_t acquisitionOrder ) __otf2_deprecated__;

/**
 * Writes the record OmpTaskCreate: a task was created.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param taskID The task.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 * @deprecated since 1.2: use ThreadTaskCreate.
 */
OTF2_ErrorCode
OTF2_EvtWriter_OmpTaskCreate( OTF2_EvtWriter* writer,
                              OTF2_AttributeList* attributeList,
                              OTF2_TimeStamp time,
                              uint64_t taskID ) __otf2_deprecated__;

/**
 * Writes the record OmpTaskSwitch: execution switched to a task.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param taskID The task.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 * @deprecated since 1.2: use ThreadTaskSwitch.
 */
OTF2_ErrorCode
OTF2_EvtWriter_OmpTaskSwitch( OTF2_EvtWriter* writer,
                              OTF2_AttributeList* attributeList,
                              OTF2_TimeStamp time,
                              uint64_t taskID ) __otf2_deprecated__;

/**
 * Writes the record OmpTaskComplete: a task is complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param taskID The task.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 * @deprecated since 1.2: use ThreadTaskComplete.
 */
OTF2_ErrorCode
OTF2_EvtWriter_OmpTaskComplete( OTF2_EvtWriter* writer,
                                OTF2_AttributeList* attributeList,
                                OTF2_TimeStamp time,
                                uint64_t taskID ) __otf2_deprecated__;

/**
 * Writes the record Metric: the values of all metrics of a metric class or instance.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param metric The metric class or instance.
 * @param numberOfMetrics The number of elements of `typeIDs`, `metricValues`.
 * @param typeIDs The type of each value.
 * @param metricValues One value per metric of the class.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_Metric( OTF2_EvtWriter* writer,
                       OTF2_AttributeList* attributeList,
                       OTF2_TimeStamp time,
                       OTF2_MetricRef metric,
                       uint8_t numberOfMetrics,
                       const OTF2_Type* typeIDs,
                       const OTF2_MetricValue* metricValues );

/**
 * Writes the record ParameterString: a string value of a parameter.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param parameter The parameter.
 * @param string The value.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_ParameterString( OTF2_EvtWriter* writer,
                                OTF2_AttributeList* attributeList,
                                OTF2_TimeStamp time,
                                OTF2_ParameterRef parameter,
                                OTF2_StringRef string );

/**
 * Writes the record ParameterInt: a signed value of a parameter.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param parameter The parameter.
 * @param value The value.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_ParameterInt( OTF2_EvtWriter* writer,
                             OTF2_AttributeList* attributeList,
                             OTF2_TimeStamp time,
                             OTF2_ParameterRef parameter,
                             int64_t value );

/**
 * Writes the record ParameterUnsignedInt: an unsigned value of a parameter.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param parameter The parameter.
 * @param value The value.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_ParameterUnsignedInt( OTF2_EvtWriter* writer,
                                     OTF2_AttributeList* attributeList,
                                     OTF2_TimeStamp time,
                                     OTF2_ParameterRef parameter,
                                     uint64_t value );

/**
 * Writes the record RmaWinCreate: a window was created.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaWinCreate( OTF2_EvtWriter* writer,
                             OTF2_AttributeList* attributeList,
                             OTF2_TimeStamp time,
                             OTF2_RmaWinRef win );

/**
 * Writes the record RmaWinDestroy: a window was destroyed.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaWinDestroy( OTF2_EvtWriter* writer,
                              OTF2_AttributeList* attributeList,
                              OTF2_TimeStamp time,
                              OTF2_RmaWinRef win );

/**
 * Writes the record RmaCollectiveBegin: a collective one-sided operation begins.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaCollectiveBegin( OTF2_EvtWriter* writer,
                                   OTF2_AttributeList* attributeList,
                                   OTF2_TimeStamp time );

/**
 * Writes the record RmaCollectiveEnd: a collective one-sided operation ends.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param collectiveOp The operation.
 * @param syncLevel The scope of the synchronisation.
 * @param win The window.
 * @param root The rank of the root, or a value of #OTF2_CollectiveRoot_enum.
 * @param bytesSent The number of bytes sent.
 * @param bytesReceived The number of bytes received.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaCollectiveEnd( OTF2_EvtWriter* writer,
                                 OTF2_AttributeList* attributeList,
                                 OTF2_TimeStamp time,
                                 OTF2_CollectiveOp collectiveOp,
                                 OTF2_RmaSyncLevel syncLevel,
                                 OTF2_RmaWinRef win,
                                 uint32_t root,
                                 uint64_t bytesSent,
                                 uint64_t bytesReceived );

/**
 * Writes the record RmaGroupSync: synchronisation with a group of the window.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param syncLevel The scope of the synchronisation.
 * @param win The window.
 * @param group The group.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaGroupSync( OTF2_EvtWriter* writer,
                             OTF2_AttributeList* attributeList,
                             OTF2_TimeStamp time,
                             OTF2_RmaSyncLevel syncLevel,
                             OTF2_RmaWinRef win,
                             OTF2_GroupRef group );

/**
 * Writes the record RmaRequestLock: a lock on a window was requested.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param lockId The lock.
 * @param lockType Whether the lock is exclusive or shared.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaRequestLock( OTF2_EvtWriter* writer,
                               OTF2_AttributeList* attributeList,
                               OTF2_TimeStamp time,
                               OTF2_RmaWinRef win,
                               uint32_t remote,
                               uint64_t lockId,
                               OTF2_LockType lockType );

/**
 * Writes the record RmaAcquireLock: a lock on a window was acquired.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param lockId The lock.
 * @param lockType Whether the lock is exclusive or shared.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaAcquireLock( OTF2_EvtWriter* writer,
                               OTF2_AttributeList* attributeList,
                               OTF2_TimeStamp time,
                               OTF2_RmaWinRef win,
                               uint32_t remote,
                               uint64_t lockId,
                               OTF2_LockType lockType );

/**
 * Writes the record RmaTryLock: an attempt to lock a window failed.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param lockId The lock.
 * @param lockType Whether the lock is exclusive or shared.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaTryLock( OTF2_EvtWriter* writer,
                           OTF2_AttributeList* attributeList,
                           OTF2_TimeStamp time,
                           OTF2_RmaWinRef win,
                           uint32_t remote,
                           uint64_t lockId,
                           OTF2_LockType lockType );

/**
 * Writes the record RmaReleaseLock: a lock on a window was released.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param lockId The lock.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaReleaseLock( OTF2_EvtWriter* writer,
                               OTF2_AttributeList* attributeList,
                               OTF2_TimeStamp time,
                               OTF2_RmaWinRef win,
                               uint32_t remote,
                               uint64_t lockId );

/**
 * Writes the record RmaSync: synchronisation with one remote rank.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param syncType The kind of synchronisation.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaSync( OTF2_EvtWriter* writer,
                        OTF2_AttributeList* attributeList,
                        OTF2_TimeStamp time,
                        OTF2_RmaWinRef win,
                        uint32_t remote,
                        OTF2_RmaSyncType syncType );

/**
 * Writes the record RmaWaitChange: the location waits for other ranks to change its memory.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaWaitChange( OTF2_EvtWriter* writer,
                              OTF2_AttributeList* attributeList,
                              OTF2_TimeStamp time,
                              OTF2_RmaWinRef win );

/**
 * Writes the record RmaPut: data is put into remote memory.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param bytes The number of bytes transferred.
 * @param matchingId The id that pairs the operation with its completion.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaPut( OTF2_EvtWriter* writer,
                       OTF2_AttributeList* attributeList,
                       OTF2_TimeStamp time,
                       OTF2_RmaWinRef win,
                       uint32_t remote,
                       uint64_t bytes,
                       uint64_t matchingId );

/**
 * Writes the record RmaGet: data is read from remote memory.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param bytes The number of bytes transferred.
 * @param matchingId The id that pairs the operation with its completion.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaGet( OTF2_EvtWriter* writer,
                       OTF2_AttributeList* attributeList,
                       OTF2_TimeStamp time,
                       OTF2_RmaWinRef win,
                       uint32_t remote,
                       uint64_t bytes,
                       uint64_t matchingId );

/**
 * Writes the record RmaAtomic: an atomic operation on remote memory.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param type The atomic operation.
 * @param bytesSent The number of bytes sent.
 * @param bytesReceived The number of bytes received.
 * @param matchingId The id that pairs the operation with its completion.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaAtomic( OTF2_EvtWriter* writer,
                          OTF2_AttributeList* attributeList,
                          OTF2_TimeStamp time,
                          OTF2_RmaWinRef win,
                          uint32_t remote,
                          OTF2_RmaAtomicType type,
                          uint64_t bytesSent,
                          uint64_t bytesReceived,
                          uint64_t matchingId );

/**
 * Writes the record RmaOpCompleteBlocking: an operation is complete when the call returns.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @param matchingId The id that pairs the operation with its completion.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaOpCompleteBlocking( OTF2_EvtWriter* writer,
                                      OTF2_AttributeList* attributeList,
                                      OTF2_TimeStamp time,
                                      OTF2_RmaWinRef win,
                                      uint64_t matchingId );

/**
 * Writes the record RmaOpCompleteNonBlocking: an operation is complete locally.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @param matchingId The id that pairs the operation with its completion.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaOpCompleteNonBlocking( OTF2_EvtWriter* writer,
                                         OTF2_AttributeList* attributeList,
                                         OTF2_TimeStamp time,
                                         OTF2_RmaWinRef win,
                                         uint64_t matchingId );

/**
 * Writes the record RmaOpTest: an operation was tested and was not complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @param matchingId The id that pairs the operation with its completion.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaOpTest( OTF2_EvtWriter* writer,
                          OTF2_AttributeList* attributeList,
                          OTF2_TimeStamp time,
                          OTF2_RmaWinRef win,
                          uint64_t matchingId );

/**
 * Writes the record RmaOpCompleteRemote: an operation is complete at the target.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param win The window.
 * @param matchingId The id that pairs the operation with its completion.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_RmaOpCompleteRemote( OTF2_EvtWriter* writer,
                                    OTF2_AttributeList* attributeList,
                                    OTF2_TimeStamp time,
                                    OTF2_RmaWinRef win,
                                    uint64_t matchingId );

/**
 * Writes the record ThreadFork: threads are forked.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param model The threading paradigm.
 * @param numberOfRequestedThreads The number of requested threads.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_ThreadFork( OTF2_EvtWriter* writer,
                           OTF2_AttributeList* attributeList,
                           OTF2_TimeStamp time,
                           OTF2_Paradigm model,
                           uint32_t numberOfRequestedThreads );

/**
 * Writes the record ThreadJoin: threads are joined.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param model The threading paradigm.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_ThreadJoin( OTF2_EvtWriter* writer,
                           OTF2_AttributeList* attributeList,
                           OTF2_TimeStamp time,
                           OTF2_Paradigm model );

/**
 * Writes the record ThreadTeamBegin: the location joins a thread team.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param threadTeam The team.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_ThreadTeamBegin( OTF2_EvtWriter* writer,
                                OTF2_AttributeList* attributeList,
                                OTF2_TimeStamp time,
                                OTF2_CommRef threadTeam );

/**
 * Writes the record ThreadTeamEnd: the location leaves a thread team.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param threadTeam The team.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_ThreadTeamEnd( OTF2_EvtWriter* writer,
                              OTF2_AttributeList* attributeList,
                              OTF2_TimeStamp time,
                              OTF2_CommRef threadTeam );

/**
 * Writes the record ThreadAcquireLock: a lock was acquired.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param model The threading paradigm.
 * @param lockID The lock.
 * @param acquisitionOrder The number of the acquisition, which orders all acquisitions of the lock.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_ThreadAcquireLock( OTF2_EvtWriter* writer,
                                  OTF2_AttributeList* attributeList,
                                  OTF2_TimeStamp time,
                                  OTF2_Paradigm model,
                                  uint32_t lockID,
                                  uint32_t acquisitionOrder );

/**
 * Writes the record ThreadReleaseLock: a lock was released.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param model The threading paradigm.
 * @param lockID The lock.
 * @param acquisitionOrder The number of the acquisition, which orders all acquisitions of the lock.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_ThreadReleaseLock( OTF2_EvtWriter* writer,
                                  OTF2_AttributeList* attributeList,
                                  OTF2_TimeStamp time,
                                  OTF2_Paradigm model,
                                  uint32_t lockID,
                                  uint32_t acquisitionOrder );

/**
 * Writes the record ThreadTaskCreate: a task was created.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param threadTeam The team.
 * @param creatingThread The thread of the team that created the task.
 * @param generationNumber The number of the task on its creating thread.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_ThreadTaskCreate( OTF2_EvtWriter* writer,
                                 OTF2_AttributeList* attributeList,
                                 OTF2_TimeStamp time,
                                 OTF2_CommRef threadTeam,
                                 uint32_t creatingThread,
                                 uint32_t generationNumber );

/**
 * Writes the record ThreadTaskSwitch: execution switched to a task.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param threadTeam The team.
 * @param creatingThread The thread of the team that created the task.
 * @param generationNumber The number of the task on its creating thread.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_ThreadTaskSwitch( OTF2_EvtWriter* writer,
                                 OTF2_AttributeList* attributeList,
                                 OTF2_TimeStamp time,
                                 OTF2_CommRef threadTeam,
                                 uint32_t creatingThread,
                                 uint32_t generationNumber );

/**
 * Writes the record ThreadTaskComplete: a task is complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param threadTeam The team.
 * @param creatingThread The thread of the team that created the task.
 * @param generationNumber The number of the task on its creating thread.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_ThreadTaskComplete( OTF2_EvtWriter* writer,
                                   OTF2_AttributeList* attributeList,
                                   OTF2_TimeStamp time,
                                   OTF2_CommRef threadTeam,
                                   uint32_t creatingThread,
                                   uint32_t generationNumber );

/**
 * Writes the record ThreadCreate: a thread was created.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param threadContingent The contingent of threads.
 * @param sequenceCount The number of the thread in the contingent.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_EvtWriter_ThreadCreate( OTF2_EvtWriter* writer,
                             OTF2_AttributeList* attributeList,
                             OTF2_TimeStamp time,
                             OTF2_CommRef threadContingent,
                             uint64_t sequenceCount );

/**
 * Writes the record ThreadBegin: a created thread begins.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param threadContingent The contingent of threads.
 * @param sequenceCount The number of the thread in the contingent.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_EvtWriter_ThreadBegin( OTF2_EvtWriter* writer,
                            OTF2_AttributeList* attributeList,
                            OTF2_TimeStamp time,
                            OTF2_CommRef threadContingent,
                            uint64_t sequenceCount );

/**
 * Writes the record ThreadWait: the location waited for a thread.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param threadContingent The contingent of threads.
 * @param sequenceCount The number of the thread in the contingent.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_EvtWriter_ThreadWait( OTF2_EvtWriter* writer,
                           OTF2_AttributeList* attributeList,
                           OTF2_TimeStamp time,
                           OTF2_CommRef threadContingent,
                           uint64_t sequenceCount );

/**
 * Writes the record ThreadEnd: a created thread ends.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param threadContingent The contingent of threads.
 * @param sequenceCount The number of the thread in the contingent.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_EvtWriter_ThreadEnd( OTF2_EvtWriter* writer,
                          OTF2_AttributeList* attributeList,
                          OTF2_TimeStamp time,
                          OTF2_CommRef threadContingent,
                          uint64_t sequenceCount );

/**
 * Writes the record CallingContextEnter: a calling context was entered.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param callingContext The calling context.
 * @param unwindDistance The number of contexts entered since the last event, counted from the
 *     innermost; all ones if undefined.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_CallingContextEnter( OTF2_EvtWriter* writer,
                                    OTF2_AttributeList* attributeList,
                                    OTF2_TimeStamp time,
                                    OTF2_CallingContextRef callingContext,
                                    uint32_t unwindDistance );

/**
 * Writes the record CallingContextLeave: a calling context was left.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param callingContext The calling context.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_CallingContextLeave( OTF2_EvtWriter* writer,
                                    OTF2_AttributeList* attributeList,
                                    OTF2_TimeStamp time,
                                    OTF2_CallingContextRef callingContext );

/**
 * Writes the record CallingContextSample: a sample of the calling context.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param callingContext The calling context.
 * @param unwindDistance The number of contexts entered since the last event, counted from the
 *     innermost; all ones if undefined.
 * @param interruptGenerator The source of the interrupt.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.5
 */
OTF2_ErrorCode
OTF2_EvtWriter_CallingContextSample( OTF2_EvtWriter* writer,
                                     OTF2_AttributeList* attributeList,
                                     OTF2_TimeStamp time,
                                     OTF2_CallingContextRef callingContext,
                                     uint32_t unwindDistance,
                                     OTF2_InterruptGeneratorRef interruptGenerator );

/**
 * Writes the record IoCreateHandle: a handle was created.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param handle The handle.
 * @param mode The access mode.
 * @param creationFlags The creation flags.
 * @param statusFlags The status flags.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoCreateHandle( OTF2_EvtWriter* writer,
                               OTF2_AttributeList* attributeList,
                               OTF2_TimeStamp time,
                               OTF2_IoHandleRef handle,
                               OTF2_IoAccessMode mode,
                               OTF2_IoCreationFlag creationFlags,
                               OTF2_IoStatusFlag statusFlags );

/**
 * Writes the record IoDestroyHandle: a handle was closed.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param handle The handle.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoDestroyHandle( OTF2_EvtWriter* writer,
                                OTF2_AttributeList* attributeList,
                                OTF2_TimeStamp time,
                                OTF2_IoHandleRef handle );

/**
 * Writes the record IoDuplicateHandle: a handle was duplicated.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param oldHandle The handle that was duplicated.
 * @param newHandle The new handle.
 * @param statusFlags The status flags.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoDuplicateHandle( OTF2_EvtWriter* writer,
                                  OTF2_AttributeList* attributeList,
                                  OTF2_TimeStamp time,
                                  OTF2_IoHandleRef oldHandle,
                                  OTF2_IoHandleRef newHandle,
                                  OTF2_IoStatusFlag statusFlags );

/**
 * Writes the record IoSeek: the file position was changed.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param handle The handle.
 * @param offsetRequest The requested offset in bytes.
 * @param whence The position to which the offset is relative.
 * @param offsetResult The position after the seek, in bytes.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoSeek( OTF2_EvtWriter* writer,
                       OTF2_AttributeList* attributeList,
                       OTF2_TimeStamp time,
                       OTF2_IoHandleRef handle,
                       int64_t offsetRequest,
                       OTF2_IoSeekOption whence,
                       uint64_t offsetResult );

/**
 * Writes the record IoChangeStatusFlags: the status flags of a handle changed.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param handle The handle.
 * @param statusFlags The status flags.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoChangeStatusFlags( OTF2_EvtWriter* writer,
                                    OTF2_AttributeList* attributeList,
                                    OTF2_TimeStamp time,
                                    OTF2_IoHandleRef handle,
                                    OTF2_IoStatusFlag statusFlags );

/**
 * Writes the record IoDeleteFile: a file was deleted.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param ioParadigm The I/O paradigm.
 * @param file The file.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoDeleteFile( OTF2_EvtWriter* writer,
                             OTF2_AttributeList* attributeList,
                             OTF2_TimeStamp time,
                             OTF2_IoParadigmRef ioParadigm,
                             OTF2_IoFileRef file );

/**
 * Writes the record IoOperationBegin: an I/O operation begins.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param handle The handle.
 * @param mode The kind of operation.
 * @param operationFlags The flags of the operation.
 * @param bytesRequest The number of bytes requested.
 * @param matchingId The id that pairs the operation with its completion.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoOperationBegin( OTF2_EvtWriter* writer,
                                 OTF2_AttributeList* attributeList,
                                 OTF2_TimeStamp time,
                                 OTF2_IoHandleRef handle,
                                 OTF2_IoOperationMode mode,
                                 OTF2_IoOperationFlag operationFlags,
                                 uint64_t bytesRequest,
                                 uint64_t matchingId );

/**
 * Writes the record IoOperationTest: a non-blocking I/O operation was tested and was not complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param handle The handle.
 * @param matchingId The id that pairs the operation with its completion.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoOperationTest( OTF2_EvtWriter* writer,
                                OTF2_AttributeList* attributeList,
                                OTF2_TimeStamp time,
                                OTF2_IoHandleRef handle,
                                uint64_t matchingId );

/**
 * Writes the record IoOperationIssued: a non-blocking I/O operation was issued.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param handle The handle.
 * @param matchingId The id that pairs the operation with its completion.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoOperationIssued( OTF2_EvtWriter* writer,
                                  OTF2_AttributeList* attributeList,
                                  OTF2_TimeStamp time,
                                  OTF2_IoHandleRef handle,
                                  uint64_t matchingId );

/**
 * Writes the record IoOperationComplete: an I/O operation is complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param handle The handle.
 * @param bytesResult The number of bytes transferred.
 * @param matchingId The id that pairs the operation with its completion.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoOperationComplete( OTF2_EvtWriter* writer,
                                    OTF2_AttributeList* attributeList,
                                    OTF2_TimeStamp time,
                                    OTF2_IoHandleRef handle,
                                    uint64_t bytesResult,
                                    uint64_t matchingId );

/**
 * Writes the record IoOperationCancelled: a non-blocking I/O operation was cancelled.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param handle The handle.
 * @param matchingId The id that pairs the operation with its completion.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoOperationCancelled( OTF2_EvtWriter* writer,
                                     OTF2_AttributeList* attributeList,
                                     OTF2_TimeStamp time,
                                     OTF2_IoHandleRef handle,
                                     uint64_t matchingId );

/**
 * Writes the record IoAcquireLock: a lock on a handle was acquired.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param handle The handle.
 * @param lockType Whether the lock is exclusive or shared.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoAcquireLock( OTF2_EvtWriter* writer,
                              OTF2_AttributeList* attributeList,
                              OTF2_TimeStamp time,
                              OTF2_IoHandleRef handle,
                              OTF2_LockType lockType );

/**
 * Writes the record IoReleaseLock: a lock on a handle was released.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param handle The handle.
 * @param lockType Whether the lock is exclusive or shared.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoReleaseLock( OTF2_EvtWriter* writer,
                              OTF2_AttributeList* attributeList,
                              OTF2_TimeStamp time,
                              OTF2_IoHandleRef handle,
                              OTF2_LockType lockType );

/**
 * Writes the record IoTryLock: an attempt to lock a handle failed.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param handle The handle.
 * @param lockType Whether the lock is exclusive or shared.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_IoTryLock( OTF2_EvtWriter* writer,
                          OTF2_AttributeList* attributeList,
                          OTF2_TimeStamp time,
                          OTF2_IoHandleRef handle,
                          OTF2_LockType lockType );

/**
 * Writes the record ProgramBegin: the program begins.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param programName The name of the program.
 * @param numberOfArguments The number of elements of `programArguments`.
 * @param programArguments The arguments of the program.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_ProgramBegin( OTF2_EvtWriter* writer,
                             OTF2_AttributeList* attributeList,
                             OTF2_TimeStamp time,
                             OTF2_StringRef programName,
                             uint32_t numberOfArguments,
                             const OTF2_StringRef* programArguments );

/**
 * Writes the record ProgramEnd: the program ends.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param exitStatus The exit status.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_EvtWriter_ProgramEnd( OTF2_EvtWriter* writer,
                           OTF2_AttributeList* attributeList,
                           OTF2_TimeStamp time,
                           int64_t exitStatus );

/**
 * Writes the record NonBlockingCollectiveRequest: a non-blocking collective operation was posted.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param requestID The request, unique on the location while it is active.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 3.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_NonBlockingCollectiveRequest( OTF2_EvtWriter* writer,
                                             OTF2_AttributeList* attributeList,
                                             OTF2_TimeStamp time,
                                             uint64_t requestID );

/**
 * Writes the record NonBlockingCollectiveComplete: a non-blocking collective operation is complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param collectiveOp The operation.
 * @param communicator The communicator.
 * @param root The rank of the root, or a value of #OTF2_CollectiveRoot_enum.
 * @param sizeSent The number of bytes sent.
 * @param sizeReceived The number of bytes received.
 * @param requestID The request, unique on the location while it is active.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 3.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_NonBlockingCollectiveComplete( OTF2_EvtWriter* writer,
                                              OTF2_AttributeList* attributeList,
                                              OTF2_TimeStamp time,
                                              OTF2_CollectiveOp collectiveOp,
                                              OTF2_CommRef communicator,
                                              uint32_t root,
                                              uint64_t sizeSent,
                                              uint64_t sizeReceived,
                                              uint64_t requestID );

/**
 * Writes the record CommCreate: a communicator was created.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param communicator The communicator.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 3.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_CommCreate( OTF2_EvtWriter* writer,
                           OTF2_AttributeList* attributeList,
                           OTF2_TimeStamp time,
                           OTF2_CommRef communicator );

/**
 * Writes the record CommDestroy: a communicator was destroyed.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param communicator The communicator.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 3.0
 */
OTF2_ErrorCode
OTF2_EvtWriter_CommDestroy( OTF2_EvtWriter* writer,
                            OTF2_AttributeList* attributeList,
                            OTF2_TimeStamp time,
                            OTF2_CommRef communicator );

/**
 * Writes the record MpiProbe: a message was found by a probe. A matched receive takes its sender,
 * communicator and tag from here.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param sender The rank of the sender in the communicator.
 * @param communicator The communicator.
 * @param tag The message tag.
 * @param messageId The message, unique in the process; all ones if the probe reserved none.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 3.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiProbe( OTF2_EvtWriter* writer,
                         OTF2_AttributeList* attributeList,
                         OTF2_TimeStamp time,
                         uint32_t sender,
                         OTF2_CommRef communicator,
                         uint32_t tag,
                         uint64_t messageId );

/**
 * Writes the record MpiMrecv: the message of a probe was received.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param messageId The message, unique in the process.
 * @param msgLength The message length in bytes.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 3.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiMrecv( OTF2_EvtWriter* writer,
                         OTF2_AttributeList* attributeList,
                         OTF2_TimeStamp time,
                         uint64_t messageId,
                         uint64_t msgLength );

/**
 * Writes the record MpiImrecvRequest: a non-blocking receive of the message of a probe was posted.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param messageId The message, unique in the process.
 * @param requestId The request, unique on the location while it is active.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 3.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiImrecvRequest( OTF2_EvtWriter* writer,
                                 OTF2_AttributeList* attributeList,
                                 OTF2_TimeStamp time,
                                 uint64_t messageId,
                                 uint64_t requestId );

/**
 * Writes the record MpiImrecv: a non-blocking receive of the message of a probe is complete.
 *
 * @param writer The writer.
 * @param attributeList Further attributes, or NULL; empty after success.
 * @param time The time in ticks, at least that of the previous record.
 * @param requestId The request, unique on the location while it is active.
 * @param msgLength The message length in bytes.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 3.2
 */
OTF2_ErrorCode
OTF2_EvtWriter_MpiImrecv( OTF2_EvtWriter* writer,
                          OTF2_AttributeList* attributeList,
                          OTF2_TimeStamp time,
                          uint64_t requestId,
                          uint64_t msgLength );

/**
 * Remembers the current end of the events, to which #OTF2_EvtWriter_Rewind returns. A flush of the
 * buffer forgets all rewind points.
 *
 * @param writer The writer.
 * @param rewindId An id of the program; if it is in use, the point is moved.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the writer is NULL;
 *     #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_EvtWriter_StoreRewindPoint( OTF2_EvtWriter* writer,
                                 uint32_t rewindId );

/**
 * Removes all events after a rewind point, and returns to the time of that point. The point remains
 * and can be used again, as do later points.
 *
 * @param writer The writer.
 * @param rewindId The id of the point.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the writer is NULL or there is no such
 *     point, for example after a flush.
 */
OTF2_ErrorCode
OTF2_EvtWriter_Rewind( OTF2_EvtWriter* writer,
                       uint32_t rewindId );

/**
 * Forgets a rewind point. If there is no such point, the error callback is called with
 * #OTF2_WARNING.
 *
 * @param writer The writer.
 * @param rewindId The id of the point.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the writer is NULL.
 */
OTF2_ErrorCode
OTF2_EvtWriter_ClearRewindPoint( OTF2_EvtWriter* writer,
                                 uint32_t rewindId );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_EVT_WRITER_H */
