//! `kymo stats`: the page and its numbers.

use std::fs;
use std::path::{Path, PathBuf};

use kymo_filter::Filter;
use kymo_testdata::{anchors, cases, own};
use serde_json::Value;

use crate::check_common::kymo;

/// A run of `kymo stats`: status, output, messages.
fn stats(arguments: &[&str], archive: &Path) -> (Option<i32>, String, String) {
    let output = kymo().arg("stats").args(arguments).arg(archive).output().unwrap();
    let [out, messages] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    (output.status.code(), out, messages)
}

fn json(archive: &Path) -> Value {
    let (status, out, messages) = stats(&["--format", "json", "--no-check"], archive);
    assert!(matches!(status, Some(0 | 3)), "{}: {messages}", archive.display());
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{}: {error}: {out}", archive.display()))
}

fn python_basic() -> PathBuf {
    own("otf2-samples/python-basic")
}

#[test]
fn the_page_states_what_is_in_the_trace() {
    let (status, out, messages) = stats(&["-n", "2"], &python_basic());
    assert_eq!((status, messages.as_str()), (Some(0), ""));
    let (first, page) = out.split_once('\n').unwrap();
    assert!(first.starts_with("trace        ") && first.ends_with("python-basic/traces.otf2"), "{first}");
    let expected = "\
locations    2 (2 with events), processes: 2, nodes: 1, most threads: 1
events       424
length       601.0 ns
clock        1,000,000,000 ticks per second
start        2026-11-20 16:02:17 UTC

Time of all locations, by kind of work
      time       %  kind
  1.200 us  100.00  computation

Efficiency of threads, in per cent (definitions of the POP project)
    100.00  load balance: mean by longest time of computation
     99.83  communication: longest time of computation by length
     99.83  parallel efficiency, the product
  600.0 ns  on Process 0

Regions by time
 exclusive      %  inclusive          events  region
  500.0 ns  41.67   1.200 us               4  main
  400.0 ns  33.33   700.0 ns             200  solve
  (more rows: 1; '--top 0' prints all)

Regions by number of events
 exclusive      %  inclusive          events  region
  400.0 ns  33.33   700.0 ns             200  solve
  300.0 ns  25.00   300.0 ns             200  exchange
  (more rows: 1; '--top 0' prints all)
  '--write-filter FILE' writes a filter of 2 regions with 94.34 % of the events

Events other than enters and leaves
         events  kind
             20  ParameterInt

Check: 0 errors, 0 warnings, 0 notes; 'kymo check' prints them
";
    assert_eq!(page, expected);
}

/// Each event of a message is in the page once, and regions have the times that `kymo profile`
/// prints.
#[test]
fn the_numbers_are_those_of_the_trace() {
    let mut messages = 0;
    for anchor in ["otf2-samples", "otf2-real"].into_iter().flat_map(cases).flat_map(|case| anchors(&case)) {
        let page = json(&anchor);
        let name = anchor.display();
        let facts = &page["messages"];
        let number = |what: &str| facts[what].as_u64().unwrap();
        let halves = 2 * number("count") + number("unmatched_sends") + number("unmatched_receives");
        let events = page["events"].as_array().unwrap();
        let count = |kind: &str| {
            let found = events.iter().find(|it| it["event"] == kind);
            found.map_or(0, |it| it["count"].as_u64().unwrap())
        };
        let recorded: u64 = ["MpiSend", "MpiIsend", "MpiRecv", "MpiIrecv"].into_iter().map(count).sum();
        let found = halves + number("unknown_partners");
        assert!(found <= recorded && recorded <= found + count("MpiRequestCancelled"), "{name}: {facts}");
        let pairs = facts["pairs"].as_array().unwrap().iter().map(|it| it["bytes"].as_u64().unwrap());
        assert_eq!(pairs.sum::<u64>(), number("bytes"), "{name}");
        messages += number("count");

        let profile = kymo().args(["profile", "--format", "csv"]).arg(&anchor).output().unwrap();
        let profile = String::from_utf8(profile.stdout).unwrap();
        let mut reader = csv::Reader::from_reader(profile.as_bytes());
        // Samples that count events have no time.
        let number = |text: &str| if text.is_empty() { 0 } else { text.parse::<u64>().unwrap() };
        let exclusive = reader.records().map(|row| number(&row.unwrap()[3]));
        let regions = page["regions"].as_array().unwrap();
        let stated = regions.iter().map(|it| it["exclusive_ns"].as_u64().unwrap());
        assert_eq!(stated.sum::<u64>(), exclusive.sum::<u64>(), "{name}");
    }
    assert!(messages >= 411, "{messages}");
}

#[test]
fn the_page_fits_in_80_columns() {
    for anchor in ["otf2-samples", "otf2-real"].into_iter().flat_map(cases).flat_map(|case| anchors(&case)) {
        let (_, out, _) = stats(&["--no-check"], &anchor);
        let is_long = |line: &&str| line.chars().count() > 80 && !line.starts_with("trace ");
        assert_eq!(out.lines().find(is_long), None, "{}", anchor.display());
    }
}

#[test]
fn the_filter_leaves_out_what_it_states() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("filter");
    let (status, out, _) = stats(&["--write-filter", file.to_str().unwrap()], &python_basic());
    assert_eq!(status, Some(0));
    let filter = Filter::parse(&fs::read(&file).unwrap()).unwrap();
    // 200 of 424 events are less than half, so both are left out.
    let left_out = ["main", "solve", "exchange"].map(|name| filter.excludes_name(name.as_bytes(), None));
    assert_eq!(left_out, [false, true, true], "{out}");
}

#[test]
fn mistakes_are_reported() {
    let (status, out, messages) = stats(&["-L", "77"], &python_basic());
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert_eq!(messages, "kymo: '--location': the trace has no location 77\n");
    let (status, _, messages) = stats(&[], Path::new("/nonexistent.otf2"));
    assert_eq!(status, Some(4), "{messages}");
}

#[test]
fn the_focus_is_the_time_between_the_begin_and_the_end_of_mpi() {
    let archive = own("scorep-recordings/mpi");
    let output = kymo().arg("print").arg(&archive).output().unwrap();
    let events = String::from_utf8(output.stdout).unwrap();
    let times = |kind: &str, region: &str| -> Vec<u64> {
        let is_one = |line: &&str| line.starts_with(kind) && line.contains(region);
        let of = |line: &str| line.split_whitespace().nth(2).and_then(|it| it.parse().ok());
        events.lines().filter(is_one).map(|line| of(line).unwrap()).collect()
    };
    let from = times("LEAVE", "\"MPI_Init\"").into_iter().max().expect("the end of MPI_Init");
    let to = times("ENTER", "\"MPI_Finalize\"").into_iter().min().expect("the start of MPI_Finalize");
    let in_json = |arguments: &[&str]| stats(&[&["--format", "json"], arguments].concat(), &archive);
    let focus = in_json(&["--focus"]);
    assert_eq!(focus.0, Some(0), "{}", focus.2);
    assert_eq!(focus, in_json(&["--time", &from.to_string(), &to.to_string()]));
    assert_ne!(focus.1, in_json(&[]).1);
}

#[test]
fn without_mpi_there_is_no_focus() {
    let (status, _, messages) = stats(&["--focus"], &python_basic());
    let expected = "kymo: '--focus': the trace has no end of MPI_Init before the first MPI_Finalize\n";
    assert_eq!((status, messages.as_str()), (Some(2), expected));
}
