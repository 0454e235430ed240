//! Work that takes different times on different locations.

use super::finding::{Certainty, Evidence, Fact, Finding, nanoseconds};
use super::run::Run;
use super::straggler;
use crate::contexts::ContextId;
use kymo_otf2::references::LocationRef;

/// The largest number of places.
const MOST: usize = 3;

/// Returns the places at which the critical path is longer than the mean of the locations.
///
/// The difference is the gain of balancing the work (Böhme et al., IPDPS 2012), but not more than
/// locations waited or were not there. Places that other findings cover are left out.
pub(super) fn of(run: &Run<'_>, others: &[Finding]) -> Vec<Finding> {
    if run.comparable() < 2 {
        return Vec::new();
    }
    let is_one = run.teams.len() == 1 && run.threads() == run.comparable();
    let is_said = |place: ContextId| {
        others.iter().any(|it| match it.fact {
            Fact::Serial { place: serial, .. } => run.work.is_inside(place, serial),
            // The threads of a process do not share this work; those of several may.
            Fact::IdleThreads { place: outside, .. } => is_one && run.work.is_inside(place, outside),
            _ => straggler::has_most_of(run, &it.fact, place),
        })
    };
    let mut amounts = vec![0; run.work.len()];
    for place in run.work.tree.iter().chain([ContextId::ROOT]) {
        if run.is_work(place) && !is_said(place) {
            let (critical, mean) = times(run, place);
            amounts[place.index()] = i128::from(nanoseconds(critical)) - i128::from(nanoseconds(mean));
        }
    }
    // Work that locks keep apart takes turns on the critical path.
    let of_locks = others.iter().filter(|it| matches!(it.fact, Fact::Locks { .. }));
    let mut said: u64 = of_locks.map(|it| it.gain).sum();
    let mut findings = Vec::new();
    while let Some((place, more)) = run.work.main_place(&amounts).filter(|_| findings.len() < MOST) {
        let all = nanoseconds(more.unsigned_abs().min(run.not_working()));
        findings.push(finding(run, &amounts, place, all.saturating_sub(said)));
        said = said.saturating_sub(all);
        run.work.remove(place, &mut amounts);
    }
    findings
}

/// Returns the time of the critical path at a place, and the mean of the locations.
fn times(run: &Run<'_>, place: ContextId) -> (u128, u128) {
    let times = run.all_at(place);
    (times.critical, run.mean(place))
}

fn finding(run: &Run<'_>, amounts: &[i128], place: ContextId, gain: u64) -> Finding {
    let inside: Vec<_> = run
        .work
        .tree
        .iter()
        .chain([ContextId::ROOT])
        .filter(|it| *it == place || place != ContextId::ROOT && run.work.is_inside(*it, place))
        .filter(|it| amounts[it.index()] != 0)
        .collect();
    let (critical, mean) = inside.iter().fold((0, 0), |(critical, mean), it| {
        let (of_path, of_all) = times(run, *it);
        (critical + of_path, mean + of_all)
    });
    let locations: Vec<_> = longest_on_path(run, &inside).into_iter().collect();
    let wait = locations.first().and_then(|it| run.causes.longest_caused.get(it));
    let time = wait.map(|wait| (wait.start, wait.end));
    Finding {
        fact: Fact::Imbalance { place, critical, mean },
        gain,
        certainty: Certainty::Estimated,
        evidence: Evidence { time, locations },
    }
}

/// Returns the location on which the critical path is longest at some places.
fn longest_on_path(run: &Run<'_>, places: &[ContextId]) -> Option<LocationRef> {
    let critical = |id: &LocationRef| -> u128 {
        let of_places = places.iter().filter_map(|place| run.places.get(&(*id, *place)));
        of_places.map(|times| times.critical).sum()
    };
    run.causes.spans.keys().rev().copied().max_by_key(critical)
}
