//! Runs of programs. Every measurement is a process of its own, because a plugin can be loaded only
//! once in a process, and because memory that one run has touched would be cheap for the next.

use crate::measure::{Sample, resident_of};
use crate::{Bench, Result};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A program with its arguments, to which a new directory is appended.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    program: PathBuf,
    arguments: Vec<String>,
    variables: Vec<(&'static str, OsString)>,
    /// Whether the program works in the new directory.
    in_folder: bool,
}

impl Run {
    /// Creates a run; `arguments` is one text, separated by spaces.
    pub(crate) fn new(program: &Path, arguments: &str) -> Self {
        Self {
            program: program.to_owned(),
            arguments: arguments.split_whitespace().map(str::to_owned).collect(),
            variables: Vec::new(),
            in_folder: false,
        }
    }

    /// Lets the program work in the new directory.
    pub(crate) fn in_folder(mut self) -> Self {
        self.in_folder = true;
        self
    }

    fn enter(&self, command: &mut Command, folder: &Path) {
        if self.in_folder {
            command.current_dir(folder);
        }
    }

    /// Adds an environment variable.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// Runs the program in a directory that is kept.
    pub(crate) fn sample_in(&self, folder: &Path) -> Result<Sample> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(folder).envs(self.variables.iter().cloned());
        self.enter(&mut command, folder);
        Ok(output(&mut command)?.parse()?)
    }

    fn sample(&self, bench: &Bench) -> Result<Sample> {
        let folder = bench.folder()?;
        self.sample_in(folder.path())
    }

    /// Returns the peak memory of a run in KiB. The system is polled until the run ends, so the
    /// last moment is missed.
    pub(crate) fn peak(&self, folder: &Path) -> Result<u64> {
        let mut command = Command::new(&self.program);
        let mut child = command.args(&self.arguments).arg(folder).stdout(Stdio::null()).spawn()?;
        let mut peak = 0;
        let status = loop {
            peak = peak.max(resident_of(&child.id().to_string()));
            match child.try_wait()? {
                Some(status) => break status,
                None => sleep(Duration::from_millis(1)),
            }
        };
        if status.success() { Ok(peak) } else { Err(format!("{command:?}: {status}").into()) }
    }

    /// Returns the instructions of the whole run in user mode, for all threads.
    fn instructions(&self, bench: &Bench) -> Result<u64> {
        let folder = bench.folder()?;
        counted(bench, |command| {
            command.arg(&self.program).args(&self.arguments).arg(folder.path());
            command.envs(self.variables.iter().cloned());
            self.enter(command, folder.path());
        })
    }
}

/// Returns the instructions of a whole program in user mode, for all threads. `arguments` is one
/// text, separated by spaces; the path follows them.
pub(crate) fn whole(bench: &Bench, program: &Path, arguments: &str, path: &Path) -> Result<u64> {
    counted(bench, |command| _ = command.arg(program).args(arguments.split_whitespace()).arg(path))
}

/// Runs the command that `add` adds to callgrind's; returns its instructions.
fn counted(bench: &Bench, add: impl FnOnce(&mut Command)) -> Result<u64> {
    let folder = bench.folder()?;
    let counts = folder.path().join("callgrind.out");
    let mut option = OsString::from("--callgrind-out-file=");
    option.push(&counts);
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--log-file=/dev/null"]).arg(option);
    add(&mut command);
    output(&mut command)?;
    let text = fs::read_to_string(&counts)?;
    total(&text).ok_or_else(|| format!("{}: expected a line `totals:`", counts.display()).into())
}

/// Returns the total that callgrind writes at the end of its file.
fn total(counts: &str) -> Option<u64> {
    counts.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok())
}

/// The only line that the plugin may print: the host of the benches has no definition memory.
const NO_DEFINITION_MEMORY: &str =
    "kymo: definitions are incomplete because the host's memory has an unexpected layout";

/// Runs a command that must succeed and print nothing else on standard error; returns its output.
fn output(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && stderr.lines().all(|line| line.starts_with(NO_DEFINITION_MEMORY)) {
        return Ok(String::from_utf8(output.stdout)?);
    }
    Err(format!("{command:?}: {}\n{}", output.status, stderr).into())
}

/// Returns samples of each run, taken in rounds so that a slow minute of the machine affects all
/// runs alike.
pub(crate) fn interleaved(bench: &Bench, runs: &[Run]) -> Result<Vec<Vec<Sample>>> {
    let mut samples = vec![Vec::new(); runs.len()];
    for _ in 0..bench.repetitions {
        for (run, samples) in runs.iter().zip(&mut samples) {
            samples.push(run.sample(bench)?);
        }
    }
    Ok(samples)
}

/// Returns the instructions per unit, from runs of two sizes; `None` without valgrind.
pub(crate) fn instructions(
    bench: &Bench,
    sizes: (u64, u64),
    run: impl Fn(u64) -> Run,
) -> Result<Option<f64>> {
    if !bench.valgrind {
        return Ok(None);
    }
    let (small, large) = (run(sizes.0).instructions(bench)?, run(sizes.1).instructions(bench)?);
    Ok(Some((large as f64 - small as f64) / (sizes.1 - sizes.0) as f64))
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn the_total_is_in_the_totals_line() {
        assert_eq!(total("events: Ir\nsummary: 7\n\ntotals: 12345\n"), Some(12_345));
        assert_eq!(total("events: Ir\n"), None);
    }
}
