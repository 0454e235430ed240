//! The text of otf2-print, byte for byte.

mod anchor;
mod definitions;
mod events;
mod head;
mod line;
mod lines;
mod snapshots;
mod system_tree;

use std::fmt::Arguments;
use std::io::Write;
use std::path::Path;

use kymo_otf2::Anchor;
use kymo_otf2::attributes::{Attribute, Attributes};
use kymo_otf2::definitions::{GlobalDefinition, LocalDefinition};
use kymo_otf2::events::Event;
use kymo_otf2::read::TimedRecord;
use kymo_otf2::references::{CallingContextRef, LocationRef};
use kymo_otf2::snapshots::Snapshot;
use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};

use super::arguments::{self, Timestamps};
use super::form::{Form, OutputPart};
use super::names::{Names, Reference};
use head::Digits;
use line::Line;
pub(super) use system_tree::SystemTree;

/// The format of the text.
#[derive(Debug)]
pub(super) struct Text {
    timestamps: Timestamps,
    unwinds: bool,
    debug: bool,
    silent: bool,
    digits: Digits,
}

impl Text {
    pub(super) fn new(arguments: &arguments::Arguments) -> Self {
        Text {
            timestamps: arguments.timestamps,
            unwinds: arguments.unwind_calling_context,
            debug: arguments.debug,
            silent: arguments.silent,
            digits: Digits::default(),
        }
    }

    #[inline]
    fn line<'l, 'a>(
        &'l mut self,
        out: &'l mut Vec<u8>,
        names: &'l Names<'a>,
        location: LocationRef,
    ) -> Line<'l, 'a> {
        let origin = names.global_offset().filter(|_| self.timestamps == Timestamps::Offset);
        Line { out, names, origin, location, digits: &mut self.digits }
    }
}

impl Form for Text {
    fn begin(&mut self, out: &mut Vec<u8>, part: OutputPart) {
        let rule = "-".repeat(80);
        // Writing to a vector does not fail.
        let _ = match part {
            OutputPart::Output => writeln!(out, "\n=== OTF2-PRINT ==="),
            OutputPart::Thumbnails => writeln!(out, "\nThumbnail headers:"),
            OutputPart::Definitions => {
                writeln!(
                    out,
                    "\n=== {:=<76}\n\n{:27} {:>12}  Attributes\n{rule}",
                    "Global Definitions ", "Definition", "ID"
                )
            }
            OutputPart::LocalDefinitions => writeln!(
                out,
                "\n=== {:=<76}\n\n{:27} {:>12}  Attributes\n{rule}",
                "Per Location Definitions ", "Definition", "Location"
            ),
            _ if self.silent => Ok(()),
            OutputPart::Events => writeln!(out, "=== {:=<76}", "Events "),
            OutputPart::Snapshots => writeln!(out, "=== {:=<76}", "Snapshots "),
            OutputPart::SomeEvents | OutputPart::SomeSnapshots => {
                let what = if part == OutputPart::SomeEvents { "Event" } else { "Snapshot" };
                writeln!(out, "{what:32} {:>15} {:>20}  Attributes\n{rule}", "Location", "Timestamp")
            }
        };
    }

    fn step(&mut self, out: &mut Vec<u8>, what: Arguments<'_>) {
        if self.debug {
            let _ = writeln!(out, "==DEBUG== {what}");
        }
    }

    fn anchor(&mut self, out: &mut Vec<u8>, anchor: &Anchor<'_>) {
        self.write_anchor(out, anchor);
    }

    fn thumbnail(&mut self, out: &mut Vec<u8>, number: u32, header: &ThumbnailHeader<'_>) {
        self.write_thumbnail(out, number, header);
    }

    fn thumbnail_sample(&mut self, out: &mut Vec<u8>, _: u32, place: u32, sample: &ThumbnailSample<'_>) {
        self.write_thumbnail_sample(out, place, sample);
    }

    fn definition(&mut self, out: &mut Vec<u8>, names: &Names<'_>, definition: &GlobalDefinition<'_>) {
        if !definitions::write(&mut self.line(out, names, LocationRef::UNDEFINED), definition) {
            let _ = writeln!(out, "{:27}", "UNKNOWN");
        }
    }

    fn local_definition(
        &mut self,
        out: &mut Vec<u8>,
        names: &Names<'_>,
        location: LocationRef,
        definition: &LocalDefinition<'_>,
    ) {
        let line = &mut self.line(out, names, location);
        match definition {
            LocalDefinition::MappingTable(table) => definitions::mapping_table(line, table),
            LocalDefinition::ClockOffset(clock) => definitions::clock_offset(line, clock),
            _ => {}
        }
    }

    #[inline]
    fn event(
        &mut self,
        out: &mut Vec<u8>,
        names: &Names<'_>,
        location: LocationRef,
        event: &TimedRecord<'_, Event<'_>>,
    ) {
        let unwinds = self.unwinds;
        let line = &mut self.line(out, names, location);
        if !events::write_usual(line, &event.record, event.time) {
            write_event(line, &event.record, event.time);
            if unwinds {
                unwind(line, &event.record);
            }
        }
        attributes(line, &event.attributes);
    }

    fn snapshot(
        &mut self,
        out: &mut Vec<u8>,
        names: &Names<'_>,
        location: LocationRef,
        snapshot: &TimedRecord<'_, Snapshot<'_>>,
    ) {
        let line = &mut self.line(out, names, location);
        let time = super::original_time(&snapshot.record).unwrap_or(snapshot.time);
        if !snapshots::write(line, &snapshot.record, time) {
            unknown(line, snapshot.time);
        }
        attributes(line, &snapshot.attributes);
    }

    fn pause(&mut self, out: &mut Vec<u8>, count: u64, what: &str) {
        let _ = write!(out, "Press ENTER to print next {count} {what}.");
    }

    fn end(&mut self, out: &mut Vec<u8>, anchor: &Path, system_tree: Option<&Path>) {
        let Some(path) = system_tree else { return };
        let [anchor, path] = [anchor, path].map(|path| path.as_os_str().as_encoded_bytes());
        let parts: [&[u8]; 7] = [
            b"\nGenerate system tree dot graph for \"",
            anchor,
            b"\".\n\nDot file written to \"",
            path,
            b"\".\n\nTo generate an image from the dot file run:\n\"dot -Tpng ",
            path,
            b" -o SystemTree.png\"\n\n",
        ];
        parts.iter().for_each(|part| out.extend_from_slice(part));
    }
}

#[inline(never)]
fn write_event(line: &mut Line<'_, '_>, event: &Event<'_>, time: u64) {
    if !events::write(line, event, time) {
        unknown(line, time);
    }
}

/// Appends the line of a record of an unknown kind, with an absolute time and no trailing blanks.
#[cold]
fn unknown(line: &mut Line<'_, '_>, time: u64) {
    // Writing to a vector does not fail.
    let _ = writeln!(line.out, "{:32} {:>15} {time:>20}", "UNKNOWN", line.location.0);
}

/// Appends the attributes of an event, which are not fields of its record.
#[inline(always)]
fn attributes(line: &mut Line<'_, '_>, attributes: &Attributes<'_>) {
    if !attributes.is_empty() {
        write_attributes(line, attributes);
    }
}

fn write_attributes(line: &mut Line<'_, '_>, attributes: &Attributes<'_>) {
    line.out.extend_from_slice(&[b' '; head::WIDTH]);
    line.listed("ADDITIONAL ATTRIBUTES: ", attributes.iter(), |line, Attribute { attribute, value }| {
        line.text("(");
        line.show(&attribute);
        line.text("; ");
        line.type_of(&value);
        line.text("; ");
        line.show(&value);
        line.text(")");
    });
    line.text("\n");
}

/// Appends the callers of a calling context, innermost first, each with a mark for its change since
/// the last event.
fn unwind(line: &mut Line<'_, '_>, event: &Event<'_>) {
    let (mut context, mut distance) = match event {
        Event::CallingContextEnter(event) => (event.calling_context, event.unwind_distance),
        // Something was executed in the context that is left.
        Event::CallingContextLeave(event) => (event.calling_context, 1),
        Event::CallingContextSample(event) => (event.calling_context, event.unwind_distance),
        _ => return,
    };
    // A cycle of contexts would never end.
    for _ in 0..=line.names.calling_contexts() {
        if !context.is_defined() {
            return;
        }
        line.out.extend_from_slice(&[b' '; head::WIDTH]);
        let is_known = context.find(line.names).is_some();
        if is_known {
            line.text(match distance {
                u32::MAX => "?",
                2.. => "+",
                1 => "*",
                0 => " ",
            });
        }
        line.show(&context);
        line.text("\n");
        context = if is_known { line.names.caller(context) } else { CallingContextRef::UNDEFINED };
        distance = if distance == u32::MAX { distance } else { distance.saturating_sub(1) };
    }
}
