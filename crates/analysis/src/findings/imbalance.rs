//! Work that takes different times on different locations.

use super::{Certainty, Evidence, Fact, Finding, Run, nanoseconds};
use crate::class::Class;
use crate::contexts::ContextId;
use kymo_otf2::references::LocationRef;

/// Returns the contexts in which the critical path is longer than the mean of the locations.
///
/// The difference is the gain of balancing the work (Böhme et al., IPDPS 2012). What another
/// finding says of the same context is left out.
pub(super) fn of(run: &Run<'_>, others: &[Finding]) -> Vec<Finding> {
    if run.masters() < 2 {
        return Vec::new();
    }
    let contexts = run.causes.by_context.iter().filter(|(context, times)| {
        times.critical > 0
            && run.class(**context) != Class::Communication
            && !others.iter().any(|it| says_so(run, &it.fact, **context, times.critical))
    });
    let finding = |(context, times): (&ContextId, &crate::causes::PlaceTimes)| {
        let mean = times.working / run.masters();
        let gain = nanoseconds(times.critical.saturating_sub(mean));
        let locations: Vec<_> = longest_on_path(run, *context).into_iter().collect();
        let fact = Fact::Imbalance { context: *context, critical: times.critical, mean };
        let time = locations.first().and_then(|it| run.causes.longest_caused.get(it));
        let time = time.map(|wait| (wait.start, wait.end));
        Finding { fact, gain, certainty: Certainty::Estimated, evidence: Evidence { time, locations } }
    };
    contexts.map(finding).collect()
}

/// Returns whether a finding speaks of a context, most of which on the critical path is on its
/// location.
fn says_so(run: &Run<'_>, fact: &Fact, context: ContextId, critical: u128) -> bool {
    let of_location =
        |location: LocationRef| run.causes.places.get(&(context, location)).map_or(0, |times| times.critical);
    match fact {
        Fact::Straggler { location, .. } => of_location(*location) * 5 >= critical * 4,
        other => other.context() == context,
    }
}

/// Returns the location on which the critical path is longest in a context.
fn longest_on_path(run: &Run<'_>, context: ContextId) -> Option<LocationRef> {
    let of_context = run.causes.places.iter().filter(|((it, _), _)| *it == context);
    of_context.rev().max_by_key(|(_, times)| times.critical).map(|((_, location), _)| *location)
}
