//! Tools whose system calls fail, or that a signal ends during their work: without success nothing
//! is left, and the same command works afterwards. `tests/faults/inject.c` makes the calls fail.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kymo_tau::Layout;

use super::run::{Run, calls, process};
use crate::faults::injector;
use kymo_recorder_testing::scratch::stream;
use kymo_tau_testing::traces::{Pair, records};

const SIGTERM: i32 = 15;

/// A command, in a folder with the files that it requires.
struct Tool {
    run: Run,
    arguments: Vec<String>,
    /// Its outputs; nothing else may be new.
    outputs: &'static [&'static str],
    before: BTreeMap<PathBuf, Vec<u8>>,
}

/// All tools that write something, once with a new and once with an existing folder, and their
/// outputs.
const TOOLS: [(&str, &[&str]); 8] = [
    ("merge one/traces.otf2 two/traces.otf2 -o new/merged", &["new/merged"]),
    ("merge one/traces.otf2 two/traces.otf2 -o x.otf2", &["x.otf2", "x.def", "x"]),
    ("recover exp", &["exp-recovered"]),
    ("recover exp -o y.otf2", &["y.otf2", "y.def", "y"]),
    ("recover done", &["done-recovered"]),
    ("tau2otf2 tautrace.trc events.edf z", &["z.otf2", "z.def", "z"]),
    ("seal one", &["one/traces.seal"]),
    ("recover rec", &["rec-recovered"]),
];

/// A run of two ranks, two archives of it, and a TAU trace.
fn place() -> Run {
    let run = Run::new();
    for rank in 0..2 {
        run.rank(&process(rank, 2, &stream(&calls(1000, 50))), rank, 2);
    }
    for out in ["done/kymo", "one", "two"] {
        run.recover(&["exp", "-o", out]).ends(0);
    }
    for process_number in [4_100_001, 4_100_002] {
        super::folders::cut_off(&run, process_number, 20);
    }
    for rank in 0..2 {
        run.rank(&process(rank, 2, &stream(&calls(1000, 50))), rank, 2);
    }
    let pair = Pair::new(&records(), Layout::Le32);
    fs::copy(pair.trace(), run.path("tautrace.trc")).unwrap();
    fs::copy(pair.event_file(), run.path("events.edf")).unwrap();
    run
}

impl Tool {
    fn new(line: &str, outputs: &'static [&'static str]) -> Self {
        let run = place();
        let arguments = line.split(' ').map(str::to_owned).collect();
        let before = files(&run.path(""));
        Self { run, arguments, outputs, before }
    }

    /// Returns the tools whose command lines begin like this.
    fn all(beginning: &str) -> impl Iterator<Item = Self> {
        let tools = TOOLS.iter().filter(move |(line, _)| line.starts_with(beginning));
        tools.map(|(line, outputs)| Self::new(line, outputs))
    }

    /// Runs the command with the call of this number failing. Returns the report of the injector
    /// and the output.
    fn with_fault(&self, call: &str, action: &str, number: u32) -> (String, Output) {
        let report = tempfile::NamedTempFile::new().unwrap();
        let mut command = Command::new(injector());
        command.args([call, action, &number.to_string()]).arg(report.path());
        command.arg(env!("CARGO_BIN_EXE_kymo")).args(&self.arguments).current_dir(self.run.path(""));
        let output = command.env_remove("TMPDIR").output().unwrap();
        (fs::read_to_string(report.path()).unwrap(), output)
    }

    fn plain(&self) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kymo"));
        command.args(&self.arguments).current_dir(self.run.path("")).env_remove("TMPDIR").output().unwrap()
    }

    /// Removes the outputs.
    fn clear(&self) {
        for output in self.outputs {
            let path = self.run.path(output);
            let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
        let _ = fs::remove_dir(self.run.path("new"));
    }

    /// Asserts that the folder is as before.
    #[track_caller]
    fn left_nothing(&self, when: &str) {
        assert_same(&files(&self.run.path("")), &self.before, when);
    }

    /// Asserts that all outputs exist and are sound.
    #[track_caller]
    fn made_all(&self, when: &str) {
        for output in self.outputs {
            assert!(self.run.path(output).exists(), "{when}: no {output}");
        }
        let anchors = [
            "new/merged/traces.otf2",
            "x.otf2",
            "exp-recovered/traces.otf2",
            "y.otf2",
            "rec-recovered/traces.otf2",
        ];
        for anchor in anchors.iter().map(|it| self.run.path(it)).filter(|it| it.exists()) {
            let check = Command::new(env!("CARGO_BIN_EXE_kymo")).arg("check").arg(&anchor).output().unwrap();
            assert_eq!(check.status.code(), Some(0), "{when}: {check:?}");
        }
        let is_temporary = |path: &&PathBuf| path.to_string_lossy().contains(".kymo-");
        let left: Vec<_> = files(&self.run.path("")).into_keys().collect();
        assert_eq!(left.iter().find(is_temporary), None, "{when}");
    }
}

#[track_caller]
fn assert_same(now: &BTreeMap<PathBuf, Vec<u8>>, before: &BTreeMap<PathBuf, Vec<u8>>, when: &str) {
    let new: Vec<_> = now.keys().filter(|path| !before.contains_key(*path)).collect();
    let gone: Vec<_> = before.keys().filter(|path| !now.contains_key(*path)).collect();
    assert!(new.is_empty() && gone.is_empty(), "{when}: new: {new:?}, gone: {gone:?}");
    assert!(now == before, "{when}: something has changed");
}

/// Returns all files and folders with their contents.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => {
                all.extend(files(&path));
                all.insert(path, Vec::new());
            }
            false => {
                let bytes = fs::read(&path).unwrap();
                all.insert(path, bytes);
            }
        }
    }
    all
}

/// Calls, each with an error that it can return: EIO, ENOSPC, EMFILE, ENOMEM, EAGAIN.
const FAULTS: &[(&str, &str)] = &[
    ("openat", "24"),
    ("open", "5"),
    ("read", "5"),
    ("pread64", "5"),
    ("write", "28"),
    ("pwrite64", "28"),
    ("mkdirat", "28"),
    ("mkdir", "5"),
    ("rename", "5"),
    ("renameat2", "5"),
    ("unlink", "5"),
    ("unlinkat", "5"),
    ("rmdir", "5"),
    ("close", "5"),
    ("ftruncate", "5"),
    ("getdents64", "5"),
    ("statx", "5"),
    ("newfstatat", "5"),
    ("fstat", "5"),
    ("flock", "5"),
    ("mmap", "12"),
    ("clone3", "11"),
];

/// Returns the exit status as shells report it.
fn status(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0))
}

/// Makes calls of each kind fail, one in each run.
fn every_call_fails(tool: &Tool) {
    let mut hits = 0;
    for (call, error) in FAULTS {
        for number in numbers(FEW) {
            let (report, output) = tool.with_fault(call, error, number);
            let when = format!("{:?}, {call} {number}: {output:?}", tool.arguments);
            hits += usize::from(report != "done\n");
            match status(&output) {
                0 => tool.made_all(&when),
                // A partial recovery is useful; the rest is reported.
                3 if tool.arguments[0] == "recover" && *error == "5" => {
                    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
                    assert!(stderr.contains("Input/output error"), "{when}");
                    tool.made_all(&when);
                    tool.clear();
                }
                status => {
                    assert!((1..=5).contains(&status), "{when}");
                    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
                    assert!(stderr.contains("kymo: ") && !stderr.contains("panicked"), "{when}");
                    tool.left_nothing(&when);
                }
            }
            let is_done = report == "done\n";
            assert!(!is_done || status(&output) == 0, "{when}");
            if status(&output) != 0 {
                let again = tool.plain();
                assert!(again.status.success(), "{when}, then {again:?}");
                tool.made_all(&when);
            }
            tool.clear();
            tool.left_nothing(&when);
            if is_done {
                break;
            }
        }
    }
    assert!(hits >= FAULTS.len(), "{:?}: only {hits} calls failed", tool.arguments);
}

#[test]
fn a_merge_with_failing_calls_leaves_nothing() {
    Tool::all("merge").for_each(|tool| every_call_fails(&tool));
}

#[test]
fn a_recovery_with_failing_calls_leaves_nothing() {
    ["recover exp", "recover done"].into_iter().flat_map(Tool::all).for_each(|tool| every_call_fails(&tool));
}

#[test]
fn a_recovery_of_several_parts_with_failing_calls_leaves_nothing() {
    Tool::all("recover rec").for_each(|tool| every_call_fails(&tool));
}

#[test]
fn a_conversion_with_failing_calls_leaves_nothing() {
    Tool::all("tau2otf2").for_each(|tool| every_call_fails(&tool));
}

#[test]
fn sealing_with_failing_calls_leaves_nothing() {
    Tool::all("seal").for_each(|tool| every_call_fails(&tool));
}

/// The calls of a kind that are tried in sequence before some are left out.
const FEW: u32 = 2;

/// Returns the numbers of the calls that are tried: the first ones and every 61st, or with
/// `KYMO_LONG=1` all.
fn numbers(first: u32) -> impl Iterator<Item = u32> {
    let step = if kymo_testdata::is_long() { 1 } else { 61 };
    (0..first).chain((first..).step_by(step))
}

/// Sends a signal at every call. The process must end by it and leave nothing or everything. After
/// a signal that cannot be caught, only the next run must work.
fn every_call_is_interrupted(tool: &Tool, signal: i32) {
    for number in numbers(0) {
        let (report, output) = tool.with_fault("any", &format!("kill:{signal}"), number);
        let when = format!("{:?}, signal {signal} at call {number}: {output:?}", tool.arguments);
        match output.status.code() {
            Some(0) => tool.made_all(&when),
            Some(status) if status == 128 + signal => {
                let is_whole = tool.outputs.iter().all(|output| tool.run.path(output).exists());
                match (signal, is_whole) {
                    (SIGTERM, true) => tool.made_all(&when),
                    (SIGTERM, false) => tool.left_nothing(&when),
                    (_, true) => tool.clear(),
                    (_, false) => {}
                }
            }
            _ => panic!("{when}"),
        }
        if !tool.outputs.iter().all(|output| tool.run.path(output).exists()) {
            let again = tool.plain();
            assert!(again.status.success(), "{when}, then {again:?}");
            tool.made_all(&when);
        }
        tool.clear();
        tool.left_nothing(&when);
        if report == "done\n" {
            return;
        }
    }
}

#[test]
fn tools_ended_by_a_signal_leave_nothing() {
    Tool::all("").for_each(|tool| every_call_is_interrupted(&tool, SIGTERM));
}

#[test]
fn killed_tools_do_not_block_the_next_run() {
    Tool::all("").for_each(|tool| every_call_is_interrupted(&tool, 9));
}

#[test]
fn ignored_signals_stay_ignored() {
    let tool = Tool::new("merge one/traces.otf2 two/traces.otf2 -o x.otf2", &["x.otf2", "x.def", "x"]);
    let line = format!(
        "trap '' HUP; exec {} pwrite64 kill:1 3 /dev/null {} {}",
        injector().display(),
        env!("CARGO_BIN_EXE_kymo"),
        tool.arguments.join(" ")
    );
    let output = Command::new("sh").args(["-c", &line]).current_dir(tool.run.path("")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    tool.made_all("ignored");
}

#[test]
fn two_processes_do_not_write_the_same_archive() {
    let tool = Tool::new("merge one/traces.otf2 two/traces.otf2 -o x.otf2", &["x.otf2", "x.def", "x"]);
    let other = tool.run.path(".x.kymo-new");
    fs::create_dir(&other).unwrap();
    let lock = fs::File::open(&other).unwrap();
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let output = tool.plain();
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("another process is writing this archive"));
    drop(lock);
    assert!(tool.plain().status.success());
    tool.made_all("afterwards");
}

/// Only `kymo recover` accepted the folder.
#[test]
fn merge_accepts_a_folder_as_recover_does() {
    let tool = Tool::new("merge one/traces.otf2 -o new", &["new"]);
    assert!(tool.plain().status.success());
    assert!(tool.run.path("new/traces.otf2").is_file(), "-o names a folder as well");
    let again = tool.plain();
    assert_eq!(again.status.code(), Some(2), "{again:?}");
}

/// Tools that only read report the failure, or print the same as without it.
#[test]
fn reading_tools_report_failing_calls() {
    for line in ["check one/traces.otf2", "print -A one/traces.otf2", "print --format json one/traces.otf2"] {
        let tool = Tool::new(line, &[]);
        let usual = tool.plain();
        assert!(usual.status.success(), "{usual:?}");
        for (call, error) in FAULTS.iter().filter(|(call, _)| *call != "mmap") {
            for number in numbers(FEW) {
                let (report, output) = tool.with_fault(call, error, number);
                let when = format!("{line}, {call} {number}: {output:?}");
                match status(&output) {
                    0 => assert_eq!(output.stdout, usual.stdout, "{when}"),
                    3 | 4 => {
                        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
                        assert!(
                            stderr.contains("one/traces") || stderr.contains("standard output"),
                            "{when}"
                        );
                    }
                    _ => panic!("{when}"),
                }
                if report == "done\n" {
                    break;
                }
            }
        }
    }
}
