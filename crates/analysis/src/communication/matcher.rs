//! Operations of all locations, joined.

use super::operation::{CollectivePart, Instance, MessageEnd, Operation};
use crate::channel::{Channel, Direction, Unmatched};
use crate::trace::Trace;
use foldhash::{HashMap, HashMapExt};
use kymo_otf2::enums::CollectiveRoot;
use kymo_otf2::references::LocationRef;
use std::collections::hash_map::Entry;

/// A message with both sides, or with one if the other was not found. `T` is the user's data about
/// a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair<T> {
    /// The channel.
    pub channel: Channel,
    /// The send.
    pub send: Option<Member<MessageEnd, T>>,
    /// The receive.
    pub receive: Option<Member<MessageEnd, T>>,
}

/// The part of a location in an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member<P, T> {
    /// The location.
    pub location: LocationRef,
    /// When the part was complete, in nanoseconds.
    pub time: u64,
    /// The part.
    pub part: P,
    /// The user's data.
    pub known: T,
}

/// A collective operation with the parts of its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collective<T> {
    /// The operation; `None` if it cannot be told which parts belong together.
    pub instance: Option<Instance>,
    /// The parts, at least one. If the number of members is not reached, the others are missing.
    pub members: Vec<Member<CollectivePart, T>>,
}

impl<T> Collective<T> {
    /// Returns the part of the root, if there is one.
    pub fn root(&self, trace: &Trace) -> Option<&Member<CollectivePart, T>> {
        let first = self.members.first()?;
        let communicator = trace.communicator_of(first.part.scope)?;
        // In inter-communicators, only the root itself and the other side know it.
        if communicator.is_inter() {
            let is_root = |it: &&Member<CollectivePart, T>| it.part.root == CollectiveRoot::SELF.0;
            return self.members.iter().find(is_root);
        }
        let rank =
            |it: &Member<CollectivePart, T>| communicator.rank(it.location, trace.process(it.location));
        self.members.iter().find(|it| rank(it).is_some_and(|rank| rank.rank == first.part.root))
    }
}

/// The result of joining operations.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "most are messages, which are on the stack alone")]
pub enum Matched<T> {
    /// A message.
    Message(Pair<T>),
    /// A collective operation.
    Collective(Collective<T>),
}

/// Joins operations. Those of one location are added in their order, those of different ones in the
/// order of their times, so that memory is bounded by the operations under way.
#[derive(Debug)]
pub struct Matcher<'t, T> {
    trace: &'t Trace,
    messages: Unmatched<Member<MessageEnd, T>>,
    collectives: HashMap<Instance, Collective<T>>,
}

impl<'t, T> Matcher<'t, T> {
    /// Starts without operations.
    pub fn new(trace: &'t Trace) -> Self {
        Self { trace, messages: Unmatched::default(), collectives: HashMap::new() }
    }

    /// Adds an operation. Returns the message or collective operation that it completes.
    pub fn add(
        &mut self,
        location: LocationRef,
        time: u64,
        operation: Operation,
        known: T,
    ) -> Option<Matched<T>> {
        match operation {
            Operation::Message(part) => {
                self.message(Member { location, time, part, known }).map(Matched::Message)
            }
            Operation::Cancelled { channel, request } => {
                let is_it =
                    |it: &Member<MessageEnd, T>| it.location == location && it.part.request == Some(request);
                self.messages.remove(channel, is_it);
                None
            }
            Operation::Collective(part) => {
                self.collective(Member { location, time, part, known }).map(Matched::Collective)
            }
            Operation::Posted { .. }
            | Operation::Sent { .. }
            | Operation::Thread(_)
            | Operation::OneSided(_)
            | Operation::File(_) => None,
        }
    }

    fn message(&mut self, end: Member<MessageEnd, T>) -> Option<Pair<T>> {
        let MessageEnd { channel, direction, length, .. } = end.part;
        let (other, end) = self.messages.exchange(channel, direction, length, end)?;
        Some(Pair::of(channel, direction, end, Some(other)))
    }

    fn collective(&mut self, member: Member<CollectivePart, T>) -> Option<Collective<T>> {
        let Some(instance) = member.part.instance else {
            return Some(Collective { instance: None, members: vec![member] });
        };
        let all = self.trace.communicator_of(instance.scope).map_or(1, |it| it.members());
        let mut entry = match self.collectives.entry(instance) {
            Entry::Vacant(entry) => {
                entry.insert_entry(Collective { instance: Some(instance), members: Vec::new() })
            }
            Entry::Occupied(entry) => entry,
        };
        let members = &mut entry.get_mut().members;
        members.push(member);
        (members.len() as u64 >= all).then(|| entry.remove())
    }

    /// Returns the incomplete ones: messages with one side, in the order of channels, and
    /// operations in which members are missing.
    pub fn finish(mut self) -> impl Iterator<Item = Matched<T>> {
        let mut ends: Vec<_> = self.messages.take().collect();
        ends.sort_by_key(|(channel, direction, _, end)| (*channel, *direction, end.time, end.location));
        let mut collectives: Vec<_> = self.collectives.into_values().collect();
        collectives.sort_by_key(|it| it.instance);
        let messages = ends
            .into_iter()
            .map(|(channel, direction, _, end)| Matched::Message(Pair::of(channel, direction, end, None)));
        messages.chain(collectives.into_iter().map(Matched::Collective))
    }
}

impl<T> Pair<T> {
    fn of(
        channel: Channel,
        direction: Direction,
        end: Member<MessageEnd, T>,
        other: Option<Member<MessageEnd, T>>,
    ) -> Self {
        match direction {
            Direction::Send => Self { channel, send: Some(end), receive: other },
            Direction::Receive => Self { channel, send: other, receive: Some(end) },
        }
    }
}
