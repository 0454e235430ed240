//! `--clean` after a success: checks that the existing archive was made from exactly the files that
//! still exist, and that it is intact.

use std::path::Path;

use kymo_otf2::FileName;
use kymo_otf2::read::Archive;

use super::complete;
use super::find::Search;
use super::input::{Input, anchor};
use crate::check::damaged_files;

/// The property that states the files from which an archive was made.
pub(super) const PROPERTY: &str = "KYMO::RECOVERED_FROM";
/// The properties of an archive in which something is missing.
const LACKS: [&[u8]; 2] = [b"KYMO::BYTES_CUT", b"KYMO::RANKS_MISSING"];

/// Returns a digest of these processes: FNV-1a of their IDs and start times. `None` if there are no
/// processes, or if not all are known.
pub(super) fn digest<'a>(searches: impl Iterator<Item = &'a Search>) -> Option<String> {
    let origins: Vec<_> = searches.map(Search::origins).collect::<Option<_>>()?;
    let mut origins = origins.concat();
    origins.sort_unstable();
    let bytes = origins
        .iter()
        .flat_map(|(process, started)| [u64::from(*process), *started])
        .flat_map(u64::to_le_bytes);
    let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    (!origins.is_empty()).then(|| format!("{hash:016x}"))
}

/// Whether the existing archive is intact and contains everything from these runs. Faults are
/// reported.
pub(super) fn is_made(made: &Path, digest: Option<&str>, runs: &[(Input, Search)]) -> bool {
    let Ok(archive) = Archive::open(made) else { return false };
    let fits = digest.is_some_and(|digest| has(&archive, PROPERTY.as_bytes(), Some(digest)))
        || matches!(runs, [(input, _)] if is_copy(&archive, input));
    let lacks = LACKS.iter().any(|name| has(&archive, name, None));
    let has_sides = runs.iter().any(|(input, search)| {
        let sides = input.folder.as_ref().map(|folder| folder.join(kymo_recorder::scratch::side::FOLDER));
        !search.scratch.is_empty() || sides.is_some_and(|sides| sides.is_dir())
    });
    fits && !lacks && has_sides && damaged_files(made).is_ok_and(|damaged| damaged.is_empty())
}

/// Whether the archive has this property and, if given, this value.
fn has(archive: &Archive, name: &[u8], value: Option<&str>) -> bool {
    let anchor = archive.anchor();
    let mut properties = anchor.properties.iter().filter(|it| it.name.as_bytes() == name);
    properties.any(|it| value.is_none_or(|value| it.value.as_bytes() == value.as_bytes()))
}

/// Whether it is a copy of the complete archive that was given.
fn is_copy(archive: &Archive, input: &Input) -> bool {
    let Some(folder) =
        input.folder.as_deref().filter(|folder| complete::is_complete(folder).unwrap_or(false))
    else {
        return false;
    };
    let bytes = |anchor: &Path| crate::regular::read(anchor, 1 << 20).ok();
    bytes(&anchor(folder))
        .is_some_and(|bytes_of_it| bytes(&archive.path(FileName::Anchor)) == Some(bytes_of_it))
}
