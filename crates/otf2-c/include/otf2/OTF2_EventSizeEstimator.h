/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_EventSizeEstimator.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_EVENT_SIZE_ESTIMATOR_H
#define OTF2_EVENT_SIZE_ESTIMATOR_H

/**
 * @file
 * Estimates how many bytes events need in a trace.
 *
 * All sizes are upper bounds for the encoded record, without its time stamp. Set the numbers of
 * definitions first: small ids need fewer bytes. Without a number, ids are counted with their full
 * width.
 *
 * This header is not part of otf2.h.
 */

#include <stdint.h>
#include <stdlib.h>
#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_AttributeList.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An estimator: the numbers of definitions. */
typedef struct OTF2_EventSizeEstimator OTF2_EventSizeEstimator;

/**
 * Makes an estimator without any number.
 *
 * @return The estimator, to be deleted with #OTF2_EventSizeEstimator_Delete, or NULL if there is no
 *     memory.
 */
OTF2_EventSizeEstimator*
OTF2_EventSizeEstimator_New( void );

/**
 * Deletes an estimator.
 *
 * @param estimator The estimator, or NULL.
 * @return #OTF2_SUCCESS.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_Delete( OTF2_EventSizeEstimator* estimator );

/**
 * Sets the number of String definitions.
 *
 * @param estimator The estimator.
 * @param numberOfStringDefinitions The number; ids are assumed to be 0 to this number - 1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfStringDefinitions( OTF2_EventSizeEstimator* estimator,
                                                      uint32_t numberOfStringDefinitions );

/**
 * Sets the number of Attribute definitions.
 *
 * @param estimator The estimator.
 * @param numberOfAttributeDefinitions The number; ids are assumed to be 0 to this number - 1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfAttributeDefinitions( OTF2_EventSizeEstimator* estimator,
                                                         uint32_t numberOfAttributeDefinitions );

/**
 * Sets the number of Location definitions.
 *
 * The number changes the size of a chunk of definitions. References to locations are still counted
 * with their full width, unless the number is 0.
 *
 * @param estimator The estimator.
 * @param numberOfLocationDefinitions The number; ids are assumed to be 0 to this number - 1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfLocationDefinitions( OTF2_EventSizeEstimator* estimator,
                                                        uint64_t numberOfLocationDefinitions );

/**
 * Sets the number of Region definitions.
 *
 * @param estimator The estimator.
 * @param numberOfRegionDefinitions The number; ids are assumed to be 0 to this number - 1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfRegionDefinitions( OTF2_EventSizeEstimator* estimator,
                                                      uint32_t numberOfRegionDefinitions );

/**
 * Sets the number of Group definitions.
 *
 * @param estimator The estimator.
 * @param numberOfGroupDefinitions The number; ids are assumed to be 0 to this number - 1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfGroupDefinitions( OTF2_EventSizeEstimator* estimator,
                                                     uint32_t numberOfGroupDefinitions );

/**
 * Sets the number of Metric definitions.
 *
 * @param estimator The estimator.
 * @param numberOfMetricDefinitions The number; ids are assumed to be 0 to this number - 1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfMetricDefinitions( OTF2_EventSizeEstimator* estimator,
                                                      uint32_t numberOfMetricDefinitions );

/**
 * Sets the number of Comm definitions.
 *
 * @param estimator The estimator.
 * @param numberOfCommDefinitions The number; ids are assumed to be 0 to this number - 1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfCommDefinitions( OTF2_EventSizeEstimator* estimator,
                                                    uint32_t numberOfCommDefinitions );

/**
 * Sets the number of Parameter definitions.
 *
 * @param estimator The estimator.
 * @param numberOfParameterDefinitions The number; ids are assumed to be 0 to this number - 1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfParameterDefinitions( OTF2_EventSizeEstimator* estimator,
                                                         uint32_t numberOfParameterDefinitions );

/**
 * Sets the number of RmaWin definitions.
 *
 * @param estimator The estimator.
 * @param numberOfRmaWinDefinitions The number; ids are assumed to be 0 to this number - 1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfRmaWinDefinitions( OTF2_EventSizeEstimator* estimator,
                                                      uint32_t numberOfRmaWinDefinitions );

/**
 * Sets the number of SourceCodeLocation definitions.
 *
 * @param estimator The estimator.
 * @param numberOfSourceCodeLocationDefinitions The number; ids are assumed to be 0 to this number -
 *     1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfSourceCodeLocationDefinitions(
    OTF2_EventSizeEstimator* estimator,
    uint32_t numberOfSourceCodeLocationDefinitions );

/**
 * Sets the number of CallingContext definitions.
 *
 * @param estimator The estimator.
 * @param numberOfCallingContextDefinitions The number; ids are assumed to be 0 to this number - 1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfCallingContextDefinitions(
    OTF2_EventSizeEstimator* estimator,
    uint32_t numberOfCallingContextDefinitions );

/**
 * Sets the number of InterruptGenerator definitions.
 *
 * @param estimator The estimator.
 * @param numberOfInterruptGeneratorDefinitions The number; ids are assumed to be 0 to this number -
 *     1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfInterruptGeneratorDefinitions(
    OTF2_EventSizeEstimator* estimator,
    uint32_t numberOfInterruptGeneratorDefinitions );

/**
 * Sets the number of IoFile definitions.
 *
 * @param estimator The estimator.
 * @param numberOfIoFileDefinitions The number; ids are assumed to be 0 to this number - 1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfIoFileDefinitions( OTF2_EventSizeEstimator* estimator,
                                                      uint32_t numberOfIoFileDefinitions );

/**
 * Sets the number of IoHandle definitions.
 *
 * @param estimator The estimator.
 * @param numberOfIoHandleDefinitions The number; ids are assumed to be 0 to this number - 1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfIoHandleDefinitions( OTF2_EventSizeEstimator* estimator,
                                                        uint32_t numberOfIoHandleDefinitions );

/**
 * Sets the number of LocationGroup definitions.
 *
 * @param estimator The estimator.
 * @param numberOfLocationGroupDefinitions The number; ids are assumed to be 0 to this number - 1.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.
 */
OTF2_ErrorCode
OTF2_EventSizeEstimator_SetNumberOfLocationGroupDefinitions(
    OTF2_EventSizeEstimator* estimator,
    uint32_t numberOfLocationGroupDefinitions );

/**
 * Returns a size for chunks of definitions, so that a group of all locations, regions or metrics
 * fits.
 *
 * @param estimator The estimator.
 * @return The size in bytes, a multiple of #OTF2_CHUNK_SIZE_MIN; 0 if it would be above
 *     #OTF2_CHUNK_SIZE_MAX, or if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetDefChunkSize( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the size of a time stamp. Events with the same time share one.
 *
 * @param estimator The estimator.
 * @return The size in bytes.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfTimestamp( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of an attribute list with these attributes.
 *
 * @param estimator The estimator.
 * @param attributeList The list.
 * @return The size in bytes, 0 if the list is NULL or empty.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfAttributeList( const OTF2_EventSizeEstimator* estimator,
                                                const OTF2_AttributeList* attributeList );

/**
 * Returns the largest size of the event BufferFlush.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfBufferFlushEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MeasurementOnOff.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMeasurementOnOffEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event Enter.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfEnterEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event Leave.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfLeaveEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiSend.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiSendEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiIsend.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiIsendEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiIsendComplete.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiIsendCompleteEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiIrecvRequest.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiIrecvRequestEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiRecv.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiRecvEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiIrecv.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiIrecvEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiRequestTest.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiRequestTestEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiRequestCancelled.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiRequestCancelledEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiCollectiveBegin.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiCollectiveBeginEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiCollectiveEnd.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiCollectiveEndEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event OmpFork.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 * @deprecated since 1.2: use ThreadFork.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfOmpForkEvent( OTF2_EventSizeEstimator* estimator ) __otf2_deprecated__;

/**
 * Returns the largest size of the event OmpJoin.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 * @deprecated since 1.2: use ThreadJoin.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfOmpJoinEvent( OTF2_EventSizeEstimator* estimator ) __otf2_deprecated__;

/**
 * Returns the largest size of the event OmpAcquireLock.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 * @deprecated since 1.2: use ThreadAcquireLock.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfOmpAcquireLockEvent( OTF2_EventSizeEstimator* estimator ) __otf2_deprecated__;

/**
 * Returns the largest size of the event OmpReleaseLock.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 * @deprecated since 1.2: use ThreadReleaseLock.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfOmpReleaseLockEvent( OTF2_EventSizeEstimator* estimator ) __otf2_deprecated__;

/**
 * Returns the largest size of the event OmpTaskCreate.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 * @deprecated since 1.2: use ThreadTaskCreate.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfOmpTaskCreateEvent( OTF2_EventSizeEstimator* estimator ) __otf2_deprecated__;

/**
 * Returns the largest size of the event OmpTaskSwitch.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 * @deprecated since 1.2: use ThreadTaskSwitch.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfOmpTaskSwitchEvent( OTF2_EventSizeEstimator* estimator ) __otf2_deprecated__;

/**
 * Returns the largest size of the event OmpTaskComplete.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 * @deprecated since 1.2: use ThreadTaskComplete.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfOmpTaskCompleteEvent( OTF2_EventSizeEstimator* estimator ) __otf2_deprecated__;

/**
 * Returns the largest size of the event Metric.
 *
 * @param estimator The estimator.
 * @param numberOfMetrics The number of elements in `typeIDs`, `metricValues`.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMetricEvent( OTF2_EventSizeEstimator* estimator,
                                              uint8_t numberOfMetrics );

/**
 * Returns the largest size of the event ParameterString.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfParameterStringEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ParameterInt.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfParameterIntEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ParameterUnsignedInt.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfParameterUnsignedIntEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaWinCreate.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaWinCreateEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaWinDestroy.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaWinDestroyEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaCollectiveBegin.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaCollectiveBeginEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaCollectiveEnd.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaCollectiveEndEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaGroupSync.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaGroupSyncEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaRequestLock.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaRequestLockEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaAcquireLock.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaAcquireLockEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaTryLock.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaTryLockEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaReleaseLock.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaReleaseLockEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaSync.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaSyncEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaWaitChange.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaWaitChangeEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaPut.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaPutEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaGet.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaGetEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaAtomic.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaAtomicEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaOpCompleteBlocking.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaOpCompleteBlockingEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaOpCompleteNonBlocking.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaOpCompleteNonBlockingEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaOpTest.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaOpTestEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event RmaOpCompleteRemote.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfRmaOpCompleteRemoteEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ThreadFork.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfThreadForkEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ThreadJoin.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfThreadJoinEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ThreadTeamBegin.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfThreadTeamBeginEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ThreadTeamEnd.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfThreadTeamEndEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ThreadAcquireLock.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfThreadAcquireLockEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ThreadReleaseLock.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfThreadReleaseLockEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ThreadTaskCreate.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfThreadTaskCreateEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ThreadTaskSwitch.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfThreadTaskSwitchEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ThreadTaskComplete.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfThreadTaskCompleteEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ThreadCreate.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfThreadCreateEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ThreadBegin.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfThreadBeginEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ThreadWait.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfThreadWaitEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ThreadEnd.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfThreadEndEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event CallingContextEnter.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfCallingContextEnterEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event CallingContextLeave.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfCallingContextLeaveEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event CallingContextSample.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfCallingContextSampleEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoCreateHandle.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoCreateHandleEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoDestroyHandle.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoDestroyHandleEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoDuplicateHandle.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoDuplicateHandleEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoSeek.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoSeekEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoChangeStatusFlags.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoChangeStatusFlagsEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoDeleteFile.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoDeleteFileEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoOperationBegin.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoOperationBeginEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoOperationTest.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoOperationTestEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoOperationIssued.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoOperationIssuedEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoOperationComplete.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoOperationCompleteEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoOperationCancelled.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoOperationCancelledEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoAcquireLock.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoAcquireLockEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoReleaseLock.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoReleaseLockEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event IoTryLock.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfIoTryLockEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event ProgramBegin.
 *
 * @param estimator The estimator.
 * @param numberOfArguments The number of elements in `programArguments`.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfProgramBeginEvent( OTF2_EventSizeEstimator* estimator,
                                                    uint32_t numberOfArguments );

/**
 * Returns the largest size of the event ProgramEnd.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfProgramEndEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event NonBlockingCollectiveRequest.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfNonBlockingCollectiveRequestEvent(
    OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event NonBlockingCollectiveComplete.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfNonBlockingCollectiveCompleteEvent(
    OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event CommCreate.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfCommCreateEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event CommDestroy.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfCommDestroyEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiProbe.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiProbeEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiMrecv.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiMrecvEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiImrecvRequest.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiImrecvRequestEvent( OTF2_EventSizeEstimator* estimator );

/**
 * Returns the largest size of the event MpiImrecv.
 *
 * @param estimator The estimator.
 * @return The size in bytes without the time stamp, or 0 if the estimator is NULL.
 */
size_t
OTF2_EventSizeEstimator_GetSizeOfMpiImrecvEvent( OTF2_EventSizeEstimator* estimator );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_EVENT_SIZE_ESTIMATOR_H */
