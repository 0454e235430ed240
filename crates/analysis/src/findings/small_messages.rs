//! Communication that consists of short messages.

use super::run::Run;
use super::{Certainty, Evidence, Fact, Finding, nanoseconds, share};
use crate::class::Class;
use crate::message_times::SMALL;

/// Returns whether locations spend most of their time in communication, beside waiting and starting
/// MPI, in calls that send and receive short messages.
///
/// The gain is the mean time that a location would lose if the same bytes were in messages of
/// [`SMALL`] bytes that take as long.
pub(super) fn of(run: &Run<'_>) -> Option<Finding> {
    let small = &run.causes.message_times.small;
    let time = small.time();
    let places = || {
        let is_one = |place: &_| run.work.class(*place) == Class::Communication && !run.is_startup(*place);
        run.work.tree.iter().filter(is_one)
    };
    let communication: u128 = places().map(|place| run.all_at(place).working).sum();
    if time * 2 <= communication || small.count == 0 {
        return None;
    }
    let (region, _) = small.times.iter().max_by_key(|(_, time)| **time)?;
    let of_region = places().filter(|place| run.work.tree.region(*place) == *region);
    let place = of_region.max_by_key(|place| run.all_at(*place).working)?;
    let fewer = 1.0 - share(small.bytes.into(), u128::from(small.count) * u128::from(SMALL));
    Some(Finding {
        fact: Fact::SmallMessages {
            place,
            count: small.count,
            bytes: small.bytes,
            time,
            share: share(time, communication).min(1.0),
        },
        gain: (nanoseconds(time / run.comparable().max(1)) as f64 * fewer) as u64,
        certainty: Certainty::Estimated,
        evidence: Evidence::default(),
    })
}
