//! Finds the archive that a path names: its anchor file, or a folder that contains one.

use std::fs;
use std::path::{Path, PathBuf};

use kymo_otf2::archive::DEFAULT_NAME;

use crate::problem::Problem;
use crate::status::Status;

/// Returns the anchor file of the archive.
///
/// If `path` is a folder, this is `traces.otf2` in the folder or in its subfolder `kymo`, otherwise
/// the only anchor file in the two.
///
/// # Errors
///
/// If the folder cannot be read, or if it contains no anchor file or more than one.
pub(crate) fn of(path: &Path) -> Result<PathBuf, Problem> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let below = path.join("kymo");
    let usual = [path, &below].map(|folder| folder.join(format!("{DEFAULT_NAME}.otf2")));
    if let Some(anchor) = usual.into_iter().find(|it| it.exists()) {
        return Ok(anchor);
    }
    let mut all = anchors(path).map_err(|error| Problem::of(path, error, Status::Environment))?;
    all.extend(anchors(&below).unwrap_or_default());
    match &all[..] {
        [anchor] => Ok(anchor.clone()),
        [] => {
            let what = "this folder contains no anchor file (*.otf2); 'kymo recover' creates one from a \
                        run that was cut off";
            Err(Problem::of(path, what, Status::Environment))
        }
        [first, ..] => {
            let what = format!(
                "this folder contains {} archives; name one of them, for example {}",
                all.len(),
                first.display()
            );
            Err(Problem::of(path, what, Status::Usage))
        }
    }
}

/// The anchor files in a folder, by name.
fn anchors(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|it| it.path()));
    let mut all: Vec<_> = paths.collect::<Result<_, _>>()?;
    all.retain(|path| path.extension().is_some_and(|it| it == "otf2"));
    all.sort();
    Ok(all)
}
