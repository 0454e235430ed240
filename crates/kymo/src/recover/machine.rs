//! This node and its processes, according to `/proc`.

use std::fs;
use std::os::unix::fs::MetadataExt;

use rustix::process::geteuid;

/// The node on which this process runs.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) node: String,
    pub(crate) boot: String,
    pub(super) user: u32,
}

impl Machine {
    /// Returns this node.
    pub(crate) fn here() -> Self {
        let line = |path| fs::read_to_string(path).unwrap_or_default().trim_end().to_owned();
        Machine {
            node: line("/proc/sys/kernel/hostname"),
            boot: line("/proc/sys/kernel/random/boot_id"),
            user: geteuid().as_raw(),
        }
    }

    /// Whether something was written on this node since it was booted. Unknown values are assumed
    /// to agree.
    pub(crate) fn is(&self, node: &str, boot: &str) -> bool {
        let agrees = |own: &str, other: &str| own.is_empty() || other.is_empty() || own == other;
        agrees(&self.node, node) && agrees(&self.boot, boot)
    }

    /// Returns when a process started, in ticks since boot; 0 if unknown.
    pub(crate) fn started(&self, process: u32) -> u64 {
        let stat = fs::read(format!("/proc/{process}/stat")).unwrap_or_default();
        let text = String::from_utf8_lossy(&stat).into_owned();
        let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
        fields.split_ascii_whitespace().nth(22 - 3).and_then(|field| field.parse().ok()).unwrap_or(0)
    }

    /// Whether a process that started at this time is still running here. A zombie counts as dead.
    pub(crate) fn runs(&self, process: u32, started: u64) -> bool {
        let stat = fs::read(format!("/proc/{process}/stat")).unwrap_or_default();
        // The name of the program, in parentheses, may contain anything.
        let rest = stat.iter().rposition(|&byte| byte == b')').and_then(|at| stat.get(at + 1..));
        let text = String::from_utf8_lossy(rest.unwrap_or_default()).into_owned();
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let is_dead = matches!(fields.first(), None | Some(&"Z" | &"X"));
        // The first of these is field 3.
        !is_dead && fields.get(22 - 3).and_then(|field| field.parse().ok()) == Some(started)
    }

    /// Whether a file belongs to the user.
    pub(super) fn owns(&self, metadata: &fs::Metadata) -> bool {
        self.user == metadata.uid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn started(process: u32) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        stat.rsplit(')').next().unwrap().split_ascii_whitespace().nth(19).unwrap().parse().unwrap()
    }

    #[test]
    fn processes_run_until_they_are_dead() {
        let machine = Machine::here();
        let mut child = Command::new("sleep").arg("100").spawn().unwrap();
        let (process, start) = (child.id(), started(child.id()));
        assert!(machine.runs(process, start));
        assert!(!machine.runs(process, start + 1));
        child.kill().unwrap();
        // Dead, but not waited for.
        while fs::read_to_string(format!("/proc/{process}/stat")).unwrap().contains(") S") {
            std::thread::yield_now();
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(!machine.runs(process, start));
        child.wait().unwrap();
        assert!(!machine.runs(process, start));
    }

    #[test]
    fn nodes_are_distinguished() {
        let machine = Machine { node: "n1".into(), boot: "b1".into(), user: 0 };
        assert!(machine.is("n1", "b1") && machine.is("n1", "") && machine.is("", ""));
        assert!(!machine.is("n2", "b1") && !machine.is("n1", "b2"));
    }
}
