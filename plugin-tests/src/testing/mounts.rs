//! File systems that only the thread of a test and the programs that it starts see, and that
//! disappear with it.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::Command;

/// The right to mount, in a mount namespace of this thread. A folder with mounted file systems can
/// be removed when this has been dropped, so it must be created before.
#[derive(Debug)]
pub struct Mounts {
    /// The namespace of the process.
    outer: File,
}

impl Mounts {
    /// Gives this thread a namespace of its own. Returns `None`, and reports it, if the test
    /// lacks the rights.
    pub fn new() -> Option<Self> {
        let outer = File::open("/proc/thread-self/ns/mnt").expect("the namespace of this thread");
        // SAFETY: it changes this thread's view of the file system, and no memory.
        let is_own = unsafe { libc::unshare(libc::CLONE_NEWNS) } == 0;
        if is_own && mount(&["--make-rprivate", "/"]) {
            return Some(Self { outer });
        }
        kymo_testdata::missing(kymo_testdata::MOUNTING);
        None
    }

    /// Mounts a file system of this kind at a folder, with the options of `mount -o`; returns
    /// whether the machine supports it.
    pub fn try_mount(&self, kind: &str, options: &str, at: &Path) -> bool {
        let _ = std::fs::create_dir_all(at);
        mount(&["-t", kind, "-o", options, "none", &at.to_string_lossy()])
    }

    /// Like [`try_mount`](Self::try_mount), for a kind that every machine supports.
    pub fn mount(&self, kind: &str, options: &str, at: &Path) {
        assert!(self.try_mount(kind, options, at), "{kind} ({options}) at {}", at.display());
    }

    /// Makes a file or folder visible at another path, too.
    pub fn bind(&self, what: &Path, at: &Path) {
        let [what, at] = [what, at].map(Path::to_string_lossy);
        assert!(mount(&["--rbind", &what, &at]), "{what} at {at}");
    }
}

impl Drop for Mounts {
    fn drop(&mut self) {
        // SAFETY: as above; the file is open.
        unsafe { libc::setns(self.outer.as_raw_fd(), libc::CLONE_NEWNS) };
    }
}

fn mount(arguments: &[&str]) -> bool {
    Command::new("mount").args(arguments).status().is_ok_and(|status| status.success())
}
