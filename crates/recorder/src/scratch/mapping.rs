//! The memory of extents: a shared mapping of a file, or private memory.
//!
//! Nothing mapped here is ever unmapped, because locations refer to it for the life of the process.

use core::ptr::NonNull;

use rustix::fd::BorrowedFd;
#[cfg(not(any(miri, feature = "allocator-memory")))]
use rustix::io::retry_on_intr;

/// Returns the page size in bytes; a head and the table of an extent take one page each.
pub(super) fn page() -> usize {
    if cfg!(miri) { 4096 } else { rustix::param::page_size() }
}

/// Maps `len` bytes at `offset` of a file, all of which the file system has reserved. Children
/// created by `fork` do not have the mapping. Returns `None` if any of this fails. The space before
/// `preallocated` is already reserved.
#[cfg(not(any(miri, feature = "allocator-memory")))]
pub(super) fn shared(
    file: BorrowedFd<'_>,
    offset: u64,
    len: usize,
    preallocated: u64,
) -> Option<NonNull<u8>> {
    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, munmap};

    if offset.checked_add(len as u64)? > preallocated {
        preallocate(file, offset, len as u64)?;
    }
    let flags = MapFlags::SHARED;
    // SAFETY: a new mapping at an address of the kernel's choice overlaps nothing.
    let start = unsafe {
        mmap(core::ptr::null_mut(), len, ProtFlags::READ | ProtFlags::WRITE, flags, file, offset).ok()?
    };
    // SAFETY: the mapping was created above, and nothing refers to it yet.
    if unsafe { madvise(start, len, Advice::LinuxDontFork) }.is_err() {
        // SAFETY: the mapping has this length, and nothing refers to it yet.
        let _ = unsafe { munmap(start, len) };
        return None;
    }
    NonNull::new(start.cast())
}

/// Makes the file system reserve `len` bytes at `offset`.
#[cfg(not(any(miri, feature = "allocator-memory")))]
pub(super) fn preallocate(file: BorrowedFd<'_>, offset: u64, len: u64) -> Option<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    // A limit on file sizes is no reason to end the program.
    let _quiet = crate::file_limit::QuietFileLimit::begin();
    retry_on_intr(|| fallocate(file, FallocateFlags::empty(), offset, len)).ok()
}

/// Maps `len` zeroed bytes that only this process has.
#[cfg(not(any(miri, feature = "allocator-memory")))]
pub(super) fn private(len: usize) -> Option<NonNull<u8>> {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};

    let protection = ProtFlags::READ | ProtFlags::WRITE;
    let flags = MapFlags::PRIVATE;
    // SAFETY: a new mapping at an address of the kernel's choice overlaps nothing.
    let start = unsafe { mmap_anonymous(core::ptr::null_mut(), len, protection, flags) };
    NonNull::new(start.ok()?.cast())
}

/// Makes the system populate every page of fresh memory, so that no later store waits for one.
///
/// # Safety
/// The memory came from [`shared`] or [`private`], and nothing refers to the pages after the first
/// yet.
#[cfg(not(any(miri, feature = "allocator-memory")))]
pub(super) unsafe fn prefault(start: NonNull<u8>, len: usize) {
    use rustix::mm::{Advice, madvise};

    // SAFETY: the caller owns the mapping; its content stays as it is.
    if unsafe { madvise(start.as_ptr().cast(), len, Advice::LinuxPopulateWrite) }.is_ok() {
        return;
    }
    // Kernels before 5.14.
    for at in (page()..len).step_by(page()) {
        // SAFETY: inside the mapping, in a page that nothing refers to.
        unsafe { start.add(at).write_volatile(0) };
    }
}

/// Does nothing: the allocator's memory is already populated.
#[cfg(any(miri, feature = "allocator-memory"))]
pub(super) unsafe fn prefault(_: NonNull<u8>, _: usize) {}

/// Miri does not support file mappings, and sanitizers do not know where one ends.
#[cfg(any(miri, feature = "allocator-memory"))]
pub(super) fn shared(_: BorrowedFd<'_>, _: u64, _: usize, _: u64) -> Option<NonNull<u8>> {
    None
}

/// See [`shared`].
#[cfg(any(miri, feature = "allocator-memory"))]
pub(super) fn preallocate(_: BorrowedFd<'_>, _: u64, _: u64) -> Option<()> {
    None
}

/// Takes memory from the allocator, which knows where every block ends.
#[cfg(any(miri, feature = "allocator-memory"))]
pub(super) fn private(len: usize) -> Option<NonNull<u8>> {
    let layout = core::alloc::Layout::from_size_align(len, page()).ok()?;
    // SAFETY: lengths are those of extents, never 0.
    NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) })
}
