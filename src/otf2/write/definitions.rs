//! Definition files, docs/spec/otf2-format.md, "Definition files", and single definition records in
//! memory.
//!
//! A definition log is a sequence of records (id, length, data) without chunks, in the byte order
//! of this machine. [`definition_bytes`] encodes one record of it without allocation,
//! [`read::log`](crate::read::log) reads the log.

use super::stream::Stream;
use super::{Closed, Pieces, SLACK, put_record, put_short_record, record_bound};
use crate::byte_order::{ByteOrder, NativeEndian};
use crate::error::{Result, Usage};
use crate::records::{AnyRecord, GlobalDefinitionRecord, LocalDefinitionRecord};
use crate::wire::Encoder;
use std::marker::PhantomData;

/// Kinds of records without times.
pub mod kind {
    /// Global definition files.
    #[derive(Debug, Clone, Copy)]
    pub struct Global;
    /// Local definition files.
    #[derive(Debug, Clone, Copy)]
    pub struct Local;
    /// Marker files.
    #[derive(Debug, Clone, Copy)]
    pub struct Markers;
    /// Thumbnail files.
    #[derive(Debug, Clone, Copy)]
    pub struct Thumbnails;
}

/// Writes a global definition file. The number of its records must be stored in the anchor.
pub type GlobalDefinitionWriter<P, E = NativeEndian> = DefinitionWriter<kind::Global, P, E>;

/// Writes a local definition file.
pub type LocalDefinitionWriter<P, E = NativeEndian> = DefinitionWriter<kind::Local, P, E>;

/// Writes records without times: [`GlobalDefinitionWriter`], [`LocalDefinitionWriter`],
/// [`MarkerWriter`](super::MarkerWriter).
#[derive(Debug)]
pub struct DefinitionWriter<K, P, E = NativeEndian> {
    stream: Stream<P, E>,
    records: u64,
    kind: PhantomData<K>,
}

impl<K, P: Pieces> DefinitionWriter<K, P> {
    /// Starts a file in the byte order of this machine.
    pub fn new(pieces: P, chunk_size: u64) -> Result<Self> {
        Self::in_byte_order(pieces, chunk_size)
    }
}

impl<K, P: Pieces, E: ByteOrder> DefinitionWriter<K, P, E> {
    /// Starts a file in byte order `E`.
    pub fn in_byte_order(pieces: P, chunk_size: u64) -> Result<Self> {
        Ok(DefinitionWriter { stream: Stream::new(pieces, chunk_size)?, records: 0, kind: PhantomData })
    }

    /// Returns the number of records written so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Returns the memory.
    pub fn pieces(&self) -> &P {
        &self.stream.pieces
    }

    /// Returns the memory, mutably.
    pub fn pieces_mut(&mut self) -> &mut P {
        &mut self.stream.pieces
    }

    /// Opens a chunk, as libotf2 does for a record that no chunk can contain.
    pub fn open_chunk(&mut self) -> Result<()> {
        self.stream.next_chunk(0, None)
    }

    /// Ends the file and hands over the rest of its bytes. Nothing can be written afterwards. After
    /// an error the call can be repeated.
    pub fn finish(&mut self) -> Result<Closed> {
        let closed = self.stream.finish(0)?;
        Ok(Closed { events: self.records, ..closed })
    }

    /// Ends the file like [`finish`](Self::finish), and returns the memory.
    pub fn close(mut self) -> Result<Closed<P>> {
        let Closed { length, events, .. } = self.finish()?;
        Ok(Closed { length, events, pieces: self.stream.pieces })
    }

    #[inline(always)]
    pub(super) fn put<R: AnyRecord + ?Sized>(&mut self, record: &R) -> Result<()> {
        let start = self.stream.start();
        match short_room(record).and_then(|room| self.stream.try_cursor(room)) {
            // The bound is no larger than this room, so the rule of the bound is satisfied as well.
            Some(mut cursor) => {
                put_short_record(record, &mut cursor);
                let length = cursor.position();
                self.wrote(start + length);
                Ok(())
            }
            None => self.put_bounded(record),
        }
    }

    /// Writes a record by its bound, which takes longer to compute than [`short_room`].
    #[inline(never)]
    fn put_bounded<R: AnyRecord + ?Sized>(&mut self, record: &R) -> Result<()> {
        let need = record_bound(record);
        if !self.stream.fits(need) {
            self.stream.make_room(need, 0, None)?;
        }
        let start = self.stream.start();
        let mut cursor = self.stream.cursor(need);
        put_record(record, &mut cursor);
        let length = cursor.position();
        self.wrote(start + length);
        Ok(())
    }

    /// Commits a record that ends at `end` in the piece.
    #[inline(always)]
    fn wrote(&mut self, end: usize) {
        self.stream.used = end;
        self.records += 1;
        self.stream.pieces.committed(self.stream.used);
    }
}

impl<P: Pieces, E: ByteOrder> DefinitionWriter<kind::Global, P, E> {
    /// Writes a definition. After an error nothing was written.
    pub fn record<R: GlobalDefinitionRecord>(&mut self, record: &R) -> Result<()> {
        self.put(record)
    }
}

impl<P: Pieces, E: ByteOrder> DefinitionWriter<kind::Local, P, E> {
    /// Writes a definition. After an error nothing was written.
    pub fn record<R: LocalDefinitionRecord>(&mut self, record: &R) -> Result<()> {
        self.put(record)
    }
}

/// Returns the maximum number of bytes of id, length and data, if the record's type ensures that
/// the length takes one byte, whatever the values.
#[inline(always)]
fn short_room<R: AnyRecord + ?Sized>(record: &R) -> Option<usize> {
    let width = record.width();
    (width < 255 && !record.is_singleton()).then_some(width + 2)
}

/// Returns the number of bytes that [`definition_bytes`] requires for a record: at least its upper
/// bound plus [`SLACK`].
pub fn definition_room<R: AnyRecord>(record: &R) -> usize {
    short_room(record).unwrap_or_else(|| record_bound(record)) + SLACK
}

/// Writes id, length and data to the start of `out`, in the byte order of this machine, and returns
/// their total size in bytes. Up to [`SLACK`] bytes after them are overwritten with garbage.
pub fn definition_bytes<R: AnyRecord>(record: &R, out: &mut [u8]) -> Result<usize, Usage> {
    let short = short_room(record);
    let need = short.unwrap_or_else(|| record_bound(record)) + SLACK;
    if out.len() < need {
        return Err(Usage::BufferTooSmall { need });
    }
    let mut cursor = Encoder::<NativeEndian>::new(out, 0);
    match short {
        Some(_) => put_short_record(record, &mut cursor),
        None => put_record(record, &mut cursor),
    }
    Ok(cursor.position())
}
