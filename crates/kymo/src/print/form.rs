//! Forms of output: how each kind of item in an archive is printed.
//!
//! A form only appends to the buffer that it receives. The items and their order are the same for
//! all forms.

use kymo_otf2::Anchor;
use kymo_otf2::definitions::{GlobalDefinition, LocalDefinition};
use kymo_otf2::events::Event;
use kymo_otf2::read::TimedRecord;
use kymo_otf2::references::LocationRef;
use kymo_otf2::snapshots::Snapshot;
use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};
use std::fmt::Arguments;
use std::path::Path;

use super::names::Names;

/// A part of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputPart {
    /// Everything.
    Output,
    /// The headers of the thumbnails.
    Thumbnails,
    /// The global definitions.
    Definitions,
    /// The mapping tables and clock offsets.
    LocalDefinitions,
    /// All events.
    Events,
    /// Events up to the next pause.
    SomeEvents,
    /// All snapshots.
    Snapshots,
    /// Records of snapshots up to the next pause.
    SomeSnapshots,
}

/// A form of output.
pub(crate) trait Form {
    /// Begins a part.
    fn begin(&mut self, out: &mut Vec<u8>, part: OutputPart);

    /// Reports a step of reading, which is of interest only for debugging.
    fn step(&mut self, out: &mut Vec<u8>, what: Arguments<'_>);

    fn anchor(&mut self, out: &mut Vec<u8>, anchor: &Anchor<'_>);

    fn thumbnail(&mut self, out: &mut Vec<u8>, number: u32, header: &ThumbnailHeader<'_>);

    /// Prints sample `place`, from 0, of the thumbnail with this number.
    fn thumbnail_sample(&mut self, out: &mut Vec<u8>, number: u32, place: u32, sample: &ThumbnailSample<'_>);

    fn definition(&mut self, out: &mut Vec<u8>, names: &Names<'_>, definition: &GlobalDefinition<'_>);

    fn local_definition(
        &mut self,
        out: &mut Vec<u8>,
        names: &Names<'_>,
        location: LocationRef,
        definition: &LocalDefinition<'_>,
    );

    fn event(
        &mut self,
        out: &mut Vec<u8>,
        names: &Names<'_>,
        location: LocationRef,
        event: &TimedRecord<'_, Event<'_>>,
    );

    fn snapshot(
        &mut self,
        out: &mut Vec<u8>,
        names: &Names<'_>,
        location: LocationRef,
        snapshot: &TimedRecord<'_, Snapshot<'_>>,
    );

    /// Asks whether to continue with this many events or records.
    fn pause(&mut self, out: &mut Vec<u8>, count: u64, what: &str);

    /// Ends the output. If the system tree was written to a file, `system_tree` is its path.
    fn end(&mut self, out: &mut Vec<u8>, anchor: &Path, system_tree: Option<&Path>);
}
