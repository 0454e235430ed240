//! Parallel programs, recognised by the libraries that they are linked with: their MPI, and their
//! OpenMP runtime.

use std::ffi::OsString;
use std::path::Path;

use kymo_launch::is_launcher;

use super::hints::libraries;
use super::program::Program;

/// The names of libraries of OpenMP up to `.so`, each with the name of the product.
const OPENMP: [(&str, &str); 4] = [
    (GOMP, "gcc's runtime, which tells nothing about loops with a static schedule, masked and flush"),
    ("libomp", "LLVM's runtime"),
    ("libiomp5", "Intel's runtime"),
    ("libnvomp", "NVIDIA's runtime"),
];

/// The name of gcc's runtime.
const GOMP: &str = "libgomp";

/// The names of libraries of MPI up to the number of their interface, each with the name of the
/// product.
const MPI: [(&str, &str); 6] = [
    ("libmpi_abi.so", "the standard interface of MPI 5"),
    ("libmpi.so.40", "Open MPI 4 or 5"),
    ("libmpich.so.12", "MPICH"),
    ("libmpi.so.12", "MPICH, Intel MPI, MVAPICH or another of the MPICH family"),
    ("libmpi_cray.so", "Cray MPICH"),
    ("libmpi_gnu", "Cray MPICH"),
];

/// Programs, other than launchers of jobs, that start the program named by an argument.
const STARTERS: [&str; 5] = ["env", "nice", "numactl", "taskset", "timeout"];

/// Describes the OpenMP runtime that this command uses: the program, its library, and the product.
pub(super) fn openmp(program: &Program, arguments: &[OsString], is_replaced: bool) -> Option<String> {
    launched(program, arguments, |program| {
        let mut names = libraries(program).iter().filter_map(|path| file_name(path));
        names.find_map(|library| {
            let (name, _) = library.split_once(".so")?;
            let (name, what) = OPENMP.iter().find(|(known, _)| *known == name)?;
            let what = if is_replaced && *name == GOMP { "replaced by LLVM's runtime" } else { what };
            Some(format!("{} uses {library}: {what}", program.path().display()))
        })
    })
}

/// Describes the MPI that this command uses: the program, its library, and the product.
pub(super) fn mpi(program: &Program, arguments: &[OsString]) -> Option<String> {
    launched(program, arguments, |program| {
        let names = libraries(program).iter().filter_map(|path| file_name(path));
        let known = names.filter_map(|name| {
            let (_, what) = MPI.iter().find(|(begin, _)| name.starts_with(begin))?;
            Some(format!("{} uses {name}: {what}", program.path().display()))
        });
        known.min_by_key(|text| MPI.iter().position(|(begin, _)| text.contains(begin)))
    })
}

/// Finds something about a program or, if it starts others, about the programs that it is given.
pub(super) fn launched<T>(
    program: &Program,
    arguments: &[OsString],
    find: impl Fn(&Program) -> Option<T>,
) -> Option<T> {
    find(program).or_else(|| {
        let name = program.short_name();
        let starts_others = STARTERS.contains(&name.as_str()) || is_launcher(name.as_bytes());
        let mut given =
            arguments.iter().filter(|_| starts_others).filter_map(|name| Program::find(name).ok());
        given.find_map(|program| find(&program))
    })
}

fn file_name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}
