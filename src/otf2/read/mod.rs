//! Readers: records as they are in the file, without id mapping and clock correction. Their files are named as those of
//! [`write`](crate::write).
//!
//! Readers work on the bytes of a whole file, copy nothing, and are `Send`. Bad input gives an
//! [`Error`](crate::Error) with the offset, and ends the iterator.

pub mod anchor;
pub mod cursor;
pub mod definitions;
pub mod events;
pub mod markers;
mod stream;
pub mod thumbnails;

pub use anchor::anchor;
pub use cursor::Cursor;
pub use definitions::{global_definitions, local_definitions, log};
pub use events::{TimedRecord, events, snapshots};
pub use markers::markers;
pub use stream::Chunk;
pub use thumbnails::thumbnail;

use crate::error::Problem;

/// Takes a record length: one byte up to 254, or `FF` and 64 bits.
#[inline]
pub(crate) fn record_length(cursor: &mut Cursor<'_>) -> Result<u64, Problem> {
    match cursor.u8()? {
        0xFF => cursor.u64(),
        length => Ok(length as u64),
    }
}
