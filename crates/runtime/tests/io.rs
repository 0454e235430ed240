//! Input and output: programs whose calls and bytes are known. `tests/io` contains the events that
//! each part must have, after those of Score-P.

use std::fs;
use std::path::Path;

use crate::recorded::{Recording, TestFolder};

const IO: &[(&str, &str)] = &[("KYMO_RECORD_WITH", "io")];

/// Records a part of a program; returns all recordings, and the events of the first location.
#[track_caller]
fn part(folder: &TestFolder, source: &str, flags: &[&str], part: &str) -> Vec<Recording> {
    let program = folder.compile(source, flags);
    folder.record(IO, &[&program, part])
}

/// Compares the events with those that are expected. `KYMO_BLESS` replaces the expectation.
#[track_caller]
fn compare(name: &str, events: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/io").join(format!("{name}.txt"));
    if std::env::var_os("KYMO_BLESS").is_some() {
        fs::write(&path, events).expect("writing");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    for (number, (event, expected)) in events.lines().zip(expected.lines()).enumerate() {
        assert_eq!(event, expected, "{name}, event {number}");
    }
    assert_eq!(events.lines().count(), expected.lines().count(), "{name}");
}

/// Compares the events of a part of a program, which consists of one process and one thread.
#[track_caller]
fn check(source: &str, flags: &[&str], name: &str) {
    let folder = TestFolder::new();
    let [recording] = &part(&folder, source, flags, name)[..] else { panic!("one process") };
    // Descriptors that the test itself has open are inherited.
    let events = recording.events(0, folder.folder());
    let own: Vec<_> = events.lines().filter(|line| !line.contains("posix:UNDEFINED")).collect();
    compare(name, &(own.join("\n") + "\n"));
}

#[test]
fn descriptors_have_the_events_of_score_p() {
    for name in ["basic", "failures", "duplicates", "vectors", "locks"] {
        check("io-posix.c", &["-O1"], name);
    }
}

/// Bytes that were written to the standard output after it had been replaced belonged to the first
/// file.
#[test]
fn a_replaced_standard_stream_has_its_new_file() {
    let folder = TestFolder::new();
    let [recording] = &part(&folder, "io-streams.c", &[], "moved")[..] else { panic!("one process") };
    // The descriptor and its duplicate, and the stream, which is not closed.
    assert_eq!(sums(recording, "a"), ([2, 1, 1], 30));
}

#[test]
fn standard_streams_are_replaced_and_closed() {
    check("io-posix.c", &["-O1"], "streams");
}

/// Returns the number of handles created and destroyed, and of operations, and the bytes written to
/// a file through its handles.
fn sums(recording: &Recording, file: &str) -> ([usize; 3], u64) {
    let of_file = |kind| recording.lines(kind).filter(|line| line.contains(&format!("/{file}\" <")));
    let counts =
        ["IO_CREATE_HANDLE", "IO_DESTROY_HANDLE", "IO_OPERATION_COMPLETE"].map(|kind| of_file(kind).count());
    let bytes = |line: &str| line.split_once("Bytes Result: ")?.1.split(',').next()?.parse::<u64>().ok();
    let all = of_file("IO_OPERATION_COMPLETE").filter_map(bytes);
    // A flush has no number of bytes.
    (counts, all.filter(|&bytes| bytes != u64::MAX).sum())
}

const PLAIN: &[&str] = &["-O1", "-fno-builtin", "-U_FORTIFY_SOURCE"];
const FORTIFIED: &[&str] = &["-O2", "-fno-builtin", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"];

#[test]
fn streams_have_the_events_of_score_p() {
    for name in ["blocks", "characters", "formats", "stream-failures", "descriptors"] {
        check("io-streams.c", PLAIN, name);
    }
}

/// Fortified programs call functions of other names, which were not seen.
#[test]
fn functions_of_fortified_programs_are_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("io-streams.c", FORTIFIED);
    let image = fs::read(program).expect("the program");
    for name in ["__printf_chk", "__fprintf_chk", "__vfprintf_chk", "__fread_chk", "__fgets_chk"] {
        assert!(image.windows(name.len()).any(|window| window == name.as_bytes()), "{name} is not tested");
    }
    for name in ["blocks", "characters", "formats", "stream-failures", "descriptors"] {
        check("io-streams.c", FORTIFIED, name);
    }
}

/// Characters that macros move were not seen. The macros call functions three times for the buffer,
/// and for the end of the file; all other characters are counted at the next call.
#[test]
fn characters_that_macros_move_are_counted() {
    let folder = TestFolder::new();
    let [recording] = &part(&folder, "io-streams.c", &["-O2"], "macros")[..] else { panic!("one process") };
    let bytes = |mode: &str| -> u64 {
        let of_mode = recording.lines("IO_OPERATION_BEGIN").filter(|line| line.contains(mode));
        of_mode
            .filter_map(|line| line.split_once("Request: ")?.1.split(',').next()?.parse::<u64>().ok())
            .sum()
    };
    assert_eq!((bytes("Mode: WRITE"), bytes("Mode: READ")), (10_000, 10_001));
    assert_eq!((sums(recording, "a").1, recording.calls("fgetc")[0]), (20_000, 4));
}

#[test]
fn a_forked_child_has_the_streams_of_its_parent() {
    let folder = TestFolder::new();
    let mut all = part(&folder, "io-streams.c", &[], "stream-children");
    all.sort_by_key(|recording| recording.count("IO_CREATE_HANDLE"));
    let [child, parent] = &all[..] else { panic!("two processes") };
    // A stream and its descriptor; the parent also flushes.
    assert_eq!((sums(parent, "a"), sums(child, "a")), (([2, 2, 2], 10), ([0, 2, 1], 20)));
}

#[test]
fn temporary_files_have_their_final_names() {
    let folder = TestFolder::new();
    let [recording] = &part(&folder, "io-posix.c", &[], "temporary")[..] else { panic!("one process") };
    let files: Vec<_> = recording.lines("IO_REGULAR_FILE").filter(|line| line.contains("/name")).collect();
    assert!(files.len() == 2 && !files.iter().any(|line| line.contains(&"X".repeat(6))), "{files:?}");
    assert_eq!(["mkstemp", "mkostemp"].map(|it| recording.calls(it)), [[1; 2]; 2]);
    assert_eq!(["IO_CREATE_HANDLE", "IO_DELETE_FILE"].map(|kind| recording.count(kind)), [2; 2]);
}

#[test]
fn threads_open_and_write_at_the_same_time() {
    for with in ["io", "io,threads"] {
        let folder = TestFolder::new();
        let program = folder.compile("io-posix.c", &[]);
        let recording = folder.record_one(&[("KYMO_RECORD_WITH", with)], &[&program, "threads"]);
        for file in ["a", "b"] {
            assert_eq!(sums(&recording, file), ([200; 3], 2000), "{file}, {with}");
        }
        assert_eq!(sums(&recording, "shared"), ([1; 3], 10), "{with}");
        assert_eq!(recording.count("LOCATION"), 5, "{with}");
    }
}

/// A child of `vfork` took the descriptors of its parent. It writes to the standard output under
/// the number of the parent's file, which must keep its handle; the program that it becomes
/// inherits that.
#[test]
fn a_child_of_vfork_leaves_the_descriptors_of_its_parent() {
    let folder = TestFolder::new();
    let mut all = part(&folder, "io-posix.c", &[], "children");
    assert_eq!(all.len(), 3);
    all.sort_by_key(|recording| (recording.count("IO_CREATE_HANDLE"), recording.count("IO_DESTROY_HANDLE")));
    let [executed, child, parent] = &all[..] else { panic!("three processes") };
    assert_eq!(parent.stdout, "vfork\nexecuted\n");
    assert_eq!((sums(parent, "a"), parent.calls("close")), (([1, 1, 1], 30), [1; 2]));
    assert_eq!(parent.calls("dup2"), [0; 2]);
    // The forked child has the file from the start, under the number of its duplicate.
    assert_eq!(sums(child, "a"), ([0, 1, 1], 20));
    assert_eq!((executed.calls("write"), executed.count("IO_OPERATION_COMPLETE")), ([1; 2], 1));
}

#[test]
fn nothing_is_recorded_unless_chosen() {
    let folder = TestFolder::new();
    let program = folder.compile("io-posix.c", &[]);
    // Under load, any call may wait for long enough to be recorded: an hour is enough.
    let variables = [("KYMO_RECORD_MIN_WAIT", "3600000000000")];
    let recording = folder.record_one(&variables, &[&program, "basic"]);
    assert_eq!((recording.calls("write"), recording.count("IO_HANDLE")), ([0; 2], 0));
    assert_eq!(recording.count("IO_PARADIGM"), 0);
}

/// The descriptor of a file that a thread closed belonged to two files for a moment, if another
/// thread opened one.
#[test]
fn a_descriptor_loses_its_handle_before_it_is_closed() {
    let folder = TestFolder::new();
    let program = folder.compile("io-storm.c", &["-O1"]);
    // With samples this program waited for its own allocator, in a handler that interrupted that.
    // With a timer that went on meanwhile, it ran only handlers on a busy machine.
    for with in ["io", "io,threads", "io,threads,sampling"] {
        let recording = folder.record_one(&[("KYMO_RECORD_WITH", with)], &[&program]);
        // Calls in handlers that interrupted the C library have no calling context.
        let is_expected = |line: &str| with.contains("sampling") && line.ends_with("[mixed-calls]");
        assert!(recording.findings.lines().all(is_expected), "{with}: {}", recording.findings);
        let calls = ["fopen", "fclose", "fprintf"].map(|name| recording.calls(name));
        assert_eq!(calls, [[2000; 2]; 3]);
    }
}

/// The events of the next descriptor with a number belonged to the file before, if no function of
/// the C library had closed that. The first two ways are seen when they happen, the third when the
/// number is used again.
#[test]
fn a_number_belongs_to_what_was_opened_last() {
    let folder = TestFolder::new();
    let program = folder.compile("io-unseen.c", &["-O1"]);
    // `popen` starts other processes.
    let mut all = folder.record(IO, &[&program]);
    all.sort_by_key(|recording| recording.count("IO_CREATE_HANDLE"));
    let recording = all.pop().expect("the program");
    assert_eq!(recording.findings, "");
    for way in 0..3 {
        for next in 0..13 {
            let file = format!("{way}-{next}");
            assert_eq!(sums(&recording, &file), ([1; 3], 10), "{file}");
        }
    }
    // `open`, `fopen`'s descriptor, whose events are those of the stream, in each way.
    assert_eq!(sums(&recording, "other"), ([9, 9, 6], 120));
}

/// A forked child had the list of its own mappings among its files, which the runtime reads to walk
/// stacks.
#[test]
fn files_of_the_runtime_are_not_those_of_the_program() {
    let folder = TestFolder::new();
    let program = folder.compile("io-streams.c", &[]);
    for with in ["io", "io,sampling", "io,threads,rusage,memory,sampling"] {
        let all = folder.record(&[("KYMO_RECORD_WITH", with)], &[&program, "stream-children"]);
        assert_eq!(all.len(), 2, "{with}");
        for recording in &all {
            let files: Vec<_> = recording.lines("IO_REGULAR_FILE").collect();
            let is_own = |line: &&&str| !line.contains(&folder.folder().display().to_string());
            assert_eq!(files.iter().filter(is_own).collect::<Vec<_>>(), [&""; 0], "{with}");
        }
    }
}

/// More than 256 kept their handles.
#[test]
fn a_range_that_is_closed_has_any_number_of_descriptors() {
    let folder = TestFolder::new();
    let [recording] = &part(&folder, "io-posix.c", &[], "many")[..] else { panic!("one process") };
    assert_eq!(sums(recording, "many"), ([300, 300, 0], 0));
}

/// A request is complete when its result is taken, or when its file is closed.
#[test]
fn asynchronous_requests_are_complete_when_their_result_is_taken() {
    let folder = TestFolder::new();
    let [recording] = &part(&folder, "io-aio.c", &[], "")[..] else { panic!("one process") };
    // The request with an invalid offset is refused immediately or later.
    let kinds =
        ["IO_OPERATION_BEGIN", "IO_OPERATION_ISSUED", "IO_OPERATION_COMPLETE", "IO_OPERATION_CANCELLED"];
    let [begun, issued, complete, cancelled] = kinds.map(|kind| recording.count(kind));
    assert_eq!((begun, issued + cancelled, complete + cancelled), (6, 4, 6));
    // The others are those that `lio_listio` waits for.
    let begins = recording.lines("IO_OPERATION_BEGIN");
    assert_eq!(begins.filter(|line| line.contains("NON_BLOCKING")).count(), 4);
    assert_eq!(sums(recording, "a").1, 100 + 40 + 10 + 20);
    let calls = ["aio_read", "aio_write", "lio_listio", "aio_suspend"].map(|name| recording.calls(name)[0]);
    assert!(matches!(calls, [3, 1, 1, 3 | 4]), "{calls:?}");
}
