//! Thumbnail files, docs/spec/otf2-format.md, "Markers, thumbnails": one header, then exactly the
//! number of samples that it states, each with the number of values that it states. The chunk size
//! is always 1 MiB.

use super::definitions::{DefinitionWriter, kind};
use super::{Closed, Pieces};
use crate::THUMBNAIL_CHUNK_SIZE;
use crate::byte_order::{ByteOrder, NativeEndian};
use crate::error::{Result, Usage};
use crate::records::thumbnails::{ThumbnailHeader, ThumbnailSample};

/// Writes a thumbnail file. The anchor states the number of thumbnails, which are counted from 0.
///
/// ```
/// # fn main() -> kymo_otf2::Result<()> {
/// # use kymo_otf2::storage::{Memory, Storage};
/// # let storage = Memory::new();
/// # storage.create().expect("a new archive");
/// use kymo_otf2::enums::ThumbnailType;
/// use kymo_otf2::list::List;
/// use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};
/// use kymo_otf2::write::{StoragePieces, ThumbnailWriter, anchor::anchor_bytes};
/// use kymo_otf2::{Anchor, FileName, read::Archive};
///
/// let header = ThumbnailHeader {
///     name: "region activity".into(),
///     description: "the share of each region in a tenth of a second".into(),
///     thumbnail_type: ThumbnailType::REGION,
///     number_of_samples: 2,
///     refs_to_defs: List::new(&[7, 9])?,
/// };
/// let pieces = StoragePieces::new(&storage, FileName::Thumbnail(0), 4096);
/// let mut samples = ThumbnailWriter::new(pieces, &header)?;
/// samples.sample(&ThumbnailSample { baseline: 100, metric_samples: List::new(&[60, 40])? })?;
/// samples.sample(&ThumbnailSample { baseline: 100, metric_samples: List::new(&[0, 35])? })?;
/// samples.finish()?;
/// let anchor = Anchor { number_of_thumbnails: 1, ..Anchor::default() };
/// storage.write_at(FileName::Anchor, 0, &anchor_bytes(&anchor)?).expect("room");
///
/// let archive = Archive::in_storage(std::sync::Arc::new(storage), Default::default())?;
/// let thumbnail = archive.thumbnail(0)?;
/// let (header, samples) = thumbnail.read()?;
/// assert_eq!((header.refs_to_defs.len(), samples.count()), (2, 2));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ThumbnailWriter<P, E = NativeEndian> {
    records: DefinitionWriter<kind::Thumbnails, P, E>,
    samples_left: u32,
    values: usize,
}

impl<P: Pieces> ThumbnailWriter<P> {
    /// Starts a file in the byte order of this machine.
    pub fn new(pieces: P, header: &ThumbnailHeader<'_>) -> Result<Self> {
        Self::in_byte_order(pieces, header)
    }
}

impl<P: Pieces, E: ByteOrder> ThumbnailWriter<P, E> {
    /// Starts a file in byte order `E`.
    pub fn in_byte_order(pieces: P, header: &ThumbnailHeader<'_>) -> Result<Self> {
        let mut records = DefinitionWriter::in_byte_order(pieces, THUMBNAIL_CHUNK_SIZE)?;
        records.put(header)?;
        Ok(ThumbnailWriter {
            records,
            samples_left: header.number_of_samples,
            values: header.refs_to_defs.len(),
        })
    }

    /// Writes a sample.
    pub fn sample(&mut self, sample: &ThumbnailSample<'_>) -> Result<()> {
        match self.samples_left {
            0 => Err(Usage::Thumbnail.into()),
            _ => self.any_sample(sample),
        }
    }

    /// Writes a sample even if the header announces fewer. Readers ignore those beyond.
    pub fn any_sample(&mut self, sample: &ThumbnailSample<'_>) -> Result<()> {
        if sample.metric_samples.len() != self.values {
            return Err(Usage::Thumbnail.into());
        }
        self.records.put(sample)?;
        self.samples_left = self.samples_left.saturating_sub(1);
        Ok(())
    }

    /// Returns the memory, mutably.
    pub fn pieces_mut(&mut self) -> &mut P {
        self.records.pieces_mut()
    }

    /// Returns the number of samples that are missing.
    pub fn samples_left(&self) -> u32 {
        self.samples_left
    }

    /// Ends the file even if samples are missing, so that readers find those that there are.
    pub fn finish_incomplete(&mut self) -> Result<Closed> {
        self.records.finish()
    }

    /// Ends the file. Fails if samples are missing.
    pub fn finish(&mut self) -> Result<Closed> {
        match self.samples_left {
            0 => self.records.finish(),
            _ => Err(Usage::Thumbnail.into()),
        }
    }
}
