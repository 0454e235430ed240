//! Parallel programs, recognised by the libraries that they are linked with: their MPI, and
//! paradigms that are not recorded.

use std::ffi::OsString;
use std::path::Path;

use super::hints::libraries;
use super::program::Program;

/// A paradigm whose events are not recorded.
struct Paradigm {
    /// The names of its libraries up to `.so`.
    libraries: &'static [&'static str],
    what: &'static str,
}

const PARADIGMS: [Paradigm; 1] = [Paradigm {
    libraries: &["libgomp", "libomp", "libiomp5", "libnvomp"],
    what: "kymo record does not record OpenMP yet: its threads are recorded, but its parallel regions, \
           loops and barriers are not; to record these, build the program with Score-P (scorep gcc \
           -fopenmp …) and load the kymo plugin",
}];

/// The names of libraries of MPI up to the number of their interface, and what they are.
const MPI: [(&str, &str); 6] = [
    ("libmpi_abi.so", "the standard interface of MPI 5"),
    ("libmpi.so.40", "Open MPI 4 or 5"),
    ("libmpich.so.12", "MPICH"),
    ("libmpi.so.12", "MPICH, Intel MPI, MVAPICH or another of the MPICH family"),
    ("libmpi_cray.so", "Cray MPICH"),
    ("libmpi_gnu", "Cray MPICH"),
];

/// Programs that start the program named by an argument.
const LAUNCHERS: [&str; 19] = [
    "aprun",
    "env",
    "flux",
    "ibrun",
    "jsrun",
    "mpiexec",
    "mpiexec.hydra",
    "mpiexec.mpich",
    "mpiexec.openmpi",
    "mpirun",
    "mpirun.mpich",
    "mpirun.openmpi",
    "nice",
    "numactl",
    "orterun",
    "prterun",
    "srun",
    "taskset",
    "timeout",
];

/// Returns a line for each paradigm that this command uses and that is not recorded.
pub(super) fn missing(program: &Program, arguments: &[OsString]) -> Vec<String> {
    let some = |program: &Program| Some(of_program(program)).filter(|lines| !lines.is_empty());
    launched(program, arguments, some).unwrap_or_default()
}

/// Describes the MPI that this command uses: the program, its library, and what that is.
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

/// Finds something about a program or, if it is a launcher, about the programs that it is given.
fn launched<T>(program: &Program, arguments: &[OsString], find: impl Fn(&Program) -> Option<T>) -> Option<T> {
    find(program).or_else(|| {
        let is_launcher = LAUNCHERS.contains(&program.short_name().as_str());
        let mut given = arguments.iter().filter(|_| is_launcher).filter_map(|name| Program::find(name).ok());
        given.find_map(|program| find(&program))
    })
}

fn of_program(program: &Program) -> Vec<String> {
    let libraries = libraries(program);
    let line = |paradigm: &Paradigm| {
        let library = libraries.iter().filter_map(|path| file_name(path)).find(|name| paradigm.has(name))?;
        Some(format!("{} uses {library}: {}", program.path().display(), paradigm.what))
    };
    PARADIGMS.iter().filter_map(line).collect()
}

impl Paradigm {
    fn has(&self, library: &str) -> bool {
        library.split_once(".so").is_some_and(|(name, _)| self.libraries.contains(&name))
    }
}

fn file_name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}
