//! JSON: one object per line for everything in an archive.
//!
//! `kind` is the kind of item, `record` the kind of record; the fields have the names of the C
//! interface. A reference is an object of `id` and `name`, or `null` if undefined; an enumeration
//! is its name, a set of flags a list of names; unknown values are numbers. Numbers of 64 bits are
//! written with all their digits. Bytes that are not UTF-8 become U+FFFD.

use std::fmt::Arguments;
use std::io::Write;
use std::path::Path;

use kymo_otf2::Anchor;
use kymo_otf2::attributes::{Attribute, Attributes};
use kymo_otf2::definitions::{GlobalDefinition, LocalDefinition};
use kymo_otf2::events::Event;
use kymo_otf2::field::{Elements, Field, FieldInfo, FieldKind, FieldValue};
use kymo_otf2::id_map::IdMap;
use kymo_otf2::read::TimedRecord;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::LocationRef;
use kymo_otf2::snapshots::Snapshot;
use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};

use super::fields::{Meaning, Plain, UNKNOWN, space_of};
use super::form::{Form, OutputPart};
use super::names::{Names, Reference};
use super::number;

/// The form that writes lines of JSON.
#[derive(Debug)]
pub(super) struct Json {
    /// Whether times are relative to the global offset.
    pub(super) is_relative: bool,
}

/// An object being written.
struct Object<'o, 'n, 'a> {
    out: &'o mut Vec<u8>,
    meaning: Meaning<'n, 'a>,
}

impl<'o, 'n, 'a> Object<'o, 'n, 'a> {
    /// Begins an object that makes up a line.
    fn line(out: &'o mut Vec<u8>, meaning: Meaning<'n, 'a>, kind: &str) -> Self {
        out.extend_from_slice(b"{\"kind\":");
        string(out, kind.as_bytes());
        Object { out, meaning }
    }

    fn end(self) {
        self.out.extend_from_slice(b"}\n");
    }

    fn key(&mut self, name: &str) {
        self.out.push(b',');
        string(self.out, name.as_bytes());
        self.out.push(b':');
    }

    fn plain(&mut self, name: &str, value: Plain<'_, '_, '_>) {
        self.key(name);
        plain(self.out, value);
    }

    fn text(&mut self, name: &str, text: &[u8]) {
        self.plain(name, Plain::Text(text));
    }

    fn number(&mut self, name: &str, number: u64) {
        self.plain(name, Plain::Unsigned(number));
    }

    fn word(&mut self, name: &str, value: &impl Field) {
        self.plain(name, self.meaning.plain(&FieldKind::U8, value.show()));
    }

    /// Writes all fields of a record. `space` returns the kind of definition that a number is an id
    /// of.
    fn fields(&mut self, record: &impl AnyRecord, space: impl Fn(&str) -> Option<&'static str>) {
        self.text("record", record.name().as_bytes());
        if record.name() == UNKNOWN {
            self.number("recordId", record.id().into());
        }
        record.visit(&mut |info, value| self.field(info, value, &space));
    }

    fn field(
        &mut self,
        info: &FieldInfo,
        value: FieldValue<'_>,
        space: &impl Fn(&str) -> Option<&'static str>,
    ) {
        let mut names = info.names.split(' ');
        let name = names.next().unwrap_or_default();
        match value {
            FieldValue::Value(value) => {
                self.word(name, &value.type_());
                self.plain(names.next().unwrap_or_default(), self.meaning.value(value));
            }
            FieldValue::List(list) => self.lists(names, &info.kind, list, space),
            FieldValue::IdMap(map) => self.id_map(name, map),
            // The id of the definition itself.
            FieldValue::Unsigned(id) if name == "self" => self.number(name, id),
            FieldValue::Unsigned(id) => match space(name) {
                Some(space) => self.plain(name, self.meaning.reference(space, id)),
                None => self.plain(name, self.meaning.plain(&info.kind, value)),
            },
            value => self.plain(name, self.meaning.plain(&info.kind, value)),
        }
    }

    /// Writes the arrays of a list, one for each part of its elements.
    fn lists<'i>(
        &mut self,
        names: impl Iterator<Item = &'i str>,
        kind: &FieldKind,
        list: &dyn Elements,
        space: &impl Fn(&str) -> Option<&'static str>,
    ) {
        let FieldKind::List { element, .. } = kind else { return };
        for (number, name) in names.enumerate() {
            self.key(name);
            let mut before = b'[';
            list.each(&mut |parts| {
                self.out.push(std::mem::replace(&mut before, b','));
                let value = match (space(name), parts) {
                    (Some(space), [FieldValue::Unsigned(id)]) => self.meaning.reference(space, *id),
                    _ => self.meaning.part(element, parts, number),
                };
                plain(self.out, value);
            });
            self.out.extend_from_slice(if before == b'[' { b"[]" } else { b"]" });
        }
    }

    /// Writes pairs of local and global ids.
    fn id_map(&mut self, name: &str, map: &IdMap<'_>) {
        self.key(name);
        let mut before = b'[';
        for (local, global) in map.iter() {
            self.out.push(std::mem::replace(&mut before, b','));
            // Writing to a vector does not fail.
            let _ = write!(self.out, "[{local},{global}]");
        }
        self.out.push(b']');
    }

    fn attributes(&mut self, attributes: &Attributes<'_>) {
        if attributes.is_empty() {
            return;
        }
        self.key("attributes");
        let mut before = b'[';
        for Attribute { attribute, value } in attributes.iter() {
            self.out.push(std::mem::replace(&mut before, b','));
            self.out.extend_from_slice(b"{\"attribute\":");
            plain(self.out, Plain::Reference(attribute.look_up(self.meaning.names)));
            self.word("type", &value.type_());
            self.plain("value", self.meaning.value(value));
            self.out.push(b'}');
        }
        self.out.push(b']');
    }

    fn timed<R: AnyRecord>(&mut self, location: LocationRef, timed: &TimedRecord<'_, R>) {
        self.plain("location", Plain::Reference(location.look_up(self.meaning.names)));
        self.plain("time", self.meaning.time(timed.time));
        self.fields(&timed.record, |_| None);
        self.attributes(&timed.attributes);
    }
}

fn plain(out: &mut Vec<u8>, value: Plain<'_, '_, '_>) {
    // Writing to a vector does not fail.
    let _ = match value {
        Plain::Unsigned(value) => return number::unsigned(out, value),
        Plain::Signed(value) => return number::signed(out, value),
        Plain::Double(value) if value.is_finite() => write!(out, "{value:?}"),
        Plain::Float(value) if value.is_finite() => write!(out, "{value:?}"),
        // JSON cannot represent these numbers.
        Plain::Double(value) => write!(out, "\"{value}\""),
        Plain::Float(value) => write!(out, "\"{value}\""),
        Plain::Word(word) => return string(out, word.as_bytes()),
        Plain::Text(text) => return string(out, text),
        Plain::Undefined => out.write_all(b"null"),
        Plain::Flags(bits, names) => return flags(out, bits, names),
        Plain::Reference(found) => return reference(out, found),
    };
}

fn flags(out: &mut Vec<u8>, bits: u32, names: kymo_otf2::flags::FlagNames) {
    let mut before = b'[';
    for name in names.iter(bits) {
        out.push(std::mem::replace(&mut before, b','));
        string(out, name.as_bytes());
    }
    let unknown = names.all().iter().fold(bits, |bits, (_, flag)| bits & !flag);
    if unknown != 0 {
        out.push(std::mem::replace(&mut before, b','));
        number::unsigned(out, unknown.into());
    }
    out.extend_from_slice(if before == b'[' { b"[]" } else { b"]" });
}

fn reference(out: &mut Vec<u8>, found: super::names::Found<'_, '_>) {
    let Some(id) = found.number else { return out.extend_from_slice(b"null") };
    out.extend_from_slice(b"{\"id\":");
    number::unsigned(out, id);
    let mut name = Vec::new();
    if found.named.is_some_and(|named| named.name.write(&mut name)) {
        out.extend_from_slice(b",\"name\":");
        string(out, &name);
    }
    out.push(b'}');
}

fn string(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    for chunk in text.utf8_chunks() {
        for byte in chunk.valid().bytes() {
            match byte {
                b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
                0..0x20 => {
                    let _ = write!(out, "\\u{byte:04x}");
                }
                byte => out.push(byte),
            }
        }
        if !chunk.invalid().is_empty() {
            out.extend_from_slice("\u{FFFD}".as_bytes());
        }
    }
    out.push(b'"');
}

impl Json {
    fn meaning<'n, 'a>(&self, names: &'n Names<'a>) -> Meaning<'n, 'a> {
        Meaning { names, origin: names.global_offset().filter(|_| self.is_relative) }
    }
}

impl Form for Json {
    fn begin(&mut self, _: &mut Vec<u8>, _: OutputPart) {}

    fn step(&mut self, _: &mut Vec<u8>, _: Arguments<'_>) {}

    fn anchor(&mut self, out: &mut Vec<u8>, anchor: &Anchor<'_>) {
        let names = Names::default();
        let mut object = Object::line(out, self.meaning(&names), "anchor");
        let [major, minor, bugfix] = anchor.version;
        object.text("version", format!("{major}.{minor}.{bugfix}").as_bytes());
        object.number("eventChunkSize", anchor.event_chunk_size);
        object.number("definitionChunkSize", anchor.definition_chunk_size);
        object.word("fileSubstrate", &anchor.substrate);
        object.word("compression", &anchor.compression);
        object.number("numberOfLocations", anchor.number_of_locations);
        object.number("numberOfGlobalDefinitions", anchor.number_of_global_definitions);
        object.text("machineName", anchor.machine.as_bytes());
        object.text("creator", anchor.creator.as_bytes());
        object.text("description", anchor.description.as_bytes());
        object.key("properties");
        let mut before = b'{';
        for property in anchor.properties.iter() {
            object.out.push(std::mem::replace(&mut before, b','));
            string(object.out, &property.name.as_bytes().to_ascii_uppercase());
            object.out.push(b':');
            string(object.out, property.value.as_bytes());
        }
        object.out.extend_from_slice(if before == b'{' { b"{}" } else { b"}" });
        object.text("traceId", format!("{:x}", anchor.trace_id).as_bytes());
        object.number("numberOfSnapshots", anchor.number_of_snapshots.into());
        object.number("numberOfThumbnails", anchor.number_of_thumbnails.into());
        object.end();
    }

    fn thumbnail(&mut self, out: &mut Vec<u8>, number: u32, header: &ThumbnailHeader<'_>) {
        let names = Names::default();
        let mut object = Object::line(out, self.meaning(&names), "thumbnail");
        object.number("number", number.into());
        object.fields(header, |_| None);
        object.end();
    }

    fn thumbnail_sample(&mut self, out: &mut Vec<u8>, number: u32, place: u32, sample: &ThumbnailSample<'_>) {
        let names = Names::default();
        let mut object = Object::line(out, self.meaning(&names), "thumbnailSample");
        object.number("thumbnail", number.into());
        object.number("number", place.into());
        object.fields(sample, |_| None);
        object.end();
    }

    fn definition(&mut self, out: &mut Vec<u8>, names: &Names<'_>, definition: &GlobalDefinition<'_>) {
        // Times in definitions are those that others are relative to.
        let mut object = Object::line(out, Meaning { names, origin: None }, "definition");
        object.fields(definition, |field| space_of(definition, field));
        object.end();
    }

    fn local_definition(
        &mut self,
        out: &mut Vec<u8>,
        names: &Names<'_>,
        location: LocationRef,
        definition: &LocalDefinition<'_>,
    ) {
        let mut object = Object::line(out, Meaning { names, origin: None }, "localDefinition");
        object.plain("location", Plain::Reference(location.look_up(names)));
        object.fields(definition, |_| None);
        object.end();
    }

    fn event(
        &mut self,
        out: &mut Vec<u8>,
        names: &Names<'_>,
        location: LocationRef,
        event: &TimedRecord<'_, Event<'_>>,
    ) {
        let mut object = Object::line(out, self.meaning(names), "event");
        object.timed(location, event);
        object.end();
    }

    fn snapshot(
        &mut self,
        out: &mut Vec<u8>,
        names: &Names<'_>,
        location: LocationRef,
        snapshot: &TimedRecord<'_, Snapshot<'_>>,
    ) {
        let mut object = Object::line(out, self.meaning(names), "snapshot");
        object.timed(location, snapshot);
        object.end();
    }

    fn pause(&mut self, _: &mut Vec<u8>, _: u64, _: &str) {}

    fn end(&mut self, _: &mut Vec<u8>, _: &Path, _: Option<&Path>) {}
}
