//! The steps of `cargo xtask deep`, and their results.

use std::fmt::{self, Display};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::process::{cargo, script};
use crate::{Problem, of};

/// A task with a name.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// Lines of arguments of `cargo xtask`, or scripts, run in sequence.
    tasks: &'static [&'static str],
    /// The Debian packages that it needs next to those of `scripts/test`.
    pub(super) packages: &'static str,
}

/// The long ones first, so that the last one to end is short.
pub(super) const STEPS: &[Step] = &[
    Step {
        name: "miri",
        about: "tests of the recorder and the format in an interpreter that finds undefined behaviour",
        tasks: &["miri"],
        packages: "",
    },
    Step {
        name: "release",
        about: "the files that users receive, for all machines, with full optimisation, and their trial",
        tasks: &["release", "trial"],
        packages: "binutils python3-venv mmdebstrap lintian",
    },
    Step {
        name: "long",
        about: "the long forms of the tests that the gate runs for a part of their length",
        tasks: &["long"],
        packages: "g++ otf2-tools libopen-trace-format2-dev python3-venv strace default-jre-headless",
    },
    Step {
        name: "faults",
        about: "every call of the plugin and the runtime fails, in sequence",
        tasks: &["faults 1"],
        packages: "g++",
    },
    Step {
        name: "packages",
        about: "the packages for crates.io, and the command installed from them",
        tasks: &["packages --install"],
        packages: "",
    },
    Step {
        name: "kills",
        about: "a thousand programs killed while they record",
        tasks: &["kills 1000"],
        packages: "g++",
    },
    Step { name: "fuzz", about: "a minute of fuzzing for each parser", tasks: &["fuzz 60"], packages: "" },
    Step {
        name: "aarch64",
        about: "everything compiles for aarch64; tests of the format and a replay in an emulator",
        tasks: &["aarch64"],
        packages: "otf2-tools qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    },
    Step {
        name: "address",
        about: "the plugin and the C libraries under AddressSanitizer",
        tasks: &["sanitize address"],
        packages: "",
    },
    Step {
        name: "thread",
        about: "the plugin under ThreadSanitizer",
        tasks: &["sanitize thread"],
        packages: "",
    },
    Step {
        name: "loom",
        about: "every order in which memory can be handed over",
        tasks: &["loom"],
        packages: "",
    },
    Step {
        name: "features",
        about: "features on and off: zlib, those for sanitizers, the bindings from libclang",
        tasks: &["features"],
        packages: "libclang-dev",
    },
    Step {
        name: "oldest-rust",
        about: "the oldest Rust that is supported compiles everything",
        tasks: &["msrv"],
        packages: "",
    },
    Step {
        name: "demos",
        about: "the demos of the README as a user types them, with what they build",
        tasks: &["scripts/demo-record", "scripts/demo"],
        packages: "otf2-tools",
    },
    Step {
        name: "licences",
        about: "licences and sources of dependencies, with cargo-deny",
        tasks: &["licences"],
        packages: "",
    },
    Step {
        name: "book",
        about: "the book of docs, with mdBook, and its links",
        tasks: &["book"],
        packages: "",
    },
];

impl Step {
    pub(super) fn log(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.log", self.name))
    }

    pub(super) fn result(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.result", self.name))
    }

    pub(super) fn has_passed(&self, folder: &Path, commit: &str) -> bool {
        !commit.is_empty() && Ended::read(&self.result(folder), commit).is_some_and(|ended| ended.passed)
    }

    /// Runs the tasks up to the first that fails, and keeps the result.
    pub(super) fn run(&self, folder: &Path, commit: &str) -> Result<Ended, Problem> {
        let log = self.log(folder);
        let file = File::create(&log).map_err(|error| of(&log, error))?;
        let began = Instant::now();
        let mut passed = true;
        for task in self.tasks {
            let [output, errors] = [file.try_clone(), file.try_clone()].map(|file| file.map(Stdio::from));
            let mut command = command(task);
            command.stdin(Stdio::null());
            command.stdout(output.map_err(|error| of(&log, error))?);
            command.stderr(errors.map_err(|error| of(&log, error))?);
            let status = command.status().map_err(|error| of(Path::new(task), error))?;
            passed = status.success();
            if !passed {
                break;
            }
        }
        let ended = Ended { passed, seconds: began.elapsed().as_secs() };
        ended.write(&self.result(folder), commit)?;
        Ok(ended)
    }
}

/// Returns a command for arguments of `cargo xtask`, or for a script. A build may have replaced the
/// running program.
fn command(task: &str) -> Command {
    if task.starts_with("scripts/") { script(task) } else { cargo(&format!("xtask {task}")) }
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) passed: bool,
    pub(super) seconds: u64,
}

impl Ended {
    /// Reads the result for a commit.
    pub(super) fn read(path: &Path, commit: &str) -> Option<Self> {
        let text = fs::read_to_string(path).ok()?;
        let [of, word, seconds] = text.trim_end_matches('\n').split('\t').collect::<Vec<_>>()[..] else {
            return None;
        };
        let seconds = seconds.parse().ok()?;
        (of == commit).then_some(Self { passed: word == "passed", seconds })
    }

    fn write(self, path: &Path, commit: &str) -> Result<(), Problem> {
        let text = format!("{commit}\t{}\t{}\n", self.word(), self.seconds);
        fs::write(path, text).map_err(|error| of(path, error))
    }

    pub(super) fn word(self) -> &'static str {
        if self.passed { "passed" } else { "FAILED" }
    }
}

impl Display for Ended {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} after {} s", self.word(), self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_valid_for_its_commit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("result");
        assert_eq!(Ended::read(&path, "abc"), None);
        let ended = Ended { passed: true, seconds: 61 };
        ended.write(&path, "abc").expect("a file");
        assert_eq!(Ended::read(&path, "abc"), Some(ended));
        assert_eq!(Ended::read(&path, "abd"), None);
    }

    #[test]
    fn every_step_has_its_own_name() {
        let names: std::collections::BTreeSet<_> = STEPS.iter().map(|step| step.name).collect();
        assert_eq!(names.len(), STEPS.len());
    }
}
