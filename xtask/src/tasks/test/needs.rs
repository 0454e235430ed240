//! The programs that tests use, and the Debian packages that contain them. Each test that misses
//! one reports it (`kymo_testdata::missing`).

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::{compiler, program};

/// A program or library that tests use.
#[derive(Debug)]
pub(super) struct Need {
    /// The Debian packages, separated by spaces.
    pub(super) packages: &'static str,
    is_present: fn() -> bool,
}

static NEEDS: [Need; 20] = [
    Need { packages: "g++", is_present: || starts(&mut compiler("CXX", "c++")) },
    Need { packages: "otf2-tools", is_present: || starts(&mut program("otf2-print")) },
    Need { packages: "libopen-trace-format2-dev", is_present: has_libotf2 },
    Need { packages: "python3", is_present: || starts(&mut program("python3")) },
    Need {
        packages: "python3-venv",
        is_present: || {
            silent(program("python3").args(["-c", "import ensurepip"])).status().is_ok_and(|it| it.success())
        },
    },
    Need {
        packages: "nodejs npm",
        is_present: || ["node", "npm"].into_iter().all(|name| starts(&mut program(name))),
    },
    Need { packages: "chromium", is_present: || starts(&mut program("chromium")) },
    Need {
        packages: "python3-otf2",
        is_present: || ["python3", "/usr/bin/python3"].into_iter().any(has_bindings),
    },
    Need { packages: "gfortran", is_present: || starts(&mut compiler("FC", "gfortran")) },
    Need { packages: "clang libomp-dev", is_present: || starts(&mut compiler("CLANG", "clang")) },
    Need { packages: "git", is_present: || starts(&mut program("git")) },
    Need { packages: "strace", is_present: || starts(&mut program("strace")) },
    Need {
        packages: "libopenmpi-dev openmpi-bin",
        is_present: || ["mpicc", "mpirun"].into_iter().all(|name| starts(&mut program(name))),
    },
    Need {
        packages: "libmpich-dev mpich",
        is_present: || ["mpicc.mpich", "mpiexec.hydra"].into_iter().all(|name| starts(&mut program(name))),
    },
    Need { packages: "ocl-icd-opencl-dev pocl-opencl-icd", is_present: has_opencl },
    Need { packages: "pkgconf", is_present: || starts(&mut program("pkg-config")) },
    Need { packages: "cmake", is_present: || starts(&mut program("cmake")) },
    Need { packages: "xz-utils", is_present: || starts(&mut program("xz")) },
    Need { packages: "rpm", is_present: || starts(&mut program("rpmbuild")) },
    Need {
        packages: "lmod",
        is_present: || {
            ["/usr/share/lmod/lmod/init/bash", "/usr/share/modules/init/bash"]
                .into_iter()
                .any(|file| Path::new(file).exists())
        },
    },
];

/// Returns the needs that this machine does not meet.
pub(super) fn missing() -> Vec<&'static Need> {
    NEEDS.iter().filter(|need| !(need.is_present)()).collect()
}

/// Returns whether a program exists.
fn starts(command: &mut Command) -> bool {
    silent(command).arg("--version").status().is_ok()
}

fn silent(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
}

fn has_bindings(python: &str) -> bool {
    silent(program(python).args(["-c", "import otf2"])).status().is_ok_and(|status| status.success())
}

fn has_libotf2() -> bool {
    has_header("otf2/otf2.h")
}

/// Returns whether OpenCL has a header and a device.
fn has_opencl() -> bool {
    has_header("CL/cl.h") && Path::new("/etc/OpenCL/vendors/pocl.icd").exists()
}

fn has_header(name: &str) -> bool {
    let mut compiler = compiler("CC", "cc");
    silent(compiler.args(["-fsyntax-only", "-x", "c", "-"])).stdin(Stdio::piped());
    let Ok(mut child) = compiler.spawn() else { return false };
    let source = child.stdin.take();
    let written = source.is_some_and(|mut source| writeln!(source, "#include <{name}>").is_ok());
    written && child.wait().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_exist_is_missing() {
        assert!(starts(&mut program("cargo")));
        assert!(!starts(&mut program("kymo-has-no-such-program")));
        assert!(!has_bindings("kymo-has-no-such-program"));
    }
}
