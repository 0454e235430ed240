//! Computation of the first thread of a process while its other threads are in no team.

use super::finding::{Certainty, Evidence, Fact, Finding, nanoseconds};
use super::run::Run;
use crate::class::Class;
use crate::contexts::ContextId;
use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;

/// The largest number of places.
const MOST: usize = 3;

/// Returns the places outside of parallel regions at which the critical path is on a thread whose
/// process has others.
///
/// The gain is that of dividing the work evenly among the threads of the process. Processes whose
/// threads are idle for a shorter time have teams without parallel regions, so that the places
/// outside of them are not known.
pub(super) fn of(run: &Run<'_>) -> Vec<Finding> {
    let (mut gains, mut times) = (vec![0; run.work.len()], vec![0; run.work.len()]);
    let mut processes = BTreeMap::new();
    for (first_thread, others) in &run.teams {
        let outside: Vec<_> = outside_teams(run, *first_thread).collect();
        let time: u128 = outside.iter().map(|(_, critical)| u128::from(*critical)).sum();
        if time * u128::from(others.count) > others.idle {
            continue;
        }
        processes.insert(*first_thread, others.count);
        for (place, critical) in outside {
            let (critical, count) = (i128::from(critical), i128::from(others.count));
            gains[place.index()] += critical * count / (count + 1);
            times[place.index()] += critical;
        }
    }
    let mut findings = Vec::new();
    while let Some((place, gain)) = run.work.main_place(&gains).filter(|_| findings.len() < MOST) {
        let time = run.work.inclusive(&times)[place.index()].unsigned_abs();
        let Some((location, others)) = most_in(run, &processes, place) else { break };
        findings.push(Finding {
            fact: Fact::IdleThreads { location, time, place, others },
            gain: nanoseconds(gain.unsigned_abs()),
            certainty: Certainty::Estimated,
            evidence: Evidence { time: None, locations: vec![location] },
        });
        run.work.remove(place, &mut gains);
        run.work.remove(place, &mut times);
    }
    findings
}

/// Returns the places of computation of a first thread outside of parallel regions, with the time
/// of the critical path there.
fn outside_teams<'r>(run: &'r Run<'_>, id: LocationRef) -> impl Iterator<Item = (ContextId, u64)> + 'r {
    // The path through other kinds of work is found as that.
    let is_outside = |place| {
        run.work.class(place) == Class::Computation && run.is_work(place) && !run.work.is_parallel(place)
    };
    let places = run.of_location(id).filter(move |(place, _)| is_outside(*place));
    places.map(|(place, times)| (place, nanoseconds(times.critical)))
}

/// Returns the first thread on which most of the critical path at a place is, and the number of the
/// other threads of its process.
fn most_in(
    run: &Run<'_>,
    processes: &BTreeMap<LocationRef, u64>,
    place: ContextId,
) -> Option<(LocationRef, u64)> {
    let is_there = |it: ContextId| it == place || place != ContextId::ROOT && run.work.is_inside(it, place);
    let time = |(id, _): &(&LocationRef, &u64)| -> u64 {
        outside_teams(run, **id).filter(|(it, _)| is_there(*it)).map(|(_, critical)| critical).sum()
    };
    processes.iter().rev().max_by_key(time).map(|(id, others)| (*id, *others))
}
