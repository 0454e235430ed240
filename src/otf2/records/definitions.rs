//! Definition records, OTF2 format, section "Definition files": global, local, and those of both files.
//!
//! Ids 5 to 8 mean different records in global and local files; all others have one meaning and one layout in
//! both. Obsolete attributes stay on the wire: they are derived from the others on writing, and give the defaults
//! of the attributes that replaced them on reading.

use super::definitions_macro as definitions;
use super::enums;
use super::flags;
use super::id_map::IdMap;
use super::list::List;
use super::references::*;
use super::text::Text;
use super::value::{IoParadigmPropertyValue, Timestamp, Value};

definitions! {
    global {
        /// Resolution of the clock and the time range of the trace. No event lies outside `globalOffset ..=
        /// globalOffset + traceLength`.
        5 ClockProperties since "1.0" {
            /// Ticks per second.
            "timerResolution" timer_resolution: u64;
            /// Time of the first event, in ticks.
            "globalOffset" global_offset: u64;
            /// Ticks from `global_offset` to the last event.
            "traceLength" trace_length: u64;
            since "3.0" {
                /// Wall clock at `global_offset`, nanoseconds since 1970-01-01 00:00 UTC; all ones if
                /// undefined.
                "realtimeTimestamp" realtime_timestamp: u64 = u64::MAX;
            }
        }

        /// Attests that a paradigm took part in the measurement.
        6 Paradigm since "1.5" {
            /// The paradigm.
            "paradigm" paradigm: enums::Paradigm;
            /// Name.
            "name" name: StringRef;
            /// Class of the paradigm.
            "paradigmClass" paradigm_class: enums::ParadigmClass;
        }

        /// Property of a paradigm.
        7 ParadigmProperty since "1.5" {
            /// The paradigm.
            "paradigm" paradigm: enums::Paradigm;
            /// The property.
            "property" property: enums::ParadigmProperty;
            /// Value with its type.
            "type value" value: Value;
        }

        /// I/O paradigm (POSIX, ISO C, MPI-IO, ...) and its properties.
        8 IoParadigm<'a> since "2.1" {
            /// Id of this definition.
            "self" id: IoParadigmRef;
            /// Identification, e.g. `POSIX`; compared by tools.
            "identification" identification: StringRef;
            /// Name.
            "name" name: StringRef;
            /// Serial or parallel.
            "ioParadigmClass" io_paradigm_class: enums::IoParadigmClass;
            /// Flags.
            "ioParadigmFlags" io_paradigm_flags: flags::IoParadigmFlag;
            /// Properties with their values.
            "numberOfProperties properties types values" properties: List<'a, u8, IoParadigmPropertyValue>;
        }
    }

    local {
        /// Global ids for the local ids that the events of this location use.
        5 MappingTable<'a> since "1.0" {
            /// Kind of ids the table maps.
            "mappingType" mapping_type: enums::MappingType;
            /// Local id to global id.
            "idMap" id_map: IdMap<'a>;
        }

        /// Offset of the location's clock from the global one at one time. Takes effect from two offsets on.
        6 ClockOffset since "1.0" {
            /// Time, in ticks.
            "time" time: Timestamp;
            /// Ticks to add to local times.
            "offset" offset: i64;
            /// Standard deviation of the offset, in ticks; informative.
            "standardDeviation" standard_deviation: f64;
        }
    }

    both {
        /// A string; every other definition refers to texts by its id.
        10 String<'a> since "1.0" {
            /// Id of this definition.
            "self" id: StringRef;
            /// The string.
            "string" string: Text<'a>;
        }

        /// Attribute that an attribute list of an event may carry.
        11 Attribute since "1.0" [order "self" "name" "description" "type"] {
            /// Id of this definition.
            "self" id: AttributeRef;
            /// Name.
            "name" name: StringRef;
            /// Type of the value.
            "type" type_: enums::Type;
            since "1.4" {
                /// Description.
                "description" description: StringRef = StringRef::UNDEFINED;
            }
        }

        /// Node of the machine tree.
        12 SystemTreeNode since "1.0" {
            /// Id of this definition.
            "self" id: SystemTreeNodeRef;
            /// Name.
            "name" name: StringRef;
            /// Class, e.g. `node`.
            "className" class_name: StringRef;
            /// Parent, or undefined.
            "parent" parent: SystemTreeNodeRef;
        }

        /// Group of locations, usually a process.
        13 LocationGroup since "1.0" {
            /// Id of this definition.
            "self" id: LocationGroupRef;
            /// Name.
            "name" name: StringRef;
            /// Type of the group.
            "locationGroupType" location_group_type: enums::LocationGroupType;
            /// Node of the system tree it belongs to.
            "systemTreeParent" system_tree_parent: SystemTreeNodeRef;
            since "3.0" {
                /// Group that created this one, or undefined.
                "creatingLocationGroup" creating_location_group: LocationGroupRef = LocationGroupRef::UNDEFINED;
            }
        }

        /// Location: one stream of events.
        14 Location since "1.0" {
            /// Id of this definition.
            "self" id: LocationRef;
            /// Name.
            "name" name: StringRef;
            /// Type of the location.
            "locationType" location_type: enums::LocationType;
            /// Number of events of the location; informative.
            "numberOfEvents" number_of_events: u64;
            /// The location group.
            "locationGroup" location_group: LocationGroupRef;
        }

        /// Source code region, entered and left.
        15 Region since "1.0" [order
            "self" "name" "canonicalName" "description" "regionRole" "paradigm" "regionFlags"
            "sourceFile" "beginLineNumber" "endLineNumber"
        ] {
            /// Id of this definition.
            "self" id: RegionRef;
            /// Name.
            "name" name: StringRef;
            /// Description.
            "description" description: StringRef,
                obsolete "regionType" region_type: enums::RegionType = Self::region_type;
            /// Source file.
            "sourceFile" source_file: StringRef;
            /// First line, 0 if unknown.
            "beginLineNumber" begin_line_number: u32;
            /// Last line, 0 if unknown.
            "endLineNumber" end_line_number: u32;
            since "1.1" {
                /// Name as in the object file, e.g. mangled.
                "canonicalName" canonical_name: StringRef = name;
                /// Role.
                "regionRole" region_role: enums::RegionRole = region_type.role();
                /// The paradigm.
                "paradigm" paradigm: enums::Paradigm = region_type.paradigm();
                /// Flags.
                "regionFlags" region_flags: flags::RegionFlag = region_type.flags();
            }
        }

        /// Place of a call. Deprecated since 2.0.
        16 Callsite since "1.0" {
            /// Id of this definition.
            "self" id: CallsiteRef;
            /// Source file.
            "sourceFile" source_file: StringRef;
            /// Line, 0 if unknown.
            "lineNumber" line_number: u32;
            /// Region that is called.
            "enteredRegion" entered_region: RegionRef;
            /// Region that calls.
            "leftRegion" left_region: RegionRef;
        }

        /// Node of a call path tree.
        17 Callpath since "1.0" {
            /// Id of this definition.
            "self" id: CallpathRef;
            /// Parent, or undefined.
            "parent" parent: CallpathRef;
            /// The region.
            "region" region: RegionRef;
        }

        /// Set of locations, regions or metrics, or the ranks of a communicator.
        18 Group<'a> since "1.0" [order
            "self" "name" "groupType" "paradigm" "groupFlags" "numberOfMembers" "members"
        ] {
            /// Id of this definition.
            "self" id: GroupRef;
            /// Name.
            "name" name: StringRef,
                obsolete "groupTypePre12" group_type_pre12: enums::GroupTypePre12 = Self::group_type_pre12;
            /// Members; their meaning depends on the type.
            "numberOfMembers members" members: List<'a, u32, u64>;
            since "1.2" {
                /// Type.
                "groupType" group_type: enums::GroupType = group_type_pre12.group_type();
                /// The paradigm.
                "paradigm" paradigm: enums::Paradigm = group_type_pre12.paradigm();
                /// Flags.
                "groupFlags" group_flags: flags::GroupFlag = flags::GroupFlag::empty();
            }
        }

        /// One metric: meaning, type and unit.
        19 MetricMember since "1.0" {
            /// Id of this definition.
            "self" id: MetricMemberRef;
            /// Name.
            "name" name: StringRef;
            /// Description.
            "description" description: StringRef;
            /// Source of the metric.
            "metricType" metric_type: enums::MetricType;
            /// Mode: how values relate to each other and to time.
            "metricMode" metric_mode: enums::MetricMode;
            /// Type of the values.
            "valueType" value_type: enums::Type;
            /// Base of the scale.
            "base" base: enums::Base;
            /// Exponent of the scale: value * base ^ exponent.
            "exponent" exponent: i64;
            /// Unit.
            "unit" unit: StringRef;
        }

        /// Metrics that are recorded together.
        20 MetricClass<'a> since "1.0" {
            /// Id of this definition.
            "self" id: MetricRef;
            /// The metrics, in the order of the values.
            "numberOfMetrics metricMembers" metric_members: List<'a, u8, MetricMemberRef>;
            /// When values are recorded.
            "metricOccurrence" metric_occurrence: enums::MetricOccurrence;
            since "1.2" {
                /// Kind of location that records it.
                "recorderKind" recorder_kind: enums::RecorderKind = enums::RecorderKind::UNKNOWN;
            }
        }

        /// Metric class recorded by a particular location for a scope.
        21 MetricInstance since "1.0" {
            /// Id of this definition.
            "self" id: MetricRef;
            /// The metric class.
            "metricClass" metric_class: MetricRef;
            /// Location that records the values.
            "recorder" recorder: LocationRef;
            /// Kind of thing the values are about.
            "metricScope" metric_scope: enums::MetricScope;
            /// Id of that thing, in the id space that `metric_scope` names.
            "scope" scope: u64;
        }

        /// Communicator.
        22 Comm since "1.0" {
            /// Id of this definition.
            "self" id: CommRef;
            /// Name.
            "name" name: StringRef;
            /// The group.
            "group" group: GroupRef;
            /// Parent, or undefined.
            "parent" parent: CommRef;
            since "3.0" {
                /// Flags.
                "flags" flags: flags::CommFlag = flags::CommFlag::empty();
            }
        }

        /// Parameter whose values parameter events record.
        23 Parameter since "1.0" {
            /// Id of this definition.
            "self" id: ParameterRef;
            /// Name.
            "name" name: StringRef;
            /// Type of the values.
            "parameterType" parameter_type: enums::ParameterType;
        }

        /// Memory window of one-sided communication.
        24 RmaWin since "1.2" {
            /// Id of this definition.
            "self" id: RmaWinRef;
            /// Name.
            "name" name: StringRef;
            /// The communicator, or undefined.
            "comm" comm: CommRef;
            since "3.0" {
                /// Flags.
                "flags" flags: flags::RmaWinFlag = flags::RmaWinFlag::CREATE_DESTROY_EVENTS;
            }
        }

        /// Location that records a metric class.
        25 MetricClassRecorder since "1.2" {
            /// Metric class or instance.
            "metric" metric: MetricRef;
            /// Location that records the values.
            "recorder" recorder: LocationRef;
        }

        /// Property of a system tree node.
        26 SystemTreeNodeProperty since "1.2" {
            /// The system tree node.
            "systemTreeNode" system_tree_node: SystemTreeNodeRef;
            /// Name.
            "name" name: StringRef,
                obsolete "stringValue" string_value: StringRef = Self::string_value;
            since "2.0" {
                /// Value with its type.
                "type value" value: Value = Value::from(string_value);
            }
        }

        /// Domain that a system tree node belongs to.
        27 SystemTreeNodeDomain since "1.2" {
            /// The system tree node.
            "systemTreeNode" system_tree_node: SystemTreeNodeRef;
            /// The domain.
            "systemTreeDomain" system_tree_domain: enums::SystemTreeDomain;
        }

        /// Property of a location group.
        28 LocationGroupProperty since "1.3" {
            /// The location group.
            "locationGroup" location_group: LocationGroupRef;
            /// Name.
            "name" name: StringRef,
                obsolete "stringValue" string_value: StringRef = Self::string_value;
            since "2.0" {
                /// Value with its type.
                "type value" value: Value = Value::from(string_value);
            }
        }

        /// Property of a location.
        29 LocationProperty since "1.3" {
            /// The location.
            "location" location: LocationRef;
            /// Name.
            "name" name: StringRef,
                obsolete "stringValue" string_value: StringRef = Self::string_value;
            since "2.0" {
                /// Value with its type.
                "type value" value: Value = Value::from(string_value);
            }
        }

        /// Dimension of a Cartesian topology.
        30 CartDimension since "1.3" {
            /// Id of this definition.
            "self" id: CartDimensionRef;
            /// Name.
            "name" name: StringRef;
            /// Number of elements.
            "size" size: u32;
            /// Whether the dimension wraps around.
            "cartPeriodicity" cart_periodicity: enums::CartPeriodicity;
        }

        /// Cartesian topology of a communicator.
        31 CartTopology<'a> since "1.3" {
            /// Id of this definition.
            "self" id: CartTopologyRef;
            /// Name.
            "name" name: StringRef;
            /// The communicator.
            "communicator" communicator: CommRef;
            /// The dimensions.
            "numberOfDimensions cartDimensions" cart_dimensions: List<'a, u8, CartDimensionRef>;
        }

        /// Coordinates of a rank in a Cartesian topology.
        32 CartCoordinate<'a> since "1.3" {
            /// The topology.
            "cartTopology" cart_topology: CartTopologyRef;
            /// Rank in the communicator.
            "rank" rank: u32;
            /// Coordinate in each dimension.
            "numberOfDimensions coordinates" coordinates: List<'a, u8, u32>;
        }

        /// File and line.
        33 SourceCodeLocation since "1.5" {
            /// Id of this definition.
            "self" id: SourceCodeLocationRef;
            /// The file.
            "file" file: StringRef;
            /// Line, 0 if unknown.
            "lineNumber" line_number: u32;
        }

        /// Node of the calling context tree.
        34 CallingContext since "1.5" {
            /// Id of this definition.
            "self" id: CallingContextRef;
            /// The region.
            "region" region: RegionRef;
            /// Place of the call, or undefined.
            "sourceCodeLocation" source_code_location: SourceCodeLocationRef;
            /// Parent, or undefined.
            "parent" parent: CallingContextRef;
        }

        /// Property of a calling context.
        35 CallingContextProperty since "2.0" {
            /// The calling context.
            "callingContext" calling_context: CallingContextRef;
            /// Name.
            "name" name: StringRef;
            /// Value with its type.
            "type value" value: Value;
        }

        /// Source of sampling interrupts. Its period is `period * base ^ exponent`.
        36 InterruptGenerator since "1.5" {
            /// Id of this definition.
            "self" id: InterruptGeneratorRef;
            /// Name.
            "name" name: StringRef;
            /// What is counted: time or events.
            "interruptGeneratorMode" interrupt_generator_mode: enums::InterruptGeneratorMode;
            /// Base of the scale.
            "base" base: enums::Base;
            /// Exponent of the scale: value * base ^ exponent.
            "exponent" exponent: i64;
            /// Period.
            "period" period: u64;
        }

        /// Property of a file or directory.
        37 IoFileProperty since "2.1" {
            /// The file or directory.
            "ioFile" io_file: IoFileRef;
            /// Name.
            "name" name: StringRef;
            /// Value with its type.
            "type value" value: Value;
        }

        /// Regular file.
        38 IoRegularFile since "2.1" {
            /// Id of this definition.
            "self" id: IoFileRef;
            /// Name.
            "name" name: StringRef;
            /// Node of the system tree on which the file is visible, or undefined.
            "scope" scope: SystemTreeNodeRef;
        }

        /// Directory.
        39 IoDirectory since "2.1" {
            /// Id of this definition.
            "self" id: IoFileRef;
            /// Name.
            "name" name: StringRef;
            /// Node of the system tree on which the file is visible, or undefined.
            "scope" scope: SystemTreeNodeRef;
        }

        /// I/O handle (descriptor, stream, MPI file).
        40 IoHandle since "2.1" {
            /// Id of this definition.
            "self" id: IoHandleRef;
            /// Name.
            "name" name: StringRef;
            /// The file.
            "file" file: IoFileRef;
            /// I/O paradigm.
            "ioParadigm" io_paradigm: IoParadigmRef;
            /// Flags.
            "ioHandleFlags" io_handle_flags: flags::IoHandleFlag;
            /// The communicator, or undefined.
            "comm" comm: CommRef;
            /// Parent, or undefined.
            "parent" parent: IoHandleRef;
        }

        /// State of a handle that was open before the measurement started.
        41 IoPreCreatedHandleState since "2.1" {
            /// The handle.
            "ioHandle" io_handle: IoHandleRef;
            /// Access or operation mode.
            "mode" mode: enums::IoAccessMode;
            /// Status flags.
            "statusFlags" status_flags: flags::IoStatusFlag;
        }

        /// Parameter value of a call path.
        42 CallpathParameter since "2.2" {
            /// The call path.
            "callpath" callpath: CallpathRef;
            /// The parameter.
            "parameter" parameter: ParameterRef;
            /// Value with its type.
            "type value" value: Value;
        }

        /// Inter-communicator of two groups.
        43 InterComm since "3.0" {
            /// Id of this definition.
            "self" id: CommRef;
            /// Name.
            "name" name: StringRef;
            /// Group of the one side.
            "groupA" group_a: GroupRef;
            /// Group of the other side.
            "groupB" group_b: GroupRef;
            /// Communicator both sides belong to, or undefined.
            "commonCommunicator" common_communicator: CommRef;
            /// Flags.
            "flags" flags: flags::CommFlag;
        }
    }
}

impl Region {
    /// A function of the program with a name; nothing else is known of it.
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
