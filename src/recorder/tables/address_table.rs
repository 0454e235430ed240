//! Values by address: how an event callback finds the writer of its location.
//!
//! Two levels. Most addresses have a slot of their own in a small array inside the table: a multiplication, a load and a
//! comparison. The others lie in an open-addressing table that is swapped for one of twice the size when it is half full; old
//! ones stay mapped, because a reader may still be in them (together they are smaller than the current one). Look-ups take no
//! lock; inserts are serialised. Invariant: a slot is null or points to a value that lives for ever and knows its address.

use core::sync::atomic::{
    AtomicPtr,
    Ordering::{Acquire, Release},
};
use std::{
    ptr,
    sync::{Mutex, PoisonError},
};

use crate::memory::Budget;

/// Slots of the first level; few under Miri, where tests have to be short.
const FIRST: usize = if cfg!(miri) { 16 } else { 256 };

/// What an [`AddressTable`] can hold.
pub trait Addressed: Sync {
    /// The address it is found by, not 0. Never changes.
    fn address(&self) -> usize;
}

/// A map from addresses to `&'static T`; entries can be replaced, but not removed.
#[derive(Debug)]
pub struct AddressTable<T: 'static> {
    first: [Slot<T>; FIRST],
    others: AtomicPtr<Slots<T>>,
    /// Number of entries in `others`.
    entries: Mutex<usize>,
    budget: &'static Budget,
}

#[derive(Debug)]
struct Slot<T>(AtomicPtr<T>);

/// One generation of the second level: header and slots of one block.
#[derive(Debug)]
struct Slots<T: 'static> {
    slots: &'static [Slot<T>],
}

impl<T: Addressed> AddressTable<T> {
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
        self.first[near(address)].get().filter(|value| value.address() == address)
    }

    /// Adds a value, in place of an older one with the same address. `None` if there is no memory to grow.
    #[must_use]
    pub fn insert(&self, value: &'static T) -> Option<()> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if self.first[near(value.address())].fill(value) {
            return Some(());
        }
        if (*entries + 1) * 2 > self.others().slots.len() {
            self.grow()?;
        }
        *entries += usize::from(self.others().insert(value));
        Some(())
    }

    fn grow(&self) -> Option<()> {
        let old = self.others();
        let new = Slots::new(old.slots.len() * 2, self.budget)?;
        // SAFETY: made above, not shared yet, and never unmapped.
        let slots = unsafe { &*new };
        old.slots.iter().filter_map(Slot::get).for_each(|value| _ = slots.insert(value));
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

impl<T: Addressed> Slot<T> {
    const fn free() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    #[inline(always)]
    fn get(&self) -> Option<&'static T> {
        // SAFETY: null or what `fill` stored, a `&'static T`.
        unsafe { self.0.load(Acquire).as_ref() }
    }

    /// Takes the slot for `value` unless it belongs to another address.
    fn fill(&self, value: &'static T) -> bool {
        if self.get().is_some_and(|old| old.address() != value.address()) {
            return false;
        }
        self.0.store(ptr::from_ref(value).cast_mut(), Release);
        true
    }
}

impl<T: Addressed> Slots<T> {
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
        self.probe(address).map_while(Slot::get).find(|value| value.address() == address)
    }

    /// Returns whether the address is new. At most half of the slots are in use, so there is a free one.
    fn insert(&self, value: &'static T) -> bool {
        let is_new = self.get(value.address()).is_none();
        self.probe(value.address()).any(|slot| slot.fill(value));
        is_new
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

    /// Entries of a table that has grown several times.
    const MANY: usize = 20 * FIRST;

    #[derive(Debug, PartialEq)]
    struct Number {
        address: usize,
        number: usize,
    }

    impl Addressed for Number {
        fn address(&self) -> usize {
            self.address
        }
    }

    fn number(address: usize, number: usize) -> &'static Number {
        Box::leak(Box::new(Number { address, number }))
    }

    fn found(table: &AddressTable<Number>, address: usize) -> Option<usize> {
        table.get(address).map(|value| value.number)
    }

    #[test]
    fn keeps_every_entry_while_it_grows() {
        let table = AddressTable::new(&BUDGET).unwrap();
        for n in 1..MANY {
            table.insert(number(n * 64, n)).unwrap();
        }
        assert!((1..MANY).all(|n| found(&table, n * 64) == Some(n)));
        assert_eq!((found(&table, 0), found(&table, 65)), (None, None));
    }

    #[test]
    fn an_address_that_is_used_again_gets_its_new_value() {
        let table = AddressTable::new(&BUDGET).unwrap();
        for round in 0..2 {
            for n in 1..4 * FIRST {
                table.insert(number(n * 64, n + round)).unwrap();
            }
        }
        assert!((1..4 * FIRST).all(|n| found(&table, n * 64) == Some(n + 1)));
        assert!(*table.entries.lock().unwrap() < 4 * FIRST);
    }

    #[test]
    fn readers_see_old_entries_while_the_table_grows() {
        let table = AddressTable::new(&BUDGET).unwrap();
        let few = FIRST + FIRST / 2;
        (1..=few).for_each(|n| table.insert(number(n * 8, n)).unwrap());
        std::thread::scope(|scope| {
            let reader =
                scope.spawn(|| (0..4 * MANY).all(|n| found(&table, (n % few + 1) * 8) == Some(n % few + 1)));
            (few + 1..MANY).for_each(|n| table.insert(number(n * 8, n)).unwrap());
            assert!(reader.join().unwrap());
        });
    }
}
