//! The resources of a process that the plugin uses, and those that it leaves alone
//! (`c-hosts/limits.c` checks from inside).

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use kymo_plugin_tests::testing::{
    Conditions, Program, TemporaryFolder, build_plugin, build_program, compile_host, kymo_check, otf2_print,
};

fn host() -> &'static Path {
    static HOST: OnceLock<PathBuf> = OnceLock::new();
    HOST.get_or_init(|| compile_host("limits.c"))
}

/// Runs a case, which must end regularly; returns its folders, including that for scratch files,
/// and its output.
fn run(case: &str, variables: &[(&str, &str)]) -> (TemporaryFolder, TemporaryFolder, Output) {
    let (folder, scratch) = (TemporaryFolder::new(case), TemporaryFolder::in_memory(case));
    let mut command = Command::new(host());
    command.arg(build_plugin("kymo-plugin")).arg(folder.join("out")).arg(case);
    command.env("SCOREP_SUBSTRATE_KYMO_SCRATCH", &*scratch).envs(variables.iter().copied());
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(7), "{case}: {}\n{stderr}", output.status);
    (folder, scratch, output)
}

/// Runs a case that must leave a complete archive and nothing else, without any output on standard
/// error.
fn check(case: &str, variables: &[(&str, &str)]) -> (TemporaryFolder, Output) {
    let (folder, scratch, output) = run(case, variables);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{case}");
    assert_eq!(
        std::fs::read_dir(&*scratch).expect("the folder").count(),
        0,
        "{case}: a scratch file is left"
    );
    assert!(!folder.join("out/kymo/recovery").exists(), "{case}: side files are left");
    kymo_check(&folder.join("out/kymo/traces.otf2"), &[]).unwrap_or_else(|what| panic!("{case}: {what}"));
    (folder, output)
}

#[test]
fn many_locations_take_at_most_8_descriptors() {
    check("descriptors_of_many_locations", &[]);
}

#[test]
fn a_hundred_thousand_short_threads_take_no_more_memory_than_a_few() {
    // The amount in flight depends on the storage, up to the limit.
    check("short_threads", &[("SCOREP_SUBSTRATE_KYMO_TOTAL_MEMORY", "1M")]);
}

#[test]
fn a_location_that_has_ended_keeps_little() {
    check("short_locations", &[("SCOREP_SUBSTRATE_KYMO_TOTAL_MEMORY", "4M")]);
}

/// Waiting would last forever in this case. The message, the archive, the gap in it and `kymo
/// check` all report the number.
#[test]
fn events_dropped_before_the_archive_is_open_are_reported_everywhere() {
    let (folder, _scratch, output) =
        run("much_before_the_archive", &[("SCOREP_SUBSTRATE_KYMO_TOTAL_MEMORY", "1M")]);
    let anchor = folder.join("out/kymo/traces.otf2");
    let print = otf2_print(&anchor);
    let count = |what: &str| print.lines().filter(|line| line.starts_with(what)).count();
    let lost = 2 * 100_050 - count("ENTER") - count("LEAVE");
    assert!(lost > 50_000, "{lost}");
    let variable = "SCOREP_SUBSTRATE_KYMO_TOTAL_MEMORY";
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        format!("kymo: {lost} events were lost, first at location 0: memory was full; raise {variable}\n")
    );
    assert!(print.contains(&format!("KYMO::EVENTS_LOST\" <4>; UINT64; {lost})")), "{print}");
    let check = Command::new(build_program("kymo")).arg("check").arg(&anchor).output();
    let report = String::from_utf8_lossy(&check.expect("kymo check").stdout).into_owned();
    assert!(report.contains(&format!("{lost} events were lost while recording")), "{report}");
}

/// It changed.
#[test]
fn errno_stays_when_memory_grows() {
    check("errno_stays", &[("SCOREP_SUBSTRATE_KYMO_TOTAL_MEMORY", "4M"), ("KYMO_FAULTS", "20000 0 0 0")]);
}

/// Waiting for memory, and requesting memory from the system, were cancellation points: unwinding
/// terminated the program there.
#[test]
fn a_thread_is_not_cancelled_within_an_event() {
    let variables = [("SCOREP_SUBSTRATE_KYMO_TOTAL_MEMORY", "4M"), ("KYMO_FAULTS", "20000 0 0 0")];
    let (folder, _) = check("cancelled", &variables);
    let print = otf2_print(&folder.join("out/kymo/traces.otf2"));
    let enters = print.lines().filter(|line| line.starts_with("ENTER")).count();
    assert_eq!(enters, 160_000);
}

/// The thread never returned from its event, so its file cannot be completed. It was lost entirely.
#[test]
fn a_location_whose_thread_never_returns_is_recovered() {
    let variables = [("SCOREP_SUBSTRATE_KYMO_TOTAL_MEMORY", "1M"), ("KYMO_FAULTS", "0 0 0 0")];
    let (folder, _scratch, output) = run("jumps_out_of_an_event", &variables);
    let stderr = String::from_utf8_lossy(&output.stderr);
    // The lost event is the end of the program.
    assert!(stderr.starts_with("kymo: 1 event was lost\n"), "{stderr}");
    assert!(stderr.contains("`kymo recover`") && stderr.contains("1 locations were still"), "{stderr}");
    let to = folder.join("recovered");
    let mut recover = Command::new(build_program("kymo"));
    let recovered =
        recover.arg("recover").arg(folder.join("out")).arg("-o").arg(&to).output().expect("kymo recover");
    assert!(recovered.status.success(), "{recovered:?}");
    let print = otf2_print(&to.join("traces.otf2"));
    let enters = |location: u64| {
        let begin = |line: &str| {
            let mut words = line.split_whitespace();
            (words.next() == Some("ENTER")).then(|| words.next()?.parse().ok()).flatten() == Some(location)
        };
        print.lines().filter(|line| begin(line)).count()
    };
    let returned: usize = String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number");
    assert!(returned > 10_000);
    assert_eq!(
        (enters(1 << 32), enters(0).abs_diff(returned) <= 1),
        (100, true),
        "{} of {returned}",
        enters(0)
    );
}

#[test]
fn the_writer_blocks_all_signals_has_a_name_and_ends() {
    check("own_thread", &[]);
}

#[test]
fn a_child_leaves_the_scratch_file_of_its_parent_alone() {
    let (_folder, scratch, _) = run("child_leaves_scratch_alone", &[("SCOREP_SUBSTRATE_KYMO_DRAIN", "1000")]);
    assert_eq!(std::fs::read_dir(&*scratch).expect("the folder").count(), 0, "a scratch file is left");
}

/// A signal would kill the program if the plugin wrote beyond the limit without precautions. Lost
/// events are reported.
#[test]
fn a_limit_of_file_sizes_does_not_end_the_program() {
    for case in ["limited_files", "files_limited_late"] {
        let (_folder, _scratch, output) = run(case, &[]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("events were lost"), "{case}: {stderr}");
        assert!(stderr.lines().all(|line| line.starts_with("kymo: ")), "{case}: {stderr}");
    }
}

/// Returns the begin and end of every flush in an archive.
fn flushes(anchor: &Path) -> Vec<(u64, u64)> {
    let print = otf2_print(anchor);
    let flush = |line: &str| {
        let words: Vec<&str> = line.strip_prefix("BUFFER_FLUSH")?.split_whitespace().collect();
        Some((words[1].parse().ok()?, words.last()?.parse().ok()?))
    };
    print.lines().filter_map(flush).collect()
}

/// The host measures the duration of its calls: a flush begins with the call that had to wait and
/// ends just before the call returns. The storage writes nothing until the host waits.
#[test]
fn a_flush_is_as_long_as_the_wait() {
    let variables = [("SCOREP_SUBSTRATE_KYMO_TOTAL_MEMORY", "1M"), ("KYMO_FAULTS", "20000 0 0 0")];
    let (folder, output) = check("says_when_it_waits", &variables);
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stalls: Vec<(u64, u64)> = stdout
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(start, stop)| Some((start.parse().ok()?, stop.parse().ok()?)))
        .collect();
    let flushes = flushes(&folder.join("out/kymo/traces.otf2"));
    assert!(flushes.len() >= 10, "{flushes:?}");
    let (mut whole, mut partial) = (0, 0);
    for &(begin, end) in &flushes {
        let stall = stalls.iter().find(|&&(start, stop)| start <= begin && end <= stop);
        // The host does not report short ones.
        let Some(&(start, stop)) = stall else {
            assert!(end - begin < 500_000, "{begin} to {end} was no wait: {stalls:?}");
            continue;
        };
        let is_whole = (end - begin) * 10 >= (stop - start) * 9;
        (whole, partial) = (whole + u32::from(is_whole), partial + u32::from(!is_whole));
    }
    // A call takes longer if another program has the processor just before or after the wait.
    assert!(whole > 2 * partial, "{partial} of {} flushes are shorter: {stalls:?}", whole + partial);
}

/// Replays the recording `threads` 100 times under a limit of the shell's `ulimit`; returns the
/// output on standard error, which must be short.
fn replay_with_limit(limit: &str) -> String {
    let (folder, scratch) = (TemporaryFolder::new("limit"), TemporaryFolder::in_memory("limit"));
    let replay = |_: &Path, out: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kymo-replay"));
        command.args(["--repeat", "100", "--patience", "120"]);
        command.arg(kymo_testdata::own("scorep-recordings/threads")).arg(out);
        command.env("SCOREP_SUBSTRATE_PLUGINS", "kymo");
        command.env("LD_LIBRARY_PATH", build_plugin("kymo-plugin").parent().expect("a folder"));
        command
    };
    let events = 100 * 974 - 99 * 4;
    let program =
        Program { command: &replay, status: 0, stdout: "", events, needs_archive: false, findings: &[] };
    let scratch_folders = [&*scratch];
    let conditions = Conditions {
        scratch: Some(&scratch),
        limit: Some(limit),
        ..Conditions::new(&folder, &scratch_folders)
    };
    let stderr = program.run_at(&conditions).unwrap_or_else(|what| panic!("{what}"));
    assert!(stderr.lines().count() <= 6, "{limit}: {stderr}");
    stderr
}

#[test]
fn a_process_with_few_file_descriptors() {
    for (count, is_whole) in [(6, false), (8, true), (16, true)] {
        let stderr = replay_with_limit(&format!("-n {count}"));
        assert_eq!(stderr.is_empty(), is_whole, "{count}: {stderr}");
    }
}

/// Blocks of 512 bytes, as the shell counts: 4 KiB, 64 KiB, 1 MiB. The largest event file has 170
/// KiB.
#[test]
fn a_replay_with_a_limit_on_the_size_of_files() {
    for (blocks, is_whole) in [(8, false), (128, false), (2048, true)] {
        let stderr = replay_with_limit(&format!("-f {blocks}"));
        assert!(stderr.contains("the size of files is limited"), "{blocks}: {stderr}");
        assert_eq!(stderr.lines().count() == 1, is_whole, "{blocks}: {stderr}");
    }
}
