//! Messages that may belong together, and the rule by which sends and receives do.

use crate::communicators::{Communicators, Process, Rank};
use foldhash::{HashMap, HashMapExt};
use kymo_otf2::events::{Event, MpiProbe};
use kymo_otf2::references::*;
use std::collections::VecDeque;

/// The sends and receives that may match: those with the same communicator, ranks and tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Channel {
    /// The communicator.
    pub communicator: CommRef,
    /// The process, for communicators that exist once per location.
    pub own: Option<Process>,
    /// The rank of the sender.
    pub sender: Rank,
    /// The rank of the receiver.
    pub receiver: Rank,
    /// The tag.
    pub tag: u32,
}

/// Why a message has no channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoChannel {
    /// The members of the communicator are not known.
    Unknown,
    /// The location is not a member of the communicator.
    NotAMember,
    /// The other rank is not one of the communicator, which has this many.
    OutOfRange(u32),
}

/// Whether a message is sent or received.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// It is sent.
    Send,
    /// It is received.
    Receive,
}

impl Direction {
    /// Returns the direction of the other side.
    pub fn other(self) -> Self {
        match self {
            Self::Send => Self::Receive,
            Self::Receive => Self::Send,
        }
    }
}

/// The fields that sends and receives share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// Whether it is sent or received.
    pub direction: Direction,
    /// The rank of the other side, as recorded.
    pub remote: u32,
    /// The communicator.
    pub communicator: CommRef,
    /// The tag.
    pub tag: u32,
    /// The length in bytes.
    pub length: u64,
    /// The request of a non-blocking operation.
    pub request: Option<u64>,
}

impl Message {
    /// Returns the message of an event that sends, or that completes a receive, unless it receives
    /// the message of a probe.
    pub fn of(event: &Event<'_>) -> Option<Self> {
        use Direction::{Receive, Send};
        let (direction, remote, communicator, tag, length, request) = match event {
            Event::MpiSend(it) => (Send, it.receiver, it.communicator, it.msg_tag, it.msg_length, None),
            Event::MpiRecv(it) => (Receive, it.sender, it.communicator, it.msg_tag, it.msg_length, None),
            Event::MpiIsend(it) => {
                (Send, it.receiver, it.communicator, it.msg_tag, it.msg_length, Some(it.request_id))
            }
            Event::MpiIrecv(it) => {
                (Receive, it.sender, it.communicator, it.msg_tag, it.msg_length, Some(it.request_id))
            }
            _ => return None,
        };
        Some(Self { direction, remote, communicator, tag, length, request })
    }

    /// Returns the message of a probe as if it had been received where it was found.
    pub fn probed(probe: &MpiProbe, length: u64, request: Option<u64>) -> Self {
        let (remote, communicator, tag) = (probe.sender, probe.communicator, probe.tag);
        Self { direction: Direction::Receive, remote, communicator, tag, length, request }
    }

    /// Returns the channel of a message of this location.
    ///
    /// # Errors
    ///
    /// If the communicator is not known, or one of the ranks does not belong to it.
    pub fn channel(
        &self,
        communicators: &Communicators,
        location: LocationRef,
        process: Process,
    ) -> Result<Channel, NoChannel> {
        let communicator = communicators.get(self.communicator).ok_or(NoChannel::Unknown)?;
        let mine = communicator.rank(location, process).ok_or(NoChannel::NotAMember)?;
        let side = communicator.other_side(mine.side);
        let size = communicator.size(side);
        if self.remote >= size {
            return Err(NoChannel::OutOfRange(size));
        }
        let remote = Rank { side, rank: self.remote };
        let (sender, receiver) = match self.direction {
            Direction::Send => (mine, remote),
            Direction::Receive => (remote, mine),
        };
        let own = communicator.is_self().then_some(process);
        Ok(Channel { communicator: self.communicator, own, sender, receiver, tag: self.tag })
    }
}

/// The number of messages among which one of equal length is searched for.
const UNDER_WAY: usize = 1024;

/// Sends and receives without a match, each with a length and the user's data.
///
/// They are matched in order. Receives of a channel that were posted together may complete in any
/// order, and only the completion is recorded. So the first one of equal length is chosen, or else
/// the first one.
#[derive(Debug)]
pub struct Unmatched<T> {
    channels: HashMap<Channel, Queues<T>>,
}

/// The unmatched halves of a channel; one of the queues is empty.
#[derive(Debug)]
struct Queues<T> {
    sends: VecDeque<(u64, T)>,
    receives: VecDeque<(u64, T)>,
}

impl<T> Queues<T> {
    fn of(&mut self, direction: Direction) -> &mut VecDeque<(u64, T)> {
        match direction {
            Direction::Send => &mut self.sends,
            Direction::Receive => &mut self.receives,
        }
    }

    fn is_empty(&self) -> bool {
        self.sends.is_empty() && self.receives.is_empty()
    }
}

impl<T> Default for Queues<T> {
    fn default() -> Self {
        Self { sends: VecDeque::new(), receives: VecDeque::new() }
    }
}

impl<T> Default for Unmatched<T> {
    fn default() -> Self {
        Self { channels: HashMap::new() }
    }
}

impl<T> Unmatched<T> {
    /// Removes the other half of a message and returns it with this one, or keeps this one if there
    /// is no other.
    pub fn exchange(
        &mut self,
        channel: Channel,
        direction: Direction,
        length: u64,
        half: T,
    ) -> Option<(T, T)> {
        let queues = self.channels.entry(channel).or_default();
        let others = queues.of(direction.other());
        let equal = others.iter().take(UNDER_WAY).position(|other| other.0 == length);
        let Some((_, other)) = others.remove(equal.unwrap_or(0)) else {
            queues.of(direction).push_back((length, half));
            return None;
        };
        if queues.is_empty() {
            self.channels.remove(&channel);
        }
        Some((other, half))
    }

    /// Removes the last half of a channel that `is_it` selects.
    pub fn remove(&mut self, channel: Channel, is_it: impl Fn(&T) -> bool) {
        let Some(queues) = self.channels.get_mut(&channel) else { return };
        for queue in [&mut queues.sends, &mut queues.receives] {
            if let Some(place) = queue.iter().rposition(|(_, half)| is_it(half)) {
                queue.remove(place);
                break;
            }
        }
        if queues.is_empty() {
            self.channels.remove(&channel);
        }
    }

    /// Removes and returns all halves, in no particular order of the channels.
    pub fn take(&mut self) -> impl Iterator<Item = (Channel, Direction, u64, T)> + use<'_, T> {
        self.channels.drain().flat_map(|(channel, queues)| {
            let sends = queues.sends.into_iter().map(move |it| (channel, Direction::Send, it.0, it.1));
            let receives =
                queues.receives.into_iter().map(move |it| (channel, Direction::Receive, it.0, it.1));
            sends.chain(receives)
        })
    }

    /// Returns the number of channels with unmatched halves.
    pub fn channels(&self) -> usize {
        self.channels.len()
    }
}
