//! Separate files with debug information, found as gdb does: by build id, else by `.gnu_debuglink`.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, ReadCache};

const FOLDER: &str = "/usr/lib/debug";

/// Returns the file with the debug information of `path`, if it is a separate file and exists.
pub(crate) fn of(path: &Path) -> Option<PathBuf> {
    let file = ReadCache::new(File::open(path).ok()?);
    let file = ElfFile64::<Endianness, _>::parse(&file).ok()?;
    // The section may be compressed.
    let has_own = |name| file.section_by_name(name).is_some_and(|section| section.size() > 0);
    if has_own(".debug_info") {
        return None;
    }
    let id = file.build_id().ok().flatten();
    let link = file.gnu_debuglink().ok().flatten().map(|(name, _)| Path::new(OsStr::from_bytes(name)));
    let by_link = link.map(|name| linked_candidates(path, name)).into_iter().flatten();
    let mut candidates = id.and_then(by_build_id).into_iter().chain(by_link);
    candidates.find(|candidate| candidate != path && is_of(candidate, id))
}

/// Returns `/usr/lib/debug/.build-id/01/23456789.debug`, if it can be formed.
fn by_build_id(id: &[u8]) -> Option<PathBuf> {
    let digits: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    let (folder, name) = digits.split_at_checked(2)?;
    Some(Path::new(FOLDER).join(".build-id").join(folder).join(format!("{name}.debug")))
}

fn linked_candidates(path: &Path, name: &Path) -> [PathBuf; 3] {
    // The running program is read through a link of the system, which leads to its place.
    let place = path.starts_with("/proc").then(|| path.read_link().ok()).flatten();
    let path = place.as_deref().unwrap_or(path);
    let folder = path.parent().unwrap_or(Path::new("/"));
    let below = folder.strip_prefix("/").unwrap_or(folder);
    [folder.join(name), folder.join(".debug").join(name), Path::new(FOLDER).join(below).join(name)]
}

/// Returns whether a file exists and is of the same build, as far as the ids show.
fn is_of(path: &Path, id: Option<&[u8]>) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let file = ReadCache::new(file);
    let Ok(file) = ElfFile64::<Endianness, _>::parse(&file) else { return false };
    file.build_id().is_ok_and(|found| found.is_none() || id.is_none() || found == id)
}
