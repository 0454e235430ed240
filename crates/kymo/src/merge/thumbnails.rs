//! The thumbnails of a single archive.
//!
//! A thumbnail shows a whole archive: all of its time, and all of its locations. With several
//! archives, no thumbnail shows the result, and none can be computed from theirs, because it is
//! unknown whether their values may be added.

use std::io::ErrorKind;

use kymo_otf2::list::List;
use kymo_otf2::read::Archive;
use kymo_otf2::read::thumbnails::Samples;
use kymo_otf2::read::whole::Thumbnail;
use kymo_otf2::thumbnails::ThumbnailHeader;
use kymo_otf2::write::{StoragePieces, ThumbnailWriter};
use kymo_otf2::{Error, FileName};

use super::files::PIECE;
use super::sources::Sources;
use crate::new_archive::NewArchive;
use crate::problem::Problem;

/// Copies the intact thumbnails of a single archive, with ids of the result, up to the first one
/// that is missing. Returns their number.
pub(super) fn copy(sources: &Sources, output: &NewArchive) -> Result<u32, Problem> {
    let [source] = &sources.all[..] else { return Ok(0) };
    let archive = source.open()?;
    let mut copied = 0;
    for number in 0..source.anchor.thumbnails {
        let problem =
            |error| Problem::of_archive(&archive, &Error::in_file(error, FileName::Thumbnail(number)));
        let thumbnail = match sound(&archive, number) {
            Ok(thumbnail) => thumbnail,
            // The anchor may announce billions of them.
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => break,
            Err(error @ Error::Format(_)) => {
                problem(error).leave_out();
                continue;
            }
            Err(error) => return Err(problem(error)),
        };
        let (header, samples) = thumbnail.read().map_err(problem)?;
        if let Some(space) = header.thumbnail_type.space() {
            let ids: Vec<u64> = header.refs_to_defs.iter().map(|id| source.ids.global(space, id)).collect();
            let header = ThumbnailHeader { refs_to_defs: List::truncated(&ids), ..header };
            write(&header, samples, output, copied, problem)?;
            copied += 1;
        }
    }
    Ok(copied)
}

/// Returns a thumbnail that can be read completely.
fn sound(archive: &Archive, number: u32) -> Result<Thumbnail, Error> {
    let thumbnail = archive.thumbnail(number)?;
    let (_, mut samples) = thumbnail.read()?;
    samples.try_for_each(|sample| sample.map(drop))?;
    Ok(thumbnail)
}

fn write(
    header: &ThumbnailHeader<'_>,
    samples: Samples<'_>,
    output: &NewArchive,
    number: u32,
    cannot_read: impl Fn(Error) -> Problem,
) -> Result<(), Problem> {
    let cannot_write = |error| output.problem(&error);
    let pieces = StoragePieces::new(&output.storage, FileName::Thumbnail(number), PIECE);
    let mut writer = ThumbnailWriter::new(pieces, header).map_err(cannot_write)?;
    for sample in samples {
        writer.sample(&sample.map_err(&cannot_read)?).map_err(cannot_write)?;
    }
    writer.finish().map(|_| ()).map_err(cannot_write)
}
