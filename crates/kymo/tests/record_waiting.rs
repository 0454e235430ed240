//! `kymo record --with waiting`: calls that wait, in programs whose calls are known.

use std::collections::BTreeSet;

use crate::record_common::{Recording, TestFolder};

/// The calls of `waits.c`, below the functions that make them.
const WAITS: [&str; 17] = [
    "wait_child>waitpid",
    "wait_clock>clock_nanosleep",
    "wait_command>system",
    "wait_condition>pthread_cond_timedwait",
    "wait_connection>accept",
    "wait_epoll>epoll_wait",
    "wait_futex>futex",
    "wait_line>fgets",
    "wait_pipe>read",
    "wait_poll>poll",
    "wait_select>select",
    "wait_semaphore>sem_wait",
    "wait_signal>sigtimedwait",
    "wait_sleep>usleep",
    "wait_socket>recv",
    "wait_thread>pthread_join",
    "wait_time>nanosleep",
];

/// Returns the calls that functions of `waits.c` have made, from these functions on.
fn waits(recording: &Recording) -> BTreeSet<String> {
    let all = recording.entered_paths();
    all.iter().filter_map(|path| Some(path[path.find("wait_")?..].to_owned())).collect()
}

#[test]
fn calls_that_wait_are_below_the_functions_that_make_them() {
    let folder = TestFolder::new();
    for (output, flags) in [("o1", ["-g", "-O0", "-pthread"]), ("o2", ["-g", "-O2", "-pthread"])] {
        let program = folder.compile("cc", &flags, "waits.c");
        let options = ["-o", output, "--with", "waiting,sampling", "--min-wait", "1ns"];
        let recording = folder.record(&options, &[&program], 0);
        assert_eq!(waits(&recording), WAITS.map(str::to_owned).into(), "{flags:?}");
        assert_eq!(recording.threads, 2);
    }
}

/// Each of these calls takes 20 ms, all others may be short.
#[test]
fn long_calls_are_recorded_by_default() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-g", "-pthread"], "waits.c");
    let recording = folder.record(&["-o", "o"], &[&program], 0);
    for name in ["usleep", "nanosleep", "clock_nanosleep", "poll", "epoll_wait", "sigtimedwait"] {
        assert_eq!((recording.enters(name), recording.leaves(name)), (1, 1), "{name}");
    }
}

#[test]
fn short_calls_are_not_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-g", "-pthread"], "waits.c");
    let options = ["-o", "o", "--with", "waiting,sampling", "--min-wait", "3600s"];
    let recording = folder.record(&options, &[&program], 0);
    assert_eq!(recording.entered_paths(), BTreeSet::new());
    // Not even a region is defined for them.
    assert_eq!(recording.names().find(|name| *name == "clock_nanosleep"), None);
}

/// A filter leaves calls out that wait.
#[test]
fn a_filter_leaves_calls_out_that_wait() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-g", "-pthread"], "waits.c");
    let filter = folder.path("filter");
    std::fs::write(&filter, "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE *sleep\nSCOREP_REGION_NAMES_END\n")
        .expect("a file");
    let options = [
        "-o",
        "o",
        "--with",
        "waiting,sampling",
        "--min-wait",
        "1ns",
        "--filter",
        filter.to_str().expect("a path"),
    ];
    let recording = folder.record(&options, &[&program], 0);
    let expected: BTreeSet<_> =
        WAITS.iter().filter(|path| !path.ends_with("sleep")).map(|&path| path.to_owned()).collect();
    assert_eq!(waits(&recording), expected);
}

#[test]
fn a_call_that_has_not_returned_at_the_end_is_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-g", "-pthread"], "waits_at_end.c");
    let recording = folder.record(&["-o", "o", "--with", "waiting,sampling"], &[&program], 3);
    // The thread that jumped is not in its read any more.
    assert_eq!((recording.enters("read"), recording.leaves("read")), (1, 1), "{recording:?}");
}

/// The program received the signal of the samples, which it had blocked.
#[test]
fn a_program_that_waits_for_all_signals_receives_its_own() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1"], "own_signals.c");
    let without = folder.compile("cc", &[], "without_perf.c");
    let recording = folder.record(&["-o", "o1", "--with", "waiting,sampling"], &[&program], 3);
    assert!(recording.samples() > 0, "{recording:?}");
    folder.record(&["-o", "o2", "--with", "waiting,sampling"], &[&without, &program], 3);
}

/// The recorder needed 48 KB of the stack on which a call was made. On a stack of its own it found
/// no callers if that was above the program's.
#[test]
fn small_stacks_have_room_for_calls_that_wait() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O0", "-g"], "waits_on_small_stacks.c");
    let recording = folder.record(&["-o", "o", "--with", "waiting,sampling"], &[&program], 3);
    assert_eq!(recording.enters("nanosleep"), 6);
    let paths = recording.entered_paths();
    for caller in ["first", "handle", "second"] {
        let path = format!("{caller}>sleeps>nanosleep");
        assert!(paths.iter().any(|it| it.ends_with(&path)), "{paths:?}");
    }
}

/// The call is entered before the samples in the handler, and left by the jump.
#[test]
fn a_jump_leaves_a_call_that_samples_have_seen() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-g"], "jumps_out_of_waits.c");
    let recording = folder.record(&["-o", "o", "--with", "waiting,sampling"], &[&program], 3);
    assert_eq!((recording.enters("read"), recording.leaves("read")), (1, 1), "{recording:?}");
    let in_handler = recording.samples_in("handle");
    assert!(in_handler > 10 && recording.samples_in("read") >= in_handler, "{recording:?}");
    assert!(recording.has_path(&["main", "after", "burn"]), "{:?}", recording.paths());
}
