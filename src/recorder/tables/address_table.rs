//! Values by address: how an event callback finds the writer of its location.
//!
//! Two levels. Most addresses have a slot of their own in a small array inside the table: a multiplication, one comparison, one
//! load. The others lie in an open-addressing table that is swapped for one of twice the size when it is half full; old ones
//! stay mapped, because a reader may still be in them (together they are smaller than the current one). Look-ups take no lock;
//! inserts are serialised. Invariant: a slot's value is stored before its key, and once there the key never changes.

use core::sync::atomic::{
    AtomicPtr, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::{
    ptr,
    sync::{Mutex, PoisonError},
};

use crate::memory::Budget;

/// Slots of the first level.
const FIRST: usize = 256;

/// A map from non-zero addresses to `&'static T`; entries are never removed.
#[derive(Debug)]
pub struct AddressTable<T: 'static> {
    first: [Slot<T>; FIRST],
    others: AtomicPtr<Slots<T>>,
    /// Number of entries in `others`.
    entries: Mutex<usize>,
    budget: &'static Budget,
}

#[derive(Debug)]
struct Slot<T> {
    key: AtomicUsize,
    value: AtomicPtr<T>,
}

/// One generation of the second level: header and slots of one block.
#[derive(Debug)]
struct Slots<T: 'static> {
    slots: &'static [Slot<T>],
}

impl<T: Sync> AddressTable<T> {
    /// An empty table.
    pub fn new(budget: &'static Budget) -> Option<Self> {
        let others = AtomicPtr::new(Slots::new(2 * FIRST, budget)?);
        Some(Self { first: [const { Slot::free() }; FIRST], others, entries: Mutex::new(0), budget })
    }

    /// The value of `address`.
    pub fn get(&self, address: usize) -> Option<&'static T> {
        self.get_near(address).or_else(|| self.others().get(address))
    }

    /// The value of `address` if it has a slot of its own; most have.
    #[inline(always)]
    pub fn get_near(&self, address: usize) -> Option<&'static T> {
        let at = near(address);
        if self.first[at].key.load(Acquire) != address || address == 0 {
            return None;
        }
        // SAFETY: the key is there, so the value is.
        Some(unsafe { self.first[at].value() })
    }

    /// Adds or replaces the value of `address`, which must not be 0. `None` if there is no memory to grow.
    #[must_use]
    pub fn insert(&self, address: usize, value: &'static T) -> Option<()> {
        debug_assert_ne!(address, 0);
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if self.first[near(address)].fill(address, value) {
            return Some(());
        }
        if (*entries + 1) * 2 > self.others().slots.len() {
            self.grow()?;
        }
        *entries += usize::from(self.others().insert(address, value));
        Some(())
    }

    fn grow(&self) -> Option<()> {
        let old = self.others();
        let new = Slots::new(old.slots.len() * 2, self.budget)?;
        for slot in old.slots.iter().filter(|slot| slot.key.load(Relaxed) != 0) {
            // SAFETY: `new` was made above and is not shared yet; a slot with a key has a value.
            unsafe { (*new).insert(slot.key.load(Relaxed), slot.value()) };
        }
        self.others.store(new, Release);
        Some(())
    }

    fn others(&self) -> &'static Slots<T> {
        // SAFETY: set by `new` and `grow` to a table that is never unmapped.
        unsafe { &*self.others.load(Acquire) }
    }
}

/// Addresses of objects differ in their middle bits; a multiplication brings those to the top (Fibonacci hashing).
#[inline(always)]
fn hash(address: usize) -> usize {
    address.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as usize)
}

/// The slot of an address in the first level.
#[inline(always)]
fn near(address: usize) -> usize {
    hash(address) >> (usize::BITS - FIRST.trailing_zeros())
}

impl<T> Slot<T> {
    const fn free() -> Self {
        Self { key: AtomicUsize::new(0), value: AtomicPtr::new(ptr::null_mut()) }
    }

    /// # Safety
    /// The slot has a key.
    #[inline(always)]
    unsafe fn value(&self) -> &'static T {
        let value = self.value.load(Relaxed);
        // SAFETY: `fill` stored a `&'static T` before the key.
        unsafe {
            core::hint::assert_unchecked(!value.is_null());
            &*value
        }
    }

    /// Takes the slot for `address` unless it belongs to another one.
    fn fill(&self, address: usize, value: &'static T) -> bool {
        let key = self.key.load(Relaxed);
        if key != 0 && key != address {
            return false;
        }
        self.value.store(ptr::from_ref(value).cast_mut(), Release);
        self.key.store(address, Release);
        true
    }
}

impl<T> Slots<T> {
    /// An empty table of `len` slots, a power of two.
    fn new(len: usize, budget: &'static Budget) -> Option<*mut Self> {
        let header = size_of::<Self>().next_multiple_of(align_of::<Slot<T>>());
        let start = budget.take(header + len * size_of::<Slot<T>>())?.leak().as_mut_ptr();
        // SAFETY: the block is long enough for header and slots, page-aligned, never freed, and all-zero slots are free ones.
        unsafe {
            let slots = core::slice::from_raw_parts(start.add(header).cast(), len);
            start.cast::<Self>().write(Self { slots });
        }
        Some(start.cast())
    }

    fn get(&self, address: usize) -> Option<&'static T> {
        let slot = self
            .probe(address)
            .find(|slot| matches!(slot.key.load(Acquire), key if key == 0 || key == address))?;
        // SAFETY: the slot that was found is free or has a key.
        (address != 0 && slot.key.load(Acquire) == address).then(|| unsafe { slot.value() })
    }

    /// Returns whether the address is new. At most half of the slots are in use, so there is a free one.
    fn insert(&self, address: usize, value: &'static T) -> bool {
        let new = self
            .probe(address)
            .find(|slot| matches!(slot.key.load(Relaxed), key if key == 0 || key == address));
        let is_new = new.is_some_and(|slot| slot.key.load(Relaxed) == 0);
        new.is_some_and(|slot| slot.fill(address, value)) && is_new
    }

    /// All slots, from the one where `address` belongs.
    fn probe(&self, address: usize) -> impl Iterator<Item = &Slot<T>> {
        let (before, from) = self.slots.split_at((hash(address) >> (usize::BITS / 2)) % self.slots.len());
        from.iter().chain(before)
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
        assert_eq!((table.get(64), *table.entries.lock().unwrap()), (Some(&2), 0));
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
