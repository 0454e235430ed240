//! The record tables must match the machine-readable description of the format.

use kymo_otf2::definitions::{GlobalDefinition, LocalDefinition};
use kymo_otf2::events::Event;
use kymo_otf2::field::{FieldInfo, FieldKind};
use kymo_otf2::markers::AnyMarker;
use kymo_otf2::records::Decode;
use kymo_otf2::snapshots::Snapshot;
use kymo_otf2::thumbnails::Thumbnail;
use kymo_otf2::{enums, flags};
use std::path::Path;

fn description() -> toml::Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/spec/otf2-records.toml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().expect("TOML")
}

fn list<'t>(table: &'t toml::Table, key: &str) -> &'t [toml::Value] {
    table.get(key).map_or(&[], |value| value.as_array().unwrap())
}

fn string<'t>(table: &'t toml::Table, key: &str) -> &'t str {
    table.get(key).map_or("", |value| value.as_str().unwrap())
}

/// Returns the `type` and the encoding in the description of each attribute that a field covers.
fn described(kind: &FieldKind) -> Vec<(String, &'static str)> {
    let one = |name: &str, enc| vec![(name.to_owned(), enc)];
    match *kind {
        FieldKind::U8 => one("uint8", "u8"),
        FieldKind::U32 => one("uint32", "u32c"),
        FieldKind::U64 => one("uint64", "u64c"),
        FieldKind::I64 => one("int64", "i64c"),
        FieldKind::F64 => one("double", "f64"),
        FieldKind::Timestamp => one("timestamp", "u64"),
        FieldKind::Reference { space, bytes, .. } => one(
            &format!("ref:{space}"),
            if bytes == 1 {
                "u8"
            } else if bytes == 4 {
                "u32c"
            } else {
                "u64c"
            },
        ),
        FieldKind::Enum(name) => one(&format!("enum:{name}"), "u8"),
        FieldKind::Flags(name) => one(&format!("flags:{name}"), "u32c"),
        FieldKind::Text => one("string", "cstr"),
        FieldKind::Value => vec![("enum:Type".to_owned(), "u8"), ("value".to_owned(), "value")],
        FieldKind::MetricValue => one("metric_value", "u64c"),
        FieldKind::IdMap => one("idmap", "idmap"),
        FieldKind::List { count, element } => {
            let parts = element.iter().flat_map(|part| match part {
                FieldKind::Value => vec![("value".to_owned(), "value")],
                other => described(other),
            });
            described(count).into_iter().chain(parts).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn mapping(kind: &FieldKind) -> Option<String> {
    match kind {
        FieldKind::Reference { mapping, .. } => mapping.map(|mapping| mapping.to_string()),
        FieldKind::List { element, .. } => element.iter().find_map(mapping),
        _ => None,
    }
}

fn compare(record: &toml::Table, fields: &[FieldInfo], is_event: bool) {
    let name = string(record, "name");
    let mut attributes = list(record, "attributes").iter().map(|attribute| attribute.as_table().unwrap());
    for field in fields {
        let mut mapped = None;
        for (covered, (type_, enc)) in field.names.split(' ').zip(described(&field.kind)) {
            let attribute = attributes.next().unwrap_or_else(|| panic!("{name} has no {covered}"));
            let context = format!("{name}.{covered}");
            assert_eq!(string(attribute, "name"), covered, "{context}");
            assert_eq!(string(attribute, "type"), type_, "{context}");
            assert_eq!(string(attribute, "enc"), enc, "{context}");
            let since = attribute.get("since").unwrap_or(&record["since"]).as_str().unwrap();
            assert_eq!(since, field.since, "{context}");
            assert_eq!(attribute.contains_key("clock"), field.clock, "{context}");
            assert_eq!(attribute.contains_key("obsolete"), field.obsolete, "{context}");
            mapped = attribute.get("map").map(|map| map.as_str().unwrap().to_owned()).or(mapped);
        }
        if is_event {
            assert_eq!(mapping(&field.kind), mapped, "{name}.{}", field.names);
        }
    }
    assert!(attributes.next().is_none(), "{name} has more attributes");
}

macro_rules! compare_family {
    ($description:expr, $key:literal, $family:ident, $scope:expr) => {
        let scope: Option<&str> = $scope;
        let records = list(&$description, $key).iter().map(|record| record.as_table().unwrap());
        let is_in = |record: &&toml::Table| {
            scope.is_none_or(|scope| [scope, "both"].contains(&string(record, "scope")))
        };
        let mut count = 0;
        for record in records.filter(is_in) {
            let id = record["id"].as_integer().unwrap() as u8;
            let name = string(record, "name");
            let &(_, _, fields) = $family::RECORDS.iter().find(|(other, ..)| *other == id).unwrap();
            assert_eq!($family::name_of(id), Some(name));
            assert_eq!(
                (1..=8).contains(&<$family as Decode>::LAYOUTS[id as usize]),
                record.contains_key("singleton"),
                "{name}"
            );
            compare(record, fields, $key == "event");
            count += 1;
        }
        assert_eq!(count, $family::RECORDS.len(), $key);
    };
}

#[test]
fn records_are_as_described() {
    let description = description();
    compare_family!(description, "definition", GlobalDefinition, Some("global"));
    compare_family!(description, "definition", LocalDefinition, Some("local"));
    compare_family!(description, "event", Event, None);
    compare_family!(description, "snapshot", Snapshot, None);
    compare_family!(description, "marker", AnyMarker, None);
    compare_family!(description, "thumbnail", Thumbnail, None);
}

#[test]
fn enums_and_flags_are_as_described() {
    let description = description();
    for entry in list(&description, "enum") {
        let entry = entry.as_table().unwrap();
        let values: Vec<(&str, u64)> = list(entry, "entries")
            .iter()
            .map(|value| value.as_table().unwrap())
            .map(|value| (string(value, "name"), value["value"].as_integer().unwrap() as u64))
            .collect();
        let known = known(string(entry, "name"));
        // The return codes of callbacks are not part of the format, and 0 is not a flag.
        let described: Vec<_> =
            values.into_iter().filter(|(_, value)| string(entry, "kind") != "flags" || *value != 0).collect();
        match string(entry, "name") {
            "CallbackCode" => assert_eq!(known, None),
            name => assert_eq!(known.as_ref(), Some(&described), "{name}"),
        }
    }
}

fn known(name: &str) -> Option<Vec<(&'static str, u64)>> {
    macro_rules! find {
        (enums $($enum:ident)*; flags $($flags:ident)*) => {
            match name {
                $(stringify!($enum) => {
                    enums::$enum::VALUES.iter().map(|value| (value.name().unwrap(), value.0 as u64)).collect()
                })*
                $(stringify!($flags) => {
                    flags::$flags::NAMES.all().iter().map(|(name, bit)| (*name, *bit as u64)).collect()
                })*
                _ => return None,
            }
        };
    }
    Some(find!(
        enums Boolean FileType FileSubstrate MappingType Type Paradigm ParadigmClass ParadigmProperty ThumbnailType SystemTreeDomain LocationGroupType LocationType RegionRole GroupType Base MetricOccurrence MetricType MetricValueProperty MetricTiming MetricMode MetricScope RecorderKind ParameterType CartPeriodicity InterruptGeneratorMode MeasurementMode CollectiveOp RmaSyncType LockType RmaAtomicType IoParadigmClass IoParadigmProperty IoAccessMode IoSeekOption IoOperationMode CollectiveRoot TaskGenerationNumber RegionType GroupTypePre12 FileMode Compression FlushType Hint IdMapMode MarkerSeverity MarkerScope;
        flags RegionFlag GroupFlag RmaSyncLevel IoParadigmFlag IoHandleFlag IoCreationFlag IoStatusFlag IoOperationFlag CommFlag RmaWinFlag
    ))
}

/// The keys in the description that determine which obsolete type is written.
struct Keys {
    rows: &'static str,
    value: &'static str,
    flags: &'static str,
}

impl Keys {
    /// Returns the name of the obsolete type that is written for these names and flags.
    fn written<'t>(
        &self,
        description: &'t toml::Table,
        value: Option<&str>,
        paradigm: Option<&str>,
        flags: i64,
    ) -> &'t str {
        let fits = |rule: &toml::Value| {
            Some(string(rule.as_table().unwrap(), self.value)) == value
                && Some(string(rule.as_table().unwrap(), "paradigm")) == paradigm
                && match &rule[self.flags] {
                    toml::Value::Array(all) => all.iter().any(|one| one.as_integer() == Some(flags)),
                    toml::Value::Integer(one) => *one == flags,
                    any => any.as_str() == Some("any"),
                }
        };
        let is_written = |row: &&toml::Value| match row.get("on_write") {
            Some(toml::Value::Array(rules)) => rules.iter().any(fits),
            rule => rule.is_some_and(fits),
        };
        let row = list(description, self.rows).iter().find(is_written);
        row.map_or("UNKNOWN", |row| row["name"].as_str().unwrap())
    }
}

/// Every role, paradigm and flag set must map to the obsolete type of the description, and vice
/// versa.
#[test]
fn obsolete_region_types_are_as_described() {
    use kymo_otf2::enums::{Paradigm, RegionRole, RegionType};
    use kymo_otf2::flags::RegionFlag;
    let description = description();
    let keys = Keys { rows: "region_type", value: "regionRole", flags: "flags" };
    for role in RegionRole::VALUES {
        for (paradigm, flags) in Paradigm::VALUES.iter().flat_map(|it| (0..4).map(move |flags| (it, flags))) {
            let expected = keys.written(&description, role.name(), paradigm.name(), flags);
            let found = RegionType::of(*role, *paradigm, RegionFlag::from_bits_retain(flags as u32));
            assert_eq!(found.name(), Some(expected), "{role} {paradigm} {flags}");
        }
    }
    for row in list(&description, keys.rows) {
        let type_ = RegionType(row["value"].as_integer().unwrap() as u8);
        let read = row["on_read"].as_table().unwrap();
        assert_eq!(type_.role().name(), Some(string(read, "regionRole")));
        assert_eq!(type_.paradigm().name(), Some(string(read, "paradigm")));
        assert_eq!(type_.flags().bits() as i64, read["regionFlags"].as_integer().unwrap());
    }
    // Types newer than the tables read as unknown ones.
    assert_eq!(RegionType(200).role(), RegionRole::UNKNOWN);
}

/// Like `obsolete_region_types_are_as_described`, but for groups.
#[test]
fn obsolete_group_types_are_as_described() {
    use kymo_otf2::enums::{GroupType, GroupTypePre12, Paradigm};
    use kymo_otf2::flags::GroupFlag;
    let description = description();
    let keys = Keys { rows: "group_type_pre12", value: "groupType", flags: "groupFlags" };
    for group_type in GroupType::VALUES {
        for (paradigm, flags) in Paradigm::VALUES.iter().flat_map(|it| (0..2).map(move |flags| (it, flags))) {
            let expected = keys.written(&description, group_type.name(), paradigm.name(), flags);
            let found = GroupTypePre12::of(*group_type, *paradigm, GroupFlag::from_bits_retain(flags as u32));
            assert_eq!(found.name(), Some(expected), "{group_type} {paradigm} {flags}");
        }
    }
    for row in list(&description, keys.rows) {
        let type_ = GroupTypePre12(row["value"].as_integer().unwrap() as u8);
        let read = row["on_read"].as_table().unwrap();
        assert_eq!(type_.group_type().name(), Some(string(read, "groupType")));
        assert_eq!(type_.paradigm().name(), Some(string(read, "paradigm")));
    }
}
