//! The results of many scenarios.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::{Counts, End, Outcome, PHASES, Plan};

/// The counts of successful scenarios, and the seeds of the others.
#[derive(Debug, Default)]
pub struct Table {
    ends: BTreeMap<String, Line>,
    phases: BTreeMap<u64, Line>,
    threads: BTreeMap<u64, Line>,
    all: Line,
    /// Seeds of scenarios that failed.
    pub failed: Vec<u64>,
    slowest: (Duration, u64),
    most_writes: u64,
}

/// A line of the table.
#[derive(Debug, Default, Clone, Copy)]
struct Line {
    runs: u64,
    kills: u64,
    counts: Counts,
}

impl Line {
    fn add(&mut self, outcome: &Outcome) {
        self.runs += 1;
        self.kills += u64::from(outcome.is_killed);
        self.counts.add(outcome.counts);
    }
}

impl Table {
    /// Adds a successful scenario.
    pub fn add(&mut self, plan: &Plan, outcome: &Outcome) {
        let end = match plan.end {
            End::Kill(_) if outcome.is_killed => "killed from outside".to_owned(),
            End::Kill(_) => "over before it was killed".to_owned(),
            End::Own(name, _) => format!("on its own: {name}"),
        };
        self.ends.entry(end).or_default().add(outcome);
        self.threads.entry(plan.threads).or_default().add(outcome);
        if outcome.is_killed {
            self.phases.entry(outcome.phase).or_default().add(outcome);
        }
        self.all.add(outcome);
        self.slowest = self.slowest.max((outcome.recovery, outcome.bytes));
        self.most_writes = self.most_writes.max(outcome.most_writes);
    }

    /// Returns the number of hosts that were killed from outside.
    pub fn kills(&self) -> u64 {
        self.all.kills
    }

    /// Returns the number of successful scenarios.
    pub fn runs(&self) -> u64 {
        self.all.runs
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| | runs | killed | operations returned | records found | dropped and counted | lost |"
        )?;
        writeln!(f, "| --- | ---: | ---: | ---: | ---: | ---: | ---: |")?;
        let mut line = |name: &str, line: &Line| {
            let Line { runs, kills, counts: Counts { records, dropped, returned } } = line;
            writeln!(f, "| {name} | {runs} | {kills} | {returned} | {records} | {dropped} | 0 |")
        };
        for (name, of) in &self.ends {
            line(name, of)?;
        }
        for (&phase, of) in &self.phases {
            line(&format!("killed in: {}", PHASES[phase as usize]), of)?;
        }
        for (threads, of) in &self.threads {
            line(&format!("threads: {threads}"), of)?;
        }
        line("**all**", &self.all)?;
        let (took, bytes) = self.slowest;
        writeln!(f, "\nfailed: {}", self.failed.len())?;
        writeln!(f, "most writes of a drain: {}", self.most_writes)?;
        writeln!(
            f,
            "slowest recovery: {:.3} s, of {:.1} MiB",
            took.as_secs_f64(),
            bytes as f64 / f64::from(1 << 20)
        )
    }
}
