//! The contents of the anchor file and the thumbnails.

use std::io::Write;

use kymo_otf2::Anchor;
use kymo_otf2::references::LocationRef;
use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};

use super::Text;
use crate::print::form::Form;
use crate::print::names::Names;
use crate::print::output::keep_on_line;

/// Appends a line with a name and a value.
fn entry(out: &mut Vec<u8>, name: &str, value: &[u8]) {
    // Writing to a vector does not fail.
    let _ = write!(out, "{name:30} ");
    let start = out.len();
    out.extend_from_slice(value);
    keep_on_line(out, start);
    out.push(b'\n');
}

impl Text {
    /// Appends a line after its step.
    fn entry(&mut self, out: &mut Vec<u8>, step: &str, name: &str, value: &[u8]) {
        self.step(out, format_args!("{step}"));
        entry(out, name, value);
    }

    fn number(&mut self, out: &mut Vec<u8>, step: &str, name: &str, value: u64) {
        self.entry(out, step, name, value.to_string().as_bytes());
    }

    /// Appends a value that has a word.
    fn word(&mut self, out: &mut Vec<u8>, step: &str, name: &str, value: &impl super::line::Show) {
        let mut word = Vec::new();
        self.line(&mut word, &Names::default(), LocationRef::UNDEFINED).show(value);
        self.entry(out, step, name, &word);
    }

    pub(super) fn write_anchor(&mut self, out: &mut Vec<u8>, anchor: &Anchor<'_>) {
        self.step(out, format_args!("Read version."));
        let [major, minor, bugfix] = anchor.version;
        out.extend_from_slice(b"\nContent of OTF2 anchor file:\n");
        entry(out, "Version", format!("{major}.{minor}.{bugfix}").as_bytes());
        self.number(out, "Read chunk size.", "Chunk size events", anchor.event_chunk_size);
        entry(out, "Chunk size definitions", anchor.definition_chunk_size.to_string().as_bytes());
        self.word(out, "Read file substrate.", "File substrate", &anchor.substrate);
        self.word(out, "Read compression mode.", "Compression", &anchor.compression);
        self.number(out, "Read number of locations.", "Number of locations", anchor.number_of_locations);
        self.number(
            out,
            "Read number of global definitions.",
            "Number of global definitions",
            anchor.number_of_global_definitions,
        );
        self.entry(out, "Read machine name.", "Machine name", anchor.machine.as_bytes());
        self.entry(out, "Read creator.", "Creator", anchor.creator.as_bytes());
        self.entry(out, "Read description.", "Description", anchor.description.as_bytes());
        self.write_properties(out, anchor);
        let trace_id = format!("{:x}", anchor.trace_id);
        self.entry(out, "Read trace identifier.", "Trace identifier", trace_id.as_bytes());
        self.number(
            out,
            "Read number of snapshots.",
            "Number of snapshots",
            anchor.number_of_snapshots.into(),
        );
        self.number(
            out,
            "Read Number of thumbnails.",
            "Number of thumbnails",
            anchor.number_of_thumbnails.into(),
        );
    }

    fn write_properties(&mut self, out: &mut Vec<u8>, anchor: &Anchor<'_>) {
        let count = anchor.properties.len() as u64;
        self.number(out, "Read names of properties.", "Number of properties", count);
        for property in anchor.properties.iter() {
            entry(out, "Property name", &property.name.as_bytes().to_ascii_uppercase());
            self.entry(out, "Read value of property.", "Property value", property.value.as_bytes());
        }
    }

    pub(super) fn write_thumbnail(&mut self, out: &mut Vec<u8>, number: u32, header: &ThumbnailHeader<'_>) {
        self.step(out, format_args!("Reading thumbnail header."));
        let _ = write!(out, "{:16} {number:12}  Name: \"", "THUMBNAIL_HEADER");
        let start = out.len();
        out.extend_from_slice(header.name.as_bytes());
        out.extend_from_slice(b"\", Description: \"");
        out.extend_from_slice(header.description.as_bytes());
        keep_on_line(out, start);
        let names = Names::default();
        let line = &mut self.line(out, &names, LocationRef::UNDEFINED);
        line.text("\", Type: ");
        line.show(&header.thumbnail_type);
        line.text(", Samples: ");
        line.show(&header.number_of_samples);
        line.text(", ");
        line.counted(header.refs_to_defs.len(), " Metric", " Metrics");
        line.listed(": ", header.refs_to_defs, |line, definition| line.show(&definition));
        line.text("\n");
    }

    pub(super) fn write_thumbnail_sample(
        &mut self,
        out: &mut Vec<u8>,
        place: u32,
        sample: &ThumbnailSample<'_>,
    ) {
        self.step(out, format_args!("Reading thumbnail sample."));
        let _ = write!(out, "{:16} {place:12}  ", "THUMBNAIL_SAMPLE");
        let names = Names::default();
        let line = &mut self.line(out, &names, LocationRef::UNDEFINED);
        line.text("Baseline: ");
        line.show(&sample.baseline);
        line.text(if sample.metric_samples.len() == 1 { ", Metric" } else { ", Metrics" });
        line.listed(": ", sample.metric_samples, |line, value| line.show(&value));
        line.text("\n");
    }
}
