//! Forms of output: what every kind of thing that an archive holds looks like.
//!
//! A form appends to the buffer that it is given; nothing else happens. Which things there are, and in which order, is the same for
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
pub(crate) enum Part {
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
    /// A part begins.
    fn begin(&mut self, out: &mut Vec<u8>, part: Part);

    /// A step that only people who debug want to hear of.
    fn step(&mut self, out: &mut Vec<u8>, what: Arguments<'_>);

    fn anchor(&mut self, out: &mut Vec<u8>, anchor: &Anchor<'_>);

    fn thumbnail(&mut self, out: &mut Vec<u8>, number: u32, header: &ThumbnailHeader<'_>);

    /// Sample `place`, from 0, of the thumbnail of this number.
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

    /// Asks to go on, with this many of these.
    fn pause(&mut self, out: &mut Vec<u8>, count: u64, what: &str);

    /// Everything was printed. The system tree was written to this file, if to any.
    fn end(&mut self, out: &mut Vec<u8>, anchor: &Path, system_tree: Option<&Path>);
}
