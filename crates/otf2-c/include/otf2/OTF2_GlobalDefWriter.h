/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_GlobalDefWriter.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_GLOBAL_DEF_WRITER_H
#define OTF2_GLOBAL_DEF_WRITER_H

/**
 * @file
 * The writer of the global definitions, which describe the objects to which events refer.
 *
 * Only rank 0 has this writer: #OTF2_Archive_GetGlobalDefWriter. Ids are unique within their id
 * space and may have gaps. A definition should be written before those that refer to it. Strings
 * and arrays are copied. Values are not checked. The functions that write a record count it for the
 * anchor file; they return
 *
 * - #OTF2_ERROR_INVALID_ARGUMENT if the writer or a string is NULL, or an array is NULL although
 *   its length is not 0; nothing is written.
 * - #OTF2_ERROR_INVALID_SIZE_GIVEN if the record does not fit a chunk; nothing is written.
 * - #OTF2_ERROR_MEM_FAULT if there is no memory, and the flush callback does not allow to write the
 *   buffer.
 * - #OTF2_ERROR_LOCKING_CALLBACK if a locking callback failed.
 * - the code of an error of the system if the buffer had to be written and that failed.
 */

#include <stdint.h>
#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <otf2/OTF2_AttributeValue.h>
#include <otf2/OTF2_Definitions.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The writer of the global definitions. */
typedef struct OTF2_GlobalDefWriter_struct OTF2_GlobalDefWriter;

/**
 * Returns the number of definitions written so far.
 *
 * @param writerHandle The writer.
 * @param numberOfDefinitions Receives the number.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_GetNumberOfDefinitions( OTF2_GlobalDefWriter* writerHandle,
                                             uint64_t* numberOfDefinitions );

/**
 * Returns the number of Location definitions written so far.
 *
 * @param writerHandle The writer.
 * @param numberOfLocations Receives the number.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_GetNumberOfLocations( OTF2_GlobalDefWriter* writerHandle,
                                           uint64_t* numberOfLocations );

/**
 * Writes the record ClockProperties: the resolution of the clock and the time range of the trace.
 * No event is outside `globalOffset` to `globalOffset + traceLength`.
 *
 * @param writerHandle The writer.
 * @param timerResolution The number of ticks per second.
 * @param globalOffset The time of the first event, in ticks.
 * @param traceLength The number of ticks from `globalOffset` to the last event.
 * @param realtimeTimestamp The wall clock time at `globalOffset`, in nanoseconds since 1970-01-01
 *     00:00 UTC; all ones if undefined. Since 3.0.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteClockProperties( OTF2_GlobalDefWriter* writerHandle,
                                           uint64_t timerResolution,
                                           uint64_t globalOffset,
                                           uint64_t traceLength,
                                           uint64_t realtimeTimestamp );

/**
 * Writes the record Paradigm: a paradigm that took part in the measurement.
 *
 * @param writerHandle The writer.
 * @param paradigm The paradigm.
 * @param name The name.
 * @param paradigmClass The class of the paradigm.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.5
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteParadigm( OTF2_GlobalDefWriter* writerHandle,
                                    OTF2_Paradigm paradigm,
                                    OTF2_StringRef name,
                                    OTF2_ParadigmClass paradigmClass );

/**
 * Writes the record ParadigmProperty: a property of a paradigm.
 *
 * @param writerHandle The writer.
 * @param paradigm The paradigm.
 * @param property The property.
 * @param type The type of the value.
 * @param value The value with its type.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.5
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteParadigmProperty( OTF2_GlobalDefWriter* writerHandle,
                                            OTF2_Paradigm paradigm,
                                            OTF2_ParadigmProperty property,
                                            OTF2_Type type,
                                            OTF2_AttributeValue value );

/**
 * Writes the record IoParadigm: an I/O paradigm (POSIX, ISO C, MPI-IO, ...) and its properties.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param identification The identification, e.g. `POSIX`, by which tools recognise the paradigm.
 * @param name The name.
 * @param ioParadigmClass Whether the paradigm is serial or parallel.
 * @param ioParadigmFlags The flags.
 * @param numberOfProperties The number of elements of `properties`, `types`, `values`.
 * @param properties The properties.
 * @param types The type of each value.
 * @param values The value of each property.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteIoParadigm( OTF2_GlobalDefWriter* writerHandle,
                                      OTF2_IoParadigmRef self,
                                      OTF2_StringRef identification,
                                      OTF2_StringRef name,
                                      OTF2_IoParadigmClass ioParadigmClass,
                                      OTF2_IoParadigmFlag ioParadigmFlags,
                                      uint8_t numberOfProperties,
                                      const OTF2_IoParadigmProperty* properties,
                                      const OTF2_Type* types,
                                      const OTF2_AttributeValue* values );

/**
 * Writes the record String: a string; every other definition refers to texts by its id.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param string The string.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteString( OTF2_GlobalDefWriter* writerHandle,
                                  OTF2_StringRef self,
                                  const char* string );

/**
 * Writes the record Attribute: an attribute, which an attribute list of an event may contain.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param description The description. Since 1.4.
 * @param type The type of the value.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteAttribute( OTF2_GlobalDefWriter* writerHandle,
                                     OTF2_AttributeRef self,
                                     OTF2_StringRef name,
                                     OTF2_StringRef description,
                                     OTF2_Type type );

/**
 * Writes the record SystemTreeNode: a node of the machine tree.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param className The class, e.g. `node`.
 * @param parent The parent, or undefined.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteSystemTreeNode( OTF2_GlobalDefWriter* writerHandle,
                                          OTF2_SystemTreeNodeRef self,
                                          OTF2_StringRef name,
                                          OTF2_StringRef className,
                                          OTF2_SystemTreeNodeRef parent );

/**
 * Writes the record LocationGroup: a group of locations, usually a process.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param locationGroupType The type of the group.
 * @param systemTreeParent The node of the system tree to which the group belongs.
 * @param creatingLocationGroup The group that created this one, or undefined. Since 3.0.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteLocationGroup( OTF2_GlobalDefWriter* writerHandle,
                                         OTF2_LocationGroupRef self,
                                         OTF2_StringRef name,
                                         OTF2_LocationGroupType locationGroupType,
                                         OTF2_SystemTreeNodeRef systemTreeParent,
                                         OTF2_LocationGroupRef creatingLocationGroup );

/**
 * Writes the record Location: a location: one stream of events.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param locationType The type of the location.
 * @param numberOfEvents The number of events of the location; informative.
 * @param locationGroup The location group.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteLocation( OTF2_GlobalDefWriter* writerHandle,
                                    OTF2_LocationRef self,
                                    OTF2_StringRef name,
                                    OTF2_LocationType locationType,
                                    uint64_t numberOfEvents,
                                    OTF2_LocationGroupRef locationGroup );

/**
 * Writes the record Region: a source code region, which can be entered and left.
 *
 * @param writerHandle The writer.
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
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteRegion( OTF2_GlobalDefWriter* writerHandle,
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
 * Writes the record Callsite: the place of a call.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param sourceFile The source file.
 * @param lineNumber The line, 0 if unknown.
 * @param enteredRegion The called region.
 * @param leftRegion The calling region.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 * @deprecated since 2.0: use SourceCodeLocation and CallingContext.
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteCallsite( OTF2_GlobalDefWriter* writerHandle,
                                    OTF2_CallsiteRef self,
                                    OTF2_StringRef sourceFile,
                                    uint32_t lineNumber,
                                    OTF2_RegionRef enteredRegion,
                                    OTF2_RegionRef leftRegion ) __otf2_deprecated__;

/**
 * Writes the record Callpath: a node of a call path tree.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param parent The parent, or undefined.
 * @param region The region.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteCallpath( OTF2_GlobalDefWriter* writerHandle,
                                    OTF2_CallpathRef self,
                                    OTF2_CallpathRef parent,
                                    OTF2_RegionRef region );

/**
 * Writes the record Group: a set of locations, regions or metrics, or the ranks of a communicator.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param groupType The type. Since 1.2.
 * @param paradigm The paradigm. Since 1.2.
 * @param groupFlags The flags. Since 1.2.
 * @param numberOfMembers The number of elements of `members`.
 * @param members The members, whose meaning depends on the type.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteGroup( OTF2_GlobalDefWriter* writerHandle,
                                 OTF2_GroupRef self,
                                 OTF2_StringRef name,
                                 OTF2_GroupType groupType,
                                 OTF2_Paradigm paradigm,
                                 OTF2_GroupFlag groupFlags,
                                 uint32_t numberOfMembers,
                                 const uint64_t* members );

/**
 * Writes the record MetricMember: one metric: meaning, type and unit.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param description The description.
 * @param metricType The source of the metric.
 * @param metricMode The mode: how values relate to each other and to time.
 * @param valueType The type of the values.
 * @param base The base of the scale.
 * @param exponent The exponent of the scale: value * base ^ exponent.
 * @param unit The unit.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteMetricMember( OTF2_GlobalDefWriter* writerHandle,
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
 * Writes the record MetricClass: a set of metrics that are recorded together.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param numberOfMetrics The number of elements of `metricMembers`.
 * @param metricMembers The metrics, in the order of the values.
 * @param metricOccurrence When values are recorded.
 * @param recorderKind The kind of location that records the class. Since 1.2.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteMetricClass( OTF2_GlobalDefWriter* writerHandle,
                                       OTF2_MetricRef self,
                                       uint8_t numberOfMetrics,
                                       const OTF2_MetricMemberRef* metricMembers,
                                       OTF2_MetricOccurrence metricOccurrence,
                                       OTF2_RecorderKind recorderKind );

/**
 * Writes the record MetricInstance: a metric class that a particular location records for a scope.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param metricClass The metric class.
 * @param recorder The location that records the values.
 * @param metricScope The kind of object to which the values refer.
 * @param scope The id of that object, in the id space that `metricScope` names.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteMetricInstance( OTF2_GlobalDefWriter* writerHandle,
                                          OTF2_MetricRef self,
                                          OTF2_MetricRef metricClass,
                                          OTF2_LocationRef recorder,
                                          OTF2_MetricScope metricScope,
                                          uint64_t scope );

/**
 * Writes the record Comm: a communicator.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param group The group.
 * @param parent The parent, or undefined.
 * @param flags The flags. Since 3.0.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteComm( OTF2_GlobalDefWriter* writerHandle,
                                OTF2_CommRef self,
                                OTF2_StringRef name,
                                OTF2_GroupRef group,
                                OTF2_CommRef parent,
                                OTF2_CommFlag flags );

/**
 * Writes the record Parameter: a parameter whose values parameter events record.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param parameterType The type of the values.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteParameter( OTF2_GlobalDefWriter* writerHandle,
                                     OTF2_ParameterRef self,
                                     OTF2_StringRef name,
                                     OTF2_ParameterType parameterType );

/**
 * Writes the record RmaWin: a memory window of one-sided communication.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param comm The communicator, or undefined.
 * @param flags The flags. Since 3.0.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteRmaWin( OTF2_GlobalDefWriter* writerHandle,
                                  OTF2_RmaWinRef self,
                                  OTF2_StringRef name,
                                  OTF2_CommRef comm,
                                  OTF2_RmaWinFlag flags );

/**
 * Writes the record MetricClassRecorder: a location that records a metric class.
 *
 * @param writerHandle The writer.
 * @param metric The metric class or instance.
 * @param recorder The location that records the values.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteMetricClassRecorder( OTF2_GlobalDefWriter* writerHandle,
                                               OTF2_MetricRef metric,
                                               OTF2_LocationRef recorder );

/**
 * Writes the record SystemTreeNodeProperty: a property of a system tree node.
 *
 * @param writerHandle The writer.
 * @param systemTreeNode The system tree node.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type. Since 2.0.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty( OTF2_GlobalDefWriter* writerHandle,
                                                  OTF2_SystemTreeNodeRef systemTreeNode,
                                                  OTF2_StringRef name,
                                                  OTF2_Type type,
                                                  OTF2_AttributeValue value );

/**
 * Writes the record SystemTreeNodeDomain: a domain to which a system tree node belongs.
 *
 * @param writerHandle The writer.
 * @param systemTreeNode The system tree node.
 * @param systemTreeDomain The domain.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain( OTF2_GlobalDefWriter* writerHandle,
                                                OTF2_SystemTreeNodeRef systemTreeNode,
                                                OTF2_SystemTreeDomain systemTreeDomain );

/**
 * Writes the record LocationGroupProperty: a property of a location group.
 *
 * @param writerHandle The writer.
 * @param locationGroup The location group.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type. Since 2.0.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteLocationGroupProperty( OTF2_GlobalDefWriter* writerHandle,
                                                 OTF2_LocationGroupRef locationGroup,
                                                 OTF2_StringRef name,
                                                 OTF2_Type type,
                                                 OTF2_AttributeValue value );

/**
 * Writes the record LocationProperty: a property of a location.
 *
 * @param writerHandle The writer.
 * @param location The location.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type. Since 2.0.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteLocationProperty( OTF2_GlobalDefWriter* writerHandle,
                                            OTF2_LocationRef location,
                                            OTF2_StringRef name,
                                            OTF2_Type type,
                                            OTF2_AttributeValue value );

/**
 * Writes the record CartDimension: a dimension of a Cartesian topology.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param size The number of elements.
 * @param cartPeriodicity Whether the dimension wraps around.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteCartDimension( OTF2_GlobalDefWriter* writerHandle,
                                         OTF2_CartDimensionRef self,
                                         OTF2_StringRef name,
                                         uint32_t size,
                                         OTF2_CartPeriodicity cartPeriodicity );

/**
 * Writes the record CartTopology: a Cartesian topology of a communicator.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param communicator The communicator.
 * @param numberOfDimensions The number of elements of `cartDimensions`.
 * @param cartDimensions The dimensions.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteCartTopology( OTF2_GlobalDefWriter* writerHandle,
                                        OTF2_CartTopologyRef self,
                                        OTF2_StringRef name,
                                        OTF2_CommRef communicator,
                                        uint8_t numberOfDimensions,
                                        const OTF2_CartDimensionRef* cartDimensions );

/**
 * Writes the record CartCoordinate: the coordinates of a rank in a Cartesian topology.
 *
 * @param writerHandle The writer.
 * @param cartTopology The topology.
 * @param rank The rank in the communicator.
 * @param numberOfDimensions The number of elements of `coordinates`.
 * @param coordinates The coordinate in each dimension.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteCartCoordinate( OTF2_GlobalDefWriter* writerHandle,
                                          OTF2_CartTopologyRef cartTopology,
                                          uint32_t rank,
                                          uint8_t numberOfDimensions,
                                          const uint32_t* coordinates );

/**
 * Writes the record SourceCodeLocation: a file and a line.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param file The file.
 * @param lineNumber The line, 0 if unknown.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.5
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteSourceCodeLocation( OTF2_GlobalDefWriter* writerHandle,
                                              OTF2_SourceCodeLocationRef self,
                                              OTF2_StringRef file,
                                              uint32_t lineNumber );

/**
 * Writes the record CallingContext: a node of the calling context tree.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param region The region.
 * @param sourceCodeLocation The place of the call, or undefined.
 * @param parent The parent, or undefined.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.5
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteCallingContext( OTF2_GlobalDefWriter* writerHandle,
                                          OTF2_CallingContextRef self,
                                          OTF2_RegionRef region,
                                          OTF2_SourceCodeLocationRef sourceCodeLocation,
                                          OTF2_CallingContextRef parent );

/**
 * Writes the record CallingContextProperty: a property of a calling context.
 *
 * @param writerHandle The writer.
 * @param callingContext The calling context.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteCallingContextProperty( OTF2_GlobalDefWriter* writerHandle,
                                                  OTF2_CallingContextRef callingContext,
                                                  OTF2_StringRef name,
                                                  OTF2_Type type,
                                                  OTF2_AttributeValue value );

/**
 * Writes the record InterruptGenerator: a source of sampling interrupts with the period `period *
 * base ^ exponent`.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param interruptGeneratorMode Whether the generator counts time or events.
 * @param base The base of the scale.
 * @param exponent The exponent of the scale: period * base ^ exponent.
 * @param period The period.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.5
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteInterruptGenerator( OTF2_GlobalDefWriter* writerHandle,
                                              OTF2_InterruptGeneratorRef self,
                                              OTF2_StringRef name,
                                              OTF2_InterruptGeneratorMode interruptGeneratorMode,
                                              OTF2_Base base,
                                              int64_t exponent,
                                              uint64_t period );

/**
 * Writes the record IoFileProperty: a property of a file or directory.
 *
 * @param writerHandle The writer.
 * @param ioFile The file or directory.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteIoFileProperty( OTF2_GlobalDefWriter* writerHandle,
                                          OTF2_IoFileRef ioFile,
                                          OTF2_StringRef name,
                                          OTF2_Type type,
                                          OTF2_AttributeValue value );

/**
 * Writes the record IoRegularFile: a regular file.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param scope The node of the system tree on which the file is visible, or undefined.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteIoRegularFile( OTF2_GlobalDefWriter* writerHandle,
                                         OTF2_IoFileRef self,
                                         OTF2_StringRef name,
                                         OTF2_SystemTreeNodeRef scope );

/**
 * Writes the record IoDirectory: a directory.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param scope The node of the system tree on which the file is visible, or undefined.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteIoDirectory( OTF2_GlobalDefWriter* writerHandle,
                                       OTF2_IoFileRef self,
                                       OTF2_StringRef name,
                                       OTF2_SystemTreeNodeRef scope );

/**
 * Writes the record IoHandle: an I/O handle (file descriptor, stream, MPI file).
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param file The file.
 * @param ioParadigm The I/O paradigm.
 * @param ioHandleFlags The flags.
 * @param comm The communicator, or undefined.
 * @param parent The parent, or undefined.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteIoHandle( OTF2_GlobalDefWriter* writerHandle,
                                    OTF2_IoHandleRef self,
                                    OTF2_StringRef name,
                                    OTF2_IoFileRef file,
                                    OTF2_IoParadigmRef ioParadigm,
                                    OTF2_IoHandleFlag ioHandleFlags,
                                    OTF2_CommRef comm,
                                    OTF2_IoHandleRef parent );

/**
 * Writes the record IoPreCreatedHandleState: the state of a handle that was open before the
 * measurement started.
 *
 * @param writerHandle The writer.
 * @param ioHandle The handle.
 * @param mode The access mode.
 * @param statusFlags The status flags.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState( OTF2_GlobalDefWriter* writerHandle,
                                                   OTF2_IoHandleRef ioHandle,
                                                   OTF2_IoAccessMode mode,
                                                   OTF2_IoStatusFlag statusFlags );

/**
 * Writes the record CallpathParameter: a parameter value of a call path.
 *
 * @param writerHandle The writer.
 * @param callpath The call path.
 * @param parameter The parameter.
 * @param type The type of the value.
 * @param value The value with its type.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.2
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteCallpathParameter( OTF2_GlobalDefWriter* writerHandle,
                                             OTF2_CallpathRef callpath,
                                             OTF2_ParameterRef parameter,
                                             OTF2_Type type,
                                             OTF2_AttributeValue value );

/**
 * Writes the record InterComm: an inter-communicator of two groups.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param groupA The first group.
 * @param groupB The second group.
 * @param commonCommunicator The communicator to which both groups belong, or undefined.
 * @param flags The flags.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 3.0
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_WriteInterComm( OTF2_GlobalDefWriter* writerHandle,
                                     OTF2_CommRef self,
                                     OTF2_StringRef name,
                                     OTF2_GroupRef groupA,
                                     OTF2_GroupRef groupB,
                                     OTF2_CommRef commonCommunicator,
                                     OTF2_CommFlag flags );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_GLOBAL_DEF_WRITER_H */
