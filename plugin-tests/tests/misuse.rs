//! The plugin in hosts written in C (`c-hosts`), called in documented and undocumented orders: the
//! program continues as if the plugin were absent, at most one line on standard error reports the
//! mistake, and an archive that exists is readable.

use kymo_plugin_tests::testing::{TemporaryFolder, build_plugin, canonical, compile_host};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The archive that must exist at the end.
#[derive(Clone, Copy, Debug)]
enum Archive {
    /// None, or a readable one.
    Any,
    /// None.
    Absent,
    /// A readable one, with any content.
    Readable,
    /// One with this many events on the main location, including the two of the program.
    Events(usize),
}

use Archive::{Absent, Any, Events, Readable};

/// A run of a case.
struct Run {
    case: String,
    folder: TemporaryFolder,
    output: Output,
}

/// Returns the program that contains a case, compiled once.
fn host(case: &str) -> &'static Path {
    static HOSTS: [OnceLock<PathBuf>; 2] = [OnceLock::new(), OnceLock::new()];
    let of_processes = case.starts_with("fork") || ["thread_goes_on", "cancelled_in_a_call"].contains(&case);
    let source = if of_processes { "processes.c" } else { "misuse.c" };
    HOSTS[usize::from(of_processes)].get_or_init(|| compile_host(source))
}

impl Run {
    fn new(case: &str, variables: &[(&str, &str)]) -> Self {
        let folder = TemporaryFolder::new(&format!("misuse-{case}"));
        let mut command = Command::new(host(case));
        command.arg(build_plugin("kymo-plugin")).arg(folder.join("out")).arg(case);
        let scratch = TemporaryFolder::in_memory(&format!("misuse-{case}"));
        command.env("SCOREP_SUBSTRATE_KYMO_SCRATCH", &*scratch).envs(variables.iter().copied());
        let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        Self { case: case.to_owned(), folder, output }
    }

    fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    fn anchor(&self) -> PathBuf {
        self.folder.join("out/kymo/traces.otf2")
    }

    /// Returns the output of `otf2-print -A`, which must report no errors. It may warn about
    /// invalid definitions.
    fn print(&self) -> String {
        let output = kymo_testdata::program("otf2-print")
            .arg("-A")
            .arg(self.anchor())
            .output()
            .expect("running otf2-print");
        let [stdout, stderr] =
            [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        let allowed =
            |line: &str| self.case == "unknown_definitions" && line.starts_with("otf2-print: warning: ");
        let silent = stderr.lines().all(allowed);
        assert!(output.status.success() && silent, "{}\n{stderr}\n{}", output.status, self.stderr());
        assert!(!stdout.contains("==ERROR=="), "{stdout}");
        canonical(&stdout)
    }
}

/// Returns the number of events on the main location.
fn events(print: &str) -> usize {
    let Some((_, events)) = print.split_once("\n=== location 0\n") else { return 0 };
    events.lines().take_while(|line| !line.is_empty()).count()
}

/// Checks that the plugin printed at most `most` lines, all different.
fn check_lines(run: &Run, case: &str, most: usize) {
    let stderr = run.stderr();
    let mut lines: Vec<&str> = stderr.lines().collect();
    assert!(lines.iter().all(|line| line.starts_with("kymo: ")), "{case}: {stderr}");
    assert!(lines.len() <= most, "{case}: more than {most} lines\n{stderr}");
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), stderr.lines().count(), "{case}: printed twice\n{stderr}");
}

fn check_archive(run: &Run, case: &str, archive: Archive) {
    let there = run.anchor().exists();
    match archive {
        Absent => assert!(!there, "{case}: an archive"),
        Any if !there => {}
        Any | Readable => {
            assert!(there, "{case}: no archive\n{}", run.stderr());
            run.print();
        }
        Events(expected) => {
            assert!(there, "{case}: no archive\n{}", run.stderr());
            assert_eq!(events(&run.print()), expected, "{case}: events\n{}", run.stderr());
        }
    }
}

/// Runs a case, which must end with status 7.
fn check(case: &str, archive: Archive, most_lines: usize) -> Run {
    let run = Run::new(case, &[]);
    assert_eq!(run.output.status.code(), Some(7), "{case}: {}\n{}", run.output.status, run.stderr());
    check_lines(&run, case, most_lines);
    check_archive(&run, case, archive);
    run
}

/// One test per case: its name, the expected archive, the maximum number of lines.
macro_rules! cases {
    ($($case:ident: $archive:expr, $most_lines:expr;)*) => {
        $(#[test]
        fn $case() {
            check(stringify!($case), $archive, $most_lines);
        })*
    };
}

cases! {
    documented: Events(202), 0;
    before_init_mpp: Events(202), 0;
    after_write_data: Events(202), 1;
    after_finalize: Events(202), 1;
    null_names: Events(202), 1;
    // Memory that cannot be read and a missing directory are reported separately.
    null_callbacks: Any, 2;
    null_location_callbacks: Any, 1;
    short_table: Any, 1;
    null_table: Any, 2;
    unknown_handles: Readable, 1;
    // Memory that is not as expected, and invalid definitions.
    unknown_definitions: Events(202), 2;
    lying_definitions: Events(202), 1;
    null_directory: Absent, 1;
    impossible_directory: Absent, 1;
    // Lost events and files that cannot be written: two lines, not one for each location.
    vanishing_directory: Any, 2;
    no_init_mpp: Absent, 1;
    write_data_without_init_mpp: Absent, 1;
    no_finalization: Any, 0;
    init_mpp_twice: Any, 1;
    create_location_twice: Events(202), 1;
    write_data_twice: Events(202), 1;
    out_of_order: Any, 1;
    init_twice: Events(202), 1;
    times_backwards: Readable, 1;
    unknown_requirements: Events(202), 0;
    no_arguments: Events(202), 1;
    fork_exit_at_once: Events(202), 1;
    fork_exit: Events(202), 1;
    fork_outlives: Events(202), 1;
    fork_before_init_mpp: Events(202), 1;
    fork_by_system_call: Events(202), 1;
    fork_less_closefrom: Events(800_102), 0;
    cancelled_in_a_call: Events(202), 0;
}

/// "recorded 4078082 events" was reported, but the archive had none.
#[test]
fn events_in_files_that_were_moved_away_do_not_count_as_recorded() {
    for case in ["vanishing_event_files", "vanished_event_files"] {
        let run = check(case, Absent, 1);
        let stderr = run.stderr();
        assert!(stderr.contains("the archive is not complete"), "{case}: {stderr}");
    }
}

/// A definition that is missing for another reason is not reported as a lack of memory.
#[test]
fn lost_definitions_are_reported_with_the_right_reason() {
    for case in ["unknown_definitions", "lying_definitions"] {
        let run = Run::new(case, &[]);
        assert!(!run.stderr().contains("for lack of memory"), "{case}: {}", run.stderr());
    }
}

/// Late events may be recorded or dropped, but the events before them are present.
#[test]
fn after_program_end() {
    let run = check("after_program_end", Readable, 1);
    assert!(events(&run.print()) >= 202);
}

/// The events from before the location was deleted are present.
#[test]
fn deleted_too_early() {
    let run = check("deleted_too_early", Readable, 1);
    assert!(events(&run.print()) >= 201);
}

/// Metrics without values, of no location, and of invalid sets are lost; the others are present.
#[test]
fn metrics() {
    let run = check("metrics", Readable, 1);
    let print = run.print();
    assert_eq!(print.lines().filter(|line| line.contains(" METRIC ")).count(), 20, "{print}");
    assert!(!print.contains(", 0 Values"), "a record of no values");
    // Five of six in each of 20 events, and the last one.
    assert!(run.stderr().contains("101 events were lost"), "{}", run.stderr());
}

/// Events of a location that was never created are lost and reported; the others are present.
#[test]
fn unknown_location() {
    let run = check("unknown_location", Events(202), 1);
    assert!(!run.print().contains("stranger"));
}

/// A thread that continues when the measurement ends loses events, but does no harm.
#[test]
fn thread_goes_on() {
    for _ in 0..5 {
        check("thread_goes_on", Events(202), 1);
    }
}

/// The plugin has no handlers: the program dies as it would without it.
#[test]
fn aborted() {
    let run = Run::new("aborted", &[]);
    assert_eq!(run.output.status.signal(), Some(6), "{}", run.stderr());
    check_lines(&run, "aborted", 0);
}

/// Regions without a name are recorded without one; regions of unknown handles are unknown.
#[test]
fn unknown_regions_have_no_names() {
    let run = check("unknown_handles", Readable, 1);
    let print = run.print();
    let (_, events) = print.split_once("\n=== location 0\n").expect("events");
    let unknown = events.lines().filter(|line| line.contains("ENTER Region: UNDEFINED")).count();
    // Except for the string at 8192, none of them is a definition.
    assert!(unknown >= 7, "{unknown} unknown regions\n{events}");
}

/// Invalid values of variables, and a variable that does not exist.
#[test]
fn wrong_variables_are_reported_once() {
    for (name, value) in [("SCOREP_SUBSTRATE_KYMO_HOST", "5.0"), ("SCOREP_SUBSTRATE_KYMO_HOSTS", "8.4")] {
        let run = Run::new("documented", &[(name, value)]);
        assert_eq!(run.output.status.code(), Some(7), "{}", run.stderr());
        check_lines(&run, name, 1);
        assert!(run.stderr().contains("SCOREP_SUBSTRATE_KYMO_HOST"), "{}", run.stderr());
        check_archive(&run, name, Events(202));
    }
}

/// The timestamps of these hosts are not times. This is not an error, so it is reported only on
/// request.
#[test]
fn timestamps_that_fit_no_clock_are_reported_when_verbose() {
    let lines = |variables: &[(&str, &str)]| {
        let run = Run::new("documented", variables);
        check_lines(&run, "documented", 1);
        check_archive(&run, "documented", Events(202));
        run.stderr().matches("the timestamps fit no clock").count()
    };
    assert_eq!(lines(&[("SCOREP_VERBOSE", "true")]), 1);
    assert_eq!(lines(&[("SCOREP_SUBSTRATE_KYMO_VERBOSE", "1")]), 1);
    assert_eq!(lines(&[("SCOREP_SUBSTRATE_KYMO_VERBOSE", "no"), ("SCOREP_VERBOSE", "true")]), 0);
    assert_eq!(lines(&[]), 0);
}

/// Nothing of a child is in its parent's archive: no event, no region, no location.
#[test]
fn a_child_leaves_no_trace() {
    for case in
        ["fork_exit_at_once", "fork_exit", "fork_outlives", "fork_before_init_mpp", "fork_by_system_call"]
    {
        let run = check(case, Events(202), 1);
        let files: Vec<String> = walk(&run.folder.join("out"));
        assert!(!run.print().contains("of the child"), "{case}");
        let expected =
            ["MANIFEST.md", "kymo/traces.def", "kymo/traces.otf2", "kymo/traces/0.def", "kymo/traces/0.evt"];
        assert_eq!(files, expected, "{case}");
    }
}

/// Returns the files below a folder, sorted.
fn walk(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        for entry in std::fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                files.push(path.strip_prefix(folder).expect("below").to_string_lossy().into_owned());
            }
        }
    }
    files.sort_unstable();
    files
}
