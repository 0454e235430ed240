//! The files and the program from which an index was made: it is used again only for the same files
//! and the same program.

use std::io;
use std::os::unix::fs::MetadataExt;

use kymo_analysis::Trace;
use kymo_otf2::FileName;
use sha2::{Digest, Sha256};

use crate::problem::Problem;
use crate::status::Status;

/// Identifies the files of an archive, and this program.
pub(super) type Fingerprint = [u8; 32];

/// Returns the fingerprint of a trace, and the size of its files in bytes.
pub(super) fn of(trace: &Trace) -> Result<(Fingerprint, u64), Problem> {
    let archive = trace.archive();
    let mut hash = Sha256::new();
    hash.update(concat!("kymo ", env!("CARGO_PKG_VERSION")));
    hash.update(kymo_viewer::page(&[], true).map_err(Problem::environment)?);
    let mut size = 0;
    let mut add = |name: FileName, is_needed: bool| {
        let path = archive.path(name);
        let metadata = match std::fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if !is_needed && error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Problem::of(&path, error, Status::Environment)),
        };
        size += metadata.len();
        for number in [metadata.len(), metadata.ino(), metadata.mtime() as u64, metadata.mtime_nsec() as u64]
        {
            hash.update(number.to_le_bytes());
        }
        Ok(())
    };
    add(FileName::Anchor, true)?;
    add(FileName::GlobalDefinitions, true)?;
    for location in trace.locations() {
        add(FileName::LocalDefinitions(location.id.0), false)?;
        add(FileName::Events(location.id.0), false)?;
    }
    Ok((hash.finalize().into(), size))
}
