//! `kymo record` of programs that annotate themselves through interfaces of tools. The programs do
//! the same as the libraries of these interfaces.

use std::process::Command;

use crate::record_common::{TestFolder, count_lines as count};

const FLAGS: [&str; 4] = ["-g", "-O1", "-pthread", "-ldl"];

#[test]
fn ranges_and_marks_of_nvtx_are_regions_with_payloads_and_categories() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FLAGS, "nvtx.c");
    for (output, with) in [("o1", "nvtx,threads"), ("o2", "nvtx,threads,sampling=1000")] {
        let recording = folder.record(&["-o", output, "--with", with], &[&program], 3);
        for (region, times) in [
            ("phase", 1),
            ("outer", 1),
            ("innär", 3),
            ("A", 1),
            ("B", 1),
            ("mark", 1),
            ("in a worker", 10),
            ("in the child", 1),
            ("around the fork", 1),
        ] {
            recording.has_region(region, times);
        }
        // Four ranges, and four marks of their string; the attributes of four others have no text.
        recording.has_region("registered", 8);
        recording.has_region("<unknown>", 4);
        assert_eq!((recording.enters("xxxxxxxxxxx"), recording.processes), (0, 2));
        let events = folder.printed(output, &[]);
        assert_eq!(count(&events, &["NVTX Payload INT64", "Value: -3"]), 1);
        assert_eq!(count(&events, &["NVTX Payload UNSIGNED_INT32", "Value: 7"]), 4);
        assert_eq!(count(&events, &["NVTX Payload FLOAT", "1.5)"]), 4);
        assert_eq!(count(&events, &["NVTX Category", "of the domain"]), 4);
        assert_eq!(count(&events, &["of no domain"]), 0);
        let definitions = folder.printed(output, &["-G"]);
        assert_eq!(count(&definitions, &["LOCATION ", "a worker with a long name"]), 1, "{definitions}");
        assert_eq!(count(&definitions, &["REGION ", "\"registered\"", "NVTX range of domain 'library'"]), 1);
    }
}

/// The end of an instrumented function ends the regions that it has begun. The functions of the
/// headers would end each range at once.
#[test]
fn ranges_of_nvtx_in_instrumented_programs_end_with_the_functions_that_begin_them() {
    let folder = TestFolder::new();
    let flags = [&FLAGS[..], &["-finstrument-functions"]].concat();
    let program = folder.compile("cc", &flags, "nvtx.c");
    let recording = folder.record(&["-o", "o", "--with", "nvtx,functions"], &[&program], 3);
    for (region, times) in [("phase", 1), ("outer", 1), ("innär", 3), ("nested", 1), ("begin_phase", 1)] {
        recording.has_region(region, times);
    }
    assert_eq!((recording.enters("push"), recording.enters("pop")), (0, 0));
    let events = folder.printed("o", &[]);
    let order = |regions: [&str; 2]| -> Vec<&str> {
        let is_one = |line: &&str| regions.iter().any(|region| line.contains(region));
        events.lines().filter(is_one).filter_map(|line| line.split(' ').next()).collect()
    };
    assert_eq!(order(["begin_phase", "\"phase"]), ["ENTER", "ENTER", "LEAVE", "LEAVE"], "{events}");
    let inner = ["ENTER", "LEAVE"].repeat(3);
    assert_eq!(order(["outer", "innär"]), [&["ENTER"][..], &inner, &["LEAVE"]].concat(), "{events}");
    let ended = folder.run(&["-o", "o2", "--with", "nvtx,functions"], &[&program]);
    let line = "kymo: nvtx: ranges that are recorded as long as the function that began them: 1";
    assert_eq!(count(&ended.stderr, &[line]), 1, "{ended:?}");
}

/// A range that has ended is left when the ranges inside of it have.
#[test]
fn what_nvtx_has_and_a_trace_cannot_hold_is_counted() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FLAGS, "nvtx.c");
    let ended = folder.run(&["--with", "nvtx", "-o", "o"], &[&program]);
    assert_eq!(ended.status, Some(3), "{ended:?}");
    for line in [
        "kymo: nvtx: ends of ranges that had not begun on their thread, ignored: 1",
        "kymo: nvtx: ranges that ended before ranges inside of them, recorded as long as those: 1",
        "kymo: nvtx: ranges of nvtxRangeStart, which need not nest, not recorded: 1",
    ] {
        assert_eq!(count(&ended.stderr, &[line]), 1, "{ended:?}");
    }
    // A range of the parent that ends in the child is none of them.
    assert_eq!(count(&ended.stderr, &["kymo: nvtx: "]), 3, "{ended:?}");
    let events = folder.printed("o", &[]);
    let of_both = |line: &&str| line.contains("\"A\"") || line.contains("\"B\"");
    let order: Vec<_> = events.lines().filter(of_both).map(|line| line.split(' ').next()).collect();
    assert_eq!(order, ["ENTER", "ENTER", "LEAVE", "LEAVE"].map(Some), "{events}");
}

#[test]
fn the_tool_of_nvtx_that_the_user_names_receives_each_call_and_answers_it() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FLAGS, "nvtx_chained.c");
    let tool = folder.compile("cc", &["-shared", "-fPIC"], "nvtx_tool.c");
    let variables = [("NVTX_INJECTION64_PATH", tool.as_str())];
    let plain = Command::new(&program).envs(variables).output().expect("the program");
    assert!(plain.stdout.starts_with(b"100 2001 1002\n1000 2001 202\n103 "), "{plain:?}");
    for (output, with) in [("o1", "nvtx"), ("o2", "threads")] {
        let command = folder.kymo(&["-o", output, "--with", with], &[&program]);
        let ended = command.with(&variables).end();
        assert_eq!((ended.status, ended.stdout.as_bytes()), (Some(0), &*plain.stdout), "{ended:?}");
    }
    let recording = folder.read("o1");
    for (region, times) in [("outer", 5), ("in a domain", 10), ("only here", 1)] {
        recording.has_region(region, times);
    }
}

#[test]
fn timers_phases_and_counters_of_perfstubs_are_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FLAGS, "perfstubs.c");
    let recording = folder.record(&["-o", "o", "--with", "perfstubs,threads"], &[&program], 3);
    for (region, times) in [("inner", 5), ("last", 5), ("step", 5), ("in a worker", 10)] {
        recording.has_region(region, times);
    }
    assert_eq!(recording.place_of("inner"), ("some file.c".to_owned(), 17));
    let events = folder.printed("o", &[]);
    assert_eq!(count(&events, &["\"residual\"", "DOUBLE; 1.5)"]), 1);
    assert_eq!(count(&events, &["\"iteration\"", "Value: 4"]), 1);
    assert_eq!(count(&events, &["\"size\"", "Value: -12"]), 1);
    assert_eq!(count(&folder.printed("o", &["-G"]), &["\"solver\"", "\"cg\""]), 1);
}

/// A library that finds a tool may say so.
#[test]
fn perfstubs_finds_a_tool_only_where_its_timers_are_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FLAGS, "perfstubs.c");
    let found = |options: &[&str]| folder.run(options, &[&program, "found"]).stdout;
    assert_eq!(found(&["-o", "o1"]), "found a tool\n");
    assert_eq!(found(&["-o", "o2", "--with", "threads,perfstubs"]), "found a tool\n");
    assert_eq!(found(&["-o", "o3", "--with", "threads,user"]), "found no tool\n");
}

#[test]
fn kernels_regions_copies_and_memory_of_kokkos_are_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("c++", &FLAGS, "kokkos.cpp");
    let recording = folder.record(&["-o", "o", "--with", "kokkos"], &[&program], 3);
    for (region, times) in [
        ("setup", 1),
        ("section", 1),
        ("axpy", 10),
        ("solver::Functor", 2),
        ("sum", 2),
        ("wait", 1),
        ("kokkos_deep_copy", 1),
        ("event", 1),
    ] {
        recording.has_region(region, times);
    }
    let definitions = folder.printed("o", &["-G"]);
    for description in ["Kokkos parallel_for", "Kokkos parallel_reduce"] {
        assert_eq!(count(&definitions, &["REGION ", "\"axpy\"", description, "KOKKOS"]), 1, "{definitions}");
    }
    assert_eq!(count(&definitions, &["\"backend\"", "\"Serial\""]), 1);
    let events = folder.printed("o", &[]);
    assert_eq!(count(&events, &["\"bytes\"", "Value: 20"]), 1);
    assert_eq!(count(&events, &["Kokkos Memory (Host)"]), 2, "{events}");
    assert_eq!(count(&events, &["Kokkos Memory (Host)", "UINT64; 100)"]), 1);
}

#[test]
fn the_tool_of_kokkos_that_the_user_names_stays() {
    let folder = TestFolder::new();
    // A program of Kokkos is linked to the library of C++.
    let program = folder.compile("c++", &[&FLAGS[..], &["-Wl,--no-as-needed"]].concat(), "kokkos.cpp");
    let command = folder.kymo(&["-o", "o"], &["sh", "-c", "echo $KOKKOS_TOOLS_LIBS"]);
    let ended = command.with(&[("KOKKOS_TOOLS_LIBS", "/own/tool.so")]).end();
    assert_eq!(ended.stdout, "/own/tool.so\n");
    let command = folder.kymo(&["-o", "o2"], &[&program]);
    let ended = command.with(&[("KOKKOS_TOOLS_LIBS", "/own/tool.so")]).end();
    let line = "kymo: KOKKOS_TOOLS_LIBS is set: its tool sees what Kokkos does, and kymo does not";
    assert_eq!((ended.status, count(&ended.stderr, &[line])), (Some(3), 1), "{ended:?}");
}

#[test]
fn tasks_frames_and_events_of_itt_are_regions_with_metadata_and_counters() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FLAGS, "itt.c");
    for (output, with) in [("o1", "itt,threads"), ("o2", "itt,threads,sampling=1000")] {
        let recording = folder.record(&["-o", output, "--with", with], &[&program], 3);
        for (region, times) in [
            ("innär", 3),
            ("marked", 1),
            ("around", 1),
            ("described", 1),
            ("library", 5),
            ("an event", 1),
            ("in a worker", 10),
            ("around the fork", 1),
            ("in the child", 1),
        ] {
            recording.has_region(region, times);
        }
        assert_eq!((recording.enters("while paused"), recording.processes), (0, 2));
        let events = folder.printed(output, &[]);
        for values in [
            ["\"number\"", "Value: -5"],
            ["\"small\"", "Value: 65535"],
            ["\"many\"", "1.5, 2, -3"],
            ["\"text\"", "\"a text\""],
            ["\"text\"", "\"to its end\""],
            ["\"sum\"", "; 1)"],
            ["\"sum\"", "; 11)"],
            ["\"sum\"", "; 10)"],
            ["\"made before\"", "; -7)"],
            ["\"made before\"", "; -6)"],
            ["\"share\"", "; 0.5"],
        ] {
            assert_eq!(count(&events, &values), 1, "{values:?} in {events}");
        }
        assert_eq!(count(&events, &["of another"]), 0);
        let definitions = folder.printed(output, &["-G"]);
        let outer = ["library", "made before"].map(|domain| format!("ITT task of domain '{domain}'"));
        for domain in &outer {
            assert_eq!(count(&definitions, &["REGION ", "\"outer\"", domain]), 1, "{definitions}");
        }
        assert_eq!(recording.enters("outer"), 2);
        assert_eq!(count(&definitions, &["LOCATION ", "an itt worker"]), 1, "{definitions}");
    }
}

#[test]
fn what_itt_has_and_a_trace_cannot_hold_is_counted() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FLAGS, "itt.c");
    let ended = folder.run(&["--with", "itt", "-o", "o"], &[&program]);
    assert_eq!(ended.status, Some(3), "{ended:?}");
    for line in [
        "ends of ranges that had not begun on their thread, ignored: 1",
        "overlapped tasks and regions, which need not nest, not recorded: 1",
        "frames that were submitted after their end, not recorded: 1",
        "tasks with the address of a function for a name, not recorded: 1",
        "metadata of anything but the innermost task, not recorded: 1",
    ] {
        assert_eq!(count(&ended.stderr, &[&format!("kymo: itt: {line}")]), 1, "{ended:?}");
    }
    assert_eq!(count(&ended.stderr, &["kymo: itt: "]), 5, "{ended:?}");
}

#[test]
fn itt_calls_nothing_if_it_is_not_recorded_or_asks_for_other_groups() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FLAGS, "itt.c");
    let without = folder.record(&["-o", "o1", "--with", "threads"], &[&program], 3);
    let other = folder.record(&["-o", "o2", "--with", "itt,threads"], &[&program, "control"], 3);
    assert_eq!((without.enters("outer"), other.enters("outer")), (0, 0));
    // A tool that the user names is not replaced.
    let mine = folder.kymo(&["-o", "o3", "--with", "itt,threads"], &[&program]);
    let ended = mine.with(&[("INTEL_LIBITTNOTIFY64", "/nonexistent.so")]).end();
    assert_eq!((ended.status, folder.read("o3").enters("outer")), (Some(3), 0), "{ended:?}");
}
