//! Messages: a send is active until it is received, and a receive until the message was sent, which
//! may have a later time on another clock.
//!
//! Sends and receives match in order per sender, receiver, communicator and tag, those of equal
//! length first. Messages in communicators that are not known match at once: nothing would ever end
//! them.

use std::collections::{HashMap, VecDeque};

use super::state::Key;
use crate::check::communicators::Rank;
use crate::check::definitions::{DefinitionIndex, Process};

/// The number of messages among which one of equal length is searched for.
const UNDER_WAY: usize = 1024;

/// Messages that may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Channel {
    comm: u32,
    /// The process, for communicators that exist once per location.
    own: Option<Process>,
    sender: Rank,
    receiver: Rank,
    tag: u32,
}

/// A send or a receive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Half {
    key: Key,
    length: u64,
    /// The request of a non-blocking operation.
    request: Option<u64>,
}

impl Half {
    pub(super) fn new(key: Key, length: u64) -> Self {
        Self { key, length, request: None }
    }

    pub(super) fn with_request(self, request: u64) -> Self {
        Self { request: Some(request), ..self }
    }
}

/// A non-blocking send.
#[derive(Debug, Clone, Copy)]
struct Send {
    key: Key,
    is_received: bool,
}

/// Halves without a match; one of the two queues is empty.
#[derive(Debug, Default)]
struct Open {
    sends: VecDeque<Half>,
    receives: VecDeque<Half>,
}

/// The messages that are under way.
pub(super) struct Messages<'d> {
    definitions: &'d DefinitionIndex<'d>,
    open: HashMap<Channel, Open>,
    /// The channel of each open half, by its location and order.
    channels: HashMap<(usize, u64), Channel>,
    /// The non-blocking sends that are not complete, by location and request.
    sending: HashMap<(usize, u64), Send>,
    /// The records of the completion of sends that are not received, by those of the sends.
    completed: HashMap<(usize, u64), Key>,
    /// The receives that are posted, by location and request.
    posted: HashMap<(usize, u64), Key>,
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
            open: HashMap::new(),
            channels: HashMap::new(),
            sending: HashMap::new(),
            completed: HashMap::new(),
            posted: HashMap::new(),
            requests: HashMap::new(),
        }
    }

    /// Returns the ranks of a location and of its partner.
    fn ranks(&self, location: u64, comm: u32, partner: u32) -> Option<(Rank, Rank, Option<Process>)> {
        let communicator = self.definitions.communicators.get(comm)?;
        let process = self.definitions.process(location);
        let mine = communicator.rank(location, process)?;
        let side = communicator.other_side(mine.side);
        let remote = (partner < communicator.size(side)).then_some(Rank { side, rank: partner })?;
        Some((mine, remote, communicator.is_self().then_some(process)))
    }

    /// A location sends to a rank.
    pub(super) fn send(&mut self, location: u64, comm: u32, receiver: u32, tag: u32, half: Half) -> Vec<Key> {
        let ranks = self.ranks(location, comm, receiver);
        let channel = ranks.map(|(sender, receiver, own)| Channel { comm, own, sender, receiver, tag });
        let receive = channel.map(|channel| self.matched(channel, half, |open| &mut open.receives));
        // Without a channel, it is never received.
        let is_received = !matches!(receive, Some(None));
        if let Some(request) = half.request {
            self.requests.insert(id(half.key), request);
            self.sending.insert((half.key.location, request), Send { key: half.key, is_received });
        }
        if let Some(channel) = channel.filter(|_| !is_received) {
            self.channels.insert(id(half.key), channel);
            self.open.entry(channel).or_default().sends.push_back(half);
        }
        let mut ended = self.received(receive.flatten());
        // A non-blocking send is active until it is complete.
        if is_received && half.request.is_none() {
            ended.push(half.key);
        }
        ended
    }

    /// A location receives from a rank.
    pub(super) fn receive(
        &mut self,
        location: u64,
        comm: u32,
        sender: u32,
        tag: u32,
        half: Half,
    ) -> Vec<Key> {
        let ranks = self.ranks(location, comm, sender);
        let channel = ranks.map(|(receiver, sender, own)| Channel { comm, own, sender, receiver, tag });
        let send = channel.map(|channel| self.matched(channel, half, |open| &mut open.sends));
        match (channel, send) {
            (Some(channel), Some(None)) => {
                self.channels.insert(id(half.key), channel);
                self.open.entry(channel).or_default().receives.push_back(half);
                Vec::new()
            }
            (_, send) => {
                let mut ended = self.received(Some(half));
                ended.extend(send.flatten().map(|send| self.sent(send)).into_iter().flatten());
                ended
            }
        }
    }

    /// Takes the other half of a message out of a queue.
    fn matched(
        &mut self,
        channel: Channel,
        half: Half,
        queue: impl Fn(&mut Open) -> &mut VecDeque<Half>,
    ) -> Option<Half> {
        let open = self.open.get_mut(&channel)?;
        let halves = queue(open);
        let equal = halves.iter().take(UNDER_WAY).position(|other| other.length == half.length);
        let other = halves.remove(equal.unwrap_or(0))?;
        if open.sends.is_empty() && open.receives.is_empty() {
            self.open.remove(&channel);
        }
        self.channels.remove(&id(other.key));
        Some(other)
    }

    /// A receive has its send.
    fn received(&mut self, receive: Option<Half>) -> Vec<Key> {
        let Some(receive) = receive else { return Vec::new() };
        let posted = receive.request.and_then(|request| self.posted.remove(&(receive.key.location, request)));
        if let Some(posted) = posted {
            self.requests.remove(&id(posted));
        }
        posted.into_iter().chain([receive.key]).collect()
    }

    /// A send has its receive.
    fn sent(&mut self, send: Half) -> Vec<Key> {
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
        if let Some(channel) = self.channels.remove(&id(key))
            && let Some(open) = self.open.get_mut(&channel)
        {
            for halves in [&mut open.sends, &mut open.receives] {
                if let Some(place) = halves.iter().position(|half| half.key == key) {
                    halves.remove(place);
                }
            }
            if open.sends.is_empty() && open.receives.is_empty() {
                self.open.remove(&channel);
            }
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
