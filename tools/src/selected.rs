//! The options that select a part of a trace for analysis.

use std::num::NonZero;

use clap::{ArgAction, Args};
use kymo_analysis::{Selection, Trace};
use kymo_otf2::references::LocationRef;

use crate::instant::Instant;
use crate::problem::Problem;
use crate::span;

/// The part of a trace to read, and in how many threads.
#[derive(Debug, Args)]
pub(crate) struct Selected {
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
}

impl Selected {
    /// Returns what is wrong with the options.
    pub(crate) fn mistake(&self) -> Option<&'static str> {
        (self.time.len() == 1).then_some("two values required for '--time <FIRST> <LAST>'")
    }

    /// Returns the part of a trace.
    pub(crate) fn of(&self, trace: &Trace) -> Result<Selection, Problem> {
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
}
