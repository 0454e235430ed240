//! Waiting for messages.

use super::enclosing_call::EnclosingCall;
use super::kind::WaitKind;
use super::state::WaitState;
use super::wait_events::EventCall;
use crate::communication::{Member, MessageEnd};
use crate::functions::{CommunicationFunction, CommunicationFunctions};
use kymo_otf2::references::LocationRef;

/// The side of a message.
pub(super) type MessageSide = Member<MessageEnd, EnclosingCall>;

/// Returns the wait of a receive for its sender: from the start of the call that completes the
/// receive to that of the call that sends.
pub(super) fn late_sender(
    functions: &CommunicationFunctions,
    send: &MessageSide,
    receive: &MessageSide,
) -> Option<WaitState> {
    let call = &receive.known;
    let blocks = functions.get(call.region).is_some_and(|it| it != CommunicationFunction::Test);
    let cause = (send.location, send.known.start);
    let wait = WaitState::new(WaitKind::LateSender, receive.location, call, [call.start, call.end], cause);
    wait.filter(|_| blocks).map(|wait| WaitState { length: send.part.length, ..wait })
}

/// A message as its receiver knows it, which its sender may have waited for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Posted {
    /// When the call that posted the receive began, in nanoseconds.
    pub(crate) time: u64,
    pub(super) receiver: LocationRef,
    /// The event that posted the receive.
    pub(super) receive: EventCall,
    /// The length of the message, in bytes.
    pub(super) length: u64,
    /// The function that sent it.
    pub(crate) sent_by: Option<CommunicationFunction>,
    pub(crate) is_blocking: bool,
}

impl Posted {
    /// Returns the message of these sides, unless it is not known when its receive was posted.
    pub(crate) fn of(
        functions: &CommunicationFunctions,
        send: &MessageSide,
        receive: &MessageSide,
    ) -> Option<Self> {
        let is_blocking = receive.part.request.is_none();
        let post = receive.part.posted;
        let posted = post.map(|it| it.start).or(is_blocking.then_some(receive.known.start));
        posted.map(|time| Self {
            time,
            receiver: receive.location,
            receive: post.map_or(EventCall::of(receive), |it| EventCall::of_post(receive.location, it)),
            length: send.part.length,
            sent_by: functions.get(send.known.region),
            is_blocking: send.part.request.is_none(),
        })
    }

    /// Returns whether a send that was complete in this call had been buffered: it did not wait for
    /// the receiver.
    pub(super) fn was_buffered(&self, functions: &CommunicationFunctions, call: &EnclosingCall) -> bool {
        use CommunicationFunction::{BufferedSend, SynchronousSend};
        let is_call = functions.get(call.region).is_some();
        // The program buffers the former, and the latter end early only by contradicting clocks.
        let says_nothing = matches!(self.sent_by, Some(BufferedSend | SynchronousSend));
        is_call && !says_nothing && call.end <= self.time
    }

    /// Returns the wait of the send for the receiver: from the start of the call that completes the
    /// send to that of the call that posts the receive, if the former lasts longer.
    pub(super) fn late_receiver(
        &self,
        functions: &CommunicationFunctions,
        sender: LocationRef,
        call: &EnclosingCall,
    ) -> Option<WaitState> {
        let limits = [call.start, call.end];
        let wait = WaitState::new(WaitKind::LateReceiver, sender, call, limits, (self.receiver, self.time))?;
        let is_synchronous = self.sent_by == Some(CommunicationFunction::SynchronousSend);
        self.is_late(functions, call).then_some(WaitState { length: self.length, is_synchronous, ..wait })
    }

    /// Returns whether a send that is complete in this call may have waited for the receiver.
    pub(crate) fn is_late(&self, functions: &CommunicationFunctions, call: &EnclosingCall) -> bool {
        use CommunicationFunction::{BufferedSend, Test};
        let blocks = functions.get(call.region).is_some_and(|it| it != Test);
        let may_wait = blocks && self.sent_by != Some(BufferedSend);
        // In a call that sends and receives, the receive decides.
        let is_exchange = self.is_blocking && call.receives;
        may_wait && !is_exchange && call.start < self.time && self.time < call.end
    }
}
