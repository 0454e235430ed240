//! `kymo explain`: who is late, why, and what it costs.
//!
//! `kymo_analysis` finds the causes and the findings. An [`answer::Answer`] names them, for JSON;
//! [`sentences`] says each finding in words, and [`text`] prints the answer for people. [`parts`]
//! divides the first reading among processes.

mod answer;
mod caps;
mod conditions;
mod parts;
mod rows;
mod run_rows;
mod sentences;
mod text;
mod what_if;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use kymo_analysis::causes::{self, Causes, Extras, Kept};
use kymo_analysis::findings::Findings;
use kymo_analysis::replay::SendRule;
use kymo_analysis::{Selection, Trace};

use self::answer::Answer;
use self::conditions::{Condition, RunNumbers, Verdict};
use self::what_if::WhatIf;
use crate::mistake::report_mistake;
use crate::new_file::print_or_write;
use crate::output::inform;
use crate::part::Parts;
use crate::problem::Problem;
use crate::selected::Selected;
use crate::status::Status;
use crate::trace;

/// Say who is late in a program, why, and what it costs
#[derive(Debug, Args)]
#[command(after_help = "A finding says what could be gained; without one, nothing stands out. Waiting is \
                  that for messages and collective operations of MPI, and of threads for locks, \
                  conditions, each other's ends, and in barriers of OpenMP. The critical path is the chain \
                  of activities on which the length of the run depends. \
                  The numbers of conditions are length, parallel_efficiency, load_balance, \
                  communication, serialisation, transfer, wait and wait.KIND (parts of the time of all \
                  threads), and finding.RULE (the gain, as a part of the length). \
                  Exit status: 0 success, 1 a condition holds, 2 invalid arguments, 3 a location was not readable to its end, \
                  4 I/O error")]
pub(crate) struct Arguments {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Number of rows of each table, 5 in text and 20 in JSON; 0 for all
    #[arg(short = 'n', long, value_name = "N")]
    top: Option<usize>,
    /// Largest size of JSON on standard output, to which tables are cut; 0 for any
    #[arg(long, value_name = "BYTES", default_value_t = 65_536)]
    max_bytes: usize,
    /// Replay the run as if the work in the calls of REGION took this part of its time, or more for
    /// a FACTOR above 1
    #[arg(long = "if", value_name = "REGION=FACTOR")]
    what_if: Vec<WhatIf>,
    /// Fail if this holds: NAME < LIMIT or NAME > LIMIT
    #[arg(long, value_name = "CONDITION", help_heading = "Conditions")]
    fail_if: Vec<Condition>,
    /// A run to which changes relate, as in 'length > +5%'; several are repetitions
    #[arg(long, value_name = "ANCHOR|DIR", help_heading = "Conditions")]
    before: Vec<PathBuf>,
    /// Fail also if it is not known whether a change is larger than the noise
    #[arg(long, help_heading = "Conditions")]
    strict: bool,
    /// Print what delays cost as well: whom they made wait, however long before; always in JSON
    #[arg(long)]
    delays: bool,
    /// Print how late locations end operations as well, step by step
    #[arg(long)]
    lateness: bool,
    /// For which receives sends wait in the run on an ideal network
    #[arg(long, value_name = "RULE", default_value = "recorded")]
    sends: Sends,
    #[command(flatten)]
    selected: Selected,
    #[command(flatten)]
    parts: Parts,
    /// Write to this file; '-' is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Anchor file of the archive (*.otf2), or its folder; with '--join', the parts
    #[arg(value_name = "ANCHOR|DIR", required = true)]
    archives: Vec<PathBuf>,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Sentences and tables for people
    Text,
    /// One object
    Json,
}

/// For which receives sends wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sends {
    /// For those for which they waited in the trace; synchronous ones for all
    Recorded,
    /// For none
    Eager,
    /// For all, but not buffered ones, and not in calls that receive as well or that test
    Rendezvous,
}

impl From<Sends> for SendRule {
    fn from(sends: Sends) -> Self {
        match sends {
            Sends::Recorded => Self::Recorded,
            Sends::Eager => Self::Eager,
            Sends::Rendezvous => Self::Rendezvous,
        }
    }
}

impl Arguments {
    /// Prints the answer.
    pub(crate) fn run(self) -> Status {
        match self.mistake() {
            Some(mistake) => report_mistake(mistake),
            None => self.answer().unwrap_or_else(|problem| problem.report()),
        }
    }

    fn answer(&self) -> Result<Status, Problem> {
        let kept = Kept { most: self.most_rows() };
        let extras = Extras {
            delays: self.delays || self.format == Format::Json,
            lateness: self.lateness,
            sends: self.sends.into(),
        };
        if self.parts.join {
            let (trace, selection, causes) = parts::join(&self.archives, self.selected.jobs(), extras, kept)?;
            return self.print(&trace, &selection, &causes);
        }
        let [archive] = &self.archives[..] else { return Err(Problem::usage("expected one archive")) };
        let trace = trace::open(archive)?;
        let selection = self.selected.of(&trace)?;
        if let Some(part) = self.parts.part()? {
            let selection = Selection { part, ..selection };
            return parts::write(&trace, &selection, &self.parts.output(part, &self.output));
        }
        let causes = causes::with(&trace, &selection, kept, extras);
        let causes = causes.map_err(|error| trace::problem(&trace, &error))?;
        self.print(&trace, &selection, &causes)
    }

    /// Returns the largest number of rows of a table.
    fn most_rows(&self) -> usize {
        let usual = if self.format == Format::Text { 5 } else { 20 };
        Some(self.top.unwrap_or(usual)).filter(|top| *top > 0).unwrap_or(usize::MAX)
    }

    fn print(&self, trace: &Trace, selection: &Selection, causes: &Causes) -> Result<Status, Problem> {
        let statistics = &causes.statistics;
        let status = trace::report(trace, &statistics.failures, &statistics.remarks);
        let findings = Findings::of(trace, causes).map_err(|error| trace::problem(trace, &error))?;
        let (verdicts, status_before) = self.verdicts(&RunNumbers::of(causes, &findings))?;
        let has_failed = verdicts.iter().any(|it| it.fails(self.strict));
        verdicts.iter().for_each(|it| inform(&it.sentence()));
        let mut answer = Answer::of((trace, selection), causes, &findings, self.most_rows());
        answer.conditions = verdicts;
        answer.what_if = self
            .what_if
            .iter()
            .map(|it| it.of(trace, selection, causes.statistics.ideal_run, self.sends.into()))
            .collect::<Result<_, _>>()?;
        let text = match self.format {
            Format::Text => text::write(&answer),
            Format::Json => caps::json(&mut answer, self.most_bytes())?,
        };
        let failure = if has_failed { Status::Faulty } else { Status::Done };
        let status = status.max(status_before).max(failure);
        Ok(status.max(print_or_write(&self.output, &text)?))
    }

    /// Judges the conditions. Returns as well whether the runs before could be read.
    fn verdicts(&self, run: &RunNumbers) -> Result<(Vec<Verdict>, Status), Problem> {
        let (mut before, mut status) = (Vec::new(), Status::Done);
        for path in &self.before {
            let (numbers, read) = self.numbers(path)?;
            before.push(numbers);
            status = status.max(read);
        }
        let judge = |condition: &Condition| {
            let missing = || Problem::usage(format!("'{condition}': a run does not have the number"));
            condition.judge(run, &before).ok_or_else(missing)
        };
        Ok((self.fail_if.iter().map(judge).collect::<Result<_, _>>()?, status))
    }

    /// Returns the numbers of another run.
    fn numbers(&self, path: &Path) -> Result<(RunNumbers, Status), Problem> {
        let trace = trace::open(path)?;
        let problem = |error| trace::problem(&trace, &error);
        let causes = causes::of(&trace, &self.selected.of(&trace)?, Kept { most: 0 }).map_err(problem)?;
        let status = trace::report(&trace, &causes.statistics.failures, &causes.statistics.remarks);
        let findings = Findings::of(&trace, &causes).map_err(problem)?;
        Ok((RunNumbers::of(&causes, &findings), status))
    }

    /// Returns the mistake in the options, if there is one.
    fn mistake(&self) -> Option<&'static str> {
        let compares = self.fail_if.iter().any(Condition::compares);
        match (compares, self.before.is_empty()) {
            (true, true) => Some("a change needs a run before: '--before'"),
            (false, false) => Some("'--before' needs a condition on a change, such as 'length > +5%'"),
            _ => self.selected.mistake().or(self.parts.mistake(&self.output, self.archives.len())),
        }
    }

    /// Returns the largest size of JSON: none for files, and if all rows are wanted.
    fn most_bytes(&self) -> usize {
        let is_capped = self.output.as_os_str() == "-" && self.top != Some(0) && self.max_bytes > 0;
        if is_capped { self.max_bytes } else { usize::MAX }
    }
}
