//! What is said in the end, on standard error: where the archive is, what to do next, and what is missing.

use std::path::Path;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::read::Archive;

use super::environment::has_kymo;
use super::experiment::{CutOff, Experiment, Outcome};
use super::hints::{Abilities, HOW, NO_REGIONS, images, unseen_locks};
use super::program::Program;
use super::tree::End;
use super::{Arguments, What};
use crate::output::complain;

/// What was run, and how.
#[derive(Clone, Copy)]
pub(super) struct Measured<'a> {
    pub(super) program: &'a Program,
    pub(super) arguments: &'a Arguments,
}

/// Says what came of a measurement.
pub(super) fn say(experiment: &Experiment, outcome: &Outcome, end: &End, measured: &Measured<'_>) {
    if let Some(archive) = &outcome.archive {
        say_archive(archive, &outcome.cut_off, end, measured);
        let missing = measured.arguments.missing_paradigms(measured.program);
        missing.iter().for_each(|line| complain(line));
    }
    say_empty(outcome.empty, if outcome.cut_off.processes == 0 { signal(end) } else { String::new() });
    let folder = experiment.shown().display();
    if end.is_early {
        complain("not all processes have ended; those that go on are not in the archive");
        complain(&format!("to get them when they have ended: kymo recover {folder}"));
    }
    if outcome.is_partial {
        complain("not all that was recorded is in the archive; to get what is left:");
        complain(&format!("  kymo recover {folder}"));
    }
    if outcome.archive.is_none() && outcome.parts == outcome.empty {
        if outcome.parts == 0 {
            complain("nothing was recorded: the runtime did not begin to measure");
        }
        experiment.discard();
    } else if !has_kymo() {
        complain(&format!("what the plugins wrote is in {folder}"));
    }
}

/// The signal that ended the program, in brackets.
fn signal(end: &End) -> String {
    end.signal().map(|signal| format!(" (signal {signal} ended the program)")).unwrap_or_default()
}

fn say_empty(processes: usize, why: String) {
    match processes {
        0 => {}
        1 => complain(&format!("nothing was recorded of 1 process{why}")),
        count => complain(&format!("nothing was recorded of {count} processes{why}")),
    }
}

/// What was cut off, behind the counts.
fn cut_off(cut: &CutOff, end: &End) -> String {
    let why = signal(end);
    let mut text = match cut.processes {
        0 => return String::new(),
        1 => format!("; 1 process was cut off before its end{why}"),
        count => format!("; {count} processes were cut off before their end{why}"),
    };
    if cut.closed > 0 {
        text += &format!(", {} closed", many(cut.closed, "open region"));
    }
    if cut.lost > 0 {
        text += &format!(", {} lost", many(cut.lost, "event"));
    }
    text
}

fn many(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn say_archive(archive: &Path, cut: &CutOff, end: &End, measured: &Measured<'_>) {
    let path = archive.display();
    let counts = Counts::of(archive);
    let what = counts.as_ref().map(|counts| format!(": {counts}")).unwrap_or_default();
    complain(&format!("recorded {path}{what}{}", cut_off(cut, end)));
    if counts.as_ref().is_some_and(Counts::is_bare) && cut.processes == 0 {
        return say_nothing_to_record(measured);
    }
    let has_threads = counts.as_ref().is_some_and(Counts::has_threads);
    if has_threads && measured.arguments.records(What::Threads) {
        unseen_locks(measured.program).iter().for_each(|line| complain(line));
    }
    complain(&format!("to read it: kymo print {path} (or otf2-print); as a picture: vite {path}"));
    let abilities = Abilities::of(&images(measured.program));
    if abilities.lacks_names {
        complain(
            "functions without names: the program was stripped; link it without -s, or install its debug symbols",
        );
    } else if abilities.lacks_lines {
        complain("functions without source lines: compile with -g");
    }
}

/// The program ran and nothing of it can be seen.
fn say_nothing_to_record(measured: &Measured<'_>) {
    if measured.arguments.records_no_regions() {
        return complain(NO_REGIONS);
    }
    let abilities = Abilities::of(&images(measured.program));
    let what = match (abilities.are_none(), abilities.has_own_hook) {
        (_, true) => "the program has a function __cyg_profile_func_enter of its own, so functions go there",
        (true, false) => "the program has no instrumented functions, no user regions and no threads",
        (false, false) => "nothing of what was to be recorded happened",
    };
    complain(&format!("there is little to see: {what}. To get more:"));
    HOW.iter().for_each(|how| complain(&format!("  {how}")));
}

/// What an archive has.
#[derive(Debug, Default)]
struct Counts {
    processes: u64,
    threads: u64,
    events: u64,
}

impl Counts {
    /// From the global definitions; none if they cannot be read.
    fn of(archive: &Path) -> Option<Self> {
        let archive = Archive::open(archive).ok()?;
        let file = archive.global_definitions().ok()?;
        let mut counts = Self::default();
        for record in file.records().ok()? {
            counts.add(&record.ok()?);
        }
        Some(counts)
    }

    /// Nothing but begin and end of the processes.
    fn is_bare(&self) -> bool {
        self.events <= 2 * self.processes
    }

    /// Some process has more than one thread.
    fn has_threads(&self) -> bool {
        self.threads > self.processes
    }

    fn add(&mut self, record: &GlobalDefinition<'_>) {
        match record {
            GlobalDefinition::LocationGroup(_) => self.processes += 1,
            GlobalDefinition::Location(location) => {
                self.threads += 1;
                self.events += location.number_of_events;
            }
            _ => {}
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let processes = match self.processes {
            1 => "1 process".to_owned(),
            count => format!("{count} processes"),
        };
        write!(f, "{processes}, {}, {}", many(self.threads, "thread"), many(self.events, "event"))
    }
}
