//! Thumbnail files, docs/spec/otf2-format.md, "Markers, thumbnails".

use super::definitions::{Records, records};
use crate::THUMBNAIL_CHUNK_SIZE;
use crate::error::{Problem, Result};
use crate::records::thumbnails::{Thumbnail, ThumbnailHeader, ThumbnailSample};

/// The samples of a thumbnail.
#[derive(Debug, Clone)]
pub struct Samples<'a> {
    records: Records<'a, Thumbnail<'a>>,
    left: u32,
    values: usize,
}

/// Reads the header and the samples of a thumbnail file.
pub fn thumbnail(file: &[u8]) -> Result<(ThumbnailHeader<'_>, Samples<'_>)> {
    header_and_samples(records(file, THUMBNAIL_CHUNK_SIZE)?)
}

pub(super) fn header_and_samples<'a>(
    mut records: Records<'a, Thumbnail<'a>>,
) -> Result<(ThumbnailHeader<'a>, Samples<'a>)> {
    match records.next().transpose()? {
        Some(Thumbnail::ThumbnailHeader(header)) => {
            let (left, values) = (header.number_of_samples, header.refs_to_defs.len());
            Ok((header, Samples { records, left, values }))
        }
        _ => Err(records.problem(Problem::Thumbnail)),
    }
}

impl<'a> Iterator for Samples<'a> {
    type Item = Result<ThumbnailSample<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let item = match self.records.next() {
            Some(Ok(Thumbnail::ThumbnailSample(sample))) if sample.metric_samples.len() == self.values => {
                Ok(sample)
            }
            Some(Err(error)) => Err(error),
            _ => Err(self.records.problem(Problem::Thumbnail)),
        };
        if item.is_err() {
            self.left = 0;
        }
        Some(item)
    }
}
