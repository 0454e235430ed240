//! `kymo export`: other programs read its files, and count the same.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kymo_testdata::{anchors, cases, own};
use tempfile::TempDir;

use crate::check_common::kymo;
use crate::judges;

/// A run of `kymo export`: status, messages.
fn export(arguments: &[&str], archive: &Path, output: &Path) -> (Option<i32>, String) {
    let output = kymo().arg("export").args(arguments).arg("-o").arg(output).arg(archive).output().unwrap();
    assert!(output.stdout.is_empty());
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn python_basic() -> PathBuf {
    own("otf2-samples/python-basic")
}

/// Exports an archive with everything that the judge of tables needs.
fn exported(anchor: &Path, folder: &Path) {
    fs::create_dir(folder).unwrap();
    for format in ["parquet", "csv"] {
        let (status, messages) = export(&["--format", format], anchor, &folder.join(format));
        assert!(matches!(status, Some(0 | 3)), "{}: {messages}", anchor.display());
    }
    let profile = kymo().args(["profile", "--recursive", "sum", "--format", "csv"]).arg(anchor).output();
    fs::write(folder.join("profile.csv"), profile.unwrap().stdout).unwrap();
    let has_rows =
        |name: &str| fs::read_to_string(folder.join("csv").join(name)).unwrap().lines().count() > 1;
    if has_rows("tasks.csv") {
        fs::write(folder.join("has-tasks"), "").unwrap();
    }
}

/// In these archives, samples add time to regions that were also called, which is in no row of a
/// call.
const WITH_SAMPLES: [&str; 5] =
    ["edge-values", "every-record", "otf2-2.2-every-record", "otf2-2.2-zlib", "sampling"];

#[test]
fn data_frames_read_the_tables_and_add_up_the_same() {
    let Some(python) = judges::python() else { return };
    let scratch = TempDir::new().unwrap();
    let mut folders = Vec::new();
    let has_samples = |case: &PathBuf| WITH_SAMPLES.iter().any(|it| case.ends_with(it));
    let cases = ["otf2-samples", "otf2-real"].into_iter().flat_map(cases);
    for anchor in cases.filter(|case| !has_samples(case)).flat_map(|case| anchors(&case)) {
        let folder = scratch.path().join(folders.len().to_string());
        exported(&anchor, &folder);
        folders.push(folder);
    }
    let judged = Command::new(python).arg(judges::script("tables.py")).args(&folders).output().unwrap();
    let [out, messages] = [judged.stdout, judged.stderr].map(|it| String::from_utf8(it).unwrap());
    assert!(judged.status.success(), "{messages}");
    let calls: u64 = out.split(' ').next().unwrap().parse().unwrap();
    assert!(calls > 20_000, "{out}");
}

/// Spark's package takes 450 MB and needs Java, so that only long runs ask it.
#[test]
fn spark_reads_the_tables_and_adds_up_the_same() {
    if !kymo_testdata::is_long() {
        return eprintln!("NOT JUDGED: Spark reads tables only with KYMO_LONG=1");
    }
    let Some(python) = judges::python_with("pyspark", "pyspark") else { return };
    let scratch = TempDir::new().unwrap();
    let archives = ["scorep-recordings/hybrid", "scorep-recordings/mpi", "scorep-recordings/flush"];
    let folders = archives.map(|case| scratch.path().join(case.replace('/', "-")));
    for (case, folder) in archives.iter().zip(&folders) {
        exported(&own(case).join("traces.otf2"), folder);
    }
    let judged = Command::new(python).arg(judges::script("spark.py")).args(&folders).output().unwrap();
    assert!(judged.status.success(), "{}", String::from_utf8_lossy(&judged.stderr));
    let out = String::from_utf8(judged.stdout).unwrap();
    let calls: u64 = out.trim_end_matches(" calls\n").parse().unwrap();
    assert!(calls > 130_000, "{calls}");
}

/// The time that this takes grew with the square of the depth.
#[test]
fn a_context_is_one_deeper_than_its_parent() {
    let scratch = TempDir::new().unwrap();
    let folder = scratch.path().join("tables");
    let (status, _) = export(&["--format", "csv"], &own("otf2-samples/otf2-2.2-zlib-two-blocks"), &folder);
    assert!(matches!(status, Some(0 | 3)));
    let table = fs::read_to_string(folder.join("contexts.csv")).unwrap();
    let mut depths = HashMap::new();
    for line in table.lines().skip(1) {
        let cells: Vec<_> = line.split(',').collect();
        let depth: u32 = cells[3].parse().unwrap();
        let expected = if cells[2].is_empty() { 0 } else { depths[cells[2]] + 1 };
        assert_eq!(depth, expected, "{line}");
        depths.insert(cells[0], depth);
    }
    assert!(depths.values().any(|depth| *depth > 17_000));
}

/// Events that also belong to wait states were no rows.
#[test]
fn events_of_threads_are_rows_whether_or_not_others_wait() {
    let scratch = TempDir::new().unwrap();
    let folder = scratch.path().join("tables");
    let (status, _) = export(&["--format", "csv"], &own("scorep-recordings/omp"), &folder);
    assert_eq!(status, Some(0));
    let rows = |table| fs::read_to_string(folder.join(table)).unwrap().lines().count() - 1;
    // Forks, joins, begins and ends of teams; acquisitions and releases.
    assert_eq!((rows("threads.csv"), rows("locks.csv")), (3 + 3 + 9 + 9, 45 + 45));
}

/// Every archive becomes tables, whatever is in it, and the number of threads does not matter.
#[test]
fn all_archives_become_the_same_tables_in_any_number_of_threads() {
    for anchor in kymo_testdata::part_of(cases("otf2-samples"), 4).flat_map(|case| anchors(&case)) {
        let scratch = TempDir::new().unwrap();
        for format in ["parquet", "csv"] {
            let written = ["1", "4"].map(|threads| {
                let folder = scratch.path().join(format!("{format}-{threads}"));
                let (status, messages) = export(&["--format", format, "-j", threads], &anchor, &folder);
                assert!(matches!(status, Some(0 | 3)), "{}: {messages}", anchor.display());
                kymo_testdata::files(&folder)
            });
            assert!(written[0] == written[1], "{} {format}", anchor.display());
        }
    }
}

/// The tables of the run have all rows of the answer of `kymo explain`.
#[test]
fn tables_of_the_run_are_those_of_the_explanation() {
    let (mut segments, mut iterations, mut steps) = (0, 0, 0);
    for anchor in cases("scorep-recordings").into_iter().flat_map(|case| anchors(&case)) {
        let scratch = TempDir::new().unwrap();
        let folder = scratch.path().join("out");
        let arguments = ["--format", "csv", "--tables", "critical,iterations,replay"];
        let (status, messages) = export(&arguments, &anchor, &folder);
        assert!(matches!(status, Some(0 | 3)), "{}: {messages}", anchor.display());
        let explained =
            kymo().args(["explain", "--format", "json", "--top", "0"]).arg(&anchor).output().unwrap();
        let explained: serde_json::Value = serde_json::from_slice(&explained.stdout).unwrap();
        let of = |table: &str, columns: &[usize]| -> Vec<Vec<u64>> {
            let rows = rows(&folder.join(table)).into_iter();
            rows.map(|row| columns.iter().map(|column| number(&row[*column])).collect()).collect()
        };
        let found = |rows: &serde_json::Value, names: [&str; 3]| -> Vec<Vec<u64>> {
            let row = |row: &serde_json::Value| names.map(|name| row[name].as_u64().unwrap()).to_vec();
            rows.as_array().unwrap().iter().map(row).collect()
        };
        let path = &explained["critical_path"]["segments"];
        let mut path = found(path, ["location", "start_ns", "end_ns"]);
        path.iter_mut().for_each(|row| row[2] -= row[1]);
        let critical = of("critical.csv", &[0, 1, 2]);
        assert_eq!(critical, path, "{}", anchor.display());
        let starts = explained["iterations"]["locations"].as_array().into_iter().flatten();
        let starts = starts.flat_map(|row| {
            let location = row["location"].as_u64().unwrap();
            row["starts_ns"]
                .as_array()
                .unwrap()
                .iter()
                .map(move |start| vec![location, start.as_u64().unwrap()])
        });
        let iterated = of("iterations.csv", &[0, 2]);
        assert_eq!(iterated, starts.collect::<Vec<_>>(), "{}", anchor.display());
        let ideal = of("replay.csv", &[2]);
        let latest = ideal.iter().map(|row| row[0]).max().unwrap_or(0);
        assert!(latest <= explained["replay"]["ideal_ns"].as_u64().unwrap_or(0), "{}", anchor.display());
        segments += critical.len();
        iterations += iterated.len();
        steps += ideal.len();
    }
    assert!(segments > 50 && iterations > 10 && steps > 50, "{segments} {iterations} {steps}");
}

/// Every wait state is a row, inside the row of its call, and does not overlap others of its
/// location. Calls of tasks last without the time in which they are suspended.
#[test]
fn the_table_of_waits_adds_up_to_the_statistics() {
    let mut waits = 0;
    for anchor in cases("scorep-recordings").into_iter().flat_map(|case| anchors(&case)) {
        let scratch = TempDir::new().unwrap();
        let folder = scratch.path().join("out");
        let (status, messages) = export(&["--format", "csv", "--tables", "calls,waits"], &anchor, &folder);
        assert!(matches!(status, Some(0 | 3)), "{}: {messages}", anchor.display());
        let mut calls: HashMap<_, Vec<(u64, u64, String)>> = HashMap::new();
        for row in rows(&folder.join("calls.csv")) {
            let call = (number(&row[1]), number(&row[2]), row[5].clone());
            calls.entry(number(&row[0])).or_default().push(call);
        }
        let (mut time, mut last, mut waited) = (0, HashMap::new(), HashMap::new());
        let mut table = rows(&folder.join("waits.csv"));
        table.sort_by_key(|row| number(&row[1]));
        for row in &table {
            let [location, start, duration, call] = [0, 1, 2, 5].map(|column| number(&row[column]));
            let (begin, length, region) = &calls[&location][call as usize];
            let of_call: &mut u64 = waited.entry((location, call)).or_default();
            *of_call += duration;
            let is_inside = start + duration <= begin + length || row[3].starts_with("task");
            let is_of_call = *begin <= start && *of_call <= *length && *region == row[4];
            assert!(is_inside && is_of_call, "{}: {row:?}", anchor.display());
            let end = last.insert(location, start + duration);
            assert!(end.is_none_or(|end| end <= start), "{}: {row:?}", anchor.display());
            time += duration;
        }
        let stats = kymo().args(["stats", "--no-check", "--format", "json"]).arg(&anchor).output().unwrap();
        let stats: serde_json::Value = serde_json::from_slice(&stats.stdout).unwrap();
        assert_eq!(stats["wait_facts"]["time_ns"], time, "{}", anchor.display());
        waits += table.len();
    }
    assert!(waits >= 50, "{waits}");
}

/// Returns the rows of a table of numbers and names.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn number(cell: &str) -> u64 {
    cell.parse().unwrap()
}

#[test]
fn tables_are_rectangular_text() {
    let scratch = TempDir::new().unwrap();
    let folder = scratch.path().join("out");
    let (status, messages) =
        export(&["--format", "csv", "--tables", "calls,regions"], &python_basic(), &folder);
    assert_eq!((status, messages.as_str()), (Some(0), ""));
    let names: Vec<_> = kymo_testdata::files(&folder).into_keys().collect();
    assert_eq!(names, [PathBuf::from("calls.csv"), PathBuf::from("regions.csv")]);
    let calls = fs::read_to_string(folder.join("calls.csv")).unwrap();
    let expected = "\
location,time,duration,exclusive,depth,region,parent,context
0,0,600,250,0,main,-1,1
0,1,7,4,1,solve,0,2
0,3,3,3,2,exchange,1,3
";
    assert!(calls.starts_with(expected), "{}", &calls[..300]);
    let regions = fs::read_to_string(folder.join("regions.csv")).unwrap();
    assert!(regions.starts_with("region_id,region,canonical_name,role,"), "{regions}");
}

/// With `--time`, calls begin and end with the span, and callers are found.
#[test]
fn a_part_of_the_time_has_rows_of_its_own() {
    let scratch = TempDir::new().unwrap();
    let folder = scratch.path().join("out");
    let arguments = ["--format", "csv", "--tables", "calls", "-L", "1", "--time", "100ns", "110ns"];
    assert_eq!(export(&arguments, &python_basic(), &folder), (Some(0), String::new()));
    let calls = fs::read_to_string(folder.join("calls.csv")).unwrap();
    let rows: Vec<Vec<&str>> = calls.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["1", "100", "10", rows[0][3], "0", "main", "-1", rows[0][7]]);
    assert!(rows.len() > 1 && rows[1..].iter().all(|row| row[6].parse::<usize>().unwrap() < rows.len()));
}

#[test]
fn mistakes_are_explained_and_leave_nothing() {
    let scratch = TempDir::new().unwrap();
    let folder = scratch.path().join("out");
    let (status, messages) = export(&["--format", "csv", "--tables", "call"], &python_basic(), &folder);
    assert_eq!(status, Some(2));
    assert!(messages.starts_with("kymo: '--tables': there is no table 'call'; there are calls, messages,"));
    let (status, _) = export(&["--format", "csv"], Path::new("/nonexistent.otf2"), &folder);
    assert_eq!((status, fs::read_dir(scratch.path()).unwrap().count()), (Some(4), 0));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("mine"), "text").unwrap();
    let (status, messages) = export(&["--format", "csv"], &python_basic(), &folder);
    assert_eq!(status, Some(2));
    assert!(messages.ends_with("out: already exists\n"), "{messages}");
    assert_eq!(kymo_testdata::files(scratch.path()), [("out/mine".into(), b"text".to_vec())].into());
}

/// The table of all events is written on request, with a row for each record.
#[test]
fn all_events_are_a_table() {
    let scratch = TempDir::new().unwrap();
    let folder = scratch.path().join("out");
    let anchor = own("otf2-samples/every-record");
    let (status, _) = export(&["--format", "csv", "--tables", "events"], &anchor, &folder);
    assert_eq!(status, Some(0));
    assert_eq!(kymo_testdata::files(&folder).len(), 1);
    let mut rows = csv::Reader::from_path(folder.join("events.csv")).unwrap();
    assert_eq!(rows.headers().unwrap(), vec!["location", "time", "kind", "region", "fields"]);
    let rows: Vec<_> = rows.records().map(|row| row.unwrap()).collect();
    let stats = kymo().args(["stats", "--no-check", "--format", "json"]).arg(&anchor).output().unwrap();
    let stats: serde_json::Value = serde_json::from_slice(&stats.stdout).unwrap();
    assert_eq!(stats["trace"]["events"].as_u64(), Some(rows.len() as u64));
    for row in rows.iter().filter(|row| !matches!(&row[2], "Enter" | "Leave")) {
        let fields: serde_json::Value = serde_json::from_str(&row[4]).unwrap();
        assert!(fields.is_object(), "{row:?}");
    }
    let seek = rows.iter().find(|row| &row[2] == "IoSeek").unwrap();
    assert_eq!(&seek[4], r#"{"handle":0,"offsetRequest":2,"whence":"FROM_START","offsetResult":2}"#);
}
