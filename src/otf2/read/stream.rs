//! Chunk streams, docs/spec/otf2-format.md, "Streams, chunks, control bytes": all files except the
//! anchor.
//!
//! A [`Framer`] finds where records begin and end, in whatever part of the file is in memory; it
//! never decodes them. Invariant: its results do not depend on how the file is divided into views,
//! and it never requests bytes again that it has passed.

use super::place::RecordBytes;
use crate::CHUNK_SIZES;
use crate::byte_order::{BIG_TAG, LITTLE_TAG};
use crate::control;
use crate::error::{Error, FormatError, Problem, Result};
use crate::records::{Decode, SIZED};
use crate::wire::Cursor;

/// The name of a chunk header in errors.
const CHUNK_HEADER: Option<&str> = Some("ChunkHeader");

/// The header of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk {
    /// The offset in the file.
    pub offset: u64,
    /// The number of the first event, counted from 1 in the file.
    pub first_event: u64,
    /// The number of the last event.
    pub last_event: u64,
}

/// The part of a file that is in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    bytes: &'a [u8],
    /// The offset of the first byte in the file.
    base: u64,
    /// Whether the view ends at the end of the file.
    is_last: bool,
}

/// The reason why a view contains no further record.
pub(super) enum Stop {
    /// The view ends too early: a longer one is required.
    More,
    /// The file is invalid.
    Bad(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Bad(error)
    }
}

pub(super) type Step<T> = Result<T, Stop>;

impl<'a> View<'a> {
    pub(super) fn new(bytes: &'a [u8], base: u64, is_last: bool) -> Self {
        View { bytes, base, is_last }
    }

    pub(super) fn whole(bytes: &'a [u8]) -> Self {
        Self::new(bytes, 0, true)
    }

    /// Returns the offset of the end of the view.
    fn end(self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    /// Returns the index in the view of an offset in the file.
    #[inline]
    fn index(self, at: u64) -> usize {
        at.saturating_sub(self.base) as usize
    }

    /// Returns the bytes from `at` to `end`, which must be in the view.
    #[inline(always)]
    pub(super) fn slice(self, at: u64, end: u64) -> &'a [u8] {
        self.bytes.get(self.index(at)..self.index(end)).unwrap_or_default()
    }

    /// Returns the `N` bytes at an offset.
    #[inline]
    fn array<const N: usize>(self, at: u64, record: Option<&'static str>) -> Step<[u8; N]> {
        match self.bytes.get(self.index(at)..).and_then(|rest| rest.first_chunk()) {
            Some(bytes) => Ok(*bytes),
            None => Err(self.too_short(at, record, Problem::UnexpectedEnd)),
        }
    }

    #[inline]
    fn byte(self, at: u64, record: Option<&'static str>) -> Step<u8> {
        Ok(self.array::<1>(at, record)?[0])
    }

    /// Returns the error for a view that is too short: if it is the last one, the file is cut.
    #[cold]
    fn too_short(self, at: u64, record: Option<&'static str>, problem: Problem) -> Stop {
        match self.is_last {
            true => Stop::Bad(Error::format(at, record, problem)),
            false => Stop::More,
        }
    }

    /// Calls `take` with the data of a record, which are in the view.
    pub(super) fn take<T>(
        self,
        bytes: RecordBytes,
        big: bool,
        record: Option<&'static str>,
        take: impl FnOnce(&mut Cursor<'a>) -> Result<T, Problem>,
    ) -> Result<T> {
        let mut cursor = self.cursor(bytes, big);
        take(&mut cursor).map_err(|problem| self.error(&cursor, record, problem))
    }

    /// Decodes a record.
    #[inline(always)]
    pub(super) fn record<R: Decode<'a>>(self, bytes: RecordBytes, big: bool) -> Result<R> {
        let mut cursor = self.cursor(bytes, big);
        match R::decode(bytes.id, &mut cursor) {
            Ok(record) => Ok(record),
            Err(problem) => Err(self.error(&cursor, R::name_of(bytes.id), problem)),
        }
    }

    /// Returns whether the view lacks bytes of the chunk that ends at `chunk_end`.
    fn is_short_of(self, chunk_end: u64) -> bool {
        !self.is_last && self.end() < chunk_end
    }

    /// Returns a cursor over the data of a record.
    #[inline(always)]
    fn cursor(self, bytes: RecordBytes, big: bool) -> Cursor<'a> {
        Cursor::within(self.bytes, self.index(bytes.data), self.index(bytes.end), big)
    }

    #[cold]
    fn error(self, cursor: &Cursor<'_>, record: Option<&'static str>, problem: Problem) -> Error {
        Error::format(self.base + cursor.position() as u64, record, problem)
    }
}

/// Finds the records of a file. All offsets are relative to the start of the file.
#[derive(Debug, Clone)]
pub(super) struct Framer {
    /// The offset of the next record; at `chunk_end`, the offset of the next chunk.
    at: u64,
    chunk_size: u64,
    chunk_end: u64,
    chunk: Chunk,
    big: bool,
    /// Whether the file is a definition log, which has no chunks.
    log: bool,
}

impl Framer {
    pub(super) fn new(chunk_size: u64) -> Result<Self> {
        if !CHUNK_SIZES.contains(&chunk_size) {
            return Err(Error::format(0, None, Problem::ChunkSize(chunk_size)));
        }
        let chunk = Chunk { offset: 0, first_event: 0, last_event: 0 };
        Ok(Framer { at: 0, chunk_size, chunk_end: 0, chunk, big: false, log: false })
    }

    pub(super) fn log(length: usize) -> Self {
        let chunk = Chunk { offset: 0, first_event: 0, last_event: 0 };
        let big = cfg!(target_endian = "big");
        Framer { at: 0, chunk_size: 0, chunk_end: length as u64, chunk, big, log: true }
    }

    pub(super) fn chunk(&self) -> Chunk {
        self.chunk
    }

    pub(super) fn is_big(&self) -> bool {
        self.big
    }

    pub(super) fn position(&self) -> u64 {
        self.at
    }

    /// Adds to an error whether the chunk header counts records, if that contradicts the kind of
    /// file that is expected: only files with times count their records.
    #[cold]
    pub(super) fn explain(&self, error: Error, with_times: bool) -> Error {
        let counts = (self.chunk.first_event, self.chunk.last_event) != (1, 0);
        match error {
            Error::Format(error)
                if counts != with_times
                    && self.chunk_end > 0
                    && !self.log
                    && error.record != CHUNK_HEADER
                    && !error.problem.is_cut() =>
            {
                Error::Format(FormatError { is_counted: Some(counts), ..error })
            }
            other => other,
        }
    }

    /// Continues with the chunk of this number, counted from 0. The byte order must be known.
    pub(super) fn go_to_chunk(&mut self, number: u64) {
        self.at = number * self.chunk_size;
        self.chunk_end = self.at;
    }

    /// Enters the first chunk, if that has not been done.
    pub(super) fn begin(&mut self, view: View<'_>) -> Step<()> {
        if self.at == 0 && !self.log { self.begin_chunk(view) } else { Ok(()) }
    }

    fn byte_order(&self, view: View<'_>) -> Step<bool> {
        match view.array(self.at, CHUNK_HEADER)? {
            [control::CHUNK_HEADER, LITTLE_TAG] => Ok(false),
            [control::CHUNK_HEADER, BIG_TAG] => Ok(true),
            [control::CHUNK_HEADER, other] => {
                Err(Error::format(self.at + 1, CHUNK_HEADER, Problem::ByteOrder(other)).into())
            }
            [other, _] => Err(Error::format(self.at, CHUNK_HEADER, Problem::ChunkHeader(other)).into()),
        }
    }

    #[cold]
    fn begin_chunk(&mut self, view: View<'_>) -> Step<()> {
        if view.bytes.len() <= view.index(self.at) {
            return Err(view.too_short(self.at, None, Problem::MissingEnd));
        }
        let big = self.byte_order(view)?;
        if self.at > 0 && big != self.big {
            return Err(Error::format(self.at + 1, CHUNK_HEADER, Problem::MixedByteOrder).into());
        }
        let header: [u8; control::HEADER_LEN] = view.array(self.at, CHUNK_HEADER)?;
        if header[2..].starts_with(b"OTF2\0") {
            return Err(Error::format(self.at, None, Problem::AnchorInstead).into());
        }
        let mut cursor = Cursor::new(&header, 2, big);
        let mut number = || cursor.u64().unwrap_or_default();
        self.chunk = Chunk { offset: self.at, first_event: number(), last_event: number() };
        self.big = big;
        self.chunk_end = self.at + self.chunk_size;
        self.at += control::HEADER_LEN as u64;
        Ok(())
    }

    /// Returns the id of the next record without taking it; `None` at the end of the file.
    #[inline]
    pub(super) fn next_id(&mut self, view: View<'_>) -> Step<Option<u8>> {
        loop {
            if self.at >= self.chunk_end {
                if self.log {
                    return Ok(None);
                }
                self.begin_chunk(view)?;
            }
            let Some(&id) = view.bytes.get(view.index(self.at)) else {
                return Err(view.too_short(self.at, None, Problem::MissingEnd));
            };
            match id {
                control::END_OF_FILE if !self.log => return Ok(None),
                // This mark only follows the end of the file. On its own it is an error in libotf2,
                // too.
                control::END_OF_BUFFER if !self.log => {
                    return Err(Error::format(self.at, None, Problem::MissingEnd).into());
                }
                control::END_OF_CHUNK if !self.log => self.at = self.chunk_end,
                id => return Ok(Some(id)),
            }
        }
    }

    /// Returns the bytes from the next record on that records of this chunk can consist of, as far
    /// as they are in the view, and the offset of their end. At least one byte of the chunk follows
    /// a record.
    #[inline(always)]
    pub(super) fn rest_of_chunk<'v>(&self, view: View<'v>) -> (&'v [u8], u64) {
        let end = view.end().min(self.chunk_end.saturating_sub(1)).max(self.at);
        (view.slice(self.at, end), end)
    }

    /// Returns whether fewer than `reach` bytes of the chunk follow in the view, and a later view
    /// could contain more.
    pub(super) fn is_short(&self, view: View<'_>, reach: usize) -> bool {
        view.is_short_of(self.chunk_end) && self.rest_of_chunk(view).0.len() < reach
    }

    /// Returns whether no record of the chunk follows, as far as the view shows.
    pub(super) fn is_at_end_of_chunk(&self, view: View<'_>) -> bool {
        let next = view.slice(self.at, self.at + 1).first();
        self.at >= self.chunk_end || next == Some(&control::END_OF_CHUNK)
    }

    /// Continues at an offset in the same chunk.
    #[inline(always)]
    pub(super) fn go_to(&mut self, offset: u64) {
        self.at = offset;
    }

    #[inline]
    fn number(&self, bytes: [u8; 8]) -> u64 {
        if self.big { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) }
    }

    /// Takes a time stamp, which must be next.
    #[inline]
    pub(super) fn time_stamp(&mut self, view: View<'_>) -> Step<u64> {
        let bytes = view.array(self.at + 1, Some("Timestamp"))?;
        self.pass(self.at + control::TIMESTAMP_LEN as u64, Some("Timestamp"))?;
        Ok(self.number(bytes))
    }

    /// Takes the next record of a file without times; `None` at the end of the file.
    pub(super) fn next_record<'x, R: Decode<'x>>(&mut self, view: View<'_>) -> Step<Option<RecordBytes>> {
        self.begin(view)?;
        match self.next_id(view)? {
            Some(id) => self.record::<R>(id, view).map(Some),
            None => Ok(None),
        }
    }

    /// Takes the record of this id, which must be next.
    #[inline]
    pub(super) fn record<'x, R: Decode<'x>>(&mut self, id: u8, view: View<'_>) -> Step<RecordBytes> {
        match R::LAYOUTS[id as usize] {
            0 | SIZED => self.sized(id, view, R::name_of(id)),
            limit => self.singleton(id, limit, view, R::name_of(id)),
        }
    }

    /// Takes a record that consists of an id and a compressed integer.
    #[inline]
    fn singleton(
        &mut self,
        id: u8,
        limit: u8,
        view: View<'_>,
        record: Option<&'static str>,
    ) -> Step<RecordBytes> {
        let data = self.at + 1;
        let length = match view.byte(data, record)? {
            0xFF => 0,
            length if length <= limit => u64::from(length),
            length => {
                let problem = Problem::IntegerTooLong { length, limit };
                return Err(Error::format(data, record, problem).into());
            }
        };
        let end = data + 1 + length;
        self.check_end(data, end, view, record)?;
        self.pass(end, record)?;
        Ok(RecordBytes { id, data, end })
    }

    /// Takes a record that consists of an id, a length, and that many bytes.
    pub(super) fn sized(
        &mut self,
        id: u8,
        view: View<'_>,
        record: Option<&'static str>,
    ) -> Step<RecordBytes> {
        let (length, data) = match view.byte(self.at + 1, record)? {
            0xFF => (self.long_length(view, record)?, self.at + 10),
            length => (u64::from(length), self.at + 2),
        };
        let left = self.chunk_end.saturating_sub(data);
        // In files, at least one byte of the chunk follows a record.
        if length > left || (length == left && !self.log) {
            let problem = Problem::RecordBeyondChunk { length, left };
            return Err(Error::format(self.at, record, problem).into());
        }
        let end = data + length;
        self.check_end(data, end, view, record)?;
        self.at = end;
        Ok(RecordBytes { id, data, end })
    }

    #[cold]
    fn long_length(&self, view: View<'_>, record: Option<&'static str>) -> Step<u64> {
        Ok(self.number(view.array(self.at + 2, record)?))
    }

    /// Checks that the view contains the data of a record up to its end.
    #[inline]
    fn check_end(&self, data: u64, end: u64, view: View<'_>, record: Option<&'static str>) -> Step<()> {
        if end <= view.end() {
            return Ok(());
        }
        let (length, left) = (end - data, view.end() - data);
        match view.is_last {
            true => Err(Error::format(self.at, record, Problem::RecordBeyondFile { length, left }).into()),
            false => Err(Stop::More),
        }
    }

    /// Continues at `end`, which must not be the end of the chunk.
    #[inline]
    fn pass(&mut self, end: u64, record: Option<&'static str>) -> Step<()> {
        if end >= self.chunk_end && !self.log {
            let (length, left) = (end - self.at, self.chunk_end - self.at);
            return Err(Error::format(self.at, record, Problem::RecordBeyondChunk { length, left }).into());
        }
        self.at = end;
        Ok(())
    }
}
