//! The report of `kymo record` on functions with many short calls, and how it leaves them out.

use crate::record_common::{Ended, TestFolder};

const FLAGS: &[&str] = &["-g", "-O0", "-finstrument-functions"];
const INDEX: &str = "Numbers::operator[](unsigned long)";
const SIZE: &str = "Numbers::size() const";

/// Returns the messages of kymo without those about the archive.
fn remarks(ended: &Ended) -> Vec<&str> {
    let lines = ended.stderr.lines().filter_map(|line| line.strip_prefix("kymo: "));
    lines.filter(|line| !line.starts_with("recorded ") && !line.starts_with("to print it")).collect()
}

#[test]
fn a_few_events_of_tiny_functions_are_not_reported() {
    let folder = TestFolder::new();
    let program = folder.compile("c++", FLAGS, "tiny.cpp");
    let ended = folder.run(&["-o", "o"], &[&program, "1000"]);
    assert_eq!((remarks(&ended).len(), folder.path("o/tiny.filter").exists()), (0, false), "{ended:?}");
}

#[test]
fn short_functions_are_left_out_automatically() {
    let folder = TestFolder::new();
    let program = folder.compile("c++", FLAGS, "tiny.cpp");
    // The mean of a thousand calls of these functions is shorter than this however busy the machine
    // is. `work` is called once, which is too seldom to leave it out.
    let options = ["--min-duration", "20ms"];
    let recording = folder.record(&options, &[&program, "300000"], 0);
    recording.has_region(INDEX, 1000);
    recording.has_region(SIZE, 1000);
    recording.has_region("main", 1);
    let ended = folder.run(&[&options[..], &["-o", "o"]].concat(), &[&program, "300000"]);
    let expected = format!(
        "598001 calls of 2 functions shorter than 20 ms were left out: {INDEX} (299001), {SIZE} (299000)"
    );
    assert_eq!(remarks(&ended), [expected]);
    let ended = folder.run(&[&options[..], &["-o", "p"]].concat(), &[&program, "10"]);
    assert_eq!(remarks(&ended), ["no function was left out for calls shorter than 20 ms"]);
    let ended = folder.run(&["--min-duration", "soon"], &[&program, "10"]);
    assert_eq!(ended.status, Some(125), "{ended:?}");
    assert!(ended.stderr.contains("expected a time such as 500ns, 1us or 2.5ms"), "{ended:?}");
}
