//! One location for which the others wait.

use super::finding::{Certainty, Fact, Finding, nanoseconds, share};
use super::run::Run;
use crate::contexts::ContextId;
use crate::robust::RobustSpread;
use crate::waits::WaitKind;
use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;

/// Returns the location that is to blame for most of the waiting, if it stands out: for at least
/// half of all waiting, or as an outlier.
///
/// The gain is the time that the critical path would not have on the location if it spent the mean
/// time of the others at each place, but not more than others waited because of it. Its serial
/// phases are findings of their own.
pub(super) fn of(run: &Run<'_>, serial: &[Finding]) -> Vec<Finding> {
    // Threads that do nothing alone are compared as well; metrics and devices are not.
    let mut blame: BTreeMap<LocationRef, u128> =
        run.causes.comparable_locations.iter().map(|id| (*id, 0)).collect();
    for ((location, _), times) in &run.places {
        *blame.entry(*location).or_default() += times.blame;
    }
    let all: Vec<f64> = blame.values().map(|it| *it as f64).collect();
    let is_outlier =
        |blame: u128| RobustSpread::of(&all).is_some_and(|spread| spread.is_far_above(blame as f64));
    let total = run.causes.statistics.waits.total();
    let most = blame.into_iter().rev().max_by_key(|(_, blame)| *blame);
    let stands_out = |blame: u128| blame > 0 && (blame * 2 > total || is_outlier(blame));
    let Some((location, blame)) = most.filter(|(_, blame)| stands_out(*blame)) else { return Vec::new() };
    let common: Vec<_> = run
        .of_location(location)
        .filter(|(place, _)| run.is_work(*place) || *place == ContextId::ROOT && run.samples_are_whole)
        .filter(|(place, _)| !serial.iter().any(|it| is_in_phase(run, &it.fact, location, *place)))
        .collect();
    let gain = common.iter().map(|(place, times)| {
        let more = times.working.saturating_sub(run.mean_of_others(location, *place, times.working));
        times.critical * more / times.working.max(1)
    });
    // Time for which others do not wait does not delay them.
    let gain = nanoseconds(gain.sum::<u128>().min(blame));
    let outside = run.places.get(&(location, ContextId::ROOT)).map_or(0, |times| times.blame);
    let in_calls = common.iter().filter(|(place, _)| *place != ContextId::ROOT);
    let amounts = run.amounts(in_calls.map(|(place, times)| (*place, times.blame)));
    let main = || run.work.main_place(&amounts).map(|(place, amount)| (place, amount.unsigned_abs()));
    let is_outside = run.samples_are_whole && outside * 2 > blame;
    let in_no_call = is_outside.then_some((ContextId::ROOT, outside));
    let Some((place, of_place)) = in_no_call.or_else(main) else { return Vec::new() };
    let is_there = |it: ContextId| match place {
        ContextId::ROOT => it == place,
        _ => run.work.is_inside(it, place),
    };
    let inside = common.iter().filter(|(it, _)| is_there(*it));
    let times = inside.fold((0, 0), |(own, others), (it, times)| {
        (own + times.working, others + run.mean_of_others(location, *it, times.working))
    });
    let fact = Fact::Straggler {
        location,
        blame,
        share: share(blame, total),
        place: (place, share(of_place, blame)),
        kind: most_frequent_kind(run, location),
        times,
    };
    let evidence = run.longest_wait_for(location);
    vec![Finding { fact, gain, certainty: Certainty::Estimated, evidence }]
}

/// Returns whether a place is in a serial phase of a location.
fn is_in_phase(run: &Run<'_>, fact: &Fact, location: LocationRef, place: ContextId) -> bool {
    match fact {
        Fact::Serial { location: own, place: phase, .. } => {
            *own == location && run.work.is_inside(place, *phase)
        }
        _ => false,
    }
}

/// Returns the kind of most waiting for a location.
fn most_frequent_kind(run: &Run<'_>, location: LocationRef) -> WaitKind {
    let caused = run.causes.statistics.waits.caused.iter();
    let of_location = caused.filter(|((_, cause), _)| *cause == location);
    of_location.max_by_key(|(_, time)| **time).map_or(WaitKind::LateSender, |((kind, _), _)| *kind)
}

/// Returns whether a finding is of a straggler, on which most of the critical path at a place is.
pub(super) fn has_most_of(run: &Run<'_>, fact: &Fact, place: ContextId) -> bool {
    let Fact::Straggler { location, .. } = fact else { return false };
    let own = run.places.get(&(*location, place)).map_or(0, |times| times.critical);
    own * 5 >= run.all_at(place).critical * 4
}
