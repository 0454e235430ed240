//! The second pass, which writes every event to its location.

use std::collections::HashMap;

use super::budget::Budget;
use super::communicators::Communicators;
use super::dictionary::{Dictionary, Meanings};
use super::report::Report;
use super::stream::{Happening, Refused, Stream};
use crate::callbacks::{Callbacks, StateDefinition, UserEvent};
use crate::message::Message;
use crate::record::{Record, Thread};

/// Writes the events of one trace for the threads that have a stream.
pub(super) struct Sink<'a, 's> {
    pub(super) dictionary: &'a mut Dictionary,
    pub(super) meanings: Meanings,
    /// The rank of each node.
    pub(super) ranks: &'a HashMap<u16, u16>,
    pub(super) communicators: Communicators,
    pub(super) streams: &'a mut HashMap<Thread, Stream<'s>>,
    pub(super) budget: &'a mut Budget,
    pub(super) report: &'a mut Report,
    /// The first error. Nothing is written after it.
    pub(super) refused: Option<Refused>,
}

impl Sink<'_, '_> {
    #[inline]
    fn add(&mut self, time: u64, thread: Thread, happening: Happening) {
        if self.refused.is_some() {
            return;
        }
        if let Some(stream) = self.streams.get_mut(&thread) {
            self.refused = stream.add(time, happening, self.budget, self.report).err();
        }
    }

    /// Returns the rank of a partner. The first pass has found all of them.
    fn rank(&self, node: u16) -> u16 {
        self.ranks.get(&node).copied().unwrap_or(node)
    }
}

impl Callbacks for Sink<'_, '_> {
    fn state(&mut self, state: &StateDefinition<'_>) {
        self.meanings.add_state(state, self.dictionary);
    }

    fn user_event(&mut self, event: &UserEvent<'_>) {
        self.meanings.add_user_event(event, self.dictionary);
    }

    fn enter(&mut self, time: u64, thread: Thread, state: u32) {
        self.add(time, thread, Happening::Enter(self.meanings.get(state)));
    }

    fn leave(&mut self, time: u64, thread: Thread, state: u32) {
        self.add(time, thread, Happening::Leave(self.meanings.get(state)));
    }

    fn trigger(&mut self, time: u64, thread: Thread, event: u32, value: i64) {
        self.add(time, thread, Happening::Value { metric: self.meanings.get(event), value });
    }

    fn send(&mut self, time: u64, thread: Thread, message: Message) {
        let Message { partner, length, tag, communicator } = message;
        let (receiver, communicator) = (self.rank(partner), self.communicators.id(communicator));
        self.add(time, thread, Happening::Send { receiver, tag, communicator, length });
    }

    fn receive(&mut self, time: u64, thread: Thread, message: Message) {
        let Message { partner, length, tag, communicator } = message;
        let (sender, communicator) = (self.rank(partner), self.communicators.id(communicator));
        self.add(time, thread, Happening::Receive { sender, tag, communicator, length });
    }

    fn unknown(&mut self, _offset: u64, _record: &Record) -> bool {
        // The first pass counts these records.
        true
    }
}
