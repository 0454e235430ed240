//! Sends and receives: every receive has its send, by the rule of [`Unmatched`].

use kymo_analysis::communication::{Channel, Direction, Message, NoChannel, Process, Unmatched, is_reserved};
use kymo_otf2::events::Event;
use kymo_otf2::references::LocationRef;

use super::probes::Probes;
use super::{CheckedEvent, Claims, EventRule, EventSpot};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::HashMap;

#[derive(Debug, Clone, Copy)]
struct CheckedEnd {
    spot: EventSpot,
    length: u64,
}

pub(super) struct Messages<'a> {
    definitions: &'a DefinitionIndex<'a>,
    claims: Claims,
    unmatched: Unmatched<CheckedEnd>,
    /// The non-blocking sends that are not complete, by request: a cancelled one is not received.
    sending: HashMap<(Process, u64), (Channel, EventSpot)>,
    probes: Probes,
}

impl<'a> Messages<'a> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'a>, claims: Claims) -> Self {
        let (unmatched, sending, probes) = (Unmatched::default(), HashMap::default(), Probes::default());
        Messages { definitions, claims, unmatched, sending, probes }
    }

    /// Returns the channel of a message, if its communicator is known and both ranks belong to it.
    fn channel(
        &self,
        message: &Message,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) -> Option<Channel> {
        let (comm, location) = (message.communicator.0, here.spot.location);
        match message.channel(&self.definitions.communicators, LocationRef(location), here.process) {
            Ok(channel) => return Some(channel),
            Err(NoChannel::Unknown) => {}
            Err(NoChannel::NotAMember) => findings.find(
                FindingKind::NotAMember,
                here.spot,
                format_args!("location {location} is not a member of communicator {comm}"),
            ),
            Err(NoChannel::OutOfRange(size)) => findings.find(
                FindingKind::RankOutOfRange,
                here.spot,
                format_args!("rank {} in communicator {comm}, which has {size} ranks", message.remote),
            ),
        }
        None
    }
}

impl Messages<'_> {
    fn requests(&mut self, channel: Option<Channel>, here: &CheckedEvent<'_>) {
        match (here.event, channel) {
            (Event::MpiIsend(it), Some(channel)) => {
                self.sending.insert((here.process, it.request_id), (channel, here.spot));
            }
            (Event::MpiIsendComplete(it), _) => drop(self.sending.remove(&(here.process, it.request_id))),
            (Event::MpiRequestCancelled(it), _) => self.cancel(it.request_id, here),
            _ => {}
        }
    }

    fn cancel(&mut self, request: u64, here: &CheckedEvent<'_>) {
        let Some((channel, spot)) = self.sending.remove(&(here.process, request)) else { return };
        self.unmatched.remove(channel, |end| end.spot == spot);
    }
}

/// Reports inconsistencies between the two ends of a message.
fn compare(send: CheckedEnd, receive: CheckedEnd, findings: &mut Findings<'_>) {
    let EventSpot { location, number, time, .. } = send.spot;
    if send.length != receive.length {
        findings.find(
            FindingKind::MessageLength,
            receive.spot,
            format_args!(
                "receives {} bytes where event {number} of location {location} sends {}",
                receive.length, send.length,
            ),
        );
    }
    if receive.spot.time < time {
        findings.find(
            FindingKind::ReceiveBeforeSend,
            receive.spot,
            format_args!(
                "receives at {}, before event {number} of location {location} sends at {time}",
                receive.spot.time,
            ),
        );
    }
}

impl Messages<'_> {
    /// Takes a probe, or the receive of its message.
    fn probed(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let (channel, length) = match here.event {
            Event::MpiProbe(it) => {
                let channel = self.channel(&Message::probed(&it, 0, None), here, findings);
                if is_reserved(&it) {
                    self.probes.reserve(it.message_id, channel, here, findings);
                }
                return;
            }
            Event::MpiImrecvRequest(it) => {
                let channel = self.probes.take(it.message_id, self.claims.mpi, here, findings);
                return self.probes.begin(it.request_id, channel, here);
            }
            Event::MpiMrecv(it) => {
                (self.probes.take(it.message_id, self.claims.mpi, here, findings), it.msg_length)
            }
            Event::MpiImrecv(it) => (self.probes.complete(it.request_id, here), it.msg_length),
            _ => return self.requests(None, here),
        };
        if let Some(channel) = channel {
            self.message_end(channel, Direction::Receive, length, here, findings);
        }
    }

    fn message_end(
        &mut self,
        channel: Channel,
        direction: Direction,
        length: u64,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) {
        let end = CheckedEnd { spot: here.spot, length };
        match self.unmatched.exchange(channel, direction, length, end) {
            Some((other, end)) if direction == Direction::Send => compare(end, other, findings),
            Some((other, end)) => compare(other, end, findings),
            None => {}
        }
    }
}

impl EventRule for Messages<'_> {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let Some(message) = Message::of(&here.event) else { return self.probed(here, findings) };
        let Some(channel) = self.channel(&message, here, findings) else { return };
        self.requests(Some(channel), here);
        self.message_end(channel, message.direction, message.length, here, findings);
    }

    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        if !complete || !self.claims.mpi {
            return;
        }
        let ends = self.unmatched.take();
        let mut ends: Vec<_> =
            ends.map(|(channel, direction, _, end)| (end.spot, channel, direction)).collect();
        ends.sort_unstable_by_key(|(spot, ..)| *spot);
        for (spot, channel, direction) in ends {
            let Channel { communicator, sender, receiver, tag, .. } = channel;
            let (kind, rank, misses) = match direction {
                Direction::Send => (FindingKind::UnmatchedSend, receiver.rank, "receives"),
                Direction::Receive => (FindingKind::UnmatchedReceive, sender.rank, "sent"),
            };
            findings.find(
                kind,
                spot,
                format_args!("rank {rank} of communicator {} never {misses} it (tag {tag})", communicator.0),
            );
        }
    }
}
