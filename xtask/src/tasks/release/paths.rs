//! Installed files contain no name of a folder of the machine that built it.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::build::places;
use crate::process::target;
use crate::{Done, of};

/// Checks a program, a library, or its debug information.
pub(super) fn check(file: &Path) -> Done {
    let content = fs::read(file).map_err(|error| of(file, error))?;
    for (place, _) in places(&target()?) {
        let name = place.as_os_str().as_bytes();
        if !name.is_empty() && content.windows(name.len()).any(|part| part == name) {
            return Err(of(file, format_args!("contains the name of the folder {}", place.display())));
        }
    }
    Ok(())
}
