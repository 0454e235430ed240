//! Runs in which calls of the plugin fail (`c/fail.c`), and what must hold of each: the program ends as it does without faults and in
//! its time, every line of the plugin says so, and every event is in the archive, or in what `kymo recover` makes, or counted.

use super::{TemporaryFolder, build_program, compile_failures, compile_raw};
use kymo_otf2::read::{Archive, Options};
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Which calls fail, and how.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// The kind of call, as `c/fail.c` names it.
    pub kind: &'static str,
    /// The first call that fails, from 1.
    pub first: u64,
    /// The last one.
    pub last: u64,
    /// The error; 0 is a short count.
    pub error: i32,
    /// Of calls that go to the system without the C library (`c/raw.c`).
    pub is_raw: bool,
    /// The rank it is about, if not all.
    pub rank: Option<u32>,
}

impl Fault {
    /// Has the command meet it.
    fn apply(&self, command: Command) -> Command {
        let Self { kind, first, last, error, is_raw, rank } = *self;
        let settings = format!("{kind} {first} {last} {error}");
        let mut command = match is_raw {
            true => below_raw(&command),
            false => command,
        };
        command.env(if is_raw { "KYMO_RAW" } else { "KYMO_FAIL" }, settings);
        if let Some(rank) = rank {
            command.env("KYMO_FAIL_RANK", rank.to_string());
        }
        command
    }
}

/// The same command, run by the program of `c/raw.c`.
fn below_raw(command: &Command) -> Command {
    let mut raw = Command::new(compile_raw());
    raw.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => raw.env(name, value),
            None => raw.env_remove(name),
        };
    }
    raw
}

/// What a run with a fault came to.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Outcome {
    /// The program made fewer calls of the kind.
    NotMet,
    /// All is as it has to be.
    Good,
}

/// A program that is measured.
pub struct Program<'a> {
    /// Makes the command; its arguments are the folder of the run and its experiment directory.
    pub command: &'a (dyn Fn(&Path, &Path) -> Command + Sync),
    /// What the program ends with.
    pub status: i32,
    /// What it prints.
    pub stdout: &'a str,
    /// Events that it has.
    pub events: u64,
    /// Whether it must make its archive in spite of any fault.
    pub needs_archive: bool,
    /// What `kymo check` rightly finds in it.
    pub findings: &'a [&'a str],
}

impl core::fmt::Debug for Program<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Program").field("status", &self.status).field("events", &self.events).finish()
    }
}

/// Nothing takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

impl Program<'_> {
    /// Runs it with a fault; an error says what is not as it has to be.
    pub fn run(&self, fault: Option<Fault>) -> Result<Outcome, String> {
        let (folder, scratch) = (TemporaryFolder::new("fault"), TemporaryFolder::in_memory("fault"));
        let out = folder.join("out");
        let mut command = (self.command)(&folder, &out);
        command.env("SCOREP_SUBSTRATE_KYMO_SCRATCH", &*scratch).env("LD_PRELOAD", compile_failures());
        let mut command = match fault {
            Some(fault) => fault.apply(command),
            None => command,
        };
        command.env("KYMO_FAIL_LOG", folder.join("met")).stdin(Stdio::null());
        for (name, stream) in [("stdout", 1), ("stderr", 2)] {
            let file = File::create(folder.join(name)).map_err(|error| error.to_string())?;
            if stream == 1 {
                command.stdout(file)
            } else {
                command.stderr(file)
            };
        }
        let status = wait(command.spawn().map_err(|error| format!("{command:?}: {error}"))?)?;
        let text = |name| fs::read_to_string(folder.join(name)).unwrap_or_default();
        let said = text("stderr");
        let problem = |what: String| format!("{fault:?}: {what}\n{said}");
        if status != Some(self.status) {
            return Err(problem(format!("exit status {status:?}")));
        }
        if text("stdout") != self.stdout {
            return Err(problem(format!("it printed {:?}", text("stdout"))));
        }
        if let Some(line) = said.lines().find(|line| !line.starts_with("kymo")) {
            return Err(problem(format!("a line that is not the plugin's: {line}")));
        }
        self.account(&folder, &scratch, &out, &said).map_err(problem)?;
        Ok(if folder.join("met").exists() { Outcome::Good } else { Outcome::NotMet })
    }

    /// Every event is somewhere.
    fn account(&self, folder: &Path, scratch: &Path, out: &Path, said: &str) -> Result<(), String> {
        let is_told = said.lines().any(|line| !line.contains(" recorded ") && !line.contains("to read it"));
        let left = left_over(scratch, out);
        let anchor = out.join("kymo/traces.otf2");
        if let Some(parts) = parts(said) {
            return self.judge_parts(folder, &anchor, &parts);
        }
        if anchor.exists() {
            if !left.is_empty() && !is_told {
                return Err(format!("left over in silence: {left:?}"));
            }
            return self.judge(&anchor, said, is_told);
        }
        if !is_told || self.needs_archive {
            return Err("there is no archive, and nothing may or does tell why".to_owned());
        }
        if left.is_empty() {
            // Nothing was promised.
            return match said.contains("recover") {
                true => Err("it speaks of recovery, and nothing is left".to_owned()),
                false => Ok(()),
            };
        }
        let to = folder.join("recovered");
        recover(out, &to, scratch)?;
        self.judge(&to.join("traces.otf2"), said, is_told)
    }

    /// The archive, if there is one, and what recovery makes of the parts that it names have no more than there was.
    fn judge_parts(&self, folder: &Path, anchor: &Path, parts: &[&str]) -> Result<(), String> {
        let mut found = 0;
        if anchor.exists() {
            check(anchor, self.findings)?;
            found += events(anchor).map_err(|error| error.to_string())?.0;
        }
        for (number, part) in parts.iter().enumerate() {
            let to = folder.join(format!("recovered-{number}"));
            recover(Path::new(part), &to, folder)?;
            found += events(&to.join("traces.otf2")).map_err(|error| error.to_string())?.0;
        }
        if found <= self.events { Ok(()) } else { Err(format!("{found} events of {}", self.events)) }
    }

    /// An archive has what it has to have, after what was said.
    fn judge(&self, anchor: &Path, said: &str, is_told: bool) -> Result<(), String> {
        // What refers to a definition that is lost is not sound.
        let lacks_definitions =
            ["definitions", "no memory for location", "runs without it", "of this process"];
        if !lacks_definitions.iter().any(|what| said.contains(what)) {
            check(anchor, self.findings)?;
        }
        let (found, lost) = events(anchor).map_err(|error| format!("{}: {error}", anchor.display()))?;
        // Nobody counts the events of a process without a plugin.
        let lacks_ranks = ["runs without it", "will be recorded", "is recorded", "switched off"];
        let is_expected = match lacks_ranks.iter().any(|what| said.contains(what)) && !self.needs_archive {
            true => found + lost <= self.events,
            false => found + lost == self.events,
        };
        if !is_expected {
            return Err(format!("{found} events are there and {lost} counted of {}", self.events));
        }
        if lost > 0 && !is_told { Err("lost in silence".to_owned()) } else { Ok(()) }
    }
}

/// What `kymo record` tells to recover.
fn parts(said: &str) -> Option<Vec<&str>> {
    let parts: Vec<_> = said.lines().filter_map(|line| line.strip_prefix("kymo:   kymo recover ")).collect();
    (!parts.is_empty()).then_some(parts)
}

/// Makes an archive of what is left.
fn recover(what: &Path, to: &Path, scratch: &Path) -> Result<(), String> {
    let mut recover = Command::new(build_program("kymo-tools"));
    recover.arg("recover").arg(what).arg("-o").arg(to).arg("--scratch").arg(scratch);
    let output = recover.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("kymo recover: {}", String::from_utf8_lossy(&output.stderr)))
}

fn wait(mut child: Child) -> Result<Option<i32>, String> {
    let began = Instant::now();
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => return Ok(status.code()),
            None if began.elapsed() > PATIENCE => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("it did not end".to_owned());
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// Scratch files, and files beside the archive.
fn left_over(scratch: &Path, out: &Path) -> Vec<PathBuf> {
    let names = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    [names(scratch), names(&out.join("kymo/recovery"))].concat()
}

/// `kymo check` finds no error in an archive, but for these.
fn check(anchor: &Path, findings: &[&str]) -> Result<(), String> {
    let mut check = Command::new(build_program("kymo-tools"));
    check.arg("check").args(findings.iter().flat_map(|kind| ["--ignore", kind])).arg(anchor);
    let output = check.output().map_err(|error| error.to_string())?;
    let text =
        || String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("kymo check: {}", text())) }
}

/// Events of an archive, and those that it counts as lost.
fn events(anchor: &Path) -> kymo_otf2::Result<(u64, u64)> {
    let archive = Archive::open_with(anchor, Options::default())?;
    let properties = archive.anchor().properties.iter();
    let lost = properties.filter(|it| it.name.to_string() == "KYMO::EVENTS_LOST");
    let lost = lost.map(|it| it.value.to_string().parse().unwrap_or(0)).sum();
    let mut found = 0;
    for location in archive.locations()? {
        let mut events = archive.events(location)?;
        while events.next()?.is_some() {
            found += 1;
        }
    }
    Ok((found, lost))
}

/// How many calls apart those are that fail.
pub fn stride(usual: u64) -> u64 {
    env::var("KYMO_FAULTS_STRIDE").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A kind of call, the error that it fails with, and whether it is one that goes to the system without the C library.
pub type Kind = (&'static str, i32, bool);

/// Has the calls of a kind fail, `stride` apart, each once or from it on for ever.
pub fn sweep(program: &Program<'_>, (kind, error, is_raw): Kind, is_once: bool, stride: u64) {
    // Not while the program runs.
    compile_failures();
    compile_raw();
    let (next, is_over, problems) = (AtomicU64::new(1), AtomicBool::new(false), Mutex::new(Vec::new()));
    let work = || {
        while !is_over.load(Relaxed) {
            let first = next.fetch_add(stride, Relaxed);
            let last = if is_once { first } else { u64::MAX >> 1 };
            match program.run(Some(Fault { kind, first, last, error, is_raw, rank: None })) {
                Ok(Outcome::NotMet) => is_over.store(true, Relaxed),
                Ok(Outcome::Good) => {}
                Err(problem) => problems.lock().expect("no panic").push(problem),
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let problems = problems.into_inner().expect("no panic");
    let runs = next.into_inner() / stride;
    let how = if is_once { "once" } else { "for ever" };
    println!("{kind}{}, error {error}, {how}: {runs} runs", if is_raw { " (raw)" } else { "" });
    assert!(
        problems.is_empty(),
        "{} of {runs} runs: {:#?}",
        problems.len(),
        &problems[..problems.len().min(5)]
    );
}
