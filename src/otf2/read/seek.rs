//! Seeking to a record by its number or time, docs/spec/otf2-format.md, "Streams, chunks, control
//! bytes" and "Event files": a chunk header contains the number of the first record of the chunk,
//! and a chunk begins with a time stamp.
//!
//! Both are found by binary search over the chunks; the records of the chunk found are then passed
//! in sequence.

use super::Cursor;
use super::family::Family;
use super::location::LocationReader;
use crate::byte_order::BIG_TAG;
use crate::control::{self, HEADER_LEN, TIMESTAMP_LEN};
use crate::error::{Error, Problem, Result, Usage};

/// The content of the start of a chunk.
struct Head {
    first_record: u64,
    time: Option<u64>,
}

pub(super) fn to_number<F: Family>(reader: &mut LocationReader<F>, number: u64) -> Result<()> {
    let position = Usage::Position(number);
    if number == 0 {
        return Err(position.into());
    }
    let chunk = last_chunk(reader, |reader, chunk| Ok(first_record(reader, chunk)? <= number))?;
    let first = first_record(reader, chunk)?;
    reader.go_to_chunk(chunk, first.clamp(1, number));
    pass_until(reader, |found, _| found >= number)?;
    reader.reached().map(|_| ()).ok_or(position.into())
}

pub(super) fn to_time<F: Family>(reader: &mut LocationReader<F>, time: u64) -> Result<()> {
    // Records of that time may be at the end of the chunk before the one that begins with it.
    let chunk = last_chunk(reader, |reader, chunk| Ok(begin(reader, chunk)? < time))?;
    let first = first_record(reader, chunk)?;
    reader.go_to_chunk(chunk, first.max(1));
    pass_until(reader, |_, found| found >= time)
}

/// Goes to the first record for which `is_there` returns true; it will be delivered next.
fn pass_until<F: Family>(reader: &mut LocationReader<F>, is_there: impl Fn(u64, u64) -> bool) -> Result<()> {
    loop {
        reader.step()?;
        match reader.reached() {
            Some((number, time)) if !is_there(number, time) => {}
            _ => break,
        }
    }
    reader.stay();
    Ok(())
}

/// Returns the last chunk for which `is_before` returns true, as it must for all chunks before; the
/// first chunk if there is none. A chunk without a valid header counts as not before: reading on to
/// it finds the fault.
fn last_chunk<F: Family>(
    reader: &LocationReader<F>,
    is_before: impl Fn(&LocationReader<F>, u64) -> Result<bool>,
) -> Result<u64> {
    let (mut low, mut high) = (0, reader.window.length()?.div_ceil(reader.chunk_size).max(1));
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match is_before(reader, middle) {
            Ok(true) => low = middle,
            Ok(false) | Err(Error::Format(_)) => high = middle,
            Err(error) => return Err(error),
        }
    }
    Ok(low)
}

/// Returns the corrected time at which a chunk begins; if the chunk does not begin with a time
/// stamp, that of the chunk before.
fn begin<F: Family>(reader: &LocationReader<F>, mut chunk: u64) -> Result<u64> {
    loop {
        match head(reader, chunk)?.time {
            Some(time) => return Ok(reader.globals.clock.correct_first(time)),
            None if chunk == 0 => return Ok(0),
            None => chunk -= 1,
        }
    }
}

/// Returns the number of the first record of a chunk. For the first chunk it is 1, whatever its
/// header contains.
fn first_record<F: Family>(reader: &LocationReader<F>, chunk: u64) -> Result<u64> {
    if chunk == 0 { Ok(1) } else { Ok(head(reader, chunk)?.first_record) }
}

fn head<F: Family>(reader: &LocationReader<F>, chunk: u64) -> Result<Head> {
    let offset = chunk * reader.chunk_size;
    let mut bytes = [0; HEADER_LEN + TIMESTAMP_LEN];
    let mut filled = 0;
    while filled < bytes.len() {
        match reader.window.read_at(offset + filled as u64, &mut bytes[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    parse(&bytes[..filled]).map_err(|problem| Error::format(offset, None, problem))
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
