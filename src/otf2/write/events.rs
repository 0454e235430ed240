//! Event and snapshot files, docs/spec/otf2-format.md, "Event files" and "Snapshots".
//!
//! An event consists of an optional time stamp, an optional attribute list and the record. The hot
//! path is one comparison and stores; everything else is in the cold path of the chunk stream. Two
//! time stamps never follow each other.

use super::stream::{Stream, StreamPosition};
use super::{Closed, Pieces, begin_length, end_length, length_bytes, put_record, record_bound};
use crate::byte_order::{ByteOrder, NativeEndian};
use crate::control;
use crate::error::{Result, Usage};
use crate::records::attributes::{self, Attribute};
use crate::records::{AnyRecord, EventRecord, SnapshotRecord};
use std::marker::PhantomData;

/// Kinds of records with times.
pub mod kind {
    /// Event files.
    #[derive(Debug, Clone, Copy)]
    pub struct Events;
    /// Snapshot files.
    #[derive(Debug, Clone, Copy)]
    pub struct Snapshots;
}

/// Writes an event file.
pub type EventWriter<P, E = NativeEndian> = TimedWriter<kind::Events, P, E>;

/// Writes a snapshot file. Its `events` are snapshot records. The anchor states the number of
/// snapshots, and every location needs a file. All records of a snapshot have its time and global
/// ids.
///
/// ```
/// # fn main() -> kymo_otf2::Result<()> {
/// # use kymo_otf2::storage::{Memory, Storage};
/// # let storage = Memory::new();
/// # storage.create().expect("a new archive");
/// use kymo_otf2::references::RegionRef;
/// use kymo_otf2::snapshots::{Enter, Snapshot, SnapshotEnd, SnapshotStart};
/// use kymo_otf2::value::Timestamp;
/// use kymo_otf2::write::{SnapshotWriter, StoragePieces, anchor::anchor_bytes};
/// use kymo_otf2::{Anchor, FileName, read::Archive};
///
/// let anchor = Anchor { number_of_snapshots: 1, ..Anchor::default() };
/// let pieces = StoragePieces::new(&storage, FileName::Snapshots(0), 4096);
/// let mut snapshots = SnapshotWriter::new(pieces, anchor.event_chunk_size)?;
/// // At time 500, location 0 is in a region that it entered at time 120.
/// snapshots.record(500, &SnapshotStart { number_of_records: 1 })?;
/// snapshots.record(500, &Enter { orig_event_time: Timestamp(120), region: RegionRef(7) })?;
/// // Its first event at or after time 500 is the eighth one.
/// snapshots.record(500, &SnapshotEnd { cont_read_pos: 8 })?;
/// snapshots.finish()?;
/// storage.write_at(FileName::Anchor, 0, &anchor_bytes(&anchor)?).expect("room");
///
/// let archive = Archive::in_storage(std::sync::Arc::new(storage), Default::default())?;
/// let mut snapshots = archive.snapshots(0)?;
/// assert_eq!(snapshots.seek_snapshot(600)?, Some(500));
/// let start = snapshots.next()?.expect("a snapshot");
/// assert_eq!(start.record, Snapshot::SnapshotStart(SnapshotStart { number_of_records: 1 }));
/// # Ok(())
/// # }
/// ```
pub type SnapshotWriter<P, E = NativeEndian> = TimedWriter<kind::Snapshots, P, E>;

/// Writes records with times: [`EventWriter`] or [`SnapshotWriter`].
#[derive(Debug)]
pub struct TimedWriter<K, P, E = NativeEndian> {
    stream: Stream<P, E>,
    last_time: u64,
    events: u64,
    kind: PhantomData<K>,
}

/// A position in an event file to which its writer can go back.
///
/// ```
/// # fn main() -> kymo_otf2::Result<()> {
/// # use kymo_otf2::storage::{Memory, Storage};
/// # let storage = Memory::new();
/// # storage.create().expect("a new archive");
/// use kymo_otf2::events::{Enter, Leave};
/// use kymo_otf2::write::{EventWriter, StoragePieces};
/// use kymo_otf2::{FileName, references::RegionRef};
///
/// let region = RegionRef(0);
/// let pieces = StoragePieces::new(&storage, FileName::Events(0), 4096);
/// let mut events = EventWriter::new(pieces, 1 << 20)?;
/// events.record(1, &Enter { region })?;
/// let mark = events.mark();
/// events.record(5, &Leave { region })?;
/// events.rewind(&mark)?;
/// events.record(3, &Leave { region })?;
/// assert_eq!(events.finish()?.events, 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    position: StreamPosition,
    last_time: u64,
    events: u64,
}

impl Mark {
    /// Returns the offset in the file.
    pub fn offset(&self) -> u64 {
        self.position.offset
    }

    /// Rebuilds a mark from its parts. Rewinding to a mark that no writer created makes the file
    /// unreadable.
    pub fn from_parts(offset: u64, chunk_start: u64, last_time: u64, events: u64) -> Self {
        Mark { position: StreamPosition { offset, chunk_start }, last_time, events }
    }

    /// Returns the offset of the chunk that contains the mark.
    pub fn chunk_start(&self) -> u64 {
        self.position.chunk_start
    }

    /// Returns the number of events before the mark.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Returns the time of the last event before the mark.
    pub fn last_time(&self) -> u64 {
        self.last_time
    }
}

impl<K, P: Pieces> TimedWriter<K, P> {
    /// Starts a file in the byte order of this machine. The first piece may be empty: the writer
    /// then requests memory for its first bytes as for all others.
    pub fn new(pieces: P, chunk_size: u64) -> Result<Self> {
        Self::in_byte_order(pieces, chunk_size)
    }
}

impl<K, P: Pieces, E: ByteOrder> TimedWriter<K, P, E> {
    /// Starts a file in byte order `E`.
    pub fn in_byte_order(pieces: P, chunk_size: u64) -> Result<Self> {
        let stream = Stream::new(pieces, chunk_size)?;
        Ok(TimedWriter { stream, last_time: 0, events: 0, kind: PhantomData })
    }

    /// Returns the number of records written so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Returns the time of the last record, or 0 before the first.
    pub fn last_time(&self) -> u64 {
        self.last_time
    }

    /// Returns the memory.
    pub fn pieces(&self) -> &P {
        &self.stream.pieces
    }

    /// Returns the memory, mutably.
    pub fn pieces_mut(&mut self) -> &mut P {
        &mut self.stream.pieces
    }

    /// Returns the current position.
    pub fn mark(&self) -> Mark {
        Mark { position: self.stream.position(), last_time: self.last_time, events: self.events }
    }

    /// Goes back to a mark, as if nothing had been written since. If the mark is in a piece that
    /// was handed over, or in an earlier chunk, writing continues at its offset with an empty
    /// piece.
    pub fn rewind(&mut self, mark: &Mark) -> Result<()> {
        if !self.stream.can_go_to(mark.position) || mark.events > self.events {
            return Err(Usage::Mark.into());
        }
        self.stream.go_to(mark.position);
        self.last_time = mark.last_time;
        self.events = mark.events;
        Ok(())
    }

    /// Opens a chunk that begins with this time, as libotf2 does for an event that no chunk can
    /// contain.
    pub fn open_chunk(&mut self, time: u64) -> Result<()> {
        let last = self.last_time;
        if time < last {
            return Err(Usage::TimeGoesBack { time, last }.into());
        }
        self.stream.next_chunk(self.events, Some(time))?;
        self.last_time = time;
        Ok(())
    }

    /// Ends the file and hands over the rest of its bytes. The caller must truncate the file to the
    /// returned length. Nothing can be written afterwards. After an error the call can be repeated.
    pub fn finish(&mut self) -> Result<Closed> {
        self.stream.finish(self.events)
    }

    /// Ends the file like [`finish`](Self::finish), and returns the memory.
    pub fn close(mut self) -> Result<Closed<P>> {
        let Closed { length, events, .. } = self.finish()?;
        Ok(Closed { length, events, pieces: self.stream.pieces })
    }

    /// Hands over the current piece as far as it is filled, because no records will follow for a
    /// while. The next record requests another piece.
    pub fn pause(&mut self) -> Result<()> {
        self.stream.pause()
    }

    /// Returns the memory without ending the file.
    pub fn into_pieces(self) -> P {
        self.stream.pieces
    }

    /// Writes a record. The cold path handles a repeated time of zero. There are two comparisons,
    /// because a three-way branch costs five more instructions.
    #[inline(always)]
    fn put<R: AnyRecord>(&mut self, time: u64, list: &[Attribute], record: &R) -> Result<()> {
        let need = record_bound(record) + list_bound(list) + control::TIMESTAMP_LEN;
        let is_later = time > self.last_time;
        let is_same = time == self.last_time && time > 0;
        if !(is_later || is_same) || !self.stream.fits(need) {
            return self.put_after_preparing(time, list, record);
        }
        match is_later {
            true => self.put_here(time, true, list, record, need),
            false => self.put_here(time, false, list, record, need),
        }
        Ok(())
    }

    // Contains the whole record path a second time, so that the hot path keeps no registers alive
    // across a call.
    #[cold]
    #[inline(never)]
    fn put_after_preparing<R: AnyRecord>(&mut self, time: u64, list: &[Attribute], record: &R) -> Result<()> {
        let need = record_bound(record) + list_bound(list) + control::TIMESTAMP_LEN;
        let stamp = self.prepare(time, need)?;
        self.put_here(time, stamp, list, record, need);
        Ok(())
    }

    #[inline(always)]
    fn put_here<R: AnyRecord>(
        &mut self,
        time: u64,
        stamp: bool,
        list: &[Attribute],
        record: &R,
        need: usize,
    ) {
        let start = self.stream.start();
        let mut cursor = self.stream.cursor(need);
        if stamp {
            cursor.u8(control::TIMESTAMP);
            cursor.u64(time);
        }
        if !list.is_empty() {
            cursor.u8(control::ATTRIBUTE_LIST);
            let bound = attributes::bound(list.len() as u64) as usize;
            let length = begin_length(bound, &mut cursor);
            attributes::put(list, &mut cursor);
            end_length(bound, length, &mut cursor);
        }
        put_record(record, &mut cursor);
        let length = cursor.position();
        self.wrote(time, start + length);
    }

    /// Commits a record that ends at `end` in the piece.
    #[inline(always)]
    fn wrote(&mut self, time: u64, end: usize) {
        self.stream.used = end;
        self.last_time = time;
        self.events += 1;
        self.stream.pieces.committed(self.stream.used);
    }

    /// Makes room for a record. Returns whether the record requires a time stamp.
    #[cold]
    #[inline(never)]
    fn prepare(&mut self, time: u64, need: usize) -> Result<bool> {
        let last = self.last_time;
        if time < last {
            return Err(Usage::TimeGoesBack { time, last }.into());
        }
        let opened = self.stream.make_room(need, self.events, Some(time))?;
        Ok(!opened && (time > last || time == 0))
    }
}

#[inline(always)]
fn list_bound(list: &[Attribute]) -> usize {
    if list.is_empty() {
        return 0;
    }
    let bound = attributes::bound(list.len() as u64) as usize;
    1 + length_bytes(false, bound) + bound
}

/// The maximum size in bytes of the events after one that [`EventWriter::amend`] changes.
pub const AMEND_ROOM: usize = 512;

impl<P: Pieces, E: ByteOrder> TimedWriter<kind::Events, P, E> {
    /// Writes an event to which [`amend`](Self::amend) can add attributes as long as at most
    /// [`AMEND_ROOM`] bytes follow it, including the attributes. Piece and chunk have that room.
    /// Returns the marks before and after the event.
    pub fn record_amendable<R: EventRecord>(&mut self, time: u64, record: &R) -> Result<(Mark, Mark)> {
        let need = record_bound(record) + control::TIMESTAMP_LEN + AMEND_ROOM;
        let stamp = self.prepare(time, need)?;
        // A new chunk starts with the time stamp.
        let last_time = if stamp { self.last_time } else { time };
        let begin = Mark { last_time, ..self.mark() };
        self.put_here(time, stamp, &[], record, need);
        Ok((begin, self.mark()))
    }

    /// Rewrites the event between two marks with attributes, and keeps the events after it. Returns
    /// the mark after the event. Returns `None`, and changes nothing, if these events are not in
    /// one piece with enough room.
    pub fn amend<R: EventRecord>(
        &mut self,
        begin: &Mark,
        end: &Mark,
        time: u64,
        attributes: &[Attribute],
        record: &R,
    ) -> Result<Option<Mark>> {
        let mut copy = [0; AMEND_ROOM];
        let need = record_bound(record) + list_bound(attributes) + control::TIMESTAMP_LEN;
        let Some(tail) =
            self.stream.tail(begin.position, end.position).filter(|tail| tail.len() <= AMEND_ROOM)
        else {
            return Ok(None);
        };
        let tail_length = tail.len();
        copy[..tail_length].copy_from_slice(tail);
        if !self.stream.fits(need) || time == 0 {
            return Ok(None);
        }
        let (last_time, events) = (self.last_time, self.events);
        self.rewind(begin)?;
        self.put_here(time, time > begin.last_time, attributes, record, need);
        let end = self.mark();
        self.stream.append(&copy[..tail_length]);
        (self.last_time, self.events) = (last_time, events);
        self.stream.pieces.committed(self.stream.used);
        Ok(Some(end))
    }

    /// Writes an event. Its time must not be earlier than the last one. After an error nothing was
    /// written.
    #[inline]
    pub fn record<R: EventRecord>(&mut self, time: u64, record: &R) -> Result<()> {
        self.put(time, &[], record)
    }

    /// Makes room for an event that [`record_with`](Self::record_with) writes next. A chunk that
    /// this opens begins with the time of the event. Returns whether it opened one.
    pub fn make_room<R: EventRecord>(
        &mut self,
        time: u64,
        attributes: &[Attribute],
        record: &R,
    ) -> Result<bool> {
        let need = record_bound(record) + list_bound(attributes) + control::TIMESTAMP_LEN;
        let last = self.last_time;
        if time < last {
            return Err(Usage::TimeGoesBack { time, last }.into());
        }
        if self.stream.fits(need) {
            return Ok(false);
        }
        let opened = self.stream.make_room(need, self.events, Some(time))?;
        if opened {
            self.last_time = time;
        }
        Ok(opened)
    }

    /// Writes an event in the common case that it is later than the last one and fits into the
    /// piece. Otherwise it does nothing and returns `false`; [`record`](Self::record) then writes
    /// the event or returns the reason why it cannot.
    #[inline(always)]
    pub fn record_in_piece<R: EventRecord>(&mut self, time: u64, record: &R) -> bool {
        let need = record_bound(record) + control::TIMESTAMP_LEN;
        if time <= self.last_time {
            return false;
        }
        let start = self.stream.start();
        let Some(mut cursor) = self.stream.try_cursor(need) else { return false };
        cursor.u8(control::TIMESTAMP);
        cursor.u64(time);
        put_record(record, &mut cursor);
        let length = cursor.position();
        self.wrote(time, start + length);
        true
    }

    /// Like [`record_in_piece`](Self::record_in_piece), for an event at the time of the last one.
    #[inline(always)]
    pub fn record_in_piece_again<R: EventRecord>(&mut self, time: u64, record: &R) -> bool {
        let need = record_bound(record) + control::TIMESTAMP_LEN;
        if time != self.last_time || time == 0 {
            return false;
        }
        let start = self.stream.start();
        let Some(mut cursor) = self.stream.try_cursor(need) else { return false };
        put_record(record, &mut cursor);
        let length = cursor.position();
        self.wrote(time, start + length);
        true
    }

    /// Writes an event with attributes, none of which may occur twice.
    #[inline]
    pub fn record_with<R: EventRecord>(
        &mut self,
        time: u64,
        attributes: &[Attribute],
        record: &R,
    ) -> Result<()> {
        self.put(time, attributes, record)
    }
}

impl<P: Pieces, E: ByteOrder> TimedWriter<kind::Snapshots, P, E> {
    /// Writes a snapshot record; `time` is that of the snapshot.
    #[inline]
    pub fn record<R: SnapshotRecord>(&mut self, time: u64, record: &R) -> Result<()> {
        self.put(time, &[], record)
    }

    /// Writes a snapshot record with attributes.
    #[inline]
    pub fn record_with<R: SnapshotRecord>(
        &mut self,
        time: u64,
        attributes: &[Attribute],
        record: &R,
    ) -> Result<()> {
        self.put(time, attributes, record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CHUNK_SIZES;
    use crate::archive::FileName;
    use crate::events::Enter;
    use crate::references::RegionRef;
    use crate::storage::{Memory, Storage};
    use crate::write::StoragePieces;
    use std::sync::{Arc, Mutex};

    /// A storage that keeps only the bytes written from an offset on.
    #[derive(Debug)]
    struct FromOffset {
        offset: u64,
        memory: Memory,
        passed: Mutex<Vec<(u64, Vec<u8>)>>,
    }

    impl Storage for FromOffset {
        fn create(&self) -> std::io::Result<()> {
            self.memory.create()
        }

        fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> std::io::Result<()> {
            match offset.checked_sub(self.offset) {
                Some(offset) => self.memory.write_at(file, offset, bytes),
                None => {
                    self.passed.lock().unwrap().push((offset, bytes.to_vec()));
                    Ok(())
                }
            }
        }

        fn set_len(&self, _: FileName, _: u64) -> std::io::Result<()> {
            Ok(())
        }

        fn open(&self, file: FileName) -> std::io::Result<Box<dyn crate::storage::Content>> {
            self.memory.open(file)
        }
    }

    /// Returns the file of a writer that starts after this number of chunks and events.
    fn shifted(chunks: u64, before: u64) -> (Vec<u8>, Closed) {
        let chunk = *CHUNK_SIZES.start();
        let offset = chunks * chunk;
        let storage = Arc::new(FromOffset { offset, memory: Memory::new(), passed: Mutex::default() });
        storage.create().unwrap();
        let pieces = StoragePieces::new(Arc::clone(&storage), FileName::Events(0), 5000);
        let mut writer = EventWriter::new(pieces, chunk).unwrap();
        writer.stream.shift(offset, before);
        writer.events = before;
        for time in 1..60_000 {
            writer.record(time, &Enter { region: RegionRef(time as u32) }).unwrap();
        }
        let closed = writer.finish().unwrap();
        assert_eq!(*storage.passed.lock().unwrap(), []);
        (storage.read(FileName::Events(0)).unwrap(), closed)
    }

    /// Offsets and event numbers may need more than 32 bits. The bytes are those of a file's
    /// beginning, except for the numbers in the chunk headers.
    #[test]
    #[cfg_attr(miri, ignore = "too many events for Miri")]
    fn files_can_exceed_32_bit_offsets_and_event_numbers() {
        let (chunks, before) = ((5 << 32) / *CHUNK_SIZES.start(), (7 << 32) - 100);
        let (near, near_closed) = shifted(0, 0);
        let (mut far, far_closed) = shifted(chunks, before);
        assert_eq!(far_closed.length, near_closed.length + chunks * CHUNK_SIZES.start());
        assert_eq!((near_closed.events, far_closed.events), (59_999, before + 59_999));
        assert_eq!(far.len(), near.len());
        assert!(far.len() as u64 > 2 * CHUNK_SIZES.start());
        for start in (0..far.len()).step_by(*CHUNK_SIZES.start() as usize) {
            for at in [start + 2, start + 10] {
                let number = u64::from_ne_bytes(*far[at..].first_chunk().unwrap());
                far[at..at + 8].copy_from_slice(&(number - before).to_ne_bytes());
            }
        }
        assert!(far == near);
    }
}
