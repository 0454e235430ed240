/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_DefReaderCallbacks.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_DEF_READER_CALLBACKS_H
#define OTF2_DEF_READER_CALLBACKS_H

/**
 * @file
 * Callbacks for the definitions of a location, in the order of the file. Ids are those of the
 * location. Attributes that older archives do not have receive the values that the newer format
 * defines for them.
 *
 * Strings, arrays, id maps and attribute lists that are passed to a callback belong to the library
 * and are valid until the callback returns. A callback may call functions of other readers and
 * archives, but must not read from or close the reader that called it.
 */

#include <stdint.h>
#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <otf2/OTF2_AttributeValue.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_IdMap.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A table of callbacks. Readers copy it. */
typedef struct OTF2_DefReaderCallbacks_struct OTF2_DefReaderCallbacks;

/**
 * Makes a table without callbacks.
 *
 * @return The table, to be deleted by the caller, or NULL if there is no memory.
 */
OTF2_DefReaderCallbacks*
OTF2_DefReaderCallbacks_New( void );

/**
 * Deletes a table. Readers to which it was passed keep their copy.
 *
 * @param defReaderCallbacks The table, or NULL.
 */
void
OTF2_DefReaderCallbacks_Delete( OTF2_DefReaderCallbacks* defReaderCallbacks );

/**
 * Removes all callbacks from a table.
 *
 * @param defReaderCallbacks The table, or NULL.
 */
void
OTF2_DefReaderCallbacks_Clear( OTF2_DefReaderCallbacks* defReaderCallbacks );

/**
 * Type of the callback for records of a kind that this library does not know, from newer archives.
 *
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_Unknown )( void* userData );

/**
 * Sets the callback for unknown records.
 *
 * @param defReaderCallbacks The table.
 * @param unknownCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetUnknownCallback( OTF2_DefReaderCallbacks* defReaderCallbacks,
                                            OTF2_DefReaderCallback_Unknown unknownCallback );

/**
 * Type of the callback for MappingTable: the global ids of the local ids that the events of this
 * location use.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param mappingType The kind of ids that the table maps.
 * @param idMap The global id of each local id.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_MappingTable )( void* userData,
                                          OTF2_MappingType mappingType,
                                          const OTF2_IdMap* idMap );

/**
 * Sets the callback for MappingTable.
 *
 * @param defReaderCallbacks The table.
 * @param mappingTableCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetMappingTableCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_MappingTable mappingTableCallback );

/**
 * Type of the callback for ClockOffset: the offset of the location's clock from the global one at
 * one time. Offsets take effect only if there are at least two.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param time The time, in ticks.
 * @param offset The number of ticks to add to local times.
 * @param standardDeviation The standard deviation of the offset, in ticks; informative.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_ClockOffset )( void* userData,
                                         OTF2_TimeStamp time,
                                         int64_t offset,
                                         double standardDeviation );

/**
 * Sets the callback for ClockOffset.
 *
 * @param defReaderCallbacks The table.
 * @param clockOffsetCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetClockOffsetCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_ClockOffset clockOffsetCallback );

/**
 * Type of the callback for String: a string; every other definition refers to texts by its id.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param string The string.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_String )( void* userData,
                                    OTF2_StringRef self,
                                    const char* string );

/**
 * Sets the callback for String.
 *
 * @param defReaderCallbacks The table.
 * @param stringCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetStringCallback( OTF2_DefReaderCallbacks* defReaderCallbacks,
                                           OTF2_DefReaderCallback_String stringCallback );

/**
 * Type of the callback for Attribute: an attribute, which an attribute list of an event may
 * contain.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param description The description. Since 1.4.
 * @param type The type of the value.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_Attribute )( void* userData,
                                       OTF2_AttributeRef self,
                                       OTF2_StringRef name,
                                       OTF2_StringRef description,
                                       OTF2_Type type );

/**
 * Sets the callback for Attribute.
 *
 * @param defReaderCallbacks The table.
 * @param attributeCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetAttributeCallback( OTF2_DefReaderCallbacks* defReaderCallbacks,
                                              OTF2_DefReaderCallback_Attribute attributeCallback );

/**
 * Type of the callback for SystemTreeNode: a node of the machine tree.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param className The class, e.g. `node`.
 * @param parent The parent, or undefined.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_SystemTreeNode )( void* userData,
                                            OTF2_SystemTreeNodeRef self,
                                            OTF2_StringRef name,
                                            OTF2_StringRef className,
                                            OTF2_SystemTreeNodeRef parent );

/**
 * Sets the callback for SystemTreeNode.
 *
 * @param defReaderCallbacks The table.
 * @param systemTreeNodeCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetSystemTreeNodeCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_SystemTreeNode systemTreeNodeCallback );

/**
 * Type of the callback for LocationGroup: a group of locations, usually a process.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param locationGroupType The type of the group.
 * @param systemTreeParent The node of the system tree to which the group belongs.
 * @param creatingLocationGroup The group that created this one, or undefined. Since 3.0.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_LocationGroup )( void* userData,
                                           OTF2_LocationGroupRef self,
                                           OTF2_StringRef name,
                                           OTF2_LocationGroupType locationGroupType,
                                           OTF2_SystemTreeNodeRef systemTreeParent,
                                           OTF2_LocationGroupRef creatingLocationGroup );

/**
 * Sets the callback for LocationGroup.
 *
 * @param defReaderCallbacks The table.
 * @param locationGroupCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetLocationGroupCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_LocationGroup locationGroupCallback );

/**
 * Type of the callback for Location: a location: one stream of events.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param locationType The type of the location.
 * @param numberOfEvents The number of events of the location; informative.
 * @param locationGroup The location group.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_Location )( void* userData,
                                      OTF2_LocationRef self,
                                      OTF2_StringRef name,
                                      OTF2_LocationType locationType,
                                      uint64_t numberOfEvents,
                                      OTF2_LocationGroupRef locationGroup );

/**
 * Sets the callback for Location.
 *
 * @param defReaderCallbacks The table.
 * @param locationCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetLocationCallback( OTF2_DefReaderCallbacks* defReaderCallbacks,
                                             OTF2_DefReaderCallback_Location locationCallback );

/**
 * Type of the callback for Region: a source code region, which can be entered and left.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param canonicalName The name as in the object file, e.g. mangled. Since 1.1.
 * @param description The description.
 * @param regionRole The role. Since 1.1.
 * @param paradigm The paradigm. Since 1.1.
 * @param regionFlags The flags. Since 1.1.
 * @param sourceFile The source file.
 * @param beginLineNumber The first line, 0 if unknown.
 * @param endLineNumber The last line, 0 if unknown.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_Region )( void* userData,
                                    OTF2_RegionRef self,
                                    OTF2_StringRef name,
                                    OTF2_StringRef canonicalName,
                                    OTF2_StringRef description,
                                    OTF2_RegionRole regionRole,
                                    OTF2_Paradigm paradigm,
                                    OTF2_RegionFlag regionFlags,
                                    OTF2_StringRef sourceFile,
                                    uint32_t beginLineNumber,
                                    uint32_t endLineNumber );

/**
 * Sets the callback for Region.
 *
 * @param defReaderCallbacks The table.
 * @param regionCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetRegionCallback( OTF2_DefReaderCallbacks* defReaderCallbacks,
                                           OTF2_DefReaderCallback_Region regionCallback );

/**
 * Type of the callback for Callsite: the place of a call.
 *
 * Not written any more since 2.0: use SourceCodeLocation and CallingContext.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param sourceFile The source file.
 * @param lineNumber The line, 0 if unknown.
 * @param enteredRegion The called region.
 * @param leftRegion The calling region.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_Callsite )( void* userData,
                                      OTF2_CallsiteRef self,
                                      OTF2_StringRef sourceFile,
                                      uint32_t lineNumber,
                                      OTF2_RegionRef enteredRegion,
                                      OTF2_RegionRef leftRegion );

/**
 * Sets the callback for Callsite.
 *
 * @param defReaderCallbacks The table.
 * @param callsiteCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetCallsiteCallback( OTF2_DefReaderCallbacks* defReaderCallbacks,
                                             OTF2_DefReaderCallback_Callsite callsiteCallback );

/**
 * Type of the callback for Callpath: a node of a call path tree.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param parent The parent, or undefined.
 * @param region The region.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_Callpath )( void* userData,
                                      OTF2_CallpathRef self,
                                      OTF2_CallpathRef parent,
                                      OTF2_RegionRef region );

/**
 * Sets the callback for Callpath.
 *
 * @param defReaderCallbacks The table.
 * @param callpathCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetCallpathCallback( OTF2_DefReaderCallbacks* defReaderCallbacks,
                                             OTF2_DefReaderCallback_Callpath callpathCallback );

/**
 * Type of the callback for Group: a set of locations, regions or metrics, or the ranks of a
 * communicator.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param groupType The type. Since 1.2.
 * @param paradigm The paradigm. Since 1.2.
 * @param groupFlags The flags. Since 1.2.
 * @param numberOfMembers The number of elements of `members`.
 * @param members The members, whose meaning depends on the type.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_Group )( void* userData,
                                   OTF2_GroupRef self,
                                   OTF2_StringRef name,
                                   OTF2_GroupType groupType,
                                   OTF2_Paradigm paradigm,
                                   OTF2_GroupFlag groupFlags,
                                   uint32_t numberOfMembers,
                                   const uint64_t* members );

/**
 * Sets the callback for Group.
 *
 * @param defReaderCallbacks The table.
 * @param groupCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetGroupCallback( OTF2_DefReaderCallbacks* defReaderCallbacks,
                                          OTF2_DefReaderCallback_Group groupCallback );

/**
 * Type of the callback for MetricMember: one metric: meaning, type and unit.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param description The description.
 * @param metricType The source of the metric.
 * @param metricMode The mode: how values relate to each other and to time.
 * @param valueType The type of the values.
 * @param base The base of the scale.
 * @param exponent The exponent of the scale: value * base ^ exponent.
 * @param unit The unit.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_MetricMember )( void* userData,
                                          OTF2_MetricMemberRef self,
                                          OTF2_StringRef name,
                                          OTF2_StringRef description,
                                          OTF2_MetricType metricType,
                                          OTF2_MetricMode metricMode,
                                          OTF2_Type valueType,
                                          OTF2_Base base,
                                          int64_t exponent,
                                          OTF2_StringRef unit );

/**
 * Sets the callback for MetricMember.
 *
 * @param defReaderCallbacks The table.
 * @param metricMemberCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetMetricMemberCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_MetricMember metricMemberCallback );

/**
 * Type of the callback for MetricClass: a set of metrics that are recorded together.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param numberOfMetrics The number of elements of `metricMembers`.
 * @param metricMembers The metrics, in the order of the values.
 * @param metricOccurrence When values are recorded.
 * @param recorderKind The kind of location that records the class. Since 1.2.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_MetricClass )( void* userData,
                                         OTF2_MetricRef self,
                                         uint8_t numberOfMetrics,
                                         const OTF2_MetricMemberRef* metricMembers,
                                         OTF2_MetricOccurrence metricOccurrence,
                                         OTF2_RecorderKind recorderKind );

/**
 * Sets the callback for MetricClass.
 *
 * @param defReaderCallbacks The table.
 * @param metricClassCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetMetricClassCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_MetricClass metricClassCallback );

/**
 * Type of the callback for MetricInstance: a metric class that a particular location records for a
 * scope.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param metricClass The metric class.
 * @param recorder The location that records the values.
 * @param metricScope The kind of object to which the values refer.
 * @param scope The id of that object, in the id space that `metricScope` names.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_MetricInstance )( void* userData,
                                            OTF2_MetricRef self,
                                            OTF2_MetricRef metricClass,
                                            OTF2_LocationRef recorder,
                                            OTF2_MetricScope metricScope,
                                            uint64_t scope );

/**
 * Sets the callback for MetricInstance.
 *
 * @param defReaderCallbacks The table.
 * @param metricInstanceCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetMetricInstanceCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_MetricInstance metricInstanceCallback );

/**
 * Type of the callback for Comm: a communicator.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param group The group.
 * @param parent The parent, or undefined.
 * @param flags The flags. Since 3.0.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_Comm )( void* userData,
                                  OTF2_CommRef self,
                                  OTF2_StringRef name,
                                  OTF2_GroupRef group,
                                  OTF2_CommRef parent,
                                  OTF2_CommFlag flags );

/**
 * Sets the callback for Comm.
 *
 * @param defReaderCallbacks The table.
 * @param commCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetCommCallback( OTF2_DefReaderCallbacks* defReaderCallbacks,
                                         OTF2_DefReaderCallback_Comm commCallback );

/**
 * Type of the callback for Parameter: a parameter whose values parameter events record.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param parameterType The type of the values.
 * @since 1.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_Parameter )( void* userData,
                                       OTF2_ParameterRef self,
                                       OTF2_StringRef name,
                                       OTF2_ParameterType parameterType );

/**
 * Sets the callback for Parameter.
 *
 * @param defReaderCallbacks The table.
 * @param parameterCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetParameterCallback( OTF2_DefReaderCallbacks* defReaderCallbacks,
                                              OTF2_DefReaderCallback_Parameter parameterCallback );

/**
 * Type of the callback for RmaWin: a memory window of one-sided communication.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param comm The communicator, or undefined.
 * @param flags The flags. Since 3.0.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_RmaWin )( void* userData,
                                    OTF2_RmaWinRef self,
                                    OTF2_StringRef name,
                                    OTF2_CommRef comm,
                                    OTF2_RmaWinFlag flags );

/**
 * Sets the callback for RmaWin.
 *
 * @param defReaderCallbacks The table.
 * @param rmaWinCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetRmaWinCallback( OTF2_DefReaderCallbacks* defReaderCallbacks,
                                           OTF2_DefReaderCallback_RmaWin rmaWinCallback );

/**
 * Type of the callback for MetricClassRecorder: a location that records a metric class.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param metric The metric class or instance.
 * @param recorder The location that records the values.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_MetricClassRecorder )( void* userData,
                                                 OTF2_MetricRef metric,
                                                 OTF2_LocationRef recorder );

/**
 * Sets the callback for MetricClassRecorder.
 *
 * @param defReaderCallbacks The table.
 * @param metricClassRecorderCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetMetricClassRecorderCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_MetricClassRecorder metricClassRecorderCallback );

/**
 * Type of the callback for SystemTreeNodeProperty: a property of a system tree node.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param systemTreeNode The system tree node.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type. Since 2.0.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_SystemTreeNodeProperty )( void* userData,
                                                    OTF2_SystemTreeNodeRef systemTreeNode,
                                                    OTF2_StringRef name,
                                                    OTF2_Type type,
                                                    OTF2_AttributeValue value );

/**
 * Sets the callback for SystemTreeNodeProperty.
 *
 * @param defReaderCallbacks The table.
 * @param systemTreeNodePropertyCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetSystemTreeNodePropertyCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_SystemTreeNodeProperty systemTreeNodePropertyCallback );

/**
 * Type of the callback for SystemTreeNodeDomain: a domain to which a system tree node belongs.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param systemTreeNode The system tree node.
 * @param systemTreeDomain The domain.
 * @since 1.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_SystemTreeNodeDomain )( void* userData,
                                                  OTF2_SystemTreeNodeRef systemTreeNode,
                                                  OTF2_SystemTreeDomain systemTreeDomain );

/**
 * Sets the callback for SystemTreeNodeDomain.
 *
 * @param defReaderCallbacks The table.
 * @param systemTreeNodeDomainCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetSystemTreeNodeDomainCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_SystemTreeNodeDomain systemTreeNodeDomainCallback );

/**
 * Type of the callback for LocationGroupProperty: a property of a location group.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param locationGroup The location group.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type. Since 2.0.
 * @since 1.3
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_LocationGroupProperty )( void* userData,
                                                   OTF2_LocationGroupRef locationGroup,
                                                   OTF2_StringRef name,
                                                   OTF2_Type type,
                                                   OTF2_AttributeValue value );

/**
 * Sets the callback for LocationGroupProperty.
 *
 * @param defReaderCallbacks The table.
 * @param locationGroupPropertyCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetLocationGroupPropertyCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_LocationGroupProperty locationGroupPropertyCallback );

/**
 * Type of the callback for LocationProperty: a property of a location.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param location The location.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type. Since 2.0.
 * @since 1.3
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_LocationProperty )( void* userData,
                                              OTF2_LocationRef location,
                                              OTF2_StringRef name,
                                              OTF2_Type type,
                                              OTF2_AttributeValue value );

/**
 * Sets the callback for LocationProperty.
 *
 * @param defReaderCallbacks The table.
 * @param locationPropertyCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetLocationPropertyCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_LocationProperty locationPropertyCallback );

/**
 * Type of the callback for CartDimension: a dimension of a Cartesian topology.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param size The number of elements.
 * @param cartPeriodicity Whether the dimension wraps around.
 * @since 1.3
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_CartDimension )( void* userData,
                                           OTF2_CartDimensionRef self,
                                           OTF2_StringRef name,
                                           uint32_t size,
                                           OTF2_CartPeriodicity cartPeriodicity );

/**
 * Sets the callback for CartDimension.
 *
 * @param defReaderCallbacks The table.
 * @param cartDimensionCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetCartDimensionCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_CartDimension cartDimensionCallback );

/**
 * Type of the callback for CartTopology: a Cartesian topology of a communicator.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param communicator The communicator.
 * @param numberOfDimensions The number of elements of `cartDimensions`.
 * @param cartDimensions The dimensions.
 * @since 1.3
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_CartTopology )( void* userData,
                                          OTF2_CartTopologyRef self,
                                          OTF2_StringRef name,
                                          OTF2_CommRef communicator,
                                          uint8_t numberOfDimensions,
                                          const OTF2_CartDimensionRef* cartDimensions );

/**
 * Sets the callback for CartTopology.
 *
 * @param defReaderCallbacks The table.
 * @param cartTopologyCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetCartTopologyCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_CartTopology cartTopologyCallback );

/**
 * Type of the callback for CartCoordinate: the coordinates of a rank in a Cartesian topology.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param cartTopology The topology.
 * @param rank The rank in the communicator.
 * @param numberOfDimensions The number of elements of `coordinates`.
 * @param coordinates The coordinate in each dimension.
 * @since 1.3
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_CartCoordinate )( void* userData,
                                            OTF2_CartTopologyRef cartTopology,
                                            uint32_t rank,
                                            uint8_t numberOfDimensions,
                                            const uint32_t* coordinates );

/**
 * Sets the callback for CartCoordinate.
 *
 * @param defReaderCallbacks The table.
 * @param cartCoordinateCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetCartCoordinateCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_CartCoordinate cartCoordinateCallback );

/**
 * Type of the callback for SourceCodeLocation: a file and a line.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param file The file.
 * @param lineNumber The line, 0 if unknown.
 * @since 1.5
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_SourceCodeLocation )( void* userData,
                                                OTF2_SourceCodeLocationRef self,
                                                OTF2_StringRef file,
                                                uint32_t lineNumber );

/**
 * Sets the callback for SourceCodeLocation.
 *
 * @param defReaderCallbacks The table.
 * @param sourceCodeLocationCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetSourceCodeLocationCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_SourceCodeLocation sourceCodeLocationCallback );

/**
 * Type of the callback for CallingContext: a node of the calling context tree.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param region The region.
 * @param sourceCodeLocation The place of the call, or undefined.
 * @param parent The parent, or undefined.
 * @since 1.5
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_CallingContext )( void* userData,
                                            OTF2_CallingContextRef self,
                                            OTF2_RegionRef region,
                                            OTF2_SourceCodeLocationRef sourceCodeLocation,
                                            OTF2_CallingContextRef parent );

/**
 * Sets the callback for CallingContext.
 *
 * @param defReaderCallbacks The table.
 * @param callingContextCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetCallingContextCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_CallingContext callingContextCallback );

/**
 * Type of the callback for CallingContextProperty: a property of a calling context.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param callingContext The calling context.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type.
 * @since 2.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_CallingContextProperty )( void* userData,
                                                    OTF2_CallingContextRef callingContext,
                                                    OTF2_StringRef name,
                                                    OTF2_Type type,
                                                    OTF2_AttributeValue value );

/**
 * Sets the callback for CallingContextProperty.
 *
 * @param defReaderCallbacks The table.
 * @param callingContextPropertyCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetCallingContextPropertyCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_CallingContextProperty callingContextPropertyCallback );

/**
 * Type of the callback for InterruptGenerator: a source of sampling interrupts with the period
 * `period * base ^ exponent`.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param interruptGeneratorMode Whether the generator counts time or events.
 * @param base The base of the scale.
 * @param exponent The exponent of the scale: period * base ^ exponent.
 * @param period The period.
 * @since 1.5
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_InterruptGenerator )( void* userData,
                                                OTF2_InterruptGeneratorRef self,
                                                OTF2_StringRef name,
                                                OTF2_InterruptGeneratorMode interruptGeneratorMode,
                                                OTF2_Base base,
                                                int64_t exponent,
                                                uint64_t period );

/**
 * Sets the callback for InterruptGenerator.
 *
 * @param defReaderCallbacks The table.
 * @param interruptGeneratorCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetInterruptGeneratorCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_InterruptGenerator interruptGeneratorCallback );

/**
 * Type of the callback for IoFileProperty: a property of a file or directory.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param ioFile The file or directory.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_IoFileProperty )( void* userData,
                                            OTF2_IoFileRef ioFile,
                                            OTF2_StringRef name,
                                            OTF2_Type type,
                                            OTF2_AttributeValue value );

/**
 * Sets the callback for IoFileProperty.
 *
 * @param defReaderCallbacks The table.
 * @param ioFilePropertyCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetIoFilePropertyCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_IoFileProperty ioFilePropertyCallback );

/**
 * Type of the callback for IoRegularFile: a regular file.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param scope The node of the system tree on which the file is visible, or undefined.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_IoRegularFile )( void* userData,
                                           OTF2_IoFileRef self,
                                           OTF2_StringRef name,
                                           OTF2_SystemTreeNodeRef scope );

/**
 * Sets the callback for IoRegularFile.
 *
 * @param defReaderCallbacks The table.
 * @param ioRegularFileCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetIoRegularFileCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_IoRegularFile ioRegularFileCallback );

/**
 * Type of the callback for IoDirectory: a directory.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param scope The node of the system tree on which the file is visible, or undefined.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_IoDirectory )( void* userData,
                                         OTF2_IoFileRef self,
                                         OTF2_StringRef name,
                                         OTF2_SystemTreeNodeRef scope );

/**
 * Sets the callback for IoDirectory.
 *
 * @param defReaderCallbacks The table.
 * @param ioDirectoryCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetIoDirectoryCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_IoDirectory ioDirectoryCallback );

/**
 * Type of the callback for IoHandle: an I/O handle (file descriptor, stream, MPI file).
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param file The file.
 * @param ioParadigm The I/O paradigm.
 * @param ioHandleFlags The flags.
 * @param comm The communicator, or undefined.
 * @param parent The parent, or undefined.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_IoHandle )( void* userData,
                                      OTF2_IoHandleRef self,
                                      OTF2_StringRef name,
                                      OTF2_IoFileRef file,
                                      OTF2_IoParadigmRef ioParadigm,
                                      OTF2_IoHandleFlag ioHandleFlags,
                                      OTF2_CommRef comm,
                                      OTF2_IoHandleRef parent );

/**
 * Sets the callback for IoHandle.
 *
 * @param defReaderCallbacks The table.
 * @param ioHandleCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetIoHandleCallback( OTF2_DefReaderCallbacks* defReaderCallbacks,
                                             OTF2_DefReaderCallback_IoHandle ioHandleCallback );

/**
 * Type of the callback for IoPreCreatedHandleState: the state of a handle that was open before the
 * measurement started.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param ioHandle The handle.
 * @param mode The access mode.
 * @param statusFlags The status flags.
 * @since 2.1
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_IoPreCreatedHandleState )( void* userData,
                                                     OTF2_IoHandleRef ioHandle,
                                                     OTF2_IoAccessMode mode,
                                                     OTF2_IoStatusFlag statusFlags );

/**
 * Sets the callback for IoPreCreatedHandleState.
 *
 * @param defReaderCallbacks The table.
 * @param ioPreCreatedHandleStateCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetIoPreCreatedHandleStateCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_IoPreCreatedHandleState ioPreCreatedHandleStateCallback );

/**
 * Type of the callback for CallpathParameter: a parameter value of a call path.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param callpath The call path.
 * @param parameter The parameter.
 * @param type The type of the value.
 * @param value The value with its type.
 * @since 2.2
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_CallpathParameter )( void* userData,
                                               OTF2_CallpathRef callpath,
                                               OTF2_ParameterRef parameter,
                                               OTF2_Type type,
                                               OTF2_AttributeValue value );

/**
 * Sets the callback for CallpathParameter.
 *
 * @param defReaderCallbacks The table.
 * @param callpathParameterCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetCallpathParameterCallback(
    OTF2_DefReaderCallbacks* defReaderCallbacks,
    OTF2_DefReaderCallback_CallpathParameter callpathParameterCallback );

/**
 * Type of the callback for InterComm: an inter-communicator of two groups.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of this definition.
 * @param name The name.
 * @param groupA The first group.
 * @param groupB The second group.
 * @param commonCommunicator The communicator to which both groups belong, or undefined.
 * @param flags The flags.
 * @since 3.0
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 */
typedef OTF2_CallbackCode
( *OTF2_DefReaderCallback_InterComm )( void* userData,
                                       OTF2_CommRef self,
                                       OTF2_StringRef name,
                                       OTF2_GroupRef groupA,
                                       OTF2_GroupRef groupB,
                                       OTF2_CommRef commonCommunicator,
                                       OTF2_CommFlag flags );

/**
 * Sets the callback for InterComm.
 *
 * @param defReaderCallbacks The table.
 * @param interCommCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 */
OTF2_ErrorCode
OTF2_DefReaderCallbacks_SetInterCommCallback( OTF2_DefReaderCallbacks* defReaderCallbacks,
                                              OTF2_DefReaderCallback_InterComm interCommCallback );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_DEF_READER_CALLBACKS_H */
