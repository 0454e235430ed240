//! The output and exit status of `kymo check`.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Output, Stdio};

use crate::check_common::world::{HANDLE, PARALLEL_HANDLE, world};
use crate::check_common::{Trace, Written, all_kinds, check, kymo, text};
use kymo_otf2::events::{Enter, IoDuplicateHandle, Leave, MpiSend};
use kymo_otf2::flags::IoStatusFlag;
use kymo_otf2::references::{CommRef, RegionRef};

/// An archive that enters an undefined region and never leaves it.
fn one_error() -> Written {
    let mut trace = world();
    trace.event(0, 10, Enter { region: RegionRef(1) });
    trace.event(0, 20, Leave { region: RegionRef(1) });
    trace.event(0, 30, Enter { region: RegionRef(77) });
    trace.write()
}

fn run(written: &Written, options: &[&str]) -> Output {
    let mut command = kymo();
    command.current_dir(written.folder.path()).arg("check").args(options).arg("traces.otf2");
    command.output().expect("running kymo")
}

fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).expect("text")
}

#[test]
fn findings_are_lines_and_then_a_summary() {
    let output = run(&one_error(), &[]);
    let expected = "\
ERROR ./traces/0.evt: byte 42: event 3 (Enter): region 77 is not defined [undefined-region]
WARNING ./traces/0.evt: byte 42: event 3 (Enter): region 77 is never left [not-left]
traces.otf2: 1 error, 1 warning, 0 notes; 3 events of 3 locations
";
    assert_eq!((stdout(&output), output.status.code()), (expected, Some(1)));
    assert!(output.stderr.is_empty());
}

#[test]
fn a_sound_archive_yields_only_a_summary() {
    let output = run(&world().write(), &[]);
    let expected = "traces.otf2: no errors, 0 warnings, 0 notes; 0 events of 3 locations\n";
    assert_eq!((stdout(&output), output.status.code()), (expected, Some(0)));
}

#[test]
fn json_contains_the_same_findings() {
    let report = one_error().check();
    let finding = &report.findings[0];
    assert_eq!(text(&finding["kind"]), "undefined-region");
    assert_eq!(text(&finding["severity"]), "error");
    assert_eq!(text(&finding["record"]), "Enter");
    assert!(text(&finding["file"]).ends_with("/traces/0.evt"));
    let numbers = ["offset", "event", "location"].map(|key| finding[key].as_u64());
    assert_eq!(numbers, [Some(42), Some(3), Some(0)]);
    let counts = ["errors", "warnings", "notes", "events", "locations", "files_read_in_part", "status"];
    assert_eq!(counts.map(|of| report.number(of)), [1, 1, 0, 3, 3, 0, 1]);
    assert_eq!(report.summary["kinds"]["undefined-region"], 1);
}

/// An archive that leaves a region this many times without entering it.
fn many_errors(count: u64) -> Written {
    let mut trace = world();
    (0..count).for_each(|time| trace.event(0, time, Leave { region: RegionRef(1) }));
    trace.write()
}

#[test]
fn findings_do_not_flood() {
    let archive = many_errors(30);
    let output = run(&archive, &["--limit", "4"]);
    let lines: Vec<_> = stdout(&output).lines().collect();
    assert_eq!(lines.iter().filter(|line| line.starts_with("ERROR")).count(), 4);
    assert_eq!(lines[4], "26 more leave-without-enter not shown");
    assert!(lines[5].contains(": 30 errors,"), "{}", lines[5]);
    let report = check(&archive.anchor(), &[]);
    assert_eq!((report.findings.len(), report.number("errors")), (10, 30));
    assert_eq!(check(&archive.anchor(), &["--limit", "0"]).findings.len(), 0);
}

#[test]
fn kinds_can_be_ignored() {
    let archive = one_error();
    let report = check(&archive.anchor(), &["--ignore", "undefined-region"]);
    assert_eq!((report.status, report.number("errors"), report.number("warnings")), (0, 0, 1));
    let both = ["--ignore", "undefined-region", "--ignore", "not-left"];
    assert!(check(&archive.anchor(), &both).findings.is_empty());
}

#[test]
fn missing_counterparts_are_not_reported_while_a_file_is_cut() {
    let mut trace = world();
    trace.event(0, 10, MpiSend { receiver: 1, communicator: CommRef(0), msg_tag: 1, msg_length: 8 });
    assert_eq!(trace.write().check().kinds().into_iter().collect::<Vec<_>>(), ["unmatched-send"]);
    // The handle may have been created in the missing part.
    let (old_handle, new_handle, status_flags) = (HANDLE, PARALLEL_HANDLE, IoStatusFlag::empty());
    trace.event(0, 20, IoDuplicateHandle { old_handle, new_handle, status_flags });
    trace.event(1, 10, Enter { region: RegionRef(0) });
    trace.after(|folder| cut(&folder.join("traces/1.evt")));
    let report = trace.write().check();
    assert_eq!(report.kinds().into_iter().collect::<Vec<_>>(), ["missing-end"]);
    assert_eq!((report.status, report.number("files_read_in_part")), (3, 1));
}

fn cut(path: &Path) {
    let bytes = fs::read(path).expect("a file");
    fs::write(path, &bytes[..bytes.len() - 2]).expect("writing");
}

#[test]
fn nothing_is_reported_that_truncated_definitions_may_explain() {
    let mut trace = world();
    trace.event(0, 10, Enter { region: RegionRef(1) });
    trace.event(0, 20, Leave { region: RegionRef(1) });
    trace.after(|folder| {
        let path = folder.join("traces.def");
        let bytes = fs::read(&path).expect("a file");
        fs::write(&path, &bytes[..bytes.len() / 3]).expect("writing");
    });
    let report = trace.write().check();
    assert_eq!((report.findings.len(), report.status), (1, 3), "{}", report.messages());
    assert_eq!(text(&report.findings[0]["kind"]), "bad-record");
}

#[test]
fn an_archive_may_declare_its_communication_incomplete() {
    use kymo_otf2::anchor::{Properties, Property};
    const PROPERTY: &str = "OTF2::MPI_COMMUNICATION_COMPLETE";
    let with = |property: &'static [Property<'static>]| {
        let mut trace = world();
        trace.anchor.properties = Properties::new(property);
        trace.event(0, 10, MpiSend { receiver: 1, communicator: CommRef(0), msg_tag: 1, msg_length: 8 });
        trace.write().check().findings.len()
    };
    let value = |value| Box::leak(Box::new([Property::new(PROPERTY, value)])) as &'static [_];
    assert_eq!([with(&[]), with(value("true")), with(value("false"))], [1, 1, 0]);
}

#[track_caller]
fn ends(trace: &Trace, change: fn(&Path), status: i32) {
    let written = trace.write();
    change(written.folder.path());
    let report = written.check();
    assert_eq!(report.status, status, "{report:?}");
}

#[test]
fn exit_statuses() {
    let trace = world();
    ends(&trace, |_| (), 0);
    ends(&trace, |folder| fs::write(folder.join("traces.otf2"), "no anchor").expect("writing"), 1);
    ends(&trace, |folder| fs::remove_file(folder.join("traces/0.evt")).expect("removing"), 3);
    ends(&trace, |folder| fs::remove_file(folder.join("traces.def")).expect("removing"), 3);
    ends(&trace, |folder| fs::remove_file(folder.join("traces.otf2")).expect("removing"), 4);
    ends(
        &trace,
        |folder| {
            fs::remove_file(folder.join("traces/0.evt")).expect("removing");
            fs::create_dir(folder.join("traces/0.evt")).expect("a folder");
        },
        4,
    );
    ends(
        &trace,
        |folder| {
            let file = File::options().write(true).open(folder.join("traces.def")).expect("a file");
            file.set_len(3 << 30).expect("a long file");
        },
        5,
    );
}

#[test]
fn mistakes() {
    let mistake = |arguments: &[&str]| {
        let output = kymo().arg("check").args(arguments).output().expect("running kymo");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    let cases: [&[&str]; 4] = [
        &[],
        &["--ignore", "no-such-kind", "x.otf2"],
        &["--explain", "no-such-kind"],
        &["--limit", "x", "x.otf2"],
    ];
    for arguments in cases {
        let (status, stderr) = mistake(arguments);
        assert_eq!(status, Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("kymo: "), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_full_disk_is_reported() {
    let full = File::options().write(true).open("/dev/full").expect("/dev/full");
    let archive = one_error();
    let output = kymo().arg("check").arg(archive.anchor()).stdout(full).stderr(Stdio::piped()).output();
    let output = output.expect("running kymo");
    assert_eq!(output.status.code(), Some(4));
    assert!(output.stderr.starts_with(b"kymo: standard output: "));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let archive = world().write();
    let output = kymo().arg("check").arg(archive.anchor()).stdout(writer).stderr(Stdio::piped()).output();
    let output = output.expect("running kymo");
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
}

#[test]
fn a_kind_is_explained() {
    let output = kymo().args(["check", "--explain", "undefined-region"]).output().expect("running kymo");
    let words: Vec<_> = stdout(&output).split_whitespace().collect();
    assert_eq!(words[..2], ["error", "undefined-region"]);
    assert_eq!(words[2..].join(" "), "An undefined region is used.");
}

/// Builds the table of the documentation from the output of the program.
fn table() -> String {
    let mut table = String::new();
    let mut last = String::new();
    for row in all_kinds() {
        let [subject, kind, severity, explanation] =
            ["subject", "kind", "severity", "explanation"].map(|key| text(&row[key]));
        if subject != last {
            table += &format!("\n### {subject}\n\n| kind | severity | meaning |\n| --- | --- | --- |\n");
            last = subject;
        }
        table += &format!("| `{kind}` | {severity} | {explanation} |\n");
    }
    table + "\n"
}

#[test]
fn the_documentation_has_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/check.md");
    let page = fs::read_to_string(&path).expect("docs/reference/check.md");
    let (begin, end) = ("<!-- kinds -->\n", "<!-- end of kinds -->");
    let start = page.find(begin).expect("the beginning of the table") + begin.len();
    let stop = page.find(end).expect("the end of the table");
    let expected = format!("{}{}{}", &page[..start], table(), &page[stop..]);
    if page != expected {
        let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check.md");
        fs::write(&made, expected).expect("writing");
        panic!("{} is out of date; replace it with {}", path.display(), made.display());
    }
}
