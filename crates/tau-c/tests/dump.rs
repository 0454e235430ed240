//! A program written for TAU's library must print the same with ours.
//!
//! The program, the traces and the expected output are in `testing/data/tau`. For cases in which
//! the notes there advise against following TAU's library, the output is compared with that for a
//! repaired pair of files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Linked, compile, run};
use kymo_tau::Layout;
use tempfile::TempDir;

fn dump_program(data: &Path, linked: Linked) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let program = compile(&data.join("tools/ttf_dump.cpp"), linked, folder.path());
    (folder, program)
}

/// Copies a case to a folder where it can be changed.
fn copy(case: &Path) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for entry in fs::read_dir(case).expect("a case") {
        let path = entry.expect("a file").path();
        fs::write(folder.path().join(path.file_name().expect("a name")), fs::read(&path).expect("its bytes"))
            .expect("a copy");
    }
    folder
}

fn dump(program: &Path, folder: &Path, trace: &str, arguments: &[&str]) -> String {
    let arguments = [&[trace, "tau.edf"], arguments].concat();
    let output = run(program, &arguments, folder);
    assert!(output.status.success(), "{}: {output:?}", folder.display());
    String::from_utf8(output.stdout).expect("text")
}

fn expected(case: &Path) -> String {
    fs::read_to_string(case.join("callbacks.txt"))
        .unwrap_or_else(|error| panic!("{}: {error}", case.display()))
}

#[test]
fn recorded_traces_in_all_layouts() {
    let data = kymo_testdata::own("tau");
    for linked in [Linked::Shared, Linked::Static] {
        let (_folder, program) = dump_program(&data, linked);
        let mut compared = 0;
        for entry in fs::read_dir(&data).expect("cases") {
            let case = entry.expect("a case").path();
            if !case.join("tau.trc").is_file() {
                continue;
            }
            for trace in ["tau.trc", "tau.be32.trc", "tau.le64.trc", "tau.be64.trc"] {
                if case.join(trace).is_file() {
                    let found = dump(&program, &case, trace, &[]);
                    assert!(found == expected(&case), "{linked:?} {} {trace}", case.display());
                    compared += 1;
                }
            }
        }
        assert!(compared >= 9, "only {compared} traces");
    }
}

/// Repairs a pair of files.
type Repair = fn(&Path);

/// The cases in which TAU's library is not followed.
fn repairs() -> BTreeMap<&'static str, Repair> {
    BTreeMap::from([
        ("edf-no-final-newline", (|folder| change(folder, "tau.edf", |text| text + "\n")) as Repair),
        ("edf-trailing-space", |folder| change(folder, "tau.edf", |text| text.replace(" \n", "\n"))),
        ("edf-two-spaces-before-param", |folder| change(folder, "tau.edf", |text| text.replace("  ", " "))),
        ("edf-quotes-in-name", |_| {}),
        ("trc-partial-tail", whole_records),
        ("trc-partial-tail-chunk3", whole_records),
        ("trc-no-init-be", |folder| narrow(folder, Layout::Be32)),
        ("trc-le64-node3", |folder| narrow(folder, Layout::Le64)),
        ("trc-first-time-3-be", |folder| narrow(folder, Layout::Be32)),
        ("read-negative", |_| {}),
    ])
}

fn change(folder: &Path, file: &str, how: impl Fn(String) -> String) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).expect("text");
    let changed = how(text.clone());
    assert_ne!(changed, text, "{} needs no repair", path.display());
    fs::write(path, changed).expect("writing");
}

fn whole_records(folder: &Path) {
    let path = folder.join("tau.trc");
    let mut bytes = fs::read(&path).expect("bytes");
    assert_ne!(bytes.len() % 24, 0);
    bytes.truncate(bytes.len() / 24 * 24);
    fs::write(path, bytes).expect("writing");
}

/// Rewrites the records of a layout as little-endian ones of 24 bytes.
fn narrow(folder: &Path, layout: Layout) {
    let path = folder.join("tau.trc");
    let bytes = fs::read(&path).expect("bytes");
    let mut narrow = Vec::new();
    for record in bytes.chunks(layout.record_size()) {
        Layout::Le32.encode(&layout.decode(record).expect("a record"), &mut narrow);
    }
    fs::write(path, narrow).expect("writing");
}

/// Parses the table of edge cases. Each line contains the case, the arguments, and whether to
/// follow TAU's library.
fn edge_cases(data: &Path) -> Vec<(String, Vec<String>, bool)> {
    let index = fs::read_to_string(data.join("edge/INDEX.md")).expect("the table of edge cases");
    let cells = index.lines().skip(2).map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    cells
        .map(|cells| {
            let [_, case, _, arguments, _, follow, ..] = cells[..] else { panic!("{cells:?}") };
            let arguments = arguments.trim_matches('`').split_whitespace().map(str::to_owned);
            (case.to_owned(), arguments.collect(), follow.starts_with("yes"))
        })
        .collect()
}

#[test]
fn edge_cases_match_their_table() {
    let data = kymo_testdata::own("tau");
    let (_folder, program) = dump_program(&data, Linked::Shared);
    let repairs = repairs();
    let cases = edge_cases(&data);
    assert!(cases.len() >= 50, "only {} cases", cases.len());
    for (name, arguments, follow) in cases {
        let case = data.join("edge").join(&name);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let found = dump(&program, copy(&case).path(), "tau.trc", &arguments);
        if follow {
            assert_eq!(found, expected(&case), "{name}");
            continue;
        }
        assert_ne!(found, expected(&case), "{name}");
        let repaired = copy(&case);
        repairs.get(name.as_str()).unwrap_or_else(|| panic!("no repair for {name}"))(repaired.path());
        assert_eq!(found, dump(&program, repaired.path(), "tau.trc", &arguments), "{name}");
    }
}

/// Covers cases that no repair of the files can express.
#[test]
fn names_with_quotes_and_negative_counts() {
    let data = kymo_testdata::own("tau");
    let (_folder, program) = dump_program(&data, Linked::Shared);
    let quotes = dump(&program, &data.join("edge/edf-quotes-in-name"), "tau.trc", &[]);
    let text = fs::read_to_string(data.join("edge/edf-quotes-in-name/tau.edf")).expect("text");
    let line = text.lines().find(|line| line.matches('"').count() > 2).filter(|line| !line.starts_with('#'));
    let line = line.expect("a name with quotes");
    let name = &line[line.find('"').expect("a quote")..=line.rfind('"').expect("a quote")];
    assert!(quotes.contains(&format!("\t{name}\t")), "no {name} in {quotes}");

    let negative =
        dump(&program, &data.join("edge/read-negative"), "tau.trc", &["read:2", "read:-1", "read:2"]);
    let without = dump(&program, &data.join("edge/read-negative"), "tau.trc", &["read:2", "read:2"]);
    assert_eq!(negative.replace("ReadNumEvents\t-1\t=>\t0\n", ""), without);
    assert!(
        without.ends_with("LeaveState\t15\t0\t0\t1\nReadNumEvents\t2\t=>\t2\nCloseFile\tsame-handle\n"),
        "{without}"
    );
}

/// TAU's library loops forever on these traces.
#[test]
fn empty_traces_end() {
    let data = kymo_testdata::own("tau");
    let (_folder, program) = dump_program(&data, Linked::Shared);
    for length in 0..24 {
        let folder = copy(&data.join("edge/plain"));
        let path = folder.path().join("tau.trc");
        let mut bytes = fs::read(&path).expect("bytes");
        bytes.truncate(length);
        fs::write(&path, bytes).expect("writing");
        let found = dump(&program, folder.path(), "tau.trc", &[]);
        assert_eq!(found, "ReadNumEvents\t1024\t=>\t0\nCloseFile\tsame-handle\n", "{length} bytes");
    }
}

/// A program that writes a trace with TAU's library writes the same bytes with ours.
#[test]
fn traces_are_written_as_the_original_writes_them() {
    let data = kymo_testdata::own("tau");
    for case in ["writer-messages", "uneven-threads"] {
        for linked in [Linked::Shared, Linked::Static] {
            let folder = TempDir::new().expect("a folder");
            let source = data.join("tools/programs").join(case).with_extension("cpp");
            let program = compile(&source, linked, folder.path());
            assert!(run(&program, &[], folder.path()).status.success());
            for file in ["tau.trc", "tau.edf"] {
                let [found, expected] = [folder.path(), &data.join(case)]
                    .map(|folder| fs::read(folder.join(file)).expect("bytes"));
                assert!(found == expected, "{case}: {file}");
            }
        }
    }
}
