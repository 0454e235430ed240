//! Phases in which one location works, and all others wait for it.

use super::finding::{Certainty, Fact, Finding, nanoseconds};
use super::run::Run;
use kymo_otf2::references::LocationRef;
use std::collections::BTreeSet;

/// The largest number of phases of a location.
const MOST: usize = 3;

/// Returns the places at which a location works that is the only one to do so, while all others
/// wait for it.
///
/// The gain is that of dividing the work evenly among all locations.
pub(super) fn of(run: &Run<'_>) -> Vec<Finding> {
    let locations: BTreeSet<_> =
        run.places.iter().filter(|(_, times)| times.serial > 0).map(|((location, _), _)| *location).collect();
    locations.into_iter().flat_map(|location| of_location(run, location)).collect()
}

fn of_location(run: &Run<'_>, location: LocationRef) -> Vec<Finding> {
    let own = run
        .of_location(location)
        .filter(|(place, times)| run.is_work(*place) && run.is_own_work(location, *place, times.working));
    let mut amounts = run.amounts(own.map(|(place, times)| (place, times.serial)));
    let others = run.threads().saturating_sub(1);
    let mut findings = Vec::new();
    while let Some((place, time)) = run.work.main_place(&amounts).filter(|_| findings.len() < MOST) {
        let (class, others) = (run.work.main_class(place, &amounts), nanoseconds(others));
        run.work.remove(place, &mut amounts);
        let time = time.unsigned_abs();
        let fact = Fact::Serial { location, time, place, class, others };
        let gain = nanoseconds(time * u128::from(others) / run.threads().max(1));
        let evidence = run.longest_wait_for(location);
        findings.push(Finding { fact, gain, certainty: Certainty::Estimated, evidence });
    }
    findings
}
