//! The parts of the driver for records, in C, made from the record tables.

use kymo_otf2::definitions::{self, GlobalDefinition, LocalDefinition};
use kymo_otf2::events::Event;
use kymo_otf2::markers::AnyMarker;
use kymo_otf2::records::Record;
use kymo_otf2::records::field::{FieldInfo, FieldKind};
use kymo_otf2::snapshots::Snapshot;
use std::fmt::Write;

type Table = &'static [(u8, &'static str, &'static [FieldInfo])];

/// Functions of the C interface for a family of records.
#[derive(Clone, Copy)]
struct Family {
    /// The name of the functions of the driver.
    name: &'static str,
    number: &'static str,
    table: Table,
    /// The prefix of the functions of the writer, its type, and its arguments before the fields.
    writer: (&'static str, &'static str, &'static str, &'static str),
    /// The names in the driver and prefixes of the tables of callbacks, and their first arguments.
    readers: &'static [Reader],
}

struct Reader {
    name: &'static str,
    prefix: &'static str,
    first: &'static str,
    head: &'static str,
}

const TIMED: &str = "OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList* with";
const LOCAL: &str =
    "OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void* data, OTF2_AttributeList* with";
const USER: &str = "void* data";
const USER_HEAD: &str = "printf( \"{kind} {name} |\" );";
const TIMED_HEAD: &str = "head( \"{kind}\", \"{name}\", location, time, with );";
const LOCAL_HEAD: &str = "head( \"{kind}\", \"{name}\", location, time, with ); printf( \" %llu |\", (unsigned long long)position );";

const FAMILIES: [Family; 5] = [
    Family {
        name: "Event",
        number: "EVENTS",
        table: Event::RECORDS,
        writer: (
            "OTF2_EvtWriter_",
            "OTF2_EvtWriter",
            "OTF2_AttributeList* with, OTF2_TimeStamp time, ",
            "with, time",
        ),
        readers: &[
            Reader { name: "LocalEvent", prefix: "OTF2_EvtReader", first: LOCAL, head: LOCAL_HEAD },
            Reader { name: "GlobalEvent", prefix: "OTF2_GlobalEvtReader", first: TIMED, head: TIMED_HEAD },
        ],
    },
    Family {
        name: "Snapshot",
        number: "SNAPSHOTS",
        table: Snapshot::RECORDS,
        writer: (
            "OTF2_SnapWriter_",
            "OTF2_SnapWriter",
            "OTF2_AttributeList* with, OTF2_TimeStamp time, ",
            "with, time",
        ),
        readers: &[Reader {
            name: "LocalSnapshot",
            prefix: "OTF2_SnapReader",
            first: TIMED,
            head: TIMED_HEAD,
        }],
    },
    Family {
        name: "Global",
        number: "GLOBALS",
        table: GlobalDefinition::RECORDS,
        writer: ("OTF2_GlobalDefWriter_Write", "OTF2_GlobalDefWriter", "", ""),
        readers: &[Reader { name: "Global", prefix: "OTF2_GlobalDefReader", first: USER, head: USER_HEAD }],
    },
    Family {
        name: "Local",
        number: "LOCALS",
        table: LocalDefinition::RECORDS,
        writer: ("OTF2_DefWriter_Write", "OTF2_DefWriter", "", ""),
        readers: &[Reader { name: "Local", prefix: "OTF2_DefReader", first: USER, head: USER_HEAD }],
    },
    Family {
        name: "Marker",
        number: "MARKERS",
        table: AnyMarker::RECORDS,
        writer: ("OTF2_MarkerWriter_Write", "OTF2_MarkerWriter", "", ""),
        readers: &[Reader { name: "Marker", prefix: "OTF2_MarkerReader", first: USER, head: USER_HEAD }],
    },
];

/// The last event of OTF2 3.0, which is the version of Debian's library.
#[allow(dead_code, reason = "not used by all programs with this module")]
pub(super) const OF_LIBOTF2: u8 = 88;

/// Returns the text of `records.h`, with the events up to this id.
pub(super) fn text(last_event: u8) -> String {
    let mut text = String::new();
    let events = Event::RECORDS.iter().take_while(|record| record.0 <= last_event).count();
    for family in FAMILIES {
        let table = if family.name == "Event" { &family.table[..events] } else { family.table };
        let family = &Family { table, ..family };
        writer(family, &mut text);
        for reader in family.readers {
            callbacks(family, reader, &mut text);
        }
    }
    text
}

/// Returns the fields in the order of the C interface.
fn fields(name: &str, family: &str, fields: &'static [FieldInfo]) -> Vec<&'static FieldInfo> {
    let order = match (family, name) {
        ("Global" | "Local", "Attribute") => definitions::Attribute::API_ORDER,
        ("Global" | "Local", "Region") => definitions::Region::API_ORDER,
        ("Global" | "Local", "Group") => definitions::Group::API_ORDER,
        _ => None,
    };
    let mut fields: Vec<_> = fields.iter().filter(|field| !field.obsolete).collect();
    if let Some(order) = order {
        // A list has several names, of which the first one says where it is.
        let first = |field: &FieldInfo| field.names.split(' ').next().map(str::to_owned);
        fields.sort_by_key(|field| order.iter().position(|&name| Some(name.to_owned()) == first(field)));
    }
    fields
}

/// Returns random arguments for a field.
fn random(field: &FieldInfo) -> String {
    match field.kind {
        _ if field.names == "mappingType" => "mapping_type()".into(),
        FieldKind::I64 if field.names == "offset" => "corrected( 1000 )".into(),
        FieldKind::Timestamp if field.names == "stopTime" => "corrected( 1000000000 )".into(),
        FieldKind::U8 | FieldKind::Enum(_) | FieldKind::Reference { bytes: 1, .. } => "below( 9 )".into(),
        FieldKind::U32 | FieldKind::Flags(_) | FieldKind::Reference { bytes: 4, .. } => "number()".into(),
        FieldKind::U64 | FieldKind::I64 | FieldKind::Timestamp | FieldKind::Reference { .. } => {
            "number()".into()
        }
        FieldKind::F64 => "real()".into(),
        FieldKind::Text => "text()".into(),
        FieldKind::Value => "type_of_value(), any_value()".into(),
        FieldKind::IdMap => "map".into(),
        FieldKind::List { element, .. } => format!("count, {}", arrays(element).join(", ")),
        ref other => panic!("a field of {other:?}"),
    }
}

/// Returns the arrays of a list.
fn arrays(element: &[FieldKind]) -> Vec<&'static str> {
    match element {
        [FieldKind::Enum(_), FieldKind::MetricValue] => vec!["types", "metrics"],
        [_, _, FieldKind::Value] => vec!["properties", "types", "values"],
        [FieldKind::U64 | FieldKind::Reference { bytes: 8, .. }] => vec!["numbers64"],
        _ => vec!["numbers32"],
    }
}

fn writer(family: &Family, text: &mut String) {
    let (prefix, handle, arguments, passed) = family.writer;
    let name = family.name;
    let count = family.table.len();
    writeln!(text, "enum {{ NUMBER_OF_{} = {count} }};\n", family.number).unwrap();
    writeln!(text, "static OTF2_ErrorCode\nwrite_{name}( {handle}* writer, {arguments}uint64_t kind )\n{{")
        .unwrap();
    writeln!(text, "    switch ( kind )\n    {{").unwrap();
    for (at, (_, record, all)) in family.table.iter().enumerate() {
        let fields = fields(record, name, all);
        let is_metric = fields
            .iter()
            .any(|field| matches!(field.kind, FieldKind::List { element: [_, FieldKind::MetricValue], .. }));
        let has_list = fields.iter().any(|field| matches!(field.kind, FieldKind::List { .. }));
        let has_map = fields.iter().any(|field| field.kind == FieldKind::IdMap);
        writeln!(text, "        case {at}:\n        {{").unwrap();
        if has_list {
            writeln!(text, "            uint32_t count = elements( {} );", u8::from(is_metric)).unwrap();
        }
        if has_map {
            writeln!(text, "            elements( 0 );").unwrap();
            writeln!(text, "            OTF2_IdMap* map = OTF2_IdMap_CreateFromUint64Array( 1 + below( 20 ), numbers64, false );").unwrap();
        }
        let mut list: Vec<String> = ["writer".to_owned()].into_iter().collect();
        list.extend((!passed.is_empty()).then(|| passed.to_owned()));
        // The order in which a compiler evaluates arguments is its own.
        for (at, field) in fields.iter().enumerate() {
            match field.kind {
                FieldKind::List { .. } | FieldKind::IdMap => list.push(random(field)),
                FieldKind::Value => {
                    writeln!(text, "            uint8_t type{at} = type_of_value();").unwrap();
                    writeln!(text, "            OTF2_AttributeValue value{at} = any_value();").unwrap();
                    list.push(format!("type{at}, value{at}"));
                }
                FieldKind::Text => {
                    writeln!(text, "            const char* a{at} = text();").unwrap();
                    list.push(format!("a{at}"));
                }
                FieldKind::F64 => {
                    writeln!(text, "            double a{at} = real();").unwrap();
                    list.push(format!("a{at}"));
                }
                _ => {
                    writeln!(text, "            uint64_t a{at} = {};", random(field)).unwrap();
                    list.push(format!("a{at}"));
                }
            }
        }
        writeln!(text, "            OTF2_ErrorCode code = {prefix}{record}( {} );", list.join(", ")).unwrap();
        if has_map {
            writeln!(text, "            OTF2_IdMap_Free( map );").unwrap();
        }
        writeln!(text, "            return code;\n        }}").unwrap();
    }
    writeln!(text, "        default:\n            return OTF2_SUCCESS;\n    }}\n}}\n").unwrap();
}

/// Returns the C type of a field of one argument, and how it is printed.
fn scalar(kind: &FieldKind) -> (&'static str, &'static str) {
    match kind {
        FieldKind::U8 | FieldKind::Enum(_) | FieldKind::Reference { bytes: 1, .. } => {
            ("uint8_t", "printf( \" %u\", {} );")
        }
        FieldKind::U32 | FieldKind::Flags(_) | FieldKind::Reference { bytes: 4, .. } => {
            ("uint32_t", "printf( \" %u\", {} );")
        }
        FieldKind::I64 => ("int64_t", "printf( \" %lld\", (long long){} );"),
        FieldKind::F64 => ("double", "printf( \" %a\", {} );"),
        FieldKind::Text => ("const char*", "printf( \" %s\", {} );"),
        FieldKind::IdMap => ("const OTF2_IdMap*", "print_map( {} );"),
        _ => ("uint64_t", "printf( \" %llu\", (unsigned long long){} );"),
    }
}

fn callbacks(family: &Family, reader: &Reader, text: &mut String) {
    for (_, record, all) in family.table {
        let (mut parameters, mut body) = (reader.first.to_owned(), String::new());
        for (at, field) in fields(record, family.name, all).into_iter().enumerate() {
            match field.kind {
                FieldKind::Value => {
                    write!(parameters, ", OTF2_Type type{at}, OTF2_AttributeValue value{at}").unwrap();
                    writeln!(body, "    print_value( type{at}, value{at} );").unwrap();
                }
                FieldKind::List { count, element } => list(at, count, element, &mut parameters, &mut body),
                ref kind => {
                    let (type_, print) = scalar(kind);
                    write!(parameters, ", {type_} a{at}").unwrap();
                    writeln!(body, "    {}", print.replace("{}", &format!("a{at}"))).unwrap();
                }
            }
        }
        let head = reader.head.replace("{kind}", reader.name).replace("{name}", record);
        writeln!(text, "static OTF2_CallbackCode\non_{}_{record}( {parameters} )\n{{", reader.name).unwrap();
        writeln!(text, "    ( void )data;\n    {head}\n{body}    return answer();\n}}\n").unwrap();
    }
    setter(family, reader, text);
}

fn list(at: usize, count: &FieldKind, element: &[FieldKind], parameters: &mut String, body: &mut String) {
    write!(parameters, ", {} n{at}", scalar(count).0).unwrap();
    for array in arrays(element) {
        let type_ = match array {
            "types" | "properties" => "uint8_t",
            "metrics" => "OTF2_MetricValue",
            "values" => "OTF2_AttributeValue",
            "numbers64" => "uint64_t",
            _ => "uint32_t",
        };
        write!(parameters, ", const {type_}* {array}{at}").unwrap();
    }
    let print = match arrays(element).as_slice() {
        ["types", _] => format!("print_metrics( n{at}, types{at}, metrics{at} );"),
        ["properties", ..] => {
            format!("print_bytes( n{at}, properties{at} ); print_values( n{at}, types{at}, values{at} );")
        }
        ["numbers64"] => format!("print64( n{at}, numbers64{at} );"),
        _ => format!("print32( n{at}, numbers32{at} );"),
    };
    writeln!(body, "    {print}").unwrap();
}

fn setter(family: &Family, reader: &Reader, text: &mut String) {
    let Reader { name, prefix, first, head } = reader;
    writeln!(text, "static OTF2_CallbackCode\non_{name}_unknown( {first} )\n{{\n    ( void )data;").unwrap();
    let head = head.replace("{kind}", name).replace("{name}", "unknown");
    writeln!(text, "    {head}\n    return answer();\n}}\n").unwrap();
    writeln!(text, "static void\nset_{name}( {prefix}Callbacks* callbacks )\n{{").unwrap();
    writeln!(text, "    {prefix}Callbacks_SetUnknownCallback( callbacks, on_{name}_unknown );").unwrap();
    for (_, record, _) in family.table {
        let wanted = if record.starts_with("CallingContext") { "is_context_wanted" } else { "is_wanted" };
        // The types of arguments differ in name only.
        writeln!(
            text,
            "    if ( {wanted}() )\n    {{\n        {prefix}Callbacks_Set{record}Callback( callbacks, ({prefix}Callback_{record})on_{name}_{record} );\n    }}"
        )
        .unwrap();
    }
    writeln!(text, "}}\n").unwrap();
}
