/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_AttributeList.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_ATTRIBUTE_LIST_H
#define OTF2_ATTRIBUTE_LIST_H

/**
 * @file
 * Attribute lists: further attributes of an event or of a snapshot record.
 *
 * A list keeps the order in which attributes are added, and has each attribute at most once. Adding
 * one takes time in proportion to the length of the list. A function that writes a record empties
 * the list, so that one list serves many events. Lists that are passed to a callback belong to the
 * library and are valid until the callback returns; the callback may change them.
 *
 * The type of a value is that in the list, also if the Attribute definition names another.
 */

#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif
#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <otf2/OTF2_AttributeValue.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A list of attributes with their values. */
typedef struct OTF2_AttributeList_struct OTF2_AttributeList;

/**
 * Makes an empty list.
 *
 * @return The list, to be deleted with #OTF2_AttributeList_Delete, or NULL if there is no memory.
 */
OTF2_AttributeList*
OTF2_AttributeList_New( void );

/**
 * Deletes a list that the program has made.
 *
 * @param attributeList The list, or NULL.
 * @return #OTF2_SUCCESS.
 */
OTF2_ErrorCode
OTF2_AttributeList_Delete( OTF2_AttributeList* attributeList );

/**
 * Appends a value of any type. The type is not checked.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param type The type of the value.
 * @param attributeValue The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddAttribute( OTF2_AttributeList* attributeList,
                                 OTF2_AttributeRef attribute,
                                 OTF2_Type type,
                                 OTF2_AttributeValue attributeValue );

/**
 * Appends a value of type #OTF2_TYPE_UINT8.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param uint8Value The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddUint8( OTF2_AttributeList* attributeList,
                             OTF2_AttributeRef attribute,
                             uint8_t uint8Value );

/**
 * Appends a value of type #OTF2_TYPE_UINT16.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param uint16Value The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddUint16( OTF2_AttributeList* attributeList,
                              OTF2_AttributeRef attribute,
                              uint16_t uint16Value );

/**
 * Appends a value of type #OTF2_TYPE_UINT32.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param uint32Value The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddUint32( OTF2_AttributeList* attributeList,
                              OTF2_AttributeRef attribute,
                              uint32_t uint32Value );

/**
 * Appends a value of type #OTF2_TYPE_UINT64.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param uint64Value The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddUint64( OTF2_AttributeList* attributeList,
                              OTF2_AttributeRef attribute,
                              uint64_t uint64Value );

/**
 * Appends a value of type #OTF2_TYPE_INT8.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param int8Value The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddInt8( OTF2_AttributeList* attributeList,
                            OTF2_AttributeRef attribute,
                            int8_t int8Value );

/**
 * Appends a value of type #OTF2_TYPE_INT16.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param int16Value The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddInt16( OTF2_AttributeList* attributeList,
                             OTF2_AttributeRef attribute,
                             int16_t int16Value );

/**
 * Appends a value of type #OTF2_TYPE_INT32.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param int32Value The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddInt32( OTF2_AttributeList* attributeList,
                             OTF2_AttributeRef attribute,
                             int32_t int32Value );

/**
 * Appends a value of type #OTF2_TYPE_INT64.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param int64Value The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddInt64( OTF2_AttributeList* attributeList,
                             OTF2_AttributeRef attribute,
                             int64_t int64Value );

/**
 * Appends a value of type #OTF2_TYPE_FLOAT.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param float32Value The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddFloat( OTF2_AttributeList* attributeList,
                             OTF2_AttributeRef attribute,
                             float float32Value );

/**
 * Appends a value of type #OTF2_TYPE_DOUBLE.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param float64Value The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddDouble( OTF2_AttributeList* attributeList,
                              OTF2_AttributeRef attribute,
                              double float64Value );

/**
 * Appends a value of type #OTF2_TYPE_STRING.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param stringRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddStringRef( OTF2_AttributeList* attributeList,
                                 OTF2_AttributeRef attribute,
                                 OTF2_StringRef stringRef );

/**
 * Appends a value of type #OTF2_TYPE_ATTRIBUTE.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param attributeRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddAttributeRef( OTF2_AttributeList* attributeList,
                                    OTF2_AttributeRef attribute,
                                    OTF2_AttributeRef attributeRef );

/**
 * Appends a value of type #OTF2_TYPE_LOCATION.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param locationRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddLocationRef( OTF2_AttributeList* attributeList,
                                   OTF2_AttributeRef attribute,
                                   OTF2_LocationRef locationRef );

/**
 * Appends a value of type #OTF2_TYPE_REGION.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param regionRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddRegionRef( OTF2_AttributeList* attributeList,
                                 OTF2_AttributeRef attribute,
                                 OTF2_RegionRef regionRef );

/**
 * Appends a value of type #OTF2_TYPE_GROUP.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param groupRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddGroupRef( OTF2_AttributeList* attributeList,
                                OTF2_AttributeRef attribute,
                                OTF2_GroupRef groupRef );

/**
 * Appends a value of type #OTF2_TYPE_METRIC.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param metricRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddMetricRef( OTF2_AttributeList* attributeList,
                                 OTF2_AttributeRef attribute,
                                 OTF2_MetricRef metricRef );

/**
 * Appends a value of type #OTF2_TYPE_COMM.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param commRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddCommRef( OTF2_AttributeList* attributeList,
                               OTF2_AttributeRef attribute,
                               OTF2_CommRef commRef );

/**
 * Appends a value of type #OTF2_TYPE_PARAMETER.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param parameterRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddParameterRef( OTF2_AttributeList* attributeList,
                                    OTF2_AttributeRef attribute,
                                    OTF2_ParameterRef parameterRef );

/**
 * Appends a value of type #OTF2_TYPE_RMA_WIN.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param rmaWinRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddRmaWinRef( OTF2_AttributeList* attributeList,
                                 OTF2_AttributeRef attribute,
                                 OTF2_RmaWinRef rmaWinRef );

/**
 * Appends a value of type #OTF2_TYPE_SOURCE_CODE_LOCATION.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param sourceCodeLocationRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddSourceCodeLocationRef( OTF2_AttributeList* attributeList,
                                             OTF2_AttributeRef attribute,
                                             OTF2_SourceCodeLocationRef sourceCodeLocationRef );

/**
 * Appends a value of type #OTF2_TYPE_CALLING_CONTEXT.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param callingContextRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddCallingContextRef( OTF2_AttributeList* attributeList,
                                         OTF2_AttributeRef attribute,
                                         OTF2_CallingContextRef callingContextRef );

/**
 * Appends a value of type #OTF2_TYPE_INTERRUPT_GENERATOR.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param interruptGeneratorRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddInterruptGeneratorRef( OTF2_AttributeList* attributeList,
                                             OTF2_AttributeRef attribute,
                                             OTF2_InterruptGeneratorRef interruptGeneratorRef );

/**
 * Appends a value of type #OTF2_TYPE_IO_FILE.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param ioFileRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddIoFileRef( OTF2_AttributeList* attributeList,
                                 OTF2_AttributeRef attribute,
                                 OTF2_IoFileRef ioFileRef );

/**
 * Appends a value of type #OTF2_TYPE_IO_HANDLE.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param ioHandleRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddIoHandleRef( OTF2_AttributeList* attributeList,
                                   OTF2_AttributeRef attribute,
                                   OTF2_IoHandleRef ioHandleRef );

/**
 * Appends a value of type #OTF2_TYPE_LOCATION_GROUP.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition; at most one value per attribute.
 * @param locationGroupRef The value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the
 *     attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddLocationGroupRef( OTF2_AttributeList* attributeList,
                                        OTF2_AttributeRef attribute,
                                        OTF2_LocationGroupRef locationGroupRef );

/**
 * Appends the id of a string, as #OTF2_AttributeList_AddStringRef does: the name of that function
 * in OTF2 1.x. It is not in libotf2 3.x.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param stringRef The id of the String definition.
 * @return As #OTF2_AttributeList_AddStringRef.
 * @deprecated Use #OTF2_AttributeList_AddStringRef.
 */
OTF2_ErrorCode
OTF2_AttributeList_AddString( OTF2_AttributeList* attributeList,
                              OTF2_AttributeRef attribute,
                              OTF2_StringRef stringRef ) __otf2_deprecated__;

/**
 * Removes an attribute.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has no such
 *     attribute.
 */
OTF2_ErrorCode
OTF2_AttributeList_RemoveAttribute( OTF2_AttributeList* attributeList,
                                    OTF2_AttributeRef attribute );

/**
 * Removes all attributes.
 *
 * @param attributeList The list.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeList_RemoveAllAttributes( OTF2_AttributeList* attributeList );

/**
 * Returns whether a list has an attribute.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @return True if it has; false otherwise, and if the list is NULL.
 */
bool
OTF2_AttributeList_TestAttributeByID( const OTF2_AttributeList* attributeList,
                                      OTF2_AttributeRef attribute );

/**
 * Returns the value of an attribute, whatever its type.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param type Receives the type.
 * @param attributeValue Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL or the list has no
 *     such attribute.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetAttributeByID( const OTF2_AttributeList* attributeList,
                                     OTF2_AttributeRef attribute,
                                     OTF2_Type* type,
                                     OTF2_AttributeValue* attributeValue );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_UINT8.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param uint8Value Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetUint8( const OTF2_AttributeList* attributeList,
                             OTF2_AttributeRef attribute,
                             uint8_t* uint8Value );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_UINT16.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param uint16Value Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetUint16( const OTF2_AttributeList* attributeList,
                              OTF2_AttributeRef attribute,
                              uint16_t* uint16Value );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_UINT32.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param uint32Value Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetUint32( const OTF2_AttributeList* attributeList,
                              OTF2_AttributeRef attribute,
                              uint32_t* uint32Value );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_UINT64.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param uint64Value Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetUint64( const OTF2_AttributeList* attributeList,
                              OTF2_AttributeRef attribute,
                              uint64_t* uint64Value );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_INT8.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param int8Value Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetInt8( const OTF2_AttributeList* attributeList,
                            OTF2_AttributeRef attribute,
                            int8_t* int8Value );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_INT16.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param int16Value Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetInt16( const OTF2_AttributeList* attributeList,
                             OTF2_AttributeRef attribute,
                             int16_t* int16Value );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_INT32.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param int32Value Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetInt32( const OTF2_AttributeList* attributeList,
                             OTF2_AttributeRef attribute,
                             int32_t* int32Value );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_INT64.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param int64Value Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetInt64( const OTF2_AttributeList* attributeList,
                             OTF2_AttributeRef attribute,
                             int64_t* int64Value );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_FLOAT.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param float32Value Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetFloat( const OTF2_AttributeList* attributeList,
                             OTF2_AttributeRef attribute,
                             float* float32Value );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_DOUBLE.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param float64Value Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetDouble( const OTF2_AttributeList* attributeList,
                              OTF2_AttributeRef attribute,
                              double* float64Value );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_STRING.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param stringRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetStringRef( const OTF2_AttributeList* attributeList,
                                 OTF2_AttributeRef attribute,
                                 OTF2_StringRef* stringRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_ATTRIBUTE.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param attributeRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetAttributeRef( const OTF2_AttributeList* attributeList,
                                    OTF2_AttributeRef attribute,
                                    OTF2_AttributeRef* attributeRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_LOCATION.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param locationRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetLocationRef( const OTF2_AttributeList* attributeList,
                                   OTF2_AttributeRef attribute,
                                   OTF2_LocationRef* locationRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_REGION.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param regionRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetRegionRef( const OTF2_AttributeList* attributeList,
                                 OTF2_AttributeRef attribute,
                                 OTF2_RegionRef* regionRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_GROUP.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param groupRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetGroupRef( const OTF2_AttributeList* attributeList,
                                OTF2_AttributeRef attribute,
                                OTF2_GroupRef* groupRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_METRIC.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param metricRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetMetricRef( const OTF2_AttributeList* attributeList,
                                 OTF2_AttributeRef attribute,
                                 OTF2_MetricRef* metricRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_COMM.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param commRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetCommRef( const OTF2_AttributeList* attributeList,
                               OTF2_AttributeRef attribute,
                               OTF2_CommRef* commRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_PARAMETER.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param parameterRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetParameterRef( const OTF2_AttributeList* attributeList,
                                    OTF2_AttributeRef attribute,
                                    OTF2_ParameterRef* parameterRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_RMA_WIN.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param rmaWinRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetRmaWinRef( const OTF2_AttributeList* attributeList,
                                 OTF2_AttributeRef attribute,
                                 OTF2_RmaWinRef* rmaWinRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_SOURCE_CODE_LOCATION.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param sourceCodeLocationRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetSourceCodeLocationRef( const OTF2_AttributeList* attributeList,
                                             OTF2_AttributeRef attribute,
                                             OTF2_SourceCodeLocationRef* sourceCodeLocationRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_CALLING_CONTEXT.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param callingContextRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetCallingContextRef( const OTF2_AttributeList* attributeList,
                                         OTF2_AttributeRef attribute,
                                         OTF2_CallingContextRef* callingContextRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_INTERRUPT_GENERATOR.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param interruptGeneratorRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetInterruptGeneratorRef( const OTF2_AttributeList* attributeList,
                                             OTF2_AttributeRef attribute,
                                             OTF2_InterruptGeneratorRef* interruptGeneratorRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_IO_FILE.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param ioFileRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetIoFileRef( const OTF2_AttributeList* attributeList,
                                 OTF2_AttributeRef attribute,
                                 OTF2_IoFileRef* ioFileRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_IO_HANDLE.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param ioHandleRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetIoHandleRef( const OTF2_AttributeList* attributeList,
                                   OTF2_AttributeRef attribute,
                                   OTF2_IoHandleRef* ioHandleRef );

/**
 * Returns the value of an attribute of type #OTF2_TYPE_LOCATION_GROUP.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param locationGroupRef Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no
 *     such attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetLocationGroupRef( const OTF2_AttributeList* attributeList,
                                        OTF2_AttributeRef attribute,
                                        OTF2_LocationGroupRef* locationGroupRef );

/**
 * Returns the id of a string, as #OTF2_AttributeList_GetStringRef does: the name of that function
 * in OTF2 1.x. It is not in libotf2 3.x.
 *
 * @param attributeList The list.
 * @param attribute The id of the Attribute definition.
 * @param stringRef Receives the id of the String definition.
 * @return As #OTF2_AttributeList_GetStringRef.
 * @deprecated Use #OTF2_AttributeList_GetStringRef.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetString( const OTF2_AttributeList* attributeList,
                              OTF2_AttributeRef attribute,
                              OTF2_StringRef* stringRef ) __otf2_deprecated__;

/**
 * Returns an attribute by its place in the list.
 *
 * @param attributeList The list.
 * @param index The place, counted from 0.
 * @param attribute Receives the id of the Attribute definition.
 * @param type Receives the type.
 * @param attributeValue Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INDEX_OUT_OF_BOUNDS if the list is shorter;
 *     #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_AttributeList_GetAttributeByIndex( const OTF2_AttributeList* attributeList,
                                        uint32_t index,
                                        OTF2_AttributeRef* attribute,
                                        OTF2_Type* type,
                                        OTF2_AttributeValue* attributeValue );

/**
 * Removes the first attribute and returns it.
 *
 * @param attributeList The list.
 * @param attribute Receives the id of the Attribute definition.
 * @param type Receives the type.
 * @param attributeValue Receives the value.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL or the list is empty.
 */
OTF2_ErrorCode
OTF2_AttributeList_PopAttribute( OTF2_AttributeList* attributeList,
                                 OTF2_AttributeRef* attribute,
                                 OTF2_Type* type,
                                 OTF2_AttributeValue* attributeValue );

/**
 * Returns the number of attributes.
 *
 * @param attributeList The list.
 * @return The number, 0 if the list is NULL.
 */
uint32_t
OTF2_AttributeList_GetNumberOfElements( const OTF2_AttributeList* attributeList );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_ATTRIBUTE_LIST_H */
