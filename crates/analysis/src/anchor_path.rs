//! Finds the archive that a path names: its anchor file, or a folder that contains one.

use std::ffi::{CStr, OsStr};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::Dir;

/// The number of archives of a folder that a message names.
const SHOWN: usize = 4;

/// Why a path names no archive.
#[derive(Debug)]
pub struct NoAnchor {
    what: String,
    is_missing: bool,
    is_mistake: bool,
}

impl NoAnchor {
    fn new(path: &Path, what: impl fmt::Display) -> Self {
        Self { what: format!("{}: {what}", path.display()), is_missing: false, is_mistake: false }
    }

    fn mistake(path: &Path, what: impl fmt::Display) -> Self {
        Self { is_mistake: true, ..Self::new(path, what) }
    }

    /// Returns whether nothing has this path.
    pub fn is_missing(&self) -> bool {
        self.is_missing
    }

    /// Returns whether the path names something else than one archive.
    pub fn is_mistake(&self) -> bool {
        self.is_mistake
    }
}

impl fmt::Display for NoAnchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for NoAnchor {}

/// Returns the anchor file of the archive.
///
/// If `path` is a folder, this is the only anchor file in it, or else the only one in its subfolder
/// `kymo`.
///
/// # Errors
///
/// If there is no such file, if the folder cannot be read, or if it contains no anchor file or more
/// than one.
pub fn anchor_path(path: &Path) -> Result<PathBuf, NoAnchor> {
    match fs::metadata(path) {
        Ok(it) if it.is_dir() => in_folder(path),
        Ok(_) if is_anchor(path) => Ok(path.to_owned()),
        Ok(_) => Err(NoAnchor::mistake(path, instead(path))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(NoAnchor { is_missing: true, ..NoAnchor::new(path, "not found") })
        }
        Err(error) => Err(NoAnchor::new(path, error)),
    }
}

fn is_anchor(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "otf2")
}

/// Describes a file that is no anchor file, with advice.
fn instead(path: &Path) -> String {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    match ending {
        "evt" | "def" | "snap" | "thumb" | "marker" => {
            let anchor = anchor_beside(path);
            let anchor = anchor.map_or_else(|| "the file *.otf2".to_owned(), |it| it.display().to_string());
            format!("this is a part of an archive; name its anchor file instead: {anchor}")
        }
        "gz" | "tgz" | "bz2" | "xz" | "zst" | "tar" | "zip" => {
            "this is a packed file; unpack it, and name the anchor file (*.otf2) in it".to_owned()
        }
        "trc" | "edf" => "this is a trace of TAU; 'kymo tau2otf2' converts it".to_owned(),
        "scratch" => {
            "this is the scratch file of a process; 'kymo recover' makes an archive of it".to_owned()
        }
        _ => "expected the anchor file of an archive, whose name ends with .otf2, or its folder".to_owned(),
    }
}

/// Returns the anchor file of the archive that a file is a part of: it has the name of the file or
/// of its folder.
fn anchor_beside(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    [path, folder].map(|it| it.with_extension("otf2")).into_iter().find(|it| it.is_file())
}

fn in_folder(path: &Path) -> Result<PathBuf, NoAnchor> {
    let mut all = anchors(path).map_err(|error| NoAnchor::new(path, error))?;
    if all.is_empty() {
        all = anchors(&path.join("kymo")).unwrap_or_default();
    }
    match &all[..] {
        [anchor] => Ok(anchor.clone()),
        [] => {
            let what = "this folder contains no anchor file (*.otf2); 'kymo recover' creates one from a \
                        run that was cut off";
            Err(NoAnchor::new(path, what))
        }
        several => {
            let mut names: Vec<_> = several.iter().take(SHOWN).map(|it| it.display().to_string()).collect();
            names.extend((several.len() > SHOWN).then(|| "…".to_owned()));
            let what =
                format!("this folder contains {} archives; name one: {}", several.len(), names.join(", "));
            Err(NoAnchor::mistake(path, what))
        }
    }
}

/// The anchor files in a folder, by name.
fn anchors(folder: &Path) -> io::Result<Vec<PathBuf>> {
    // Not `fs::read_dir`, which panics if the folder cannot be closed.
    let names = Dir::new(File::open(folder)?)?;
    let path = |name: &CStr| folder.join(OsStr::from_bytes(name.to_bytes()));
    let mut all: Vec<_> = names.map(|entry| Ok(path(entry?.file_name()))).collect::<io::Result<_>>()?;
    all.retain(|path| is_anchor(path));
    all.sort();
    Ok(all)
}
