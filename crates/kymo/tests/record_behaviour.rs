//! A program under `kymo record` behaves as without it: its output, its status, its signals, its
//! errors, and its rights. [`TestFolder::record`] compares these with a plain run.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use crate::record_common::{Kymo, TestFolder};

const FUNCTIONS: [&str; 4] = ["-g", "-O1", "-finstrument-functions", "-pthread"];
const EVERYTHING: &str = "functions,user,threads,locks,io,memory,rusage,sampling=1000";

/// The first call of a function looked it up with `dlsym`, which freed the text that `dlerror` had
/// returned to the program.
#[test]
fn errors_of_the_dynamic_linker_stay_until_the_programs_next_call() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &[&FUNCTIONS[..], &["-ldl"]].concat(), "errors.c");
    for (number, with) in ["functions", "io", EVERYTHING].into_iter().enumerate() {
        for when in ["now", "later"] {
            let output = format!("{number}-{when}");
            let recording = folder.record(&["-o", &output, "--with", with], &[&program, when], 4);
            assert!(recording.stdout.starts_with("/none/library.so: "), "{}", recording.stdout);
        }
    }
}

/// The runtime read the arguments that the program passes to the system: paths, vectors, offsets
/// and sets. The program received SIGSEGV in place of the error.
#[test]
fn the_system_refuses_addresses_that_are_not_mapped() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-w", "-pthread"], "bad_addresses.c");
    for (output, with) in [("o1", "functions,waiting"), ("o2", "waiting,sampling"), ("o3", EVERYTHING)] {
        let recording = folder.record(&["-o", output, "--with", with], &[&program], 0);
        assert_eq!(recording.stdout.lines().count(), 50, "{}", recording.stdout);
    }
}

/// A thread whose cancellation was pending ended in the runtime, which opened a file.
#[test]
fn a_thread_is_cancelled_where_the_program_allows_it() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FUNCTIONS, "cancelled.c");
    for with in ["functions,sampling=2000", "functions,threads,sampling=2000"] {
        let recording = folder.record(&["--with", with], &[&program, "deferred"], 7);
        assert_eq!(recording.stdout, "20 of 20\n");
    }
}

/// The cancellation interrupted the handler of a sample, or ended it in a plugin that enabled
/// cancellation again after a definition: the C library aborted.
#[test]
fn a_sampled_thread_can_be_cancelled_at_any_instruction() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-pthread"], "cancelled.c");
    let recording = folder.record(&["--with", "sampling=10000"], &[&program, "asynchronous"], 7);
    assert_eq!(recording.stdout, "200 of 200\n");
}

/// The recorder's thread made them fail.
#[test]
fn calls_for_a_single_thread_succeed() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FUNCTIONS, "alone.c");
    let recording = folder.record(&["--with", "functions"], &[&program, "user"], 3);
    assert!(recording.stdout.starts_with("unshare: "), "{}", recording.stdout);
    assert_eq!((recording.enters("work"), recording.leaves("work")), (20_000, 20_000));
}

/// The C library aborted: its `setgroups` acts in all threads, and the recorder's had no
/// capabilities left.
#[test]
fn a_program_gives_up_its_privileges_as_without_recording() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FUNCTIONS, "alone.c");
    let plain = Command::new(&program).arg("privileges").output().expect("the program");
    let recording = folder.record(&["--with", "functions"], &[&program, "privileges"], 3);
    assert_eq!(recording.stdout.as_bytes(), plain.stdout);
    assert_eq!((recording.enters("work"), recording.leaves("work")), (20_000, 20_000));
}

/// The runtime named a file by the child's own number of its process, which is another one's where
/// the folder `/proc` is from.
#[test]
fn a_child_in_another_namespace_of_processes_is_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FUNCTIONS, "alone.c");
    let recording = folder.record(&["--with", "functions"], &[&program, "process"], 3);
    if !recording.stdout.starts_with("unshare: done") {
        return kymo_testdata::missing(kymo_testdata::MOUNTING);
    }
    assert_eq!((recording.processes, recording.enters("work")), (2, 30_000));
}

/// Only the main thread was killed; the recorder's ended the process, with status 0.
#[test]
fn a_program_that_a_filter_of_system_calls_kills_has_failed() {
    const SIGSYS: i32 = 31;
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-g"], "filtered.c");
    let plain = Command::new(&program).output().expect("the program");
    assert_eq!(plain.status.signal(), Some(SIGSYS), "{plain:?}");
    let (ended, _) = folder.record_cut_off(&[&program]);
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(128 + SIGSYS), "before\n"));
    assert!(ended.stderr.contains("signal 31 ended the program"), "{ended:?}");
}

/// The C library resolves paths with a system call that old container engines answer with EPERM.
#[test]
fn a_refused_system_call_is_no_error() {
    const UNKNOWN_TO_OLD_ENGINES: [&str; 4] = ["439", "332", "436", "319"];
    let folder = TestFolder::new();
    let denied = folder.compile("cc", &[], "denied.c");
    for call in UNKNOWN_TO_OLD_ENGINES {
        let output = format!("o{call}");
        let ended = folder.launched(&[&denied, call], &["-o", &output], &["sh", "-c", "exit 5"]).end();
        assert_eq!(ended.status, Some(5), "{call}: {ended:?}");
        assert!(ended.stderr.contains(&format!("recorded {output}/kymo/traces.otf2")), "{ended:?}");
    }
}

/// The recorder's thread noticed a second later that it was the last one, and exited.
#[test]
fn the_last_thread_of_the_program_exits() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FUNCTIONS, "last_thread.c");
    for with in ["functions", "functions,threads"] {
        let recording = folder.record(&["--with", with], &[&program], 0);
        assert_eq!(recording.stdout, "in the last thread\n");
    }
}

/// With handlers of SIGSEGV and SIGBUS, a thread of the command that the system refused memory for
/// their stack ended the command.
#[test]
fn the_command_handles_no_faults_and_its_programs_receive_them() {
    let folder = TestFolder::new();
    let masks = "for of in $PPID $$; do grep -E 'SigIgn|SigCgt' /proc/$of/status; done";
    let ended = folder.run(&["--with", "functions"], &["sh", "-c", masks]);
    let mask = |line: &str| u64::from_str_radix(line.rsplit('\t').next().unwrap(), 16).unwrap();
    let masks: Vec<u64> = ended.stdout.lines().map(mask).collect();
    const FAULTS: u64 = 1 << (11 - 1) | 1 << (7 - 1);
    assert!(masks.len() == 4 && masks.iter().all(|mask| mask & FAULTS == 0), "{ended:?}");
}

/// The thread counted as inside the runtime from then on, and nothing more was recorded of it.
#[test]
fn recording_continues_after_a_handler_that_jumps() {
    const JUMPS: u64 = 200;
    let folder = TestFolder::new();
    let flags = [&FUNCTIONS[..], &["-fno-inline"]].concat();
    let program = folder.compile("cc", &flags, "jumps.c");
    let recording = folder.record(&["--with", "functions"], &[&program], 6);
    let calls = ["attempt", "after", "main"].map(|name| (recording.enters(name), recording.leaves(name)));
    assert_eq!(calls, [(JUMPS, JUMPS), (JUMPS + 1, JUMPS + 1), (1, 1)]);
    assert_eq!(recording.enters("leaf"), recording.leaves("leaf"));
    let recording = folder.record(&["--with", "io"], &[&program, "io"], 6);
    for name in ["read", "write"] {
        assert!(recording.enters(name) >= JUMPS, "{name}: {}", recording.enters(name));
        assert_eq!(recording.enters(name), recording.leaves(name), "{name}");
    }
}

/// Calls of the child were on the location of the parent, and the function that it called first had
/// no definition.
#[test]
fn a_child_that_borrows_memory_is_not_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &[&FUNCTIONS[..], &["-fno-inline"]].concat(), "borrowed.c");
    for how in ["vfork", "waiting", "beside", "thread"] {
        let recording = folder.record(&["--with", "functions", "-o", how], &[&program, how], 8);
        let calls = ["common", "child_first", "later"].map(|name| recording.enters(name));
        assert_eq!(calls, [1005, 5, 5], "{how}");
    }
}

/// The program was not recorded, which was not reported.
#[test]
fn a_wrapper_that_preloads_a_library_does_not_end_the_recording() {
    let folder = TestFolder::new();
    let library = folder.compile("cc", &["-shared", "-fPIC"], "refuses_threads.c");
    let program = folder.compile("cc", &FUNCTIONS, "last_thread.c");
    let preload = format!("LD_PRELOAD={library}");
    let recording = folder.record(&["--with", "functions,threads"], &["env", &preload, &program], 0);
    assert_eq!((recording.threads, recording.enters("work")), (2, 1));
}

#[test]
fn a_program_that_is_started_without_the_runtime_is_named() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FUNCTIONS, "last_thread.c");
    for remove in [&["-i"][..], &["-u", "LD_PRELOAD"]] {
        let command = [&["env"][..], remove, &[&program]].concat();
        let ended = folder.run(&["-o", &format!("o{}", remove.len())], &command);
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(0), "in the last thread\n"));
        let named =
            "last_thread-c was started without LD_PRELOAD or the settings of kymo record, and not recorded";
        assert!(ended.messages().contains(&named), "{ended:?}");
        assert!(!folder.path(&format!("o{}", remove.len())).join("unrecorded").exists());
    }
}

/// `kymo record` panicked, and ended before the program.
#[test]
fn without_threads_of_its_own_kymo_waits_for_the_program() {
    let folder = TestFolder::new();
    let refuses = folder.compile("cc", &["-shared", "-fPIC", "-ldl"], "refuses_threads.c");
    let program = folder.compile("cc", &FUNCTIONS, "last_thread.c");
    let preload = format!("LD_PRELOAD={refuses}");
    for options in [&["-o", "all"][..], &["-o", "one", "--children", "no"]] {
        let ended =
            folder.launched(&["env", &preload], options, &["sh", "-c", &format!("{program}; exit 9")]).end();
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(9), "in the last thread\n"), "{ended:?}");
        assert!(folder.path(options[1]).join("kymo/traces.otf2").exists(), "{ended:?}");
    }
}

/// `kymo` itself overflowed its stack.
#[test]
fn a_little_stack_is_enough_for_kymo() {
    let folder = TestFolder::new();
    let limited = ["sh", "-c", "ulimit -s 64; exec \"$@\"", "sh"];
    let ended = folder.launched(&limited, &["--dry-run"], &["true"]).end();
    assert_eq!(ended.status, Some(0), "{ended:?}");
    assert!(ended.stdout.starts_with("program: "), "{ended:?}");
}

/// The program was reported to be one for another machine.
#[test]
fn a_program_is_recorded_without_proc() {
    let folder = TestFolder::new();
    let prepare = format!("cd {} && mount -t tmpfs none /proc", folder.path("").display());
    let Some((ended, _)) = folder.run_in(&prepare, &["sh", "-c", "exit 6"]) else { return };
    assert_eq!(ended.status, Some(6), "{ended:?}");
}

/// The signals went to the program, which had ended.
#[test]
fn a_signal_ends_the_view_of_a_recording() {
    let folder = TestFolder::new();
    for (signal, number) in [("-INT", 2), ("-TERM", 15)] {
        let Kymo(mut command) = folder.kymo(&["--view", "-o", signal.trim_start_matches('-')], &["true"]);
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env("BROWSER", "true");
        let mut kymo = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("kymo");
        let lines = BufReader::new(kymo.stderr.take().expect("standard error")).lines();
        let is_shown = lines.map_while(Result::ok).any(|line| line.starts_with("kymo: view: http"));
        assert!(is_shown, "{signal}");
        let sent = Command::new("kill").args([signal, &kymo.id().to_string()]).status().expect("kill");
        assert!(sent.success());
        assert_eq!(kymo.wait().expect("an end").signal(), Some(number));
    }
    assert!(fs::exists(folder.path("INT/kymo/traces.otf2")).expect("a folder"));
}
