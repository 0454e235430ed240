//! Sends and receives: every receive has its send. They are matched in order per sender, receiver,
//! communicator and tag. Ranks are those of the communicator, in inter-communicators those of the
//! other side.
//!
//! Receives with the same key that were posted together may complete in any order, and only the
//! completion is recorded. So among the messages in transit, the first one of equal length is
//! chosen, or else the first one.

use std::collections::{HashMap, VecDeque};

use kymo_otf2::events::Event;

use super::{Claims, Here, Rule, Spot};
use crate::check::communicators::Rank;
use crate::check::definitions::{DefinitionIndex, Process};
use crate::check::findings::Findings;
use crate::check::kinds::Kind;

/// The number of messages in transit among which one of equal length is searched for.
const UNDER_WAY: usize = 1024;

/// The key of messages that may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Channel {
    comm: u32,
    /// The process, for communicators that exist once per location.
    own: Option<Process>,
    sender: Rank,
    receiver: Rank,
    tag: u32,
}

#[derive(Debug, Clone, Copy)]
struct Half {
    spot: Spot,
    length: u64,
}

/// Halves without a match; one of the two queues is empty.
#[derive(Debug, Default)]
struct Open {
    sends: VecDeque<Half>,
    receives: VecDeque<Half>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Send,
    Receive,
}

/// The fields that sends and receives share.
struct Message {
    direction: Direction,
    remote: u32,
    comm: u32,
    tag: u32,
    length: u64,
}

impl Message {
    fn of(event: &Event<'_>) -> Option<Message> {
        use Direction::{Receive, Send};
        let (direction, remote, comm, tag, length) = match event {
            Event::MpiSend(it) => (Send, it.receiver, it.communicator, it.msg_tag, it.msg_length),
            Event::MpiIsend(it) => (Send, it.receiver, it.communicator, it.msg_tag, it.msg_length),
            Event::MpiRecv(it) => (Receive, it.sender, it.communicator, it.msg_tag, it.msg_length),
            Event::MpiIrecv(it) => (Receive, it.sender, it.communicator, it.msg_tag, it.msg_length),
            _ => return None,
        };
        Some(Message { direction, remote, comm: comm.0, tag, length })
    }
}

pub(super) struct Messages<'a> {
    definitions: &'a DefinitionIndex<'a>,
    claims: Claims,
    open: HashMap<Channel, Open>,
    /// The non-blocking sends that are not complete, by request: a cancelled one is not received.
    sending: HashMap<(Process, u64), (Channel, Spot)>,
}

impl<'a> Messages<'a> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'a>, claims: Claims) -> Self {
        Messages { definitions, claims, open: HashMap::new(), sending: HashMap::new() }
    }

    /// Returns the channel of a message, if its communicator is known and both ranks belong to it.
    fn channel(&self, message: &Message, here: &Here<'_>, findings: &mut Findings<'_>) -> Option<Channel> {
        let communicator = self.definitions.communicators.get(message.comm)?;
        let comm = message.comm;
        let Some(mine) = communicator.rank(here.spot.location, here.process) else {
            findings.find(
                Kind::NotAMember,
                here.spot,
                format_args!("location {} is not a member of communicator {comm}", here.spot.location),
            );
            return None;
        };
        let side = communicator.other_side(mine.side);
        let size = communicator.size(side);
        if message.remote >= size {
            findings.find(
                Kind::RankOutOfRange,
                here.spot,
                format_args!("rank {} in communicator {comm}, which has {size} ranks", message.remote),
            );
            return None;
        }
        let remote = Rank { side, rank: message.remote };
        let (sender, receiver) = match message.direction {
            Direction::Send => (mine, remote),
            Direction::Receive => (remote, mine),
        };
        let own = communicator.is_self().then_some(here.process);
        Some(Channel { comm, own, sender, receiver, tag: message.tag })
    }
}

impl Messages<'_> {
    fn requests(&mut self, channel: Option<Channel>, here: &Here<'_>) {
        match (here.event, channel) {
            (Event::MpiIsend(it), Some(channel)) => {
                self.sending.insert((here.process, it.request_id), (channel, here.spot));
            }
            (Event::MpiIsendComplete(it), _) => drop(self.sending.remove(&(here.process, it.request_id))),
            (Event::MpiRequestCancelled(it), _) => self.cancel(it.request_id, here),
            _ => {}
        }
    }

    fn cancel(&mut self, request: u64, here: &Here<'_>) {
        let Some((channel, spot)) = self.sending.remove(&(here.process, request)) else { return };
        if let Some(open) = self.open.get_mut(&channel) {
            open.sends.retain(|send| send.spot != spot);
        }
    }
}

impl Open {
    /// Adds a half, or returns its match if there is one.
    fn add(&mut self, direction: Direction, half: Half) -> Option<Half> {
        let (mine, others) = match direction {
            Direction::Send => (&mut self.sends, &mut self.receives),
            Direction::Receive => (&mut self.receives, &mut self.sends),
        };
        let equal = others.iter().take(UNDER_WAY).position(|other| other.length == half.length);
        let other = others.remove(equal.unwrap_or(0));
        if other.is_none() {
            mine.push_back(half);
        }
        other
    }

    fn is_empty(&self) -> bool {
        self.sends.is_empty() && self.receives.is_empty()
    }
}

/// Reports inconsistencies between the two halves of a message.
fn compare(send: Half, receive: Half, findings: &mut Findings<'_>) {
    let Spot { location, number, time, .. } = send.spot;
    if send.length != receive.length {
        findings.find(
            Kind::MessageLength,
            receive.spot,
            format_args!(
                "receives {} bytes where event {number} of location {location} sends {}",
                receive.length, send.length,
            ),
        );
    }
    if receive.spot.time < time {
        findings.find(
            Kind::ReceiveBeforeSend,
            receive.spot,
            format_args!(
                "receives at {}, before event {number} of location {location} sends at {time}",
                receive.spot.time,
            ),
        );
    }
}

impl Rule for Messages<'_> {
    fn event(&mut self, here: &Here<'_>, findings: &mut Findings<'_>) {
        let Some(message) = Message::of(&here.event) else { return self.requests(None, here) };
        let Some(channel) = self.channel(&message, here, findings) else { return };
        self.requests(Some(channel), here);
        let half = Half { spot: here.spot, length: message.length };
        let open = self.open.entry(channel).or_default();
        let other = open.add(message.direction, half);
        if open.is_empty() {
            self.open.remove(&channel);
        }
        match (message.direction, other) {
            (Direction::Send, Some(receive)) => compare(half, receive, findings),
            (Direction::Receive, Some(send)) => compare(send, half, findings),
            (_, None) => {}
        }
    }

    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        if !complete || !self.claims.mpi {
            return;
        }
        let mut halves = Vec::new();
        for (channel, open) in self.open.drain() {
            halves.extend(open.sends.iter().map(|half| (half.spot, channel, Direction::Send)));
            halves.extend(open.receives.iter().map(|half| (half.spot, channel, Direction::Receive)));
        }
        halves.sort_unstable_by_key(|(spot, ..)| *spot);
        for (spot, channel, direction) in halves {
            let Channel { comm, sender, receiver, tag, .. } = channel;
            let (kind, rank, misses) = match direction {
                Direction::Send => (Kind::UnmatchedSend, receiver.rank, "receives"),
                Direction::Receive => (Kind::UnmatchedReceive, sender.rank, "sent"),
            };
            findings.find(
                kind,
                spot,
                format_args!("rank {rank} of communicator {comm} never {misses} it (tag {tag})"),
            );
        }
    }
}
