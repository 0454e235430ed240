//! Replays that are killed from outside: every enter and exit that had returned, as counted by
//! `--progress`, is in the archive that `kymo recover` makes.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kymo_otf2::events::Event;
use kymo_otf2::read::Archive;
use kymo_plugin_tests::testing::{
    MemoryGroup, TemporaryFolder, build_plugin, build_program, kymo_check, short_recordings,
};

/// A running replay, with its files.
struct Running {
    folder: TemporaryFolder,
    scratch: TemporaryFolder,
    child: Child,
}

/// The limit on all waiting.
const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

impl Running {
    fn start(recording: &Path, arguments: &[&str]) -> Self {
        Self::start_by(Command::new("env"), recording, arguments)
    }

    /// Starts a replay by a command that becomes `env` with the arguments that follow.
    fn start_by(mut command: Command, recording: &Path, arguments: &[&str]) -> Self {
        let (folder, scratch) = (TemporaryFolder::new("killed"), TemporaryFolder::in_memory("killed"));
        let plugin = build_plugin("kymo-plugin");
        // Reset signals as in a terminal: background processes ignore some.
        command
            .arg("--default-signal")
            .arg(env!("CARGO_BIN_EXE_kymo-replay"))
            .arg(recording)
            .arg(folder.join("out"))
            .args(arguments);
        command.arg("--progress").arg(folder.join("progress"));
        command.env("SCOREP_SUBSTRATE_PLUGINS", "kymo");
        command.env("LD_LIBRARY_PATH", plugin.parent().expect("a folder"));
        command.env("SCOREP_SUBSTRATE_KYMO_SCRATCH", &*scratch);
        command.stderr(File::create(folder.join("stderr")).expect("a file")).stdin(Stdio::null());
        let child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        Self { folder, scratch, child }
    }

    /// Returns the number of enters and exits that have returned, for one rank if given, or the
    /// only one.
    fn progress(&self, rank: Option<u32>) -> u64 {
        let name = rank.map_or_else(|| "progress".to_owned(), |rank| format!("progress.{rank}"));
        let bytes = fs::read(self.folder.join(&name)).unwrap_or_default();
        bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// Waits until `count` enters and exits have returned.
    fn await_progress(&self, rank: Option<u32>, count: u64) {
        let began = Instant::now();
        while self.progress(rank) < count {
            assert!(
                began.elapsed() < WAIT_TIMEOUT,
                "only {} of {count}: {}",
                self.progress(rank),
                self.stderr()
            );
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    fn stderr(&self) -> String {
        fs::read_to_string(self.folder.join("stderr")).unwrap_or_default()
    }

    /// Returns the processes that play ranks, by rank.
    fn members(&self) -> Vec<(u32, i32)> {
        let id = self.child.id();
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        let rank = |process: i32| {
            let line = fs::read_to_string(format!("/proc/{process}/cmdline")).ok()?;
            let mut words = line.split('\0').skip_while(|word| *word != "--member");
            words.nth(1)?.parse().ok()
        };
        let mut members: Vec<(u32, i32)> = children
            .split_whitespace()
            .filter_map(|it| it.parse().ok())
            .filter_map(|it| Some((rank(it)?, it)))
            .collect();
        members.sort_unstable();
        members
    }

    /// Recovers an archive; returns the number of enters and leaves by rank.
    fn recovered(&self, ranks: u32) -> Vec<u64> {
        let to = self.folder.join("recovered");
        let mut command = Command::new(build_program("kymo"));
        command.arg("recover").arg(self.folder.join("out")).arg("-o").arg(&to).arg("--leave-open");
        let output = command.arg("--scratch").arg(&*self.scratch).output().expect("running kymo recover");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success(),
            "{}\n{stderr}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout)
        );
        let anchor = to.join("traces.otf2");
        judge(&anchor);
        count(&anchor, ranks)
    }
}

/// The findings that are expected for a program that was killed before it completed its operations.
/// A repeated recording also restarts the count of lock acquisitions in every round.
const UNFINISHED: [&str; 21] = [
    "not-left",
    "program-not-paired",
    "receive-before-send",
    "collective-crosses-time",
    "unmatched-send",
    "unmatched-receive",
    "request-not-complete",
    "collective-not-ended",
    "thread-not-ended",
    "not-joined",
    "thread-not-created",
    "thread-not-begun",
    "team-not-ended",
    "collective-missing",
    "incomplete-collective",
    "task-not-complete",
    "io-not-complete",
    "lock-order",
    "lock-not-released",
    "rma-not-complete",
    "calls-across-gap",
];

/// Passes an archive to two judges.
fn judge(anchor: &Path) {
    let explained =
        Command::new(build_program("kymo")).args(["check", "--explain"]).output().expect("kymo check");
    let explained = String::from_utf8_lossy(&explained.stdout).into_owned();
    let is_known = |kind: &&str| explained.split_whitespace().any(|word| word == *kind);
    let known: Vec<&str> = UNFINISHED.into_iter().filter(is_known).collect();
    kymo_check(anchor, &known).unwrap_or_else(|what| panic!("{}: {what}", anchor.display()));
    // It may warn about definitions that only the killed processes had.
    let printed = kymo_testdata::program("otf2-print")
        .arg("--silent")
        .arg(anchor)
        .output()
        .expect("running otf2-print");
    assert!(printed.status.success(), "{printed:?}");
}

/// Counts the enters and leaves of an archive by rank, which is the lower half of a location id.
/// Those that begin and end a task are different calls of the host.
fn count(anchor: &Path, ranks: u32) -> Vec<u64> {
    let archive = Archive::open(anchor).expect("an archive");
    let mut counts = vec![0; ranks as usize];
    for location in archive.locations().expect("locations") {
        let mut events = archive.events(location).expect("events");
        let count: &mut u64 = &mut counts[(location & 0xffff_ffff) as usize];
        let (mut switched, mut left) = (None, None);
        while let Some(event) = events.next().expect("an event") {
            if matches!(event.record, Event::Metric(_)) {
                continue;
            }
            let time = Some(event.time);
            match event.record {
                Event::Enter(_) if switched != time => *count += 1,
                Event::Leave(_) => *count += 1,
                Event::ThreadTaskComplete(_) if left == time => *count -= 1,
                _ => {}
            }
            switched = time.filter(|_| matches!(event.record, Event::ThreadTaskSwitch(_)));
            left = time.filter(|_| matches!(event.record, Event::Leave(_)));
        }
    }
    counts
}

/// An upper bound on the threads of a recording, and so on the calls that were under way.
const MOST_THREADS: u64 = 16;

fn check_counts(returned: u64, found: u64, what: &str) {
    assert!(found >= returned, "{what}: {returned} enters and exits had returned, {found} are there");
    assert!(
        found <= returned + MOST_THREADS,
        "{what}: {returned} enters and exits had returned, {found} are there"
    );
}

/// A round of a repeated recording: the number of enters and exits that return in it, and the
/// number found in the archive. Rewound ones are counted but not found.
struct Round {
    returned: u64,
    found: u64,
}

impl Round {
    /// Measures the difference between one round and two, which excludes the begin and end of the
    /// program.
    fn of(recording: &Path) -> Self {
        let [one, two] = ["1", "2"].map(|rounds| {
            let mut replay = Running::start(recording, &["--repeat", rounds]);
            assert!(replay.child.wait().expect("its end").success(), "{}", replay.stderr());
            (replay.progress(None), count(&replay.folder.join("out/kymo/traces.otf2"), 1)[0])
        });
        Self { returned: two.0 - one.0, found: two.1 - one.1 }
    }

    /// Checks that everything that returned is there. With rewinds, the events of all complete
    /// rounds must be there, and at most those that returned in others. Fewer than `MOST_THREADS`
    /// events precede the first round.
    fn check(&self, returned: u64, found: u64, what: &str) {
        if self.found == self.returned {
            return check_counts(returned, found, what);
        }
        let rounds = returned.saturating_sub(MOST_THREADS) / self.returned;
        let (least, most) = (rounds * self.found, (rounds + 2) * self.found + self.returned + MOST_THREADS);
        assert!((least..=most).contains(&found), "{what}: {returned} had returned, {found} are there");
    }
}

#[test]
fn a_replay_that_is_killed_keeps_every_enter_and_exit() {
    for recording in short_recordings() {
        let round = Round::of(&recording.path);
        for count in [1, 10, 1000, 30_000, 100_000] {
            let mut replay = Running::start(&recording.path, &["--repeat", "100000000"]);
            replay.await_progress(None, count);
            replay.child.kill().expect("killing it");
            replay.child.wait().expect("its end");
            let found = replay.recovered(1)[0];
            round.check(replay.progress(None), found, &format!("{}, after {count}", recording.name));
        }
    }
}

/// Signals kill programs that have no handler for them, as sent by a batch system or caused by a
/// fault.
#[test]
fn a_replay_that_a_signal_kills_keeps_every_enter_and_exit() {
    let recording =
        short_recordings().into_iter().find(|it| it.name == "user").expect("a recording of one thread");
    let round = Round::of(&recording.path);
    // Rust's own handler ignores fault signals from outside: `ends.rs` tests those.
    let ends = [libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGXCPU, libc::SIGABRT];
    for signal in ends {
        let mut replay = Running::start(&recording.path, &["--repeat", "100000000"]);
        replay.await_progress(None, 10_000);
        send(replay.child.id() as i32, signal);
        assert_eq!(replay.child.wait().expect("its end").signal(), Some(signal), "{}", replay.stderr());
        let found = replay.recovered(1)[0];
        round.check(replay.progress(None), found, &format!("signal {signal}"));
    }
}

/// A container or a batch system limits memory. Full pieces are written during the replay, so it
/// uses little.
#[test]
fn a_replay_in_little_memory_is_complete() {
    let recording = short_recordings().into_iter().find(|it| it.name == "threads").expect("a recording");
    let Some(group) = MemoryGroup::new("little", 48 << 20) else { return };
    let mut replay = Running::start_by(group.command("env"), &recording.path, &["--repeat", "500"]);
    assert!(replay.child.wait().expect("its end").success(), "{}", replay.stderr());
    assert_eq!(replay.stderr(), "");
    let found = count(&replay.folder.join("out/kymo/traces.otf2"), 1)[0];
    Round::of(&recording.path).check(replay.progress(None), found, "all of it");
}

/// Returns the recording of four ranks.
fn ranks_of_mpi() -> PathBuf {
    kymo_testdata::own("scorep-recordings/mpi")
}

const RANKS: u32 = 4;

fn send(process: i32, signal: i32) {
    // SAFETY: a signal to a process that this test started and has not waited for.
    assert_eq!(unsafe { libc::kill(process, signal) }, 0);
}

fn kill(process: i32) {
    send(process, libc::SIGKILL);
}

/// All ranks are killed together, as at the end of a job.
#[test]
fn ranks_that_are_killed_keep_every_enter_and_exit() {
    let recording = ranks_of_mpi();
    // Later than MPI_Init: before that, the rank of a process is unknown.
    for count in [50, 5000, 50_000] {
        let mut replay = Running::start(&recording, &["--repeat", "1000000"]);
        (0..RANKS).for_each(|rank| replay.await_progress(Some(rank), count));
        let members = replay.members();
        assert_eq!(members.len(), RANKS as usize, "{}", replay.stderr());
        members.iter().for_each(|&(_, process)| kill(process));
        replay.child.wait().expect("its end");
        let found = replay.recovered(RANKS);
        for rank in 0..RANKS {
            check_counts(
                replay.progress(Some(rank)),
                found[rank as usize],
                &format!("rank {rank}, after {count}"),
            );
        }
    }
}

/// Kills a rank of a replay while it records. On a busy machine, a replay can be over before: then
/// a longer one is played.
fn without_rank(recording: &Path, victim: u32) -> Running {
    for rounds in [300, 3000, 30_000, 300_000] {
        let mut replay = Running::start(recording, &["--repeat", &rounds.to_string(), "--patience", "120"]);
        replay.await_progress(Some(victim), 100);
        let members = replay.members();
        members.iter().filter(|(rank, _)| *rank == victim).for_each(|(_, process)| kill(*process));
        if !replay.child.wait().expect("its end").success() {
            return replay;
        }
    }
    panic!("rank {victim} vanished and the program succeeded");
}

/// One rank is killed: the others end without it, and no rank loses events.
#[test]
fn a_rank_that_vanishes_makes_no_rank_lose_events() {
    let recording = ranks_of_mpi();
    for victim in 0..RANKS {
        let replay = without_rank(&recording, victim);
        let found = replay.recovered(RANKS);
        for rank in 0..RANKS {
            check_counts(
                replay.progress(Some(rank)),
                found[rank as usize],
                &format!("rank {rank} without {victim}"),
            );
        }
    }
}

/// Starts a replay and puts a folder in the way of a file before that file is there. On a busy
/// machine, the file can be there first: then another replay is started.
fn obstructed(recording: &Path, file: &str) -> (Running, PathBuf) {
    for _ in 0..100 {
        let mut replay = Running::start(recording, &["--repeat", "300", "--patience", "120"]);
        let in_the_way = replay.folder.join(file);
        let began = Instant::now();
        while let Err(error) = fs::create_dir(&in_the_way) {
            if error.kind() == std::io::ErrorKind::AlreadyExists {
                break;
            }
            assert!(
                error.kind() == std::io::ErrorKind::NotFound && began.elapsed() < WAIT_TIMEOUT,
                "{error}"
            );
        }
        if in_the_way.is_dir() {
            return (replay, in_the_way);
        }
        replay.child.wait().expect("its end");
    }
    panic!("{file} is always there first");
}

/// One rank cannot write its events: no rank cleans up, and no rank loses events. The other ranks
/// cleaned up.
#[test]
fn no_rank_cleans_up_if_one_cannot_write() {
    let recording = ranks_of_mpi();
    for victim in 0..RANKS {
        let (mut replay, in_the_way) = obstructed(&recording, &format!("out/kymo/traces/{victim}.evt"));
        assert!(replay.child.wait().expect("its end").success(), "{}", replay.stderr());
        assert!(!replay.folder.join("out/kymo/traces.otf2").exists(), "the archive is marked complete");
        let lines =
            replay.stderr().lines().filter(|line| line.contains("the archive is not complete")).count();
        assert_eq!(lines, if victim == 0 { 1 } else { 2 }, "{}", replay.stderr());
        fs::remove_dir(&in_the_way).expect("removing what was in the way");
        let found = replay.recovered(RANKS);
        for rank in 0..RANKS {
            let returned = replay.progress(Some(rank));
            check_counts(returned, found[rank as usize], &format!("rank {rank}, {victim} cannot write"));
        }
        check_topology(&replay.folder.join("recovered/traces.otf2"), &recording);
    }
}

/// Checks that the topologies are those that the host's own tracing wrote. Regressions: dimensions
/// have no numbers of their own and were counted from zero for each topology; the topology of
/// processes and threads was written once for each rank.
fn check_topology(anchor: &Path, recording: &Path) {
    let [found, expected] = [anchor, &recording.join("traces.otf2")].map(topologies);
    assert_eq!(found, expected);
    assert!(expected.iter().any(|line| line.contains("Process x Thread")), "{expected:?}");
}

/// Returns the topologies that `otf2-print` shows, without ids.
fn topologies(anchor: &Path) -> Vec<String> {
    let printed =
        kymo_testdata::program("otf2-print").arg("-G").arg(anchor).output().expect("running otf2-print");
    let text = String::from_utf8_lossy(&printed.stdout).into_owned();
    let lines =
        text.lines().filter(|line| line.starts_with("CART_") || line.contains("Name: \"PROCESSXTHREADS"));
    let without_ids = |line: &str| {
        let words = line.split_whitespace().enumerate();
        let is_id = |at: usize, word: &str| word.starts_with('<') || at == 1 && word.parse::<u32>().is_ok();
        words.filter(|(at, word)| !is_id(*at, word)).map(|(_, word)| word).collect::<Vec<_>>().join(" ")
    };
    let mut lines: Vec<String> = lines.map(without_ids).collect();
    lines.sort();
    lines
}
