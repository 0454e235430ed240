//! Thumbnails of an archive that is alone.
//!
//! A thumbnail shows the whole of an archive: all its time, and all its locations. Of several archives none has one that shows the
//! result, and none can be made of theirs, as nobody says whether values may be added.

use std::io::ErrorKind;

use kymo_otf2::enums::ThumbnailType;
use kymo_otf2::list::List;
use kymo_otf2::references::Space;
use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};
use kymo_otf2::write::{StoragePieces, ThumbnailWriter};
use kymo_otf2::{Error, FileName};

use super::files::PIECE;
use super::output::Output;
use super::problem::Problem;
use super::sources::Sources;

/// Copies those of a single archive, in ids of the result, up to the first that is missing; how many.
pub(super) fn copy(sources: &Sources, output: &Output) -> Result<u32, Problem> {
    let [source] = &sources.all[..] else { return Ok(0) };
    let archive = source.open()?;
    let cannot_read = |error: Error| Problem::of_archive(&archive, &error);
    let mut copied = 0;
    for number in 0..source.anchor.thumbnails {
        let thumbnail = match archive.thumbnail(number) {
            // The anchor may promise billions of them.
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => break,
            thumbnail => thumbnail.map_err(cannot_read)?,
        };
        let (header, samples) = thumbnail.read().map_err(cannot_read)?;
        let samples: Vec<_> = samples.collect::<Result<_, _>>().map_err(cannot_read)?;
        if let Some(space) = space(header.thumbnail_type) {
            let ids: Vec<u64> = header.refs_to_defs.iter().map(|id| source.ids.global(space, id)).collect();
            let header = ThumbnailHeader { refs_to_defs: List::truncated(&ids), ..header };
            write(&header, &samples, output, copied).map_err(|error| output.problem(&error))?;
            copied += 1;
        }
    }
    Ok(copied)
}

fn write(
    header: &ThumbnailHeader<'_>,
    samples: &[ThumbnailSample<'_>],
    output: &Output,
    number: u32,
) -> Result<(), Error> {
    let pieces = StoragePieces::new(&output.storage, FileName::Thumbnail(number), PIECE);
    let mut writer = ThumbnailWriter::new(pieces, header)?;
    samples.iter().try_for_each(|sample| writer.sample(sample))?;
    writer.finish().map(|_| ())
}

/// What the values of a thumbnail belong to.
fn space(thumbnail_type: ThumbnailType) -> Option<Space> {
    match thumbnail_type {
        ThumbnailType::REGION => Some(Space::Region),
        ThumbnailType::METRIC => Some(Space::Metric),
        ThumbnailType::ATTRIBUTES => Some(Space::Attribute),
        _ => None,
    }
}
