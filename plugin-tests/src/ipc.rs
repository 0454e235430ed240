//! Communication between the processes of a program that has one: collective calls copy, and naming another process is
//! the end, as in Score-P without a message passing layer. If the recorded program had several processes, only their
//! number and the own rank can be asked for.

use crate::host::{fail, host};
use kymo_substrate::bindings::{SCOREP_Ipc_Datatype, SCOREP_Ipc_Operation};
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::Ordering;

/// Sizes of the data types, by number.
const SIZES: [usize; 10] = [1, 1, 1, 4, 4, 4, 4, 8, 8, 8];

/// The other processes of a recorded program are not there to answer.
fn alone(function: &str) {
    let size = host().size.load(Ordering::Acquire);
    if size != 1 {
        fail(&format!(
            "{function}: the program has {size} processes, of which only rank {} is played",
            host().rank
        ));
    }
}

/// Bytes of `count` elements.
fn length(count: c_int, datatype: SCOREP_Ipc_Datatype, function: &str) -> usize {
    alone(function);
    let size = SIZES.get(datatype as usize);
    let size = size.unwrap_or_else(|| fail(&format!("{function}: there is no data type {datatype}")));
    let count = usize::try_from(count).unwrap_or_else(|_| fail(&format!("{function}: the count is {count}")));
    size * count
}

/// The only process there is.
fn only(rank: c_int, function: &str) {
    if rank != 0 {
        fail(&format!("{function}: there is no process {rank}, the program has one"));
    }
}

/// # Safety
/// Both must be valid for `length` bytes.
unsafe fn copy(from: *const c_void, to: *mut c_void, length: usize) -> c_int {
    if !ptr::eq(from, to) && length > 0 {
        // SAFETY: as the caller says; `copy` allows an overlap.
        unsafe { ptr::copy(from.cast::<u8>(), to.cast::<u8>(), length) };
    }
    0
}

pub(crate) unsafe extern "C" fn get_size() -> c_int {
    host().size.load(Ordering::Acquire) as c_int
}

pub(crate) unsafe extern "C" fn get_rank() -> c_int {
    host().rank as c_int
}

pub(crate) unsafe extern "C" fn send(
    _: *const c_void,
    count: c_int,
    datatype: SCOREP_Ipc_Datatype,
    destination: c_int,
) -> c_int {
    length(count, datatype, "SCOREP_Ipc_Send");
    only(destination, "SCOREP_Ipc_Send");
    0
}

pub(crate) unsafe extern "C" fn recv(
    _: *mut c_void,
    count: c_int,
    datatype: SCOREP_Ipc_Datatype,
    source: c_int,
) -> c_int {
    length(count, datatype, "SCOREP_Ipc_Recv");
    only(source, "SCOREP_Ipc_Recv");
    0
}

pub(crate) unsafe extern "C" fn barrier() -> c_int {
    alone("SCOREP_Ipc_Barrier");
    0
}

pub(crate) unsafe extern "C" fn bcast(
    _: *mut c_void,
    count: c_int,
    datatype: SCOREP_Ipc_Datatype,
    root: c_int,
) -> c_int {
    length(count, datatype, "SCOREP_Ipc_Bcast");
    only(root, "SCOREP_Ipc_Bcast");
    0
}

pub(crate) unsafe extern "C" fn gather(
    from: *const c_void,
    to: *mut c_void,
    count: c_int,
    datatype: SCOREP_Ipc_Datatype,
    root: c_int,
) -> c_int {
    only(root, "SCOREP_Ipc_Gather");
    // SAFETY: buffers of `count` elements, says the interface.
    unsafe { copy(from, to, length(count, datatype, "SCOREP_Ipc_Gather")) }
}

pub(crate) unsafe extern "C" fn gatherv(
    from: *const c_void,
    count: c_int,
    to: *mut c_void,
    _: *const c_int,
    datatype: SCOREP_Ipc_Datatype,
    root: c_int,
) -> c_int {
    only(root, "SCOREP_Ipc_Gatherv");
    // SAFETY: buffers of `count` elements, says the interface.
    unsafe { copy(from, to, length(count, datatype, "SCOREP_Ipc_Gatherv")) }
}

pub(crate) unsafe extern "C" fn allgather(
    from: *const c_void,
    to: *mut c_void,
    count: c_int,
    datatype: SCOREP_Ipc_Datatype,
) -> c_int {
    // SAFETY: buffers of `count` elements, says the interface.
    unsafe { copy(from, to, length(count, datatype, "SCOREP_Ipc_Allgather")) }
}

pub(crate) unsafe extern "C" fn reduce(
    from: *const c_void,
    to: *mut c_void,
    count: c_int,
    datatype: SCOREP_Ipc_Datatype,
    operation: SCOREP_Ipc_Operation,
    root: c_int,
) -> c_int {
    only(root, "SCOREP_Ipc_Reduce");
    known(operation, "SCOREP_Ipc_Reduce");
    // SAFETY: buffers of `count` elements, says the interface.
    unsafe { copy(from, to, length(count, datatype, "SCOREP_Ipc_Reduce")) }
}

pub(crate) unsafe extern "C" fn allreduce(
    from: *const c_void,
    to: *mut c_void,
    count: c_int,
    datatype: SCOREP_Ipc_Datatype,
    operation: SCOREP_Ipc_Operation,
) -> c_int {
    known(operation, "SCOREP_Ipc_Allreduce");
    // SAFETY: buffers of `count` elements, says the interface.
    unsafe { copy(from, to, length(count, datatype, "SCOREP_Ipc_Allreduce")) }
}

pub(crate) unsafe extern "C" fn scatter(
    from: *const c_void,
    to: *mut c_void,
    count: c_int,
    datatype: SCOREP_Ipc_Datatype,
    root: c_int,
) -> c_int {
    only(root, "SCOREP_Ipc_Scatter");
    // SAFETY: buffers of `count` elements, says the interface.
    unsafe { copy(from, to, length(count, datatype, "SCOREP_Ipc_Scatter")) }
}

pub(crate) unsafe extern "C" fn scatterv(
    from: *const c_void,
    _: *const c_int,
    to: *mut c_void,
    count: c_int,
    datatype: SCOREP_Ipc_Datatype,
    root: c_int,
) -> c_int {
    only(root, "SCOREP_Ipc_Scatterv");
    // SAFETY: buffers of `count` elements, says the interface.
    unsafe { copy(from, to, length(count, datatype, "SCOREP_Ipc_Scatterv")) }
}

fn known(operation: SCOREP_Ipc_Operation, function: &str) {
    if operation > 4 {
        fail(&format!("{function}: there is no operation {operation}"));
    }
}
