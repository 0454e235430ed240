//! How long messages take, by their lengths.
//!
//! The transfer of a message can be seen if the receiver is in the call that completes the receive,
//! and no other operation, when the last one of the sender and the receiver comes: it takes from
//! then until the end of that call. The fastest ones say what the network can do, and the median
//! how much slower most are.

use crate::communication::{Matched, Pair};
use crate::functions::CommunicationFunctions;
use crate::location_nodes::LocationNodes;
use crate::trace::Trace;
use crate::waits::EnclosingCall;
use std::collections::BTreeMap;

/// The length in bytes below which a message is small.
pub const SMALL: u64 = 1024;

/// The least number of transfers whose distribution is known.
pub const ENOUGH: u64 = 20;

/// The messages of a trace by length.
#[derive(Debug, Default)]
pub struct MessageTimes {
    /// By the binary logarithm of the length, inside nodes and between them.
    pub classes: BTreeMap<LengthClass, ClassTimes>,
    /// Those shorter than [`SMALL`].
    pub small: SmallMessages,
    nodes: LocationNodes,
}

/// Messages of similar lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LengthClass {
    /// Whether sender and receiver run on different nodes.
    pub between_nodes: bool,
    /// The number of binary digits of the length, in bytes.
    pub digits: u32,
}

impl LengthClass {
    /// Returns the shortest length, in bytes.
    pub fn shortest(self) -> u64 {
        self.digits.checked_sub(1).map_or(0, |digits| 1 << digits)
    }
}

/// The messages of a class.
#[derive(Debug, Clone, Default)]
pub struct ClassTimes {
    /// Their number.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The transfers that can be seen.
    pub transfers: Transfers,
}

/// Transfers that can be seen. Times are in nanoseconds.
#[derive(Debug, Clone, Default)]
pub struct Transfers {
    /// Their number.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The sum of their times.
    pub time: u128,
    /// Their numbers by time: see [`bucket`].
    buckets: Vec<u64>,
}

/// Short messages.
#[derive(Debug, Clone, Copy, Default)]
pub struct SmallMessages {
    /// Their number.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// The number of buckets for the times of a power of two: they are exact to 2 %.
const PARTS: u32 = 5;

/// Returns the bucket of a time.
fn bucket(time: u64) -> usize {
    match time.checked_ilog2() {
        Some(digits) if digits > PARTS => {
            let shift = digits - PARTS;
            ((shift as usize + 1) << PARTS) + (time >> shift) as usize - (1 << PARTS)
        }
        _ => time as usize,
    }
}

/// Returns the middle of the times in a bucket.
fn middle(bucket: usize) -> f64 {
    match (bucket >> PARTS).checked_sub(1) {
        Some(shift) => {
            (((bucket & ((1 << PARTS) - 1)) + (1 << PARTS)) as f64 + 0.5) * (shift as f64).exp2() - 0.5
        }
        None => bucket as f64,
    }
}

impl Transfers {
    fn add(&mut self, bytes: u64, time: u64) {
        self.count += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        self.time += u128::from(time);
        let bucket = bucket(time);
        if bucket >= self.buckets.len() {
            self.buckets.resize(bucket + 1, 0);
        }
        self.buckets[bucket] += 1;
    }

    /// Returns the bytes of all transfers by their times, in bytes per second; `None` for fewer
    /// than [`ENOUGH`].
    pub fn bandwidth(&self) -> Option<f64> {
        let is_known = self.count >= ENOUGH && self.time > 0;
        is_known.then(|| self.bytes as f64 * 1e9 / self.time as f64)
    }

    /// Returns the time that a part of the transfers, between 0 and 1, does not exceed; `None` for
    /// fewer than [`ENOUGH`].
    pub fn quantile(&self, part: f64) -> Option<f64> {
        let place = (part * (self.count as f64 - 1.0)).round() as u64;
        let mut before = 0;
        let found = self.buckets.iter().position(|count| {
            before += count;
            before > place
        });
        found.filter(|_| self.count >= ENOUGH).map(middle)
    }
}

impl MessageTimes {
    /// Adds a message; operations of other kinds do not count.
    pub(crate) fn add(
        &mut self,
        trace: &Trace,
        functions: &CommunicationFunctions,
        matched: &Matched<EnclosingCall>,
    ) {
        let Matched::Message(Pair { send: Some(send), receive: Some(receive), .. }) = matched else { return };
        let nodes = [send, receive].map(|side| self.nodes.of(trace, side.location));
        let length = send.part.length;
        let digits = u64::BITS - length.leading_zeros();
        let class =
            self.classes.entry(LengthClass { between_nodes: nodes[0] != nodes[1], digits }).or_default();
        class.count += 1;
        class.bytes = class.bytes.saturating_add(length);
        let [sent, received] = [&send.known, &receive.known];
        let is_known =
            [sent, received].iter().all(|call| functions.get(call.region).is_some() && call.has_end());
        let posted = receive.part.posted.map_or(received.start, |post| post.start);
        let ready = sent.start.max(posted);
        let is_seen = received.waiting <= 1 && (received.start..=received.end).contains(&ready);
        if is_known && is_seen {
            class.transfers.add(length, received.end - ready);
        }
        if length < SMALL {
            self.small.count += 1;
            self.small.bytes += length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_in_order_and_exact_to_two_per_cent() {
        let mut last = 0;
        for time in (0..10_000)
            .chain((14..63).flat_map(|digits| [1 << digits, (1 << digits) + (1 << (digits - 1)) + 7]))
        {
            let bucket = bucket(time);
            assert!(bucket >= last, "{time}");
            last = bucket;
            let middle = middle(bucket);
            assert!((middle - time as f64).abs() <= 0.016 * time as f64 + 0.5, "{time}: {middle}");
        }
    }

    #[test]
    fn quantiles_are_those_of_the_times() {
        let mut transfers = Transfers::default();
        (1..=ENOUGH - 1).for_each(|time| transfers.add(8, time));
        assert_eq!(transfers.quantile(0.5), None);
        transfers.add(8, ENOUGH);
        transfers.add(8, ENOUGH + 1);
        assert_eq!(
            [0.0, 0.05, 0.5, 1.0].map(|part| transfers.quantile(part)),
            [1.0, 2.0, 11.0, 21.0].map(Some)
        );
    }

    #[test]
    fn classes_begin_at_powers_of_two() {
        let class = |digits| LengthClass { between_nodes: false, digits }.shortest();
        assert_eq!([0, 1, 2, 11, 64].map(class), [0, 1, 2, 1024, 1 << 63]);
    }
}
