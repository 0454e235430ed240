//! Parallel programs whose paradigm is not recorded, recognised by the libraries that they are
//! linked with.

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

const PARADIGMS: [Paradigm; 2] = [
    Paradigm {
        libraries: &["libgomp", "libomp", "libiomp5", "libnvomp"],
        what: "kymo record does not record OpenMP yet: its threads are recorded, but its parallel regions, \
               loops and barriers are not; to record these, build the program with Score-P (scorep gcc \
               -fopenmp …) and load the kymo plugin",
    },
    Paradigm {
        libraries: &["libmpi", "libmpich", "libmpi_cray", "libmpi_gnu"],
        what: "kymo record does not record MPI yet: each process is recorded, but its messages and \
               collective operations are not; to record these, build the program with Score-P (scorep \
               mpicc …) and load the kymo plugin",
    },
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
    let lines = of_program(program);
    if !lines.is_empty() || !LAUNCHERS.contains(&program.short_name().as_str()) {
        return lines;
    }
    let launched = arguments.iter().filter_map(|name| Program::find(name).ok());
    launched.map(|program| of_program(&program)).find(|lines| !lines.is_empty()).unwrap_or_default()
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
