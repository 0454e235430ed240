//! Numbers of messages that both sides know without each other.

use super::operation::{Instance, MessageEnd};
use crate::channel::{Channel, Direction};
use crate::communicators::Scope;
use foldhash::HashMap;

/// Numbers the messages of a location so that the send and the receive of a message have the same
/// number.
///
/// The number is a hash of the channel, the length, and how many messages with these were sent or
/// received before: the rule of [`Unmatched`](super::Unmatched), which prefers equal lengths. It
/// fails where several threads of a process send on one channel, after a send was cancelled, and
/// for messages whose start or end is not selected.
#[derive(Debug, Default)]
pub struct Flows {
    counts: HashMap<(Channel, Direction, u64), u64>,
}

impl Flows {
    /// Returns the number of the next message, which is not 0.
    pub fn number(&mut self, end: &MessageEnd) -> u64 {
        let count = self.counts.entry((end.channel, end.direction, end.length)).or_default();
        *count += 1;
        let Channel { communicator, own, sender, receiver, tag } = end.channel;
        let own = own.map_or(0, |process| process.number().saturating_add(1));
        let ranks = [sender, receiver].map(|it| u64::from(it.side) << 32 | u64::from(it.rank));
        let words = [communicator.0.into(), own, ranks[0], ranks[1], tag.into(), end.length, *count];
        words.into_iter().fold(0, mixed).max(1)
    }
}

impl Instance {
    /// Returns a number that is the same for all members, and not 0: a hash.
    pub fn key(&self) -> u64 {
        let (kind, scope) = match self.scope {
            Scope::Communicator(id) => (0, id.0),
            Scope::Window(id) => (1, id.0),
        };
        let own = self.own.map_or(0, |process| process.number().saturating_add(1));
        let unordered = self.unordered.map_or(0, |operation| u64::from(operation.0) + 1);
        [kind, scope.into(), own, unordered, self.number].into_iter().fold(0, mixed).max(1)
    }
}

/// Mixes a word into a hash: one step of SplitMix64.
fn mixed(hash: u64, word: u64) -> u64 {
    let mut mixed = (hash ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
