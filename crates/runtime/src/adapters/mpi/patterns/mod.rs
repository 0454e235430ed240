//! The events that a call of a function records, by its pattern.
//!
//! Each pattern enters the region of the function, calls the library, and leaves the region. The
//! order of events is that of crates/runtime/src/adapters/mpi/functions.toml, `[events.*]`.
//! Invariant: the state of requests, communicators, windows and files is kept even while nothing is
//! recorded.

mod bytes;
mod collectives;
mod communicators;
mod files;
mod messages;
mod request;
mod requests;
mod windows;

use kymo_substrate::bindings::{
    SCOREP_COLLECTIVE_CREATE_HANDLE, SCOREP_COLLECTIVE_DESTROY_HANDLE, SCOREP_INVALID_ROOT_RANK,
};

use self::communicators::Named;
use self::requests::Waited;
use super::call::{HandleKind, MpiCall};
use super::events::When::{AtLast, Now};
use super::function::{ArgumentPlace, NONE, Pattern};
use super::{Scope, communicators as known, options, world};
use crate::measurement::Here;

/// Forgets the state of the parent, in a child made by `fork`.
pub(super) fn forget() {
    messages::forget();
    windows::forget();
    files::forget();
}

/// Calls the library and records the call.
pub(super) fn run(call: &mut MpiCall<'_>) {
    let many = |count, requests, statuses| Waited { count, requests, statuses, is_many: count != NONE };
    match call.function.pattern {
        Pattern::Region {} => plain(call),
        // The most frequent ones first.
        Pattern::Send { send } => messages::send(call, send),
        Pattern::Receive { comm, status } => messages::receive(call, comm, status),
        pattern if is_more(&pattern) && !options::has_more() => plain(call),
        Pattern::Init {} => init(call),
        Pattern::Finalize {} => finalize(call),
        Pattern::Initialized { .. } => plain(call),
        Pattern::Finalized { flag } => finalized(call, flag),
        Pattern::Abort {} => abort(call),
        Pattern::SetAttribute { comm, key } => attribute(call, comm, key, true),
        Pattern::DeleteAttribute { comm, key } => attribute(call, comm, key, false),
        Pattern::MatchedProbe { comm, message, flag, status } => {
            messages::matched_probe(call, comm, message, flag, status);
        }
        Pattern::MatchedReceive { message, status } => messages::matched_receive(call, message, status),
        Pattern::SendReceive { send, status } => messages::send_receive(call, send, status),
        Pattern::StartSend { send, request } => messages::start_send(call, send, request),
        Pattern::StartReceive { source, comm, request } => {
            messages::start_receive(call, source, comm, request);
        }
        Pattern::StartMatchedReceive { message, request } => {
            messages::start_matched_receive(call, message, request);
        }
        Pattern::StartSendReceive { send, source, request } => {
            messages::start_send_receive(call, send, source, request);
        }
        Pattern::PersistentSend { send, partitions, request } => {
            messages::persistent_send(call, send, partitions, request);
        }
        Pattern::PersistentReceive { source, items, datatype, comm, partitions, request, .. } => {
            let parts = (partitions, items, datatype);
            messages::persistent_receive(call, messages::Expected { source, comm, request, parts });
        }
        Pattern::Collective { collective } => collectives::collective(call, &collective),
        Pattern::StartCollective { collective, request } => collectives::start(call, &collective, request),
        Pattern::PersistentCollective { collective, request } => {
            collectives::persistent(call, &collective, request);
        }
        Pattern::Start { count, requests } => requests::start(call, count, requests),
        Pattern::WaitAll { count, requests, statuses } => {
            requests::wait_all(call, many(count, requests, statuses));
        }
        Pattern::TestAll { count, requests, flag, statuses } => {
            requests::test_all(call, many(count, requests, statuses), flag);
        }
        Pattern::WaitAny { count, requests, index, flag, status } => {
            let waited = Waited { count, requests, statuses: status, is_many: false };
            requests::wait_any(call, waited, index, flag);
        }
        Pattern::WaitSome { count, requests, outcount, indices, statuses } => {
            requests::wait_some(call, many(count, requests, statuses), outcount, indices);
        }
        Pattern::GetStatus { request, flag, status } => requests::get_status(call, request, flag, status),
        Pattern::Cancel { request } => requests::cancel(call, request),
        Pattern::RequestFree { request } => requests::free(call, request),
        Pattern::CommCreate { parent, new } => {
            let parent = communicators::given(call, parent);
            communicators::create(call, parent, new, Named::Parent, |_, _, _| {});
        }
        Pattern::CommCreateSubset { parent, new } => {
            let parent = communicators::given(call, parent);
            communicators::create(call, parent, new, Named::New, |_, _, _| {});
        }
        Pattern::IntercommCreate { local, leader, peer, new } => {
            let parent = communicators::peer(call, local, leader, peer);
            communicators::create(call, parent, new, Named::New, |_, _, _| {});
        }
        Pattern::CommIdup { comm, new, request } => communicators::idup(call, comm, new, request),
        Pattern::CommFree { comm } => communicators::free(call, comm),
        Pattern::CommSetName { comm, name } => communicators::set_name(call, comm, name),
        Pattern::CartCreate { parent, dimensions, sizes, periods, new } => {
            let parent = communicators::given(call, parent);
            communicators::cart_create(call, parent, [dimensions, sizes, periods], new);
        }
        Pattern::CartSub { parent, new } => {
            let parent = communicators::given(call, parent);
            communicators::cart_sub(call, parent, new);
        }
        Pattern::GroupCreate { group } => communicators::create_group(call, group),
        Pattern::GroupFree { group } => communicators::free_group(call, group),
        Pattern::WinCreate { comm, win, name, kind } => windows::create(call, comm, win, name, kind),
        Pattern::WinFree { win } => windows::free(call, win),
        Pattern::WinSetName { win, name } => windows::set_name(call, win, name),
        Pattern::Rma { rma } => windows::operate(call, &rma),
        Pattern::WinFence { win } => windows::fence(call, win),
        Pattern::WinStart { group, win } => windows::start(call, group, win),
        Pattern::WinPost { group, win } => windows::post(call, group, win),
        Pattern::WinComplete { win } => windows::finish(call, win),
        Pattern::WinWait { win } => windows::wait(call, win),
        Pattern::WinTest { win, flag } => windows::test(call, win, flag),
        Pattern::WinLock { kind, rank, win } => windows::lock(call, kind, rank, win),
        Pattern::WinUnlock { rank, win } => windows::unlock(call, rank, win),
        Pattern::WinFlush { rank, win } => windows::flush(call, rank, win, false),
        Pattern::WinFlushLocal { rank, win } => windows::flush(call, rank, win, true),
        Pattern::FileOpen { comm, name, mode, file } => files::open(call, comm, name, mode, file),
        Pattern::FileClose { file } => files::close(call, file),
        Pattern::FileDelete { name } => files::delete(call, name),
        Pattern::FileSeek { file, offset, whence } => files::seek(call, file, offset, whence),
        Pattern::Transfer { transfer } => files::transfer(call, &transfer),
        Pattern::TransferEnd { file, status, is_write } => files::end(call, file, status, is_write),
    }
}

/// Whether Score-P has only a region for a function with this pattern.
fn is_more(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::StartSendReceive { .. } | Pattern::PersistentCollective { .. } => true,
        Pattern::PersistentSend { partitions, .. } | Pattern::PersistentReceive { partitions, .. } => {
            *partitions != NONE
        }
        _ => false,
    }
}

fn plain(call: &mut MpiCall<'_>) {
    let scope = Scope::enter(call, |_| {});
    call.execute();
    scope.leave(|_| {});
}

/// Returns the definitions of the communicators that exist from the start.
fn first(call: &MpiCall<'_>) -> Option<[u32; 2]> {
    let first = [call.abi.world, call.abi.itself].map(known::parent);
    (first[0] != 0).then_some(first)
}

fn init(call: &mut MpiCall<'_>) {
    let scope = Scope::enter(call, |_| {});
    let is_done = call.execute();
    if is_done {
        super::quietly(|| world::begin(call.abi));
    }
    scope.leave(|here| {
        let Some((here, [world, itself])) = here.zip(first(call)) else { return };
        // Whether there is an end is known only now.
        here.mpi_collective_begin(AtLast);
        [world, itself].into_iter().for_each(|comm| here.comm_create(Now, comm));
        end(here, world, SCOREP_COLLECTIVE_CREATE_HANDLE);
    });
}

fn end(here: &Here, comm: u32, kind: u32) {
    here.mpi_collective_end(Now, comm, SCOREP_INVALID_ROOT_RANK, kind, 0, 0);
}

fn finalize(call: &mut MpiCall<'_>) {
    if world::is_finalized() {
        // The library, which is not finalised yet, would not report the mistake.
        return call.answer(call.abi.error_other);
    }
    let first = first(call);
    let scope = Scope::enter(call, |here| {
        if let Some(here) = here.filter(|_| first.is_some()) {
            here.mpi_collective_begin(AtLast);
        }
    });
    let mut is_delayed = false;
    super::quietly(|| is_delayed = world::finalize(call.abi));
    if is_delayed {
        call.answer(0);
    }
    scope.leave(|here| {
        let Some((here, [world, itself])) = here.zip(first) else { return };
        [world, itself].into_iter().for_each(|comm| here.comm_destroy(Now, comm));
        end(here, world, SCOREP_COLLECTIVE_DESTROY_HANDLE);
    });
    if !is_delayed {
        call.execute();
    } else if world::finalizes_now() {
        super::quietly(|| crate::measurement::end(None));
    }
}

fn finalized(call: &mut MpiCall<'_>, flag: ArgumentPlace) {
    let scope = Scope::enter(call, |_| {});
    call.execute();
    if world::is_finalized() {
        call.set_flag(flag, 1);
    }
    scope.leave(|_| {});
}

fn attribute(call: &mut MpiCall<'_>, comm: ArgumentPlace, key: ArgumentPlace, is_set: bool) {
    let scope = Scope::enter(call, |_| {});
    let is_done = call.execute();
    scope.leave(|_| {
        if is_done && call.handle(HandleKind::Comm, comm) == call.abi.itself {
            world::note_attribute(call.int(key), is_set);
        }
    });
}

fn abort(call: &mut MpiCall<'_>) {
    world::abort();
    let _scope = Scope::enter(call, |_| {});
    call.execute();
}
