//! Receives in another order than that in which their messages were sent.

use kymo_otf2::references::LocationRef;
use std::collections::VecDeque;

/// Who sent the earlier message that was received later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrongOrder {
    /// The sender of the late message.
    SameSender,
    /// Another one.
    DifferentSender,
}

/// The number of late senders that later receives can judge, as in Scalasca.
const KEPT: usize = 100;

/// The receives of a location.
#[derive(Debug, Default)]
pub(super) struct ReceiveOrder {
    receives: u64,
    /// The late senders that no later receive has judged, by the times of their sends, which
    /// increase: a send that is earlier than those before it judges them.
    late: VecDeque<LateMessage>,
    /// Two bits for each receive, up to the last one that was judged.
    judged: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
struct LateMessage {
    sent: u64,
    sender: LocationRef,
    receive: u64,
}

impl ReceiveOrder {
    /// Adds the next receive and returns its number.
    pub(super) fn receive(&mut self, sent: u64, sender: LocationRef, is_late: bool) -> u64 {
        while let Some(late) = self.late.back().copied().filter(|late| late.sent > sent) {
            self.late.pop_back();
            let order = if late.sender == sender { 1 } else { 2 };
            self.judge(late.receive, order);
        }
        let receive = self.receives;
        self.receives += 1;
        if is_late {
            if self.late.len() == KEPT {
                self.late.pop_front();
            }
            self.late.push_back(LateMessage { sent, sender, receive });
        }
        receive
    }

    fn judge(&mut self, receive: u64, order: u8) {
        let place = (receive / 4) as usize;
        if self.judged.len() <= place {
            self.judged.resize(place + 1, 0);
        }
        self.judged[place] |= order << (2 * (receive % 4));
    }

    /// Returns whether the message of a receive came in the wrong order.
    pub(super) fn order_of(&self, receive: u64) -> Option<WrongOrder> {
        let bits = self.judged.get((receive / 4) as usize)? >> (2 * (receive % 4)) & 3;
        match bits {
            0 => None,
            1 => Some(WrongOrder::SameSender),
            _ => Some(WrongOrder::DifferentSender),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_receive_of_an_earlier_message_judges_late_senders_once() {
        let mut order = ReceiveOrder::default();
        let [a, b] = [LocationRef(1), LocationRef(2)];
        for (sent, sender, is_late) in [(10, a, true), (30, b, true), (20, a, true), (5, a, true)] {
            order.receive(sent, sender, is_late);
        }
        let found: Vec<_> = (0..5).map(|receive| order.order_of(receive)).collect();
        let (same, different) = (Some(WrongOrder::SameSender), Some(WrongOrder::DifferentSender));
        assert_eq!(found, [same, different, same, None, None]);
    }

    #[test]
    fn only_the_last_hundred_late_senders_are_judged() {
        let mut order = ReceiveOrder::default();
        for sent in 10..=110 {
            order.receive(sent, LocationRef(1), true);
        }
        order.receive(0, LocationRef(2), false);
        assert_eq!(order.order_of(0), None);
        assert_eq!(order.order_of(1), Some(WrongOrder::DifferentSender));
    }
}
