//! Marker files, OTF2 format, section "Markers, thumbnails".

use super::definitions::{Records, records};
use crate::error::Result;
use crate::records::markers::AnyMarker;

/// Records of a marker file; `chunk_size` is the anchor's for definitions.
pub fn markers(file: &[u8], chunk_size: u64) -> Result<Records<'_, AnyMarker<'_>>> {
    records(file, chunk_size)
}
