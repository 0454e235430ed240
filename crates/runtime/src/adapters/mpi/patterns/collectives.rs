//! Collective operations, blocking, non-blocking and persistent.

use kymo_substrate::bindings::{SCOREP_INVALID_ROOT_RANK, SCOREP_MPI_PROC_NULL, SCOREP_MPI_ROOT};

use crate::adapters::mpi::call::{HandleKind, MpiCall};
use crate::adapters::mpi::events::When::{AtLast, Now};
use crate::adapters::mpi::function::{ArgumentPlace, Collective, NONE};
use crate::adapters::mpi::{Scope, communicators, next_id, region};

use super::bytes;
use super::request::{PERSISTENT, Request, RequestKind};
use super::requests::track;

/// An operation that is about to begin.
#[derive(Debug, Clone, Copy)]
struct Begun {
    comm: u32,
    root: i32,
    sent: u64,
    received: u64,
}

/// Describes an operation, if it is recorded.
fn begin(call: &MpiCall<'_>, of: &Collective) -> Option<Begun> {
    // Without a region there are no events.
    if region(call.slot).0 == 0 {
        return None;
    }
    let handle = call.handle(HandleKind::Comm, of.comm);
    let comm = communicators::definition(handle);
    if comm == 0 {
        return None;
    }
    let (sent, received) = bytes::of(call, of, handle);
    Some(Begun { comm, root: root(call, of.root), sent, received })
}

fn root(call: &MpiCall<'_>, place: ArgumentPlace) -> i32 {
    if place == NONE {
        return SCOREP_INVALID_ROOT_RANK;
    }
    match call.int(place) {
        root if root == call.abi.root => SCOREP_MPI_ROOT,
        root if root == call.abi.proc_null => SCOREP_MPI_PROC_NULL,
        root => root,
    }
}

pub(super) fn collective(call: &mut MpiCall<'_>, of: &Collective) {
    let begun = begin(call, of);
    let scope = Scope::enter(call, |here| {
        if let Some((here, _)) = here.zip(begun) {
            here.mpi_collective_begin(AtLast);
        }
    });
    call.execute();
    scope.leave(|here| {
        if let Some((here, Begun { comm, root, sent, received })) = here.zip(begun) {
            here.mpi_collective_end(Now, comm, root, of.kind, sent, received);
        }
    });
}

fn request(begun: Begun, of: &Collective, id: u64) -> Request {
    let Begun { comm, root, sent, received } = begun;
    Request { peer: root, tag: of.kind, sent, received, ..Request::new(RequestKind::Collective, id, comm) }
}

pub(super) fn start(call: &mut MpiCall<'_>, of: &Collective, place: ArgumentPlace) {
    let (begun, id) = (begin(call, of), next_id());
    let scope = Scope::enter(call, |here| {
        if let Some((here, _)) = here.zip(begun) {
            here.mpi_collective_request(AtLast, id);
        }
    });
    let is_done = call.execute();
    scope.leave(|_| {
        if let Some(begun) = begun.filter(|_| is_done) {
            track(call, place, request(begun, of, id));
        }
    });
}

pub(super) fn persistent(call: &mut MpiCall<'_>, of: &Collective, place: ArgumentPlace) {
    let begun = begin(call, of);
    let scope = Scope::enter(call, |_| {});
    let is_done = call.execute();
    scope.leave(|_| {
        if let Some(begun) = begun.filter(|_| is_done) {
            track(call, place, Request { flags: PERSISTENT, ..request(begun, of, next_id()) });
        }
    });
}
