//! `kymo profile`: all formats state the same sums.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kymo_otf2::definitions::{self, GlobalDefinition};
use kymo_otf2::events::{Enter, Leave};
use kymo_otf2::references::{RegionRef, StringRef};
use kymo_testdata::{anchors, cases, own};
use serde_json::Value;
use tempfile::TempDir;

use crate::check_common::kymo;
use crate::check_common::world::world;
use crate::judges;

/// A run of `kymo profile`: status, output, messages.
fn profile(arguments: &[&str], archives: &[&Path]) -> (Option<i32>, String, String) {
    let output = kymo().arg("profile").args(arguments).args(archives).output().unwrap();
    let [out, messages] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    (output.status.code(), out, messages)
}

/// Profiles an archive without faults.
fn good(arguments: &[&str], archives: &[&Path]) -> String {
    let (status, out, messages) = profile(arguments, archives);
    assert_eq!((status, messages.as_str()), (Some(0), ""), "{arguments:?} {archives:?}");
    out
}

fn python_basic() -> PathBuf {
    own("otf2-samples/python-basic")
}

#[test]
fn the_text_is_a_table() {
    let table = "\
locations: 2, events: 424
exclusive      % inclusive      visits      mean  region
 500.0 ns  41.67  1.200 us           2  600.0 ns  main
 400.0 ns  33.33  700.0 ns         100      7 ns  solve
 300.0 ns  25.00  300.0 ns         100      3 ns  exchange
";
    assert_eq!(good(&[], &[&python_basic()]), table);
    let tree = "\
locations: 2, events: 424
exclusive      % inclusive      visits      mean  call path
 500.0 ns  41.67  1.200 us           2  600.0 ns  main
 400.0 ns  33.33  700.0 ns         100      7 ns    solve
 300.0 ns  25.00  300.0 ns         100      3 ns      exchange
";
    assert_eq!(good(&["--tree"], &[&python_basic()]), tree);
    let groups = "\
location 0, Thread 0: events: 212
exclusive      % inclusive      visits      mean       min       max deviation  region
 250.0 ns  41.67  600.0 ns           1  600.0 ns  600.0 ns  600.0 ns      0 ns  main
(more regions: 2; '--top 0' prints all)

location 1, Thread 1: events: 212
exclusive      % inclusive      visits      mean       min       max deviation  region
 250.0 ns  41.67  600.0 ns           1  600.0 ns  600.0 ns  600.0 ns      0 ns  main
(more regions: 2; '--top 0' prints all)
";
    assert_eq!(good(&["--by", "location", "--wide", "-n1"], &[&python_basic()]), groups);
}

/// The callers of a call path are printed, even if others have larger values.
/// Names once were cut although the columns of numbers had room.
#[test]
fn columns_of_numbers_make_room_for_names() {
    let mut trace = world();
    let name = "a_name_of_thirty_four_characters_x";
    for definition in &mut trace.globals {
        if let GlobalDefinition::Region(region) = definition {
            region.name = StringRef(900);
            region.canonical_name = StringRef(900);
        }
    }
    trace.globals.insert(1, definitions::String { id: StringRef(900), string: name.into() }.into());
    trace.event(0, 5000, Enter { region: RegionRef(0) });
    trace.event(0, 5600, Leave { region: RegionRef(0) });
    let text = good(&[], &[&trace.write().anchor()]);
    assert!(text.contains(&format!("  {name}\n")), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn trees_are_printed_with_callers() {
    let text = good(&["--tree", "--value", "visits", "-n", "1"], &[&python_basic()]);
    let names: Vec<_> = text.lines().skip(2).map(|line| line.split_whitespace().last().unwrap()).collect();
    assert_eq!(names[..2], ["main", "solve"]);
}

#[test]
fn stacks_and_literals_nest() {
    assert_eq!(
        good(&["--format", "folded"], &[&python_basic()]),
        "main 500\nmain;solve 400\nmain;solve;exchange 300\n"
    );
    assert_eq!(
        good(&["--format", "folded", "--by", "location", "--value", "visits"], &[&python_basic()]),
        "Thread 0;main 1\nThread 0;main;solve 50\nThread 0;main;solve;exchange 50\n\
         Thread 1;main 1\nThread 1;main;solve 50\nThread 1;main;solve;exchange 50\n"
    );
    let literal: Value = serde_json::from_str(&good(&["--format", "hatchet"], &[&python_basic()])).unwrap();
    let inner = &literal[0]["children"][0]["children"][0];
    assert_eq!((&inner["frame"]["name"], &inner["metrics"]["visits"]), (&"exchange".into(), &100.into()));
}

/// Real programs of the repository, whose profiles are judged in long runs.
const PROGRAMS: [&str; 3] = ["scorep-recordings/hybrid", "scorep-recordings/mpi", "scorep-recordings/omp"];

/// Returns the sums of visits and exclusive nanoseconds of a program.
fn sums(program: &Path) -> (u64, u64) {
    let rows = rows_of_json(&good(&["--format", "json"], &[program]), "region_id");
    (rows.values().map(|it| it[0]).sum(), rows.values().map(|it| it[2]).sum())
}

/// Hatchet brings packages for plots, so that only long runs ask it.
#[test]
fn hatchet_reads_literals_and_adds_up_the_same() {
    if !kymo_testdata::is_long() {
        return eprintln!("NOT JUDGED: Hatchet reads literals only with KYMO_LONG=1");
    }
    let Some(python) = judges::python_with("llnl-hatchet", "hatchet") else { return };
    let scratch = TempDir::new().unwrap();
    for program in PROGRAMS.map(own) {
        let file = scratch.path().join("literal.json");
        fs::write(&file, good(&["--format", "hatchet"], &[&program])).unwrap();
        let judged =
            Command::new(&python).arg(judges::script("hatchet_frame.py")).arg(&file).output().unwrap();
        assert!(judged.status.success(), "{}", String::from_utf8_lossy(&judged.stderr));
        let out = String::from_utf8(judged.stdout).unwrap();
        let (visits, seconds) = out.trim().split_once(' ').unwrap();
        let found = (visits.parse().unwrap(), (seconds.parse::<f64>().unwrap() * 1e9).round() as u64);
        assert_eq!(found, sums(&program), "{}", program.display());
    }
}

/// Building inferno takes minutes, so that only long runs ask it.
#[test]
fn inferno_draws_stacks_with_the_same_sum() {
    if !kymo_testdata::is_long() {
        return eprintln!("NOT JUDGED: inferno draws stacks only with KYMO_LONG=1");
    }
    let Some(inferno) = judges::cargo("inferno", "inferno-flamegraph") else { return };
    let scratch = TempDir::new().unwrap();
    for program in PROGRAMS.map(own) {
        let file = scratch.path().join("stacks");
        fs::write(&file, good(&["--format", "folded"], &[&program])).unwrap();
        let drawn = Command::new(&inferno).args(["--minwidth", "0"]).arg(&file).output().unwrap();
        assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
        let picture = String::from_utf8(drawn.stdout).unwrap();
        // The title of the lowest frame: `all (1,234 samples, 100%)`.
        let title = picture.split("<title>all (").nth(1).unwrap();
        let samples = title.split_once(" samples").unwrap().0.replace(',', "");
        assert_eq!(samples.parse(), Ok(sums(&program).1), "{}", program.display());
    }
}

/// Returns visits, inclusive and exclusive time by key from JSON.
fn rows_of_json(text: &str, key: &str) -> BTreeMap<String, [u64; 3]> {
    let document: Value = serde_json::from_str(text).unwrap();
    let rows = document["groups"].as_array().unwrap().iter().flat_map(|it| it["rows"].as_array().unwrap());
    let row = |row: &Value| {
        let numbers = ["visits", "inclusive_ns", "exclusive_ns"].map(|name| row[name].as_u64().unwrap());
        (row[key].to_string(), numbers)
    };
    rows.map(row).collect()
}

/// Returns the same from CSV.
fn rows_of_csv(text: &str, key: &str) -> BTreeMap<String, [u64; 3]> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heading = reader.headers().unwrap().clone();
    let column = |name: &str| heading.iter().position(|it| it == name).unwrap();
    let rows = reader.records().map(|row| {
        // Rows of different lengths are errors.
        let row = row.unwrap();
        let number = |name: &str| row[column(name)].parse().unwrap();
        (row[column(key)].to_owned(), ["visits", "inclusive_ns", "exclusive_ns"].map(number))
    });
    rows.collect()
}

/// Every format of every archive is well-formed and states the same numbers.
#[test]
fn all_formats_state_the_same_sums() {
    let mut profiled = 0;
    for anchor in ["otf2-samples", "otf2-real"].into_iter().flat_map(cases).flat_map(|case| anchors(&case)) {
        let run = |arguments: &[&str]| {
            let (status, out, messages) = profile(arguments, &[&anchor]);
            assert_eq!(status, Some(0), "{arguments:?} {}: {messages}", anchor.display());
            out
        };
        let regions = rows_of_json(&run(&["--format", "json"]), "region_id");
        let rows = run(&["--format", "csv"]);
        assert!(rows.starts_with("region,visits,inclusive_ns,exclusive_ns,"), "{rows}");
        assert_eq!(rows_of_csv(&rows, "region_id"), regions);
        let with_metrics = rows_of_csv(&run(&["--metrics", "--format", "csv"]), "region_id");
        assert_eq!(with_metrics, regions);
        let contexts = rows_of_json(&run(&["--tree", "--format", "json"]), "context");
        assert_eq!(rows_of_csv(&run(&["--tree", "--format", "csv"]), "context"), contexts);
        let sum =
            |rows: &BTreeMap<String, [u64; 3]>, place: usize| rows.values().map(|it| it[place]).sum::<u64>();
        assert_eq!((sum(&regions, 0), sum(&regions, 2)), (sum(&contexts, 0), sum(&contexts, 2)));
        let folded = run(&["--format", "folded"]);
        let numbers = folded.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap());
        assert_eq!(numbers.sum::<u64>(), sum(&regions, 2));
        let text = run(&["--tree", "--top", "0"]);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        match serde_json::from_str::<Value>(&run(&["--format", "hatchet"])) {
            Ok(literal) => assert!(literal.is_array()),
            // Some call paths are deeper than serde_json reads.
            Err(error) => assert!(error.to_string().contains("recursion limit"), "{error}"),
        }
        profiled += 1;
    }
    assert!(profiled >= 37, "{profiled}");
}

#[test]
fn a_trace_does_not_differ_from_itself() {
    let text = good(&["--diff"], &[&python_basic(), &python_basic()]);
    let expected = "\
exclusive
     before       after       change        %  region
   1.200 us    1.200 us        +0 ns     +0.0  (total)
   300.0 ns    300.0 ns        +0 ns     +0.0  exchange
   500.0 ns    500.0 ns        +0 ns     +0.0  main
   400.0 ns    400.0 ns        +0 ns     +0.0  solve
";
    assert_eq!(text, expected);
}

/// The second half of the trace, which has no enter of main, against the whole.
#[test]
fn differences_are_listed_by_size() {
    let other = own("otf2-samples/handmade-old-anchor1");
    let rows = good(&["--diff", "--format", "csv"], &[&python_basic(), &other]);
    let expected = "\
region,before_visits,before_samples,before_inclusive_ns,before_exclusive_ns,\
after_visits,after_samples,after_inclusive_ns,after_exclusive_ns
main,2,0,1200,500,1,0,0,0
solve,100,0,700,400,0,0,0,0
exchange,100,0,300,300,0,0,0,0
";
    assert_eq!(rows, expected);
    let json: Value =
        serde_json::from_str(&good(&["--diff", "--format", "json"], &[&python_basic(), &other])).unwrap();
    assert_eq!(json["rows"][1]["before"]["exclusive_ns"], 400);
}

#[test]
fn parts_of_a_trace_are_selected() {
    let text = good(&["-L", "1", "--format", "folded"], &[&python_basic()]);
    assert_eq!(text, "main 250\nmain;solve 200\nmain;solve;exchange 150\n");
    let all = good(&["--format", "folded"], &[&python_basic()]);
    assert_eq!(good(&["--time", "0%", "100%", "--format", "folded"], &[&python_basic()]), all);
    let half = good(&["--time", "0%,50%", "--format", "folded"], &[&python_basic()]);
    assert!(half.starts_with("main ") && half != all, "{half}");
}

#[test]
fn mistakes_in_arguments_are_explained() {
    let archive = python_basic();
    for (arguments, archives, message) in [
        (&["-L", "7"][..], &[&*archive][..], "kymo: '--location': the trace has no location 7\n"),
        (&["-m", "x"], &[&archive], "kymo: '--metric': the trace has no metric 'x'; it has none\n"),
        (&["--diff", "--metrics"], &[&archive, &archive], "'--diff' compares times"),
        (&["--time", "7", "--"], &[&archive], "two values required for '--time <FIRST> <LAST>'"),
        (&["--diff"], &[&archive], "'--diff' compares two traces"),
        (&[], &[&archive, &archive], "two traces are read only with '--diff'"),
        (&["--diff", "--by", "node"], &[&archive, &archive], "'--diff' compares totals"),
        (&["--format", "hatchet", "--by", "node"], &[&archive], "'--format hatchet' has no groups"),
    ] {
        let (status, out, messages) = profile(arguments, archives);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(messages.contains(message), "{messages}");
    }
    let (status, _, messages) = profile(&[], &[Path::new("/nonexistent.otf2")]);
    assert_eq!(status, Some(4));
    assert!(messages.contains("/nonexistent.otf2: not found"), "{messages}");
}

/// The readable part of a damaged archive is profiled, and the damage reported.
#[test]
fn a_damaged_location_is_profiled_up_to_the_damage() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    let source = python_basic();
    fs::create_dir_all(archive.join("traces")).unwrap();
    fs::copy(source.join("traces.otf2"), archive.join("traces.otf2")).unwrap();
    fs::copy(source.join("traces.def"), archive.join("traces.def")).unwrap();
    for entry in fs::read_dir(source.join("traces")).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), archive.join("traces").join(entry.file_name())).unwrap();
    }
    let events = archive.join("traces/1.evt");
    let bytes = fs::read(&events).unwrap();
    fs::write(&events, &bytes[..bytes.len() / 2]).unwrap();
    let (status, out, messages) = profile(&["--format", "folded"], &[&archive]);
    assert_eq!(status, Some(3));
    assert!(out.starts_with("main "), "{out}");
    assert!(messages.starts_with("kymo: location 1: ") && messages.contains("1.evt: byte "), "{messages}");
    let remark = "archive/traces.otf2: calls without an end were closed at the end of the trace: ";
    assert!(messages.contains(remark), "{messages}");
}

/// The depth of the recursion is 17,480.
#[test]
fn all_calls_of_a_recursion_count_if_asked_for() {
    let archive = own("otf2-samples/otf2-2.2-zlib-two-blocks");
    let inclusive = |arguments: &[&str]| {
        let text = profile(&[&["--format", "csv"], arguments].concat(), &[&archive]).1;
        rows_of_csv(&text, "region").values().map(|row| row[1]).max().unwrap()
    };
    let (outermost, sum) = (inclusive(&[]), inclusive(&["--recursive", "sum"]));
    assert!(outermost > 0 && sum > 1000 * outermost, "{outermost}, {sum}");
}

/// The call paths of a recursion of depth 17,480 were 2 GB of text.
#[test]
fn deep_recursions_are_shortened() {
    let archive = own("otf2-samples/otf2-2.2-zlib-two-blocks");
    let (_, out, _) = profile(&["--format", "folded"], &[&archive]);
    let longest = out.lines().map(|line| line.split(';').count()).max();
    assert_eq!(longest, Some(257));
    assert!(out.contains(";[17223 frames];"));
    let (status, out, _) = profile(&["--diff", "--tree", "-n", "3"], &[&archive, &archive]);
    assert_eq!((status, out.lines().count()), (Some(0), 7));
}

#[test]
fn the_output_can_be_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.folded");
    assert_eq!(good(&["--format", "folded", "-o", file.to_str().unwrap()], &[&python_basic()]), "");
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 3);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The time of a region that is left out belongs to the caller, in calls and in calling contexts.
#[test]
fn regions_of_a_filter_are_left_out() {
    let scratch = tempfile::TempDir::new().unwrap();
    let filter = scratch.path().join("filter");
    fs::write(&filter, "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE solve\nSCOREP_REGION_NAMES_END\n").unwrap();
    let arguments = ["--filter", filter.to_str().unwrap(), "--format", "folded"];
    assert_eq!(good(&arguments, &[&python_basic()]), "main 900\nmain;exchange 300\n");
    fs::write(&filter, "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE *\nSCOREP_REGION_NAMES_END\n").unwrap();
    for anchor in cases("otf2-samples").into_iter().chain(cases("otf2-real")).flat_map(|case| anchors(&case))
    {
        let (status, out, messages) = profile(&arguments, &[&anchor]);
        assert!(matches!(status, Some(0 | 3)), "{}: {messages}", anchor.display());
        // Regions that are not defined have no names.
        assert!(out.lines().all(|line| line.starts_with("<region ")), "{}: {out}", anchor.display());
    }
    fs::write(&filter, "SCOREP_REGION_NAMES_BEGIN\nDROP *\n").unwrap();
    let (status, _, messages) = profile(&arguments, &[&python_basic()]);
    assert_eq!(status, Some(2));
    assert!(messages.starts_with(&format!("kymo: {}", filter.display())), "{messages}");
}
