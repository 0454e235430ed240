//! `kymo explain`: findings, tables, JSON.

use std::fs;
use std::path::Path;

use kymo_testdata::{anchors, cases, own, part_of};
use serde_json::Value;

use crate::check_common::kymo;

/// A run of `kymo explain`: status, output, messages.
fn explain(arguments: &[&str], archive: &Path) -> (Option<i32>, String, String) {
    let output = kymo().arg("explain").args(arguments).arg(archive).output().unwrap();
    let [out, messages] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    (output.status.code(), out, messages)
}

fn json(arguments: &[&str], archive: &Path) -> Value {
    let arguments = [&["--format", "json"], arguments].concat();
    let (status, out, messages) = explain(&arguments, archive);
    assert!(matches!(status, Some(0 | 3)), "{}: {messages}", archive.display());
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{}: {error}: {out}", archive.display()))
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a number: {value}"))
}

/// Returns the sum of a field of all rows.
fn sum(rows: &Value, field: &str) -> u64 {
    rows.as_array().unwrap().iter().map(|row| number(&row[field])).sum()
}

fn all_anchors() -> Vec<std::path::PathBuf> {
    let folders = ["otf2-real", "scorep-recordings", "scorep-recordings-7.1"];
    folders.into_iter().flat_map(cases).flat_map(|case| anchors(&case)).collect()
}

#[test]
fn the_text_names_what_stands_out_and_where_time_is() {
    let (status, out, messages) = explain(&["-n", "2"], &own("scorep-recordings/mpi"));
    assert_eq!((status, messages.as_str()), (Some(0), ""));
    let path = own("scorep-recordings/mpi").join("traces.otf2");
    let out = out.replace(&path.display().to_string(), "traces.otf2");
    assert_eq!(out, fs::read_to_string(own("../../crates/kymo/tests/golden/explain.txt")).unwrap());
}

#[test]
fn without_a_finding_nothing_stands_out() {
    let (status, out, _) = explain(&[], &own("otf2-samples/python-basic"));
    assert_eq!(status, Some(0));
    assert!(out.lines().any(|line| line == "Nothing stands out."), "{out}");
}

#[test]
fn lines_fit_in_80_columns_but_for_commands() {
    for anchor in all_anchors() {
        let (_, out, _) = explain(&["-n", "0"], &anchor);
        let long = out.lines().find(|line| line.chars().count() > 80 && !line.contains("To see it: "));
        assert_eq!(long, None, "{}", anchor.display());
    }
}

/// The blame of all is the waiting, and the parts of the critical path are its length.
#[test]
fn tables_add_up() {
    let mut waiting = 0;
    for anchor in all_anchors() {
        let answer = json(&["--top", "0"], &anchor);
        let (waits, path) = (&answer["waits"], &answer["critical_path"]);
        let time = number(&waits["time_ns"]);
        waiting += time;
        for table in ["by_kind", "by_location", "caused_by", "by_path"] {
            assert_eq!(sum(&waits[table], "time_ns"), time, "{table} of {}", anchor.display());
        }
        assert_eq!(sum(&answer["blame"], "time_ns"), time, "{}", anchor.display());
        delays_add_up(&answer, &anchor);
        assert_eq!(waits["rows"].as_array().unwrap().len() as u64, number(&waits["count"]));
        let length = number(&path["length_ns"]);
        assert_eq!(sum(&path["profile"], "time_ns"), length, "{}", anchor.display());
        assert_eq!(path["segments"].as_array().unwrap().len() as u64, number(&path["segments_total"]));
        assert_eq!(answer["left_out"], serde_json::json!({}));
    }
    assert!(waiting > 0);
}

/// The costs of delays and the rest are the time of the wait states that take part: those of
/// messages and collective operations of first locations. Where there are no other ones, they are
/// the time of all.
fn delays_add_up(answer: &Value, anchor: &Path) {
    let sum = |rows: &Value, field: &str| -> f64 {
        rows.as_array().unwrap().iter().map(|row| row[field].as_f64().unwrap()).sum()
    };
    let attributed = sum(&answer["delays"], "cost_ns") + sum(&answer["delays_unattributed"], "time_ns");
    let all = answer["waits"]["by_kind"].as_array().unwrap().iter();
    let of_two = |row: &&Value| {
        let kind = row["kind"].as_str().unwrap();
        !["rma_", "omp_", "pthread_"].iter().any(|start| kind.starts_with(start))
    };
    let time: f64 = all.filter(of_two).map(|row| number(&row["time_ns"]) as f64).sum();
    assert!(attributed <= time * (1.0 + 1e-6), "{}: {attributed} of {time}", anchor.display());
    // It has messages and blocking operations alone.
    if anchor.parent().is_some_and(|folder| folder.ends_with("example-mpi")) {
        assert!(attributed >= time * (1.0 - 1e-6) && time > 0.0, "{attributed} of {time}");
    }
}

#[test]
fn delays_are_in_the_text_if_asked_for() {
    let anchor = own("scorep-recordings/mpi");
    let title = "What delays cost, however long before others waited";
    let [without, with] = [&["-n", "2"][..], &["-n", "2", "--delays"]].map(|it| explain(it, &anchor).1);
    assert!(!without.contains(title) && with.contains(title), "{with}");
    let others: Vec<_> = with.lines().filter(|line| !without.contains(line)).collect();
    assert_eq!(others.len(), 5, "a title, two rows, the number of the others, the rest: {others:?}");
}

#[test]
fn tables_have_the_longest_rows_and_say_how_many_are_left_out() {
    let anchor = own("scorep-recordings/mpi");
    let (all, few) = (json(&["--top", "0"], &anchor), json(&["--top", "3"], &anchor));
    for table in ["/waits/rows", "/waits/caused_by", "/blame", "/delays", "/critical_path/profile"] {
        let [all, few] = [&all, &few].map(|it| it.pointer(table).unwrap().as_array().unwrap());
        assert_eq!(all[..3], few[..], "{table}");
        let left_out = &table[1..].replace('/', ".");
        assert_eq!(number(&json(&["--top", "3"], &anchor)["left_out"][left_out]), all.len() as u64 - 3);
    }
}

#[test]
fn json_is_cut_to_its_largest_size_but_for_sentences() {
    let anchor = own("scorep-recordings/mpi");
    let size = |arguments: &[&str]| {
        let arguments = [&["--format", "json"], arguments].concat();
        explain(&arguments, &anchor).1.len()
    };
    assert!(size(&["--top", "0"]) > 20_000);
    assert!(size(&["--top", "1000"]) > 20_000);
    assert!(size(&["--top", "1000", "--max-bytes", "9000"]) <= 9000);
    let answer = json(&["--top", "1000", "--max-bytes", "1"], &anchor);
    assert_eq!(answer["findings"].as_array().unwrap().len(), 2);
    assert_eq!(answer["waits"]["rows"].as_array().unwrap().len(), 1);
    assert_eq!(number(&answer["left_out"]["waits.rows"]), number(&answer["waits"]["count"]) - 1);
}

#[test]
fn a_run_before_that_is_not_readable_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let anchor = own("otf2-samples/python-basic");
    let copy = std::process::Command::new("cp").arg("-r").arg(&anchor).arg(folder.path().join("t")).status();
    assert!(copy.unwrap().success());
    let events = folder.path().join("t/traces/0.evt");
    let bytes = fs::read(&events).unwrap();
    fs::write(&events, &bytes[..bytes.len() / 2]).unwrap();
    let before = folder.path().join("t");
    let arguments = ["--fail-if", "length > +5000%", "--before", before.to_str().unwrap()];
    assert_eq!(explain(&arguments, &anchor).0, Some(3));
}

/// A trace whose calls never end has a path for each, as long as all calls before.
#[test]
fn paths_of_deep_recursions_are_shortened() {
    let anchor = own("otf2-samples/otf2-2.2-zlib-two-blocks").join("t.otf2");
    let answer = json(&["--top", "100", "--max-bytes", "0"], &anchor);
    let row = &answer["critical_path"]["profile"][99];
    assert_eq!(row["path"].as_array().unwrap().len(), 65);
    assert_eq!(row["path"][0], "[36 calls]");
}

#[test]
fn the_selected_time_is_explained_alone() {
    let anchor = own("scorep-recordings/mpi");
    let whole = json(&["--top", "0"], &anchor);
    let part = json(&["--top", "0", "--time", "50%", "100%"], &anchor);
    let half = number(&whole["critical_path"]["end_ns"]) / 2;
    assert!(number(&part["critical_path"]["start_ns"]) >= half);
    let rows = part["waits"]["rows"].as_array().unwrap();
    assert!(!rows.is_empty() && rows.iter().all(|row| number(&row["start_ns"]) >= half));
    assert!(number(&part["critical_path"]["length_ns"]) > 0);
}

#[test]
fn a_region_that_took_less_time_shortens_the_ideal_run() {
    let anchor = own("scorep-recordings/mpi");
    let answer = json(&["--if", "main=0", "--if", "main=1", "--if", "MPI_Barrier=0"], &anchor);
    let ideal = number(&answer["replay"]["ideal_ns"]);
    let rows = answer["what_if"].as_array().unwrap();
    let lengths: Vec<_> = rows.iter().map(|row| number(&row["ideal_ns"])).collect();
    assert!(lengths[0] < ideal / 2 && lengths[1..] == [ideal, ideal], "{ideal}: {lengths:?}");
    assert_eq!(number(&rows[0]["gain_ns"]), ideal - lengths[0]);
    let (_, out, _) = explain(&["--if", "main=0"], &anchor);
    assert!(out.contains("\nOn an ideal network, the run would take 5.9"), "{out}");
    assert_eq!(explain(&["--if", "nothing=0"], &anchor).0, Some(2));
    assert_eq!(explain(&["--if", "main"], &anchor).0, Some(2));
}

#[test]
fn a_condition_that_holds_fails() {
    let anchor = own("scorep-recordings/mpi");
    let status = |arguments: &[&str]| explain(arguments, &anchor).0;
    assert_eq!(status(&["--fail-if", "load_balance < 0.5"]), Some(0));
    assert_eq!(status(&["--fail-if", "load_balance < 0.5", "--fail-if", "length > 300 ms"]), Some(1));
    let (status, _, messages) = explain(&["--fail-if", "wait.late_sender < 10%"], &anchor);
    assert_eq!(status, Some(1));
    assert!(messages.starts_with("kymo: 'wait.late_sender < 10%' holds: 0."), "{messages}");
    let (_, out, _) = explain(&["--format", "json", "--fail-if", "finding.startup > 50%"], &anchor);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["conditions"][0]["holds"], true);
}

#[test]
fn a_change_fails_if_it_is_certain_or_with_strict() {
    let anchor = own("scorep-recordings/mpi");
    let before = own("scorep-recordings/hybrid");
    let arguments = ["--fail-if", "length < -5%", "--before", before.to_str().unwrap()];
    let (status, _, messages) = explain(&arguments, &anchor);
    assert_eq!(status, Some(0));
    let line = "kymo: 'length < -5%' holds: 306.6 ms, 330.4 ms before, noise unknown";
    assert!(messages.lines().any(|it| it == line), "{messages}");
    assert_eq!(explain(&[&arguments[..], &["--strict"]].concat(), &anchor).0, Some(1));
}

/// Rank 0 receives first from rank 1, which sends last.
#[test]
fn lateness_arises_where_a_rank_makes_others_late() {
    let (status, out, _) = explain(&["--lateness", "-n", "1"], &own("findings/wrong_order"));
    assert_eq!(status, Some(0));
    let table: Vec<_> =
        out.lines().skip_while(|line| !line.starts_with("Where operations")).take(4).collect();
    let expected = [
        "Where operations become late, in 243 logical steps (605.3 ms)",
        "  600.1 ms  99 %  MPI Rank 1, last in 60 of 123",
        "            2 more; '-n 0' prints all",
        "       120  steps have operations of few locations, and do not count",
    ];
    assert_eq!(table, expected);
}

#[test]
fn mistakes_are_reported() {
    let missing = Path::new("/nonexistent/traces.otf2");
    assert_eq!(explain(&[], missing).0, Some(4));
    let anchor = own("scorep-recordings/mpi");
    assert_eq!(explain(&["--time", "1s"], &anchor).0, Some(2));
    assert_eq!(explain(&["-L", "77"], &anchor).0, Some(2));
    assert_eq!(explain(&["--fail-if", "speed > 1"], &anchor).0, Some(2));
    assert_eq!(explain(&["--fail-if", "length > +5%"], &anchor).0, Some(2));
    assert_eq!(explain(&["--before", "x"], &anchor).0, Some(2));
}

/// Asserts that a value is valid by a JSON Schema, as far as that of the answer needs it. A field
/// that it does not know is a mistake here, though readers must accept such.
#[track_caller]
fn assert_valid(schema: &Value, value: &Value, place: &str) {
    if let Some(any) = schema.get("anyOf") {
        let of_type = |it: &&Value| (it["type"] == "null") == value.is_null();
        let schema =
            any.as_array().unwrap().iter().find(of_type).unwrap_or_else(|| panic!("{place}: {value}"));
        return assert_valid(schema, value, place);
    }
    if let Some(expected) = schema.get("const") {
        return assert_eq!(value, expected, "{place}");
    }
    if let Some(all) = schema.get("enum") {
        return assert!(all.as_array().unwrap().contains(value), "{place}: {value}");
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.clone(),
        one => vec![one.clone()],
    };
    let is_one = |name: &Value| match name.as_str().unwrap() {
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("an unknown type: {other}"),
    };
    assert!(types.iter().any(is_one), "{place}: {value} instead of {types:?}");
    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
        assert_valid(&schema["items"], item, &format!("{place}[{number}]"));
    }
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        assert!(value.is_null() || value.get(name.as_str().unwrap()).is_some(), "{place}: no {name}");
    }
    for (name, field) in value.as_object().into_iter().flatten() {
        let schema = schema["properties"].get(name).or_else(|| schema.get("additionalProperties"));
        let schema = schema.unwrap_or_else(|| panic!("{place}: an unknown field {name}"));
        assert_valid(schema, field, &format!("{place}.{name}"));
    }
}

#[test]
fn answers_are_valid_by_their_schema() {
    let schema = include_str!("../../../docs/reference/explain.schema.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    for anchor in part_of(all_anchors(), 3) {
        assert_valid(&schema, &json(&["--top", "0", "--fail-if", "length > 1000000 s"], &anchor), "answer");
        assert_valid(&schema, &json(&["--top", "0", "--lateness"], &anchor), "answer");
    }
}
