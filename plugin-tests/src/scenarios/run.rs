//! Runs the host of a scenario, and kills it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

use super::plan::{End, Faults, Plan, Scratch};

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

    /// Returns the number of files that were renamed: one at the end of each drain, after which a
    /// reader finds the events of the drain, and another one in the first drain.
    fn renames(&self) -> u64 {
        self.number(24)
    }

    /// Returns the largest number of writes from one rename to the next.
    fn most_writes(&self) -> u64 {
        self.number(32)
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
    /// The largest number of writes in a drain, if that was counted.
    pub(super) most_writes: u64,
    pub(super) is_killed: bool,
}

impl Ended {
    /// Returns the exit status as a shell shows it.
    pub(super) fn exit_status(&self) -> i32 {
        self.status.code().unwrap_or_else(|| 128 + self.status.signal().unwrap_or(0))
    }
}

/// The time limit of a host.
const HOST_TIMEOUT: Duration = Duration::from_secs(120);

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
    let status = child.wait()?;
    let (drained, most_writes) = (watcher.drained(), progress.most_writes());
    Ok(Ended {
        process: child.id(),
        since,
        status,
        stderr: fs::read_to_string(stderr)?,
        progress,
        drained,
        most_writes,
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
    // Without faults as well, the renames are counted.
    let none = Faults { delay: 0, first: 0, count: 0, error: 0 };
    if let Some(faults) = plan.faults.or_else(|| (plan.scratch == Scratch::Nowhere).then_some(none)) {
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
    /// Numbers of renames, with the number of operations that had returned before.
    samples: Vec<(u64, Vec<u64>)>,
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
            if self.began.elapsed() > HOST_TIMEOUT {
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
        if self.plan.scratch != Scratch::Nowhere {
            return;
        }
        // In this order: there may be more renames than when the operations had returned.
        let returned = (0..self.plan.threads).map(|thread| self.progress.returned(thread)).collect();
        let renames = self.progress.renames();
        match self.samples.last_mut().filter(|(last, _)| *last == renames) {
            Some((_, last)) => *last = returned,
            None => self.samples.push((renames, returned)),
        }
    }

    /// Returns for each thread the number of operations that had returned before the last whole
    /// drain began, however long drains take: those that return during a drain are in the next one.
    /// The last rename may not have happened.
    fn drained(&self) -> Vec<u64> {
        let renames = self.progress.renames();
        let old = self.samples.iter().rev().find(|(before, _)| before + 4 <= renames);
        old.map_or_else(|| vec![0; self.plan.threads as usize], |(_, returned)| returned.clone())
    }
}
