//! A control group that limits memory, in either version of the interface, for tests with the
//! necessary rights.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A control group; it is removed when dropped, after its processes have ended.
#[derive(Debug)]
pub struct MemoryGroup(PathBuf);

impl MemoryGroup {
    /// Creates a group with a limit in bytes. Returns `None`, and reports it, if the test
    /// lacks the rights.
    pub fn new(name: &str, limit: u64) -> Option<Self> {
        let made =
            [("memory", "memory.limit_in_bytes"), ("", "memory.max")].iter().find_map(|(parent, file)| {
                let parent = Path::new("/sys/fs/cgroup").join(parent);
                // Version 2 gives a group the memory controller only if its parent enables it.
                let _ = fs::write(parent.join("cgroup.subtree_control"), "+memory");
                let group = Self(parent.join(format!("kymo-{name}-{}", std::process::id())));
                fs::create_dir(&group.0).ok()?;
                fs::write(group.0.join(file), limit.to_string()).ok().map(|()| group)
            });
        if made.is_none() {
            kymo_testdata::missing("the right to limit memory with control groups (root)");
        }
        made
    }

    /// Returns a command that joins the group and then becomes `program`.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", r#"echo $$ > "$0" && exec "$@""#]).arg(self.0.join("cgroup.procs")).arg(program);
        command
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}
