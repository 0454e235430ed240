/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_AttributeValue.h
#ifndef OTF2_ATTRIBUTE_VALUE_H
#define OTF2_ATTRIBUTE_VALUE_H

/**
 * @file
 * Values of attributes and properties, and their conversion to and from enumerations.
 *
 * A value is a union, whose type is passed next to it as an #OTF2_Type. The functions below convert
 * enumerations, which are stored as unsigned integers of their width. Members that are smaller than
 * the union leave the other bytes undefined.
 */

#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A value. The comment of a member names its #OTF2_Type. */
typedef union OTF2_AttributeValue_union
{
    /** #OTF2_TYPE_UINT8. */
    uint8_t uint8;
    /** #OTF2_TYPE_UINT16. */
    uint16_t uint16;
    /** #OTF2_TYPE_UINT32. */
    uint32_t uint32;
    /** #OTF2_TYPE_UINT64. */
    uint64_t uint64;
    /** #OTF2_TYPE_INT8. */
    int8_t int8;
    /** #OTF2_TYPE_INT16. */
    int16_t int16;
    /** #OTF2_TYPE_INT32. */
    int32_t int32;
    /** #OTF2_TYPE_INT64. */
    int64_t int64;
    /** #OTF2_TYPE_FLOAT. */
    float float32;
    /** #OTF2_TYPE_DOUBLE. */
    double float64;
    /** #OTF2_TYPE_STRING. */
    OTF2_StringRef stringRef;
    /** #OTF2_TYPE_ATTRIBUTE. */
    OTF2_AttributeRef attributeRef;
    /** #OTF2_TYPE_LOCATION. */
    OTF2_LocationRef locationRef;
    /** #OTF2_TYPE_REGION. */
    OTF2_RegionRef regionRef;
    /** #OTF2_TYPE_GROUP. */
    OTF2_GroupRef groupRef;
    /** #OTF2_TYPE_METRIC. */
    OTF2_MetricRef metricRef;
    /** #OTF2_TYPE_COMM. */
    OTF2_CommRef commRef;
    /** #OTF2_TYPE_PARAMETER. */
    OTF2_ParameterRef parameterRef;
    /** #OTF2_TYPE_RMA_WIN. */
    OTF2_RmaWinRef rmaWinRef;
    /** #OTF2_TYPE_SOURCE_CODE_LOCATION. */
    OTF2_SourceCodeLocationRef sourceCodeLocationRef;
    /** #OTF2_TYPE_CALLING_CONTEXT. */
    OTF2_CallingContextRef callingContextRef;
    /** #OTF2_TYPE_INTERRUPT_GENERATOR. */
    OTF2_InterruptGeneratorRef interruptGeneratorRef;
    /** #OTF2_TYPE_IO_FILE. */
    OTF2_IoFileRef ioFileRef;
    /** #OTF2_TYPE_IO_HANDLE. */
    OTF2_IoHandleRef ioHandleRef;
    /** #OTF2_TYPE_LOCATION_GROUP. */
    OTF2_LocationGroupRef locationGroupRef;
} OTF2_AttributeValue;

//@ attribute_value

#ifdef __cplusplus
}
#endif

#endif /* OTF2_ATTRIBUTE_VALUE_H */
