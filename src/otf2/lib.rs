//! The OTF2 trace format: records, primitives, chunk streams, archive layout and storage.
//!
//! Covers archives of OTF2 1.x to 3.x as written by libotf2 3.x. Every record stands once, in the tables of
//! [`records`]; [`write`](mod@write) and [`read`](mod@read) are twins with equal file names. The crate starts no threads, knows nothing
//! of the measurement that fills an archive, and turns bad input into an [`Error`], never into a panic.

#![forbid(unsafe_code)]

pub mod anchor;
pub mod archive;
pub mod byte_order;
mod copy;
pub mod error;
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
