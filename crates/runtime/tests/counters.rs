//! Counters: programs whose page faults are known.

use crate::recorded::{Recording, TestFolder};

const FLAGS: &[&str] = &["-finstrument-functions"];
const PAGES: u64 = 1000;

/// Returns the values of a metric at the enter and the leave of each call of a region. They are in
/// the record before.
#[track_caller]
fn around(recording: &Recording, metric: &str, region: &str) -> Vec<[u64; 2]> {
    let mut calls = Vec::new();
    let mut values = recording.before(region, "METRIC");
    // By location, in order.
    values.sort_by_key(|line| line.split_whitespace().nth(1).map(str::to_owned));
    for pair in values.chunks_exact(2) {
        let value = |line: &str| {
            let rest = line.split_once(&format!("(\"{metric}\""))?.1;
            rest.split_once("UINT64; ")?.1.split(')').next()?.parse().ok()
        };
        calls.push([0, 1].map(|at| value(&pair[at]).unwrap_or_else(|| panic!("{}", pair[at]))));
    }
    calls
}

#[track_caller]
fn has_faults(calls: &[[u64; 2]]) {
    for [before, after] in calls {
        // Recording touches some pages, too.
        assert!((PAGES..PAGES + 200).contains(&(after - before)), "{calls:?}");
    }
}

/// Asserts that each of four threads of the program, compiled with these flags, counts its own
/// faults.
#[track_caller]
fn each_of_four_counts(flags: &[&str], with: &str) {
    let folder = TestFolder::new();
    let program = folder.compile("counters.c", &[FLAGS, flags].concat());
    let variables = [("KYMO_RECORD_WITH", with), ("SCOREP_METRIC_PERF", "page-faults,task-clock")];
    let recording = folder.record_one(&variables, &[&program, "3"]);
    let calls = around(&recording, "page-faults", "touch");
    assert_eq!(calls.len(), 4);
    has_faults(&calls);
    let clock = around(&recording, "task-clock", "touch");
    assert!(clock.iter().all(|[before, after]| before < after), "{clock:?}");
}

#[test]
fn each_thread_counts_its_own_faults() {
    each_of_four_counts(&[], "functions,threads,counters");
}

/// The counters of all threads but the first one were 0.
#[test]
fn each_thread_of_an_openmp_runtime_counts_its_own_faults() {
    each_of_four_counts(&["-fopenmp"], "functions,openmp,counters");
}

/// Only one kind of instrumentation could have metrics.
#[test]
fn counters_and_resource_usage_are_recorded_together() {
    let folder = TestFolder::new();
    let program = folder.compile("counters.c", FLAGS);
    let variables = [
        ("KYMO_RECORD_WITH", "functions,counters,rusage"),
        ("SCOREP_METRIC_PERF", "page-faults"),
        ("SCOREP_METRIC_RUSAGE", "ru_minflt,ru_nvcsw"),
    ];
    let recording = folder.record_one(&variables, &[&program]);
    has_faults(&around(&recording, "page-faults", "touch"));
    has_faults(&around(&recording, "ru_minflt", "touch"));
    let members: Vec<_> = recording.lines("METRIC_MEMBER").collect();
    assert_eq!(members.len(), 3, "{members:?}");
    assert!(members[2].contains("page-faults") && members[2].contains("Type: OTHER"), "{members:?}");
}

/// The first thread records the faults of all threads, and each records its own.
#[test]
fn a_process_has_counters_of_all_its_threads() {
    let folder = TestFolder::new();
    let program = folder.compile("counters.c", FLAGS);
    let variables = [
        ("KYMO_RECORD_WITH", "functions,threads,counters,rusage"),
        ("SCOREP_METRIC_PERF_PER_PROCESS", "page-faults"),
        ("SCOREP_METRIC_RUSAGE_PER_PROCESS", "ru_minflt,ru_nivcsw"),
        ("SCOREP_METRIC_RUSAGE", "ru_minflt"),
    ];
    let recording = folder.record_one(&variables, &[&program, "3"]);
    assert_eq!(recording.findings, "");
    let instances: Vec<_> = recording.lines("METRIC_INSTANCE").collect();
    assert!(
        instances.iter().all(|line| line.contains("Recorder: \"Master thread\" <0>, Scope: LOCATION_GROUP")),
        "{instances:?}"
    );
    let faults = recording.metric("page-faults");
    let of_first = recording.metric("ru_nivcsw");
    assert!(faults.iter().chain(&of_first).all(|value| value.location == 0));
    let events = recording.calls("touch").iter().sum::<usize>() / 4 + recording.calls("work")[0] / 2;
    assert!(instances.len() == 3 && faults.len() == of_first.len() && faults.len() > events);
    let more = faults[faults.len() - 1].value - faults[0].value;
    let pages = 4 * PAGES as i64;
    assert!((pages..pages + 1000).contains(&more), "{faults:?}");
    // The thread's own, and those of the process.
    assert!(recording.metric("ru_minflt").iter().any(|value| value.location != 0));
}

/// A child counts from its own begin on.
#[test]
fn a_child_of_fork_has_counters_of_its_own() {
    let folder = TestFolder::new();
    let program = folder.compile("processes.c", FLAGS);
    let variables = [("KYMO_RECORD_WITH", "functions,counters"), ("SCOREP_METRIC_PERF", "task-clock")];
    let all = folder.record(&variables, &[&program, "fork"]);
    assert!(all.iter().all(|recording| recording.count("METRIC") > 0), "{all:?}");
}
