//! Definition records, docs/spec/otf2-format.md, "Definition files": global records, local ones,
//! and those of both files.
//!
//! Ids 5 to 8 mean different records in global and local files; all others have one meaning and one
//! layout in both. Obsolete attributes are still on the wire: writers derive them from the others,
//! and readers take from them the defaults of the attributes that replaced them.

use super::definitions_macro as definitions;
use super::enums;
use super::flags;
use super::id_map::IdMap;
use super::list::List;
use super::references::*;
use super::text::Text;
use super::value::{IoParadigmPropertyValue, Timestamp, Value};

/// Passes the table of definition records to a macro.
#[macro_export]
macro_rules! for_each_definition {
    ($macro:ident) => {
        $macro! {
            global {
                /// The resolution of the clock and the time range of the trace. No event is outside
                /// `globalOffset ..= globalOffset + traceLength`.
                5 ClockProperties since "1.0" {
                    /// The number of ticks per second.
                    "timerResolution" timer_resolution: u64;
                    /// The time of the first event, in ticks.
                    "globalOffset" global_offset: u64;
                    /// The number of ticks from `global_offset` to the last event.
                    "traceLength" trace_length: u64;
                    since "3.0" {
                        /// The wall clock time at `global_offset`, in nanoseconds since 1970-01-01
                        /// 00:00 UTC; all ones if undefined.
                        "realtimeTimestamp" realtime_timestamp: u64 = u64::MAX;
                    }
                }

                /// A paradigm that took part in the measurement.
                6 Paradigm since "1.5" {
                    /// The paradigm.
                    "paradigm" paradigm: enums::Paradigm;
                    /// The name.
                    "name" name: StringRef;
                    /// The class of the paradigm.
                    "paradigmClass" paradigm_class: enums::ParadigmClass;
                }

                /// A property of a paradigm.
                7 ParadigmProperty since "1.5" {
                    /// The paradigm.
                    "paradigm" paradigm: enums::Paradigm;
                    /// The property.
                    "property" property: enums::ParadigmProperty;
                    /// The value with its type.
                    "type value" value: Value;
                }

                /// An I/O paradigm (POSIX, ISO C, MPI-IO, ...) and its properties.
                8 IoParadigm<'a> since "2.1" {
                    /// The id of this definition.
                    "self" id: IoParadigmRef;
                    /// The identification, e.g. `POSIX`, by which tools recognise the paradigm.
                    "identification" identification: StringRef;
                    /// The name.
                    "name" name: StringRef;
                    /// Whether the paradigm is serial or parallel.
                    "ioParadigmClass" io_paradigm_class: enums::IoParadigmClass;
                    /// The flags.
                    "ioParadigmFlags" io_paradigm_flags: flags::IoParadigmFlag;
                    /// The properties with their values.
                    "numberOfProperties properties types values"
                        properties: List<'a, u8, IoParadigmPropertyValue>;
                }
            }

            local {
                /// The global ids of the local ids that the events of this location use.
                5 MappingTable<'a> since "1.0" {
                    /// The kind of ids that the table maps.
                    "mappingType" mapping_type: enums::MappingType;
                    /// The global id of each local id.
                    "idMap" id_map: IdMap<'a>;
                }

                /// The offset of the location's clock from the global one at one time. Offsets take
                /// effect only if there are at least two.
                6 ClockOffset since "1.0" {
                    /// The time, in ticks.
                    "time" time: Timestamp;
                    /// The number of ticks to add to local times.
                    "offset" offset: i64;
                    /// The standard deviation of the offset, in ticks; informative.
                    "standardDeviation" standard_deviation: f64;
                }
            }

            both {
                /// A string; every other definition refers to texts by its id.
                10 String<'a> since "1.0" {
                    /// The id of this definition.
                    "self" id: StringRef;
                    /// The string.
                    "string" string: Text<'a>;
                }

                /// An attribute, which an attribute list of an event may contain.
                11 Attribute since "1.0" [order "self" "name" "description" "type"] {
                    /// The id of this definition.
                    "self" id: AttributeRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The type of the value.
                    "type" type_: enums::Type;
                    since "1.4" {
                        /// The description.
                        "description" description: StringRef = StringRef::UNDEFINED;
                    }
                }

                /// A node of the machine tree.
                12 SystemTreeNode since "1.0" {
                    /// The id of this definition.
                    "self" id: SystemTreeNodeRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The class, e.g. `node`.
                    "className" class_name: StringRef;
                    /// The parent, or undefined.
                    "parent" parent: SystemTreeNodeRef;
                }

                /// A group of locations, usually a process.
                13 LocationGroup since "1.0" {
                    /// The id of this definition.
                    "self" id: LocationGroupRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The type of the group.
                    "locationGroupType" location_group_type: enums::LocationGroupType;
                    /// The node of the system tree to which the group belongs.
                    "systemTreeParent" system_tree_parent: SystemTreeNodeRef;
                    since "3.0" {
                        /// The group that created this one, or undefined.
                        "creatingLocationGroup"
                            creating_location_group: LocationGroupRef = LocationGroupRef::UNDEFINED;
                    }
                }

                /// A location: one stream of events.
                14 Location since "1.0" {
                    /// The id of this definition.
                    "self" id: LocationRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The type of the location.
                    "locationType" location_type: enums::LocationType;
                    /// The number of events of the location; informative.
                    "numberOfEvents" number_of_events: u64;
                    /// The location group.
                    "locationGroup" location_group: LocationGroupRef;
                }

                /// A source code region, which can be entered and left.
                15 Region since "1.0" [order
                    "self" "name" "canonicalName" "description" "regionRole" "paradigm" "regionFlags"
                    "sourceFile" "beginLineNumber" "endLineNumber"
                ] {
                    /// The id of this definition.
                    "self" id: RegionRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The description.
                    "description" description: StringRef,
                        obsolete "regionType" region_type: enums::RegionType = Self::region_type;
                    /// The source file.
                    "sourceFile" source_file: StringRef;
                    /// The first line, 0 if unknown.
                    "beginLineNumber" begin_line_number: u32;
                    /// The last line, 0 if unknown.
                    "endLineNumber" end_line_number: u32;
                    since "1.1" {
                        /// The name as in the object file, e.g. mangled.
                        "canonicalName" canonical_name: StringRef = name;
                        /// The role.
                        "regionRole" region_role: enums::RegionRole = region_type.role();
                        /// The paradigm.
                        "paradigm" paradigm: enums::Paradigm = region_type.paradigm();
                        /// The flags.
                        "regionFlags" region_flags: flags::RegionFlag = region_type.flags();
                    }
                }

                /// The place of a call. Deprecated since 2.0.
                16 Callsite since "1.0" {
                    /// The id of this definition.
                    "self" id: CallsiteRef;
                    /// The source file.
                    "sourceFile" source_file: StringRef;
                    /// The line, 0 if unknown.
                    "lineNumber" line_number: u32;
                    /// The called region.
                    "enteredRegion" entered_region: RegionRef;
                    /// The calling region.
                    "leftRegion" left_region: RegionRef;
                }

                /// A node of a call path tree.
                17 Callpath since "1.0" {
                    /// The id of this definition.
                    "self" id: CallpathRef;
                    /// The parent, or undefined.
                    "parent" parent: CallpathRef;
                    /// The region.
                    "region" region: RegionRef;
                }

                /// A set of locations, regions or metrics, or the ranks of a communicator.
                18 Group<'a> since "1.0" [order
                    "self" "name" "groupType" "paradigm" "groupFlags" "numberOfMembers" "members"
                ] {
                    /// The id of this definition.
                    "self" id: GroupRef;
                    /// The name.
                    "name" name: StringRef,
                        obsolete "groupTypePre12"
                            group_type_pre12: enums::GroupTypePre12 = Self::group_type_pre12;
                    /// The members, whose meaning depends on the type.
                    "numberOfMembers members" members: List<'a, u32, u64>;
                    since "1.2" {
                        /// The type.
                        "groupType" group_type: enums::GroupType = group_type_pre12.group_type();
                        /// The paradigm.
                        "paradigm" paradigm: enums::Paradigm = group_type_pre12.paradigm();
                        /// The flags.
                        "groupFlags" group_flags: flags::GroupFlag = flags::GroupFlag::empty();
                    }
                }

                /// One metric: meaning, type and unit.
                19 MetricMember since "1.0" {
                    /// The id of this definition.
                    "self" id: MetricMemberRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The description.
                    "description" description: StringRef;
                    /// The source of the metric.
                    "metricType" metric_type: enums::MetricType;
                    /// The mode: how values relate to each other and to time.
                    "metricMode" metric_mode: enums::MetricMode;
                    /// The type of the values.
                    "valueType" value_type: enums::Type;
                    /// The base of the scale.
                    "base" base: enums::Base;
                    /// The exponent of the scale: value * base ^ exponent.
                    "exponent" exponent: i64;
                    /// The unit.
                    "unit" unit: StringRef;
                }

                /// A set of metrics that are recorded together.
                20 MetricClass<'a> since "1.0" {
                    /// The id of this definition.
                    "self" id: MetricRef;
                    /// The metrics, in the order of the values.
                    "numberOfMetrics metricMembers" metric_members: List<'a, u8, MetricMemberRef>;
                    /// When values are recorded.
                    "metricOccurrence" metric_occurrence: enums::MetricOccurrence;
                    since "1.2" {
                        /// The kind of location that records the class.
                        "recorderKind" recorder_kind: enums::RecorderKind = enums::RecorderKind::UNKNOWN;
                    }
                }

                /// A metric class that a particular location records for a scope.
                21 MetricInstance since "1.0" {
                    /// The id of this definition.
                    "self" id: MetricRef;
                    /// The metric class.
                    "metricClass" metric_class: MetricRef;
                    /// The location that records the values.
                    "recorder" recorder: LocationRef;
                    /// The kind of object to which the values refer.
                    "metricScope" metric_scope: enums::MetricScope;
                    /// The id of that object, in the id space that `metric_scope` names.
                    "scope" scope: u64;
                }

                /// A communicator.
                22 Comm since "1.0" {
                    /// The id of this definition.
                    "self" id: CommRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The group.
                    "group" group: GroupRef;
                    /// The parent, or undefined.
                    "parent" parent: CommRef;
                    since "3.0" {
                        /// The flags.
                        "flags" flags: flags::CommFlag = flags::CommFlag::empty();
                    }
                }

                /// A parameter whose values parameter events record.
                23 Parameter since "1.0" {
                    /// The id of this definition.
                    "self" id: ParameterRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The type of the values.
                    "parameterType" parameter_type: enums::ParameterType;
                }

                /// A memory window of one-sided communication.
                24 RmaWin since "1.2" {
                    /// The id of this definition.
                    "self" id: RmaWinRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The communicator, or undefined.
                    "comm" comm: CommRef;
                    since "3.0" {
                        /// The flags.
                        "flags" flags: flags::RmaWinFlag = flags::RmaWinFlag::CREATE_DESTROY_EVENTS;
                    }
                }

                /// A location that records a metric class.
                25 MetricClassRecorder since "1.2" {
                    /// The metric class or instance.
                    "metric" metric: MetricRef;
                    /// The location that records the values.
                    "recorder" recorder: LocationRef;
                }

                /// A property of a system tree node.
                26 SystemTreeNodeProperty since "1.2" {
                    /// The system tree node.
                    "systemTreeNode" system_tree_node: SystemTreeNodeRef;
                    /// The name.
                    "name" name: StringRef,
                        obsolete "stringValue" string_value: StringRef = Self::string_value;
                    since "2.0" {
                        /// The value with its type.
                        "type value" value: Value = Value::from(string_value);
                    }
                }

                /// A domain to which a system tree node belongs.
                27 SystemTreeNodeDomain since "1.2" {
                    /// The system tree node.
                    "systemTreeNode" system_tree_node: SystemTreeNodeRef;
                    /// The domain.
                    "systemTreeDomain" system_tree_domain: enums::SystemTreeDomain;
                }

                /// A property of a location group.
                28 LocationGroupProperty since "1.3" {
                    /// The location group.
                    "locationGroup" location_group: LocationGroupRef;
                    /// The name.
                    "name" name: StringRef,
                        obsolete "stringValue" string_value: StringRef = Self::string_value;
                    since "2.0" {
                        /// The value with its type.
                        "type value" value: Value = Value::from(string_value);
                    }
                }

                /// A property of a location.
                29 LocationProperty since "1.3" {
                    /// The location.
                    "location" location: LocationRef;
                    /// The name.
                    "name" name: StringRef,
                        obsolete "stringValue" string_value: StringRef = Self::string_value;
                    since "2.0" {
                        /// The value with its type.
                        "type value" value: Value = Value::from(string_value);
                    }
                }

                /// A dimension of a Cartesian topology.
                30 CartDimension since "1.3" {
                    /// The id of this definition.
                    "self" id: CartDimensionRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The number of elements.
                    "size" size: u32;
                    /// Whether the dimension wraps around.
                    "cartPeriodicity" cart_periodicity: enums::CartPeriodicity;
                }

                /// A Cartesian topology of a communicator.
                31 CartTopology<'a> since "1.3" {
                    /// The id of this definition.
                    "self" id: CartTopologyRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The communicator.
                    "communicator" communicator: CommRef;
                    /// The dimensions.
                    "numberOfDimensions cartDimensions" cart_dimensions: List<'a, u8, CartDimensionRef>;
                }

                /// The coordinates of a rank in a Cartesian topology.
                32 CartCoordinate<'a> since "1.3" {
                    /// The topology.
                    "cartTopology" cart_topology: CartTopologyRef;
                    /// The rank in the communicator.
                    "rank" rank: u32;
                    /// The coordinate in each dimension.
                    "numberOfDimensions coordinates" coordinates: List<'a, u8, u32>;
                }

                /// A file and a line.
                33 SourceCodeLocation since "1.5" {
                    /// The id of this definition.
                    "self" id: SourceCodeLocationRef;
                    /// The file.
                    "file" file: StringRef;
                    /// The line, 0 if unknown.
                    "lineNumber" line_number: u32;
                }

                /// A node of the calling context tree.
                34 CallingContext since "1.5" {
                    /// The id of this definition.
                    "self" id: CallingContextRef;
                    /// The region.
                    "region" region: RegionRef;
                    /// The place of the call, or undefined.
                    "sourceCodeLocation" source_code_location: SourceCodeLocationRef;
                    /// The parent, or undefined.
                    "parent" parent: CallingContextRef;
                }

                /// A property of a calling context.
                35 CallingContextProperty since "2.0" {
                    /// The calling context.
                    "callingContext" calling_context: CallingContextRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The value with its type.
                    "type value" value: Value;
                }

                /// A source of sampling interrupts with the period `period * base ^ exponent`.
                36 InterruptGenerator since "1.5" {
                    /// The id of this definition.
                    "self" id: InterruptGeneratorRef;
                    /// The name.
                    "name" name: StringRef;
                    /// Whether the generator counts time or events.
                    "interruptGeneratorMode" interrupt_generator_mode: enums::InterruptGeneratorMode;
                    /// The base of the scale.
                    "base" base: enums::Base;
                    /// The exponent of the scale: period * base ^ exponent.
                    "exponent" exponent: i64;
                    /// The period.
                    "period" period: u64;
                }

                /// A property of a file or directory.
                37 IoFileProperty since "2.1" {
                    /// The file or directory.
                    "ioFile" io_file: IoFileRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The value with its type.
                    "type value" value: Value;
                }

                /// A regular file.
                38 IoRegularFile since "2.1" {
                    /// The id of this definition.
                    "self" id: IoFileRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The node of the system tree on which the file is visible, or undefined.
                    "scope" scope: SystemTreeNodeRef;
                }

                /// A directory.
                39 IoDirectory since "2.1" {
                    /// The id of this definition.
                    "self" id: IoFileRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The node of the system tree on which the file is visible, or undefined.
                    "scope" scope: SystemTreeNodeRef;
                }

                /// An I/O handle (file descriptor, stream, MPI file).
                40 IoHandle since "2.1" {
                    /// The id of this definition.
                    "self" id: IoHandleRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The file.
                    "file" file: IoFileRef;
                    /// The I/O paradigm.
                    "ioParadigm" io_paradigm: IoParadigmRef;
                    /// The flags.
                    "ioHandleFlags" io_handle_flags: flags::IoHandleFlag;
                    /// The communicator, or undefined.
                    "comm" comm: CommRef;
                    /// The parent, or undefined.
                    "parent" parent: IoHandleRef;
                }

                /// The state of a handle that was open before the measurement started.
                41 IoPreCreatedHandleState since "2.1" {
                    /// The handle.
                    "ioHandle" io_handle: IoHandleRef;
                    /// The access mode.
                    "mode" mode: enums::IoAccessMode;
                    /// The status flags.
                    "statusFlags" status_flags: flags::IoStatusFlag;
                }

                /// A parameter value of a call path.
                42 CallpathParameter since "2.2" {
                    /// The call path.
                    "callpath" callpath: CallpathRef;
                    /// The parameter.
                    "parameter" parameter: ParameterRef;
                    /// The value with its type.
                    "type value" value: Value;
                }

                /// An inter-communicator of two groups.
                43 InterComm since "3.0" {
                    /// The id of this definition.
                    "self" id: CommRef;
                    /// The name.
                    "name" name: StringRef;
                    /// The first group.
                    "groupA" group_a: GroupRef;
                    /// The second group.
                    "groupB" group_b: GroupRef;
                    /// The communicator to which both groups belong, or undefined.
                    "commonCommunicator" common_communicator: CommRef;
                    /// The flags.
                    "flags" flags: flags::CommFlag;
                }
            }
        }
    };
}

for_each_definition!(definitions);

impl Region {
    /// Creates a region for a function of the program of which only the name is known.
    pub const fn function(id: RegionRef, name: StringRef) -> Self {
        Self {
            id,
            name,
            description: StringRef::UNDEFINED,
            source_file: StringRef::UNDEFINED,
            begin_line_number: 0,
            end_line_number: 0,
            canonical_name: name,
            region_role: enums::RegionRole::FUNCTION,
            paradigm: enums::Paradigm::USER,
            region_flags: flags::RegionFlag::NONE,
        }
    }
}
