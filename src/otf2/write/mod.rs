//! Writers. Their files have the same names as those of [`read`](crate::read).
//!
//! A writer takes its memory in pieces from a [`Pieces`]; the ends of pieces are independent of the
//! ends of chunks. Nothing here allocates, except for [`StoragePieces`] and the anchor.
//!
//! This example writes the events of a location with ids of its own, and the local definitions that
//! map them to global ids:
//!
//! ```
//! # fn main() -> kymo_otf2::Result<()> {
//! # use kymo_otf2::{Anchor, storage::{Memory, Storage}, write::anchor::anchor_bytes};
//! # let storage = Memory::new();
//! # storage.create().expect("a new archive");
//! # let bytes = anchor_bytes(&Anchor::default())?;
//! # storage.write_at(kymo_otf2::FileName::Anchor, 0, &bytes).expect("room");
//! use kymo_otf2::attributes::Attribute;
//! use kymo_otf2::definitions::MappingTable;
//! use kymo_otf2::enums::MappingType;
//! use kymo_otf2::events::{Enter, Event};
//! use kymo_otf2::id_map::IdMap;
//! use kymo_otf2::references::{AttributeRef, RegionRef};
//! use kymo_otf2::write::{EventWriter, LocalDefinitionWriter, StoragePieces};
//! use kymo_otf2::{FileName, read::Archive};
//!
//! # let (definition_chunk_size, event_chunk_size) = (4 << 20, 1 << 20);
//! let pieces = StoragePieces::new(&storage, FileName::LocalDefinitions(0), 4096);
//! let mut definitions = LocalDefinitionWriter::new(pieces, definition_chunk_size)?;
//! let id_map = IdMap::from_table(&[12, 10, 11]).expect("a table that changes ids");
//! definitions.record(&MappingTable { mapping_type: MappingType::REGION, id_map })?;
//! definitions.finish()?;
//!
//! let pieces = StoragePieces::new(&storage, FileName::Events(0), 64 << 10);
//! let mut events = EventWriter::new(pieces, event_chunk_size)?;
//! let attributes = [Attribute::new(AttributeRef(0), 2.5)];
//! events.record_with(1000, &attributes, &Enter { region: RegionRef(2) })?;
//! // The times of a location never decrease.
//! assert!(events.record(999, &Enter { region: RegionRef(1) }).is_err());
//! assert_eq!(events.finish()?.events, 1);
//!
//! let archive = Archive::in_storage(std::sync::Arc::new(storage), Default::default())?;
//! let mut events = archive.events(0)?;
//! let event = events.next()?.expect("an event");
//! assert_eq!(event.record, Event::Enter(Enter { region: RegionRef(11) }));
//! # Ok(())
//! # }
//! ```

pub mod anchor;
pub mod definitions;
pub mod events;
pub mod markers;
mod pieces;
mod stream;
pub mod thumbnails;

pub use definitions::{
    DefinitionWriter, GlobalDefinitionWriter, LocalDefinitionWriter, definition_bytes, definition_room,
};
pub use events::{AMEND_ROOM, EventWriter, Mark, SnapshotWriter, TimedWriter};
pub use markers::MarkerWriter;
pub use pieces::StoragePieces;
pub use thumbnails::ThumbnailWriter;

use crate::byte_order::ByteOrder;
use crate::error::Result;
use crate::records::AnyRecord;
use crate::wire::Encoder;
pub use crate::wire::SLACK;

/// Provides a writer with memory, and takes the bytes of the file.
pub trait Pieces {
    /// Returns the current piece, including [`SLACK`]. Its length may change in
    /// [`hand_over`](Self::hand_over) only.
    fn bytes(&mut self) -> &mut [u8];

    /// Sets the number of bytes at the start of the piece, slack included, that
    /// [`view`](Self::view) returns from now on. It never exceeds the length of
    /// [`bytes`](Self::bytes), and is set anew after every [`hand_over`](Self::hand_over).
    fn set_view(&mut self, length: usize);

    /// Returns the part of the piece that the next records may use. Its end is the only bound that
    /// the hot path checks.
    fn view(&mut self) -> &mut [u8];

    /// Takes the first `used` bytes of the piece, which are the file's bytes from `offset` on, and
    /// provides a piece (possibly the same memory) with at least `room` usable bytes. `used` may be
    /// 0 if the piece is too small for `room`; `room` is 0 at the end of the file. After an error
    /// the current piece must be unchanged.
    ///
    /// After a rewind, offsets that were handed over before occur again; the later bytes are the
    /// valid ones.
    fn hand_over(&mut self, offset: u64, used: usize, room: usize) -> Result<()>;

    /// Overwrites bytes of the file that were handed over before.
    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Reports that the first `used` bytes of the piece contain complete records. Called after
    /// every record.
    #[inline]
    fn committed(&mut self, used: usize) {
        let _ = used;
    }

    /// Reports the end of a rewind: the first `used` bytes of the piece are the file's bytes from
    /// `offset` on, and everything after them is discarded. The piece may be replaced by another
    /// one with at least `used` bytes.
    fn rewound(&mut self, offset: u64, used: usize) {
        let _ = (offset, used);
    }
}

/// A finished file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed<P = ()> {
    /// The length of the file in bytes. After a rewind the stored file may be longer and must be
    /// truncated.
    pub length: u64,
    /// The number of events or snapshot records; in definition, marker and thumbnail files the
    /// number of records.
    pub events: u64,
    /// The memory of the writer.
    pub pieces: P,
}

/// Returns the upper bound of a record with its id and length, `U` of the format description
/// (attribute list excepted).
#[inline(always)]
fn record_bound<R: AnyRecord + ?Sized>(record: &R) -> usize {
    let bound = record.bound();
    1 + length_bytes(record.is_singleton(), bound) + bound
}

#[inline(always)]
fn length_bytes(singleton: bool, bound: usize) -> usize {
    match bound {
        _ if singleton => 0,
        0..255 => 1,
        _ => 9,
    }
}

/// Appends id, length and data. The bound determines the form of the length, as in libotf2.
#[inline(always)]
fn put_record<R: AnyRecord + ?Sized, E: ByteOrder>(record: &R, cursor: &mut Encoder<'_, E>) {
    cursor.u8(record.id());
    if record.is_singleton() {
        return record.encode(cursor);
    }
    let bound = record.bound();
    let length = begin_length(bound, cursor);
    record.encode(cursor);
    end_length(bound, length, cursor);
}

/// Like [`put_record`], but for data with a length field and a bound below 255.
#[inline(always)]
fn put_short_record<R: AnyRecord + ?Sized, E: ByteOrder>(record: &R, cursor: &mut Encoder<'_, E>) {
    cursor.u8(record.id());
    let length = begin_length(0, cursor);
    record.encode(cursor);
    end_length(0, length, cursor);
}

/// Reserves room for the length of data with this bound. Returns the offset of the room.
#[inline(always)]
fn begin_length<E: ByteOrder>(bound: usize, cursor: &mut Encoder<'_, E>) -> usize {
    let at = cursor.position();
    cursor.u8(if bound < 255 { 0 } else { 0xFF });
    if bound >= 255 {
        cursor.u64(0);
    }
    at
}

/// Stores the length of the data that follows the room at offset `at`.
#[inline(always)]
fn end_length<E: ByteOrder>(bound: usize, at: usize, cursor: &mut Encoder<'_, E>) {
    let length = cursor.position() - at;
    match bound < 255 {
        true => cursor.patch_u8(at, (length - 1) as u8),
        false => cursor.patch_u64(at + 1, (length - 9) as u64),
    }
}
