//! `kymo record --with sampling`: programs whose time is known in advance, and programs that
//! samples must not disturb.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::record_common::{Recording, TestFolder};

/// How often `shares.c` calls each of its functions.
const ROUNDS: u64 = 200;
/// Arguments of `shares.c` for a tenth of its rounds: some hundred samples of one thread.
const SHORT: [&str; 2] = ["1", "20"];
const SAMPLING: [&str; 4] = ["-o", "o", "--with", "sampling"];

/// Asserts that the samples of the three functions are as their shares of the time, which follow
/// from the numbers of additions. Samples are taken at regular times, so that in a round a function
/// has one of two neighbouring numbers of them, with a variance of at most 1/4. The sum of all
/// rounds differs by 6.5 standard deviations in one of 10^10 runs; one in a hundred samples may
/// differ because the functions are not equally fast. Of 1300 samples, all that is 4.5 %.
#[track_caller]
fn has_shares(recording: &Recording) {
    let samples = ["seven", "two", "one"].map(|name| recording.samples_in(name) as f64);
    let all: f64 = samples.iter().sum();
    let deviation = (ROUNDS as f64 * recording.threads as f64 / 4.0).sqrt();
    for (samples, share) in samples.into_iter().zip([0.7, 0.2, 0.1]) {
        let most = 6.5 * deviation + 0.01 * all;
        assert!((samples - share * all).abs() < most, "{samples:?} of {all}: {share}, {most}");
    }
}

#[test]
fn samples_show_where_the_time_goes() {
    let folder = TestFolder::new();
    for flags in [["-O1", "-g", "-pthread"], ["-O2", "-fomit-frame-pointer", "-pthread"]] {
        let program = folder.compile("cc", &flags, "shares.c");
        let recording = folder.record(&SAMPLING, &[&program], 3);
        has_shares(&recording);
        assert!(recording.samples_in("main") * 10 > recording.samples() * 9, "{recording:?}");
        std::fs::remove_dir_all(folder.path("o")).expect("the recording");
    }
}

/// Events were shown below the stack of the last sample.
#[test]
fn events_are_below_the_functions_that_make_them() {
    let folder = TestFolder::new();
    let callers = [
        "main>open",
        "main>put>write",
        "main>first>put>write",
        "main>second>second>second>put>write",
        "main>returned>jump>put>write",
        "main>returned>put>write",
        "main>interrupted>handle>put>write",
        "main>left>middle>put>write",
        "main>right>middle>put>write",
        "main>pthread_create",
        "work>first>put>write",
        "main>pthread_join",
        "main>close",
    ];
    for flags in [["-O1", "-g", "-pthread"], ["-O2", "-fomit-frame-pointer", "-pthread"]] {
        let program = folder.compile("cc", &flags, "callers.c");
        let options = ["-o", "o", "--with", "io,threads,locks,sampling=2000"];
        let recording = folder.record(&options, &[&program], 4);
        // Functions of the C library have the names that its debug information has, if any.
        let own = |path: &String| {
            let is_own = |it: &&str| !["start_thread", "__restore_rt"].contains(it) && !it.starts_with('[');
            path.split('>').filter(is_own).collect::<Vec<_>>().join(">")
        };
        let found: BTreeSet<_> = recording.entered_paths().iter().map(own).collect();
        let expected: BTreeSet<_> = callers.into_iter().map(str::to_owned).collect();
        assert_eq!(found, expected);
        assert!(recording.samples() > 100, "{recording:?}");
        std::fs::remove_dir_all(folder.path("o")).expect("the recording");
    }
}

/// Direct callers were below the root.
#[test]
fn direct_callers_are_in_the_region_that_is_open_around_them() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-g"], "nested.c");
    let cases = [
        ("all", ["main>call_put>put>write", "main>step", "main>step>call_put>put>write"]),
        ("direct", ["put>write", "main>step", "main>step>put>write"]),
    ];
    for (callers, expected) in cases {
        let options = ["-o", callers, "--with", "io,user,sampling", "--callers", callers];
        let recording = folder.record(&options, &[&program], 0);
        let expected: BTreeSet<_> = expected.into_iter().map(str::to_owned).collect();
        assert_eq!(recording.entered_paths(), expected, "{callers}");
    }
}

/// The samples of functions that the compiler had inlined counted as samples of the region, and the
/// region was below the functions of the header that defines it.
#[test]
fn functions_inlined_into_the_frame_of_a_region_are_in_the_region() {
    let folder = TestFolder::new();
    let expected = [
        "main>open",
        "main>run>phase",
        "main>run>phase>compute>put>write",
        "main>run>put>write",
        "main>close",
    ];
    for optimization in ["-O0", "-O2"] {
        let program = folder.compile("cc", &["-g", optimization], "inlined.c");
        let options = ["-o", "o", "--with", "io,user,sampling"];
        let recording = folder.record(&options, &[&program], 0);
        assert_eq!(recording.entered_paths(), expected.map(str::to_owned).into(), "{optimization}");
        assert!(recording.has_path(&["main", "run", "phase", "compute"]), "{:?}", recording.paths());
        assert_eq!(recording.samples_in("phase"), recording.samples_in("compute"), "{optimization}");
        std::fs::remove_dir_all(folder.path("o")).expect("the recording");
    }
}

/// Each sample stood for one period, and the time in the kernel, which is not sampled, was in no
/// call.
#[test]
fn samples_stand_for_the_processor_time_in_the_kernel_too() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-g"], "in_kernel.c");
    let ended = folder.run(&SAMPLING, &[&program]);
    let printed: Vec<u64> = ended.stdout.split_whitespace().flat_map(str::parse).collect();
    let [touch, draw, compute] = printed[..] else { panic!("{ended:?}") };
    let profile = std::process::Command::new(env!("CARGO_BIN_EXE_kymo"))
        .args(["profile", "--format", "json"])
        .arg(folder.path("o/kymo/traces.otf2"))
        .output()
        .expect("kymo profile");
    let profile: Value = serde_json::from_slice(&profile.stdout).expect("JSON");
    let rows = profile["groups"][0]["rows"].as_array().expect("rows");
    for (name, printed) in [("touch", touch), ("draw", draw), ("compute", compute)] {
        let row = rows.iter().find(|row| row["region"] == name).expect("a row");
        let time = row["inclusive_ns"].as_u64().expect("a time");
        // The program's own time contains that of the samples, which take long in a debug build.
        // The time in the kernel before the first sample in a function may be that of the other
        // one.
        let (least, most) = (printed * 7 / 10, printed + 30_000_000);
        assert!((least..most).contains(&time), "{name}: {time} of {printed}: {rows:?}");
    }
}

/// Containers refuse perf events; a timer takes their place, with a period that may be longer.
#[test]
fn timers_take_the_place_of_perf_events() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-g", "-pthread"], "shares.c");
    let without = folder.compile("cc", &[], "without_perf.c");
    let recording = folder.record(&SAMPLING, &[&without, &program, "2"], 3);
    assert_eq!((recording.generators(), recording.threads), (["timer".to_owned()].into(), 2));
    let in_seven = recording.samples_in("seven") as f64 / recording.samples() as f64;
    assert!((0.55..0.85).contains(&in_seven), "{in_seven}");
}

/// The kernel sent SIGIO in place of the signal of a perf event, which ended the program.
#[test]
fn a_low_limit_of_queued_signals_does_not_end_the_program() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-g", "-pthread"], "shares.c");
    let limited = ["prlimit", "--sigpending=0"];
    for (output, with) in [("o1", &[][..]), ("o2", &["--with", "sampling"])] {
        let options = [&["-o", output][..], with].concat();
        let ended = folder.launched(&limited, &options, &[&program, SHORT[0], SHORT[1]]).end();
        assert_eq!(ended.status, Some(3), "{ended:?}");
        assert!(ended.stderr.contains("no samples are taken: "), "{ended:?}");
    }
}

#[test]
fn all_threads_are_sampled() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-g", "-pthread"], "shares.c");
    let recording = folder.record(&["-o", "o", "--with", "sampling=500"], &[&program, "4"], 3);
    has_shares(&recording);
    assert_eq!(recording.threads, 4);
    // Threads begin in their own function, the main thread in `main`.
    let in_main = recording.samples_in("main");
    assert!(in_main > 0 && in_main * 3 < recording.samples(), "{in_main}");
}

/// An inlined function has a context in the function that it was inlined into, with the lines of
/// both.
#[test]
fn inlined_functions_have_contexts_with_lines() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-g", "-pthread"], "shares.c");
    let recording = folder.record(&SAMPLING, &[&program, SHORT[0], SHORT[1]], 3);
    let path = ["main", "work", "seven:16", "add:13"];
    assert!(recording.has_path(&path), "{:?}", recording.paths());
    let (file, line) = recording.place_of("seven");
    assert!(file.ends_with("shares.c") && line == 16, "{file}:{line}");
}

#[test]
fn a_program_without_instrumented_functions_is_sampled_by_default() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-g", "-pthread"], "shares.c");
    let recording = folder.record(&["-o", "o"], &[&program, "2"], 3);
    has_shares(&recording);
    assert_eq!((recording.threads, recording.count("ThreadCreate")), (2, 1));
    let ended = folder.run(&["-o", "p"], &[&program, SHORT[0], SHORT[1]]);
    let advice = "kymo: to see where the time goes, by samples: kymo profile p/kymo/traces.otf2\n";
    assert!(ended.stderr.contains(advice), "{ended:?}");
    let ended = folder.run(&["-o", "q", "--with", "threads"], &[&program, SHORT[0], SHORT[1]]);
    assert_eq!((ended.status, folder.read("q").samples()), (Some(3), 0));
}

#[test]
fn a_program_with_instrumented_functions_is_not_sampled_by_default() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-finstrument-functions", "-pthread"], "shares.c");
    let recording = folder.record(&["-o", "o"], &[&program, SHORT[0], SHORT[1]], 3);
    assert_eq!((recording.samples(), recording.enters("seven")), (0, 20));
}

/// A library that is opened later may have instrumented functions.
#[test]
fn functions_of_a_library_are_recorded_between_samples() {
    let folder = TestFolder::new();
    let flags = ["-O1", "-finstrument-functions", "-pthread", "-shared", "-fPIC"];
    let library = folder.compile("cc", &flags, "shares.c");
    std::fs::rename(&library, folder.path("library.so")).expect("a library");
    let program = folder.compile("cc", &["-O1"], "opens.c");
    let recording = folder.record(&["-o", "o"], &[&program, "./library.so"], 0);
    assert_eq!((recording.enters("work"), recording.leaves("one")), (1, ROUNDS));
    assert!(recording.samples_in("seven") > recording.samples_in("two"), "{recording:?}");
}

/// A script that starts a hundred short programs took 250 times as long.
#[test]
fn short_processes_without_a_sample_are_not_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-g", "-pthread"], "shares.c");
    let script = format!("i=0; while [ $i -lt 10 ]; do env true; i=$((i+1)); done; {program}; exit 3");
    // A short process needs less than 10 ms of processor time on a loaded machine, too.
    let seldom = ["-o", "o", "--with", "functions,threads,sampling=100"];
    let recording = folder.record(&seldom, &["sh", "-c", &script], 3);
    let mut programs: Vec<_> = recording.programs.iter().map(String::as_str).collect();
    programs.retain(|program| *program != "dash");
    assert_eq!(programs, ["shares-c"]);
    // Its first samples are there, too.
    let recording = folder.record(&["-o", "p"], &["sh", "-c", &script], 3);
    has_shares(&recording);
}

/// A stripped program has no names; functions of libraries that it calls have some.
#[test]
fn functions_without_names_are_one_region_per_file() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-s", "-pthread"], "shares.c");
    let recording = folder.record(&SAMPLING, &[&program], 3);
    let named = recording.samples_in("[shares-c]");
    assert!(named * 10 > recording.samples() * 9, "{named}");
}

/// The signal of a sample arrived in the program that a sampled process executed, and ended it.
#[test]
fn a_program_that_a_sampled_process_executes_gets_no_signal() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1"], "sampled.c");
    folder.record(&["-o", "o", "--with", "sampling=10000"], &[&program, "execute"], 0);
}

/// A child waited forever for locks that other threads of its parent held when it was forked, or
/// the loader ended it.
#[test]
fn a_child_of_a_busy_parent_does_not_hang() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-pthread"], "sampled.c");
    folder.record(&["-o", "o", "--with", "sampling=10000"], &[&program, "storm"], 0);
}

#[test]
fn a_program_may_use_the_signal_itself() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1"], "sampled.c");
    let recording = folder.record(&SAMPLING, &[&program, "claim"], 0);
    assert!(recording.samples() > 0);
}

/// Handlers run on the stack of the goroutine, which can be smaller than they need.
/// The threads of xz, which block all signals, had no samples.
#[test]
fn threads_that_begin_with_all_signals_blocked_are_sampled() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-g", "-pthread"], "blocks_signals.c");
    let recording = folder.record(&SAMPLING, &[&program], 0);
    assert_eq!(recording.stdout, "5\n");
    assert!(recording.samples_in("work") > 100, "{recording:?}");
}

#[test]
fn programs_in_go_are_not_sampled() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-DLIKE_GO"], "sampled.c");
    let ended = folder.run(&SAMPLING, &[&program, "wait"]);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("it is written in Go"), "{ended:?}");
    assert_eq!(folder.read("o").samples(), 0);
    let ended = folder.run(&["-o", "p"], &[&program, "wait"]);
    assert!(ended.status == Some(0) && !ended.stderr.contains("in Go"), "{ended:?}");
    assert_eq!(folder.read("p").samples(), 0);
}

#[test]
fn a_sample_does_not_interrupt_a_sleep() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1"], "sampled.c");
    let recording = folder.record(&SAMPLING, &[&program, "wait"], 0);
    assert!(recording.samples() > 0);
}

#[test]
fn frequencies_that_make_no_sense_are_refused() {
    let folder = TestFolder::new();
    for what in ["sampling=", "sampling=0", "sampling=often", "sampling=100001", "threads=5"] {
        let ended = folder.run(&["--with", what], &["true"]);
        assert_eq!(ended.status, Some(125), "{ended:?}");
        assert!(ended.stderr.contains(what), "{ended:?}");
    }
}

/// A program that was killed had no samples: they waited in its memory for their names.
#[test]
fn samples_of_a_program_that_is_killed_are_in_its_archive() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-g"], "dies.c");
    for signal in ["9", "15", "11", "6"] {
        let ended = folder.run(&["-o", signal], &[&program, signal]);
        assert!(ended.status.is_some_and(|status| status > 128), "{ended:?}");
        let milliseconds: u64 = ended.stdout.trim().parse().expect("a number");
        let recording = folder.read(signal);
        // One each millisecond; a busy machine delays some.
        assert!(recording.samples() > milliseconds / 2, "{milliseconds} ms: {recording:?}");
        assert!(recording.has_path(&["main", "spin"]), "{:?}", recording.paths());
    }
}

/// The archive did not state which content the file had.
#[test]
fn a_file_that_has_changed_gives_a_killed_program_no_names() {
    let folder = TestFolder::new();
    let flags = ["-O1", "-g", "-pthread", "-Wl,--build-id"];
    let [program, other] = ["dies.c", "shares.c"].map(|name| folder.compile("cc", &flags, name));
    let script = "\"$0\" 9; mv \"$1\" \"$0\"";
    let ended = folder.run(&["-o", "o"], &["sh", "-c", script, &program, &other]);
    assert!(ended.stderr.contains("/dies-c: the names of its functions are unknown"), "{ended:?}");
    let recording = folder.read("o");
    assert!(recording.samples_in("[dies-c]") > 0 && recording.samples_in("main") == 0, "{recording:?}");
}

/// The handler needed up to 80 KB of the stack that it interrupted.
#[test]
fn small_stacks_have_room_for_samples() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-g", "-pthread"], "small_stacks.c");
    let recording = folder.record(&SAMPLING, &[&program], 0);
    // Of a handler, a coroutine and a thread.
    let samples = ["handle", "begin", "work"].map(|name| recording.samples_in(name));
    assert!(samples.iter().all(|&samples| samples > 10), "{samples:?}");
    assert!(samples[2] > samples[0] + samples[1] + 10, "{samples:?}");
}

/// All samples had the names of the library that was loaded last at their addresses, or none.
#[test]
fn functions_of_libraries_that_were_closed_have_their_names() {
    let folder = TestFolder::new();
    let names = ["first", "second"];
    let libraries = names.map(|name| {
        let flags = ["-g", "-O1", "-shared", "-fPIC", &format!("-DNAME={name}")];
        let library = folder.compile("cc", &flags, "closed.c");
        let place = folder.path(&format!("{name}.so"));
        std::fs::rename(&library, &place).expect("a library");
        place.display().to_string()
    });
    let program = folder.compile("cc", &["-g", "-O1"], "closes.c");
    let recording = folder.record(&SAMPLING, &[&program, &libraries[0], &libraries[1]], 0);
    for name in names {
        assert!(recording.has_path(&["main", "work", name]), "{:?}", recording.paths());
        assert!(recording.samples_in(name) > 50, "{recording:?}");
    }
}

#[test]
fn names_are_found_in_a_separate_file_next_to_the_program() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-g", "-pthread"], "shares.c");
    let debug = format!("{program}.debug");
    let run = |command: &[&str]| {
        let status = std::process::Command::new(command[0]).args(&command[1..]).status().expect("binutils");
        assert!(status.success(), "{command:?}");
    };
    run(&["objcopy", "--only-keep-debug", &program, &debug]);
    run(&["strip", "-s", &program]);
    run(&["objcopy", &format!("--add-gnu-debuglink={debug}"), &program]);
    let recording = folder.record(&SAMPLING, &[&program, SHORT[0], SHORT[1]], 3);
    assert!(recording.has_path(&["main", "work", "seven:16", "add:13"]), "{:?}", recording.paths());
}

/// Distributions strip programs, and keep the names of functions compressed in the file.
#[test]
fn compressed_symbols_of_a_stripped_program_are_read() {
    if std::process::Command::new("xz").arg("--version").output().is_err() {
        return kymo_testdata::missing("xz");
    }
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1", "-pthread"], "shares.c");
    let symbols = format!("{program}.symbols");
    let run = |command: &[&str]| {
        let ended = std::process::Command::new(command[0]).args(&command[1..]).status();
        assert!(ended.is_ok_and(|status| status.success()), "{command:?}");
    };
    run(&["objcopy", "-S", "--wildcard", "--keep-symbol=*", &program, &symbols]);
    run(&["xz", &symbols]);
    run(&["strip", "-s", &program]);
    run(&["objcopy", &format!("--add-section=.gnu_debugdata={symbols}.xz"), &program]);
    let recording = folder.record(&SAMPLING, &[&program, SHORT[0], SHORT[1]], 3);
    assert!(recording.has_path(&["main", "work", "seven"]), "{:?}", recording.paths());
}

/// The program removes its own file.
#[test]
fn a_program_that_is_gone_has_its_names_as_soon_as_it_is_back() {
    let folder = TestFolder::new();
    // The stubs that lead to the C library have no names.
    let program = folder.compile("cc", &["-O1", "-g", "-fno-plt"], "dies.c");
    let copy = folder.path("copy");
    std::fs::copy(&program, &copy).expect("a copy");
    let ended = folder.run(&["-o", "o"], &[&program]);
    let line = format!(
        "kymo: {program}: the names of its functions are unknown: it has changed or is gone since the \
         program ran it\n"
    );
    assert!(ended.status == Some(0) && ended.stderr.contains(&line), "{ended:?}");
    let samples = folder.read("o").samples_in("[dies-c]");
    assert!(samples > 10, "{samples}");
    let recover = |output: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kymo"));
        command.arg("recover").arg(folder.path("o")).arg("-o").arg(folder.path(output).join("kymo"));
        let output = command.output().expect("kymo recover");
        assert!(output.status.success(), "{output:?}");
    };
    recover("p");
    assert_eq!(folder.read("p").samples_in("[dies-c]"), samples);
    std::fs::rename(&copy, &program).expect("the program");
    recover("q");
    let named = folder.read("q");
    assert_eq!((named.samples_in("main"), named.samples_in("[dies-c]")), (samples, 0));
    assert!(named.has_path(&["main", "spin"]), "{:?}", named.paths());
}

/// The child of a shell began its recording when it closed a file of its parent, with the end of a
/// handle that it did not have.
#[test]
fn a_child_that_only_closes_files_is_not_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-O1"], "closes_and_executes.c");
    let recording = folder.record(&["-o", "o", "--with", "io,sampling"], &[&program], 0);
    assert_eq!((recording.processes, recording.count("IoDestroyHandle")), (1, 0), "{recording:?}");
}
