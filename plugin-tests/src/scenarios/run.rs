//! Runs the host of a scenario, and kills it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

use super::plan::{End, Plan, Scratch};

/// The programs that scenarios run.
#[derive(Debug, Clone)]
pub struct Programs {
    /// The plugin.
    pub plugin: PathBuf,
    /// The host, `c-hosts/ends.c` with `throws.cpp`.
    pub host: PathBuf,
    /// The command `kymo`.
    pub kymo: PathBuf,
}

/// The file in which a host stores its progress.
#[derive(Debug)]
pub(super) struct Progress(File);

impl Progress {
    fn make(path: &Path) -> io::Result<Self> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
        file.set_len(64 * 17)?;
        Ok(Self(file))
    }

    fn number(&self, at: u64) -> u64 {
        let mut bytes = [0; 8];
        self.0.read_exact_at(&mut bytes, at).map_or(0, |()| u64::from_ne_bytes(bytes))
    }

    pub(super) fn phase(&self) -> u64 {
        self.number(0)
    }

    /// Returns the signal that the program itself handled; 0 if none.
    pub(super) fn handled(&self) -> u64 {
        self.number(8)
    }

    /// Returns the number of operations of a thread that have returned.
    pub(super) fn returned(&self, thread: u64) -> u64 {
        self.number(64 * (thread + 1))
    }
}

/// A host that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) process: u32,
    /// A time before the host began.
    pub(super) since: SystemTime,
    pub(super) status: ExitStatus,
    pub(super) stderr: String,
    pub(super) progress: Progress,
    /// The number of operations, by thread, that must have been drained when the host ended.
    pub(super) drained: Vec<u64>,
    pub(super) is_killed: bool,
}

impl Ended {
    /// Returns the exit status as a shell shows it.
    pub(super) fn exit_status(&self) -> i32 {
        self.status.code().unwrap_or_else(|| 128 + self.status.signal().unwrap_or(0))
    }
}

/// The time limit of a host.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs a host in a folder: its output is written to `out`, its scratch file possibly to `scratch`.
pub(super) fn run(plan: &Plan, programs: &Programs, folder: &Path) -> io::Result<Ended> {
    // The timestamps of files come from a clock that lags by milliseconds.
    let since = SystemTime::now() - Duration::from_secs(1);
    let progress = Progress::make(&folder.join("progress"))?;
    let stderr = folder.join("stderr");
    let mut command = command(plan, programs, folder)?;
    let mut child = command.stderr(File::create(&stderr)?).stdin(Stdio::null()).spawn()?;
    let mut watcher = Watcher { plan, progress: &progress, samples: Vec::new(), began: Instant::now() };
    let is_killed = watcher.watch(&mut child)?;
    let drained = watcher.drained();
    let status = child.wait()?;
    Ok(Ended {
        process: child.id(),
        since,
        status,
        stderr: fs::read_to_string(stderr)?,
        progress,
        drained,
        is_killed,
    })
}

fn command(plan: &Plan, programs: &Programs, folder: &Path) -> io::Result<Command> {
    let mut command = Command::new(&programs.host);
    command.arg(&programs.plugin).arg(folder.join("out"));
    let mut setting = |name: &str, value: &dyn std::fmt::Display| {
        command.arg(format!("{name}={value}"));
    };
    let numbers = [
        ("threads", plan.threads),
        ("seed", plan.seed),
        ("events", plan.events),
        ("before", plan.before),
        ("rewinds", plan.rewinds),
        ("pace", plan.pace),
        ("late", plan.late.into()),
        ("who", plan.who),
    ];
    numbers.iter().for_each(|(name, number)| setting(name, number));
    setting("progress", &folder.join("progress").display());
    if let End::Own(name, _) = plan.end {
        setting("end", &name);
        setting("handler", &plan.handler);
    }
    let variables = [
        ("TOTAL_MEMORY", plan.memory.unwrap_or("").to_owned()),
        ("WHEN_FULL", if plan.drops { "drop" } else { "wait" }.to_owned()),
        ("SCRATCH", scratch(plan, folder)?),
        ("DRAIN", format!("{}", plan.drain as f64 / 1000.0)),
    ];
    command.envs(variables.map(|(name, value)| (format!("SCOREP_SUBSTRATE_KYMO_{name}"), value)));
    if let Some(faults) = plan.faults {
        let numbers = format!("{} {} {} {}", faults.delay, faults.first, faults.count, faults.error);
        command.env("KYMO_FAULTS", numbers);
    }
    Ok(command)
}

fn scratch(plan: &Plan, folder: &Path) -> io::Result<String> {
    Ok(match plan.scratch {
        Scratch::Automatic => String::new(),
        Scratch::Nowhere => "none".to_owned(),
        Scratch::Folder => {
            let scratch = folder.join("scratch");
            fs::create_dir(&scratch)?;
            scratch.display().to_string()
        }
    })
}

/// Watches a host until it ends, or kills it.
struct Watcher<'a> {
    plan: &'a Plan,
    progress: &'a Progress,
    /// Times, with the number of operations that had returned by then.
    samples: Vec<(Instant, Vec<u64>)>,
    began: Instant,
}

impl Watcher<'_> {
    /// Returns whether the host was killed.
    fn watch(&mut self, child: &mut Child) -> io::Result<bool> {
        loop {
            if child.try_wait()?.is_some() {
                return Ok(false);
            }
            if self.is_time() {
                child.kill()?;
                return Ok(true);
            }
            if self.began.elapsed() > PATIENCE {
                child.kill()?;
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.sample();
        }
    }

    /// Returns whether the instant of the kill has come; spins when it is near.
    fn is_time(&self) -> bool {
        let End::Kill(instant) = self.plan.end else {
            std::thread::sleep(Duration::from_micros(500));
            return false;
        };
        let phase = self.progress.phase();
        let is_near =
            phase > instant.phase || (phase == instant.phase && self.progress.returned(0) >= instant.done);
        if !is_near {
            std::thread::sleep(Duration::from_micros(20));
            return false;
        }
        let end = Instant::now() + Duration::from_micros(instant.delay);
        while Instant::now() < end {
            std::hint::spin_loop();
        }
        true
    }

    fn sample(&mut self) {
        let is_due = self.samples.last().is_none_or(|(last, _)| last.elapsed() > Duration::from_millis(5));
        if self.plan.scratch == Scratch::Nowhere && is_due {
            let returned = (0..self.plan.threads).map(|thread| self.progress.returned(thread)).collect();
            self.samples.push((Instant::now(), returned));
        }
    }

    /// Returns what had returned one drain interval ago, plus the time that a drain takes on a busy
    /// machine.
    fn drained(&self) -> Vec<u64> {
        let now = Instant::now();
        // A drain writes twice for each location, and a few more times; events during one are in
        // the next.
        let writes = 2 * (2 * self.plan.threads + 8);
        let slow = Duration::from_micros(writes * self.plan.faults.map_or(0, |faults| faults.delay));
        let age = Duration::from_millis(self.plan.drain) + slow + SLACK;
        let old = self.samples.iter().rev().find(|(at, _)| now.duration_since(*at) > age);
        old.map_or_else(|| vec![0; self.plan.threads as usize], |(_, returned)| returned.clone())
    }
}

/// How late a drain may be.
const SLACK: Duration = Duration::from_millis(400);
