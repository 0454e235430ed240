//! Rewrites an archive: the same records with the same ids and times, in files as this crate writes
//! them.
//!
//! Old layouts become the newest, and compressed files become plain. Nothing is mapped or
//! corrected: local definitions are copied as well.

use crate::anchor::Anchor;
use crate::archive::FileName;
use crate::attributes::Attribute;
use crate::enums::Compression;
use crate::error::{Error, Result};
use crate::read::{Archive, Family, LocationReader, whole::Thumbnail};
use crate::storage::Storage;
use crate::write::{
    EventWriter, GlobalDefinitionWriter, LocalDefinitionWriter, MarkerWriter, SnapshotWriter, StoragePieces,
    ThumbnailWriter, anchor,
};
use std::io::ErrorKind;

/// The usable bytes of the buffer through which a file is written. The buffer grows if a record
/// needs more.
const BUFFER: usize = 64 << 10;

/// Copies an archive, including the files of all locations in its global definitions, into an empty
/// storage.
///
/// The anchor is written last. The copy stops at the first fault of the archive and then has no
/// anchor.
///
/// ```
/// # fn main() -> kymo_otf2::Result<()> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
/// use kymo_otf2::{copy, read::Archive, storage::Memory};
///
/// let archive = Archive::open(path)?;
/// let memory = Memory::new();
/// copy(&archive, &memory)?;
/// let copied = Archive::in_storage(std::sync::Arc::new(memory), Default::default())?;
/// assert_eq!(copied.anchor(), archive.anchor());
/// # Ok(())
/// # }
/// ```
pub fn copy<S: Storage>(archive: &Archive, to: &S) -> Result<()> {
    to.create().map_err(|source| Error::Io { file: None, source })?;
    let mut locations = archive.locations()?;
    locations.sort_unstable();
    locations.dedup();
    let copy = Copy { from: archive.as_written(), to };
    copy.global_definitions()?;
    for location in locations {
        copy.local_definitions(location)?;
        copy.events(location)?;
        copy.snapshots(location)?;
    }
    copy.markers()?;
    copy.thumbnails()?;
    copy.anchor()
}

struct Copy<'a, S> {
    from: Archive,
    to: &'a S,
}

impl<S: Storage> Copy<'_, S> {
    fn pieces(&self, file: FileName) -> StoragePieces<&S> {
        StoragePieces::new(self.to, file, BUFFER)
    }

    fn anchor(&self) -> Result<()> {
        let anchor = Anchor { compression: Compression::NONE, ..self.from.anchor() };
        let bytes = anchor::anchor_bytes(&anchor)?;
        let file = Some(FileName::Anchor);
        self.to.write_at(FileName::Anchor, 0, &bytes).map_err(|source| Error::Io { file, source })
    }

    fn global_definitions(&self) -> Result<()> {
        let definitions = self.from.global_definitions()?;
        let pieces = self.pieces(definitions.name());
        let mut writer = GlobalDefinitionWriter::new(pieces, self.from.anchor().definition_chunk_size)?;
        definitions.records()?.try_for_each(|record| writer.record(&record?))?;
        writer.finish().map(|_| ())
    }

    fn local_definitions(&self, location: u64) -> Result<()> {
        let Some(definitions) = there(self.from.local_definitions(location))? else { return Ok(()) };
        let pieces = self.pieces(definitions.name());
        let mut writer = LocalDefinitionWriter::new(pieces, self.from.anchor().definition_chunk_size)?;
        definitions.records()?.try_for_each(|record| writer.record(&record?))?;
        writer.finish().map(|_| ())
    }

    fn markers(&self) -> Result<()> {
        let Some(markers) = there(self.from.markers())? else { return Ok(()) };
        let pieces = self.pieces(markers.name());
        let mut writer = MarkerWriter::new(pieces, self.from.anchor().definition_chunk_size)?;
        markers.records()?.try_for_each(|record| writer.record(&record?))?;
        writer.finish().map(|_| ())
    }

    /// Copies thumbnails up to the first missing one, as the anchor may promise billions of them.
    fn thumbnails(&self) -> Result<()> {
        for number in 0..self.from.anchor().number_of_thumbnails {
            let Some(thumbnail) = there(self.from.thumbnail(number))? else { break };
            self.thumbnail(number, &thumbnail)?;
        }
        Ok(())
    }

    fn thumbnail(&self, number: u32, thumbnail: &Thumbnail) -> Result<()> {
        let (header, mut samples) = thumbnail.read()?;
        let mut writer = ThumbnailWriter::new(self.pieces(FileName::Thumbnail(number)), &header)?;
        samples.try_for_each(|sample| writer.sample(&sample?))?;
        writer.finish().map(|_| ())
    }

    fn events(&self, location: u64) -> Result<()> {
        let Some(events) = there(self.from.events(location))? else { return Ok(()) };
        let pieces = self.pieces(FileName::Events(location));
        let mut writer = EventWriter::new(pieces, self.from.anchor().event_chunk_size)?;
        each(events, |time, attributes, event| writer.record_with(time, attributes, event))?;
        writer.finish().map(|_| ())
    }

    fn snapshots(&self, location: u64) -> Result<()> {
        let Some(snapshots) = there(self.from.snapshots(location))? else { return Ok(()) };
        let pieces = self.pieces(FileName::Snapshots(location));
        let mut writer = SnapshotWriter::new(pieces, self.from.anchor().event_chunk_size)?;
        each(snapshots, |time, attributes, record| writer.record_with(time, attributes, record))?;
        writer.finish().map(|_| ())
    }
}

fn each<F: Family>(
    mut records: LocationReader<F>,
    mut write: impl FnMut(u64, &[Attribute], &F::Record<'_>) -> Result<()>,
) -> Result<()> {
    let mut attributes = Vec::new();
    while let Some(record) = records.next()? {
        attributes.clear();
        attributes.extend(record.attributes);
        write(record.time, &attributes, &record.record)?;
    }
    Ok(())
}

/// Returns `None` if the file does not exist.
fn there<T>(file: Result<T>) -> Result<Option<T>> {
    match file {
        Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
        file => file.map(Some),
    }
}
