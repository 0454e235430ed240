//! The requirements of operations.
//!
//! | operation | is complete when |
//! | --- | --- |
//! | receive | its send is reached |
//! | send, or completion of a send | it is reached; by the [rule](SendRule) of sends, its receive is posted |
//! | barrier, all to all, fence | all members have reached it |
//! | one to all | the root has |
//! | all to one | all have; members but the root do not wait |
//! | prefix | the members of lower rank have |
//!
//! A non-blocking operation is reached at its post.

use super::groups::{Group, GroupMember, Synchronisation};
use super::rules::{ClockRule, SendRule};
use super::timeline::{Announcement, Requirement, StepId};
use super::{Dependent, HalfKnownSend, Replay, blocks};
use crate::communication::{
    Collective, CollectivePart, Direction, Matched, Member, MessageEnd, Operation, Pair, Post,
};
use crate::functions::CommunicationFunction;
use crate::waits::{self, CollectiveShape, EnclosingCall, Posted};
use foldhash::HashSet;
use kymo_otf2::enums::CollectiveRoot;

type MessageSide = Member<MessageEnd, EnclosingCall>;
type CollectiveMember = Member<CollectivePart, EnclosingCall>;

impl Replay<'_, '_> {
    /// Returns the requirement and the announcement of a step before its operation is joined.
    pub(super) fn first_known(
        &mut self,
        place: usize,
        number: u64,
        operation: &Operation,
        call: &EnclosingCall,
    ) -> (Requirement, Announcement) {
        let own = StepId::Step(place, number);
        match operation {
            Operation::Message(end) if end.direction == Direction::Receive => {
                (Requirement::Unknown, Announcement::None)
            }
            Operation::Message(end) if end.request.is_none() => (Requirement::Unknown, Announcement::Of(own)),
            Operation::Message(_) => (Requirement::None, Announcement::Of(own)),
            Operation::Posted { post } => (Requirement::None, Announcement::Of(StepId::Post(place, *post))),
            Operation::Sent { request } => (self.sent(place, number, *request, call), Announcement::None),
            Operation::Collective(part) if part.instance.is_some() => {
                (Requirement::Unknown, Announcement::None)
            }
            Operation::Collective(_)
            | Operation::Cancelled { .. }
            | Operation::Thread(_)
            | Operation::OneSided(_)
            | Operation::File(_) => (Requirement::None, Announcement::None),
        }
    }

    /// A non-blocking send is complete in a step.
    fn sent(&mut self, place: usize, number: u64, request: u64, call: &EnclosingCall) -> Requirement {
        match self.sends.remove(&(place, request)) {
            Some(HalfKnownSend::Received(posted)) => self.of_send(posted, call),
            _ => {
                self.sends.insert((place, request), HalfKnownSend::Complete(number, *call));
                Requirement::Unknown
            }
        }
    }

    /// Returns the requirement of a send that is complete in a call.
    fn of_send(&mut self, posted: Option<(Posted, StepId)>, call: &EnclosingCall) -> Requirement {
        let Some((posted, post)) = posted else { return Requirement::None };
        let is_synchronous = posted.sent_by == Some(CommunicationFunction::SynchronousSend);
        let is_buffered = posted.sent_by == Some(CommunicationFunction::BufferedSend);
        let waits = match self.clocks.sends() {
            SendRule::Recorded => {
                is_synchronous && blocks(self.functions, call) || posted.is_late(self.functions, call)
            }
            SendRule::Eager => false,
            SendRule::Rendezvous => {
                // In a call that sends and receives, the receive is posted with the send.
                let is_exchange = posted.is_blocking && call.receives;
                !is_buffered && !is_exchange && blocks(self.functions, call)
            }
        };
        match waits {
            true => Requirement::Reached(post),
            false => {
                self.forget(post);
                Requirement::None
            }
        }
    }

    /// Adds a message or a collective operation with the numbers of its steps.
    pub fn matched(&mut self, matched: &Matched<EnclosingCall>) {
        match matched {
            Matched::Message(pair) => self.message(pair),
            Matched::Collective(collective) => self.collective(collective),
        }
        self.run();
    }

    fn message(&mut self, pair: &Pair<EnclosingCall>) {
        let place = |side: &MessageSide| self.places.get(&side.location).copied();
        let send = pair.send.and_then(|side| Some((side, place(&side)?)));
        let receive = pair.receive.and_then(|side| Some((side, place(&side)?)));
        let (Some((send, sender)), Some((receive, receiver))) = (send, receive) else {
            if let Some((side, place)) = receive {
                self.require(place, side.known.step, Requirement::None);
                if let Some(post) = side.part.posted.filter(|post| self.is_step(place, post)) {
                    self.forget(StepId::Post(place, post.number));
                }
            }
            if let Some((side, place)) = send {
                self.forget(StepId::Step(place, side.known.step));
                self.end_of_send(place, &side, None);
            }
            return;
        };
        self.require(
            receiver,
            receive.known.step,
            Requirement::Reached(StepId::Step(sender, send.known.step)),
        );
        let posted = Posted::of(self.functions, &send, &receive);
        let posted = posted.and_then(|posted| Some((posted, self.post_of(receiver, &receive)?)));
        self.end_of_send(sender, &send, posted);
    }

    /// Returns the step at which a receive was posted, which is announced from now on.
    fn post_of(&mut self, receiver: usize, receive: &MessageSide) -> Option<StepId> {
        match receive.part.posted {
            Some(post) if !self.is_step(receiver, &post) => None,
            Some(post) => Some(StepId::Post(receiver, post.number)),
            None => {
                let number = receive.known.step;
                let id = StepId::Step(receiver, number);
                let step = self.timelines[receiver].step(number)?;
                step.announcement = Announcement::Of(id);
                if let Some(reached) = step.reached {
                    self.reached.insert(id, reached);
                }
                Some(id)
            }
        }
    }

    /// The receive of a send is known.
    fn end_of_send(&mut self, sender: usize, send: &MessageSide, posted: Option<(Posted, StepId)>) {
        let Some(request) = send.part.request else {
            let requirement = self.of_send(posted, &send.known);
            return self.require(sender, send.known.step, requirement);
        };
        match self.sends.remove(&(sender, request)) {
            Some(HalfKnownSend::Complete(number, call)) => {
                let requirement = self.of_send(posted, &call);
                self.require(sender, number, requirement);
            }
            _ if self.runs[sender].1.facts.completes_sends => {
                self.sends.insert((sender, request), HalfKnownSend::Received(posted));
            }
            _ => posted.into_iter().for_each(|(_, post)| self.forget(post)),
        }
    }

    /// Returns whether a post is a step: that of another thread, or before the selected time, is
    /// none.
    fn is_step(&self, place: usize, post: &Post) -> bool {
        post.number != Post::OF_OTHERS && post.start >= self.runs[place].1.known_time.0
    }

    fn collective(&mut self, collective: &Collective<EnclosingCall>) {
        let synchronised = match self.clocks {
            ClockRule::Work(_) => self.synchronised(collective),
            ClockRule::Steps => Some((Synchronisation::All, self.with_places(&collective.members))),
        };
        let (synchronisation, members) = synchronised.unwrap_or_default();
        if members.len() < collective.members.len() {
            let taking_part: HashSet<_> = members.iter().map(|(member, _)| member.location).collect();
            let others = collective.members.iter().filter(|it| !taking_part.contains(&it.location));
            others.for_each(|member| self.free(member));
        }
        if members.is_empty() {
            return;
        }
        let group = self.collectives;
        self.collectives += 1;
        let timelines = members.iter().map(|(_, place)| *place).collect();
        self.groups.insert(group, Group::new(synchronisation, timelines));
        for (number, (member, place)) in members.into_iter().enumerate() {
            self.member(GroupMember { group, member: number }, place, member, synchronisation);
        }
    }

    /// Returns for whom members wait, and these members with their timelines in the order of their
    /// ranks. `None` if nobody waits, or it is not known for whom.
    fn synchronised<'c>(
        &self,
        collective: &'c Collective<EnclosingCall>,
    ) -> Option<(Synchronisation, Vec<(&'c CollectiveMember, usize)>)> {
        let (shape, mut members) = waits::synchronised(self.trace, collective)?;
        // In inter-communicators, the other members of the root's side do nothing.
        let idle = [CollectiveRoot::NONE.0, CollectiveRoot::THIS_GROUP.0];
        members.retain(|member| !shape.has_root() || !idle.contains(&member.part.root));
        let root = || {
            let root = collective.root(self.trace)?.location;
            members.iter().position(|member| member.location == root)
        };
        let synchronisation = match shape {
            CollectiveShape::Barrier | CollectiveShape::AllToAll => Synchronisation::All,
            CollectiveShape::OneToAll => Synchronisation::ForRoot(root()?),
            CollectiveShape::AllToOne => Synchronisation::OfRoot(root()?),
            CollectiveShape::Prefix => Synchronisation::Prefix,
        };
        let places = |member: &'c CollectiveMember| Some((member, *self.places.get(&member.location)?));
        Some((synchronisation, members.into_iter().map(places).collect::<Option<_>>()?))
    }

    /// Returns the members that have timelines.
    fn with_places<'c>(&self, members: &'c [CollectiveMember]) -> Vec<(&'c CollectiveMember, usize)> {
        members.iter().filter_map(|it| Some((it, *self.places.get(&it.location)?))).collect()
    }

    /// A member of a collective operation does not wait, and nobody waits for it.
    fn free(&mut self, member: &CollectiveMember) {
        let Some(place) = self.places.get(&member.location).copied() else { return };
        self.require(place, member.known.step, Requirement::None);
        if let Some(post) = member.part.post {
            self.forget(StepId::Post(place, post));
        }
    }

    /// A location is a member of a collective operation.
    fn member(
        &mut self,
        it: GroupMember,
        place: usize,
        member: &CollectiveMember,
        synchronisation: Synchronisation,
    ) {
        let number = member.known.step;
        let requirement = match synchronisation.waits(it.member) {
            true => Requirement::Members(it),
            false => Requirement::None,
        };
        match (member.part.post, self.timelines[place].step(number)) {
            (Some(post), _) => self.reach_post(StepId::Post(place, post), it),
            (None, Some(step)) => {
                step.announcement = Announcement::ToMembers(it);
                if let Some(reached) = step.reached {
                    self.reach_group(it, reached);
                }
            }
            // The location did not wait, so others cannot wait for it.
            (None, None) => self.reach_group(it, 0),
        }
        self.require(place, number, requirement);
    }

    /// A member has begun a collective operation with a post.
    fn reach_post(&mut self, post: StepId, it: GroupMember) {
        match self.reached.remove(&post) {
            Some(reached) => self.reach_group(it, reached),
            None => drop(self.dependents.insert(post, Dependent::Member(it))),
        }
    }
}
