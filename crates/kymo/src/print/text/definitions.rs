//! The lines of global and local definitions.

use std::collections::BTreeMap;
use std::io::Write;

use kymo_otf2::definitions::{ClockOffset, GlobalDefinition, MappingTable};
use kymo_otf2::enums::{
    Boolean, GroupType, IoParadigmProperty, MetricScope, Paradigm, ParadigmProperty, Type,
};
use kymo_otf2::list::List;
use kymo_otf2::references::*;
use kymo_otf2::value::{IoParadigmPropertyValue, Value};

use super::line::Line;
use super::lines::{left_aligned, lines};
use crate::print::number;
use crate::print::output::keep_on_line;

/// The width of the column with the kind of definition, and of the blank after it.
pub(super) const NAME: usize = 28;
/// The width of the column with the id.
const ID: usize = 12;

fn head(line: &mut Line<'_, '_>, name: &[u8; NAME], id: Option<u64>) {
    line.out.extend_from_slice(name);
    match id {
        Some(id) => number::padded(line.out, id, ID),
        None => line.out.extend_from_slice(&[b' '; ID]),
    }
    line.text("  ");
}

/// Appends the line of a definition. Returns false if its kind is unknown.
pub(super) fn write(line: &mut Line<'_, '_>, definition: &GlobalDefinition<'_>) -> bool {
    lines! { line, definition: GlobalDefinition, head;
        ClockProperties "CLOCK_PROPERTIES" _ "Ticks per Seconds: " timer_resolution ", Global Offset: " global_offset
            ", Length: " trace_length ", Date: " [date realtime_timestamp];
        Paradigm "PARADIGM" paradigm "" paradigm ", Name: " name ", Class: " paradigm_class;
        ParadigmProperty "PARADIGM_PROPERTY" _ "Paradigm: " [paradigm paradigm] ", Property: " property
            ", " [paradigm_value property value];
        IoParadigm "IO_PARADIGM" id "Identification: " identification ", Name: " name ", Class: " io_paradigm_class
            ", Flags: " io_paradigm_flags ", " [io_properties properties];
        String "STRING" id "" [quoted string];
        Attribute "ATTRIBUTE" id "Name: " name ", Description: " description ", Type: " type_;
        SystemTreeNode "SYSTEM_TREE_NODE" id "Name: " name ", Class: " class_name ", Parent: " parent;
        LocationGroup "LOCATION_GROUP" id "Name: " name ", Type: " location_group_type ", Parent: " system_tree_parent
            ", Creator: " creating_location_group;
        Location "LOCATION" id "Name: " name ", Type: " location_type ", # Events: " number_of_events
            ", Group: " location_group;
        Region "REGION" id "Name: " name " (Aka. " canonical_name "), Descr.: " description ", Role: " region_role
            ", Paradigm: " [paradigm paradigm] ", Flags: " region_flags ", File: " source_file
            ", Begin: " begin_line_number ", End: " end_line_number;
        Callsite "CALLSITE" id "File: " source_file ", Line Number: " line_number ", Entered Region: " entered_region
            ", Left Region: " left_region;
        Callpath "CALLPATH" id "Parent: " parent ", Region: " region;
        Group "GROUP" id "Name: " name ", Type: " group_type ", Paradigm: " [paradigm paradigm] ", Flags: " group_flags
            ", " [group_members members group_type paradigm];
        MetricMember "METRIC_MEMBER" id "Name: " name ", Descr.: " description ", Type: " metric_type
            ", Mode: " metric_mode ", Value Type: " [metric_type value_type] ", Base: " base ", Exponent: " exponent
            ", Unit: " unit;
        MetricClass "METRIC_CLASS" id "Occurrence: " metric_occurrence ", Kind: " recorder_kind
            ", " [metrics metric_members];
        MetricInstance "METRIC_INSTANCE" id "Class: " metric_class ", Recorder: " recorder ", Scope: " metric_scope
            " " [scope scope metric_scope];
        Comm "COMM" id "Name: " name ", Group: " group ", Parent: " parent ", Flags: " flags;
        Parameter "PARAMETER" id "Name: " name ", Type: " parameter_type;
        RmaWin "RMA_WIN" id "Name: " name ", Communicator: " comm ", Flags: " flags;
        MetricClassRecorder "METRIC_CLASS_RECORDER" _ "Class: " metric ", Recorder: " recorder;
        SystemTreeNodeProperty "SYSTEM_TREE_NODE_PROPERTY" _ "System Tree Node: " system_tree_node ", Name: " name
            ", Type: " [type_of value] ", Value: " value;
        SystemTreeNodeDomain "SYSTEM_TREE_NODE_DOMAIN" _ "System Tree Node: " system_tree_node
            ", Domain: " system_tree_domain;
        LocationGroupProperty "LOCATION_GROUP_PROPERTY" _ "Location Group: " location_group ", Name: " name
            ", Type: " [type_of value] ", Value: " value;
        LocationProperty "LOCATION_PROPERTY" _ "Location: " location ", Name: " name ", Type: " [type_of value]
            ", Value: " value;
        CartDimension "CART_DIMENSION" id "Name: " name ", Size: " size ", Periodicity: " cart_periodicity;
        CartTopology "CART_TOPOLOGY" id "Name: " name ", Communicator: " communicator
            ", " [dimensions cart_dimensions];
        CartCoordinate "CART_COORDINATE" _ "Cartesian Topology: " cart_topology
            ", Rank: " [topology_rank rank cart_topology] ", " [coordinates coordinates];
        SourceCodeLocation "SOURCE_CODE_LOCATION" id "File: " file ", Line Number: " line_number;
        CallingContext "CALLING_CONTEXT" id "Region: " region ", Source code location: " source_code_location
            ", Parent: " parent;
        CallingContextProperty "CALLING_CONTEXT_PROPERTY" _ "Calling Context: " calling_context ", Name: " name
            ", Type: " [type_of value] ", Value: " value;
        InterruptGenerator "INTERRUPT_GENERATOR" id "Name: " name ", Mode: " interrupt_generator_mode ", Base: " base
            ", Exponent: " exponent ", Period: " period;
        IoFileProperty "IO_FILE_PROPERTY" _ "File: " io_file ", Name: " name ", Type: " [type_of value]
            ", Value: " value;
        IoRegularFile "IO_REGULAR_FILE" id "Name: " name ", Scope: " scope;
        IoDirectory "IO_DIRECTORY" id "Name: " name ", Scope: " scope;
        IoHandle "IO_HANDLE" id "Name: " name ", File: " file ", I/O Paradigm: " io_paradigm ", Flags: " io_handle_flags
            ", Communicator: " comm ", Parent: " parent;
        IoPreCreatedHandleState "IO_PRE_CREATED_HANDLE_STATE" _ "Handle: " io_handle ", Access Mode: " mode
            ", Status Flags: " status_flags;
        CallpathParameter "CALLPATH_PARAMETER" _ "Callpath: " callpath ", Parameter: " parameter
            ", Type: " [type_of value] ", Value: " value;
        InterComm "INTER_COMM" id "name: " name ", Group A: " group_a ", Group B: " group_b
            ", Common Communicator: " common_communicator ", Flags: " flags;
    }
    true
}

/// Appends the line of a mapping table.
pub(super) fn mapping_table(line: &mut Line<'_, '_>, table: &MappingTable<'_>) {
    head(line, &const { left_aligned("MAPPING_TABLE") }, Some(line.location.0));
    line.text("Type: ");
    line.show(&table.mapping_type);
    match table.id_map.is_sparse() {
        true => {
            line.text(", {");
            // The reference tool sorts them, and keeps the last one for a local id.
            let entries: BTreeMap<u64, u64> = table.id_map.iter().collect();
            line.with_commas(entries, |line, (local, global)| {
                line.show(&local);
                line.text("=>");
                line.number(&global);
            });
            line.text("}\n");
        }
        false => {
            line.text(", [");
            line.with_commas(table.id_map.iter(), |line, (_, global)| line.number(&global));
            line.text("]\n");
        }
    }
}

/// Appends the line of a clock offset.
pub(super) fn clock_offset(line: &mut Line<'_, '_>, clock: &ClockOffset) {
    head(line, &const { left_aligned("CLOCK_OFFSET") }, Some(line.location.0));
    // Writing to a vector does not fail.
    let _ = write!(line.out, "Time: {}, Offset: {:+}, StdDev: ", clock.time.0, clock.offset);
    number::float(line.out, clock.standard_deviation);
    line.text("\n");
}

/// Values and lists whose format depends on another field.
impl Line<'_, '_> {
    /// Appends elements separated by commas, without blanks.
    fn with_commas<T>(&mut self, elements: impl IntoIterator<Item = T>, mut show: impl FnMut(&mut Self, T)) {
        for (number, element) in elements.into_iter().enumerate() {
            self.text(if number == 0 { "" } else { "," });
            show(self, element);
        }
    }

    fn quoted(&mut self, text: &kymo_otf2::text::Text<'_>) {
        self.out.push(b'"');
        let start = self.out.len();
        self.out.extend_from_slice(text.as_bytes());
        keep_on_line(self.out, start);
        self.out.push(b'"');
    }

    fn paradigm_value(&mut self, property: &ParadigmProperty, value: &Value) {
        let is_boolean = *property == ParadigmProperty::RMA_ONLY && value.type_() == Type::UINT8;
        self.text("Type: ");
        match is_boolean {
            true => self.text("BOOLEAN"),
            false => self.type_of(value),
        }
        self.text(", Value: ");
        match *property {
            ParadigmProperty::RMA_ONLY if is_boolean => self.show(&Boolean(value.bits() as u8)),
            ParadigmProperty::COMM_NAME_TEMPLATE | ParadigmProperty::RMA_WIN_NAME_TEMPLATE => {
                self.string_value(value)
            }
            ParadigmProperty::RMA_ONLY => self.wrong("TYPE MISMATCH", value),
            _ => self.wrong("UNKNOWN PROPERTY", value),
        }
    }

    fn io_properties(&mut self, properties: &List<'_, u8, IoParadigmPropertyValue>) {
        self.counted(properties.len(), " Property", " Properties");
        self.listed(": ", *properties, |line, IoParadigmPropertyValue { property, value }| {
            line.text("(");
            line.show(&property);
            line.text("; ");
            line.type_of(&value);
            line.text("; ");
            match property {
                IoParadigmProperty::VERSION => line.string_value(&value),
                _ => line.wrong("UNKNOWN I/O PROPERTY", &value),
            }
            line.text(")");
        });
    }

    /// Appends a value that must be a string.
    fn string_value(&mut self, value: &Value) {
        match value.type_() {
            Type::STRING => self.show(&value.string()),
            _ => self.wrong("TYPE MISMATCH", value),
        }
    }

    /// Appends a value that cannot be formatted as intended: its bits, as many as its type has.
    fn wrong(&mut self, what: &str, value: &Value) {
        let bits = match value.type_() {
            Type::INT8 => value.bits() as u8 as u64,
            Type::INT16 => value.bits() as u16 as u64,
            Type::INT32 => value.bits() as u32 as u64,
            _ => value.bits(),
        };
        self.text(what);
        self.text(" <");
        self.show(&bits);
        self.text(">");
    }

    fn group_members(&mut self, members: &List<'_, u32, u64>, kind: &GroupType, paradigm: &Paradigm) {
        self.counted(members.len(), " Member", " Members");
        self.listed(": ", *members, |line, member| match *kind {
            GroupType::LOCATIONS | GroupType::COMM_LOCATIONS => line.show(&LocationRef(member)),
            GroupType::COMM_LOCATION_GROUPS => line.wide(member, LocationGroupRef),
            GroupType::REGIONS => line.wide(member, RegionRef),
            GroupType::METRIC => line.wide(member, MetricMemberRef),
            GroupType::COMM_GROUP if member != u64::MAX => {
                line.located(member, line.names.member(*paradigm, member))
            }
            _ => line.number(&member),
        });
    }

    /// Appends an id of 32 bits that was written with 64, all ones if undefined.
    fn wide<R: super::line::Show>(&mut self, id: u64, reference: impl Fn(u32) -> R) {
        match u32::try_from(id) {
            Ok(u32::MAX) | Err(_) if id != u64::MAX => self.invalid(id),
            Ok(id) => self.show(&reference(id)),
            Err(_) => self.text("UNDEFINED"),
        }
    }

    fn metrics(&mut self, members: &List<'_, u8, MetricMemberRef>) {
        self.counted(members.len(), " Member", " Members");
        self.listed(": ", *members, |line, member| line.show(&member));
    }

    fn scope(&mut self, scope: &u64, kind: &MetricScope) {
        match *kind {
            MetricScope::LOCATION => self.show(&LocationRef(*scope)),
            MetricScope::LOCATION_GROUP => self.wide(*scope, LocationGroupRef),
            MetricScope::SYSTEM_TREE_NODE => self.wide(*scope, SystemTreeNodeRef),
            MetricScope::GROUP => self.wide(*scope, GroupRef),
            _ => self.number(scope),
        }
    }

    fn dimensions(&mut self, dimensions: &List<'_, u8, CartDimensionRef>) {
        self.counted(dimensions.len(), " Dimension: (", " Dimensions: (");
        self.listed("", *dimensions, |line, dimension| line.show(&dimension));
        self.text(")");
    }

    fn coordinates(&mut self, coordinates: &List<'_, u8, u32>) {
        self.text(if coordinates.len() == 1 { "Coordinate: (" } else { "Coordinates: (" });
        self.listed("", *coordinates, |line, coordinate| line.show(&coordinate));
        self.text(")");
    }
}
