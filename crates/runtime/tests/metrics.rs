//! Metric plugins with known values: each kind of plugin, for whomever it measures.

use std::collections::BTreeSet;
use std::fs;

use crate::recorded::{Recording, TestFolder, Value, built};

const THREADS: &str = "2";

/// Builds the plugin of this name and kind in a folder.
fn build(folder: &TestFolder, name: &str, run_per: u32, sync: u32, flags: &[&str]) {
    let definitions = [format!("-DNAME={name}"), format!("-DRUN_PER={run_per}"), format!("-DSYNC={sync}")];
    let mut all = vec!["-shared", "-fPIC"];
    all.extend(definitions.iter().map(String::as_str).chain(flags.iter().copied()));
    folder.compile_as(&format!("lib{name}.so"), "metric-plugin.c", &all);
}

/// Records the program with a plugin of this kind that measures both of its metrics. In the log,
/// the lines that the threads after the first one add are sorted, since they begin at the same
/// time.
#[track_caller]
fn record(run_per: u32, sync: u32, variables: &[(&str, &str)]) -> (Recording, Vec<String>) {
    record_compiled(&[], run_per, sync, variables)
}

/// Like [`record`], with further flags of the compiler.
#[track_caller]
fn record_compiled(
    flags: &[&str],
    run_per: u32,
    sync: u32,
    variables: &[(&str, &str)],
) -> (Recording, Vec<String>) {
    let folder = TestFolder::new();
    build(&folder, "known_plugin", run_per, sync, &[]);
    let program = folder.compile("metrics.c", &[flags, &["-finstrument-functions"]].concat());
    let log = folder.path("log").display().to_string();
    let libraries = format!("{}:{}", built().display(), folder.folder().display());
    let given = [
        ("KYMO_RECORD_WITH", "functions,threads,counters"),
        ("SCOREP_METRIC_PLUGINS", "known_plugin"),
        ("SCOREP_METRIC_KNOWN_PLUGIN", "both"),
        ("LD_LIBRARY_PATH", &libraries),
        ("PLUGIN_LOG", &log),
    ];
    let recording = folder.record_one(&[&given[..], variables].concat(), &[&program, THREADS]);
    let log = fs::read_to_string(folder.path("log")).unwrap_or_default();
    let mut log: Vec<String> = log.lines().map(str::to_owned).collect();
    let end = log.len().saturating_sub(3);
    log.get_mut(4..end).into_iter().for_each(<[_]>::sort);
    (recording, log)
}

/// Returns the locations and times of all enters and leaves, in the same order.
fn events(recording: &Recording) -> Vec<(u64, u64)> {
    let numbers = |line: &str| {
        let mut words = line.split_whitespace().skip(1).map(|word| word.parse().ok());
        Some((words.next()??, words.next()??))
    };
    let mut all: Vec<_> =
        ["ENTER", "LEAVE"].iter().flat_map(|kind| recording.lines(kind)).filter_map(numbers).collect();
    all.sort_unstable();
    all
}

/// Groups elements that are ordered by location.
fn by_location<T>(all: &[T], location: impl Fn(&T) -> u64) -> Vec<&[T]> {
    all.chunk_by(|one, other| location(one) == location(other)).collect()
}

/// Asserts that each second event of these threads, the first one included, has a value, or each if
/// `step` is 1: the number of the event, from 1.
#[track_caller]
fn has_values_at_events(recording: &Recording, threads: usize, step: usize) {
    let events = events(recording);
    let mut expected = [Vec::new(), Vec::new()];
    for events in by_location(&events, |event| event.0).into_iter().take(threads) {
        for (n, &(location, time)) in events.iter().enumerate().step_by(step) {
            let value = n as i64 + 1;
            expected[0].push(Value { location, time, value });
            expected[1].push(Value { location, time, value: -value });
        }
    }
    assert_eq!(["one", "two"].map(|metric| recording.metric(metric)), expected);
}

/// Asserts that there are `locations` for each metric, with the values that were collected at
/// `calls` times for the first of them: the times of the calls.
#[track_caller]
fn has_values_with_own_times(recording: &Recording, locations: usize, calls: usize) {
    for metric in ["one", "two"] {
        let values = recording.metric(metric);
        assert!(values.iter().all(|value| value.value as u64 == value.time), "{values:?}");
        let of_each = by_location(&values, |value| value.location);
        assert_eq!(of_each.len(), locations, "{metric}");
        // At each call, one pair consists of the times after the call before, and of this call.
        let times: Vec<u64> = of_each[0].iter().map(|value| value.time).collect();
        assert_eq!(times.len(), 2 * calls, "{times:?}");
        assert!(times[1..].chunks_exact(2).all(|pair| pair[1] == pair[0] + 1), "{times:?}");
        let name = format!("Name: \"{metric}\"");
        let own =
            recording.lines("LOCATION").filter(|line| line.contains(&name) && line.contains("Type: METRIC"));
        assert_eq!(own.count(), locations);
    }
}

/// Returns the scopes of the metrics.
fn scopes(recording: &Recording) -> Vec<&str> {
    let scope = |line: &'_ str| line.find("Scope: ").map(|at| at + 7);
    let scopes = recording.lines("METRIC_INSTANCE").filter_map(|line| line[scope(line)?..].split(' ').next());
    scopes.collect()
}

fn log_of(counters: usize) -> Vec<String> {
    let others = ["one", "two"].into_iter().flat_map(|name| vec![name; counters - 1]);
    let first = ["initialize", "one", "two", "synchronize y 0"];
    first
        .into_iter()
        .chain(others)
        .chain(["synchronize y 2", "finalize", "destructor"])
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_strictly_synchronous_plugin_has_values_at_each_event_of_each_thread() {
    let (recording, log) = record(0, 0, &[]);
    has_values_at_events(&recording, 3, 1);
    assert_eq!(log, log_of(3));
    let members: Vec<_> = recording.lines("METRIC_MEMBER").collect();
    assert!(
        members[0].contains(
            "Descr.: \"the first\" <52>, Type: OTHER, Mode: ABSOLUTE_POINT, Value Type: UINT64, Base: DECIMAL, \
             Exponent: 3, Unit: \"J\""
        ),
        "{members:?}"
    );
    assert!(
        recording.lines("METRIC_CLASS").all(|line| line.contains("SYNCHRONOUS_STRICT, Kind: CPU, 2 Members"))
    );
}

/// Threads of an OpenMP runtime were not measured.
#[test]
fn a_plugin_measures_members_of_a_team() {
    let with = [("KYMO_RECORD_WITH", "functions,openmp,counters")];
    let (recording, log) = record_compiled(&["-fopenmp"], 0, 0, &with);
    assert_eq!(log, log_of(3));
    let values = recording.metric("one");
    let of_threads = by_location(&values, |value| value.location);
    assert_eq!(of_threads.len(), 3);
    assert!(of_threads.iter().all(|values| values.iter().any(|value| value.value >= 7)), "{values:?}");
}

#[test]
fn a_synchronous_plugin_has_values_at_some_events_of_each_thread() {
    let (recording, log) = record(0, 1, &[]);
    has_values_at_events(&recording, 3, 2);
    assert_eq!(log, log_of(3));
    assert!(scopes(&recording).is_empty());
}

#[test]
fn a_synchronous_plugin_of_a_process_has_values_at_events_of_the_first_thread() {
    for (run_per, scope) in [(1, "LOCATION_GROUP"), (2, "SYSTEM_TREE_NODE"), (3, "SYSTEM_TREE_NODE")] {
        let (recording, log) = record(run_per, 1, &[]);
        has_values_at_events(&recording, 1, 2);
        assert_eq!(log, log_of(1));
        assert_eq!(scopes(&recording), [scope; 2]);
        assert_eq!(recording.findings, "");
    }
}

#[test]
fn an_asynchronous_plugin_has_values_with_times_of_its_own() {
    let (recording, log) = record(0, 2, &[]);
    let events = events(&recording);
    let of_main = by_location(&events, |event| event.0)[0].len();
    has_values_with_own_times(&recording, 3, of_main + 1);
    assert_eq!((log, scopes(&recording)), (log_of(3), vec!["LOCATION"; 6]));
    for (run_per, scope) in [(1, "LOCATION_GROUP"), (2, "SYSTEM_TREE_NODE"), (3, "SYSTEM_TREE_NODE")] {
        let (recording, log) = record(run_per, 2, &[]);
        has_values_with_own_times(&recording, 1, of_main + 1);
        assert_eq!((log, scopes(&recording)), (log_of(1), vec![scope; 2]));
    }
}

#[test]
fn an_asynchronous_plugin_is_asked_at_the_end() {
    for (run_per, locations) in [(0, 3), (1, 1), (2, 1), (3, 1)] {
        let (recording, log) = record(run_per, 3, &[]);
        has_values_with_own_times(&recording, locations, 1);
        assert_eq!(log, log_of(locations));
    }
}

/// Only the lowest rank measures metrics that are not of its process.
#[test]
fn a_higher_rank_measures_neither_machine_nor_job() {
    let rank = |rank, local| {
        [
            ("OMPI_COMM_WORLD_RANK", rank),
            ("OMPI_COMM_WORLD_SIZE", "4"),
            ("OMPI_COMM_WORLD_LOCAL_RANK", local),
            ("PMIX_NAMESPACE", "593166337"),
        ]
    };
    let measures = |run_per, sync, variables: &[(&str, &str)]| {
        let (recording, log) = record(run_per, sync, variables);
        let responsible: BTreeSet<_> = log.iter().filter_map(|it| it.strip_prefix("synchronize ")).collect();
        let is_responsible = responsible.iter().any(|it| it.starts_with('y'));
        assert_eq!(recording.count("METRIC") > 0, is_responsible, "{log:?}");
        is_responsible
    };
    for sync in [1, 3] {
        assert_eq!([2, 3].map(|per| measures(per, sync, &rank("0", "0"))), [true, true]);
        assert_eq!([2, 3].map(|per| measures(per, sync, &rank("2", "0"))), [true, false]);
        assert_eq!([2, 3].map(|per| measures(per, sync, &rank("3", "1"))), [false, false]);
    }
}

/// The stack of a thread is sampled where the plugin is not asked.
#[test]
fn samples_have_values_of_metric_plugins() {
    let folder = TestFolder::new();
    build(&folder, "strict", 0, 0, &[]);
    build(&folder, "own", 0, 2, &[]);
    let program = folder.compile("spin.c", &[]);
    let libraries = format!("{}:{}", built().display(), folder.folder().display());
    let variables = [
        ("KYMO_RECORD_WITH", "sampling,counters"),
        ("SCOREP_METRIC_PLUGINS", "strict;own"),
        ("SCOREP_METRIC_PLUGINS_SEP", ";"),
        ("SCOREP_METRIC_STRICT", "one"),
        ("SCOREP_METRIC_OWN", "two"),
        ("LD_LIBRARY_PATH", &libraries),
    ];
    let recording = folder.record_one(&variables, &[&program]);
    let strict = recording.metric("one");
    assert!(strict.len() > 20, "{strict:?}");
    // A sample that interrupted a library has the values of the one before.
    assert!(strict.windows(2).all(|two| (0..2).contains(&(two[1].value - two[0].value))), "{strict:?}");
    assert!(strict[strict.len() - 1].value as usize > strict.len() / 2, "{strict:?}");
    let own = recording.metric("two");
    assert!(own.len() > 2 && own.iter().all(|value| value.value as u64 == value.time), "{own:?}");
}

/// A child of `fork` loads copies. The loader took the second one for the first.
#[test]
fn a_child_of_fork_has_plugins_of_its_own() {
    let folder = TestFolder::new();
    build(&folder, "known_plugin", 0, 0, &[]);
    let program = folder.compile("processes.c", &["-finstrument-functions"]);
    let libraries = format!("{}:{}", built().display(), folder.folder().display());
    let variables = [
        ("KYMO_RECORD_WITH", "functions,counters"),
        ("SCOREP_METRIC_PLUGINS", "known_plugin"),
        ("SCOREP_METRIC_KNOWN_PLUGIN", "one"),
        ("LD_LIBRARY_PATH", &libraries),
    ];
    let all = folder.record(&variables, &[&program, "fork"]);
    assert!(all.len() > 1);
    for recording in all {
        let values: Vec<_> = recording.metric("one").iter().map(|value| value.value).collect();
        let count = events(&recording).len() as i64;
        assert_eq!(values, (1..=count).collect::<Vec<_>>());
    }
}

/// Records a program with a plugin of this kind, about which the runtime says these lines.
#[track_caller]
fn says(run_per: u32, sync: u32, flags: &[&str], metrics: &str, messages: &[&str]) -> Recording {
    let folder = TestFolder::new();
    build(&folder, "odd", run_per, sync, flags);
    let program = folder.compile("metrics.c", &["-finstrument-functions"]);
    let libraries = format!("{}:{}", built().display(), folder.folder().display());
    let variables = [
        ("KYMO_RECORD_WITH", "functions,counters"),
        ("SCOREP_METRIC_PLUGINS", "odd"),
        ("SCOREP_METRIC_ODD", metrics),
        ("LD_LIBRARY_PATH", &libraries),
    ];
    folder.record_with_messages(&variables, &[&program], messages)
}

#[test]
fn a_plugin_that_cannot_be_used_is_reported_in_one_line() {
    let cases: [(u32, u32, &[&str], &str, &str); 6] = [
        (0, 0, &["-DFAILS"], "one", "its initialize returned 3"),
        (0, 0, &["-DLACKS_ADD"], "one", "it has no function add_counter"),
        (1, 0, &[], "one", "it is strictly synchronous, but does not measure each thread"),
        (7, 2, &[], "one", "there are no plugins of kind 2 that run per 7"),
        (0, 9, &[], "one", "there are no plugins of kind 9 that run per 0"),
        (0, 0, &[], "", "SCOREP_METRIC_ODD names no metrics"),
    ];
    for (run_per, sync, flags, metrics, why) in cases {
        let message = format!("kymo: the metric plugin `odd` is not used: {why}");
        let recording = says(run_per, sync, flags, metrics, &[&message]);
        assert_eq!(recording.count("METRIC"), 0, "{why}");
        assert!(recording.count("ENTER") > 0);
    }
}

#[test]
fn a_metric_that_a_plugin_lacks_is_left_out() {
    let lacks = "kymo: the metric plugin `odd` has no metric three";
    let recording = says(0, 0, &[], "three,one", &[lacks]);
    assert_eq!(recording.metric("one").len(), events(&recording).len());
    let broken = "kymo: the metric plugin `odd` cannot measure broken; it has no values";
    let recording = says(1, 1, &[], "broken,one", &[broken]);
    assert_eq!((recording.metric("broken").len(), recording.metric("one").is_empty()), (0, false));
    says(
        0,
        0,
        &[],
        "three",
        &[lacks, "kymo: the metric plugin `odd` is not used: it has none of the metrics"],
    );
}

#[test]
fn a_library_that_is_not_there_is_reported() {
    let folder = TestFolder::new();
    let program = folder.compile("metrics.c", &["-finstrument-functions"]);
    let variables = [
        ("KYMO_RECORD_WITH", "functions,counters"),
        ("SCOREP_METRIC_PLUGINS", "none_such"),
        ("SCOREP_METRIC_NONE_SUCH", "one"),
    ];
    let message = "kymo: the metric plugin `none_such` is not used: libnone_such.so: cannot open shared object \
                   file: No such file or directory";
    let recording = folder.record_with_messages(&variables, &[&program], &[message]);
    assert!(recording.count("ENTER") > 0);
}

#[test]
fn a_plugin_for_a_newer_interface_is_used_with_a_warning() {
    let message = "kymo: warning: the metric plugin `odd` was built for version 2 of the interface; this host \
                   supports version 1";
    let recording = says(0, 0, &["-DVERSION=2"], "one", &[message]);
    assert_eq!(recording.metric("one").len(), events(&recording).len());
}

#[test]
fn values_from_before_the_measurement_are_left_out() {
    let message = "kymo: 1 values of metric plugins are left out: their times are not within the measurement, or \
                   before those of earlier values";
    let recording = says(1, 3, &["-DOLD"], "one", &[message]);
    assert_eq!(recording.metric("one").len(), 2);
}

/// A plugin is not asked again before its shortest time is over.
#[test]
fn a_plugin_sets_the_shortest_time_between_two_calls() {
    for (sync, count) in [(1, 1), (2, 4)] {
        let recording = says(1, sync, &["-DDELTA=1000000000000000ull"], "one", &[]);
        assert_eq!(recording.metric("one").len(), count);
    }
}

/// Records a program whose second thread gets a signal inside the runtime. Its handler calls a
/// function `calls` times.
#[track_caller]
fn raised(when: &str, calls: usize, messages: &[&str]) -> Recording {
    let folder = TestFolder::new();
    build(&folder, "raising", 0, 0, &[when]);
    let program = folder.compile("raised.c", &["-finstrument-functions"]);
    let libraries = format!("{}:{}", built().display(), folder.folder().display());
    let variables = [
        ("KYMO_RECORD_WITH", "functions,threads,counters"),
        ("SCOREP_METRIC_PLUGINS", "raising"),
        ("SCOREP_METRIC_RAISING", "one"),
        ("LD_LIBRARY_PATH", &libraries),
    ];
    folder.record_with_messages(&variables, &[&program, &calls.to_string()], messages)
}

/// The location was not there yet, so nothing of the thread was recorded.
#[test]
fn a_handler_at_the_very_begin_of_a_thread_is_recorded_after_the_begin() {
    let recording = raised("-DRAISES_AT_BEGIN", 3, &[]);
    assert_eq!((recording.calls("in_handler"), recording.calls("step")), ([3; 2], [10; 2]));
    let threads = recording.threads();
    let of_handler = recording.lines("ENTER").filter(|line| line.contains("\"in_handler\""));
    let on_thread = format!("ENTER {}", threads[1]);
    let squeezed = of_handler.map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" "));
    assert_eq!(squeezed.collect::<Vec<_>>(), vec![on_thread; 3]);
}

/// Events of a handler that are too many to wait were lost without a trace in the archive.
#[test]
fn events_of_a_handler_inside_the_runtime_are_recorded_or_counted() {
    assert_eq!(raised("-DRAISES_AT_EVENT", 3, &[]).calls("in_handler"), [3; 2]);
    const WAITING: usize = 1 << 14;
    // The handler itself is entered and left, too.
    let lost = 2 * (10_000 + 1) - WAITING;
    let message = format!("kymo: {lost} events in signal handlers that interrupted the runtime were lost");
    let recording = raised("-DRAISES_AT_EVENT", 10_000, &[&message]);
    // Calls whose leaves are lost end when the thread leaves the runtime.
    assert_eq!((recording.calls("handle"), recording.calls("in_handler")), ([1; 2], [WAITING / 2; 2]));
    assert_eq!(recording.calls("step"), [10; 2]);
    assert!(
        recording.findings.contains(&format!("{lost} events were lost while recording [events-lost]")),
        "{}",
        recording.findings
    );
}
