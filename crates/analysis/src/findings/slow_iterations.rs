//! Iterations that take longer than the others, or longer and longer.

use super::finding::{Certainty, Evidence, Fact, Finding};
use super::run::Run;
use crate::iterations::Iterations;

/// The least number of iterations in which one can stand out.
const LEAST: usize = 5;

/// Returns the iterations that take far longer than the others, and a trend to longer ones, if most
/// of the time is in iterations.
///
/// The gain is their time beyond the median, or beyond the first one by the trend, or the shortest
/// one if that is longer.
pub(super) fn of(run: &Run<'_>) -> Vec<Finding> {
    let Some(iterations) = &run.causes.iterations else { return Vec::new() };
    if iterations.all.len() < LEAST || !iterations.is_most() {
        return Vec::new();
    }
    outliers(run, iterations).into_iter().chain(trend(run, iterations)).collect()
}

fn outliers(run: &Run<'_>, iterations: &Iterations) -> Option<Finding> {
    let (lengths, median) = (iterations.lengths(), iterations.median());
    let mut slow = iterations.outliers();
    slow.retain(|number| lengths[*number] > median);
    let longest = *slow.iter().max_by(|one, other| lengths[**one].total_cmp(&lengths[**other]))?;
    let more: f64 = slow.iter().map(|number| lengths[*number] - median).sum();
    let (_, location) = iterations.all[longest].busiest;
    Some(Finding {
        fact: Fact::SlowIterations {
            place: run.work.of_call(iterations.context),
            slow: slow.len() as u64,
            all: iterations.all.len() as u64,
            median: median as u64,
            longest: (longest as u64, lengths[longest] as u64),
            location,
        },
        gain: more as u64,
        certainty: Certainty::Estimated,
        evidence: evidence(iterations, longest),
    })
}

fn trend(run: &Run<'_>, iterations: &Iterations) -> Option<Finding> {
    let slope = iterations.trend.filter(|slope| *slope > 0.0)?;
    let (lengths, median) = (iterations.lengths(), iterations.median());
    let shortest = lengths.iter().copied().fold(f64::INFINITY, f64::min);
    // Where iterations become longer at an increasing pace, the slope leads to less than nothing.
    let first = (median - slope * (lengths.len() - 1) as f64 / 2.0).max(shortest);
    let more: f64 = lengths.iter().map(|length| (length - first).max(0.0)).sum();
    Some(Finding {
        fact: Fact::SlowerIterations {
            place: run.work.of_call(iterations.context),
            all: iterations.all.len() as u64,
            median: median as u64,
            slope,
        },
        gain: more as u64,
        certainty: Certainty::Estimated,
        evidence: evidence(iterations, iterations.all.len() - 1),
    })
}

fn evidence(iterations: &Iterations, number: usize) -> Evidence {
    let iteration = iterations.all.get(number);
    Evidence {
        time: iteration.map(|it| it.span),
        locations: iteration.map(|it| it.busiest.1).into_iter().filter(|it| it.is_defined()).collect(),
    }
}
