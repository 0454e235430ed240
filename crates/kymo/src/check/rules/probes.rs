//! Messages that a probe has reserved: each has a number of its own in the process, and is received
//! once, by any thread.

use std::collections::BTreeMap;

use kymo_analysis::communication::{Channel, Process};

use super::{CheckedEvent, EventSpot};
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::HashMap;

/// A message that was found.
#[derive(Debug, Clone, Copy)]
struct Probed {
    spot: EventSpot,
    /// Unknown if the communicator is.
    channel: Option<Channel>,
}

/// The most ranges of numbers that are kept: numbers usually follow each other.
const MOST_RANGES: usize = 1 << 16;

/// The numbers that messages of a process had, as ranges: the first and the last number of each.
#[derive(Debug, Default)]
struct Numbers(BTreeMap<u64, u64>);

impl Numbers {
    /// Adds a number. Returns whether it is new.
    fn insert(&mut self, number: u64) -> bool {
        let before = self.0.range(..=number).next_back().map(|(&first, &last)| (first, last));
        if before.is_some_and(|(_, last)| number <= last) {
            return false;
        }
        let follows = before.filter(|(_, last)| last.checked_add(1) == Some(number));
        let after = number.checked_add(1).and_then(|next| self.0.remove(&next));
        if follows.is_none() && after.is_none() && self.0.len() >= MOST_RANGES {
            return true;
        }
        self.0.insert(follows.map_or(number, |(first, _)| first), after.unwrap_or(number));
        true
    }
}

/// A location with a receive that is not complete, and its channel.
type Receiving = (u64, Option<Channel>);

/// The messages that probes have reserved.
#[derive(Debug, Default)]
pub(super) struct Probes {
    /// The messages that are not received.
    probed: HashMap<(Process, u64), Probed>,
    numbers: HashMap<Process, Numbers>,
    /// The channels of non-blocking receives, by location and request, until they are complete.
    receiving: HashMap<(Process, u64), Vec<Receiving>>,
}

impl Probes {
    /// A message was reserved.
    pub(super) fn reserve(
        &mut self,
        message: u64,
        channel: Option<Channel>,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) {
        let is_new = self.numbers.entry(here.process).or_default().insert(message);
        let old = self.probed.insert((here.process, message), Probed { spot: here.spot, channel });
        match old {
            Some(Probed { spot: EventSpot { number, location, .. }, .. }) => findings.find(
                FindingKind::MessageReused,
                here.spot,
                format_args!(
                    "message {message} was reserved by event {number} of location {location} and not received"
                ),
            ),
            None if !is_new => findings.find(
                FindingKind::MessageReused,
                here.spot,
                format_args!("another message of the process had the number {message}"),
            ),
            None => {}
        }
    }

    /// Takes a message that was reserved; `None` if its channel is not known.
    pub(super) fn take(
        &mut self,
        message: u64,
        claims_all: bool,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) -> Option<Channel> {
        let probed = self.probed.remove(&(here.process, message));
        if probed.is_none() && claims_all {
            findings.find(
                FindingKind::MessageNotProbed,
                here.spot,
                format_args!("message {message} was not reserved, or is already received"),
            );
        }
        probed?.channel
    }

    /// A non-blocking receive begins.
    pub(super) fn begin(&mut self, request: u64, channel: Option<Channel>, here: &CheckedEvent<'_>) {
        let location = here.spot.location;
        let receives = self.receiving.entry((here.process, request)).or_default();
        receives.retain(|(other, _)| *other != location);
        receives.push((location, channel));
    }

    /// Takes the channel of a non-blocking receive that is complete: of this location, or else of
    /// another thread.
    pub(super) fn complete(&mut self, request: u64, here: &CheckedEvent<'_>) -> Option<Channel> {
        let receives = self.receiving.get_mut(&(here.process, request))?;
        let own = receives.iter().position(|(location, _)| *location == here.spot.location);
        let (_, channel) = receives.swap_remove(own.unwrap_or(0));
        if receives.is_empty() {
            self.receiving.remove(&(here.process, request));
        }
        channel
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_as_ranges() {
        let mut numbers = Numbers::default();
        let new = [5, 7, 6, 6, 5, 0, u64::MAX - 1, 4, 9].map(|number| numbers.insert(number));
        assert_eq!(new, [true, true, true, false, false, true, true, true, true]);
        let ranges: Vec<_> = numbers.0.into_iter().collect();
        assert_eq!(ranges, [(0, 0), (4, 7), (9, 9), (u64::MAX - 1, u64::MAX - 1)]);
    }
}
