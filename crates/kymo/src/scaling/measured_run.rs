//! The contribution of a run to a comparison.

use kymo_analysis::profile::{self, Profile};
use kymo_analysis::statistics::{self, Efficiency};
use kymo_analysis::{Class, MetricMember, Selection, Trace};
use kymo_otf2::FileName;

use super::call_path_times::RunPaths;
use crate::problem::Problem;
use crate::status::Status;
use crate::trace;

/// A run. Times are in nanoseconds.
#[derive(Debug)]
pub(super) struct MeasuredRun {
    pub(super) path: String,
    pub(super) processes: u64,
    /// The number of threads with events.
    pub(super) threads: u64,
    pub(super) length: u64,
    /// The time of computation of all threads.
    pub(super) useful: u128,
    pub(super) efficiency: Option<Efficiency>,
    /// The number of instructions in computation, and of cycles, if they were counted.
    pub(super) instructions: Option<f64>,
    pub(super) cycles: Option<f64>,
    pub(super) paths: RunPaths,
}

/// The names of the metrics that count instructions and cycles.
const INSTRUCTIONS: [&str; 2] = ["PAPI_TOT_INS", "perf::instructions"];
const CYCLES: [&str; 2] = ["PAPI_TOT_CYC", "perf::cycles"];

impl MeasuredRun {
    /// Measures a run.
    pub(super) fn of(trace: &Trace, selection: &Selection) -> Result<(Self, Status), Problem> {
        let problem = |error| trace::problem(trace, &error);
        let statistics = statistics::of(trace, selection).map_err(problem)?;
        let status = trace::report(trace, &statistics.failures, &statistics.remarks);
        let metrics: Vec<_> = [INSTRUCTIONS, CYCLES].map(|names| metric(trace, &names)).into();
        let known: Vec<_> = metrics.iter().flatten().copied().collect();
        let profile = profile::of_groups(trace, selection, &known, |_| 0).map_err(problem)?;
        let counts = counts(trace, &profile);
        let mut processes: Vec<_> = trace.locations().iter().map(|it| it.group).collect();
        processes.sort_unstable();
        processes.dedup();
        let mut counts = counts.into_iter();
        let mut next = |metric: &Option<MetricMember>| metric.and_then(|_| counts.next());
        let run = Self {
            path: trace.archive().path(FileName::Anchor).display().to_string(),
            processes: processes.len() as u64,
            threads: statistics.computation.locations,
            length: statistics.known_length(),
            useful: statistics.computation.sum,
            efficiency: statistics.efficiency(),
            instructions: next(&metrics[0]),
            cycles: next(&metrics[1]),
            paths: RunPaths::of(trace, &profile),
        };
        Ok((run, status))
    }
}

fn metric(trace: &Trace, names: &[&str]) -> Option<MetricMember> {
    let is_named = |it: &&MetricMember| trace.string(it.name).is_some_and(|name| names.contains(&name));
    trace.metrics().find(is_named).copied()
}

/// Returns the counts of the metrics of a profile in calls that compute.
fn counts(trace: &Trace, profile: &Profile) -> Vec<f64> {
    let classes = Class::of_contexts(trace, &profile.contexts);
    let mut counts = vec![0.0; profile.metrics.len()];
    let total = profile.total();
    let computing = total.metrics.iter().filter(|it| classes[it.0.index()] == Class::Computation);
    for (_, sums) in computing {
        for ((count, sums), metric) in counts.iter_mut().zip(sums.iter()).zip(&profile.metrics) {
            *count += sums.exclusive.number(metric);
        }
    }
    counts
}
