//! One location for which the others wait.

use super::outliers::is_outlier;
use super::{Certainty, Fact, Finding, Run, nanoseconds, share};
use crate::class::Class;
use crate::contexts::ContextId;
use crate::waits::WaitKind;
use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;

/// Returns the location that is to blame for most of the waiting, if it stands out: for at least
/// half of all waiting, or as an outlier.
///
/// The gain is the time that the critical path would not have on the location if it spent the mean
/// time of the others in each context. Contexts that are its work alone are serial phases.
pub(super) fn of(run: &Run<'_>) -> Vec<Finding> {
    let mut blame: BTreeMap<LocationRef, u128> = run.causes.spans.keys().map(|id| (*id, 0)).collect();
    for ((_, location), times) in &run.causes.places {
        *blame.entry(*location).or_default() += times.blame;
    }
    let all: Vec<u128> = blame.values().copied().collect();
    let total = run.causes.statistics.waits.total();
    let most = blame.into_iter().rev().max_by_key(|(_, blame)| *blame);
    let stands_out = |blame: u128| blame > 0 && (blame * 2 >= total || is_outlier(blame, &all));
    let Some((location, blame)) = most.filter(|(_, blame)| stands_out(*blame)) else { return Vec::new() };
    let mut gain = 0;
    let mut top: Option<(ContextId, u128, u128)> = None;
    for ((context, _), times) in run.causes.places.iter().filter(|((_, id), _)| *id == location) {
        let class = run.class(*context);
        if class == Class::Communication || run.is_own_work(*context, times.working) {
            continue;
        }
        let more = times.working - run.mean_of_others(*context, times.working).min(times.working);
        gain += times.critical * more / times.working.max(1);
        if top.is_none_or(|(_, most, _)| times.blame > most) {
            top = Some((*context, times.blame, times.working));
        }
    }
    let Some((context, blame_of_context, working)) = top else { return Vec::new() };
    let fact = Fact::Straggler {
        location,
        blame,
        share: share(blame, total),
        context: (context, share(blame_of_context, blame)),
        kind: most_frequent_kind(run, location),
        times: (working, run.mean_of_others(context, working)),
    };
    let evidence = run.longest_wait_for(location);
    vec![Finding { fact, gain: nanoseconds(gain), certainty: Certainty::Estimated, evidence }]
}

/// Returns the kind of most waiting for a location.
fn most_frequent_kind(run: &Run<'_>, location: LocationRef) -> WaitKind {
    let caused = run.causes.statistics.waits.caused.iter();
    let of_location = caused.filter(|((_, cause), _)| *cause == location);
    of_location.max_by_key(|(_, time)| **time).map_or(WaitKind::LateSender, |((kind, _), _)| *kind)
}
