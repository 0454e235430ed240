//! Phases in which one location works, and all others wait for it.

use super::{Certainty, Fact, Finding, Run, nanoseconds};
use crate::class::Class;

/// Returns the contexts in which a location works that is the only one to do so, while all others
/// wait for it.
///
/// The gain is that of dividing the work evenly among all locations.
pub(super) fn of(run: &Run<'_>) -> Vec<Finding> {
    let serial = run.causes.places.iter().filter(|((context, _), times)| {
        let class = run.class(*context);
        times.serial > 0 && class != Class::Communication && run.is_own_work(*context, times.working)
    });
    let finding = |((context, location), times): (&_, &crate::causes::PlaceTimes)| {
        let others = run.masters().saturating_sub(1);
        let fact = Fact::Serial {
            location: *location,
            time: times.serial,
            context: *context,
            class: run.class(*context),
            others: nanoseconds(others),
        };
        let gain = nanoseconds(times.serial * others / run.masters().max(1));
        Finding { fact, gain, certainty: Certainty::Estimated, evidence: run.longest_wait_for(*location) }
    };
    serial.map(finding).collect()
}
