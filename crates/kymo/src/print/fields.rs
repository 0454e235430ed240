//! Fields of any record, by their names and meanings. The forms other than the text of the
//! reference tool are based on them.

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::{GroupType, MetricScope, Type};
use kymo_otf2::field::{FieldKind, FieldValue};
use kymo_otf2::flags::FlagNames;
use kymo_otf2::references::Space;
use kymo_otf2::value::Value;

use super::names::{Found, Names};

/// The name of records that are newer than the tables.
pub(super) const UNKNOWN: &str = "Unknown";

/// One value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Plain<'v, 'n, 'a> {
    Unsigned(u64),
    Signed(i64),
    Double(f64),
    /// Written with just enough digits to distinguish it from other single-precision numbers.
    Float(f32),
    Word(&'static str),
    Flags(u32, FlagNames),
    Text(&'v [u8]),
    Reference(Found<'n, 'a>),
    /// An unknown time.
    Undefined,
}

/// The context in which values are interpreted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meaning<'n, 'a> {
    pub(super) names: &'n Names<'a>,
    /// The origin of times.
    pub(super) origin: Option<u64>,
}

impl<'n, 'a> Meaning<'n, 'a> {
    /// Converts a field that is not a list, a map or a tagged value.
    pub(super) fn plain<'v>(&self, kind: &FieldKind, value: FieldValue<'v>) -> Plain<'v, 'n, 'a> {
        match (kind, value) {
            (FieldKind::Reference { space, .. }, FieldValue::Unsigned(id)) => {
                self.reference(space.name(), id)
            }
            (FieldKind::Timestamp, FieldValue::Unsigned(time)) => self.time(time),
            (_, FieldValue::Unsigned(number)) => Plain::Unsigned(number),
            (_, FieldValue::Signed(number)) => Plain::Signed(number),
            (_, FieldValue::Double(number)) => Plain::Double(number),
            (_, FieldValue::Enum(_, Some(name))) => Plain::Word(name),
            (_, FieldValue::Enum(number, None)) => Plain::Unsigned(number),
            (_, FieldValue::Flags(bits, names)) => Plain::Flags(bits, names),
            (_, FieldValue::Text(text)) => Plain::Text(text),
            (_, FieldValue::Value(value)) => self.value(value),
            _ => Plain::Undefined,
        }
    }

    /// Converts a time, which becomes negative if it is before the origin.
    pub(super) fn time<'v>(&self, time: u64) -> Plain<'v, 'n, 'a> {
        match self.origin {
            _ if time == u64::MAX => Plain::Undefined,
            Some(origin) if time < origin => Plain::Signed((time.wrapping_sub(origin)) as i64),
            origin => Plain::Unsigned(time - origin.unwrap_or(0)),
        }
    }

    /// Converts a tagged value, without its type.
    pub(super) fn value<'v>(&self, value: Value) -> Plain<'v, 'n, 'a> {
        let bits = value.bits();
        match value.type_() {
            Type::INT8 | Type::INT16 | Type::INT32 | Type::INT64 => Plain::Signed(bits as i64),
            Type::FLOAT => Plain::Float(f32::from_bits(bits as u32)),
            Type::DOUBLE => Plain::Double(f64::from_bits(bits)),
            _ => self.names.referred(value).map_or(Plain::Unsigned(bits), Plain::Reference),
        }
    }

    /// Converts a part of an element of a list. Values of metrics follow their types.
    pub(super) fn part<'v>(
        &self,
        kinds: &[FieldKind],
        parts: &[FieldValue<'v>],
        number: usize,
    ) -> Plain<'v, 'n, 'a> {
        match (kinds.get(number), parts) {
            (Some(FieldKind::MetricValue), [FieldValue::Enum(type_, _), FieldValue::Unsigned(bits)]) => {
                self.value(Value::new(Type(*type_ as u8), *bits))
            }
            (Some(kind), parts) => parts.get(number).map_or(Plain::Undefined, |part| self.plain(kind, *part)),
            _ => Plain::Undefined,
        }
    }

    /// Converts an id of a kind of definition, which may be written with more bits than ids of that
    /// kind have.
    pub(super) fn reference<'v>(&self, space: &str, id: u64) -> Plain<'v, 'n, 'a> {
        self.names.in_space(space, id).map_or(Plain::Unsigned(id), Plain::Reference)
    }
}

/// Returns the kind of definition that a plain number in a definition refers to, if another field
/// determines it.
pub(super) fn space_of(definition: &GlobalDefinition<'_>, field: &str) -> Option<&'static str> {
    match (definition, field) {
        (GlobalDefinition::Group(group), "members") => match group.group_type {
            GroupType::METRIC => Some("MetricMember"),
            other => other.member_space().map(Space::name),
        },
        (GlobalDefinition::MetricInstance(instance), "scope") => match instance.metric_scope {
            MetricScope::LOCATION => Some("Location"),
            MetricScope::LOCATION_GROUP => Some("LocationGroup"),
            MetricScope::SYSTEM_TREE_NODE => Some("SystemTreeNode"),
            MetricScope::GROUP => Some("Group"),
            _ => None,
        },
        _ => None,
    }
}
