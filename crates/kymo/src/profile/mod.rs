//! `kymo profile`: where the time of a trace goes, by region or calling context.
//!
//! `kymo_analysis` sums the calls. A [`table`] names and sorts the sums; [`text`], [`json`],
//! [`csv`], [`folded`] and [`hatchet`] write it. [`diff`] compares two or more, whose rows
//! [`paths`] pairs; [`noise`] says what is chance. Invariant: text is shortened and rounded,
//! everything else contains all rows and exact numbers.

mod csv;
mod diff;
mod folded;
mod hatchet;
mod json;
mod noise;
mod paths;
mod table;
mod text;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kymo_analysis::iterations::IterationBlocks;
use kymo_analysis::profile::Profile;
use kymo_analysis::{Location, MetricMember, Selection, SelectionPart, Trace, profile};

use self::diff::SideTables;
use self::table::{Rows, Table};
use crate::mistake::report_mistake;
use crate::new_file::{NewFile, print_or_write};
use crate::part::{Header, PartFile, Parts, Set};
use crate::problem::Problem;
use crate::selected::Selected;
use crate::status::Status;
use crate::trace;

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
    #[arg(long, value_name = "KIND", default_value = "total", conflicts_with = "join")]
    pub(super) by: By,
    /// Inclusive time of a region that calls itself
    #[arg(long, value_name = "RULE", default_value = "outermost")]
    recursive: Recursive,
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
    #[arg(short, long, value_name = "NAME", conflicts_with = "join")]
    metric: Vec<String>,
    /// Also count all metrics
    #[arg(long, conflicts_with = "join")]
    metrics: bool,
    /// Compare two traces, the earlier one first
    #[arg(long, conflicts_with_all = ["part", "join"])]
    diff: bool,
    /// Compare with this run; several are repetitions, as are several traces without the option
    #[arg(long, value_name = "ANCHOR|DIR", conflicts_with_all = ["part", "join", "diff"])]
    before: Vec<PathBuf>,
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

/// The groups of locations whose sums are separate.
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

/// The calls of a region whose time is its inclusive time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Recursive {
    /// Those outside other calls of the region, so that no time counts twice
    Outermost,
    /// All calls
    Sum,
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

/// A trace and its profile.
struct ProfiledRun {
    trace: Trace,
    profile: Profile,
    /// The times by iteration, if there are some and the run is the only one of its side.
    iterations: Option<IterationBlocks>,
}

impl Value {
    /// Returns the name, as the option and the JSON object have it.
    fn name(self) -> &'static str {
        match self {
            Self::Exclusive => "exclusive",
            Self::Inclusive => "inclusive",
            Self::Visits => "visits",
            Self::Samples => "samples",
        }
    }
}

impl By {
    /// Returns the name of a group, as the options and the JSON object have it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Location => "location",
            Self::Process => "process",
            Self::Node => "node",
        }
    }
}

impl Arguments {
    /// Profiles the trace.
    pub(crate) fn run(self) -> Status {
        if let Err(mistake) = self.check() {
            return report_mistake(mistake);
        }
        self.profile().unwrap_or_else(|problem| problem.report())
    }

    /// Whether runs are compared.
    fn compares(&self) -> bool {
        self.diff || !self.before.is_empty()
    }

    fn check(&self) -> Result<(), &'static str> {
        let mistake = match (self.compares(), self.archives.len()) {
            (false, 2..) if !self.parts.join => "several traces are read only with '--diff' or '--before'",
            (true, 1 | 3..) if self.diff => "'--diff' compares two traces; '--before' takes more",
            (true, _) if matches!(self.format, Format::Folded | Format::Hatchet) => {
                "differences are printed as text, JSON or CSV"
            }
            (true, _) if self.metrics || !self.metric.is_empty() => {
                "differences are those of times, so that '--metric' is excluded"
            }
            (true, _) if self.by != By::Total => {
                "differences are those of totals, so that '--by' is excluded"
            }
            (false, _) if self.format == Format::Hatchet && self.by != By::Total => {
                "'--format hatchet' has no groups, so it excludes '--by'"
            }
            _ => match self.selected.mistake().or_else(|| self.parts.mistake(&self.output, 1)) {
                Some(mistake) => mistake,
                None => return Ok(()),
            },
        };
        Err(mistake)
    }

    /// Returns the value by which to sort.
    pub(super) fn value(&self) -> Value {
        self.value.unwrap_or(if self.tree { Value::Inclusive } else { Value::Exclusive })
    }

    fn rows(&self, is_tree: bool) -> Rows {
        Rows { is_tree, value: self.value(), recursive: self.recursive }
    }

    /// Whether to sum by calling context.
    fn is_tree(&self) -> bool {
        self.tree || matches!(self.format, Format::Folded | Format::Hatchet)
    }

    fn profile(&self) -> Result<Status, Problem> {
        if self.parts.join {
            return self.join();
        }
        if let Some(part) = self.parts.part()? {
            return self.sum_part(part);
        }
        let (before, after) = match &self.archives[..] {
            [before, after] if self.diff => (std::slice::from_ref(before), std::slice::from_ref(after)),
            all => (&self.before[..], all),
        };
        let ((before, status_before), (after, status)) = (self.read(before)?, self.read(after)?);
        let text = match &after[..] {
            [run] if before.is_empty() => self.write(&run.trace, &run.profile, self.by)?,
            _ => self.compare(&before, &after)?,
        };
        Ok(status.max(status_before).max(print_or_write(&self.output, &text)?))
    }

    /// Reads the runs of a side.
    fn read(&self, archives: &[PathBuf]) -> Result<(Vec<ProfiledRun>, Status), Problem> {
        let (mut worst, mut runs) = (Status::Done, Vec::new());
        for path in archives {
            let trace = trace::open(path)?;
            let selection = self.selected.of(&trace)?;
            let (profile, status) = self.sum(&trace, &selection)?;
            worst = worst.max(status);
            // The spread of several runs says more.
            let iterations = match self.compares() && archives.len() == 1 {
                true => IterationBlocks::read(&trace, &selection)
                    .map_err(|error| trace::problem(&trace, &error))?,
                false => None,
            };
            runs.push(ProfiledRun { trace, profile, iterations });
        }
        Ok((runs, worst))
    }

    /// Writes the profile of a part.
    fn sum_part(&self, part: SelectionPart) -> Result<Status, Problem> {
        let [path] = &self.archives[..] else {
            return Err(Problem::usage("'--part' reads one trace"));
        };
        let trace = trace::open(path)?;
        let selection = Selection { part, ..self.selected.of(&trace)? };
        let (mut profile, status) = self.sum(&trace, &selection)?;
        for (_, error) in &mut profile.failures {
            *error = trace::described(&trace, error);
        }
        let counted = profile.metrics.iter().map(|it| it.id.0.to_string()).collect::<Vec<_>>().join(",");
        let settings = [("by", self.by.name().to_owned()), ("metric", counted)];
        let settings = settings.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let output = self.parts.output(part, &self.output);
        let mut new = NewFile::create(&output)?;
        let header = Header::of(&trace, "profile", &selection, settings);
        let mut file = PartFile::start(&mut new, &output, &header)?;
        file.put(&profile)?;
        file.end()?;
        new.finish()?;
        Ok(status)
    }

    /// Joins the profiles of all parts.
    fn join(&self) -> Result<Status, Problem> {
        let Set { header, trace, parts } = Set::open(&self.archives, "profile")?;
        let mut profile = Profile::default();
        for (path, mut part) in parts {
            let joined = profile.join(part.get()?);
            joined.map_err(|error| Problem::of(&path, error, Status::Environment))?;
        }
        let by = By::value_variants().iter().find(|by| by.name() == header.setting("by"));
        let status = trace::report(&trace, &profile.failures, &profile.remarks);
        let text = self.write(&trace, &profile, by.copied().unwrap_or(By::Total))?;
        Ok(status.max(print_or_write(&self.output, &text)?))
    }

    fn sum(&self, trace: &Trace, selection: &Selection) -> Result<(Profile, Status), Problem> {
        let key = |location: &Location| match self.by {
            By::Total => 0,
            By::Location => location.id.0,
            By::Process => location.group.0.into(),
            By::Node => trace.node_of(location.group).0.into(),
        };
        let metrics = self.counted(trace)?;
        let profile = profile::of_groups(trace, selection, &metrics, key)
            .map_err(|error| trace::problem(trace, &error))?;
        let status = trace::report(trace, &profile.failures, &profile.remarks);
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

    fn write(&self, trace: &Trace, profile: &Profile, by: By) -> Result<String, Problem> {
        let table = Table::of(trace, profile, by, self.rows(self.is_tree()));
        Ok(match self.format {
            Format::Text => text::write(&table, self),
            Format::Json => json::write(&table)?,
            Format::Csv => csv::write(&table)?,
            Format::Folded => folded::write(&table, self.value.unwrap_or(Value::Exclusive)),
            Format::Hatchet => hatchet::write(&table)?,
        })
    }

    fn compare(&self, before: &[ProfiledRun], after: &[ProfiledRun]) -> Result<String, Problem> {
        let rows = self.rows(self.tree);
        let [before, after] = [before, after].map(|runs| SideTables {
            tables: runs.iter().map(|run| Table::of(&run.trace, &run.profile, By::Total, rows)).collect(),
            iterations: runs.iter().find_map(|run| run.iterations.as_ref()),
        });
        let diff = diff::Diff::of(&before, &after, rows);
        Ok(match self.format {
            Format::Json => diff.json()?,
            Format::Csv => diff.csv()?,
            _ => diff.text(self.top),
        })
    }
}

/// Returns the exclusive times of all calling contexts as folded stacks.
pub(crate) fn folded_stacks(trace: &Trace, profile: &Profile) -> String {
    let rows = Rows { is_tree: true, value: Value::Exclusive, recursive: Recursive::Outermost };
    folded::write(&Table::of(trace, profile, By::Total, rows), Value::Exclusive)
}
