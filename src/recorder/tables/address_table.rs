//! Values by address: how an event callback finds the writer of its location.
//!
//! Open addressing in a block of pages. Lookups take no lock; inserts are serialised. When the table is half full a
//! table of twice the size is filled and swapped in; the old one stays mapped, because a reader may still be in it (all old
//! tables together are smaller than the current one). Invariant: a slot's value is stored before its key, and neither changes
//! while the key is there.

use core::sync::atomic::{
    AtomicPtr, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Mutex, PoisonError};

use crate::memory::Budget;

#[derive(Debug)]
struct Slot<T> {
    key: AtomicUsize,
    value: AtomicPtr<T>,
}

/// The header in front of the slots of one generation of the table.
#[derive(Debug)]
struct Slots<T: 'static> {
    shift: u32,
    slots: &'static [Slot<T>],
}

/// A map from non-zero addresses to `&'static T`; entries are never removed.
#[derive(Debug)]
pub struct AddressTable<T: 'static> {
    current: AtomicPtr<Slots<T>>,
    entries: Mutex<usize>,
    budget: &'static Budget,
}

impl<T: Sync> AddressTable<T> {
    const FIRST: usize = 512;

    /// An empty table.
    pub fn new(budget: &'static Budget) -> Option<Self> {
        let current = AtomicPtr::new(Slots::new(Self::FIRST, budget)?);
        Some(Self { current, entries: Mutex::new(0), budget })
    }

    /// The value of `address`.
    #[inline]
    pub fn get(&self, address: usize) -> Option<&'static T> {
        self.slots().get(address)
    }

    /// Adds or replaces the value of `address`, which must not be 0. `None` if there is no memory to grow.
    #[must_use]
    pub fn insert(&self, address: usize, value: &'static T) -> Option<()> {
        debug_assert_ne!(address, 0);
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if (*entries + 1) * 2 > self.slots().slots.len() {
            self.grow()?;
        }
        *entries += usize::from(self.slots().insert(address, value));
        Some(())
    }

    fn grow(&self) -> Option<()> {
        let old = self.slots();
        let new = Slots::new(old.slots.len() * 2, self.budget)?;
        for slot in old.slots {
            let (key, value) = (slot.key.load(Relaxed), slot.value.load(Relaxed));
            if key != 0 {
                // SAFETY: `new` was made above and is not shared yet; a filled slot holds a `&'static T`.
                unsafe { (*new).insert(key, &*value) };
            }
        }
        self.current.store(new, Release);
        Some(())
    }

    #[inline]
    fn slots(&self) -> &'static Slots<T> {
        // SAFETY: set by `new` and `grow` to a table that is never unmapped.
        unsafe { &*self.current.load(Acquire) }
    }
}

impl<T> Slots<T> {
    fn new(len: usize, budget: &'static Budget) -> Option<*mut Self> {
        let header = size_of::<Self>().next_multiple_of(align_of::<Slot<T>>());
        let start = budget.take(header + len * size_of::<Slot<T>>())?.leak().as_mut_ptr();
        // SAFETY: the block is long enough for header and slots, page-aligned, never freed, and all-zero slots are empty ones.
        unsafe {
            let slots = core::slice::from_raw_parts(start.add(header).cast(), len);
            start.cast::<Self>().write(Self { shift: usize::BITS - len.trailing_zeros(), slots });
        }
        Some(start.cast())
    }

    /// Addresses of objects differ in their middle bits; a multiplication brings those to the top (Fibonacci hashing).
    #[inline]
    fn first(&self, address: usize) -> usize {
        address.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as usize) >> self.shift
    }

    #[inline]
    fn get(&self, address: usize) -> Option<&'static T> {
        let mut at = self.first(address);
        loop {
            let slot = &self.slots[at];
            match slot.key.load(Acquire) {
                // SAFETY: the value was stored before the key and is a `&'static T`.
                key if key == address && key != 0 => return Some(unsafe { &*slot.value.load(Relaxed) }),
                0 => return None,
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Returns whether the address is new. At most half of the slots are in use, so there is a free one.
    fn insert(&self, address: usize, value: &'static T) -> bool {
        let mut at = self.first(address);
        loop {
            let slot = &self.slots[at];
            let key = slot.key.load(Relaxed);
            if key == 0 || key == address {
                slot.value.store(core::ptr::from_ref(value).cast_mut(), Release);
                slot.key.store(address, Release);
                return key == 0;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static BUDGET: Budget = Budget::new(usize::MAX);

    fn number(n: usize) -> &'static usize {
        Box::leak(Box::new(n))
    }

    #[test]
    fn keeps_every_entry_while_it_grows() {
        let table = AddressTable::new(&BUDGET).unwrap();
        for n in 1..5_000 {
            table.insert(n * 64, number(n)).unwrap();
        }
        assert!((1..5_000).all(|n| table.get(n * 64) == Some(&n)));
        assert_eq!((table.get(0), table.get(65)), (None, None));
    }

    #[test]
    fn an_address_that_is_used_again_gets_its_new_value() {
        let table = AddressTable::new(&BUDGET).unwrap();
        table.insert(64, number(1)).unwrap();
        table.insert(64, number(2)).unwrap();
        assert_eq!((table.get(64), *table.entries.lock().unwrap()), (Some(&2), 1));
    }

    #[test]
    fn readers_see_old_entries_while_the_table_grows() {
        let table = AddressTable::new(&BUDGET).unwrap();
        table.insert(8, number(0)).unwrap();
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| (0..20_000).all(|_| table.get(8) == Some(&0)));
            (2..3_000).for_each(|n| table.insert(n * 8, number(n)).unwrap());
            assert!(reader.join().unwrap());
        });
    }
}
