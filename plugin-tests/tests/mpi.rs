//! The plugin in programs with real MPI (`c-hosts/mpi`), started by `mpirun`.

use kymo_plugin_tests::testing::{
    Archive, TemporaryFolder, build_plugin, build_program, compile_mpi_host, compile_plugin_as, kymo_check,
    python_counts,
};
use kymo_testdata::OPEN_MPI_FOLDER;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The number of messages that each rank sends.
const ROUNDS: usize = 50;

/// Returns the program, compiled once; `None` without MPI.
fn host() -> Option<&'static Path> {
    static HOST: OnceLock<Option<PathBuf>> = OnceLock::new();
    HOST.get_or_init(|| compile_mpi_host("ranks.c")).as_deref()
}

/// Runs a case with several ranks and a plugin, with a time limit.
fn run(ranks: u32, plugin: &Path, out: &Path, case: &str, variables: &[(&str, &Path)]) -> Option<Output> {
    let mut command = Command::new("mpirun");
    // Only on this machine, so that ssh is not used.
    command.args(["--mca", "plm", "isolated", "--oversubscribe", "--allow-run-as-root", "--timeout", "120"]);
    command.args(["-np", &ranks.to_string()]);
    let sessions = TemporaryFolder::new("mpi-sessions");
    command.env(OPEN_MPI_FOLDER, &*sessions);
    command.arg(host()?).arg(plugin).arg(out).arg(case).envs(variables.iter().copied());
    Some(command.output().unwrap_or_else(|error| panic!("{command:?}: {error}")))
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the output of the plugin or the host; `mpirun` may print more.
fn complaints(output: &Output) -> Vec<String> {
    let ours = |line: &&str| ["kymo", "host:", "ipc:"].iter().any(|start| line.starts_with(start));
    stderr(output).lines().filter(ours).map(str::to_owned).collect()
}

/// Returns the numbers of events by location, as counted by the host.
fn counted(output: &Output) -> BTreeMap<u64, usize> {
    let stdout = String::from_utf8_lossy(&output.stdout);
    let lines = stdout.lines().filter_map(|line| line.strip_prefix("events ")?.split_once(' '));
    lines.map(|(id, count)| (id.parse().expect("an id"), count.parse().expect("a count"))).collect()
}

/// Runs the whole program with several ranks: every event must be in the archive.
fn check_whole(ranks: u32) {
    let folder = TemporaryFolder::new(&format!("mpi-{ranks}"));
    let out = folder.join("out");
    let Some(output) = run(ranks, &build_plugin("kymo-plugin"), &out, "whole", &[]) else { return };
    assert!(output.status.success(), "{ranks} ranks: {}\n{}", output.status, stderr(&output));
    assert_eq!(complaints(&output), [""; 0], "{ranks} ranks");
    let anchor = out.join("kymo/traces.otf2");
    let archive = Archive::read(&anchor);
    let counted = counted(&output);
    assert_eq!(counted.len(), 2 * ranks as usize, "two locations of each rank");
    assert_eq!(archive.counts(), counted, "{ranks} ranks");
    for rank in 0..ranks {
        check_rank(&archive, rank, if ranks > 1 { ROUNDS } else { 0 });
    }
    // The accuracy of the clocks is not tested here; see `check_times`.
    let clocks = ["receive-before-send", "collective-crosses-time"];
    kymo_check(&anchor, &clocks).unwrap_or_else(|what| panic!("{ranks} ranks: {what}"));
    let read = python_counts(&anchor).unwrap_or_else(|| Ok(counted.clone()));
    assert_eq!(read, Ok(counted), "{ranks} ranks, read by Python");
    check_times(&archive, ranks);
    check_definitions(&archive, ranks);
}

fn check_rank(archive: &Archive, rank: u32, messages: usize) {
    let main = u64::from(rank);
    let kinds = ["PROGRAM_BEGIN", "PROGRAM_END", "COMM_CREATE", "MPI_SEND", "MPI_RECV"];
    let counts = kinds.map(|kind| archive.count(main, kind));
    assert_eq!(counts, [1, 1, 3, messages, messages], "rank {rank}: {kinds:?}");
    let entered = archive.entered(main);
    assert_eq!(entered[..3], ["c-host", "work", "MPI_Init"], "rank {rank}");
    assert_eq!(entered[entered.len() - 2..], ["MPI_Finalize", "work"], "rank {rank}");
    let own: Vec<&str> = entered.into_iter().filter(|name| name.starts_with("region ")).collect();
    let expected: Vec<String> =
        (0..=rank).rev().map(|number| format!("region {number} of rank {rank}")).collect();
    assert_eq!(own, expected, "rank {rank}");
    assert!(archive.entered(1 << 32 | main).iter().all(|name| *name == "work"), "rank {rank}");
}

/// Returns the timestamps of a location's events of a kind.
fn times(archive: &Archive, rank: u32, kind: &str) -> Vec<u64> {
    let time = |event: &String| event.split(' ').next().and_then(|time| time.parse().ok()).expect("a time");
    let events = archive.events[&u64::from(rank)].iter();
    events.filter(|event| event.split(' ').nth(1) == Some(kind)).map(time).collect()
}

/// Checks that messages are sent before they are received, within the accuracy of the clocks.
fn check_times(archive: &Archive, ranks: u32) {
    const SLACK: u64 = 1_000_000;
    for rank in 0..ranks {
        let sent = times(archive, (rank + ranks - 1) % ranks, "MPI_SEND");
        let received = times(archive, rank, "MPI_RECV");
        assert_eq!(sent.len(), received.len());
        for (sent, received) in sent.into_iter().zip(received) {
            assert!(sent <= received + SLACK, "rank {rank}: received at {received}, sent at {sent}");
        }
    }
}

/// Checks that every definition is present once, under names that only some ranks know.
fn check_definitions(archive: &Archive, ranks: u32) {
    assert_eq!(archive.of_kind("LOCATION").count(), 2 * ranks as usize);
    assert_eq!(archive.of_kind("LOCATION_GROUP").count(), ranks as usize);
    let comms: Vec<&str> = archive.of_kind("COMM").collect();
    let halves = if ranks > 1 { 2 } else { 1 };
    assert_eq!(comms.len(), 2 + halves, "{comms:?}");
    for name in ["MPI_COMM_WORLD", "MPI_COMM_SELF", "even ranks", "odd ranks"].into_iter().take(2 + halves) {
        let named = comms.iter().filter(|comm| comm.starts_with(&format!("COMM Name: \"{name}\""))).count();
        assert_eq!(named, 1, "{name}: {comms:?}");
    }
    let regions: Vec<&str> = archive.of_kind("REGION").collect();
    for name in ["work", "MPI_Init"] {
        let named = regions.iter().filter(|region| region.contains(&format!("Name: \"{name}\""))).count();
        assert_eq!(named, 1, "{name}: {regions:?}");
    }
    let own = regions.iter().filter(|region| region.contains(" of rank ")).count();
    assert_eq!(own, (ranks * (ranks + 1) / 2) as usize);
}

#[test]
fn a_program_of_one_rank() {
    check_whole(1);
}

#[test]
fn a_program_of_two_ranks() {
    check_whole(2);
}

#[test]
fn a_program_of_four_ranks() {
    check_whole(4);
}

#[test]
fn a_program_of_seven_ranks() {
    check_whole(7);
}

/// `kymo-replay` behaves like real MPI when plugins communicate: the same plugin checks both
/// (`tests/replays/ipc.rs`).
#[test]
fn thirteen_functions_of_real_mpi() {
    // The host looks up the entry of `kymo`.
    let plugin = compile_plugin_as("ipc.so", "kymo", "ipc.c", &[]);
    let folder = TemporaryFolder::new("mpi-functions");
    for ranks in [1, 2, 3, 5, 8] {
        let checks = folder.join(format!("checks-{ranks}"));
        let size = PathBuf::from(ranks.to_string());
        let variables = [("KYMO_IPC_OUT", checks.as_path()), ("KYMO_IPC_SIZE", size.as_path())];
        let out = folder.join("out");
        let Some(output) = run(ranks, &plugin, &out, "communication", &variables) else { return };
        assert!(output.status.success(), "{ranks} ranks: {}\n{}", output.status, stderr(&output));
        for rank in 0..ranks {
            assert!(checks.with_extension(rank.to_string()).exists(), "{ranks} ranks: {rank}");
        }
    }
}

#[test]
fn a_program_that_never_calls_mpi_init() {
    let folder = TemporaryFolder::new("mpi-no-init");
    let out = folder.join("out");
    let Some(output) = run(4, &build_plugin("kymo-plugin"), &out, "no_init", &[]) else { return };
    assert!(output.status.success(), "{}\n{}", output.status, stderr(&output));
    assert_eq!(complaints(&output), [""; 0]);
    assert!(!out.exists(), "a directory was created");
}

/// Runs this `kymo recover` once every rank has ended: `mpirun` sends a signal to ranks that are to
/// end, and returns before all of them have.
fn output_once_ended(recover: &mut Command) -> Output {
    // Only ranks that never end reach this.
    let deadline = Instant::now() + Duration::from_secs(300);
    loop {
        let output = recover.output().expect("running kymo recover");
        if !stderr(&output).contains(" is still running; ") || Instant::now() > deadline {
            return output;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_rank_that_calls_mpi_abort_ends_the_program() {
    let folder = TemporaryFolder::new("mpi-abort");
    let scratch = TemporaryFolder::in_memory("mpi-abort");
    let variables = [("SCOREP_SUBSTRATE_KYMO_SCRATCH", &*scratch)];
    let Some(output) = run(4, &build_plugin("kymo-plugin"), &folder.join("out"), "gives_up", &variables)
    else {
        return;
    };
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(complaints(&output), [""; 0]);
    // No events that the ranks had recorded by then are lost.
    let to = folder.join("recovered");
    let mut recover = Command::new(build_program("kymo"));
    recover.arg("recover").arg(folder.join("out")).arg("-o").arg(&to).arg("--scratch").arg(&*scratch);
    let output = output_once_ended(&mut recover);
    assert!(output.status.success(), "{}\n{}", output.status, stderr(&output));
    let archive = Archive::read(&to.join("traces.otf2"));
    for rank in 0..4 {
        let sent = ["MPI_SEND", "MPI_RECV"].map(|kind| archive.count(rank, kind));
        assert_eq!(sent, [ROUNDS, ROUNDS], "rank {rank}");
    }
    let clocks = ["receive-before-send", "collective-crosses-time", "program-not-paired"];
    kymo_check(&to.join("traces.otf2"), &clocks).unwrap_or_else(|what| panic!("{what}"));
}

/// Real MPI determines the rank of a process; `kymo recover` uses the rank from the launcher. They
/// had arbitrary ranks.
#[test]
fn processes_that_died_before_mpi_init_have_their_ranks() {
    const RANKS: u64 = 4;
    let folder = TemporaryFolder::new("mpi-early");
    let scratch = TemporaryFolder::in_memory("mpi-early");
    let variables = [("SCOREP_SUBSTRATE_KYMO_SCRATCH", &*scratch)];
    let Some(output) =
        run(RANKS as u32, &build_plugin("kymo-plugin"), &folder.join("out"), "dies_early", &variables)
    else {
        return;
    };
    assert!(!output.status.success() && stderr(&output).contains("signal 9"), "{}", stderr(&output));
    let files = std::fs::read_dir(&*scratch).expect("a folder").map(|it| it.expect("a file").path());
    let to = folder.join("recovered");
    let mut recover = Command::new(build_program("kymo"));
    let output = output_once_ended(recover.arg("recover").arg("-o").arg(&to).args(files));
    assert!(output.status.success(), "{}\n{}", output.status, stderr(&output));
    let reports = stderr(&output).matches("ended before it knew its rank: it is rank").count();
    assert_eq!(reports, RANKS as usize, "{}", stderr(&output));
    let archive = Archive::read(&to.join("traces.otf2"));
    for rank in 0..RANKS {
        let visits = archive.entered(rank).into_iter().filter(|name| *name == "work").count();
        // One visit is from the start of the program.
        assert_eq!(visits as u64, 1 + rank + 1, "rank {rank}");
    }
}
