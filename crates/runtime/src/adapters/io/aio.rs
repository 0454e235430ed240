//! Asynchronous input and output of POSIX.
//!
//! A request has the address of its control block as number. It is complete when the program takes
//! the result (`aio_return`): before, only the C library knows the number of bytes. A request whose
//! result is never taken is complete, with an unknown number, when its descriptor is closed. Those
//! that `lio_listio` waits for are blocking, and complete when it returns.

use std::cell::RefCell;
use std::ffi::c_int;
use std::ptr;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kymo_substrate::bindings::*;
use libc::{aiocb, sigevent, ssize_t, timespec};

use super::descriptors::NONE;
use super::functions::Function;
use super::transfers::{READ, WRITE};
use super::{UNKNOWN, around, handle_of, interpose, plain, waits};
use crate::address_table::AddressTable;
use crate::measurement::Here;
use crate::next::Next;

const NON_BLOCKING: u32 = SCOREP_IO_OPERATION_FLAG_NON_BLOCKING | SCOREP_IO_OPERATION_FLAG_NON_COLLECTIVE;
const BLOCKING: u32 = SCOREP_IO_OPERATION_FLAG_BLOCKING | SCOREP_IO_OPERATION_FLAG_NON_COLLECTIVE;

type AioError = unsafe extern "C-unwind" fn(*const aiocb) -> c_int;
type AioReturn = unsafe extern "C-unwind" fn(*mut aiocb) -> ssize_t;

// SAFETY: the types are those in the header of the C library.
static AIO_ERROR: Next<AioError> = unsafe { Next::new(c"aio_error") };
// SAFETY: as above.
static AIO_RETURN: Next<AioReturn> = unsafe { Next::new(c"aio_return") };

/// The requests in progress, by the address of their control blocks.
static REQUESTS: AddressTable = AddressTable::new();
/// The process has made a request.
static IS_USED: AtomicBool = AtomicBool::new(false);

/// Keeps the requests from changing while the process forks.
pub(super) fn hold() -> MutexGuard<'static, usize> {
    REQUESTS.hold()
}

/// Forgets the requests, in a forked child, which does not have them.
pub(super) fn forget() {
    REQUESTS.forget(|| {});
}

/// A request in progress, as the value of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Request {
    handle: u32,
    /// Whether it writes.
    writes: bool,
    descriptor: u32,
}

impl Request {
    fn word(self) -> u64 {
        u64::from(self.handle) | u64::from(self.writes) << 32 | u64::from(self.descriptor) << 33
    }

    fn of(word: u64) -> Option<Self> {
        let (handle, descriptor) = (word as u32, (word >> 33) as u32);
        (handle != NONE).then_some(Self { handle, writes: word >> 32 & 1 != 0, descriptor })
    }

    fn mode(self) -> u32 {
        if self.writes { WRITE } else { READ }
    }
}

fn known(block: *const aiocb) -> Option<Request> {
    Request::of(REQUESTS.get(block.addr()))
}

/// Removes a request and returns it.
fn take(block: *const aiocb) -> Option<Request> {
    known(block).and_then(|_| Request::of(REQUESTS.set(block.addr(), 0)))
}

/// Records the begin of a request, before the C library receives it: another thread may wait for
/// it.
///
/// # Safety
///
/// The control block must be valid.
unsafe fn begin(here: &Here, function: Function, block: *const aiocb, writes: bool, flags: u32) {
    // SAFETY: the control block is valid, as this function demands.
    let (descriptor, bytes, offset) =
        unsafe { ((*block).aio_fildes, (*block).aio_nbytes, (*block).aio_offset) };
    let handle = handle_of(function, descriptor);
    let Some(descriptor) = u32::try_from(descriptor).ok().filter(|_| handle != NONE) else { return };
    let request = Request { handle, writes, descriptor };
    IS_USED.store(true, Relaxed);
    REQUESTS.set(block.addr(), request.word());
    here.io_begin(handle, request.mode(), flags, bytes as u64, block.addr() as u64, offset as u64);
}

/// Records whether the C library has accepted a request.
fn issued(here: &Here, block: *const aiocb, is_accepted: bool) {
    let number = block.addr() as u64;
    match if is_accepted { known(block) } else { take(block) } {
        Some(request) if is_accepted => here.io_issued(request.handle, number),
        Some(request) => here.io_cancelled(request.handle, number),
        None => {}
    }
}

/// Records the end of a request that `lio_listio` waited for. It may still be in progress if a
/// signal ended the wait.
///
/// # Safety
///
/// The control block must be valid, and the program must have passed it to the C library.
unsafe fn waited(here: &Here, block: *mut aiocb) {
    let (Some(error), Some(result)) = (AIO_ERROR.get(), AIO_RETURN.get()) else { return };
    // SAFETY: the control block is valid, and the program passed it to the C library.
    let error = unsafe { error(block) };
    if error == libc::EINPROGRESS {
        return;
    }
    let number = block.addr() as u64;
    match take(block) {
        Some(request) if error == 0 => {
            // SAFETY: as above. glibc only reads the result, which the program can take afterwards.
            let bytes = unsafe { result(block) } as u64;
            here.io_complete(request.handle, request.mode(), bytes, number);
        }
        Some(request) => here.io_cancelled(request.handle, number),
        None => {}
    }
}

/// Makes a request with `next`.
///
/// # Safety
///
/// The control block must be null or valid.
unsafe fn request(
    function: Function,
    block: *mut aiocb,
    writes: bool,
    next: impl FnOnce() -> c_int,
) -> c_int {
    if function.is_excluded() || block.is_null() {
        return next();
    }
    crate::measurement::awake();
    // SAFETY: the control block is not null, so it is valid.
    let before = |here: &Here| unsafe { begin(here, function, block, writes, NON_BLOCKING) };
    around(function, before, next, |here, result| issued(here, block, result == 0))
}

interpose!([aio_read aio_read64](block: *mut aiocb) -> c_int, |next| {
    // SAFETY: the control block is null or valid, as the C library requires.
    unsafe { request(Function::AioRead, block, false, next) }
});
interpose!([aio_write aio_write64](block: *mut aiocb) -> c_int, |next| {
    // SAFETY: as above.
    unsafe { request(Function::AioWrite, block, true, next) }
});

interpose!([aio_error aio_error64](block: *const aiocb) -> c_int, |next| {
    around(Function::AioError, |_| {}, next, |here, _| {
        if let Some(request) = known(block) {
            here.io_tested(request.handle, block.addr() as u64);
        }
    })
});

interpose!([aio_return aio_return64](block: *mut aiocb) -> ssize_t, |next| {
    around(Function::AioReturn, |_| {}, next, |here, result| {
        if let Some(request) = take(block) {
            here.io_complete(request.handle, request.mode(), result as u64, block.addr() as u64);
        }
    })
});

interpose!([aio_cancel aio_cancel64](descriptor: c_int, block: *mut aiocb) -> c_int, |next| {
    around(Function::AioCancel, |_| {}, next, |here, result| {
        let cancel = |block: *const aiocb| {
            if let Some(request) = take(block) {
                here.io_cancelled(request.handle, block.addr() as u64);
            }
        };
        match (result == libc::AIO_CANCELED, block.is_null()) {
            (true, false) => cancel(block),
            (true, true) => of_descriptor(descriptor).into_iter().for_each(cancel),
            (false, _) => {}
        }
    })
});

/// Returns the control blocks of the requests of a descriptor.
fn of_descriptor(descriptor: c_int) -> Vec<*const aiocb> {
    let mut all = Vec::new();
    REQUESTS.each(|address, word| {
        if Request::of(word).is_some_and(|it| Ok(it.descriptor) == u32::try_from(descriptor)) {
            all.push(ptr::without_provenance(address));
        }
    });
    all
}

/// Records that the requests of a descriptor, which is closed, are complete.
pub(super) fn close(here: &Here, descriptor: c_int) {
    if !IS_USED.load(Relaxed) {
        return;
    }
    for block in of_descriptor(descriptor) {
        if let Some(request) = take(block) {
            here.io_complete(request.handle, request.mode(), UNKNOWN, block.addr() as u64);
        }
    }
}

interpose!([aio_suspend aio_suspend64](list: *const *const aiocb, count: c_int, time: *const timespec) -> c_int,
    |next| plain(Function::AioSuspend, next), else waits(Function::AioSuspend, next));
interpose!([aio_fsync aio_fsync64](operation: c_int, block: *mut aiocb) -> c_int,
    |next| plain(Function::AioFsync, next));

interpose!([lio_listio lio_listio64](mode: c_int, list: *const *mut aiocb, count: c_int, event: *mut sigevent) -> c_int, |next| {
    // SAFETY: the list is null, or has `count` entries that are null or valid, as `lio_listio`
    // requires.
    unsafe { list_requests(list, count, mode == libc::LIO_WAIT, next) }
});

/// Makes the requests of a list with `next`. Null entries are legal.
///
/// # Safety
///
/// The list must be null, or have `count` entries that are null or valid.
unsafe fn list_requests(
    list: *const *mut aiocb,
    count: c_int,
    waits: bool,
    next: impl FnOnce() -> c_int,
) -> c_int {
    let function = Function::LioListio;
    if function.is_excluded() || list.is_null() {
        return next();
    }
    crate::measurement::awake();
    // SAFETY: the list is not null, and has `count` blocks, as `lio_listio` demands.
    let block = move |place: usize| unsafe { *list.add(place) };
    // Without waiting, a request may be complete before the call returns, and its handler may have
    // freed the list.
    let blocks = RefCell::new(Vec::new());
    // SAFETY: the block is not null, so it is valid, as `lio_listio` demands.
    let kind = |block: *mut aiocb| unsafe { (*block).aio_lio_opcode };
    let flags = if waits { BLOCKING } else { NON_BLOCKING };
    let before = |here: &Here| {
        let all = (0..usize::try_from(count).unwrap_or(0)).map(block).filter(|block| !block.is_null());
        blocks.replace(all.collect());
        for &block in &*blocks.borrow() {
            if matches!(kind(block), libc::LIO_READ | libc::LIO_WRITE) {
                // SAFETY: as above.
                unsafe { begin(here, function, block, kind(block) == libc::LIO_WRITE, flags) };
            }
        }
    };
    around(function, before, next, |here, result| {
        if waits {
            // SAFETY: as above.
            return blocks.take().into_iter().for_each(|block| unsafe { waited(here, block) });
        }
        // After an error some of the requests may have been made; the results tell.
        let is_accepted = result == 0 || crate::next::errno() == libc::EIO;
        blocks.take().into_iter().for_each(|block| issued(here, block, is_accepted));
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_words() {
        for writes in [false, true] {
            let request = Request { handle: u32::MAX, writes, descriptor: i32::MAX as u32 };
            assert_eq!(Request::of(request.word()), Some(request));
        }
        assert_eq!(Request::of(0), None);
    }
}
