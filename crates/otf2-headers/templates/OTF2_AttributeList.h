/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_AttributeList.h
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

//@ attribute_list Add

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

//@ attribute_list Get

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
