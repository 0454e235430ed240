/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_DefWriter.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_DEF_WRITER_H
#define OTF2_DEF_WRITER_H

/**
 * @file
 * Writers of the definitions of a location.
 *
 * Local definitions contain the data specific to a location: mapping tables, which replace its ids
 * by those of the global definitions, and clock offsets, which correct its times. All other
 * definitions may be local as well; readers pass them to callbacks and do not use them.
 *
 * #OTF2_Archive_GetDefWriter returns a writer, which may be used by one thread at a time. Strings
 * and arrays are copied. Values are not checked. The functions that write a record return
 *
 * - #OTF2_ERROR_INVALID_ARGUMENT if the writer, a string or an id map is NULL, or an array is NULL
 *   although its length is not 0; nothing is written.
 * - #OTF2_ERROR_INVALID_SIZE_GIVEN if the record does not fit a chunk; nothing is written.
 * - #OTF2_ERROR_MEM_FAULT if there is no memory, and the flush callback does not allow to write the
 *   buffer.
 * - the code of an error of the system if the buffer had to be written and that failed.
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

/** A writer of the definitions of a location. */
typedef struct OTF2_DefWriter_struct OTF2_DefWriter;

/**
 * Returns the location of a writer.
 *
 * @param writer The writer.
 * @param location Receives the location.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INTEGRITY_FAULT if the writer is NULL;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the other pointer is NULL.
 */
OTF2_ErrorCode
OTF2_DefWriter_GetLocationID( const OTF2_DefWriter* writer,
                              OTF2_LocationRef* location );

/**
 * Writes the record MappingTable: the global ids of the local ids that the events of this location
 * use.
 *
 * @param writer The writer.
 * @param mappingType The kind of ids that the table maps.
 * @param idMap The global id of each local id.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteMappingTable( OTF2_DefWriter* writer,
                                  OTF2_MappingType mappingType,
                                  const OTF2_IdMap* idMap );

/**
 * Writes the record ClockOffset: the offset of the location's clock from the global one at one
 * time. Offsets take effect only if there are at least two.
 *
 * @param writer The writer.
 * @param time The time, in ticks.
 * @param offset The number of ticks to add to local times.
 * @param standardDeviation The standard deviation of the offset, in ticks; informative.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteClockOffset( OTF2_DefWriter* writer,
                                 OTF2_TimeStamp time,
                                 int64_t offset,
                                 double standardDeviation );

/**
 * Writes the record String: a string; every other definition refers to texts by its id.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param string The string.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteString( OTF2_DefWriter* writer,
                            OTF2_StringRef self,
                            const char* string );

/**
 * Writes the record Attribute: an attribute, which an attribute list of an event may contain.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param description The description. Since 1.4.
 * @param type The type of the value.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteAttribute( OTF2_DefWriter* writer,
                               OTF2_AttributeRef self,
                               OTF2_StringRef name,
                               OTF2_StringRef description,
                               OTF2_Type type );

/**
 * Writes the record SystemTreeNode: a node of the machine tree.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param className The class, e.g. `node`.
 * @param parent The parent, or undefined.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteSystemTreeNode( OTF2_DefWriter* writer,
                                    OTF2_SystemTreeNodeRef self,
                                    OTF2_StringRef name,
                                    OTF2_StringRef className,
                                    OTF2_SystemTreeNodeRef parent );

/**
 * Writes the record LocationGroup: a group of locations, usually a process.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param locationGroupType The type of the group.
 * @param systemTreeParent The node of the system tree to which the group belongs.
 * @param creatingLocationGroup The group that created this one, or undefined. Since 3.0.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteLocationGroup( OTF2_DefWriter* writer,
                                   OTF2_LocationGroupRef self,
                                   OTF2_StringRef name,
                                   OTF2_LocationGroupType locationGroupType,
                                   OTF2_SystemTreeNodeRef systemTreeParent,
                                   OTF2_LocationGroupRef creatingLocationGroup );

/**
 * Writes the record Location: a location: one stream of events.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param locationType The type of the location.
 * @param numberOfEvents The number of events of the location; informative.
 * @param locationGroup The location group.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteLocation( OTF2_DefWriter* writer,
                              OTF2_LocationRef self,
                              OTF2_StringRef name,
                              OTF2_LocationType locationType,
                              uint64_t numberOfEvents,
                              OTF2_LocationGroupRef locationGroup );

/**
 * Writes the record Region: a source code region, which can be entered and left.
 *
 * @param writer The writer.
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
OTF2_DefWriter_WriteRegion( OTF2_DefWriter* writer,
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
 * @param writer The writer.
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
OTF2_DefWriter_WriteCallsite( OTF2_DefWriter* writer,
                              OTF2_CallsiteRef self,
                              OTF2_StringRef sourceFile,
                              uint32_t lineNumber,
                              OTF2_RegionRef enteredRegion,
                              OTF2_RegionRef leftRegion ) __otf2_deprecated__;

/**
 * Writes the record Callpath: a node of a call path tree.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param parent The parent, or undefined.
 * @param region The region.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteCallpath( OTF2_DefWriter* writer,
                              OTF2_CallpathRef self,
                              OTF2_CallpathRef parent,
                              OTF2_RegionRef region );

/**
 * Writes the record Group: a set of locations, regions or metrics, or the ranks of a communicator.
 *
 * @param writer The writer.
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
OTF2_DefWriter_WriteGroup( OTF2_DefWriter* writer,
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
 * @param writer The writer.
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
OTF2_DefWriter_WriteMetricMember( OTF2_DefWriter* writer,
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
 * @param writer The writer.
 * @param self The id of this definition.
 * @param numberOfMetrics The number of elements of `metricMembers`.
 * @param metricMembers The metrics, in the order of the values.
 * @param metricOccurrence When values are recorded.
 * @param recorderKind The kind of location that records the class. Since 1.2.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteMetricClass( OTF2_DefWriter* writer,
                                 OTF2_MetricRef self,
                                 uint8_t numberOfMetrics,
                                 const OTF2_MetricMemberRef* metricMembers,
                                 OTF2_MetricOccurrence metricOccurrence,
                                 OTF2_RecorderKind recorderKind );

/**
 * Writes the record MetricInstance: a metric class that a particular location records for a scope.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param metricClass The metric class.
 * @param recorder The location that records the values.
 * @param metricScope The kind of object to which the values refer.
 * @param scope The id of that object, in the id space that `metricScope` names.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteMetricInstance( OTF2_DefWriter* writer,
                                    OTF2_MetricRef self,
                                    OTF2_MetricRef metricClass,
                                    OTF2_LocationRef recorder,
                                    OTF2_MetricScope metricScope,
                                    uint64_t scope );

/**
 * Writes the record Comm: a communicator.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param group The group.
 * @param parent The parent, or undefined.
 * @param flags The flags. Since 3.0.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteComm( OTF2_DefWriter* writer,
                          OTF2_CommRef self,
                          OTF2_StringRef name,
                          OTF2_GroupRef group,
                          OTF2_CommRef parent,
                          OTF2_CommFlag flags );

/**
 * Writes the record Parameter: a parameter whose values parameter events record.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param parameterType The type of the values.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.0
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteParameter( OTF2_DefWriter* writer,
                               OTF2_ParameterRef self,
                               OTF2_StringRef name,
                               OTF2_ParameterType parameterType );

/**
 * Writes the record RmaWin: a memory window of one-sided communication.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param comm The communicator, or undefined.
 * @param flags The flags. Since 3.0.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteRmaWin( OTF2_DefWriter* writer,
                            OTF2_RmaWinRef self,
                            OTF2_StringRef name,
                            OTF2_CommRef comm,
                            OTF2_RmaWinFlag flags );

/**
 * Writes the record MetricClassRecorder: a location that records a metric class.
 *
 * @param writer The writer.
 * @param metric The metric class or instance.
 * @param recorder The location that records the values.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteMetricClassRecorder( OTF2_DefWriter* writer,
                                         OTF2_MetricRef metric,
                                         OTF2_LocationRef recorder );

/**
 * Writes the record SystemTreeNodeProperty: a property of a system tree node.
 *
 * @param writer The writer.
 * @param systemTreeNode The system tree node.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type. Since 2.0.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteSystemTreeNodeProperty( OTF2_DefWriter* writer,
                                            OTF2_SystemTreeNodeRef systemTreeNode,
                                            OTF2_StringRef name,
                                            OTF2_Type type,
                                            OTF2_AttributeValue value );

/**
 * Writes the record SystemTreeNodeDomain: a domain to which a system tree node belongs.
 *
 * @param writer The writer.
 * @param systemTreeNode The system tree node.
 * @param systemTreeDomain The domain.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteSystemTreeNodeDomain( OTF2_DefWriter* writer,
                                          OTF2_SystemTreeNodeRef systemTreeNode,
                                          OTF2_SystemTreeDomain systemTreeDomain );

/**
 * Writes the record LocationGroupProperty: a property of a location group.
 *
 * @param writer The writer.
 * @param locationGroup The location group.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type. Since 2.0.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteLocationGroupProperty( OTF2_DefWriter* writer,
                                           OTF2_LocationGroupRef locationGroup,
                                           OTF2_StringRef name,
                                           OTF2_Type type,
                                           OTF2_AttributeValue value );

/**
 * Writes the record LocationProperty: a property of a location.
 *
 * @param writer The writer.
 * @param location The location.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type. Since 2.0.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteLocationProperty( OTF2_DefWriter* writer,
                                      OTF2_LocationRef location,
                                      OTF2_StringRef name,
                                      OTF2_Type type,
                                      OTF2_AttributeValue value );

/**
 * Writes the record CartDimension: a dimension of a Cartesian topology.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param size The number of elements.
 * @param cartPeriodicity Whether the dimension wraps around.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteCartDimension( OTF2_DefWriter* writer,
                                   OTF2_CartDimensionRef self,
                                   OTF2_StringRef name,
                                   uint32_t size,
                                   OTF2_CartPeriodicity cartPeriodicity );

/**
 * Writes the record CartTopology: a Cartesian topology of a communicator.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param communicator The communicator.
 * @param numberOfDimensions The number of elements of `cartDimensions`.
 * @param cartDimensions The dimensions.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteCartTopology( OTF2_DefWriter* writer,
                                  OTF2_CartTopologyRef self,
                                  OTF2_StringRef name,
                                  OTF2_CommRef communicator,
                                  uint8_t numberOfDimensions,
                                  const OTF2_CartDimensionRef* cartDimensions );

/**
 * Writes the record CartCoordinate: the coordinates of a rank in a Cartesian topology.
 *
 * @param writer The writer.
 * @param cartTopology The topology.
 * @param rank The rank in the communicator.
 * @param numberOfDimensions The number of elements of `coordinates`.
 * @param coordinates The coordinate in each dimension.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteCartCoordinate( OTF2_DefWriter* writer,
                                    OTF2_CartTopologyRef cartTopology,
                                    uint32_t rank,
                                    uint8_t numberOfDimensions,
                                    const uint32_t* coordinates );

/**
 * Writes the record SourceCodeLocation: a file and a line.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param file The file.
 * @param lineNumber The line, 0 if unknown.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.5
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteSourceCodeLocation( OTF2_DefWriter* writer,
                                        OTF2_SourceCodeLocationRef self,
                                        OTF2_StringRef file,
                                        uint32_t lineNumber );

/**
 * Writes the record CallingContext: a node of the calling context tree.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param region The region.
 * @param sourceCodeLocation The place of the call, or undefined.
 * @param parent The parent, or undefined.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 1.5
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteCallingContext( OTF2_DefWriter* writer,
                                    OTF2_CallingContextRef self,
                                    OTF2_RegionRef region,
                                    OTF2_SourceCodeLocationRef sourceCodeLocation,
                                    OTF2_CallingContextRef parent );

/**
 * Writes the record CallingContextProperty: a property of a calling context.
 *
 * @param writer The writer.
 * @param callingContext The calling context.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.0
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteCallingContextProperty( OTF2_DefWriter* writer,
                                            OTF2_CallingContextRef callingContext,
                                            OTF2_StringRef name,
                                            OTF2_Type type,
                                            OTF2_AttributeValue value );

/**
 * Writes the record InterruptGenerator: a source of sampling interrupts with the period `period *
 * base ^ exponent`.
 *
 * @param writer The writer.
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
OTF2_DefWriter_WriteInterruptGenerator( OTF2_DefWriter* writer,
                                        OTF2_InterruptGeneratorRef self,
                                        OTF2_StringRef name,
                                        OTF2_InterruptGeneratorMode interruptGeneratorMode,
                                        OTF2_Base base,
                                        int64_t exponent,
                                        uint64_t period );

/**
 * Writes the record IoFileProperty: a property of a file or directory.
 *
 * @param writer The writer.
 * @param ioFile The file or directory.
 * @param name The name.
 * @param type The type of the value.
 * @param value The value with its type.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteIoFileProperty( OTF2_DefWriter* writer,
                                    OTF2_IoFileRef ioFile,
                                    OTF2_StringRef name,
                                    OTF2_Type type,
                                    OTF2_AttributeValue value );

/**
 * Writes the record IoRegularFile: a regular file.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param scope The node of the system tree on which the file is visible, or undefined.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteIoRegularFile( OTF2_DefWriter* writer,
                                   OTF2_IoFileRef self,
                                   OTF2_StringRef name,
                                   OTF2_SystemTreeNodeRef scope );

/**
 * Writes the record IoDirectory: a directory.
 *
 * @param writer The writer.
 * @param self The id of this definition.
 * @param name The name.
 * @param scope The node of the system tree on which the file is visible, or undefined.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteIoDirectory( OTF2_DefWriter* writer,
                                 OTF2_IoFileRef self,
                                 OTF2_StringRef name,
                                 OTF2_SystemTreeNodeRef scope );

/**
 * Writes the record IoHandle: an I/O handle (file descriptor, stream, MPI file).
 *
 * @param writer The writer.
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
OTF2_DefWriter_WriteIoHandle( OTF2_DefWriter* writer,
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
 * @param writer The writer.
 * @param ioHandle The handle.
 * @param mode The access mode.
 * @param statusFlags The status flags.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.1
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteIoPreCreatedHandleState( OTF2_DefWriter* writer,
                                             OTF2_IoHandleRef ioHandle,
                                             OTF2_IoAccessMode mode,
                                             OTF2_IoStatusFlag statusFlags );

/**
 * Writes the record CallpathParameter: a parameter value of a call path.
 *
 * @param writer The writer.
 * @param callpath The call path.
 * @param parameter The parameter.
 * @param type The type of the value.
 * @param value The value with its type.
 * @return #OTF2_SUCCESS, or an error code as listed at the top of this file.
 * @since 2.2
 */
OTF2_ErrorCode
OTF2_DefWriter_WriteCallpathParameter( OTF2_DefWriter* writer,
                                       OTF2_CallpathRef callpath,
                                       OTF2_ParameterRef parameter,
                                       OTF2_Type type,
                                       OTF2_AttributeValue value );

/**
 * Writes the record InterComm: an inter-communicator of two groups.
 *
 * @param writer The writer.
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
OTF2_DefWriter_WriteInterComm( OTF2_DefWriter* writer,
                               OTF2_CommRef self,
                               OTF2_StringRef name,
                               OTF2_GroupRef groupA,
                               OTF2_GroupRef groupB,
                               OTF2_CommRef commonCommunicator,
                               OTF2_CommFlag flags );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_DEF_WRITER_H */
