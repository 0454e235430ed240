//! The references in a record, from the record tables, and a fact that the tables do not contain:
//! which fields may have the undefined id.
//!
//! [`check`] applies to all records with global ids: definitions, events, snapshots, markers.

use std::fmt;

use kymo_otf2::enums::Type;
use kymo_otf2::field::{FieldInfo, FieldKind, FieldValue};
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::Space;
use kymo_otf2::value::Value;

use super::definitions::Ids;
use super::findings::{Findings, Place};
use super::kinds::FindingKind;

/// The part of a field that is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldContent {
    /// The field refers to a definition.
    Reference(Reference),
    /// The field has a value that is unknown in this enumeration or flag set.
    Unknown(&'static str, u64),
}

/// A reference to a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reference {
    /// The id space.
    pub(crate) space: Space,
    pub(crate) id: u64,
    /// Whether the id is the undefined one.
    pub(crate) undefined: bool,
}

impl Reference {
    /// Creates a reference with an id of this many bytes.
    pub(crate) fn new(space: Space, id: u64, bytes: u8) -> Reference {
        let all_ones = u64::MAX >> (64 - 8 * u32::from(bytes.clamp(1, 8)));
        Reference { space, id, undefined: id == all_ones }
    }

    /// Returns the reference in a tagged value, if it contains one.
    pub(crate) fn of(value: Value) -> Option<Reference> {
        let space = match value.type_() {
            Type::STRING => Space::String,
            Type::ATTRIBUTE => Space::Attribute,
            Type::LOCATION => return Some(Reference::new(Space::Location, value.bits(), 8)),
            Type::REGION => Space::Region,
            Type::GROUP => Space::Group,
            Type::METRIC => Space::Metric,
            Type::COMM => Space::Comm,
            Type::PARAMETER => Space::Parameter,
            Type::RMA_WIN => Space::RmaWin,
            Type::SOURCE_CODE_LOCATION => Space::SourceCodeLocation,
            Type::CALLING_CONTEXT => Space::CallingContext,
            Type::INTERRUPT_GENERATOR => Space::InterruptGenerator,
            Type::IO_FILE => Space::IoFile,
            Type::IO_HANDLE => Space::IoHandle,
            Type::LOCATION_GROUP => Space::LocationGroup,
            _ => return None,
        };
        Some(Reference::new(space, value.bits(), 4))
    }
}

/// Formats a reference like `region 99`.
impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = match self.space {
            Space::CallingContext => "calling context",
            Space::Callpath => "call path",
            Space::CartDimension => "dimension",
            Space::CartTopology => "topology",
            Space::Comm => "communicator",
            Space::InterruptGenerator => "interrupt generator",
            Space::IoFile => "file",
            Space::IoHandle => "I/O handle",
            Space::IoParadigm => "I/O paradigm",
            Space::LocationGroup => "location group",
            Space::Metric => "metric class",
            Space::MetricMember => "metric",
            Space::RmaWin => "window",
            Space::SourceCodeLocation => "source code location",
            Space::SystemTreeNode => "system tree node",
            other => return write!(f, "{} {}", other.name().to_lowercase(), self.id),
        };
        write!(f, "{noun} {}", self.id)
    }
}

/// Calls `visit` with everything that the fields of a record state.
pub(crate) fn visit(record: &impl AnyRecord, visit: &mut dyn FnMut(&'static FieldInfo, FieldContent)) {
    record.visit(&mut |field, value| visit_value(&field.kind, value, &mut |content| visit(field, content)));
}

fn visit_value(kind: &FieldKind, value: FieldValue<'_>, visit: &mut dyn FnMut(FieldContent)) {
    match (kind, value) {
        (&FieldKind::Reference { space, bytes, .. }, FieldValue::Unsigned(id)) => {
            visit(FieldContent::Reference(Reference::new(space, id, bytes)));
        }
        (FieldKind::Value, FieldValue::Value(value)) => {
            if let Some(reference) = Reference::of(value) {
                visit(FieldContent::Reference(reference));
            }
            if value.type_().name().is_none() {
                visit(FieldContent::Unknown("Type", value.type_().0.into()));
            }
        }
        (&FieldKind::Enum(name), FieldValue::Enum(number, None)) => {
            visit(FieldContent::Unknown(name, number))
        }
        (&FieldKind::Flags(name), FieldValue::Flags(bits, names)) => {
            let known = names.all().iter().fold(0, |known, (_, flag)| known | flag);
            if bits & !known != 0 {
                visit(FieldContent::Unknown(name, (bits & !known).into()));
            }
        }
        (FieldKind::List { element, .. }, FieldValue::List(list)) => list.each(&mut |parts| {
            for (kind, part) in element.iter().zip(parts) {
                visit_value(kind, *part, visit);
            }
        }),
        _ => {}
    }
}

/// Fields in which the undefined id is meaningful: it means "none" or "unknown".
///
/// From the documentation of the C interface: parents and creators, peer communicators,
/// communicators of serial I/O handles, files of handles that represent several others. From the
/// output of Score-P and the generators of OTF2: source files and places of calls, scopes of files.
/// Descriptions and units are only displayed and mean nothing to readers.
const UNDEFINED_ALLOWED: &[(&str, &[&str])] = &[
    ("Attribute", &["description"]),
    ("SystemTreeNode", &["parent"]),
    ("LocationGroup", &["creatingLocationGroup"]),
    ("Region", &["canonicalName", "description", "sourceFile"]),
    ("Callsite", &["sourceFile"]),
    ("Callpath", &["parent"]),
    ("MetricMember", &["description", "unit"]),
    ("Comm", &["parent"]),
    ("InterComm", &["commonCommunicator"]),
    ("RmaWin", &["comm"]),
    ("CallingContext", &["sourceCodeLocation", "parent"]),
    ("IoRegularFile", &["scope"]),
    ("IoDirectory", &["scope"]),
    ("IoHandle", &["file", "comm", "parent"]),
];

/// Reports references to undefined ids, and unknown values.
pub(crate) fn check(record: &impl AnyRecord, place: Place, ids: &Ids, findings: &mut Findings<'_>) {
    visit(record, &mut |field, content| match content {
        FieldContent::Reference(it) if it.undefined && may_be_undefined(record.name(), field) => {}
        FieldContent::Reference(it) if it.undefined => {
            findings.find(
                FindingKind::UndefinedValue,
                place,
                format_args!("{} is the undefined {}", field.names, it.space),
            );
        }
        FieldContent::Reference(it) => it.check(field.names, place, ids, findings),
        FieldContent::Unknown(name, value) => {
            findings.find(
                FindingKind::UnknownValue,
                place,
                format_args!("{} is {name} {value:#x}", field.names),
            );
        }
    });
}

impl Reference {
    /// Reports the reference if it is not defined; `role` is its use in the record.
    pub(crate) fn check(self, role: &str, place: Place, ids: &Ids, findings: &mut Findings<'_>) {
        if !ids.lacks(self.space, self.id) {
            return;
        }
        let kind = FindingKind::undefined(self.space);
        match role.eq_ignore_ascii_case(self.space.name()) {
            true => findings.find(kind, place, format_args!("{self} is not defined")),
            false => findings.find(kind, place, format_args!("{self} ({role}) is not defined")),
        }
    }
}

/// Whether this field may have the undefined id. A tagged value always may: it is data.
fn may_be_undefined(record: &str, field: &FieldInfo) -> bool {
    let allowed = |names: &&[&str]| names.contains(&field.names);
    field.kind == FieldKind::Value
        || UNDEFINED_ALLOWED.iter().filter(|row| row.0 == record).any(|row| allowed(&row.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kymo_otf2::definitions::GlobalDefinition;

    #[test]
    fn all_ones_of_the_width_is_undefined() {
        assert!(Reference::new(Space::IoParadigm, 0xFF, 1).undefined);
        assert!(Reference::new(Space::Region, 0xFFFF_FFFF, 4).undefined);
        assert!(Reference::new(Space::Location, u64::MAX, 8).undefined);
        assert!(!Reference::new(Space::Location, 0xFFFF_FFFF, 8).undefined);
    }

    #[test]
    fn facts_are_about_fields_that_exist() {
        for (record, fields) in UNDEFINED_ALLOWED {
            let row = GlobalDefinition::RECORDS.iter().find(|row| row.1 == *record);
            let row = row.unwrap_or_else(|| panic!("no record {record}"));
            for field in *fields {
                let info = row.2.iter().find(|info| info.names == *field);
                let info = info.unwrap_or_else(|| panic!("{record} has no field {field}"));
                assert!(matches!(info.kind, FieldKind::Reference { .. }), "{record}.{field}");
            }
        }
    }
}
