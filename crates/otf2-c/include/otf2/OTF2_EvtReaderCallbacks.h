/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_EvtReaderCallbacks.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_EVT_READER_CALLBACKS_H
#define OTF2_EVT_READER_CALLBACKS_H

/**
 * @file
 * Callbacks for the events of a location, in the order of the file.
 *
 * Strings, arrays, id maps and attribute lists that are passed to a callback belong to the library
 * and are valid until the callback returns. A callback may call functions of other readers and
 * archives, but must not read from or close the reader that called it.
 */

#include <stdint.h>
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <otf2/OTF2_AttributeList.h>
#include <otf2/OTF2_Events.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A table of callbacks. Readers copy it. */
typedef struct OTF2_EvtReaderCallbacks_struct OTF2_EvtReaderCallbacks;

/**
 * Makes a table without callbacks.
 *
 * @return The table, to be deleted by the caller, or NULL if there is no memory.
 */
OTF2_EvtReaderCallbacks*
OTF2_EvtReaderCallbacks_New( void );

/**
 * Deletes a table. Readers to which it was passed keep their copy.
 *
 * @param evtReaderCallbacks The table, or NULL.
 */
void
OTF2_EvtReaderCallbacks_Delete( OTF2_EvtReaderCallbacks* evtReaderCallbacks );

/**
 * Removes all callbacks from a table.
 *
 * @param evtReaderCallbacks The table, or NULL.
 */
void
OTF2_EvtReaderCallbacks_Clear( OTF2_EvtReaderCallbacks* evtReaderCallbacks );

/**
 * Type of the callback for records of a kind that this library does not know, from newer archives.
 *
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_Unknown )( OTF2_LocationRef location,
                                     OTF2_TimeStamp time,
                                     uint64_t eventPosition,
                                     void* userData,
                                     OTF2_AttributeList* attributeList );

/**
 * Sets the callback for unknown records.
 *
 * @param evtReaderCallbacks The table.
 * @param unknownCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetUnknownCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                            OTF2_EvtReaderCallback_Unknown unknownCallback );

/**
 * Type of the callback for BufferFlush: the measurement flushed its buffers from the time of the
 * event to `stopTime`.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param stopTime The end of the flush, in ticks.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_BufferFlush )( OTF2_LocationRef location,
                                         OTF2_TimeStamp time,
                                         uint64_t eventPosition,
                                         void* userData,
                                         OTF2_AttributeList* attributeList,
                                         OTF2_TimeStamp stopTime );

/**
 * Sets the callback for BufferFlush.
 *
 * @param evtReaderCallbacks The table.
 * @param bufferFlushCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetBufferFlushCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_BufferFlush bufferFlushCallback );

/**
 * Type of the callback for MeasurementOnOff: the measurement was switched on or off.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param measurementMode Whether the measurement is on or off.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MeasurementOnOff )( OTF2_LocationRef location,
                                              OTF2_TimeStamp time,
                                              uint64_t eventPosition,
                                              void* userData,
                                              OTF2_AttributeList* attributeList,
                                              OTF2_MeasurementMode measurementMode );

/**
 * Sets the callback for MeasurementOnOff.
 *
 * @param evtReaderCallbacks The table.
 * @param measurementOnOffCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_MeasurementOnOff measurementOnOffCallback );

/**
 * Type of the callback for Enter: a region was entered.
 *
 * Also called for CallingContextEnter, if there is no callback for that record, with the region of
 * the calling context. The global definitions must have been read before.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param region The region.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_Enter )( OTF2_LocationRef location,
                                   OTF2_TimeStamp time,
                                   uint64_t eventPosition,
                                   void* userData,
                                   OTF2_AttributeList* attributeList,
                                   OTF2_RegionRef region );

/**
 * Sets the callback for Enter.
 *
 * @param evtReaderCallbacks The table.
 * @param enterCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetEnterCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                          OTF2_EvtReaderCallback_Enter enterCallback );

/**
 * Type of the callback for Leave: a region was left.
 *
 * Also called for CallingContextLeave, if there is no callback for that record, with the region of
 * the calling context. The global definitions must have been read before.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param region The region.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_Leave )( OTF2_LocationRef location,
                                   OTF2_TimeStamp time,
                                   uint64_t eventPosition,
                                   void* userData,
                                   OTF2_AttributeList* attributeList,
                                   OTF2_RegionRef region );

/**
 * Sets the callback for Leave.
 *
 * @param evtReaderCallbacks The table.
 * @param leaveCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetLeaveCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                          OTF2_EvtReaderCallback_Leave leaveCallback );

/**
 * Type of the callback for MpiSend: a blocking send.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param receiver The rank of the receiver in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiSend )( OTF2_LocationRef location,
                                     OTF2_TimeStamp time,
                                     uint64_t eventPosition,
                                     void* userData,
                                     OTF2_AttributeList* attributeList,
                                     uint32_t receiver,
                                     OTF2_CommRef communicator,
                                     uint32_t msgTag,
                                     uint64_t msgLength );

/**
 * Sets the callback for MpiSend.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiSendCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiSendCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                            OTF2_EvtReaderCallback_MpiSend mpiSendCallback );

/**
 * Type of the callback for MpiIsend: a non-blocking send was posted.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param receiver The rank of the receiver in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @param requestID The request, unique on the location while it is active.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiIsend )( OTF2_LocationRef location,
                                      OTF2_TimeStamp time,
                                      uint64_t eventPosition,
                                      void* userData,
                                      OTF2_AttributeList* attributeList,
                                      uint32_t receiver,
                                      OTF2_CommRef communicator,
                                      uint32_t msgTag,
                                      uint64_t msgLength,
                                      uint64_t requestID );

/**
 * Sets the callback for MpiIsend.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiIsendCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiIsendCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                             OTF2_EvtReaderCallback_MpiIsend mpiIsendCallback );

/**
 * Type of the callback for MpiIsendComplete: a non-blocking send is complete.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param requestID The request, unique on the location while it is active.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiIsendComplete )( OTF2_LocationRef location,
                                              OTF2_TimeStamp time,
                                              uint64_t eventPosition,
                                              void* userData,
                                              OTF2_AttributeList* attributeList,
                                              uint64_t requestID );

/**
 * Sets the callback for MpiIsendComplete.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiIsendCompleteCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_MpiIsendComplete mpiIsendCompleteCallback );

/**
 * Type of the callback for MpiIrecvRequest: a non-blocking receive was posted.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param requestID The request, unique on the location while it is active.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiIrecvRequest )( OTF2_LocationRef location,
                                             OTF2_TimeStamp time,
                                             uint64_t eventPosition,
                                             void* userData,
                                             OTF2_AttributeList* attributeList,
                                             uint64_t requestID );

/**
 * Sets the callback for MpiIrecvRequest.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiIrecvRequestCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_MpiIrecvRequest mpiIrecvRequestCallback );

/**
 * Type of the callback for MpiRecv: a blocking receive is complete.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param sender The rank of the sender in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiRecv )( OTF2_LocationRef location,
                                     OTF2_TimeStamp time,
                                     uint64_t eventPosition,
                                     void* userData,
                                     OTF2_AttributeList* attributeList,
                                     uint32_t sender,
                                     OTF2_CommRef communicator,
                                     uint32_t msgTag,
                                     uint64_t msgLength );

/**
 * Sets the callback for MpiRecv.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiRecvCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiRecvCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                            OTF2_EvtReaderCallback_MpiRecv mpiRecvCallback );

/**
 * Type of the callback for MpiIrecv: a non-blocking receive is complete.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param sender The rank of the sender in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @param requestID The request, unique on the location while it is active.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiIrecv )( OTF2_LocationRef location,
                                      OTF2_TimeStamp time,
                                      uint64_t eventPosition,
                                      void* userData,
                                      OTF2_AttributeList* attributeList,
                                      uint32_t sender,
                                      OTF2_CommRef communicator,
                                      uint32_t msgTag,
                                      uint64_t msgLength,
                                      uint64_t requestID );

/**
 * Sets the callback for MpiIrecv.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiIrecvCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiIrecvCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                             OTF2_EvtReaderCallback_MpiIrecv mpiIrecvCallback );

/**
 * Type of the callback for MpiRequestTest: a request was tested and was not complete.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param requestID The request, unique on the location while it is active.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiRequestTest )( OTF2_LocationRef location,
                                            OTF2_TimeStamp time,
                                            uint64_t eventPosition,
                                            void* userData,
                                            OTF2_AttributeList* attributeList,
                                            uint64_t requestID );

/**
 * Sets the callback for MpiRequestTest.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiRequestTestCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_MpiRequestTest mpiRequestTestCallback );

/**
 * Type of the callback for MpiRequestCancelled: a request was cancelled.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param requestID The request, unique on the location while it is active.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiRequestCancelled )( OTF2_LocationRef location,
                                                 OTF2_TimeStamp time,
                                                 uint64_t eventPosition,
                                                 void* userData,
                                                 OTF2_AttributeList* attributeList,
                                                 uint64_t requestID );

/**
 * Sets the callback for MpiRequestCancelled.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiRequestCancelledCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_MpiRequestCancelled mpiRequestCancelledCallback );

/**
 * Type of the callback for MpiCollectiveBegin: a collective operation begins.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiCollectiveBegin )( OTF2_LocationRef location,
                                                OTF2_TimeStamp time,
                                                uint64_t eventPosition,
                                                void* userData,
                                                OTF2_AttributeList* attributeList );

/**
 * Sets the callback for MpiCollectiveBegin.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiCollectiveBeginCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_MpiCollectiveBegin mpiCollectiveBeginCallback );

/**
 * Type of the callback for MpiCollectiveEnd: a collective operation ends.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param collectiveOp The operation.
 * @param communicator The communicator.
 * @param root The rank of the root, or a value of #OTF2_CollectiveRoot_enum.
 * @param sizeSent The number of bytes sent.
 * @param sizeReceived The number of bytes received.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiCollectiveEnd )( OTF2_LocationRef location,
                                              OTF2_TimeStamp time,
                                              uint64_t eventPosition,
                                              void* userData,
                                              OTF2_AttributeList* attributeList,
                                              OTF2_CollectiveOp collectiveOp,
                                              OTF2_CommRef communicator,
                                              uint32_t root,
                                              uint64_t sizeSent,
                                              uint64_t sizeReceived );

/**
 * Sets the callback for MpiCollectiveEnd.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiCollectiveEndCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_MpiCollectiveEnd mpiCollectiveEndCallback );

/**
 * Type of the callback for OmpFork: threads are forked.
 *
 * Not written any more since 1.2: use ThreadFork.
 *
 * Also called for ThreadFork of the paradigm OpenMP, if there is no callback for that record.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param numberOfRequestedThreads The number of requested threads.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_OmpFork )( OTF2_LocationRef location,
                                     OTF2_TimeStamp time,
                                     uint64_t eventPosition,
                                     void* userData,
                                     OTF2_AttributeList* attributeList,
                                     uint32_t numberOfRequestedThreads );

/**
 * Sets the callback for OmpFork.
 *
 * @param evtReaderCallbacks The table.
 * @param ompForkCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetOmpForkCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                            OTF2_EvtReaderCallback_OmpFork ompForkCallback );

/**
 * Type of the callback for OmpJoin: threads are joined.
 *
 * Not written any more since 1.2: use ThreadJoin.
 *
 * Also called for ThreadJoin of the paradigm OpenMP, if there is no callback for that record.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_OmpJoin )( OTF2_LocationRef location,
                                     OTF2_TimeStamp time,
                                     uint64_t eventPosition,
                                     void* userData,
                                     OTF2_AttributeList* attributeList );

/**
 * Sets the callback for OmpJoin.
 *
 * @param evtReaderCallbacks The table.
 * @param ompJoinCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetOmpJoinCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                            OTF2_EvtReaderCallback_OmpJoin ompJoinCallback );

/**
 * Type of the callback for OmpAcquireLock: a lock was acquired.
 *
 * Not written any more since 1.2: use ThreadAcquireLock.
 *
 * Also called for ThreadAcquireLock of the paradigm OpenMP, if there is no callback for that
 * record.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param lockID The lock.
 * @param acquisitionOrder The number of the acquisition, which orders all acquisitions of the lock.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_OmpAcquireLock )( OTF2_LocationRef location,
                                            OTF2_TimeStamp time,
                                            uint64_t eventPosition,
                                            void* userData,
                                            OTF2_AttributeList* attributeList,
                                            uint32_t lockID,
                                            uint32_t acquisitionOrder );

/**
 * Sets the callback for OmpAcquireLock.
 *
 * @param evtReaderCallbacks The table.
 * @param ompAcquireLockCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetOmpAcquireLockCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_OmpAcquireLock ompAcquireLockCallback );

/**
 * Type of the callback for OmpReleaseLock: a lock was released.
 *
 * Not written any more since 1.2: use ThreadReleaseLock.
 *
 * Also called for ThreadReleaseLock of the paradigm OpenMP, if there is no callback for that
 * record.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param lockID The lock.
 * @param acquisitionOrder The number of the acquisition, which orders all acquisitions of the lock.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_OmpReleaseLock )( OTF2_LocationRef location,
                                            OTF2_TimeStamp time,
                                            uint64_t eventPosition,
                                            void* userData,
                                            OTF2_AttributeList* attributeList,
                                            uint32_t lockID,
                                            uint32_t acquisitionOrder );

/**
 * Sets the callback for OmpReleaseLock.
 *
 * @param evtReaderCallbacks The table.
 * @param ompReleaseLockCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetOmpReleaseLockCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_OmpReleaseLock ompReleaseLockCallback );

/**
 * Type of the callback for OmpTaskCreate: a task was created.
 *
 * Not written any more since 1.2: use ThreadTaskCreate.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param taskID The task.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_OmpTaskCreate )( OTF2_LocationRef location,
                                           OTF2_TimeStamp time,
                                           uint64_t eventPosition,
                                           void* userData,
                                           OTF2_AttributeList* attributeList,
                                           uint64_t taskID );

/**
 * Sets the callback for OmpTaskCreate.
 *
 * @param evtReaderCallbacks The table.
 * @param ompTaskCreateCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetOmpTaskCreateCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_OmpTaskCreate ompTaskCreateCallback );

/**
 * Type of the callback for OmpTaskSwitch: execution switched to a task.
 *
 * Not written any more since 1.2: use ThreadTaskSwitch.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param taskID The task.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_OmpTaskSwitch )( OTF2_LocationRef location,
                                           OTF2_TimeStamp time,
                                           uint64_t eventPosition,
                                           void* userData,
                                           OTF2_AttributeList* attributeList,
                                           uint64_t taskID );

/**
 * Sets the callback for OmpTaskSwitch.
 *
 * @param evtReaderCallbacks The table.
 * @param ompTaskSwitchCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetOmpTaskSwitchCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_OmpTaskSwitch ompTaskSwitchCallback );

/**
 * Type of the callback for OmpTaskComplete: a task is complete.
 *
 * Not written any more since 1.2: use ThreadTaskComplete.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param taskID The task.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_OmpTaskComplete )( OTF2_LocationRef location,
                                             OTF2_TimeStamp time,
                                             uint64_t eventPosition,
                                             void* userData,
                                             OTF2_AttributeList* attributeList,
                                             uint64_t taskID );

/**
 * Sets the callback for OmpTaskComplete.
 *
 * @param evtReaderCallbacks The table.
 * @param ompTaskCompleteCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetOmpTaskCompleteCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_OmpTaskComplete ompTaskCompleteCallback );

/**
 * Type of the callback for Metric: the values of all metrics of a metric class or instance.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param metric The metric class or instance.
 * @param numberOfMetrics The number of elements of `typeIDs`, `metricValues`.
 * @param typeIDs The type of each value.
 * @param metricValues One value per metric of the class.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_Metric )( OTF2_LocationRef location,
                                    OTF2_TimeStamp time,
                                    uint64_t eventPosition,
                                    void* userData,
                                    OTF2_AttributeList* attributeList,
                                    OTF2_MetricRef metric,
                                    uint8_t numberOfMetrics,
                                    const OTF2_Type* typeIDs,
                                    const OTF2_MetricValue* metricValues );

/**
 * Sets the callback for Metric.
 *
 * @param evtReaderCallbacks The table.
 * @param metricCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMetricCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                           OTF2_EvtReaderCallback_Metric metricCallback );

/**
 * Type of the callback for ParameterString: a string value of a parameter.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param parameter The parameter.
 * @param string The value.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ParameterString )( OTF2_LocationRef location,
                                             OTF2_TimeStamp time,
                                             uint64_t eventPosition,
                                             void* userData,
                                             OTF2_AttributeList* attributeList,
                                             OTF2_ParameterRef parameter,
                                             OTF2_StringRef string );

/**
 * Sets the callback for ParameterString.
 *
 * @param evtReaderCallbacks The table.
 * @param parameterStringCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetParameterStringCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ParameterString parameterStringCallback );

/**
 * Type of the callback for ParameterInt: a signed value of a parameter.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param parameter The parameter.
 * @param value The value.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ParameterInt )( OTF2_LocationRef location,
                                          OTF2_TimeStamp time,
                                          uint64_t eventPosition,
                                          void* userData,
                                          OTF2_AttributeList* attributeList,
                                          OTF2_ParameterRef parameter,
                                          int64_t value );

/**
 * Sets the callback for ParameterInt.
 *
 * @param evtReaderCallbacks The table.
 * @param parameterIntCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetParameterIntCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ParameterInt parameterIntCallback );

/**
 * Type of the callback for ParameterUnsignedInt: an unsigned value of a parameter.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param parameter The parameter.
 * @param value The value.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ParameterUnsignedInt )( OTF2_LocationRef location,
                                                  OTF2_TimeStamp time,
                                                  uint64_t eventPosition,
                                                  void* userData,
                                                  OTF2_AttributeList* attributeList,
                                                  OTF2_ParameterRef parameter,
                                                  uint64_t value );

/**
 * Sets the callback for ParameterUnsignedInt.
 *
 * @param evtReaderCallbacks The table.
 * @param parameterUnsignedIntCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ParameterUnsignedInt parameterUnsignedIntCallback );

/**
 * Type of the callback for RmaWinCreate: a window was created.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaWinCreate )( OTF2_LocationRef location,
                                          OTF2_TimeStamp time,
                                          uint64_t eventPosition,
                                          void* userData,
                                          OTF2_AttributeList* attributeList,
                                          OTF2_RmaWinRef win );

/**
 * Sets the callback for RmaWinCreate.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaWinCreateCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_RmaWinCreate rmaWinCreateCallback );

/**
 * Type of the callback for RmaWinDestroy: a window was destroyed.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaWinDestroy )( OTF2_LocationRef location,
                                           OTF2_TimeStamp time,
                                           uint64_t eventPosition,
                                           void* userData,
                                           OTF2_AttributeList* attributeList,
                                           OTF2_RmaWinRef win );

/**
 * Sets the callback for RmaWinDestroy.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaWinDestroyCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_RmaWinDestroy rmaWinDestroyCallback );

/**
 * Type of the callback for RmaCollectiveBegin: a collective one-sided operation begins.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaCollectiveBegin )( OTF2_LocationRef location,
                                                OTF2_TimeStamp time,
                                                uint64_t eventPosition,
                                                void* userData,
                                                OTF2_AttributeList* attributeList );

/**
 * Sets the callback for RmaCollectiveBegin.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaCollectiveBeginCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_RmaCollectiveBegin rmaCollectiveBeginCallback );

/**
 * Type of the callback for RmaCollectiveEnd: a collective one-sided operation ends.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param collectiveOp The operation.
 * @param syncLevel The scope of the synchronisation.
 * @param win The window.
 * @param root The rank of the root, or a value of #OTF2_CollectiveRoot_enum.
 * @param bytesSent The number of bytes sent.
 * @param bytesReceived The number of bytes received.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaCollectiveEnd )( OTF2_LocationRef location,
                                              OTF2_TimeStamp time,
                                              uint64_t eventPosition,
                                              void* userData,
                                              OTF2_AttributeList* attributeList,
                                              OTF2_CollectiveOp collectiveOp,
                                              OTF2_RmaSyncLevel syncLevel,
                                              OTF2_RmaWinRef win,
                                              uint32_t root,
                                              uint64_t bytesSent,
                                              uint64_t bytesReceived );

/**
 * Sets the callback for RmaCollectiveEnd.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaCollectiveEndCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_RmaCollectiveEnd rmaCollectiveEndCallback );

/**
 * Type of the callback for RmaGroupSync: synchronisation with a group of the window.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param syncLevel The scope of the synchronisation.
 * @param win The window.
 * @param group The group.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaGroupSync )( OTF2_LocationRef location,
                                          OTF2_TimeStamp time,
                                          uint64_t eventPosition,
                                          void* userData,
                                          OTF2_AttributeList* attributeList,
                                          OTF2_RmaSyncLevel syncLevel,
                                          OTF2_RmaWinRef win,
                                          OTF2_GroupRef group );

/**
 * Sets the callback for RmaGroupSync.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaGroupSyncCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_RmaGroupSync rmaGroupSyncCallback );

/**
 * Type of the callback for RmaRequestLock: a lock on a window was requested.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param lockId The lock.
 * @param lockType Whether the lock is exclusive or shared.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaRequestLock )( OTF2_LocationRef location,
                                            OTF2_TimeStamp time,
                                            uint64_t eventPosition,
                                            void* userData,
                                            OTF2_AttributeList* attributeList,
                                            OTF2_RmaWinRef win,
                                            uint32_t remote,
                                            uint64_t lockId,
                                            OTF2_LockType lockType );

/**
 * Sets the callback for RmaRequestLock.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaRequestLockCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_RmaRequestLock rmaRequestLockCallback );

/**
 * Type of the callback for RmaAcquireLock: a lock on a window was acquired.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param lockId The lock.
 * @param lockType Whether the lock is exclusive or shared.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaAcquireLock )( OTF2_LocationRef location,
                                            OTF2_TimeStamp time,
                                            uint64_t eventPosition,
                                            void* userData,
                                            OTF2_AttributeList* attributeList,
                                            OTF2_RmaWinRef win,
                                            uint32_t remote,
                                            uint64_t lockId,
                                            OTF2_LockType lockType );

/**
 * Sets the callback for RmaAcquireLock.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaAcquireLockCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_RmaAcquireLock rmaAcquireLockCallback );

/**
 * Type of the callback for RmaTryLock: an attempt to lock a window failed.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param lockId The lock.
 * @param lockType Whether the lock is exclusive or shared.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaTryLock )( OTF2_LocationRef location,
                                        OTF2_TimeStamp time,
                                        uint64_t eventPosition,
                                        void* userData,
                                        OTF2_AttributeList* attributeList,
                                        OTF2_RmaWinRef win,
                                        uint32_t remote,
                                        uint64_t lockId,
                                        OTF2_LockType lockType );

/**
 * Sets the callback for RmaTryLock.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaTryLockCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaTryLockCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_RmaTryLock rmaTryLockCallback );

/**
 * Type of the callback for RmaReleaseLock: a lock on a window was released.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param lockId The lock.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaReleaseLock )( OTF2_LocationRef location,
                                            OTF2_TimeStamp time,
                                            uint64_t eventPosition,
                                            void* userData,
                                            OTF2_AttributeList* attributeList,
                                            OTF2_RmaWinRef win,
                                            uint32_t remote,
                                            uint64_t lockId );

/**
 * Sets the callback for RmaReleaseLock.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaReleaseLockCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_RmaReleaseLock rmaReleaseLockCallback );

/**
 * Type of the callback for RmaSync: synchronisation with one remote rank.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param syncType The kind of synchronisation.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaSync )( OTF2_LocationRef location,
                                     OTF2_TimeStamp time,
                                     uint64_t eventPosition,
                                     void* userData,
                                     OTF2_AttributeList* attributeList,
                                     OTF2_RmaWinRef win,
                                     uint32_t remote,
                                     OTF2_RmaSyncType syncType );

/**
 * Sets the callback for RmaSync.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaSyncCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaSyncCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                            OTF2_EvtReaderCallback_RmaSync rmaSyncCallback );

/**
 * Type of the callback for RmaWaitChange: the location waits for other ranks to change its memory.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaWaitChange )( OTF2_LocationRef location,
                                           OTF2_TimeStamp time,
                                           uint64_t eventPosition,
                                           void* userData,
                                           OTF2_AttributeList* attributeList,
                                           OTF2_RmaWinRef win );

/**
 * Sets the callback for RmaWaitChange.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaWaitChangeCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_RmaWaitChange rmaWaitChangeCallback );

/**
 * Type of the callback for RmaPut: data is put into remote memory.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param bytes The number of bytes transferred.
 * @param matchingId The id that pairs the operation with its completion.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaPut )( OTF2_LocationRef location,
                                    OTF2_TimeStamp time,
                                    uint64_t eventPosition,
                                    void* userData,
                                    OTF2_AttributeList* attributeList,
                                    OTF2_RmaWinRef win,
                                    uint32_t remote,
                                    uint64_t bytes,
                                    uint64_t matchingId );

/**
 * Sets the callback for RmaPut.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaPutCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaPutCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                           OTF2_EvtReaderCallback_RmaPut rmaPutCallback );

/**
 * Type of the callback for RmaGet: data is read from remote memory.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param bytes The number of bytes transferred.
 * @param matchingId The id that pairs the operation with its completion.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaGet )( OTF2_LocationRef location,
                                    OTF2_TimeStamp time,
                                    uint64_t eventPosition,
                                    void* userData,
                                    OTF2_AttributeList* attributeList,
                                    OTF2_RmaWinRef win,
                                    uint32_t remote,
                                    uint64_t bytes,
                                    uint64_t matchingId );

/**
 * Sets the callback for RmaGet.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaGetCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaGetCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                           OTF2_EvtReaderCallback_RmaGet rmaGetCallback );

/**
 * Type of the callback for RmaAtomic: an atomic operation on remote memory.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @param remote The rank of the remote side in the window's communicator.
 * @param type The atomic operation.
 * @param bytesSent The number of bytes sent.
 * @param bytesReceived The number of bytes received.
 * @param matchingId The id that pairs the operation with its completion.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaAtomic )( OTF2_LocationRef location,
                                       OTF2_TimeStamp time,
                                       uint64_t eventPosition,
                                       void* userData,
                                       OTF2_AttributeList* attributeList,
                                       OTF2_RmaWinRef win,
                                       uint32_t remote,
                                       OTF2_RmaAtomicType type,
                                       uint64_t bytesSent,
                                       uint64_t bytesReceived,
                                       uint64_t matchingId );

/**
 * Sets the callback for RmaAtomic.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaAtomicCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaAtomicCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                              OTF2_EvtReaderCallback_RmaAtomic rmaAtomicCallback );

/**
 * Type of the callback for RmaOpCompleteBlocking: an operation is complete when the call returns.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @param matchingId The id that pairs the operation with its completion.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaOpCompleteBlocking )( OTF2_LocationRef location,
                                                   OTF2_TimeStamp time,
                                                   uint64_t eventPosition,
                                                   void* userData,
                                                   OTF2_AttributeList* attributeList,
                                                   OTF2_RmaWinRef win,
                                                   uint64_t matchingId );

/**
 * Sets the callback for RmaOpCompleteBlocking.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaOpCompleteBlockingCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_RmaOpCompleteBlocking rmaOpCompleteBlockingCallback );

/**
 * Type of the callback for RmaOpCompleteNonBlocking: an operation is complete locally.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @param matchingId The id that pairs the operation with its completion.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaOpCompleteNonBlocking )( OTF2_LocationRef location,
                                                      OTF2_TimeStamp time,
                                                      uint64_t eventPosition,
                                                      void* userData,
                                                      OTF2_AttributeList* attributeList,
                                                      OTF2_RmaWinRef win,
                                                      uint64_t matchingId );

/**
 * Sets the callback for RmaOpCompleteNonBlocking.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaOpCompleteNonBlockingCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_RmaOpCompleteNonBlocking rmaOpCompleteNonBlockingCallback );

/**
 * Type of the callback for RmaOpTest: an operation was tested and was not complete.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @param matchingId The id that pairs the operation with its completion.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaOpTest )( OTF2_LocationRef location,
                                       OTF2_TimeStamp time,
                                       uint64_t eventPosition,
                                       void* userData,
                                       OTF2_AttributeList* attributeList,
                                       OTF2_RmaWinRef win,
                                       uint64_t matchingId );

/**
 * Sets the callback for RmaOpTest.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaOpTestCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaOpTestCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                              OTF2_EvtReaderCallback_RmaOpTest rmaOpTestCallback );

/**
 * Type of the callback for RmaOpCompleteRemote: an operation is complete at the target.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param win The window.
 * @param matchingId The id that pairs the operation with its completion.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_RmaOpCompleteRemote )( OTF2_LocationRef location,
                                                 OTF2_TimeStamp time,
                                                 uint64_t eventPosition,
                                                 void* userData,
                                                 OTF2_AttributeList* attributeList,
                                                 OTF2_RmaWinRef win,
                                                 uint64_t matchingId );

/**
 * Sets the callback for RmaOpCompleteRemote.
 *
 * @param evtReaderCallbacks The table.
 * @param rmaOpCompleteRemoteCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_RmaOpCompleteRemote rmaOpCompleteRemoteCallback );

/**
 * Type of the callback for ThreadFork: threads are forked.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param model The threading paradigm.
 * @param numberOfRequestedThreads The number of requested threads.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ThreadFork )( OTF2_LocationRef location,
                                        OTF2_TimeStamp time,
                                        uint64_t eventPosition,
                                        void* userData,
                                        OTF2_AttributeList* attributeList,
                                        OTF2_Paradigm model,
                                        uint32_t numberOfRequestedThreads );

/**
 * Sets the callback for ThreadFork.
 *
 * @param evtReaderCallbacks The table.
 * @param threadForkCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetThreadForkCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ThreadFork threadForkCallback );

/**
 * Type of the callback for ThreadJoin: threads are joined.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param model The threading paradigm.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ThreadJoin )( OTF2_LocationRef location,
                                        OTF2_TimeStamp time,
                                        uint64_t eventPosition,
                                        void* userData,
                                        OTF2_AttributeList* attributeList,
                                        OTF2_Paradigm model );

/**
 * Sets the callback for ThreadJoin.
 *
 * @param evtReaderCallbacks The table.
 * @param threadJoinCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetThreadJoinCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ThreadJoin threadJoinCallback );

/**
 * Type of the callback for ThreadTeamBegin: the location joins a thread team.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param threadTeam The team.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ThreadTeamBegin )( OTF2_LocationRef location,
                                             OTF2_TimeStamp time,
                                             uint64_t eventPosition,
                                             void* userData,
                                             OTF2_AttributeList* attributeList,
                                             OTF2_CommRef threadTeam );

/**
 * Sets the callback for ThreadTeamBegin.
 *
 * @param evtReaderCallbacks The table.
 * @param threadTeamBeginCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ThreadTeamBegin threadTeamBeginCallback );

/**
 * Type of the callback for ThreadTeamEnd: the location leaves a thread team.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param threadTeam The team.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ThreadTeamEnd )( OTF2_LocationRef location,
                                           OTF2_TimeStamp time,
                                           uint64_t eventPosition,
                                           void* userData,
                                           OTF2_AttributeList* attributeList,
                                           OTF2_CommRef threadTeam );

/**
 * Sets the callback for ThreadTeamEnd.
 *
 * @param evtReaderCallbacks The table.
 * @param threadTeamEndCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ThreadTeamEnd threadTeamEndCallback );

/**
 * Type of the callback for ThreadAcquireLock: a lock was acquired.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param model The threading paradigm.
 * @param lockID The lock.
 * @param acquisitionOrder The number of the acquisition, which orders all acquisitions of the lock.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ThreadAcquireLock )( OTF2_LocationRef location,
                                               OTF2_TimeStamp time,
                                               uint64_t eventPosition,
                                               void* userData,
                                               OTF2_AttributeList* attributeList,
                                               OTF2_Paradigm model,
                                               uint32_t lockID,
                                               uint32_t acquisitionOrder );

/**
 * Sets the callback for ThreadAcquireLock.
 *
 * @param evtReaderCallbacks The table.
 * @param threadAcquireLockCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ThreadAcquireLock threadAcquireLockCallback );

/**
 * Type of the callback for ThreadReleaseLock: a lock was released.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param model The threading paradigm.
 * @param lockID The lock.
 * @param acquisitionOrder The number of the acquisition, which orders all acquisitions of the lock.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ThreadReleaseLock )( OTF2_LocationRef location,
                                               OTF2_TimeStamp time,
                                               uint64_t eventPosition,
                                               void* userData,
                                               OTF2_AttributeList* attributeList,
                                               OTF2_Paradigm model,
                                               uint32_t lockID,
                                               uint32_t acquisitionOrder );

/**
 * Sets the callback for ThreadReleaseLock.
 *
 * @param evtReaderCallbacks The table.
 * @param threadReleaseLockCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ThreadReleaseLock threadReleaseLockCallback );

/**
 * Type of the callback for ThreadTaskCreate: a task was created.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param threadTeam The team.
 * @param creatingThread The thread of the team that created the task.
 * @param generationNumber The number of the task on its creating thread.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ThreadTaskCreate )( OTF2_LocationRef location,
                                              OTF2_TimeStamp time,
                                              uint64_t eventPosition,
                                              void* userData,
                                              OTF2_AttributeList* attributeList,
                                              OTF2_CommRef threadTeam,
                                              uint32_t creatingThread,
                                              uint32_t generationNumber );

/**
 * Sets the callback for ThreadTaskCreate.
 *
 * @param evtReaderCallbacks The table.
 * @param threadTaskCreateCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ThreadTaskCreate threadTaskCreateCallback );

/**
 * Type of the callback for ThreadTaskSwitch: execution switched to a task.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param threadTeam The team.
 * @param creatingThread The thread of the team that created the task.
 * @param generationNumber The number of the task on its creating thread.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ThreadTaskSwitch )( OTF2_LocationRef location,
                                              OTF2_TimeStamp time,
                                              uint64_t eventPosition,
                                              void* userData,
                                              OTF2_AttributeList* attributeList,
                                              OTF2_CommRef threadTeam,
                                              uint32_t creatingThread,
                                              uint32_t generationNumber );

/**
 * Sets the callback for ThreadTaskSwitch.
 *
 * @param evtReaderCallbacks The table.
 * @param threadTaskSwitchCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ThreadTaskSwitch threadTaskSwitchCallback );

/**
 * Type of the callback for ThreadTaskComplete: a task is complete.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param threadTeam The team.
 * @param creatingThread The thread of the team that created the task.
 * @param generationNumber The number of the task on its creating thread.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ThreadTaskComplete )( OTF2_LocationRef location,
                                                OTF2_TimeStamp time,
                                                uint64_t eventPosition,
                                                void* userData,
                                                OTF2_AttributeList* attributeList,
                                                OTF2_CommRef threadTeam,
                                                uint32_t creatingThread,
                                                uint32_t generationNumber );

/**
 * Sets the callback for ThreadTaskComplete.
 *
 * @param evtReaderCallbacks The table.
 * @param threadTaskCompleteCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ThreadTaskComplete threadTaskCompleteCallback );

/**
 * Type of the callback for ThreadCreate: a thread was created.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param threadContingent The contingent of threads.
 * @param sequenceCount The number of the thread in the contingent.
 * @since 1.3
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ThreadCreate )( OTF2_LocationRef location,
                                          OTF2_TimeStamp time,
                                          uint64_t eventPosition,
                                          void* userData,
                                          OTF2_AttributeList* attributeList,
                                          OTF2_CommRef threadContingent,
                                          uint64_t sequenceCount );

/**
 * Sets the callback for ThreadCreate.
 *
 * @param evtReaderCallbacks The table.
 * @param threadCreateCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetThreadCreateCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ThreadCreate threadCreateCallback );

/**
 * Type of the callback for ThreadBegin: a created thread begins.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param threadContingent The contingent of threads.
 * @param sequenceCount The number of the thread in the contingent.
 * @since 1.3
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ThreadBegin )( OTF2_LocationRef location,
                                         OTF2_TimeStamp time,
                                         uint64_t eventPosition,
                                         void* userData,
                                         OTF2_AttributeList* attributeList,
                                         OTF2_CommRef threadContingent,
                                         uint64_t sequenceCount );

/**
 * Sets the callback for ThreadBegin.
 *
 * @param evtReaderCallbacks The table.
 * @param threadBeginCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetThreadBeginCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ThreadBegin threadBeginCallback );

/**
 * Type of the callback for ThreadWait: the location waited for a thread.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param threadContingent The contingent of threads.
 * @param sequenceCount The number of the thread in the contingent.
 * @since 1.3
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ThreadWait )( OTF2_LocationRef location,
                                        OTF2_TimeStamp time,
                                        uint64_t eventPosition,
                                        void* userData,
                                        OTF2_AttributeList* attributeList,
                                        OTF2_CommRef threadContingent,
                                        uint64_t sequenceCount );

/**
 * Sets the callback for ThreadWait.
 *
 * @param evtReaderCallbacks The table.
 * @param threadWaitCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetThreadWaitCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ThreadWait threadWaitCallback );

/**
 * Type of the callback for ThreadEnd: a created thread ends.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param threadContingent The contingent of threads.
 * @param sequenceCount The number of the thread in the contingent.
 * @since 1.3
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ThreadEnd )( OTF2_LocationRef location,
                                       OTF2_TimeStamp time,
                                       uint64_t eventPosition,
                                       void* userData,
                                       OTF2_AttributeList* attributeList,
                                       OTF2_CommRef threadContingent,
                                       uint64_t sequenceCount );

/**
 * Sets the callback for ThreadEnd.
 *
 * @param evtReaderCallbacks The table.
 * @param threadEndCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetThreadEndCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                              OTF2_EvtReaderCallback_ThreadEnd threadEndCallback );

/**
 * Type of the callback for CallingContextEnter: a calling context was entered.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param callingContext The calling context.
 * @param unwindDistance The number of contexts entered since the last event, counted from the
 *     innermost; all ones if undefined.
 * @since 2.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_CallingContextEnter )( OTF2_LocationRef location,
                                                 OTF2_TimeStamp time,
                                                 uint64_t eventPosition,
                                                 void* userData,
                                                 OTF2_AttributeList* attributeList,
                                                 OTF2_CallingContextRef callingContext,
                                                 uint32_t unwindDistance );

/**
 * Sets the callback for CallingContextEnter.
 *
 * @param evtReaderCallbacks The table.
 * @param callingContextEnterCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_CallingContextEnter callingContextEnterCallback );

/**
 * Type of the callback for CallingContextLeave: a calling context was left.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param callingContext The calling context.
 * @since 2.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_CallingContextLeave )( OTF2_LocationRef location,
                                                 OTF2_TimeStamp time,
                                                 uint64_t eventPosition,
                                                 void* userData,
                                                 OTF2_AttributeList* attributeList,
                                                 OTF2_CallingContextRef callingContext );

/**
 * Sets the callback for CallingContextLeave.
 *
 * @param evtReaderCallbacks The table.
 * @param callingContextLeaveCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_CallingContextLeave callingContextLeaveCallback );

/**
 * Type of the callback for CallingContextSample: a sample of the calling context.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param callingContext The calling context.
 * @param unwindDistance The number of contexts entered since the last event, counted from the
 *     innermost; all ones if undefined.
 * @param interruptGenerator The source of the interrupt.
 * @since 1.5
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_CallingContextSample )( OTF2_LocationRef location,
                                                  OTF2_TimeStamp time,
                                                  uint64_t eventPosition,
                                                  void* userData,
                                                  OTF2_AttributeList* attributeList,
                                                  OTF2_CallingContextRef callingContext,
                                                  uint32_t unwindDistance,
                                                  OTF2_InterruptGeneratorRef interruptGenerator );

/**
 * Sets the callback for CallingContextSample.
 *
 * @param evtReaderCallbacks The table.
 * @param callingContextSampleCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_CallingContextSample callingContextSampleCallback );

/**
 * Type of the callback for IoCreateHandle: a handle was created.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param handle The handle.
 * @param mode The access mode.
 * @param creationFlags The creation flags.
 * @param statusFlags The status flags.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoCreateHandle )( OTF2_LocationRef location,
                                            OTF2_TimeStamp time,
                                            uint64_t eventPosition,
                                            void* userData,
                                            OTF2_AttributeList* attributeList,
                                            OTF2_IoHandleRef handle,
                                            OTF2_IoAccessMode mode,
                                            OTF2_IoCreationFlag creationFlags,
                                            OTF2_IoStatusFlag statusFlags );

/**
 * Sets the callback for IoCreateHandle.
 *
 * @param evtReaderCallbacks The table.
 * @param ioCreateHandleCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_IoCreateHandle ioCreateHandleCallback );

/**
 * Type of the callback for IoDestroyHandle: a handle was closed.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param handle The handle.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoDestroyHandle )( OTF2_LocationRef location,
                                             OTF2_TimeStamp time,
                                             uint64_t eventPosition,
                                             void* userData,
                                             OTF2_AttributeList* attributeList,
                                             OTF2_IoHandleRef handle );

/**
 * Sets the callback for IoDestroyHandle.
 *
 * @param evtReaderCallbacks The table.
 * @param ioDestroyHandleCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_IoDestroyHandle ioDestroyHandleCallback );

/**
 * Type of the callback for IoDuplicateHandle: a handle was duplicated.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param oldHandle The handle that was duplicated.
 * @param newHandle The new handle.
 * @param statusFlags The status flags.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoDuplicateHandle )( OTF2_LocationRef location,
                                               OTF2_TimeStamp time,
                                               uint64_t eventPosition,
                                               void* userData,
                                               OTF2_AttributeList* attributeList,
                                               OTF2_IoHandleRef oldHandle,
                                               OTF2_IoHandleRef newHandle,
                                               OTF2_IoStatusFlag statusFlags );

/**
 * Sets the callback for IoDuplicateHandle.
 *
 * @param evtReaderCallbacks The table.
 * @param ioDuplicateHandleCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoDuplicateHandleCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_IoDuplicateHandle ioDuplicateHandleCallback );

/**
 * Type of the callback for IoSeek: the file position was changed.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param handle The handle.
 * @param offsetRequest The requested offset in bytes.
 * @param whence The position to which the offset is relative.
 * @param offsetResult The position after the seek, in bytes.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoSeek )( OTF2_LocationRef location,
                                    OTF2_TimeStamp time,
                                    uint64_t eventPosition,
                                    void* userData,
                                    OTF2_AttributeList* attributeList,
                                    OTF2_IoHandleRef handle,
                                    int64_t offsetRequest,
                                    OTF2_IoSeekOption whence,
                                    uint64_t offsetResult );

/**
 * Sets the callback for IoSeek.
 *
 * @param evtReaderCallbacks The table.
 * @param ioSeekCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoSeekCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                           OTF2_EvtReaderCallback_IoSeek ioSeekCallback );

/**
 * Type of the callback for IoChangeStatusFlags: the status flags of a handle changed.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param handle The handle.
 * @param statusFlags The status flags.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoChangeStatusFlags )( OTF2_LocationRef location,
                                                 OTF2_TimeStamp time,
                                                 uint64_t eventPosition,
                                                 void* userData,
                                                 OTF2_AttributeList* attributeList,
                                                 OTF2_IoHandleRef handle,
                                                 OTF2_IoStatusFlag statusFlags );

/**
 * Sets the callback for IoChangeStatusFlags.
 *
 * @param evtReaderCallbacks The table.
 * @param ioChangeStatusFlagsCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoChangeStatusFlagsCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_IoChangeStatusFlags ioChangeStatusFlagsCallback );

/**
 * Type of the callback for IoDeleteFile: a file was deleted.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param ioParadigm The I/O paradigm.
 * @param file The file.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoDeleteFile )( OTF2_LocationRef location,
                                          OTF2_TimeStamp time,
                                          uint64_t eventPosition,
                                          void* userData,
                                          OTF2_AttributeList* attributeList,
                                          OTF2_IoParadigmRef ioParadigm,
                                          OTF2_IoFileRef file );

/**
 * Sets the callback for IoDeleteFile.
 *
 * @param evtReaderCallbacks The table.
 * @param ioDeleteFileCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoDeleteFileCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_IoDeleteFile ioDeleteFileCallback );

/**
 * Type of the callback for IoOperationBegin: an I/O operation begins.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param handle The handle.
 * @param mode The kind of operation.
 * @param operationFlags The flags of the operation.
 * @param bytesRequest The number of bytes requested.
 * @param matchingId The id that pairs the operation with its completion.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoOperationBegin )( OTF2_LocationRef location,
                                              OTF2_TimeStamp time,
                                              uint64_t eventPosition,
                                              void* userData,
                                              OTF2_AttributeList* attributeList,
                                              OTF2_IoHandleRef handle,
                                              OTF2_IoOperationMode mode,
                                              OTF2_IoOperationFlag operationFlags,
                                              uint64_t bytesRequest,
                                              uint64_t matchingId );

/**
 * Sets the callback for IoOperationBegin.
 *
 * @param evtReaderCallbacks The table.
 * @param ioOperationBeginCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_IoOperationBegin ioOperationBeginCallback );

/**
 * Type of the callback for IoOperationTest: a non-blocking I/O operation was tested and was not
 * complete.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param handle The handle.
 * @param matchingId The id that pairs the operation with its completion.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoOperationTest )( OTF2_LocationRef location,
                                             OTF2_TimeStamp time,
                                             uint64_t eventPosition,
                                             void* userData,
                                             OTF2_AttributeList* attributeList,
                                             OTF2_IoHandleRef handle,
                                             uint64_t matchingId );

/**
 * Sets the callback for IoOperationTest.
 *
 * @param evtReaderCallbacks The table.
 * @param ioOperationTestCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoOperationTestCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_IoOperationTest ioOperationTestCallback );

/**
 * Type of the callback for IoOperationIssued: a non-blocking I/O operation was issued.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param handle The handle.
 * @param matchingId The id that pairs the operation with its completion.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoOperationIssued )( OTF2_LocationRef location,
                                               OTF2_TimeStamp time,
                                               uint64_t eventPosition,
                                               void* userData,
                                               OTF2_AttributeList* attributeList,
                                               OTF2_IoHandleRef handle,
                                               uint64_t matchingId );

/**
 * Sets the callback for IoOperationIssued.
 *
 * @param evtReaderCallbacks The table.
 * @param ioOperationIssuedCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoOperationIssuedCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_IoOperationIssued ioOperationIssuedCallback );

/**
 * Type of the callback for IoOperationComplete: an I/O operation is complete.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param handle The handle.
 * @param bytesResult The number of bytes transferred.
 * @param matchingId The id that pairs the operation with its completion.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoOperationComplete )( OTF2_LocationRef location,
                                                 OTF2_TimeStamp time,
                                                 uint64_t eventPosition,
                                                 void* userData,
                                                 OTF2_AttributeList* attributeList,
                                                 OTF2_IoHandleRef handle,
                                                 uint64_t bytesResult,
                                                 uint64_t matchingId );

/**
 * Sets the callback for IoOperationComplete.
 *
 * @param evtReaderCallbacks The table.
 * @param ioOperationCompleteCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_IoOperationComplete ioOperationCompleteCallback );

/**
 * Type of the callback for IoOperationCancelled: a non-blocking I/O operation was cancelled.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param handle The handle.
 * @param matchingId The id that pairs the operation with its completion.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoOperationCancelled )( OTF2_LocationRef location,
                                                  OTF2_TimeStamp time,
                                                  uint64_t eventPosition,
                                                  void* userData,
                                                  OTF2_AttributeList* attributeList,
                                                  OTF2_IoHandleRef handle,
                                                  uint64_t matchingId );

/**
 * Sets the callback for IoOperationCancelled.
 *
 * @param evtReaderCallbacks The table.
 * @param ioOperationCancelledCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_IoOperationCancelled ioOperationCancelledCallback );

/**
 * Type of the callback for IoAcquireLock: a lock on a handle was acquired.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param handle The handle.
 * @param lockType Whether the lock is exclusive or shared.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoAcquireLock )( OTF2_LocationRef location,
                                           OTF2_TimeStamp time,
                                           uint64_t eventPosition,
                                           void* userData,
                                           OTF2_AttributeList* attributeList,
                                           OTF2_IoHandleRef handle,
                                           OTF2_LockType lockType );

/**
 * Sets the callback for IoAcquireLock.
 *
 * @param evtReaderCallbacks The table.
 * @param ioAcquireLockCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoAcquireLockCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_IoAcquireLock ioAcquireLockCallback );

/**
 * Type of the callback for IoReleaseLock: a lock on a handle was released.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param handle The handle.
 * @param lockType Whether the lock is exclusive or shared.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoReleaseLock )( OTF2_LocationRef location,
                                           OTF2_TimeStamp time,
                                           uint64_t eventPosition,
                                           void* userData,
                                           OTF2_AttributeList* attributeList,
                                           OTF2_IoHandleRef handle,
                                           OTF2_LockType lockType );

/**
 * Sets the callback for IoReleaseLock.
 *
 * @param evtReaderCallbacks The table.
 * @param ioReleaseLockCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoReleaseLockCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_IoReleaseLock ioReleaseLockCallback );

/**
 * Type of the callback for IoTryLock: an attempt to lock a handle failed.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param handle The handle.
 * @param lockType Whether the lock is exclusive or shared.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_IoTryLock )( OTF2_LocationRef location,
                                       OTF2_TimeStamp time,
                                       uint64_t eventPosition,
                                       void* userData,
                                       OTF2_AttributeList* attributeList,
                                       OTF2_IoHandleRef handle,
                                       OTF2_LockType lockType );

/**
 * Sets the callback for IoTryLock.
 *
 * @param evtReaderCallbacks The table.
 * @param ioTryLockCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetIoTryLockCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                              OTF2_EvtReaderCallback_IoTryLock ioTryLockCallback );

/**
 * Type of the callback for ProgramBegin: the program begins.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param programName The name of the program.
 * @param numberOfArguments The number of elements of `programArguments`.
 * @param programArguments The arguments of the program.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ProgramBegin )( OTF2_LocationRef location,
                                          OTF2_TimeStamp time,
                                          uint64_t eventPosition,
                                          void* userData,
                                          OTF2_AttributeList* attributeList,
                                          OTF2_StringRef programName,
                                          uint32_t numberOfArguments,
                                          const OTF2_StringRef* programArguments );

/**
 * Sets the callback for ProgramBegin.
 *
 * @param evtReaderCallbacks The table.
 * @param programBeginCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetProgramBeginCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ProgramBegin programBeginCallback );

/**
 * Type of the callback for ProgramEnd: the program ends.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param exitStatus The exit status.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_ProgramEnd )( OTF2_LocationRef location,
                                        OTF2_TimeStamp time,
                                        uint64_t eventPosition,
                                        void* userData,
                                        OTF2_AttributeList* attributeList,
                                        int64_t exitStatus );

/**
 * Sets the callback for ProgramEnd.
 *
 * @param evtReaderCallbacks The table.
 * @param programEndCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetProgramEndCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_ProgramEnd programEndCallback );

/**
 * Type of the callback for NonBlockingCollectiveRequest: a non-blocking collective operation was
 * posted.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param requestID The request, unique on the location while it is active.
 * @since 3.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_NonBlockingCollectiveRequest )( OTF2_LocationRef location,
                                                          OTF2_TimeStamp time,
                                                          uint64_t eventPosition,
                                                          void* userData,
                                                          OTF2_AttributeList* attributeList,
                                                          uint64_t requestID );

/**
 * Sets the callback for NonBlockingCollectiveRequest.
 *
 * @param evtReaderCallbacks The table.
 * @param nonBlockingCollectiveRequestCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_NonBlockingCollectiveRequest nonBlockingCollectiveRequestCallback );

/**
 * Type of the callback for NonBlockingCollectiveComplete: a non-blocking collective operation is
 * complete.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param collectiveOp The operation.
 * @param communicator The communicator.
 * @param root The rank of the root, or a value of #OTF2_CollectiveRoot_enum.
 * @param sizeSent The number of bytes sent.
 * @param sizeReceived The number of bytes received.
 * @param requestID The request, unique on the location while it is active.
 * @since 3.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_NonBlockingCollectiveComplete )( OTF2_LocationRef location,
                                                           OTF2_TimeStamp time,
                                                           uint64_t eventPosition,
                                                           void* userData,
                                                           OTF2_AttributeList* attributeList,
                                                           OTF2_CollectiveOp collectiveOp,
                                                           OTF2_CommRef communicator,
                                                           uint32_t root,
                                                           uint64_t sizeSent,
                                                           uint64_t sizeReceived,
                                                           uint64_t requestID );

/**
 * Sets the callback for NonBlockingCollectiveComplete.
 *
 * @param evtReaderCallbacks The table.
 * @param nonBlockingCollectiveCompleteCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_NonBlockingCollectiveComplete nonBlockingCollectiveCompleteCallback );

/**
 * Type of the callback for CommCreate: a communicator was created.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param communicator The communicator.
 * @since 3.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_CommCreate )( OTF2_LocationRef location,
                                        OTF2_TimeStamp time,
                                        uint64_t eventPosition,
                                        void* userData,
                                        OTF2_AttributeList* attributeList,
                                        OTF2_CommRef communicator );

/**
 * Sets the callback for CommCreate.
 *
 * @param evtReaderCallbacks The table.
 * @param commCreateCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetCommCreateCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_CommCreate commCreateCallback );

/**
 * Type of the callback for CommDestroy: a communicator was destroyed.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param communicator The communicator.
 * @since 3.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_CommDestroy )( OTF2_LocationRef location,
                                         OTF2_TimeStamp time,
                                         uint64_t eventPosition,
                                         void* userData,
                                         OTF2_AttributeList* attributeList,
                                         OTF2_CommRef communicator );

/**
 * Sets the callback for CommDestroy.
 *
 * @param evtReaderCallbacks The table.
 * @param commDestroyCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetCommDestroyCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_CommDestroy commDestroyCallback );

/**
 * Type of the callback for MpiProbe: a message was found by a probe. A matched receive takes its
 * sender, communicator and tag from here.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param sender The rank of the sender in the communicator.
 * @param communicator The communicator.
 * @param tag The message tag.
 * @param messageId The message, unique in the process; all ones if the probe reserved none.
 * @since 3.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiProbe )( OTF2_LocationRef location,
                                      OTF2_TimeStamp time,
                                      uint64_t eventPosition,
                                      void* userData,
                                      OTF2_AttributeList* attributeList,
                                      uint32_t sender,
                                      OTF2_CommRef communicator,
                                      uint32_t tag,
                                      uint64_t messageId );

/**
 * Sets the callback for MpiProbe.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiProbeCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiProbeCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                             OTF2_EvtReaderCallback_MpiProbe mpiProbeCallback );

/**
 * Type of the callback for MpiMrecv: the message of a probe was received.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param messageId The message, unique in the process.
 * @param msgLength The message length in bytes.
 * @since 3.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiMrecv )( OTF2_LocationRef location,
                                      OTF2_TimeStamp time,
                                      uint64_t eventPosition,
                                      void* userData,
                                      OTF2_AttributeList* attributeList,
                                      uint64_t messageId,
                                      uint64_t msgLength );

/**
 * Sets the callback for MpiMrecv.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiMrecvCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiMrecvCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                             OTF2_EvtReaderCallback_MpiMrecv mpiMrecvCallback );

/**
 * Type of the callback for MpiImrecvRequest: a non-blocking receive of the message of a probe was
 * posted.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param messageId The message, unique in the process.
 * @param requestId The request, unique on the location while it is active.
 * @since 3.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiImrecvRequest )( OTF2_LocationRef location,
                                              OTF2_TimeStamp time,
                                              uint64_t eventPosition,
                                              void* userData,
                                              OTF2_AttributeList* attributeList,
                                              uint64_t messageId,
                                              uint64_t requestId );

/**
 * Sets the callback for MpiImrecvRequest.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiImrecvRequestCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiImrecvRequestCallback(
    OTF2_EvtReaderCallbacks* evtReaderCallbacks,
    OTF2_EvtReaderCallback_MpiImrecvRequest mpiImrecvRequestCallback );

/**
 * Type of the callback for MpiImrecv: a non-blocking receive of the message of a probe is complete.
 *
 * @param location The location.
 * @param time The time of the event, in ticks.
 * @param eventPosition The number of the event on its location, counted from 1.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param requestId The request, unique on the location while it is active.
 * @param msgLength The message length in bytes.
 * @since 3.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_EvtReaderCallback_MpiImrecv )( OTF2_LocationRef location,
                                       OTF2_TimeStamp time,
                                       uint64_t eventPosition,
                                       void* userData,
                                       OTF2_AttributeList* attributeList,
                                       uint64_t requestId,
                                       uint64_t msgLength );

/**
 * Sets the callback for MpiImrecv.
 *
 * @param evtReaderCallbacks The table.
 * @param mpiImrecvCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReaderCallbacks_SetMpiImrecvCallback( OTF2_EvtReaderCallbacks* evtReaderCallbacks,
                                              OTF2_EvtReaderCallback_MpiImrecv mpiImrecvCallback );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_EVT_READER_CALLBACKS_H */
