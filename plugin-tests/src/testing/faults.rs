//! Runs in which calls of the plugin fail (`c/fail.c`), and the checks of each run: the program
//! ends as it does without faults and within the time limit, every line on standard error is the
//! plugin's, and every event is in the archive, or in one that `kymo recover` makes, or counted as
//! lost.

use super::{TemporaryFolder, build_program, compile_failures, compile_raw};
use kymo_otf2::events::Event;
use kymo_otf2::read::{Archive, Options};
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The calls that fail, and how.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// The kind of call, as `c/fail.c` names it.
    pub kind: &'static str,
    /// The number of the first call that fails, counted from 1.
    pub first: u64,
    /// The number of the last call that fails.
    pub last: u64,
    /// The error number; 0 for a short count.
    pub error: i32,
    /// Whether only system calls fail that bypass the C library (`c/raw.c`).
    pub is_raw: bool,
    /// The rank that is affected, if not all.
    pub rank: Option<u32>,
}

impl Fault {
    /// Makes the command run with the fault.
    fn apply(&self, command: Command) -> Command {
        let Self { kind, first, last, error, is_raw, rank } = *self;
        let settings = format!("{kind} {first} {last} {error}");
        let mut command = match is_raw {
            true => with_raw_faults(&command),
            false => command,
        };
        command.env(if is_raw { "KYMO_RAW" } else { "KYMO_FAIL" }, settings);
        if let Some(rank) = rank {
            command.env("KYMO_FAIL_RANK", rank.to_string());
        }
        command
    }
}

/// Wraps a command so that the program of `c/raw.c` runs it.
fn with_raw_faults(command: &Command) -> Command {
    with(Command::new(compile_raw()), command)
}

/// Appends a command to the arguments of another one, which also receives its variables.
fn with(mut outer: Command, command: &Command) -> Command {
    outer.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    outer
}

/// The outcome of a run.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Outcome {
    /// The program made fewer calls of the kind, so no call failed.
    NotReached,
    /// A call failed, and all checks passed.
    Good,
}

/// A program that is measured.
pub struct Program<'a> {
    /// Returns the command; the arguments are the folder of the run and its experiment directory.
    pub command: &'a (dyn Fn(&Path, &Path) -> Command + Sync),
    /// The exit status of the program.
    pub status: i32,
    /// The output of the program.
    pub stdout: &'a str,
    /// The number of events of the program.
    pub events: u64,
    /// Whether it must write its archive despite any fault.
    pub needs_archive: bool,
    /// The findings of `kymo check` that are correct for it.
    pub findings: &'a [&'a str],
}

impl core::fmt::Debug for Program<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Program").field("status", &self.status).field("events", &self.events).finish()
    }
}

/// The conditions for a run with little room or resource limits.
#[derive(Debug)]
pub struct Conditions<'a> {
    /// The folder of the experiment directory.
    pub parent: &'a Path,
    /// The user's setting for the scratch file, if any.
    pub scratch: Option<&'a Path>,
    /// The value of `$TMPDIR`, if changed.
    pub temporary: Option<&'a Path>,
    /// The folders, empty at first, in which a scratch file may be created.
    pub scratch_folders: &'a [&'a Path],
    /// Arguments of the shell's `ulimit`.
    pub limit: Option<&'a str>,
}

impl<'a> Conditions<'a> {
    /// Creates conditions without user settings and limits.
    pub fn new(parent: &'a Path, scratch_folders: &'a [&'a Path]) -> Self {
        Self { parent, scratch: None, temporary: None, scratch_folders, limit: None }
    }
}

/// The locations of everything that a run leaves.
struct RunFolders<'a> {
    /// The folder for the output of the program and for recovered archives.
    folder: &'a Path,
    /// The experiment directory.
    out: &'a Path,
    /// The folders in which scratch files may be.
    scratch_folders: &'a [&'a Path],
    /// Whether there is no scratch file, because of the user's setting or a limit: events outside
    /// the archive are then in no file.
    is_volatile: bool,
}

/// The variable that sets the folder of the scratch file.
const SCRATCH: &str = "SCOREP_SUBSTRATE_KYMO_SCRATCH";

/// Wraps a command so that it runs with a limit of the shell.
fn with_limit(command: &Command, limit: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("ulimit {limit} && exec \"$0\" \"$@\""));
    with(shell, command)
}

/// The time limit of a run: more than ranks wait for each other.
const RUN_TIMEOUT: Duration = Duration::from_secs(300);

impl Program<'_> {
    /// Runs the program with a fault; returns an error if a check fails.
    pub fn run(&self, fault: Option<Fault>) -> Result<Outcome, String> {
        let (folder, scratch) = (TemporaryFolder::new("fault"), TemporaryFolder::in_memory("fault"));
        let out = folder.join("out");
        let mut command = (self.command)(&folder, &out);
        command.env(SCRATCH, &*scratch).env("LD_PRELOAD", compile_failures());
        let mut command = match fault {
            Some(fault) => fault.apply(command),
            None => command,
        };
        command.env("KYMO_FAIL_LOG", folder.join("met"));
        let scratch_folders = [&*scratch];
        self.end(
            command,
            &RunFolders { folder: &folder, out: &out, scratch_folders: &scratch_folders, is_volatile: false },
        )
        .map_err(|problem| format!("{fault:?}: {problem}"))?;
        Ok(if folder.join("met").exists() { Outcome::Good } else { Outcome::NotReached })
    }

    /// Runs the program with little room or limits; returns the lines on standard error, or an
    /// error if a check fails.
    pub fn run_at(&self, conditions: &Conditions<'_>) -> Result<String, String> {
        let folder = TemporaryFolder::new("scarce");
        let out = conditions.parent.join("out");
        let mut command = (self.command)(&folder, &out);
        if let Some(limit) = conditions.limit {
            command = with_limit(&command, limit);
        }
        command.env_remove(SCRATCH).envs(conditions.scratch.map(|scratch| (SCRATCH, scratch)));
        if let Some(temporary) = conditions.temporary {
            command.env("TMPDIR", temporary);
        }
        // No scratch file is created if the size of files is limited.
        let is_limited = conditions.limit.is_some_and(|limit| limit.starts_with("-f"));
        let is_volatile = is_limited || conditions.scratch == Some(Path::new("none"));
        if is_volatile {
            // The data that such a process writes once per interval could be recovered, in a slow
            // run.
            command.env("SCOREP_SUBSTRATE_KYMO_DRAIN", "3600");
        }
        let remains = RunFolders {
            folder: &folder,
            out: &out,
            scratch_folders: conditions.scratch_folders,
            is_volatile,
        };
        self.end(command, &remains).map_err(|problem| format!("{conditions:?}: {problem}"))
    }

    /// Starts the command and checks the outcome; returns the lines on standard error.
    fn end(&self, mut command: Command, remains: &RunFolders<'_>) -> Result<String, String> {
        let file = |name| File::create(remains.folder.join(name)).map_err(|error| error.to_string());
        command.stdin(Stdio::null()).stdout(file("stdout")?).stderr(file("stderr")?);
        let status = wait(command.spawn().map_err(|error| format!("{command:?}: {error}"))?)?;
        let text = |name| fs::read_to_string(remains.folder.join(name)).unwrap_or_default();
        let stderr = text("stderr");
        let problem = |what: String| format!("{what}\n{stderr}");
        if status != Some(self.status) {
            return Err(problem(format!("exit status {status:?}")));
        }
        if text("stdout") != self.stdout {
            return Err(problem(format!("it printed {:?}", text("stdout"))));
        }
        if let Some(line) = stderr.lines().find(|line| !line.starts_with("kymo")) {
            return Err(problem(format!("a line that is not the plugin's: {line}")));
        }
        self.account(remains, &stderr).map_err(problem)?;
        Ok(stderr)
    }

    /// Checks that every event is accounted for.
    fn account(&self, remains: &RunFolders<'_>, stderr: &str) -> Result<(), String> {
        let RunFolders { folder, out, scratch_folders, is_volatile } = *remains;
        let is_reported =
            stderr.lines().any(|line| !line.contains(" recorded ") && !line.contains("to print it"));
        let left = left_over(scratch_folders, out);
        let anchor = out.join("kymo/traces.otf2");
        if let Some(parts) = parts(stderr) {
            return self.judge_parts(folder, &anchor, &parts);
        }
        if anchor.exists() {
            if !left.is_empty() && !is_reported {
                return Err(format!("left over without a report: {left:?}"));
            }
            return self.judge(&anchor, stderr, is_reported);
        }
        if !is_reported || self.needs_archive {
            return Err("there is no archive: no line reports why, or one was required".to_owned());
        }
        if left.is_empty() || is_volatile {
            // Nothing was promised.
            return match stderr.contains("`kymo recover`") {
                true => Err("recovery is suggested, but nothing is left".to_owned()),
                false => Ok(()),
            };
        }
        let to = folder.join("recovered");
        // A process that reports that it does not record is missing, and recovery reports it as
        // well.
        recover(out, &to, scratch_folders, WITHOUT.iter().any(|what| stderr.contains(what)))?;
        self.judge(&to.join("traces.otf2"), stderr, is_reported)
    }

    /// Checks that the archive, if any, and the archives recovered from the reported parts have no
    /// more events than the program.
    fn judge_parts(&self, folder: &Path, anchor: &Path, parts: &[&str]) -> Result<(), String> {
        let mut found = 0;
        if anchor.exists() {
            check(anchor, self.findings)?;
            found += events(anchor).map_err(|error| error.to_string())?.0;
        }
        for (number, part) in parts.iter().enumerate() {
            let to = folder.join(format!("recovered-{number}"));
            recover(Path::new(part), &to, &[folder], false)?;
            found += events(&to.join("traces.otf2")).map_err(|error| error.to_string())?.0;
        }
        if found <= self.events { Ok(()) } else { Err(format!("{found} events of {}", self.events)) }
    }

    /// Checks that an archive has the required events, given the lines on standard error.
    fn judge(&self, anchor: &Path, stderr: &str, is_reported: bool) -> Result<(), String> {
        // References to lost definitions are unsound.
        let lacks_definitions =
            ["definitions", "no memory for location", "runs without it", "of this process"];
        let reports = |what: &&str| stderr.contains(*what);
        if !lacks_definitions.iter().any(reports) && !has_file_without_room(anchor, stderr) {
            check(anchor, self.findings)?;
        }
        let (found, lost) = events(anchor).map_err(|error| format!("{}: {error}", anchor.display()))?;
        // The events of a process without a plugin are not counted.
        let lacks_ranks =
            ["runs without it", "will be recorded", "is recorded", "is not recorded", "switched off"];
        let is_expected = match lacks_ranks.iter().any(|what| stderr.contains(what)) && !self.needs_archive {
            true => found + lost <= self.events,
            false => found + lost == self.events,
        };
        if !is_expected {
            return Err(format!("{found} events are there and {lost} counted of {}", self.events));
        }
        if lost > 0 && !is_reported { Err("lost without a report".to_owned()) } else { Ok(()) }
    }
}

/// Returns the parts that `kymo record` suggests to recover.
fn parts(stderr: &str) -> Option<Vec<&str>> {
    let parts: Vec<_> =
        stderr.lines().filter_map(|line| line.strip_prefix("kymo:   kymo recover ")).collect();
    (!parts.is_empty()).then_some(parts)
}

/// Reports of a process that is not recorded.
const WITHOUT: [&str; 2] = ["of this process will be recorded", "the program runs without it"];

/// The exit status of `kymo recover` if a process is missing.
const PARTIAL: i32 = 3;

/// Recovers an archive from the remaining files.
fn recover(what: &Path, to: &Path, scratch_folders: &[&Path], may_lack: bool) -> Result<(), String> {
    let mut recover = Command::new(build_program("kymo"));
    recover.arg("recover").arg(what).arg("-o").arg(to);
    scratch_folders.iter().for_each(|folder| _ = recover.arg("--scratch").arg(folder));
    let output = recover.output().map_err(|error| error.to_string())?;
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    let lacks_rank = output.status.code() == Some(PARTIAL) && stdout.contains("missing ranks: ");
    if output.status.success() || (may_lack && lacks_rank) {
        return Ok(());
    }
    Err(format!("kymo recover, {}: {stdout}{stderr}", output.status))
}

fn wait(mut child: Child) -> Result<Option<i32>, String> {
    let began = Instant::now();
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => return Ok(status.code()),
            None if began.elapsed() > RUN_TIMEOUT => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("it did not end".to_owned());
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// Returns scratch files and the files next to the archive.
fn left_over(scratch_folders: &[&Path], out: &Path) -> Vec<PathBuf> {
    let names = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    let mut left = names(&out.join("kymo/recovery"));
    scratch_folders.iter().for_each(|folder| left.extend(names(folder)));
    left
}

/// Checks that `kymo check` finds no error in an archive, except these findings.
fn check(anchor: &Path, findings: &[&str]) -> Result<(), String> {
    let mut check = Command::new(build_program("kymo"));
    check.arg("check").args(findings.iter().flat_map(|kind| ["--ignore", kind])).arg(anchor);
    let output = check.output().map_err(|error| error.to_string())?;
    let text =
        || String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("kymo check: {}", text())) }
}

fn event_file(anchor: &Path, location: &str) -> PathBuf {
    anchor.with_extension("").join(location).with_extension("evt")
}

fn is_empty(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|file| file.len() == 0)
}

/// A full disk may have room for the name of the event file of location 0, which is written last,
/// but not for its content.
fn has_file_without_room(anchor: &Path, stderr: &str) -> bool {
    stderr.contains("the disk is full") && is_empty(&event_file(anchor, "0"))
}

/// Returns the number of events of an archive, without the markers of gaps, and the number that it
/// counts as lost.
fn events(anchor: &Path) -> kymo_otf2::Result<(u64, u64)> {
    let archive = Archive::open_with(anchor, Options::default())?;
    let properties = archive.anchor().properties.iter();
    let lost = properties.filter(|it| it.name.to_string() == "KYMO::EVENTS_LOST");
    let lost = lost.map(|it| it.value.to_string().parse().unwrap_or(0)).sum();
    let mut found = 0;
    for location in archive.locations()? {
        if lost > 0 && is_empty(&event_file(anchor, &location.to_string())) {
            continue;
        }
        let mut events = archive.events(location)?;
        while let Some(event) = events.next()? {
            found += u64::from(lost == 0 || !matches!(event.record, Event::MeasurementOnOff(_)));
        }
    }
    Ok((found, lost))
}

/// Returns the distance between the calls that fail.
pub fn stride(usual: u64) -> u64 {
    env::var("KYMO_FAULTS_STRIDE").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Returns whether `KYMO_FAULTS_KINDS`, a list separated by commas, selects a kind of call. Without
/// it, all are selected.
fn is_requested(kind: &str) -> bool {
    env::var("KYMO_FAULTS_KINDS").map_or(true, |kinds| kinds.split(',').any(|it| it == kind))
}

/// A kind of call, the error with which it fails, and whether it bypasses the C library.
pub type CallKind = (&'static str, i32, bool);

/// Makes the calls of a kind fail, `stride` apart: each once, or all from it on.
pub fn sweep(program: &Program<'_>, (kind, error, is_raw): CallKind, is_once: bool, stride: u64) {
    if !is_requested(kind) {
        return;
    }
    // Compile before the programs run.
    compile_failures();
    compile_raw();
    let (next, is_over, problems) = (AtomicU64::new(1), AtomicBool::new(false), Mutex::new(Vec::new()));
    let work = || {
        while !is_over.load(Relaxed) {
            let first = next.fetch_add(stride, Relaxed);
            let last = if is_once { first } else { u64::MAX >> 1 };
            match program.run(Some(Fault { kind, first, last, error, is_raw, rank: None })) {
                Ok(Outcome::NotReached) => is_over.store(true, Relaxed),
                Ok(Outcome::Good) => {}
                Err(problem) => problems.lock().expect("no panic").push(problem),
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let problems = problems.into_inner().expect("no panic");
    let runs = next.into_inner() / stride;
    let how = if is_once { "once" } else { "from then on" };
    println!("{kind}{}, error {error}, {how}: {runs} runs", if is_raw { " (raw)" } else { "" });
    assert!(
        problems.is_empty(),
        "{} of {runs} runs: {:#?}",
        problems.len(),
        &problems[..problems.len().min(5)]
    );
}
