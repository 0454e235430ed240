/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_SnapReaderCallbacks.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_SNAP_READER_CALLBACKS_H
#define OTF2_SNAP_READER_CALLBACKS_H

/**
 * @file
 * Callbacks for the snapshots of a location, in the order of the file.
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
typedef struct OTF2_SnapReaderCallbacks_struct OTF2_SnapReaderCallbacks;

/**
 * Makes a table without callbacks.
 *
 * @return The table, to be deleted by the caller, or NULL if there is no memory.
 */
OTF2_SnapReaderCallbacks*
OTF2_SnapReaderCallbacks_New( void );

/**
 * Deletes a table. Readers to which it was passed keep their copy.
 *
 * @param snapReaderCallbacks The table, or NULL.
 */
void
OTF2_SnapReaderCallbacks_Delete( OTF2_SnapReaderCallbacks* snapReaderCallbacks );

/**
 * Removes all callbacks from a table.
 *
 * @param snapReaderCallbacks The table, or NULL.
 */
void
OTF2_SnapReaderCallbacks_Clear( OTF2_SnapReaderCallbacks* snapReaderCallbacks );

/**
 * Type of the callback for records of a kind that this library does not know, from newer archives.
 *
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_Unknown )( OTF2_LocationRef location,
                                      OTF2_TimeStamp snapTime,
                                      void* userData,
                                      OTF2_AttributeList* attributeList );

/**
 * Sets the callback for unknown records.
 *
 * @param snapReaderCallbacks The table.
 * @param unknownCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetUnknownCallback( OTF2_SnapReaderCallbacks* snapReaderCallbacks,
                                             OTF2_SnapReaderCallback_Unknown unknownCallback );

/**
 * Type of the callback for SnapshotStart: a snapshot begins.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param numberOfRecords The number of records in the snapshot, excluding its end.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_SnapshotStart )( OTF2_LocationRef location,
                                            OTF2_TimeStamp snapTime,
                                            void* userData,
                                            OTF2_AttributeList* attributeList,
                                            uint64_t numberOfRecords );

/**
 * Sets the callback for SnapshotStart.
 *
 * @param snapReaderCallbacks The table.
 * @param snapshotStartCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetSnapshotStartCallback(
    OTF2_SnapReaderCallbacks* snapReaderCallbacks,
    OTF2_SnapReaderCallback_SnapshotStart snapshotStartCallback );

/**
 * Type of the callback for SnapshotEnd: a snapshot ends.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param contReadPos The number of the event, from 1, with which reading continues.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_SnapshotEnd )( OTF2_LocationRef location,
                                          OTF2_TimeStamp snapTime,
                                          void* userData,
                                          OTF2_AttributeList* attributeList,
                                          uint64_t contReadPos );

/**
 * Sets the callback for SnapshotEnd.
 *
 * @param snapReaderCallbacks The table.
 * @param snapshotEndCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetSnapshotEndCallback(
    OTF2_SnapReaderCallbacks* snapReaderCallbacks,
    OTF2_SnapReaderCallback_SnapshotEnd snapshotEndCallback );

/**
 * Type of the callback for MeasurementOnOff: the last time the measurement was switched on or off.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param measurementMode Whether the measurement is on or off.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_MeasurementOnOff )( OTF2_LocationRef location,
                                               OTF2_TimeStamp snapTime,
                                               void* userData,
                                               OTF2_AttributeList* attributeList,
                                               OTF2_TimeStamp origEventTime,
                                               OTF2_MeasurementMode measurementMode );

/**
 * Sets the callback for MeasurementOnOff.
 *
 * @param snapReaderCallbacks The table.
 * @param measurementOnOffCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetMeasurementOnOffCallback(
    OTF2_SnapReaderCallbacks* snapReaderCallbacks,
    OTF2_SnapReaderCallback_MeasurementOnOff measurementOnOffCallback );

/**
 * Type of the callback for Enter: a region was entered and not left.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param region The region.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_Enter )( OTF2_LocationRef location,
                                    OTF2_TimeStamp snapTime,
                                    void* userData,
                                    OTF2_AttributeList* attributeList,
                                    OTF2_TimeStamp origEventTime,
                                    OTF2_RegionRef region );

/**
 * Sets the callback for Enter.
 *
 * @param snapReaderCallbacks The table.
 * @param enterCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetEnterCallback( OTF2_SnapReaderCallbacks* snapReaderCallbacks,
                                           OTF2_SnapReaderCallback_Enter enterCallback );

/**
 * Type of the callback for MpiSend: a blocking send that is not complete.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param receiver The rank of the receiver in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_MpiSend )( OTF2_LocationRef location,
                                      OTF2_TimeStamp snapTime,
                                      void* userData,
                                      OTF2_AttributeList* attributeList,
                                      OTF2_TimeStamp origEventTime,
                                      uint32_t receiver,
                                      OTF2_CommRef communicator,
                                      uint32_t msgTag,
                                      uint64_t msgLength );

/**
 * Sets the callback for MpiSend.
 *
 * @param snapReaderCallbacks The table.
 * @param mpiSendCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetMpiSendCallback( OTF2_SnapReaderCallbacks* snapReaderCallbacks,
                                             OTF2_SnapReaderCallback_MpiSend mpiSendCallback );

/**
 * Type of the callback for MpiIsend: a non-blocking send was posted and is not complete.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param receiver The rank of the receiver in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @param requestID The request, unique on the location while it is active.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_MpiIsend )( OTF2_LocationRef location,
                                       OTF2_TimeStamp snapTime,
                                       void* userData,
                                       OTF2_AttributeList* attributeList,
                                       OTF2_TimeStamp origEventTime,
                                       uint32_t receiver,
                                       OTF2_CommRef communicator,
                                       uint32_t msgTag,
                                       uint64_t msgLength,
                                       uint64_t requestID );

/**
 * Sets the callback for MpiIsend.
 *
 * @param snapReaderCallbacks The table.
 * @param mpiIsendCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetMpiIsendCallback( OTF2_SnapReaderCallbacks* snapReaderCallbacks,
                                              OTF2_SnapReaderCallback_MpiIsend mpiIsendCallback );

/**
 * Type of the callback for MpiIsendComplete: a non-blocking send is complete, but the matching
 * receive is not.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param requestID The request, unique on the location while it is active.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_MpiIsendComplete )( OTF2_LocationRef location,
                                               OTF2_TimeStamp snapTime,
                                               void* userData,
                                               OTF2_AttributeList* attributeList,
                                               OTF2_TimeStamp origEventTime,
                                               uint64_t requestID );

/**
 * Sets the callback for MpiIsendComplete.
 *
 * @param snapReaderCallbacks The table.
 * @param mpiIsendCompleteCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetMpiIsendCompleteCallback(
    OTF2_SnapReaderCallbacks* snapReaderCallbacks,
    OTF2_SnapReaderCallback_MpiIsendComplete mpiIsendCompleteCallback );

/**
 * Type of the callback for MpiRecv: a blocking receive is complete.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param sender The rank of the sender in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_MpiRecv )( OTF2_LocationRef location,
                                      OTF2_TimeStamp snapTime,
                                      void* userData,
                                      OTF2_AttributeList* attributeList,
                                      OTF2_TimeStamp origEventTime,
                                      uint32_t sender,
                                      OTF2_CommRef communicator,
                                      uint32_t msgTag,
                                      uint64_t msgLength );

/**
 * Sets the callback for MpiRecv.
 *
 * @param snapReaderCallbacks The table.
 * @param mpiRecvCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetMpiRecvCallback( OTF2_SnapReaderCallbacks* snapReaderCallbacks,
                                             OTF2_SnapReaderCallback_MpiRecv mpiRecvCallback );

/**
 * Type of the callback for MpiIrecvRequest: a non-blocking receive was posted and is not complete.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param requestID The request, unique on the location while it is active.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_MpiIrecvRequest )( OTF2_LocationRef location,
                                              OTF2_TimeStamp snapTime,
                                              void* userData,
                                              OTF2_AttributeList* attributeList,
                                              OTF2_TimeStamp origEventTime,
                                              uint64_t requestID );

/**
 * Sets the callback for MpiIrecvRequest.
 *
 * @param snapReaderCallbacks The table.
 * @param mpiIrecvRequestCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetMpiIrecvRequestCallback(
    OTF2_SnapReaderCallbacks* snapReaderCallbacks,
    OTF2_SnapReaderCallback_MpiIrecvRequest mpiIrecvRequestCallback );

/**
 * Type of the callback for MpiIrecv: a non-blocking receive is complete.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param sender The rank of the sender in the communicator.
 * @param communicator The communicator.
 * @param msgTag The message tag.
 * @param msgLength The message length in bytes.
 * @param requestID The request, unique on the location while it is active.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_MpiIrecv )( OTF2_LocationRef location,
                                       OTF2_TimeStamp snapTime,
                                       void* userData,
                                       OTF2_AttributeList* attributeList,
                                       OTF2_TimeStamp origEventTime,
                                       uint32_t sender,
                                       OTF2_CommRef communicator,
                                       uint32_t msgTag,
                                       uint64_t msgLength,
                                       uint64_t requestID );

/**
 * Sets the callback for MpiIrecv.
 *
 * @param snapReaderCallbacks The table.
 * @param mpiIrecvCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetMpiIrecvCallback( OTF2_SnapReaderCallbacks* snapReaderCallbacks,
                                              OTF2_SnapReaderCallback_MpiIrecv mpiIrecvCallback );

/**
 * Type of the callback for MpiCollectiveBegin: a collective operation has begun and not ended.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_MpiCollectiveBegin )( OTF2_LocationRef location,
                                                 OTF2_TimeStamp snapTime,
                                                 void* userData,
                                                 OTF2_AttributeList* attributeList,
                                                 OTF2_TimeStamp origEventTime );

/**
 * Sets the callback for MpiCollectiveBegin.
 *
 * @param snapReaderCallbacks The table.
 * @param mpiCollectiveBeginCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetMpiCollectiveBeginCallback(
    OTF2_SnapReaderCallbacks* snapReaderCallbacks,
    OTF2_SnapReaderCallback_MpiCollectiveBegin mpiCollectiveBeginCallback );

/**
 * Type of the callback for MpiCollectiveEnd: a collective operation has ended here, but not on all
 * ranks.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param collectiveOp The operation.
 * @param communicator The communicator.
 * @param root The rank of the root, or a value of #OTF2_CollectiveRoot_enum.
 * @param sizeSent The number of bytes sent.
 * @param sizeReceived The number of bytes received.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_MpiCollectiveEnd )( OTF2_LocationRef location,
                                               OTF2_TimeStamp snapTime,
                                               void* userData,
                                               OTF2_AttributeList* attributeList,
                                               OTF2_TimeStamp origEventTime,
                                               OTF2_CollectiveOp collectiveOp,
                                               OTF2_CommRef communicator,
                                               uint32_t root,
                                               uint64_t sizeSent,
                                               uint64_t sizeReceived );

/**
 * Sets the callback for MpiCollectiveEnd.
 *
 * @param snapReaderCallbacks The table.
 * @param mpiCollectiveEndCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetMpiCollectiveEndCallback(
    OTF2_SnapReaderCallbacks* snapReaderCallbacks,
    OTF2_SnapReaderCallback_MpiCollectiveEnd mpiCollectiveEndCallback );

/**
 * Type of the callback for OmpFork: threads were forked and not joined.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param numberOfRequestedThreads The number of requested threads.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_OmpFork )( OTF2_LocationRef location,
                                      OTF2_TimeStamp snapTime,
                                      void* userData,
                                      OTF2_AttributeList* attributeList,
                                      OTF2_TimeStamp origEventTime,
                                      uint32_t numberOfRequestedThreads );

/**
 * Sets the callback for OmpFork.
 *
 * @param snapReaderCallbacks The table.
 * @param ompForkCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetOmpForkCallback( OTF2_SnapReaderCallbacks* snapReaderCallbacks,
                                             OTF2_SnapReaderCallback_OmpFork ompForkCallback );

/**
 * Type of the callback for OmpAcquireLock: a lock is held.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param lockID The lock.
 * @param acquisitionOrder The number of the acquisition, which orders all acquisitions of the lock.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_OmpAcquireLock )( OTF2_LocationRef location,
                                             OTF2_TimeStamp snapTime,
                                             void* userData,
                                             OTF2_AttributeList* attributeList,
                                             OTF2_TimeStamp origEventTime,
                                             uint32_t lockID,
                                             uint32_t acquisitionOrder );

/**
 * Sets the callback for OmpAcquireLock.
 *
 * @param snapReaderCallbacks The table.
 * @param ompAcquireLockCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetOmpAcquireLockCallback(
    OTF2_SnapReaderCallbacks* snapReaderCallbacks,
    OTF2_SnapReaderCallback_OmpAcquireLock ompAcquireLockCallback );

/**
 * Type of the callback for OmpTaskCreate: a task was created and is not complete.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param taskID The task.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_OmpTaskCreate )( OTF2_LocationRef location,
                                            OTF2_TimeStamp snapTime,
                                            void* userData,
                                            OTF2_AttributeList* attributeList,
                                            OTF2_TimeStamp origEventTime,
                                            uint64_t taskID );

/**
 * Sets the callback for OmpTaskCreate.
 *
 * @param snapReaderCallbacks The table.
 * @param ompTaskCreateCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetOmpTaskCreateCallback(
    OTF2_SnapReaderCallbacks* snapReaderCallbacks,
    OTF2_SnapReaderCallback_OmpTaskCreate ompTaskCreateCallback );

/**
 * Type of the callback for OmpTaskSwitch: execution switched to a task and did not return.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param taskID The task.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_OmpTaskSwitch )( OTF2_LocationRef location,
                                            OTF2_TimeStamp snapTime,
                                            void* userData,
                                            OTF2_AttributeList* attributeList,
                                            OTF2_TimeStamp origEventTime,
                                            uint64_t taskID );

/**
 * Sets the callback for OmpTaskSwitch.
 *
 * @param snapReaderCallbacks The table.
 * @param ompTaskSwitchCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetOmpTaskSwitchCallback(
    OTF2_SnapReaderCallbacks* snapReaderCallbacks,
    OTF2_SnapReaderCallback_OmpTaskSwitch ompTaskSwitchCallback );

/**
 * Type of the callback for Metric: the last values of the metrics.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param metric The metric class or instance.
 * @param numberOfMetrics The number of elements of `typeIDs`, `metricValues`.
 * @param typeIDs The type of each value.
 * @param metricValues One value per metric of the class.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_Metric )( OTF2_LocationRef location,
                                     OTF2_TimeStamp snapTime,
                                     void* userData,
                                     OTF2_AttributeList* attributeList,
                                     OTF2_TimeStamp origEventTime,
                                     OTF2_MetricRef metric,
                                     uint8_t numberOfMetrics,
                                     const OTF2_Type* typeIDs,
                                     const OTF2_MetricValue* metricValues );

/**
 * Sets the callback for Metric.
 *
 * @param snapReaderCallbacks The table.
 * @param metricCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetMetricCallback( OTF2_SnapReaderCallbacks* snapReaderCallbacks,
                                            OTF2_SnapReaderCallback_Metric metricCallback );

/**
 * Type of the callback for ParameterString: the current value of a parameter.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param parameter The parameter.
 * @param string The value.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_ParameterString )( OTF2_LocationRef location,
                                              OTF2_TimeStamp snapTime,
                                              void* userData,
                                              OTF2_AttributeList* attributeList,
                                              OTF2_TimeStamp origEventTime,
                                              OTF2_ParameterRef parameter,
                                              OTF2_StringRef string );

/**
 * Sets the callback for ParameterString.
 *
 * @param snapReaderCallbacks The table.
 * @param parameterStringCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetParameterStringCallback(
    OTF2_SnapReaderCallbacks* snapReaderCallbacks,
    OTF2_SnapReaderCallback_ParameterString parameterStringCallback );

/**
 * Type of the callback for ParameterInt: the current value of a parameter.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param parameter The parameter.
 * @param value The value.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_ParameterInt )( OTF2_LocationRef location,
                                           OTF2_TimeStamp snapTime,
                                           void* userData,
                                           OTF2_AttributeList* attributeList,
                                           OTF2_TimeStamp origEventTime,
                                           OTF2_ParameterRef parameter,
                                           int64_t value );

/**
 * Sets the callback for ParameterInt.
 *
 * @param snapReaderCallbacks The table.
 * @param parameterIntCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetParameterIntCallback(
    OTF2_SnapReaderCallbacks* snapReaderCallbacks,
    OTF2_SnapReaderCallback_ParameterInt parameterIntCallback );

/**
 * Type of the callback for ParameterUnsignedInt: the current value of a parameter.
 *
 * @param location The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param parameter The parameter.
 * @param value The value.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_SnapReaderCallback_ParameterUnsignedInt )( OTF2_LocationRef location,
                                                   OTF2_TimeStamp snapTime,
                                                   void* userData,
                                                   OTF2_AttributeList* attributeList,
                                                   OTF2_TimeStamp origEventTime,
                                                   OTF2_ParameterRef parameter,
                                                   uint64_t value );

/**
 * Sets the callback for ParameterUnsignedInt.
 *
 * @param snapReaderCallbacks The table.
 * @param parameterUnsignedIntCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_SnapReaderCallbacks_SetParameterUnsignedIntCallback(
    OTF2_SnapReaderCallbacks* snapReaderCallbacks,
    OTF2_SnapReaderCallback_ParameterUnsignedInt parameterUnsignedIntCallback );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_SNAP_READER_CALLBACKS_H */
