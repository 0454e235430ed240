//! Scenarios: a program records, then ends or is killed, and the recovered events are counted.
//!
//! A seed determines a [`Plan`]. [`play`] runs the host of `c-hosts/ends.c` according to it, kills
//! the host if the plan says so, recovers the remaining data, passes the archive to two judges, and
//! compares it with the operations that must have been recorded. A failure can be reproduced with
//! the seed, as far as the instant of a kill can be repeated.

mod archive;
mod draw;
mod judges;
mod operations;
mod oracle;
mod plan;
mod run;
pub mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use self::oracle::Counts;
pub use self::plan::{End, Faults, Instant, OWN_ENDS, PHASES, Plan, Scratch, WELL, phase};
pub use self::run::Programs;

use self::archive::Archive;
use self::oracle::Known;
use self::run::Ended;

/// The result of a successful scenario.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The phase of the host when it ended.
    pub phase: u64,
    /// Whether the host was killed.
    pub is_killed: bool,
    /// The counts of the comparison.
    pub counts: Counts,
    /// The largest number of writes in a drain; 0 if writes were not counted.
    pub most_writes: u64,
    /// The duration of the recovery.
    pub recovery: Duration,
    /// The number of bytes that the host left for recovery.
    pub bytes: u64,
}

/// Plays a scenario in an empty folder.
pub fn play(plan: &Plan, programs: &Programs, folder: &Path) -> Result<Outcome, String> {
    let ended = run::run(plan, programs, folder).map_err(|error| format!("the host: {error}"))?;
    check_status(plan, &ended)?;
    let scene = Scene { plan, programs, folder, ended };
    let outcome = scene.look();
    scene.remove_scratch();
    outcome.map_err(|what| {
        format!(
            "{what}\nphase {}, {}\n{}",
            scene.ended.progress.phase(),
            scene.ended.status,
            scene.ended.stderr
        )
    })
}

/// Returns the exit status of a program without a plugin, as a shell shows it.
pub fn status_without_plugin(plan: &Plan, programs: &Programs, folder: &Path) -> Result<i32, String> {
    let programs = Programs { plugin: PathBuf::new(), ..programs.clone() };
    run::run(plan, &programs, folder).map(|ended| ended.exit_status()).map_err(|error| error.to_string())
}

/// Checks that the plugin does not change how a program ends.
fn check_status(plan: &Plan, ended: &Ended) -> Result<(), String> {
    let status = ended.exit_status();
    let is_expected = match plan.end {
        End::Own(_, expected) => status == expected,
        // It may have ended before.
        End::Kill(_) => status == if ended.is_killed { 128 + 9 } else { WELL.1 } || status == WELL.1,
    };
    let is_ours = |line: &str| {
        line.starts_with("kymo: ") || line.starts_with("terminate called") || line.contains("what():")
    };
    if !is_expected {
        return Err(format!("exit status {status}\n{}", ended.stderr));
    }
    if plan.handler != "none" && ended.progress.handled() == 0 {
        return Err("the handler of the program was not called".to_owned());
    }
    match ended.stderr.lines().find(|line| !is_ours(line)) {
        Some(line) => Err(format!("unexpected line on standard error: {line:?}")),
        None => Ok(()),
    }
}

/// The remains of a host that has ended.
struct Scene<'a> {
    plan: &'a Plan,
    programs: &'a Programs,
    folder: &'a Path,
    ended: Ended,
}

impl Scene<'_> {
    fn look(&self) -> Result<Outcome, String> {
        let phase = self.ended.progress.phase();
        let left = self.left();
        let bytes = left.iter().filter_map(|path| fs::metadata(path).ok()).map(|it| it.len()).sum();
        let anchor = fs::read(self.folder.join("out/kymo/traces.otf2")).unwrap_or_default();
        let is_complete = kymo_otf2::read::anchor(&anchor).is_ok();
        match phase == phase::OVER {
            true if is_complete => self.check_only_archive_left(&left)?,
            true if !self.plan.refuses() => return Err("no archive after a regular end".to_owned()),
            _ => {}
        }
        let before = contents(&left);
        let to = self.folder.join("recovered");
        let arguments = ["--scratch", &self.folder.join("scratch").display().to_string(), "--leave-open"];
        let used = if self.plan.leaves_open { 3 } else { 2 };
        let recovered =
            judges::recover(&self.programs.kymo, &self.folder.join("out"), &to, &arguments[..used])
                .map_err(|error| format!("kymo recover: {error}"))?;
        let returned: Vec<u64> =
            (0..self.plan.threads).map(|thread| self.ended.progress.returned(thread)).collect();
        let outcome = |counts, recovery| {
            let (is_killed, most_writes) = (self.ended.is_killed, self.ended.most_writes);
            Outcome { phase, is_killed, counts, most_writes, recovery, bytes }
        };
        let status = recovered.output.status.code();
        let was_in_memory = self.plan.scratch == Scratch::Nowhere;
        let must_be_there = if was_in_memory { &self.ended.drained } else { &returned };
        let is_nothing = must_be_there.iter().all(|&operations| operations == 0);
        if status == Some(4) && is_nothing {
            return Ok(outcome(Counts::default(), recovered.took));
        }
        let expected = if self.plan.scratch == Scratch::Nowhere { &[0, 3][..] } else { &[0][..] };
        if !status.is_some_and(|status| expected.contains(&status)) {
            return Err(format!("kymo recover: {}", recovered.text()));
        }
        let kept = if was_in_memory && !is_complete { self.ended.drained.clone() } else { returned.clone() };
        let known =
            Known { plan: self.plan, kept, returned, phase, dropped: recovered.dropped(), is_complete };
        let anchor = to.join("traces.otf2");
        let archive = Archive::read(&anchor).map_err(|error| error.to_string())?;
        // The reference reader considers an archive without locations broken.
        if !archive.ids.is_empty() || archive.nameless > 0 {
            judges::judge(&self.programs.kymo, &anchor)?;
        }
        let counts = known.compare(&archive).map_err(|what| format!("{what}\n{}", recovered.text()))?;
        if contents(&left) != before {
            return Err("recovery has changed its input".to_owned());
        }
        self.clean(&left)?;
        Ok(outcome(counts, recovered.took))
    }

    /// Returns every file that the host has left.
    fn left(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut open = vec![self.folder.join("out"), self.folder.join("scratch")];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() { open.push(path) } else { files.push(path) }
            }
        }
        files.extend(self.scratch());
        files.sort();
        files
    }

    /// Returns the scratch file of the host, if it exists. Older files belong to another process
    /// with the same id.
    fn scratch(&self) -> Option<PathBuf> {
        let name = format!("-{}-", self.ended.process);
        let is_new = |path: &PathBuf| {
            let modified = fs::metadata(path).and_then(|file| file.modified());
            modified.is_ok_and(|modified| modified >= self.ended.since)
        };
        let is_its = |path: &PathBuf| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            file.starts_with("kymo-") && file.ends_with(".scratch") && file.contains(&name) && is_new(path)
        };
        let entries = fs::read_dir("/dev/shm").into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).find(is_its)
    }

    /// Checks that a regular end leaves the archive and nothing else.
    fn check_only_archive_left(&self, left: &[PathBuf]) -> Result<(), String> {
        let out = self.folder.join("out");
        let is_of_archive = |path: &&PathBuf| {
            path.extension().is_some_and(|it| ["otf2", "def", "evt", "md"].iter().any(|known| it == *known))
                && path.starts_with(&out)
        };
        match left.iter().find(|path| !is_of_archive(path)) {
            Some(path) => Err(format!("{} is left", path.display())),
            None => Ok(()),
        }
    }

    /// Checks that recovery with `--clean` removes the files that it has read.
    fn clean(&self, left: &[PathBuf]) -> Result<(), String> {
        let extra: Vec<&PathBuf> = left
            .iter()
            .filter(|path| {
                path.extension().is_some_and(|it| it == "scratch")
                    || path.parent().is_some_and(|it| it.ends_with("recovery"))
            })
            .collect();
        if extra.is_empty() || !self.plan.seed.is_multiple_of(4) || self.plan.scratch == Scratch::Nowhere {
            return Ok(());
        }
        let (from, to) = (self.folder.join("out"), self.folder.join("again"));
        let scratch = self.folder.join("scratch");
        let arguments = ["--clean", "--scratch", &scratch.display().to_string()];
        let again = judges::recover(&self.programs.kymo, &from, &to, &arguments);
        let again = again.map_err(|error| format!("kymo recover --clean: {error}"))?;
        match extra.iter().find(|path| path.exists()) {
            Some(path) => Err(format!("{} is left\nkymo recover --clean: {}", path.display(), again.text())),
            None => Ok(()),
        }
    }

    fn remove_scratch(&self) {
        if let Some(path) = self.scratch() {
            let _ = fs::remove_file(path);
        }
    }
}

/// Returns files with their contents.
fn contents(paths: &[PathBuf]) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    paths.iter().map(|path| (path.clone(), fs::read(path).ok())).collect()
}
