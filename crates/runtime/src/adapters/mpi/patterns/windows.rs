//! One-sided communication: windows, epochs, operations, and the rules of their completion
//! (docs/spec/runtime-mpi.md, §7).
//!
//! An operation is pending from its call until the program knows that it is complete at the target.
//! A thread's operations without a request to the same target that are not complete at the origin
//! share one id. Invariants: an operation without a request is followed by a completion of its id,
//! also if another thread completes that during the call; an operation whose request the program
//! waits for after a flush has no second completion.

use core::ffi::c_int;

use kymo_substrate::bindings::*;

use crate::adapters::mpi::call::{HandleKind, MpiCall, product};
use crate::adapters::mpi::events::When::{AtLast, Now};
use crate::adapters::mpi::function::{ArgumentPlace, NONE, Rma, RmaKind};
use crate::adapters::mpi::symbols::pmpi;
use crate::adapters::mpi::table::{Claim, Fields, TableEntry, Tables};
use crate::adapters::mpi::{Scope, communicators, groups, next_id, region};
use crate::address_table::AddressTable;
use crate::host::host;
use crate::measurement::Here;

use super::request::{Request, RequestKind};
use super::requests::{tables, track};

/// The definitions of windows.
static WINDOWS: AddressTable = AddressTable::new();
/// The groups of access and exposure epochs, by window.
static ACCESS: AddressTable = AddressTable::new();
static EXPOSURE: AddressTable = AddressTable::new();

const PROCESS: u32 = SCOREP_RMA_SYNC_LEVEL_PROCESS;
const BOTH: u32 = SCOREP_RMA_SYNC_LEVEL_PROCESS | SCOREP_RMA_SYNC_LEVEL_MEMORY;
const NO_ROOT: u32 = u32::MAX;
/// The rank in an event about all ranks.
const ALL: u32 = u32::MAX;

/// Forgets everything, in a child made by `fork`.
pub(super) fn forget() {
    [&WINDOWS, &ACCESS, &EXPOSURE].into_iter().for_each(|table| table.forget(|| {}));
}

/// An operation that is complete at the origin is complete at the target.
const COMBINED: u64 = 1;
/// It is complete at the origin.
const LOCAL: u64 = 2;
/// It has a request.
const REQUESTED: u64 = 4;

/// An operation that is not complete.
#[derive(Debug, Clone, Copy)]
struct Pending {
    win: usize,
    target: u32,
    id: u64,
    flags: u64,
    request: usize,
    definition: u32,
}

impl Pending {
    fn fields(self) -> Fields {
        let Self { win, target, id, flags, request, definition } = self;
        [win as u64, target.into(), id, flags, request as u64, definition.into()]
    }

    fn of([win, target, id, flags, request, definition]: Fields) -> Self {
        Self {
            win: win as usize,
            target: target as u32,
            id,
            flags,
            request: request as usize,
            definition: definition as u32,
        }
    }

    fn has(&self, flag: u64) -> bool {
        self.flags & flag != 0
    }

    /// The key in the table.
    fn key(win: usize, target: u32) -> usize {
        // Neither 0 nor one of the reserved keys.
        (win.rotate_left(16) ^ ((target as usize) << 1)) >> 1 | 1 << 62
    }

    /// The order of completions.
    fn order(claim: &Claim) -> (u32, bool, usize, bool) {
        let it = Self::of(claim.entry.fields());
        (it.target, it.has(REQUESTED), it.request, it.has(COMBINED))
    }
}

fn definition(win: usize) -> u32 {
    WINDOWS.get(win) as u32
}

pub(super) fn create(call: &mut MpiCall<'_>, comm: ArgumentPlace, win: ArgumentPlace, name: &str, kind: u32) {
    let comm = communicators::definition(call.handle(HandleKind::Comm, comm));
    let scope = Scope::enter(call, |here| {
        if let Some(here) = here.filter(|_| comm != 0) {
            here.rma_collective_begin(Now, PROCESS);
        }
    });
    let is_done = call.execute();
    scope.leave(|here| {
        let mut window = 0;
        let handle = if is_done { call.handle_at(HandleKind::Win, win, 0) } else { call.abi.win_null };
        if handle != call.abi.win_null && comm != 0 && region(call.slot).0 != 0 {
            window = host().map_or(0, |host| host.definitions.window(name.as_bytes(), comm));
            WINDOWS.set(handle, window.into());
        }
        let Some(here) = here.filter(|_| comm != 0) else { return };
        if window != 0 {
            here.rma_win_create(Now, window);
        }
        here.rma_collective_end(Now, kind, PROCESS, window, NO_ROOT, 0, 0);
    });
}

/// Whether MPI allocated the memory of a window.
fn is_allocated(call: &MpiCall<'_>, win: usize) -> bool {
    let (mut value, mut flag) = (core::ptr::null::<c_int>(), 0 as c_int);
    let key = call.abi.flavor_key;
    let result = pmpi!(c"PMPI_Win_get_attr", win, key, &raw mut value, &raw mut flag);
    let is_known = result == Some(0) && flag != 0 && !value.is_null();
    // SAFETY: the attribute is a pointer to an integer.
    is_known && call.abi.allocated.contains(unsafe { &*value })
}

pub(super) fn free(call: &mut MpiCall<'_>, win: ArgumentPlace) {
    let (mut window, mut kind) = (0, SCOREP_COLLECTIVE_DESTROY_HANDLE);
    let scope = Scope::enter(call, |here| {
        let handle = call.handle_at(HandleKind::Win, win, 0);
        if definition(handle) != 0 && is_allocated(call, handle) {
            kind = SCOREP_COLLECTIVE_DESTROY_HANDLE_AND_DEALLOCATE;
        }
        window = WINDOWS.set(handle, 0) as u32;
        if let Some(here) = here.filter(|_| window != 0) {
            here.rma_collective_begin(Now, PROCESS);
        }
        complete_all(handle, None, Mode::Drop, None);
    });
    call.execute();
    scope.leave(|here| {
        let Some(here) = here.filter(|_| window != 0) else { return };
        here.rma_win_destroy(Now, window);
        here.rma_collective_end(Now, kind, PROCESS, window, NO_ROOT, 0, 0);
    });
}

pub(super) fn set_name(call: &mut MpiCall<'_>, win: ArgumentPlace, name: ArgumentPlace) {
    let scope = Scope::enter(call, |_| {});
    let is_done = call.execute();
    scope.leave(|_| {
        if let Some(host) = host().filter(|_| is_done) {
            host.definitions.name_window(definition(call.handle(HandleKind::Win, win)), &call.text(name));
        }
    });
}

/// Returns the product of a count and the size of a type, by their places.
fn bytes(call: &MpiCall<'_>, (count, datatype): (ArgumentPlace, ArgumentPlace)) -> u64 {
    if datatype == NONE {
        return 0;
    }
    let count = if count == NONE { 1 } else { call.count(count) };
    product(call.abi, count, call.handle(HandleKind::Datatype, datatype))
}

pub(super) fn operate(call: &mut MpiCall<'_>, of: &Rma) {
    let (win, target) = (call.handle(HandleKind::Win, of.win), call.int(of.target));
    let window = definition(win);
    let is_counted = window != 0 && target != call.abi.proc_null;
    let (sent, received) = if is_counted { (bytes(call, of.sent), bytes(call, of.received)) } else { (0, 0) };
    let target = target.cast_unsigned();
    let combined = if of.is_combined { COMBINED } else { 0 };
    let key = Pending::key(win, target);
    let known = if is_counted && of.request == NONE { own_pending(key, win, target, combined) } else { None };
    let id = known.map_or_else(|| if is_counted { next_id() } else { 0 }, |(_, id)| id);
    let scope = Scope::enter(call, |here| {
        let Some(here) = here.filter(|_| is_counted) else { return };
        match of.kind {
            RmaKind::Put => here.rma_put(Now, window, target, sent, id),
            RmaKind::Get => here.rma_get(Now, window, target, sent, id),
            RmaKind::Atomic(kind) => here.rma_atomic(AtLast, window, target, kind, sent, received, id),
        }
    });
    let is_done = call.execute();
    scope.leave(|_| {
        let Some(tables) = tables().filter(|_| is_counted && is_done) else { return };
        // Another thread may have completed the id during the call.
        if known.is_some_and(|(entry, id)| is_pending(entry, key, id, combined)) {
            return;
        }
        let mut pending = Pending { win, target, id, flags: combined, request: 0, definition: window };
        if of.request != NONE {
            pending.flags |= REQUESTED;
            pending.request = call.handle_at(HandleKind::Request, of.request, 0);
            track(
                call,
                of.request,
                Request { extra: key as u64, ..Request::new(RequestKind::Rma, id, window) },
            );
        }
        tables.pending.insert(key, pending.fields());
    });
}

/// Returns the entry of this thread's operations to the same target that are pending at the
/// origin, and their id.
fn own_pending(key: usize, win: usize, target: u32, combined: u64) -> Option<(&'static TableEntry, u64)> {
    let is_it = |fields: &Fields| {
        let it = Pending::of(*fields);
        it.win == win && it.target == target && it.flags == combined
    };
    let entry = tables()?.pending.claim(key, is_it)?;
    let id = Pending::of(entry.fields()).id;
    entry.release(key);
    Some((entry, id))
}

/// Whether operations with this id are still pending at the origin.
fn is_pending(entry: &TableEntry, key: usize, id: u64, combined: u64) -> bool {
    let it = Pending::of(entry.fields());
    entry.has_key(key) && it.id == id && it.flags == combined
}

/// How operations are completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// At the origin.
    Standard,
    /// At the origin, at the end of an epoch.
    Epoch,
    /// At the target.
    Full,
    /// The window does not exist any more.
    Drop,
}

/// Completes the operations on a window, to one target or all.
fn complete_all(win: usize, target: Option<u32>, mode: Mode, here: Option<&Here>) {
    let Some(tables) = tables() else { return };
    let is_it = |fields: &Fields| {
        let it = Pending::of(*fields);
        it.win == win && target.is_none_or(|target| it.target == target)
    };
    /// More in one step are completed in parts.
    const ROOM: usize = 512;
    loop {
        // SAFETY: the tables of this thread.
        let Some(scratch) = (unsafe { tables.scratch(ROOM, 0) }) else { return };
        let count = Tables::claim_pending(scratch.claims, is_it);
        let claims = &mut scratch.claims[..count];
        claims.sort_unstable_by_key(|claim| claim.as_ref().map(Pending::order));
        let mut left = 0;
        for claim in claims.iter().flatten() {
            left += usize::from(!complete(tables, claim, mode, here));
        }
        // Those that stay would be found again.
        if count < ROOM || left > 0 {
            return;
        }
    }
}

/// Records the completion of an operation. Returns whether it is removed.
fn complete(tables: &Tables, claim: &Claim, mode: Mode, here: Option<&Here>) -> bool {
    let mut it = Pending::of(claim.entry.fields());
    if let Some(here) = here.filter(|_| mode != Mode::Drop) {
        if !it.has(LOCAL) {
            here.rma_complete_local(Now, it.definition, it.id);
        }
        if mode == Mode::Full || (it.has(COMBINED) && !it.has(LOCAL)) {
            here.rma_complete_remote(Now, it.definition, it.id);
        }
    }
    let stays = mode == Mode::Standard && !it.has(COMBINED);
    if stays {
        it.flags |= LOCAL;
        claim.entry.set_fields(it.fields());
        claim.release();
    } else {
        tables.remove_operation(claim);
    }
    !stays
}

/// The program knows that the request of an operation is complete.
pub(super) fn complete_request(request: &Request, here: Option<&Here>) {
    if request.kind != RequestKind::Rma {
        return;
    }
    let Some(tables) = tables() else { return };
    let is_it = |fields: &Fields| Pending::of(*fields).id == request.id;
    if let Some(claim) = tables.claim_operation(request.extra as usize, is_it) {
        complete(tables, &claim, Mode::Standard, here);
    }
}

/// Runs a call in a region; `after` records the completions if it succeeded.
fn around(call: &mut MpiCall<'_>, after: impl FnOnce(&MpiCall<'_>, Option<&Here>)) {
    let scope = Scope::enter(call, |_| {});
    call.execute();
    scope.leave(|here| after(call, here));
}

pub(super) fn fence(call: &mut MpiCall<'_>, win: ArgumentPlace) {
    let handle = call.handle(HandleKind::Win, win);
    let window = definition(handle);
    let scope = Scope::enter(call, |here| {
        if let Some(here) = here.filter(|_| window != 0) {
            here.rma_collective_begin(Now, BOTH);
        }
    });
    call.execute();
    scope.leave(|here| {
        complete_all(handle, None, Mode::Epoch, here);
        if let Some(here) = here.filter(|_| window != 0) {
            here.rma_collective_end(Now, SCOREP_COLLECTIVE_BARRIER, BOTH, window, NO_ROOT, 0, 0);
        }
    });
}

/// `MPI_Win_start` and `MPI_Win_post`: an epoch with a group begins.
fn begin_epoch(
    call: &mut MpiCall<'_>,
    group: ArgumentPlace,
    win: ArgumentPlace,
    epochs: &'static AddressTable,
) {
    let handle = call.handle(HandleKind::Win, win);
    let (window, group) = (definition(handle), groups::definition(call.handle(HandleKind::Group, group)));
    let scope = Scope::enter(call, |_| {
        epochs.set(handle, group.into());
    });
    call.execute();
    scope.leave(|here| {
        if let Some(here) = here.filter(|_| window != 0 && group != 0) {
            here.rma_group_sync(AtLast, PROCESS, window, group);
        }
    });
}

pub(super) fn start(call: &mut MpiCall<'_>, group: ArgumentPlace, win: ArgumentPlace) {
    begin_epoch(call, group, win, &ACCESS);
}

pub(super) fn post(call: &mut MpiCall<'_>, group: ArgumentPlace, win: ArgumentPlace) {
    begin_epoch(call, group, win, &EXPOSURE);
}

/// An epoch ends.
fn end_epoch(call: &MpiCall<'_>, win: ArgumentPlace, epochs: &AddressTable, here: Option<&Here>) {
    let handle = call.handle(HandleKind::Win, win);
    complete_all(handle, None, Mode::Epoch, here);
    let (window, group) = (definition(handle), epochs.set(handle, 0) as u32);
    if let Some(here) = here.filter(|_| window != 0 && group != 0) {
        here.rma_group_sync(AtLast, BOTH, window, group);
    }
}

pub(super) fn finish(call: &mut MpiCall<'_>, win: ArgumentPlace) {
    around(call, |call, here| end_epoch(call, win, &ACCESS, here));
}

pub(super) fn wait(call: &mut MpiCall<'_>, win: ArgumentPlace) {
    around(call, |call, here| end_epoch(call, win, &EXPOSURE, here));
}

pub(super) fn test(call: &mut MpiCall<'_>, win: ArgumentPlace, flag: ArgumentPlace) {
    around(call, |call, here| {
        if call.flag(flag) {
            return end_epoch(call, win, &EXPOSURE, here);
        }
        let handle = call.handle(HandleKind::Win, win);
        let (window, group) = (definition(handle), EXPOSURE.get(handle) as u32);
        if let Some(here) = here.filter(|_| window != 0 && group != 0) {
            here.rma_group_sync(AtLast, SCOREP_RMA_SYNC_LEVEL_NONE, window, group);
        }
    });
}

/// Returns the rank that a call names, or `None` for all.
fn target(call: &MpiCall<'_>, rank: ArgumentPlace) -> Option<u32> {
    (rank != NONE).then(|| call.int(rank).cast_unsigned())
}

pub(super) fn lock(call: &mut MpiCall<'_>, kind: ArgumentPlace, rank: ArgumentPlace, win: ArgumentPlace) {
    let window = definition(call.handle(HandleKind::Win, win));
    let is_exclusive = kind != NONE && call.int(kind) == call.abi.lock_exclusive;
    let kind = if is_exclusive { SCOREP_LOCK_EXCLUSIVE } else { SCOREP_LOCK_SHARED };
    let rank = target(call, rank).unwrap_or(ALL);
    let scope = Scope::enter(call, |here| {
        if let Some(here) = here.filter(|_| window != 0) {
            here.rma_request_lock(AtLast, window, rank, 0, kind);
        }
    });
    call.execute();
    scope.leave(|_| {});
}

pub(super) fn unlock(call: &mut MpiCall<'_>, rank: ArgumentPlace, win: ArgumentPlace) {
    around(call, |call, here| {
        let (handle, target) = (call.handle(HandleKind::Win, win), target(call, rank));
        let window = definition(handle);
        complete_all(handle, target, Mode::Full, here);
        if let Some(here) = here.filter(|_| window != 0) {
            here.rma_release_lock(AtLast, window, target.unwrap_or(ALL), 0);
        }
    });
}

pub(super) fn flush(call: &mut MpiCall<'_>, rank: ArgumentPlace, win: ArgumentPlace, is_local: bool) {
    let mode = if is_local { Mode::Standard } else { Mode::Full };
    around(call, |call, here| {
        complete_all(call.handle(HandleKind::Win, win), target(call, rank), mode, here);
    });
}
