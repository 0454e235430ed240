//! Writers. Their files are named as those of [`read`](crate::read).
//!
//! A writer gets its memory in pieces from a [`Pieces`]; piece ends have nothing to do with chunk ends. Nothing here
//! allocates, except for [`StoragePieces`] and the anchor.
//!
//! The events of a location with ids of its own, and the local definitions that say which global ids are meant:
//!
//! ```
//! # fn main() -> kymo_otf2::Result<()> {
//! # use kymo_otf2::{Anchor, storage::{Memory, Storage}, write::anchor::anchor_bytes};
//! # let storage = Memory::new();
//! # storage.create().expect("a new archive");
//! # storage.write_at(kymo_otf2::FileName::Anchor, 0, &anchor_bytes(&Anchor::default())?).expect("room");
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
//! // Times of a location do not run backwards.
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
pub mod cursor;
pub mod definitions;
pub mod events;
pub mod markers;
mod pieces;
mod stream;
pub mod thumbnails;

pub use cursor::Cursor;
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

/// Bytes at the end of every piece that a writer may overwrite with garbage but does not use.
pub const SLACK: usize = 16;

/// Where a writer gets its memory, and where the file's bytes go.
pub trait Pieces {
    /// The current piece, [`SLACK`] included. The length may change in [`hand_over`](Self::hand_over) only.
    fn bytes(&mut self) -> &mut [u8];

    /// Says how many bytes at the start of the piece, slack included, [`view`](Self::view) gives from now on. Never more than
    /// [`bytes`](Self::bytes) has; called anew after every [`hand_over`](Self::hand_over).
    fn set_view(&mut self, length: usize);

    /// The part of the piece that the next records may go to. Its end is the one bound that the hot path compares with.
    fn view(&mut self) -> &mut [u8];

    /// The first `used` bytes of the piece are the file's bytes from `offset` on. Takes them and provides a piece (which
    /// may be the same memory) with at least `room` usable bytes. `used` may be 0 if the piece is too small for
    /// `room`; `room` is 0 at the end of the file. After an error the current piece must be as it was.
    ///
    /// After a rewind offsets that were handed over before come again; the later bytes are the valid ones.
    fn hand_over(&mut self, offset: u64, used: usize, room: usize) -> Result<()>;

    /// Overwrites bytes of the file that were handed over before.
    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// The first `used` bytes of the piece hold complete records. Called after every record.
    #[inline]
    fn committed(&mut self, used: usize) {
        let _ = used;
    }

    /// A rewind ended: the first `used` bytes of the piece are the file's bytes from `offset` on, everything behind them
    /// is gone. The piece may become another one, with at least `used` bytes.
    fn rewound(&mut self, offset: u64, used: usize) {
        let _ = (offset, used);
    }
}

/// A file that was written to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed<P = ()> {
    /// Length of the file in bytes. After a rewind the file may be longer: truncate it.
    pub length: u64,
    /// Number of events or snapshot records; definition, marker and thumbnail files: of records.
    pub events: u64,
    /// Where the memory came from.
    pub pieces: P,
}

/// Upper bound of a record with its id and length, `U` of the format description (attribute list excepted).
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

/// Appends id, length and data. The bound decides on the form of the length, as libotf2 does.
#[inline(always)]
fn put_record<R: AnyRecord + ?Sized, E: ByteOrder>(record: &R, cursor: &mut Cursor<'_, E>) {
    cursor.u8(record.id());
    if record.is_singleton() {
        return record.encode(cursor);
    }
    let bound = record.bound();
    let length = begin_length(bound, cursor);
    record.encode(cursor);
    end_length(bound, length, cursor);
}

/// The same for data with a length and a bound below 255.
#[inline(always)]
fn put_short_record<R: AnyRecord + ?Sized, E: ByteOrder>(record: &R, cursor: &mut Cursor<'_, E>) {
    cursor.u8(record.id());
    let length = begin_length(0, cursor);
    record.encode(cursor);
    end_length(0, length, cursor);
}

/// Leaves room for the length of data of this bound; returns its offset.
#[inline(always)]
fn begin_length<E: ByteOrder>(bound: usize, cursor: &mut Cursor<'_, E>) -> usize {
    let at = cursor.position();
    cursor.u8(if bound < 255 { 0 } else { 0xFF });
    if bound >= 255 {
        cursor.u64(0);
    }
    at
}

/// Puts the length of the data behind the room at offset `at`.
#[inline(always)]
fn end_length<E: ByteOrder>(bound: usize, at: usize, cursor: &mut Cursor<'_, E>) {
    let length = cursor.position() - at;
    match bound < 255 {
        true => cursor.patch_u8(at, (length - 1) as u8),
        false => cursor.patch_u64(at + 1, (length - 9) as u64),
    }
}
