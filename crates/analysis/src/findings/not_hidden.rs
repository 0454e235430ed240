//! Non-blocking operations that are transferred only when the program waits for them.

use super::finding::{Certainty, Evidence, Fact, Finding, nanoseconds};
use super::run::Run;
use crate::causes::Overlap;

/// Returns whether operations that were open while locations computed waited all the same.
///
/// The gain is the mean time that locations would wait less if these operations were transferred
/// meanwhile.
pub(super) fn of(run: &Run<'_>) -> Option<Finding> {
    let mut all = Overlap::default();
    let mut hideable = 0;
    let comparable = run.causes.overlap.iter().filter(|(id, _)| run.causes.comparable_locations.contains(id));
    for (_, it) in comparable.clone() {
        all += *it;
        hideable += it.hideable();
    }
    let (location, _) = comparable.max_by_key(|(_, it)| it.hideable())?;
    let place = run.causes.waited_in_background.iter().max_by_key(|(_, time)| **time);
    Some(Finding {
        fact: Fact::NotHidden {
            place: run.work.of_call(*place?.0),
            open: all.open,
            computing: all.hidden,
            waited: all.waited,
            location: *location,
        },
        gain: nanoseconds(hideable / run.comparable().max(1)),
        certainty: Certainty::Estimated,
        evidence: Evidence { time: None, locations: vec![*location] },
    })
}
