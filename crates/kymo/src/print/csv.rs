//! CSV: one row per event, quoted according to RFC 4180.
//!
//! The first columns are location, time and record. The others are `field=value`, one for each
//! field of the record. A reference is followed by `field.name=…` if it has a name. The elements of
//! a list and the names of flags are separated by blanks.

use std::fmt::Arguments;
use std::io::Write;
use std::path::Path;

use kymo_otf2::Anchor;
use kymo_otf2::attributes::Attribute;
use kymo_otf2::definitions::{GlobalDefinition, LocalDefinition};
use kymo_otf2::events::Event;
use kymo_otf2::field::{Elements, FieldInfo, FieldKind, FieldValue};
use kymo_otf2::read::TimedRecord;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::LocationRef;
use kymo_otf2::snapshots::Snapshot;
use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};

use super::fields::{Meaning, Plain, UNKNOWN};
use super::form::{Form, OutputPart};
use super::names::{Found, Names, Reference};
use super::number;
use super::output::keep_on_line;

/// The form that writes rows.
#[derive(Debug)]
pub(super) struct Csv {
    /// Whether times are relative to the global offset.
    pub(super) is_relative: bool,
}

/// A row being written.
struct Row<'o, 'n, 'a> {
    out: &'o mut Vec<u8>,
    meaning: Meaning<'n, 'a>,
}

impl Row<'_, '_, '_> {
    /// Writes a column with a name and a value.
    fn column(&mut self, name: &str, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.out.len();
        self.out.extend_from_slice(name.as_bytes());
        self.out.push(b'=');
        write(self.out);
        keep_on_line(self.out, start);
        quote(self.out, start);
        self.out.insert(start, b',');
    }

    fn plain(&mut self, name: &str, value: Plain<'_, '_, '_>) {
        self.column(name, |out| plain(out, value));
        if let Plain::Reference(Found { named: Some(named), .. }) = value {
            let before = self.out.len();
            let mut has_name = false;
            self.column(&format!("{name}.name"), |out| has_name = named.name.write(out));
            if !has_name {
                self.out.truncate(before);
            }
        }
    }

    fn field(&mut self, info: &FieldInfo, value: FieldValue<'_>) {
        let mut names = info.names.split(' ');
        match value {
            FieldValue::List(list) => self.lists(names.skip(1), &info.kind, list),
            value => self.plain(names.next_back().unwrap_or_default(), self.meaning.plain(&info.kind, value)),
        }
    }

    fn lists<'i>(&mut self, names: impl Iterator<Item = &'i str>, kind: &FieldKind, list: &dyn Elements) {
        let FieldKind::List { element, .. } = kind else { return };
        let meaning = self.meaning;
        for (number, name) in names.enumerate() {
            self.column(name, |out| {
                let start = out.len();
                list.each(&mut |parts| {
                    if out.len() > start {
                        out.push(b' ');
                    }
                    plain(out, meaning.part(element, parts, number));
                });
            });
        }
    }
}

fn plain(out: &mut Vec<u8>, value: Plain<'_, '_, '_>) {
    // Writing to a vector does not fail.
    let _ = match value {
        Plain::Unsigned(value) => return number::unsigned(out, value),
        Plain::Signed(value) => return number::signed(out, value),
        Plain::Double(value) => write!(out, "{value:?}"),
        Plain::Float(value) => write!(out, "{value:?}"),
        Plain::Word(word) => out.write_all(word.as_bytes()),
        Plain::Text(text) => out.write_all(text),
        Plain::Undefined | Plain::Reference(Found { number: None, .. }) => out.write_all(b"undefined"),
        Plain::Reference(Found { number: Some(id), .. }) => return number::unsigned(out, id),
        Plain::Flags(bits, names) => {
            let unknown = names.all().iter().fold(bits, |bits, (_, flag)| bits & !flag);
            let words = names.iter(bits).map(str::to_owned);
            let words = words.chain((unknown != 0).then(|| unknown.to_string()));
            out.write_all(words.collect::<Vec<_>>().join(" ").as_bytes())
        }
    };
}

/// Quotes everything written from `start` on, if necessary.
fn quote(out: &mut Vec<u8>, start: usize) {
    if !out[start..].iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        return;
    }
    let text = out.split_off(start);
    out.push(b'"');
    for byte in text {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

impl Form for Csv {
    fn begin(&mut self, out: &mut Vec<u8>, part: OutputPart) {
        if part == OutputPart::Events {
            out.extend_from_slice(b"location,time,record,fields\n");
        }
    }

    fn step(&mut self, _: &mut Vec<u8>, _: Arguments<'_>) {}

    fn anchor(&mut self, _: &mut Vec<u8>, _: &Anchor<'_>) {}

    fn thumbnail(&mut self, _: &mut Vec<u8>, _: u32, _: &ThumbnailHeader<'_>) {}

    fn thumbnail_sample(&mut self, _: &mut Vec<u8>, _: u32, _: u32, _: &ThumbnailSample<'_>) {}

    fn definition(&mut self, _: &mut Vec<u8>, _: &Names<'_>, _: &GlobalDefinition<'_>) {}

    fn local_definition(&mut self, _: &mut Vec<u8>, _: &Names<'_>, _: LocationRef, _: &LocalDefinition<'_>) {}

    fn event(
        &mut self,
        out: &mut Vec<u8>,
        names: &Names<'_>,
        location: LocationRef,
        event: &TimedRecord<'_, Event<'_>>,
    ) {
        let meaning = Meaning { names, origin: names.global_offset().filter(|_| self.is_relative) };
        number::unsigned(out, location.0);
        out.push(b',');
        plain(out, meaning.time(event.time));
        out.push(b',');
        out.extend_from_slice(event.record.name().as_bytes());
        let mut row = Row { out, meaning };
        if event.record.name() == UNKNOWN {
            row.plain("recordId", Plain::Unsigned(event.record.id().into()));
        }
        event.record.visit(&mut |info, value| row.field(info, value));
        for Attribute { attribute, value } in event.attributes.iter() {
            let found = attribute.look_up(names);
            let mut name = b"attribute.".to_vec();
            if !found.named.is_some_and(|named| named.name.write(&mut name)) {
                number::unsigned(&mut name, attribute.0.into());
            }
            row.plain(&String::from_utf8_lossy(&name), meaning.value(value));
        }
        row.out.push(b'\n');
    }

    fn snapshot(
        &mut self,
        _: &mut Vec<u8>,
        _: &Names<'_>,
        _: LocationRef,
        _: &TimedRecord<'_, Snapshot<'_>>,
    ) {
    }

    fn pause(&mut self, _: &mut Vec<u8>, _: u64, _: &str) {}

    fn end(&mut self, _: &mut Vec<u8>, _: &Path, _: Option<&Path>) {}
}
