//! The OTF2 Python bindings and our reader must deliver the same events: location, time, kind, and
//! every field and attribute by value.

use crate::common::{self, recorded_archives};
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::{Compression, Type};
use kymo_otf2::field::{FieldKind, FieldValue};
use kymo_otf2::records::AnyRecord;
use kymo_otf2::value::Value;
use kymo_otf2::{attributes::Attribute, read::Archive};
use kymo_testdata::python_with_bindings;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Strings by id, or `None` if references are printed as ids.
type Strings = Option<HashMap<u64, Vec<u8>>>;

fn read_with_python(python: &str, anchor: &Path, options: &[&str]) -> Result<Vec<String>, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/events.py");
    let output = Command::new(python).arg(script).args(options).arg(anchor).output().unwrap();
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn read_with_kymo(anchor: &Path, with_definitions: bool) -> Vec<String> {
    let archive = Archive::open(anchor).unwrap();
    let strings = with_definitions.then(|| strings(&archive));
    let mut lines = Vec::new();
    let mut events = archive.events_in_order(&archive.locations().unwrap()).unwrap();
    while let Some((location, event)) = events.next().unwrap() {
        // The bindings have no callback for unknown events.
        if event.record.name() == "Unknown" {
            continue;
        }
        let mut line = format!("{location} {} {}", event.time, event.record.name());
        event.record.visit(&mut |info, value| line += &format!(" {}", shown(&info.kind, value, &strings)));
        let entries: Vec<_> = event.attributes.iter().map(|entry| attribute(entry, &strings)).collect();
        lines.push(format!("{line} {{{}}}", entries.join(",")));
    }
    lines
}

fn strings(archive: &Archive) -> HashMap<u64, Vec<u8>> {
    let file = archive.global_definitions().unwrap();
    let strings = file.records().unwrap().filter_map(|record| match record.unwrap() {
        GlobalDefinition::String(string) => Some((string.id.0.into(), string.string.as_bytes().to_vec())),
        _ => None,
    });
    strings.collect()
}

fn shown(kind: &FieldKind, value: FieldValue<'_>, strings: &Strings) -> String {
    match (kind, value) {
        (FieldKind::Reference { space, bytes, .. }, FieldValue::Unsigned(id)) => {
            reference(space.name(), id, u64::MAX >> (64 - 8 * bytes), strings)
        }
        (_, FieldValue::Unsigned(number) | FieldValue::Enum(number, _)) => number.to_string(),
        (_, FieldValue::Flags(bits, _)) => bits.to_string(),
        (_, FieldValue::Signed(number)) => number.to_string(),
        (_, FieldValue::List(list)) => {
            let mut elements = Vec::new();
            list.each(&mut |parts| match *parts {
                [FieldValue::Enum(type_, _), FieldValue::Unsigned(bits)] => {
                    elements.push(metric(Type(type_ as u8), bits));
                }
                [FieldValue::Unsigned(number)] => elements.push(number.to_string()),
                ref other => panic!("{other:?}"),
            });
            format!("[{}]", elements.join(","))
        }
        other => panic!("{other:?}"),
    }
}

fn reference(space: &str, id: u64, undefined: u64, strings: &Strings) -> String {
    let Some(strings) = strings else { return id.to_string() };
    match strings.get(&id) {
        _ if id == undefined => "-".to_owned(),
        Some(string) if space == "String" => format!("s{}", hexadecimal(string)),
        _ => format!("#{id}"),
    }
}

fn attribute(entry: Attribute, strings: &Strings) -> String {
    format!("{}={}", entry.attribute.0, tagged(entry.value, strings))
}

/// The bindings treat metrics of all other types as unsigned numbers.
fn metric(type_: Type, bits: u64) -> String {
    match type_ {
        Type::INT64 => (bits as i64).to_string(),
        Type::DOUBLE => double(f64::from_bits(bits)),
        _ => bits.to_string(),
    }
}

fn double(number: f64) -> String {
    format!("f{}", hexadecimal(&number.to_be_bytes()))
}

fn tagged(value: Value, strings: &Strings) -> String {
    let bits = value.bits();
    match value.type_() {
        Type::INT8 | Type::INT16 | Type::INT32 | Type::INT64 => (bits as i64).to_string(),
        Type::FLOAT => double(f32::from_bits(bits as u32).into()),
        Type::DOUBLE => double(f64::from_bits(bits)),
        Type::STRING => reference("String", bits, u32::MAX.into(), strings),
        Type::LOCATION => reference("Location", bits, u64::MAX, strings),
        type_ if type_ > Type::STRING && type_ <= Type::LOCATION_GROUP => {
            reference("", bits, u32::MAX.into(), strings)
        }
        _ => bits.to_string(),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Panics at the first difference. Returns the number of events.
fn compare(folder: &Path, found: &[String], expected: &[String]) -> usize {
    let different = found.iter().zip(expected).position(|(found, expected)| found != expected);
    if let Some(at) = different {
        panic!("{}: event {at}:\nkymo   {}\nPython {}", folder.display(), found[at], expected[at]);
    }
    assert_eq!(found.len(), expected.len(), "{}", folder.display());
    found.len()
}

fn anchor(folder: &Path) -> PathBuf {
    folder.join(format!("{}.otf2", common::anchor_name(folder).unwrap()))
}

#[test]
fn python_and_kymo_read_the_same_events() {
    let Some(python) = python_with_bindings() else { return };
    let mut compared = 0;
    for folder in recorded_archives() {
        let anchor = anchor(&folder);
        // The high-level bindings refuse archives with undefined references.
        if let Ok(expected) = read_with_python(python, &anchor, &[]) {
            compared += compare(&folder, &read_with_kymo(&anchor, true), &expected);
        }
    }
    assert!(compared >= 270_851, "{compared} events compared");
}

#[test]
fn python_and_kymo_read_the_same_ids() {
    let Some(python) = python_with_bindings() else { return };
    for folder in kymo_testdata::part_of(recorded_archives(), 2) {
        let anchor = anchor(&folder);
        match read_with_python(python, &anchor, &["--ids"]) {
            Ok(expected) => {
                compare(&folder, &read_with_kymo(&anchor, false), &expected);
            }
            Err(error) => {
                // OTF2 3.x cannot read these.
                let compression = Archive::open(&anchor).unwrap().anchor().compression;
                assert_eq!(compression, Compression::ZLIB, "{}: {error}", folder.display());
            }
        }
    }
}
