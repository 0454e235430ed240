//! Writes the intact prefix of an event stream as an event file, with counts in all chunk headers
//! and an end mark.
//!
//! Invariant: the file contains the records of the stream in their order, up to the first fault. If
//! requested, it then contains leaves for the calls that are still open. Omitted data is counted as
//! far as possible.

use std::sync::Arc;

use kymo_otf2::{
    Anchor, Error, FileName, Result, Storage,
    attributes::Attribute,
    enums::MeasurementMode,
    error::{FormatError, Problem},
    events::Event,
    read::{Archive, Events, LocationReader, Options},
    storage::Content,
    write::{EventWriter, StoragePieces, anchor::anchor_bytes},
};

use rustix::io::Errno;

use super::{
    calls::LocationCalls,
    image::Image,
    stream::{Stream, StreamLayout},
};
use crate::EVENT_CHUNK_SIZE;

/// The number of bytes to write in one step.
const PIECE: usize = 1 << 20;
/// The number of events between progress reports.
const STEP: u64 = 1 << 16;

/// The outcome of the repair of a location's events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repaired {
    /// The number of events in the new file, without the added leaves.
    pub events: u64,
    /// The first and the last time, in ticks of the process's clock.
    pub times: Option<(u64, u64)>,
    /// The size of the stream in bytes.
    pub found: u64,
    /// The number of these bytes that were read from the scratch file.
    pub in_scratch: u64,
    /// The number of bytes omitted at the end.
    pub cut: u64,
    /// The number of missing events that are counted in chunk headers.
    pub missing: u64,
    /// The number of leaves added.
    pub closed: u64,
    /// The number of calls that remain open.
    pub open: u64,
    /// The fault that ended the events before the end of the stream.
    pub fault: Option<String>,
    /// The thread teams that the location is in, as ids of the process.
    pub(super) teams: Vec<u32>,
    /// The metrics that the location records, as ids of the process.
    pub(super) metrics: Vec<u32>,
    /// The attributes of its events: bit `n` represents the attribute with id `n`.
    pub(super) attributes: u64,
    /// Whether communicators are created or destroyed.
    pub(super) has_communicators: bool,
    /// Whether recording was off, or events were rewound.
    pub has_gap: bool,
}

/// The event streams of a process, presented as the files of an archive.
pub(super) struct Streams {
    anchor: Vec<u8>,
    image: Option<Arc<Image>>,
    /// The storage of the event files. The number in file names is the index of a stream.
    files: Arc<dyn Storage>,
    streams: Vec<(StreamLayout, Option<u64>)>,
}

impl Streams {
    /// Creates the storage for these streams, each with the number of its event file.
    pub(super) fn new(
        image: Option<Arc<Image>>,
        files: Arc<dyn Storage>,
        streams: Vec<(StreamLayout, Option<u64>)>,
    ) -> Result<Self> {
        let anchor = anchor_bytes(&Anchor { event_chunk_size: EVENT_CHUNK_SIZE, ..Anchor::default() })?;
        Ok(Self { anchor, image, files, streams })
    }

    fn open_stream(&self, index: u64) -> std::io::Result<Stream> {
        let stream = usize::try_from(index).ok().and_then(|index| self.streams.get(index));
        let (layout, file) = stream.ok_or(std::io::ErrorKind::NotFound)?;
        let scratch = self.image.as_ref().map(|image| image.content.clone());
        let file = match file.map(|file| self.files.open(FileName::Events(file))) {
            Some(Err(error)) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            file => file.and_then(std::result::Result::ok),
        };
        Ok(Stream { layout: layout.clone(), scratch, file })
    }
}

impl Storage for Streams {
    fn create(&self) -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }

    fn write_at(&self, _: FileName, _: u64, _: &[u8]) -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }

    fn set_len(&self, _: FileName, _: u64) -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }

    fn open(&self, file: FileName) -> std::io::Result<Box<dyn Content>> {
        match file {
            FileName::Anchor => Ok(Box::new(self.anchor.clone())),
            FileName::Events(index) => Ok(Box::new(self.open_stream(index)?)),
            _ => Err(std::io::ErrorKind::NotFound.into()),
        }
    }
}

/// Opens the streams for reading.
pub(super) fn open(streams: Streams) -> Result<Archive> {
    let options = Options { mapping: false, clock_correction: false, open_files: 8, ..Options::default() };
    Archive::in_storage(Arc::new(streams), options)
}

/// One stream and how to repair it.
pub(super) struct Repair<'a> {
    pub(super) archive: &'a Archive,
    pub(super) index: u64,
    pub(super) layout: &'a StreamLayout,
    pub(super) chunk_size: u64,
    pub(super) closes: bool,
}

/// Writes the intact prefix of an event file of an archive, which must be read without mapping and
/// clock correction, as the event file of the same location. `length` is the file's length in
/// bytes. `closes` states whether regions that were not left receive a leave.
///
/// Returns an error only if writing fails. Faults of the file being read are reported in the
/// result.
pub fn repair_events(
    archive: &Archive,
    location: u64,
    length: u64,
    storage: &dyn Storage,
    closes: bool,
) -> Result<Repaired> {
    let (layout, chunk_size) = (StreamLayout::new(&[], length), archive.anchor().event_chunk_size);
    let repair = Repair { archive, index: location, layout: &layout, chunk_size, closes };
    repair.write(storage, location, &|_| ())
}

impl Repair<'_> {
    /// Writes the events into the file of this location.
    pub(super) fn write(
        &self,
        storage: &dyn Storage,
        location: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Repaired> {
        let file = FileName::Events(location);
        let mut writer = EventWriter::new(StoragePieces::new(storage, file, PIECE), self.chunk_size)?;
        let (found, in_scratch) = (self.layout.length(), self.layout.in_scratch());
        let mut done = Repaired { found, in_scratch, ..Repaired::default() };
        let mut calls = LocationCalls::default();
        if found > 0 {
            match self.archive.events(self.index) {
                Ok(mut events) => copy(&mut events, &mut writer, &mut calls, &mut done, progress)?,
                Err(error) if is_shortage(&error) => return Err(error),
                Err(error) => done.end(&error, 0, u64::MAX),
            }
        }
        done.events = writer.events();
        done.times = done.times.map(|(first, _)| (first, writer.last_time()));
        if self.closes {
            for call in calls.close() {
                writer.record(writer.last_time(), &call.leave())?;
                done.closed += 1;
            }
        }
        done.open = calls.open();
        writer.finish()?;
        Ok(done)
    }
}

/// Returns whether the machine lacks a resource needed for reading. The file can be read another
/// time, so it is not given up.
fn is_shortage(error: &Error) -> bool {
    const SHORTAGES: [i32; 3] =
        [Errno::MFILE.raw_os_error(), Errno::NFILE.raw_os_error(), Errno::NOMEM.raw_os_error()];
    let number = match error {
        Error::Io { source, .. } => source.raw_os_error(),
        _ => None,
    };
    number.is_some_and(|number| SHORTAGES.contains(&number))
}

/// Adds an id to a set that is usually small.
#[inline]
fn add(ids: &mut Vec<u32>, id: u32) {
    if ids.last() != Some(&id)
        && let Err(place) = ids.binary_search(&id)
    {
        ids.insert(place, id);
    }
}

type Writer<'a> = EventWriter<StoragePieces<&'a dyn Storage>>;

/// Copies events up to the first fault of the stream. Returns an error only if writing fails.
fn copy(
    events: &mut LocationReader<Events>,
    writer: &mut Writer<'_>,
    calls: &mut LocationCalls,
    done: &mut Repaired,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<()> {
    let mut attributes = Vec::new();
    let (mut chunk, mut good) = (u64::MAX, 0);
    loop {
        let event = match events.next() {
            Ok(Some(event)) => event,
            Ok(None) => break,
            Err(error) if is_shortage(&error) => return Err(error),
            Err(error) => {
                done.end(&error, good, chunk);
                break;
            }
        };
        if !event.attributes.is_empty() {
            attributes.clear();
            attributes.extend(event.attributes);
            done.note_attributes(&attributes);
        }
        let list = if event.attributes.is_empty() { &[][..] } else { &attributes };
        let written = write(writer, event.time, list, &event.record);
        if !done.is_written(written, good)? {
            break;
        }
        calls.take(&event.record);
        done.note(&event.record, event.time);
        if events.chunk().offset != chunk {
            chunk = events.chunk().offset;
            done.missing += done.gap(events.chunk().first_event, writer.events());
        }
        good = events.position();
        if writer.events().is_multiple_of(STEP) {
            progress(STEP);
        }
    }
    progress(writer.events() % STEP);
    Ok(())
}

/// Writes an event. Most events are enters and leaves without attributes.
#[inline]
fn write(writer: &mut Writer<'_>, time: u64, attributes: &[Attribute], record: &Event<'_>) -> Result<()> {
    match record {
        Event::Enter(enter) if attributes.is_empty() => writer.record(time, enter),
        Event::Leave(leave) if attributes.is_empty() => writer.record(time, leave),
        record => writer.record_with(time, attributes, record),
    }
}

impl Repaired {
    /// Returns the number of events that a chunk header counts beyond those before the event with
    /// this number.
    fn gap(&self, first_event: u64, number: u64) -> u64 {
        let expected = number.saturating_add(self.missing);
        // Damaged headers are ignored if they state an impossible number.
        first_event.checked_sub(expected).filter(|gap| *gap < u64::from(u32::MAX)).unwrap_or(0)
    }

    #[inline]
    fn note(&mut self, event: &Event<'_>, time: u64) {
        if self.times.is_none() {
            self.times = Some((time, time));
        }
        match event {
            Event::Enter(_) | Event::Leave(_) => {}
            Event::ThreadTeamBegin(it) => add(&mut self.teams, it.thread_team.0),
            Event::Metric(it) => add(&mut self.metrics, it.metric.0),
            Event::CommCreate(_) | Event::CommDestroy(_) => self.has_communicators = true,
            Event::MeasurementOnOff(it) if it.measurement_mode == MeasurementMode::OFF => self.has_gap = true,
            _ => {}
        }
    }

    fn note_attributes(&mut self, attributes: &[Attribute]) {
        let bits = attributes.iter().map(|entry| 1_u64.checked_shl(entry.attribute.0).unwrap_or(0));
        self.attributes = bits.fold(self.attributes, |all, bit| all | bit);
    }

    /// Returns whether an event was written. An event that no event file can contain ends the
    /// events.
    fn is_written(&mut self, written: Result<()>, good: u64) -> Result<bool> {
        match written {
            Ok(()) => Ok(true),
            Err(error @ Error::Usage(_)) => {
                self.cut = self.found.saturating_sub(good);
                self.fault = Some(error.to_string());
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Ends the events after `good` bytes, in the chunk at offset `chunk`. A stream needs no end
    /// mark and may end after the beginning of a chunk or within a chunk's filling, but a time
    /// stamp must be followed by a record.
    fn end(&mut self, error: &Error, good: u64, chunk: u64) {
        self.cut = self.found.saturating_sub(good);
        let Error::Format(format) = error else {
            self.fault = Some(error.to_string());
            return;
        };
        let is_end = matches!(format.problem, Problem::MissingEnd) && format.offset >= self.found;
        let is_in_chunk = format.offset == self.found && self.found < chunk.saturating_add(EVENT_CHUNK_SIZE);
        match is_end && !(is_in_chunk && chunk != u64::MAX && good < self.found) {
            true => self.cut = 0,
            false => self.fault = Some(FormatError { file: None, ..*format }.to_string()),
        }
    }
}
