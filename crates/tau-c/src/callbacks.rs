//! The callback table of C, and the order of its arguments.

use std::ffi::{CString, c_char, c_double, c_int, c_longlong, c_uint, c_void};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kymo_tau::{Callbacks, Complaint, Message, StateDefinition, Thread, UserEvent};

use crate::guard::complain;
use crate::strings::for_c;

/// A state is entered or left.
type StateCall = unsafe extern "C-unwind" fn(*mut c_void, c_double, c_uint, c_uint, c_uint) -> c_int;

/// A message: time, source, destination, size, tag, communicator.
type MessageCall = unsafe extern "C-unwind" fn(
    *mut c_void,
    c_double,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
) -> c_int;

/// `Ttf_CallbacksT`. C passes it by value.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Table {
    user_data: *mut c_void,
    def_clk_period: Option<unsafe extern "C-unwind" fn(*mut c_void, c_double) -> c_int>,
    def_thread: Option<unsafe extern "C-unwind" fn(*mut c_void, c_uint, c_uint, *const c_char) -> c_int>,
    def_state_group: Option<unsafe extern "C-unwind" fn(*mut c_void, c_uint, *const c_char) -> c_int>,
    def_state: Option<unsafe extern "C-unwind" fn(*mut c_void, c_uint, *const c_char, c_uint) -> c_int>,
    end_trace: Option<unsafe extern "C-unwind" fn(*mut c_void, c_uint, c_uint) -> c_int>,
    enter_state: Option<StateCall>,
    leave_state: Option<StateCall>,
    send_message: Option<MessageCall>,
    recv_message: Option<MessageCall>,
    def_user_event: Option<unsafe extern "C-unwind" fn(*mut c_void, c_uint, *const c_char, c_int) -> c_int>,
    event_trigger: Option<
        unsafe extern "C-unwind" fn(*mut c_void, c_double, c_uint, c_uint, c_uint, c_longlong) -> c_int,
    >,
}

#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<Table>() == 96 && align_of::<Table>() == 8);
    assert!(std::mem::offset_of!(Table, def_clk_period) == 8);
    assert!(std::mem::offset_of!(Table, def_thread) == 16);
    assert!(std::mem::offset_of!(Table, def_state_group) == 24);
    assert!(std::mem::offset_of!(Table, def_state) == 32);
    assert!(std::mem::offset_of!(Table, end_trace) == 40);
    assert!(std::mem::offset_of!(Table, enter_state) == 48);
    assert!(std::mem::offset_of!(Table, leave_state) == 56);
    assert!(std::mem::offset_of!(Table, send_message) == 64);
    assert!(std::mem::offset_of!(Table, recv_message) == 72);
    assert!(std::mem::offset_of!(Table, def_user_event) == 80);
    assert!(std::mem::offset_of!(Table, event_trigger) == 88);
};

/// Calls a callback that is not null.
macro_rules! call {
    ($self:ident.$member:ident($($argument:expr),*)) => {
        if let Some(call) = $self.table.$member {
            // SAFETY: by the contract of the interface a callback of the table can be called with
            // its user data and these arguments while the table is in use. Strings among them end
            // with a NUL and live as long as the header states.
            unsafe { call($self.table.user_data, $($argument),*) };
        }
    };
}

/// The origin of times. A callback may change whether it is the first time of the file.
#[derive(Debug)]
pub(crate) struct Origin {
    /// The first time, or 0 if times are passed unchanged.
    origin: AtomicU64,
    first_time: AtomicU64,
    is_first_time: AtomicBool,
}

impl Origin {
    /// Creates an origin at the first time, which is not known yet.
    pub(crate) fn new() -> Self {
        let (origin, first_time) = (AtomicU64::new(0), AtomicU64::new(0));
        Origin { origin, first_time, is_first_time: AtomicBool::new(true) }
    }

    /// Sets whether times are relative to the first one.
    pub(crate) fn set_is_first_time(&self, is_first_time: bool) {
        self.is_first_time.store(is_first_time, Ordering::Relaxed);
        self.update();
    }

    fn set_first_time(&self, first_time: u64) {
        self.first_time.store(first_time, Ordering::Relaxed);
        self.update();
    }

    fn update(&self) {
        let is_first_time = self.is_first_time.load(Ordering::Relaxed);
        let origin = if is_first_time { self.first_time.load(Ordering::Relaxed) } else { 0 };
        self.origin.store(origin, Ordering::Relaxed);
    }

    /// Returns a time as it is passed to C.
    #[inline(always)]
    fn since(&self, time: u64) -> c_double {
        let origin = self.origin.load(Ordering::Relaxed);
        // The difference is exact, and a signed number is converted by one instruction.
        match (time | origin) >> f64::MANTISSA_DIGITS {
            0 => (time as i64 - origin as i64) as f64,
            _ => rounded(time, origin),
        }
    }
}

/// Rounds both numbers first, as TAU's reader does.
#[cold]
fn rounded(time: u64, origin: u64) -> c_double {
    time as f64 - origin as f64
}

/// Passes the contents of a trace to C.
pub(crate) struct Forwarder<'a> {
    table: &'a Table,
    /// The callbacks for leave and enter, so that one is selected without a branch.
    leave_or_enter: [Option<StateCall>; 2],
    origin: &'a Origin,
    /// Names that C may keep until the file is closed.
    names: &'a mut Vec<CString>,
}

impl<'a> Forwarder<'a> {
    pub(crate) fn new(table: &'a Table, origin: &'a Origin, names: &'a mut Vec<CString>) -> Self {
        Forwarder { table, leave_or_enter: [table.leave_state, table.enter_state], origin, names }
    }

    #[inline(always)]
    fn time(&self, time: u64) -> c_double {
        self.origin.since(time)
    }

    fn keep(&mut self, name: CString) -> *const c_char {
        let pointer = name.as_ptr();
        // Moving the owner does not move the text.
        self.names.push(name);
        pointer
    }
}

/// The thread of a partner, which is not in the file.
const PARTNER_THREAD: c_uint = 0;

impl Callbacks for Forwarder<'_> {
    fn clock(&mut self, period: f64, first_time: u64) {
        self.origin.set_first_time(first_time);
        call!(self.def_clk_period(period));
    }

    fn thread(&mut self, Thread { node, thread }: Thread) {
        let name = format!("process {node}:{thread}");
        let name = for_c([name.as_bytes(), b"", b""]);
        call!(self.def_thread(node.into(), thread.into(), name.as_ptr()));
    }

    fn group(&mut self, number: u32, name: &[u8]) {
        let name = self.keep(for_c([name, b"", b""]));
        call!(self.def_state_group(number, name));
    }

    fn state(&mut self, state: &StateDefinition<'_>) {
        let name = self.keep(for_c([b"\"", state.name, b"\""]));
        call!(self.def_state(state.id, name, state.group));
    }

    fn user_event(&mut self, event: &UserEvent<'_>) {
        let name = self.keep(for_c([b"\"", event.name, b"\""]));
        call!(self.def_user_event(event.id, name, event.monotonic));
    }

    #[inline(always)]
    fn enter(&mut self, time: u64, Thread { node, thread }: Thread, state: u32) {
        call!(self.enter_state(self.time(time), node.into(), thread.into(), state));
    }

    #[inline(always)]
    fn leave(&mut self, time: u64, Thread { node, thread }: Thread, state: u32) {
        call!(self.leave_state(self.time(time), node.into(), thread.into(), state));
    }

    /// Uses one call for both, so that the processor has a single branch target to predict, and
    /// predicts it correctly if C uses one function for both.
    #[inline(always)]
    fn enter_or_leave(&mut self, enters: bool, time: u64, Thread { node, thread }: Thread, state: u32) {
        if let Some(call) = self.leave_or_enter[usize::from(enters)] {
            // SAFETY: as in `call!`; both callbacks have the same arguments.
            unsafe { call(self.table.user_data, self.time(time), node.into(), thread.into(), state) };
        }
    }

    fn send(&mut self, time: u64, own: Thread, it: Message) {
        let [node, thread, partner] = [own.node, own.thread, it.partner].map(c_uint::from);
        let (tag, communicator) = (it.tag.into(), it.communicator.into());
        call!(self.send_message(
            self.time(time),
            node,
            thread,
            partner,
            PARTNER_THREAD,
            it.length,
            tag,
            communicator
        ));
    }

    fn receive(&mut self, time: u64, own: Thread, it: Message) {
        let [node, thread, partner] = [own.node, own.thread, it.partner].map(c_uint::from);
        let (tag, communicator) = (it.tag.into(), it.communicator.into());
        call!(self.recv_message(
            self.time(time),
            partner,
            PARTNER_THREAD,
            node,
            thread,
            it.length,
            tag,
            communicator
        ));
    }

    #[inline(always)]
    fn trigger(&mut self, time: u64, Thread { node, thread }: Thread, event: u32, value: i64) {
        call!(self.event_trigger(self.time(time), node.into(), thread.into(), event, value));
    }

    fn end(&mut self, Thread { node, thread }: Thread) {
        call!(self.end_trace(node.into(), thread.into()));
    }

    fn complaint(&mut self, complaint: &Complaint) {
        complain(complaint);
    }
}
