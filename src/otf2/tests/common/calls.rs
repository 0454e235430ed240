//! The C calls for every record, generated from the record table, and the script lines that feed
//! them.

use super::wire::{self, Wire};
use kymo_otf2::field::{FieldInfo, FieldKind};
use kymo_otf2::records::AnyRecord;
use std::fmt::Write;

pub type Table = &'static [(u8, &'static str, &'static [FieldInfo])];

/// The first event that Debian's libotf2, which is 3.0, does not have.
const FIRST_OF_3_2: &str = "MpiProbe";

/// Returns the records of a table that Debian's libotf2 has.
pub fn of_libotf2(table: Table) -> Table {
    table.split(|(_, name, _)| *name == FIRST_OF_3_2).next().unwrap_or_default()
}

/// Returns one C function per kind of file, which takes a record's name and fields from the script
/// and calls libotf2.
pub fn c_source() -> String {
    use kymo_otf2::definitions::{GlobalDefinition, LocalDefinition};
    let global = "OTF2_GlobalDefWriter* writer";
    let local = "OTF2_DefWriter* writer";
    let event = "OTF2_EvtWriter* writer, OTF2_AttributeList* list, uint64_t time";
    let snapshot = "OTF2_SnapWriter* writer, OTF2_AttributeList* list, uint64_t time";
    let marker = "OTF2_MarkerWriter* writer";
    [
        function(
            "global_definition",
            global,
            "OTF2_GlobalDefWriter_Write",
            "writer",
            GlobalDefinition::RECORDS,
        ),
        function("local_definition", local, "OTF2_DefWriter_Write", "writer", LocalDefinition::RECORDS),
        function("event", event, "OTF2_EvtWriter_", "writer, list, time", kymo_otf2::events::Event::RECORDS),
        function(
            "snapshot",
            snapshot,
            "OTF2_SnapWriter_",
            "writer, list, time",
            kymo_otf2::snapshots::Snapshot::RECORDS,
        ),
        function(
            "marker",
            marker,
            "OTF2_MarkerWriter_Write",
            "writer",
            kymo_otf2::markers::AnyMarker::RECORDS,
        ),
    ]
    .concat()
}

fn function(name: &str, parameters: &str, prefix: &str, first: &str, records: Table) -> String {
    let mut out = format!("static OTF2_ErrorCode {name}( {parameters} )\n{{\n    char* name = token();\n");
    for (_, record, fields) in of_libotf2(records) {
        let mut arguments = first.to_owned();
        writeln!(out, "    if ( !strcmp( name, \"{record}\" ) )\n    {{").unwrap();
        for (index, field) in ordered(record, fields).into_iter().enumerate() {
            let (declaration, names) = argument(index, &field.kind);
            writeln!(out, "        {declaration}").unwrap();
            arguments = format!("{arguments}, {names}");
        }
        writeln!(out, "        return {prefix}{record}( {arguments} );\n    }}").unwrap();
    }
    out + "    return OTF2_ERROR_INVALID;\n}\n\n"
}

/// Returns the visible fields in the order of the C interface.
fn ordered(record: &str, fields: &'static [FieldInfo]) -> Vec<&'static FieldInfo> {
    let mut visible: Vec<_> = fields.iter().filter(|field| !field.obsolete).collect();
    if let Some(order) = api_order(record) {
        visible.sort_by_key(|field| place(order, field));
    }
    visible
}

fn place(order: &[&str], field: &FieldInfo) -> usize {
    let name = field.names.split(' ').next().unwrap();
    order.iter().position(|other| *other == name).unwrap()
}

fn api_order(record: &str) -> Option<&'static [&'static str]> {
    use kymo_otf2::definitions::{Attribute, Group, Region};
    use kymo_otf2::records::Record;
    match record {
        "Attribute" => Attribute::API_ORDER,
        "Group" => Group::API_ORDER,
        "Region" => Region::API_ORDER,
        _ => None,
    }
}

fn argument(index: usize, kind: &FieldKind) -> (String, String) {
    let a = format!("a{index}");
    match kind {
        FieldKind::Text => (format!("char* {a} = text();"), a),
        FieldKind::F64 => (format!("double {a} = real();"), a),
        FieldKind::IdMap => (format!("OTF2_IdMap* {a} = id_map();"), a),
        FieldKind::Value => (
            format!("OTF2_Type {a}t = number(); OTF2_AttributeValue {a} = attribute_value();"),
            format!("{a}t, {a}"),
        ),
        FieldKind::List { element, .. } => list(&a, element),
        _ => (format!("uint64_t {a} = number();"), a),
    }
}

fn list(a: &str, element: &[FieldKind]) -> (String, String) {
    let (mut arrays, mut fill, mut names) = (String::new(), String::new(), format!("{a}n"));
    for (column, part) in element.iter().enumerate() {
        let (type_, take) = match part {
            FieldKind::Enum(_) => ("uint8_t", "number()"),
            FieldKind::Value => ("OTF2_AttributeValue", "attribute_value()"),
            FieldKind::MetricValue => ("OTF2_MetricValue", "metric_value()"),
            FieldKind::U64 => ("uint64_t", "number()"),
            _ => ("uint32_t", "number()"),
        };
        write!(arrays, "{type_}* {a}c{column} = malloc( sizeof( {type_} ) * {a}n + 1 ); ").unwrap();
        write!(fill, "{a}c{column}[ i ] = {take}; ").unwrap();
        write!(names, ", {a}c{column}").unwrap();
    }
    (format!("uint64_t {a}n = number(); {arrays}for ( uint64_t i = 0; i < {a}n; i++ ) {{ {fill}}}"), names)
}

/// Returns the name and fields of a record for the script.
pub fn line<R: AnyRecord>(record: &R) -> String {
    let mut fields: Vec<(&'static FieldInfo, Wire)> = Vec::new();
    let values = wire::visible(record);
    let mut values = values.into_iter();
    record.visit(&mut |info, _| fields.push((info, values.next().unwrap())));
    if let Some(order) = api_order(record.name()) {
        fields.sort_by_key(|(field, _)| place(order, field));
    }
    let mut line = record.name().to_owned();
    fields.iter().for_each(|(_, value)| put_tokens(value, &mut line));
    line
}

fn put_tokens(value: &Wire, line: &mut String) {
    match value {
        Wire::U8(value) => write!(line, " {value}"),
        Wire::U32(value) => write!(line, " {value}"),
        Wire::U64(value) | Wire::Fixed(value) => write!(line, " {value}"),
        Wire::I64(value) => write!(line, " {}", *value as u64),
        Wire::Text(text) => write!(line, " {}", hex(text)),
        Wire::Value(type_, value) => write!(line, " {type_} {value}"),
        Wire::IdMap(sparse, entries) => {
            write!(line, " {} {}", *sparse as u8, entries.len()).unwrap();
            entries.iter().try_for_each(|(local, global)| write!(line, " {local} {global}"))
        }
        Wire::List(_, elements) => {
            write!(line, " {}", elements.len()).unwrap();
            elements.iter().flatten().for_each(|part| put_tokens(part, line));
            Ok(())
        }
    }
    .unwrap();
}

/// Encodes a text as a token.
pub fn hex(text: &[u8]) -> String {
    let mut out = "x".to_owned();
    text.iter().for_each(|byte| write!(out, "{byte:02x}").unwrap());
    out
}
