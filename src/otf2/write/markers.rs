//! Marker files, docs/spec/otf2-format.md, "Markers, thumbnails". The chunk size is that of
//! definition files.

use super::Pieces;
use super::definitions::{DefinitionWriter, kind};
use crate::byte_order::{ByteOrder, NativeEndian};
use crate::error::Result;
use crate::records::MarkerRecord;

/// Writes a marker file.
pub type MarkerWriter<P, E = NativeEndian> = DefinitionWriter<kind::Markers, P, E>;

impl<P: Pieces, E: ByteOrder> DefinitionWriter<kind::Markers, P, E> {
    /// Writes a marker or a kind of marker. After an error nothing was written.
    pub fn record<R: MarkerRecord>(&mut self, record: &R) -> Result<()> {
        self.put(record)
    }
}
