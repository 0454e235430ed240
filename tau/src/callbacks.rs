//! What a reader tells: definitions, records, and what is strange.

use crate::error::Complaint;
use crate::message::Message;
use crate::record::{Record, Thread};

/// Seconds from one tick to the next. TAU writes microseconds; no file says so.
pub const CLOCK_PERIOD: f64 = 1e-6;

/// A state: something that is entered and left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<'a> {
    /// Id.
    pub id: u32,
    /// Name, without the quotes of the event file.
    pub name: &'a [u8],
    /// Number of the group, from 1.
    pub group: u32,
    /// Name of the group. Of groups that begin with something else than a state, this is all that is said of them.
    pub group_name: &'a [u8],
}

/// A user event: something that has values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserEvent<'a> {
    /// Id.
    pub id: u32,
    /// Name, without the quotes of the event file.
    pub name: &'a [u8],
    /// The tag of the event file: 1 if values only grow, else mostly 0.
    pub monotonic: i32,
}

/// Takes what is read. Every method does nothing unless it is written.
///
/// The order is that of TAU's reader: first the clock; an event before its first record, with all others that have become known
/// since; a group before its first state; a thread before its first record, whatever that is.
pub trait Callbacks {
    /// Seconds per tick, and the time of the first record of the file.
    fn clock(&mut self, period: f64, first_time: u64) {
        let _ = (period, first_time);
    }

    /// A thread has its first record.
    fn thread(&mut self, thread: Thread) {
        let _ = thread;
    }

    /// A group that begins with a state.
    fn group(&mut self, number: u32, name: &[u8]) {
        let _ = (number, name);
    }

    /// A state.
    fn state(&mut self, state: &State<'_>) {
        let _ = state;
    }

    /// A user event.
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

    /// A thread enters or leaves a state: either of the two above. Which one cannot be foretold; who does nearly the same for both may write
    /// this as well and save the branch.
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

    /// A thread's trace was closed. May come again, and records may follow.
    fn end(&mut self, thread: Thread) {
        let _ = thread;
    }

    /// The tracer notes the wall clock: seconds since 1970, 0 if it does not know.
    fn wall_clock(&mut self, time: u64, thread: Thread, seconds: i64) {
        let _ = (time, thread, seconds);
    }

    /// Every record, before what it means.
    #[inline(always)]
    fn record(&mut self, record: &Record) {
        let _ = record;
    }

    /// The event file lacks the event of the record at this offset. `true` passes over the record, `false` ends reading with an error.
    fn unknown(&mut self, offset: u64, record: &Record) -> bool {
        let _ = (offset, record);
        false
    }

    /// Something is strange; reading goes on.
    fn complaint(&mut self, complaint: &Complaint) {
        let _ = complaint;
    }
}
