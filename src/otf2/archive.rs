//! The files of an archive, docs/spec/otf2-format.md, "Files of an archive".
//!
//! Names are formatted on the stack: nothing here allocates.

use std::fmt;

/// A file of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileName {
    /// `X.otf2`
    Anchor,
    /// `X.def`
    GlobalDefinitions,
    /// `X.marker`
    Markers,
    /// `X.<number>.thumb`
    Thumbnail(u32),
    /// `X.seal`: checksums of the other files, which Kymo writes and no other tool reads.
    Seal,
    /// `X/<location>.def`
    LocalDefinitions(u64),
    /// `X/<location>.evt`
    Events(u64),
    /// `X/<location>.snap`
    Snapshots(u64),
}

impl FileName {
    /// Returns the path relative to the archive's folder, for an archive of this name.
    pub fn path(self, archive: &str) -> FilePath<'_> {
        FilePath { archive, file: self }
    }

    /// Returns the location of a per-location file.
    pub fn location(self) -> Option<u64> {
        match self {
            FileName::LocalDefinitions(location)
            | FileName::Events(location)
            | FileName::Snapshots(location) => Some(location),
            _ => None,
        }
    }
}

/// Shows the path for an archive named `traces`.
impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path(DEFAULT_NAME).fmt(f)
    }
}

/// The default name of an archive.
pub const DEFAULT_NAME: &str = "traces";

/// The path of a file relative to the archive's folder, formatted by `Display`.
#[derive(Debug, Clone, Copy)]
pub struct FilePath<'a> {
    archive: &'a str,
    file: FileName,
}

impl fmt::Display for FilePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let archive = self.archive;
        match self.file {
            FileName::Anchor => write!(f, "{archive}.otf2"),
            FileName::GlobalDefinitions => write!(f, "{archive}.def"),
            FileName::Markers => write!(f, "{archive}.marker"),
            FileName::Thumbnail(number) => write!(f, "{archive}.{number}.thumb"),
            FileName::Seal => write!(f, "{archive}.seal"),
            FileName::LocalDefinitions(location) => write!(f, "{archive}/{location}.def"),
            FileName::Events(location) => write!(f, "{archive}/{location}.evt"),
            FileName::Snapshots(location) => write!(f, "{archive}/{location}.snap"),
        }
    }
}
