//! The second pass: the files of the locations.

use kymo_otf2::events::Event;
use kymo_otf2::read::Archive;
use kymo_otf2::references::{IoParadigmRef, Space};
use kymo_otf2::write::{EventWriter, SnapshotWriter, StoragePieces};
use kymo_otf2::{Error, FileName};

use super::local::{Ids, Local, Span, Tables};
use super::markers::Markers;
use super::snapshots;
use super::sources::{Source, Sources};
use super::times::Line;
use crate::new_archive::NewArchive;
use crate::new_archive::staging::Staged;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::status::Status;

/// Events between two reports of progress.
const STEP: u64 = 1 << 16;

/// Usable bytes of the buffer that a file is written through; it grows if a record needs more.
pub(super) const PIECE: usize = 256 << 10;

/// The transfer of files from the archives to the result.
#[derive(Debug)]
pub(super) struct Files<'a> {
    output: &'a NewArchive,
    event_chunk_size: u64,
    definition_chunk_size: u64,
    has_snapshots: bool,
    markers: Markers,
    progress: Progress,
}

impl<'a> Files<'a> {
    /// Starts with nothing written.
    pub(super) fn new(sources: &Sources, output: &'a NewArchive, definition_chunk_size: u64) -> Self {
        Self {
            output,
            event_chunk_size: sources.event_chunk_size(),
            definition_chunk_size,
            has_snapshots: sources.snapshots() > 0,
            markers: Markers::default(),
            progress: Progress::new(false),
        }
    }

    /// Announces that the files of these archives will be copied.
    pub(super) fn expect(&self, sources: &[Source]) -> Result<(), Problem> {
        let shown = sources.iter().filter(|_| self.progress.is_shown());
        shown.map(Source::open).try_for_each(|archive| archive.map(|archive| self.progress.expect(&archive)))
    }

    /// Copies the files of an archive.
    pub(super) fn copy(&mut self, source: &Source, line: &Line) -> Result<(), Problem> {
        let archive = source.open()?;
        let tables = Tables::new(&source.ids);
        for &location in &source.locations {
            let ids = Ids { new: &source.ids, tables: &tables };
            Copy { files: self, archive: &archive, ids, line, location }.location()?;
        }
        self.markers.take(&archive, &source.ids, line)
    }

    /// Writes the files that belong to the archive as a whole.
    pub(super) fn finish(&mut self) -> Result<(), Problem> {
        let written = self.markers.write(&self.output.storage, self.definition_chunk_size);
        written.map_err(|error| self.output.problem(&error))
    }
}

/// A location that is being copied.
struct Copy<'a> {
    files: &'a Files<'a>,
    archive: &'a Archive,
    ids: Ids<'a>,
    line: &'a Line,
    /// The old and the new id.
    location: (u64, u64),
}

impl Copy<'_> {
    fn location(&self) -> Result<(), Problem> {
        let span = self.events()?;
        self.local_definitions(span)?;
        if self.files.has_snapshots { self.snapshots() } else { Ok(()) }
    }

    fn pieces(&self, file: FileName) -> StoragePieces<&Staged> {
        StoragePieces::new(&self.files.output.storage, file, PIECE)
    }

    fn cannot_read(&self, error: &Error) -> Problem {
        Problem::of_archive(self.archive, error)
    }

    /// Returns the problem when a record of this file cannot be written: unless storage failed, the
    /// archive is at fault.
    fn cannot_write(&self, file: FileName, error: &Error) -> Problem {
        match error {
            Error::Io { .. } => self.files.output.problem(error),
            error => Problem::of(&self.archive.path(file), error, Status::Faulty),
        }
    }

    fn events(&self) -> Result<Span, Problem> {
        let (old, new) = self.location;
        let file = FileName::Events(old);
        let mut events = self.archive.events(old).map_err(|error| self.cannot_read(&error))?;
        let writer = EventWriter::new(self.pieces(FileName::Events(new)), self.files.event_chunk_size);
        let mut writer = writer.map_err(|error| self.cannot_write(file, &error))?;
        let (mut span, mut attributes): (Span, _) = (None, Vec::new());
        let mut count: u64 = 0;
        while let Some(event) = events.next().map_err(|error| self.cannot_read(&error))? {
            attributes.clear();
            attributes.extend(event.attributes);
            let record = self.event(event.record);
            let last = match &record {
                Event::BufferFlush(flush) => flush.stop_time.0.max(event.time),
                _ => event.time,
            };
            span = Some(span.map_or((event.time, last), |(first, before)| (first, last.max(before))));
            let written = writer.record_with(event.time, &attributes, &record);
            written.map_err(|error| self.cannot_write(file, &error))?;
            count += 1;
            if count.is_multiple_of(STEP) {
                self.files.progress.add(STEP);
            }
        }
        writer.finish().map_err(|error| self.cannot_write(file, &error))?;
        Ok(span)
    }

    /// Maps I/O paradigms, for which there is no mapping table.
    fn event<'e>(&self, event: Event<'e>) -> Event<'e> {
        match event {
            Event::IoDeleteFile(mut delete) => {
                delete.io_paradigm =
                    IoParadigmRef(self.ids.new.global(Space::IoParadigm, delete.io_paradigm.0.into()) as u8);
                delete.into()
            }
            event => event,
        }
    }

    fn local_definitions(&self, span: Span) -> Result<(), Problem> {
        let (old, new) = self.location;
        let mut local = Local::read(self.archive, old).map_err(|error| self.cannot_read(&error))?;
        let outside = || Problem::outside(&self.archive.path(FileName::Events(old)));
        let offsets = local.offsets(self.line, span).ok_or_else(outside)?;
        // Lines between offsets preserve the order of times, so it suffices to check the first and
        // the last event.
        let is_inside = |time| self.line.apply(local.corrected(time)).is_some();
        if !span.is_none_or(|(first, last)| is_inside(first) && is_inside(last)) {
            return Err(outside());
        }
        let (storage, chunk_size) = (&self.files.output.storage, self.files.definition_chunk_size);
        let written = local.write(storage, new, chunk_size, &self.ids, &offsets);
        written.map_err(|error| self.cannot_write(FileName::LocalDefinitions(old), &error))
    }

    fn snapshots(&self) -> Result<(), Problem> {
        let (old, new) = self.location;
        let writer = SnapshotWriter::new(self.pieces(FileName::Snapshots(new)), self.files.event_chunk_size);
        let mut writer = writer.map_err(|error| self.cannot_write(FileName::Snapshots(old), &error))?;
        snapshots::copy(self.archive, old, self.ids.new, self.line, &mut writer, |error| {
            self.cannot_write(FileName::Snapshots(old), error)
        })
    }
}
