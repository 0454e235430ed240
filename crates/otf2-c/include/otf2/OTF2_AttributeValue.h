/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_AttributeValue.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
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

/**
 * Converts an #OTF2_Boolean to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetBoolean( OTF2_Boolean enumValue,
                                OTF2_Type* type,
                                OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_Boolean.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetBoolean( OTF2_Type type,
                                OTF2_AttributeValue value,
                                OTF2_Boolean* enumValue );

/**
 * Converts an #OTF2_FileType to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetFileType( OTF2_FileType enumValue,
                                 OTF2_Type* type,
                                 OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_FileType.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetFileType( OTF2_Type type,
                                 OTF2_AttributeValue value,
                                 OTF2_FileType* enumValue );

/**
 * Converts an #OTF2_FileSubstrate to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetFileSubstrate( OTF2_FileSubstrate enumValue,
                                      OTF2_Type* type,
                                      OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_FileSubstrate.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetFileSubstrate( OTF2_Type type,
                                      OTF2_AttributeValue value,
                                      OTF2_FileSubstrate* enumValue );

/**
 * Converts an #OTF2_MappingType to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetMappingType( OTF2_MappingType enumValue,
                                    OTF2_Type* type,
                                    OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_MappingType.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetMappingType( OTF2_Type type,
                                    OTF2_AttributeValue value,
                                    OTF2_MappingType* enumValue );

/**
 * Converts an #OTF2_Type to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetType( OTF2_Type enumValue,
                             OTF2_Type* type,
                             OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_Type.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetType( OTF2_Type type,
                             OTF2_AttributeValue value,
                             OTF2_Type* enumValue );

/**
 * Converts an #OTF2_Paradigm to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetParadigm( OTF2_Paradigm enumValue,
                                 OTF2_Type* type,
                                 OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_Paradigm.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetParadigm( OTF2_Type type,
                                 OTF2_AttributeValue value,
                                 OTF2_Paradigm* enumValue );

/**
 * Converts an #OTF2_ParadigmClass to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetParadigmClass( OTF2_ParadigmClass enumValue,
                                      OTF2_Type* type,
                                      OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_ParadigmClass.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetParadigmClass( OTF2_Type type,
                                      OTF2_AttributeValue value,
                                      OTF2_ParadigmClass* enumValue );

/**
 * Converts an #OTF2_ParadigmProperty to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetParadigmProperty( OTF2_ParadigmProperty enumValue,
                                         OTF2_Type* type,
                                         OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_ParadigmProperty.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetParadigmProperty( OTF2_Type type,
                                         OTF2_AttributeValue value,
                                         OTF2_ParadigmProperty* enumValue );

/**
 * Converts an #OTF2_ThumbnailType to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetThumbnailType( OTF2_ThumbnailType enumValue,
                                      OTF2_Type* type,
                                      OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_ThumbnailType.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetThumbnailType( OTF2_Type type,
                                      OTF2_AttributeValue value,
                                      OTF2_ThumbnailType* enumValue );

/**
 * Converts an #OTF2_SystemTreeDomain to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetSystemTreeDomain( OTF2_SystemTreeDomain enumValue,
                                         OTF2_Type* type,
                                         OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_SystemTreeDomain.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetSystemTreeDomain( OTF2_Type type,
                                         OTF2_AttributeValue value,
                                         OTF2_SystemTreeDomain* enumValue );

/**
 * Converts an #OTF2_LocationGroupType to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetLocationGroupType( OTF2_LocationGroupType enumValue,
                                          OTF2_Type* type,
                                          OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_LocationGroupType.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetLocationGroupType( OTF2_Type type,
                                          OTF2_AttributeValue value,
                                          OTF2_LocationGroupType* enumValue );

/**
 * Converts an #OTF2_LocationType to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetLocationType( OTF2_LocationType enumValue,
                                     OTF2_Type* type,
                                     OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_LocationType.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetLocationType( OTF2_Type type,
                                     OTF2_AttributeValue value,
                                     OTF2_LocationType* enumValue );

/**
 * Converts an #OTF2_RegionRole to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetRegionRole( OTF2_RegionRole enumValue,
                                   OTF2_Type* type,
                                   OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_RegionRole.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetRegionRole( OTF2_Type type,
                                   OTF2_AttributeValue value,
                                   OTF2_RegionRole* enumValue );

/**
 * Converts an #OTF2_GroupType to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetGroupType( OTF2_GroupType enumValue,
                                  OTF2_Type* type,
                                  OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_GroupType.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetGroupType( OTF2_Type type,
                                  OTF2_AttributeValue value,
                                  OTF2_GroupType* enumValue );

/**
 * Converts an #OTF2_Base to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetBase( OTF2_Base enumValue,
                             OTF2_Type* type,
                             OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_Base.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetBase( OTF2_Type type,
                             OTF2_AttributeValue value,
                             OTF2_Base* enumValue );

/**
 * Converts an #OTF2_MetricOccurrence to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetMetricOccurrence( OTF2_MetricOccurrence enumValue,
                                         OTF2_Type* type,
                                         OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_MetricOccurrence.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetMetricOccurrence( OTF2_Type type,
                                         OTF2_AttributeValue value,
                                         OTF2_MetricOccurrence* enumValue );

/**
 * Converts an #OTF2_MetricType to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetMetricType( OTF2_MetricType enumValue,
                                   OTF2_Type* type,
                                   OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_MetricType.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetMetricType( OTF2_Type type,
                                   OTF2_AttributeValue value,
                                   OTF2_MetricType* enumValue );

/**
 * Converts an #OTF2_MetricValueProperty to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetMetricValueProperty( OTF2_MetricValueProperty enumValue,
                                            OTF2_Type* type,
                                            OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_MetricValueProperty.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetMetricValueProperty( OTF2_Type type,
                                            OTF2_AttributeValue value,
                                            OTF2_MetricValueProperty* enumValue );

/**
 * Converts an #OTF2_MetricTiming to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetMetricTiming( OTF2_MetricTiming enumValue,
                                     OTF2_Type* type,
                                     OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_MetricTiming.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetMetricTiming( OTF2_Type type,
                                     OTF2_AttributeValue value,
                                     OTF2_MetricTiming* enumValue );

/**
 * Converts an #OTF2_MetricMode to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetMetricMode( OTF2_MetricMode enumValue,
                                   OTF2_Type* type,
                                   OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_MetricMode.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetMetricMode( OTF2_Type type,
                                   OTF2_AttributeValue value,
                                   OTF2_MetricMode* enumValue );

/**
 * Converts an #OTF2_MetricScope to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetMetricScope( OTF2_MetricScope enumValue,
                                    OTF2_Type* type,
                                    OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_MetricScope.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetMetricScope( OTF2_Type type,
                                    OTF2_AttributeValue value,
                                    OTF2_MetricScope* enumValue );

/**
 * Converts an #OTF2_RecorderKind to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetRecorderKind( OTF2_RecorderKind enumValue,
                                     OTF2_Type* type,
                                     OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_RecorderKind.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetRecorderKind( OTF2_Type type,
                                     OTF2_AttributeValue value,
                                     OTF2_RecorderKind* enumValue );

/**
 * Converts an #OTF2_ParameterType to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetParameterType( OTF2_ParameterType enumValue,
                                      OTF2_Type* type,
                                      OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_ParameterType.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetParameterType( OTF2_Type type,
                                      OTF2_AttributeValue value,
                                      OTF2_ParameterType* enumValue );

/**
 * Converts an #OTF2_CartPeriodicity to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetCartPeriodicity( OTF2_CartPeriodicity enumValue,
                                        OTF2_Type* type,
                                        OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_CartPeriodicity.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetCartPeriodicity( OTF2_Type type,
                                        OTF2_AttributeValue value,
                                        OTF2_CartPeriodicity* enumValue );

/**
 * Converts an #OTF2_InterruptGeneratorMode to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetInterruptGeneratorMode( OTF2_InterruptGeneratorMode enumValue,
                                               OTF2_Type* type,
                                               OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_InterruptGeneratorMode.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetInterruptGeneratorMode( OTF2_Type type,
                                               OTF2_AttributeValue value,
                                               OTF2_InterruptGeneratorMode* enumValue );

/**
 * Converts an #OTF2_MeasurementMode to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetMeasurementMode( OTF2_MeasurementMode enumValue,
                                        OTF2_Type* type,
                                        OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_MeasurementMode.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetMeasurementMode( OTF2_Type type,
                                        OTF2_AttributeValue value,
                                        OTF2_MeasurementMode* enumValue );

/**
 * Converts an #OTF2_CollectiveOp to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetCollectiveOp( OTF2_CollectiveOp enumValue,
                                     OTF2_Type* type,
                                     OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_CollectiveOp.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetCollectiveOp( OTF2_Type type,
                                     OTF2_AttributeValue value,
                                     OTF2_CollectiveOp* enumValue );

/**
 * Converts an #OTF2_RmaSyncType to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetRmaSyncType( OTF2_RmaSyncType enumValue,
                                    OTF2_Type* type,
                                    OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_RmaSyncType.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetRmaSyncType( OTF2_Type type,
                                    OTF2_AttributeValue value,
                                    OTF2_RmaSyncType* enumValue );

/**
 * Converts an #OTF2_LockType to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetLockType( OTF2_LockType enumValue,
                                 OTF2_Type* type,
                                 OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_LockType.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetLockType( OTF2_Type type,
                                 OTF2_AttributeValue value,
                                 OTF2_LockType* enumValue );

/**
 * Converts an #OTF2_RmaAtomicType to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetRmaAtomicType( OTF2_RmaAtomicType enumValue,
                                      OTF2_Type* type,
                                      OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_RmaAtomicType.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetRmaAtomicType( OTF2_Type type,
                                      OTF2_AttributeValue value,
                                      OTF2_RmaAtomicType* enumValue );

/**
 * Converts an #OTF2_IoParadigmClass to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetIoParadigmClass( OTF2_IoParadigmClass enumValue,
                                        OTF2_Type* type,
                                        OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_IoParadigmClass.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetIoParadigmClass( OTF2_Type type,
                                        OTF2_AttributeValue value,
                                        OTF2_IoParadigmClass* enumValue );

/**
 * Converts an #OTF2_IoParadigmProperty to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetIoParadigmProperty( OTF2_IoParadigmProperty enumValue,
                                           OTF2_Type* type,
                                           OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_IoParadigmProperty.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetIoParadigmProperty( OTF2_Type type,
                                           OTF2_AttributeValue value,
                                           OTF2_IoParadigmProperty* enumValue );

/**
 * Converts an #OTF2_IoAccessMode to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetIoAccessMode( OTF2_IoAccessMode enumValue,
                                     OTF2_Type* type,
                                     OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_IoAccessMode.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetIoAccessMode( OTF2_Type type,
                                     OTF2_AttributeValue value,
                                     OTF2_IoAccessMode* enumValue );

/**
 * Converts an #OTF2_IoSeekOption to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetIoSeekOption( OTF2_IoSeekOption enumValue,
                                     OTF2_Type* type,
                                     OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_IoSeekOption.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetIoSeekOption( OTF2_Type type,
                                     OTF2_AttributeValue value,
                                     OTF2_IoSeekOption* enumValue );

/**
 * Converts an #OTF2_IoOperationMode to a value of type #OTF2_TYPE_UINT8.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetIoOperationMode( OTF2_IoOperationMode enumValue,
                                        OTF2_Type* type,
                                        OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT8 to an #OTF2_IoOperationMode.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetIoOperationMode( OTF2_Type type,
                                        OTF2_AttributeValue value,
                                        OTF2_IoOperationMode* enumValue );

/**
 * Converts an #OTF2_CollectiveRoot to a value of type #OTF2_TYPE_UINT32.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetCollectiveRoot( OTF2_CollectiveRoot enumValue,
                                       OTF2_Type* type,
                                       OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT32 to an #OTF2_CollectiveRoot.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetCollectiveRoot( OTF2_Type type,
                                       OTF2_AttributeValue value,
                                       OTF2_CollectiveRoot* enumValue );

/**
 * Converts an #OTF2_TaskGenerationNumber to a value of type #OTF2_TYPE_UINT32.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetTaskGenerationNumber( OTF2_TaskGenerationNumber enumValue,
                                             OTF2_Type* type,
                                             OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT32 to an #OTF2_TaskGenerationNumber.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetTaskGenerationNumber( OTF2_Type type,
                                             OTF2_AttributeValue value,
                                             OTF2_TaskGenerationNumber* enumValue );

/**
 * Converts an #OTF2_RegionFlag to a value of type #OTF2_TYPE_UINT32.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetRegionFlag( OTF2_RegionFlag enumValue,
                                   OTF2_Type* type,
                                   OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT32 to an #OTF2_RegionFlag.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetRegionFlag( OTF2_Type type,
                                   OTF2_AttributeValue value,
                                   OTF2_RegionFlag* enumValue );

/**
 * Converts an #OTF2_GroupFlag to a value of type #OTF2_TYPE_UINT32.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetGroupFlag( OTF2_GroupFlag enumValue,
                                  OTF2_Type* type,
                                  OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT32 to an #OTF2_GroupFlag.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetGroupFlag( OTF2_Type type,
                                  OTF2_AttributeValue value,
                                  OTF2_GroupFlag* enumValue );

/**
 * Converts an #OTF2_RmaSyncLevel to a value of type #OTF2_TYPE_UINT32.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetRmaSyncLevel( OTF2_RmaSyncLevel enumValue,
                                     OTF2_Type* type,
                                     OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT32 to an #OTF2_RmaSyncLevel.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetRmaSyncLevel( OTF2_Type type,
                                     OTF2_AttributeValue value,
                                     OTF2_RmaSyncLevel* enumValue );

/**
 * Converts an #OTF2_IoParadigmFlag to a value of type #OTF2_TYPE_UINT32.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetIoParadigmFlag( OTF2_IoParadigmFlag enumValue,
                                       OTF2_Type* type,
                                       OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT32 to an #OTF2_IoParadigmFlag.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetIoParadigmFlag( OTF2_Type type,
                                       OTF2_AttributeValue value,
                                       OTF2_IoParadigmFlag* enumValue );

/**
 * Converts an #OTF2_IoHandleFlag to a value of type #OTF2_TYPE_UINT32.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetIoHandleFlag( OTF2_IoHandleFlag enumValue,
                                     OTF2_Type* type,
                                     OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT32 to an #OTF2_IoHandleFlag.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetIoHandleFlag( OTF2_Type type,
                                     OTF2_AttributeValue value,
                                     OTF2_IoHandleFlag* enumValue );

/**
 * Converts an #OTF2_IoCreationFlag to a value of type #OTF2_TYPE_UINT32.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetIoCreationFlag( OTF2_IoCreationFlag enumValue,
                                       OTF2_Type* type,
                                       OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT32 to an #OTF2_IoCreationFlag.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetIoCreationFlag( OTF2_Type type,
                                       OTF2_AttributeValue value,
                                       OTF2_IoCreationFlag* enumValue );

/**
 * Converts an #OTF2_IoStatusFlag to a value of type #OTF2_TYPE_UINT32.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetIoStatusFlag( OTF2_IoStatusFlag enumValue,
                                     OTF2_Type* type,
                                     OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT32 to an #OTF2_IoStatusFlag.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetIoStatusFlag( OTF2_Type type,
                                     OTF2_AttributeValue value,
                                     OTF2_IoStatusFlag* enumValue );

/**
 * Converts an #OTF2_IoOperationFlag to a value of type #OTF2_TYPE_UINT32.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetIoOperationFlag( OTF2_IoOperationFlag enumValue,
                                        OTF2_Type* type,
                                        OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT32 to an #OTF2_IoOperationFlag.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetIoOperationFlag( OTF2_Type type,
                                        OTF2_AttributeValue value,
                                        OTF2_IoOperationFlag* enumValue );

/**
 * Converts an #OTF2_CommFlag to a value of type #OTF2_TYPE_UINT32.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetCommFlag( OTF2_CommFlag enumValue,
                                 OTF2_Type* type,
                                 OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT32 to an #OTF2_CommFlag.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetCommFlag( OTF2_Type type,
                                 OTF2_AttributeValue value,
                                 OTF2_CommFlag* enumValue );

/**
 * Converts an #OTF2_RmaWinFlag to a value of type #OTF2_TYPE_UINT32.
 *
 * @param enumValue The value of the enumeration; not checked.
 * @param type Receives the type.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_SetRmaWinFlag( OTF2_RmaWinFlag enumValue,
                                   OTF2_Type* type,
                                   OTF2_AttributeValue* value );

/**
 * Converts a value of type #OTF2_TYPE_UINT32 to an #OTF2_RmaWinFlag.
 *
 * @param type The type of the value.
 * @param value The value.
 * @param enumValue Receives the value of the enumeration, which is not checked.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeValue_GetRmaWinFlag( OTF2_Type type,
                                   OTF2_AttributeValue value,
                                   OTF2_RmaWinFlag* enumValue );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_ATTRIBUTE_VALUE_H */
