//! Messages by size and partner.

use super::windows::Amount;
use crate::communication::Pair;
use crate::trace::Trace;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;

/// The messages of a trace.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// The messages with both sides, by sender and receiver.
    pub pairs: BTreeMap<(LocationRef, LocationRef), Amount>,
    /// The messages with both sides, by the number of bits of their length: 0 for empty ones, n for
    /// lengths of at least 2ⁿ⁻¹ and less than 2ⁿ bytes.
    pub sizes: BTreeMap<u32, Amount>,
    /// The sends without a receive.
    pub unmatched_sends: Amount,
    /// The receives without a send.
    pub unmatched_receives: Amount,
    /// The messages whose sides differ in length.
    pub different_lengths: u64,
    /// The receives that ended before the send, by clocks that contradict each other.
    pub backward: u64,
    /// The messages whose communicator is not known, or does not have the ranks.
    pub unknown: u64,
    /// The time from send to receive of all messages, in nanoseconds.
    pub transit: u128,
}

impl Messages {
    /// Returns the number of messages with both sides, and their bytes.
    pub fn total(&self) -> Amount {
        let mut total = Amount::default();
        for amount in self.sizes.values() {
            total += *amount;
        }
        total
    }

    /// Adds a message.
    pub fn add<T>(&mut self, pair: &Pair<T>) {
        match (&pair.send, &pair.receive) {
            (Some(send), Some(receive)) => {
                let length = send.part.length;
                self.pairs.entry((send.location, receive.location)).or_default().one(length);
                self.sizes.entry(bits(length)).or_default().one(length);
                self.different_lengths += u64::from(length != receive.part.length);
                self.backward += u64::from(receive.time < send.time);
                self.transit += u128::from(receive.time.saturating_sub(send.time));
            }
            (Some(send), None) => self.unmatched_sends.one(send.part.length),
            (None, Some(receive)) => self.unmatched_receives.one(receive.part.length),
            (None, None) => {}
        }
    }
}

/// Returns the number of bits of a length.
fn bits(length: u64) -> u32 {
    u64::BITS - length.leading_zeros()
}

/// The collective operations of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Collectives {
    /// The number of operations, each of all members together.
    pub operations: u64,
    /// The number of parts of members.
    pub parts: u64,
    /// The bytes that members sent, and that they received.
    pub sent: u64,
    /// The bytes that members received.
    pub received: u64,
    /// The time of all parts, in nanoseconds.
    pub time: u128,
    /// The operations in which members are missing.
    pub incomplete: u64,
}

/// The collective operations by kind.
pub type CollectivesByKind = BTreeMap<CollectiveOp, Collectives>;

/// Adds a collective operation.
pub(super) fn add_collective<T>(
    kinds: &mut CollectivesByKind,
    trace: &Trace,
    collective: &crate::communication::Collective<T>,
) {
    let Some(first) = collective.members.first() else { return };
    let sums = kinds.entry(first.part.operation).or_default();
    let scope = first.part.scope;
    let members = trace.communicator_of(scope).map_or(1, |it| it.members());
    let parts = collective.members.len() as u64;
    sums.operations += u64::from(collective.instance.is_some());
    sums.incomplete += u64::from(collective.instance.is_some() && parts < members);
    sums.parts += parts;
    for member in &collective.members {
        sums.sent = sums.sent.saturating_add(member.part.sent);
        sums.received = sums.received.saturating_add(member.part.received);
        sums.time += u128::from(member.time.saturating_sub(member.part.start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_classes_of_powers_of_two() {
        assert_eq!([0, 1, 2, 3, 4, 1023, 1024, u64::MAX].map(bits), [0, 1, 2, 2, 3, 10, 11, 64]);
    }
}
