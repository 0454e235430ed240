//! The programs that judge archives, and recovery. Each has a time limit.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The limit on a program's CPU time.
const CPU_LIMIT: Duration = Duration::from_secs(60);

/// The result of a recovery.
#[derive(Debug)]
pub(super) struct Recovered {
    pub(super) output: Output,
    pub(super) took: Duration,
}

impl Recovered {
    /// Returns the number of dropped records by location id, from the fifth column of the table.
    pub(super) fn dropped(&self) -> Vec<(u64, u64)> {
        let stdout = String::from_utf8_lossy(&self.output.stdout);
        let row = |line: &str| {
            let columns: Vec<u64> = line.split_whitespace().take(7).map_while(|it| it.parse().ok()).collect();
            (columns.len() == 7).then(|| (columns[1], columns[4]))
        };
        stdout.lines().filter_map(row).collect()
    }

    pub(super) fn text(&self) -> String {
        text(&self.output)
    }
}

/// Returns the exit status and output of a program.
pub(super) fn text(output: &Output) -> String {
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    format!("{}\n{stdout}{stderr}", output.status)
}

/// Runs `kymo recover` from one directory into another.
pub(super) fn recover(kymo: &Path, from: &Path, to: &Path, arguments: &[&str]) -> io::Result<Recovered> {
    let began = Instant::now();
    let mut command = Command::new(kymo);
    let output = in_time(command.arg("recover").arg(from).arg("-o").arg(to).args(arguments))?;
    Ok(Recovered { output, took: began.elapsed() })
}

/// Checks that `kymo check` finds no error and that `otf2-print` reads to the end.
pub(super) fn judge(kymo: &Path, anchor: &Path) -> Result<(), String> {
    let output = in_time(Command::new(kymo).arg("check").arg(anchor));
    let output = output.map_err(|error| format!("kymo check: {error}"))?;
    if !output.status.success() {
        return Err(format!("kymo check: {}", text(&output)));
    }
    let output = in_time(Command::new("otf2-print").arg("--silent").arg(anchor));
    let output = output.map_err(|error| format!("otf2-print: {error}"))?;
    if !output.status.success() || !output.stderr.is_empty() {
        return Err(format!("otf2-print: {}", text(&output)));
    }
    Ok(())
}

/// Runs a program with a limit on its CPU time, after which the kernel kills it.
fn in_time(command: &mut Command) -> io::Result<Output> {
    let limit = libc::rlimit { rlim_cur: CPU_LIMIT.as_secs(), rlim_max: CPU_LIMIT.as_secs() + 1 };
    let set_limit = move || {
        // SAFETY: a system call with a structure that is alive.
        match unsafe { libc::setrlimit(libc::RLIMIT_CPU, &raw const limit) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    };
    // SAFETY: only a system call is made between fork and exec.
    unsafe { command.pre_exec(set_limit) };
    command.stdin(Stdio::null()).output()
}
