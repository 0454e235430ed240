//! All regions of a library, under one lock.
//!
//! The lock is one word that contains the id of the process that holds it. If another thread of the
//! parent held it during a `fork`, that thread does not exist in the child. The child then takes
//! the lock over and never uses the memory that was free at that time.

use core::alloc::Layout;
use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::ptr::{self, NonNull};
use core::sync::atomic::{
    AtomicBool, AtomicU32, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use crate::RESERVE;
use crate::region::{GRANULE, Region};

/// The maximum number of regions, not counting the reserve.
const MOST: usize = 128;
/// The usual size in bytes of a region that is made because a block does not fit.
const USUAL: usize = 1 << 20;
/// Region sizes are multiples of the largest page size.
const PAGE: usize = 64 * 1024;
/// The number of attempts before a lock of another process is taken over.
const MOST_ATTEMPTS: u32 = 1 << 16;

#[repr(C, align(4096))]
struct Reserve(UnsafeCell<[u8; RESERVE]>);

// SAFETY: only the regions and the users of their blocks refer to it.
unsafe impl Sync for Reserve {}

static RESERVE_BYTES: Reserve = Reserve(UnsafeCell::new([0; RESERVE]));

fn is_reserved(block: *mut u8) -> bool {
    block.addr().wrapping_sub(RESERVE_BYTES.0.get().addr()) < RESERVE
}

/// The regions, and their addresses for readers without the lock.
pub(crate) struct Regions {
    holder: AtomicU32,
    /// Whether a block was ever requested.
    is_used: AtomicBool,
    /// The start and length of each region, by number.
    places: [(AtomicUsize, AtomicUsize); MOST],
    state: UnsafeCell<RegionState>,
}

struct RegionState {
    regions: [Region; MOST],
    /// Empty until its first use.
    reserve: Region,
}

// SAFETY: only the holder of the lock accesses `state`.
unsafe impl Sync for Regions {}

impl Regions {
    pub(crate) const fn new() -> Self {
        Self {
            holder: AtomicU32::new(0),
            is_used: AtomicBool::new(false),
            places: [const { (AtomicUsize::new(0), AtomicUsize::new(0)) }; MOST],
            state: UnsafeCell::new(RegionState {
                regions: [const { Region::EMPTY }; MOST],
                reserve: Region::EMPTY,
            }),
        }
    }

    /// Whether the block is in a region. A thread that has the block also sees the region's
    /// address, which was stored before the block was handed out.
    pub(crate) fn has(&self, block: *mut u8) -> bool {
        self.is_used.load(Relaxed) && (is_reserved(block) || self.number(block).is_some())
    }

    fn number(&self, block: *mut u8) -> Option<usize> {
        let is_in = |(start, bytes): &(AtomicUsize, AtomicUsize)| {
            block.addr().wrapping_sub(start.load(Acquire)) < bytes.load(Acquire)
        };
        self.places.iter().position(is_in)
    }

    /// Takes a block. Returns null if even the reserve has no room.
    #[cold]
    pub(crate) fn take(&self, layout: Layout) -> *mut u8 {
        self.is_used.store(true, Relaxed);
        let mut state = self.lock();
        let block = state.take(layout);
        if !block.is_null() {
            return block;
        }
        let least = layout.size().saturating_add(layout.align());
        if state.add(self, least.max(USUAL)).or_else(|| state.add(self, least)).is_some() {
            return state.take(layout);
        }
        state.reserve().take(layout)
    }

    /// Returns a block to its region.
    ///
    /// # Safety
    /// The block was returned by [`take`](Self::take) with this layout and is no longer used.
    #[cold]
    pub(crate) unsafe fn give_back(&self, block: *mut u8, layout: Layout) {
        let mut state = self.lock();
        let region = match self.number(block) {
            Some(at) => &mut state.regions[at],
            None => state.reserve(),
        };
        // SAFETY: this is the caller's block, which is returned to its region.
        unsafe { region.give_back(block, layout) };
    }

    /// Makes a new region of at least this size and returns its number.
    pub(crate) fn add(&self, bytes: usize) -> Option<usize> {
        self.lock().add(self, bytes)
    }

    /// Returns whether no region can be added, however small.
    pub(crate) fn is_full(&self) -> bool {
        !self.lock().regions.iter().any(Region::is_empty)
    }

    /// Returns a region to the system if no block of it is in use.
    pub(crate) fn remove(&self, at: usize) {
        let mut state = self.lock();
        let region = &mut state.regions[at];
        if region.is_free() {
            let (start, bytes) = region.place();
            *region = Region::EMPTY;
            self.places[at].1.store(0, Release);
            let _errno = Errno::keep();
            // SAFETY: the mapping was made by `add`, and no block of it is in use.
            unsafe { libc::munmap(start.cast(), bytes) };
        }
    }

    #[cfg(test)]
    pub(crate) fn as_if_held_by(&self, process: u32) {
        self.holder.store(process, Release);
    }

    fn lock(&self) -> Lock<'_> {
        // SAFETY: `getpid` has no preconditions.
        let own = unsafe { libc::getpid() }.cast_unsigned();
        for look in 1_u32.. {
            let Err(holder) = self.holder.compare_exchange(0, own, Acquire, Relaxed) else { break };
            let is_gone = look > MOST_ATTEMPTS && holder != own;
            if is_gone && self.holder.compare_exchange(holder, own, AcqRel, Relaxed).is_ok() {
                let mut lock = Lock(self);
                lock.forget();
                return lock;
            }
            // SAFETY: `sched_yield` has no preconditions and never fails.
            unsafe { libc::sched_yield() };
        }
        Lock(self)
    }
}

/// Exclusive access to the regions.
struct Lock<'a>(&'a Regions);

impl Deref for Lock<'_> {
    type Target = RegionState;

    fn deref(&self) -> &RegionState {
        // SAFETY: only one lock exists at a time.
        unsafe { &*self.0.state.get() }
    }
}

impl DerefMut for Lock<'_> {
    fn deref_mut(&mut self) -> &mut RegionState {
        // SAFETY: as above.
        unsafe { &mut *self.0.state.get() }
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        self.0.holder.store(0, Release);
    }
}

impl RegionState {
    /// Takes a block of a region. Returns null if none has room.
    fn take(&mut self, layout: Layout) -> *mut u8 {
        let mut blocks = self.regions.iter_mut().map(|region| region.take(layout));
        blocks.find(|block| !block.is_null()).unwrap_or(ptr::null_mut())
    }

    fn reserve(&mut self) -> &mut Region {
        if self.reserve.is_empty() {
            let start = NonNull::new(RESERVE_BYTES.0.get().cast());
            // SAFETY: no other code refers to the reserve, which is aligned to a page.
            self.reserve = start.map_or(Region::EMPTY, |start| unsafe { Region::new(start, RESERVE) });
        }
        &mut self.reserve
    }

    fn add(&mut self, of: &Regions, bytes: usize) -> Option<usize> {
        let at = self.regions.iter().position(Region::is_empty)?;
        let bytes = bytes.max(GRANULE).checked_next_multiple_of(PAGE)?;
        let start = map(bytes)?;
        // SAFETY: this is a fresh mapping of this length.
        self.regions[at] = unsafe { Region::new(start, bytes) };
        of.places[at].0.store(start.as_ptr().addr(), Release);
        of.places[at].1.store(bytes, Release);
        Some(at)
    }

    /// Forgets all free parts, because the previous holder of the lock may have been changing them.
    fn forget(&mut self) {
        self.regions.iter_mut().chain([&mut self.reserve]).for_each(Region::forget);
    }
}

fn map(bytes: usize) -> Option<NonNull<u8>> {
    let _errno = Errno::keep();
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at an address that the system chooses overlaps nothing.
    let start = unsafe { libc::mmap(ptr::null_mut(), bytes, protection, flags, -1, 0) };
    if start == libc::MAP_FAILED { None } else { NonNull::new(start.cast()) }
}

/// Restores the thread's `errno` when it is dropped: an allocation that succeeds after all is not a
/// failure.
struct Errno(libc::c_int);

impl Errno {
    fn keep() -> Self {
        // SAFETY: the address of this thread's `errno` is always valid.
        Self(unsafe { *libc::__errno_location() })
    }
}

impl Drop for Errno {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = self.0 };
    }
}
