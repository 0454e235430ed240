//! Numbers by handle.
//!
//! A definition handle is a byte offset into the host's definition memory, so handles are sparse, multiples of 8, below
//! 2^32 and dense in places. The table has two levels: 65,536 leaves of 64 KiB of handles each, mapped when first written.
//! Invariant: a leaf pointer is null or points to `LEAF` zero-initialised words that are never freed.

use core::sync::atomic::{
    AtomicPtr, AtomicU32,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use std::ptr;

use crate::memory::Budget;

const LEAVES: usize = 1 << 16;
const LEAF: usize = (1 << 16) / 8;

/// A map from handles (multiples of 8) to non-zero `u32` values, 0 where nothing was stored.
///
/// Readers see a value once [`set`](Self::set) has returned in a thread they synchronise with, which a host guarantees: it
/// delivers definitions before the first event that uses them.
#[derive(Debug)]
pub struct SparseTable {
    leaves: &'static [AtomicPtr<AtomicU32>],
    budget: &'static Budget,
}

impl SparseTable {
    /// An empty table; takes 512 KiB of address space, of which only touched pages count as resident.
    pub fn new(budget: &'static Budget) -> Option<Self> {
        let leaves = budget.take(LEAVES * size_of::<AtomicPtr<AtomicU32>>())?.leak();
        // SAFETY: the block is page-aligned, long enough, never freed, and all-zero bytes are null pointers.
        let leaves = unsafe { core::slice::from_raw_parts(leaves.as_ptr().cast(), LEAVES) };
        Some(Self { leaves, budget })
    }

    /// The value stored for `handle`, or 0.
    #[inline]
    pub fn get(&self, handle: u32) -> u32 {
        match self.leaf(handle) {
            Some(leaf) if handle % 8 == 0 => leaf[handle as usize % (1 << 16) / 8].load(Relaxed),
            _ => 0,
        }
    }

    /// Stores `value` for `handle`. `None` if there is no memory or the handle is no multiple of 8; nothing is stored then.
    #[must_use]
    pub fn set(&self, handle: u32, value: u32) -> Option<()> {
        if handle % 8 != 0 {
            return None;
        }
        let leaf = self.leaf(handle).or_else(|| self.add_leaf(handle))?;
        leaf[handle as usize % (1 << 16) / 8].store(value, Release);
        Some(())
    }

    #[inline]
    fn leaf(&self, handle: u32) -> Option<&[AtomicU32; LEAF]> {
        let leaf = self.leaves[handle as usize >> 16].load(Acquire);
        // SAFETY: invariant of the module.
        unsafe { leaf.cast::<[AtomicU32; LEAF]>().as_ref() }
    }

    #[cold]
    fn add_leaf(&self, handle: u32) -> Option<&[AtomicU32; LEAF]> {
        let mut pages = self.budget.take(LEAF * size_of::<AtomicU32>())?;
        let new = pages.as_mut_ptr().cast();
        let slot = &self.leaves[handle as usize >> 16];
        // Of two threads that come here at once the second finds the leaf of the first and gives its own back.
        if slot.compare_exchange(ptr::null_mut(), new, AcqRel, Acquire).is_ok() {
            pages.leak();
        }
        self.leaf(handle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static BUDGET: Budget = Budget::new(usize::MAX);

    #[test]
    fn finds_what_was_stored_and_nothing_else() {
        let table = SparseTable::new(&BUDGET).unwrap();
        for handle in [0, 8, 8192, 65528, 65536, 0xffff_fff8] {
            assert_eq!(table.get(handle), 0);
            table.set(handle, !handle).unwrap();
        }
        for handle in [0, 8, 8192, 65528, 65536, 0xffff_fff8] {
            assert_eq!(table.get(handle), !handle);
        }
        assert_eq!(table.get(16), 0);
    }

    #[test]
    fn a_handle_that_is_no_multiple_of_eight_is_unknown() {
        let table = SparseTable::new(&BUDGET).unwrap();
        assert_eq!(table.set(12, 1), None);
        table.set(8, 1).unwrap();
        assert_eq!((table.get(9), table.get(12)), (0, 0));
    }

    #[test]
    fn threads_that_need_the_same_leaf_at_once_share_it() {
        let table = SparseTable::new(&BUDGET).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4u32 {
                let table = &table;
                scope.spawn(move || (0..100).for_each(|n| table.set((n * 4 + thread) * 8, n * 4 + thread + 1).unwrap()));
            }
        });
        assert!((0..400).all(|n| table.get(n * 8) == n + 1));
    }
}
