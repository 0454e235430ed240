//! `kymo profile`: where the time of a trace goes, by region or calling context.
//!
//! `kymo_analysis` sums the calls. A [`table`] names and sorts the sums; [`text`], [`json`],
//! [`csv`], [`folded`] and [`hatchet`] write it, and [`diff`] compares two. Invariant: text is
//! shortened and rounded, everything else contains all rows and exact numbers.

mod csv;
mod diff;
mod folded;
mod hatchet;
mod json;
mod number;
mod table;
mod text;

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args, ValueEnum};
use kymo_analysis::profile::Profile;
use kymo_analysis::{Location, MetricMember, Selection, Trace, profile};
use kymo_otf2::read::Archive;
use kymo_otf2::references::LocationRef;

use self::table::Table;
use crate::anchor_path;
use crate::command_line::Ended;
use crate::instant::Instant;
use crate::new_file::NewFile;
use crate::output::{complain, inform, print};
use crate::problem::Problem;
use crate::span;
use crate::status::Status;

/// Sum the time of a trace by region or by calling context
#[derive(Debug, Args)]
#[command(
    after_help = "Inclusive time is the time in a region with everything that it calls, exclusive time that \
                  without. A call inside a call of the same region is a visit, but its time counts once. \
                  Samples count as the period of their generator. Exit status: 0 success, 2 invalid \
                  arguments, 3 a location was not readable to its end, 4 I/O error"
)]
pub(crate) struct Arguments {
    /// Sum by calling context and print the call tree
    #[arg(long)]
    pub(super) tree: bool,
    /// Sum each location, process or node for itself
    #[arg(long, value_name = "KIND", default_value = "total")]
    pub(super) by: By,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Value to sort by, and to print after folded stacks
    #[arg(long, value_name = "VALUE")]
    value: Option<Value>,
    /// Number of rows of text; 0 for all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    pub(super) top: usize,
    /// Also print the shortest and the longest call, the deviation and the source file
    #[arg(short, long)]
    pub(super) wide: bool,
    /// Also count this metric; may be repeated
    #[arg(short, long, value_name = "NAME")]
    metric: Vec<String>,
    /// Also count all metrics
    #[arg(long)]
    metrics: bool,
    /// Compare two traces, the earlier one first
    #[arg(long)]
    diff: bool,
    /// Read only these locations
    #[arg(short = 'L', long, value_name = "ID", value_delimiter = ',')]
    location: Vec<u64>,
    /// Read only what happens from FIRST to LAST: in ticks of the clock or, counted from the start
    /// of the trace, as a time with a unit (s, ms, us, ns) or as a percentage of its length
    #[arg(long, action = ArgAction::Set, num_args = 1..=2, value_delimiter = ',', value_names = ["FIRST", "LAST"])]
    time: Vec<Instant>,
    /// Number of threads; all cores by default
    #[arg(short = 'j', long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Write to this file; '-' is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Anchor file of the archive (*.otf2), or its folder
    #[arg(value_name = "ANCHOR|DIR", required = true, num_args = 1..=2)]
    archives: Vec<PathBuf>,
}

/// What is summed for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum By {
    /// Nothing
    Total,
    /// Each location
    Location,
    /// Each location group
    Process,
    /// Each node of the machine
    Node,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for people
    Text,
    /// One object
    Json,
    /// One row per region or calling context
    Csv,
    /// One line per call path, as flame graph tools read them
    Folded,
    /// Nested lists for Hatchet's `GraphFrame.from_literal`
    Hatchet,
}

/// A value of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Value {
    /// Time outside inner calls
    Exclusive,
    /// Time with inner calls
    Inclusive,
    /// Number of calls
    Visits,
    /// Number of samples
    Samples,
}

impl Arguments {
    /// Profiles the trace.
    pub(crate) fn run(self) -> Status {
        if let Err(ended) = self.check() {
            return ended.report();
        }
        self.profile().unwrap_or_else(|problem| problem.report())
    }

    fn check(&self) -> Result<(), Ended> {
        let mistake = match (self.diff, self.archives.len()) {
            (false, 2) => "two traces are read only with '--diff'",
            (true, 1) => "'--diff' compares two traces",
            (true, _) if matches!(self.format, Format::Folded | Format::Hatchet) => {
                "'--diff' is printed as text, JSON or CSV"
            }
            (true, _) if self.metrics || !self.metric.is_empty() => {
                "'--diff' compares times, so it excludes '--metric'"
            }
            (true, _) if self.by != By::Total => "'--diff' compares totals, so it excludes '--by'",
            (false, _) if self.format == Format::Hatchet && self.by != By::Total => {
                "'--format hatchet' has no groups, so it excludes '--by'"
            }
            _ if self.time.len() == 1 => "two values required for '--time <FIRST> <LAST>'",
            _ => return Ok(()),
        };
        Err(Ended::Mistake(mistake.to_owned()))
    }

    /// Returns what to sort by.
    pub(super) fn value(&self) -> Value {
        self.value.unwrap_or(if self.tree { Value::Inclusive } else { Value::Exclusive })
    }

    /// Whether to sum by calling context.
    fn is_tree(&self) -> bool {
        self.tree || matches!(self.format, Format::Folded | Format::Hatchet)
    }

    fn profile(&self) -> Result<Status, Problem> {
        let mut worst = Status::Done;
        let mut profiles = Vec::new();
        for path in &self.archives {
            let trace = open(path)?;
            let (profile, status) = self.sum(&trace)?;
            worst = worst.max(status);
            profiles.push((trace, profile));
        }
        let text = match &profiles[..] {
            [(trace, profile)] => self.write(trace, profile)?,
            [before, after] => self.compare(before, after)?,
            _ => String::new(),
        };
        let status = match self.output.as_os_str() == "-" {
            true => print(&text),
            false => NewFile::replace(&self.output, text.as_bytes()).map(|()| Status::Done)?,
        };
        Ok(worst.max(status))
    }

    fn sum(&self, trace: &Trace) -> Result<(Profile, Status), Problem> {
        let selection = self.selection(trace)?;
        let key = |location: &Location| match self.by {
            By::Total => 0,
            By::Location => location.id.0,
            By::Process => location.group.0.into(),
            By::Node => trace.node_of(location.group).0.into(),
        };
        let metrics = self.counted(trace)?;
        let profile =
            profile::of_groups(trace, &selection, &metrics, key).map_err(|error| problem(trace, &error))?;
        let mut status = Status::Done;
        for (location, failure) in &profile.failures {
            complain(&format!("location {}: {}", location.0, problem(trace, failure).what()));
            status = Status::Partial;
        }
        profile.remarks.iter().for_each(|(count, what)| inform(&format!("{count} {what}")));
        Ok((profile, status))
    }

    /// Returns the metrics to count.
    fn counted(&self, trace: &Trace) -> Result<Vec<MetricMember>, Problem> {
        let name = |metric: &MetricMember| trace.string(metric.name).unwrap_or_default().to_owned();
        let unknown = |wanted: &&String| !trace.metrics().any(|metric| name(metric) == **wanted);
        if let Some(missing) = self.metric.iter().find(unknown) {
            let all: Vec<_> = trace.metrics().map(name).collect();
            let all =
                if all.is_empty() { "it has none".to_owned() } else { format!("it has {}", all.join(", ")) };
            return Err(Problem::usage(format!("'--metric': the trace has no metric '{missing}'; {all}")));
        }
        let is_wanted = |metric: &&MetricMember| self.metrics || self.metric.contains(&name(metric));
        Ok(trace.metrics().filter(is_wanted).copied().collect())
    }

    fn selection(&self, trace: &Trace) -> Result<Selection, Problem> {
        let mut selection = Selection::default();
        if let Some(jobs) = self.jobs {
            selection.threads = jobs;
        }
        if !self.location.is_empty() {
            let is_defined = |id: &u64| trace.locations().iter().any(|it| it.id.0 == *id);
            if let Some(missing) = self.location.iter().find(|id| !is_defined(id)) {
                return Err(Problem::usage(format!("'--location': the trace has no location {missing}")));
            }
            selection.locations = Some(self.location.iter().map(|id| LocationRef(*id)).collect());
        }
        if !self.time.is_empty() {
            let span = span::of(&self.time, trace.archive())?;
            selection.from = trace.clock().nanoseconds(*span.start());
            selection.to = trace.clock().nanoseconds(*span.end());
        }
        Ok(selection)
    }

    fn write(&self, trace: &Trace, profile: &Profile) -> Result<String, Problem> {
        let table = Table::of(trace, profile, self.by, self.is_tree(), self.value());
        Ok(match self.format {
            Format::Text => text::write(&table, self),
            Format::Json => json::write(&table)?,
            Format::Csv => csv::write(&table)?,
            Format::Folded => folded::write(&table, self.value.unwrap_or(Value::Exclusive)),
            Format::Hatchet => hatchet::write(&table)?,
        })
    }

    fn compare(&self, before: &(Trace, Profile), after: &(Trace, Profile)) -> Result<String, Problem> {
        let [before, after] = [before, after]
            .map(|(trace, profile)| Table::of(trace, profile, By::Total, self.tree, self.value()));
        let diff = diff::Diff::of(&before, &after, self.value());
        Ok(match self.format {
            Format::Json => diff.json()?,
            Format::Csv => diff.csv()?,
            _ => diff.text(self.top),
        })
    }
}

fn open(path: &Path) -> Result<Trace, Problem> {
    let anchor = anchor_path::of(path)?;
    let archive = Archive::open(&anchor).map_err(|error| Problem::of_anchor(&anchor, &error))?;
    // Kept for messages, which name files of the archive.
    let paths = archive.as_written();
    Trace::of(archive).map_err(|error| match &error {
        kymo_analysis::Error::Otf2(error) => Problem::of_archive(&paths, error),
        other => Problem::new(other, Status::Limit),
    })
}

fn problem(trace: &Trace, error: &kymo_analysis::Error) -> Problem {
    match error {
        kymo_analysis::Error::Otf2(error) => Problem::of_archive(trace.archive(), error),
        other => Problem::new(other, Status::Limit),
    }
}
