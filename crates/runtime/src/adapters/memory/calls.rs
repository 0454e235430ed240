//! Records a call: the region of its function, the block that is allocated or freed, and the memory
//! that the process holds then.
//!
//! Libraries implement these functions by each other: `operator new` calls `malloc`. Invariants: of
//! calls inside a call only frees count, which a handler of `operator new` makes; a block leaves
//! the table before it is freed, since another thread may get its address at once, and enters it
//! when it has been allocated; the region is left even if an exception leaves the function.

use std::ffi::c_void;
use std::ptr;

use super::functions::Function;
use super::{begin, blocks, here, is_large, usage};
use crate::current;
use crate::locations::Location;
use crate::measurement;
use crate::next::keeping_errno;
use crate::thread::{self, MemoryUse};

/// Executes an action before or after a call of the library; a panic does not reach the program.
fn quietly(action: impl FnOnce()) {
    keeping_errno(|| measurement::catching_panics(action));
}

/// Records a function that returns the address of a new block.
pub(super) fn allocate(
    function: Function,
    size: usize,
    caller: usize,
    next: impl FnOnce() -> usize,
) -> usize {
    let Some(mut call) = AllocatorCall::begin(function) else { return next() };
    call.enter(size, caller);
    let address = next();
    call.allocated(address, size);
    address
}

/// Records a function that writes the address of a new block to `place`, and returns an error
/// number.
pub(super) fn allocate_into(
    function: Function,
    place: usize,
    size: usize,
    caller: usize,
    next: impl FnOnce() -> usize,
) -> usize {
    let Some(mut call) = AllocatorCall::begin(function) else { return next() };
    call.enter(size, caller);
    let error = next();
    // The result is an `int`.
    if error as u32 == 0 {
        // SAFETY: the function has written it.
        let address = unsafe { ptr::with_exposed_provenance::<*mut c_void>(place).read() };
        call.allocated(address.expose_provenance(), size);
    }
    error
}

/// Records a function that frees a block.
pub(super) fn deallocate(
    function: Function,
    address: usize,
    caller: usize,
    next: impl FnOnce() -> usize,
) -> usize {
    let Some(mut call) = AllocatorCall::begin(function) else {
        free_inside(address);
        return next();
    };
    let size = blocks::take(address);
    call.enter(size.unwrap_or(0), caller);
    let result = next();
    if let Some(size) = size {
        call.freed(address, size);
    }
    result
}

/// Records a function that changes the size of a block.
pub(super) fn reallocate(
    function: Function,
    old: usize,
    size: usize,
    caller: usize,
    next: impl FnOnce() -> usize,
) -> usize {
    let Some(mut call) = AllocatorCall::begin(function) else { return next() };
    let before = blocks::take(old);
    call.enter(size.max(before.unwrap_or(0)), caller);
    let new = next();
    match before {
        Some(before) if new == 0 && size == 0 => call.freed(old, before),
        Some(before) if new == 0 => {
            blocks::put(old, before);
        }
        Some(before) => call.reallocated(old, before, new, size),
        None => call.allocated(new, size),
    }
    new
}

/// Counts a block that is freed inside another call.
fn free_inside(address: usize) {
    if thread::memory_use() != MemoryUse::Program
        && let Some(size) = blocks::try_take(address)
    {
        usage::change(0, size);
    }
}

/// A call of the program. Its region is left when it is dropped.
struct AllocatorCall {
    function: Function,
    is_entered: bool,
}

impl AllocatorCall {
    /// Returns `None` for a call inside another one, and for one that is not the program's.
    #[inline]
    fn begin(function: Function) -> Option<Self> {
        let is_foreign = thread::is_stranger()
            || thread::is_busy()
            || current::location().is_some_and(Location::is_inside);
        (!is_foreign && thread::enter_allocation()).then(|| Self { function, is_entered: false })
    }

    fn enter(&mut self, size: usize, caller: usize) {
        if !is_large(size) {
            return;
        }
        if measurement::is_pending() {
            quietly(|| begin(caller));
        }
        let region = self.function.region();
        if region.0 == 0 {
            return;
        }
        quietly(|| {
            if let Some(here) = here() {
                here.enter(region);
                self.is_entered = true;
            }
        });
    }

    fn allocated(&mut self, address: usize, size: usize) {
        if address == 0 {
            return;
        }
        let replaced = blocks::put(address, size).unwrap_or(0);
        let total = usage::change(size, replaced);
        self.finish(|here| {
            usage::record(here.parts().0);
            here.track_alloc(address as u64, size, total as usize);
        });
    }

    fn freed(&mut self, address: usize, size: usize) {
        let total = usage::change(0, size);
        self.finish(|here| {
            usage::record(here.parts().0);
            here.track_free(address as u64, size, total as usize);
        });
    }

    /// A block that was moved existed twice for a moment, which the recorded value includes.
    fn reallocated(&mut self, old: usize, before: usize, new: usize, size: usize) {
        let is_moved = new != old;
        let replaced = blocks::put(new, size).unwrap_or(0);
        let total = usage::change(size, if is_moved { replaced } else { before });
        self.finish(|here| {
            here.track_realloc((old as u64, before), (new as u64, size), total as usize);
            usage::record(here.parts().0);
        });
        if is_moved {
            usage::change(0, before);
        }
    }

    /// Records the last events in the region, and leaves it.
    fn finish(&mut self, events: impl FnOnce(&measurement::Here)) {
        if !std::mem::take(&mut self.is_entered) {
            return;
        }
        let region = self.function.region();
        quietly(|| {
            if let Some(here) = measurement::here() {
                events(&here);
                here.leave(region);
            }
        });
    }
}

impl Drop for AllocatorCall {
    fn drop(&mut self) {
        self.finish(|_| {});
        thread::set_memory_use(MemoryUse::Program);
    }
}
