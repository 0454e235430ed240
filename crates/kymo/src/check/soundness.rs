//! Whether an archive is whole: every file that its definitions require exists, can be read to its
//! end, and contains the numbers of records that the anchor and the definitions state.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use kymo_otf2::read::{Archive, Options};
use kymo_otf2::{Error, FileName};

use super::definitions::DefinitionIndex;
use super::examination::{count_definitions, read_definitions};
use super::files::Files;
use super::findings::Findings;
use super::kinds::FindingKind;
use super::report::Form;
use super::trouble::Trouble;
use super::{markers, seal, thumbnails};
use crate::problem::Problem;
use crate::status::Status;

/// The number of findings shown per kind.
const SHOWN: u64 = 10;

/// Whether findings of this kind mean that bytes are missing or were changed.
fn is_damage(kind: FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::BadAnchor
            | FindingKind::BadChunk
            | FindingKind::BadRecord
            | FindingKind::MissingEnd
            | FindingKind::BadThumbnail
            | FindingKind::MissingFile
            | FindingKind::MissingLocalDefinitions
            | FindingKind::TrailingBytes
            | FindingKind::ChunkNumbers
            | FindingKind::LocationCount
            | FindingKind::DefinitionCount
            | FindingKind::EventCount
            | FindingKind::SnapshotCount
            | FindingKind::SnapshotRecords
            | FindingKind::BadSeal
            | FindingKind::SealBlock
            | FindingKind::SealLength
            | FindingKind::SealMissingFile
    )
}

/// Returns the damaged files of an archive. Findings are printed on standard error, one per line.
pub(crate) fn damaged_files(anchor: &Path) -> Result<BTreeSet<FileName>, Problem> {
    let as_it_is = Options { mapping: false, clock_correction: false, ..Options::default() };
    let archive = Archive::open_with(anchor, as_it_is).map_err(|error| Problem::of_anchor(anchor, &error))?;
    let others: Vec<FindingKind> =
        FindingKind::ALL.iter().copied().filter(|&kind| !is_damage(kind)).collect();
    let path = |file| archive.path(file);
    let mut stderr = io::stderr();
    let mut findings = Findings::new(&mut stderr, Form::Complaints, &path, SHOWN, &others);
    let mut trouble = Trouble::default();
    seal::check(&archive, &mut trouble, &mut findings);
    if let Err(error) = look(&archive, &mut trouble, &mut findings) {
        trouble.report(FileName::GlobalDefinitions, &error, &mut findings);
    }
    let not_now = |status| Problem::of(anchor, "some of its files cannot be read now", status);
    match (trouble.shortage, trouble.limit) {
        (true, _) => Err(not_now(Status::Environment)),
        (_, true) => Err(not_now(Status::Limit)),
        _ => Ok(findings.into_files()),
    }
}

fn look(archive: &Archive, trouble: &mut Trouble, findings: &mut Findings<'_>) -> Result<(), Error> {
    let file = archive.global_definitions()?;
    let definitions = DefinitionIndex::of(file.records()?);
    let (records, is_whole) = read_definitions(archive, &file, trouble, findings, |_, _, _| {})?;
    if is_whole {
        count_definitions(archive, &definitions, records, findings);
    }
    let markers = markers::check(archive, &definitions, findings);
    trouble.note(FileName::Markers, markers, findings);
    thumbnails::check(archive, &definitions, trouble, findings);
    Files { archive, raw: archive, definitions: &definitions }.check(trouble, findings);
    Ok(())
}
