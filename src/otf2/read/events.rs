//! Event and snapshot files, docs/spec/otf2-format.md, "Event files" and "Snapshots".
//!
//! The current time starts at 0 and is valid until the next time stamp. Several time stamps and
//! several attribute lists before one record are accepted.

use super::Chunk;
use super::place::{RecordBytes, RecordPlace};
use super::scan::Scanner;
use super::stream::{Framer, Step, Stop, View};
use crate::byte_order::ByteOrder;
use crate::control;
use crate::error::{Error, Problem, Result};
use crate::records::Decode;
use crate::records::attributes::{self, Attributes};
use crate::records::events::Event;
use crate::records::snapshots::Snapshot;
use crate::wire::Cursor;
use std::marker::PhantomData;

/// A record with its time and attributes.
#[derive(Debug, Clone, Copy)]
pub struct TimedRecord<'a, R> {
    /// The offset in the file of the first byte that belongs to the record: its time stamp,
    /// attribute list or id.
    pub offset: u64,
    /// The number of the record, counted from 1 in the file.
    pub number: u64,
    /// The time in ticks.
    pub time: u64,
    /// The attributes.
    pub attributes: Attributes<'a>,
    /// The record.
    pub record: R,
}

impl<R> TimedRecord<'_, R> {
    /// Creates a record without attributes.
    #[inline(always)]
    pub(super) fn of(record: R) -> Self {
        TimedRecord { offset: 0, number: 0, time: 0, attributes: Attributes::new(&[], false), record }
    }
}

impl<'a> TimedRecord<'a, ()> {
    /// Returns this position and time with a record.
    #[inline(always)]
    pub(super) fn with<R>(self, record: R) -> TimedRecord<'a, R> {
        let TimedRecord { offset, number, time, attributes, .. } = self;
        TimedRecord { offset, number, time, attributes, record }
    }
}

impl RecordPlace {
    /// Decodes the record, which must be complete in the view.
    #[inline(always)]
    pub(super) fn record<'a, R: Decode<'a>>(&self, view: View<'a>, big: bool) -> Result<TimedRecord<'a, R>> {
        Ok(TimedRecord {
            offset: self.offset,
            number: self.number,
            time: self.time,
            attributes: Attributes::new(view.slice(self.lists.0, self.lists.1), big),
            record: view.record(self.bytes, big)?,
        })
    }
}

/// Finds the records of a file and their times.
#[derive(Debug, Clone)]
pub(super) struct TimedFramer {
    framer: Framer,
    time: u64,
    number: u64,
    /// The offset of the first byte that belongs to the next record.
    start: Option<u64>,
    /// The attribute lists that were passed for the next record.
    lists: (u64, u64),
}

impl TimedFramer {
    pub(super) fn new(chunk_size: u64) -> Result<Self> {
        Ok(TimedFramer { framer: Framer::new(chunk_size)?, time: 0, number: 0, start: None, lists: (0, 0) })
    }

    pub(super) fn framer(&self) -> &Framer {
        &self.framer
    }

    /// Returns the offset from which the next view must contain the file.
    pub(super) fn keep(&self) -> u64 {
        if self.has_lists() { self.lists.0 } else { self.framer.position() }
    }

    /// Returns the offset of the end of the last record, even if a part of the next one has been
    /// passed.
    pub(super) fn position(&self) -> u64 {
        self.start.unwrap_or(self.framer.position())
    }

    fn has_lists(&self) -> bool {
        self.lists.0 < self.lists.1
    }

    /// Enters the first chunk, if that has not been done.
    pub(super) fn begin(&mut self, view: View<'_>) -> Step<()> {
        self.framer.begin(view)
    }

    /// Continues with the chunk of this number, counted from 0. Its first record has the number
    /// `first_record`, counted from 1.
    pub(super) fn go_to_chunk(&mut self, chunk: u64, first_record: u64) {
        self.framer.go_to_chunk(chunk);
        (self.time, self.number) = (0, first_record.saturating_sub(1));
        (self.start, self.lists) = (None, (0, 0));
    }

    /// Returns a scanner of the records that follow; of none if a part of the next record has been
    /// passed, or if record numbers could overflow.
    #[inline(always)]
    pub(super) fn scanner<'v, E: ByteOrder>(&self, view: View<'v>) -> Scanner<'v, E> {
        let (bytes, end) = match self.start.is_none() && self.number < u64::MAX / 2 {
            true => self.framer.rest_of_chunk(view),
            false => (&[][..], self.framer.position()),
        };
        Scanner::new(bytes, end, self.time, self.number)
    }

    /// Continues at an offset in the same chunk, after the record of this number at this time.
    #[inline(always)]
    pub(super) fn pass(&mut self, offset: u64, time: u64, number: u64) {
        (self.time, self.number) = (time, number);
        self.framer.go_to(offset);
    }

    /// Continues where a scanner stopped.
    #[inline(always)]
    pub(super) fn pass_scanned<E: ByteOrder>(&mut self, scanner: &Scanner<'_, E>) {
        self.pass(scanner.position(), scanner.time, scanner.number);
    }

    /// Returns the number of the last record.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Returns the next record; `None` at the end of the file. If it requests a longer view, it
    /// keeps its place.
    #[inline(never)]
    pub(super) fn next<'x, R: Decode<'x>>(&mut self, view: View<'_>) -> Step<Option<RecordPlace>> {
        loop {
            let Some(id) = self.framer.next_id(view)? else { return self.end() };
            if self.has_lists() && self.lists.0 < self.framer.chunk().offset {
                return Err(self.missing_record());
            }
            let at = self.framer.position();
            self.start.get_or_insert(at);
            match id {
                control::TIMESTAMP => self.time = self.framer.time_stamp(view)?,
                control::ATTRIBUTE_LIST => self.list(at, view)?,
                id => {
                    let bytes = self.framer.record::<R>(id, view)?;
                    let offset = self.start.take().unwrap_or(at);
                    return Ok(Some(self.place(offset, bytes)));
                }
            }
        }
    }

    #[inline(always)]
    fn place(&mut self, offset: u64, bytes: RecordBytes) -> RecordPlace {
        // The number may be anything, because a seek relies on chunk headers.
        self.number = self.number.saturating_add(1);
        let lists = std::mem::take(&mut self.lists);
        RecordPlace { lists, ..RecordPlace::new(offset, self.number, self.time, bytes) }
    }

    #[cold]
    fn list(&mut self, at: u64, view: View<'_>) -> Step<()> {
        const NAME: Option<&str> = Some("AttributeList");
        let bytes = self.framer.sized(control::ATTRIBUTE_LIST, view, NAME)?;
        view.take(bytes, self.framer.is_big(), NAME, check_list)?;
        self.lists = (if self.has_lists() { self.lists.0 } else { at }, bytes.end);
        Ok(())
    }

    fn end(&self) -> Step<Option<RecordPlace>> {
        if self.has_lists() { Err(self.missing_record()) } else { Ok(None) }
    }

    /// Returns the reason why a view of the whole file contains no further record.
    fn stopped(&self, stop: Stop) -> Error {
        match stop {
            Stop::Bad(error) => self.framer.explain(error, true),
            Stop::More => Error::format(self.framer.position(), None, Problem::MissingEnd),
        }
    }

    #[cold]
    fn missing_record(&self) -> Stop {
        Error::format(self.framer.position(), None, Problem::MissingRecord).into()
    }
}

fn check_list(cursor: &mut Cursor<'_>) -> Result<(), Problem> {
    let length = cursor.left() as u64;
    let count = cursor.u32c()?;
    let limit = attributes::bound(u64::from(count));
    if length > limit {
        return Err(Problem::AttributeListLength { length, limit });
    }
    for _ in 0..count {
        attributes::get(cursor)?;
    }
    Ok(())
}

/// The records with times of a file in memory.
#[derive(Debug, Clone)]
pub struct TimedRecords<'a, R> {
    file: View<'a>,
    framer: TimedFramer,
    done: bool,
    record: PhantomData<R>,
}

/// Reads the events of an event file; `chunk_size` is the anchor's for events.
pub fn events(file: &[u8], chunk_size: u64) -> Result<TimedRecords<'_, Event<'_>>> {
    timed(file, chunk_size)
}

/// Reads the records of a snapshot file; `chunk_size` is the anchor's for events.
pub fn snapshots(file: &[u8], chunk_size: u64) -> Result<TimedRecords<'_, Snapshot<'_>>> {
    timed(file, chunk_size)
}

fn timed<R>(file: &[u8], chunk_size: u64) -> Result<TimedRecords<'_, R>> {
    let (file, mut framer) = (View::whole(file), TimedFramer::new(chunk_size)?);
    framer.begin(file).map_err(|stop| framer.stopped(stop))?;
    Ok(TimedRecords { file, framer, done: false, record: PhantomData })
}

impl<'a, R: Decode<'a>> TimedRecords<'a, R> {
    /// Returns the header of the chunk with the last record.
    pub fn chunk(&self) -> Chunk {
        self.framer.framer().chunk()
    }

    /// Returns whether the file is big endian.
    pub fn is_big_endian(&self) -> bool {
        self.framer.framer().is_big()
    }

    fn take(&mut self) -> Step<Option<TimedRecord<'a, R>>> {
        let Some(place) = self.framer.next::<R>(self.file)? else { return Ok(None) };
        Ok(Some(place.record(self.file, self.is_big_endian())?))
    }
}

impl<'a, R: Decode<'a>> Iterator for TimedRecords<'a, R> {
    type Item = Result<TimedRecord<'a, R>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let item = self.take().map_err(|stop| self.framer.stopped(stop)).transpose();
        self.done = !matches!(item, Some(Ok(_)));
        item
    }
}
