//! Where to begin reading for a record number or a time, docs/spec/otf2-format.md, "Streams,
//! chunks, control bytes" and "Event files": a chunk header contains the number of the first
//! record of the chunk, and a chunk begins with a time stamp. Both are found by binary search over
//! the chunks.

use super::clock::Clock;
use super::window::Window;
use crate::byte_order::BIG_TAG;
use crate::control::{self, HEADER_LEN, TIMESTAMP_LEN};
use crate::error::{Error, Problem, Result};
use crate::wire::Cursor;

/// The chunks of a file.
pub(super) struct Chunks<'r> {
    pub(super) window: &'r Window,
    pub(super) size: u64,
    pub(super) clock: &'r Clock,
}

/// The chunk in which to begin.
pub(super) struct Start {
    /// The number of the chunk, counted from 0.
    pub(super) chunk: u64,
    /// The number of its first record.
    pub(super) first_record: u64,
}

/// The content of the start of a chunk.
struct Head {
    first_record: u64,
    time: Option<u64>,
}

impl Chunks<'_> {
    /// Returns the chunk that contains the record of this number.
    pub(super) fn of_number(&self, number: u64) -> Result<Start> {
        let chunk = self.last(|chunk| Ok(self.first_record(chunk)? <= number))?;
        Ok(Start { chunk, first_record: self.first_record(chunk)?.clamp(1, number) })
    }

    /// Returns the chunk that contains the first record at or after a time: records of that time
    /// may be at the end of the chunk before the one that begins with it.
    pub(super) fn of_time(&self, time: u64) -> Result<Start> {
        let chunk = self.last(|chunk| Ok(self.begin(chunk)? < time))?;
        Ok(Start { chunk, first_record: self.first_record(chunk)?.max(1) })
    }

    /// Returns the last chunk that begins at or before a time, or the first one.
    pub(super) fn at_time(&self, time: u64) -> Result<Start> {
        let chunk = self.last(|chunk| Ok(self.begin(chunk)? <= time))?;
        self.start(chunk)
    }

    /// Returns the start of the chunk of this number.
    pub(super) fn start(&self, chunk: u64) -> Result<Start> {
        Ok(Start { chunk, first_record: self.first_record(chunk)?.max(1) })
    }

    /// Returns the chunk that contains this offset in the file.
    pub(super) fn of_offset(&self, offset: u64) -> Result<Start> {
        let chunk = offset / self.size;
        Ok(Start { chunk, first_record: self.first_record(chunk)?.max(1) })
    }

    /// Returns the last chunk for which `is_before` returns true, as it must for all chunks before;
    /// the first chunk if there is none. A chunk without a valid header counts as not before:
    /// reading on to it finds the fault.
    fn last(&self, is_before: impl Fn(u64) -> Result<bool>) -> Result<u64> {
        let (mut low, mut high) = (0, self.window.length()?.div_ceil(self.size).max(1));
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match is_before(middle) {
                Ok(true) => low = middle,
                Ok(false) | Err(Error::Format(_)) => high = middle,
                Err(error) => return Err(error),
            }
        }
        Ok(low)
    }

    /// Returns the corrected time at which a chunk begins; if the chunk does not begin with a time
    /// stamp, that of the chunk before.
    fn begin(&self, mut chunk: u64) -> Result<u64> {
        loop {
            match self.head(chunk)?.time {
                Some(time) => return Ok(self.clock.correct_first(time)),
                None if chunk == 0 => return Ok(0),
                None => chunk -= 1,
            }
        }
    }

    /// Returns the number of the first record of a chunk. For the first chunk it is 1, whatever its
    /// header contains.
    fn first_record(&self, chunk: u64) -> Result<u64> {
        if chunk == 0 { Ok(1) } else { Ok(self.head(chunk)?.first_record) }
    }

    fn head(&self, chunk: u64) -> Result<Head> {
        let offset = chunk * self.size;
        let mut bytes = [0; HEADER_LEN + TIMESTAMP_LEN];
        let mut filled = 0;
        while filled < bytes.len() {
            match self.window.read_at(offset + filled as u64, &mut bytes[filled..])? {
                0 => break,
                count => filled += count,
            }
        }
        parse(&bytes[..filled]).map_err(|problem| Error::format(offset, None, problem))
    }
}

fn parse(bytes: &[u8]) -> Result<Head, Problem> {
    let mut cursor = Cursor::new(bytes, 0, bytes.get(1) == Some(&BIG_TAG));
    match cursor.u8()? {
        control::CHUNK_HEADER => cursor.u8()?,
        other => return Err(Problem::ChunkHeader(other)),
    };
    let first_record = cursor.u64()?;
    cursor.u64()?;
    let time = match cursor.u8() {
        Ok(control::TIMESTAMP) => cursor.u64().ok(),
        _ => None,
    };
    Ok(Head { first_record, time })
}
