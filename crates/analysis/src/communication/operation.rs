//! The part of a location in operations with others: its events as operations.

use super::probed::{self, is_reserved};
use crate::channel::{Channel, Direction, Message, NoChannel};
use crate::communicators::{Process, Scope};
use crate::file_waits::FileOperation;
use crate::one_sided::{OneSidedOperation, PendingAccesses};
use crate::threads::ThreadOperation;
use crate::trace::Trace;
use foldhash::{HashMap, HashMapExt};
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::Event;
use kymo_otf2::references::*;

/// An operation of a location, as of the event that completes it. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A message was sent or received.
    Message(MessageEnd),
    /// A send that is not complete was cancelled: it is not received.
    Cancelled {
        /// The channel of the send.
        channel: Channel,
        /// Its [`MessageEnd::request`].
        request: u64,
    },
    /// A non-blocking receive or collective operation begins.
    Posted {
        /// The number of the post, of all those of the location.
        post: u64,
    },
    /// A non-blocking send is complete.
    Sent {
        /// Its [`MessageEnd::request`].
        request: u64,
    },
    /// The location took part in a collective operation.
    Collective(CollectivePart),
    /// The location did something that concerns other threads of its process.
    Thread(ThreadOperation),
    /// The location took part in one-sided communication, but for collective operations.
    OneSided(OneSidedOperation),
    /// The location did something with a file that concerns others.
    File(FileOperation),
}

impl Operation {
    /// Returns whether the call in which it is complete may have waited for it.
    pub fn may_wait(&self) -> bool {
        match self {
            Self::Message(end) => end.direction == Direction::Receive || end.request.is_none(),
            Self::Sent { .. } | Self::Collective(_) => true,
            Self::Cancelled { .. }
            | Self::Posted { .. }
            | Self::Thread(_)
            | Self::OneSided(_)
            | Self::File(_) => false,
        }
    }

    /// Returns whether it decides to which message, epoch, task or operation on a file later ones
    /// belong.
    pub fn concerns_later(&self) -> bool {
        match self {
            Self::Message(_) | Self::Cancelled { .. } | Self::File(_) => true,
            Self::OneSided(operation) => operation.is_of_epoch(),
            Self::Thread(operation) => operation.is_of_task(),
            _ => false,
        }
    }

    /// Returns whether a message was received.
    pub fn receives(&self) -> bool {
        matches!(self, Self::Message(end) if end.direction == Direction::Receive)
    }
}

/// A send, or a receive that is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageEnd {
    /// The channel.
    pub channel: Channel,
    /// Whether it is sent or received.
    pub direction: Direction,
    /// The length in bytes.
    pub length: u64,
    /// The number of a non-blocking operation, of all those of the location.
    pub request: Option<u64>,
    /// The post of a non-blocking receive.
    pub posted: Option<Post>,
}

/// The begin of a non-blocking receive or collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Post {
    /// When the call that posted it began, in nanoseconds.
    pub start: u64,
    /// When that call ended; `start` if it has not ended, or nobody has asked for it.
    pub end: u64,
    /// The number of that call, of all those of the location; 0 if it is not known, or nobody has
    /// asked for it.
    pub call: u64,
    /// The number of the post, of all those of the location.
    pub number: u64,
}

impl Post {
    /// The number of a post by another thread of the process.
    pub const OF_OTHERS: u64 = u64::MAX;

    /// Returns the post with a number by the call that began at this time, of which no more is
    /// known.
    pub(crate) fn since(start: u64, number: u64) -> Self {
        Self { start, end: start, call: 0, number }
    }
}

/// One operation on a communicator or window, the same for all members.
///
/// The n-th blocking operation of a member is the n-th of all others. Non-blocking operations may
/// complete in any order, so each kind is counted for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Instance {
    /// The communicator or window.
    pub scope: Scope,
    /// The process, for communicators that exist once per location.
    pub own: Option<Process>,
    /// The kind of a non-blocking operation.
    pub unordered: Option<CollectiveOp>,
    /// The number, from 0.
    pub number: u64,
}

/// The part of a location in a collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CollectivePart {
    /// The communicator or window.
    pub scope: Scope,
    /// The operation in which all members take part. Unknown if the members of the communicator
    /// are, and for operations that make communicators, in which only some may take part.
    pub instance: Option<Instance>,
    /// The kind.
    pub operation: CollectiveOp,
    /// The rank of the root, or a special value.
    pub root: u32,
    /// The number of bytes sent.
    pub sent: u64,
    /// The number of bytes received.
    pub received: u64,
    /// When the location began.
    pub start: u64,
    /// The number of the post of a non-blocking operation.
    pub post: Option<u64>,
}

/// Finds the operations of a location.
#[derive(Debug)]
pub struct Operations<'t> {
    trace: &'t Trace,
    location: LocationRef,
    process: Process,
    /// The receives that are posted.
    posted: HashMap<u64, Post>,
    /// The number of posts so far.
    posts: u64,
    /// The sends that are not complete, with their numbers.
    sending: HashMap<u64, (Channel, u64)>,
    /// The number of non-blocking messages so far.
    requests: u64,
    /// The messages that were probed and are not received. Unknown channels count at the receive.
    probed: HashMap<u64, Option<Channel>>,
    /// The receives of these messages that are not complete, and the channel.
    receiving: HashMap<u64, (Post, Option<Channel>)>,
    /// The non-blocking collective operations that are not complete.
    requested: HashMap<u64, Post>,
    /// The one-sided accesses that are not complete.
    accesses: PendingAccesses,
    /// When the present collective operation began, by whether it is one-sided.
    begun: [Option<u64>; 2],
    /// The number of collective operations so far.
    counts: HashMap<(Scope, Option<CollectiveOp>), u64>,
    /// The number of messages whose communicator or probe is not known, or whose ranks the
    /// communicator does not have.
    unknown: u64,
}

impl<'t> Operations<'t> {
    /// Starts with no operations.
    pub fn new(trace: &'t Trace, location: LocationRef) -> Self {
        Self {
            trace,
            location,
            process: trace.process(location),
            posted: HashMap::new(),
            posts: 0,
            sending: HashMap::new(),
            requests: 0,
            probed: HashMap::new(),
            receiving: HashMap::new(),
            requested: HashMap::new(),
            accesses: PendingAccesses::default(),
            begun: [None; 2],
            counts: HashMap::new(),
            unknown: 0,
        }
    }

    /// Returns the number of messages so far that were left out because their communicator or their
    /// probe is not known, or the communicator does not have the ranks.
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    /// Continues with the next event, at a time in nanoseconds, in a call that began at `began`, or
    /// outside all calls at its own time. Returns the operation that it completes.
    #[inline]
    pub fn event(&mut self, time: u64, began: u64, event: &Event<'_>) -> Option<Operation> {
        match event {
            Event::MpiSend(_) | Event::MpiIsend(_) | Event::MpiRecv(_) | Event::MpiIrecv(_) => {
                self.message(event).map(Operation::Message)
            }
            Event::MpiIrecvRequest(it) => {
                let post = self.post(began);
                self.posted.insert(it.request_id, post);
                Some(Operation::Posted { post: post.number })
            }
            Event::NonBlockingCollectiveRequest(it) => {
                let post = self.post(time);
                self.requested.insert(it.request_id, post);
                Some(Operation::Posted { post: post.number })
            }
            Event::MpiImrecvRequest(it) => {
                let post = self.post(began);
                let channel = self.probed(it.message_id, time);
                self.receiving.insert(it.request_id, (post, channel));
                Some(Operation::Posted { post: post.number })
            }
            Event::MpiIsendComplete(it) => self.sent(it.request_id),
            Event::MpiRequestCancelled(it) => self.cancel(it.request_id),
            Event::MpiProbe(_) | Event::MpiMrecv(_) | Event::MpiImrecv(_) => {
                self.matched(time, event).map(Operation::Message)
            }
            _ => match self.collective(time, event) {
                Some(part) => Some(Operation::Collective(part)),
                None => self.other(event),
            },
        }
    }

    fn other(&mut self, event: &Event<'_>) -> Option<Operation> {
        if let Some(operation) = ThreadOperation::of(event) {
            return Some(Operation::Thread(operation));
        }
        let Self { accesses, counts, .. } = self;
        let collectives = |window| counts.get(&(Scope::Window(window), None)).copied().unwrap_or(0);
        let one_sided = accesses.event(event, collectives).map(Operation::OneSided);
        one_sided.or_else(|| FileOperation::of(self.trace, event).map(Operation::File))
    }

    fn post(&mut self, time: u64) -> Post {
        self.posts += 1;
        Post::since(time, self.posts - 1)
    }

    fn sent(&mut self, request: u64) -> Option<Operation> {
        let (_, request) = self.sending.remove(&request)?;
        Some(Operation::Sent { request })
    }

    fn cancel(&mut self, request: u64) -> Option<Operation> {
        self.posted.remove(&request);
        let (channel, request) = self.sending.remove(&request)?;
        Some(Operation::Cancelled { channel, request })
    }

    fn number(&mut self) -> u64 {
        self.requests += 1;
        self.requests - 1
    }

    fn message(&mut self, event: &Event<'_>) -> Option<MessageEnd> {
        let message = Message::of(event)?;
        let Message { direction, length, request, .. } = message;
        let posted = match direction {
            Direction::Send => None,
            Direction::Receive => request.and_then(|request| self.posted.remove(&request)),
        };
        let channel = match message.channel(self.trace.communicators(), self.location, self.process) {
            Ok(channel) => channel,
            Err(NoChannel::Unknown | NoChannel::NotAMember | NoChannel::OutOfRange(_)) => {
                self.unknown += 1;
                return None;
            }
        };
        let number = request.map(|_| self.number());
        if let (Direction::Send, Some(request), Some(number)) = (direction, request, number) {
            self.sending.insert(request, (channel, number));
        }
        Some(MessageEnd { channel, direction, length, request: number, posted })
    }

    /// Receives the messages of probes. Not inlined, to keep the usual path short.
    #[inline(never)]
    fn matched(&mut self, time: u64, event: &Event<'_>) -> Option<MessageEnd> {
        let (channel, length, request, posted) = match event {
            Event::MpiProbe(it) if is_reserved(it) => {
                self.probed.insert(it.message_id, probed::channel(self.trace, self.location, it));
                return None;
            }
            Event::MpiMrecv(it) => (self.probed(it.message_id, time), it.msg_length, None, None),
            Event::MpiImrecv(it) => {
                let (posted, channel) = self.receiving(it.request_id, time).unzip();
                (channel.flatten(), it.msg_length, Some(self.number()), posted)
            }
            _ => return None,
        };
        self.unknown += u64::from(channel.is_none());
        Some(MessageEnd { channel: channel?, direction: Direction::Receive, length, request, posted })
    }

    /// Takes a message that this location or another thread of the process has probed.
    fn probed(&mut self, message: u64, time: u64) -> Option<Channel> {
        match self.probed.remove(&message) {
            Some(channel) => channel,
            None => probed::find(self.trace, self.process, message, time),
        }
    }

    /// Takes a receive that this location or another thread of the process has begun.
    fn receiving(&mut self, request: u64, time: u64) -> Option<(Post, Option<Channel>)> {
        self.receiving.remove(&request).or_else(|| {
            let (time, message) = probed::find_receive(self.trace, self.process, request, time)?;
            Some((Post::since(time, Post::OF_OTHERS), self.probed(message, time)))
        })
    }

    /// Changes the post of the receive of a request.
    pub(crate) fn change_post(&mut self, request: u64, change: impl FnOnce(&mut Post)) {
        let of_probed = self.receiving.get_mut(&request).map(|it| &mut it.0);
        if let Some(post) = self.posted.get_mut(&request).or(of_probed) {
            change(post);
        }
    }

    fn collective(&mut self, time: u64, event: &Event<'_>) -> Option<CollectivePart> {
        match event {
            Event::MpiCollectiveBegin(_) => self.begun[0] = Some(time),
            Event::RmaCollectiveBegin(_) => self.begun[1] = Some(time),
            Event::MpiCollectiveEnd(it) => {
                let scope = Scope::Communicator(it.communicator);
                return Some(CollectivePart {
                    scope,
                    instance: self.instance(scope, it.collective_op, false),
                    operation: it.collective_op,
                    root: it.root,
                    sent: it.size_sent,
                    received: it.size_received,
                    start: self.begun[0].take().unwrap_or(time),
                    post: None,
                });
            }
            Event::RmaCollectiveEnd(it) => {
                let scope = Scope::Window(it.win);
                self.accesses.forget(it.win);
                return Some(CollectivePart {
                    scope,
                    instance: self.instance(scope, it.collective_op, false),
                    operation: it.collective_op,
                    root: it.root,
                    sent: it.bytes_sent,
                    received: it.bytes_received,
                    start: self.begun[1].take().unwrap_or(time),
                    post: None,
                });
            }
            Event::NonBlockingCollectiveComplete(it) => {
                let scope = Scope::Communicator(it.communicator);
                let posted = self.requested.remove(&it.request_id);
                return Some(CollectivePart {
                    scope,
                    instance: self.instance(scope, it.collective_op, true),
                    operation: it.collective_op,
                    root: it.root,
                    sent: it.size_sent,
                    received: it.size_received,
                    start: posted.map_or(time, |it| it.start),
                    post: posted.map(|it| it.number),
                });
            }
            _ => {}
        }
        None
    }

    fn instance(&mut self, scope: Scope, operation: CollectiveOp, is_unordered: bool) -> Option<Instance> {
        let communicator = self.trace.communicator_of(scope)?;
        communicator.rank(self.location, self.process)?;
        // Only some members of a communicator may take part in making another one. All make a
        // window.
        let makes = [CollectiveOp::CREATE_HANDLE, CollectiveOp::CREATE_HANDLE_AND_ALLOCATE];
        if makes.contains(&operation) && matches!(scope, Scope::Communicator(_)) {
            return None;
        }
        let unordered = is_unordered.then_some(operation);
        let count = self.counts.entry((scope, unordered)).or_default();
        *count += 1;
        let own = communicator.is_self().then_some(self.process);
        Some(Instance { scope, own, unordered, number: *count - 1 })
    }
}
