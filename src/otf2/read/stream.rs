//! Chunk streams, OTF2 format, section "Chunks": all files but the anchor.

use super::{Cursor, record_length};
use crate::CHUNK_SIZES;
use crate::byte_order::{BIG_TAG, LITTLE_TAG};
use crate::control;
use crate::error::{Error, Problem, Result};
use crate::records::Decode;

/// Header of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk {
    /// Offset in the file.
    pub offset: u64,
    /// Number of the first event, counted from 1 over the file.
    pub first_event: u64,
    /// Number of the last event.
    pub last_event: u64,
}

/// Cursor over the records of a file. Offsets are those of the file.
#[derive(Debug, Clone)]
pub(super) struct Stream<'a> {
    file: &'a [u8],
    /// Behind the last record taken.
    at: usize,
    chunk_size: usize,
    chunk_end: usize,
    chunk: Chunk,
    big: bool,
    /// No chunks: the slice is a definition log.
    log: bool,
}

/// What comes next in a stream.
pub(super) enum Next {
    Record(u8),
    End,
}

impl<'a> Stream<'a> {
    pub(super) fn new(file: &'a [u8], chunk_size: u64) -> Result<Self> {
        if !CHUNK_SIZES.contains(&chunk_size) {
            return Err(Error::format(0, None, Problem::ChunkSize(chunk_size)));
        }
        let chunk = Chunk { offset: 0, first_event: 0, last_event: 0 };
        let chunk_size = chunk_size as usize;
        let mut stream = Stream { file, at: 0, chunk_size, chunk_end: 0, chunk, big: false, log: false };
        stream.big = stream.byte_order(0)?;
        stream.begin_chunk(0)?;
        Ok(stream)
    }

    pub(super) fn log(bytes: &'a [u8]) -> Self {
        let chunk = Chunk { offset: 0, first_event: 0, last_event: 0 };
        let big = cfg!(target_endian = "big");
        Stream { file: bytes, at: 0, chunk_size: 0, chunk_end: bytes.len(), chunk, big, log: true }
    }

    pub(super) fn chunk(&self) -> Chunk {
        self.chunk
    }

    pub(super) fn is_big(&self) -> bool {
        self.big
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Bytes of the file from `start` to the current position.
    pub(super) fn passed(&self, start: usize) -> &'a [u8] {
        &self.file[start..self.at]
    }

    fn byte_order(&self, at: usize) -> Result<bool> {
        match self.file.get(at..at + 2) {
            None => Err(Error::format(self.file.len(), None, Problem::UnexpectedEnd)),
            Some([control::CHUNK_HEADER, LITTLE_TAG]) => Ok(false),
            Some([control::CHUNK_HEADER, BIG_TAG]) => Ok(true),
            Some(&[control::CHUNK_HEADER, other]) => {
                Err(Error::format(at + 1, None, Problem::ByteOrder(other)))
            }
            Some(other) => Err(Error::format(at, None, Problem::ChunkHeader(other[0]))),
        }
    }

    fn begin_chunk(&mut self, at: usize) -> Result<()> {
        if self.byte_order(at)? != self.big {
            return Err(Error::format(at + 1, None, Problem::MixedByteOrder));
        }
        self.chunk_end = self.file.len().min(at + self.chunk_size);
        let mut cursor = Cursor::new(&self.file[..self.chunk_end], at + 2, self.big);
        let mut number = || cursor.u64().map_err(|problem| Error::format(at, None, problem));
        self.chunk = Chunk { offset: at as u64, first_event: number()?, last_event: number()? };
        self.at = cursor.position();
        Ok(())
    }

    pub(super) fn cursor(&self) -> Cursor<'a> {
        Cursor::new(&self.file[..self.chunk_end], self.at, self.big)
    }

    /// The id of the next record, which stays to be taken.
    pub(super) fn next(&mut self) -> Result<Next> {
        loop {
            match self.file[..self.chunk_end].get(self.at) {
                None if self.log => return Ok(Next::End),
                None => return Err(Error::format(self.at, None, Problem::MissingEnd)),
                Some(&control::END_OF_FILE | &control::END_OF_BUFFER) if !self.log => return Ok(Next::End),
                Some(&control::END_OF_CHUNK) if !self.log => {
                    self.begin_chunk((self.at / self.chunk_size + 1) * self.chunk_size)?;
                }
                Some(&id) => return Ok(Next::Record(id)),
            }
        }
    }

    /// Takes bytes that `take` wants, from the current position on.
    pub(super) fn take<T>(
        &mut self,
        record: Option<&'static str>,
        take: impl FnOnce(&mut Cursor<'a>) -> Result<T, Problem>,
    ) -> Result<T> {
        let mut cursor = self.cursor();
        let taken = take(&mut cursor).map_err(|problem| Error::format(cursor.position(), record, problem))?;
        self.at = cursor.position();
        Ok(taken)
    }

    /// Takes a length and hands a cursor over that many bytes to `take`.
    pub(super) fn take_sized<T>(
        &mut self,
        record: Option<&'static str>,
        take: impl FnOnce(&mut Cursor<'a>) -> Result<T, Problem>,
    ) -> Result<T> {
        let start = self.at;
        let length = self.take(record, record_length)?;
        let left = (self.chunk_end - self.at) as u64;
        // In files at least one byte follows a record inside of its chunk.
        if length > left || (length == left && !self.log) {
            return Err(Error::format(start, record, Problem::RecordBeyondChunk { length, left }));
        }
        let end = self.at + length as usize;
        let mut cursor = Cursor::new(&self.file[..end], self.at, self.big);
        let taken = take(&mut cursor).map_err(|problem| Error::format(cursor.position(), record, problem))?;
        self.at = end;
        Ok(taken)
    }

    /// Takes the record whose id comes next.
    pub(super) fn record<R: Decode<'a>>(&mut self, id: u8) -> Result<R> {
        let name = R::name_of(id);
        self.at += 1;
        if !R::is_singleton_id(id) {
            return self.take_sized(name, |cursor| R::decode(id, cursor));
        }
        let record = self.take(name, |cursor| R::decode(id, cursor))?;
        match self.at < self.chunk_end || self.log {
            true => Ok(record),
            false => Err(Error::format(self.at, name, Problem::UnexpectedEnd)),
        }
    }
}
