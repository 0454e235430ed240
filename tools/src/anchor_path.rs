//! Where the archive is that was named: by its anchor file, or by a folder that has one.

use std::fs;
use std::path::{Path, PathBuf};

use kymo_otf2::archive::DEFAULT_NAME;

use crate::merge::problem::Problem;
use crate::status::Status;

/// The anchor file. In a folder that is `traces.otf2`, there or in its folder `kymo`, else the only one there is.
///
/// # Errors
///
/// The folder cannot be read, or has no anchor file or several.
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
            let what =
                "this folder has no anchor file (*.otf2); 'kymo recover' makes one of a run that was cut off";
            Err(Problem::of(path, what, Status::Environment))
        }
        [first, ..] => {
            let what = format!("this folder has {} archives; name one, like {}", all.len(), first.display());
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
