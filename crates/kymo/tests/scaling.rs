//! `kymo scaling`: runs whose numbers are computed by hand.

use kymo_otf2::definitions::{
    ClockProperties, GlobalDefinition, MetricClass, MetricClassRecorder, MetricMember, Region,
};
use kymo_otf2::enums::{CollectiveOp, MetricMode, MetricOccurrence, Paradigm, RecorderKind, Type};
use kymo_otf2::events::{Enter, Leave, Metric, MpiCollectiveBegin, MpiCollectiveEnd};
use kymo_otf2::references::{LocationRef, MetricMemberRef, MetricRef, RegionRef, StringRef};
use kymo_otf2::value::MetricValue;
use serde_json::Value;

use crate::check_common::world::{WORLD, clock, list, metric_class, metric_member, region, string, world};
use crate::check_common::{Written, kymo};

const SOLVE: RegionRef = RegionRef(8);
const BARRIER: RegionRef = RegionRef(9);
const METRICS: MetricRef = MetricRef(10);

/// A run in which each location computes for a time, and then is in a barrier, in microseconds.
fn run(locations: &[[u64; 2]]) -> Written {
    run_with(locations, false)
}

/// The same; with `has_barriers`, there are events of the barrier as well.
fn run_with(locations: &[[u64; 2]], has_barriers: bool) -> Written {
    let mut trace = world();
    let is_clock = |it: &GlobalDefinition<'_>| matches!(it, GlobalDefinition::ClockProperties(_));
    trace.change(is_clock, ClockProperties { timer_resolution: 1_000_000, ..clock() });
    trace.define(string(70, "solve"));
    trace.define(string(71, "MPI_Barrier"));
    trace.define(Region { name: StringRef(70), ..region(SOLVE.0) });
    let barrier = region(BARRIER.0);
    trace.define(Region { name: StringRef(71), paradigm: Paradigm::MPI, ..barrier });
    for (location, [computation, communication]) in (0..).zip(locations) {
        trace.event(location, 0, Enter { region: SOLVE });
        trace.event(location, *computation, Leave { region: SOLVE });
        trace.event(location, *computation, Enter { region: BARRIER });
        if has_barriers {
            trace.event(location, *computation, MpiCollectiveBegin {});
            trace.event(
                location,
                computation + communication,
                MpiCollectiveEnd {
                    collective_op: CollectiveOp::BARRIER,
                    communicator: WORLD,
                    root: u32::MAX,
                    size_sent: 0,
                    size_received: 0,
                },
            );
        }
        trace.event(location, computation + communication, Leave { region: BARRIER });
    }
    trace.write()
}

/// Runs the command: status, output, messages.
fn scaling(options: &[&str], runs: &[&Written]) -> (Option<i32>, String, String) {
    let anchors = runs.iter().map(|run| run.anchor());
    let output = kymo().arg("scaling").args(options).args(anchors).output().unwrap();
    let [out, messages] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    (output.status.code(), out, messages)
}

fn json(options: &[&str], runs: &[&Written]) -> Value {
    let (status, out, messages) = scaling(&[&["--format", "json"], options].concat(), runs);
    assert_eq!((status, messages.as_str()), (Some(0), ""));
    serde_json::from_str(&out).unwrap()
}

fn ratio(page: &Value, column: usize, metric: &str) -> f64 {
    page["columns"][column]["metrics"][metric].as_f64().unwrap()
}

#[track_caller]
fn assert_near(number: f64, expected: f64) {
    assert!((number - expected).abs() < 1e-9, "{number} instead of {expected}");
}

/// One thread computes for 900 of 1,000; two compute for 500 and 450 of 550, which is 50 more.
fn one_and_two() -> [Written; 2] {
    [run(&[[900, 100]]), run(&[[500, 50], [450, 100]])]
}

#[test]
fn the_run_with_the_fewest_threads_is_the_reference() {
    let [one, two] = one_and_two();
    for runs in [[&one, &two], [&two, &one]] {
        let page = json(&[], &runs);
        let threads: Vec<_> = page["columns"].as_array().unwrap().iter().map(|it| &it["threads"]).collect();
        assert_eq!(threads, [1, 2]);
        assert_near(page["columns"][1]["speedup"].as_f64().unwrap(), 1000.0 / 550.0);
        assert_near(ratio(&page, 0, "parallel_ratio"), 0.9);
        assert_near(ratio(&page, 0, "computation_ratio"), 1.0);
        assert_near(ratio(&page, 1, "load_balance_ratio"), 475.0 / 500.0);
        assert_near(ratio(&page, 1, "communication_ratio"), 500.0 / 550.0);
        assert_near(ratio(&page, 1, "computation_ratio"), 900.0 / 950.0);
        assert_near(ratio(&page, 1, "global_ratio"), 950.0 / 1100.0 * 900.0 / 950.0);
        assert_eq!(page["columns"][1]["weakest"], "communication");
        assert_eq!(page["columns"][1]["metrics"]["ipc_ratio"], Value::Null);
    }
}

#[test]
fn with_weak_scaling_the_work_grows_with_the_threads() {
    let [one, two] = one_and_two();
    let page = json(&["--weak"], &[&one, &two]);
    assert_near(ratio(&page, 1, "computation_ratio"), 1800.0 / 950.0);
    assert_eq!(page["loss"], Value::Array(Vec::new()));
}

#[test]
fn call_paths_that_take_more_time_are_a_loss() {
    let [one, two] = one_and_two();
    let page = json(&[], &[&one, &two]);
    let rows: Vec<_> = page["loss"].as_array().unwrap().iter().collect();
    let names: Vec<_> = rows.iter().map(|row| (&row["path"][0], &row["class"])).collect();
    assert_eq!(
        names,
        [(&"solve".into(), &"computation".into()), (&"MPI_Barrier".into(), &"communication".into())]
    );
    // 50 more of 1,100 each.
    rows.iter().for_each(|row| assert_near(row["loss_ratio"].as_f64().unwrap(), 50.0 / 1100.0));
    assert_eq!(page["largest_loss"]["metric"], "computation scaling");
}

/// A run like that of [`run`], which counts instructions and cycles, and in barriers as well.
fn counting_run(locations: &[([u64; 2], [u64; 2])]) -> Written {
    let mut trace = world();
    trace.define(string(70, "solve"));
    trace.define(string(71, "MPI_Barrier"));
    trace.define(Region { name: StringRef(70), ..region(SOLVE.0) });
    trace.define(Region { name: StringRef(71), paradigm: Paradigm::MPI, ..region(BARRIER.0) });
    for (id, name) in [(20, "PAPI_TOT_INS"), (21, "PAPI_TOT_CYC")] {
        trace.define(string(52 + id, name));
        let (id, name) = (MetricMemberRef(id), StringRef(52 + id));
        let metric_mode = MetricMode::ACCUMULATED_START;
        trace.define(MetricMember { id, name, metric_mode, ..metric_member(Type::UINT64) });
    }
    let class = metric_class(METRICS, &[MetricMemberRef(20), MetricMemberRef(21)], RecorderKind::CPU);
    trace.define(MetricClass { metric_occurrence: MetricOccurrence::SYNCHRONOUS_STRICT, ..class });
    for (location, ([computation, communication], counts)) in (0..).zip(locations) {
        trace.define(MetricClassRecorder { metric: METRICS, recorder: LocationRef(location) });
        let counted = |more: u64, is_done: bool| {
            let value = |count: &u64| MetricValue {
                type_: Type::UINT64,
                bits: if is_done { count + more } else { 0 },
            };
            Metric {
                metric: METRICS,
                metric_values: list(counts.iter().map(value).collect::<Vec<_>>().leak()),
            }
        };
        let end = computation + communication;
        trace.event(location, 0, counted(0, false));
        trace.event(location, 0, Enter { region: SOLVE });
        trace.event(location, *computation, counted(0, true));
        trace.event(location, *computation, Leave { region: SOLVE });
        trace.event(location, *computation, counted(0, true));
        trace.event(location, *computation, Enter { region: BARRIER });
        trace.event(location, end, counted(5000, true));
        trace.event(location, end, Leave { region: BARRIER });
    }
    trace.write()
}

#[test]
fn counters_divide_the_scaling_of_computation() {
    let one = counting_run(&[([900, 100], [1000, 2000])]);
    let two = counting_run(&[([500, 50], [600, 1500]), ([450, 100], [600, 1500])]);
    let page = json(&[], &[&one, &two]);
    let [instruction, ipc, frequency] =
        ["instruction_ratio", "ipc_ratio", "frequency_ratio"].map(|name| ratio(&page, 1, name));
    assert_near(instruction, 1000.0 / 1200.0);
    assert_near(ipc, (1200.0 / 3000.0) / (1000.0 / 2000.0));
    assert_near(frequency, (3000.0 / 950.0) / (2000.0 / 900.0));
    assert_near(instruction * ipc * frequency, ratio(&page, 1, "computation_ratio"));
    assert_eq!(page["columns"][1]["weakest"], "IPC scaling");
}

/// Nothing was said of it, since the run of one process has no serialisation and no transfer.
#[test]
fn a_run_that_does_not_communicate_is_compared_by_communication() {
    let one = run(&[[1000, 0]]);
    let two = run_with(&[[500, 500], [500, 500]], true);
    let page = json(&[], &[&one, &two]);
    assert_near(ratio(&page, 1, "transfer_ratio"), 0.5);
    let loss = &page["largest_loss"];
    assert_eq!((&loss["metric"], &loss["to_ratio"]), (&"communication".into(), &0.5.into()));
}

#[test]
fn runs_with_as_many_threads_are_repetitions() {
    let one = run(&[[900, 100]]);
    let lengths = [[500, 100], [500, 130], [500, 110]].map(|times| run(&[times, times]));
    let page = json(&[], &[&lengths[0], &one, &lengths[1], &lengths[2]]);
    let column = &page["columns"][1];
    assert_eq!(column["runs"].as_array().unwrap().len(), 3);
    assert_near(column["length_ns"].as_f64().unwrap(), 610_000.0);
    // The median absolute deviation is 10.
    assert_near(column["length_error_ns"].as_f64().unwrap(), 14_826.0 / 3_f64.sqrt());
    assert_eq!(page["columns"][0]["length_error_ns"], Value::Null);
}

#[test]
fn runs_with_equal_numbers_of_threads_cannot_be_compared() {
    let [one, other] = [run(&[[900, 100]]), run(&[[800, 100]])];
    let (status, out, messages) = scaling(&[], &[&one, &other]);
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(messages.contains("all traces have 1 thread"), "{messages}");
    let output = kymo().arg("scaling").arg(one.anchor()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_text_has_a_column_for_each_number_of_threads() {
    let [one, two] = one_and_two();
    let (status, out, messages) = scaling(&[], &[&one, &two]);
    assert_eq!((status, messages.as_str()), (Some(0), ""));
    let expected = "\
Strong scaling: all runs do the same work.

threads                            1         2
processes                          2         2
length                          1 ms  550.0 us
speedup                         1.00      1.82
global efficiency             90.0 %    81.8 %
  parallel efficiency         90.0 %    86.4 %
    load balance             100.0 %    95.0 %
    communication            *90.0 %   *90.9 %
  computation scaling        100.0 %    94.7 %

* the lowest metric of a run, of those that are not products of others

From 1 to 2 threads, computation scaling lost most: 94.7 % instead of 100.0 %.

What takes more time from 1 to 2 threads, as a part of the time of all threads
    4.5 %  computation, solve
    4.5 %  communication, MPI_Barrier
";
    assert_eq!(out, expected);
}
