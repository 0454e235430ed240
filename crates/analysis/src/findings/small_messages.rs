//! Communication that consists of short messages.

use super::finding::{Certainty, Evidence, Fact, Finding, nanoseconds, share};
use super::run::Run;
use crate::class::Class;
use crate::contexts::ContextId;
use crate::message_times::SMALL;

/// Returns whether locations spend most of their time in communication, beside waiting and starting
/// MPI, in calls that send and receive short messages.
///
/// The gain is the mean time that a location would lose if the same bytes were in messages of
/// [`SMALL`] bytes that take as long.
pub(super) fn of(run: &Run<'_>) -> Option<Finding> {
    let small = run.causes.message_times.small;
    let of_call = |(context, time): (&ContextId, &u128)| (run.work.of_call(*context), *time);
    let times = || run.causes.small_message_times.iter().map(of_call);
    let time: u128 = times().map(|(_, time)| time).sum();
    let is_one = |place: &_| run.work.class(*place) == Class::Communication && !run.is_startup(*place);
    let places = run.work.tree.iter().filter(is_one);
    let communication: u128 = places.map(|place| run.all_at(place).working).sum();
    if time * 2 <= communication || small.count == 0 {
        return None;
    }
    let (place, _) = run.work.main_place(&run.amounts(times()))?;
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
