//! An event file as it is on disk: chunk headers, time stamps, chronological order, number of
//! events, and bytes after the end.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use kymo_otf2::enums::MeasurementMode;
use kymo_otf2::events::Event;
use kymo_otf2::read::{Chunk, Events, LocationReader, TimedRecord};
use kymo_otf2::records::AnyRecord;
use kymo_otf2::{Error, FileName};

use super::findings::{Findings, Place};
use super::kinds::FindingKind;

/// The first bytes of items that are not records.
const END_OF_BUFFER: u8 = 1;
const TIMESTAMP: u8 = 5;
/// The length of a time stamp, and that of a chunk header.
const TIMESTAMP_LENGTH: u64 = 9;
const HEADER: u64 = 18;

/// The check of an event file from beginning to end.
#[derive(Debug)]
pub(crate) struct EventFile {
    file: FileName,
    /// `None` if the bytes on disk are compressed.
    bytes: Option<Bytes>,
    chunk: Option<Chunk>,
    /// The number of events so far, and before the current chunk.
    events: u64,
    before_chunk: u64,
    time: u64,
    has_gap: bool,
    is_disordered: bool,
}

impl EventFile {
    pub(crate) fn new(location: u64, bytes: Option<Bytes>) -> Self {
        let file = FileName::Events(location);
        EventFile {
            file,
            bytes,
            chunk: None,
            events: 0,
            before_chunk: 0,
            time: 0,
            has_gap: false,
            is_disordered: false,
        }
    }

    /// Returns the error if the bytes of the file could not be read.
    pub(crate) fn failure(&mut self) -> Result<(), Error> {
        self.bytes.take().map_or(Ok(()), Bytes::failure)
    }

    /// Returns the number of events so far.
    pub(crate) fn events(&self) -> u64 {
        self.events
    }

    /// Whether measurement was off for a while.
    pub(crate) fn has_gap(&self) -> bool {
        self.has_gap
    }

    /// Whether times run backwards.
    pub(crate) fn is_disordered(&self) -> bool {
        self.is_disordered
    }

    /// Checks everything that can be read.
    pub(crate) fn check(
        &mut self,
        reader: &mut LocationReader<Events>,
        findings: &mut Findings<'_>,
    ) -> Result<(), Error> {
        while let Some(event) = reader.next()? {
            let place = self.event(&event, findings);
            self.chunk_of(reader.chunk(), place, findings);
            self.events += 1;
        }
        self.end_of_chunk(self.chunk.unwrap_or(reader.chunk()), findings);
        self.end_of_file(reader.position(), findings);
        Ok(())
    }

    fn event(&mut self, event: &TimedRecord<'_, Event<'_>>, findings: &mut Findings<'_>) -> Place {
        let place = Place::record(self.file, event.offset, event.record.name());
        let place = Place { event: Some(event.number), ..place };
        if event.time < self.time {
            findings.find(
                FindingKind::TimeGoesBack,
                place,
                format_args!("time {} is before {}, the time of the previous event", event.time, self.time),
            );
            self.is_disordered = true;
        }
        self.time = event.time;
        if self.is_time_stamp(event.offset) && self.is_time_stamp(event.offset + TIMESTAMP_LENGTH) {
            findings.find(FindingKind::RepeatedTimeStamp, place, format_args!("two time stamps precede it"));
        }
        match event.record {
            Event::MeasurementOnOff(it) => self.has_gap |= it.measurement_mode == MeasurementMode::OFF,
            Event::Unknown { id, .. } => {
                findings.unknown_record(id, place);
            }
            _ => {}
        }
        place
    }

    fn is_time_stamp(&mut self, offset: u64) -> bool {
        self.bytes.as_mut().and_then(|bytes| bytes.at(offset)) == Some(TIMESTAMP)
    }

    /// Notes the chunk that contains an event, which may be a new one.
    fn chunk_of(&mut self, chunk: Chunk, event: Place, findings: &mut Findings<'_>) {
        if self.chunk == Some(chunk) {
            return;
        }
        if let Some(last) = self.chunk.replace(chunk) {
            self.end_of_chunk(last, findings);
        }
        self.before_chunk = self.events;
        let first = chunk.offset + HEADER;
        if self.bytes.is_some() && event.offset == Some(first) && !self.is_time_stamp(first) {
            let place = Place::byte(self.file, chunk.offset);
            findings.find(
                FindingKind::ChunkWithoutTime,
                place,
                format_args!("the chunk does not begin with a time stamp"),
            );
        }
    }

    /// Checks that the numbers of a chunk match the events that it contains.
    fn end_of_chunk(&self, chunk: Chunk, findings: &mut Findings<'_>) {
        let expected = match self.chunk {
            Some(_) => (self.before_chunk + 1, self.events),
            None => (1, 0),
        };
        let has = (chunk.first_event, chunk.last_event);
        if has != expected {
            findings.find(
                FindingKind::ChunkNumbers,
                Place::byte(self.file, chunk.offset),
                format_args!(
                    "the chunk header states events {} to {}, but the chunk contains {} to {}",
                    has.0, has.1, expected.0, expected.1,
                ),
            );
        }
    }

    fn end_of_file(&mut self, mark: u64, findings: &mut Findings<'_>) {
        if let Some(bytes) = &mut self.bytes {
            end_of_file(self.file, bytes, mark, findings);
        }
    }
}

/// Checks that the end mark at this offset is followed by a single byte, which ends the buffer.
pub(crate) fn end_of_file(file: FileName, bytes: &mut Bytes, mark: u64, findings: &mut Findings<'_>) {
    let found = [mark, mark + 1, mark + 2].map(|at| bytes.at(at));
    if bytes.file.is_err() {
        return;
    }
    let place = Place::byte(file, mark + 1);
    match (found[1], found[2]) {
        (None, _) if found[0] != Some(END_OF_BUFFER) => {
            findings.find(FindingKind::MissingEndOfBuffer, place, format_args!("the file ends here"));
        }
        (Some(END_OF_BUFFER), None) | (None, _) => {}
        _ => findings.find(FindingKind::TrailingBytes, place, format_args!("the file continues")),
    }
}

/// Single bytes of a file, which are requested in ascending order.
#[derive(Debug)]
pub(crate) struct Bytes {
    file: io::Result<File>,
    offset: u64,
    part: Vec<u8>,
}

/// The number of bytes that are read in one step.
const PART: usize = 64 << 10;

impl Bytes {
    pub(crate) fn new(file: io::Result<File>) -> Self {
        Bytes { file, offset: 0, part: Vec::new() }
    }

    /// Returns a byte; `None` after the end of the file, or if it cannot be read.
    pub(crate) fn at(&mut self, offset: u64) -> Option<u8> {
        if !(self.offset..self.offset + self.part.len() as u64).contains(&offset) {
            self.part.resize(PART, 0);
            let read = self.file.as_ref().map(|file| file.read_at(&mut self.part, offset));
            let length = match read {
                Ok(Ok(length)) => length,
                Ok(Err(error)) => {
                    self.file = Err(error);
                    0
                }
                Err(_) => 0,
            };
            self.part.truncate(length);
            self.offset = offset;
        }
        self.part.get(usize::try_from(offset - self.offset).ok()?).copied()
    }

    /// Returns the error if bytes could not be read.
    pub(crate) fn failure(self) -> Result<(), Error> {
        self.file.map(drop).map_err(|source| Error::Io { file: None, source })
    }
}
