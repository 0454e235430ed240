//! The calls of [`Callbacks`] as values of an iterator.

use std::collections::VecDeque;

use crate::callbacks::{Callbacks, StateDefinition, UserEvent};
use crate::error::{Complaint, Result};
use crate::message::Message;
use crate::reader::Reader;
use crate::record::Thread;

/// An item read from a trace, documented at the method of [`Callbacks`] to which it corresponds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the callbacks have the same fields")]
pub enum Item {
    /// [`Callbacks::clock`]
    Clock { period: f64, first_time: u64 },
    /// [`Callbacks::thread`]
    Thread { thread: Thread },
    /// [`Callbacks::group`]
    Group { number: u32, name: Vec<u8> },
    /// [`Callbacks::state`]
    State { id: u32, name: Vec<u8>, group: u32, group_name: Vec<u8> },
    /// [`Callbacks::user_event`]
    UserEvent { id: u32, name: Vec<u8>, monotonic: i32 },
    /// [`Callbacks::enter`]
    Enter { time: u64, thread: Thread, state: u32 },
    /// [`Callbacks::leave`]
    Leave { time: u64, thread: Thread, state: u32 },
    /// [`Callbacks::send`]
    Send { time: u64, thread: Thread, message: Message },
    /// [`Callbacks::receive`]
    Receive { time: u64, thread: Thread, message: Message },
    /// [`Callbacks::trigger`]
    Trigger { time: u64, thread: Thread, event: u32, value: i64 },
    /// [`Callbacks::end`]
    End { thread: Thread },
    /// [`Callbacks::complaint`]
    Complaint(Complaint),
}

/// An iterator over a trace, starting at the position of its reader.
/// At the end of a growing trace it returns `None`, and continues when there are more records. It
/// ends with the first error; the reader's position is then the record with the error.
#[derive(Debug)]
pub struct Items<'a> {
    reader: &'a mut Reader,
    queue: Queue,
    failed: bool,
}

/// The number of records read at a time.
const STEP: u64 = 256;

#[derive(Debug, Default)]
struct Queue(VecDeque<Item>);

impl<'a> Items<'a> {
    pub(crate) fn new(reader: &'a mut Reader) -> Self {
        Items { reader, queue: Queue::default(), failed: false }
    }
}

impl Iterator for Items<'_> {
    type Item = Result<Item>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.queue.0.pop_front() {
                return Some(Ok(item));
            }
            if self.failed {
                return None;
            }
            match self.reader.read(STEP, &mut self.queue) {
                Ok(0) if self.queue.0.is_empty() => return None,
                Ok(_) => {}
                Err(error) if self.queue.0.is_empty() => {
                    self.failed = true;
                    return Some(Err(error));
                }
                // The error occurs again when the items before it have been returned.
                Err(_) => {}
            }
        }
    }
}

impl Callbacks for Queue {
    fn clock(&mut self, period: f64, first_time: u64) {
        self.0.push_back(Item::Clock { period, first_time });
    }

    fn thread(&mut self, thread: Thread) {
        self.0.push_back(Item::Thread { thread });
    }

    fn group(&mut self, number: u32, name: &[u8]) {
        self.0.push_back(Item::Group { number, name: name.to_owned() });
    }

    fn state(&mut self, state: &StateDefinition<'_>) {
        let StateDefinition { id, name, group, group_name } = *state;
        self.0.push_back(Item::State { id, name: name.to_owned(), group, group_name: group_name.to_owned() });
    }

    fn user_event(&mut self, event: &UserEvent<'_>) {
        let UserEvent { id, name, monotonic } = *event;
        self.0.push_back(Item::UserEvent { id, name: name.to_owned(), monotonic });
    }

    fn enter(&mut self, time: u64, thread: Thread, state: u32) {
        self.0.push_back(Item::Enter { time, thread, state });
    }

    fn leave(&mut self, time: u64, thread: Thread, state: u32) {
        self.0.push_back(Item::Leave { time, thread, state });
    }

    fn send(&mut self, time: u64, thread: Thread, message: Message) {
        self.0.push_back(Item::Send { time, thread, message });
    }

    fn receive(&mut self, time: u64, thread: Thread, message: Message) {
        self.0.push_back(Item::Receive { time, thread, message });
    }

    fn trigger(&mut self, time: u64, thread: Thread, event: u32, value: i64) {
        self.0.push_back(Item::Trigger { time, thread, event, value });
    }

    fn end(&mut self, thread: Thread) {
        self.0.push_back(Item::End { thread });
    }

    fn complaint(&mut self, complaint: &Complaint) {
        self.0.push_back(Item::Complaint(complaint.clone()));
    }
}
