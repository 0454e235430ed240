//! `kymo record` of programs that generate code, and write about it into perf maps and jitdumps.

use std::fs;

use crate::ended::Ended;
use crate::record_common::{Recording, TestFolder};

const OPTIONS: [&str; 4] = ["-o", "o", "--with", "sampling=2000"];
const UNNAMED: &str = "[generated code]";

/// A program that has run, and its recording.
struct GeneratedRun {
    ended: Ended,
    recording: Recording,
}

impl Drop for GeneratedRun {
    fn drop(&mut self) {
        for process in self.ended.stdout.lines() {
            let _ = fs::remove_file(format!("/tmp/perf-{process}.map"));
        }
    }
}

/// Records `generated.c` with these arguments, after a shell command.
fn recorded(folder: &TestFolder, before: &str, arguments: &str) -> GeneratedRun {
    let program = folder.compile("cc", &["-O1", "-g"], "generated.c");
    let script = format!("{before} exec \"$0\" {arguments}");
    let ended = folder.run(&OPTIONS, &["sh", "-c", &script, &program]);
    let status = if arguments.ends_with("killed") { 128 + 9 } else { 0 };
    assert_eq!(ended.status, Some(status), "{ended:?}");
    let recording = folder.read("o");
    assert!(recording.samples() > 100, "{recording:?}");
    GeneratedRun { ended, recording }
}

impl GeneratedRun {
    /// Asserts that the first function has three quarters of the samples of both, which are nearly
    /// all. The lengths of their calls vary, so each sample is in one of them by chance: shares
    /// differ by 6.5 standard deviations in one of 10^10 runs. The functions themselves are equally
    /// fast.
    #[track_caller]
    fn has_shares(&self, first: &str, second: &str) {
        let [often, seldom] = [first, second].map(|name| self.recording.samples_in(name) as f64);
        let (both, all) = (often + seldom, self.recording.samples() as f64);
        let most = 6.5 * (0.75 * 0.25 / both).sqrt() + 0.01;
        assert!((often / both - 0.75).abs() < most, "{often} and {seldom}: {:?}", self.ended);
        assert!(both > 0.8 * all, "{both} of {all}: {:?}", self.ended);
        assert_eq!(self.recording.samples_in(UNNAMED), 0, "{:?}", self.ended);
    }

    /// Returns whether a function was called by another one.
    fn is_called(&self, caller: &str, function: &str) -> bool {
        self.recording.paths().iter().any(|path| {
            let mut names = path.iter().filter_map(|it| it.split(':').next());
            names.by_ref().any(|name| name == caller) && names.any(|name| name == function)
        })
    }

    #[track_caller]
    fn is_silent(&self) {
        let lines = self.ended.stderr.lines().filter(|line| line.contains(".map") || line.contains(".dump"));
        assert_eq!(lines.collect::<Vec<_>>(), [""; 0]);
    }
}

#[test]
fn functions_of_a_perf_map_have_their_shares_of_the_time() {
    for arguments in ["map", "map killed"] {
        let folder = TestFolder::new();
        let run = recorded(&folder, "", arguments);
        run.has_shares("first", "second");
        run.is_silent();
        assert_eq!(run.recording.place_of("second"), ("/a/file.js".to_owned(), 12));
    }
}

#[test]
fn functions_of_a_jitdump_have_their_files_and_lines() {
    for arguments in ["dump", "dump killed"] {
        let folder = TestFolder::new();
        let run = recorded(&folder, "", arguments);
        run.has_shares("first", "second");
        assert_eq!(run.recording.place_of("first"), ("/a/file.lang".to_owned(), 7));
        let cut = run.ended.stderr.matches(".dump: at offset").count();
        assert_eq!(cut, usize::from(arguments.ends_with("killed")), "{:?}", run.ended);
    }
}

#[test]
fn code_that_was_moved_or_replaced_has_the_name_of_its_time() {
    let folder = TestFolder::new();
    let run = recorded(&folder, "", "moved");
    let calls = [("early", "first"), ("early", "second"), ("late", "first"), ("late", "third")];
    for (caller, function) in calls {
        assert!(run.is_called(caller, function), "{caller} {function}: {:?}", run.recording.paths());
    }
    assert!(!run.is_called("early", "third") && !run.is_called("late", "second"));
    assert_eq!(run.recording.samples_in(UNNAMED), 0, "{:?}", run.ended);
}

/// One context has samples from before and after.
#[test]
fn code_whose_function_at_the_time_is_not_certain_has_no_name() {
    let folder = TestFolder::new();
    let run = recorded(&folder, "", "replaced");
    let [first, second, third, unnamed] =
        ["first", "second", "third", UNNAMED].map(|name| run.recording.samples_in(name));
    // Nearly all samples are in the loop, few in the instructions around it.
    assert!(second > 0 && unnamed > 10 * (first + third), "{first} {second} {third} {unnamed}");
}

#[test]
fn a_forked_child_has_the_code_of_its_parent_from_before_the_fork() {
    let folder = TestFolder::new();
    let run = recorded(&folder, "", "fork");
    let calls = [
        ("early", "first"),
        ("early", "of_parent"),
        ("early", "third"),
        ("late", "first"),
        ("late", "of_child"),
        ("late", UNNAMED),
    ];
    for (caller, function) in calls {
        assert!(run.is_called(caller, function), "{caller} {function}: {:?}", run.recording.paths());
    }
    let others = [("early", "of_child"), ("late", "of_parent"), ("late", "third")];
    assert!(!others.iter().any(|(caller, function)| run.is_called(caller, function)));
}

/// The map belongs to the last program of the process.
#[test]
fn a_program_has_no_names_of_the_next_program_of_its_process() {
    let folder = TestFolder::new();
    let run = recorded(&folder, "", "execute");
    run.has_no_name_for(&["first"]);
    assert!(run.recording.samples_in("second") > 0 && run.recording.samples_in(UNNAMED) > 0);
    assert!(
        run.ended.stderr.contains("a later program of the same process has written it"),
        "{:?}",
        run.ended
    );
}

/// Numbers of processes are used again.
#[test]
fn a_map_from_before_the_program_is_not_its_own() {
    let write = "map=/tmp/perf-$$.map; echo 200000000 10 stale > $map;";
    let folder = TestFolder::new();
    let run = recorded(&folder, &format!("{write} touch -d 2001-01-01 $map;"), "none");
    run.has_no_name_for(&["stale"]);
    assert!(run.recording.samples_in(UNNAMED) > 0);
    let folder = TestFolder::new();
    let run = recorded(&folder, write, "append");
    run.has_no_name_for(&["stale"]);
    assert!(run.recording.samples_in("own") > 0, "{:?}", run.ended);
}

impl GeneratedRun {
    #[track_caller]
    fn has_no_name_for(&self, names: &[&str]) {
        let found: Vec<_> = names.iter().filter(|name| self.recording.samples_in(name) > 0).collect();
        assert!(found.is_empty(), "{found:?}: {:?}", self.ended);
    }
}
