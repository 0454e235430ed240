//! Opens regular files only: opening a named pipe would wait for a writer, and a device might never
//! end.

use std::fs::{self, File};
use std::io::{Error, ErrorKind};
use std::path::Path;

use crate::error::{self, Result};

/// Opens a regular file for reading.
pub(crate) fn open(path: &Path) -> Result<File> {
    let io = |source| error::Error::io(path, None, source);
    let metadata = fs::metadata(path).map_err(io)?;
    match metadata.is_file() {
        true => File::open(path).map_err(io),
        false if metadata.is_dir() => Err(io(ErrorKind::IsADirectory.into())),
        false => Err(io(Error::new(ErrorKind::InvalidInput, "expected a regular file"))),
    }
}
