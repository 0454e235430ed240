//! Prints records in the form of the golden files: kind, location, number, time, name, `name=value`
//! in API order.

use super::Archive;
use kymo_otf2::enums::Type;
use kymo_otf2::field::{FieldKind, FieldValue};
use kymo_otf2::records::AnyRecord;
use kymo_otf2::{FileName, attributes, read, value::Value};
use std::fmt::Write;

/// Returns the dump of an archive, without the fields added in version `without` (for dumps made
/// with an older reader).
pub fn archive(archive: &Archive, without: Option<&str>) -> String {
    let anchor = archive.anchor();
    let (events, definitions) = (anchor.event_chunk_size, anchor.definition_chunk_size);
    let mut out = format!("{}\n", self::anchor(&anchor));
    let line = |out: &mut String, text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    let has = |file: FileName| archive.files.contains(&file);
    let bytes = archive.bytes(FileName::GlobalDefinitions);
    for record in read::global_definitions(&bytes, definitions).unwrap() {
        let record = record.unwrap();
        line(&mut out, format!("GDEF {}", fields(&record, record.api_order(), without)));
    }
    for location in archive.locations() {
        if has(FileName::LocalDefinitions(location)) {
            let bytes = archive.bytes(FileName::LocalDefinitions(location));
            for record in read::local_definitions(&bytes, definitions).unwrap() {
                let record = record.unwrap();
                line(&mut out, format!("LDEF {location} {}", fields(&record, record.api_order(), without)));
            }
        }
    }
    for location in archive.locations() {
        if has(FileName::Events(location)) {
            let bytes = archive.bytes(FileName::Events(location));
            for event in read::events(&bytes, events).unwrap() {
                let event = event.unwrap();
                let head = format!("EVT {location} {}", event.number);
                line(&mut out, timed(&head, &event, without));
            }
        }
    }
    for location in archive.locations() {
        if has(FileName::Snapshots(location)) {
            let bytes = archive.bytes(FileName::Snapshots(location));
            for record in read::snapshots(&bytes, events).unwrap() {
                let record = record.unwrap();
                line(&mut out, timed(&format!("SNAP {location}"), &record, without));
            }
        }
    }
    if has(FileName::Markers) {
        let bytes = archive.bytes(FileName::Markers);
        for record in read::markers(&bytes, definitions).unwrap() {
            let record = record.unwrap();
            line(&mut out, format!("MARK {}", fields(&record, None, without)));
        }
    }
    for number in 0..anchor.number_of_thumbnails {
        let bytes = archive.bytes(FileName::Thumbnail(number));
        let (header, samples) = read::thumbnail(&bytes).unwrap();
        line(&mut out, format!("THUMB {number} {}", fields(&header, None, without)));
        for sample in samples {
            line(&mut out, format!("THUMB {number} {}", fields(&sample.unwrap(), None, without)));
        }
    }
    out
}

/// Formats an event or snapshot record after its `head`, kind and location.
pub fn timed<R: AnyRecord>(head: &str, record: &read::TimedRecord<'_, R>, without: Option<&str>) -> String {
    // The golden files have a blank after the fields of snapshots.
    let blank = if head.starts_with("SNAP") { " " } else { "" };
    let mut text = format!("{head} {} {}{blank}", record.time, fields(&record.record, None, without));
    list(&mut text, &record.attributes);
    text
}

fn anchor(anchor: &kymo_otf2::Anchor<'_>) -> String {
    let [major, minor, bugfix] = anchor.version;
    let properties: Vec<_> = anchor
        .properties
        .iter()
        .map(|property| {
            format!("\"{}\"=\"{}\"", text(property.name.as_bytes()), text(property.value.as_bytes()))
        })
        .collect();
    format!(
        "ANCHOR fmt={} ver={major}.{minor}.{bugfix} ce={} cd={} sub={} comp={} locs={} defs={} machine=\"{}\" \
         creator=\"{}\" desc=\"{}\" id={} snaps={} thumbs={} props=[{}]",
        // The golden dumps contain the format of the reading library here, even for older files.
        kymo_otf2::TRACE_FORMAT,
        anchor.event_chunk_size,
        anchor.definition_chunk_size,
        anchor.substrate.0,
        anchor.compression.0,
        anchor.number_of_locations,
        anchor.number_of_global_definitions,
        text(anchor.machine.as_bytes()),
        text(anchor.creator.as_bytes()),
        text(anchor.description.as_bytes()),
        anchor.trace_id,
        anchor.number_of_snapshots,
        anchor.number_of_thumbnails,
        properties.join(";"),
    )
}

/// Formats the name and fields of a record.
pub fn fields<R: AnyRecord>(record: &R, api_order: Option<&[&str]>, without: Option<&str>) -> String {
    let mut shown: Vec<(&str, String)> = Vec::new();
    record.visit(&mut |info, value| {
        if Some(info.since) == without {
            return;
        }
        let names: Vec<&'static str> = info.names.split(' ').collect();
        match value {
            FieldValue::List(elements) => {
                let mut columns = vec![Vec::new(); names.len() - 1];
                elements.each(&mut |parts| {
                    for (column, part) in columns.iter_mut().zip(parts) {
                        column.push(plain(*part));
                    }
                });
                shown.push((names[0], elements.count().to_string()));
                let columns = columns.iter().map(|column| format!("[{}]", column.join(",")));
                shown.extend(names[1..].iter().copied().zip(columns));
            }
            FieldValue::Value(value) if info.kind == FieldKind::Value => {
                shown.push((names[0], value.type_().0.to_string()));
                shown.push((names[1], tagged(value)));
            }
            other => shown.push((names[0], plain(other))),
        }
    });
    if let Some(order) = api_order {
        let place =
            |name: &str| order.iter().position(|other| *other == name).expect("a name of the API order");
        shown.sort_by_key(|(name, _)| place(name));
    }
    let name = if record.name() == "Unknown" { "UNKNOWN" } else { record.name() };
    shown.iter().fold(name.to_owned(), |text, (name, value)| format!("{text} {name}={value}"))
}

fn plain(value: FieldValue<'_>) -> String {
    match value {
        FieldValue::Unsigned(number) | FieldValue::Enum(number, _) => number.to_string(),
        FieldValue::Signed(number) => number.to_string(),
        FieldValue::Double(number) => format!("D{:016x}", number.to_bits()),
        FieldValue::Flags(bits, _) => bits.to_string(),
        FieldValue::Text(bytes) => format!("\"{}\"", text(bytes)),
        FieldValue::Value(value) => tagged(value),
        FieldValue::IdMap(map) => {
            let entries: Vec<_> = map.iter().map(|(local, global)| format!("{local}>{global}")).collect();
            format!("M{}{{{}}}", map.is_sparse() as u8, entries.join(","))
        }
        other => panic!("no plain value: {other:?}"),
    }
}

fn tagged(value: Value) -> String {
    let number = match value.type_() {
        Type::INT8 | Type::INT16 | Type::INT32 | Type::INT64 => (value.bits() as i64).to_string(),
        Type::FLOAT => format!("F{:08x}", value.bits()),
        Type::DOUBLE => format!("D{:016x}", value.bits()),
        _ => value.bits().to_string(),
    };
    format!("T{}:{number}", value.type_().0)
}

fn list(out: &mut String, attributes: &attributes::Attributes<'_>) {
    if attributes.is_empty() {
        return;
    }
    let entries: Vec<_> =
        attributes.iter().map(|entry| format!("{}={}", entry.attribute.0, tagged(entry.value))).collect();
    write!(out, " {{{}}}", entries.join(",")).unwrap();
}

/// Escapes everything except graphic ASCII as `\xNN`, including blanks, quotes and backslashes.
fn text(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, &byte| {
        match byte {
            b'"' | b'\\' | 0..=32 | 127.. => write!(out, "\\x{byte:02x}").unwrap(),
            _ => out.push(byte as char),
        }
        out
    })
}
