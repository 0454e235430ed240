//! The open regions of a location, with their enter times where durations matter and their calling
//! contexts where stacks are sampled. They make it possible to leave open regions at the end, and
//! to match leaves with enters.
//!
//! The stack is written only by the location's thread, and by the finalising thread when that
//! thread does not record any more. It is in a mapping of its own, so a push never allocates.
//! Regions deeper than its capacity are counted, but neither entered nor left. The regions of the
//! current task are those above the floor; a leave does not reach below it.

use core::ptr;
use core::sync::atomic::{
    AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed, Ordering::Release,
};

/// The maximum number of open regions.
const ROOM: usize = 1 << 18;
const SIZE: usize = ROOM * size_of::<AtomicU32>();
const TIMES: usize = ROOM * size_of::<AtomicU64>();
const CONTEXTS: usize = ROOM * size_of::<ContextSlot>();
/// The maximum depth at which a leave looks for its enter.
const REACH: usize = 4096;

/// The calling context of an open region.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct OpenContext {
    /// The handle of its definition; 0 if the region was entered without a context.
    pub(crate) context: u32,
    /// The number of contexts up to it.
    pub(crate) depth: u32,
    /// The canonical frame address of the function that entered the region.
    pub(crate) frame: u64,
}

#[derive(Default)]
struct ContextSlot {
    context: AtomicU32,
    depth: AtomicU32,
    frame: AtomicU64,
}

impl ContextSlot {
    fn set(&self, open: OpenContext) {
        self.frame.store(open.frame, Relaxed);
        self.depth.store(open.depth, Relaxed);
        self.context.store(open.context, Relaxed);
    }

    #[cold]
    fn clear(&self) {
        self.context.store(0, Relaxed);
    }

    fn get(&self) -> OpenContext {
        OpenContext {
            context: self.context.load(Relaxed),
            depth: self.depth.load(Relaxed),
            frame: self.frame.load(Relaxed),
        }
    }
}

/// A stack of open regions, the innermost last.
#[derive(Debug)]
pub(crate) struct RegionStack {
    /// Null if memory is refused.
    regions: AtomicPtr<AtomicU32>,
    /// Null if times are not required.
    times: AtomicPtr<AtomicU64>,
    /// Null until the first region is entered with its calling context.
    contexts: AtomicPtr<ContextSlot>,
    depth: AtomicUsize,
    floor: AtomicUsize,
}

impl RegionStack {
    pub(crate) fn new(has_times: bool) -> Self {
        let times = if has_times { map(TIMES).cast() } else { ptr::null_mut() };
        let regions = AtomicPtr::new(map(SIZE).cast());
        Self {
            regions,
            times: AtomicPtr::new(times),
            contexts: AtomicPtr::new(ptr::null_mut()),
            depth: AtomicUsize::new(0),
            floor: AtomicUsize::new(0),
        }
    }

    /// Frees the memory permanently. Only for the location's thread.
    pub(crate) fn release(&self) {
        self.depth.store(0, Relaxed);
        self.floor.store(0, Relaxed);
        let regions = self.regions.swap(ptr::null_mut(), Relaxed);
        if !regions.is_null() {
            // SAFETY: the mapping of `new`, which is not accessed any more.
            unsafe { libc::munmap(regions.cast(), SIZE) };
        }
        let times = self.times.swap(ptr::null_mut(), Relaxed);
        if !times.is_null() {
            // SAFETY: as above.
            unsafe { libc::munmap(times.cast(), TIMES) };
        }
        let contexts = self.contexts.swap(ptr::null_mut(), Relaxed);
        if !contexts.is_null() {
            // SAFETY: as above.
            unsafe { libc::munmap(contexts.cast(), CONTEXTS) };
        }
    }

    /// Pushes a region; returns whether there was room.
    #[inline]
    pub(crate) fn push(&self, region: u32, time: u64) -> bool {
        let depth = self.depth.load(Relaxed);
        self.depth.store(depth + 1, Relaxed);
        if let Some(entered) = self.time(depth) {
            entered.store(time, Relaxed);
        }
        if self.has_contexts()
            && let Some(slot) = self.context_slot(depth)
        {
            slot.clear();
        }
        let slot = self.slot(depth);
        slot.inspect(|slot| slot.store(region, Relaxed)).is_some()
    }

    /// Removes the innermost region.
    pub(crate) fn pop(&self) -> Option<u32> {
        let depth = self.depth.load(Relaxed).checked_sub(1)?;
        self.depth.store(depth, Relaxed);
        Some(self.slot(depth)?.load(Relaxed))
    }

    /// Returns whether a region may be open that was entered with its calling context.
    #[inline(always)]
    pub(crate) fn has_contexts(&self) -> bool {
        !self.contexts.load(Relaxed).is_null()
    }

    /// Sets the calling context of the innermost region. Returns `false` without memory for it.
    pub(crate) fn set_context(&self, open: OpenContext) -> bool {
        if !self.has_contexts() {
            // Zeros are no contexts.
            self.contexts.store(map(CONTEXTS).cast(), Release);
        }
        let slot = self.depth().checked_sub(1).and_then(|innermost| self.context_slot(innermost));
        slot.inspect(|slot| slot.set(open)).is_some()
    }

    /// Returns the calling context of the innermost region.
    pub(crate) fn context(&self) -> OpenContext {
        let innermost = self.depth().checked_sub(1);
        innermost
            .and_then(|innermost| self.context_slot(innermost))
            .map_or_else(OpenContext::default, ContextSlot::get)
    }

    /// Returns the calling contexts of the open regions that have one, the innermost first.
    pub(crate) fn contexts(&self) -> impl Iterator<Item = OpenContext> + Clone {
        let depth = if self.has_contexts() { self.depth().min(ROOM) } else { 0 };
        let all = (0..depth).rev().filter_map(|at| Some(self.context_slot(at)?.get()));
        all.filter(|open| open.context != 0)
    }

    /// Returns when the open region at this distance was entered; `None` if times are not kept.
    pub(crate) fn entered(&self, distance: usize) -> Option<u64> {
        Some(self.time(self.depth().checked_sub(distance)?)?.load(Relaxed))
    }

    /// Returns how many regions must be left, the innermost first, to leave `region`; 0 if it is
    /// not open.
    #[inline]
    pub(crate) fn distance(&self, region: u32) -> usize {
        let depth = self.depth.load(Relaxed);
        let is_last = self.at(depth, 1) == Some(region) && depth > self.floor.load(Relaxed);
        if is_last { 1 } else { self.search(depth, region) }
    }

    #[cold]
    fn search(&self, depth: usize, region: u32) -> usize {
        if depth > ROOM {
            // The enter was not recorded, so the leave is not either.
            self.depth.store(depth - 1, Relaxed);
            return 0;
        }
        let reach = REACH.min(depth.saturating_sub(self.floor()));
        (1..=reach).find(|&distance| self.at(depth, distance) == Some(region)).unwrap_or(0)
    }

    /// Returns how many regions must be left to leave `region` below the first `distance` ones of
    /// the current task; `None` if it is not open there.
    pub(crate) fn next_distance(&self, distance: usize, region: u32) -> Option<usize> {
        let depth = self.depth();
        let reach = REACH.min(depth.saturating_sub(self.floor()));
        (distance + 1..=reach).find(|&distance| self.at(depth, distance) == Some(region))
    }

    fn at(&self, depth: usize, distance: usize) -> Option<u32> {
        Some(self.slot(depth.checked_sub(distance)?)?.load(Relaxed))
    }

    #[inline]
    fn slot(&self, index: usize) -> Option<&AtomicU32> {
        let start = self.regions.load(Relaxed);
        if start.is_null() || index >= ROOM {
            return None;
        }
        // SAFETY: inside the mapping, which stays until the location's thread has ended.
        Some(unsafe { &*start.add(index) })
    }

    #[inline]
    fn time(&self, index: usize) -> Option<&AtomicU64> {
        let start = self.times.load(Relaxed);
        if start.is_null() || index >= ROOM {
            return None;
        }
        // SAFETY: inside the mapping, which stays until the location's thread has ended.
        Some(unsafe { &*start.add(index) })
    }

    #[inline]
    fn context_slot(&self, index: usize) -> Option<&ContextSlot> {
        let start = self.contexts.load(Relaxed);
        if start.is_null() || index >= ROOM {
            return None;
        }
        // SAFETY: inside the mapping, which stays until the location's thread has ended.
        Some(unsafe { &*start.add(index) })
    }

    pub(crate) fn depth(&self) -> usize {
        self.depth.load(Relaxed)
    }

    /// Returns the number of open regions below those of the current task.
    pub(crate) fn floor(&self) -> usize {
        self.floor.load(Relaxed)
    }

    /// Sets the number of open regions that do not belong to the current task.
    pub(crate) fn set_floor(&self, floor: usize) {
        self.floor.store(floor, Relaxed);
    }

    /// Returns the innermost region of the current task that satisfies a condition.
    pub(crate) fn find(&self, condition: impl Fn(u32) -> bool) -> Option<u32> {
        let depth = self.depth();
        let reach = REACH.min(depth.saturating_sub(self.floor()));
        (1..=reach).filter_map(|distance| self.at(depth, distance)).find(|&region| condition(region))
    }

    /// Returns the innermost region.
    pub(crate) fn top(&self) -> Option<u32> {
        self.at(self.depth.load(Relaxed), 1)
    }
}

/// Maps zeroed memory; returns null if the system refuses it.
fn map(size: usize) -> *mut libc::c_void {
    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
    // SAFETY: a new mapping at an address that the system chooses, zeroed and aligned for words.
    let start = unsafe { libc::mmap(ptr::null_mut(), size, access, kind, -1, 0) };
    if start == libc::MAP_FAILED { ptr::null_mut() } else { start }
}

#[cfg(test)]
mod tests {
    use super::{OpenContext, ROOM, RegionStack};

    #[test]
    fn times_are_kept_if_requested() {
        let stack = RegionStack::new(true);
        assert!([7, 8].into_iter().all(|region| stack.push(region, 100 + u64::from(region))));
        assert_eq!([1, 2, 3].map(|distance| stack.entered(distance)), [Some(108), Some(107), None]);
        stack.release();
        let stack = RegionStack::new(false);
        assert!(stack.push(7, 107) && stack.entered(1).is_none());
    }

    #[test]
    fn a_region_does_not_inherit_the_context_of_one_that_was_left() {
        let stack = RegionStack::new(false);
        let open = |context| OpenContext { context, depth: 1, frame: 8 };
        assert!(stack.push(7, 0) && stack.context().context == 0 && stack.set_context(open(70)));
        assert!(stack.push(8, 0) && stack.set_context(open(80)));
        assert_eq!(stack.contexts().map(|it| it.context).collect::<Vec<_>>(), [80, 70]);
        assert_eq!(stack.pop(), Some(8));
        assert!(stack.push(9, 0) && stack.context() != open(80));
        assert_eq!(stack.contexts().collect::<Vec<_>>(), [open(70)]);
        stack.release();
        assert_eq!(stack.contexts().count(), 0);
    }

    #[test]
    fn a_leave_finds_its_enter_below_others() {
        let stack = RegionStack::new(false);
        assert!([7, 8, 9].into_iter().all(|region| stack.push(region, 0)));
        assert_eq!([9, 8, 7, 6].map(|region| stack.distance(region)), [1, 2, 3, 0]);
        assert_eq!((stack.pop(), stack.pop(), stack.pop(), stack.pop()), (Some(9), Some(8), Some(7), None));
    }

    #[test]
    fn a_leave_does_not_reach_the_regions_of_another_task() {
        let stack = RegionStack::new(false);
        assert!([7, 8, 9].into_iter().all(|region| stack.push(region, 0)));
        stack.set_floor(2);
        assert_eq!([9, 8, 7].map(|region| stack.distance(region)), [1, 0, 0]);
        stack.set_floor(3);
        assert_eq!(stack.distance(9), 0);
        stack.set_floor(0);
        assert_eq!(stack.distance(7), 3);
    }

    #[test]
    fn a_released_stack_has_no_room() {
        let stack = RegionStack::new(false);
        assert!(stack.push(7, 0));
        stack.release();
        assert!(!stack.push(8, 0) && stack.distance(7) == 0);
        stack.release();
    }

    #[test]
    fn regions_that_are_too_deep_are_only_counted() {
        let stack = RegionStack::new(false);
        assert!((0..ROOM).all(|_| stack.push(1, 0)));
        assert!(!stack.push(2, 0) && !stack.push(1, 0));
        assert_eq!((stack.distance(1), stack.distance(2), stack.depth()), (0, 0, ROOM));
        assert_eq!(stack.distance(1), 1);
    }
}
