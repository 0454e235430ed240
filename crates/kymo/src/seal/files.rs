//! The files of an archive that are on disk, whether or not its definitions mention them.

use std::io;
use std::path::{Path, PathBuf};

use kymo_otf2::FileName;

use crate::new_archive::thumbnails;
use crate::tree;

/// Returns the folder and the name of the archive with this anchor file.
pub(crate) fn name_of(anchor: &Path) -> Option<(PathBuf, String)> {
    anchor.extension().filter(|extension| *extension == "otf2" || *extension == "OTF2")?;
    let name = anchor.file_stem()?.to_str()?.to_owned();
    let folder = anchor.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some((folder.to_owned(), name))
}

/// Returns the files on disk that are named like files of the archive, sorted and without its seal.
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

/// Returns the file of a location that has this name in the archive's folder.
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
