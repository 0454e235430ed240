//! `kymo profile`: all formats state the same sums.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kymo_otf2::definitions::{self, GlobalDefinition};
use kymo_otf2::events::{Enter, Leave};
use kymo_otf2::references::{RegionRef, StringRef};
use kymo_testdata::{anchors, cases, own, part_of};
use serde_json::Value;
use tempfile::TempDir;

use crate::check_common::world::{region, world};
use crate::check_common::{Written, kymo};
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
    let archives = ["otf2-samples", "otf2-real"].into_iter().flat_map(cases).flat_map(|case| anchors(&case));
    for anchor in part_of(archives, 2) {
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
    assert!(profiled >= 19, "{profiled}");
}

#[test]
fn a_trace_does_not_differ_from_itself() {
    let text = good(&["--diff"], &[&python_basic(), &python_basic()]);
    let expected = "\
exclusive
    before      after      change     noise        %   region
  1.200 us   1.200 us       +0 ns      0 ns     +0.0   (total)
  300.0 ns   300.0 ns       +0 ns      0 ns     +0.0   exchange
  500.0 ns   500.0 ns       +0 ns      0 ns     +0.0   main
  400.0 ns   400.0 ns       +0 ns      0 ns     +0.0   solve
(*: the change is larger than three times the noise)
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
after_visits,after_samples,after_inclusive_ns,after_exclusive_ns,\
noise_visits,noise_samples,noise_inclusive_ns,noise_exclusive_ns
main,2,0,1200,500,1,0,0,0,,,,
solve,100,0,700,400,0,0,0,0,,,,
exchange,100,0,300,300,0,0,0,0,,,,
";
    assert_eq!(rows, expected);
    let json: Value =
        serde_json::from_str(&good(&["--diff", "--format", "json"], &[&python_basic(), &other])).unwrap();
    assert_eq!(json["rows"][1]["before"]["exclusive_ns"], 400);
}

/// Writes a trace of a main function that calls a region once, and then another one in iterations
/// of 10 ms. Times are in milliseconds.
fn run(once: u64, repeated: &[u64]) -> Written {
    run_of(["main", "once", "again"], once, repeated)
}

fn run_of(names: [&'static str; 3], once: u64, repeated: &[u64]) -> Written {
    let mut trace = world();
    for (id, name) in (900..).zip(names) {
        trace.globals.insert(1, definitions::String { id: StringRef(id), string: name.into() }.into());
    }
    trace.define(region(2));
    for definition in &mut trace.globals {
        if let GlobalDefinition::Region(it) = definition {
            it.name = StringRef(900 + it.id.0);
            it.canonical_name = it.name;
        }
    }
    let [main, first, again] = [0, 1, 2].map(RegionRef);
    trace.event(0, 0, Enter { region: main });
    trace.event(0, 0, Enter { region: first });
    trace.event(0, once, Leave { region: first });
    let mut time = once;
    for length in repeated {
        trace.event(0, time, Enter { region: again });
        trace.event(0, time + length, Leave { region: again });
        time += 10;
    }
    trace.event(0, time, Leave { region: main });
    trace.write()
}

/// The median is 4 and the median absolute deviation 1 ms, so that the standard error of the sum of
/// nine is 1.4826 · 3 ms; that of the same times without spread is 0.
#[test]
fn the_noise_of_a_run_is_the_spread_of_its_iterations() {
    let [before, after] = [[3, 5, 4, 3, 5, 4, 3, 5, 4], [6; 9]].map(|times| run(7, &times));
    let text = good(&["--diff"], &[&before.anchor(), &after.anchor()]);
    let expected = "\
exclusive
    before      after      change     noise        %   region
  97.00 ms   97.00 ms       +0 ns      0 ns     +0.0   (total)
  36.00 ms   54.00 ms   +18.00 ms  4.448 ms    +50.0 * again
  54.00 ms   36.00 ms   -18.00 ms  4.448 ms    -33.3 * main
      7 ms       7 ms       +0 ns         ?     +0.0   once
(*: the change is larger than three times the noise)
";
    assert_eq!(text, expected);
    let tree = good(&["--diff", "--tree", "--format", "json"], &[&before.anchor(), &after.anchor()]);
    let tree: Value = serde_json::from_str(&tree).unwrap();
    let row = tree["rows"].as_array().unwrap().iter().find(|row| row["region"] == "main;again").unwrap();
    let noise = row["noise"]["inclusive_ns"].as_f64().unwrap();
    assert!((noise - 3.0 * 1.4826e6).abs() < 1.0, "{row}");
    assert_eq!((&row["is_certain"], &row["noise"]["visits"]), (&true.into(), &Value::Null));
}

/// A function that is never called does not vary at all.
#[test]
fn new_calls_in_iterations_are_more_than_noise() {
    let times = [3, 5, 4, 3, 5, 4, 3, 5, 4];
    let [one, other] = ["one", "other"].map(|name| run_of(["main", "once", name], 7, &times));
    let text = good(&["--diff"], &[&one.anchor(), &other.anchor()]);
    let expected = "\
exclusive
    before      after      change     noise        %   region
  97.00 ms   97.00 ms       +0 ns      0 ns     +0.0   (total)
  36.00 ms       0 ns   -36.00 ms  4.448 ms     gone * one
      0 ns   36.00 ms   +36.00 ms  4.448 ms      new * other
";
    assert!(text.starts_with(expected), "{text}");
}

/// The total of the runs before is 97, 98 and 99 ms: 1 ms · 1.4826 / √3 for their median, and
/// without the root for the run after.
#[test]
fn the_noise_of_several_runs_is_their_spread() {
    let runs = [7, 8, 9].map(|once| run(once, &[4, 4, 4, 4, 4, 4, 4, 4, 4]));
    let [one, two, three] = runs.each_ref().map(|it| it.anchor().to_str().unwrap().to_owned());
    let before = ["--before", &one, "--before", &two, "--before", &three];
    let slow = run(20, &[4]);
    let text = good(&[&before[..], &["-n", "1"]].concat(), &[&slow.anchor()]);
    let expected = "\
exclusive
    before      after      change     noise        %   region
  98.00 ms   30.00 ms   -68.00 ms  1.712 ms    -69.4 * (total)
  54.00 ms       6 ms   -48.00 ms      0 ns    -88.9 * main
(more regions: 2; '--top 0' prints all)
(*: the change is larger than three times the noise)
";
    assert_eq!(text, expected);
    let after = runs.each_ref().map(Written::anchor);
    let json = good(&[&before[..], &["--format", "json"]].concat(), &after.each_ref().map(|it| &**it));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["runs_before"], &json["runs_after"]), (&3.into(), &3.into()));
    assert!(json["rows"].as_array().unwrap().iter().all(|row| row["is_certain"] == false), "{json}");
    // Of two runs, nothing is known.
    let two = good(&["--before", &one, "--before", &two], &[&runs[2].anchor()]);
    assert!(
        two.ends_with("(the noise is not known: compare three runs or more, with '--before')\n"),
        "{two}"
    );
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
        (&["--diff", "--metrics"], &[&archive, &archive], "differences are those of times"),
        (&["--time", "7", "--"], &[&archive], "two values required for '--time <FIRST> <LAST>'"),
        (&["--diff"], &[&archive], "'--diff' compares two traces"),
        (&[], &[&archive, &archive], "several traces are read only with '--diff' or '--before'"),
        (&["--diff", "--by", "node"], &[&archive, &archive], "differences are those of totals"),
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
    assert_eq!((status, out.lines().count()), (Some(0), 8));
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
