//! File systems of a test's own: its thread and the programs that it starts see them, nobody else does, and they are gone with it.

use std::path::Path;
use std::process::Command;

/// The right to mount, in a mount namespace of this thread.
#[derive(Debug)]
pub struct Mounts(());

impl Mounts {
    /// Gives this thread a namespace of its own. Returns `None` and prints why where the test lacks the rights for that.
    pub fn new() -> Option<Self> {
        // SAFETY: it changes what this thread sees of the file system, and no memory.
        let is_own = unsafe { libc::unshare(libc::CLONE_NEWNS) } == 0;
        if is_own && mount(&["--make-rprivate", "/"]) {
            return Some(Self(()));
        }
        assert!(std::env::var_os("CI").is_none(), "nothing can be mounted here: the test needs root");
        eprintln!("SKIPPED: nothing can be mounted here without being root");
        None
    }

    /// Mounts a file system of this kind at a folder, with the options of `mount -o`; whether the machine has it.
    pub fn try_mount(&self, kind: &str, options: &str, at: &Path) -> bool {
        let _ = std::fs::create_dir_all(at);
        mount(&["-t", kind, "-o", options, "none", &at.to_string_lossy()])
    }

    /// The same for one that every machine has.
    pub fn mount(&self, kind: &str, options: &str, at: &Path) {
        assert!(self.try_mount(kind, options, at), "{kind} ({options}) at {}", at.display());
    }

    /// Shows a file or folder in another place, too.
    pub fn bind(&self, what: &Path, at: &Path) {
        let [what, at] = [what, at].map(Path::to_string_lossy);
        assert!(mount(&["--rbind", &what, &at]), "{what} at {at}");
    }
}

fn mount(arguments: &[&str]) -> bool {
    Command::new("mount").args(arguments).status().is_ok_and(|status| status.success())
}
