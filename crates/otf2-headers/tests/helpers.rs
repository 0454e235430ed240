//! The functions of OTF2_MPI_Collectives.h, OTF2_Pthread_Locks.h and OTF2_OpenMP_Locks.h. The
//! programs contain functions in place of those of the library, so that they call the callbacks
//! themselves.

use super::common::{LANGUAGES, Language, accept_with, build, compiler_for, package, run};
use std::path::PathBuf;
use std::process::Command;

/// The functions, as libotf2 declares them.
const DECLARATIONS: [(&str, &str); 3] = [
    (
        "OTF2_MPI_Collectives.h",
        "static OTF2_ErrorCode OTF2_MPI_Archive_SetCollectiveCallbacks( OTF2_Archive*, MPI_Comm, MPI_Comm );
         static OTF2_ErrorCode OTF2_MPI_Archive_SetCollectiveCallbacksSplit( OTF2_Archive*, MPI_Comm, uint32_t );
         static OTF2_ErrorCode OTF2_MPI_Reader_SetCollectiveCallbacks( OTF2_Reader*, MPI_Comm );",
    ),
    (
        "OTF2_Pthread_Locks.h",
        "static OTF2_ErrorCode OTF2_Pthread_Archive_SetLockingCallbacks( OTF2_Archive*, const pthread_mutexattr_t* );
         static OTF2_ErrorCode OTF2_Pthread_Reader_SetLockingCallbacks( OTF2_Reader*, const pthread_mutexattr_t* );",
    ),
    (
        "OTF2_OpenMP_Locks.h",
        "static OTF2_ErrorCode OTF2_OpenMP_Archive_SetLockingCallbacks( OTF2_Archive* );
         static OTF2_ErrorCode OTF2_OpenMP_Reader_SetLockingCallbacks( OTF2_Reader* );",
    ),
];

#[test]
fn helpers_have_the_declarations_of_libotf2() {
    for (header, declarations) in DECLARATIONS {
        for language in LANGUAGES {
            let Some(compiler) = compiler_for(header, language) else { continue };
            let text = format!("#include <otf2/{header}>\n{declarations}\n");
            accept_with(compiler, language, &text);
        }
    }
}

/// Compiles a program of `tests/programs` for a header; `None` if something that the header needs
/// is missing.
fn program(name: &str, header: &str, language: Language) -> Option<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir().expect("a folder");
    let source = package().join("tests/programs").join(name);
    let program = build(compiler_for(header, language)?, language, &source, folder.path(), &[]);
    Some((folder, program))
}

#[test]
fn locks_exclude_other_threads() {
    for language in [Language::C("c99"), Language::Cpp("c++11")] {
        for (name, header) in [("pthread.c", "OTF2_Pthread_Locks.h"), ("openmp.c", "OTF2_OpenMP_Locks.h")] {
            let (_folder, program) = program(name, header, language).expect("a compiler");
            assert_eq!(run(&mut Command::new(program)), "400000\n", "{name}");
        }
    }
}

#[test]
fn collectives_transfer_the_data_of_all_ranks() {
    for language in [Language::C("c99"), Language::Cpp("c++11")] {
        let Some((folder, program)) = program("mpi.c", "OTF2_MPI_Collectives.h", language) else { return };
        let mut command = Command::new("mpirun");
        command.env(kymo_testdata::OPEN_MPI_FOLDER, folder.path());
        // Only on this machine, so that ssh is not used.
        command.args([
            "--mca",
            "plm",
            "isolated",
            "--oversubscribe",
            "--allow-run-as-root",
            "--timeout",
            "120",
        ]);
        assert_eq!(run(command.args(["-np", "5"]).arg(program)), "5 ranks\n");
    }
}
