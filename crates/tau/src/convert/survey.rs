//! The first pass: finds the threads, their properties, and the definitions.
//!
//! Invariant: memory is proportional to the number of threads and definitions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use super::communicators::Communicators;
use super::dictionary::{Dictionary, Meanings};
use super::report::{Report, Unknown};
use crate::callbacks::{Callbacks, StateDefinition, UserEvent};
use crate::error::Complaint;
use crate::message::Message;
use crate::record::{Record, Thread};

/// The findings about a thread.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ThreadSurvey {
    last_event: u64,
    /// The time of its last record.
    pub(super) last_time: u64,
    /// An event is earlier than the previous one in the file.
    pub(super) is_unordered: bool,
}

/// The findings about all traces.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) dictionary: Dictionary,
    pub(super) threads: HashMap<Thread, ThreadSurvey>,
    /// The nodes that send or receive messages.
    pub(super) partners: BTreeSet<u16>,
    pub(super) communicators: Communicators,
    /// The times of the first and the last record.
    pub(super) span: Option<(u64, u64)>,
    /// A time, and the seconds since 1970 that the wall clock shows at that time.
    pub(super) wall_clock: Option<(u64, i64)>,
    /// The number of messages sent minus those received, by sender, receiver, communicator and tag.
    under_way: HashMap<(u16, u16, u8, u16), i64>,
    too_many_messages: bool,
}

/// The maximum number of entries in `under_way`.
const MESSAGES: usize = 1 << 20;

impl Survey {
    /// Returns whether every message sent was received, and vice versa.
    pub(super) fn messages_are_complete(&self) -> bool {
        !self.too_many_messages && self.under_way.values().all(|&count| count == 0)
    }

    /// Returns all nodes, in order.
    pub(super) fn nodes(&self) -> BTreeSet<u16> {
        let nodes = self.threads.keys().map(|thread| thread.node);
        nodes.chain(self.partners.iter().copied()).collect()
    }

    /// Returns all threads, in order. A node that occurs only as a partner has a thread, too.
    pub(super) fn all_threads(&self) -> BTreeMap<Thread, ThreadSurvey> {
        let mut all: BTreeMap<_, _> =
            self.threads.iter().map(|(&thread, &survey)| (thread, survey)).collect();
        for node in self.nodes() {
            let of_node = Thread { node, thread: 0 }..=Thread { node, thread: u16::MAX };
            if all.range(of_node).next().is_none() {
                all.insert(Thread { node, thread: 0 }, ThreadSurvey::default());
            }
        }
        all
    }

    fn message(&mut self, sender: u16, receiver: u16, message: Message, step: i64) {
        self.partners.insert(message.partner);
        self.communicators.insert(message.communicator);
        let key = (sender, receiver, message.communicator, message.tag);
        self.too_many_messages |= self.under_way.len() >= MESSAGES;
        if !self.too_many_messages {
            *self.under_way.entry(key).or_default() += step;
        }
    }

    fn event(&mut self, time: u64, thread: Thread) {
        let thread = self.threads.entry(thread).or_default();
        thread.is_unordered |= time < thread.last_event;
        thread.last_event = time;
    }

    fn record(&mut self, record: &Record) {
        let time = record.time;
        let (first, last) = self.span.unwrap_or((time, time));
        self.span = Some((first.min(time), last.max(time)));
        let thread = self.threads.entry(record.thread).or_default();
        thread.last_time = thread.last_time.max(time);
    }
}

/// Surveys one trace.
#[derive(Debug)]
pub(super) struct Surveyor<'a> {
    pub(super) survey: &'a mut Survey,
    pub(super) meanings: Meanings,
    pub(super) report: &'a mut Report,
    pub(super) trace: &'a Path,
}

impl Callbacks for Surveyor<'_> {
    fn state(&mut self, state: &StateDefinition<'_>) {
        self.meanings.add_state(state, &mut self.survey.dictionary);
    }

    fn user_event(&mut self, event: &UserEvent<'_>) {
        self.meanings.add_user_event(event, &mut self.survey.dictionary);
    }

    fn record(&mut self, record: &Record) {
        self.survey.record(record);
    }

    fn enter(&mut self, time: u64, thread: Thread, _state: u32) {
        self.survey.event(time, thread);
    }

    fn leave(&mut self, time: u64, thread: Thread, _state: u32) {
        self.survey.event(time, thread);
    }

    fn trigger(&mut self, time: u64, thread: Thread, _event: u32, _value: i64) {
        self.survey.event(time, thread);
    }

    fn send(&mut self, time: u64, thread: Thread, message: Message) {
        self.survey.event(time, thread);
        self.survey.message(thread.node, message.partner, message, 1);
    }

    fn receive(&mut self, time: u64, thread: Thread, message: Message) {
        self.survey.event(time, thread);
        self.survey.message(message.partner, thread.node, message, -1);
    }

    fn wall_clock(&mut self, time: u64, _thread: Thread, seconds: i64) {
        if seconds > 1 && self.survey.wall_clock.is_none() {
            self.survey.wall_clock = Some((time, seconds));
        }
    }

    fn unknown(&mut self, offset: u64, record: &Record) -> bool {
        self.report.unknown += 1;
        self.report.first_unknown.get_or_insert_with(|| Unknown {
            file: self.trace.to_owned(),
            offset,
            event: record.event,
        });
        true
    }

    fn complaint(&mut self, complaint: &Complaint) {
        self.report.complain(complaint);
    }
}
