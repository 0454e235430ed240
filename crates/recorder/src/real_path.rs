//! Paths without symbolic links.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::path::{self, Path, PathBuf};

use rustix::fs::{Mode, OFlags, open};

/// Returns the absolute path of a file or folder, without symbolic links.
///
/// Filters of system calls in older container engines answer `EPERM` for the one with which newer C
/// libraries resolve a path, as if the path were forbidden. An open file has a path as well.
///
/// # Errors
///
/// The path leads nowhere, or to a place that this user must not see.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => path_of_open(path),
        found => found,
    }
}

fn path_of_open(path: &Path) -> io::Result<PathBuf> {
    let file = open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).or_else(|_| path::absolute(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "reads links of the system")]
    fn both_ways_find_the_same_path() {
        let own = std::env::current_dir().expect("a folder");
        for through in ["/proc/self/cwd", "/proc/self/cwd/.././.."] {
            let expected = real_path(Path::new(through)).expect("a path");
            assert!(own.starts_with(&expected), "{expected:?}");
            assert_eq!(path_of_open(Path::new(through)).expect("a path"), expected);
        }
        let missing = Path::new("/proc/self/cwd/there is no such file");
        assert!(real_path(missing).is_err() && path_of_open(missing).is_err());
    }
}
