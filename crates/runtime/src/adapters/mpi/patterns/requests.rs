//! The requests of a program, and the events of their completion.
//!
//! Handles are kept before a call, because the library forgets those that it completes; statuses
//! that the program ignores are received in memory of this module. Invariant: a request that the
//! library may complete is claimed before the call, and removed or released after it.

use crate::adapters::mpi::abi::Abi;
use crate::adapters::mpi::call::{HandleKind, MpiCall, Status};
use crate::adapters::mpi::events::When::Now;
use crate::adapters::mpi::function::{ArgumentPlace, Group, NONE};
use crate::adapters::mpi::symbols::pmpi;
use crate::adapters::mpi::table::{Claim, Scratch, Tables};
use crate::adapters::mpi::{Scope, communicators, count_message, options, quietly};
use crate::current;
use crate::measurement::Here;

use super::request::{ACTIVE, CANCELLED, DONE, PERSISTENT, PLAIN, Request, RequestKind};
use super::windows;

/// Returns the tables of the calling thread.
pub(super) fn tables() -> Option<&'static Tables> {
    Tables::of(&current::location()?.slots)
}

/// Remembers a request that a call has returned.
pub(super) fn track(call: &MpiCall<'_>, place: ArgumentPlace, request: Request) {
    let handle = call.handle_at(HandleKind::Request, place, 0);
    if let Some(tables) = tables().filter(|_| handle != call.abi.request_null) {
        tables.requests.insert(handle, request.fields());
    }
}

/// The places of the arguments of a call that completes requests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waited {
    /// `NONE` for one request.
    pub(super) count: ArgumentPlace,
    pub(super) requests: ArgumentPlace,
    pub(super) statuses: ArgumentPlace,
    /// Whether all requests may be completed, with a status each; else the call has one status.
    pub(super) is_many: bool,
}

/// The requests of a call, claimed.
#[derive(Debug)]
struct Batch {
    tables: &'static Tables,
    scratch: Scratch,
    /// The address of the first status, and the distance to the next one.
    statuses: usize,
    stride: usize,
}

impl Batch {
    fn len(&self) -> usize {
        self.scratch.claims.len()
    }

    fn status<'a>(&self, abi: &'a Abi, number: usize) -> Status<'a> {
        // SAFETY: the library has written the statuses.
        unsafe { Status::at(abi, self.statuses + number * self.stride) }
    }

    fn take(&mut self, number: usize) -> Option<Claim> {
        self.scratch.claims.get_mut(number)?.take()
    }

    fn release_all(&mut self) {
        self.scratch.claims.iter_mut().filter_map(Option::take).for_each(|claim| claim.release());
    }
}

/// Claims the requests of a call, and replaces statuses that the program ignores.
fn claim(call: &mut MpiCall<'_>, waited: Waited) -> Option<Batch> {
    let count = if waited.count == NONE { 1 } else { usize::try_from(call.int(waited.count)).ok()? };
    let tables = tables().filter(|_| count > 0)?;
    let stride = call.status_bytes();
    let ignores = call.ignores_status(waited.statuses);
    // SAFETY: the tables of this thread, which is inside one call at a time.
    let scratch = unsafe { tables.scratch(count, if ignores { stride } else { 0 }) }?;
    for (number, claim) in scratch.claims.iter_mut().enumerate() {
        let handle = call.handle_at(HandleKind::Request, waited.requests, number);
        if handle != call.abi.request_null {
            *claim = tables.claim(handle);
        }
    }
    let is_known = scratch.claims.iter().any(Option::is_some);
    let mut statuses = call.word(waited.statuses);
    if ignores && is_known {
        statuses = scratch.statuses;
        call.replace(waited.statuses, statuses);
    }
    is_known.then_some(Batch { tables, scratch, statuses, stride })
}

/// Runs a call that completes requests; `settle` records the completed requests.
fn around(
    call: &mut MpiCall<'_>,
    waited: Waited,
    settle: impl FnOnce(&MpiCall<'_>, &mut Batch, Option<&Here>, bool),
) {
    let mut batch = None;
    let scope = Scope::enter(call, |_| {});
    quietly(|| batch = claim(call, waited));
    let is_done = call.execute();
    scope.leave_with(|here| {
        communicators::settle_some();
        if let Some(mut batch) = batch {
            settle(call, &mut batch, here, is_done);
            batch.release_all();
        }
    });
}

/// `MPI_Wait`, `MPI_Waitall`.
pub(super) fn wait_all(call: &mut MpiCall<'_>, waited: Waited) {
    around(call, waited, |call, batch, here, is_done| {
        (0..batch.len()).for_each(|number| settle_one(call, batch, waited, number, here, is_done));
    });
}

/// `MPI_Test`, `MPI_Testall`.
pub(super) fn test_all(call: &mut MpiCall<'_>, waited: Waited, flag: ArgumentPlace) {
    around(call, waited, |call, batch, here, is_done| {
        if call.flag(flag) || !is_done {
            (0..batch.len()).for_each(|number| settle_one(call, batch, waited, number, here, is_done));
        } else {
            tested_all(batch, here);
        }
    });
}

/// `MPI_Waitany`, `MPI_Testany`. Without a flag a request is complete.
pub(super) fn wait_any(call: &mut MpiCall<'_>, waited: Waited, index: ArgumentPlace, flag: ArgumentPlace) {
    around(call, waited, |call, batch, here, is_done| {
        if flag != NONE && is_done && !call.flag(flag) {
            return tested_all(batch, here);
        }
        let first = first_index(call, batch, waited, index, 1);
        let index = if is_done { completed(call, index, 0, first) } else { None };
        for number in 0..batch.len() {
            match index {
                Some(index) if index == number => {
                    if let Some(claim) = batch.take(number) {
                        let status = batch.status(call.abi, 0);
                        complete(call.abi, batch.tables, &claim, status, here);
                    }
                }
                // A failed request has no handle any more.
                None if !is_done => settle_one(call, batch, waited, number, here, false),
                _ => tested(batch, number, here),
            }
        }
    });
}

/// `MPI_Waitsome`, `MPI_Testsome`.
pub(super) fn wait_some(
    call: &mut MpiCall<'_>,
    waited: Waited,
    outcount: ArgumentPlace,
    indices: ArgumentPlace,
) {
    around(call, waited, |call, batch, here, is_done| {
        let count = call.int_at(outcount, 0);
        let is_usable = is_done || call.error() == call.abi.error_in_status;
        let Some(count) = usize::try_from(count).ok().filter(|_| is_usable) else { return };
        let is_in_order = options::has(&[Group::XREQTEST]);
        let first = first_index(call, batch, waited, indices, count);
        let index = |place| completed(call, indices, place, first);
        let finish = |batch: &mut Batch, number: usize, place: usize| {
            let Some(claim) = batch.take(number) else { return };
            let status = batch.status(call.abi, place);
            let error = if is_done { 0 } else { status.error() };
            match error {
                0 => complete(call.abi, batch.tables, &claim, status, here),
                _ => batch.tables.remove(&claim),
            }
        };
        if is_in_order {
            for number in 0..batch.len() {
                match (0..count).find(|&place| index(place) == Some(number)) {
                    Some(place) => finish(batch, number, place),
                    None => tested(batch, number, here),
                }
            }
        } else {
            for place in 0..count {
                if let Some(number) = index(place) {
                    finish(batch, number, place);
                }
            }
        }
    });
}

/// Returns the index of the first request of an array: 0 in C, 1 in Fortran.
///
/// MPICH 4.0 counts from 0 in `mpi_f08`, against the standard. This shows in the requests that have
/// lost their handles.
fn first_index(
    call: &MpiCall<'_>,
    batch: &Batch,
    waited: Waited,
    indices: ArgumentPlace,
    count: usize,
) -> i32 {
    if call.is_c() {
        return 0;
    }
    let is_gone = |number: &i32| {
        let place = number.unsigned_abs() as usize;
        let handle = call.handle_at(HandleKind::Request, waited.requests, place);
        batch.scratch.claims[place].is_some() && handle == call.abi.request_null
    };
    let has = |index: i32| (0..count).any(|place| call.int_at(indices, place) == index);
    let numbers = 0..i32::try_from(batch.len()).unwrap_or(0);
    let fits = |first: i32| numbers.clone().filter(is_gone).all(|number| has(number + first));
    i32::from(!has(0) && (fits(1) || !fits(0)))
}

/// Returns the place in the array of a completed request; `None` if the index is undefined.
fn completed(call: &MpiCall<'_>, indices: ArgumentPlace, place: usize, first: i32) -> Option<usize> {
    let index = call.int_at(indices, place);
    (index != call.abi.undefined).then(|| usize::try_from(index - first).ok())?
}

/// Settles a request of a call that completes all of them, or has failed.
fn settle_one(
    call: &MpiCall<'_>,
    batch: &mut Batch,
    waited: Waited,
    number: usize,
    here: Option<&Here>,
    is_done: bool,
) {
    let Some(claim) = batch.take(number) else { return };
    let abi = call.abi;
    let status = batch.status(abi, if waited.is_many { number } else { 0 });
    let error = match is_done {
        true => 0,
        false if waited.is_many && call.error() == abi.error_in_status => status.error(),
        // Whether it is complete shows in its handle.
        false if call.handle_at(HandleKind::Request, waited.requests, number) == abi.request_null => -1,
        false => abi.error_pending,
    };
    match error {
        0 => complete(abi, batch.tables, &claim, status, here),
        pending if pending == abi.error_pending => claim.release(),
        _ => batch.tables.remove(&claim),
    }
}

fn tested_all(batch: &mut Batch, here: Option<&Here>) {
    (0..batch.len()).for_each(|number| tested(batch, number, here));
}

/// Records that a request was found incomplete.
fn tested(batch: &mut Batch, number: usize, here: Option<&Here>) {
    let Some(claim) = batch.take(number) else { return };
    if options::has(&[Group::XREQTEST]) {
        record_tested(&claim, here);
    }
    claim.release();
}

fn record_tested(claim: &Claim, here: Option<&Here>) {
    let Some((request, here)) = Request::of(claim.entry.fields()).zip(here) else { return };
    if request.has(PERSISTENT) && !request.has(ACTIVE) {
        return;
    }
    match request.kind {
        RequestKind::Read | RequestKind::Write => here.io_tested(request.definition, request.id),
        _ if options::has(&[Group::XNONBLOCK]) => here.mpi_request_tested(Now, request.id),
        _ => {}
    }
}

/// Records the completion of a request; a persistent one stays.
fn complete(abi: &Abi, tables: &Tables, claim: &Claim, status: Status<'_>, here: Option<&Here>) {
    let Some(mut request) = Request::of(claim.entry.fields()) else { return };
    let is_idle = request.has(PERSISTENT) && !request.has(ACTIVE);
    if !request.has(DONE) && !is_idle {
        record_completion(abi, &request, status, here);
    }
    if request.has(PERSISTENT) {
        request.flags &= !(ACTIVE | DONE | CANCELLED);
        claim.entry.set_fields(request.fields());
        claim.release();
    } else {
        tables.remove(claim);
    }
}

fn record_completion(abi: &Abi, request: &Request, status: Status<'_>, here: Option<&Here>) {
    if request.kind == RequestKind::Duplicate {
        return complete_duplicate(abi, request, here);
    }
    let Some(here) = here else { return windows::complete_request(request, None) };
    let Request { kind, id, definition, .. } = *request;
    if request.has(CANCELLED) && status.is_cancelled() {
        if !request.has(PLAIN) {
            here.mpi_request_cancelled(Now, id);
        }
        return;
    }
    match kind {
        RequestKind::Send => here.mpi_send_complete(Now, id),
        RequestKind::Receive => receive_complete(abi, request, status, here),
        RequestKind::MatchedReceive => match request.has(PLAIN) {
            true => here.mpi_matched_receive(Now, request.extra, status.bytes()),
            false => here.mpi_matched_receive_complete(Now, id, status.bytes()),
        },
        RequestKind::SendReceive => {
            receive_complete(abi, request, status, here);
            if request.extra != 0 {
                here.mpi_send_complete(Now, request.extra);
            }
        }
        RequestKind::Collective => {
            let Request { peer, tag, sent, received, .. } = *request;
            here.mpi_collective_complete(Now, definition, peer, tag, sent, received, id);
        }
        RequestKind::Read => here.io_complete(definition, super::files::READ, status.bytes(), id),
        RequestKind::Write => here.io_complete(definition, super::files::WRITE, status.bytes(), id),
        RequestKind::Rma => windows::complete_request(request, Some(here)),
        RequestKind::Duplicate => {}
    }
}

fn receive_complete(abi: &Abi, request: &Request, status: Status<'_>, here: &Here) {
    let source = status.source();
    if source == abi.proc_null || request.id == 0 {
        return;
    }
    // The status of a partitioned receive has no count.
    let bytes = if request.received > 0 { request.received } else { status.bytes() };
    let tag = status.tag().cast_unsigned();
    match request.has(PLAIN) {
        true => here.mpi_receive(Now, source, request.definition, tag, bytes),
        false => here.mpi_receive_complete(Now, source, request.definition, tag, bytes, request.id),
    }
}

/// Defines the communicator of a completed `MPI_Comm_idup`.
fn complete_duplicate(abi: &Abi, request: &Request, here: Option<&Here>) {
    let address = request.extra as usize;
    let comm = match request.has(PLAIN) {
        // SAFETY: the program keeps the variable until the request is complete.
        false => unsafe { communicators::at(abi, address) },
        // SAFETY: as above, for an integer of Fortran.
        true => unsafe { communicators::at_fortran(abi, address) },
    };
    let new = communicators::define_duplicate(abi, comm, request.definition);
    let Some(here) = here else { return };
    if new != 0 {
        here.comm_create(Now, new);
    }
    if request.definition != 0 {
        let kind = kymo_substrate::bindings::SCOREP_COLLECTIVE_CREATE_HANDLE;
        here.mpi_collective_complete(Now, request.definition, -1, kind, 0, 0, request.id);
    }
}

/// `MPI_Request_get_status`: the completion is recorded, and the request stays.
pub(super) fn get_status(
    call: &mut MpiCall<'_>,
    request: ArgumentPlace,
    flag: ArgumentPlace,
    status: ArgumentPlace,
) {
    let handle = call.handle(HandleKind::Request, request);
    let mut claimed = None;
    let scope = Scope::enter(call, |_| {});
    quietly(|| {
        let tables = tables().filter(|_| handle != call.abi.request_null);
        let claim = tables.and_then(|tables| Some((tables, tables.claim(handle)?)));
        let Some((tables, claim)) = claim else { return };
        if call.ignores_status(status) {
            // SAFETY: the tables of this thread.
            match unsafe { tables.scratch(1, call.status_bytes()) } {
                Some(scratch) => call.replace(status, scratch.statuses),
                None => return claim.release(),
            }
        }
        claimed = Some(claim);
    });
    let is_done = call.execute();
    scope.leave(|here| {
        let Some(claim) = claimed else { return };
        let known = Request::of(claim.entry.fields());
        if let Some(mut known) = known.filter(|known| !known.has(DONE) && is_done) {
            if call.flag(flag) {
                // SAFETY: the library has written the status.
                let status = unsafe { Status::at(call.abi, call.word(status)) };
                if !known.has(PERSISTENT) || known.has(ACTIVE) {
                    record_completion(call.abi, &known, status, here);
                    known.flags |= DONE;
                    claim.entry.set_fields(known.fields());
                }
            } else if options::has(&[Group::XREQTEST]) {
                record_tested(&claim, here);
            }
        }
        claim.release();
    });
}

/// Starts persistent requests. Open MPI replaces one whose buffered message is still on its way:
/// the program then has another handle.
pub(super) fn start(call: &mut MpiCall<'_>, count: ArgumentPlace, requests: ArgumentPlace) {
    let mut started = None;
    let scope = Scope::enter(call, |here| {
        let count = if count == NONE { 1 } else { call.int(count) };
        let count = usize::try_from(count).unwrap_or(0);
        let Some(tables) = tables().filter(|_| count > 0) else { return };
        // SAFETY: the tables of this thread, which is inside one call at a time.
        let Some(scratch) = (unsafe { tables.scratch(count, 0) }) else { return };
        for (number, place) in scratch.claims.iter_mut().enumerate() {
            let Some(claim) = tables.claim(call.handle_at(HandleKind::Request, requests, number)) else {
                continue;
            };
            match Request::of(claim.entry.fields()).filter(|it| it.has(PERSISTENT)) {
                Some(mut request) => {
                    request.flags |= ACTIVE;
                    claim.entry.set_fields(request.fields());
                    if let Some(here) = here {
                        record_start(&request, here);
                    }
                    *place = Some(claim);
                }
                None => claim.release(),
            }
        }
        started = Some((tables, scratch));
    });
    call.execute();
    scope.leave(|_| {
        let Some((tables, scratch)) = started else { return };
        for (number, place) in scratch.claims.iter_mut().enumerate() {
            let Some(claim) = place.take() else { continue };
            let handle = call.handle_at(HandleKind::Request, requests, number);
            if claim.is_of(handle) || handle == call.abi.request_null {
                claim.release();
            } else {
                tables.requests.insert(handle, claim.entry.fields());
                tables.remove(&claim);
            }
        }
    });
}

fn record_start(request: &Request, here: &Here) {
    let Request { kind, peer, id, definition, tag, sent, .. } = *request;
    match kind {
        RequestKind::Send => {
            count_message(sent);
            here.mpi_start_send(Now, peer, definition, tag, sent, id);
        }
        RequestKind::Receive if !request.has(PLAIN) => here.mpi_start_receive(Now, id),
        RequestKind::Collective => here.mpi_collective_request(Now, id),
        _ => {}
    }
}

/// Marks a request that the program cancels.
pub(super) fn cancel(call: &mut MpiCall<'_>, request: ArgumentPlace) {
    let scope = Scope::enter(call, |_| {
        let Some(claim) = tables().and_then(|it| it.claim(call.handle_at(HandleKind::Request, request, 0)))
        else {
            return;
        };
        if let Some(mut request) = Request::of(claim.entry.fields()) {
            request.flags |= CANCELLED;
            claim.entry.set_fields(request.fields());
        }
        claim.release();
    });
    call.execute();
    scope.leave(|_| {});
}

/// Forgets a request that the program frees. Whether a receive was cancelled shows after waiting
/// for it, which is short; a send that was not cancelled could wait for its receiver.
pub(super) fn free(call: &mut MpiCall<'_>, place: ArgumentPlace) {
    let mut claimed = None;
    let scope = Scope::enter(call, |_| {
        let handle = call.handle_at(HandleKind::Request, place, 0);
        claimed = tables().and_then(|tables| Some((tables, tables.claim(handle)?)));
    });
    let request = claimed.as_ref().and_then(|(_, claim)| Request::of(claim.entry.fields()));
    let waits = request.is_some_and(|request| {
        request.kind == RequestKind::Receive && request.has(CANCELLED) && !request.has(PERSISTENT)
    });
    let mut status = [0_u64; 4];
    let waited =
        waits && call.is_c() && { pmpi!(c"PMPI_Wait", call.word(place), status.as_mut_ptr()) == Some(0) };
    if !waited {
        call.execute();
    }
    scope.leave(|here| {
        let Some((tables, claim)) = claimed else { return };
        if let (true, Some(request), Some(here)) = (waited, request, here) {
            // SAFETY: the library has written the status.
            let status = unsafe { Status::at(call.abi, status.as_mut_ptr().expose_provenance()) };
            if status.is_cancelled() && !request.has(PLAIN) {
                here.mpi_request_cancelled(Now, request.id);
            }
        }
        tables.remove(&claim);
    });
}
