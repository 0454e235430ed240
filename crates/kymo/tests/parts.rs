//! `--part` and `--join`: the joined result is that of one process, byte for byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kymo_testdata::{anchors, cases, own, part_of};
use tempfile::TempDir;

use crate::check_common::kymo;

fn run(verb: &str, arguments: &[&str], paths: &[&Path]) -> Output {
    kymo().arg(verb).args(arguments).args(paths).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Returns the contents of a file, or of all files below a folder.
fn contents(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    if path.is_file() {
        return vec![(PathBuf::new(), fs::read(path).unwrap())];
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).unwrap().map(|entry| entry.unwrap()) {
        let below = contents(&entry.path()).into_iter();
        files.extend(below.map(|(name, bytes)| (Path::new(&entry.file_name()).join(name), bytes)));
    }
    files.sort();
    files
}

/// Writes these parts of an archive, and returns them.
fn parts(verb: &str, arguments: &[&str], anchor: &Path, scratch: &Path, numbers: [&str; 3]) -> Vec<PathBuf> {
    let part = |number: &str| {
        let path = scratch.join(format!("part-{}", number.replace('/', "-of-")));
        let output =
            kymo().arg(verb).args(arguments).args(["--part", number, "-o"]).arg(&path).arg(anchor).output();
        let output = output.unwrap();
        assert!(output.stdout.is_empty());
        assert!(matches!(output.status.code(), Some(0 | 3)), "{}", text(&output.stderr));
        path
    };
    numbers.map(part).to_vec()
}

const EXPORTS: [&str; 7] = ["parquet", "csv", "perfetto", "firefox", "chrome", "speedscope", "folded"];

/// The archives are in several orders of parts, which count from 0 or from 1.
#[test]
fn joined_parts_are_the_result_of_one_process() {
    let orders = [["0/3", "1/3", "2/3"], ["3/3", "1/3", "2/3"], ["2/3", "0/3", "1/3"]];
    let archives = ["otf2-samples", "otf2-real"].into_iter().flat_map(cases).flat_map(|case| anchors(&case));
    for (anchor, order) in part_of(archives, 4).zip(orders.into_iter().cycle()) {
        let scratch = TempDir::new().unwrap();
        let profile = ["--by", "process", "--metrics"];
        let parts_of = parts("profile", &profile, &anchor, scratch.path(), order);
        let paths: Vec<_> = parts_of.iter().map(PathBuf::as_path).collect();
        for shown in [&["--format", "json"][..], &["--tree"]] {
            let whole = run("profile", &[&profile[..], shown].concat(), &[&anchor]);
            let joined = run("profile", &[&["--join"], shown].concat(), &paths);
            assert_eq!(text(&joined.stdout), text(&whole.stdout), "{} {shown:?}", anchor.display());
            assert_eq!(joined.status, whole.status);
            assert_eq!(text(&joined.stderr), text(&whole.stderr));
        }
        let explained = ["--format", "json", "-n0", "--lateness"];
        for (verb, shown) in [("stats", &["--format", "json"][..]), ("explain", &explained)] {
            let scratch = TempDir::new().unwrap();
            let parts_of = parts(verb, &[], &anchor, scratch.path(), order);
            let paths: Vec<_> = parts_of.iter().map(PathBuf::as_path).collect();
            let whole = run(verb, shown, &[&anchor]);
            let joined = run(verb, &[&["--join"], shown].concat(), &paths);
            assert_eq!(text(&joined.stdout), text(&whole.stdout), "{verb} {}", anchor.display());
            assert_eq!(joined.status, whole.status);
        }
    }
}

/// The second reading has the options of the first one.
#[test]
fn joined_explanations_are_of_the_selected_part() {
    let anchor = anchors(&own("scorep-recordings/mpi")).remove(0);
    for selected in [&["--time", "10%", "60%"][..], &["-L", "0,1"]] {
        let scratch = TempDir::new().unwrap();
        let parts = parts("explain", selected, &anchor, scratch.path(), ["1/3", "2/3", "3/3"]);
        let paths: Vec<_> = parts.iter().map(PathBuf::as_path).collect();
        let whole = run("explain", &[selected, &["--format", "json"]].concat(), &[&anchor]);
        let joined = run("explain", &["--join", "--format", "json", "-j", "2"], &paths);
        assert_eq!(text(&joined.stdout), text(&whole.stdout), "{selected:?}");
    }
}

#[test]
fn joined_exports_are_the_export_of_one_process() {
    let archives = ["otf2-samples/every-record", "otf2-samples/python-basic", "scorep-recordings/hybrid"];
    for anchor in archives.into_iter().flat_map(|case| anchors(&own(case))) {
        for format in EXPORTS {
            let scratch = TempDir::new().unwrap();
            let [whole, joined] = ["whole", "joined"].map(|name| scratch.path().join(name));
            let arguments = ["--format", format];
            let one =
                kymo().arg("export").args(arguments).arg("-o").arg(&whole).arg(&anchor).output().unwrap();
            let parts = parts("export", &arguments, &anchor, scratch.path(), ["1/3", "2/3", "3/3"]);
            let all = kymo().args(["export", "--join", "-o"]).arg(&joined).args(&parts).output().unwrap();
            assert_eq!(all.status, one.status, "{} {format}", anchor.display());
            assert_eq!(text(&all.stderr), text(&one.stderr));
            assert!(contents(&joined) == contents(&whole), "{} {format}", anchor.display());
        }
    }
}

/// They are made when the parts are joined.
#[test]
fn joined_tables_of_the_run_are_of_the_selected_time() {
    let anchor = anchors(&own("scorep-recordings/mpi")).remove(0);
    let scratch = TempDir::new().unwrap();
    let [whole, joined] = ["whole", "joined"].map(|name| scratch.path().join(name));
    let tables = ["--format", "csv", "--tables", "critical,iterations,replay", "--time", "60%", "100%"];
    let one = kymo().arg("export").args(tables).arg("-o").arg(&whole).arg(&anchor).status().unwrap();
    let parts = parts("export", &tables, &anchor, scratch.path(), ["1/3", "2/3", "3/3"]);
    let all = kymo().args(["export", "--join", "-o"]).arg(&joined).args(&parts).status().unwrap();
    assert!(one.success() && all.success());
    assert!(contents(&joined) == contents(&whole));
    assert!(fs::read_to_string(whole.join("critical.csv")).unwrap().lines().count() > 2);
}

/// A process of the job that was killed is started again.
#[test]
fn a_part_that_was_killed_is_repeated() {
    let scratch = TempDir::new().unwrap();
    let anchor = own("otf2-samples/python-basic");
    let part = scratch.path().join("part");
    let arguments = ["--format", "csv", "--part", "0/2"];
    // The folder that a killed process leaves.
    fs::create_dir(scratch.path().join(".part.kymo-new")).unwrap();
    fs::write(scratch.path().join(".part.kymo-new/calls.0"), "half").unwrap();
    let output = kymo().arg("export").args(arguments).arg("-o").arg(&part).arg(&anchor).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1);
    let second = scratch.path().join("second");
    let output =
        kymo().args(["export", "--format", "csv", "--part", "1/2", "-o"]).arg(&second).arg(&anchor).status();
    assert!(output.unwrap().success());
    let joined = scratch.path().join("joined");
    let output = kymo().args(["export", "--join", "-o"]).arg(&joined).args([&part, &second]).status();
    assert!(output.unwrap().success() && joined.join("calls.csv").exists());
}

#[test]
fn launchers_number_the_parts() {
    let scratch = TempDir::new().unwrap();
    let anchor = own("otf2-samples/python-basic");
    for (rank, named) in [("0", "p"), ("1", "p.1")] {
        let mut command: Command = kymo();
        command.env("OMPI_COMM_WORLD_RANK", rank).env("OMPI_COMM_WORLD_SIZE", "2");
        command.args(["profile", "--part", "auto", "-o"]).arg(scratch.path().join(named)).arg(&anchor);
        assert!(command.status().unwrap().success());
    }
    let paths = ["p.0", "p.1"].map(|name| scratch.path().join(name));
    let joined = run("profile", &["--join"], &[&paths[0], &paths[1]]);
    assert_eq!(text(&joined.stdout), text(&run("profile", &[], &[&anchor]).stdout));
}

#[test]
fn only_complete_and_equal_parts_are_joined() {
    let scratch = TempDir::new().unwrap();
    let anchor = own("otf2-samples/python-basic");
    let other = own("otf2-samples/every-record");
    let at = |name: &str| scratch.path().join(name);
    let part = |name: &str, arguments: &[&str], anchor: &Path| {
        let status = kymo().arg("profile").args(arguments).arg("-o").arg(at(name)).arg(anchor).status();
        assert!(status.unwrap().success());
        at(name)
    };
    let first = part("first", &["--part", "0/2"], &anchor);
    let second = part("second", &["--part", "1/2"], &anchor);
    let again = part("again", &["--part", "2/2"], &anchor);
    let by = part("by", &["--part", "1/2", "--by", "location"], &anchor);
    let of_three = part("of-three", &["--part", "1/3"], &anchor);
    let of_other = part("of-other", &["--part", "1/2"], &other);
    let damaged = at("damaged");
    let mut bytes = fs::read(&second).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    let place = bytes.len() - 20;
    bytes[place] ^= 1;
    fs::write(&damaged, &bytes).unwrap();
    let cut = at("cut");
    fs::write(&cut, &bytes[..bytes.len() - 30]).unwrap();
    for (paths, status, what) in [
        (vec![&first], 2, "part 1/2 of ".to_owned()),
        (vec![&first, &again], 2, format!("{}: the same part as {}", again.display(), first.display())),
        (vec![&first, &by], 2, format!("{}: made with another '--by': location, not total", by.display())),
        (vec![&first, &of_three], 2, format!("{}: one of 3 parts, not of 2", of_three.display())),
        (vec![&first, &of_other], 2, format!("{}: a part of ", of_other.display())),
        (vec![&first, &anchor], 2, format!("{}: not a part of this version", anchor.display())),
        (vec![&first, &damaged], 4, format!("{}: offset ", damaged.display())),
        (vec![&first, &cut], 4, format!("{}: offset ", cut.display())),
    ] {
        let paths: Vec<_> = paths.into_iter().map(PathBuf::as_path).collect();
        let output = run("profile", &["--join"], &paths);
        let messages = text(&output.stderr);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(status), String::new()), "{messages}");
        assert!(messages.starts_with(&format!("kymo: {what}")), "{messages}");
    }
    for (arguments, what) in [
        (&["--part", "1/2"][..], "'--part' writes a file for '--join', so it needs '--output'"),
        (
            &["--part", "3/2"],
            "invalid value '3/2' for '--part <I/N>': expected I/N with I from 0 to N, or 'auto'",
        ),
        (&["--join", "--by", "location"], "the argument '--join' cannot be used with '--by <KIND>'"),
    ] {
        let output = run("profile", arguments, &[&anchor]);
        let messages = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{messages}");
        assert!(messages.contains(what), "{messages}");
    }
}

/// Open MPI starts the processes and numbers them.
#[test]
fn the_processes_of_a_job_share_the_work() {
    if !kymo_testdata::is_installed("mpirun") {
        return;
    }
    let scratch = TempDir::new().unwrap();
    let anchor = own("scorep-recordings/hybrid");
    let mut job = Command::new("mpirun");
    job.env(kymo_testdata::OPEN_MPI_FOLDER, scratch.path());
    job.args(["--allow-run-as-root", "--oversubscribe", "-n", "4", env!("CARGO_BIN_EXE_kymo")]);
    job.args(["export", "--format", "csv", "--part", "auto", "-o"])
        .arg(scratch.path().join("part"))
        .arg(&anchor);
    let output = job.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let parts = (0..4).map(|number| scratch.path().join(format!("part.{number}")));
    let [joined, whole] = ["joined", "whole"].map(|name| scratch.path().join(name));
    assert!(kymo().args(["export", "--join", "-o"]).arg(&joined).args(parts).status().unwrap().success());
    let one = kymo().args(["export", "--format", "csv", "-o"]).arg(&whole).arg(&anchor).status();
    assert!(one.unwrap().success() && contents(&joined) == contents(&whole));
}
