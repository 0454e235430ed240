//! Point-to-point messages.

use crate::adapters::mpi::call::{HandleKind, MpiCall, Status, product};
use crate::adapters::mpi::events::When::{AtLast, Now};
use crate::adapters::mpi::function::{ArgumentPlace, Group, Message, NONE};
use crate::adapters::mpi::{Scope, communicators, count_message, next_id, options};
use crate::address_table::AddressTable;
use crate::measurement::Here;

use super::request::{PERSISTENT, PLAIN, Request, RequestKind};
use super::requests::track;

/// A message that is about to be sent.
#[derive(Debug, Clone, Copy)]
struct Sent {
    dest: i32,
    comm: u32,
    tag: u32,
    bytes: u64,
}

/// Returns the message of a send; `None` for one to no process, on a foreign communicator, or to a
/// rank that the communicator does not have, with which the call fails.
fn sent(call: &MpiCall<'_>, send: Message) -> Option<Sent> {
    let dest = call.int(send.peer);
    if dest == call.abi.proc_null {
        return None;
    }
    let comm = communicators::definition(call.handle(HandleKind::Comm, send.comm));
    let bytes = product(call.abi, call.count(send.count), call.handle(HandleKind::Datatype, send.datatype));
    let tag = call.int(send.tag).cast_unsigned();
    communicators::has_rank(comm, dest).then_some(Sent { dest, comm, tag, bytes })
}

impl Sent {
    fn record(self, here: &Here) {
        count_message(self.bytes);
        // The send begins when the function is entered.
        here.mpi_send(AtLast, self.dest, self.comm, self.tag, self.bytes);
    }

    fn record_start(self, here: &Here, id: u64) {
        match options::has(&[Group::XNONBLOCK]) {
            true => {
                count_message(self.bytes);
                here.mpi_start_send(AtLast, self.dest, self.comm, self.tag, self.bytes, id);
            }
            false => self.record(here),
        }
    }
}

pub(super) fn send(call: &mut MpiCall<'_>, send: Message) {
    let message = sent(call, send);
    let scope = Scope::enter(call, |here| {
        if let Some((here, message)) = here.zip(message) {
            message.record(here);
        }
    });
    call.execute();
    scope.leave(|_| {});
}

/// Memory for a status that the program ignores.
type OwnStatus = [u64; 4];

/// Passes an own status to the library if the program ignores it.
pub(super) fn want_status(call: &mut MpiCall<'_>, place: ArgumentPlace, own: &mut OwnStatus) {
    if call.ignores_status(place) {
        call.replace(place, own.as_mut_ptr().expose_provenance());
    }
}

/// Records a receive by its status, after a successful call.
fn received(call: &MpiCall<'_>, here: &Here, comm: usize, status: ArgumentPlace) {
    // SAFETY: the library has written the status, the program's or an own one.
    let status = unsafe { Status::at(call.abi, call.word(status)) };
    let source = status.source();
    if source == call.abi.proc_null {
        return;
    }
    let comm = communicators::definition(comm);
    if comm != 0 {
        here.mpi_receive(Now, source, comm, status.tag().cast_unsigned(), status.bytes());
    }
}

pub(super) fn receive(call: &mut MpiCall<'_>, comm: ArgumentPlace, status: ArgumentPlace) {
    let mut own = OwnStatus::default();
    let scope = Scope::enter(call, |_| {});
    want_status(call, status, &mut own);
    let is_done = call.execute();
    scope.leave_with(|here| {
        if let Some(here) = here.filter(|_| is_done) {
            received(call, here, call.handle(HandleKind::Comm, comm), status);
        }
    });
}

pub(super) fn send_receive(call: &mut MpiCall<'_>, send: Message, status: ArgumentPlace) {
    let message = sent(call, send);
    let mut own = OwnStatus::default();
    let scope = Scope::enter(call, |here| {
        if let Some((here, message)) = here.zip(message) {
            message.record(here);
        }
    });
    want_status(call, status, &mut own);
    let is_done = call.execute();
    scope.leave_with(|here| {
        if let Some(here) = here.filter(|_| is_done) {
            received(call, here, call.handle(HandleKind::Comm, send.comm), status);
        }
    });
}

pub(super) fn start_send(call: &mut MpiCall<'_>, send: Message, request: ArgumentPlace) {
    let (message, id) = (sent(call, send), next_id());
    let scope = Scope::enter(call, |here| {
        if let Some((here, message)) = here.zip(message) {
            message.record_start(here, id);
        }
    });
    let is_done = call.execute();
    scope.leave(|_| {
        if let Some(message) = message.filter(|_| is_done && options::has(&[Group::XNONBLOCK])) {
            track(call, request, Request::new(RequestKind::Send, id, message.comm));
        }
    });
}

/// The flag of a receive whose start has no event.
fn plain() -> u8 {
    if options::has(&[Group::XNONBLOCK]) { 0 } else { PLAIN }
}

/// Records the start of a receive on a communicator, and remembers it.
fn begin_receive(call: &MpiCall<'_>, here: Option<&Here>, comm: u32, request: ArgumentPlace) {
    let request_of = Request { flags: plain(), ..Request::new(RequestKind::Receive, next_id(), comm) };
    if let Some(here) = here.filter(|_| plain() == 0 && comm != 0) {
        here.mpi_start_receive(Now, request_of.id);
    }
    if comm != 0 {
        track(call, request, request_of);
    }
}

pub(super) fn start_receive(
    call: &mut MpiCall<'_>,
    source: ArgumentPlace,
    comm: ArgumentPlace,
    request: ArgumentPlace,
) {
    let scope = Scope::enter(call, |_| {});
    let is_done = call.execute();
    scope.leave_with(|here| {
        if is_done && call.int(source) != call.abi.proc_null {
            let comm = communicators::definition(call.handle(HandleKind::Comm, comm));
            begin_receive(call, here, comm, request);
        }
    });
}

pub(super) fn start_send_receive(
    call: &mut MpiCall<'_>,
    send: Message,
    source: ArgumentPlace,
    request: ArgumentPlace,
) {
    let (message, send_id) = (sent(call, send), next_id());
    let scope = Scope::enter(call, |here| {
        if let Some((here, message)) = here.zip(message) {
            message.record_start(here, send_id);
        }
    });
    let is_done = call.execute();
    scope.leave(|here| {
        let comm = communicators::parent(call.handle(HandleKind::Comm, send.comm));
        if !is_done || comm == 0 {
            return;
        }
        let receives = call.int(source) != call.abi.proc_null;
        let id = if receives { next_id() } else { 0 };
        if let Some(here) = here.filter(|_| receives && plain() == 0) {
            here.mpi_start_receive(Now, id);
        }
        let extra = if message.is_some() && plain() == 0 { send_id } else { 0 };
        let both = Request { flags: plain(), extra, ..Request::new(RequestKind::SendReceive, id, comm) };
        track(call, request, both);
    });
}

pub(super) fn persistent_send(
    call: &mut MpiCall<'_>,
    send: Message,
    partitions: ArgumentPlace,
    request: ArgumentPlace,
) {
    let message = sent(call, send);
    let scope = Scope::enter(call, |_| {});
    let is_done = call.execute();
    scope.leave(|_| {
        let Some(message) = message.filter(|_| is_done) else { return };
        let parts = if partitions == NONE { 1 } else { call.int(partitions).unsigned_abs() };
        let of = Request::new(RequestKind::Send, next_id(), message.comm);
        let sent = message.bytes.saturating_mul(parts.into());
        track(call, request, Request { flags: PERSISTENT, peer: message.dest, tag: message.tag, sent, ..of });
    });
}

/// The places of the arguments that describe a persistent receive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected {
    pub(super) source: ArgumentPlace,
    pub(super) comm: ArgumentPlace,
    pub(super) request: ArgumentPlace,
    /// The partitions, and the number and type of items in each.
    pub(super) parts: (ArgumentPlace, ArgumentPlace, ArgumentPlace),
}

pub(super) fn persistent_receive(call: &mut MpiCall<'_>, expected: Expected) {
    let scope = Scope::enter(call, |_| {});
    let is_done = call.execute();
    scope.leave(|_| {
        if !is_done || call.int(expected.source) == call.abi.proc_null {
            return;
        }
        let comm = communicators::definition(call.handle(HandleKind::Comm, expected.comm));
        let flags = PERSISTENT | plain();
        let (partitions, items, datatype) = expected.parts;
        let received = match partitions {
            NONE => 0,
            _ => product(call.abi, call.count(items), call.handle(HandleKind::Datatype, datatype))
                .saturating_mul(call.int(partitions).unsigned_abs().into()),
        };
        let id = next_id();
        if comm != 0 {
            let of = Request::new(RequestKind::Receive, id, comm);
            track(call, expected.request, Request { flags, received, ..of });
        }
    });
}

/// The numbers of messages that were reserved by a probe and not received yet, by their handles.
static RESERVED: AddressTable = AddressTable::new();

/// Forgets messages, in a child made by `fork`.
pub(super) fn forget() {
    RESERVED.forget(|| {});
}

pub(super) fn matched_probe(
    call: &mut MpiCall<'_>,
    comm: ArgumentPlace,
    message: ArgumentPlace,
    flag: ArgumentPlace,
    status: ArgumentPlace,
) {
    let mut own = OwnStatus::default();
    let scope = Scope::enter(call, |_| {});
    want_status(call, status, &mut own);
    let is_done = call.execute();
    scope.leave_with(|here| {
        if is_done && (flag == NONE || call.flag(flag)) {
            reserve(call, here, comm, message, status);
        }
    });
}

/// Numbers a message that a probe has found, and records the probe. A message without an event has
/// no number, so that its receive has none either.
fn reserve(
    call: &MpiCall<'_>,
    here: Option<&Here>,
    comm: ArgumentPlace,
    message: ArgumentPlace,
    status: ArgumentPlace,
) {
    let handle = call.handle_at(HandleKind::Message, message, 0);
    if handle == call.abi.message_no_proc {
        return;
    }
    let comm = communicators::definition(call.handle(HandleKind::Comm, comm));
    let Some(here) = here.filter(|_| comm != 0) else {
        RESERVED.set(handle, 0);
        return;
    };
    // SAFETY: the library has written the status, the program's or an own one.
    let status = unsafe { Status::at(call.abi, call.word(status)) };
    let number = next_id();
    RESERVED.set(handle, number);
    here.mpi_probe(Now, status.source(), comm, status.tag().cast_unsigned(), number);
}

/// Returns the number of a message that is about to be received; `None` for one from no process,
/// and for one whose probe was not recorded.
fn take_reserved(call: &MpiCall<'_>, message: ArgumentPlace) -> Option<u64> {
    let handle = call.handle_at(HandleKind::Message, message, 0);
    let take = || RESERVED.set(handle, 0);
    (handle != call.abi.message_no_proc).then(take).filter(|&number| number != 0)
}

pub(super) fn matched_receive(call: &mut MpiCall<'_>, message: ArgumentPlace, status: ArgumentPlace) {
    let number = take_reserved(call, message);
    let mut own = OwnStatus::default();
    let scope = Scope::enter(call, |_| {});
    want_status(call, status, &mut own);
    let is_done = call.execute();
    scope.leave_with(|here| {
        let Some((here, number)) = here.zip(number).filter(|_| is_done) else { return };
        // SAFETY: the library has written the status.
        let status = unsafe { Status::at(call.abi, call.word(status)) };
        here.mpi_matched_receive(Now, number, status.bytes());
    });
}

pub(super) fn start_matched_receive(call: &mut MpiCall<'_>, message: ArgumentPlace, request: ArgumentPlace) {
    let number = take_reserved(call, message);
    let scope = Scope::enter(call, |_| {});
    let is_done = call.execute();
    scope.leave_with(|here| {
        let Some(number) = number.filter(|_| is_done) else { return };
        let of = Request::new(RequestKind::MatchedReceive, next_id(), 0);
        if let Some(here) = here.filter(|_| plain() == 0) {
            here.mpi_start_matched_receive(Now, number, of.id);
        }
        track(call, request, Request { flags: plain(), extra: number, ..of });
    });
}
