//! The ranks of one job, each with its own `kymo record`, in one folder.
//!
//! ```text
//! DIR/ranks/job          the job that the folder belongs to
//! DIR/ranks/clock-…      rate of the time stamp counter, one per boot of a node
//! DIR/ranks/3/           rank 3: created by its `kymo record`, which records into it
//! DIR/ranks/3/record     identifies the process of this `kymo record`
//! DIR/ranks/3/ended      its result, once it has ended
//! DIR/ranks/merging      exists while a rank merges the archives of all
//! DIR/kymo/traces.otf2   the archive of the job
//! ```
//!
//! No rank waits for one that is running: the last one to end merges the archives of all. It waits
//! a short time for ranks that have not started and then merges without them; if one starts later,
//! that one merges all archives again. Invariants: a step that must happen only once is the
//! creation or the renaming of a folder, which on every file system succeeds for one process only,
//! so no lock is needed; a rank writes that it has ended before it looks at the others, so the last
//! one sees all; archives of ranks are removed only once they are in that of the job.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kymo_launch::Launch;
use kymo_recorder::real_path;
use signal_hook::consts::SIGTERM;

use super::error::RecordError;
use super::experiment::{ANCHOR, Experiment, Outcome, look_up_names};
use super::rendezvous::Rendezvous;
use super::report::ExitSummary;
use super::waiting::Changes;
use crate::merge;
use crate::output::complain;
use crate::problem::Problem;
use crate::recover::{self, Machine};
use crate::tree;

const RANKS: &str = "ranks";
/// The prefix of the temporary names of `ranks`.
const TEMPORARY: &str = ".ranks.";
const JOB: &str = "job";
const RECORD: &str = "record";
const ENDED: &str = "ended";
const MERGING: &str = "merging";
/// How long the last rank waits for those that have not started. Launchers start them within
/// moments.
const START_TIMEOUT: Duration = Duration::from_secs(5);
/// How long it waits before it prints a message.
const REPORT_DELAY: Duration = Duration::from_secs(1);
/// More ranks than any job has.
const MOST_RANKS: u32 = 1 << 20;

/// A rank of a job, and the folder that it shares with the others.
#[derive(Debug)]
pub(super) struct Job {
    launch: Launch,
    /// The folder for the archive of the job.
    folder: PathBuf,
    shown: PathBuf,
    /// How ranks that were not given a folder found this one.
    rendezvous: Option<Rendezvous>,
}

/// The state of a rank.
#[derive(Debug)]
enum RankState {
    /// It has not started, as far as is known.
    Absent,
    Running,
    /// Its `kymo record` has ended without writing a result.
    Gone,
    Ended(Ended),
}

impl RankState {
    fn has_ended(&self) -> bool {
        matches!(self, Self::Gone | Self::Ended(_))
    }
}

/// The result of a rank.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Ended {
    numbers: [u64; 7],
    signal: Option<i32>,
    is_early: bool,
}

/// The result of all ranks together.
#[derive(Debug)]
pub(super) struct Joined {
    pub(super) outcome: Outcome,
    pub(super) exit: ExitSummary,
    /// Whether rank 0 is among them, or is this process.
    pub(super) has_first: bool,
}

impl Job {
    /// Finds the job of this process, which a launcher started together with others, in `folder` or
    /// in a folder on which the ranks agree.
    pub(super) fn find(launch: Launch, folder: Option<PathBuf>, program: &str) -> Result<Self, RecordError> {
        let (shown, rendezvous) = match folder {
            Some(folder) => (folder, None),
            None => {
                let is_free = |folder: &Path| is_free(folder, &launch);
                let rendezvous = Rendezvous::join(&identity(&launch), program, is_free)?;
                (rendezvous.folder.clone(), Some(rendezvous))
            }
        };
        fs::create_dir_all(&shown).map_err(|error| super::experiment::unwritable(&shown, &error))?;
        let folder = real_path(&shown).map_err(|error| RecordError::io(&shown, &error))?;
        let job = Self { launch, folder, shown, rendezvous };
        job.claim()?;
        Ok(job)
    }

    /// Claims the folder for this job, unless another rank has, and creates the folder of this
    /// rank.
    fn claim(&self) -> Result<(), RecordError> {
        let ranks = self.folder.join(RANKS);
        let identity = identity(&self.launch);
        while !self.is_ours(&ranks, &identity) {
            let names = tree::names(&self.folder).map_err(|error| RecordError::io(&self.shown, &error))?;
            // Whatever appears between the two looks belongs to another rank.
            if names.iter().any(|name| !is_temporary(name)) && !self.is_ours(&ranks, &identity) {
                return Err(RecordError::failed(format_args!("{}: is not empty", self.shown.display()))
                    .hint("every measurement needs its own folder: choose another one (-o DIR)"));
            }
            make(&ranks, |new| fs::write(new.join(JOB), &identity))
                .map_err(|error| RecordError::io(&ranks, &error))?;
        }
        let own = self.own();
        fs::create_dir(&own).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                let (rank, shown) = (self.launch.rank, self.shown.display());
                RecordError::failed(format_args!("{shown}: another process is recording rank {rank} there"))
                    .hint("every measurement needs its own folder: choose another one (-o DIR)")
            }
            _ => RecordError::io(&own, &error),
        })?;
        write(&own.join(RECORD), &Witness::here().text()).map_err(|error| RecordError::io(&own, &error))
    }

    fn is_ours(&self, ranks: &Path, identity: &str) -> bool {
        fs::read_to_string(ranks.join(JOB)).is_ok_and(|other| other == identity)
    }

    /// Whether this is rank 0.
    pub(super) fn is_first(&self) -> bool {
        self.launch.rank == 0
    }

    /// Returns the folder of this rank.
    pub(super) fn own(&self) -> PathBuf {
        self.of(self.launch.rank)
    }

    fn of(&self, rank: u32) -> PathBuf {
        self.folder.join(RANKS).join(rank.to_string())
    }

    /// Returns the folder for the archive of the job.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the folder as messages show it.
    pub(super) fn shown(&self) -> &Path {
        &self.shown
    }

    /// Returns the folder of this rank as messages show it.
    pub(super) fn own_shown(&self) -> PathBuf {
        self.shown.join(RANKS).join(self.launch.rank.to_string())
    }

    /// Returns the rate of the time stamp counter that the first rank on this node measured.
    pub(super) fn agree(&self, rate: u64) -> u64 {
        let path = self.folder.join(RANKS).join(format!("clock-{}", Machine::here().boot));
        let known = || fs::read_to_string(path.join(JOB)).ok()?.parse().ok();
        known()
            .or_else(|| {
                make(&path, |new| fs::write(new.join(JOB), rate.to_string())).ok().and_then(|_| known())
            })
            .unwrap_or(rate)
    }

    /// Writes that this rank has ended. If no other rank is running, merges the archives of all
    /// that have ended.
    pub(super) fn end(
        &self,
        outcome: &Outcome,
        exit: &ExitSummary,
        recovers: Recovers<'_>,
    ) -> Option<Joined> {
        let ended = self.own().join(ENDED);
        // A reader finds the whole file or none.
        write(&ended, &Ended::of(outcome, exit).text()).ok()?;
        self.wait()?;
        let mut joined = None;
        let merging = self.folder.join(RANKS).join(MERGING);
        // If several ranks end at the same time, only one does this.
        while fs::create_dir(&merging).is_ok() {
            let states = self.states();
            let all = self.join(&states, recovers);
            let is_whole = all.outcome.absent.is_empty();
            joined = Some(all);
            if is_whole {
                break;
            }
            let _ = fs::remove_dir(&merging);
            // A rank that has ended in the meantime has left this to the present one.
            let is_same = |(before, now): (&RankState, &RankState)| before.has_ended() == now.has_ended();
            if states.iter().zip(&self.states()).all(is_same) {
                break;
            }
        }
        joined
    }

    /// Waits a while for ranks that have not started. Returns `None` if a rank is running, which
    /// will do the rest.
    fn wait(&self) -> Option<()> {
        let (mut changes, mut is_reported) = (None, false);
        let until = Instant::now() + START_TIMEOUT;
        loop {
            let states = self.states();
            let has = |is: fn(&RankState) -> bool| states.iter().any(is);
            if has(|state| matches!(state, RankState::Running)) {
                return None;
            }
            let left = until.saturating_duration_since(Instant::now());
            let is_over = self.folder.join(RANKS).join(MERGING).exists();
            if !has(|state| matches!(state, RankState::Absent)) || left.is_zero() || is_over {
                return Some(());
            }
            if left < START_TIMEOUT - REPORT_DELAY && !is_reported {
                is_reported = true;
                report_waiting(&states);
            }
            let most = if is_reported { left } else { REPORT_DELAY };
            match &changes {
                // Looks again after this, so that no change is missed.
                None => changes = Some(Changes::of(&self.folder.join(RANKS))),
                Some(changes) if changes.wait(most) => {}
                // A signal arrived: little time is left.
                Some(_) => return Some(()),
            }
        }
    }

    fn states(&self) -> Vec<RankState> {
        let names = tree::names(&self.folder.join(RANKS)).unwrap_or_default();
        let begun: HashSet<u32> = names.iter().filter_map(|name| name.to_str()?.parse().ok()).collect();
        let least = begun.iter().max().map_or(0, |rank| rank.saturating_add(1));
        let size = self.launch.size.unwrap_or(least).max(self.launch.rank.saturating_add(1));
        let size = size.min(MOST_RANKS);
        let machine = Machine::here();
        (0..size)
            .map(|rank| if begun.contains(&rank) { self.state(rank, &machine) } else { RankState::Absent })
            .collect()
    }

    fn state(&self, rank: u32, machine: &Machine) -> RankState {
        let own = self.of(rank);
        if let Some(ended) = fs::read_to_string(own.join(ENDED)).ok().and_then(|text| Ended::read(&text)) {
            return RankState::Ended(ended);
        }
        let witness = fs::read_to_string(own.join(RECORD)).ok().and_then(|text| Witness::read(&text));
        match witness.is_some_and(|witness| witness.is_gone(machine)) {
            true => RankState::Gone,
            false => RankState::Running,
        }
    }

    /// Merges the archives of the ranks into one.
    fn join(&self, states: &[RankState], recovers: Recovers<'_>) -> Joined {
        let mut all = Outcome::default();
        let mut exit = ExitSummary::default();
        let mut ranks = Vec::new();
        for (rank, state) in (0..).zip(states) {
            let ended = match state {
                RankState::Ended(ended) => ended.clone(),
                RankState::Gone => Ended::of(&recovers(&self.experiment(rank)), &ExitSummary::default()),
                RankState::Absent | RankState::Running => {
                    all.absent.push(rank);
                    continue;
                }
            };
            ended.add(&mut all);
            exit.is_early |= ended.is_early;
            // When a rank is killed, launchers end the others with SIGTERM.
            let is_reason = exit.signal.is_none_or(|(_, signal)| signal == SIGTERM);
            if let Some(signal) = ended.signal.filter(|_| is_reason) {
                exit.signal = Some((Some(rank), signal));
            }
            ranks.push(rank);
        }
        all.size = states.len();
        let with: Vec<u32> =
            ranks.iter().copied().filter(|&rank| recover::is_complete(&self.of(rank))).collect();
        // An archive that was made from fewer ranks. Their own archives still exist.
        let _ = tree::remove(&self.folder.join("kymo"));
        let is_made = match &with[..] {
            [] => false,
            [one] if all.absent.is_empty() => {
                fs::rename(self.of(*one).join("kymo"), self.folder.join("kymo")).is_ok()
            }
            several => {
                let merged = self.merge(several, all.cut_off.processes > 0);
                merged.map_err(|problem| all.lack(&problem)).is_ok()
            }
        };
        if is_made {
            look_up_names(&self.folder);
        }
        all.archive = is_made.then(|| self.shown.join(ANCHOR));
        all.is_partial |= !is_made && !with.is_empty();
        // The other ranks may still start.
        if all.absent.is_empty() && (is_made || with.is_empty()) {
            self.tidy(&ranks);
        }
        let has_first = self.launch.rank == 0 || ranks.contains(&0);
        Joined { outcome: all, exit, has_first }
    }

    fn experiment(&self, rank: u32) -> Experiment {
        Experiment::of_rank(self.of(rank), self.shown.join(RANKS).join(rank.to_string()))
    }

    fn merge(&self, ranks: &[u32], is_recovered: bool) -> Result<(), Problem> {
        let archives: Vec<PathBuf> = ranks.iter().map(|&rank| self.of(rank).join(ANCHOR)).collect();
        let names = ranks.iter().map(|rank| PathBuf::from(format!("rank {rank}"))).collect();
        let properties = is_recovered.then(|| ("KYMO::RECOVERED".to_owned(), true.to_string()));
        let merge = merge::Arguments::of(archives, self.folder.join(ANCHOR));
        merge.named(names, properties.into_iter().collect()).merge()
    }

    /// Removes the files whose data is in the archive of the job. Ranks with data that is not in it
    /// keep that data.
    fn tidy(&self, ranks: &[u32]) {
        if let Some(rendezvous) = &self.rendezvous {
            rendezvous.end();
        }
        let is_part = |name: &std::ffi::OsString| super::experiment::numbers(name).is_some();
        let has_left = |own: &PathBuf| tree::names(own).unwrap_or_default().iter().any(is_part);
        let (left, done): (Vec<PathBuf>, _) = ranks.iter().map(|&rank| self.of(rank)).partition(has_left);
        // The archive exists; files that cannot be removed do no harm.
        let remove = |path: &Path| drop(tree::remove(path));
        if left.is_empty() {
            let all = self.folder.join(RANKS);
            // In one step, so that no rank finds that it can still record here.
            let gone = self.folder.join(format!("{TEMPORARY}{}", std::process::id()));
            remove(if fs::rename(&all, &gone).is_ok() { &gone } else { &all });
        } else {
            left.iter().for_each(|own| remove(&own.join("kymo")));
            done.iter().for_each(|own: &PathBuf| remove(own));
        }
    }

    /// Removes the folder if it is empty, because nothing was recorded.
    pub(super) fn discard(&self) {
        let _ = fs::remove_dir(&self.folder);
    }
}

fn report_waiting(states: &[RankState]) {
    let seconds = START_TIMEOUT.as_secs();
    match states.iter().filter(|state| matches!(state, RankState::Absent)).count() {
        1 => complain(&format!("one rank has not started; waiting up to {seconds} seconds for it")),
        count => {
            complain(&format!("{count} ranks have not started; waiting up to {seconds} seconds for them"))
        }
    }
}

/// Collects the data of a rank whose `kymo record` ended before doing so.
pub(super) type Recovers<'a> = &'a dyn Fn(&Experiment) -> Outcome;

/// Whether a folder has such a temporary name.
fn is_temporary(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(TEMPORARY))
}

/// Whether a rank can record into a folder that a rank of its job chose.
fn is_free(folder: &Path, launch: &Launch) -> bool {
    // The order matters: a rank that claims the folder in between makes it that of this job.
    let is_empty = tree::names(folder).map_or(true, |names| names.iter().all(|name| is_temporary(name)));
    let ranks = folder.join(RANKS);
    let is_ours = fs::read_to_string(ranks.join(JOB)).is_ok_and(|it| it == identity(launch));
    is_empty || is_ours && !ranks.join(launch.rank.to_string()).exists()
}

/// Returns a text that identifies the job.
fn identity(launch: &Launch) -> String {
    // Open MPI derives the number of a job from process and node, which recur; this value is
    // random.
    let drawn = std::env::var("OMPI_MCA_orte_precondition_transports").unwrap_or_default();
    format!("{} {drawn}\n", launch.job)
}

/// Creates a folder and the files that `fill` puts into it in one step, unless there is one that is
/// not empty. Returns whether this call created it.
pub(super) fn make(folder: &Path, fill: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<bool> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let host = Machine::here().node;
    let new = folder.with_file_name(format!(".{name}.{host}-{}", std::process::id()).replace("..", "."));
    let made = fs::create_dir(&new).and_then(|()| fill(&new)).and_then(|()| {
        fs::rename(&new, folder).map(|()| true).or_else(|error| match error.kind() {
            ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists => Ok(false),
            _ => Err(error),
        })
    });
    if !matches!(made, Ok(true)) {
        let _ = tree::remove(&new);
    }
    made
}

/// Writes a file that appears as a whole or not at all.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension("new");
    fs::write(&new, text).and_then(|()| fs::rename(&new, path))
}

/// Identifies the process that records a rank.
#[derive(Debug, PartialEq, Eq)]
struct Witness {
    node: String,
    boot: String,
    /// The namespace in which the process ID is valid.
    namespace: u64,
    process: u32,
    started: u64,
}

impl Witness {
    fn here() -> Self {
        let machine = Machine::here();
        let process = std::process::id();
        Self {
            namespace: namespace(),
            process,
            started: machine.started(process),
            node: machine.node,
            boot: machine.boot,
        }
    }

    fn text(&self) -> String {
        format!("{}\n{}\n{}\n{}\n{}\n", self.node, self.boot, self.namespace, self.process, self.started)
    }

    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let (node, boot) = (lines.next()?.to_owned(), lines.next()?.to_owned());
        let mut number = || lines.next()?.parse::<u64>().ok();
        let (namespace, process, started) = (number()?, number()?.try_into().ok()?, number()?);
        Some(Self { node, boot, namespace, process, started })
    }

    /// Whether the process is known to have ended, which it never is on another node.
    fn is_gone(&self, machine: &Machine) -> bool {
        let is_here =
            !self.boot.is_empty() && machine.is(&self.node, &self.boot) && self.namespace == namespace();
        is_here && !machine.runs(self.process, self.started)
    }
}

fn namespace() -> u64 {
    fs::metadata("/proc/self/ns/pid").map_or(0, |metadata| metadata.ino())
}

impl Ended {
    fn of(outcome: &Outcome, exit: &ExitSummary) -> Self {
        let cut = &outcome.cut_off;
        let [empty, parts] = [outcome.empty, outcome.parts].map(|count| count as u64);
        let numbers = [
            cut.processes,
            cut.closed,
            cut.lost,
            empty,
            parts,
            outcome.is_partial.into(),
            outcome.is_full.into(),
        ];
        Self { numbers, signal: exit.signal.map(|(_, signal)| signal), is_early: exit.is_early }
    }

    fn add(&self, all: &mut Outcome) {
        let [processes, closed, lost, empty, parts, partial, full] = self.numbers;
        all.cut_off.processes += processes;
        all.cut_off.closed += closed;
        all.cut_off.lost += lost;
        all.empty += empty as usize;
        all.parts += parts as usize;
        all.is_partial |= partial != 0;
        all.is_full |= full != 0;
    }

    fn text(&self) -> String {
        let numbers = self.numbers.map(|number| number.to_string()).join(" ");
        format!("{numbers}\n{}\n{}\n", self.signal.unwrap_or(0), u8::from(self.is_early))
    }

    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut numbers = lines.next()?.split(' ').map(|number| number.parse().ok());
        let mut own = Self::default();
        own.numbers.iter_mut().try_for_each(|number| {
            *number = numbers.next()??;
            Some(())
        })?;
        own.signal = Some(lines.next()?.parse().ok()?).filter(|&signal| signal != 0);
        own.is_early = lines.next()? == "1";
        Some(own)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::record::experiment::CutOff;

    #[test]
    fn results_of_ranks_are_read_as_written() {
        let cut_off = CutOff { processes: 1, closed: 2, lost: 3 };
        let outcome = Outcome { cut_off, empty: 4, parts: 5, is_partial: true, ..Outcome::default() };
        let ended = Ended::of(&outcome, &ExitSummary { signal: Some((None, 9)), is_early: true });
        assert_eq!(Ended::read(&ended.text()), Some(ended));
        assert_eq!(Ended::read("1 2 3\n0\n0\n"), None);
        let here = Witness::here();
        assert_eq!(Witness::read(&here.text()).as_ref(), Some(&here));
        assert!(!here.is_gone(&Machine::here()));
        assert!(Witness { started: here.started + 1, ..Witness::here() }.is_gone(&Machine::here()));
        assert!(!Witness { boot: "another".into(), started: 1, ..here }.is_gone(&Machine::here()));
    }

    /// A rank that looked in that moment chose another folder, and the job produced two archives.
    #[test]
    fn a_folder_that_is_being_claimed_is_not_taken_for_an_old_one() {
        let place = tempfile::tempdir().unwrap();
        let launch = |rank| Launch { rank, size: Some(2), job: "a job".into() };
        for turn in 0..500 {
            let folder = place.path().join(turn.to_string());
            fs::create_dir(&folder).unwrap();
            let job =
                Job { launch: launch(0), shown: folder.clone(), folder: folder.clone(), rendezvous: None };
            let is_claimed = AtomicBool::new(false);
            std::thread::scope(|scope| {
                let looker = scope.spawn(|| {
                    while !is_claimed.load(Ordering::Relaxed) {
                        assert!(is_free(&folder, &launch(1)), "turn {turn}");
                    }
                });
                job.claim().unwrap();
                is_claimed.store(true, Ordering::Relaxed);
                looker.join().unwrap();
            });
        }
    }

    #[test]
    fn only_one_process_creates_a_folder() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("it");
        let made: Vec<bool> = (0..4)
            .map(|number| make(&folder, |new| fs::write(new.join(JOB), number.to_string())).unwrap())
            .collect();
        assert_eq!(
            (made, fs::read_to_string(folder.join(JOB)).unwrap()),
            (vec![true, false, false, false], "0".into())
        );
        assert_eq!(tree::names(place.path()).unwrap(), ["it"]);
    }
}
