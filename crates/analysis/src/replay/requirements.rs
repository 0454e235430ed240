//! What operations depend on.
//!
//! | operation | is complete when |
//! | --- | --- |
//! | receive | its send is reached |
//! | send, or completion of a send | it is reached; if it waited for its receive in the trace, or is synchronous, that is posted |
//! | barrier, all to all, fence | all members have reached it |
//! | one to all | the root has |
//! | all to one | all have; members but the root do not wait |
//! | prefix | the members of lower rank have |
//!
//! A non-blocking operation is reached at its post.

use super::groups::{Group, GroupMember, Synchronisation};
use super::timeline::{Announcement, Requirement, StepId};
use super::{Dependent, HalfKnownSend, Replay, blocks};
use crate::communication::{
    Collective, CollectivePart, Direction, Matched, Member, MessageEnd, Operation, Pair, Post,
};
use crate::functions::CommunicationFunction;
use crate::waits::{self, CollectiveShape, EnclosingCall, Posted};

type MessageSide = Member<MessageEnd, EnclosingCall>;
type CollectiveMember = Member<CollectivePart, EnclosingCall>;

impl Replay<'_> {
    /// Returns what is known of a step before its operation is joined.
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
            Operation::Collective(_) | Operation::Cancelled { .. } | Operation::Thread(_) => {
                (Requirement::None, Announcement::None)
            }
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

    /// Returns what a send depends on that is complete in a call.
    fn of_send(&mut self, posted: Option<(Posted, StepId)>, call: &EnclosingCall) -> Requirement {
        let Some((posted, post)) = posted else { return Requirement::None };
        let is_synchronous = posted.sent_by == Some(CommunicationFunction::SynchronousSend);
        let waited = is_synchronous && blocks(self.functions, call) || posted.is_late(self.functions, call);
        match waited {
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
            for (side, place) in send.into_iter().chain(receive) {
                self.require(place, side.known.step, Requirement::None);
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
            // The post of another thread, or before the selected time, is no step.
            Some(post)
                if post.number == Post::OF_OTHERS || post.start < self.runs[receiver].1.known_time.0 =>
            {
                None
            }
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

    fn collective(&mut self, collective: &Collective<EnclosingCall>) {
        let synchronised = waits::synchronised(self.trace, collective);
        let places = |members: &[&CollectiveMember]| -> Option<Vec<usize>> {
            members.iter().map(|member| self.places.get(&member.location).copied()).collect()
        };
        let known = synchronised.and_then(|(shape, members)| Some((shape, places(&members)?, members)));
        let Some((shape, timelines, members)) = known else {
            for member in &collective.members {
                if let Some(place) = self.places.get(&member.location) {
                    self.require(*place, member.known.step, Requirement::None);
                }
            }
            return;
        };
        let root = collective
            .root(self.trace)
            .and_then(|root| members.iter().position(|member| member.location == root.location));
        let synchronisation = match (shape, root) {
            (CollectiveShape::OneToAll, Some(root)) => Synchronisation::ForRoot(root),
            (CollectiveShape::AllToOne, Some(root)) => Synchronisation::OfRoot(root),
            (CollectiveShape::Prefix, _) => Synchronisation::Prefix,
            _ => Synchronisation::All,
        };
        let group = self.collectives;
        self.collectives += 1;
        self.groups.insert(group, Group::new(synchronisation, timelines.clone()));
        for (number, (member, place)) in members.into_iter().zip(timelines).enumerate() {
            self.member(GroupMember { group, member: number }, place, member, synchronisation);
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
