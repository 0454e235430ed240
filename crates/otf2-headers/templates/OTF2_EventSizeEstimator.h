/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_EventSizeEstimator.h
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

//@ estimator definitions

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

//@ estimator events

#ifdef __cplusplus
}
#endif

#endif /* OTF2_EVENT_SIZE_ESTIMATOR_H */
