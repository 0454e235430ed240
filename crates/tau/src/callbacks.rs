//! The callbacks of a reader: for definitions, records, and anomalies.

use crate::error::Complaint;
use crate::message::Message;
use crate::record::{Record, Thread};

/// The period of the clock in seconds. TAU writes microseconds, which no file states.
pub const CLOCK_PERIOD: f64 = 1e-6;

/// A state, which can be entered and left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateDefinition<'a> {
    /// The id.
    pub id: u32,
    /// The name, without the quotes of the event file.
    pub name: &'a [u8],
    /// The number of the group, from 1.
    pub group: u32,
    /// The name of the group. For a group whose first line is not a state, this is the only place
    /// where it is reported.
    pub group_name: &'a [u8],
}

/// A user event, which has values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserEvent<'a> {
    /// The id.
    pub id: u32,
    /// The name, without the quotes of the event file.
    pub name: &'a [u8],
    /// The tag of the event file: 1 if values never decrease, otherwise usually 0.
    pub monotonic: i32,
}

/// Receives the contents of a trace. The default of every method does nothing.
/// The order is that of TAU's reader. The clock is reported first. An event is reported before its
/// first record, together with all others added to the event file since. A group is reported before
/// its first state, and a thread before its first record of any kind.
pub trait Callbacks {
    /// Reports the clock period in seconds and the time of the first record of the file.
    fn clock(&mut self, period: f64, first_time: u64) {
        let _ = (period, first_time);
    }

    /// Reports a thread at its first record.
    fn thread(&mut self, thread: Thread) {
        let _ = thread;
    }

    /// Reports a group whose first line is a state.
    fn group(&mut self, number: u32, name: &[u8]) {
        let _ = (number, name);
    }

    /// Reports a state.
    fn state(&mut self, state: &StateDefinition<'_>) {
        let _ = state;
    }

    /// Reports a user event.
    fn user_event(&mut self, event: &UserEvent<'_>) {
        let _ = event;
    }

    /// A thread enters a state.
    fn enter(&mut self, time: u64, thread: Thread, state: u32) {
        let _ = (time, thread, state);
    }

    /// A thread leaves a state.
    fn leave(&mut self, time: u64, thread: Thread, state: u32) {
        let _ = (time, thread, state);
    }

    /// A thread enters or leaves a state. Calls [`enter`](Self::enter) or [`leave`](Self::leave).
    /// The processor cannot predict which; an implementation that treats both alike can override
    /// this method and avoid the branch.
    #[inline(always)]
    fn enter_or_leave(&mut self, enters: bool, time: u64, thread: Thread, state: u32) {
        match enters {
            true => self.enter(time, thread, state),
            false => self.leave(time, thread, state),
        }
    }

    /// A thread sends a message to its partner.
    fn send(&mut self, time: u64, thread: Thread, message: Message) {
        let _ = (time, thread, message);
    }

    /// A thread receives a message from its partner.
    fn receive(&mut self, time: u64, thread: Thread, message: Message) {
        let _ = (time, thread, message);
    }

    /// A user event has a value.
    fn trigger(&mut self, time: u64, thread: Thread, event: u32, value: i64) {
        let _ = (time, thread, event, value);
    }

    /// A thread's trace is closed. May be reported repeatedly, and records may follow.
    fn end(&mut self, thread: Thread) {
        let _ = thread;
    }

    /// The tracer records the wall clock: seconds since 1970, or 0 if unknown.
    fn wall_clock(&mut self, time: u64, thread: Thread, seconds: i64) {
        let _ = (time, thread, seconds);
    }

    /// Reports every record, before its meaning.
    #[inline(always)]
    fn record(&mut self, record: &Record) {
        let _ = record;
    }

    /// The event of the record at this offset is not in the event file. `true` skips the record,
    /// `false` stops reading with an error.
    fn unknown(&mut self, offset: u64, record: &Record) -> bool {
        let _ = (offset, record);
        false
    }

    /// Reports an anomaly. Reading continues.
    fn complaint(&mut self, complaint: &Complaint) {
        let _ = complaint;
    }
}
