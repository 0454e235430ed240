//! The files of a trace that is being written.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

use kymo_otf2::anchor::{Properties, Property};
use kymo_otf2::definitions::ClockProperties;
use kymo_otf2::events::{
    Enter, Leave, Metric, MpiCollectiveBegin, MpiCollectiveEnd, MpiRecv, MpiSend,
    NonBlockingCollectiveComplete, NonBlockingCollectiveRequest,
};
use kymo_otf2::list::List;
use kymo_otf2::references::{CommRef, MetricRef, RegionRef};
use kymo_otf2::storage::{Directory, Storage};
use kymo_otf2::write::anchor::anchor_bytes;
use kymo_otf2::write::{EventWriter, LocalDefinitionWriter, StoragePieces};
use kymo_otf2::{Anchor, Error, FileName};

use super::WriteFailure;
use super::call_order::{CallStep, check_steps, steps_of_calls};
use super::definitions::{DEFINITION_CHUNK, LocationArguments, WrittenDefinitions, check_text};
use super::event_order::{OrderedEvent, TimedEvent, WrittenEvent, each_event};
use super::rows::{LocationRows, RowsByLocation, TableRows};

/// The number of bytes of a location that are collected before they are written: few enough for
/// 100,000 locations.
const PIECE: usize = 8 << 10;

/// A trace that is being written.
#[derive(Debug)]
pub(super) struct TraceWriter {
    storage: Arc<Directory>,
    resolution: u64,
    /// The time 0 in nanoseconds since 1970-01-01 UTC.
    start: Option<u64>,
    description: String,
    pub(super) definitions: WrittenDefinitions,
    locations: BTreeMap<u64, EventStream>,
}

/// The event file of a location.
#[derive(Debug)]
struct EventStream {
    writer: EventWriter<StoragePieces<Arc<Directory>>>,
    /// The regions of the open calls, innermost last.
    open: Vec<u32>,
    /// The number of events, once the file is complete.
    completed: Option<u64>,
}

/// Events of a location that are checked.
struct CheckedEvents {
    location: u64,
    steps: Vec<CallStep>,
    others: Vec<TimedEvent>,
    /// The regions of the calls that are open after them.
    open: Vec<u32>,
}

impl TraceWriter {
    /// Starts a trace in a folder that does not exist or is empty.
    pub(super) fn create(
        path: &Path,
        resolution: u64,
        start: Option<u64>,
        description: String,
    ) -> Result<Self, WriteFailure> {
        if resolution == 0 {
            return Err(WriteFailure::Mistake("ticks_per_second: expected at least 1".to_owned()));
        }
        check_text("description", &description)?;
        let failed = |source| Error::Io { file: None, source };
        fs::create_dir_all(path).map_err(failed)?;
        if fs::read_dir(path).map_err(failed)?.next().is_some() {
            return Err(WriteFailure::NotEmpty(path.display().to_string()));
        }
        let storage = Directory::open(path).map_err(failed)?;
        storage.create().map_err(failed)?;
        Ok(Self {
            storage: Arc::new(storage),
            resolution,
            start,
            description,
            definitions: WrittenDefinitions::new(),
            locations: BTreeMap::new(),
        })
    }

    /// Defines a location and begins its files.
    pub(super) fn location(&mut self, arguments: &LocationArguments) -> Result<u64, WriteFailure> {
        let location = self.definitions.checked_location(arguments)?;
        let id = location.id();
        let pieces = StoragePieces::new(self.storage.clone(), FileName::LocalDefinitions(id), 64);
        LocalDefinitionWriter::new(pieces, DEFINITION_CHUNK)?.finish()?;
        let pieces = StoragePieces::new(self.storage.clone(), FileName::Events(id), PIECE);
        let writer = EventWriter::new(pieces, Anchor::default().event_chunk_size)?;
        self.locations.insert(id, EventStream { writer, open: Vec::new(), completed: None });
        self.definitions.add_location(location);
        Ok(id)
    }

    /// Writes rows of tables, after those of the same locations that were written before.
    ///
    /// # Errors
    ///
    /// If a row is wrong, or a file cannot be written. Then no event is in the trace.
    pub(super) fn write(&mut self, tables: &TableRows) -> Result<(), WriteFailure> {
        if self.locations.values().any(|stream| stream.completed.is_some()) {
            return Err(WriteFailure::Mistake("the trace is being completed".to_owned()));
        }
        let rows = RowsByLocation::of(tables, &self.definitions)?;
        let checked = rows.0.into_iter().map(|(location, rows)| self.check(location, rows));
        let checked = checked.collect::<Result<Vec<_>, _>>()?;
        let marks: Vec<_> = checked.iter().map(|it| self.locations[&it.location].writer.mark()).collect();
        let recorded = checked.iter().try_for_each(|it| self.record(it));
        for (CheckedEvents { location, open, .. }, mark) in checked.into_iter().zip(marks) {
            // It was found before.
            let Some(stream) = self.locations.get_mut(&location) else { continue };
            match recorded {
                Ok(()) => stream.open = open,
                Err(_) => stream.writer.rewind(&mark)?,
            }
        }
        Ok(recorded?)
    }

    fn record(&mut self, events: &CheckedEvents) -> Result<(), Error> {
        let stream = self.locations.get_mut(&events.location);
        stream
            .map_or(Ok(()), |stream| each_event(&events.steps, &events.others, |event| stream.record(event)))
    }

    /// Brings rows of a location into order.
    fn check(&self, location: u64, rows: LocationRows) -> Result<CheckedEvents, WriteFailure> {
        let unknown = || WriteFailure::Undefined(format!("the trace has no location {location}"));
        let stream = self.locations.get(&location).ok_or_else(unknown)?;
        let LocationRows { calls, steps, others, .. } = rows;
        if !calls.is_empty() && !steps.is_empty() {
            let text = format!("location {location} has calls and events: write one after the other");
            return Err(WriteFailure::Mistake(text));
        }
        let mut open = stream.open.clone();
        let steps = match calls.is_empty() {
            true => steps,
            false => steps_of_calls(location, calls, open.len())?,
        };
        check_steps(location, &steps, &mut open)?;
        let last = stream.writer.last_time();
        for time in others.first().map(|other| other.time).into_iter().chain(steps.first().map(|it| it.time))
        {
            if time < last {
                let text = format!("location {location}: time {time} is before {last}, which is written");
                return Err(WriteFailure::Mistake(text));
            }
        }
        if let Some(pair) = steps.windows(2).find(|pair| pair[1].time < pair[0].time) {
            let (time, before) = (pair[1].time, pair[0].time);
            let text = format!("events: location {location}: time {time} follows {before}");
            return Err(WriteFailure::Mistake(text));
        }
        Ok(CheckedEvents { location, steps, others, open })
    }

    /// Writes the missing parts, the anchor last. After an error, this can be tried again.
    pub(super) fn finish(&mut self) -> Result<(), WriteFailure> {
        let mut events = BTreeMap::new();
        for (id, stream) in &mut self.locations {
            events.insert(*id, stream.complete()?);
        }
        let last_time = self.locations.values().map(|stream| stream.writer.last_time()).max();
        let clock = ClockProperties {
            timer_resolution: self.resolution,
            global_offset: 0,
            trace_length: last_time.unwrap_or(0),
            realtime_timestamp: self.start.unwrap_or(u64::MAX),
        };
        let definitions =
            self.definitions.write(&self.storage, clock, |id| events.get(&id).copied().unwrap_or(0))?;
        self.write_anchor(definitions, &events)
    }

    fn write_anchor(&self, definitions: u64, events: &BTreeMap<u64, u64>) -> Result<(), WriteFailure> {
        let mut trace_id = DefaultHasher::new();
        (self.start, &self.description, definitions, events).hash(&mut trace_id);
        let properties = self.definitions.properties();
        let properties: Vec<_> = properties.iter().map(|(name, value)| Property::new(name, value)).collect();
        let anchor = Anchor {
            definition_chunk_size: DEFINITION_CHUNK,
            number_of_locations: self.locations.len() as u64,
            number_of_global_definitions: definitions,
            creator: concat!("kymograph ", env!("CARGO_PKG_VERSION")).into(),
            description: self.description.as_str().into(),
            properties: Properties::new(&properties),
            trace_id: trace_id.finish(),
            ..Anchor::default()
        };
        let (file, bytes) = (FileName::Anchor, anchor_bytes(&anchor)?);
        let written = self.storage.write_at(file, 0, &bytes);
        Ok(written.map_err(|source| Error::Io { file: Some(file), source })?)
    }
}

impl EventStream {
    /// Completes the file, if it is not complete. Returns the number of its events.
    fn complete(&mut self) -> Result<u64, Error> {
        if let Some(events) = self.completed {
            return Ok(events);
        }
        let closed = self.writer.finish()?;
        self.writer.pieces().truncate(closed.length)?;
        self.completed = Some(closed.events);
        Ok(closed.events)
    }

    fn record(&mut self, event: OrderedEvent) -> Result<(), Error> {
        let writer = &mut self.writer;
        match event {
            OrderedEvent::Step(CallStep { time, region, is_enter: true }) => {
                writer.record(time, &Enter { region: RegionRef(region) })
            }
            OrderedEvent::Step(CallStep { time, region, is_enter: false }) => {
                writer.record(time, &Leave { region: RegionRef(region) })
            }
            OrderedEvent::Other(TimedEvent { time, event, .. }) => match event {
                WrittenEvent::Send { receiver, communicator, tag, bytes } => {
                    let communicator = CommRef(communicator);
                    writer.record(time, &MpiSend { receiver, communicator, msg_tag: tag, msg_length: bytes })
                }
                WrittenEvent::Receive { sender, communicator, tag, bytes } => {
                    let communicator = CommRef(communicator);
                    writer.record(time, &MpiRecv { sender, communicator, msg_tag: tag, msg_length: bytes })
                }
                WrittenEvent::Begin { request: None } => writer.record(time, &MpiCollectiveBegin {}),
                WrittenEvent::Begin { request: Some(request_id) } => {
                    writer.record(time, &NonBlockingCollectiveRequest { request_id })
                }
                WrittenEvent::End { operation, communicator, root, sent, received, request } => {
                    let (communicator, size_sent, size_received) = (CommRef(communicator), sent, received);
                    let collective_op = operation;
                    match request {
                        None => writer.record(
                            time,
                            &MpiCollectiveEnd { collective_op, communicator, root, size_sent, size_received },
                        ),
                        Some(request_id) => writer.record(
                            time,
                            &NonBlockingCollectiveComplete {
                                collective_op,
                                communicator,
                                root,
                                size_sent,
                                size_received,
                                request_id,
                            },
                        ),
                    }
                }
                WrittenEvent::Value { metric, value } => {
                    let metric_values = List::truncated(std::slice::from_ref(&value));
                    writer.record(time, &Metric { metric: MetricRef(metric), metric_values })
                }
            },
        }
    }
}
