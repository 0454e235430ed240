//! Messages: a send is active until it is received, and a receive until the message was sent, which
//! may have a later time on another clock.
//!
//! The receive of a message that a probe found has no record in snapshots: it only ends the send.
//!
//! Sends and receives match by the rule of [`Unmatched`]. Messages in communicators that are not
//! known match at once: nothing would ever end them.

use std::collections::HashMap;

use kymo_analysis::communication::{Channel, Direction, Message, Process, Unmatched, is_reserved};
use kymo_otf2::events::Event;
use kymo_otf2::references::LocationRef;

use super::state::Key;
use crate::check::definitions::DefinitionIndex;

/// A send or a receive.
#[derive(Debug, Clone, Copy)]
struct SnapshotEnd {
    key: Key,
    /// The request of a non-blocking operation.
    request: Option<u64>,
}

/// A non-blocking send.
#[derive(Debug, Clone, Copy)]
struct Send {
    key: Key,
    is_received: bool,
}

/// The messages that are under way.
pub(super) struct Messages<'d> {
    definitions: &'d DefinitionIndex<'d>,
    open: Unmatched<SnapshotEnd>,
    /// The channel of each open end, by its location and order.
    channels: HashMap<(usize, u64), Channel>,
    /// The non-blocking sends that are not complete, by location and request.
    sending: HashMap<(usize, u64), Send>,
    /// The records of the completion of sends that are not received, by those of the sends.
    completed: HashMap<(usize, u64), Key>,
    /// The receives that are posted, by location and request.
    posted: HashMap<(usize, u64), Key>,
    /// The messages that probes found and that are not received.
    probed: HashMap<(Process, u64), Channel>,
    /// The receives of these messages that are not complete, by request.
    receiving: HashMap<(Process, u64), Channel>,
    /// The requests of records, to forget them.
    requests: HashMap<(usize, u64), u64>,
}

fn id(key: Key) -> (usize, u64) {
    (key.location, key.order)
}

/// All functions return the records that are no longer active.
impl<'d> Messages<'d> {
    pub(super) fn new(definitions: &'d DefinitionIndex<'d>) -> Self {
        Self {
            definitions,
            open: Unmatched::default(),
            channels: HashMap::new(),
            sending: HashMap::new(),
            completed: HashMap::new(),
            posted: HashMap::new(),
            probed: HashMap::new(),
            receiving: HashMap::new(),
            requests: HashMap::new(),
        }
    }

    /// A location sends a message, or has received one; `key` is the record of that.
    pub(super) fn message(&mut self, location: u64, event: &Event<'_>, key: Key) -> Vec<Key> {
        let Some(message) = Message::of(event) else { return Vec::new() };
        let process = self.definitions.process(location);
        let channel = message.channel(&self.definitions.communicators, LocationRef(location), process);
        let end = SnapshotEnd { key, request: message.request };
        let Ok(channel) = channel else {
            // Nothing would ever end it.
            return self.matched(message.direction, end, None);
        };
        match self.open.exchange(channel, message.direction, message.length, end) {
            Some((other, end)) => {
                self.channels.remove(&id(other.key));
                self.matched(message.direction, end, Some(other))
            }
            None => {
                self.channels.insert(id(key), channel);
                self.start(message.direction, end, false);
                Vec::new()
            }
        }
    }

    /// A location probes or receives a message by its number; `key` is of no record.
    pub(super) fn probed(&mut self, location: u64, event: &Event<'_>, key: Key) -> Vec<Key> {
        let process = self.definitions.process(location);
        let (channel, length) = match event {
            Event::MpiProbe(it) if is_reserved(it) => {
                let message = Message::probed(it, 0, None);
                let channel =
                    message.channel(&self.definitions.communicators, LocationRef(location), process);
                if let Ok(channel) = channel {
                    self.probed.insert((process, it.message_id), channel);
                }
                return Vec::new();
            }
            Event::MpiImrecvRequest(it) => {
                if let Some(channel) = self.probed.remove(&(process, it.message_id)) {
                    self.receiving.insert((process, it.request_id), channel);
                }
                return Vec::new();
            }
            Event::MpiMrecv(it) => (self.probed.remove(&(process, it.message_id)), it.msg_length),
            Event::MpiImrecv(it) => (self.receiving.remove(&(process, it.request_id)), it.msg_length),
            _ => return Vec::new(),
        };
        let Some(channel) = channel else { return Vec::new() };
        let end = SnapshotEnd { key, request: None };
        match self.open.exchange(channel, Direction::Receive, length, end) {
            Some((send, _)) => {
                self.channels.remove(&id(send.key));
                self.sent(send)
            }
            None => Vec::new(),
        }
    }

    /// Notes a non-blocking send.
    fn start(&mut self, direction: Direction, end: SnapshotEnd, is_received: bool) {
        if let (Direction::Send, Some(request)) = (direction, end.request) {
            self.requests.insert(id(end.key), request);
            self.sending.insert((end.key.location, request), Send { key: end.key, is_received });
        }
    }

    /// Both sides of a message are known, or the other one will never be.
    fn matched(&mut self, direction: Direction, end: SnapshotEnd, other: Option<SnapshotEnd>) -> Vec<Key> {
        if direction == Direction::Receive {
            let mut ended = self.received(Some(end));
            ended.extend(other.map(|send| self.sent(send)).into_iter().flatten());
            return ended;
        }
        self.start(direction, end, true);
        let mut ended = self.received(other);
        // A non-blocking send is active until it is complete.
        if end.request.is_none() {
            ended.push(end.key);
        }
        ended
    }

    /// A receive has its send.
    fn received(&mut self, receive: Option<SnapshotEnd>) -> Vec<Key> {
        let Some(receive) = receive else { return Vec::new() };
        let posted = receive.request.and_then(|request| self.posted.remove(&(receive.key.location, request)));
        if let Some(posted) = posted {
            self.requests.remove(&id(posted));
        }
        posted.into_iter().chain([receive.key]).collect()
    }

    /// A send has its receive.
    fn sent(&mut self, send: SnapshotEnd) -> Vec<Key> {
        let Some(request) = send.request else { return vec![send.key] };
        if let Some(complete) = self.completed.remove(&id(send.key)) {
            return vec![send.key, complete];
        }
        if let Some(sending) =
            self.sending.get_mut(&(send.key.location, request)).filter(|it| it.key == send.key)
        {
            sending.is_received = true;
        }
        Vec::new()
    }

    /// A non-blocking send is complete; `key` is the record of that.
    pub(super) fn send_completes(&mut self, request: u64, key: Key) -> Vec<Key> {
        match self.sending.remove(&(key.location, request)) {
            Some(Send { key: send, is_received: false }) => {
                self.requests.remove(&id(send));
                self.completed.insert(id(send), key);
                Vec::new()
            }
            Some(Send { key: send, is_received: true }) => {
                self.requests.remove(&id(send));
                vec![send, key]
            }
            None => vec![key],
        }
    }

    /// A non-blocking receive is posted. An earlier one with the same request has ended.
    pub(super) fn receive_is_posted(&mut self, request: u64, key: Key) -> Vec<Key> {
        self.requests.insert(id(key), request);
        let old = self.posted.insert((key.location, request), key);
        if let Some(old) = old {
            self.requests.remove(&id(old));
        }
        old.into_iter().collect()
    }

    /// A request is cancelled.
    pub(super) fn cancelled(&mut self, location: usize, request: u64) -> Vec<Key> {
        let send = self.sending.remove(&(location, request)).map(|send| send.key);
        let receive = self.posted.remove(&(location, request));
        let ended: Vec<Key> = send.into_iter().chain(receive).collect();
        ended.iter().for_each(|&key| self.forget(key));
        ended
    }

    /// Forgets a record that was left out.
    pub(super) fn forget(&mut self, key: Key) {
        if let Some(channel) = self.channels.remove(&id(key)) {
            self.open.remove(channel, |end| end.key == key);
        }
        self.completed.remove(&id(key));
        if let Some(request) = self.requests.remove(&id(key)) {
            let request = (key.location, request);
            if self.sending.get(&request).is_some_and(|send| send.key == key) {
                self.sending.remove(&request);
            }
            if self.posted.get(&request) == Some(&key) {
                self.posted.remove(&request);
            }
        }
    }
}
