//! Counters of PAPI: a library with known counts.

use crate::recorded::{Recording, TestFolder, built};

const WITH: &str = "functions,threads,counters";

/// Records the program with the library in `papi.c`, and these events.
#[track_caller]
fn record(command: &[&str], with: &str, events: &[(&str, &str)], messages: &[&str]) -> Recording {
    record_compiled(&[], command, with, events, messages)
}

/// Like [`record`], with further flags of the compiler.
#[track_caller]
fn record_compiled(
    flags: &[&str],
    command: &[&str],
    with: &str,
    events: &[(&str, &str)],
    messages: &[&str],
) -> Recording {
    let folder = TestFolder::new();
    folder.compile_as("libpapi.so", "papi.c", &["-shared", "-fPIC"]);
    let program = folder.compile(command[0], &[flags, &["-finstrument-functions"]].concat());
    let libraries = format!("{}:{}", built().display(), folder.folder().display());
    let given = [("KYMO_RECORD_WITH", with), ("LD_LIBRARY_PATH", &libraries)];
    let command = [&[program.as_str()], &command[1..]].concat();
    folder.record_with_messages(&[&given[..], events].concat(), &command, messages)
}

#[test]
fn each_thread_reads_its_counters_at_each_event() {
    let events = [("SCOREP_METRIC_PAPI", "FAKE_READS,FAKE_TWICE")];
    let recording = record(&["metrics.c", "2"], WITH, &events, &[]);
    for (metric, factor) in [("FAKE_READS", 1), ("FAKE_TWICE", 2)] {
        let values = recording.metric(metric);
        let of_threads: Vec<_> = values.chunk_by(|one, other| one.location == other.location).collect();
        assert_eq!(of_threads.len(), 3);
        for values in of_threads {
            let expected = (1..=values.len() as i64).map(|n| factor * n);
            assert!(values.iter().map(|value| value.value).eq(expected), "{values:?}");
        }
        assert_eq!(values.len(), recording.count("ENTER") + recording.count("LEAVE"));
    }
    let member = "Descr.: \"reads\" <52>, Type: PAPI, Mode: ACCUMULATED_START, Value Type: UINT64, Base: DECIMAL, \
                  Exponent: 0, Unit: \"#\"";
    assert!(recording.lines("METRIC_MEMBER").all(|line| line.contains(member)), "{recording:?}");
}

/// Threads of an OpenMP runtime counted nothing.
#[test]
fn members_of_a_team_read_their_counters() {
    let events = [("SCOREP_METRIC_PAPI", "FAKE_READS")];
    let with = "functions,openmp,counters";
    let recording = record_compiled(&["-fopenmp"], &["metrics.c", "2"], with, &events, &[]);
    let values = recording.metric("FAKE_READS");
    let of_threads: Vec<_> = values.chunk_by(|one, other| one.location == other.location).collect();
    assert_eq!(of_threads.len(), 3);
    for values in of_threads {
        // The first thread ends the membership of the others, with the values of their last events.
        let mut numbers: Vec<_> = values.iter().map(|value| value.value).collect();
        numbers.dedup();
        assert!(numbers.len() >= 7 && numbers.iter().copied().eq(1..=numbers.len() as i64), "{numbers:?}");
    }
}

/// The events of two components are in two sets, which run at the same time.
#[test]
fn the_first_thread_reads_the_counters_of_the_process() {
    let events =
        [("SCOREP_METRIC_PAPI_PER_PROCESS", "FAKE_POWER;FAKE_TWICE"), ("SCOREP_METRIC_PAPI_SEP", ";")];
    let recording = record(&["metrics.c", "2"], WITH, &events, &[]);
    let values = recording.metric("FAKE_TWICE");
    assert!(values.len() > 10 && values.iter().all(|value| value.location == 0), "{values:?}");
    let expected = (1..=values.len() as i64).map(|n| 2 * n);
    assert!(values.iter().map(|value| value.value).eq(expected), "{values:?}");
    let power = recording.lines("METRIC").filter_map(|line| line.split_once("DOUBLE; ")?.1.split(')').next());
    let power: Vec<f64> = power.map(|value| value.parse().expect("a number")).collect();
    assert!(power.iter().copied().eq((1..=values.len()).map(|n| n as f64 / 2.0)), "{power:?}");
    let member = recording.lines("METRIC_MEMBER").find(|line| line.contains("Name: \"FAKE_POWER\""));
    let member = member.expect("a metric");
    assert!(member.contains("Mode: ABSOLUTE_NEXT, Value Type: DOUBLE") && member.contains("Unit: \"W\""));
    assert!(recording.lines("METRIC_INSTANCE").all(|line| line.contains("Scope: LOCATION_GROUP")));
    assert_eq!((recording.count("METRIC_INSTANCE"), recording.findings.as_str()), (2, ""));
}

/// The sampler reads events of the processor, whatever it interrupts.
#[test]
fn samples_have_the_counters_of_papi() {
    let events = [("SCOREP_METRIC_PAPI", "FAKE_READS")];
    let recording = record(&["spin.c"], "sampling,counters", &events, &[]);
    let values = recording.metric("FAKE_READS");
    assert!(values.len() > 20 && values.windows(2).all(|two| two[0].value < two[1].value), "{values:?}");
}

#[test]
fn an_event_that_cannot_be_counted_is_reported_in_one_line() {
    let message = "kymo: SCOREP_METRIC_PAPI: PAPI cannot count FAKE_BUSY (Component is disabled), NONE (Event does \
                   not exist) here; papi_avail and papi_native_avail list what it can";
    let events = [("SCOREP_METRIC_PAPI", "FAKE_BUSY,FAKE_READS,NONE")];
    let recording = record(&["metrics.c"], WITH, &events, &[message]);
    let values = recording.metric("FAKE_READS");
    assert_eq!(values.len(), recording.count("ENTER") + recording.count("LEAVE"));
}

/// The library is not PAPI. With it, none of the machine is found.
#[test]
fn a_library_without_papi_is_reported_in_one_line() {
    let folder = TestFolder::new();
    let library = folder.compile_as("libpapi.so", "library.c", &["-shared", "-fPIC"]);
    let program = folder.compile("metrics.c", &["-finstrument-functions"]);
    let libraries = format!("{}:{}", built().display(), folder.folder().display());
    let variables =
        [("KYMO_RECORD_WITH", WITH), ("LD_LIBRARY_PATH", &libraries), ("SCOREP_METRIC_PAPI", "PAPI_TOT_CYC")];
    let message = format!(
        "kymo: SCOREP_METRIC_PAPI: nothing is counted: {library}: undefined symbol: PAPI_register_thread"
    );
    let recording = folder.record_with_messages(&variables, &[&program], &[&message]);
    assert!(recording.count("ENTER") > 0 && recording.count("METRIC") == 0);
}

/// PAPI is opened anew, since its sets are those of the parent.
#[test]
fn a_child_of_fork_counts_from_its_own_begin_on() {
    let folder = TestFolder::new();
    folder.compile_as("libpapi.so", "papi.c", &["-shared", "-fPIC"]);
    let program = folder.compile("processes.c", &["-finstrument-functions"]);
    let libraries = format!("{}:{}", built().display(), folder.folder().display());
    let variables = [
        ("KYMO_RECORD_WITH", "functions,counters"),
        ("LD_LIBRARY_PATH", &libraries),
        ("SCOREP_METRIC_PAPI", "FAKE_READS"),
    ];
    let all = folder.record(&variables, &[&program, "fork"]);
    assert!(all.len() > 1);
    for recording in all {
        let values: Vec<_> = recording.metric("FAKE_READS").iter().map(|value| value.value).collect();
        assert_eq!(values, (1..=values.len() as i64).collect::<Vec<_>>());
        assert!(!values.is_empty());
    }
}
