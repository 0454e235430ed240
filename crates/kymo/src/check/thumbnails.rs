//! Thumbnails: as many samples as announced, of definitions that exist.

use kymo_otf2::FileName;
use kymo_otf2::read::Archive;
use kymo_otf2::thumbnails::ThumbnailHeader;

use super::definitions::DefinitionIndex;
use super::findings::{Findings, Place};
use super::references::Reference;
use super::trouble::Trouble;

/// Checks all thumbnails, up to the first that is missing.
pub(crate) fn check(
    archive: &Archive,
    definitions: &DefinitionIndex<'_>,
    trouble: &mut Trouble,
    findings: &mut Findings<'_>,
) {
    let mut numbers = 0..archive.anchor().number_of_thumbnails;
    numbers.all(|number| thumbnail(archive, number, definitions, trouble, findings));
}

/// Checks a thumbnail. Returns whether the file exists.
fn thumbnail(
    archive: &Archive,
    number: u32,
    definitions: &DefinitionIndex<'_>,
    trouble: &mut Trouble,
    findings: &mut Findings<'_>,
) -> bool {
    let name = FileName::Thumbnail(number);
    let file = match archive.thumbnail(number) {
        Ok(file) => file,
        Err(error) => return trouble.note(name, Err(error), findings),
    };
    let end = file.read().and_then(|(header, mut samples)| {
        thumbnail_references(&header, name, definitions, findings);
        samples.try_for_each(|sample| sample.map(|_| ()))
    });
    trouble.note(name, end, findings);
    true
}

fn thumbnail_references(
    header: &ThumbnailHeader<'_>,
    name: FileName,
    definitions: &DefinitionIndex<'_>,
    findings: &mut Findings<'_>,
) {
    let Some(space) = header.thumbnail_type.space() else { return };
    for id in header.refs_to_defs {
        Reference { space, id, undefined: false }.check(
            "value",
            Place::file(name),
            &definitions.ids,
            findings,
        );
    }
}
