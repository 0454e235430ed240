//! Event and snapshot files, OTF2 format, sections "Event files" and "Snapshots".
//!
//! The running time starts at 0 and holds until the next time stamp; several time stamps and several attribute lists
//! before one record are accepted.

use super::stream::{Next, Stream};
use super::{Chunk, Cursor};
use crate::control;
use crate::error::{Error, Problem, Result};
use crate::records::Decode;
use crate::records::attributes::{self, Attributes};
use crate::records::events::Event;
use crate::records::snapshots::Snapshot;
use std::marker::PhantomData;

/// Record with its time and attributes.
#[derive(Debug, Clone, Copy)]
pub struct TimedRecord<'a, R> {
    /// Offset in the file of the first byte that belongs to it: time stamp, attribute list or id.
    pub offset: u64,
    /// Number of the record, counted from 1 over the file.
    pub number: u64,
    /// Time in ticks.
    pub time: u64,
    /// Attributes.
    pub attributes: Attributes<'a>,
    /// The record.
    pub record: R,
}

/// Records of a file with times.
#[derive(Debug, Clone)]
pub struct TimedRecords<'a, R> {
    stream: Stream<'a>,
    time: u64,
    number: u64,
    done: bool,
    record: PhantomData<R>,
}

/// Events of an event file; `chunk_size` is the anchor's for events.
pub fn events(file: &[u8], chunk_size: u64) -> Result<TimedRecords<'_, Event<'_>>> {
    timed(file, chunk_size)
}

/// Records of a snapshot file; `chunk_size` is the anchor's for events.
pub fn snapshots(file: &[u8], chunk_size: u64) -> Result<TimedRecords<'_, Snapshot<'_>>> {
    timed(file, chunk_size)
}

fn timed<R>(file: &[u8], chunk_size: u64) -> Result<TimedRecords<'_, R>> {
    let stream = Stream::new(file, chunk_size)?;
    Ok(TimedRecords { stream, time: 0, number: 0, done: false, record: PhantomData })
}

impl<'a, R: Decode<'a>> TimedRecords<'a, R> {
    /// Header of the chunk of the last record.
    pub fn chunk(&self) -> Chunk {
        self.stream.chunk()
    }

    /// Whether the file is big endian.
    pub fn is_big_endian(&self) -> bool {
        self.stream.is_big()
    }

    fn take(&mut self) -> Result<Option<TimedRecord<'a, R>>> {
        let mut start = None;
        let (mut lists, mut lists_end) = (None, 0);
        loop {
            let id = match self.stream.next()? {
                Next::Record(id) => id,
                Next::End if lists.is_none() => return Ok(None),
                Next::End => return Err(Error::format(self.stream.position(), None, Problem::MissingRecord)),
            };
            let at = self.stream.position();
            let offset = *start.get_or_insert(at);
            match id {
                control::TIMESTAMP => self.time = self.time_stamp()?,
                control::ATTRIBUTE_LIST => {
                    self.stream.take(None, Cursor::u8)?;
                    self.stream.take_sized(Some("AttributeList"), check_list)?;
                    let first = *lists.get_or_insert(at);
                    lists_end = self.stream.passed(first).len();
                }
                id => {
                    let record = self.stream.record(id)?;
                    self.number += 1;
                    let bytes = lists.map_or(&[][..], |first| &self.stream.passed(first)[..lists_end]);
                    return Ok(Some(TimedRecord {
                        offset: offset as u64,
                        number: self.number,
                        time: self.time,
                        attributes: Attributes::new(bytes, self.stream.is_big()),
                        record,
                    }));
                }
            }
        }
    }

    fn time_stamp(&mut self) -> Result<u64> {
        self.stream.take(Some("Timestamp"), |cursor| cursor.u8().and_then(|_| cursor.u64()))
    }
}

fn check_list(cursor: &mut Cursor<'_>) -> Result<(), Problem> {
    let length = cursor.left() as u64;
    let count = cursor.u32c()?;
    let limit = attributes::bound(count as usize) as u64;
    if length > limit {
        return Err(Problem::AttributeListLength { length, limit });
    }
    for _ in 0..count {
        attributes::get(cursor)?;
    }
    Ok(())
}

impl<'a, R: Decode<'a>> Iterator for TimedRecords<'a, R> {
    type Item = Result<TimedRecord<'a, R>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let item = self.take().transpose();
        self.done = !matches!(item, Some(Ok(_)));
        item
    }
}
