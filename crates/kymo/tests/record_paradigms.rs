//! `kymo record` names the OpenMP runtime and the MPI of a program.

use std::fs;
use std::process::Stdio;

use crate::record_fake::{Ended, TestFolder, cc, write_program};

/// Builds a program linked with an empty library of this name.
fn linked_with(folder: &TestFolder, library: &str) -> String {
    let (empty, main) = (folder.path("empty.c"), folder.path("main.c"));
    fs::write(&empty, "int something;\n").expect("a file");
    fs::write(&main, "extern int something; int main(void) { return something; }\n").expect("a file");
    let [empty, main] = [&empty, &main].map(|path| path.to_str().expect("a path"));
    let path = folder.path(library);
    cc(&["-shared", "-fPIC", &format!("-Wl,-soname,{library}"), empty], &path);
    let name = format!("./with-{}", library.split('.').next().unwrap_or_default());
    cc(&["-Wl,-rpath,$ORIGIN", main, path.to_str().expect("a path")], &folder.path(&name));
    name
}

/// The libraries of OpenMP, each with the name of the product.
const RUNTIMES: [(&str, &str); 3] = [
    (
        "libgomp.so.1",
        "gcc's runtime, which tells nothing about loops with a static schedule, masked and flush",
    ),
    ("libomp.so.5", "LLVM's runtime"),
    ("libiomp5.so", "Intel's runtime"),
];

/// A program that uses OpenMP, but of which no parallel region is recorded: the fake runtime of
/// these tests records none.
#[test]
fn a_dry_run_and_the_end_name_the_openmp_runtime() {
    let folder = TestFolder::new();
    for (library, what) in RUNTIMES {
        let program = linked_with(&folder, library);
        let ended = folder.run(&["--", &program]);
        let expected = format!("{program} uses {library}: {what}");
        let none = format!("{expected}; no parallel region was recorded");
        assert_eq!((ended.status, ended.messages().last()), (Some(0), Some(&none.as_str())), "{ended:?}");
        let ended = folder.run(&["--dry-run", "--", &program]);
        assert!(ended.stdout.contains(&format!("openmp:        {expected}\n")), "{ended:?}");
        let ended = folder.run(&["--with", "threads", "--", &program]);
        assert!(!ended.stderr.contains("parallel region"), "{ended:?}");
        let ended = folder.run(&["--dry-run", "--with", "threads", "--", &program]);
        assert!(ended.stdout.contains("openmp:        not requested\n"), "{ended:?}");
    }
    let ended = folder.run(&["true"]);
    assert!(!ended.stderr.contains("parallel region"), "{ended:?}");
}

/// A launcher, a shell or `env` is not itself linked with OpenMP. The missing events were not
/// reported.
#[test]
fn missing_openmp_events_under_a_launcher_are_reported() {
    let folder = TestFolder::new();
    let program = linked_with(&folder, "libgomp.so.1");
    write_program(&folder.path("mpirun"), b"#!/bin/sh\nshift 2; \"$@\"; \"$@\"\n");
    let ended = folder.run(&["--", "./mpirun", "-n", "2", &program, "argument"]);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    assert_eq!(ended.stderr.matches("; no parallel region was recorded").count(), 1, "{ended:?}");
    // A program that is only an argument does not count.
    let ended = folder.run(&["--", "ls", &program]);
    assert!(!ended.stderr.contains("parallel region"), "{ended:?}");
}

/// The report was printed once for each rank.
#[test]
fn missing_openmp_events_are_reported_once() {
    let folder = TestFolder::new();
    let program = linked_with(&folder, "libgomp.so.1");
    let start = |rank: &str| {
        let mut command = folder.command(&["-o", "o", "--", &program]);
        command.env("OMPI_COMM_WORLD_RANK", rank).env("OMPI_COMM_WORLD_SIZE", "2").env("PMIX_NAMESPACE", "7");
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("kymo")
    };
    let ended = ["0", "1"].map(start).map(|child| Ended::of(&child.wait_with_output().expect("an end")));
    let times: usize = ended.iter().map(|ended| ended.stderr.matches("no parallel region").count()).sum();
    assert_eq!(times, 1, "{ended:?}");
}

/// LLVM's runtime has no functions for offloading: a program that needs them keeps its own.
#[test]
fn a_program_that_needs_what_the_other_runtime_lacks_is_refused() {
    let folder = TestFolder::new();
    let (library, main) = (folder.path("offload.c"), folder.path("main.c"));
    fs::write(&library, "void GOMP_target_ext(void) {} void GOMP_parallel(void) {}\n").expect("a file");
    fs::write(&main, "void GOMP_target_ext(void); int main(void) { GOMP_target_ext(); return 0; }\n")
        .expect("a file");
    let path = folder.path("libgomp.so.1");
    let [library, main] = [&library, &main].map(|path| path.to_str().expect("a path"));
    cc(&["-shared", "-fPIC", "-Wl,-soname,libgomp.so.1", library], &path);
    let own = path.to_str().expect("a path");
    cc(&["-Wl,-rpath,$ORIGIN", main, own], &folder.path("./offloads"));
    let ended = folder.run(&["--with", "openmp=libomp", "--", "./offloads"]);
    assert_eq!(ended.status, Some(125), "{ended:?}");
    assert!(ended.stderr.contains("needs GOMP_target_ext, which "), "{ended:?}");
    let ended = folder.run(&["--with", "openmp", "--", "./offloads"]);
    assert_eq!(ended.status, Some(0), "{ended:?}");
}

/// A dry run names the library of MPI, also that of a program under a launcher.
#[test]
fn a_dry_run_names_the_mpi() {
    let folder = TestFolder::new();
    write_program(&folder.path("mpirun"), b"#!/bin/sh\nexit 1\n");
    for (library, what) in [("libmpi.so.40", "Open MPI 4 or 5"), ("libmpich.so.12", "MPICH")] {
        let program = linked_with(&folder, library);
        let expected = format!("mpi:           {program} uses {library}: {what}\n");
        for command in
            [&["--dry-run", "--", &program][..], &["--dry-run", "--", "./mpirun", "-n", "2", &program]]
        {
            let ended = folder.run(command);
            assert!(ended.stdout.contains(&expected), "{ended:?}");
            assert!(!ended.stdout.contains("little to see"), "{ended:?}");
        }
        let ended = folder.run(&["--dry-run", "--with", "threads", "--", &program]);
        assert!(ended.stdout.contains("mpi:           not requested\n"), "{ended:?}");
    }
}
