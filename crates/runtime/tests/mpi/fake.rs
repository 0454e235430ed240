//! A library in Rust with the handles, statuses and constants of each binary interface
//! (`testing/fake-mpi`), and a program that calls a function of each pattern. No launcher and no
//! real MPI is needed.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use kymo_plugin_tests::testing::{TemporaryFolder, build_plugin, build_program};

use super::counts::Counts;
use super::expectation::Expectation;
use super::libraries::{compile, printed};

/// The families as the library names them, with the number of `driver.c` and the file name of a
/// library of the family.
const FAMILIES: [(&str, u32, &str); 3] =
    [("openmpi", 1, "libmpi.so.40"), ("mpich", 2, "libmpich.so.12"), ("standard", 3, "libmpi_abi.so.0")];

/// Compiles the driver for a family; returns its path, next to its libraries.
fn driver(folder: &TemporaryFolder, number: u32, library: &str) -> PathBuf {
    let path = |name: &str| folder.join(name);
    fs::copy(build_plugin("kymo-fake-mpi"), path(library)).expect("a copy");
    let mut parts = vec![path(library)];
    if number == 1 {
        parts.push(compile("cc", "-shared -fPIC", &["fake/objects.c"], path("libobjects.so")));
    }
    let mut sources = vec!["fake/driver.c".to_owned()];
    sources.extend(parts.iter().map(|part| part.display().to_string()));
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let options = format!("-std=gnu17 -Wno-int-conversion -no-pie -DFAMILY={number}");
    compile("cc", &options, &sources, path("driver"))
}

/// Runs the driver under `kymo record`; returns its output and its status.
fn record(
    folder: &TemporaryFolder,
    driver: &PathBuf,
    family: &str,
    more: &[(&str, &str)],
) -> (String, Option<i32>) {
    build_plugin("kymo-plugin");
    build_plugin("kymo-runtime");
    let mut command = Command::new(build_program("kymo"));
    command.args(["record", "--with", "mpi", "-o", "recorded", "--"]).arg(driver);
    command.current_dir(&**folder).env("FAKE_MPI", family).env("FAKE_MPI_SPEAKS", "yes");
    command.envs(more.iter().copied());
    let output = command.output().expect("kymo");
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(stderr.contains("kymo: recorded"), "{stderr}");
    (stdout, output.status.code())
}

/// Returns the findings of `kymo check` about the messages of a recording.
fn findings_about_messages(folder: &TemporaryFolder) -> Vec<String> {
    let mut command = Command::new(build_program("kymo"));
    let output = command.arg("check").arg(folder.join("recorded/kymo/traces.otf2")).output().expect("kymo");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("traces.otf2"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let lines = text.lines().filter(|line| line.contains("message") || line.contains("unmatched"));
    lines.map(str::to_owned).collect()
}

#[test]
fn every_pattern_with_every_binary_interface() {
    let expectation = Expectation::read("../fake/expected");
    for (family, number, library) in FAMILIES {
        let folder = TemporaryFolder::new("fake-mpi");
        let driver = driver(&folder, number, library);
        let (output, status) = record(&folder, &driver, family, &[]);
        // The library is finalised after the program, which sees it as finalised before.
        assert_eq!((output.as_str(), status), ("rank 0, finalized 1\nfinalized\n", Some(3)), "{family}");
        let archive = printed(&folder.join("recorded/kymo/traces.otf2"));
        let differences = expectation.differences(&Counts::of(&archive));
        assert!(differences.is_empty(), "{family}:\n{}", differences.join("\n"));
        assert_eq!(findings_about_messages(&folder), [""; 0], "{family}");
    }
}

#[test]
fn a_library_is_finalised_at_once_on_request() {
    let folder = TemporaryFolder::new("fake-mpi");
    let (family, number, library) = FAMILIES[1];
    let driver = driver(&folder, number, library);
    let (output, status) = record(&folder, &driver, family, &[("KYMO_MPI_FINALIZE", "now")]);
    assert_eq!((output.as_str(), status), ("finalized\nrank 0, finalized 1\n", Some(3)));
    let archive = printed(&folder.join("recorded/kymo/traces.otf2"));
    let counts = Counts::of(&archive);
    assert_eq!(counts.ranks[&0].events["COMM_CREATE"], 4);
    assert!(!counts.ranks[&0].calls.contains_key("MPI_Finalized"), "it is called after the end");
}
