//! The options that select a part of a trace for analysis.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{ArgAction, Args};
use kymo_analysis::{Selection, Trace, Watcher, focus};
use kymo_filter::{Filter, Region};
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::references::{LocationRef, RegionRef};

use crate::instant::Instant;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::span;

/// The part of a trace to read, and in how many threads.
#[derive(Debug, Default, Args)]
pub(crate) struct Selected {
    /// Read only these locations
    #[arg(short = 'L', long, value_name = "ID", value_delimiter = ',')]
    location: Vec<u64>,
    /// Read only what happens from FIRST to LAST: in ticks of the clock or, counted from the start
    /// of the trace, as a time with a unit (s, ms, us, ns) or as a percentage of its length
    #[arg(long, action = ArgAction::Set, num_args = 1..=2, value_delimiter = ',', value_names = ["FIRST", "LAST"])]
    time: Vec<Instant>,
    /// Read only what happens from the last end of MPI_Init to the first start of MPI_Finalize, for
    /// which all events are read once more
    #[arg(long, conflicts_with = "time")]
    focus: bool,
    /// Leave out the calls of the regions that this Score-P filter file leaves out; their time is
    /// that of their callers
    #[arg(long, value_name = "FILE")]
    filter: Option<PathBuf>,
    /// Number of threads; all cores by default
    #[arg(short = 'j', long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
}

impl Selected {
    /// Returns the mistake in the options, if there is one.
    pub(crate) fn mistake(&self) -> Option<&'static str> {
        (self.time.len() == 1).then_some("two values required for '--time <FIRST> <LAST>'")
    }

    /// Whether everything is selected.
    pub(crate) fn is_everything(&self) -> bool {
        self.location.is_empty() && self.time.is_empty() && !self.focus && self.filter.is_none()
    }

    /// Returns the number of threads, if it is not that of the cores.
    pub(crate) fn jobs(&self) -> Option<NonZero<usize>> {
        self.jobs
    }

    /// Returns the part of a trace.
    pub(crate) fn of(&self, trace: &Trace) -> Result<Selection, Problem> {
        let progress = Progress::of(trace.archive(), false);
        let watcher = Watcher(Arc::new(move |events| progress.add(events)));
        let mut selection = Selection { watcher: Some(watcher), ..Selection::default() };
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
        if let Some(path) = &self.filter {
            let filter = Filter::read(path).map_err(Problem::usage)?;
            selection.left_out = left_out(trace, &filter)?;
        }
        if !self.time.is_empty() {
            let span = span::of(&self.time, trace.archive())?;
            selection.from = trace.clock().nanoseconds(*span.start());
            selection.to = trace.clock().nanoseconds(*span.end());
        }
        if self.focus {
            let focus = focus(trace, &selection).map_err(|error| crate::trace::problem(trace, &error))?;
            let missing = "'--focus': the trace has no end of MPI_Init before the first MPI_Finalize";
            (selection.from, selection.to) = focus.ok_or_else(|| Problem::usage(missing))?;
        }
        Ok(selection)
    }
}

/// Returns the regions that a filter leaves out.
fn left_out(trace: &Trace, filter: &Filter) -> Result<BTreeSet<RegionRef>, Problem> {
    let mut regions = BTreeSet::new();
    let read = trace.archive().each_global_definition(|definition| {
        if let GlobalDefinition::Region(it) = definition {
            let text = |id| trace.string(id).map(str::as_bytes);
            let region = Region {
                name: text(it.name).unwrap_or_default(),
                mangled: text(it.canonical_name),
                file: text(it.source_file),
            };
            regions.extend(filter.excludes(&region).then_some(it.id));
        }
        Ok::<_, kymo_otf2::Error>(())
    });
    read.map_err(|error| Problem::of_archive(trace.archive(), &error))?;
    Ok(regions)
}
