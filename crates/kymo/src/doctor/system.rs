//! Reads the facts that the checks judge.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Resource, getrlimit};

use crate::record;

/// The facts about a machine. `None` is unknown or absent.
#[derive(Debug, Default)]
pub(super) struct System {
    /// The folder of the runtime and the plugin, or why there is none.
    pub(super) libraries: Option<Result<PathBuf, String>>,
    /// `kernel.perf_event_paranoid`.
    pub(super) paranoid: Option<i64>,
    /// A filter of system calls applies, as in containers.
    pub(super) is_filtered: bool,
    pub(super) has_counters: bool,
    pub(super) is_root: bool,
    /// The clock of the kernel.
    pub(super) clock: Option<String>,
    /// Free and all bytes of `/dev/shm`.
    pub(super) shared: Option<(u64, u64)>,
    /// The limit of the address space in bytes.
    pub(super) address_space: Option<u64>,
    /// The limit of open files.
    pub(super) descriptors: Option<u64>,
    /// Launchers of MPI programs, and the line about their version.
    pub(super) launchers: Vec<(String, String)>,
    /// The output of `ldconfig -p`.
    pub(super) libraries_of_loader: String,
    /// The version of Score-P.
    pub(super) score_p: Option<String>,
    pub(super) has_otf2_print: bool,
    pub(super) has_display: bool,
}

const LAUNCHERS: [&str; 4] = ["mpirun", "mpiexec", "mpiexec.hydra", "srun"];

impl System {
    pub(super) fn read() -> Self {
        let launchers = LAUNCHERS.into_iter().filter_map(|name| Some((name.into(), version(name)?)));
        Self {
            libraries: Some(record::libraries()),
            paranoid: number("/proc/sys/kernel/perf_event_paranoid"),
            is_filtered: text("/proc/self/status").is_some_and(|status| has_filter(&status)),
            has_counters: Path::new("/sys/bus/event_source/devices/cpu").exists(),
            is_root: rustix::process::geteuid().is_root(),
            clock: text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
            shared: shared(),
            address_space: getrlimit(Resource::As).current,
            descriptors: getrlimit(Resource::Nofile).current,
            launchers: launchers.collect(),
            libraries_of_loader: loader(),
            score_p: version("scorep-config"),
            has_otf2_print: find("otf2-print").is_some(),
            has_display: ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].iter().any(|it| env::var_os(it).is_some()),
        }
    }
}

fn text(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

fn number(path: &str) -> Option<i64> {
    text(path)?.parse().ok()
}

/// Whether `/proc/self/status` states that a filter of system calls applies.
fn has_filter(status: &str) -> bool {
    status.lines().any(|line| line.strip_prefix("Seccomp:").is_some_and(|mode| mode.trim() == "2"))
}

fn shared() -> Option<(u64, u64)> {
    let found = rustix::fs::statvfs("/dev/shm").ok()?;
    Some((found.f_bavail * found.f_frsize, found.f_blocks * found.f_frsize))
}

/// Returns the path of a program.
fn find(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Returns the first line with a number that a program prints about its version.
fn version(name: &str) -> Option<String> {
    let mut command = Command::new(find(name)?);
    command.arg("--version").stdin(Stdio::null());
    let output = command.output().ok()?;
    let text =
        String::from_utf8_lossy(if output.stdout.is_empty() { &output.stderr } else { &output.stdout });
    // Hydra begins with a heading.
    let has_number = |line: &&str| line.contains(|it: char| it.is_ascii_digit());
    text.lines().map(str::trim).find(has_number).map(str::to_owned)
}

/// Returns the list of the loader's cache.
fn loader() -> String {
    let program = find("ldconfig").unwrap_or_else(|| PathBuf::from("/sbin/ldconfig"));
    let output = Command::new(program).arg("-p").stdin(Stdio::null()).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_of_system_calls_is_found() {
        assert!(has_filter("Name:\tx\nSeccomp:\t2\nSeccomp_filters:\t1\n"));
        assert!(!has_filter("Name:\tx\nSeccomp:\t0\nSeccomp_filters:\t0\n"));
    }
}
