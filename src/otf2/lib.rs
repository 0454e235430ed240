//! The OTF2 trace format: records, primitives, chunk streams, archive layout and storage.
//!
//! Covers archives of OTF2 1.x to 3.x as written by libotf2 3.x. Every record stands once, in the tables of
//! [`records`]; [`write`](mod@write) and [`read`](mod@read) are twins with equal file names; [`archive`] names the files, [`storage`] is
//! where they lie. The crate starts no threads, knows nothing of the measurement that fills an archive, and turns bad input into an
//! [`Error`], never into a panic.
//!
//! An archive is an anchor file, global definitions, and for each location (a thread, say) its events, if need be with local
//! definitions that say which global ids are meant. This writes a small one, here into memory, and reads it:
//!
//! ```
//! # fn main() -> kymo_otf2::Result<()> {
//! use kymo_otf2::definitions::{Location, Region, String};
//! use kymo_otf2::enums::LocationType;
//! use kymo_otf2::events::{Enter, Event, Leave};
//! use kymo_otf2::read::{Archive, Options};
//! use kymo_otf2::references::{LocationGroupRef, LocationRef, RegionRef, StringRef};
//! use kymo_otf2::storage::{Memory, Storage};
//! use kymo_otf2::write::{EventWriter, GlobalDefinitionWriter, StoragePieces, anchor};
//! use kymo_otf2::{Anchor, FileName};
//! use std::sync::Arc;
//!
//! let storage = Memory::new();
//! storage.create().expect("a new archive");
//! let anchor = Anchor { number_of_locations: 1, number_of_global_definitions: 3, ..Anchor::default() };
//!
//! let pieces = StoragePieces::new(&storage, FileName::GlobalDefinitions, 4096);
//! let mut definitions = GlobalDefinitionWriter::new(pieces, anchor.definition_chunk_size)?;
//! definitions.record(&String { id: StringRef(0), string: "main".into() })?;
//! definitions.record(&Region::function(RegionRef(7), StringRef(0)))?;
//! definitions.record(&Location {
//!     id: LocationRef(3),
//!     name: StringRef(0),
//!     location_type: LocationType::CPU_THREAD,
//!     number_of_events: 2,
//!     location_group: LocationGroupRef::UNDEFINED,
//! })?;
//! definitions.finish()?;
//!
//! let pieces = StoragePieces::new(&storage, FileName::Events(3), 4096);
//! let mut events = EventWriter::new(pieces, anchor.event_chunk_size)?;
//! events.record(100, &Enter { region: RegionRef(7) })?;
//! events.record(250, &Leave { region: RegionRef(7) })?;
//! events.finish()?;
//!
//! // The anchor comes last: with it the archive is complete.
//! storage.write_at(FileName::Anchor, 0, &anchor::anchor_bytes(&anchor)?).expect("room");
//!
//! let archive = Archive::in_storage(Arc::new(storage), Options::default())?;
//! let mut found = Vec::new();
//! let mut all = archive.events_in_order(&archive.locations()?)?;
//! while let Some((location, event)) = all.next()? {
//!     if let Event::Enter(Enter { region }) = event.record {
//!         found.push((location, event.time, region));
//!     }
//! }
//! assert_eq!(found, [(3, 100, RegionRef(7))]);
//! # Ok(())
//! # }
//! ```
//!
//! Archives on disk: [`Archive::open`](read::Archive::open) reads them, a [`storage::Directory`] is where they are written to.

#![forbid(unsafe_code)]

pub mod anchor;
pub mod archive;
pub mod byte_order;
mod copy;
pub mod error;
pub mod hash;
pub mod read;
pub mod records;
pub mod storage;
pub mod write;

pub use anchor::Anchor;
pub use archive::FileName;
pub use byte_order::{BigEndian, ByteOrder, LittleEndian, NativeEndian};
pub use copy::copy;
pub use error::{Error, Problem, Result, Usage};
pub use records::{
    attributes, definitions, enums, events, field, flags, id_map, list, mappings, markers, references,
    snapshots, text, thumbnails, value,
};
pub use storage::Storage;

/// Trace format number of the archives this crate writes; readers of the format refuse larger ones.
pub const TRACE_FORMAT: u8 = 2;
/// Smallest and largest chunk size in bytes that readers of the format accept.
pub const CHUNK_SIZES: std::ops::RangeInclusive<u64> = 256 * 1024..=16 * 1024 * 1024;
/// Chunk size of thumbnail files in bytes.
pub const THUMBNAIL_CHUNK_SIZE: u64 = 1024 * 1024;

/// Control bytes, OTF2 format, section "Chunks": they share the id space of the records of every file.
pub(crate) mod control {
    pub(crate) const END_OF_CHUNK: u8 = 0;
    pub(crate) const END_OF_BUFFER: u8 = 1;
    pub(crate) const END_OF_FILE: u8 = 2;
    pub(crate) const CHUNK_HEADER: u8 = 3;
    pub(crate) const TIMESTAMP: u8 = 5;
    pub(crate) const ATTRIBUTE_LIST: u8 = 6;
    /// Bytes of a chunk header: id, byte order, number of the first and of the last event.
    pub(crate) const HEADER_LEN: usize = 18;
    /// Offset of the last event number in a chunk header.
    pub(crate) const LAST_EVENT: u64 = 10;
    /// Bytes of a time stamp record.
    pub(crate) const TIMESTAMP_LEN: usize = 9;
}
