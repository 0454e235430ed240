//! The memory behind extents: a shared mapping of a file, or private memory.
//!
//! Nothing that is mapped here is ever unmapped: locations refer to it for the life of the process.

use core::ptr::NonNull;

use rustix::fd::BorrowedFd;

/// Bytes of a page; a head and the table of an extent take one each.
pub(super) fn page() -> usize {
    if cfg!(miri) { 4096 } else { rustix::param::page_size() }
}

/// `len` bytes at `offset` of a file, all of which the file system has promised to keep; every page is there already. A child made by
/// `fork` does not have them. `None` if that cannot be had.
#[cfg(not(any(miri, feature = "allocator-memory")))]
pub(super) fn shared(file: BorrowedFd<'_>, offset: u64, len: usize) -> Option<NonNull<u8>> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, munmap};

    fallocate(file, FallocateFlags::empty(), offset, len as u64).ok()?;
    let flags = MapFlags::SHARED | MapFlags::POPULATE;
    // SAFETY: a new mapping at an address of the kernel's choice overlaps nothing.
    let start = unsafe {
        mmap(core::ptr::null_mut(), len, ProtFlags::READ | ProtFlags::WRITE, flags, file, offset).ok()?
    };
    // SAFETY: the mapping was made above and nobody knows it yet.
    if unsafe { madvise(start, len, Advice::LinuxDontFork) }.is_err() {
        // SAFETY: as above.
        let _ = unsafe { munmap(start, len) };
        return None;
    }
    NonNull::new(start.cast())
}

/// `len` zeroed bytes of this process alone.
#[cfg(not(any(miri, feature = "allocator-memory")))]
pub(super) fn private(len: usize) -> Option<NonNull<u8>> {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};

    let protection = ProtFlags::READ | ProtFlags::WRITE;
    let flags = MapFlags::PRIVATE | MapFlags::POPULATE;
    // SAFETY: a new mapping at an address of the kernel's choice overlaps nothing.
    let start = unsafe { mmap_anonymous(core::ptr::null_mut(), len, protection, flags) };
    NonNull::new(start.ok()?.cast())
}

/// Miri knows no file mappings, and sanitizers do not know where one ends.
#[cfg(any(miri, feature = "allocator-memory"))]
pub(super) fn shared(_: BorrowedFd<'_>, _: u64, _: usize) -> Option<NonNull<u8>> {
    None
}

/// As above, from the allocator, which knows where every block ends.
#[cfg(any(miri, feature = "allocator-memory"))]
pub(super) fn private(len: usize) -> Option<NonNull<u8>> {
    let layout = core::alloc::Layout::from_size_align(len, page()).ok()?;
    // SAFETY: lengths are those of extents, never 0.
    NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) })
}
