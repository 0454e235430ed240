//! Messages of the process to itself, and requests.

use core::ffi::c_int;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::family::family;
use crate::{bytes, mpi, new_handle, put, put_handle, size_of_type};

/// A request that is not complete when it is made.
#[derive(Debug, Clone, Copy)]
struct Request {
    tag: c_int,
    /// The bytes of a persistent send; `None` for a receive.
    sends: Option<c_int>,
    /// The message of a receive that a probe has reserved.
    reserved: Option<Message>,
    is_persistent: bool,
    is_active: bool,
    is_cancelled: bool,
}

/// The tag and bytes of a message.
type Message = (c_int, c_int);

#[derive(Debug, Default)]
struct RequestState {
    /// The messages that were neither received nor reserved.
    messages: VecDeque<Message>,
    /// The messages that a probe has reserved, by their handles.
    reserved: BTreeMap<usize, Message>,
    requests: BTreeMap<usize, Request>,
}

static STATE: Mutex<Option<RequestState>> = Mutex::new(None);

fn with<T>(action: impl FnOnce(&mut RequestState) -> T) -> T {
    let mut state: MutexGuard<'_, Option<RequestState>> =
        STATE.lock().unwrap_or_else(PoisonError::into_inner);
    action(state.get_or_insert_default())
}

fn send(tag: c_int, bytes: c_int) {
    with(|state| state.messages.push_back((tag, bytes)));
}

/// Takes a message with this tag, or any if it is negative.
fn take(tag: c_int) -> Option<Message> {
    with(|state| {
        let place = state.messages.iter().position(|&(other, _)| tag < 0 || other == tag)?;
        state.messages.remove(place)
    })
}

fn receive(tag: c_int, status: usize) -> c_int {
    let (tag, bytes) = take(tag).unwrap_or((tag, 0));
    family().put_status(status, 0, tag, bytes)
}

/// Reserves a message for the handle at an address, if there is one.
fn reserve(tag: c_int, place: usize, status: usize) -> bool {
    let Some(message) = take(tag) else { return false };
    let handle = new_handle();
    with(|state| state.reserved.insert(handle, message));
    put_handle(place, handle);
    family().put_status(status, 0, message.0, message.1);
    true
}

/// Takes the message of the handle at an address.
fn take_reserved(place: usize) -> Message {
    let handle = family().get(place);
    put_handle(place, family().message_null());
    with(|state| state.reserved.remove(&handle)).unwrap_or_default()
}

fn make(request: usize, made: Request) -> c_int {
    let handle = new_handle();
    with(|state| state.requests.insert(handle, made));
    put_handle(request, handle)
}

const RECEIVE: Request = Request {
    tag: 0,
    sends: None,
    reserved: None,
    is_persistent: false,
    is_active: true,
    is_cancelled: false,
};

/// Completes the request at an address, if it can be; returns whether it is complete.
fn complete(place: usize, status: usize) -> bool {
    let handle = family().get(place);
    let Some(request) = with(|state| state.requests.get(&handle).copied()) else {
        // A send, or no request.
        family().put_status(status, 0, 0, 0);
        put_handle(place, family().request_null());
        return true;
    };
    if request.is_cancelled {
        family().put_cancelled(status);
    } else if request.is_active {
        match request.sends {
            Some(_) => drop(family().put_status(status, 0, 0, 0)),
            None => {
                let message = request.reserved.or_else(|| take(request.tag));
                let Some((tag, bytes)) = message else { return false };
                family().put_status(status, 0, tag, bytes);
            }
        }
    }
    if request.is_persistent {
        let idle = Request { is_active: false, is_cancelled: false, ..request };
        with(|state| state.requests.insert(handle, idle));
    } else {
        with(|state| state.requests.remove(&handle));
        put_handle(place, family().request_null());
    }
    true
}

fn places(count: c_int, first: usize, stride: usize) -> impl Iterator<Item = usize> {
    (0..count.unsigned_abs() as usize).map(move |number| first + number * stride)
}

/// Returns the address of a status of an array, or the sentinel.
fn status(first: usize, number: usize) -> usize {
    if first < 2 { first } else { first + number * family().status_bytes() }
}

fn start(place: usize) {
    let handle = family().get(place);
    let request = with(|state| {
        let request = state.requests.get_mut(&handle)?;
        request.is_active = true;
        Some(*request)
    });
    if let Some(Request { sends: Some(bytes), tag, .. }) = request {
        send(tag, bytes);
    }
}

mpi! {
    MPI_Send PMPI_Send (buffer: usize, count: c_int, datatype: usize, to: c_int, tag: c_int, comm: usize) {
        send(tag, bytes(count, datatype));
        0
    }
    MPI_Recv PMPI_Recv
        (buffer: usize, count: c_int, datatype: usize, from: c_int, tag: c_int, comm: usize, status: usize)
    { receive(tag, status) }
    MPI_Mprobe PMPI_Mprobe (from: c_int, tag: c_int, comm: usize, message: usize, status: usize) {
        reserve(tag, message, status);
        0
    }
    MPI_Improbe PMPI_Improbe
        (from: c_int, tag: c_int, comm: usize, flag: *mut c_int, message: usize, status: usize)
    { put(flag, c_int::from(reserve(tag, message, status))) }
    MPI_Mrecv PMPI_Mrecv
        (buffer: usize, count: c_int, datatype: usize, message: usize, status: usize)
    {
        let (tag, bytes) = take_reserved(message);
        family().put_status(status, 0, tag, bytes)
    }
    MPI_Imrecv PMPI_Imrecv
        (buffer: usize, count: c_int, datatype: usize, message: usize, request: usize)
    { make(request, Request { reserved: Some(take_reserved(message)), ..RECEIVE }) }
    MPI_Sendrecv PMPI_Sendrecv
        (buffer: usize, count: c_int, datatype: usize, to: c_int, tag: c_int, other: usize, most: c_int,
         kind: usize, from: c_int, wanted: c_int, comm: usize, status: usize)
    {
        send(tag, bytes(count, datatype));
        receive(wanted, status)
    }
    MPI_Isend PMPI_Isend
        (buffer: usize, count: c_int, datatype: usize, to: c_int, tag: c_int, comm: usize, request: usize)
    {
        send(tag, bytes(count, datatype));
        put_handle(request, family().complete_request())
    }
    MPI_Irecv PMPI_Irecv
        (buffer: usize, count: c_int, datatype: usize, from: c_int, tag: c_int, comm: usize, request: usize)
    { make(request, Request { tag, ..RECEIVE }) }
    MPI_Send_init PMPI_Send_init
        (buffer: usize, count: c_int, datatype: usize, to: c_int, tag: c_int, comm: usize, request: usize)
    {
        let sends = Some(bytes(count, datatype));
        make(request, Request { tag, sends, is_persistent: true, is_active: false, ..RECEIVE })
    }
    MPI_Recv_init PMPI_Recv_init
        (buffer: usize, count: c_int, datatype: usize, from: c_int, tag: c_int, comm: usize, request: usize)
    { make(request, Request { tag, is_persistent: true, is_active: false, ..RECEIVE }) }
    MPI_Start PMPI_Start (request: usize) { start(request); 0 }
    MPI_Startall PMPI_Startall (count: c_int, requests: usize) {
        places(count, requests, family().handle_bytes()).for_each(start);
        0
    }
    MPI_Ibarrier PMPI_Ibarrier (comm: usize, request: usize) {
        put_handle(request, family().complete_request())
    }
    MPI_Rput PMPI_Rput
        (from: usize, count: c_int, sent: usize, target: c_int, place: usize, to: c_int, kind: usize,
         win: usize, request: usize)
    { put_handle(request, family().complete_request()) }
    MPI_File_iwrite PMPI_File_iwrite
        (file: usize, buffer: usize, count: c_int, datatype: usize, request: usize)
    {
        // The status of its completion has these bytes.
        send(99, bytes(count, datatype));
        make(request, Request { tag: 99, ..RECEIVE })
    }
    MPI_Comm_idup PMPI_Comm_idup (comm: usize, new: usize, request: usize) {
        put_handle(new, new_handle());
        put_handle(request, family().complete_request())
    }
    MPI_Cancel PMPI_Cancel (request: usize) {
        let handle = family().get(request);
        with(|state| state.requests.get_mut(&handle).map(|request| request.is_cancelled = true));
        0
    }
    MPI_Request_free PMPI_Request_free (request: usize) {
        let handle = family().get(request);
        with(|state| state.requests.remove(&handle));
        put_handle(request, family().request_null())
    }
    MPI_Wait PMPI_Wait (request: usize, status: usize) { complete(request, status); 0 }
    MPI_Test PMPI_Test (request: usize, flag: *mut c_int, status: usize) {
        put(flag, c_int::from(complete(request, status)))
    }
    MPI_Waitall PMPI_Waitall (count: c_int, requests: usize, statuses: usize) {
        for (number, place) in places(count, requests, family().handle_bytes()).enumerate() {
            complete(place, status(statuses, number));
        }
        0
    }
    MPI_Waitany PMPI_Waitany (count: c_int, requests: usize, index: *mut c_int, status: usize) {
        for (number, place) in (0..).zip(places(count, requests, family().handle_bytes())) {
            if family().get(place) != family().request_null() && complete(place, status) {
                return put(index, number);
            }
        }
        put(index, -32766)
    }
    MPI_Testsome PMPI_Testsome
        (count: c_int, requests: usize, done: *mut c_int, indices: *mut c_int, statuses: usize)
    {
        let mut found = 0;
        for (number, place) in (0..).zip(places(count, requests, family().handle_bytes())) {
            let is_one = family().get(place) != family().request_null();
            if is_one && complete(place, status(statuses, found)) {
                // SAFETY: an array of that length.
                unsafe { indices.add(found).write(number) };
                found += 1;
            }
        }
        put(done, found as c_int)
    }
    MPI_Request_get_status PMPI_Request_get_status (request: usize, flag: *mut c_int, status: usize) {
        let is_send = family().handle(request) == family().complete_request();
        family().put_status(status, 0, 0, 0);
        put(flag, c_int::from(is_send))
    }
    MPI_Get_count PMPI_Get_count (status: usize, datatype: usize, count: *mut c_int) {
        put(count, family().count(status) / size_of_type(datatype))
    }
    MPI_Test_cancelled PMPI_Test_cancelled (status: usize, flag: *mut c_int) {
        put(flag, c_int::from(family().is_cancelled(status)))
    }
}
