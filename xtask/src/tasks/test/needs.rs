//! The programs that tests compare with, and the consequences of each absence.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::{compiler, program};

/// A program or library that tests use.
#[derive(Debug)]
pub(super) struct Need {
    /// The Debian packages, separated by spaces.
    pub(super) packages: &'static str,
    /// What happens without it.
    pub(super) consequence: &'static str,
    is_present: fn() -> bool,
}

static NEEDS: [Need; 18] = [
    Need {
        packages: "g++",
        consequence: "the tests that compile headers as C++ FAIL",
        is_present: || starts(&mut compiler("CXX", "c++")),
    },
    Need {
        packages: "otf2-tools",
        consequence: "reading our archives with otf2-print is not tested; plugin tests that compare its output FAIL",
        is_present: || starts(&mut program("otf2-print")),
    },
    Need {
        packages: "libopen-trace-format2-dev",
        consequence: "the byte-for-byte comparison with libotf2, and our headers against its headers, are not tested",
        is_present: has_libotf2,
    },
    Need {
        packages: "python3",
        consequence: "the tests of the plugin that run compare-traces FAIL",
        is_present: || starts(&mut program("python3")),
    },
    Need {
        packages: "python3-venv",
        consequence: "reading exported tables with DuckDB, pandas, Polars and pyarrow is not tested",
        is_present: || {
            silent(program("python3").args(["-c", "import ensurepip"])).status().is_ok_and(|it| it.success())
        },
    },
    Need {
        packages: "nodejs npm",
        consequence: "reading exported time lines with Perfetto's trace processor is not tested",
        is_present: || ["node", "npm"].into_iter().all(|name| starts(&mut program(name))),
    },
    Need {
        packages: "chromium",
        consequence: "the pages of kymo report are not opened in a browser",
        is_present: || starts(&mut program("chromium")),
    },
    Need {
        packages: "python3-otf2",
        consequence: "reading our archives with the OTF2 Python bindings is not tested",
        is_present: || ["python3", "/usr/bin/python3"].into_iter().any(has_bindings),
    },
    Need {
        packages: "gfortran",
        consequence: "the tests that record Fortran programs FAIL",
        is_present: || starts(&mut compiler("FC", "gfortran")),
    },
    Need {
        packages: "clang libomp-dev",
        consequence: "the tests that record programs with OpenMP FAIL",
        is_present: || starts(&mut compiler("CLANG", "clang")),
    },
    Need {
        packages: "git",
        consequence: "the test that records git FAILS",
        is_present: || starts(&mut program("git")),
    },
    Need {
        packages: "strace",
        consequence: "the loss of power is not tested",
        is_present: || starts(&mut program("strace")),
    },
    Need {
        packages: "libopenmpi-dev openmpi-bin",
        consequence: "the plugin and OTF2_MPI_Collectives.h in programs with real MPI are not tested",
        is_present: || ["mpicc", "mpirun"].into_iter().all(|name| starts(&mut program(name))),
    },
    Need {
        packages: "libmpich-dev mpich",
        consequence: "kymo record of programs with MPICH is not tested",
        is_present: || ["mpicc.mpich", "mpiexec.hydra"].into_iter().all(|name| starts(&mut program(name))),
    },
    Need {
        packages: "pkgconf",
        consequence: "the answers of pkg-config files are not tested, and the test of the installation FAILS",
        is_present: || starts(&mut program("pkg-config")),
    },
    Need {
        packages: "cmake",
        consequence: "the CMake package is not tested",
        is_present: || starts(&mut program("cmake")),
    },
    Need {
        packages: "rpm",
        consequence: "the RPM package is not tested",
        is_present: || starts(&mut program("rpmbuild")),
    },
    Need {
        packages: "lmod",
        consequence: "the module files and the installation by EasyBuild are not tested",
        is_present: || {
            ["/usr/share/lmod/lmod/init/bash", "/usr/share/modules/init/bash"]
                .into_iter()
                .any(|file| Path::new(file).exists())
        },
    },
];

/// Returns what is missing on this machine.
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
    let mut compiler = compiler("CC", "cc");
    silent(compiler.args(["-fsyntax-only", "-x", "c", "-"])).stdin(Stdio::piped());
    let Ok(mut child) = compiler.spawn() else { return false };
    let source = child.stdin.take();
    let written = source.is_some_and(|mut source| source.write_all(b"#include <otf2/otf2.h>\n").is_ok());
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
