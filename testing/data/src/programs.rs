//! The programs, libraries and rights that tests need, and the packages of Debian that have them.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::{missing, unavailable};

/// libotf2 and its headers.
pub const LIBOTF2: &str = "libotf2 (Debian: libopen-trace-format2-dev)";

/// The Python bindings of OTF2.
pub const PYTHON_BINDINGS: &str = "the OTF2 Python bindings (Debian: python3-otf2)";

/// The right to mount file systems.
pub const MOUNTING: &str = "the right to mount file systems (root)";

/// The right to trace processes.
pub const TRACING: &str = "the right to trace processes (ptrace)";

/// The variable with the folder in which Open MPI keeps the files of a job. Each job of a test needs
/// its own: of two that create the usual folder at the same time, one fails.
pub const OPEN_MPI_FOLDER: &str = "OMPI_MCA_orte_tmpdir_base";

/// The packages of programs that have other names.
const PACKAGES: [(&str, &str); 30] = [
    ("c++", "g++"),
    ("cc", "gcc libc6-dev"),
    ("chromium", "chromium"),
    ("clang", "clang libomp-dev"),
    ("cmake", "cmake"),
    ("gfortran", "gfortran"),
    ("git", "git"),
    ("make", "make"),
    ("mpicc", "libopenmpi-dev"),
    ("mpicc.mpich", "libmpich-dev"),
    ("mpicc.openmpi", "libopenmpi-dev"),
    ("mpicxx", "libopenmpi-dev"),
    ("mpiexec.hydra", "mpich"),
    ("mpif90.mpich", "libmpich-dev gfortran"),
    ("mpif90.openmpi", "libopenmpi-dev gfortran"),
    ("mpirun", "openmpi-bin"),
    ("mpirun.openmpi", "openmpi-bin"),
    ("nm", "binutils"),
    ("node", "nodejs"),
    ("npm", "npm"),
    ("otf2-estimator", "otf2-tools"),
    ("otf2-marker", "otf2-tools"),
    ("otf2-print", "otf2-tools"),
    ("otf2-snapshots", "otf2-tools"),
    ("pkg-config", "pkgconf"),
    ("python3", "python3"),
    ("rpmbuild", "rpm"),
    ("script", "bsdutils"),
    ("strace", "strace"),
    ("unshare", "util-linux"),
];

/// Returns a command that runs a program, or ends the calling test if the program is not installed.
pub fn program(name: &str) -> Command {
    found(name.into(), name)
}

/// Returns a command that runs Python, or ends the calling test if it is not installed.
///
/// `python3` may be a script that selects a version, and takes longer than the program that it
/// starts. It is asked once.
pub fn python() -> Command {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let python = PYTHON.get_or_init(|| {
        let output = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
        let path = PathBuf::from(String::from_utf8(output.ok()?.stdout).ok()?.trim_end());
        is_program(path.as_os_str()).then_some(path)
    });
    found(python.as_ref().map_or_else(|| "python3".into(), |path| path.clone().into()), "python3")
}

/// Ends the calling test if a program that it starts is not installed.
pub fn require(name: &str) {
    drop(program(name));
}

/// Returns a command that runs the compiler that a variable names, or else the usual one. Ends the
/// calling test if that is not installed.
pub fn compiler(variable: &str, usual: &str) -> Command {
    found(env::var_os(variable).unwrap_or_else(|| usual.into()), usual)
}

/// Runs a command that must succeed, and returns its output.
///
/// # Panics
///
/// If it does not.
#[track_caller]
pub fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{command:?}: {}\n{stdout}{stderr}", output.status);
    output
}

/// Returns whether a program is installed. If it is not, it is reported as missing.
pub fn is_installed(name: &str) -> bool {
    let is_found = is_program(name.as_ref());
    if !is_found {
        missing(&with_package(name));
    }
    is_found
}

/// Returns a Python with the OTF2 bindings. Returns `None`, and reports them as missing, if there is
/// none.
pub fn python_with_bindings() -> Option<&'static str> {
    let has_bindings = |python: &&str| {
        let output = Command::new(python).args(["-c", "import otf2"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let found = ["python3", "/usr/bin/python3"].into_iter().find(has_bindings);
    if found.is_none() {
        missing(PYTHON_BINDINGS);
    }
    found
}

/// Reports that packages cannot be installed in a virtual environment of Python. Returns `None`.
pub fn lacks_python_packages<T>(packages: &[&str]) -> Option<T> {
    let has_venv = || Command::new("python3").args(["-c", "import ensurepip"]).output();
    if !is_installed("python3") {
        return None;
    }
    if has_venv().is_ok_and(|output| output.status.success()) {
        eprintln!("cannot install {packages:?}");
        missing("packages of PyPI (network)");
    } else {
        missing("virtual environments of Python (Debian: python3-venv)");
    }
    None
}

fn found(program: OsString, usual: &str) -> Command {
    if !is_program(&program) {
        let other = if program == usual { None } else { Some(format!("{} (${usual})", program.display())) };
        unavailable(&other.unwrap_or_else(|| with_package(usual)));
    }
    Command::new(program)
}

/// Returns whether the shell would find a program.
fn is_program(name: &OsStr) -> bool {
    let is_file =
        |path: &Path| path.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0);
    if Path::new(name).components().count() > 1 {
        return is_file(Path::new(name));
    }
    env::split_paths(&env::var_os("PATH").unwrap_or_default()).any(|folder| is_file(&folder.join(name)))
}

/// Returns the name of a program with the package to install.
fn with_package(name: &str) -> String {
    match PACKAGES.iter().find(|row| row.0 == name) {
        Some((_, packages)) => format!("{name} (Debian: {packages})"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_as_the_shell_finds_them() {
        for name in ["sh", "/bin/sh"] {
            assert!(is_program(name.as_ref()), "{name}");
        }
        // The last two are a file that cannot be run, and a folder.
        for name in ["kymo-has-no-such-program", "/bin/kymo-has-no-such-program", "/etc/passwd", "/bin"] {
            assert!(!is_program(name.as_ref()), "{name}");
        }
    }

    #[test]
    fn names_state_what_to_install() {
        assert_eq!(with_package("otf2-print"), "otf2-print (Debian: otf2-tools)");
        assert_eq!(with_package("kymo-has-no-such-program"), "kymo-has-no-such-program");
    }
}
