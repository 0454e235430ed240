//! Files of MPI-IO.
//!
//! Invariant: a file whose opening was not recorded has no events.

use kymo_substrate::bindings::*;

use crate::adapters::io;
use crate::adapters::io::IoHandle;
use crate::adapters::mpi::call::{HandleKind, MpiCall, Status, product};
use crate::adapters::mpi::function::{ArgumentPlace, Issue, NONE, Transfer};
use crate::adapters::mpi::symbols::pmpi;
use crate::adapters::mpi::{Scope, communicators, next_id, region};
use crate::address_table::AddressTable;
use crate::host::host;

use super::messages::want_status;
use super::request::{Request, RequestKind};
use super::requests::track;

pub(super) const READ: u32 = SCOREP_IO_OPERATION_MODE_READ;
pub(super) const WRITE: u32 = SCOREP_IO_OPERATION_MODE_WRITE;

/// The definitions of open files.
static FILES: AddressTable = AddressTable::new();
/// The ids of the operations that files have begun and not ended.
static SPLIT: AddressTable = AddressTable::new();

/// Forgets everything, in a child made by `fork`.
pub(super) fn forget() {
    [&FILES, &SPLIT].into_iter().for_each(|table| table.forget(|| {}));
}

fn definition(file: usize) -> u32 {
    FILES.get(file) as u32
}

fn define_file(name: &[u8]) -> u32 {
    host().map_or(0, |host| host.definitions.io_file(&io::real_path(name)))
}

pub(super) fn open(
    call: &mut MpiCall<'_>,
    comm: ArgumentPlace,
    name: ArgumentPlace,
    mode: ArgumentPlace,
    file: ArgumentPlace,
) {
    let comm = communicators::parent(call.handle(HandleKind::Comm, comm));
    let mut number = 0;
    let scope = Scope::enter(call, |_| {
        if let Some(host) = host().filter(|_| comm != 0) {
            // Counted on every rank, even if opening fails.
            number = host.definitions.next_file_number(comm);
        }
    });
    let is_done = call.execute();
    scope.leave(|here| {
        let Some(host) = host().filter(|_| is_done && comm != 0 && region(call.slot).0 != 0) else { return };
        let handle = host.definitions.io_handle(&IoHandle {
            file: define_file(&call.text(name)),
            paradigm: SCOREP_IO_PARADIGM_MPI,
            communicator: comm,
            key: number,
            ..IoHandle::default()
        });
        FILES.set(call.handle_at(HandleKind::File, file, 0), handle.into());
        if let Some(here) = here.filter(|_| handle != 0) {
            let [access, creation, status] = flags(call, call.int(mode));
            here.io_create(handle, access, creation, status);
        }
    });
}

/// Returns the access mode, the creation flags and the status flags of a mode.
fn flags(call: &MpiCall<'_>, mode: i32) -> [u32; 3] {
    let modes = call.abi.modes;
    let has = |bit: i32, flag: u32| if mode & bit != 0 { flag } else { 0 };
    let access = has(modes.read_only, SCOREP_IO_ACCESS_MODE_READ_ONLY)
        | has(modes.write_only, SCOREP_IO_ACCESS_MODE_WRITE_ONLY)
        | has(modes.read_write, SCOREP_IO_ACCESS_MODE_READ_WRITE);
    let creation = has(modes.create, SCOREP_IO_CREATION_FLAG_CREATE)
        | has(modes.exclusive, SCOREP_IO_CREATION_FLAG_EXCLUSIVE);
    let status = has(modes.append, SCOREP_IO_STATUS_FLAG_APPEND)
        | has(modes.delete_on_close, SCOREP_IO_STATUS_FLAG_DELETE_ON_CLOSE);
    [access, creation, status]
}

pub(super) fn close(call: &mut MpiCall<'_>, file: ArgumentPlace) {
    let (mut handle, mut mode) = (0, 0_i32);
    let scope = Scope::enter(call, |_| {
        let word = call.handle_at(HandleKind::File, file, 0);
        if definition(word) != 0 {
            pmpi!(c"PMPI_File_get_amode", word, &raw mut mode);
        }
        handle = FILES.set(word, 0) as u32;
        SPLIT.set(word, 0);
    });
    let is_done = call.execute();
    scope.leave(|here| {
        let Some((here, host)) = here.zip(host()).filter(|_| is_done && handle != 0) else { return };
        if mode & call.abi.modes.delete_on_close != 0 {
            here.io_delete(SCOREP_IO_PARADIGM_MPI, host.definitions.file_of(handle));
        }
        here.io_destroy(handle);
    });
}

pub(super) fn delete(call: &mut MpiCall<'_>, name: ArgumentPlace) {
    let mut file = 0;
    let scope = Scope::enter(call, |here| {
        if here.is_some() {
            file = define_file(&call.text(name));
        }
    });
    call.execute();
    scope.leave(|here| {
        if let Some(here) = here.filter(|_| file != 0) {
            here.io_delete(SCOREP_IO_PARADIGM_MPI, file);
        }
    });
}

pub(super) fn seek(
    call: &mut MpiCall<'_>,
    file: ArgumentPlace,
    offset: ArgumentPlace,
    whence: ArgumentPlace,
) {
    let scope = Scope::enter(call, |_| {});
    call.execute();
    scope.leave(|here| {
        let word = call.handle(HandleKind::File, file);
        let handle = definition(word);
        let Some(here) = here.filter(|_| handle != 0) else { return };
        let mut position = 0_i64;
        let is_shared = call.function.name.ends_with("shared");
        match is_shared {
            true => pmpi!(c"PMPI_File_get_position_shared", word, &raw mut position),
            false => pmpi!(c"PMPI_File_get_position", word, &raw mut position),
        };
        let asked = call.int(whence);
        let options = [SCOREP_IO_SEEK_FROM_START, SCOREP_IO_SEEK_FROM_CURRENT, SCOREP_IO_SEEK_FROM_END];
        let known = call.abi.seeks.iter().zip(options).find(|&(&value, _)| value == asked);
        let option = known.map_or(SCOREP_IO_SEEK_INVALID, |(_, option)| option);
        here.io_seek(handle, call.wide(offset), option, position as u64);
    });
}

pub(super) fn transfer(call: &mut MpiCall<'_>, of: &Transfer) {
    let word = call.handle(HandleKind::File, of.file);
    let (handle, id) = (definition(word), next_id());
    let is_known = handle != 0;
    let bytes = match is_known {
        true => product(call.abi, call.count(of.count), call.handle(HandleKind::Datatype, of.datatype)),
        false => 0,
    };
    let offset = if of.offset == NONE { SCOREP_IO_UNKNOWN_OFFSET } else { call.wide(of.offset) as u64 };
    let mode = if of.is_write { WRITE } else { READ };
    let collective = if of.is_collective { SCOREP_IO_OPERATION_FLAG_COLLECTIVE } else { 0 };
    let blocking = match of.issue {
        Issue::Blocking { .. } => SCOREP_IO_OPERATION_FLAG_BLOCKING,
        _ => SCOREP_IO_OPERATION_FLAG_NON_BLOCKING,
    };
    let mut own = [0; 4];
    let scope = Scope::enter(call, |here| {
        if let Some(here) = here.filter(|_| is_known) {
            here.io_begin(handle, mode, blocking | collective, bytes, id, offset);
        }
    });
    if let (Issue::Blocking { status }, true) = (of.issue, is_known) {
        want_status(call, status, &mut own);
    }
    let is_done = call.execute();
    scope.leave(|here| {
        if !is_known {
            return;
        }
        match of.issue {
            Issue::Blocking { status } => {
                if let Some(here) = here {
                    let done = if is_done { transferred(call, status) } else { 0 };
                    here.io_complete(handle, mode, done, id);
                }
            }
            Issue::NonBlocking { request } if is_done => {
                if let Some(here) = here {
                    here.io_issued(handle, id);
                }
                let kind = if of.is_write { RequestKind::Write } else { RequestKind::Read };
                track(call, request, Request::new(kind, id, handle));
            }
            Issue::Split if is_done => {
                if let Some(here) = here {
                    here.io_issued(handle, id);
                }
                SPLIT.set(word, id);
            }
            _ => {}
        }
    });
}

fn transferred(call: &MpiCall<'_>, status: ArgumentPlace) -> u64 {
    // SAFETY: the library has written the status.
    unsafe { Status::at(call.abi, call.word(status)) }.bytes()
}

/// Ends an operation that was begun in a call of its own.
pub(super) fn end(call: &mut MpiCall<'_>, file: ArgumentPlace, status: ArgumentPlace, is_write: bool) {
    let word = call.handle(HandleKind::File, file);
    let (handle, id) = (definition(word), SPLIT.set(word, 0));
    let is_known = handle != 0 && id != 0;
    let mut own = [0; 4];
    let scope = Scope::enter(call, |_| {});
    if is_known {
        want_status(call, status, &mut own);
    }
    let is_done = call.execute();
    scope.leave(|here| {
        if let Some(here) = here.filter(|_| is_known && is_done) {
            let mode = if is_write { WRITE } else { READ };
            here.io_complete(handle, mode, transferred(call, status), id);
        }
    });
}
