//! The frame of an event file: its length, its chunk headers and its end, docs/spec/otf2-format.md,
//! "Streams, chunks, control bytes".
//!
//! Invariant: the check reads one chunk header per chunk and two bytes at the end, whatever the
//! size of the file. Damage inside records is left to a reader.

use crate::byte_order::{BIG_TAG, LITTLE_TAG};
use crate::control::{CHUNK_HEADER, END_OF_BUFFER, END_OF_CHUNK, END_OF_FILE, HEADER_LEN};
use crate::error::{Error, Problem, Result};
use crate::storage::Content;
use crate::wire::Cursor;

/// The name of the record in errors.
const HEADER: Option<&str> = Some("chunk header");

/// Checks that an event file has a proper end at `length` bytes, that every chunk begins with a
/// header, and that the headers count from 1 to `events` without a gap. Like readers, the check
/// ignores bytes after the end.
///
/// # Errors
/// [`Error::Io`] if the file cannot be read; [`Error::Format`] with the offset of the first place
/// that differs. Neither names the file.
///
/// ```
/// # fn main() -> kymo_otf2::Result<()> {
/// use kymo_otf2::storage::{Memory, Storage};
/// use kymo_otf2::write::{EventWriter, StoragePieces};
/// use kymo_otf2::{FileName, events::Enter, read, references::RegionRef};
///
/// let storage = Memory::new();
/// storage.create().expect("a new archive");
/// let pieces = StoragePieces::new(&storage, FileName::Events(0), 4096);
/// let mut writer = EventWriter::new(pieces, 1 << 20)?;
/// writer.record(1, &Enter { region: RegionRef(0) })?;
/// let closed = writer.finish()?;
/// let file = storage.open(FileName::Events(0)).expect("a file");
/// read::check_chunks(&*file, 1 << 20, closed.length, 1)?;
/// assert!(read::check_chunks(&*file, 1 << 20, closed.length, 2).is_err());
/// # Ok(())
/// # }
/// ```
pub fn check_chunks(content: &dyn Content, chunk_size: u64, length: u64, events: u64) -> Result<()> {
    let found = content.length().map_err(failed)?;
    if found < length {
        return Err(Error::format(found, None, Problem::Length { expected: length, found }));
    }
    let (mut offset, mut counted) = (0, 0);
    while offset < length {
        counted = check_header(content, offset, counted)?;
        offset = offset.saturating_add(chunk_size);
        if offset < length {
            expect(content, offset - 1, END_OF_CHUNK)?;
        }
    }
    if counted != events {
        let at = offset.saturating_sub(chunk_size);
        return Err(Error::format(at, HEADER, Problem::EventNumber { expected: events, found: counted }));
    }
    expect(content, length.saturating_sub(2), END_OF_FILE)?;
    expect(content, length.saturating_sub(1), END_OF_BUFFER)
}

/// Checks the header of the chunk at this offset and returns the number of its last event. `last`
/// is the number of the last event before the chunk.
fn check_header(content: &dyn Content, offset: u64, last: u64) -> Result<u64> {
    let mut header = [0; HEADER_LEN];
    read(content, offset, &mut header)?;
    let big = match header {
        [CHUNK_HEADER, LITTLE_TAG, ..] => false,
        [CHUNK_HEADER, BIG_TAG, ..] => true,
        [CHUNK_HEADER, tag, ..] => return Err(Error::format(offset + 1, HEADER, Problem::ByteOrder(tag))),
        [other, ..] => return Err(Error::format(offset, HEADER, Problem::ChunkHeader(other))),
    };
    let mut numbers = Cursor::new(&header, 2, big);
    let mut number = || numbers.u64().unwrap_or_default();
    let (first, end) = (number(), number());
    let expected = last.saturating_add(1);
    if first != expected {
        return Err(Error::format(offset, HEADER, Problem::EventNumber { expected, found: first }));
    }
    match end < last {
        true => Err(Error::format(offset, HEADER, Problem::EventNumber { expected, found: end })),
        false => Ok(end),
    }
}

fn expect(content: &dyn Content, offset: u64, mark: u8) -> Result<()> {
    let mut byte = [0];
    read(content, offset, &mut byte)?;
    match byte == [mark] {
        true => Ok(()),
        false => Err(Error::format(offset, None, Problem::MissingMark { expected: mark, found: byte[0] })),
    }
}

/// Fills the buffer or fails.
fn read(content: &dyn Content, offset: u64, buffer: &mut [u8]) -> Result<()> {
    let mut done = 0;
    while done < buffer.len() {
        match content.read_at(offset + done as u64, &mut buffer[done..]).map_err(failed)? {
            0 => return Err(Error::format(offset + done as u64, None, Problem::MissingEnd)),
            count => done += count,
        }
    }
    Ok(())
}

fn failed(source: std::io::Error) -> Error {
    Error::Io { file: None, source }
}

// The files have too many events for Miri.
#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;
    use crate::CHUNK_SIZES;
    use crate::archive::FileName;
    use crate::events::Enter;
    use crate::references::RegionRef;
    use crate::storage::{Memory, Storage};
    use crate::write::{EventWriter, StoragePieces};

    const CHUNK: u64 = *CHUNK_SIZES.start();

    fn file(events: u64) -> Vec<u8> {
        let storage = Memory::new();
        storage.create().unwrap();
        let pieces = StoragePieces::new(&storage, FileName::Events(0), 65536);
        let mut writer = EventWriter::new(pieces, CHUNK).unwrap();
        for time in 0..events {
            writer.record(time, &Enter { region: RegionRef(7) }).unwrap();
        }
        assert_eq!(writer.finish().unwrap().events, events);
        storage.read(FileName::Events(0)).unwrap()
    }

    fn check(bytes: &[u8], length: u64, events: u64) -> Result<()> {
        check_chunks(&bytes.to_vec(), CHUNK, length, events)
    }

    #[test]
    fn a_whole_file_passes() {
        for events in [0, 1, 60_000] {
            let bytes = file(events);
            check(&bytes, bytes.len() as u64, events).unwrap();
        }
    }

    /// Checks every byte of the headers and of the marks.
    #[test]
    fn damage_to_the_frame_is_found() {
        let bytes = file(60_000);
        let length = bytes.len() as u64;
        assert!(length > 2 * CHUNK);
        let header = |start: u64| start..start + HEADER_LEN as u64;
        let places = header(0).chain(header(CHUNK)).chain(header(2 * CHUNK));
        for at in places.chain([CHUNK - 1, 2 * CHUNK - 1, length - 2, length - 1]) {
            let mut damaged = bytes.clone();
            damaged[at as usize] ^= 0x40;
            assert!(check(&damaged, length, 60_000).is_err(), "byte {at}");
        }
    }

    #[test]
    fn wrong_lengths_and_numbers_are_found() {
        let bytes = file(60_000);
        let length = bytes.len() as u64;
        assert!(check(&bytes, length - 1, 60_000).is_err());
        assert!(check(&bytes, length + 1, 60_000).is_err());
        assert!(check(&bytes[..bytes.len() - 1], length, 60_000).is_err());
        assert!(check(&bytes, length, 59_999).is_err());
        assert!(check(&[], 0, 1).is_err());
    }
}
