//! Marker files, docs/spec/otf2-format.md, "Markers, thumbnails". The chunk size is that of
//! definition files.

use super::Pieces;
use super::definitions::{DefinitionWriter, kind};
use crate::byte_order::{ByteOrder, NativeEndian};
use crate::error::Result;
use crate::records::MarkerRecord;

/// Writes a marker file. An archive may have one at any time; the anchor does not announce it.
///
/// ```
/// # fn main() -> kymo_otf2::Result<()> {
/// # use kymo_otf2::{Anchor, storage::{Memory, Storage}, write::anchor::anchor_bytes};
/// # let storage = Memory::new();
/// # storage.create().expect("a new archive");
/// # let anchor = Anchor::default();
/// # storage.write_at(kymo_otf2::FileName::Anchor, 0, &anchor_bytes(&anchor)?).expect("room");
/// use kymo_otf2::enums::{MarkerScope, MarkerSeverity};
/// use kymo_otf2::markers::{AnyMarker, DefMarker, Marker};
/// use kymo_otf2::references::MarkerRef;
/// use kymo_otf2::write::{MarkerWriter, StoragePieces};
/// use kymo_otf2::{FileName, read::Archive};
///
/// let pieces = StoragePieces::new(&storage, FileName::Markers, 4096);
/// let mut markers = MarkerWriter::new(pieces, anchor.definition_chunk_size)?;
/// let kind = MarkerRef(0);
/// let (marker_group, marker_category) = ("phases".into(), "solver".into());
/// markers.record(&DefMarker { id: kind, marker_group, marker_category, severity: MarkerSeverity::LOW })?;
/// // From 2000 to 2500, on location 3.
/// let (marker_scope, scope) = (MarkerScope::LOCATION, 3);
/// let text = "slow".into();
/// markers.record(&Marker { time: 2000, duration: 500, marker: kind, marker_scope, scope, text })?;
/// markers.finish()?;
///
/// let archive = Archive::in_storage(std::sync::Arc::new(storage), Default::default())?;
/// let markers = archive.markers()?;
/// let last = markers.records()?.last().expect("two records")?;
/// assert!(matches!(last, AnyMarker::Marker(Marker { time: 2000, .. })));
/// # Ok(())
/// # }
/// ```
pub type MarkerWriter<P, E = NativeEndian> = DefinitionWriter<kind::Markers, P, E>;

impl<P: Pieces, E: ByteOrder> DefinitionWriter<kind::Markers, P, E> {
    /// Writes a marker or a kind of marker. After an error nothing was written.
    pub fn record<R: MarkerRecord>(&mut self, record: &R) -> Result<()> {
        self.put(record)
    }
}
