//! The additions of OTF2 3.1 and 3.2, in an archive that libotf2 3.2 has written.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::check_common::kymo;

fn archive() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/otf2/tests/data/otf2-3.2/t.otf2")
}

fn output(arguments: &[&str]) -> String {
    let output = kymo().args(arguments).arg(archive()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn print_names_records_and_values_of_otf2_3_2() {
    let printed = output(&["print", "-A"]);
    for line in [
        "MPI_PROBE                                      1                   50  Sender: 0 (\"rank 0\" <0>), \
         Communicator: \"MPI_COMM_WORLD\" <0>, Tag: 7, Message ID: UNDEFINED",
        "MPI_PROBE                                      1                   51  Sender: 0 (\"rank 0\" <0>), \
         Communicator: \"MPI_COMM_WORLD\" <0>, Tag: 7, Message ID: 1",
        "MPI_MRECV                                      1                   53  Message ID: 1, Length: 100",
        "MPI_IMRECV_REQUEST                             1                   54  \
         Message ID: 18446744073709551614, Request: 300",
        "MPI_IMRECV                                     1                   55  Request: 300, Length: 200",
        "GROUP                                  0  Name: \"world\" <5>, Type: COMM_LOCATION_GROUPS, \
         Paradigm: MPI, Flags: NONE, 2 Members: \"rank 0\" <0>, \"rank 1\" <1>",
        "GROUP                                  1  Name: \"world\" <5>, Type: COMM_GROUP, Paradigm: MPI, \
         Flags: NONE, 2 Members: 0 (\"rank 0\" <0>), 1 (\"rank 1\" <1>)",
        "Property name                  MY-TOOL::A-B",
    ] {
        assert!(printed.lines().any(|found| found == line), "{line}\nis not in\n{printed}");
    }
    for part in [
        "Role: CANCEL, Paradigm: OPENMP,",
        "Role: KERNEL, Paradigm: CUDA,",
        "Role: WRAPPER, Paradigm: OPENMP_TARGET,",
        "25  OPENMP_TARGET, Name: \"kernel\" <9>, Class: ACCELERATOR",
        "Type: COMM, Samples: 1,",
        "Type: RMA_WIN, Samples: 1,",
        "Type: IO_HANDLE, Samples: 1,",
    ] {
        assert!(printed.contains(part), "{part}\nis not in\n{printed}");
    }
}

/// Sends without a receive and a group without locations were reported. The sample has neither a
/// window nor a handle.
#[test]
fn check_finds_only_what_thumbnails_refer_to() {
    let report = output(&["check", "--json"]);
    let findings: Vec<Value> = report.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = findings.iter().filter_map(|finding| finding["kind"].as_str()).collect();
    assert_eq!(kinds, ["undefined-rma-win", "undefined-io-handle"], "{report}");
}

#[test]
fn matched_receives_have_partners_in_statistics_and_tables() {
    let stats: Value = serde_json::from_str(&output(&["stats", "--no-check", "--format", "json"])).unwrap();
    let messages = &stats["messages"];
    let numbers = ["count", "bytes", "unmatched_sends", "unmatched_receives", "unknown_partners"]
        .map(|name| messages[name].as_u64());
    assert_eq!(numbers, [2, 300, 0, 0, 0].map(Some), "{messages}");

    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    output(&["export", "--format", "csv", "--tables", "messages", "-o", tables]);
    let table = std::fs::read_to_string(folder.path().join("messages.csv")).unwrap();
    let rows: Vec<&str> = table.lines().skip(1).collect();
    let expected =
        ["11000,53000,0,1,0,1,MPI_COMM_WORLD,7,100,0,0", "12000,55000,0,1,0,1,MPI_COMM_WORLD,8,200,0,0"];
    assert_eq!(rows, expected);
}
