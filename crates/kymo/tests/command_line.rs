//! The output and exit status of `kymo` for command lines, right and wrong.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::pipe;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use kymo_testdata::own;

fn kymo() -> Command {
    Command::new(env!("CARGO_BIN_EXE_kymo"))
}

fn run(arguments: &[&str]) -> Output {
    kymo().args(arguments).output().expect("running kymo")
}

/// Returns exit status, stdout and stderr.
fn parts(output: &Output) -> (Option<i32>, &str, &str) {
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| str::from_utf8(text).expect("text"));
    (output.status.code(), stdout, stderr)
}

/// Asserts status 2, an empty stdout, and `kymo: what` with the hint on stderr.
#[track_caller]
fn is_mistake(output: &Output, what: &str) {
    is_mistake_of("kymo", output, what);
}

#[track_caller]
fn is_mistake_of(command: &str, output: &Output, what: &str) {
    let expected = format!("kymo: {what}\nTry '{command} --help' for more information.\n");
    assert_eq!(parts(output), (Some(2), "", expected.as_str()));
}

#[test]
fn the_version_is_one_line_that_scripts_can_parse() {
    let expected = concat!("kymo: version ", env!("CARGO_PKG_VERSION"), "\n");
    for option in ["--version", "-V"] {
        assert_eq!(parts(&run(&[option])), (Some(0), expected, ""));
        assert_eq!(parts(&run(&["print", option])), (Some(0), expected, ""));
    }
}

#[test]
fn help_is_printed_on_stdout() {
    for option in ["--help", "-h"] {
        let output = run(&[option]);
        let (status, stdout, stderr) = parts(&output);
        assert_eq!((status, stderr), (Some(0), ""));
        for expected in [
            "Usage: kymo",
            "--version",
            "--help",
            "Exit status: 0 success, 1 the trace has errors, 2 usage error",
        ] {
            assert!(stdout.contains(expected), "no `{expected}` in\n{stdout}");
        }
    }
}

#[test]
fn help_is_a_verb() {
    for arguments in [&["help"][..], &["help", "print"]] {
        let option = [&arguments[1..], &["--help"]].concat();
        assert_eq!(parts(&run(arguments)), parts(&run(&option)), "{arguments:?}");
    }
    is_mistake(&run(&["help", "knit"]), "unrecognized verb 'knit'");
}

#[test]
fn unknown_option() {
    is_mistake(&run(&["--colour"]), "unrecognized option '--colour'");
    is_mistake(&run(&["--colour=red"]), "unrecognized option '--colour'");
    is_mistake(&run(&["-x"]), "unrecognized option '-x'");
}

/// The hint was always `kymo --help`, which does not list the options of a verb.
#[test]
fn a_usage_error_names_the_help_of_its_verb() {
    is_mistake_of("kymo print", &run(&["print", "-m", "a.otf2"]), "unrecognized option '-m'");
    is_mistake_of("kymo recover", &run(&["recover"]), "expected <DIR|SCRATCH>...");
    let what = "two values required for '--time <FIRST> <LAST>'";
    is_mistake_of("kymo print", &run(&["print", "a.otf2", "--time", "1"]), what);
}

#[test]
fn unknown_verb() {
    is_mistake(&run(&["knit"]), "unrecognized verb 'knit'");
    is_mistake(&run(&["knit", "--help"]), "unrecognized verb 'knit'");
}

/// It got none.
#[test]
fn a_mistyped_verb_gets_advice() {
    is_mistake(&run(&["recrod", "true"]), "unrecognized verb 'recrod'; did you mean 'record'?");
}

/// It got none.
#[test]
fn a_mistyped_option_gets_advice() {
    let what = "unrecognized option '--show-al'; did you mean '--show-all'?";
    is_mistake_of("kymo print", &run(&["print", "--show-al", "a.otf2"]), what);
}

/// The status is 125, as with `env` and `timeout`. It was 127, with the line "--wiht: no such
/// program in PATH".
#[test]
fn an_unknown_option_of_record_is_not_the_program() {
    for (arguments, what) in [
        (["record", "--wiht", "user", "true"], "unrecognized option '--wiht'; did you mean '--with'?"),
        (
            ["record", "--with=usr", "--", "true"],
            "invalid value 'usr' for '--with <WHAT>'; did you mean 'user'?",
        ),
        (["record", "-x", "--", "true"], "unrecognized option '-x'"),
    ] {
        let expected = format!("kymo: {what}\nTry 'kymo record --help' for more information.\n");
        assert_eq!(parts(&run(&arguments)), (Some(125), "", expected.as_str()));
    }
}

/// After an option, the status of `record` was 2, and the hint was at the help of `kymo`.
#[test]
fn options_before_a_verb_change_no_mistake_in_it() {
    let output = run(&["-q", "record", "--wiht", "user", "true"]);
    assert_eq!(parts(&output), parts(&run(&["record", "--wiht", "user", "true"])));
    assert_eq!(parts(&output).0, Some(125));
    let mistake = "'--diff' compares two traces; '--before' takes more";
    is_mistake_of("kymo profile", &run(&["--quiet", "profile", "--diff", "a.otf2"]), mistake);
}

/// A trace without a verb was taken for a mistyped one: "did you mean 'doctor'?".
#[test]
fn a_trace_without_a_verb_leads_to_view() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("run")).expect("a folder");
    for typed in ["run", "run/traces.otf2", "traces.otf2"] {
        let output = kymo().arg(typed).current_dir(folder.path()).output().expect("running kymo");
        let what = format!("a verb is missing before '{typed}'; did you mean 'kymo view {typed}'?");
        is_mistake(&output, &what);
    }
}

#[test]
fn record_states_why_a_running_program_cannot_be_recorded() {
    for option in ["-p", "--pid"] {
        let output = run(&["record", option, "1"]);
        let (status, _, stderr) = parts(&output);
        assert_eq!(status, Some(125));
        assert!(stderr.contains("the runtime is loaded when a program starts"), "{stderr}");
    }
}

#[test]
fn the_values_of_an_option_are_listed() {
    let output = run(&["report", "--format", "pdf", "a.otf2"]);
    let what = "invalid value 'pdf' for '--format <FORMAT>'; possible values: html, svg, png";
    is_mistake_of("kymo report", &output, what);
}

/// The result was empty, with status 0.
#[test]
fn the_second_time_of_a_span_is_not_before_the_first() {
    let archive = kymo_testdata::own("otf2-samples/python-basic");
    let archive = archive.to_str().expect("text");
    for verb in ["print", "profile", "stats"] {
        for times in [["2s", "1s"], ["5", "4"], ["100%", "0%"]] {
            let output = run(&[verb, "--time", times[0], times[1], archive]);
            let expected = "kymo: '--time': the second time is before the first\n";
            let (status, stdout, stderr) = parts(&output);
            let heading = if verb == "print" { "\n=== OTF2-PRINT ===\n" } else { "" };
            assert!(heading.starts_with(stdout), "{verb}: {stdout}");
            assert_eq!((status, stderr), (Some(2), expected), "{verb} {times:?}");
        }
    }
}

/// All of these were "expected the anchor file of an archive", and of two archives in a folder one
/// was read without a word.
#[test]
fn a_path_that_is_no_archive_is_named_for_what_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["run", "two", "none"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    for name in
        ["run.otf2", "run.def", "run/0.evt", "a.tar.gz", "a.trc", "a.txt", "two/traces.otf2", "two/b.otf2"]
    {
        fs::write(folder.path().join(name), "").expect("a file");
    }
    for (path, expected) in [
        ("missing", "not found"),
        ("missing.otf2", "not found"),
        ("run/0.evt", "this is a part of an archive; name its anchor file instead: run.otf2"),
        ("run.def", "this is a part of an archive; name its anchor file instead: run.otf2"),
        ("a.tar.gz", "this is a packed file; unpack it, and name the anchor file (*.otf2) in it"),
        ("a.trc", "this is a trace of TAU; 'kymo tau2otf2' converts it"),
        ("a.txt", "expected the anchor file of an archive, whose name ends with .otf2, or its folder"),
        ("two", "this folder contains 2 archives; name one: two/b.otf2, two/traces.otf2"),
        (
            "none",
            "this folder contains no anchor file (*.otf2); 'kymo recover' creates one from a run that was cut off",
        ),
    ] {
        for verb in ["print", "check", "stats", "profile", "report"] {
            let output = kymo().args([verb, path]).current_dir(folder.path()).output().expect("running kymo");
            let (status, _, stderr) = parts(&output);
            assert_eq!(stderr, format!("kymo: {path}: {expected}\n"), "{verb}");
            assert!(matches!(status, Some(2 | 4)), "{verb} {path}: {status:?}");
        }
    }
}

#[test]
fn no_verb() {
    let help = run(&["-h"]);
    let (_, expected, _) = parts(&help);
    assert!(expected.contains("  record  ") && expected.contains("  help  "), "{expected}");
    assert_eq!(parts(&run(&[])), (Some(2), "", expected));
}

#[test]
fn arguments_that_are_not_utf8() {
    let output = kymo().arg(OsStr::from_bytes(b"--\xff")).output().expect("running kymo");
    is_mistake(&output, "unrecognized option '--\u{fffd}'");
}

#[test]
fn a_full_disk_is_reported() {
    let full = File::options().write(true).open("/dev/full").expect("/dev/full");
    let output = kymo().arg("--help").stdout(full).stderr(Stdio::piped()).output().expect("running kymo");
    let (status, _, stderr) = parts(&output);
    assert_eq!(status, Some(4));
    assert!(stderr.starts_with("kymo: standard output: ") && stderr.lines().count() == 1, "{stderr}");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let (reader, writer) = pipe().expect("a pipe");
    drop(reader);
    let output = kymo().arg("--help").stdout(writer).stderr(Stdio::piped()).output().expect("running kymo");
    assert_eq!(parts(&output), (Some(0), "", ""));
}

/// As root, `-o /dev/null` replaced the device by a file.
#[test]
fn a_pipe_or_what_a_link_leads_to_is_written_to_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let [pipe, file, link] = ["pipe", "file", "link"].map(|name| folder.path().join(name));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::write(&file, "old").unwrap();
    symlink(&file, &link).unwrap();
    let archive = own("otf2-samples/python-basic");
    let page = kymo().args(["stats", "--no-check"]).arg(&archive).output().unwrap().stdout;
    let write = |path: &Path| {
        kymo().args(["stats", "--no-check", "-o"]).args([path, &archive]).status().unwrap().success()
    };
    let reader = Command::new("timeout").args(["60", "cat"]).arg(&pipe).stdout(Stdio::piped()).spawn();
    assert!(write(&pipe));
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(reader.unwrap().wait_with_output().unwrap().stdout, page);
    assert!(write(&link));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), page);
    let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["file", "link", "pipe"]);
}
