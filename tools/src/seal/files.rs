//! The files of an archive as they are on disk, whether its definitions know them or not.

use std::io;
use std::path::{Path, PathBuf};

use kymo_otf2::FileName;

use crate::merge::output::thumbnails;
use crate::tree;

/// Folder and name of the archive of an anchor file.
pub(crate) fn name_of(anchor: &Path) -> Option<(PathBuf, String)> {
    anchor.extension().filter(|extension| *extension == "otf2" || *extension == "OTF2")?;
    let name = anchor.file_stem()?.to_str()?.to_owned();
    let folder = anchor.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some((folder.to_owned(), name))
}

/// The files that have names of an archive's files, but for its seal; sorted.
pub(crate) fn on_disk(folder: &Path, name: &str) -> io::Result<Vec<FileName>> {
    let single = [FileName::Anchor, FileName::GlobalDefinitions, FileName::Markers];
    let is_there = |file: &FileName| folder.join(file.path(name).to_string()).symlink_metadata().is_ok();
    let mut files: Vec<FileName> = single.into_iter().filter(is_there).collect();
    files.extend(thumbnails(folder, name));
    let names = tree::names(&folder.join(name))?;
    files.extend(names.iter().filter_map(|name| of_location(name.to_str()?)));
    files.sort_unstable();
    Ok(files)
}

/// The file of a location that has this name in its folder.
pub(crate) fn of_location(name: &str) -> Option<FileName> {
    let (location, suffix) = name.split_once('.')?;
    let location = location.parse().ok()?;
    match suffix {
        "def" => Some(FileName::LocalDefinitions(location)),
        "evt" => Some(FileName::Events(location)),
        "snap" => Some(FileName::Snapshots(location)),
        _ => None,
    }
}
