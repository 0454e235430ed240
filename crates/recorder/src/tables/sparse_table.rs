//! Numbers by handle.
//!
//! A definition handle is a byte offset into the host's definition memory: a multiple of 8, below
//! 2^32, and small in most programs. Rotating a handle by three bits gives an index. The low bits,
//! which must be 0, become the top ones, so a single comparison rejects both large and invalid
//! handles. The first indexes are in one array, the others in leaves that are mapped when first
//! written. Invariant: a leaf pointer is null or points to `LEAF` zero-initialised words that are
//! never freed.

use core::sync::atomic::{
    AtomicPtr, AtomicU32,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use std::ptr;

use crate::memory::Budget;

/// The number of indexes in a leaf. Miri visits every element of a borrowed array, so under Miri
/// the arrays are short.
const LEAF: usize = if cfg!(miri) { 1 << 20 } else { 1 << 16 };
/// The default number of indexes before the leaves.
const USUAL: usize = if cfg!(miri) { 1 << 8 } else { 1 << 18 };
/// The number of leaves for all handles; the first ones remain unused.
const LEAVES: usize = (1 << 29) / LEAF;

/// A map from handles (multiples of 8) to non-zero `u32` values; 0 where nothing was stored.
///
/// `NEAR` is the number of handles that [`get_near`](Self::get_near) finds: 2^18 covers those below
/// 2 MiB.
///
/// A reader sees a value once [`set`](Self::set) has returned in a thread that the reader
/// synchronises with. Hosts guarantee this: they deliver definitions before the first event that
/// uses them.
#[derive(Debug)]
pub struct SparseTable<const NEAR: usize = USUAL> {
    near: &'static [AtomicU32; NEAR],
    leaves: &'static [AtomicPtr<AtomicU32>; LEAVES],
    budget: &'static Budget,
}

impl<const NEAR: usize> SparseTable<NEAR> {
    /// Creates an empty table. It takes a little more than 4 * `NEAR` bytes of address space, of
    /// which only touched pages become resident. Returns `None` if there is no memory for it.
    pub fn new(budget: &'static Budget) -> Option<Self> {
        let near = budget.take(size_of::<[AtomicU32; NEAR]>())?.leak();
        let leaves = budget.take(size_of::<[AtomicPtr<AtomicU32>; LEAVES]>())?.leak();
        // SAFETY: both blocks are page-aligned, long enough, never freed, and zeroed, which
        // represents zeros and null pointers.
        unsafe {
            Some(Self { near: &*near.as_mut_ptr().cast(), leaves: &*leaves.as_mut_ptr().cast(), budget })
        }
    }

    /// Returns the value stored for `handle`, or 0.
    pub fn get(&self, handle: u32) -> u32 {
        let far = || self.far(handle).map_or(0, |value| value.load(Relaxed));
        self.get_near(handle).unwrap_or_else(far)
    }

    /// Like [`get`](Self::get), but finds only small handles, without a function call.
    #[inline(always)]
    pub fn get_near(&self, handle: u32) -> Option<u32> {
        self.near.get(index(handle)).map(|value| value.load(Relaxed))
    }

    /// Stores `value` for `handle`. If there is no memory, or the handle is not a multiple of 8,
    /// stores nothing and returns `None`.
    #[must_use]
    pub fn set(&self, handle: u32, value: u32) -> Option<()> {
        let place = match self.near.get(index(handle)) {
            Some(place) => place,
            None => self.far(handle).or_else(|| self.add_leaf(handle))?,
        };
        place.store(value, Release);
        Some(())
    }

    /// Returns the place of a handle in its leaf, if that leaf exists.
    fn far(&self, handle: u32) -> Option<&'static AtomicU32> {
        let leaf = self.leaves.get(index(handle) / LEAF)?.load(Acquire);
        // SAFETY: by the module's invariant.
        (!leaf.is_null()).then(|| unsafe { &*leaf.add(index(handle) % LEAF) })
    }

    fn add_leaf(&self, handle: u32) -> Option<&'static AtomicU32> {
        let slot = self.leaves.get(index(handle) / LEAF)?;
        let mut pages = self.budget.take(LEAF * size_of::<AtomicU32>())?;
        let new = pages.start().cast();
        // If two threads get here concurrently, the second one finds the leaf of the first and
        // frees its own. `OnceRef` of once_cell does the same, but these slots are zeroed memory,
        // and only the atomics of `core` promise to be valid as zeros.
        if slot.compare_exchange(ptr::null_mut(), new, AcqRel, Acquire).is_ok() {
            core::mem::forget(pages);
        }
        self.far(handle)
    }
}

/// Returns the index of a handle. For a handle that is not a multiple of 8, it exceeds the length
/// of every array.
#[inline(always)]
fn index(handle: u32) -> usize {
    (handle as usize).rotate_right(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    static BUDGET: Budget = Budget::new(usize::MAX);

    #[test]
    fn finds_stored_values_and_nothing_else() {
        let table: SparseTable = SparseTable::new(&BUDGET).unwrap();
        for handle in [0, 8, 8192, (1 << 21) - 8, 1 << 21, 0xffff_fff8] {
            assert_eq!(table.get(handle), 0);
            table.set(handle, !handle).unwrap();
        }
        for handle in [0, 8, 8192, (1 << 21) - 8, 1 << 21, 0xffff_fff8] {
            assert_eq!(table.get(handle), !handle);
        }
        assert_eq!(table.get(16), 0);
    }

    #[test]
    fn a_handle_that_is_not_a_multiple_of_eight_is_unknown() {
        let table: SparseTable = SparseTable::new(&BUDGET).unwrap();
        assert_eq!(table.set(12, 1), None);
        table.set(8, 1).unwrap();
        assert_eq!((table.get(9), table.get(12), table.get((1 << 30) + 1)), (0, 0, 0));
    }

    #[test]
    fn threads_that_add_the_same_leaf_concurrently_share_it() {
        let table: SparseTable = SparseTable::new(&BUDGET).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4u32 {
                let table = &table;
                scope.spawn(move || {
                    (0..100).for_each(|n| {
                        table.set((1 << 24) + (n * 4 + thread) * 8, n * 4 + thread + 1).unwrap()
                    })
                });
            }
        });
        assert!((0..400).all(|n| table.get((1 << 24) + n * 8) == n + 1));
    }
}
