/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_GlobalSnapReaderCallbacks.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_GLOBAL_SNAP_READER_CALLBACKS_H
#define OTF2_GLOBAL_SNAP_READER_CALLBACKS_H

/**
 * @file
 * Callbacks for the snapshots of many locations: ordered by time, then by the id of the
 * location, then by the position in its file.
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
typedef struct OTF2_GlobalSnapReaderCallbacks_struct OTF2_GlobalSnapReaderCallbacks;

/**
 * Makes a table without callbacks.
 *
 * @return The table, to be deleted by the caller, or NULL if there is no memory.
 */
OTF2_GlobalSnapReaderCallbacks*
OTF2_GlobalSnapReaderCallbacks_New( void );

/**
 * Deletes a table. Readers to which it was passed keep their copy.
 *
 * @param globalSnapReaderCallbacks The table, or NULL.
 */
void
OTF2_GlobalSnapReaderCallbacks_Delete( OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks );

/**
 * Removes all callbacks from a table.
 *
 * @param globalSnapReaderCallbacks The table, or NULL.
 */
void
OTF2_GlobalSnapReaderCallbacks_Clear( OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks );

/**
 * Type of the callback for records of a kind that this library does not know, from newer archives.
 *
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_GlobalSnapReaderCallback_Unknown )( OTF2_LocationRef locationID,
                                            OTF2_TimeStamp snapTime,
                                            void* userData,
                                            OTF2_AttributeList* attributeList );

/**
 * Sets the callback for unknown records.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param unknownCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetUnknownCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_Unknown unknownCallback );

/**
 * Type of the callback for SnapshotStart: a snapshot begins.
 *
 * @param locationID The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param numberOfRecords The number of records in the snapshot, excluding its end.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_GlobalSnapReaderCallback_SnapshotStart )( OTF2_LocationRef locationID,
                                                  OTF2_TimeStamp snapTime,
                                                  void* userData,
                                                  OTF2_AttributeList* attributeList,
                                                  uint64_t numberOfRecords );

/**
 * Sets the callback for SnapshotStart.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param snapshotStartCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetSnapshotStartCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_SnapshotStart snapshotStartCallback );

/**
 * Type of the callback for SnapshotEnd: a snapshot ends.
 *
 * @param locationID The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param contReadPos The number of the event, from 1, with which reading continues.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_GlobalSnapReaderCallback_SnapshotEnd )( OTF2_LocationRef locationID,
                                                OTF2_TimeStamp snapTime,
                                                void* userData,
                                                OTF2_AttributeList* attributeList,
                                                uint64_t contReadPos );

/**
 * Sets the callback for SnapshotEnd.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param snapshotEndCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetSnapshotEndCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_SnapshotEnd snapshotEndCallback );

/**
 * Type of the callback for MeasurementOnOff: the last time the measurement was switched on or off.
 *
 * @param locationID The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param measurementMode Whether the measurement is on or off.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_GlobalSnapReaderCallback_MeasurementOnOff )( OTF2_LocationRef locationID,
                                                     OTF2_TimeStamp snapTime,
                                                     void* userData,
                                                     OTF2_AttributeList* attributeList,
                                                     OTF2_TimeStamp origEventTime,
                                                     OTF2_MeasurementMode measurementMode );

/**
 * Sets the callback for MeasurementOnOff.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param measurementOnOffCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetMeasurementOnOffCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_MeasurementOnOff measurementOnOffCallback );

/**
 * Type of the callback for Enter: a region was entered and not left.
 *
 * @param locationID The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param region The region.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_GlobalSnapReaderCallback_Enter )( OTF2_LocationRef locationID,
                                          OTF2_TimeStamp snapTime,
                                          void* userData,
                                          OTF2_AttributeList* attributeList,
                                          OTF2_TimeStamp origEventTime,
                                          OTF2_RegionRef region );

/**
 * Sets the callback for Enter.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param enterCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetEnterCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_Enter enterCallback );

/**
 * Type of the callback for MpiSend: a blocking send that is not complete.
 *
 * @param locationID The location.
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
( *OTF2_GlobalSnapReaderCallback_MpiSend )( OTF2_LocationRef locationID,
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
 * @param globalSnapReaderCallbacks The table.
 * @param mpiSendCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetMpiSendCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_MpiSend mpiSendCallback );

/**
 * Type of the callback for MpiIsend: a non-blocking send was posted and is not complete.
 *
 * @param locationID The location.
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
( *OTF2_GlobalSnapReaderCallback_MpiIsend )( OTF2_LocationRef locationID,
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
 * @param globalSnapReaderCallbacks The table.
 * @param mpiIsendCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetMpiIsendCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_MpiIsend mpiIsendCallback );

/**
 * Type of the callback for MpiIsendComplete: a non-blocking send is complete, but the matching
 * receive is not.
 *
 * @param locationID The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param requestID The request, unique on the location while it is active.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_GlobalSnapReaderCallback_MpiIsendComplete )( OTF2_LocationRef locationID,
                                                     OTF2_TimeStamp snapTime,
                                                     void* userData,
                                                     OTF2_AttributeList* attributeList,
                                                     OTF2_TimeStamp origEventTime,
                                                     uint64_t requestID );

/**
 * Sets the callback for MpiIsendComplete.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param mpiIsendCompleteCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetMpiIsendCompleteCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_MpiIsendComplete mpiIsendCompleteCallback );

/**
 * Type of the callback for MpiRecv: a blocking receive is complete.
 *
 * @param locationID The location.
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
( *OTF2_GlobalSnapReaderCallback_MpiRecv )( OTF2_LocationRef locationID,
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
 * @param globalSnapReaderCallbacks The table.
 * @param mpiRecvCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetMpiRecvCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_MpiRecv mpiRecvCallback );

/**
 * Type of the callback for MpiIrecvRequest: a non-blocking receive was posted and is not complete.
 *
 * @param locationID The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param requestID The request, unique on the location while it is active.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_GlobalSnapReaderCallback_MpiIrecvRequest )( OTF2_LocationRef locationID,
                                                    OTF2_TimeStamp snapTime,
                                                    void* userData,
                                                    OTF2_AttributeList* attributeList,
                                                    OTF2_TimeStamp origEventTime,
                                                    uint64_t requestID );

/**
 * Sets the callback for MpiIrecvRequest.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param mpiIrecvRequestCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetMpiIrecvRequestCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_MpiIrecvRequest mpiIrecvRequestCallback );

/**
 * Type of the callback for MpiIrecv: a non-blocking receive is complete.
 *
 * @param locationID The location.
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
( *OTF2_GlobalSnapReaderCallback_MpiIrecv )( OTF2_LocationRef locationID,
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
 * @param globalSnapReaderCallbacks The table.
 * @param mpiIrecvCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetMpiIrecvCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_MpiIrecv mpiIrecvCallback );

/**
 * Type of the callback for MpiCollectiveBegin: a collective operation has begun and not ended.
 *
 * @param locationID The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_GlobalSnapReaderCallback_MpiCollectiveBegin )( OTF2_LocationRef locationID,
                                                       OTF2_TimeStamp snapTime,
                                                       void* userData,
                                                       OTF2_AttributeList* attributeList,
                                                       OTF2_TimeStamp origEventTime );

/**
 * Sets the callback for MpiCollectiveBegin.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param mpiCollectiveBeginCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetMpiCollectiveBeginCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_MpiCollectiveBegin mpiCollectiveBeginCallback );

/**
 * Type of the callback for MpiCollectiveEnd: a collective operation has ended here, but not on all
 * ranks.
 *
 * @param locationID The location.
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
( *OTF2_GlobalSnapReaderCallback_MpiCollectiveEnd )( OTF2_LocationRef locationID,
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
 * @param globalSnapReaderCallbacks The table.
 * @param mpiCollectiveEndCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetMpiCollectiveEndCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_MpiCollectiveEnd mpiCollectiveEndCallback );

/**
 * Type of the callback for OmpFork: threads were forked and not joined.
 *
 * @param locationID The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param numberOfRequestedThreads The number of requested threads.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_GlobalSnapReaderCallback_OmpFork )( OTF2_LocationRef locationID,
                                            OTF2_TimeStamp snapTime,
                                            void* userData,
                                            OTF2_AttributeList* attributeList,
                                            OTF2_TimeStamp origEventTime,
                                            uint32_t numberOfRequestedThreads );

/**
 * Sets the callback for OmpFork.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param ompForkCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetOmpForkCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_OmpFork ompForkCallback );

/**
 * Type of the callback for OmpAcquireLock: a lock is held.
 *
 * @param locationID The location.
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
( *OTF2_GlobalSnapReaderCallback_OmpAcquireLock )( OTF2_LocationRef locationID,
                                                   OTF2_TimeStamp snapTime,
                                                   void* userData,
                                                   OTF2_AttributeList* attributeList,
                                                   OTF2_TimeStamp origEventTime,
                                                   uint32_t lockID,
                                                   uint32_t acquisitionOrder );

/**
 * Sets the callback for OmpAcquireLock.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param ompAcquireLockCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetOmpAcquireLockCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_OmpAcquireLock ompAcquireLockCallback );

/**
 * Type of the callback for OmpTaskCreate: a task was created and is not complete.
 *
 * @param locationID The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param taskID The task.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_GlobalSnapReaderCallback_OmpTaskCreate )( OTF2_LocationRef locationID,
                                                  OTF2_TimeStamp snapTime,
                                                  void* userData,
                                                  OTF2_AttributeList* attributeList,
                                                  OTF2_TimeStamp origEventTime,
                                                  uint64_t taskID );

/**
 * Sets the callback for OmpTaskCreate.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param ompTaskCreateCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetOmpTaskCreateCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_OmpTaskCreate ompTaskCreateCallback );

/**
 * Type of the callback for OmpTaskSwitch: execution switched to a task and did not return.
 *
 * @param locationID The location.
 * @param snapTime The time of the snapshot, in ticks.
 * @param userData The pointer that was passed with the callbacks.
 * @param attributeList Further attributes, never NULL; valid until the callback returns.
 * @param origEventTime The time of the original event, in ticks.
 * @param taskID The task.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_GlobalSnapReaderCallback_OmpTaskSwitch )( OTF2_LocationRef locationID,
                                                  OTF2_TimeStamp snapTime,
                                                  void* userData,
                                                  OTF2_AttributeList* attributeList,
                                                  OTF2_TimeStamp origEventTime,
                                                  uint64_t taskID );

/**
 * Sets the callback for OmpTaskSwitch.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param ompTaskSwitchCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetOmpTaskSwitchCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_OmpTaskSwitch ompTaskSwitchCallback );

/**
 * Type of the callback for Metric: the last values of the metrics.
 *
 * @param locationID The location.
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
( *OTF2_GlobalSnapReaderCallback_Metric )( OTF2_LocationRef locationID,
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
 * @param globalSnapReaderCallbacks The table.
 * @param metricCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetMetricCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_Metric metricCallback );

/**
 * Type of the callback for ParameterString: the current value of a parameter.
 *
 * @param locationID The location.
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
( *OTF2_GlobalSnapReaderCallback_ParameterString )( OTF2_LocationRef locationID,
                                                    OTF2_TimeStamp snapTime,
                                                    void* userData,
                                                    OTF2_AttributeList* attributeList,
                                                    OTF2_TimeStamp origEventTime,
                                                    OTF2_ParameterRef parameter,
                                                    OTF2_StringRef string );

/**
 * Sets the callback for ParameterString.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param parameterStringCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetParameterStringCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_ParameterString parameterStringCallback );

/**
 * Type of the callback for ParameterInt: the current value of a parameter.
 *
 * @param locationID The location.
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
( *OTF2_GlobalSnapReaderCallback_ParameterInt )( OTF2_LocationRef locationID,
                                                 OTF2_TimeStamp snapTime,
                                                 void* userData,
                                                 OTF2_AttributeList* attributeList,
                                                 OTF2_TimeStamp origEventTime,
                                                 OTF2_ParameterRef parameter,
                                                 int64_t value );

/**
 * Sets the callback for ParameterInt.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param parameterIntCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetParameterIntCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_ParameterInt parameterIntCallback );

/**
 * Type of the callback for ParameterUnsignedInt: the current value of a parameter.
 *
 * @param locationID The location.
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
( *OTF2_GlobalSnapReaderCallback_ParameterUnsignedInt )( OTF2_LocationRef locationID,
                                                         OTF2_TimeStamp snapTime,
                                                         void* userData,
                                                         OTF2_AttributeList* attributeList,
                                                         OTF2_TimeStamp origEventTime,
                                                         OTF2_ParameterRef parameter,
                                                         uint64_t value );

/**
 * Sets the callback for ParameterUnsignedInt.
 *
 * @param globalSnapReaderCallbacks The table.
 * @param parameterUnsignedIntCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalSnapReaderCallbacks_SetParameterUnsignedIntCallback(
    OTF2_GlobalSnapReaderCallbacks* globalSnapReaderCallbacks,
    OTF2_GlobalSnapReaderCallback_ParameterUnsignedInt parameterUnsignedIntCallback );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_GLOBAL_SNAP_READER_CALLBACKS_H */
