//! Marker files, docs/spec/otf2-format.md, "Markers, thumbnails".

use super::definitions::{Records, records};
use crate::error::Result;
use crate::records::markers::AnyMarker;

/// Reads the records of a marker file; `chunk_size` is the anchor's for definitions.
pub fn markers(file: &[u8], chunk_size: u64) -> Result<Records<'_, AnyMarker<'_>>> {
    records(file, chunk_size)
}
