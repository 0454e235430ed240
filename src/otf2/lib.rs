//! The OTF2 trace format: records, primitives, chunk streams, archive layout and storage.
//!
//! Covers archives of OTF2 1.x to 3.x as libotf2 3.x writes them. Every record is defined once, in
//! the tables of [`records`]. [`write`](mod@write) and [`read`](mod@read) mirror each other, with
//! equal file names. [`archive`] names the files, [`storage`] is where they are stored. The crate
//! starts no threads, does not depend on the measurement that fills an archive, and turns bad input
//! into an [`Error`], never into a panic.
//!
//! An archive consists of an anchor file, global definitions, and one event file per location (a
//! thread, for example). A location can have local definitions that map its ids to global ones.
//! This example writes a small archive, here into memory, and reads it back:
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
//! let anchor = Anchor {
//!     number_of_locations: 1,
//!     number_of_global_definitions: 3,
//!     ..Anchor::default()
//! };
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
//! // The anchor is written last: it marks the archive as complete.
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
//! To read an archive from disk, use [`Archive::open`](read::Archive::open); to write one to disk,
//! use a [`storage::Directory`].

#![forbid(unsafe_code)]

pub mod anchor;
pub mod archive;
pub mod byte_order;
mod copy;
pub mod error;
pub mod estimate;
pub mod hash;
pub mod read;
pub mod records;
pub mod storage;
pub mod wire;
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

/// The trace format number of the archives that this crate writes. Readers of the format refuse
/// larger numbers.
pub const TRACE_FORMAT: u8 = 2;
/// The chunk sizes, in bytes, that readers of the format accept.
pub const CHUNK_SIZES: std::ops::RangeInclusive<u64> = 256 * 1024..=16 * 1024 * 1024;
/// The chunk size of thumbnail files, in bytes.
pub const THUMBNAIL_CHUNK_SIZE: u64 = 1024 * 1024;

/// Control bytes, docs/spec/otf2-format.md, "Streams, chunks, control bytes". They share the id
/// space of the records of every file.
pub(crate) mod control {
    pub(crate) const END_OF_CHUNK: u8 = 0;
    pub(crate) const END_OF_BUFFER: u8 = 1;
    pub(crate) const END_OF_FILE: u8 = 2;
    pub(crate) const CHUNK_HEADER: u8 = 3;
    pub(crate) const TIMESTAMP: u8 = 5;
    pub(crate) const ATTRIBUTE_LIST: u8 = 6;
    /// The length of a chunk header: id, byte order, number of the first and of the last event.
    pub(crate) const HEADER_LEN: usize = 18;
    /// The offset of the last event number in a chunk header.
    pub(crate) const LAST_EVENT: u64 = 10;
    /// The length of a time stamp record.
    pub(crate) const TIMESTAMP_LEN: usize = 9;
}

/// The example of the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
