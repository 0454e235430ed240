//! The calls that a C plugin receives: Score-P's calls in Score-P's order, with definitions that
//! agree with their getters.

use crate::common::{Run, parsed};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use kymo_plugin_tests::replay::Recording;
use kymo_plugin_tests::testing::{
    RecordingFolder, Replay, TemporaryFolder, build_plugin, compile_plugin, compile_program, otf2_print,
};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

/// The calls that plugins compiled from `log.c` logged.
struct Logged {
    run: Run,
    calls: Vec<Value>,
}

impl Logged {
    fn new(name: &str, definitions: &[&str], what: &[&str]) -> Self {
        let libraries = compile_plugin(name, "log.c", definitions);
        Self::of(Run::new(name, what).env("LD_LIBRARY_PATH", libraries).env("SCOREP_SUBSTRATE_PLUGINS", name))
    }

    fn of(run: Run) -> Self {
        let log = run.folder.join("log");
        let mut run = run.env("KYMO_LOG", &log);
        run.succeed();
        let text = fs::read_to_string(&log).expect("the log");
        Self { run, calls: text.lines().map(parsed).collect() }
    }

    /// Returns the names of calls, or of events, without definitions.
    fn steps(&self) -> Vec<&str> {
        let step = |call: &'_ Value| -> Option<String> {
            let name = call["call"].as_str()?;
            let name = if name == "event" { call["name"].as_str()? } else { name };
            (name != "new_definition_handle").then(|| name.to_owned())
        };
        self.calls.iter().filter_map(|call| step(call).map(|step| &*step.leak())).collect()
    }

    /// Returns the kinds of the definitions announced between two calls.
    fn definitions_between(&self, first: &str, last: &str) -> Vec<&str> {
        let is = |name: &'static str| move |call: &&Value| call["call"] == name || call["name"] == name;
        let (first, last) = (first.to_owned().leak(), last.to_owned().leak());
        let after = self.calls.iter().skip_while(|call| !is(first)(call)).skip(1);
        after.take_while(|call| !is(last)(call)).filter_map(|call| call["type"].as_str()).collect()
    }

    /// Converts the log to a recording, which has the same form.
    fn recording(&self) -> TemporaryFolder {
        let folder = TemporaryFolder::new("recording");
        let own = |call: &Value| {
            let mut call = call.clone();
            call.as_object_mut().expect("an object").remove("plugin");
            call.to_string()
        };
        let text: Vec<String> = self.calls.iter().map(own).collect();
        compress(&folder.join("rank0.jsonl.gz"), text.join("\n").as_bytes());
        for when in ["pre_unify", "write_data"] {
            let arena = fs::read(self.run.folder.join(format!("log.{when}.arena"))).expect("the arena");
            compress(&folder.join(format!("rank0.{when}.arena.gz")), &arena);
        }
        folder
    }
}

fn compress(path: &Path, bytes: &[u8]) {
    let mut encoder = GzEncoder::new(File::create(path).expect("a file"), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing");
}

const BEGIN: [&str; 12] = [
    "init",
    "set_callbacks",
    "get_event_functions",
    "get_event_functions",
    "assign_id",
    "create_location",
    "core_task_create",
    "activate_cpu_location",
    "PROGRAM_BEGIN",
    "get_requirement",
    "dump_manifest",
    "init_mpp",
];

#[test]
fn calls_are_made_in_the_order_of_score_p() {
    let logged = Logged::new("rt_order", &[], &["region"]);
    let events = ["ENTER_REGION", "ENTER_REGION", "EXIT_REGION", "EXIT_REGION"];
    let end = [
        "PROGRAM_END",
        "deactivate_cpu_location",
        "pre_unify",
        "write_data",
        "core_task_complete",
        "delete_location",
        "finalize",
    ];
    assert_eq!(logged.steps(), [&BEGIN[..], &events, &end].concat());
}

/// The expected order is that of a recording of Score-P, without the strings of its built-in
/// tracing.
#[test]
fn definitions_are_announced_in_the_order_of_score_p() {
    let logged = Logged::new("rt_definitions", &[], &[]);
    let first = logged.definitions_between("get_event_functions", "assign_id");
    let calls = recorded("user");
    let kinds = calls
        .iter()
        .filter_map(|call| call["type"].as_str().filter(|_| call["call"] == "new_definition_handle"));
    let expected: Vec<&str> = kinds.take_while(|&kind| kind != "LOCATION").collect();
    // The last ones are two strings of the built-in tracing, and the location's name.
    let expected = &expected[..expected.len() - 3];
    assert!(expected.len() > 15 && first[..expected.len()] == *expected, "{first:?}\n{expected:?}");
}

/// Returns the calls of a recording of Score-P.
fn recorded(name: &str) -> Vec<Value> {
    let path = kymo_testdata::own(&format!("scorep-recordings/{name}/rank0.jsonl.gz"));
    let mut text = String::new();
    let file = File::open(path).expect("the recording");
    GzDecoder::new(file).read_to_string(&mut text).expect("the calls");
    text.lines().map(parsed).collect()
}

/// Returns the regions of input and output, in order: name, file, and kind.
fn io_regions(calls: &[Value]) -> Vec<String> {
    const IO: u64 = 14;
    let regions = calls.iter().filter(|call| call["type"] == "REGION" && call["paradigm"] == IO);
    regions.map(|it| format!("{} {} {}", it["name"], it["file"], it["region_type"])).collect()
}

/// Returns the texts of all strings and the kinds of other definitions, from the first paradigm of
/// input and output to the first region. Handles without a name are left out: they depend on the
/// descriptors that the process inherits.
fn io_definitions(calls: &[Value]) -> Vec<String> {
    let definitions = calls.iter().filter(|call| call["call"] == "new_definition_handle");
    let ours =
        definitions.skip_while(|call| call["value"] != "POSIX").take_while(|call| call["type"] != "REGION");
    let described =
        ours.map(|call| call["value"].as_str().or(call["type"].as_str()).unwrap_or_default().to_owned());
    let mut all: Vec<String> = described.collect();
    let mut is_repeated = false;
    all.retain(|it| {
        let is_handle = it == "IO_HANDLE";
        !std::mem::replace(&mut is_repeated, is_handle) || !is_handle
    });
    all
}

const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n";

#[test]
fn input_and_output_is_defined_in_the_order_of_score_p() {
    let libraries = compile_plugin("rt_io", "log.c", &[]);
    let runtime = build_plugin("kymo-runtime");
    let run = Run::of("rt_io", &compile_program("rt_io", HELLO))
        .env("LD_LIBRARY_PATH", libraries)
        .env("SCOREP_SUBSTRATE_PLUGINS", "rt_io")
        .env("LD_PRELOAD", runtime)
        .env("KYMO_RECORD_WITH", "io");
    let mut run = run.env("KYMO_LOG", "log");
    assert!(run.output().status.success());
    let text = fs::read_to_string(run.folder.join("log")).expect("the log");
    let (ours, recorded): (Vec<Value>, _) = (text.lines().map(parsed).collect(), recorded("threads"));
    let (regions, expected) = (io_regions(&ours), io_regions(&recorded));
    assert!(expected.len() > 70 && regions.starts_with(&expected), "{regions:#?}\n{expected:#?}");
    assert_eq!(io_definitions(&ours), io_definitions(&recorded));
    let operation = |name: &str| ours.iter().find(|call| call["name"] == name).expect("an operation").clone();
    let (begin, complete) = (operation("IO_OPERATION_BEGIN"), operation("IO_OPERATION_COMPLETE"));
    assert_eq!(
        (&begin["bytesRequest"], &begin["matchingId"], &complete["bytesResult"]),
        (&6.into(), &2.into(), &6.into())
    );
}

#[test]
fn threads_have_the_calls_of_score_p() {
    let logged = Logged::new("rt_threads", &[], &["thread"]);
    let of_thread = |thread: u64| -> Vec<&str> {
        let own = |call: &&Value| call["thread"] == thread && call["call"] != "new_definition_handle";
        let name =
            |call: &'_ Value| call["name"].as_str().filter(|_| call["call"] == "event").map(str::to_owned);
        let of = |call: &Value| {
            &*name(call).unwrap_or_else(|| call["call"].as_str().expect("a call").to_owned()).leak()
        };
        logged.calls.iter().filter(own).map(of).collect()
    };
    let begin = ["create_location", "core_task_create", "activate_cpu_location", "THREAD_CREATE_WAIT_BEGIN"];
    let events = ["ENTER_REGION", "EXIT_REGION"].repeat(3);
    let end = ["THREAD_CREATE_WAIT_END", "deactivate_cpu_location"];
    assert_eq!(of_thread(1), [&begin[..], &events, &end].concat());
    let groups = logged.definitions_between("pre_unify", "write_data");
    assert_eq!(groups.iter().filter(|&&kind| kind == "GROUP").count(), 2, "{groups:?}");
}

/// Every enter and leave of every location delivers the values that were read for it. A program has
/// page faults, so their number is not 0.
#[test]
fn strictly_synchronous_metrics_are_delivered_with_enters_and_leaves() {
    let libraries = compile_plugin("rt_metrics", "log.c", &[]);
    let run = Run::new("rt_metrics", &["region", "thread"])
        .env("LD_LIBRARY_PATH", libraries)
        .env("SCOREP_SUBSTRATE_PLUGINS", "rt_metrics")
        .env("KYMO_RECORD_WITH", "user,rusage")
        .env("SCOREP_METRIC_RUSAGE", "ru_utime,ru_minflt");
    let logged = Logged::of(run);
    let defined = logged.definitions_between("core_task_create", "activate_cpu_location");
    assert_eq!(defined.iter().filter(|&&kind| kind == "METRIC").count(), 2, "{defined:?}");
    assert_eq!(defined.last(), Some(&"SAMPLING_SET"));
    let has_metrics = |call: &&Value| call["name"] == "ENTER_REGION" || call["name"] == "EXIT_REGION";
    let events: Vec<&Value> = logged.calls.iter().filter(has_metrics).collect();
    assert_eq!(events.len(), 10);
    for event in events {
        let delivered = event["metrics"]["strict"].as_array().expect("a list");
        let [delivery] = delivered.as_slice() else { panic!("{event}") };
        assert!(
            delivery["location"] == event["location"] && delivery["timestamp"] == event["timestamp"],
            "{event}"
        );
        assert_eq!(delivery["values"].as_array().map(Vec::len), Some(2), "{event}");
        assert!(delivery["values"][1].as_u64() > Some(0), "{event}");
    }
}

#[test]
fn the_second_table_is_used_while_recording_is_off() {
    let logged = Logged::new("rt_off", &[], &["off", "region", "on", "off"]);
    let tables: Vec<(&str, bool)> = logged
        .calls
        .iter()
        .filter(|call| call["call"] == "event")
        .map(|call| (call["name"].as_str().expect("a name"), call["table"] == "disabled"))
        .collect();
    let expected = [
        ("PROGRAM_BEGIN", false),
        ("DISABLE_RECORDING", false),
        ("ENTER_REGION", true),
        ("ENTER_REGION", true),
        ("EXIT_REGION", true),
        ("EXIT_REGION", true),
        ("ENABLE_RECORDING", false),
        ("DISABLE_RECORDING", false),
        ("PROGRAM_END", true),
    ];
    assert_eq!(tables, expected);
}

/// A log can be replayed: getters and bytes agree at every announcement, and our plugin writes the
/// same archive from it as from the measurement.
#[test]
fn a_log_is_a_recording() {
    let plugin = kymo_plugin_tests::testing::build_plugin("kymo-plugin");
    let libraries = compile_plugin("rt_recording", "log.c", &[]);
    let path = std::env::join_paths([plugin.parent().expect("a folder"), &libraries]).expect("a list");
    let run = Run::new("recorded", &["region", "values", "thread", "thread"])
        .env("LD_LIBRARY_PATH", path)
        .env("SCOREP_SUBSTRATE_PLUGINS", "kymo;rt_recording")
        .env("SCOREP_SUBSTRATE_PLUGINS_SEP", ";");
    let logged = Logged::of(run);
    let folder = logged.recording();
    let read = Recording::read(&folder, 0);
    assert!(read.is_ok(), "{:?}", read.err());
    let out = TemporaryFolder::new("replayed");
    let recording = RecordingFolder { name: "recorded".to_owned(), path: folder.to_path_buf() };
    Replay::new(&recording, &out).plugins("kymo").libraries(plugin.parent().expect("a folder")).succeed();
    let measured = otf2_print(&logged.run.folder.join("measured/kymo/traces.otf2"));
    let replayed = otf2_print(&out.join("kymo/traces.otf2"));
    assert_eq!(without_process(&replayed), without_process(&measured));
    let clock = measured.lines().find(|line| line.starts_with("CLOCK_PROPERTIES")).expect("a clock");
    assert!(clock.contains(", Date: 20"), "{clock}");
}

/// Removes the process id, the id of the archive, and the date, which a replay does not have.
fn without_process(text: &str) -> Vec<&str> {
    let is_own = |line: &&str| line.contains("\"ProcessId\"") || line.starts_with("Trace identifier");
    let lines = text.lines().filter(|line| !is_own(line));
    lines.map(|line| line.split_once(", Date: ").map_or(line, |(before, _)| before)).collect()
}

#[test]
fn plugins_that_cannot_be_used_are_reported_and_left_out() {
    let libraries = compile_plugin("rt_bad", "log.c", &["INIT_RESULT=3"]);
    let run = Run::new("bad", &["region"])
        .env("SCOREP_SUBSTRATE_PLUGINS", "rt_bad,rt_none")
        .env("LD_LIBRARY_PATH", libraries);
    let output = run.env("KYMO_LOG", "log").output();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.contains("`rt_bad` is not used: its init returned 3"), "{stderr}");
    assert!(stderr.contains("`rt_none` is not used"), "{stderr}");
}

#[test]
fn no_directory_is_made_unless_a_plugin_requires_it() {
    let logged = Logged::new("rt_none_required", &["REQUIRES=0"], &["region"]);
    assert!(!logged.run.folder.join("measured").exists());
    assert!(!logged.steps().contains(&"dump_manifest"));
}

#[test]
fn tables_of_other_lengths_are_accepted() {
    for length in ["EVENTS=79", "EVENTS=5", "EVENTS=90"] {
        let name = format!("rt_{}", length.replace('=', "_"));
        let libraries = compile_plugin(&name, "log.c", &[length]);
        let run = Run::new(&name, &["region"])
            .env("SCOREP_SUBSTRATE_PLUGINS", &name)
            .env("LD_LIBRARY_PATH", libraries);
        let log = run.folder.join("log");
        let mut run = run.env("KYMO_LOG", &log);
        let output = run.output();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let text = fs::read_to_string(log).unwrap_or_default();
        assert!(
            text.contains("ENTER_REGION") && text.contains("finalize"),
            "{length}: {}\n{stderr}",
            output.status
        );
    }
}
