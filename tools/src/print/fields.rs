//! Fields of any record, by their names and what they mean: what forms other than the text of the reference tool are made of.

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::{GroupType, MetricScope, Type};
use kymo_otf2::field::{FieldKind, FieldValue};
use kymo_otf2::flags::FlagNames;
use kymo_otf2::value::Value;

use super::names::{Found, Names};

/// Name of records that are newer than the tables.
pub(super) const UNKNOWN: &str = "Unknown";

/// One value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Plain<'v, 'n, 'a> {
    Unsigned(u64),
    Signed(i64),
    Double(f64),
    /// With so many digits only that they tell it from other numbers of single precision.
    Float(f32),
    Word(&'static str),
    Flags(u32, FlagNames),
    Text(&'v [u8]),
    Reference(Found<'n, 'a>),
    /// A time that is not known.
    Undefined,
}

/// What values are understood with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meaning<'n, 'a> {
    pub(super) names: &'n Names<'a>,
    /// What times are relative to.
    pub(super) origin: Option<u64>,
}

impl<'n, 'a> Meaning<'n, 'a> {
    /// A field that is no list, no map and no tagged value.
    pub(super) fn plain<'v>(&self, kind: &FieldKind, value: FieldValue<'v>) -> Plain<'v, 'n, 'a> {
        match (kind, value) {
            (FieldKind::Reference { space, .. }, FieldValue::Unsigned(id)) => self.reference(space, id),
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

    /// A time, before the origin a negative one.
    pub(super) fn time<'v>(&self, time: u64) -> Plain<'v, 'n, 'a> {
        match self.origin {
            _ if time == u64::MAX => Plain::Undefined,
            Some(origin) if time < origin => Plain::Signed((time.wrapping_sub(origin)) as i64),
            origin => Plain::Unsigned(time - origin.unwrap_or(0)),
        }
    }

    /// A tagged value without its type.
    pub(super) fn value<'v>(&self, value: Value) -> Plain<'v, 'n, 'a> {
        let bits = value.bits();
        match value.type_() {
            Type::INT8 | Type::INT16 | Type::INT32 | Type::INT64 => Plain::Signed(bits as i64),
            Type::FLOAT => Plain::Float(f32::from_bits(bits as u32)),
            Type::DOUBLE => Plain::Double(f64::from_bits(bits)),
            _ => self.names.referred(value).map_or(Plain::Unsigned(bits), Plain::Reference),
        }
    }

    /// A part of an element of a list. Values of metrics lie behind their types.
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

    /// An id of a kind of definition, which may be written with more bits than it has.
    pub(super) fn reference<'v>(&self, space: &str, id: u64) -> Plain<'v, 'n, 'a> {
        self.names.in_space(space, id).map_or(Plain::Unsigned(id), Plain::Reference)
    }
}

/// The kind of definition that a plain number of a definition refers to, where another field says so.
pub(super) fn space_of(definition: &GlobalDefinition<'_>, field: &str) -> Option<&'static str> {
    match (definition, field) {
        (GlobalDefinition::Group(group), "members") => match group.group_type {
            GroupType::LOCATIONS | GroupType::COMM_LOCATIONS => Some("Location"),
            GroupType::REGIONS => Some("Region"),
            GroupType::METRIC => Some("MetricMember"),
            _ => None,
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
