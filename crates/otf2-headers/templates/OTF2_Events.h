/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_Events.h
#ifndef OTF2_EVENTS_H
#define OTF2_EVENTS_H

/**
 * @file
 * Enumerations and flags of event records.
 */

#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#ifdef __cplusplus
extern "C" {
#endif

//@ enum MeasurementMode

//@ enum CollectiveOp

//@ enum RmaSyncType

//@ enum RmaSyncLevel

//@ enum LockType

//@ enum RmaAtomicType

//@ enum IoCreationFlag

//@ enum IoSeekOption

//@ enum IoOperationMode

//@ enum IoOperationFlag

//@ enum CollectiveRoot

//@ enum TaskGenerationNumber

/** The value of a metric. The type in the event determines the member. */
typedef union OTF2_MetricValue_union
{
    /** For #OTF2_TYPE_INT64. */
    int64_t signed_int;
    /** For #OTF2_TYPE_UINT64. */
    uint64_t unsigned_int;
    /** For #OTF2_TYPE_DOUBLE. */
    double floating_point;
} OTF2_MetricValue;

#ifdef __cplusplus
}
#endif

#endif /* OTF2_EVENTS_H */
