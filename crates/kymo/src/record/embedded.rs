//! The runtime and the plugin in this program, and the folder of the user's cache that they are put
//! into when they are first used.
//!
//! The folder is named after the version and the content. Invariant: a file there has its complete
//! content, whatever else writes to it at the same time, because it gets its name last.

use std::env;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::environment::{PLUGIN, RUNTIME};
use super::error::RecordError;

const LIBRARIES: [(&str, &[u8]); 2] =
    [(RUNTIME, kymo_embed::library!(kymo_runtime)), (PLUGIN, kymo_embed::library!(scorep_substrate_kymo))];

/// Returns the folder with the libraries, after putting them there if they are missing.
pub(super) fn folder() -> Result<PathBuf, RecordError> {
    let cache = cache().ok_or_else(|| {
        RecordError::failed("neither XDG_CACHE_HOME nor HOME is set: there is no place for the runtime")
            .hint("set XDG_CACHE_HOME to a folder that all processes of the run can read")
    })?;
    put(&cache.join("kymo").join(name()))
}

/// Returns the user's cache.
fn cache() -> Option<PathBuf> {
    let absolute = |variable| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))
}

/// Returns a name that changes with the content.
fn name() -> String {
    let mut sum = Sha256::new();
    LIBRARIES.iter().for_each(|(_, content)| sum.update(content));
    let digits: String = sum.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{digits}", env!("CARGO_PKG_VERSION"))
}

fn put(folder: &Path) -> Result<PathBuf, RecordError> {
    fs::create_dir_all(folder).map_err(|error| RecordError::io(folder, &error))?;
    for (name, content) in LIBRARIES {
        let path = folder.join(name);
        let is_there = fs::metadata(&path).is_ok_and(|found| found.len() == content.len() as u64);
        if !is_there {
            write(&path, content).map_err(|error| RecordError::io(&path, &error))?;
        }
    }
    Ok(folder.to_owned())
}

/// Writes a file that no process finds before it is complete.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let made = path.with_extension(format!("so.{}", std::process::id()));
    let write = || {
        let mut file = File::create(&made)?;
        file.write_all(content)?;
        file.set_permissions(Permissions::from_mode(0o755))?;
        fs::rename(&made, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&made);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_was_cut_off_is_written_again() {
        let cache = tempfile::tempdir().expect("a folder");
        let folder = put(&cache.path().join("new")).map_err(RecordError::into_what).expect("to write");
        let path = folder.join(RUNTIME);
        let whole = fs::read(&path).expect("the runtime");
        assert!(whole.starts_with(b"\x7fELF"));
        fs::write(&path, &whole[..100]).expect("to cut it off");
        put(&folder).map_err(RecordError::into_what).expect("to write again");
        assert!(fs::read(&path).expect("the runtime") == whole);
        assert_eq!(fs::read_dir(&folder).map(Iterator::count).ok(), Some(LIBRARIES.len()));
    }
}
